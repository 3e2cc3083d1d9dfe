# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the tutorial demands of its kernels' speed, and whether a record keeps it.

docs/record/measure writes bars.csv into a record: chapter, what is demanded, the bound, the figure of the first run, of the second
where there was one, and whether all of them keep it. docs/record/beside counts the demands that two devices keep.

Some figures are from other records of the same device beside it, the newest of each: of docs/record/peers
(h200-2026-01-31-peers beside h200-2026-01-30), docs/record/then_and_now, and those of several devices (h200x2-2026-01-31). Two
exceptions: where there is no record of four H200s, one of four H100s stands in, and where an H200's has no signal that is longer
than the device, an H100's stands in. These rows name that device.

The bars are for an H200. Shares of a limit that was measured in the same run, and ratios, say something on any GPU. A figure that
no record has is "not measured". Where an H200 misses a bar, the last column says what limits the figure, as far as that is known.
"""

import csv
import json
import sys

import records


def device(folder):
    """What its record.json says; "" where there is none."""
    try:
        return json.loads((folder / "record.json").read_text(encoding="utf-8"))["device"]
    except (OSError, ValueError, KeyError):
        return ""


class Record:
    """The tables of one run."""

    used = {}  # {file: numbers of the rows that figures were made of}, of all records

    def __init__(self, folder):
        self.folder, self.files = folder, {}

    def numbered(self, name):
        """[(file, number of the row, row)] of the table whose name begins like this."""
        if name not in self.files:
            matches = sorted(self.folder.glob(f"{name}*.csv"))
            if not matches:
                raise LookupError(f"{self.folder}/{name}*.csv is not there")
            with open(matches[0], newline="", encoding="utf-8") as file:
                self.files[name] = [(matches[0], i, row) for i, row in enumerate(csv.DictReader(file))]
        return self.files[name]

    def use(self, numbered):
        for path, number, _ in numbered:
            self.used.setdefault(path, set()).add(number)
        return [row for *_, row in numbered]

    def rows(self, name, **wanted):
        found = [each for each in self.numbered(name) if all(each[2].get(n, "") == v for n, v in wanted.items())]
        if not found:
            raise LookupError(f"{name} has no row where {wanted}")
        return self.use(found)

    def values(self, name, column, **wanted):
        return [float(row[column]) for row in self.rows(name, **wanted) if row.get(column)]

    def value(self, name, column, **wanted):
        found = self.values(name, column, **wanted)
        if len(found) != 1:
            raise LookupError(f"{name}: {len(found)} figures in {column} where {wanted}")
        return found[0]


def registers(work):
    return lambda record: record.value("06_register", "of_limit", table="sizes", work=work)


def worst_neighbor(record):
    """The smallest share of the limit beside that of the standard work it is a neighbor of."""
    neighbors = {
        "A": ("3 taps", "9 taps", "A, offset"),
        "A, float": ("4 taps", "7 taps", "A, float, offset"),
        "65 taps": ("63 taps", "66 taps", "65 taps, offset"),
        "B": ("1000 taps", "1031 taps", "B, offset"),
    }
    return min(registers(near)(record) / registers(work)(record) for work, group in neighbors.items() for near in group)


def tiles_against_direct(record):
    tiled = record.value("03_", "median_ms", work="C", variant="tiled")
    return record.value("03_", "median_ms", work="C", variant="direct") / tiled


def best_against_single(record):
    """best_convolution's time over that of the fastest method, the worst of all lengths and numbers of taps.

    Short calls differ by a tenth from run to run, and what was chosen was measured twice: as itself, and as the choice.
    The smaller figure counts.
    """

    def of_fastest(row):
        chosen = row["chosen"].split()[1] + "_ms" if row["chosen"][:2].isdigit() else "best_ms"
        return min(float(row["best_ms"]), float(row.get(chosen) or row["best_ms"])) / float(row["fastest_ms"])

    rows = [each for each in record.numbered("07_fft") if each[2]["table"] in ("taps", "grid", "length", "equal")]
    if not rows:
        raise LookupError("07_fft has no times of best_convolution")
    worst = max(rows, key=lambda each: of_fastest(each[2]))
    record.use([worst, *(each for each in rows if float(each[2]["best_ms"]) > 1.2 * float(each[2]["fastest_ms"]))])
    return of_fastest(worst[2])


def plane(chapter, work, variant, width):
    return lambda record: record.value(chapter, "of_limit", work=work, variant=variant, width=width)


def to_a_file(side, kind):
    return lambda record: min(record.values("10_bits", "median_ms", work="to a file", type=kind, width=side))


def main_folder(record):
    return (record.folder.parent if record.folder.name == "again" else record.folder).resolve()


def device_name(record):
    """What its name begins with: h200 of h200-2026-01-31."""
    return main_folder(record).name.split("-")[0]


def newest_beside(record, pattern, file):
    """The newest record beside this one that has the file, of the same device; its second run where this is one.

    {} in the pattern stands for the name of the device.
    """
    again, main = record.folder.name == "again", main_folder(record)
    name = pattern.format(device_name(record))
    found = sorted(main.parent.glob(f"{name}/{file}"))
    if not found:
        raise LookupError(f"no record {name} is there that has {file}")
    return Record(found[-1].parent / "again" if again else found[-1].parent)


def beside_nvjpeg(gives, way, timed, picture="gray", ours="10 encoder", theirs="nvJPEG"):
    """nvJPEG's time over that of chapter 10 for 8192 x 8192, in the newest record of docs/record/peers beside this one."""

    def ratio(record):
        peers = newest_beside(record, "{}-*-peers", "pictures.csv")
        work = {"side": "8192", "picture": picture, "gives": gives, "way": way, "timed": timed}
        return peers.value("pictures", "median_ms", by=theirs, **work) / peers.value("pictures", "median_ms", by=ours, **work)

    return ratio


