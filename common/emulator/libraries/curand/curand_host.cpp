// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuRAND's generators of the host. The numbers are made when they are asked for, and stored when it is the
// stream's turn. Which number comes where was compared with cuRAND 10.4's generator of the CPU, and that one
// with an H200.
#include <curand_kernel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <set>
#include <vector>

#include "code/call_stack.hpp"
#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "device/libraries.hpp"
#include "device/settings.hpp"
#include "device/standard_error.hpp"
#include "emulator/math/special_functions.hpp"
#include "memory/library_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/shadow.hpp"
#include "order/enqueue.hpp"
#include "order/movements.hpp"
#include "order/work.hpp"
#include "run/launch_log.hpp"
#include "tell/findings.hpp"

struct curandGenerator_st {
  curandRngType_t type;
  bool of_host;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, position = 0;
  std::uint64_t dimensions = 1;                ///< Of a quasirandom generator.
  std::vector<curandStateXORWOW> sequences{};  ///< Of XORWOW, from the first numbers on.
  std::vector<unsigned> counters{};            ///< Of Philox, likewise.
};

namespace cuda_emulator {
namespace {

using generator = curandGenerator_st;

constinit const library curand_library{};
__attribute__((constructor)) void be_known() { add_library(curand_library); }

std::mutex& mutex = *new std::mutex;
std::set<generator*>& generators = *new std::set<generator*>;

bool is_generator(generator* g) {
  const std::lock_guard lock(mutex);
  return generators.contains(g);
}
bool is_quasi(const generator& g) { return g.type >= CURAND_RNG_QUASI_DEFAULT; }
bool is_wide(const generator& g) {
  return g.type == CURAND_RNG_QUASI_SOBOL64 || g.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}
bool is_xorwow(const generator& g) { return g.type == CURAND_RNG_PSEUDO_XORWOW; }

curandStatus_t refuse(const char* function, curandStatus_t status, const char* name, const std::string& why) {
  note_failed_call(cudaErrorInvalidValue, std::string(function) + "() returns " + name + ": " + why);
  return status;
}

/// Once for each text: numbers that are not those of cuRAND.
void note_other_numbers(const std::string& text) {
  static std::set<std::string>& said = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (!said.insert(text).second) return;
  const std::string place = line_of(caller_outside());
  begin_message();
  std::fprintf(stderr, "%snote: %s\n", place.empty() ? "" : (place + ": ").c_str(), text.c_str());
}

// ---- XORWOW: 4096 subsequences take turns.

constexpr unsigned long long turns = 4096;

curandStateXORWOW& next_sequence(generator& g) {
  if (g.sequences.empty()) {
    g.sequences.resize(turns);
    curand_init(g.seed, 0, 0, &g.sequences[0]);
    for (std::size_t i = 1; i < turns; ++i) {
      g.sequences[i] = g.sequences[i - 1];
      skipahead_sequence(1, &g.sequences[i]);
    }
    for (std::size_t i = 0; i < turns && g.position != 0; ++i)
      skipahead(g.position / turns + (i < g.position % turns ? 1 : 0), &g.sequences[i]);
  }
  return g.sequences[g.position++ % turns];
}

// ---- Philox: 65536 subsequences take turns, four numbers each. Four doubles take two counters.

constexpr unsigned long long philox_turns = 65536;

uint4 philox(const generator& g, unsigned sequence, unsigned counter) {
  // Another generator than Philox itself: numbers of its own.
  const unsigned own = g.type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 0 : static_cast<unsigned>(g.type);
  return philox_4x32_10({counter, 0, sequence, own},
                        {static_cast<unsigned>(g.seed), static_cast<unsigned>(g.seed >> 32)});
}

/// output[i] = convert(four words, which number of them), where `counters` counters give four numbers.
template <class T, class Convert>
void philox_numbers(generator& g, T* output, std::size_t n, unsigned counters, Convert convert) {
  if (g.counters.empty()) {
    g.counters.resize(philox_turns);
    const unsigned long long fours = g.position / 4;
    for (unsigned long long i = 0; i < philox_turns; ++i)
      g.counters[i] = static_cast<unsigned>(fours / philox_turns) + (i < fours % philox_turns ? 1 : 0);
  }
  uint4 four{};
  for (std::size_t i = 0; i < n; ++i, ++g.position) {
    const auto sequence = static_cast<unsigned>(g.position / 4 % philox_turns),
               lane = static_cast<unsigned>(g.position % 4), each = 4 / counters;
    if (i == 0 || lane % each == 0) four = philox(g, sequence, g.counters[sequence] + lane / each);
    output[i] = convert(four, lane % each);
    if (lane == 3) g.counters[sequence] += counters;
  }
}
unsigned lane_of(const uint4& four, unsigned lane) {
  return lane == 0 ? four.x : lane == 1 ? four.y : lane == 2 ? four.z : four.w;
}

// ---- Sobol: the first 21 dimensions of Joe and Kuo, "Constructing Sobol sequences with better
// two-dimensional projections" (2008).

struct sobol_polynomial {
  unsigned degree, inner;
  std::array<unsigned, 7> m;
};
constexpr sobol_polynomial polynomials[] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};
constexpr std::uint64_t sobol_dimensions = std::size(polynomials) + 1;

/// The numbers that the bits of a Gray code choose, with 64 bits behind the point.
std::array<std::uint64_t, 64> directions(std::uint64_t dimension) {
  std::array<std::uint64_t, 64> v{};
  if (dimension == 0) {
    for (unsigned i = 0; i < 64; ++i) v[i] = std::uint64_t{1} << (63 - i);
    return v;
  }
  const sobol_polynomial& p = polynomials[dimension - 1];
  for (unsigned i = 0; i < 64; ++i) {
    if (i < p.degree) {
      v[i] = std::uint64_t{p.m[i]} << (63 - i);
      continue;
    }
    v[i] = v[i - p.degree] ^ v[i - p.degree] >> p.degree;
    for (unsigned k = 1; k < p.degree; ++k)
      if ((p.inner >> (p.degree - 1 - k) & 1) != 0) v[i] ^= v[i - k];
  }
  return v;
}

/// output[i] = convert(...) for each dimension one after the other, `each` numbers of it.
template <class T, class Convert>
void sobol(generator& g, T* output, std::size_t n, Convert convert) {
  const std::size_t each = n / g.dimensions;
  const bool scrambled =
      g.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || g.type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  for (std::uint64_t d = 0; d < g.dimensions; ++d) {
    const auto v = directions(d);
    std::uint64_t x = 0;
    const std::uint64_t gray = g.position ^ g.position >> 1;
    for (unsigned b = 0; b < 64; ++b)
      if ((gray >> b & 1) != 0) x ^= v[b];
    if (scrambled) {
      const uint4 shift = philox(g, static_cast<unsigned>(d), 0);
      x ^= std::uint64_t{shift.x} << 32 | shift.y;
    }
    for (std::size_t i = 0; i < each; ++i) {
      output[d * each + i] = convert(x);
      x ^= v[static_cast<unsigned>(__builtin_ctzll(g.position + i + 1))];
    }
  }
  g.position += each;
}

double double_of_sobol(std::uint64_t x, bool wide, double half_step) {
  if (wide) return static_cast<double>(x >> 11) * 0x1p-53 + 0x1p-54;
  return static_cast<double>(x >> 32) * 0x1p-32 + half_step;
}
float float_of_sobol(std::uint64_t x) { return uniform_of(static_cast<unsigned>(x >> 32)); }
double normal_where(double uniform) {
  return -1.41421356237309504880 * inverse_erfc(2 * std::min(uniform, 1 - 0x1p-53));
}

// ---- Arrays of each kind

void fill_bits(generator& g, unsigned* output, std::size_t n) {
  if (is_quasi(g)) {
    sobol(g, output, n, [](std::uint64_t x) { return static_cast<unsigned>(x >> 32); });
  } else if (is_xorwow(g)) {
    for (std::size_t i = 0; i < n; ++i) output[i] = curand(&next_sequence(g));
  } else {
    philox_numbers(g, output, n, 1, lane_of);
  }
}
void fill_uniform(generator& g, float* output, std::size_t n) {
  if (is_quasi(g)) return sobol(g, output, n, float_of_sobol);
  std::vector<unsigned> bits(n);
  fill_bits(g, bits.data(), n);
  for (std::size_t i = 0; i < n; ++i) output[i] = uniform_of(bits[i]);
}
void fill_uniform(generator& g, double* output, std::size_t n) {
  if (is_quasi(g))
    return sobol(g, output, n,
                 [wide = is_wide(g)](std::uint64_t x) { return double_of_sobol(x, wide, 0x1p-32); });
  if (is_xorwow(g)) {
    for (std::size_t i = 0; i < n; ++i) output[i] = curand_uniform_double(&next_sequence(g));
    return;
  }
  philox_numbers(g, output, n, 2, [](const uint4& four, unsigned which) {
    return which == 0 ? uniform_of(four.x, four.y) : uniform_of(four.z, four.w);
  });
}
void fill_normal(generator& g, float* output, std::size_t n) {
  if (is_quasi(g))
    return sobol(g, output, n,
                 [](std::uint64_t x) { return static_cast<float>(normal_where(float_of_sobol(x))); });
  if (is_xorwow(g)) {
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      const float2 pair = curand_normal2(&next_sequence(g));
      output[i] = pair.x;
      output[i + 1] = pair.y;
    }
    return;
  }
  philox_numbers(g, output, n, 1, [](const uint4& four, unsigned lane) {
    const float2 pair = lane < 2 ? normal_of(four.x, four.y) : normal_of(four.z, four.w);
    return lane % 2 == 0 ? pair.x : pair.y;
  });
}
void fill_normal(generator& g, double* output, std::size_t n) {
  if (is_quasi(g))
    return sobol(g, output, n, [wide = is_wide(g)](std::uint64_t x) {
      return normal_where(double_of_sobol(x, wide, 0x1p-33));
    });
  if (is_xorwow(g)) {
    for (std::size_t i = 0; i + 1 < n; i += 2) {
      const double2 pair = curand_normal2_double(&next_sequence(g));
      output[i] = pair.x;
      output[i + 1] = pair.y;
    }
    return;
  }
  philox_numbers(g, output, n, 2, [](const uint4& four, unsigned which) {
    const double2 pair = normal_of(four.x, four.y, four.z, four.w);
    return which == 0 ? pair.x : pair.y;
  });
}

