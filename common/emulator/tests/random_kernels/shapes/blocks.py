# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Kernels whose blocks work together: through shared memory and barriers, or from block to block by tickets."""

from math import gcd

from case import Kernel, unwrapped
from language import Array, Value, choose, number
from shapes.pieces import WRAPPING, combine, guard, input_array, pointer, scalar


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


def carved(case):
    """Two arrays in one piece of dynamic shared memory; lanes that leave early; a table of constants."""
    r = case.random
    block = r.pick([32, 64, 96, 128])
    n = r.between(1, block)
    first_type = r.pick(["unsigned", "unsigned long long"])
    x, y, size = pointer(case, "unsigned", "x", True), pointer(case, "unsigned", "y"), scalar(case)
    k = Kernel(case, [x, y, size], "carved_kernel", sizes=[block])
    raw = case.fresh("raw")
    # One memory for machine.py, of words: `wide` words for each element of the first array, one for those of
    # the second.
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
