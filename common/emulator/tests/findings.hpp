// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Expecting what the emulated device finds.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/finding.hpp"
#include "emulator_test.hpp"

/// The finding that `launch` ends with, or nothing.
std::optional<cuda_emulator::finding> finding_of(const std::function<void()>& launch);

/// In every order: the faulty launch is found, as what it is and with all of `words` in the message; the
/// repaired twin is not.
void check_found(cuda_emulator::finding_kind kind, std::initializer_list<std::string_view> words,
                 const std::function<void()>& faulty, const std::function<void()>& repaired);
void check_found(cuda_emulator::finding_kind kind, const std::vector<std::string>& words,
                 const std::function<void()>& faulty, const std::function<void()>& repaired);

/// "file.cu:12", as messages show it.
std::string at_line(const char* file, int line);
