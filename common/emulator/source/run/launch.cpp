// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// From `kernel<<<...>>>(...)` to blocks on the workers.
#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <thread>
#include <unordered_map>

#include "child_launches.hpp"
#include "code/symbolize.hpp"
#include "device/device_limits.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "device/host_threads.hpp"
#include "emulator/runtime/runtime_templates.hpp"
#include "faults.hpp"
#include "graph_kernels.hpp"
#include "launch_log.hpp"
#include "order/movements.hpp"
#include "order/pending.hpp"
#include "patience.hpp"
#include "tell/findings.hpp"
#include "tell/report.hpp"
#include "tell/trace.hpp"
#include "turns.hpp"
#include "worker.hpp"

namespace cuda_emulator {

// With internal linkage, gold (binutils 2.40) would link its uses to another variable.
thread_local bool identifying __attribute__((tls_model("initial-exec"))) = false;

namespace {

thread_local const kernel_record* identified = nullptr;

/// The threads that help the launching one. They sleep between launches and end with the process.
class crew {
 public:
  /// Of one device. `first`: the number of its first worker.
  crew(int device, unsigned first) : device_(device), first_(first) {}

  /// Works on the launch with up to `threads` threads, this one among them, and waits for all.
  void work(launch_state& launch, int threads) {
    while (static_cast<int>(workers_.size()) < threads) {
      workers_.push_back(std::make_unique<worker>(first_ + static_cast<unsigned>(workers_.size()), device_));
      if (workers_.size() > 1) std::thread(&crew::help, this, workers_.size() - 1).detach();
    }
    device_turn mine(device_, threads);
    launch.my_turn = &mine;
    const patience watched(launch, workers_);
    if (threads > 1) {
      const std::lock_guard lock(mutex_);
      launch_ = &launch;
      wanted_ = busy_ = threads - 1;
      ++round_;
      begin_.notify_all();
    }
    catch_faults();
    workers_[0]->work(launch);
    mine.leave();
    if (threads > 1) {
      std::unique_lock lock(mutex_);
      end_.wait(lock, [this] { return busy_ == 0; });
    }
  }

 private:
  void help(std::size_t index) {
    is_thread_of_device();
    unsigned seen = 0;
    for (;;) {
      launch_state* launch = nullptr;
      {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, [&] { return round_ != seen; });
        seen = round_;
        if (static_cast<int>(index) <= wanted_) launch = launch_;
      }
      if (launch == nullptr) continue;
      catch_faults();
      workers_[index]->work(*launch);
      launch->my_turn->leave();
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) end_.notify_one();
    }
  }

  const int device_;
  const unsigned first_;
  std::vector<std::unique_ptr<worker>> workers_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  launch_state* launch_ = nullptr;
  int wanted_ = 0, busy_ = 0;
  unsigned round_ = 0;
};

void show_printed(launch_state& launch) {
  std::stable_sort(launch.printed.begin(), launch.printed.end(),
                   [](const auto& a, const auto& b) { return a.block_position < b.block_position; });
  for (const printed_piece& piece : launch.printed)
    std::fwrite(piece.text.data(), 1, piece.text.size(), stdout);
}

work_label label_of(const launch_request& request, const kernel_record& kernel) {
  work_label label{.function = request.callee, .kernel = kernel.name};
  if (request.line != 0) label.launched_at = source_place{request.file, request.line}.text();
  return label;
}

/// Of a kernel that runs again and again, the first launches are checked, and then one in so many.
bool is_one_of_many(const kernel_record& kernel) {
  static std::mutex mutex;
  static auto& counts = *new std::unordered_map<const kernel_record*, unsigned>;
  const std::lock_guard lock(mutex);
  const unsigned number = counts[&kernel]++;
  return number >= 8 && number % sample_step != 0;
}

