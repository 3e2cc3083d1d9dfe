# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/parts/second_run.py, docs/record/parts/bars.py and docs/record/beside on small records; what docs/measurements holds."""

import contextlib
import csv
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

sys.dont_write_bytecode = True
from commands import ROOT, load  # noqa: E402

beside = load("docs/record/beside")
import bars  # noqa: E402
import second_run  # noqa: E402

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

    def make_bars(self, folder):
        """Whether all are kept, and what is said."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            return bars.make(self.root / folder), said.getvalue()

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
        status, said = self.run_tool(second_run, "r", "r/again")
        self.assertEqual(status, 2)
        self.assertIn("no time in common", said)
        self.assertEqual(self.run_tool(second_run)[0], 2)

    def test_of_a_second_run_stays_what_demands_and_pages_are_about(self):
        self.addCleanup(setattr, bars, "BARS", bars.BARS)
        bars.BARS = [bar for bar in bars.BARS if bar[1] == "work A, of the copy limit" or bar[1].startswith("best_convolution")]
        self.a_chapter("r", 0.6, 10.0)
        self.a_chapter("raw", 0.55, 9.0)
        self.write("raw/02_direct.svg", "")
        for folder in ("r", "raw"):
            self.write(f"{folder}/03_tiled.csv", "work,label,median_ms\nC,03 tiled,1\n")
            rows = "".join(f"{table},{taps},x,{best},1\n" for table, taps, best in (("grid", 3, 1.05), ("length", 9, 1.1), ("other", 2, 2)))
            header = "table,taps,chosen,best_ms,fastest_ms\n"
            self.write(f"{folder}/07_fft_convolution.csv", f"{header}{rows}grid_of_fastest,5,,,\n")
        self.assertEqual(self.run_tool(second_run, "r", "raw")[0], 0)
        self.assertEqual([row["variant"] for row in self.rows("r/again/02_direct.csv")], ["direct"])
        self.assertEqual([row["taps"] for row in self.rows("r/again/07_fft_convolution.csv")], ["9", "5"])  # the worst of a bar
        self.assertEqual(len(list((self.root / "r/again").iterdir())), 2)
        self.assertEqual(len(self.rows("raw/02_direct.csv")), 2)
        rows = self.rows("r/bars.csv")
        self.assertEqual([(row["first"], row["again"]) for row in rows], [("0.833", "0.909"), ("1.1", "1.1")])
        # The rows that stay give the same.
        self.make_bars("r")
        self.assertEqual(self.rows("r/bars.csv"), rows)

    def test_of_several_devices_stays_what_bars_of_one_are_about(self):
        rows = "work,version,samples,devices,step_us\nweak,flags,9,1,1\nweak,flags,9,2,1\nstrong,flags,9,2,1\nother,,9,2,1\n"
        for folder in ("h200x2-2026-01-01", "raw"):
            self.write(f"{folder}/15_many_gpus.csv", rows)
        self.assertEqual(self.run_tool(second_run, "h200x2-2026-01-01", "raw")[0], 0)
        kept = [(row["work"], row["devices"]) for row in self.rows("h200x2-2026-01-01/again/15_many_gpus.csv")]
        self.assertEqual(kept, [("weak", "2"), ("strong", "2")])
        self.assertFalse((self.root / "h200x2-2026-01-01/bars.csv").exists())

    def test_bars_beside_another_record(self):
        header = "chapter,bar,wanted,first,again,kept,limiter\n"
        kept = {"copy, TB/s": "no", "work A, of the copy limit": "yes", "other taps": "yes"}
        self.write("other-2026-01-02/bars.csv", header + "".join(f'00,"{what}",>= 1,2,,{said},\n' for what, said in kept.items()))
        self.write("r/record.json", "{}")
        self.addCleanup(setattr, bars, "BARS", bars.BARS)
        figures = {"copy, TB/s": 2, "work A, of the copy limit": 0.5, "other taps": 2, "DCT, ms": 2, "a call, us": None}

        def reads(value):
            def figure(record):
                if value is None:
                    raise LookupError("not there")
                return value

            return figure

        bars.BARS = [("00", what, ">=", 1, reads(value)) for what, value in figures.items()]
        self.assertFalse(self.make_bars("r")[0])
        bars.make_beside(self.root / "other-2026-01-02", self.root / "r")
        columns = ("kind", "bars", "both", "other_only", "this_only", "neither", "not_measured")
        self.assertEqual(
            [tuple(row[column] for column in columns) for row in self.rows("r/bars_beside.csv")],
            [
                ("times and speeds", "3", "0", "0", "1", "0", "2"),  # the other record has one of the three
                ("shares of a limit", "1", "0", "1", "0", "0", "0"),
                ("ratios of two figures", "1", "1", "0", "0", "0", "0"),
            ],
        )
        bars.make_beside(self.root / "nowhere", self.root / "r")  # nothing to compare with

    def test_bars_on_the_pages_are_those_of_today(self):
        """bars.csv of the newest record that a page shows is what docs/record/parts/bars.py makes of the records as they are."""
        for device in ("h200", "h100"):
            folder = sorted(ROOT.glob(f"docs/measurements/{device}-????-??-??/bars.csv"))[-1].parent
            there = self.root / "docs/measurements"
            if not there.exists():
                shutil.copytree(folder.parent, there)
            names = ("bars.csv", "bars_beside.csv") if device == "h100" else ("bars.csv",)
            self.make_bars(f"docs/measurements/{folder.name}")
            if device == "h100":
                bars.make_beside(beside.newest(there / "h200"), there / folder.name)
            for name in names:
                self.assertEqual((there / folder.name / name).read_text(), (folder / name).read_text(), f"{folder.name}/{name}")

    def test_bars_are_kept_by_every_run(self):
        bar = bars.BARS[:2]
        self.addCleanup(setattr, bars, "BARS", bars.BARS)
        bars.BARS = bar
        self.limits("r", 4.2)
        self.a_chapter("r", 0.6, 10.0)
        self.assertTrue(self.make_bars("r")[0])
        self.assertEqual([r["kept"] for r in self.rows("r/bars.csv")], ["yes", "yes"])
        self.limits("r/again", 4.2)
        self.a_chapter("r/again", 0.9, 10.0)  # 0.56 of the limit
        self.assertFalse(self.make_bars("r")[0])
        self.assertEqual([r["kept"] for r in self.rows("r/bars.csv")], ["yes", "no"])
        self.assertEqual(self.rows("r/bars.csv")[1]["again"], "0.556")

    def test_bars_without_a_figure_are_not_kept(self):
        self.limits("r", 4.2)
        all_kept, said = self.make_bars("r")
        self.assertFalse(all_kept)
        self.assertIn("02_*.csv is not there", said)
        self.assertEqual(self.rows("r/bars.csv")[0]["kept"], "yes")
        self.assertNotIn("yes", [r["kept"] for r in self.rows("r/bars.csv")[1:]])

    def test_a_long_signal_counts_only_through_little_memory(self):
        def of_limit(samples, device_bytes):
            text = f"work,samples,device_bytes,of_limit\nlonger than the device,{samples},{device_bytes},0.98\n"
            self.write("r/12_there_and_back.csv", text)
            return bars.LongerThanTheDevice()(bars.Record(self.root / "r"))

        self.assertEqual(of_limit(36 << 30, 100 << 20), 0.98)
        for wrong in ((36 << 30) - 1, 100 << 20), (36 << 30, 256 << 20):
            with self.assertRaises(LookupError):
                of_limit(*wrong)

    def test_an_h100_stands_in_for_an_h200_without_a_long_signal_and_says_so(self):
        header, row = "work,samples,device_bytes,of_limit\n", f"longer than the device,{36 << 30},{100 << 20},"
        self.addCleanup(setattr, bars, "BARS", bars.BARS)
        bars.BARS = [bar for bar in bars.BARS if bar[1].startswith("144 GiB")]
        what, found = bars.BARS[0][1], {}
        for folder, name in (("h100-2026-01-02", "NVIDIA H100"), ("h200-2026-01-01", "NVIDIA H200"), ("mine", "Mine")):
            self.write(f"{folder}/record.json", json.dumps({"device": name}))
            self.write(f"{folder}/12_there_and_back.csv", header)
        for step, (folder, of_limit) in enumerate((("h100-2026-01-02", 0.96), ("h200-2026-01-01", 0.97))):
            self.write(f"{folder}/12_there_and_back.csv", f"{header}{row}{of_limit}\n")
            for asked in ("h100-2026-01-02", "h200-2026-01-01", "mine"):
                self.make_bars(asked)
                found[step, asked] = [(r["bar"], r["first"]) for r in self.rows(f"{asked}/bars.csv")]
        self.assertEqual(found[0, "h200-2026-01-01"], [(f"{what} (NVIDIA H100)", "0.96")])
        self.assertEqual(found[1, "h200-2026-01-01"], [(what, "0.97")])
        for step in range(2):
            self.assertEqual(found[step, "h100-2026-01-02"], [(what, "0.96")])
            self.assertEqual(found[step, "mine"], [(what, "")])

    def test_bars_say_what_limits_an_h200_only(self):
        bar = bars.BARS[1]
        for name, value in (("BARS", [bar]), ("LIMITERS", {bar[1]: "the sixth load"})):
            self.addCleanup(setattr, bars, name, getattr(bars, name))
            setattr(bars, name, value)
        for folder, device, limiter in (("a", "NVIDIA H200", "the sixth load"), ("b", "GPU of a laptop", "")):
            self.a_record(folder, device, 0.9)
            self.assertFalse(self.make_bars(folder)[0])
            self.assertEqual([r["limiter"] for r in self.rows(f"{folder}/bars.csv")], [limiter])

    def test_bars_of_other_records_are_those_of_the_same_device(self):
        short = "15_many_gpus.csv"
        for folder, step in (("h200x2-2026-01-02", 9), ("h200x2-2026-01-03", 8), ("h200x2-2026-01-03/again", 7)):
            self.write(f"{folder}/{short}", f"work,samples,devices,step_us\nexchange,1024,2,{step}\n")
        figure = next(bar[4] for bar in bars.BARS if bar[1] == "two GPUs: an exchange of 4 KiB, us")
        self.assertEqual(figure(bars.Record(self.root / "h200-2026-01-01")), 8)  # the newest
        self.assertEqual(figure(bars.Record(self.root / "h200-2026-01-01/again")), 7)
        with self.assertRaises(LookupError):
            figure(bars.Record(self.root / "mine"))

    def test_four_h100s_stand_in_for_four_h200s_and_say_so(self):
        def four(folder, faster):
            rows = "work,devices,faster\npicture by rows,2,1.9\npicture by rows,4,"
            self.write(f"{folder}/15_many_gpus.csv", f"{rows}{faster}\n")
            self.write(f"{folder}/record.json", json.dumps({"device": f"4 of {folder}"}))

        picture = "pixels to levels by rows, 16384 x 16384, times as fast as one"
        self.addCleanup(setattr, bars, "BARS", bars.BARS)
        bars.BARS = [bar for bar in bars.BARS if bar[1].endswith(picture)]
        self.assertEqual([bar[1].split()[0] for bar in bars.BARS], ["two", "four"])
        found = {}
        for step, others in enumerate(({}, {"h100x4-2026-01-02": 3.9, "h100x2-2026-01-02": 3.8}, {"h200x4-2026-01-01": 3.7})):
            for folder, faster in others.items():
                four(folder, faster)
            for folder in ("h200-2026-01-01", "h100-2026-01-01", "mine"):
                self.write(f"{folder}/02.csv", "")
                self.make_bars(folder)
                found[folder, step] = [(r["bar"].removesuffix(": " + picture), r["first"]) for r in self.rows(f"{folder}/bars.csv")]
        two, none = ("two GPUs", ""), ("four GPUs", "")
        self.assertEqual(found["h200-2026-01-01", 0], [two, none])
        self.assertEqual(found["h200-2026-01-01", 1], [two, ("four GPUs (4 of h100x4-2026-01-02)", "3.9")])
        self.assertEqual(found["h200-2026-01-01", 2], [two, ("four GPUs", "3.7")])
        self.assertEqual(found["h100-2026-01-01", 1], [("two GPUs", "1.9"), ("four GPUs", "3.9")])
        self.assertEqual([found["mine", step] for step in range(3)], 3 * [[two, none]])

    def test_every_bar_reads_the_record_of_the_tutorial(self):
        records = sorted(ROOT.glob("docs/measurements/h200-????-??-??"))
        self.assertTrue(records)
        missed, missing = set(), set()
        for chapter, what, sign, bound, figure in bars.BARS:
            for record in reversed(records):  # the newest one that has the figure
                values = []
                for run in (record, record / "again"):
                    try:
                        values.append(figure(bars.Record(run)))
                    except (LookupError, OSError):
                        continue
                if values:
                    break
            else:
                missing.add(what)
            if not all(value >= bound if sign == ">=" else value <= bound for value in values):
                missed.add(what)
        self.assertEqual(missing, set(), "no record has them")
        self.assertEqual(missed, set(bars.LIMITERS), "missed, and said to be missed, with what limits the figure")

    def test_limiters_quote_the_record(self):
        """The figures in what limits a missed bar are those of the tutorial's own records."""
        folder = sorted(ROOT.glob("docs/measurements/h200-????-??-??"))[-1]
        runs = [bars.Record(run) for run in (folder, folder / "again")]
        said = " ".join(bars.LIMITERS.values())

        there_and_back = {"work": "there and back", "samples": "536870912", "taps": "1025"}
        plain, threads = (
            [round(run.value("12_", "median_ms", version=version, memory=memory, **there_and_back)) for run in runs]
            for version, memory in (("copy_kernel_copy", "pageable"), ("host_threads", "pageable, 16 threads"))
        )
        quoted = "the plain call takes {} ms in one run and {} in the other, 16 threads {} and {}"
        self.assertIn(quoted.format(*plain, *threads), said)

        new_filter = {"work": "new filter", "samples": "16777216", "version": "fastest_convolution"}
        both = {f"{run.value('13_one', 'back_to_back_ms', **new_filter):.3f}" for run in runs}
        self.assertEqual(len(both), 1)
        self.assertIn(f"back to back, both kernels take {both.pop()} ms", said)

        for run in runs:
            copies = run.rows("11_in", table="law")
            best = max(copies, key=lambda row: float(row["of_limit"]))
            self.assertTrue(16 < float(best["under_way_kb"]) < 33)
            most = max(copies, key=lambda row: float(row["under_way_kb"]))
            self.assertEqual(round(float(most["under_way_kb"])), 66)
            self.assertLess(float(most["of_limit"]), float(best["of_limit"]))
        self.assertIn("it is reached with 16 to 33 kB under way on a multiprocessor; copies with 66 kB are slower", said)

        for run in runs:
            four = bars.SeveralDevices(4).record_of(run)
            us = {n: four.value("15_many", "step_us", work="picture by rows", devices=str(n)) for n in (1, 2, 4)}
            same = 2 * us[2] - us[1]
            self.assertEqual(round(same), 5)
            self.assertLess(abs((same + (us[1] - same) / 4) / us[4] - 1), 0.005)
        self.assertIn("about 5 us of a picture's time are the same for each number of devices", said)

        above = {
            (int(row["taps"]), int(row["samples"]).bit_length() - 1)
            for *_, row in runs[1].numbered("07_fft")
            if row["table"] in ("taps", "grid", "length", "equal") and float(row["best_ms"]) > 1.2 * float(row["fastest_ms"])
        }
        self.assertEqual(above, {(17, 20), (1025, 16), (1025, 17)})
        self.assertIn("above 1.2 in the other: 17 taps with 2^20 samples, 1025 taps with 2^16 and 2^17", said)

    def test_build_times_are_what_the_page_says(self):
        """Chapter 00 within 120 s of processor time, all chapters within 460, a changed kernel within 10 by the clock."""
        page = (ROOT / "docs/record.md").read_text(encoding="utf-8")
        self.assertIn("All three do.", page)
        with open(sorted(ROOT.glob("docs/measurements/build-*/build_time.csv"))[-1], newline="", encoding="utf-8") as file:
            first, others, _, kernel, *_ = [row for row in csv.DictReader(file) if row["name"] == "now"]
        self.assertLess(float(first["processor_s"]), 120)
        self.assertLess(float(first["processor_s"]) + float(others["processor_s"]), 460)
        self.assertLess(float(kernel["wall_s"]), 10)

    def test_prices_of_one_pass_are_measured_ones(self):
        """Chapter 13 chooses by prices in its source: those of the newest record, to a tenth."""
        source = (ROOT / "chapters/13_one_pass/fastest_convolution.cpp").read_text(encoding="utf-8")
        inside = re.findall(r"\{(\d+), element_type::(float32|float64), ([\d.e-]+), ([\d.e-]+)\}", source)
        kinds = {"float32": "float", "float64": "double"}
        here = {(length, kinds[kind]): (float(alone), float(each)) for length, kind, alone, each in inside}
        records = sorted(ROOT.glob("docs/measurements/h200-????-??-??/13_one_pass.csv"))
        with open(records[-1], newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["table"] == "prices"]
        measured = {(row["length"], row["type"]): (float(row["alone_us"]), float(row["each_pair_us"])) for row in rows}
        self.assertEqual(set(here), set(measured))
        for design, prices in here.items():
            for price, wanted in zip(prices, measured[design]):
                self.assertLess(abs(price / wanted - 1), 0.1, design)

    def a_record(self, folder, device, direct_ms):
        self.a_chapter(folder, direct_ms, 10.0)
        self.limits(folder, 4.0)
        self.write(f"{folder}/record.json", json.dumps({"device": device}))

    def test_beside_another_device(self):
        self.a_record("h200-2026-01-02", "NVIDIA H200", 1.0)
        self.a_record("h200-2026-01-03", "NVIDIA H200", 2.0)
        self.a_record("mine", "GPU of <a> & b", 4.0)
        raw = unittest.mock.patch.object(beside.records, "raw_folder", lambda folder: folder.parent)  # not below build/
        raw.start()
        self.addCleanup(raw.stop)
        self.assertEqual(self.run_tool(beside, "h200", "mine")[0], 0)  # the newest
        page = (self.root / "beside.md").read_text(encoding="utf-8")
        self.assertIn("| 02 direct | 2 | 4 | 0.50 | 25 % | 12 % |", page)
        self.assertIn("| copy, 1 GiB | 4 TB/s | 4 TB/s | 1.00 |", page)
        self.assertNotIn("01 all_cores", page)
        self.assertEqual(
            self.rows("mine/beside.csv"),
            [dict(zip(beside.COLUMNS, ("02", "A (double, 1,000 samples, 5 taps)", "02 direct", "2", "4", "0.5", "0.25", "0.125", "yes")))],
        )
        picture = xml.etree.ElementTree.parse(self.root / "beside.svg").getroot()
        self.assertIn("GPU of <a> & b", "".join(picture.itertext()))

    def test_beside_draws_what_is_beyond_the_limit_at_the_edge(self):
        row = dict(zip(beside.COLUMNS, ("13", "B", "13 one_pass", 1.0, 1.0, 1.0, 9.7, 0.5, "yes")))
        picture = xml.etree.ElementTree.fromstring(beside.picture(["a", "b"], [row, row | {"ours_of_limit": 1.05}]))
        self.assertIn("970 % and 50 %", "".join(picture.itertext()))
        self.assertNotIn("105 %", "".join(picture.itertext()))
        places = [float(each.get("cx")) for each in picture.iter() if each.get("class") == "ours"][1:]  # the first is the legend
        self.assertEqual(len(places), 2)
        self.assertTrue(all(400 < place < 900 for place in places))

    def test_beside_needs_something_in_common(self):
        self.a_record("h200-2026-01-03", "NVIDIA H200", 2.0)
        self.write("mine/record.json", json.dumps({"device": "other"}))
        status, said = self.run_tool(beside, "h200-2026-01-03", "mine")
        self.assertEqual(status, 2)
        self.assertIn("no version in common", said)
        self.assertEqual(self.run_tool(beside, "h200", "nowhere")[0], 2)


