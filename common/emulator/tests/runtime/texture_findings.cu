// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Wrong uses of textures, each beside its repaired twin, and the counts of fetches.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "../findings.hpp"
#include "emulator/counts.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int fetch_line = __LINE__ + 4;
template <class T>
__global__ void read_kernel(cudaTextureObject_t texture, T* y, int width) {
  const int i = static_cast<int>(threadIdx.x);
  y[i] = tex2D<T>(texture, static_cast<float>(i % width) + 0.5f, static_cast<float>(i / width) + 0.5f);
}

__global__ void at_kernel(cudaTextureObject_t texture, float x, float y, float* result) {
  *result = tex2D<float>(texture, x, y);
}
__global__ void row_kernel(cudaTextureObject_t texture, float* y) {
  y[threadIdx.x] = tex1D<float>(texture, static_cast<float>(threadIdx.x) + 0.5f);
}
constexpr int element_line = __LINE__ + 2;
__global__ void element_kernel(cudaTextureObject_t texture, float* y) {
  y[threadIdx.x] = tex1Dfetch<float>(texture, static_cast<int>(threadIdx.x));
}

// Each thread writes its element and fetches its neighbor's; `barrier` does not help, `other` does.
constexpr int write_line = __LINE__ + 4, stale_line = __LINE__ + 6;
template <bool barrier>
__global__ void write_and_fetch_kernel(cudaTextureObject_t texture, float* written, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  written[i] = 2;
  if (barrier) __syncthreads();
  y[i] = tex1Dfetch<float>(texture, (i + 1) % 64);
}
// All fetch before anyone writes: allowed.
__global__ void fetch_then_write_kernel(cudaTextureObject_t texture, float* written, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  y[i] = tex1Dfetch<float>(texture, (i + 1) % 64);
  __syncthreads();
  written[i] = 3;
}

cudaTextureDesc points() {
  cudaTextureDesc description;
  std::memset(&description, 0, sizeof description);
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  return description;
}

cudaTextureObject_t made(const cudaResourceDesc& resource, const cudaTextureDesc& description = points()) {
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  return texture;
}

cudaTextureObject_t of_array(cudaArray_t array, const cudaTextureDesc& description = points()) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return made(resource, description);
}

template <class T>
cudaTextureObject_t of_memory(T* memory, std::size_t size) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, cudaCreateChannelDesc<T>(), size * sizeof(T)};
  return made(resource);
}

template <class T>
cudaArray_t new_array(std::size_t width, std::size_t height) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  REQUIRE(cudaMallocArray(&array, &format, width, height) == cudaSuccess);
  return array;
}

template <class T>
cudaArray_t filled_array(std::size_t width, std::size_t height) {
  const cudaArray_t array = new_array<T>(width, height);
  const std::vector<char> zeros(width * std::max<std::size_t>(height, 1) * sizeof(T));
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, zeros.data(), width * sizeof(T), width * sizeof(T),
                              std::max<std::size_t>(height, 1), cudaMemcpyHostToDevice) == cudaSuccess);
  return array;
}

}  // namespace

