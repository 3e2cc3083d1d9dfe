// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "cufft_check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "memory/library_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/shadow.hpp"
#include "memory/variables.hpp"
#include "order/movements.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {

void report_fft(const fft_call& call, finding_kind kind, const char* what, const std::string& text,
                const char* usual_cause) {
  const std::string line = line_of(call.called_at != nullptr ? *call.called_at : caller_outside()),
                    plan_line = line_of(call.plan.made_at);
  std::vector<finding> one;
  one.emplace_back(kind, (line.empty() ? "somewhere" : line) + ": error: " + what + " in " + call.name +
                             "()\n  " + text + "\n  The plan: " + call.plan.text() +
                             (plan_line.empty() ? "" : ", made at " + plan_line) +
                             "\n  Usual cause: " + usual_cause);
  conclude(std::move(one));
}

namespace {

/// "\n  The transform of 1024 real numbers has 1024 / 2 + 1 = 513 complex ones.": what a buffer is often too
/// short by. Empty for complex transforms.
std::string half_text(const fft_plan& plan) {
  if (!reads_real(plan.type) && !writes_real(plan.type)) return "";
  const std::size_t row = plan.n[2];
  return "\n  The transform of " + std::string(plan.rank > 1 ? "each row of " : "") +
         count(row, "real numbers") + " has " + std::to_string(row) +
         " / 2 + 1 = " + std::to_string(row / 2 + 1) + " complex ones.";
}

}  // namespace

void check_room(const fft_call& call, const char* does, const std::string& amount, const void* data,
                std::size_t bytes, std::size_t element_size, const char* elements, bool writes) {
  const auto* begin = static_cast<const char*>(data);
  device_memory& memory = device_memory::instance();
  const std::string what = std::string(does) + " " + amount;
  const auto found = room_at(data);
  if (!found) {
    if (const auto range = registered_at(begin); range && begin + bytes <= range->begin + range->size) return;
    if (const auto freed = memory.freed(begin))
      report_fft(call, finding_kind::use_after_free, "use of freed memory",
                 what + " in the allocation of " + count(freed->size, "bytes") + " " + made_at(*freed) +
                     ", which has been freed",
                 "cudaFree() too early, or a pointer that was kept too long.");
    if (const auto near = memory.near(begin))
      report_fft(call, finding_kind::out_of_bounds, "access out of bounds",
                 what + " from a pointer that lies outside of the nearest allocation, of " +
                     count(near->size, "bytes") + " " + made_at(*near),
                 "an offset that is too large, or counted in bytes instead of elements.");
    report_fft(call, finding_kind::host_pointer, "host memory used",
               what + " from memory that is not the device's",
               "a pointer of the host (malloc, new, a vector, a local variable) passed to cuFFT; copy with "
               "cudaMalloc() and cudaMemcpy().");
  }
  if (writes && found->constant)
    report_fft(call, finding_kind::out_of_bounds, "write to constant memory", what + " in " + found->name,
               "an output that stands where the input should.");
  if (found->bytes >= bytes) return;
  report_fft(
      call, finding_kind::out_of_bounds, "access out of bounds",
      what + ", but from the pointer on there are only " + count(found->bytes / element_size, elements) +
          " in " + found->name + half_text(call.plan),
      "a size in elements where bytes are meant, an array without the padding of an in-place transform\n  "
      "(2 * (n / 2 + 1) real numbers a row), or a plan for another length or batch.");
}

