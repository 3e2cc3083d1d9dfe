# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 14 says about its tables."""

from claims.lessons import claim


@claim("14", "In this chapter's versions, each warp loads 8192 bytes of matrices in addition to its pixels.")
def _(lesson):
    table = lesson.table("counts", "Bytes loaded")
    return all(table.at(f"14 round_trip_{name}", "Bytes loaded") == 32768 + 32 * 8192 for name in ("mma", "staged"))


@claim("14", "In this table, the products have smaller errors than the float kernel in every row.")
def _(lesson):
    ratios = lesson.table("counts", "Error of floats").column("Ratio")
    return len(ratios) == 6 and all(ratio < 1 for ratio in ratios)


@claim("14", "`round_trip_wmma` executes about as many instructions as the float kernel, but takes")
def _(lesson):
    instructions = lesson.table("14_profile").column("Instructions / 32 pixels")[0]
    of_floats = lesson.other("09").table("09_profile").at("pixels to pixels", "Instructions per pixel")
    return 0.9 < instructions / of_floats < 1.1


@claim("14", "A warp of `round_trip_wmma` waits for shared memory and its queue more than five times as long as for global memory, and for each pixel it executes twice as many instructions as `round_trip_mma`. For the other two versions, no recorded wait is longer than 1.4 cycles. They have few warps, their schedulers issue instructions in about 60% of the cycles, and memory is about as busy. `round_trip_staged` waits less for global memory than `round_trip_mma`, and executes slightly fewer instructions.")
@claim("14", "[wait for shared memory](more.md#what-the-kernels-wait-for), but the warps of the other two versions hardly do.")
def _(lesson):
    table = lesson.table("14_profile")
    of = lambda title: [float(x) for x in table.column(title)]  # wmma, mma, staged
    in_shared = [sum(each) for each in zip(of("Shared memory"), of("Shared memory queue"))]
    per_pixels, waits = of("Instructions / 32 pixels"), of("Global memory")
    return (
        5 < in_shared[0] / waits[0] < 6
        and max(in_shared[1:]) < 0.2
        and 1.9 < per_pixels[0] / per_pixels[1] < 2.2
        and 0.93 * per_pixels[1] < per_pixels[2] < per_pixels[1]
        and waits[2] < 0.5 * waits[1]
        and all(max(of(title)[1:]) <= 1.4 for title in table.titles[5:])
        and all(55 < percent < 66 for title in ("Issue", "Memory") for percent in of(title)[1:])
    )


@claim("14", "With `round_trip_mma` and `round_trip_staged`, the clock ends about 20% lower than with `fused`")
def _(lesson):
    table = lesson.table("measured", "work='back to back'")
    first, last = table.column("First ms"), table.column("Last ms")
    changes = [after / before - 1 for before, after in zip(first, last)]
    mma, staged, floats = (table.at(f"{label}", "Last MHz") for label in ("14 round_trip_mma", "14 round_trip_staged", "09 fused"))
    a_fifth = all(0.77 < clock / floats < 0.84 for clock in (mma, staged))
    return a_fifth and max(map(abs, changes)) < 0.08


@claim("14", "On an H200, the errors are larger than here, but still [smaller than the float kernel's](more.md#what-a-gpu-rounds).")
@claim("14", "On an H200, the errors are larger than on the emulated device, but still smaller than the float kernel's:")
def _(lesson):
    here, there = lesson.table("counts", "work=errors"), lesson.table("measured", "work=errors")
    pairs = zip(here.column("Ratio"), there.column("Ratio"))
    return all(emulated < gpu < 1 for emulated, gpu in pairs)


@claim("14", "So staging pays in bursts: `round_trip_staged` [waits less for global memory](more.md#what-the-kernels-wait-for), and needs")
@claim("14", "If the versions run back to back for a second, however, the clock of `round_trip_staged` is [lower](more.md#short-bursts-and-a-whole-second), and this version needs")
def _(lesson):
    bursts, second = lesson.table("measured", "work='round trip'"), lesson.table("measured", "work='back to back'")
    faster, still = (table.at("14 round_trip_staged", at) / table.at("14 round_trip_mma", at) for table, at in ((bursts, "Median ms"), (second, "Last ms")))
    clocks = [second.at(f"14 round_trip_{name}", "Last MHz") for name in ("staged", "mma")]
    waits = [lesson.table("14_profile").at(f"round_trip_{name}", "Global memory") for name in ("staged", "mma")]
    return faster < 0.95 < still < 1 and clocks[0] < clocks[1] and waits[0] < 0.5 * waits[1]


@claim("14", "The times of these two versions change by a few percent.")
@claim("14", "Only `round_trip_mma`'s clock falls noticeably during the second. The clocks of `round_trip_wmma` and `round_trip_staged` begin low and rise, and both versions get faster.")
def _(lesson):
    table = lesson.table("14_small", "back to back")
    change = {
        name: [table.at(f"14 round_trip_{name}", last) / table.at(f"14 round_trip_{name}", first) - 1 for first, last in columns]
        for columns in [(("First ms", "Last ms"), ("First MHz", "Last MHz"))]
        for name in ("wmma", "mma", "staged")
    }
    (wmma_time, wmma_clock), (mma_time, mma_clock), (staged_time, staged_clock) = change.values()
    return (
        max(map(abs, (mma_time, staged_time))) < 0.05
        and mma_clock < -0.05
        and min(wmma_clock, staged_clock) > 0.02
        and max(wmma_time, staged_time) < 0
    )
