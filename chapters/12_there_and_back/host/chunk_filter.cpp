// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "chunk_filter.hpp"

#include <cstdint>

#include "03_tiled/convolve_tiled.hpp"
#include "06_register_tiling/convolve_register_tiled.hpp"
#include "07_fft_convolution/best_convolution.hpp"

namespace tutorial {

namespace {
convolution_choice choose_for_chunk(std::size_t taps, std::size_t outputs, element_type type) {
  return choose_convolution(outputs + taps - 1, taps, convolution_mode::valid, type);
}
}  // namespace

std::size_t chunk_transform(std::size_t taps, std::size_t outputs, element_type type) {
  return choose_for_chunk(taps, outputs, type).block;
}

template <class T>
chunk_filter<T>::chunk_filter(std::span<const T> h, std::size_t outputs) : taps_(h) {
  const convolution_choice choice = choose_for_chunk(h.size(), outputs, element_type_of<T>());
  few_outputs_ = choice.method == convolution_method::warp_per_output;
  if constexpr (std::is_floating_point_v<T>)
    if (choice.block > 0)
      blocks_.emplace(device_span<const T>(taps_.span()), outputs + h.size() - 1, convolution_mode::valid,
                      choice.block);
  check(cudaDeviceSynchronize());  // what the default stream has prepared is for all streams
}

template <class T>
void chunk_filter<T>::operator()(device_span<const T> in, device_span<T> out, cudaStream_t stream) {
  if constexpr (std::is_floating_point_v<T>)
    if (blocks_) return (*blocks_)(in, out, stream);
  if (few_outputs_)
    return convolve_warp_per_output<T>(in, taps_.span(), out, convolution_mode::valid, stream);
  if (taps_.size() <= std::size_t(vectors_max_taps<T>))
    return convolve_vectors<T>(in, taps_.span(), out, convolution_mode::valid, stream);
  convolve_register_blocked<T>(in, taps_.span(), out, convolution_mode::valid, stream);
}

template class chunk_filter<std::int32_t>;
template class chunk_filter<float>;
template class chunk_filter<double>;

}  // namespace tutorial