def least_of_one_call(record):
    """A new filter in every call: the fastest library's time over ours, the smallest of the whole grid."""
    rows = newest_beside(record, "{}-*-peers", "one_call.csv").rows("one_call")
    return min(float(cell) for row in rows for name, cell in row.items() if name.startswith("taps_") and cell)


def work_a_host_to_host(record):
    then_and_now = newest_beside(record, "{}-*-then-and-now", "speed_ups.csv")
    way = "all cores, best kernel here, with overlapped copies"
    return then_and_now.value("speed_ups", "gpu_ms", source="S4", report="GPU", compared=way)


# Whose record stands in where a device has none of so many: {(device, how many): other device}.
STAND_INS = {("h200", 1): "h100", ("h200", 4): "h100"}


class SeveralDevices:
    """The best of these figures of chapter 15, each (column, conditions), in the newest record of so many devices."""

    FILE = "15_many_gpus.csv"

    def __init__(self, count, *wanted):
        self.count, self.wanted = count, wanted

    def record_of(self, record):
        try:
            return newest_beside(record, f"{{}}x{self.count}-*", self.FILE)
        except LookupError:
            other = STAND_INS.get((device_name(record), self.count))
            if not other:
                raise
            return newest_beside(record, f"{other}x{self.count}-*", self.FILE)

    def other_device(self, record):
        """What the record is of, if it stands in for one of the same device; else ""."""
        found = main_folder(self.record_of(record))
        return "" if found.name.startswith(device_name(record) + "x") else device(found) or found.name

    def __call__(self, record):
        found = self.record_of(record)
        return max(found.value("15_many", column, devices=str(self.count), **rows) for column, rows in self.wanted)


def scaling(count, work, taps, samples, *versions):
    """Of so many devices, with so many samples in all."""
    rows = {"work": work, "taps": taps, "samples": str(samples)}
    return SeveralDevices(count, *(("faster", {"version": version, **rows}) for version in versions))


def new_filter(samples):
    return lambda record: record.value("13_one", "call_ms", work="new filter", samples=samples, version="fastest_convolution")


def new_filter_by_cufft(samples):
    return lambda record: min(record.values("12_", "call_ms", work="new filter", samples=samples))


def there_and_back(taps, version):
    return lambda record: record.value(
        "12_", "of_limit", work="there and back", samples="536870912", taps=taps, version=version
    )


class LongerThanTheDevice:
    """of_limit of chapter 12's row, which says itself how much of the device's memory it used."""

    ROW = {"work": "longer than the device"}

    def record_of(self, record):
        try:
            record.rows("12_", **self.ROW)
            return record
        except LookupError:
            other = STAND_INS.get((device_name(record), 1))
            if not other:
                raise
            return newest_beside(record, f"{other}-*-[0-9][0-9]", "12_there_and_back.csv")

    def other_device(self, record):
        """What the record is of, if it stands in for this one; else ""."""
        found = self.record_of(record)
        return "" if found is record else device(main_folder(found))

    def __call__(self, record):
        found = self.record_of(record)
        samples, device_bytes = (found.value("12_", column, **self.ROW) for column in ("samples", "device_bytes"))
        if 4 * samples < 144 << 30 or device_bytes >= 256 << 20:
            raise LookupError(f"12_: {samples:.0f} floats through {device_bytes:.0f} bytes of the device are not what is asked for")
        return found.value("12_", "of_limit", **self.ROW)


