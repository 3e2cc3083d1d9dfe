# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 12 says about its tables."""

from claims.lessons import claim


@claim("12", "Copy, kernel, copy has a chain of twice the signal; a pipeline has one of the signal and one chunk.")
def _(lesson):
    table = lesson.table("12_there_and_back", "Memory")
    plain = table.at(["12 copy_kernel_copy", "pinned"], "Longest chain")
    stages = table.at(["12 stream_per_stage", "pinned, 3 buffers"], "Longest chain")
    return plain == 2 and abs(stages - 1 - 1 / 32) < 0.002


@claim("12", "with 512 outputs, two of three samples that go up have been there before.")
def _(lesson):
    return abs(lesson.table("12_there_and_back", "Outputs of a chunk").column("Up")[0] - 3) < 0.01
