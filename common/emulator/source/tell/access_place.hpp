// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where in the source an access is, as programmers see it: the line of their own file, also where a
// function of a header that it calls makes the access.
#pragma once

#include <string>

#include "code/symbolize.hpp"
#include "watch/launch_state.hpp"

namespace cuda_emulator {

struct access_place {
  source_place own;      ///< The innermost one in a source file, or in a header beside the kernel's file.
  source_place access;   ///< Of the access itself.
  source_place kernel;   ///< In the kernel; no line where that is not known.
  std::string function;  ///< That makes the access, where that is not the kernel; may be unknown.
};

/// Of what `finding` says of the first access, or of what is at `pc` alone.
access_place place_in_source(const raw_finding& finding, const launch_state& launch);
access_place place_in_source(std::uint64_t pc, const launch_state& launch);

/// "a.cu:12", or "a.cu:12 (in load() at b.cuh:5)".
std::string text_of(const access_place& place);

/// A line about functions between the kernel and the access; empty where there is none.
std::string calls_text(const access_place& place);

}  // namespace cuda_emulator
