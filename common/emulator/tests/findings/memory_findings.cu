// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Accesses that a kernel must not make: out of bounds, to what was freed, misaligned, to memory nobody has
// written, to the host's memory. Each faulty kernel stands beside its repaired twin; the template argument is
// the mistake.
#include <cstddef>
#include <new>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int faulty_guard = __LINE__ + 5;
template <bool faulty>
__global__ void copy_kernel(const float* x, float* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size + faulty) {
    y[i] = x[i];
  }
}

// All threads of a block wait below the read, and below the write, too, in a loop.
constexpr int late_barrier = __LINE__ + 5;
__global__ void staged_kernel(const float* x, float* y, int size) {
  __shared__ float tile[32];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i < size) y[i] = tile[31 - threadIdx.x];
}
__global__ void rounds_kernel(float* y) {
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  }
}

// Rows that lie `pitch` bytes apart, or are taken to lie side by side.
template <bool faulty>
__global__ void rows_kernel(const float* x, std::size_t pitch, int width, float* y) {
  const float* row =
      faulty ? x + blockIdx.x * width
             : reinterpret_cast<const float*>(reinterpret_cast<const char*>(x) + blockIdx.x * pitch);
  y[blockIdx.x * width + threadIdx.x] = row[threadIdx.x];
}

enum class index_formula { of_grid, exchanged, backwards };
__global__ void guarded_kernel(float* y, index_formula formula, int guard) {
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (formula == index_formula::exchanged) i = static_cast<int>(blockIdx.x + blockDim.x * threadIdx.x);
  if (i >= guard) return;
  y[formula == index_formula::backwards ? 99 - i : i] = 1;
}

constexpr int faulty_halo = __LINE__ + 6;
template <bool faulty>
__global__ void neighbors_kernel(const double* x, double* y, int size) {
  const int i = static_cast<int>(threadIdx.x);
  double sum = x[i];
  if (faulty || i > 0) {
    sum += x[i - 1];
  }
  if (i < size) y[i] = sum;
}

// A thread may have an output, and no sample.
template <bool faulty>
__global__ void full_kernel(const float* x, int size, float* y, int outputs) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), m = i;
  if (i >= outputs) return;
  if (faulty || m < size) {
    y[i] = x[m];
  }
}

