# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 01 says about its tables."""

from claims.lessons import claim


@claim("01", "as fast as the best loop on one core, not sixteen times as fast.")
def _(lesson):
    times = lesson.table("01_serial", "work:Work").column("Median ms", Work="A")
    return len(times) == 4 and 11 < min(times[:3]) / times[3] < 13


@claim("01", "Waking the other cores probably takes longer than the work itself")
@claim("01", "There `all_cores` is the slowest version: waking the other cores probably takes longer than the work.")
def _(lesson):
    times = lesson.table("01_serial", "work:Work").column("Median ms", Samples="500")
    return len(times) == 4 and times[3] > 1.2 * max(times[:3])
