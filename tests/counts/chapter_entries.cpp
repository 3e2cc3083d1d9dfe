// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapters 00 and 02, through their public functions.
#include "00_meet_the_device/copies.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "common/device/stream.hpp"
#include "convolution_entry.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

using copy_function = std::function<void(device_span<const float>, device_span<float>)>;

/// y[i] == x[i * stride + offset] for `size` elements.
count_entry copy(const std::string& name, const std::string& kernel, std::size_t size,
                 const copy_function& run, std::size_t stride = 1, std::size_t offset = 0) {
  return {name + ", " + std::to_string(size), kernel, [=]() -> std::string {
            const auto x = small_values<float>((size - 1) * stride + offset + 1);
            std::vector<float> expected(size);
            for (std::size_t i = 0; i < size; ++i) expected[i] = x[i * stride + offset];
            const device_buffer<float> d_x(x);
            device_buffer<float> d_y(unwritten<float>(size));
            run(d_x.span(), d_y.span());
            return difference(d_y, expected);
          }};
}

template <class T>
void add_convolutions(std::vector<count_entry>& entries) {
  // A multiple of the block, an odd length, one with a partly filled last warp; edges (full, same) and none
  // (valid).
  constexpr convolution_case cases[] = {
      {1024, 5, convolution_mode::same},  {1001, 5, convolution_mode::full},
      {1028, 5, convolution_mode::valid}, {1000, 33, convolution_mode::same},
      {999, 33, convolution_mode::full},  {1055, 33, convolution_mode::valid}};
  for (const auto& each : cases)
    entries.push_back(convolution_entry<T>("convolve_direct", {"convolve_direct_kernel"}, each,
                                           in_default_stream<convolve_direct<T>>));
  for (const auto& each : cases)
    entries.push_back(convolution_entry<T>("convolve_direct_interior", {"convolve_direct_interior_kernel"},
                                           each, in_default_stream<convolve_direct_interior<T>>));
  for (const auto& each : cases)
    entries.push_back(convolution_entry<T>("convolve_direct_grouped", {"convolve_direct_grouped_kernel"},
                                           each, in_default_stream<convolve_direct_grouped<T>>));
}

}  // namespace

std::vector<count_entry> chapter_entries() {
  std::vector<count_entry> entries;
  for (const std::size_t size : {1, 31, 32, 33, 256, 257, 1000, 100003})
    entries.push_back(copy("copy_elements", "copy_elements_kernel", size, copy_elements));
  for (const std::size_t size : {3, 128, 1000, 1003, 4096})  // the last element of 1003 goes alone
    entries.push_back(copy("copy_vectors", "copy_vectors_kernel", size, copy_vectors));
  for (const std::size_t size : {1000, 1024}) {
    for (const std::size_t offset : {0, 1, 7, 8})
      entries.push_back(copy(
          "copy_offset by " + std::to_string(offset), "copy_pattern_kernel", size,
          [=](auto x, auto y) { copy_offset(x, y, offset); }, 1, offset));
    for (const std::size_t stride : {2, 3, 32})
      entries.push_back(copy(
          "copy_strided by " + std::to_string(stride), "copy_pattern_kernel", size,
          [=](auto x, auto y) { copy_strided(x, y, stride); }, stride));
  }
  add_convolutions<float>(entries);
  add_convolutions<double>(entries);
  add_convolutions<std::int32_t>(entries);
  return entries;
}

}  // namespace tutorial
