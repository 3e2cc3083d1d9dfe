#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/write/lessons counts what a reader reads, and no lesson is longer than it may be."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("lessons", str(ROOT / "docs/write/lessons"))
lessons = importlib.util.module_from_spec(importlib.util.spec_from_loader("lessons", loader))
loader.exec_module(lessons)

LESSON = """# 00 One two

Three four.

| | |
| --- | --- |
| You need | nothing that counts |

## Five

    chapters/run 00

- six
    seven

<!-- generated: output bin/a -->

```text
chapters/run is only output
```

<!-- end generated -->

| a | b |
| --- | --- |
| 1 | 2 |

![not this](x.svg) [eight](nine.md) <details><summary>ten</summary>

| c |
| --- |

</details>
"""


class Lengths(unittest.TestCase):
    def test_counted(self):
        self.assertEqual(lessons.measure(LESSON), {"words": 10, "all words": 33, "tables": 2, "first command": 11})

    def test_no_command(self):
        measured = lessons.measure(LESSON.replace("    chapters/run 00", "type something"))
        self.assertIsNone(measured["first command"])
        self.assertEqual(lessons.too_long(measured), ["first command: none, at most 45"])

    def test_limits(self):
        within = dict(lessons.LIMITS)
        self.assertEqual(lessons.too_long(within), [])
        for name in within:
            self.assertEqual(len(lessons.too_long({**within, name: within[name] + 1})), 1, name)

    def test_every_lesson_is_within_its_limits(self):
        found = lessons.lessons()
        self.assertGreaterEqual(len(found), 10)
        for path in found:
            with self.subTest(lesson=path.parent.name):
                self.assertEqual(lessons.too_long(lessons.measure(path.read_text(encoding="utf-8"))), [])


if __name__ == "__main__":
    unittest.main()
