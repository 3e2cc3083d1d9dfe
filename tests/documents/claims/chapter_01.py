# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 01 says about its tables."""

from claims.lessons import claim


@claim("01", "Look at the distance between the last line of work A and the ones above it")
def _(lesson):
    table = lesson.table("01_serial", "work:Work")
    times = table.column("Median ms", Work="A")
    return len(times) == 4 and min(times[:3]) > 4 * times[3]


@claim("01", "One core is done before all of them have been woken.")
def _(lesson):
    table = lesson.table("01_serial", "samples=500")
    return table.at("01 all_cores", "Median ms") > 1.2 * max(table.column("Median ms")[:3])
