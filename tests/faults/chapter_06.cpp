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

/// Where y begins one element behind an aligned address.
std::string used_with_offset(const device_convolution<float>& f) {
  const convolution_inputs<float> in = whole_numbers<float>();
  const device_buffer<float> d_x(in.x), d_h(in.h);
  device_buffer<float> d_y(1 + in.x.size());
  f(d_x, d_h, d_y.span().subspan(1, in.x.size()), in.mode);
  check(cudaDeviceSynchronize());
  const std::vector<float> y = d_y.to_host();
  const std::string wrong = judged(std::vector<float>(y.begin() + 1, y.end()), in);
  // NaN is what nobody has written.
  return y[0] == y[0] ? "the element before the output" : wrong;
}

}  // namespace

std::vector<fault> faults() {
  return each_fault<mistake>([](const std::string& name, mistake made) {
    const device_convolution<float> f = function(made);
    fault result = convolution_fault<float>(name, f);
    result.check = [f] { return all_checks(f); };
    if (made == mistake::zero_taps)  // wrong only where a sample is no number
      result.use = [f] { return keeps_nan_in_place<float>(f, 5) ? "" : "outputs that meet no NaN"; };
    if (made == mistake::shift_forgotten || made == mistake::first_vector_not_cut)
      result.use = [f] { return used_with_offset(f); };
    return result;
  });
}

}  // namespace tutorial
