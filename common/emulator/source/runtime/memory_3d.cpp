// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The runtime's functions about boxes of memory, and copies between devices, of which there is one.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>
#include <string>

#include "copies.hpp"
#include "device/devices.hpp"
#include "device/errors.hpp"
#include "memory/arrays.hpp"

namespace cuda_emulator {
namespace {

/// One side of a copy: what its box begins in, and of how many bytes an element is (1 for what is no array).
struct side_of_copy {
  rows from_corner;
  std::size_t element_bytes;
};

std::string span_text(std::size_t from, std::size_t count) {
  return std::to_string(from) + " to " + std::to_string(from + count);
}

/// An invalid value: there is no such box in it. Its width is in elements. Remembers the error, as the next
/// one.
cudaError_t box_in_array(const cudaArray& array, const cudaPos& at, const cudaExtent& box,
                         side_of_copy& side) {
  const auto fits = [](std::size_t from, std::size_t count, std::size_t size) {
    return from <= size && count <= size - from;
  };
  if (!fits(at.x, box.width, array.width) || !fits(at.y, box.height, array.rows()) ||
      !fits(at.z, box.depth, array.slices()))
    return remember(cudaErrorInvalidValue, "elements " + span_text(at.x, box.width) + " of rows " +
                                               span_text(at.y, box.height) + " of slices " +
                                               span_text(at.z, box.depth) + " are not all in " +
                                               array_at(array.data));
  side.element_bytes = array.element_bytes();
  side.from_corner = {array.data + (at.z * array.rows() + at.y) * array.row_bytes + at.x * side.element_bytes,
                      array.row_bytes, array.rows()};
  return cudaSuccess;
}

/// The codes are those of an H200: a row too long is an invalid value, a slice too high an invalid pitch.
cudaError_t box_in_memory(const cudaPitchedPtr& memory, const cudaPos& at, const cudaExtent& box,
                          side_of_copy& side) {
  const bool one_slice = box.depth <= 1 && at.z == 0;
  if (!one_slice && (at.y > memory.ysize || box.height > memory.ysize - at.y))
    return remember(cudaErrorInvalidPitchValue, "rows " + span_text(at.y, box.height) +
                                                    " do not fit into slices of " +
                                                    std::to_string(memory.ysize) + " rows (ysize)");
  // A single row needs no pitch.
  const bool one_row = one_slice && box.height <= 1 && at.y == 0;
  const std::size_t pitch = one_row && memory.pitch == 0 ? at.x + box.width : memory.pitch;
  if (at.x > pitch || box.width > pitch - at.x)
    return remember(cudaErrorInvalidValue, "bytes " + span_text(at.x, box.width) +
                                               " of a row do not fit into its pitch of " +
                                               std::to_string(pitch) + " bytes");
  side.element_bytes = 1;
  side.from_corner = {static_cast<char*>(memory.ptr) + (at.z * memory.ysize + at.y) * pitch + at.x, pitch,
                      memory.ysize};
  return cudaSuccess;
}

}  // namespace

cudaError_t copy_box(const stream_call& call, const cudaMemcpy3DParms* parameters) {
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (parameters == nullptr) return remember(cudaErrorInvalidValue);
  const cudaMemcpy3DParms& p = *parameters;
  if ((p.srcArray != nullptr) == (p.srcPtr.ptr != nullptr) ||
      (p.dstArray != nullptr) == (p.dstPtr.ptr != nullptr))
    return remember(
        cudaErrorInvalidValue,
        "each side is an array or a pointer: set one of srcArray and srcPtr, and one of dstArray and "
        "dstPtr");
  cudaError_t error = cudaSuccess;
  if (p.srcArray != nullptr && known_array(p.srcArray, error) == nullptr) return error;
  if (p.dstArray != nullptr && known_array(p.dstArray, error) == nullptr) return error;
  const bool into_host = p.kind == cudaMemcpyHostToHost || p.kind == cudaMemcpyDeviceToHost;
  const bool out_of_host = p.kind == cudaMemcpyHostToHost || p.kind == cudaMemcpyHostToDevice;
  if (p.kind < cudaMemcpyHostToHost || p.kind > cudaMemcpyDefault)
    return remember(cudaErrorInvalidMemcpyDirection);
  if ((p.srcArray != nullptr && out_of_host) || (p.dstArray != nullptr && into_host))
    return remember(cudaErrorInvalidValue,
                    "an array is memory of the device, and the direction says the host's");

  side_of_copy from{}, to{};
  // In elements where an array takes part: a width in bytes is a multiple of it.
  const std::size_t element = p.srcArray != nullptr   ? p.srcArray->element_bytes()
                              : p.dstArray != nullptr ? p.dstArray->element_bytes()
                                                      : 1;
  if (p.extent.width > std::numeric_limits<std::size_t>::max() / element)
    return remember(cudaErrorInvalidValue);
  cudaExtent bytes = p.extent;
  bytes.width *= element;
  error = p.srcArray != nullptr ? box_in_array(*p.srcArray, p.srcPos, p.extent, from)
                                : box_in_memory(p.srcPtr, p.srcPos, bytes, from);
  if (error != cudaSuccess) return error;
  error = p.dstArray != nullptr ? box_in_array(*p.dstArray, p.dstPos, p.extent, to)
                                : box_in_memory(p.dstPtr, p.dstPos, bytes, to);
  if (error != cudaSuccess) return error;
  const bool same_elements =
      p.srcArray == nullptr || p.dstArray == nullptr || from.element_bytes == to.element_bytes;
  if (!same_elements) return remember(cudaErrorInvalidValue);
  return copy_3d(call, to.from_corner, from.from_corner, bytes, p.kind);
}

namespace {

// As an H200: not more rows than a slice has, even in one slice; a single row may be longer than the pitch.
cudaError_t fill_box(const stream_call& call, cudaPitchedPtr to, int value, cudaExtent extent) {
  const bool none = extent.width == 0 || extent.height == 0 || extent.depth == 0;
  if (!none && extent.height > to.ysize) return remember(cudaErrorInvalidValue);
  if (extent.height == 1 && extent.depth == 1) to.pitch = std::max(to.pitch, extent.width);
  return fill_3d(call, {static_cast<char*>(to.ptr), to.pitch, to.ysize}, value, extent);
}

/// Of a pointer to memory of a device, that it is of the device that the call names.
cudaError_t check_peer(const char* which, const void* pointer, int device) {
  if (!is_device(device)) return remember(cudaErrorInvalidDevice);
  device_memory& memory = device_memory::instance();
  const auto found = pointer == nullptr ? std::nullopt : memory.find(pointer);
  if (!found || found->kind != allocation_kind::device || memory.device_of(pointer) == device)
    return cudaSuccess;
  return remember(cudaErrorInvalidValue, std::string(which) + " is memory of " +
                                             device_text(memory.device_of(pointer)) + ", and the call says " +
                                             device_text(device));
}

cudaError_t check_peers(const void* to, int to_device, const void* from, int from_device) {
  if (const cudaError_t error = check_peer("the destination", to, to_device); error != cudaSuccess)
    return error;
  return check_peer("the source", from, from_device);
}

/// A copy that is not asynchronous comes after all that its two devices and the current one were given, and
/// what they are given later comes after it.
class between_devices {
 public:
  between_devices(const stream_call& call, int to, int from)
      : applies_(!call.asynchronous), to_(to), from_(from) {
    join();
  }
  ~between_devices() { join(); }
  between_devices(const between_devices&) = delete;

