#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lessons say about their tables holds for the tables as they stand there.

Times are recorded anew from time to time, and sentences are not. So each sentence that says which of two figures is
the larger, or by about how much, has its condition here: the sentence must be in the lesson, and the condition must
hold for the figures that a reader sees beside it. Where one fails after a new record, it is the sentence that changes.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Table:
    """A table of a lesson as it is shown."""

    def __init__(self, lines):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        self.titles, self.rows = rows[0], rows[2:]

    def column(self, title, **wanted):
        """The figures under `title` (or in a column by number), in rows where other columns hold what is wanted."""
        at = title if isinstance(title, int) else self.titles.index(title)
        where = {self.titles.index(name.replace("_", " ")): value for name, value in wanted.items()}
        found = [row[at] for row in self.rows if all(row[i] == value for i, value in where.items())]
        if not found:
            raise LookupError(f"no row where {wanted}")
        return [float(cell.replace(",", "")) for cell in found if cell]

    def at(self, row, title):
        """The figure in the row that begins with `row`: a text, or several for the first columns."""
        begin = [row] if isinstance(row, str) else list(row)
        found = [line for line in self.rows if line[: len(begin)] == begin]
        if len(found) != 1:
            raise LookupError(f"{len(found)} rows begin with {row}")
        return float(found[0][title if isinstance(title, int) else self.titles.index(title)].replace(",", ""))


class Lesson:
    def __init__(self, number):
        self.path = next((ROOT / "chapters").glob(f"{number}_*/README.md"))
        self.text = self.path.read_text(encoding="utf-8")

    def says(self, sentence):
        return " ".join(sentence.split()) in " ".join(self.text.split())

    def table(self, *words):
        """The one measured table whose block is made with all these words."""
        blocks = re.findall(r"<!-- generated: (measured .*?) -->\n(.*?)<!-- end generated -->", self.text, re.DOTALL)
        found = [Table(body.splitlines()) for head, body in blocks if all(word in head for word in words)]
        if len(found) != 1:
            raise LookupError(f"{self.path.parent.name} has {len(found)} tables made with {words}")
        return found[0]


CLAIMS = []


def claim(chapter, sentence):
    def add(condition):
        CLAIMS.append((chapter, sentence, condition))
        return condition

    return add


def rising(values):
    return all(a < b for a, b in zip(values, values[1:]))


def alike(values, share):
    return max(values) <= (1 + share) * min(values)


# --- 00


def copies(lesson):
    return lesson.table("00_meet", "where=limit=")


@claim("00", "Among the copies of one element per thread the order is that of the counts: more sectors, more time.")
def _(lesson):
    scalar = ["one element per thread", "from one element further on", "every second element", "every 32nd element"]
    sizes = {row[1] for row in copies(lesson).rows}
    rows = [row[:2] for row in copies(lesson).rows]
    shown = [
        [copies(lesson).at((kind, size), "Median ms") for kind in scalar if [kind, size] in rows] for size in sizes
    ]
    return len(shown) == 3 and all(rising(times) for times in shown)


@claim("00", "the same sectors in a quarter of the requests, the copy reaches it, or very nearly.")
def _(lesson):
    vectors = copies(lesson).column("Of limit", Copy="one 16-byte vector per thread")
    plain = copies(lesson).column("Of limit", Copy="one element per thread")
    return min(vectors) > 0.95 and max(plain) < 0.95


@claim("00", "the same kernel reaches a smaller rate, because being launched takes a good part of its time")
def _(lesson):
    kinds = {row[0] for row in copies(lesson).rows}
    return all(rising(copies(lesson).column("TB/s", Copy=kind)[:2]) for kind in kinds)


@claim("00", "the host link is tens of times slower than device memory, from ordinary memory hundreds of times.")
def _(lesson):
    limits = lesson.table("00_meet", "where=copy=")
    device = limits.at("copy, 1 GiB each way", "Measured") * 1000
    pinned = [limits.at(f"{way}, pinned", "Measured") for way in ("host to device", "device to host")]
    ordinary = [limits.at(f"{way}, pageable", "Measured") for way in ("host to device", "device to host")]
    return all(20 < device / v < 100 for v in pinned) and all(150 < device / v < 1000 for v in ordinary)


