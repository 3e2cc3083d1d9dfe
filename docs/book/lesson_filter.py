# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Makes a page of the book from a document that is written for everybody else.

A README.md holds no Doxygen command: it must be right on a code host and in an editor. What Doxygen 1.9.4 needs is
put in here: ids for the page and its sections, its own words for formulas, code and folded text, links to the pages
of the book, pictures by their place in the book, and below a link to a program of pages_of_steps.txt the page on which
one steps through it. What it would misread in plain prose is escaped.

    lesson_filter.py FILE       prints the page of one document, for a look at what Doxygen gets
    lesson_filter.py --check    status 1 if a link, an anchor or a picture of a document leads nowhere
"""

import html
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*([\w+-]*)[^`]*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
LANGUAGES = {
    "cuda": ".cpp",
    "cu": ".cpp",
    "cpp": ".cpp",
    "c++": ".cpp",
    "c": ".c",
    "python": ".py",
    "py": ".py",
}
STEPS = re.compile(r"^\W*(previous|before|next)\b", re.I)


class Book:
    """What the pages must know of each other."""

    def __init__(self, root, pages, with_steps=()):
        """pages: {path of the document from the root: id of its page}; the main page has the id 'mainpage'.

        with_steps: the programs that have a page on which one steps through them.
        """
        self.root, self.pages, self.with_steps = pathlib.Path(root), dict(pages), frozenset(with_steps)
        self.sections = {path: sections(self.read(path), page) for path, page in self.pages.items()}
        self.pictures = {}  # name in the book -> path from the root
        self.steps = {}  # name in the book of a page of steps -> path of its program
        self.problems = []  # "file:line: message"

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def address(self, path, fragment=""):
        page = self.pages[path]
        return ("index" if page == "mainpage" else page) + ".html" + ("#" + fragment if fragment else "")


# --- sections and their ids ------------------------------------------------------------------------------------


def slug(heading):
    """The anchor that code hosts give to a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]*>", "", text).lower().strip()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def outside_fences(lines):
    """(index, line) of the lines that are not part of fenced code."""
    fence = None
    for i, line in enumerate(lines):
        match = FENCE.match(line)
        if fence is not None:
            if line.strip() and not line.strip().strip(fence[0]) and len(line.strip()) >= len(fence):
                fence = None
        elif match:
            fence = match[2]
        else:
            yield i, line


def sections(text, page):
    """{anchor on the code host: id in the book} of a document."""
    found = {}
    for _, line in outside_fences(without_comments(text).split("\n")):
        match = HEADING.match(line)
        if match:
            name, again = slug(match[2]), 0
            while name in found:
                again += 1
                name = f"{slug(match[2])}-{again}"
            found[name] = page if not found and len(match[1]) == 1 else f"{page}-{name}"
    return found


def without_comments(text):
    """HTML comments outside of fenced code and code spans go; their line breaks stay."""
    lines, result, open_comment = text.split("\n"), [], False
    prose = {i for i, _ in outside_fences(lines)}
    for i, line in enumerate(lines):
        if i not in prose and not open_comment:
            result.append(line)
            continue
        kept, rest = "", line
        while rest:
            if open_comment:
                _, end, rest = rest.partition("-->")
                open_comment = not end
                continue
            match = re.search(r"(`+)(?:(?!\1).)+\1|<!--", rest)
            if not match:
                kept, rest = kept + rest, ""
            elif match[0] == "<!--":
                kept, rest, open_comment = kept + rest[: match.start()], rest[match.end() :], True
            else:
                kept, rest = kept + rest[: match.end()], rest[match.end() :]
        result.append(kept.rstrip() if kept != line else line)
    return "\n".join(result)


# --- text inside a paragraph -----------------------------------------------------------------------------------

