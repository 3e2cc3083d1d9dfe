#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the pages beside the lessons say about their tables holds for the tables that they show.

As test_claims.py does for lessons: each sentence here must be on its page, and its condition must hold for the figures
beside it. Where one fails after a new record, the sentence changes.
"""

import functools
import itertools
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from claims.lessons import ROOT, Lesson, Table, alike  # noqa: E402


class Page:
    def __init__(self, name, change=None):
        self.text, self.change = (ROOT / name).read_text(encoding="utf-8"), change

    def says(self, sentence):
        return " ".join(sentence.split()) in " ".join(self.text.split())

    def table(self, *words):
        """The one measured table whose block is made with all these words."""
        blocks = re.findall(r"<!-- generated: (measured .*?) -->\n(.*?)<!-- end generated -->", self.text, re.DOTALL)
        found = [Table(body.splitlines()) for head, body in blocks if all(word in head for word in words)]
        if len(found) != 1:
            raise LookupError(f"{len(found)} tables made with {words}")
        if self.change:
            for row in found[0].rows:
                row[1:] = [self.change(cell) for cell in row[1:]]
        return found[0]


CLAIMS = []
SLOW, THEN, RECORD, PEERS, FAULTS, COUNTS = (
    f"docs/{name}.md" for name in ("wrong_or_slow", "then_and_now", "record", "peers", "faults", "counts")
)


def claim(page, sentence):
    def add(condition):
        CLAIMS.append((page, sentence, condition))
        return condition

    return add


@claim(SLOW, "Below about a million bytes the size makes little difference.")
def _(page):
    table = page.table("sweep_of=copies")
    sizes, times = table.column("Bytes each way"), table.column("Median ms")
    small = [time for size, time in zip(sizes, times) if size <= 1 << 20]
    return len(small) >= 3 and alike(small, 0.15) and times[-1] > 5 * small[0]


@claim(SLOW, "`08 shared_matrix` takes hardly longer than the empty kernel.")
def _(page):
    table = page.table("threads_per_block=64")
    return 1 <= table.at("08 shared_matrix", "Median ms") / table.at("nothing", "Median ms") < 1.1


@claim(SLOW, "only one in eight or nine of its instructions is a multiply-add of the filter.")
def _(page):
    table = page.table("06_profile", "1025 taps")
    return table.at("direct", "Issue slots") > 80 and 8 < table.at("direct", table.titles[-1]) / 1025 < 9


@claim(SLOW, "The control takes much less time than the round trip, so memory is not the limiter.")
def _(page):
    table = page.table("work=limits")
    return all(
        1.3 * table.at(("09 move_blocks", width), "Median ms") < table.at(("09 fused", width), "Median ms")
        for width in ("2592", "16,384")
    )


@claim(SLOW, "`05 shared_padded` differs from `05 shared_neighbors` by the unused elements and by the arithmetic that skips them.")
def _(page):
    table = page.table("shared_bytes=")
    return table.at("05 shared_neighbors", "Median ms") > 2 * table.at("05 shared_padded", "Median ms")


@claim(SLOW, "the lanes take turns, and the walk takes many times as long.")
def _(page):
    table = page.table("table=walks")
    return table.at(("each lane elsewhere", "constant"), "Times as long as the first") > 10


@claim(SLOW, "`03 warp_per_output` does the same multiply-adds with 32 times as many threads, and is several times as fast.")
def _(page):
    table = page.table("work=C")
    return table.at("02 direct", "Median ms") > 3 * table.at("03 warp_per_output", "Median ms")


@claim(THEN, "The work stays the same, and the factor falls from hundreds or thousands to a few, or to less than one.")
def _(page):
    table = page.table("factors.csv")
    return min(table.column("debug warm")) > 100 and max(table.column("with pageable copies")) < 10


@claim(THEN, "the host's cores win, even against pinned copies, which are several times as fast as pageable ones, and in S4 against copies both ways at once.")
def _(page):
    table = page.table("factors.csv")
    pairs = [(float(row[-3]), float(row[-2])) for row in table.rows if row[0] in ("S3", "S4")]
    overlapped = [float(row[-1]) for row in table.rows if row[0] == "S4"]
    return all(pageable < pinned < 1 and pinned > 2 * pageable for pageable, pinned in pairs) and max(overlapped) < 1


@claim(THEN, "they take several sets in turn and need longer than the GPU with copies both ways at once.)")
def _(page):
    table = page.table("speed_ups.csv")
    host, gpu = (table.at(("S4", "GPU", "all cores, best kernel here, with overlapped copies"), side) for side in ("host", "GPU"))
    return f"{host:.1f}" == "1.3" and Lesson("02").table("02_direct", "of_limit").at(("A", "01 all_cores"), "Median ms") > 1.2 * gpu


@claim(THEN, "Once both kernels are warm, they are almost equal.")
def _(page):
    plain, constant = (page.table("factors.csv").at(("S4", report), "debug warm") for report in ("GPU", "GPU, constant memory"))
    return abs(constant / plain - 1) < 0.1


@claim(RECORD, "Two H200s miss the demand on flags, so four H200s may miss theirs.")
def _(page):
    row = "two GPUs: 5 taps, 2^28 floats in all, flags, times as fast as one"
    (wanted,) = (float(each[2].removeprefix(">= ")) for each in page.table("bars.csv").rows if each[1] == row)
    return page.table("bars.csv").at(("15", row), "First run") < wanted


@claim(RECORD, "The last column is its time divided by the time of our fastest method")
def _(page):
    table = page.table("table=length")
    return all(abs(float(row[1]) / float(row[2]) / float(row[4]) - 1) < 0.02 for row in table.rows)


@claim(RECORD, "**Above 1**: the row of a few microseconds (C, chapter 03) contains a launch")
@claim(RECORD, "Times as short as this differ by as much between two runs.")
def _(page):
    table, spread = page.table("h100/beside.csv"), page.table("h200/spread_summary.csv")
    above = [row for row in table.rows if float(row[5]) > 1.1]
    largest = abs(spread.at(("03", "device, short"), "Largest %"))
    return (
        [row[:2] for row in above] == [["03", "C (int32, 1,024 samples, 1024 taps)"]]
        and float(above[0][3]) < 0.01
        and 100 * (float(above[0][5]) - 1) < largest
    )


@claim(RECORD, "a share a little above 1 means that the copies alone were not faster.")
def _(page):
    shares = [float(row[7]) for row in page.table("h100/beside.csv").rows if row[0] == "12"]
    return len(shares) == 4 and all(1 < share < 1.1 for share in shares)


def by_ways(table, title):
    """[(the smallest figure of ours, the smallest of a library)] for each way of a picture."""
    ways = {}
    for row in table.rows:
        ours, theirs = ways.setdefault((row[1], row[2]), ([], []))
        (ours if row[0].startswith("10 ") else theirs).append(float(row[table.titles.index(title)].replace(",", "")))
    return [(min(ours), min(theirs)) for ours, theirs in ways.values() if ours and theirs]


@claim(PEERS, "No library's time on this page is shorter than ours.")
def _(page):
    works, pictures = page.table("standard.csv"), by_ways(page.table("side=8192,timed=one call"), "ms")
    of_tables = [ratio for name in ("ratios_full", "ratios_same", "one_call.csv") for row in ratios(page, name).values() for ratio in row]
    of_works = [ratio for title in ("ratio to ours", "ratio to one call", "ratio to that") for ratio in works.column(title)]
    return min(of_tables + of_works) > 1 and len(pictures) > 3 and all(ours < theirs for ours, theirs in pictures)


@claim(PEERS, "Times of the host differ most, as")
def _(page):
    table, host = page.table("spread_summary.csv"), "host"
    medians = {where: [float(row[3]) for row in table.rows if (row[1] == host) == (where == host)] for where in (host, "else")}
    return min(medians[host]) > 5 * max(medians["else"])


@claim(PEERS, "Their files with codes made for the picture are smaller than ours, by less than a thousandth.")
def _(page):
    table = page.table("side=8192,timed=one call")
    wanted = ("10 encoder, optimized Huffman codes", "nvJPEG, optimized Huffman codes", "libjpeg, one core")
    ours, nvjpeg, libjpeg = (table.at((by, "a file on the host", "pixels on the host"), "bytes") for by in wanted)
    return all(0.999 < theirs / ours < 1 for theirs in (nvjpeg, libjpeg))


def beside_nvjpeg(page, to, pixels):
    """nvJPEG's time over that of chapter 10: with the standard's codes, and with codes made for the picture."""
    table = page.table("side=8192,timed=one call")
    rows = [("10 encoder", "nvJPEG"), ("10 encoder, optimized Huffman codes", "nvJPEG, optimized Huffman codes")]
    return [table.at((theirs, to, pixels), "ms") / table.at((ours, to, pixels), "ms") for ours, theirs in rows]


@claim(PEERS, "encoder is more than four times as fast as nvJPEG with the standard's codes, and about five times with codes made for the picture.")
def _(page):
    plain, own = beside_nvjpeg(page, "a file on the device", "pixels on the device")
    return 4 < plain < 5 and 4.7 < own < 5.3


@claim(PEERS, "Here both also wait for the pixels' way up, so the ratio is smaller, 1.3 to 1.6.")
def _(page):
    plain, own = beside_nvjpeg(page, "a file on the host", "pixels on the host")
    return f"{plain:.1f}" == "1.3" and f"{own:.1f}" == "1.6"


def ratios(page, record):
    """{taps: [ratio for each number of samples, the smallest first]} of a table of libraries' times over ours."""
    table = page.table(record)
    return {title: [float(row[i]) for row in table.rows if row[i]] for i, title in enumerate(table.titles) if i > 0}


