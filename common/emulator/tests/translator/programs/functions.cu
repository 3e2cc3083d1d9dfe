// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Lambdas, function objects, classes: where CUDA's words stand in modern C++.
#include <type_traits>

#include "kernels.cuh"
#include "programs.hpp"

namespace programs {
namespace {

template <class Function>
__global__ void for_each_index(int size, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) function(i);
}

class number {
 public:
  __host__ __device__ constexpr number(int value = 0) : value_{value}, twice_(2 * value) {}
  __host__ __device__ number(const number&) = default;
  __host__ __device__ number& operator=(const number& other) = default;
  __host__ __device__ explicit operator int() const { return value_; }
  __host__ __device__ friend number operator+(number a, number b) { return number{a.value_ + b.value_}; }
  __host__ __device__ auto twice() const noexcept -> int { return twice_; }
  template <class T>
  __host__ __device__ bool operator<(const T& other) const {
    return value_ < other;
  }
  __device__ number operator()(int) = delete;
  ~number() = default;

 private:
  int value_, twice_;
};

struct increment {
  int by;
  int* values;
  __device__ void operator()(int i) const { values[i] = int(number{values[i]} + number(by)); }
};

__global__ void shared_lambdas_kernel(int* out) {
  __shared__ int tile[32];
  extern __shared__ int more[];
  const int me = threadIdx.x;
  auto store = [=](int i, int value) { tile[i] = value; };
  auto at = [](int i) { return tile[i] + more[i]; };
  struct neighbor {
    __device__ static int of(int i) { return (i + 1) % 32; }
  };
  store(me, 10 * me);
  more[me] = me;
  __syncthreads();
  out[me] = at(neighbor::of(me)) + [&] { return tile[me]; }() + [me](int k) { return tile[me] * k; }(0);
}

template <class T>
__global__ void set(T* values, T value) {
  values[threadIdx.x] = value;
}

class launcher {
 public:
  explicit launcher(int* values) : values_(values) {}
  void run() {
    set<<<grid_, block_>>>(values_, 1);
    this->kernel_<<<this->grid_, block_>>>(values_ + 1, 2);
    const auto later = [this](int value) { set<int><<<grid_, block_>>>(values_ + 2, value); };
    later(3);
    launch_as<int>(values_ + 3, 4);
    if (values_) (set<int>)<<<1, 1>>>(values_ + 4, 5);
    kernels_.choose()<<<1, 1>>>(values_ + 5, 6);
    set<<<1, 1>>>(values_ + 6, kernels_.chosen);
  }

 private:
  template <class T>
  void launch_as(T* values, T value) const {
    auto kernel = set<T>;
    // clang-format off
    kernel<<<grid_, sizeof(T) >> 2>>>(values, value);
    // clang-format on
  }

  // Not copyable, and counts how often it was asked.
  struct chooser {
    chooser() = default;
    chooser(const chooser&) = delete;
    auto choose() -> void (*)(int*, int) {
      ++chosen;
      return set<int>;
    }
    int chosen = 0;
  };

  int* values_;
  chooser kernels_;
  dim3 grid_{1}, block_{1};
  void (*kernel_)(int*, int) = set<int>;
};

std::vector<int> with_device_memory(int size, void (*use)(int*, int)) {
  int* device;
  std::vector<int> host(size);
  checked(cudaMalloc(&device, size * sizeof(int)));
  use(device, size);
  checked(cudaMemcpy(host.data(), device, size * sizeof(int), cudaMemcpyDeviceToHost));
  checked(cudaFree(device));
  return host;
}

void square_and_increment(int* values, int size) {
  for_each_index<<<size / 32 + 1, 32>>>(size, [=] __device__(int i) { values[i] = i * i; });
  for_each_index<<<size / 32 + 1, 32>>>(size, increment{2, values});
  const auto decrement = [values] __host__ __device__(int i) {
    if (number(i) < 1 << 30) values[i] -= number(1).twice();
  };
  for_each_index<std::decay_t<decltype(decrement)>><<<size / 32 + 1, 32>>>(size, decrement);
}

void use_shared_lambdas(int* values, int) { shared_lambdas_kernel<<<1, 32, 32 * sizeof(int)>>>(values); }

void use_launcher(int* values, int) { launcher(values).run(); }

}  // namespace

std::vector<int> lambdas(int size) { return with_device_memory(size, square_and_increment); }
std::vector<int> shared_in_lambdas() { return with_device_memory(32, use_shared_lambdas); }
std::vector<int> members() { return with_device_memory(7, use_launcher); }

}  // namespace programs
