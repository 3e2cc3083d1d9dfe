// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What findings call the memory and the lines that they are about: as the source does. Each faulty launch
// stands beside its repaired twin.
#include "../common/loads.cuh"
#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

/// The message of what `launch` ends with, without the paths of the files in it.
std::string message_of(const std::function<void()>& launch) {
  const auto found = finding_of(launch);
  REQUIRE(found.has_value());
  std::string text = found->what(), folder = __FILE__;
  folder.resize(folder.rfind('/') + 1);
  return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// ---- Parameters

__global__ void add_kernel(const float* x, const float* h, float* y, int shift) {
  const int i = static_cast<int>(threadIdx.x);
  y[i] = x[i + shift] + h[0];
}
__global__ void last_kernel(const float* x, const float* h, float* y, int shift) {
  const int i = static_cast<int>(threadIdx.x);
  const float one = h[i - shift];
  y[i] = x[i] + one;
}
struct recording {
  const float* samples;
};
__global__ void struct_kernel(recording s, float* y, int shift) {
  y[threadIdx.x] = s.samples[static_cast<int>(threadIdx.x) + shift];
}
__global__ void before_kernel(const float* x, float* y, unsigned shift) {
  y[threadIdx.x] = x[threadIdx.x - shift];
}
__global__ void pair_kernel(const float2* x, float* y, int shift) {
  y[threadIdx.x] = x[static_cast<int>(threadIdx.x) + shift].y;
}
__global__ void rows_kernel(const float (*x)[33], float* y, int row) { y[threadIdx.x] = x[row][threadIdx.x]; }

}  // namespace

TEST_CASE("a finding says by names what its text says") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_h(std::vector<float>(4, 1.0f)), d_y(32);
  const auto found = finding_of([&] { add_kernel<<<1, 32>>>(d_x.data(), d_h.data(), d_y.data(), 33); });
  REQUIRE(found.has_value());
  const cuda_emulator::finding_facts& facts = found->facts();
  CHECK(std::string(name_of(found->kind())) == "out_of_bounds");
  CHECK(facts.title == "access out of bounds");
  CHECK(facts.kernel == "add_kernel");
  CHECK(facts.array == "x");
  CHECK(facts.space == "global");
  CHECK(facts.index == "[64]");
  CHECK(facts.elements == 64);
  CHECK(has(facts.launched_at, "named_findings.cu:"));
  CHECK(has(facts.made_at, "named_findings.cu:"));
  REQUIRE(facts.accesses.size() == 1);
  CHECK(facts.accesses[0].does == "reads");
  CHECK(has(facts.accesses[0].place, "named_findings.cu:"));
  CHECK(facts.accesses[0].thread == "(31, 0, 0)");
  CHECK(has(found->what(), "Usual cause: "));
  CHECK(!facts.usual_cause.empty());
  CHECK(!has(facts.usual_cause, "\n"));
}

TEST_CASE("global memory has the name of the parameter that points to it") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_h(std::vector<float>(4, 1.0f)), d_y(32);
  check_found(
      finding_kind::out_of_bounds,
      {"reads 4 bytes: x[64] in global memory (x has 64 elements of 4 bytes, allocated at "},
      [&] { add_kernel<<<1, 32>>>(d_x.data(), d_h.data(), d_y.data(), 33); },
      [&] { add_kernel<<<1, 32>>>(d_x.data(), d_h.data(), d_y.data(), 32); });
  // A pointer into the middle of an allocation counts from there.
  check_found(
      finding_kind::out_of_bounds,
      {"x[48] in global memory (x points to element [16] of 64 elements of 4 bytes, allocated at "},
      [&] { add_kernel<<<1, 32>>>(d_x.data() + 16, d_h.data(), d_y.data(), 17); },
      [&] { add_kernel<<<1, 32>>>(d_x.data() + 16, d_h.data(), d_y.data(), 16); });
  // Of elements that are structures, and rows: by the parameter's type.
  device_array<float2> d_pairs(32);
  check_found(
      finding_kind::out_of_bounds, {"reads 4 bytes: x[32] in global memory (x has 32 elements of 8 bytes"},
      [&] { pair_kernel<<<1, 32>>>(d_pairs.data(), d_y.data(), 1); },
      [&] { pair_kernel<<<1, 32>>>(d_pairs.data(), d_y.data(), 0); });
  device_array<float> d_rows(8 * 33);
  const auto* const rows = reinterpret_cast<const float(*)[33]>(d_rows.data());
  check_found(
      finding_kind::out_of_bounds,
      {"x[8][0] (or x[7][33]: a row ends with [32]) in global memory (x has 8 x 33 elements of 4 bytes"},
      [&] { rows_kernel<<<1, 32>>>(rows, d_y.data(), 8); },
      [&] { rows_kernel<<<1, 32>>>(rows, d_y.data(), 7); });
}

