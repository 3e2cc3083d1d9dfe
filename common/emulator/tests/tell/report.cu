// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A program that ends in all the ways that a program can end: report MODE. What its report says is for
// report.py.
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#ifdef EMULATED_CUDA
#include "emulator/control.hpp"
#include "emulator/counts.hpp"
#endif

template <class A, int Factor>
struct pair_of {
  A value;
};

/// y[i] = factor x[i]
template <class Pair, int Factor>
__global__ void scale_kernel(const float* x, float* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = Factor * x[i];
}

__constant__ float weights[2] = {0.5f, 0.25f};

/// A column of a tile of 32 x 32: 32 words of one bank.
__global__ void column_kernel(const float* x, float* y) {
  extern __shared__ float tile[];
  const unsigned t = threadIdx.x;
  tile[32 * t] = x[t];
  __syncthreads();
  y[t] = weights[t % 2] * tile[32 * t];
}

__global__ void race_kernel(float* y) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 1;
  y[threadIdx.x] = tile[63 - threadIdx.x];  // & "marked" <here>
}

__global__ void outside_kernel(float* y) { y[threadIdx.x + 40 * (threadIdx.x > 40)] = 0; }

__global__ void endless_kernel(volatile int* y) {
  while (*y == 0) {
  }
}

__global__ void gone_kernel(float* y);

namespace {

float *d_x, *d_y;

void two_kernels() {
  scale_kernel<pair_of<float, 2>, 3><<<2, 32>>>(d_x, d_y, 40);
  column_kernel<<<1, 32, 32 * 32 * sizeof(float)>>>(d_x, d_y);
}

/// Everything that is counted, a line for each launch, in the order of the page's columns.
void print_counts() {
#ifdef EMULATED_CUDA
  for (const cuda_emulator::kernel_counts& c : cuda_emulator::end_counting()) {
    std::printf("%s", c.kernel.c_str());
    for (const auto value : {c.threads,
                             c.global_loads,
                             c.global_load_bytes,
                             c.global_load_requests,
                             c.global_load_sectors,
                             c.global_stores,
                             c.global_store_bytes,
                             c.global_store_requests,
                             c.global_store_sectors,
                             c.shared_loads,
                             c.shared_load_bytes,
                             c.shared_load_requests,
                             c.shared_load_wavefronts,
                             c.shared_stores,
                             c.shared_store_bytes,
                             c.shared_store_requests,
                             c.shared_store_wavefronts,
                             c.constant_loads,
                             c.constant_load_bytes,
                             c.constant_requests,
                             c.constant_addresses,
                             c.barriers})
      std::printf(" %llu", static_cast<unsigned long long>(value));
    std::printf("\n");
  }
#endif
}

void finish() {
  cudaFree(d_x);
  cudaFree(d_y);
}

}  // namespace

int main(int count, char** words) {
  const std::string mode = count > 1 ? words[1] : "plain";
  if (mode == "nothing") return 0;
#ifdef EMULATED_CUDA
  cuda_emulator::begin_counting();
#endif
  if (cudaMalloc(&d_x, 64 * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&d_y, 64 * sizeof(float)) != cudaSuccess)
    return 3;
  cudaMemset(d_x, 0, 64 * sizeof(float));
  cudaMemset(d_y, 0, 64 * sizeof(float));
  if (mode == "many") {
    for (int i = 0; i < 5000; ++i) scale_kernel<pair_of<float, 2>, 3><<<1, 1>>>(d_x, d_y, 1);
  } else if (mode == "endless") {
    endless_kernel<<<1, 1>>>(reinterpret_cast<int*>(d_y));
  } else {
    two_kernels();
  }
#ifdef EMULATED_CUDA
  if (mode == "unseen") {
    cuda_emulator::set_unseen(true);
    two_kernels();
    cuda_emulator::set_unseen(false);
  }
  if (mode == "shown" || mode == "heard") cuda_emulator::keep_launches();
  if (mode == "shown") {
    const std::uint64_t first = cuda_emulator::next_launch();
    two_kernels();
    two_kernels();
    for (const cuda_emulator::shown_launch& each : cuda_emulator::show_launches(
             first, cuda_emulator::next_launch() - 1, "1 < 2 & so on", "banks", std::getenv("SHOWN_TRACE")))
      std::printf("%llu %s [%s] [%s]\n", static_cast<unsigned long long>(each.number), each.kernel.c_str(),
                  each.view.c_str(), each.options.c_str());
    scale_kernel<pair_of<float, 2>, 3><<<1, 1>>>(d_x, d_y, 1);
    // Only the sentence, now.
    cuda_emulator::show_launches(1, 0, "12 < 13 & so on", "", nullptr);
  }
  if (mode == "heard") {
    cuda_emulator::hear_findings([](const cuda_emulator::finding& found, std::uint64_t launch) {
      std::printf("heard of launch %llu: %s\n", static_cast<unsigned long long>(launch), found.what());
    });
    outside_kernel<<<1, 64>>>(d_y);
  }
#endif
  if (mode == "streams") {
    cudaStream_t streams[2];
    float* host;
    if (cudaMallocHost(&host, 64 * sizeof(float)) != cudaSuccess) return 3;
    for (int s = 0; s < 2; ++s) {
      cudaStreamCreate(&streams[s]);
      cudaMemcpyAsync(d_x + 32 * s, host, 32 * sizeof(float), cudaMemcpyHostToDevice, streams[s]);
      scale_kernel<pair_of<float, 2>, 3><<<1, 32, 0, streams[s]>>>(d_x + 32 * s, d_y + 32 * s, 32);
    }
    cudaDeviceSynchronize();
    for (cudaStream_t each : streams) cudaStreamDestroy(each);
    cudaFreeHost(host);
  }
  if (mode == "race") race_kernel<<<1, 64>>>(d_y);
  if (mode == "gone") gone_kernel<<<1, 32>>>(d_y);
  if (mode == "refused") two_kernels(), scale_kernel<pair_of<float, 2>, 3><<<1, 2000>>>(d_x, d_y, 1);
  if (mode == "exit") {
    finish();
    std::exit(7);
  }
  if (mode == "leave") return 0;
  if (mode == "throw") throw std::runtime_error("nobody catches this");
  if (mode == "crash") *static_cast<volatile int*>(nullptr) = 1;
  if (mode == "wait") {  // until the caller says so
    std::puts("waits");
    std::fflush(stdout);
    std::getchar();
  }
  if (mode == "fork") {
    if (fork() == 0) std::exit(0);
    usleep(300'000);
  }
  if (mode == "failed") {
    cudaMemcpy(d_x, &mode, 4, cudaMemcpyDeviceToDevice);
    cudaFree(d_x + 1);
  }
  if (mode == "elsewhere" && chdir("/") != 0) return 3;
  finish();
  print_counts();
}

// As a generator writes it whose own file is not there.
#line 7 "gone.cu"
__global__ void gone_kernel(float* y) { y[64 + threadIdx.x] = 0; }
