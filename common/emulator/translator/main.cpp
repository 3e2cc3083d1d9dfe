// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// emulator_translate [--whole] [--steps] [--mark-host] [--relaxed-constexpr] [-w] [-Werror]
// [--device DEVICE.ii] IN.ii -o OUT.ii: CUDA C++ to C++, between the preprocessor and the compiler.
// emulator_translate --assembly IN.s -o OUT.s: makes code faster where nothing looks on, after the compiler.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "host_device/join.hpp"
#include "needless_calls.hpp"
#include "translate.hpp"

namespace {

std::string contents(const std::string& name) {
  std::ifstream file;
  if (name != "-") {
    file.open(name, std::ios::binary);
    if (!file) throw std::runtime_error(name + ": cannot be read");
  }
  std::istream& stream = name == "-" ? std::cin : file;
  stream.exceptions(std::ios::badbit);  // a folder cannot be read
  std::string text;
  for (char part[1 << 16]; stream.read(part, sizeof part), stream.gcount() > 0;)
    text.append(part, static_cast<std::size_t>(stream.gcount()));
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  std::string input, output, device;
  bool usable = true, silent = false, strict = false, with_steps = false, assembly = false, mark_host = false,
       relaxed = false;
  auto mode = cuda_emulator::translator::compilation::separate;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "-o" && i + 1 < count && output.empty()) {
      output = arguments[++i];
    } else if (argument == "--device" && i + 1 < count && device.empty()) {
      device = arguments[++i];
    } else if (argument == "--whole") {
      mode = cuda_emulator::translator::compilation::whole;
    } else if (argument == "--mark-host") {
      mark_host = true;
    } else if (argument == "--relaxed-constexpr") {
      relaxed = true;
    } else if (argument == "--assembly") {
      assembly = true;
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
    std::cerr
        << "usage: emulator_translate [--whole] [--steps] [--relaxed-constexpr] [-w] [-Werror] "
           "[--device DEVICE.ii] IN.ii -o OUT.ii\n"
           "       emulator_translate --assembly IN.s -o OUT.s\n"
           "Translates preprocessed CUDA C++ for the emulated device. A file named - is standard input "
           "or output. DEVICE.ii is the same file, preprocessed with __CUDA_ARCH__: the device gets its "
           "functions. With --whole, device functions and variables are this file's own; with --steps "
           "the code tells which lines and values it comes to; with --mark-host g++'s output shows which "
           "functions are of the host, for --assembly; with --relaxed-constexpr device code may call "
           "constexpr functions of the host; with -w there are no warnings, with "
           "-Werror there is no output where there are any. With --assembly, IN.s is what the compiler has "
           "made of a translation, and gets faster where nothing looks on.\n";
    return 2;
  }

  try {
    const std::string name = input == "-" ? "standard input" : input;
    std::string source = contents(input), warnings, of_join, behind;
    if (!device.empty()) source = cuda_emulator::translator::join(source, contents(device), name, &of_join);
    std::string result = assembly
                             ? cuda_emulator::translator::without_needless_calls(source)
                             : cuda_emulator::translator::translate(source, name, mode, &warnings, true,
                                                                    with_steps, &behind, mark_host, relaxed);
    if (!of_join.empty()) warnings = of_join + (warnings.empty() ? "" : "\n") + warnings;
    result += behind;
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
