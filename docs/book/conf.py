# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""How Sphinx makes the pages of the book. make_book.py prepares what it reads, and starts it."""

import functools
import html
import json
import os
import pathlib
import re
import sys

from docutils import nodes
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from sphinx.util import logging

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import markup  # noqa: E402
import pages  # noqa: E402

WORK = pathlib.Path(os.environ["BOOK_WORK"])
STEPS = pages.addresses_of_steps(ROOT) if os.environ.get("BOOK_STEPS") else {}  # {address: program}
NAMES = json.loads((WORK / "names.json").read_text(encoding="utf-8"))
LOG = logging.getLogger("book")

# {long document: {page of a section: its text}}
PARTS = {
    page: {f"{page.partition('/')[2]}/{name}": text for name, text in pages.parts(pages.read(ROOT, page))[1:]}
    for page in pages.LONG
}
WHOLE = {part: page for page, parts in PARTS.items() for part in parts}
DOCUMENTS = [each for page in pages.documents(ROOT) for each in (page, *PARTS.get(page, ()))]
LESSONS = pages.chapters(ROOT)
CORE, THEN, SIDE = (lessons for _, lessons in pages.route(ROOT))
REFERENCE = ["reference/all"] + sorted(
    f"reference/{path.stem}" for path in (WORK / "source/reference").glob("*.md") if path.stem != "all"
)
BOOK = ["index", *DOCUMENTS, *REFERENCE]

project = "From Convolution to Compression"
language = "en"
extensions = ["myst_parser"]
root_doc = "index"
include_patterns = [page + ".md" for page in BOOK]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["dollarmath", "strikethrough", "tasklist"]
suppress_warnings = ["myst.header", "misc.highlighting_failure", "myst.xref_missing", "toc.not_included"]
highlight_language = "text"
html_theme = "theme"
html_theme_path = ["."]
html_math_renderer = "mathml"
html_use_index = html_copy_source = False
html_permalinks_icon = "#"
smartquotes = False


# --- what is read ----------------------------------------------------------------------------------------------

DROPPED = ("Start", "The route", "As a book")  # sections of README.md: start.md says it for the book


def source_read(app, page, source):
    text = source[0]
    if page in LESSONS or page.endswith("/more"):
        text = re.sub(r"\n(---\n+)?[^\n]*\b(?:Previous|Next): \[[^\n]*\n*\Z", "\n", text)
    text = re.sub(
        r" If you aren't reading the built book, run `chapters/draw (\S+)[^`]*`, and then open `page\.html` in a browser\.",
        lambda match: "" if match[1] in STEPS.values() else match[0],
        text,
    )
    if page == "README":
        for heading in DROPPED:
            text = text.replace(f"\n## {heading}\n" + pages.section(text, heading), "")
        text = "# Your first ten minutes\n\nGet the tutorial as [Start](#start) says. In its folder, type\n\n    chapters/run 00\n\n" + "## Your first ten" + text.partition("\n## Your first ten")[2]
        text = text.replace("## Your first ten minutes\n", "", 1)
    if page == "index":
        readme = pages.read(ROOT, "README")
        said = pages.section(readme, "The route").partition("<!-- generated")[0]
        ideas = dict(re.findall(r"^\| \d\d \| \[[^\]]*\]\((.*?)\.md\) \| (.*?) \|", readme, re.M))
        text += said.replace("this page and ", "[your first ten minutes](README.md) and ") + "\n"
        for name, lessons in pages.route(ROOT):
            rows = [f"- **[{pages.title(ROOT, each)}]({each}.md)** {ideas.get(each, '')}\n" for each in lessons]
            text += f"\n### {name}\n\n" + "".join(rows)
    if page in PARTS:
        text = pages.parts(text)[0][1] + "\n"
        text += "".join(f"- [{part[2:].partition(chr(10))[0]}](../{name}.md)\n" for name, part in PARTS[page].items())
    source[0] = text
    app.env.metadata[page]["orphan"] = True


def render_link(self, token):
    """Every link is ours: to pages and their sections by what a code host calls them, to other files by their listing."""
    target = token.attrGet("href") or ""
    node = nodes.reference("", "", refuri=target)
    if not re.match(r"[a-z][a-z0-9+.-]*:", target):
        node["book"] = target
    self.add_line_and_source_path(node, token)
    with self.current_node_context(node, append=True):
        self.render_children(token)


