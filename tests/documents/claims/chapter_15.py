# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 15 says about its tables."""

import csv

from claims.lessons import ROOT, claim, rising

RIGHT = ("copies_and_events", "flags_between", "flags_in_kernel", "nccl_group", "thread_per_device", "beside_interior",
         "several_steps")
H100, H200 = "h100x4/", "h200x2/"  # four of one, two of the other


def steps(lesson, samples, taps="5", record=H100):
    return lesson.table("measured", record, "work=strong", f"taps={taps},", f"samples={samples}", "across=devices")


def long_and_short(lesson, record=H100):
    return steps(lesson, 268435456, record=record), steps(lesson, 16777216, record=record)


def us(table, version, devices):
    return table.at(f"15 {version}", f"On {devices} (us)")


def times(table, version, devices):
    return table.at(f"15 {version}", f"On {devices}: times as fast")


def alone(table):
    """A step on one device, in us, without an exchange."""
    return us(table, "no_exchange", 2) * times(table, "no_exchange", 2)


def fitted(table):
    """What an exchange costs in the model's curve, in us."""
    return us(table, "thread_per_device", 2) - alone(table) / 2


def exchanges(lesson, record=H100):
    return lesson.table("measured", record, "work=exchange")


@claim("15", "On four GPUs, all correct versions except <code>from_next_door</code> reach 3.2 to 3.9 times the speed of one GPU with a long signal, and 0.8 to 4.0 times with a short signal.")
def _(lesson):
    found = [[times(table, name, 4) for name in RIGHT] for table in long_and_short(lesson)]
    return [round(each, 1) for faster in found for each in (min(faster), max(faster))] == [3.2, 3.9, 0.8, 4.0]


@claim("15", "on one device, a step takes 714 us with a long signal and 48 us with a short signal.")
def _(lesson):
    ones = [alone(table) for table in long_and_short(lesson)]
    return abs(ones[0] - 714) < 1 and 47.5 < ones[1] < 48.5


@claim("15", "Add 10 us to a quarter of the one-device time, and you predict 189 us for the long signal and 22 us for the short one. With `thread_per_device`, we measured 191 us and 18.0 us.")
def _(lesson):
    tables = long_and_short(lesson)
    model = [alone(table) / 4 + 10 for table in tables]
    taken = [us(table, "thread_per_device", 4) for table in tables]
    return abs(model[0] - 188.5) < 0.5 and abs(model[1] - 22.1) < 0.1 and round(taken[0]) == 191 and abs(taken[1] - 18.0) < 0.05


@claim("15", "With the short signal, both versions are slower on four devices than on two.")
@claim("15", "in four threads, and is more than twice as fast.")
@claim("15", "Even `no_exchange`, with one thread, is slower than four versions that exchange halos.")
def _(lesson):
    short = steps(lesson, 16777216)
    slower = all(us(short, name, 4) > us(short, name, 2) for name in ("copies_and_events", "nccl_group"))
    half = 0.4 < us(short, "thread_per_device", 4) / us(short, "nccl_group", 4) < 0.5
    return slower and half and sum(us(short, name, 4) < us(short, "no_exchange", 4) for name in RIGHT) == 4


@claim("15", "With 1025 taps, the kernels for the short signal take longer, but [the steps of `copies_and_events` and `nccl_group` don't](more.md#measured-on-four-devices).")
@claim("15", "On four devices, `copies_and_events` and `nccl_group` take as long with this signal as with 5 taps.")
@claim("15", "`flags_between`, `thread_per_device` and `several_steps` have a thread for each device, and take 7 or 8 us longer than with 5 taps.")
def _(lesson):
    few, many = steps(lesson, 16777216), steps(lesson, 16777216, taps="1025")
    same = all(abs(us(many, name, 4) / us(few, name, 4) - 1) < 0.03 for name in ("copies_and_events", "nccl_group"))
    longer = [us(many, name, 4) - us(few, name, 4) for name in ("flags_between", "thread_per_device", "several_steps")]
    return same and all(6.5 < each < 8.5 for each in longer)


@claim("15", "These are the two fastest correct versions, by far with the short signal and by 3% with the long signal.")
def _(lesson):
    fast = ("flags_in_kernel", "several_steps")
    ahead = [
        min(us(table, name, 4) for name in RIGHT if name not in fast) / max(us(table, name, 4) for name in fast)
        for table in long_and_short(lesson)
    ]
    return 1.025 < ahead[0] < 1.035 and ahead[1] > 1.4


@claim("15", "Among four GPUs, an exchange of 4 floats takes 11 us, and an exchange of 16,384 floats takes 12 us.")
def _(lesson):
    table = exchanges(lesson)
    return round(table.at("4", "An exchange (us)")) == 11 and round(table.at("16,384", "An exchange (us)")) == 12


@claim("15", "The times in the first four rows are nearly the same, although the fourth row has 4,096 times the bytes of the first:")
def _(lesson):
    table = exchanges(lesson)
    return table.at("16,384", "An exchange (us)") < 1.15 * table.at("4", "An exchange (us)")


