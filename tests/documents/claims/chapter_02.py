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
    return profile(lesson).at(("1025 taps", "direct"), "Instructions per 32 outputs") / 1025


@claim("02", "With 5 taps, the kernel gets fairly close to the best that an H200 can do.")
def _(lesson):
    return 0.6 < times(lesson).at(("A", "02 direct"), "Of limit") < 0.95


@claim("02", "would take more than five times as long as the copy. Neighboring threads")
def _(lesson):
    return times(lesson).at(("A", "02 direct"), "Of limit") > 2 / 5


@claim("02", "although both versions make the same loads.")
def _(lesson):
    grouped, direct = (
        [times(lesson).at((work, f"02 {n}"), "Median ms") for work in "AB"] for n in ("direct_grouped", "direct")
    )
    return all(slow > 2 * fast for slow, fast in zip(grouped, direct))


@claim("02", "*Not the cause:* nearly all loads find their values in a cache.")
@claim("02", "with 1025 taps, device memory is nearly idle.")
def _(lesson):
    return profile(lesson).at(("1025 taps", "direct"), "Memory (% of its peak)") < 2


@claim("02", "so this kernel can't reach more than that share of the limit.")
def _(lesson):
    direct = lesson.table("loops.csv").at("02 direct", "For each tap")
    return 8.3 < per_tap(lesson) < 8.7 and times(lesson).at(("B", "02 direct"), "Of limit") < 1 / direct


@claim("02", "With 5 taps, its percentages differ from these by up to two points.)")
def _(lesson):
    ours, other = profile(lesson), Lesson("11").table("06_profile", "registers:")
    both = ("Issuing (% of cycles)", "Issue"), ("Memory (% of its peak)", "Memory")
    away = [abs(ours.at(("5 taps", "direct"), a) - other.at(("5 taps", "direct"), b)) for a, b in both]
    return 1.5 < max(away) <= 2


@claim("02", "has less than half the instructions per tap")
def _(lesson):
    interior = profile(lesson).at(("1025 taps", "direct_interior"), "Instructions per 32 outputs") / 1025
    return interior < per_tap(lesson) / 2


@claim("02", "and the schedulers are idle in more than half of the cycles.")
@claim("02", "and its schedulers issue in less than half of the cycles")
def _(lesson):
    return profile(lesson).at(("1025 taps", "direct_interior"), "Issuing (% of cycles)") < 50


@claim("02", "In its profile, the schedulers issue in about nine out of ten cycles.")
@claim("02", "In `direct`, the schedulers issue in about nine out of ten cycles.")
def _(lesson):
    return 85 < profile(lesson).at(("1025 taps", "direct"), "Issuing (% of cycles)") < 95


@claim("02", "Yet `direct_interior` is no faster:")
@claim("02", "If you remove only one cause, the other takes over, and you gain little or nothing.")
@claim("02", "Yet `direct_interior` is not faster, because both versions make the same loads, and both stay below one eighth of the limit.")
@claim("02", "(`direct_interior` is even a little slower than `direct`. These counters don't show why.)")
@claim("02", "and with 1025 taps, fewer instructions alone gain nothing.")
@claim("02", "A control experiment shows that lifting only the first limit gains nothing with 1025 taps.")
def _(lesson):
    direct, interior = (times(lesson).at(("B", f"02 {n}"), "Of limit") for n in ("direct", "direct_interior"))
    return 0.85 * direct < interior < direct < 1 / 8


@claim("02", "In other words, the processor is done before the copies are.")
def _(lesson):
    host = times(lesson).at(("A", "01 all_cores"), "Median ms")
    return host < copies(lesson).at("A", "Pageable copies there and back (ms)")


@claim("02", "as long as all cores need, so the GPU gains nothing in that case either.")
def _(lesson):
    host = times(lesson).at(("A", "01 all_cores"), "Median ms")
    return 0.7 < copies(lesson).at("A", "Pinned copies there and back (ms)") / host < 1.5


@claim("02", "Pageable copies are several times slower, because of their detour through the driver's buffer.")
def _(lesson):
    pageable, pinned = (
        copies(lesson).column(f"{kind} copies there and back (ms)") for kind in ("Pageable", "Pinned")
    )
    return all(slow > 2 * fast for slow, fast in zip(pageable, pinned))


@claim("02", "the bound that the loads set, of which it reaches about 80%.")
def _(lesson):
    return 0.75 < 8 * times(lesson).at(("B", "02 direct_interior"), "Of limit") < 0.85


@claim("02", "L1 delivers nearly 32 floats per multiprocessor and cycle.")
def _(lesson):
    l1 = [row for row in Lesson("00").table("00_meet", "table=map").rows if row[0] in ("registers", "L1 cache")]
    cycle_ns = float(l1[0][4]) / float(l1[0][3])
    floats = float(l1[1][5]) * 1e12 / 4 * cycle_ns * 1e-9 / 132  # multiprocessors of an H200
    limit = times(lesson).at(("B", "02 direct"), "Of limit")
    return 30 < floats < 32 and limit < 1 / 8


@claim("02", "*Also a cause.* The other instructions and the loads limit the kernel to nearly the same speed.")
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
@claim("02", "the share of multiply-adds among the instructions: one in 8.5 for `direct`, and one in 3.6 for `direct_interior`.")
def _(lesson):
    table = lesson.table("loops.csv")
    return table.at("02 direct", "Other instructions") == 22 and table.column("For each tap") == [8.5, 3.6]