# --- 01


@claim("01", "Look at the distance between the last line of work A and the ones above it")
def _(lesson):
    table = lesson.table("01_serial", "work:Work")
    times = table.column("Median ms", Work="A")
    return len(times) == 4 and min(times[:3]) > 4 * times[3]


@claim("01", "One core is done before all of them have been woken.")
def _(lesson):
    table = lesson.table("01_serial", "samples=500")
    return table.at("01 all_cores", "Median ms") > 1.2 * max(table.column("Median ms")[:3])


# --- 02


@claim("02", "The direct kernel reaches a good part of it.")
def _(lesson):
    return 0.6 < lesson.table("02_direct", "work=A").at("02 direct", "Of limit") < 0.95


@claim("02", "The strided version asks for the same elements, but for several times the sectors, and pays for it.")
def _(lesson):
    table = lesson.table("02_direct", "work=A")
    eight, one = (table.at(f"02 {n}", "Median ms") for n in ("direct_grouped", "direct"))
    return eight > 2 * one


@claim("02", "no more than one eighth of the limit can be reached, and the table shows a little less.")
def _(lesson):
    return 0.09 < lesson.table("02_direct", "work=B").at("02 direct", "Of limit") < 0.125


@claim("02", "the CPU is done before the copies are.")
def _(lesson):
    host = lesson.table("02_direct", "work=A").at("01 all_cores", "Median ms")
    return host < lesson.table("02_direct", "variant=direct").at("A", "Copies there and back (ms)")


# --- 03


@claim("03", "Both new versions are faster than one thread per output")
def _(lesson):
    table = lesson.table("03_tiled", "work=C")
    old = table.at("02 direct", "Median ms")
    return all(table.at(v, "Median ms") < old / 2 for v in ("03 tiled", "03 warp_per_output"))


@claim("03", "It takes a small part of those 294 ms, and is nearer to what the *GPU* of the example took.")
def _(lesson):
    mine = lesson.table("03_tiled", "work=C").at("01 gather", "Median ms")
    return mine < 29.4 and abs(mine - 1.453) < abs(mine - 294)


@claim("03", "Both new versions lose both times.")
def _(lesson):
    tables = [lesson.table("03_tiled", f"work={work}") for work in "AB"]
    new = ("03 tiled", "03 tiled_allocated", "03 warp_per_output")
    return all(t.at(v, "Median ms") > t.at("02 direct", "Median ms") for t in tables for v in new)


# --- 04


@claim("04", "With the taps already there, a little is gained; the copy in every call costs more than that.")
def _(lesson):
    table = lesson.table("04_constant", "work=A")
    old = table.at("02 direct", "Median ms")
    there, copied = (table.at(f"04 {how}", "Median ms") for how in ("constant_loaded", "constant"))
    return 0.9 * old < there < old and copied - there > old - there


@claim("04", "Here constant memory *loses* to chapter 02. (Both of its rows are alike:")
def _(lesson):
    table = lesson.table("04_constant", "work=B")
    rows = [table.at(f"04 {how}", "Median ms") for how in ("constant_loaded", "constant")]
    return min(rows) > table.at("02 direct", "Median ms") and alike(rows, 0.01)


@claim("04", "Up to hundreds of taps the two are as good as equal; from a thousand on chapter 02 is ahead.")
def _(lesson):
    table = lesson.table("04_constant", "table=taps")
    ratios = dict(zip(table.column("Taps"), table.column("02 / 04")))
    few, many = [r for t, r in ratios.items() if t < 1000], [r for t, r in ratios.items() if t >= 1000]
    return all(0.97 < r < 1.03 for r in few) and all(r < 0.97 for r in many)


