// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Translated programs, run on the emulated device.
#include <doctest/doctest.h>

#include "programs/programs.hpp"

using ints = std::vector<int>;

namespace {

ints sequence(int size, int (*value)(int)) {
  ints result(size);
  for (int i = 0; i < size; ++i) result[i] = value(i);
  return result;
}

}  // namespace

TEST_CASE("launches over several lines, through macros, of overloads") {
  for (const int size : {1, 31, 64, 1000}) {
    CHECK(programs::add_vectors(size) == sequence(size, [](int i) { return 3 * i; }));
    CHECK(programs::launch_through_macros(size) == sequence(size, [](int i) { return 2 * i + 1; }));
  }
  CHECK(programs::launch_overloads() == ints{1, 2, 3, 4});
}

TEST_CASE("launch bounds reach the launch") { CHECK(programs::last_launch_error() != "cudaSuccess"); }

TEST_CASE("dynamic shared memory in templates and at file scope") {
  for (const int threads : {64, 128, 256}) CHECK(programs::sum_by_template(1000, threads) == 499500);
  CHECK(programs::sum_in_floats(100, 128) == 4950);
}

TEST_CASE("shared tiles, kernels in a table") {
  const int width = 37, height = 50;
  for (const int which : {0, 1, 2}) {
    const std::vector<float> result = programs::transposed(which, width, height);
    bool right = true;
    for (int i = 0; i < width * height; ++i) right &= result[i] == float(i % height * width + i / height);
    CAPTURE(which);
    CHECK(right);
  }
}

TEST_CASE("shared variables: types and alignment") {
  CHECK(programs::shared_at_file_scope() == ints{122, 121});
  CHECK(programs::shared_types() == ints{1, 2, 3, 4, 5, 6});
  CHECK(programs::misaligned() == ints(6, 0));
}

TEST_CASE("constant and device variables") {
  CHECK(programs::constant_tables() == std::vector<float>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4});
  CHECK(programs::device_variables() == ints{42, 109, 5, 3 + 7 + 16 + 3, 42, 6});
}

TEST_CASE("lambdas, function objects, classes") {
  CHECK(programs::lambdas(100) == sequence(100, [](int i) { return i * i; }));
  CHECK(programs::shared_in_lambdas() == sequence(32, [](int i) { return 11 * ((i + 1) % 32) + 10 * i; }));
  CHECK(programs::members() == ints{1, 2, 3, 4, 5, 6, 1});
}

TEST_CASE("idioms of older and larger programs") {
  const int width = 100, pitch = 128, height = 4;
  ints rows(pitch * height);
  for (int i = 0; i < pitch * height; ++i) {
    for (int tap = -2; tap <= 2; ++tap) {
      const int x = i % pitch + tap;
      if (x >= 0 && x < width && i % pitch < width) rows[i] += (3 - tap) * ((i + tap) % 7);
    }
  }
  CHECK(programs::filtered_rows(width, height) == rows);

  const int n = 24;
  ints product(n * n);
  for (int i = 0; i < n * n; ++i) {
    for (int k = 0; k < n; ++k) product[i] += (i / n * n + k) % 5 * ((k * n + i % n) % 3);
  }
  CHECK(programs::matrix_product(n) == product);

  CHECK(programs::arrays_in_dynamic_memory(3) == ints{8, 4, 0});
  CHECK(programs::histogram_of_ramp(256) == ints(16, 16));
  CHECK(programs::arguments_by_value() == ints{7, 1, 1, 5});
}
