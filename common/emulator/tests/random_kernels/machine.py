# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""A GPU in Python, as plain as can be: runs what language.py writes, and notes everything that is wrong with it. Races
are found by comparing each access with every other one of the same element since the last barrier."""

import struct

from asynchronous import Asynchronous, join
from language import BITS, BYTES, PACKED, Unsuitable


def fits32(x):
    if not -(1 << 31) <= x < 1 << 31:
        raise Unsuitable("int overflow")
    return x


def fits64(x):
    if not -(1 << 63) <= x < 1 << 63:
        raise Unsuitable("long long overflow")
    return x


def fits16(x):
    return fits32(x)


def fits8(x):
    return fits32(x)


def wrapped(x, bits):
    x = int(x) & (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def exact(x):
    if abs(x) > 1 << 24 or x != int(x):
        raise Unsuitable("a float that is no small integer")
    return x


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b):
    return a - quotient(a, b) * b


FUNCTIONS = {
    "fits32": fits32, "fits64": fits64, "fits16": fits16, "fits8": fits8, "wrapped": wrapped, "exact": exact,
    "quotient": quotient, "remainder": remainder,
    "popcount": lambda x: bin(x & 0xFFFFFFFF).count("1"),
    "leading": lambda x: 32 - (x & 0xFFFFFFFF).bit_length(),
    "first_set": lambda x: ((x & 0xFFFFFFFF) & -(x & 0xFFFFFFFF)).bit_length(),
    "reversed_bits": lambda x: int(f"{x:032b}"[::-1], 2),
    "high_product": lambda a, b: a * b >> 32,
    "minimum": min, "maximum": max, "absolute": abs,
}


class Memory:
    """One array on the device: None is what nobody has written."""

    def __init__(self, name, type, size, space, base=0):
        self.name, self.type, self.size, self.space, self.base = name, type, size, space, base
        self.values = [0] * size if space in ("device", "constant") else [None] * size
        self.freed = False
        self.uses = {}
        self.believed = False  # blocks hand it on by a fence and a ticket

    garbage = 0

    def zero(self):
        return 0.0 if self.type in ("float", "double") else 0

    def unknown(self):
        """What a load gets that must not be made."""
        return float(self.garbage) if self.type in ("float", "double") else self.garbage


class View:
    """A pointer into an array: what a kernel is given. `kind` is what is wrong with it, if anything."""

    def __init__(self, memory, offset=0, kind=None):
        self.memory, self.offset, self.kind = memory, offset, kind


class Thread:
    __slots__ = ("tx", "ty", "tz", "bx", "by", "bz", "number", "block", "lane", "warp", "interval", "epoch", "seen",
                 "state", "machine", "bdx", "bdy", "bdz", "gdx", "gdy", "gdz", "done", "known", "time", "copies", "groups",
                 "group_copies")


class Stopped(Exception):
    """The thread cannot go on."""


class Machine(Asynchronous):
    def __init__(self):
        super().__init__()
        self.faults = set()  # (kind, line, other line or 0)
        self.bad_loads = set()  # those of them that are loads
        self.warp_of_one = False

    def fault(self, kind, line, other=0):
        self.faults.add((kind, line, other))

    # Accesses. `a` is a View or a Memory.

    def place(self, t, a, i, line, writes):
        """`writes`: 0 no, 1 yes, 2 atomically."""
        kind = None
        if isinstance(a, View):
            kind, i, a = a.kind, i + a.offset, a.memory
        if kind is not None:
            # The thread stops there. But a load that does not matter may have been left out by the compiler,
            # and it is the next access that stops it.
            self.fault(kind, line)
            return None, i
        if a.freed or not 0 <= i < a.size:
            self.fault("use_after_free" if a.freed else "out_of_bounds", line)
            self.use(t, a, i, writes, line)  # what lies there is nobody's, and used all the same
            return None, i
        if writes and a.space == "constant":
            self.fault("out_of_bounds", line)
            return None, i
        return a, i

    def load(self, t, a, i, line):
        m, i = self.place(t, a, i, line, 0)
        if m is None:
            self.bad_loads |= {f for f in self.faults if f[1] == line and f[0] != "race"}
            return (a.memory if isinstance(a, View) else a).unknown()
        value = m.values[i]
        if value is None:
            self.fault("uninitialized_read", line)
            self.bad_loads.add(("uninitialized_read", line, 0))
            value = m.unknown()
        self.use(t, m, i, 0, line)
        return value

    def store(self, t, a, i, value, line):
        m, i = self.place(t, a, i, line, 1)
        if m is None:
            return
        m.values[i] = value
        self.use(t, m, i, 1, line)

    def load_wide(self, t, a, i, line, count):
        """`count` elements at once, of which the first is number `i`."""
        self.aligned(a, i, line, count)
        return tuple(self.load(t, a, i + k, line) for k in range(count))

    def store_wide(self, t, a, i, values, line):
        self.aligned(a, i, line, len(values))
        for k, value in enumerate(values):
            self.store(t, a, i + k, value, line)

    def aligned(self, a, i, line, count):
        memory, offset = (a.memory, a.offset) if isinstance(a, View) else (a, 0)
        if (memory.base + (offset + i) * BYTES[memory.type]) % (count * BYTES[memory.type]) != 0:
            self.fault("misaligned", line)

    def atomic(self, t, op, a, i, value, line, compare=None):
        m, i = self.place(t, a, i, line, 2)
        if m is None:
            return (a.memory if isinstance(a, View) else a).zero()
        old = m.values[i]
        if old is None:
            self.fault("uninitialized_read", line)
            old = m.unknown()
        if op == "add":
            new = old + value
        elif op == "sub":
            new = old - value
        elif op == "max":
            new = max(old, value)
        elif op == "min":
            new = min(old, value)
        elif op == "and":
            new = old & value
        elif op == "or":
            new = old | value
        elif op == "xor":
            new = old ^ value
        elif op == "exch":
            new = value
        elif op == "inc":
            new = 0 if old >= value else old + 1
        elif op == "dec":
            new = value if old == 0 or old > value else old - 1
        elif op == "cas":
            new = value if old == compare else old
        if m.type in BITS:
            new &= (1 << BITS[m.type]) - 1
        elif m.type == "int":
            fits32(new)
        elif m.type == "float":
            exact(new)
        m.values[i] = new
        self.use(t, m, i, 2, line)
        return old

    def use(self, t, m, i, kind, line):
        if m.space == "constant":
            return
        self.compare(t, m, i, kind, line)
        self.enter(t, m, i, kind, line)

    def compare(self, t, m, i, kind, line, copies=False):
        """Is there another access that nothing orders with this one, or an asynchronous copy that has not landed?
        `copies`: this is one; for one that all threads of a block make, what they call it."""
        for c, writes in self.under_way.get((m, i), ()):
            if (kind != 0 or writes) and (copies is True or c.of_group != copies):
                self.fault("asynchronous", line, c.line)
        for other_kind in ((1, 2), (0, 1, 2), (0, 1))[kind]:
            for block, interval, thread, warp, epoch, time, copied, other_line in m.uses.get(i, ((), (), ()))[other_kind]:
                if block == t.block:
                    if self.knows(t, thread, interval, warp, epoch, time):
                        continue
                elif m.believed:
                    continue
                if copied and copied is not True and copied == copies:
                    continue
                self.fault("asynchronous" if copies or copied else "race", line, other_line)

    def enter(self, t, m, i, kind, line, copies=False, of_nobody=None):
        """`of_nobody`: a copy that a barrier tracks, as (its number, below 0, and a time)."""
        uses = m.uses.setdefault(i, ([], [], []))
        thread, time = of_nobody or (t.number, t.time)
        mine = (t.block, t.interval, thread, t.warp, t.epoch, time, copies, line)
        if not uses[kind] or uses[kind][-1] != mine:
            uses[kind].append(mine)

    def knows(self, t, thread, interval, warp, epoch, time):
        if t.known.get(thread, 0) >= time:
            return True
        if thread < 0:
            return False
        return thread == t.number or interval != t.interval or warp == t.warp and t.seen[thread % 32] >= epoch

    def behind(self, a):
        """The memory of what a kernel was given, the offset there, and what is wrong with it."""
        return (a.memory, a.offset, a.kind) if isinstance(a, View) else (a, 0, None)

    def stop(self):
        raise Stopped()

    def quotient(self, t, a, b, line):
        if b == 0:
            self.fault("division", line)
            raise Stopped()
        return quotient(a, b)

    # A launch.

    def launch(self, kernel, arguments, grid, block, shared, line):
        """`shared` makes the shared arrays of one block anew, as a dictionary that the kernel gets."""
        for a in arguments:
            if isinstance(a, View) and a.memory is not None:
                a.memory.uses = {}
        for m in self.variables:
            m.uses = {}
        number = 0
        for bz in range(grid[2]):
            for by in range(grid[1]):
                for bx in range(grid[0]):
                    self.run_block(kernel, arguments, grid, block, shared(), (bx, by, bz), number)
                    number += 1

    variables = ()
    copies_landed = 0
    backwards = False  # of the threads that can go on the last one first

    def run_block(self, kernel, arguments, grid, block, shared, index, number):
        threads = []
        n = 0
        for tz in range(block[2]):
            for ty in range(block[1]):
                for tx in range(block[0]):
                    t = Thread()
                    t.tx, t.ty, t.tz = tx, ty, tz
                    t.bx, t.by, t.bz = index
                    t.bdx, t.bdy, t.bdz = block
                    t.gdx, t.gdy, t.gdz = grid
                    t.number, t.block, t.lane, t.warp = n, number, n % 32, n // 32
                    t.interval, t.epoch, t.seen, t.machine = 0, 1, [0] * 32, self
                    t.known, t.time, t.copies, t.groups, t.group_copies = {}, 1, [], 0, 0
                    t.done = False
                    threads.append((t, kernel(self, t, shared, *arguments)))
                    n += 1
        waiting = [None] * n
        ready = {i: None for i in range(n)}  # thread -> what it is sent
        alive = n
        while True:
            for i, sent in sorted(ready.items(), reverse=self.backwards):
                t, generator = threads[i]
                try:
                    waiting[i] = generator.send(sent)
                except (StopIteration, Stopped):
                    t.done, waiting[i] = True, None
                    alive -= 1
            if alive == 0:
                break
            ready = {i: None for i in range(n) if waiting[i] is not None and waiting[i][0] == "wait" and
                     not waiting[i][2]()}
            for begin in range(0, n, 32):
                self.meet(threads, waiting, range(begin, min(begin + 32, n)), ready)
            if ready:
                continue
            at_barrier = [i for i in range(n) if waiting[i] is not None and waiting[i][0] == "barrier"]
            if len(at_barrier) != alive:
                never = {w[1] for w in waiting if w is not None and w[0] == "wait"}
                if not never:
                    raise Unsuitable("deadlock")
                for line in never:
                    self.fault("never_completed", line)
                break
            lines = sorted({waiting[i][1] for i in at_barrier})
            if len(lines) > 1 or alive != n:
                for line in lines:
                    self.fault("divergent_barrier", line)
            known = {}
            for i in at_barrier:
                threads[i][0].interval += 1
                join(known, threads[i][0].known)
            for i in at_barrier:
                threads[i][0].known = dict(known)
            votes = [waiting[i][2] for i in at_barrier]
            results = {None: None, "count": sum(map(bool, votes)), "and": all(votes), "or": any(votes)}
            ready = {i: results[waiting[i][3]] for i in at_barrier}
        self.under_way = {}

    def meet(self, threads, waiting, warp, ready):
        """Lanes of a warp whose masks are complete go on."""
        groups = {}
        for i in warp:
            w = waiting[i]
            if w is not None and w[0] not in ("barrier", "wait"):
                groups.setdefault((w[0], w[2]), []).append(i)
        for (what, mask), lanes in groups.items():
            here = 0
            for i in lanes:
                here |= 1 << i % 32
            wanted = 0
            for i in warp:
                if mask >> i % 32 & 1 and not threads[i][0].done:
                    wanted |= 1 << i % 32
            if here & wanted != wanted:
                continue
            first = warp[0]
            if what == "syncwarp":
                latest = [max(threads[i][0].seen[k] for i in lanes) for k in range(32)]
                for i in lanes:
                    latest[i % 32] = threads[i][0].epoch
                for i in lanes:
                    threads[i][0].seen = list(latest)
                    threads[i][0].epoch += 1
                    ready[i] = None
            elif what == "shuffle":
                for i in lanes:
                    source = self.source_lane(i % 32, *waiting[i][4:])
                    if source is None:
                        source = i % 32
                    if not here >> source & 1:
                        self.fault("absent_lane", waiting[i][1])
                        ready[i] = 0
                    else:
                        ready[i] = waiting[first + source][3]
            else:
                votes = {i: waiting[i][3] for i in lanes}
                ballot = sum(1 << i % 32 for i in lanes if votes[i])
                for i in lanes:
                    ready[i] = {
                        "any": lambda: ballot != 0, "all": lambda: ballot == here, "ballot": lambda: ballot,
                        "match": lambda: sum(1 << k % 32 for k in lanes if votes[k] == votes[i]),
                        "add": lambda: sum(votes.values()) & 0xFFFFFFFF, "max": lambda: max(votes.values()),
                        "min": lambda: min(votes.values()), "or": lambda: self.fold_or(votes.values()),
                        "and": lambda: self.fold_and(votes.values()),
                        "xor": lambda: self.fold_xor(votes.values()),
                    }[what]()

    @staticmethod
    def fold_or(values):
        result = 0
        for v in values:
            result |= v
        return result

    @staticmethod
    def fold_and(values):
        result = 0xFFFFFFFF
        for v in values:
            result &= v
        return result

    @staticmethod
    def fold_xor(values):
        result = 0
        for v in values:
            result ^= v
        return result

    @staticmethod
    def source_lane(lane, mode, operand, width):
        begin = lane // width * width
        if mode == "idx":
            return begin + operand % width
        if mode == "up":
            return lane - operand if lane - operand >= begin else None
        if mode == "down":
            return lane + operand if lane + operand < begin + width else None
        if mode == "xor":
            # Lanes of an earlier group may be asked, those of a later one may not.
            source = lane ^ operand
            return source if source < begin + width else None
        raise AssertionError(mode)


def digest(data, value=0xCBF29CE484222325):
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def packed(type, values):
    return struct.pack(f"<{len(values)}{PACKED[type]}", *values)