TEST_CASE("where the parameter is not certain, only the allocation is named") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(32);
  // The kernel's line names both of those that point there.
  check_found(
      finding_kind::out_of_bounds,
      {"element [64] of the allocation of 256 bytes (64 elements of 4 bytes) made at ",
       ", into which x and h point"},
      [&] { add_kernel<<<1, 32>>>(d_x.data(), d_x.data(), d_y.data(), 33); },
      [&] { add_kernel<<<1, 32>>>(d_x.data(), d_x.data(), d_y.data(), 32); });
  // It names one of them.
  check_found(
      finding_kind::out_of_bounds, {"h[-1] in global memory (h has 64 elements"},
      [&] { last_kernel<<<1, 32>>>(d_x.data(), d_x.data(), d_y.data(), 1); },
      [&] { last_kernel<<<1, 32>>>(d_x.data(), d_x.data(), d_y.data(), 0); });
  check_found(
      finding_kind::out_of_bounds, {"element [64] of the allocation of 256 bytes (64 elements of 4 bytes)"},
      [&] { struct_kernel<<<1, 32>>>(recording{d_x.data()}, d_y.data(), 33); },
      [&] { struct_kernel<<<1, 32>>>(recording{d_x.data()}, d_y.data(), 32); });
}

TEST_CASE("an index before an array is not one behind a larger array in front of it") {
  device_array<float> d_large(256000), d_small(std::vector<float>(32, 1.0f)), d_y(32);
  check_found(
      finding_kind::out_of_bounds, {"reads 4 bytes: h[-2] in global memory (h has 32 elements"},
      [&] { last_kernel<<<1, 32>>>(d_large.data(), d_small.data(), d_y.data(), 2); },
      [&] { last_kernel<<<1, 32>>>(d_large.data(), d_small.data(), d_y.data(), 0); });
  check_found(
      finding_kind::out_of_bounds, {"element [-2] of the allocation of 128 bytes"},
      [&] { struct_kernel<<<1, 32>>>(recording{d_small.data()}, d_y.data(), -2); },
      [&] { struct_kernel<<<1, 32>>>(recording{d_small.data()}, d_y.data(), 0); });
}

TEST_CASE("an index below zero that has no sign") {
  device_array<float> d_x(std::vector<float>(32, 1.0f)), d_y(32);
  check_found(
      finding_kind::out_of_bounds,
      {"reads 4 bytes: x[4294967295] in global memory (x has 32 elements", "x[-1], if the index had a sign",
       "Usual cause: threadIdx.x - 1"},
      [&] { before_kernel<<<1, 32>>>(d_x.data(), d_y.data(), 1); },
      [&] { before_kernel<<<1, 32>>>(d_x.data(), d_y.data(), 0); });
}

// ---- Bytes and vectors

namespace {
__global__ void vector_kernel(const float* rows, float2* y, int first) {
  y[threadIdx.x] = *reinterpret_cast<const float2*>(rows + first + 2 * threadIdx.x);
}
__global__ void byte_kernel(const unsigned char* bytes, int* y, int first) {
  y[threadIdx.x] = *reinterpret_cast<const int*>(bytes + first + 4 * threadIdx.x);
}
__global__ void tile_kernel(float4* y, int first) {
  __shared__ float padding[2];
  __shared__ float tile[256];
  for (int i = static_cast<int>(threadIdx.x); i < 256; i += 32) tile[i] = 1;
  if (threadIdx.x == 0) padding[0] = 1;
  __syncwarp();
  y[threadIdx.x] = *reinterpret_cast<const float4*>(tile + first + 4 * threadIdx.x);
}
}  // namespace

