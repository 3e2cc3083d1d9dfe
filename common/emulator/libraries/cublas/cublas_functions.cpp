// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuBLAS's functions of vectors and matrices. Numbers are float or double while they are added up; halves are
// added up as floats.
#include <algorithm>
#include <cmath>

#include "cublas.hpp"

using namespace cuda_emulator::blas;

namespace {

template <class T>
constexpr cudaDataType type_of = sizeof(T) == 8   ? CUDA_R_64F
                                 : sizeof(T) == 4 ? CUDA_R_32F
                                                  : CUDA_R_16F;

#define CHECK_HANDLE() \
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED
#define CHECK(condition, why) \
  if (!(condition)) return refuse(function, why)
#define CHECK_LEADING(name, leading, rows) \
  if (const cublasStatus_t wrong = check_leading(function, name, leading, rows)) return wrong

// ---- Vectors

template <class T>
cublasStatus_t axpy(cublasHandle_t handle, const char* function, int n, const T* alpha, const T* x, int incx,
                    T* y, int incy) {
  CHECK_HANDLE();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const scalar a(handle, function, "alpha", alpha, type_of<T>);
  return give(
      handle, function, false,
      [=] {
        std::vector<operand> all{vector("x", "incx", x, sizeof(T), n, incx, true, false),
                                 vector("y", "incy", y, sizeof(T), n, incy, true, true)};
        if (a.of_device()) all.push_back(a.as_operand());
        return all;
      },
      [=] {
        const T factor = static_cast<T>(a.value());
        for (int i = 0; i < n; ++i) y[at(i, n, incy)] += factor * x[at(i, n, incx)];
      });
}

template <class T>
cublasStatus_t scal(cublasHandle_t handle, const char* function, int n, const T* alpha, T* x, int incx) {
  CHECK_HANDLE();
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  const scalar a(handle, function, "alpha", alpha, type_of<T>);
  return give(
      handle, function, false,
      [=] {
        std::vector<operand> all{vector("x", "incx", x, sizeof(T), n, incx, true, true)};
        if (a.of_device()) all.push_back(a.as_operand());
        return all;
      },
      [=] {
        const T factor = static_cast<T>(a.value());
        for (int i = 0; i < n; ++i) x[at(i, n, incx)] *= factor;
      });
}

template <class T>
cublasStatus_t copy(cublasHandle_t handle, const char* function, int n, const T* x, int incx, T* y, int incy,
                    bool swaps) {
  CHECK_HANDLE();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return give(
      handle, function, false,
      [=] {
        return std::vector<operand>{vector("x", "incx", x, sizeof(T), n, incx, true, swaps),
                                    vector("y", "incy", y, sizeof(T), n, incy, swaps, true)};
      },
      [=] {
        for (int i = 0; i < n; ++i) {
          T &from = const_cast<T*>(x)[at(i, n, incx)], &to = y[at(i, n, incy)];
          if (swaps)
            std::swap(from, to);
          else
            to = from;
        }
      });
}

enum class reduction { dot, norm, sum, largest, smallest };

template <class T>
double reduce(reduction what, int n, const T* x, int incx, const T* y, int incy) {
  double sum = 0, best = 0;
  int index = 0;
  for (int i = 0; i < n; ++i) {
    const double value = x[at(i, n, incx)], size = std::abs(value);
    if (what == reduction::dot) sum += value * y[at(i, n, incy)];
    if (what == reduction::norm) sum += value * value;
    if (what == reduction::sum) sum += size;
    const bool better = what == reduction::largest ? size > best : size < best;
    if (i == 0 || better) {
      best = size;
      index = i + 1;
    }
  }
  if (what == reduction::norm) return std::sqrt(sum);
  return what == reduction::largest || what == reduction::smallest ? index : sum;
}

/// Result is T, or int for a position, which counts from 1.
template <class T, class Result>
cublasStatus_t reduce_to(reduction what, cublasHandle_t handle, const char* function, int n, const T* x,
                         int incx, const T* y, int incy, Result* result) {
  CHECK_HANDLE();
  CHECK(result != nullptr, "the result is a null pointer");
  const bool of_device = result_of_device(handle, function, result);
  const bool none = n <= 0 || (what != reduction::dot && incx <= 0);
  return give(
      handle, function, !of_device,
      [=] {
        std::vector<operand> all;
        if (!none) all.push_back(vector("x", "incx", x, sizeof(T), n, incx, true, false));
        if (!none && y != nullptr) all.push_back(vector("y", "incy", y, sizeof(T), n, incy, true, false));
        if (of_device) all.push_back(result_operand(result, sizeof(Result)));
        return all;
      },
      [=] { *result = none ? Result(0) : static_cast<Result>(reduce(what, n, x, incx, y, incy)); });
}

// ---- Matrices and vectors

bool is_operation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}
constexpr char no_operation[] = "trans is none of CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C";

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, const char* function, cublasOperation_t trans, int m, int n,
                    const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  CHECK_HANDLE();
  CHECK(is_operation(trans), no_operation);
  CHECK(m >= 0 && n >= 0, "m or n is negative");
  CHECK(incx != 0 && incy != 0, "an increment is 0");
  CHECK_LEADING("lda", lda, m);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const scalar a(handle, function, "alpha", alpha, type_of<T>), b(handle, function, "beta", beta, type_of<T>);
  const bool turned = trans != CUBLAS_OP_N;
  const int of_x = turned ? m : n, of_y = turned ? n : m;
  return give(
      handle, function, false,
      [=] {
        std::vector<operand> all;
        if (a.of_device()) all = {a.as_operand(), b.as_operand()};
        all.push_back({"A", "lda", A, sizeof(T), m, n, lda, true, false});
        all.push_back(vector("x", "incx", x, sizeof(T), of_x, incx, true, false));
        all.push_back(vector("y", "incy", y, sizeof(T), of_y, incy, b.of_device() || b.value() != 0, true));
        return all;
      },
      [=] {
        const T factor = static_cast<T>(a.value()), old = static_cast<T>(b.value());
        std::vector<T> sums(static_cast<std::size_t>(of_y));
        for (int j = 0; j < n; ++j) {
          const T* const column = A + std::int64_t{j} * lda;
          if (turned)
            for (int i = 0; i < m; ++i) sums[j] += column[i] * x[at(i, m, incx)];
          else
            for (int i = 0; i < m; ++i) sums[i] += column[i] * x[at(j, n, incx)];
        }
        for (int i = 0; i < of_y; ++i) {
          T& to = y[at(i, of_y, incy)];
          to = old == T(0) ? factor * sums[i] : factor * sums[i] + old * to;
        }
      });
}

