// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Loops of the host: the compiler keeps their values in registers while the device looks at an access, and no
// access is lost because others of the same loop are of no interest.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int floats_per_page = 1024, pages = 40, size = floats_per_page * pages;

__constant__ float taps[8];
__constant__ const float weights[4] = {1, 2, 3, 4};
__managed__ float both[64];
float before_taps[8], behind_taps[8];

__global__ void use_kernel(float* y) { *y = taps[1] + weights[1] + both[1]; }

/// Memory of the host that the device uses, too: each first access to a page is looked at.
struct memory_of_both {
  float *pinned = nullptr, *managed = nullptr;
  std::vector<float> registered = std::vector<float>(size, 1.0f);
  memory_of_both() {
    REQUIRE(cudaMallocHost(&pinned, size * sizeof(float)) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&managed, size * sizeof(float)) == cudaSuccess);
    REQUIRE(cudaHostRegister(registered.data(), size * sizeof(float), cudaHostRegisterDefault) ==
            cudaSuccess);
  }
  memory_of_both(const memory_of_both&) = delete;
  ~memory_of_both() {
    cudaHostUnregister(registered.data());
    cudaFree(managed);
    cudaFreeHost(pinned);
  }
};

// More values than there are registers, so that all of them are in use at each access.
__attribute__((noinline)) double sum_of_many(const float* x, int step) {
  float a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, i = 8, j = 9, k = 10, l = 11, m = 12, n = 13;
  for (int p = 0; p < size; p += step) {
    const float next = x[p];
    a += next, b += a, c -= next, d += c, e += 2, f += e, g -= d, h += f, i += next, j -= i, k += 1, l += k;
    m += next, n -= m;
  }
  return double{a} + b + 2 * c + 3 * d + 4 * e + 5 * f + 6 * g + 7 * h + 8 * i + 9 * j + 10 * k + 11 * l +
         12 * m + 13 * n;
}
__attribute__((noinline)) long long sum_of_whole_numbers(const int* x, int step) {
  long long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9;
  for (int p = 0; p < size; p += step) {
    const int next = x[p];
    a += next, b += a, c ^= b, d += c, e -= d, f += e & 255, g ^= f, h += g, i += h & next;
  }
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}
__attribute__((noinline)) long double sum_of_long_doubles(const float* x, int step) {
  long double a = 0, b = 1, c = 2;
  for (int p = 0; p < size; p += step) a += x[p], b += a, c -= b;
  return a + 2 * b + 3 * c;
}
void fill(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i % 7);
}
void fill_words(int* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = i * 31 % 1001;
}
void scale_and_add(float a, const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
void add_one(float* x, int begin, int end) {
  for (int i = begin; i < end; ++i) x[i] += 1;
}
template <class T>
__attribute__((noinline)) T copy(T* y, const T* x, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i];
  return y[n - 1];
}
float sum_of_all(const std::vector<const float*>& parts) {
  float sum = 0;
  for (const float* part : parts)
    for (int i = 0; i < 4; ++i) sum += part[i];
  return sum;
}
struct [[gnu::packed]] packed {
  char first;
  std::uint16_t two;
  std::uint32_t four;
  std::uint64_t eight;
};
std::uint64_t sum_of_parts(const packed* x, int n, int which) {
  std::uint64_t sum = 0;
  for (int i = 0; i < n; ++i) sum += which == 2 ? x[i].two : which == 4 ? x[i].four : x[i].eight;
  return sum;
}

// Accesses between which something happens: none of them may be taken for the one before it.
void count_or_begin(int* x, const int* end, bool reads) {
  for (; x != end; ++x) *x = reads ? *x + 1 : 1;
}
void divide(int* y, const int* x, int n, int by) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / by;
}
constexpr int written_line = __LINE__ + 4;
void add_one_in_two_lines(float* x, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    const float sum = x[i] + 1;
    x[i] = sum;
  }
}
union halves {
  std::int32_t first;
  std::int64_t both;
};
void widen(halves* x, int n) {
  for (int i = 0; i < n; ++i) x[i].both = x[i].first;
}

volatile double used;  // so that nothing is left out

void check_device_pointer(const std::vector<std::string>& words, const std::function<void(void*)>& use) {
  device_array<double> d_x(64);
  alignas(16) double ordinary[64] = {};
  check_found(
      finding_kind::device_pointer, words, [&] { use(d_x.data()); }, [&] { use(ordinary); });
}

}  // namespace

TEST_CASE("values stay in their registers while the device looks at an access") {
  in_all_orders([] {
    memory_of_both memory;
    std::vector<float> ordinary(size);
    fill(ordinary.data(), size);
    for (float* const x : {memory.pinned, memory.managed, memory.registered.data()}) {
      fill(x, size);
      CHECK(std::vector<float>(x, x + size) == ordinary);
      for (const int step : {1, 100, floats_per_page}) {
        CHECK(sum_of_many(x, step) == sum_of_many(ordinary.data(), step));
        CHECK(sum_of_long_doubles(x, step) == sum_of_long_doubles(ordinary.data(), step));
      }
      auto* const words = reinterpret_cast<int*>(x);
      std::vector<int> ordinary_words(size);
      fill_words(words, size);
      fill_words(ordinary_words.data(), size);
      for (const int step : {1, 100, floats_per_page})
        CHECK(sum_of_whole_numbers(words, step) == sum_of_whole_numbers(ordinary_words.data(), step));
      std::vector<float> sums(size, 3.0f), same = sums;
      fill(x, size);
      scale_and_add(0.5f, x, sums.data(), size);
      scale_and_add(0.5f, ordinary.data(), same.data(), size);
      CHECK(sums == same);
      scale_and_add(-2, ordinary.data(), x, size);
      add_one(x, 0, size);
      for (int i = 0; i < size; i += 37) CHECK(x[i] == 1.0f - static_cast<float>(i % 7));
    }
  });
}

