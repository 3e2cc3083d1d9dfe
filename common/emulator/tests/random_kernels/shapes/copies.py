# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Kernels that fill stages in shared memory by asynchronous copies: with the primitives of <cuda_pipeline.h>, with
cuda::pipeline of a thread or of the block, and with cuda::barrier."""

from case import Kernel, unwrapped
from language import BYTES, Value, call, choose, number
from shapes.pieces import WRAPPING, input_array, pointer, scalar


class Stages:
    """What these kernels have in common: tiles of x, one after the other, in a ring of stages."""

    def __init__(self, case, name, blocks_of=(32, 64, 37, 96, 50)):
        r = self.random = case.random
        self.case = case
        case.loose = True  # who comes first decides whether a copy has begun when its target is read
        self.type, self.piece = r.pick([("unsigned", 1), ("unsigned", 2), ("unsigned", 4), ("int", 1), ("float", 4),
                                        ("unsigned long long", 1), ("unsigned long long", 2), ("double", 1),
                                        ("unsigned char", 4), ("unsigned char", 8), ("unsigned char", 16)])
        self.work = "unsigned" if self.type == "unsigned char" else self.type
        self.block, self.tiles, self.blocks = r.pick(blocks_of), r.between(1, 6), r.between(1, 2)
        self.elements = self.piece * r.between(1, max(1, 130 // self.piece))
        self.stages = r.between(2, 4)
        self.back = r.chance(30)  # what has been used is overwritten
        self.x = pointer(case, self.type, "x", const=not self.back)
        self.y, self.count = pointer(case, self.work, "y"), scalar(case, "tiles")
        k = self.k = Kernel(case, [self.x, self.y, self.count], name)
        k.text.add(f"__shared__ alignas(16) {k.shown_type(self.type)} tile[{self.stages}][{self.elements}];",
                   "tile = S['tile']")
        k.shared["tile"] = (self.type, self.stages * self.elements)
        self.tx = k.let(k.index("threadIdx.x"), "tx")
        self.begin = k.let(k.index("blockIdx.x") * self.count * self.elements, "begin")
        self.sum = k.mutable(number(self.work, 0), "sum")
        self.own = False
        self.missing = 0  # elements of the last tile of all that x does not have, and that become zero

    def tile(self, stage, i):
        return Value(self.type, f"tile[{unwrapped(stage.c)}][{unwrapped(i.c)}]",
                     f"M.load(t, tile, {stage.p} * {self.elements} + {i.p}, @L)")

    def own_pieces(self, lanes=None):
        lanes = lanes or self.block
        return self.k.for_(self.tx * self.piece, self.elements, lanes * self.piece, "i", unroll=False)

    def copy(self, which, function, last="", lanes=None, then=""):
        """This thread's pieces of tile number `which`. `then`: what Python does behind each."""
        k = self.k
        stage = which % self.stages
        one = f"sizeof({k.shown_type(self.type)})"
        with self.own_pieces(lanes) as i:
            at = self.begin + which * self.elements + i
            size, zeros = f"{self.piece} * {one}", ""
            if self.missing:
                at = k.let(at, "at")
                n = k.let(k.index("gridDim.x") * self.count * self.elements - self.missing, "n")
                none = k.let(choose((at + self.piece) <= n, number("int", 0),
                                    call("int", "min", at + self.piece - n, number("int", self.piece))), "zeros")
                at = choose(at < n, at, number("int", 0))
                last, zeros = f", {none.c} * {one}", f", {none.p}"
            if "cuda::" in function and self.piece > 1 and self.random.chance(30):
                size = f"cuda::aligned_size_t<{self.piece} * sizeof({k.shown_type(self.type)})>({size})"
            k.text.add(f"{function}(&tile[{stage.c}][{i.c}], &{self.x.name}[{at.c}], {size}{last});",
                       f"M.copy(t, tile, {stage.p} * {self.elements} + {i.p}, {self.x.name}, {at.p}, {self.piece}, @L"
                       f"{zeros}){then}")

    def copy_of_group(self, which, last="", then="", function="cuda::memcpy_async"):
        k, at = self.k, self.begin + which * self.elements
        stage = which % self.stages
        size = self.random.pick(["sizeof tile[0]", f"{self.elements} * sizeof({k.shown_type(self.type)})"])
        if self.elements * BYTES[self.type] % 16 == 0 and self.random.chance(50):
            size = f"cuda::aligned_size_t<16>({size})"  # with a barrier one thread asks for it in bulk
        k.text.add(f"{function}(group, tile[{stage.c}], {self.x.name} + {at.c}, {size}{last});",
                   f"M.copy_of_group(t, tile, {stage.p} * {self.elements}, {self.x.name}, {at.p}, {self.elements}, @L){then}")

    def add(self, v):
        v = v.to(self.work)
        self.k.assign(self.sum, self.sum * 31 + v if self.work in WRAPPING else self.sum + v)

    def use(self, which, lanes=None):
        """`own`: each thread only what it has copied itself."""
        k, r = self.k, self.random
        wrong = self.case.site("another stage than the one that was waited for")
        stage = (which + 1 if wrong else which) % self.stages
        if self.own:
            with self.own_pieces(lanes) as i:
                with k.for_(0, self.piece, name="q") as q:
                    self.add(self.tile(stage, i + q))
        else:
            for _ in range(r.between(1, 3)):
                self.add(self.tile(stage, (self.tx * r.between(1, 5) + r.below(self.elements)) % self.elements))

    def overwrite(self, which):
        """The thread that copied it writes to the source."""
        if not self.back:
            return
        k = self.k
        early = self.case.site("a source that is written before its copy has landed")
        tile = k.let(which + 1 if early else which, "tile_number")
        with k.if_(tile < self.count):
            with self.own_pieces() as i:
                k.store(self.x, self.begin + tile * self.elements + i, (tile * 3 + 1).to(self.type))

    def loop(self):
        return self.k.for_(0, self.count, name="k", unroll=False)

    def end(self, primitives=False):
        k, case = self.k, self.case
        k.store(self.y, k.index("blockIdx.x") * self.block + self.tx, self.sum)
        k.end()
        case.host()
        a = input_array(case, self.type, self.blocks * self.tiles * self.elements - self.missing, faulty=self.random.chance(25))
        if primitives and self.piece > 1:
            a.wide = self.piece
        b = case.allocate(self.work, self.blocks * self.block, "y", faulty=False)
        case.launch(k, (self.blocks, 1, 1), (self.block, 1, 1), [a, b, self.tiles])
        case.download(b)
        if self.back:
            case.download(a)


