// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "01_serial_definition/reference.hpp"
#include "02_direct_kernel/convolve_direct.hpp"
#include "common/files/input_error.hpp"
#include "common/files/numbers.hpp"
#include "common/program/convolution_chapter.hpp"
#include "common/verify/compare.hpp"
#include "convolve_tiled.hpp"

namespace tutorial {
namespace {

/// An intermediate that stays allocated from one call to the next.
class kept_intermediate {
 public:
  device_span<std::byte> at_least(std::size_t bytes) {
    if (memory_.size() < bytes) {
      memory_ = {};  // freed first: both might not fit
      const std::size_t free = current_device().free_bytes;
      if (bytes > free)
        throw input_error("the tiles need an intermediate of " + bytes_text(double(bytes)) + ", and " +
                          bytes_text(double(free)) + " of device memory are free");
      memory_ = device_buffer<std::byte>(bytes);
    }
    return memory_;
  }
  void release() { memory_ = {}; }

 private:
  device_buffer<std::byte> memory_;
};

using numbers = std::vector<std::int32_t>;

numbers convolve(const numbers& a, const numbers& b) {
  const device_buffer<std::int32_t> x(a), h(b);
  device_buffer<std::int32_t> y(a.size() + b.size() - 1);
  convolve_tiled<std::int32_t>(x, h, y, convolution_mode::full);
  return y.to_host();
}

std::uint32_t sum_modulo(const numbers& y) { return std::accumulate(y.begin(), y.end(), std::uint32_t{0}); }

// [sums]
/// 1024 x 1024 as in an often copied example, which compares sums; and four results that have the same sum.
void show_sums(chapter_run& run) {
  numbers a(1024), b(1024);
  std::iota(a.begin(), a.end(), 1);     // 1 .. 1024
  std::iota(b.begin(), b.end(), 1025);  // 1025 .. 2048
  const numbers right = convolve(a, b);
  const numbers correlated = convolve(a, numbers(b.rbegin(), b.rend()));
  const numbers reversed(right.rbegin(), right.rend());
  numbers shifted = right, swapped = right;
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  for (std::size_t n = 0; n + 1 < swapped.size(); n += 2) std::swap(swapped[n], swapped[n + 1]);

  text_table table({{"result", text_table::align::left}, {"sum modulo 2^32"}, {"outputs that are wrong"}});
  const auto add = [&](const std::string& what, const numbers& y) {
    const std::size_t wrong = compare<std::int32_t>(y, right).mismatches;
    table.add_row({what, std::to_string(sum_modulo(y)), grouped(wrong)});
  };
  add("03 tiles", right);
  add("the filter not flipped", correlated);
  add("last output first", reversed);
  add("all shifted by one", shifted);
  add("neighbors exchanged", swapped);
  run.show("1 .. 1024 with 1025 .. 2048, 'full': a sum cannot tell them apart", table);
}
// [sums]

/// Says how large the intermediate is before it is allocated, and leaves the tiles out where it is too large.
std::size_t intermediate_bytes(const convolution_work& work) {
  return with_type(work.type,
                   [&]<class T>(T) { return tiled_intermediate_bytes<T>(work.samples, work.taps); });
}

void show_table(convolution_demo& demo, kept_intermediate& intermediate, const convolution_work& work,
                std::vector<std::string> variants) {
  const std::size_t bytes = intermediate_bytes(work);
  const std::size_t free = current_device().free_bytes;
  const bool one_only = !demo.run().options().variant.empty();
  // The same kernels as "tiled": they differ in time only.
  if (demo.emulated() && !one_only) std::erase(variants, "tiled_allocated");
  if (one_only) std::erase_if(variants, [&](const std::string& each) { return !demo.run().wants(each); });
  const auto by_tiles = [](const std::string& each) { return each.starts_with("tiled"); };
  if (std::any_of(variants.begin(), variants.end(), by_tiles)) {
    std::string line = "Intermediate of the tiles: " + bytes_text(double(bytes));
    if (bytes > free / 2) {
      line += ", and " + bytes_text(double(free)) + " of device memory are free: the tiles are left out.";
      std::erase_if(variants, by_tiles);
    }
    demo.say(line);
  }
  if (variants.empty()) return;
  demo.table(work, variants);
  intermediate.release();
}

void show(convolution_demo& demo, kept_intermediate& intermediate) {
  if (demo.run().options().variant.empty()) show_sums(demo.run());
  const std::vector<std::string> all = {"serial", "all_cores",       "direct",
                                        "tiled",  "tiled_allocated", "warp_per_output"};
  const std::vector<std::string> fast(all.begin() + 1, all.end());  // one core would take minutes
  show_table(demo, intermediate, {"C", element_type::int32, 1024, 1024, convolution_mode::full}, all);
  show_table(demo, intermediate, demo.work_a(), fast);
  show_table(demo, intermediate, demo.work_b(), fast);
  demo.draw_sizes({"direct", "tiled", "warp_per_output"}, "",
                  [](const std::string& variant, const auto& work) {
                    return variant != "tiled" || intermediate_bytes(work) <= current_device().free_bytes / 2;
                  });
  intermediate.release();
}

}  // namespace

chapter this_chapter() {
  const auto intermediate = std::make_shared<kept_intermediate>();
  return convolution_chapter(
      {.number = "03",
       .name = "tiled",
       .title = "Tiles",
       .next = "04",
       .reference = reference_convolutions(),
       .variants = {host_variant("serial", "01 one core of the CPU",
                                 [](auto x, auto h, auto y, auto mode) { convolve_gather(x, h, y, mode); }),
                    host_variant("all_cores", "01 all cores of the CPU",
                                 [](auto x, auto h, auto y, auto mode) { convolve_parallel(x, h, y, mode); }),
                    device_variant("direct", "02 one output per thread",
                                   [](auto x, auto h, auto y, auto mode) { convolve_direct(x, h, y, mode); }),
                    device_variant("tiled", "03 tiles",
                                   [intermediate](auto x, auto h, auto y, auto mode) {
                                     using T = std::remove_pointer_t<decltype(y.data())>;
                                     const auto bytes = tiled_intermediate_bytes<T>(x.size(), h.size());
                                     convolve_tiled(x, h, y, mode, intermediate->at_least(bytes));
                                   }),
                    device_variant("tiled_allocated", "03 tiles, allocated in each call",
                                   [](auto x, auto h, auto y, auto mode) { convolve_tiled(x, h, y, mode); }),
                    device_variant(
                        "warp_per_output", "03 one warp per output",
                        [](auto x, auto h, auto y, auto mode) { convolve_warp_per_output(x, h, y, mode); })},
       .default_variant = "warp_per_output",
       .picture = own_picture::of_times,
       .demo = [intermediate](convolution_demo& demo) { show(demo, *intermediate); }});
}

}  // namespace tutorial