TEST_CASE("a misaligned access is named by its byte") {
  device_array<float> d_rows(std::vector<float>(80, 1.0f));
  device_array<float2> d_y(32);
  check_found(
      finding_kind::misaligned,
      {"reads 8 bytes: byte 36 of rows in global memory (rows has 80 elements of 4 bytes",
       "An access of 8 bytes must begin at a multiple of 8. 36 is not."},
      [&] { vector_kernel<<<1, 32>>>(d_rows.data(), d_y.data(), 9); },
      [&] { vector_kernel<<<1, 32>>>(d_rows.data(), d_y.data(), 8); });
  check_found(
      finding_kind::misaligned,
      {"byte 8 of rows in global memory (rows points to element [3] of 80 elements",
       "must begin at a multiple of 8. rows itself does not begin at one.", "such as x + 1, as an argument"},
      [&] { vector_kernel<<<1, 32>>>(d_rows.data() + 3, d_y.data(), 2); },
      [&] { vector_kernel<<<1, 32>>>(d_rows.data() + 2, d_y.data(), 2); });
  device_array<unsigned char> d_bytes(std::vector<unsigned char>(160, 1));
  device_array<int> d_words(32);
  check_found(
      finding_kind::misaligned, {"reads 4 bytes: byte 6 of bytes in global memory", "6 is not"},
      [&] { byte_kernel<<<1, 32>>>(d_bytes.data(), d_words.data(), 6); },
      [&] { byte_kernel<<<1, 32>>>(d_bytes.data(), d_words.data(), 8); });
  check_found(
      finding_kind::out_of_bounds, {"reads 4 bytes: bytes[160] to bytes[163] in global memory"},
      [&] { byte_kernel<<<1, 32>>>(d_bytes.data(), d_words.data(), 36); },
      [&] { byte_kernel<<<1, 32>>>(d_bytes.data(), d_words.data(), 32); });
  check_found(
      finding_kind::out_of_bounds, {"reads 8 bytes: rows[80] and rows[81] in global memory"},
      [&] { vector_kernel<<<1, 32>>>(d_rows.data(), d_y.data(), 18); },
      [&] { vector_kernel<<<1, 32>>>(d_rows.data(), d_y.data(), 16); });
  device_array<float4> d_quads(32);
  check_found(
      finding_kind::misaligned,
      {" of tile in shared memory", "An access of 16 bytes must begin at a multiple of 16. "},
      [&] { tile_kernel<<<1, 32>>>(d_quads.data(), 1); }, [&] { tile_kernel<<<1, 32>>>(d_quads.data(), 4); });
}

// ---- Lines

namespace {
constexpr int own_line = __LINE__ + 1;
__device__ float own(const float* from, int i) { return from[i]; }
constexpr int lines = __LINE__;
template <int way>
__global__ void load_kernel(const float* x, float* y, int shift) {
  const int i = static_cast<int>(threadIdx.x) + shift;
  if (way == 0) y[threadIdx.x] = library::loaded(x, i);
  if (way == 1) y[threadIdx.x] = library::loaded_by_a_call(x, i);
  if (way == 2) y[threadIdx.x] = own(x, i);
}
constexpr int both_store = __LINE__ + 4;
template <bool faulty>
__global__ void store_kernel(float* y) {
  const int i = static_cast<int>(threadIdx.x);
  library::store(y, faulty ? i / 2 : i, 1.0f);
}
}  // namespace

