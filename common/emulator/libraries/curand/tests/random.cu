// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Random numbers in kernels. The bits are cuRAND's, and these values hold on a GPU, too; Philox without an
// offset also gives the first vector that was published with it.
#include <curand_kernel.h>

#include <cmath>
#include <cstdint>

#include "../../../tests/emulator_test.hpp"

namespace {

struct sample {
  unsigned long long seed, subsequence, offset;
  unsigned xorwow[2], philox[2];
};
const std::vector<sample>& samples() {
  static const std::vector<sample> all{
      {0ull, 0ull, 0ull, {0xbd7f03b6u, 0x703e556du}, {0x6627e8d5u, 0xe169c58du}},
      {0ull, 0ull, 1ull, {0x703e556du, 0x845af0c5u}, {0xe169c58du, 0xbc57ac4cu}},
      {0ull, 0ull, 1000000007ull, {0x13b1df6au, 0x97007476u}, {0x163afecfu, 0x24a0c1feu}},
      {0ull, 1ull, 0ull, {0xebc63fb7u, 0x75da7152u}, {0x844515e1u, 0xf08d6eaau}},
      {0ull, 1ull, 1ull, {0x75da7152u, 0x555de696u}, {0xf08d6eaau, 0x0f19c053u}},
      {0ull, 1ull, 1000000007ull, {0x15f3c3c7u, 0x81986a7bu}, {0x689823c6u, 0x75895219u}},
      {0ull, 1000003ull, 0ull, {0x21cafae0u, 0xb9bb1a7eu}, {0xa026870eu, 0x29da1ac2u}},
      {0ull, 1000003ull, 1ull, {0xb9bb1a7eu, 0x879dd81eu}, {0x29da1ac2u, 0x9b6d8d6eu}},
      {0ull, 1000003ull, 1000000007ull, {0x42d9da53u, 0x8cabba41u}, {0xa59a900du, 0x46680bc7u}},
      {1234ull, 0ull, 0ull, {0x253d5e15u, 0x6f558604u}, {0x2090b348u, 0xda7cf0abu}},
      {1234ull, 0ull, 1ull, {0x6f558604u, 0xdee6daf2u}, {0xda7cf0abu, 0x4401906fu}},
      {1234ull, 0ull, 1000000007ull, {0xa27ff703u, 0x77a84bc4u}, {0xd8972f91u, 0xcc198035u}},
      {1234ull, 1ull, 0ull, {0xd1f7605au, 0xed29ae49u}, {0xd115a128u, 0x52fc7c75u}},
      {1234ull, 1ull, 1ull, {0xed29ae49u, 0x83030ed9u}, {0x52fc7c75u, 0xc7f33f17u}},
      {1234ull, 1ull, 1000000007ull, {0x7831ec92u, 0x2c8722ddu}, {0xd8cf7a3du, 0xceb32432u}},
      {1234ull, 1000003ull, 0ull, {0x30e92536u, 0x1b28469au}, {0x127e74cau, 0x6f179e2cu}},
      {1234ull, 1000003ull, 1ull, {0x1b28469au, 0x9b3195e2u}, {0x6f179e2cu, 0x0d9806c0u}},
      {1234ull, 1000003ull, 1000000007ull, {0x77059475u, 0xc8e3c94cu}, {0x47e525ffu, 0x3df67be4u}},
      {81985529216486895ull, 0ull, 0ull, {0x1a444210u, 0x3fcca938u}, {0xb850222eu, 0xc58cb04bu}},
      {81985529216486895ull, 0ull, 1ull, {0x3fcca938u, 0xac7c5504u}, {0xc58cb04bu, 0x14a7a020u}},
      {81985529216486895ull, 0ull, 1000000007ull, {0xe5c5a025u, 0x247770f8u}, {0x97fe13adu, 0x16aa8cf9u}},
      {81985529216486895ull, 1ull, 0ull, {0x6d3c9475u, 0x4395cedfu}, {0xfa9dff5eu, 0x6c10844bu}},
      {81985529216486895ull, 1ull, 1ull, {0x4395cedfu, 0xa645739fu}, {0x6c10844bu, 0x6979c717u}},
      {81985529216486895ull, 1ull, 1000000007ull, {0x3aadb595u, 0x3f0b09b6u}, {0xcbd0654du, 0x59e4c284u}},
      {81985529216486895ull, 1000003ull, 0ull, {0x899122ffu, 0xc62c89b4u}, {0x43f6190eu, 0xdacd03ceu}},
      {81985529216486895ull, 1000003ull, 1ull, {0xc62c89b4u, 0x6bf644eeu}, {0xdacd03ceu, 0x8d58fe0eu}},
      {81985529216486895ull,
       1000003ull,
       1000000007ull,
       {0x603a7c0au, 0x7a79c089u},
       {0xe8bcf079u, 0xe8c1b024u}},
  };
  return all;
}

__global__ void first_bits_kernel(const sample* samples, int size, unsigned* out) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= size) return;
  const sample s = samples[i];
  curandState a;
  curandStatePhilox4_32_10_t b;
  curand_init(s.seed, s.subsequence, s.offset, &a);
  curand_init(s.seed, s.subsequence, s.offset, &b);
  out[4 * i] = curand(&a);
  out[4 * i + 1] = curand(&a);
  out[4 * i + 2] = curand(&b);
  out[4 * i + 3] = curand(&b);
}

