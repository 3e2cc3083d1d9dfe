// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "lambdas.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace cuda_emulator::translator {
namespace {

// Variables of one name, the innermost last.
using known_names = std::unordered_map<std::string_view, std::vector<shared_name>>;

// The one that the token at i means; null if it means none.
const shared_name* meant(const editor& text, place i, place lambda, known_names& known) {
  const bool member = text.is(i - 1, ".") || text.is(i - 1, "->") || text.is(i - 1, "::");
  const auto found = member ? known.end() : known.find(text[i].spelling);
  if (found == known.end()) return nullptr;
  std::vector<shared_name>& all = found->second;
  while (!all.empty() && all.back().end <= lambda) all.pop_back();
  return all.empty() ? nullptr : &all.back();
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
  known_names known;  // at i
  auto next = variables.begin();
  for (place i = variables.empty() ? text.size() : next->begin; i < text.size(); ++i) {
    for (; next != variables.end() && next->begin <= i; ++next) known[next->name].push_back(*next);
    if (!begins_lambda(text, i)) continue;
    const place close = text.partner(i), body = lambda_body(text, i);
    const bool by_reference = text.is(i + 1, "&") && (i + 2 == close || text.is(i + 2, ","));
    if (body == nowhere || by_reference) continue;
    std::map<place, std::string_view> captured;  // in the order of the variables
    for (place j = body; j < text.partner(body); ++j) {
      if (const shared_name* variable = meant(text, j, i, known)) {
        captured.emplace(static_cast<place>(variable->name.data() - text[0].spelling.data()), variable->name);
      }
    }
    // A name among the captures or parameters is the lambda's own.
    for (place j = i + 1; j < body && !captured.empty(); ++j) {
      if (const shared_name* variable = meant(text, j, i, known)) {
        captured.erase(static_cast<place>(variable->name.data() - text[0].spelling.data()));
      }
    }
    std::string captures;
    for (const auto& [position, name] : captured) {
      const bool first = captures.empty() && close == i + 1;
      captures.append(first ? "&" : ", &").append(name);
    }
    if (!captures.empty()) text.insert_after(close - 1, captures);
  }
}

}  // namespace cuda_emulator::translator
