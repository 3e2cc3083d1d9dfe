# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 02 says about its tables."""

from claims.lessons import claim


def times(lesson):
    return lesson.table("02_direct", "of_limit")


def profile(lesson):
    return lesson.table("_profile")


def copies(lesson):
    return lesson.table("02_direct", "copies_ms")


def per_tap(lesson):
    return profile(lesson).at(("1025 taps", "direct"), "Instructions of a warp") / 1025


@claim("02", "and `direct` reaches a good part of it.")
def _(lesson):
    return 0.6 < times(lesson).at(("A", "02 direct"), "Of limit") < 0.95


@claim("02", "the kernel would take about five times as long as the copy. It does not:")
def _(lesson):
    return times(lesson).at(("A", "02 direct"), "Of limit") > 2 / 5


@claim("02", "`direct_grouped` asks for the same elements in several times the sectors, and takes more than twice as long.")
def _(lesson):
    grouped, direct = (times(lesson).at(("A", f"02 {n}"), "Median ms") for n in ("direct_grouped", "direct"))
    return grouped > 2 * direct


@claim("02", "and `direct` reaches only about a tenth of it.")
def _(lesson):
    return 0.09 < times(lesson).at(("B", "02 direct"), "Of limit") < 0.115


@claim("02", "Memory is not the reason: at 1025 taps it is nearly idle.")
def _(lesson):
    return profile(lesson).at(("1025 taps", "direct"), "Memory (% of its limit)") < 2


@claim("02", "A profiler counts about eight and a half instructions for each tap, 34 for four.")
def _(lesson):
    return 8.3 < per_tap(lesson) < 8.7 and round(4 * per_tap(lesson)) == 34


@claim("02", "that allows 12 % of the limit at best.")
def _(lesson):
    return round(100 / per_tap(lesson)) == 12


@claim("02", "For `direct` issue is the tighter bound: one in 8.5 is less than one in eight.")
def _(lesson):
    return times(lesson).at(("B", "02 direct"), "Of limit") < 1 / per_tap(lesson) < 1 / 8


@claim("02", "The schedulers issue an instruction in about nine of ten cycles")
@claim("02", "the schedulers are busy in most cycles.")
def _(lesson):
    return 85 < profile(lesson).at(("1025 taps", "direct"), "Issuing (% of cycles)") < 95


@claim("02", "So no version of this kernel gets beyond one eighth of the limit.")
def _(lesson):
    table = times(lesson)
    return table.at(("B", "02 direct"), "Of limit") < table.at(("B", "02 direct_interior"), "Of limit") <= 1 / 8


@claim("02", "From pageable memory, the CPU is done before the copies are.")
def _(lesson):
    host = times(lesson).at(("A", "01 all_cores"), "Median ms")
    return host < copies(lesson).at("A", "Pageable copies there and back (ms)")


@claim("02", "From pinned memory the copies take about as long as all cores need for the whole work")
def _(lesson):
    host = times(lesson).at(("A", "01 all_cores"), "Median ms")
    return 0.7 < copies(lesson).at("A", "Pinned copies there and back (ms)") / host < 1.5


@claim("02", "The detour through the driver's buffer makes the pageable copies several times slower than that.")
def _(lesson):
    pageable, pinned = (
        copies(lesson).column(f"{kind} copies there and back (ms)") for kind in ("Pageable", "Pinned")
    )
    return all(slow > 2 * fast for slow, fast in zip(pageable, pinned))
