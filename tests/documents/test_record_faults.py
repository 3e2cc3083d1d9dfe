# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/measure faults without a GPU: what it reads in the words of the tools, and its tables."""

import contextlib
import io
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from commands import ROOT, load  # noqa: E402

faults = load("docs/record/parts/faults.py")

OUT_OF_BOUNDS = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at copy_unguarded_kernel(const float *, float *)+0x90 in broken.cu:16
=========     by thread (233,0,0) in block (3,0,0)
=========     Address 0x7f is out of bounds
========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call
error: unspecified launch failure
========= ERROR SUMMARY: 24 errors
"""
RACE = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at broken_kernel+0x1 in broken.cu:30
=========     and Read access at broken_kernel+0x2 in broken.cu:37 [1024 hazards]
=========
wrong: 3 of 9 outputs
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""


class AnswersTest(unittest.TestCase):
    def test_words_of_compute_sanitizer(self):
        short, message = faults.sanitizer_answer(OUT_OF_BOUNDS)
        self.assertEqual(short, "out of bounds: global write")
        self.assertEqual(message, "Invalid __global__ write of size 4 bytes")
        self.assertEqual(faults.sanitizer_answer(RACE)[0], "race")
        misaligned = OUT_OF_BOUNDS.replace("is out of bounds", "is misaligned")
        self.assertEqual(faults.sanitizer_answer(misaligned)[0], "misaligned access")
        for line, short in (
            ("Uninitialized __global__ memory read of size 4 bytes", "unwritten global memory"),
            ("Barrier error detected. Divergent thread(s) in block.", "divergent barrier"),
            ('Program hit cudaErrorInvalidValue (error 1) due to "invalid argument"', "cudaErrorInvalidValue"),
            ("A thing that nobody has thought of", "something else"),
        ):
            output = f"========= COMPUTE-SANITIZER\n========= {line}\n========= ERROR SUMMARY: 1 error\n"
            self.assertEqual(faults.sanitizer_answer(output)[0], short)

    def test_silence_is_said_and_no_end_is_no_silence(self):
        self.assertEqual(faults.sanitizer_answer("right\n========= ERROR SUMMARY: 0 errors\n"), ("silent", ""))
        silent = "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"
        self.assertEqual(faults.sanitizer_answer(silent), ("silent", ""))
        self.assertIsNone(faults.sanitizer_answer("========= COMPUTE-SANITIZER\nright\n"))
        self.assertEqual(faults.gpu_answer("memcheck", "")["memcheck"], "no answer")

    def test_words_of_the_emulated_device(self):
        output = "broken.cu:30: error: race in kernel broken_kernel\n  thread (32, 0, 0) ...\n"
        self.assertEqual(faults.emulated_answer(1, output)[0], "race")
        self.assertEqual(faults.emulated_answer(0, "right\n"), ("silent", ""))
        self.assertIsNone(faults.emulated_answer(None, "right\n"))
        self.assertIsNone(faults.emulated_answer(139, ""))

    def test_words_of_the_programs(self):
        self.assertEqual(faults.result_of("========= x\nwrong: 3 of 9 outputs\n"), "wrong: 3 of 9 outputs")
        self.assertEqual(faults.result_of("killed"), "")
        self.assertEqual(faults.checks_of("refused by results: impulse, 3\n"), ("results", "impulse, 3"))
        self.assertEqual(faults.checks_of("accepted\n"), ("accepted", ""))
        self.assertEqual(faults.checks_of(""), ("no answer", ""))

    def test_no_paths_of_a_machine(self):
        self.assertEqual(faults.without_paths("/home/me/x/chapters/02_a/broken.cu:3: e"), "chapters/02_a/broken.cu:3: e")


class MistakesTest(unittest.TestCase):
    def test_every_chapter_with_broken_kernels_names_its_mistakes(self):
        known = faults.chapters_mistakes(ROOT)
        self.assertEqual(sorted(known), ["00", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15"])
        self.assertIn("The elements of the last, partly filled block are not copied.", known["00"]["grid_rounded_down"])
        self.assertEqual(known["05"]["no_barrier"], "Reads the tile while others still write it.")
        self.assertEqual(known["05"]["ghosts_not_written"][:14], "Stages nothing")
        for chapter, names in known.items():
            self.assertGreater(len(names), 5, chapter)
            self.assertTrue(all(names.values()), chapter)


def emulated(mistake, found="silent", checks="", chapter="02"):
    return {"chapter": chapter, "mistake": mistake, "result": "", "found": found, "message": "", "checks": checks,
            "checks_message": ""}


def gpu(mistake, checks="accepted", chapter="02", result="right", **tools):
    row = {"chapter": chapter, "mistake": mistake, "result": result, "checks": checks, "checks_message": ""}
    for name in faults.TOOLS:
        row[name], row[name + "_message"] = tools.get(name, "silent"), ""
    return row


KNOWN = {"02": {"none": "Right.", "a": "Does a.", "b": "Does b."}}


class TablesTest(unittest.TestCase):
    def test_both_halves_in_one_table(self):
        rows, problems = faults.merged(
            [gpu("none"), gpu("a", memcheck="race"), gpu("b", "results", result="wrong: 3 of 9 outputs")],
            [emulated("none"), emulated("a", "race"), emulated("b", checks="results")],
            KNOWN,
        )
        self.assertEqual(problems, [])
        self.assertEqual([row["mistake"] for row in rows], ["a", "b"])
        self.assertEqual((rows[0]["emulated"], rows[0]["memcheck"], rows[0]["racecheck"]), ("race", "race", ""))
        self.assertEqual((rows[1]["checks"], rows[1]["result"], rows[1]["emulated"]), ("results", "wrong", ""))

    def test_what_only_counts_show_is_found_by_the_emulated_device(self):
        rows, _ = faults.merged([gpu("a")], [emulated("a", checks="counts")], KNOWN)
        self.assertEqual(rows[0]["emulated"], "counts")

    def test_what_the_emulated_device_finds_in_a_check_is_not_counted(self):
        halves = [gpu("a", "surroundings")], [emulated("a", "access out of bounds (in a check)")]
        self.assertEqual(faults.merged(*halves, KNOWN)[0][0]["emulated"], "")

    def test_a_mistake_that_nothing_finds_and_a_finding_without_a_mistake_are_problems(self):
        self.assertIn("nothing finds it", faults.merged([gpu("a")], [emulated("a")], KNOWN)[1][0])
        self.assertIn("nothing", faults.merged([gpu("a", memcheck="no answer")], [emulated("a")], KNOWN)[1][0])
        found = faults.merged([gpu("none", initcheck="race")], [emulated("none")], KNOWN)[1]
        self.assertIn("something is found", found[0])

    def test_halves_that_do_not_belong_together_are_refused(self):
        with self.assertRaises(faults.Problem):
            faults.merged([gpu("a")], [emulated("b")], KNOWN)
        with self.assertRaises(faults.Problem):
            faults.merged([gpu("c")], [emulated("c")], KNOWN)

    def test_the_summary_counts(self):
        rows, _ = faults.merged(
            [gpu("a", memcheck="race", racecheck="race"), gpu("b", "results", result="wrong: 1 of 2 outputs")],
            [emulated("a", "race"), emulated("b")],
            KNOWN,
        )
        by = {line["by"]: line for line in faults.summary(rows)}
        self.assertEqual((by["checks"]["found"], by["checks"]["found_by_it_alone"]), (1, 1))
        self.assertEqual((by["emulated device"]["found"], by["emulated device"]["found_of_these"]), (1, 1))
        self.assertEqual(by["compute-sanitizer, all four"]["found"], 1)
        self.assertEqual(by["memcheck"]["right_results"], 1)

    def test_merge_writes_the_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            faults.records.write_csv(folder / "gpu.csv", faults.HALVES["gpu"], [gpu("no_guard", memcheck="race")])
            faults.records.write_csv(folder / "emulated.csv", faults.HALVES["emulated"], [emulated("no_guard")])
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(faults.main(["--merge", str(folder)]), 0)
            self.assertIn('02,no_guard,The spare threads', (folder / "faults.csv").read_text())
            self.assertTrue((folder / "summary.csv").is_file())


class ArgumentsTest(unittest.TestCase):
    def run_main(self, *arguments):
        messages = io.StringIO()
        with contextlib.redirect_stderr(messages), contextlib.redirect_stdout(io.StringIO()):
            try:
                return faults.main(list(arguments)), messages.getvalue()
            except SystemExit as end:
                return end.code, messages.getvalue()

    def test_what_cannot_be_is_refused(self):
        self.assertEqual(self.run_main()[0], 2)
        self.assertIn("for one half", self.run_main("--programs", "x", "folder")[1])
        self.assertIn("makes no half", self.run_main("--merge", "--half", "gpu", "folder")[1])
        status, message = self.run_main("--merge", "/nowhere/at/all")
        self.assertEqual(status, 2)
        self.assertIn("cannot be read", message)

    def test_programs_that_are_not_there_or_know_other_mistakes(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            status, message = self.run_main("--half", "emulated", "--programs", str(folder), str(folder / "new"))
            self.assertEqual(status, 2)
            self.assertIn("was not found", message)
            program = folder / "faults_00"
            program.write_text("#!/bin/sh\necho no_guard\n")
            program.chmod(0o755)
            message = self.run_main("--half", "emulated", "--programs", str(folder), str(folder / "new"))[1]
            self.assertIn("differ: ", message)
            self.assertIn("off_by_one", message)


class TypedNumbersTest(unittest.TestCase):
    """How many mistakes a lesson says that its broken.cu makes."""

    NUMBERS = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen".split()

    def said(self, text):
        """The number in a line such as "[broken.cu](...) makes nine mistakes"; 0: none."""
        found = re.search(r"\[broken\.cu\]\([^)]*\) (?:makes|has|contains) ([^.`]*\bmistakes?\b)", text)
        words = re.findall(r"\b(?:[a-z]+|\d\d)\b", found[1]) if found else []
        numbers = [int(w) if w.isdigit() else self.NUMBERS.index(w) + 2 for w in words if w.isdigit() or w in self.NUMBERS]
        return numbers[0] if numbers else 0

    def test_they_are_those_of_the_headers(self):
        mistakes, checked = faults.chapters_mistakes(ROOT), 0
        for lesson in sorted(ROOT.glob("chapters/[0-9][0-9]_*/README.md")):
            chapter = lesson.parent.name[:2]
            said = self.said(lesson.read_text(encoding="utf-8"))
            if said:
                checked += 1
                made = [name for name in mistakes[chapter] if not faults.is_none(name)]
                self.assertEqual(said, len(made), f"chapter {chapter}: {made}")
        self.assertGreaterEqual(checked, 9)

    def test_a_number_is_read(self):
        self.assertEqual(self.said("[broken.cu](checks/broken.cu) makes nine mistakes and [b.cu](b.cu) four, on purpose."), 9)
        self.assertEqual(self.said("[broken.cu](broken.cu) makes 15 mistakes"), 15)
        self.assertEqual(self.said("[broken.cu](broken.cu) makes these mistakes"), 0)
        self.assertEqual(self.said("two of them; [broken.cu](broken.cu) has ten versions with one mistake each"), 10)


if __name__ == "__main__":
    unittest.main()
