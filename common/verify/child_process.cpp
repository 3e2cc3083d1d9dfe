// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "child_process.hpp"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace tutorial {

child_result run_myself(const std::string& arguments) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::fflush(nullptr);
  std::FILE* pipe = popen(("'" + program + "' " + arguments + " 2>&1").c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot start " + program);
  child_result result;
  std::array<char, 4096> piece;
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), pipe))
    result.output.append(piece.data(), got);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace tutorial
