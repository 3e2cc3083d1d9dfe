// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The page that EMULATOR_REPORT=FILE.html asks for (see "A report" in counts.md): gathered while the program
// runs, written when it ends. Without that variable nothing is kept.
#pragma once

#include <cstdint>
#include <string>

#include "device/failed_calls.hpp"
#include "emulator/finding.hpp"
#include "emulator/launch.hpp"

namespace cuda_emulator {

struct launch_state;

/// Reads EMULATOR_REPORT, before main(). Ends the program with status 2 where that file cannot be written.
void begin_report();

/// The index in the grid of the block whose accesses the report will show; no_block where that is known by
/// now, or nobody wants to know.
std::uint64_t reported_block(const launch_state& launch);

/// How many values of that block's steps are for a page beside the report; 0: the next launch has none.
std::size_t reported_step_values();

/// Somebody wants a report.
bool report_is_wanted();
/// Asked for the timeline that the report is to show, a text as in the file of EMULATOR_TIMELINE; empty for
/// none.
void set_timeline_of_report(std::string (*source)());

/// What goes on from here until report_launch(); said when the program does not get there.
void report_begin(const launch_state& launch);
/// After a launch, before its findings are said.
void report_launch(const launch_state& launch);
/// A launch that never began; `kernel` may be null.
void report_refused(const launch_request& request, const kernel_record* kernel, cudaError_t error);
/// A library's work, of which nothing is counted.
void report_library_call(const std::string& name, std::uint64_t link_bytes);
/// Calls that failed, and nobody asked why.
void report_failed_calls(const unasked_failures& failures);
/// As it is said on standard error.
void report_finding(const finding& found);
/// Does somebody listen to them: a test?
bool findings_are_heard();

/// When the program ends, with this status: writes the page. What goes wrong is said, and changes nothing
/// else.
void finish_report(int status);

/// Says why on standard error and in the report, and ends the program at once with status 1.
[[noreturn]] void end_program(const std::string& why);

}  // namespace cuda_emulator
