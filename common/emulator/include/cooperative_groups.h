// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Cooperative groups within a block: the block, tiles of up to 32 threads, the threads that are together
// just now. Everything that waits goes through the same functions as __syncthreads(), __syncwarp() and
// __shfl_sync(), and so through the same checks.
#pragma once

#ifdef __CUDACC__

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "emulator/threads/groups.hpp"

namespace cooperative_groups {

class thread_block;
class coalesced_group;
template <unsigned Size, class Parent = void>
class thread_block_tile;

/// What all groups of threads within a block have in common, where a program does not say which it has.
class thread_group {
 public:
  EMULATOR_INLINE void sync() const {
    if (mask_ == 0)
      cuda_emulator::block_barrier(cuda_emulator::block_vote::none, 0);
    else
      cuda_emulator::warp_collective(cuda_emulator::warp_operation::synchronize, mask_, 0);
  }
  EMULATOR_INLINE unsigned long long size() const {
    return mask_ == 0 ? cuda_emulator::threads_of_block() : static_cast<unsigned>(__popc(mask_));
  }
  EMULATOR_INLINE unsigned long long num_threads() const { return size(); }
  EMULATOR_INLINE unsigned long long thread_rank() const {
    return mask_ == 0 ? cuda_emulator::rank_in_block() : cuda_emulator::rank_in(mask_);
  }

 protected:
  EMULATOR_INLINE thread_group(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  // As in CUDA: a parameter or a constant, but not a variable that is now this group and then that one.
  thread_group& operator=(const thread_group&) = default;
  template <unsigned Size>
  friend class emulator_tile;
  friend thread_group tiled_partition(const thread_group&, unsigned);
  friend thread_group tiled_partition(const thread_block&, unsigned);

  unsigned mask_;  // lanes of the warp; 0: the whole block
  unsigned meta_rank_, meta_size_;
};

/// All threads of the block.
class thread_block : public thread_group {
 public:
  EMULATOR_INLINE thread_block() : thread_group(0, 0, 1) {}
  thread_block(const thread_block&) = default;
  thread_block& operator=(const thread_block&) = delete;
  EMULATOR_INLINE static void sync() { cuda_emulator::block_barrier(cuda_emulator::block_vote::none, 0); }
  EMULATOR_INLINE static unsigned size() { return cuda_emulator::threads_of_block(); }
  EMULATOR_INLINE static unsigned num_threads() { return size(); }
  EMULATOR_INLINE static unsigned thread_rank() { return cuda_emulator::rank_in_block(); }
  EMULATOR_INLINE static dim3 group_index() { return blockIdx; }
  EMULATOR_INLINE static dim3 thread_index() { return threadIdx; }
  EMULATOR_INLINE static dim3 group_dim() { return blockDim; }
  EMULATOR_INLINE static dim3 dim_threads() { return blockDim; }