INLINE = re.compile(
    r"""
    (?P<escape>\\[!-/:-@\[-`{-~])
  | (?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<code_text>.+?)(?<!`)(?P=ticks)(?!`))
  | (?P<math_ticks>\$`(?P<math_ticks_text>.+?)`\$)
  | (?P<display>\$\$(?P<display_text>.+?)\$\$)
  | (?P<math>(?<![\w$\\])\$(?P<math_text>[^\s$](?:[^$]*?[^\s$\\])?)\$(?![\w$]))
  | (?P<image>!\[(?P<alt>(?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*(?P<image_target>[^)\s]+)(?:\s+"[^"]*")?\s*\))
  | (?P<link>\[(?P<link_text>(?:[^\[\]`]|`[^`]*`|!\[[^\]]*\]\([^)]*\)|\[[^\]]*\])*)\]\(\s*(?P<target>[^)\s]+)(?:\s+"[^"]*")?\s*\))
  | (?P<reference>\[(?P<reference_text>[^\[\]]+)\]\[(?P<reference_name>[^\[\]]*)\])
  | (?P<autolink><https?://[^>\s]+>)
  | (?P<tag></?[a-zA-Z][^<>]*>)
  | (?P<special>@|\\|%(?=\w)|\#(?=\w)|---?|::(?=\w)|<<+|>>+|<)
""",
    re.X | re.S,
)


