#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the pages beside the lessons say about their tables holds for the tables that they show.

As test_claims.py does for lessons: each sentence here must be on its page, and its condition must hold for the figures
beside it. Where one fails after a new record, the sentence changes.
"""

import csv
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


@claim(SLOW, "Up to about a million bytes, the size makes little difference.")
def _(page):
    table = page.table("sweep_of=copies")
    sizes, times = table.column("Bytes each way"), table.column("Median ms")
    small = [time for size, time in zip(sizes, times) if size <= 1 << 20]
    return len(small) >= 3 and alike(small, 0.15) and times[-1] > 5 * small[0]


@claim(SLOW, "`08 shared_matrix` takes only slightly longer than the empty kernel.")
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


@claim(SLOW, "`05 shared_padded` differs from `05 shared_neighbors` in the unused elements and in the arithmetic that skips them.")
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


@claim(THEN, "the factors fall in the same way. With pageable copies, the factor of S2 is still above 4, and the factors of S3 and S4 are below 1.")
def _(page):
    with open(ROOT / "docs/measurements/h100-2026-11-26-then-and-now/factors.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    falling = ("debug_warm", "optimized_warm", "cores_warm", "cores_pageable")
    ours = page.table("factors.csv")
    same_way = all(
        float(row[more]) > float(row[less]) for row in rows for more, less in zip(falling, falling[1:])
    ) and all(
        more > less
        for titles in [("debug warm", "optimized warm", "all cores", "with pageable copies")]
        for before, after in zip(titles, titles[1:])
        for more, less in zip(ours.column(before), ours.column(after))
    )
    copies = {row["source"]: float(row["cores_pageable"]) for row in rows}
    return same_way and 4 < copies["S2"] < 5 and copies["S3"] < 1 and copies["S4"] < 1


@claim(THEN, "The work stays the same, and the factor falls from hundreds or thousands to a few, or to less than one.")
def _(page):
    table = page.table("factors.csv")
    return min(table.column("debug warm")) > 100 and max(table.column("with pageable copies")) < 10


@claim(THEN, "They win even against pinned copies, which are several times as fast as pageable copies, and in S4 even against copies in both directions at once.")
def _(page):
    table = page.table("factors.csv")
    pairs = [(float(row[-3]), float(row[-2])) for row in table.rows if row[0] in ("S3", "S4")]
    overlapped = [float(row[-1]) for row in table.rows if row[0] == "S4"]
    return all(pageable < pinned < 1 and pinned > 2 * pageable for pageable, pinned in pairs) and max(overlapped) < 1


@claim(THEN, "they use several sets of arrays in turn, and take longer than the GPU with copies in both directions at once.)")
def _(page):
    table = page.table("speed_ups.csv")
    host, gpu = (table.at(("S4", "GPU", "all cores, best kernel here, with overlapped copies"), side) for side in ("host", "GPU"))
    return f"{host:.1f}" == "1.3" and Lesson("02").table("02_direct", "of_limit").at(("A", "01 all_cores"), "Median ms") > 1.2 * gpu


@claim(THEN, "Once both kernels are warm, they are almost equal.")
def _(page):
    plain, constant = (page.table("factors.csv").at(("S4", report), "debug warm") for report in ("GPU", "GPU, constant memory"))
    return abs(constant / plain - 1) < 0.1


@claim(RECORD, "**Above 1**: chapter 03's time for workload C, a few microseconds, includes a launch")
def _(page):
    table = page.table("h100/beside.csv")
    above = [row for row in table.rows if row[5] and float(row[5]) > 1.1]
    return (
        [row[:2] for row in above] == [["03", "C (int32, 1,024 samples, 1024 taps)"]]
        and float(above[0][3]) < 0.01
    )


@claim(RECORD, "and a share a little above 1 means that the two copies alone took no less time than the version with its kernels.")
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


def recorded(name):
    """The rows of a table of libraries: of the newest record of a device, or of its second run."""
    device, _, file = name.partition("-peers/")
    with open(sorted(ROOT.glob(f"docs/measurements/{device}-????-??-??-peers/{file}"))[-1], newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


FROM_HOST, TO_HOST = "gives=a file on the host", "gives=pixels on the host"


@claim(PEERS, "From there to pixels on the device, our decoder is more than 60 times as fast, even if nvJPEG uses the GPU's hardware decoder.")
@claim(PEERS, "it is more than 60 times as fast as nvJPEG, with the GPU's hardware decoder, too")
@claim(PEERS, "A marker every 32 units makes the file longer, and our decoder a little faster.")
def _(page):
    table = page.table("side=8192,timed=one call")
    to_device = {row[0]: float(row[3]) for row in table.rows if row[1:3] == ["pixels on the device", "a file on the host"]}
    ours, marked = to_device["10 decoder"], to_device["10 decoder, a marker every 32 units"]
    sizes = (table.at((by, "pixels on the device", "a file on the host"), "bytes") for by in ("10 decoder, a marker every 32 units", "10 decoder"))
    theirs = [time for by, time in to_device.items() if by.startswith("nvJPEG")]
    return len(theirs) == 6 and 60 < min(theirs) / ours < min(theirs) / marked < 80 and 0.8 < marked / ours < 0.98 and next(sizes) > next(sizes)


@claim(PEERS, "NPP's two passes over a picture take less time than chapter 08's.")
@claim(PEERS, "NPP's passes take less time than ours, which have one thread for each output.")
@claim(PEERS, "It takes 40% of the time of NPP's two passes.")
@claim(PEERS, "takes 40% of the time of NPP's two passes.")
@claim(PEERS, "and takes less time than `FilterBorder`.")
def _(page):
    table = page.table("filters.csv")
    for side in ("2592", "16,384"):
        npp, square_npp, two, one, square = (
            table.at((side, by), "ms")
            for by in ("NPP, FilterRowBorder and FilterColumnBorder", "NPP, FilterBorder", "08 separable", "08 fused", "08 square")
        )
        if not (1.1 < two / npp < 1.6 and 0.38 < one / npp < 0.42 and square < 0.9 * square_npp):
            return False
    return True


@claim(PEERS, "In all other comparisons on this page, the library takes longer than our version.")
def _(page):
    works, pictures = page.table("standard.csv"), by_ways(page.table("side=8192,timed=one call"), "ms")
    names = ("h200-peers/ratios_full", "one_call.csv", "h100-peers/ratios_full")
    of_tables = [ratio for name in names for row in ratios(page, name).values() for ratio in row]
    of_tables.remove(0.991)  # the one case that is named
    of_tables += [float(row[taps]) for row in recorded("h200-peers/ratios_same.csv") for taps in row if taps != "samples" and row[taps]]
    of_tables += [ratio for taps, row in ratios(page, "from_host").items() if taps != "3 taps" for ratio in row]
    of_works = [ratio for title in ("ratio to ours", "ratio to one call", "ratio to ours on all cores") for ratio in works.column(title)]
    least = page.table("least.csv")
    others = [row for row in least.rows if not row[0].endswith(", new filter") or row[0].startswith("works")]
    of_h100 = [float(row[least.titles.index(title)]) for row in others for title in ("Least", "Second run")]
    for gives in (FROM_HOST, TO_HOST):
        table = page.table(gives)
        ours, theirs = ([row for row in table.rows if row[0].startswith("10 ") == mine] for mine in (True, False))
        pictures += [(max(float(row[at]) for row in ours), min(float(row[at]) for row in theirs)) for at in (2, 3)]
    return min(of_tables + of_works + of_h100) > 1 and len(pictures) > 7 and all(ours < theirs for ours, theirs in pictures)


@claim(PEERS, "NumPy has convolved them before the samples have reached a GPU and the sums have come back")
@claim(PEERS, "With 3 taps, the host is faster up to 16,384 samples. The same is true")
@claim(PEERS, "there the host is also faster with 65,536 samples in one of two runs.")
def _(page):
    table = page.table("h200-peers/from_host")
    here = {row[0] for row in table.rows if float(row[table.titles.index("3 taps")]) < 1}
    there = [
        {row["samples"] for row in recorded("h100-peers/" + run + "from_host.csv") if row["taps_3"] and float(row["taps_3"]) < 1}
        for run in ("", "again/")
    ]
    libraries = {
        row["faster"]
        for table in ("h200-peers/from_host.csv", "h100-peers/from_host.csv", "h100-peers/again/from_host.csv")
        for row in recorded(table)
        if float(row["taps_3"] or 1) < 1
    }
    up_to = {"4096", "16384"}
    return (
        here == {"4096", "16,384"} and sorted(there, key=len) == [up_to, up_to | {"65536"}] and libraries == {"NumPy convolve"}
    )


@claim(PEERS, "in three cases, by 13% at most.")
@claim(PEERS, "In the second run, there are [three such ratios](measurements/h100-2026-11-26-peers/faster.csv), all of them for PyTorch's `conv1d` with a new filter.")
@claim(PEERS, "Each such call takes about 0.02 ms, with PyTorch as well as with our version. In the first run, no ratio is below 1.")
def _(page):
    table = page.table("h100-peers/least")
    faster = [
        (float(row["their_ms"]), float(row["our_ms"]), row["at"].rpartition(": ")[2])
        for row in recorded("h100-peers/faster.csv")
        if row["run"] == "2"
    ]
    counts = {row[0]: table.at(row[0], "Below 1 there") for row in table.rows}
    return (
        sum(table.column("Below 1")) == 0
        and sum(counts.values()) == counts["full, new filter"] + counts["same, new filter"] == len(faster) == 3
        and f"{100 * (1 - min(theirs / mine for theirs, mine, _ in faster)):.0f}" == "13"
        and all(f"{theirs:.2f}" == f"{mine:.2f}" == "0.02" and by == "PyTorch conv1d" for theirs, mine, by in faster)
    )


@claim(PEERS, "PyTorch's `conv1d` takes less time than our version in [one case](#with-a-new-filter-in-every-call), by 1%;")
@claim(PEERS, "PyTorch's `conv1d` is faster in one case, by 1%: with 1,048,576 samples and 17 taps.")
@claim(PEERS, "it takes 1.5 times as long as our version there, and no library is faster anywhere.")
@claim(PEERS, "With *same* outputs, none is faster [in either run]")
def _(page):
    (faster,) = recorded("h200-peers/faster.csv")
    least = {row["compared"]: row for row in recorded("h200-peers/least.csv")}
    (second,) = (row["taps_17"] for row in recorded("h200-peers/again/one_call.csv") if row["samples"] == "1048576")
    below_1 = [(taps, ratio) for taps, row in ratios(page, "one_call.csv").items() for ratio in row if ratio < 1]
    return (
        below_1 == [("17 taps", 0.991)]
        and (faster["run"], faster["at"], f"{float(faster['ratio']):.2f}") == ("1", "1048576 samples, 17 taps: PyTorch conv1d", "0.99")
        and sum(int(row["again_below_1"]) for row in least.values()) == 0 < 1.45 < float(second) < 1.55
        and min(float(least["same, new filter"][run]) for run in ("least", "again_least")) > 1.2
    )


@claim(PEERS, "Up to 1025 taps, we gain less than on an H200, and with more taps we gain more.")
def _(page):
    h200, h100 = ({taps: row[-1] for taps, row in ratios(page, f"{device}-peers/ratios_full").items()} for device in ("h200", "h100"))
    return [taps for taps in h100 if h100[taps] < h200[taps]] == [f"{taps} taps" for taps in (3, 17, 65, 257, 1025)]


def on_host(page, gives, by):
    """What it took in both runs."""
    table = page.table(gives)
    return [table.at(by, title) for title in ("ms", "Second run")]


@claim(PEERS, "libjpeg takes less time than with its float DCT and codes made for the picture: on all 16 cores less than half as long. The file is then 17% larger.")
@claim(PEERS, "it is 0.3% larger. More of its levels differ from ours than with the float DCT.")
def _(page):
    pairs = [("libjpeg with its defaults, one core", "libjpeg, one core")]
    pairs += [("libjpeg with its defaults, a picture on each of 16 cores", "libjpeg, a picture on each of 16 cores")]
    shares = [a / b for pair in pairs for a, b in zip(*(on_host(page, FROM_HOST, by) for by in pair))]
    table = page.table(FROM_HOST)
    (plain, own), mine = ([table.at(by, "bytes") for by in pairs[0]], table.at("10 encoder", "bytes"))
    levels = [table.at(by, "Levels that differ from ours") for by in pairs[0]]
    return (
        all(0.35 < share < 0.7 for share in shares)
        and all(share < 0.5 for share in shares[2:])
        and (f"{100 * (plain / own - 1):.0f}", f"{100 * (plain / mine - 1):.1f}") == ("17", "0.3")
        and levels[0] > levels[1]
    )


@claim(PEERS, "with these defaults take ten to twelve times as long for a picture as our encoder, and one core takes more than a hundred times as long.")
def _(page):
    one, all_cores = (
        [theirs / ours for theirs, ours in zip(on_host(page, FROM_HOST, "libjpeg with its defaults, " + by), on_host(page, FROM_HOST, "10 encoder"))]
        for by in ("one core", "a picture on each of 16 cores")
    )
    return all(10 < ratio < 12 for ratio in all_cores) and all(100 < ratio < 150 for ratio in one)


@claim(PEERS, "with both copies, it is still more than ten times as fast as libjpeg on 16 cores")
@claim(PEERS, "**Our decoder** is ten to thirteen times as fast as libjpeg on all 16 cores, with markers and without.")
@claim(PEERS, "takes less time for a picture than nvJPEG does, even if nvJPEG uses the hardware decoder.")
def _(page):
    table = page.table(TO_HOST)
    cores = [
        on_host(page, TO_HOST, f"libjpeg with its defaults{markers}, a picture on each of 16 cores")
        for markers in ("", ", a marker every 32 units")
    ]
    ours = [on_host(page, TO_HOST, "10 decoder" + markers) for markers in ("", ", a marker every 32 units")]
    nvjpeg = [float(cell) for row in table.rows if row[0].startswith("nvJPEG") for cell in row[2:4]]
    ratios_of_all = [theirs / mine for pair in zip(cores, ours) for theirs, mine in zip(*pair)]
    return max(cores[0] + cores[1]) < min(nvjpeg) and all(10 < ratio < 13.3 for ratio in ratios_of_all)


@claim(PEERS, "**On an H100**, the ratios are about the same.")
def _(page):
    there = {
        tuple(row[name] for name in ("by", "gives", "way")): float(row["median_ms"])
        for row in recorded("h100-peers/pictures.csv")
        if (row["side"], row["picture"], row["timed"]) == ("8192", "gray", "one call")
    }
    ways = (("a file on the device", "pixels on the device"), ("a file on the host", "pixels on the host"))
    here = [beside_nvjpeg(page, *way) for way in ways]
    there = [[there["nvJPEG" + codes, *way] / there["10 encoder" + codes, *way] for codes in ("", ", optimized Huffman codes")] for way in ways]
    return all(
        standard > 4 and 4.75 < own < 5.5 and all(1.25 < ratio < 1.65 for ratio in from_host)
        for (standard, own), from_host in (here, there)
    )


@claim(PEERS, "On the H200, the libraries' times on the host differ most.")
@claim(PEERS, "One in ten of the libraries' times on the GPU differs by more than half.")
@claim(PEERS, "one in ten of the libraries' times on the GPU differs by about a quarter or more.")
def _(page):
    h200, h100 = (page.table(f"{device}-peers/spread_summary.csv") for device in ("h200", "h100"))
    tenth = "9 of 10 are below (%)"
    most = max(h200.rows, key=lambda row: float(row[3]))
    return most[:2] == ["peers", "host"] and h200.at(("peers", "device"), tenth) > 50 and 23 < h100.at(("peers", "device"), tenth) < 27


@claim(PEERS, "The libraries' files with codes made for the picture are smaller than ours, but by less than 0.1%.")
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


@claim(PEERS, "encoder is more than four times as fast as nvJPEG with the standard's codes, and about five times as fast with codes made for the picture.")
def _(page):
    plain, own = beside_nvjpeg(page, "a file on the device", "pixels on the device")
    return 4 < plain < 5 and 4.7 < own < 5.3


@claim(PEERS, "Here both encoders also wait until the pixels are copied to the GPU, so the ratio is smaller, 1.3 to 1.6.")
def _(page):
    plain, own = beside_nvjpeg(page, "a file on the host", "pixels on the host")
    return f"{plain:.1f}" == "1.3" and f"{own:.1f}" == "1.6"


def ratios(page, record):
    """{taps: [ratio for each number of samples, the smallest first]} of a table of libraries' times over ours."""
    table = page.table(record)
    return {title: [float(row[i]) for row in table.rows if row[i]] for i, title in enumerate(table.titles) if i > 0}


