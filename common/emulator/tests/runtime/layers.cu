// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Arrays of layers and cubemaps: texture and surface objects. Each element tells where it is: 100 times its
// layer or face, 10 times its row, and its column.
#include <cstring>

#include "../emulator_test.hpp"
#include "../findings.hpp"

using cuda_emulator::finding_kind;

namespace {

constexpr int size = 4;

struct direction {
  float x, y, z;
};

__global__ void line_kernel(cudaTextureObject_t texture, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  y[i] = tex1DLayered<float>(texture, 1.5f, i);
}
__global__ void plane_kernel(cudaTextureObject_t texture, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  tex2DLayered(&y[i], texture, 2.25f, 1.5f, i);
}
__global__ void cube_kernel(cudaTextureObject_t texture, const direction* towards, int count, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) y[i] = texCubemap<float>(texture, towards[i].x, towards[i].y, towards[i].z);
}
__global__ void cubes_kernel(cudaTextureObject_t texture, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  y[i] = texCubemapLayered<float>(texture, -1.0f, 0.6f, -0.2f, i);
}
__global__ void surface_kernel(cudaSurfaceObject_t layers, cudaSurfaceObject_t faces, float* y) {
  const int i = static_cast<int>(threadIdx.x), x = 4 * (i % size), row = i / size % size,
            layer = i / size / size;
  surf2DLayeredwrite(surf2DLayeredread<float>(layers, x, row, layer) + 1000, layers, x, row, layer);
  surfCubemapwrite(static_cast<float>(i), faces, x, row, layer);
  y[i] = surf2DLayeredread<float>(layers, x, row, layer) + surfCubemapread<float>(faces, x, row, layer);
}

/// Of `layers` layers, whose elements tell where they are.
cudaArray_t numbered_array(int height, int layers, unsigned flags) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  REQUIRE(cudaMalloc3DArray(
              &array, &format,
              make_cudaExtent(size, static_cast<std::size_t>(height), static_cast<std::size_t>(layers)),
              flags) == cudaSuccess);
  std::vector<float> host;
  const int rows = height == 0 ? 1 : height;
  for (int layer = 0; layer < layers; ++layer)
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < size; ++i) host.push_back(static_cast<float>(100 * layer + 10 * row + i));
  cudaMemcpy3DParms copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(host.data(), size * sizeof(float), size, static_cast<std::size_t>(rows));
  copy.dstArray = array;
  copy.extent = make_cudaExtent(size, static_cast<std::size_t>(rows), static_cast<std::size_t>(layers));
  copy.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&copy) == cudaSuccess);
  return array;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter, bool normalized = false) {
  const cudaResourceDesc resource = resource_of(array);
  cudaTextureDesc description;
  std::memset(&description, 0, sizeof description);
  for (auto& mode : description.addressMode) mode = cudaAddressModeClamp;
  description.filterMode = filter;
  description.normalizedCoords = normalized ? 1 : 0;
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
  return texture;
}

void destroy(cudaTextureObject_t texture, cudaArray_t array) {
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

}  // namespace

TEST_CASE("a fetch from a layer") {
  device_array<float> d_y(3);
  const cudaArray_t lines = numbered_array(0, 3, cudaArrayLayered);
  const cudaTextureObject_t of_lines = texture_of(lines, cudaFilterModePoint);
  line_kernel<<<1, 3>>>(of_lines, d_y.data());
  CHECK(d_y.to_host() == std::vector<float>{1, 101, 201});
  destroy(of_lines, lines);
  // Layers are not mixed; within one, the neighbors are.
  const cudaArray_t planes = numbered_array(size, 3, cudaArrayLayered);
  const cudaTextureObject_t of_planes = texture_of(planes, cudaFilterModeLinear);
  plane_kernel<<<1, 3>>>(of_planes, d_y.data());
  CHECK(d_y.to_host() == std::vector<float>{11.75f, 111.75f, 211.75f});
  destroy(of_planes, planes);
}