  struct arrival_token {};
  template <class T = void>
  arrival_token barrier_arrive() const {
    static_assert(cuda_emulator::not_in_groups<T>,
                  "barrier_arrive() and barrier_wait() are not emulated: use sync()");
    return {};
  }
  template <class T = void>
  void barrier_wait(arrival_token&&) const {
    static_assert(cuda_emulator::not_in_groups<T>,
                  "barrier_arrive() and barrier_wait() are not emulated: use sync()");
  }
};
EMULATOR_INLINE thread_block this_thread_block() { return {}; }

/// On a GPU tiles of more than 32 threads keep what they exchange in one of these. Here it is only there.
template <unsigned Threads = 1024>
struct block_tile_memory {
  unsigned long long emulator_space[Threads / 8];
};
template <unsigned Threads>
EMULATOR_INLINE thread_block this_thread_block(block_tile_memory<Threads>&) {
  return {};
}

/// All threads of the launch. They can be waited for if it is cooperative.
class grid_group {
 public:
  EMULATOR_INLINE static bool is_valid() { return cuda_emulator::is_cooperative_launch(); }
  EMULATOR_INLINE static unsigned long long size() {
    return num_blocks() * cuda_emulator::threads_of_block();
  }
  EMULATOR_INLINE static unsigned long long num_threads() { return size(); }
  EMULATOR_INLINE static unsigned long long thread_rank() {
    return block_rank() * cuda_emulator::threads_of_block() + cuda_emulator::rank_in_block();
  }
  EMULATOR_INLINE static dim3 thread_index() { return threadIdx; }
  EMULATOR_INLINE static dim3 group_dim() { return gridDim; }
  EMULATOR_INLINE static dim3 dim_threads() {
    return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
  }
  EMULATOR_INLINE static dim3 dim_blocks() { return gridDim; }
  EMULATOR_INLINE static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  EMULATOR_INLINE static dim3 block_index() { return blockIdx; }
  EMULATOR_INLINE static unsigned long long block_rank() {
    return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  EMULATOR_INLINE static void sync() { cuda_emulator::grid_barrier(); }
};
EMULATOR_INLINE grid_group this_grid() { return {}; }

#define EMULATOR_REFUSE_GROUP(name, type)                                                                  \
  struct type {                                                                                            \
    void sync() const = delete;                                                                            \
  };                                                                                                       \
  template <class T = void>                                                                                \
  type name() {                                                                                            \
    static_assert(cuda_emulator::not_in_groups<T>, #name "() is not emulated: groups end with the block"); \
    return {};                                                                                             \
  }
EMULATOR_REFUSE_GROUP(this_cluster, cluster_group)
EMULATOR_REFUSE_GROUP(this_multi_grid, multi_grid_group)
#undef EMULATOR_REFUSE_GROUP

/// Some threads of one warp, counted from 0 in the order of their lanes.
class coalesced_group : public thread_group {
 public:
  EMULATOR_INLINE void sync() const {
    cuda_emulator::warp_collective(cuda_emulator::warp_operation::synchronize, mask_, 0);
  }
  EMULATOR_INLINE unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
  EMULATOR_INLINE unsigned num_threads() const { return size(); }
  EMULATOR_INLINE unsigned thread_rank() const { return cuda_emulator::rank_in(mask_); }
  EMULATOR_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  EMULATOR_INLINE unsigned meta_group_size() const { return meta_size_; }

  /// The value of the thread of this rank. One that the group does not have is a finding.
  template <class T>
  EMULATOR_INLINE T shfl(T value, int rank, unsigned column = EMULATOR_COLUMN) const {
    return cuda_emulator::shuffled(cuda_emulator::warp_operation::shuffle, mask_, value,
                                   cuda_emulator::lane_of(mask_, rank), 32, column);
  }
  /// The value of the thread `delta` ranks above, or the thread's own where there is none.
  template <class T>
  EMULATOR_INLINE T shfl_down(T value, unsigned delta, unsigned column = EMULATOR_COLUMN) const {
    const unsigned rank = thread_rank(), from = delta < size() - rank ? rank + delta : rank;
    return shfl(value, static_cast<int>(from), column);
  }
  template <class T>
  EMULATOR_INLINE T shfl_up(T value, int delta, unsigned column = EMULATOR_COLUMN) const {
    const int rank = static_cast<int>(thread_rank());
    return shfl(value, delta <= rank ? rank - delta : rank, column);
  }
  EMULATOR_INLINE int any(int predicate) const { return __any_sync(mask_, predicate); }
  EMULATOR_INLINE int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// One bit for each rank.
  EMULATOR_INLINE unsigned ballot(int predicate) const {
    return cuda_emulator::packed(mask_, __ballot_sync(mask_, predicate));
  }
  template <class T>
  EMULATOR_INLINE unsigned match_any(T value) const {
    return cuda_emulator::packed(mask_, __match_any_sync(mask_, value));
  }
  template <class T>
  EMULATOR_INLINE unsigned match_all(T value, int& all_equal) const {
    return cuda_emulator::packed(mask_, __match_all_sync(mask_, value, &all_equal));
  }

 private:
  EMULATOR_INLINE explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(mask, meta_rank, meta_size) {}
  friend cuda_emulator::group_access;
};

/// The threads of the warp that are here together. Only what a GPU promises is promised: which they are.
EMULATOR_INLINE coalesced_group coalesced_threads() {
  return cuda_emulator::group_access::make<coalesced_group>(__activemask(), 0, 1);
}

/// Size neighbors within a warp, beginning at a multiple of Size.
template <unsigned Size>
class emulator_tile {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  EMULATOR_INLINE static void sync() {
    cuda_emulator::warp_collective(cuda_emulator::warp_operation::synchronize, mask(), 0);
  }
  EMULATOR_INLINE static constexpr unsigned size() { return Size; }
  EMULATOR_INLINE static constexpr unsigned num_threads() { return Size; }
  EMULATOR_INLINE static unsigned thread_rank() { return cuda_emulator::rank_in_block() % Size; }
  EMULATOR_INLINE operator thread_group() const { return {mask(), 0, 1}; }

  template <class T>
  EMULATOR_INLINE T shfl(T value, int rank, unsigned column = EMULATOR_COLUMN) const {
    return shuffled(cuda_emulator::warp_operation::shuffle, value, rank, column);
  }
  template <class T>
  EMULATOR_INLINE T shfl_down(T value, unsigned delta, unsigned column = EMULATOR_COLUMN) const {
    return shuffled(cuda_emulator::warp_operation::shuffle_down, value, static_cast<int>(delta), column);
  }
  template <class T>
  EMULATOR_INLINE T shfl_up(T value, unsigned delta, unsigned column = EMULATOR_COLUMN) const {
    return shuffled(cuda_emulator::warp_operation::shuffle_up, value, static_cast<int>(delta), column);
  }
  template <class T>
  EMULATOR_INLINE T shfl_xor(T value, unsigned lanes, unsigned column = EMULATOR_COLUMN) const {
    return shuffled(cuda_emulator::warp_operation::shuffle_xor, value, static_cast<int>(lanes), column);
  }
  EMULATOR_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  EMULATOR_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  EMULATOR_INLINE unsigned ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> first_lane();
  }
  template <class T>
  EMULATOR_INLINE unsigned match_any(T value) const {
    return __match_any_sync(mask(), value) >> first_lane();
  }
  template <class T>
  EMULATOR_INLINE unsigned match_all(T value, int& all_equal) const {
    return __match_all_sync(mask(), value, &all_equal) >> first_lane();
  }

 protected:
  EMULATOR_INLINE static unsigned first_lane() { return cuda_emulator::rank_in_block() % 32 & ~(Size - 1); }
  EMULATOR_INLINE static unsigned mask() { return 0xffffffffu >> (32 - Size) << first_lane(); }
  friend cuda_emulator::group_access;

 private:
  template <class T>
  EMULATOR_INLINE static T shuffled(cuda_emulator::warp_operation operation, T value, int parameter,
                                    unsigned column) {
    return cuda_emulator::shuffled(operation, mask(), value, parameter, Size, column);
  }
};

/// Several warps, beginning at a multiple of Size.
template <unsigned Size>
class emulator_wide_tile {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, ... or 1024 threads");

