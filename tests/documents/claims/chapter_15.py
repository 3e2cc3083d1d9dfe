# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 15 says about its tables."""

from claims.lessons import claim

TIMES = "Times as fast as one device"
RIGHT = tuple(f"15 {name}" for name in ("copies_and_events", "flags_between", "flags_in_kernel", "nccl_group", "thread_per_device",
                                        "beside_interior", "several_steps"))


def steps(lesson, samples, taps="5", devices="2"):
    return lesson.table("measured", "work=strong", f"taps={taps},", f"samples={samples},", f"devices={devices} ")


def long_and_short(lesson):
    return steps(lesson, 268435456), steps(lesson, 16777216)


@claim("15", "On two GPUs, all correct versions except `from_next_door` reach 1.8 to 1.9 times the speed of one with a long signal, and 0.9 to 1.7 times with a short one.")
def _(lesson):
    found = [[table.at(name, TIMES) for name in RIGHT] for table in long_and_short(lesson)]
    return [round(each, 1) for times in found for each in (min(times), max(times))] == [1.8, 1.9, 0.9, 1.7]


@claim("15", "a step of a long signal takes 507 us on one device, and one of a short signal 35 us.")
def _(lesson):
    ones = [table.at("15 no_exchange", "A step (us)") * table.at("15 no_exchange", TIMES) for table in long_and_short(lesson)]
    return abs(ones[0] - 507) < 1 and 34.5 < ones[1] < 35.5


@claim("15", "With the short signal, `flags_in_kernel` and `several_steps` are the fastest by far")
@claim("15", "With the long one, `flags_in_kernel` is slower than most, because its kernel is slower than the others' even on")
def _(lesson):
    long, short = ({name: table.at(name, "A step (us)") for name in RIGHT} for table in long_and_short(lesson))
    fast = ("15 flags_in_kernel", "15 several_steps")
    others = [name for name in RIGHT if name not in fast]
    alone = steps(lesson, 268435456, devices="1")
    slow_alone = all(alone.at(name, "A step (us)") * 1.02 < alone.at(fast[0], "A step (us)") for name in RIGHT if name != fast[0])
    ahead = min(short[name] for name in others) > 1.15 * max(short[name] for name in fast)
    return ahead and slow_alone and sum(us < long[fast[0]] for us in long.values()) > len(RIGHT) // 2 + 1


@claim("15", "Half of the time on one device and 10 us more make 263 and 27.7 us, and `thread_per_device` takes 266 and 28.")
def _(lesson):
    tables = long_and_short(lesson)
    model = [table.at("15 no_exchange", "A step (us)") * table.at("15 no_exchange", TIMES) / 2 + 10 for table in tables]
    taken = [round(table.at("15 thread_per_device", "A step (us)")) for table in tables]
    return abs(model[0] - 263) < 0.5 and abs(model[1] - 27.7) < 0.1 and taken == [266, 28]


@claim("15", "Between two GPUs, an exchange of 4 floats takes 10 us, and one of 16,384 floats 11.")
def _(lesson):
    table = lesson.table("measured", "work=exchange")
    return round(table.at("4", "An exchange (us)")) == 10 and round(table.at("16,384", "An exchange (us)")) == 11


@claim("15", "4,096 times as many bytes take hardly longer.")
def _(lesson):
    table = lesson.table("measured", "work=exchange")
    return table.at("16,384", "An exchange (us)") < 1.1 * table.at("4", "An exchange (us)")


@claim("15", "double bytes_each_us = 295'000;")
def _(lesson):
    floats, us = 67_108_864, lesson.table("measured", "work=exchange").at("67,108,864", "An exchange (us)")
    return abs(floats * 4 / us / 295_000 - 1) < 0.01


@claim("15", "Measured, that saves more than half of the time beyond `no_exchange` with the short signal, less than half with the long one.")
def _(lesson):
    def cost(table, version):
        return table.at(f"15 {version}", "A step (us)") - table.at("15 no_exchange", "A step (us)")

    long, short = ([cost(table, name) for name in ("thread_per_device", "several_steps")] for table in long_and_short(lesson))
    return 2 * short[1] < short[0] and 1.5 * long[1] < long[0] < 2 * long[1]


