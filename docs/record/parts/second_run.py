# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What docs/record/measure and docs/record/peers keep of a second run of the same measurements.

Writes into the folder of their record
  spread_summary.csv  for each chapter (or file of peers), and for what runs on the device (below 0.01 ms by itself: there the launch
                      counts, and the host makes it), on the host, and copies between both: how many times and limits both runs
                      have, the median and the 90th percentile of the differences without sign, and the largest with its row
  again/              the rows of the second run that a page is about: see KEPT
A row is found again by what it is about: everything in it that is not measured.
"""

import csv
import re
import shutil
import statistics

import records
from records import Problem

# Rows of a second run of which a page speaks, or that a test reads.
KEPT = {
    "07_fft_convolution": lambda row: row["table"] == "grid_of_fastest",
    "13_one_pass": lambda row: row["table"] == "prices",
    "15_many_gpus": lambda row: row["work"] == "weak" and row["devices"] != "1",
    "from_host": lambda row: True,
    "one_call": lambda row: True,
}

# Columns that a second run may fill with other figures: measured, or made of what was measured.
MEASURED = re.compile(
    r"_ms$|_us$|_per_s$|_per_us$|of_limit$|of_roof$|by_direct$|_factor$|^than_|faster$|of_copies$|ratio$|^(value|tb_per_s|repeats|status|"
    r"limit_by|worst_error|worst_bound|of_fastest|from|chosen|remark|reason|expected_ms|direct_by_constant(_loaded)?|fastest|"
    r"difference|note|psnr_db|levels_not_ours|file_bytes|device_bytes)$"
)
TIME = re.compile(r"_ms$|^(step|burst)_us$")
# Rows of a sweep name no device.
HOST_VERSION = re.compile(r"^01 |all_cores|^08 (definition|matrix)$|^09 serial$")
# Below this a launch counts, and the host makes the launches.
SHORT_MS = 0.01
# The edges of one figure's own spread, what a model expects, and what stands in every row of a table: the limits, which
# chapter 00 has once.
NOT_COMPARED = re.compile(r"^(min|max|our)_ms$|_min_ms$|_max_ms$|^expected_ms$|^fastest_ms$|limit_ms$")


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def rows_of(path):
    """{what the row is about: {column: time}}. The same key again (a version in two tables) gets a number."""
    found = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            about = tuple((n, v) for n, v in row.items() if v and not MEASURED.search(n))
            times = {n: number(v) for n, v in row.items() if TIME.search(n) and not NOT_COMPARED.search(n)}
            if row.get("limit"):
                times["value"] = number(row["value"])
            times = {n: v for n, v in times.items() if v}
            count = 1
            while (about, count) in found:
                count += 1
            found[about, count] = times
    return found


def text_of(about):
    """A row in words: what tells it from others, without what all rows of a file share."""
    hidden = ("chapter", "variant", "device", "outputs", "products", "bytes", "name", "unit")
    return " ".join(v for n, v in about if n not in hidden and not re.fullmatch(r"-?\d+\.\d*", v))


def place(about, column, before):
    about = dict(about)
    if column in ("copies_ms", "pinned_copies_ms", "with_copies_ms") or re.search(r"pageable|pinned", about.get("limit", "")):
        return "copies"
    if about.get("way", "").endswith("on the host") or about.get("gives", "").endswith("on the host"):  # pictures of peers
        return "host" if about["by"].startswith("libjpeg") else "copies"
    on_host = "CPU" in (about.get("device"), about.get("side")) or about.get("device") == "host" or re.search(r"host|gather|all_cores", column)
    if on_host or HOST_VERSION.search(about.get("label", "")):
        return "host"
    milliseconds = before / 1000 if column.endswith("_us") else before
    return "device, short" if column != "value" and milliseconds < SHORT_MS else "device"


def compare(first, again):
    """[(chapter, place, row, column, first, again, difference in %)]"""
    result = []
    of_peers = [first / f"{name}.csv" for name in ("ours", "peers", "pictures", "filters")]
    for path in sorted(first.glob("[0-9][0-9]_*.csv")) + [each for each in of_peers if each.is_file()]:
        chapter = path.stem if path in of_peers else path.stem[:2]
        other = again / path.name
        if not other.is_file():
            continue
        ours, theirs = rows_of(path), rows_of(other)
        for key, times in ours.items():
            for column, before in times.items():
                after = theirs.get(key, {}).get(column)
                if after:
                    difference = 100 * (after / before - 1)
                    about = key[0]
                    result.append((chapter, place(about, column, before), text_of(about), column, before, after, difference))
    return result


def write_summary(folder, figures):
    columns = ("chapter", "place", "times", "median_percent", "ninety_percent", "largest_percent", "largest_at")
    lines = []
    for chapter, where in sorted({figure[:2] for figure in figures}):
        group = [figure for figure in figures if figure[:2] == (chapter, where)]
        apart = sorted(abs(figure[6]) for figure in group)
        largest = max(group, key=lambda figure: abs(figure[6]))
        ninety = apart[min(len(apart) - 1, int(0.9 * len(apart)))]
        lines.append((chapter, where, len(group), f"{statistics.median(apart):.2f}", f"{ninety:.2f}", f"{largest[6]:+.1f}",
                      f"{largest[2]}: {largest[3]}"))
    records.write_csv(folder / "spread_summary.csv", columns, [dict(zip(columns, line)) for line in lines])


def keep(again, kept):
    """Copies the rows of these tables that a page is about."""
    shutil.rmtree(kept, ignore_errors=True)
    for path in sorted(again.glob("*.csv")):
        with open(path, newline="", encoding="utf-8") as file:
            table = csv.DictReader(file)
            rows = [row for row in table if path.stem in KEPT and KEPT[path.stem](row)]
        if rows:
            kept.mkdir(exist_ok=True)
            records.write_csv(kept / path.name, table.fieldnames, rows)


def add(folder, again, first=None):
    """What `again` adds to the record. `first` has the tables of the first run if not the record itself."""
    figures = compare(first or folder, again)
    if not figures:
        raise Problem(f"{folder} and {again} have no time in common")
    write_summary(folder, figures)
    keep(again, folder / "again")
    print(f"{len(figures)} times compared: {folder}/spread_summary.csv")