def threads_against_plain(record):
    rows = {"work": "there and back", "samples": "536870912", "taps": "1025"}
    plain = record.value("12_", "median_ms", version="copy_kernel_copy", memory="pageable", **rows)
    return plain / record.value("12_", "median_ms", version="host_threads", memory="pageable, 16 threads", **rows)


def segments(taps, column):
    return lambda record: record.value("13_one", column, table="segments", taps=taps)


def fastest_round_trip(record):
    rows = record.rows("14_small", work="round trip", width="16384")
    return min(float(row["median_ms"]) for row in rows if row["variant"] in ("round_trip_mma", "round_trip_staged"))


def bars_of_several(count, word, nccl, flags, weak, long_filter, short_signal, picture):
    """Chapter 15's bars for so many devices; None where there is no bar."""
    by_nccl, by_flags, samples = ("nccl_group", "thread_per_device"), ("flags_between", "flags_in_kernel"), 1 << 28
    bars = (
        ("5 taps, 2^28 floats in all, NCCL, times as fast as one", nccl, scaling(count, "strong", "5", samples, *by_nccl)),
        ("5 taps, 2^28 floats in all, flags, times as fast as one", flags, scaling(count, "strong", "5", samples, *by_flags)),
        ("5 taps, 2^28 floats on each, NCCL, of one device's speed", weak, scaling(count, "weak", "5", count * samples, *by_nccl)),
        ("1025 taps, 2^28 floats in all, NCCL, times as fast as one", long_filter, scaling(count, "strong", "1025", samples, *by_nccl)),
        ("5 taps, 2^24 floats in all, NCCL, times as fast as one", short_signal, scaling(count, "strong", "5", 1 << 24, *by_nccl)),
        ("pixels to levels by rows, 16384 x 16384, times as fast as one", picture,
         SeveralDevices(count, ("faster", {"work": "picture by rows"}))),
        ("1025 taps, 2^29 floats from host to host, of the copies alone", 0.97,
         SeveralDevices(count, ("of_copies", {"work": "from host"}))),
    )
    return [("15", f"{word} GPUs: {what}", ">=", bound, figure) for what, bound, figure in bars if bound is not None]


def kind_of(what):
    if what.endswith((", ms", ", us", ", TB/s")):
        return "times and speeds"
    if what.endswith(("limit", "of both copies at once", "of the copies alone")):
        return "shares of a limit"
    return "ratios of two figures"


def beside(lines, others):
    """bars_beside.csv: one row for each kind of bar. Both are {what is demanded: kept}."""
    places = {("yes", "yes"): "both", ("no", "yes"): "other_only", ("yes", "no"): "this_only", ("no", "no"): "neither"}
    rows = {}
    for what, kept in lines.items():
        kind = kind_of(what)
        row = rows.setdefault(kind, {"kind": kind, "bars": 0, **dict.fromkeys(places.values(), 0), "not_measured": 0})
        row["bars"] += 1
        row[places.get((kept, others.get(what)), "not_measured")] += 1
    return list(rows.values())