 public:
  EMULATOR_INLINE static void sync() { cuda_emulator::tile_exchange(Size); }
  EMULATOR_INLINE static constexpr unsigned size() { return Size; }
  EMULATOR_INLINE static constexpr unsigned num_threads() { return Size; }
  EMULATOR_INLINE static unsigned thread_rank() { return cuda_emulator::rank_in_block() % Size; }
  template <class T>
  EMULATOR_INLINE T shfl(T value, int rank) const {
    T result{};
    cuda_emulator::tile_exchange(Size, &value, &result, sizeof(T), rank % static_cast<int>(Size));
    return result;
  }
  EMULATOR_INLINE int any(int predicate) const {
    return emulator_combined(__any_sync(0xffffffffu, predicate), [](int a, int b) { return a | b; });
  }
  EMULATOR_INLINE int all(int predicate) const {
    return emulator_combined(__all_sync(0xffffffffu, predicate), [](int a, int b) { return a & b; });
  }
  /// Of a value that each warp has: in the order of a butterfly over the warps, as on a GPU.
  template <class T, class Operation>
  EMULATOR_INLINE static T emulator_combined(T value, Operation&& operation) {
    constexpr unsigned warps = Size / 32;
    T all[warps] = {};
    cuda_emulator::tile_exchange(Size, &value, all, sizeof(T), -1);
    for (unsigned distance = warps / 2; distance > 0; distance /= 2)
      for (unsigned i = 0; i < distance; ++i) all[i] = operation(all[i], all[i + distance]);
    return all[0];
  }
};
template <unsigned Size>
using emulator_tile_of = std::conditional_t<(Size > 32), emulator_wide_tile<Size>, emulator_tile<Size>>;

/// A tile that knows what it is a part of.
template <unsigned Size, class Parent>
class thread_block_tile : public emulator_tile_of<Size> {
 public:
  EMULATOR_INLINE explicit thread_block_tile(const Parent&) {}
  EMULATOR_INLINE static unsigned meta_group_rank() {
    return static_cast<unsigned>(Parent::thread_rank()) / Size;
  }
  EMULATOR_INLINE static unsigned meta_group_size() {
    return (static_cast<unsigned>(Parent::size()) + Size - 1) / Size;
  }
};

/// One that only remembers it: `thread_block_tile<32>` as a parameter.
template <unsigned Size>
class thread_block_tile<Size, void> : public emulator_tile_of<Size> {
 public:
  template <class Parent>
  EMULATOR_INLINE thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : meta_rank_(tile.meta_group_rank()), meta_size_(tile.meta_group_size()) {}
  EMULATOR_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  EMULATOR_INLINE unsigned meta_group_size() const { return meta_size_; }

