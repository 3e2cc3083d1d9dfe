// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// The kernels of chapter 08, by their public functions.
#include "08_dct8x8/block_starts.hpp"
#include "08_dct8x8/dct8x8.hpp"
#include "08_dct8x8/dct8x8_per_coefficient.hpp"
#include "08_dct8x8/dct8x8_textured.hpp"
#include "08_dct8x8/dct_checks.hpp"
#include "08_dct8x8/dct_serial.hpp"
#include "08_dct8x8/dct_verification.hpp"
#include "common/compare.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

/// A plane in device memory that is filled by copies alone, with rows of a multiple of 512 bytes as cudaMallocPitch()
/// makes them, on every device the same.
class copied_plane {
 public:
  explicit copied_plane(const plane<float>& values)
      : width_(values.width),
        height_(values.height),
        pitch_((std::size_t(width_) * sizeof(float) + 511) / 512 * 512) {
    std::vector<float> all = unwritten<float>(pitch_ / sizeof(float) * std::size_t(height_));
    for (int row = 0; row < height_; ++row)
      for (int col = 0; col < width_; ++col)
        all[pitch_ / sizeof(float) * std::size_t(row) + std::size_t(col)] = values.at(row, col);
    memory_ = device_buffer<float>(all);
  }
  device_plane_span<float> span() { return {memory_.data(), width_, height_, pitch_}; }
  plane<float> to_host() const {
    const std::vector<float> all = memory_.to_host();
    plane<float> values(width_, height_);
    for (int row = 0; row < height_; ++row)
      for (int col = 0; col < width_; ++col)
        values.at(row, col) = all[pitch_ / sizeof(float) * std::size_t(row) + std::size_t(col)];
    return values;
  }

 private:
  int width_, height_;
  std::size_t pitch_;
  device_buffer<float> memory_;
};

std::string wrong(const agreement& found) { return found ? "" : describe(found); }

std::string name_of(const std::string& version, int width, int height) {
  return version + ", " + std::to_string(width) + " x " + std::to_string(height);
}

void add(std::vector<count_entry>& entries, const std::string& version, const device_dct& forward,
         const device_dct& inverse, int width, int height) {
  entries.push_back({name_of(version, width, height), version + "_kernel", [=] {
                       const plane<float> pixels = asymmetric_plane(width, height);
                       copied_plane from(pixels), to(plane<float>(padded(width), padded(height)));
                       forward(from.span(), to.span());
                       return wrong(verify_dct8x8(pixels, to.to_host()));
                     }});
  entries.push_back({name_of("i" + version, width, height), "i" + version + "_kernel", [=] {
                       const plane<float> coefficients = asymmetric_plane(padded(width), padded(height));
                       copied_plane from(coefficients), to(plane<float>(width, height));
                       inverse(from.span(), to.span());
                       return wrong(verify_idct8x8(coefficients, to.to_host()));
                     }});
}

void add_copy(std::vector<count_entry>& entries, const std::string& version, block_shape shape) {
  entries.push_back({name_of(version, 61, 21), "copy_values_kernel", [=]() -> std::string {
                       const plane<float> values = asymmetric_plane(61, 21);
                       copied_plane from(values), to(plane<float>(61, 21));
                       copy_values(shape, from.span(), to.span());
                       return difference(to.to_host().values, values.values);
                     }});
}

}  // namespace

std::vector<count_entry> dct_entries() {
  std::vector<count_entry> entries;
  add_copy(entries, "copy_values 8 x 8 threads", block_shape::threads_8_by_8);
  add_copy(entries, "copy_values 32 x 8 threads", block_shape::threads_32_by_8);
  // Whole 8x8 blocks, and some that stand over both edges.
  for (const auto& [width, height] : {std::pair(64, 24), {61, 21}}) {
    add(entries, "dct8x8_per_coefficient", dct8x8_per_coefficient, idct8x8_per_coefficient, width, height);
    add(
        entries, "dct8x8_textured", [](auto from, auto to) { dct8x8_textured(from, to); },
        [](auto from, auto to) { idct8x8_textured(from, to); }, width, height);
  }
  // Full blocks of threads, warps that are not full, and more columns than a block has threads.
  for (const auto& [width, height] : {std::pair(256, 16), {61, 21}, {263, 9}})
    add(entries, "dct8x8", dct8x8, idct8x8, width, height);
  return entries;
}

}  // namespace tutorial
