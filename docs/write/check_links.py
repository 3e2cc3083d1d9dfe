# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Links, anchors and pictures of all documents, as they are on a code host: status 1 if one leads nowhere.

    check_links.py [--root DIR]

Also: a picture has text for those who do not see it, an SVG is well-formed, fences and formulas are closed.
"""

import argparse
import html
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})")
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`|!\[[^\]]*\]\([^)]*\)|\[[^\]]*\])*)\]\(\s*([^)\s]+)(?:\s+\"[^\"]*\")?\s*\)")
IMAGE_TAG = re.compile(r"<img\b[^>]*\bsrc=\"([^\"]*)\"[^>]*>")


def prose(text):
    """The document without fenced and indented code, code spans (they keep their length) and comments; and problems."""
    problems, fence = [], None
    lines = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), text, flags=re.S).split("\n")
    for i, line in enumerate(lines):
        match = FENCE.match(line)
        if fence is not None:
            if line.strip().startswith(fence[0]) and not line.strip().strip(fence[0][0]):
                fence = None
            lines[i] = ""
        elif match:
            fence, lines[i] = (match[2], i), ""
        elif line.startswith("    ") and i and not lines[i - 1].strip() and not re.match(r"\s*([-*+]|\d+\.)\s", line):
            lines[i] = "" if not in_list(lines, i) else line
    if fence:
        problems.append((fence[1], "this fence is never closed"))
    formulas = [i for i, line in enumerate(lines) if line.strip() == "$$"]
    if len(formulas) % 2:
        problems.append((formulas[-1], "this formula is never closed"))
    joined = re.sub(r"(?<!`)(`+)(?!`)((?:(?!\n\n).)+?)(?<!`)\1(?!`)", lambda m: re.sub(r"[^\n]", "x", m[0]), "\n".join(lines), flags=re.S)
    return joined, problems


def in_list(lines, i):
    """Whether the last line before i that is not indented begins an item of a list."""
    before = next((line for line in reversed(lines[:i]) if line.strip() and not line.startswith("  ")), "")
    return re.match(r"([-*+]|\d+\.)\s", before)


def slug(heading):
    """The anchor that code hosts give to a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = html.unescape(re.sub(r"<[^>]*>", "", text)).lower().strip()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(text):
    """The anchors of all sections of a document."""
    shown, found = prose(text)[0].split("\n"), []
    original = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), text, flags=re.S).split("\n")
    for line, whole in zip(shown, original):
        if re.match(r"#{1,6}\s", line):
            name = slug(whole.lstrip("#").strip())
            again = sum(1 for each in found if each == name or re.fullmatch(re.escape(name) + r"-\d+", each))
            found.append(f"{name}-{again}" if again else name)
    return found


def check(root, path):
    """["file:line: message"] of what is wrong with one document."""
    text = (root / path).read_text(encoding="utf-8")
    shown, problems = prose(text)

    def resolved(target):
        name, _, fragment = target.partition("#")
        place = pathlib.Path(os.path.normpath(root / os.path.dirname(path) / name)) if name else root / path
        return (place / "README.md" if (place / "README.md").is_file() else place), fragment

    def picture(line, target, alternative):
        if re.match(r"[a-z]+:", target):
            problems.append((line, f"the picture '{target}' lies outside of the repository"))
            return
        place = resolved(target)[0]
        if not place.is_file():
            problems.append((line, f"the picture '{target}' does not exist"))
        elif place.suffix == ".svg":  # a browser shows nothing of a drawing with a mistake in it
            try:
                if not xml.etree.ElementTree.parse(place).getroot().tag.endswith("}svg"):
                    problems.append((line, f"the picture '{target}' is no SVG"))
            except xml.etree.ElementTree.ParseError as error:
                problems.append((line, f"the picture '{target}' is not well-formed: {error}"))
        if not alternative.strip():
            problems.append((line, f"the picture '{target}' has no text for those who do not see it"))

    for match in LINK.finditer(shown):
        line, target = shown.count("\n", 0, match.start()), match[3]
        if match[1]:
            picture(line, target, match[2])
        elif not re.match(r"[a-z][a-z0-9+.-]*:", target):
            place, fragment = resolved(target)
            if not place.exists() or not place.is_relative_to(root):
                problems.append((line, f"the link target '{target}' does not exist"))
            elif fragment and place.suffix == ".md" and fragment not in anchors(place.read_text(encoding="utf-8")):
                problems.append((line, f"'{target}': {place.relative_to(root)} has no section with this anchor"))
    for match in IMAGE_TAG.finditer(shown):
        picture(shown.count("\n", 0, match.start()), match[1], (re.search(r'alt="([^"]*)"', match[0]) or ["", ""])[1])
    return [f"{path}:{line + 1}: {message}" for line, message in sorted(problems)]


def documents(root):
    return [
        path
        for path in sorted(root.rglob("*.md"))
        if path.relative_to(root).parts[0] != "build" and not any(part.startswith(".") for part in path.relative_to(root).parts)
        and path.relative_to(root).as_posix() != "docs/book/start.md"  # its links are those of the book
    ]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2])
    root = pathlib.Path(parser.parse_args(arguments).root).resolve()
    found = documents(root)
    problems = [problem for path in found for problem in check(root, path.relative_to(root))]
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(found)} documents: every link, anchor and picture is there")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
