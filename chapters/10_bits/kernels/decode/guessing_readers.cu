// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A thread reads each piece. The first guess is that a unit begins with the piece; later each begins where
// the one before it has ended. When nothing changes any more, all are right, because the first one is.
#include <utility>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "piece_reader.cuh"

namespace tutorial {
namespace {

constexpr int threads = 128, adding_threads = 1024;

// [guess]
/// ends[p] = where the reader of piece p ends if it begins at starts[p] = ends_before[p - 1].
__global__ void guessing_readers_kernel(const __grid_constant__ scan_bits scan, const scan_findings* findings,
                                        const unsigned* ends_before, unsigned* starts, unsigned* ends,
                                        piece_sums* sums, int* changed) {
  if (findings->markers < scan.intervals) return;  // a damaged file: an interval has no end
  const unsigned all = 8 * unsigned(scan.begins[scan.intervals]), size = scan.bits_in_piece();
  const unsigned p = blockIdx.x * blockDim.x + threadIdx.x, begin = p * size;
  if (begin >= all) return;
  const bool is_first_round = ends_before == nullptr;
  // Bits from `begin` on, place on the path, 8x8 block of the unit; all are 0 where a unit begins.
  const unsigned start = is_first_round || p == 0 ? 0 : ends_before[p - 1];
  if (!is_first_round && start == starts[p]) {  // unchanged
    ends[p] = ends_before[p];
    return;
  }
  reader_place at = reader_place::unpacked(start, begin);
  const unsigned end = min(begin + size, all);
  sums[p] = read_piece(scan, words_in_order{scan.words}, scan.tables, scan.of_unit, at, end);
  starts[p] = start;
  ends[p] = at.packed(end);
  atomicAdd(changed, 1);
}
// [guess]

/// of_groups[g] = the sums of group g: of the pieces of a block of threads.
__global__ void __launch_bounds__(threads)
    add_up_pieces_kernel(const __grid_constant__ scan_bits scan, const scan_findings* findings,
                         const piece_sums* sums, piece_sums* of_groups) {
  __shared__ piece_sums of_warps[threads / 32];
  if (findings->markers < scan.intervals) return;  // all threads
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_there = unsigned(p) * scan.bits_in_piece() < 8 * unsigned(scan.begins[scan.intervals]);
  piece_sums all;
  sums_before(is_there ? sums[p] : piece_sums{}, all, of_warps);
  if (threadIdx.x == 0) of_groups[blockIdx.x] = all;
}
__global__ void __launch_bounds__(adding_threads)
    add_up_groups_kernel(const __grid_constant__ scan_bits scan, const scan_findings* findings,
                         piece_sums* of_groups, int groups) {
  __shared__ piece_sums of_warps[adding_threads / 32];
  if (findings->markers < scan.intervals) return;  // all threads
  add_up_groups(of_groups, groups, of_warps);
}

}  // namespace

void read_by_guessing(const scan_bits& scan, int pieces, scan_findings* findings, found_pieces& found,
                      cudaStream_t stream) {
  const std::size_t count(pieces);
  const int groups = ceil_div(pieces, threads);
  found.in_group = threads;
  device_buffer<unsigned> before(count), after(count);
  device_buffer<int> changed(1);
  int changes = 1;
  for (bool is_first = true; changes > 0; is_first = false, std::swap(before, after)) {
    check(cudaMemsetAsync(changed.data(), 0, sizeof(int), stream));
    guessing_readers_kernel<<<unsigned(groups), threads, 0, stream>>>(
        scan, findings, is_first ? nullptr : before.data(), found.starts.data(), after.data(),
        found.sums.data(), changed.data());
    check(cudaGetLastError());
    check(cudaMemcpyAsync(&changes, changed.data(), sizeof(int), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
  }
  add_up_pieces_kernel<<<unsigned(groups), threads, 0, stream>>>(scan, findings, found.sums.data(),
                                                                 found.of_groups.data());
  check(cudaGetLastError());
  add_up_groups_kernel<<<1, adding_threads, 0, stream>>>(scan, findings, found.of_groups.data(), groups);
  check(cudaGetLastError());
}

}  // namespace tutorial
