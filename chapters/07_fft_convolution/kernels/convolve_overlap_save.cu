// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Overlap-save: many transforms of one length, two samples in each of their complex numbers.
#include "convolve_overlap_save.hpp"

#include <thrust/transform.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "07_fft_convolution/costs.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "packed_product.cuh"
#include "scaled_product.cuh"

namespace tutorial {
namespace {

constexpr int threads_per_block = 256;
constexpr int elements_per_thread = 4;  // as many loads under way at once
constexpr int elements_per_block = threads_per_block * elements_per_thread;
constexpr int blocks_per_thread = 8;  // that meet the same frequency of the filter

/// Where a block is: those inside of the signal first, then the others, each in their order.
struct block_order {
  int inside_begin, inside;
  __host__ __device__ int slot(int block) const {
    if (block < inside_begin) return inside + block;
    return block < inside_begin + inside ? block - inside_begin : block;
  }
  /// The i-th of those that are not inside.
  __host__ __device__ int other(int i) const { return i < inside_begin ? i : i + inside; }
};

// [gather]
/// Blocks that reach beyond the signal: block b holds x[begin + b step + p], p in [0, length), zero where
/// there is none.
template <class T>
__global__ void gather_kernel(const T* __restrict__ x, int samples, int begin, int step, int length,
                              block_order order, int pieces, T* __restrict__ blocks) {
  const int block = order.other(blockIdx.x / pieces), piece = blockIdx.x % pieces;
  T* const to = blocks + std::int64_t{order.slot(block)} * length;
  const std::int64_t from = std::int64_t{begin} + std::int64_t{step} * block;
#pragma unroll
  for (int e = 0; e < elements_per_thread; ++e) {
    const int p = piece * elements_per_block + e * threads_per_block + threadIdx.x;
    if (p < length) to[p] = 0 <= from + p && from + p < samples ? x[from + p] : T{};
  }
}
// [gather]

// [scatter]
/// y[b step + p] = element overlap + p of block b, p in [0, step).
template <class T>
__global__ void scatter_kernel(const T* __restrict__ blocks, block_order order, int length, int overlap,
                               int step, int pieces, T* __restrict__ y, int outputs) {
  const int block = blockIdx.x / pieces, piece = blockIdx.x % pieces;
  const T* const from = blocks + std::int64_t{order.slot(block)} * length + overlap;
  const std::int64_t begin = std::int64_t{step} * block;
#pragma unroll
  for (int e = 0; e < elements_per_thread; ++e) {
    const int p = piece * elements_per_block + e * threads_per_block + threadIdx.x;
    if (p < step && begin + p < outputs) y[begin + p] = from[p];
  }
}
// [scatter]

/// to[0, size) = even taps, to[size, 2 size) = odd taps, zeros behind them; all times `scale`.
template <class T>
__global__ void split_taps_kernel(const T* h, int taps, T scale, T* to, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const std::int64_t tap = 2 * std::int64_t{i};
  to[i] = tap < taps ? scale * h[tap] : T{};
  to[size + i] = tap + 1 < taps ? scale * h[tap + 1] : T{};
}

/// Elements of p behind a boundary of 32 bytes.
template <class T>
int elements_past(const T* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) / sizeof(T) % overlap_save_alignment<T>);
}

}  // namespace

std::size_t one_block_length(std::size_t samples, std::size_t taps, convolution_mode mode) {
  const std::size_t first = first_output(samples, taps, mode), outputs = output_length(samples, taps, mode);
  // Zeros are needed before x or behind it, whichever is more: in a circle they are the same ones.
  return samples + std::max(taps - 1 - first, first + outputs - samples);
}

// [prepare]
template <class T>
overlap_save_convolver<T>::overlap_save_convolver(device_span<const T> h, std::size_t samples,
                                                  convolution_mode mode, std::size_t block) {
  constexpr std::int64_t alignment = overlap_save_alignment<T>;
  const std::size_t outputs = output_length(samples, h.size(), mode);
  if (block == 0) block = overlap_save_block(samples, h.size(), mode, element_type_of<T>());
  if (std::max(block, samples + h.size()) > longest_for_transforms)
    throw std::length_error(
        "too long for these transforms: signal, filter and block may have 2^30 samples at most");
  one_ = one_block_length(samples, h.size(), mode) <= block;
  if (block % 2 != 0 || (!one_ && block < shortest_block<T>(h.size())))
    throw std::invalid_argument("a block must be even, and longer than the filter: at least " +
                                std::to_string(shortest_block<T>(h.size())));
  samples_ = int(samples), taps_ = int(h.size()), outputs_ = int(outputs), length_ = int(block);
  first_ = int(first_output(samples, h.size(), mode));
  // The first taps - 1 outputs of a block are lost, and up to alignment - 1 more where x begins anywhere.
  step_ = one_ ? outputs_ : (length_ - (taps_ - 1) - int(alignment - 1)) / int(alignment) * int(alignment);
  blocks_ = one_ ? 1 : ceil_div(outputs_, step_);
  if (!one_) {
    // Block b begins at x[first - (taps - 1) - shift + b step], shift < alignment, and must end within x.
    const std::int64_t begin = std::int64_t{first_} - (taps_ - 1);
    inside_begin_ = int(std::min<std::int64_t>(blocks_, (-begin + alignment - 1 + step_ - 1) / step_));
    const std::int64_t last = samples_ - length_ - begin;
    inside_ = last < 0 ? 0 : int(std::min<std::int64_t>(blocks_, last / step_ + 1)) - inside_begin_;
    inside_ = std::max(inside_, 0);
  }

  const int size = length_ / 2, others = blocks_ - inside_;
  spectra_ = device_buffer<fft_complex<T>>(std::size_t(size) * blocks_);
  if (inside_ > 0) in_place_ = fft_plan<T>(fft_kind::complex, size, inside_, step_ / 2, size);
  if (others > 0) gathered_ = fft_plan<T>(fft_kind::complex, size, others, size, size);
  back_ = fft_plan<T>(fft_kind::complex, size, blocks_, size, size);
  work_area_ = device_buffer<unsigned char>(
      std::max({in_place_.work_bytes(), gathered_.work_bytes(), back_.work_bytes()}));
  if (inside_ > 0) in_place_.use(work_area_);
  if (others > 0) gathered_.use(work_area_);
  back_.use(work_area_);

  const int bins = size / 2 + 1;
  filter_plan_ = fft_plan<T>(fft_kind::real_to_complex, size, 2, size, bins);
  filter_work_area_ = device_buffer<unsigned char>(filter_plan_.work_bytes());
  filter_plan_.use(filter_work_area_);
  taps_split_ = device_buffer<T>(2 * std::size_t(size));
  filter_ = device_buffer<fft_complex<T>>(2 * std::size_t(bins));
  set_filter(h);
  check(cudaDeviceSynchronize());  // h may go away
}
// [prepare]

