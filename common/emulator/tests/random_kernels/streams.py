# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Random programs with streams, events, copies, memory of both sides, stream-ordered memory and graphs.

A program is written so that every two operations on the same bytes, one of them writing, are ordered; where something
is missing, a wait is put in. A mistake is planted by changing one statement. What is ordered is found out by CUDA's
rules, with the set of all operations that come before each one: two that meet and of which neither is in the other's
set are what the device must find. Without such, the program must run silently and bring what comes of doing one
statement after the other."""

from language import Random, Text, Unsuitable
from case import mixed
from machine import digest, packed

MASK = 0xFFFFFFFF
LEGACY = "nullptr"

KERNELS = r"""
// Of the programs with streams.
__global__ void mix_kernel(unsigned* y, const unsigned* x, int count, unsigned c) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = y[i] * 3u + x[i] + c;
}
__global__ void set_kernel(unsigned* y, int count, unsigned c) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = c + static_cast<unsigned>(i);
}
__global__ void count_kernel(unsigned* y, int count, unsigned c) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 2 * count) atomicAdd(y + i % count, c);
}
struct host_range {
  unsigned* begin;
  int count;
  unsigned c;
};
static void add_to_range(void* data) {
  const host_range& range = *static_cast<host_range*>(data);
  for (int i = 0; i < range.count; ++i) range.begin[i] += range.c;
}
static void wait_for(cudaError_t (*query)(cudaStream_t), cudaStream_t stream) {
  cudaError_t error = cudaErrorNotReady;
  while ((error = query(stream)) == cudaErrorNotReady) continue;
  check(error);
  cudaGetLastError();
}
static void wait_for(cudaError_t (*query)(cudaEvent_t), cudaEvent_t event) {
  cudaError_t error = cudaErrorNotReady;
  while ((error = query(event)) == cudaErrorNotReady) continue;
  check(error);
  cudaGetLastError();
}
"""


class Buffer:
    """`kind`: device, pool (in the order of a stream), pinned, registered, managed."""

    def __init__(self, name, kind, size):
        self.name, self.kind, self.size = name, kind, size

    def of_host(self):
        return self.kind in ("pinned", "registered", "managed")


class Statement:
    """What the program does in one line. `stream` is what it is given to; `event` what it records or waits for."""

    def __init__(self, what, text, stream=None, event=None, accesses=(), effect=None, waits=False, inner=(), graph=None):
        self.what, self.text, self.stream, self.event = what, text, stream, event
        self.accesses = accesses  # (buffer, first element, one past the last, "r", "w" or "a")
        self.effect, self.waits, self.inner, self.graph = effect, waits, inner, graph
        self.line = 0
        self.group = None  # of several ranks: what this is a part of

    def with_stream(self, stream):
        return Statement(self.what, self.text, stream, self.event, self.accesses, self.effect, self.waits, self.inner,
                         self.graph)

    def c(self):
        return self.text.replace("@S", self.stream or "").replace("@E", self.event or "")


def meet(a, b):
    """Do two operations meet in a way that needs an order?"""
    for buffer, begin, end, kind in a.accesses:
        for other, from_, to, as_ in b.accesses:
            if buffer is other and begin < to and from_ < end and (kind != as_ or kind == "w"):
                return True
    return False


class Order:
    """CUDA's rules. An operation is a bit; `before[n]` are all that come before operation n."""

    def __init__(self, blocking):
        self.blocking = blocking  # streams that wait for the default stream
        self.done = {}  # stream: what has finished when all that it was given has
        self.events = {}
        self.host = 0
        self.graphs = {}  # name: (statement, what the last launch of it ends with)
        self.operations, self.before = [], []

    def start(self, stream):
        mask = self.done.get(stream, 0) | self.host
        if stream == LEGACY:
            for each in self.blocking:
                mask |= self.done.get(each, 0)
        elif stream in self.blocking:
            mask |= self.done.get(LEGACY, 0)
        return mask

    def start_of(self, operation):
        """An allocation in the default stream does not wait for the other streams, though they wait for it."""
        if operation.stream == LEGACY and "cudaMallocAsync" in operation.text:
            return self.done.get(LEGACY, 0) | self.host
        return self.start(operation.stream)

    def add(self, operation, before):
        self.operations.append(operation)
        self.before.append(before)
        return before | 1 << len(self.operations) - 1

    def unordered(self, operation, before):
        """Operations that were given before it, that it meets, and that do not come before it."""
        return [n for n, other in enumerate(self.operations)
                if not before >> n & 1 and meet(operation, other)]

    def apply(self, s, found=None):
        """`found`: gets the pairs of operations that nothing orders."""
        def enter(operation, before):
            if found is not None:
                found.extend((operation, self.operations[n]) for n in self.unordered(operation, before))
            return self.add(operation, before)

        if s.what == "operation":
            self.done[s.stream] = enter(s, self.start_of(s))
            if s.waits:
                self.host |= self.done[s.stream]
        elif s.what == "host":
            self.host |= enter(s, self.host)
        elif s.what == "record":
            self.events[s.event] = self.start(s.stream)
            if s.stream == LEGACY:  # work like any other: the blocking streams come after it
                self.done[LEGACY] = self.events[s.event]
        elif s.what == "wait":
            if s.stream == LEGACY and s.event in self.events:
                self.done[LEGACY] = self.start(LEGACY)
            self.done[s.stream] = self.done.get(s.stream, 0) | self.events.get(s.event, 0)
        elif s.what == "sync stream":
            self.host |= self.start(s.stream)
        elif s.what == "sync event":
            self.host |= self.events.get(s.event, 0)
        elif s.what == "sync":
            self.host |= (1 << len(self.operations)) - 1
        elif s.what == "capture":
            self.graphs[s.graph] = [s, 0]
        elif s.what == "launch":
            captured, last = self.graphs[s.graph]
            begin = self.start(s.stream) | last
            done, events, end = {}, {}, begin
            for each in captured.inner:
                if each.what == "record":
                    events[each.event] = done.get(each.stream, begin)
                elif each.what == "wait":
                    done[each.stream] = done.get(each.stream, begin) | events.get(each.event, begin)
                else:
                    done[each.stream] = enter(each, done.get(each.stream, begin))
                    end |= done[each.stream]
            self.graphs[s.graph][1] = end
            self.done[s.stream] = self.done.get(s.stream, 0) | end
        else:
            assert s.what == "text", s.what


