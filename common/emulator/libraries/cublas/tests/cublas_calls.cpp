// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// cuBLAS: results, compared with sums of whole numbers, and what is found where it is called wrongly.
#include <cublas_v2.h>

#include <cmath>
#include <random>
#include <vector>

#include "../../../tests/findings.hpp"

using cuda_emulator::finding_kind;

namespace {

template <class T>
class on_device {
 public:
  explicit on_device(std::size_t size) : size_(size) {
    REQUIRE(cudaMalloc(&data_, size * sizeof(T)) == cudaSuccess);
  }
  explicit on_device(const std::vector<T>& values) : on_device(values.size()) {
    REQUIRE(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  }
  ~on_device() { cudaFree(data_); }
  on_device(const on_device&) = delete;
  operator T*() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> all(size_);
    REQUIRE(cudaMemcpy(all.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return all;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

struct blas {
  cublasHandle_t handle = nullptr;
  blas() { REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS); }
  ~blas() { cublasDestroy(handle); }
  operator cublasHandle_t() const { return handle; }
};

template <class T>
std::vector<T> whole_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& v : values) v = static_cast<T>(static_cast<float>(static_cast<int>(random() % 9) - 4));
  return values;
}

#define GEMM(S, T)                                                                                       \
  cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, \
                      const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c,     \
                      int ldc) {                                                                         \
    return cublas##S##gemm(h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                     \
  }
GEMM(S, float)
GEMM(D, double)
GEMM(H, __half)

// All four kinds, with room between the columns that must stay as it is.
template <class T>
void check_gemm(int m, int n, int k) {
  blas handle;
  for (int kind = 0; kind < 4; ++kind) {
    CAPTURE(kind);
    const bool ta = kind & 1, tb = kind & 2;
    const int lda = (ta ? k : m) + 2, ldb = (tb ? n : k) + 1, ldc = m + 3;
    const auto a = whole_numbers<T>(static_cast<std::size_t>(lda) * (ta ? m : k), 1),
               b = whole_numbers<T>(static_cast<std::size_t>(ldb) * (tb ? k : n), 2),
               c = whole_numbers<T>(static_cast<std::size_t>(ldc) * n, 3);
    const on_device<T> da(a), db(b), dc(c);
    const T alpha = T(2.0f), beta = T(-1.0f);
    REQUIRE(gemm(handle, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, &alpha, da,
                 lda, db, ldb, &beta, dc, ldc) == CUBLAS_STATUS_SUCCESS);
    const std::vector<T> got = dc.values();
    int wrong = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < ldc; ++i) {
        double sum = 0;
        for (int l = 0; l < k; ++l)
          sum += static_cast<double>(static_cast<float>(a[ta ? i * lda + l : l * lda + i])) *
                 static_cast<double>(static_cast<float>(b[tb ? l * ldb + j : j * ldb + l])) * (i < m);
        const double old = static_cast<double>(static_cast<float>(c[j * ldc + i]));
        wrong += static_cast<double>(static_cast<float>(got[j * ldc + i])) != (i < m ? 2 * sum - old : old);
      }
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("gemm: both transpositions, in float, double and half") {
  check_gemm<float>(5, 4, 7);
  check_gemm<float>(600, 3, 150);
  check_gemm<double>(33, 17, 9);
  check_gemm<__half>(6, 5, 4);
  check_gemm<float>(1, 1, 1);
}

TEST_CASE("gemm: many matrices, other types, and C that is not read") {
  blas handle;
  const int n = 3, count = 4;
  const auto a = whole_numbers<float>(n * n * count, 5), b = whole_numbers<float>(n * n * count, 6);
  const on_device<float> da(a), db(b), dc(n * n * count), dd(n * n * count);
  const float one = 1, zero = 0;
  REQUIRE(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da, n, n * n, db, n,
                                    n * n, &zero, dc, n, n * n, count) == CUBLAS_STATUS_SUCCESS);
  std::vector<const float*> pa, pb;
  std::vector<float*> pd;
  for (int i = 0; i < count; ++i) {
    pa.push_back(da + i * n * n);
    pb.push_back(db + i * n * n);
    pd.push_back(dd + i * n * n);
  }
  const on_device<const float*> dpa(pa), dpb(pb);
  const on_device<float*> dpd(pd);
  REQUIRE(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, dpa, n, dpb, n, &zero, dpd, n,
                             count) == CUBLAS_STATUS_SUCCESS);
  const auto c = dc.values(), d = dd.values();
  int wrong = 0;
  for (int t = 0; t < count; ++t)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int l = 0; l < n; ++l) sum += a[t * n * n + l * n + i] * b[t * n * n + j * n + l];
        wrong += c[t * n * n + j * n + i] != sum || d[t * n * n + j * n + i] != sum;
      }
  CHECK(wrong == 0);

  const auto ha = whole_numbers<__half>(4, 7);
  const on_device<__half> dha(ha);
  const on_device<float> df(4);
  REQUIRE(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, dha, CUDA_R_16F, 2, dha, CUDA_R_16F,
                       2, &zero, df, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  CHECK(df.values()[1] == float(ha[1]) * float(ha[0]) + float(ha[3]) * float(ha[1]));
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, dha, CUDA_R_16F, 2, dha, CUDA_R_32F, 2,
                     &zero, df, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  // Products of integers compile, and say that they are not there.
  CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, dha, CUDA_R_8I, 2, dha, CUDA_R_8I, 2,
                     &zero, df, CUDA_R_32I, 2, CUBLAS_COMPUTE_32I,
                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(cublasGetCudartVersion() == CUDART_VERSION);
}