template <class T>
void overlap_save_convolver<T>::set_filter(device_span<const T> h, cudaStream_t stream) {
  if (h.size() != std::size_t(taps_)) throw std::invalid_argument("this object was made for other lengths");
  const int size = length_ / 2;
  // The transforms there and back multiply by M, and the spectra of even and odd samples are taken times 2.
  const T scale = T(1) / T(2 * size);
  split_taps_kernel<<<ceil_div(size, threads_per_block), threads_per_block, 0, stream>>>(
      h.data(), taps_, scale, taps_split_.data(), size);
  check(cudaGetLastError());
  filter_plan_.in(stream);
  filter_plan_.to_complex(taps_split_.data(), filter_.data());
}

// [convolve]
template <class T>
void overlap_save_convolver<T>::operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream,
                                           cudaEvent_t spectrum_made) {
  if (x.size() != std::size_t(samples_) || y.size() != std::size_t(outputs_))
    throw std::invalid_argument("this object was made for other lengths");
  for (fft_plan<T>* plan : {&in_place_, &gathered_, &back_}) plan->in(stream);
  const int size = length_ / 2, bins = size / 2 + 1, others = blocks_ - inside_;
  const block_order order{inside_begin_, inside_};
  // How much of a block is before its first output. A single block needs nothing there: see
  // one_block_length().
  const int overlap =
      one_ ? first_
           : taps_ - 1 +
                 (elements_past(x.data()) + (first_ - (taps_ - 1)) % overlap_save_alignment<T> +
                  overlap_save_alignment<T>) %
                     overlap_save_alignment<T>;
  const int begin = first_ - overlap;
  T* const blocks = reinterpret_cast<T*>(spectra_.data());
  fft_complex<T>* const spectra = spectra_.data();

  if (inside_ > 0) {
    const T* const inside = x.data() + begin + std::int64_t{step_} * inside_begin_;
    in_place_.complex(reinterpret_cast<const fft_complex<T>*>(inside), spectra, CUFFT_FORWARD);
  }
  if (others > 0) {
    const int pieces = ceil_div(length_, elements_per_block);
    gather_kernel<<<others * pieces, threads_per_block, 0, stream>>>(x.data(), samples_, begin, step_,
                                                                     length_, order, pieces, blocks);
    check(cudaGetLastError());
    fft_complex<T>* const gathered = spectra + std::int64_t{inside_} * size;
    gathered_.complex(gathered, gathered, CUFFT_FORWARD);
  }
  const dim3 grid(ceil_div(bins, threads_per_block), std::min(65535, ceil_div(blocks_, blocks_per_thread)));
  const auto* const filter = as_thrust<T>(filter_.data());
  if (spectrum_made != nullptr) check(cudaStreamWaitEvent(stream, spectrum_made));
  multiply_packed_kernel<<<grid, threads_per_block, 0, stream>>>(as_thrust<T>(spectra), blocks_, size, filter,
                                                                 filter + bins);
  check(cudaGetLastError());
  back_.complex(spectra, spectra, CUFFT_INVERSE);
  const int pieces = ceil_div(step_, elements_per_block);
  scatter_kernel<<<blocks_ * pieces, threads_per_block, 0, stream>>>(blocks, order, length_, overlap, step_,
                                                                     pieces, y.data(), outputs_);
  check(cudaGetLastError());
}
// [convolve]

template <class T>
void convolve_overlap_save(device_span<const T> x, device_span<const T> h, device_span<T> y,
                           convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  overlap_save_convolver<T> convolve(h, x.size(), mode);
  convolve(x, y);
  check(cudaDeviceSynchronize());  // what it works with goes away
}

template class overlap_save_convolver<float>;
template class overlap_save_convolver<double>;
template void convolve_overlap_save<float>(device_span<const float>, device_span<const float>,
                                           device_span<float>, convolution_mode);
template void convolve_overlap_save<double>(device_span<const double>, device_span<const double>,
                                            device_span<double>, convolution_mode);

}  // namespace tutorial
