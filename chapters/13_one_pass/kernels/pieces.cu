// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Each part of convolve_one_pass_block.cu by itself.
#include "13_one_pass/kernels/pieces.hpp"

#include <cmath>
#include <complex>
#include <stdexcept>

#include "13_one_pass/host/roots.hpp"
#include "13_one_pass/kernels/exchange.cuh"
#include "13_one_pass/kernels/passes.cuh"
#include "13_one_pass/kernels/transform_inside.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"

namespace tutorial {
namespace {

/// a[i] and b[i] = what butterfly() makes of them with w[i], i < count, one thread each.
template <class C>
__global__ void butterflies_kernel(C* a, C* b, const C* w, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  C sum = a[i], difference = b[i];
  butterfly(sum, difference, w[i]);
  a[i] = sum, b[i] = difference;
}

/// One thread. Without a table: the first pass.
template <int R, class C>
__global__ void pass_kernel(C* x, const C* table, bool forward) {
  C z[R];
  for (int k = 0; k < R; ++k) z[k] = x[k];
  if (table == nullptr && forward) forward_pass(z, constant_roots<R>());
  if (table == nullptr && !forward) inverse_pass(z, constant_roots<R>());
  if (table != nullptr && forward) forward_pass(z, powers_of_root<R, C>(table, 1));
  if (table != nullptr && !forward) inverse_pass(z, powers_of_root<R, C>(table, 1));
  for (int k = 0; k < R; ++k) x[k] = z[k];
}

// [exchange]
/// taken[16 t + k] = the k-th number that thread t takes.
template <int Run>
__global__ void exchange_kernel(const float2* x, float2* taken) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  float2* const numbers = reinterpret_cast<float2*>(shared_bytes);
  const int t = threadIdx.x, u = t % 16, q = t / 16;
  float2 z[16];
  for (int k = 0; k < 16; ++k) z[k] = x[256 * q + u + 16 * k];
  for (int k = 0; k < 16; ++k) numbers[padded_place<Run>(256 * q + u + 16 * k)] = z[k];
  __syncwarp();  // between what 16 threads have put and what they take from each other
  for (int k = 0; k < 16; ++k) z[k] = numbers[padded_place<Run>(16 * t + k)];
  for (int k = 0; k < 16; ++k) taken[16 * t + k] = z[k];
}
// [exchange]

/// x = its transform of 256 * R numbers, or the way back, in the order of run_transform(); one block.
template <int R, class T>
__global__ void __launch_bounds__(threads_of_transform)
    transform_kernel(complex_pair<T>* x, const __grid_constant__ one_pass_tables<T> tables, bool forward) {
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  auto* const numbers = reinterpret_cast<complex_pair<T>*>(shared_bytes);
  const int t = threadIdx.x;
  complex_pair<T> z[R];
  if (forward) {
    for (int k = 0; k < R; ++k) z[k] = x[t + 256 * k];
    forward_pass(z, constant_roots<R>());
    put<16, 256>(numbers, t, z);
    __syncthreads();  // between what all threads have put and what each takes from the others
  }
  for (int group = 0; group < R / 16; ++group) {
    complex_pair<T> inner[16];
    complex_pair<T>* const row = x + 16 * (256 * group + t);  // 16 (16 q + u) + k
    if (forward) {
      forward_inside<R>(numbers, tables, threadIdx.x / 16 + 16 * group, threadIdx.x % 16, inner);
      for (int k = 0; k < 16; ++k) row[k] = inner[k];
    } else {
      for (int k = 0; k < 16; ++k) inner[k] = row[k];
      inverse_inside(numbers, tables, threadIdx.x / 16 + 16 * group, threadIdx.x % 16, inner);
    }
  }
  if (forward) return;
  __syncthreads();  // as above
  take<16, 256>(numbers, t, z);
  inverse_pass(z, powers_of_root<R, complex_pair<T>>(tables.third_back + t, 256));
  for (int k = 0; k < R; ++k) x[t + 256 * k] = z[k];
}

template <int R, class T>
void run_transform_of(device_buffer<complex_pair<T>>& x, const one_pass_tables<T>& tables, bool forward) {
  const auto kernel = transform_kernel<R, T>;
  constexpr int bytes = places_of_block<R> * sizeof(complex_pair<T>);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<1, threads_of_transform, bytes>>>(x.data(), tables, forward);
}

template <int Run>
void launch_exchange(const device_buffer<float2>& x, device_buffer<float2>& taken) {
  exchange_kernel<Run><<<1, 256, padded_place<Run>(4096) * sizeof(float2)>>>(x.data(), taken.data());
}

}  // namespace

