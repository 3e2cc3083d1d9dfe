# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Builds the book: pages from the documents, Doxygen over them and the sources, and what Doxygen leaves to us.

    build_book.py --root DIR --output DIR --doxygen PROGRAM --theme DIR --mathjax DIR [--emulated DIR] [--strict]

OUTPUT/pages gets one page per document (lesson_filter.py), OUTPUT/html the book. --emulated: a build for the emulated
device, which makes the pages on which one steps through a kernel; without it, their links lead to the programs.
--strict: no book where Doxygen warns.
docs/book/build calls this.
"""

import argparse
import concurrent.futures
import html
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import book_search  # noqa: E402
import lesson_filter  # noqa: E402

# Documents besides README.md and the lessons, in the order of the sidebar.
APPENDICES = {
    "docs/own_kernels.md": "own_kernels",
    "docs/wrong_or_slow.md": "wrong_or_slow",
    "docs/faults.md": "faults",
    "docs/glossary.md": "glossary",
    "docs/counts.md": "counts",
    "docs/record.md": "record",
    "docs/peers.md": "peers",
    "docs/then_and_now.md": "then_and_now",
    "docs/teaching.md": "teaching",
    "common/emulator/README.md": "emulated_device",
    "common/emulator/findings.md": "emulated_findings",
    "common/emulator/counts.md": "emulated_counts",
    "common/emulator/coverage.md": "emulated_coverage",
    "data/README.md": "sample_inputs",
    "docs/measurements/README.md": "measurements",
    "CONTRIBUTING.md": "contributing",
    "THIRD_PARTY.md": "third_party",
}

# Of MathJax only what pages with TeX input and SVG output load.
MATHJAX_FILES = [
    "MathJax.js",
    "extensions/tex2jax.js",
    "extensions/MathEvents.js",
    "extensions/MathMenu.js",
    "extensions/MathZoom.js",
    "extensions/TeX/*.js",
    "jax/input/TeX/*.js",
    "jax/element/mml/*.js",
    "jax/element/mml/optable/*.js",
    "jax/output/SVG/*.js",
    "jax/output/SVG/autoload/*.js",
    "jax/output/SVG/fonts/TeX/*.js",
    "jax/output/SVG/fonts/TeX/*/*/*.js",
]

SCRIPTS = ["darkmode-toggle", "fragment-copy-button", "paragraph-link", "interactive-toc"]
STYLES = [
    "doxygen-awesome.css",
    "doxygen-awesome-sidebar-only.css",
    "doxygen-awesome-sidebar-only-darkmode-toggle.css",
]

CUDA_WORDS = re.compile(
    r"(?<![\w>-])(__(?:global|device|host|shared|constant|managed|restrict|launch_bounds|forceinline|"
    r"noinline|syncthreads|syncthreads_or|syncthreads_and|syncthreads_count|syncwarp|shfl_\w+|ballot\w*|"
    r"ldg|threadfence)\w*|threadIdx|blockIdx|blockDim|gridDim|warpSize)(?!\w)"
)


def pages(root):
    """{path of each document that is a page: id of the page}, in the order of the book."""
    root = pathlib.Path(root)
    found = {}
    if (root / "README.md").is_file():
        found["README.md"] = "mainpage"
    for lesson in chapters(root):
        name = pathlib.PurePath(lesson).parent.name
        found[lesson] = "chapter_" + name
        more = more_of(lesson)
        if (root / more).is_file():
            found[more] = "more_" + name
    found.update({path: page for path, page in APPENDICES.items() if (root / path).is_file()})
    return found


def chapters(root):
    return [
        path.relative_to(root).as_posix()
        for path in sorted(pathlib.Path(root).glob("chapters/[0-9][0-9]_*/README.md"))
    ]


def more_of(lesson):
    """Where a lesson's further page lies, if it has one."""
    return pathlib.PurePosixPath(lesson).with_name("more.md").as_posix()


