// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What every convolution chapter means by full, same and valid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tutorial {

/// Which part of the full convolution is wanted. With N samples and K taps (both at least 1):
/// full has N + K - 1 outputs, same has N, valid has |N - K| + 1 (those that no ghost sample touches).
enum class convolution_mode { full, same, valid };

/// The number of outputs. Throws std::invalid_argument if there is no sample or no tap.
constexpr std::size_t output_length(std::size_t samples, std::size_t taps, convolution_mode mode) {
  if (samples == 0 || taps == 0)
    throw std::invalid_argument("a convolution needs at least one sample and one tap");
  switch (mode) {
    case convolution_mode::full:
      return samples + taps - 1;
    case convolution_mode::same:
      return samples;
    case convolution_mode::valid:
      return std::max(samples, taps) - std::min(samples, taps) + 1;
  }
  throw std::invalid_argument("unknown convolution mode");
}

/// The index within full of the first output of `mode`: 0, (K - 1) / 2 as in SciPy, min(N, K) - 1.
constexpr std::size_t first_output(std::size_t samples, std::size_t taps, convolution_mode mode) {
  switch (mode) {
    case convolution_mode::full:
      return 0;
    case convolution_mode::same:
      return (taps - 1) / 2;
    case convolution_mode::valid:
      return std::min(samples, taps) - 1;
  }
  throw std::invalid_argument("unknown convolution mode");
}

/// How many products x[n-k] h[k] fall on existing samples, over all outputs.
inline double product_count(std::size_t samples, std::size_t taps, convolution_mode mode) {
  const auto first = std::int64_t(first_output(samples, taps, mode));
  const auto last = first + std::int64_t(output_length(samples, taps, mode));  // [first, last) within full
  double total = 0;
  // Tap k meets a sample in the outputs [k, k + samples).
  for (std::int64_t k = 0; k < std::int64_t(taps); ++k)
    total +=
        double(std::max<std::int64_t>(0, std::min(last, k + std::int64_t(samples)) - std::max(first, k)));
  return total;
}

/// "full", "same" or "valid".
constexpr std::string_view name(convolution_mode mode) {
  switch (mode) {
    case convolution_mode::full:
      return "full";
    case convolution_mode::same:
      return "same";
    case convolution_mode::valid:
      return "valid";
  }
  return "unknown";
}

inline constexpr convolution_mode all_modes[] = {convolution_mode::full, convolution_mode::same,
                                                 convolution_mode::valid};

/// Throws std::invalid_argument unless `outputs` is what output_length() says.
constexpr void require_output_length(std::size_t samples, std::size_t taps, std::size_t outputs,
                                     convolution_mode mode) {
  if (outputs != output_length(samples, taps, mode))
    throw std::invalid_argument("the output has the wrong length for this signal, filter and mode");
}

/// Throws std::invalid_argument unless samples + taps + spare is at most 2^31 - 1: then every index of full
/// fits an int, also those of a last block's `spare` threads without an output.
inline void require_int_indices(std::size_t samples, std::size_t taps, std::size_t spare) {
  const std::size_t most = 2147483647u - spare;
  if (samples > most || taps > most || samples + taps > most)  // a sum of any two lengths may wrap around
    throw std::invalid_argument(
        "too long for this version, which counts in int: samples + taps may be at most " +
        std::to_string(most));
}

/// The lengths of a convolution for kernels that count in int; y[0] is output `first` of full.
struct int_sizes {
  int samples, taps, outputs, first;
};

/// Throws std::invalid_argument as require_output_length() and require_int_indices() do.
inline int_sizes checked_int_sizes(std::size_t samples, std::size_t taps, std::size_t outputs,
                                   convolution_mode mode, std::size_t spare) {
  require_output_length(samples, taps, outputs, mode);
  require_int_indices(samples, taps, spare);
  return {static_cast<int>(samples), static_cast<int>(taps), static_cast<int>(outputs),
          static_cast<int>(first_output(samples, taps, mode))};
}

}  // namespace tutorial

/// Instantiates `void function<T>(device_span<const T> x, device_span<const T> h, device_span<T> y,
/// convolution_mode mode, further...)` for the three types of the tutorial, in the .cu file that defines it:
/// most have a further parameter, cudaStream_t.
#define TUTORIAL_INSTANTIATE_CONVOLUTION(function, ...)                                                     \
  template void function<std::int32_t>(device_span<const std::int32_t>, device_span<const std::int32_t>,    \
                                       device_span<std::int32_t>,                                           \
                                       convolution_mode __VA_OPT__(, ) __VA_ARGS__);                        \
  template void function<float>(device_span<const float>, device_span<const float>, device_span<float>,     \
                                convolution_mode __VA_OPT__(, ) __VA_ARGS__);                               \
  template void function<double>(device_span<const double>, device_span<const double>, device_span<double>, \
                                 convolution_mode __VA_OPT__(, ) __VA_ARGS__)
