// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace tutorial {

/// The samples [begin, end) of a part.
struct owned_samples {
  std::size_t begin = 0, end = 0;
};

/// What part p of `parts` owns of a signal of `samples` samples: every sample belongs to one part, in order,
/// and no part has two samples more than another. 0 <= p < parts. The signal may have fewer samples than
/// parts.
owned_samples samples_of(std::size_t samples, std::size_t parts, std::size_t p);

}  // namespace tutorial
