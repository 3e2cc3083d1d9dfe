// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "launch_check.hpp"

#include <algorithm>
#include <cstdint>

#include "code/symbolize.hpp"
#include "device/device_limits.hpp"
#include "device/errors.hpp"
#include "emulator/runtime/runtime_templates.hpp"
#include "tell/report.hpp"
#include "worker.hpp"

namespace cuda_emulator {

// With internal linkage, gold (binutils 2.40) would link its uses to another variable.
thread_local bool identifying __attribute__((tls_model("initial-exec"))) = false;

namespace {

thread_local const kernel_record* identified = nullptr;

std::string extent_text(dim3 extent) {
  return "(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " + std::to_string(extent.z) +
         ")";
}

/// Of a launch that refusal() refuses: which number is too large, or 0, and what the most is; may be empty.
/// Sets `number` to that number.
std::string why_refused(const configuration& shape, const kernel_record& kernel, launch_number& number) {
  const auto [grid, block, dynamic, stream, cooperative] = shape;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const std::string of_threads = "the block has " + std::to_string(threads) + " threads, and ";
  number = launch_number::block;
  if (threads == 0) return "the block has " + extent_text(block) + " threads, and none of the three may be 0";
  number = launch_number::grid;
  if (std::uint64_t{grid.x} * grid.y * grid.z == 0)
    return "the grid has " + extent_text(grid) +
           " blocks, and none of the three may be 0 (usually a quotient that was rounded down, as 100 / 256 "
           "is to 0)";
  number = launch_number::block;
  if (threads > limits::threads_per_block)
    return of_threads + std::to_string(limits::threads_per_block) + " are the most";
  if (block.z > limits::block_z)
    return "the block has " + extent_text(block) + " threads, and in z " + std::to_string(limits::block_z) +
           " are the most";
  number = launch_number::grid;
  if (grid.x > limits::grid_x || grid.y > limits::grid_y || grid.z > limits::grid_z)
    return "the grid has " + extent_text(grid) + " blocks, and " +
           extent_text({limits::grid_x, limits::grid_y, limits::grid_z}) + " are the most";
  number = launch_number::block;
  if (kernel.max_threads_per_block != 0 && threads > static_cast<std::uint64_t>(kernel.max_threads_per_block))
    return of_threads + "the kernel's __launch_bounds__ allow " +
           std::to_string(kernel.max_threads_per_block);
  number = launch_number::bytes;
  if (dynamic > static_cast<std::size_t>(kernel.max_dynamic_shared))
    return std::to_string(dynamic) +
           " bytes of dynamic shared memory were asked for, and the kernel may have " +
           std::to_string(kernel.max_dynamic_shared) + " (cudaFuncSetAttribute() can ask for more)";
  number = launch_number::none;
  return "";
}

}  // namespace

cudaError_t blocks_per_multiprocessor(int* blocks, const kernel_record* kernel, int block_size,
                                      std::size_t dynamic_shared) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (kernel == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  if (block_size < 1) return remember(cudaErrorInvalidValue);
  if (block_size > static_cast<int>(limits::threads_per_block)) {
    *blocks = 0;
    return cudaSuccess;
  }
  const int warps = (block_size + 31) / 32;
  const std::size_t shared = dynamic_shared + kernel->static_shared;
  int result = std::min(limits::blocks_per_multiprocessor, limits::threads_per_multiprocessor / 32 / warps);
  if (shared > limits::shared_per_block_optin) {
    result = 0;
  } else {
    // Each block also costs what the system reserves; shared memory is given out in pieces of 128 bytes.
    const std::size_t each = (shared + limits::reserved_shared_per_block + 127) / 128 * 128;
    result = std::min(result, static_cast<int>(limits::shared_per_multiprocessor / each));
  }
  *blocks = result;
  return cudaSuccess;
}

cudaError_t refusal(const configuration& shape, const kernel_record& kernel) {
  const auto [grid, block, dynamic, stream, cooperative] = shape;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  if (threads == 0 || std::uint64_t{grid.x} * grid.y * grid.z == 0) return cudaErrorInvalidConfiguration;
  if (block.x > limits::block_x || block.y > limits::block_y || block.z > limits::block_z ||
      threads > limits::threads_per_block || grid.x > limits::grid_x || grid.y > limits::grid_y ||
      grid.z > limits::grid_z)
    return cudaErrorInvalidConfiguration;
  if (kernel.max_threads_per_block != 0 && threads > static_cast<std::uint64_t>(kernel.max_threads_per_block))
    return cudaErrorInvalidValue;
  if (dynamic > static_cast<std::size_t>(kernel.max_dynamic_shared) ||
      dynamic + kernel.static_shared > limits::shared_per_block_optin)
    return cudaErrorInvalidValue;
  if (cooperative) {
    int most = 0;
    const cudaError_t error = blocks_per_multiprocessor(&most, &kernel, static_cast<int>(threads), dynamic);
    if (error != cudaSuccess) return error;
    if (std::uint64_t{grid.x} * grid.y * grid.z > static_cast<std::uint64_t>(most) * limits::multiprocessors)
      return cudaErrorCooperativeLaunchTooLarge;
  }
  return cudaSuccess;
}

bool enter(const kernel_record& record) {
  if (identifying) {
    identified = &record;
    return true;
  }
  if (current_worker == nullptr) {
    end_program(source_place{record.file, record.line}.text() + ": error: kernel " + record.name +
                " was called like a function; a kernel is launched with <<<blocks, threads>>>.");
  }
  current_observer = current_worker->watcher();
  return false;
}

const kernel_record* identify(void (*call)(const void*), const void* closure) {
  identifying = true;
  identified = nullptr;
  call(closure);
  identifying = false;
  return identified;
}

launch_refusal decide(const launch_request& request, const kernel_record*& kernel) {
  // An earlier error: the program is told of that one.
  cudaError_t before = stuck();
  if (before == cudaSuccess) before = failed();
  if (before != cudaSuccess) return {before, launch_refusal::told::in_report};
  kernel = identify(request.call, request.closure);
  if (kernel == nullptr) return {cudaErrorInvalidDeviceFunction, launch_refusal::told::in_both};
  const cudaError_t error = refusal(request.shape, *kernel);
  if (error == cudaSuccess) return {};
  launch_refusal result{error, launch_refusal::told::in_both};
  result.why = why_refused(request.shape, *kernel, result.number);
  return result;
}

}  // namespace cuda_emulator