@claim("04", "takes about as long as a request for one sector that the ordinary cache holds.")
def _(lesson):
    table = lesson.table("04_constant", "table=walks")
    return alike([table.at(("all warps in step", m), "Median ms") for m in ("constant", "global")], 0.15)


@claim("04", "the loss begins with filters of about the size at which it begins here.")
def _(lesson):
    table = lesson.table("04_constant", "table=sizes")
    apart = {row[0]: float(row[2]) / float(row[1]) for row in table.rows}
    return all(r < 1.03 for b, r in apart.items() if float(b.replace(",", "")) <= 2048) and apart["4096"] > 1.03


@claim("04", "**And lanes apart** are as bad as the count said: 32 addresses are 32 turns, at every size.")
def _(lesson):
    table = lesson.table("04_constant", "table=sizes")
    return all(25 < float(row[3]) / float(row[1]) < 35 for row in table.rows)


@claim("04", "In the first calls there is such a difference between global and constant; from the second on next to nothing")
def _(lesson):
    table = lesson.table("04_constant", "table=first_calls")
    ratio = [table.at((n, "global"), 2) / table.at((n, "constant"), 2) for n in "123"]
    return ratio[0] > 1.5 and all(0.9 < r < 1.1 for r in ratio[1:])


# --- 05


def by_taps(lesson, title):
    table = lesson.table("05_shared", "by_taps:Taps")
    return dict(zip((int(t) for t in table.column("Taps")), table.column(title)))


@claim("05", "Up to 9 taps, and in work A, chapter 05 needs more time than chapter 04.")
def _(lesson):
    ratios, a = by_taps(lesson, "shared / constant_loaded"), lesson.table("05_shared", "work=A")
    fives = [a.at(row[0], "Median ms") for row in a.rows if row[0].startswith("05")]
    four = a.at("04 constant_loaded", "Median ms")
    return all((r > 1) == (t <= 9) for t, r in ratios.items()) and min(fives) > four


@claim("05", "From 33 taps on it is somewhat faster than chapter 04, no more.")
def _(lesson):
    staged, four = by_taps(lesson, "05 shared_chunked"), by_taps(lesson, "04 constant_loaded (ms)")
    return all(0.75 < staged[t] / four[t] < 1 for t in staged if t >= 33) and staged[17] > four[17]


@claim("05", "From 17 to 96 taps it is the fastest. At 128 it is slower than chapter 04, and in work B it is the slowest")
def _(lesson):
    one, b = by_taps(lesson, "05 shared_loaded"), lesson.table("05_shared", "work=B")
    others = [by_taps(lesson, title) for title in ("04 constant_loaded (ms)", "05 shared", "05 shared_chunked")]
    fastest = {t for t in one if all(one[t] < other[t] for other in others)}
    slowest = max(b.rows, key=lambda row: float(row[1]))[0]
    return fastest == {17, 33, 64, 96} and one[128] > others[0][128] and slowest == "05 shared_loaded"


@claim("05", "by the table, that is worth it from 128 taps on.")
def _(lesson):
    one, parts = by_taps(lesson, "05 shared_loaded"), by_taps(lesson, "05 shared")
    return all((parts[t] < one[t]) == (t >= 128) for t in one)


@claim("05", "a quarter of the arithmetic limit is the most; with the taps in shared memory, too, an eighth.")
def _(lesson):
    b = lesson.table("05_shared", "work=B")
    one_load, two_loads = "05 shared", "05 shared_chunked"
    return b.at(one_load, "Of limit") < 0.25 and b.at(two_loads, "Of limit") < 0.125


# --- 06


@claim("06", "At each of the three, a version of chapter 06 stands highest.")
def _(lesson):
    table = lesson.table("06_register", "table=roofline")
    versions = [row for row in table.rows if row[0][:2].isdigit()]
    return all(max((r for r in versions if r[c]), key=lambda r: float(r[c]))[0].startswith("06") for c in (1, 3, 5))


@claim("06", "At 65 taps the two are nearly the same.")
def _(lesson):
    table = lesson.table("06_register", "table=roofline")
    return alike([table.at(f"what {who} allows", 3) for who in ("memory", "arithmetic")], 0.1)