@claim(PEERS, "With long signals, this is where we gain the most.")
def _(page):
    longest = {taps: row[-1] for taps, row in ratios(page, "h200-peers/ratios_full").items()}
    return min(longest[f"{taps} taps"] for taps in (65, 257, 1025)) > 1.3 * max(longest["3 taps"], longest["17 taps"], longest["4097 taps"])


@claim(PEERS, "`fastest_convolver` chose chapter 13's one pass, which takes 6% longer than chapter 06's vectors in")
def _(page):
    ours = page.table("standard.csv").at(("A: 5 taps, same", "PyTorch conv1d"), "ours")
    return 1.05 < ours / Lesson("06").table("06_register_tiling", "work=A").at("06 vectors", "Median ms") < 1.07


@claim(RECORD, "On a GPU, all programs together take less than four minutes, once they are built.")
@claim(RECORD, "Chapter 07 takes longer than any other chapter when it runs for the first time on a machine")
def _(page):
    times = Page("docs/measurements/README.md", page.change).table("programs.csv")
    each = {row[0]: float(row[1]) for row in times.rows}
    all_of_them = each.pop("all")
    return len(each) == 16 and 0.9 * sum(each.values()) < all_of_them < 240 and max(each, key=each.get)[:2] == "07"


@claim(FAULTS, "Most mistakes are arithmetic, and a tool cannot know what you meant.")
@claim(FAULTS, "The checks find nearly all mistakes")
@claim(FAULTS, "Tools find fewer mistakes, but some of these leave no trace in a result.")
@claim(FAULTS, "initcheck finds nothing here, and synccheck finds almost nothing.")
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