TEST_CASE("a loop of the host that comes to memory of the device") {
  check_device_pointer({"the host reads 4 bytes: element [0]"}, [](void* x) {
    float y[4] = {};
    used = static_cast<double>(copy(y, static_cast<const float*>(x), 4));
  });
  check_device_pointer({"the host writes 4 bytes"}, [](void* x) { fill(static_cast<float*>(x), 4); });
  check_device_pointer({"the host reads 4 bytes"}, [](void* x) { add_one(static_cast<float*>(x), 2, 4); });
  check_device_pointer({"the host reads 1 byte"}, [](void* x) {
    char y[4];
    used = static_cast<double>(copy(y, static_cast<const char*>(x), 4));
  });
  check_device_pointer({"the host reads 2 bytes"}, [](void* x) {
    short y[4];
    used = static_cast<double>(copy(y, static_cast<const short*>(x), 4));
  });
  check_device_pointer({"the host writes 8 bytes"}, [](void* x) {
    const double y[4] = {};
    copy(static_cast<double*>(x), y, 4);
  });
  check_device_pointer({"the host reads 16 bytes"}, [](void* x) {
    __int128 y[2];
    used = static_cast<double>(copy(y, static_cast<const __int128*>(x), 2));
  });
  check_device_pointer({"the host writes 16 bytes"}, [](void* x) {
    const __int128 y[2] = {};
    copy(static_cast<__int128*>(x), y, 2);
  });
  for (const int bytes : {2, 4, 8}) {
    check_device_pointer({"the host reads " + std::to_string(bytes) + " bytes"}, [&](void* x) {
      used = static_cast<double>(sum_of_parts(static_cast<const packed*>(x), 4, bytes));
    });
  }
  const float ordinary[4] = {};
  check_device_pointer({"the host reads 4 bytes: element [0]"}, [&](void* x) {
    used = sum_of_all({ordinary, ordinary, static_cast<const float*>(x), ordinary});
  });
}

TEST_CASE("a loop of the host over variables, its own among those of the device") {
  check_found(
      finding_kind::device_pointer, {"the host writes 4 bytes: taps[0]"}, [] { fill(taps, 8); },
      [] {
        fill(before_taps, 8);
        fill(behind_taps, 8);
        float y[4] = {};
        copy(y, weights, 4);
        fill(both, 64);
        cudaMemcpyToSymbol(taps, before_taps, sizeof taps);
        device_array<float> d_y(1);
        use_kernel<<<1, 1>>>(d_y.data());
        cudaDeviceSynchronize();
        CHECK(sum_of_all({before_taps, behind_taps, y, both}) == 6.0f * 3 + 10);
      });
}

TEST_CASE("a sum is written although nothing but the write is too early") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  memory_of_both memory;
  device_array<float> d_x(size);
  fill(memory.pinned, size);
  const auto send = [&] {
    cudaMemcpyAsync(d_x.data(), memory.pinned, size * sizeof(float), cudaMemcpyHostToDevice, stream);
  };
  check_found(
      finding_kind::unordered, {"the host writes element [70]"},
      [&] {
        send();
        add_one(memory.pinned, 70, 80);
        cudaStreamSynchronize(stream);
      },
      [&] {
        send();
        CHECK(sum_of_many(memory.pinned, 1) != 0);  // both may read
        cudaStreamSynchronize(stream);
        add_one(memory.pinned, 70, 80);
      });
  cudaStreamDestroy(stream);
}

TEST_CASE("an access of the host that follows another one is looked at for itself") {
  check_device_pointer({"the host writes 4 bytes"}, [](void* x) {
    count_or_begin(static_cast<int*>(x), static_cast<int*>(x) + 4, false);
  });
  check_device_pointer({"the host reads 4 bytes"},
                       [](void* x) { count_or_begin(static_cast<int*>(x), static_cast<int*>(x) + 4, true); });
  const int numbers[4] = {7, 8, 9, 10};
  check_device_pointer({"the host writes 4 bytes"},
                       [&](void* y) { divide(static_cast<int*>(y), numbers, 4, 3); });

  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  memory_of_both memory;
  device_array<float> d_x(size);
  fill(memory.pinned, size);
  const auto check_order = [&](const std::vector<std::string>& words, int first,
                               const std::function<void()>& use) {
    const auto send = [&] {
      cudaMemcpyAsync(d_x.data(), memory.pinned + first, sizeof(float), cudaMemcpyHostToDevice, stream);
    };
    check_found(
        finding_kind::unordered, words,
        [&] {
          send();
          use();
          cudaStreamSynchronize(stream);
        },
        [&] {
          send();
          cudaStreamSynchronize(stream);
          use();
        });
  };
  check_order({"the host writes element [70]", at_line(__FILE__, written_line)}, 70,
              [&] { add_one_in_two_lines(memory.pinned, 70, 71); });
  // The copy is of the half that is only written.
  check_order({"the host writes"}, 1, [&] { widen(reinterpret_cast<halves*>(memory.pinned), 1); });
  cudaStreamDestroy(stream);
}
