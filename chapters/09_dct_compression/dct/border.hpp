// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The border between C and the chapters: null pointers, sizes and exceptions stop here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

#include "09_dct_compression/host/compressed_picture.hpp"
#include "common/device/check.hpp"
#include "common/files/image.hpp"
#include "common/files/input_error.hpp"
#include "dct.h"

namespace tutorial::border {

/// Makes `why` what dct_error() says, and returns the status.
dct_status failed(dct_status status, const char* why) noexcept;

/// Runs `work` and turns what it throws into a status and dct_error().
template <class Work>
dct_status guarded(const Work& work) noexcept {
  try {
    work();
    return DCT_OK;
  } catch (const std::invalid_argument& error) {
    return failed(DCT_BAD_ARGUMENT, error.what());
  } catch (const input_error& error) {
    return failed(DCT_FILE, error.what());
  } catch (const cuda_error& error) {
    return failed(error.code() == cudaErrorMemoryAllocation ? DCT_OUT_OF_MEMORY : DCT_NO_DEVICE,
                  error.what());
  } catch (const std::bad_alloc&) {
    return failed(DCT_OUT_OF_MEMORY, "not enough memory for a picture of this size");
  } catch (const std::exception& error) {
    return failed(DCT_INTERNAL, error.what());
  } catch (...) {
    return failed(DCT_INTERNAL, "an exception of an unknown kind");
  }
}

/// Throws std::invalid_argument unless the condition holds.
inline void require(bool condition, const char* otherwise) {
  if (!condition) throw std::invalid_argument(otherwise);
}

/// Throws std::invalid_argument for a picture that cannot be.
void require_picture(int width, int height, int channels);

/// Throws std::invalid_argument unless it is 1 to 100.
void require_quality(int quality);

/// Bytes from one row to the next, where 0 stands for rows without gaps. Throws std::invalid_argument if they
/// are too few.
std::ptrdiff_t row_bytes(int width, int channels, std::ptrdiff_t stride);

/// A copy of the caller's pixels. Throws std::invalid_argument for an image that cannot be.
image image_of(const dct_image* image);

/// Throws std::invalid_argument for a number that no processor has.
bool on_gpu(dct_processor processor);

/// Likewise.
chroma_sampling sampling_of(dct_sampling sampling);

/// Memory that dct_release_bytes() takes back. Throws std::bad_alloc.
void hand_over(const std::vector<std::uint8_t>& from, uint8_t** bytes, size_t* size);

}  // namespace tutorial::border