namespace {

/// "1024 floats", or how far the layout reaches where it has gaps.
std::string amount(const fft_array& array) {
  const std::size_t used = array.layout.elements() * array.layout.batch, span = array.layout.span();
  std::string text = count(used, array.element_name);
  if (span != used)
    text += " at positions 0 to " + std::to_string(span - 1) + " (" + count(span, array.element_name) +
            " with the gaps)";
  return text;
}

/// Calls piece(offset in bytes, bytes, index of its first element) for all that the layout uses: whole rows
/// where there are no gaps in them, and single elements elsewhere.
template <class Piece>
void for_each_piece(const fft_array& array, Piece&& piece) {
  const fft_layout& layout = array.layout;
  const std::size_t size = array.element_size;
  for (std::size_t b = 0; b < layout.batch; ++b)
    layout.for_each_row(b, [&](std::size_t offset, std::size_t) {
      if (layout.stride[2] == 1) return piece(offset * size, layout.size[2] * size);
      for (std::size_t k = 0; k < layout.size[2]; ++k) piece((offset + k * layout.stride[2]) * size, size);
    });
}

void check_written(const fft_call& call, const fft_array& input) {
  const std::uint8_t* states = states_of(input.data);
  if (states == nullptr) return;
  std::size_t missing = 0, first = 0;
  for_each_piece(input, [&](std::size_t begin, std::size_t bytes) {
    for (std::size_t at = begin; at < begin + bytes; at += input.element_size) {
      unsigned all = state_defined;
      for (std::size_t i = 0; i < input.element_size; ++i) all &= states[at + i];
      if (all == 0 && missing++ == 0) first = at / input.element_size;
    }
  });
  if (missing == 0) return;
  const auto found = room_at(input.data);
  const auto lost =
      device_memory::instance().lost(static_cast<const char*>(input.data) + first * input.element_size);
  report_fft(
      call, finding_kind::uninitialized_read, "read of uninitialized memory",
      "reads " + count(missing, input.element_name) + " of uninitialized memory, the first at position " +
          std::to_string(first) + " from the pointer, in " + (found ? found->name : "device memory") +
          (lost ? "\n  " + lost->text() : ""),
      lost ? lost->cause
           : "a missing cudaMemcpy() or cudaMemset(): zeros that pad a signal also have to be written.");
}

/// Two transforms that write the same element: on a GPU either may be the last.
void check_distinct(const fft_call& call, const fft_array& output) {
  const fft_layout& l = output.layout;
  const std::size_t row = (l.size[2] - 1) * l.stride[2] + 1, plane = (l.size[1] - 1) * l.stride[1] + row;
  const bool nested = (l.size[1] == 1 || l.stride[1] >= row) && (l.size[0] == 1 || l.stride[0] >= plane) &&
                      (l.batch == 1 || l.distance >= (l.size[0] - 1) * l.stride[0] + plane);
  constexpr std::size_t most = std::size_t{1} << 28;
  if (nested || l.span() > most) return;
  std::vector<bool> seen(l.span());
  for_each_piece(output, [&](std::size_t begin, std::size_t bytes) {
    for (std::size_t at = begin; at < begin + bytes; at += output.element_size) {
      if (!seen[at / output.element_size]) {
        seen[at / output.element_size] = true;
        continue;
      }
      report_fft(
          call, finding_kind::race, "race",
          "writes position " + std::to_string(at / output.element_size) + " of the output more than once",
          "an odist that is too small for the transforms of the batch not to overlap, "
          "or an onembed smaller than n.");
    }
  });
}

bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const auto *x = static_cast<const char*>(a), *y = static_cast<const char*>(b);
  return x < y + b_bytes && y < x + a_bytes;
}

bool has_gaps(const fft_layout& l) { return l.span() != l.elements() * l.batch; }

}  // namespace

