#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Checks the answers of a class: chapters/grade, once everything is built. See docs/teaching.md.

    grade_class.py ROOT [--targets] FOLDER GRADES.csv [CHAPTER [N] | EXERCISE...] [OPTIONS]

What others wrote is compiled and run by apart.py only, and is believed where its seal is right (tests/exercises/seal.hpp).
"""

import argparse
import collections
import concurrent.futures
import csv
import dataclasses
import hashlib
import io
import json
import os
import pathlib
import queue
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import apart
import class_pages
import hand_ins

HELP = """Checks the exercises that a class has handed in, on the emulated device. GRADES.csv gets one line for each answer.
Beside it, the folder GRADES_pages gets the page of the class, index.html, and a page for each student. FOLDER has a folder or
a .zip for each submission, whatever is in it: a clone of this repository, its chapters/, or only the files."""
MORE_HELP = """EXERCISE is 02, or 05.3, or CHAPTER N. Each answer is compiled and run apart from this machine: it sees its own file, the
headers, the checks and the libraries, and has no network. Rows of answers that have not changed are kept, and their programs
do not run again. Exit status: 0 table and pages are written, 1 they could not be made, 2 bad usage."""
PRIME = (1 << 61) - 1
# What an answer may not define or use, and why: the student reads it. Names as the linker knows them.
FORBIDDEN = [
    ("starts or steers processes", r"v?fork|exec[lv]p?e?|execveat|fexecve|posix_spawnp?|system|popen|p?clone3?|ptrace|process_vm_\w+|t?g?kill|killpg"
     r"|prctl|arch_prctl|unshare|setns|wait(pid|id)?|sigqueue|pthread_kill"),
    ("opens files, pipes or connections", r"(f|fd|fre)?open(at)?(64)?|fopencookie|creat(64)?|_?dup[23]?|pipe2?|socket(pair)?|connect|bind|shm\w+|memfd_create"
     r"|opendir|_ZNSt\d+basic_i?o?fstream.*|_ZNSt\d+basic_filebuf.*|_ZNSt10filesystem.*|_ZSt\w*filebuf.*"),
    ("uses descriptors or memory behind the back of the language", r"p?(read|write)v?2?(64)?|send(file|to|msg)?(64)?|recv\w*|f?cntl(64)?|ioctl|splice|m(map|protect|remap|unmap)(64)?"
     r"|pkey_\w+|brk|sbrk|syscall|vmsplice|mincore"),
    ("loads or looks for code", r"_*dl\w*open|dlm?sym|dlvsym|dladdr1?|dl_iterate_phdr|__libc_\w+|_rtld_\w+|_r_debug|_dl_\w+"),
    ("changes the environment", r"(un)?setenv|putenv|clearenv|_*environ"),
    ("reaches into the checks", r"_Z\w*7doctest.*|_Z\w*8tutorial(4seal|6record|13record_result|11seal_result|17count_kernel_work).*|.*exercise_result.*"),
    ("steers the emulated device", r"_ZN13cuda_emulator\d+(set_|hear_|begin_|end_|show_|keep_|forget_errors|report|trace).*"),
]
FORBIDDEN = [(reason, re.compile(f"(?:{pattern})")) for reason, pattern in FORBIDDEN]
SECTIONS = re.compile(
    r"\.(text|data|rodata|bss|tdata|tbss|init_array|fini_array|comment|note|eh_frame|gcc_except_table|debug|group|gnu\.attributes)([._]|$)"
)
SYSTEM_CALL = r"\b(syscall|sysenter|sysexit|int +\$0x80|svc|wrfsbase|wrpkru)\b"
LMS = {
    "moodle": ["Username"],
    "canvas": ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"],
    "gradescope": ["Name", "SID", "Email"],
}


def refuse(text):
    print(text, file=sys.stderr)
    sys.exit(2)


@dataclasses.dataclass(eq=False)
class Exercise:
    number: str
    n: str
    chapter: str
    name: str  # 2_clamped_edges.cu
    title: str = ""
    hints: list = dataclasses.field(default_factory=list)

    @property
    def bare(self):
        return self.name[2:]

    @property
    def folder(self):
        return f"chapters/{self.chapter}/exercises/{self.name.rsplit('.', 1)[0]}"


@dataclasses.dataclass
class Row:
    student: str
    number: str
    n: str
    title: str = ""
    result: str = "missing"
    passed: int = 0
    checks: int = 0
    message: str = ""
    flags: list = dataclasses.field(default_factory=list)
    case: str = ""
    sentence: str = ""
    what: str = ""
    cause: str = ""
    place: str = ""
    further: int = 0
    screen: str = ""  # as chapters/exercise check has it
    hint: int = 1
    note: str = ""
    key: str = ""
    shape: str = ""
    own: int = 0  # words that the starter has not
    report: str = ""


def all_exercises(root):
    found = sorted(root.glob("chapters/[0-9][0-9]_*/solutions/[0-9]*"))
    return [Exercise(each.parts[-3][:2], each.name[0], each.parts[-3], each.name) for each in found]


def chosen(words, exercises):
    """The exercises that the words CHAPTER N, or 02.1 05.3, mean; the name of an exercise is as good as its number."""
    if len(words) == 2 and "." not in "".join(words):
        words = [".".join(words)]
    result = []
    for word in words:
        parts = re.fullmatch(r"(\d{1,2})(?:_\w*)?(?:\.(\w+))?", word)
        mine = [
            e for e in exercises if parts and int(e.number) == int(parts[1])
            and (not parts[2] or parts[2].lstrip("0") in (e.n, e.bare.rsplit(".", 1)[0], e.name.rsplit(".", 1)[0]))
        ]
        if not mine:
            refuse(f"There is no exercise '{word}'. chapters/exercise list shows all there are.")
        result += mine
    return result or exercises


def arguments(root, words):
    parser = argparse.ArgumentParser("chapters/grade", description=HELP, epilog=MORE_HELP)
    add = parser.add_argument
    add("folder", metavar="FOLDER", type=pathlib.Path)
    add("grades", metavar="GRADES.csv", type=pathlib.Path)
    add("exercises", metavar="EXERCISE", nargs="*", help="only these exercises")
    add("--only", metavar="STUDENT", action="append", default=[], help="only this student; may be given again")
    add("--resume", action="store_true", help="keep every row that is there, and make those that are missing")
    add("--jobs", metavar="N", type=int, default=os.cpu_count(), help="answers at a time (default: as many as cores)")
    add("--sizes", metavar="FOLDER", type=pathlib.Path, help="your own checks, NN_N.cpp, for answers that pass ours")
    add("--lms", choices=LMS, help="also write GRADES_lms.csv, a line for each student, to import there")
    add("--weights", metavar="FILE", type=pathlib.Path, help="points, a line for each exercise: 02.3 5 (default 1)")
    add("--logs", metavar="FOLDER", type=pathlib.Path, help="keep what the compiler and each program said")
    add("--reports", action="store_true", help="keep the report of each run that did not pass: the pages link to it")
    add("--seconds", metavar="S", type=int, default=20, help="time for each program, six times that for its compiler (default 20)")
    add("--memory", metavar="GIB", type=float, default=4, help="memory that either may really use (default 4)")
    add("--trust", action="store_true", help="run answers as you, with your files and your network, and nothing apart")
    add("--yes", "-y", action="store_true", help="install what is missing without asking")
    given = parser.parse_args(words)
    if not given.folder.is_dir():
        refuse(f"There is no folder '{given.folder}': give the one that holds a folder for each submission.")
    given.folder = folder = given.folder.resolve()
    place = given.grades.absolute().parent
    pages = given.grades.with_name(given.grades.stem + "_pages")
    if given.grades.suffix != ".csv" or given.grades.is_dir():
        refuse(f"'{given.grades}' should be a file that ends in .csv: the table is written there.")
    if not os.access(place, os.W_OK):
        refuse(f"'{place}' cannot be written to: there would be no table.")
    index = pages / "index.html"
    if pages.exists() and not (index.is_file() and 'content="chapters/grade"' in index.read_text(errors="replace")):
        refuse(f"'{pages}' is not a folder that this command has made, and the pages would go there: move it.")
    if given.logs and given.logs.resolve().is_relative_to(folder):
        refuse(f"The logs cannot go into '{folder}': they would be taken for a submission.")
    for name in ("jobs", "seconds", "memory"):
        if not 0.1 <= getattr(given, name) <= 9999:
            refuse(f"--{name} is a number from 1 on.")
    given.every = all_exercises(root)
    given.chosen = chosen(given.exercises, given.every)
    given.points = {f"{e.number}.{e.n}": 1.0 for e in given.chosen}
    for line in given.weights.read_text().splitlines() if given.weights else []:
        words = line.split("#")[0].split()
        if words and (len(words) != 2 or not re.fullmatch(r"\d+(\.\d+)?", words[1])):
            refuse(f"'{line}' in {given.weights}: an exercise and its points are wanted, as in 02.3 5.")
        if words:
            given.points[words[0]] = float(words[1])
    return given


def write_whole(path, text):
    """So that at every moment there is the old file or the new one."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".", suffix=".new", delete=False, encoding="utf-8", errors="replace") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def symbols_of(text):
    """{name: type} of what `nm -P` says, without what is local."""
    lines = (line.split(" ") for line in text.splitlines())
    return {words[0]: words[1] for words in lines if len(words) > 1 and (words[1].isupper() or words[1] in "iuvw")}