def ring_of_thread(case):
    """Each thread copies its pieces and waits for its own groups."""
    s = Stages(case, "ring_kernel")
    k, r = s.k, s.random
    how = r.pick(["primitives", "primitives", "wait", "prior", "group"])
    fetch_last = r.chance(50)  # into the stage that was used in the round before; else into this round's
    s.own = r.chance(25)
    if how == "group":
        s.own = False
        k.text.add("const auto group = cooperative_groups::this_thread_block();")
    elif how == "primitives":
        if not s.back and r.chance(30):
            s.missing = r.below(s.elements)
    else:
        k.text.add(r.pick(["auto pipe = cuda::make_pipeline();",
                           "cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();"]), "pipe = [0, 0]")

    def commit():
        if how == "primitives":
            k.text.add("__pipeline_commit();", "M.commit(t)")
        else:
            k.text.add("pipe.producer_commit();", "M.commit(t); pipe[0] += 1")

    def fetch(which):
        if how == "group":
            with k.if_(which < s.count):
                s.copy_of_group(which, function="cooperative_groups::memcpy_async", then="; M.commit(t)")
            return
        forgotten = case.site("a missing commit")
        inside = case.site("a commit inside an if")
        if how != "primitives" and r.chance(70):
            k.text.add("pipe.producer_acquire();", "")
        with k.if_(which < s.count):
            if how == "primitives":
                s.copy(which, "__pipeline_memcpy_async")
            else:
                s.copy(which, "cuda::memcpy_async", ", pipe")
            if inside:
                commit()
        if not inside and not forgotten:
            commit()

    def wait(turn):
        if case.site("a missing wait for copies"):
            return
        left = s.stages - (2 if fetch_last else 1)
        if how == "wait":
            k.text.add("pipe.consumer_wait();",
                       "if pipe[1] < pipe[0]: pipe[1] += 1; M.wait_copies(t, pipe[0] - pipe[1])")
            return
        enough = turn + (left + 1) <= s.count
        if case.site("a wait that leaves one stage too many"):
            left += 1
        if how == "group":
            with k.if_(enough):
                k.text.add(f"cooperative_groups::wait_prior<{left}>(group);",
                           f"M.wait_copies(t, {left})\nyield ('barrier', @L, None, None)")
            with k.else_():
                k.text.add("cooperative_groups::wait(group);", "M.wait_copies(t, 0)\nyield ('barrier', @L, None, None)")
            return
        k.text.add(f"__pipeline_wait_prior({left});" if how == "primitives" else
                   f"cuda::pipeline_consumer_wait_prior<{left}>(pipe);", f"M.wait_copies(t, {left})")

    with k.for_(0, s.stages - 1, name="first") as first:
        fetch(first)
    with s.loop() as turn:
        following = turn + (s.stages - 1)
        early = fetch_last and case.site("a stage that is filled again too early")
        if early or not fetch_last:
            fetch(following)
        wait(turn)
        if not s.own and how != "group":
            k.barrier()
        s.use(turn)
        if how != "group":
            s.overwrite(turn)
        if fetch_last and not early:
            fetch(following)
        if not fetch_last and not s.own:
            k.barrier()
    s.end(how == "primitives")


