// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Huffman codes as a JPEG file holds them: the standard's example codes, and codes made for one picture.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "09_dct_compression/host/quantization.hpp"

namespace tutorial {

/// The first coefficient of a block (DC) and the 63 others (AC) have codes of their own.
enum class coefficient_kind { dc, ac };

/// A code as a file's DHT segment holds it (ITU-T T.81, B.2.4.2): how many code words of each length there
/// are, and the symbols that they stand for, shortest word first.
struct huffman_code {
  std::array<std::uint8_t, 16> counts = {};  ///< counts[i] words have i + 1 bits
  std::vector<std::uint8_t> symbols;

  friend bool operator==(const huffman_code&, const huffman_code&) = default;
};

/// The word of one symbol: its `length` bits are the low bits of `bits`. Length 0: the symbol has none.
struct code_word {
  std::uint16_t bits = 0;
  std::uint8_t length = 0;
};

/// The word of each symbol.
using code_words = std::array<code_word, 256>;

/// How often each symbol occurs.
using symbol_counts = std::array<std::uint32_t, 256>;

/// ITU-T T.81, tables K.3 to K.6: codes that suit most pictures.
huffman_code standard_code(component_kind component, coefficient_kind coefficient);

/// The shortest code for symbols that occur so often, with at most 16 bits a word and without the word of
/// ones alone (ITU-T T.81, K.2). Among equally rare symbols the one with the largest number is joined first,
/// as libjpeg does, so that both make the same code. Symbols that do not occur get no word. Throws
/// std::invalid_argument if none occurs.
huffman_code optimized_code(const symbol_counts& counts);

/// The words that follow from the lengths: within a length they count upwards, and each longer length goes
/// on where the shorter one stopped (ITU-T T.81, C.2). Throws std::invalid_argument for counts that no code
/// has, or that do not fit the number of symbols.
code_words words_of(const huffman_code& code);

}  // namespace tutorial
