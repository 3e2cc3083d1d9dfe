// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Memory by the names that the program's source has for it: the kernel's parameter that points there, the
// variable, or else the allocation.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "access_place.hpp"
#include "emulator/export.hpp"
#include "memory/device_memory.hpp"
#include "watch/launch_state.hpp"

namespace cuda_emulator {

/// The array that an access meant, most likely: the one in which its address lies, or else the nearest.
struct named_array {
  std::string name;           ///< "x"; empty: an allocation that the source has no name for, or several.
  std::string about;          ///< " in global memory (x has 41 elements of 4 bytes, allocated at ...)".
  std::ptrdiff_t offset = 0;  ///< Of the access, in bytes from where the name points to.
  std::size_t size = 0;       ///< Bytes from there to the end.
  std::size_t element_size = 1;
  array_shape shape{};
  std::size_t begins_at = 0;  ///< Bytes from the begin of the allocation (or variable) to there.
  bool aligned = true;        ///< Does it begin at a multiple of the size of the access?
  bool known = true;          ///< False: `about` is all there is to say.
  std::string made_at{};      ///< Where it is allocated or declared; empty: not known.
  bool is_pointer = false;    ///< A single element of it has an index, too: y[0].
};

/// `launch`: of the kernel; null for an access by the host. `place`: where in the source it is.
named_array array_at(const raw_finding& finding, const launch_state* launch, const access_place& place);

/// Of an address outside of the device's memory: the array that the line names, where an index of 32 bits
/// leads from it to there, and no pointer of the host was passed to the kernel.
std::optional<named_array> far_from_array(const raw_finding& finding, const launch_state& launch,
                                          const access_place& place);

/// "x[41] in global memory (...)", "element [41] of the allocation ...".
std::string element_text(const named_array& array, const raw_finding& finding);
/// The element that the access would have if the index of 32 bits were signed: "x[-1]"; empty: it is none
/// below zero.
std::string below_zero(const named_array& array, const raw_finding& finding);
/// "x[41]", "tile[1][8]".
std::string subscripted(const named_array& array, std::ptrdiff_t index);
/// "byte 36 of x in global memory (...)".
std::string byte_text(const named_array& array);

/// The variable in shared memory that an access meant, most likely. Null: there is none.
const placed_variable* nearest_shared(const raw_finding& finding, const launch_state& launch);

/// "1 byte", "2 bytes".
EMULATOR_FOR_LIBRARIES std::string bytes(std::size_t size);
/// "the allocation of 4000 bytes (1000 elements of 4 bytes) made at a.cu:7"; without elements where they have
/// no size.
EMULATOR_FOR_LIBRARIES std::string allocated(const allocation& a, std::size_t element_size);

}  // namespace cuda_emulator
