// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapters 03 to 07, through their public functions. Filters that are kept in constant memory
// are copied there beforehand.
#include "03_tiled/convolve_tiled.hpp"
#include "04_constant_memory/convolve_constant.hpp"
#include "05_shared_memory/convolve_shared.hpp"
#include "06_register_tiling/convolve_register_tiled.hpp"
#include "07_fft_convolution/kernels/convolve_fft.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "common/device/stream.hpp"
#include "convolution_entry.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

// A last block that is full, an odd length, one with a partly filled last warp; edges (full, same) and none
// (valid).
constexpr convolution_case short_filters[] = {{1024, 5, convolution_mode::same},
                                              {1001, 5, convolution_mode::full},
                                              {1028, 5, convolution_mode::valid},
                                              {999, 9, convolution_mode::same}};
constexpr convolution_case medium_filters[] = {{1000, 33, convolution_mode::same},
                                               {4099, 63, convolution_mode::full},
                                               {5003, 64, convolution_mode::valid}};
constexpr convolution_case long_filters[] = {{3000, 257, convolution_mode::full},
                                             {9001, 500, convolution_mode::same}};

template <class T>
void add_tiles(std::vector<count_entry>& entries, const convolution_case& what) {
  const auto tiled = [](auto x, auto h, auto y, auto mode) {
    device_buffer<std::byte> intermediate(
        std::vector<std::byte>(tiled_intermediate_bytes<T>(x.size(), h.size())));
    convolve_tiled<T>(x, h, y, mode, intermediate);
    check(cudaDeviceSynchronize());
  };
  entries.push_back(
      convolution_entry<T>("convolve_tiled", {"multiply_tiles_kernel", "merge_sums_kernel"}, what, tiled));
  const auto warp = [](auto x, auto h, auto y, auto mode) { convolve_warp_per_output<T>(x, h, y, mode); };
  entries.push_back(
      convolution_entry<T>("convolve_warp_per_output", {"convolve_warp_per_output_kernel"}, what, warp));
}

template <class T>
void add_constant(std::vector<count_entry>& entries, const convolution_case& what) {
  const auto with_taps = [](auto x, auto h, auto y, auto mode) {
    convolve_with_constant_taps<T>(x, h.size(), y, mode);
  };
  entries.push_back(convolution_entry<T>("convolve_constant", {"convolve_constant_kernel"}, what, with_taps,
                                         in_default_stream<load_constant_taps<T>>));
}

template <class T>
void add_shared(std::vector<count_entry>& entries, const convolution_case& what) {
  const auto with_taps = [](auto x, auto h, auto y, auto mode) {
    convolve_shared_with_loaded_taps<T>(x, h.size(), y, mode);
  };
  entries.push_back(convolution_entry<T>("convolve_shared", {"convolve_shared_kernel"}, what, with_taps,
                                         in_default_stream<load_shared_taps<T>>));
  entries.push_back(convolution_entry<T>("convolve_shared_chunked", {"convolve_shared_chunked_kernel"}, what,
                                         in_default_stream<convolve_shared_chunked<T>>));
}

template <class T>
void add_layouts(std::vector<count_entry>& entries, const convolution_case& what) {
  const std::pair<const char*, tile_layout> layouts[] = {{"neighbors", tile_layout::neighbors},
                                                         {"padded", tile_layout::neighbors_padded},
                                                         {"side by side", tile_layout::side_by_side}};
  for (const auto& [name, layout] : layouts) {
    const auto eight = [layout = layout](auto x, auto h, auto y, auto mode) {
      convolve_shared_eight<T>(x, h, y, mode, layout);
    };
    entries.push_back(convolution_entry<T>("convolve_shared_eight " + std::string(name),
                                           {"convolve_shared_eight_kernel"}, what, eight));
  }
}

template <class T>
void add_registers(std::vector<count_entry>& entries, const convolution_case& what) {
  if (what.taps <= std::size_t(vectors_max_taps<T>))
    entries.push_back(convolution_entry<T>("convolve_vectors", {"convolve_vectors_kernel"}, what,
                                           [](auto... all) { convolve_vectors<T>(all...); }));
  entries.push_back(convolution_entry<T>("convolve_register_blocked", {"convolve_register_blocked_kernel"},
                                         what, [](auto... all) { convolve_register_blocked<T>(all...); }));
  entries.push_back(convolution_entry<T>("convolve_constant_operands", {"convolve_constant_operands_kernel"},
                                         what, in_default_stream<convolve_constant_operands<T>>));
  const auto prefetched = [](auto x, auto h, auto y, auto mode) { convolve_prefetched<T>(x, h, y, mode); };
  if (what.taps <= std::size_t(prefetched_max_taps<T>))
    entries.push_back(
        convolution_entry<T>("convolve_prefetched", {"convolve_prefetched_kernel"}, what, prefetched));
}

// The filter's own passes first: both objects prepare it when they are made.
template <class T>
void add_transforms(std::vector<count_entry>& entries) {
  const auto whole = [](auto x, auto h, auto y, auto mode) {
    fft_convolver<T> convolve(h, x.size(), mode);
    convolve(x, y);
    check(cudaDeviceSynchronize());
  };
  const std::vector<std::string> copies(3, "copy_rows_kernel");
  for (const convolution_case& what : {convolution_case{1000, 33, convolution_mode::same},
                                       {4099, 63, convolution_mode::full},
                                       {5003, 64, convolution_mode::valid},
                                       {3000, 257, convolution_mode::full}})
    entries.push_back(convolution_entry<T>("fft_convolver", copies, what, whole, nullptr, true));

  // Lengths of blocks, because the model that chooses them counts one thing here and another on a GPU.
  const std::pair<convolution_case, std::size_t> in_blocks[] = {{{1000, 33, convolution_mode::same}, 1024},
                                                                {{999, 9, convolution_mode::full}, 128},
                                                                {{4099, 63, convolution_mode::full}, 512},
                                                                {{5003, 64, convolution_mode::valid}, 320},
                                                                {{9001, 500, convolution_mode::same}, 2048}};
  for (const auto& [what, block] : in_blocks) {
    const auto blocks = [block = block](auto x, auto h, auto y, auto mode) {
      overlap_save_convolver<T> convolve(h, x.size(), mode, block);
      convolve(x, y);
      check(cudaDeviceSynchronize());
    };
    entries.push_back(convolution_entry<T>(
        "overlap_save_convolver, blocks of " + std::to_string(block),
        {"split_taps_kernel", "gather_kernel", "multiply_packed_kernel", "scatter_kernel"}, what, blocks,
        nullptr, true));
  }
}

template <class T>
void add_ladder(std::vector<count_entry>& entries) {
  for (const convolution_case& what : short_filters) {
    add_tiles<T>(entries, what);
    add_constant<T>(entries, what);
    add_shared<T>(entries, what);
    add_layouts<T>(entries, what);
    add_registers<T>(entries, what);
  }
  for (const convolution_case& what : medium_filters) {
    add_tiles<T>(entries, what);
    add_constant<T>(entries, what);
    add_shared<T>(entries, what);
    add_layouts<T>(entries, what);
    add_registers<T>(entries, what);
  }
  for (const convolution_case& what : long_filters) {
    add_shared<T>(entries, what);
    add_registers<T>(entries, what);
  }
}

}  // namespace

std::vector<count_entry> ladder_entries() {
  std::vector<count_entry> entries;
  add_ladder<float>(entries);
  add_ladder<double>(entries);
  add_ladder<std::int32_t>(entries);
  add_transforms<float>(entries);
  add_transforms<double>(entries);
  return entries;
}

}  // namespace tutorial
