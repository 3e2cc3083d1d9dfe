// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The smallest program whose copies overlap: eight chunks in two streams. It becomes a picture of this
// folder (docs/write/redraw), which shows whether they do. Its status is 1 if an output is wrong.
#include "common/device/check.hpp"
#include "common/device/pinned_buffer.hpp"

using namespace tutorial;

// [overlap]
constexpr int streams = 2, chunks = 8, chunk = 1000;  // samples in a chunk

/// x[i] = x[i] / 2
__global__ void halve_kernel(float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < chunk) x[i] *= 0.5f;
}

/// y[n] = x[n] / 2, for x and y in pinned memory.
void halve(const float* x, float* y) {
  constexpr int bytes = chunk * sizeof(float);
  cudaStream_t stream[streams];
  float* buffer[streams];  // room for one chunk on the device
  for (int s = 0; s < streams; ++s) {
    check(cudaStreamCreate(&stream[s]));
    check(cudaMalloc(&buffer[s], bytes));
  }
  for (int c = 0; c < chunks; ++c) {
    const int s = c % streams;
    check(cudaMemcpyAsync(buffer[s], x + c * chunk, bytes, cudaMemcpyHostToDevice, stream[s]));
    halve_kernel<<<4, 256, 0, stream[s]>>>(buffer[s]);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(y + c * chunk, buffer[s], bytes, cudaMemcpyDeviceToHost, stream[s]));
  }
  for (int s = 0; s < streams; ++s) {
    check(cudaStreamSynchronize(stream[s]));
    check(cudaStreamDestroy(stream[s]));
    check(cudaFree(buffer[s]));
  }
}
// [overlap]

int main() {
  pinned_buffer<float> x(chunks * chunk), y(chunks * chunk);
  for (int n = 0; n < chunks * chunk; ++n) x.data()[n] = float(n % 100);
  halve(x.data(), y.data());
  for (int n = 0; n < chunks * chunk; ++n)
    if (y.data()[n] != float(n % 100) / 2) return 1;
}
