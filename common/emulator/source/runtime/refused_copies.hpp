// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Why a copy is refused, in words: which side is whose memory, or which range does not fit.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "memory/arrays.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {

enum class side { host, device, either };

/// Where `size` bytes from `pointer` lie. False where they begin in an allocation of the device and end
/// outside.
bool place(const void* pointer, std::size_t size, side& result);

/// Of a range for which place() is false. `which`: "the destination".
std::string why_no_place(const char* which, const void* pointer, std::size_t size);
/// Of two sides that the direction contradicts.
std::string why_wrong_direction(side to, side from, cudaMemcpyKind kind);
/// Of a range that leaves a variable of the device.
std::string why_beyond_variable(const variable_record& variable, std::size_t size, std::size_t offset);
/// Of rows longer than their pitch. `which`: "the destination".
std::string why_beyond_pitch(const char* which, std::size_t width, std::size_t pitch);
/// Of a rectangle of bytes that an array does not have, or that is not of whole elements.
std::string why_beyond_array(const cudaArray& array, std::size_t x, std::size_t y, std::size_t width,
                             std::size_t height);

}  // namespace cuda_emulator
