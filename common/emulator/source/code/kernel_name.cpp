// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "kernel_name.hpp"

#include <cctype>
#include <string_view>

#include "symbolize.hpp"

namespace cuda_emulator {

// The arguments of a template are in no record, but in the linker's name of the record.
std::string full_name(const kernel_record& kernel) {
  std::string text = demangled(symbol_at(&kernel));
  constexpr std::string_view record = "::emulator_record";
  if (!text.ends_with(record)) return kernel.name;
  text.resize(text.size() - record.size());
  // Without the parameters, and what stands before the name of a template: its result.
  int open = 0;
  std::size_t begin = text.size();
  while (begin > 0) {
    --begin;
    if (text[begin] == ')') ++open;
    if (text[begin] == '(' && --open == 0) break;
  }
  text.resize(begin);
  constexpr std::string_view result = "void ", unnamed = "(anonymous namespace)::";
  if (text.starts_with(result)) text.erase(0, result.size());
  for (std::size_t at = text.find(unnamed); at != text.npos; at = text.find(unnamed, at))
    text.erase(at, unnamed.size());
  // "tutorial::scale_kernel<tutorial::pair>" is scale_kernel<pair>.
  for (std::size_t at = text.find("::"); at != text.npos; at = text.find("::", at)) {
    std::size_t word = at;
    while (word > 0 &&
           (std::isalnum(static_cast<unsigned char>(text[word - 1])) != 0 || text[word - 1] == '_'))
      --word;
    if (word == at)
      ++at;  // of a class that is an instance itself
    else
      text.erase(word, at + 2 - word), at = word;
  }
  return text.starts_with(kernel.name) ? text : kernel.name;
}

}  // namespace cuda_emulator