DocutilsRenderer.render_link = render_link

listed = set()  # paths of files that have a page with their text


def place_of(page, target):
    """Address in the book of a relative target of a page, without .html, and the fragment."""
    name, _, fragment = target.partition("#")
    page = WHOLE.get(page, page)
    path = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page + ".md"
    for part, text in PARTS.get(path.removesuffix(".md"), {}).items():
        if fragment in [pages.slug(heading) for heading in re.findall("^#+ (.*)", text, re.M)]:
            return part, fragment
    if (ROOT / path / "README.md").is_file():
        path = os.path.join(path, "README.md")
    if path.removesuffix(".md") in BOOK:
        if path == "README.md" and fragment in [pages.slug(each) for each in DROPPED]:
            path = "index.md"
        return path.removesuffix(".md"), fragment
    if path in ("search.html",):
        return "search", fragment
    for address, program in STEPS.items():
        if path == program:
            return address, ""
    if path.startswith("docs/slides/"):
        return path[len("docs/") : -len(".md")], ""
    if not (ROOT / path).exists() or path.startswith(".."):
        LOG.warning(f"the link target '{target}' does not exist", location=page)
        return page, ""
    listed.add(path)
    return "source/" + path, fragment


def doctree_read(app, tree):
    """Anchors as a code host makes them; links; what is wide scrolls."""
    page, taken = app.env.docname, {}
    for image in tree.findall(nodes.image):
        file = ROOT / os.path.normpath(os.path.join(os.path.dirname(page), image["uri"]))
        size = re.search(r'<svg[^>]* width="(\d+)"', file.read_text(encoding="utf-8")) if file.suffix == ".svg" else None
        if size and int(size[1]) > 520:  # too wide to be read in a column of a phone
            image["classes"].append("broad")
    for section in tree.findall(nodes.section):
        name = pages.slug(section[0].astext())
        taken[name] = taken.get(name, -1) + 1
        section["ids"] = [name + (f"-{taken[name]}" if taken[name] else "")]
        section["slug"] = None
    for link in list(tree.findall(nodes.reference)):
        if "book" not in link:
            continue
        address, fragment = place_of(page, link["book"])
        up = "../" * page.count("/")
        link["refuri"] = f"{up}{address}.html" + (f"#{fragment}" if fragment else "")
        if link.astext() in (link["book"], os.path.basename(link["book"])) and address in DOCUMENTS:
            link.children = []
            link += nodes.Text(pages.title(ROOT, address))
        if address in STEPS:
            frame = f'<iframe class="steps" src="{link["refuri"]}" title="Steps: {html.escape(link.astext())}" loading="lazy"></iframe>'
            frame += f'<p class="steps"><a href="{link["refuri"]}">Open the steps</a></p>'
            block = link.parent
            block.parent.insert(block.parent.index(block) + 1, nodes.raw("", frame, format="html"))


def mathml(self, node, block):
    tex = node.astext().strip()
    try:
        self.body.append(markup.formula(tex, block))
    except Exception as error:
        LOG.warning(f"the formula '{tex}' is not understood: {error}", location=node)
        self.body.append(html.escape(tex))
    raise nodes.SkipNode


# --- what is written -------------------------------------------------------------------------------------------


def relative(page, address):
    return "../" * page.count("/") + address + ".html"


def sidebar(app, page):
    def item(address, text, current=False):
        here = ' aria-current="page"' if address == page else ""
        return f'<li><a href="{relative(page, address)}"{here}>{html.escape(text)}</a>'

    def name(address):
        return app.env.titles[address].astext()

    parts = []
    for group, members in [("", ["index"]), *pages.groups(ROOT), ("Reference", REFERENCE)]:
        rows = ""
        for member in members:
            shown = name(member).partition(":")[0] if group == "Reference" else name(member)
            rows += item(member, "Start" if member == "index" else shown)
            if page == member and member in PARTS or WHOLE.get(page) == member:
                rows += "<ul>" + "".join(item(part, name(part)) for part in PARTS[member]) + "</ul>"
            more = pages.more_of(ROOT, member) if member in LESSONS else None
            reference = "reference/" + member.split("/")[1] if member in LESSONS else ""
            if page in (member, more, reference) and member in LESSONS:
                below = item(more, "More") if more else ""
                below += item(reference, "Kernels and functions") if reference in BOOK else ""
                rows += f"<ul>{below}</ul>"
            rows += "</li>"
        parts.append(f"<h2>{html.escape(group)}</h2>" * bool(group) + f"<ul>{rows}</ul>")
    return "\n".join(parts)


