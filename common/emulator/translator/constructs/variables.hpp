// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Variables in shared, constant and device memory.
#pragma once

#include <vector>

#include "lambdas.hpp"
#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// In place of the word __device__: the linker shall keep what is declared in this file.
inline constexpr const char* internal_mark = "__attribute__((visibility(\"internal\")))";

/// What a declaration stands in.
enum class scope { of_namespace, of_class, of_function };

/// Translates the variables that are declared in [begin, end), where `end` is the semicolon.
///
/// __shared__ in a function: a reference to memory of the block, which the emulated device hands out when the
/// declaration is reached; the name is added to `shared`. extern __shared__ anywhere else: an object that
/// stands for the block's dynamic shared memory. __constant__, __device__, __managed__: the variable itself,
/// and behind it an object that makes address, size and name known; constant memory and const arrays lose
/// their const, since reads of what is const cannot be counted. Only CUDA words are removed from extern
/// declarations, class members, constexpr variables in __device__ and variable templates.
/// What is registered and neither static nor inline is marked as internal if `is_internal`.
void translate_variables(editor& text, place begin, place end, scope where, bool is_internal,
                         std::vector<shared_name>& shared);

/// Translates static variables of a function of the device, or of both sides, whose declaration has no CUDA
/// word: they live in device memory. What is constexpr, and a single const value, stays as it is.
void translate_static_variables(editor& text, place begin, place end, bool of_both_sides,
                                std::vector<shared_name>& shared);

}  // namespace cuda_emulator::translator
