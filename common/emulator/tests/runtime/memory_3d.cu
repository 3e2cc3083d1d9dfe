// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Boxes of memory: copies and arrays of three dimensions, what they refuse, and what kernels then find in
// them. What only the emulated device says is asked for at the end.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "../emulator_test.hpp"
#ifdef ON_EMULATED_DEVICE
#include "../findings.hpp"
#endif

namespace {

std::vector<int> counting(std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

cudaMemcpy3DParms no_copy() {
  cudaMemcpy3DParms p;
  std::memset(&p, 0, sizeof p);
  return p;
}

/// `width` ints in a row, without gaps.
cudaPitchedPtr packed(int* data, std::size_t width, std::size_t height) {
  return make_cudaPitchedPtr(data, width * sizeof(int), width, height);
}

cudaArray_t new_array(std::size_t width, std::size_t height, std::size_t depth) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth)) == cudaSuccess);
  return array;
}

__global__ void sum_kernel(const int* from, std::size_t pitch, std::size_t rows, int width, int height,
                           int depth, int* sum) {
  int total = 0;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y) {
      const char* const row = reinterpret_cast<const char*>(from) +
                              (static_cast<std::size_t>(z) * rows + static_cast<std::size_t>(y)) * pitch;
      for (int x = 0; x < width; ++x) total += reinterpret_cast<const int*>(row)[x];
    }
  *sum = total;
}

}  // namespace

TEST_CASE("pitched boxes: allocated, filled, copied in and out") {
  constexpr std::size_t width = 5, height = 4, depth = 3;
  cudaPitchedPtr box;
  REQUIRE(cudaMalloc3D(&box, make_cudaExtent(width * sizeof(int), height, depth)) == cudaSuccess);
  CHECK(box.pitch >= width * sizeof(int));
  CHECK(box.pitch % 32 == 0);
  CHECK(box.xsize == width * sizeof(int));
  CHECK(box.ysize == height);
  std::vector<int> host = counting(width * height * depth), back(host.size(), -1);
  cudaMemcpy3DParms in = no_copy();
  in.srcPtr = packed(host.data(), width, height);
  in.dstPtr = box;
  in.extent = make_cudaExtent(width * sizeof(int), height, depth);
  in.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&in) == cudaSuccess);
  cudaMemcpy3DParms out = no_copy();
  out.srcPtr = box;
  out.dstPtr = packed(back.data(), width, height);
  out.extent = in.extent;
  out.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3DAsync(&out, nullptr) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(back == host);

  device_array<int> d_sum(1);
  sum_kernel<<<1, 1>>>(static_cast<const int*>(box.ptr), box.pitch, box.ysize, width, height, depth,
                       d_sum.data());
  CHECK(d_sum.to_host()[0] == 59 * 60 / 2);

  // A part of it: x counts in bytes.
  REQUIRE(cudaMemset3D(box, 0, in.extent) == cudaSuccess);
  in.srcPos = make_cudaPos(2 * sizeof(int), 1, 0);
  in.dstPos = make_cudaPos(sizeof(int), 2, 1);
  in.extent = make_cudaExtent(2 * sizeof(int), 2, 2);
  REQUIRE(cudaMemcpy3D(&in) == cudaSuccess);
  REQUIRE(cudaMemcpy3D(&out) == cudaSuccess);
  const auto at = [&](const std::vector<int>& of, std::size_t x, std::size_t y, std::size_t z) {
    return of[(z * height + y) * width + x];
  };
  CHECK(at(back, 1, 2, 1) == at(host, 2, 1, 0));
  CHECK(at(back, 2, 3, 2) == at(host, 3, 2, 1));
  CHECK(at(back, 0, 2, 1) == 0);
  CHECK(at(back, 3, 2, 1) == 0);
  CHECK(std::accumulate(back.begin(), back.end(), 0) == 7 + 8 + 12 + 13 + 27 + 28 + 32 + 33);

  REQUIRE(cudaMemset3DAsync(box, 1, make_cudaExtent(sizeof(int), 1, 2), nullptr) == cudaSuccess);
  REQUIRE(cudaMemcpy3D(&out) == cudaSuccess);
  CHECK(at(back, 0, 0, 0) == 0x01010101);
  CHECK(at(back, 0, 0, 1) == 0x01010101);
  CHECK(at(back, 1, 0, 0) == 0);
  CHECK(at(back, 0, 0, 2) == 0);
  CHECK(cudaFree(box.ptr) == cudaSuccess);
}

