// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// emulator_translate [--whole] [--steps] [-w] [-Werror] IN.ii -o OUT.ii: CUDA C++ to C++, between the
/// preprocessor and the compiler.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "translate.hpp"

int main(int count, char** arguments) {
  std::string input, output;
  bool usable = true, silent = false, strict = false, with_steps = false;
  auto mode = cuda_emulator::translator::compilation::separate;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "-o" && i + 1 < count && output.empty()) {
      output = arguments[++i];
    } else if (argument == "--whole") {
      mode = cuda_emulator::translator::compilation::whole;
    } else if (argument == "--steps") {
      with_steps = true;
    } else if (argument == "-w") {
      silent = true;
    } else if (argument == "-Werror") {
      strict = true;
    } else if (input.empty() && (argument == "-" || !argument.starts_with("-"))) {
      input = argument;
    } else {
      usable = false;
    }
  }
  if (!usable || input.empty() || output.empty()) {
    std::cerr << "usage: emulator_translate [--whole] [--steps] [-w] [-Werror] IN.ii -o OUT.ii\n"
                 "Translates preprocessed CUDA C++ for the emulated device. A file named - is standard input "
                 "or output. With --whole, device functions and variables are this file's own; with --steps "
                 "the code tells which lines and values it comes to; with -w there are no warnings, with "
                 "-Werror there is no output where there are any.\n";
    return 2;
  }

  try {
    std::ifstream file;
    if (input != "-") {
      file.open(input, std::ios::binary);
      if (!file) throw std::runtime_error(input + ": cannot be read");
    }
    std::istream& stream = input == "-" ? std::cin : file;
    const std::string source{std::istreambuf_iterator<char>(stream), {}};
    std::string warnings;
    const std::string result = cuda_emulator::translator::translate(
        source, input == "-" ? "standard input" : input, mode, &warnings, true, with_steps);
    if (!warnings.empty() && !silent) {
      if (strict) throw std::runtime_error(warnings + "\nerror: warnings are errors here (-Werror)");
      std::cerr << warnings << '\n';
    }

    if (output == "-") {
      if (!(std::cout << result << std::flush))
        throw std::runtime_error("standard output: cannot be written");
    } else if (!(std::ofstream(output, std::ios::binary) << result << std::flush)) {
      throw std::runtime_error(output + ": cannot be written");
    }
  } catch (const std::exception& error) {
    // Nothing half-written is left, nor the result of an earlier run; but a device such as /dev/null stays.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(output, ignored)) std::filesystem::remove(output, ignored);
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
