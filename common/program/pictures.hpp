// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the chapters on pictures share: versions of one task on planes of pixels, side by side.
//
//     plane_sets<float, float> sets(pixels, pixels.width, pixels.height);
//     show_planes(run, "08", {"forward", 2592, 2592, "float"}, {
//         sets.version(versions::columns, [](auto from, auto to) { dct8x8(from, to); },
//                      [](const plane<float>& result) { return verify(result); })},
//         [&] { return sets.measure_copies(); });
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "chapter.hpp"
#include "common/device/measure.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/device/plane.hpp"
#include "size_sweep.hpp"
#include "versions.hpp"

namespace tutorial {

/// One task that all versions are given.
struct plane_work {
  std::string title = {};  ///< "forward"; the sizes are added by the table.
  int width = 0, height = 0;
  std::string type = {};  ///< What goes in and comes out: "float", "8-bit to levels".
  /// width x height.
  double pixels() const { return double(width) * double(height); }
};

/// Times in ms of the input to the device and the output back, once each.
struct copy_times {
  double pageable_ms = 0;  ///< From and to ordinary memory of the host.
  double pinned_ms = 0;    ///< From and to page-locked memory.
};

/// Runs, verifies, measures or counts every version that --variant wants, each held against a plain copy of
/// as many bytes, and fails the run where one is wrong. Prints and records nothing. `copies` measures the
/// copies between host and device; it may be empty.
version_table measure_planes(chapter_run& run, const plane_work& work,
                             const std::vector<ready_version>& versions,
                             const std::function<copy_times()>& copies = {});

/// The same, printed and recorded. A table without a row (--variant named another) is not printed.
version_table show_planes(chapter_run& run, const std::string& chapter_number, const plane_work& work,
                          const std::vector<ready_version>& versions,
                          const std::function<copy_times()>& copies = {});

/// What becomes of a work and its versions: a table, or points of a picture.
using plane_presentation =
    std::function<void(const plane_work& work, const std::vector<ready_version>& versions,
                       const std::function<copy_times()>& copies)>;
/// show_planes().
plane_presentation as_tables(chapter_run& run, const std::string& chapter_number);
/// The times of the versions on the device and of a copy, against the number of pixels. Prints nothing.
plane_presentation as_points(chapter_run& run, size_sweep& sizes);

/// A version, said once in the versions.hpp of its chapter.
struct version_name {
  const char* chapter;  ///< "08"
  const char* name;     ///< For --variant: "columns". The file is called so, too.
  const char* about;    ///< For --list.
  /// "08 columns"
  std::string label() const { return version_label(chapter, name); }
  /// For --list.
  operator chapter_variant() const { return {name, about}; }
};

/// Host versions that are made to be read are left out of larger pictures than this, in pixels.
inline constexpr double small_picture = 1e7;

/// Input and output in so many places in device memory that no call finds its input in the cache: copies of
/// `input`, and poisoned outputs.
template <class From, class To>
class plane_sets {
 public:
  /// `input` must outlive it; the outputs have width x height values.
  plane_sets(const plane<From>& input, int width, int height) : input_(&input), result_(width, height) {
    const std::size_t bytes = this->bytes();
    for (int s = buffer_sets(bytes); s > 0; --s) {
      from_.emplace_back(input);
      to_.emplace_back(width, height);
    }
  }
  /// How many sets.
  int size() const { return int(from_.size()); }
  /// The input of a set, 0 <= set < size().
  device_plane_span<const From> from(int set) const { return from_[std::size_t(set)].span(); }
  /// The output of a set, to be written.
  device_plane_span<To> to(int set) { return to_[std::size_t(set)].span(); }
  /// The same, to be read or poisoned.
  device_plane<To>& output(int set = 0) { return to_[std::size_t(set)]; }
  /// Of input and output together, without what lies behind the rows.
  std::size_t bytes() const {
    return input_->values.size() * sizeof(From) + result_.values.size() * sizeof(To);
  }
  /// The version on these sets: run(from, to), and what verify(output) finds. Its first call finds nothing of
  /// a version before it in the output. Neither may outlive the sets.
  template <class Run, class Verify>
  ready_version version(const version_name& name, Run run, Verify verify) {
    return {.name = name.name,
            .label = name.label(),
            .bytes = double(bytes()),
            .prepare = [this] { output().poison(); },
            .launch = [this, run](int set) { run(from(set), to(set)); },
            .verify =
                [this, verify] {
                  output().copy_to(result_);
                  return verification(verify(result_));
                },
            .sets = size()};
  }
  /// Measures the input to the device and the output back, as a program does that has its pictures in
  /// ordinary memory, and as one that has had them in pinned memory from the beginning.
  copy_times measure_copies() {
    copy_times times{.pageable_ms = time_of_copies(input_->values.data(), result_.values.data())};
    const pinned_buffer<From> pinned_input{std::span<const From>(input_->values)};
    pinned_buffer<To> pinned_result(result_.values.size());
    times.pinned_ms = time_of_copies(pinned_input.span().data(), pinned_result.data());
    return times;
  }

 private:
  double time_of_copies(const From* input, To* result) {
    const device_plane_span<From> from = from_.front().span();
    const device_plane_span<To> to = to_.front().span();
    const std::size_t from_row = std::size_t(from.width()) * sizeof(From),
                      to_row = std::size_t(to.width()) * sizeof(To);
    return measure_host([&](int) {
             check(cudaMemcpy2D(from.data(), from.pitch(), input, from_row, from_row,
                                std::size_t(from.height()), cudaMemcpyHostToDevice));
             check(cudaMemcpy2D(result, to_row, to.data(), to.pitch(), to_row, std::size_t(to.height()),
                                cudaMemcpyDeviceToHost));
           })
        .median_ms;
  }

  const plane<From>* input_;
  plane<To> result_;
  std::vector<device_plane<From>> from_;
  std::vector<device_plane<To>> to_;
};

}  // namespace tutorial