SMALL, LARGE = "2592", "16384"
# (chapter, what, ">=" or "<=", bound, figure of a Record)
BARS = [
    ("00", "copy of 1 GiB each way, TB/s", ">=", 4.1, lambda r: r.value("00_", "value", limit="copy_1073741824")),
    ("02", "work A, of the copy limit", ">=", 0.70, lambda r: r.value("02_", "of_limit", work="A", variant="direct")),
    ("03", "1024 x 1024: times as fast as chapter 02", ">=", 1.0, tiles_against_direct),
    ("06", "work A, doubles, of the copy limit", ">=", 0.96, registers("A")),
    ("06", "work A, floats, of the copy limit", ">=", 0.96, registers("A, float")),
    ("06", "work A, 2^28 doubles, of the copy limit", ">=", 0.96, registers("A, 2^28")),
    ("06", "work A, 2^28 floats, of the copy limit", ">=", 0.96, registers("A, 2^28 float")),
    ("06", "work B, floats, of the FMA limit", ">=", 0.87, registers("B")),
    ("06", "work B, doubles, of the FMA limit", ">=", 0.87, registers("B, double")),
    ("06", "4097 taps, of the FMA limit", ">=", 0.90, registers("4097 taps")),
    ("06", "65 taps, 2^24 floats, of the copy limit", ">=", 0.65, registers("65 taps")),
    ("06", "other taps, odd lengths, offsets: beside their neighbor", ">=", 0.90, worst_neighbor),
    ("07", "one FFT for the whole signal (in pairs), the slowest of all taps, ms", "<=", 0.50,
     lambda r: max(r.values("07_fft", "fft_one_block_ms", table="taps"))),
    ("07", "overlap-save, 1025 taps, ms", "<=", 0.22, lambda r: r.value("07_fft", "overlap_save_ms", table="taps", taps="1025")),
    ("07", "overlap-save, 4097 taps, ms", "<=", 0.31, lambda r: r.value("07_fft", "overlap_save_ms", table="taps", taps="4097")),
    ("07", "best_convolution, all lengths and taps: at most times as long as our fastest method", "<=", 1.2, best_against_single),
    ("07", "the fastest of CuPy and PyTorch, times as long as ours", ">=", 2.0, lambda r: min(r.values("07_peers", "least_ratio"))),
    ("08", "DCT 2592 x 2592, of the copy limit", ">=", 0.93, plane("08_", "forward", "columns", SMALL)),
    ("08", "DCT 16384 x 16384, of the copy limit", ">=", 0.97, plane("08_", "forward", "columns", LARGE)),
    ("08", "inverse DCT 2592 x 2592, of the copy limit", ">=", 0.93, plane("08_", "inverse", "columns", SMALL)),
    ("08", "inverse DCT 16384 x 16384, of the copy limit", ">=", 0.97, plane("08_", "inverse", "columns", LARGE)),
    ("09", "8-bit to levels 2592 x 2592, of the copy limit", ">=", 0.84, plane("09_d", "encode", "fused", SMALL)),
    ("09", "8-bit to levels 16384 x 16384, of the copy limit", ">=", 0.92, plane("09_d", "encode", "fused", LARGE)),
    ("09", "8-bit round trip 2592 x 2592, of the copy limit", ">=", 0.46, plane("09_d", "round trip", "fused", SMALL)),
    ("09", "8-bit round trip 16384 x 16384, of the copy limit", ">=", 0.57, plane("09_d", "round trip", "fused", LARGE)),
    ("10", "gray 2592 x 2592 to a file with markers, ms", "<=", 0.022, to_a_file(SMALL, "gray with a marker every 128 units")),
    ("10", "gray 2592 x 2592 to a plain file, ms", "<=", 0.026, to_a_file(SMALL, "gray")),
    ("10", "gray 8192 x 8192 to a file with markers, ms", "<=", 0.12, to_a_file("8192", "gray with a marker every 128 units")),
    ("10", "gray 8192 x 8192 to a plain file, ms", "<=", 0.12, to_a_file("8192", "gray")),
    ("10", "gray 8192 x 8192 to a file with codes of its own, ms", "<=", 0.21, to_a_file("8192", "gray with own codes")),
    ("10", "gray 8192 x 8192 to a file on the host, ms", "<=", 0.25,
     lambda r: min(r.values("10_bits", "median_ms", work="to a file on the host", width="8192"))),
    ("10", "gray 8192 x 8192 from a file with markers, ms", "<=", 0.20,
     lambda r: min(r.values("10_bits", "median_ms", work="from a file", width="8192"))),
    ("10", "8192 x 8192 to a file: nvJPEG, times as long as ours", ">=", 4.5,
     beside_nvjpeg("a file on the device", "pixels on the device", "back to back")),
    ("10", "8192 x 8192 to a file with codes of its own: nvJPEG, times as long as ours", ">=", 5.0,
     beside_nvjpeg("a file on the device", "pixels on the device", "back to back", ours="10 encoder, optimized Huffman codes",
                   theirs="nvJPEG, optimized Huffman codes")),
    ("10", "8192 x 8192 in 4:2:0 to a file: nvJPEG, times as long as ours", ">=", 4.5,
     beside_nvjpeg("a file on the device", "planes on the device", "back to back", picture="4:2:0")),
    ("10", "8192 x 8192 to a file on the host: nvJPEG, times as long as ours", ">=", 2.5,
     beside_nvjpeg("a file on the host", "pixels on the device", "one call")),
    ("10", "8192 x 8192 from the host to a file there: nvJPEG, times as long as ours", ">=", 1.0,
     beside_nvjpeg("a file on the host", "pixels on the host", "one call")),
    ("10", "8192 x 8192 from a file with markers: nvJPEG's hardware decoder, times as long as ours", ">=", 1.0,
     beside_nvjpeg("pixels on the device", "a file on the host", "one call", ours="10 decoder, a marker every 32 units",
                   theirs="nvJPEG, hardware decoder, a marker every 32 units")),
    ("11", "the fastest of sixteen copies with one float a load, of the copy limit", ">=", 0.97,
     lambda r: max(r.values("11_in", "of_limit", table="law"))),
    ("11", "65 taps, 2^24 floats, the faster of ring and bulk, ms", "<=", 0.048,
     lambda r: min(r.value("11_in", "median_ms", work="65 taps", variant=ring) for ring in ("ring", "bulk"))),
    ("11", "65 taps, 2^24 floats, fast FIR, ms", "<=", 0.048,
     lambda r: r.value("11_in", "median_ms", work="65 taps", variant="fast_fir")),
    ("12", "1025 taps, 2^29 floats, host to host, of both copies at once", ">=", 0.95, there_and_back("1025", "stream_per_stage")),
    ("12", "144 GiB from host to host through less than 256 MiB of device memory, of both copies at once", ">=", 0.95,
     LongerThanTheDevice()),
    ("12", "5 taps, 2^29 floats, zero copy, of both copies at once", ">=", 0.80, there_and_back("5", "zero_copy")),
    ("12", "1025 taps, 2^29 floats, ordinary memory: 16 threads, times as fast as the plain call", ">=", 5.0, threads_against_plain),
    ("12", "work A, from host to host, ms", "<=", 1.9, work_a_host_to_host),
    ("12", "a new filter, 1025 taps, 2^20 floats, by cuFFT, call and wait, ms", "<=", 0.038, new_filter_by_cufft("1048576")),
    ("12", "a new filter, 1025 taps, 2^24 floats, by cuFFT, call and wait, ms", "<=", 0.240, new_filter_by_cufft("16777216")),
    ("13", "a new filter in every call: the fastest of CuPy and PyTorch, times as long as ours, the least of the grid", ">=", 1.0,
     least_of_one_call),
    ("13", "a new filter, 1025 taps, 2^20 floats, call and wait, ms", "<=", 0.020, new_filter("1048576")),
    ("13", "a new filter, 1025 taps, 2^24 floats, call and wait, ms", "<=", 0.065, new_filter("16777216")),
    ("13", "1025 taps, 2^24 floats, ms", "<=", 0.055, segments("1025", "one_pass_4096_ms")),
    ("13", "257 taps, 2^24 floats, ms", "<=", 0.048, segments("257", "one_pass_1024_ms")),
    ("13", "65 taps, 2^24 floats, ms", "<=", 0.041, segments("65", "one_pass_256_ms")),
    ("13", "4097 taps, 2^24 floats, ms", "<=", 0.085, segments("4097", "one_pass_8192_ms")),
    ("14", "round trip 16384 x 16384 in bursts, ms", "<=", 0.171, fastest_round_trip),
    ("14", "round trip 16384 x 16384 for a second, of the copy limit", ">=", 0.65,
     lambda r: max(r.values("14_small", "of_limit", work="back to back", variant="round_trip_" + way)[0] for way in ("mma", "staged"))),
    ("14", "levels before rounding, root mean square error against float64: of the float kernel's, the largest", "<=", 1.0,
     lambda r: max(r.values("14_small", "ratio", work="errors"))),
    ("15", "two GPUs: an exchange of 4 KiB, us", "<=", 12, SeveralDevices(2, ("step_us", {"work": "exchange", "samples": "1024"}))),
    *(bar for count, word, bounds in ((2, "two", (1.88, 1.96, 0.97, 1.9, None, 1.97)), (4, "four", (3.6, 3.85, 0.97, 3.6, 2.2, 3.85)))
      for bar in bars_of_several(count, word, *bounds)),
]

