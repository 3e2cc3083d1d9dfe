// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapter 08, by their public functions.
#include "08_dct8x8/checks/dct_checks.hpp"
#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/host/filter_serial.hpp"
#include "08_dct8x8/kernels/block_starts.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"
#include "08_dct8x8/kernels/dct8x8_per_coefficient.hpp"
#include "08_dct8x8/kernels/dct8x8_shared_matrix.hpp"
#include "08_dct8x8/kernels/dct8x8_textured.hpp"
#include "08_dct8x8/kernels/filter_fused.hpp"
#include "08_dct8x8/kernels/filter_separable.hpp"
#include "08_dct8x8/kernels/filter_square.hpp"
#include "common/device/stream.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/test_picture.hpp"
#include "copied_plane.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

std::string wrong(const agreement& found) { return found ? "" : describe(found); }

std::string name_of(const std::string& version, int width, int height) {
  return version + ", " + std::to_string(width) + " x " + std::to_string(height);
}

void add(std::vector<count_entry>& entries, const std::string& version, const device_dct& forward,
         const device_dct& inverse, int width, int height) {
  entries.push_back({name_of(version, width, height), version + "_kernel", [=] {
                       const plane<float> pixels = asymmetric_plane(width, height);
                       copied_plane<float> from(pixels), to(plane<float>(padded(width), padded(height)));
                       forward(from.span(), to.span());
                       return wrong(verify_dct8x8(pixels, to.to_host()));
                     }});
  entries.push_back({name_of("i" + version, width, height), "i" + version + "_kernel", [=] {
                       const plane<float> coefficients = asymmetric_plane(padded(width), padded(height));
                       copied_plane<float> from(coefficients), to(plane<float>(width, height));
                       inverse(from.span(), to.span());
                       return wrong(verify_idct8x8(coefficients, to.to_host()));
                     }});
}

void add_copy(std::vector<count_entry>& entries, const std::string& version, block_shape shape) {
  entries.push_back({name_of(version, 61, 21), "copy_values_kernel", [=]() -> std::string {
                       const plane<float> values = asymmetric_plane(61, 21);
                       copied_plane<float> from(values), to(plane<float>(61, 21));
                       copy_values(shape, from.span(), to.span());
                       return difference(to.to_host().values, values.values);
                     }});
}

void add_filters(std::vector<count_entry>& entries, int width, int height) {
  entries.push_back({name_of("filter_square", width, height), "filter_square_kernel", [=] {
                       const plane<float> pixels = test_picture(width, height);
                       copied_plane<float> from(pixels), to(plane<float>(width, height));
                       filter_square(from.span(), to.span());
                       return wrong(verify_filter(pixels, to.to_host()));
                     }});
  entries.push_back({name_of("filter_separable", width, height),
                     "filter_rows_kernel",
                     [=] {
                       const plane<float> pixels = test_picture(width, height);
                       copied_plane<float> from(pixels), between(plane<float>(width, height)),
                           to(plane<float>(width, height));
                       filter_separable(from.span(), between.span(), to.span());
                       return wrong(verify_filter(pixels, to.to_host()));
                     },
                     {"filter_columns_kernel"}});
  entries.push_back({name_of("filter_fused", width, height), "filter_fused_kernel", [=] {
                       const plane<float> pixels = test_picture(width, height);
                       copied_plane<float> from(pixels), to(plane<float>(width, height));
                       filter_fused(from.span(), to.span());
                       return wrong(verify_filter(pixels, to.to_host()));
                     }});
}

}  // namespace

std::vector<count_entry> dct_entries() {
  std::vector<count_entry> entries;
  add_copy(entries, "copy_values 8 x 8 threads", block_shape::threads_8_by_8);
  add_copy(entries, "copy_values 32 x 8 threads", block_shape::threads_32_by_8);
  for (const auto& [width, height] : {std::pair(64, 24), {61, 21}}) add_filters(entries, width, height);
  // Whole 8x8 blocks, and some that stand over both edges.
  for (const auto& [width, height] : {std::pair(64, 24), {61, 21}}) {
    add(entries, "dct8x8_per_coefficient", in_default_stream<dct8x8_per_coefficient>,
        in_default_stream<idct8x8_per_coefficient>, width, height);
    add(entries, "dct8x8_shared_matrix", in_default_stream<dct8x8_shared_matrix>,
        in_default_stream<idct8x8_shared_matrix>, width, height);
    add(
        entries, "dct8x8_textured", [](auto from, auto to) { dct8x8_textured(from, to); },
        [](auto from, auto to) { idct8x8_textured(from, to); }, width, height);
  }
  // Full blocks of threads, warps that are not full, and more columns than a block has threads.
  for (const auto& [width, height] : {std::pair(256, 16), {61, 21}, {263, 9}})
    add(entries, "dct8x8", in_default_stream<dct8x8>, in_default_stream<idct8x8>, width, height);
  return entries;
}

}  // namespace tutorial
