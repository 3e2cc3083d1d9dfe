// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The words of a finding about two operations that nothing orders, and the wait that is missing.
#include <cstdlib>
#include <string_view>
#include <utility>

#include "code/source_text.hpp"
#include "device/devices.hpp"
#include "order_state.hpp"
#include "tell/findings.hpp"
#include "work.hpp"

namespace cuda_emulator {

std::string stream_label::text(const std::string& name) const {
  switch (kind) {
    case which::legacy:
      return "the default stream" + of_device(device);
    case which::per_thread:
      return "the default stream of a thread" + (device_count() == 1 ? "" : " on " + device_text(device));
    case which::of_library:
      return "a stream of the library's own";
    case which::created:
      break;
  }
  const std::string line = line_of(made_at);
  const std::string numbered = "stream " + std::to_string(number) + of_device(device);
  if (name.empty()) return numbered + (line.empty() ? "" : " (made at " + line + ")");
  return "stream " + name + " (" + numbered + (line.empty() ? "" : ", made at " + line) + ")";
}

std::string stream_label::argument() const {
  switch (kind) {
    case which::legacy:
      return "0";
    case which::per_thread:
      return "cudaStreamPerThread";
    case which::of_library:
    case which::created:
      break;
  }
  return "stream " + std::to_string(number);
}

std::string operation::place() const {
  const std::string at = launched_at.empty() ? line_of(called_at) : launched_at;
  return at.empty() ? "somewhere" : at;
}

std::string operation::stream_name() const {
  constexpr std::string_view of_kernel = "kernel ", of_call = "()";
  const std::string_view all = what;
  if (stream == nullptr || stream->kind != stream_label::which::created || !graph_at.empty()) return "";
  if (all.starts_with(of_kernel)) {
    const std::string_view name = all.substr(of_kernel.size());
    return stream_argument(place(), name.substr(0, name.find_first_of("<(")), true);
  }
  const bool takes_one = all.ends_with("Async()") || all.starts_with("nccl");
  return all.ends_with(of_call) && takes_one ? stream_argument(place(), all.substr(0, all.size() - 2), false)
                                             : "";
}

namespace {

const char* does(touch_kind kind) {
  switch (kind) {
    case touch_kind::read:
      return "reads";
    case touch_kind::write:
      return "writes";
    case touch_kind::atomic:
      break;
  }
  return "changes atomically";
}

/// What an operation does to the memory that another one `does`, as its message has said.
std::string does_too(const operation& op, touch_kind kind, std::string_view other_does) {
  const std::string_view what = op.verb != nullptr ? op.verb : does(kind);
  if (what == does(touch_kind::atomic)) return "changes it atomically";  // the other one does not
  return (what == other_does ? "also " : "") + std::string(what) + " it";
}

std::string memory_at(std::uintptr_t address, unsigned size = 0) {
  raw_finding named{.kind = finding_kind::unordered};
  named.address = reinterpret_cast<const void*>(address);
  named.size = size;
  return memory_text(named);
}

/// "kernel scale_kernel in stream 1 (made at a.cu:7)"; with its place "kernel scale_kernel at a.cu:12 in ..."
std::string named(const operation& op, bool with_place) {
  return op.what + (with_place ? " at " + op.place() : "") +
         (op.graph_at.empty() ? "" : " of the graph launched at " + op.graph_at) + " in " +
         op.stream->text(op.stream_name());
}

/// Streams that the program may take for ones that wait for each other.
std::string why_not_ordered(const operation& a, const operation& b) {
  const auto in_default = [](const operation& op) { return op.stream->kind == stream_label::which::legacy; };
  if (!(in_default(a) || in_default(b)) || (a.stream->waits_for_default && b.stream->waits_for_default))
    return "";
  std::string text =
      "  A stream made with cudaStreamNonBlocking does not wait for the default stream, "
      "nor that one for it.\n";
  const operation& of_default = in_default(a) ? a : b;
  if (of_default.what.find("Async") != std::string::npos || of_default.what.starts_with("kernel "))
    text += "  Is the stream argument of " + of_default.what + " at " + of_default.place() + " missing?\n";
  return text;
}

/// Work that a capture has not taken, because it was given to another stream.
std::string not_captured(const operation& op) {
  if (op.beside == nullptr) return "";
  const std::string since = line_of(op.beside->at);
  return "  " + op.what + " at " + op.place() + " is not part of a graph: it was given to " +
         (op.stream->kind == stream_label::which::created ? op.stream->argument() : op.stream->text("")) +
         " while " + op.beside->stream->argument() + " was captured" +
         (since.empty() ? "" : ", from " + since + " on") +
         ".\n  Usual cause: a stream that was not passed on: <<<blocks, threads, bytes, stream>>>, or the "
         "last argument of a copy.\n";
}

std::string in_one_graph() {
  return "  No edges of the graph lead from one node to the other. Missing: an edge between them; "
         "while streams are\n"
         "  captured, an event that the second stream waits for.";
}

/// A wait that stands just above the place of the second operation, and does not help.
std::string wait_that_is_there(const operation& mine, const operation& other, const std::string& first,
                               const std::string& second) {
  constexpr int near = 3;  // lines
  std::deque<order_state::wait_call> waits;
  {
    order_state& order = the_order();
    const std::lock_guard lock(order.mutex);
    waits = order.waits;
  }
  const auto parts = [](const std::string& place) {
    const std::size_t colon = place.rfind(':');
    return std::pair(place.substr(0, colon), colon == place.npos ? 0 : std::atoi(place.c_str() + colon + 1));
  };
  const auto [file, line] = parts(mine.place());
  for (auto wait = waits.rbegin(); wait != waits.rend(); ++wait) {
    if (wait->operations >= mine.number) continue;
    const std::string place = line_of(wait->made_at);
    const auto [its_file, its_line] = parts(place);
    if (its_file != file || its_line >= line || line - its_line > near) continue;
    const bool right_stream = wait->waits == mine.stream, right_event = wait->recorded_in == other.stream;
    std::string why = right_stream ? "" : wait->waits->argument() + " waits there, and not " + second;
    if (!right_event)
      why += std::string(why.empty() ? "" : "; ") + "its event was " +
             (wait->recorded_in == nullptr
                  ? "never recorded"
                  : "recorded in " + wait->recorded_in->argument() + ", and not in " + first);
    if (why.empty()) why = "its event was recorded before " + other.given_at();
    return "\n  The cudaStreamWaitEvent() at " + place + " does not help: " + why + ".";
  }
  return "";
}

}  // namespace

std::string unordered_text(const operation& mine, const conflict& with) {
  const operation& other = *with.other;
  const std::string here = mine.given_at(), there = other.given_at();
  const std::string what = mine.verb != nullptr ? mine.verb : does(with.mine);
  std::string text = mine.place() + ": error: nothing orders two operations on the same memory\n  " +
                     named(mine, false) + " " + what + " " + memory_at(with.first) + "\n  " +
                     named(other, true) + " " + does_too(other, with.others, what) + "\n" +
                     "  On a GPU either may come first, or both run at the same time.\n";
  if (mine.stream == other.stream && !mine.graph_at.empty()) return text + in_one_graph();
  text += not_captured(other) + not_captured(mine) + why_not_ordered(mine, other);
  std::string first = other.stream_name(), second = mine.stream_name();
  if (first.empty() || first == second) first = other.stream->argument();
  if (second.empty() || second == other.stream_name()) second = mine.stream->argument();
  if (mine.stream->kind == stream_label::which::of_library)
    return text + "  " + mine.what +
           " waits for the default streams of its devices, and for no other one. Missing: " +
           "cudaStreamSynchronize(" + first + ")\n  between " + there + " and " + here + ".";
  return text + "  Missing: cudaEventRecord(event, " + first + ") after " + there +
         ", and cudaStreamWaitEvent(" + second + ", event) before\n  " + here +
         "; or the host waits between the two: cudaStreamSynchronize(" + first +
         "). Or give each its own memory." +
         wait_that_is_there(mine, other, other.stream->argument(), mine.stream->argument());
}

std::string unordered_with_host_text(const operation& access, const conflict& with) {
  const operation& other = *with.other;
  const std::string place = access.place();
  const std::string what = access.verb != nullptr ? access.verb : does(with.mine);
  return place + ": error: the host uses memory that the device still works with\n  " + access.what + " " +
         what + " " + memory_at(with.first, access.host_size) + "\n  " + named(other, true) + " " +
         does_too(other, with.others, what) + ", and the host has not waited for that\n" +
         "  On a GPU the operation may run before, during or after this access. "
         "Missing: cudaStreamSynchronize(" +
         (other.stream_name().empty() ? other.stream->argument() : other.stream_name()) +
         "),\n  cudaEventSynchronize() or cudaDeviceSynchronize() between " + other.given_at() + " and " +
         place + ".";
}

}  // namespace cuda_emulator