def neighbors(page):
    """(before, after) of a page along the route; a side path leads back to it."""
    way = ["index", "README", *CORE, *THEN, "docs/glossary"]
    if page.endswith("/more"):
        return page[: -len("more")] + "README", None
    if page in PARTS or page in WHOLE:
        way = [WHOLE.get(page, page), *PARTS[WHOLE.get(page, page)]]
    if page in SIDE:
        at = LESSONS.index(page)
        return LESSONS[at - 1], LESSONS[at + 1]
    if page not in way:
        return None, None
    at = way.index(page)
    return (way[at - 1] if at else None), (way[at + 1] if at + 1 < len(way) else None)


@functools.cache
def defined_in(chapter):
    """The functions that the sources of a chapter define: a name of theirs means nothing else there."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "chapters" / chapter).rglob("*.c*")))
    return set(re.findall(r"^\w.*?\b(\w+)\([^;{}]*\) (?:const )?\{$", text, re.M))


def linked_code(page, body):
    """Names of kernels, functions and types in code lead to the reference, where the book defines exactly that one."""
    chapter = page.split("/")[1] if page.startswith(("chapters/", "reference/")) else ""
    before = "reference/" + chapter if chapter[:2].isdigit() else None

    def link(match, name, shown):
        places = NAMES.get(name, [])
        chosen = [place for place in places if place[0] == before] or places
        own = before and chosen is places and name in defined_in(chapter)
        if len(chosen) != 1 or "_" not in name or chosen[0][0] == page or own:
            return match[0]
        return shown.format(f'<a href="{relative(page, chosen[0][0])}#{chosen[0][1]}">', "</a>")

    def in_code(match):
        return link(match, match[2], match[1] + "{}" + match[2] + "{}</span>")

    def in_sentence(match):
        return link(match, match[3], "{}" + match[0] + "{}") if match[3] else match[0]

    def block(match):
        return re.sub(r'(<span class="n[fc]?">)(\w+)</span>(?=<span class="(?:p|o)">(?:\(|&lt;|\{))', in_code, match[0])

    # In sentences, too; not inside of links and headings.
    body = re.sub(
        r'<(a|h\d)\b.*?</\1>|(<code class="docutils[^>]*><span class="pre">)(\w+)(?:\(\))?</span></code>', in_sentence, body, flags=re.S
    )
    return re.sub(r'<div class="highlight-(?:cpp|cuda)[^>]*>.*?</pre></div>\s*</div>', block, body, flags=re.S)


def hanging(match):
    """Lines that may not fit on a phone or on paper, if they are code or sentences: marked, so that they wrap as such."""
    lines = match[3].split("\n")
    for i, line in enumerate(lines):
        text = html.unescape(re.sub("<[^>]*>", "", line))
        indent = len(text) - len(text.lstrip())
        if indent > 12 and match[2] == "cpp":  # parameters below each other: nearer to the left on a phone
            lines[i] = line = re.sub(rf"^((?:<[^>]*>)*)( {{{indent - 8}}})", r'\1<span class="far">\2</span>', line)
        if len(text) > 40 and (match[2] not in ("text", "none") or not re.search(r"\S  |---|\S.*\||[\u2500-\u259f]|^ {12}", text)):
            line = re.sub(r"(?<=\w)/", "/<wbr>", line) if match[2] == "text" else line
            line = re.sub(r"(?<= )-[-\w]+", r'<span class="option">\g<0></span>', line)
            lines[i] = f'<span class="long" style="--in: {min(indent, 8)}">{line}\n</span>'
    joined = re.sub(r"(\n</span>)\n", r"\1", "\n".join(lines))
    return match[1] + joined + "</pre>"


def in_view(match):
    """Rows of a table that a program prints: where they scroll, what the row is called stays in view."""
    parts = []
    for part in re.split(r"(?<=\n)(?=\n)", match[2]):
        lines = part.split("\n")
        texts = [html.unescape(line) for line in lines]
        names = [re.match(r"( {0,4}\S+(?: \S+)*)  +\S.*?  +\S", text) if "<span" not in text else None for text in texts]
        width = max((len(name[1]) for name in names if name), default=0)
        if sum(map(bool, names)) > 1 and width < 26 and max(map(len, texts)) > 44 and not re.search(r"[\u2500-\u259f]", part):
            for i, text in enumerate(texts):
                if names[i]:
                    cut = width if text[width : width + 1] == " " else len(names[i][1])
                    lines[i] = f'<span class="row"><span class="name">{html.escape(text[:cut])}</span>{html.escape(text[cut:])}\n</span>'
        parts.append(re.sub(r"(\n</span>)\n", r"\1", "\n".join(lines)))
    return match[1] + "".join(parts) + "</pre>"


def finished(page, body):
    body = re.sub(r"<!--.*?-->", "", body, flags=re.S)
    body = re.sub(r"(<table.*?</table>)", r'<div class="wide">\1</div>', body, flags=re.S)
    body = re.sub(r'<input class="task-list-item-checkbox"[^>]*>', "\u2610", body)
    # A table without titles has an empty first row in Markdown, which is nothing to see.
    body = re.sub(r"<thead>\s*<tr[^>]*>\s*(?:<th[^>]*>(?:\s|<p>\s*</p>)*</th>\s*)+</tr>\s*</thead>", "", body)
    body = re.sub(r"<table class=\"([^\"]*)(?=\">\s*<thead>\s*<tr[^>]*>\s*<th[^>]*>.*?</th>\s*<th[^>]*><p>Version<)", r'<table class="\1 second', body)
    body = re.sub(r'<p>(<img [^>]*src="([^"]*)"[^>]*>)</p>', r'<p class="picture"><a href="\2">\1</a></p>', body)
    body = linked_code(page, body)
    body = re.sub(r'(<div class="highlight-(\w+)[^>]*><div class="highlight"><pre>)(.*?)</pre>', hanging, body, flags=re.S)
    body = re.sub(r'(<div class="highlight-(?:text|none)[^>]*><div class="highlight"><pre><span></span>)(.*?)</pre>', in_view, body, flags=re.S)
    # Code in sentences: a long word may be divided behind its signs.
    divided = lambda word: '<span class="pre any">' + re.sub(r"(?<=\w)([/_.,:(]+)(?=\w)", r"\1<wbr>", word[1])  # noqa: E731
    body = re.sub(r'<span class="pre">([^<]{25,})', divided, body)
    return re.sub(r'(<span class="pre any">)(-+[A-Za-z]+_?)', r'\1<span class="option">\2</span>', body)


written = {}  # page -> its text in HTML
words = []  # entries of the search: [address, title, title of the page, kind, text]

KINDS = (("docs/glossary", 0), ("chapters/", 1), ("docs/", 2), ("reference/", 3))


def said(block):
    text = block.astext()
    return html.unescape(re.sub(r"<!--.*?-->|<[^>]*>", " ", text, flags=re.S)) if isinstance(block, nodes.raw) else text


def searched(page, tree, app):
    kind = next((number for start, number in KINDS if page.startswith(start)), 2) + page.endswith("/more") * 0.5
    for section in tree.findall(nodes.section):
        own = [child for child in section.children[1:] if not isinstance(child, nodes.section)]
        blocks = (block for child in own for block in child.findall(nodes.TextElement))
        parts = [said(block) for block in blocks if not isinstance(block.parent, nodes.TextElement)]
        heading = section[0].astext()
        anchor = "" if section.parent is tree else "#" + section["ids"][0]
        words.append([page + ".html" + anchor, heading, app.env.titles[page].astext(), kind, " ".join(" ".join(parts).split())])


def page_context(app, page, template, context, tree):
    context["sidebar"] = sidebar(app, page)
    context["up"] = "../" * page.count("/")
    before, after = neighbors(page)
    context["before"], context["after"] = (
        {"address": relative(page, each), "title": app.env.titles[each].astext()} if each else None for each in (before, after)
    )
    if tree is not None:
        context["body"] = written[page] = finished(page, context["body"])
        contents = re.sub(r"<li>(<p>)?<a[^>]*href=\"#\".*?</a>(</p>)?", "<li>", context.get("toc", ""), count=1)
        contents = re.sub(r"(?<=[a-z0-9])_(?=\w*</span>)", "_<wbr>", contents)  # where long names may be divided
        context["contents"] = contents if "<a" in contents else ""
        searched(page, tree, app)


def numbered(match):
    """A line of a file: it wraps behind its number and its indent."""
    text = html.unescape(re.sub("<[^>]*>", "", match[2]))
    indent = min(len(text) - len(text.lstrip(" ")), 8)
    return f'<span class="line" style="--in: {indent}"><a id="{match[1]}"></a>{match[2]}</span>'


def more_pages(app):
    """The search, and a page for each file that is linked, with an anchor for each line."""
    yield "search", {"title": "Search"}, "search.html"
    listed.update(path for path in json.loads((WORK / "sources.json").read_text(encoding="utf-8")))
    for path in sorted(listed):
        file = ROOT / path
        if file.is_dir():
            code = "<ul>" + "".join(f"<li>{html.escape(each.name)}</li>" for each in sorted(file.iterdir())) + "</ul>"
        else:
            language = {".cu": "cpp", ".cuh": "cpp", ".hpp": "cpp", ".h": "cpp", ".cpp": "cpp", ".py": "python"}.get(file.suffix, "text")
            try:
                text = file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            code = app.builder.highlighter.highlight_block(text, language, lineanchors="L")
            code = re.sub(r'<a id="(L-\d+)"[^>]*></a>(.*\n)', numbered, code)
        owners = (f"{folder}/README" for folder in pathlib.PurePath(path).parents)
        owner = next((each for each in owners if each in DOCUMENTS), "index")
        context = {"title": path, "path": path, "code": code, "up": "../" * (path.count("/") + 1), "pathto": None}
        context |= {"owner": owner, "explained": app.env.titles[owner].astext()}
        place = pathlib.Path(app.outdir, "source", path + ".html")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(app.builder.templates.render("source.html", context), encoding="utf-8")


def whole_book(app):
    """One page with all lessons, to print."""
    text = ""
    for page in ["index", *DOCUMENTS]:
        follows = " follows" * (page.endswith("/more") or page in WHOLE)  # needs no sheet of its own
        name = page.replace("/", "-")
        body = re.sub(r'\bid="([^"]*)"', rf'id="{name}--\1"', written[page])
        up = os.path.dirname(page)

        def address(match):
            target, _, fragment = match[2].partition("#")
            if re.match(r"[a-z]+:", target):
                return match[0]
            path = os.path.normpath(os.path.join(up, target)) if target else page + ".html"
            if match[1] == "href" and path.removesuffix(".html") in written and not path.startswith("reference/"):
                return f'href="#{path.removesuffix(".html").replace("/", "-")}' + (f"--{fragment}" if fragment else "") + '"'
            return f'{match[1]}="{path}' + (f"#{fragment}" if fragment else "") + '"'

        body = body.replace(' loading="lazy"', "")
        text += f'<section id="{name}" class="document{follows}">' + re.sub(r'\b(href|src)="([^"]*)"', address, body) + "</section>\n"
    context = {"title": project, "body": text, "up": "", "pathto": None}
    pathlib.Path(app.outdir, "print.html").write_text(app.builder.templates.render("print.html", context), encoding="utf-8")


def build_finished(app, error):
    if not error:
        whole_book(app)
        rows = ",\n".join(json.dumps(each, ensure_ascii=False) for each in words)
        pathlib.Path(app.outdir, "_static/words.js").write_text(f"const words = [\n{rows}\n]\n", encoding="utf-8")


def setup(app):
    for alias in ("cpp", "cuda", "c++", "cu"):
        app.add_lexer(alias, markup.CudaCpp)
    app.add_html_math_renderer("mathml", (lambda self, node: mathml(self, node, False), None), (lambda self, node: mathml(self, node, True), None))
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))  # the book has its own
    app.connect("source-read", source_read)
    app.connect("doctree-read", doctree_read, priority=100)
    app.connect("html-page-context", page_context)
    app.connect("html-collect-pages", more_pages)
    app.connect("build-finished", build_finished)
