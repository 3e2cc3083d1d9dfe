// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The words of findings: what happened, in which kernel, block and thread, to which array and element, at
// which line, and what the cause usually is.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <string>

#include "access_place.hpp"
#include "code/source_text.hpp"
#include "code/symbolize.hpp"
#include "device/devices.hpp"
#include "device/standard_error.hpp"
#include "emulator/control.hpp"
#include "findings.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/textures.hpp"
#include "memory/variables.hpp"
#include "named_memory.hpp"

namespace cuda_emulator {
namespace {

/// Of the finding whose words are being made.
thread_local finding_facts* told = nullptr;

void because(finding_cause cause, const std::string& at = "") {
  if (told == nullptr) return;
  told->cause = cause;
  told->cause_at = at;
}

std::string triple(std::uint64_t index, dim3 extent) {
  return "(" + std::to_string(index % extent.x) + ", " + std::to_string(index / extent.x % extent.y) + ", " +
         std::to_string(index / extent.x / extent.y) + ")";
}

std::string who(std::uint64_t block, int thread, const launch_state& launch) {
  std::string text = "thread " + triple(static_cast<std::uint64_t>(thread), launch.block());
  if (block != ~0ull) text += " of block " + triple(block, launch.grid());
  return text;
}

const char* does(access_kind kind) {
  switch (kind) {
    case access_kind::read:
      return "reads";
    case access_kind::write:
      return "writes";
    case access_kind::fetch:
      return "fetches";
    case access_kind::landing:
    case access_kind::delivery:
      return "copies asynchronously";
    case access_kind::collection:
      return "copies asynchronously from";
    case access_kind::atomic:
    case access_kind::swap:
      break;
  }
  return "changes atomically";
}

std::string other_does_at(const raw_finding& f) {
  return std::string(f.what == f.other_what ? "also " : "") + does(f.other_what) + " there, at ";
}

}  // namespace

std::string memory_text(const raw_finding& f) { return element_text(array_at(f, nullptr, {}), f); }

namespace {

std::string title(const raw_finding& f, const char* what, const launch_state& launch) {
  source_place place = place_in_source(f, launch).own;
  if (place.line == 0) place = {launch.request.file, launch.request.line};  // in a library's own kernel
  return place.text() + ": error: " + what + " in kernel " + launch.kernel.name + "\n";
}

/// Which texel, of which texture.
std::string texture_lines(const raw_finding& f, const launch_state& launch) {
  std::string text = "  " + who(f.block, f.thread, launch) + " fetches ";
  text += f.texel_x >= 0 ? texel_text(f.texture, f.texel_x, f.texel_y, f.texel_z) + " of " : "from ";
  return text + texture_text(f.texture) + "\n";
}

std::string access_lines(const raw_finding& f, const launch_state& launch) {
  if (f.fetched) return texture_lines(f, launch);
  const access_place place = place_in_source(f, launch);
  const named_array array = array_at(f, &launch, place);
  return "  " + who(f.block, f.thread, launch) + " " + does(f.what) + " " + bytes(f.size) + ": " +
         (f.kind == finding_kind::misaligned ? byte_text(array) : element_text(array, f)) + "\n" +
         calls_text(place);
}

std::string often(const raw_finding& f, const std::string& how_far = "") {
  return f.times == 1 ? ""
                      : "  (the same " + std::to_string(f.times) + " times in this launch" + how_far + ")\n";
}

/// The index of the element at `address`, in the array that an access meant.
std::ptrdiff_t index_of(const void* address, const raw_finding& f, const named_array& array) {
  const std::ptrdiff_t offset =
      array.offset + (static_cast<const char*>(address) - static_cast<const char*>(f.address));
  return offset / static_cast<std::ptrdiff_t>(array.element_size);
}

/// ", as far as x[99]": the last element beyond the end.
std::string how_far(const raw_finding& f, const named_array& array) {
  if (!array.known || array.name.empty() || array.offset < static_cast<std::ptrdiff_t>(array.size) ||
      f.farthest <= f.address || !below_zero(array, f).empty())
    return "";
  return ", as far as " + subscripted(array, index_of(f.farthest, f, array));
}

struct grid_place {
  std::ptrdiff_t row, col;
};

/// The thread's own, in a grid of two dimensions.
grid_place place_in_grid(const raw_finding& f, const launch_state& launch) {
  const dim3 grid = launch.grid(), block = launch.block();
  const auto thread = static_cast<std::uint64_t>(f.thread);
  return {static_cast<std::ptrdiff_t>(f.block / grid.x % grid.y * block.y + thread / block.x % block.y),
          static_cast<std::ptrdiff_t>(f.block % grid.x * block.x + thread % block.x)};
}

/// Is the index column * pitch + row, with a pitch that is an argument, where row * pitch + column exists?
std::string rows_for_columns(const raw_finding& f, const named_array& array, const launch_state& launch) {
  if (!array.known || array.offset < 0 || f.block == ~0ull || launch.grid().y * launch.block().y == 1)
    return "";
  const auto each = static_cast<std::ptrdiff_t>(array.element_size),
             count = static_cast<std::ptrdiff_t>(array.size) / each, index = array.offset / each;
  const auto [row, col] = place_in_grid(f, launch);
  for (int i = 0; i < launch.request.argument_count && row != col; ++i) {
    const std::ptrdiff_t pitch = launch.request.arguments[i].number;
    if (pitch <= 1 || col >= pitch || row > (count - 1 - col) / pitch || index != col * pitch + row) continue;
    const std::string by = " * " + std::to_string(pitch) + " + ";
    return "  Usual cause: row and column exchanged. The index is that of row " + std::to_string(col) +
           ", column " + std::to_string(row) + ": " + std::to_string(col) + by + std::to_string(row) +
           ". The thread's\n  own row is " + std::to_string(row) + ", and its column is " +
           std::to_string(col) + ", as blockIdx and threadIdx count them: y down the rows, x along them.";
  }
  return "";
}

/// The line about whole numbers that the launch passes, and that may be pitches in bytes.
std::string pitches_given(const named_array& array, const launch_state& launch) {
  std::string given;
  const char* names = launch.kernel.parameters;
  for (int i = 0; i < launch.request.argument_count && names != nullptr && *names != '\0'; ++i) {
    const std::size_t length = std::strcspn(names, ",");
    const std::string name(names, length);
    const auto bytes = static_cast<long long>(array.begins_at + array.size);
    const long long pitch = launch.request.arguments[i].number;
    if (pitch > static_cast<long long>(array.element_size) &&
        pitch % static_cast<long long>(array.element_size) == 0 && bytes % pitch == 0 &&
        name.find("pitch") != name.npos)
      given += (given.empty() ? "" : ", ") + name + " = " + std::to_string(pitch);
    names += length + (names[length] == ',');
  }
  if (given.empty() || launch.request.line == 0) return "";
  because(finding_cause::pitch_in_bytes, source_place{launch.request.file, launch.request.line}.text());
  return "\n  The launch at " + source_place{launch.request.file, launch.request.line}.text() + " passes " +
         given + ": in bytes or in elements?";
}

/// Has the index been computed in bytes, as far as that can be told from outside? If so, the line about it.
std::string bytes_for_elements(const raw_finding& f, const named_array& array, const launch_state& launch) {
  if (!array.known || array.element_size < 2 || array.offset < static_cast<std::ptrdiff_t>(array.size))
    return "";
  const auto each = static_cast<std::ptrdiff_t>(array.element_size),
             count = static_cast<std::ptrdiff_t>(array.size) / each, index = array.offset / each,
             farthest = index_of(f.farthest, f, array);
  const std::string size = std::to_string(each);
  const char* const count_elements =
      " An index counts elements: leave out sizeof(), and divide a pitch\n"
      "  in bytes by the size of an element.";
  // All threads together: not many more than there are elements, and indices as if each of those were a byte.
  const auto threads = static_cast<std::ptrdiff_t>(launch.threads_per_block) *
                       (f.shared_offset == ~0ull ? static_cast<std::ptrdiff_t>(launch.blocks) : 1);
  if (threads <= 2 * count && farthest * 10 >= 8 * each * count && farthest < each * count)
    return "  Usual cause: bytes taken for elements. The indices go up to about " + size +
           " times the number of elements,\n  and an element has " + size + " bytes." + count_elements +
           pitches_given(array, launch);
  // One thread: its column times the size of an element, in a row of as many elements as an argument says.
  if (f.block == ~0ull) return "";
  const auto [row, col] = place_in_grid(f, launch);
  const auto columns = static_cast<std::ptrdiff_t>(launch.grid().x) * launch.block().x;
  for (int i = 0; i < launch.request.argument_count && col > 0 && row > 0; ++i) {
    const std::ptrdiff_t pitch = launch.request.arguments[i].number;
    if (pitch <= 1 || columns * 2 < pitch || row > count / pitch) continue;
    if (index == row * pitch + col * each && row * pitch + col < count)
      return "  Usual cause: bytes taken for elements. The index is row " + std::to_string(row) + " * " +
             std::to_string(pitch) + " + column " + std::to_string(col) + " * " + size +
             ", and an element\n  has " + size + " bytes." + count_elements;
  }
  return "";
}

/// Has the array as many bytes as an argument of the kernel says that it has elements? If so, the line about
/// it.
std::string elements_for_bytes(const raw_finding& f, const named_array& array, const launch_state& launch) {
  const auto each = static_cast<std::ptrdiff_t>(array.element_size);
  if (!array.known || array.name.empty() || each < 2 || f.shared_offset != ~0ull || array.begins_at != 0)
    return "";
  const auto in = device_memory::instance().near(f.address);
  if (!in || in->kind != allocation_kind::device || in->size != array.size) return "";
  const auto bytes = static_cast<std::ptrdiff_t>(array.size);
  // Nearly as far as there would be elements: a small number that is equal by chance does not lead there.
  const std::ptrdiff_t farthest = index_of(f.farthest, f, array);
  if (array.offset < bytes || farthest >= bytes || farthest * 10 < 8 * bytes) return "";
  const char* names = launch.kernel.parameters;
  for (int i = 0; i < launch.request.argument_count && names != nullptr && *names != '\0'; ++i) {
    const std::size_t length = std::strcspn(names, ",");
    if (launch.request.arguments[i].number == bytes) {
      because(finding_cause::small_allocation, array.made_at);
      return "  " + array.name + " has " + std::to_string(bytes) + " bytes, and " +
             std::string(names, length) + " is " + std::to_string(bytes) +
             ". Usual cause: an allocation whose size counts elements.\n  cudaMalloc() takes bytes: elements "
             "times sizeof(). Or, where " +
             array.name + " is not to have " + std::to_string(bytes) +
             " elements, a guard is missing or wrong.";
    }
    names += length + (names[length] == ',');
  }
  return "";
}

bool has_one_dimension(const launch_state& launch) {
  const dim3 grid = launch.grid(), block = launch.block();
  return grid.y == 1 && grid.z == 1 && block.y == 1 && block.z == 1;
}

/// The head of a loop around the line `place` whose variable is the whole index there, and which begins at a
/// number or goes on by a step: no guard but its own bound holds it. Empty where there is none.
std::string counted_too_far(const source_place& place, const named_array& array) {
  const auto heads = loops_around(place);
  const std::string line = line_text(place);
  for (std::size_t i = heads ? heads->size() : 0; i-- > 0;) {
    const std::string& head = (*heads)[i];
    const std::string counted = loop_variable(head);
    if (counted.empty() || line.find(array.name + "[" + counted + "]") == line.npos) continue;
    const std::size_t begin = head.find_first_not_of(' ', head.find('=') + 1);
    const bool of_number =
        begin < head.size() && head.find_first_not_of("0123456789", begin) == head.find(';', begin);
    if (of_number || head.find("+=") != head.npos) return head;
  }
  return "";
}

/// ", and taps is 34": the argument of the kernel that the loop's condition names, and that is more than
/// `count`. Empty without one.
std::string bound_beyond(const std::string& head, std::ptrdiff_t count, const launch_state& launch) {
  const std::string condition = head.substr(std::min(head.find(';'), head.size()));
  std::string_view names = launch.kernel.parameters == nullptr ? "" : launch.kernel.parameters;
  for (int i = 0; i < launch.request.argument_count && !names.empty(); ++i) {
    const std::string name(names.substr(0, names.find(',')));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    if (launch.request.arguments[i].number > count && has_word(condition, name))
      return ", and " + name + " is " + std::to_string(launch.request.arguments[i].number);
  }
  return "";
}

/// Why such a loop goes too far, in an array whose size the program fixes or not.
std::string too_far(const std::string& head, const named_array& array, std::ptrdiff_t count, bool is_fixed,
                    const launch_state& launch) {
  const std::string bound = bound_beyond(head, count, launch);
  return "  The loop's " + loop_variable(head) + " goes too far: " + array.name + " has " +
         std::to_string(count) + (count == 1 ? " element" : " elements") + bound +
         ". Usual cause: " + (head.find("<=") == head.npos ? "" : "<= in place of < in the loop, or ") +
         (bound.empty() || !is_fixed
              ? "a wrong bound\n  (are the arguments of the launch in the order of the parameters?)."
              : "more than fit.\n  Refuse so many before the launch, or let the array have as many.");
}

/// "m", where the line reads one element of the array, and its index is short and has a name; else empty.
std::string index_as_written(const source_place& place, const std::string& array) {
  const std::string line = line_text(place);
  const std::size_t at = line.find(array + "[");
  if (at == line.npos || line.find(array + "[", at + 1) != line.npos) return "";
  const std::size_t begin = at + array.size() + 1, end = line.find(']', begin);
  const std::string index = end == line.npos ? "" : line.substr(begin, end - begin);
  const auto simple = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == ' ' || c == '-' || c == '+';
  };
  return index.size() < 16 && std::all_of(index.begin(), index.end(), simple) ? index : "";
}

/// The line of the guard that lets this thread pass, where it does not test the index; 0: there is none.
int guard_of_another(const source_place& place, const std::string& index) {
  int found = 0;
  for (const auto& [number, line] : function_around(place))
    if (number < place.line && has_word(line, "if") && has_word(line, "return"))
      found = has_word(line, index.substr(0, index.find(' '))) ? 0 : number;
  return found;
}

/// The usual cause of an index that is out of range. Is there an element with the thread's own number? Then
/// the guard was right to let it pass. A `return` before a barrier would be the next mistake: there, and of
/// shared memory, the guard is another one.
std::string wrong_index(const raw_finding& f, const named_array& array, const launch_state& launch) {
  const bool is_shared = f.shared_offset != ~0ull;
  const source_place place = place_in_source(f, launch).own;
  const int barrier = is_shared ? 0 : barrier_behind(place);
  const std::string guard = barrier != 0 && f.what == access_kind::read
                                ? "i < size ? " + (array.name.empty() ? "x" : array.name) + "[i] : 0"
                            : barrier != 0 || is_shared ? "if (i < size)"
                                                        : "if (i >= size) return;",
                    any = "Usual cause: a missing guard such as " + guard + (guard.back() == ';' ? "" : ",") +
                          (f.what == access_kind::read
                               ? " an index such as x[i + 1]\n  at the end of the array,"
                               : "") +
                          " or a wrong formula for the index.";
  if (!array.known || array.name.empty() || !has_one_dimension(launch)) {
    because(finding_cause::index_formula);
    return "  " + any;
  }
  const auto each = static_cast<std::ptrdiff_t>(array.element_size);
  const std::ptrdiff_t count = static_cast<std::ptrdiff_t>(array.size) / each,
                       farthest = index_of(f.farthest, f, array), threads = launch.threads_per_block,
                       own = f.thread + (is_shared ? 0 : static_cast<std::ptrdiff_t>(f.block) * threads);
  if (const std::string head = counted_too_far(place, array); !head.empty() && array.offset >= 0)
    return too_far(head, array, count, is_shared || near_variable(f.address) != nullptr, launch);
  const std::string written =
                        f.what != access_kind::read || is_shared ? "" : index_as_written(place, array.name),
                    test = "Right: read only if (0 <= " + written + " && " + written +
                           " < size), with the size of " + array.name + ".";
  const int guarded = written.empty() ? 0 : guard_of_another(place, written);
  const std::string untested =
      "  Here " + written + " is " + std::to_string(array.offset / each) + ", and " + array.name + " has " +
      std::to_string(count) + (count == 1 ? " element" : " elements") + ". Usual cause: no test of " +
      written + ", or a wrong one.\n  " + test + " The guard in line " + std::to_string(guarded) +
      "\n  does not do that: it lets a thread pass that has an output.";
  const std::string number = std::to_string(own),
                    whole = is_shared ? "  This is thread " + number + " of its block"
                                      : "  In the whole grid this is thread " + number;
  if (own >= count && guarded > 0 && array.offset > 0) return untested;
  if (own >= count) {
    const std::string has = whole + ", and " + array.name + " has " + std::to_string(count) +
                            (count == 1 ? " element. Usual cause: " : " elements. Usual cause: ");
    // A thread without a sample may have an output.
    const bool may_go_on = barrier == 0 && !is_shared && f.what == access_kind::read;
    // A thread for each byte, and some more in the last of several blocks: were elements meant?
    const auto bytes = static_cast<std::ptrdiff_t>(array.size),
               all = threads * static_cast<std::ptrdiff_t>(launch.blocks);
    const auto in = is_shared ? std::nullopt : device_memory::instance().near(f.address);
    const bool may_be_too_small = in && in->kind == allocation_kind::device && in->size == array.size &&
                                  each > 1 && array.begins_at == 0 && own < bytes &&
                                  (bytes == all || (threads < bytes && bytes < all && all < bytes + threads));
    if (may_be_too_small) because(finding_cause::small_allocation, array.made_at);
    const std::string right =
        ". Right: " + guard +
        (may_go_on ? "\n  Where the thread has work left after this read, guard only the read: if (i < size)."
         : barrier != 0 ? "\n  A return would be wrong: all threads of the block must reach line " +
                              std::to_string(barrier) + "."
                        : "") +
        (may_be_too_small
             ? "\n  Or " + array.name + " is too small: its size in bytes is " + std::to_string(bytes) +
                   ", about the number of threads, and cudaMalloc() takes bytes."
             : "");
    if (own == count && f.times == 1)
      return has + "a guard with " + (is_shared || barrier != 0 ? "<= in place of <" : "> in place of >=") +
             ", or\n  no guard" + right;
    const bool of_no_thread = !is_shared && farthest >= threads * static_cast<std::ptrdiff_t>(launch.blocks);
    return has + "a missing guard,\n  or a wrong one" + right +
           (of_no_thread ? "\n  And no thread has the number " + std::to_string(farthest) +
                               ": is the formula for the index right?"
                         : "");
  }
  if (array.offset < 0)
    return "  Usual cause: an index below 0, such as x[i - 1] at the beginning of the array." +
           (written.empty() ? "" : "\n  " + test);
  if (farthest == count && array.offset / each == count && count > 0)
    return "  The last element is " + subscripted(array, count - 1) +
           ". Usual cause: an index that is one too large, such as x[i + 1] at the end of the array.";
  if (guarded > 0) return untested;
  because(finding_cause::index_formula);
  return "  " + any + "\n" +
         (is_shared ? whole + "."
                    : "  Is the thread's number in the whole grid meant? That is " + number +
                          " = blockIdx.x * blockDim.x + threadIdx.x.");
}

/// Is the line in a loop whose step, or whose own variable, may have led to the element? Yes, too, where
/// nobody knows.
bool is_stepped(const source_place& place) {
  const auto heads = loops_around(place);
  if (!heads) return true;
  const std::string line = line_text(place);
  return std::any_of(heads->begin(), heads->end(), [&](const std::string& head) {
    const std::string counted = loop_variable(head);
    return counted.empty() || head.find("+=") != head.npos || line.find("[" + counted + "]") != line.npos;
  });
}

/// Why two threads wrote to one element: of the threads' own numbers in the grid, which one is its index?
std::string same_index(const raw_finding& f, const launch_state& launch) {
  because(finding_cause::same_index);
  const bool is_shared = f.shared_offset != ~0ull;
  const std::string cause = " Usual cause: both threads computed the same index",
                    step = is_shared
                               ? "blockDim.x, the number of threads of the block."
                               : "gridDim.x * blockDim.x where all blocks go through the\n  array together, "
                                 "and blockDim.x where each block goes through a part of its own.";
  const source_place own = place_in_source(f, launch).own, others = place_in_source(f.other_pc, launch).own;
  const bool stepped = is_stepped(own) || is_stepped(others),
             rounds = !stepped && (!loops_around(own)->empty() || !loops_around(others)->empty());
  const std::string in_rounds = rounds ? ", and in every round of the loop." : ".";
  if (!has_one_dimension(launch))
    return cause + ". It must be\n  different for every " + (is_shared ? "thread" : "thread of every block") +
           (stepped ? ", also in a loop." : in_rounds);
  const named_array array = array_at(f, &launch, place_in_source(f, launch));
  if (!is_shared && array.known && !array.name.empty()) {
    const auto threads = static_cast<std::ptrdiff_t>(launch.threads_per_block),
               index = array.offset / static_cast<std::ptrdiff_t>(array.element_size),
               one = static_cast<std::ptrdiff_t>(f.block) * threads + f.thread,
               other = static_cast<std::ptrdiff_t>(f.other_block) * threads + f.other_thread;
    if (f.block != f.other_block && f.thread == f.other_thread && index == f.thread)
      return cause +
             ": threadIdx.x begins\n  at 0 in every block. In the whole grid, a thread has the number "
             "blockIdx.x * blockDim.x + threadIdx.x.";
    // At least one began below it, and came there by a loop, most likely.
    if (index >= std::max(one, other) && one != other && stepped)
      return cause + ". In a loop, the\n  step is wrong: it is usually " + step +
             "\n  Elsewhere, the formula is: blockIdx.x * blockDim.x + threadIdx.x is different for every "
             "thread.";
  }
  if (!stepped && !rounds && !is_shared && f.block != f.other_block) {
    const auto number = [&](std::uint64_t block, int thread) {
      return block * static_cast<std::uint64_t>(launch.threads_per_block) +
             static_cast<std::uint64_t>(thread);
    };
    const std::uint64_t one = number(f.block, f.thread), other = number(f.other_block, f.other_thread);
    return cause + ". They are threads\n  " + std::to_string(std::min(one, other)) + " and " +
           std::to_string(std::max(one, other)) +
           " of the grid: blockIdx.x * blockDim.x + threadIdx.x is different for every thread.";
  }
  return cause + ". It must be\n  different for every " +
         (is_shared ? "thread, as threadIdx.x is"
                    : "thread of every block, as blockIdx.x * blockDim.x + threadIdx.x is") +
         (stepped ? ". Or a loop has\n  a wrong step. It is usually " + step : in_rounds);
}

std::string race_text(const raw_finding& f, const launch_state& launch) {
  std::string text = title(f, "race", launch) + access_lines(f, launch) + "  " +
                     who(f.other_block, f.other_thread, launch) + " " + other_does_at(f) +
                     text_of(place_in_source(f.other_pc, launch)) + "\n" + often(f);
  const bool both_write = f.what == access_kind::write && f.other_what == access_kind::write;
  const bool is_shared = f.shared_offset != ~0ull;
  const char* const add = " (To add to one element, use atomicAdd(), or its like.)";
  const char* const same =
      f.same_value
          ? "\n  (Both write the same value here. That is right only where no data can make the values "
            "differ.)"
          : "";
  if (f.block != f.other_block && f.fenced)
    return text +
           "  That block calls __threadfence() and hands on what came before it, but not this. Usual cause: "
           "a missing\n"
           "  __syncthreads() between the access and the fence, or between the fence and the atomic that "
           "tells other\n"
           "  blocks. A fence also covers the writes of other threads, but only of those that reached a\n"
           "  barrier together with its thread before the fence." +
           same;
  if (both_write) {
    text += f.same_value ? "  A race: nothing orders the two."
                         : "  A race: nothing orders the two, so either value may stay.";
    return text + same_index(f, launch) + same;
  }
  text += "  A race: nothing orders the two.\n";
  if (f.block != f.other_block) {
    if (launch.request.shape.cooperative)
      return text + "  Usual cause: a missing grid.sync() between writing and reading." + add;
    return text +
           "  Blocks cannot wait for each other within a launch. Usual cause: one block uses what another\n"
           "  changes: write to a second array, or read it in a second launch." +
           add;
  }
  if (!is_shared)
    return text +
           "  Usual cause: one thread changes what another one still reads: write to a second array, "
           "or let each\n"
           "  thread compute itself what it needs. A __syncthreads() between the two orders "
           "the threads of one\n"
           "  block only, and all blocks use global memory." +
           add;
  if (const std::string guard =
          guard_around(place_in_source(f, launch).own, place_in_source(f.other_pc, launch).own);
      !guard.empty())
    return text + "  Both are inside " + guard +
           ", where no __syncthreads() may stand. Usual cause: the condition lets\n"
           "  in too many threads, because a bound is missing or wrong. Or two steps in one if: end it after "
           "the first one,\n  let all threads come to a __syncthreads(), and begin a second if." +
           (place_of(f.pc) == place_of(f.other_pc) ? add : "");
  text +=
      "  Usual cause: a missing __syncthreads() between writing and reading, or\n"
      "  before the next round of a loop overwrites what others still read.";
  // As in sums[bin] += 1: no barrier helps there.
  if (place_of(f.pc) == place_of(f.other_pc)) text += add;
  const auto kernel = function_around(place_in_source(f, launch).own);
  const bool has_barrier = std::any_of(
      kernel.begin(), kernel.end(), [](const auto& each) { return has_word(each.second, "__syncthreads"); });
  // Where a barrier of the block is in the wrong place, a second kind of barrier is no help.
  if (!f.across_warps && !has_barrier)
    text += std::string("\n  (") + (f.times == 1 ? "Here" : "Each time") +
            " both threads are of one warp, 32 threads that run together. If only those use the\n"
            "  data, __syncwarp() is enough, a barrier for the threads of one warp.)";
  return text;
}

/// Why global memory may be uninitialized: what has destroyed its contents, or what has been written of it
/// last, if that was its beginning alone.
std::string unwritten(const raw_finding& f, const launch_state& launch) {
  if (const auto lost = device_memory::instance().lost(f.address))
    return "  " + lost->text() + "\n  Usual cause: " + lost->cause;
  const auto in = device_memory::instance().find(f.address);
  const std::size_t offset =
      in ? static_cast<std::size_t>(static_cast<const char*>(f.address) - in->begin) : 0;
  if (in && in->pitch != 0 && offset % in->pitch >= in->row)
    return "  The rows of this memory have " + bytes(in->row) + " and lie " + bytes(in->pitch) +
           " apart, its pitch. Bytes " + std::to_string(in->row) + " to " + std::to_string(in->pitch - 1) +
           " of each\n  row are padding, and this is byte " + std::to_string(offset % in->pitch) +
           " of row " + std::to_string(offset / in->pitch) +
           ". Usual cause: an index without the pitch. A row begins at\n  (char*)pointer + row * pitch.";
  const auto part = in ? device_memory::instance().part_written(*in) : std::nullopt;
  const std::string line = part ? line_of(part->made_at) : "";
  if (line.empty() || static_cast<const char*>(f.address) < in->begin + part->size)
    return "  Usual cause: a missing cudaMemcpy() or cudaMemset(), or a kernel that does not write all "
           "elements.";
  const std::size_t each = array_at(f, &launch, place_in_source(f, launch)).element_size;
  because(finding_cause::short_write, line);
  const std::string text = "  " + std::string(part->function) + "() at " + line + " wrote only the first " +
                           std::to_string(part->size) + " of its " + bytes(in->size);
  if (each > 1 && part->size == in->size / each)
    return text +
           ", as many as it has elements.\n  Usual cause: a size that counts elements. It counts bytes: "
           "elements times sizeof().";
  return text +
         ".\n  Usual cause: a size that is too small. It counts bytes: elements times sizeof(). Or a "
         "kernel does not write the rest.";
}

std::string uncopied_text(const raw_finding& f, const launch_state& launch) {
  const variable_record& variable = *find_variable(f.address);
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(f.address) - variable.begin);
  const copy_in_words copy = nearest_copy_to(variable, offset);
  const std::string name = variable.name,
                    text = title(f, "read of constant memory that nothing was copied to", launch) +
                           access_lines(f, launch) + often(f);
  if (copy.text.empty()) {
    because(finding_cause::no_copy, source_place{launch.request.file, launch.request.line}.text());
    return text + "  Nothing was copied to " + name + ": all of it is zero. Missing: cudaMemcpyToSymbol(" +
           name + ", ...) before the launch\n  at " +
           source_place{launch.request.file, launch.request.line}.text() + ".";
  }
  // Whole elements were copied, and the first one after them is read: the index may be what is wrong.
  const bool is_next = offset == copy.offset + copy.size && copy.size % f.size == 0;
  because(is_next ? finding_cause::short_copy_or_index : finding_cause::short_copy, copy.place);
  return text + "  These are bytes " + std::to_string(offset) + " to " + std::to_string(offset + f.size - 1) +
         " of " + name + ". They are zero. The nearest copy to them, " + copy.text + ".\n  Usual cause: " +
         (is_next ? "an index that is too large; or a size " : "a size or an offset ") +
         "that counts elements. " + (is_next ? "A size counts" : "Both count") +
         " bytes: elements times sizeof().";
}

