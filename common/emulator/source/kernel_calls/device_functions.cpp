// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What running kernels call: barriers, shared memory, votes, clocks, printf and assert.
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include "code/symbolize.hpp"
#include "device/builtins.hpp"
#include "emulator/steps.hpp"
#include "emulator/threads/synchronization.hpp"
#include "kernel_heap.hpp"
#include "memory/device_memory.hpp"
#include "memory/variables.hpp"
#include "run/faults.hpp"
#include "run/worker.hpp"
#include "tell/findings.hpp"
#include "tell/report.hpp"

namespace cuda_emulator {
namespace {

worker& running(const char* what) {
  if (current_worker == nullptr) {
    end_program(std::string(what) +
                " was called outside of a kernel; only code that runs on the device can.");
  }
  return *current_worker;
}

[[noreturn]] void stop_thread_at(const char* why, const char* cause, const void* pc) {
  worker& w = running(why);
  raw_finding f{.kind = finding_kind::crash};
  f.block = w.block();
  f.thread = w.thread();
  f.pc = reinterpret_cast<std::uint64_t>(pc);
  f.text = why;
  f.cause = cause;
  w.launch().note(f);
  w.launch().abandon();
  w.abandon();
}

}  // namespace

int block_barrier(block_vote vote, int predicate) {
  return running("__syncthreads").block_barrier(vote, predicate != 0, __builtin_return_address(0));
}

std::uint64_t warp_collective(warp_operation operation, unsigned mask, std::uint64_t value, int parameter,
                              int width, unsigned column) {
  return running("a function of a warp")
      .warp_collective(operation, mask, value, parameter, width, column, __builtin_return_address(0));
}

void tile_exchange(unsigned size, const void* give, void* take, unsigned bytes, int source) {
  running("a function of a tile").tile_exchange(size, give, take, bytes, source, __builtin_return_address(0));
}

void refuse_in_kernel(const char* what, const char* cause) {
  stop_thread_at(what, cause, __builtin_return_address(0));
}

void grid_barrier() { running("grid.sync()").grid_barrier(__builtin_return_address(0)); }

bool is_cooperative_launch() {
  return current_worker != nullptr && current_worker->launch().request.shape.cooperative;
}

unsigned lane_index() { return static_cast<unsigned>(running("lane_index").thread() % lanes_per_warp); }

void fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (current_observer != nullptr) current_observer->fence();
}

long long clock_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

void pause_thread(unsigned) { running("__nanosleep").yield(); }

void trap_thread() {
  worker& w = running("__trap");
  w.launch().abort(cudaErrorLaunchFailure);
  w.abandon();
}

void stop_thread(const char* why, const char* cause) {
  stop_thread_at(why, cause, __builtin_return_address(0));
}

void assume(bool holds) {
  if (holds) return;
  if (current_worker == nullptr) __builtin_unreachable();
  stop_thread_at(
      "an assumption that does not hold (__builtin_assume)",
      "A compiler makes use of it, and what the kernel then does is not defined. Usual cause: the host "
      "passes what\n  the kernel does not expect, or the condition is wrong. assert() also checks on a GPU.",
      __builtin_return_address(0));
}

address_space address_space_of(const void* address) {
  if (current_worker != nullptr && current_worker->shared.contains(address)) return address_space::shared;
  if (current_worker != nullptr && current_worker->on_stack(address)) return address_space::local;
  const variable_record* variable = find_variable(address);
  return variable != nullptr && variable->space == memory_space::constant ? address_space::constant
                                                                          : address_space::global;
}

