#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Checks the answers of a class: chapters/grade, once everything is built. See docs/teaching.md.

    grade_class.py ROOT [--targets] FOLDER GRADES.csv [CHAPTER [N] | EXERCISE...] [OPTIONS]

What others wrote is compiled and run by apart.py only, and is believed where its seal is right (seal.hpp).
"""

import argparse
import collections
import concurrent.futures
import csv
import dataclasses
import difflib
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
import zipfile

import apart
import class_pages
import hand_ins

HELP = """Checks the exercises that a class has handed in, on the emulated device. GRADES.csv gets one line
for each answer, and beside it the folder GRADES_pages a page of the class, index.html, and one for each
student. FOLDER has a folder or a .zip for each submission: a clone of this repository, or only files. Rows of other
exercises and students stay."""
MORE_HELP = """EXERCISE is 02, or 05.3, or CHAPTER N. Each answer is compiled and run isolated from this machine:
it sees its own file, the headers, the checks and the libraries, and has no network. What has not changed is
not run again. Exit status: 0 table and pages are written, 1 they could not be made, 2 bad usage."""
PRIME = (1 << 61) - 1
# What an answer may not define or use, and why: the student reads it. Names as the linker knows them.
FORBIDDEN = {
    "starts or controls processes":
        r"v?fork|exec[lv]p?e?|execveat|fexecve|posix_spawnp?|system|popen|p?clone3?|ptrace|process_vm_\w+"
        r"|t?g?kill|killpg|prctl|arch_prctl|unshare|setns|wait(pid|id)?|sigqueue|pthread_kill",
    "opens files, pipes or connections":
        r"(f|fd|fre)?open(at)?(64)?|fopencookie|creat(64)?|_?dup[23]?|pipe2?|socket(pair)?|connect|bind"
        r"|shm\w+|memfd_create|opendir|_ZNSt\d+basic_(i?o?fstream|filebuf).*|_ZNSt10filesystem.*"
        r"|_ZSt\w*filebuf.*",
    "uses descriptors or memory behind the back of the language":
        r"p?(read|write)v?2?(64)?|send(file|to|msg)?(64)?|recv\w*|f?cntl(64)?|ioctl|splice|vmsplice|mincore"
        r"|m(map|protect|remap|unmap)(64)?|pkey_\w+|s?brk|syscall",
    "loads or looks for code":
        r"_*dl\w*open|dlm?sym|dlvsym|dladdr1?|dl_iterate_phdr|__libc_\w+|_rtld_\w+|_r_debug|_dl_\w+",
    "changes the environment": r"(un)?setenv|putenv|clearenv|_*environ",
    "reaches into the checks":
        r"_Z\w*7doctest.*|.*exercise_result.*"
        r"|_Z\w*8tutorial(4seal|6record|13record_result|11seal_result|17count_kernel_work).*",
    "controls the emulated device":
        r"_ZN13cuda_emulator\d+(set_|hear_|begin_|end_|show_|keep_|forget_errors|report|trace).*",
}
SECTIONS = re.compile(
    r"\.(text|data|rodata|bss|tdata|tbss|init_array|fini_array|comment|note|eh_frame|gcc_except_table|debug"
    r"|group|gnu\.attributes)([._]|$)"
)
SYSTEM_CALL = r"\b(syscall|sysenter|sysexit|int +\$0x80|svc|wrfsbase|wrpkru)\b"
# What each imports: who it is, and what follows the points. More columns would become assignments in Canvas; Moodle
# replaces no grade that is newer than "Last modified (grade)".
LMS = {
    "moodle": (["Identifier", "Full name", "Username"], ["Grade", "Last modified (grade)", "Feedback comments"]),
    "canvas": (["Student", "ID", "SIS User ID", "SIS Login ID", "Section"], ["Final Points"]),
    "gradescope": (["Name", "SID", "Email"], ["Total", "Page"]),
}
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WAYS = {
    "bubblewrap": "apart, by bubblewrap",
    "user": "apart, each as a user of its own",
    "trust": "as you: you trust them",
}
TITLES_AND_HINTS = r"""source "$0/common/commands/packages.sh"; source "$0/common/commands/lesson.sh"
while (( $# )); do
  count=$(exercise_hint_count "$1" "$2")
  printf '%s\0' "$(exercise_title "$1" "$2")" "$count"
  for (( i = 1; i <= count; ++i )); do
    printf '%s\0' "$(exercise_details "$1" "$2" "Hint $i" | plain_signs)"
  done
  shift 2
done"""


def refuse(text):
    print(text, file=sys.stderr)
    sys.exit(2)


class Exercise:
    def __init__(self, solution):
        """By the path of its solution, .../02_direct_kernel/solutions/2_clamped_edges.cu."""
        self.solution = solution
        self.chapter = solution.parts[-3]
        self.number = self.chapter[:2]
        self.name = solution.name
        self.n, self.bare = self.name.split("_", 1)
        self.label = f"{self.number}.{self.n}"
        self.file_label = f"{self.number}_{self.n}"
        self.folder = solution.parents[1] / "exercises" / solution.stem
        self.program = f"exercise_{self.file_label}"  # as a report calls it
        self.title, self.hints = "", []


@dataclasses.dataclass
class Basis:
    """What an exercise's answers are held against: its solution, compiled and run as they are."""

    compile: list
    link: list
    checks_object: str
    sees: list
    starter: bytes = b""
    solution: bytes = b""
    key: str = ""
    symbols: dict = dataclasses.field(default_factory=dict)  # of the solution's object
    reserved: set = dataclasses.field(default_factory=set)
    of_chapters: set = dataclasses.field(default_factory=set)
    kernels: dict = dataclasses.field(default_factory=dict)
    checks: int = 0
    sizes: str = ""  # the object of the teacher's checks


@dataclasses.dataclass
class Trial:
    """One answer, in the place where it is compiled and run."""

    e: Exercise
    basis: Basis
    found: hand_ins.Found
    row: class_pages.Row
    place: apart.Apart
    made: dict = dataclasses.field(default_factory=dict)  # texts about the object and the program
    compiler: str = ""
    program: str = ""
    report: bytes = b""
    text: bytes = b""  # what the checks say under their seal

    def __post_init__(self):
        self.folder = self.place.folder / "handed_in"
        self.source = self.folder / self.e.bare


def chosen(words, exercises):
    """The exercises that the words CHAPTER N, or 02.1 05.3, mean; a name is as good as a number."""
    if len(words) == 2 and "." not in "".join(words):
        words = [".".join(words)]
    result = []
    for word in words:
        parts = re.fullmatch(r"(\d{1,2})(?:_\w*)?(?:\.(\w+))?", word)
        mine = [
            e for e in exercises if parts and int(e.number) == int(parts[1])
            and (not parts[2] or parts[2].lstrip("0") in (e.n, e.folder.name, e.folder.name[2:]))
        ]
        if not mine:
            refuse(f"There is no exercise '{word}'. chapters/exercise list shows all there are.")
        result += mine
    return result or exercises


def arguments(root, words):
    parser = argparse.ArgumentParser("chapters/grade", description=HELP, epilog=MORE_HELP)
    add, path = parser.add_argument, pathlib.Path
    add("folder", metavar="FOLDER", type=path)
    add("grades", metavar="GRADES.csv", type=path)
    add("exercises", metavar="EXERCISE", nargs="*", help="only these exercises")
    add("--only", metavar="STUDENT", action="append", default=[], help="only this student, by the name in the table or of the folder, and only exercises that the table has, if it has any of them; can be repeated")
    add("--resume", action="store_true", help="keep every result that is there, even if its answer has changed")
    add("--jobs", metavar="N", type=int, default=os.cpu_count(), help="answers at a time (%(default)s)")
    add("--sizes", metavar="FOLDER", type=path, help="your own checks, NN_N.cpp, for answers that pass ours; the table keeps to them")
    add("--lms", choices=LMS, help="also write GRADES_lms.csv, points for each student, to import there, and GRADES_feedback.zip, pages to upload")
    add("--weights", metavar="FILE", type=path, help="points, a line for each exercise: 02.3 5 (default 1); the table keeps them")
    add("--logs", metavar="FOLDER", type=path, help="keep what the compiler and each program said")
    add("--reports", action="store_true", help="link to the report of each run that did not pass")
    add("--seconds", metavar="S", type=int, default=20, help="limit of a program's processor time, of all its threads together; the clock may say four times that, and compiling gets six times as long (20)")
    add("--memory", metavar="GIB", type=float, default=4, help="memory limit for either of them (4)")
    add("--trust", action="store_true", help="run answers as you, with your files and network, not apart")
    add("--yes", "-y", action="store_true", help="install what is missing without asking")
    given = parser.parse_args(words)
    given.folder, place = given.folder.resolve(), given.grades.absolute().parent
    given.pages = beside(given.grades, "_pages")
    index = given.pages / "index.html"
    is_ours = index.is_file() and 'content="chapters/grade"' in index.read_text(errors="replace")
    limits = (given.jobs, given.seconds, given.memory)
    given.every = tuple(Exercise(each) for each in sorted(root.glob("chapters/[0-9][0-9]_*/solutions/[0-9]*")))
    given.chosen = chosen(given.exercises, given.every)
    given.checks = {each.stem: each for each in given.sizes.resolve().glob("*.cpp")} if given.sizes else {}
    nobodys = sorted(given.checks.keys() - {e.file_label for e in given.every})
    of_chosen = given.checks.keys() & {e.file_label for e in given.chosen}
    for wrong, why in (
        (not given.folder.is_dir(), f"There is no folder '{given.folder}'."),
        (given.grades.suffix != ".csv" or given.grades.is_dir(), f"'{given.grades}' should be a file *.csv."),
        (not os.access(place, os.W_OK), f"'{place}' can't be written to, so there would be no table."),
        (given.pages.exists() and not is_ours, f"'{given.pages}' was not written by this command: move it."),
        (given.logs and given.logs.resolve().is_relative_to(given.folder), "Logs in the hand-in folder would look like submissions."),
        (not all(0.1 <= each <= 9999 for each in limits), "--jobs, --seconds, --memory: from 1 to 9999."),
        (nobodys, f"No exercise is called {' '.join(nobodys)}: 02_2.cpp in {given.sizes} is for 02.2."),
        (given.sizes and not of_chosen, f"'{given.sizes}' has nothing for the exercises that are graded."),
    ):
        if wrong:
            refuse(why)
    # The table keeps what earlier runs have found of other exercises, its own checks and points.
    try:
        rows = [class_pages.Row(**each) for each in json.loads(beside(given.grades, "_state.json").read_text())]
    except (OSError, ValueError, TypeError):
        rows = []
    given.rows = {(row.student, row.label): row for row in rows}
    kept, asked = {row.label for row in rows}, given.chosen
    if given.only:
        given.chosen = [e for e in asked if e.label in kept] or asked
    given.left_out = [e.label for e in asked if e not in given.chosen]
    given.shown = [e for e in given.every if e in given.chosen or e.label in kept]
    given.remembered = []
    for e in given.chosen:
        own = next((row.sizes for row in rows if row.label == e.label and row.sizes), "")
        if own and e.file_label not in given.checks:
            if not os.path.isfile(own):
                refuse(f"The answers in this table had to pass your {own}, which is gone: name its folder by --sizes.")
            given.checks[e.file_label] = path(own)
            given.remembered.append(own)
    given.points = {} if given.weights else {row.label: row.points for row in rows}
    for line in given.weights.read_text().splitlines() if given.weights else []:
        words = line.split("#")[0].split()
        if words and (len(words) != 2 or not re.fullmatch(r"\d+(\.\d+)?", words[1])):
            refuse(f"'{line}' in {given.weights}: expected an exercise and its points, as in 02.3 5.")
        given.points |= {e.label: float(words[1]) for e in chosen(words[:1], given.every)} if words else {}
    return given


def beside(path, ending):
    return path.with_name(path.stem + ending)


def write_whole(path, text):
    """So that at every moment there is the old file or the new one."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text, encoding="utf-8", errors="replace")
    os.replace(new, path)


def output_of(*words, **options):
    options = {"check": True, "encoding": "utf-8", "errors": "replace", "start_new_session": True, **options}
    return subprocess.run([*map(str, words)], stdout=subprocess.PIPE, **options).stdout


def less(words, *dropped):
    """A command without these words, -MD, -o, -MT and -MF, and the words after the last three."""
    named = ("-o", "-MT", "-MF")
    return [
        word for word, before in zip(words, ["", *words])
        if word not in (*dropped, *named, "-MD") and before not in named
    ]


def symbols_of(text):
    """{name: type} of what `nm -P` says, without what is local."""
    return dict(re.findall(r"^(\S+) ([A-Zuivw])(?: |$)", text, re.M))


def in_cpp(name):
    return output_of("c++filt", name, check=False).split("(")[0].strip() or name


def is_sealed(record, key):
    """The record without its seal; nothing where the seal is not that of the checks."""
    text, _, seal = record.rpartition(b"seal\t")
    words = [int.from_bytes(key[i : i + 8], "little") % PRIME for i in range(0, 32, 8)]
    wanted = ""
    for point, offset in zip(words[:2], words[2:]):
        value = 0
        for byte in text:
            value = (value + byte + 1) * point % PRIME
        wanted += f"{(value + offset) % PRIME:016x}"
    return text if seal.strip() == wanted.encode() else b""


def told_by(record):
    """What a record tells (exercise_result.md): whether all cases ended, how many did and passed, the first that failed,
    its sentence, and the first finding with its title and usual cause."""
    all_ran, ended, passed, case, failed, sentence, running, given, findings = False, 0, 0, "", "", "", "", "", []
    for line in record.decode("utf-8", "replace").split("\n"):
        line = re.sub(r"\\(.)|\t", lambda c: {None: "\0", "n": "\n", "t": "\t"}.get(c[1], c[1]), line)
        kind, *words = [*line.split("\0"), *[""] * 4]
        if kind == "case":
            running, given = words[1], ""
        elif kind == "given":
            given = words[0]
        elif kind == "failed" and not case:
            case, sentence = running, words[3]
        elif kind == "crashed":
            given = words[2] or given
            sentence = f"It crashed ({words[1]})." + (given and f" This happened with {given}.")
        elif kind == "end":
            ended, passed = ended + 1, passed + (words[1] == "passed")
            failed = failed or (words[1] != "passed" and running)
        elif kind == "finding":
            findings.append((words[1], {}))
        elif kind == "fact" and findings:
            findings[-1][1].setdefault(*words[:2])
        all_ran |= kind == "done"
    # What was not freed is noted at the end of any program: it has ended no check.
    found = next((each for each in findings if all_ran or ": note: " not in each[0].split("\n")[0]), ("", {}))
    if found[0] and given and not sentence:
        sentence = f"This happened with {given}."
    case = case or failed or ("" if all_ran else running)
    return all_ran, ended, passed, case, sentence, found[0], found[1].get("title", ""), found[1].get("usual_cause", "")


def forbidden(made, basis):
    """Why this object must not run, in words for the student; "" where it may."""
    for name, kind in symbols_of(made["symbols"]).items():
        if kind == "i":
            return f"it chooses what {name} is before the program begins (ifunc), which an answer isn't allowed to do"
        if name.startswith("DW.ref."):
            continue  # where the compiler notes how objects are destroyed when an exception passes
        can_replace = kind in "TDBRSC" or not name.startswith("_Z") or re.match(r"_Z(n|d)[wal]", name)
        if kind not in "Uw" and name in basis.reserved and can_replace:
            what = "a function or variable of the checks or of a library"
            return f"it defines {in_cpp(name)}, which is {what}: give yours another name, or make it static"
        for reason, pattern in FORBIDDEN.items():
            if kind in "Uwv" and name not in basis.symbols and re.fullmatch(pattern, name):
                return f"it uses {in_cpp(name)}, which {reason}; an answer isn't allowed to"
    for name in re.findall(r"^ *\d+ (\S+)", made["sections"], re.M):
        if not SECTIONS.match(name):
            return f"it has a section {name} for the linker, which an answer isn't allowed to have"
    if made["calls"]:
        call = made["calls"].strip()
        return f"it has a machine instruction that calls the system ({call}), which an answer isn't allowed to do"
    return ""


def kernels_in(text, source):
    """{kernel: (launches, alone, shared)} of those that the answer has."""
    words = set(re.findall(r"\w+", source.decode("utf-8", "replace")))
    found = {}
    lines = re.findall(r"^kernel\t([^\t\n]*)\t(\d+)\t(\d+)\t(\d+)$", text.decode("utf-8", "replace"), re.M)
    for name, *counts in lines:
        if re.split("[<(]", name)[0].split("::")[-1] in words:
            found[name] = [*map(int, counts)]
    return found


def flags_of(t):
    """What a teacher should look at in an answer that passes."""
    used = {name for name, kind in symbols_of(t.made["symbols"]).items() if kind == "U"}
    for name in sorted(used & t.basis.of_chapters - t.basis.symbols.keys()):
        length = re.match(r"_ZN8tutorial(\d+)", name)
        if length:
            yield f"calls {name[length.end() :][: int(length[1])]} of this repository"
            break
    mine = kernels_in(t.text, t.found.text)
    works, alone, shared = (any(each[i] for each in mine.values()) for i in range(3))
    is_shared = any(each[2] for each in t.basis.kernels.values())
    if is_shared and not shared and alone:
        yield "everything in one thread"
    elif t.basis.kernels and not works or is_shared and not shared:
        yield "launched no kernel"
    if re.search(r"too few addresses|no range of addresses", t.program):
        yield "device not watched"
    private = re.findall(r"friend struct (\w+);", "".join(each.read_text() for each in t.e.folder.glob("*.hpp")))
    text = b"\n".join([t.found.text, *t.found.headers.values()]).decode("utf-8", "replace")
    if re.search("|".join([r"define\s+private\b", *(rf"(struct|class)\s+{name}\b" for name in private)]), text):
        yield "opens what is private"


def plain(text):
    """Without blank lines, line ends and includes: what headers are called has changed."""
    lines = text.decode("utf-8", "replace").replace("\r", "").splitlines()
    return [line for line in lines if line and not line.startswith('#include "')]


def shortened(text):
    """The end of it, and of each line the beginning: what an answer has said must not take long to look at."""
    return "\n".join(line[:2000] for line in text[-(1 << 18) :].split("\n"))[-(1 << 17) :]


def shape_key(text):
    return hashlib.sha256(hand_ins.shape(text).encode()).hexdigest()


class Grader:
    def __init__(self, root, given, way, scratch):
        self.root, self.given, self.scratch = root, given, pathlib.Path(scratch)
        self.build = root / "build/emulated"
        memory = int(given.memory * 2**30)
        self.limits = apart.Limits(given.seconds, memory)
        self.compile_limits = apart.Limits(6 * given.seconds, memory, disk=256 << 20, processes=32)
        self.places = queue.Queue()
        for number in range(given.jobs):
            self.places.put(apart.Apart(way, self.scratch / f"{number}"))
        self.rows, self.shown = given.rows, given.shown
        self.bases, self.looked_at = {}, set()
        words = [word for e in self.shown for word in (root / "chapters" / e.chapter, e.n)]
        fields = iter(output_of("bash", "-c", TITLES_AND_HINTS, root, *words).split("\0"))
        for e in self.shown:
            e.title = next(fields)
            e.hints = [next(fields) for _ in range(int(next(fields)))]
        # The files that every answer could be told lies by.
        self.watched = sorted(
            each
            for folder in ("common", "chapters", "tests/exercises") for each in (root / folder).rglob("*")
            if each.suffix in (".hpp", ".cuh", ".h", ".def", ".cpp") and "solutions" not in each.parts
        )
        said = output_of("ldd", self.build / "bin/learner_screen", self.build / "lib/libcuda_emulator.so")
        libraries = set(re.findall(r"(/\S+) \(", said))
        said = output_of("nm", "-PD", "--defined-only", *libraries, check=False)
        self.symbols_of_libraries = {name.split("@")[0] for name in symbols_of(said)}
        # What a clone has beside answers, from its top, and from its folder of chapters.
        tops = [each for each in root.iterdir() if each.name not in hand_ins.NOT_ANSWERS]
        own = [str(each.relative_to(root)) for top in tops for each in (top, *top.rglob("*"))]
        self.own_files = {each.removeprefix(part) for each in own for part in ("", "chapters/")}

    # How an exercise is compiled, run and judged.

    def untouched(self):
        return hash(tuple((str(e), e.stat().st_mtime_ns, e.stat().st_size) for e in self.watched))

    def prepare(self, e):
        ninja = output_of("ninja", "-C", self.build, "-t", "commands", f"answer_{e.file_label}").splitlines()
        source = str(self.build / "answers" / e.chapter / e.folder.name / e.bare)
        command = next(part for line in ninja for part in line.split(" && ") if f"-c {source}" in part)
        words = shlex.split(command)
        object_ = os.path.relpath(self.build / words[words.index("-o") + 1], self.build)
        link = next(line for line in ninja if f"-o bin/answer_{e.file_label} " in line).split(" && ")[1]
        link = less(shlex.split(link), object_)
        checks = next(word for word in link if "/exercise_checks_" in word)
        link.remove(checks)
        libraries = [self.build / word for word in link if (self.build / word).is_file()]
        basis = Basis(less(words, "-c", source), link, str(self.build / checks), self.seen_by(e, libraries))
        starter = output_of("awk", "-f", self.root / "common/commands/starter.awk", e.solution)
        basis.starter, basis.solution = starter.encode(), e.solution.read_bytes()
        parts = [*libraries, basis.checks_object, e.solution, *pathlib.Path(__file__).parent.glob("*.py")]
        parts += [each for each in self.watched if each.suffix != ".cpp" or each.parent == e.folder]
        extra = self.given.checks.get(e.file_label)
        if extra:
            basis.sizes = str(self.scratch / f"sizes_{e.file_label}.o")
            checks = f"{e.folder}/checks.cpp"
            words = less(shlex.split(next(line for line in ninja if line.endswith(checks))), checks)
            words += [extra.resolve(), "-o", basis.sizes, "-iquote", e.folder]
            if subprocess.run(words, cwd=self.build, check=False).returncode != 0:
                refuse(f"Your {extra} does not compile: see above.")
            parts += [extra, *(each for each in sorted(extra.parent.iterdir()) if hand_ins.is_header(each.name))]
        digest = hashlib.sha256(repr((self.limits, self.given.reports)).encode())
        for each in parts:
            digest.update(pathlib.Path(each).read_bytes())
        basis.key = digest.hexdigest()

        place = self.places.get()
        found = hand_ins.Found("solution", basis.solution)
        t = Trial(e, basis, found, class_pages.Row("", e.number, e.n), place)
        whose = "its checks"
        if self.compile(t):
            self.run(t, e.program)
        basis.kernels, basis.checks = kernels_in(t.text, basis.solution), t.row.passed
        if t.row.result == "passed" and extra:
            whose = f"your {extra}"
            self.run(t, "with_sizes")
        self.places.put(place)
        if apart.stopping.is_set():
            sys.exit(1)
        if t.row.result != "passed":
            print(t.row.screen or t.row.message, file=sys.stderr)
            refuse(f"The solution of exercise {e.label} does not pass {whose} here. More --seconds or --memory?")
        basis.symbols = symbols_of(t.made["symbols"])
        mine = {name for name, kind in basis.symbols.items() if kind != "U"}
        basis.reserved = (symbols_of(t.made["program_symbols"]).keys() | self.symbols_of_libraries) - mine
        chapters = [word for word in link if "/libchapter_" in word and "_checks" not in word]
        said = symbols_of(output_of("nm", "-P", *chapters, cwd=self.build)) if chapters else {}
        basis.of_chapters = {name for name, kind in said.items() if kind in "TW"}
        return basis

    def seen_by(self, e, libraries):
        """The paths that a compiler needs: no solutions, no exercises but this one's contract and checks."""
        seen = [self.root / "common", self.root / "tests/exercises"]
        for chapter in self.root.glob("chapters/[0-9][0-9]_*"):
            hidden = {chapter / each for each in ("solutions", "exercises", "pictures")}
            seen += set(chapter.iterdir()) - hidden
        seen += [each for each in e.folder.iterdir() if each.suffix == ".hpp" or each.name == "checks.cpp"]
        made = ("bin/emucc", "bin/emulator_translate", "old_names", "lib", "common/emulator")
        seen += [self.build / each for each in made]
        return [*seen, *(each for each in libraries if each.is_relative_to(self.build))]

    def check(self, t):
        """Compiles and runs one answer, and fills in its row."""
        if not self.compile(t):
            return
        reason = forbidden(t.made, t.basis)
        if reason:
            t.row.is_now("not checked", reason)
        elif not (t.place.folder / t.e.program).exists():
            t.row.is_now("does not compile", self.first_complaint(t.made["link"]))
            t.row.screen = self.own_names(t.made["link"])[:4000]
        else:
            self.run(t, t.e.program)
        if t.row.result != "passed":
            return
        t.row.flags += flags_of(t)
        if t.basis.sizes:
            passed = t.row.passed
            self.run(t, "with_sizes")
            t.row.passed = passed
            if t.row.result != "passed":
                t.row.what = class_pages.OWN_CHECK
                t.row.message = f"{t.row.what}: {t.row.message}"
                t.row.screen = re.sub(r"(?m)^A hint: .*\n?", "", t.row.screen)  # it is about our checks

    def compile(self, t):
        """Whether there is an object; otherwise the row says why not."""
        shutil.rmtree(t.folder, ignore_errors=True)
        t.folder.mkdir(mode=0o755)
        for name, data in {**t.found.headers, t.e.bare: t.found.text}.items():
            (t.folder / name).write_bytes(data)
        script = f"""home=$HOME; cd {shlex.quote(str(self.build))} || exit 1
          "$@" -c {shlex.quote(str(t.source))} -o "$home/answer.o" || exit 1
          exec >"$home/link" 2>&1
          nm -P "$home/answer.o" >"$home/symbols"
          objdump -h "$home/answer.o" >"$home/sections"
          objdump -d --no-show-raw-insn "$home/answer.o" | grep -Eom 1 '{SYSTEM_CALL}' >"$home/calls"\n"""
        programs = {t.e.program: t.basis.checks_object}
        if t.basis.sizes:
            programs["with_sizes"] = t.basis.sizes
        for name, checks in programs.items():  # the checks first: of functions alike the linker takes theirs
            first = shlex.join([t.basis.link[0], checks, "libexercise_main.a"])
            script += f'{first} "$home/answer.o" {shlex.join(t.basis.link[1:])} -o "$home/{name}"\n'
        script += f'nm -P "$home/{t.e.program}" >"$home/program_symbols"; exit 0'
        sees = [t.folder, *t.basis.sees, *programs.values()]
        quiet = {"EMUCC_QUIET": "1"}
        outcome = t.place.run(script, t.basis.compile, sees, self.compile_limits, quiet, keeps=True)
        t.compiler, home, row = outcome.said.decode("utf-8", "replace"), t.place.folder / "home", t.row
        for name in (t.e.program, "with_sizes"):
            (t.place.folder / name).unlink(missing_ok=True)
            if (home / name).is_file():
                os.replace(home / name, t.place.folder / name)
        if outcome.stopped in ("time", "memory"):
            row.is_now("out of time", f"the compiler took too much {outcome.stopped}")
        elif outcome.status != 0:
            row.is_now("does not compile", self.first_complaint(t.compiler))
            log = t.place.folder / "log"
            log.write_text(shortened(t.compiler))
            row.screen = self.ask_screen("build", t.folder, log, 1000, 0, "", t.source, t.e.solution)
        else:
            for name in ("symbols", "sections", "calls", "link", "program_symbols"):
                t.made[name] = (home / name).read_text(errors="replace") if (home / name).exists() else ""
        return bool(t.made)

    def run(self, t, program):
        """Runs the checks, and fills in the row."""
        path, row, key = t.place.folder / program, t.row, secrets.token_bytes(32)
        environment = dict.fromkeys(("EMULATOR_THREADS", "OMP_NUM_THREADS", "MALLOC_ARENA_MAX"), "2")
        environment["EXERCISE_ANSWER"] = t.e.bare
        report = "export EMULATOR_REPORT=$HOME/report.html; " if self.given.reports else ""
        script = f'{report}exec "$1" 2>"$ERRORS"'  # this process ends with us, and may see its /proc/self
        outcome = t.place.run(
            script, [path], [path, t.folder, self.build / "lib"], self.limits, environment,
            gives={"EXERCISE_SEAL": key}, takes=("EXERCISE_RESULT", "ERRORS"), keeps=self.given.reports,
        )
        record = outcome.given["EXERCISE_RESULT"][: 1 << 20]
        errors = outcome.given["ERRORS"].decode("utf-8", "replace")
        t.text, t.program = is_sealed(record, key), outcome.said.decode("utf-8", "replace") + errors
        kept, errors = t.place.folder / "kept", shortened(errors)
        kept.with_suffix(".out").write_text(shortened(outcome.said.decode("utf-8", "replace")))
        kept.with_suffix(".err").write_text(errors)
        kept.with_suffix(".log").write_text(t.compiler)
        kept.with_suffix(".result").write_bytes(record.replace(b"\0", b""))
        all_ran, ended, row.passed, case, sentence, finding, what, cause = told_by(record.replace(b"\0", b""))
        done = re.search(rb"^done\t(\d+)\t(\d+)\t0\n", t.text, re.M)
        wanted = t.basis.checks if program == t.e.program else 0
        if done and done[1] == done[2] and int(done[1]) > 0 and wanted in (0, int(done[1])):
            row.result = "passed"
            return
        stops = all_ran or finding or sentence or outcome.stopped or outcome.status > 128
        ended_it = "" if stops or not case else class_pages.ENDED
        row.case, row.what, row.cause = case, what or ended_it, cause
        timed_out, most = outcome.stopped == "time", self.given.seconds
        too_long = f"it took more than {most} seconds of processor time, or {4 * most} by the clock"
        said = self.own_names(finding or sentence).split("\n")[0] or self.first_complaint(errors)
        ends = (  # the first that is so
            (timed_out, "out of time", too_long),
            (outcome.stopped == "memory" or "std::bad_alloc" in errors, "out of memory",
             f"more than {self.given.memory:g} GiB"),
            (outcome.stopped == "output", "too much output", f"more than {self.limits.output >> 10} KiB"),
            (outcome.stopped, "not checked", f"it took too much: {outcome.stopped}"),
            (outcome.status > 128, "crashed", "; ".join(filter(None, [f"signal {outcome.status - 128}", sentence]))),
            (ended_it, "failed", f"{ended_it}, with status {outcome.status}"),
            (case or finding, "failed", said),
            (outcome.status or sentence, "not checked",
             said or f"it ended with status {outcome.status} before its checks did"),
            (all_ran, "not checked", "the results that it reports do not come from its checks"),
            (True, "not checked", f"it ended before its checks did: {ended} of {t.basis.checks} ran"),
        )
        row.is_now(*next(rest for is_so, *rest in ends if is_so))
        stopped = [too_long] if timed_out else []
        warnings = self.ask_screen("warnings", t.folder, f"{kept}.log", t.source)
        kept.with_suffix(".warnings").write_text(warnings)
        row.screen = self.ask_screen(
            "check", t.folder, f"{t.e.number} {t.e.n}", t.source, t.e.solution, kept, "", outcome.status,
            1000, 0, row.hint - 1, *stopped,
        )
        t.report = t.place.kept("report.html", 4 << 20)

    def ask_screen(self, *words):
        program = self.build / "bin/learner_screen"
        try:
            return self.own_names(output_of(program, *words, stderr=subprocess.DEVNULL, timeout=60, check=False))
        except subprocess.TimeoutExpired:
            return ""

    def own_names(self, text):
        """The answer by its name alone, and our files as in the repository. Answers choose the text: no pattern may
        take long for any."""
        text = re.sub(rf" \(whole log: [^)\s]*\)|{re.escape(f'{self.root}/')}| Ctrl-C ends the program\.", "", text)
        text = re.sub(rf"{re.escape(f'{self.scratch}/')}\d+/", "", text)
        return re.sub(r"""[^\s\0"'`‘<>(]+""", lambda word: word[0].rpartition("handed_in/")[2], text)

    def first_complaint(self, said):
        complaint = r"(?mi)^.*(error:|fatal|undefined reference|multiple definition|cuda|out of memory).*"
        found = re.search(complaint, self.own_names(said))
        return found[0][:200] if found else ""

    # The class.

    def grade(self, e, student):
        basis, (row, found) = self.bases[e], self.looked_up(e, student)
        row.checks, row.sizes = basis.checks, str(self.given.checks.get(e.file_label, ""))
        if found.problem:
            return row
        all_of_it = repr((basis.key, found.text, sorted(found.headers.items()), found.unused))
        row.key = hashlib.sha256(all_of_it.encode()).hexdigest()
        kept = self.rows.get((student, e.label))
        if kept and kept.key and (kept.key == row.key or self.given.resume) and (self.given.pages / kept.report).exists():
            return kept
        row.note, row.unused, row.shape = found.note, found.unused, shape_key(found.text)
        row.flags = [f"also handed in: {found.unused}"] if found.unused else []
        row.own = (hand_ins.words_of(found.text) - hand_ins.words_of(basis.starter)).total()
        if plain(found.text) == plain(basis.starter):
            row.is_now("not started")
        elif not found.text.strip():
            row.is_now("not started", "the file is empty")
        elif b"\0" in found.text:
            row.is_now("does not compile", "it is not UTF-8 text (UTF-16?): save it as UTF-8")
        else:
            place, before = self.places.get(), self.untouched()
            t = Trial(e, basis, found, row, place)
            try:
                self.check(t)
            finally:
                self.places.put(place)
            if self.untouched() != before:
                row.is_now("not checked", "files of this repository changed while it ran")
                row.key = ""
            self.keep(t)
        return row

    def looked_up(self, e, student):
        """What can be said of an answer that is not run, and where it is."""
        files = self.submissions[student].files
        row = class_pages.Row(student, e.number, e.n, e.title, "not yet", wanted=e.bare)
        found = hand_ins.find_answer(files, e, self.given.every, self.given.chosen)
        hints = f".progress/hints_{e.file_label}"
        read = next((data for path, data in files.items() if path.endswith(hints)), b"")
        number = re.match(rb"\d{1,4}$", read) if isinstance(read, bytes) else None
        row.hint = min(int(number[0]) + 1 if number else 1, len(e.hints))
        unknown = class_pages.some(self.unrecognized[student]) if found.problem == "missing" else ""
        if found.problem:
            row.is_now("not recognized" if unknown else found.problem, unknown or found.note)
        return row, found

    def keep(self, t):
        if self.given.logs:
            log = self.given.logs / t.row.student / f"{t.e.file_label}.txt"
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(t.compiler + t.program + t.row.screen, errors="replace")
        if t.report:
            student = hashlib.sha256(t.row.student.encode()).hexdigest()[:12]
            t.row.report = f"reports/{student}_{t.e.file_label}.html"
            (self.given.pages / "reports").mkdir(parents=True, exist_ok=True)
            text = class_pages.report_page(self.own_names(t.report.decode("utf-8", "replace")))
            write_whole(self.given.pages / t.row.report, text)

    @staticmethod
    def flag_alike(e, rows):
        """Answers that are the same but for layout, comments and names: as the solution, or as each other."""
        text = e.solution.read_bytes()
        solution = shape_key(re.sub(rb"(?m)^ *// (STARTER|SOLUTION|END SOLUTION).*\n", b"", text))
        by_shape = collections.defaultdict(list)
        for row in rows:
            row.flags = [flag for flag in row.flags if not flag.startswith("same as")]
            # A few words are the same by themselves.
            if row.shape and row.own >= 30 and row.result not in ("not started", "does not compile"):
                by_shape[row.shape].append(row)
        for shape, group in by_shape.items():
            for row in group:
                others = [other.student for other in group if other is not row]
                if shape == solution:
                    row.flags.append("same as the solution")
                elif others:
                    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
                    row.flags.append(f"same as {', '.join(others[:3])}{more}")

    def write(self):
        rows = []
        for e in self.shown:
            mine = [self.rows[student, e.label] for student in self.submissions]
            checks = self.bases[e].checks if e in self.bases else max(row.checks for row in mine)
            for row in mine:
                row.checks, row.points = checks, self.given.points.get(e.label, 1)
            self.flag_alike(e, mine)
            rows += mine
        state = json.dumps([dataclasses.asdict(row) for row in self.rows.values()])
        write_whole(beside(self.given.grades, "_state.json"), state)
        table = io.StringIO()
        table.write("submission,chapter,exercise,title,result,checks_passed,checks,flags,message\n")
        lines = csv.writer(table, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        for r in rows:
            cells = [r.student, r.number, r.n, r.title, r.result, r.passed, r.checks, "; ".join(r.flags)]
            lines.writerow(map(class_pages.cell, [*cells, r.message]))
        write_whole(self.given.grades, table.getvalue())
        hints = {e.label: e.hints for e in self.shown}
        class_pages.write_pages(rows, hints, self.unrecognized, self.others, self.given.pages, write_whole)
        if self.given.lms:
            self.write_lms(rows)
        return rows

    def write_lms(self, rows):
        points = [self.given.points.get(e.label, 1) for e in self.shown]
        who, rest = LMS[self.given.lms]
        table = io.StringIO()
        lines = csv.DictWriter(table, [*who, *(e.label for e in self.shown), *rest], "", lineterminator="\n")
        titles = {e.label: f"{e.label} {e.title}" for e in self.shown}
        lines.writer.writerow([titles.get(column, column) for column in lines.fieldnames])
        numbered = dict(zip(titles, points))
        if self.given.lms == "canvas":
            lines.writerow({"Student": "    Points Possible", **numbered, "Final Points": sum(points)})
        pages = class_pages.file_names(self.submissions)
        for student, submission in self.submissions.items():
            # No points, not even zero, where nobody has looked, or could not.
            unknown = ("not yet", *class_pages.BY_HAND)
            mine = {row.label: row.result for row in rows if row.student == student and row.result not in unknown}
            each = {label: p if mine[label] == "passed" else 0 for label, p in numbered.items() if label in mine}
            cell, total = class_pages.cell(student), sum(each.values()) if each else ""
            line = dict.fromkeys(("Full name", "Username", "Student", "SIS Login ID", "Name", "SID"), cell)
            line |= dict.fromkeys(("Grade", "Final Points", "Total"), total)
            line |= {"Page": f"students/{pages[student]}", "Last modified (grade)": "-"}
            line["Feedback comments"] = ", ".join(f"{label} {result}" for label, result in mine.items())
            if submission.number:  # of the user in Canvas, of the participant in Moodle
                line |= {"ID": submission.number, "Identifier": f"Participant {submission.number}"}
                line |= {"SIS Login ID": "", "Username": ""}
            lines.writerow({column: value for column, value in {**line, **each}.items() if column in lines.fieldnames})
        write_whole(beside(self.given.grades, "_lms.csv"), table.getvalue())

    def write_feedback(self):
        """The pages of the students, named so that their LMS gives each to its student."""
        path = beside(self.given.grades, "_feedback.zip")
        path.unlink(missing_ok=True)
        asked = [student for student in self.submissions if student in {each for each, _ in self.looked_at}]
        nobodys = [student for student in asked if not self.submissions[student].reply]
        if nobodys and self.given.lms != "gradescope":
            print("These students' names are not from Moodle or Canvas: no feedback for", class_pages.some(nobodys))
        if nobodys == asked:
            return
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for student, page in class_pages.file_names(self.submissions).items():
                reply = self.submissions[student].reply
                if reply and student in asked:
                    text = class_pages.with_reports(self.given.pages / "students" / page)
                    archive.writestr(f"{reply}feedback.html", text)
        print("The students' pages, to upload:", path)

    def student_called(self, name):
        """By what the table or the folder calls a student."""
        names, asked = {}, name.casefold().strip("_")
        for student, each in self.submissions.items():
            for called in (student, class_pages.cell(student), each.reply.strip("_")):
                names[called.casefold()] = student
        near = [each for each in names if asked in each] + difflib.get_close_matches(asked, names, 5)
        near = class_pages.some(list(dict.fromkeys(names[each] for each in near)))
        if name not in self.submissions and asked not in names:
            refuse(f"No student is called '{name}'." + (f" Nearly: {near}." if near else " The table shows the names."))
        return name if name in self.submissions else names[asked]

    def grade_class(self):
        self.submissions, loose = hand_ins.hand_ins(self.given.folder)
        if not self.submissions:
            refuse(f"'{self.given.folder}' has no folders: each submission is a folder in it, or a .zip.")
        self.unrecognized = {
            student: list(hand_ins.unrecognized(submission.files, self.given.every, self.own_files))
            for student, submission in self.submissions.items()
        }
        self.others = {
            student for student, submission in self.submissions.items()
            if any(hand_ins.meant_by(path, self.given.every) for path in submission.files)
        }
        for e in self.shown:
            for student in self.submissions:
                kept = self.rows.get((student, e.label))
                if not (kept and kept.key):  # else it depends on nothing but the files
                    self.rows[student, e.label] = self.looked_up(e, student)[0]
        self.given.only = list(dict.fromkeys(map(self.student_called, self.given.only)))
        if loose:
            names = " ".join(map(class_pages.one_line, loose))
            print("Skipped, because they are neither folders nor .zip:", names, file=sys.stderr)
        earlier = [e.label for e in self.shown if e not in self.given.chosen]
        gone = sorted({student for student, _ in self.rows} - self.submissions.keys())
        if earlier:
            print("The table keeps what earlier runs found of", class_pages.some(earlier), file=sys.stderr)
        if self.given.left_out:
            print("Not in this table, so not for --only:", class_pages.some(self.given.left_out), file=sys.stderr)
        for own in self.given.remembered:
            print(f"The answers have to pass your {own}, as before.", file=sys.stderr)
        if gone:
            print("Not in the table, since not in the folder:", class_pages.some(gone), file=sys.stderr)
        with concurrent.futures.ThreadPoolExecutor(self.given.jobs) as pool:
            try:
                self.bases = dict(zip(self.given.chosen, pool.map(self.prepare, self.given.chosen)))
                work = [
                    pool.submit(self.grade, e, student)
                    for e in self.given.chosen for student in self.given.only or self.submissions
                ]
                for each in concurrent.futures.as_completed(work):
                    row = each.result()
                    self.rows[row.student, row.label] = row
                    self.looked_at.add((row.student, row.label))
                    self.write()
                    message = row.message and f": {row.message}"
                    line = f"{row.student:28} {row.number} {row.n}  {row.result}{message}"
                    print(class_pages.one_line(line), flush=True)
            except BaseException:
                if apart.stopping.is_set():
                    self.write()
                    done = f"{len(self.looked_at)} of {len(self.given.chosen) * len(self.given.only or self.submissions)}"
                    print(f"Stopped after {done} answers. {self.given.grades} has them, and the same command continues "
                          "from there.", file=sys.stderr)
                apart.stopping.set()
                pool.shutdown(cancel_futures=True)
                raise
        rows = self.write()
        print()
        for result, count in collections.Counter(row.result for row in rows).most_common():
            print(f"{count:5} {result}")
        by_hand = sum(bool(row.by_hand) for row in rows)
        if by_hand:
            print(f"{by_hand:5} to check by hand: the page of the class says why\n")
        print(f"Written to {self.given.grades}\nThe page of the class: {self.given.pages}/index.html")
        if self.given.lms:
            print(f"To import: {beside(self.given.grades, '_lms.csv')}")
            self.write_feedback()


def stop(number, _):
    for each in STOPS:
        signal.signal(each, signal.SIG_IGN)  # once is enough: what runs is ended already
    apart.stopping.set()
    sys.exit(128 + number)


def main():
    root, words = pathlib.Path(sys.argv[1]), sys.argv[2:]
    targets = words[:1] == ["--targets"]
    if targets and {"-h", "--help"} & set(words):
        return
    given = arguments(root, words[targets:])
    if targets:
        print("learner_screen", *(f"solution_{e.file_label}" for e in given.chosen))
        return
    for number in STOPS:
        signal.signal(number, stop)
    with tempfile.TemporaryDirectory(prefix="grade-") as scratch:
        os.chmod(scratch, 0o711)
        way = "trust" if given.trust else apart.way_of_this_machine(f"{scratch}/tried")
        if not way:
            refuse(
                "Answers can't be isolated from this machine: it doesn't let you make user namespaces, which\n"
                "bubblewrap needs. Ask its administrator (Debian: sudo apt-get install bubblewrap), or run\n"
                "chapters/grade as root in a container. --trust runs answers as you, with your files and\n"
                "your network: only for people whom you know."
            )
        closed = [each for each in (root, *root.parents) if not each.stat().st_mode & 1]
        if way == "user" and closed:
            refuse(f"Answers run as other users, who cannot enter {closed[0]}: chmod o+x it.")
        print(f"Answers run {WAYS[way]}.", file=sys.stderr)
        Grader(root, given, way, scratch).grade_class()


if __name__ == "__main__":
    main()
