// SPDX-FileCopyrightText: The authors of From Convolution to Compression SPDX-License-Identifier: MIT
// Pictures that a kernel draws become JPEG files without leaving the device: only the files are copied to the
// host. Then the files become pictures on the device again, all at once.
//     on_device    (writes 0.jpg, 1.jpg, 2.jpg)
#include <cuda_runtime.h>
#include <dct/jpeg.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

__global__ void paint(std::uint8_t* rgb, int width, int height, int time) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (col >= width || row >= height) return;
  std::uint8_t* const pixel = rgb + 3 * (row * width + col);
  pixel[0] = std::uint8_t(255 * col / width);
  pixel[1] = std::uint8_t(255 * row / height);
  pixel[2] = (col / 40 + row / 40 + time) % 2 ? 200 : 60;
}

__global__ void compare(const std::uint8_t* a, const std::uint8_t* b, int count, int* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicMax(largest, abs(a[i] - b[i]));
}

// [example]
int main() try {
  constexpr int width = 320, height = 200, size = 3 * width * height;  // rows of 960 bytes: a multiple of 8
  dct::encoder encoder(width, height, 3, 75, dct::sampling::s420, {.restart_interval = 0, .optimized = 1});
  std::uint8_t *pixels = nullptr, *again = nullptr, *file = nullptr;
  int* largest = nullptr;
  if (cudaMalloc(&pixels, 3 * size) != cudaSuccess || cudaMalloc(&again, 3 * size) != cudaSuccess ||
      cudaMalloc(&file, encoder.room()) != cudaSuccess ||
      cudaMallocManaged(&largest, sizeof(int)) != cudaSuccess)
    throw std::runtime_error("too little memory on the device");
  std::vector<std::uint8_t> files[3];
  cudaStream_t streams[3];
  for (int time = 0; time < 3; ++time) {
    cudaStreamCreateWithFlags(&streams[time], cudaStreamNonBlocking);
    paint<<<dim3((width + 127) / 128, height), 128, 0, streams[time]>>>(pixels + time * size, width, height,
                                                                        time);
    std::vector<std::uint8_t>& bytes = files[time];
    bytes.resize(encoder.encode(pixels + time * size, 0, file, encoder.room(), streams[time]));
    cudaMemcpy(bytes.data(), file, bytes.size(), cudaMemcpyDeviceToHost);
    std::FILE* const out = std::fopen((std::to_string(time) + ".jpg").c_str(), "wb");
    if (out == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size() ||
        std::fclose(out) != 0)
      throw std::runtime_error("the file cannot be written");
  }
  dct::decoder decoders[3];
  for (int time = 0; time < 3; ++time)  // all begin before we wait for one
    decoders[time].begin(files[time].data(), files[time].size(), again + time * size, 0, streams[time]);
  bool by_device = true;
  for (dct::decoder& each : decoders) by_device &= each.finish();
  *largest = 0;
  compare<<<(3 * size + 255) / 256, 256>>>(pixels, again, 3 * size, largest);
  cudaDeviceSynchronize();
  std::printf("%s; values differ by at most %d\n", by_device ? "read by the device" : "read by libjpeg",
              *largest);
  for (void* memory : {static_cast<void*>(pixels), static_cast<void*>(again), static_cast<void*>(file),
                       static_cast<void*>(largest)})
    cudaFree(memory);
} catch (const std::exception& error) {
  std::fprintf(stderr, "on_device: %s\n", error.what());
  return 1;
}
// [example]
