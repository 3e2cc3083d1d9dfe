// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "13_one_pass/convolve_one_pass.hpp"
#include "13_one_pass/host/roots.hpp"
#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/one_pass_kernels.hpp"
#include "13_one_pass/kernels/passes.cuh"
#include "13_one_pass/kernels/segments.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

using C = float2;
using mistake = fused_mistake;

/// The roots of the other direction.
template <class Roots>
struct wrong_way {
  Roots right;
  template <int Stage, int J>
  __device__ auto get() const {
    return conjugate(right.template get<Stage, J>());
  }
};

template <mistake Made, class Roots>
__device__ void forward(C (&z)[16], const Roots& roots) {
  if constexpr (Made == mistake::sign_of_roots)
    forward_pass(z, wrong_way<Roots>{roots});
  else
    forward_pass(z, roots);
}

template <mistake Made>
constexpr int run = Made == mistake::no_padding      ? 0
                    : Made == mistake::wrong_padding ? 32
                                                     : 16;

template <int Run>
__device__ void put_slowly(C* numbers, int place, int stride, const C (&z)[16]) {
  for (int k = 0; k < 16; ++k) numbers[padded_place<Run>(place + stride * k)] = z[k];
}
template <int Run>
__device__ void take_slowly(const C* numbers, int place, int stride, C (&z)[16]) {
  for (int k = 0; k < 16; ++k) z[k] = numbers[padded_place<Run>(place + stride * k)];
}

/// The kernel of convolve_one_pass_block.cu, all of it in one place.
template <mistake Made>
__global__ void broken_fused_kernel(const __grid_constant__ segmented<float> all,
                                    const __grid_constant__ one_pass_tables<float> tables) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  C* const numbers = reinterpret_cast<C*>(shared_bytes);
  constexpr int overlap = fused_design.overlap, pad = run<Made>;
  const int t = threadIdx.x, u = t % 16, q = t / 16, pair = blockIdx.x;
  segment<float, 4096, overlap> a(all, 2 * pair), b(all, 2 * pair + 1);
  if (Made == mistake::overlap_one_short && pair > 0) ++a.begin;
  if (Made == mistake::overlap_one_short) ++b.begin;
  if (Made == mistake::no_history && pair == 0) a.begin += overlap;

  C z[16];
  for (int k = 0; k < 16; ++k) z[k] = {a.at(t + 256 * k), b.at(t + 256 * k)};
  forward<Made>(z, constant_roots<16>());
  put_slowly<pad>(numbers, t, 256, z);
  if (Made != mistake::no_first_barrier) __syncthreads();

  take_slowly<pad>(numbers, 256 * q + u, 16, z);
  forward<Made>(z, powers_of_root<16, C>(tables.second_forward + q, 16));
  put_slowly<pad>(numbers, 256 * q + u, 16, z);
  if (Made != mistake::no_warp_barrier) __syncwarp();
  take_slowly<pad>(numbers, 16 * t, 1, z);
  forward<Made>(z, powers_of_root<16, C>(tables.third_forward + t, 256));

  for (int i = 0; i < 16; ++i) {
    int p = 16 * t + i;  // the place of this number
    if (Made == mistake::natural_order) p = reversed(p, 12);
    if (Made == mistake::digits_reversed) p = reversed(p % 16 << 8 | (p >> 4 & 15) << 4 | p >> 8, 12);
    C h = tables.filter[filter_place<256>(p % 16, p / 16)];
    if (Made == mistake::conjugate_of_product) h.y = -h.y;
    if (Made == mistake::scale_forgotten) h = {4096 * h.x, 4096 * h.y};
    z[i] = product(z[i], h);
  }

  inverse_pass(z, constant_roots<16>());
  put_slowly<pad>(numbers, 16 * t, 1, z);
  if (Made != mistake::no_warp_barrier) __syncwarp();
  take_slowly<pad>(numbers, 256 * q + u, 16, z);
  inverse_pass(z, powers_of_root<16, C>(tables.second_back + (Made == mistake::roots_of_lane ? q : u), 16));
  put_slowly<pad>(numbers, 256 * q + u, 16, z);
  if (Made != mistake::no_second_barrier) __syncthreads();
  take_slowly<pad>(numbers, t, 256, z);
  inverse_pass(z, powers_of_root<16, C>(tables.third_back + t, 256));

  for (int k = 0; k < 16; ++k) {
    const int p = t + 256 * k;
    if (p < overlap) continue;
    if (Made == mistake::parts_exchanged) z[k] = {z[k].y, z[k].x};
    const bool everywhere = Made == mistake::end_not_checked;
    if (a.output + p < a.outputs || everywhere) a.y[a.output + p] = z[k].x;
    if (b.output + p < b.outputs || everywhere) b.y[b.output + p] = z[k].y;
  }
}

template <mistake Made>
void launch(const segmented<float>& all, const one_pass_tables<float>& tables) {
  constexpr int places = padded_place<run<Made>>(4096);
  broken_fused_kernel<Made><<<ceil_div(all.of_all, 2), 256, places * sizeof(C)>>>(all, tables);
  check(cudaGetLastError());
}

template <mistake... All>
void launch_one_of(mistake made, const segmented<float>& all, const one_pass_tables<float>& tables) {
  ((made == All ? launch<All>(all, tables) : void()), ...);
}

}  // namespace

void convolve_fused(fused_mistake made, device_span<const float> x, device_span<const float> h,
                    device_span<float> y, convolution_mode mode) {
  const int_sizes sizes = checked_int_sizes(x.size(), h.size(), y.size(), mode, 4 * 4096);
  const int segments = ceil_div(sizes.outputs, fused_design.outputs());
  const segmented<float> all{x.data(),    y.data(), sizes.samples, sizes.outputs,
                             sizes.first, segments, segments};
  const one_pass_memory<float> memory(fused_design);
  launch_one_pass_block_filter<float, 16>(h, memory.tables(), nullptr);
  using enum fused_mistake;
  launch_one_of<none, sign_of_roots, natural_order, digits_reversed, overlap_one_short, no_history,
                parts_exchanged, scale_forgotten, conjugate_of_product, roots_of_lane, end_not_checked,
                no_first_barrier, no_second_barrier, no_warp_barrier, no_padding, wrong_padding>(
      made, all, memory.tables());
  check(cudaDeviceSynchronize());  // the tables go away
}

std::size_t wrong_outputs(fused_mistake made) {
  const std::vector<float> x = random_signal<float>(5000), h = random_taps<float>(65);
  std::vector<float> right(5064);
  convolve_gather<float>(x, h, right, convolution_mode::full);
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> d_y(right.size());
  convolve_fused(made, d_x, d_h, d_y, convolution_mode::full);
  const double allowed = one_pass_rounding<float>(x, h, right, fused_design).each;
  return compare<float>(d_y.to_host(), right, std::vector<double>(right.size(), allowed)).mismatches;
}

std::vector<shown_mistake> shown_fused_mistakes() {
  using enum fused_mistake;
  return shown<fused_mistake>(
      wrong_outputs, {{no_first_barrier, "broken: no barrier after the first pass", "race"},
                      {no_second_barrier, "broken: no barrier before the last pass", "race"},
                      {no_warp_barrier, "broken: no __syncwarp() in the second exchange", "race"},
                      {end_not_checked, "broken: stores behind the end of y", "access out of bounds"}});
}

}  // namespace tutorial::broken
