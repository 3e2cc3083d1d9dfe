# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The shapes that kernels have: each function writes one random program into a Case."""

from case import Kernel, unwrapped
from language import Array, Value, call, choose, negated, number

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


# Computations without memory.


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


# The shapes.


def element_wise(case):
    """y[i] = f(x[i]) in one, two or three dimensions, by a thread each or in a grid-stride loop."""
    r = case.random
    type = r.pick(["unsigned", "unsigned", "int", "float", "unsigned long long", "unsigned char", "short", "double",
                   "signed char", "unsigned short"])
    mix = helper(case, compute_type(type)) if r.chance(60) else lambda a, b: combine(r, a, b)
    dimensions = r.pick([1, 1, 1, 2, 2, 3])
    x, y, n = pointer(case, type, "x", const=True), pointer(case, type, "y"), scalar(case)
    table = case.variable(r.pick(["constant", "device"]), type, r.between(1, 9), r.below(999), *range_of(type)) \
        if r.chance(30) else None
    size = r.between(1, 300)
    stride_loop = r.chance(30)
    if dimensions == 1:
        block, extents = (r.pick([32, 33, 64, 100, 128, 31, 1]), 1, 1), (size, 1, 1)
    elif dimensions == 2:
        block = (r.pick([8, 16, 5, 32]), r.pick([4, 8, 3]), 1)
        extents = (r.between(1, 40), r.between(1, 9), 1)
    else:
        block = (r.pick([4, 8, 3]), r.pick([2, 4]), r.pick([2, 3]))
        extents = (r.between(1, 12), r.between(1, 5), r.between(1, 5))
    size = extents[0] * extents[1] * extents[2]
    grid = tuple(-(-e // b) for e, b in zip(extents, block))
    extra = r.chance(30)
    in_place = r.chance(20)
    k = Kernel(case, [y, n] if in_place else [x, y, n], "map_kernel")
    if in_place:
        x = y

    def global_index(axis):
        return k.index(f"blockIdx.{axis}") * k.index(f"blockDim.{axis}") + k.index(f"threadIdx.{axis}")

    def body(i):
        same = case.site("two threads write one element")
        beside = case.site("index beside the array")
        value = k.load(x, i + n if beside else i)
        value = k.let(value.to(compute_type(type)), "a")
        other = table and k.load(table, i % table.size).to(compute_type(type)) or number(compute_type(type), 3)
        result = mix(value, k.let(other, "b") if r.chance(50) else other)
        if compute_type(type) == "unsigned" and r.chance(50):
            v, w = k.mutable(result, "v"), k.mutable(value, "w")
            soup(k, [v, w])
            result = v ^ w
        if in_place:  # y[i] = y[i] would be nothing to do, and no number above takes 11 away
            result = result + number(result.type, 11)
        if case.site("block index forgotten"):
            i = i % (block[0] * block[1] * block[2])
        k.store(y, i // 2 if same else i, result.to(type))

    if dimensions == 1 and stride_loop:
        start = k.let(global_index("x"), "start")
        step = k.let(k.index("gridDim.x") * k.index("blockDim.x"), "step")
        name = case.fresh("i")
        limit = n + 1 if case.site("guard too wide by one") else n
        with k.text_block(f"for (int {name} = {start.c}; {name} < {unwrapped(limit.c)}; {name} += {step.c}) {{",
                          f"for {name} in range({start.p}, {limit.p}, {step.p}):"):
            body(Value("int", name, name))
        grid = (r.between(1, max(1, grid[0])), 1, 1)
    elif dimensions == 1:
        i = k.let(global_index("x"), "i")
        guard(k, i, n, body)
    else:
        width, height = extents[0], extents[1]
        gx, gy = k.let(global_index("x"), "col"), k.let(global_index("y"), "row")
        inside = (gx < width).both(gy < height)
        i = gy * width + gx
        if dimensions == 3:
            gz = k.let(global_index("z"), "plane")
            inside = inside.both(gz < extents[2])
            i = (gz * height + gy) * width + gx
        if case.site("guard that is missing"):
            inside = gx < width
        with k.if_(inside):
            body(k.let(i, "i") if r.chance(50) else i)
    k.end()
    case.host()
    a = input_array(case, type, size)
    if in_place:
        case.launch(k, grid, block, [a, size])
        case.download(a)
    else:
        b = case.allocate(type, size, "y")
        if extra:
            case.zero(b, faulty=False)
        case.launch(k, grid, block, [a, b, size])
        if r.chance(25) and type == "unsigned":
            case.launch(k, grid, block, [b, a, size])
            case.download(a)
        else:
            case.download(b)


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


def stencil(case):
    """Sums over neighbors from a tile in shared memory with a halo on both sides."""
    r = case.random
    type = r.pick(["unsigned", "int", "float", "unsigned long long", "double"])
    radius = r.between(1, 4)
    block = r.pick([32, 48, 64, 96, 33, 17, 128])
    blocks = r.between(1, 4)
    n = block * (blocks - 1) + r.between(1, block)
    dynamic = r.chance(40)
    taps = case.variable("constant", type, 2 * radius + 1, r.below(999), 1, 5) if r.chance(50) else None
    x, y, size = pointer(case, type, "x", const=True), pointer(case, type, "y"), scalar(case)
    k = Kernel(case, [x, y, size], "stencil_kernel", sizes=[block])
    tile = k.dynamic_array(type) if dynamic else k.shared_array(type, block + 2 * radius)
    tx = k.let(k.index("threadIdx.x"), "tx")
    i = k.let(k.index("blockIdx.x") * k.size(block) + tx, "i")
    zero = number(type, 0)

    def sample(place):
        inside = (place >= 0).both(place < size)
        if case.site("index beside the array"):
            inside = place < size
        return choose(inside, k.load(x, place), zero)

    style = r.below(3)
    if style == 0:  # every thread one, the first ones also the halo
        k.store(tile, tx + radius, sample(i))
        if not case.site("halo that nobody stages"):
            with k.if_(tx < radius):
                k.store(tile, tx, sample(i - radius))
                if not case.site("halo that nobody stages"):
                    k.store(tile, tx + (block + radius), sample(i + block))
    elif style == 1:  # in steps of a block
        end = block + 2 * radius
        if case.site("halo that nobody stages"):
            end -= 1
        with k.for_(tx, end, block) as j:
            k.store(tile, j, sample((i - tx) + (j - radius)))
    else:
        k.store(tile, tx + radius, sample(i))
        with k.if_(tx < radius):
            k.store(tile, tx, sample(i - radius))
        with k.if_(tx >= block - radius):
            k.store(tile, tx + 2 * radius, sample(i + radius))
    k.barrier()
    with k.if_(i < size):
        total = k.mutable(zero, "sum")
        shift = radius + 1 if case.site("index beside the tile") else radius
        with k.for_(-radius, radius + 1) as d:
            tap = k.load(tile, tx + d + shift)
            if taps:
                tap = tap * k.load(taps, d + radius)
            k.add_to(total, tap)
        k.store(y, i, total)
    k.end()
    if radius > block:
        return
    case.host()
    a = input_array(case, type, n)
    b = case.allocate(type, n, "y")
    grid = (-(-n // block), 1, 1)
    case.launch(k, grid, (block, 1, 1), [a, b, n], (tile.name, block + 2 * radius, type) if dynamic else None)
    case.download(b)


def reduction(case):
    """One result per block, by a tree in shared memory; then an atomic, or a second launch."""
    r = case.random
    type = r.pick(["unsigned", "int", "unsigned long long", "float"])
    block = r.pick([32, 64, 128, 256])
    blocks = r.between(1, 4)
    each = r.pick([1, 1, 2, 3])
    n = (blocks - 1) * block * each + r.between(1, block * each)
    operation = r.pick(["add", "max", "add"]) if type != "float" else "add"
    finish = r.pick(["part", "atomic", "part"])
    x, y, size = pointer(case, type, "x", const=True), pointer(case, type, "y"), scalar(case)
    dynamic = r.chance(40)
    neutral = number(type, 0 if operation == "add" or type in WRAPPING else -1000000)

    def join(a, b):
        return a + b if operation == "add" else choose(a < b, b, a)

    k = Kernel(case, [x, y, size], "reduce_kernel", sizes=[block])
    partial = k.dynamic_array(type) if dynamic else k.shared_array(type, block, name="partial")
    tx = k.let(k.index("threadIdx.x"), "tx")
    mine = k.mutable(neutral, "mine")
    begin = k.let(k.index("blockIdx.x") * (block * each) + tx, "begin")
    with k.for_(0, each) as j:
        i = begin + j * block
        with k.if_(i < size):
            k.assign(mine, join(mine, k.load(x, i)))
    k.store(partial, tx, mine)
    k.barrier()
    style = r.below(4)
    half = Value("int", case.fresh("half"), None)
    half.p = half.c
    if style in (0, 3):
        header = (f"for (int {half.c} = {block // 2}; {half.c} > 0; {half.c} {r.pick(['/= 2', '>>= 1'])}) {{",
                  f"{half.p} = {block}\nwhile {half.p} > 1:\n  {half.p} //= 2")
        with k.text_block(*header):
            with k.if_(tx < half):
                k.change(partial, tx, lambda old: join(old, k.load(partial, tx + half)))
            if style == 3 and r.chance(50):
                k.text.add("// all of the block")
            k.barrier()
    elif style == 1:
        header = (f"for (int {half.c} = 1; {half.c} < {block}; {half.c} *= 2) {{",
                  f"{half.p} = 0\nwhile ({half.p} * 2 or 1) < {block}:\n  {half.p} = {half.p} * 2 or 1")
        with k.text_block(*header):
            with k.if_((tx % (half * 2)).eq(0)):
                k.change(partial, tx, lambda old: join(old, k.load(partial, tx + half)))
            k.barrier()
    else:
        header = (f"for (int {half.c} = 1; {half.c} < {block}; {half.c} <<= 1) {{",
                  f"{half.p} = 0\nwhile ({half.p} * 2 or 1) < {block}:\n  {half.p} = {half.p} * 2 or 1")
        with k.text_block(*header):
            index = k.let(half * 2 * tx, "index")
            with k.if_(index < block):
                k.change(partial, index, lambda old: join(old, k.load(partial, index + half)))
            k.barrier()
    with k.if_(tx.eq(0)):
        result = k.load(partial, number("int", 0))
        if finish == "part":
            k.store(y, k.index("blockIdx.x"), result)
        elif case.site("plain read and write instead of an atomic"):
            k.change(y, number("int", 0), lambda old: join(old, result))
        else:
            k.atomic("add" if operation == "add" else "max", y, number("int", 0), result)
    k.end()
    case.host()
    a = input_array(case, type, n)
    grid = (-(-n // (block * each)), 1, 1)
    b = case.allocate(type, grid[0] if finish == "part" else 1, "y")
    if finish == "atomic":
        case.zero(b)
    shared = (partial.name, block, type) if dynamic else None
    case.launch(k, grid, (block, 1, 1), [a, b, n], shared)
    if finish == "part" and grid[0] > 1 and r.chance(50):
        c = case.allocate(type, 1, "z")
        case.launch(k, (1, 1, 1), (block, 1, 1), [b, c, grid[0]], shared)
        case.download(c)
    else:
        case.download(b)


def scan(case):
    """Sums of all elements before, within a block."""
    r = case.random
    type = r.pick(["unsigned", "int", "unsigned long long"])
    block = r.pick([32, 64, 128])
    n = r.between(1, block)
    x, y, size = pointer(case, type, "x", const=True), pointer(case, type, "y"), scalar(case)
    k = Kernel(case, [x, y, size], "scan_kernel", sizes=[block])
    style = r.below(3)
    zero = number(type, 0)
    step = Value("int", case.fresh("step"), None)
    step.p = step.c
    up = (f"for (int {step.c} = 1; {step.c} < {block}; {step.c} *= 2) {{",
          f"{step.p} = 0\nwhile ({step.p} * 2 or 1) < {block}:\n  {step.p} = {step.p} * 2 or 1")
    if style == 0:  # Hillis and Steele, in place with two barriers a step
        sums = k.shared_array(type, block, name="sums")
        tx = k.let(k.index("threadIdx.x"), "tx")
        k.store(sums, tx, choose(tx < size, k.load(x, tx), zero))
        k.barrier()
        with k.text_block(*up):
            left = k.mutable(zero, "left")
            with k.if_(tx >= step):
                k.assign(left, k.load(sums, tx - step))
            k.barrier()
            k.change(sums, tx, lambda old: old + left)
            k.barrier()
        result = k.load(sums, tx)
    elif style == 1:  # the same with two arrays
        sums = k.shared_array(type, 2, block, name="sums")
        tx = k.let(k.index("threadIdx.x"), "tx")
        current = k.mutable(number("int", 0), "current")
        k.store(sums, [current, tx], choose(tx < size, k.load(x, tx), zero))
        k.barrier()
        with k.text_block(*up):
            with k.if_(tx >= step):
                k.store(sums, [number("int", 1) - current, tx],
                        k.load(sums, current, tx) + k.load(sums, current, tx - step))
            with k.else_():
                k.store(sums, [number("int", 1) - current, tx], k.load(sums, current, tx))
            k.assign(current, number("int", 1) - current)
            k.barrier()
        result = k.load(sums, current, tx)
    else:  # Blelloch
        sums = k.shared_array(type, block, name="sums")
        tx = k.let(k.index("threadIdx.x"), "tx")
        k.store(sums, tx, choose(tx < size, k.load(x, tx), zero))
        k.barrier()
        with k.text_block(*up):
            at = k.let((tx + 1) * step * 2 - 1, "at")
            with k.if_(at < block):
                k.change(sums, at, lambda old: old + k.load(sums, at - step))
            k.barrier()
        with k.if_(tx.eq(0)):
            k.store(sums, number("int", block - 1), zero)
        k.barrier()
        down = (f"for (int {step.c} = {block // 2}; {step.c} > 0; {step.c} /= 2) {{",
                f"{step.p} = {block}\nwhile {step.p} > 1:\n  {step.p} //= 2")
        with k.text_block(*down):
            at = k.let((tx + 1) * step * 2 - 1, "at")
            with k.if_(at < block):
                left = k.let(k.load(sums, at - step), "left")
                k.store(sums, at - step, k.load(sums, at))
                k.change(sums, at, lambda old: old + left)
            k.barrier()
        result = k.load(sums, tx)
    guard(k, tx, size, lambda i: k.store(y, i, result))
    k.end()
    case.host()
    a = input_array(case, type, n)
    b = case.allocate(type, n, "y")
    case.launch(k, (1, 1, 1), (block, 1, 1), [a, b, n])
    case.download(b)


def histogram(case):
    """Counts by atomics, in shared memory first or straight in global memory."""
    r = case.random
    type = r.pick(["unsigned", "int", "unsigned long long"])
    from_type = r.pick(["unsigned", "unsigned char", "int"])
    bins = r.pick([4, 7, 16, 32, 50])
    block = r.pick([32, 64, 100, 128])
    n = r.between(20, 300)
    operation = r.pick(["add", "add", "max", "or", "xor", "min", "and"])
    x, y, size = pointer(case, from_type, "x", const=True), pointer(case, type, "y"), scalar(case)
    k = Kernel(case, [x, y, size], "histogram_kernel", sizes=[block])
    local = r.chance(60)
    tx = k.let(k.index("threadIdx.x"), "tx")
    i = k.let(k.index("blockIdx.x") * k.size(block) + tx, "i")
    zero = number(type, 0)
    neutral = zero
    if local:
        counts = k.shared_array(type, bins, name="counts")
        if not case.site("shared counts that nobody sets to zero"):
            with k.for_(tx, bins, block) as j:
                k.store(counts, j, neutral)
        k.barrier()
    else:
        counts = y
    plain = case.site("plain read and write instead of an atomic")
    with k.if_(i < size):
        value = k.let(k.load(x, i).to("int"), "value")
        bin_ = k.let((value & 0xFFFF) % bins, "bin")
        amount = number(type, 1) if operation == "add" else (value & 255).to(type)
        if plain:
            k.change(counts, bin_, lambda old: old + amount)
        else:
            k.atomic(operation, counts, bin_, amount)
    if local:
        k.barrier()
        with k.for_(tx, bins, block) as j:
            mine = k.load(counts, j)
            if r.chance(30):
                mine = k.let(mine, "mine")
            k.atomic(operation, y, j, mine)
    k.end()
    case.host()
    a = input_array(case, from_type, n)
    b = case.allocate(type, bins, "y")
    case.zero(b, byte=127 if operation == "and" and type != "int" else 0)
    case.launch(k, (-(-n // block), 1, 1), (block, 1, 1), [a, b, n])
    case.download(b)


def transpose(case):
    """Rows become columns, by a padded tile."""
    r = case.random
    type = r.pick(["unsigned", "float", "unsigned char", "double", "short"])
    edge = r.pick([8, 16, 5])
    rows = r.pick([edge, edge // 2]) if edge % 2 == 0 else edge
    width, height = r.between(1, 30), r.between(1, 30)
    pad = r.below(2)
    x, y = pointer(case, type, "x", const=True), pointer(case, type, "y")
    w, h = scalar(case, "width"), scalar(case, "height")
    k = Kernel(case, [x, y, w, h], "transpose_kernel")
    tile = k.shared_array(type, edge, edge + pad)
    tx, ty = k.let(k.index("threadIdx.x"), "tx"), k.let(k.index("threadIdx.y"), "ty")
    bx, by = k.let(k.index("blockIdx.x") * edge, "left"), k.let(k.index("blockIdx.y") * edge, "top")
    limit = w if not case.site("guard too wide by one") else w + 1
    with k.for_(ty, edge, rows) as j:
        with k.if_(((bx + tx) < limit).both((by + j) < h)):
            k.store(tile, [j, tx], k.load(x, (by + j) * w + bx + tx))
    k.barrier()
    swapped = case.site("width and height confused")
    with k.for_(ty, edge, rows) as j:
        with k.if_(((by + tx) < h).both((bx + j) < w)):
            k.store(y, (bx + j) * (w if swapped else h) + by + tx, k.load(tile, tx, j))
    k.end()
    case.host()
    a = input_array(case, type, width * height)
    b = case.allocate(type, width * height, "y")
    case.launch(k, (-(-width // edge), -(-height // edge), 1), (edge, rows, 1), [a, b, width, height])
    case.download(b)


def phases(case):
    """Arrays in shared memory, written and read in turns by all threads under changing permutations."""
    r = case.random
    type = r.pick(["unsigned", "unsigned", "unsigned long long", "unsigned short", "unsigned char"])
    work = type if type in WRAPPING else "unsigned"
    block = r.pick([32, 64, 96, 37, 128, 50])
    blocks = r.between(1, 3)
    arrays = r.between(1, 3)
    y = pointer(case, type, "y")
    k = Kernel(case, [y], "phases_kernel", sizes=[block])
    shared = [k.shared_array(type, block, name=r.pick(["first", "second", "tile"])) for _ in range(arrays)]
    tx = k.let(k.index("threadIdx.x"), "tx")
    value = k.mutable((k.index("blockIdx.x") * 1000 + tx * 7 + 1).to(work), "value")
    written = [None] * arrays  # who wrote which element in this interval
    known = [False] * arrays

    def permutation():
        while True:
            a = r.between(1, block - 1)
            if gcd(a, block) == 1:
                break
        b = r.below(block)
        style = r.below(3)
        if style == 0:
            return tx
        if style == 1:
            return (tx * a + b) % block
        return number("int", block - 1) - tx

    def one_phase():
        target = r.below(arrays)
        k.store(shared[target], permutation(), value.to(type))
        known[target] = True
        k.barrier()
        for _ in range(r.between(1, 2)):
            source = r.pick([i for i in range(arrays) if known[i]])
            place = permutation() if r.chance(70) else (tx * r.between(1, 5) + r.below(block)) % block
            read = k.load(shared[source], place).to(work)
            if r.chance(30):
                with k.if_(r.pick([tx < r.between(1, block), (tx % r.between(2, 5)).eq(0), (tx & 1).eq(0)])):
                    k.assign(value, combine(r, value, number(work, 5)) + read)
            else:
                k.assign(value, value * 31 + read)
        # A barrier that may be left out where the next phase writes to another array: machine.py knows.
        if arrays == 1 or not r.chance(30):
            k.barrier()

    for _ in range(r.between(1, 4)):
        if r.chance(25):
            with k.for_(0, r.between(1, 3), unroll=r.chance(50)):
                one_phase()
                k.barrier(fault=None)
        else:
            one_phase()
    k.store(y, k.index("blockIdx.x") * k.size(block) + tx, value.to(type))
    k.end()
    case.host()
    b = case.allocate(type, block * blocks, "y")
    case.launch(k, (blocks, 1, 1), (block, 1, 1), [b])
    case.download(b)


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def product(case):
    """A matrix product, tile by tile."""
    r = case.random
    type = r.pick(["int", "float", "unsigned"])
    edge = r.pick([4, 8, 5])
    m, n, inner = r.between(1, 14), r.between(1, 14), r.between(1, 14)
    a, b, c = pointer(case, type, "a", True), pointer(case, type, "b", True), pointer(case, type, "c")
    rows, columns, depth = scalar(case, "rows"), scalar(case, "columns"), scalar(case, "depth")
    k = Kernel(case, [a, b, c, rows, columns, depth], "product_kernel")
    left, right = k.shared_array(type, edge, edge, name="left"), k.shared_array(type, edge, edge + r.below(2), name="right")
    tx, ty = k.let(k.index("threadIdx.x"), "tx"), k.let(k.index("threadIdx.y"), "ty")
    row, col = k.let(k.index("blockIdx.y") * edge + ty, "row"), k.let(k.index("blockIdx.x") * edge + tx, "col")
    zero = number(type, 0)
    total = k.mutable(zero, "sum")
    rows_limit = rows + 1 if case.site("guard too wide by one") else rows
    with k.for_(0, depth, edge, unroll=False) as t:
        k.store(left, [ty, tx], choose((row < rows_limit).both((t + tx) < depth), k.load(a, row * depth + t + tx), zero))
        k.store(right, [ty, tx], choose(((t + ty) < depth).both(col < columns), k.load(b, (t + ty) * columns + col), zero))
        k.barrier()
        with k.for_(0, edge) as i:
            k.add_to(total, k.load(left, ty, i) * k.load(right, i, tx))
        k.barrier()
    with k.if_((row < rows).both(col < columns)):
        k.store(c, row * columns + col, total)
    k.end()
    case.host()
    low, high = (-5, 5) if type != "unsigned" else (0, 9999)
    d_a, d_b = case.allocate(type, m * inner, "a"), case.allocate(type, inner * n, "b")
    case.upload(d_a, r.below(1 << 20), low, high)
    case.upload(d_b, r.below(1 << 20), low, high)
    d_c = case.allocate(type, m * n, "c")
    case.launch(k, (-(-n // edge), -(-m // edge), 1), (edge, edge, 1), [d_a, d_b, d_c, m, n, inner])
    case.download(d_c)


def warp_reduction(case):
    """Sums, maxima and scans over the lanes of a warp or a part of it."""
    r = case.random
    type = r.pick(["unsigned", "int", "float", "unsigned long long"])
    width = r.pick([32, 32, 16, 8, 4])
    block = r.pick([32, 64, 96, 128])
    n = r.between(1, 2 * block)
    mode = r.pick(["down", "xor", "up", "idx"])
    x, y, size = pointer(case, type, "x", const=True), pointer(case, type, "y"), scalar(case)
    k = Kernel(case, [x, y, size], "warp_kernel", sizes=[block])
    tx = k.let(k.index("threadIdx.x"), "tx")
    i = k.let(k.index("blockIdx.x") * k.size(block) + tx, "i")
    lane = k.let(tx % width if r.chance(50) else tx & (width - 1), "lane")
    zero = number(type, 0)
    returned = case.site("return before a shuffle")
    if returned:
        with k.if_((tx % 32).eq(width - 1)):
            k.return_()
    value = k.mutable(choose(i < size, k.load(x, i), zero), "value")
    only_half = case.site("mask without a lane that is asked")
    mask = 0xFFFFFFFF & ~(1 << width - 1) if only_half else 0xFFFFFFFF
    offset = Value("int", case.fresh("offset"), None)
    offset.p = offset.c
    halving = (f"for (int {offset.c} = {width // 2}; {offset.c} > 0; {offset.c} {r.pick(['/= 2', '>>= 1'])}) {{",
               f"{offset.p} = {width}\nwhile {offset.p} > 1:\n  {offset.p} //= 2")
    doubling = (f"for (int {offset.c} = 1; {offset.c} < {width}; {offset.c} *= 2) {{",
                f"{offset.p} = 0\nwhile ({offset.p} * 2 or 1) < {width}:\n  {offset.p} = {offset.p} * 2 or 1")

    def body():
        if mode == "idx":
            for _ in range(r.between(1, 3)):
                what = (lane * r.between(1, 5) + r.below(width)) % width
                got = k.let(k.shuffle("idx", value, what, width, mask), "got")
                k.assign(value, combine(r, value, got) if type != "float" else value + got)
            k.add_to(value, k.let(k.shuffle("idx", value, number("int", width - 1), width, mask), "last"))
        else:
            with k.text_block(*(doubling if mode == "up" or r.chance(30) else halving)):
                got = k.let(k.shuffle(mode, value, offset, width, mask), "got")
                if mode == "up":
                    with k.if_(lane >= offset):
                        k.add_to(value, got)
                elif r.chance(30) and type != "unsigned long long":
                    k.assign(value, choose(value < got, got, value))
                else:
                    k.add_to(value, got)
    if only_half:
        with k.if_((tx % 32).ne(width - 1)):
            body()
    else:
        body()
    if r.chance(30):
        votes = r.pick(["any", "all", "ballot"])
        v = k.let(k.vote(votes, k.let((value.to("int") & 3 if type != "float" else value.to("int") & 3).eq(1), "odd")), "votes")
        k.add_to(value, v.to("unsigned").to("int").to(type) if type != "float" else (v.to("int") & 255).to(type))
        if type == "int":
            k.assign(value, value & 0xFFFF)
    guard(k, i, size, lambda i: k.store(y, i, value))
    k.end()
    case.host()
    low, high = (0, 200) if type in WRAPPING else (-8, 8)
    a = case.allocate(type, n)
    case.upload(a, r.below(1 << 20), low, high)
    b = case.allocate(type, n, "y")
    case.launch(k, (-(-n // block), 1, 1), (block, 1, 1), [a, b, n])
    case.download(b)


def warp_exchange(case):
    """Lanes that hand on data through shared memory with no barrier but __syncwarp()."""
    r = case.random
    type = r.pick(["unsigned", "unsigned short", "unsigned long long"])
    work = type if type in WRAPPING else "unsigned"
    block = r.pick([32, 64, 96])
    y = pointer(case, type, "y")
    k = Kernel(case, [y], "exchange_kernel", sizes=[block])
    tile = k.shared_array(type, block)
    tx = k.let(k.index("threadIdx.x"), "tx")
    first = k.let(tx - tx % 32, "first")
    lane = k.let(tx % 32, "lane")
    value = k.mutable((tx * 17 + 3).to(work), "value")
    part = r.pick([32, 32, 16])
    masks = [0xFFFFFFFF] if part == 32 else [0x0000FFFF, 0xFFFF0000]

    def meet(fault="missing __syncwarp"):
        if part == 32:
            k.syncwarp(fault=fault)
        elif fault and case.site("missing __syncwarp"):
            pass
        elif fault and case.site("__syncwarp of the wrong half"):
            k.text.add("__syncwarp(1u << (threadIdx.x % 32));", "yield ('syncwarp', @L, 1 << t.lane)")
        else:
            k.text.add("__syncwarp(threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u);",
                       "yield ('syncwarp', @L, 0xffff if t.lane < 16 else 0xffff0000)")
    for _ in range(r.between(1, 4)):
        k.store(tile, tx, value.to(type))
        meet()
        a, b = r.pick([1, 3, 5, 7]), r.below(part)
        other = first + (lane & 32 - part) + (lane * a + b) % part
        k.assign(value, value * 5 + k.load(tile, other).to(work))
        meet()
    k.store(y, k.index("blockIdx.x") * k.size(block) + tx, value.to(type))
    k.end()
    case.host()
    blocks = r.between(1, 2)
    b = case.allocate(type, block * blocks, "y")
    case.launch(k, (blocks, 1, 1), (block, 1, 1), [b])
    case.download(b)


def vectors(case):
    """float4, int2 and their like, read and written as a whole."""
    r = case.random
    element, letters = r.pick([("float", "xyzw"), ("float", "xy"), ("int", "xyzw"), ("unsigned", "xy"), ("int", "xy"),
                               ("unsigned char", "xyzw"), ("unsigned", "xyzw"), ("double", "xy")])
    count = len(letters)
    vector = {"unsigned": "uint", "unsigned char": "uchar"}.get(element, element) + str(count)
    groups = r.between(1, 150)
    block = r.pick([32, 64, 50])
    x, y, n = pointer(case, element, "x", const=True), pointer(case, element, "y"), scalar(case)
    k = Kernel(case, [x, y, n], "vector_kernel", sizes=[block])
    i = k.let(k.index("blockIdx.x") * k.size(block) + k.index("threadIdx.x"), "i")
    other = r.below(3)

    def body(i):
        place = i + 1 if case.site("index beside the array") else i
        name = case.fresh("v")
        cast = r.pick(["reinterpret_cast<const {v}*>({x})[{i}]", "*reinterpret_cast<const {v}*>({x} + {n} * ({i}))",
                       "((const {v}*){x})[{i}]"])
        const = r.pick(["const ", ""])
        k.text.add(f"{const}{vector} {name} = {cast.format(v=vector, x=x.name, i=place.c, n=count)};",
                   f"{name} = M.load_wide(t, {x.name}, {count} * {place.p}, @L, {count})")
        parts = [Value(element, f"{name}.{c}", f"{name}[{j}]") for j, c in enumerate(letters)]
        work = compute_type(element)
        results = [(parts[(j + other) % count].to(work) + number(work, j + 1)).to(element) for j in range(count)]
        target = r.pick(["reinterpret_cast<{v}*>({y})[{i}]", "*reinterpret_cast<{v}*>({y} + {n} * ({i}))"])
        made = r.pick(["make_{v}({p})", "{v}{{{p}}}"]).format(v=vector, p=", ".join(unwrapped(p.c) for p in results))
        k.text.add(f"{target.format(v=vector, y=y.name, i=i.c, n=count)} = {made};",
                   f"M.store_wide(t, {y.name}, {count} * {i.p}, ({', '.join(p.p for p in results)},), @L)")
    guard(k, i, n, body)
    k.end()
    case.host()
    a = input_array(case, element, groups * count)
    b = case.allocate(element, groups * count, "y")
    a.wide = b.wide = count
    case.launch(k, (-(-groups // block), 1, 1), (block, 1, 1), [a, b, groups])
    case.download(b)


def last_block(case):
    """Every block leaves a sum; the last one to take a ticket adds them up."""
    r = case.random
    case.loose = True
    type = r.pick(["unsigned", "unsigned long long", "int"])
    block, blocks = r.pick([32, 64]), r.between(2, 8)
    n = block * blocks - r.below(block)
    parts = pointer(case, type, "parts")
    x, y, size = pointer(case, type, "x", const=True), pointer(case, type, "y"), scalar(case)
    tickets = case.fresh("tickets")
    case.text.add(f"__device__ unsigned {tickets};")
    from machine import Memory
    memory = Memory(tickets, "unsigned", 1, "device")
    memory.believed = True
    case.arrays[tickets] = memory
    case.machine.variables = (*case.machine.variables, memory)
    ticket_array = Array(tickets, "unsigned", 1, "device")
    k = Kernel(case, [x, parts, y, size], "last_block_kernel", sizes=[block])
    sums = k.shared_array(type, block, name="sums")
    last = k.shared_scalar("bool", "last")
    tx = k.let(k.index("threadIdx.x"), "tx")
    i = k.let(k.index("blockIdx.x") * k.size(block) + tx, "i")
    zero = number(type, 0)
    k.store(sums, tx, choose(i < size, k.load(x, i), zero))
    k.barrier()
    half = Value("int", case.fresh("half"), None)
    half.p = half.c
    with k.text_block(f"for (int {half.c} = {block // 2}; {half.c} > 0; {half.c} /= 2) {{",
                      f"{half.p} = {block}\nwhile {half.p} > 1:\n  {half.p} //= 2"):
        with k.if_(tx < half):
            k.change(sums, tx, lambda old: old + k.load(sums, tx + half))
        k.barrier()
    with k.if_(tx.eq(0)):
        k.store(parts, k.index("blockIdx.x"), k.load(sums, number("int", 0)))
        k.text.add("__threadfence();")
        name = case.fresh("ticket")
        if r.chance(50):
            k.text.add(f"const unsigned {name} = atomicInc(&{tickets}, gridDim.x - 1);",
                       f"{name} = M.atomic(t, 'inc', {tickets}, 0, t.gdx - 1, @L)")
            reset = False
        else:
            k.text.add(f"const unsigned {name} = atomicAdd(&{tickets}, 1u);",
                       f"{name} = M.atomic(t, 'add', {tickets}, 0, 1, @L)")
            reset = True
        k.text.add(f"{last.name} = {name} == gridDim.x - 1;", f"M.store(t, {last.name}, 0, {name} == t.gdx - 1, @L)")
    k.barrier()
    with k.if_(k.load_scalar(last)):
        mine = k.mutable(zero, "mine")
        with k.for_(tx, k.index("gridDim.x"), block) as b:
            k.add_to(mine, k.load(parts, b))
        k.store(sums, tx, mine)
        k.barrier()
        with k.if_(tx.eq(0)):
            total = k.mutable(zero, "total")
            with k.for_(0, block) as j:
                k.add_to(total, k.load(sums, j))
            k.store(y, number("int", 0), total)
            if reset:
                k.text.add(f"{tickets} = 0;", f"M.store(t, {tickets}, 0, 0, @L)")
    k.end()
    case.host()
    a = input_array(case, type, n)
    p = case.allocate(type, blocks, "parts")
    p.memory.believed = True
    b = case.allocate(type, 1, "y")
    case.launch(k, (blocks, 1, 1), (block, 1, 1), [a, p, b, n])
    if r.chance(40):
        case.launch(k, (blocks, 1, 1), (block, 1, 1), [a, p, b, n])
    case.download(b)


def double_buffer(case):
    """While one tile is used the next one is staged: one barrier a round."""
    r = case.random
    type = r.pick(["unsigned", "int", "float", "unsigned long long"])
    block = r.pick([32, 64, 48])
    rounds = r.between(2, 5)
    x, y, count = pointer(case, type, "x", const=True), pointer(case, type, "y"), scalar(case, "rounds")
    k = Kernel(case, [x, y, count], "double_kernel", sizes=[block])
    tile = k.shared_array(type, 2, block)
    tx = k.let(k.index("threadIdx.x"), "tx")
    begin = k.let(k.index("blockIdx.x") * count * block, "begin")
    total = k.mutable(number(type, 0), "sum")
    k.store(tile, [number("int", 0), tx], k.load(x, begin + tx))
    shift = r.between(1, block - 1)
    k.barrier()
    same = case.site("one buffer instead of two")
    with k.for_(0, count, unroll=False) as round_:
        with k.if_((round_ + 1) < count):
            k.store(tile, [round_ % 2 if same else (round_ + 1) % 2, tx], k.load(x, begin + (round_ + 1) * block + tx))
        k.add_to(total, k.load(tile, round_ % 2, (tx + shift) % block))
        k.barrier()
    k.store(y, k.index("blockIdx.x") * k.size(block) + tx, total)
    k.end()
    case.host()
    blocks = r.between(1, 3)
    a = case.allocate(type, block * blocks * rounds)
    case.upload(a, r.below(1 << 20), *((0, 9999) if type in WRAPPING else (-99, 99)))
    b = case.allocate(type, block * blocks, "y")
    case.launch(k, (blocks, 1, 1), (block, 1, 1), [a, b, rounds])
    case.download(b)


def plane(case):
    """A stencil over two dimensions, with a tile that has a border."""
    r = case.random
    type = r.pick(["unsigned", "int", "float", "unsigned char"])
    work = compute_type(type)
    bx, by = r.pick([(8, 8), (16, 4), (5, 7), (32, 2)])
    width, height = r.between(1, 40), r.between(1, 16)
    pitched = r.chance(40)
    x, y = pointer(case, type, "x", const=True), pointer(case, type, "y")
    w, h = scalar(case, "width"), scalar(case, "height")
    k = Kernel(case, [x, y, w, h], "plane_kernel")
    tile = k.shared_array(work, by + 2, bx + 2)
    tx, ty = k.let(k.index("threadIdx.x"), "tx"), k.let(k.index("threadIdx.y"), "ty")
    col, row = k.let(k.index("blockIdx.x") * bx + tx, "col"), k.let(k.index("blockIdx.y") * by + ty, "row")
    zero = number(work, 0)
    beside = case.site("index beside the array")
    corner = case.site("halo that nobody stages")
    with k.for_(ty, by + 2 - int(corner), by) as j:
        with k.for_(tx, bx + 2, bx) as i:
            source_row, source_col = k.let(row - ty + j - 1, "from_row"), k.let(col - tx + i - 1, "from_col")
            inside = (source_row >= 0).both(source_row < (h + 1 if beside else h)).both(source_col >= 0).both(source_col < w)
            k.store(tile, [j, i], choose(inside, k.load(x, source_row * w + source_col).to(work), zero))
    k.barrier()
    with k.if_((col < w).both(row < h)):
        total = k.mutable(k.load(tile, ty + 1, tx + 1) * 4, "sum")
        for dy, dx in ((0, 1), (2, 1), (1, 0), (1, 2)):
            k.assign(total, total - k.load(tile, ty + dy, tx + dx))
        if type == "unsigned char":
            k.assign(total, total & 255)
        k.store(y, row * w + col, total.to(type))
    k.end()
    case.host()
    a = input_array(case, type, width * height)
    b = case.allocate(type, width * height, "y")
    case.launch(k, (-(-width // bx), -(-height // by), 1), (bx, by, 1), [a, b, width, height])
    case.download(b)


def quotients(case):
    """y[i] = x[i] / d[i] and x[i] % d[i]."""
    r = case.random
    type = r.pick(["int", "unsigned", "long long", "unsigned long long"])
    n, block = r.between(2, 200), r.pick([32, 64, 50])
    x, d, y, size = (pointer(case, type, "x", True), pointer(case, type, "d", True), pointer(case, type, "y"),
                     scalar(case))
    k = Kernel(case, [x, d, y, size], "quotient_kernel", sizes=[block])
    i = k.let(k.index("blockIdx.x") * k.size(block) + k.index("threadIdx.x"), "i")

    def body(i):
        a, b = k.let(k.load(x, i), "a"), k.let(k.load(d, i), "b")
        q = k.let(a.divided(b), "q")
        k.store(y, i, q + r.pick([1, 2]) if r.chance(40) else q + a - q * b)
    guard(k, i, size, body)
    k.end()
    case.host()
    zeros = case.site("divisor that is zero")
    a, b, c = input_array(case, type, n), case.allocate(type, n, "d"), case.allocate(type, n, "y")
    case.upload(b, r.below(1 << 20), 0 if zeros else 1, 9, faulty=False)
    case.launch(k, (-(-n // block), 1, 1), (block, 1, 1), [a, b, c, size_of(n)])
    case.download(c)


def size_of(n):
    return number("int", n)


def recursion(case):
    """A device function that calls itself."""
    r = case.random
    n = r.between(1, 64)
    y = pointer(case, "unsigned", "y")
    endless = case.site("recursion that does not end")
    name = case.fresh("descend")
    case.text.add(f"__device__ {r.pick(['__noinline__ ', ''])}unsigned {name}(unsigned depth, const unsigned* start) {{")
    factor, slots = r.between(2, 9), r.pick([8, 16, 64])
    lines = [f"  volatile unsigned here[{slots}];", f"  here[depth % {slots}] = depth;",
             f"  if (depth == {'0xffffffffu' if endless else 0}) return *start;",
             f"  return {name}(depth - 1, start) * {factor}u + here[depth % {slots}];", "}"]
    known = [case.text.line() - 1]
    for line in lines:
        known.append(case.text.add(line))
    case.helpers = getattr(case, "helpers", "") + (
        f"def {name}(M, t, depth, a, i):\n"
        f"  value = M.load(t, a, i, {known[3]})\n"
        f"  for d in range(1, depth + 1): value = (value * {factor} + d) & 0xffffffff\n"
        f"  return value\n")
    if endless:
        case.known = {("stack", line, 0) for line in known}
    k = Kernel(case, [y], "recursive_kernel")
    i = k.let(k.index("threadIdx.x"), "i")
    depth = k.let((i % r.between(2, 12)).to("unsigned"), "depth")
    k.store(y, i, Value("unsigned", f"{name}({depth.c}{' + 1000000u' if endless else ''}, {y.name} + {i.c})",
                        f"{name}(M, t, {depth.p}, {y.name}, {i.p})"))
    k.end()
    case.host()
    a = input_array(case, "unsigned", n)
    case.launch(k, (1, 1, 1), (n, 1, 1), [a])
    case.download(a)


def lanes_apart(case):
    """A shuffle or a vote that some lanes must not miss. What is wrong is known here, and not to machine.py."""
    r = case.random
    block = r.pick([32, 64])
    y = pointer(case, "unsigned", "y")
    k = Kernel(case, [y], "lanes_kernel")
    tx = k.let(k.index("threadIdx.x"), "tx")
    lane = k.let(tx % 32, "lane")
    value = k.mutable((tx * r.between(3, 99) + 1).to("unsigned"), "value")
    half = r.pick([16, 8, 24, 31, 1])
    below = lane < half if r.chance(50) else (lane & 31) < half
    low_mask = (1 << half) - 1

    def meeting(mask):
        what = r.below(3)
        if what == 0:
            return k.shuffle(r.pick(["idx", "xor"]) if half == 31 else "idx", value, number("int", r.below(half)), 32, mask)
        if what == 1:
            return k.vote("ballot", (value & 1).eq(1), mask)
        return k.vote(r.pick(["any", "all"]), (value & 2).eq(2), mask).to("unsigned")

    style = r.below(4)
    if style == 0:
        wrong = case.site("shuffle inside of an if")
        with k.if_(below):
            e = k.shuffle("idx", value, number("int", r.below(half)), 32, 0xFFFFFFFF if wrong else low_mask)
            line = k.text.line()
            k.assign(value, value + e)
            if wrong:
                case.known = {("skipped_meeting", line, 0)}
    elif style == 1:
        wrong = case.site("different shuffles in both branches")
        line = k.text.line()
        with k.if_(below):
            one = k.text.line()
            k.assign(value, k.shuffle("idx", value, number("int", 0), 32, 0xFFFFFFFF if wrong else low_mask))
        with k.else_():
            two = k.text.line()
            k.assign(value, k.shuffle("idx", value + 5, number("int", 31), 32, 0xFFFFFFFF if wrong else
                                      0xFFFFFFFF & ~low_mask))
        if wrong:
            case.known = {("divergent_shuffle", one, 0), ("divergent_shuffle", two, 0)}
    elif style == 2:
        wrong = case.site("mask that does not name the caller")
        line = k.text.line()
        e = k.vote("ballot", (value & 1).eq(1), low_mask if wrong else 0xFFFFFFFF)
        k.assign(value, value ^ e)
        if wrong:
            case.known = {("unnamed_lane", line, 0)}
    else:
        wrong = case.site("shuffle that half of a warp misses before a barrier")
        one = None
        with k.if_(below):
            one = k.text.line()
            k.assign(value, k.shuffle("idx", value, number("int", 0), 32, 0xFFFFFFFF if wrong else low_mask) + value)
        two = k.text.line()
        k.barrier(fault=None)
        if wrong:
            case.known = {("deadlock", one, 0), ("deadlock", two, 0)}
    if r.chance(50):
        then = k.text.line()
        k.assign(value, value + k.let(k.shuffle("down", value, number("int", r.between(1, 4))), "next"))
        if case.known and style == 0:  # the others wait there, and nobody goes on
            case.known = {("deadlock", at, 0) for at in (line, *range(then, k.text.line()))}
    k.store(y, tx, value)
    k.end()
    case.host()
    b = case.allocate("unsigned", block, "y")
    case.launch(k, (1, 1, 1), (block, 1, 1), [b])
    case.download(b)


def compaction(case):
    """What passes a test, next to each other: ballots, popcounts, matches, barriers that count."""
    r = case.random
    block = r.pick([32, 64, 96])
    x, y, counts = pointer(case, "unsigned", "x", True), pointer(case, "unsigned", "y"), pointer(case, "unsigned", "counts")
    k = Kernel(case, [x, y, counts], "compact_kernel", sizes=[block])
    tx = k.let(k.index("threadIdx.x"), "tx")
    i = k.let(k.index("blockIdx.x") * k.size(block) + tx, "i")
    value = k.let(k.load(x, i), "value")
    keep = k.let((value % r.between(2, 5)).eq(0), "keep")
    ballot = k.let(k.vote("ballot", keep), "ballot")
    below = ballot & Value("unsigned", "((1u << (threadIdx.x % 32)) - 1u)", "((1 << t.lane) - 1)")
    rank = k.let(call("int", "__popc", below, python="popcount"), "rank")
    total = k.let(call("int", "__popc", ballot, python="popcount"), "total")
    first = i - tx % 32
    same = case.site("two threads write one element")
    with k.if_(keep):
        k.store(y, first + (rank // 2 if same else rank), value)
    with k.else_():
        k.store(y, first + total + (tx % 32 - rank), value + 1)
    what = r.below(4)
    if what == 0:
        c = k.let(k.barrier_vote(r.pick(["count", "and", "or"]), keep), "passed").to("unsigned")
    elif what == 1:
        c = k.let(Value("unsigned", f"__match_any_sync(~0u, {value.c} % 4u)",
                        f"(yield ('match', @L, 0xffffffff, {value.p} % 4))"), "same")
    elif what == 2:
        op = r.pick(["add", "max", "min", "or", "and", "xor"])
        c = k.let(Value("unsigned", f"__reduce_{op}_sync(0xffffffffu, {value.c})",
                        f"(yield ('{op}', @L, 0xffffffff, {value.p}))"), "reduced")
    else:
        c = total.to("unsigned")
    k.store(counts, i, c)
    k.end()
    case.host()
    blocks = r.between(1, 3)
    a = input_array(case, "unsigned", block * blocks)
    b, c = case.allocate("unsigned", block * blocks, "y"), case.allocate("unsigned", block * blocks, "counts")
    case.launch(k, (blocks, 1, 1), (block, 1, 1), [a, b, c])
    case.download(b)
    case.download(c)


def with_helper(case):
    """A device function that has barriers in it, called more than once; a tile is handed over."""
    r = case.random
    type = r.pick(["unsigned", "unsigned long long", "int"])
    block = r.pick([32, 64, 128])
    tile_p = Array(case.fresh("tile"), type, block, "shared")
    value_p = Value(type, case.fresh("mine"), None)
    value_p.p = value_p.c
    tx_p = scalar(case, "tx")
    h = Kernel(case, [tile_p, value_p, tx_p], "rotated", device=True, result=type)
    first_barrier = not r.chance(15)
    if first_barrier:
        h.barrier()
    h.store(tile_p, tx_p, value_p)
    h.barrier()
    result = h.let(h.load(tile_p, (tx_p * r.pick([1, 3, 5]) + r.between(1, block - 1)) % block), "result")
    if r.chance(50):
        h.barrier()
    h.return_(result)
    h.end()
    y = pointer(case, type, "y")
    k = Kernel(case, [y], "with_helper_kernel", sizes=[block])
    tile = k.shared_array(type, block)
    tx = k.let(k.index("threadIdx.x"), "tx")
    value = k.mutable((tx * 3 + k.index("blockIdx.x")).to(type), "value")

    def use(v):
        return Value(type, f"{h.name}({tile.name}, {v.c}, {tx.c})", f"(yield from {h.name}(M, t, S, {tile.name}, {v.p}, {tx.p}))")
    for _ in range(r.between(1, 3)):
        got = k.let(use(value), "got")
        k.assign(value, combine(r, value, got) if type != "int" else (value & 255) + got)
        if r.chance(30):
            with k.for_(0, 2) as j:
                k.assign(value, use(value & 1023) + j.to(type))
                k.barrier()
        k.barrier()
    k.store(y, k.index("blockIdx.x") * k.size(block) + tx, value)
    k.end()
    case.host()
    blocks = r.between(1, 2)
    b = case.allocate(type, block * blocks, "y")
    case.launch(k, (blocks, 1, 1), (block, 1, 1), [b])
    case.download(b)


def exchange_loop(case):
    """An atomic made of atomicCAS(), or a lock-free maximum and an exchange."""
    r = case.random
    type = r.pick(["unsigned", "int", "unsigned long long"])
    n, block = r.between(10, 200), r.pick([32, 64])
    x, y, size = pointer(case, type, "x", True), pointer(case, type, "y"), scalar(case)
    k = Kernel(case, [x, y, size], "exchange_loop_kernel", sizes=[block])
    i = k.let(k.index("blockIdx.x") * k.size(block) + k.index("threadIdx.x"), "i")
    slots = r.between(1, 4)
    plain = case.site("plain read and write instead of an atomic")

    def body(i):
        value = k.let(k.load(x, i), "value")
        slot = k.let(i % slots, "slot")
        if plain:
            k.change(y, slot, lambda old: old + value)
            return
        old, assumed = case.fresh("old"), case.fresh("assumed")
        first = r.pick([f"{y.name}[{slot.c}]", f"atomicAdd(&{y.name}[{slot.c}], {number(type, 0).c})",
                        f"atomicCAS(&{y.name}[{slot.c}], {number(type, 0).c}, {number(type, 0).c})"][1:])
        t = k.shown_type(type)
        k.text.add(f"{t} {old} = {first}, {assumed};", f"{old} = M.atomic(t, 'add', {y.name}, {slot.p}, 0, @L)")
        new = Value(type, assumed, assumed) + value
        k.text.add("do {", "while True:")
        k.text.add(f"  {assumed} = {old};", f"  {assumed} = {old}")
        k.text.add(f"  {old} = atomicCAS(&{y.name}[{slot.c}], {assumed}, {new.c});",
                   f"  {old} = M.atomic(t, 'cas', {y.name}, {slot.p}, {new.p}, @L, {assumed})")
        k.text.add(f"}} while ({assumed} != {old});", f"  if {assumed} == {old}: break")
    guard(k, i, size, body)
    k.end()
    case.host()
    a, b = input_array(case, type, n), case.allocate(type, slots, "y")
    case.zero(b)
    case.launch(k, (-(-n // block), 1, 1), (block, 1, 1), [a, b, n])
    case.download(b)


def host_sequence(case):
    """Copies, memsets, symbols and a small kernel in a random order, over a few arrays."""
    r = case.random
    n = r.between(2, 100)
    symbol = case.variable(r.pick(["constant", "device"]), "unsigned", r.between(1, 8), 1, 0, 99, written_later=True)
    p, q = pointer(case, "unsigned", "p", True), pointer(case, "unsigned", "q")
    size, amount = scalar(case), Value("unsigned", case.fresh("amount"), None)
    amount.p = amount.c
    k = Kernel(case, [p, q, size, amount], "step_kernel")
    i = k.let(k.index("blockIdx.x") * k.index("blockDim.x") + k.index("threadIdx.x"), "i")
    cast_away = symbol.space == "constant" and case.site("write to constant memory")

    def body(i):
        k.store(q, i, k.load(p, i) * 3 + k.load(symbol, i % symbol.size) + amount)
        if cast_away:
            k.text.add(f"const_cast<unsigned*>(&{symbol.name}[0])[{i.c} % {symbol.size}] = 7u;",
                       f"M.store(t, {symbol.name}, {i.p} % {symbol.size}, 7, @L)")
    guard(k, i, size, body)
    k.end()
    case.host()
    pool = [input_array(case, "unsigned", n)]
    for _ in range(r.between(1, 2)):
        pool.append(case.allocate("unsigned", n))
    written = [True] + [False] * (len(pool) - 1)

    def symbol_copy():
        count = symbol.size
        too_many = case.site("copy of more bytes than there are")
        host = case.fresh("h")
        seed = r.below(1000)
        values = [7 * j + seed for j in range(count)]
        case.text.add(f"const unsigned {host}[{count + 1}] = {{{', '.join(f'{v}u' for v in values)}}};")
        if too_many:
            case.fails("cudaErrorInvalidValue")
        case.text.add(f"check(cudaMemcpyToSymbol({symbol.name}, {host}, {count + int(too_many)} * sizeof(unsigned)));")
        case.steps.append(lambda: symbol.memory.values.__setitem__(slice(0, count), values))
    symbol_copy()
    for _ in range(r.between(2, 6)):
        what = r.below(5)
        a = r.below(len(pool))
        if what == 0:
            case.zero(pool[a], faulty=False, byte=r.pick([0, 1, 255, 37]))
            written[a] = True
        elif what == 1:
            b = (a + 1) % len(pool)
            if a != b and written[a]:
                asynchronous = case.stream and r.chance(50)
                case.text.add(f"check(cudaMemcpy{'Async' if asynchronous else ''}({pool[b].name}, {pool[a].name}, "
                              f"{min(pool[a].elements, pool[b].elements)} * sizeof(unsigned), "
                              f"{r.pick(['cudaMemcpyDeviceToDevice', 'cudaMemcpyDefault'])}"
                              f"{', ' + case.stream if asynchronous else ''}));")

                def step(a=a, b=b):
                    m = min(pool[a].elements, pool[b].elements)
                    pool[b].memory.values[:m] = pool[a].memory.values[:m]
                case.steps.append(step)
                written[b] = True
        elif what == 2:
            symbol_copy()
        else:
            b = (a + 1) % len(pool)
            if a != b and (written[a] or case.site("memory that nobody has written")):
                if pool[a] in case.live and pool[b] in case.live:
                    block = r.pick([32, 64])
                    case.launch(k, (-(-n // block), 1, 1), (block, 1, 1), [pool[a], pool[b], size_of(n),
                                                                        number("unsigned", r.below(50))])
                    written[b] = True
    for a, w in zip(pool, written):
        if w:
            case.download(a)


def structures(case):
    """An array of structures, one handed over as a whole, and parts of a word."""
    r = case.random
    fields = r.pick([3, 4, 5, 2])
    name = case.fresh("item")
    letters = ["a", "b", "c", "d", "e"][:fields]
    style = r.below(2)
    if style:
        case.text.add(f"struct {name} {{\n" + "\n".join(f"unsigned {x};" for x in letters) + "\n};")
    else:
        case.text.add(f"struct {name} {{\n  unsigned {', '.join(letters)};\n  __host__ __device__ unsigned sum() const {{ "
                      f"return {' + '.join(letters)}; }}\n}};")
    parameters = case.fresh("settings")
    case.text.add(f"struct {parameters} {{ unsigned *out; const {name}* in; int n; }};")
    n, block = r.between(1, 120), r.pick([32, 64])
    x, y = Array("in", "unsigned", 0, "global", const=True), Array("out", "unsigned", 0, "global")
    # The kernel gets one structure with the pointers in it; machine.py gets the pointers.
    size = Value("int", "s.n", "n")
    k = Kernel(case, [x, y, Value("int", "n", "n")], "structure_kernel")
    header = k.text.lines[-1] if "(" in k.text.lines[-1] else None
    while "structure_" not in k.text.lines[-1]:
        del k.text.spans[k.text.line() - 1]
        k.text.lines.pop()
    old = k.text.lines.pop()
    del k.text.spans[k.text.line()]
    template = k.template
    k.template, k.template_arguments, k.type_name = None, "", {}
    if template:
        if old.lstrip().startswith("template"):
            old = old[old.index(">") + 2:]
        elif "template" in k.text.lines[-1]:
            del k.text.spans[k.text.line() - 1]
            k.text.lines.pop()
    k.text.indent -= 1
    k.text.add(old[:old.index("(", old.index("structure_"))].strip() + f"({parameters} s) {{")
    k.text.indent += 1
    i = k.let(k.index("blockIdx.x") * k.index("blockDim.x") + k.index("threadIdx.x"), "i")

    def body(i):
        at = i + 1 if case.site("index beside the array") else i
        if r.chance(50):
            local = case.fresh("item")
            k.text.add(f"const {name} {local} = s.in[{at.c}];",
                       f"{local} = tuple(M.load(t, in_, {fields} * ({at.p}) + f, @L) for f in range({fields}))")
            total = Value("unsigned", f"{local}.a * 3u", f"({local}[0] * 3 & 0xffffffff)")
            for f in range(1, fields):
                total = total + Value("unsigned", f"{local}.{letters[f]}", f"{local}[{f}]")
        else:
            f = r.below(fields)
            total = Value("unsigned", f"s.in[{at.c}].{letters[f]}", f"M.load(t, in_, {fields} * ({at.p}) + {f}, @L)") + 1
        k.text.add(f"s.out[{i.c}] = {total.c};", f"M.store(t, out, {i.p}, {total.p}, @L)")
    guard(k, i, size, body)
    k.end()
    k.code = k.code.replace("S, in,", "S, in_,")
    case.host()
    a = input_array(case, "unsigned", n * fields)
    b = case.allocate("unsigned", n, "y")
    s = case.fresh("s")
    a_text, a_kind = a.name, None
    if case.site("pointer of the host"):
        h = case.fresh("h")
        case.text.add(f"std::vector<{name}> {h}({n + 1});")
        a_text, a_kind = f"{h}.data()", "host_pointer"
    case.text.add(f"{parameters} {s};\n{s}.in = reinterpret_cast<const {name}*>({a_text}), {s}.out = {b.name}, {s}.n = {n};")
    grid = -(-n // block)
    case.text.add(f"{k.name}<<<{grid}, {block}>>>({s});")
    case.text.add("check(cudaGetLastError());")
    from machine import View

    def step():
        case.machine.launch(k.compiled(), [View(a.memory, 0, a_kind), View(b.memory), n], (grid, 1, 1), (block, 1, 1),
                            dict, 0)
    case.steps.append(step)
    case.download(b)


def bytes_of_words(case):
    """Bytes that are read and written one by one, and as words."""
    r = case.random
    words, block = r.between(1, 60), r.pick([32, 64])
    x, y, n = pointer(case, "unsigned char", "x", True), pointer(case, "unsigned char", "y"), scalar(case)
    k = Kernel(case, [x, y, n], "bytes_kernel")
    i = k.let(k.index("blockIdx.x") * block + k.index("threadIdx.x"), "i")
    style = r.below(3)

    def word(i, a):
        c = r.pick([f"*reinterpret_cast<const unsigned*>({a.name} + 4 * ({i.c}))", f"((const unsigned*){a.name})[{i.c}]"])
        return Value("unsigned", c, f"int.from_bytes(bytes(M.load_wide(t, {a.name}, 4 * ({i.p}), @L, 4)), 'little')")

    def body(i):
        if style == 0:  # a word in, four bytes out
            w = k.let(word(i, x), "w")
            same = case.site("two threads write one element")
            for b in range(4):
                at = (i // 2 if same else i) * 4 + b
                k.store(y, at, ((w >> 8 * b) + b).to("unsigned char"))
        elif style == 1:  # four bytes in, a word out
            w = k.mutable(number("unsigned", 0), "w")
            for b in range(4):
                k.assign(w, (w << 8) | k.load(x, i * 4 + b).to("unsigned"))
            name = case.fresh("bits")
            k.text.add(f"union {{ unsigned whole; unsigned char part[4]; }} {name};", f"{name} = 0")
            k.text.add(f"{name}.whole = {w.c};", f"{name} = {w.p}")
            k.text.add(f"reinterpret_cast<unsigned*>({y.name})[{i.c}] = {name}.whole + {name}.part[1];",
                       f"M.store_wide(t, {y.name}, 4 * ({i.p}), tuple((({name} + ({name} >> 8 & 255)) & 0xffffffff)"
                       f".to_bytes(4, 'little')), @L)")
        else:  # as the bits of a float and back
            w = k.let(word(i, x), "w")
            f = case.fresh("f")
            k.text.add(f"const float {f} = __int_as_float((int)(({w.c} & 0x007fffffu) | 0x3f800000u));",
                       f"{f} = ({w.p} & 0x007fffff) | 0x3f800000")
            k.text.add(f"reinterpret_cast<unsigned*>({y.name})[{i.c}] = (unsigned)__float_as_int({f}) ^ {w.c};",
                       f"M.store_wide(t, {y.name}, 4 * ({i.p}), tuple(({f} ^ {w.p}).to_bytes(4, 'little')), @L)")
    guard(k, i, n, body)
    k.end()
    case.host()
    a, b = input_array(case, "unsigned char", 4 * words), case.allocate("unsigned char", 4 * words, "y")
    if style != 1:
        a.wide = 4
    if style != 0:
        b.wide = 4
    case.launch(k, (-(-words // block), 1, 1), (block, 1, 1), [a, b, words])
    case.download(b)


def rows(case):
    """Rows of cudaMallocPitch()."""
    r = case.random
    type = r.pick(["float", "unsigned", "unsigned char", "int"])
    work = compute_type(type)
    from language import BYTES
    from machine import Memory
    width, height = r.between(1, 300), r.between(1, 6)
    block = r.pick([32, 64, 128])
    pitch_elements = -(-width * BYTES[type] // 512) * 512 // BYTES[type]
    x, y = pointer(case, type, "x", True), pointer(case, type, "y")
    p, w = scalar(case, "pitch"), scalar(case, "width")
    k = Kernel(case, [x, y, p, w], "rows_kernel", sizes=[block])
    col = k.let(k.index("blockIdx.x") * k.size(block) + k.index("threadIdx.x"), "col")
    row = k.let(k.index("blockIdx.y"), "row")

    def body(col):
        beside = case.site("index beside the row")
        name = case.fresh("line")
        at = col + 1 if beside else col
        const_t = k.shown_type(type)
        k.text.add(f"const {const_t}* {name} = reinterpret_cast<const {const_t}*>(reinterpret_cast<const char*>({x.name}) + "
                   f"{row.c} * {p.c});")
        value = Value(type, f"{name}[{unwrapped(at.c)}]", f"M.load(t, {x.name}, {row.p} * {pitch_elements} + {at.p}, @L)")
        k.store(y, row * w + col, (value.to(work) + number(work, 1)).to(type))
    guard(k, col, w, body)
    k.end()
    case.host()
    name, pitch = case.fresh("x"), case.fresh("pitch")
    case.text.add(f"{type}* {name} = nullptr;\nstd::size_t {pitch} = 0;")
    case.text.add(f"check(cudaMallocPitch(&{name}, &{pitch}, {width} * sizeof({type}), {height}));")
    a = Array(name, type, pitch_elements * height, "global")
    a.memory, a.elements, a.unfreed = Memory(name, type, pitch_elements * height, "global"), pitch_elements * height, False
    case.live.append(a)
    seed = r.below(9999)
    low, high = range_of(type)
    h = case.fresh("h")
    from case import values_of
    values = values_of(type, seed, width * height, low, high)
    case.text.add(f"const std::vector<{type}> {h} = random_values<{type}>({seed}u, {width * height}, {low}, {high});")
    rows_copied = height - 1 if height > 1 and case.site("copy of fewer rows") else height
    case.text.add(f"check(cudaMemcpy2D({name}, {pitch}, {h}.data(), {width} * sizeof({type}), {width} * sizeof({type}), "
                  f"{rows_copied}, cudaMemcpyHostToDevice));")

    def step():
        for row in range(rows_copied):
            a.memory.values[row * pitch_elements:row * pitch_elements + width] = values[row * width:(row + 1) * width]
    case.steps.append(step)
    b = case.allocate(type, width * height, "y")
    case.launch(k, (-(-width // block), height, 1), (block, 1, 1),
                [a, b, Value("int", f"static_cast<int>({pitch})", "0"), width])
    case.download(b)


def carved(case):
    """Two arrays in one piece of dynamic shared memory; lanes that leave early; a table of constants."""
    r = case.random
    block = r.pick([32, 64, 96, 128])
    n = r.between(1, block)
    first_type = r.pick(["unsigned", "unsigned long long"])
    x, y, size = pointer(case, "unsigned", "x", True), pointer(case, "unsigned", "y"), scalar(case)
    k = Kernel(case, [x, y, size], "carved_kernel", sizes=[block])
    raw = case.fresh("raw")
    # One memory for machine.py, of words: `wide` words for each element of the first array, one for those of the second.
    wide = 2 if first_type == "unsigned long long" else 1
    k.text.add(f"extern __shared__ __align__(8) unsigned char {raw}[];", f"{raw} = S['{raw}']")
    first, second = case.fresh("first"), case.fresh("second")
    k.text.add(f"{first_type}* const {first} = reinterpret_cast<{first_type}*>({raw});")
    k.text.add(r.pick([f"unsigned* {second} = reinterpret_cast<unsigned*>({first} + {block});",
                       f"unsigned* {second} = (unsigned*)&{first}[{block}];"]))
    tx = k.let(k.index("threadIdx.x"), "tx")
    big = case.site("too much static shared memory")
    if big:
        name = case.fresh("large")
        line = k.text.add(f"__shared__ unsigned {name}[{r.pick([12289, 20000, 13000])}];")
        k.text.add(f"{name}[threadIdx.x] = threadIdx.x;")
        case.known = {("too_much_shared", line, 0)}
    value = k.let(choose(tx < size, k.load(x, tx), number("unsigned", 0)), "value")
    if wide == 2:
        k.text.add(f"{first}[{tx.c}] = (({first_type}){value.c} << 32) | {tx.c};",
                   f"M.store(t, {raw}, 2 * {tx.p}, {tx.p}, @L); M.store(t, {raw}, 2 * {tx.p} + 1, {value.p}, @L)")
    else:
        k.text.add(f"{first}[{tx.c}] = {value.c};", f"M.store(t, {raw}, {tx.p}, {value.p}, @L)")
    at = tx * r.pick([1, 3, 5, 7]) % block if block % 3 else tx
    k.text.add(f"{second}[{unwrapped(at.c)}] = {value.c} ^ 5u;",
               f"M.store(t, {raw}, {wide * block} + {at.p}, {value.p} ^ 5, @L)")
    k.barrier()
    other = k.let(number("int", block - 1) - tx, "other")
    beyond = case.site("index beside the tile")
    there = other + (1 if beyond else 0)
    second_value = Value("unsigned", f"{second}[{unwrapped(there.c)}]",
                         f"M.load(t, {raw}, {wide * block} + {there.p}, @L)")
    if wide == 2:
        first_value = Value("unsigned", f"(unsigned)({first}[{other.c}] >> 32)",
                            f"M.load_wide(t, {raw}, 2 * {other.p}, @L, 2)[1]")
    else:
        first_value = Value("unsigned", f"{first}[{other.c}]", f"M.load(t, {raw}, {other.p}, @L)")
    sum_ = k.mutable(first_value + second_value, "sum")
    if r.chance(50):  # who has nothing to do leaves, and is not asked
        with k.if_(tx >= size):
            k.return_()
        lane = tx % 32
        source = choose(((tx % 32) < 31).both((tx + 1) < size), lane + 1, lane)
        k.assign(sum_, sum_ + k.shuffle("idx", sum_, k.let(source, "source")))
        k.store(y, tx, sum_)
    else:
        guard(k, tx, size, lambda i: k.store(y, i, sum_))
    k.end()
    case.host()
    a, b = input_array(case, "unsigned", n), case.allocate("unsigned", n, "y")
    case.launch(k, (1, 1, 1), (block, 1, 1), [a, b, n], (raw, (wide + 1) * block, "unsigned"))
    case.download(b)


SHAPES = [carved, quotients, recursion, lanes_apart, lanes_apart, compaction, with_helper, exchange_loop, host_sequence,
          host_sequence, structures, bytes_of_words, rows, warp_reduction, warp_reduction, warp_exchange, vectors, last_block, double_buffer, plane, element_wise, element_wise, stencil, stencil, reduction, reduction, scan, histogram, histogram, transpose,
          phases, phases, phases, product]
