# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 14 says about its tables."""

from claims.lessons import claim


@claim("14", "Beyond the 32,768 bytes of pixels, each warp loads its matrices, 8192 bytes.")
def _(lesson):
    table = lesson.table("14_small_matrices", "Bytes loaded")
    return all(table.at(f"14 round_trip_{name}", "Bytes loaded") == 32768 + 32 * 8192 for name in ("mma", "staged"))


@claim("14", "In the first table the products err less than the float kernel in every row.")
def _(lesson):
    ratios = lesson.table("14_small_matrices", "Error of floats").column("Ratio")
    return len(ratios) == 6 and all(ratio < 1 for ratio in ratios)
