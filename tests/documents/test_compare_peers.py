# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/peers without the libraries that it compares with: its data, its way of timing with a stand-in for
events, what it refuses, and its tables."""

import contextlib
import importlib.util
import io
import math
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from commands import load  # noqa: E402

peers = load("docs/record/peers")
import peer_libraries  # noqa: E402
import peer_timing  # noqa: E402
import peer_works  # noqa: E402


class Clock:
    """Events that stand still but for what the calls add."""

    def __init__(self):
        self.now = 0.0
        clock = self

        class Event:
            def record(self):
                self.at = clock.now

            def synchronize(self):
                pass

        self.cupy = types.SimpleNamespace(
            cuda=types.SimpleNamespace(Event=Event, get_elapsed_time=lambda begin, end: end.at - begin.at)
        )


class PicturesTest(unittest.TestCase):
    def test_pictures_alone(self):
        """Without the libraries of Python; a record is not written over, and a failure is one."""
        called = []

        def run(program, *arguments):
            called.append([str(program), *map(str, arguments)])
            if str(program).endswith("jpeg"):
                arguments[1].write_text("side,picture,by,gives,way,timed,median_ms\n96,gray,a,b,c,d,1\n")
            return 0 if len(called) <= 2 else 1

        def raw(record):
            path = folder / "raw" / record.relative_to(folder)
            path.mkdir(parents=True, exist_ok=True)
            return path

        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            folder = pathlib.Path(folder)
            options = ["--pictures"]
            with mock.patch.object(peers.records, "run", run), mock.patch.object(
                peers.records, "build", lambda *_: pathlib.Path("/p")
            ), mock.patch.object(
                peers.records, "facts", lambda name, made: {"command": f"{name} {made.name}"}
            ), mock.patch.object(peers.records, "raw_folder", raw), mock.patch.object(
                peers.second_run, "add"
            ) as compared:
                self.assertEqual(peers.main([*options, str(folder / "a")]), 0)
                self.assertEqual(called[0], ["/p/time_jpeg", "--csv", str(folder / "raw/a/pictures.csv")])
                self.assertIn("peers --pictures a", (folder / "a/record.json").read_text())
                self.assertEqual(peers.main([*options, str(folder / "a")]), 2)
                self.assertEqual(peers.main([*options, str(folder / "b")]), 1)
                called.clear()
                self.assertEqual(peers.main([*options, "--again", str(folder / "c")]), 2)  # there is no first run
                (folder / "raw/a/pictures.csv").rename(folder / "raw/a/gone")
                self.assertEqual(peers.main([*options, "--again", str(folder / "a")]), 2)  # what it left is not there any more
                (folder / "raw/a/gone").rename(folder / "raw/a/pictures.csv")
                self.assertEqual(peers.main([*options, "--again", str(folder / "a")]), 0)
                self.assertEqual(called[0], ["/p/time_jpeg", "--csv", str(folder / "raw/a/again/pictures.csv")])
                self.assertEqual(called[1], ["/p/time_filters", "--csv", str(folder / "raw/a/again/filters.csv")])
                compared.assert_called_once_with(folder / "a", folder / "raw/a/again", folder / "raw/a")
                self.assertFalse((folder / "a/again/record.json").exists())


class ArgumentsTest(unittest.TestCase):
    def run_main(self, arguments, modules=None):
        messages = io.StringIO()
        with mock.patch.dict(sys.modules, modules or {}), contextlib.redirect_stderr(messages):
            try:
                return peers.main(arguments), messages.getvalue()
            except SystemExit as end:
                return end.code, messages.getvalue()

    def test_what_is_missing_is_said(self):
        self.assertEqual(self.run_main([])[0], 2)
        status, message = self.run_main(["a.csv", "b.csv"], {"cupy": None})
        self.assertEqual(status, 2)
        self.assertIn("needs CuPy", message)
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("table,taps\nlength,1025\n")
            file.flush()
            status, message = self.run_main([file.name, "b.csv"], {"cupy": types.ModuleType("cupy")})
        self.assertEqual(status, 2)
        self.assertIn("no times against taps", message)

    def test_a_record_needs_the_libraries_and_writes_nothing_without_them(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "record"
            status, message = self.run_main([str(record)], {"numpy": None})
            self.assertEqual(status, 2)
            self.assertIn("needs NumPy, SciPy and CuPy", message)
            self.assertFalse(record.exists())


class TimingTest(unittest.TestCase):
    def time(self, ms_of_call):
        """The median, and which signals were used."""
        clock, used = Clock(), []

        def call(signal):
            used.append(signal)
            clock.now += ms_of_call(len(used))

        return peers.time_groups(lambda i: call("abc"[i % 3]), peers.event_groups(clock.cupy)), used

    def test_short_calls_are_timed_in_groups_of_2_ms_with_signals_in_turn(self):
        ms, used = self.time(lambda i: 0.1)
        self.assertAlmostEqual(ms, 0.1)
        self.assertEqual(len(used), 2 + 20 + 15 * 20)
        self.assertEqual(used[2:6], ["c", "a", "b", "c"])

    def test_long_calls_are_timed_a_few_times(self):
        self.assertEqual(len(self.time(lambda i: 30)[1]), 2 + 5)
        self.assertEqual(len(self.time(lambda i: 300)[1]), 2 + 3)

    def test_one_slow_group_changes_nothing(self):
        ms, _ = self.time(lambda i: 50 if i == 100 else 0.1)
        self.assertAlmostEqual(ms, 0.1)

    def test_a_first_call_that_prepares_does_not_count(self):
        ms, _ = self.time(lambda i: 100 if i == 1 else 0.1)
        self.assertAlmostEqual(ms, 0.1)


class DataTest(unittest.TestCase):
    def test_random_bits_are_those_of_the_chapters(self):
        # splitmix64's own first output from state 0 is known to everybody.
        self.assertEqual(peer_works.mixed(peer_works.GOLDEN), 0xE220A8397B1DCDAF)
        self.assertNotEqual(peer_works.random_bits(1, 0), peer_works.random_bits(2, 0))

    def test_taps_are_all_different_none_is_zero_and_whole_numbers_are_whole(self):
        for kind in ("float32", "int32"):
            taps = peers.random_taps(kind, 33)
            self.assertEqual(len(set(map(abs, taps))), 33)
            self.assertNotIn(0, taps)
        self.assertTrue(all(abs(tap) < 1 for tap in peers.random_taps("float32", 33)))
        self.assertTrue(all(isinstance(tap, int) and abs(tap) <= 66 for tap in peers.random_taps("int32", 33)))

    def test_outputs_that_are_compared(self):
        self.assertEqual(peer_works.compared(range(1000)), [(0, 1000)])
        stretches = peer_works.compared(range(1_000_000))
        self.assertEqual((len(stretches), stretches[0], stretches[-1]), (64, (0, 1024), (1_000_000 - 1024, 1024)))

    def test_works_have_names_the_program_can_read_and_none_is_there_twice(self):
        works = peers.all_works()
        self.assertEqual(works[0].argument(), "float64:same:10000000:5")
        self.assertEqual(len({work.key() for work in works}), len(works))
        self.assertTrue(all(work.taps <= work.samples for work in works))
        self.assertEqual({work.samples for work in works if not work.name}, set(peer_works.LENGTHS))

    def test_bounds(self):
        work = peers.Work("float32", "full", 1 << 24, 5)
        each, norm = peer_works.bounds(work, [0.2] * 5, 2000.0, False)
        self.assertTrue(5 * 2**-24 < each < 20 * 2**-24)
        self.assertIsNone(norm)
        each, norm = peer_works.bounds(work, [0.2] * 5, 2000.0, True)
        self.assertIsNone(each)
        self.assertTrue(0 < norm < 1)
        self.assertEqual(peer_works.bounds(peers.Work("int32", "full", 9, 3), [1, 2, 3], 9.0, False), (0, None))


class ExpectationTest(unittest.TestCase):
    def setUp(self):
        self.sums = peer_libraries.Peer("L", "sums", None)
        self.transforms = peer_libraries.Peer("L", "transforms", None, transforms=True)
        self.known = peers.Expectation()

    def work(self, samples, taps):
        return peers.Work("float32", "full", samples, taps)

    def test_nothing_is_expected_of_what_is_not_known(self):
        self.assertEqual(self.known.ms(self.sums, self.work(1000, 5)), 0)

    def test_sums_grow_with_taps_and_transforms_do_not(self):
        for peer in (self.sums, self.transforms):
            self.known.note(peer, self.work(1000, 10), 100)
        self.assertEqual(self.known.ms(self.sums, self.work(4000, 100)), 2000)
        self.assertEqual(self.known.ms(self.transforms, self.work(4000, 100)), 200)

    def test_neither_a_larger_work_nor_a_short_call_tells_anything(self):
        self.known.note(self.sums, self.work(1000, 10), 100)
        self.assertEqual(self.known.ms(self.sums, self.work(500, 100)), 0)
        self.known.note(self.transforms, self.work(10, 1), 0.5)
        self.assertEqual(self.known.ms(self.transforms, self.work(10**6, 1)), 0)


class TablesTest(unittest.TestCase):
    def row(self, library, ms, side="GPU", **more):
        row = {"work": "", "type": "float32", "mode": "full", "samples": "4096", "taps": "17", "chosen": "direct",
               "our_ms": "2", "side": side, "library": library, "function": "f"}
        return {**row, **({"their_ms": ms, "ratio": str(float(ms) / 2)} if ms else {"note": "refused"}), **more}

    def test_the_fastest_of_each_side_stands_in_the_grid(self):
        rows = [self.row("slow", "9"), self.row("quick", "1"), self.row("none", ""), self.row("host", "8", side="CPU")]
        line = peers.grid_table(rows)[0]
        self.assertEqual((line["gpu_library"], line["gpu_ratio"], line["cpu_ms"]), ("quick f", "0.5", "8"))

    def test_a_work_without_any_time_stays_in_the_grid(self):
        line = peers.grid_table([self.row("none", "")])[0]
        self.assertNotIn("gpu_library", line)
        self.assertEqual(line["ours_ms"], "2")

    def test_ratios_have_one_column_for_each_number_of_taps(self):
        rows = [self.row("a", "4"), self.row("a", "6", taps="65")]
        self.assertEqual(
            peers.ratio_tables(peers.grid_table(rows)), {"full": [{"samples": 4096, "taps_17": "2.0", "taps_65": "3.0"}]}
        )

    def test_works_of_the_chapters_have_a_table_of_their_own(self):
        ours = {("float32", "full", 4096, 17): {"one_call_ms": "5", "all_cores_ms": ""}}
        rows = [self.row("a", "4", work="B"), self.row("a", "4", samples="1024")]
        table = peers.standard_table(rows, ours)
        self.assertEqual([line["work"] for line in table], ["B"])
        self.assertEqual((table[0]["one_call_ms"], table[0]["one_call_ratio"]), ("5", "0.8"))

    def test_one_call_is_compared_with_what_knows_no_filter(self):
        ours = {("float32", "full", 4096, 17): {"one_call_ms": "5", "all_cores_ms": ""}}
        rows = [self.row("a", "4"), self.row("b", "3"), self.row("c", "1", function="rfft, spectrum kept"),
                self.row("d", "1", side="CPU"), self.row("e", "")]
        self.assertEqual(peers.one_call_table(rows, ours), [{"samples": 4096, "taps_17": "0.6"}])

    def test_from_the_host_the_fastest_of_the_host_is_compared_with_copies(self):
        ours = {("float32", mode, 4096, taps): {"with_copies_ms": copies} for mode, taps, copies in
                (("full", 17, "5"), ("full", 65, ""), ("same", 17, "5"))}
        rows = [self.row("a", "4", side="CPU"), self.row("b", "3", side="CPU"), self.row("gpu", "1"),
                self.row("a", "4", side="CPU", taps="65"), self.row("a", "1", side="CPU", mode="same")]
        self.assertEqual(peers.from_host_table(rows, ours), [{"samples": 4096, "faster": "b f", "taps_17": "0.6"}])

    def test_the_least_ratio_of_both_runs(self):
        ours = {("float32", "full", 4096, 17): {"one_call_ms": "5", "all_cores_ms": "4"}}
        first = [self.row("a", "4"), self.row("b", "6"), self.row("c", "3", function="spectrum kept"), self.row("d", ""),
                 self.row("h", "2", side="CPU", work="B")]
        again = [self.row("a", "7"), self.row("b", "3")]
        lines = {line["compared"]: line for line in peers.least_table([(first, ours), (again, ours)])}
        self.assertEqual(set(lines), {"full, filter kept", "full, new filter", "works of the chapters, on all cores"})
        kept, new, host = (lines[what] for what in ("full, filter kept", "full, new filter", "works of the chapters, on all cores"))
        at = "4096 samples, 17 taps: "
        self.assertEqual((kept["ratios"], kept["least"], kept["at"], kept["below_1"]), (3, 1.5, at + "c spectrum kept", 0))
        self.assertEqual((kept["again_least"], kept["again_at"], kept["again_below_1"]), (1.5, at + "b f", 0))
        self.assertEqual((new["ratios"], new["least"], new["at"], new["below_1"]), (2, 0.8, at + "a f", 1))
        self.assertEqual((new["again_least"], new["again_below_1"]), (0.6, 1))
        self.assertEqual((host["least"], host["at"], host["below_1"]), (0.5, "B: h f", 1))
        self.assertNotIn("again_least", host)

    def test_what_is_on_the_host_stands_beside_its_second_run(self):
        def picture(by, gives, way, ms):
            return {"side": "96", "picture": "gray", "by": by, "gives": gives, "way": way, "timed": "one call", "median_ms": ms}

        file, pixels = "a file on the host", "pixels on the host"
        first = [picture("a", file, pixels, "1"), picture("a", pixels, file, "2"), picture("b", file, pixels, "3"),
                 picture("a", file, "pixels on the device", "4"), picture("a", "pixels on the device", file, "5")]
        again = [picture("a", pixels, file, "2.5"), picture("a", file, pixels, "1.5")]
        found = [(line["by"], line["gives"], line["ms"], line["again_ms"]) for line in peers.on_host_table([first, again])]
        self.assertEqual(found, [("a", file, "1", "1.5"), ("a", pixels, "2", "2.5"), ("b", file, "3", "")])
        self.assertEqual([line["again_ms"] for line in peers.on_host_table([first])], ["", "", ""])

    def test_the_tables_of_a_record_agree(self):
        """least.csv, faster.csv and what is on the host say of the other tables what they hold."""
        def cells(path, *columns, **wanted):
            rows = [row for row in peers.records.read_csv(path) if all(row[n] == v for n, v in wanted.items())]
            return [float(row[n]) for row in rows for n in columns or [n for n in row if n.startswith("taps_")] if row[n]]

        records = sorted(peers.records.ROOT.glob("docs/measurements/*-peers/least.csv"))
        self.assertGreater(len(records), 1)
        for record in records:
            lines = {row["compared"]: row for row in peers.records.read_csv(record)}
            folder, works = record.parent, "works of the chapters, "
            for before, run in (("", folder), ("again_", folder / "again")):
                tables = {
                    "full, filter kept": ("ratios_full.csv",), "same, filter kept": ("ratios_same.csv",),
                    "full, new filter": ("one_call.csv",), works + "filter kept": ("standard.csv", "ratio"),
                    works + "new filter": ("standard.csv", "one_call_ratio"), works + "on all cores": ("standard.csv", "cpu_ratio"),
                }
                for what, (name, *columns) in tables.items():
                    if lines[what].get(before + "least") and (run / name).exists():
                        side = {"side": "CPU" if what.endswith("cores") else "GPU"} if columns else {}
                        least = min(cells(run / name, *columns, **side))
                        self.assertEqual(float(lines[what][before + "least"]), least, f"{run}: {what}")
                        if before == "":
                            self.assertEqual(lines[what]["below_1"] != "0", least < 1)
            faster = peers.records.read_csv(folder / "faster.csv") if (folder / "faster.csv").exists() else []
            for what, line in lines.items():
                counts = [sum(row["compared"] == what and row["run"] == run for row in faster) for run in "12"]
                self.assertEqual(counts, [int(line[name] or 0) for name in ("below_1", "again_below_1")], what)
            if (folder / "pictures_on_host.csv").exists():
                here = peers.on_host_table([peers.records.read_csv(folder / "pictures.csv")])
                there = peers.records.read_csv(folder / "pictures_on_host.csv")
                self.assertTrue(there)
                for line in there:  # those that a page shows
                    self.assertIn({**line, "again_ms": ""}, here)

    def test_tables_are_made_again_of_what_a_run_has_left(self):
        with tempfile.TemporaryDirectory() as folder:
            raw, folder = pathlib.Path(folder) / "raw", pathlib.Path(folder) / "record"
            raw.mkdir()
            folder.mkdir()
            mine = {"type": "float32", "mode": "full", "samples": "4096", "taps": "17", "one_call_ms": "5",
                    "all_cores_ms": "9", "with_copies_ms": "20"}
            peers.records.write_csv(raw / "ours.csv", tuple(mine), [mine])
            rows = [self.row("a", "4", work="65 taps"), self.row("h", "18", side="CPU", work="65 taps"), self.row("b", "3")]
            peers.records.write_csv(raw / "peers.csv", peers.PEER_COLUMNS, rows)
            with mock.patch.object(peers.records, "raw_folder", lambda _: raw):
                peers.remake_tables(folder)
            self.assertEqual((folder / "one_call.csv").read_text(), "samples,taps_17\n4096,0.6\n")
            self.assertEqual((folder / "from_host.csv").read_text(), "samples,taps_17,faster\n4096,0.9,h f\n")
            self.assertEqual([line["compared"] for line in peers.records.read_csv(folder / "least.csv")],
                             ["full, filter kept", "full, new filter", "works of the chapters, filter kept",
                              "works of the chapters, new filter", "works of the chapters, on all cores"])
            self.assertEqual([line["ratio"] for line in peers.records.read_csv(folder / "faster.csv")], ["0.8", "0.6", "0.8"])
            standard = peers.records.read_csv(folder / "standard.csv")
            self.assertEqual([line["cpu_ratio"] for line in standard], ["", "2"])
            self.assertFalse((folder / "peers.csv").exists())


class ComparisonTest(unittest.TestCase):
    """With lists for arrays, and a stand-in for NumPy's part in it."""

    def test_what_is_wrong_refuses_or_takes_long_is_not_timed(self):
        def make(result):
            def of(work, xs, h):
                def call(i):
                    if isinstance(result, Exception):
                        raise result
                    return result

                return call

            return of

        numpy = types.SimpleNamespace(concatenate=lambda parts: sum(parts, []))
        work, ours = peers.Work("float32", "full", 3, 2), {"chosen": "direct", "ours_ms": "1"}
        every = [
            peer_libraries.Peer("L", "good", make([1, 2, 3, 4])),
            peer_libraries.Peer("L", "short", make([1, 2, 3])),
            peer_libraries.Peer("L", "wrong", make([1, 2, 3, 5])),
            peer_libraries.Peer("L", "broken", make(MemoryError("no room"))),
            peer_libraries.Peer("L", "slow", make([1, 2, 3, 4])),
            peer_libraries.Peer("L", "other mode", make([1, 2, 3, 4]), modes=("same",)),
        ]
        expectation = peers.Expectation()
        expectation.note(every[4], peers.Work("float32", "full", 1, 1), 1e6)
        close = lambda np, theirs, mine, limits: (0.0, True) if theirs == mine else (1.0, False)  # noqa: E731
        messages = io.StringIO()
        with mock.patch.object(peer_timing, "difference", close), contextlib.redirect_stderr(messages):
            rows = peers.compare_work(
                work, every, ([[1]], [1, 1], [1, 1], 1.0, [1, 2, 3, 4]), ours, expectation, numpy,
                lambda work: work() or 2.5, list,
            )
        notes = {row["function"]: row.get("note", "") for row in rows}
        self.assertEqual(notes["good"], "")
        self.assertEqual(rows[0]["faster"], "ours")
        self.assertIn("WRONG: 3 outputs", notes["short"])
        self.assertIn("WRONG", notes["wrong"])
        self.assertEqual(notes["broken"], "refused: MemoryError")
        self.assertIn("too long", notes["slow"])
        self.assertNotIn("other mode", notes)
        self.assertTrue(all("their_ms" not in row for row in rows[1:]))
        self.assertIn("no room", messages.getvalue())

    def test_the_bound_is_that_of_sums_where_both_are_sums(self):
        seen = []

        def note(np, theirs, mine, limits):
            seen.append(limits)
            return 0.0, True

        numpy = types.SimpleNamespace(concatenate=lambda parts: sum(parts, []))
        work = peers.Work("float32", "full", 3, 2)
        sums = peer_libraries.Peer("L", "sums", lambda work, xs, h: lambda i: [1, 2, 3, 4])
        with mock.patch.object(peer_timing, "difference", note):
            for chosen in ("02 direct", "03 warp_per_output", "06 register_tiled", *peer_timing.OUR_TRANSFORMS):
                peers.compare_work(
                    work, [sums], ([[1]], [1, 1], [1, 1], 1.0, [1, 2, 3, 4]), {"chosen": chosen, "ours_ms": "1"},
                    peers.Expectation(), numpy, lambda work: work() or 2.5, list,
                )
        for_each, for_all = zip(*seen)
        self.assertEqual([limit is None for limit in for_each], [False] * 3 + [True] * 3)
        self.assertEqual([limit is None for limit in for_all], [True] * 3 + [False] * 3)


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is not installed")
class NumPyTest(unittest.TestCase):
    def test_signals_are_made_of_the_same_bits(self):
        import numpy

        x = peers.random_signal(numpy, "float64", 100)
        right = [(peer_works.random_bits(1, i) >> 11) * 2**-52 - 1 for i in range(100)]
        self.assertEqual(x.tolist(), right)
        x = peers.random_signal(numpy, "int32", 1000)
        self.assertTrue(-1000 <= x.min() < -900 and 900 < x.max() <= 1000)

    def test_differences(self):
        import numpy

        ones = numpy.ones(4, numpy.float32)
        self.assertEqual(peer_works.difference(numpy, ones, ones, (0, None)), (0, True))
        self.assertEqual(peer_works.difference(numpy, ones * 2, ones, (0.5, None)), (1, False))
        self.assertEqual(peer_works.difference(numpy, ones * 2, ones, (None, 1.9))[1], False)
        self.assertEqual(peer_works.difference(numpy, ones * math.nan, ones, (9, None))[1], False)


if __name__ == "__main__":
    unittest.main()
