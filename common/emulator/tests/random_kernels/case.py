# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""One random program: kernels, and the host function that launches them. A shape (shapes/) writes it by the calls below.

Wherever a mistake could be made, the shape asks `site(kind)`. Built without a fault, all answers are no, and the sites
are listed; built again from the same seed with one of them chosen, that one answer is yes."""

from asynchronous import SharedBarrier
from language import Array, Block, BYTES, Random, Text, Unsuitable, Value, call, number
from machine import FUNCTIONS, Machine, Memory, View, digest, packed


class Case:
    def __init__(self, name, seed, first_line, chosen=None):
        self.name, self.seed, self.chosen = name, seed, chosen
        self.random = Random(seed)
        self.text = Text(first_line)
        self.sites = []
        self.steps = []  # what the host does, for Python
        self.results = []  # bytes that come back
        self.error = None  # the error code that a call must return
        self.leaks = []  # lines of allocations that are never freed
        self.kernel_names = []
        self.names = 0
        self.arrays = {}
        self.live = []
        self.loose = False  # what threads do depends on values that a mistake could change
        self.machine = Machine()
        self.host_started = False
        self.stream = None
        self.known = set()  # faults that the shape knows by itself: machine.py does not look then
        self.text.add(f"namespace {name} {{")
        self.inner = self.random.pick(["", "", "", "namespace {", "inline namespace version_1 {", "namespace deep::deeper {"])
        if self.inner:
            self.text.add(self.inner)

    # Choices.

    def site(self, kind):
        self.sites.append(kind)
        return self.chosen == len(self.sites) - 1

    def fresh(self, stem):
        self.names += 1
        return f"{stem}_{self.names}"

    def comment(self):
        if self.random.chance(8):
            self.text.add(self.random.pick([
                "// k<<<1, 2>>>(x);", "/* __shared__ float tile[32]; <<< */", "// \" ' \\ end", "/* { ( [ */",
                "// __syncthreads();", "#pragma GCC diagnostic push\n#pragma GCC diagnostic pop",
                "/* several\n   lines of */ /* comment */", "static_assert(sizeof(int) == 4, \"<<<>>> __global__ {\");"]))

    # Variables at namespace scope.

    def variable(self, space, type, size, seed, low, high, written_later=False):
        """A __constant__ or __device__ array, with its values where it is declared."""
        name = self.fresh("taps" if space == "constant" else "table")
        values = values_of(type, seed, size, low, high)
        word = "__constant__" if space == "constant" else "__device__"
        a = Array(name, type, size, space)
        memory = Memory(name, type, size, space)
        if written_later:
            self.text.add(f"{word} {type} {name}[{size}];")
        else:
            shown = ", ".join(number(type, v).c for v in values)
            self.text.add(f"{self.random.pick(['', 'static '])}{word} {type} {name}[{size}] = {{{shown}}};")
            memory.values = list(values)
        self.arrays[name] = memory
        self.machine.variables = (*self.machine.variables, memory)
        a.memory = memory
        return a

    # The host.

    def host(self):
        self.host_started = True
        if self.inner:
            self.text.add("}")
        if "deeper" in self.inner:
            self.text.add("using namespace deep::deeper;")
        self.text.add("void run() {")
        self.text.indent += 1
        if self.random.chance(25):
            self.stream = self.fresh("stream")
            self.text.add(f"cudaStream_t {self.stream};")
            self.text.add(f"check(cudaStreamCreate(&{self.stream}));")

    def allocate(self, type, size, name=None, faulty=True):
        """Elements in device memory, that nobody has written."""
        r = self.random
        name = self.fresh(name or "x")
        small = faulty and size > 1 and self.site("allocation too small by one element")
        unfreed = faulty and self.site("memory that is never freed")
        elements = size - 1 if small else size
        self.text.add(f"{type}* {name} = nullptr;")
        bytes_text = r.pick([f"{size} * sizeof({type})", f"sizeof({type}) * {size}", str(size * BYTES[type]),
                             f"sizeof *{name} * {size}"])
        if small:
            bytes_text = f"{elements} * sizeof({type})"
        if r.chance(15) and type != "bool":
            line = self.text.add(f"check(cudaMalloc(reinterpret_cast<void**>(&{name}), {bytes_text}));")
        else:
            line = self.text.add(f"check(cudaMalloc(&{name}, {bytes_text}));")
        memory = Memory(name, type, elements, "global")
        self.arrays[name] = memory
        a = Array(name, type, size, "global")
        a.memory, a.elements, a.unfreed = memory, elements, unfreed
        if unfreed:
            self.leaks.append(line)
        self.live.append(a)
        return a

    def upload(self, a, seed, low=0, high=255, faulty=True):
        """Random numbers into all of it."""
        r = self.random
        values = values_of(a.type, seed, a.size, low, high)
        count = a.elements
        if faulty and self.site("uninitialized memory"):
            count = 0
        elif faulty and a.size > 1 and self.site("copy of fewer bytes"):
            count = a.elements // 2
        host = self.fresh("h")
        self.text.add(f"const std::vector<{a.type}> {host} = random_values<{a.type}>({seed}u, {a.size}, {low}, {high});")
        too_many = faulty and self.site("copy of more bytes than there are")
        if count:
            bytes_text = f"{count} * sizeof({a.type})"
            if too_many:
                bytes_text = f"{a.elements + 1} * sizeof({a.type})"
                self.fails("cudaErrorInvalidValue")
            if self.stream and r.chance(50):
                self.text.add(f"check(cudaMemcpyAsync({a.name}, {host}.data(), {bytes_text}, cudaMemcpyHostToDevice, "
                              f"{self.stream}));")
            else:
                self.text.add(f"check(cudaMemcpy({a.name}, {host}.data(), {bytes_text}, cudaMemcpyHostToDevice));")

        def step():
            a.memory.values[:count] = values[:count]
        self.steps.append(step)

    def zero(self, a, faulty=True, byte=0):
        missing = faulty and self.site("memory that nobody has set to zero")
        if not missing:
            call = "cudaMemset"
            last = ""
            if self.stream and self.random.chance(50):
                call, last = "cudaMemsetAsync", f", {self.stream}"
            self.text.add(f"check({call}({a.name}, {byte}, {a.elements} * sizeof({a.type}){last}));")

        def step():
            if not missing:
                a.memory.values[:] = [a.memory.zero() if byte == 0 else int.from_bytes(bytes([byte]) * BYTES[a.type],
                                                                                         "little")] * a.elements
        self.steps.append(step)

    def fails(self, error):
        """The call that comes now returns this error, and the program ends with it."""
        def step():
            raise Ended(error)
        self.steps.append(step)

    def free(self, a):
        if not a.unfreed and a in self.live:
            self.text.add(f"check(cudaFree({a.name}));")
            if self.site("freed twice"):
                self.text.add(f"check(cudaFree({a.name}));")
                self.fails("cudaErrorInvalidValue")
        if a in self.live:
            self.live.remove(a)

        def step():
            a.memory.freed = True
        self.steps.append(step)

    def launch(self, kernel, grid, block, arguments, dynamic=None):
        """`arguments`: arrays and numbers. `dynamic`: (name of the array, elements, type)."""
        r = self.random
        shown, given = [], []
        for i, a in enumerate(arguments):
            if isinstance(a, Array):
                view = View(a.memory)
                text = a.name
                if self.site("pointer of the host"):
                    view.kind = "host_pointer"
                    host = self.fresh("h")
                    self.text.add(f"std::vector<{a.type}> {host}({a.size});")
                    text = f"{host}.data()"
                elif self.site("null pointer"):
                    view.kind = "host_pointer"
                    text = "nullptr" if not kernel.template else f"static_cast<{a.type}*>(nullptr)"
                elif self.site("use after free") and a in self.live:
                    self.text.add(f"check(cudaFree({a.name}));")
                    self.live.remove(a)
                    self.steps.append(lambda a=a: setattr(a.memory, "freed", True))
                elif getattr(a, "wide", 0) and self.site("misaligned vector"):
                    view.offset = 1
                    text = f"{a.name} + 1"
                shown.append(text)
                given.append(view)
            else:
                shown.append(a.c if isinstance(a, Value) else str(a))
                given.append(eval(a.p) if isinstance(a, Value) else a)
        dims = lambda d: (str(d[0]) if d[1] == d[2] == 1 and r.chance(70) else
                          f"dim3({d[0]}, {d[1]})" if d[2] == 1 else f"dim3({d[0]}, {d[1]}, {d[2]})")
        grid_text, block_text = dims(grid), dims(block)
        elements, bytes_text = 0, "0"
        if dynamic:
            name, elements, type = dynamic
            if elements > 1 and self.site("too little dynamic shared memory"):
                elements -= 1
            bytes_text = r.pick([f"{elements} * sizeof({type})", str(elements * BYTES[type])])
        if self.site("too many threads in a block"):
            block_text = r.pick(["1025", "dim3(64, 32)", "dim3(1, 1, 65)", "dim3(1024, 1024)"])
            self.fails("cudaErrorInvalidConfiguration" if not kernel.bounds else "cudaErrorInvalid")
        elif dynamic and self.site("too much shared memory"):
            bytes_text = r.pick(["49153", "232449", "100000"])
            self.fails("cudaErrorInvalidValue")
        elif self.site("grid of no blocks"):
            grid_text = r.pick(["0", "dim3(1, 0)", "dim3(0, 1, 1)"])
            self.fails("cudaErrorInvalidConfiguration")
        name = kernel.name + kernel.template_arguments
        configuration = f"{grid_text}, {block_text}"
        if dynamic or (self.stream and r.chance(60)) or r.chance(10):
            configuration += f", {bytes_text}"
            if self.stream and r.chance(60):
                configuration += f", {self.stream}"
        joined = ", ".join(shown)
        style = r.below(11)
        if style == 0:
            macro = f"{self.fresh('launch')}_{self.name}".upper()
            self.text.add(f"#define {macro}(k, ...) k<<<{configuration}>>>(__VA_ARGS__)")
            self.text.add(f"{macro}(({name}), {joined});" if "," in name else f"{macro}({name}, {joined});")
        elif style == 1 and "nullptr" not in joined and (kernel.template_arguments or not kernel.template):
            pointer = self.fresh("kernel")
            self.text.add(f"const auto {pointer} = &{name};")
            self.text.add(f"{pointer}<<<{configuration}>>>({joined});")
        elif style == 2:
            self.text.add(f"{name}<<<{configuration.replace(', ', ',' + chr(10) + '    ')}>>>(\n  {joined});")
        elif style == 3:
            lambda_name = self.fresh("go")
            self.text.add(f"const auto {lambda_name} = [&] {{ {name} <<< {configuration} >>> ({joined}); }};")
            self.text.add(f"{lambda_name}();")
        elif style == 4:
            config = self.fresh("grid")
            self.text.add(f"const dim3 {config}({', '.join(map(str, grid))});"
                          if grid_text not in ("0", "dim3(1, 0)", "dim3(0, 1, 1)") else f"const dim3 {config}(0);")
            self.text.add(f"if (true) {name}<<<{config}{configuration[len(grid_text):]}>>>({joined});")
        elif style == 5 and "nullptr" not in joined and (kernel.template_arguments or not kernel.template) and "1, 1, 65" not in block_text:
            # As a library would launch it.
            pointers = self.fresh("arguments")
            copies = []
            for text in shown:
                copy = self.fresh("argument")
                self.text.add(f"auto {copy} = {text};")
                copies.append(f"&{copy}")
            self.text.add(f"void* {pointers}[] = {{{', '.join(copies)}}};")
            self.text.add(f"cudaLaunchKernel({name}, dim3({grid_text}), dim3({block_text}), "
                          f"{pointers}, {bytes_text}, {self.stream or 'nullptr'});")
        else:
            self.text.add(f"{name}<<<{configuration}>>>({joined});")
        self.text.add("check(cudaGetLastError());")
        if r.chance(70):
            self.text.add("check(cudaDeviceSynchronize());")

        def step():
            sizes = dict(kernel.shared)
            if dynamic:
                sizes[dynamic[0]] = (dynamic[2], elements)

            def shared():
                return {n: [SharedBarrier() for _ in range(size)] if type == "barrier" else
                        Memory(n, type, size, "shared") for n, (type, size) in sizes.items()}
            self.machine.launch(kernel.compiled(), given, grid, block, shared, 0)
        self.steps.append(step)

    def download(self, a, count=None):
        """The host looks at it: this is what is compared."""
        count = a.size if count is None else count
        if a not in self.live:
            return
        host = self.fresh("h")
        self.text.add(f"std::vector<{a.type}> {host}({count});")
        copied = min(count, a.elements)
        if self.site("copy of more bytes than there are"):
            copied = a.elements + 1
            self.text.add(f"{host}.resize({copied});")
            self.fails("cudaErrorInvalidValue")
        self.text.add(f"check(cudaMemcpy({host}.data(), {a.name}, {copied} * sizeof({a.type}), "
                      "cudaMemcpyDeviceToHost));")
        self.text.add(f"came(\"{a.name}\", {host});")

        def step():
            values = a.memory.values[:count]
            self.results.append((a.name, a.type, values + [a.memory.zero()] * (count - len(values))))
        self.steps.append(step)

    def finish(self):
        for a in list(self.live):
            self.free(a)
        if self.stream:
            self.text.add(f"check(cudaStreamDestroy({self.stream}));")
        self.text.indent -= 1
        self.text.add("}")
        self.text.add(f"}}  // namespace {self.name}")

    # What must come.

    def evaluate(self):
        """Runs it in Python. Sets `faults`, `error`, `hash`."""
        try:
            for step in self.steps if not self.known else ():
                step()
        except Ended as e:
            self.error = e.error
        self.faults = self.machine.faults | self.known
        self.needs_value = bool(self.faults) and self.faults == self.machine.bad_loads
        data = digest(b"")
        if not self.faults and not self.error:
            for name, type, values in self.results:
                if any(v is None for v in values):
                    raise Unsuitable(f"{name} is not written as a whole")
                data = digest(packed(type, values), data)
        self.hash = data


class Ended(Exception):
    def __init__(self, error):
        self.error = error


def mixed(x):
    x = (x + 0x9E3779B9) & 0xFFFFFFFF
    x = (x ^ (x >> 16)) * 0x85EBCA6B & 0xFFFFFFFF
    x = (x ^ (x >> 13)) * 0xC2B2AE35 & 0xFFFFFFFF
    return x ^ (x >> 16)


def values_of(type, seed, size, low, high):
    values = [low + mixed(seed + i) % (high - low + 1) for i in range(size)]
    return [float(v) for v in values] if type in ("float", "double") else values


class Kernel:
    """Writes one kernel or device function into a case."""

    def __init__(self, case, parameters, name="work_kernel", device=False, result="void", sizes=()):
        """`parameters`: Arrays of space "global" (pointers), and Values (numbers)."""
        self.case, self.text, self.random = case, case.text, case.random
        self.name = case.fresh(name.replace("_kernel", "")) + ("" if device else "_kernel")
        case.kernel_names.append(self.name)
        self.device, self.shared, self.parameters = device, {}, parameters
        self.bounds = None
        self.template, self.template_arguments = None, ""
        self.python_from = len(self.text.python)
        self.code = None
        shown = []
        r = self.random
        self.type_name = {}
        templated = [p for p in parameters if isinstance(p, Array)]
        self.sizes = {}
        if not device and templated and r.chance(25):
            self.template = templated[0].type
            self.type_name[self.template] = "T"
            self.template_arguments = r.pick([f"<{self.template}>", f"<{self.template}>", ""])
        template_head = "<class T>"
        if sizes and r.chance(40):
            self.sizes = {size: case.fresh("size") for size in sizes}
            values = list(self.sizes)
            heads = [f"{r.pick(['int', 'int', 'unsigned', 'auto'])} {self.sizes[v]}" for v in values]
            shown_values = [r.pick([str(v), f"({v} > 0 ? {v} : 1)", f"{v - 1} + 1", f"({2 * v} >> 1)"]) for v in values]
            if self.template:
                template_head = f"<class T, {', '.join(heads)}>"
                shown_values = [self.template, *shown_values]
            else:
                template_head = f"<{', '.join(heads)}>"
            self.template = self.template or "a number"
            self.template_arguments = f"<{', '.join(shown_values)}>"
        for p in parameters:
            if isinstance(p, Array):
                t = self.shown_type(p.type)
                const = "const " if p.const else ""
                restrict = r.pick(["", "", " __restrict__"]) if not device else ""
                if isinstance(p, Array) and p.space == "shared":
                    restrict = ""
                shown.append(f"{const}{t}*{restrict} {p.name}")
            else:
                shown.append(f"{p.type} {p.c}")
        joined = r.pick([", ", ", ", ",\n    "]).join(shown)
        before = f"{'__device__' if device else '__global__'}"
        bounds = ""
        if not device and r.chance(10):
            self.bounds = 1024
            bounds = r.pick(["__launch_bounds__(1024) ", "__launch_bounds__(512 * 2, 1) "])
        if device:
            before += r.pick(["", " inline", " __forceinline__", " __noinline__", ""])
        header = f"{before} {bounds}{result} {self.name}({joined}) {{"
        if self.template:
            header = r.pick([f"template {template_head}\n", f"template {template_head} "]) + header
        elif not device and r.chance(30):
            header = "static " + header
        elif device and r.chance(30):
            header = "static " + header.replace("__forceinline__", "inline __attribute__((always_inline))")
        python_name = "kernel" if not device else self.name
        case.text.python = []
        arguments = ", ".join(p.name if isinstance(p, Array) else p.p for p in parameters)
        self.text.add(header, f"def {python_name}(M, t, S{', ' if arguments else ''}{arguments}):")
        self.text.indent += 1
        self.text.python_indent += 1
        self.text.add(None, "if False: yield")

    def shown_type(self, type):
        return self.type_name.get(type, type)

    def end(self):
        self.text.indent -= 1
        self.text.python_indent -= 1
        self.text.add("}")
        self.code = "\n".join(self.text.python)
        self.text.python = []
        if self.device:
            self.case.helpers = getattr(self.case, "helpers", "") + self.code + "\n"

    def compiled(self):
        space = dict(FUNCTIONS)
        for name, memory in self.case.arrays.items():
            space[name] = memory
        exec(getattr(self.case, "helpers", "") + self.code, space)
        return space["kernel"]

    # Expressions.

    def size(self, value):
        """A number that is known when compiling: as such, as blockDim.x where it is that, or a template's argument."""
        if value in self.sizes:
            name = self.sizes[value]
            return Value("int", self.random.pick([f"static_cast<int>({name})", f"int({name})"]), f"({value})")
        return number("int", value)

    def index(self, which):
        """threadIdx.x and the like, as an int."""
        short = {"threadIdx": "t", "blockIdx": "b", "blockDim": "bd", "gridDim": "gd"}
        word, axis = which.split(".")
        p = f"t.{short[word]}{axis}"
        c = self.random.pick([f"static_cast<int>({which})", f"(int){which}", f"int({which})"])
        return Value("int", c, p)

    def load(self, a, *index):
        c, p = self.element(a, index)
        if a.space == "global" and a.const and self.random.chance(10):
            c = f"__ldg(&{c})"
        return Value(a.type, c, f"M.load(t, {a.name}, {p}, @L)")

    def element(self, a, index):
        if len(index) == 1:
            i = index[0]
            style = self.random.below(12)
            if style == 0:
                return f"(*({a.name} + {i.c}))", i.p
            if style == 1:
                return f"(&{a.name}[0])[{i.c}]", i.p
            if style == 2 and a.space != "dynamic_class":
                return f"{a.name}[0 + {i.c}]", i.p
            return f"{a.name}[{unwrapped(i.c)}]", i.p
        c = a.name + "".join(f"[{unwrapped(i.c)}]" for i in index)
        p = index[0].p
        for extent, i in zip(a.dims[1:], index[1:]):
            p = f"(({p}) * {extent} + {i.p})"
        return c, p

    # Statements.

    def let(self, value, name=None, type=None, const=True):
        self.case.comment()
        type = type or value.type
        name = self.case.fresh(name or "v")
        word = self.random.pick(["const ", "const ", ""]) if const else ""
        shown = "auto" if const and value.c.startswith("static_cast<") and self.random.chance(20) else \
            self.shown_type(type)
        style = self.random.below(8)
        if style == 0 and shown != "auto":
            self.text.add(f"{word}{shown} {name}({unwrapped(value.c)});", f"{name} = {value.p}")
        elif style == 1 and shown != "auto" and not word:
            self.text.add(f"{shown} {name};")
            self.text.add(f"{name} = {unwrapped(value.c)};", f"{name} = {value.p}")
        else:
            self.text.add(f"{word}{shown} {name} = {unwrapped(value.c)};", f"{name} = {value.p}")
        return Value(type, name, name)

    def mutable(self, value, name=None):
        return self.let(value, name, const=False)

    def assign(self, variable, value):
        self.text.add(f"{variable.c} = {unwrapped(value.c)};", f"{variable.p} = {value.p}")

    def add_to(self, variable, value):
        new = variable + value
        if self.random.chance(50):
            self.text.add(f"{variable.c} += {unwrapped(value.c)};", f"{variable.p} = {new.p}")
        else:
            self.assign(variable, new)

    def store(self, a, index, value):
        index = index if isinstance(index, (list, tuple)) else [index]
        c, p = self.element(a, index)
        split = self.random.pick([" = ", " = ", " = ", " =\n  "])
        self.text.add(f"{c}{split}{unwrapped(value.c)};", f"M.store(t, {a.name}, {p}, {value.p}, @L)")

    def change(self, a, index, function):
        """a[index] = function(a[index])"""
        index = index if isinstance(index, (list, tuple)) else [index]
        c, p = self.element(a, index)
        old = Value(a.type, c, f"M.load(t, {a.name}, {p}, @L)")
        new = function(old)
        self.text.add(f"{c} = {unwrapped(new.c)};", f"M.store(t, {a.name}, {p}, {new.p}, @L)")

    def atomic(self, op, a, index, value, result=None):
        index = index if isinstance(index, (list, tuple)) else [index]
        c, p = self.element(a, index)
        name = {"add": "Add", "sub": "Sub", "max": "Max", "min": "Min", "and": "And", "or": "Or", "xor": "Xor",
                "exch": "Exch", "inc": "Inc", "dec": "Dec"}[op]
        suffix = self.random.pick(["", "", "", "_block"]) if a.space in ("shared", "dynamic") else ""
        expression = f"atomic{name}{suffix}(&{c}, {unwrapped(value.c)})"
        python = f"M.atomic(t, '{op}', {a.name}, {p}, {value.p}, @L)"
        if result:
            return self.let(Value(a.type, expression, python), result)
        self.text.add(f"{expression};", python)

    def barrier(self, fault="missing barrier"):
        """With a fault: it may be left out, or come to be inside an if."""
        if fault and self.case.site(fault):
            return
        if fault and self.case.site("barrier inside an if"):
            with self.if_(Value("bool", "threadIdx.x % 2 == 0", "t.tx % 2 == 0")):
                self.text.add("__syncthreads();", "yield ('barrier', @L, None, None)")
            self.text.add(None, "pass")
            return
        if fault and not self.device and self.case.site("return before a barrier"):
            with self.if_(Value("bool", "threadIdx.x == blockDim.x - 1", "t.tx == t.bdx - 1")):
                self.text.add("return;", "return")
        self.text.add("__syncthreads();", "yield ('barrier', @L, None, None)")

    def barrier_vote(self, how, condition):
        """__syncthreads_count and the like."""
        c = f"__syncthreads_{how}({condition.c})"
        return Value("int", c, f"int((yield ('barrier', @L, {condition.p}, '{how}')))")

    def syncwarp(self, mask=0xFFFFFFFF, fault="missing __syncwarp"):
        if fault and self.case.site(fault):
            return
        text = "" if mask == 0xFFFFFFFF and self.random.chance(60) else f"0x{mask:x}u"
        self.text.add(f"__syncwarp({text});", f"yield ('syncwarp', @L, {mask})")

    def shuffle(self, mode, value, operand, width=32, mask=0xFFFFFFFF):
        name = {"idx": "__shfl_sync", "up": "__shfl_up_sync", "down": "__shfl_down_sync", "xor": "__shfl_xor_sync"}[mode]
        mask_c = "~0u" if mask == 0xFFFFFFFF and self.random.chance(40) else f"0x{mask:x}u"
        width_c = "" if width == 32 and self.random.chance(70) else f", {width}"
        return Value(value.type, f"{name}({mask_c}, {value.c}, {operand.c}{width_c})",
                     f"(yield ('shuffle', @L, {mask}, {value.p}, '{mode}', {operand.p}, {width}))")

    def vote(self, what, condition, mask=0xFFFFFFFF):
        c = f"__{what}_sync(0x{mask:x}u, {condition.c})"
        p = f"(yield ('{what}', @L, {mask}, {condition.p}))"
        return Value("unsigned", c, p) if what == "ballot" else Value("int", c, f"int({p})")

    def if_(self, condition):
        return Block(self.text, f"if ({unwrapped(condition.c)}) {{", f"if {condition.p}:")

    def else_(self):
        last = self.text.lines.pop()
        assert last.strip() == "}"
        del self.text.spans[self.text.line()]
        return Block(self.text, "} else {", "else:")

    def for_(self, low, high, step=1, name="j", unroll=True):
        """for (int j = low; j < high; j += step); low, high and step are Values or ints."""
        low, high, step = (number("int", v) if isinstance(v, int) else v for v in (low, high, step))
        name = self.case.fresh(name)
        variable = Value("int", name, name)
        if unroll and self.random.chance(15):
            self.text.add(self.random.pick(["#pragma unroll", "#pragma unroll 2", "_Pragma(\"unroll\")"]))
        style = self.random.below(6)
        increment = self.random.pick([f"++{name}", f"{name}++"]) if step.p == "(1)" else f"{name} += {step.c}"
        python = f"for {name} in range({low.p}, {high.p}, {step.p}):"
        if style == 0:
            increment = f"{name} = {name} + {step.c}"
        c = f"for (int {name} = {unwrapped(low.c)}; {name} < {unwrapped(high.c)}; {increment}) {{"
        return LoopBlock(self.text, c, python, variable)

    def text_block(self, c, p):
        return Block(self.text, c, p)

    def while_(self, condition):
        return Block(self.text, f"while ({unwrapped(condition.c)}) {{", f"while {condition.p}:")

    def return_(self, value=None):
        self.text.add(f"return{' ' + value.c if value else ''};", f"return{' ' + value.p if value else ''}")

    # Shared memory.

    def shared_array(self, type, *dims, name="tile", padding=0):
        name = self.case.fresh(name)
        size = 1
        for d in dims:
            size *= d
        shown = "".join(f"[{self.sizes.get(d, d)}]" for d in dims)
        r = self.random
        word = r.pick(["__shared__ {t} {n}{d};", "__shared__ {t} {n}{d};", "__shared__ alignas(16) {t} {n}{d};",
                       "__shared__\n    {t} {n}{d};", "static __shared__ {t} {n}{d};", "__shared__ {t} {n}{d};"])
        self.text.add(word.format(t=self.shown_type(type), n=name, d=shown), f"{name} = S['{name}']")
        self.shared[name] = (type, size)
        a = Array(name, type, size, "shared", dims)
        return a

    def shared_scalar(self, type, name="flag"):
        name = self.case.fresh(name)
        self.text.add(f"__shared__ {self.shown_type(type)} {name};", f"{name} = S['{name}']")
        self.shared[name] = (type, 1)
        return Array(name, type, 1, "shared", (1,))

    def load_scalar(self, a):
        return Value(a.type, a.name, f"M.load(t, {a.name}, 0, @L)")

    def dynamic_array(self, type):
        name = self.case.fresh("dynamic")
        r = self.random
        if r.chance(30):
            self.text.add(f"extern __shared__ __align__(16) unsigned char {name}_raw[];")
            self.text.add(f"{type}* {name} = reinterpret_cast<{type}*>({name}_raw);", f"{name} = S['{name}']")
        else:
            self.text.add(f"extern __shared__ {type} {name}[];", f"{name} = S['{name}']")
        a = Array(name, type, 0, "dynamic")
        return a


class LoopBlock(Block):
    def __init__(self, text, c, p, variable):
        super().__init__(text, c, p)
        self.variable = variable

    def __enter__(self):
        super().__enter__()
        return self.variable


def unwrapped(c):
    """Without one pair of parentheses around the whole."""
    if c.startswith("(") and c.endswith(")"):
        depth = 0
        for i, letter in enumerate(c):
            depth += (letter == "(") - (letter == ")")
            if depth == 0:
                return c[1:-1] if i == len(c) - 1 else c
    return c
