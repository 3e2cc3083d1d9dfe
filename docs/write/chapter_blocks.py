# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Blocks that tabulate the chapters, from the lessons themselves."""

import os
import pathlib
import re

from blocks import Problem


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


def chapters_block(words, path, root, runner):
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
        lines.append(f"| {folder[:2]} | [{plain_title(text[at])}]({link}) | {idea} |")
    return lines


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
