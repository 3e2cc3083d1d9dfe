// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "spread_signal.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>

#include "part_flags.hpp"

namespace tutorial {
namespace {

/// The left part of a halo and what aligns the samples behind it to 256 bytes, in elements.
std::size_t lead_of(std::size_t left, std::size_t size) {
  const std::size_t elements = 256 / size;
  return (left + elements - 1) / elements * elements;
}

template <class T>
void set_to_zero(T* first, std::size_t count) {
  if (count > 0) check(cudaMemset(first, 0, count * sizeof(T)));
}

}  // namespace

template <class T>
signal_part<T>::signal_part(const signal_split& split, int number, std::span<const T> h)
    : device_(device_now()),
      owned_(split.owned(number)),
      samples_(split.samples()),
      left_(split.halo().left),
      right_(split.halo().right),
      lead_(lead_of(left_, sizeof(T))),
      h_(h.begin(), h.end()),
      taps_(h) {
  if (owned_.empty()) return;
  for (device_buffer<T>& each : memory_) each = device_buffer<T>(lead_ + owned_.size() + right_);
  filters_.try_emplace({owned_.size(), work}, h, owned_.size());
}

template <class T>
void signal_part<T>::bring(std::span<const T> own) {
  if (own.size() != owned_.size()) throw std::invalid_argument("the part has another length");
  if (owned_.empty()) return;
  const std::size_t ghosts_before = left_ - std::min(owned_.begin, left_),
                    ghosts_behind = right_ - std::min(samples_ - owned_.end, right_);
  for (int buffer = 0; buffer < 2; ++buffer) {
    poison(memory_[buffer].span());
    set_to_zero(at(buffer, owned_.begin) - left_, ghosts_before);
    set_to_zero(at(buffer, owned_.end) + right_ - ghosts_behind, ghosts_behind);
  }
  check(cudaMemcpy(at(0, owned_.begin), own.data(), own.size_bytes(), cudaMemcpyHostToDevice));
  check(cudaDeviceSynchronize());  // what was done in the default stream is for all streams
}

template <class T>
void signal_part<T>::take(int buffer, std::span<T> own) {
  if (own.size() != owned_.size()) throw std::invalid_argument("the part has another length");
  if (owned_.empty()) return;
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(own.data(), at(buffer, owned_.begin), own.size_bytes(), cudaMemcpyDeviceToHost));
}

template <class T>
void signal_part<T>::filter(int buffer, const sample_range& outputs, cudaStream_t in) {
  if (outputs.empty()) return;
  const auto [found, is_new] =
      filters_.try_emplace({outputs.size(), in}, std::span<const T>(h_), outputs.size());
  const std::size_t inputs = outputs.size() + h_.size() - 1;
  found->second(device_span<const T>(at(buffer, outputs.begin) - halo_of(h_.size()).left, inputs),
                device_span<T>(at(1 - buffer, outputs.begin), outputs.size()), in);
}

template <class T>
spread_signal<T>::spread_signal(std::span<const T> h, std::size_t samples, std::span<const int> devices,
                                std::size_t steps_each)
    : step_(halo_of(h.size())),
      steps_each_(steps_each),
      split_(samples, int(devices.size()), halo_of(h.size(), steps_each)),
      peers_(devices) {
  if (samples == 0) throw std::invalid_argument("a convolution needs at least one sample");
  if (steps_each == 0) throw std::invalid_argument("an exchange is for at least one step");
  for (int p = 0; p < parts(); ++p) {
    const current_device_guard at(devices[std::size_t(p)]);
    parts_.push_back(std::make_unique<signal_part<T>>(split_, p, h));
  }
}

template <class T>
spread_signal<T>::~spread_signal() = default;

template <class T>
part_flags& spread_signal<T>::flags(flag_user user) {
  if (!one_part_a_device() || !peers_.has_atomics())
    throw std::invalid_argument(
        "parts whose kernels wait for each other need a device each, and must reach each other's memory, "
        "with atomic operations");
  std::unique_ptr<part_flags>& kept = flags_[int(user)];
  if (kept == nullptr) {
    std::vector<int> devices;
    for (const auto& each : parts_) devices.push_back(each->device());
    kept = std::make_unique<part_flags>(split_, devices);
  }
  return *kept;
}

template <class T>
void spread_signal<T>::forget_flags(flag_user user) {
  flags_[int(user)].reset();
}

template <class T>
void spread_signal<T>::bring(std::span<const T> x) {
  if (x.size() != split_.samples()) throw std::invalid_argument("the signal has another length");
  for (const auto& each : parts_) {
    const current_device_guard at(each->device());
    each->bring(x.subspan(each->owned().begin, each->owned().size()));
  }
  buffer_ = 0;
}

template <class T>
void spread_signal<T>::take(std::span<T> y) {
  if (y.size() != split_.samples()) throw std::invalid_argument("the signal has another length");
  for (const auto& each : parts_) {
    const current_device_guard at(each->device());
    each->take(buffer_, y.subspan(each->owned().begin, each->owned().size()));
  }
}

template <class T>
void spread_signal<T>::wait() const {
  for (const auto& each : parts_) each->work.wait();
}

template <class T>
bool spread_signal<T>::one_part_a_device() const {
  std::set<int> devices;
  for (const auto& each : parts_) devices.insert(each->device());
  return devices.size() == parts_.size();
}

template class signal_part<std::int32_t>;
template class signal_part<float>;
template class signal_part<double>;
template class spread_signal<std::int32_t>;
template class spread_signal<float>;
template class spread_signal<double>;

}  // namespace tutorial
