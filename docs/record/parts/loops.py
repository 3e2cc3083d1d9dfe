# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What nvcc makes of some kernels: the instructions of the loops that decide a reason for a time. Needs no GPU.

    docs/record/measure loops FOLDER

Compiles the kernels for compute capability 9.0 as the preset gpu does, and reads their machine code (nvcc, cuobjdump). FOLDER
gets record.json and loops.csv, with one row for each kernel:

    table              the chapter whose table it is in
    kernel             the version, as the tables of the lessons call it
    of                 loop: the one with the most multiply-adds; kernel: all of it
    test, tap, sample  of docs/record/programs/controls/inner_loop.cu, which combination it is
    multiply_adds      FFMA. In a loop over taps, the taps of one round for each output
    instructions, per_multiply_add
    LDG, LDS           loads from global and from shared memory
    LDC, LDC_64        loads from constant memory for each lane, of 4 and of 8 bytes
    ULDC, ULDC_64      the same, once for the warp
    local              loads and stores of local memory
    others             neither of these, nor multiply-adds

Of whole kernels, LDC to ULDC_64 count only what a kernel has in __constant__ memory, and not its arguments.
"""

import collections
import datetime
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import records  # noqa: E402
from records import Problem  # noqa: E402

LOADS = ("LDG", "LDS", "LDC", "LDC_64", "ULDC", "ULDC_64", "local")
COLUMNS = ("table", "kernel", "of", "test", "tap", "sample", "multiply_adds", "instructions", "per_multiply_add", *LOADS, "others")

# Table, file, what the linker's name of the kernel matches, the kernel's name in the table.
DIRECT = ("02_direct_kernel/convolve_direct.cu", r"convolve_direct_kernelIf", "02 direct")
LOOPS = [
    ("02", *DIRECT),
    ("02", "02_direct_kernel/convolve_direct_interior.cu", r"convolve_direct_interior_kernelIf", "02 direct_interior"),
    ("04", *DIRECT),
    ("04", "04_constant_memory/convolve_constant.cu", r"convolve_constant_kernelIf", "04 constant_loaded"),
    ("04", "04_constant_memory/convolve_parameter_taps.cu", r"kernelIfLm4064E", "04 parameter_taps"),
    ("04", "04_constant_memory/convolve_constant_interior.cu", r"convolve_constant_interior_kernelIf", "04 constant_interior"),
    ("06", "06_register_tiling/window_place.cu", r"convolve_window_kernelILNS_12window_placeE0", "in registers"),
    ("06", "06_register_tiling/window_place.cu", r"convolve_window_kernelILNS_12window_placeE1", "in local memory"),
]
KERNELS = [
    ("08", "08_dct8x8/kernels/dct8x8_per_coefficient.cu", r"\d+dct8x8_per_coefficient_kernel", "forward"),
    ("08", "08_dct8x8/kernels/dct8x8_per_coefficient.cu", r"\d+idct8x8_per_coefficient_kernel", "inverse"),
]
COMBINATIONS = "docs/record/programs/controls/inner_loop.cu"


def functions(text):
    """{the linker's name: [(address, operation, operands)]} of what cuobjdump -sass prints."""
    found, code = {}, []
    for line in text.splitlines():
        if name := re.match(r"\s*Function : (\S+)", line):
            code = found.setdefault(name[1], [])
        elif step := re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*);", line):
            code.append((int(step[1], 16), step[2], step[3]))
    return found


def is_multiply_add(operation):
    return operation.split(".")[0] in ("FFMA", "DFMA")


