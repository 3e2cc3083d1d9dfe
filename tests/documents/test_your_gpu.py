# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/your_gpu: with stand-ins for the programs, by recorded tables, and by a data sheet."""

import contextlib
import io
import itertools
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

sys.dont_write_bytecode = True
from commands import ROOT, load  # noqa: E402

your_gpu = load("docs/record/your_gpu")
Row = your_gpu.beside.Row
H200 = ROOT / "docs/measurements/h200-????-??-??"


class YourGpuTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.put("PAGE", self.root / "page")

    def put(self, name, value, where=your_gpu):
        patch = unittest.mock.patch.object(where, name, value)
        patch.start()
        self.addCleanup(patch.stop)

    def run_it(self, *arguments):
        """Status, what it said, and the page."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = your_gpu.main(list(map(str, arguments)))
        page = self.root / "page/your_gpu.html"
        return status, said.getvalue(), page.read_text(encoding="utf-8") if page.exists() else ""

    def stand_ins(self, **scripts):
        """Programs that write the H200's tables, but for these."""
        for path in (ROOT / "chapters").glob("[0-9][0-9]_*"):
            program = self.root / path.name
            program.write_text("#!/bin/sh\n" + scripts.get(f"c{path.name[:2]}", f'cp "$(ls {H200}/$(basename "$0").csv | tail -n 1)" "$3" || : >"$3"\n'))
            program.chmod(0o755)
        self.put("build", lambda preset, names: self.root, your_gpu.records)
        self.put("facts", lambda *_: {"device": "GPU of <a> & b"}, your_gpu.records)

    def test_measured(self):
        self.stand_ins(c08='echo broken; cp $0 "$3"; exit 1\n', c01="exit 1\n", c15="exit 1\n")
        status, said, page = self.run_it()
        self.assertEqual(status, 1)
        self.assertIn("broken", said)
        self.assertIn("Failed, so not here: 08_dct8x8.", page)
        self.assertIn("GPU of &lt;a&gt; &amp; b", page)
        self.assertIn("Chapter 14", page)
        self.assertNotIn("Chapter 08", page)
        self.assertIn("The limiter of 0 of", page)  # it is the H200's
        self.assertRegex(page, r"<td>copy, 1 GiB each way</td><td class=n>[\d.]+ TB/s</td>")
        picture = xml.etree.ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
        self.assertEqual(len(picture.findall(".//circle")), len(re.findall("M[0-9.]+ [0-9]+l7 7", page)))
        self.assertFalse(re.search("(src|href)=", page))  # nothing from elsewhere

    def test_three_minutes(self):
        self.stand_ins()  # a chapter each 15 s
        self.put("time", unittest.mock.Mock(monotonic=unittest.mock.Mock(side_effect=itertools.count(0, 7.5))))
        status, _, page = self.run_it()
        self.assertEqual(status, 1)
        self.assertIn("Not done within 180 s: 13_one_pass, 14_small_matrices, 12_there_and_back.", page)
        self.assertIn("Chapter 11", page)

    def test_of_a_record(self):
        status, _, page = self.run_it(ROOT / "docs/measurements/h200-2026-11-29")
        self.assertEqual(status, 0)
        self.assertIn("NVIDIA H200 beside", page)
        self.assertIn("08 separable", page)
        self.assertEqual(self.run_it(self.root)[0], 2)

    def test_without_a_gpu(self):
        self.put("tool", unittest.mock.Mock(side_effect=your_gpu.Problem("no driver")), your_gpu.records)
        status, said, _ = self.run_it()
        self.assertEqual(status, 2)
        self.assertIn("no driver. Without a GPU: docs/record/your_gpu --sheet", said)
        status, said, page = self.run_it("--sheet", 1008, 128, 2.52)
        self.assertEqual(status, 0)
        self.assertIn("a copy takes 4.76 times as long", page)
        self.assertRegex(said, r"expects \d+ of \d+ times of the H100 within its range")
        self.assertNotIn("Chapter 12", re.sub("<p>.*?</p>", "", page))
        self.assertEqual(self.run_it("--sheet", 0, 128, 2.5)[0], 2)

    def test_the_model(self):
        def expected(ms, copy_ms, fma_ms, factors, work="B (float)"):
            return your_gpu.expected(Row("02", work, "02 direct", ms, 0.5, copy_ms, fma_ms), factors)

        self.assertEqual(expected(4, 3, 1, (1, 1, 1)), (4, 4, 0.75, 3, 1))
        self.assertEqual(expected(4, 3, 1, (2, 1, 1))[:2], (6, 7))  # overlapped, one after the other
        self.assertEqual(expected(4, 3, 1, (0.5, 1, 1))[:2], (2.5, 4))
        self.assertEqual(expected(4, 4, 1, (3, 1, 1))[:3], (12, 12, 1))
        self.assertEqual(expected(4, 3, 1, (1, 1, 32), "A (double)"), (32, 32, 1, 3, 32))  # doubles are slow there
        self.assertEqual(expected(4, 3, 8, (1, 2, 1))[:2], (5, 8))  # of a transform: its limit is none
        self.assertEqual(your_gpu.ratios((4800, 132, 2, 2), (2400, 66, 1, 64)), (2, 4, 128))

    def test_the_limiter(self):
        def limiter(ms, copy_ms, fma_ms, launch_ms=0.0):
            return your_gpu.limiter(Row("02", "A", "02 direct", ms, 0.5, copy_ms, fma_ms), launch_ms)

        self.assertEqual(limiter(1, 0.8, 0.5), "memory")
        self.assertEqual(limiter(1, 0.8, 0.9), "multiply-adds")
        self.assertEqual(limiter(1, 0.79, 0.1), "other work")
        self.assertEqual(limiter(1, 0.1, 3), "other work")
        self.assertEqual(limiter(0.005, 0.0045, 0, 0.0048), "a launch")
        slow = Row("02", "A", "02 direct", 2, 0.9, 0.4, 1.8)
        text = your_gpu.table([(slow._replace(ms=0.5, fma_ms=0.1), None, slow, (2, 2))], [("memory", "multiply-adds")])
        self.assertIn("<b>multiply-adds</b>, not memory: bytes need 20% of the time, multiply-adds 90%; on the H200, bytes need 80%", text)

    def test_the_error_is_small_on_both_devices(self):
        """Most times are in the range, and its middle is near, each device being expected from the other."""
        said = []
        self.put("error_text", lambda results: said.extend(results) or ["x"])
        self.run_it("--sheet", 1008, 128, 2.52)
        for target in ("H100", "H200"):
            of = [(ms, low, high) for _, _, to, ms, low, high in said if to == target]
            self.assertGreater(len(of), 25)
            self.assertGreater(sum(0.97 * low <= ms <= 1.03 * high for ms, low, high in of), 0.7 * len(of))
            self.assertLess(max(abs((low + high) / 2 / ms - 1) for ms, low, high in of), 0.25)


if __name__ == "__main__":
    unittest.main()
