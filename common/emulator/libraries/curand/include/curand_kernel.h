// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Random numbers in kernels: XORWOW (curandState) and Philox4_32_10, with the same bits as cuRAND's. What is
// made of the bits by logarithms and sines may differ in the last digits.
#pragma once

#include <curand.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "emulator/export.hpp"
#include "vector_types.h"

/// Marsaglia's generator: five words that are shifted and combined, and a counter.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;

/// Of Salmon and others: a counter of 128 bits, encrypted.
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;  // which of the four words of `output` comes next
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace cuda_emulator {
enum class absent_generator { mrg32k3a, mtgp32, sobol32, scrambled_sobol32, sobol64, scrambled_sobol64 };
template <absent_generator Which>
struct absent_state {
  static_assert(
      Which != Which,
      "this generator of cuRAND is not emulated: use curandState (XORWOW) or curandStatePhilox4_32_10_t");
};
}  // namespace cuda_emulator
#define EMULATOR_REFUSE(type, which) \
  typedef cuda_emulator::absent_state<cuda_emulator::absent_generator::which> type, type##_t;
EMULATOR_REFUSE(curandStateMRG32k3a, mrg32k3a)
EMULATOR_REFUSE(curandStateMtgp32, mtgp32)
EMULATOR_REFUSE(curandStateSobol32, sobol32)
EMULATOR_REFUSE(curandStateScrambledSobol32, scrambled_sobol32)
EMULATOR_REFUSE(curandStateSobol64, sobol64)
EMULATOR_REFUSE(curandStateScrambledSobol64, scrambled_sobol64)
#undef EMULATOR_REFUSE

namespace cuda_emulator {

/// `words` as they are after so many steps of the generator, and so many times 2^67.
struct xorwow_words {
  unsigned v[5];
};
EMULATOR_API xorwow_words xorwow_after(xorwow_words words, unsigned long long steps,
                                       unsigned long long sequences);
EMULATOR_API uint4 philox_4x32_10(uint4 counter, uint2 key);

template <class State>  // not a concept: ordinary files may have an older standard
using if_random_state =
    std::enable_if_t<__is_same(State, curandStateXORWOW) || __is_same(State, curandStatePhilox4_32_10)>;

EMULATOR_DEVICE float uniform_of(unsigned x) { return static_cast<float>(x) * 0x1p-32f + 0x1p-33f; }
EMULATOR_DEVICE double uniform_of(unsigned x, unsigned y) {
  return static_cast<double>(x ^ static_cast<unsigned long long>(y) << 21) * 0x1p-53 + 0x1p-54;
}
/// Two normal numbers of two uniform ones, by Box and Muller.
EMULATOR_DEVICE float2 normal_of(unsigned x, unsigned y) {
  constexpr float turn = 6.2831855f * 0x1p-32f;
  const float angle = static_cast<float>(y) * turn + turn / 2,
              length = std::sqrt(-2.0f * std::log(uniform_of(x)));
  return {length * std::sin(angle), length * std::cos(angle)};
}
EMULATOR_DEVICE double2 normal_of(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double angle = 2 * 3.14159265358979323846 * uniform_of(y0, y1),
               length = std::sqrt(-2.0 * std::log(uniform_of(x0, x1)));
  return {length * std::sin(angle), length * std::cos(angle)};
}
EMULATOR_DEVICE void no_normal_left(auto* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
EMULATOR_DEVICE void count_up(uint4& counter, unsigned long long low, unsigned long long high) {
  const unsigned long long before = counter.x | static_cast<unsigned long long>(counter.y) << 32,
                           now = before + low;
  const unsigned long long upper =
      (counter.z | static_cast<unsigned long long>(counter.w) << 32) + high + (now < before ? 1 : 0);
  counter = {static_cast<unsigned>(now), static_cast<unsigned>(now >> 32), static_cast<unsigned>(upper),
             static_cast<unsigned>(upper >> 32)};
}
constexpr int kept_normal = 1, kept_log_normal = 2;

}  // namespace cuda_emulator

// XORWOW
EMULATOR_DEVICE void skipahead(unsigned long long steps, curandStateXORWOW* state) {
  cuda_emulator::xorwow_words words{{state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]}};
  words = cuda_emulator::xorwow_after(words, steps, 0);
  for (int i = 0; i < 5; ++i) state->v[i] = words.v[i];
  state->d += 362437u * static_cast<unsigned>(steps);
}
EMULATOR_DEVICE void skipahead_sequence(unsigned long long sequences, curandStateXORWOW* state) {
  cuda_emulator::xorwow_words words{{state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]}};
  words = cuda_emulator::xorwow_after(words, 0, sequences);
  for (int i = 0; i < 5; ++i) state->v[i] = words.v[i];
}
/// Subsequences begin 2^67 numbers apart; `offset` numbers are left out.
EMULATOR_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateXORWOW* state) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u),
                 high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  cuda_emulator::xorwow_words words{
      {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}};
  words = cuda_emulator::xorwow_after(words, offset, subsequence);
  for (int i = 0; i < 5; ++i) state->v[i] = words.v[i];
  state->d = 6615241u + high + low + 362437u * static_cast<unsigned>(offset);
  cuda_emulator::no_normal_left(state);
}
EMULATOR_DEVICE unsigned int curand(curandStateXORWOW* state) {
  const unsigned t = state->v[0] ^ state->v[0] >> 2, last = state->v[4];
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = last;
  const unsigned next = last ^ last << 4 ^ t ^ t << 1;
  state->v[4] = next;
  return next + (state->d += 362437u);
}

