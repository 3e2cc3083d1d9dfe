// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The rules are those of cuFFT's documentation ("Multiple GPU cuFFT Transforms", "Multiple GPU Data
// Organization"). The factors of a line are cuFFT's secret beyond its example, 1024 = 64 x 16 in 8 strings:
// programs have to ask.
#include "cufft_parts.hpp"

#include <bit>

#include "device/failed_calls.hpp"

namespace cuda_emulator {
namespace {

/// The dimensions of more than one element, of which cuFFT knows only.
std::vector<std::size_t> lengths_of(const fft_plan& plan) {
  std::vector<std::size_t> lengths;
  for (const std::size_t n : plan.n)
    if (n > 1) lengths.push_back(n);
  return lengths;
}

bool is_real(const fft_plan& plan) { return reads_real(plan.type) || writes_real(plan.type); }
std::size_t complex_size(const fft_plan& plan) {
  return is_double(plan.type) ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
}

/// Seen: CUFFT_INVALID_SIZE also for a type that is not supported.
cufftResult refuse_size(const std::string& why) {
  return refuse_fft("cufftMakePlan...", CUFFT_INVALID_SIZE, why);
}

bool is_packed(const fft_layout& l) {
  std::size_t step = 1;
  for (int i = 2; i >= 0; step *= l.size[i--])
    if (l.size[i] > 1 && l.stride[i] != step) return false;
  return l.batch == 1 || l.distance == l.elements();
}

}  // namespace

fft_spread spread_of(const fft_plan& plan) {
  if (plan.batch > 1) return fft_spread::batches;
  return lengths_of(plan).size() < 2 ? fft_spread::line : fft_spread::slabs;
}

cufftResult refuse_fft(const char* function, cufftResult code, const std::string& why) {
  static constexpr const char* names[] = {"CUFFT_SUCCESS",
                                          "CUFFT_INVALID_PLAN",
                                          "CUFFT_ALLOC_FAILED",
                                          "CUFFT_INVALID_TYPE",
                                          "CUFFT_INVALID_VALUE",
                                          "CUFFT_INTERNAL_ERROR",
                                          "CUFFT_EXEC_FAILED",
                                          "CUFFT_SETUP_FAILED",
                                          "CUFFT_INVALID_SIZE",
                                          "CUFFT_UNALIGNED_DATA",
                                          "CUFFT_INCOMPLETE_PARAMETER_LIST",
                                          "CUFFT_INVALID_DEVICE"};
  const std::string name = code < std::size(names) ? names[code] : "CUFFT_NOT_SUPPORTED";
  note_failed_call(code == CUFFT_INVALID_DEVICE ? cudaErrorInvalidDevice : cudaErrorInvalidValue,
                   std::string(function) + "() returns " + name + ": " + why);
  return code;
}

cufftResult spread_over_parts(fft_plan& plan, bool layout) {
  const std::size_t parts = plan.devices.size();
  if (parts == 0) return CUFFT_SUCCESS;
  if (layout) {
    if (!is_packed(plan.input) || !is_packed(plan.output))
      return refuse_fft("cufftMakePlanMany", CUFFT_NOT_SUPPORTED,
                        "a plan for several devices has its elements one behind the other, without strides");
  }
  const std::vector<std::size_t> lengths = lengths_of(plan);
  switch (spread_of(plan)) {
    case fft_spread::batches:
      break;
    case fft_spread::line: {
      if (is_real(plan))
        return refuse_size("a single transform of real numbers of one dimension is not for several devices");
      if (!std::has_single_bit(parts))
        return refuse_size("a single transform of one dimension is for 2, 4, 8 or 16 devices");
      const std::size_t least = parts == 16  ? 1024
                                : parts == 8 ? 128
                                             : 64,
                        n = lengths.empty() ? 1 : lengths[0];
      if (n < least || !std::has_single_bit(n))
        return refuse_size("a single transform of one dimension on " + std::to_string(parts) +
                           " devices has a power of two as its length, of at least " + std::to_string(least));
      break;
    }
    case fft_spread::slabs:
      for (const std::size_t n : lengths)
        if (n < 32)
          return refuse_size(
              "a single transform on several devices has at least 32 elements in every dimension");
      break;
  }
  plan.work_size = bytes_of_part(plan, CUFFT_XT_FORMAT_INPLACE, 0);
  return CUFFT_SUCCESS;
}

fft_factors factors_of(const fft_plan& plan) {
  const std::size_t n = std::max({plan.n[0], plan.n[1], plan.n[2]});
  const auto power = static_cast<std::size_t>(std::countr_zero(n));
  // Each part has at least one of the second factor's sets: where that fails, cuFFT's least lengths begin.
  const std::size_t second = std::size_t{1} << (2 * power + 1) / 5;
  return {n, n / second, second, std::max<std::size_t>(n == 64 ? 2 : 8, plan.devices.size())};
}

std::array<std::size_t, 3> elements_of(const fft_plan& plan) {
  std::vector<std::size_t> lengths = lengths_of(plan);
  if (is_real(plan) && plan.n[2] > 1) lengths.back() = plan.n[2] / 2 + 1;
  lengths.resize(3, 1);
  return {lengths[0], lengths[1], lengths[2]};
}

std::size_t elements_in_part(const fft_plan& plan, int format, std::size_t part) {
  const auto [x, y, inner] = elements_of(plan);
  const std::size_t parts = plan.devices.size();
  if (spread_of(plan) == fft_spread::line) return x / parts;
  return format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED ? x * share(y, parts, part).count * inner
                                                    : share(x, parts, part).count * y * inner;
}

std::size_t bytes_of_part(const fft_plan& plan, int format, std::size_t part) {
  const std::size_t size = complex_size(plan);
  if (spread_of(plan) == fft_spread::batches) {
    const std::size_t transforms = share(plan.batch, plan.devices.size(), part).count;
    const bool input = format == CUFFT_XT_FORMAT_INPUT, output = format == CUFFT_XT_FORMAT_OUTPUT;
    if ((input && reads_real(plan.type)) || (output && writes_real(plan.type)))
      return transforms * plan.n[0] * plan.n[1] * plan.n[2] * (size / 2);
    const std::size_t row = is_real(plan) ? plan.n[2] / 2 + 1 : plan.n[2];
    return transforms * plan.n[0] * plan.n[1] * row * size;
  }
  return std::max(elements_in_part(plan, CUFFT_XT_FORMAT_INPLACE, part),
                  elements_in_part(plan, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, part)) *
         (format >= CUFFT_XT_FORMAT_INPLACE     ? size
          : spread_of(plan) == fft_spread::line ? size
                                                : 0);
}

}  // namespace cuda_emulator
