// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// Which device runs the kernels, and what it counts. The GPU build and the emulated device each bring their
/// own implementation; nothing else in the tutorial knows which one it is linked with.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "launch_counts.hpp"

namespace tutorial {

struct device_facts {
  std::string name;       ///< "NVIDIA H200", or "emulated device (like an NVIDIA H200)".
  bool emulated = false;  ///< Then counts are exact and times mean nothing.
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  std::size_t free_bytes = 0;
};

/// The device that kernels run on. Throws cuda_error, in words that say what to do, where there is none.
device_facts current_device();

/// Why the last call of this thread failed, if it was with the error of this number: "the source is a null
/// pointer". Empty where the device does not say (a GPU).
std::string why_failed(int error);

/// Runs `work` and returns what each launch in it did, in order. Empty where the device does not count (a
/// GPU).
std::vector<launch_counts> count_launches(const std::function<void()>& work);

/// From now on, writes to `file` what one block of each launch accesses, thread by thread, for the program
/// that draws it. False, and nothing happens, where the device cannot (a GPU). common/emulator/counts.md
/// describes the file.
bool trace_launches(const std::filesystem::path& file);

/// From now on, keeps what launches do and what is found wrong in them, and writes it to `file`, a page of
/// HTML, when the program ends, however it does. What was kept before is forgotten. False, and nothing
/// happens, where the device cannot.
bool report_launches(const std::filesystem::path& file);

}  // namespace tutorial