// As courses do it: one kernel prepares a state for each thread, others use and store them.
template <class State>
__global__ void prepare_kernel(unsigned long long seed, State* states) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}
template <class State>
__global__ void use_kernel(State* states, int each, float* uniform, float* normal) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  State own = states[i];
  for (int k = 0; k < each; ++k) {
    uniform[static_cast<unsigned>(k) * threads + i] = curand_uniform(&own);
    normal[static_cast<unsigned>(k) * threads + i] = curand_normal(&own);
  }
  states[i] = own;
}

template <class State>
__global__ void skip_kernel(unsigned* out) {
  State a, b;
  curand_init(11, 2, 0, &a);
  curand_init(11, 0, 0, &b);
  for (int k = 0; k < 1003; ++k) curand(&a);
  skipahead_sequence(2, &b);
  skipahead(1000, &b);
  skipahead(3, &b);
  for (int k = 0; k < 4; ++k) out[k] = curand(&a) - curand(&b);
  curand_init(11, 2, 1007, &b);
  for (int k = 4; k < 8; ++k) out[k] = curand(&a) - curand(&b);
}

__global__ void four_kernel(unsigned* out) {
  curandStatePhilox4_32_10_t one, four;
  for (unsigned begin = 0; begin < 4; ++begin) {
    curand_init(5, 6, begin, &one);
    curand_init(5, 6, begin, &four);
    const uint4 x = curand4(&four);
    out[4 * begin] = x.x - curand(&one);
    out[4 * begin + 1] = x.y - curand(&one);
    out[4 * begin + 2] = x.z - curand(&one);
    out[4 * begin + 3] = x.w - curand(&one);
    if (curand(&four) != curand(&one)) out[4 * begin] = 1;
  }
}

// Each value beside the bits that it is made of.
template <class State>
__global__ void made_of_kernel(double* out) {
  State a, b;
  curand_init(42, 3, 5, &a);
  curand_init(42, 3, 5, &b);
  int n = 0;
  const auto bits = [&] { out[n++] = curand(&b); };
  out[n++] = static_cast<double>(curand_uniform(&a)), bits();
  out[n++] = static_cast<double>(curand_normal(&a)), bits(), bits();
  out[n++] = static_cast<double>(curand_normal(&a));  // the other one of the pair
  const float2 pair = curand_normal2(&a);
  out[n++] = static_cast<double>(pair.x), out[n++] = static_cast<double>(pair.y), bits(), bits();
  out[n++] = static_cast<double>(curand_log_normal(&a, 1.0f, 0.5f)), bits(), bits();
  out[n++] = static_cast<double>(curand_log_normal(&a, 1.0f, 0.5f));
  out[n++] = curand_normal_double(&a), bits(), bits(), bits(), bits();
  out[n++] = curand_normal_double(&a);
}

__global__ void doubles_kernel(double* out) {
  curandState a, b;
  curandStatePhilox4_32_10_t c, d;
  curand_init(1, 2, 3, &a), curand_init(1, 2, 3, &b), curand_init(1, 2, 3, &c), curand_init(1, 2, 3, &d);
  out[0] = curand_uniform_double(&a), out[1] = curand(&b), out[2] = curand(&b);
  out[3] = curand_uniform_double(&c), out[4] = curand(&d);
  const double2 two = curand_uniform2_double(&c);
  out[5] = two.x, out[6] = two.y;
  for (int k = 7; k < 11; ++k) out[k] = curand(&d);
}

