# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Blocks of code, and of what changed from one piece of code to another."""

import difflib
import pathlib
import re

from blocks import Problem, fenced

LANGUAGES = {
    ".cu": "cpp",
    ".cuh": "cpp",
    ".hpp": "cpp",
    ".c": "c",
    ".h": "cpp",
    ".cpp": "cpp",
    ".py": "python",
    ".cmake": "cmake",
    ".txt": "text",
    ".json": "json",
    ".sh": "bash",
    ".csv": "text",
}


def region(root, reference):
    """Text of FILE#REGION, without common indentation and without the markers of other regions."""
    name, _, tag = reference.partition("#")
    path = root / name
    if not path.is_file():
        raise Problem(f"there is no file {name}")
    lines = path.read_text(encoding="utf-8").split("\n")
    marker = re.compile(r"^\s*(?://|#)\s*\[([\w.-]+)\]\s*$")
    if tag:
        at = [i for i, line in enumerate(lines) if (m := marker.match(line)) and m[1] == tag]
        if len(at) != 2:
            raise Problem(f"{name} has {len(at)} lines '// [{tag}]', and a region needs exactly two")
        lines = lines[at[0] + 1 : at[1]]
    lines = [line.rstrip() for line in lines if not marker.match(line) and "SPDX-" not in line]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise Problem(f"{reference} is empty")
    indent = min(len(line) - len(line.lstrip()) for line in lines if line)
    return "\n".join(line[indent:] for line in lines)


def language_of(reference):
    name = reference.partition("#")[0]
    if name.endswith("Makefile"):
        return "make"
    return "cmake" if name.endswith("CMakeLists.txt") else LANGUAGES.get(pathlib.Path(name).suffix, "text")


def changes(old, new):
    """Lines of a diff in which indentation and comments at the end of a line do not count."""

    def essence(line):
        code = re.sub(r"\s+", " ", re.sub(r"//.*", "", line)).strip()
        return code or line.strip()

    matcher = difflib.SequenceMatcher(None, [*map(essence, old)], [*map(essence, new)], autojunk=False)
    lines = []
    for group in matcher.get_grouped_opcodes(2):
        lines.append("@@")
        for what, i0, i1, j0, j1 in group:
            if what == "equal":
                lines += [(" " + line).rstrip() for line in new[j0:j1]]
            else:
                lines += [("-" + line).rstrip() for line in old[i0:i1]] + [
                    ("+" + line).rstrip() for line in new[j0:j1]
                ]
    if not lines:
        raise Problem("the two regions do not differ")
    return lines if lines.count("@@") > 1 else lines[1:]


def code_block(words, path, root, runner):
    if len(words) != 1:
        raise Problem("code takes one FILE#REGION")
    return fenced(region(root, words[0]), language_of(words[0]))


def diff_block(words, path, root, runner):
    if len(words) != 2:
        raise Problem("diff takes two FILE#REGION")
    return fenced("\n".join(changes(*(region(root, word).split("\n") for word in words))), "diff")


KINDS = {"code": code_block, "diff": diff_block}
