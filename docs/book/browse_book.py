# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Opens the book in a headless browser, as readers do, and fails where they would be let down.

    browse_book.py HTML_FOLDER [--pictures FOLDER]

Every page of the book and a sample of the reference: no complaint of a script, no file missing, no request that leaves
the folder, every formula rendered, code with its copy button, code of up to 110 columns whole beside the table of
contents at 1400 pixels, nothing wider than a phone, dark where dark is wanted.
Then "next" from the first page through all chapters, and a search. --pictures keeps a picture of each page, light, dark
and as on a phone, to look at.
"""

import argparse
import pathlib
import sys
import time
import urllib.parse

import browser

SEARCHED = "halo"
FORMULAS = """(() => {
  const asked = document.querySelectorAll('script[type^="math/tex"]').length
  const made = document.querySelectorAll('.MathJax_SVG svg').length
  const wrong = asked ? MathJax.Hub.getAllJax().filter(j => j.texError).map(j => j.originalText) : []
  return [asked, made, wrong]
})()"""
WIDE = """[...document.querySelectorAll('#doc-content, .contents')].map(e => e.scrollWidth - e.clientWidth)
          .concat([document.documentElement.scrollWidth - window.innerWidth]).reduce((a, b) => Math.max(a, b), 0)"""

# Pieces of code that are cut, of those that have no more columns than our sources; a diff has one more.
CUT = """[...document.querySelectorAll('div.contents div.fragment')].filter(f => f.scrollWidth > f.clientWidth + 1 &&
         Math.max(...[...f.querySelectorAll('.line')].map(line => line.textContent.length)) <= 111)
         .map(f => f.textContent.trim().slice(0, 40))"""


class Visit:
    def __init__(self, folder, tab, pictures):
        self.folder, self.tab, self.pictures = pathlib.Path(folder).resolve(), tab, pictures
        self.problems, self.formulas = [], 0

    def problem(self, page, message):
        self.problems.append(f"{page}: {message}")

    def attempt(self, page, action, argument):
        try:
            return action(argument)
        except browser.BrowserError as error:
            self.problem(page, str(error).split("\n")[0])
            return None

    def inside(self, address):
        url = urllib.parse.urlsplit(address)
        return url.scheme in ("data", "about", "blob") or (
            url.scheme == "file" and pathlib.Path(urllib.parse.unquote(url.path)).is_relative_to(self.folder)
        )

    def open(self, page, how):
        self.tab.open(self.folder / page)
        for complaint in self.tab.complaints:
            self.problem(page, f"({how}) the browser says: {complaint}")
        for failure in self.tab.failures:
            self.problem(page, f"({how}) something did not load: {failure}")
        for address in self.tab.requests:
            if not self.inside(address):
                self.problem(page, f"({how}) asks for {address}")
        if self.pictures:
            self.tab.picture(self.pictures / f"{page.removesuffix('.html')}_{how}.png")

    def page(self, page):
        self.tab.size(1400, 1000)
        self.tab.dark(False)
        self.open(page, "light")
        asked, made, wrong = self.tab.run(FORMULAS)
        self.formulas += made
        if asked != made:
            self.problem(page, f"{made} of {asked} formulas are rendered")
        for formula in wrong:
            self.problem(page, f"a formula has a mistake: {formula}")
        fragments = self.tab.run("document.querySelectorAll('div.contents div.fragment').length")
        buttons = self.tab.run("document.querySelectorAll('doxygen-awesome-fragment-copy-button').length")
        if fragments != buttons:
            self.problem(page, f"{buttons} copy buttons for {fragments} pieces of code")
        for code in self.tab.run(CUT):
            self.problem(page, f"cuts code off at 1400 pixels: {code} ...")
        if self.tab.run(
            "[...document.images].filter(i => i.complete && i.naturalWidth == 0 && i.src).length"
        ):
            self.problem(page, "a picture is not shown")

        self.tab.dark(True)
        self.open(page, "dark")
        color = self.tab.run(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
        )
        if max(color) > 90:
            self.problem(page, f"is not dark where dark is wanted (background {color})")

        self.tab.dark(False)
        self.tab.size(390, 844, phone=True)
        self.open(page, "phone")
        wide = self.tab.run(WIDE)
        if wide > 1:
            self.problem(page, f"is {wide} pixels wider than a phone")

    def way(self, chapters):
        """From the first page by "next", as often as there is one."""
        self.tab.size(1300, 1000)
        at, seen = "index.html", []
        while at and at not in seen:
            seen.append(at)
            self.tab.open(self.folder / at)
            at = self.tab.run("document.querySelector('nav.steps a.next')?.getAttribute('href') || ''")
        if [page for page in seen if page in chapters] != chapters:
            self.problem("index.html", f"'next' leads through {seen}, not through {chapters}")

    def search(self, word):
        """Types the word, and reads what the list of results shows."""
        self.tab.open(self.folder / "index.html")
        self.tab.run(f"""(() => {{ const field = document.getElementById('MSearchField')
            searchBox.OnSearchFieldFocus(true); field.value = '{word}'; searchBox.Search() }})()""")
        results = []
        for _ in range(100):  # the list is a frame of its own
            self.tab.wait_for("true")
            results = [address for address in self.tab.requests if "/search/" in address and "?" in address]
            if results:
                break
            time.sleep(0.05)
        if not results:
            self.problem("search", f"typing '{word}' opens no list of results")
            return []
        address = urllib.parse.urlsplit(results[-1])
        self.tab.open(urllib.parse.unquote(address.path), "?" + address.query)
        shown = self.tab.run("""[...document.querySelectorAll('.SRResult')].filter(e => e.offsetParent)
                                .map(e => e.textContent.trim())""")
        if not any(word in text.lower() for text in shown):
            self.problem("search", f"'{word}' finds {shown or 'nothing'}")
        return shown


def main(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder")
    parser.add_argument("--pictures")
    options = parser.parse_args(arguments)
    folder = pathlib.Path(options.folder)
    program = browser.find()
    if not program:
        print("There is no browser: sudo apt install chromium", file=sys.stderr)
        return 2
    book = sorted(
        path.with_suffix(".html").name
        for path in (folder.parent / "pages").glob("*.md")
        if path.stem != "mainpage"
    )
    reference = [
        name
        for name in ("annotated.html", "files.html", "compare_8hpp.html", "convolve__direct_8cu.html")
        if (folder / name).is_file()
    ]
    pictures = pathlib.Path(options.pictures) if options.pictures else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with browser.Browser(program) as tab:
        visit = Visit(folder, tab, pictures)
        for page in ["index.html", *book, *reference]:
            visit.attempt(page, visit.page, page)
        visit.attempt("index.html", visit.way, [page for page in book if page.startswith("chapter_")])
        found = visit.attempt("search", visit.search, SEARCHED)
    if not visit.formulas:
        visit.problem("the book", "no page has a formula")
    for problem in visit.problems:
        print(problem, file=sys.stderr)
    if not visit.problems:
        print(
            f"{1 + len(book) + len(reference)} pages in the browser, light, dark and on a phone: nothing to complain "
            f"about; {visit.formulas} formulas; '{SEARCHED}' finds {', '.join(found)}"
        )
    return 1 if visit.problems else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(sys.argv[1:]))
