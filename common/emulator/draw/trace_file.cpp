// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "trace_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace cuda_emulator::draw {
namespace {

constexpr memory memories[] = {memory::global, memory::shared, memory::constant, memory::texture};
constexpr access_type types[] = {access_type::load, access_type::store, access_type::atomic,
                                 access_type::fetch};

/// "scale_kernel<float,%204>" is "scale_kernel<float, 4>".
std::string without_escapes(std::string word) {
  for (const auto& [escape, character] : {std::pair("%20", " "), {"%25", "%"}})
    for (std::size_t at = word.find(escape); at != word.npos; at = word.find(escape, at + 1))
      word.replace(at, 3, character);
  return word;
}

/// The words of one line, taken one after the other. Everything that is not as expected is the same error.
class record {
 public:
  explicit record(const std::string& line) : words_(line) {}

  std::string word() {
    std::string text;
    if (!(words_ >> text)) failed_ = true;
    return text;
  }
  void expect(const char* wanted) { failed_ |= word() != wanted; }
  template <class Number>
  void number(Number& value) {
    if (!(words_ >> value)) failed_ = true;
  }
  template <class Value, std::size_t Size>
  void one_of(const Value (&values)[Size], Value& value) {
    const std::string name = word();
    for (const Value each : values) {
      if (name == name_of(each)) {
        value = each;
        return;
      }
    }
    failed_ = true;
  }
  /// What is left: names of files may have spaces in them.
  std::string rest() {
    std::string text;
    std::getline(words_ >> std::ws, text);
    return text;
  }
  /// The same where nothing need be left.
  std::string rest_or_none() {
    std::string text;
    std::getline(words_, text);
    return text;
  }
  bool failed() const { return failed_; }

 private:
  std::istringstream words_;
  bool failed_ = false;
};

class reader {
 public:
  std::vector<traced_launch> launches;
  bool whole = true;  // the last launch has ended

  /// False: this is no record.
  bool take(const std::string& line) {
    record words(line);
    const std::string kind = words.word();
    if (whole != (kind == "launch")) return false;
    if (kind == "launch") {
      begin_launch(words);
    } else if (kind == "array") {
      add_array(words);
    } else if (kind == "request") {
      add_request(words);
    } else if (kind == "sample") {
      add_sample(words);
    } else if (kind == "access") {
      add_access(words);
    } else if (kind == "type") {
      add_type(words);
    } else if (kind == "variable") {
      add_variable(words);
    } else if (kind == "step") {
      add_step(words);
    } else if (kind == "value" || kind == "give" || kind == "from" || kind == "set") {
      add_lanes(kind, words);
    } else if (kind == "steps") {
      end_steps(words);
    } else if (kind == "end") {
      end(words);
    } else {
      return false;
    }
    return !words.failed() && right_;
  }

 private:
  void begin_launch(record& words) {
    traced_launch& launch = launches.emplace_back();
    words.number(launch.number);
    launch.kernel = without_escapes(words.word());
    for (const auto& [name, values] :
         {std::pair("grid", launch.grid), {"block", launch.block}, {"traced", launch.traced}}) {
      words.expect(name);
      for (int axis = 0; axis < 3; ++axis) words.number(values[axis]);
    }
    words.expect("at");
    launch.place = words.rest();
    whole = false;
  }

