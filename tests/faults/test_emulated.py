# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Each mistake, used once on the emulated device: what is found in it is what the record of docs/faults.md says.

    test_emulated.py PROGRAM...    the programs faults_NN, all in one folder
"""

import os
import pathlib
import sys
import unittest
from concurrent import futures

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "documents"))
from commands import ROOT, load  # noqa: E402

faults = load("docs/record/parts/faults.py")
programs = pathlib.Path(sys.argv[1]).parent
del sys.argv[1:]


class EmulatedTest(unittest.TestCase):
    def test_every_mistake_is_found_as_it_was_recorded(self):
        mistakes = faults.all_mistakes(programs)
        with futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            answers = list(pool.map(lambda one: faults.run([one[0], one[2]], 120), mistakes))
        now, wrong = {}, []
        for (_, chapter, name), (status, output) in zip(mistakes, answers):
            answer = faults.emulated_answer(status, output)
            self.assertIsNotNone(answer, f"{chapter} {name}: status {status}\n{output}")
            now[chapter, name] = answer[0]
            right = status == 0 and faults.result_of(output) == "right"
            if faults.is_none(name) and not (right and answer[0] == "silent"):
                wrong.append(f"{chapter} {name} has no mistake: {output}")
        self.assertEqual(wrong, [])
        for path in sorted(ROOT.glob("docs/measurements/*-faults*/faults.csv"))[-1:]:
            for row in faults.records.read_csv(path, ("chapter", "mistake", "emulated")):
                found = row["emulated"] if row["emulated"] not in ("", "counts") else "silent"
                with self.subTest(chapter=row["chapter"], mistake=row["mistake"]):
                    self.assertEqual(now.get((row["chapter"], row["mistake"])), found)

    def test_a_mistake_that_is_not_there_is_refused(self):
        self.assertEqual(faults.run([programs / "faults_05", "no_mistake"], 60)[0], 2)
        self.assertEqual(faults.run([programs / "faults_05"], 60)[0], 2)
        self.assertEqual(faults.checks_of(faults.run([programs / "faults_00", "--check", "off_by_one"], 60)[1])[0], "results")


if __name__ == "__main__":
    unittest.main()
