// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A signal in parts: who owns which samples, which others it needs, and who has those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace tutorial {

/// The samples [begin, end) of a signal.
struct sample_range {
  std::size_t begin = 0, end = 0;
  /// How many.
  constexpr std::size_t size() const { return end - begin; }
  /// Whether there is none.
  constexpr bool empty() const { return begin == end; }
  friend constexpr bool operator==(const sample_range&, const sample_range&) = default;
};

/// What two ranges have in common; empty, wherever, if nothing.
constexpr sample_range common_part(const sample_range& a, const sample_range& b) {
  const std::size_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

/// How many samples an output needs on each side of its own.
struct halo_widths {
  std::size_t left = 0, right = 0;
};

/// Of y[n] = sum over k of h[k] x[n + (taps - 1) / 2 - k], the mode 'same', applied `steps` times.
constexpr halo_widths halo_of(std::size_t taps, std::size_t steps = 1) {
  if (taps == 0) throw std::invalid_argument("a filter needs at least one tap");
  const std::size_t right = (taps - 1) / 2;
  return {steps * (taps - 1 - right), steps * right};
}

/// Samples that one part has and another one needs.
struct halo_message {
  int from = 0, to = 0;
  sample_range samples;
  friend constexpr bool operator==(const halo_message&, const halo_message&) = default;
};

// [split]
/// N samples in parts whose lengths differ by one at most. There may be fewer samples than parts: then some
/// parts own nothing, and need nothing. A halo may reach over several parts.
class signal_split {
 public:
  /// Throws std::invalid_argument without a part.
  signal_split(std::size_t samples, int parts, const halo_widths& halo)
      : samples_(samples), parts_(parts), halo_(halo) {
    if (parts < 1) throw std::invalid_argument("a signal needs at least one part");
    to_.resize(std::size_t(parts));
    from_.resize(std::size_t(parts));
    for (int p = 0; p < parts; ++p)
      for (int q = 0; q < parts; ++q) {
        const sample_range has = common_part(needed(p), owned(q));
        if (q == p || has.empty()) continue;
        to_[std::size_t(p)].push_back({q, p, has});
        from_[std::size_t(q)].push_back({q, p, has});
      }
  }

  /// What part p owns: [p N / parts, (p + 1) N / parts).
  sample_range owned(int p) const { return {first(p), first(p + 1)}; }
  /// What it needs to compute outputs at its own places: its samples, and the halo where the signal has one.
  sample_range needed(int p) const {
    const sample_range own = owned(p);
    if (own.empty()) return own;
    return {own.begin - std::min(own.begin, halo_.left), own.end + std::min(samples_ - own.end, halo_.right)};
  }
  /// What it has to receive: a message from each part that owns some of what it needs.
  const std::vector<halo_message>& messages_to(int p) const { return to_[std::size_t(p)]; }
  /// What it has to send.
  const std::vector<halo_message>& messages_from(int p) const { return from_[std::size_t(p)]; }
  // [split]

  /// N.
  std::size_t samples() const { return samples_; }
  /// How many parts.
  int parts() const { return parts_; }
  /// As it was given.
  const halo_widths& halo() const { return halo_; }

 private:
  /// p N / parts, where the product could be too large for a number.
  std::size_t first(int p) const {
    const auto part = std::size_t(p), parts = std::size_t(parts_);
    return part * (samples_ / parts) + part * (samples_ % parts) / parts;
  }

  std::size_t samples_;
  int parts_;
  halo_widths halo_;
  std::vector<std::vector<halo_message>> to_, from_;
};

}  // namespace tutorial
