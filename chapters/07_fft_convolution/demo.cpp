// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/reference.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "03_tiled/convolve_tiled.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "05_shared_memory/convolve_shared.hpp"
#include "06_register_tiling/convolve_register_tiled.hpp"
#include "07_fft_convolution/host/convolve_fft_on_all_cores.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "07_fft_convolution/kernels/convolve_fft.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "07_fft_convolution/show/experiment.hpp"
#include "07_fft_convolution/show/tables.hpp"
#include "best_convolution.hpp"
#include "common/program/convolution_chapter.hpp"

namespace tutorial {
namespace {

/// A version that keeps an object for the filter that it was last prepared for: make(h, samples, mode) gives it.
template <class... Types, class Make>
convolution_variant kept_variant(std::string name, std::string label, const Make& make) {
  const auto slots = std::make_tuple(
      std::make_shared<
          std::optional<decltype(make(device_span<const Types>(), std::size_t{}, convolution_mode{}))>>()...);
  const auto slot_of = [slots]<class T>(device_span<const T>) {
    using object =
        decltype(std::declval<const Make&>()(device_span<const T>(), std::size_t{}, convolution_mode{}));
    return std::get<std::shared_ptr<std::optional<object>>>(slots);
  };
  return with_preparation<Types...>(
      device_variant<Types...>(std::move(name), std::move(label),
                               [slot_of](auto x, auto, auto y, auto) { (**slot_of(x))(x, y); }),
      [slot_of, make](auto h, std::size_t samples, convolution_mode mode) {
        auto& kept = *slot_of(h);
        kept.reset();  // before the next one takes its memory
        kept.emplace(make(h, samples, mode));
      });
}

/// The variant, with what its transforms are allowed to round: block(samples, taps, mode, type) is their length, 0 for
/// none.
template <class Block>
convolution_variant transformed(convolution_variant variant, const Block& block) {
  return with_rounding<float, double>(
      std::move(variant), [block]<class T>(std::span<const T> x, std::span<const T> h,
                                           std::span<const T> expected, convolution_mode mode) {
        const std::size_t length = block(x.size(), h.size(), mode, element_type_of<T>());
        if (length == 0) return rounding_allowance{};
        return fft_rounding(x, h, expected, length, one_block_length(x.size(), h.size(), mode) <= length);
      });
}

std::size_t full_length(std::size_t samples, std::size_t taps) {
  return output_length(samples, taps, convolution_mode::full);
}

/// One transform of the whole signal, by convolve_fft.cu.
convolution_variant whole_signal(std::string name, std::string label, fft_length_rule rule) {
  return transformed(kept_variant<float, double>(
                         std::move(name), std::move(label),
                         [rule]<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
                           return fft_convolver<T>(h, samples, mode, 1, rule);
                         }),
                     [rule](std::size_t samples, std::size_t taps, auto, auto) {
                       return fft_length(full_length(samples, taps), rule);
                     });
}

/// By convolve_overlap_save.cu; block(samples, taps, mode, type) as above.
template <class Block>
convolution_variant in_blocks(std::string name, std::string label, const Block& block) {
  return transformed(
      kept_variant<float, double>(
          std::move(name), std::move(label),
          [block]<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
            return overlap_save_convolver<T>(h, samples, mode,
                                             block(samples, h.size(), mode, element_type_of<T>()));
          }),
      block);
}

/// Chapter 03's tiles, with the intermediate that they need for one filter and one length of signal.
template <class T>
class tiles {
 public:
  tiles(device_span<const T> h, std::size_t samples, convolution_mode mode)
      : h_(h), mode_(mode), intermediate_(tiled_intermediate_bytes<T>(samples, h.size())) {}
  void operator()(device_span<const T> x, device_span<T> y) {
    convolve_tiled<T>(x, h_, y, mode_, intermediate_);
  }

 private:
  device_span<const T> h_;
  convolution_mode mode_;
  device_buffer<std::byte> intermediate_;
};

/// kissfft on all cores of the CPU.
convolution_variant transforms_on_host() {
  return with_rounding<float, double>(
      host_variant<float, double>(
          "fft_on_host", "FFT on all cores of the CPU (kissfft)",
          [](auto x, auto h, auto y, auto mode) { convolve_fft_on_all_cores(x, h, y, mode); }),
      []<class T>(std::span<const T> x, std::span<const T> h, std::span<const T> expected,
                  convolution_mode mode) {
        rounding_allowance allowed =
            fft_rounding(x, h, expected, block_on_all_cores(x.size(), h.size(), mode), false);
        allowed.each *= rounding_on_all_cores, allowed.all *= rounding_on_all_cores;
        return allowed;
      });
}

