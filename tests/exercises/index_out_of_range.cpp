// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "index_out_of_range.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "exercise_result.hpp"

namespace tutorial::index_out_of_range {
namespace {

/// "std::span" of "... std::span<_Type, _Extent>::operator[](size_type) [with _Type = const float; ...]"
std::string container_of(std::string_view function) {
  std::size_t end = function.find("::operator[]");
  if (end == function.npos) return "container";
  if (function[end - 1] == '>') {
    int open = 0;
    do {
      --end;
      open += (function[end] == '>') - (function[end] == '<');
    } while (open > 0 && end > 0);
  }
  const std::string_view before = function.substr(0, end);
  return std::string(before.substr(before.find_last_of(" &*") + 1));
}

/// "const float" of the same; empty of a type with template arguments, and where the compiler names none.
std::string element_of(std::string_view function) {
  for (const std::string_view name : {"_Type = ", "_Tp = "}) {
    const std::size_t begin = function.find(name);
    if (begin == function.npos) continue;
    const std::string_view rest = function.substr(begin + name.size()),
                           type = rest.substr(0, rest.find_first_of("<;,]"));
    return rest.substr(type.size()).starts_with('<') ? "" : std::string(type);
  }
  return "";
}

}  // namespace

void end(const char* function, numbers which) {
  const std::string container = container_of(function), element = element_of(function);
  record({"index", std::to_string(which.index), container, element, std::to_string(which.size)});
  std::fprintf(stderr, "An index is out of range: [%td] of a %s%s of size %zu.\n", which.index,
               container.c_str(), element.empty() ? "" : ("<" + element + ">").c_str(), which.size);
  std::abort();
}

void end(const char* file, int line, const char* function, const char* condition) {
  record({"refused", function, condition});
  std::fprintf(stderr, "%s:%d: %s: Assertion '%s' failed.\n", file, line, function, condition);
  std::abort();
}

}  // namespace tutorial::index_out_of_range