EARLIER = "measured before chapter 10's kernels were made faster (2026-11-26, see the H100): "
# What limits a figure of theirs that misses its bar.
LIMITERS = {
    "gray 8192 x 8192 to a plain file, ms":
        EARLIER + "within 4 % of the bar, which files with markers keep",
    "the fastest of sixteen copies with one float a load, of the copy limit":
        "not known: it is reached with 16 to 33 kB under way on a multiprocessor; copies with 66 kB are slower",
    "gray 8192 x 8192 to a file with codes of its own, ms":
        EARLIER + "within 2 % of the bar: counting the symbols takes a second DCT, and the codes are made in a chain of reductions, one warp"
        " for each, while the rest of the device is idle",
    "8192 x 8192 to a file with codes of its own: nvJPEG, times as long as ours":
        EARLIER + "kept in one run of two, missed by less than a percent in the other: as the bar of the same work in ms",
    "8192 x 8192 in 4:2:0 to a file: nvJPEG, times as long as ours":
        EARLIER + "kept in one run of two, missed by less than 2 % in the other",
    "gray 8192 x 8192 from a file with markers, ms":
        EARLIER + "a warp waited for the next word of each of its lanes, so that lanes waited for each other",
    "best_convolution, all lengths and taps: at most times as long as our fastest method":
        "not known: kept in one run of two; above 1.2 in the other: 17 taps with 2^20 samples, 1025 taps with 2^16 and 2^17",
    "1025 taps, 2^29 floats, ordinary memory: 16 threads, times as fast as the plain call":
        "the host: the plain call takes 541 ms in one run and 374 in the other, 16 threads 121 and 108",
    "a new filter, 1025 taps, 2^20 floats, call and wait, ms":
        "kept in one run of two: the host's part of a call; back to back it takes half as long",
    "a new filter, 1025 taps, 2^24 floats, call and wait, ms":
        "calling and waiting: back to back, both kernels take 0.056 ms",
    "65 taps, 2^24 floats, the faster of ring and bulk, ms":
        "issue slots: the schedulers issue in 9 of 10 cycles, and a fifth of it is no multiply-add (11_profile.csv)",
    "5 taps, 2^29 floats, zero copy, of both copies at once":
        "not known: a kernel's loads and stores over the link come to less than two copies do",
    "two GPUs: 5 taps, 2^28 floats in all, flags, times as fast as one":
        "the kernel with flags takes longer than the others' on one device, too; what flags between launches cost"
        " is not known (15/more.md)",
    "two GPUs: pixels to levels by rows, 16384 x 16384, times as fast as one":
        "not known: each part takes longer than half of the whole picture",
    "four GPUs: pixels to levels by rows, 16384 x 16384, times as fast as one":
        "about 5 us of a picture's time are the same for each number of devices: that follows from one and two devices, and"
        " gives what four take; what they consist of is not known (15/more.md)",
    "round trip 16384 x 16384 in bursts, ms":
        "not known: within 2 % of the bar; schedulers issue in 6 of 10 cycles, and memory is busy as long (14_profile.csv)",
}


