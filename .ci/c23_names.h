// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Functions that C libraries have since C23, as glibc declares them (many since 2.41 and 2.42): where the C
// library is older, they are seen to be in the way of a name of ours all the same.
#pragma once

// clang-format off
#define FUNCTIONS_OF_C23(T, f)                                                                              \
  T acospi##f(T) noexcept; T asinpi##f(T) noexcept; T atan2pi##f(T, T) noexcept; T atanpi##f(T) noexcept;   \
  T compoundn##f(T, long long) noexcept; T cospi##f(T) noexcept; T exp10##f(T) noexcept;                    \
  T exp10m1##f(T) noexcept; T exp2m1##f(T) noexcept; T fmaximum##f(T, T) noexcept;                          \
  T fmaximum_mag##f(T, T) noexcept; T fmaximum_mag_num##f(T, T) noexcept;                                   \
  T fmaximum_num##f(T, T) noexcept; T fminimum##f(T, T) noexcept; T fminimum_mag##f(T, T) noexcept;         \
  T fminimum_mag_num##f(T, T) noexcept; T fminimum_num##f(T, T) noexcept; T log10p1##f(T) noexcept;         \
  T log2p1##f(T) noexcept; T logp1##f(T) noexcept; T pown##f(T, long long) noexcept;                        \
  T powr##f(T, T) noexcept; T rootn##f(T, long long) noexcept; T roundeven##f(T) noexcept;                  \
  T rsqrt##f(T) noexcept; T sinpi##f(T) noexcept; T tanpi##f(T) noexcept;
// clang-format on

extern "C" {
FUNCTIONS_OF_C23(float, f)
FUNCTIONS_OF_C23(double, )
FUNCTIONS_OF_C23(long double, l)
unsigned uabs(int) noexcept;
unsigned long ulabs(long) noexcept;
unsigned long long ullabs(long long) noexcept;
void free_sized(void*, decltype(sizeof 0)) noexcept;
void free_aligned_sized(void*, decltype(sizeof 0), decltype(sizeof 0)) noexcept;
void* memset_explicit(void*, int, decltype(sizeof 0)) noexcept;
}
#undef FUNCTIONS_OF_C23
