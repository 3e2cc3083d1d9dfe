// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The libraries that a program was linked with (libraries/), as far as the runtime has to do with them.
#pragma once

#include <string>
#include <vector>

#include "emulator/export.hpp"

namespace cuda_emulator {

/// What a program has made with a library, and not ended.
struct left_by_library {
  std::string place;                  ///< "a.cu:12"; empty where that is not known.
  std::string what;                   ///< "a cuFFT plan was never destroyed (C2C, n = 8)"
  std::string cause{};                ///< "Usual cause: ..."; empty where `what` says it all.
  bool is_error = false;              ///< Whatever the settings say of leaks.
  std::vector<const void*> memory{};  ///< Goes with it, and is not said apart.
};

/// What a library wants to be asked. It is one of the device's own: who calls is looked for outside of it.
struct library {
  std::vector<left_by_library> (*left)() = nullptr;    ///< At the end of the program.
  void (*forget)() = nullptr;                          ///< cudaDeviceReset(), of the current device.
  void (*host_waits)(const char* function) = nullptr;  ///< The host begins to wait, in this function.
};

/// Called once, when the library is loaded. `one` stays.
EMULATOR_FOR_LIBRARIES void add_library(const library& one);

std::vector<left_by_library> left_by_libraries();
void forget_in_libraries();
void tell_libraries_host_waits(const char* function);

}  // namespace cuda_emulator
