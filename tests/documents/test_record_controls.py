# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/measure controls without a GPU: stand-ins write what the programs would."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
from commands import load  # noqa: E402

tool = load("docs/record/parts/controls.py")
STAND_IN = '#!/bin/sh\n[ "$1" = --csv ] || exit 2\nprintf "row,{columns}\\n$(basename $0) $3,1,1,1\\n" >"$2"\n'
TUNED = """work,constant,value,median_ms,min_ms,max_ms,ours,of_ours
w,a,4,2,1,9,4,1
w,a,8,3,1,9,4,1.5
w,b,1,5,1,9,1,1
"""
FACTS = {"device": "a GPU", "command": "docs/record/measure controls docs/measurements/a"}


class ControlsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for control in tool.CONTROLS[:-1]:
            self.program(control, STAND_IN.format(columns="median_ms,min_ms,max_ms"))
        for variant, row in enumerate(("w,a,4,2", "w,a,8,3", "w,b,1,5"), 10):
            self.program(f"tuned_{variant}", f"#!/bin/sh\nprintf '{TUNED[:43]}\\n{row},1,9\\n' >\"$2\"\n")

    def program(self, control, text):
        path = self.folder / f"controls_{control}"
        path.write_text(text)
        path.chmod(0o755)

    def attempt(self, *arguments):
        """(status, what was written to stderr)"""
        messages = io.StringIO()
        with (
            unittest.mock.patch.multiple(
                tool.records, build=lambda *_: self.folder, facts=unittest.mock.DEFAULT, device_count=lambda: 4
            ) as patched,
            contextlib.redirect_stderr(messages),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            self.facts = patched["facts"]
            self.facts.return_value = FACTS
            status = tool.main([*arguments, str(self.folder / "record")])
        return status, messages.getvalue()

    def test_each_program_writes_its_table(self):
        self.assertEqual(self.attempt(), (0, ""))
        for control in tool.CONTROLS[:-1]:
            text = (self.folder / "record" / f"controls_{control}.csv").read_text()
            self.assertIn(f"controls_{control} ,1", text)
        tuned = (self.folder / "record" / "controls_tuned.csv").read_text()
        self.assertEqual(tuned, TUNED)
        self.assertEqual(json.loads((self.folder / "record" / "record.json").read_text()), FACTS)
        status, message = self.attempt()
        self.assertEqual(status, 2)
        self.assertIn("holds a record already", message)

    def test_one_may_be_measured_alone(self):
        self.assertEqual(self.attempt("--only", "next_door"), (0, ""))
        self.assertEqual(self.facts.call_args.args[0], "measure controls --only next_door")
        self.assertEqual(self.facts.call_args.args[2], 2)
        files = sorted(path.name for path in (self.folder / "record").iterdir())
        self.assertEqual(files, ["controls_next_door.csv", "record.json"])

    def test_a_program_that_fails_is_named(self):
        self.program("copies", "#!/bin/sh\nexit 1\n")
        status, message = self.attempt()
        self.assertEqual(status, 1)
        self.assertIn("controls_copies ended with status 1", message)
        self.assertFalse((self.folder / "record" / "record.json").exists())

    def test_a_table_without_times_is_named(self):
        self.program("cliff", STAND_IN.format(columns="a,b,c"))
        status, message = self.attempt()
        self.assertEqual(status, 2)
        self.assertIn("controls_cliff.csv has no column median_ms", message)


if __name__ == "__main__":
    unittest.main()