class Page:
    def __init__(self, book, path):
        self.book, self.path, self.page = book, path, book.pages[path]
        self.line, self.definitions, self.shown_below = 0, {}, []

    def problem(self, message):
        self.book.problems.append(f"{self.path}:{self.line + 1}: {message}")

    def inline(self, text):
        return INLINE.sub(self.token, text)

    def token(self, match):
        kind = (
            match.lastgroup
            if match.lastgroup in ("escape", "special")
            else next(
                name
                for name in (
                    "escape",
                    "code",
                    "math_ticks",
                    "display",
                    "math",
                    "image",
                    "link",
                    "reference",
                    "autolink",
                    "tag",
                    "special",
                )
                if match[name] is not None
            )
        )
        if kind == "escape":
            # Doxygen knows some escapes itself; the others would show their backslash.
            return match[0] if match[0][1] in "*_`[]()#!|$@\\<>&%.-" else html.escape(match[0][1])
        if kind == "code":
            return self.code(match["code_text"])
        if kind == "math":
            return rf"\f${match['math_text']}\f$"
        if kind == "math_ticks":
            return rf"\f${match['math_ticks_text']}\f$"
        if kind == "display":
            return rf"\f[{match['display_text']}\f]"
        if kind == "image":
            return self.image(match["image_target"], match["alt"])
        if kind == "link":
            return self.link(match["target"], match["link_text"])
        if kind == "reference":
            name = (match["reference_name"] or match["reference_text"]).lower()
            if name not in self.definitions:
                return self.inline_plain(match[0])
            return self.link(self.definitions[name], match["reference_text"])
        if kind == "autolink":
            address = html.escape(match[0][1:-1])
            return f'<a href="{address}">{address}</a>'
        if kind == "tag":
            return self.tag(match[0])
        return self.special(match[0])

    def inline_plain(self, text):
        return text.replace("@", "\\@")

    @staticmethod
    def special(text):
        if text.startswith("<"):
            return "&lt;" * len(text)
        if text.startswith(">"):
            return "&gt;" * len(text)
        if text.startswith("--"):
            return "\\" + text
        return "\\" + text

    @staticmethod
    def code(text):
        """As HTML with Doxygen's escapes: in its own code spans quotes, percent signs and pipes go wrong."""
        text = re.sub(r"\s*\n\s*", " ", text.strip()) if text.strip() else text
        text = text.replace("\\|", "|")
        if "~~" in text:  # would be taken for struck out, and has no escape
            return f"``{text}``"
        text = re.sub(r"[\\@*_$%#`|\[\]]|-{2,3}|::", r"\\\g<0>", text)
        return "<code>" + html.escape(text, quote=False).replace('"', "&quot;") + "</code>"

    def resolved(self, target):
        """(path from the root, fragment) of a relative target."""
        name, _, fragment = target.partition("#")
        folder = os.path.dirname(self.path)
        path = os.path.normpath(os.path.join(folder, name)) if name else self.path
        if (self.book.root / path).is_dir():
            readme = os.path.normpath(os.path.join(path, "README.md"))
            if (self.book.root / readme).is_file():
                path = readme
        return path, fragment

    def link(self, target, text):
        shown = self.inline(text)
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            return f'<a href="{html.escape(target)}">{shown}</a>'
        path, fragment = self.resolved(target)
        if path.startswith("..") or not (self.book.root / path).exists():
            self.problem(f"the link target '{target}' does not exist")
            return shown
        if path in self.book.with_steps:
            return self.page_of_steps(path, shown)
        if path in self.book.pages:
            if fragment and fragment not in self.book.sections[path]:
                self.problem(f"'{target}': {path} has no section with this anchor")
                fragment = ""
            anchor = self.book.sections[path][fragment] if fragment else ""
            return f'<a href="{self.book.address(path, anchor)}">{shown}</a>'
        return f'<a href="source:{html.escape(path)}">{shown}</a>'

    def page_of_steps(self, path, shown):
        """A link to it; below the paragraph it is shown."""
        name = "steps/" + re.sub(r"[^\w-]", "_", path.removesuffix(".cu")) + ".html"
        self.book.steps[name] = path
        title = html.escape(re.sub(r"<[^>]*>", "", shown))
        self.shown_below.append(f'<iframe class="steps" src="{name}" title="{title}" loading="lazy"></iframe>')
        return f'<a href="{name}">{shown}</a>'

    def picture(self, target):
        """Name in the book of a picture of the repository; None, and a problem, if it is not there."""
        path, _ = self.resolved(target)
        if path.startswith("..") or not (self.book.root / path).is_file():
            self.problem(f"the picture '{target}' does not exist")
            return None
        if path.endswith(".svg"):  # a browser shows nothing of a drawing with a mistake in it
            try:
                drawing = xml.etree.ElementTree.parse(self.book.root / path).getroot()
                if not drawing.tag.endswith("}svg"):
                    self.problem(f"the picture '{target}' is no SVG")
            except xml.etree.ElementTree.ParseError as error:
                self.problem(f"the picture '{target}' is not well-formed: {error}")
        name = "picture_" + re.sub(r"[^\w.-]", "_", path)
        self.book.pictures[name] = path
        return name

    def image(self, target, alt):
        if re.match(r"[a-z]+:", target):
            self.problem(
                f"the picture '{target}' lies outside of the repository: the book is read without network"
            )
            return html.escape(alt)
        name = self.picture(target)
        if not alt.strip():
            self.problem(f"the picture '{target}' has no text for those who do not see it")
        return f'<img src="{name}" alt="{html.escape(alt)}"/>' if name else html.escape(alt)

    def tag(self, text):
        match = re.match(r"<img\b", text, re.I)
        if match:
            source = re.search(r'src="([^"]*)"', text)
            name = self.picture(source[1]) if source else None
            return text.replace(source[0], f'src="{name}"') if name else ""
        if re.match(
            r"</?(a|b|i|em|strong|code|sub|sup|br|kbd|small|p|div|span|table|tr|td|th|thead|tbody|ul|ol|li|center|"
            r"dl|dt|dd|hr|h[1-6]|blockquote|s|del|ins|u)\b",
            text,
            re.I,
        ):
            return text
        return html.escape(text, quote=False)  # <T>, <int>, <cuda_runtime.h>: words of the text

    # --- blocks ------------------------------------------------------------------------------------------------

    def convert(self):
        """The page, as Doxygen is to read it."""
        lines = without_comments(self.book.read(self.path)).split("\n")
        for _, line in outside_fences(lines):
            match = re.match(r"^\s{0,3}\[([^\]]+)\]:\s+(\S+)", line)
            if match:
                self.definitions[match[1].lower()] = match[2]
        lines = without_steps(lines)
        result, paragraph, used = [], [], {}
        i = 0
        inside = 0  # how far the text of the list item is indented that we are in

        def flush():
            if paragraph:
                text = "\n".join(paragraph)
                self.line = i - len(paragraph)
                result.append(self.inline(text))
                for frame in self.shown_below:
                    result.extend(["", "@htmlonly[block]", frame, "@endhtmlonly", ""])
                self.shown_below.clear()
                paragraph.clear()

        while i < len(lines):
            line = lines[i]
            fence = FENCE.match(line)
            heading = HEADING.match(line)
            item = re.match(r"^(\s*)(?:[-*+]|\d+[.)])\s+(?=\S)", line)
            indent = len(line) - len(line.lstrip())
            after_gap = not paragraph and (i == 0 or not lines[i - 1].strip())
            if line.strip() and after_gap and indent < inside and not (item and indent + 2 >= inside):
                inside = 0 if indent < 2 else min(inside, indent)
            if line.strip() and after_gap and indent >= inside + 4:
                end = i
                while end < len(lines) and (
                    not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) >= inside + 4
                ):
                    end += 1
                body = [text[inside + 4 :] for text in lines[i:end]]
                while not body[-1]:
                    body.pop()
                result += self.code_block(" " * inside, "", body)
                i = end
                continue
            if item:
                inside = len(item[0])
            if fence:
                flush()
                end = next(
                    (
                        j
                        for j in range(i + 1, len(lines))
                        if lines[j].strip()
                        and not lines[j].strip().strip(fence[2][0])
                        and len(lines[j].strip()) >= len(fence[2])
                    ),
                    None,
                )
                if end is None:
                    self.line = i
                    self.problem("this fence is never closed")
                    end = len(lines)
                result += self.fence(fence, lines[i + 1 : end])
                i = end
            elif line.strip() == "$$":
                flush()
                end = next((j for j in range(i + 1, len(lines)) if lines[j].strip() == "$$"), None)
                if end is None:
                    self.line = i
                    self.problem("this formula is never closed")
                    end = len(lines)
                result += self.formula(line[: len(line) - len(line.lstrip())], lines[i + 1 : end])
                i = end
            elif heading:
                flush()
                self.line = i
                result.append(self.heading(heading, used, first=not used))
            elif re.match(r"^\s*</?(details|summary)\b", line):
                flush()
                self.line = i
                i = self.details(lines, i, result)
            elif re.match(r"^\s{0,3}\[[^\]]+\]:\s+\S+", line):
                flush()
            elif not line.strip():
                flush()
                result.append("")
            elif re.match(r"^\s*\|", line):
                flush()
                self.line = i
                result.append(self.table_row(line))
            else:
                paragraph.append(self.line_start(line))
            i += 1
        flush()
        while result and not result[0].strip():
            result.pop(0)
        return single_gaps("\n".join(result).split("\n"))

    def heading(self, match, used, first):
        name, again = slug(match[2]), 0
        while name in used:
            again += 1
            name = f"{slug(match[2])}-{again}"
        used[name] = True
        if first and len(match[1]) == 1:
            title = re.sub(r"[`*]", "", match[2])
            if self.page == "mainpage":
                title = title.partition(":")[
                    0
                ]  # the name of the book, as in the sidebar: it would stand there twice
            return f"# {title} {{#{self.page}}}\n" + ("" if self.page == "mainpage" else "\n[TOC]\n")
        if len(match[1]) == 1:
            self.problem("a page has one title ('# ...') only")
        plain = re.sub("[`*]", "", match[2])  # titles are plain text
        if self.page == "mainpage":  # its sections would stand in the sidebar, before the chapters
            level = len(match[1]) - 1
            return f'<h{level}><a name="{self.page}-{name}"></a>{html.escape(plain)}</h{level}>'
        return f"{match[1]} {plain} {{#{self.page}-{name}}}"

    def fence(self, match, body):
        indent, language = match[1], match[3].lower()
        body = [line[len(indent) :] if line.startswith(indent) else line.lstrip() for line in body]
        return self.formula(indent, body) if language == "math" else self.code_block(indent, language, body)

    @staticmethod
    def code_block(indent, language, body):
        marks = "~~~"
        while any(line.startswith(marks) for line in body):
            marks += "~"
        return [
            "",
            f"{indent}{marks}{{{LANGUAGES.get(language, '.unparsed')}}}",
            *[(indent + line).rstrip() for line in body],
            indent + marks,
            "",
        ]

    @staticmethod
    def formula(indent, body):
        return ["", indent + r"\f[", *[indent + line for line in body if line.strip()], indent + r"\f]", ""]

    def details(self, lines, i, result):
        """<details> and its <summary>, which may stand on lines of their own; index of the last line used."""
        line = lines[i].strip()
        indent = lines[i][: len(lines[i]) - len(lines[i].lstrip())]
        if line == "</details>":
            result += ["", indent + "@htmlonly[block]", indent + "</details>", indent + "@endhtmlonly", ""]
            return i
        while "</summary>" not in line:
            i += 1
            if i == len(lines) or not lines[i].strip():
                self.problem(
                    "<details> needs its <summary>...</summary> right behind it, without an empty line"
                )
                return i - 1
            line += " " + lines[i].strip()
        match = re.fullmatch(r"<details( open)?>\s*<summary>(.*?)</summary>(.*)", line)
        if not match:
            self.problem(
                "of <details> only '<details><summary>...</summary>' is understood, text on the next line"
            )
            return i
        summary = re.sub(
            r"`([^`]*)`", lambda m: f"<code>{html.escape(m[1], quote=False)}</code>", match[2].strip()
        )
        summary = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", summary)
        rest = match[3].strip()
        closed = rest.endswith("</details>")
        result += [
            "",
            indent + "@htmlonly[block]",
            f"{indent}<details class=\"fold\"{match[1] or ''}><summary>{summary}</summary>",
            indent + "@endhtmlonly",
            "",
            indent + self.inline(rest.removesuffix("</details>")),
            "",
        ]
        if closed:
            result += [indent + "@htmlonly[block]", indent + "</details>", indent + "@endhtmlonly", ""]
        return i

    def table_row(self, line):
        if re.fullmatch(r"\s*\|[\s|:-]+", line):
            return line
        # An empty cell would be dropped, and the row would shift.
        return re.sub(r"\|(\s*)(?=\|)", "| &nbsp; ", self.inline(line))

    @staticmethod
    def line_start(line):
        """Task lists and the alerts of code hosts."""
        line = re.sub(r"^(\s*(?:[-*+]|\d+\.)\s+)\[ \]\s", "\\1\u2610 ", line)
        line = re.sub(r"^(\s*(?:[-*+]|\d+\.)\s+)\[[xX]\]\s", "\\1\u2611 ", line)
        return re.sub(r"^(\s*>\s*)\[!(\w+)\]\s*$", lambda m: f"{m[1]}**{m[2].capitalize()}**<br>", line)