@claim("15", "double bytes_each_us = 295'000;")
def _(lesson):
    floats, time = 67_108_864, exchanges(lesson, H200).at("67,108,864", "An exchange (us)")
    return abs(floats * 4 / time / 295_000 - 1) < 0.01


@claim("15", "An exchange then costs 12.4 us with the long signal and 10.4 us with the short one, about as much as an exchange without a filter.")
def _(lesson):
    costs = [fitted(table) for table in long_and_short(lesson)]
    exchange = exchanges(lesson).column("An exchange (us)")[0]
    return abs(costs[0] - 12.4) < 0.1 and abs(costs[1] - 10.4) < 0.1 and costs[1] < exchange < costs[0]


@claim("15", "The curves predict that they are 3.74 and 2.15 times as fast as one, and we measured 3.73 and 2.68. For eight devices, which we didn't measure, the curves predict 7.03 and 2.93.")
def _(lesson):
    tables = long_and_short(lesson)
    says = [[alone(table) / (alone(table) / devices + fitted(table)) for table in tables] for devices in (4, 8)]
    measured = [times(table, "thread_per_device", 4) for table in tables]
    near = all(abs(found - wanted) < 0.01 for found, wanted in zip(says[0] + says[1], (3.74, 2.15, 7.03, 2.93)))
    return near and [round(each, 2) for each in measured] == [3.73, 2.68]


@claim("15", "levels off near 58 times. The curve of the shorter signal leaves the line at once, and levels off near 4.6 times. Its point at four devices lies above the curve")
@claim("15", "With the short signal, four devices are faster than the curve predicts, and we don't know why.")
def _(lesson):
    long, short = long_and_short(lesson)
    above = alone(short) / 4 + fitted(short) > 1.2 * us(short, "thread_per_device", 4)
    return above and abs(alone(long) - 58 * fitted(long)) < 10 and abs(alone(short) - 4.6 * fitted(short)) < 1


@claim("15", "On four GPUs, with the long signal, exchanging less often removes about 70% of the time that `thread_per_device` takes beyond `no_exchange`. With the short signal, the whole step becomes about 30% shorter.")
def _(lesson):
    (often, seldom, never), short = (
        [us(table, name, 4) for name in ("thread_per_device", "several_steps", "no_exchange")] for table in long_and_short(lesson)
    )
    beyond = often - never
    return 0.6 * beyond < often - seldom < 0.72 * beyond and 0.3 < 1 - short[1] / short[0] < 0.333


@claim("15", "four GPUs take about half as long as two.")
def _(lesson):
    long = steps(lesson, 268435456)
    return 0.49 < us(long, "from_next_door", 4) / us(long, "from_next_door", 2) < 0.52


@claim("15", "compared with `thread_per_device` on four GPUs, the idea gains nothing with long signals and loses with short signals, with")
def _(lesson):
    long, short = (us(table, "beside_interior", 4) / us(table, "thread_per_device", 4) for table in long_and_short(lesson))
    return 0.995 < long < 1.02 and short > 1.2


@claim("15", "with [1025 taps](more.md#measured-on-four-devices) as well as with 5.")
def _(lesson):
    tables = [steps(lesson, samples, taps="1025") for samples in (268435456, 16777216)]
    long, short = (us(table, "beside_interior", 4) / us(table, "thread_per_device", 4) for table in tables)
    return 0.995 < long < 1.02 and short > 1.1


@claim("15", "For **pictures split by rows** of 8x8 blocks, four devices are 3.8 times as fast as one.")
@claim("15", "5 us for levels and 17 us for a file. For four devices, this predicts 72 and 88 us, and we measured 72 and 89 us.")
def _(lesson):
    table = lesson.table("measured", H100, "pixels=")
    one, two, four = ([table.at(f"{what} by rows", f"On {n} (us)") for what in ("picture", "file")] for n in (1, 2, 4))
    same = [2 * half - whole for whole, half in zip(one, two)]
    gives = [each + (whole - each) / 4 for whole, each in zip(one, same)]
    rounded = [[round(each) for each in all_of] for all_of in (same, gives, four)]
    return rounded == [[5, 17], [72, 88], [72, 89]] and round(table.at("picture by rows", "On 4: times as fast"), 1) == 3.8


@claim("15", "Two devices take more than half as long as one, and four devices are not much faster than two. The same is true for the copies alone")
def _(lesson):
    table = lesson.table("measured", H100, "work='from host'")
    one, two, four = ([table.at(n, title) for title in ("Filter (ms)", "Copies alone (ms)")] for n in "124")
    return all(0.5 < b / a < 0.75 and 0.75 < c / b < 0.95 for a, b, c in zip(one, two, four))