void check_fft(const fft_call& call, const fft_array& input, const fft_array& output) {
  const std::size_t input_bytes = input.layout.span() * input.element_size,
                    output_bytes = output.layout.span() * output.element_size;
  check_room(call, "reads", amount(input), input.data, input_bytes, input.element_size, input.element_name,
             false);
  check_room(call, "writes", amount(output), output.data, output_bytes, output.element_size,
             output.element_name, true);
  // cuFFT wants the alignment of complex numbers from real arrays, too.
  const std::size_t alignment = is_double(call.plan.type) ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
  for (const fft_array* array : {&input, &output})
    if (reinterpret_cast<std::uintptr_t>(array->data) % alignment != 0)
      report_fft(call, finding_kind::misaligned, "misaligned access",
                 std::string(array == &input ? "reads" : "writes") +
                     " from an address that is not a multiple of " + std::to_string(alignment) +
                     ", the size of a complex number",
                 "a pointer into the middle of a real array, at an odd offset.");
  if (input.data != output.data && !has_gaps(input.layout) && !has_gaps(output.layout) &&
      overlap(input.data, input_bytes, output.data, output_bytes))
    report_fft(call, finding_kind::race, "race",
               "input and output share a part of their memory, and are not the same",
               "an offset that is too small. A transform in place gets the same pointer twice.");
  check_written(call, input);
  check_distinct(call, output);

  const fft_plan& plan = call.plan;
  if (plan.work_area == nullptr || plan.owns_work_area) return;
  check_room(call, "uses a work area of", count(plan.work_size, "bytes"), plan.work_area, plan.work_size, 1,
             "bytes", true);
  if (overlap(plan.work_area, plan.work_size, input.data, input_bytes) ||
      overlap(plan.work_area, plan.work_size, output.data, output_bytes))
    report_fft(
        call, finding_kind::race, "race", "the work area shares memory with the input or the output",
        "one buffer for two purposes. Only plans that never run at the same time can share a work area.");
}

bool destroys_input(const fft_plan& plan, const fft_array& input, const fft_array& output) {
  return writes_real(plan.type) &&
         (input.data != output.data || input.layout.stride[2] != 1 || output.layout.stride[2] != 1);
}

void note_fft(work& mine, const fft_call& call, const fft_array& input, const fft_array& output) {
  if (!mine.watched()) return;
  const bool destroys = destroys_input(call.plan, input, output);
  const auto each = [](const fft_array& array, auto&& piece) {
    if (!has_gaps(array.layout)) return piece(std::size_t{0}, array.layout.span() * array.element_size);
    for_each_piece(array, piece);
  };
  each(input, [&](std::size_t begin, std::size_t bytes) {
    mine.reads(static_cast<const char*>(input.data) + begin, bytes);
    if (destroys) mine.writes(static_cast<const char*>(input.data) + begin, bytes);
    note_used(mine.op().get(), static_cast<const char*>(input.data) + begin, bytes, false);
  });
  each(output, [&](std::size_t begin, std::size_t bytes) {
    mine.writes(static_cast<const char*>(output.data) + begin, bytes);
    note_used(mine.op().get(), static_cast<const char*>(output.data) + begin, bytes, true);
  });
  if (call.plan.work_area != nullptr) mine.writes(call.plan.work_area, call.plan.work_size);
}

void mark_fft(work& mine, const fft_call& call, const fft_array& input, const fft_array& output) {
  const auto note_lost = [&](const void* begin, std::size_t bytes, const char* why, const char* cause) {
    device_memory::instance().note_lost({static_cast<const char*>(begin), bytes, call.name,
                                         mine.op() != nullptr ? mine.op()->called_at : caller_outside(), why,
                                         cause});
  };
  if (destroys_input(call.plan, input, output)) {
    for_each_piece(input, [&](std::size_t begin, std::size_t bytes) {
      char* const piece = static_cast<char*>(const_cast<void*>(input.data)) + begin;
      if (input.data != output.data) std::memset(piece, 0xff, bytes);  // NaN
      mark_undefined(piece, bytes);
    });
    note_lost(input.data, input.layout.span() * input.element_size,
              " has overwritten it: a complex-to-real transform destroys the spectrum that it reads.",
              "a spectrum that is used again. Copy it before the transform, or make it anew.");
  }
  if (states_of(output.data) != nullptr)
    for_each_piece(output, [&](std::size_t begin, std::size_t bytes) {
      mark_defined(static_cast<const char*>(output.data) + begin, bytes);
    });
  const fft_plan& plan = call.plan;
  if (plan.owns_work_area || plan.work_area == nullptr) return;
  mark_undefined(plan.work_area, plan.work_size);
  note_lost(plan.work_area, plan.work_size, " has used it as its work area.",
            "one buffer for two purposes: a transform destroys what its work area held.");
}

}  // namespace cuda_emulator
