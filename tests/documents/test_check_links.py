# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/write/check_links.py on small documents."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs/write"))
import check_links  # noqa: E402

RIGHT = """# A page

[other](b.md#two-words-1), [here](#a-page), [folder](c), [web](https://x.y), ![x[0]](p.svg)
`[no](link.md)` and ``a ` [no](link.md)`` <!-- [no](link.md) -->

```text
[no](link.md)
```

    [no](link.md)

- item

    [other](b.md)
"""


class CheckLinks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name).resolve()
        (self.root / "c").mkdir()
        self.write("b.md", "# B\n\n## Two `words`\n\n```\n# No heading\n```\n\n## Two words\n")
        self.write("p.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def problems(self, text):
        self.write("a.md", text)
        return check_links.check(self.root, "a.md")

    def test_right(self):
        self.assertEqual(self.problems(RIGHT), [])
        self.assertEqual(check_links.anchors("# A `b`\n## A b\n## [x y](z.md), *w*\n"), ["a-b", "a-b-1", "x-y-w"])
        self.assertEqual([path.name for path in check_links.documents(self.root)], ["a.md", "b.md"])

    def test_wrong(self):
        for text, message in (
            ("[x](none.md)", "the link target 'none.md' does not exist"),
            ("[x](../none.md)", "the link target '../none.md' does not exist"),
            ("- item\n\n    [x](none.md)", "'none.md' does not exist"),
            ("[`x`](b.md#no-heading)", "'b.md#no-heading': b.md has no section with this anchor"),
            ("[x](#none)", "a.md has no section with this anchor"),
            ("![x](none.svg)", "the picture 'none.svg' does not exist"),
            ('<img src="none.svg" alt="x">', "the picture 'none.svg' does not exist"),
            ("![](p.svg)", "has no text for those who do not see it"),
            ("![x](https://x.y/z.svg)", "lies outside of the repository"),
            ("```cpp\nx", "this fence is never closed"),
            ("$$\nx", "this formula is never closed"),
        ):
            found = self.problems("# A\n\n" + text + "\n")
            self.assertEqual(len(found), 1, (text, found))
            self.assertIn(message, found[0])
        self.assertTrue(self.problems("\n\n[x](y)")[0].startswith("a.md:3: "))
        self.write("p.svg", "<svg>")
        self.assertIn("is not well-formed", self.problems("![x](p.svg)")[0])
        self.write("p.svg", "<html/>")
        self.assertIn("is no SVG", self.problems("![x](p.svg)")[0])


if __name__ == "__main__":
    unittest.main()
