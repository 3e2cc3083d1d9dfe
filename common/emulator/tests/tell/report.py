#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The pages that EMULATOR_REPORT asks for: report.py PROGRAM SOURCE, where PROGRAM was made of SOURCE (report.cu)."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

program = source = None
HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


class Page:
    """A report, read as XML: what is not well-formed does not come this far."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.root = xml.fromstring(self.text)

    def all(self, path):
        return self.root.findall(path.replace("h:", HTML).replace("s:", SVG))

    @staticmethod
    def words(element):
        return "".join(element.itertext())

    @property
    def verdict(self):
        (found,) = (p for p in self.all(".//h:header/h:p") if p.get("class").startswith("verdict"))
        return self.words(found)

    def fact(self, name):
        facts = self.all(".//h:dl[@class='facts']/*")
        return next(self.words(b) for a, b in zip(facts, facts[1:]) if self.words(a) == name)

    @property
    def kernels(self):
        return self.all(".//h:section[@id='kernels']/h:article")

    def pictures(self, kernel):
        return kernel.findall(f".//{SVG}svg")

    @property
    def launches(self):
        return [
            [self.words(cell) for cell in row] for row in self.all(".//h:section[@id='launches']//h:tbody/h:tr")
        ]

    @property
    def findings(self):
        return self.all(".//h:section[@id='findings']/h:article")


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.file = self.folder / "report.html"

    def tearDown(self):
        shutil.rmtree(self.folder)

    def start(self, mode, file=None, **more):
        environment = {**os.environ, "EMULATOR_REPORT": str(file or self.file), **more}
        return subprocess.Popen(
            [program, mode],
            env=environment,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run_program(self, mode, status=0, **more):
        process = self.start(mode, **more)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, status, errors)
        return output, errors

    def reports(self):
        """The reports in the folder, without the pages of steps beside them."""
        return sorted(path for path in self.folder.iterdir() if "_steps_" not in path.name)

    def page(self, mode, status=0, **more):
        self.output, self.errors = self.run_program(mode, status, **more)
        page = Page(self.file)
        self.assertEqual(self.reports(), [self.file])
        # Every page of steps is linked, and every link leads to one.
        linked = [a.get("href") for a in page.all(".//h:a") if not a.get("href").startswith("#")]
        self.assertEqual(sorted(linked), sorted(path.name for path in self.folder.iterdir() if path != self.file))
        return page

    def line(self, code):
        """The number of the line in the source that has this in it."""
        lines = Path(source).read_text(encoding="utf-8").splitlines()
        (number,) = [i for i, line in enumerate(lines, 1) if code in line]
        return number

    def test_two_kernels(self):
        page = self.page("plain")
        self.assertEqual(self.errors, "")
        self.assertEqual(page.verdict, "2 launches, no findings")
        self.assertIn("plain", page.fact("Program"))
        self.assertEqual(page.fact("End"), "exit status 0")
        self.assertEqual(page.fact("Checks and counts"), "on")
        self.assertEqual(page.findings, [])
        names = [page.words(kernel.find(HTML + "h3")) for kernel in page.kernels]
        self.assertEqual(names, ["scale_kernel<pair_of<float, 2>, 3>", "column_kernel"])
        self.assertEqual([len(page.pictures(kernel)) for kernel in page.kernels], [2, 4])
        self.assertIn(f"report.cu:{self.line('void column_kernel')}", page.words(page.kernels[1]))

    def test_only_words_of_memory_that_was_used_are_explained(self):
        for mode, of_memory in {"many": [], "plain": ["Wavefront, factor", "Turn"]}.items():
            page = self.page(mode)
            words = [page.words(each) for each in page.all(".//h:section[@id='words']//h:dt")]
            self.assertIn("Sector, percentage", words)
            self.assertEqual([word for word in words if word in ("Wavefront, factor", "Turn")], of_memory)

    def test_each_kernel_has_a_page_of_steps(self):
        page = self.page("plain")
        steps = [self.folder / a.get("href") for a in page.all(".//h:article//h:a")]
        self.assertEqual([path.name for path in steps], ["report_steps_1.html", "report_steps_2.html"])
        for path, kernel in zip(steps, ("scale_kernel\\u003cpair_of\\u003cfloat, 2>, 3>", "column_kernel")):
            text = path.read_text(encoding="utf-8")
            self.assertIn(f'"kernel":"{kernel}"', text)
            self.assertIn('"kind":"store"', text)
            self.assertLess(len(text), 2_000_000)

    def test_template_arguments_are_escaped(self):
        page = self.page("plain")
        self.assertIn("scale_kernel&lt;pair_of&lt;float, 2&gt;, 3&gt;", page.text)
        self.assertNotIn("<float", page.text)

    def test_counts_are_those_of_the_log(self):
        page = self.page("plain")
        wanted = [line.split() for line in self.output.splitlines()]
        self.assertEqual(len(wanted), 2)
        for launch, counts in zip(page.launches, wanted):
            self.assertTrue(launch[1].startswith(counts[0]), launch)
            self.assertEqual([int(cell.replace(",", "")) for cell in launch[6:]], [int(c) for c in counts[1:]])
        first, second = page.launches
        self.assertEqual(first[2], f"report.cu:{self.line('scale_kernel<pair_of<float, 2>, 3><<<2, 32>>>')}")
        self.assertEqual([first[3:6], second[3:6]], [["2", "32", "0"], ["1", "32", "4,096"]])

    def test_what_counts_mean(self):
        page = self.page("plain")
        scale, column = (page.words(kernel) for kernel in page.kernels)
        self.assertIn("100 % Threads request every byte that memory moves. 2.5 sectors a request.", scale)
        self.assertIn("factor 32.00 Bank conflicts: 32 wavefronts, where 1 would do.", column)
        self.assertIn("2 turns a request: so many different addresses, and each costs a turn.", column)
        self.assertIn("1 barrier: 1 in each block.", column)
        self.assertNotIn("Bank conflicts", scale)

    def test_what_matters_comes_first_and_numbers_have_names(self):
        """On a narrow page the columns stand below each other."""
        page = self.page("plain")
        for row in page.all(".//h:table[@class='sums']/h:tbody/h:tr"):
            self.assertEqual([cell.tag for cell in row][:2], [HTML + "th", HTML + "td"])
            self.assertEqual(row[1].get("class"), "words")
            self.assertEqual(len(row[1].findall(HTML + "strong")), 1)
            names = [cell.get("data-column") for cell in row[2:]]
            self.assertEqual(names, ["accesses", "bytes requested", "requests", "moved"])
        poor = [page.words(each) for each in page.all(".//h:strong[@class='poor']")]
        self.assertEqual(poor, ["factor 32.00", "factor 32.00", "2 turns"])

    def test_a_timeline_where_there_are_streams(self):
        (section,) = self.page("streams").all(".//h:section[@id='timeline']")
        words = "".join(section.itertext())
        self.assertIn("copies up", words)
        self.assertIn("256 bytes up, 0 bytes down; the longest chain has 256 bytes", words)
        self.assertEqual(words.count("cudaMemcpyAsync()"), 2)
        self.assertEqual(words.count("kernel scale_kernel"), 2)
        self.assertEqual(self.page("plain").all(".//h:section[@id='timeline']"), [])

    def test_failed_calls(self):
        page = self.page("failed")
        self.assertEqual(page.verdict, "2 launches, no findings, 2 failed calls")
        (section,) = page.all(".//h:section[@id='failed']")
        copies, wrong = (page.words(each) for each in section.findall(f".//{HTML}li"))
        line = self.line("cudaMemcpyDeviceToDevice")
        self.assertIn(f"{source}:{line} cudaMemcpy() failed here: invalid argument: ", copies)
        self.assertIn(", but cudaMemcpyDeviceToDevice copies from the device to the device", copies)
        self.assertIn(f"{source}:{line}: note: cudaMemcpy() failed here", self.errors)
        self.assertIn("cudaFree() failed here: invalid argument", wrong)
        self.assertEqual(Page(self.file).all(".//h:header/h:p[@class='verdict good']"), [])
        # Refused launches are counted once.
        page = self.page("refused")
        self.assertEqual(page.verdict, "4 launches and 1 refused, no findings")
        self.assertIn("the launch of scale_kernel", page.text)
        self.assertEqual(self.page("plain").all(".//h:section[@id='failed']"), [])

    def test_names_within_the_page_are_unique_and_nothing_is_loaded(self):
        page = self.page("plain")
        names = [element.get("id") for element in page.root.iter() if element.get("id")]
        self.assertEqual(len(names), len(set(names)))
        for element in page.root.iter():
            for attribute in ("href", "src", "srcset", "{http://www.w3.org/1999/xlink}href"):
                if (element.tag, attribute) != (HTML + "a", "href"):  # page() looks where these lead
                    self.assertIsNone(element.get(attribute))
            self.assertNotIn(element.tag, (HTML + "script", HTML + "link", HTML + "img", HTML + "iframe"))
        self.assertNotRegex(page.text, r"url\(|@import")
        addresses = set(re.findall(r"https?://[^\"' <]*", page.text))
        self.assertLessEqual(addresses, {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"})

    def test_a_finding_with_its_lines(self):
        page = self.page("race", status=1)
        self.assertEqual(page.verdict, "3 launches, 1 finding")
        (finding,) = page.findings
        self.assertEqual(page.words(finding.find(HTML + "h3")), "Race in kernel race_kernel")
        self.assertIn(page.words(finding.find(HTML + "pre")).strip(), self.errors)
        self.assertIn("Usual cause: a missing __syncthreads()", page.words(finding))
        read, write = (self.line(code) for code in ("tile[63 - threadIdx.x]", "tile[threadIdx.x] = 1"))
        marked = [page.words(line) for line in finding.findall(f".//{HTML}li[@class='marked']")]
        self.assertEqual(
            marked,
            [
                f"{write}  tile[threadIdx.x] = 1;",
                f"{read}  y[threadIdx.x] = tile[63 - threadIdx.x];  // & \"marked\" <here>",
            ],
        )
        (named,) = finding.findall(f".//{HTML}li[@class='named']")
        self.assertIn("__shared__ float tile[64];", page.words(named))
        self.assertEqual([launch[2] for launch in page.launches], ["", "", "by a finding"])

    def shown(self, page):
        return page.all(".//h:section[@id='failure']/h:article")

    def test_the_launches_of_a_failed_check_come_first(self):
        trace = self.folder.parent / (self.folder.name + ".trace")
        self.addCleanup(trace.unlink, missing_ok=True)
        page = self.page("shown", SHOWN_TRACE=str(trace))
        # Two kernels were launched twice since launches were kept: the last launch of each is shown.
        self.assertEqual(
            self.output.splitlines()[:2],
            ["5 scale_kernel<pair_of<float, 2>, 3> [] []", "6 column_kernel [banks] []"],
        )
        self.assertEqual(page.verdict, "7 launches, no findings, a check failed")
        self.assertEqual([article.get("id") for article in self.shown(page)], ["launch_5", "launch_6"])
        text = page.words(page.all(".//h:section[@id='failure']")[0])
        self.assertIn("The check that failed", text)
        self.assertIn("12 < 13 & so on", text)
        self.assertNotIn("1 < 2", text.replace("12 < 13", ""))
        self.assertEqual([len(page.pictures(article)) for article in self.shown(page)], [2, 4])
        self.assertIn("launch 6 of this run", page.words(self.shown(page)[1]))
        sections = [section.get("id") for section in page.all(".//h:section")]
        self.assertLess(sections.index("failure"), sections.index("kernels"))
        launches = [line.split()[1] for line in trace.read_text().splitlines() if line.startswith("launch ")]
        self.assertEqual(launches, ["5", "6"])

    def test_the_launch_with_a_finding_is_shown_and_heard_of(self):
        page = self.page("heard", status=1)
        self.assertIn("heard of launch 3: ", self.output)
        self.assertIn("access out of bounds in kernel outside_kernel", self.output)
        (article,) = self.shown(page)
        self.assertEqual(article.get("id"), "launch_3")
        self.assertIn("The launch with the finding", page.words(page.all(".//h:section[@id='failure']")[0]))
        self.assertEqual(len(page.findings), 1)

    def test_launches_that_nobody_looks_at(self):
        page = self.page("unseen")
        self.assertEqual(page.verdict, "2 launches, no findings")

    def test_a_source_that_is_newer(self):
        old = self.folder / "old"
        shutil.copy(program, old)
        os.utime(old, (1, 1))
        environment = {**os.environ, "EMULATOR_REPORT": str(self.file)}
        subprocess.run([old, "race"], env=environment, capture_output=True, check=False)
        page = Page(self.file)
        self.assertIn("newer than the program", page.words(page.findings[0]))

    def test_a_source_that_is_not_there(self):
        page = self.page("gone", status=1)
        (finding,) = page.findings
        self.assertIn("gone.cu:7: error: access out of bounds in kernel gone_kernel", page.words(finding))
        self.assertIn("could not be read when the program ended: its lines are not shown", page.words(finding))
        self.assertIn("cudaMalloc(&d_y", page.words(finding))

    def test_ends(self):
        for mode, status, end, verdict in (
            ("exit", 7, "exit status 7", "2 launches, no findings"),
            ("throw", -signal.SIGABRT, "signal 6", "2 launches, no findings"),
            ("crash", -signal.SIGSEGV, "signal 11", "2 launches, no findings"),
            ("refused", 0, "exit status 0", "4 launches and 1 refused, no findings"),
            ("leave", 1, "exit status 1", "2 launches, 2 findings"),
            ("nothing", 0, "exit status 0", "No launches, no findings"),
            ("elsewhere", 0, "exit status 0", "2 launches, no findings"),
            ("fork", 0, "exit status 0", "2 launches, no findings"),
        ):
            with self.subTest(mode):
                page = self.page(mode, status)
                self.assertIn(end, page.fact("End"))
                self.assertEqual(page.verdict, verdict)
        page = self.page("refused")
        self.assertIn("refused: invalid configuration argument", page.launches[4])

    def test_a_kernel_that_does_not_end(self):
        process = self.start("endless", EMULATOR_PATIENCE="0.2")
        self.assertIn("note: kernel endless_kernel has been running", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, -signal.SIGINT)
        end = Page(self.file).fact("End")
        self.assertIn("signal 2", end)
        self.assertIn("in the middle of kernel endless_kernel, launched at ", end)

    def test_thousands_of_launches(self):
        page = self.page("many")
        self.assertEqual(page.verdict, "5,000 launches, no findings")
        self.assertLess(len(page.text), 200_000)
        self.assertEqual(len(page.launches), 200)
        self.assertIn("4,800 further launches are not in this table", page.text)
        sums = page.words(page.kernels[0])
        self.assertIn("5,000 launches", sums)
        self.assertIn("5,000 sectors = 160,000 bytes", sums)

    def test_checks_off(self):
        page = self.page("race", EMULATOR_CHECK="0")
        self.assertEqual(page.verdict, "3 launches; checks were off: nothing was looked for")
        self.assertNotIn("bytes requested</th>", page.text)

    def test_a_file_that_cannot_be_written(self):
        for file, why in (
            (self.folder / "none" / "report.html", "No such file or directory"),
            (self.folder, "Is a directory"),
        ):
            process = self.start("plain", file=file)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 2)
            self.assertEqual(output, "")
            self.assertIn(f"the report cannot be written: {file}: {why}", errors)
        # At the end: said, and the status stays the program's own.
        process = self.start("plain", file="/dev/full")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn("the report cannot be written: /dev/full: No space left on device", errors)

    def test_what_was_there_is_replaced_whole(self):
        self.file.write_text("an older report")
        self.assertEqual(self.page("plain").verdict, "2 launches, no findings")

    def test_two_processes(self):
        first = self.start("wait")
        self.assertEqual(first.stdout.readline(), "waits\n")
        self.run_program("race", status=1)
        _, errors = first.communicate("\n", timeout=60)
        self.assertEqual(first.returncode, 0)
        other = self.folder / f"report.{first.pid}.html"
        self.assertIn("another process has written", errors)
        self.assertIn(other.name, errors)
        self.assertEqual(Page(self.file).verdict, "3 launches, 1 finding")
        self.assertEqual(Page(other).verdict, "2 launches, no findings")

    def test_many_processes_at_once(self):
        processes = [self.start("plain") for _ in range(6)]
        for process in processes:
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
        pages = self.reports()
        # Those that began after another had ended have replaced that one's; nothing else is lost, nothing is
        # broken.
        self.assertGreaterEqual(len(pages), 1)
        for page in pages:
            self.assertEqual(Page(page).verdict, "2 launches, no findings")

    def test_a_file_for_each_process(self):
        process = self.start("plain", file=self.folder / "report_%p.html")
        process.communicate(timeout=60)
        self.assertEqual([path.name for path in self.reports()], [f"report_{process.pid}.html"])


if __name__ == "__main__":
    program, source = (os.path.abspath(each) for each in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
