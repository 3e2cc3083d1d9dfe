// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "cublas.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "device/libraries.hpp"
#include "device/settings.hpp"
#include "memory/library_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/shadow.hpp"
#include "order/enqueue.hpp"
#include "order/movements.hpp"
#include "order/work.hpp"
#include "run/launch_log.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator::blas {
namespace {

constinit const library cublas_library{};
__attribute__((constructor)) void be_known() { add_library(cublas_library); }

std::mutex& cublas_mutex = *new std::mutex;
std::set<cublasHandle_t>& handles = *new std::set<cublasHandle_t>;

/// Comes back where the finding is a note, or is kept until the host waits.
void report(const char* function, finding_kind kind, const char* what, const std::string& text,
            const char* usual_cause) {
  const std::string line = line_of(caller_outside());
  std::vector<finding> one;
  one.emplace_back(kind, (line.empty() ? "somewhere" : line) + ": error: " + what + " in " + function +
                             "()\n  " + text + "\n  Usual cause: " + usual_cause);
  conclude(std::move(one));
}

bool reported(const char* function, finding_kind kind, const char* what, const std::string& text,
              const char* usual_cause) {
  report(function, kind, what, text, usual_cause);
  return false;
}

std::int64_t span(const operand& o) { return (o.batch - 1) * o.stride + (o.columns - 1) * o.apart + o.rows; }

std::string elements(const operand& o, std::int64_t number) {
  return count(static_cast<std::size_t>(number), "elements") + " of " + count(o.size, "bytes");
}

/// "A, 4 x 3 elements of 4 bytes with lda 4,"
std::string described(const operand& o) {
  if (*o.step == '\0') return o.name;
  const std::string shape =
      o.rows == 1 ? std::to_string(o.columns) : std::to_string(o.rows) + " x " + std::to_string(o.columns);
  return std::string(o.name) + ", " + shape + " elements of " + count(o.size, "bytes") + " with " + o.step +
         " " + std::to_string(o.apart) +
         (o.batch == 1 ? ""
                       : ", " + std::to_string(o.batch) + " times with stride " + std::to_string(o.stride)) +
         ",";
}

template <class Piece>
void for_each_piece(const operand& o, Piece&& piece) {
  const auto size = static_cast<std::int64_t>(o.size);
  for (std::int64_t b = 0; b < o.batch; ++b) {
    const std::int64_t first = b * o.stride;
    if (o.apart == o.rows) {
      piece(first * size, o.rows * o.columns * size);
      continue;
    }
    for (std::int64_t c = 0; c < o.columns; ++c) piece((first + c * o.apart) * size, o.rows * size);
  }
}

/// False where the work cannot be done.
bool check(const char* function, const operand& o) {
  if (o.rows <= 0 || o.columns <= 0 || o.batch <= 0) return true;
  const auto* begin = static_cast<const char*>(o.data);
  const std::size_t bytes = static_cast<std::size_t>(span(o)) * o.size;
  const std::string what = std::string(o.writes ? o.reads ? "uses " : "writes " : "reads ") + described(o);
  device_memory& memory = device_memory::instance();
  const auto found = room_at(begin);
  if (!found) {
    if (const auto range = registered_at(begin); range && begin + bytes <= range->begin + range->size)
      return true;
    if (const auto freed = memory.freed(begin))
      return reported(function, finding_kind::use_after_free, "use of freed memory",
                      what + " in the allocation of " + count(freed->size, "bytes") + " " + made_at(*freed) +
                          ", which has been freed",
                      "cudaFree() too early, or a pointer that was kept too long.");
    if (const auto near = memory.near(begin))
      return reported(function, finding_kind::out_of_bounds, "access out of bounds",
                      what + " from a pointer outside of the nearest allocation, of " +
                          count(near->size, "bytes") + " " + made_at(*near),
                      "an offset that is too large, or counted in bytes instead of elements.");
    return reported(
        function, finding_kind::host_pointer, "host memory used",
        what + " in memory that is not the device's",
        "a pointer of the host (malloc, new, a vector, a local variable) where cuBLAS wants one of the\n"
        "  device: cudaMalloc() and cublasSetMatrix() or cudaMemcpy().");
  }
  if (o.writes && found->constant)
    report(function, finding_kind::out_of_bounds, "write to constant memory", what + " in " + found->name,
           "an output that stands where an input should.");
  if (found->bytes < bytes)
    return reported(
        function, finding_kind::out_of_bounds, "access out of bounds",
        what + " up to element [" + std::to_string(span(o) - 1) + "] from the pointer, where only " +
            elements(o, static_cast<std::int64_t>(found->bytes / o.size)) + " are left in " + found->name,
        "sizes of the transposed matrix, or a leading dimension of rows: cuBLAS counts by columns, and\n"
        "  lda is the number of rows that the stored matrix has.");
  if (reinterpret_cast<std::uintptr_t>(begin) % o.size != 0)
    report(function, finding_kind::misaligned, "misaligned access",
           what + " at an address that is not a multiple of " + std::to_string(o.size),
           "a pointer to bytes with an odd offset.");
  const std::uint8_t* states = o.reads ? states_of(begin) : nullptr;
  if (states == nullptr) return true;
  std::int64_t missing = 0, first = 0;
  for_each_piece(o, [&](std::int64_t from, std::int64_t length) {
    const auto size = static_cast<std::int64_t>(o.size);
    for (std::int64_t i = from; i < from + length; i += size)
      if ((states[i] & state_defined) == 0 && missing++ == 0) first = i / size;
  });
  if (missing != 0)
    report(function, finding_kind::uninitialized_read, "read of uninitialized memory",
           what + " of which " + count(static_cast<std::size_t>(missing), "elements") +
               (missing == 1 ? " is" : " are") + " uninitialized, the first at [" + std::to_string(first) +
               "] from the pointer, in " + found->name,
           "a missing copy or cudaMemset(). C is read unless beta is 0.");
  return true;
}

}  // namespace

