// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What a handle of cuFFT stands for.
#pragma once

#include <cufft.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "code/call_stack.hpp"
#include "device/devices.hpp"

namespace cuda_emulator {

/// How the elements of all transforms of a plan lie on one side, input or output. All in elements of that
/// side.
struct fft_layout {
  std::array<std::size_t, 3> size{1, 1, 1};    ///< Elements per dimension; the last one is the innermost.
  std::array<std::size_t, 3> stride{0, 0, 1};  ///< From one element to the next in each dimension.
  std::size_t distance = 0;                    ///< From one transform of the batch to the next.
  std::size_t batch = 1;

  std::size_t elements() const { return size[0] * size[1] * size[2]; }
  /// From the first element that is used to one past the last one.
  std::size_t span() const;
  /// Calls row(offset of its first element, number of elements before it in the transform).
  template <class Row>
  void for_each_row(std::size_t transform, Row&& row) const {
    std::size_t before = 0;
    for (std::size_t i = 0; i < size[0]; ++i)
      for (std::size_t j = 0; j < size[1]; ++j, before += size[2])
        row(transform * distance + i * stride[0] + j * stride[1], before);
  }
};

struct fft_plan {
  call_stack made_at;
  int device = current_device();  ///< Where its work area is, and where it runs.
  bool made = false;
  cufftType type = CUFFT_C2C;
  std::array<std::size_t, 3> n{1, 1, 1};
  int rank = 1;
  std::size_t batch = 1;
  fft_layout input, output;            ///< Out of place.
  fft_layout input_here, output_here;  ///< In place: the same, but for padded rows of real numbers.

  bool allocates = true;  ///< The work area is the plan's own.
  void* work_area = nullptr;
  bool owns_work_area = false;  ///< Or all of work_areas.
  std::size_t work_size = 0;    ///< Of one, or on each device.
  cudaStream_t stream = nullptr;

  std::vector<int> devices{};       ///< Of its parts, in their order: cufftXtSetGPUs(). Empty: one device.
  std::vector<void*> work_areas{};  ///< One for each part.

  /// "R2C, n = 1024, batch of 3", "C2C, n = 1024, on devices 0, 1".
  std::string text() const;
};

bool is_double(cufftType type);
bool reads_real(cufftType type);
bool writes_real(cufftType type);
const char* name_of(cufftType type);

/// Null where there is no such plan.
std::shared_ptr<fft_plan> find_plan(cufftHandle handle);
/// In the order of their creation.
std::vector<std::shared_ptr<const fft_plan>> living_plans();
/// cudaDeviceReset: all handles are invalid from here on.
void forget_plans();

}  // namespace cuda_emulator
