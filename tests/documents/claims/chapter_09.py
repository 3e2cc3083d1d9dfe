# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 09 says about its tables."""

from claims.lessons import Lesson, alike, claim

WORKS = ("encode", "decode", "round trip")


def of(lesson, size, version, title, works=WORKS):
    table = lesson.table("09_dct", f"where=width={size}")
    return [table.at((work, version), title) for work in works]


@claim("09", "`per_coefficient` takes about forty times as long for the lesson's picture")
def _(lesson):
    large, small = (of(lesson, size, "09 per_coefficient", "Median ms") for size in (16384, 2592))
    return all(34 < a / b < 46 for a, b in zip(large, small))


@claim("09", "In either direction, `stepwise` takes more than eight times as long as the limit.")
def _(lesson):
    return max(of(lesson, 2592, "09 stepwise", "Of limit")) < 1 / 8


@claim("09", "`stepwise` takes more than twelve times as long as the limit.")
def _(lesson):
    return max(of(lesson, 16384, "09 stepwise", "Of limit")) < 1 / 12


@claim("09", "which means two million blocks of threads. At chapter 08's rate, just starting them takes more than half of the time of `stepwise`.")
def _(lesson):
    blocks = 2 * (16384 // 32) * (16384 // 8)
    rate = Lesson("08").table("08_dct8x8", "starts_ms").at(("nothing", "256"), "Blocks / us")
    times = of(lesson, 16384, "09 stepwise", "Median ms", WORKS[:2])
    return all(0.5 < blocks / rate / 1000 / time < 0.7 for time in times)


@claim("09", "`stepwise_vectors` takes half as long as `stepwise`, and about 6.4 times as long as the limit.")
def _(lesson):
    one_way = WORKS[:2]
    plain, vectors = (of(lesson, 16384, f"09 {v}", "Median ms", one_way) for v in ("stepwise", "stepwise_vectors"))
    shares = of(lesson, 16384, "09 stepwise_vectors", "Of limit", one_way)
    return all(0.45 < v / p < 0.55 for v, p in zip(vectors, plain)) and all(6.3 < 1 / s < 6.6 for s in shares)


@claim("09", "which takes more than 40 times as long as the kernel, even with pinned memory.")
def _(lesson):
    rows = lesson.table("09_dct", "pinned_copies_ms").rows
    factors = [float(row[3].replace(",", "")) / float(row[1].replace(",", "")) for row in rows]
    return 40 < min(factors) and max(factors) < 100


@claim("09", "For whole 8x8 blocks it spills nothing: the lesson's profile counts no *local loads*.")
def _(lesson):
    return lesson.table("09_profile", "instructions").column("Local loads") == [0, 0, 0]


@claim("09", "**`fused` takes about as long as a copy**")
def _(lesson):
    shares = of(lesson, 16384, "09 fused", "Of limit", WORKS[:2])
    return all(0.95 < share < 1.05 for share in shares)


@claim("09", "In the inverse direction, `fused` can be a little faster than its limit.")
def _(lesson):
    return 1 < of(lesson, 16384, "09 fused", "Of limit", ["decode"])[0] < 1.05


@claim("09", "`fused` is farther from its limit than it was with the large picture. `move_blocks`, which has the loads and stores of the round trip, is as close as before, to within a percentage point.")
def _(lesson):
    large, small = (of(lesson, size, "09 fused", "Of limit") for size in (16384, 2592))
    moved = [of(lesson, size, "09 move_blocks", "Of limit", ["limits"])[0] for size in (16384, 2592)]
    return all(s < l for s, l in zip(small, large)) and abs(moved[0] - moved[1]) < 0.01


@claim("09", "Of the three fused kernels, the one from pixels to pixels moves the fewest bytes, and is the farthest from")
def _(lesson):
    encode, decode, both_ways = of(lesson, 16384, "09 fused", "Of limit")
    return both_ways < min(encode, decode)


@claim("09", "It runs at the copy limit (see *limits* in the table above), so the accesses aren't the reason.")
def _(lesson):
    return of(lesson, 16384, "09 move_blocks", "Of limit", ["limits"])[0] > 0.97


@claim("09", "there are far more instructions per pixel than in either direction")
def _(lesson):
    table = lesson.table("09_profile", "instructions")
    title = "Instructions per pixel"
    both = table.at("pixels to pixels", title)
    return both > 1.4 * max(table.at(work, title) for work in ("pixels to levels", "levels to pixels"))


@claim("09", "The schedulers are busy, and memory is not.")
def _(lesson):
    table = lesson.table("09_profile", "instructions")
    return table.at("pixels to pixels", "Issue") > 85 and table.at("pixels to pixels", "Memory") < 60


def share(lesson, read, written, width):
    return lesson.table("controls_copies").at((f"{read} read, {written} written", width), "Median ms")


@claim("09", "with the same shares of reads and writes takes about as long as the limit")
def _(lesson):
    equal = share(lesson, 1, 1, "2592")
    fused = of(lesson, 2592, "09 fused", "Of limit", WORKS[:2])
    return all(alike([equal, share(lesson, *shares, "2592")], 0.03) for shares in ((1, 2), (2, 1))) and max(fused) < 0.95


@claim("09", "the copy with a decoder's shares takes less time than the copy with equal shares, and the copy with an encoder's shares takes more.")
@claim("09", "There, `fused` is within 3% of the copy that reads and writes in the same proportion, in both directions.")
def _(lesson):
    encoder, equal, decoder = (share(lesson, *shares, "16,384") for shares in ((1, 2), (1, 1), (2, 1)))
    fused = of(lesson, 16384, "09 fused", "Median ms", WORKS[:2])
    return decoder < equal < encoder and alike([encoder, fused[0]], 0.03) and alike([decoder, fused[1]], 0.03)


@claim("09", "With 8192 x 8192 pixels, splitting and joining reach more than 87% of the limit, except for joining 4:2:0")
def _(lesson):
    table = lesson.table("09_dct", "variant=colors")
    shares = {row[0]: float(row[5]) for row in table.rows if row[1] == "8192"}
    joined = shares.pop("colors from 4:2:0")
    return len(shares) == 3 and min(shares.values()) > 7 / 8 > joined