@claim("15", "Four devices take about as long as two, except with `copies_and_events`, which takes 3% longer.")
@claim("15", "again/15_many_gpus.csv), `flags_in_kernel` takes 2% longer.")
def _(lesson):
    again = sorted(ROOT.glob("docs/measurements/h100x4-????-??-??/again/15_many_gpus.csv"))[-1]
    with open(again, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if (row["work"], row["version"]) == ("weak", "flags_in_kernel")]
    two, four = (float(row["step_us"]) for row in rows if row["devices"] != "1")
    if not 1.015 < four / two < 1.025:
        return False
    table = lesson.table("measured", H100, "work=weak")
    longer = {name: us(table, name, 4) / us(table, name, 2) for name in RIGHT}
    copies = longer.pop("copies_and_events")
    return 1.025 < copies < 1.035 and all(0.99 < each < 1.01 for each in longer.values())


@claim("15", "A long exchange takes about twice as long among four devices as between two. The lesson's table ends with 1931 us, and the table for two H200s above ends with 905 us.")
def _(lesson):
    four, two = (exchanges(lesson, record).column("An exchange (us)")[-1] for record in (H100, H200))
    return round(four) == 1931 and round(two) == 905 and 1.9 < four / two < 2.2


@claim("15", "An exchange of a few samples costs about as much among four H100s as between two H200s. However, a step takes longer on one H100 than on one H200")
def _(lesson):
    few = [exchanges(lesson, record).column("An exchange (us)")[:4] for record in (H100, H200)]
    long = [steps(lesson, 268435456, record=record) for record in (H100, H200)]
    return all(0.9 < a / b < 1.2 for a, b in zip(*few)) and alone(long[0]) > 1.3 * us(long[1], "no_exchange", 1)


@claim("15", "`flags_in_kernel` is slower than most versions here, because its kernel is slower than their kernels even on one device.")
@claim("15", "On the lesson's H100s, it is one of the two fastest versions.")
def _(lesson):
    def place(table, devices):
        return sorted(RIGHT, key=lambda name: us(table, name, devices)).index("flags_in_kernel")

    here, there = (steps(lesson, 268435456, record=record) for record in (H200, H100))
    slow_alone = all(us(here, name, 1) * 1.02 < us(here, "flags_in_kernel", 1) for name in RIGHT if name != "flags_in_kernel")
    return slow_alone and place(here, 2) > len(RIGHT) // 2 and place(there, 2) < 2 and place(there, 4) < 2


@claim("15", "On two devices, one thread is enough, and `nccl_group` takes as long as `thread_per_device`.")
def _(lesson):
    short = steps(lesson, 16777216, record=H200)
    return abs(us(short, "nccl_group", 2) / us(short, "thread_per_device", 2) - 1) < 0.01


@claim("15", "`beside_interior` takes 1 to 2 us longer than `thread_per_device` with 1025 taps, whatever the length of the signal.")
def _(lesson):
    table = lesson.table("measured", "taps=1025,", "devices=1,")
    longer = [
        table.at((samples, "15 beside_interior"), "A step (us)") - table.at((samples, "15 thread_per_device"), "A step (us)")
        for samples in ("268,435,456", "16,777,216")
    ]
    return all(0.5 <= us < 2.5 for us in longer)


@claim("15", "Even on a single H200, the kernel takes [almost five times](more.md#measured-on-two-devices) as long as the filter of the other versions.")
def _(lesson):
    return 4.7 < 1 / times(steps(lesson, 268435456, record=H200), "from_next_door", 1) < 5


@claim("15", "The kernel spends almost half of its time on the search for each sample's owner, and almost a third on loading each sample again for each tap.")
@claim("15", "The place of the halo and the waits for events change the time by less than 1%:")
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


@claim("15", "a load from next door does take almost six times as long as a load from this cache")
def _(lesson):
    table = lesson.table("controls_next_door.csv", "control=chain")
    return round(table.at("next door", "A load (ns)") / table.at("own memory", "A load (ns)")) == 6


@claim("15", "Two devices take longer than one with all of these lengths, but the longer the signal, the closer the ratio is to 1.")
def _(lesson):
    table = lesson.table("measured", H200, "work='one transform'")
    faster = table.column("Times as fast")
    return rising(faster) and max(faster) < 0.95


@claim("15", "With the longest signal, two H100s are 2% faster than one, and four H100s take longer than two with all lengths.")
def _(lesson):
    table = lesson.table("measured", H100, "work='one transform'")
    faster = table.column("On 2: times as fast")
    two, four = (table.column(f"On {n} (ms)") for n in (2, 4))
    return round(faster[-1], 2) == 1.02 and max(faster[:-1]) < 1 and all(b > a for a, b in zip(two, four))


@claim("15", "this makes 3 · 4 = 12 wrong outputs.")
@claim("15", "which is why the first row of the table shows 24.")
@claim("15", "The devices therefore send six messages of two samples each, 48 bytes in all")
def _(lesson):
    table = lesson.table("counts", "wrong:")
    first, copies = "15 no_exchange", "15 copies_and_events"
    sent = (table.at(copies, "Messages"), table.at(copies, "Bytes between devices"))
    return table.at(first, "Wrong outputs") == 2 * 12 and sum(table.column("Wrong outputs")) == 24 and sent == (6, 48)
