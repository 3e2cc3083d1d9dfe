// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides what makes chapter 15's `from_next_door` slow. Its kernel looks for the owner of every sample in a
// table, loads each sample anew for each tap, and loads some from the memory of another device; its launches
// wait for events of the neighbors. Rows leave out one of these after the other ("kernel", "halo", "events").
// A second table follows a chain of loads, each with the address of the next, in memory of its own or of a
// neighbor, too long for the first cache. With one device only rows of one device are measured.
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "06_register_tiling/vectors.cuh"
#include "15_many_gpus/host/devices.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/inputs.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 128, side = 4;  // of a window: samples before and behind a thread's own

/// Where each part's samples are: part p owns x[first[p], first[p + 1]), from samples[p] on.
struct all_parts {
  int parts = 0;
  long long first[17] = {};
  const float* samples[16] = {};
};

/// Chapter 15's: looks for the owner of x[m].
__device__ float sample(const all_parts& x, int mine, long long m) {
  if (m < 0 || m >= x.first[x.parts]) return 0;
  int p = mine;
  while (m < x.first[p]) --p;
  while (m >= x.first[p + 1]) ++p;
  return x.samples[p][m - x.first[p]];
}

enum class search { each_sample, others_samples, edge_blocks, none };

/// Chapter 15's kernel where each sample is looked for. Else who needs no search loads from its own part:
/// samples that are seen to be its own, blocks that need no others, or all (the halo is in own memory then).
template <search Search>
__global__ void __launch_bounds__(threads) filter_kernel(const __grid_constant__ all_parts x, int mine,
                                                         const float* h, int taps, int right, float* y) {
  const long long begin = x.first[mine], end = x.first[mine + 1];
  const long long block = begin + (long long)blockIdx.x * threads, n = block + threadIdx.x;
  if (n >= end) return;
  bool inside = Search == search::none;
  if constexpr (Search == search::edge_blocks)
    inside = block - (taps - 1 - right) >= begin && block + threads + right <= end;
  float sum = 0;
  if (inside) {
    const float* const own = x.samples[mine] - begin;
    for (int k = 0; k < taps; ++k) sum += h[k] * own[n + right - k];
  } else {
    for (int k = 0; k < taps; ++k) {
      const long long m = n + right - k;
      if (Search == search::others_samples && begin <= m && m < end)
        sum += h[k] * x.samples[mine][m - begin];
      else
        sum += h[k] * sample(x, mine, m);
    }
  }
  y[n - begin] = sum;
}

/// No search, and a thread's 4 outputs have their samples in registers: 5 taps, whole tiles, aligned.
__global__ void __launch_bounds__(threads) window_kernel(const __grid_constant__ all_parts x, int mine,
                                                         const float* h, int taps, int right, float* y) {
  constexpr int width = vector_size<float>, size = 2 * side + width;
  const long long i = ((long long)blockIdx.x * threads + threadIdx.x) * width;
  float window[size], sum[width] = {};
#pragma unroll
  for (int j = 0; j < size; j += width) load_vector(window + j, x.samples[mine] + i - side + j);
#pragma unroll
  for (int j = -side; j <= side; ++j) {
    const int k = right - j;  // h[k] meets x[n + j]
    if (k < 0 || k >= taps) continue;
#pragma unroll
    for (int r = 0; r < width; ++r) sum[r] += h[k] * window[side + j + r];
  }
  store_vector(y + i, sum);
}

/// One thread follows a ring of addresses for `loads` loads.
__global__ void chain_kernel(const uint2* ring, int loads, unsigned* last) {
  unsigned at = 0;
  for (int i = 0; i < loads; ++i) at = ring[at].x;
  *last = at;
}

/// What a device has: its samples with a halo on both sides, its outputs, its taps.
struct part {
  part(int device, const std::vector<float>& with_halo, std::size_t halo, const std::vector<float>& taps)
      : device(device),
        memory(with_halo),
        y(with_halo.size() - 2 * halo),
        h(taps),
        own(memory.data() + halo) {}
  int device;
  device_buffer<float> memory, y, h;
  const float* own;  // its first sample
  stream work;
  event done;
};

