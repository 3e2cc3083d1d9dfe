// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "best_convolution.hpp"

#include <cstdint>
#include <stdexcept>

#include "06_register_tiling/convolve_register_tiled.hpp"
#include "common/device/check.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {
namespace {

std::string cost_text(double cost, cost_unit unit) {
  return unit == cost_unit::microseconds ? milliseconds(cost * 1e-3) + " ms"
                                         : significant(cost * 1e-6) + " M";
}

}  // namespace

std::string name(convolution_method method) {
  switch (method) {
    case convolution_method::direct:
      return "direct";
    case convolution_method::one_block:
      return "one block";
    case convolution_method::overlap_save:
      return "overlap-save";
  }
  return "unknown";
}

std::string convolution_choice::text() const {
  std::string text = "chosen: " + name(method);
  if (block > 0) text += ", transforms of " + grouped(block);
  if (!transforms)
    return text + (type == element_type::int32
                       ? ", because whole numbers are to stay exact, and a transform rounds"
                       : ", because signal and filter are too long for these transforms");
  return text + ". Expected " + (unit == cost_unit::microseconds ? "times" : "operations") + ": direct " +
         cost_text(direct, unit) + ", one block " + cost_text(one_block, unit) + ", overlap-save " +
         cost_text(overlap_save, unit);
}

// [choice]
convolution_choice choose_convolution(std::size_t samples, std::size_t taps, convolution_mode mode,
                                      element_type type, cost_unit unit) {
  convolution_choice choice{
      .type = type, .unit = unit, .direct = direct_cost(samples, taps, mode, type, unit)};
  choice.transforms = type != element_type::int32 && samples + taps <= longest_for_transforms;
  if (!choice.transforms) return choice;
  const std::size_t whole = whole_signal_block(samples, taps, mode);
  const std::size_t block = overlap_save_block(samples, taps, mode, type, unit);
  choice.one_block = block_cost(samples, taps, mode, whole, type, unit);
  choice.overlap_save = block_cost(samples, taps, mode, block, type, unit);
  if (choice.direct <= choice.overlap_save) return choice;
  choice.block = block;  // it may be the whole signal
  choice.method = block == whole ? convolution_method::one_block : convolution_method::overlap_save;
  return choice;
}
// [choice]

template <class T>
best_convolver<T>::best_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode)
    : samples_(samples),
      mode_(mode),
      choice_(choose_convolution(samples, h.size(), mode, element_type_of<T>())) {
  if constexpr (std::is_floating_point_v<T>)
    if (choice_.method != convolution_method::direct) {
      blocks_.emplace(h, samples, mode, choice_.block);
      return;
    }
  taps_ = device_buffer<T>(h.size());
  check(cudaMemcpy(taps_.data(), h.data(), h.size_bytes(), cudaMemcpyDeviceToDevice));
}

template <class T>
void best_convolver<T>::operator()(device_span<const T> x, device_span<T> y) {
  if (x.size() != samples_) throw std::invalid_argument("this object was made for other lengths");
  if constexpr (std::is_floating_point_v<T>)
    if (blocks_) return (*blocks_)(x, y);
  convolve_register_tiled<T>(x, taps_.span(), y, mode_);
}

template <class T>
void best_convolution(device_span<const T> x, device_span<const T> h, device_span<T> y,
                      convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  best_convolver<T> convolve(h, x.size(), mode);
  convolve(x, y);
  check(cudaDeviceSynchronize());  // what it works with goes away
}

template class best_convolver<std::int32_t>;
template class best_convolver<float>;
template class best_convolver<double>;
TUTORIAL_INSTANTIATE_CONVOLUTION(best_convolution);

}  // namespace tutorial