TEST_CASE("the line is the programmer's, and the header's comes second") {
  device_array<float> d_x(std::vector<float>(64, 1.0f)), d_y(32);
  const auto launch = [&](auto kernel, int shift) {
    return [&d_x, &d_y, kernel, shift] { kernel<<<1, 32>>>(d_x.data(), d_y.data(), shift); };
  };
  const auto begins = [](const std::string& message, int line) {
    CAPTURE(message);
    CHECK(has(message.substr(0, message.find('\n')),
              at_line(__FILE__, line) + ": error: access out of bounds in kernel load_kernel"));
    CHECK(has(message, "x[64] in global memory (x has 64"));
  };
  check_found(finding_kind::out_of_bounds,
              {"This line calls a function that makes the access, in loaded() at ",
               "common/" + at_line("loads.cuh", library::loaded_line) + "\n"},
              launch(load_kernel<0>, 33), launch(load_kernel<0>, 32));
  begins(message_of(launch(load_kernel<0>, 33)), lines + 4);
  check_found(finding_kind::out_of_bounds,
              {"This line calls a function that makes the access, in loaded_by_a_call() at ",
               "common/" + at_line("loads.cuh", library::called_line) + "\n"},
              launch(load_kernel<1>, 33), launch(load_kernel<1>, 32));
  begins(message_of(launch(load_kernel<1>, 33)), lines + 5);
  // The programmer's own function: its line, and where it was called.
  check_found(finding_kind::out_of_bounds,
              {"The access is in own(), which the kernel calls at ", at_line(__FILE__, lines + 6) + "\n"},
              launch(load_kernel<2>, 33), launch(load_kernel<2>, 32));
  begins(message_of(launch(load_kernel<2>, 33)), own_line);
}

TEST_CASE("both lines of a race are the programmer's") {
  device_array<float> d_y(32);
  const std::string header = at_line("loads.cuh", library::stored_line);
  check_found(
      finding_kind::race,
      {at_line(__FILE__, both_store) + ": error: race in kernel store_kernel", "writes 4 bytes: y[",
       "This line calls a function that makes the access, in store() at ", "also writes there, at ",
       at_line(__FILE__, both_store) + " (in store() at ", header + ")\n"},
      [&] { store_kernel<true><<<1, 32>>>(d_y.data()); },
      [&] { store_kernel<false><<<1, 32>>>(d_y.data()); });
}

// ---- Arrays of more than one dimension

namespace {
__device__ float table[4][8];
template <int way>
__global__ void square_kernel(float* y, int col) {
  __shared__ float tile[32][33];
  __shared__ float cube[4][5][6];
  const int i = static_cast<int>(threadIdx.x);
  for (int row = 0; row < 32 && way == 0; ++row) tile[row][i] = 1;
  __syncthreads();
  if (way == 0) y[i] = tile[3][i + col];
  if (way == 1) tile[31][i + col] = 1;
  if (way == 2 && i < 5) cube[col][4][i] = 1;
  if (way == 3 && i < 8) y[i] = table[3][i + col];
}
}  // namespace

TEST_CASE("an array of two or three dimensions is named with all of its indices") {
  device_array<float> d_y(32);
  const auto launch = [&](auto kernel, int col) {
    return [&d_y, kernel, col] { kernel<<<1, 32>>>(d_y.data(), col); };
  };
  // An index that runs over the end of a row is in the next one.
  check_found(finding_kind::uninitialized_read,
              {"tile[3][32] in shared memory (tile has 32 x 33 elements of 4 bytes, declared at "},
              launch(square_kernel<0>, 1), launch(square_kernel<0>, 0));
  check_found(finding_kind::out_of_bounds,
              {"writes 4 bytes: tile[32][0] (or tile[31][33]: a row ends with [32]) in shared memory"},
              launch(square_kernel<1>, 2), launch(square_kernel<1>, 1));
  check_found(
      finding_kind::out_of_bounds,
      {"tile[32][3] (or tile[31][36]: a row ends with [32]) in shared memory", ", as far as tile[33][1]"},
      launch(square_kernel<1>, 36), launch(square_kernel<1>, 1));
  check_found(finding_kind::out_of_bounds,
              {"writes 4 bytes: cube[4][4][0] in shared memory (cube has 4 x 5 x 6 elements of 4 bytes"},
              launch(square_kernel<2>, 4), launch(square_kernel<2>, 3));
#if !defined __clang__ && !defined __aarch64__  // they lay variables of the device side by side
  check_found(finding_kind::out_of_bounds,
              {"reads 4 bytes: table[4][0] (or table[3][8]: a row ends with [7]) in global memory",
               "(table has 4 x 8 elements of 4 bytes, declared at "},
              launch(square_kernel<3>, 1), launch(square_kernel<3>, 0));
#endif
}

