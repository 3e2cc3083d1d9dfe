// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Surface objects: what the host makes of arrays, and where their elements are.
#include "memory/surfaces.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "device/errors.hpp"
#include "memory/arrays.hpp"
#include "order/pending.hpp"
#include "run/worker.hpp"

namespace cuda_emulator {
namespace {

[[noreturn]] void refuse_access(finding_kind kind, const std::string& what, const char* cause,
                                const void* pc) {
  raw_finding f{.kind = kind};
  f.block = current_worker->block();
  f.thread = current_worker->thread();
  f.pc = reinterpret_cast<std::uint64_t>(pc);
  f.text = what;
  f.cause = cause;
  current_worker->launch().note(f);
  current_worker->launch().abandon();
  current_worker->abandon();
}

}  // namespace

void* surface_element(cudaSurfaceObject_t handle, texture_shape shape, int x, int y, int z, unsigned bytes,
                      cudaSurfaceBoundaryMode mode) {
  const void* const pc = __builtin_return_address(0);
  const std::optional<surface> known = surface_of(handle);
  if (!known)
    refuse_access(
        finding_kind::crash, "use of what is no surface object",
        "Usual cause: cudaCreateSurfaceObject() failed or was forgotten, or cudaDestroySurfaceObject() "
        "too early.",
        pc);
  const surface& s = *known;
  if (s.shape != shape)
    refuse_access(
        finding_kind::crash, "use of a surface of other dimensions",
        "surf1D is for arrays of one dimension, surf2D for two, surf3D for three; surf2DLayered for "
        "arrays of layers\n  (cudaArrayLayered), surfCubemap for cubemaps (cudaArrayCubemap).",
        pc);
  std::int64_t at[3] = {x, y, z};
  const std::int64_t last[3] = {s.size[0] - bytes, s.size[1] - 1, s.size[2] - 1};
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] >= 0 && at[axis] <= last[axis]) continue;
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode != cudaBoundaryModeClamp)
      refuse_access(
          finding_kind::crash,
          std::string("use of a surface outside of it, at ") + "xyz"[axis] + " = " +
              std::to_string(at[axis]) + (axis == 0 ? " bytes of " : " of ") + std::to_string(s.size[axis]) +
              ",",
          "Usual cause: a missing guard. x counts bytes: it is the element's number times the size of one.",
          pc);
    at[axis] = std::clamp<std::int64_t>(at[axis], 0, last[axis]);
  }
  return s.data + (at[2] * s.size[1] + at[1]) * s.size[0] + at[0];
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle, const cudaResourceDesc* resource) {
  if (const cudaError_t error = stuck(); error != cudaSuccess) return error;
  if (handle == nullptr || resource == nullptr) return remember(cudaErrorInvalidValue);
  if (resource->resType != cudaResourceTypeArray)
    return remember(cudaErrorInvalidValue, "surfaces are made of arrays");
  cudaArray* const array = resource->res.array.array;
  if (array == nullptr) return remember(cudaErrorInvalidValue);
  if (!is_array(array)) return remember(cudaErrorInvalidResourceHandle);
  if (!array->is(cudaArraySurfaceLoadStore))
    return remember(cudaErrorInvalidValue, "the array was not made with cudaArraySurfaceLoadStore");
  *handle =
      add_surface({*resource,
                   array->shape(),
                   array->data,
                   {static_cast<std::int64_t>(array->row_bytes), static_cast<std::int64_t>(array->rows()),
                    static_cast<std::int64_t>(array->slices())},
                   caller_outside()});
  return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  run_kept();  // kernels may use it
  if (const cudaError_t error = wait_for_kernels(); error != cudaSuccess) return error;
  if (handle == 0) return cudaSuccess;
  return remove_surface(handle) ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t handle) {
  const std::optional<surface> known = surface_of(handle);
  if (resource == nullptr || !known) return remember(cudaErrorInvalidValue);
  *resource = known->resource;
  return cudaSuccess;
}