// From `emucc --steps`.
void note_line() {
  if (current_observer != nullptr)
    current_observer->note_line(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
}
void note_numbers(const char* name, number_type type, const void* value) {
  if (current_observer != nullptr)
    current_observer->note_numbers(name, -1, type, value,
                                   reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
}
void note_local_array(const char* name, void* begin, number_type of, std::size_t count, bool initialized) {
  if (current_observer != nullptr)
    current_observer->note_local_array(name, begin, of, count, initialized,
                                       reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
}
void note_element_at(const volatile void* element, number_type type) {
  if (current_observer != nullptr)
    current_observer->note_element(const_cast<const void*>(element), type,
                                   reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
}
void note_address(const char* name, const volatile void* pointer, number_type of) {
  if (current_observer != nullptr)
    current_observer->note_address(name, pointer, of,
                                   reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
}
void note_array(const char* name, const volatile void* begin, number_type of,
                const std::size_t (&extents)[4]) {
  if (current_observer != nullptr) current_observer->note_array(name, begin, of, extents);
}

void* shared_address(shared_variable& variable, std::size_t size, std::size_t alignment,
                     std::size_t element_size, const array_shape& shape) {
  worker& w = running("a function that uses __shared__ memory");
  void* address = w.shared.place(w.launch().shared, variable, size, alignment, element_size, shape);
  if (address == nullptr) {
    raw_finding f{.kind = finding_kind::too_much_shared_memory};
    f.text = shown(variable.file) + ":" + std::to_string(variable.line) + ": error: kernel " +
             w.launch().kernel.name + " declares more than 48 KiB of __shared__ memory; " + variable.name +
             " does not fit\n  The compiler for a GPU refuses this. More (up to 227 KiB) is only to be had "
             "dynamically: extern __shared__, cudaFuncSetAttribute(), and the third launch parameter.";
    w.launch().note(f);
    w.launch().refuse(cudaErrorInvalidValue);
    w.abandon();
  }
  return address;
}

void* dynamic_shared_address(const char* name, const char* file, int line, std::size_t element_size,
                             const array_shape& shape) {
  worker& w = running("a function that uses __shared__ memory");
  if (shared_layout& layout = w.launch().shared; !layout.dynamic_named())
    layout.name_dynamic(
        {name, file, line, shared_arena::dynamic_offset, w.shared.dynamic_bytes(), element_size, shape});
  return w.shared.dynamic();
}

}  // namespace cuda_emulator

using cuda_emulator::current_worker;

namespace {
constexpr char of_library[] =
    "Containers of the standard library are the host's, as with nvcc. Use an array, or malloc() and new.";
constexpr char not_of_heap[] =
    "Usual cause: it was freed before, or does not come from malloc() or new in a kernel: "
    "what cudaMalloc() gave\n"
    "  is freed by cudaFree() on the host.";
constexpr char missing_return[] =
    "Its type promises a value, and what the caller gets is undefined. Usual cause: an if or a loop around "
    "the only\n  return, or a function that should be void.";
/// Is this place in a header of the standard library?
bool is_of_library(std::uint64_t pc) {
  static std::mutex mutex;
  static std::map<std::uint64_t, bool> known;
  const std::lock_guard lock(mutex);
  const auto [found, is_new] = known.try_emplace(pc, false);
  if (is_new) {
    const auto places = cuda_emulator::code_at(pc);
    found->second = !places.empty() && places.front().file.find("/c++/") != std::string::npos;
  }
  return found->second;
}

void* from_heap(std::size_t bytes, const char* what, const void* caller) {
  const auto pc = reinterpret_cast<std::uint64_t>(caller);
  if (what != nullptr && is_of_library(pc)) cuda_emulator::stop_thread_at(what, of_library, caller);
  return cuda_emulator::device_memory::instance().allocate_on_heap(bytes, current_worker->launch().device,
                                                                   pc);
}

void to_heap(void* pointer, const char* what, const void* caller) {
  if (pointer == nullptr) return;
  if (!cuda_emulator::device_memory::instance().release_on_heap(pointer, current_worker->launch().device))
    cuda_emulator::stop_thread_at(what, not_of_heap, caller);
}

}  // namespace

namespace cuda_emulator {
cudaError_t malloc_by_kernel(void** pointer, std::size_t bytes, const void* caller) {
  *pointer = from_heap(bytes, nullptr, caller);
  return *pointer != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t free_by_kernel(void* pointer, const void* caller) {
  to_heap(pointer, "cudaFree() in a kernel of what is not on the heap", caller);
  return cudaSuccess;
}
}  // namespace cuda_emulator

extern "C" {

// Kernel files call these instead of the C library's functions of the same name (see emucc.in).

EMULATOR_API int cuda_emulator_vprintf(const char* format, std::va_list arguments) {
  if (current_worker == nullptr) return std::vprintf(format, arguments);
  char text[2048];
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  auto& pieces = current_worker->printed;
  if (pieces.empty() || pieces.back().block_position != current_worker->block_position())
    pieces.push_back({current_worker->block_position(), {}});
  pieces.back().text += text;
  return length;
}

EMULATOR_API int cuda_emulator_printf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = cuda_emulator_vprintf(format, arguments);
  va_end(arguments);
  return length;
}

/// In kernels clock() counts the clock of clock64(), elsewhere the time of the process.
EMULATOR_API std::clock_t cuda_emulator_clock() {
  return current_worker != nullptr ? static_cast<std::clock_t>(cuda_emulator::clock_now()) : std::clock();
}

/// In kernels these are the heap of the device, elsewhere the host's.
EMULATOR_API void* cuda_emulator_malloc(std::size_t bytes) {
  return current_worker != nullptr ? from_heap(bytes, nullptr, __builtin_return_address(0))
                                   : std::malloc(bytes);
}
EMULATOR_API void cuda_emulator_free(void* pointer) {
  if (current_worker == nullptr) return std::free(pointer);
  to_heap(pointer, "free() of what is not on the heap", __builtin_return_address(0));
}
EMULATOR_API void* cuda_emulator_new(std::size_t bytes) {
  if (current_worker == nullptr) return ::operator new(bytes);
  return from_heap(std::max<std::size_t>(bytes, 1), "a container of the host", __builtin_return_address(0));
}
EMULATOR_API void* cuda_emulator_new_array(std::size_t bytes) {
  if (current_worker == nullptr) return ::operator new[](bytes);
  return from_heap(std::max<std::size_t>(bytes, 1), "a container of the host", __builtin_return_address(0));
}
EMULATOR_API void* cuda_emulator_new_aligned(std::size_t bytes, std::align_val_t alignment) {
  if (current_worker == nullptr) return ::operator new(bytes, alignment);
  return from_heap(std::max<std::size_t>(bytes, 1), "a container of the host", __builtin_return_address(0));
}
EMULATOR_API void cuda_emulator_delete(void* pointer) {
  if (current_worker == nullptr) return ::operator delete(pointer);
  to_heap(pointer, "delete of what is not on the heap", __builtin_return_address(0));
}
EMULATOR_API void cuda_emulator_delete_sized(void* pointer, std::size_t) {
  if (current_worker == nullptr) return ::operator delete(pointer);
  to_heap(pointer, "delete of what is not on the heap", __builtin_return_address(0));
}
EMULATOR_API void cuda_emulator_delete_array(void* pointer) {
  if (current_worker == nullptr) return ::operator delete[](pointer);
  to_heap(pointer, "delete[] of what is not on the heap", __builtin_return_address(0));
}
EMULATOR_API void cuda_emulator_delete_sized_array(void* pointer, std::size_t) {
  if (current_worker == nullptr) return ::operator delete[](pointer);
  to_heap(pointer, "delete[] of what is not on the heap", __builtin_return_address(0));
}
EMULATOR_API void cuda_emulator_delete_aligned(void* pointer, std::size_t, std::align_val_t alignment) {
  if (current_worker == nullptr) return ::operator delete(pointer, alignment);
  to_heap(pointer, "delete of what is not on the heap", __builtin_return_address(0));
}

/// A function that is to return a value ends without a return: kernel files are compiled with
/// -fsanitize=return, and the sanitizer's own library is not linked.
struct place_of_function {
  const char* file;
  std::uint32_t line, column;
};
EMULATOR_API void cuda_emulator_missing_return(const place_of_function* place) {
  if (current_worker != nullptr)
    cuda_emulator::stop_thread_at("a function ends without a return", missing_return,
                                  __builtin_return_address(0));
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%u: error: a function ends without a return\n  %s\n",
               cuda_emulator::shown(place->file).c_str(), place->line, missing_return);
  std::_Exit(1);
}

/// From -fsanitize=integer-divide-by-zero, for processors that do not stop by themselves. Host code ends as
/// it does on those that do.
EMULATOR_API void cuda_emulator_divided_by_zero() {
  if (current_worker == nullptr) raise(SIGFPE), std::abort();
  cuda_emulator::stop_thread_at("integer division by zero", cuda_emulator::division_by_zero,
                                __builtin_return_address(0));
}

EMULATOR_API void cuda_emulator_assert_fail(const char* expression, const char* file, unsigned line,
                                            const char* function) {
  // CUDA's message, but for the path: the compiler may have got an absolute one, and findings are relative.
  const std::string place = cuda_emulator::shown(file);
  if (current_worker == nullptr) {
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", place.c_str(), line, function, expression);
    std::abort();
  }
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
               place.c_str(), line, function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
               threadIdx.z, expression);
  current_worker->launch().abort(cudaErrorAssert);
  current_worker->abandon();
}
}