TEST_CASE("a copy reads and writes nothing of the host's memory behind its box") {
  constexpr std::size_t width = 5, height = 4, depth = 3, size = width * height * depth;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(pages != MAP_FAILED);
  REQUIRE(mprotect(static_cast<char*>(pages) + page, page, PROT_NONE) == 0);
  int* const last = reinterpret_cast<int*>(static_cast<char*>(pages) + page) - size;
  std::iota(last, last + size, 0);
  device_array<int> d_x(size);
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  const auto both_ways = [&](const cudaExtent& extent) {
    cudaMemcpy3DParms p = no_copy();
    p.extent = extent;
    p.srcPtr = packed(last, width, height);
    p.dstPtr = packed(d_x.data(), width, height);
    p.kind = cudaMemcpyHostToDevice;
    REQUIRE(cudaMemcpy3DAsync(&p, stream) == cudaSuccess);
    std::fill(last, last + size, -1);  // it has been read when the call returns
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    std::swap(p.srcPtr, p.dstPtr);
    p.kind = cudaMemcpyDeviceToHost;
    REQUIRE(cudaMemcpy3D(&p) == cudaSuccess);
    CHECK(std::vector<int>(last, last + size) == counting(size));
  };
  const cudaExtent all = make_cudaExtent(width * sizeof(int), height, depth);
  in_all_orders([&] { both_ways(all); });
  REQUIRE(cudaMemcpy2D(d_x.data(), 20, last, 20, 20, height * depth, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(d_x.to_host() == counting(size));
  munmap(pages, 2 * page);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("boxes of arrays: in elements") {
  const cudaArray_t array = new_array(5, 4, 3), other = new_array(5, 4, 3);
  cudaExtent extent;
  cudaChannelFormatDesc format;
  unsigned int flags = 1;
  REQUIRE(cudaArrayGetInfo(&format, &extent, &flags, array) == cudaSuccess);
  CHECK(extent.width == 5);
  CHECK(extent.height == 4);
  CHECK(extent.depth == 3);
  CHECK(format.x == 32);
  CHECK(flags == cudaArrayDefault);
  std::vector<int> host = counting(60), back(60, -1);
  cudaMemcpy3DParms in = no_copy();
  in.srcPtr = packed(host.data(), 5, 4);
  in.dstArray = array;
  in.extent = make_cudaExtent(5, 4, 3);
  in.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&in) == cudaSuccess);
  cudaMemcpy3DParms across = no_copy();
  across.srcArray = array;
  across.dstArray = other;
  across.extent = make_cudaExtent(5, 4, 3);
  across.kind = cudaMemcpyDeviceToDevice;
  REQUIRE(cudaMemcpy3D(&across) == cudaSuccess);
  across.srcPos = make_cudaPos(3, 3, 2);
  across.extent = make_cudaExtent(2, 1, 1);
  REQUIRE(cudaMemcpy3D(&across) == cudaSuccess);
  cudaMemcpy3DParms out = no_copy();
  out.srcArray = other;
  out.dstPtr = packed(back.data(), 5, 4);
  out.extent = make_cudaExtent(5, 4, 3);
  out.kind = cudaMemcpyDeviceToHost;
  REQUIRE(cudaMemcpy3D(&out) == cudaSuccess);
  CHECK(back[0] == 58);
  CHECK(back[1] == 59);
  CHECK(back[2] == 2);
  CHECK(back[59] == 59);

  // Outside of the array, on each axis; and what does not fit together.
  for (const cudaPos at : {make_cudaPos(4, 0, 0), make_cudaPos(0, 4, 0), make_cudaPos(0, 0, 3)}) {
    across.srcPos = at;
    CHECK(cudaMemcpy3D(&across) == cudaErrorInvalidValue);
  }
  across.srcPos = make_cudaPos(0, 0, 0);
  across.srcPtr = packed(host.data(), 5, 4);
  CHECK(cudaMemcpy3D(&across) == cudaErrorInvalidValue);  // two sources
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(other) == cudaSuccess);
  (void)cudaGetLastError();
}

