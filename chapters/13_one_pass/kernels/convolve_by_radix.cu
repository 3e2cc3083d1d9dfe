// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One kernel as one would write it first: between two passes all numbers are in shared memory, and all
// threads wait for each other. A thread takes 2, 4 or 16 numbers at a time: 12, 6 or 3 passes each way.
#include "13_one_pass/kernels/convolve_by_radix.hpp"

#include <complex>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "13_one_pass/host/roots.hpp"
#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/passes.cuh"
#include "13_one_pass/kernels/segments.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256, length = radix_length, per_thread = length / threads_per_block;
static_assert(length == 1 << 12 && length % threads_per_block == 0, "12 stages, and no thread is left over");

// [roots]
/// From a table of all exp(2 pi i j / length). The turns of a pass are turns / (length / unit R).
template <int R, class C>
struct roots_of_all {
  const C* all;
  int turns, unit;
  template <int Stage, int J>
  __device__ __forceinline__ C get() const {
    return __ldg(all + turns * (unit >> (Stage + 1)) + J * (length >> (Stage + 1)));
  }
};
// [roots]

// [pass]
/// One pass of all threads over numbers that are `stride` apart, R of them at a time.
template <int R, int Run, bool Forward, class C>
__device__ void pass(C* numbers, const C* roots, int stride) {
  const int block = R * stride;
  for (int i = threadIdx.x; i < length / R; i += threads_per_block) {
    const int which = i / stride, u = i % stride, place = which * block + u;
    C z[R];
#pragma unroll
    for (int k = 0; k < R; ++k) z[k] = numbers[padded_place<Run>(place + stride * k)];
    if constexpr (Forward) {
      // `which`, reversed in as many bits as count the blocks: length / block is 2 to the power of that.
      const int turns = int(std::uint64_t{__brev(unsigned(which))} * unsigned(length / block) >> 32);
      forward_pass(z, roots_of_all<R, C>{roots, turns, block});
    } else {
      inverse_pass(z, roots_of_all<R, C>{roots, u, length / stride});
    }
#pragma unroll
    for (int k = 0; k < R; ++k) numbers[padded_place<Run>(place + stride * k)] = z[k];
  }
  __syncthreads();  // between what this pass has put and what the next one takes
}
// [pass]

// [kernel]
/// As one_pass_block_kernel. The first pass, the product and the last pass take their numbers from shared
/// memory, too.
template <int R, int Run>
__global__ void __launch_bounds__(threads_per_block)
    convolve_by_radix_kernel(const __grid_constant__ segmented<float> all, const float2* roots,
                             const float2* filter) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  float2* const numbers = reinterpret_cast<float2*>(shared_bytes);
  const int t = threadIdx.x, pair = blockIdx.x;
  const segment<float, length, radix_overlap> a(all, 2 * pair), b(all, 2 * pair + 1);

  float2 x[per_thread];
  load_segments<threads_per_block, loads::alone>(x, a, b, t);
#pragma unroll
  for (int k = 0; k < per_thread; ++k) numbers[padded_place<Run>(t + threads_per_block * k)] = x[k];
  __syncthreads();  // between what all threads have put and what each takes from the others
  for (int stride = length / R; stride >= 1; stride /= R) pass<R, Run, true>(numbers, roots, stride);
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int p = t + threads_per_block * k;
    numbers[padded_place<Run>(p)] = product(numbers[padded_place<Run>(p)], __ldg(filter + p));
  }
  __syncthreads();  // as above
  for (int stride = 1; stride < length; stride *= R) pass<R, Run, false>(numbers, roots, stride);
#pragma unroll
  for (int k = 0; k < per_thread; ++k) x[k] = numbers[padded_place<Run>(t + threads_per_block * k)];
  store_segments<threads_per_block, radix_overlap>(x, a, b, t);
}
// [kernel]

/// filter[p] = the spectrum of the taps at place p, times 1 / length.
__global__ void __launch_bounds__(threads_per_block)
    radix_filter_kernel(const float* h, int taps, const float2* roots, float2* filter) {
  __shared__ float2 numbers[length];
  for (int p = threadIdx.x; p < length; p += threads_per_block)
    numbers[p] = {p < taps ? h[p] / float(length) : 0.0f, 0.0f};
  __syncthreads();  // between what all threads have put and what each takes from the others
  for (int stride = length / 4; stride >= 1; stride /= 4) pass<4, 0, true>(numbers, roots, stride);
  for (int p = threadIdx.x; p < length; p += threads_per_block) filter[p] = numbers[p];
}

template <int R, int Run>
void launch(const segmented<float>& all, const float2* roots, const float2* filter) {
  const auto kernel = convolve_by_radix_kernel<R, Run>;
  kernel<<<ceil_div(all.of_all, 2), threads_per_block, padded_place<Run>(length) * sizeof(float2)>>>(
      all, roots, filter);
  check(cudaGetLastError());
}

}  // namespace

radix_convolver::radix_convolver(device_span<const float> h, std::size_t samples, convolution_mode mode,
                                 radix_passes passes)
    : passes_(passes) {
  if (h.size() > radix_overlap + 1) throw std::invalid_argument("these segments take 1,025 taps at most");
  const int_sizes sizes =
      checked_int_sizes(samples, h.size(), output_length(samples, h.size(), mode), mode, 4 * length);
  const int segments = ceil_div(sizes.outputs, length - radix_overlap);
  segments_ = {nullptr, nullptr, sizes.samples, sizes.outputs, sizes.first, segments, segments};
  std::vector<float2> roots;
  for (int j = 0; j < length; ++j) {
    const std::complex<double> root = root_of_unity(j, length);
    roots.push_back({float(root.real()), float(root.imag())});
  }
  roots_ = device_buffer<float2>(roots);
  filter_ = device_buffer<float2>(std::size_t{length});
  radix_filter_kernel<<<1, threads_per_block>>>(h.data(), sizes.taps, roots_.data(), filter_.data());
  check(cudaGetLastError());
}

void radix_convolver::operator()(device_span<const float> x, device_span<float> y) const {
  if (x.size() != std::size_t(segments_.samples) || y.size() != std::size_t(segments_.outputs))
    throw std::invalid_argument("this object was made for other lengths");
  segmented<float> all = segments_;
  all.x = x.data(), all.y = y.data();
  switch (passes_) {
    case radix_passes::of_2:
      return launch<2, 0>(all, roots_.data(), filter_.data());
    case radix_passes::of_4:
      return launch<4, 0>(all, roots_.data(), filter_.data());
    case radix_passes::of_16:
      return launch<16, 0>(all, roots_.data(), filter_.data());
    case radix_passes::of_16_padded:
      return launch<16, 16>(all, roots_.data(), filter_.data());
  }
}

}  // namespace tutorial
