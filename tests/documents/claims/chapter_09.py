# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 09 says about its tables."""

from claims.lessons import claim


@claim("09", "takes about forty times as long for forty times as many pixels")
def _(lesson):
    version = "09 per_coefficient"
    tables = [lesson.table("09_dct", f"work={work}") for work in ("encode", "decode")]
    return all(34 < t.at((version, "16,384"), 2) / t.at((version, "2592"), 2) < 46 for t in tables)


@claim("09", "on the small picture more than eight times as long as the limit, on the large one more than twelve.")
def _(lesson):
    tables = [lesson.table("09_dct", f"work={work}") for work in ("encode", "decode")]
    shares = {size: [t.at(("09 stepwise", size), "Of limit") for t in tables] for size in ("2592", "16,384")}
    return max(shares["2592"]) < 1 / 8 and max(shares["16,384"]) < 1 / 12


@claim("09", "Of the three fused kernels, the one from pixels to pixels moves the fewest bytes, and is the farthest from")
def _(lesson):
    tables = [lesson.table("09_dct", f"work={work}") for work in ("encode", "decode")]
    one_way = [share for table in tables for share in table.column("Of limit", Version="09 fused")]
    both_ways = lesson.table("09_dct", "work=round trip").column("Of limit", Version="09 fused")
    return max(both_ways) < min(one_way)


@claim("09", "there are far more instructions for each pixel than in either direction")
def _(lesson):
    table = lesson.table("09_profile", "instructions")
    both = table.at("pixels to pixels", 6)
    return both > 1.4 * max(table.at(work, 6) for work in ("pixels to levels", "levels to pixels"))