TEST_CASE("what allocations of boxes and arrays refuse") {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  const auto made = [&](cudaExtent extent, unsigned int flags = 0) {
    const cudaError_t error = cudaMalloc3DArray(&array, &floats, extent, flags);
    if (error == cudaSuccess) CHECK(cudaFreeArray(array) == cudaSuccess);
    (void)cudaGetLastError();
    return error;
  };
  CHECK(made(make_cudaExtent(4, 0, 0)) == cudaSuccess);
  CHECK(made(make_cudaExtent(4, 3, 0)) == cudaSuccess);
  CHECK(made(make_cudaExtent(4, 3, 2)) == cudaSuccess);
  CHECK(made(make_cudaExtent(0, 3, 2)) == cudaErrorInvalidValue);
  CHECK(made(make_cudaExtent(4, 0, 2)) == cudaErrorInvalidValue);
  CHECK(made(make_cudaExtent(16385, 1, 1)) == cudaErrorInvalidValue);
  // Deeper where it is no wider and no higher than 8192.
  CHECK(made(make_cudaExtent(1, 1, 32768)) == cudaSuccess);
  CHECK(made(make_cudaExtent(1, 1, 32769)) == cudaErrorInvalidValue);
  CHECK(made(make_cudaExtent(8193, 1, 16385)) == cudaErrorInvalidValue);
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  CHECK(cudaMalloc3DArray(&array, &three, make_cudaExtent(4, 3, 2)) == cudaErrorInvalidChannelDescriptor);
  (void)cudaGetLastError();
}

TEST_CASE("copies between devices, of which there is one") {
  device_array<int> d_a(counting(8)), d_b(8);
  CHECK(cudaMemcpyPeer(d_b.data(), 0, d_a.data(), 0, 8 * sizeof(int)) == cudaSuccess);
  CHECK(d_b.to_host() == counting(8));
  CHECK(cudaMemcpyPeer(d_b.data(), 77, d_a.data(), 0, 8 * sizeof(int)) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyPeerAsync(d_b.data(), 0, d_a.data(), 77, 8 * sizeof(int), nullptr) ==
        cudaErrorInvalidDevice);
  int can = 1;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
  CHECK(can == 0);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  (void)cudaGetLastError();
}

TEST_CASE("rows too long and slices too high") {
  cudaPitchedPtr box;
  REQUIRE(cudaMalloc3D(&box, make_cudaExtent(20, 4, 3)) == cudaSuccess);
  std::vector<int> host(60);
  cudaMemcpy3DParms in = no_copy();
  in.srcPtr = packed(host.data(), 5, 4);
  in.dstPtr = box;
  in.kind = cudaMemcpyHostToDevice;
  const auto of = [&](std::size_t width, std::size_t height, std::size_t depth) {
    in.extent = make_cudaExtent(width, height, depth);
    return cudaMemcpy3D(&in);
  };
  CHECK(of(20, 4, 3) == cudaSuccess);
  CHECK(of(20, 4, 4) == cudaErrorInvalidValue);  // a slice too many
  CHECK(of(24, 1, 1) == cudaErrorInvalidValue);
  CHECK(of(20, 5, 2) == cudaErrorInvalidPitchValue);  // would run into the next slice
  CHECK(of(0, 4, 3) == cudaSuccess);
  in.srcPtr = make_cudaPitchedPtr(host.data(), 0, 0, 0);
  CHECK(of(20, 1, 1) == cudaSuccess);  // a single row needs no pitch
  in.srcPtr = packed(host.data(), 5, 4);
  in.kind = static_cast<cudaMemcpyKind>(7);
  CHECK(of(20, 4, 3) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemset3D(box, 0, make_cudaExtent(20, 4, 4)) == cudaErrorInvalidValue);
  CHECK(cudaMemset3D(box, 0, make_cudaExtent(20, 5, 1)) == cudaErrorInvalidValue);
  CHECK(cudaMemset3D(box, 0, make_cudaExtent(box.pitch + 1, 1, 1)) == cudaSuccess);
  CHECK(cudaFree(box.ptr) == cudaSuccess);
  (void)cudaGetLastError();
}

