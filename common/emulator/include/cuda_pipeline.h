// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#error \
    "<cuda_pipeline.h> is not emulated: copy through registers, or with memcpy_async() and wait() of cooperative groups"
