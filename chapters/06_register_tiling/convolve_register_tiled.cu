// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which of the chapter's kernels for which filter.
#include "convolve_register_tiled.hpp"

namespace tutorial {
namespace {

/// From here on, copying the taps of type double to constant memory pays: found on an H200 with 2^24 samples.
constexpr std::size_t constant_min_taps = 40;

}  // namespace

// [choice]
std::string_view register_tiled_choice(std::size_t /*samples*/, std::size_t taps, element_type type) {
  if (size_of(type) == 8) {
    if (taps <= std::size_t(vectors_max_taps<double>)) return "vectors";
    return taps < constant_min_taps ? "register_blocked" : "constant_operands";
  }
  if (taps <= std::size_t(vectors_max_taps<float>)) return "vectors";
  return taps <= std::size_t(prefetched_max_taps<float>) ? "prefetched" : "constant_operands";
}

template <class T>
void convolve_register_tiled(device_span<const T> x, device_span<const T> h, device_span<T> y,
                             convolution_mode mode, cudaStream_t stream) {
  const std::string_view choice = register_tiled_choice(x.size(), h.size(), element_type_of<T>());
  if (choice == "vectors") return convolve_vectors(x, h, y, mode, stream);
  if (choice == "register_blocked") return convolve_register_blocked(x, h, y, mode, stream);
  if (choice == "prefetched") return convolve_prefetched(x, h, y, mode, stream);
  return convolve_constant_operands(x, h, y, mode, stream);
}
// [choice]

TUTORIAL_INSTANTIATE_CONVOLUTION(convolve_register_tiled, cudaStream_t);

template <class T>
std::vector<kernel_facts> register_tiled_kernels() {
  return {detail::vectors_facts<T>(5), detail::vectors_facts<T>(vectors_max_taps<T>),
          detail::register_blocked_facts<T>(), detail::prefetched_facts<T>(),
          detail::constant_operands_facts<T>()};
}
template std::vector<kernel_facts> register_tiled_kernels<std::int32_t>();
template std::vector<kernel_facts> register_tiled_kernels<float>();
template std::vector<kernel_facts> register_tiled_kernels<double>();

}  // namespace tutorial
