// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cuda_emulator {

struct source_place {
  std::string file;
  int line = 0;
  bool operator==(const source_place&) const = default;
  /// "file.cu:12", or what is known instead.
  std::string text() const;
};

/// The name of a file as messages show it: below the current directory, relative to that.
std::string shown(const std::string& file);

/// The line of the program's own source behind a return address; what the emulator's headers inline there is
/// skipped. Slow on first use: reads the program's debug information.
source_place place_of(std::uint64_t return_address);
/// The same with all functions that are inlined there, the innermost first.
std::vector<source_place> places_of(std::uint64_t return_address);
/// The linker's names of the functions of the emulator's headers that are inlined there, or stand there.
std::vector<std::string> runtime_functions_at(std::uint64_t return_address);
/// The name that the linker knows of what is at `address`; empty where it knows none.
std::string symbol_at(const void* address);
struct linker_symbol {
  std::string name;
  const char* begin = nullptr;
  std::size_t size = 0;
};
/// The same with the place; without a name where it knows none.
linker_symbol linker_symbol_at(const void* address);
/// As a C++ programmer writes it; empty where that cannot be said.
std::string demangled(const std::string& symbol);
/// A function that has a return address, or is inlined there.
struct code_place {
  std::string file;
  int line = 0;
  std::string function;     ///< As the linker would name it; empty where that is not known.
  bool of_program = false;  ///< Neither of the emulator's headers nor of the system's.
};
/// All of them, the innermost first; none where the program has no debug information of that.
std::vector<code_place> code_at(std::uint64_t return_address);
/// Does `a` stand on a later line than `b`? Both are taken where the kernel, or a function that is not
/// inlined, has or calls them. No, where they are not in one file.
bool on_later_line(std::uint64_t a, std::uint64_t b);

}  // namespace cuda_emulator
