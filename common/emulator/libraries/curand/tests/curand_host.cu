// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuRAND's generators of the host. The values are those of its generator of the CPU (cuRAND 10.4). An H200
// makes the same numbers as that one: compared were a million of each kind, with one seed. Normal numbers
// differ in their last digits.
#include <curand.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../../../tests/emulator_test.hpp"
#include "../../../tests/findings.hpp"

using cuda_emulator::finding_kind;

namespace {

class generator {
 public:
  explicit generator(curandRngType_t type, unsigned long long seed = 0, unsigned long long offset = 0,
                     unsigned dimensions = 1) {
    REQUIRE(curandCreateGenerator(&handle_, type) == CURAND_STATUS_SUCCESS);
    if (type < CURAND_RNG_QUASI_DEFAULT)
      REQUIRE(curandSetPseudoRandomGeneratorSeed(handle_, seed) == CURAND_STATUS_SUCCESS);
    else
      REQUIRE(curandSetQuasiRandomGeneratorDimensions(handle_, dimensions) == CURAND_STATUS_SUCCESS);
    REQUIRE(curandSetGeneratorOffset(handle_, offset) == CURAND_STATUS_SUCCESS);
  }
  generator(const generator&) = delete;
  ~generator() { curandDestroyGenerator(handle_); }
  operator curandGenerator_t() const { return handle_; }

 private:
  curandGenerator_t handle_ = nullptr;
};

constexpr std::size_t length = 600000, places[] = {0, 1, 4096, length - 1};

struct sample {
  curandRngType_t type;
  unsigned long long seed, offset;
  unsigned dimensions;
  unsigned bits[4];
  double uniform[4];
  float normal[4];
  double normal_double[4];
};
const std::vector<sample>& samples() {
  static const std::vector<sample> all{
      {CURAND_RNG_PSEUDO_XORWOW,
       1234ull,
       0,
       1,
       {0x253d5e15u, 0xd1f7605au, 0x6f558604u, 0x5260ed81u},
       {0.43489880438841294, 0.92641692020243771, 0.45516523048612917, 0.81479841552152754},
       {0.780973554f, -1.80157816f, 1.93902695f, 0.0880133137f},
       {0.35873979852445503, -1.239592503223552, 1.4438503460964678, -0.11936694170718214}},
      {CURAND_RNG_PSEUDO_XORWOW,
       81985529216486895ull,
       300001,
       1,
       {0xdfb16f97u, 0xd971119eu, 0x6ffae4c1u, 0x41162f30u},
       {0.43742193201204577, 0.78336023249044096, 0.73862448609103915, 0.96552920453836011},
       {0.199011013f, -0.479790926f, 0.84649837f, 1.29967582f},
       {-1.2826847918499156, -0.091835642326618838, -0.33590734967400199, 1.2696428491272682}},
      {CURAND_RNG_PSEUDO_PHILOX4_32_10,
       1234ull,
       0,
       1,
       {0x2090b348u, 0xda7cf0abu, 0x7a6635c0u, 0xeadfb5ebu},
       {0.85346899543001431, 0.79605514883270523, 0.21564764650400298, 0.93303064212114051},
       {-1.61649048f, 1.22915542f, 1.18662775f, 1.61085105f},
       {-0.53952669590731883, 0.16063334644202293, -1.4806033316311182, 0.65103119910449325}},
      {CURAND_RNG_PSEUDO_PHILOX4_32_10,
       81985529216486895ull,
       300001,
       1,
       {0xdac40f89u, 0x7c1c0210u, 0x14abd5c7u, 0xbd754604u},
       {0.98719470782094909, 0.32108239642951514, 0.59275626692729744, 0.1341227134969753},
       {0.88896668f, -0.0967144892f, 2.32472396f, -0.773405731f},
       {0.55885648275310296, 1.0290183688240297, -1.8730692786863947, -2.002323923786907}},
      {CURAND_RNG_QUASI_SOBOL32,
       0ull,
       0,
       1,
       {0x00000000u, 0x80000000u, 0x00180000u, 0x062db000u},
       {2.3283064365386963e-10, 0.50000000023283064, 0.00036621117033064365, 0.024134636158123612},
       {-6.33795738f, 0.0f, -3.37714577f, -1.97499001f},
       {-6.3379577545537904, 2.9180993729166229e-10, -3.3771458188450807, -1.9749900948618493}},
      {CURAND_RNG_QUASI_SOBOL32,
       0ull,
       1001,
       20,
       {0xb8400000u, 0xf8400000u, 0xb8580000u, 0x51e20000u},
       {0.71972656273283064, 0.96972656273283064, 0.72009277367033064, 0.31985473656095564},
       {0.582029402f, 1.87679005f, 0.583117127f, -0.468105018f},
       {0.58202940463427966, 1.8767900496792143, 0.5831171298875818, -0.46810504327481284}},
  };
  return all;
}

/// What a generator that was made as the sample says stores, in two calls.
template <class T, class Fill>
std::vector<T> numbers_of(const sample& s, std::size_t first, Fill fill) {
  const generator g(s.type, s.seed, s.offset, s.dimensions);
  device_array<T> all(length);
  const std::size_t parts[] = {first, length - first};
  for (const std::size_t part : parts)
    if (part != 0)
      REQUIRE(fill(g, part == first ? all.data() : all.data() + first, part) == CURAND_STATUS_SUCCESS);
  return all.to_host();
}

}  // namespace

