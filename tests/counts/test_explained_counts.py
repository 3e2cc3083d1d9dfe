# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The causes of docs/counts.md, worked out: how many fewer or more a GPU must count if nvcc does what the page says.

Compared with the newest record that has the launches of the kernels that differ, docs/measurements/DEVICE-DATE-counts.
"""

import csv
import math
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = max(ROOT.glob("docs/measurements/*-????-??-??-counts/counts_launches.csv"), key=lambda path: path.parent.name.split("-")[1:])
LOADS, SECTORS, STORES, STORE_SECTORS = (f"{way} {what}" for way in ("load", "store") for what in ("requests", "sectors"))
SHARED_LOADS, SHARED_STORES = (f"shared {way} wavefronts" for way in ("load", "store"))
WARP = 32


class Launch:
    """Both counts of a launch, and what else the emulated device says about it."""

    def __init__(self, row):
        self.entry, self.kernel, self.emulated = row["entry"], row["kernel"], row
        # "1250", or "1250 (emulated: 1251)": what the GPU counts comes first
        both = {name: list(map(int, re.findall(r"\d+", cell))) for name, cell in list(row.items())[5:]}
        self.of = {name: (counts[-1], counts[0]) for name, counts in both.items()}
        self.blocks, self.threads = (math.prod(map(int, row[size].split("x"))) for size in ("grid", "block"))

    def more(self, metric):
        """How many more the GPU counts."""
        emulated, ncu = self.of[metric]
        return ncu - emulated


with RECORD.open(encoding="utf-8", newline="") as table:
    LAUNCHES = list(map(Launch, csv.DictReader(table)))


def launches(*kernels):
    return [each for each in LAUNCHES if each.kernel in {f"{kernel}_kernel" for kernel in kernels}]


def without_markers(launch):
    return "intervals" not in launch.entry


def turns(size, step, lane, unit=1):
    """Of `for (j = unit * lane; j < size; j += step)`."""
    return max(0, -(-(size - unit * lane) // step))


def requests(size, step, unit, unrolled):
    """[{lane: j}]: what the lanes of a warp ask for together in such a loop. Unrolled, the turns left over from four at a
    time come first, in a copy of the body of their own."""
    found = {}
    for lane in range(WARP):
        count = turns(size, step, lane, unit)
        left_over = count % 4 if unrolled else 0
        for i in range(count):
            where = ("left over", i) if i < left_over else ("by fours", i - left_over)
            found.setdefault(where, {})[lane] = unit * lane + i * step
    return found.values()


class Tiles:
    """A convolution by tiles of chapter 11: chapters/11_in_flight/kernels/warp_tile.cuh."""

    warps, depth = 4, 3

    def __init__(self, entry):
        self.kernel, self.type, taps, mode, samples = re.match(
            r"(convolve_\w+?)(?:, depth \d)? (\w+), (\d+) taps, (\w+), (\d+)", entry
        ).groups()
        taps, self.samples = int(taps), int(samples)
        self.bytes = 8 if self.type == "double" else 4
        self.unit = 16 // self.bytes  # of a vector
        outputs_per_tile = WARP * 5 * self.unit
        outputs = self.samples + {"same": 0, "full": taps - 1, "valid": 1 - taps}[mode]
        first = {"same": (taps - 1) // 2, "full": 0, "valid": taps - 1}[mode]
        head = first % self.unit
        halo = -(-(66 if self.kernel == "convolve_fast_fir" else taps) // self.unit) * self.unit
        self.size = halo + outputs_per_tile
        self.count = -(-(outputs + head) // outputs_per_tile)
        self.sources = [first + t * outputs_per_tile - head - halo for t in range(self.count)]

    def is_inside(self, source):
        return 0 <= source and source + self.size <= self.samples

    def place(self, t):
        """In shared memory, in bytes: warp t % 4 puts it into slot t / 4 % 3 of its ring."""
        return (t % self.warps * self.depth + t // self.warps % self.depth) * self.size * self.bytes

    def loads(self, on_gpu):
        """Requests and sectors of all loads, asynchronous copies included."""
        both = [0, 0]
        for t, source in enumerate(self.sources):
            if not self.is_inside(source):  # element by element, ghosts not at all
                for request in requests(self.size, WARP, 1, on_gpu):
                    there = {(source + j) * self.bytes // 32 for j in request.values() if 0 <= source + j < self.samples}
                    both = [both[0] + bool(there), both[1] + len(there)]
            elif self.kernel == "convolve_ring":
                shifted = (source * self.bytes - self.place(t)) % 32 != 0
                for request in requests(self.size, WARP * self.unit, self.unit, on_gpu):
                    # Shifted, the sectors of each eight lanes count by themselves.
                    there = {
                        (on_gpu and shifted and lane // 8, (source + j) * self.bytes // 32) for lane, j in request.items()
                    }
                    both = [both[0] + 1, both[1] + len(there)]
        return both

    def rule_is_known(self):
        """Not for addresses that begin with a sector, and places that do not."""
        return all(
            source * self.bytes % 32 != 0 or self.place(t) % 32 == 0
            for t, source in enumerate(self.sources)
            if self.is_inside(source)
        )


class Picture:
    """A picture in tiles of chapter 14, 128 x 8 pixels."""

    def __init__(self, entry):
        self.width, self.height = map(int, re.search(r"(\d+) x (\d+)", entry).groups())
        self.wide, self.high = -(-self.width // 128), -(-self.height // 8)
        self.tiles = self.wide * self.high

    def rows_beyond(self):
        """Below the picture, over all tiles: each is loaded by eight lanes in one pass, if it is loaded."""
        return (8 * self.high - self.height) * self.wide

    def sectors_of_repeated_rows(self):
        """How many more sectors the copies have if each row of a tile counts by itself: below the picture, the last row is
        copied again and again. A request has four rows, and of each what is inside in words of 16 bytes."""
        more = 0
        for first in range(0, 8 * self.high, 4):
            lines = [min(row, self.height - 1) for row in range(first, first + 4)]
            repeated = len(lines) - len(set(lines))
            for left in range(0, self.width, 128):
                words = min(8, (self.width - left) // 16)
                more += repeated * -(-words // 2)
        return more


class Causes(unittest.TestCase):
    def check(self, metric, more, *kernels, where=lambda launch: True):
        """In the launches of these kernels, the GPU counts more(launch) more. Somewhere that is not 0."""
        found = [launch for launch in launches(*kernels) if where(launch)]
        for launch in found:
            with self.subTest(entry=launch.entry, kernel=launch.kernel):
                self.assertEqual(launch.more(metric), more(launch))
        self.assertTrue(any(launch.more(metric) for launch in found))

    def test_unrolled_loops_of_rings(self):
        known = 0
        for launch in launches("convolve_ring", "convolve_bulk", "convolve_fast_fir"):
            with self.subTest(entry=launch.entry):
                tiles = Tiles(launch.entry)
                for on_gpu in (False, True):
                    loads, sectors = tiles.loads(on_gpu)
                    self.assertEqual(launch.of[LOADS][on_gpu], loads)
                    if not on_gpu or tiles.kernel != "convolve_ring" or tiles.rule_is_known():
                        self.assertEqual(launch.of[SECTORS][on_gpu], sectors)
                        known += on_gpu
                    else:
                        self.assertGreater(launch.of[SECTORS][True], sectors)
        self.assertEqual(known, 23)

    def test_unrolled_loops_over_bytes(self):
        def left_over(launch):
            return int(self.bytes[launch.entry]) % 16 % 4

        self.bytes = {launch.entry: launch.emulated["global_loads"] for launch in launches("count_ff")}
        self.check(LOADS, left_over, "count_ff")
        self.check(LOADS, lambda launch: 2 * left_over(launch), "stuff")
        self.check(STORES, left_over, "stuff")
        self.check(STORE_SECTORS, left_over, "stuff")

    def test_unrolled_loops_at_an_edge(self):
        def rows_of_one_column(launch):
            return 5 if "61 x 21" in launch.entry else 0  # 21 % 8 rows, of threads whose neighbors have four columns

        for metric in (LOADS, SECTORS, STORES, STORE_SECTORS):
            self.check(metric, rows_of_one_column, "shift_vectors", "to_pixels_vectors")

    def test_unrolled_copies_of_tables(self):
        def more(launch):
            vectors = 196 * (2 if "color" in launch.entry else 1)
            of_warps = [
                len(requests(vectors - warp * WARP, 128, 1, True)) - len(requests(vectors - warp * WARP, 128, 1, False))
                for warp in range(4)
            ]
            return sum(of_warps) * launch.blocks

        self.check(LOADS, more, "encode_tiles", "tile_bits")

    def test_roots_that_are_loaded_once(self):
        self.check(LOADS, lambda launch: -6 * 4 * 8, "radix_filter")  # passes, turns, warps
        of_a_block = {"2": 0, "4": 6 * 4 * 8, "16": 3 * 8 * (15 - 8)}
        self.check(
            LOADS,
            lambda launch: -launch.blocks * of_a_block[re.search(r"passes of (\d+)", launch.entry)[1]],
            "convolve_by_radix",
        )
        self.check(
            LOADS, lambda launch: -2 * 8 * launch.blocks if "8192" in launch.entry else 0, "one_pass_block"
        )
        self.check(
            SECTORS, lambda launch: -2 * 8 * 4 * launch.blocks if "8192" in launch.entry else 0, "one_pass_block"
        )

    def test_sums_of_four_warps(self):
        of_source = 4 * 4 + (0 + 1 + 2 + 3)
        of_gpu = 4 * 3  # LDS, and LDS.128 in two passes
        self.check(SHARED_LOADS, lambda launch: -2 * (of_source - of_gpu) * launch.blocks, "encode_tiles")
        self.check(SHARED_LOADS, lambda launch: (of_gpu - of_source) * launch.blocks, "tile_bits")

    def test_sums_of_many_warps(self):
        def of_gpu(launch):  # each warp reads the 16 bytes of each warp, in two passes
            return 2 * (launch.threads // WARP) ** 2 * launch.blocks

        self.check(
            SHARED_LOADS,
            lambda launch: of_gpu(launch) - launch.of[SHARED_LOADS][0],
            *("add_up_pieces", "add_up_groups", "mend_borders"),
        )

    def test_what_the_decoder_stores_at_once(self):
        self.check(SHARED_STORES, lambda launch: -launch.blocks, "clean_scan")
        self.check(SHARED_STORES, lambda launch: -6 * launch.blocks, "make_samples")  # 2 warps twice, 4 without a level
        for metric in (STORES, STORE_SECTORS):
            self.check(metric, lambda launch: -launch.of[metric][0] // 2, "place_blocks", where=without_markers)

    def test_unrolled_copies_of_the_decoders_tables(self):
        def sectors(launch, on_gpu):
            warps = range(launch.threads // WARP)
            copies = (requests(1093 - warp * WARP, launch.threads, 1, on_gpu) for warp in warps)
            return launch.blocks * sum(len({j // 2 for j in copy.values()}) for each in copies for copy in each)

        self.check(
            SECTORS,
            lambda launch: launch.more(LOADS) + sectors(launch, True) - sectors(launch, False),
            *("place_blocks", "readers_in_chunks"),
            where=lambda launch: "color" in launch.entry,
        )

    def test_lanes_that_markers_take_apart(self):
        for launch in filter(without_markers, launches("readers_in_chunks")):
            for metric in (LOADS, STORES, STORE_SECTORS):
                self.assertEqual(launch.more(metric), 0, launch.entry)

    def test_wider_loads(self):
        self.check(SHARED_LOADS, lambda launch: -launch.of[SHARED_LOADS][0] * 3 // 4, "dequantize_vectors")
        self.check(
            SHARED_LOADS,
            lambda launch: -launch.of[SHARED_LOADS][0] // 2 if "no padding" in launch.entry else 0,
            "exchange",
        )

    def test_loads_that_are_left_out(self):
        self.check(SHARED_LOADS, lambda launch: -4 * 2 * 8 * launch.blocks, "convolve_by_radix")

        def of_warps_without_a_tile(launch):
            return -16 * max(0, launch.blocks * launch.threads // WARP - Picture(launch.entry).tiles)

        self.check(LOADS, of_warps_without_a_tile, "round_trip_mma", "round_trip_staged")
        self.check(SECTORS, lambda launch: 16 * of_warps_without_a_tile(launch), "round_trip_mma")
        self.check(
            SECTORS,
            lambda launch: 16 * of_warps_without_a_tile(launch) + Picture(launch.entry).sectors_of_repeated_rows(),
            "round_trip_staged",
        )
        self.check(SHARED_LOADS, lambda launch: -Picture(launch.entry).rows_beyond(), "round_trip_staged")

    def test_fragments(self):
        def of_each_tile(of_source, of_gpu):
            return lambda launch: (of_gpu - of_source) * Picture(launch.entry).tiles

        fragments = 2 * 4 * 2  # two products of four parts, each with two matrices from global memory
        self.check(LOADS, of_each_tile(fragments * 8, fragments * 4), "round_trip_wmma")
        self.check(SECTORS, of_each_tile(fragments * 8 * 16, fragments * 4 * 8), "round_trip_wmma")

    def test_a_word_that_is_loaded_again(self):
        self.check(SHARED_LOADS, lambda launch: 4 * Tiles(launch.entry).count, "convolve_fast_fir")

    def test_one_store_for_both_arms(self):
        self.check(SHARED_STORES, lambda launch: -2 * launch.blocks, "join_tiles")  # and one for a ticket

    def test_a_word_that_is_loaded_ahead(self):
        def tiles(launch):  # all in the first block
            width, height = map(int, re.search(r"(\d+) x (\d+)", launch.entry).groups())
            side, blocks = (16, 6) if "color" in launch.entry else (8, 1)  # of a unit
            units = -(-width // side) * -(-height // side)
            if interval := re.search(r"intervals of (\d+)", launch.entry):
                return -(-units // int(interval[1]))
            return -(-units * blocks // 128)

        self.check(SHARED_LOADS, tiles, "join_tiles")


if __name__ == "__main__":
    unittest.main()
