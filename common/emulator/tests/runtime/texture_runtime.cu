// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Arrays, copies of rectangles, and what cudaCreateTextureObject() refuses.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "../emulator_test.hpp"

namespace {

// That the translator leaves them alone: a texture in a structure, in a template, beside other parameters.
struct image {
  cudaTextureObject_t texture;
  int width, height;
};
template <int scale, class T>
__global__ void scaled_kernel(const image from, T* to, const std::size_t pitch) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= from.width || y >= from.height) return;
  T* const row = reinterpret_cast<T*>(reinterpret_cast<char*>(to) + static_cast<std::size_t>(y) * pitch);
  row[x] = scale * tex2D<T>(from.texture, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
}
template <class T>
__device__ T neighbor(cudaTextureObject_t texture, float x, float y) {
  return tex2D<T>(texture, x + 1, y);
}
__global__ void sums_kernel(cudaTextureObject_t texture, uchar4* y, const float* weights) {
  __shared__ uchar4 tile[32];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = neighbor<uchar4>(texture, static_cast<float>(i) + weights[0], 0.5f);
  __syncthreads();
  y[i] = tile[31 - i];
}

cudaArray_t new_array(cudaChannelFormatDesc format, std::size_t width, std::size_t height) {
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, width, height) == cudaSuccess);
  return array;
}

cudaResourceDesc array_resource(cudaArray_t array) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
cudaResourceDesc row_resource(void* memory, cudaChannelFormatDesc format, std::size_t width,
                              std::size_t height, std::size_t pitch) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory, format, width, height, pitch};
  return resource;
}

cudaTextureDesc plain() {
  cudaTextureDesc description;
  std::memset(&description, 0, sizeof description);
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  return description;
}

cudaError_t outcome(const cudaResourceDesc& resource, const cudaTextureDesc& description) {
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  if (error == cudaSuccess) CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaGetLastError() == error);
  return error;
}

template <class T>
bool describes(int bits, int components, cudaChannelFormatKind kind) {
  const cudaChannelFormatDesc d = cudaCreateChannelDesc<T>();
  return d.x == bits && d.y == (components > 1 ? bits : 0) && d.z == (components > 2 ? bits : 0) &&
         d.w == (components > 3 ? bits : 0) && d.f == kind;
}

/// 0, 1, 2, ...
std::vector<short> counting(std::size_t size) {
  std::vector<short> values(size);
  std::iota(values.begin(), values.end(), short(0));
  return values;
}

}  // namespace

TEST_CASE("channel descriptions") {
  CHECK(describes<char>(8, 1, cudaChannelFormatKindSigned));
  CHECK(describes<signed char>(8, 1, cudaChannelFormatKindSigned));
  CHECK(describes<uchar4>(8, 4, cudaChannelFormatKindUnsigned));
  CHECK(describes<short2>(16, 2, cudaChannelFormatKindSigned));
  CHECK(describes<unsigned short>(16, 1, cudaChannelFormatKindUnsigned));
  CHECK(describes<int1>(32, 1, cudaChannelFormatKindSigned));
  CHECK(describes<uint4>(32, 4, cudaChannelFormatKindUnsigned));
  CHECK(describes<float>(32, 1, cudaChannelFormatKindFloat));
  CHECK(describes<float4>(32, 4, cudaChannelFormatKindFloat));
  CHECK(describes<double>(0, 0, cudaChannelFormatKindNone));
  CHECK(describes<float3>(0, 0, cudaChannelFormatKindNone));
  const cudaChannelFormatDesc d = cudaCreateChannelDesc(8, 8, 0, 0, cudaChannelFormatKindUnsigned);
  CHECK(d.y == 8);
}

