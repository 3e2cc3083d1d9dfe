// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// For one file of a program: without a GPU it has four devices, unless EMULATOR_DEVICES in the environment
/// says how many. A GPU build does not mind.
#pragma once

#include <cstdlib>

namespace {

/// Before the constructors of variables: those of kernel files tell the emulated device what each device has.
[[gnu::constructor(101)]] void ask_for_four_devices() { setenv("EMULATOR_DEVICES", "4", 0); }

}  // namespace
