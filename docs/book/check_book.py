# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Reads the generated book and fails where a reader would be lost.

    check_book.py HTML_FOLDER

Doxygen says nothing about a missing picture or a dead link in HTML. Looked at: every link and its anchor, every
picture and its text, every style and script (none may come from the network), formulas and Markdown that were not
understood, and whether "next" leads from the first page through all chapters.
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

# Where raw text is right.
VERBATIM = {"code", "pre", "script", "style", "tt"}
# Leftovers in prose: Doxygen's formula commands, links and fences of Markdown, markers, escapes.
LEFTOVERS = (
    ("a formula", re.compile(r"\\f[$\[\]]|\$\$")),
    ("a link", re.compile(r"\]\([\w./#:-]+\)")),
    ("a fence", re.compile(r"```|~~~")),
    ("a comment", re.compile(r"<!--|-->")),
    ("an entity", re.compile(r"&(?:#\d+|[a-z]{2,6});")),
    ("a tag", re.compile(r"</?(?:code|b|details|summary)>")),
)
EXTERNAL = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.I)


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.ids, self.links, self.resources, self.problems, self.stack = (
            path,
            set(),
            [],
            [],
            [],
            [],
        )
        self.steps = {}
        self.prose = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = {name: value or "" for name, value in attributes}
        line = self.getpos()[0]
        for name in ("id", "name"):
            if name in attributes:
                self.ids.add(attributes[name])
        if tag == "a" and "href" in attributes:
            self.links.append((line, attributes["href"]))
            for step in ("previous", "next"):
                if attributes.get("class") == step:
                    self.steps[step] = attributes["href"]
        elif tag == "img":
            self.resources.append((line, attributes.get("src", "")))
            if not attributes.get("alt", "").strip() and "picture_" in attributes.get("src", ""):
                self.problems.append((line, f"the picture {attributes.get('src')} has no text"))
        elif tag == "link" and attributes.get("rel") != "canonical":
            self.resources.append((line, attributes.get("href", "")))
        elif tag in ("script", "iframe", "embed", "source", "video", "audio") and attributes.get(
            "src"
        ) not in (None, "", "javascript:void(0)"):
            self.resources.append((line, attributes["src"]))
        elif tag == "object" and attributes.get("data"):
            self.resources.append((line, attributes["data"]))
        if tag not in ("br", "img", "hr", "meta", "link", "input", "wbr", "col", "source", "embed"):
            verbatim = tag in VERBATIM or "fragment" in attributes.get("class", "").split()
            self.stack.append((tag, verbatim))

    def handle_endtag(self, tag):
        for i in range(len(self.stack) - 1, -1, -1):
            if self.stack[i][0] == tag:
                del self.stack[i:]
                break

    def handle_data(self, data):
        if any(verbatim for _, verbatim in self.stack):
            return
        for what, pattern in LEFTOVERS:
            match = pattern.search(data)
            if match:
                around = data[max(0, match.start() - 30) : match.end() + 30].strip()
                self.problems.append((self.getpos()[0], f"{what} was not understood: ...{around}..."))


def check(folder):
    """["page:line: message"] of all that is wrong with the book in `folder`."""
    folder = pathlib.Path(folder)
    pages = {path.name: Page(path) for path in sorted(folder.glob("*.html"))}
    problems = []
    if "index.html" not in pages:
        return [f"{folder}: there is no book (index.html is missing)"]

    def local(page, line, target, what):
        """(path, fragment) of a target inside of the book; None, and perhaps a problem, otherwise."""
        address = urllib.parse.urlsplit(target)
        path = urllib.parse.unquote(address.path)
        place = (folder / path).resolve() if path else page.path.resolve()
        if not place.is_relative_to(folder.resolve()):
            problems.append(f"{page.path.name}:{line}: {what} '{target}' leads out of the book")
        elif not place.exists():
            problems.append(f"{page.path.name}:{line}: {what} '{target}' does not exist")
        else:
            return place, urllib.parse.unquote(address.fragment)
        return None

    for page in pages.values():
        # Doxygen's listings of sources show text of others as it is.
        own = not page.path.name.endswith("_source.html")
        problems += [f"{page.path.name}:{line}: {message}" for line, message in page.problems if own]
        for line, target in page.resources:
            if EXTERNAL.match(target):
                if not target.startswith("data:"):
                    problems.append(f"{page.path.name}:{line}: '{target}' would come from the network")
            elif not target:
                problems.append(f"{page.path.name}:{line}: a picture or script without an address")
            else:
                local(page, line, target, "picture or script")
        for line, target in page.links:
            if EXTERNAL.match(target) or not target:
                continue
            found = local(page, line, target, "the link target")
            if (
                found
                and found[1]
                and found[0].suffix == ".html"
                and found[0].name in pages
                and found[1] not in pages[found[0].name].ids
            ):
                problems.append(f"{page.path.name}:{line}: {found[0].name} has no anchor '#{found[1]}'")

    for style in sorted(folder.rglob("*.css")):
        text = re.sub(r"/\*.*?\*/", "", style.read_text(encoding="utf-8"), flags=re.S)
        if style.name == "doxygen.css":
            # Newer Doxygens name in variables the pictures of parts that this book leaves out, as its search.
            text = re.sub(r"--[\w-]+\s*:[^;]*;", "", text)
        for target in re.findall(r"""url\(\s*['"]?([^'")]+)""", text) + re.findall(
            r"""@import\s+['"]([^'"]+)""", text
        ):
            if target.startswith("data:"):
                continue
            if EXTERNAL.match(target):
                problems.append(f"{style.name}: '{target}' would come from the network")
            elif not (style.parent / target).exists():
                problems.append(f"{style.name}: '{target}' does not exist")

    lessons = [name for name in pages if re.match(r"chapter_\d\d_", name)]
    if not lessons:
        problems.append("the book has no chapters")
    else:
        way, at = [], pages["index.html"].steps.get("next")
        while at in pages and at not in way:
            way.append(at)
            at = pages[at].steps.get("next")
        if [name for name in way if name in lessons] != lessons:
            problems.append(
                f"index.html: 'next' leads through {', '.join(way) or 'nothing'}, "
                f"but the chapters are {', '.join(lessons)}"
            )
        for before, after in zip(lessons, lessons[1:]):
            if pages[after].steps.get("previous") != before:
                problems.append(f"{after}: 'previous' does not lead to {before}")
    return problems


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems = check(arguments[0])
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(
            f"{len(list(pathlib.Path(arguments[0]).glob('*.html')))} pages of the book: "
            "every link, anchor and picture is there"
        )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
