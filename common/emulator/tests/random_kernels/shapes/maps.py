# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Kernels whose threads work alone: maps, stencils, vectors, structures, device functions that they call."""

from case import Kernel, unwrapped
from language import Array, Value, choose, number
from shapes.pieces import (
    combine, compute_type, guard, helper, input_array, pointer, range_of, scalar, size_of, soup)


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
            if a != b and (written[a] or case.site("uninitialized memory")):
                if pool[a] in case.live and pool[b] in case.live:
                    block = r.pick([32, 64])
                    case.launch(k, (-(-n // block), 1, 1), (block, 1, 1), [pool[a], pool[b], size_of(n),
                                                                        number("unsigned", r.below(50))])
                    written[b] = True
    for a, w in zip(pool, written):
        if w:
            case.download(a)
