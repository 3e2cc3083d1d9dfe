# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Opens the book in a headless browser, as readers do, and fails where they would be let down.

    browse_book.py HTML_FOLDER [--pictures FOLDER] [--axe FILE] [--only PART]

Every page at 1400, 1024 and 390 pixels, and dark: no complaint of a script, no file missing, no request that leaves
the folder; code of up to 110 columns whole on a desk, nothing wider than the page. The
searches below are typed; the text is reached by keyboard; the chapters open on a phone; a lesson is printed, and holds
the last words of its code and its hints. Slides fit. --axe: axe.min.js, which must find nothing serious (20 pages, light and dark).
--pictures keeps a picture of each page. --only: pages whose name has this part.
"""

import argparse
import pathlib
import re
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True
import browser  # noqa: E402

# What is typed, and the beginning of the address of one of the first five rows that it must find.
SEARCHES = {
    "halo": "docs/glossary.html#halo",
    "overlap save": "docs/glossary.html#overlap-save",
    "overlap-save": "docs/glossary.html#overlap-save",
    "coalescing": "docs/glossary.html#coalesc",
    "__syncthreads": "chapters/05_shared_memory",
    "cudaMalloc": "chapters/00_meet_the_device",
    "EMULATOR_REPORT": "",
    "convolve_shared_kernel": "reference/05_shared_memory.html#convolve_shared_kernel",
    "access out of bounds": "",
    "barier": "docs/glossary.html#barrier",
    "convolve_shred": "",
    "regsiter": "",
    "gost": "docs/glossary.html#ghost",
}
AT_1400, AT_1024, PHONE = (1400, 1000), (1024, 900), (390, 844)
WIDE = """[document.documentElement, ...document.querySelectorAll('main, article')]
          .map(e => e.scrollWidth - e.clientWidth).reduce((a, b) => Math.max(a, b), 0)"""
# Pieces of code that are cut, of those that have no more columns than our sources; a diff has one more.
CUT = """[...document.querySelectorAll('article div.highlight pre')].filter(f => f.scrollWidth > f.clientWidth + 1 &&
         f.checkVisibility() && Math.max(...f.textContent.split('\\n').map(line => line.length)) <= 111)
         .map(f => f.textContent.trim().slice(0, 40))"""
# Slides of which something reaches over the place that it has.
CUT_SLIDES = """[...document.querySelectorAll('section')].filter(slide => {
          const outer = slide.getBoundingClientRect(), show = slide.querySelector('.show').getBoundingClientRect()
          const over = (e, place) => { const r = e.getBoundingClientRect()
            return r.left < place.left - 1 || r.right > place.right + 1 || r.top < place.top - 1 || r.bottom > place.bottom + 1 }
          return [...slide.querySelectorAll('.show *')].some(e => over(e, show)) || [...slide.children].some(e => over(e, outer)) ||
                 [...slide.querySelectorAll('pre')].some(e => e.scrollWidth > e.clientWidth + 1) ||
                 [...slide.querySelectorAll('img')].some(e => !e.naturalWidth) })
          .map(slide => slide.querySelector('h1, h2').textContent)"""
SERIOUS = """axe.run({resultTypes: ['violations']}).then(r => r.violations
             .filter(v => ['serious', 'critical'].includes(v.impact))
             .map(v => v.id + ' (' + v.nodes.length + '): ' + v.nodes[0].html.slice(0, 120)))"""


class Visit:
    def __init__(self, folder, tab, pictures):
        self.folder, self.tab, self.pictures, self.problems = pathlib.Path(folder).resolve(), tab, pictures, []

    def problem(self, page, message):
        self.problems.append(f"{page}: {message}")

    def attempt(self, page, action, *arguments):
        try:
            return action(page, *arguments)
        except browser.BrowserError as error:
            self.problem(page, str(error).split("\n")[0])
            return None

    def inside(self, address):
        url = urllib.parse.urlsplit(address)
        return url.scheme in ("data", "about", "blob") or (
            url.scheme == "file" and pathlib.Path(urllib.parse.unquote(url.path)).is_relative_to(self.folder)
        )

    def open(self, page, how, query=""):
        self.tab.open(self.folder / page, query)
        for complaint in self.tab.complaints:
            self.problem(page, f"({how}) the browser says: {complaint}")
        for failure in self.tab.failures:
            self.problem(page, f"({how}) something did not load: {failure}")
        for address in self.tab.requests:
            if not self.inside(address):
                self.problem(page, f"({how}) asks for {address}")
        if self.pictures:
            self.tab.picture(self.pictures / f"{page.removesuffix('.html').replace('/', '_')}_{how}.png")

    def page(self, page):
        self.tab.dark(False)
        for how, (width, height) in (("1400", AT_1400), ("1024", AT_1024), ("phone", PHONE)):
            self.tab.size(width, height, phone=how == "phone")
            self.open(page, how)
            wide = self.tab.run(WIDE)
            if wide > 1:
                self.problem(page, f"({how}) is {wide} pixels wider than the page")
            if self.tab.run("scrollY"):
                self.problem(page, f"({how}) does not begin at its beginning")
            if not self.tab.run("[...document.querySelectorAll('.bar button[popovertarget], .bar .home')].some(e => e.checkVisibility())"):
                self.problem(page, f"({how}) has no way to the chapters")
            if self.tab.run("[...document.images].some(image => image.width > image.naturalWidth + 1)"):
                self.problem(page, f"({how}) enlarges a picture")
            if how != "phone":
                for code in self.tab.run(CUT):
                    self.problem(page, f"cuts code off at {how} pixels: {code} ...")
                if self.tab.run("[...document.images].filter(i => i.complete && i.naturalWidth == 0 && i.src).length"):
                    self.problem(page, "a picture is not shown")
        self.tab.dark(True)
        self.open(page, "dark")
        color = self.tab.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)")
        if max(color) > 90:
            self.problem(page, f"is not dark where dark is wanted (background {color})")
        self.tab.dark(False)

    def slides(self, page):
        """Each slide is whole, on two shapes of screen, and is one sheet of paper."""
        for width, height in ((1280, 720), (1024, 768)):
            self.tab.size(width, height)
            self.open(page, f"{width}")
            for slide in self.tab.run(CUT_SLIDES):
                self.problem(page, f"({width}) does not fit: {slide}")
        count = self.tab.run("document.querySelectorAll('section').length")
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            self.tab.pdf(file.name)
            sheets = len(re.findall(rb"/Type\s*/Page\b", pathlib.Path(file.name).read_bytes()))
        if sheets != count:
            self.problem(page, f"{count} slides are printed to {sheets} sheets")

    def search(self, word, wanted):
        self.tab.size(*PHONE, phone=True)
        self.open("search.html", "search")
        self.tab.run(f"field.value = {word!r}; field.dispatchEvent(new Event('input')); 0")
        rows = self.tab.run("""[...document.querySelectorAll('#found a')].slice(0, 5)
            .map(a => [a.getAttribute('href'), a.querySelector('p').textContent, a.getBoundingClientRect().height])""")
        if not any(address.startswith(wanted) for address, _, _ in rows):
            self.problem("search", f"'{word}' finds {[row[0] for row in rows] or 'nothing'}, not {wanted}")
        if any(len(text) < 20 or height < 44 for _, text, height in rows):
            self.problem("search", f"'{word}': a row has no line of context, or is too small for a thumb")

    def keyboard(self, page):
        """Tab and Enter reach the text; on a phone the chapters open."""
        self.tab.size(*AT_1400)
        self.open(page, "keyboard")
        for key, code in (("Tab", 9), ("Enter", 13)):
            for kind in ("rawKeyDown", "char", "keyUp"):
                if kind != "char" or key == "Enter":
                    text = {"text": "\r"} if kind == "char" else {}
                    self.tab.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)
        self.tab.wait_for("document.activeElement.id == 'text'")
        self.tab.size(*PHONE, phone=True)
        self.open(page, "menu")
        self.tab.run("document.querySelector('.bar button[popovertarget]').click()")
        if self.tab.run("[...document.querySelectorAll('#chapters a')].filter(a => a.checkVisibility()).length") < 30:
            self.problem(page, "the chapters do not open on a phone")

    def paper(self, page):
        self.tab.size(1400, 300)  # what is further down is not yet loaded
        self.open(page, "paper")
        with tempfile.TemporaryDirectory() as folder:
            self.tab.pdf(pathlib.Path(folder, "page.pdf"))
            sheets = len(re.findall(rb"/Type\s*/Page\b", pathlib.Path(folder, "page.pdf").read_bytes()))
        self.tab.call("Emulation.setEmulatedMedia", media="print")
        closed = self.tab.run("[...document.querySelectorAll('details')].filter(d => !d.open).length")
        cut = self.tab.run("[...document.querySelectorAll('pre, .wide')].filter(p => p.scrollWidth > p.clientWidth + 1).length")
        self.tab.call("Emulation.setEmulatedMedia", media="")
        if not any("/steps/" in address for address in self.tab.requests):
            self.problem(page, "its steps have no picture on paper")
        if closed or sheets < 2:
            self.problem(page, f"printed to {sheets} sheets, with {closed} closed parts")
        if cut:
            self.problem(page, f"{cut} pieces of code or tables are cut on paper")
        return sheets

    def accessible(self, page, axe):
        self.tab.size(*AT_1400)
        for dark in (False, True):
            self.tab.dark(dark)
            self.open(page, "axe")
            self.tab.run(axe + "; 0")
            for violation in self.tab.run(SERIOUS):
                self.problem(page, f"({'dark' if dark else 'light'}) {violation}")
        self.tab.dark(False)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    for option in ("--pictures", "--axe", "--only"):
        parser.add_argument(option)
    options = parser.parse_args(arguments)
    folder = pathlib.Path(options.folder)
    program = browser.find()
    if not program:
        print("There is no browser: sudo apt install chromium", file=sys.stderr)
        return 2
    everything = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.html"))]
    sources = [name for name in everything if name.startswith("source/")]
    names = [name for name in everything if not name.startswith(("source/", "steps/", "slides/")) and name != "print.html"] + sources[:2]
    lesson = next(name for name in names if name.startswith("chapters/05"))
    pictures = pathlib.Path(options.pictures) if options.pictures else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with browser.Browser(program) as tab:
        visit = Visit(folder, tab, pictures)
        chosen = [name for name in names if not options.only or options.only in name]
        for page in chosen:
            visit.attempt(page, visit.page)
        decks = [name for name in everything if name.startswith("slides/")]
        for deck in decks:
            visit.attempt(deck, visit.slides)
        for word, wanted in SEARCHES.items():
            visit.attempt(word, visit.search, wanted)
        visit.attempt(lesson, visit.keyboard)
        sheets = visit.attempt(lesson, visit.paper)
        if options.axe:
            script = pathlib.Path(options.axe).read_text(encoding="utf-8")
            for page in chosen[:: max(1, len(chosen) // 20)]:
                visit.attempt(page, visit.accessible, script)
    for problem in visit.problems:
        print(problem, file=sys.stderr)
    if not visit.problems:
        print(
            f"{len(chosen)} pages in the browser, at 1400, 1024 and 390 pixels and dark: nothing to complain about; "
            f"{len(SEARCHES)} searches find what they must; {lesson} prints to {sheets} sheets; {len(decks)} decks of slides fit"
        )
    return 1 if visit.problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
