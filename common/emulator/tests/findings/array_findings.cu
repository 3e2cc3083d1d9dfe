// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// An index beyond an array of fixed size that a thread has for itself.
#include <array>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int first_line = __LINE__ + 5;
__global__ void first_kernel(const float* x, float* y, int size) {
  float window[8];
  float sum = 0;
  for (int v = 0; v < size; ++v) {
    window[v] = x[v];
  }
  for (int v = 0; v < 8; ++v) sum += window[v];
  *y = sum;
}

// Two arrays on one line, and an index of two lines.
constexpr int second_line = __LINE__ + 6;
__global__ void second_kernel(int* y, int i, int j) {
  int a[4] = {1, 2, 3, 4}, b[6] = {1, 2, 3, 4, 5, 6};
  a[1] = y[1];
  b[1] = y[2];
  // clang-format off
  y[0] = a[i] + b[j +
                  1];
  // clang-format on
}

__global__ void rows_kernel(int* y, int row, int column) {
  int matrix[3][5];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 5; ++c) matrix[r][c] = 10 * r + c;
  y[0] = matrix[row][column];
  // All rows by one index, as a GPU and compute-sanitizer admit it.
  for (int i = 0; i < 15; ++i) y[0] += matrix[0][i];
}

struct vector {
  float v[6];
  __device__ float& operator[](int i) { return v[i]; }
  __device__ float get(int i) const { return v[i]; }
};
struct two_vectors {
  vector a, b;
  int count;
};
__global__ void members_kernel(float* y, int in_member, int in_get, int in_operator) {
  two_vectors two{};
  two.b.v[in_member] = 1;
  two.a[in_operator] = 2;
  y[0] = two.a.get(in_get) + two.b.v[0] + static_cast<float>(two.count);
}

template <class T, int N>
__device__ T last(const T (&values)[N], int n) {
  return values[n - 1];
}
__global__ void reference_kernel(short* y, int n) {
  short few[3] = {1, 2, 3}, many[7] = {1, 2, 3, 4, 5, 6, 7};
  few[n % 2] = many[n % 2] = 9;
  y[0] = static_cast<short>(last(few, n) + last(many, n));
}

template <int N>
__global__ void template_kernel(int* y, unsigned i) {
  int a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  const auto twice = [&](unsigned n) { return 2 * a[n]; };
  y[0] = twice(i);
}

// Classes with an assignment of their own, as all vectors of CUDA have it here.
__global__ void classes_kernel(const float4* x, float* y, int size, unsigned from) {
  float4 window[3];
  for (int v = 0; v < size; ++v) window[v] = x[v];
  const float2 pairs[2] = {{1, 2}, {3, 4}};
  int order[3] = {0, 1, 2};
  float4* const end = &window[3];
  y[0] = window[order[2]].x + pairs[from].y + (end - window);
}

// Memory of the device is checked byte by byte instead: rows by one index, an array at the end of a structure
// that stands for what follows it, and one past the end as a place.
struct header {
  int size;
  int values[1];
};
__constant__ int steps[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__global__ void allowed_kernel(header* h, int* y) {
  __shared__ int tile[4][8];
  const int i = static_cast<int>(threadIdx.x);
  tile[0][i] = i;
  __syncthreads();
  y[i] = tile[0][31 - i] + steps[0][i % 8];
  if (i < h->size) h->values[i] = i;
  int own[4] = {i, i, i, i};
  int* const end = &own[4];
  for (int* p = own; p != end; ++p) y[i] += *p;
}

}  // namespace

TEST_CASE("an index beyond an array of a thread is found, with the array, the index and the line") {
  device_array<float> d_x(std::vector<float>(16, 1.0f)), d_y(1);
  check_found(
      finding_kind::array_index,
      {"index beyond an array in kernel first_kernel", at_line(__FILE__, first_line),
       "thread (0, 0, 0) of block (0, 0, 0) uses window[8], and window has 8 elements, numbered from 0 to 7",
       "a loop with <="},
      [&] { first_kernel<<<1, 1>>>(d_x.data(), d_y.data(), 9); },
      [&] { first_kernel<<<1, 1>>>(d_x.data(), d_y.data(), 8); });
  device_array<int> d_n(16);
  check_found(
      finding_kind::array_index, {"second_kernel", "uses a[-1], and a has 4", at_line(__FILE__, second_line)},
      [&] { second_kernel<<<1, 1>>>(d_n.data(), -1, 0); },
      [&] { second_kernel<<<1, 1>>>(d_n.data(), 3, 4); });
  check_found(
      finding_kind::array_index, {"second_kernel", "uses b[6], and b has 6"},
      [&] { second_kernel<<<1, 1>>>(d_n.data(), 0, 5); },
      [&] { second_kernel<<<1, 1>>>(d_n.data(), 0, -1); });
}