def ring_of_barriers(case):
    """A cuda::barrier for each stage tracks the copies to it."""
    s = Stages(case, "tracked_kernel")
    k, r = s.k, s.random
    of_group = r.chance(50)
    by_token = r.chance(40)
    k.text.add(f"__shared__ cuda::barrier<cuda::thread_scope_block> filled[{s.stages}];", "filled = S['filled']")
    k.shared["filled"] = ("barrier", s.stages)
    if by_token:
        k.text.add(f"cuda::barrier<cuda::thread_scope_block>::arrival_token token[{s.stages}];", f"token = [0] * {s.stages}")
    if of_group:
        k.text.add("const auto group = cooperative_groups::this_thread_block();")
    count = s.block
    if case.site("a barrier for one thread too many"):
        count += 1
    elif case.site("a barrier for one thread too few"):
        count -= 1
    with k.if_(s.tx.eq(r.below(s.block))):
        with k.for_(0, s.stages, name="stage", unroll=False) as i:
            k.text.add(f"init(&filled[{i.c}], {count});", f"M.barrier_init(t, filled[{i.p}], {count})")
    k.barrier()

    def fetch(which):
        one_missing = case.site("a thread that does not arrive")
        with k.if_(which < s.count):
            stage = k.let(which % s.stages, "stage")
            track = f"; M.track(t, filled[{stage.p}], @L)"
            if of_group:
                s.copy_of_group(which, f", filled[{stage.c}]", track)
            else:
                s.copy(which, "cuda::memcpy_async", f", filled[{stage.c}]", then=track)
            arrive = (f"token[{stage.c}] = filled[{stage.c}].arrive();" if by_token else f"(void)filled[{stage.c}].arrive();",
                      f"{'token[' + stage.p + ']' if by_token else '_'} = M.barrier_arrive(t, filled[{stage.p}], @L)")
            if one_missing:
                with k.if_(s.tx.ne(0)):
                    k.text.add(*arrive)
            else:
                k.text.add(*arrive)

    def wait(which):
        if case.site("a missing wait for a barrier"):
            return
        stage = which % s.stages
        if case.site("a wait for the barrier of another stage"):
            stage = (which + 1) % s.stages
        if by_token:
            k.text.add(f"filled[{stage.c}].wait(std::move(token[{stage.c}]));",
                       f"yield from M.wait(t, filled[{stage.p}], @L, phase=token[{stage.p}])")
            return
        parity = which // s.stages % 2
        if case.site("a wait for the other parity"):
            parity = (which // s.stages + 1) % 2
        k.text.add(f"filled[{stage.c}].wait_parity({parity.c} != 0);",
                   f"yield from M.wait(t, filled[{stage.p}], @L, parity={parity.p})")

    with k.for_(0, s.stages - 1, name="first") as first:
        fetch(first)
    with s.loop() as turn:
        fetch_last = r.chance(50)
        early = fetch_last and case.site("a stage that is filled again too early")
        if early or not fetch_last:
            fetch(turn + (s.stages - 1))
        wait(turn)
        s.use(turn)
        if not of_group:
            s.overwrite(turn)
        k.barrier()
        if fetch_last and not early:
            # All have used this stage: it takes the tile after the next ones.
            fetch(turn + (s.stages - 1))
    s.end()


def pipeline_of_block(case):
    """cuda::pipeline in shared memory: all threads fill and use, or the first warp fills for the others."""
    roles = case.random.chance(50)
    s = Stages(case, "pipeline_kernel", (64, 96) if roles else (32, 64, 37, 50))
    s.back = False
    k, r = s.k, s.random
    k.text.add(f"__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, {s.stages}> state;", "state = S['state']")
    k.shared["state"] = ("barrier", 2 * s.stages)
    k.text.add("const auto group = cooperative_groups::this_thread_block();")
    counts = (32, s.block - 32) if roles else (s.block, s.block)
    k.text.add(f"auto pipe = cuda::make_pipeline(group, &state{', 32' if roles else ''});",
               f"pipe = yield from M.make_pipeline(t, state, {counts[0]}, {counts[1]}, @L)")

    def fetch(which):
        if not case.site("a stage that is filled without being acquired"):
            k.text.add("pipe.producer_acquire();", "yield from M.producer_acquire(t, pipe, @L)")
        with k.if_(which < s.count):
            if roles or r.chance(40):
                s.copy(which, "cuda::memcpy_async", ", pipe", counts[0])
            else:
                s.copy_of_group(which, ", pipe")
        k.text.add("pipe.producer_commit();", "M.producer_commit(t, pipe, @L)")

    def use(which):
        if not case.site("a missing wait for a stage"):
            k.text.add("pipe.consumer_wait();", "yield from M.consumer_wait(t, pipe, @L)")
        early = case.site("a stage that is released before it is used")
        release = ("pipe.consumer_release();", "M.consumer_release(t, pipe, @L)")
        if early:
            k.text.add(*release)
        s.use(which)
        if not early and not case.site("a stage that is never released"):
            k.text.add(*release)

    if roles:
        with s.loop() as turn:
            with k.if_(s.tx < 32):
                fetch(turn)
            with k.else_():
                use(turn)
    else:
        with k.for_(0, s.stages - 1, name="first") as first:
            fetch(first)
        with s.loop() as turn:
            fetch(turn + (s.stages - 1))
            use(turn)
    s.end()


COPIES = [ring_of_thread, ring_of_thread, ring_of_barriers, pipeline_of_block]
