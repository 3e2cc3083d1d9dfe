// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The parts of a transform, each alone in a kernel: for the lesson, which counts them, and for the checks,
// which compare each with a serial version.
#pragma once

#include <vector>

#include "13_one_pass/host/one_pass_tables.hpp"

namespace tutorial {

/// All are copied to the device and back. T is float or double.
template <class T>
using complex_numbers = std::vector<complex_pair<T>>;

/// a[i], b[i] <- a[i] + w[i] b[i], a[i] - w[i] b[i].
template <class T>
void run_butterflies(complex_numbers<T>& a, complex_numbers<T>& b, const complex_numbers<T>& w);

/// One pass of R = 4, 16 or 32 numbers: x.size() is R. With whole turns, as in the first pass, all its roots
/// are constants; otherwise they come from w^(4^p), w = exp(2 pi i turns).
template <class T>
void run_pass(complex_numbers<T>& x, bool forward, double turns);

/// How an exchange keeps its numbers in shared memory.
enum class exchange_padding { none, one_in_17, one_in_33 };

/// The exchange of 4,096 numbers between the second and the third pass, by 256 threads: thread t puts numbers
/// 256 (t / 16) + t % 16 + 16 k and takes 16 t + k. Returns what the threads have taken, thread by thread.
std::vector<float2> run_exchange(const std::vector<float2>& numbers, exchange_padding padding);

/// The transform of design.length numbers that the fused kernel makes, forward: X[reversed(p)] at place p. Or
/// the way back, times the length. `design` is one of two barriers, not in_a_warp.
template <class T>
complex_numbers<T> run_transform(const one_pass_design& design, const complex_numbers<T>& x, bool forward);

}  // namespace tutorial
