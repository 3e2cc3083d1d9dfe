// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "lambdas.hpp"

#include <algorithm>
#include <string>

namespace cuda_emulator::translator {
namespace {

bool mentions(const editor& text, place begin, place end, std::string_view name) {
  for (place i = begin; i < end; ++i) {
    const bool member = text.is(i - 1, ".") || text.is(i - 1, "->") || text.is(i - 1, "::");
    if (text.is(i, name) && !member) return true;
  }
  return false;
}

}  // namespace

bool begins_lambda(const editor& text, place i) {
  if (!text.is(i, "[") || text.is(i + 1, "[") || i == 0) return false;
  if (text.is(i - 1, ")") || text.is(i - 1, "]") || text.is(i - 1, ">") || text.is(i - 1, "[")) return false;
  if (text[i - 1].kind == token_kind::name) {
    return text.is(i - 1, "return") || text.is(i - 1, "co_return") || text.is(i - 1, "co_yield");
  }
  return text[i - 1].kind == token_kind::punctuation;
}

place lambda_body(const editor& text, place lambda) {
  for (place i = text.after_group(lambda); i < text.size(); i = text.after_item(i)) {
    if (text.is(i, "{")) return i;
    if (text.is(i, ";") || text.is(i, ",") || text.is(i, "=") || text.is(i, ")") || text.is(i, "}")) break;
  }
  return nowhere;
}

std::vector<device_lambda> erase_words_of_lambdas(editor& text) {
  std::vector<device_lambda> lambdas;
  for (place i = 1; i < text.size(); ++i) {
    if (!text.is(i, "]") || text.word(i + 1) == cuda_word::none) continue;
    if (text.is(text.partner(i) + 1, "[")) continue;  // [[attribute]] __device__
    bool device = false, host = false;
    for (place word = i + 1; text.word(word) != cuda_word::none; ++word) {
      device |= text.word(word) == cuda_word::device;
      host |= text.word(word) == cuda_word::host;
      if (text.word(word) != cuda_word::device && text.word(word) != cuda_word::host) {
        text.fail(word, "a lambda can be __device__ or __host__ only");
      }
      text.replace(word, "");
    }
    const place body = lambda_body(text, text.partner(i));
    if (device && body != nowhere) lambdas.push_back({body, host});
  }
  return lambdas;
}

void capture_shared(editor& text, const std::vector<shared_name>& of_all) {
  std::vector<shared_name> variables = of_all;
  std::stable_sort(variables.begin(), variables.end(),
                   [](const shared_name& a, const shared_name& b) { return a.begin < b.begin; });
  std::vector<shared_name> known;  // at i
  auto next = variables.begin();
  for (place i = variables.empty() ? text.size() : next->begin; i < text.size(); ++i) {
    for (; next != variables.end() && next->begin <= i; ++next) known.push_back(*next);
    if (!begins_lambda(text, i)) continue;
    std::erase_if(known, [i](const shared_name& variable) { return variable.end <= i; });

    const place close = text.partner(i), body = lambda_body(text, i);
    const bool by_reference = text.is(i + 1, "&") && (i + 2 == close || text.is(i + 2, ","));
    if (body == nowhere || by_reference) continue;
    std::string captures;
    for (auto v = known.begin(); v != known.end(); ++v) {
      const shared_name& variable = *v;
      const auto same_name = [&](const shared_name& other) { return other.name == variable.name; };
      if (std::any_of(v + 1, known.end(), same_name)) continue;  // hidden by one in an inner block
      // A name among the captures or parameters is the lambda's own.
      if (mentions(text, i + 1, body, variable.name)) continue;
      if (!mentions(text, body, text.partner(body), variable.name)) continue;
      const bool first = captures.empty() && close == i + 1;
      captures.append(first ? "&" : ", &").append(variable.name);
    }
    if (!captures.empty()) text.insert_after(close - 1, captures);
  }
}

}  // namespace cuda_emulator::translator