 private:
  EMULATOR_INLINE thread_block_tile(unsigned rank, unsigned size) : meta_rank_(rank), meta_size_(size) {}
  friend cuda_emulator::group_access;
  unsigned meta_rank_, meta_size_;
};

/// The calling thread alone.
EMULATOR_INLINE thread_block_tile<1> this_thread() {
  return cuda_emulator::group_access::make<thread_block_tile<1>>(0, 1);
}

template <unsigned Size>
EMULATOR_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return thread_block_tile<Size, thread_block>(block);
}
template <unsigned Size, unsigned ParentSize, class GrandParent>
EMULATOR_INLINE auto tiled_partition(const thread_block_tile<ParentSize, GrandParent>& tile) {
  static_assert(Size <= ParentSize, "a tile cannot be larger than the group that it is a part of");
  if constexpr (std::is_void_v<GrandParent>)
    return cuda_emulator::group_access::make<thread_block_tile<Size>>(tile.thread_rank() / Size,
                                                                      ParentSize / Size);
  else
    return thread_block_tile<Size, thread_block_tile<ParentSize, GrandParent>>(tile);
}

/// Tiles whose size is known only when the kernel runs.
EMULATOR_INLINE coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  cuda_emulator::check_tile_size(size);
  if (size >= group.size()) return group;
  const unsigned mask = cuda_emulator::group_access::mask(group), rank = group.thread_rank(),
                 first = rank - rank % size;
  unsigned lanes = 0;
  for (unsigned r = first; r < first + size && r < group.size(); ++r)
    lanes |= 1u << cuda_emulator::lane_of(mask, static_cast<int>(r));
  return cuda_emulator::group_access::make<coalesced_group>(lanes, rank / size,
                                                            (group.size() + size - 1) / size);
}
EMULATOR_INLINE thread_group tiled_partition(const thread_block& block, unsigned size) {
  cuda_emulator::check_tile_size(size);
  const unsigned rank = block.thread_rank(), first = rank - rank % size,
                 threads = size < block.size() - first ? size : block.size() - first;
  return {0xffffffffu >> (32 - threads) << first % 32, rank / size, (block.size() + size - 1) / size};
}
EMULATOR_INLINE thread_group tiled_partition(const thread_group& group, unsigned size) {
  if (group.mask_ == 0) return tiled_partition(thread_block(), size);
  return tiled_partition(
      cuda_emulator::group_access::make<coalesced_group>(group.mask_, group.meta_rank_, group.meta_size_),
      size);
}

/// The threads of the group with the same label are a group.
template <class Group, class T>
EMULATOR_INLINE coalesced_group labeled_partition(const Group& group, T label) {
  static_assert(std::is_integral_v<T> || std::is_pointer_v<T>, "a label is an integer or a pointer");
  const unsigned mask = cuda_emulator::group_access::mask(group);
  const unsigned lanes = __match_any_sync(mask, label);
  const unsigned leader = lanes & -lanes;
  const unsigned leaders = __ballot_sync(mask, leader == 1u << cuda_emulator::rank_in_block() % 32);
  return cuda_emulator::group_access::make<coalesced_group>(
      lanes, static_cast<unsigned>(__popc(leaders & (leader - 1))), static_cast<unsigned>(__popc(leaders)));
}
/// Those with true are group 1, the others are group 0; where all are alike there is only one.
template <class Group>
EMULATOR_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned mask = cuda_emulator::group_access::mask(group), yes = __ballot_sync(mask, predicate);
  const unsigned lanes = predicate ? yes : mask & ~yes;
  const bool alike = lanes == mask;
  return cuda_emulator::group_access::make<coalesced_group>(lanes, !alike && predicate ? 1 : 0,
                                                            alike ? 1 : 2);
}
template <class Group>
EMULATOR_INLINE coalesced_group labeled_partition(const Group& group, bool label) {
  return binary_partition(group, label);
}