struct parts {
  std::size_t samples;
  int taps, right;
  std::vector<std::unique_ptr<part>> all;
  all_parts others;            // the halo in the neighbor's memory
  std::vector<all_parts> own;  // and in its own
};

parts make_parts(const std::vector<float>& x, const std::vector<float>& h, int devices) {
  const int taps = int(h.size());
  parts made{x.size(), taps, (taps - 1) / 2, {}, {}, {}};
  const std::size_t halo = std::max<std::size_t>(whole_vectors<float>(taps), side);
  const std::size_t length = x.size() / std::size_t(devices);
  made.others.parts = devices;
  for (int p = 0; p < devices; ++p) {
    const current_device_guard at(p);
    const std::size_t begin = std::size_t(p) * length;
    std::vector<float> with_halo(length + 2 * halo);
    for (std::size_t i = 0; i < with_halo.size(); ++i)
      if (const std::size_t m = begin + i - halo; m < x.size())
        with_halo[i] = x[m];  // else it wraps, and is 0
    made.all.push_back(std::make_unique<part>(p, with_halo, halo, h));
    made.others.first[p] = (long long)begin;
    made.others.first[p + 1] = (long long)(begin + length);
    made.others.samples[p] = made.all.back()->own;
  }
  for (int p = 0; p < devices; ++p) {
    all_parts own = made.others;  // whoever owns a sample, it is taken from here
    for (int q = 0; q < devices; ++q)
      own.samples[q] = made.all[std::size_t(p)]->own + (own.first[q] - own.first[p]);
    made.own.push_back(own);
  }
  return made;
}

void wait_for_all(const parts& of) {
  for (const auto& each : of.all) {
    const current_device_guard at(each->device);
    each->work.wait();
  }
}

using kernel_function = void (*)(all_parts, int, const float*, int, int, float*);

/// One step on all devices, by one thread of the host, as chapter 15's version gives it to them.
template <class Launch>
void step(parts& of, bool events, const Launch& launch) {
  const int count = int(of.all.size());
  if (events)
    for (int p = 0; p < count; ++p) {
      const current_device_guard at(p);
      for (const int q : {p - 1, p + 1})  // once for what is read, once for what is overwritten
        for (int twice = 0; twice < 2; ++twice)
          if (0 <= q && q < count)
            check(cudaStreamWaitEvent(of.all[std::size_t(p)]->work, of.all[std::size_t(q)]->done));
    }
  for (int p = 0; p < count; ++p) {
    const current_device_guard at(p);
    launch(p, *of.all[std::size_t(p)]);
    check(cudaGetLastError());
    if (events) check(cudaEventRecord(of.all[std::size_t(p)]->done, of.all[std::size_t(p)]->work));
  }
}

