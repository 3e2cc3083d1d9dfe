// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One method for every time in every table.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace tutorial {

/// A measured time, per call.
struct timing {
  double median_ms = 0, min_ms = 0, max_ms = 0;
  int repeats = 0;  ///< Always odd.
};

/// The middle value, or the mean of the two middle ones. Throws std::invalid_argument if empty or if one is
/// NaN.
double median(std::vector<double> values);

/// How long measure() measures.
struct measure_options {
  double group_ms = 2.0;  ///< Back-to-back calls are timed in groups that last about this long.
  int repeats = 15;       ///< Groups; made odd; fewer (5, 3) where a call takes over 20, over 200 ms.
};

/// Time of launch(i), i = 0, 1, 2, ... by events on the device: warm-up first, then `repeats` groups of
/// calls. The caller uses i to rotate through buffer_sets() so that no call finds its input in the cache.
timing measure(const std::function<void(int i)>& launch, const measure_options& options = {});

/// The same by the wall clock: for work on the host, and for copies that the host waits for.
timing measure_host(const std::function<void(int i)>& work, const measure_options& options = {});

/// How many buffer sets of `bytes` each go beyond the device's L2 cache several times over:
/// at least 1, at most 64, at most 4 GiB or a quarter of the free memory together.
int buffer_sets(std::size_t bytes);

}  // namespace tutorial
