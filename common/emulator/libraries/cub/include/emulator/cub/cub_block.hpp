// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// CUB's collectives of blocks and warps. Values go through the temporary storage in shared memory:
// using it for two things without a barrier between them is a race that is found.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "emulator/threads/synchronization.hpp"

#define EMULATOR_MEMBER inline __attribute__((always_inline, artificial))

namespace cub {

struct Sum {
  template <class T, class U>
  constexpr auto operator()(const T& a, const U& b) const {
    return a + b;
  }
};
struct Max {
  template <class T, class U>
  constexpr std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T, class U>
  constexpr std::common_type_t<T, U> operator()(const T& a, const U& b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <class T, class U>
  constexpr bool operator()(const T& a, const U& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T, class U>
  constexpr bool operator()(const T& a, const U& b) const {
    return a != b;
  }
};

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {

/// Room for values whose constructors do not run, as in all shared memory.
template <class T, int Count>
struct storage {
  alignas(T) unsigned char bytes[Count * sizeof(T)];
  T* values() { return reinterpret_cast<T*>(bytes); }
};

/// The thread's number in a block of X x Y x Z.
template <int X, int Y, int Z>
EMULATOR_MEMBER int thread_of_block() {
  if (blockDim.x != X || blockDim.y != Y || blockDim.z != Z)
    ::cuda_emulator::refuse_in_kernel(
        "a collective of CUB for blocks of another size",
        "Its template arguments say how many threads a block has: the launch must say "
        "the same.");
  return static_cast<int>(threadIdx.x + X * (threadIdx.y + Y * threadIdx.z));
}

}  // namespace detail

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
 public:
  using TempStorage = detail::storage<T, X * Y * Z>;
  EMULATOR_MEMBER explicit BlockReduce(TempStorage& temp) : values_(temp.values()) {}

  /// The result is thread 0's alone.
  template <class Op>
  EMULATOR_MEMBER T Reduce(T input, Op op, int valid) {
    const int thread = detail::thread_of_block<X, Y, Z>();
    values_[thread] = input;
    __syncthreads();
    T result = input;
    if (thread == 0)
      for (int i = 1; i < valid; ++i) result = op(result, values_[i]);
    return result;
  }
  template <class Op>
  EMULATOR_MEMBER T Reduce(T input, Op op) {
    return Reduce(input, op, X * Y * Z);
  }
  template <class Op, int Items>
  EMULATOR_MEMBER T Reduce(T (&items)[Items], Op op) {
    T own = items[0];
    for (int i = 1; i < Items; ++i) own = op(own, items[i]);
    return Reduce(own, op);
  }
  EMULATOR_MEMBER T Sum(T input) { return Reduce(input, ::cub::Sum()); }
  EMULATOR_MEMBER T Sum(T input, int valid) { return Reduce(input, ::cub::Sum(), valid); }
  template <int Items>
  EMULATOR_MEMBER T Sum(T (&items)[Items]) {
    return Reduce(items, ::cub::Sum());
  }

 private:
  T* values_;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
 public:
  using TempStorage = detail::storage<T, X * Y * Z>;
  EMULATOR_MEMBER explicit BlockScan(TempStorage& temp) : values_(temp.values()) {}

  template <class Op>
  EMULATOR_MEMBER void InclusiveScan(T input, T& output, Op op) {
    const int thread = scan(input, op);
    output = values_[thread];
  }
  template <class Op>
  EMULATOR_MEMBER void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    InclusiveScan(input, output, op);
    aggregate = values_[X * Y * Z - 1];
  }
  /// Without a first value, thread 0 gets none.
  template <class Op>
  EMULATOR_MEMBER void ExclusiveScan(T input, T& output, Op op) {
    const int thread = scan(input, op);
    if (thread > 0) output = values_[thread - 1];
  }
  template <class Op>
  EMULATOR_MEMBER void ExclusiveScan(T input, T& output, T first, Op op) {
    const int thread = scan(input, op);
    output = thread > 0 ? static_cast<T>(op(first, values_[thread - 1])) : first;
  }
  template <class Op>
  EMULATOR_MEMBER void ExclusiveScan(T input, T& output, T first, Op op, T& aggregate) {
    ExclusiveScan(input, output, first, op);
    aggregate = values_[X * Y * Z - 1];
  }
  EMULATOR_MEMBER void InclusiveSum(T input, T& output) { InclusiveScan(input, output, ::cub::Sum()); }
  EMULATOR_MEMBER void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, ::cub::Sum(), aggregate);
  }
  EMULATOR_MEMBER void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), ::cub::Sum()); }
  EMULATOR_MEMBER void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T(), ::cub::Sum(), aggregate);
  }

  // Several items of each thread, one behind the other.
  template <int Items, class Op>
  EMULATOR_MEMBER void InclusiveScan(T (&input)[Items], T (&output)[Items], Op op) {
    T all = input[0];
    for (int i = 1; i < Items; ++i) all = op(all, input[i]);
    const int thread = scan(all, op);
    for (int i = 0; i < Items; ++i) {
      const T own = input[i];
      if (i > 0)
        output[i] = op(output[i - 1], own);
      else
        output[i] = thread > 0 ? static_cast<T>(op(values_[thread - 1], own)) : own;
    }
  }
  template <int Items, class Op>
  EMULATOR_MEMBER void ExclusiveScan(T (&input)[Items], T (&output)[Items], T first, Op op) {
    T all = input[0];
    for (int i = 1; i < Items; ++i) all = op(all, input[i]);
    const int thread = scan(all, op);
    T before = thread > 0 ? static_cast<T>(op(first, values_[thread - 1])) : first;
    for (int i = 0; i < Items; ++i) {
      const T own = input[i];
      output[i] = before;
      before = op(before, own);
    }
  }
  template <int Items>
  EMULATOR_MEMBER void InclusiveSum(T (&input)[Items], T (&output)[Items]) {
    InclusiveScan(input, output, ::cub::Sum());
  }
  template <int Items>
  EMULATOR_MEMBER void InclusiveSum(T (&input)[Items], T (&output)[Items], T& aggregate) {
    InclusiveScan(input, output, ::cub::Sum());
    aggregate = values_[X * Y * Z - 1];
  }
  template <int Items>
  EMULATOR_MEMBER void ExclusiveSum(T (&input)[Items], T (&output)[Items]) {
    ExclusiveScan(input, output, T(), ::cub::Sum());
  }
  template <int Items>
  EMULATOR_MEMBER void ExclusiveSum(T (&input)[Items], T (&output)[Items], T& aggregate) {
    ExclusiveScan(input, output, T(), ::cub::Sum());
    aggregate = values_[X * Y * Z - 1];
  }

 private:
  // values_[i] becomes the result of threads 0 to i.
  template <class Op>
  EMULATOR_MEMBER int scan(T input, Op op) {
    const int thread = detail::thread_of_block<X, Y, Z>();
    values_[thread] = input;
    __syncthreads();
    if (thread == 0)
      for (int i = 1; i < X * Y * Z; ++i) values_[i] = op(values_[i - 1], values_[i]);
    __syncthreads();
    return thread;
  }

  T* values_;
};

