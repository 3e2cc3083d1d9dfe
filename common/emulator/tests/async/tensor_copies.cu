// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Copies of tiles by a tensor map: a box anywhere over a plane, and mistakes. The template argument is the
// mistake; `none` is the repaired twin, and `older` the same as programs for CUDA 12 call it.
#include <cuda.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;
namespace ptx = cuda::ptx;

enum class fault { none, older, few_bytes, many_bytes, no_wait, offset, by_chance, no_map, not_shared };

constexpr int columns = 8, rows = 3, width = 11, height = 5, pitch = 16;

struct plane {
  cuuint64_t size[2] = {width, height}, stride = pitch * 4;
  cuuint32_t box[2] = {columns, rows}, steps[2] = {1, 1}, rank = 2;
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32;
};

CUresult encode(CUtensorMap& map, void* data, const plane& p = {}) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result{};
  REQUIRE(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result) ==
          cudaSuccess);
  REQUIRE(result == cudaDriverEntryPointSuccess);
  const CUresult made = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
      &map, p.type, p.rank, data, p.size, &p.stride, p.box, p.steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  cudaGetLastError();  // its failure is known
  return made;
}

/// The tile that begins at column x and row y.
template <class T, fault f>
__global__ void tile_kernel(const __grid_constant__ CUtensorMap map, int x, int y, T* out) {
  constexpr int size = rows * columns, all = size * sizeof(T);
  __shared__ alignas(128) T tile[size + 128];
  __shared__ alignas(16) T little[size];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) init(&barrier, 1);
  __syncthreads();
  if (t == 0) {
    T* const to = f == fault::offset       ? tile + columns
                  : f == fault::by_chance  ? little
                  : f == fault::not_shared ? out
                                           : tile;
    const CUtensorMap other{};
    if constexpr (f == fault::older)
      cuda::device::experimental::cp_async_bulk_tensor_2d_global_to_shared(to, &map, x, y, barrier);
    else
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, to, f == fault::no_map ? &other : &map,
                                {x, y}, cuda::device::barrier_native_handle(barrier));
    (void)cuda::device::barrier_arrive_tx(barrier, 1,
                                          f == fault::few_bytes    ? all / 2
                                          : f == fault::many_bytes ? 2 * all
                                                                   : all);
  }
  if (f != fault::no_wait) barrier.wait_parity(false);
  if (t < size) out[t] = tile[t];
}

/// Element c of row r is 100 r + c + 1; what is between rows belongs to no plane.
template <class T>
std::vector<T> numbers() {
  std::vector<T> all;
  for (int i = 0; i < pitch * height; ++i) all.push_back(static_cast<T>(100 * (i / pitch) + i % pitch + 1));
  return all;
}

template <class T, fault f>
void check_places(CUtensorMapDataType type) {
  device_array<T> d_x(numbers<T>()), d_out(rows * columns);
  CUtensorMap map;
  plane p;
  p.type = type;
  p.stride = pitch * sizeof(T);
  REQUIRE(encode(map, d_x.data(), p) == CUDA_SUCCESS);
  for (const int y : {-9, -3, -2, 0, 1, 3, 4, 5, 100})
    for (const int x : {-96, -16, -8, -6, -4, -2, 0, 2, 4, 8, 10, 12, 16, 50, 104}) {
      if (x * int(sizeof(T)) % 16 != 0) continue;
      tile_kernel<T, f><<<1, 32>>>(map, x, y, d_out.data());
      const std::vector<T> out = d_out.to_host();
      for (int i = 0; i < rows * columns; ++i) {
        const int r = y + i / columns, c = x + i % columns;
        const bool inside = 0 <= r && r < height && 0 <= c && c < width;
        CHECK(out[static_cast<std::size_t>(i)] == static_cast<T>(inside ? 100 * r + c + 1 : 0));
      }
    }
}

template <fault f, int X = -4>
void check_tile(finding_kind kind, const std::vector<std::string>& words, int more_rows = 0) {
  device_array<int> d_x(numbers<int>()), d_out(32);
  CUtensorMap map, good;
  plane p;
  REQUIRE(encode(good, d_x.data(), p) == CUDA_SUCCESS);
  p.size[1] += static_cast<unsigned>(more_rows);
  REQUIRE(encode(map, d_x.data(), p) == CUDA_SUCCESS);
  check_found(
      kind, words, [&] { tile_kernel<int, f><<<1, 32>>>(map, X, 3, d_out.data()); },
      [&] { tile_kernel<int, fault::none><<<1, 32>>>(good, -4, 3, d_out.data()); });
}

}  // namespace

TEST_CASE("a box of a plane: zeros outside, wherever it begins") {
  in_all_orders([] {
    check_places<int, fault::none>(CU_TENSOR_MAP_DATA_TYPE_INT32);
    check_places<double, fault::none>(CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
    check_places<short, fault::older>(CU_TENSOR_MAP_DATA_TYPE_UINT16);
  });
}

TEST_CASE("maps that the driver refuses") {
  alignas(16) static int data[pitch * height];
  CUtensorMap map;
  const auto code = [&](auto spoil) {
    plane p;
    spoil(p);
    return encode(map, data, p);
  };
  CHECK(code([](plane& p) { p.box[0] = p.box[1] = 256; }) == CUDA_SUCCESS);
  CHECK(code([](plane& p) { p.box[0] = 260; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(code([](plane& p) { p.box[1] = 257; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(code([](plane& p) { p.box[1] = 0; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(code([](plane& p) { p.box[0] = 6; }) == CUDA_ERROR_INVALID_VALUE);  // 24 bytes
  CHECK(code([](plane& p) { p.stride = 56; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(code([](plane& p) { p.stride = 32; }) == CUDA_ERROR_INVALID_VALUE);  // shorter than a row
  CHECK(code([](plane& p) { p.size[0] = 0; }) == CUDA_ERROR_INVALID_VALUE);
  CHECK(encode(map, data + 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(code([](plane& p) { p.rank = 3; }) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(code([](plane& p) { p.steps[1] = 2; }) == CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("tiles that are copied wrongly") {
  check_tile<fault::few_bytes>(finding_kind::shared_barrier,
                               {"It expects 48 bytes in this phase, and the copies bring 96"});
  check_tile<fault::many_bytes>(finding_kind::shared_barrier,
                                {"never completed", "copies bring 96 of 192 bytes"});
  check_tile<fault::no_wait>(finding_kind::asynchronous_copy,
                             {"asynchronous copy", "no wait before the use"});
  check_tile<fault::offset>(finding_kind::crash, {"a misaligned copy of a tile", "multiple of 128"});
  check_tile<fault::by_chance>(finding_kind::crash,
                               {"a misaligned copy of a tile", "a missing alignas(128)"});
  check_tile<fault::none, -1>(finding_kind::crash, {"from a column that is not at a multiple of 16"});
  check_tile<fault::none, 2>(finding_kind::crash, {"with floats, at a", "cudaErrorIllegalInstruction"});
  check_tile<fault::no_map>(finding_kind::crash, {"something that is no tensor map", "__grid_constant__"});
  check_tile<fault::not_shared>(finding_kind::crash, {"to an address that is not in shared memory"});
  check_tile<fault::none>(finding_kind::out_of_bounds, {"access out of bounds", "the allocation of"}, 1);
}
