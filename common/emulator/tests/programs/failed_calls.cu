// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Calls of the runtime that fail, by programs that do not look, and by such that do: failed_calls WAY.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

__global__ void scale_kernel(float* x, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] *= 2;
}

__global__ void trap_kernel() { __trap(); }

constexpr std::size_t too_much = std::size_t{1} << 60;

/// Both sides are the host's: refused.
cudaError_t wrong_copy() {
  float from[4] = {}, to[4] = {};
  return cudaMemcpy(to, from, sizeof from, cudaMemcpyHostToDevice);  // wrong copy
}

void fail(const std::string& way) {
  float* x = nullptr;
  if (way == "copies") {
    float host[16] = {};
    cudaMalloc(&x, sizeof host);
    cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyDeviceToHost);  // async copy
    for (int i = 0; i < 2000; ++i) wrong_copy();
    cudaFree(x);
  } else if (way == "allocation") {
    cudaMalloc(&x, too_much);  // allocation
    scale_kernel<<<1, 64>>>(x, 0);
  } else if (way == "null") {
    cudaMalloc(&x, too_much);
    scale_kernel<<<1, 64>>>(x, 64);
  } else if (way == "freed") {
    cudaMalloc(&x, 400);  // freed memory
    cudaFree(x);
    cudaFree(x);  // twice
  } else if (way == "inside") {
    cudaMalloc(&x, 400);  // memory
    cudaFree(x + 1);      // inside
    cudaFree(x);
  } else if (way == "pinned") {
    cudaMallocHost(&x, 400);
    cudaFree(x);  // pinned
    cudaFreeHost(x);
  } else if (way == "of_device") {
    cudaMalloc(&x, 400);
    cudaFreeHost(x);  // of device
    cudaFree(x);
  } else if (way == "of_host") {
    float host[4] = {};
    cudaFree(host);  // of host
  } else if (way == "no_blocks") {
    scale_kernel<<<100 / 256, 256>>>(x, 0);  // no blocks
  } else if (way == "launch") {
    scale_kernel<<<1, 2048>>>(x, 0);  // launch
  } else if (way == "by_address") {
    int none = 0;
    void* arguments[] = {&x, &none};
    cudaLaunchKernel(scale_kernel, dim3(1), dim3(2048), arguments);  // by address
  } else if (way == "attribute") {
    cudaFuncSetAttribute(scale_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);  // attribute
  } else if (way == "box") {
    const cuuint64_t size[] = {64, 64}, stride = 256;
    const cuuint32_t box[] = {300, 1}, one[] = {1, 1};
    const auto type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    CUtensorMap map;
    cuTensorMapEncodeTiled(&map, type, 2, x, size, &stride, box, one, {}, {}, {}, {});  // box
  } else if (way == "kernel") {
    trap_kernel<<<1, 1>>>();  // kernel
    std::printf("%d\n", cudaGetLastError());
  } else if (way == "wait") {
    trap_kernel<<<1, 1>>>();
    cudaDeviceSynchronize();  // wait
    for (int i = 0; i < 5; ++i) cudaMalloc(&x, 4);
  } else if (way == "status") {
    wrong_copy();
    std::exit(3);
  } else if (way == "other_thread") {  // which does not see what this one has asked
    std::thread([] { wrong_copy(); }).join();
    std::printf("%d\n", cudaGetLastError());
  } else if (way == "other_error") {
    wrong_copy();
    std::printf("%s\n", cudaGetErrorString(cudaMalloc(&x, too_much)));
  } else if (way == "last_error") {
    wrong_copy();
    scale_kernel<<<1, 2048>>>(x, 0);
    std::printf("%d\n", cudaGetLastError());
  } else if (way == "peek") {
    wrong_copy();
    std::printf("%d\n", cudaPeekAtLastError());
  } else if (way == "string") {
    std::printf("%s\n", cudaGetErrorString(wrong_copy()));
  } else if (way == "name") {
    std::printf("%s\n", cudaGetErrorName(cudaMalloc(&x, too_much)));
  } else if (way == "known") {  // reported once, what follows is no news
    trap_kernel<<<1, 1>>>();
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMalloc(&x, 4);
    scale_kernel<<<1, 64>>>(x, 0);
  } else if (way == "by_design") {
    cudaDeviceEnablePeerAccess(0, 0);
    cudaDeviceDisablePeerAccess(0);
    cudaStreamQuery(nullptr);
  } else {
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMemset(x, 0, 64 * sizeof(float));
    scale_kernel<<<1, 64>>>(x, 64);
    cudaFree(x);
  }
}

}  // namespace

int main(int count, char** words) { fail(count > 1 ? words[1] : ""); }
