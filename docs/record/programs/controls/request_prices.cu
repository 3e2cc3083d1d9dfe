// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides what a load request of a warp costs a multiprocessor, in cycles: from L1 (LDG), shared memory (LDS)
// and constant memory (LDC, LDC.64, ULDC), and where lanes want several words. Loads with an addition each
// and little else; no load waits for another, so this is the rate at which requests are taken.
#include <algorithm>

#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/files/numbers.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256, blocks_per_multiprocessor = 8, most_words = 4096;
static __constant__ __align__(16) unsigned constant_words[most_words];
static __constant__ __align__(16) float constant_taps[most_words];

enum class memory { global, shared, constant, constant_pairs };

/// The sum of words[first + k], k = 0, Apart, 2 Apart, ... below `period`, `rounds` times. A lane's first
/// word is lane / share * step + shift.
template <memory Where, int Apart>
__global__ void __launch_bounds__(threads)
    request_kernel(const unsigned* __restrict__ words, int share, int step, int shift, int period, int rounds,
                   unsigned* __restrict__ out) {
  __shared__ unsigned staged[Where == memory::shared ? most_words : 1];
  if constexpr (Where == memory::shared) {
    for (int i = threadIdx.x; i < most_words; i += threads) staged[i] = words[i];
    __syncthreads();  // all words are there before any thread reads them
  }
  const int lane = threadIdx.x % 32, first = lane / share * step + shift;
  unsigned sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
#pragma unroll 16
    for (int k = 0; k < period; k += Apart) {
      if constexpr (Where == memory::global) sum += (words + first)[k];
      if constexpr (Where == memory::shared) sum += (staged + first)[k];
      if constexpr (Where == memory::constant) sum += (constant_words + first)[k];
      if constexpr (Where == memory::constant_pairs) {
        const uint2 pair = (reinterpret_cast<const uint2*>(constant_words) + first)[k];
        sum += pair.x + pair.y;
      }
    }
    sum = 31 * sum + r;  // so that no round can be left out
  }
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

/// sum of x h[k], k in [0, taps): the loop of 05's shared_loaded without its samples.
__global__ void __launch_bounds__(threads)
    uniform_kernel(float x, int taps, int rounds, float* __restrict__ out) {
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r, x *= 0.5f)
    for (int k = 0; k < taps; ++k) sum += constant_taps[k] * x;
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

struct work {
  control_rows& rows;
  device_buffer<unsigned> words;
  int blocks = rows.size(current_device().multiprocessors * blocks_per_multiprocessor, 1);
  double warps = double(blocks) * threads / 32;
};

/// How a lane's first word follows from its number.
struct pattern {
  const char* name;
  int share, step, shift;
};

template <memory Where, int Apart>
void measure_requests(work& w, const char* load, const pattern& lanes, int period, int of_a_gpu) {
  device_buffer<unsigned> out(std::size_t(w.blocks) * threads);
  const int rounds = w.rows.size(of_a_gpu, 1);
  w.rows.measure(
      {{"load", load}, {"lanes_want", lanes.name}, {"taps", ""}},
      [&](int) {
        request_kernel<Where, Apart><<<w.blocks, threads>>>(w.words.data(), lanes.share, lanes.step,
                                                            lanes.shift, period, rounds, out.data());
        check(cudaGetLastError());
      },
      [&](const timing& time) -> control_rows::cells {
        return {{"cycles", fixed(cycles_each(time, double(rounds) * (period / Apart) * w.warps), 2)}};
      });
}

void measure_uniform(work& w, int taps) {
  device_buffer<float> out(std::size_t(w.blocks) * threads);
  const int rounds = w.rows.size(16384 / taps, 1);
  w.rows.measure(
      {{"load", "ULDC"}, {"lanes_want", "one word"}, {"taps", std::to_string(taps)}},
      [&](int) {
        uniform_kernel<<<w.blocks, threads>>>(0.5f, taps, rounds, out.data());
        check(cudaGetLastError());
      },
      [&](const timing& time) -> control_rows::cells {
        return {{"cycles", fixed(cycles_each(time, double(taps) * rounds * w.warps), 2)}};
      });
}

void measure_all(control_rows& rows) {
  std::vector<unsigned> words(most_words);
  for (int i = 0; i < most_words; ++i) words[i] = 2654435761u * i;
  check(cudaMemcpyToSymbol(constant_words, words.data(), sizeof(constant_words)));
  const std::vector<float> taps(most_words, 0.25f);
  check(cudaMemcpyToSymbol(constant_taps, taps.data(), sizeof(constant_taps)));
  work w{rows, device_buffer<unsigned>(words)};

  const pattern one{"one word", 32, 1, 0}, neighbors{"32 words side by side", 1, 1, 0};
  const pattern shifted{"32 words side by side, in five sectors", 1, 1, 1};
  measure_requests<memory::global, 32>(w, "LDG", one, 2048, 512);
  measure_requests<memory::global, 32>(w, "LDG", neighbors, 2048, 512);
  measure_requests<memory::global, 32>(w, "LDG", shifted, 2048, 512);
  measure_requests<memory::shared, 32>(w, "LDS", one, 2048, 512);
  measure_requests<memory::shared, 32>(w, "LDS", neighbors, 2048, 512);
  measure_requests<memory::constant, 2>(w, "LDC", one, 64, 512);
  measure_requests<memory::constant, 2>(w, "LDC", {"2 words", 16, 64, 0}, 64, 128);
  measure_requests<memory::constant, 2>(w, "LDC", {"4 words", 8, 8, 0}, 64, 128);
  measure_requests<memory::constant, 2>(w, "LDC", {"8 words", 4, 8, 0}, 64, 128);
  measure_requests<memory::constant, 2>(w, "LDC", neighbors, 64, 64);
  measure_requests<memory::constant_pairs, 2>(w, "LDC.64", {"one pair", 32, 1, 0}, 64, 512);
  measure_requests<memory::constant_pairs, 2>(w, "LDC.64", {"4 pairs", 8, 4, 0}, 64, 128);
  measure_requests<memory::constant_pairs, 2>(w, "LDC.64", {"8 pairs", 4, 4, 0}, 64, 128);
  for (const int count : {64, 96, 128, 256, 1024, 4096}) measure_uniform(w, count);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
