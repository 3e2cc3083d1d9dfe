// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A file to read from, and one way of saying why it cannot be read.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>

#include "input_error.hpp"

namespace tutorial {

/// Closes itself.
using input_stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// Throws input_error if there is no such file or it may not be read. A folder shows only when it is read.
input_stream open_input(const std::filesystem::path& file);

/// Throws input_error for a value of errno. Call it when a read has failed.
[[noreturn]] void fail_reading(const std::filesystem::path& file, int error);

}  // namespace tutorial
