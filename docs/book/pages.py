# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the book has: its pages in the order of the route, and the pages on which one steps through a kernel."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess

# What comes first of docs/.
LOOK_UP = "glossary your_answers wrong_or_slow own_kernels faults counts record peers then_and_now teaching".split()
EMULATED_DEVICE = "README findings counts concurrency devices coverage".split()
ABOUT = "common/README data/README docs/measurements/README CONTRIBUTING THIRD_PARTY".split()


def read(root, page):
    return pathlib.Path(root, page + ".md").read_text(encoding="utf-8")


def title(root, page):
    return re.sub("[`*]", "", re.search("^# (.*)", read(root, page), re.M)[1])


def chapters(root):
    """["chapters/00_.../README", ...]: pages are named by their documents, without .md."""
    return sorted(path.relative_to(root).as_posix()[:-3] for path in pathlib.Path(root).glob("chapters/[0-9][0-9]_*/README.md"))


def more_of(root, lesson):
    """The further page of a lesson, if it has one."""
    more = lesson.removesuffix("README") + "more"
    return more if pathlib.Path(root, more + ".md").is_file() else None


def section(text, heading):
    """The section of a document below `## heading`."""
    return ("\n" + text).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def route(root):
    """[(group, its lessons)]: the core and the side paths as README.md says in "The route", and the others."""
    text = section(read(root, "README"), "The route")
    table = text.partition("| Evening")[2].partition("\n\n")[0]
    core = re.findall(r"chapters/(\d\d)_", table)
    said = re.search(r"Chapters ([^.]*?) are \*\*side paths\*\*|\*\*Side paths:\*\*([^.]*)\.", text)
    side = re.findall(r"\d\d", said[0])
    lessons = chapters(root)
    groups = {"The core": lambda n: n in core, "Then": lambda n: n not in core + side, "Side paths": lambda n: n in side}
    return [(name, [lesson for lesson in lessons if wanted(lesson.split("/")[1][:2])]) for name, wanted in groups.items()]


def groups(root):
    """[(group, pages)] of all documents that are pages, but for what belongs to a lesson (more_of)."""
    others = sorted(path.stem for path in pathlib.Path(root, "docs").glob("*.md") if path.stem not in LOOK_UP)
    found = route(root) + [
        ("Look up", ["README"] + ["docs/" + page for page in LOOK_UP + others]),
        ("The emulated device", ["common/emulator/" + page for page in EMULATED_DEVICE]),
        ("About", list(ABOUT)),
    ]
    return [(name, [page for page in pages if pathlib.Path(root, page + ".md").is_file()]) for name, pages in found]


def documents(root):
    """All documents that are pages, in the order of the book."""
    found = []
    for _, pages in groups(root):
        for page in pages:
            found += [page] + [more for more in (more_of(root, page),) if more and page.startswith("chapters/")]
    return found


# Documents that are too long for one page of the book: each of their sections is one.
LONG = ["docs/counts", "docs/record"]


def slug(heading):
    """The anchor that code hosts give to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower().strip()).replace(" ", "-")


def parts(text):
    """[(name, text)] of a long document: what comes before its sections, each section, and below one each large one."""
    pieces, fenced, level = [["", []]], False, 0
    lines = text.split("\n")
    for i, line in enumerate(lines):
        heading = None if fenced else re.match(r"(##|###) (.*)", line)
        if line.startswith("```"):
            fenced = not fenced
        below = re.split("^##{1,2} ", "\n".join(lines[i + 1 :]), maxsplit=1, flags=re.M)[0] if heading else ""
        if heading and (heading[1] == "##" or len(below.split()) > 1000):
            level = len(heading[1]) - 1
            pieces.append([slug(heading[2]), []])
        pieces[-1][1].append(line[level:] if not fenced and re.match("#{2,} ", line) else line)
    return [(name, "\n".join(body)) for name, body in pieces]


def pages_of_steps(root):
    """{program: arguments for chapters/draw}, as pages_of_steps.txt lists them."""
    table = pathlib.Path(root, "docs/book/pages_of_steps.txt").read_text(encoding="utf-8")
    rows = [shlex.split(line, comments=True) for line in table.splitlines()]
    return {row[0]: row[1:] for row in rows if row}


def addresses_of_steps(root):
    """{address in the book: program}"""
    return {"steps/" + re.sub(r"\W", "_", program.removesuffix(".cu")): program for program in pages_of_steps(root)}


def draw_all_steps(root, emulated, programs):
    """Makes the pages of steps {page: program} with the emulated device that is built in a folder, several at once."""
    # Nothing from outside may change what they show; lines in traces are named from the root.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
    settings = {"check": True, "cwd": root, "env": environment | {"EMULATOR_ORDER": "forward"}, "text": True}
    settings |= {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        made = []
        for page, program in programs.items():
            options = [*pages_of_steps(root)[program], "--build", emulated, "--steps", page]
            made.append(pool.submit(subprocess.run, [pathlib.Path(root, "chapters/draw"), program, *options], **settings))
    failed = [each.exception() for each in made if each.exception()]
    if failed:
        raise SystemExit("\n".join(f"{each}\n{getattr(each, 'stderr', '')}" for each in failed))
