// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which device runs the kernels, and what it counts. The GPU build and the emulated device each bring their
// own implementation; nothing else in the tutorial knows which one it is linked with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "launch_counts.hpp"

namespace tutorial {

/// What a program says of the device, and what it sizes its work by.
struct device_facts {
  std::string name;       ///< "NVIDIA H200", or "emulated device (like an NVIDIA H200)".
  bool emulated = false;  ///< Then counts are exact and times mean nothing.
  int multiprocessors = 0;
  std::size_t l2_bytes = 0;
  std::size_t free_bytes = 0;
};

/// The device that kernels run on. Throws cuda_error, in words that say what to do, where there is none.
device_facts current_device();

/// Why the last call of this thread failed, if it was with the error of this number: "the source is a null
/// pointer". Empty where the device does not say (a GPU).
std::string why_failed(int error);

/// How the blocks of counted launches run. What blocks that wait for each other do depends on who comes
/// first: one by one, in order, it is the same in every run and on every machine.
enum class counted_blocks { together, one_by_one };

/// Runs `work` and returns what each launch in it did, in order. Empty where the device does not count (a
/// GPU).
std::vector<launch_counts> count_launches(const std::function<void()>& work,
                                          counted_blocks blocks = counted_blocks::together);
/// Whether it does so now: not on a GPU, nor where the emulated device was told not to check all blocks.
bool counts_launches();

/// From now on, writes to `file` what one block of each launch accesses, thread by thread, for the program
/// that draws it. False, and nothing happens, where the device cannot (a GPU). common/emulator/counts.md
/// describes the file.
bool trace_launches(const std::filesystem::path& file);

/// From now on, keeps what launches do and what is found wrong in them, and writes it to `file`, a page of
/// HTML, when the program ends, however it does. What was kept before is forgotten. False, and nothing
/// happens, where the device cannot.
bool report_launches(const std::filesystem::path& file);

/// "a.cpp:12 b.cpp:3": the places in source files from here outwards, as far as the device knows how to read
/// them; those of a crash where a handler of its signal asks.
std::string places_on_the_way();

/// No call has failed, as far as later ones know. A GPU keeps what a kernel has failed with, and fails every
/// call after it.
void forget_errors();

/// "cudaMemset() at a.cu:12 wrote only the first 8 of its 32 bytes", of a call in `file` whose size may count
/// elements; empty where there is none, and where the device does not know.
std::string short_write(const std::string& file);

/// For those who say which launches have gone wrong. All of it does nothing where there is no report.

/// The launch that comes next, as the report numbers it; 0 without a report.
std::uint64_t next_launch();
/// From now on, the report keeps what each launch accesses; what it has kept until now is forgotten.
void keep_launches();
/// The timeline of the report begins here: what streams were given before is of no interest.
void begin_timeline();
/// A launch that the report begins with: its number, its kernel, the file:line of that and of the launch, and
/// what chapters/draw needs to draw the view that was asked for (empty where it has no such view).
struct shown_launch {
  std::uint64_t number;
  std::string kernel, place, launched_at, view, options;
};
/// The report begins with the launches [first, last] of those that it has kept, and with the sentence `why`.
/// `view` is one of chapters/draw's; `trace`, unless it is empty, a file for it.
std::vector<shown_launch> show_launches(std::uint64_t first, std::uint64_t last, const std::string& why,
                                        const std::string& view, const std::filesystem::path& trace);

/// What the device finds wrong: its words, and by names what they say (emulator/finding.hpp): "kind",
/// "kernel", "launched_at", "place", "thread", ... of each access, "array", ... Nothing that is empty.
struct device_finding {
  std::string text;
  std::uint64_t launch = 0;  ///< Its number in the report, or 0.
  std::vector<std::pair<std::string, std::string>> facts;
};
/// Calls `listener` with what the device finds wrong with a kernel, before the program ends because of it. A
/// GPU finds nothing.
void hear_findings(void (*listener)(const device_finding& found));
/// Calls `listener` with what the device says of a program that goes on: the kind ("failed_call",
/// "long_kernel"), the place that it is about ("a.cu:12", may be empty), and the words. From any thread.
void hear_notes(void (*listener)(const char* kind, const char* place, const char* text));

/// While one exists, launches are not those of the code under test: they are in no report and no trace. One
/// at a time: the first that goes ends it.
class unseen_launches {
 public:
  /// From here on.
  unseen_launches();
  ~unseen_launches();
  unseen_launches(const unseen_launches&) = delete;
  unseen_launches& operator=(const unseen_launches&) = delete;
};

}  // namespace tutorial