@claim(PEERS, "Here we gain most with long signals.")
def _(page):
    longest = {taps: row[-1] for taps, row in ratios(page, "ratios_full").items()}
    return min(longest[f"{taps} taps"] for taps in (65, 257, 1025)) > 1.3 * max(longest["3 taps"], longest["17 taps"], longest["4097 taps"])


@claim(PEERS, "the prices chose chapter 13's one pass, which takes 8 % longer than chapter 06's vectors in")
def _(page):
    ours = page.table("standard.csv").at(("A: 5 taps, same", "PyTorch conv1d"), "ours")
    return 1.07 < ours / Lesson("06").table("06_register_tiling", "work=A").at("06 vectors", "Median ms") < 1.1


@claim(PEERS, "No library is faster anywhere in this table. In")
def _(page):
    return 1.2 < min(ratio for row in ratios(page, "one_call.csv").values() for ratio in row)


@claim(RECORD, "On a GPU, all programs are through within four minutes, once they are built.")
@claim(RECORD, "Chapter 07 takes longest in its first run on a machine")
def _(page):
    times = page.table("programs.csv")
    each = {row[0]: float(row[1]) for row in times.rows}
    all_of_them = each.pop("all")
    return len(each) == 16 and 0.9 * sum(each.values()) < all_of_them < 240 and max(each, key=each.get)[:2] == "07"