#ifdef ON_EMULATED_DEVICE
TEST_CASE("what is outside of a box, freed or the wrong way round is refused") {
  cudaPitchedPtr box;
  REQUIRE(cudaMalloc3D(&box, make_cudaExtent(20, 4, 3)) == cudaSuccess);
  std::vector<int> host(60);
  cudaMemcpy3DParms in = no_copy();
  in.srcPtr = packed(host.data(), 5, 4);
  in.dstPtr = box;
  in.kind = cudaMemcpyHostToDevice;
  const auto of = [&](std::size_t width, std::size_t height, std::size_t depth) {
    in.extent = make_cudaExtent(width, height, depth);
    return cudaMemcpy3D(&in);
  };
  CHECK(of(20, 4, 3) == cudaSuccess);
  in.kind = cudaMemcpyDeviceToHost;
  CHECK(of(20, 4, 3) == cudaErrorInvalidValue);
  in.kind = cudaMemcpyDefault;
  CHECK(of(20, 4, 3) == cudaSuccess);
  const cudaArray_t array = new_array(5, 4, 3), bytes = [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<char>();
    cudaArray_t made = nullptr;
    REQUIRE(cudaMalloc3DArray(&made, &format, make_cudaExtent(20, 4, 3)) == cudaSuccess);
    return made;
  }();
  in = no_copy();
  in.srcPtr = packed(host.data(), 5, 4);
  in.dstArray = array;
  in.kind = cudaMemcpyDeviceToHost;
  CHECK(of(5, 4, 3) == cudaErrorInvalidValue);  // an array is on the device
  in = no_copy();
  in.srcArray = bytes;
  in.dstArray = array;
  in.kind = cudaMemcpyDeviceToDevice;
  CHECK(of(5, 4, 3) == cudaErrorInvalidValue);  // elements of another size
  CHECK(cudaFreeArray(array) == cudaSuccess);
  in = no_copy();
  in.srcPtr = packed(host.data(), 5, 4);
  in.dstArray = array;
  in.kind = cudaMemcpyHostToDevice;
  CHECK(of(5, 4, 3) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFreeArray(bytes) == cudaSuccess);
  CHECK(cudaFree(box.ptr) == cudaSuccess);
  in = no_copy();
  in.srcPtr = packed(host.data(), 5, 4);
  in.dstPtr = box;
  in.kind = cudaMemcpyHostToDevice;
  CHECK(of(20, 4, 3) == cudaErrorInvalidValue);  // freed
  CHECK(cudaMemcpy3D(nullptr) == cudaErrorInvalidValue);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t none = nullptr;
  for (const unsigned int flag : {cudaArrayTextureGather, cudaArraySparse})
    CHECK(cudaMalloc3DArray(&none, &floats, make_cudaExtent(4, 4, 6), flag) == cudaErrorNotSupported);
  (void)cudaGetLastError();
}

TEST_CASE("a box that was copied in part is written in part") {
  cudaPitchedPtr box;
  REQUIRE(cudaMalloc3D(&box, make_cudaExtent(5 * sizeof(int), 4, 3)) == cudaSuccess);
  std::vector<int> host = counting(60);
  cudaMemcpy3DParms in = no_copy();
  in.srcPtr = packed(host.data(), 5, 4);
  in.dstPtr = box;
  in.extent = make_cudaExtent(5 * sizeof(int), 4, 2);
  in.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&in) == cudaSuccess);
  device_array<int> d_sum(1);
  const auto sum = [&](int width, int depth) {
    return [=, &d_sum] {
      sum_kernel<<<1, 1>>>(static_cast<const int*>(box.ptr), box.pitch, box.ysize, width, 4, depth,
                           d_sum.data());
    };
  };
  check_found(cuda_emulator::finding_kind::uninitialized_read, {"sum_kernel"}, sum(5, 3), sum(5, 2));
  check_found(cuda_emulator::finding_kind::uninitialized_read, {"sum_kernel"}, sum(6, 2), sum(5, 2));
  CHECK(cudaFree(box.ptr) == cudaSuccess);
}
#endif
