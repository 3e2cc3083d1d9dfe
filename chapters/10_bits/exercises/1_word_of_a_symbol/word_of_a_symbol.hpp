// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common/device/device_memory.hpp"

namespace tutorial {

/// words[s] = the Huffman word of symbol s, lengths[s] = its bits; both 0 for a symbol that has none.
/// counts[i] words have i + 1 bits (16 counts); symbols are listed by length, shortest first. The first word
/// is all zeros; each next one is one more, with zeros appended where words become longer:
///     counts 0 2 1:  words 00, 01, 100
/// words and lengths have 256 elements. The target: a thread for each listed symbol, no thread waits for
/// another one.
void words_of_symbols(device_span<const std::uint8_t> counts, device_span<const std::uint8_t> symbols,
                      device_span<std::uint32_t> words, device_span<std::uint32_t> lengths);

}  // namespace tutorial
