// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Which elements of a plan for several devices lie where. An element of a single transform is a complex
// number, or the place of one in a padded row of real numbers; where there is a batch, each part has whole
// transforms.
#pragma once

#include <cufftXt.h>

#include <algorithm>

#include "cufft_plan.hpp"

namespace cuda_emulator {

enum class fft_spread {
  batches,  ///< Each part has some of the transforms.
  line,     ///< One transform of one dimension.
  slabs,    ///< One of two or three: each part has rows or planes, or columns of them.
};
fft_spread spread_of(const fft_plan& plan);

/// Says why, as a failed call of `function`; returns the code.
cufftResult refuse_fft(const char* function, cufftResult code, const std::string& why);
/// Can these devices share what the plan is to do? Sets the size of their work areas. `layout`: the program
/// says how its elements lie.
cufftResult spread_over_parts(fft_plan& plan, bool layout);

/// [first, first + count)
struct fft_range {
  std::size_t first, count;
};
/// Part `part` of `all`, of `parts` parts: the first ones have one more where it cannot be equal.
inline fft_range share(std::size_t all, std::size_t parts, std::size_t part) {
  const std::size_t least = all / parts, more = all % parts;
  return {part * least + std::min(part, more), least + (part < more)};
}

/// How cuFFT takes a line of `size` elements apart: into `strings` pieces of the spectrum, each made of
/// `factor2` substrings, factor1 apart.
struct fft_factors {
  std::size_t size, factor1, factor2, strings;
  std::size_t string_length() const { return size / strings; }
  std::size_t substring_length() const { return size / strings / factor2; }
};
fft_factors factors_of(const fft_plan& plan);

/// The elements of a single transform, the slowest dimension first; the last two are 1 for a line, the last
/// one may be 1.
std::array<std::size_t, 3> elements_of(const fft_plan& plan);
/// How many elements a part has in this order.
std::size_t elements_in_part(const fft_plan& plan, int format, std::size_t part);
/// The bytes that cufftXtMalloc() allocates for a part.
std::size_t bytes_of_part(const fft_plan& plan, int format, std::size_t part);

/// Calls run(first place in the part, first element in natural order, count) for all of a part of a single
/// transform.
template <class Run>
void for_each_run(const fft_plan& plan, int format, std::size_t part, Run&& run) {
  const auto [x, y, inner] = elements_of(plan);
  const std::size_t parts = plan.devices.size();
  if (spread_of(plan) == fft_spread::slabs) {
    if (format != CUFFT_XT_FORMAT_INPLACE_SHUFFLED) {
      const fft_range mine = share(x, parts, part);
      return run(std::size_t{0}, mine.first * y * inner, mine.count * y * inner);
    }
    const fft_range mine = share(y, parts, part);
    for (std::size_t i = 0; i < x; ++i)
      run(i * mine.count * inner, (i * y + mine.first) * inner, mine.count * inner);
    return;
  }
  const fft_factors f = factors_of(plan);
  if (format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED) {
    const std::size_t strings = f.strings / parts, length = f.substring_length();
    for (std::size_t s = 0, at = 0; s < strings; ++s)
      for (std::size_t k = 0; k < f.factor2; ++k, at += length)
        run(at, k * f.factor1 + (part * strings + s) * length, length);
  } else if (format == CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED) {
    // A part has some of the factor2 sets of elements that lie factor2 apart, a string some of those.
    const std::size_t sets = f.factor2 / parts,
                      together = std::max<std::size_t>(1, sets / std::max<std::size_t>(1, f.strings / parts));
    for (std::size_t first = 0, at = 0; first < sets; first += together)
      for (std::size_t i = 0; i < f.factor1; ++i, at += together)
        run(at, part * sets + first + i * f.factor2, together);
  } else {
    run(std::size_t{0}, part * (f.size / parts), f.size / parts);
  }
}

}  // namespace cuda_emulator