@claim("06", "Chapters 02 to 05 stay below a quarter of the limit, as they must")
def _(lesson):
    table = lesson.table("06_register", "work=B,chapter=06")
    before = [float(row[4]) for row in table.rows if row[0][:2] in ("02", "03", "04", "05")]
    return max(before) < 0.25 and table.at("06 register_tiled", "Of limit") > 2 * max(before)


@claim("06", "Works of one kind stay within a few hundredths of each other")
def _(lesson):
    table = lesson.table("06_register", "table=sizes")
    kinds = {row[4] for row in table.rows}
    shares = [table.column("Of limit", Kernel=kind) for kind in kinds]
    return all(max(s) - min(s) < 0.05 for s in shares)


@claim("06", "that fewer warps fit than with any other version.")
def _(lesson):
    table = lesson.table("06_register", "table=kernels")
    warps = table.column("Warps at a time", Kernel="prefetched")
    return max(warps) < min(float(row[7]) for row in table.rows if row[0] != "prefetched")


@claim("06", "The second needs fewer registers, so that more of its warps fit, and is slower all the same.")
def _(lesson):
    table = lesson.table("06_register", "table=window")
    (r1, l1, t1), (r2, l2, t2) = ([float(c) for c in row[1:4]] for row in table.rows)
    return r2 < r1 and t2 > 1.2 * t1 and (l1, l2) == (0, 32)


@claim("06", "The versions of this chapter execute little more than the multiply-adds themselves")
def _(lesson):
    table = lesson.table("06_profile", "instructions")
    ours = [table.at(("1025 taps", v), 7) for v in ("register_blocked", "constant_operands")]
    occupancy = {row[1]: float(row[3]) for row in table.rows if row[0] == "1025 taps"}
    pipe = {row[1]: float(row[6]) for row in table.rows if row[0] == "1025 taps"}
    others = [v for v in occupancy if v not in ("register_blocked", "constant_operands")]
    return (
        max(ours) < 1.1 * 1025
        and min(pipe["register_blocked"], pipe["constant_operands"]) > max(pipe[v] for v in others)
        and max(occupancy["register_blocked"], occupancy["constant_operands"]) < min(occupancy[v] for v in others)
    )


@claim("06", "Hardly a wait for global memory or at a barrier is left, with fewer warps than any other version has.")
def _(lesson):
    waits, first = lesson.table("06_profile", "global:"), lesson.table("06_profile", "instructions")
    row = ("65 taps", "prefetched")
    others = [float(r[3]) for r in first.rows if r[1] != "prefetched"]
    return waits.at(row, 2) < 0.5 and waits.at(row, 5) < 0.1 and first.at(row, 3) < min(others)


# --- 07


def work_b(lesson, version, title="Median ms"):
    return lesson.table("07_fft", "work=B,chapter=07").at(version, title)


@claim("07", "what it chooses is the fastest of the three each time.")
def _(lesson):
    table = lesson.table("07_fft", "table=lengths")
    needed = {row[0] for row in table.rows}
    return all(min((r for r in table.rows if r[0] == n), key=lambda r: float(r[5]))[1] == "good" for n in needed)


@claim("07", "It ranks the blocks well enough: the chosen one is the fastest, or as fast to the digits shown.")
def _(lesson):
    rows = lesson.table("07_fft", "table=blocks").rows
    works = {(r[0], r[1]) for r in rows}
    best = {w: min(float(r[5]) for r in rows if (r[0], r[1]) == w) for w in works}
    return len(works) == 6 and all(float(r[5]) == best[r[0], r[1]] for r in rows if r[6] == "yes")


@claim("07", "The last rows are beyond it, because they do not.")
def _(lesson):
    rows = ("07 fft_one_block", "07 overlap_save", "07 best")
    return all(work_b(lesson, row, "Of limit") > 1 for row in rows) and work_b(lesson, "06 register_tiled", "Of limit") < 1


