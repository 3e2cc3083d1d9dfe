// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// <math.h> for kernel files, with one difference: C++20's lerp() does not stand in the way of a program's
// own.
//
// libstdc++ has `float lerp(float, float, float)` outside of namespaces, too, where for g++ no other can be
// declared then, such as that of the header helper_math.h of CUDA's samples. nvcc allows that, and compiles
// as C++17 unless it is told otherwise. Here kernels are always C++20. So there is no lerp() of the standard
// library where nvcc would have none, and elsewhere it is a template, which gives way to a function.
#pragma once

#if defined __CUDACC__ && !defined _GLIBCXX_CMATH
#define lerp emulator_lerp
#include <math.h>
#undef lerp

#ifndef EMULATOR_BEFORE_CXX20
#include <type_traits>

namespace std {
template <class A, class B, class C>
requires(is_arithmetic_v<A>&& is_arithmetic_v<B>&& is_arithmetic_v<C>)  //
    constexpr auto lerp(A a, B b, C t) noexcept {
  return emulator_lerp(a, b, t);
}
}  // namespace std
using std::lerp;
#endif
#endif

#include <math.h>
