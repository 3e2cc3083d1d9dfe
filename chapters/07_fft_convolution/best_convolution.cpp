// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "best_convolution.hpp"

#include <cstdint>
#include <stdexcept>

#include "02_direct_kernel/convolve_direct.hpp"
#include "03_tiled/convolve_tiled.hpp"
#include "06_register_tiling/convolve_register_tiled.hpp"
#include "common/device/check.hpp"
#include "common/device/stream.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {
namespace {

std::string cost_text(double cost, cost_unit unit) {
  return unit == cost_unit::microseconds ? milliseconds(cost * 1e-3) + " ms"
                                         : significant(cost * 1e-6) + " M";
}

/// The methods that add up products need nothing but the arrays.
template <class T>
void convolve_by_sums(convolution_method method, device_span<const T> x, device_span<const T> h,
                      device_span<T> y, convolution_mode mode, cudaStream_t stream) {
  if (method == convolution_method::direct) return convolve_direct<T>(x, h, y, mode, stream);
  if (method == convolution_method::warp_per_output)
    return convolve_warp_per_output<T>(x, h, y, mode, stream);
  convolve_register_tiled<T>(x, h, y, mode, stream);
}

}  // namespace

std::string name(convolution_method method) {
  switch (method) {
    case convolution_method::direct:
      return "02 direct";
    case convolution_method::warp_per_output:
      return "03 warp_per_output";
    case convolution_method::register_tiled:
      return "06 register_tiled";
    case convolution_method::fft_one_block:
      return "07 fft_one_block";
    case convolution_method::overlap_save:
      return "07 overlap_save";
  }
  return "unknown";
}

std::string convolution_choice::short_text() const {
  return name(method) + (block > 0 ? " " + grouped(block) : "");
}

std::string convolution_choice::text() const {
  std::string text = "chosen: " + name(method);
  if (block > 0) text += ", transforms of " + grouped(block);
  if (!transforms)
    text += type == element_type::int32 ? " (a transform rounds, and whole numbers must stay exact)"
                                        : " (signal and filter are too long for these transforms)";
  text += unit == cost_unit::microseconds ? ". Expected times at the prices of " + device
                                          : ". Expected operations";
  for (const convolution_method each : all_convolution_methods) {
    if (!transforms && each >= convolution_method::fft_one_block) break;
    text +=
        (each == convolution_method::direct ? ": " : ", ") + name(each) + " " + cost_text(cost(each), unit);
  }
  return text;
}

// [choice]
convolution_choice choose_convolution(std::size_t samples, std::size_t taps, convolution_mode mode,
                                      element_type type, const price_list& prices) {
  using method = convolution_method;
  convolution_choice choice{.type = type, .unit = prices.unit, .device = prices.device};
  const auto cost = [&](method which) -> double& { return choice.costs[std::size_t(which)]; };
  cost(method::direct) = direct_cost(samples, taps, mode, type, prices);
  cost(method::warp_per_output) = warp_per_output_cost(samples, taps, mode, type, prices);
  cost(method::register_tiled) = register_tiled_cost(samples, taps, mode, type, prices);
  for (const method sums : {method::direct, method::warp_per_output})
    if (cost(sums) < cost(choice.method)) choice.method = sums;

  choice.transforms = type != element_type::int32 && samples + taps <= longest_for_transforms;
  if (!choice.transforms) return choice;
  const std::size_t whole = whole_signal_block(samples, taps, mode);
  const std::size_t block =
      overlap_save_block(samples, taps, mode, type, prices);  // it may be the whole signal
  cost(method::fft_one_block) = block_cost(samples, taps, mode, whole, type, prices);
  cost(method::overlap_save) = block_cost(samples, taps, mode, block, type, prices);
  if (cost(method::overlap_save) < cost(choice.method)) {
    choice.method = block == whole ? method::fft_one_block : method::overlap_save;
    choice.block = block;
  }
  return choice;
}
// [choice]

template <class T>
best_convolver<T>::best_convolver(device_span<const T> h, std::size_t samples, convolution_mode mode,
                                  const price_list& prices)
    : samples_(samples),
      mode_(mode),
      choice_(choose_convolution(samples, h.size(), mode, element_type_of<T>(), prices)) {
  if constexpr (std::is_floating_point_v<T>)
    if (choice_.block > 0) {
      blocks_.emplace(h, samples, mode, choice_.block);
      return;
    }
  taps_ = device_buffer<T>(h.size());
  check(cudaMemcpy(taps_.data(), h.data(), h.size_bytes(), cudaMemcpyDeviceToDevice));
}

template <class T>
void best_convolver<T>::operator()(device_span<const T> x, device_span<T> y, cudaStream_t stream) {
  if (x.size() != samples_) throw std::invalid_argument("this object was made for other lengths");
  if constexpr (std::is_floating_point_v<T>)
    if (blocks_) return (*blocks_)(x, y, stream);
  convolve_by_sums<T>(choice_.method, x, taps_.span(), y, mode_, stream);
}

namespace {

/// What one call of best_convolution() leaves for the next one with the same lengths.
template <class T>
struct kept_convolution {
  convolution_choice choice;
  std::optional<std::conditional_t<std::is_integral_v<T>, std::monostate, overlap_save_convolver<T>>> blocks;
  struct side_stream {
    stream work;
    event begun, made;
  };
  std::optional<side_stream> side;  ///< Spectra of filters are made beside those of signals.
};

template <class T>
kept_calls<kept_convolution<T>>& kept_convolutions() {
  static kept_calls<kept_convolution<T>> all;
  return all;
}

}  // namespace

// [one_call]
template <class T>
void best_convolution(device_span<const T> x, device_span<const T> h, device_span<T> y,
                      convolution_mode mode) {
  require_output_length(x.size(), h.size(), y.size(), mode);
  const auto make = [&] {
    kept_convolution<T> made{choose_convolution(x.size(), h.size(), mode, element_type_of<T>()), {}, {}};
    if constexpr (std::is_floating_point_v<T>)
      if (made.choice.block > 0)
        made.blocks.emplace(h, x.size(), mode, made.choice.block), made.side.emplace();
    return made;
  };
  kept_convolutions<T>().with({x.size(), h.size(), mode, prices_version()}, make, [&](auto& kept) {
    if constexpr (std::is_floating_point_v<T>) {
      if (kept.blocks) {
        auto& [work, begun, made] = *kept.side;
        check(cudaEventRecord(begun, nullptr));  // h is there, and the last call has used its spectrum
        check(cudaStreamWaitEvent(work, begun));
        kept.blocks->set_filter(h, work);
        check(cudaEventRecord(made, work));
        return (*kept.blocks)(x, y, nullptr, made);
      }
    }
    convolve_by_sums<T>(kept.choice.method, x, h, y, mode, nullptr);
  });
}
// [one_call]

void forget_best_convolutions() {
  check(cudaDeviceSynchronize());
  kept_convolutions<std::int32_t>().forget();
  kept_convolutions<float>().forget();
  kept_convolutions<double>().forget();
}

template class best_convolver<std::int32_t>;
template class best_convolver<float>;
template class best_convolver<double>;
TUTORIAL_INSTANTIATE_CONVOLUTION(best_convolution);

}  // namespace tutorial