std::string stale_texture_text(const raw_finding& f, const launch_state& launch) {
  return title(f, "read through a texture of what the same kernel writes", launch) + access_lines(f, launch) +
         "  " + who(f.other_block, f.other_thread, launch) + " " + other_does_at(f) +
         text_of(place_in_source(f.other_pc, launch)) + "\n" + often(f) +
         "  The texture cache does not see what a running kernel writes, and no barrier helps. Read\n"
         "  through the pointer, write to a second array, or fetch in a later launch.";
}

std::string asynchronous_copy_text(const raw_finding& f, const launch_state& launch) {
  const std::string other = who(f.other_block, f.other_thread, launch),
                    there = f.other_pc != 0 ? text_of(place_in_source(f.other_pc, launch)) : "";
  switch (f.copy) {
    case copy_fault::not_landed: {
      const bool writes = f.what != access_kind::read;
      std::string text = title(f,
                               writes ? "write to memory that an asynchronous copy is still filling"
                                      : "read of memory that an asynchronous copy is still filling",
                               launch) +
                         access_lines(f, launch);
      if (!there.empty()) {
        text += "  " + other + " copies there, at " + there + ", and ";
        if (f.at_barrier)
          text += "the phase of its barrier is not complete";
        else if (f.waited_pc == 0)
          text += "has not waited since";
        else
          text += "has waited at " + place_of(f.waited_pc).text() +
                  (f.committed ? " only for stages of copies before this one"
                               : ", but the copy is in no stage yet");
        text += "\n";
      }
      if (f.at_barrier)
        return text + often(f) +
               "  A barrier in shared memory tracks the copy, and tells those who wait for its phase that "
               "it is done.\n"
               "  Usual cause: no wait before the use, or one for another phase (parity) or another barrier.";
      text += often(f) + "  A copy lands when the thread that asked for it waits for its stage. ";
      if (f.waited_pc != 0 && !f.committed)
        return text +
               "Usual cause: a missing __pipeline_commit()\n  (cp.async.commit_group) between the copy and "
               "the wait.";
      if (f.waited_pc != 0 && (f.nothing_new || f.groups <= f.groups_left)) {
        const std::string n = std::to_string(f.groups_left), m = std::to_string(f.groups);
        text += "Before this wait it has\n  committed " + m + (f.groups == 1 ? " stage" : " stages") +
                (f.nothing_new ? ", none of them since the wait before" : "") +
                ", and __pipeline_wait_prior(" + n + ") leaves the last " + (n == "1" ? "one" : n) +
                " under way.";
        because(finding_cause::missing_stage, place_of(f.waited_pc).text());
        return text +
               "\n  Usual cause: a turn that commits no stage, as with __pipeline_commit() inside an if. "
               "Commit in every turn,\n  also where there is nothing to copy: an empty stage counts. Or " +
               n + " is too many.";
      }
      if (f.waited_pc != 0)
        return text +
               "Usual cause: the wait leaves too many\n  stages under way: __pipeline_wait_prior(N) waits "
               "for all but "
               "the last N stages of its thread.";
      if (writes)
        return text +
               "Usual cause: a part of shared memory that\n  is filled again before the wait for the copy "
               "to it.";
      return text +
             "Usual cause: no wait\n  (__pipeline_wait_prior(0), wait(group)) before the read, or no "
             "__syncthreads() "
             "between the wait\n  and the reads of other threads: first the wait, then the barrier.";
    }
    case copy_fault::source_changed: {
      std::string text = title(f, "asynchronous copy whose source changes before it lands", launch) +
                         access_lines(f, launch);
      if (!there.empty())
        text += "  " + other + " " + does(f.other_what) + " there before the wait for the copy, at " + there +
                "\n";
      return text + often(f) +
             "  A copy may read its source at any moment until it lands. Usual cause: a missing wait before "
             "the\n"
             "  source is written. Wait first, or write to a second array.";
    }
    case copy_fault::never_waited: {
      const named_array from = array_at(f, &launch, place_in_source(f, launch));
      return title(f, "bulk copy that its thread does not wait for", launch) + "  " +
             who(f.block, f.thread, launch) + " copies " + bytes(f.size) + " from " + element_text(from, f) +
             ", and returns\n" + often(f) +
             "  The shared memory of a block that has ended is given to another block, whether the copy has "
             "read it or\n"
             "  not. Wait before the end: cp.async.bulk.wait_group.read 0, or "
             "cp_async_bulk_wait_group_read().";
    }
    case copy_fault::none:
      break;
  }
  if (is_of_barrier(f.what) || is_of_barrier(f.other_what))
    return title(f, "race with an asynchronous copy", launch) + access_lines(f, launch) + "  " + other + " " +
           other_does_at(f) + there + "\n" + often(f) +
           "  A barrier in shared memory tracks the copy, and tells those who wait for its phase that it is "
           "done.\n"
           "  Usual cause: no wait before the use, or one for another phase (parity) or another barrier.";
  const bool mine_copies =
      f.what == access_kind::landing || f.what == access_kind::delivery || f.what == access_kind::collection;
  const auto of_kernel = [&](std::uint64_t pc) {
    const access_place place = place_in_source(pc, launch);
    return place.kernel.line == 0 ? text_of(place) : place.kernel.text();
  };
  return title(f, "race with an asynchronous copy", launch) + access_lines(f, launch) + "  " + other + " " +
         other_does_at(f) + there + "\n" + often(f) +
         "  Usual cause: a missing __syncthreads() between the wait for the copy and its use by other "
         "threads, at\n  " +
         of_kernel(mine_copies ? f.other_pc : f.pc) +
         " (a wait counts for the thread that waits: first the wait, then the barrier),\n  or, in a loop, "
         "between that use and the next copy to the same place.";
}

