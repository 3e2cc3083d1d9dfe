// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A kernel that waits for a flag of the host, and who raises it. late: another thread, after a while. never:
// that thread waits for a sign of the first one, which comes when the kernel has ended; device: it waits for
// the device itself; ended: it has ended; own: the thread that launches the kernel, after the launch.
// counter: a kernel that looks at one variable all the time, and changes it.
#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

__global__ void wait_kernel(const volatile int* flag, int* y) {
  while (*flag == 0) continue;
  y[threadIdx.x] = 1;
}

__global__ void count_kernel(float* count, int size) {
  for (int i = 0; i < size; ++i) atomicAdd(count, 1.0f);
}

int main(int arguments, char** argument) {
  const std::string who = arguments > 1 ? argument[1] : "late";
  const int tenths = arguments > 2 ? std::atoi(argument[2]) : 0;
  volatile int* flag = nullptr;
  int* y = nullptr;
  cudaStream_t stream;
  if (cudaMallocHost(reinterpret_cast<void**>(const_cast<int**>(&flag)), 2 * sizeof(int)) != cudaSuccess ||
      cudaMalloc(&y, 32 * sizeof(int)) != cudaSuccess || cudaStreamCreate(&stream) != cudaSuccess)
    return 3;
  *flag = 0;
  const auto release = [&] {
    cudaStreamDestroy(stream);
    cudaFree(y);
    return cudaFreeHost(const_cast<int*>(flag)) == cudaSuccess ? 0 : 3;
  };
  if (who == "counter") {
    cudaMemset(y, 0, sizeof(int));
    count_kernel<<<1, 1>>>(reinterpret_cast<float*>(y), tenths * 1000000);
    const cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? release() : 3;
  }
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::atomic<bool> launched{false};
  std::thread other([&] {
    if (who == "late") {
      std::this_thread::sleep_for(std::chrono::milliseconds(100 * tenths));
      *flag = 1;
    } else if (who == "never") {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return ended; });
      *flag = 1;
    } else if (who == "device") {
      while (!launched) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      cudaDeviceSynchronize();
      *flag = 1;
    }
  });
  if (who == "ended") other.join();
  launched = true;
  wait_kernel<<<1, 32, 0, stream>>>(const_cast<int*>(flag), y);
  if (who == "own") *flag = 1;
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  changed.notify_all();
  if (other.joinable()) other.join();
  return release();
}
