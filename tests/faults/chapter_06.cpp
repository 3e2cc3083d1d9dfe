// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "06_register_tiling/broken.hpp"
#include "06_register_tiling/offset_checks.hpp"
#include "convolution_fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

device_convolution<float> function(mistake made) {
  return [made](auto x, auto h, auto y, auto mode) { broken::convolve<float>(made, x, h, y, mode); };
}

refusal all_checks(const device_convolution<float>& f) {
  return checked<float>(
      f, [&] { return refused_by("offsets", offset_failures<float>(f, all_offsets(300, {5}))); },
      [&] {
        return keeps_nan_in_place<float>(f, 5) ? refusal{} : refusal{"NaN", "a NaN goes astray"};
      });
}

fault with(std::string name, mistake made) {
  fault result = convolution_fault<float>(std::move(name), function(made));
  result.check = [f = function(made)] { return all_checks(f); };
  return result;
}

/// Wrong only where y begins one element behind an aligned address.
fault with_offset(std::string name, mistake made) {
  fault result = with(std::move(name), made);
  result.use = [f = function(made)] {
    const convolution_inputs<float> in = whole_numbers<float>();
    const device_buffer<float> d_x(in.x), d_h(in.h);
    device_buffer<float> d_y(1 + in.x.size());
    f(d_x, d_h, d_y.span().subspan(1, in.x.size()), in.mode);
    check(cudaDeviceSynchronize());
    const std::vector<float> y = d_y.to_host();
    const std::string wrong = judged(std::vector<float>(y.begin() + 1, y.end()), in);
    // NaN is what nobody has written.
    return y[0] == y[0] ? "the element before the output" : wrong;
  };
  return result;
}

/// Wrong only where a sample is no number.
fault with_nan(std::string name, mistake made) {
  fault result = with(std::move(name), made);
  result.use = [f = function(made)] {
    return keeps_nan_in_place<float>(f, 5) ? std::string() : "outputs that meet no NaN";
  };
  return result;
}

}  // namespace

std::vector<fault> faults() {
  return {with("none", mistake::none),
          with("window_not_moved", mistake::window_not_moved),
          with("window_moved_twice", mistake::window_moved_twice),
          with("new_sample_late", mistake::new_sample_late),
          with("last_taps_lost", mistake::last_taps_lost),
          with_nan("zero_taps", mistake::zero_taps),
          with("parts_overwrite", mistake::parts_overwrite),
          with_offset("shift_forgotten", mistake::shift_forgotten),
          with_offset("first_vector_not_cut", mistake::first_vector_not_cut),
          with("last_vector_not_cut", mistake::last_vector_not_cut)};
}

}  // namespace tutorial