@claim(FAULTS, "Most mistakes are arithmetic, and a tool cannot know what you meant.")
@claim(FAULTS, "The checks find nearly all mistakes")
@claim(FAULTS, "Tools find fewer mistakes, but among them some that leave no trace in a result.")
@claim(FAULTS, "initcheck has nothing to find here, and synccheck next to nothing.")
def _(page):
    table = page.table("summary.csv")
    found = {by: table.at(by, "found") for by in ("checks", "emulated device", "initcheck", "synccheck", "compute-sanitizer, all four")}
    all_of_them, silent = table.at("checks", "mistakes"), table.at("emulated device", "found of these")
    return (
        table.at("checks", "found by it alone") > all_of_them / 2
        and 0.85 < found["checks"] / all_of_them < 1
        and max(found["emulated device"], found["compute-sanitizer, all four"]) < found["checks"] / 2
        and silent > table.at("checks", "found of these")
        and found["initcheck"] == 0
        and found["synccheck"] <= 2
    )


@functools.cache
def chapters_of_kernels():
    """{kernel: the number of the first chapter that has it}; small kernels of tests/counts are not there."""
    result = {}
    for file in sorted(ROOT.glob("chapters/*/**/*.cu")):
        for kernel in re.findall(r"\b(\w+_kernel)\(", file.read_text(encoding="utf-8")):
            result.setdefault(kernel, file.relative_to(ROOT / "chapters").parts[0][:2])
    return result


@claim(COUNTS, "In the small kernels and in chapters 00 to 07, 12 and 15, every row is equal.")
def _(page):
    causes, summary = page.table("counts_reasons"), page.table("counts_summary")
    chapters = {chapters_of_kernels().get(row[1]) for row in causes.rows}
    all_are_there = sum(causes.column("Launches")) == sum(summary.column("different"))
    explained = all(row[0] != "NOT EXPLAINED" for row in causes.rows)
    return all_are_there and explained and chapters <= {"08", "09", "10", "11", "13", "14"}


@claim(COUNTS, "so 192 requests fewer in each block.")
def _(page):
    (row,) = (row for row in page.table("counts_reasons").rows if row[1:3] == ["radix_filter_kernel", "load requests"])
    launches, emulated, ncu = (float(cell.replace(",", "")) for cell in row[3:])
    return emulated - ncu == 192 * launches


@claim(COUNTS, "with 33 taps, 92 instead of 113, because the new beginning is that of a sector.")
def _(page):
    (row,) = (row for row in page.table("counts_launches").rows if row[0] == "convolve_bulk float, 33 taps, full, 2601")
    requests = float(row[1])  # whose sectors are four each, and fewer at the edges
    return row[2] == "92 (emulated: 113)" and 92 / 4 <= requests < 92 / 3.5


class Pages(unittest.TestCase):
    def test_each_sentence_holds(self):
        for name, sentence, condition in CLAIMS:
            with self.subTest(page=name, sentence=sentence):
                page = Page(name)
                self.assertTrue(page.says(sentence), "the page does not say this any more: change it here")
                self.assertTrue(condition(page), "the figures of the page do not say so")

    def test_each_sentence_can_fail(self):
        def with_figures(*figures):
            """Every figure of a table is the next of these."""
            following = itertools.cycle(figures)
            return lambda cell: next(following) if re.match(r"[\d,.]+(e[+-]\d+)?$", cell) else cell

        changes = (with_figures("1.0"), with_figures(*(f"{1.7**i}" for i in range(1, 90))))
        for name, sentence, condition in CLAIMS:
            with self.subTest(page=name, sentence=sentence):

                def holds(change):
                    try:
                        return condition(Page(name, change))
                    except (LookupError, ValueError):
                        return False

                self.assertFalse(all(map(holds, changes)), "it holds for all other figures, too")


if __name__ == "__main__":
    unittest.main()
