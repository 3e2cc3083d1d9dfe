// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// One source of two preprocessings: without __CUDA_ARCH__, as the host gets it, and with it, as the device
// does.
#pragma once

#include <string>
#include <string_view>

namespace cuda_emulator::translator {

/// The words behind which the two bodies of a joined function stand:
///
///     int f() { if emulator_device_side { ... } else emulator_host_side { ... } }
inline constexpr std::string_view device_side_word = "emulator_device_side",
                                  host_side_word = "emulator_host_side";

/// `host` with what `device` has for the device, function by function:
///
/// - a function of the device gets the device's body, one of both sides gets both, one of the host keeps its
///   own; the same holds for lambdas
/// - what only one side has is added or left out: a `__device__` function that the device's source lacks goes
/// - a variable that is `__constant__` or `__device__` for the device only is there twice
///
/// Headers of the system are the host's. What differs otherwise, a member of a class say, gets a warning in
/// `warnings`, one on a line, and is the host's on both sides. `file` is the name before the first line
/// marker. Throws source_error for brackets that do not match.
std::string join(std::string_view host, std::string_view device, std::string_view file,
                 std::string* warnings = nullptr);

}  // namespace cuda_emulator::translator
