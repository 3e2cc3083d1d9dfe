// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A complete CUDA program that copies one channel out of a recording with 32 channels.
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program if CUDA refused something.
void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("error: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

// [kernel]
constexpr int channels = 32, frames = 4096;

/// Where the recording keeps this sample.
__host__ __device__ int place(int frame, int channel) { return frame * channels + channel; }

/// y[i] = the sample of channel 0 in frame i, one thread per frame.
__global__ void copy_channel_kernel(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frames) return;
  y[i] = x[place(i, 0)];
}
// [kernel]

int main() {
  std::vector<float> x(frames * channels), y(frames);
  for (int frame = 0; frame < frames; ++frame)
    for (int channel = 0; channel < channels; ++channel)
      x[place(frame, channel)] = channel == 0 ? frame : -1.0f;  // only channel 0 counts its frames

  float *d_x = nullptr, *d_y = nullptr;
  check(cudaMalloc(&d_x, x.size() * sizeof(float)));
  check(cudaMalloc(&d_y, y.size() * sizeof(float)));
  check(cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));

  const int threads = 256;
  const int blocks = (frames + threads - 1) / threads;
  copy_channel_kernel<<<blocks, threads>>>(d_x, d_y);
  check(cudaGetLastError());
  check(cudaMemcpy(y.data(), d_y, y.size() * sizeof(float), cudaMemcpyDeviceToHost));  // waits for the kernel
  check(cudaFree(d_x));
  check(cudaFree(d_y));

  int right = 0;
  for (int frame = 0; frame < frames; ++frame) right += y[frame] == frame;
  std::printf("%d of %d samples are right\n", right, frames);
}
