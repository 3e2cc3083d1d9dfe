# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 07 says about its tables."""

import csv
import re

from claims.lessons import ROOT, alike, claim


def of_fastest_again():
    """What `best` takes over the fastest, in the second run of the same record."""
    newest = sorted((ROOT / "docs/measurements").glob("h200-????-??-??/again/07_fft_convolution.csv"))[-1]
    with open(newest, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == "grid_of_fastest"]
    return [float(cell) for row in rows for title, cell in row.items() if title.startswith("taps_") and cell]


def work_b(lesson, version, title="Median ms"):
    return lesson.table("07_fft", "work=B,chapter=07").at(version, title)


@claim("07", "it chooses the fastest of the three lengths each time:")
def _(lesson):
    table = lesson.table("07_fft", "table=lengths")
    needed = {row[0] for row in table.rows}
    return all(min((r for r in table.rows if r[0] == n), key=lambda r: float(r[5]))[1] == "good" for n in needed)


@claim("07", "most of the expected times are about 10% too short.")
def _(lesson):
    shares = sorted(float(r[4]) / float(r[5]) for r in lesson.table("07_fft", "table=blocks").rows)
    return 0.85 < shares[len(shares) // 2] < 0.95


@claim("07", "at worst, the chosen block takes 3% longer than the fastest.")
def _(lesson):
    rows = lesson.table("07_fft", "table=blocks").rows
    works = {(r[0], r[1]) for r in rows}
    best = {w: min(float(r[5]) for r in rows if (r[0], r[1]) == w) for w in works}
    return len(works) == 6 and 1.025 < max(float(r[5]) / best[r[0], r[1]] for r in rows if r[6] == "yes") < 1.035


@claim("07", "No cell of this run is above 1.2. In a second run, two cells were 1.28.")
def _(lesson):
    shares = lesson.table("07_fft", "table=grid_of_fastest")
    second = [share for share in of_fastest_again() if share > 1.2]
    in_first = max(float(cell) for row in shares.rows for cell in row[2:] if cell)
    return in_first <= 1.2 and [f"{share:.2f}" for share in second] == ["1.28", "1.28"]


@claim("07", "so they can be faster than the limit. Notice that the last three rows are faster:")
def _(lesson):
    rows = ("07 fft_one_block", "07 overlap_save", "07 best")
    return all(work_b(lesson, row, "Of limit") > 1 for row in rows) and work_b(lesson, "06 register_tiled", "Of limit") < 1


@claim("07", "creates plans, allocates memory and computes the filter's spectrum in every call, and this preparation takes several times as long as the convolution itself.")
def _(lesson):
    return work_b(lesson, "07 fft_from_scratch") > 3 * work_b(lesson, "07 fft_power_of_two")


@claim("07", "overlap-save on the GPU is lowest with about three hundred taps or more.")
def _(lesson):
    at = lesson.table("07_fft", "taps_crossovers").at("07 overlap_save", "Than 06 register_tiled")
    return 250 <= at < 400


@claim("07", "the largest number in this table is more than 100 times the smallest.")
def _(lesson):
    cells = [c for row in lesson.table("07_fft", "taps_crossovers").rows for c in row[1:]]
    figures = [float(c.replace(",", "")) for c in cells if re.fullmatch(r"[\d,.]+", c)]
    return max(figures) > 100 * min(figures)


@claim("07", "an FFT on this GPU never overtakes chapters 02 and 06 at these lengths.")
def _(lesson):
    table = lesson.table("07_fft", "equal_crossovers")
    row = next(r for r in table.rows if r[0] == "07 fft_from_scratch")
    return all(row[table.titles.index(f"Than {v}")] == "never" for v in ("02 direct", "06 register_tiled"))


@claim("07", "per sample, a transform of 2^24 costs more than three times as much as one of 2^12")
@claim("07", "With 2^14 samples or more, the price rises.")
def _(lesson):
    table = lesson.table("07_fft", "table=prices")
    found = {}
    for row in table.rows:
        if of := re.fullmatch(r"transforms of 2\^(\d+), (float|double)", row[0]):
            found[of[2], int(of[1])] = float(row[3])
    return all(
        found[t, 24] > 3 * found[t, 12] and found[t, 15] > 1.2 * found[t, 13] and alike([found[t, n] for n in range(8, 14)], 0.1)
        for t in ("float", "double")
    )


def crossover(lesson):
    return lesson.table("07_fft", "taps_crossovers").at("07 overlap_save", "Than 06 register_tiled")


@claim("07", "With 2^24 floats, overlap-save overtakes chapter 06 at about 300 taps on this GPU.")
def _(lesson):
    return abs(crossover(lesson) - 290) <= 15


@claim("07", "Three rates are enough to predict roughly where one method overtakes the other.")
def _(lesson):
    return abs(263 / crossover(lesson) - 1) < 0.2  # exercise 5 prints the 263


@claim("07", "The fastest is chapter 03's warp per output")
def _(lesson):
    table = lesson.table("07_fft", "best_ms", "where=table=length ")
    others = [t for t in table.titles if re.match(r"0[2-7] ", t) and t not in ("03 warp_per_output", "07 best")]
    short = [row[0] for row in table.rows if float(row[0].replace(",", "")) <= 16384]
    times = lambda row, titles: [table.at(row, t) for t in titles if row]
    return len(short) == 10 and all(table.at(n, "03 warp_per_output") < min(times(n, others)) for n in short)


@claim("07", "With few taps, direct sums are more accurate; with thousands of taps, transforms are")
def _(lesson):
    table = lesson.table("07_fft", "table=rounding")
    few, many = table.rows[0], table.rows[-1]
    return float(few[1]) < min(map(float, few[2:4])) and float(many[1]) > max(map(float, many[2:4]))


@claim("07", "errors in the table are hundreds to a hundred thousand times smaller than their bounds.")
def _(lesson):
    rows = lesson.table("07_fft", "table=rounding").rows
    shares = [float(r[b]) / float(r[w]) for r in rows for w, b in ((4, 5), (6, 7))]
    return 100 < min(shares) < 1000 and 50000 < max(shares) < 500000


@claim("07", "Most cells of the first table are within a few percent of 1. The times of calls of a few microseconds vary by up to 25%, even if the fastest method was chosen. No cell of this run is above 1.2.")
def _(lesson):
    rows = lesson.table("07_fft", "table=grid_of_f").rows
    cells = [float(cell) for row in rows for cell in row[2:] if cell]
    return sum(abs(cell - 1) < 0.05 for cell in cells) > 0.7 * len(cells) and max(cells) <= 1.2 and min(cells) > 0.75


@claim("07", "A warp per output is ideal for this shape, and transforms beat it only in the second half of the picture.")
def _(lesson):
    table = lesson.table("07_fft", "Samples = taps")
    sizes, warps, ours = (table.column(title) for title in ("Samples = taps", "03 warp_per_output", "07 fft_one_block"))
    wins = [size for size, warp, transform in zip(sizes, warps, ours) if transform < warp]
    return wins == [size for size in sizes if size > max(sizes) / 2 + 1000] and wins
