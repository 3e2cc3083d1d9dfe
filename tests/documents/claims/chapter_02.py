# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 02 says about its tables."""

import re

from claims.lessons import claim


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
