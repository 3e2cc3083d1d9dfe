# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What machine.py knows of asynchronous copies to shared memory and of barriers that are objects there.

A copy may read its source and write its target at any moment from its call until it lands. So every access that meets
it in between is a mistake; so is one before the call that nothing orders before it, and one after the landing by a
thread that does not know of it. What a barrier tracks lands when its phase completes, and only those know of it that
wait for that phase."""


class Copy:
    def __init__(self, t, to, i, from_, j, count, zeros, line):
        self.thread, self.block, self.line, self.of_group = t.number, t.block, line, None
        self.to, self.i, self.from_, self.j, self.count, self.zeros = to, i, from_, j, count, zeros
        self.group = None

    def elements(self):
        """(memory, index, 0 for a read or 1 for a write)"""
        for k in range(self.count):
            if k < self.count - self.zeros:
                yield self.from_, self.j + k, 0
            yield self.to, self.i + k, 1


class SharedBarrier:
    def __init__(self):
        self.expected = self.missing = self.phase = 0
        self.initialized = None  # (thread, interval, time)
        self.copies, self.collecting, self.completed = [], {}, {}
        self.arrivals, self.earlier = [], []  # (thread, interval, time) of this phase, and of the one before


def join(known, other):
    for thread, time in other.items():
        known[thread] = max(known.get(thread, 0), time)


class Asynchronous:
    """The part of Machine about them."""

    def __init__(self):
        self.under_way = {}  # (memory, index) -> copies that use it
        self.of_groups = set()

    # Copies. Those of a thread are in `t.copies` until they land or a barrier tracks them.

    def copy(self, t, to, i, from_, j, count, line, zeros=0, of_group=True):
        memory, offset, kind = self.behind(from_)
        if kind:
            self.fault(kind, line)
            return
        if count > zeros:
            self.aligned(from_, j, line, count)
        c = Copy(t, to, i, memory, j + offset, count, zeros, line)
        for m, at, writes in c.elements():
            if m.freed or not 0 <= at < m.size:
                self.fault("use_after_free" if m.freed else "out_of_bounds", line)
                return
            if not writes and m.values[at] is None:
                self.fault("uninitialized_read", line)
            self.compare(t, m, at, writes, line, of_group)
            self.enter(t, m, at, writes, line, of_group)
        c.of_group = of_group
        for m, at, writes in c.elements():
            self.under_way.setdefault((m, at), []).append((c, writes))
        t.copies.append(c)

    def copy_of_group(self, t, to, i, from_, j, count, line):
        """All threads of the block call it, and which of them copies what is left open."""
        t.group_copies += 1
        key = t.block, t.group_copies
        if key in self.of_groups:
            memory, offset, kind = self.behind(from_)
            for m, at, writes in Copy(t, to, i, memory, j + offset, count, 0, line).elements() if not kind else ():
                if 0 <= at < m.size:
                    self.compare(t, m, at, writes, line, key)
        else:
            self.of_groups.add(key)
            self.copy(t, to, i, from_, j, count, line, of_group=key)

    def commit(self, t):
        t.groups += 1
        for c in t.copies:
            if c.group is None:
                c.group = t.groups

    def wait_copies(self, t, left):
        """Until all groups but the last `left` have landed."""
        now = [c for c in t.copies if c.group is not None and c.group <= t.groups - left]
        t.copies = [c for c in t.copies if c not in now]
        for c in now:
            self.land(c)
            for m, at, writes in c.elements():
                self.enter(t, m, at, writes, c.line, c.of_group)

    def land(self, c):
        for k in range(c.count):
            c.to.values[c.i + k] = c.from_.values[c.j + k] if k < c.count - c.zeros else c.to.zero()
        for m, at, writes in c.elements():
            self.under_way[m, at].remove((c, writes))

    # Barriers.

    def barrier_init(self, t, b, count):
        b.expected = b.missing = count
        b.arrivals, b.earlier = [], []
        b.initialized = t.number, t.interval, t.time

    def may_use(self, t, b, line):
        if b.initialized is None or not self.knows(t, b.initialized[0], b.initialized[1], None, 0, b.initialized[2]):
            self.fault("early_barrier", line)
            self.stop()

    def barrier_arrive(self, t, b, line, count=1, of_pipeline=False):
        """Returns the phase: what wait() is given."""
        self.may_use(t, b, line)
        # One that nothing orders behind all of the phase before could be of that phase, too.
        ordered = of_pipeline or all(self.knows(t, thread, interval, None, 0, time)
                                     for thread, interval, time in b.earlier)
        if count > b.missing or not ordered:
            self.fault("too_many_arrivals", line)
            self.stop()
        b.arrivals.append((t.number, t.interval, t.time))
        join(b.collecting, t.known)
        join(b.collecting, {t.number: t.time})
        t.time += 1
        b.missing -= count
        phase = b.phase
        if b.missing == 0:
            for c in b.copies:
                self.land(c)
                self.copies_landed += 1  # each is known by itself: who knows of one need not know of those before
                join(b.collecting, {-self.copies_landed: 1})
                for m, at, writes in c.elements():
                    self.enter(t, m, at, writes, c.line, True, of_nobody=(-self.copies_landed, 1))
            b.completed, b.collecting, b.copies = b.collecting, {}, []
            b.earlier, b.arrivals = b.arrivals, []
            b.phase, b.missing = b.phase + 1, b.expected
        return phase

    def track(self, t, b, line):
        """All that this thread has asked for lands with the phase of this barrier."""
        self.may_use(t, b, line)
        b.copies += t.copies
        t.copies = []

    def wait(self, t, b, line, phase=None, parity=None):
        self.may_use(t, b, line)
        runs = (lambda: phase >= b.phase) if parity is None else (lambda: b.phase % 2 == parity)
        if runs():
            yield ("wait", line, runs)
        join(t.known, b.completed)

    # Pipelines of a block: `state` is a list of barriers, two for each stage. One of a thread is its groups.

    def make_pipeline(self, t, state, producers, consumers, line):
        if t.number == 0:
            for i, b in enumerate(state):
                self.barrier_init(t, b, (producers, consumers)[i % 2])
        yield ("barrier", line, None, None)
        return [state, 0, 0]  # what this thread fills next and uses next

    def producer_acquire(self, t, pipe, line):
        state, fill, _ = pipe
        stages = len(state) // 2
        yield from self.wait(t, state[fill % stages * 2 + 1], line, parity=1 - fill // stages % 2)

    def producer_commit(self, t, pipe, line):
        b = pipe[0][pipe[1] % (len(pipe[0]) // 2) * 2]
        self.track(t, b, line)
        self.barrier_arrive(t, b, line, of_pipeline=True)
        pipe[1] += 1

    def consumer_wait(self, t, pipe, line):
        state, _, use = pipe
        stages = len(state) // 2
        yield from self.wait(t, state[use % stages * 2], line, parity=use // stages % 2)

    def consumer_release(self, t, pipe, line):
        self.barrier_arrive(t, pipe[0][pipe[2] % (len(pipe[0]) // 2) * 2 + 1], line, of_pipeline=True)
        pipe[2] += 1
