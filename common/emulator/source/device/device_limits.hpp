// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The limits of the device that is emulated: one NVIDIA H200.
#pragma once

#include <cstddef>

namespace cuda_emulator::limits {

constexpr int capability_major = 9, capability_minor = 0;
constexpr int multiprocessors = 132;
constexpr unsigned threads_per_block = 1024;
constexpr unsigned block_x = 1024, block_y = 1024, block_z = 64;
constexpr unsigned grid_x = 2147483647, grid_y = 65535, grid_z = 65535;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
constexpr int registers = 65536;  // per block and per multiprocessor
constexpr std::size_t shared_per_block = 48 * 1024;
constexpr std::size_t shared_per_block_optin = 227 * 1024;
constexpr std::size_t shared_per_multiprocessor = 228 * 1024;
constexpr std::size_t reserved_shared_per_block = 1024;
constexpr std::size_t constant_bytes = 64 * 1024;
constexpr int l2_bytes = 60 * 1024 * 1024;
constexpr int memory_bus_bits = 6016;
constexpr std::size_t texture_alignment = 512;       // of the beginning of linear memory
constexpr std::size_t texture_pitch_alignment = 32;  // of its rows
constexpr std::size_t most_pitch = 2147483647;       // of rows that are copied
constexpr std::size_t row_alignment = 512;           // what cudaMallocPitch() makes of rows
constexpr int least_stream_priority = 0, greatest_stream_priority = -5;
constexpr int texture_1d = 131072, texture_1d_linear = 268435456;
constexpr int texture_2d[2] = {131072, 65536};
constexpr int texture_3d[3] = {16384, 16384, 16384};
constexpr int texture_3d_alternate[3] = {8192, 8192, 32768};    // as deep, where it is no wider and no higher
constexpr int texture_layered[2] = {32768, 2048};               // wide and high, layers
constexpr int texture_2d_linear[3] = {131072, 65000, 2097120};  // the last is the pitch in bytes

}  // namespace cuda_emulator::limits