TEST_CASE("a fetch from a cubemap") {
  const cudaArray_t cube = numbered_array(size, 6, cudaArrayCubemap);
  const std::vector<direction> towards{{1, 0.6f, -0.9f},  {-3, 0.6f, -0.9f}, {0.6f, 1, -0.9f},
                                       {0.6f, -2, -0.9f}, {0.6f, -0.9f, 1},  {0.6f, -0.9f, -1}};
  device_array<direction> d_towards(towards);
  device_array<float> d_y(towards.size());
  const cudaTextureObject_t points = texture_of(cube, cudaFilterModePoint, true);
  cube_kernel<<<1, 32>>>(points, d_towards.data(), 6, d_y.data());
  CHECK(d_y.to_host() == std::vector<float>{3, 111, 203, 322, 433, 530});
  CHECK(cudaDestroyTextureObject(points) == cudaSuccess);
  // Neighbors beyond an edge are those of the next face, and at a corner three faces meet.
  const cudaTextureObject_t smooth = texture_of(cube, cudaFilterModeLinear, true);
  device_array<direction> d_edges(std::vector<direction>{{1, 0.75f, 1}, {1, 1, 1}});
  cube_kernel<<<1, 2>>>(smooth, d_edges.data(), 2, d_y.data());
  CHECK(d_y.to_host()[0] == (403 + 0) / 2.0f);
  CHECK(d_y.to_host()[1] == (403 + 0 + 233) / 3.0f);
  destroy(smooth, cube);
  // Two cubes, one after the other.
  const cudaArray_t cubes = numbered_array(size, 12, cudaArrayCubemap | cudaArrayLayered);
  const cudaTextureObject_t of_cubes = texture_of(cubes, cudaFilterModePoint, true);
  cubes_kernel<<<1, 2>>>(of_cubes, d_y.data());
  const std::vector<float> both = d_y.to_host();
  CHECK(both[0] == 101);
  CHECK(both[1] == 701);
  destroy(of_cubes, cubes);
}

TEST_CASE("surfaces of layers and faces") {
  const cudaArray_t layers = numbered_array(size, 6, cudaArrayLayered | cudaArraySurfaceLoadStore),
                    faces = numbered_array(size, 6, cudaArrayCubemap | cudaArraySurfaceLoadStore);
  unsigned flags = 0;
  cudaExtent extent;
  CHECK(cudaArrayGetInfo(nullptr, &extent, &flags, faces) == cudaSuccess);
  CHECK(flags == (cudaArrayCubemap | cudaArraySurfaceLoadStore));
  CHECK(extent.depth == 6);
  const cudaResourceDesc of_layers = resource_of(layers), of_faces = resource_of(faces);
  cudaSurfaceObject_t a = 0, b = 0;
  REQUIRE(cudaCreateSurfaceObject(&a, &of_layers) == cudaSuccess);
  REQUIRE(cudaCreateSurfaceObject(&b, &of_faces) == cudaSuccess);
  device_array<float> d_y(96);
  surface_kernel<<<1, 96>>>(a, b, d_y.data());
  const std::vector<float> y = d_y.to_host();
  CHECK(y[0] == 1000);
  CHECK(y[95] == 1000 + 533 + 95);
  CHECK(cudaDestroySurfaceObject(a) == cudaSuccess);
  CHECK(cudaDestroySurfaceObject(b) == cudaSuccess);
  CHECK(cudaFreeArray(layers) == cudaSuccess);
  CHECK(cudaFreeArray(faces) == cudaSuccess);
}

TEST_CASE("layers and faces: what is refused, what is found") {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t none = nullptr;
  CHECK(cudaMalloc3DArray(&none, &floats, make_cudaExtent(4, 4, 5), cudaArrayCubemap) ==
        cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&none, &floats, make_cudaExtent(4, 5, 6), cudaArrayCubemap) ==
        cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&none, &floats, make_cudaExtent(4, 4, 0), cudaArrayLayered) ==
        cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&none, &floats, make_cudaExtent(4, 4, 2049), cudaArrayLayered) ==
        cudaErrorInvalidValue);
  (void)cudaGetLastError();
  device_array<float> d_y(3);
  device_array<direction> d_towards(std::vector<direction>{{1, 0, 0}});
  const cudaArray_t planes = numbered_array(size, 3, cudaArrayLayered), box = numbered_array(size, 3, 0);
  const cudaTextureObject_t of_planes = texture_of(planes, cudaFilterModePoint),
                            of_box = texture_of(box, cudaFilterModePoint);
  check_found(
      finding_kind::wrong_texture, {"plane_kernel", "4 x 4 x 3 elements of float", "cudaArrayLayered"},
      [&] { plane_kernel<<<1, 3>>>(of_box, d_y.data()); },
      [&] { plane_kernel<<<1, 3>>>(of_planes, d_y.data()); });
  check_found(
      finding_kind::wrong_texture, {"cube_kernel", "4 x 4 elements of float, 3 layers", "cudaArrayCubemap"},
      [&] { cube_kernel<<<1, 1>>>(of_planes, d_towards.data(), 1, d_y.data()); }, [] {});
  destroy(of_planes, planes);
  destroy(of_box, box);
}
