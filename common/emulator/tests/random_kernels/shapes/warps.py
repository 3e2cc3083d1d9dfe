# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Kernels whose warps work together: shuffles, votes, lanes that go apart."""

from case import Kernel
from language import Value, call, choose, number
from shapes.pieces import WRAPPING, combine, guard, input_array, pointer, scalar


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
        wrong = case.site("shuffle inside an if")
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