cudaError_t give_to_stream(const launch_request& request, const kernel_record& kernel, std::string& why) {
  if (const cudaError_t error = check_caller(); error != cudaSuccess) return error;
  CUstream_st* const stream = find_stream(request.shape.stream);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capturing != nullptr) {
    graph_node node = kernel_node(request, kernel);
    if (node.kernel->kept.closure != nullptr) return add_captured(*stream, std::move(node));
    harm_captures(cudaErrorStreamCaptureUnsupported, stream);
    return say_not_emulated("the capture of a kernel with references as parameters");
  }
  if (stream->device != current_device()) {
    why = "the stream is one of " + device_text(stream->device) + ", and " + device_text(current_device()) +
          " is current";
    return cudaErrorInvalidResourceHandle;
  }
  if (const cudaError_t error = check_default_stream(*stream); error != cudaSuccess) return error;
  work mine(*stream, label_of(request, kernel));
  const work_body now = [&](work& of) { run_kernel(request, kernel, of); };
  graph_node kept;
  const bool may_wait = device_count() > 1 && mine.op() != nullptr;
  if (may_wait || !mine.at_once(settings().order == thread_order::forward)) {
    kept = kernel_node(request, kernel);
    if (kept.body != nullptr && kept.kernel->kept.closure == nullptr) run_until(mine.op()->start);
  }
  give(std::move(mine), {.may_wait = may_wait && kept.body != nullptr}, now, [&] { return kept.body; });
  return cudaSuccess;
}

std::string extent_text(dim3 extent) {
  return "(" + std::to_string(extent.x) + ", " + std::to_string(extent.y) + ", " + std::to_string(extent.z) +
         ")";
}

/// Of a launch that refusal() refuses: which number is too large, or 0, and what the most is; may be empty.
std::string why_refused(const configuration& shape, const kernel_record& kernel) {
  const auto [grid, block, dynamic, stream, cooperative] = shape;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const std::string of_threads = "the block has " + std::to_string(threads) + " threads, and ";
  if (threads == 0) return "the block has " + extent_text(block) + " threads, and none of the three may be 0";
  if (std::uint64_t{grid.x} * grid.y * grid.z == 0)
    return "the grid has " + extent_text(grid) +
           " blocks, and none of the three may be 0 (usually a quotient that was rounded down, as 100 / 256 "
           "is to 0)";
  if (threads > limits::threads_per_block)
    return of_threads + std::to_string(limits::threads_per_block) + " are the most";
  if (block.z > limits::block_z)
    return "the block has " + extent_text(block) + " threads, and in z " + std::to_string(limits::block_z) +
           " are the most";
  if (grid.x > limits::grid_x || grid.y > limits::grid_y || grid.z > limits::grid_z)
    return "the grid has " + extent_text(grid) + " blocks, and " +
           extent_text({limits::grid_x, limits::grid_y, limits::grid_z}) + " are the most";
  if (kernel.max_threads_per_block != 0 && threads > static_cast<std::uint64_t>(kernel.max_threads_per_block))
    return of_threads + "the kernel's __launch_bounds__ allow " +
           std::to_string(kernel.max_threads_per_block);
  if (dynamic > static_cast<std::size_t>(kernel.max_dynamic_shared))
    return std::to_string(dynamic) +
           " bytes of dynamic shared memory were asked for, and the kernel may have " +
           std::to_string(kernel.max_dynamic_shared) + " (cudaFuncSetAttribute() can ask for more)";
  return "";
}

}  // namespace

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

void run_launch(const launch_request& request) {
  if (current_worker != nullptr) return launch_by_kernel(request);
  cudaError_t before = stuck();
  if (before == cudaSuccess) before = failed();
  if (before != cudaSuccess) {
    report_refused(request, nullptr, before);
    return;
  }
  const kernel_record* kernel = identify(request.call, request.closure);
  const cudaError_t error =
      kernel == nullptr ? cudaErrorInvalidDeviceFunction : refusal(request.shape, *kernel);
  if (error != cudaSuccess) {
    report_refused(request, kernel, error);
    note_failed_launch(request, error, kernel == nullptr ? "" : why_refused(request.shape, *kernel));
    set_last(error);
    return;
  }

  std::string why;
  const cudaError_t in_stream = give_to_stream(request, *kernel, why);
  if (in_stream == cudaSuccess) return;
  note_failed_launch(request, in_stream, why);
  set_last(in_stream);
}

