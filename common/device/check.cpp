// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "check.hpp"

#include "device.hpp"

namespace tutorial {
namespace {

// By name and not by value: not every toolkit and not the emulated device has all of them.
struct advice {
  std::string_view name, text;
};
constexpr advice advices[] = {
    {"cudaErrorNoDevice", "no NVIDIA GPU found: use the emulated preset (chapters/run chooses it by itself)"},
    {"cudaErrorInsufficientDriver",
     "no NVIDIA driver found, or one too old for this toolkit: use the emulated preset, or install a newer "
     "driver"},
    {"cudaErrorNoKernelImageForDevice",
     "the program was compiled for other GPUs: configure with -DCMAKE_CUDA_ARCHITECTURES=native and build "
     "again"},
    {"cudaErrorUnsupportedPtxVersion",
     "the driver is older than the toolkit: configure with -DCMAKE_CUDA_ARCHITECTURES=native, or update the "
     "driver"},
    {"cudaErrorDevicesUnavailable", "another program has exclusive use of the GPU: see nvidia-smi"},
    {"cudaErrorMemoryAllocation",
     "the device has too little free memory: use a smaller size, or use nvidia-smi to see what else uses it"},
    {"cudaErrorInvalidConfiguration",
     "the grid or the block cannot be launched: no dimension may be 0, a block has at most 1024 threads (64 "
     "in z), a grid at most 65535 blocks in y and z; or the kernel asks for more shared memory than a block "
     "may have"},
    {"cudaErrorLaunchOutOfResources",
     "a block of this size needs more registers than there are: use fewer threads, or __launch_bounds__"},
    {"cudaErrorInvalidValue",
     "an argument is out of range: of a copy a size, a pointer or the direction; of a launch a dimension of "
     "0, more than 1024 threads in a block (64 in z) or than __launch_bounds__ says, or too much shared "
     "memory"},
    {"cudaErrorIllegalAddress",
     "a kernel read or wrote memory that does not belong to it; every later CUDA call also fails. Find the "
     "line: run it on the emulated device, or under compute-sanitizer"},
    {"cudaErrorMisalignedAddress",
     "a kernel used an address that is not a multiple of the size of the access; every later CUDA call also "
     "fails. Find the line: run it on the emulated device, or under compute-sanitizer"},
    {"cudaErrorLaunchFailure",
     "a kernel stopped, often by an access outside an array; every later CUDA call also fails. Find the "
     "line: run it on the emulated device, or under compute-sanitizer"},
    {"cudaErrorAssert", "an assert in a kernel failed; its text is above. Every later CUDA call also fails"},
    {"cudaErrorLaunchTimeout", "the kernel ran longer than a GPU with a display allows: give it less work"},
    {"cudaErrorInvalidDeviceFunction",
     "this kernel is not in the program for this GPU: configure with -DCMAKE_CUDA_ARCHITECTURES=native and "
     "build again"},
    {"cudaErrorInvalidSymbol", "the name is not a __constant__ or __device__ variable of this program"},
};

// "05_shared_memory/convolve_shared.cu": enough to find it, short enough to read.
std::string_view last_two_parts(std::string_view path) {
  const std::size_t last = path.rfind('/');
  if (last == std::string_view::npos || last == 0) return path;
  const std::size_t before = path.rfind('/', last - 1);
  return before == std::string_view::npos ? path : path.substr(before + 1);
}

std::string message(cudaError_t code, const source_line& where) {
  const std::string why = why_failed(code);  // first: it is told once
  const std::string_view name = cudaGetErrorName(code);
  std::string_view text = why;
  for (const advice& each : advices)
    if (why.empty() && each.name == name) text = each.text;
  return failed_call(where, name, cudaGetErrorString(code), text);
}

}  // namespace

std::string failed_call(const source_line& where, std::string_view name, std::string_view text,
                        std::string_view advice) {
  std::string all(last_two_parts(where.file));
  all.append(":").append(std::to_string(where.line)).append(": ").append(name);
  all.append(" (").append(text).append(")");
  if (!advice.empty()) all.append(": ").append(advice);
  return all;
}

cuda_error::cuda_error(cudaError_t code, const source_line& where)
    : std::runtime_error(message(code, where)), code_(code) {}

void check(cudaError_t status, source_line where) {
  if (status == cudaSuccess) return;
  const cuda_error error(status, where);  // first: what it says may ask the device why
  if (cudaPeekAtLastError() == status) (void)cudaGetLastError();
  throw error;
}

}  // namespace tutorial
