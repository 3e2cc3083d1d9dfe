// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// Puts codes one behind the other. Code i has lengths[i] bits, 1 to 27, at the top of codes[i]; below them
/// zeros. It goes to bit begins[i] of `words`, where bit 0 is the top bit of words[0]. Codes do not overlap.
/// `words` has room for all of them; bits that no code has become 0.
/// A thread for each code.
void pack_codes(device_span<const std::uint32_t> codes, device_span<const int> lengths,
                device_span<const int> begins, device_span<std::uint32_t> words);

}  // namespace tutorial
