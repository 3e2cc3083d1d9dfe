// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A template that a kernel file and an ordinary file both instantiate must exist twice: one copy is
// instrumented and the other is not, and the linker would otherwise keep either one for both.
#include "../copies.hpp"
#include "../emulator_test.hpp"

namespace {
__global__ void sum_kernel(const int* values, int size, int* out) {
  int sum = 0;
  for (int i = 0; i < size; ++i) sum += element(values, i) + twice(values + i);
  *out = sum;
}
}  // namespace

TEST_CASE("kernel files and other files have copies of their own") {
  CHECK(reinterpret_cast<const void*>(&element<int>) != element_in_ordinary_file());
  CHECK(reinterpret_cast<const void*>(&twice) != twice_in_ordinary_file());
  const std::vector<int> values = {1, 2, 3};
  device_array<int> d_values(values), d_out(1);
  sum_kernel<<<1, 1>>>(d_values.data(), 3, d_out.data());
  CHECK(d_out.to_host()[0] == 18);
  CHECK(sum_in_ordinary_file(values.data(), 3) == 18);
}