@claim("15", "on two GPUs this version takes about half of its time on one.")
def _(lesson):
    two, one = (steps(lesson, 268435456, devices=devices).at("15 from_next_door", "A step (us)") for devices in "21")
    return 0.49 < two / one < 0.52


@claim("15", "On two GPUs it gains nothing with long signals, compared with `thread_per_device`, and loses with short ones, with")
def _(lesson):
    long, short = ([table.at(f"15 {name}", "A step (us)") for name in ("beside_interior", "thread_per_device")]
                   for table in long_and_short(lesson))
    return 0.995 < long[0] / long[1] < 1.01 and short[0] > 1.05 * short[1]


@claim("15", "with [1025 taps](more.md#measured-on-two-devices) as with 5.")
def _(lesson):
    table = steps(lesson, 268435456, taps="1025")
    return 1 < table.at("15 beside_interior", "A step (us)") / table.at("15 thread_per_device", "A step (us)") < 1.02


@claim("15", "`beside_interior` takes 1 to 2 us longer than `thread_per_device` all the same, whatever the length of the signal.")
def _(lesson):
    table = lesson.table("measured", "taps=1025,", "devices=1,")
    longer = [
        table.at((samples, "15 beside_interior"), "A step (us)") - table.at((samples, "15 thread_per_device"), "A step (us)")
        for samples in ("268,435,456", "16,777,216")
    ]
    return all(0.5 <= us < 2.5 for us in longer)


@claim("15", "takes [almost five times](more.md#measured-on-two-devices) as long as the filter of the other versions.")
def _(lesson):
    return steps(lesson, 268435456, devices="1").at("15 from_next_door", TIMES) * 5 - 1 < 0.05


@claim("15", "Almost half of its time is the search for each sample's owner, and almost a third that it loads each sample anew for each tap.")
@claim("15", "Where the halo lies, and whether the kernel waits for events, changes less than one percent:")
def _(lesson):
    table = lesson.table("controls_next_door.csv", "control=steps")
    us = {tuple(row[:3]): float(row[3]) for row in table.rows}
    search = us["search for each sample", "next door", "yes"]
    ends, none, window = (us[kernel, "own memory", "yes"] for kernel in (
        "search in the blocks at the ends", "no search", "no search, samples in registers"))
    same = [us["search for each sample", "own memory", "yes"], us["search for each sample", "next door", "no"]]
    return (
        0.44 < (search - ends) / search < 0.5
        and 0.29 < (none - window) / search < 1 / 3
        and all(abs(each / search - 1) < 0.01 for each in same)
    )


@claim("15", "A load from next door does take six times as long as one from the device's own L2 cache")
def _(lesson):
    table = lesson.table("controls_next_door.csv", "control=chain")
    return round(table.at("next door", "A load (ns)") / table.at("own memory", "A load (ns)")) == 6


@claim("15", "From the host, two devices take more than half of the time of one. So do the copies alone")
def _(lesson):
    table = lesson.table("measured", "work='from host'")
    return all(0.5 < table.at("2", title) / table.at("1", title) < 0.75 for title in ("Filter (ms)", "Copies alone (ms)"))


@claim("15", "Two devices take longer than one with all of these lengths, by less the longer the signal is.")
def _(lesson):
    table = lesson.table("measured", "work='one transform'")
    times = table.column("Times as fast")
    return times == sorted(times) and max(times) < 0.95


@claim("15", "An exchange costs 12.6 us in the curve of the long signal and 10.1 us in that of the short one, about as much as alone.")
def _(lesson):
    fitted = []
    for samples in (268435456, 16777216):
        table = lesson.table("work=strong", "taps=5,", f"samples={samples}", "devices=2")
        alone = table.at("15 no_exchange", "A step (us)") * table.at("15 no_exchange", "Times as fast as one device")
        fitted.append(table.at("15 thread_per_device", "A step (us)") - alone / 2)
    exchange = lesson.table("work=exchange").column("An exchange (us)")[0]
    return abs(fitted[0] - 12.6) < 0.1 and abs(fitted[1] - 10.1) < 0.1 and fitted[1] < exchange < fitted[0]