std::string barrier_text(const raw_finding& f, const launch_state& launch) {
  const std::string barrier = f.at_tile   ? "for its tile"
                              : f.at_grid ? "at grid.sync()"
                                          : "at __syncthreads()",
                    group = f.at_tile ? "tile" : "block";
  std::string text = title(f, "divergent barrier", launch) + "  " + who(f.block, f.thread, launch) +
                     " waits " + barrier + " at " + place_of(f.pc).text() + "\n  ";
  if (f.other_pc != 0)
    return text + who(f.other_block, f.other_thread, launch) + " waits " +
           (f.at_tile ? "for it" : "at the one") + " at " + place_of(f.other_pc).text() +
           "\n  All threads of a " + group + " must reach the same " +
           (f.at_tile   ? "call"
            : f.at_grid ? "grid.sync()"
                        : "__syncthreads()") +
           ". Usual cause: a barrier inside an if, or one in each of its branches; put it where all "
           "threads reach it.";
  because(finding_cause::returned_before);
  return text + who(f.other_block, f.other_thread, launch) +
         " has already returned from the kernel (as have " + std::to_string(f.missing) + " of " +
         std::to_string(f.missing + f.arrived) + " threads of this " + group +
         ")\n  GPUs since Volta do not hang here, but the program is not portable, and "
         "what those "
         "threads\n  should have written before the barrier is not there.\n  Usual cause: a barrier inside "
         "an if or a "
         "loop that not all threads enter, or if (i >= size) return; before the last barrier. Put the "
         "barrier "
         "where all threads reach it.";
}

