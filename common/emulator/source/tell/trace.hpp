// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What one block of each launch did, access by access, as a text for other programs: see "A trace" in
// counts.md.
#pragma once

#include <cstdint>
#include <string>

#include "watch/launch_state.hpp"

namespace cuda_emulator {

/// The index in the grid of the block that is to be traced in `launch`; no_block where none is.
std::uint64_t traced_block(const launch_state& launch);

/// Whether launches are in no trace and no report now (set_unseen()).
bool unseen();

/// How many values of steps the trace takes: none without EMULATOR_STEPS.
std::size_t traced_step_values();

/// After a launch that had a traced_block(): writes what is known of it to the file.
void write_trace(const launch_state& launch);

// For those who want a trace without a file.

/// The block that EMULATOR_TRACE_BLOCK names, else the first; no_block where the grid has no such block.
std::uint64_t named_block(const launch_state& launch);
/// The first line, and what belongs to one launch.
std::string trace_header();
std::string trace_of(const launch_state& launch, int number);

}  // namespace cuda_emulator
