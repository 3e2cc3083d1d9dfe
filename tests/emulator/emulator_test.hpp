// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the tests of the emulated device share. Those whose expected values hold on a GPU, too, build there
/// as well:
///   nvcc -std=c++20 -arch=native -DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN tests/emulator/groups.cu
#pragma once

#include <cuda_runtime.h>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#if __has_include("emulator/control.hpp")
#include "emulator/control.hpp"
/// Not there where a test is compiled by nvcc, for a GPU: leaves out what only the emulated device says.
#define ON_EMULATED_DEVICE
#endif

/// For SUBCASE-free loops: the whole of `work` under every order, and with one and with several workers.
template <class Work>
void in_all_orders(Work&& work) {
#ifdef ON_EMULATED_DEVICE
  for (const char* order : {"forward", "reverse", "random:1", "random:2", "random:12345678901"}) {
    for (const int threads : {1, 3}) {
      CAPTURE(order);
      CAPTURE(threads);
      REQUIRE(cuda_emulator::set_order(order));
      cuda_emulator::set_threads(threads);
      work();
    }
  }
  cuda_emulator::set_order("forward");
  cuda_emulator::set_threads(2);
#else
  work();
#endif
}

/// Elements in device memory for the length of a test.
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