def pages_of_steps(root):
    """{program: arguments for chapters/draw}, as pages_of_steps.txt lists them."""
    table = pathlib.Path(root) / "docs/book/pages_of_steps.txt"
    rows = [shlex.split(line, comments=True) for line in table.read_text(encoding="utf-8").splitlines()]
    return {row[0]: row[1:] for row in rows if row}


def draw_steps(root, emulated, program, page):
    """Makes the page of steps of a program with the emulated device that is built in the folder `emulated`."""
    arguments = pages_of_steps(root)[program]
    # Nothing from outside may change what it shows.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EMULATOR_")}
    subprocess.run(
        [pathlib.Path(root) / "chapters/draw", program, *arguments, "--build", emulated, "--steps", page],
        check=True,
        cwd=root,  # lines in traces are named from here
        env=environment | {"EMULATOR_ORDER": "forward"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def draw_all_steps(root, emulated, programs):
    """Makes the pages {page: program}, several at once."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        made = [pool.submit(draw_steps, root, emulated, program, page) for page, program in programs.items()]
    failed = [each.exception() for each in made if each.exception()]
    if failed:
        raise SystemExit("\n".join(f"{each}\n{getattr(each, 'stderr', '')}" for each in failed))


def title(book, path):
    for _, line in lesson_filter.outside_fences(lesson_filter.without_comments(book.read(path)).split("\n")):
        if line.startswith("# "):
            return re.sub(r"[`*]", "", line[2:].strip())
    book.problems.append(f"{path}:1: there is no title ('# ...')")
    return path


def idea(book, path):
    """The first sentence of a lesson."""
    text = lesson_filter.without_comments("\n" + book.read(path)).partition("\n# ")[2]
    paragraphs = [
        part.strip().replace("\n", " ") for part in text.partition("\n")[2].split("\n\n") if part.strip()
    ]
    match = re.match(r"[\w`*$\"(].*?[.?!](?=\s|$)", paragraphs[0]) if paragraphs else None
    return lesson_filter.Page(book, path).inline(match[0]) if match else ""


def steps(previous, following):
    """The bar at the end of a chapter; each of the two is (address, title) or None."""
    parts = [
        (
            '<a class="previous" href="{}"><span>Previous</span>{}</a>'.format(
                previous[0], html.escape(previous[1])
            )
            if previous
            else "<span></span>"
        ),
        (
            '<a class="next" href="{}"><span>Next</span>{}</a>'.format(
                following[0], html.escape(following[1])
            )
            if following
            else "<span></span>"
        ),
    ]
    return '\n@htmlonly[block]\n<nav class="steps">' + "".join(parts) + "</nav>\n@endhtmlonly\n"


def write_pages(book, folder):
    """Writes the pages and returns their files in order."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lessons = chapters(book.root)
    files = []

    def write(name, text):
        (folder / name).write_text(text, encoding="utf-8")
        files.append(folder / name)

    contents = "# The chapters {#book}\n\n" + "".join(
        f"- @subpage {book.pages[path]} <br>\n  {idea(book, path)}\n" for path in lessons
    )
    stations = (
        [(book.address("README.md"), "What this is")]
        if "README.md" in book.pages
        else [("book.html", "The chapters")]
    )
    stations += [(book.address(path), title(book, path)) for path in lessons]
    if "docs/glossary.md" in book.pages:
        stations.append((book.address("docs/glossary.md"), title(book, "docs/glossary.md")))
    for path, page in book.pages.items():
        if path in lessons and "book.md" not in {file.name for file in files}:
            write("book.md", contents)
        text = lesson_filter.Page(book, path).convert()
        if path in lessons:
            at = lessons.index(path) + 1
            more = more_of(path)
            if more in book.pages:
                text += f"\n- @subpage {book.pages[more]}\n"
            text += steps(stations[at - 1], stations[at + 1] if at + 1 < len(stations) else None)
        elif page == "mainpage" and lessons:
            text += steps(None, stations[1])
        write(page + ".md", text)
    return files


def sources(root):
    """What the reference part is made of: the shared helper, and the public part of each chapter."""
    root = pathlib.Path(root)
    found = sorted(root.glob("common/*/*.hpp"))
    for folder in sorted(root.glob("chapters/[0-9][0-9]_*")):
        found += [
            path
            for pattern in ("*.hpp", "*.cu", "host/*.hpp", "kernels/*.hpp", "kernels/*.cu", "dct/*.h*")
            for path in sorted(folder.glob(pattern))
            if not re.match(r"(broken|child_process|tables|.*_checks)\.", path.name)
        ]
    return found


def quoted(paths):
    return " ".join(f'"{path}"' for path in paths)


def run_doxygen(options, book, files):
    output = pathlib.Path(options.output)
    theme = pathlib.Path(options.theme)
    header, footer, style = (output / name for name in ("header.html", "footer.html", "doxygen.css"))
    doxyfile = output / "Doxyfile"
    settings = pathlib.Path(__file__).with_name("Doxyfile.in").read_text(encoding="utf-8")
    for name, value in (("BOOK_OUTPUT", output), ("SOURCE_DIR", book.root)):
        settings = settings.replace(f"@{name}@", str(value))
    doxyfile.write_text(settings, encoding="utf-8")
    (output / "input.doxy").write_text(
        f"INPUT = {quoted([*files, *sources(book.root)])}\n"
        f"HTML_EXTRA_STYLESHEET = {quoted([*(theme / name for name in STYLES), book.root / 'docs/book/book.css'])}\n"
        f"HTML_EXTRA_FILES = {quoted(theme / f'doxygen-awesome-{name}.js' for name in SCRIPTS)}\n"
        f"WARN_AS_ERROR = {'FAIL_ON_WARNINGS' if options.strict else 'NO'}\n",
        encoding="utf-8",
    )
    subprocess.run(
        [options.doxygen, "-w", "html", header, footer, style, doxyfile],
        check=True,
        cwd=output,
        stdout=subprocess.DEVNULL,
    )
    text = header.read_text(encoding="utf-8")
    scripts = "".join(
        f'<script type="text/javascript" src="$relpath^doxygen-awesome-{name}.js"></script>\n'
        for name in SCRIPTS
    )
    scripts += """<script type="text/javascript">
DoxygenAwesomeDarkModeToggle.init()
DoxygenAwesomeFragmentCopyButton.init()
DoxygenAwesomeParagraphLink.init()
DoxygenAwesomeInteractiveToc.init()
// The chapters are the book: their entry in the sidebar is open from the start, as soon as there is one.
window.addEventListener("load", () => {
  let patience = 40
  const timer = setInterval(() => {
    const label = document.querySelector('#nav-tree-contents .label > a[href$="book.html"]')
    const item = label && label.closest("li")
    if (item && !item.querySelector("ul li")) item.querySelector(".arrow").closest("a")?.onclick()
    if (--patience == 0 || (item && item.querySelector("ul li"))) clearInterval(timer)
  }, 100)
})
</script>
<meta name="color-scheme" content="light dark"/>
"""
    if "</head>" not in text:
        raise SystemExit("doxygen -w html wrote a header without </head>: the theme's scripts cannot be added")
    header.write_text(text.replace("</head>", scripts + "</head>", 1), encoding="utf-8")
    shutil.rmtree(output / "html", ignore_errors=True)
    result = subprocess.run(
        [options.doxygen, doxyfile],
        cwd=output,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    for line in result.stderr.splitlines():
        print(line, file=sys.stderr)
    if result.returncode or (options.strict and result.stderr.strip()):
        raise SystemExit("Doxygen reported the problems above: there is no book")


def copy_mathjax(source, target):
    for pattern in MATHJAX_FILES:
        found = list(source.glob(pattern))
        if not found:
            raise SystemExit(f"{source}/{pattern} is missing: is libjs-mathjax 2.7 installed?")
        for path in found:
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def source_addresses(tag_file):
    """{path from the root: page with its source} of the files that Doxygen has read."""
    found = {}
    for compound in xml.etree.ElementTree.parse(tag_file).getroot().iter("compound"):
        if compound.get("kind") == "file":
            base = compound.findtext("filename").removesuffix(".html")
            path = (compound.findtext("path") or "") + compound.findtext("name")
            found[path] = base + "_source.html"
    return found


def finish_page(text, addresses, copies):
    """Links to sources, the words of CUDA in code, and the colors of a diff."""

    def source_link(match):
        path = html.unescape(match[1])
        if path not in addresses:
            copies.add(path)
            return f'href="{copied_name(path)}"'
        return f'href="{addresses[path]}"'

    text = re.sub(r'href="source:([^"]*)"', source_link, text)
    # A table without titles has an empty first row in Markdown, which is nothing to see.
    text = re.sub(r"<tr[^>]*>\s*(?:<th[^>]*>(?:\s|&#160;|&nbsp;)*</th>\s*)+</tr>", "", text)

    def fragment(match):
        def line(found):
            body = CUDA_WORDS.sub(r'<span class="cuda">\1</span>', found[2])
            return found[1] + body + found[3]

        block = re.sub(r'(<div class="line">)(.*?)(</div>)', line, match[0])
        lines = re.findall(r'<div class="line">(.)', block)
        if "@" in lines or ("+" in lines and set(lines) <= set("+- ")):
            for sign, name in (("+", "added"), ("-", "removed"), ("@", "place")):
                block = block.replace(f'<div class="line">{sign}', f'<div class="line {name}">{sign}')
        return block

    return re.sub(r'<div class="fragment">.*?</div><!-- fragment -->', fragment, text, flags=re.S)


def headings(book):
    """[(heading, address, title of its page)] of all sections of all pages."""
    found = []
    for path in book.pages:
        text, anchors = book.read(path), list(book.sections[path].items())
        lines = [
            line for _, line in lesson_filter.outside_fences(lesson_filter.without_comments(text).split("\n"))
        ]
        shown = [match[2] for match in map(lesson_filter.HEADING.match, lines) if match]
        for heading, (_, anchor) in list(zip(shown, anchors))[1:]:
            found.append((re.sub("[`*$]", "", heading), book.address(path, anchor), title(book, path)))
    return found


def copied_name(path):
    return "files/" + path + ("" if path.endswith((".txt", ".png", ".npy", ".csv")) else ".txt")


def finish(options, book):
    output = pathlib.Path(options.output)
    folder = output / "html"
    copy_mathjax(pathlib.Path(options.mathjax), folder / "mathjax")
    for name, path in book.pictures.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(book.root / path, folder / name)
    if book.steps:
        (folder / "steps").mkdir()
        draw_all_steps(book.root, options.emulated, {folder / name: path for name, path in book.steps.items()})
    addresses, copies = source_addresses(output / "book.tag"), set()
    for page in sorted(folder.glob("*.html")):
        text = page.read_text(encoding="utf-8")
        done = finish_page(text, {k: v for k, v in addresses.items() if (folder / v).is_file()}, copies)
        if done != text:
            page.write_text(done, encoding="utf-8")
    book_search.add_sections(folder, headings(book))
    for path in sorted(copies):
        place = folder / copied_name(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        if (book.root / path).is_dir():
            listing = sorted(entry.name + "/" * entry.is_dir() for entry in (book.root / path).iterdir())
            place.write_text("\n".join(listing) + "\n", encoding="utf-8")
        else:
            shutil.copyfile(book.root / path, place)


def main(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("root", "output", "doxygen", "theme", "mathjax"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--emulated")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args(arguments)
    root, options.output = pathlib.Path(options.root).resolve(), pathlib.Path(options.output).resolve()
    book = lesson_filter.Book(root, pages(root), pages_of_steps(root) if options.emulated else ())
    files = write_pages(book, pathlib.Path(options.output) / "pages")
    if book.problems:
        for problem in book.problems:
            print(problem, file=sys.stderr)
        return 1
    run_doxygen(options, book, files)
    finish(options, book)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