def single_gaps(lines):
    """Doxygen ends a list where two lines are empty: only one of them stays, except in code."""
    prose, result = {i for i, _ in outside_fences(lines)}, []
    for i, line in enumerate(lines):
        if line.strip() or i not in prose or (result and result[-1].strip()):
            result.append(line)
    return "\n".join(result).rstrip("\n") + "\n"


def without_steps(lines):
    """The last paragraph of a lesson leads to the lessons before and after it; the book has a bar for that."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    begin = end
    while begin and lines[begin - 1].strip():
        begin -= 1
    paragraph = lines[begin:end]
    if paragraph and all(STEPS.match(line) for line in paragraph) and any("](" in line for line in paragraph):
        while begin and (
            not lines[begin - 1].strip() or re.fullmatch(r"\s*(-{3,}|\*{3,})\s*", lines[begin - 1])
        ):
            begin -= 1
        return lines[:begin]
    return lines


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(__file__).resolve().parents[2]
    import build_book  # knows which documents are pages

    pages = build_book.pages(root)
    if arguments[0] == "--check":
        wanted = list(pages)
    else:
        wanted = [os.path.relpath(pathlib.Path(arguments[0]).resolve(), root)]
        pages.setdefault(wanted[0], "page")
    book = Book(root, pages, build_book.pages_of_steps(root))
    for path in wanted:
        text = Page(book, path).convert()
        if arguments[0] != "--check":
            print(text, end="")
    for problem in book.problems:
        print(problem, file=sys.stderr)
    if not book.problems and arguments[0] == "--check":
        print(f"{len(wanted)} documents: every link, anchor and picture is there")
    return 1 if book.problems else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
