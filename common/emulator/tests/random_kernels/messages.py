# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Random programs for two to four devices: kernels that use memory of their own device or, through peer access, of
another one; copies between devices; events that streams of other devices wait for; messages, sums and broadcasts of
NCCL, whose calls one thread makes in groups.

What is ordered is found out as in streams.py. What a rank receives comes after all that its senders' streams were given
before; what it sends may be read as soon as its own stream has come to it, and it need not wait for its receiver."""

from language import Random, Unsuitable
from streams import Buffer, MASK, Order, Statement, StreamProgram

KERNELS = r"""
// Of the programs for several devices.
static void on(int device) { check(cudaSetDevice(device)); }
static void check(ncclResult_t result) {
  if (result != ncclSuccess) throw failed_call(cudaErrorUnknown);
}
"""


class Call:
    """Of one rank in a group. `x` is what it brings and `y` what it gets, each as (buffer, first element)."""

    def __init__(self, what, rank, stream, count, x=None, y=None, peer=None):
        self.what, self.rank, self.stream, self.count, self.x, self.y, self.peer = what, rank, stream, count, x, y, peer

    def but(self, **changes):
        c = Call(self.what, self.rank, self.stream, self.count, self.x, self.y, self.peer)
        for name, value in changes.items():
            setattr(c, name, value)
        return c

    def c(self):
        place = lambda p: f"{p[0].name} + {p[1]}"
        last = f"comm[{self.rank}], {self.stream}"
        if self.what == "send":
            return f"check(ncclSend({place(self.x)}, {self.count}, ncclUint32, {self.peer}, {last}));"
        if self.what == "recv":
            return f"check(ncclRecv({place(self.y)}, {self.count}, ncclUint32, {self.peer}, {last}));"
        if self.what == "sum":
            return f"check(ncclAllReduce({place(self.x)}, {place(self.y)}, {self.count}, ncclUint32, ncclSum, {last}));"
        return f"check(ncclBroadcast({place(self.x)}, {place(self.y)}, {self.count}, ncclUint32, {self.peer}, {last}));"

    def accesses(self):
        reads = self.what in ("send", "sum") or self.what == "broadcast" and self.rank == self.peer
        return ([(*self.x, self.x[1] + self.count, "r")] if reads else []) + \
            ([(*self.y, self.y[1] + self.count, "w")] if self.y else [])


class Group(Statement):
    """Calls of several ranks. `members`: operations in their streams, and the streams after which they come."""

    def __init__(self, calls, grouped=True):
        text = " ".join(c.c() for c in calls)
        super().__init__("group", f"check(ncclGroupStart()); {text} check(ncclGroupEnd());" if grouped else text)
        self.calls, self.grouped = calls, grouped
        self.effect = self.bring
        self.make_members()

    def make_members(self):
        """What a rank brings is read when its own stream comes to the group; what it gets needs the others."""
        stream_of = {c.rank: c.stream for c in self.calls}
        self.members = []
        for stream in sorted(set(stream_of.values())):
            calls = [c for c in self.calls if c.stream == stream]
            from_ = set()
            for c in calls:
                if c.what != "send":
                    from_ |= set(stream_of) if c.what == "sum" else {c.peer}
            for kind, after in (("r", ()), ("w", [stream_of[rank] for rank in sorted(from_) if rank in stream_of])):
                accesses = tuple(a for c in calls for a in c.accesses() if a[3] == kind)
                self.members.append(Statement("operation", "", stream, accesses=accesses))
                self.members[-1].after = after

    def bring(self, m, came):
        brought = {(c.rank, c.peer): m[c.x[0].name][c.x[1]:c.x[1] + c.count] for c in self.calls if c.x}
        total = [sum(each) & MASK for each in zip(*brought.values())]
        for c in self.calls:
            if c.y:
                m[c.y[0].name][c.y[1]:c.y[1] + c.count] = (
                    total if c.what == "sum" else brought[c.peer, c.rank] if c.what == "recv" else brought[c.peer, c.peer])


class OrderOfDevices(Order):
    def __init__(self, device_of):
        super().__init__(set())
        self.device_of = device_of

    def starts(self, group):
        return [sum_of(self.start(stream) for stream in [each.stream, *each.after]) for each in group.members]

    def apply(self, s, found=None):
        if s.what == "group":
            starts = self.starts(s)
            for each, before in zip(s.members, starts):
                each.group = s
                if found is not None:
                    found.extend((s, self.operations[n]) for n in self.unordered(each, before))
            for each, before in zip(s.members, starts):
                self.done[each.stream] = self.done.get(each.stream, 0) | self.add(each, before)
        elif s.what == "sync":
            self.host |= sum_of(done for stream, done in self.done.items() if self.device_of[stream] == s.device)
        else:
            super().apply(s, found)


def sum_of(masks):
    result = 0
    for mask in masks:
        result |= mask
    return result


class MessageProgram(StreamProgram):
    def draw(self):
        r = self.random
        self.kernel_names = ["mix_kernel", "set_kernel", "count_kernel"]
        self.size = r.pick([40, 300, 1030])
        self.devices = r.between(2, 4)
        self.streams, self.device_of, self.events, self.buffers = [], {}, [], []
        self.blocking = set()
        self.event_device = {}
        for d in range(self.devices):
            for _ in range(r.between(1, 2)):
                self.streams.append(self.fresh("stream"))
                self.device_of[self.streams[-1]] = d
            for _ in range(r.between(1, 2)):
                self.buffers.append(Buffer(self.fresh("d"), "device", self.size))
                self.buffers[-1].device = d
        for _ in range(r.below(2)):
            self.buffers.append(Buffer(self.fresh("p"), "pinned", self.size))
            self.buffers[-1].device = None
        self.fixed = list(self.buffers)
        self.order = self.new_order(None)
        for _ in range(r.between(5, 14)):
            kind = r.below(100)
            if kind < 30:
                self.add_group(self.group())
            elif kind < 38 and self.buffers[-1].of_host():
                self.host_access()
            else:
                self.add(self.operation(r.pick(self.streams)))

    def new_order(self, blocking):
        return OrderOfDevices(self.device_of)

    def event_for(self, stream):
        mine = [e for e in self.events if self.event_device[e] == self.device_of[stream]]
        return self.random.pick(mine) if mine and self.random.chance(60) else self.new_event(stream)

    def new_event(self, stream):
        event = super().new_event(stream)
        self.event_device[event] = self.device_of[stream]
        return event

    def sync(self, stream):
        s = Statement("sync", "check(cudaDeviceSynchronize());")
        s.device = self.device_of[stream]
        return s

    # Operations.

    def kinds(self, stream, y, in_graph):
        """Atomic functions of several devices order what they do: they stay at home."""
        own = y.device == self.device_of[stream]
        return (["mix"] * 4 + ["set", "copy", "copy", "copy", "rows", "bring", "fetch"] + (["count", "fill"] if own else []) +
                (["host function"] if y.of_host() else []))

    def copy_call(self, y, target, x, source, count, plain):
        if y.device is None or x.device is None or self.random.chance(30):
            return super().copy_call(y, target, x, source, count, False)
        return f"check(cudaMemcpyPeerAsync({target}, {y.device}, {source}, {x.device}, {4 * count}, @S));"

    def group(self):
        r = self.random
        ranks = list(range(self.devices))
        count = r.between(1, self.size)
        stream = [r.pick([s for s in self.streams if self.device_of[s] == d]) for d in ranks]

        def place(d, other_than=None):
            b = r.pick([b for b in self.buffers if b.device == d and b is not other_than])
            return b, r.below(b.size - count + 1)

        def message(a, b):
            return [Call("send", a, stream[a], count, x=place(a), peer=b), Call("recv", b, stream[b], count, y=place(b), peer=a)]
        kind = r.pick(["pair", "pair", "exchange", "ring", "sum", "sum", "broadcast"])
        a = r.below(self.devices)
        b = (a + r.between(1, self.devices - 1)) % self.devices
        if kind == "pair":
            calls = message(a, b)
        elif kind == "exchange":
            calls = message(a, b) + message(b, a)
        elif kind == "ring":
            calls = [c for d in ranks for c in message(d, (d + 1) % self.devices)]
        else:
            calls = []
            for d in ranks:
                x = place(d)
                others = [b for b in self.buffers if b.device == d and b is not x[0]]
                y = x if not others or r.chance(40) else place(d, x[0])
                calls.append(Call(kind, d, stream[d], count, x, y, a if kind == "broadcast" else d))
        # Of one group nothing is in any order.
        for i, c in enumerate(calls):
            for other in calls[:i]:
                if c.rank == other.rank and any(p[0] is q[0] and abs(p[1] - q[1]) < count for p in (c.x, c.y)
                                                for q in (other.x, other.y) if p and q):
                    raise Unsuitable("buffers that overlap")
        return Group(r.pick([calls, calls[::-1]]))

    def add_group(self, g):
        while True:
            missing = [(self.order.operations[n], each.stream) for each, before in zip(g.members, self.order.starts(g))
                       for n in self.order.unordered(each, before)[-1:]]
            if not missing:
                break
            for each in self.waits_for(*missing[0]):
                self.put(each)
        self.put(g)

    # Mistakes.

    def peers(self, statements):
        """(device, device whose memory its kernels use)"""
        return sorted({(self.device_of[s.stream], a[0].device) for s in statements if "<<<" in s.text
                       for a in s.accesses if a[0].device not in (None, self.device_of[s.stream])})

    def on_same(self, stream):
        return [s for s in self.streams if s != stream and self.device_of[s] == self.device_of[stream]]

    def mistakes(self):
        found = []
        for n, s in enumerate(self.statements):
            if s.what == "group":
                found += [(kind, n * 100 + i) for i, c in enumerate(s.calls) for kind in
                          (["a message of another length"] +
                           (["a message to the wrong rank"] if c.what in ("send", "recv") and self.devices > 2 else []) +
                           (["an operation in the wrong stream"] if self.on_same(c.stream) else []))]
                found.append(("calls that are in no group", n * 100))
            elif s.what in ("wait", "sync stream", "sync event", "sync"):
                found.append(("a missing wait", n * 100))
            if s.what in ("wait", "record", "sync stream"):
                found.append(("a wait of the wrong stream", n * 100))
            if s.what == "record":
                found.append(("an event recorded too early", n * 100))
            if s.what == "operation" and self.on_same(s.stream):
                found.append(("an operation in the wrong stream", n * 100))
        return found + [("peer access that is not enabled", i) for i in range(len(self.peers(self.statements)))]

    def changed(self, kind, n):
        if kind == "peer access that is not enabled":
            self.forgotten = self.peers(self.statements)[n]
            return self.statements, self.blocking
        n, i = divmod(n, 100)
        r, statements = Random(n + 7), list(self.statements)
        s = statements[n]
        if s.what == "group":
            calls = list(s.calls)
            c = calls[i]
            if kind == "a message of another length":
                most = min(p[0].size - p[1] for p in (c.x, c.y) if p)
                if c.count == 1 and most == 1:
                    raise Unsuitable("no other length")
                calls[i] = c.but(count=c.count - 1 if c.count > 1 and (most == c.count or r.chance(50)) else c.count + 1)
                self.wrong_group = n
            elif kind == "a message to the wrong rank":
                calls[i] = c.but(peer=r.pick([d for d in range(self.devices) if d not in (c.rank, c.peer)]))
                self.wrong_group = n
            elif kind == "calls that are in no group":
                self.wrong_group = n
            else:
                stream = r.pick(self.on_same(c.stream))
                calls = [each.but(stream=stream) if each.rank == c.rank else each for each in calls]
            statements[n] = Group(calls, kind != "calls that are in no group")
            return statements, self.blocking
        if kind in ("a wait of the wrong stream", "an operation in the wrong stream"):
            others = self.on_same(s.stream)
            if s.what in ("wait", "sync stream"):
                others = [each for each in self.streams if each != s.stream]
            if not others:
                raise Unsuitable("there is one stream")
            statements[n] = s.with_stream(r.pick(others))
            return statements, self.blocking
        return super().changed(kind, n)

    forgotten = wrong_group = None

    def unordered_pairs(self, statements, blocking):
        return [(a, b.group or b) for a, b in super().unordered_pairs(statements, blocking)]

    def find_faults(self, statements):
        """What is wrong beyond the order."""
        if self.forgotten:
            return {("other_device", 0, 0)}  # in a kernel at the head of the file
        if self.wrong_group is not None:
            return {("message", s.line, 0) for s in statements if s.what == "group"}
        return set()

    # The text.

    def write(self, statements, blocking):
        t, r = self.text, Random(len(statements))
        t.add(f"namespace {self.name} {{")
        t.add("void run() {")
        t.indent += 1
        for b in self.fixed:
            t.add(f"unsigned* {b.name} = nullptr;")
            t.add(f"on({b.device or 0}); check({'cudaMalloc' if b.kind == 'device' else 'cudaMallocHost'}"
                  f"(&{b.name}, {4 * b.size}));")
            t.add(f"{{ const auto values = random_values<unsigned>({self.seed_of(b)}u, {b.size}, 0, 255); "
                  f"check(cudaMemcpy({b.name}, values.data(), {4 * b.size}, cudaMemcpyDefault)); }}")
        for name, values in self.ranges:
            t.add(f"host_range {name} = {values};")
        for s in self.streams:
            t.add(f"cudaStream_t {s};")
            t.add(f"on({self.device_of[s]}); check(" +
                  r.pick([f"cudaStreamCreate(&{s}));", f"cudaStreamCreateWithFlags(&{s}, cudaStreamNonBlocking));"]))
        used = sorted({s.event for s in statements if s.event})
        for e in used:
            t.add(f"cudaEvent_t {e};")
            t.add(f"on({self.event_device[e]}); check(cudaEventCreateWithFlags(&{e}, cudaEventDisableTiming));")
        peers = [p for p in self.peers(statements) if p != self.forgotten]
        for d, other in peers:
            t.add(f"on({d}); check(cudaDeviceEnablePeerAccess({other}, 0));")
        with_nccl = any(s.what == "group" for s in self.statements)
        if with_nccl:
            t.add(f"ncclComm_t comm[{self.devices}];")
            t.add(f"check(ncclCommInitAll(comm, {self.devices}, nullptr));")
        for d in range(self.devices):
            t.add(f"on({d}); check(cudaDeviceSynchronize());")
        for s in statements:
            device = getattr(s, "device", None) if s.what == "sync" else self.device_of.get(s.stream)
            needed = s.what in ("sync", "record") or "<<<" in s.text
            if device is not None and (needed or r.chance(50)):
                s.line = t.add(f"on({device}); {s.c()}")
            else:
                s.line = t.add(s.c())
        for d in range(self.devices):
            t.add(f"on({d}); check(cudaDeviceSynchronize());")
        for b in self.fixed:
            t.add(f"std::vector<unsigned> last_{b.name}({b.size});")
            t.add(f"check(cudaMemcpy(last_{b.name}.data(), {b.name}, {4 * b.size}, cudaMemcpyDefault));")
            t.add(f"came(\"{b.name}\", last_{b.name});")
            t.add(f"check({'cudaFree' if b.kind == 'device' else 'cudaFreeHost'}({b.name}));")
        if with_nccl:
            t.add("for (ncclComm_t each : comm) check(ncclCommDestroy(each));")
        for d, other in peers:
            t.add(f"on({d}); check(cudaDeviceDisablePeerAccess({other}));")
        for s in self.streams:
            t.add(f"check(cudaStreamDestroy({s}));")
        for e in used:
            t.add(f"check(cudaEventDestroy({e}));")
        t.add("on(0);")
        t.indent -= 1
        t.add("}")
        t.add(f"}}  // namespace {self.name}")