/// How many events of a Poisson process with `lambda` of them on average: where its distribution passes u.
void fill_poisson(generator& g, unsigned* output, std::size_t n, double lambda) {
  std::vector<double> u(n);
  fill_uniform(g, u.data(), n);
  constexpr double largest_table = 1e5;
  if (lambda > largest_table) {
    for (std::size_t i = 0; i < n; ++i)
      output[i] = static_cast<unsigned>(
          std::max(0.0, std::floor(lambda + std::sqrt(lambda) * normal_where(u[i]) + 0.5)));
    return;
  }
  std::vector<double> up_to(static_cast<std::size_t>(lambda + 12 * std::sqrt(lambda) + 20));
  double sum = 0;
  for (std::size_t k = 0; k < up_to.size(); ++k) {
    const auto at = static_cast<double>(k);
    sum += std::exp(at * std::log(lambda) - lambda - std::lgamma(at + 1));
    up_to[k] = sum;
  }
  for (std::size_t i = 0; i < n; ++i)
    output[i] = static_cast<unsigned>(std::lower_bound(up_to.begin(), up_to.end() - 1, u[i]) - up_to.begin());
}

// ---- The way into memory

void found(const char* function, finding_kind kind, const char* what, const std::string& text,
           const char* usual_cause) {
  const std::string line = line_of(caller_outside());
  std::vector<finding> one;
  one.emplace_back(kind, (line.empty() ? "somewhere" : line) + ": error: " + what + " in " + function +
                             "()\n  " + text + "\n  Usual cause: " + usual_cause);
  conclude(std::move(one));
}