template <class T>
cublasStatus_t ger(cublasHandle_t handle, const char* function, int m, int n, const T* alpha, const T* x,
                   int incx, const T* y, int incy, T* A, int lda) {
  CHECK_HANDLE();
  CHECK(m >= 0 && n >= 0, "m or n is negative");
  CHECK(incx != 0 && incy != 0, "an increment is 0");
  CHECK_LEADING("lda", lda, m);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const scalar a(handle, function, "alpha", alpha, type_of<T>);
  return give(
      handle, function, false,
      [=] {
        std::vector<operand> all{vector("x", "incx", x, sizeof(T), m, incx, true, false),
                                 vector("y", "incy", y, sizeof(T), n, incy, true, false),
                                 {"A", "lda", A, sizeof(T), m, n, lda, true, true}};
        if (a.of_device()) all.push_back(a.as_operand());
        return all;
      },
      [=] {
        const T factor = static_cast<T>(a.value());
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i)
            A[std::int64_t{j} * lda + i] += factor * x[at(i, m, incx)] * y[at(j, n, incy)];
      });
}

template <class T>
cublasStatus_t geam(cublasHandle_t handle, const char* function, cublasOperation_t transa,
                    cublasOperation_t transb, int m, int n, const T* alpha, const T* A, int lda,
                    const T* beta, const T* B, int ldb, T* C, int ldc) {
  CHECK_HANDLE();
  CHECK(is_operation(transa) && is_operation(transb), no_operation);
  CHECK(m >= 0 && n >= 0, "m or n is negative");
  const bool turn_a = transa != CUBLAS_OP_N, turn_b = transb != CUBLAS_OP_N;
  CHECK_LEADING("lda", lda, turn_a ? n : m);
  CHECK_LEADING("ldb", ldb, turn_b ? n : m);
  CHECK_LEADING("ldc", ldc, m);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const scalar a(handle, function, "alpha", alpha, type_of<T>), b(handle, function, "beta", beta, type_of<T>);
  return give(
      handle, function, false,
      [=] {
        std::vector<operand> all;
        if (a.of_device()) all = {a.as_operand(), b.as_operand()};
        if (a.of_device() || a.value() != 0)
          all.push_back({"A", "lda", A, sizeof(T), turn_a ? n : m, turn_a ? m : n, lda, true, false});
        if (b.of_device() || b.value() != 0)
          all.push_back({"B", "ldb", B, sizeof(T), turn_b ? n : m, turn_b ? m : n, ldb, true, false});
        all.push_back({"C", "ldc", C, sizeof(T), m, n, ldc, false, true});
        return all;
      },
      [=] {
        const T x = static_cast<T>(a.value()), y = static_cast<T>(b.value());
        std::vector<T> sum(static_cast<std::size_t>(m) * n);  // C may be A or B
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < m; ++i)
            sum[j * m + i] = (x == T(0) ? T(0) : x * (turn_a ? A[i * lda + j] : A[j * lda + i])) +
                             (y == T(0) ? T(0) : y * (turn_b ? B[i * ldb + j] : B[j * ldb + i]));
        for (std::int64_t j = 0; j < n; ++j) std::copy_n(sum.data() + j * m, m, C + j * ldc);
      });
}

