# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What kernels of several shapes are made of: parameters, computations without memory, guards, input."""

from language import Array, Value, call, choose, number

WRAPPING = ["unsigned", "unsigned long long"]


def parameter(a, const=False):
    """A kernel's parameter for an array of the host, under a name of its own."""
    p = Array(a.name + ("_in" if const else "_out"), a.type, a.size, "global", const=const)
    p.memory = a.memory
    return p


def pointer(case, type, name, const=False):
    return Array(case.fresh(name), type, 0, "global", const=const)


def scalar(case, name="n"):
    name = case.fresh(name)
    return Value("int", name, name)


def combine(r, a, b):
    """Of two values of one type, one."""
    type = a.type
    if type in WRAPPING:
        return r.pick([
            lambda: a + b, lambda: a - b, lambda: a * b, lambda: a ^ b, lambda: a & b, lambda: a | b,
            lambda: (a << r.between(1, 9)) ^ b, lambda: a + (b >> r.between(1, 9)), lambda: choose(a < b, b - a, a),
            lambda: a * r.between(3, 99) + b, lambda: choose(((a ^ b) & 1).eq(0), a + 7, b)])()
    if type == "int":
        return r.pick([lambda: a + b, lambda: a - b, lambda: choose(a < b, b, a), lambda: choose(a.eq(b), a - b, b + 1),
                       lambda: call("int", "min", a, b), lambda: call("int", "max", a, b),
                       lambda: a + b % r.between(2, 9), lambda: (a & 63) - b, lambda: a - b // r.between(2, 9),
                       lambda: call("int", "abs", a) - b])()
    if type in ("float", "double"):
        f = "f" if type == "float" else ""
        return r.pick([lambda: a + b, lambda: a - b, lambda: choose(a < b, b, a),
                       lambda: call(type, f"fmin{f}", a, b, python="min"),
                       lambda: call(type, f"fmax{f}", a, b, python="max"),
                       lambda: call(type, f"fabs{f}", a, python="abs") + b])()
    raise AssertionError(type)


def unary(r, a):
    """An unsigned, made of an unsigned."""
    return r.pick([
        lambda: call("int", "__popc", a, python="popcount").to("unsigned") + a,
        lambda: call("int", "__clz", a.to("int"), python="leading").to("unsigned") ^ a,
        lambda: call("int", "__ffs", a.to("int"), python="first_set").to("unsigned") + (a << 1),
        lambda: call("unsigned", "__brev", a, python="reversed_bits"),
        lambda: call("unsigned", "__umulhi", a, number("unsigned", 2654435761), python="high_product") ^ a,
        lambda: a.to("unsigned char").to("unsigned") * 257,
        lambda: a.to("unsigned short").to("unsigned") + (a >> 16),
        lambda: (a.to("unsigned long long") * 0x9E3779B97F4A7C15 >> 32).to("unsigned"),
        lambda: a * a + 1,
    ])()


