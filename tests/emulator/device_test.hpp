// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// For tests whose expected values hold on a GPU, too: on the emulated device emulator_test.hpp, elsewhere the same
/// names without the choice of an order. How to build one for a GPU:
///   nvcc -std=c++20 -arch=native -I tests/emulator -DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN tests/emulator/groups.cu
#pragma once

#ifdef EMULATED_CUDA
#include "emulator_test.hpp"
#else

#include <cuda_runtime.h>

#include <doctest/doctest.h>

#include <string>
#include <vector>

template <class Work>
void in_all_orders(Work&& work) {
  work();
}

template <class T>
class device_array {
 public:
  explicit device_array(std::size_t size) : size_(size) {
    REQUIRE(cudaMalloc(&data_, size * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemset(data_, 0, size * sizeof(T)) == cudaSuccess);
  }
  explicit device_array(const std::vector<T>& host) : device_array(host.size()) {
    REQUIRE(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  }
  device_array(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }
  T* data() { return data_; }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    REQUIRE(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

#endif