TEST_CASE("arrays: made, asked about, freed") {
  const cudaArray_t array = new_array(cudaCreateChannelDesc<short4>(), 7, 5);
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned int flags = 1;
  REQUIRE(cudaArrayGetInfo(&format, &extent, &flags, array) == cudaSuccess);
  CHECK(format.w == 16);
  CHECK(extent.width == 7);
  CHECK(extent.height == 5);
  CHECK(extent.depth == 0);
  CHECK(flags == cudaArrayDefault);
  REQUIRE(cudaGetChannelDesc(&format, array) == cudaSuccess);
  CHECK(format.f == cudaChannelFormatKindSigned);
  CHECK(cudaFree(array) == cudaErrorInvalidValue);  // cudaFreeArray()
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaErrorInvalidResourceHandle);
  CHECK(cudaArrayGetInfo(&format, &extent, &flags, array) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(nullptr) == cudaSuccess);

  cudaArray_t none = nullptr;
  const auto refused = [&](cudaChannelFormatDesc of, std::size_t width, std::size_t height,
                           unsigned int with) {
    const cudaError_t error = cudaMallocArray(&none, &of, width, height, with);
    CHECK(none == nullptr);
    return error;
  };
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  CHECK(refused(cudaCreateChannelDesc<double>(), 4, 4, 0) == cudaErrorInvalidChannelDescriptor);
  CHECK(refused(cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned), 4, 4, 0) ==
        cudaErrorInvalidChannelDescriptor);
  CHECK(refused(cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned), 4, 4, 0) ==
        cudaErrorInvalidChannelDescriptor);
  CHECK(refused(cudaCreateChannelDesc(12, 0, 0, 0, cudaChannelFormatKindUnsigned), 4, 4, 0) ==
        cudaErrorInvalidChannelDescriptor);
  CHECK(refused(floats, 0, 4, 0) == cudaErrorInvalidValue);
  CHECK(refused(floats, 131073, 4, 0) == cudaErrorInvalidValue);
  CHECK(refused(floats, 4, 65537, 0) == cudaErrorInvalidValue);
  cudaArray_t most = nullptr;  // beside it, no device has room for another one
  const cudaChannelFormatDesc float4s = cudaCreateChannelDesc<float4>();
  (void)cudaMallocArray(&most, &float4s, 131072, 65536);
  CHECK(refused(float4s, 131072, 65536, 0) == cudaErrorMemoryAllocation);
  CHECK(cudaFreeArray(most) == cudaSuccess);
  CHECK(refused(floats, 4, 4, cudaArrayLayered) == cudaErrorInvalidValue);  // no layers
  CHECK(refused(floats, 4, 4, cudaArrayTextureGather) == cudaErrorNotSupported);
  CHECK(cudaMallocArray(nullptr, &floats, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&none, nullptr, 4, 4) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST_CASE("rectangles into arrays, out of them, between them") {
  constexpr std::size_t width = 7, height = 5, row = width * sizeof(short);
  const auto format = cudaCreateChannelDesc<short>();
  const cudaArray_t array = new_array(format, width, height), other = new_array(format, 9, 8);
  const std::vector<short> image = counting(width * height);
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, image.data(), row, row, height, cudaMemcpyHostToDevice) ==
          cudaSuccess);
  std::vector<short> back(width * height, -1);
  REQUIRE(cudaMemcpy2DFromArray(back.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  CHECK(back == image);

  // 3 x 2 elements from (2, 1), into the middle of a wider picture whose other elements stay.
  std::vector<short> wide(10 * 4, -1);
  REQUIRE(cudaMemcpy2DFromArrayAsync(wide.data() + 10 + 4, 20, array, 4, 1, 6, 2, cudaMemcpyDefault) ==
          cudaSuccess);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 10; ++x) {
      const bool inside = x >= 4 && x < 7 && y >= 1 && y < 3;
      CHECK(wide[static_cast<std::size_t>(10 * y + x)] == (inside ? 7 * (y - 1 + 1) + x - 4 + 2 : -1));
    }
  }
  // A part of a picture in device memory, with its pitch, into a part of the array.
  short* rows = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&rows, &pitch, row, height) == cudaSuccess);
  REQUIRE(cudaMemcpy2D(rows, pitch, image.data(), row, row, height, cudaMemcpyHostToDevice) == cudaSuccess);
  const char* const corner = reinterpret_cast<const char*>(rows) + 2 * pitch + 3 * sizeof(short);  // (3, 2)
  REQUIRE(cudaMemcpy2DToArrayAsync(array, 2, 3, corner, pitch, 4, 2, cudaMemcpyDeviceToDevice) ==
          cudaSuccess);
  REQUIRE(cudaMemcpy2DFromArray(back.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  std::vector<short> expected = image;
  for (std::size_t y = 0; y < 2; ++y)
    for (std::size_t x = 0; x < 2; ++x) expected[(3 + y) * width + 1 + x] = image[(2 + y) * width + 3 + x];
  CHECK(back == expected);
  // Out of the array into device memory, and from array to array.
  REQUIRE(cudaMemcpy2DFromArray(rows, pitch, array, 0, 0, row, height, cudaMemcpyDeviceToDevice) ==
          cudaSuccess);
  std::fill(back.begin(), back.end(), short(-1));
  REQUIRE(cudaMemcpy2D(back.data(), row, rows, pitch, row, height, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == expected);
  REQUIRE(cudaMemcpy2DArrayToArray(other, 2 * sizeof(short), 1, array, 0, 0, row, height) == cudaSuccess);
  std::fill(back.begin(), back.end(), short(-1));
  REQUIRE(cudaMemcpy2DFromArray(back.data(), row, other, 2 * sizeof(short), 1, row, height,
                                cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == expected);

  // Bytes one after the other, from the middle of a row into the one after the next.
  const std::vector<short> run = {101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113};
  REQUIRE(cudaMemcpyToArray(array, 5 * sizeof(short), 1, run.data(), 26, cudaMemcpyHostToDevice) ==
          cudaSuccess);
  std::copy(run.begin(), run.end(), expected.begin() + 12);
  REQUIRE(cudaMemcpyFromArray(back.data(), array, 0, 0, row * height, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == expected);
  REQUIRE(cudaMemcpyFromArray(back.data(), array, 5 * sizeof(short), 1, 26, cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  CHECK(std::equal(run.begin(), run.end(), back.begin()));

  const auto into = [&](std::size_t x, std::size_t y, std::size_t w, std::size_t h,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, std::size_t from_pitch = 14) {
    return cudaMemcpy2DToArray(array, x, y, image.data(), from_pitch, w, h, kind);
  };
  CHECK(into(2, 0, row, 1) == cudaErrorInvalidValue);       // past the end of the row
  CHECK(into(0, 1, row, height) == cudaErrorInvalidValue);  // past the last row
  CHECK(into(0, 6, 2, 1) == cudaErrorInvalidValue);
  CHECK(into(~std::size_t{0} - 1, 0, 4, 1) == cudaErrorInvalidValue);
  CHECK(into(1, 0, 2, 1) == cudaErrorInvalidValue);  // half elements
  CHECK(into(0, 0, 3, 1) == cudaErrorInvalidValue);
  CHECK(into(0, 0, row, 2, cudaMemcpyHostToDevice, row - 2) == cudaErrorInvalidPitchValue);
  CHECK(into(0, 0, row, 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(into(0, 0, row, 1, cudaMemcpyHostToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(into(0, 0, row, 1, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);  // the host's memory
  CHECK(into(0, 0, 0, 0) == cudaSuccess);
  CHECK(cudaMemcpy2DToArray(nullptr, 0, 0, image.data(), row, row, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DFromArray(back.data(), row, array, 0, 0, row, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyToArray(array, 0, 0, image.data(), row * height + 2, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToArray(array, 2, 4, image.data(), row, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy2DArrayToArray(array, 0, 0, other, 0, 0, row + 2, 1) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  REQUIRE(cudaMemcpyFromArray(back.data(), array, 0, 0, row * height, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == expected);  // what is refused changes nothing
  CHECK(cudaFree(rows) == cudaSuccess);
  for (const cudaArray_t each : {array, other}) CHECK(cudaFreeArray(each) == cudaSuccess);
}

TEST_CASE("pitched memory: copies with offsets in all directions, and filling") {
  constexpr std::size_t width = 11, height = 6;
  const std::vector<short> image = counting(width * height);
  short *a = nullptr, *b = nullptr;
  std::size_t pitch_a = 0, pitch_b = 0;
  REQUIRE(cudaMallocPitch(&a, &pitch_a, width * sizeof(short), height) == cudaSuccess);
  REQUIRE(cudaMallocPitch(&b, &pitch_b, 300 * sizeof(short), height) == cudaSuccess);
  CHECK(pitch_a == 512);
  CHECK(pitch_b == 1024);
  const auto at = [](short* memory, std::size_t pitch, std::size_t x, std::size_t y) {
    return reinterpret_cast<char*>(memory) + y * pitch + x * sizeof(short);
  };
  std::vector<short> back(width * height, -1);
  REQUIRE(cudaMemcpy2D(a, pitch_a, image.data(), 22, 22, height, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemset2D(b, pitch_b, 0xff, 600, height) == cudaSuccess);
  // (2, 1) .. of 5 x 3 elements to (100, 2)
  REQUIRE(cudaMemcpy2DAsync(at(b, pitch_b, 100, 2), pitch_b, at(a, pitch_a, 2, 1), pitch_a, 10, 3,
                            cudaMemcpyDeviceToDevice) == cudaSuccess);
  std::vector<short> wide(300 * height);
  REQUIRE(cudaMemcpy2D(wide.data(), 600, b, pitch_b, 600, height, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < 300; ++x) {
      const bool inside = x >= 100 && x < 105 && y >= 2 && y < 5;
      const short want = inside ? image[(y - 1) * width + x - 98] : short(-1);
      if (wide[y * 300 + x] != want) FAIL_CHECK("at (" << x << ", " << y << "): " << wide[y * 300 + x]);
    }
  }
  REQUIRE(cudaMemset2DAsync(at(a, pitch_a, 1, 1), pitch_a, 0, 4, 2) == cudaSuccess);
  REQUIRE(cudaMemcpy2D(back.data(), 22, a, pitch_a, 22, height, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (std::size_t i = 0; i < image.size(); ++i) {
    const bool zero = (i % width == 1 || i % width == 2) && (i / width == 1 || i / width == 2);
    CHECK(back[i] == (zero ? 0 : image[i]));
  }
  std::vector<short> host(width * height);
  CHECK(cudaMemcpy2D(host.data(), 22, image.data(), 22, 22, height, cudaMemcpyHostToHost) == cudaSuccess);
  CHECK(host == image);
  CHECK(cudaMemcpy2D(a, 20, image.data(), 22, 22, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(a, pitch_a, image.data(), 20, 22, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(a, pitch_a, image.data(), 22, 22, height + 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpy2D(nullptr, pitch_a, image.data(), 22, 22, 1, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemset2D(a, 20, 0, 22, 1) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(a, pitch_a, 0, 22, height + 1) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(host.data(), 22, 0, 22, 1) == cudaErrorInvalidValue);
  CHECK(cudaMallocPitch(&a, nullptr, 22, 1) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  REQUIRE(cudaMemcpy2D(back.data(), 22, a, pitch_a, 22, height, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back[width * height - 1] == image[width * height - 1]);  // what is refused changes nothing
  for (short* each : {a, b}) CHECK(cudaFree(each) == cudaSuccess);
}

TEST_CASE("texture objects: what is refused when they are made") {
  const auto floats = cudaCreateChannelDesc<float>(), bytes = cudaCreateChannelDesc<uchar4>(),
             ints = cudaCreateChannelDesc<int>();
  const cudaArray_t array = new_array(floats, 8, 8), byte_array = new_array(bytes, 8, 8),
                    int_array = new_array(ints, 8, 8);
  cudaTextureDesc description = plain();
  CHECK(outcome(array_resource(array), description) == cudaSuccess);
  CHECK(outcome(array_resource(nullptr), description) == cudaErrorInvalidValue);
  description.filterMode = cudaFilterModeLinear;
  CHECK(outcome(array_resource(array), description) == cudaSuccess);
  CHECK(outcome(array_resource(byte_array), description) == cudaErrorInvalidFilterSetting);
  description.readMode = cudaReadModeNormalizedFloat;
  CHECK(outcome(array_resource(byte_array), description) == cudaSuccess);
  CHECK(outcome(array_resource(int_array), description) == cudaErrorInvalidNormSetting);
  CHECK(outcome(array_resource(array), description) == cudaSuccess);
  description = plain();
  description.sRGB = 1;
  CHECK(outcome(array_resource(byte_array), description) == cudaErrorNotSupported);
  description = plain();
  description.addressMode[1] = static_cast<cudaTextureAddressMode>(4);
  CHECK(outcome(array_resource(array), description) == cudaErrorInvalidValue);
  description = plain();
  description.filterMode = static_cast<cudaTextureFilterMode>(2);
  CHECK(outcome(array_resource(array), description) == cudaErrorInvalidValue);
  description = plain();
  description.readMode = static_cast<cudaTextureReadMode>(2);
  CHECK(outcome(array_resource(array), description) == cudaErrorInvalidValue);

  description = plain();
  cudaResourceDesc mipmaps;
  std::memset(&mipmaps, 0, sizeof mipmaps);
  mipmaps.resType = cudaResourceTypeMipmappedArray;
  CHECK(outcome(mipmaps, description) == cudaErrorNotSupported);
  mipmaps.resType = static_cast<cudaResourceType>(7);
  CHECK(outcome(mipmaps, description) == cudaErrorInvalidValue);

  // Rows in linear memory: begin at a multiple of 512 bytes, pitch a multiple of 32, all of it allocated.
  device_array<char> memory(8192);
  CHECK(outcome(row_resource(memory.data(), floats, 100, 16, 512), description) == cudaSuccess);
  CHECK(outcome(row_resource(memory.data(), floats, 8, 16, 32), description) == cudaSuccess);
  CHECK(outcome(row_resource(memory.data() + 32, floats, 100, 4, 512), description) == cudaErrorInvalidValue);
  CHECK(outcome(row_resource(memory.data(), floats, 100, 4, 416 + 4), description) == cudaErrorInvalidValue);
  CHECK(outcome(row_resource(memory.data(), floats, 200, 4, 512), description) == cudaErrorInvalidValue);
  CHECK(outcome(row_resource(memory.data(), floats, 100, 17, 512), description) == cudaErrorInvalidValue);
  CHECK(outcome(row_resource(memory.data(), floats, 0, 4, 512), description) == cudaErrorInvalidValue);
  CHECK(outcome(row_resource(nullptr, floats, 100, 4, 512), description) == cudaErrorInvalidValue);
  CHECK(outcome(row_resource(memory.data(), cudaCreateChannelDesc<double>(), 10, 4, 512), description) ==
        cudaErrorInvalidChannelDescriptor);
  alignas(512) static char host[8192];
  CHECK(outcome(row_resource(host, floats, 100, 4, 512), description) == cudaErrorInvalidValue);

  cudaResourceDesc linear;
  std::memset(&linear, 0, sizeof linear);
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {memory.data(), bytes, 8192};
  CHECK(outcome(linear, description) == cudaSuccess);
  description.filterMode = cudaFilterModeLinear;  // without effect there
  CHECK(outcome(linear, description) == cudaSuccess);
  linear.res.linear.devPtr = memory.data() + 4;
  CHECK(outcome(linear, description) == cudaErrorInvalidValue);
  // Longer than the allocation: NVIDIA's convolutionFFT2D does that, and fetches nothing from there.
  linear.res.linear = {memory.data(), bytes, 8196};
  CHECK(outcome(linear, description) == cudaSuccess);
  linear.res.linear = {memory.data(), bytes, 3};
  CHECK(outcome(linear, description) == cudaErrorInvalidValue);

  CHECK(cudaFreeArray(int_array) == cudaSuccess);
  CHECK(outcome(array_resource(int_array), plain()) == cudaErrorInvalidResourceHandle);
  for (const cudaArray_t each : {array, byte_array}) CHECK(cudaFreeArray(each) == cudaSuccess);
}

TEST_CASE("texture objects: what they were made of; many of them") {
  const cudaArray_t array = new_array(cudaCreateChannelDesc<float2>(), 4, 4);
  cudaTextureDesc description = plain(), told;
  description.borderColor[2] = 7;
  const cudaResourceDesc resource = array_resource(array);
  cudaResourceDesc told_resource;
  std::vector<cudaTextureObject_t> textures(3000);
  for (cudaTextureObject_t& each : textures)
    REQUIRE(cudaCreateTextureObject(&each, &resource, &description, nullptr) == cudaSuccess);
  REQUIRE(cudaGetTextureObjectTextureDesc(&told, textures[2999]) == cudaSuccess);
  CHECK(told.borderColor[2] == 7);
  CHECK(told.addressMode[1] == cudaAddressModeClamp);
  REQUIRE(cudaGetTextureObjectResourceDesc(&told_resource, textures[0]) == cudaSuccess);
  CHECK(told_resource.res.array.array == array);
  for (const cudaTextureObject_t each : textures) REQUIRE(cudaDestroyTextureObject(each) == cudaSuccess);
  CHECK(cudaGetTextureObjectTextureDesc(&told, textures[1]) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE("kernels with textures in structures, templates and functions") {
  constexpr std::size_t width = 13, height = 9;
  std::vector<float> picture(width * height), back(width * height);
  std::iota(picture.begin(), picture.end(), 0.0f);
  const cudaArray_t array = new_array(cudaCreateChannelDesc<float>(), width, height);
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, picture.data(), width * 4, width * 4, height,
                              cudaMemcpyHostToDevice) == cudaSuccess);
  const cudaResourceDesc resource = array_resource(array);
  const cudaTextureDesc description = plain();
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  float* rows = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&rows, &pitch, width * 4, height) == cudaSuccess);
  in_all_orders([&] {
    scaled_kernel<3><<<dim3(2, 2), dim3(8, 8)>>>(image{texture, width, height}, rows, pitch);
    REQUIRE(cudaMemcpy2D(back.data(), width * 4, rows, pitch, width * 4, height, cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    bool same = true;
    for (std::size_t i = 0; i < picture.size(); ++i) same = same && back[i] == 3 * picture[i];
    CHECK(same);
  });
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFree(rows) == cudaSuccess);

  // In the kernel: through a function that is a template, into shared memory.
  std::vector<unsigned char> colors(33 * 4);
  std::iota(colors.begin(), colors.end(), static_cast<unsigned char>(0));
  const cudaArray_t small = new_array(cudaCreateChannelDesc<uchar4>(), 33, 1);
  REQUIRE(cudaMemcpyToArray(small, 0, 0, colors.data(), colors.size(), cudaMemcpyHostToDevice) ==
          cudaSuccess);
  const cudaResourceDesc of_small = array_resource(small);
  REQUIRE(cudaCreateTextureObject(&texture, &of_small, &description, nullptr) == cudaSuccess);
  device_array<uchar4> d_y(32);
  device_array<float> weights(std::vector<float>{0.5f});
  sums_kernel<<<1, 32>>>(texture, d_y.data(), weights.data());
  const auto y = d_y.to_host();
  for (std::size_t i = 0; i < 32; ++i) CHECK(y[i].z == 4 * (32 - i) + 2);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFreeArray(small) == cudaSuccess);
}