/// False where the numbers cannot be stored. `numbers`: "1000 numbers of 4 bytes".
bool check(const generator& g, const char* function, const void* output, std::size_t bytes,
           const std::string& numbers) {
  const auto room = room_at(output);
  if (g.of_host) {
    const auto device = device_memory::instance().find(output);
    if (!device || device->kind != allocation_kind::device) return true;
    found(function, finding_kind::device_pointer, "device memory used in host code",
          "the generator is one of the host and stores " + numbers + " in " + room->name,
          "curandCreateGeneratorHost() instead of curandCreateGenerator().");
    return false;
  }
  if (!room) {
    if (const auto range = registered_at(output);
        range && static_cast<const char*>(output) + bytes <= range->begin + range->size)
      return true;
    if (const auto freed = device_memory::instance().freed(output))
      found(function, finding_kind::use_after_free, "use of freed memory",
            "stores " + numbers + " in the allocation of " + count(freed->size, "bytes") + " " +
                made_at(*freed) + ", which has been freed",
            "cudaFree() too early, or a pointer that was kept too long.");
    else
      found(function, finding_kind::host_pointer, "host memory used",
            "stores " + numbers + " in memory that is not the device's",
            "a pointer of the host, where only a generator of curandCreateGeneratorHost() takes one.");
    return false;
  }
  if (room->bytes < bytes) {
    found(function, finding_kind::out_of_bounds, "access out of bounds",
          "stores " + numbers + ", " + count(bytes, "bytes") + ", where only " + count(room->bytes, "bytes") +
              " are left in " + room->name,
          "n is the number of elements, not of bytes; for pairs and vectors it counts each member.");
    return false;
  }
  return true;
}

