# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 08 says about its tables."""

from claims.lessons import claim


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
