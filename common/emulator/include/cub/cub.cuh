// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#error "CUB is not emulated: use Thrust, cooperative groups (reduce, inclusive_scan), or loops of your own"
