#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The pages of docs/book/pages_of_steps.txt: chapters/draw makes each of them, and it shows what it did before.

Usage: tests/documents/pages_of_steps.py DRAW_ACCESSES EMUCC LIBRARY [--any-compiler]

The two programs and the helper's library are those of a build for the emulated device. --any-compiler: which accesses
the compiler merges is its own affair, so what is shown is not compared.
"""

import collections
import hashlib
import json
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/book"))
import browser  # noqa: E402
import pages as book_pages  # noqa: E402
import test_steps_page  # noqa: E402

# How a page would ask for something that is not in it.
OUTSIDE = (
    r"""\b(?:src|href)\s*=\s*["'][^"'#]""",
    r"@import|url\(\s*[\"']?(?!data:|#)",
    r"\bfetch\(|XMLHttpRequest",
)

# Of each chapter's page: what its block does at which array (requests, and the sectors, wavefronts or addresses in
# them), how many other steps there are, and a digest of all of it with all values.
SHOWN = {
    "02": "load h 10/10, load x 10/44, store y 2/8, line 44, return 3, 2e57889ce0f1",
    "03": "load h 4/14, load x 4/16, store y 2/2, collective 10, line 60, return 4, fc13c5667c38",
    "05": "load h 10/10, load tile 10/10, load x 2/7, store tile 3/3, store y 2/5, barrier 2, line 32, "
    "return 3, f239331ae4e5",
    "06": "load h 5/5, load x 2/31, store y 1/15, line 54, return 2, a788a8a0ea8c",
    "07": "load blocks 2/10, load even_taps 1/5, load odd_taps 1/5, store blocks 2/9, line 15, return 2, "
    "8ced4064c226",
    "08": "load pixels 8/36, load tile 16/16, store coefficients 8/32, store tile 16/16, collective 2, line "
    "83, return 1, ce9a918bcdaa",
    "10": "atomic words 8/0, load codes 4/16, load lengths 4/16, load warp_sums 22/22, load words 1/1, "
    "store file 1/4, store warp_sums 4/4, store words 2/2, barrier 16, collective 20, line 162, "
    "return 4, e10e36f76934",
    "11": "load h 20/20, load ring 20/20, load x 7/21, store ring 9/9, store y 4/16, collective 8, line 47, "
    "return 1, b5ccbe11fd31",
    "13": "load filter 4/16, load numbers 8/8, load roots 2/2, load x 4/4, store numbers 8/8, store y 4/4, "
    "collective 2, line 65, return 1, f11f47997480",
    "14": "load a 4/32, load b 2/16, load r 2/16, store y 4/32, collective 2, line 16, return 1, "
    "e17e4269fcc8",
}


def summary(recording):
    """What a page shows, in a line as above. Lines count from the first that is shown: edits above it change nothing."""
    arrays = [array["name"] for array in recording["arrays"]]
    requests, parts, others = collections.Counter(), collections.Counter(), collections.Counter()
    for step in recording["steps"]:
        step["line"] -= recording["files"][step["file"]]["first"]
        if "array" in step:
            what = f"{step['kind']} {arrays[step['array']]}"
            requests[what] += 1
            parts[what] += step.get("parts", 0)
        else:
            others[step["kind"]] += 1
    known = [recording[name] for name in ("kernel", "grid", "block", "traced", "arrays", "variables", "steps")]
    digest = hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:12]
    told = [f"{what} {count}/{parts[what]}" for what, count in sorted(requests.items())]
    return ", ".join([*told, *(f"{kind} {count}" for kind, count in sorted(others.items())), digest])


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.pages = {
            program: pathlib.Path(cls.folder.name) / (program.split("/")[1] + ".html")
            for program in book_pages.pages_of_steps(ROOT)
        }
        book_pages.draw_all_steps(ROOT, BUILD, {page: program for program, page in cls.pages.items()})

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def shown(self, page):
        text = page.read_text(encoding="utf-8")
        data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.S)
        self.assertIsNotNone(data, "there are no steps in the page")
        return json.loads(data[1])

    def test_one_file_without_network(self):
        for program, page in self.pages.items():
            with self.subTest(program):
                text = page.read_text(encoding="utf-8")
                self.assertLess(len(text.encode()), 2_000_000)
                # Without what it shows: a kernel may have a function fetch().
                alone = re.sub(r'<script[^>]*type="application/json".*?</script>', "", text, flags=re.S)
                for outside in OUTSIDE:
                    self.assertIsNone(re.search(outside, alone), f"asks for something else: {outside}")

    def test_it_is_whole(self):
        for program, page in self.pages.items():
            with self.subTest(program):
                recording = self.shown(page)
                self.assertTrue(recording["steps"] and recording["variables"] and recording["files"])
                self.assertFalse(recording.get("cut"), "the block did more than the page shows")
                self.assertIn(recording["title"], book_pages.pages_of_steps(ROOT)[program])
                for file in recording["files"]:
                    name, first, lines = file["name"], file["first"], file["lines"]
                    self.assertTrue(lines, f"no lines of {name}")
                    sources = [each.read_text(encoding="utf-8") for each in (ROOT / program).parents[1].rglob(name)]
                    last = first - 1 + len(lines)
                    self.assertIn(lines, [source.split("\n")[first - 1 : last] for source in sources], name)

    def test_it_shows_what_it_did_before(self):
        if "--any-compiler" in sys.argv:
            self.skipTest("another compiler")
        self.assertEqual(list(SHOWN), [program.split("/")[1][:2] for program in self.pages])
        for program, page in self.pages.items():
            with self.subTest(program):
                wanted, now = SHOWN[program.split("/")[1][:2]], summary(self.shown(page))
                self.assertEqual(wanted, now, "step through it: is that right?")

    @unittest.skipUnless(browser.find(), "no browser")
    def test_in_a_browser(self):
        with browser.Browser(browser.find()) as tab:
            tab.size(390, 844, phone=True)
            for program, page in self.pages.items():
                with self.subTest(program):
                    tab.open(page)
                    self.assertEqual([], tab.run(test_steps_page.WIDE_STEPS))
                    self.assertEqual([], tab.complaints)


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv[1]).resolve().parents[1]
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    if result.wasSuccessful() and not browser.find():
        print("SKIPPED: no browser was found (package chromium): the pages were made, but not opened")
    sys.exit(not result.wasSuccessful())
