# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 15 says about its tables."""

import re

from claims.lessons import ROOT, claim

TIMES = "Times as fast as one device"
RIGHT = tuple(f"15 {name}" for name in ("copies_and_events", "flags_between", "flags_in_kernel", "nccl_group", "thread_per_device",
                                        "beside_interior", "several_steps"))


def steps(lesson, samples, taps="5", devices="2"):
    return lesson.table("measured", "work=strong", f"taps={taps},", f"samples={samples},", f"devices={devices} ")


def long_and_short(lesson):
    return steps(lesson, 268435456), steps(lesson, 16777216)


@claim("15", "On two GPUs, all correct versions except `from_next_door` reach 1.86 to 1.96 times the speed of one with a long signal, and 1.04 to 1.80 times with a short one.")
def _(lesson):
    found = [[table.at(name, TIMES) for name in RIGHT] for table in long_and_short(lesson)]
    return [round(each, 2) for times in found for each in (min(times), max(times))] == [1.86, 1.96, 1.04, 1.8]


@claim("15", "a step of a long signal takes 714 us on one device, and one of a short signal 48 us.")
def _(lesson):
    ones = [table.at("15 no_exchange", "A step (us)") * table.at("15 no_exchange", TIMES) for table in long_and_short(lesson)]
    return 713 < ones[0] < 715 and 47.5 < ones[1] < 48.5


@claim("15", "`flags_in_kernel` and `several_steps` are the fastest of them in both tables")
def _(lesson):
    return all(
        set(sorted(RIGHT, key=lambda name: table.at(name, "A step (us)"))[:2]) == {"15 flags_in_kernel", "15 several_steps"}
        for table in long_and_short(lesson)
    )


@claim("15", "Between two GPUs, an exchange of 4 floats takes 7 us, and one of 16,384 floats 10.")
def _(lesson):
    table = lesson.table("measured", "work=exchange")
    return round(table.at("4", "An exchange (us)")) == 7 and round(table.at("16,384", "An exchange (us)")) == 10


@claim("15", "4,096 times as many bytes take 1.2 to 1.4 times as long in three runs.")
def _(lesson):
    table = lesson.table("measured", "work=exchange")
    ratios = [table.at("16,384", "An exchange (us)") / table.at("4", "An exchange (us)")]
    for run in (1, 2):
        text = (ROOT / f"docs/measurements/h100x2-2026-11-26/groups_of_50_ms_{run}.txt").read_text(encoding="utf-8")
        few, many = (float(re.search(rf"^ +{floats} +([\d.]+) ", text, re.M)[1]) for floats in ("4", "16,384"))
        ratios.append(many / few)
    return 1.15 < min(ratios) and max(ratios) < 1.4


@claim("15", "double bytes_each_us = 295'000;")
def _(lesson):
    floats, us = 67_108_864, lesson.table("measured", "work=exchange").at("67,108,864", "An exchange (us)")
    return abs(floats * 4 / us / 295_000 - 1) < 0.01


@claim("15", "Measured, that divides the cost by four with the short signal, by two with the long one.")
def _(lesson):
    def cost(table, version):
        return table.at(f"15 {version}", "A step (us)") - table.at("15 no_exchange", "A step (us)")

    long, short = ([cost(table, name) for name in ("thread_per_device", "several_steps")] for table in long_and_short(lesson))
    return 3.5 * short[1] < short[0] < 4.5 * short[1] and 1.8 * long[1] < long[0] < 2.5 * long[1]


@claim("15", "on two GPUs this version takes about half of its time on one.")
def _(lesson):
    two, one = (steps(lesson, 268435456, devices=devices).at("15 from_next_door", "A step (us)") for devices in "21")
    return 0.49 < two / one < 0.52


@claim("15", "On two GPUs it gains nothing with long signals, compared with `thread_per_device`, and loses with short ones.")
def _(lesson):
    long, short = ([table.at(f"15 {name}", "A step (us)") for name in ("beside_interior", "thread_per_device")]
                   for table in long_and_short(lesson))
    return abs(long[0] / long[1] - 1) < 0.005 and short[0] > 1.05 * short[1]


@claim("15", "With 1025 taps it loses [more](more.md#measured-on-two-devices)")
def _(lesson):
    table, short = steps(lesson, 268435456, taps="1025"), steps(lesson, 16777216)
    loss = [each.at("15 beside_interior", "A step (us)") / each.at("15 thread_per_device", "A step (us)") for each in (table, short)]
    return loss[0] > loss[1] > 1


@claim("15", "takes [more than three times](more.md#measured-on-two-devices) as long as the filter of the other versions.")
def _(lesson):
    return steps(lesson, 268435456, devices="1").at("15 from_next_door", TIMES) < 1 / 3


@claim("15", "The first two versions are four percent faster there than in turns.")
def _(lesson):
    table = steps(lesson, 268435456, taps="1025")
    return 1.035 < table.at("15 no_exchange", "A step (us)") / table.at("15 no_exchange", "Burst (us)") < 1.045


@claim("15", "From the host, two devices take more than half of the time of one. So do the copies alone")
def _(lesson):
    table = lesson.table("measured", "work='from host'")
    return all(0.5 < table.at("2", title) / table.at("1", title) < 0.7 for title in ("Filter (ms)", "Copies alone (ms)"))


@claim("15", "Up to 16 million numbers two devices take longer than one, and from 67 million on about as long.")
def _(lesson):
    table = lesson.table("measured", "work='one transform'")
    times = table.column("Times as fast")
    return max(times[:2]) < 0.7 and all(0.95 < each < 1.05 for each in times[2:])


@claim("15", "An exchange costs 13.5 us in the curve of the long signal and 9.9 us in that of the short one: in a step it takes longer than alone.")
def _(lesson):
    fitted = []
    for samples in (268435456, 16777216):
        table = lesson.table("work=strong", "taps=5,", f"samples={samples}", "devices=2")
        alone = table.at("15 no_exchange", "A step (us)") * table.at("15 no_exchange", "Times as fast as one device")
        fitted.append(table.at("15 thread_per_device", "A step (us)") - alone / 2)
    exchange = lesson.table("work=exchange").column("An exchange (us)")[0]
    return abs(fitted[0] - 13.5) < 0.3 and abs(fitted[1] - 9.9) < 0.3 and exchange < min(fitted)