// ---- Products of matrices

struct matrix {
  cudaDataType type;
  const void* data;
  std::int64_t leading, stride;
};

struct product {
  bool turn_a, turn_b;
  std::int64_t m, n, k;
  matrix a, b, c;
  int batch;
  const void *const *as = nullptr, *const *bs = nullptr, *const *cs = nullptr;  // addresses in device memory
};

/// rows x columns of op(x), one column behind the other.
template <class T>
std::vector<T> packed(const matrix& x, const void* data, bool turned, std::int64_t rows,
                      std::int64_t columns) {
  std::vector<T> result(static_cast<std::size_t>(rows * columns));
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t from = turned ? i * x.leading + j : j * x.leading + i;
      if (x.type == type_of<T>)
        result[j * rows + i] = static_cast<const T*>(data)[from];
      else
        result[j * rows + i] = static_cast<T>(number_at(data, x.type, from));
    }
  return result;
}

/// sums += a * b, in blocks that stay in the cache.
template <class T>
void multiply(const T* a, const T* b, T* sums, std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t tall = 512, wide = 128;
  for (std::int64_t first_k = 0; first_k < k; first_k += wide)
    for (std::int64_t first_i = 0; first_i < m; first_i += tall) {
      const std::int64_t last_k = std::min(k, first_k + wide), count = std::min(m - first_i, tall);
      for (std::int64_t j = 0; j < n; ++j) {
        T* __restrict__ const to = sums + j * m + first_i;
        for (std::int64_t l = first_k; l < last_k; ++l) {
          const T* __restrict__ const column = a + l * m + first_i;
          const T factor = b[j * k + l];
          for (std::int64_t i = 0; i < count; ++i) to[i] += column[i] * factor;
        }
      }
    }
}

