// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "count_kernels.hpp"

namespace tutorial {

std::vector<count_entry> count_entries() {
  std::vector<count_entry> all;
  for (const auto part :
       {chapter_entries, global_entries, shared_entries, other_entries, async_entries, ladder_entries,
        dct_entries, codec_entries, bits_entries, flight_entries, one_pass_entries, matrix_entries})
    for (count_entry& each : part()) all.push_back(std::move(each));
  return all;
}

}  // namespace tutorial