def in_cpp(name):
    return subprocess.run(["c++filt", name], stdout=subprocess.PIPE, text=True, check=False).stdout.split("(")[0].strip() or name


def is_sealed(record, key):
    """The record without its seal; None where the seal is not that of the checks."""
    text, found, seal = record.rpartition(b"seal\t")
    words = [int.from_bytes(key[i : i + 8], "little") % PRIME for i in range(0, 32, 8)]
    wanted = ""
    for point, offset in zip(words[:2], words[2:]):
        value = 0
        for byte in text:
            value = (value + byte + 1) * point % PRIME
        wanted += f"{(value + offset) % PRIME:016x}"
    return text if found and seal.strip() == wanted.encode() else None


@dataclasses.dataclass
class Basis:
    """What an exercise's answers are held against: its solution, compiled and run as they are."""

    compile: list
    link: list
    answer_object: str
    checks_object: str
    sees: list
    key: str = ""
    starter: bytes = b""
    solution: bytes = b""
    symbols: dict = dataclasses.field(default_factory=dict)  # of the solution's object
    reserved: set = dataclasses.field(default_factory=set)
    of_chapters: set = dataclasses.field(default_factory=set)
    kernels: dict = dataclasses.field(default_factory=dict)
    checks: int = 0
    sizes: str = ""  # the object of the teacher's checks


