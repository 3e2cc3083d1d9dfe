# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/write/refresh on small repositories made here."""

import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from commands import load  # noqa: E402

refresh = load("docs/write/refresh")
import code_blocks  # noqa: E402
import program_blocks  # noqa: E402

KERNEL = """// SPDX-License-Identifier: MIT
// what it shows
namespace {
  // [kernel]
  __global__ void copy_kernel(const float* x, float* y) {
    // [body]
    y[0] = x[0];
    // [body]

    y[1] = x[1];
  }
  // [kernel]
}
"""

PROGRAM = """#!/bin/sh
case "$*" in
*--csv*) printf 'variant,length,loads_per_output,kind\\ndirect,10000000,10.0004,a\\ntiled|x,33,1.25,b\\nnone,,nan,c\\n' > table.csv ;;
*--fail*) echo broken; exit 3 ;;
*) echo "31 checks passed in 0.$$ s"; echo "order ${EMULATOR_ORDER:-none}"; echo "last $*"; echo $0 ;;
esac
"""


class Repository(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.write("chapters/02_direct/a.cu", KERNEL)
        self.write("chapters/02_direct/b.cu", KERNEL.replace("y[1] = x[1]", "y[1] = 2 * x[1]"))
        self.write("build/bin/02_direct", PROGRAM).chmod(0o755)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def call(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = refresh.main(["--root", str(self.root), "--build", str(self.root / "build"), *arguments])
        return status, out.getvalue(), err.getvalue()

    def block(self, marker, text="", name="README.md"):
        """What stands in the block after a refresh that succeeds."""
        path = self.write(
            name, f"before\n\n<!-- generated: {marker} -->\n{text}\n<!-- end generated -->\n\nafter\n"
        )
        status, _, err = self.call(str(path))
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(self.call("--check", str(path))[0], 0, "a block just made is stale")
        content = path.read_text(encoding="utf-8")
        self.assertTrue(
            content.startswith("before\n\n<!-- generated:") and content.endswith("\n\nafter\n"), content
        )
        lines = content.split("\n")
        return "\n".join(lines[4:-5])

    def error(self, marker):
        path = self.write("README.md", f"one\n<!-- generated: {marker} -->\nkept\n<!-- end generated -->\n")
        status, _, err = self.call()
        self.assertEqual(status, 2)
        self.assertTrue(err.startswith("README.md:2: error: "), err)
        self.assertIn(
            "\nkept\n", path.read_text(encoding="utf-8"), "a block that cannot be made must stay as it was"
        )
        return err

    # code and diff

    def test_code_is_the_region_without_indentation_and_markers(self):
        self.assertEqual(
            self.block("code chapters/02_direct/a.cu#kernel"),
            "```cpp\n__global__ void copy_kernel(const float* x, float* y) {\n"
            "  y[0] = x[0];\n\n  y[1] = x[1];\n}\n```",
        )

    def test_code_of_an_inner_region(self):
        self.assertEqual(self.block("code chapters/02_direct/a.cu#body"), "```cpp\ny[0] = x[0];\n```")

    def test_code_of_a_whole_file_has_no_license_lines(self):
        self.assertTrue(self.block("code chapters/02_direct/a.cu").startswith("```cpp\n// what it shows\n"))

    def test_code_that_has_a_fence_gets_a_longer_one(self):
        self.write("x.txt", "```\na\n```\n")
        self.assertEqual(self.block("code x.txt"), "````text\n```\na\n```\n````")

    def test_missing_region_and_file(self):
        self.assertIn("0 lines '// [nothing]'", self.error("code chapters/02_direct/a.cu#nothing"))
        self.assertIn("no file chapters/x.cu", self.error("code chapters/x.cu#kernel"))

    def test_region_that_is_not_closed(self):
        self.write("c.cu", "// [kernel]\nint a;\n")
        self.assertIn("has 1 lines '// [kernel]'", self.error("code c.cu#kernel"))

    def test_diff(self):
        text = self.block("diff chapters/02_direct/a.cu#kernel chapters/02_direct/b.cu#kernel")
        self.assertEqual(text, "```diff\n   y[0] = x[0];\n\n-  y[1] = x[1];\n+  y[1] = 2 * x[1];\n }\n```")

    def test_diff_leaves_out_indentation_and_comments(self):
        self.assertEqual(
            code_blocks.changes(["for", "a;  // b", "x", "  c", "d"], ["for", "  a;", "y", "c  // e", "d"]),
            [" for", "   a;", "-x", "+y", " c  // e", " d"],
        )
        self.assertEqual(
            code_blocks.changes(["a", *"bcdef", "g"], ["A", *"bcdef", "G"]),
            ["@@", "-a", "+A", " b", " c", "@@", " e", " f", "-g", "+G"],
        )
        self.assertEqual(code_blocks.changes(["// a"], ["// b"]), ["-// a", "+// b"])
        with self.assertRaises(refresh.Problem):
            code_blocks.changes(["a  // b"], ["  a"])

    # terminal

    def test_terminal(self):
        self.write("docs/mine/a.txt", "one\n")
        self.assertIn("no build for the emulated device", self.error("terminal docs/mine 'cat a.txt'"))
        self.write("build/bin/emucc", "#!/bin/sh\necho compiled $*; cp $1 made.txt\n").chmod(0o755)
        block = "terminal docs/mine 'emucc a.txt' 'cat made.txt; echo end; exit 2' exit=2"
        shown = "$ emucc a.txt\ncompiled a.txt\n$ cat made.txt; echo end; exit 2\none\nend"
        self.assertEqual(self.block(block), f"```text\n{shown}\n```")
        self.assertEqual(self.block(block + " quiet=1 from=end"), "```text\n$ cat made.txt; echo end; exit 2\nend\n```")
        self.assertIn("ended with status 2, not 0", self.error(block.replace("exit=2", "")))
        self.assertIn("a folder, then commands", self.error("terminal docs/none 'emucc a.txt'"))
        self.assertFalse((self.root / "docs/mine/made.txt").exists(), "the folder itself stays as it is")
        self.assertIn("made.txt is not what", self.error("terminal docs/mine 'emucc a.txt' file=made.txt"))
        self.write("docs/mine/made.txt", "one\n")
        self.assertIn("compiled", self.block("terminal docs/mine 'emucc a.txt' file=made.txt"))

    # output

    def test_output_is_normalized(self):
        self.assertEqual(
            self.block("output bin/02_direct --length 5"),
            "```text\n31 checks passed in ... s\norder none\nlast --length 5\nbin/02_direct\n```",
        )

    def test_output_options(self):
        self.assertEqual(
            self.block("output EMULATOR_ORDER=reverse bin/02_direct lines=2-2 prompt=1"),
            "```text\n$ EMULATOR_ORDER=reverse chapters/run 02\norder reverse\n```",
        )
        self.assertIn(
            "last A=1\n", self.block("output bin/02_direct A=1"), "after the program it is an argument"
        )
        self.assertEqual(
            self.block("output bin/02_direct from=^order to=^last"), "```text\norder none\nlast\n```"
        )
        self.assertEqual(self.block("output bin/02_direct lines=2-2 mask='n.ne'"), "```text\norder ....\n```")

    def test_environment_of_the_caller_does_not_matter(self):
        os.environ["EMULATOR_ORDER"] = "random:5"
        self.addCleanup(os.environ.pop, "EMULATOR_ORDER")
        self.assertIn("order none", self.block("output bin/02_direct"))

    def test_exit_status(self):
        self.assertIn("ended with status 3, not 0:\n    broken", self.error("output bin/02_direct --fail"))
        self.assertIn("ended with status 0, not 1", self.error("output bin/02_direct exit=1"))
        self.assertEqual(self.block("output bin/02_direct --fail exit=3"), "```text\nbroken\n```")

    def test_program_that_is_not_built(self):
        self.assertIn("has not been built", self.error("output bin/03_tiled"))

    def test_units(self):
        def shown(text):
            return program_blocks.normalized(text, pathlib.Path("/r"), pathlib.Path("/b"))

        self.assertEqual(shown("   12.34 ms  1,234.5 GB/s"), "     ... ms      ... GB/s")
        for figure in ("6.1", "5951"):  # behind the word that begins a line, and in no column of figures
            self.assertEqual(shown(f"first\ntook     {figure} ms; rest"), "first\ntook     ... ms; rest")
        self.assertEqual(
            shown("in 0.4 s, in 12 s, 5 samples, x3 s, 7.5 TFLOP/s."),
            "in ... s, in ... s, 5 samples, x3 s, ... TFLOP/s.",
        )
        self.assertEqual(
            shown("  error 4.4e-16 <= 1.3e-15, error 0 <= 1, error 7 here"),
            "  error ... <= 1.3e-15, error ... <= 1, error 7 here",
        )
        self.assertEqual(
            shown("\x1b[1mok\x1b[0m at 0x7ffd12345678 in /r/common/a.hpp:3  "),
            "ok at 0x... in common/a.hpp:3",
        )

    # tables

    def test_counts(self):
        self.assertEqual(
            self.block("counts bin/02_direct columns=variant,length,loads_per_output digits=3"),
            "| variant | length | loads per output |\n| --- | ---: | ---: |\n"
            "| direct | 10,000,000 | 10.0 |\n| tiled\\|x | 33 | 1.25 |\n| none |   | - |",
        )
        self.assertEqual(
            self.block("counts bin/02_direct columns=loads_per_output:'loads each' where=kind=b"),
            "| loads each |\n| ---: |\n| 1.25 |",
        )
        self.assertEqual(
            self.block("counts bin/02_direct columns=variant where=kind!=b"),
            "| variant |\n| --- |\n| direct |\n| none |",
        )

    def test_values_side_by_side(self):
        """across= gives each value columns of its own."""
        rows = "version,devices,us\na,1,8\nb,1,9.26\na,20000,4\n"
        self.write("docs/measurements/mine/15.csv", rows)
        facts = {"device": "D", "driver": "1", "toolkit": "2", "date": "2026-01-02", "command": "run"}
        self.write("docs/measurements/mine/record.json", json.dumps(facts))
        made = "measured docs/measurements/mine/15.csv columns=version,us:'On {} (us)' digits=2 across=devices"
        self.assertTrue(
            self.block(made).startswith(
                "| version | On 1 (us) | On 20,000 (us) |\n| --- | ---: | ---: |\n| a | 8 | 4 |\n| b | 9.3 |   |\n"
            )
        )
        self.assertIn("no column has {}", self.error(made.replace("{}", "all")))
        self.assertIn("no column 'x'", self.error(made.replace("across=devices", "across=x")))
        self.write("docs/measurements/mine/15.csv", rows + "a,1,7\n")
        self.assertIn("two rows with 1 are the same in all other columns", self.error(made))

    def test_counts_problems(self):
        self.assertIn("no column 'x'; it has variant, length", self.error("counts bin/02_direct columns=x"))
        self.assertIn("no row where kind=z", self.error("counts bin/02_direct where=kind=z"))

    def test_measured_names_its_origin(self):
        self.write("docs/measurements/h200/02.csv", "variant,ms\ndirect,0.05\n")
        self.assertIn("record.json is missing", self.error("measured docs/measurements/h200/02.csv"))
        record = {
            "device": "NVIDIA H200",
            "driver": "1",
            "toolkit": "13.0",
            "date": "2026-01-02",
            "command": {"02.csv": "chapters/run 02"},
        }
        self.write("docs/measurements/h200/record.json", json.dumps(record))
        self.assertEqual(
            self.block("measured docs/measurements/h200/02.csv"),
            "| variant | ms |\n| --- | ---: |\n| direct | 0.05 |\n\n"
            "Measured on NVIDIA H200 (driver 1, CUDA 13.0), 2026-01-02, by `chapters/run 02`",
        )
        of_processor = {"device": "Xeon, 2 cores", "compiler": "g++ 12", "date": "2026-01-02", "command": "x"}
        self.write("docs/measurements/h200/record.json", json.dumps(of_processor))
        self.assertIn("on Xeon, 2 cores (g++ 12), 2026", self.block("measured docs/measurements/h200/02.csv"))
        self.write("docs/measurements/h200/record.json", json.dumps(record))
        self.write("docs/measurements/h200/02.csv", "variant,ms\ndirect,0.04\nother,12.345\nbig,1001.9\n")
        self.assertIn(
            "| direct | 0.04 |\n| other | 12.3 |\n| big | 1000 |\n", self.block("measured docs/measurements/h200/02.csv digits=3")
        )
        for date, other in (({"02.csv": "2026-01-03", "*": "2026-01-02"}, "2026-01-02"), ({"02.csv": "2026-01-03"}, None)):
            self.write("docs/measurements/h200/record.json", json.dumps({**record, "command": "run", "date": date}))
            self.write("docs/measurements/h200/03.csv", "ms\n1\n")
            self.assertIn(", 2026-01-03, by `run`", self.block("measured docs/measurements/h200/02.csv"))
            if other:
                self.assertIn(f", {other}, by `run`", self.block("measured docs/measurements/h200/03.csv"))
            else:
                self.assertIn("has no date for 03.csv", self.error("measured docs/measurements/h200/03.csv"))
        self.write("docs/measurements/h200/record.json", json.dumps({**record, "date": ""}))
        self.assertIn("does not say: date", self.error("measured docs/measurements/h200/02.csv"))

    def test_figure_in_a_sentence(self):
        record = {"device": "GPU", "driver": "1", "toolkit": "13.0", "date": "2026-01-02", "command": "run"}
        self.write("docs/measurements/h200-2026-01-02/02.csv", "v,ms,limit\na,0.5,0.303\nb,1234.5,1\nb,2,1\nc,,1\n")
        name = "docs/measurements/h200/02.csv"

        def filled(marker, old="?", options=()):
            page = self.write("page.md", f"It takes <!-- figure: {marker} -->{old}<!-- end figure --> of it.\n")
            status, _, error = self.call(*options, str(page))
            return status, page.read_text(), error

        def figure(options):
            status, text, error = filled(f"{name} {options}")
            self.assertEqual(status, 0, error)
            return re.fullmatch("It takes <!-- figure: .* -->(.*)<!-- end figure --> of it.\n", text)[1]

        self.assertIn("record.json is missing", filled(f"{name} ms where=v=a")[2])
        self.write("docs/measurements/h200-2026-01-02/record.json", json.dumps(record))
        self.assertEqual(figure("ms where=v=a"), "0.50")
        self.assertEqual(figure("limit where=v=a per=ms as='{}%'"), "61%")
        self.assertEqual(figure("limit where=v=a per=ms digits=1 as='{} times'"), "0.6 times")
        self.assertEqual(figure("ms where=v=b,ms!=2 per_where=v=a digits=3"), "2,470")
        for wrong in ("ms where=v=b", "ms where=v=c", "ms where=v=d", "no where=v=a", "ms limit", "ms per=no where=v=a"):
            status, text, error = filled(f"{name} {wrong}", "7")
            self.assertEqual((status, text.count("-->7<!--")), (2, 1), wrong)
            self.assertIn("page.md:1: error: ", error)
        self.assertEqual(filled(f"{name} ms where=v=a", "0.50", ["--check"])[0], 0)
        status, text, error = filled(f"{name} ms where=v=a", "0.49", ["--check"])
        self.assertEqual((status, "0.49" in text), (1, True))
        self.assertIn("page.md:1: stale", error)
        page = self.write("page.md", "It takes <!-- figure: x -->\n7<!-- end figure -->\n\n    <!-- figure: example -->\n")
        self.assertIn("page.md:2: error: a figure stands between", self.call(str(page))[2])

    def test_a_record_without_a_date_is_the_newest(self):
        record = {"device": "GPU", "driver": "1", "toolkit": "13.0", "date": "2026-01-02", "command": "run"}
        for folder, ms in (("h200-2026-01-02", 1), ("h200-2026-01-10", 2), ("h200-2026-02-01-counts", 3), ("h200-x", 4)):
            self.write(f"docs/measurements/{folder}/02.csv", f"ms\n{ms}\n")
            self.write(f"docs/measurements/{folder}/record.json", json.dumps(record))
        self.write("docs/measurements/h200-2026-03-01/03.csv", "ms\n9\n")  # newer, but without this file
        self.assertIn("| 2 |", self.block("measured docs/measurements/h200/02.csv"))
        self.assertIn("| 3 |", self.block("measured docs/measurements/h200-counts/02.csv"))
        self.assertIn("| 1 |", self.block("measured docs/measurements/h200-2026-01-02/02.csv"))
        self.assertIn("no record h200-DATE that has 04.csv", self.error("measured docs/measurements/h200/04.csv"))

    def test_picture(self):
        self.write("docs/measurements/h200-2026-01-02/06.svg", "<svg/>")
        record = {"device": "GPU", "driver": "1", "toolkit": "13.0", "date": "2026-01-02", "command": "run"}
        self.write("docs/measurements/h200-2026-01-02/record.json", json.dumps(record))
        self.assertIn("/h200-2026-01-02/06.svg)", self.block("picture docs/measurements/h200/06.svg 'A roof.'"))
        self.assertIn("Measured on GPU", self.block("picture docs/measurements/h200/06.svg 'A roof.'"))
        self.assertIn("in quotes", self.error("picture docs/measurements/h200/06.svg A roof."))
        self.assertIn("no file", self.error("picture docs/measurements/h200/07.svg 'A roof.'"))

    def test_cards(self):
        self.write(
            "chapters/00_a/README.md",
            "# 00 Meet\n\n| | |\n| --- | --- |\n| You need | C++, and [b](../01_b/README.md#x) |\n"
            "| Time | about 5 minutes, exercises included |\n\n### Exercise 1: A\n### Exercise 2: B\n",
        )
        self.assertEqual(
            self.block("cards", name="docs/teaching.md").split("\n")[2],
            "| 00 | [Meet](../chapters/00_a/README.md) | 2 | about 5 minutes "
            "| C++, and [b](../01_b/README.md#x) |".replace("../01_b/README.md", "../chapters/01_b/README.md"),
        )
        self.write("chapters/00_a/more.md", "# 00 Meet: more\n\n### Exercise 3: C\n")
        self.assertIn("| 3 | about 5 minutes |", self.block("cards", name="docs/teaching.md"))
        self.write("chapters/00_a/README.md", "# 00 Meet\n\n| Time | a while |\n")
        self.assertIn("no card with a row 'You need'", self.error("cards"))

    def test_chapters(self):
        self.write("chapters/00_a/README.md", "# 00 Meet | me\n\nOne. Two.\n")
        self.write("chapters/01_b/README.md", "# Then\n\nMore.\n")
        record = {"device": "GPU", "driver": "1", "toolkit": "2", "date": "2026-01-02", "command": "measure"}
        self.write("docs/measurements/h200-2026-01-02/record.json", json.dumps(record))
        self.write("docs/measurements/h200-2026-01-02/01.csv", "work,share\nA,0.7777\nB,0.5\nB,\nC,1\nC,2\n")
        self.write("docs/measurements/two-2026-01-03/record.json", json.dumps({**record, "device": "2 GPUs"}))
        self.write("docs/measurements/two-2026-01-03/01.csv", "work,share\nA,1.9\n")
        head = "chapter,idea,text,file,where,over,column,digits\n"
        zero = "00,Hello,{} of it,docs/measurements/h200/01.csv,work=A,,share,2\n"

        def table(one, first=zero):
            self.write("figures.csv", head + first + one)
            return self.block("chapters figures.csv").split("\n")

        def refused(one, first=zero):
            self.write("figures.csv", head + first + one)
            return self.error("chapters figures.csv")

        shown = table("01,Why,{} times,docs/measurements/h200/01.csv,work=A,work=B,share,3\n")
        self.assertEqual(shown[0], "| | Chapter | Idea | Measured on GPU, unless the row says otherwise |")
        self.assertEqual(shown[2], "| 00 | [Meet \\| me](chapters/00_a/README.md) | Hello | 0.78 of it |")
        self.assertEqual(shown[3], "| 01 | [Then](chapters/01_b/README.md) | Why | 1.56 times |")
        self.assertEqual(sum("Measured on GPU " in line for line in shown), 1)
        # A figure of another device says so, and both records are named.
        shown = table("01,Why,{} times,docs/measurements/two/01.csv,work=A,,share,2\n")
        self.assertIn("| 1.9 times (2 GPUs) |", shown[3])
        self.assertTrue(any("Measured on 2 GPUs " in line for line in shown))
        self.assertIn("has no one figure share where work=C", refused("01,Why,{},docs/measurements/h200/01.csv,work=C,,share,2\n"))
        self.assertIn("has no line for chapter 01", refused(""))
        self.assertIn("no lesson of chapter 02", refused(zero.replace("00,", "01,") + zero.replace("00,", "02,")))

    # the check and the markers

    def test_check_names_file_and_block_and_writes_nothing(self):
        path = self.write(
            "chapters/02_direct/README.md",
            "# t\n\n<!-- generated: code chapters/02_direct/a.cu#body -->\nold\n<!-- end generated -->\n",
        )
        before = path.read_text()
        status, _, err = self.call("--check")
        self.assertEqual(status, 1)
        self.assertIn("chapters/02_direct/README.md:3: stale block 'code chapters/02_direct/a.cu#body'", err)
        self.assertIn("    -old\n", err)
        self.assertEqual(path.read_text(), before)
        self.assertEqual(self.call()[0], 0)
        self.assertEqual(self.call("--check")[0], 0)
        cu = self.root / "chapters/02_direct/a.cu"
        cu.write_text(cu.read_text().replace("y[0] = x[0]", "y[0] = x[1]"))
        self.assertEqual(self.call("--check")[0], 1, "the code changed and the check did not see it")

    def test_skip_says_so(self):
        self.write("README.md", "<!-- generated: output bin/none -->\n<!-- end generated -->\n")
        self.assertEqual(
            self.call("--check", "--skip", "output,counts"),
            (0, "1 blocks were not looked at (--skip output,counts)\n", ""),
        )

    def test_bad_markers(self):
        def first_error(text):
            self.write("README.md", text)
            status, _, err = self.call("--check")
            self.assertEqual(status, 2)
            return err

        self.assertIn(
            "README.md:2: error: this block has no", first_error("a\n<!-- generated: chapters -->\nb\n")
        )
        self.assertIn(
            "README.md:1: error: '<!-- end generated -->' without", first_error("<!-- end generated -->\n")
        )
        self.assertIn(
            "README.md:1: error: this block has no",
            first_error(
                "<!-- generated: chapters -->\n<!-- generated: chapters -->\n<!-- end generated -->\n"
            ),
        )
        self.assertIn(
            "README.md:1: error: a marker must be alone", first_error("x <!-- generated: chapters -->\n")
        )
        self.assertIn(
            "unknown kind 'painting'", first_error("<!-- generated: painting x -->\n<!-- end generated -->\n")
        )

    def test_markers_in_a_fence_are_an_example(self):
        text = "````\n```\n<!-- generated: nonsense -->\n````\n\n`<!-- generated: x -->` is the form.\n"
        path = self.write("README.md", text)
        self.assertEqual(self.call()[0], 0)
        self.assertEqual(path.read_text(), text)

    def test_indentation_of_a_list_is_kept(self):
        self.write(
            "README.md",
            "- item\n\n  <!-- generated: code chapters/02_direct/a.cu#body -->\n"
            "  <!-- end generated -->\n",
        )
        self.assertEqual(self.call()[0], 0)
        self.assertIn(
            "\n\n  ```cpp\n  y[0] = x[0];\n  ```\n\n  <!-- end", (self.root / "README.md").read_text()
        )


if __name__ == "__main__":
    unittest.main()