template <class T, class Fill>
curandStatus_t generate(generator* g, const char* function, T* output, std::size_t n, bool in_pairs,
                        Fill fill) {
  if (!is_generator(g)) return CURAND_STATUS_NOT_INITIALIZED;
  if (n == 0) return CURAND_STATUS_SUCCESS;
  if (in_pairs && is_xorwow(*g) && n % 2 != 0)
    return refuse(function, CURAND_STATUS_LENGTH_NOT_MULTIPLE, "CURAND_STATUS_LENGTH_NOT_MULTIPLE",
                  "normal numbers come in pairs, and n is " + std::to_string(n));
  if (is_quasi(*g) && n % g->dimensions != 0)
    return refuse(function, CURAND_STATUS_LENGTH_NOT_MULTIPLE, "CURAND_STATUS_LENGTH_NOT_MULTIPLE",
                  "n is " + std::to_string(n) + ", and the generator has " + std::to_string(g->dimensions) +
                      " dimensions");
  if (stuck() != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
  const std::string text = count(n, "numbers") + " of " + count(sizeof(T), "bytes");
  const std::size_t bytes = n * sizeof(T);
  // Before they are made: n may be anything.
  if (settings().checking && !check(*g, function, output, bytes, text)) return CURAND_STATUS_LAUNCH_FAILURE;
  std::vector<T> numbers(n);
  fill(*g, numbers.data(), n);
  if (g->of_host) {
    std::copy(numbers.begin(), numbers.end(), output);
    return CURAND_STATUS_SUCCESS;
  }
  const cudaError_t error = enqueue({function, g->stream, true}, false, cudaGraphNodeTypeKernel,
                                    [=, g = *g, numbers = std::move(numbers)](work& mine) {
                                      if (settings().checking && !check(g, function, output, bytes, text))
                                        return;
                                      std::copy(numbers.begin(), numbers.end(), output);
                                      mark_defined(output, bytes);
                                      if (mine.watched()) {
                                        mine.writes(output, bytes);
                                        note_used(mine.op().get(), output, bytes, true);
                                      }
                                      if (settings().checking)
                                        log_library_call(std::string(function) + " (not counted)");
                                    });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class T>
curandStatus_t normal(generator* g, const char* function, T* output, std::size_t n, T mean, T deviation,
                      bool exponential) {
  return generate(g, function, output, n, true, [=](generator& of, T* numbers, std::size_t size) {
    fill_normal(of, numbers, size);
    for (std::size_t i = 0; i < size; ++i) {
      numbers[i] = mean + deviation * numbers[i];
      if (exponential) numbers[i] = std::exp(numbers[i]);
    }
  });
}

curandStatus_t create(generator** out, curandRngType_t type, bool of_host) {
  if (out == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const char* other = nullptr;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
      type = CURAND_RNG_PSEUDO_XORWOW;
      break;
    case CURAND_RNG_QUASI_DEFAULT:
      type = CURAND_RNG_QUASI_SOBOL32;
      break;
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
      break;
#define EMULATOR_OTHER(name) \
  case name:                 \
    other = #name;           \
    break;
      EMULATOR_OTHER(CURAND_RNG_PSEUDO_MRG32K3A)
      EMULATOR_OTHER(CURAND_RNG_PSEUDO_MTGP32)
      EMULATOR_OTHER(CURAND_RNG_PSEUDO_MT19937)
      EMULATOR_OTHER(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32)
      EMULATOR_OTHER(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
#undef EMULATOR_OTHER
    default:
      return CURAND_STATUS_TYPE_ERROR;
  }
  if (other != nullptr)
    note_other_numbers(std::string(other) +
                       " has other random numbers here than cuRAND's, of the same distribution. Those of "
                       "CURAND_RNG_PSEUDO_DEFAULT are cuRAND's.");
  *out = new generator{type, of_host};
  const std::lock_guard lock(mutex);
  generators.insert(*out);
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace cuda_emulator

using namespace cuda_emulator;

curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) {
  return create(g, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* g, curandRngType_t type) {
  return create(g, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  if (!is_generator(g)) return CURAND_STATUS_NOT_INITIALIZED;
  const std::lock_guard lock(mutex);
  generators.erase(g);
  delete g;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (!is_generator(g)) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (!is_generator(g)) return CURAND_STATUS_NOT_INITIALIZED;
  if (is_quasi(*g)) return CURAND_STATUS_TYPE_ERROR;
  g->seed = seed;
  g->position = 0;
  g->sequences.clear();
  g->counters.clear();
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (!is_generator(g)) return CURAND_STATUS_NOT_INITIALIZED;
  g->position = offset;
  g->sequences.clear();
  g->counters.clear();
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
  if (!is_generator(g)) return CURAND_STATUS_NOT_INITIALIZED;
  if (is_quasi(*g) != (order == CURAND_ORDERING_QUASI_DEFAULT) || order < CURAND_ORDERING_PSEUDO_BEST ||
      (order > CURAND_ORDERING_PSEUDO_DYNAMIC && order != CURAND_ORDERING_QUASI_DEFAULT))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (order == CURAND_ORDERING_PSEUDO_SEEDED || order == CURAND_ORDERING_PSEUDO_DYNAMIC)
    note_other_numbers(
        "the order of random numbers is CURAND_ORDERING_PSEUDO_DEFAULT here, whatever else is asked for.");
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
  if (!is_generator(g)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!is_quasi(*g)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions > sobol_dimensions)
    return refuse(
        "curandSetQuasiRandomGeneratorDimensions", CURAND_STATUS_OUT_OF_RANGE, "CURAND_STATUS_OUT_OF_RANGE",
        "the emulated device has " + std::to_string(sobol_dimensions) + " dimensions, cuRAND 20000");
  if (dimensions == 0) return CURAND_STATUS_OUT_OF_RANGE;
  g->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
  return is_generator(g) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned* output, size_t n) {
  if (is_generator(g) && is_wide(*g)) return CURAND_STATUS_TYPE_ERROR;
  return generate(g, "curandGenerate", output, n, false, fill_bits);
}
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long* output, size_t n) {
  if (is_generator(g) && !is_wide(*g))
    return refuse("curandGenerateLongLong", CURAND_STATUS_TYPE_ERROR, "CURAND_STATUS_TYPE_ERROR",
                  "only CURAND_RNG_QUASI_SOBOL64 makes integers of 64 bits");
  return generate(g, "curandGenerateLongLong", output, n, false,
                  [](generator& of, unsigned long long* numbers, std::size_t size) {
                    sobol(of, numbers, size, [](std::uint64_t x) { return x; });
                  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float* output, size_t n) {
  return generate(g, "curandGenerateUniform", output, n, false,
                  [](generator& of, float* numbers, std::size_t size) { fill_uniform(of, numbers, size); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* output, size_t n) {
  return generate(g, "curandGenerateUniformDouble", output, n, false,
                  [](generator& of, double* numbers, std::size_t size) { fill_uniform(of, numbers, size); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float* output, size_t n, float mean,
                                    float deviation) {
  return normal(g, "curandGenerateNormal", output, n, mean, deviation, false);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* output, size_t n, double mean,
                                          double deviation) {
  return normal(g, "curandGenerateNormalDouble", output, n, mean, deviation, false);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* output, size_t n, float mean,
                                       float deviation) {
  return normal(g, "curandGenerateLogNormal", output, n, mean, deviation, true);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* output, size_t n, double mean,
                                             double deviation) {
  return normal(g, "curandGenerateLogNormalDouble", output, n, mean, deviation, true);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned* output, size_t n, double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  if (is_generator(g))
    note_other_numbers(
        "curandGeneratePoisson() has other random numbers here than cuRAND's, of the same "
        "distribution.");
  return generate(
      g, "curandGeneratePoisson", output, n, false,
      [=](generator& of, unsigned* numbers, std::size_t size) { fill_poisson(of, numbers, size, lambda); });
}