def make(folder):
    """Writes bars.csv of this record. True if all bars are kept."""
    runs = [Record(folder)] + ([Record(folder / "again")] if (folder / "again").is_dir() else [])
    limiters = LIMITERS if device(folder) == "NVIDIA H200" else {}
    lines = []
    for chapter, what, sign, bound, figure in BARS:
        figures = []
        for run in runs:
            try:
                figures.append(figure(run))
            except LookupError as error:
                figures.append(None)
                if run is runs[0]:
                    print(f"{what}: not measured: {error}", file=sys.stderr)
        other = figure.other_device(runs[0]) if figures[0] is not None and hasattr(figure, "other_device") else ""
        kept = figures[0] is not None and all(
            each is None or (each >= bound if sign == ">=" else each <= bound) for each in figures
        )
        shown = ["" if each is None else f"{each:.3g}" for each in (*figures, None)][:2]
        said = "yes" if kept else "not measured" if figures[0] is None else "no"
        named = what if not other else what.replace(":", f" ({other}):", 1) if ":" in what else f"{what} ({other})"
        lines.append((chapter, named, f"{sign} {bound:g}", *shown, said, limiters.get(what, "") if said == "no" else ""))
    columns = ("chapter", "bar", "wanted", "first", "again", "kept", "limiter")
    records.write_csv(folder / "bars.csv", columns, [dict(zip(columns, line)) for line in lines])
    kept = sum(line[5] == "yes" for line in lines)
    print(f"{kept} of {len(lines)} bars kept: {folder}/bars.csv")
    return kept == len(lines)


def make_beside(other, folder):
    """Writes bars_beside.csv of these records, if both have a bars.csv."""
    if not all((each / "bars.csv").is_file() for each in (other, folder)):
        return
    theirs, ours = ({row["bar"]: row["kept"] for row in Record(each).rows("bars")} for each in (other, folder))
    rows = beside(ours, theirs)
    records.write_csv(folder / "bars_beside.csv", tuple(rows[0]), rows)
