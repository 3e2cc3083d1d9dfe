// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <algorithm>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "12_there_and_back/host/chunks.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/device/stream.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

using enum journey_mistake;

constexpr int threads_per_block = 64;

/// out[j] = sum over k of h[k] in[taps - 1 + j - k]
__global__ void broken_chunk_kernel(const float* in, const float* h, int taps, float* out, int outputs) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= outputs) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += h[k] * in[taps - 1 + j - k];
  out[j] = sum;
}

struct buffer {
  explicit buffer(const signal_chunks& all) : in(all.inputs()), out(all.outputs()) {}
  device_buffer<float> in, out;
  event brought, computed, taken;
};

void copy_up(journey_mistake made, const signal_chunk& chunk, std::size_t taps, const float* x,
             device_span<float> in, cudaStream_t up) {
  std::size_t skipped = made == history_one_short && chunk.ghosts == 0 ? 1 : 0;
  const std::size_t behind = chunk.ghosts + chunk.samples;
  if (made == no_history && chunk.ghosts < taps - 1) skipped = taps - 1 - chunk.ghosts;
  skipped = std::min(skipped, chunk.samples);
  const std::size_t zeros = chunk.ghosts + skipped;
  if (made != ghosts_not_zero) check(cudaMemsetAsync(in.data(), 0, zeros * sizeof(float), up));
  check(cudaMemcpyAsync(in.data() + zeros, x + chunk.first_sample + skipped,
                        (chunk.samples - skipped) * sizeof(float), cudaMemcpyHostToDevice, up));
  if (behind < in.size())
    check(cudaMemsetAsync(in.data() + behind, 0, (in.size() - behind) * sizeof(float), up));
}

}  // namespace

void convolve_there_and_back(journey_mistake made, std::span<const float> x, std::span<const float> h,
                             std::span<float> y, convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const signal_chunks all(x.size(), h.size(), mode, 64);
  const pinned_buffer<float> from(x);
  pinned_buffer<float> to{std::span<const float>(y)};
  const device_buffer<float> taps(h);
  std::vector<buffer> ring;
  for (int i = 0; i < 2; ++i) ring.emplace_back(all);
  check(cudaDeviceSynchronize());
  const stream up, compute, down;
  const cudaStream_t kernels = made == default_stream ? nullptr : static_cast<cudaStream_t>(compute);
  for (std::size_t c = 0; c < all.count(); ++c) {
    const signal_chunk chunk = all[c];
    buffer& b = ring[c % ring.size()];
    if (made != reused_early) check(cudaStreamWaitEvent(up, b.computed));
    copy_up(made, chunk, h.size(), from.span().data(), b.in, up);
    check(cudaEventRecord(b.brought, up));

    if (made != lost_event) check(cudaStreamWaitEvent(compute, b.brought));
    check(cudaStreamWaitEvent(compute, b.taken));
    const int outputs = static_cast<int>(all.outputs());
    broken_chunk_kernel<<<ceil_div(outputs, threads_per_block), threads_per_block, 0, kernels>>>(
        b.in.data(), taps.data(), static_cast<int>(h.size()), b.out.data(), outputs);
    check(cudaGetLastError());
    check(cudaEventRecord(b.computed, compute));

    check(cudaStreamWaitEvent(down, b.computed));
    std::size_t first = chunk.first_output;
    if (made == short_chunk_first && chunk.outputs < all.outputs() && c > 0) first = y.size() - all.outputs();
    check(cudaMemcpyAsync(to.data() + first, b.out.data(), chunk.outputs * sizeof(float),
                          cudaMemcpyDeviceToHost, down));
    check(cudaEventRecord(b.taken, down));
  }
  down.wait();
  check(cudaDeviceSynchronize());
  std::copy_n(to.data(), y.size(), y.data());
}

std::vector<shown_mistake> shown_journey_mistakes() {
  const char* const unordered = "nothing orders two operations on the same memory";
  return shown<journey_mistake>(
      wrong_outputs,
      {{lost_event, "broken: the kernel does not wait for the copy up", unordered},
       {reused_early, "broken: a buffer is filled again while a kernel reads it", unordered},
       {default_stream, "broken: the kernel is not in the stream that the events are in", unordered}});
}

std::size_t wrong_outputs(journey_mistake made) {
  const std::vector<float> x = random_whole_numbers<float>(1001, 1), h = random_whole_numbers<float>(9, 2);
  std::vector<float> y(x.size()), expected(x.size());
  convolve_there_and_back(made, x, h, y, convolution_mode::same);
  convolve_gather<float>(x, h, expected, convolution_mode::same);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) wrong += y[i] != expected[i];
  return wrong;
}

}  // namespace tutorial::broken
