# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""How long a reader waits: the time to build and test a fresh clone, in processor time and by the clock.

    docs/record/measure build_time FOLDER [NAME=COMMIT...] [--tests]

Clones the repository into a temporary folder at each COMMIT (default: now=HEAD). Builds it there for the emulated
device, without a compiler cache, as chapters/run and tests/run do: chapter 00, the other chapters, then whatever else the
tests need. Then it builds one kernel of chapter 02 after a change. With --tests it takes the change back, and runs
tests/run: its steps are the tests, and the last row is all of tests/run from a fresh clone. FOLDER gets build_time.csv
and record.json. Tests that fail are named.
"""

import datetime
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import records  # noqa: E402

COLUMNS = ("name", "commit", "built", "processor_s", "wall_s", "steps")
KERNEL = "chapters/02_direct_kernel/convolve_direct.cu"


def steps_of(text):
    """How many steps the last run of ninja took, "[12/12] Linking ...", or how many tests ctest ran."""
    tests = re.findall(r"tests failed out of (\d+)$", text, re.MULTILINE)
    steps = re.findall(r"^\[\d+/(\d+)\]", text, re.MULTILINE)
    return int((tests or steps or [0])[-1])


def timed(commands, folder):
    """(processor seconds, seconds by the clock, steps or tests of the last command)."""
    environment = dict(os.environ, CCACHE_DISABLE="1")
    before, begin, text = resource.getrusage(resource.RUSAGE_CHILDREN), datetime.datetime.now(), ""
    for command in commands:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = done.stdout
        if done.returncode and "tests passed" in text:
            print(text[text.rindex("tests passed") :], file=sys.stderr)  # and which have failed
        elif done.returncode:
            raise records.Problem(f"{text}\n{' '.join(command)} failed")
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), (datetime.datetime.now() - begin).total_seconds()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds, steps_of(text)


def stages(chapters):
    """What is built one after the other: (name, arguments for ninja)."""
    return [("chapter 00, from a fresh clone", chapters[:1]), ("the other chapters", chapters[1:]),
            ("the rest of the tests", []), ("one kernel of chapter 02, changed", ["02_direct_kernel"])]


def rows_of(tree, with_tests, run):
    """[(what is built, processor seconds, seconds by the clock, steps)] of a fresh clone."""
    chapters = sorted(path.parent.name for path in tree.glob("chapters/[0-9][0-9]_*/CMakeLists.txt"))
    commands, rows = [["cmake", "--preset", "emulated", "-G", "Ninja"]], []
    kernel = tree / KERNEL
    source = kernel.read_text(encoding="utf-8")
    for built, targets in stages(chapters):
        if built.startswith("one kernel"):
            kernel.write_text(source + "// changed\n", encoding="utf-8")
        rows.append((built, *run([*commands, ["ninja", "-C", "build/emulated", *targets]], tree)))
        print(*rows[-1], sep=", ", file=sys.stderr, flush=True)  # it takes long
        commands = []
    if with_tests:
        kernel.write_text(source, encoding="utf-8")
        rows.append(("all tests, with everything built", *run([["tests/run", "--yes", "--preset", "emulated"]], tree)))
        whole = [sum(row[column] for row in (*rows[:3], rows[-1])) for column in (1, 2)]
        rows.append(("tests/run, from a fresh clone", *whole, rows[-1][-1]))
    return rows


def measure(name, commit, with_tests):
    """The rows of one commit."""
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder, "clone")
        subprocess.run(["git", "clone", "-q", "--no-checkout", records.ROOT, tree], check=True)
        subprocess.run(["git", "-C", tree, "checkout", "-q", commit], check=True)
        commit = records.first_line("git", "-C", str(tree), "rev-parse", "--short", "HEAD")
        return [
            dict(zip(COLUMNS, (name, commit, built, f"{processor:.1f}", f"{wall:.1f}", steps)))
            for built, processor, wall, steps in rows_of(tree, with_tests, timed)
        ]


def make_record(options, words):
    commits = [each.partition("=")[::2] for each in options.commits or ["now=HEAD"]]
    rows = [row for name, commit in commits for row in measure(name, commit or "HEAD", options.tests)]
    options.folder.mkdir(parents=True, exist_ok=True)
    records.write_csv(options.folder / "build_time.csv", COLUMNS, rows)
    compiler = records.first_line(os.environ.get("CXX", "c++"), "--version")
    records.save_facts(options.folder, {
        "device": records.processor(), "compiler": compiler, "date": datetime.date.today().isoformat(),
        "command": " ".join(["docs/record/measure build_time", *words]),
    })
    return 0


def main(arguments):
    parser = records.parser(__doc__)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("commits", nargs="*", metavar="NAME=COMMIT")
    parser.add_argument("--tests", action="store_true")
    options = parser.parse_args(arguments)
    return records.ending("measure build_time", lambda: make_record(options, arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
