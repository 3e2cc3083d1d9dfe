// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the chapter's program takes of the reader's own.
#pragma once

#include "common/program/options.hpp"

namespace tutorial {

/// A signal that goes from file to file in pieces.
inline own_data signals_in_pieces() {
  const auto accept = [](const chapter_options& options) {
    for (const auto& [option, file] : {std::pair("--signal", options.signal), {"--output", options.output}})
      require_ending(file, {".npy"},
                     std::string(option) +
                         " must be an .npy file here, which can be read and written in "
                         "pieces (chapters 02 to 07 take text)");
  };
  return {.of = own_data::kind::signal,
          .input = "The signal: .npy",
          .output = "Where the result goes: .npy",
          .examples = {"--signal my.npy --taps 9 --mode same --output smooth.npy"},
          .accept = accept};
}

}  // namespace tutorial
