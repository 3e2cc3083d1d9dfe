#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/write/notebook runs notebooks and sees what their cells show; docs/notebook.ipynb keeps to its rules."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from commands import ROOT, load

notebook = load("docs/write/notebook")
COPY, BUILD = pathlib.Path("/copy/tutorial"), pathlib.Path("/some/build")


def small(*sources):
    """The text of a notebook with these cells."""
    cells = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"c{i}",
            "metadata": {},
            "outputs": [],
            "source": source,
        }
        for i, source in enumerate(sources)
    ]
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook.as_text({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def tool(*words):
    result = subprocess.run(
        [sys.executable, ROOT / "docs/write/notebook", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    return result.returncode, result.stdout + result.stderr


class Outputs(unittest.TestCase):
    def test_what_varies_is_left_out(self):
        shown = lambda text: notebook.as_shown(text, COPY, BUILD)  # noqa: E731
        self.assertEqual(
            shown("Building (log: build/x.log)\nBuilding [3/9]\nBuilding a house\n"), "Building a house\n"
        )
        self.assertEqual(
            shown("a\r\n\r\x1b[KBuilding [1/9] x.o\r\x1b[KBuilding [2/9] y.o\r\x1b[Kb\r\n"), "a\nb\n"
        )
        self.assertEqual(shown("Device: gpu (nvcc was found)\n"), "Device: gpu\n")
        self.assertEqual(shown("/copy/tutorial/chapters/a.cu:3: in 0.4 s\n"), "chapters/a.cu:3: in ... s\n")
        self.assertEqual(shown(f"{ROOT}/a.cu ../../chapters/b.cu\n\n\n"), "a.cu chapters/b.cu\n")
        self.assertEqual(shown("Configuring\n \n"), "")
        slow = "Configuring, 10 s\nBuilding: 3 of 14, copy.cu, 10 s\nCompiling build/x.cu, 20 s\n"
        self.assertEqual(shown(slow + "Compiling takes long, 20 s\n"), "Compiling takes long, ... s\n")

    def test_pieces_of_a_stream_are_one_output(self):
        piece = lambda name, text: {"output_type": "stream", "name": name, "text": text}  # noqa: E731
        self.assertEqual(
            notebook.joined([piece("stdout", "a"), piece("stdout", "b\n"), piece("stderr", "c")]),
            [piece("stdout", "ab\n"), piece("stderr", "c")],
        )

    def test_a_notebook_is_run_and_its_outputs_are_kept_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "small.ipynb"
            file.write_text(
                small("x = 6\nprint(x * 7)", "!ls ../chapters/run mine.txt", "%%writefile mine.txt\nhello")
            )
            text, output = file.read_text(), file.with_name("executed.ipynb")
            self.assertEqual(tool("--check", file), (0, ""))
            self.assertEqual(tool("--output", output, file), (0, f"Written: {output}\n"))
            self.assertEqual(file.read_text(), text)
            cells = json.loads(output.read_text())["cells"]
            self.assertEqual([cell["execution_count"] for cell in cells], [1, 2, 3])
            self.assertEqual(cells[0]["outputs"][0]["text"], ["42\n"])
            self.assertIn("chapters/run\n", cells[1]["outputs"][0]["text"])
            self.assertFalse((ROOT / "docs/mine.txt").exists())  # it runs in a copy
            file.write_text(output.read_text())
            status, said = tool("--check", file)
            self.assertEqual(status, 1)
            self.assertIn("has outputs", said)

    def test_what_cells_must_show(self):
        def said(text, drawn=0, **metadata):
            outputs = [{"text": text}] + drawn * [{"data": {"image/svg+xml": "<svg/>"}}]
            return " ".join(notebook.missing({"cells": [{"id": "c", "metadata": metadata, "outputs": outputs}]}))

        self.assertEqual(said("It is 42.", shows=["42", "It"]), "")
        self.assertIn("c does not show '43'", said("It is 42.", shows=["42", "43"]))
        self.assertIn("c shows '/tmp/'", said("/tmp/x", shows=[]))
        self.assertIn("shows 1 pictures, and not 0", said("", 1))
        self.assertEqual(said("", 1, pictures=1), "")

    def test_what_cannot_be_run_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "small.ipynb"
            file.write_text(small("raise ValueError('no such thing')"))
            status, said = tool("--check", file)
            self.assertEqual(status, 2)
            self.assertIn("no such thing", said)
            file.write_text("{}")
            self.assertEqual(tool("--check", file)[0], 2)


class FirstSteps(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "docs/notebook.ipynb").read_text(encoding="utf-8")
        self.book = json.loads(self.text)
        self.code = [cell for cell in self.book["cells"] if cell["cell_type"] == "code"]

    def test_cells_are_short_and_have_ids(self):
        ids = [cell["id"] for cell in self.book["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        for cell in self.code:
            self.assertLessEqual(len(cell["source"]), 15, cell["id"])
        words = sum(
            len("".join(c["source"]).split()) for c in self.book["cells"] if c["cell_type"] == "markdown"
        )
        self.assertLess(words, 800)

    def test_commands_are_the_readers(self):
        commands = re.findall(
            r"^\s*!(\S+.*)$", "\n".join("".join(cell["source"]) for cell in self.code), re.M
        )
        self.assertGreater(len(commands), 8)
        for command in commands:
            self.assertRegex(command, r"^(chapters/(run|exercise|draw) |cp \{|git clone )")
            path = ROOT / command.split()[0]
            self.assertTrue(not command.startswith("chapters/") or path.exists(), command)
        # Nobody can answer a question in a cell.
        for command in commands:
            if re.match(r"chapters/(run|draw)|chapters/exercise check", command):
                self.assertIn("--yes", command)

    def test_outputs_show_the_whole_way(self):
        """Every cell with a command says what it must show."""
        for cell in self.code:
            if "!chapters" in "".join(cell["source"]):
                self.assertTrue(cell["metadata"].get("shows") or cell["metadata"].get("pictures"), cell["id"])
        text = "\n".join(words for cell in self.code for words in cell["metadata"].get("shows", []))
        for words in ("access out of bounds in kernel copy_elements_kernel", "checks passed", "Hint 1 of"):
            self.assertIn(words, text)
        self.assertEqual(text.count("Solved."), 2)
        self.assertEqual(sum(cell["metadata"].get("pictures", 0) for cell in self.code), 3)


if __name__ == "__main__":
    unittest.main()
