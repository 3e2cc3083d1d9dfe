// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides two things about copies. Shares: does a copy that reads twice what it writes, as a decoder does,
// take as long as one that reads as much as it writes, by which chapter 09 sets its limit? One float: are
// block starts what keeps chapter 00's copy of one float a thread below the limit?
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/device.hpp"
#include "common/device/device_memory.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/inputs.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256;

/// Each thread reads Reads vectors of 16 bytes and writes Writes: as many bytes, or their exclusive or, or
/// twice.
template <int Reads, int Writes>
__global__ void __launch_bounds__(threads)
    vectors_kernel(const uint4* __restrict__ x, uint4* __restrict__ y) {
  const std::size_t block = std::size_t{blockIdx.x} * threads;
  uint4 v[Reads];
#pragma unroll
  for (int r = 0; r < Reads; ++r) v[r] = x[block * Reads + r * threads + threadIdx.x];
#pragma unroll
  for (int w = 0; w < Writes; ++w) {
    uint4 out = v[w % Reads];
    if constexpr (Writes < Reads)
      out = make_uint4(v[0].x ^ v[1].x, v[0].y ^ v[1].y, v[0].z ^ v[1].z, v[0].w ^ v[1].w);
    y[block * Writes + w * threads + threadIdx.x] = out;
  }
}

/// Loads floats a thread, until `size`, a multiple of what the grid copies in a turn. Where the grid grows
/// with the size, there is one turn.
template <int Loads>
__global__ void floats_kernel(const float* __restrict__ x, float* __restrict__ y, int size) {
  const int turn = gridDim.x * blockDim.x * Loads;
#pragma unroll 1
  for (int begin = blockIdx.x * blockDim.x * Loads + threadIdx.x; begin < size; begin += turn) {
    float v[Loads];
#pragma unroll
    for (int l = 0; l < Loads; ++l) v[l] = x[begin + l * blockDim.x];
#pragma unroll
    for (int l = 0; l < Loads; ++l) y[begin + l * blockDim.x] = v[l];
  }
}

std::string terabytes_per_second(double bytes, const timing& time) {
  return fixed(bytes / time.median_ms / 1e9, 3);
}

template <int Reads, int Writes>
void measure_share(control_rows& rows, int width) {
  const std::size_t bytes = std::size_t(width) * width * 3;
  const unsigned blocks = unsigned(ceil_div(bytes, std::size_t{16} * (Reads + Writes) * threads));
  const std::size_t vectors = std::size_t{blocks} * threads;
  std::vector<device_buffer<unsigned char>> x, y;
  for (int s = 0; s < rows.size(buffer_sets(bytes), 1); ++s) {
    x.emplace_back(vectors * Reads * 16);
    y.emplace_back(vectors * Writes * 16);
  }
  rows.measure(
      {{"control", "shares"},
       {"copy", std::to_string(Reads) + " read, " + std::to_string(Writes) + " written"},
       {"width", std::to_string(width)},
       {"blocks", std::to_string(blocks)}},
      [&](int i) {
        const std::size_t set = std::size_t(i) % x.size();
        vectors_kernel<Reads, Writes><<<blocks, threads>>>(reinterpret_cast<const uint4*>(x[set].data()),
                                                           reinterpret_cast<uint4*>(y[set].data()));
        check(cudaGetLastError());
      },
      [&](const timing& time) -> control_rows::cells {
        return {{"tb_per_s", terabytes_per_second(double(vectors) * 16 * (Reads + Writes), time)}};
      });
}

struct floats {
  device_buffer<float> x, y;
  std::vector<float> on_host;
};

template <int Loads>
void measure_floats(control_rows& rows, floats& f, const char* name, int blocks, int block) {
  const int size = int(f.x.size());
  const auto launch = [&](int) {
    floats_kernel<Loads><<<blocks, block>>>(f.x.data(), f.y.data(), size);
    check(cudaGetLastError());
  };
  poison(f.y.span());
  launch(0);
  must_be_the_same(f.on_host, f.y.to_host(), name);
  rows.measure({{"control", "one float"}, {"copy", name}, {"width", ""}, {"blocks", std::to_string(blocks)}},
               launch, [&](const timing& time) -> control_rows::cells {
                 return {{"tb_per_s", terabytes_per_second(2.0 * size * sizeof(float), time)}};
               });
}

/// Blocks of a grid that fills the device once: a power of two, so that each turn is whole.
template <int Loads>
int blocks_at_a_time() {
  int resident = 0, blocks = 1;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, floats_kernel<Loads>, threads, 0));
  while (blocks * 2 <= resident * current_device().multiprocessors) blocks *= 2;
  return blocks;
}

void measure_all(control_rows& rows) {
  for (const int width : {2592, 16384}) {
    const int used = rows.size(width, 128);
    measure_share<1, 1>(rows, used);
    measure_share<2, 1>(rows, used);
    measure_share<1, 2>(rows, used);
    if (rows.small()) break;
  }
  const int size = rows.size(1 << 28, 1 << 14);
  const auto turn = [&](int blocks) { return rows.size(blocks, 4); };
  floats f;
  f.on_host = random_signal<float>(std::size_t(size));
  f.x = device_buffer<float>(f.on_host);
  f.y = device_buffer<float>(f.on_host.size());
  measure_floats<1>(rows, f, "1 float a thread, blocks of 256", size / 256, 256);
  measure_floats<1>(rows, f, "1 float a thread, blocks of 1024", size / 1024, 1024);
  measure_floats<4>(rows, f, "4 floats a thread, blocks of 256", size / 4 / 256, 256);
  measure_floats<1>(rows, f, "1 float a turn, a grid that loops", turn(blocks_at_a_time<1>()), 256);
  measure_floats<4>(rows, f, "4 floats a turn, a grid that loops", turn(blocks_at_a_time<4>()), 256);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
