// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the environment or a test has asked for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/export.hpp"

namespace cuda_emulator {

enum class thread_order { forward, reverse, random };

/// Each worker keeps up to 1024 stacks with a guard page each, and the system admits some 65,000 mappings per
/// process.
constexpr int most_workers = 16;

/// Of large launches one block in so many is checked where that is asked for.
constexpr int sample_step = 61;

struct settings_record {
  thread_order order = thread_order::forward;
  std::uint64_t seed = 0;
  int threads = 1;
  bool checking = true;
  bool checking_was_set = false;        ///< The program says when to check: set_checking().
  bool sampling = false;                ///< Not all blocks of large launches are checked.
  bool leaks_are_errors = false;        ///< Else a note: the status stays.
  bool same_values_are_errors = false;  ///< Races of writes that leave what was there.
  bool unwritten_are_errors = true;     ///< Reads of uninitialized memory. Else the program goes on.
  bool zeros_are_errors = false;        ///< Reads of constant memory that nothing was copied to.
  bool peer_atomics = true;             ///< The links between devices have atomic operations.
  std::size_t memory = 0;               ///< Bytes of device memory; 0: as many as the machine has to spare.
  double seconds_to_note = 10;          ///< Seconds until a launch that goes on is talked about; 0: never.
  double wait = 60;                     ///< Seconds that a rank waits for another one that does nothing.
};

/// Read from the environment on first use. A value that makes no sense ends the program with status 2.
EMULATOR_FOR_LIBRARIES settings_record& settings();

/// What EMULATOR_DEVICES says; 1 where it says nothing. Not one of the settings: where the program is to
/// leave a report, those are read before it begins, and it may set EMULATOR_DEVICES itself.
int devices_asked_for();

}  // namespace cuda_emulator
