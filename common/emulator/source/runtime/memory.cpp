// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about memory.
#include <cuda_runtime_api.h>

#include <cstring>
#include <limits>
#include <optional>

#include "code/call_stack.hpp"
#include "copies.hpp"
#include "device/device_limits.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "device/settings.hpp"
#include "kernel_calls/kernel_heap.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/shadow.hpp"
#include "memory/variables.hpp"
#include "order/movements.hpp"
#include "order/streams.hpp"
#include "refused_copies.hpp"
#include "run/device_turns.hpp"
#include "run/launch_log.hpp"
#include "run/worker.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {
namespace {

/// How so many bytes come about: " (rows are 512 bytes apart)".
std::string rows_text(const rows* of) {
  return of == nullptr ? "" : " (its rows are " + std::to_string(of->pitch) + " bytes apart)";
}

/// What a GPU would say to a copy between these addresses, remembered. With unified addresses the direction
/// is hardly needed; what contradicts it is an invalid value.
cudaError_t check_copy(const void* to, std::size_t to_size, const void* from, std::size_t from_size,
                       cudaMemcpyKind kind, const rows* to_rows = nullptr, const rows* from_rows = nullptr) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return remember(cudaErrorInvalidMemcpyDirection);
  if (to == nullptr) return remember(cudaErrorInvalidValue, "the destination is a null pointer");
  if (from == nullptr) return remember(cudaErrorInvalidValue, "the source is a null pointer");
  side to_side, from_side;
  if (!place(to, to_size, to_side))
    return remember(cudaErrorInvalidValue, why_no_place("the destination", to, to_size) + rows_text(to_rows));
  if (!place(from, from_size, from_side))
    return remember(cudaErrorInvalidValue,
                    why_no_place("the source", from, from_size) + rows_text(from_rows));
  if (kind == cudaMemcpyDefault) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((to_device && to_side == side::host) || (from_device && from_side == side::host))
    return remember(cudaErrorInvalidValue, why_wrong_direction(to_side, from_side, kind));
  if ((!to_device && to_side == side::device) || (!from_device && from_side == side::device))
    conclude(
        {{finding_kind::copy_direction,
          line_of(caller_outside()) + ": error: copy in another direction than it says\n  " +
              why_wrong_direction(to_side, from_side, kind) +
              "\n  A GPU of today copies all the same, but CUDA does not define what such a copy does."}});
  return cudaSuccess;
}

/// What a copy has brought. What the host can write, too, counts as written whatever was copied to it.
void mark_arrived(void* to, const void* from, std::size_t size, side to_side) {
  if (to_side == side::either)
    mark_defined(to, size);
  else
    mark_copied(to, from, size);
}

/// For those who count what goes over the link: pageable and pinned memory are both the host's.
void note_copied(const work& mine, side to, side from, std::size_t size) {
  const bool up = to == side::device && from != side::device,
             down = to != side::device && from == side::device;
  const bool within = to == side::device && from == side::device;
  note_moved(mine.op().get(), up ? size : 0, down ? size : 0, within ? size : 0);
}

/// Each device has its own variables: those of `device` are there while a copy uses one.
class with_variables {
 public:
  with_variables(int device, const void* to, const void* from) {
    if (device_count() == 1) return;
    if (find_variable(to) != nullptr || (from != nullptr && find_variable(from) != nullptr))
      alone_.emplace(device);
  }

 private:
  std::optional<alone_with_variables> alone_;
};

/// The bytes that go over the link where the two sides are of different devices.
void log_between_devices(const char* function, const void* to, const void* from, std::size_t size) {
  device_memory& memory = device_memory::instance();
  if (device_count() == 1 || !settings().checking || !memory.contains(to) || !memory.contains(from)) return;
  const auto target = memory.find(to), source = memory.find(from);
  if (!target || !source || target->kind != allocation_kind::device ||
      source->kind != allocation_kind::device || memory.device_of(to) == memory.device_of(from))
    return;
  log_library_call(std::string(function) + "() from " + device_text(memory.device_of(from)) + " to " +
                       device_text(memory.device_of(to)),
                   size);
}

/// cudaMemset() returns at once, unless it fills pinned memory of the host.
bool fill_waits(const stream_call& call, const void* pointer) {
  if (call.asynchronous) return false;
  const auto found = device_memory::instance().find(pointer);
  return found ? found->kind == allocation_kind::host : registered_at(pointer).has_value();
}

