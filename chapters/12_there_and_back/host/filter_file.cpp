// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "filter_file.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "07_fft_convolution/host/fft_rounding.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/verify/inputs.hpp"
#include "stage_ring.hpp"

namespace tutorial {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// An output as it should be, and how far it may be off.
template <class T>
struct expected_output {
  std::size_t at = 0;  ///< In its chunk.
  T value{};
  double bound = 0;
  double of_sum = 0;  ///< The bound where no transform is at work.
};

/// How far each of the three parts of the work has come, and what stopped it.
class progress_of_parts {
 public:
  std::size_t read = 0, enqueued = 0, written = 0;

  /// Waits for `ready`; false where the work has been stopped.
  template <class Ready>
  bool wait_until(const Ready& ready) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || ready(); });
    return !stopped_;
  }
  void advance(std::size_t& part) {
    const std::lock_guard lock(mutex_);
    ++part;
    changed_.notify_all();
  }
  /// Called where something was thrown.
  void stop() {
    const std::lock_guard lock(mutex_);
    if (!stopped_) error_ = std::current_exception();
    stopped_ = true;
    changed_.notify_all();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::exception_ptr error_;
};

template <class T>
class filtering {
 public:
  filtering(std::size_t samples, const sample_source<T>& source, std::span<const T> h, convolution_mode mode,
            const output_sink<T>& sink, const chunking& how)
      : all_(samples, h.size(), mode, how.outputs),
        source_(source),
        sink_(sink),
        h_(h),
        block_(std::is_integral_v<T> ? 0 : chunk_transform(h.size(), all_.outputs(), element_type_of<T>())),
        ring_(h, all_, how.buffers),
        expected_(2 * std::size_t(how.buffers) + 1) {  // read, but not yet written
    for (int i = 0; i < how.buffers; ++i) {
      in_.push_back(std::make_unique<pinned_buffer<T>>(all_.inputs()));
      out_.push_back(std::make_unique<pinned_buffer<T>>(all_.outputs()));
    }
    report_.chunks = all_.count();
    report_.chunk_outputs = all_.outputs();
    report_.device_bytes = report_.pinned_bytes =
        (all_.inputs() + all_.outputs()) * sizeof(T) * std::size_t(how.buffers);
  }

  filtering_report run(const std::function<void(std::size_t)>& begun) {
    measure_stages(all_[0]);
    const double start = now();
    std::thread reader([&] { guarded([&] { read(); }); });
    std::thread writer([&] { guarded([&] { write(begun); }); });
    guarded([&] { enqueue(); });
    reader.join();
    writer.join();
    parts_.rethrow();
    report_.seconds = now() - start;
    for (const stage each : {stage::read, stage::write})
      report_.stage_seconds[std::size_t(each)] /= double(all_.count());
    return report_;
  }

 private:
  template <class Part>
  void guarded(const Part& part) {
    try {
      part();
    } catch (...) {
      parts_.stop();
    }
  }

  // [parts]
  void read() {
    for (std::size_t c = 0; c < all_.count(); ++c) {
      // The copy up has read what was here before.
      if (c >= slots()) {
        if (!parts_.wait_until([&] { return parts_.enqueued > c - slots(); })) return;
        ring_.wait_brought(c - slots());
      }
      const signal_chunk chunk = all_[c];
      const std::span<T> samples = in_[c % slots()]->span().first(chunk.samples);
      const double start = now();
      source_(chunk.first_sample, samples);
      seconds_of(stage::read) += now() - start;
      expected_[c % expected_.size()] = expected_of(chunk, samples, c);
      parts_.advance(parts_.read);
    }
  }
  void enqueue() {
    for (std::size_t c = 0; c < all_.count(); ++c) {
      // The samples are there, and what the copy down overwrites has been written to the file.
      if (!parts_.wait_until([&] { return parts_.read > c && parts_.written + slots() > c; })) return;
      ring_.enqueue(all_[c], in_[c % slots()]->data(), out_[c % slots()]->data());
      parts_.advance(parts_.enqueued);
    }
  }
  void write(const std::function<void(std::size_t)>& begun) {
    for (std::size_t c = 0; c < all_.count(); ++c) {
      if (!parts_.wait_until([&] { return parts_.enqueued > c; })) return;
      ring_.wait_taken(c);
      if (begun) begun(c);
      const signal_chunk chunk = all_[c];
      const std::span<const T> outputs = out_[c % slots()]->span().first(chunk.outputs);
      verify(chunk, outputs, expected_[c % expected_.size()]);
      const double start = now();
      sink_(outputs);
      seconds_of(stage::write) += now() - start;
      parts_.advance(parts_.written);
    }
  }
  // [parts]

  std::size_t slots() const { return in_.size(); }
  double& seconds_of(stage which) { return report_.stage_seconds[std::size_t(which)]; }

  /// The stages on the device, one after the other. The first time does not count: much is made on first use.
  void measure_stages(const signal_chunk& chunk) {
    chunk_slot<T> slot(h_, all_);
    std::fill_n(in_[0]->data(), all_.inputs(), T{});
    const stream work;
    for (int i = 0; i < 2; ++i) {
      const auto timed = [&](stage which, const auto& part) {
        const double start = now();
        part();
        work.wait();
        seconds_of(which) = now() - start;
      };
      timed(stage::up, [&] { bring<T>(chunk, in_[0]->data(), slot.in, work); });
      timed(stage::kernel, [&] { slot.filter(slot.in, slot.out, work); });
      timed(stage::down, [&] { take<T>(chunk, slot.out, out_[0]->data(), work); });
    }
  }