cudaError_t launch_by_address(const char* callee, const configuration& shape, const void* kernel,
                              void** addresses) {
  const kernel_record* const record = kernel == nullptr ? nullptr : record_of(kernel);
  if (record == nullptr) return remember(cudaErrorInvalidDeviceFunction);
  if (addresses == nullptr && *record->parameters != '\0') return remember(cudaErrorInvalidValue);
  const owned_launch kept = record->make != nullptr ? record->make(kernel, addresses) : owned_launch{};
  if (kept.closure == nullptr)
    return say_not_emulated(
        "a launch by the address of a kernel with references or parameters without names");
  run_launch({callee, "", 0, shape, kept.call, kept.closure, kept.arguments, kept.argument_count,
              record->make, kernel, addresses});
  kept.discard(kept.closure);
  return last_error();
}

void run_kernel(const launch_request& request, const kernel_record& kernel, work& mine) {
  static std::mutex one_at_a_time[most_devices];
  static crew* crews[most_devices] =
      {};  // never destroyed: their threads sleep in them until the process ends
  static std::atomic<std::uint32_t> launches{0};
  std::unique_lock lock(one_at_a_time[mine.device()]);
  const int most_of_each = most_workers / device_count();
  crew*& helpers = crews[mine.device()];
  if (helpers == nullptr)
    helpers = new crew(mine.device(), static_cast<unsigned>(mine.device() * most_of_each));
  const dim3 grid = request.shape.grid, block = request.shape.block;
  launch_state launch{.request = request,
                      .kernel = kernel,
                      .id = ++launches,
                      .blocks = std::uint64_t{grid.x} * grid.y * grid.z,
                      .threads_per_block = static_cast<int>(block.x * block.y * block.z),
                      .settings = settings(),
                      .device = mine.device(),
                      .depth = depth_of_launches(),
                      .several_devices = device_count() > 1,
                      .op = mine.watched() ? mine.op().get() : nullptr};
  const std::uint64_t work = launch.blocks * static_cast<std::uint64_t>(launch.threads_per_block);
  // Waking a helper costs as much as a few thousand simple threads.
  const std::uint64_t worth_it = launch.settings.checking ? 512 : 4096;
  const int most = work < worth_it ? 1 : std::min(launch.settings.threads, most_of_each);
  const std::uint64_t for_trace = traced_block(launch);
  launch.traced_block = for_trace != no_block ? for_trace : reported_block(launch);
  launch.notes_touches = mine.watched();
  launch.step_values = for_trace == no_block ? reported_step_values() : traced_step_values();
  launch.samples = launch.settings.sampling && !request.shape.cooperative && launch.traced_block == no_block;
  launch.skipped = launch.samples && is_one_of_many(kernel);
  report_begin(launch);
  observer::new_launch(launch.device);
  helpers->work(launch,
                static_cast<int>(std::min<std::uint64_t>(launch.blocks, static_cast<std::uint64_t>(most))));

  kernel.static_shared = std::max(kernel.static_shared, launch.shared.bytes());
  show_printed(launch);
  if (launch.refused != cudaSuccess) {
    note_failed_launch(request, launch.refused);
    set_last(launch.refused);
  }
  if (launch.error != cudaSuccess) {
    note_failed_kernel(request);
    fail_later(launch.error);
  }
  if (launch.settings.checking && !launch.samples) log_launch(launch);
  if (for_trace != no_block) write_trace(launch);
  report_launch(launch);
  conclude(launch);
  note_touched(mine.op().get(), launch.touched);
  for (const auto& each : launch.touched) mine.touches(*each);
  lock.unlock();
  run_children(launch, mine);
  mine.conclude();
}

}  // namespace cuda_emulator
