// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Lines from addresses, by libbacktrace, which every GCC brings along. Where it is missing, messages have no
// lines.
#include "symbolize.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <unordered_map>

#ifdef EMULATOR_HAS_BACKTRACE
// The three declarations that are needed from <backtrace.h>: clang has the library on its path, but not the
// header.
extern "C" {
struct backtrace_state;
using backtrace_error_callback = void (*)(void* data, const char* message, int number);
using backtrace_full_callback = int (*)(void* data, std::uintptr_t pc, const char* file, int line,
                                        const char* function);
backtrace_state* backtrace_create_state(const char* program, int threaded, backtrace_error_callback,
                                        void* data);
using backtrace_syminfo_callback = void (*)(void* data, std::uintptr_t pc, const char* symbol,
                                            std::uintptr_t value, std::uintptr_t size);
int backtrace_syminfo(backtrace_state*, std::uintptr_t address, backtrace_syminfo_callback,
                      backtrace_error_callback, void* data);
int backtrace_pcinfo(backtrace_state*, std::uintptr_t pc, backtrace_full_callback, backtrace_error_callback,
                     void* data);
}
#endif

namespace cuda_emulator {
namespace {

bool of_program(std::string_view file) {
  const std::size_t library = file.find("/emulator/libraries/");
  const bool ours = file.find("/emulator/include/") != file.npos ||
                    (library != file.npos && file.find("/include/", library) != file.npos);
  return !ours && !file.starts_with("/usr/include/") && !file.starts_with("/usr/lib/") &&
         file.find("/include/c++/") == file.npos;
}

#ifdef EMULATOR_HAS_BACKTRACE
void ignore(void*, const char*, int) {}

backtrace_state* state() {
  static backtrace_state* const the_one = backtrace_create_state(nullptr, 1, ignore, nullptr);
  return the_one;
}
#endif

}  // namespace

linker_symbol linker_symbol_at([[maybe_unused]] const void* address) {
  linker_symbol result;
#ifdef EMULATOR_HAS_BACKTRACE
  if (state() != nullptr)
    backtrace_syminfo(
        state(), reinterpret_cast<std::uintptr_t>(address),
        [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t begin, std::uintptr_t size) {
          if (symbol != nullptr)
            *static_cast<linker_symbol*>(data) = {symbol, reinterpret_cast<const char*>(begin), size};
        },
        ignore, &result);
#endif
  return result;
}

std::string symbol_at(const void* address) { return linker_symbol_at(address).name; }

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 ? text : "";
  std::free(text);
  // g++ 14's own library cannot read its symbols of constrained templates: then without their arguments.
  const std::size_t constrained = status == 0 ? std::string::npos : symbol.find("ITk");
  if (constrained == std::string::npos) return result;
  return demangled(symbol.substr(0, constrained) + (symbol.starts_with("_ZN") ? "E" : ""));
}

std::string source_place::text() const {
  if (line == 0) return "an unknown line (compile with -g)";
  return shown(file) + ":" + std::to_string(line);
}

std::string shown(const std::string& file) {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string() + "/";
  const std::string path = std::filesystem::path(file).lexically_normal().string();
  return !error && path.starts_with(here) ? path.substr(here.size()) : path;
}

std::vector<source_place> places_of(std::uint64_t return_address) {
  static auto& mutex = *new std::mutex;  // never destroyed: used until the very end
  static auto& known = *new std::unordered_map<std::uint64_t, std::vector<source_place>>;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(return_address); found != known.end()) return found->second;
  std::vector<source_place> result;
#ifdef EMULATOR_HAS_BACKTRACE
  if (state() != nullptr && return_address != 0) {
    // The innermost function first; a return address belongs to the call before it.
    backtrace_pcinfo(
        state(), return_address - 1,
        [](void* data, std::uintptr_t, const char* file, int line, const char*) {
          if (file != nullptr && of_program(file))
            static_cast<std::vector<source_place>*>(data)->push_back({file, line});
          return 0;
        },
        ignore, &result);
  }
#endif
  return known[return_address] = result;
}

std::vector<std::string> runtime_functions_at([[maybe_unused]] std::uint64_t return_address) {
  std::vector<std::string> result;
#ifdef EMULATOR_HAS_BACKTRACE
  if (state() != nullptr && return_address != 0) {
    backtrace_pcinfo(
        state(), return_address - 1,
        [](void* data, std::uintptr_t, const char* file, int, const char* function) {
          if (file != nullptr && function != nullptr && !of_program(file))
            static_cast<std::vector<std::string>*>(data)->push_back(function);
          return 0;
        },
        ignore, &result);
  }
#endif
  return result;
}

std::vector<code_place> code_at([[maybe_unused]] std::uint64_t return_address) {
  std::vector<code_place> result;
#ifdef EMULATOR_HAS_BACKTRACE
  if (state() != nullptr && return_address != 0) {
    backtrace_pcinfo(
        state(), return_address - 1,
        [](void* data, std::uintptr_t, const char* file, int line, const char* function) {
          if (file != nullptr)
            static_cast<std::vector<code_place>*>(data)->push_back(
                {file, line, function != nullptr ? function : "", of_program(file)});
          return 0;
        },
        ignore, &result);
  }
#endif
  return result;
}

bool on_later_line(std::uint64_t a, std::uint64_t b) {
  const std::vector<source_place> of_a = places_of(a), of_b = places_of(b);
  return !of_a.empty() && !of_b.empty() && of_a.back().file == of_b.back().file &&
         of_a.back().line > of_b.back().line;
}

source_place place_of(std::uint64_t return_address) {
  const std::vector<source_place> places = places_of(return_address);
  return places.empty() ? source_place{} : places.front();
}

}  // namespace cuda_emulator
