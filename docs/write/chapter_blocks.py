# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Blocks that tabulate the chapters."""

import csv
import json
import os
import pathlib
import re

from blocks import Problem
from table_blocks import cell, one_figure, provenance, recorded


def plain_title(heading):
    """'# 02 The direct kernel' and '# 02: The direct kernel' become 'The direct kernel'."""
    return re.sub(r"^\d\d[\s:.–—-]+", "", heading.lstrip("#").strip()).replace("|", "\\|")


def chapters_block(words, path, root, runner):
    """The table of a file like docs/record/chapter_figures.csv: each chapter's idea, and a recorded figure. With conditions
    in `over`, the figure is a ratio to that row's. A figure of another device than the first one's names it."""
    if len(words) != 1:
        raise Problem("chapters takes one file")
    lines, origins, devices, known = [], {}, [], {}
    with open(root / words[0], newline="", encoding="utf-8") as file:
        for wanted in csv.DictReader(file):
            known[wanted["chapter"]] = wanted
    for lesson in sorted((root / "chapters").glob("[0-9][0-9]_*/README.md")):
        number = lesson.parent.name[:2]
        title = lesson.read_text(encoding="utf-8").split("\n")[0]
        if not title.startswith("# "):
            raise Problem(f"{lesson.relative_to(root)} has no title ('# ...')")
        if number not in known:
            raise Problem(f"{words[0]} has no line for chapter {number}")
        wanted = known.pop(number)
        source = recorded(root, wanted["file"])
        value = one_figure(source, wanted["column"], wanted["where"], wanted["file"])
        if wanted.get("over"):
            value = str(float(value) / float(one_figure(source, wanted["column"], wanted["over"], wanted["file"])))
        devices.append(json.loads((source.parent / "record.json").read_text(encoding="utf-8"))["device"])
        figure = wanted["text"].format(cell(value, int(wanted["digits"]), None))
        figure += "" if devices[-1] == devices[0] else f" ({devices[-1]})"
        origins[source.parent] = source
        link = pathlib.PurePath(os.path.relpath(lesson, path.parent)).as_posix()
        lines.append(f"| {number} | [{plain_title(title)}]({link}) | {wanted['idea']} | {figure} |")
    if known or not lines:
        raise Problem(f"there is no lesson of chapter {', '.join(known) or '00'}")
    head = [f"| | Chapter | Idea | Measured on {devices[0]}, unless the row says otherwise |", "| --- | --- | --- | --- |"]
    return head + lines + [line for origin in origins.values() for line in ("", provenance(origin, root))]


def card_row(lesson, root, title):
    """What the card of a lesson says in the row with this title."""
    match = re.search(rf"^\| {re.escape(title)} \| (.*) \|$", lesson.read_text(encoding="utf-8"), re.M)
    if match is None:
        raise Problem(f"{lesson.relative_to(root)} has no card with a row '{title}'")
    return match[1]


def cards_block(words, path, root, runner):
    """What a teacher plans with: time and prerequisites, as the cards of the lessons say."""
    lines = ["| | chapter | exercises | time | needs |", "| --- | --- | --- | --- | --- |"]
    for lesson in sorted((root / "chapters").glob("[0-9][0-9]_*/README.md")):
        text = lesson.read_text(encoding="utf-8")
        more = lesson.with_name("more.md")  # a long lesson has some of its exercises there
        both = text + (more.read_text(encoding="utf-8") if more.exists() else "")
        exercises = len(re.findall(r"^### Exercise \d+:", both, re.M))

        def elsewhere(match, lesson=lesson):
            target = os.path.relpath(lesson.parent / (match[1] or lesson.name), path.parent)
            return f"]({pathlib.PurePath(target).as_posix()}{match[2] or ''})"

        needs = re.sub(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)", elsewhere, card_row(lesson, root, "You need"))
        time = card_row(lesson, root, "Time").removesuffix(", exercises included")
        link = pathlib.PurePath(os.path.relpath(lesson, path.parent)).as_posix()
        number = lesson.parent.name[:2]
        lines.append(f"| {number} | [{plain_title(text.split(chr(10))[0])}]({link}) | {exercises} | {time} | {needs} |")
    if len(lines) == 2:
        raise Problem("there is no chapters/NN_name/README.md")
    return lines


KINDS = {"chapters": chapters_block, "cards": cards_block}