// ---- Causes

namespace {
__global__ void bytes_kernel(const float* x, float* y, int size, int each) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = x[i * each];
}
__global__ void quad_kernel(const float* x, float* y) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 4; ++i) y[i] = x[i];
}
__global__ void plane_kernel(const float* x, long long pitch, int each, float* y, int width, int height) {
  const int col = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (col < width && row < height) y[row * width + col] = x[row * pitch + col * each];
}
/// x has rows of `pitch` floats, and y is written as it is, or with row and column exchanged.
__global__ void turned_kernel(const float* x, int pitch, float* y, int width, int height, bool turned) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) y[turned ? col * pitch + row : row * pitch + col] = x[row * pitch + col];
}
}  // namespace

TEST_CASE("row and column exchanged is the usual cause where the index is that of the other one") {
  device_array<float> d_x(std::vector<float>(80 * 50, 1.0f)), d_y(80 * 50);
  const dim3 blocks(3, 7), threads(32, 8);
  check_found(
      finding_kind::out_of_bounds,
      {"Usual cause: row and column exchanged. The index is that of row 50, column 0: 50 * 80 + 0",
       "own row is 0, and its column is 50"},
      [&] { turned_kernel<<<blocks, threads>>>(d_x.data(), 80, d_y.data(), 70, 50, true); },
      [&] { turned_kernel<<<blocks, threads>>>(d_x.data(), 80, d_y.data(), 70, 50, false); });
  // A missing guard is none: more rows than there are.
  const std::string text =
      message_of([&] { turned_kernel<<<blocks, threads>>>(d_x.data(), 80, d_y.data(), 70, 56, false); });
  CHECK(has(text, "Usual cause: a missing guard"));
}

TEST_CASE("an index in bytes is the usual cause where it goes as far as one would") {
  device_array<float> d_x(std::vector<float>(1000, 1.0f)), d_y(1024),
      d_plane(std::vector<float>(128 * 50, 1.0f)), d_all(70 * 50);
  const char* const cause = "Usual cause: bytes taken for elements.";
  check_found(
      finding_kind::out_of_bounds, {"x[1000] in global memory", "as far as x[3996]", cause, "about 4 times"},
      [&] { bytes_kernel<<<8, 128>>>(d_x.data(), d_y.data(), 1000, 4); },
      [&] { bytes_kernel<<<8, 128>>>(d_x.data(), d_y.data(), 1000, 1); });
  // A pitch in bytes; and one in elements, with a column in bytes.
  const dim3 blocks(3, 7), threads(32, 8);
  check_found(
      finding_kind::out_of_bounds,
      {cause, "about 4 times", "  The launch at ", " passes pitch = 512: in bytes or in elements?"},
      [&] { plane_kernel<<<blocks, threads>>>(d_plane.data(), 512, 1, d_all.data(), 70, 50); },
      [&] { plane_kernel<<<blocks, threads>>>(d_plane.data(), 128, 1, d_all.data(), 70, 50); });
  check_found(
      finding_kind::out_of_bounds, {cause, "The index is row 49 * 128 + column 32 * 4"},
      [&] { plane_kernel<<<blocks, threads>>>(d_plane.data(), 128, 4, d_all.data(), 70, 50); },
      [&] { plane_kernel<<<blocks, threads>>>(d_plane.data(), 128, 1, d_all.data(), 70, 50); });
  // A missing guard is none, also where each thread has four elements, or a block is larger than the array.
  for (const int size : {1000, 100, 20}) {
    device_array<float> d_short(std::vector<float>(static_cast<std::size_t>(size), 1.0f)), d_long(4096);
    CAPTURE(size);
    const std::string quads =
        message_of([&] { quad_kernel<<<(size + 511) / 512, 128>>>(d_short.data(), d_long.data()); });
    CHECK(has(quads, "Usual cause: a missing guard"));
    const std::string single = message_of(
        [&] { bytes_kernel<<<(size + 127) / 128, 128>>>(d_short.data(), d_long.data(), 4096, 1); });
    CHECK(has(single, "Usual cause: a missing guard"));
  }
}
