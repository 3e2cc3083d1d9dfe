// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The memory that a library is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "emulator/export.hpp"
#include "memory/device_memory.hpp"

namespace cuda_emulator {

/// "3 floats", "1 float"
EMULATOR_FOR_LIBRARIES std::string count(std::size_t number, const char* plural);
/// "made at a.cu:3"
EMULATOR_FOR_LIBRARIES std::string made_at(const allocation& a);

/// Memory that the device can reach, from an address to its end.
struct room {
  std::size_t bytes;
  std::string name;  ///< "the allocation of 4000 bytes made at a.cu:3"
  bool constant = false;
};
/// What `address` points into. Nothing where it is memory of the host, or no memory at all.
EMULATOR_FOR_LIBRARIES std::optional<room> room_at(const void* address);

/// What is known of the bytes there (see shadow.hpp); null where nothing is.
EMULATOR_FOR_LIBRARIES std::uint8_t* states_of(const void* address);

}  // namespace cuda_emulator