/// "a.cu:12", or "a.cu:12 (called from a.cu:30)".
std::string way_to(std::uint64_t pc) {
  const std::vector<source_place> places = places_of(pc);
  if (places.empty()) return place_of(pc).text();
  std::string text = places.front().text();
  // The last one is the kernel, or what was called without being inlined.
  for (std::size_t i = 1; i < places.size(); ++i)
    text += (i == 1 ? " (called from " : ", ") + places[i].text();
  return places.size() == 1 ? text : text + ")";
}

std::string lane(int thread) { return "lane " + std::to_string(thread % 32); }

std::string hexadecimal(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

std::string absent_lane_text(const raw_finding& f, const launch_state& launch) {
  const dim3 block = launch.block();
  const int threads = static_cast<int>(block.x * block.y * block.z);
  const bool named = (f.mask >> f.other_thread % 32 & 1) != 0;
  const char* const what = !named ? "shuffle reads from a lane outside its mask"
                           : f.other_thread >= threads
                               ? "shuffle reads from a lane that the block does not have"
                           : f.met_pc != 0 ? "shuffle reads from a lane that did not execute it"
                                           : "shuffle reads from a lane that has already returned";
  std::string text = title(f, what, launch) + "  " + who(f.block, f.thread, launch) + ", " + lane(f.thread) +
                     " of its warp, reads from " + lane(f.other_thread) + " at " + way_to(f.pc) + "\n  ";
  if (!named) {
    text += "The mask " + hexadecimal(f.mask) + " does not name " + lane(f.other_thread) + "\n";
  } else if (f.other_thread >= threads) {
    text += "The block has only " + std::to_string(threads) + " threads, and its last warp fewer than 32\n";
  } else {
    text += who(f.other_block, f.other_thread, launch) + " is that lane; it ";
    if (f.met_pc == 0)
      text += "has returned from the kernel\n";
    else if (places_of(f.met_pc) == places_of(f.pc))
      text += "came here before, but not this time, and has ended\n";
    else
      text += "came to " + way_to(f.met_pc) + ", but did not take part here, and has ended\n";
  }
  text += often(f) + "  The value from a lane that does not take part is undefined.\n";
  if (!named)
    return text + "  Usual cause: a mask of the wrong lanes, or a distance or width that leaves them.";
  if (f.other_thread >= threads)
    return text +
           "  Usual cause: a tree over 32 lanes. Launch whole warps, and let the spare lanes contribute a "
           "zero.";
  if (f.met_pc != 0)
    return text +
           "  Usual cause: a shuffle inside an if, or a loop, that not all lanes enter. "
           "Let all lanes shuffle, "
           "then\n"
           "  choose. Or a return between the two places.";
  return text +
         "  Usual cause: if (i >= size) return; before the shuffle, or a shuffle inside an if. Let all "
         "lanes of\n"
         "  the warp reach it, spare ones with a neutral value (0 for a sum), and guard only the store of "
         "the result.";
}

std::string unnamed_lane_text(const raw_finding& f, const launch_state& launch) {
  return title(f, "mask that does not name the calling lane", launch) + "  " +
         who(f.block, f.thread, launch) + ", " + lane(f.thread) + " of its warp, comes to " + way_to(f.pc) +
         "\n  with the mask " + hexadecimal(f.mask) + ", in which its bit is not set\n" +
         "  The mask must name every lane that calls the shuffle, the vote or __syncwarp(). Otherwise the "
         "result is\n"
         "  undefined, and the lane may wait forever.\n"
         "  Usual cause: a mask of some lanes, such as 0xffff, at a place that all lanes of the warp reach. "
         "Name\n"
         "  all of them (0xffffffff), or let only the named lanes reach it: if (lane < 16).";
}

std::string skipped_text(const raw_finding& f, const launch_state& launch) {
  return title(f, "a lane skips a call that the rest of its warp is waiting at", launch) + "  " +
         who(f.block, f.thread, launch) + ", " + lane(f.thread) + " of its warp, waits at " + way_to(f.pc) +
         " for the lanes of the mask " + hexadecimal(f.mask) + "\n  " +
         who(f.other_block, f.other_thread, launch) + ", " + lane(f.other_thread) +
         ", never reaches that place, but uses memory at " + way_to(f.other_pc) + "\n" + often(f) +
         "  All lanes that the mask names must reach this place, unless they have returned. Otherwise the "
         "result is\n"
         "  undefined. Usual cause: a shuffle, a vote or a __syncwarp() inside an if. Put it before the if, "
         "or name\n"
         "  only the lanes that reach it (__ballot_sync() before the if tells which).";
}

std::string incomplete_warp_text(const raw_finding& f, const launch_state& launch) {
  const dim3 block = launch.block();
  const int threads = static_cast<int>(block.x * block.y * block.z);
  std::string text = title(f, (f.text + " without all lanes of the warp").c_str(), launch) + "  " +
                     who(f.block, f.thread, launch) + " waits at " + way_to(f.pc) + "\n  ";
  if (f.other_pc != 0) {
    text += who(f.other_block, f.other_thread, launch) + " of the same warp is at " +
            (way_to(f.pc) == way_to(f.other_pc) ? "another instruction on this line" : way_to(f.other_pc));
  } else if (f.other_thread >= threads) {
    text += "The block has " + std::to_string(threads) + " threads, and its last warp fewer than 32";
  } else {
    because(finding_cause::returned_before);
    text += who(f.other_block, f.other_thread, launch) + ", " + lane(f.other_thread) +
            ", has already returned from the kernel (" + std::to_string(f.missing) +
            " of 32 lanes are missing)";
  }
  return text +
         "\n  All 32 lanes of a warp must execute a matrix instruction together: each holds a part of the "
         "matrices.\n"
         "  Usual cause: the instruction inside an if, a guard that returns before it, or a block that is "
         "no\n"
         "  multiple of 32 threads. Let all lanes reach it, with zeros where there is nothing, and guard "
         "the stores.";
}

std::string shuffle_text(const raw_finding& f, const launch_state& launch) {
  return title(f, "divergent shuffle", launch) + "  " + who(f.block, f.thread, launch) + " shuffles at " +
         way_to(f.pc) + "\n  " + who(f.other_block, f.other_thread, launch) +
         " of the same warp shuffles at " +
         (way_to(f.pc) == way_to(f.other_pc) ? "another place on this line" : way_to(f.other_pc)) + "\n" +
         often(f) +
         "  All lanes that the mask names must come to the same shuffle: otherwise they get values that were "
         "meant for another one.\n  Usual cause: a shuffle inside an if; shuffle first, then choose.";
}

/// What an index below zero would mean, and why it does not mean that.
std::string without_sign(const std::string& what) {
  return "  " + what +
         ", if the index had a sign. Usual cause: threadIdx.x - 1, or another difference\n"
         "  that is negative: threadIdx and its like are unsigned. Make an int of it first: int i = "
         "threadIdx.x;";
}

/// What is no multiple of the access's size, and why that is.
std::string misaligned_text(const raw_finding& f, const launch_state& launch) {
  const std::string size = std::to_string(f.size),
                    rule = "  An access of " + bytes(f.size) + " must begin at a multiple of " + size + ".";
  const named_array array = array_at(f, &launch, place_in_source(f, launch));
  const auto each = static_cast<std::ptrdiff_t>(f.size);
  const char* const cause =
      " Usual cause: a pointer cast to a\n"
      "  vector type (float4*) at an index that is not a multiple of the elements in a vector.";
  if (!array.known) return rule + cause;
  if (array.aligned) return rule + " " + std::to_string(array.offset) + " is not." + cause;
  const std::string name = array.name.empty() ? "the array" : array.name;
  return rule + (array.offset % each == 0 ? "" : " " + std::to_string(array.offset) + " is not, and") + " " +
         name + " itself does not begin at one.\n  Usual cause: " +
         (array.begins_at != 0
              ? "a pointer into the middle of an allocation, such as x + 1, as an argument."
              : "an array declared without an alignment: write alignas(" + size + ") in front of its type.");
}

std::string words(const raw_finding& f, const launch_state& launch) {
  switch (f.kind) {
    case finding_kind::race:
      return race_text(f, launch);
    case finding_kind::shared_barrier: {
      const named_array barrier = array_at(f, &launch, place_in_source(f, launch));
      return title(f, f.text.c_str(), launch) + "  " + who(f.block, f.thread, launch) +
             (f.at_barrier ? " waits for " : " uses ") + element_text(barrier, f) + "\n" + f.details;
    }
    case finding_kind::asynchronous_copy:
      return asynchronous_copy_text(f, launch);
    case finding_kind::divergent_barrier:
      return barrier_text(f, launch);
    case finding_kind::divergent_shuffle:
      return shuffle_text(f, launch);
    case finding_kind::absent_lane:
      return absent_lane_text(f, launch);
    case finding_kind::unnamed_lane:
      return unnamed_lane_text(f, launch);
    case finding_kind::incomplete_warp:
      return incomplete_warp_text(f, launch);
    case finding_kind::skipped_meeting:
      return skipped_text(f, launch);
    case finding_kind::use_after_free:
      return title(f, "use of freed memory", launch) + access_lines(f, launch) + often(f) +
             "  Usual cause: cudaFree() too early, or a pointer that was kept too long.";
    case finding_kind::out_of_bounds: {
      const variable_record* variable = find_variable(f.address);
      if (variable != nullptr && variable->space == memory_space::constant) {
        because(finding_cause::constant_write);
        return title(f, "write to constant memory", launch) + access_lines(f, launch) + often(f) +
               "  Kernels can only read __constant__ variables; the host writes them with "
               "cudaMemcpyToSymbol().";
      }
      const named_array meant = array_at(f, &launch, place_in_source(f, launch));
      const std::string text =
          title(f, "access out of bounds", launch) + access_lines(f, launch) + often(f, how_far(f, meant));
      if (f.shared_offset != ~0ull && launch.shared.dynamic_variable().size == 0 &&
          nearest_shared(f, launch) == &launch.shared.dynamic_variable())
        return text +
               "  Usual cause: a launch that asks for no dynamic shared memory: its bytes are the third "
               "number in\n"
               "  <<<blocks, threads, bytes>>>.";
      if (f.shared_offset != ~0ull && nearest_shared(f, launch) == &launch.shared.dynamic_variable() &&
          meant.element_size > 1 && meant.offset >= static_cast<std::ptrdiff_t>(meant.size) &&
          index_of(f.farthest, f, meant) < static_cast<std::ptrdiff_t>(meant.size) &&
          index_of(f.farthest, f, meant) >= static_cast<std::ptrdiff_t>(meant.size / 2)) {
        because(finding_cause::small_dynamic_shared, told == nullptr ? "" : told->launched_at);
        return text + "  The launch asks for " + bytes(meant.size) +
               ", the third number in <<<blocks, threads, bytes>>>. Usual cause: a number\n  of elements. "
               "It counts bytes: elements times sizeof().";
      }
      if (const std::string element = below_zero(meant, f); !element.empty())
        return text + without_sign("That is " + element);
      if (const std::string cause = bytes_for_elements(f, meant, launch); !cause.empty()) return text + cause;
      if (const std::string cause = elements_for_bytes(f, meant, launch); !cause.empty()) return text + cause;
      if (const std::string cause = rows_for_columns(f, meant, launch); !cause.empty()) return text + cause;
      if (!device_memory::instance().contains(f.address) && f.shared_offset == ~0ull && variable == nullptr &&
          near_variable(f.address) == nullptr)
        return text + "  Usual cause: a negative index, or an index with stray high bits.";
      return text + wrong_index(f, meant, launch);
    }
    case finding_kind::misaligned:
      return title(f, "misaligned access", launch) + access_lines(f, launch) + often(f) +
             misaligned_text(f, launch);
    case finding_kind::uninitialized_read:
      return title(f, "read of uninitialized memory", launch) + access_lines(f, launch) + often(f) +
             (f.shared_offset != ~0ull ? "  Usual cause: a halo or a last tile that no thread stages, "
                                         "an if that skips the store where it\n"
                                         "  should store a zero, or a missing barrier before the read."
                                       : unwritten(f, launch));
    case finding_kind::uncopied_constant:
      return uncopied_text(f, launch);
    case finding_kind::host_pointer: {
      const auto address = reinterpret_cast<std::uintptr_t>(f.address);
      if (address < 65536)
        return title(f, "null pointer", launch) + access_lines(f, launch) + often(f) +
               "  Usual cause: an allocation that failed or was forgotten; check what cudaMalloc() returns.";
      // Reads are refused only outside of it.
      if (f.what != access_kind::read && registered_at(f.address) &&
          (registered_at(f.address)->flags & cudaHostRegisterReadOnly) != 0)
        return title(f, "host memory used", launch) + access_lines(f, launch) + often(f) +
               "  Register it without cudaHostRegisterReadOnly where kernels also write it.";
      if (f.wrapped != 0) {
        because(finding_cause::index_below_zero);
        return title(f, "access out of bounds", launch) + access_lines(f, launch) + often(f) +
               without_sign("That is below an array of the thread");
      }
      if (!f.host_variable.empty())
        return title(f, "host memory used", launch) + access_lines(f, launch) + often(f) +
               "  A kernel cannot reach the host's variables. Pass the value as an argument of the kernel, "
               "or declare "
               "the\n  variable as __constant__, __device__ or __managed__.";
      return title(f, "host memory used", launch) + access_lines(f, launch) + often(f) +
             "  A kernel cannot reach the host's memory. Usual cause: a pointer of the host (malloc, new, a "
             "vector, a "
             "local variable) passed to a kernel; copy with cudaMalloc() and cudaMemcpy().\n"
             "  Or an index is far beyond an array of the device: one that is negative, or too large.";
    }
    case finding_kind::other_device: {
      const std::string own = device_text(launch.device),
                        peer = device_text(device_memory::instance().device_of(f.address));
      return title(f, "memory of another device used", launch) + access_lines(f, launch) + often(f) +
             "  The kernel runs on " + own + ", the memory is that of " + peer + ", and " + own +
             " has no access to it. Missing:\n  cudaDeviceEnablePeerAccess(" +
             std::to_string(device_memory::instance().device_of(f.address)) + ", 0) while " + own +
             " is current. Or the wrong device was current: for the allocation,\n  or for the launch.";
    }
    case finding_kind::array_index:
      return title(f, "index beyond an array", launch) + "  " + who(f.block, f.thread, launch) + f.text +
             "\n  The thread cannot continue: on a GPU it would use other registers or local memory.\n" +
             (f.details.empty()
                  ? "  Usual cause: a loop with <= where < is meant, or an array that is shorter "
                    "than the loop expects."
                  : without_sign("That is " + f.details));
    case finding_kind::wrong_texture:
      return title(f, "wrong use of a texture", launch) + texture_lines(f, launch) + often(f) + f.text;
    case finding_kind::stale_texture:
      return stale_texture_text(f, launch);
    case finding_kind::crash:
      return title(f, f.text.c_str(), launch) + "  " + who(f.block, f.thread, launch) +
             " cannot continue\n  " + f.cause;
    case finding_kind::deadlock:
    case finding_kind::copy_direction:
    case finding_kind::device_pointer:
    case finding_kind::unordered:
    case finding_kind::message:
    case finding_kind::leak:
    case finding_kind::too_much_shared_memory:
    case finding_kind::misuse:
      break;
  }
  return f.text;
}

/// What the words say of arrays and causes.
void add_array(finding_facts& facts, const raw_finding& f, const launch_state& launch) {
  if (f.address == nullptr && f.shared_offset == ~0ull) return;
  const named_array array = array_at(f, &launch, place_in_source(f, launch));
  const variable_record* const variable = find_variable(f.address);
  facts.space = f.shared_offset != ~0ull                                               ? "shared"
                : variable != nullptr && variable->space == memory_space::constant     ? "constant"
                : variable != nullptr || device_memory::instance().contains(f.address) ? "global"
                                                                                       : "host";
  if (!array.known) return;
  facts.array = array.name;
  facts.made_at = array.made_at;
  facts.begins_at = array.begins_at;
  if (array.element_size == 0) return;
  const auto each = static_cast<std::ptrdiff_t>(array.element_size);
  facts.elements = array.size / array.element_size;
  if (facts.elements > 1 || array.offset != 0 || array.is_pointer)
    facts.index = subscripted(array, array.offset / each).substr(array.name.size());
}

/// The other access, or the thread that others wait for: its place may be unknown.
bool has_other(const raw_finding& f) {
  return f.other_pc != 0 || f.kind == finding_kind::race || f.kind == finding_kind::divergent_barrier ||
         f.kind == finding_kind::absent_lane;
}

}  // namespace

