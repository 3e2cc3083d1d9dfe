// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// The trace of a launch: what is in it, and that its requests are those that are counted.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "../emulator_test.hpp"
#include "count_kernels.cuh"
#include "emulator/counts.hpp"

using namespace count_kernels;

namespace {

const std::string file = std::string(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp") +
                         "/emulator_trace_test." + std::to_string(getpid());

struct traced {
  std::vector<std::string> lines;
  // Summed over requests, by "load global" and the like; and over accesses.
  std::map<std::string, std::uint64_t> requests, parts, accesses;
};

/// Runs `launch` with a trace and reads it.
traced trace_of(const std::function<void()>& launch) {
  cuda_emulator::set_trace(file.c_str());
  launch();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  cuda_emulator::set_trace(nullptr);
  traced result;
  std::ifstream in(file);
  std::string kind, of;
  for (std::string line; std::getline(in, line);) {
    result.lines.push_back(line);
    std::istringstream words(line);
    std::string word, type, where;
    std::uint64_t parts = 0;
    words >> kind;
    if (kind == "request") {
      words >> word >> word >> word >> word >> word >> type >> where >> word >> word >> word >> parts;
      of = type + " " + where;
      ++result.requests[of];
      result.parts[of] += parts;
    } else if (kind == "access") {
      ++result.accesses[of];
    }
  }
  std::remove(file.c_str());
  return result;
}

/// The launch has one block: its trace must be all that is counted.
void check_equal_to_counts(const std::function<void()>& launch) {
  in_all_orders([&] {
    cuda_emulator::begin_counting();
    traced t = trace_of(launch);
    const auto launches = cuda_emulator::end_counting();
    REQUIRE(launches.size() == 1);
    const cuda_emulator::kernel_counts& c = launches[0];
    CHECK(t.requests["load global"] == c.global_load_requests);
    CHECK(t.parts["load global"] == c.global_load_sectors);
    CHECK(t.accesses["load global"] == c.global_loads);
    CHECK(t.requests["store global"] == c.global_store_requests);
    CHECK(t.parts["store global"] == c.global_store_sectors);
    CHECK(t.accesses["store global"] == c.global_stores);
    CHECK(t.requests["load shared"] == c.shared_load_requests);
    CHECK(t.parts["load shared"] == c.shared_load_wavefronts);
    CHECK(t.accesses["load shared"] == c.shared_loads);
    CHECK(t.requests["store shared"] == c.shared_store_requests);
    CHECK(t.parts["store shared"] == c.shared_store_wavefronts);
    CHECK(t.accesses["store shared"] == c.shared_stores);
    CHECK(t.requests["load constant"] == c.constant_requests);
    CHECK(t.parts["load constant"] == c.constant_addresses);
    CHECK(t.accesses["load constant"] == c.constant_loads);
  });
}

__constant__ float weights[4] = {0, 0, 0, 1};
__device__ float factor;

/// y[i] = weights[i % 2] factor (x[i] + x[i + 1]), staged; the neighbor's by an atomic that is counted
/// nowhere.
__global__ void staged_kernel(const float* x, float* y, int* calls, int) {
  __shared__ float tile[34];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = x[i];
  if (i < 2) tile[32 + i] = 0;
  __syncthreads();
  if (i == 0) atomicAdd(calls, 1);
  if (i % 4 != 3) y[i] = weights[i % 2] * factor * (tile[i] + tile[i + 1]);
}

/// One lane in four fetches nothing, and fetches come before and after a way that only some lanes go.
__global__ void fetch_kernel(cudaTextureObject_t picture, cudaTextureObject_t samples, float* y) {
  const int i = static_cast<int>(threadIdx.x);
  float sum = 0;
  if (i % 4 != 3) sum = tex2D<float>(picture, static_cast<float>(i) + 0.75f, 1.5f);
  if (i < 2) sum += static_cast<float>(tex1Dfetch<int>(samples, i - 1));
  y[i] = sum;
}

namespace inner {
enum class kind { one, two };
template <class T, int N, kind>
__global__ void instance_kernel(T* y) {
  y[threadIdx.x] = N;
}
}  // namespace inner

/// The block of `blockIdx` writes to its own element.
__global__ void grid_kernel(int* y) {
  const unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  y[b] = static_cast<int>(b);
}

__constant__ unsigned char bytes[64];
struct table {
  float value[4][4];
};
__constant__ table square = {{{}, {}, {}, {0, 0, 0, 1}}};

/// Tables that are not declared as what they hold.
__global__ void tables_kernel(double* y) {
  y[threadIdx.x] = reinterpret_cast<const double*>(bytes)[threadIdx.x] + square.value[threadIdx.x][2];
}

__global__ void long_kernel(volatile float* y) {
  for (int k = 0; k < 1000; ++k) y[threadIdx.x] = static_cast<float>(k);
}

bool has(const traced& t, const std::string& line) {
  return std::find(t.lines.begin(), t.lines.end(), line) != t.lines.end();
}

}  // namespace

TEST_CASE("the requests of a trace are those that are counted") {
  device_array<float> d_x(512 * 33), d_y(512 * 33);
  device_array<double> d_a(512), d_b(512);
  device_array<float4> d_v(512), d_w(512);
  device_array<int> d_n(64);
  for (const int stride : {0, 1, 2, 32})
    check_equal_to_counts([&] { copy_kernel<<<1, 256>>>(d_x.data(), d_y.data(), 1, stride, 250); });
  check_equal_to_counts([&] { copy_kernel<<<1, 256>>>(d_a.data(), d_b.data(), 0, 1, 256); });
  check_equal_to_counts([&] { copy_kernel<<<1, 96>>>(d_v.data(), d_w.data(), 0, 1, 90); });
  check_equal_to_counts([&] { ragged_kernel<<<1, 32>>>(d_x.data(), d_y.data()); });
  check_equal_to_counts([&] { transpose_kernel<float, 0><<<1, dim3(32, 32)>>>(d_x.data(), d_y.data()); });
  check_equal_to_counts([&] { transpose_kernel<float, 1><<<1, dim3(32, 32)>>>(d_x.data(), d_y.data()); });
  check_equal_to_counts([&] { shared_stride_kernel<<<1, 32, 32 * 8 * 8>>>(8, d_a.data()); });
  check_equal_to_counts([&] { shared_stride_kernel<<<1, 64, 64 * 3 * 4>>>(3, d_x.data()); });
  check_equal_to_counts([&] { vector_shared_kernel<<<1, 32>>>(d_v.data()); });
  check_equal_to_counts([&] { constant_kernel<<<1, 64>>>(4, d_x.data()); });
  check_equal_to_counts([&] { increment_kernel<<<1, 64>>>(d_n.data()); });
  check_equal_to_counts([&] { staged_kernel<<<1, 32>>>(d_x.data(), d_y.data(), d_n.data(), 0); });
}

TEST_CASE("a trace names arrays, elements, threads, intervals and lines") {
  device_array<float> d_x(100), d_y(50);
  device_array<int> d_n(1);
  const int line = __LINE__ + 1;
  const traced t = trace_of([&] { staged_kernel<<<1, 32>>>(d_x.data() + 10, d_y.data(), d_n.data(), 0); });
  CAPTURE(line);
  CAPTURE(doctest::String(t.lines.empty() ? "" : t.lines[1].c_str()));
  REQUIRE(t.lines.size() > 4);
  CHECK(t.lines[0] == "emulator-trace 2");
  CHECK(t.lines[1].starts_with("launch 1 staged_kernel grid 1 1 1 block 32 1 1 traced 0 0 0 at "));
  // From the pointer on that the kernel was given.
  CHECK(has(t, "array 0 global x 4 90"));
  CHECK(has(t, "array 1 shared tile 4 34"));
  const auto array_line = [&](const std::string& rest) {
    return std::any_of(t.lines.begin(), t.lines.end(), [&](const std::string& each) {
      return each.starts_with("array ") && each.ends_with(rest);
    });
  };
  CHECK(array_line(" constant weights 4 4"));
  CHECK(array_line(" global factor 4 1"));
  CHECK(array_line(" global y 4 50"));
  CHECK(array_line(" global calls 4 1"));
  CHECK(t.lines[3].starts_with("request 0 interval 0 warp 0 load global bytes 4 parts "));
  CHECK(t.lines[3].find("trace.cu:") != std::string::npos);
  CHECK(t.lines[4].starts_with("access 0 0 0 0 "));
  const auto stores_y = std::find_if(t.lines.begin(), t.lines.end(), [](const std::string& each) {
    return each.find(" interval 1 warp 0 store global bytes 4 ") != std::string::npos;
  });
  CHECK(stores_y != t.lines.end());
  auto counts = t.requests;
  CHECK(counts["atomic global"] == 1);
  CHECK(t.lines.back().ends_with(" complete"));
}

TEST_CASE("elements of bytes and of structures are what a kernel accesses") {
  device_array<double> d_y(4);
  REQUIRE(cudaMemcpyToSymbol(bytes, std::string(64, '\0').data(), 64) == cudaSuccess);
  const traced t = trace_of([&] { tables_kernel<<<1, 4>>>(d_y.data()); });
  const auto access = [&](const char* name, const std::string& elements) {
    for (const std::string& line : t.lines)
      if (line.find(std::string(" constant ") + name + " ") != std::string::npos) {
        CHECK(line.ends_with(elements));
        return line.substr(6, line.find(' ', 6) - 6);
      }
    FAIL("the table is not in the trace");
    return std::string();
  };
  const auto third_lane = [&](const std::string& array, const std::string& index) {
    return std::any_of(t.lines.begin(), t.lines.end(), [&](const std::string& line) {
      return line.starts_with("access ") && line.find(" 2 " + array + " " + index + " ") != std::string::npos;
    });
  };
  CHECK(third_lane(access("bytes", " 8 8"), "2"));
  CHECK(third_lane(access("square", " 4 16"), "10"));
}

TEST_CASE("a trace names an instance of a template with its arguments") {
  device_array<unsigned> d_y(8);
  const traced t =
      trace_of([&] { inner::instance_kernel<unsigned, 3, inner::kind::two><<<1, 8>>>(d_y.data()); });
  REQUIRE(t.lines.size() > 1);
  CAPTURE(doctest::String(t.lines[1].c_str()));
  CHECK(t.lines[1].starts_with("launch 1 instance_kernel<unsigned%20int,%203,%20(kind)1> grid 1 1 1 "));
}

TEST_CASE("one block is traced: the first, or the one that was asked for") {
  device_array<int> d_y(64);
  const auto launch = [&] { grid_kernel<<<dim3(4, 3, 2), 1>>>(d_y.data()); };
  traced t = trace_of(launch);
  CHECK(t.accesses["store global"] == 1);
  CHECK(t.lines[4].starts_with("access 0 0 0 0 "));
  setenv("EMULATOR_TRACE_BLOCK", "3,2,1", 1);
  t = trace_of(launch);
  CHECK(t.lines[1].find(" traced 3 2 1 at ") != std::string::npos);
  CHECK(t.lines[4].starts_with("access 0 0 0 23 "));
  setenv("EMULATOR_TRACE_BLOCK", "4", 1);
  CHECK(trace_of(launch).lines.size() == 1);  // no such block: the launch is left out
  unsetenv("EMULATOR_TRACE_BLOCK");
}

TEST_CASE("a long trace is cut, and says so") {
  device_array<float> d_y(1024);
  traced t = trace_of([&] { long_kernel<<<1, 256>>>(d_y.data()); });
  CHECK(t.lines.back().ends_with(" cut"));
  CHECK(t.accesses["store global"] <= 50000);
  CHECK(t.accesses["store global"] > 49000);
}

TEST_CASE("a trace has the fetches from textures: where lanes ask, and the texels that they read") {
  std::vector<float> texels(6 * 4);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, 6, 4) == cudaSuccess);
  REQUIRE(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 24, 24, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  const auto texture_of = [](const cudaResourceDesc& resource) {
    cudaTextureDesc reading{};
    reading.filterMode =
        resource.resType == cudaResourceTypeArray ? cudaFilterModeLinear : cudaFilterModePoint;
    for (auto& mode : reading.addressMode) mode = cudaAddressModeBorder;
    cudaTextureObject_t texture = 0;
    REQUIRE(cudaCreateTextureObject(&texture, &resource, &reading, nullptr) == cudaSuccess);
    return texture;
  };
  cudaResourceDesc from_array{};
  from_array.resType = cudaResourceTypeArray;
  from_array.res.array.array = array;
  device_array<int> d_n(std::vector<int>{5, 6, 7, 8});
  cudaResourceDesc from_memory{};
  from_memory.resType = cudaResourceTypeLinear;
  from_memory.res.linear = {d_n.data(), cudaCreateChannelDesc<int>(), 16};
  const cudaTextureObject_t picture = texture_of(from_array), samples = texture_of(from_memory);
  device_array<float> d_y(32);

  const auto launch = [&] { fetch_kernel<<<1, 32>>>(picture, samples, d_y.data()); };
  check_equal_to_counts(launch);
  in_all_orders([&] {
    traced t = trace_of(launch);
    const auto is_there = [&](const std::string& line) {
      CAPTURE(doctest::String(line.c_str()));
      CHECK(has(t, line));
    };
    is_there("array 0 texture picture 4 24 6 4 1");
    is_there("array 1 texture samples 4 4 4 1 1");
    CHECK(t.requests["fetch texture"] == 2);
    CHECK(t.parts["fetch texture"] == 0);
    CHECK(t.lines[3].starts_with("request 0 interval 0 warp 0 fetch texture bytes 4 parts 0 at "));
    // Lane 0 is at 0.75, 1.5: a quarter of texel 1, and the second row is not needed.
    is_there("sample 0 0 0 0.75 1.5 0.5");
    is_there("access 0 0 0 6 24");
    is_there("access 0 0 0 7 28");
    // Lane 5 at 5.75: the last texel and the border.
    is_there("access 0 5 0 11 44");
    // Lane 6 at 6.75, and all others behind: the border only.
    is_there("sample 0 6 0 6.75 1.5 0.5");
    is_there("sample 1 0 1 -0.5 0.5 0.5");
    is_there("sample 1 1 1 0.5 0.5 0.5");
    is_there("access 1 1 1 0 0");
    // Two texels for each of lanes 0, 1, 2, 4, one for lane 5; and one element.
    CHECK(t.accesses["fetch texture"] == 10);
    const auto samples_of_first = std::count_if(t.lines.begin(), t.lines.end(), [](const std::string& each) {
      return each.starts_with("sample 0 ");
    });
    CHECK(samples_of_first == 24);
    CHECK(t.lines.back() == "end 3 42 complete");
  });
  CHECK(cudaDestroyTextureObject(picture) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(samples) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}