TEST_CASE("rows, members, references, templates and lambdas") {
  device_array<int> d_n(16);
#ifdef __clang__  // of the two indices it says where the first one is
  const std::string row = "matrix[5], and matrix has 5";
#else
  const std::string row = "matrix[row][5], and matrix[row] has 5";
#endif
  check_found(
      finding_kind::array_index, {"rows_kernel", row}, [&] { rows_kernel<<<1, 1>>>(d_n.data(), 1, 5); },
      [&] { rows_kernel<<<1, 1>>>(d_n.data(), 1, 4); });
  check_found(
      finding_kind::array_index, {"rows_kernel", "matrix[3], and matrix has 3"},
      [&] { rows_kernel<<<1, 1>>>(d_n.data(), 3, 0); }, [&] { rows_kernel<<<1, 1>>>(d_n.data(), 2, 0); });
  device_array<float> d_y(1);
  const auto members = [&](int a, int b, int c) { members_kernel<<<1, 1>>>(d_y.data(), a, b, c); };
  check_found(
      finding_kind::array_index, {"members_kernel", "v[6], and ", "v has 6"}, [&] { members(6, 0, 0); },
      [&] { members(5, 5, 5); });
  check_found(
      finding_kind::array_index, {"members_kernel", "v[6], and v has 6"}, [&] { members(0, 6, 0); },
      [&] { members(0, 5, 0); });
  // A reference may name the place behind the last element: the compiler lets index 6 pass.
  check_found(
      finding_kind::array_index, {"members_kernel", "v[7], and v has 6"}, [&] { members(0, 0, 7); },
      [&] { members(0, 0, 5); });
  device_array<short> d_s(1);
  check_found(
      finding_kind::array_index, {"reference_kernel", "values[3], and values has 3"},
      [&] { reference_kernel<<<1, 1>>>(d_s.data(), 4); }, [&] { reference_kernel<<<1, 1>>>(d_s.data(), 3); });
  check_found(
      finding_kind::array_index, {"template_kernel", "a[5], and a has 5"},
      [&] { template_kernel<5><<<1, 1>>>(d_n.data(), 5); },
      [&] { template_kernel<6><<<1, 1>>>(d_n.data(), 5); });
}

TEST_CASE("arrays of classes: also the index behind the last element") {
  device_array<float4> d_x(std::vector<float4>(8));
  device_array<float> d_y(1);
  const auto launch = [&](int size, unsigned from) {
    classes_kernel<<<1, 1>>>(d_x.data(), d_y.data(), size, from);
  };
  check_found(
      finding_kind::array_index, {"classes_kernel", "uses window[3], and window has 3"},
      [&] { launch(4, 0); }, [&] { launch(3, 0); });
  check_found(
      finding_kind::array_index, {"classes_kernel", "uses pairs[2], and pairs has 2"}, [&] { launch(3, 2); },
      [&] { launch(3, 1); });
  CHECK(d_y.to_host()[0] == 7);
}

TEST_CASE("no false alarm: arrays in memory of the device, and the place behind an array") {
  device_array<int> d_h(32), d_y(32);
  const int size = 31;
  cudaMemcpy(d_h.data(), &size, sizeof size, cudaMemcpyHostToDevice);
  const auto found =
      finding_of([&] { allowed_kernel<<<1, 32>>>(reinterpret_cast<header*>(d_h.data()), d_y.data()); });
  if (found) FAIL_CHECK(std::string(found->what()));
  CHECK(d_y.to_host()[5] == 26 + 6 + 20);
  CHECK(d_h.to_host()[31] == 30);
  // What the host does with its arrays is its own affair.
  int own[4] = {1, 2, 3, 4};
  volatile int n = 4;
  int* const end = own + n;
  CHECK(end[-1] == 4);
}
