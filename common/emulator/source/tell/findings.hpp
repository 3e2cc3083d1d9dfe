// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From what was noted while a launch ran to what its programmer reads.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emulator/export.hpp"
#include "emulator/finding.hpp"
#include "watch/launch_state.hpp"

namespace cuda_emulator {

/// The whole message, and what it is about.
finding describe(const raw_finding& finding, const launch_state& launch);

/// "element [7] of the allocation of 4000 bytes ...": what lies at its address, and is not shared memory; by
/// bytes where the finding has no size.
std::string memory_text(const raw_finding& finding);

/// Are findings thrown?
bool throws_findings();

/// After a launch, outside of kernels: prints the findings and ends the program, or throws the first one.
void conclude(const launch_state& launch);
/// The same for what is found without a launch.
EMULATOR_FOR_LIBRARIES void conclude(std::vector<finding> findings);
/// The same for an access by the host: ends the program at once, as a crash would. Where findings are thrown,
/// keeps the first one, because code that is compiled around an access expects no exception from it.
void conclude_in_host_code(finding&& found);
/// The same at another time than the one at which the work was given to its stream: where findings are
/// thrown, keeps the first one.
void conclude_later(std::vector<finding> findings);
/// While it lives, findings of this thread that do not end a launch at once are held, each with a number.
struct held_findings {
  std::uint64_t number = 0;
  std::vector<std::pair<std::uint64_t, finding>> all{};

  held_findings();
  held_findings(const held_findings&) = delete;
  ~held_findings();
  /// By their numbers. What was found of accesses that nothing orders explains all others, and a message that
  /// fails explains what comes after it.
  std::vector<finding> sorted();
};
/// Are those of this thread held?
EMULATOR_FOR_LIBRARIES bool holds_findings();
/// Of the findings that this thread comes to next.
void set_finding_number(std::uint64_t number);
/// When the program ends: which calls have failed, and nobody asked why.
void say_failed_calls();
/// Throws what was kept, if anything.
void throw_kept_finding();

}  // namespace cuda_emulator
