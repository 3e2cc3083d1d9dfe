# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""How long a reader waits: the time to build and test a fresh clone, in processor time and by the clock.

Usage: docs/record/measure build_time FOLDER [NAME=COMMIT...] [--tests]

Clones the repository into a temporary folder at each COMMIT (now=HEAD unless given). Builds it there for the emulated
device, without a compiler cache, as chapters/run and tests/run do: chapter 00, the other chapters, then whatever else the
tests need. Then it builds one kernel of chapter 02 after a change. With --tests it takes the change back, and runs
tests/run: its steps are the tests, and the last row is all of tests/run from a fresh clone. FOLDER gets build_time.csv
and record.json. Tests that fail are named.
"""

import csv
import datetime
import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
COLUMNS = ("name", "commit", "built", "processor_s", "wall_s", "steps")
KERNEL = "chapters/02_direct_kernel/convolve_direct.cu"


def steps_of(text):
    """How many steps ninja took: those of its last run, "[12/12] Linking ..."; 0 where there was nothing to do."""
    found = re.findall(r"^\[\d+/(\d+)\]", text, re.MULTILINE)
    return int(found[-1]) if found else 0


def tests_of(text):
    """How many tests ctest ran: "99% tests passed, 1 tests failed out of 704"."""
    found = re.findall(r"tests failed out of (\d+)$", text, re.MULTILINE)
    return int(found[-1]) if found else 0


def timed(commands, folder, environment):
    """(processor seconds, seconds by the clock, steps or tests of the last command)."""
    before, begin, text = resource.getrusage(resource.RUSAGE_CHILDREN), datetime.datetime.now(), ""
    for command in commands:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = done.stdout
        if done.returncode and tests_of(text):
            print(text[text.rindex("tests passed") :], file=sys.stderr)  # and which have failed
        elif done.returncode:
            raise SystemExit(f"{text}\ndocs/record/measure build_time: {' '.join(command)} failed")
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), (datetime.datetime.now() - begin).total_seconds()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds, tests_of(text) or steps_of(text)


def stages(chapters):
    """What is built one after the other: (name, arguments for ninja)."""
    return [("chapter 00, from a fresh clone", chapters[:1]), ("the other chapters", chapters[1:]),
            ("the rest of the tests", []), ("one kernel of chapter 02, changed", ["02_direct_kernel"])]


def measure(name, commit, with_tests=False, run=timed):
    """The rows of one commit."""
    environment = dict(os.environ, CCACHE_DISABLE="1")
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder, "clone")
        subprocess.run(["git", "clone", "-q", "--no-checkout", str(ROOT), str(tree)], check=True)
        subprocess.run(["git", "-C", str(tree), "checkout", "-q", commit], check=True)
        commit = subprocess.run(["git", "-C", str(tree), "rev-parse", "--short", "HEAD"], check=True, text=True,
                                stdout=subprocess.PIPE).stdout.strip()
        chapters = sorted(path.parent.name for path in tree.glob("chapters/[0-9][0-9]_*/CMakeLists.txt"))
        commands, rows = [["cmake", "--preset", "emulated", "-G", "Ninja"]], []
        for built, targets in stages(chapters):
            if built.startswith("one kernel"):
                with open(tree / KERNEL, "a", encoding="utf-8") as kernel:
                    kernel.write("// changed\n")
            commands.append(["ninja", "-C", "build/emulated", *targets])
            processor, wall, steps = run(commands, tree, environment)
            rows.append(dict(zip(COLUMNS, (name, commit, built, f"{processor:.1f}", f"{wall:.1f}", str(steps)))))
            print(*rows[-1].values(), sep=", ", file=sys.stderr, flush=True)  # it takes long
            commands = []
        if with_tests:
            subprocess.run(["git", "-C", str(tree), "checkout", "-q", "--", KERNEL], check=True)
            taken = run([["tests/run", "--yes", "--preset", "emulated"]], tree, environment)
            whole = [sum(float(row[column]) for row in rows[:3]) for column in ("processor_s", "wall_s")]
            for built, (processor, wall) in (("the tests, when all is built", taken[:2]),
                                             ("tests/run, from a fresh clone", map(sum, zip(whole, taken)))):
                rows.append(dict(zip(COLUMNS, (name, commit, built, f"{processor:.1f}", f"{wall:.1f}", str(taken[2])))))
    return rows


def processor_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def record(arguments):
    compiler = subprocess.run([os.environ.get("CXX", "c++"), "--version"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.splitlines()[0]
    return {"device": f"{processor_name()}, {os.cpu_count()} cores", "compiler": compiler,
            "date": datetime.date.today().isoformat(), "command": " ".join(["docs/record/measure build_time", *arguments])}


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip())
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    folder = pathlib.Path(arguments[0])
    with_tests = "--tests" in arguments
    named = [argument for argument in arguments[1:] if argument != "--tests"]
    commits = [argument.partition("=")[::2] for argument in named or ["now=HEAD"]]
    rows = [row for name, commit in commits for row in measure(name, commit or "HEAD", with_tests)]
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "build_time.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    (folder / "record.json").write_text(json.dumps(record(arguments), indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
