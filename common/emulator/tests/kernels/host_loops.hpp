// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Loops as programs have them beside their kernels, to be compiled in an ordinary file and in a kernel file.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace host_loops {

struct loop {
  const char* name;
  double (*run)();    ///< Once; returns something of what it has computed.
  int elements;       ///< That it goes through.
  double most_times;  ///< How many times as long it may take in a kernel file, for the test; 0: not tested
};
/// Those of the ordinary file.
std::vector<loop> of_ordinary_file();
/// The shortest processor time of some runs, in nanoseconds for each element.
double time_of(const loop& l);

namespace {

constexpr int size = 4096, rows = 64;

void saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
void add(int n, const int* x, int* y) {
  for (int i = 0; i < n; ++i) y[i] += x[i];
}
float dot(int n, const float* x, const float* y) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
double sum_of_doubles(int n, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  return sum;
}
void multiply(int n, const float* a, const float* b, float* c) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  }
}
void count(int n, const unsigned char* x, int* counts) {
  for (int i = 0; i < n; ++i) ++counts[x[i]];
}
void smooth(int n, const float* x, float* y) {
  for (int i = 1; i + 1 < n; ++i) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
void filter(const std::vector<float>& x, const std::vector<float>& taps, std::vector<float>& y) {
  for (std::size_t i = taps.size(); i < x.size(); ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < taps.size(); ++k) sum += taps[k] * x[i - k];
    y[i] = sum;
  }
}
void add_vectors(const std::vector<float>& x, const std::vector<float>& y, std::vector<float>& z) {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = x[i] + y[i];
}
double largest_difference(int n, const float* x, const float* y) {
  double most = 0;
  for (int i = 0; i < n; ++i) most = std::max(most, static_cast<double>(std::fabs(x[i] - y[i])));
  return most;
}
void sort_numbers(std::vector<float>& x) {
  unsigned state = 1;
  for (float& number : x) {
    state = state * 1664525u + 1013904223u;
    number = static_cast<float>(state >> 8);
  }
  std::sort(x.begin(), x.end());
}

template <class T>
std::vector<T>& numbers(int which) {
  static std::vector<T> all[4];
  std::vector<T>& mine = all[which];
  if (mine.empty()) {
    mine.resize(size);
    for (int i = 0; i < size; ++i) mine[i] = static_cast<T>((i * (which + 7)) % 61);
  }
  return mine;
}

[[maybe_unused]] std::vector<loop> all_loops() {
  return {
      {"y = a x + y, floats",
       [] {
         saxpy(size, -0.5f, numbers<float>(0).data(), numbers<float>(1).data());
         return double{numbers<float>(1)[9]};
       },
       size, 3},
      {"y += x, ints",
       [] {
         add(size, numbers<int>(0).data(), numbers<int>(1).data());
         return static_cast<double>(numbers<int>(1)[9]);
       },
       size, 0},
      {"dot product", [] { return double{dot(size, numbers<float>(2).data(), numbers<float>(3).data())}; },
       size, 3},
      {"sum of doubles", [] { return sum_of_doubles(size, numbers<double>(0).data()); }, size, 0},
      {"product of matrices",
       [] {
         multiply(rows, numbers<float>(2).data(), numbers<float>(3).data(), numbers<float>(0).data());
         return double{numbers<float>(0)[9]};
       },
       rows * rows * rows, 3},
      {"histogram of bytes",
       [] {
         static int counts[256];
         count(size, numbers<unsigned char>(0).data(), counts);
         return static_cast<double>(counts[9]);
       },
       size, 0},
      {"three points",
       [] {
         smooth(size, numbers<float>(2).data(), numbers<float>(0).data());
         return double{numbers<float>(0)[9]};
       },
       size, 3},
      {"65 taps, vectors",
       [] {
         static const std::vector<float> taps(65, 0.5f);
         filter(numbers<float>(2), taps, numbers<float>(0));
         return double{numbers<float>(0)[99]};
       },
       65 * (size - 65), 3},
      {"largest difference",
       [] { return largest_difference(size, numbers<float>(2).data(), numbers<float>(3).data()); }, size, 0},
      {"z = x + y, vectors",
       [] {
         add_vectors(numbers<float>(2), numbers<float>(3), numbers<float>(0));
         return double{numbers<float>(0)[9]};
       },
       size, 0},
      {"std::sort of floats",
       [] {
         static std::vector<float> x(size);
         sort_numbers(x);
         return double{x[9]};
       },
       size, 0},
  };
}

}  // namespace
}  // namespace host_loops