template <class State>
void check_distribution() {
  constexpr int threads = 4 * 64, each = 100;
  device_array<State> d_states(threads);
  device_array<float> d_uniform(threads * each), d_normal(threads * each);
  prepare_kernel<<<4, 64>>>(1234ull, d_states.data());
  use_kernel<<<4, 64>>>(d_states.data(), each, d_uniform.data(), d_normal.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  double sum = 0, normal_sum = 0, squares = 0;
  int outside = 0;
  for (const float x : d_uniform.to_host()) {
    sum += static_cast<double>(x);
    outside += !(x > 0 && x <= 1);
  }
  for (const float x : d_normal.to_host()) {
    normal_sum += static_cast<double>(x);
    squares += static_cast<double>(x) * static_cast<double>(x);
  }
  const double count = threads * each;
  CHECK(outside == 0);
  // Within 4 standard deviations of what the means should be.
  CHECK(std::fabs(sum / count - 0.5) < 4 * std::sqrt(1.0 / 12 / count));
  CHECK(std::fabs(normal_sum / count) < 4 / std::sqrt(count));
  CHECK(std::fabs(squares / count - 1) < 4 * std::sqrt(2 / count));
}

template <class State>
void check_made_of() {
  device_array<double> d_out(22);
  made_of_kernel<State><<<1, 1>>>(d_out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<double> out = d_out.to_host();
  constexpr double pi = 3.14159265358979323846;
  const auto length = [](double x) { return std::sqrt(-2 * std::log(x * 0x1p-32 + 0x1p-33)); };
  const auto turn = [](double y) { return 2 * pi * (y * 0x1p-32 + 0x1p-33); };
  // A GPU's __sincosf() is wrong by up to 2^-21, and the length is at most 7.
  const auto near = [](double a, double b) { return std::fabs(a - b) < 1e-5 * (1 + std::fabs(b)); };
  CHECK(static_cast<float>(out[0]) == static_cast<float>(out[1]) * 0x1p-32f + 0x1p-33f);
  CHECK(near(out[2], length(out[3]) * std::sin(turn(out[4]))));
  CHECK(near(out[5], length(out[3]) * std::cos(turn(out[4]))));
  CHECK(near(out[6], length(out[8]) * std::sin(turn(out[9]))));
  CHECK(near(out[7], length(out[8]) * std::cos(turn(out[9]))));
  CHECK(near(out[10], std::exp(1 + 0.5 * length(out[11]) * std::sin(turn(out[12])))));
  CHECK(near(out[13], std::exp(1 + 0.5 * length(out[11]) * std::cos(turn(out[12])))));
  const auto both = [](double x, double y) {
    return static_cast<double>(static_cast<std::uint64_t>(x) ^ static_cast<std::uint64_t>(y) << 21) *
               0x1p-53 +
           0x1p-54;
  };
  const double far = std::sqrt(-2 * std::log(both(out[15], out[16]))),
               angle = 2 * pi * both(out[17], out[18]);
  CHECK(std::fabs(out[14] - far * std::sin(angle)) < 1e-13);
  CHECK(std::fabs(out[19] - far * std::cos(angle)) < 1e-13);
}

}  // namespace

TEST_CASE("the first numbers of seeds, subsequences and offsets") {
  const auto& all = samples();
  device_array<sample> d_samples(all);
  device_array<unsigned> d_out(4 * all.size());
  first_bits_kernel<<<1, 32>>>(d_samples.data(), static_cast<int>(all.size()), d_out.data());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const auto out = d_out.to_host();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(out[4 * i + k] == all[i].xorwow[k]);
      CHECK(out[4 * i + 2 + k] == all[i].philox[k]);
    }
  }
}

TEST_CASE("skipping ahead, and four at a time") {
  device_array<unsigned> d_xorwow(8), d_philox(8), d_four(16);
  skip_kernel<curandState><<<1, 1>>>(d_xorwow.data());
  skip_kernel<curandStatePhilox4_32_10_t><<<1, 1>>>(d_philox.data());
  four_kernel<<<1, 1>>>(d_four.data());
  CHECK(d_xorwow.to_host() == std::vector<unsigned>(8, 0));
  CHECK(d_philox.to_host() == std::vector<unsigned>(8, 0));
  CHECK(d_four.to_host() == std::vector<unsigned>(16, 0));
}

TEST_CASE("distributions") {
  check_distribution<curandState>();
  check_distribution<curandStatePhilox4_32_10_t>();
  check_made_of<curandState>();
}

TEST_CASE("doubles") {
  device_array<double> d_out(11);
  doubles_kernel<<<1, 1>>>(d_out.data());
  const auto out = d_out.to_host();
  const auto both = [](double x, double y) {
    return static_cast<double>(static_cast<std::uint64_t>(x) ^ static_cast<std::uint64_t>(y) << 21) *
               0x1p-53 +
           0x1p-54;
  };
  CHECK(out[0] == both(out[1], out[2]));
  CHECK(out[3] == (out[4] + 1) * 0x1p-32);
  CHECK(out[5] == both(out[7], out[8]));
  CHECK(out[6] == both(out[9], out[10]));
}