TEST_CASE("generators of the host make cuRAND's numbers") {
  for (const sample& s : samples()) {
    CAPTURE(s.type);
    CAPTURE(s.offset);
    // A quasirandom generator stores dimension after dimension, in each call.
    const std::size_t first = s.type < CURAND_RNG_QUASI_DEFAULT ? 5002 : 0;
    const auto bits = numbers_of<unsigned>(s, first, curandGenerate);
    const auto uniform = numbers_of<float>(s, first, curandGenerateUniform);
    const auto wide = numbers_of<double>(s, first, curandGenerateUniformDouble);
    const auto normal = numbers_of<float>(s, first, [](curandGenerator_t g, float* to, std::size_t n) {
      return curandGenerateNormal(g, to, n, 0, 1);
    });
    const auto normal_double =
        numbers_of<double>(s, first, [](curandGenerator_t g, double* to, std::size_t n) {
          return curandGenerateNormalDouble(g, to, n, 0, 1);
        });
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = places[i];
      CAPTURE(at);
      CHECK(bits[at] == s.bits[i]);
      CHECK(uniform[at] == static_cast<float>(s.bits[i]) * 0x1p-32f + 0x1p-33f);
      CHECK(wide[at] == s.uniform[i]);
      CHECK(std::fabs(normal[at] - s.normal[i]) < 1e-6f * (1 + std::fabs(s.normal[i])));
      CHECK(std::fabs(normal_double[at] - s.normal_double[i]) < 1e-12);
    }
  }
}

TEST_CASE("generators of other kinds, and other distributions, have the right means") {
  for (const curandRngType_t type :
       {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32,
        CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32}) {
    CAPTURE(type);
    constexpr std::size_t n = 100000;
    const sample s{type, 7, 0, 1, {}, {}, {}, {}};
    const auto mean = [&](const auto& all) { return std::accumulate(all.begin(), all.begin() + n, 0.0) / n; };
    const auto poisson = numbers_of<unsigned>(s, 0, [](curandGenerator_t g, unsigned* to, std::size_t size) {
      return curandGeneratePoisson(g, to, size, 2.5);
    });
    CHECK(mean(poisson) == doctest::Approx(2.5).epsilon(0.01));
    CHECK(static_cast<double>(std::count(poisson.begin(), poisson.begin() + n, 0u)) / n ==
          doctest::Approx(std::exp(-2.5)).epsilon(0.05));
    const auto log_normal = numbers_of<float>(s, 0, [](curandGenerator_t g, float* to, std::size_t size) {
      return curandGenerateLogNormal(g, to, size, 0, 0.5f);
    });
    CHECK(mean(log_normal) == doctest::Approx(std::exp(0.125)).epsilon(0.02));
    const auto normal = numbers_of<double>(s, 0, [](curandGenerator_t g, double* to, std::size_t size) {
      return curandGenerateNormalDouble(g, to, size, 3, 2);
    });
    CHECK(mean(normal) == doctest::Approx(3).epsilon(0.02));
  }
}

TEST_CASE("generators of the host: codes") {
  curandGenerator_t g = nullptr;
  CHECK(curandGenerate(g, nullptr, 4) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandCreateGenerator(&g, static_cast<curandRngType_t>(77)) == CURAND_STATUS_TYPE_ERROR);
  REQUIRE(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  std::vector<unsigned> own(4);
  std::vector<unsigned long long> wide(4);
  std::vector<float> real(4);
  CHECK(curandGenerate(g, own.data(), 4) == CURAND_STATUS_SUCCESS);
  CHECK(own[0] == 0xbd7f03b6u);
  CHECK(curandGenerateNormal(g, real.data(), 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGenerateLongLong(g, wide.data(), 4) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandGeneratePoisson(g, own.data(), 4, -1) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(g, 2) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_NOT_INITIALIZED);
  const generator quasi(CURAND_RNG_QUASI_SOBOL64, 0, 0, 3);
  device_array<unsigned long long> three(6);
  CHECK(curandSetPseudoRandomGeneratorSeed(quasi, 1) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandGenerateLongLong(quasi, three.data(), 5) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGenerateLongLong(quasi, three.data(), 6) == CURAND_STATUS_SUCCESS);
  CHECK(three.to_host()[3] == 1ull << 63);
  CHECK(curandSetQuasiRandomGeneratorDimensions(quasi, 30000) == CURAND_STATUS_OUT_OF_RANGE);
}

TEST_CASE("generators of the host: findings") {
  const generator g(CURAND_RNG_PSEUDO_DEFAULT);
  device_array<float> data(100);
  const auto right = [&] { curandGenerateUniform(g, data.data(), 100); };
  check_found(
      finding_kind::out_of_bounds,
      {"curandGenerateUniform()", "400 numbers of 4 bytes, 1600 bytes", "only 400 bytes",
       "elements, not of bytes"},
      [&] { curandGenerateUniform(g, data.data(), 400); }, right);
  std::vector<float> own(100);
  check_found(
      finding_kind::host_pointer, {"not the device's", "curandCreateGeneratorHost()"},
      [&] { curandGenerateUniform(g, own.data(), 100); }, right);
  curandGenerator_t host = nullptr;
  REQUIRE(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  check_found(
      finding_kind::device_pointer, {"one of the host", "curandCreateGenerator()"},
      [&] { curandGenerateUniform(host, data.data(), 100); },
      [&] { curandGenerateUniform(host, own.data(), 100); });
  curandDestroyGenerator(host);
}