@claim("07", "the one that prepares everything in each call is by far the slowest: the preparation takes several times as")
def _(lesson):
    return work_b(lesson, "07 fft_from_scratch") > 3 * work_b(lesson, "07 fft_power_of_two")


@claim("07", "overlap-save on the GPU is lowest from some three hundred taps on.")
def _(lesson):
    at = lesson.table("07_fft", "taps_crossovers").at("07 overlap_save", "Than 06 register_tiled")
    return 250 <= at < 400


@claim("07", "between the smallest and the largest number of this table lie more than two powers of ten.")
def _(lesson):
    cells = [c for row in lesson.table("07_fft", "taps_crossovers").rows for c in row[1:]]
    figures = [float(c.replace(",", "")) for c in cells if re.fullmatch(r"[\d,.]+", c)]
    return max(figures) > 100 * min(figures)


@claim("07", "an FFT on this GPU never overtakes chapters 02 and 06 at these lengths.")
def _(lesson):
    table = lesson.table("07_fft", "equal_crossovers")
    row = next(r for r in table.rows if r[0] == "07 fft_from_scratch")
    return all(row[table.titles.index(f"Than {v}")] == "never" for v in ("02 direct", "06 register_tiled"))


@claim("07", "several times the time, of microseconds.")
def _(lesson):
    table = lesson.table("07_fft", "best_ms", "where=table=length ")
    return 2 < table.at("1024", "Of the fastest") < 10


@claim("07", "For few taps direct sums are more accurate; with thousands of taps, transforms are")
def _(lesson):
    table = lesson.table("07_fft", "table=rounding")
    few, many = table.rows[0], table.rows[-1]
    return float(few[1]) < min(map(float, few[2:4])) and float(many[1]) > max(map(float, many[2:4]))


@claim("07", "the errors in the table are hundreds to a hundred thousand times smaller.")
def _(lesson):
    rows = lesson.table("07_fft", "table=rounding").rows
    shares = [float(r[b]) / float(r[w]) for r in rows for w, b in ((4, 5), (6, 7))]
    return 100 < min(shares) < 1000 and 50000 < max(shares) < 500000


# --- 08


@claim("08", "it takes about four times as long as the last row needs for all the work.")
def _(lesson):
    table = lesson.table("08_dct8x8", "starts_ms")
    return 3.4 < table.at(("nothing", "64"), 4) / table.at("08 columns", 4) < 4.6


@claim("08", "with blocks of 256 threads there is a quarter of the blocks, and about a quarter of the time.")
def _(lesson):
    table = lesson.table("08_dct8x8", "starts_ms")
    return 0.2 < table.at(("nothing", "256"), 4) / table.at(("nothing", "64"), 4) < 0.3


@claim("08", "are at the copy limit, but for a few percent, in both directions and at both sizes.")
def _(lesson):
    small = [lesson.table("08_dct8x8", f"work={w},width=2592") for w in ("forward", "inverse")]
    shares = [table.at("08 columns", "Of limit") for table in small]
    shares += lesson.table("08_dct8x8", "width=16384").column("Of limit", Version="08 columns")
    return len(shares) == 4 and min(shares) > 0.93


@claim("08", "between the slowest and the fastest of them lies a factor of hundreds.")
def _(lesson):
    table = lesson.table("08_dct8x8", "work=forward,width=2592")
    return 200 < table.at("08 definition", 1) / table.at("08 dct_all_cores", 1) < 1000


@claim("08", "The copies take hundreds of times as long as the transform, and longer than the host's cores would take")
def _(lesson):
    table = lesson.table("08_dct8x8", "variant=columns")
    host = lesson.table("08_dct8x8", "work=forward,width=2592").at("08 dct_all_cores", 1)
    return all(150 < float(r[3]) / float(r[2]) < 1000 for r in table.rows) and float(table.rows[0][3]) > host


# --- 09


