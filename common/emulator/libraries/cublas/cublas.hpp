// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What cuBLAS's functions have in common: handles, checks of what they are given, the way into a stream.
#pragma once

#include <cublas_v2.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace cuda_emulator::blas {

/// A matrix by columns; a vector is a matrix of one row, whose columns are its increment apart.
struct operand {
  const char* name;  ///< "A"
  const char* step;  ///< What says how far columns are apart: "lda", "incx".
  const void* data;
  std::size_t size;  ///< Of an element.
  std::int64_t rows, columns, apart;
  bool reads, writes;
  std::int64_t batch = 1, stride = 0;  ///< Matrices in a row, this many elements from one to the next.
};

/// The i-th of n elements of a vector: with a negative increment the last one comes first.
inline std::int64_t at(std::int64_t i, std::int64_t n, std::int64_t increment) {
  return increment > 0 ? i * increment : (n - 1 - i) * -increment;
}

operand vector(const char* name, const char* step, const void* x, std::size_t size, std::int64_t n,
               std::int64_t increment, bool reads, bool writes);

/// A number that the program gave by its address: of the host, which is read now, or of the device.
class scalar {
 public:
  scalar(cublasHandle_t handle, const char* function, const char* name, const void* address,
         cudaDataType type);
  double value() const;  ///< When it is the stream's turn.
  bool of_device() const { return address_ != nullptr; }
  operand as_operand() const { return {name_, "", address_, size_, 1, 1, 1, true, false}; }

 private:
  const char* name_;
  const void* address_ = nullptr;
  cudaDataType type_;
  std::size_t size_;
  double value_ = 0;
};

std::size_t size_of(cudaDataType type);
double number_at(const void* address, cudaDataType type, std::int64_t index);
void put_number(void* address, cudaDataType type, std::int64_t index, double value);

/// Null where there is no such handle.
bool is_handle(cublasHandle_t handle);
/// CUBLAS_STATUS_INVALID_VALUE, and why in words, among the failed calls of the program.
cublasStatus_t refuse(const char* function, const std::string& why);
/// CUBLAS_STATUS_INVALID_VALUE where columns of `rows` elements do not fit: lda < rows.
cublasStatus_t check_leading(const char* function, const char* name, std::int64_t leading, std::int64_t rows);

/// Does `compute` in the handle's stream, after the operands that `of_work` then names were checked: memory
/// of
/// the device, large enough, and written where it is read.
cublasStatus_t give(cublasHandle_t handle, const char* function, bool host_waits,
                    std::function<std::vector<operand>()> of_work, std::function<void()> compute);

/// Where a function puts its result: host memory, for which the call waits, or the device's.
operand result_operand(const void* result, std::size_t size);
bool result_of_device(cublasHandle_t handle, const char* function, const void* result);

}  // namespace cuda_emulator::blas
