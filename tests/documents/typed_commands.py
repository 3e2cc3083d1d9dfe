#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Commands that the documents let their reader type on the data of the tutorial work as they are printed.

Usage: tests/documents/typed_commands.py --build DIR [FILE...]

Runs each indented line "chapters/run NN ..." with --signal, --image, --decode or --length in README.md and the lessons,
page by page in a folder that has data/. Its status must be 0, or the one that the block of output below it has.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = re.compile(r"(?m)^    ((?:[A-Z_]+=\S+ )*)chapters/run (?:--preset emulated )?(\d\d) (.*)$")
MADE = re.compile(r"(?m)^    (printf '[^'\n]*' > \w+\.\w+)$")  # files that the reader makes
OWN_DATA = re.compile(r"--(?:signal|image|decode|length)\b")


def expected_status(below):
    """Of a command, by the text below it: a block of its output says which."""
    block = re.match(r"\s*<!-- generated: output .*? -->", below)
    found = re.search(r"exit=(\d+)", block[0]) if block else None
    return int(found[1]) if found else 0


def programs(build):
    others = ("00_without_guard", "15_rank", "15_rank_mpi")
    return {path.name[:2]: path for path in (build / "bin").glob("[0-9][0-9]_*") if path.name not in others}


def problems_of(page, program):
    """(how many commands were run, what went wrong) on a page."""
    count, problems, text = 0, [], page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "data", pathlib.Path(folder) / "data")
        for line in MADE.findall(text):
            subprocess.run(["bash", "-c", line], cwd=folder, check=True)
        for found in COMMAND.finditer(text):
            arguments = shlex.split(found[3])
            if not OWN_DATA.search(found[3]):
                continue
            environment = {**os.environ, **dict(each.split("=", 1) for each in found[1].split())}
            run = subprocess.run(
                [program[found[2]], *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
            )
            count += 1
            wanted = expected_status(text[found.end() :])
            if run.returncode != wanted:
                said = (run.stderr or run.stdout).strip().splitlines()[-1:]
                what = f"status {run.returncode}, not {wanted}: {found[0].strip()}"
                problems.append(f"{page.relative_to(ROOT)}: {what}\n  {' '.join(said)}")
    return count, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    options.build = options.build.resolve()
    pages = [path.resolve() for path in options.files]
    pages = pages or [ROOT / "README.md", *sorted(ROOT.glob("chapters/[0-9][0-9]_*/*.md"))]
    count, problems = 0, []
    for page in pages:
        here, wrong = problems_of(page, programs(options.build))
        count, problems = count + here, problems + wrong
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{count} commands were run")
    return 1 if problems or (count < 15 and not options.files) else 0


if __name__ == "__main__":
    sys.exit(main())
