# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 02 says about its tables."""

from claims.lessons import Lesson, claim


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


@claim("02", "the kernel would take more than five times as long as the copy. It does not:")
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
    return profile(lesson).at(("1025 taps", "direct"), "Memory (% of its peak)") < 2


@claim("02", "counts about eight and a half instructions for each tap. At the limit, every instruction that is issued is a multiply-add;")
def _(lesson):
    return 8.3 < per_tap(lesson) < 8.7


@claim("02", "its shares at 5 taps are up to two points away from these.)")
def _(lesson):
    ours, other = profile(lesson), Lesson("11").table("06_profile", "registers:")
    both = ("Issuing (% of cycles)", "Issue"), ("Memory (% of its peak)", "Memory")
    away = [abs(ours.at(("5 taps", "direct"), a) - other.at(("5 taps", "direct"), b)) for a, b in both]
    return 1.5 < max(away) <= 2


@claim("02", "here one in eight and a half is. That allows 12 % at best.")
def _(lesson):
    return round(100 / per_tap(lesson)) == 12


@claim("02", "has less than half the instructions for each tap")
def _(lesson):
    interior = profile(lesson).at(("1025 taps", "direct_interior"), "Instructions of a warp") / 1025
    return interior < per_tap(lesson) / 2


@claim("02", "and the schedulers are idle in more than half of the cycles.")
@claim("02", "and its schedulers issue in less than half of the cycles")
def _(lesson):
    return profile(lesson).at(("1025 taps", "direct_interior"), "Issuing (% of cycles)") < 50


@claim("02", "In its profile the schedulers issue in about nine of ten cycles.")
def _(lesson):
    return 85 < profile(lesson).at(("1025 taps", "direct"), "Issuing (% of cycles)") < 95


@claim("02", "Yet `direct_interior` is not faster: both versions stay below one eighth of the limit.")
@claim("02", "(`direct_interior` is even a little slower; these counters do not show why.)")
@claim("02", "and with 1025 taps fewer instructions alone gain nothing.")
@claim("02", "A control experiment shows that lifting only the first gains nothing at 1025 taps.")
def _(lesson):
    direct, interior = (times(lesson).at(("B", f"02 {n}"), "Of limit") for n in ("direct", "direct_interior"))
    return 0.85 * direct < interior < direct < 1 / 8


@claim("02", "With pageable memory, the CPU is done before the copies are.")
def _(lesson):
    host = times(lesson).at(("A", "01 all_cores"), "Median ms")
    return host < copies(lesson).at("A", "Pageable copies there and back (ms)")


@claim("02", "With pinned memory the copies take about as long as all cores need for the whole work")
def _(lesson):
    host = times(lesson).at(("A", "01 all_cores"), "Median ms")
    return 0.7 < copies(lesson).at("A", "Pinned copies there and back (ms)") / host < 1.5


@claim("02", "The pageable copies, which take the detour through the driver's buffer, are several times slower.")
def _(lesson):
    pageable, pinned = (
        copies(lesson).column(f"{kind} copies there and back (ms)") for kind in ("Pageable", "Pinned")
    )
    return all(slow > 2 * fast for slow, fast in zip(pageable, pinned))


@claim("02", "It reaches four fifths of it.")
def _(lesson):
    return 0.75 < 8 * times(lesson).at(("B", "02 direct_interior"), "Of limit") < 0.85


@claim("02", "from L1 come nearly 32 floats for each multiprocessor and cycle.")
def _(lesson):
    l1 = [row for row in Lesson("00").table("00_meet", "table=map").rows if row[0] in ("registers", "L1 cache")]
    cycle_ns = float(l1[0][4]) / float(l1[0][3])
    floats = float(l1[1][5]) * 1e12 / 4 * cycle_ns * 1e-9 / 132  # multiprocessors of an H200
    limit = times(lesson).at(("B", "02 direct"), "Of limit")
    return 30 < floats < 32 and limit < 1 / 8


@claim("02", "the same loop without the loads of taps, which takes [three fifths of the time]")
def _(lesson):
    parts = lesson.other("05").table("controls_inner_loop")
    return 0.55 < parts.at(("no", "ULDC", "global"), "Median ms") / parts.at(("no", "LDG", "global"), "Median ms") < 0.65


@claim("02", "a load of a warp from L1 takes one cycle.")
@claim("02", "A load of samples that lie in five sectors takes [a little more than a cycle]")
def _(lesson):
    prices = lesson.other("04").table("controls_request_prices")
    aligned, shifted = (prices.at(("LDG", f"32 words side by side{place}"), "Cycles") for place in ("", ", in five sectors"))
    return 1 <= aligned < 1.05 < shifted < 1.2


@claim("02", "Of the 22 other instructions of `direct`,")
@claim("02", "the share of multiply-adds among the instructions: one in 8.5, or one in 3.6.")
def _(lesson):
    table = lesson.table("loops.csv")
    return table.at("02 direct", "Other instructions") == 22 and table.column("For each tap") == [8.5, 3.6]