/// Does a copy return only when all of it is done? One that is called asynchronous does so where pageable
/// memory of the host gets something, one that is not does not within the device.
bool host_waits(const stream_call& call, side to, side from) {
  if (call.asynchronous) return to == side::host;
  return to != side::device || from != side::device;
}

}  // namespace

cudaError_t copy(const stream_call& call, void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (size == 0 && cudaMemcpyHostToHost <= kind && kind <= cudaMemcpyDefault) return cudaSuccess;
  if (const cudaError_t error = check_copy(to, size, from, size, kind); error != cudaSuccess) return error;
  side to_side = side::host, from_side = side::host;
  place(to, size, to_side);
  place(from, size, from_side);
  device_memory::instance().note_written(call.function, to, size);
  const auto from_memory = [=](const void* source) {
    return [=](work& mine) {
      const with_variables shown(mine.device(), to, source);
      mine.reads(source, size);
      mine.writes(to, size);
      std::memmove(to, source, size);
      mark_arrived(to, source, size, to_side);
      note_copied(mine, to_side, from_side, size);
      log_between_devices(call.function, to, source, size);
    };
  };
  stream_call with = call;
  if (from_side == side::host) with.uses.push_back({from, size, "reads"});
  if (to_side == side::host) with.uses.push_back({to, size, "writes"});
  return enqueue(with, host_waits(call, to_side, from_side), cudaGraphNodeTypeMemcpy, from_memory(from),
                 [&]() -> work_body {
                   if (from_side != side::host) return from_memory(from);
                   // The host may change it when the call has returned.
                   const auto* const begin = static_cast<const char*>(from);
                   const auto kept = kept_bytes(size);
                   std::memcpy(kept.get(), begin, size);
                   return [=](work& mine) {
                     mine.reads(from, size);  // part of it may be registered
                     from_memory(kept.get())(mine);
                   };
                 });
}

namespace {

cudaError_t check_fill(const void* pointer, std::size_t size, const rows* of_rows = nullptr) {
  if (pointer == nullptr) return remember(cudaErrorInvalidValue, "the pointer is null");
  side where;
  if (!place(pointer, size, where))
    return remember(cudaErrorInvalidValue, why_no_place("the range", pointer, size) + rows_text(of_rows));
  if (where == side::host)
    return remember(cudaErrorInvalidValue,
                    "the pointer is host memory, and cudaMemset() sets memory of the device");
  return cudaSuccess;
}

}  // namespace

cudaError_t fill(const stream_call& call, void* pointer, int value, std::size_t size) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (size == 0) return cudaSuccess;
  if (const cudaError_t error = check_fill(pointer, size); error != cudaSuccess) return error;
  device_memory::instance().note_written(call.function, pointer, size);
  return enqueue(call, fill_waits(call, pointer), cudaGraphNodeTypeMemset, [=](work& mine) {
    const with_variables shown(mine.device(), pointer, nullptr);
    mine.writes(pointer, size);
    std::memset(pointer, value, size);
    mark_defined(pointer, size);
    note_moved(mine.op().get(), 0, 0, size);
  });
}

namespace {

/// The bytes [offset, offset + size) of a variable of the device. Remembers the error.
cudaError_t in_symbol(const void* symbol, std::size_t size, std::size_t offset, char** address) {
  const variable_record* variable = find_variable(symbol);
  if (variable == nullptr)
    return remember(
        cudaErrorInvalidSymbol,
        device_memory::instance().contains(symbol)
            ? "this is a pointer to device memory, for which there is cudaMemcpy(), and no "
              "__constant__ or __device__ variable"
            : "this is no __constant__ or __device__ variable (name the variable itself, without & "
              "and quotation marks)");
  if (offset > variable->size || size > variable->size - offset)
    return remember(cudaErrorInvalidValue, why_beyond_variable(*variable, size, offset));
  *address = const_cast<char*>(variable->begin) + offset;
  return cudaSuccess;
}

}  // namespace

