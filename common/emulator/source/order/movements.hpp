// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Keeps what operations move between host and device, for those who asked: begin_movements(),
// EMULATOR_TIMELINE=FILE for the whole program, and a report where there are several streams.
#pragma once

#include <memory>
#include <vector>

#include "emulator/export.hpp"
#include "emulator/movements.hpp"
#include "operation.hpp"
#include "watch/touched_pages.hpp"

namespace cuda_emulator {

/// Somebody has asked.
bool movements_kept();
/// The operation begins; called in the order in which the program gave them.
void note_operation(const operation& op);
/// It moves so many bytes over the link, or within the device.
EMULATOR_FOR_LIBRARIES void note_moved(const operation* op, std::uint64_t up, std::uint64_t down,
                                       std::uint64_t within);
/// A kernel touches memory: that of the host goes over the link, each byte once.
void note_touched(const operation* op, const std::vector<std::unique_ptr<touched_pages>>& touched);
/// A library reads or writes these bytes.
EMULATOR_FOR_LIBRARIES void note_used(const operation* op, const void* begin, std::size_t bytes, bool writes);
/// The host waits for the device.
void note_wait();
/// Writes the file of EMULATOR_TIMELINE, if one is wanted.
void write_timeline();

}  // namespace cuda_emulator
