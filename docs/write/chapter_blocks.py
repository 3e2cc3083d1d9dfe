# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Blocks that tabulate the chapters, from the lessons themselves."""

import csv
import json
import os
import pathlib
import re

from blocks import Problem
from table_blocks import cell, provenance, recorded


def plain_title(heading):
    """'# 02 The direct kernel' and '# 02: The direct kernel' become 'The direct kernel'."""
    return re.sub(r"^\d\d[\s:.–—-]+", "", heading.lstrip("#").strip()).replace("|", "\\|")


def first_sentence(lines):
    """The first sentence of the first paragraph that is prose; '' if there is none."""
    paragraph = []
    for line in [*lines, ""]:
        text = line.strip()
        if re.match(r"(#|\||>|<|!\[|[-*+] |\d+\. |```|~~~|\$\$|\[)", text) or line.startswith("    "):
            text = ""
        if text:
            paragraph.append(text)
        elif paragraph:
            break
    match = re.match(r"(.*?[.?!])(?:\s|$)", " ".join(paragraph))
    return (match[1] if match else " ".join(paragraph)).replace("|", "\\|")


def the_figure(source, wanted, conditions):
    """The one figure of a recorded table in the column that is wanted, where NAME=VALUE;... holds."""
    wanted_cells = dict(each.split("=", 1) for each in conditions.split(";"))
    with open(source, newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if all(row[k] == v for k, v in wanted_cells.items())]
    values = [row[wanted["column"]] for row in rows if row[wanted["column"]]]
    if len(values) != 1:
        raise Problem(f"{wanted['file']} has {len(values)} rows where {conditions}; one is needed")
    return values[0]


def chapter_figures(root, name):
    """What a file like docs/record/chapter_figures.csv says of each chapter, as {"02": "5 taps: 0.78 ..."}; and a file
    of each record that it is from. With conditions in `over`, the figure is a ratio to that row's. A figure of another
    device than the first one's names it."""
    figures, origins, devices = {}, {}, []
    with open(root / name, newline="", encoding="utf-8") as file:
        for wanted in csv.DictReader(file):
            source = recorded(root, wanted["file"])
            value = the_figure(source, wanted, wanted["where"])
            if wanted.get("over"):
                value = str(float(value) / float(the_figure(source, wanted, wanted["over"])))
            devices.append(json.loads((source.parent / "record.json").read_text(encoding="utf-8"))["device"])
            figure = wanted["text"].format(cell(value, int(wanted["digits"]), None))
            figures[wanted["chapter"]] = figure if devices[-1] == devices[0] else f"{figure} ({devices[-1]})"
            origins[source.parent] = source
    return figures, list(origins.values()), devices[0]


def chapters_block(words, path, root, runner):
    if words:
        figures, origins, device = chapter_figures(root, words[0])
        lines = [f"| | chapter | | {device}, measured |", "| --- | --- | --- | --- |"]
    else:
        figures, origins = None, []
        lines = ["| | chapter | |", "| --- | --- | --- |"]
    lessons = sorted((root / "chapters").glob("[0-9][0-9]_*/README.md"))
    if not lessons:
        raise Problem("there is no chapters/NN_name/README.md")
    for lesson in lessons:
        text = lesson.read_text(encoding="utf-8").split("\n")
        at = next((i for i, line in enumerate(text) if line.startswith("# ")), None)
        if at is None:
            raise Problem(f"{lesson.relative_to(root)} has no title ('# ...')")
        folder = lesson.parent.name
        idea = first_sentence(text[at + 1 :])
        link = pathlib.PurePath(os.path.relpath(lesson, path.parent)).as_posix()
        figure = "" if figures is None else f" {figures.get(folder[:2], '')} |"
        lines.append(f"| {folder[:2]} | [{plain_title(text[at])}]({link}) | {idea} |{figure}")
    return lines + [line for origin in origins for line in ("", provenance(origin, root))]


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
            target = os.path.relpath(lesson.parent / match[1], path.parent)
            return f"]({pathlib.PurePath(target).as_posix()}{match[2] or ''})"

        needs = re.sub(r"\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)", elsewhere, card_row(lesson, root, "You need"))
        time = card_row(lesson, root, "Time").removesuffix(", exercises included")
        link = pathlib.PurePath(os.path.relpath(lesson, path.parent)).as_posix()
        number = lesson.parent.name[:2]
        lines.append(f"| {number} | [{plain_title(text.split(chr(10))[0])}]({link}) | {exercises} | {time} | {needs} |")
    if len(lines) == 2:
        raise Problem("there is no chapters/NN_name/README.md")
    return lines


KINDS = {"chapters": chapters_block, "cards": cards_block}
