// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "../copies.hpp"

const void* element_in_ordinary_file() { return reinterpret_cast<const void*>(&element<int>); }
const void* twice_in_ordinary_file() { return reinterpret_cast<const void*>(&twice); }

int sum_in_ordinary_file(const int* values, int size) {
  int sum = 0;
  for (int i = 0; i < size; ++i) sum += element(values, i) + twice(values + i);
  return sum;
}