TEST_CASE("vectors: increments of both signs, results on both sides") {
  blas handle;
  const on_device<float> x({1, -2, 3, -4, 5, 6}), y({10, 20, 30, 40, 50, 60});
  const float two = 2;
  REQUIRE(cublasSaxpy(handle, 3, &two, x, 2, y, -1) == CUBLAS_STATUS_SUCCESS);
  CHECK(y.values() == std::vector<float>{20, 26, 32, 40, 50, 60});
  REQUIRE(cublasSscal(handle, 2, &two, x, 3) == CUBLAS_STATUS_SUCCESS);
  CHECK(x.values() == std::vector<float>{2, -2, 3, -8, 5, 6});
  float dot = 0, norm = 0, sum = 0;
  int largest = 0, smallest = 0;
  CHECK(cublasSdot(handle, 3, x, 1, y, 2, &dot) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSnrm2(handle, 2, x, 4, &norm) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSasum(handle, 6, x, 1, &sum) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasIsamax(handle, 6, x, 1, &largest) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasIsamin(handle, 6, x, 1, &smallest) == CUBLAS_STATUS_SUCCESS);
  CHECK(dot == 2 * 20 - 2 * 32 + 3 * 50);
  CHECK(norm == std::sqrt(29.0f));
  CHECK(sum == 26);
  CHECK((largest == 4 && smallest == 1));  // from 1, the first of equal ones
  CHECK((cublasIsamax(handle, 0, x, 1, &largest) == CUBLAS_STATUS_SUCCESS && largest == 0));

  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  const on_device<double> d({3, 4}), result(1);
  REQUIRE(cublasDnrm2(handle, 2, d, 1, result) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasDscal(handle, 2, result, d, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(d.values() == std::vector<double>{15, 20});
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasSswap(handle, 6, x, 1, y, 1) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasScopy(handle, 2, y, -1, x, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK((x.values()[0] == -2 && x.values()[1] == 2 && y.values()[5] == 6));
}

TEST_CASE("matrices and vectors: gemv, ger, geam, copies by columns") {
  blas handle;
  // 2 x 3, by columns, in columns of 4
  const float host[] = {1, 2, 3, 4, 5, 6};
  const on_device<float> a(12), x({1, 10, 100}), y({1, 1, 1}), t(6);
  REQUIRE(cublasSetMatrix(2, 3, sizeof(float), host, 2, a, 4) == CUBLAS_STATUS_SUCCESS);
  const float one = 1, two = 2, zero = 0;
  REQUIRE(cublasSgemv(handle, CUBLAS_OP_N, 2, 3, &one, a, 4, x, 1, &two, y, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(y.values() == std::vector<float>{533, 1, 644});
  REQUIRE(cublasSgemv(handle, CUBLAS_OP_T, 2, 3, &one, a, 4, x, -1, &zero, y, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(y.values() == std::vector<float>{12, 34, 56});
  REQUIRE(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, a, 4, &zero, nullptr, 3, t, 3) ==
          CUBLAS_STATUS_SUCCESS);
  CHECK(t.values() == std::vector<float>{1, 3, 5, 2, 4, 6});
  REQUIRE(cublasSger(handle, 2, 3, &one, x, 1, y, 1, a, 4) == CUBLAS_STATUS_SUCCESS);
  float back[6];
  REQUIRE(cublasGetMatrix(2, 3, sizeof(float), a, 4, back, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(std::vector<float>(back, back + 6) == std::vector<float>{13, 122, 37, 344, 61, 566});
}

TEST_CASE("streams are kept in order, and handles are known") {
  blas handle;
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  const on_device<float> x({1, 2, 3, 4});
  float* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 16) == cudaSuccess);
  const float two = 2;
  check_found(
      finding_kind::unordered, {"cublasSscal"},
      [&] {
        cublasSscal(handle, 4, &two, x, 1);
        cudaMemcpyAsync(pinned, x, 16, cudaMemcpyDeviceToHost, cudaStreamPerThread);
        cudaDeviceSynchronize();
      },
      [&] {
        cudaDeviceSynchronize();
        cublasSscal(handle, 4, &two, x, 1);
        cudaMemcpyAsync(pinned, x, 16, cudaMemcpyDeviceToHost, stream);
        cudaDeviceSynchronize();
      });
  cudaFreeHost(pinned);
  cudaStreamDestroy(stream);
  CHECK(cublasSscal(nullptr, 4, &two, x, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasDestroy(nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(std::string(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) == "CUBLAS_STATUS_INVALID_VALUE");
}

TEST_CASE("wrong sizes, leading dimensions and memory are found") {
  blas handle;
  const int m = 4, n = 3, k = 2;
  const on_device<float> a(whole_numbers<float>(m * k, 1)), b(whole_numbers<float>(k * n, 2)), c(m * n);
  const float one = 1, zero = 0;
  const auto right = [&] {
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, m, b, k, &zero, c, m);
  };
  check_found(
      finding_kind::out_of_bounds,
      {"reads A, 4 x 3 elements of 4 bytes with lda 4", "up to element [11]",
       "8 elements of 4 bytes are left"},
      [&] { cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, 3, &one, a, m, b, 3, &zero, c, m); }, right);
  check_found(
      finding_kind::out_of_bounds, {"writes C, 4 x 4"},
      [&] { cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, 1, &one, a, m, a, m, &zero, c, m); }, right);
  check_found(
      finding_kind::uninitialized_read, {"C, 4 x 3", "12 elements are uninitialized", "beta"},
      [&] {
        const on_device<float> fresh(m * n);
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, m, b, k, &one, fresh, m);
        cudaDeviceSynchronize();
      },
      right);
  std::vector<float> host(m * k);
  check_found(
      finding_kind::host_pointer, {"A, 4 x 2", "cudaMalloc()"},
      [&] {
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, host.data(), m, b, k, &zero, c, m);
      },
      right);
  check_found(
      finding_kind::device_pointer, {"alpha lies in device memory", "CUBLAS_POINTER_MODE_DEVICE"},
      [&] { cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, a, a, m, b, k, &zero, c, m); }, right);
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, k, b, k, &zero, c, m) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, a, k, b, k, &zero, c, m) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, n, k, &one, a, m, b, k, &zero, c, m) ==
        CUBLAS_STATUS_INVALID_VALUE);
  cudaGetLastError();
}