template <class T>
void run_product(const product& p, double alpha, double beta) {
  for (int batch = 0; batch < p.batch; ++batch) {
    const auto of = [&](const matrix& x, const void* const* addresses) {
      return addresses != nullptr ? addresses[batch]
                                  : static_cast<const char*>(x.data) +
                                        batch * x.stride * static_cast<std::int64_t>(size_of(x.type));
    };
    std::vector<T> sums(static_cast<std::size_t>(p.m * p.n));
    if (alpha != 0 && p.k > 0)
      multiply(packed<T>(p.a, of(p.a, p.as), p.turn_a, p.m, p.k).data(),
               packed<T>(p.b, of(p.b, p.bs), p.turn_b, p.k, p.n).data(), sums.data(), p.m, p.n, p.k);
    void* const c = const_cast<void*>(of(p.c, p.cs));
    const T factor = static_cast<T>(alpha), old = static_cast<T>(beta);
    for (std::int64_t j = 0; j < p.n; ++j)
      for (std::int64_t i = 0; i < p.m; ++i) {
        const std::int64_t to = j * p.c.leading + i;
        T value = factor * sums[j * p.m + i];
        if (old != T(0)) value += old * static_cast<T>(number_at(c, p.c.type, to));
        put_number(c, p.c.type, to, value);
      }
  }
}

std::vector<operand> operands_of(const product& p, bool reads_ab, bool reads_c) {
  std::vector<operand> all;
  const auto add = [&](const char* name, const char* leading, const matrix& x, const void* const* addresses,
                       std::int64_t rows, std::int64_t columns, bool reads, bool writes) {
    if (!reads && !writes) return;
    const int times = addresses != nullptr ? p.batch : 1;
    for (int i = 0; i < times; ++i) {
      operand o{name,
                leading,
                addresses != nullptr ? addresses[i] : x.data,
                size_of(x.type),
                rows,
                columns,
                x.leading,
                reads,
                writes};
      if (addresses == nullptr) {
        o.batch = p.batch;
        o.stride = x.stride;
      }
      all.push_back(o);
    }
  };
  add("A", "lda", p.a, p.as, p.turn_a ? p.k : p.m, p.turn_a ? p.m : p.k, reads_ab, false);
  add("B", "ldb", p.b, p.bs, p.turn_b ? p.n : p.k, p.turn_b ? p.k : p.n, reads_ab, false);
  add("C", "ldc", p.c, p.cs, p.m, p.n, reads_c, true);
  return all;
}

cublasStatus_t gemm(cublasHandle_t handle, const char* function, cublasOperation_t transa,
                    cublasOperation_t transb, product p, const void* alpha, const void* beta,
                    cudaDataType scale) {
  CHECK_HANDLE();
  CHECK(is_operation(transa) && is_operation(transb), no_operation);
  CHECK(p.m >= 0 && p.n >= 0 && p.k >= 0, "m, n or k is negative");
  CHECK(p.batch >= 0, "the number of matrices is negative");
  p.turn_a = transa != CUBLAS_OP_N;
  p.turn_b = transb != CUBLAS_OP_N;
  CHECK_LEADING("lda", p.a.leading, p.turn_a ? p.k : p.m);
  CHECK_LEADING("ldb", p.b.leading, p.turn_b ? p.n : p.k);
  CHECK_LEADING("ldc", p.c.leading, p.m);
  CHECK(p.batch <= 1 || p.cs != nullptr || p.c.stride >= p.c.leading * (p.n - 1) + p.m || p.m * p.n == 0,
        "strideC is smaller than a matrix, and they overlap");
  if (p.m == 0 || p.n == 0 || p.batch == 0) return CUBLAS_STATUS_SUCCESS;
  const scalar a(handle, function, "alpha", alpha, scale), b(handle, function, "beta", beta, scale);
  return give(
      handle, function, false,
      [=] {
        std::vector<operand> all =
            operands_of(p, p.k > 0 && (a.of_device() || a.value() != 0), !b.of_device() && b.value() != 0);
        if (a.of_device()) all.insert(all.begin(), {a.as_operand(), b.as_operand()});
        return all;
      },
      [=] {
        if (p.c.type == CUDA_R_64F)
          run_product<double>(p, a.value(), b.value());
        else
          run_product<float>(p, a.value(), b.value());
      });
}

bool is_real(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF || type == CUDA_R_32F || type == CUDA_R_64F;
}

