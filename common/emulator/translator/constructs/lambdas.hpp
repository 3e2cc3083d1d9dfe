// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Lambdas in kernel files.
#pragma once

#include <string_view>
#include <vector>

#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// A shared variable of a function and the places where its name is known.
struct shared_name {
  std::string_view name;
  place begin, end;
};

/// Is the [ at i the beginning of a lambda, and not an attribute, an array bound or an index?
bool begins_lambda(const editor& text, place i);
/// The brace of its body; nowhere if this was no lambda after all.
place lambda_body(const editor& text, place lambda);

struct device_lambda {
  place body;  ///< The opening brace.
  bool of_both_sides;
};

/// [=] __device__ (int i) { ... } loses its CUDA words. Returns those that had __device__ among them.
std::vector<device_lambda> erase_words_of_lambdas(editor& text);

/// In CUDA a shared variable is static, so that a lambda uses it without a capture. In the translation it is
/// a reference, which [=] would copy with the whole array behind it: lambdas capture it by reference instead.
void capture_shared(editor& text, const std::vector<shared_name>& variables);

}  // namespace cuda_emulator::translator
