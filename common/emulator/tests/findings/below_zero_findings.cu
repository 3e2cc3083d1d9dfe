// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// An index below zero without a sign, as from threadIdx.x - 1, leads 2^32 elements beyond an array: the array
// is named all the same, and what the index would be with a sign.
#include "../findings.hpp"

using cuda_emulator::finding_kind;

namespace {

// Of elements larger than the access, in a row, of rows, in variables of the device and in an array of the
// thread's own.
enum class below { vectors, column, row, dynamic, constant, variable, written, matrix, own, by_pointer };
__constant__ double constant_below[8] = {1, 2, 3, 4};
__device__ float variable_below[8];
__device__ float matrix_below[4][8];
template <below which>
__global__ void below_zero_kernel(float* y, unsigned less) {
  __shared__ float4 vectors[8];
  __shared__ float rows[4][33];
  extern __shared__ float dynamic_below[];
  const unsigned i = threadIdx.x;
  float own[8] = {y[0]};
  for (int k = 1; k < 8; ++k) own[k] = y[k];
  vectors[i] = {1, 2, 3, 4};
  for (int k = 0; k < 4; ++k) rows[k][i] = 1;
  dynamic_below[i] = 1;
  variable_below[i] = matrix_below[i % 4][i] = 1;
  __syncthreads();
  float sum = 0;
  if (which == below::vectors) sum = vectors[i - less].z;
  if (which == below::column) sum = i >= less ? rows[1][i - less] : rows[2][i - less];
  if (which == below::row) sum = rows[i - less][i / 8];
  if (which == below::dynamic) sum = dynamic_below[i - less];
  if (which == below::constant) sum = static_cast<float>(constant_below[i - less]);
  if (which == below::variable) sum = variable_below[i - less];
  if (which == below::written) variable_below[i - less] = 1;
  if (which == below::matrix) sum = matrix_below[i - less][i];
  if (which == below::own) sum = own[i - less];
  if (which == below::by_pointer) {
    const float* const p = own;
    sum = p[i - less];
  }
  y[i] = sum;
}

}  // namespace

TEST_CASE("an index below zero without a sign, in all memory that has a name") {
  device_array<float> d_zeros(std::vector<float>(64));
  const auto below_zero = [&]<below which>(const char* element, const char* meant) {
    CAPTURE(std::string(element));
    check_found(
        which == below::own          ? finding_kind::array_index
        : which == below::by_pointer ? finding_kind::host_pointer
                                     : finding_kind::out_of_bounds,
        {element, meant, "if the index had a sign. Usual cause: threadIdx.x - 1"},
        [&] {
          below_zero_kernel<which>
              <<<1, which == below::row || which == below::matrix ? 4 : 8, 32>>>(d_zeros.data(), 1);
        },
        [&] { below_zero_kernel<which><<<1, 4, 32>>>(d_zeros.data(), 0); });
  };
  below_zero.operator()<below::vectors>("reads 4 bytes: vectors[4294967295] in shared memory",
                                        "That is vectors[-1], ");
  below_zero.operator()<below::column>("reads 4 bytes: rows[2][4294967295] in shared",
                                       "That is rows[2][-1], ");
  below_zero.operator()<below::row>("reads 4 bytes: rows[4294967295][0] in shared", "That is rows[-1][0], ");
  below_zero.operator()<below::dynamic>("dynamic_below[4294967295] in shared", "That is dynamic_below[-1], ");
  below_zero.operator()<below::constant>("reads 8 bytes: constant_below[4294967295] in constant memory",
                                         "That is constant_below[-1], ");
  below_zero.operator()<below::variable>("reads 4 bytes: variable_below[4294967295] in global memory",
                                         "That is variable_below[-1], ");
  below_zero.operator()<below::written>("writes 4 bytes: variable_below[4294967295] in global memory",
                                        "That is variable_below[-1], ");
  below_zero.operator()<below::matrix>("matrix_below[4294967295][0] in global",
                                       "That is matrix_below[-1][0], ");
#ifndef __clang__  // which may keep such an array in registers, and whose check of indices is not used
  below_zero.operator()<below::own>("uses own[4294967295]", "That is own[-1], ");
  below_zero.operator()<below::by_pointer>("error: access out of bounds",
                                           "That is below an array of the thread");
#endif
}