  void add_array(record& words) {
    std::size_t number = 0;
    traced_array array;
    words.number(number);
    words.one_of(memories, array.where);
    array.name = words.word();
    words.number(array.element_size);
    words.number(array.count);
    if (array.where == memory::texture)
      for (std::uint64_t& extent : array.extent) words.number(extent);
    auto& arrays = launches.back().arrays;
    if (number >= arrays.size()) arrays.resize(std::min<std::size_t>(number, 100'000) + 1);
    right_ &= number < arrays.size() && array.element_size > 0;
    if (right_) arrays[number] = array;
  }

  void add_request(record& words) {
    traced_request& request = launches.back().requests.emplace_back();
    std::size_t number = 0;
    words.number(number);
    words.expect("interval");
    words.number(request.interval);
    words.expect("warp");
    words.number(request.warp);
    words.one_of(types, request.type);
    words.one_of(memories, request.where);
    words.expect("bytes");
    words.number(request.bytes);
    words.expect("parts");
    words.number(request.parts);
    words.expect("at");
    request.place = words.rest();
    right_ &= number + 1 == launches.back().requests.size() && request.bytes > 0 && request.interval >= 0;
  }

  void add_sample(record& words) {
    traced_launch& launch = launches.back();
    std::size_t number = 0;
    traced_sample sample;
    words.number(number);
    words.number(sample.thread);
    words.number(sample.array);
    for (double& each : sample.point) words.number(each);
    right_ &= number + 1 == launch.requests.size() && sample.array < launch.arrays.size() &&
              sample.thread >= 0 && sample.thread < 1024;
    if (right_) launch.requests.back().samples.push_back(sample);
  }

  void add_access(record& words) {
    traced_launch& launch = launches.back();
    std::size_t number = 0;
    traced_access access;
    words.number(number);
    words.number(access.thread);
    words.number(access.array);
    words.number(access.index);
    words.number(access.address);
    right_ &= number + 1 == launch.requests.size() && access.array < launch.arrays.size() &&
              access.thread >= 0 && access.thread < 1024;
    if (right_) launch.requests.back().accesses.push_back(access);
  }

  void add_type(record& words) {
    traced_launch& launch = launches.back();
    std::size_t number = 0;
    words.number(number);
    right_ &= number < launch.arrays.size();
    if (!right_) return;
    traced_array& array = launch.arrays[number];
    array.alias = words.word();
    array.type = words.word();
    if (array.type == "-") array.type.clear();
    std::istringstream extents(words.rest_or_none());
    for (std::uint64_t extent = 0; extents >> extent;) array.extents.push_back(extent);
    std::uint64_t elements = 1;
    for (const std::uint64_t each : array.extents) elements *= each;
    if (elements != array.count) array.extents.clear();
  }

  void add_variable(record& words) {
    std::size_t number = 0;
    words.number(number);
    right_ &= number == launches.back().variables.size();
    launches.back().variables.push_back(words.word());
  }

  void add_step(record& words) {
    traced_launch& launch = launches.back();
    traced_step& step = launch.steps.emplace_back();
    std::size_t number = 0;
    words.number(number);
    words.expect("warp");
    words.number(step.warp);
    words.expect("interval");
    words.number(step.interval);
    words.expect("lanes");
    step.lanes = static_cast<std::uint32_t>(std::strtoul(words.word().c_str(), nullptr, 16));
    const std::string kind = words.word();
    std::string next = words.word();
    if (kind == "request") {
      step.kind = step_kind::request;
      step.request = std::strtoul(next.c_str(), nullptr, 10);
      right_ &= step.request < launch.requests.size();
      if (step.name = words.word(); step.name == "-") step.name.clear();
      next = words.word();
    } else if (kind == "barrier" || kind == "collective") {
      step.kind = kind == "barrier" ? step_kind::barrier : step_kind::collective;
      for (; !words.failed() && next != "at" && next != "waiting"; next = words.word())
        step.name += (step.name.empty() ? "" : " ") + next;
      if (next == "waiting") {
        std::istringstream warps(words.word());
        for (std::string warp; std::getline(warps, warp, ',');)
          if (warp != "-") step.waiting.push_back(std::atoi(warp.c_str()));
        next = words.word();
      }
    } else if (kind == "line" || kind == "return") {
      step.kind = kind == "line" ? step_kind::line : step_kind::leave;
    } else {
      right_ = false;
    }
    step.place = words.rest();
    right_ &= next == "at" && number + 1 == launch.steps.size() && step.warp >= 0 && step.warp < 32 &&
              step.interval >= 0;
  }

  void add_lanes(const std::string& kind, record& words) {
    traced_launch& launch = launches.back();
    std::size_t number = 0, variable = 0;
    words.number(number);
    if (kind == "set") words.number(variable);
    lane_words lanes;
    for (int lane = 0; lane < 32; ++lane) lanes.push_back(words.word());
    right_ &= number + 1 == launch.steps.size() && (kind != "set" || variable < launch.variables.size());
    if (!right_) return;
    traced_step& step = launch.steps.back();
    if (kind == "set")
      step.sets.emplace_back(variable, std::move(lanes));
    else
      (kind == "value" ? step.value : kind == "give" ? step.give : step.from) = std::move(lanes);
  }

  void end_steps(record& words) {
    traced_launch& launch = launches.back();
    std::size_t steps = 0;
    words.number(steps);
    launch.steps_cut = words.word() == "cut";
    right_ &= steps == launch.steps.size();
  }

  void end(record& words) {
    traced_launch& launch = launches.back();
    std::size_t requests = 0, accesses = 0, seen = 0;
    words.number(requests);
    words.number(accesses);
    launch.cut = words.word() == "cut";
    for (const traced_request& each : launch.requests) seen += each.accesses.size();
    right_ &= requests == launch.requests.size() && accesses == seen;
    whole = true;
  }

  bool right_ = true;
};

}  // namespace

const char* name_of(memory where) {
  switch (where) {
    case memory::global:
      return "global";
    case memory::shared:
      return "shared";
    case memory::constant:
      return "constant";
    case memory::texture:
      break;
  }
  return "texture";
}

const char* name_of(access_type type) {
  switch (type) {
    case access_type::load:
      return "load";
    case access_type::store:
      return "store";
    case access_type::atomic:
      return "atomic";
    case access_type::fetch:
      break;
  }
  return "fetch";
}

std::vector<traced_launch> read_trace(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw drawing_error(file.string() + " cannot be read");
  return read_trace(in, file.string());
}

std::vector<traced_launch> read_trace(std::istream& in, const std::string& name) {
  std::string line;
  if (!std::getline(in, line) || line != "emulator-trace 2")
    throw drawing_error(name +
                        " is no trace of the emulated device (its first line would be 'emulator-trace 2')");
  reader all;
  for (int number = 2; std::getline(in, line); ++number)
    if (!all.take(line))
      throw drawing_error(name + ":" + std::to_string(number) + ": this is no record of a trace: " + line);
  if (!all.whole) throw drawing_error(name + " breaks off: the program that wrote it did not end a launch");
  return std::move(all.launches);
}

}  // namespace cuda_emulator::draw