template <class T, int X, int Items, BlockLoadAlgorithm How = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int = 0>
class BlockLoad {
 public:
  struct TempStorage {};
  EMULATOR_MEMBER BlockLoad() {}
  EMULATOR_MEMBER explicit BlockLoad(TempStorage&) {}

  template <class From>
  EMULATOR_MEMBER void Load(From from, T (&items)[Items]) {
    Load(from, items, X * Y * Z * Items);
  }
  template <class From>
  EMULATOR_MEMBER void Load(From from, T (&items)[Items], int valid) {
    const int thread = detail::thread_of_block<X, Y, Z>();
    for (int i = 0; i < Items; ++i) {
      const int at = How == BLOCK_LOAD_STRIPED ? i * X * Y * Z + thread : thread * Items + i;
      if (at < valid) items[i] = from[at];
    }
  }
  template <class From, class Default>
  EMULATOR_MEMBER void Load(From from, T (&items)[Items], int valid, Default otherwise) {
    for (int i = 0; i < Items; ++i) items[i] = otherwise;
    Load(from, items, valid);
  }
};

template <class T, int X, int Items, BlockStoreAlgorithm How = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int = 0>
class BlockStore {
 public:
  struct TempStorage {};
  EMULATOR_MEMBER BlockStore() {}
  EMULATOR_MEMBER explicit BlockStore(TempStorage&) {}

  template <class To>
  EMULATOR_MEMBER void Store(To to, T (&items)[Items]) {
    Store(to, items, X * Y * Z * Items);
  }
  template <class To>
  EMULATOR_MEMBER void Store(To to, T (&items)[Items], int valid) {
    const int thread = detail::thread_of_block<X, Y, Z>();
    for (int i = 0; i < Items; ++i) {
      const int at = How == BLOCK_STORE_STRIPED ? i * X * Y * Z + thread : thread * Items + i;
      if (at < valid) to[at] = items[i];
    }
  }
};

