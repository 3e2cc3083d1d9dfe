# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 09 says about its tables."""

from claims.lessons import claim

WORKS = ("encode", "decode", "round trip")


def of(lesson, size, version, title, works=WORKS):
    table = lesson.table("09_dct", f"where=width={size}")
    return [table.at((work, version), title) for work in works]


@claim("09", "`per_coefficient` takes about forty times as long for the picture of the lesson")
def _(lesson):
    large, small = (of(lesson, size, "09 per_coefficient", "Median ms") for size in (16384, 2592))
    return all(34 < a / b < 46 for a, b in zip(large, small))


@claim("09", "`stepwise` takes more than eight times as long as the limit.")
def _(lesson):
    return max(of(lesson, 2592, "09 stepwise", "Of limit")) < 1 / 8


@claim("09", "`stepwise` takes more than twelve times as long as the limit.")
def _(lesson):
    return max(of(lesson, 16384, "09 stepwise", "Of limit")) < 1 / 12


@claim("09", "`fused` takes hardly longer than a copy, in each direction.")
def _(lesson):
    return min(of(lesson, 16384, "09 fused", "Of limit", WORKS[:2])) > 0.94


@claim("09", "`fused` can be a little faster than its limit on the way back.")
def _(lesson):
    return 1 < of(lesson, 16384, "09 fused", "Of limit", ["decode"])[0] < 1.05


@claim("09", "Of the three fused kernels, the one from pixels to pixels moves the fewest bytes, and is the farthest from")
def _(lesson):
    encode, decode, both_ways = of(lesson, 16384, "09 fused", "Of limit")
    return both_ways < min(encode, decode)


@claim("09", "It runs at the copy limit (the rows *limits* above).")
def _(lesson):
    return of(lesson, 16384, "09 move_blocks", "Of limit", ["limits"])[0] > 0.97


@claim("09", "there are far more instructions for each pixel than in either direction")
def _(lesson):
    table = lesson.table("09_profile", "instructions")
    both = table.at("pixels to pixels", 6)
    return both > 1.4 * max(table.at(work, 6) for work in ("pixels to levels", "levels to pixels"))


@claim("09", "The schedulers are busy, and memory is not")
def _(lesson):
    table = lesson.table("09_profile", "instructions")
    return table.at("pixels to pixels", "Issue") > 85 and table.at("pixels to pixels", "Memory") < 60