// Each thread reads all of h, as a convolution does.
template <bool faulty>
__global__ void taps_of_kernel(const float* h, int taps, float* y) {
  float sum = 0;
  for (int k = 0; k < taps + faulty; ++k) {
    sum += h[k];
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Behind the end of an array of the block, and before its beginning, by an index without a sign.
template <bool faulty>
__global__ void behind_tile_kernel(float* y) {
  __shared__ float other[3];
  __shared__ float tile[32];
  if (threadIdx.x < 3) other[threadIdx.x] = 1;
  if (faulty || threadIdx.x < 32) tile[threadIdx.x] = 1;
  if (threadIdx.x == 0) y[blockIdx.x] = 1;
}
template <bool faulty>
__global__ void before_tile_kernel(float* y) {
  __shared__ float other[3];
  __shared__ float tile[32];
  if (threadIdx.x < 3) other[threadIdx.x] = 1;
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (faulty || threadIdx.x >= 3) y[threadIdx.x] = tile[threadIdx.x - 3];
}
__global__ void dynamic_tile_kernel(float* y) {
  extern __shared__ float dynamic_tile[];
  dynamic_tile[threadIdx.x] = 1;
  if (threadIdx.x == 0) *y = dynamic_tile[0];
}

constexpr int faulty_tile = __LINE__ + 6;
template <bool faulty>
__global__ void tile_kernel(float* y) {
  __shared__ float tile[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = 1;
  if (faulty || i < 63) tile[i + 1] = 2;  // lane by lane the same place: only its end matters here
  __syncwarp();
  y[i] = tile[i];
}

template <int elements>
__global__ void dynamic_kernel(int* y) {
  extern __shared__ int dynamic[];
  if (threadIdx.x == 0) dynamic[elements - 1] = 5;
  __syncthreads();
  if (threadIdx.x == 1) *y = dynamic[elements - 1];
}
#pragma GCC diagnostic ignored "-Wunused"  // clang does without some of the kernels: see below
__constant__ float taps[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__global__ void taps_kernel(int k, float* y) { *y = taps[k]; }
__global__ void all_taps_kernel(int count, float* y) {
  for (int k = 0; k < count; ++k) *y += taps[k];
}

// Constant memory that waits for a copy: the kernel reads all of it that this number of elements is.
__constant__ float by_elements[8], by_bytes[8], by_offset[8], by_pieces[8], never_copied[2], addressed[2];
struct gap {
  char c;
  double d;
};
__constant__ gap with_gap;
constexpr int sum_line = __LINE__ + 3;
__device__ float sum_of(const float* begin, int count) {
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += begin[i];
  return sum;
}
template <int which>
__global__ void sum_constants_kernel(int begin, int count, float* y) {
  const float* const all[] = {by_elements, by_bytes, by_offset, by_pieces, never_copied, addressed, taps};
  *y = sum_of(all[which] + begin, count);
}
__global__ void gap_kernel(gap* y) { *y = with_gap; }

__global__ void read_kernel(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void write_kernel(int* y, int value) { y[threadIdx.x] = value; }
__global__ void reference_kernel(int* y, const int& value) { y[threadIdx.x] = value; }
__global__ void bytes_kernel(const unsigned char* x, unsigned char* y, int size) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < size) y[i] = x[i];
}

constexpr int misaligned_line = __LINE__ + 2;
__global__ void vector_kernel(const float* x, float4* y) {
  y[threadIdx.x] = *reinterpret_cast<const float4*>(x + 4 * threadIdx.x);
}

struct pair {
  double values[2];
};
__global__ void pair_kernel(const pair* x, pair* y) { y[threadIdx.x] = x[threadIdx.x]; }

__global__ void divide_kernel(const int* x, int* y) { y[threadIdx.x] = 100 / x[threadIdx.x]; }

__device__ int deep(int depth, volatile int* y) {
  volatile int here[64];
  here[depth % 64] = depth;
  return depth == 0 ? *y : deep(depth - 1, y) + here[depth % 64];
}
__global__ void deep_kernel(int depth, int* y) { *y = deep(depth, y); }

// Only the far end of the array is used: far behind the page that guards the stack.
template <int bytes>
__global__ void wide_kernel(int* y) {
  volatile char here[bytes];
  __shared__ int seen[32];
  seen[threadIdx.x] = 1;
  __syncthreads();
  here[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *y = here[0] + seen[31];
}

// Frames of many sizes: the stack ends in the function, in what each of its accesses calls, or where it
// calls itself.
constexpr int descent_line = __LINE__ + 4;
template <int words>
__device__ __noinline__ int descend(int depth, const int* y) {
  volatile int here[words];
  here[depth % words] = depth;
  if (depth < 0) return *y;
  return descend<words>(depth - 1, y) + here[depth % words];
}
template <int words>
__global__ void descend_kernel(int depth, int* y) {
  *y = descend<words>(depth, y);
}

template <bool faulty>
__global__ void half_staged_kernel(const float* x, float* y) {
  __shared__ float tile[32];
  const int i = static_cast<int>(threadIdx.x);
  if (!faulty || i != 7) tile[i] = x[i];
  __syncthreads();
  y[i] = tile[31 - i];
}

__global__ void partly_written_kernel(float* y) {
  if (threadIdx.x % 2 == 0) y[threadIdx.x] = 1;
}

// Objects with virtual functions: their constructors write what calls of them read.
struct shape {
  __device__ virtual float area() const = 0;
};
struct square : shape {
  float side;
  __device__ explicit square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct circle : shape {
  float radius;
  __device__ explicit circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3 * radius * radius; }
};
template <bool faulty>
__global__ void construct_kernel(shape** shapes, square* squares, circle* circles) {
  const int i = static_cast<int>(threadIdx.x);
  shapes[2 * i] = faulty && i == 3 ? squares + i : new (squares + i) square(static_cast<float>(i));
  shapes[2 * i + 1] = new (circles + i) circle(static_cast<float>(i));
}
__global__ void areas_kernel(shape* const* shapes, float* areas) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
}

// Types with gaps. The kernels write the members one by one, and all of them or all but one.
struct letter {
  char c;
  int i;
};
struct small {
  char c;
  short s;
};
struct value {
  float f;
  double d;
};
struct row {
  int key;
  short s;
  long long wide;
  char tail;
};
struct alignas(16) point {
  float x, y, z;
};
template <bool all>
__device__ void fill(letter& v) {
  if (all) v.i = 1;
  v.c = 2;
}
template <bool all>
__device__ void fill(small& v) {
  if (all) v.s = 1;
  v.c = 2;
}
template <bool all>
__device__ void fill(value& v) {
  if (all) v.d = 1;
  v.f = 2;
}
template <bool all>
__device__ void fill(row& v) {
  if (all) v.wide = 1;
  v.key = v.s = v.tail = 2;
}
template <bool all>
__device__ void fill(point& v) {
  if (all) v.x = 1;
  v.y = v.z = 2;
}
template <bool all>
__device__ void fill(float3& v) {
  if (all) v.z = 1;
  v.x = v.y = 2;
}
template <bool all>
__device__ void fill(int2& v) {
  if (all) v.y = 1;
  v.x = 2;
}
template <typename T, bool all>
__global__ void fill_members_kernel(T* x) {
  fill<all>(x[threadIdx.x]);
}
template <typename T>
__global__ void copy_whole_kernel(const T* x, T* y) {
  __shared__ T tile[32];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[31 - threadIdx.x];
}

struct reader {
  const int* x;
};
__global__ void struct_kernel(reader r, int* y) { *y = r.x[3]; }

}  // namespace

TEST_CASE("out of bounds: global memory") {
  const std::vector<float> x(100, 1.0f);
  device_array<float> d_x(x), d_y(100);
  // Read first, hence found at the read; element, allocation, thread and line are named.
  check_found(
      finding_kind::out_of_bounds,
      {"access out of bounds in kernel copy_kernel", "thread (4, 0, 0) of block (3, 0, 0)", "reads 4 bytes",
       "x[100] in global memory (x has 100 elements of 4 bytes, allocated at ",
       at_line(__FILE__, faulty_guard),
       "In the whole grid this is thread 100, and x has 100 elements. Usual cause: a guard with > in "
       "place of >=, or\n  no guard. Right: if (i >= size) return;\n"
       "  Where the thread has work left after this read, guard only the read: if (i < size)."},
      [&] { copy_kernel<true><<<4, 32>>>(d_x.data(), d_y.data(), 100); },
      [&] { copy_kernel<false><<<4, 32>>>(d_x.data(), d_y.data(), 100); });

  device_array<double> d_a(std::vector<double>(32, 1.0)), d_b(32);
  check_found(
      finding_kind::out_of_bounds,
      {"neighbors_kernel", "thread (0, 0, 0) of block (0, 0, 0)", "reads 8 bytes", "x[-1] in global memory",
       at_line(__FILE__, faulty_halo), "Usual cause: an index below 0, such as x[i - 1] at the beginning"},
      [&] { neighbors_kernel<true><<<1, 32>>>(d_a.data(), d_b.data(), 32); },
      [&] { neighbors_kernel<false><<<1, 32>>>(d_a.data(), d_b.data(), 32); });

  // Who returns before a barrier makes the next mistake.
  device_array<float> d_128(std::vector<float>(128, 1.0f));
  check_found(
      finding_kind::out_of_bounds,
      {"x has 100 elements. Usual cause: a missing guard,\n  or a wrong one. Right: i < size ? x[i] : 0\n  A "
       "return would be wrong: all threads of the block must reach line " +
       std::to_string(late_barrier)},
      [&] { staged_kernel<<<4, 32>>>(d_x.data(), d_y.data(), 100); },
      [&] { staged_kernel<<<4, 32>>>(d_128.data(), d_y.data(), 100); });
  check_found(
      finding_kind::out_of_bounds, {"Right: if (i < size)\n  A return would be wrong"},
      [&] { rounds_kernel<<<4, 32>>>(d_y.data()); }, [&] { rounds_kernel<<<4, 32>>>(d_128.data()); });

  // One byte behind an allocation whose size is no multiple of anything.
  device_array<unsigned char> d_bytes(std::vector<unsigned char>(13, 1)), d_out(13);
  check_found(
      finding_kind::out_of_bounds, {"thread (13, 0, 0)", "reads 1 byte: x[13]", "13 elements of 1 byte"},
      [&] { bytes_kernel<<<1, 32>>>(d_bytes.data(), d_out.data(), 14); },
      [&] { bytes_kernel<<<1, 32>>>(d_bytes.data(), d_out.data(), 13); });
}

// Does the thread have an element of its own? No guard, one that is off by one, or another index than meant.
TEST_CASE("out of bounds: the usual cause is what fits the thread and the indices") {
  device_array<float> d_x(std::vector<float>(100, 1.0f)), d_y(100), d_long(1024);
  const auto run = [&](index_formula formula, int guard) {
    return [&, formula, guard] { guarded_kernel<<<4, 32>>>(d_y.data(), formula, guard); };
  };
  const char* const thread_100 =
      "In the whole grid this is thread 100, and y has 100 elements. Usual cause: ";
  const char* const missing = "a missing guard,\n  or a wrong one. Right: if (i >= size) return;";
  const char* const off_by_one =
      "a guard with > in place of >=, or\n  no guard. Right: if (i >= size) return;";
  for (const auto& [formula, first] :
       {std::pair(index_formula::of_grid, "y[100]"), std::pair(index_formula::backwards, "y[-1]")}) {
    check_found(finding_kind::out_of_bounds, {first, "28 times", std::string(thread_100) + missing},
                run(formula, 1000), run(formula, 100));
    check_found(finding_kind::out_of_bounds, {first, std::string(thread_100) + off_by_one}, run(formula, 101),
                run(formula, 100));
  }
  // Thread 4 has the element 4.
  check_found(
      finding_kind::out_of_bounds,
      {"thread (4, 0, 0) of block (0, 0, 0) writes 4 bytes: y[128]", "as far as y[995]",
       "Usual cause: a missing guard such as if (i >= size) return; or a wrong formula for the index.\n"
       "  Is the thread's number in the whole grid meant? That is 4 = blockIdx.x * blockDim.x + "
       "threadIdx.x."},
      run(index_formula::exchanged, 1000), run(index_formula::exchanged, 100));
  device_array<float> d_one(1);
  check_found(
      finding_kind::out_of_bounds,
      {"and y has 1 element.", "return;\n  And no thread has the number 992: is the"},
      [&] { guarded_kernel<<<1, 32>>>(d_one.data(), index_formula::exchanged, 1000); },
      [&] { guarded_kernel<<<1, 32>>>(d_one.data(), index_formula::exchanged, 1); });
  // The guard is right, and the index of the read needs a test of its own.
  device_array<float> d_104(104);
  check_found(
      finding_kind::out_of_bounds,
      {"reads 4 bytes: x[100]",
       "  Here m is 100, and x has 100 elements. Usual cause: no test of m, or a wrong one.\n  Right: read "
       "only if (0 <= m && m < size), with the size of x. The guard in line "},
      [&] { full_kernel<true><<<4, 32>>>(d_x.data(), 100, d_104.data(), 104); },
      [&] { full_kernel<false><<<4, 32>>>(d_x.data(), 100, d_104.data(), 104); });
  // A loop that counts the elements has no thread's number for its index.
  check_found(
      finding_kind::out_of_bounds,
      {"h[3]",
       "  The loop's k goes too far: h has 3 elements. Usual cause: a wrong bound\n"
       "  (are the arguments of the launch in the order of the parameters?)."},
      [&] { taps_of_kernel<true><<<1, 32>>>(d_x.data() + 97, 3, d_y.data()); },
      [&] { taps_of_kernel<false><<<1, 32>>>(d_x.data() + 97, 3, d_y.data()); });
  // Elements given for bytes: the size in bytes is the number of threads, up to a block.
  const auto launched = [](float* y) {
    return [y] { guarded_kernel<<<4, 32>>>(y, index_formula::of_grid, 101); };
  };
  // An argument says how many there are meant to be: as many as there are bytes. Not if that is passed, too.
  device_array<float> d_quarter(25), d_half(50);
  const auto passed = [](float* y, int size) {
    return [=] { guarded_kernel<<<4, 32>>>(y, index_formula::backwards, size); };
  };
  check_found(
      finding_kind::out_of_bounds,
      {"thread (0, 0, 0) of block (0, 0, 0) writes 4 bytes: y[99]",
       "  y has 100 bytes, and guard is 100. Usual cause: an allocation whose size counts elements.\n  "
       "cudaMalloc() takes bytes: elements times sizeof(). Or, where y is not to have 100 elements, a "
       "guard is missing or wrong."},
      passed(d_quarter.data(), 100), passed(d_y.data(), 100));
  // By chance, too: 16 of them are no size, where threads go to 5 and no further.
  device_array<float> d_four(4);
  const std::function<void()> by_chance = [&] {
    guarded_kernel<<<dim3(1), dim3(6)>>>(d_four.data(), index_formula::of_grid, 16);
  };
  for (const std::function<void()>& launch :
       {std::function<void()>(passed(d_half.data(), 100)),
        std::function<void()>(passed(d_quarter.data(), 99)), by_chance}) {
    const auto found = finding_of(launch);
    REQUIRE(found.has_value());
    CHECK(std::string(found->what()).find("size counts elements") == std::string::npos);
  }
  device_array<float> d_24(24), d_25(25), d_33(33);
  check_found(finding_kind::out_of_bounds,
              {"this is thread 25, and y has 25 elements.",
               "return;\n  Or y is too small: its size in bytes is 100, about the number of threads, and "
               "cudaMalloc() takes bytes."},
              launched(d_25.data()), launched(d_long.data()));
  for (float* const other : {d_24.data(), d_33.data()}) {
    const auto found = finding_of(launched(other));
    REQUIRE(found.has_value());
    CHECK(std::string(found->what()).find("is too small") == std::string::npos);
  }
  // A grid of two dimensions numbers its threads in many ways.
  check_found(
      finding_kind::out_of_bounds,
      {"Usual cause: a missing guard such as if (i >= size) return; an index such as x[i + 1]\n  at the end "
       "of the array, or a wrong formula for the index."},
      [&] { copy_kernel<false><<<dim3(4, 1), dim3(32, 2)>>>(d_x.data(), d_long.data(), 128); },
      [&] { copy_kernel<false><<<dim3(4, 1), dim3(32, 1)>>>(d_x.data(), d_long.data(), 100); });
}

TEST_CASE("out of bounds: shared and constant memory") {
  device_array<float> d_y(64);
  check_found(
      finding_kind::out_of_bounds,
      {"tile_kernel", "thread (63, 0, 0)",
       "writes 4 bytes: tile[64] in shared memory (tile has 64 elements of 4 bytes",
       at_line(__FILE__, faulty_tile),
       "The last element is tile[63]. Usual cause: an index that is one too large, such as x[i + 1] at "},
      [&] {
        try {
          tile_kernel<true><<<1, 64>>>(d_y.data());
        } catch (const cuda_emulator::finding& f) {
          // Neighbors race here, too; the message that counts is the one about the end.
          if (f.kind() == finding_kind::out_of_bounds) throw;
          throw cuda_emulator::finding(finding_kind::out_of_bounds, "found only a race");
        }
      },
      [] {});

  device_array<int> d_value(1);
  check_found(
      finding_kind::out_of_bounds, {"dynamic[64] in shared memory (dynamic has 64 elements of 4 bytes"},
      [&] { dynamic_kernel<65><<<1, 32, 256>>>(d_value.data()); },
      [&] { dynamic_kernel<64><<<1, 32, 256>>>(d_value.data()); });
  check_found(
      finding_kind::out_of_bounds, {"dynamic has 0 elements", "asks for no dynamic shared memory"},
      [&] { dynamic_kernel<64><<<1, 32>>>(d_value.data()); },
      [&] { dynamic_kernel<64><<<1, 32, 256>>>(d_value.data()); });
  // The red zone is there for the largest block, too.
  REQUIRE(cudaFuncSetAttribute(dynamic_kernel<58113>, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448) ==
          cudaSuccess);
  REQUIRE(cudaFuncSetAttribute(dynamic_kernel<58112>, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448) ==
          cudaSuccess);
  check_found(
      finding_kind::out_of_bounds, {"dynamic[58112] in shared memory"},
      [&] { dynamic_kernel<58113><<<1, 32, 232448>>>(d_value.data()); },
      [&] { dynamic_kernel<58112><<<1, 32, 232448>>>(d_value.data()); });

#if !defined __clang__ && !defined __aarch64__  // they lay variables side by side: nothing is found
  check_found(
      finding_kind::out_of_bounds,
      {"taps_kernel", "taps[9] in constant memory (taps has 8 elements of 4 bytes"},
      [&] { taps_kernel<<<1, 1>>>(9, d_y.data()); }, [&] { taps_kernel<<<1, 1>>>(7, d_y.data()); });
  device_array<float> d_sum(std::vector<float>(1, 0.0f));
  check_found(
      finding_kind::out_of_bounds,
      {"The loop's k goes too far: taps has 8 elements, and count is 9. Usual cause: more than fit.\n"},
      [&] { all_taps_kernel<<<1, 1>>>(9, d_sum.data()); },
      [&] { all_taps_kernel<<<1, 1>>>(8, d_sum.data()); });
#endif
}

TEST_CASE("use after free") {
  int* freed = nullptr;
  device_array<int> d_live(std::vector<int>(32, 1)), d_y(32);
  REQUIRE(cudaMalloc(&freed, 32 * sizeof(int)) == cudaSuccess);
  const int line = __LINE__ - 1;
  REQUIRE(cudaMemset(freed, 0, 32 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  check_found(
      finding_kind::use_after_free,
      {"use of freed memory in kernel read_kernel",
       "x[0] in global memory (x has 32 elements of 4 bytes, allocated at ", "), which has been freed",
       at_line(__FILE__, line)},
      [&] { read_kernel<<<1, 32>>>(freed, d_y.data()); },
      [&] { read_kernel<<<1, 32>>>(d_live.data(), d_y.data()); });
}

TEST_CASE("misaligned") {
  device_array<float> d_x(std::vector<float>(260, 1.0f));
  device_array<float4> d_y(32);
  check_found(
      finding_kind::misaligned,
      {"misaligned access in kernel vector_kernel", "reads 16 bytes", "multiple of 16",
       at_line(__FILE__, misaligned_line)},
      [&] { vector_kernel<<<1, 32>>>(d_x.data() + 1, d_y.data()); },
      [&] { vector_kernel<<<1, 32>>>(d_x.data() + 4, d_y.data()); });
  check_found(
      finding_kind::misaligned, {"vector_kernel", "reads 16 bytes", at_line(__FILE__, misaligned_line)},
      [&] { vector_kernel<<<1, 32>>>(d_x.data() + 2, d_y.data()); },
      [&] { vector_kernel<<<1, 32>>>(d_x.data(), d_y.data()); });
  device_array<pair> d_pairs(33), d_halves(33);  // 16 bytes that need only lie at a multiple of 8
  const auto found = finding_of([&] {
    pair_kernel<<<1, 32>>>(reinterpret_cast<pair*>(d_pairs.data()->values + 1),
                           reinterpret_cast<pair*>(d_halves.data()->values + 1));
  });
  if (found) FAIL_CHECK(found->what());
}

TEST_CASE("out of bounds in shared memory, which every block has for itself") {
  device_array<float> d_y(64);
  check_found(
      finding_kind::out_of_bounds,
      {"tile[32] in shared memory (tile has 32 elements", ", as far as tile[39])"},
      [&] { behind_tile_kernel<true><<<64, 40>>>(d_y.data()); },
      [&] { behind_tile_kernel<false><<<64, 40>>>(d_y.data()); });
  check_found(
      finding_kind::out_of_bounds,
      {"reads 4 bytes: tile[4294967293] in shared memory (tile has 32 elements",
       "That is tile[-3], if the index had a sign. Usual cause: threadIdx.x - 1"},
      [&] { before_tile_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { before_tile_kernel<false><<<1, 32>>>(d_y.data()); });
  // The third number of the launch is in bytes.
  check_found(
      finding_kind::out_of_bounds,
      {"dynamic_tile[16] in shared memory", ", as far as dynamic_tile[63])",
       "  The launch asks for 64 bytes, the third number in <<<blocks, threads, bytes>>>. Usual cause: a "
       "number\n  of elements. It counts bytes: elements times sizeof()."},
      [&] { dynamic_tile_kernel<<<1, 64, 64>>>(d_y.data()); },
      [&] { dynamic_tile_kernel<<<1, 64, 64 * sizeof(float)>>>(d_y.data()); });
  const auto few = finding_of([&] { dynamic_tile_kernel<<<1, 32, 80>>>(d_y.data()); });
  REQUIRE(few.has_value());
  CHECK(std::string(few->what()).find("a missing guard") != std::string::npos);
}

TEST_CASE("reads of uninitialized memory") {
  int* fresh = nullptr;
  device_array<int> d_y(32);
  REQUIRE(cudaMalloc(&fresh, 33 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemset(fresh, 0, 31 * sizeof(int)) == cudaSuccess);
  check_found(
      finding_kind::uninitialized_read,
      {"read of uninitialized memory in kernel read_kernel", "thread (31, 0, 0)", "x[31] in global memory"},
      [&] { read_kernel<<<1, 32>>>(fresh, d_y.data()); }, [&] { read_kernel<<<1, 31>>>(fresh, d_y.data()); });
  // A copy that gets the number of elements as its size, and a fill that is too short in another way.
  const std::vector<int> from(32, 1);
  int* part = nullptr;
  REQUIRE(cudaMalloc(&part, 32 * sizeof(int)) == cudaSuccess);
  constexpr int copy_line = __LINE__ + 1;
  REQUIRE(cudaMemcpy(part, from.data(), from.size(), cudaMemcpyHostToDevice) == cudaSuccess);
  check_found(
      finding_kind::uninitialized_read,
      {"x[8] in global memory", "  cudaMemcpy() at ",
       at_line(__FILE__, copy_line) +
           " wrote only the first 32 of its 128 bytes, as many as it has elements.\n  Usual cause: a size "
           "that "
           "counts elements. It counts bytes: elements times sizeof()."},
      [&] { read_kernel<<<1, 32>>>(part, d_y.data()); }, [&] { read_kernel<<<1, 8>>>(part, d_y.data()); });
  REQUIRE(cudaMemsetAsync(part, 0, 100) == cudaSuccess);
  check_found(
      finding_kind::uninitialized_read,
      {"x[25] in global memory", "  cudaMemsetAsync() at ",
       " wrote only the first 100 of its 128 bytes.\n  Usual cause: a size that is too small. "},
      [&] { read_kernel<<<1, 32>>>(part, d_y.data()); }, [&] { read_kernel<<<1, 25>>>(part, d_y.data()); });
  REQUIRE(cudaFree(part) == cudaSuccess);
  int* copied = nullptr;  // a copy within the device is written no more than its source
  REQUIRE(cudaMalloc(&copied, 32 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMemcpy(copied, fresh, 32 * sizeof(int), cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(finding_of([&] { read_kernel<<<1, 32>>>(copied, d_y.data()); }).has_value());
  CHECK_FALSE(finding_of([&] { read_kernel<<<1, 31>>>(copied, d_y.data()); }).has_value());
  REQUIRE(cudaFree(copied) == cudaSuccess);
  write_kernel<<<1, 32>>>(fresh, 3);  // what a kernel has written can be read
  CHECK_FALSE(finding_of([&] { read_kernel<<<1, 32>>>(fresh, d_y.data()); }).has_value());
  CHECK(finding_of([&] { read_kernel<<<1, 33>>>(fresh, d_y.data()); }).has_value());
  const int one = 1;  // and so can what was copied
  REQUIRE(cudaMemcpy(fresh + 32, &one, sizeof one, cudaMemcpyHostToDevice) == cudaSuccess);
  device_array<int> d_more(33);
  CHECK_FALSE(finding_of([&] { read_kernel<<<1, 33>>>(fresh, d_more.data()); }).has_value());
  REQUIRE(cudaFree(fresh) == cudaSuccess);

  float* partly = nullptr;
  device_array<float> d_z(32);
  REQUIRE(cudaMalloc(&partly, 32 * sizeof(float)) == cudaSuccess);
  partly_written_kernel<<<1, 32>>>(partly);
  const auto found = finding_of([&] { copy_kernel<false><<<1, 32>>>(partly, d_z.data(), 32); });
  REQUIRE(found.has_value());
  CHECK(std::string(found->what()).find("thread (1, 0, 0)") != std::string::npos);
  REQUIRE(cudaFree(partly) == cudaSuccess);

  device_array<float> d_in(std::vector<float>(32, 1.0f)), d_out(32);
  check_found(
      finding_kind::uninitialized_read,
      {"half_staged_kernel", "thread (24, 0, 0)", "reads 4 bytes: tile[7] in shared memory",
       "Usual cause: a halo"},
      [&] { half_staged_kernel<true><<<1, 32>>>(d_in.data(), d_out.data()); },
      [&] { half_staged_kernel<false><<<1, 32>>>(d_in.data(), d_out.data()); });
}

TEST_CASE_TEMPLATE("structures are copied with their gaps, which nobody writes", T, letter, small, value, row,
                   point, float3, int2) {
  const auto copied = [](auto* kernel) {
    T *x = nullptr, *y = nullptr;
    REQUIRE(cudaMalloc(&x, 32 * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMalloc(&y, 32 * sizeof(T)) == cudaSuccess);
    kernel<<<1, 32>>>(x);
    const auto found = finding_of([&] { copy_whole_kernel<T><<<1, 32>>>(x, y); });
    REQUIRE(cudaFree(x) == cudaSuccess);
    REQUIRE(cudaFree(y) == cudaSuccess);
    return found;
  };
  const auto none = copied(fill_members_kernel<T, true>);
  if (none) FAIL_CHECK(none->what());
  const auto one = copied(fill_members_kernel<T, false>);
  REQUIRE(one.has_value());
  CHECK(one->kind() == finding_kind::uninitialized_read);
}

TEST_CASE("objects with virtual functions that a kernel has made") {
  static_assert(sizeof(square) == 16 && sizeof(circle) == 16);
  device_array<shape*> d_shapes(8);
  device_array<float> d_areas(8);
  const auto areas = [&](auto kernel) {
    device_array<double> squares(8), circles(8);  // as memory: nobody has written it
    kernel<<<1, 4>>>(d_shapes.data(), reinterpret_cast<square*>(squares.data()),
                     reinterpret_cast<circle*>(circles.data()));
    areas_kernel<<<1, 8>>>(d_shapes.data(), d_areas.data());
  };
  CHECK(finding_of([&] { areas(construct_kernel<true>); }).has_value());  // read, and followed to nowhere
  in_all_orders([&] {
    const auto found = finding_of([&] { areas(construct_kernel<false>); });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
  CHECK(d_areas.to_host() == std::vector<float>{0, 0, 1, 3, 4, 12, 9, 27});
}

TEST_CASE("pointers that are none of the device's") {
  std::vector<int> host(32, 1);
  device_array<int> d_x(host), d_y(32);
  check_found(
      finding_kind::host_pointer,
      {"host memory used in kernel read_kernel", "reads 4 bytes", "Usual cause: a pointer of the host"},
      [&] { read_kernel<<<1, 32>>>(host.data(), d_y.data()); },
      [&] { read_kernel<<<1, 32>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::host_pointer, {"null pointer in kernel write_kernel", "writes 4 bytes"},
      [] { write_kernel<<<1, 32>>>(nullptr, 1); }, [&] { write_kernel<<<1, 32>>>(d_y.data(), 1); });
  const int of_host = 1;
  check_found(
      finding_kind::host_pointer, {"host memory used in kernel reference_kernel", "reads 4 bytes"},
      [&] { reference_kernel<<<1, 32>>>(d_y.data(), of_host); },
      [&] { reference_kernel<<<1, 32>>>(d_y.data(), *d_x.data()); });
  // Also where the pointer hides in a structure.
  CHECK(finding_of([&] { struct_kernel<<<1, 1>>>(reader{host.data()}, d_y.data()); }).has_value());
  CHECK_FALSE(finding_of([&] { struct_kernel<<<1, 1>>>(reader{d_x.data()}, d_y.data()); }).has_value());
}

namespace {

// Among the variables of the device, where an access to them may look like one beside a variable of the
// device.
int host_table[32] = {1};
__device__ int around[2] = {1, 2};
int host_value = 3;

constexpr int around_line = __LINE__ + 1;
__global__ void around_kernel(int i, int* y) { *y = around[i]; }

}  // namespace

TEST_CASE("variables of the host, by their names") {
  device_array<int> d_x(32), d_y(32);
  check_found(
      finding_kind::host_pointer,
      {"host memory used in kernel read_kernel", "host_table[0], a variable of the host (128 bytes)",
       "Pass the value"},
      [&] { read_kernel<<<1, 1>>>(host_table, d_y.data()); },
      [&] { read_kernel<<<1, 32>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::host_pointer, {"writes 4 bytes: host_value, a variable of the host (4 bytes)"},
      [&] { write_kernel<<<1, 1>>>(&host_value, 1); }, [&] { write_kernel<<<1, 1>>>(d_y.data(), 1); });
  static int hidden[3] = {static_cast<int>(d_x.to_host()[0])};
  check_found(
      finding_kind::host_pointer, {"hidden[1], a variable of the host (12 bytes)"},
      [&] { read_kernel<<<1, 1>>>(hidden + 1, d_y.data()); },
      [&] { read_kernel<<<1, 1>>>(d_x.data(), d_y.data()); });
#if !defined __clang__ && !defined __aarch64__  // see above
  // An index that leaves a variable of the device may hit one of the host: still the index is wrong.
  for (const int beside : {-2, -1, 2, 3, 6})
    check_found(
        finding_kind::out_of_bounds,
        {"around[" + std::to_string(beside) + "] in global memory (around has 2 elements",
         at_line(__FILE__, around_line)},
        [&] { around_kernel<<<1, 1>>>(beside, d_y.data()); },
        [&] { around_kernel<<<1, 1>>>(1, d_y.data()); });
#endif
}

TEST_CASE("kernels that the processor stops") {
  device_array<int> d_x(std::vector<int>{1, 2, 0, 4}), d_y(4);
  check_found(
      finding_kind::crash,
      {"integer division by zero in kernel divide_kernel", "thread (2, 0, 0)",
       "Usual cause: a divisor that becomes 0"},
      [&] { divide_kernel<<<1, 4>>>(d_x.data(), d_y.data()); },
      [&] { divide_kernel<<<1, 2>>>(d_x.data(), d_y.data()); });
  check_found(
      finding_kind::crash,
      {"stack overflow in kernel deep_kernel", "Usual cause: a recursion that does not end"},
      [&] { deep_kernel<<<1, 1>>>(100000, d_y.data()); }, [&] { deep_kernel<<<1, 1>>>(20, d_y.data()); });
  const auto says_where = [&](auto&& launch) {
    const auto found = finding_of(launch);
    REQUIRE(found.has_value());
    const std::string message = found->what();
    CAPTURE(message);
    bool is_one_of_them = false;
    for (const int line : {descent_line, descent_line + 2})
      is_one_of_them = is_one_of_them || message.starts_with(at_line(__FILE__, line)) ||
                       message.find("/" + at_line(__FILE__, line) + ": error") != std::string::npos;
    CHECK(is_one_of_them);
  };
  check_found(
      finding_kind::crash, {"stack overflow in kernel wide_kernel", "or a large array in a function"},
      [&] { wide_kernel<1 << 20><<<1, 32>>>(d_y.data()); },
      [&] { wide_kernel<1 << 14><<<1, 32>>>(d_y.data()); });
  says_where([&] { descend_kernel<1><<<1, 1>>>(100000, d_y.data()); });
  says_where([&] { descend_kernel<2><<<1, 1>>>(100000, d_y.data()); });
  says_where([&] { descend_kernel<5><<<1, 1>>>(100000, d_y.data()); });
  says_where([&] { descend_kernel<8><<<1, 1>>>(100000, d_y.data()); });
  says_where([&] { descend_kernel<11><<<1, 1>>>(100000, d_y.data()); });
  says_where([&] { descend_kernel<13><<<1, 1>>>(100000, d_y.data()); });
  says_where([&] { descend_kernel<16><<<1, 1>>>(100000, d_y.data()); });
  says_where([&] { descend_kernel<23><<<1, 1>>>(100000, d_y.data()); });
}

namespace {

// Where it writes stands where nobody has written.
__global__ void pointer_kernel(int** places) {
  __shared__ int* own[1];
  *(threadIdx.x == 0 ? places[0] : own[0]) = 1;
}

struct counted {
  int value;
  __device__ explicit counted(int v) : value(v) {}
  __device__ virtual int twice() const { return 2 * value; }
  __device__ virtual ~counted() {}
};
struct alignas(64) aligned {
  int values[32];
};

// Each thread has an array of its own, and a list of two.
__global__ void heap_kernel(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, length = i % 7 + 1;
  int* own = static_cast<int*>(malloc(length * sizeof(int)));
  for (int k = 0; k < length; ++k) own[k] = i + k;
  counted* object = new counted(own[length - 1]);
  aligned* wide = new aligned;
  wide->values[31] = reinterpret_cast<unsigned long long>(wide) % 64 == 0 ? object->twice() : -1;
  int* several = new int[3];
  several[2] = wide->values[31];
  out[i] = several[2];
  delete[] several;
  delete wide;
  delete object;
  free(own);
  free(nullptr);
}

// Room for 2^20 ints, twice: the heap has 8 MiB.
__global__ void full_heap_kernel(int* out) {
  int* first = static_cast<int*>(malloc(5 << 20));
  int* second = new int[1 << 20];
  int* third = static_cast<int*>(malloc(3 << 20));
  out[0] = first != nullptr;
  out[1] = second != nullptr;
  out[2] = third != nullptr;
  free(first);
  delete[] second;
  free(third);
}

constexpr int heap = __LINE__ + 3;
// With 0 nothing is wrong.
__global__ void wrong_heap_kernel(int how, int* out, int** kept) {
  int* volatile own = new int[4];
  own[0] = how;
  if (how == 1) own[4] = 1;
  if (how == 2) out[0] = own[1];
  if (how >= 3 && how <= 5) delete[] own;
  if (how == 3) own[0] = 1;
  if (how == 5) own = out;
  if (how == 6) *kept = own;
  if (how != 6) delete[] own;
}
using numbers_of_host = std::vector<int>;  // under its own name emucc refuses it
__global__ void library_kernel(int* out) {
  numbers_of_host of_host(3, 1);
  out[0] = of_host[1];
}
__global__ void heap_end_kernel(int** kept) { delete[] * kept; }

}  // namespace

TEST_CASE("a read of uninitialized memory is said before what was done with it") {
  int** places = nullptr;
  REQUIRE(cudaMalloc(&places, sizeof *places) == cudaSuccess);
  in_all_orders([&] {
    const auto found = finding_of([&] { pointer_kernel<<<1, 2>>>(places); });
    REQUIRE(found.has_value());
    CHECK(found->kind() == cuda_emulator::finding_kind::uninitialized_read);
  });
  cudaFree(places);
}

TEST_CASE("kernels allocate on a heap of their own") {
  using cuda_emulator::finding_kind;
  int* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 64 * sizeof(int)) == cudaSuccess);
  in_all_orders([&] {
    heap_kernel<<<2, 32>>>(out);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += out[i] != 2 * (i + i % 7);
    CHECK(wrong == 0);
  });
  full_heap_kernel<<<1, 1>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
#ifndef __clang__  // which takes it that new always finds memory, and leaves the question out
  CHECK((out[0] == 1 && out[1] == 0 && out[2] == 1));
#endif
  std::size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize) == cudaSuccess);
  CHECK(limit == 8 << 20);
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20) == cudaErrorInvalidValue);

  int** kept = nullptr;
  REQUIRE(cudaMallocManaged(&kept, sizeof *kept) == cudaSuccess);
  const auto check = [&](int how, finding_kind kind, int line, const std::vector<std::string>& words) {
    CAPTURE(how);
    std::vector<std::string> all = words;
    all.push_back(at_line(__FILE__, heap + line));
    check_found(
        kind, all, [&] { wrong_heap_kernel<<<1, 1>>>(how, out, kept); },
        [&] { wrong_heap_kernel<<<1, 1>>>(0, out, kept); });
  };
  check(1, finding_kind::out_of_bounds, 2, {"element [4]", "4 elements of 4 bytes", at_line(__FILE__, heap)});
  check(2, finding_kind::uninitialized_read, 3, {});
  check(3, finding_kind::use_after_free, 5, {"which has been freed", at_line(__FILE__, heap)});
  check(4, finding_kind::crash, 8, {"delete[] of what is not on the heap"});
  check(5, finding_kind::crash, 8, {"delete[] of what is not on the heap", "cudaFree()"});
  check_found(
      finding_kind::crash, {"a container of the host", "with nvcc"}, [&] { library_kernel<<<1, 1>>>(out); },
      [&] { heap_kernel<<<1, 1>>>(out); });

  // The heap outlives the launch, and is the kernels' alone.
  wrong_heap_kernel<<<1, 1>>>(6, out, kept);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  int value = 0;
  CHECK(cudaMemcpy(&value, *kept, sizeof value, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaFree(*kept) == cudaErrorInvalidValue);
  heap_end_kernel<<<1, 1>>>(kept);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cudaGetLastError();
  // The host's own calls in the same file are as ever.
  void* own = malloc(100);
  CHECK(own != nullptr);
  free(own);
  delete new int(3);
  delete new aligned;
  cudaFree(kept);
  cudaFree(out);
}

// The faulty launch is a note outside of tests: a program may count on the zeros.
TEST_CASE("constant memory that nothing was copied to is found") {
  const std::vector<float> h = {1, 2, 3, 4, 5, 6, 7, 8};
  device_array<float> y(1);
  check_found(
      finding_kind::uncopied_constant,
      {at_line(__FILE__, sum_line), "read of constant memory that nothing was copied to", "by_elements[1]",
       "bytes 4 to 7 of by_elements", "cudaMemcpyToSymbol() at ", "memory_findings.cu:", "wrote bytes 0 to 4",
       "Both count bytes"},
      [&] {
        REQUIRE(cudaMemcpyToSymbol(by_elements, h.data(), 5) == cudaSuccess);
        sum_constants_kernel<0><<<1, 1>>>(0, 5, y.data());
      },
      [&] {
        REQUIRE(cudaMemcpyToSymbol(by_bytes, h.data(), 5 * sizeof(float)) == cudaSuccess);
        sum_constants_kernel<1><<<1, 1>>>(0, 5, y.data());
      });
  // Of several copies, the one is named that begins last before what is read.
  check_found(
      finding_kind::uncopied_constant,
      {"by_offset[4]", "cudaMemcpyToSymbolAsync() at ", "wrote bytes 4 to 11",
       "Usual cause: a size or an offset that counts elements. Both count bytes"},
      [&] {
        REQUIRE(cudaMemcpyToSymbol(by_offset, h.data(), 4) == cudaSuccess);
        REQUIRE(cudaMemcpyToSymbolAsync(by_offset, h.data(), 8, 4, cudaMemcpyHostToDevice, nullptr) ==
                cudaSuccess);
        REQUIRE(cudaMemcpyToSymbol(by_offset, h.data(), 4, 24) == cudaSuccess);
        sum_constants_kernel<2><<<1, 1>>>(4, 1, y.data());
      },
      [&] {
        for (std::size_t i = 0; i < h.size(); ++i)
          REQUIRE(cudaMemcpyToSymbol(by_pieces, &h[i], sizeof(float), i * sizeof(float)) == cudaSuccess);
        sum_constants_kernel<3><<<1, 1>>>(0, 8, y.data());
      });
  // The element after the last one: the copy may be right.
  check_found(
      finding_kind::uncopied_constant,
      {"by_offset[3]", "wrote bytes 4 to 11",
       "Usual cause: an index that is too large; or a size that counts elements. A size counts bytes: "
       "elements times sizeof()."},
      [&] { sum_constants_kernel<2><<<1, 1>>>(1, 3, y.data()); },
      [&] { sum_constants_kernel<2><<<1, 1>>>(1, 2, y.data()); });
  // A value of its own, a copy to its address, and gaps between members need no copy.
  void* address = nullptr;
  REQUIRE(cudaGetSymbolAddress(&address, addressed) == cudaSuccess);
  REQUIRE(cudaMemcpy(address, h.data(), 8, cudaMemcpyHostToDevice) == cudaSuccess);
  const gap whole{1, 2};
  REQUIRE(cudaMemcpyToSymbol(with_gap, &whole.c, 1) == cudaSuccess);
  REQUIRE(cudaMemcpyToSymbol(with_gap, &whole.d, sizeof(double), offsetof(gap, d)) == cudaSuccess);
  device_array<gap> gaps(1);
  const int line = __LINE__ + 5;
  check_found(
      finding_kind::uncopied_constant,
      {"Nothing was copied to never_copied",
       "Missing: cudaMemcpyToSymbol(never_copied, ...) before the launch", at_line(__FILE__, line)},
      [&] { sum_constants_kernel<4><<<1, 1>>>(0, 2, y.data()); },
      [&] {
        sum_constants_kernel<5><<<1, 1>>>(0, 2, y.data());
        sum_constants_kernel<6><<<1, 1>>>(0, 8, y.data());
        gap_kernel<<<1, 1>>>(gaps.data());
      });
}

TEST_CASE("padding behind the rows of pitched memory") {
  constexpr int width = 126, height = 5;
  const std::vector<float> x(width * height, 1.0f);
  device_array<float> d_y(width * height);
  for (const bool box : {false, true}) {
    cudaPitchedPtr d_x{};
    if (box)
      REQUIRE(cudaMalloc3D(&d_x, make_cudaExtent(width * 4, height, 1)) == cudaSuccess);
    else
      REQUIRE(cudaMallocPitch(&d_x.ptr, &d_x.pitch, width * 4, height) == cudaSuccess);
    REQUIRE(cudaMemcpy2D(d_x.ptr, d_x.pitch, x.data(), width * 4, width * 4, height,
                         cudaMemcpyHostToDevice) == cudaSuccess);
    const auto* const rows = static_cast<const float*>(d_x.ptr);
    check_found(
        finding_kind::uninitialized_read,
        {"rows_kernel", "The rows of this memory have 504 bytes and lie 512 bytes apart, its pitch",
         "Bytes 504 to 511 of each", "this is byte 50", "Usual cause: an index without the pitch"},
        [&] { rows_kernel<true><<<height, width>>>(rows, d_x.pitch, width, d_y.data()); },
        [&] { rows_kernel<false><<<height, width>>>(rows, d_x.pitch, width, d_y.data()); });
    cudaFree(d_x.ptr);
  }
}
