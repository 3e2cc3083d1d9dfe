// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// For one file of a program: without a GPU it has four devices, unless EMULATOR_DEVICES in the environment
// says how many. With GPUs all kernels are loaded at once, unless CUDA_MODULE_LOADING says otherwise: to
// load one at its first launch may take a wait for the device, and forever where another kernel waits for
// a flag that this one raises.
#pragma once

#include <cstdlib>

namespace {

/// Before the constructors of variables: those of kernel files tell the emulated device what each device has.
[[gnu::constructor(101)]] void ask_for_four_devices() {
  setenv("EMULATOR_DEVICES", "4", 0);
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
}

}  // namespace