TEST_CASE("a texture object that is none, or that has been destroyed") {
  device_array<float> d_y(8);
  const cudaArray_t array = filled_array<float>(4, 2);
  const cudaTextureObject_t texture = of_array(array), destroyed = of_array(array);
  REQUIRE(cudaDestroyTextureObject(destroyed) == cudaSuccess);
  const auto repaired = [&] { read_kernel<float><<<1, 8>>>(texture, d_y.data(), 4); };
  check_found(
      finding_kind::wrong_texture,
      {"wrong use of a texture in kernel read_kernel", at_line(__FILE__, fetch_line),
       "thread (0, 0, 0) of block (0, 0, 0) fetches from a texture of 4 x 2 elements of float (made at ",
       "which has been destroyed", "cudaDestroyTextureObject() too early"},
      [&] { read_kernel<float><<<1, 8>>>(destroyed, d_y.data(), 4); }, repaired);
  check_found(
      finding_kind::wrong_texture, {"what is no texture object (0)", "failed or was forgotten"},
      [&] { read_kernel<float><<<1, 8>>>(0, d_y.data(), 4); }, repaired);
  check_found(
      finding_kind::wrong_texture, {"what is no texture object (123456789)"},
      [&] { read_kernel<float><<<1, 8>>>(123456789, d_y.data(), 4); }, repaired);
  // Its place has been given away: the old handle does not come to life again.
  const cudaTextureObject_t newer = of_array(array);
  CHECK(newer != destroyed);
  check_found(
      finding_kind::wrong_texture, {"a texture object that has been destroyed"},
      [&] { read_kernel<float><<<1, 8>>>(destroyed, d_y.data(), 4); },
      [&] { read_kernel<float><<<1, 8>>>(newer, d_y.data(), 4); });
  CHECK(cudaDestroyTextureObject(destroyed) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaDestroyTextureObject(newer) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(0) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("what a texture is bound to has been freed") {
  device_array<float> d_y(8);
  const cudaArray_t array = filled_array<float>(4, 2), gone = filled_array<float>(4, 2);
  const cudaTextureObject_t texture = of_array(array), dangling = of_array(gone);
  REQUIRE(cudaFreeArray(gone) == cudaSuccess);
  check_found(
      finding_kind::use_after_free,
      {"use of freed memory in kernel read_kernel", "fetches texel (0, 0) of a texture of 4 x 2"},
      [&] { read_kernel<float><<<1, 8>>>(dangling, d_y.data(), 4); },
      [&] { read_kernel<float><<<1, 8>>>(texture, d_y.data(), 4); });
  device_array<float> memory(64);
  float* freed = nullptr;
  REQUIRE(cudaMalloc(&freed, 64 * sizeof(float)) == cudaSuccess);
  const cudaTextureObject_t linear = of_memory(memory.data(), 64), freed_linear = of_memory(freed, 64);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  check_found(
      finding_kind::use_after_free,
      {"use of freed memory in kernel element_kernel", at_line(__FILE__, element_line), "element 0"},
      [&] { element_kernel<<<1, 8>>>(freed_linear, d_y.data()); },
      [&] { element_kernel<<<1, 8>>>(linear, d_y.data()); });
  for (const cudaTextureObject_t each : {texture, dangling, linear, freed_linear})
    CHECK(cudaDestroyTextureObject(each) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("texels that nobody has written") {
  device_array<float> d_y(12);
  const cudaArray_t array = new_array<float>(4, 3);
  const cudaTextureObject_t texture = of_array(array);
  const float zeros[12] = {};
  // All but the last one of the second row.
  REQUIRE(cudaMemcpyToArray(array, 0, 0, zeros, 7 * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy2DToArray(array, 0, 2, zeros, 16, 16, 1, cudaMemcpyHostToDevice) == cudaSuccess);
  check_found(
      finding_kind::uninitialized_read,
      {"read of uninitialized memory in kernel read_kernel", at_line(__FILE__, fetch_line),
       "thread (7, 0, 0) of block (0, 0, 0) fetches texel (3, 1) of a texture of 4 x 3 elements of float",
       "missing cudaMemcpy()"},
      [&] { read_kernel<float><<<1, 12>>>(texture, d_y.data(), 4); },
      [&] { read_kernel<float><<<1, 7>>>(texture, d_y.data(), 4); });
  // With filtering the neighbors count that have a weight.
  cudaTextureDesc description = points();
  description.filterMode = cudaFilterModeLinear;
  const cudaTextureObject_t filtered = of_array(array, description);
  check_found(
      finding_kind::uninitialized_read, {"fetches texel (3, 1)"},
      [&] { at_kernel<<<1, 1>>>(filtered, 2.75f, 1.5f, d_y.data()); },
      [&] { at_kernel<<<1, 1>>>(filtered, 2.5f, 1.5f, d_y.data()); });
  CHECK(cudaDestroyTextureObject(filtered) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("a fetch that does not fit the texture") {
  device_array<float> d_y(8);
  device_array<float> memory(64);
  device_array<float4> d_y4(8);
  device_array<unsigned char> d_bytes(8);
  device_array<int> d_ints(8);
  const cudaArray_t array = filled_array<float>(4, 2), row = filled_array<float>(8, 0);
  const cudaArray_t bytes = filled_array<unsigned char>(4, 2), shorts = filled_array<short>(4, 2);
  const cudaArray_t pairs = filled_array<float2>(4, 2);
  const cudaTextureObject_t texture = of_array(array), one_dimension = of_array(row),
                            linear = of_memory(memory.data(), 64), of_bytes = of_array(bytes),
                            of_shorts = of_array(shorts), of_pairs = of_array(pairs);
  const auto repaired = [&] { read_kernel<float><<<1, 8>>>(texture, d_y.data(), 4); };
  const auto wrong = [&](const char* words, auto launch) {
    check_found(finding_kind::wrong_texture, {words}, launch, repaired);
  };
  wrong("Linear memory is read by tex1Dfetch() only", [&] { row_kernel<<<1, 8>>>(linear, d_y.data()); });
  wrong("tex1Dfetch() reads linear memory only",
        [&] { element_kernel<<<1, 8>>>(one_dimension, d_y.data()); });
  wrong("tex1D() reads arrays of one dimension", [&] { row_kernel<<<1, 8>>>(texture, d_y.data()); });
  wrong("tex2D() what has two", [&] { read_kernel<float><<<1, 8>>>(one_dimension, d_y.data(), 4); });
  wrong("cudaReadModeNormalizedFloat", [&] { read_kernel<float><<<1, 8>>>(of_bytes, d_y.data(), 4); });
  wrong("4 x 2 elements of unsigned char", [&] { read_kernel<float><<<1, 8>>>(of_bytes, d_y.data(), 4); });
  wrong("ask for float", [&] { read_kernel<int><<<1, 8>>>(texture, d_ints.data(), 4); });
  wrong("fewer components", [&] { read_kernel<float4><<<1, 8>>>(texture, d_y4.data(), 4); });
  wrong("elements of float2", [&] { read_kernel<float4><<<1, 8>>>(of_pairs, d_y4.data(), 4); });
  wrong("wider than", [&] { read_kernel<unsigned char><<<1, 8>>>(of_shorts, d_bytes.data(), 4); });
  // What fits though it is not the same: fewer components, wider integers.
  CHECK_FALSE(finding_of([&] { read_kernel<float><<<1, 8>>>(of_pairs, d_y.data(), 4); }).has_value());
  CHECK_FALSE(finding_of([&] { read_kernel<int><<<1, 8>>>(of_bytes, d_ints.data(), 4); }).has_value());
  CHECK_FALSE(finding_of([&] { row_kernel<<<1, 8>>>(one_dimension, d_y.data()); }).has_value());
  for (const cudaTextureObject_t each : {texture, one_dimension, linear, of_bytes, of_shorts, of_pairs})
    CHECK(cudaDestroyTextureObject(each) == cudaSuccess);
  for (const cudaArray_t each : {array, row, bytes, shorts, pairs}) CHECK(cudaFreeArray(each) == cudaSuccess);
}

TEST_CASE("what a kernel writes it must not read through a texture") {
  device_array<float> memory(64), other(64), d_y(64);
  const cudaTextureObject_t texture = of_memory(memory.data(), 64);
  const std::vector<std::string> words = {"read through a texture of what the same kernel writes",
                                          at_line(__FILE__, write_line), at_line(__FILE__, stale_line),
                                          "no barrier helps"};
  const auto other_array = [&] {
    write_and_fetch_kernel<false><<<1, 64>>>(texture, other.data(), d_y.data());
  };
  check_found(
      finding_kind::stale_texture, words,
      [&] { write_and_fetch_kernel<false><<<1, 64>>>(texture, memory.data(), d_y.data()); }, other_array);
  check_found(
      finding_kind::stale_texture, words,
      [&] { write_and_fetch_kernel<true><<<1, 64>>>(texture, memory.data(), d_y.data()); }, other_array);
  check_found(
      finding_kind::stale_texture, {"read through a texture"},
      [&] { write_and_fetch_kernel<true><<<3, 64>>>(texture, memory.data(), d_y.data()); },
      [&] { fetch_then_write_kernel<<<1, 64>>>(texture, memory.data(), d_y.data()); });
  // In a later launch everything is seen.
  const auto later = finding_of([&] {
    write_and_fetch_kernel<false><<<1, 64>>>(of_memory(other.data(), 64), memory.data(), d_y.data());
    element_kernel<<<1, 64>>>(texture, d_y.data());
  });
  CHECK_FALSE(later.has_value());
  CHECK(d_y.to_host()[5] == 2);
  cudaDeviceReset();
}

TEST_CASE("coordinates without a meaning, and far away") {
  device_array<float> d_y(1);
  const cudaArray_t array = new_array<float>(4, 1);
  const float values[4] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, values, 16, 16, 1, cudaMemcpyHostToDevice) == cudaSuccess);
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  struct wanted {
    float x, clamp, wrap, mirror, border;
  };
  for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    for (const wanted& w :
         {wanted{infinity, 4, 1, 1, 9}, {-infinity, 1, 1, 1, 9}, {1e30f, 4, 1, 1, 9}, {-1e30f, 1, 1, 1, 9}}) {
      const float by_mode[] = {w.wrap, w.clamp, w.mirror, w.border};
      for (const auto mode :
           {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
        if (filter == cudaFilterModeLinear && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
          continue;
        cudaTextureDesc description = points();
        description.addressMode[0] = mode;
        description.filterMode = filter;
        description.normalizedCoords = 1;
        description.borderColor[0] = 9;
        const cudaTextureObject_t texture = of_array(array, description);
        at_kernel<<<1, 1>>>(texture, w.x, 0.5f, d_y.data());
        CAPTURE(w.x);
        CAPTURE(static_cast<int>(mode));
        CHECK(d_y.to_host()[0] == by_mode[mode]);
        CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
      }
    }
  }
  const cudaTextureObject_t texture = of_array(array);
  at_kernel<<<1, 1>>>(texture, nan, 0.5f, d_y.data());
  CHECK(d_y.to_host()[0] == 1);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("fetches are counted, and are no loads") {
  device_array<float> d_y(64);
  const cudaArray_t array = filled_array<float>(8, 8);
  cudaTextureDesc description = points();
  description.filterMode = cudaFilterModeLinear;
  const cudaTextureObject_t texture = of_array(array), filtered = of_array(array, description);
  for (const cudaTextureObject_t each : {texture, filtered}) {
    in_all_orders([&] {
      cuda_emulator::begin_counting();
      read_kernel<float><<<1, 64>>>(each, d_y.data(), 8);
      const auto launches = cuda_emulator::end_counting();
      REQUIRE(launches.size() == 1);
      CHECK(launches[0].texture_fetches == 64);
      CHECK(launches[0].global_loads == 0);
      CHECK(launches[0].global_stores == 64);
      CHECK(launches[0].global_store_requests == 2);
      CHECK(launches[0].constant_loads == 0);
      CHECK(launches[0].shared_loads == 0);
    });
  }
  for (const cudaTextureObject_t each : {texture, filtered})
    CHECK(cudaDestroyTextureObject(each) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

namespace {

// Each element of a picture of floats becomes that of its neighbor to the right, and of a copy above.
__global__ void surface_kernel(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width,
                               cudaSurfaceBoundaryMode mode) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width) return;
  const float right = surf2Dread<float>(from, (x + 1) * static_cast<int>(sizeof(float)), y, mode);
  surf2Dwrite(right + 1, to, x * static_cast<int>(sizeof(float)), y);
}
__global__ void volume_kernel(cudaSurfaceObject_t line, cudaSurfaceObject_t volume) {
  int2 v = surf1Dread<int2>(line, 8 * static_cast<int>(threadIdx.x));
  surf3Dwrite(v.x + v.y, volume, 4 * static_cast<int>(threadIdx.x), 1, 1);
}
constexpr int outside_line = __LINE__ + 1;
__global__ void outside_kernel(cudaSurfaceObject_t to, int x) { surf2Dwrite(1.0f, to, x, 0); }

struct surface {
  cudaArray_t array = nullptr;
  cudaSurfaceObject_t object = 0;
  surface(const cudaChannelFormatDesc& format, cudaExtent extent) {
    REQUIRE(cudaMalloc3DArray(&array, &format, extent, cudaArraySurfaceLoadStore) == cudaSuccess);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    REQUIRE(cudaCreateSurfaceObject(&object, &resource) == cudaSuccess);
  }
  ~surface() {
    cudaDestroySurfaceObject(object);
    cudaFreeArray(array);
  }
};

}  // namespace

TEST_CASE("surfaces: kernels read and write arrays") {
  const float host[2][3] = {{1, 2, 3}, {4, 5, 6}};
  const surface from(cudaCreateChannelDesc<float>(), {3, 2, 0}),
      to(cudaCreateChannelDesc<float>(), {3, 2, 0});
  REQUIRE(cudaMemcpy2DToArray(from.array, 0, 0, host, 12, 12, 2, cudaMemcpyHostToDevice) == cudaSuccess);
  float got[2][3];
  const auto result = [&](cudaSurfaceBoundaryMode mode) {
    surface_kernel<<<1, dim3(4, 2)>>>(from.object, to.object, 3, mode);
    REQUIRE(cudaMemcpy2DFromArray(got, 12, to.array, 0, 0, 12, 2, cudaMemcpyDeviceToHost) == cudaSuccess);
    return std::vector<float>(got[0], got[0] + 6);
  };
  CHECK(result(cudaBoundaryModeZero) == std::vector<float>{3, 4, 1, 6, 7, 1});
  CHECK(result(cudaBoundaryModeClamp) == std::vector<float>{3, 4, 4, 6, 7, 7});

  const surface line(cudaCreateChannelDesc<int2>(), {2, 0, 0}),
      volume(cudaCreateChannelDesc<int>(), {2, 2, 2});
  const int pairs[] = {1, 2, 3, 4};
  REQUIRE(cudaMemcpy2DToArray(line.array, 0, 0, pairs, 16, 16, 1, cudaMemcpyHostToDevice) == cudaSuccess);
  volume_kernel<<<1, 2>>>(line.object, volume.object);
  cudaMemcpy3DParms p{};
  int values[8] = {};
  p.srcArray = volume.array;
  p.srcPos = make_cudaPos(0, 1, 1);
  p.dstPtr = make_cudaPitchedPtr(values, 8, 2, 1);
  p.extent = make_cudaExtent(2, 1, 1);
  p.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&p) == cudaSuccess);
  CHECK((values[0] == 3 && values[1] == 7));

  check_found(
      cuda_emulator::finding_kind::crash,
      {"x = 12 bytes of 12", at_line(__FILE__, outside_line), "x counts bytes"},
      [&] { outside_kernel<<<1, 1>>>(to.object, 12); }, [&] { outside_kernel<<<1, 1>>>(to.object, 8); });
  check_found(
      cuda_emulator::finding_kind::crash, {"no surface object"}, [&] { outside_kernel<<<1, 1>>>(12345, 8); },
      [&] { outside_kernel<<<1, 1>>>(to.object, 8); });
  check_found(
      cuda_emulator::finding_kind::race, {at_line(__FILE__, outside_line)},
      [&] { outside_kernel<<<2, 1>>>(to.object, 8); }, [&] { outside_kernel<<<1, 1>>>(to.object, 8); });
  cudaArray_t plain;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  REQUIRE(cudaMallocArray(&plain, &format, 4, 4) == cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = plain;
  cudaSurfaceObject_t none = 0;
  CHECK(cudaCreateSurfaceObject(&none, &resource) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaFreeArray(plain);
}
