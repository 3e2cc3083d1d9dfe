// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "versions.hpp"

#include <string>

#include "07_fft_convolution/host/fft_rounding.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "13_one_pass/fastest_convolution.hpp"
#include "convolve_one_pass.hpp"

namespace tutorial::versions {
namespace {

constexpr one_pass_design by_radix_design{radix_length, radix_overlap, false};

convolution_version by_radix(const char* name, const char* about, radix_passes passes) {
  convolution_version version = kept_version<float>(
      "13", name, about, [passes](device_span<const float> h, std::size_t samples, convolution_mode mode) {
        return radix_convolver(h, samples, mode, passes);
      });
  version.rounding = for_types<rounding_rule, float>([](auto x, auto h, auto expected, convolution_mode) {
    return one_pass_rounding(x, h, expected, by_radix_design);
  });
  return version;
}

convolution_version in_one_pass(const std::string& name, const std::string& about, int length) {
  convolution_version version = kept_version<float, double>(
      "13", name, about,
      [length]<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
        return one_pass_convolver<T>(h, samples, mode, 1, length);
      });
  version.rounding = for_types<rounding_rule, float, double>(
      [length]<class T>(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                        convolution_mode) {
        return one_pass_rounding(x, h, expected, one_pass_design_of<T>(h.size(), length));
      });
  return version;
}

}  // namespace

convolution_version radix_2() {
  return by_radix("radix_2", "one kernel, 2 numbers of a thread at a time", radix_passes::of_2);
}
convolution_version radix_4() { return by_radix("radix_4", "the same with 4 numbers", radix_passes::of_4); }
convolution_version radix_16() {
  return by_radix("radix_16", "the same with 16 numbers", radix_passes::of_16);
}
convolution_version radix_16_padded() {
  return by_radix("radix_16_padded", "the same, one place in 17 left free", radix_passes::of_16_padded);
}

convolution_version one_pass() {
  return in_one_pass("one_pass", "two barriers or none, the shortest segments that take the filter", 0);
}

convolution_version one_pass_of(int length) {
  return in_one_pass("one_pass_" + std::to_string(length),
                     "segments of " + std::to_string(length) + " samples", length);
}

convolution_version fastest() {
  convolution_version version = kept_version<std::int32_t, float, double>(
      "13", "fastest", "the version of all chapters that is expected to be fastest",
      []<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
        return fastest_convolver<T>(h, samples, mode);
      });
  version.rounding = for_types<rounding_rule, float, double>(
      []<class T>(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                  convolution_mode mode) {
        const fastest_choice choice = choose_fastest(x.size(), h.size(), mode, element_type_of<T>());
        if (choice.one_pass) return one_pass_rounding(x, h, expected, choice.design);
        const std::size_t block = choice.others.block;
        if (block == 0) return rounding_allowance{};
        return fft_rounding(x, h, expected, block, one_block_length(x.size(), h.size(), mode) <= block);
      });
  version.explain = [](const convolution_work& work) {
    return choose_fastest(work.samples, work.taps, work.mode, work.type).text();
  };
  return version;
}

}  // namespace tutorial::versions