cudaError_t allocate(void** pointer, std::size_t size, allocation_kind kind, unsigned int flags) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (pointer == nullptr) return remember(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (flags != from_pool)
    if (const cudaError_t error = check_safe_call(); error != cudaSuccess) return error;
  if (size == 0) return cudaSuccess;
  *pointer = device_memory::instance().allocate(size, kind, flags);
  if (*pointer == nullptr &&
      anything_kept()) {  // there may be more when streams have freed what they are to free
    run_kept();
    *pointer = device_memory::instance().allocate(size, kind, flags);
  }
  if (kind != allocation_kind::device) note_memory_of_both();
  return *pointer != nullptr ? cudaSuccess : remember(cudaErrorMemoryAllocation);
}

namespace {

/// Memory that graphs allocate or free would be theirs.
bool is_captured(cudaStream_t handle) {
  const CUstream_st* const stream = find_stream(handle);
  return stream != nullptr && stream->capturing != nullptr;
}

}  // namespace

cudaError_t allocate_async(const char* function, void** pointer, std::size_t size, cudaStream_t stream) {
  if (is_captured(stream)) return say_not_emulated("stream-ordered allocation while a stream is captured");
  if (const cudaError_t error = allocate(pointer, size, allocation_kind::device, from_pool);
      error != cudaSuccess || *pointer == nullptr)
    return error;
  const void* const begin = *pointer;
  return enqueue(
      {.function = function, .stream = stream, .asynchronous = true, .verb = "allocates", .allocates = true},
      false, cudaGraphNodeTypeEmpty, [=](work& mine) { mine.writes(begin, size); });
}

namespace {

/// Why nothing can be freed there; empty where the error says it all.
std::string why_not_freed(const void* pointer, allocation_kind kind, const std::optional<allocation>& found) {
  const auto made = [](const allocation& a) {
    const std::string line = line_of(a.made_at);
    return std::to_string(a.size) + " bytes" + (line.empty() ? "" : " that were allocated at " + line);
  };
  if (found && found->leaving) return "a stream is to free it already";
  if (found && found->begin != pointer)
    return "it points into the " + made(*found) + ", and only the pointer to their beginning can be freed";
  if (found && kind == allocation_kind::host) return "it is memory of the device: free it with cudaFree()";
  if (found) return "it is pinned memory of the host: free it with cudaFreeHost()";
  if (!device_memory::instance().contains(pointer))
    return "it is not a pointer to device memory: it points to host memory, or has no value";
  const auto freed = device_memory::instance().freed(pointer);
  if (!freed || freed->begin != pointer) return "nothing begins there";
  return "the " + made(*freed) + " are freed already";
}

}  // namespace

// cudaFree() waits for all that the device has to do; cudaFreeHost() does not say that it does.
cudaError_t release(void* pointer, allocation_kind kind) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (pointer == nullptr) return cudaSuccess;
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  if (const cudaError_t error = check_safe_call(); error != cudaSuccess) return error;
  const auto found = device_memory::instance().find(pointer);
  if (found && found->kind == allocation_kind::heap)
    return remember(cudaErrorInvalidValue,
                    "it is on the heap of kernels, where only a kernel can free it, by free() or delete");
  if (!found || found->begin != pointer || found->leaving ||
      (kind == allocation_kind::host) != (found->kind == allocation_kind::host))
    return remember(cudaErrorInvalidValue, why_not_freed(pointer, kind, found));
  if (kind == allocation_kind::host) {
    host_frees("cudaFreeHost", found->begin, found->size);
  } else {
    host_waits_for_device(device_memory::instance().device_of(pointer));
    // Other devices may still work with it.
    if (device_count() > 1) host_frees("cudaFree", found->begin, found->size);
  }
  return device_memory::instance().release(pointer, kind) ? cudaSuccess : remember(cudaErrorInvalidValue);
}

namespace {

/// Is all of each box in one allocation, on the right side? Remembers the error.
cudaError_t check_boxes(const rows& to, const rows& from, const cudaExtent& extent, cudaMemcpyKind kind,
                        side& to_side, side& from_side) {
  const auto [width, height, depth] = extent;
  if (depth > 1 && (height > to.rows || height > from.rows)) return remember(cudaErrorInvalidValue);
  const std::size_t to_size = to.reach(extent), from_size = from.reach(extent);
  if (const cudaError_t error = check_copy(to.begin, to_size, from.begin, from_size, kind, &to, &from);
      error != cudaSuccess)
    return error;
  place(to.begin, to_size, to_side);
  place(from.begin, from_size, from_side);
  return cudaSuccess;
}

}  // namespace