// Philox
EMULATOR_DEVICE void skipahead(unsigned long long steps, curandStatePhilox4_32_10* state) {
  const unsigned within = state->STATE + static_cast<unsigned>(steps & 3);
  state->STATE = within & 3;
  cuda_emulator::count_up(state->ctr, steps / 4 + within / 4, 0);
  state->output = cuda_emulator::philox_4x32_10(state->ctr, state->key);
}
EMULATOR_DEVICE void skipahead_sequence(unsigned long long sequences, curandStatePhilox4_32_10* state) {
  cuda_emulator::count_up(state->ctr, 0, sequences);
  state->output = cuda_emulator::philox_4x32_10(state->ctr, state->key);
}
EMULATOR_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStatePhilox4_32_10* state) {
  state->ctr = {0, 0, static_cast<unsigned>(subsequence), static_cast<unsigned>(subsequence >> 32)};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  state->STATE = 0;
  cuda_emulator::no_normal_left(state);
  skipahead(offset, state);
}
EMULATOR_DEVICE unsigned int curand(curandStatePhilox4_32_10* state) {
  const uint4 four = state->output;
  const unsigned which = state->STATE++;
  const unsigned result = which == 0 ? four.x : which == 1 ? four.y : which == 2 ? four.z : four.w;
  if (state->STATE == 4) {
    cuda_emulator::count_up(state->ctr, 1, 0);
    state->output = cuda_emulator::philox_4x32_10(state->ctr, state->key);
    state->STATE = 0;
  }
  return result;
}
EMULATOR_DEVICE uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 now = state->output;
  cuda_emulator::count_up(state->ctr, 1, 0);
  const uint4 next = cuda_emulator::philox_4x32_10(state->ctr, state->key);
  state->output = next;
  switch (state->STATE) {
    case 0:
      return now;
    case 1:
      return {now.y, now.z, now.w, next.x};
    case 2:
      return {now.z, now.w, next.x, next.y};
    default:
      return {now.w, next.x, next.y, next.z};
  }
}

// Numbers in (0, 1]
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE float curand_uniform(State* state) {
  return cuda_emulator::uniform_of(curand(state));
}
EMULATOR_DEVICE double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned x = curand(state), y = curand(state);
  return cuda_emulator::uniform_of(x, y);
}
EMULATOR_DEVICE double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return static_cast<double>(curand(state)) * 0x1p-32 + 0x1p-32;
}
EMULATOR_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {cuda_emulator::uniform_of(x.x), cuda_emulator::uniform_of(x.y), cuda_emulator::uniform_of(x.z),
          cuda_emulator::uniform_of(x.w)};
}
EMULATOR_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {cuda_emulator::uniform_of(x.x, x.y), cuda_emulator::uniform_of(x.z, x.w)};
}

// Normal numbers come in pairs; the second one is kept for the next call.
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE float2 curand_normal2(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return cuda_emulator::normal_of(x, y);
}
EMULATOR_DEVICE double2 curand_normal2_double(curandStateXORWOW* state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return cuda_emulator::normal_of(x0, x1, y0, y1);
}
EMULATOR_DEVICE double2 curand_normal2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return cuda_emulator::normal_of(x.x, x.y, x.z, x.w);
}
EMULATOR_DEVICE float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 a = cuda_emulator::normal_of(x.x, x.y), b = cuda_emulator::normal_of(x.z, x.w);
  return {a.x, a.y, b.x, b.y};
}
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE float curand_normal(State* state) {
  if (state->boxmuller_flag == cuda_emulator::kept_normal) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = cuda_emulator::kept_normal;
  return pair.x;
}
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double == cuda_emulator::kept_normal) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = cuda_emulator::kept_normal;
  return pair.x;
}

// exp(mean + deviation * normal)
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return {std::exp(mean + deviation * pair.x), std::exp(mean + deviation * pair.y)};
}
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return {std::exp(mean + deviation * pair.x), std::exp(mean + deviation * pair.y)};
}
EMULATOR_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float4 four = curand_normal4(state);
  return {std::exp(mean + deviation * four.x), std::exp(mean + deviation * four.y),
          std::exp(mean + deviation * four.z), std::exp(mean + deviation * four.w)};
}
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE float curand_log_normal(State* state, float mean, float deviation) {
  if (state->boxmuller_flag == cuda_emulator::kept_log_normal) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_log_normal2(state, mean, deviation);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = cuda_emulator::kept_log_normal;
  return pair.x;
}
template <class State, class = cuda_emulator::if_random_state<State>>
EMULATOR_DEVICE double curand_log_normal_double(State* state, double mean, double deviation) {
  if (state->boxmuller_flag_double == cuda_emulator::kept_log_normal) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_log_normal2_double(state, mean, deviation);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = cuda_emulator::kept_log_normal;
  return pair.x;
}

#define EMULATOR_REFUSE(name)                                                                               \
  template <class... Arguments>                                                                             \
  EMULATOR_DEVICE unsigned name(Arguments...) {                                                             \
    static_assert(sizeof...(Arguments) == ~0u, #name                                                        \
                  "() is not emulated: of distributions there are the uniform, normal and log-normal one"); \
    return 0;                                                                                               \
  }
EMULATOR_REFUSE(curand_poisson)
EMULATOR_REFUSE(curand_poisson4)
EMULATOR_REFUSE(curand_discrete)
EMULATOR_REFUSE(curand_discrete4)
#undef EMULATOR_REFUSE
