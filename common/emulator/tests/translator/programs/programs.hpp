// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Small CUDA programs in the idioms that people use. Each function runs kernels and returns what they
// computed.
#pragma once

#include <string>
#include <vector>

namespace programs {

std::vector<int> add_vectors(int size);            ///< 3 i, by several launches of the same work
std::vector<int> launch_through_macros(int size);  ///< 2 i + 1
std::vector<int> launch_overloads();               ///< 1, 2, 3, 4: which kernel was called

double sum_by_template(int size, int threads);  ///< Sum of 0 .. size - 1, block size as template argument.
float sum_in_floats(int size, int threads);
std::vector<float> transposed(int which, int width, int height);  ///< Of 0, 1, 2, ...

std::vector<float> constant_tables();     ///< Rows of a 2-D table, then what was copied to a symbol.
std::vector<int> device_variables();      ///< Counter, its copy, an array, a managed variable.
std::vector<int> lambdas(int size);       ///< i i, by a device lambda; then functor and host-device lambda.
std::vector<int> shared_in_lambdas();     ///< What lambdas in kernels read from and write to a shared array.
std::vector<int> members();               ///< Kernels launched by a class, by a template, by a lambda.
std::vector<int> misaligned();            ///< One value per shared variable: address modulo alignment, all 0.
std::vector<int> shared_at_file_scope();  ///< 122, 121: a sum of 111 and the other thread's element.
std::vector<int> shared_types();          ///< 1 .. 6 through shared variables of unusual types.
std::string last_launch_error();          ///< After a launch with too many threads for its launch bounds.

std::vector<int> filtered_rows(int width,
                               int height);        ///< Of i % 7 in rows of 64, taps 1 .. 5, zero outside.
std::vector<int> matrix_product(int n);            ///< (i % 5) times (i % 3), n x n.
std::vector<int> arrays_in_dynamic_memory(int n);  ///< 4 (n - 1 - i)
std::vector<int> histogram_of_ramp(int size);      ///< 16 bins of i % 16.
std::vector<int> arguments_by_value();             ///< 7, 1, 1, 5

}  // namespace programs