class StreamProgram:
    """What run needs of a case: name, text, faults, hash. `chosen`: the mistake, as (kind, number)."""

    def __init__(self, name, seed, first_line, chosen=None):
        self.name, self.random, self.text = name, Random(seed), Text(first_line)
        self.error, self.leaks, self.loose, self.kernel_names = None, [], False, []
        self.sites, self.known, self.names = [], set(), 0
        self.statements, self.ranges = [], []
        self.draw()
        statements, blocking = self.statements, self.blocking
        if chosen is not None:
            statements, blocking = self.changed(*chosen)
        pairs = self.unordered_pairs(statements, blocking)
        if chosen is None:
            assert not pairs, "the program lacks a wait"
        self.write(statements, blocking)
        self.faults = {("unordered", *sorted((a.line, b.line))) for a, b in pairs} | self.find_faults(statements)
        self.hash = digest(b"") if self.faults else self.results(statements)

    def unordered_pairs(self, statements, blocking):
        order, found = self.new_order(blocking), []
        for s in statements:
            order.apply(s, found)
        return found

    def new_order(self, blocking):
        return Order(blocking)

    def find_faults(self, statements):
        return set()

    # What the program is made of.

    def fresh(self, stem):
        self.names += 1
        return f"{stem}_{self.names}"

    def draw(self):
        r = self.random
        self.size = r.pick([40, 300, 1030, 1500])
        self.streams = [self.fresh("stream") for _ in range(r.between(2, 4))]
        self.blocking = {s for s in self.streams if r.chance(50)}
        self.events = [self.fresh("event") for _ in range(r.between(1, 4))]
        self.buffers = [Buffer(self.fresh(kind[0]), kind, self.size) for kind in
                        ["device"] * r.between(1, 3) + ["pinned"] * r.between(1, 2) + ["managed"] * r.below(2) +
                        ["registered"] * r.below(2)]
        self.fixed = list(self.buffers)
        self.order = Order(self.blocking)
        graphs = []
        for _ in range(r.between(6, 16)):
            kind = r.below(100)
            if kind < 12:
                self.host_access()
            elif kind < 18:
                self.pool_memory()
            elif kind < 30:
                if not graphs or r.chance(40):
                    graphs.append(self.graph())
                for _ in range(r.between(1, 2)):
                    self.launch(r.pick(graphs))
            else:
                self.add(self.operation(r.pick(self.streams + [LEGACY])))
        for each in [b for b in self.buffers if b.kind == "pool"]:
            self.free_pool(each)

    def event_for(self, stream):
        return self.random.pick(self.events)

    def new_event(self, stream):
        self.events.append(self.fresh("event"))
        return self.events[-1]

    def waits_for(self, earlier, stream):
        """Statements after which `earlier` comes before what `stream` (None: the host) does next."""
        r = self.random
        origin = earlier.stream
        event = self.event_for(origin)
        record = Statement("record", "check(cudaEventRecord(@E, @S));", origin, event)
        kind = r.below(100)
        if stream is not None and kind < 65:
            if kind < 12:
                third = r.pick(self.streams)
                other = self.new_event(third)
                return [record, Statement("wait", "check(cudaStreamWaitEvent(@S, @E, 0));", third, event),
                        Statement("record", "check(cudaEventRecord(@E, @S));", third, other),
                        Statement("wait", "check(cudaStreamWaitEvent(@S, @E, 0));", stream, other)]
            return [record, Statement("wait", "check(cudaStreamWaitEvent(@S, @E, 0));", stream, event)]
        if kind < 78:
            return [Statement("sync stream", r.pick(["check(cudaStreamSynchronize(@S));"] * 3 +
                                                    ["wait_for(cudaStreamQuery, @S);"]), origin)]
        if kind < 95:
            return [record, Statement("sync event", r.pick(["check(cudaEventSynchronize(@E));"] * 3 +
                                                           ["wait_for(cudaEventQuery, @E);"]), None, event)]
        return [self.sync(origin)]

    def sync(self, stream):
        return Statement("sync", "check(cudaDeviceSynchronize());")

    def put(self, statement):
        self.order.apply(statement)
        self.statements.append(statement)

    def add(self, s):
        """The statement, after the waits that it needs."""
        while True:
            before = self.order.host if s.what == "host" else self.order.start(s.stream)
            missing = self.order.unordered(s, before)
            if not missing:
                break
            for each in self.waits_for(self.order.operations[missing[-1]], None if s.what == "host" else s.stream):
                self.put(each)
        self.put(s)

    def part(self, buffer, most=None):
        r = self.random
        count = r.between(1, min(most or buffer.size, buffer.size))
        if r.chance(30) and most is None:
            count = buffer.size
        begin = r.pick([0, buffer.size - count, r.below(buffer.size - count + 1)])
        return begin, begin + count

    def kinds(self, stream, y, in_graph):
        """What may be done to buffer `y` in this stream."""
        return (["mix"] * 4 + ["set", "count", "copy", "copy", "copy", "rows", "fill", "host function"] +
                ([] if in_graph else ["bring", "fetch", "plain fill", "plain copy"]))

    def copy_call(self, y, target, x, source, count, plain):
        call = "cudaMemcpy" if plain else "cudaMemcpyAsync"
        return f"check({call}({target}, {source}, {4 * count}, cudaMemcpyDefault{'' if plain else ', @S'}));"

    def operation(self, stream, in_graph=False):
        r = self.random
        y = r.pick(self.buffers)
        begin, end = self.part(y)
        count, c = end - begin, r.below(1000)
        target = f"{y.name} + {begin}" if begin else y.name
        others = [b for b in self.buffers if b is not y]
        shape = f"<<<{(count + 127) // 128}, 128, 0, @S>>>"
        kind = r.pick(self.kinds(stream, y, in_graph))
        name = y.name

        def memory(m):
            return m[name]
        if kind == "mix" and others:
            x = r.pick(others)
            first = r.below(x.size - count + 1) if count <= x.size else 0
            if first + count > x.size:
                raise Unsuitable("another size")

            def effect(m, came):
                from_ = m[x.name]
                memory(m)[begin:end] = [(v * 3 + from_[first + i] + c) & MASK for i, v in enumerate(memory(m)[begin:end])]
            return Statement("operation", f"mix_kernel{shape}({target}, {x.name} + {first}, {count}, {c}u);", stream,
                             accesses=((y, begin, end, "r"), (y, begin, end, "w"), (x, first, first + count, "r")),
                             effect=effect)
        if kind == "count":
            shape = f"<<<{(2 * count + 127) // 128}, 128, 0, @S>>>"

            def effect(m, came):
                memory(m)[begin:end] = [(v + 2 * c) & MASK for v in memory(m)[begin:end]]
            return Statement("operation", f"count_kernel{shape}({target}, {count}, {c}u);", stream,
                             accesses=((y, begin, end, "a"),), effect=effect)
        if kind in ("copy", "plain copy"):
            sources = [b for b in others if not (b.of_host() and y.of_host())]
            if sources:
                x = r.pick(sources)
                first = r.below(x.size - count + 1)
                plain = kind == "plain copy" or stream == LEGACY and r.chance(30)

                def effect(m, came):
                    memory(m)[begin:end] = m[x.name][first:first + count]
                return Statement("operation", self.copy_call(y, target, x, f"{x.name} + {first}", count, plain),
                                 LEGACY if plain else stream,
                                 accesses=((x, first, first + count, "r"), (y, begin, end, "w")), effect=effect,
                                 waits=plain and (x.of_host() or y.of_host()))
        if kind == "rows":
            sources = [b for b in others if not (b.of_host() and y.of_host())]
            if sources and y.size >= 40:
                x = r.pick(sources)
                pitch, width, rows = r.between(6, 9), r.between(1, 6), r.between(2, 4)
                starts = [pitch * i for i in range(rows)]

                def effect(m, came):
                    for at in starts:
                        memory(m)[at:at + width] = m[x.name][at:at + width]
                return Statement("operation", f"check(cudaMemcpy2DAsync({name}, {4 * pitch}, {x.name}, {4 * pitch}, "
                                              f"{4 * width}, {rows}, cudaMemcpyDefault, @S));", stream,
                                 accesses=tuple((x, at, at + width, "r") for at in starts) +
                                 tuple((y, at, at + width, "w") for at in starts), effect=effect)
        if kind in ("fill", "plain fill"):
            plain = kind == "plain fill" and not y.of_host()
            byte = r.below(256)

            def effect(m, came):
                memory(m)[begin:end] = [byte * 0x01010101] * count
            call = "cudaMemset" if plain else "cudaMemsetAsync"
            return Statement("operation", f"check({call}({target}, {byte}, {4 * count}{'' if plain else ', @S'}));",
                             LEGACY if plain else stream, accesses=((y, begin, end, "w"),), effect=effect)
        if kind == "host function" and y.of_host():
            range_ = self.fresh("range")
            self.ranges.append((range_, f"{{{target}, {count}, {c}u}}"))

            def effect(m, came):
                memory(m)[begin:end] = [(v + c) & MASK for v in memory(m)[begin:end]]
            return Statement("operation", f"check(cudaLaunchHostFunc(@S, add_to_range, &{range_}));", stream,
                             accesses=((y, begin, end, "r"), (y, begin, end, "w")), effect=effect)
        if kind == "bring":
            values, seed = self.fresh("values"), r.below(10000)

            def effect(m, came):
                memory(m)[begin:end] = [mixed(seed + i) % 256 for i in range(count)]
            # What was there when the call was made counts.
            return Statement("operation", f"auto {values} = random_values<unsigned>({seed}u, {count}, 0, 255); "
                                          f"check(cudaMemcpyAsync({target}, {values}.data(), {4 * count}, "
                                          f"cudaMemcpyDefault, @S)); {values}.assign({count}, 7u);", stream,
                             accesses=((y, begin, end, "w"),), effect=effect)
        if kind == "fetch":
            values = self.fresh("values")

            def effect(m, came):
                came(memory(m)[begin:end])
            return Statement("operation", f"std::vector<unsigned> {values}({count}); check(cudaMemcpyAsync({values}.data(), "
                                          f"{target}, {4 * count}, cudaMemcpyDefault, @S)); came(\"{values}\", {values});",
                             stream, accesses=((y, begin, end, "r"),), effect=effect, waits=True)

        def effect(m, came):
            memory(m)[begin:end] = [(c + i) & MASK for i in range(count)]
        return Statement("operation", f"set_kernel{shape}({target}, {count}, {c}u);", stream,
                         accesses=((y, begin, end, "w"),), effect=effect)

    def host_access(self):
        r = self.random
        y = r.pick([b for b in self.buffers if b.of_host()])
        begin, end = self.part(y)
        name, c = y.name, r.below(100)
        loop = f"for (int i = {begin}; i < {end}; ++i)"
        kind = r.below(4)
        if kind == 0:
            sum_ = self.fresh("sum")

            def effect(m, came):
                came([sum(m[name][begin:end]) & MASK])
            s = Statement("host", f"unsigned {sum_} = 0; {loop} {sum_} += {name}[i]; came(\"{sum_}\", "
                                  f"std::vector<unsigned>{{{sum_}}});", accesses=((y, begin, end, "r"),), effect=effect)
        elif kind == 1:
            def effect(m, came):
                m[name][begin:end] = [0] * (end - begin)
            s = Statement("host", f"std::memset({name} + {begin}, 0, {4 * (end - begin)});",
                          accesses=((y, begin, end, "w"),), effect=effect)
        elif kind == 2:
            def effect(m, came):
                m[name][begin:end] = [(c + i) & MASK for i in range(begin, end)]
            s = Statement("host", f"{loop} {name}[i] = {c}u + static_cast<unsigned>(i);",
                          accesses=((y, begin, end, "w"),), effect=effect)
        else:
            def effect(m, came):
                m[name][begin:end] = [(v * 5 + c) & MASK for v in m[name][begin:end]]
            s = Statement("host", f"{loop} {name}[i] = {name}[i] * 5u + {c}u;",
                          accesses=((y, begin, end, "r"), (y, begin, end, "w")), effect=effect)
        self.add(s)

    def pool_memory(self):
        r = self.random
        pool = [b for b in self.buffers if b.kind == "pool"]
        if pool and r.chance(50):
            return self.free_pool(r.pick(pool))
        y = Buffer(self.fresh("q"), "pool", self.size)
        self.buffers.append(y)
        name, seed = y.name, r.below(100)
        stream = r.pick(self.streams + [LEGACY])
        self.add(Statement("operation", f"check(cudaMallocAsync(&{name}, {4 * y.size}, @S));", stream,
                           accesses=((y, 0, y.size, "w"),), effect=lambda m, came: m.__setitem__(name, [0] * y.size)))
        self.add(Statement("operation", f"set_kernel<<<{(y.size + 127) // 128}, 128, 0, @S>>>({name}, {y.size}, {seed}u);",
                           r.pick(self.streams + [stream] * 3), accesses=((y, 0, y.size, "w"),),
                           effect=lambda m, came: m.__setitem__(name, [seed + i for i in range(y.size)])))

    def free_pool(self, y):
        self.buffers.remove(y)
        self.add(Statement("operation", f"check(cudaFreeAsync({y.name}, @S));", self.random.pick(self.streams + [LEGACY]),
                           accesses=((y, 0, y.size, "w"),), effect=lambda m, came: None))

    def graph(self):
        """Two or three streams, forked and joined by events."""
        r = self.random
        origin, *others = self.streams[:r.between(2, len(self.streams))]
        everything, self.buffers = self.buffers, self.fixed  # a graph outlives what is in a pool
        name, fork = self.fresh("graph"), self.fresh("event")
        inner = [Statement("record", "check(cudaEventRecord(@E, @S));", origin, fork)]
        inner += [Statement("wait", "check(cudaStreamWaitEvent(@S, @E, 0));", s, fork) for s in others]
        # The same rules, for streams that nothing has been given to.
        order = Order(set())
        for _ in range(r.between(2, 5)):
            s = self.operation(r.pick([origin] + others), in_graph=True)
            while missing := order.unordered(s, order.start(s.stream)):
                event = self.fresh("event")
                for each in [Statement("record", "check(cudaEventRecord(@E, @S));",
                                       order.operations[missing[-1]].stream, event),
                             Statement("wait", "check(cudaStreamWaitEvent(@S, @E, 0));", s.stream, event)]:
                    order.apply(each)
                    inner.append(each)
            order.apply(s)
            inner.append(s)
        for s in others:
            join = self.fresh("event")
            inner += [Statement("record", "check(cudaEventRecord(@E, @S));", s, join),
                      Statement("wait", "check(cudaStreamWaitEvent(@S, @E, 0));", origin, join)]
        self.buffers = everything
        mode = r.pick(["Global", "ThreadLocal", "Relaxed"])
        s = Statement("capture", f"check(cudaStreamBeginCapture(@S, cudaStreamCaptureMode{mode}));", origin, inner=inner,
                      graph=name)
        self.put(s)
        return s

    def launch(self, graph):
        stream = self.random.pick(self.streams + [LEGACY])
        while True:
            begin = self.order.start(stream) | self.order.graphs[graph.graph][1]
            missing = {n for s in graph.inner if s.what == "operation" for n in self.order.unordered(s, begin)}
            if not missing:
                break
            earlier = self.order.operations[max(missing)]
            if earlier.graph is not None or self.within_graph(earlier):
                self.put(Statement("sync", "check(cudaDeviceSynchronize());"))
            else:
                for each in self.waits_for(earlier, stream):
                    self.put(each)
        self.put(Statement("launch", f"check(cudaGraphLaunch(made_{graph.graph}, @S));", stream, graph=graph.graph))

    def within_graph(self, operation):
        return any(operation in s.inner for s in self.statements if s.what == "capture")

    # Mistakes.

    def mistakes(self):
        """All changes of one statement, as (kind, number of the change)."""
        found = []
        for n, s in enumerate(self.statements):
            if s.what in ("wait", "sync stream", "sync event", "sync"):
                found.append(("a missing wait", n))
            if s.what in ("wait", "record", "sync stream"):
                found.append(("a wait of the wrong stream", n))
            if s.what == "record":
                found.append(("an event recorded too early", n))
            if s.what == "operation" and "@S" in s.text:
                found.append(("an operation in the wrong stream", n))
            if s.what == "capture":
                found += [("a missing edge", n * 100 + i) for i, each in enumerate(s.inner)
                          if each.what == "wait" and 0 < i and s.inner[i - 1].stream != s.stream or
                          each.what == "wait" and i > 3]
        found += [("a stream that does not wait for the default stream", n) for n, s in enumerate(self.streams)
                  if s in self.blocking]
        return found

    def changed(self, kind, n):
        r = Random(n + 7)
        statements, blocking = list(self.statements), self.blocking
        if kind == "a missing wait":
            del statements[n]
        elif kind == "a wait of the wrong stream" or kind == "an operation in the wrong stream":
            others = [s for s in self.streams + [LEGACY] if s != statements[n].stream]
            statements[n] = statements[n].with_stream(r.pick(others))
        elif kind == "an event recorded too early":
            s = statements.pop(n)
            while n > 0 and not (statements[n - 1].what in ("operation", "launch") and statements[n - 1].stream == s.stream):
                n -= 1
            statements.insert(max(0, n - 1), s)
        elif kind == "a missing edge":
            n, i = divmod(n, 100)
            s = statements[n]
            inner = s.inner[:i] + s.inner[i + 1:]
            # Streams must still be captured by the first wait, and joined by the last.
            joins = 2 * (len({each.stream for each in s.inner}) - 1)
            if i < 1 + joins // 2 or i >= len(s.inner) - joins:
                raise Unsuitable("a stream that would not be captured or joined")
            statements[n] = Statement(s.what, s.text, s.stream, inner=inner, graph=s.graph)
        else:
            blocking = blocking - {self.streams[n]}
        return statements, blocking

    # The text.

    def write(self, statements, blocking):
        t, r = self.text, Random(len(statements))
        t.add(f"namespace {self.name} {{")
        t.add("void run() {")
        t.indent += 1
        pools = sorted({a[0].name for s in statements for a in s.accesses if a[0].kind == "pool"})
        for b in self.fixed:
            if b.kind == "registered":
                t.add(f"std::vector<unsigned> storage_{b.name}({b.size});")
                t.add(f"unsigned* const {b.name} = storage_{b.name}.data();")
                t.add(f"check(cudaHostRegister({b.name}, {4 * b.size}, cudaHostRegisterDefault));")
            else:
                t.add(f"unsigned* {b.name} = nullptr;")
                call = {"device": "cudaMalloc", "pinned": "cudaMallocHost", "managed": "cudaMallocManaged"}[b.kind]
                t.add(f"check({call}(&{b.name}, {4 * b.size}));")
            seed = self.seed_of(b)
            t.add(f"{{ const auto values = random_values<unsigned>({seed}u, {b.size}, 0, 255); "
                  f"check(cudaMemcpy({b.name}, values.data(), {4 * b.size}, cudaMemcpyDefault)); }}")
        for name in pools:
            t.add(f"unsigned* {name} = nullptr;")
        for name, values in self.ranges:
            t.add(f"host_range {name} = {values};")
        for s in self.streams:
            t.add(f"cudaStream_t {s};")
            if s in blocking:
                t.add(f"check(cudaStreamCreate(&{s}));")
            else:
                t.add(f"check(cudaStreamCreateWithFlags(&{s}, cudaStreamNonBlocking));")
        used = sorted({e.event for s in statements for e in [s, *s.inner] if e.event})
        for e in used:
            t.add(f"cudaEvent_t {e};")
            t.add(r.pick([f"check(cudaEventCreate(&{e}));",
                          f"check(cudaEventCreateWithFlags(&{e}, cudaEventDisableTiming));"]))
        t.add("check(cudaDeviceSynchronize());")
        graphs = []
        for s in statements:
            s.line = t.add(s.c())
            if s.what == "capture":
                graphs.append(s.graph)
                for each in s.inner:
                    each.line = t.add(each.c())
                t.add(f"cudaGraph_t {s.graph};")
                t.add(f"cudaGraphExec_t made_{s.graph};")
                t.add(f"check(cudaStreamEndCapture({s.stream}, &{s.graph}));")
                t.add(f"check(cudaGraphInstantiate(&made_{s.graph}, {s.graph}, 0ull));")
        t.add("check(cudaDeviceSynchronize());")
        for b in self.fixed:
            t.add(f"std::vector<unsigned> last_{b.name}({b.size});")
            t.add(f"check(cudaMemcpy(last_{b.name}.data(), {b.name}, {4 * b.size}, cudaMemcpyDefault));")
            t.add(f"came(\"{b.name}\", last_{b.name});")
            t.add({"pinned": f"check(cudaFreeHost({b.name}));",
                   "registered": f"check(cudaHostUnregister({b.name}));"}.get(b.kind, f"check(cudaFree({b.name}));"))
        for g in graphs:
            t.add(f"check(cudaGraphExecDestroy(made_{g}));")
            t.add(f"check(cudaGraphDestroy({g}));")
        for s in self.streams:
            t.add(f"check(cudaStreamDestroy({s}));")
        for e in used:
            t.add(f"check(cudaEventDestroy({e}));")
        t.indent -= 1
        t.add("}")
        t.add(f"}}  // namespace {self.name}")

    def seed_of(self, buffer):
        return 100 * self.fixed.index(buffer) + self.size

    def results(self, statements):
        """What comes back: statement after statement."""
        m = {b.name: [mixed(self.seed_of(b) + i) % 256 for i in range(b.size)] for b in self.fixed}
        data = digest(b"")

        def came(values):
            nonlocal data
            data = digest(packed("unsigned", values), data)
        graphs = {}
        for s in statements:
            if s.what == "capture":
                graphs[s.graph] = s
            elif s.what == "launch":
                for each in graphs[s.graph].inner:
                    if each.effect:
                        each.effect(m, came)
            elif s.effect:
                s.effect(m, came)
        for b in self.fixed:
            came(m[b.name])
        return data


def build(name, seed, line, chosen=None):
    return StreamProgram(name, seed, line, chosen)
