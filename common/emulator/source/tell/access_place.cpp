// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "access_place.hpp"

#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "code/call_stack.hpp"
#include "code/source_text.hpp"

namespace cuda_emulator {
namespace {

std::string normal(const std::string& file) {
  return std::filesystem::path(file).lexically_normal().string();
}

std::string folder_of(std::string_view file) { return std::string(file.substr(0, file.rfind('/') + 1)); }

/// "load" of "void (anonymous namespace)::load<4>(float*)"; empty of what has no name.
std::string short_name(const std::string& symbol) {
  std::string text = demangled(symbol);
  if (text.empty()) text = symbol;
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = text.find(unnamed); at != text.npos; at = text.find(unnamed))
    text.erase(at, unnamed.size());
  // The last name that stands outside of template arguments, before the parameters.
  std::string name;
  int open = 0;
  for (const char c : text) {
    if (c == '<') ++open;
    if (c == '>') --open;
    if (open > 0 || c == '>') continue;
    if (c == '(') break;
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      name += c;
    else
      name.clear();
  }
  return name == "operator" ? "" : name;
}

/// The functions from the access to the kernel, the innermost first.
std::vector<code_place> functions_at(const std::vector<std::uint64_t>& pcs, const launch_state& launch,
                                     bool& to_kernel) {
  std::vector<code_place> result;
  to_kernel = false;
  for (const std::uint64_t pc : pcs)
    for (const code_place& each : code_at(pc)) {
      if (!each.of_program || each.line == 0) continue;
      result.push_back(each);
      const std::string name = demangled(each.function);
      to_kernel = has_word(name.empty() ? each.function : name, launch.kernel.name);
      if (to_kernel) return result;
    }
  return result;
}

access_place place_in_source(const std::vector<std::uint64_t>& pcs, const launch_state& launch) {
  bool to_kernel = false;
  const std::vector<code_place> functions = functions_at(pcs, launch, to_kernel);
  access_place result;
  if (functions.empty()) return result;
  const std::string folder = folder_of(normal(launch.kernel.file));
  const auto place = [](const code_place& each) { return source_place{each.file, each.line}; };
  const code_place* own = nullptr;
  for (const code_place& each : functions)
    if (own == nullptr && (!is_header(each.file) || normal(each.file).starts_with(folder))) own = &each;
  result.own = place(own != nullptr ? *own : functions.back());
  result.access = place(functions.front());
  if (to_kernel) result.kernel = place(functions.back());
  if (functions.size() > 1 || !to_kernel) result.function = short_name(functions.front().function);
  return result;
}

std::string in_function(const access_place& place) {
  return (place.function.empty() ? "" : "in " + place.function + "() ") + "at " + place.access.text();
}

}  // namespace

access_place place_in_source(const raw_finding& finding, const launch_state& launch) {
  return finding.callers.empty() ? place_in_source(finding.pc, launch)
                                 : place_in_source(finding.callers, launch);
}

access_place place_in_source(std::uint64_t pc, const launch_state& launch) {
  return place_in_source(std::vector<std::uint64_t>{pc}, launch);
}

std::string text_of(const access_place& place) {
  return place.own.text() + (place.own == place.access ? "" : " (" + in_function(place) + ")");
}

std::string calls_text(const access_place& place) {
  if (!(place.own == place.access))
    return "  This line calls a function that makes the access, " + in_function(place) + "\n";
  if (place.kernel.line == 0 || place.kernel == place.access || place.function.empty()) return "";
  return "  The access is in " + place.function + "(), which the kernel calls at " + place.kernel.text() +
         "\n";
}

}  // namespace cuda_emulator
