# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Reads the generated book and fails where a reader would be lost.

    check_book.py HTML_FOLDER

Looked at: every link and its anchor, every picture's text, what of Markdown was not understood, and whether "next" leads
from the first page through all chapters of the route. What a page loads is there if a browser finds it: browse_book.py.
"""

import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

VERBATIM = {"code", "pre", "script", "style", "math"}  # where raw text is right
# Leftovers in prose: links, fences and strong text of Markdown, markers, entities, tags.
LEFTOVERS = (
    ("a formula", re.compile(r"\$\$|\\\(")),
    ("a link", re.compile(r"\]\([\w./#:-]+\)")),
    ("strong text", re.compile(r"\*\*")),
    ("code or a fence", re.compile(r"`|~~~")),
    ("a comment", re.compile(r"<!--|-->")),
    ("an entity", re.compile(r"&(?:#\d+|[a-z]{2,6});")),
    ("a tag", re.compile(r"</?(?:code|b|details|summary)>")),
)


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.ids, self.links, self.problems, self.stack, self.steps = set(), [], [], [], {}
        self.feed(path.read_text(encoding="utf-8"))

    def problem(self, message):
        self.problems.append((self.getpos()[0], message))

    def handle_starttag(self, tag, attributes):
        attributes = {name: value or "" for name, value in attributes}
        line = self.getpos()[0]
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.problem(f"two parts have the id '{attributes['id']}'")
            self.ids.add(attributes["id"])
        if tag == "a" and "href" in attributes:
            self.links.append((line, attributes["href"]))
            if attributes.get("rel") in ("prev", "next"):
                self.steps[attributes["rel"]] = attributes["href"]
        elif tag == "img" and not attributes.get("alt", "").strip():
            self.problem(f"the picture {attributes.get('src')} has no text")
        if tag not in "br img hr meta link input wbr col source embed".split():
            self.stack.append(tag)

    def handle_endtag(self, tag):
        if tag in self.stack:
            del self.stack[len(self.stack) - 1 - self.stack[::-1].index(tag) :]

    def handle_data(self, data):
        if VERBATIM & set(self.stack):
            return
        for what, pattern in LEFTOVERS:
            match = pattern.search(data)
            if match:
                self.problem(f"{what} was not understood: ...{data[max(0, match.start() - 30) : match.end() + 30].strip()}...")


def check(folder):
    """["page:line: message"] of all that is wrong with the book in `folder`."""
    folder = pathlib.Path(folder).resolve()
    if not (folder / "index.html").is_file():
        return [f"{folder}: there is no book (index.html is missing)"]
    names = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.html"))]
    pages = {name: Page(folder / name) for name in names if not name.startswith("steps/")}
    problems = []

    for name, page in pages.items():
        problems += [f"{name}:{line}: {message}" for line, message in page.problems]
        for line, target in page.links:
            address = urllib.parse.urlsplit(target)
            if address.scheme or address.netloc:
                continue
            path, fragment = urllib.parse.unquote(address.path), urllib.parse.unquote(address.fragment)
            place = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if place.startswith(".."):
                problems.append(f"{name}:{line}: the link target '{target}' leads out of the book")
            elif not (folder / place).exists():
                problems.append(f"{name}:{line}: the link target '{target}' does not exist")
            elif fragment and place in pages and fragment not in pages[place].ids:
                problems.append(f"{name}:{line}: {place} has no anchor '#{fragment}'")
    return problems + check_way(pages)


def check_way(pages):
    """"Next" leads through all chapters, but for side paths; these lead back to it."""

    def step(name, which):
        target = pages[name].steps.get(which)
        return target and os.path.normpath(os.path.join(os.path.dirname(name), target))

    def walk(at, end=()):
        seen = []
        while at in pages and at not in seen and at not in end:
            seen.append(at)
            at = step(at, "next")
        return seen, at

    lessons = [name for name in pages if re.match(r"chapters/\d\d_\w+/README\.html", name)]
    if not lessons:
        return ["the book has no chapters"]
    way, problems = walk("index.html")[0], []
    on_way = [name for name in way if name in lessons]
    if on_way != sorted(on_way) or len(on_way) < len(lessons) / 2:
        problems.append(f"index.html: 'next' leads through {', '.join(way)}")
    problems += [f"{b}: 'previous' does not lead to {a}" for a, b in zip(way, way[1:]) if step(b, "prev") != a]
    return problems + [f"{name}: 'next' does not lead to the route" for name in lessons if walk(name, way)[1] not in way]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems = check(arguments[0])
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(list(pathlib.Path(arguments[0]).rglob('*.html')))} pages of the book: every link, anchor and picture is there")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
