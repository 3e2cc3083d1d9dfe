# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/record/counts on tables made here."""

import contextlib
import csv
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "documents"))
from commands import load  # noqa: E402

tool = load("docs/record/counts")

METRICS = list(tool.METRICS.values())
UNITS = ["request", "sector", "request", "sector", "", ""]
PREAMBLE = (
    '==PROF== Connected to process 7 (count_kernels)\n==PROF== Profiling "copy_kernel" - 0: 0%....100%\n'
)

# entry, kernel, as ncu shows it, six counts
LAUNCHES = [
    ("copy, 33", "copy_kernel", "copy_kernel", (2, 5, 2, 5, 0, 0)),
    (
        "copy, many",
        "copy_kernel",
        "void tutorial::<unnamed>::copy_kernel<float>(const T1 *, int)",
        (1250, 5000, 1250, 5000, 0, 0),
    ),
    (
        "transpose",
        "transpose_kernel",
        "void tutorial::(anonymous namespace)::transpose_kernel<(int)32>(int)",
        (32, 128, 32, 128, 1024, 32),
    ),
    ("reduce", "reduce_kernel", "reduce_kernel(float *)", (8, 32, 1, 1, 25, 20)),
]


class CompareCounts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def emulated(self, launches=LAUNCHES, header=None):
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(header or ["index", "entry", "kernel", *tool.SIZE, *METRICS])
        for i, (entry, kernel, _, counts) in enumerate(launches):
            writer.writerow([i, entry, kernel, "1x1x1", "32x1x1", 7, *counts])
        return self.file("emulated.csv", text.getvalue())

    def raw(self, launches=LAUNCHES, units=UNITS, preamble=PREAMBLE):
        text = io.StringIO()
        writer = csv.writer(text, quoting=csv.QUOTE_ALL)
        writer.writerow(["ID", "Kernel Name", "Block Size", *(m + ".sum" for m in METRICS)])
        writer.writerow(["", "", "", *units])
        for i, (_, _, kernel, counts) in enumerate(launches):
            writer.writerow([i, kernel, "(32, 1, 1)", *(f"{c:,}" for c in counts)])
        return self.file("ncu.csv", preamble + text.getvalue() + "==WARNING== something\n")

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def explained(self, *lines):
        return self.file("explained.csv", "\n".join(["kernel,metric,launches,gpu,reason", *lines, ""]))

    def run_tool(self, ncu, emulated, *more):
        out, err = io.StringIO(), io.StringIO()
        if "--explained" not in more:
            more = (*more, "--explained", str(self.explained("another_kernel,load requests,1,more,so it is")))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = tool.main(["--ncu", str(ncu), "--emulated", str(emulated), *more])
        return status, out.getvalue(), err.getvalue()

    def changed(self, launch, metric, by):
        counts = list(LAUNCHES[launch][3])
        counts[metric] += by
        return [(*l[:3], tuple(counts)) if i == launch else l for i, l in enumerate(LAUNCHES)]

    def rows(self, name):
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_equal_counts_pass(self):
        status, out, err = self.run_tool(self.raw(), self.emulated(), str(self.folder))
        self.assertEqual((status, err), (0, ""))
        self.assertIn("20 rows, 0 differ: 0 explained, 0 not: good\n", out)
        self.assertEqual(list(self.rows("counts_kernels.csv")[0].values()), ["copy_kernel", "2", "1252", "5005", "1252", "5005", "0", "0"])
        self.assertEqual(
            self.rows("counts_summary.csv")[4],
            {"metric": METRICS[4], "launches": "2", "equal": "2", "different": "0"},
        )
        self.assertFalse((self.folder / "counts_launches.csv").exists())
        self.assertFalse((self.folder / "counts_reasons.csv").exists())

    def with_columns(self, columns):
        """The file of raw(), and these further columns: the count in each launch."""
        header, units, *rows = csv.reader(self.raw(preamble="").read_text(encoding="utf-8").splitlines()[:-1])
        text = io.StringIO()
        writer = csv.writer(text, quoting=csv.QUOTE_ALL)
        writer.writerow([*header, *(name + ".sum" for name in columns)])
        writer.writerow([*units, *("" for _ in columns)])
        for i, row in enumerate(rows):
            writer.writerow([*row, *(counts[i] for counts in columns.values())])
        return self.file("ncu.csv", text.getvalue())

    def test_asynchronous_copies_count_once(self):
        """The counter of loads contains them."""
        copies = {
            f"{unit}_requests_pipe_lsu_mem_global_op_ldgsts{way}": [7] * len(LAUNCHES)
            for unit, way in (("l1tex__t", ""), ("smsp__sass_l1tex_t", "_cache_bypass"))
        }
        self.assertEqual(self.run_tool(self.with_columns(copies), self.emulated())[0], 0)

    def test_counters_of_instructions_go_before_those_of_the_pipe(self):
        own = {metric: [l[3][i] for l in LAUNCHES] for i, metric in enumerate(METRICS)}
        by_instruction = {tool.BY_INSTRUCTION[m]: own[m] for m in METRICS[4:]}
        disturbed = self.changed(2, 5, 3)
        # The pipe has counted three passes more; the instructions have not.
        with_both = self.with_columns(by_instruction).read_text(encoding="utf-8")
        ncu = self.file("ncu.csv", with_both.replace('"1,024","32"', '"1,024","35"'))
        self.assertIn('"1,024","35"', ncu.read_text(encoding="utf-8"))
        self.assertEqual(self.run_tool(ncu, self.emulated())[0], 0)
        self.assertEqual(self.run_tool(ncu, self.emulated(disturbed))[0], 1)
        # Without the counters of the instructions, those of the pipe are compared.
        self.assertEqual(self.run_tool(self.raw(disturbed), self.emulated())[0], 1)
        self.assertEqual(self.run_tool(self.raw(disturbed), self.emulated(disturbed))[0], 0)

    def differing(self, *lines, emulated=None):
        """Launch 1, of copy_kernel, has a load request fewer on the GPU. Status, output, reasons."""
        status, out, err = self.run_tool(
            self.raw(),
            self.emulated(emulated or self.changed(1, 0, 1)),
            str(self.folder),
            *("--explained", str(self.explained(*lines))),
        )
        self.assertEqual(err, "")
        return status, out, [list(row.values()) for row in self.rows("counts_reasons.csv")]

    def test_an_explained_difference_is_good(self):
        for way in ("fewer", "either"):
            status, out, rows = self.differing(f"copy_kernel,load requests,1,{way},it is lazy")
            self.assertEqual(status, 0)
            self.assertIn(f"copy, many: {METRICS[0]}: emulated 1251, ncu 1250: it is lazy\n", out)
            self.assertIn("20 rows, 1 differ: 1 explained, 0 not: good\n", out)
            self.assertEqual(rows, [["it is lazy", "copy_kernel", "load requests", "1", "1251", "1250"]])
            launches = [tuple(row.values()) for row in self.rows("counts_launches.csv")]  # also those that do not differ
            self.assertEqual(launches[0], ("copy, 33", "copy_kernel", "1x1x1", "32x1x1", "7", "2", "5", "2", "5", "0", "0"))
            self.assertEqual([row[0] + ": " + row[5] for row in launches], ["copy, 33: 2", "copy, many: 1250 (emulated: 1251)"])

    def test_another_difference_is_not_explained(self):
        for line in (
            "copy_kernel,load requests,1,more,it is lazy",
            "copy_kernel,load sectors,1,either,it is lazy",
            "reduce_kernel,load requests,1,either,it is lazy",
            "copy_kernel,load requests,0,either,it is lazy",
        ):
            status, out, rows = self.differing(line)
            self.assertEqual(status, 1, line)
            self.assertIn("emulated 1251, ncu 1250: NOT EXPLAINED\n", out)
            self.assertIn("20 rows, 1 differ: 0 explained, 1 not: NOT GOOD\n", out)
            self.assertEqual(rows, [["NOT EXPLAINED", "copy_kernel", "load requests", "1", "1251", "1250"]])

    def test_more_launches_than_explained(self):
        both = [(*l[:3], (l[3][0] + 1, *l[3][1:])) if l[1] == "copy_kernel" else l for l in LAUNCHES]
        self.assertEqual(self.differing("copy_kernel,load requests,2,fewer,it is lazy", emulated=both)[0], 0)
        status, out, rows = self.differing("copy_kernel,load requests,1,fewer,it is lazy", emulated=both)
        self.assertEqual(status, 1)
        self.assertEqual(out.count("NOT EXPLAINED"), 2)
        self.assertEqual(rows, [["NOT EXPLAINED", "copy_kernel", "load requests", "2", "1254", "1252"]])

    def test_what_explains_nothing_is_said(self):
        status, out, _ = self.differing(
            "copy_kernel,load requests,1,fewer,it is lazy", "copy_kernel,store requests,1,fewer,likewise"
        )
        self.assertEqual(status, 0)
        self.assertIn(f"explained, and equal: copy_kernel, {METRICS[2]}\n", out)
        self.assertNotIn(f"explained, and equal: copy_kernel, {METRICS[0]}\n", out)

    def test_lists_that_are_none(self):
        good = "copy_kernel,load requests,1,fewer,it is lazy"
        for lines, message in (
            ((good.replace("load requests", METRICS[0]),), "a metric is one of load requests, "),
            ((good.replace("fewer", "less"),), "gpu is fewer, more or either"),
            ((good.replace("it is lazy", ""),), "with a reason"),
            ((good.replace(",1,", ",many,"),), "'many' is no number"),
            ((good, good), "is there twice"),
            ((), "has no rows"),
        ):
            path = str(self.explained(*lines))
            status, _, err = self.run_tool(self.raw(), self.emulated(), "--explained", path)
            self.assertEqual(status, 2)
            self.assertIn(message, err)

    def test_the_list_of_the_book_is_one(self):
        self.assertGreater(len(tool.read_explained(tool.EXPLAINED)), 0)

    def test_differences_are_added_up_by_kernel(self):
        status, out, _ = self.run_tool(
            self.raw(), self.emulated(self.changed(1, 0, 1)), str(self.folder)
        )
        self.assertEqual(status, 1)
        self.assertEqual(
            [list(row.values()) for row in self.rows("counts_kernels.csv")],
            [
                ["copy_kernel", "2", "1252 (emulated: 1253)", "5005", "1252", "5005", "0", "0"],
                ["transpose_kernel", "1", "32", "128", "32", "128", "1024", "32"],
                ["reduce_kernel", "1", "8", "32", "1", "1", "25", "20"],
            ],
        )

    def test_one_global_row_fails(self):
        for metric in range(4):
            status, out, _ = self.run_tool(
                self.raw(), self.emulated(self.changed(1, metric, -1)), str(self.folder)
            )
            self.assertEqual(status, 1)
            self.assertIn(f"copy, many: {METRICS[metric]}: emulated", out)
            (row,) = self.rows("counts_reasons.csv")
            self.assertEqual((row["metric"], int(row["emulated"]) - int(row["ncu"])), (list(tool.METRICS)[metric], -1))
            self.assertIn("(emulated: ", self.rows("counts_launches.csv")[1][list(tool.METRICS)[metric]])

    def test_old_differences_go(self):
        output = str(self.folder)
        self.run_tool(self.raw(), self.emulated(self.changed(1, 0, 1)), output)
        self.assertTrue((self.folder / "counts_reasons.csv").exists())
        self.run_tool(self.raw(), self.emulated(), output)
        self.assertFalse((self.folder / "counts_reasons.csv").exists())

    def test_only_the_emulated_side_has_shared_accesses(self):
        status, _, _ = self.run_tool(self.raw(), self.emulated(self.changed(0, 5, 3)))
        self.assertEqual(status, 1)

    def refused(self, message, ncu, emulated):
        status, out, err = self.run_tool(ncu, emulated, str(self.folder))
        self.assertEqual(status, 2)
        self.assertIn(message, err)
        self.assertFalse((self.folder / "counts_summary.csv").exists())

    def test_files_that_do_not_belong_together(self):
        self.refused(
            "4 launches on the emulated device, 3 under ncu", self.raw(LAUNCHES[:3]), self.emulated()
        )
        swapped = [LAUNCHES[0], LAUNCHES[1], LAUNCHES[3], LAUNCHES[2]]
        self.refused("launch 2, 'transpose', is of transpose_kernel", self.raw(swapped), self.emulated())

    def test_launches_of_libraries_are_left_out(self):
        none = (1, 1, 1, 1, 0, 0)
        thrust = "void cub::CUB_1::detail::transform_kernel<tutorial::<unnamed>::times<float>>(int)"
        same_name = f"void transform::{LAUNCHES[0][1]}<int>(int)"
        fft = "void regular_fft<(unsigned int)64, (padding_t)1>(kernel_arguments_t<unsigned int>)"
        with_libraries = [
            ("", "", fft, none),
            LAUNCHES[0],
            ("", "", thrust, none),
            ("", "", same_name, none),
            ("", "", fft, none),
            *LAUNCHES[1:],
        ]
        status, out, _ = self.run_tool(self.raw(with_libraries), self.emulated())
        self.assertEqual(status, 0)
        self.assertIn("left out, launched by libraries: cub::transform_kernel (1), regular_fft (2), transform::copy_kernel (1)\n", out)
        status, out, _ = self.run_tool(self.raw(), self.emulated())
        self.assertNotIn("left out", out)
        # A kernel of ours is missed, and not taken for a library's.
        self.refused(
            "4 launches on the emulated device, 3 under ncu",
            self.raw([*with_libraries[:4], *LAUNCHES[2:]]),
            self.emulated(),
        )

    def test_files_that_are_none(self):
        nothing = self.file("nothing.csv", "==PROF== Disconnected\n")
        self.refused("has no table of ncu", nothing, self.emulated())
        self.refused(
            "was it written on the emulated device",
            self.raw(),
            self.emulated(header=["index", "entry", "kernel"]),
        )
        self.refused("No such file", self.folder / "missing.csv", self.emulated())
        self.refused("has no rows", self.raw(), self.emulated([]))
        self.refused("has no launches", self.raw([]), self.emulated())

    def test_scaled_or_missing_numbers(self):
        self.refused("--print-units base", self.raw(units=["Krequest", *UNITS[1:]]), self.emulated())
        text = self.raw().read_text(encoding="utf-8")
        self.refused(
            "--print-units base", self.file("ncu.csv", text.replace('"5"', '"5.5"')), self.emulated()
        )
        self.refused("is no number", self.file("ncu.csv", text.replace('"5"', '"n/a"')), self.emulated())
        self.refused(
            "ncu has not measured " + METRICS[5],
            self.file("ncu.csv", text.replace(METRICS[5], "another")),
            self.emulated(),
        )

    def test_a_comparison_of_nothing_is_no_success(self):
        copies = [LAUNCHES[0]]
        self.refused("no launch has anything to compare", self.raw(copies), self.emulated(copies))

    def test_a_record_is_made_with_the_profiler(self):
        """With stand-ins for the driver, the toolkit and ncu, which writes what it is told to measure."""
        stand_ins = {
            "nvidia-smi": "echo GPU of a test",
            "nvcc": "echo release 13.0, V13.0.1",
            "ncu": f"""case $* in
  --query-metrics) echo '{tool.BY_INSTRUCTION[METRICS[4]]}  what it counts' ;;
  --version) printf 'NVIDIA\\nVersion 2025.3\\n' ;;
  *) while [ "$1" != --log-file ]; do [ "$1" != --metrics ] || echo "$2" >"{self.folder}/asked"; shift; done
     cp "{self.raw()}" "$2"; exec "$3" ;;
esac""",
            "count_kernels": f"touch '{self.folder}/started'; exit $(cat '{self.folder}/status')",
        }
        for name, text in stand_ins.items():
            path = self.file(name, f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        self.file("status", "0")
        raw = self.folder / "raw"
        raw.mkdir()
        explained = str(self.explained("copy_kernel,load requests,1,fewer,it is lazy"))
        options = ["--gpu-program", str(self.folder / "count_kernels"), "--emulated", str(self.emulated()), "--explained", explained]
        path = os.pathsep.join((str(self.folder), os.environ["PATH"]))
        said = io.StringIO()
        with (
            unittest.mock.patch.dict(os.environ, {"PATH": path}),
            unittest.mock.patch.object(tool.records, "raw_folder", return_value=raw),
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
        ):
            self.assertEqual(tool.main([*options, str(self.folder / "a")]), 0, said.getvalue())
            self.assertEqual(tool.main([*options, str(self.folder / "a")]), 2)  # holds a record
            self.file("status", "1")
            self.assertEqual(tool.main([*options, str(self.folder / "b")]), 2)  # as if ncu had failed
        record = json.loads((self.folder / "a/record.json").read_text())
        self.assertEqual((record["device"], record["toolkit"], record["profiler"]), ("GPU of a test", "13.0", "2025.3"))
        self.assertEqual(len(self.rows("a/counts_kernels.csv")), 3)
        self.assertTrue((self.folder / "started").exists() and (raw / "ncu.csv").exists())
        asked = self.folder.joinpath("asked").read_text().strip().split(",")
        self.assertEqual(asked, [name + ".sum" for name in (*METRICS, tool.BY_INSTRUCTION[METRICS[4]])])
        self.assertFalse((self.folder / "b/record.json").exists())

    def test_names_of_kernels(self):
        for name in (
            "copy_kernel",
            "copy_kernel(const float *, float *, int)",
            "void copy_kernel<float>(const T1 *, T1 *, int)",
            "tutorial::<unnamed>::copy_kernel(const float *)",
            "void tutorial::(anonymous namespace)::copy_kernel<tutorial::(anonymous namespace)::four>(T1)",
        ):
            self.assertEqual(tool.base_name(name), "copy_kernel", name)
        self.assertEqual(
            tool.base_name("void transform::copy_kernel<cuda::tuple<tutorial::<unnamed>::times *>>(T1)"),
            "transform::copy_kernel",
        )


if __name__ == "__main__":
    unittest.main()
