// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The kernels of chapters 11 and 12, through their public functions. Asynchronous copies are loads
// (docs/counts.md).
#include "07_fft_convolution/prices.hpp"
#include "11_in_flight/kernels/convolve_ring.hpp"
#include "11_in_flight/kernels/copy_in_flight.hpp"
#include "11_in_flight/kernels/two_paths.hpp"
#include "12_there_and_back/kernels/new_filter.hpp"
#include "12_there_and_back/kernels/there_and_back.hpp"
#include "common/device/pinned_buffer.hpp"
#include "convolution_entry.hpp"
#include "count_kernels.hpp"

namespace tutorial {
namespace {

/// What `convolve`(x, h, y, mode) launches, with the taps on the host.
template <class T, class Convolve>
count_entry host_taps_entry(const std::string& version, const std::vector<std::string>& kernels,
                            const convolution_case& what, Convolve convolve, bool transforms = false) {
  const auto with_host_taps = [=](auto x, auto h, auto y, auto mode) {
    const std::vector<T> taps = small_values<T>(h.size(), 2);  // as in h
    convolve(x, std::span<const T>(taps), y, mode);
  };
  return convolution_entry<T>(version, kernels, what, with_host_taps, nullptr, transforms);
}

void add_copies(std::vector<count_entry>& entries) {
  for (const int loads : {1, 2, 4, 8})
    for (const std::size_t size : {4096, 10003}) {
      const std::string name = "copy_in_flight, loads " + std::to_string(loads) + ", " + std::to_string(size);
      entries.push_back({name, "copy_in_flight_kernel", [=] {
                           const auto x = small_values<float>(size);
                           const device_buffer<float> d_x(x);
                           device_buffer<float> d_y(unwritten<float>(size));
                           copy_in_flight(d_x, d_y, {.loads = loads});
                           return difference(d_y, x);
                         }});
    }
}

void add_paths(std::vector<count_entry>& entries, shared_out how, std::size_t size) {
  const bool by_lane = how == shared_out::by_lane;
  const std::string name =
      std::string("take_two_paths ") + (by_lane ? "by lane, " : "by warp, ") + std::to_string(size);
  entries.push_back(
      {name, "take_two_paths_kernel", [=] {
         const std::vector<float> x = small_values<float>(size), up = {1, 2, -1}, down = {3, 1, 2};
         std::vector<float> expected = x;
         for (std::size_t i = 0; i < size; ++i)
           for (std::size_t s = 0; s < up.size(); ++s) {
             const bool second = (by_lane ? i : i / 32) % 2 != 0;
             expected[i] = second ? 1 - down[s] * expected[i] : up[s] * expected[i] + 1;
           }
         const device_buffer<float> d_x(x), d_up(up), d_down(down);
         device_buffer<float> d_y(unwritten<float>(size));
         take_two_paths(d_x, d_up, d_down, d_y, how);
         return difference(d_y, expected);
       }});
}

// Several tiles with all of their samples inside, and tiles over both edges.
constexpr convolution_case ring_filters[] = {{3000, 5, convolution_mode::same},
                                             {2601, 33, convolution_mode::full},
                                             {5003, 64, convolution_mode::valid}};

template <class T>
void add_rings(std::vector<count_entry>& entries) {
  for (const convolution_case& what : ring_filters) {
    // One block, so that a warp takes several tiles.
    const auto one_block = [](auto x, auto h, auto y, auto mode) {
      convolve_ring<T>(x, h, y, mode, {.most_blocks = 1});
    };
    entries.push_back(host_taps_entry<T>("convolve_ring", {"convolve_ring_kernel"}, what, one_block));
    const auto bulk = [](auto x, auto h, auto y, auto mode) { convolve_bulk<T>(x, h, y, mode, 1); };
    entries.push_back(host_taps_entry<T>("convolve_bulk", {"convolve_bulk_kernel"}, what, bulk));
  }
}

void add_rings_of_float(std::vector<count_entry>& entries) {
  for (const int depth : {1, 2, 4}) {
    const auto ring = [=](auto x, auto h, auto y, auto mode) {
      convolve_ring<float>(x, h, y, mode, {.depth = depth, .most_blocks = 1});
    };
    entries.push_back(host_taps_entry<float>("convolve_ring, depth " + std::to_string(depth),
                                             {"convolve_ring_kernel"}, ring_filters[0], ring));
  }
  for (const convolution_case& what : ring_filters) {
    const auto fast = [](auto x, auto h, auto y, auto mode) { convolve_fast_fir(x, h, y, mode, 1); };
    entries.push_back(host_taps_entry<float>("convolve_fast_fir", {"convolve_fast_fir_kernel"}, what, fast));
  }
}

// Signals so short that one transform takes all of them, whatever a device's prices are. The first launch is
// the constructor's.
void add_new_filters(std::vector<count_entry>& entries) {
  for (const convolution_case& what :
       {convolution_case{30, 33, convolution_mode::full}, {100, 300, convolution_mode::same}}) {
    const auto new_filter = [](auto x, auto h, auto y, auto mode) {
      new_filter_convolver convolve(x.size(), h.size(), mode, new_filter_way::parameter);
      convolve(x, h, y);
      check(cudaDeviceSynchronize());
    };
    entries.push_back(host_taps_entry<float>("new_filter_convolver",
                                             {"split_taps_kernel", "store_taps_kernel", "split_taps_kernel",
                                              "gather_kernel", "multiply_packed_kernel", "scatter_kernel"},
                                             what, new_filter, true));
  }
}

using host_signal = std::span<const std::int32_t>;
using prepare_journey =
    std::function<journey<std::int32_t>(host_signal h, std::size_t samples, convolution_mode mode)>;

// Whole numbers are never transformed: which kernels are launched does not depend on a device's prices.
void add_journey(std::vector<count_entry>& entries, const std::string& version,
                 const std::vector<std::string>& kernels, const convolution_case& what,
                 const prepare_journey& prepare) {
  const auto there_and_back = [=](auto x, auto h, auto y, auto mode) {
    pinned_buffer<std::int32_t> from(x.size()), to(y.size());
    check(cudaMemcpy(from.data(), x.data(), x.size_bytes(), cudaMemcpyDeviceToHost));
    std::ranges::copy(unwritten<std::int32_t>(y.size()), to.data());
    prepare(h, x.size(), mode)(from.span(), to.span());
    check(cudaMemcpy(y.data(), to.data(), y.size_bytes(), cudaMemcpyHostToDevice));
  };
  entries.push_back(host_taps_entry<std::int32_t>(version, kernels, what, there_and_back));
}

}  // namespace

std::vector<count_entry> flight_entries() {
  std::vector<count_entry> entries;
  add_copies(entries);
  for (const shared_out how : {shared_out::by_lane, shared_out::by_warp})
    for (const std::size_t size : {512, 999}) add_paths(entries, how, size);
  add_rings<float>(entries);
  add_rings<double>(entries);
  add_rings<std::int32_t>(entries);
  add_rings_of_float(entries);
  add_new_filters(entries);
  // By the same prices on every device, so that each chooses the same kernels.
  const auto in_chunks_of = [](std::size_t outputs) {
    return [outputs](auto h, auto samples, auto mode) {
      const price_list before = prices_here();
      use_prices(recorded_prices());
      auto journey = prepare_stream_per_stage<std::int32_t>(h, samples, mode, {.outputs = outputs});
      use_prices(before);
      return journey;
    };
  };
  const auto three = [](const char* kernel) { return std::vector<std::string>(3, kernel); };
  add_journey(entries, "convolve_stream_per_stage", three("convolve_vectors_kernel"),
              {2501, 5, convolution_mode::same}, in_chunks_of(1000));
  add_journey(entries, "convolve_stream_per_stage", three("convolve_warp_per_output_kernel"),
              {2501, 33, convolution_mode::full}, in_chunks_of(1000));
  add_journey(entries, "convolve_stream_per_stage", three("convolve_register_blocked_kernel"),
              {50001, 33, convolution_mode::full}, in_chunks_of(20000));
  return entries;
}

}  // namespace tutorial
