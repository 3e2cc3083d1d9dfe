# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The shapes that kernels have: each function writes one random program into a Case."""

from shapes.blocks import (
    carved, double_buffer, histogram, last_block, phases, product, reduction, scan, transpose)
from shapes.copies import COPIES
from shapes.maps import (
    bytes_of_words, element_wise, host_sequence, plane, quotients, recursion, rows, stencil, structures,
    vectors, with_helper)
from shapes.warps import compaction, exchange_loop, lanes_apart, warp_exchange, warp_reduction

# A shape that stands here twice is picked twice as often.
SHAPES = [carved, quotients, recursion, lanes_apart, lanes_apart, compaction, with_helper, exchange_loop,
          host_sequence, host_sequence, structures, bytes_of_words, rows, warp_reduction, warp_reduction,
          warp_exchange, vectors, last_block, double_buffer, plane, element_wise, element_wise, stencil,
          stencil, reduction, reduction, scan, histogram, histogram, transpose, phases, phases, phases,
          product]