/// The type of alpha and beta; false where cuBLAS or we have no such product.
bool scale_of(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c,
              cudaDataType& scale) {
  if (!is_real(a) || a != b || !is_real(c)) return false;
  const bool wide = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
  if (compute == CUBLAS_COMPUTE_32I) return false;
  if (wide != (a == CUDA_R_64F) || wide != (c == CUDA_R_64F)) return false;
  if (half && (a != CUDA_R_16F || c != CUDA_R_16F)) return false;
  if (a == CUDA_R_32F && c != CUDA_R_32F) return false;
  if (c != CUDA_R_32F && c != a) return false;
  scale = wide ? CUDA_R_64F : half ? CUDA_R_16F : CUDA_R_32F;
  return true;
}

}  // namespace

#define EMULATOR_BLAS(S, D, T)                                                                              \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,  \
                                 int incy) {                                                                \
    return axpy<T>(handle, "cublas" #S "axpy", n, alpha, x, incx, y, incy);                                 \
  }                                                                                                         \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {            \
    return scal<T>(handle, "cublas" #S "scal", n, alpha, x, incx);                                          \
  }                                                                                                         \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {      \
    return copy<T>(handle, "cublas" #S "copy", n, x, incx, y, incy, false);                                 \
  }                                                                                                         \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {            \
    return copy<T>(handle, "cublas" #S "swap", n, x, incx, y, incy, true);                                  \
  }                                                                                                         \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,   \
                                T* result) {                                                                \
    return reduce_to(reduction::dot, handle, "cublas" #S "dot", n, x, incx, y, incy, result);               \
  }                                                                                                         \
  cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result) {           \
    return reduce_to<T>(reduction::norm, handle, "cublas" #S "nrm2", n, x, incx, nullptr, 1, result);       \
  }                                                                                                         \
  cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result) {           \
    return reduce_to<T>(reduction::sum, handle, "cublas" #S "asum", n, x, incx, nullptr, 1, result);        \
  }                                                                                                         \
  cublasStatus_t cublasI##D##amax(cublasHandle_t handle, int n, const T* x, int incx, int* result) {        \
    return reduce_to<T>(reduction::largest, handle, "cublasI" #D "amax", n, x, incx, nullptr, 1, result);   \
  }                                                                                                         \
  cublasStatus_t cublasI##D##amin(cublasHandle_t handle, int n, const T* x, int incx, int* result) {        \
    return reduce_to<T>(reduction::smallest, handle, "cublasI" #D "amin", n, x, incx, nullptr, 1, result);  \
  }                                                                                                         \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,              \
                                 const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta,  \
                                 T* y, int incy) {                                                          \
    return gemv<T>(handle, "cublas" #S "gemv", trans, m, n, alpha, A, lda, x, incx, beta, y, incy);         \
  }                                                                                                         \
  cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,  \
                                const T* y, int incy, T* A, int lda) {                                      \
    return ger<T>(handle, "cublas" #S "ger", m, n, alpha, x, incx, y, incy, A, lda);                        \
  }                                                                                                         \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                 int m, int n, const T* alpha, const T* A, int lda, const T* beta,          \
                                 const T* B, int ldb, T* C, int ldc) {                                      \
    return geam<T>(handle, "cublas" #S "geam", transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);  \
  }
EMULATOR_BLAS(S, s, float)
EMULATOR_BLAS(D, d, double)
#undef EMULATOR_BLAS

#define EMULATOR_BLAS(S, T)                                                                                  \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                 int m, int n, int k, const T* alpha, const T* A, int lda, const T* B,       \
                                 int ldb, const T* beta, T* C, int ldc) {                                    \
    constexpr cudaDataType t = type_of<T>;                                                                   \
    return gemm(handle, "cublas" #S "gemm", transa, transb,                                                  \
                {false, false, m, n, k, {t, A, lda, 0}, {t, B, ldb, 0}, {t, C, ldc, 0}, 1}, alpha, beta, t); \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const T* alpha, const T* A, int lda, long long stridea, const T* B, int ldb, long long strideb,        \
      const T* beta, T* C, int ldc, long long stridec, int batch) {                                          \
    constexpr cudaDataType t = type_of<T>;                                                                   \
    return gemm(                                                                                             \
        handle, "cublas" #S "gemmStridedBatched", transa, transb,                                            \
        {false, false, m, n, k, {t, A, lda, stridea}, {t, B, ldb, strideb}, {t, C, ldc, stridec}, batch},    \
        alpha, beta, t);                                                                                     \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                     \
                                        cublasOperation_t transb, int m, int n, int k, const T* alpha,       \
                                        const T* const A[], int lda, const T* const B[], int ldb,            \
                                        const T* beta, T* const C[], int ldc, int batch) {                   \
    constexpr cudaDataType t = type_of<T>;                                                                   \
    return batched(handle, "cublas" #S "gemmBatched", transa, transb,                                        \
                   {false,                                                                                   \
                    false,                                                                                   \
                    m,                                                                                       \
                    n,                                                                                       \
                    k,                                                                                       \
                    {t, nullptr, lda, 0},                                                                    \
                    {t, nullptr, ldb, 0},                                                                    \
                    {t, nullptr, ldc, 0},                                                                    \
                    batch,                                                                                   \
                    reinterpret_cast<const void* const*>(A),                                                 \
                    reinterpret_cast<const void* const*>(B),                                                 \
                    reinterpret_cast<const void* const*>(C)},                                                \
                   alpha, beta, t);                                                                          \
  }
namespace {
/// The three arrays of addresses must lie in device memory themselves.
cublasStatus_t batched(cublasHandle_t handle, const char* function, cublasOperation_t transa,
                       cublasOperation_t transb, const product& p, const void* alpha, const void* beta,
                       cudaDataType type) {
  CHECK_HANDLE();
  CHECK(p.batch >= 0, "the number of matrices is negative");
  if (p.batch == 0) return CUBLAS_STATUS_SUCCESS;
  const auto times = static_cast<std::int64_t>(p.batch);
  const cublasStatus_t checked = give(
      handle, function, false,
      [=] {
        return std::vector<operand>{vector("the array of the addresses of A", "increment", p.as,
                                           sizeof(void*), times, 1, true, false),
                                    vector("the array of the addresses of B", "increment", p.bs,
                                           sizeof(void*), times, 1, true, false),
                                    vector("the array of the addresses of C", "increment", p.cs,
                                           sizeof(void*), times, 1, true, false)};
      },
      [] {});
  return checked != CUBLAS_STATUS_SUCCESS ? checked
                                          : gemm(handle, function, transa, transb, p, alpha, beta, type);
}
}  // namespace
EMULATOR_BLAS(S, float)
EMULATOR_BLAS(D, double)
EMULATOR_BLAS(H, __half)
#undef EMULATOR_BLAS

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* A, cudaDataType atype, int lda, long long stridea,
                                          const void* B, cudaDataType btype, int ldb, long long strideb,
                                          const void* beta, void* C, cudaDataType ctype, int ldc,
                                          long long stridec, int batch, cublasComputeType_t compute,
                                          cublasGemmAlgo_t) {
  cudaDataType scale;
  if (!scale_of(compute, atype, btype, ctype, scale)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return gemm(handle, "cublasGemmStridedBatchedEx", transa, transb,
              {false,
               false,
               m,
               n,
               k,
               {atype, A, lda, stridea},
               {btype, B, ldb, strideb},
               {ctype, C, ldc, stridec},
               batch},
              alpha, beta, scale);
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* A, cudaDataType atype, int lda,
                            const void* B, cudaDataType btype, int ldb, const void* beta, void* C,
                            cudaDataType ctype, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  cudaDataType scale;
  if (!scale_of(compute, atype, btype, ctype, scale)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return gemm(handle, "cublasGemmEx", transa, transb,
              {false, false, m, n, k, {atype, A, lda, 0}, {btype, B, ldb, 0}, {ctype, C, ldc, 0}, 1}, alpha,
              beta, scale);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                             int n, int k, const float* alpha, const void* A, cudaDataType atype, int lda,
                             const void* B, cudaDataType btype, int ldb, const float* beta, void* C,
                             cudaDataType ctype, int ldc) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, atype, lda, B, btype, ldb, beta, C, ctype,
                      ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
