// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "trace.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "code/kernel_name.hpp"
#include "code/symbolize.hpp"
#include "device/standard_error.hpp"
#include "emulator/control.hpp"

namespace cuda_emulator {
namespace {

constexpr int most_launches = 200;
std::atomic<bool> nobody_looks{false};
constexpr std::size_t most_step_values = 400'000;

struct trace_request {
  std::FILE* file = nullptr;
  std::string name;
  unsigned block[3] = {};
  int launches = 0;
};

void parse_block(trace_request& to) {
  const char* text = std::getenv("EMULATOR_TRACE_BLOCK");
  if (text == nullptr || *text == '\0') return;
  const char* rest = text;
  for (int axis = 0; axis < 3; ++axis) {
    char* end = nullptr;
    errno = 0;
    const unsigned long value = *rest >= '0' && *rest <= '9' ? std::strtoul(rest, &end, 10) : 0;
    if (end == nullptr || errno != 0 || value > 0x7fffffff) break;
    to.block[axis] = static_cast<unsigned>(value);
    if (*end == '\0') return;
    if (*end != ',') break;
    rest = end + 1;
  }
  give_up(std::string("EMULATOR_TRACE_BLOCK is '") + text +
          "'; it can be the index of a block: 2, or 2,0,1.");
}

void open(trace_request& to, const char* file) {
  if (!settings().checking)
    give_up("A trace needs the checks of the emulated device: leave out EMULATOR_CHECK=0.");
  if (to.file != nullptr) std::fclose(to.file);
  to = {};
  parse_block(to);
  to.name = file;
  to.file = std::fopen(file, "w");
  if (to.file == nullptr || std::fputs(trace_header().c_str(), to.file) < 0)
    give_up(std::string("The trace cannot be written: ") + file + ": " + std::strerror(errno));
}

// Used under the lock of launches, and by set_trace() between them.
trace_request& wanted() {
  static trace_request request = [] {
    trace_request first;
    const char* file = std::getenv("EMULATOR_TRACE");
    if (file != nullptr && *file != '\0') open(first, file);
    return first;
  }();
  return request;
}

std::string triple(const dim3& d) {
  return std::to_string(d.x) + " " + std::to_string(d.y) + " " + std::to_string(d.z);
}

std::uint64_t index_in_grid(const unsigned (&block)[3], const launch_state& launch) {
  const dim3 grid = launch.grid();
  if (block[0] >= grid.x || block[1] >= grid.y || block[2] >= grid.z) return no_block;
  return block[0] + std::uint64_t{grid.x} * (block[1] + std::uint64_t{grid.y} * block[2]);
}

/// "scale_kernel<float,%204>": no spaces in a word.
std::string as_word(const std::string& name) {
  std::string word;
  for (const char c : name) word += c == ' ' ? "%20" : c == '%' ? "%25" : std::string(1, c);
  return word;
}

}  // namespace

void set_unseen(bool unseen) { nobody_looks = unseen; }
bool unseen() { return nobody_looks; }

std::string trace_header() { return "emulator-trace 2\n"; }

std::uint64_t traced_block(const launch_state& launch) {
  const trace_request& request = wanted();
  if (request.file == nullptr || request.launches > most_launches || !launch.settings.checking || unseen())
    return no_block;
  return index_in_grid(request.block, launch);
}

std::size_t traced_step_values() {
  const char* const wanted = std::getenv("EMULATOR_STEPS");
  const bool none = wanted == nullptr || *wanted == '\0' || std::strcmp(wanted, "0") == 0;
  return none ? 0 : most_step_values;
}

std::uint64_t named_block(const launch_state& launch) {
  static const trace_request named = [] {
    trace_request first;
    parse_block(first);
    return first;
  }();
  return index_in_grid(named.block, launch);
}

std::string trace_of(const launch_state& launch, int number) {
  const dim3 grid = launch.grid();
  const std::uint64_t b = launch.traced_block;
  const dim3 block(static_cast<unsigned>(b % grid.x), static_cast<unsigned>(b / grid.x % grid.y),
                   static_cast<unsigned>(b / grid.x / grid.y));
  const source_place kernel{launch.kernel.file, launch.kernel.line};
  return "launch " + std::to_string(number) + " " + as_word(full_name(launch.kernel)) + " grid " +
         triple(grid) + " block " + triple(launch.block()) + " traced " + triple(block) + " at " +
         kernel.text() + "\n" + (launch.trace.empty() ? "end 0 0 complete\n" : launch.trace);
}

void write_trace(const launch_state& launch) {
  trace_request& request = wanted();
  if (++request.launches > most_launches) {
    std::fprintf(stderr, "emulated device: the trace %s has %d launches, and gets no more.\n",
                 request.name.c_str(), most_launches);
    return;
  }
  const std::string text = trace_of(launch, request.launches);
  if (std::fputs(text.c_str(), request.file) < 0 || std::fflush(request.file) != 0)
    give_up("The trace cannot be written: " + request.name + ": " + std::strerror(errno));
}

void set_trace(const char* file) {
  if (file != nullptr) {
    open(wanted(), file);
  } else if (wanted().file != nullptr) {
    std::fclose(wanted().file);
    wanted() = {};
  }
}

}  // namespace cuda_emulator
