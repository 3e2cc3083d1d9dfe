// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "convolve_fft_all_cores.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <stdexcept>
#include <vector>

#include "common/device/ceil_div.hpp"

#if TUTORIAL_HAS_KISSFFT
#include <kissfft/kissfft.hh>
#endif

namespace tutorial {

std::size_t block_all_cores(std::size_t samples, std::size_t taps, convolution_mode mode) {
  const std::size_t outputs = output_length(samples, taps, mode), cores = std::size_t(omp_get_max_threads());
  std::size_t length = 64, best = 0;
  while (length < 2 * taps) length *= 2;
  double least = 0;
  for (bool one_pair = false; !one_pair; length *= 2) {
    const std::size_t pairs = ceil_div(outputs, 2 * (length - (taps - 1)));
    const double transforms = 1 + 2 * double(ceil_div(pairs, cores));  // the filter's; there and back
    const double work = transforms * double(length) * std::log2(double(length));
    if (best == 0 || work < least) least = work, best = length;
    one_pair = pairs == 1;
  }
  return best;
}

#if TUTORIAL_HAS_KISSFFT
namespace {

template <class T>
struct transforms {
  std::size_t length;
  kissfft<T> forward{length, false}, back{length, true};
};

template <class T>
const transforms<T>& transforms_of(std::size_t length) {
  static std::unique_ptr<const transforms<T>> kept;
  if (!kept || kept->length != length) kept.reset(new transforms<T>{length});
  return *kept;
}

}  // namespace

bool has_kissfft() { return true; }

template <class T>
void convolve_fft_all_cores(std::span<const T> x, std::span<const T> h, std::span<T> y,
                            convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  using complex = std::complex<T>;
  const std::size_t length = block_all_cores(x.size(), h.size(), mode);
  const std::ptrdiff_t overlap = std::ssize(h) - 1, step = std::ptrdiff_t(length) - overlap;
  const transforms<T>& plan = transforms_of<T>(length);

  std::vector<complex> padded(length), filter(length);
  for (std::size_t k = 0; k < h.size(); ++k) padded[k] = h[k] / T(length);  // the scale of there and back
  plan.forward.transform(padded.data(), filter.data());

  const std::ptrdiff_t begin = std::ptrdiff_t(first_output(x.size(), h.size(), mode)) - overlap;
  const auto sample = [&](std::ptrdiff_t i) { return 0 <= i && i < std::ssize(x) ? x[std::size_t(i)] : T{}; };
  // The taps are real, so that what is done to the real part and what is done to the imaginary part never
  // meet: two blocks in one complex transform, and nothing to take apart.
#pragma omp parallel if (std::ssize(y) > 2 * step)
  {
    std::vector<complex> block(length), spectrum(length);
#pragma omp for schedule(static)
    for (std::ptrdiff_t first = 0; first < std::ssize(y); first += 2 * step) {
      for (std::ptrdiff_t p = 0; p < std::ptrdiff_t(length); ++p)
        block[std::size_t(p)] = {sample(begin + first + p), sample(begin + first + step + p)};
      plan.forward.transform(block.data(), spectrum.data());
      for (std::size_t k = 0; k < length; ++k) spectrum[k] *= filter[k];
      plan.back.transform(spectrum.data(), block.data());
      const std::ptrdiff_t count = std::min(step, std::ssize(y) - first);
      const std::ptrdiff_t count_behind = std::clamp<std::ptrdiff_t>(std::ssize(y) - first - step, 0, step);
      for (std::ptrdiff_t i = 0; i < count; ++i)
        y[std::size_t(first + i)] = block[std::size_t(overlap + i)].real();
      for (std::ptrdiff_t i = 0; i < count_behind; ++i)
        y[std::size_t(first + step + i)] = block[std::size_t(overlap + i)].imag();
    }
  }
}
#else
bool has_kissfft() { return false; }

template <class T>
void convolve_fft_all_cores(std::span<const T>, std::span<const T>, std::span<T>, convolution_mode) {
  throw std::logic_error("this program was built without kissfft");
}
#endif

template void convolve_fft_all_cores<float>(std::span<const float>, std::span<const float>, std::span<float>,
                                            convolution_mode);
template void convolve_fft_all_cores<double>(std::span<const double>, std::span<const double>,
                                             std::span<double>, convolution_mode);

}  // namespace tutorial
