# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/parts/second_run.py and docs/record/beside on small records; what docs/measurements holds."""

import contextlib
import csv
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from commands import ROOT, load  # noqa: E402

beside = load("docs/record/beside")
import second_run  # noqa: E402
import shown  # noqa: E402

COLUMNS = "chapter,work,variant,label,device,type,mode,samples,taps,offset,median_ms,min_ms,copy_limit_ms,of_limit,copies_ms"


class RecordTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_tool(self, tool, *names):
        """Exit status, and what it says on either stream."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = tool.main([str(self.root / name) for name in names])
        return status, said.getvalue()

    def spread(self):
        """[(chapter, place, column, difference in percent)] of r and r/again, and the summary."""
        figures = second_run.compare(self.root / "r", self.root / "r/again")
        second_run.write_summary(self.root / "r", figures)
        return [(f[0], f[1], f[3], f"{f[6]:.2f}") for f in figures], {(r["chapter"], r["place"]): r for r in self.rows("r/spread_summary.csv")}

    def rows(self, name):
        with open(self.root / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def a_chapter(self, folder, direct_ms, host_ms, copies_ms=8.0, name="02_direct.csv"):
        self.write(
            f"{folder}/{name}",
            f"{COLUMNS}\n"
            f"02,A,direct,02 direct,device,double,same,1000,5,0,{direct_ms},0.9,0.5,{0.5 / direct_ms},{copies_ms}\n"
            f"02,A,all_cores,01 all_cores,host,double,same,1000,5,0,{host_ms},1,0.5,,\n",
        )

    def limits(self, folder, value):
        self.write(f"{folder}/00_meet.csv", f"limit,title,value,unit\ncopy_1073741824,\"copy, 1 GiB\",{value},TB/s\n")

    def test_spread_finds_rows_again(self):
        self.a_chapter("r", 2.0, 10.0)
        self.a_chapter("r/again", 2.1, 9.0, copies_ms=8.4)
        self.limits("r", 4.0)
        self.limits("r/again", 3.9)
        found, summary = self.spread()
        self.assertEqual(
            {each[:3]: each[3] for each in found},
            {
                ("02", "device", "median_ms"): "5.00",
                ("02", "host", "median_ms"): "-10.00",
                ("02", "copies", "copies_ms"): "5.00",
                ("00", "device", "value"): "-2.50",
            },
        )
        self.assertEqual(summary["02", "host"]["largest_percent"], "-10.0")
        self.assertIn("01 all_cores", summary["02", "host"]["largest_at"])

    def test_spread_compares_steps_of_several_devices(self):
        columns = "chapter,work,samples,devices,step_us,min_us,max_us,version,faster,burst_us,burst_faster,copies_ms,of_copies"
        for folder, step, faster in (("r", 400, 1.9), ("r/again", 404, 1.88)):
            rows = f"15,strong,16,2,{step},390,410,flags,{faster},380,1.95,,\n15,exchange,4,2,{step / 50},7,9,,,,,,\n"
            self.write(f"{folder}/15_many_gpus.csv", f"{columns}\n{rows}")
        self.assertEqual(
            [each[1:] for each in self.spread()[0]],
            [("device", "step_us", "1.00"), ("device", "burst_us", "0.00"), ("device, short", "step_us", "1.00")],
        )

    def test_spread_compares_libraries(self):
        for folder, ms, ours in (("r", 1.0, 0.5), ("r/again", 1.1, 0.6)):
            of_library = f",float32,full,4096,3,06 register_tiled,{ours},GPU,CuPy,convolve,{ms},{ms / ours},ours,{ms}e-07,\n"
            on_host = f",float32,full,4096,3,06 register_tiled,{ours},CPU,NumPy,convolve,{2 * ms},2,ours,1e-07,\n"
            columns = "work,type,mode,samples,taps,chosen,our_ms,side,library,function,their_ms,ratio,faster,difference,note\n"
            self.write(f"{folder}/peers.csv", columns + of_library + on_host)
            self.write(f"{folder}/07_peers.csv", f"samples,taps,chosen,ours_ms,least_ratio\n64,5,06,{ours},{ms}\n")
            columns = "side,picture,by,gives,way,timed,median_ms,min_ms,psnr_db\n"
            file = f"96,gray,libjpeg,a file on the host,pixels on the host,one call,{ms},0.1,33.{ms}\n"
            self.write(f"{folder}/pictures.csv", columns + file + file.replace("libjpeg", "nvJPEG") + file.replace("host", "device"))
        self.assertEqual(
            self.spread()[0],
            [
                ("07", "device", "ours_ms", "20.00"),
                ("peers", "device", "their_ms", "10.00"),
                ("peers", "host", "their_ms", "10.00"),
                ("pictures", "host", "median_ms", "10.00"),
                ("pictures", "copies", "median_ms", "10.00"),
                ("pictures", "device", "median_ms", "10.00"),
            ],
        )

    def test_spread_leaves_out_what_one_run_lacks(self):
        self.a_chapter("r", 2.0, 10.0)
        self.write("r/again/02_direct.csv", f"{COLUMNS}\n02,A,direct,02 direct,device,double,same,1000,9,0,1,1,1,1,1\n")
        with self.assertRaisesRegex(second_run.Problem, "no time in common"):
            second_run.add(self.root / "r", self.root / "r/again")

    def test_of_a_second_run_stays_what_pages_are_about(self):
        self.a_chapter("r", 0.6, 10.0)
        self.a_chapter("raw", 0.55, 9.0)
        rows = "work,version,devices,step_us\nweak,flags,1,1\nweak,flags,2,1\nstrong,flags,2,1\nother,,2,1\n"
        self.write("raw/15_many_gpus.csv", rows)
        self.write("raw/07_fft_convolution.csv", "table,taps\ngrid,3\ngrid_of_fastest,5\n")
        with contextlib.redirect_stdout(io.StringIO()):
            second_run.add(self.root / "r", self.root / "raw")
        self.assertEqual([row["taps"] for row in self.rows("r/again/07_fft_convolution.csv")], ["5"])
        self.assertEqual([(row["work"], row["devices"]) for row in self.rows("r/again/15_many_gpus.csv")], [("weak", "2")])
        self.assertEqual(len(list((self.root / "r/again").iterdir())), 2)
        self.assertEqual(len(self.rows("raw/02_direct.csv")), 2)

    def test_build_times_are_what_the_page_says(self):
        """Chapter 00 within 120 s of processor time, all chapters within 460, a changed kernel within 10 by the clock."""
        page = (ROOT / "docs/measurements/README.md").read_text(encoding="utf-8")
        self.assertIn("We meet all three.", page)
        with open(sorted(ROOT.glob("docs/measurements/build-*/build_time.csv"))[-1], newline="", encoding="utf-8") as file:
            first, others, _, kernel, *_ = [row for row in csv.DictReader(file) if row["name"] == "now"]
        self.assertLess(float(first["processor_s"]), 120)
        self.assertLess(float(first["processor_s"]) + float(others["processor_s"]), 460)
        self.assertLess(float(kernel["wall_s"]), 10)

    def test_prices_of_one_pass_are_measured_ones(self):
        """Chapter 13 chooses by prices in its source: to a tenth those of the newest record, in one of its two runs.

        A pair alone takes the time of launches, which the host makes, and runs differ in it."""
        source = (ROOT / "chapters/13_one_pass/fastest_convolution.cpp").read_text(encoding="utf-8")
        inside = re.findall(r"\{(\d+), element_type::(float32|float64), ([\d.e-]+), ([\d.e-]+)\}", source)
        kinds = {"float32": "float", "float64": "double"}
        here = {(length, kinds[kind]): (float(alone), float(each)) for length, kind, alone, each in inside}
        records = sorted(ROOT.glob("docs/measurements/h200-????-??-??/13_one_pass.csv"))
        measured = {design: ([], []) for design in here}
        for path in (records[-1], records[-1].parent / "again" / records[-1].name):
            with open(path, newline="", encoding="utf-8") as file:
                rows = [row for row in csv.DictReader(file) if row["table"] == "prices"]
            self.assertEqual({(row["length"], row["type"]) for row in rows}, set(here))
            for row in rows:
                for run, column in zip(measured[row["length"], row["type"]], ("alone_us", "each_pair_us")):
                    run.append(float(row[column]))
        for design, prices in here.items():
            for price, runs in zip(prices, measured[design]):
                self.assertLess(min(abs(price / wanted - 1) for wanted in runs), 0.1, design)

    def a_record(self, folder, device, direct_ms):
        self.a_chapter(folder, direct_ms, 10.0)
        self.limits(folder, 4.0)
        self.write(f"{folder}/record.json", json.dumps({"device": device}))

    def test_beside_another_device(self):
        self.a_record("h200-2026-01-02", "NVIDIA H200", 1.0)
        self.a_record("h200-2026-01-03", "NVIDIA H200", 2.0)
        self.write("h200-2026-01-04/record.json", json.dumps({"device": "NVIDIA H200"}))  # of another chapter, later
        self.write("h200-2026-01-04/05_shared.csv", f"{COLUMNS}\n05,A,shared,05 shared,device,double,same,1000,5,0,1,1,1,1,1\n")
        self.a_record("mine", "other", 4.0)
        self.assertEqual(self.run_tool(beside, "h200", "mine")[0], 0)  # the newest of each chapter
        self.assertEqual(
            self.rows("mine/beside.csv"),
            [
                dict(zip(beside.COLUMNS, ("02", "A (double, 1,000 samples, 5 taps)", "02 direct", "2", "4", "0.5", "0.25", "0.125", "yes"))),
                dict(zip(beside.COLUMNS, ("05", "A (double, 1,000 samples, 5 taps)", "05 shared", "1", "", "", "1", "", "yes"))),
            ],
        )

    def test_beside_needs_something_in_common(self):
        self.a_record("h200-2026-01-03", "NVIDIA H200", 2.0)
        self.write("mine/record.json", json.dumps({"device": "other"}))
        status, said = self.run_tool(beside, "h200-2026-01-03", "mine")
        self.assertEqual(status, 2)
        self.assertIn("no version in common", said)
        self.assertEqual(self.run_tool(beside, "h200", "nowhere")[0], 2)


class Measurements(unittest.TestCase):
    """docs/measurements holds what a page shows or links to, and what a test reads."""

    def test_nothing_is_kept_that_nobody_shows_or_reads(self):
        self.assertEqual({str(path): len(rows) for path, rows in shown.unshown(ROOT).items()}, {})

    def test_the_readers_page_of_the_record_is_short(self):
        self.assertLessEqual((ROOT / "docs/record.md").read_text(encoding="utf-8").count("\n"), 250)

    def test_what_nobody_shows_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            table = "table,work,of_limit,median_ms,other\na,,,,1\na,,,,2\nb,,,,1\nc,A,0.5,1,1\nd,,,,1\ne,,,,1\nf,,,,1\n"
            for name in ("h200-2026-01-01/02_a.csv", "h100-2026-01-01/02_a.csv", "h100-2026-01-01/linked.csv", "h100-2026-01-01/other.csv"):
                (root / "docs/measurements" / name).parent.mkdir(parents=True, exist_ok=True)
                (root / "docs/measurements" / name).write_text(table)
            (root / "docs/record").mkdir()
            figure = "00,{},docs/measurements/h200/02_a.csv,table=d,,other,2"
            (root / "docs/record/chapter_figures.csv").write_text(f"chapter,text,file,where,over,column,digits\n{figure}\n")
            blocks = [f"<!-- generated: measured docs/measurements/{device}/02_a.csv where=table=a,other!=2 -->" for device in ("h100", "h200")]
            blocks.append("<!-- figure: docs/measurements/h200/02_a.csv other where=table=e per_where=table=f -->1.0<!-- end figure -->")
            (root / "README.md").write_text("\n".join([*blocks, "[All](docs/measurements/h100-2026-01-01/linked.csv)"]))
            found = shown.unshown(root)
        rows = {path.relative_to(root / "docs/measurements").as_posix(): "".join(row["table"] for row in rows) for path, rows in found.items()}
        self.assertEqual(rows, {"h100-2026-01-01/02_a.csv": "a", "h100-2026-01-01/other.csv": "", "h200-2026-01-01/02_a.csv": "acdef"})


class FiguresOfAnExercise(unittest.TestCase):
    """Chapter 11's second exercise quotes a record: its figures are those of the record that its comments name."""

    CHECKS = ROOT / "chapters/11_in_flight/exercises/2_what_limits_it/checks.cpp"

    def setUp(self):
        self.text = self.CHECKS.read_text(encoding="utf-8")
        self.folder = ROOT / re.search(r"docs/measurements/h200-\d{4}-\d\d-\d\d", self.text)[0]

    def rows(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_rows_of_profiles(self):
        quoted = re.findall(r'\{"(\d\d) (\w+), ([^"]+)", \{([\d.]+), ([\d.]+), ([\d.]+)\}', self.text)
        self.assertGreater(len(quoted), 7)
        for chapter, version, work, *figures in quoted:
            name = {"02": "02", "05": "06", "06": "06", "09": "09"}[chapter]
            found = [r for r in self.rows(f"{name}_profile.csv") if (r["work"], r["variant"]) == (work, version)]
            self.assertEqual(len(found), 1, (version, work))
            recorded = [found[0][column] for column in ("issue", "memory", "arithmetic")]
            self.assertEqual(list(map(float, figures)), list(map(float, recorded)), (version, work))

    def test_kernels(self):
        quoted = re.findall(r'\{"([^"]+), (float|double)", \{(\d+), (\d+), (\d+)\}, (\d+), (\d+)\}', self.text)
        self.assertGreater(len(quoted), 7)
        columns = ("threads_per_block", "registers", "shared_bytes", "blocks_per_multiprocessor", "warps_per_multiprocessor")
        kernels = [r for r in self.rows("06_register_tiling.csv") if r["table"] == "kernels"]
        for kernel, element, *figures in quoted:
            found = [r for r in kernels if (r["kernel"], r["type"]) == (kernel, element)]
            self.assertEqual([[r[c] for c in columns] for r in found], [figures], (kernel, element))


if __name__ == "__main__":
    unittest.main()
