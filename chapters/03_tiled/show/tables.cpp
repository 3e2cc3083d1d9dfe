// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "03_tiled/convolve_tiled.hpp"
#include "common/device/device.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/compare.hpp"

namespace tutorial {
namespace {

using numbers = std::vector<std::int32_t>;

numbers convolve(const numbers& a, const numbers& b) {
  const device_buffer<std::int32_t> x(a), h(b);
  device_buffer<std::int32_t> y(a.size() + b.size() - 1);
  convolve_tiled<std::int32_t>(x, h, y, convolution_mode::full);
  return y.to_host();
}

std::uint32_t sum_modulo(const numbers& y) { return std::accumulate(y.begin(), y.end(), std::uint32_t{0}); }

std::size_t intermediate_bytes(const convolution_work& work) {
  return with_type(work.type,
                   [&]<class T>(T) { return tiled_intermediate_bytes<T>(work.samples, work.taps); });
}

}  // namespace

// [sums]
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
  add("03 tiled", right);
  add("the filter not flipped", correlated);
  add("last output first", reversed);
  add("all shifted by one", shifted);
  add("neighbors exchanged", swapped);
  run.show("1 .. 1024 with 1025 .. 2048, 'full': a sum cannot tell them apart", table);
}
// [sums]

void show_with_intermediate(convolution_demo& demo, const convolution_work& work,
                            std::vector<std::string> versions) {
  const std::size_t bytes = intermediate_bytes(work);
  const std::size_t free = current_device().free_bytes;
  const bool one_only = !demo.run().options().variant.empty();
  // The same kernels as "tiled": they differ in time only.
  if (demo.emulated() && !one_only) std::erase(versions, "tiled_allocated");
  std::erase_if(versions, [&](const std::string& each) { return !demo.wants(each); });
  const auto by_tiles = [](const std::string& each) { return each.starts_with("tiled"); };
  if (std::any_of(versions.begin(), versions.end(), by_tiles)) {
    std::string line = "Intermediate of the tiles: " + bytes_text(double(bytes));
    if (bytes > free / 2) {
      line += ", but only " + bytes_text(double(free)) + " of device memory is free: the tiles are left out.";
      std::erase_if(versions, by_tiles);
    }
    demo.say(line);
  }
  if (!versions.empty()) demo.table(work, versions);
}

void draw_sizes(convolution_demo& demo) {
  demo.draw_sizes({"direct", "tiled", "warp_per_output"}, "",
                  [](const std::string& version, const auto& work) {
                    return version != "tiled" || intermediate_bytes(work) <= current_device().free_bytes / 2;
                  });
}

}  // namespace tutorial