cudaError_t copy_3d(const stream_call& call, const rows& to, const rows& from, const cudaExtent& extent,
                    cudaMemcpyKind kind) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (extent.width > to.pitch)
    return remember(cudaErrorInvalidPitchValue, why_beyond_pitch("the destination", extent.width, to.pitch));
  if (extent.width > from.pitch)
    return remember(cudaErrorInvalidPitchValue, why_beyond_pitch("the source", extent.width, from.pitch));
  if (to.pitch > limits::most_pitch || from.pitch > limits::most_pitch)
    return remember(cudaErrorInvalidValue);
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  side to_side = side::host, from_side = side::host;
  if (const cudaError_t error = check_boxes(to, from, extent, kind, to_side, from_side); error != cudaSuccess)
    return error;
  const auto from_rows = [=](const rows& source) {
    return [=](work& mine) {
      const with_variables shown(mine.device(), to.begin, source.begin);
      log_between_devices(call.function, to.begin, source.begin, extent.width * extent.height * extent.depth);
      for (std::size_t z = 0; z < extent.depth; ++z) {
        for (std::size_t y = 0; y < extent.height; ++y) {
          char* to_row = to.row(y, z);
          const char* from_row = source.row(y, z);
          mine.reads(from_row, extent.width);
          mine.writes(to_row, extent.width);
          std::memmove(to_row, from_row, extent.width);
          mark_arrived(to_row, from_row, extent.width, to_side);
        }
      }
      note_copied(mine, to_side, from_side, extent.width * extent.height * extent.depth);
    };
  };
  stream_call with = call;
  if (from_side == side::host) with.uses.push_back({from.begin, from.reach(extent), "reads"});
  if (to_side == side::host) with.uses.push_back({to.begin, to.reach(extent), "writes"});
  return enqueue(with, host_waits(call, to_side, from_side), cudaGraphNodeTypeMemcpy, from_rows(from),
                 [&]() -> work_body {
                   if (from_side != side::host) return from_rows(from);
                   // The host may change it when the call has returned.
                   const auto kept = kept_bytes(extent.width * extent.height * extent.depth);
                   const rows packed{kept.get(), extent.width, extent.height};
                   for (std::size_t z = 0; z < extent.depth; ++z)
                     for (std::size_t y = 0; y < extent.height; ++y)
                       std::memcpy(packed.row(y, z), from.row(y, z), extent.width);
                   return [=, own = kept](work& mine) {
                     for (std::size_t z = 0; z < extent.depth; ++z)
                       for (std::size_t y = 0; y < extent.height; ++y)
                         mine.reads(from.row(y, z), extent.width);
                     from_rows(packed)(mine);
                   };
                 });
}

cudaError_t copy_2d(const stream_call& call, void* to, std::size_t to_pitch, const void* from,
                    std::size_t from_pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_3d(call, {static_cast<char*>(to), to_pitch, height},
                 {const_cast<char*>(static_cast<const char*>(from)), from_pitch, height}, {width, height, 1},
                 kind);
}

cudaError_t fill_3d(const stream_call& call, const rows& to, int value, const cudaExtent& extent) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  const auto [width, height, depth] = extent;
  if (width > to.pitch)
    return remember(cudaErrorInvalidPitchValue, why_beyond_pitch("the memory", width, to.pitch));
  if (width == 0 || height == 0 || depth == 0) return cudaSuccess;
  if (depth > 1 && height > to.rows) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_fill(to.begin, to.reach(extent), &to); error != cudaSuccess)
    return error;
  return enqueue(call, fill_waits(call, to.begin), cudaGraphNodeTypeMemset, [=](work& mine) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
      for (std::size_t y = 0; y < extent.height; ++y) {
        mine.writes(to.row(y, z), extent.width);
        std::memset(to.row(y, z), value, extent.width);
        mark_defined(to.row(y, z), extent.width);
      }
    }
  });
}