 private:
  void join() const {
    if (!applies_) return;
    joins_default_streams(current_device(), to_);
    joins_default_streams(current_device(), from_);
  }
  bool applies_;
  int to_, from_;
};

cudaError_t copy_peer(const stream_call& call, void* to, int to_device, const void* from, int from_device,
                      std::size_t size) {
  if (const cudaError_t error = check_peers(to, to_device, from, from_device); error != cudaSuccess)
    return error;
  const between_devices serialized(call, to_device, from_device);
  return copy(call, to, from, size, cudaMemcpyDefault);
}

cudaError_t copy_peer_box(const stream_call& call, const cudaMemcpy3DPeerParms* p) {
  if (p == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = check_peers(p->dstArray != nullptr ? nullptr : p->dstPtr.ptr, p->dstDevice,
                                            p->srcArray != nullptr ? nullptr : p->srcPtr.ptr, p->srcDevice);
      error != cudaSuccess)
    return error;
  const between_devices serialized(call, p->dstDevice, p->srcDevice);
  const cudaMemcpy3DParms same{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                               p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDefault};
  return copy_box(call, &same);
}

}  // namespace
}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (pointer == nullptr) return remember(cudaErrorInvalidValue);
  void* memory = nullptr;
  std::size_t pitch = 0;
  const auto [width, height, depth] = extent;
  if (depth != 0 && height > std::numeric_limits<std::size_t>::max() / depth)
    return remember(cudaErrorMemoryAllocation);
  if (const cudaError_t error = cudaMallocPitch(&memory, &pitch, width, height * depth); error != cudaSuccess)
    return error;
  *pointer = {memory, pitch, width, height};
  return cudaSuccess;
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return fill_box({"cudaMemset3D"}, to, value, extent);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_box({"cudaMemset3DAsync", stream, true}, to, value, extent);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return copy_box({"cudaMemcpy3D"}, p); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return copy_box({"cudaMemcpy3DAsync", stream, true}, p);
}

// Both return before the copy is done, as one within a device does.
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t size) {
  return copy_peer({"cudaMemcpyPeer"}, to, to_device, from, from_device, size);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t size,
                                cudaStream_t stream) {
  if (const CUstream_st* const found = find_stream(stream); found != nullptr && found->capturing != nullptr)
    return harm_captures(cudaErrorStreamCaptureUnsupported, found);  // as an H200 does
  return copy_peer({"cudaMemcpyPeerAsync", stream, true}, to, to_device, from, from_device, size);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return copy_peer_box({"cudaMemcpy3DPeer"}, p);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  return copy_peer_box({"cudaMemcpy3DPeerAsync", stream, true}, p);
}
