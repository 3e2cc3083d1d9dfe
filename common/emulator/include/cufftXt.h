// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#error "The emulated device has cuFFT's ordinary interface (cufft.h), and nothing of cufftXt.h."
