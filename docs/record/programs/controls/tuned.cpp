// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How much does a constant matter that was tuned on one device? CMakeLists.txt builds this program for each
// value of tuned.txt, with a copy of the kernel's file that has this value. Without WORK it tries all works.
#include <memory>
#include <string_view>

#include "06_register_tiling/convolve_register_tiled.hpp"
#include "08_dct8x8/kernels/filter_fused.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "10_bits/kernels/encode/encode_tiles.hpp"
#include "11_in_flight/kernels/convolve_ring.hpp"
#include "13_one_pass/convolve_one_pass.hpp"
#include "14_small_matrices/kernels/small_matrices.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/test_picture.hpp"
#include "controls.hpp"

#ifndef WORK
#define WORK ""
#define CONSTANT ""
#define VALUE ""
#endif

namespace tutorial {
namespace {

using floats = device_buffer<float>;
constexpr auto full = convolution_mode::full;

bool chosen(std::string_view work) { return !*WORK || work == WORK; }

/// Measures run(x, y). make() makes an x and a y, of so many bytes.
void measure(control_rows& rows, std::string_view work, std::size_t bytes, const auto& make,
             const auto& run) {
  std::vector<decltype(make())> sets;
  for (int s = buffer_sets(bytes); s > 0; --s) sets.push_back(make());
  rows.measure({{"work", std::string(work)}, {"constant", CONSTANT}, {"value", VALUE}}, [&](int i) {
    auto& [x, y] = sets[std::size_t(i) % sets.size()];
    run(x, y);
  });
}

/// run(h, d_h, samples) returns a function of x and y. h is on the host and on the device.
void measure_signals(control_rows& rows, std::string_view work, std::size_t taps, const auto& run) {
  if (!chosen(work)) return;
  const std::size_t samples = rows.size(std::size_t{1} << 24, std::size_t{9000});
  const auto h = random_taps<float>(taps), signal = random_signal<float>(samples);
  const floats d_h(h);
  const auto make = [&] { return std::pair(floats(signal), floats(samples + taps - 1)); };
  measure(rows, work, 8 * samples, make, run(h, d_h, samples));
}

/// run(x, y) makes a picture of another one of that side.
template <class T>
void measure_pictures(control_rows& rows, std::string_view work, int side, const auto& run) {
  if (!chosen(work)) return;
  const plane<float> values = test_picture(side, side);
  const plane<T> picture(side, side, {values.values.begin(), values.values.end()});
  const auto make = [&] { return std::pair(device_plane<T>(picture), device_plane<T>(side, side)); };
  measure(rows, work, 2 * sizeof(T) * values.values.size(), make, run);
}

void measure_all(control_rows& rows) {
  measure_signals(rows, "06 vectors, 5 taps", 5, [](auto&, auto& h, std::size_t) {
    return [&](floats& x, floats& y) { convolve_vectors<float>(x, h, y, full); };
  });
  measure_signals(rows, "11 fast_fir, 65 taps", 65, [](auto& h, auto&, std::size_t) {
    return [&](floats& x, floats& y) { convolve_fast_fir(x, h, y, full); };
  });
  for (const std::size_t taps : {1025, 4097})
    measure_signals(rows, "13 one pass, " + std::to_string(taps) + " taps", taps,
                    [](auto&, auto& h, std::size_t samples) {
                      auto kept = std::make_shared<one_pass_convolver<float>>(h, samples, full);
                      return [kept](floats& x, floats& y) { (*kept)(x, y); };
                    });
  measure_pictures<float>(rows, "08 fused, 2592 x 2592", rows.size(2592, 48),
                          [](auto& x, auto& y) { filter_fused(x, y); });
  const product_matrices matrices(table_for(component_kind::luminance, 50));
  measure_pictures<std::uint8_t>(rows, "14 round_trip_staged, 16384 x 16384", rows.size(16384, 48),
                                 [&](auto& x, auto& y) { round_trip_staged(x, matrices, y); });
  const int side = rows.size(8192, 48);
  const jpeg_description picture = description_of(side, side, 1, 50, chroma_sampling::s444);
  const auto encoder = make_split_encoder(picture, {});
  device_buffer<std::uint8_t> file(roomy_file_size(picture));
  device_buffer<std::uint64_t> size(1);
  measure_pictures<std::uint8_t>(rows, "10 encode_split_tiles, gray 8192 x 8192", side,
                                 [&](auto& x, auto&) { encoder->encode({{x.span()}}, file, size.data()); });
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