@claim(COUNTS, "In the small kernels and in chapters 00 to 07, 12 and 15, all counts are equal.")
def _(page):
    causes, summary = page.table("counts_reasons"), page.table("counts_summary")
    of_kernels = chapters_of_kernels()
    chapters = {of_kernels.get(row[1]) for row in causes.rows}
    all_are_there = sum(causes.column("Launches")) == sum(summary.column("different"))
    explained = all(row[0] != "NOT EXPLAINED" for row in causes.rows)
    return all_are_there and explained and chapters <= {"08", "09", "10", "11", "13", "14"}


@claim(COUNTS, "differs only in kernels of chapters 08 to 11 and 13.")
def _(page):
    with open(sorted(ROOT.glob("docs/measurements/h100-????-??-??-counts/counts_kernels.csv"))[-1], newline="") as file:
        older = {row["kernel"]: list(row.values()) for row in csv.DictReader(file)}
    here = {
        row[0]: [re.sub(r"(?<=\d),(?=\d{3})", "", cell) for cell in row] for row in page.table("counts_kernels").rows
    }
    of_kernels = chapters_of_kernels()
    return {of_kernels[kernel] for kernel, row in here.items() if row != older.get(kernel)} == {"08", "09", "10", "11", "13"}


@claim(COUNTS, "which saves 192 requests in each block.")
def _(page):
    (row,) = (row for row in page.table("counts_reasons").rows if row[1:3] == ["radix_filter_kernel", "load requests"])
    launches, emulated, ncu = (float(cell.replace(",", "")) for cell in row[3:])
    return emulated - ncu == 192 * launches


@claim(COUNTS, "with 33 taps, there are 92 sectors instead of 113, because the new address is the beginning of a sector.")
def _(page):
    with open(sorted(ROOT.glob("docs/measurements/h200-????-??-??-counts/counts_launches.csv"))[-1], newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kernel"] == "convolve_bulk_kernel"]
    (row,) = (row for row in rows if row["entry"] == "convolve_bulk float, 33 taps, full, 2601")
    requests = float(row["load requests"])  # whose sectors are four each, and fewer at the edges
    both = [list(map(float, re.findall(r"\d+", row["load sectors"]))) for row in rows if "emulated" in row["load sectors"]]
    (shown,) = (row for row in page.table("counts_reasons").rows if row[1:3] == ["convolve_bulk_kernel", "load sectors"])
    sums = [float(cell.replace(",", "")) for cell in shown[3:]]
    gpu, emulated = map(sum, zip(*both))
    return row["load sectors"] == "92 (emulated: 113)" and 92 / 4 <= requests < 92 / 3.5 and sums == [len(both), emulated, gpu]


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
