// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Calls of the runtime that no version of this chapter needs: managed memory, functions of the host in a
// stream, and streams with a priority.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "12_there_and_back/host/chunk_filter.hpp"
#include "common/device/check.hpp"
#include "common/device/device_attribute.hpp"
#include "common/device/movement_counts.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/device/stream.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

constexpr std::size_t samples = 1000, taps = 5, outputs = samples + taps - 1, inputs = outputs + taps - 1;

/// Whole numbers, and their full convolution.
struct convolved {
  std::vector<float> x = random_whole_numbers<float>(samples, 1), h = random_whole_numbers<float>(taps, 2);
  std::vector<float> expected = std::vector<float>(outputs);
  convolved() { convolve_gather<float>(x, h, expected, convolution_mode::full); }
};

/// As cudaMemPrefetchAsync() was called before CUDA 13.
void prefetch(const void* pages, std::size_t bytes, int there, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  const auto type = there == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  check(cudaMemPrefetchAsync(pages, bytes, {type, std::max(there, 0)}, 0, stream));
#else
  check(cudaMemPrefetchAsync(pages, bytes, there, stream));
#endif
}

}  // namespace

TEST_CASE("managed memory: host and device use the same addresses, one after the other") {
  if (device_attribute(cudaDevAttrConcurrentManagedAccess) == 0) return;
  const convolved c;
  chunk_filter<float> filter(c.h, outputs);
  const stream work;
  std::vector<float> y;
  const auto moved = count_movements([&] {
    // [managed]
    float *in = nullptr, *out = nullptr;
    check(cudaMallocManaged(&in, inputs * sizeof(float)));
    check(cudaMallocManaged(&out, outputs * sizeof(float)));
    std::fill_n(in, inputs, 0.0f);          // ghosts
    std::ranges::copy(c.x, in + taps - 1);  // the host writes where the kernel reads
    prefetch(in, inputs * sizeof(float), 0, work);
    filter({in, inputs}, {out, outputs}, work);
    prefetch(out, outputs * sizeof(float), cudaCpuDeviceId, work);
    work.wait();  // before that, the host must not read
    y.assign(out, out + outputs);
    // [managed]
    check(cudaFree(in));
    check(cudaFree(out));
  });
  CHECK(y == c.expected);
  if (moved) CHECK(moved->bytes_up + moved->bytes_down == 0);  // pages are not counted
}

TEST_CASE("a function of the host runs when its chunk has arrived") {
  const auto [x, h, expected] = convolved();
  const signal_chunks all(samples, taps, convolution_mode::full, 100);
  chunk_slot<float> slot(h, all);
  const pinned_buffer<float> in{std::span<const float>(x)};
  pinned_buffer<float> out(outputs);
  std::vector<float> y;
  const stream work;
  // [host_function]
  struct arrival {
    std::span<const float> chunk;
    std::vector<float>* y;
  };
  const auto append = [](void* data) {  // runs in a thread of the runtime, and must not call the runtime
    const auto& [chunk, y] = *static_cast<const arrival*>(data);
    y->insert(y->end(), chunk.begin(), chunk.end());
  };
  std::vector<arrival> arrivals(all.count());  // must live until the stream has called all functions
  for (std::size_t c = 0; c < all.count(); ++c) {
    const signal_chunk chunk = all[c];
    bring<float>(chunk, in.span().data() + chunk.first_sample, slot.in, work);
    slot.filter(slot.in, slot.out, work);
    take<float>(chunk, slot.out, out.data() + chunk.first_output, work);
    arrivals[c] = {out.span().subspan(chunk.first_output, chunk.outputs), &y};
    check(cudaLaunchHostFunc(work, append, &arrivals[c]));
  }
  // [host_function]
  work.wait();
  CHECK(y == expected);
}

TEST_CASE("a priority orders nothing: who needs an order waits for an event") {
  // [priorities]
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest));  // 0 and -5 on an H200
  cudaStream_t patient = nullptr, urgent = nullptr;
  check(cudaStreamCreateWithPriority(&patient, cudaStreamNonBlocking, least));
  check(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
  // [priorities]
  CHECK(greatest < least);  // the smaller number goes first
  device_buffer<float> one(samples), other(samples);
  check(cudaDeviceSynchronize());  // what fills them is in the default stream
  const auto operations = list_movements([&] {
    check(cudaMemsetAsync(one.data(), 0, samples * sizeof(float), patient));
    check(cudaMemsetAsync(other.data(), 0, samples * sizeof(float), urgent));
    check(cudaDeviceSynchronize());
  });
  check(cudaStreamDestroy(patient));
  check(cudaStreamDestroy(urgent));
  if (!operations.empty()) CHECK(!operations.at(1).after.at(0));
}