@claim("09", "takes about forty times as long for forty times as many pixels")
def _(lesson):
    version = "09 per_coefficient"
    tables = [lesson.table("09_dct", f"work={work}") for work in ("encode", "decode")]
    return all(34 < t.at((version, "16,384"), 2) / t.at((version, "2592"), 2) < 46 for t in tables)


@claim("09", "on the small picture more than eight times as long as the limit, on the large one more than twelve.")
def _(lesson):
    tables = [lesson.table("09_dct", f"work={work}") for work in ("encode", "decode")]
    shares = {size: [t.at(("09 stepwise", size), "Of limit") for t in tables] for size in ("2592", "16,384")}
    return max(shares["2592"]) < 1 / 8 and max(shares["16,384"]) < 1 / 12


@claim("09", "Of the three fused kernels, the one from pixels to pixels moves the fewest bytes, and is the farthest from")
def _(lesson):
    tables = [lesson.table("09_dct", f"work={work}") for work in ("encode", "decode")]
    one_way = [share for table in tables for share in table.column("Of limit", Version="09 fused")]
    both_ways = lesson.table("09_dct", "work=round trip").column("Of limit", Version="09 fused")
    return max(both_ways) < min(one_way)


@claim("09", "there are far more instructions for each pixel than in either direction")
def _(lesson):
    table = lesson.table("09_profile", "instructions")
    both = table.at("pixels to pixels", 6)
    return both > 1.4 * max(table.at(work, 6) for work in ("pixels to levels", "levels to pixels"))


# What a row is about, and no figure of it.
SIZES = {"Taps", "Samples", "Width", "Call", "Bytes each way", "Table (bytes)", "Threads / block", "Needed", "Block"}


class Changed(Lesson):
    """A lesson whose measured figures are others."""

    def __init__(self, number, change):
        super().__init__(number)
        self.change = change

    def table(self, *words):
        table = super().table(*words)
        figure = re.compile(r"[\d,.]+(e[+-]\d+)?$|never$|all$")
        for at, title in enumerate(table.titles):
            rows = [row for row in table.rows if figure.match(row[at])]
            if title not in SIZES:
                for row, cell in zip(rows, self.change([row[at] for row in rows])):
                    row[at] = cell
        return table


class Claims(unittest.TestCase):
    def test_every_claim_can_fail(self):
        changes = (
            lambda cells: ["1.0"] * len(cells),
            lambda cells: cells[::-1],
            lambda cells: [f"{10.0**i}" for i, _ in enumerate(cells)],
            lambda cells: ["1000.0" for _ in cells],
        )
        for number, sentence, condition in CLAIMS:
            with self.subTest(chapter=number, sentence=sentence):


                def holds(change):
                    try:
                        return condition(Changed(number, change))
                    except ValueError:  # "never" where a figure should be
                        return False

                self.assertFalse(all(map(holds, changes)), "it holds for all other figures, too")

    def test_lessons(self):
        lessons = {number: Lesson(number) for number, _, _ in CLAIMS}
        for number, sentence, condition in CLAIMS:
            with self.subTest(chapter=number, sentence=sentence):
                self.assertTrue(lessons[number].says(sentence), "the lesson does not say this any more: change it here")
                try:
                    holds = condition(lessons[number])
                except (LookupError, ValueError) as problem:
                    self.fail(f"its table was not found: {problem}")
                self.assertTrue(holds, "the figures of the lesson do not say so")

    def test_table(self):
        rows = ["| x | 1,200 | 3 |", "| x | 5 |   |", "| y | 7 | 0.5 |"]
        table = Table(["| a | b c | d |", "| --- | ---: | ---: |", *rows])
        self.assertEqual(table.column("b c", a="x"), [1200, 5])
        self.assertEqual(table.column("d", a="x"), [3])
        self.assertEqual(table.column("d", b_c="7"), [0.5])
        self.assertEqual((table.at("y", "d"), table.at(("x", "5"), 1)), (0.5, 5))
        with self.assertRaises(LookupError):
            table.at("x", "d")
        with self.assertRaises(LookupError):
            table.column("d", a="z")


if __name__ == "__main__":
    unittest.main()