template <class Group>
EMULATOR_INLINE void sync(const Group& group) {
  group.sync();
}
template <class Group>
EMULATOR_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
EMULATOR_INLINE auto group_size(const Group& group) {
  return group.size();
}

/// One thread of the group, which one is not said, calls the function.
template <class Group, class Function, class... Arguments>
EMULATOR_INLINE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
/// ... and all threads get what it returns.
template <class Group, class Function, class... Arguments>
EMULATOR_INLINE auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  using result_type = decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...));
  static_assert(!std::is_void_v<result_type>, "for functions that return nothing there is invoke_one()");
  std::remove_cvref_t<result_type> result{};
  if (group.thread_rank() == 0)
    result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0, EMULATOR_COLUMN);
}

// What collective functions combine values with.
template <class T>
struct plus {
  EMULATOR_INLINE T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  EMULATOR_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  EMULATOR_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  EMULATOR_INLINE T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  EMULATOR_INLINE T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  EMULATOR_INLINE T operator()(T a, T b) const { return a ^ b; }
};

// Where CUDA 11 had what needs memory for tiles.
namespace experimental {
using cooperative_groups::thread_block;
using cooperative_groups::thread_block_tile;
template <unsigned Bytes = 8, unsigned Threads = 1024>
struct block_tile_memory : cooperative_groups::block_tile_memory<Threads> {};
template <unsigned Bytes, unsigned Threads>
EMULATOR_INLINE thread_block this_thread_block(block_tile_memory<Bytes, Threads>&) {
  return {};
}
template <unsigned Size, class Parent>
EMULATOR_INLINE auto tiled_partition(const Parent& parent) {
  return cooperative_groups::tiled_partition<Size>(parent);
}
}  // namespace experimental

}  // namespace cooperative_groups

#endif