def main_loop(code):
    """The part between a branch back and its target that has the most multiply-adds, and no other loop in it."""
    loops = []
    for address, operation, operands in code:
        target = re.search(r"0x([0-9a-f]+)", operands)
        if operation.split(".")[0] == "BRA" and target and int(target[1], 16) <= address:
            loops.append((int(target[1], 16), address))
    inner = [a for a in loops if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    bodies = [[step for step in code if begin <= step[0] <= end] for begin, end in inner]
    best = max(bodies, key=lambda body: sum(is_multiply_add(step[1]) for step in body), default=[])
    if not any(is_multiply_add(step[1]) for step in best):
        raise Problem("the machine code has no loop with a multiply-add")
    return best


def kind_of(operation):
    """The column in which a load or a multiply-add is counted; None for another instruction."""
    name, *suffixes = operation.split(".")
    if is_multiply_add(operation):
        return "multiply_adds"
    if name in ("LDL", "STL"):
        return "local"
    if name in ("LDC", "ULDC"):
        return name + ("_64" if "64" in suffixes else "")
    return name if name in ("LDG", "LDS") else None


def counted(code, constants_only=False):
    """The cells of a row from multiply_adds on."""
    counts = collections.Counter()
    for _, operation, operands in code:
        kind = kind_of(operation)
        argument = kind is not None and "LDC" in kind and constants_only and "c[0x3]" not in operands
        counts[None if argument else kind] += 1
    row = {name: counts[name] for name in ("multiply_adds", *LOADS)}
    row |= {"instructions": len(code), "others": counts[None]}
    if counts["multiply_adds"]:
        row["per_multiply_add"] = f"{len(code) / counts['multiply_adds']:.3g}"
    return row


def combination(name):
    """The cells test, tap and sample of a kernel of inner_loop.cu; None for another function."""
    found = re.search(r"loop_kernelILb([01])ELNS\w*?tap_byE([012])ELb([01])E", name)
    return found and {
        "test": ("no", "yes")[int(found[1])],
        "tap": ("LDG", "LDC", "ULDC")[int(found[2])],
        "sample": ("global", "shared")[int(found[3])],
    }


def the_one(found, pattern, file):
    names = [name for name in found if re.search(pattern, name)]
    if len(names) != 1:
        raise Problem(f"{file} has {len(names)} kernels {pattern}")
    return found[names[0]]


def rows_of(machine_code):
    """All rows; machine_code(file) are the functions of a file."""
    rows = []
    for table, file, pattern, kernel in LOOPS:
        loop = main_loop(the_one(machine_code("chapters/" + file), pattern, file))
        rows.append({"table": table, "kernel": kernel, "of": "loop", **counted(loop)})
    found = [(combination(name), code) for name, code in machine_code(COMBINATIONS).items()]
    found = [(cells, code) for cells, code in found if cells]
    for cells, code in sorted(found, key=lambda one: (one[0]["test"] != "yes", one[0]["tap"], one[0]["sample"])):
        rows.append({"table": "05", "kernel": "inner loop", "of": "loop", **cells, **counted(main_loop(code))})
    for table, file, pattern, kernel in KERNELS:
        code = the_one(machine_code("chapters/" + file), pattern, file)
        rows.append({"table": table, "kernel": kernel, "of": "kernel", **counted(code, constants_only=True)})
    return rows


def compiled(folder):
    """machine_code() for rows_of(): compiles each file once."""
    nvcc, cuobjdump, known = records.tool("nvcc"), records.tool("cuobjdump"), {}

    def machine_code(file):
        if file not in known:
            target = folder / (pathlib.Path(file).stem + ".cubin")
            options = ["-std=c++20", "-O3", "-arch=sm_90", "-I.", "-Ichapters", "-Idocs/record/programs", "-cubin"]
            for command in ([nvcc, *options, file, "-o", str(target)], [cuobjdump, "-sass", str(target)]):
                done = subprocess.run(command, cwd=records.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                if done.returncode:
                    raise Problem(f"'{' '.join(command)}' failed:\n{done.stderr[-2000:]}")
            known[file] = functions(done.stdout)
        return known[file]

    return machine_code


def make_record(folder):
    version = subprocess.run([records.tool("nvcc"), "--version"], stdout=subprocess.PIPE, text=True).stdout
    record = {
        "device": "code for compute capability 9.0",
        "compiler": "nvcc " + (re.search(r"V([0-9.]+)", version) or ["", "unknown"])[1],
        "date": datetime.date.today().isoformat(),
        "command": f"docs/record/measure loops docs/measurements/{folder.resolve().name}",
    }
    records.new_folder(folder)
    with tempfile.TemporaryDirectory() as scratch:
        rows = rows_of(compiled(pathlib.Path(scratch)))
    records.write_csv(folder / "loops.csv", COLUMNS, rows)
    records.save_facts(folder, record)
    return 0


def main(arguments=None):
    parser = records.parser(__doc__)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    return records.ending("measure loops", lambda: make_record(options.folder))


if __name__ == "__main__":
    sys.exit(main())