class Grader:
    def __init__(self, root, given, way, scratch):
        self.root, self.given, self.way, self.scratch = root, given, way, pathlib.Path(scratch)
        self.build = root / "build/emulated"
        self.screen = self.build / "bin/learner_screen"
        self.limits = apart.Limits(given.seconds + 5, int(given.memory * 2**30))
        self.compile_limits = apart.Limits(6 * given.seconds, int(given.memory * 2**30), disk=256 << 20, processes=32)
        self.places = queue.Queue()
        for number in range(given.jobs):
            self.places.put(apart.Apart(way, self.scratch / f"{number}", number))
        self.pages = given.grades.with_name(given.grades.stem + "_pages")
        self.state_file = given.grades.with_name(given.grades.stem + "_state.json")
        try:
            kept = json.loads(self.state_file.read_text())
            self.rows = {(r["student"], r["number"], r["n"]): Row(**r) for r in kept["rows"]}
        except (OSError, ValueError, TypeError, KeyError):
            self.rows = {}
        self.read_lessons()

    def read_lessons(self):
        script = """root=$1; source "$root/common/commands/packages.sh"; source "$root/common/commands/lesson.sh"; shift
        while (( $# )); do
          printf '%s\\0' "$(exercise_title "$root/chapters/$1" "$2")"; count=$(exercise_hint_count "$root/chapters/$1" "$2"); printf '%s\\0' "$count"
          for (( i = 1; i <= count; ++i )); do printf '%s\\0' "$(exercise_details "$root/chapters/$1" "$2" "Hint $i" | plain_signs)"; done; shift 2
        done"""
        words = [word for e in self.given.chosen for word in (e.chapter, e.n)]
        said = subprocess.run(["bash", "-c", script, "bash", self.root, *words], stdout=subprocess.PIPE, check=True).stdout
        fields = iter(said.decode("utf-8", "replace").split("\0"))
        for each in self.given.chosen:
            each.title = next(fields)
            each.hints = [next(fields) for _ in range(int(next(fields)))]

    # How an exercise is compiled, run and judged.

    def headers(self):
        """The files that every answer could be told lies by."""
        for folder in ("common", "chapters", "tests/exercises"):
            for each in (self.root / folder).rglob("*"):
                if each.suffix in (".hpp", ".cuh", ".h", ".def", ".cpp") and "solutions" not in each.parts:
                    yield each

    def untouched(self):
        return hash(tuple((str(e), e.stat().st_mtime_ns, e.stat().st_size) for e in self.watched))

    def prepare(self, e):
        place = self.places.get()
        said = subprocess.run(
            ["ninja", "-C", self.build, "-t", "commands", f"answer_{e.number}_{e.n}"], stdout=subprocess.PIPE, text=True, check=True
        ).stdout.splitlines()
        source = str(self.build / "answers" / e.chapter / e.name.rsplit(".", 1)[0] / e.bare)
        command = next(line for line in said if f"-c {source}" in line)
        command = next(part for part in command.split(" && ") if f"-c {source}" in part)
        words, compile_ = shlex.split(command), []
        answer_object = words[words.index("-o") + 1]
        for word, before in zip(words, ["", *words]):
            if word not in ("-MD", "-MF", "-MT", "-o", "-c", source) and before not in ("-MF", "-MT", "-o"):
                compile_.append(word)
        link = shlex.split(next(line for line in said if f"-o bin/answer_{e.number}_{e.n} " in line).split(" && ")[1])
        relative = os.path.relpath(answer_object, self.build) if os.path.isabs(answer_object) else answer_object
        link.remove(relative)
        del link[link.index("-o") : link.index("-o") + 2]
        checks = next(word for word in link if "/exercise_checks_" in word)
        link.remove(checks)
        libraries = [self.build / word for word in link if (self.build / word).is_file()]
        basis = Basis(compile_, link, relative, str(self.build / checks), self.seen_by(e, libraries))
        basis.starter = subprocess.run(
            ["awk", "-f", self.root / "common/commands/starter.awk", self.root / "chapters" / e.chapter / "solutions" / e.name],
            stdout=subprocess.PIPE, check=True,
        ).stdout
        basis.solution = (self.root / "chapters" / e.chapter / "solutions" / e.name).read_bytes()
        digest = hashlib.sha256(repr((self.limits, self.given.reports)).encode() + basis.solution + pathlib.Path(__file__).read_bytes())
        for each in [*libraries, basis.checks_object, *sorted(self.headers())]:
            if not str(each).endswith(".cpp") or e.folder in str(each):
                digest.update(pathlib.Path(each).read_bytes())
        extra = self.given.sizes and self.given.sizes / f"{e.number}_{e.n}.cpp"
        if extra and extra.exists():
            basis.sizes = str(self.scratch / f"sizes_{e.number}_{e.n}.o")
            words = shlex.split(next(line for line in said if line.endswith(f"{e.folder}/checks.cpp")))
            words = [extra if w.endswith("checks.cpp") else basis.sizes if w.endswith("checks.cpp.o") else w for w in words]
            words = [word for word, before in zip(words, ["", *words]) if word not in ("-MD", "-MT", "-MF") and before not in ("-MT", "-MF")]
            if subprocess.run([*words, "-iquote", self.root / e.folder], cwd=self.build, check=False).returncode != 0:
                refuse(f"Your {extra} does not compile: see above.")
            digest.update(extra.read_bytes())
        basis.key = digest.hexdigest()
        row = Row("", e.number, e.n)
        self.check(place, e, basis, hand_ins.Found("solution", basis.solution), row, {})
        self.places.put(place)
        if row.result != "passed":
            print(row.screen or row.message, file=sys.stderr)
            refuse(f"The solution of exercise {e.number} {e.n} does not pass here: see above. More --seconds or --memory?")
        return basis

    def seen_by(self, e, libraries):
        """The paths that a compiler needs: no solutions, no exercises but this one's contract and checks."""
        seen = [self.root / "common", self.root / "tests/exercises"]
        for chapter in self.root.glob("chapters/[0-9][0-9]_*"):
            seen += [each for each in chapter.iterdir() if each.name not in ("solutions", "exercises", "pictures")]
        seen += [each for each in (self.root / e.folder).iterdir() if each.suffix == ".hpp" or each.name == "checks.cpp"]
        seen += [self.build / "bin/emucc", self.build / "bin/emulator_translate", self.build / "old_names", self.build / "lib"]
        seen += [self.build / "common/emulator"]
        return [*seen, *(each for each in libraries if each.is_relative_to(self.build))]

    def check(self, place, e, basis, found, row, logs):
        """Compiles and runs one answer, and fills in its row."""
        answer = place.folder / "handed_in"
        shutil.rmtree(answer, ignore_errors=True)
        answer.mkdir(mode=0o755)
        for name, data in found.headers.items():
            (answer / name).write_bytes(data)
        source = answer / e.bare
        source.write_bytes(found.text)
        said, about, problem = self.compile(place, e, basis, source)
        logs["compiler"] = said
        row.checks = basis.checks
        if about is None:
            row.result = "out of time" if problem else "does not compile"
            row.message = problem or self.first_complaint(said)
            if not problem:
                (place.folder / "log").write_text(said)
                words = ["build", answer, place.folder / "log", 1000, 0, "", source]
                row.screen = self.own_names(self.ask_screen(*words, self.root / "chapters" / e.chapter / "solutions" / e.name))
                complaint = re.match(r"([^:\s]+:\d+)", row.message)
                row.place = complaint[1] if complaint else ""
            return
        symbols = symbols_of(about["symbols"])
        if row.student:
            reason = self.forbidden(symbols, about, basis)
            if reason:
                row.result, row.message = "not checked", reason
                return
        else:
            basis.symbols = symbols
            basis.reserved = (symbols_of(about["program_symbols"]).keys() | self.library_symbols()) - {n for n, t in symbols.items() if t != "U"}
            libraries = [w for w in basis.link if "/libchapter_" in w and "_checks" not in w]
            said = subprocess.run(["nm", "-P", *libraries], cwd=self.build, stdout=subprocess.PIPE, text=True, check=True).stdout
            basis.of_chapters = {n for n, t in symbols_of(said).items() if t in "TW"}
        if not (place.folder / "program").exists():
            row.result, row.message = "does not compile", self.first_complaint(about["link"])
            row.screen = self.own_names(about["link"])[:4000]
            return
        record, text = self.run(place, e, basis, row, logs, answer, "program")
        if not row.student:
            basis.kernels, basis.checks = self.kernels(text, basis.solution), int((re.search(rb"^done\t(\d+)", record, re.M) or [0, 0])[1])
        if row.result != "passed":
            return
        names = sorted(n for n, t in symbols.items() if t == "U" and n in basis.of_chapters and n not in basis.symbols)
        calls = [name[len(re.match(r"_ZN8tutorial(\d+)", name)[0]) :][: int(re.match(r"_ZN8tutorial(\d+)", name)[1])] for name in names if re.match(r"_ZN8tutorial\d", name)]
        row.flags += [f"calls {name} of this repository" for name in calls[:1]]
        row.flags += self.work_flags(self.kernels(text, found.text), basis)
        if re.search(r"too few addresses|no range of addresses", logs["program"]):
            row.flags.append("device not watched")
        if (place.folder / "with_sizes").exists():
            again = dataclasses.replace(row, flags=[])
            self.run(place, e, basis, again, logs, answer, "with_sizes")
            if again.result != "passed":
                row.__dict__.update(again.__dict__ | {"flags": [*row.flags, "passes only the tested sizes"], "passed": row.passed})

    def compile(self, place, e, basis, source):
        """What the compiler said; what there is to know of its work, None where there is none; and what stopped it."""
        programs = [("program", basis.checks_object)] + ([("with_sizes", basis.sizes)] if basis.sizes else [])
        script = f"""home=$HOME; cd {shlex.quote(str(self.build))} || exit 1
          "$@" -c {shlex.quote(str(source))} -o "$home/answer.o" || exit 1
          exec >"$home/link" 2>&1
          nm -P "$home/answer.o" >"$home/symbols"
          objdump -h "$home/answer.o" >"$home/sections"
          objdump -d --no-show-raw-insn "$home/answer.o" | grep -Eom 1 '{SYSTEM_CALL}' >"$home/calls"
        """
        tail = " ".join(map(shlex.quote, basis.link[1:]))
        for name, checks in programs:  # the checks' own functions come first: of several alike the linker takes those
            script += f'\n{basis.link[0]} {shlex.quote(checks)} libexercise_main.a "$home/answer.o" {tail} -o "$home/{name}"'
        script += '\nnm -P "$home/program" >"$home/program_symbols"; exit 0'
        sees = [source.parent, *basis.sees, *([basis.sizes] if basis.sizes else []), basis.checks_object]
        outcome = place.run(script, basis.compile, sees, self.compile_limits, {"EMUCC_QUIET": "1"}, keeps=True)
        said, home = outcome.said.decode("utf-8", "replace"), place.folder / "home"
        for name in ("program", "with_sizes"):
            (place.folder / name).unlink(missing_ok=True)
            if (home / name).is_file():
                os.replace(home / name, place.folder / name)
        if outcome.stopped in ("time", "memory"):
            return said, None, f"the compiler took too much {outcome.stopped}"
        if outcome.status != 0:
            return said, None, ""
        names = ("symbols", "sections", "calls", "link", "program_symbols")
        return said, {n: (home / n).read_text(errors="replace") if (home / n).exists() else "" for n in names}, ""

    def library_symbols(self):
        if not hasattr(self, "symbols_of_libraries"):
            program = self.build / "bin/learner_screen"
            said = subprocess.run(["ldd", program, self.build / "lib/libcuda_emulator.so"], stdout=subprocess.PIPE, text=True, check=True).stdout
            files = sorted(set(re.findall(r"(/\S+) \(", said)))
            said = subprocess.run(["nm", "-PD", "--defined-only", *files], stdout=subprocess.PIPE, text=True, check=False).stdout
            self.symbols_of_libraries = {name.split("@")[0] for name in symbols_of(said)}
        return self.symbols_of_libraries

    def forbidden(self, symbols, about, basis):
        """Why this object must not run, in words for the student; "" where it may."""
        for name, kind in symbols.items():
            operator = re.match(r"_Z(n|d)[wal]", name)
            plain = not name.startswith("_Z")
            if kind == "i":
                return f"it chooses what {name} is before the program begins (ifunc): an answer may not"
            if kind != "U" and kind != "w" and name in basis.reserved and (kind in "TDBRSC" or plain or operator):
                return f"it defines {in_cpp(name)}, which is a function or variable of the checks or of a library: call yours otherwise, or make it static"
            if kind in "Uwv" and name not in basis.symbols:
                for reason, pattern in FORBIDDEN:
                    if pattern.fullmatch(name):
                        return f"it uses {in_cpp(name)}, which {reason}: an answer may not"
        for name in re.findall(r"^ *\d+ (\S+)", about["sections"], re.M):
            if not SECTIONS.match(name):
                return f"it has a section {name} for the linker: an answer may not"
        if about["calls"]:
            return f"it has a machine instruction that calls the system ({about['calls'].strip()}): an answer may not"
        return ""

    def run(self, place, e, basis, row, logs, answer, program):
        """Runs the checks. Fills in the row; returns the record, and its part under the seal."""
        program, key = place.folder / program, secrets.token_bytes(32)
        environment = {"EMULATOR_THREADS": "2", "OMP_NUM_THREADS": "2", "EXERCISE_ANSWER": e.bare, "MALLOC_ARENA_MAX": "2"}
        takes = ["EXERCISE_RESULT", "ERRORS"]
        if self.given.reports:
            takes.append("REPORT")
        script = f"""{'export EMULATOR_REPORT=$HOME/report.html' if self.given.reports else ''}
          timeout -k 2 {self.given.seconds} "$1" 2>"$ERRORS"; status=$?
          [[ -f $HOME/report.html ]] && cat "$HOME/report.html" >"$REPORT"
          exit $status"""
        outcome = place.run(script, [program], [program, answer, self.build / "lib"], self.limits, environment, {"EXERCISE_SEAL": key}, takes)
        record = outcome.given["EXERCISE_RESULT"][: 1 << 20]
        text, errors = is_sealed(record, key), outcome.given["ERRORS"].decode("utf-8", "replace")
        logs["program"] = outcome.said.decode("utf-8", "replace") + errors
        kept = place.folder / "kept"
        for ending, data in (("result", record.replace(b"\0", b"")), ("out", outcome.said), ("err", errors.encode()), ("warnings", b""), ("log", logs["compiler"].encode())):
            kept.with_suffix("." + ending).write_bytes(data)
        kept.with_suffix(".warnings").write_text(self.ask_screen("warnings", answer, kept.with_suffix(".log"), answer / e.bare))
        fields = self.ask_screen("summary", kept.with_suffix(".result"), e.bare).split("\0")
        all_ran, ended, passed, further, row.case, row.sentence, finding, row.what, row.cause, row.place = fields[:10]
        row.passed, row.further = int(passed), int(further)
        done = re.search(rb"^done\t(\d+)\t(\d+)\t0\n", text or b"", re.M)
        timed_out = outcome.stopped == "time" or outcome.status in (124, 137)
        if done and done[1] == done[2] and int(done[1]) == (basis.checks or int(done[1])) > 0 or program.name == "with_sizes" and done and int(done[1]) > 0:
            row.result, row.case = "passed", ""
            row.sentence = row.what = row.cause = row.place = ""
            row.further = 0
            return record, text
        if timed_out:
            row.result, row.message = "out of time", f"more than {self.given.seconds} seconds"
        elif outcome.stopped == "memory" or "std::bad_alloc" in errors:
            row.result, row.message = "out of memory", f"more than {self.given.memory:g} GiB"
        elif outcome.stopped == "output":
            row.result, row.message = "too much output", f"more than {self.limits.output >> 10} KiB"
        elif outcome.stopped:
            row.result, row.message = "not checked", f"it took too many {outcome.stopped}" if outcome.stopped == "processes" else f"it filled the {outcome.stopped}"
        elif outcome.status > 128:
            row.result, row.message = "crashed", f"signal {outcome.status - 128}" + (f"; {row.sentence}" if row.sentence else "")
        elif outcome.status != 0 or row.sentence or finding:
            row.result = "failed"
            row.message = finding.split("\n")[0] or row.sentence.split("\n")[0] or self.first_complaint(errors)
        elif all_ran:
            row.result, row.message = "not checked", "what it says of its checks is not from the checks"
        else:
            row.result, row.message = "not checked", f"it ended before its checks did: {ended} of {basis.checks} ran"
        if row.result == "failed" and not (row.case or finding):
            row.result, row.message = "not checked", row.message or f"it ended with status {outcome.status} before its checks did"
        row.message, row.place, row.sentence = map(self.own_names, (row.message, row.place, row.sentence))
        stopped = [f"it had run for {self.given.seconds} seconds"] if timed_out else []
        words = ["check", answer, f"{e.number} {e.n}", answer / e.bare, self.root / "chapters" / e.chapter / "solutions" / e.name]
        row.screen = self.own_names(self.ask_screen(*words, kept, "", outcome.status, 1000, 0, row.hint - 1, *stopped))
        logs["report"] = outcome.given.get("REPORT", b"")
        return record, text

    def ask_screen(self, *words):
        done = subprocess.run([self.screen, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=False)
        return done.stdout.decode("utf-8", "replace")

    def own_names(self, text):
        """The answer by its name alone, and our files as in the repository."""
        text = re.sub(r" \(whole log: [^)]*\)", "", text).replace(f"{self.root}/", "")
        return re.sub(r"""[^\s"'`‘<>(]*\bhanded_in/""", "", text)

    def first_complaint(self, said):
        for line in self.own_names(said).splitlines():
            if re.search(r"[eE]rror:|ERROR:|FATAL|undefined reference|multiple definition|cuda[A-Z]|out of memory|: finding", line):
                return line[:200]
        return ""

    @staticmethod
    def kernels(text, source):
        """{kernel: (launches, alone, shared)} of those that the answer has."""
        words = set(re.findall(r"\w+", source.decode("utf-8", "replace")))
        lines = re.findall(rb"^kernel\t([^\t\n]*)\t(\d+)\t(\d+)\t(\d+)$", text or b"", re.M)
        found = {name.decode(): tuple(map(int, counts)) for name, *counts in lines}
        return {name: counts for name, counts in found.items() if re.split("[<(]", name)[0].split("::")[-1] in words}

    @staticmethod
    def work_flags(mine, basis):
        if basis.kernels and not mine:
            return ["launched no kernel"]
        shared = any(each[2] for each in basis.kernels.values())
        if shared and any(each[1] for each in mine.values()) and not any(each[2] for each in mine.values()):
            return ["everything in one thread"]
        return []

    # The class.

    def grade(self, e, basis, student, files):
        row = Row(student, e.number, e.n, e.title, checks=basis.checks)
        found = hand_ins.find_answer(files, e, self.given.every)
        shown = next((d for p, d in files.items() if p.endswith(f".progress/hints_{e.number}_{e.n}")), b"0")
        row.hint = min(int(shown) + 1 if isinstance(shown, bytes) and shown.strip().isdigit() and len(shown) < 5 else 1, len(e.hints))
        logs = {"compiler": "", "program": ""}
        kept = self.rows.get((student, e.number, e.n))
        if found.problem:
            row.result, row.message = found.problem, found.note
        else:
            parts = [basis.key.encode(), found.text, *(n.encode() + b"\0" + d for n, d in sorted(found.headers.items()))]
            row.key = hashlib.sha256(b"\0".join(parts)).hexdigest()
            if kept and (kept.key == row.key or self.given.resume) and (not kept.report or (self.pages / kept.report).exists()):
                return kept
            shape = hand_ins.shape(found.text)
            row.note, row.shape = found.note, hashlib.sha256(shape.encode()).hexdigest()
            row.own = (collections.Counter(shape.split()) - collections.Counter(hand_ins.shape(basis.starter).split())).total()
            if self.plain(found.text) == self.plain(basis.starter):
                row.result = "not started"
            elif not found.text.strip():
                row.result, row.message = "not started", "the file is empty"
            elif b"\0" in found.text:
                row.result, row.message = "does not compile", "it is no text in UTF-8 (UTF-16?): save it as UTF-8"
            else:
                place = self.places.get()
                try:
                    before = self.untouched()
                    self.check(place, e, basis, found, row, logs)
                    if self.untouched() != before:
                        row.result, row.message, row.key = "not checked", "files of this repository changed while it ran", ""
                finally:
                    self.places.put(place)
        if self.given.logs and row.key:
            (self.given.logs / student).mkdir(parents=True, exist_ok=True)
            (self.given.logs / student / f"{e.number}_{e.n}.txt").write_text(logs["compiler"] + logs["program"] + row.screen, errors="replace")
        if logs.get("report"):
            row.report = f"reports/{hashlib.sha256(student.encode()).hexdigest()[:12]}_{e.number}_{e.n}.html"
            (self.pages / "reports").mkdir(parents=True, exist_ok=True)
            write_whole(self.pages / row.report, class_pages.report_page(logs["report"].decode("utf-8", "replace")))
        return row

    @staticmethod
    def plain(text):
        """Without blank lines, line ends and includes: what headers are called has changed."""
        lines = text.decode("utf-8", "replace").replace("\r", "").splitlines()
        return [line for line in lines if line and not line.startswith('#include "')]

    def similar(self, rows):
        """Flags answers that are the same but for layout, comments and names: as the solution, or as one another."""
        by_shape = collections.defaultdict(list)
        for row in rows:
            row.flags = [flag for flag in row.flags if not flag.startswith("same as")]
            if row.shape and row.result not in ("not started", "does not compile"):
                by_shape[row.number, row.n, row.shape].append(row)
        for (number, n, shape), group in by_shape.items():
            e, basis = next((e, b) for e, b in self.bases if (e.number, e.n) == (number, n))
            lines = re.sub(rb"(?m)^ *// (STARTER|SOLUTION|END SOLUTION).*\n", b"", basis.solution)
            solution = hand_ins.shape(lines)
            for row in group:
                if hashlib.sha256(solution.encode()).hexdigest() == shape:
                    row.flags.append("same as the solution")
                elif len(group) > 1 and row.own >= 15:  # few words are the same by themselves
                    others = [other.student for other in group if other is not row]
                    row.flags.append("same as " + ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else ""))

    def write(self):
        rows = [
            self.rows.get((student, e.number, e.n)) or Row(student, e.number, e.n, e.title, "not yet", checks=basis.checks)
            for e, basis in self.bases for student in sorted(self.students)
        ]
        self.similar(rows)
        write_whole(self.state_file, json.dumps({"rows": [dataclasses.asdict(row) for row in self.rows.values()]}))
        table = io.StringIO()
        lines = csv.writer(table, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        table.write("submission,chapter,exercise,title,result,checks_passed,checks,flags,message\n")
        for row in rows:
            cells = [row.student, row.number, row.n, row.title, row.result, row.passed, row.checks, "; ".join(row.flags), row.message]
            lines.writerow(map(class_pages.cell, cells))
        write_whole(self.given.grades, table.getvalue())
        class_pages.write_pages(rows, {(e.number, e.n): e.hints for e in self.given.chosen}, self.pages, write_whole)
        if self.given.lms:
            self.write_lms(rows)
        return rows

    def write_lms(self, rows):
        names = [f"{e.number}.{e.n} {e.title}" for e in self.given.chosen]
        points = [self.given.points.get(name.split()[0], 1.0) for name in names]
        first = LMS[self.given.lms]
        table = io.StringIO()
        lines = csv.writer(table, lineterminator="\n")
        lines.writerow([*first, *names, "Total", "Page"])
        if self.given.lms == "canvas":
            lines.writerow(["    Points Possible", *[""] * (len(first) - 1), *points, sum(points), ""])
        pages = class_pages.file_names(sorted({row.student for row in rows}))
        for student in sorted(pages):
            got = {f"{r.number}.{r.n} {r.title}": r.result == "passed" for r in rows if r.student == student}
            each = [point if got.get(name) else 0 for name, point in zip(names, points)]
            who = [class_pages.cell(student) if column in ("Username", "Student", "Name", "SID", "SIS Login ID") else "" for column in first]
            lines.writerow([*who, *each, sum(each), f"students/{pages[student]}"])
        write_whole(self.given.grades.with_name(self.given.grades.stem + "_lms.csv"), table.getvalue())

    def grade_class(self):
        files, loose = hand_ins.hand_ins(self.given.folder)
        if not files:
            refuse(f"'{self.given.folder}' has no folders: each submission is a folder in it, or a .zip.")
        for name in self.given.only:
            if name not in files:
                refuse(f"There is no submission '{name}' in '{self.given.folder}'.")
        if loose:
            print("Not looked at, since they are neither folders nor .zip:", " ".join(map(class_pages.one_line, loose)), file=sys.stderr)
        self.students = set(files)
        wanted = [student for student in sorted(files) if not self.given.only or student in self.given.only]
        self.watched = sorted(self.headers())
        with concurrent.futures.ThreadPoolExecutor(self.given.jobs) as pool:
            try:
                self.bases = list(zip(self.given.chosen, pool.map(self.prepare, self.given.chosen)))
                work = {pool.submit(self.grade, e, basis, student, files[student]): student for e, basis in self.bases for student in wanted}
                for each in concurrent.futures.as_completed(work):
                    row = each.result()
                    self.rows[row.student, row.number, row.n] = row
                    self.write()
                    print(class_pages.one_line(f"{row.student:28} {row.number} {row.n}  {row.result}" + (f": {row.message}" if row.message else "")), flush=True)
            except BaseException:
                apart.stopping.set()
                pool.shutdown(cancel_futures=True)
                raise
        rows = self.write()
        print()
        for result, count in collections.Counter(row.result for row in rows).most_common():
            print(f"{count:5} {result}")
        flagged = sum(bool(row.flags) for row in rows)
        print(f"{flagged:5} with a flag: look at these yourself\n" if flagged else "", end="")
        print(f"Written to {self.given.grades}\nThe page of the class: {self.pages}/index.html")


def main():
    root = pathlib.Path(sys.argv[1])
    words = sys.argv[2:]
    targets = words[:1] == ["--targets"]
    if targets and {"-h", "--help"} & set(words):
        return
    given = arguments(root, words[targets:])
    if targets:
        print("learner_screen", *(f"solution_{e.number}_{e.n}" for e in given.chosen))
        return

    def stop(number, _):
        print("Stopped. The rows so far are written; the same command goes on from there.", file=sys.stderr)
        sys.exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    with tempfile.TemporaryDirectory(prefix="grade-") as scratch:
        os.chmod(scratch, 0o711)
        way = "trust" if given.trust else apart.way_of_this_machine(f"{scratch}/tried")
        if not way:
            refuse(
                "Answers cannot be kept apart from this machine: it lets you make no user namespaces, which bubblewrap needs.\n"
                "Ask its administrator for them (or, on Debian: sudo apt-get install bubblewrap), or run chapters/grade as root in\n"
                "a container. --trust runs the answers as you, with your files and your network: only for people whom you know."
            )
        closed = [each for each in (root, *root.parents) if not each.stat().st_mode & 1]
        if way == "user" and closed:
            refuse(f"Each answer runs as a user of its own, who cannot enter {closed[0]}: move this repository, or chmod o+x it.")
        how = {"bubblewrap": "apart, by bubblewrap", "user": "apart, each as a user of its own", "trust": f"as {os.environ.get('USER', 'you')}: you trust them"}
        print(f"Answers run {how[way]}.", file=sys.stderr)
        Grader(root, given, way, scratch).grade_class()


if __name__ == "__main__":
    main()
