// SPDX-FileCopyrightText: The authors of From Convolution to Compression SPDX-License-Identifier: MIT
// Pictures that a kernel draws become JPEG files without leaving the device: only the files are copied to the
// host.
//     on_device    (writes 0.jpg, 1.jpg, 2.jpg)
// [example]
#include <cuda_runtime.h>
#include <dct/jpeg.hpp>

#include <cstdint>
#include <cstdio>
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

int main() try {
  constexpr int width = 320, height = 200;  // rows of 960 bytes: a multiple of 8
  dct::encoder encoder(width, height, 3, 75, dct::sampling::s420, {.restart_interval = 0, .optimized = 1});
  std::uint8_t *pixels = nullptr, *file = nullptr;
  if (cudaMalloc(&pixels, 3 * width * height) != cudaSuccess ||
      cudaMalloc(&file, encoder.room()) != cudaSuccess)
    throw std::runtime_error("too little memory on the device");
  for (int time = 0; time < 3; ++time) {
    paint<<<dim3((width + 127) / 128, height), 128>>>(pixels, width, height, time);
    std::vector<std::uint8_t> bytes(encoder.encode(pixels, 0, file, encoder.room()));
    cudaMemcpy(bytes.data(), file, bytes.size(), cudaMemcpyDeviceToHost);
    std::FILE* const out = std::fopen((std::to_string(time) + ".jpg").c_str(), "wb");
    if (out == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size() ||
        std::fclose(out) != 0)
      throw std::runtime_error("the file cannot be written");
  }
  cudaFree(pixels);
  cudaFree(file);
} catch (const std::exception& error) {
  std::fprintf(stderr, "on_device: %s\n", error.what());
  return 1;
}
// [example]