operand vector(const char* name, const char* step, const void* x, std::size_t size, std::int64_t n,
               std::int64_t increment, bool reads, bool writes) {
  return {name, step, x, size, 1, n, increment < 0 ? -increment : increment, reads, writes};
}

std::size_t size_of(cudaDataType type) { return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2; }

double number_at(const void* address, cudaDataType type, std::int64_t i) {
  if (type == CUDA_R_64F) return static_cast<const double*>(address)[i];
  if (type == CUDA_R_32F) return static_cast<const float*>(address)[i];
  return small_value(type == CUDA_R_16F ? small_format::half : small_format::bfloat,
                     static_cast<const std::uint16_t*>(address)[i]);
}

void put_number(void* address, cudaDataType type, std::int64_t i, double value) {
  if (type == CUDA_R_64F)
    static_cast<double*>(address)[i] = value;
  else if (type == CUDA_R_32F)
    static_cast<float*>(address)[i] = static_cast<float>(value);
  else
    static_cast<std::uint16_t*>(address)[i] =
        small_from(type == CUDA_R_16F ? small_format::half : small_format::bfloat, value, rounding::nearest);
}

scalar::scalar(cublasHandle_t handle, const char* function, const char* name, const void* address,
               cudaDataType type)
    : name_(name), type_(type), size_(size_of(type)) {
  if (handle->mode == CUBLAS_POINTER_MODE_DEVICE) {
    address_ = address;
    return;
  }
  const auto found = device_memory::instance().find(address);
  if (found && found->kind == allocation_kind::device)
    report(function, finding_kind::device_pointer, "device memory used in host code",
           std::string(name) + " lies in device memory, and the handle takes numbers from the host's",
           "a missing cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE).");
  value_ = number_at(address, type, 0);
}

double scalar::value() const { return of_device() ? number_at(address_, type_, 0) : value_; }

bool is_handle(cublasHandle_t handle) {
  const std::lock_guard lock(cublas_mutex);
  return handles.contains(handle);
}

