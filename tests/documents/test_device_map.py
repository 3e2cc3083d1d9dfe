#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/write/device_map draws what was measured, lights the places of a chapter, and invents nothing."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
RECORD = """copy,table,place,holds,latency_cycles,latency_ns,tb_per_s,multiprocessors
elements,,,,,,1.44,
,map,registers,256 KiB,4.014,2.027,371.9,96
,map,shared,228 KiB,29.02,14.66,31.31,96
,map,l1,240 KiB,38.04,19.21,17.77,96
,map,constant,2 KiB,27.03,13.65,,96
,map,l2,60 MiB,271.2,136.9,5.631,96
,map,memory,140 GiB,651.4,329.0,4.271,96
,map,memory_far,-,851.4,429.0,,96
,map,host,-,2413,1219,0.05531,96
"""


class DeviceMap(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def draw(self, chapter, record):
        folder = pathlib.Path(self.folder.name)
        (folder / "record.csv").write_text(record)
        command = [sys.executable, ROOT / "docs/write/device_map", chapter, "--csv", folder / "record.csv"]
        done = subprocess.run([*command, folder / "map.svg"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return xml.etree.ElementTree.parse(folder / "map.svg").getroot()

    def words(self, root):
        return [text.text for text in root.iter(SVG + "text")]

    def test_figures_are_those_of_the_record(self):
        root = self.draw("00", RECORD)
        words = self.words(root)
        for figure in ("256 KiB", "4.0 cycles", "2.0 ns", "372 TB/s", "31 TB/s", "271 cycles", "5.6 TB/s", "2,413 cycles",
                       "55 GB/s", "96 multiprocessors: one of them"):  # fmt: skip
            self.assertIn(figure, words)
        self.assertNotIn("851 cycles", words)
        self.assertIn("L2 cache: 60 MiB, 271 cycles or 137 ns for a load and 5.6 TB/s.", root.findtext(SVG + "desc"))

    def test_what_was_not_measured_is_a_question_mark(self):
        words = self.words(self.draw("05", "copy,tb_per_s\nelements,1.44\n"))
        self.assertIn("not measured yet", words)
        self.assertEqual([word for word in words if re.search(r"\d (cycles|ns|TB/s|[KMG]iB)", word)], [])
        without_l2 = "".join(line for line in RECORD.splitlines(True) if ",l2," not in line)
        self.assertIn("? cycles", self.words(self.draw("00", without_l2)))

    def test_every_chapter_has_its_places_lit(self):
        chapters = sorted(path.name[:2] for path in (ROOT / "chapters").glob("[0-9][0-9]_*"))
        self.assertGreaterEqual(len(chapters), 10)
        for chapter in chapters:
            root = self.draw(chapter, RECORD)
            lit = [each for each in root.iter() if "lit" in each.get("class", "").split()]
            self.assertEqual(bool(lit), chapter != "00", chapter)
            self.assertEqual("Lit: " in root.findtext(SVG + "desc"), chapter != "00", chapter)

    def test_text_stays_within_the_picture_and_its_box(self):
        root = self.draw("02", RECORD)
        width = float(root.get("width"))
        sizes = {"title": 14, "dim": 11}
        for text in root.iter(SVG + "text"):
            x, css = float(text.get("x")), text.get("class")
            reach = len(text.text) * 0.61 * sizes.get(css, 12) * {"end": 0, "middle": 0.5}.get(text.get("text-anchor"), 1)
            self.assertLessEqual(x + reach, width, text.text)
        (plain,) = (path.get("d") for path in root.iter(SVG + "path") if path.get("class") == "plain")
        boxes = [[float(part) for part in box] for box in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)a", plain)]
        for name in ("shared memory", "L1 cache", "constant cache"):
            (text,) = (each for each in root.iter(SVG + "text") if each.text == name)
            x, y = float(text.get("x")), float(text.get("y"))
            (across,) = (box[2] for box in boxes if (box[0], box[1]) == (x - 4, y - 17))
            self.assertLessEqual(8 + len(name) * 0.61 * 12, across + 8, name)  # with its round corners

    def test_what_it_does_not_know_it_refuses(self):
        for arguments in (["77", "map.svg"], ["00"], ["00", "--csv", "nowhere.csv", "map.svg"]):
            command = [sys.executable, ROOT / "docs/write/device_map", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder.name)
            self.assertEqual(done.returncode, 2)
            self.assertIn("docs/write/device_map: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