template <class T>
void run_butterflies(complex_numbers<T>& a, complex_numbers<T>& b, const complex_numbers<T>& w) {
  device_buffer<complex_pair<T>> d_a(a), d_b(b);
  const device_buffer<complex_pair<T>> d_w(w);
  const int count = int(a.size());
  butterflies_kernel<<<ceil_div(count, 128), 128>>>(d_a.data(), d_b.data(), d_w.data(), count);
  check(cudaGetLastError());
  a = d_a.to_host(), b = d_b.to_host();
}

template <class T>
void run_pass(complex_numbers<T>& x, bool forward, double turns) {
  using C = complex_pair<T>;
  std::vector<C> powers;
  for (int power = 1; power < int(x.size()); power *= 4) {
    const std::complex<double> root = root_of_unity(std::lround(turns * power * 65536), 65536);
    powers.push_back({T(root.real()), T(root.imag())});
  }
  const device_buffer<C> d_powers(powers);
  device_buffer<C> d_x(x);
  const C* const table = turns == 0 ? nullptr : d_powers.data();
  switch (x.size()) {
    case 4:
      pass_kernel<4><<<1, 1>>>(d_x.data(), table, forward);
      break;
    case 16:
      pass_kernel<16><<<1, 1>>>(d_x.data(), table, forward);
      break;
    case 32:
      pass_kernel<32><<<1, 1>>>(d_x.data(), table, forward);
      break;
    default:
      throw std::invalid_argument("a pass has 4, 16 or 32 numbers");
  }
  check(cudaGetLastError());
  x = d_x.to_host();
}

std::vector<float2> run_exchange(const std::vector<float2>& numbers, exchange_padding padding) {
  if (numbers.size() != 4096) throw std::invalid_argument("the exchange has 4,096 numbers");
  const device_buffer<float2> x(numbers);
  device_buffer<float2> taken(numbers.size());
  if (padding == exchange_padding::none)
    launch_exchange<0>(x, taken);
  else if (padding == exchange_padding::one_in_17)
    launch_exchange<16>(x, taken);
  else
    launch_exchange<32>(x, taken);
  check(cudaGetLastError());
  return taken.to_host();
}

template <class T>
complex_numbers<T> run_transform(const one_pass_design& design, const complex_numbers<T>& x, bool forward) {
  if (design.in_a_warp || x.size() != std::size_t(design.length))
    throw std::invalid_argument("a block's transform has as many numbers as its design");
  const one_pass_memory<T> memory(design);
  device_buffer<complex_pair<T>> d_x(x);
  if (design.radix() == 16) run_transform_of<16, T>(d_x, memory.tables(), forward);
  if constexpr (sizeof(T) == 4)
    if (design.radix() == 32) run_transform_of<32, T>(d_x, memory.tables(), forward);
  check(cudaGetLastError());
  return d_x.to_host();
}

#define TUTORIAL_INSTANTIATE_PIECES(T)                                                                   \
  template void run_butterflies<T>(complex_numbers<T>&, complex_numbers<T>&, const complex_numbers<T>&); \
  template void run_pass<T>(complex_numbers<T>&, bool, double);                                          \
  template complex_numbers<T> run_transform<T>(const one_pass_design&, const complex_numbers<T>&, bool)
TUTORIAL_INSTANTIATE_PIECES(float);
TUTORIAL_INSTANTIATE_PIECES(double);
#undef TUTORIAL_INSTANTIATE_PIECES

}  // namespace tutorial
