// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#error "<mma.h> is not emulated: there are no tensor cores here"
