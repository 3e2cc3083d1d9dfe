// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the tests of the emulated device share. Those whose expected values hold on a GPU, too, build there
// as well:
//   nvcc -std=c++20 -arch=native -DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN tests/kernels/groups.cu
#pragma once

#include <cuda_runtime.h>

#include <doctest/doctest.h>

#include <functional>
#include <vector>

#if __has_include("emulator/control.hpp")
#include "emulator/control.hpp"
/// Not there where a test is compiled by nvcc, for a GPU: leaves out what only the emulated device says.
#define ON_EMULATED_DEVICE
#endif

inline void require_success(cudaError_t status) { REQUIRE(status == cudaSuccess); }

/// For SUBCASE-free loops: the whole of `work` under every order, and with one and with several workers.
#ifdef ON_EMULATED_DEVICE
void in_all_orders(const std::function<void()>& work);  // in main.cpp
#else
inline void in_all_orders(const std::function<void()>& work) { work(); }
#endif

/// Elements in device memory for the length of a test.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t size) : size_(size) {
    require_success(cudaMalloc(&data_, size * sizeof(T)));
    require_success(cudaMemset(data_, 0, size * sizeof(T)));
  }
  explicit device_array(const std::vector<T>& host) : device_array(host.size()) {
    require_success(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_array(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }
  T* data() { return data_; }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    require_success(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};
