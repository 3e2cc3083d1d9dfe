# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Controls for the reasons that the lessons give: the same work with and without one thing.

    docs/record/measure controls FOLDER        on a machine with an NVIDIA GPU: builds, runs, writes

FOLDER gets, each from the program of that name in docs/record/programs/controls, which says what it decides,
    controls_inner_loop.csv      chapter 05's inner loop: test, load of the tap, place of the sample
    controls_cliff.csv           the same with uniform loads, by the taps in the body of the loop, with and without a barrier
    controls_request_prices.csv  cycles of a multiprocessor for each load request of a warp
    controls_dct_turns.csv       chapter 08's transform with 64 threads for each 8x8 block, by how its matrix is read
    controls_tile_barrier.csv    work A with a tile, with and without its barriers
    controls_callbacks.csv       overlap-save by cuFFT with none, one, two and three callbacks
    controls_copies.csv          copies by their shares of reading and writing, and of one float a thread
    controls_library_calls.csv   sums, running sums and histograms by CUB's calls, and by hand
    controls_next_door.csv       chapter 15's kernel that loads from another device, without one thing after the other
    controls_tuned.csv           what other values cost of constants that were tuned on one device
    record.json                  device, driver, toolkit, host, date, command

Times are those of common/device/measure.hpp; next_door's, of two devices, are by the wall clock. With --only NAME there is this
one only, as in next_door: on a machine with several GPUs that one uses two, and says so.
Status 1 if a program fails; FOLDER is then no record.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
import records  # noqa: E402

CONTROLS = ("inner_loop", "cliff", "request_prices", "dct_turns", "tile_barrier", "callbacks", "copies", "library_calls",
            "next_door", "tuned")


def measure(programs, name, path):
    """Writes the program's table, or a row of each of its variants NAME_10, NAME_11 ..., our value of a constant first."""
    rows, ours = [], {}
    for program in sorted(programs.glob(f"{name}_[0-9]*")) or [programs / name]:
        status = records.run(program, "--csv", path)
        if status != 0:
            raise records.Problem(f"{program.name} ended with status {status}", 1)
        rows += records.read_csv(path, ("median_ms", "min_ms", "max_ms"))
    if name != "controls_tuned":
        return
    for row in rows:
        first = ours.setdefault((row["work"], row["constant"]), row)
        row.update(ours=first["value"], of_ours=f"{float(row['median_ms']) / float(first['median_ms']):.4g}")
    records.write_csv(path, rows[0], rows)


def make_record(options):
    words = ["--only", options.only] if options.only else []
    devices = min(2, records.device_count()) if options.only == "next_door" else 1
    record = records.facts(" ".join(["measure controls", *words]), options.folder, devices)
    records.new_folder(options.folder)
    chosen = [f"controls_{control}" for control in ([options.only] if options.only else CONTROLS)]
    programs = records.build("gpu", chosen)
    for name in chosen:
        print(name, flush=True)
        measure(programs, name, options.folder / f"{name}.csv")
    records.save_facts(options.folder, record)
    return 0


def main(arguments=None):
    parser = records.parser(__doc__)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--only", choices=CONTROLS, metavar="NAME")
    options = parser.parse_args(arguments)
    return records.ending("measure controls", lambda: make_record(options))


if __name__ == "__main__":
    sys.exit(main())
