// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Chapter 08's filter of 7 x 7 taps on a picture of floats: ours, and NVIDIA's NPP where the toolkit has it.
// For docs/record/peers. Pictures take turns, so that no call finds its own in the cache. Every result is
// compared with the definition, exactly, before it is timed.
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef TUTORIAL_HAS_NPP
#include <nppi_filtering_functions.h>
#endif

#include "08_dct8x8/host/filter_serial.hpp"
#include "08_dct8x8/kernels/filter_fused.hpp"
#include "08_dct8x8/kernels/filter_separable.hpp"
#include "08_dct8x8/kernels/filter_square.hpp"
#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/limits.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/test_picture.hpp"
#include "pictures.hpp"

namespace tutorial {
namespace {

/// A picture in so many places on the device that no call finds it in the cache.
class work {
 public:
  work(int side, csv_table& rows) : side_(side), picture_(test_picture(side, side)), rows_(rows) {
    for (int s = buffer_sets(2 * bytes()); s > 0; --s) {
      x_.emplace_back(picture_);
      y_.emplace_back(side, side);
    }
    between_ = device_plane<float>(side, side);
    copy_ms_ = current_device().emulated ? 0 : copy_limit(bytes()).time.median_ms;
  }

  int side() const { return side_; }
  device_plane<float>& between() { return between_; }

  /// Throws std::runtime_error where the result is not the definition's.
  void time(const std::string& by,
            const std::function<void(const device_plane<float>& x, device_plane<float>& y)>& filter) {
    y_[0].poison();
    filter(x_[0], y_[0]);
    const agreement found = verify_filter(picture_, y_[0].to_host());
    if (!found) throw std::runtime_error(by + ": " + describe(found));
    const timing time = measure([&](int call) { filter(x_[set(call)], y_[set(call)]); }, options_here());
    rows_.add_row({{"side", std::to_string(side_)},
                   {"by", by},
                   {"median_ms", exact_digits(time.median_ms)},
                   {"min_ms", exact_digits(time.min_ms)},
                   {"max_ms", exact_digits(time.max_ms)},
                   {"copy_ms", copy_ms_ == 0 ? "" : exact_digits(copy_ms_)}});
    std::printf("%6d  %-44s %10s ms\n", side_, by.c_str(), milliseconds(time.median_ms).c_str());
  }

 private:
  std::size_t bytes() const { return picture_.values.size() * sizeof(float); }
  std::size_t set(int call) const { return std::size_t(call) % x_.size(); }

  int side_;
  plane<float> picture_;
  csv_table& rows_;
  std::vector<device_plane<float>> x_, y_;
  device_plane<float> between_;
  double copy_ms_ = 0;
};

void time_ours(work& w) {
  w.time("08 square", [](const auto& x, auto& y) { filter_square(x, y); });
  w.time("08 separable", [&](const auto& x, auto& y) { filter_separable(x, w.between(), y); });
  w.time("08 fused", [](const auto& x, auto& y) { filter_fused(x, y); });
}

#ifdef TUTORIAL_HAS_NPP
constexpr int taps = 2 * filter_radius + 1;

void require(NppStatus status) {
  if (status != NPP_SUCCESS) throw std::runtime_error("NPP: status " + std::to_string(int(status)));
}

NppStreamContext context() {
  int device = 0;
  cudaDeviceProp facts{};
  check(cudaGetDevice(&device));
  check(cudaGetDeviceProperties(&facts, device));
  NppStreamContext result{};
  result.nCudaDeviceId = device;
  result.nMultiProcessorCount = facts.multiProcessorCount;
  result.nMaxThreadsPerMultiProcessor = facts.maxThreadsPerMultiProcessor;
  result.nMaxThreadsPerBlock = facts.maxThreadsPerBlock;
  result.nSharedMemPerBlock = facts.sharedMemPerBlock;
  result.nCudaDevAttrComputeCapabilityMajor = facts.major;
  result.nCudaDevAttrComputeCapabilityMinor = facts.minor;
  return result;
}

void time_npp(work& w) {
  const NppStreamContext how = context();
  const NppiSize all{w.side(), w.side()};
  const NppiPoint corner{0, 0};
  std::vector<float> square;
  for (const float down : filter_taps)
    for (const float along : filter_taps) square.push_back(down * along);
  const device_buffer<float> d_taps(std::vector<float>(filter_taps, filter_taps + taps)), d_square(square);
  const auto step = [](const device_plane<float>& plane) { return int(plane.pitch()); };
  w.time("NPP, FilterRowBorder and FilterColumnBorder", [&](const auto& x, auto& y) {
    device_plane<float>& between = w.between();
    require(nppiFilterRowBorder_32f_C1R_Ctx(x.span().data(), step(x), all, corner, between.span().data(),
                                            step(between), all, d_taps.data(), taps, filter_radius,
                                            NPP_BORDER_REPLICATE, how));
    require(nppiFilterColumnBorder_32f_C1R_Ctx(between.span().data(), step(between), all, corner,
                                               y.span().data(), step(y), all, d_taps.data(), taps,
                                               filter_radius, NPP_BORDER_REPLICATE, how));
  });
  w.time("NPP, FilterBorder", [&](const auto& x, auto& y) {
    require(nppiFilterBorder_32f_C1R_Ctx(x.span().data(), step(x), all, corner, y.span().data(), step(y), all,
                                         d_square.data(), {taps, taps}, {filter_radius, filter_radius},
                                         NPP_BORDER_REPLICATE, how));
  });
}
#else
void time_npp(work&) {}
#endif

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  using namespace tutorial;
  return time_pictures(argc, argv, {2592, 16384}, 1, [](int side, csv_table& rows) {
    work w(side, rows);
    return time_parts<work>("time_filters", side, w, {{"ours", time_ours}, {"NPP", time_npp}});
  });
}
