// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "part_filter.hpp"

#include <cstdint>

#include "13_one_pass/fastest_convolution.hpp"

namespace tutorial {

part_transform part_transform_of(std::size_t taps, std::size_t outputs, element_type type) {
  const fastest_choice choice = choose_fastest(outputs + taps - 1, taps, convolution_mode::valid, type);
  if (choice.one_pass) return {std::size_t(choice.design.length), true};
  return {chunk_transform(taps, outputs, type), false};
}

template <class T>
part_filter<T>::part_filter(std::span<const T> h, std::size_t outputs) {
  if constexpr (std::is_floating_point_v<T>)
    if (const part_transform by = part_transform_of(h.size(), outputs, element_type_of<T>()); by.one_pass) {
      const device_buffer<T> taps(h);
      one_pass_.emplace(taps, outputs + h.size() - 1, convolution_mode::valid, 1, int(by.length));
      check(cudaDeviceSynchronize());  // what the default stream has prepared is for all streams
      return;
    }
  chunk_.emplace(h, outputs);
}

template <class T>
void part_filter<T>::operator()(device_span<const T> in, device_span<T> out, cudaStream_t stream) {
  if constexpr (std::is_floating_point_v<T>)
    if (one_pass_) return (*one_pass_)(in, out, stream);
  (*chunk_)(in, out, stream);
}

template class part_filter<std::int32_t>;
template class part_filter<float>;
template class part_filter<double>;

}  // namespace tutorial
