// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "versions.hpp"

#include <bit>

#include "07_fft_convolution/best_convolution.hpp"
#include "07_fft_convolution/host/convolve_fft_all_cores.hpp"
#include "07_fft_convolution/host/fft_length.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "07_fft_convolution/kernels/convolve_fft.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"

namespace tutorial::versions {
namespace {

/// The version, with what its transforms are allowed to round: block(samples, taps, mode, type) is their
/// length, 0 for none.
template <class Block>
convolution_version transformed(convolution_version version, const Block& block) {
  version.rounding = for_types<rounding_rule, float, double>(
      [block]<class T>(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                       convolution_mode mode) {
        const std::size_t length = block(x.size(), h.size(), mode, element_type_of<T>());
        if (length == 0) return rounding_allowance{};
        return fft_rounding(x, h, expected, length, one_block_length(x.size(), h.size(), mode) <= length);
      });
  return version;
}

std::size_t full_length(std::size_t samples, std::size_t taps) {
  return output_length(samples, taps, convolution_mode::full);
}

/// One transform of the whole signal, by convolve_fft.cu.
convolution_version whole_signal(const char* name, const char* about, fft_length_rule rule) {
  return transformed(kept_version<float, double>(
                         "07", name, about,
                         [rule]<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
                           return fft_convolver<T>(h, samples, mode, 1, rule);
                         }),
                     [rule](std::size_t samples, std::size_t taps, auto, auto) {
                       return fft_length(full_length(samples, taps), rule);
                     });
}

/// By convolve_overlap_save.cu; block(samples, taps, mode, type) as above.
template <class Block>
convolution_version in_blocks(const char* name, const char* about, const Block& block) {
  return transformed(
      kept_version<float, double>(
          "07", name, about,
          [block]<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
            return overlap_save_convolver<T>(h, samples, mode,
                                             block(samples, h.size(), mode, element_type_of<T>()));
          }),
      block);
}

}  // namespace

convolution_version fft_all_cores() {
  convolution_version version{
      .chapter = "07", .name = "fft_all_cores", .about = "overlap-save on all cores of the CPU (kissfft)"};
  version.on_host = for_types<host_convolution, float, double>(
      [](auto x, auto h, auto y, convolution_mode mode) { convolve_fft_all_cores(x, h, y, mode); });
  version.rounding = for_types<rounding_rule, float, double>(
      []<class T>(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                  convolution_mode mode) {
        rounding_allowance allowed =
            fft_rounding(x, h, expected, block_all_cores(x.size(), h.size(), mode), false);
        allowed.each *= rounding_all_cores, allowed.all *= rounding_all_cores;
        return allowed;
      });
  return version;
}

convolution_version fft_from_scratch() {
  convolution_version version{.chapter = "07",
                              .name = "fft_from_scratch",
                              .about = "one transform, plans and memory made in each call"};
  version.runs_on_device = true;
  version.on_device = for_types<device_convolution, float, double>(
      [](auto x, auto h, auto y, convolution_mode mode) { convolve_fft_from_scratch(x, h, y, mode); });
  return transformed(std::move(version), [](std::size_t samples, std::size_t taps, auto, auto) {
    return std::bit_floor(full_length(samples, taps)) * 2;
  });
}

convolution_version fft_power_of_two() {
  return whole_signal("fft_power_of_two", "one transform, its length a power of two",
                      fft_length_rule::power_of_two);
}

convolution_version fft() {
  return whole_signal("fft", "one transform of a good length", fft_length_rule::good);
}

convolution_version fft_one_block() {
  return in_blocks("fft_one_block", "one transform, even and odd samples as real and imaginary part",
                   [](std::size_t samples, std::size_t taps, convolution_mode mode, element_type) {
                     return whole_signal_block(samples, taps, mode);
                   });
}

convolution_version overlap_save() {
  return in_blocks("overlap_save", "blocks that overlap, all in one batch",
                   [](std::size_t samples, std::size_t taps, convolution_mode mode, element_type type) {
                     return overlap_save_block(samples, taps, mode, type);
                   });
}

convolution_version best() {
  convolution_version version =
      transformed(kept_version<std::int32_t, float, double>(
                      "07", "best", "the version of all chapters that is expected to be fastest",
                      []<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
                        return best_convolver<T>(h, samples, mode);
                      }),
                  [](std::size_t samples, std::size_t taps, convolution_mode mode, element_type type) {
                    return choose_convolution(samples, taps, mode, type).block;
                  });
  version.explain = [](const convolution_work& work) {
    return choose_convolution(work.samples, work.taps, work.mode, work.type).text();
  };
  return version;
}

}  // namespace tutorial::versions