bool on_device(const void* address, std::size_t size) {
  side where;
  return address != nullptr && place(address, size, where) && where != side::host;
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  if (current_worker != nullptr) return malloc_by_kernel(pointer, size, __builtin_return_address(0));
  return allocate(pointer, size, allocation_kind::device);
}
cudaError_t cudaFree(void* pointer) {
  if (current_worker != nullptr) return free_by_kernel(pointer, __builtin_return_address(0));
  return release(pointer, allocation_kind::device);
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t size, cudaStream_t stream) {
  return allocate_async("cudaMallocAsync", pointer, size, stream);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (pointer == nullptr) return cudaSuccess;
  if (is_captured(stream)) return say_not_emulated("stream-ordered freeing while a stream is captured");
  const auto found = device_memory::instance().find(pointer);
  if (!found || found->begin != pointer || found->leaving || found->kind == allocation_kind::host ||
      found->kind == allocation_kind::heap)
    return remember(cudaErrorInvalidValue, why_not_freed(pointer, allocation_kind::device, found));
  const std::size_t size = found->size;
  const work_body body = [=](work& mine) {
    mine.frees(pointer, size);
    mine.conclude();
    device_memory::instance().release(pointer, allocation_kind::device);
  };
  return enqueue(
      {.function = "cudaFreeAsync", .stream = stream, .asynchronous = true, .verb = "frees", .frees = true},
      false, cudaGraphNodeTypeEmpty, body, [&] {
        device_memory::instance().leave(pointer);
        return body;
      });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  if (pointer == nullptr || pitch == nullptr) return remember(cudaErrorInvalidValue);
  *pitch = (width + limits::row_alignment - 1) / limits::row_alignment * limits::row_alignment;
  if (height != 0 && *pitch > std::numeric_limits<std::size_t>::max() / height)
    return remember(cudaErrorMemoryAllocation);
  const cudaError_t error = cudaMalloc(pointer, *pitch * height);
  if (error == cudaSuccess) device_memory::instance().note_rows(*pointer, width, *pitch);
  return error;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return copy({"cudaMemcpy"}, to, from, size, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy({"cudaMemcpyAsync", stream, true}, to, from, size, kind);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_2d({"cudaMemcpy2D"}, to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_2d({"cudaMemcpy2DAsync", stream, true}, to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t size) {
  return fill({"cudaMemset"}, pointer, value, size);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t size, cudaStream_t stream) {
  return fill({"cudaMemsetAsync", stream, true}, pointer, value, size);
}
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_3d({"cudaMemset2D"}, {static_cast<char*>(pointer), pitch, height}, value, {width, height, 1});
}
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return fill_3d({"cudaMemset2DAsync", stream, true}, {static_cast<char*>(pointer), pitch, height}, value,
                 {width, height, 1});
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  *free = device_memory::instance().free_bytes();
  *total = device_memory::instance().total_bytes();
  return cudaSuccess;
}

namespace {

cudaError_t copy_to_symbol(const stream_call& call, const void* symbol, const void* from, std::size_t size,
                           std::size_t offset, cudaMemcpyKind kind) {
  char* address = nullptr;
  if (const cudaError_t error = in_symbol(symbol, size, offset, &address); error != cudaSuccess) return error;
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return remember(cudaErrorInvalidMemcpyDirection, "cudaMemcpyToSymbol() writes to the device");
  const cudaError_t error = copy(call, address, from, size, kind);
  if (error == cudaSuccess) note_copy_to(*find_variable(symbol), offset, size, call.function);
  return error;
}
cudaError_t copy_from_symbol(const stream_call& call, void* to, const void* symbol, std::size_t size,
                             std::size_t offset, cudaMemcpyKind kind) {
  char* address = nullptr;
  if (const cudaError_t error = in_symbol(symbol, size, offset, &address); error != cudaSuccess) return error;
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return remember(cudaErrorInvalidMemcpyDirection, "cudaMemcpyFromSymbol() reads from the device");
  return copy(call, to, address, size, kind);
}

}  // namespace

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size, std::size_t offset,
                               cudaMemcpyKind kind) {
  return copy_to_symbol({"cudaMemcpyToSymbol"}, symbol, from, size, offset, kind);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_from_symbol({"cudaMemcpyFromSymbol"}, to, symbol, size, offset, kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_symbol({"cudaMemcpyToSymbolAsync", stream, true}, symbol, from, size, offset, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_from_symbol({"cudaMemcpyFromSymbolAsync", stream, true}, to, symbol, size, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  char* address = nullptr;
  if (const cudaError_t error = in_symbol(symbol, 0, 0, &address); error != cudaSuccess) return error;
  *pointer = address;
  note_address_taken(*find_variable(symbol));
  return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  const variable_record* variable = find_variable(symbol);
  if (variable == nullptr) return remember(cudaErrorInvalidSymbol);
  *size = variable->size;
  return cudaSuccess;
}