cublasStatus_t refuse(const char* function, const std::string& why) {
  note_failed_call(cudaErrorInvalidValue,
                   std::string(function) + "() returns CUBLAS_STATUS_INVALID_VALUE: " + why);
  return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t check_leading(const char* function, const char* name, std::int64_t leading,
                             std::int64_t rows) {
  if (leading >= std::max<std::int64_t>(rows, 1)) return CUBLAS_STATUS_SUCCESS;
  return refuse(function, std::string(name) + " is " + std::to_string(leading) +
                              ", and the columns of that matrix, as it is stored, have " +
                              std::to_string(rows) + " rows");
}

operand result_operand(const void* result, std::size_t size) {
  return {"the result", "", result, size, 1, 1, 1, false, true};
}

bool result_of_device(cublasHandle_t handle, const char* function, const void* result) {
  if (handle->mode == CUBLAS_POINTER_MODE_DEVICE) return true;
  const auto found = device_memory::instance().find(result);
  if (found && found->kind == allocation_kind::device)
    report(function, finding_kind::device_pointer, "device memory used in host code",
           "the result is to lie in device memory, and the handle puts results into the host's",
           "a missing cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE).");
  return false;
}

cublasStatus_t give(cublasHandle_t handle, const char* function, bool host_waits,
                    std::function<std::vector<operand>()> of_work, std::function<void()> compute) {
  if (stuck() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  const cudaError_t error =
      enqueue({function, handle->stream, !host_waits}, host_waits, cudaGraphNodeTypeKernel, [=](work& mine) {
        const std::vector<operand> operands = of_work();
        if (settings().checking)
          for (const operand& o : operands)
            if (!check(function, o)) return;
        compute();
        for (const operand& o : operands) {
          if (o.rows <= 0 || o.columns <= 0) continue;
          for_each_piece(o, [&](std::int64_t from, std::int64_t length) {
            const char* const begin = static_cast<const char*>(o.data) + from;
            const auto bytes = static_cast<std::size_t>(length);
            if (o.writes) mark_defined(begin, bytes);
            if (!mine.watched()) return;
            if (o.reads) mine.reads(begin, bytes);
            if (o.writes) mine.writes(begin, bytes);
            note_used(mine.op().get(), begin, bytes, o.writes);
          });
        }
        if (settings().checking) log_library_call(std::string(function) + " (not counted)");
      });
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace cuda_emulator::blas

using namespace cuda_emulator::blas;

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  const std::lock_guard lock(cublas_mutex);
  handles.insert(*handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  cudaDeviceSynchronize();  // as cuBLAS does
  const std::lock_guard lock(cublas_mutex);
  handles.erase(handle);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

#define EMULATOR_SET(function, Type, member)                               \
  cublasStatus_t cublasSet##function(cublasHandle_t handle, Type value) {  \
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;          \
    handle->member = value;                                                \
    return CUBLAS_STATUS_SUCCESS;                                          \
  }                                                                        \
  cublasStatus_t cublasGet##function(cublasHandle_t handle, Type* value) { \
    if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;          \
    if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;              \
    *value = handle->member;                                               \
    return CUBLAS_STATUS_SUCCESS;                                          \
  }
EMULATOR_SET(Stream, cudaStream_t, stream)
EMULATOR_SET(PointerMode, cublasPointerMode_t, mode)
EMULATOR_SET(MathMode, cublasMath_t, math)
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
  return is_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, std::size_t) {
  return is_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
size_t cublasGetCudartVersion() { return CUDART_VERSION; }
cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define EMULATOR_NAME(name) \
  case name:                \
    return #name;
    EMULATOR_NAME(CUBLAS_STATUS_SUCCESS)
    EMULATOR_NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    EMULATOR_NAME(CUBLAS_STATUS_ALLOC_FAILED)
    EMULATOR_NAME(CUBLAS_STATUS_INVALID_VALUE)
    EMULATOR_NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    EMULATOR_NAME(CUBLAS_STATUS_MAPPING_ERROR)
    EMULATOR_NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    EMULATOR_NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    EMULATOR_NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    EMULATOR_NAME(CUBLAS_STATUS_LICENSE_ERROR)
#undef EMULATOR_NAME
  }
  return "CUBLAS_STATUS_UNKNOWN";
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

// Pitched copies, between any two sides.
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void* a, int lda, void* b, int ldb) {
  if (rows < 0 || cols < 0 || size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (const auto wrong = check_leading("cublasSetMatrix", "lda", lda, rows)) return wrong;
  if (const auto wrong = check_leading("cublasSetMatrix", "ldb", ldb, rows)) return wrong;
  if (rows == 0 || cols == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = static_cast<std::size_t>(size);
  return cudaMemcpy2D(b, static_cast<std::size_t>(ldb) * bytes, a, static_cast<std::size_t>(lda) * bytes,
                      static_cast<std::size_t>(rows) * bytes, static_cast<std::size_t>(cols),
                      cudaMemcpyDefault) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void* a, int lda, void* b, int ldb) {
  return cublasSetMatrix(rows, cols, size, a, lda, b, ldb);
}
cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  if (incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return cublasSetMatrix(1, n, size, x, incx, y, incy);
}
cublasStatus_t cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return cublasSetVector(n, size, x, incx, y, incy);
}