class Measurements(unittest.TestCase):
    """docs/measurements holds what a page shows or links to, and what a test or a demand reads."""

    FOLDER = ROOT / "docs/measurements"
    READ = re.compile(
        r"[^/]+/(?:again/)?\d\d_\w+\.csv|.*/record\.json|README\.md"  # tables of chapters: bars.py, beside
        r"|[^/]+/bars\.csv|[^/]+-counts/counts_(?:kernels|launches)\.csv|.*-faults/faults\.csv"
        r"|.*-peers/(?:again/)?(?:from_host|one_call|pictures)\.csv|.*-peers/(?:faster|least|ratios_\w+|standard)\.csv"
        r"|.*-then-and-now/(?:again/)?speed_ups\.csv|[^/]+/spread_summary\.csv"
    )

    def test_nothing_is_kept_that_nobody_shows_or_reads(self):
        pages = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/record/*.csv"), *ROOT.glob("chapters/*/*.md")]
        text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
        named = set(re.findall(r"measurements/([\w.-]+/[\w./-]+\.\w+)", text))
        unread = []
        for path in sorted(self.FOLDER.rglob("*")):
            name = path.relative_to(self.FOLDER).as_posix()
            undated = re.sub(r"-\d{4}-\d\d-\d\d", "", name)  # "h200/00.csv" is in the newest record of an H200
            if path.is_file() and not self.READ.fullmatch(name) and not {name, undated} & named:
                unread.append(name)
        self.assertEqual(unread, [])


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
