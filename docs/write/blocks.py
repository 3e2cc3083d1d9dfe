# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Where generated blocks stand in a document, and what the kinds of blocks have in common."""

import re

BEGIN = re.compile(r"^(\s*)<!--\s*generated:\s*(.*?)\s*-->\s*$")
END = re.compile(r"^\s*<!--\s*end generated\s*-->\s*$")
LOOSE = re.compile(r"<!--\s*(generated:|end generated)")
FENCE = re.compile(r"^\s*(?:>\s*)*(`{3,}|~{3,})")


class Problem(Exception):
    """A block that cannot be made; the caller adds file and line."""


def find_blocks(lines):
    """[(index of begin line, index of end line, indent, text of the marker)]; markers inside fences do not count."""
    blocks, fence, begin = [], None, None
    for i, line in enumerate(lines):
        if begin is not None:
            if END.match(line):
                blocks.append((begin[0], i, begin[1], begin[2]))
                begin = None
            elif BEGIN.match(line):
                raise Problem((begin[0], "this block has no '<!-- end generated -->'"))
            continue
        opening = FENCE.match(line)
        if fence is not None:
            if (
                opening
                and opening[1][0] == fence[0]
                and len(opening[1]) >= len(fence)
                and not line.strip(" \t>").strip(fence[0])
            ):
                fence = None
            continue
        if opening:
            fence = opening[1]
            continue
        match = BEGIN.match(line)
        if match:
            begin = (i, match[1], match[2])
        elif END.match(line):
            raise Problem((i, "'<!-- end generated -->' without a beginning"))
        elif LOOSE.search(line) and "`" not in line:
            raise Problem((i, "a marker must be alone on its line, and end there with '-->'"))
    if begin is not None:
        raise Problem((begin[0], "this block has no '<!-- end generated -->'"))
    return blocks


def fenced(text, language):
    ticks = "```"
    while ticks in text:
        ticks += "`"
    return [ticks + language, *text.split("\n"), ticks]


def split_options(words, known):
    """(words that are no option, options with a name of those known, environment)."""
    plain, options, environment = [], {}, {}
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name in known:
            options.setdefault(name, []).append(value)
        elif equals and not plain and re.fullmatch(r"[A-Z][A-Z0-9_]*", name):
            environment[name] = value
        else:
            plain.append(word)
    for name, values in options.items():
        if len(values) > 1 and name != "mask":
            raise Problem(f"{name}= is given twice")
    return plain, {n: v if n == "mask" else v[0] for n, v in options.items()}, environment
