// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A trace of the emulated device, read back. The format is described in common/emulator/counts.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <istream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cuda_emulator::draw {

/// What is wrong with a trace or with what is asked of it, in one line for the reader.
class drawing_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// There is nothing of this kind in the launch, or nothing that was chosen.
class nothing_to_see : public drawing_error {
  using drawing_error::drawing_error;
};
/// More than can be read in one picture; a warp may be less.
class too_much_to_see : public drawing_error {
  using drawing_error::drawing_error;
};

enum class memory { global, shared, constant, texture };
enum class access_type { load, store, atomic, fetch };

struct traced_array {
  std::string name;
  memory where{};
  std::uint64_t element_size = 0, count = 0;  ///< Bytes, elements.
  std::uint64_t extent[3] = {};  ///< Of a texture: width, height, depth; 1 on axes that it has not.
  // Known only where the program tells its steps, and empty otherwise.
  std::string alias{}, type{};           ///< The name of a pointer to it; the type of an element.
  std::vector<std::uint64_t> extents{};  ///< Of an array with several dimensions, slowest first.
};

struct traced_access {
  int thread = 0;             ///< Its number in the block.
  std::size_t array = 0;      ///< Into traced_launch::arrays.
  std::uint64_t index = 0;    ///< Of the element.
  std::uint64_t address = 0;  ///< In bytes, from the beginning of the memory.
  int lane() const { return thread % 32; }
};

/// Where a lane fetches from a texture: in texels, whose centers are at (i + 0.5, j + 0.5).
struct traced_sample {
  int thread = 0;
  std::size_t array = 0;
  double point[3] = {};
};

/// What lanes of a warp access together. In a fetch from a texture a lane has as many accesses as it reads
/// texels: none at a border, several where it filters.
struct traced_request {
  int interval = 0, warp = 0;  ///< Barriers that came before.
  access_type type{};
  memory where{};
  unsigned bytes = 0;  ///< Of each access.
  unsigned parts = 0;  ///< As counted: sectors, wavefronts, or different addresses.
  std::string place;   ///< "file.cu:12"
  std::vector<traced_access> accesses;
  std::vector<traced_sample> samples{};  ///< Of a fetch: one for each lane.
};

/// One word for each of 32 lanes, "-" for one that has none; or no words at all.
using lane_words = std::vector<std::string>;

enum class step_kind { line, request, barrier, collective, leave };

/// What some lanes of a warp do at once.
struct traced_step {
  step_kind kind{};
  int warp = 0, interval = 0;
  std::uint32_t lanes = 0;
  std::string place, name;
  std::size_t request = 0;   ///< Into traced_launch::requests.
  std::vector<int> waiting;  ///< Warps that wait at the barrier after this step.
  lane_words value, give, from;
  std::vector<std::pair<std::size_t, lane_words>> sets;  ///< Variables and what they are after this step.
};

struct traced_launch {
  int number = 0;
  std::string kernel, place;  ///< Of an instance of a template: "scale_kernel<float, 4>".
  unsigned grid[3] = {}, block[3] = {}, traced[3] = {};  ///< `traced`: index of the block that was traced.
  std::vector<traced_array> arrays;
  std::vector<traced_request> requests;  ///< In the order in which the block made them.
  std::vector<std::string> variables;
  std::vector<traced_step> steps;  ///< Where they were recorded.
  bool cut = false;                ///< There were more requests.
  bool steps_cut = false;          ///< There were more steps.

  /// Is that the kernel's name, with the arguments of its template or without?
  bool is_of(const std::string& name) const {
    return name == kernel || name == kernel.substr(0, kernel.find('<'));
  }
};

/// Throws drawing_error, with file and line, for what is no trace or not a whole one.
std::vector<traced_launch> read_trace(const std::filesystem::path& file);
/// The same from text that is there already; `name` stands for the file in messages.
std::vector<traced_launch> read_trace(std::istream& in, const std::string& name);

const char* name_of(memory where);
const char* name_of(access_type type);

}  // namespace cuda_emulator::draw
