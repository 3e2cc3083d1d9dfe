// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT's functions for memory that lies in parts on several devices. "Seen" beside a code: so returned by
// cuFFT 12.0 on two devices, and on one device named twice. "Reported": so returned for others.
#include <bit>
#include <cstring>
#include <map>
#include <mutex>

#include "cufft_execute.hpp"
#include "cufft_parts.hpp"
#include "device/errors.hpp"
#include "device/libraries.hpp"
#include "device/settings.hpp"
#include "memory/device_memory.hpp"
#include "memory/library_memory.hpp"
#include "memory/shadow.hpp"
#include "order/enqueue.hpp"
#include "order/movements.hpp"
#include "run/launch_log.hpp"

namespace cuda_emulator {
namespace {

struct known_descriptor {
  call_stack made_at;
  std::string plan;
  bool freed = false;
};

// Never destroyed: the search for leaks comes after all that is.
std::mutex& described_mutex = *new std::mutex;
std::map<const cudaLibXtDesc*, known_descriptor>& known =
    *new std::map<const cudaLibXtDesc*, known_descriptor>;

std::optional<known_descriptor> find_descriptor(const void* address) {
  const std::lock_guard lock(described_mutex);
  const auto found = known.find(static_cast<const cudaLibXtDesc*>(address));
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

const char* name_of_format(int format) {
  static constexpr const char* names[] = {"CUFFT_XT_FORMAT_INPUT", "CUFFT_XT_FORMAT_OUTPUT",
                                          "CUFFT_XT_FORMAT_INPLACE", "CUFFT_XT_FORMAT_INPLACE_SHUFFLED",
                                          "CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED"};
  return format >= 0 && format < 5 ? names[format] : "a format that is none";
}

/// A part of a descriptor as it is at a call: a copy, because the program may free it before its turn.
struct part {
  int device;
  char* data;
};
using parts = std::vector<part>;

/// A call with descriptors.
struct descriptor_call {
  const char* name;
  const fft_plan& plan;
  call_stack called_at = caller_outside();

  fft_call checked() const { return {name, plan, &called_at}; }
  cufftResult refuse(cufftResult code, const std::string& why) const { return refuse_fft(name, code, why); }
};

std::size_t element_size(const fft_plan& plan) {
  return is_double(plan.type) ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
}
const char* element_name(const fft_plan& plan) {
  return is_double(plan.type) ? "complex doubles" : "complex floats";
}
std::size_t elements_of_all(const fft_plan& plan) {
  const auto [x, y, inner] = elements_of(plan);
  return x * y * inner;
}

/// Is it what cufftXtMalloc() made, and lives? `which`: "the output".
void check_descriptor(const descriptor_call& call, const char* which, const void* address) {
  if (!settings().checking) return;
  const auto found = find_descriptor(address);
  if (found && !found->freed) return;
  if (found)
    report_fft(call.checked(), finding_kind::use_after_free, "use of freed memory",
               std::string(which) + " is a descriptor that cufftXtFree() has freed, made at " +
                   line_of(found->made_at) + " (" + found->plan + ")",
               "cufftXtFree() too early, or a pointer that was kept too long.");
  report_fft(call.checked(), finding_kind::host_pointer, "a pointer that is no descriptor",
             std::string(which) + " is no descriptor that cufftXtMalloc() made",
             "a pointer to data (of the host, or descriptor->data[i]) where cuFFT wants the descriptor,\n"
             "  or the two sides of a copy the wrong way round: the target comes first.");
}

/// All parts, with room for what the plan puts there in the descriptor's order. `does`: "reads".
cufftResult check_all_parts(const descriptor_call& call, const char* which, const char* does,
                            const cudaLibXtDesc* d, int format, bool writes, parts& found) {
  const fft_plan& plan = call.plan;
  const cudaXtDesc& all = *d->descriptor;
  if (all.nGPUs != static_cast<int>(plan.devices.size()) ||
      !std::equal(plan.devices.begin(), plan.devices.end(), all.GPUs))
    return call.refuse(
        CUFFT_INVALID_DEVICE,
        std::string(which) + " has its parts on other devices than the plan, or in another order");
  const device_memory& memory = device_memory::instance();
  for (std::size_t p = 0; p < plan.devices.size(); ++p) {
    found.push_back({all.GPUs[p], static_cast<char*>(all.data[p])});
    const std::size_t bytes = spread_of(plan) == fft_spread::batches
                                  ? bytes_of_part(plan, format, p)
                                  : elements_in_part(plan, format, p) * element_size(plan);
    if (!settings().checking || bytes == 0) continue;
    const std::string name = "part " + std::to_string(p) + " of " + which + ", ";
    if (all.data[p] == nullptr)
      report_fft(
          call.checked(), finding_kind::out_of_bounds, "access out of bounds",
          name + "which has no memory: cufftXtMalloc() gave it none for " + name_of_format(d->subFormat),
          "a format that a single transform neither begins nor ends with.");
    check_room(call.checked(), does, name + count(bytes / element_size(plan), element_name(plan)),
               all.data[p], bytes, element_size(plan), element_name(plan), writes);
    if (memory.contains(all.data[p]) && memory.device_of(all.data[p]) != all.GPUs[p])
      report_fft(call.checked(), finding_kind::other_device, "memory of another device",
                 name + "is memory of " + device_text(memory.device_of(all.data[p])) +
                     ", and the descriptor says " + device_text(all.GPUs[p]),
                 "data[] or GPUs[] of the descriptor changed by the program.");
  }
  return CUFFT_SUCCESS;
}

/// Every byte that a single transform reads has been written.
void check_parts_written(const fft_call& call, const parts& all, int format) {
  const fft_plan& plan = call.plan;
  const std::size_t size = element_size(plan), real_size = size / 2;
  // Of a row of real numbers the padding is not read.
  const std::size_t row = reads_real(plan.type) ? plan.n[2] / 2 + 1 : 0;
  std::size_t missing = 0;
  std::string first;
  for (std::size_t p = 0; p < all.size(); ++p) {
    const std::uint8_t* states = states_of(all[p].data);
    if (states == nullptr) continue;
    for_each_run(plan, format, p, [&](std::size_t at, std::size_t natural, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) {
        std::size_t bytes = size;
        if (row != 0)
          bytes = std::min(size, (plan.n[2] - std::min(plan.n[2], 2 * ((natural + i) % row))) * real_size);
        unsigned defined = state_defined;
        for (std::size_t b = 0; b < bytes; ++b) defined &= states[(at + i) * size + b];
        if (defined == 0 && missing++ == 0)
          first =
              std::to_string(at + i) + " of part " + std::to_string(p) + ", on " + device_text(all[p].device);
      }
    });
  }
  if (missing == 0) return;
  report_fft(call, finding_kind::uninitialized_read, "read of uninitialized memory",
             "reads " + count(missing, element_name(plan)) +
                 " of uninitialized memory, the first at position " + first,
             "a missing cufftXtMemcpy(), or a kernel that fills the parts of some devices only.");
}

/// For the order of operations: a part is read, or written, as a whole.
void note_parts(work& mine, const fft_plan& plan, const parts& all, int format, bool writes) {
  for (std::size_t p = 0; p < all.size(); ++p) {
    const std::size_t bytes = elements_in_part(plan, format, p) * element_size(plan);
    writes ? mine.writes(all[p].data, bytes) : mine.reads(all[p].data, bytes);
    note_used(mine.op().get(), all[p].data, bytes, writes);
  }
}

/// Between the parts and an array of the host in natural order.
void gather(const fft_plan& plan, const parts& all, int format, char* natural) {
  const std::size_t size = element_size(plan);
  for (std::size_t p = 0; p < all.size(); ++p)
    for_each_run(plan, format, p, [&](std::size_t at, std::size_t first, std::size_t length) {
      std::memcpy(natural + first * size, all[p].data + at * size, length * size);
    });
}
void scatter(const fft_plan& plan, const char* natural, const parts& all, int format) {
  const std::size_t size = element_size(plan);
  for (std::size_t p = 0; p < all.size(); ++p)
    for_each_run(plan, format, p, [&](std::size_t at, std::size_t first, std::size_t length) {
      std::memcpy(all[p].data + at * size, natural + first * size, length * size);
      mark_defined(all[p].data + at * size, length * size);
    });
}

/// How many bytes change their device where elements go from one order to the other.
std::uint64_t bytes_between(const fft_plan& plan, int from, int to) {
  std::vector<std::uint8_t> device_of(elements_of_all(plan));
  const auto each = [&](int format, auto&& run) {
    for (std::size_t p = 0; p < plan.devices.size(); ++p)
      for_each_run(plan, format, p, [&](std::size_t, std::size_t first, std::size_t length) {
        for (std::size_t i = first; i < first + length; ++i)
          run(i, static_cast<std::uint8_t>(plan.devices[p]));
      });
  };
  each(to, [&](std::size_t i, std::uint8_t device) { device_of[i] = device; });
  std::uint64_t moved = 0;
  each(from, [&](std::size_t i, std::uint8_t device) { moved += device_of[i] != device; });
  return moved * element_size(plan);
}

/// What the transform itself sends: for a line the elements to where their set is, and the results of all
/// sets to where their string is; else the rows of every part to the columns of every other one.
std::uint64_t bytes_of_transform(const fft_plan& plan, int from) {
  if (spread_of(plan) == fft_spread::slabs)
    return bytes_between(plan, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  std::uint64_t pairs = 0;
  for (const int a : plan.devices)
    for (const int b : plan.devices) pairs += a != b;
  const std::uint64_t count_of_parts = plan.devices.size(), exchange = elements_of_all(plan) /
                                                                       (count_of_parts * count_of_parts) *
                                                                       pairs * element_size(plan);
  return exchange + bytes_between(plan, from, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED);
}

/// One transform of all parts, when it is its turn.
void run_single(const fft_call& call, const parts& all, int from, int to, int direction, work& mine) {
  const fft_plan& plan = call.plan;
  const bool checking = settings().checking;
  if (checking) check_parts_written(call, all, from);
  std::vector<char> natural(elements_of_all(plan) * element_size(plan));
  gather(plan, all, from, natural.data());
  transform_fft(plan, natural.data(), natural.data(), direction, plan.input_here, plan.output_here);
  scatter(plan, natural.data(), all, to);
  note_parts(mine, plan, all, from, false);
  note_parts(mine, plan, all, to, true);
  if (checking) log_library_call("cuFFT " + plan.text() + " (not counted)", bytes_of_transform(plan, from));
}

/// The transforms of each part, by themselves.
void run_batches(const fft_call& call, const parts& in, const parts& out, int direction, work& mine) {
  for (std::size_t p = 0; p < in.size(); ++p) {
    fft_plan of_part = call.plan;
    of_part.batch = share(call.plan.batch, in.size(), p).count;
    if (of_part.batch == 0) continue;
    for (fft_layout* each : {&of_part.input, &of_part.output, &of_part.input_here, &of_part.output_here})
      each->batch = of_part.batch;
    of_part.work_areas.clear();
    of_part.owns_work_area = false;
    run_fft({call.name, of_part, call.called_at}, in[p].data, out[p].data, direction, mine);
  }
  if (settings().checking) log_library_call("cuFFT " + call.plan.text() + " (not counted)");
}

/// What a stream does, or where the plan has none, what is done when the call returns: documented.
cufftResult give_work(const descriptor_call& call, cudaStream_t stream, work_body body) {
  if (stream != nullptr) {
    const cudaError_t error =
        enqueue({call.name, stream, true}, false, cudaGraphNodeTypeKernel, std::move(body));
    return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
  }
  if (check_caller() != cudaSuccess || wait_for_kernels() != cudaSuccess) return CUFFT_EXEC_FAILED;
  give(work(stream_of_library(call.plan.devices), {.function = call.name}), {.host_waits = true}, body,
       [&] { return body; });
  return CUFFT_SUCCESS;
}

/// The order that a single transform leaves behind; a code where it does not take what it is given.
cufftResult order_behind(const descriptor_call& call, int from, int& to) {
  const fft_plan& plan = call.plan;
  const std::string has = std::string("the input is in the order ") + name_of_format(from);
  to = CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  if (spread_of(plan) == fft_spread::line) {
    if (from == CUFFT_XT_FORMAT_INPLACE || from == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED) return CUFFT_SUCCESS;
    return call.refuse(CUFFT_INVALID_TYPE,  // seen
                       has +
                           ", which a transform of one dimension does not take: cufftXtMemcpy() with\n"
                           "  CUFFT_COPY_DEVICE_TO_DEVICE brings a spectrum into natural order");
  }
  if (from == CUFFT_XT_FORMAT_INPLACE_SHUFFLED)
    to = CUFFT_XT_FORMAT_INPLACE;
  else if (from != CUFFT_XT_FORMAT_INPLACE)
    return call.refuse(CUFFT_INTERNAL_ERROR, has);  // reported
  // Documented: of two dimensions, real numbers are natural before, and after.
  const bool flat = elements_of(plan)[2] == 1;
  if (flat && ((reads_real(plan.type) && from != CUFFT_XT_FORMAT_INPLACE) ||
               (writes_real(plan.type) && from != CUFFT_XT_FORMAT_INPLACE_SHUFFLED)))
    return call.refuse(CUFFT_INTERNAL_ERROR,
                       has + ", and real numbers of two dimensions are in natural order");
  return CUFFT_SUCCESS;
}

bool made_for_several(const descriptor_call& call) {
  if (call.plan.made && !call.plan.devices.empty()) return true;
  call.refuse(CUFFT_INVALID_PLAN, call.plan.made
                                      ? "the plan was made without cufftXtSetGPUs()"
                                      : "the handle is not yet a plan: cufftMakePlan...() is missing");
  return false;
}

cufftResult execute(const char* name, cufftHandle handle, cufftType type, cudaLibXtDesc* input,
                    cudaLibXtDesc* output, int direction) {
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  const descriptor_call call{name, *plan};
  if (!made_for_several(call)) return CUFFT_INVALID_PLAN;
  if (plan->type != type)
    return call.refuse(CUFFT_INVALID_PLAN, std::string("the plan is one of ") + name_of(plan->type));
  if (input == nullptr || output == nullptr) return CUFFT_INVALID_PLAN;  // reported
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  if (stuck() != cudaSuccess) return CUFFT_EXEC_FAILED;
  check_descriptor(call, "the input", input);
  check_descriptor(call, "the output", output);
  if (plan->work_areas.empty()) return CUFFT_NO_WORKSPACE;
  for (std::size_t p = 0; settings().checking && !plan->owns_work_area && p < plan->work_areas.size(); ++p)
    check_room(call.checked(), "uses a work area of", count(plan->work_size, "bytes"), plan->work_areas[p],
               plan->work_size, 1, "bytes", true);

  parts in, out;
  if (spread_of(*plan) == fft_spread::batches) {
    const bool here = input == output;
    const int from = here ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPUT,
              to = here ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_OUTPUT;
    if (const cufftResult r = check_all_parts(call, "the input", "reads", input, from, false, in);
        r != CUFFT_SUCCESS)
      return r;
    if (const cufftResult r = check_all_parts(call, "the output", "writes", output, to, true, out);
        r != CUFFT_SUCCESS)
      return r;
    return give_work(call, plan->stream, [=, plan = *plan, at = call.called_at](work& mine) {
      run_batches({name, plan, &at}, in, out, direction, mine);
    });
  }
  if (input != output)  // documented: in place only; the code is reported
    return call.refuse(CUFFT_EXEC_FAILED,
                       "a single transform on several devices is done in place, and the input is not "
                       "the output");
  const int from = input->subFormat;
  int to = from;
  if (const cufftResult r = order_behind(call, from, to); r != CUFFT_SUCCESS) return r;
  if (const cufftResult r = check_all_parts(call, "the input", "reads", input, from, true, in);
      r != CUFFT_SUCCESS)
    return r;
  if (const cufftResult r = check_all_parts(call, "the output", "writes", output, to, true, out);
      r != CUFFT_SUCCESS)
    return r;
  const cufftResult result =
      give_work(call, plan->stream, [=, plan = *plan, at = call.called_at](work& mine) {
        run_single({name, plan, &at}, in, from, to, direction, mine);
      });
  if (result == CUFFT_SUCCESS) output->subFormat = to;
  return result;
}

/// The host's side of a copy: memory of a device has no place there.
void check_host_side(const descriptor_call& call, const char* which, const void* address) {
  if (!settings().checking) return;
  const auto found = find_descriptor(address);
  const auto memory = device_memory::instance().find(address);
  if (!(found && !found->freed) && !(memory && memory->kind == allocation_kind::device)) return;
  report_fft(call.checked(), finding_kind::copy_direction, "copy in another direction than it says",
             std::string(which) + (memory ? " is memory of a device" : " is a descriptor") +
                 ", and the direction says that it is an array of the host",
             "the two sides the wrong way round (the target comes first), or the wrong CUFFT_COPY_...");
}

/// The bytes of the host's array that a descriptor in this order stands for.
std::size_t bytes_of_host(const fft_plan& plan, int format) {
  if (spread_of(plan) != fft_spread::batches) return elements_of_all(plan) * element_size(plan);
  std::size_t bytes = 0;
  for (std::size_t p = 0; p < plan.devices.size(); ++p) bytes += bytes_of_part(plan, format, p);
  return bytes;
}

/// Of a batch, the array of the host is all parts one behind the other.
template <class Part>
void for_each_batch_part(const fft_plan& plan, const parts& all, int format, Part&& part) {
  for (std::size_t p = 0, at = 0; p < all.size(); ++p) {
    const std::size_t bytes = bytes_of_part(plan, format, p);
    part(all[p].data, at, bytes);
    at += bytes;
  }
}

cufftResult copy_up(const descriptor_call& call, cudaLibXtDesc* to, const void* from) {
  check_descriptor(call, "the target", to);
  check_host_side(call, "the source", from);
  const fft_plan& plan = call.plan;
  const int format = to->subFormat;
  const bool batches = spread_of(plan) == fft_spread::batches;
  if (spread_of(plan) == fft_spread::line && format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED)
    return call.refuse(
        CUFFT_INVALID_TYPE,  // seen
        "the descriptor is labeled as a spectrum, in the order CUFFT_XT_FORMAT_INPLACE_SHUFFLED, and the\n"
        "  host has natural order: set its subFormat to CUFFT_XT_FORMAT_INPLACE for new data");
  parts all;
  if (const cufftResult r = check_all_parts(call, "the target", "writes", to, format, true, all);
      r != CUFFT_SUCCESS)
    return r;
  return give_work(call, nullptr, [=, plan = plan](work& mine) {
    const auto* const host = static_cast<const char*>(from);
    mine.reads(host, bytes_of_host(plan, format));
    if (batches) {
      for_each_batch_part(plan, all, format, [&](char* data, std::size_t at, std::size_t bytes) {
        mine.writes(data, bytes);
        std::memcpy(data, host + at, bytes);
        mark_defined(data, bytes);
      });
    } else {
      scatter(plan, host, all, format);
      note_parts(mine, plan, all, format, true);
    }
    note_moved(mine.op().get(), bytes_of_host(plan, format), 0, 0);
  });
}

cufftResult copy_down(const descriptor_call& call, void* to, cudaLibXtDesc* from) {
  check_host_side(call, "the target", to);
  check_descriptor(call, "the source", from);
  const fft_plan& plan = call.plan;
  const int format = from->subFormat;
  const bool batches = spread_of(plan) == fft_spread::batches;
  if (spread_of(plan) == fft_spread::line && format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
    return call.refuse(
        CUFFT_INVALID_TYPE,  // reported
        "the order CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED is for a transform to take, and not for copies");
  parts all;
  if (const cufftResult r = check_all_parts(call, "the source", "reads", from, format, false, all);
      r != CUFFT_SUCCESS)
    return r;
  return give_work(call, nullptr, [=, plan = plan](work& mine) {
    auto* const host = static_cast<char*>(to);
    mine.writes(host, bytes_of_host(plan, format));
    if (batches) {
      for_each_batch_part(plan, all, format, [&](const char* data, std::size_t at, std::size_t bytes) {
        mine.reads(data, bytes);
        std::memcpy(host + at, data, bytes);
      });
    } else {
      note_parts(mine, plan, all, format, false);
      gather(plan, all, format, host);
    }
    note_moved(mine.op().get(), 0, bytes_of_host(plan, format), 0);
  });
}

cufftResult copy_within(const descriptor_call& call, cudaLibXtDesc* to, cudaLibXtDesc* from) {
  check_descriptor(call, "the target", to);
  check_descriptor(call, "the source", from);
  const fft_plan& plan = call.plan;
  // Documented as not supported. Reported: CUFFT_SUCCESS, and nothing is copied.
  if (spread_of(plan) == fft_spread::batches)
    return call.refuse(CUFFT_NOT_SUPPORTED,
                       "CUFFT_COPY_DEVICE_TO_DEVICE is not for batches: cuFFT copies nothing and returns "
                       "CUFFT_SUCCESS. Copy\n  part by part with cudaMemcpy()");
  const int format = from->subFormat;
  if (to->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED)
    return call.refuse(
        CUFFT_INTERNAL_ERROR,  // reported
        "the target is labeled as a spectrum, and a copy between descriptors brings natural order: set its\n"
        "  subFormat to CUFFT_XT_FORMAT_INPLACE");
  if (spread_of(plan) == fft_spread::line && format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
    return call.refuse(
        CUFFT_INVALID_TYPE,  // reported
        "the order CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED is for a transform to take, and not for copies");
  constexpr int natural_order = CUFFT_XT_FORMAT_INPLACE;
  parts source, target;
  if (const cufftResult r = check_all_parts(call, "the source", "reads", from, format, false, source);
      r != CUFFT_SUCCESS)
    return r;
  if (const cufftResult r = check_all_parts(call, "the target", "writes", to, natural_order, true, target);
      r != CUFFT_SUCCESS)
    return r;
  if (settings().checking && source[0].data == target[0].data && format != natural_order)
    report_fft(call.checked(), finding_kind::race, "race",
               "the source and the target are the same descriptor",
               "elements change places: the target is a descriptor of its own.");
  const cufftResult result = give_work(call, nullptr, [=, plan = plan, at = call.called_at](work& mine) {
    if (settings().checking) check_parts_written({"cufftXtMemcpy", plan, &at}, source, format);
    std::vector<char> natural(elements_of_all(plan) * element_size(plan));
    gather(plan, source, format, natural.data());
    scatter(plan, natural.data(), target, natural_order);
    note_parts(mine, plan, source, format, false);
    note_parts(mine, plan, target, natural_order, true);
    if (settings().checking)
      log_library_call("cufftXtMemcpy() from device to device", bytes_between(plan, format, natural_order));
  });
  if (result == CUFFT_SUCCESS) to->subFormat = natural_order;
  return result;
}

/// Which descriptors a plan can have; the codes are reported.
cufftResult check_format(const descriptor_call& call, int format) {
  const auto no = [&](cufftResult code, const char* why) {
    return call.refuse(code, std::string(name_of_format(format)) + why);
  };
  if (format < CUFFT_XT_FORMAT_INPUT || format > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
    return no(CUFFT_INVALID_VALUE, " (those of several processes are not for cufftXtMalloc())");
  if (format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED && spread_of(call.plan) != fft_spread::line)
    return no(CUFFT_INVALID_PLAN, " is for a single transform of one dimension");
  if (format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED && spread_of(call.plan) == fft_spread::batches)
    return no(CUFFT_INVALID_VALUE, " is for a single transform: batches stay in natural order");
  return CUFFT_SUCCESS;
}

void release_parts(cudaXtDesc& all) {
  for (int p = 0; p < all.nGPUs; ++p)
    if (all.data[p] != nullptr) device_memory::instance().release(all.data[p], allocation_kind::device);
}

/// What has not been freed or destroyed: descriptors, then plans.
std::vector<left_by_library> left_at_the_end() {
  std::vector<left_by_library> left;
  {
    const std::lock_guard lock(described_mutex);
    for (const auto& [address, d] : known) {
      if (d.freed) continue;
      void* const* const parts = address->descriptor->data;
      left.push_back({.place = line_of(d.made_at),
                      .what = "a descriptor of cuFFT was never freed (" + d.plan + ")",
                      .cause = "Usual cause: a cufftXtFree() that is missing, or not reached because of an "
                               "early return."});
      left.back().memory.assign(parts, parts + address->descriptor->nGPUs);
    }
  }
  for (const auto& plan : living_plans()) {
    left.push_back({.place = line_of(plan->made_at),
                    .what = "a cuFFT plan was never destroyed (" + plan->text() + ")",
                    .cause = "Usual cause: a cufftDestroy() that is missing, or not reached because of an "
                             "early return."});
    if (!plan->owns_work_area) continue;
    left.back().memory.assign(plan->work_areas.begin(), plan->work_areas.end());
    left.back().memory.push_back(plan->work_area);
  }
  return left;
}

/// cudaDeviceReset(): all handles of plans and descriptors with a part on the current device are gone.
void forget_all() {
  forget_plans();
  const int gone = current_device();
  const std::lock_guard lock(described_mutex);
  for (auto& [address, d] : known) {
    if (d.freed) continue;
    cudaXtDesc& all = *address->descriptor;
    if (std::find(all.GPUs, all.GPUs + all.nGPUs, gone) == all.GPUs + all.nGPUs) continue;
    release_parts(all);
    d.freed = true;
  }
}

constinit const library cufft_library{.left = left_at_the_end, .forget = forget_all};
__attribute__((constructor)) void be_known() { add_library(cufft_library); }

}  // namespace
}  // namespace cuda_emulator

using namespace cuda_emulator;

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc** descriptor, cufftXtSubFormat format) {
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  const descriptor_call call{"cufftXtMalloc", *plan};
  if (!made_for_several(call)) return CUFFT_INVALID_PLAN;
  if (descriptor == nullptr) return CUFFT_INVALID_VALUE;
  if (stuck() != cudaSuccess) return CUFFT_INTERNAL_ERROR;
  if (const cufftResult result = check_format(call, format); result != CUFFT_SUCCESS) return result;
  auto* const made = new cudaLibXtDesc{};
  made->descriptor = new cudaXtDesc{};
  made->subFormat = format;
  made->libDescriptor = made;
  cudaXtDesc& all = *made->descriptor;
  for (const int device : plan->devices) {
    const auto p = static_cast<std::size_t>(all.nGPUs++);
    const with_device there(device);
    all.GPUs[p] = device;
    all.size[p] = bytes_of_part(*plan, format, p);
    if (all.size[p] == 0) continue;
    all.data[p] = device_memory::instance().allocate(all.size[p], allocation_kind::device);
    if (all.data[p] != nullptr) continue;
    release_parts(all);
    delete made->descriptor;
    delete made;
    return CUFFT_ALLOC_FAILED;
  }
  const std::lock_guard lock(described_mutex);
  known[made] = {call.called_at, plan->text()};
  *descriptor = made;
  return CUFFT_SUCCESS;
}

// As cudaFree(), it waits for all that the devices have to do.
cufftResult cufftXtFree(cudaLibXtDesc* descriptor) {
  if (descriptor == nullptr) return CUFFT_SUCCESS;  // reported
  const auto found = find_descriptor(descriptor);
  if (!found || found->freed) {
    static const fft_plan none;
    const descriptor_call call{"cufftXtFree", none};
    if (settings().checking) check_descriptor(call, "the argument", descriptor);
    return CUFFT_INVALID_VALUE;
  }
  cudaXtDesc& all = *descriptor->descriptor;
  cufftResult result = CUFFT_SUCCESS;
  for (int p = 0; p < all.nGPUs; ++p)
    if (all.data[p] != nullptr && cudaFree(all.data[p]) != cudaSuccess) result = CUFFT_INVALID_VALUE;
  const std::lock_guard lock(described_mutex);
  known[descriptor].freed = true;  // its memory stays, so that its address does not come again
  return result;
}

cufftResult cufftXtMemcpy(cufftHandle handle, void* to, void* from, cufftXtCopyType type) {
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  const fft_plan of_call = *plan;
  const descriptor_call call{"cufftXtMemcpy", of_call};
  if (!made_for_several(call)) return CUFFT_INVALID_PLAN;
  if (to == nullptr || from == nullptr) return CUFFT_INVALID_VALUE;
  if (stuck() != cudaSuccess) return CUFFT_INTERNAL_ERROR;
  switch (type) {
    case CUFFT_COPY_HOST_TO_DEVICE:
      return copy_up(call, static_cast<cudaLibXtDesc*>(to), from);
    case CUFFT_COPY_DEVICE_TO_HOST:
      return copy_down(call, to, static_cast<cudaLibXtDesc*>(from));
    case CUFFT_COPY_DEVICE_TO_DEVICE:
      return copy_within(call, static_cast<cudaLibXtDesc*>(to), static_cast<cudaLibXtDesc*>(from));
    case CUFFT_COPY_UNDEFINED:
      break;
  }
  return CUFFT_INVALID_VALUE;
}

cufftResult cufftXtQueryPlan(cufftHandle handle, void* answer, cufftXtQueryType type) {
  const auto plan = find_plan(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (answer == nullptr || type != CUFFT_QUERY_1D_FACTORS) return CUFFT_INVALID_VALUE;
  if (plan->devices.empty() || spread_of(*plan) != fft_spread::line)
    return refuse_fft("cufftXtQueryPlan", CUFFT_INVALID_PLAN,
                      "only a single transform of one dimension on several devices has these factors");
  const fft_factors f = factors_of(*plan);
  const auto length = [](std::size_t n) { return static_cast<long long>(n); };
  const auto shift = [](std::size_t n) { return std::countr_zero(n); };
  *static_cast<cufftXt1dFactors*>(answer) = {.size = length(f.size),
                                             .stringCount = length(f.strings),
                                             .stringLength = length(f.string_length()),
                                             .substringLength = length(f.substring_length()),
                                             .factor1 = length(f.factor1),
                                             .factor2 = length(f.factor2),
                                             .stringMask = length(f.string_length() - 1),
                                             .substringMask = length(f.substring_length() - 1),
                                             .factor1Mask = length(f.factor1 - 1),
                                             .factor2Mask = length(f.factor2 - 1),
                                             .stringShift = shift(f.string_length()),
                                             .substringShift = shift(f.substring_length()),
                                             .factor1Shift = shift(f.factor1),
                                             .factor2Shift = shift(f.factor2)};
  return CUFFT_SUCCESS;
}

cufftResult cufftXtExecDescriptor(cufftHandle handle, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                  int direction) {
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  // The direction counts for complex to complex only.
  if (reads_real(plan->type)) direction = CUFFT_FORWARD;
  if (writes_real(plan->type)) direction = CUFFT_INVERSE;
  return execute("cufftXtExecDescriptor", handle, plan->type, input, output, direction);
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                     int direction) {
  return execute("cufftXtExecDescriptorC2C", plan, CUFFT_C2C, input, output, direction);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                     int direction) {
  return execute("cufftXtExecDescriptorZ2Z", plan, CUFFT_Z2Z, input, output, direction);
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output) {
  return execute("cufftXtExecDescriptorR2C", plan, CUFFT_R2C, input, output, CUFFT_FORWARD);
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output) {
  return execute("cufftXtExecDescriptorD2Z", plan, CUFFT_D2Z, input, output, CUFFT_FORWARD);
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output) {
  return execute("cufftXtExecDescriptorC2R", plan, CUFFT_C2R, input, output, CUFFT_INVERSE);
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output) {
  return execute("cufftXtExecDescriptorZ2D", plan, CUFFT_Z2D, input, output, CUFFT_INVERSE);
}