/// Those of chapters 01 to 06.
std::vector<convolution_variant> earlier_variants() {
  return {host_variant(
              "serial", "01 one core",
              [](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); }, 4e10),
          host_variant(
              "parallel", "01 all cores",
              [](auto x, auto h, auto y, auto mode) { convolve_parallel(x, h, y, mode); }, 4e10),
          device_variant("direct", "02 one output per thread",
                         [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }),
          kept_variant<std::int32_t, float, double>(
              "tiled", "03 tiles",
              []<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
                return tiles<T>(h, samples, mode);
              }),
          device_variant("warp_per_output", "03 one warp per output",
                         [](auto x, auto h, auto y, auto mode) { convolve_warp_per_output(x, h, y, mode); }),
          device_variant("constant", "04 constant memory",
                         [](auto x, auto h, auto y, auto mode) { convolve_constant(x, h, y, mode); }),
          device_variant("shared", "05 shared memory",
                         [](auto x, auto h, auto y, auto mode) { convolve_shared(x, h, y, mode); }),
          device_variant("register_tiled", "06 registers",
                         [](auto x, auto h, auto y, auto mode) { convolve_register_tiled(x, h, y, mode); })};
}

std::vector<convolution_variant> variants() {
  std::vector<convolution_variant> all = earlier_variants();
  if (has_kissfft()) all.push_back(transforms_on_host());
  const std::vector<convolution_variant> own = {
      transformed(device_variant<float, double>(
                      "from_scratch", "07 FFT from scratch",
                      [](auto x, auto h, auto y, auto mode) { convolve_fft_from_scratch(x, h, y, mode); }),
                  [](std::size_t samples, std::size_t taps, auto, auto) {
                    return std::bit_floor(full_length(samples, taps)) * 2;
                  }),
      whole_signal("power_of_two", "07 FFT of 2^n", fft_length_rule::power_of_two),
      whole_signal("fft", "07 FFT of a good length", fft_length_rule::good),
      in_blocks("one_block", "07 FFT in pairs",
                [](std::size_t samples, std::size_t taps, convolution_mode mode, element_type) {
                  return whole_signal_block(samples, taps, mode);
                }),
      in_blocks("overlap_save", "07 overlap-save",
                [](std::size_t samples, std::size_t taps, convolution_mode mode, element_type type) {
                  return overlap_save_block(samples, taps, mode, type);
                }),
      transformed(kept_variant<std::int32_t, float, double>(
                      "best", "07 the one that chooses",
                      []<class T>(device_span<const T> h, std::size_t samples, convolution_mode mode) {
                        return best_convolver<T>(h, samples, mode);
                      }),
                  [](std::size_t samples, std::size_t taps, convolution_mode mode, element_type type) {
                    return choose_convolution(samples, taps, mode, type).block;
                  })};
  all.insert(all.end(), own.begin(), own.end());
  all.back().explain = [](const convolution_work& work) {
    return choose_convolution(work.samples, work.taps, work.mode, work.type).text();
  };
  return all;
}

/// Chapter 01's definition, or for many billions of products, which take it long, chapter 01's fast version of it.
const auto reference = []<class T>(std::span<const T> x, std::span<const T> h, std::span<T> y,
                                   convolution_mode mode) {
  if (product_count(x.size(), h.size(), mode) < 4e9)
    std::get<host_convolution<T>>(reference_convolutions())(x, h, y, mode);
  else
    convolve_parallel(x, h, y, mode);
};

void show(convolution_demo& demo) {
  const std::string& only = demo.run().options().variant;
  if (!only.empty()) {  // also one that is not in the tables below
    for (const convolution_work& work : {demo.work_a(), demo.work_b()}) demo.table(work, {only});
    return;
  }
  show_theorem(demo.run());
  demo.table(demo.work_a(), {"direct", "register_tiled", "from_scratch", "fft", "overlap_save", "best"});
  std::vector<std::string> long_filters = {"direct",       "shared",       "register_tiled",
                                           "from_scratch", "power_of_two", "fft",
                                           "one_block",    "overlap_save", "best"};
  if (!demo.emulated())  // counts of the CPU are not to be had
    long_filters.insert(long_filters.begin(), {"parallel", "fft_on_host"});
  demo.table(demo.work_b(), long_filters);
  show_lengths(demo.run());
  show_blocks(demo);
  show_batches(demo.run());
  show_rounding(demo);
  show_experiment(demo);
}

}  // namespace

chapter this_chapter() {
  return convolution_chapter({.number = "07",
                              .name = "fft_convolution",
                              .title = "FFT convolution",
                              .next = "08",
                              .reference = all_types_on_host(reference),
                              .variants = variants(),
                              .picture = own_picture::of_times,
                              .demo = show});
}

}  // namespace tutorial