/// Milliseconds of one of many calls in a row, by the wall clock, until all devices are done.
template <class Call, class Wait>
timing measure_calls(const control_rows& rows, const Call& call, const Wait& wait) {
  const auto group = [&](int calls) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() /
           calls;
  };
  group(1);
  const double one = group(rows.size(3, 1)), group_ms = rows.size(50.0, 0.1);
  const int calls = int(std::clamp(group_ms / one, 1.0, 10'000.0));
  std::vector<double> times(std::size_t(rows.size(7, 1)));
  for (double& each : times) each = group(calls);
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  return {median(times), *least, *most, int(times.size())};
}

struct what {
  std::string kernel, halo, events, memory;
  std::size_t samples;
  std::string taps;
  int devices;
};

/// Where it is a chain, `loads` is its length.
void add(control_rows& rows, const char* table, const what& of, const timing& time, double loads = 0) {
  rows.add({{"control", table},
            {"kernel", of.kernel},
            {"samples_in", of.memory},
            {"halo_in", of.halo},
            {"events", of.events},
            {"samples", std::to_string(of.samples)},
            {"taps", of.taps},
            {"devices", std::to_string(of.devices)}},
           time,
           {{"step_us", significant(1000 * time.median_ms, 5)},
            {"ns_a_load", loads == 0 ? "" : fixed(1e6 * time.median_ms / loads, 1)}});
}

void measure_steps(control_rows& rows, std::size_t samples, int devices) {
  const std::vector<float> x = random_whole_numbers<float>(samples), h = random_whole_numbers<float>(5, 99);
  std::vector<int> named;
  for (int p = 0; p < devices; ++p) named.push_back(p);
  const peer_access reach(named);
  if (!reach.complete()) throw std::runtime_error("these devices do not reach each other's memory");
  parts work = make_parts(x, h, devices);
  std::vector<float> first;
  const auto row = [&](const char* name, kernel_function kernel, bool next_door, bool events,
                       int outputs = 1) {
    const auto launch = [&](int p, part& at) {
      const unsigned blocks = unsigned(ceil_div(at.y.size(), std::size_t(threads * outputs)));
      kernel<<<blocks, threads, 0, at.work>>>(next_door ? work.others : work.own[std::size_t(p)], p,
                                              at.h.data(), work.taps, work.right, at.y.data());
    };
    std::vector<float> result;
    for (const auto& each : work.all) {
      const current_device_guard at(each->device);
      poison(each->y.span());
      check(cudaDeviceSynchronize());
    }
    step(work, events, launch);
    wait_for_all(work);
    for (const auto& each : work.all) {
      const current_device_guard at(each->device);
      const std::vector<float> y = each->y.to_host();
      result.insert(result.end(), y.begin(), y.end());
    }
    must_be_the_same(first, std::move(result), name);
    const timing time = measure_calls(
        rows, [&] { step(work, events, launch); }, [&] { wait_for_all(work); });
    add(rows, "steps",
        {name,
         devices == 1 ? ""
         : next_door  ? "next door"
                      : "own memory",
         events ? "yes" : "no", "own memory", samples, std::to_string(h.size()), devices},
        time);
  };
  row("search for each sample", filter_kernel<search::each_sample>, true, true);
  if (devices > 1) row("search for each sample", filter_kernel<search::each_sample>, true, false);
  if (devices > 1) row("search for each sample", filter_kernel<search::each_sample>, false, true);
  row("search for samples of others", filter_kernel<search::others_samples>, true, true);
  row("search in the blocks at the ends", filter_kernel<search::edge_blocks>, true, true);
  if (devices > 1) row("search in the blocks at the ends", filter_kernel<search::edge_blocks>, false, true);
  row("no search", filter_kernel<search::none>, false, true);
  row("no search, samples in registers", window_kernel, false, true, vector_size<float>);
}

/// A chain of `length` elements, 128 bytes apart, in an order that no hardware guesses.
void measure_chain(control_rows& rows, int length, int owner) {
  constexpr int apart = 128 / sizeof(uint2);
  const std::vector<int> both = {0, owner};
  const peer_access reach(both);
  std::vector<int> order(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) order[std::size_t(i)] = i;
  for (int i = length - 1; i > 0; --i)  // element 0 comes first in any order: the chain is a ring
    std::swap(order[std::size_t(i)],
              order[std::size_t(random_bits(1, std::uint64_t(i)) % std::uint64_t(i + 1))]);
  std::vector<uint2> ring(std::size_t(length) * apart);
  for (int i = 0; i < length; ++i)
    ring[std::size_t(order[std::size_t(i)]) * apart].x =
        unsigned(order[std::size_t((i + 1) % length)] * apart);
  device_buffer<unsigned> last(1);
  device_buffer<uint2> memory;
  {
    const current_device_guard at(owner);
    memory = device_buffer<uint2>(ring);
    check(cudaDeviceSynchronize());
  }
  check(cudaDeviceSynchronize());
  const stream work;
  const int loads = rows.size(std::max(length, 16'384), 64);
  const timing time = measure_calls(
      rows,
      [&] {
        chain_kernel<<<1, 1, 0, work>>>(memory.data(), loads, last.data());
        check(cudaGetLastError());
      },
      [&] { work.wait(); });
  add(rows, "chain",
      {"each load needs the last one", "", "", owner == 0 ? "own memory" : "next door", std::size_t(length),
       "", 1},
      time, loads);
}

void measure_all(control_rows& rows) {
  const int devices = std::min(device_count(), 2);
  measure_steps(rows, rows.size(std::size_t{1} << 28, std::size_t{4096}), devices);
  for (int owner = 0; owner < devices; ++owner) measure_chain(rows, rows.size(1 << 16, 128), owner);
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