def soup(k, variables, depth=2, statements=None):
    """Statements that change local unsigned variables, in nested loops and branches."""
    r = k.random
    for _ in range(statements or r.between(1, 3)):
        v = r.pick(variables)
        w = r.pick(variables)
        what = r.below(9 if depth > 0 else 3)
        if what == 0:
            k.assign(v, combine(r, v, w))
        elif what == 1:
            k.assign(v, unary(r, w))
        elif what == 2:
            k.add_to(v, combine(r, w, number("unsigned", r.below(1000))))
        elif what == 3:
            with k.if_(r.pick([v < w, (v & 3).eq(r.below(4)), (v & 1).ne(0).both(w > r.below(99)), v.eq(w).either(v > w)])):
                soup(k, variables, depth - 1)
            if r.chance(50):
                with k.else_():
                    soup(k, variables, depth - 1)
        elif what == 4:
            with k.for_(r.below(3), r.between(2, 5)) as j:
                k.add_to(v, j.to("unsigned") * r.between(1, 50))
                soup(k, variables, depth - 1, 1)
                if r.chance(30):
                    with k.if_((w & 15).eq(r.below(16))):
                        k.text.add(*r.pick([("break;", "break"), ("continue;", "continue")]))
                    k.add_to(w, number("unsigned", 3))
        elif what == 5:
            count = k.mutable(v & 7, "count")
            style = r.below(2)
            if style == 0:
                with k.while_(count > 0):
                    k.assign(count, count - 1)
                    soup(k, variables, depth - 1, 1)
            else:
                k.text.add("do {", "while True:")
                k.text.indent += 1
                k.text.python_indent += 1
                soup(k, variables, depth - 1, 1)
                k.assign(count, choose(count > 0, count - 1, count))
                k.text.add(None, f"if not ({count.p} > 0): break")
                k.text.indent -= 1
                k.text.python_indent -= 1
                k.text.add(f"}} while ({count.c} > 0);")
        elif what == 6:
            cases = r.between(2, 4)
            k.text.add(f"switch ({v.c} % {cases + 1}u) {{", f"chosen = {v.p} % {cases + 1}")
            for i in range(cases):
                k.text.add(f"case {i}:" if i or r.chance(50) else "case 0: {", f"if chosen == {i}:")
                braces = k.text.lines[-1].endswith("{")
                k.text.indent += 1
                k.text.python_indent += 1
                if not braces:
                    k.text.add("{")
                soup(k, variables, 0, 1)
                k.text.add("}")
                k.text.add("break;")
                k.text.indent -= 1
                k.text.python_indent -= 1
            k.text.add("default:", f"if chosen == {cases}:")
            k.text.python_indent += 1
            k.assign(v, v + 11)
            k.text.python_indent -= 1
            k.text.add("}")
        elif what == 7:
            name = k.case.fresh("locals")
            size = r.between(2, 6)
            filled = r.below(100)
            k.text.add(f"unsigned {name}[{size}];", f"{name} = [0] * {size}")
            with k.for_(0, size, unroll=False) as j:
                k.text.add(f"{name}[{j.c}] = {v.c} + {j.c} * {filled}u;",
                           f"{name}[{j.p}] = ({v.p} + {j.p} * {filled}) & 0xffffffff")
            k.assign(w, Value("unsigned", f"{name}[{w.c} % {size}u]", f"{name}[{w.p} % {size}]") ^ w)
        elif what == 8:
            name = k.case.fresh("twist")
            e = combine(r, Value("unsigned", "a", "a"), Value("unsigned", "b", "b"))
            capture = r.pick(["[]", "[=]", "[&]"])
            k.text.add(f"const auto {name} = {capture}(unsigned a, unsigned b) {{ return {e.c}; }};",
                       f"{name} = lambda a, b: {e.p}")
            k.assign(v, Value("unsigned", f"{name}({v.c}, {w.c})", f"{name}({v.p}, {w.p})"))


def helper(case, type="unsigned", taking=2):
    """A device function, a macro or a function object of numbers; returns what calls it."""
    r = case.random
    style = r.below(4)
    names = ["a", "b", "c"][:taking]
    values = [Value(type, f"({n})" if style == 3 else n, n) for n in names]
    e = values[0]
    for v in values[1:]:
        e = combine(r, e, v)
    e = combine(r, e, values[0])
    name = case.fresh("mix") + (f"_of_{case.name}" if style == 3 else "")
    arguments = ", ".join(f"{type} {n}" for n in names)
    python = f"def {name}({', '.join(names)}): return {e.p}\n"
    case.helpers = getattr(case, "helpers", "") + python
    if style == 0:
        case.text.add(f"__device__ {r.pick(['', 'inline ', '__forceinline__ ', '__noinline__ ', 'constexpr '])}{type} "
                      f"{name}({arguments}) {{ return {e.c}; }}")
    elif style == 1:
        case.text.add(f"template <class T>\n__host__ __device__ T {name}({', '.join('T ' + n for n in names)}) {{\n"
                      f"return {e.c};\n}}")
    elif style == 2:
        case.text.add(f"struct {name}_type {{\n__device__ {type} operator()({arguments}) const {{ return {e.c}; }}\n}};")
    else:
        case.text.add(f"#define {name}({', '.join(names)}) \\\n  ({e.c})")
    called = f"{name}_type{{}}" if style == 2 else name

    def use(*arguments):
        return Value(type, f"{called}({', '.join(a.c for a in arguments)})",
                     f"{name}({', '.join(a.p for a in arguments)})")
    return use


def range_of(type):
    return {"unsigned": (0, 100000), "unsigned long long": (0, 1 << 30), "int": (-90, 90), "float": (-8, 8),
            "double": (-50, 50), "unsigned char": (0, 255), "signed char": (-100, 100), "short": (-300, 300),
            "unsigned short": (0, 9999), "long long": (-1000, 1000)}[type]


def compute_type(type):
    """What is computed with for an array of this type."""
    return {"unsigned char": "int", "signed char": "int", "short": "int", "unsigned short": "unsigned",
            "long long": "int"}.get(type, type)


def input_array(case, type, size, faulty=True):
    a = case.allocate(type, size, faulty=faulty)
    case.upload(a, case.random.below(1 << 20), *range_of(type), faulty=faulty)
    return a


def guard(k, i, n, body):
    """Runs body(i) for i < n, in one of the ways that people write it."""
    r, case = k.random, k.case
    if case.site("guard that is missing"):
        body(i)
        return
    limit = n + 1 if case.site("guard too wide by one") else n
    if r.chance(40):
        with k.if_(i >= limit):
            k.return_()
        body(i)
    else:
        with k.if_(i < limit if r.chance(70) else (i + 1) <= limit):
            body(i)


def size_of(n):
    return number("int", n)
