// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "child_launches.hpp"

#include <utility>

#include "device/errors.hpp"
#include "device/failed_calls.hpp"
#include "emulator/runtime/runtime_templates.hpp"
#include "graph_kernels.hpp"
#include "launch_check.hpp"
#include "worker.hpp"

namespace cuda_emulator {
namespace {

constexpr int most_levels = 24;  // below the kernel that the host launches, as in CUDA

/// While it lives, this thread is one of the host: what it calls allocates there, and is not watched.
class outside_of_kernel {
 public:
  outside_of_kernel() = default;
  outside_of_kernel(const outside_of_kernel&) = delete;
  ~outside_of_kernel() {
    current_worker = worker_;
    current_observer = observer_;
  }

 private:
  worker* const worker_ = std::exchange(current_worker, nullptr);
  observer* const observer_ = std::exchange(current_observer, nullptr);
};

}  // namespace

void launch_by_kernel(const launch_request& request) {
  worker& parent = *current_worker;
  launch_state& launch = parent.launch();
  const std::uint64_t position = parent.block_position();
  const outside_of_kernel host;
  const kernel_record* const kernel = identify(request.call, request.closure);
  const auto refuse = [&](cudaError_t error, const char* why = "") {
    note_failed_launch(request, error, why);
    set_last(error);
  };
  if (kernel == nullptr) return refuse(cudaErrorInvalidDeviceFunction);
  if (launch.depth == most_levels)
    return refuse(cudaErrorLaunchMaxDepthExceeded,
                  "a kernel that the host launches has at most 24 levels of "
                  "kernels below it");
  if (const cudaError_t error = refusal(request.shape, *kernel); error != cudaSuccess) return refuse(error);
  graph_node node = kernel_node(request, *kernel);
  if (node.kernel->kept.closure == nullptr) {
    say_not_emulated("the launch by a kernel of one with references as parameters");
    return;
  }
  const std::lock_guard lock(launch.mutex);
  launch.children.push_back({position, request.shape.stream == cudaStreamTailLaunch, std::move(node.body)});
}

}  // namespace cuda_emulator