namespace detail {

/// Values of the lanes of a part of a warp. A barrier of the warp stands behind each use, because CUB itself
/// uses shuffles for most types.
template <class T, int Threads>
class lanes {
 public:
  EMULATOR_MEMBER explicit lanes(T* values) : values_(values) {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z, lane = thread % 32;
    const unsigned there = threads - (thread - lane) >= 32 ? ~0u : (1u << (threads - (thread - lane))) - 1;
    lane_ = static_cast<int>(lane % Threads);
    mask_ = there & ((Threads == 32 ? ~0u : (1u << Threads % 32) - 1) << (lane - lane % Threads));
  }
  EMULATOR_MEMBER int give(T value) {
    values_[lane_] = value;
    __syncwarp(mask_);
    return lane_;
  }
  EMULATOR_MEMBER void done() { __syncwarp(mask_); }
  EMULATOR_MEMBER int count() const { return __popc(mask_); }

 private:
  T* values_;
  int lane_;
  unsigned mask_;
};

}  // namespace detail

template <class T, int Threads = 32, int = 0>
class WarpReduce {
 public:
  using TempStorage = detail::storage<T, Threads>;
  EMULATOR_MEMBER explicit WarpReduce(TempStorage& temp) : values_(temp.values()) {}

  /// The result is lane 0's alone.
  template <class Op>
  EMULATOR_MEMBER T Reduce(T input, Op op, int valid) {
    detail::lanes<T, Threads> warp(values_);
    T result = input;
    if (warp.give(input) == 0)
      for (int i = 1; i < valid; ++i) result = op(result, values_[i]);
    warp.done();
    return result;
  }
  template <class Op>
  EMULATOR_MEMBER T Reduce(T input, Op op) {
    return Reduce(input, op, detail::lanes<T, Threads>(values_).count());
  }
  EMULATOR_MEMBER T Sum(T input) { return Reduce(input, ::cub::Sum()); }
  EMULATOR_MEMBER T Sum(T input, int valid) { return Reduce(input, ::cub::Sum(), valid); }

 private:
  T* values_;
};

template <class T, int Threads = 32, int = 0>
class WarpScan {
 public:
  using TempStorage = detail::storage<T, Threads>;
  EMULATOR_MEMBER explicit WarpScan(TempStorage& temp) : values_(temp.values()) {}

  template <class Op>
  EMULATOR_MEMBER void InclusiveScan(T input, T& output, Op op) {
    detail::lanes<T, Threads> warp(values_);
    const int lane = warp.give(input);
    T result = values_[0];
    for (int i = 1; i <= lane; ++i) result = op(result, values_[i]);
    warp.done();
    output = result;
  }
  template <class Op>
  EMULATOR_MEMBER void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    InclusiveScan(input, output, op);
    aggregate = all(output);
  }
  template <class Op>
  EMULATOR_MEMBER void ExclusiveScan(T input, T& output, T first, Op op) {
    detail::lanes<T, Threads> warp(values_);
    const int lane = warp.give(input);
    T result = first;
    for (int i = 0; i < lane; ++i) result = op(result, values_[i]);
    warp.done();
    output = result;
  }
  EMULATOR_MEMBER void InclusiveSum(T input, T& output) { InclusiveScan(input, output, ::cub::Sum()); }
  EMULATOR_MEMBER void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, ::cub::Sum(), aggregate);
  }
  EMULATOR_MEMBER void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), ::cub::Sum()); }
  EMULATOR_MEMBER void ExclusiveSum(T input, T& output, T& aggregate) {
    T inclusive;
    InclusiveScan(input, inclusive, ::cub::Sum(), aggregate);
    ExclusiveSum(input, output);
  }
  EMULATOR_MEMBER T Broadcast(T input, unsigned source) {
    detail::lanes<T, Threads> warp(values_);
    warp.give(input);
    const T result = values_[source];
    warp.done();
    return result;
  }

 private:
  // What the last lane has.
  EMULATOR_MEMBER T all(T inclusive) {
    return Broadcast(inclusive, static_cast<unsigned>(detail::lanes<T, Threads>(values_).count() - 1));
  }

  T* values_;
};

}  // namespace cub

#undef EMULATOR_MEMBER