  /// The first and the last output of the chunk, and one between, by their definition.
  std::vector<expected_output<T>> expected_of(const signal_chunk& chunk, std::span<const T> samples,
                                              std::size_t number) const {
    std::vector<expected_output<T>> result;
    for (const std::size_t at :
         {std::size_t{0}, random_bits(12, number) % chunk.outputs, chunk.outputs - 1}) {
      // out[at] = sum over k of h[k] in[taps - 1 + at - k], and in[i] is samples[i - ghosts].
      const auto newest = std::int64_t(h_.size() - 1 + at) - std::int64_t(chunk.ghosts);
      expected_output<T> one{.at = at};
      using sum_type = std::conditional_t<std::is_integral_v<T>, std::uint32_t, double>;
      sum_type sum{};
      double magnitudes = 0;
      for (std::size_t k = 0; k < h_.size(); ++k) {
        const std::int64_t m = newest - std::int64_t(k);
        if (m < 0 || m >= std::int64_t(samples.size())) continue;
        sum += sum_type(h_[k]) * sum_type(samples[std::size_t(m)]);
        magnitudes += std::abs(double(h_[k])) * std::abs(double(samples[std::size_t(m)]));
      }
      one.value = T(sum);
      if constexpr (std::is_floating_point_v<T>) {
        one.bound = double(h_.size()) * std::numeric_limits<T>::epsilon() * magnitudes +
                    double(std::numeric_limits<T>::denorm_min()) * double(h_.size());
        one.of_sum = one.bound;
        if (block_ > 0) {  // what a transform rounds depends on all samples of its block, wherever it begins
          const auto reach = std::int64_t(block_), all = std::int64_t(samples.size());
          const std::int64_t from = std::clamp<std::int64_t>(newest - reach, 0, all);
          const std::int64_t to = std::clamp<std::int64_t>(newest + reach, from, all);
          const auto near = samples.subspan(std::size_t(from), std::size_t(to - from));
          if (!near.empty()) one.bound += fft_rounding<T>(near, h_, {}, block_, false).each;
        }
      }
      result.push_back(one);
    }
    return result;
  }

  void verify(const signal_chunk& chunk, std::span<const T> outputs,
              const std::vector<expected_output<T>>& expected) {
    for (const expected_output<T>& one : expected) {
      if (!std::isfinite(double(one.value)) || !std::isfinite(one.bound)) {
        ++report_.not_finite;
        continue;
      }
      const double bound[] = {one.bound};
      const T got[] = {outputs[one.at]}, wanted[] = {one.value};
      agreement found = compare<T>(std::span<const T>(got), wanted, bound);
      const double size_of_one = std::abs(double(one.value));
      report_.without_digits += size_of_one > 0 && found.worst_error > std::max(one.of_sum, size_of_one / 2);
      found.first_index = found.worst_index = chunk.first_output + one.at;
      agreement& all = report_.verified;
      const std::size_t size = all.size + 1, mismatches = all.mismatches + found.mismatches;
      const std::size_t first = all.mismatches != 0 ? all.first_index : found.first_index;
      // The worst of all: the one that is nearest to its bound, or furthest beyond it.
      if (all.size == 0 || found.worst_error * all.worst_bound > all.worst_error * found.worst_bound ||
          (found.mismatches != 0 && all.mismatches == 0))
        all = found;
      all.size = size, all.mismatches = mismatches, all.first_index = first;
    }
  }

  signal_chunks all_;
  const sample_source<T>& source_;
  const output_sink<T>& sink_;
  std::span<const T> h_;
  std::size_t block_;
  std::vector<std::unique_ptr<pinned_buffer<T>>> in_, out_;
  stage_ring<T> ring_;
  std::vector<std::vector<expected_output<T>>> expected_;
  progress_of_parts parts_;
  filtering_report report_;
};

}  // namespace

std::string_view name(stage which) {
  constexpr std::string_view names[] = {"read", "copy up", "filter", "copy down", "write"};
  return names[std::size_t(which)];
}

stage filtering_report::slowest() const {
  return stage(std::max_element(stage_seconds.begin(), stage_seconds.end()) - stage_seconds.begin());
}

chunking chunks_that_fit(std::size_t taps, std::size_t element_bytes) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  chunking how;
  while (how.outputs < 4 * taps) how.outputs *= 2;  // else most of what is read is history
  // A chunk and its result in each buffer and in the measured one; spectra and work area of two filters.
  const auto needed = [&] {
    return (taps + how.outputs) * element_bytes * (2 * (std::size_t(how.buffers) + 1) + 2 * 4);
  };
  while (how.outputs > 1024 && needed() > free / 2) how.outputs /= 2;
  return how;
}

template <class T>
filtering_report filter_stream(std::size_t samples, const sample_source<T>& source, std::span<const T> h,
                               convolution_mode mode, const output_sink<T>& sink, const chunking& how,
                               const std::function<void(std::size_t)>& begun) {
  return filtering<T>(samples, source, h, mode, sink, how).run(begun);
}

template filtering_report filter_stream<std::int32_t>(std::size_t, const sample_source<std::int32_t>&,
                                                      std::span<const std::int32_t>, convolution_mode,
                                                      const output_sink<std::int32_t>&, const chunking&,
                                                      const std::function<void(std::size_t)>&);
template filtering_report filter_stream<float>(std::size_t, const sample_source<float>&,
                                               std::span<const float>, convolution_mode,
                                               const output_sink<float>&, const chunking&,
                                               const std::function<void(std::size_t)>&);
template filtering_report filter_stream<double>(std::size_t, const sample_source<double>&,
                                                std::span<const double>, convolution_mode,
                                                const output_sink<double>&, const chunking&,
                                                const std::function<void(std::size_t)>&);

}  // namespace tutorial