finding describe(const raw_finding& f, const launch_state& launch) {
  finding_facts facts;
  facts.kernel = launch.kernel.name;
  if (launch.request.line != 0)
    facts.launched_at = source_place{launch.request.file, launch.request.line}.text();
  const auto text = [](const source_place& place) { return place.line == 0 ? "" : place.text(); };
  const auto access = [&](access_kind kind, const access_place& place, std::uint64_t block, int thread) {
    const std::string called_at =
        place.own == place.access && !(place.kernel == place.access) && !place.function.empty()
            ? text(place.kernel)
            : "";
    facts.accesses.push_back({does(kind), text(place.own), called_at,
                              triple(static_cast<std::uint64_t>(thread), launch.block()),
                              block == ~0ull ? "" : triple(block, launch.grid())});
  };
  access(f.what, place_in_source(f, launch), f.block, f.thread);
  if (has_other(f))
    access(f.other_what, f.other_pc != 0 ? place_in_source(f.other_pc, launch) : access_place{},
           f.other_block, f.other_thread);
  add_array(facts, f, launch);
  told = &facts;
  std::string all = words(f, launch);
  told = nullptr;
  if (f.kind == finding_kind::host_pointer && !f.host_variable.empty() && facts.cause == finding_cause::none)
    facts.cause = finding_cause::host_variable;
  return {f.kind, std::move(all), std::move(facts)};
}

std::string short_write(const char* file) {
  std::string text, said_at;
  for (const allocation& each : device_memory::instance().left()) {
    const auto part = device_memory::instance().part_written(each);
    if (!part || (part->size * 4 != each.size && part->size * 8 != each.size)) continue;
    const std::string place = line_of(part->made_at);
    const std::size_t name = place.rfind('/') + 1;  // 0 where there is no folder
    if (place.compare(name, std::strlen(file) + 1, std::string(file) + ":") != 0) continue;
    said_at = place;
    text = std::string(part->function) + "() at " + place + " wrote only the first " +
           std::to_string(part->size) + " of its " + bytes(each.size);
  }
  if (!text.empty()) tell_note("short_write", said_at, text);
  return text;
}

}  // namespace cuda_emulator
