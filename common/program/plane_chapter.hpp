// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// What the chapters on pictures share: versions of one task side by side, verified, measured or counted.
///
///     plane_sets<float, float> sets(pixels, pixels.width, pixels.height);
///     show_planes(run, "08", {"forward", 2592, 2592, "float"}, {
///         {.name = "columns", .label = "08 8 threads for 8x8", .bytes = sets.bytes(),
///          .launch = [&](int set) { dct8x8(sets.from(set), sets.to(set)); },
///          .verify = [&] { return compare(...sets.to(0).to_host()...); }}},
///         [&] { sets.copy_there_and_back(); });
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chapter.hpp"
#include "common/device/measure.hpp"
#include "common/device/plane.hpp"
#include "common/verify/compare.hpp"
#include "size_sweep.hpp"

namespace tutorial {

/// One task that all versions are given.
struct plane_work {
  std::string title = {};  ///< "forward"; the sizes are added by the table.
  int width = 0, height = 0;
  std::string type = {};  ///< What goes in and comes out: "float", "8-bit to levels".
  /// width x height.
  double pixels() const { return double(width) * double(height); }
};

/// What a comparison found, and what has to be said beside it ("3 at ties").
struct plane_verification {
  agreement found;
  std::string remark = {};

  plane_verification() = default;
  /// `remark` stands behind the finding in a table.
  plane_verification(const agreement& found, std::string remark = {})
      : found(found), remark(std::move(remark)) {}
  /// Whether nothing was further off than its bound.
  explicit operator bool() const { return bool(found); }
};
/// One line: describe() of what was found, and the remark.
std::string describe(const plane_verification& verified);

/// A version of the task, on the device or on the host, with the memory it works on.
struct plane_variant {
  std::string name;   ///< For --variant: "textured".
  std::string label;  ///< For tables: "08 from a texture".
  /// What it reads and writes, together. Its limit is a copy that moves as many bytes, half of them each way.
  double bytes = 0;
  /// Runs it once on that one of the buffer sets; on the device it need not wait. Called with 0 first.
  std::function<void(int set)> launch;
  /// Compares what launch(0) has left.
  std::function<plane_verification()> verify;
  int sets = 1;  ///< The tables time launch(i % sets).
  bool on_device = true;
  /// Larger works than this, and tables skip it, saying so.
  double max_pixels = std::numeric_limits<double>::infinity();
};

/// What became of one variant in one table.
struct plane_row {
  std::string variant = {}, label = {};
  bool skipped = false, on_device = false;
  double bytes = 0;
  timing time = {};     ///< Zero where counts are shown instead.
  double copy_ms = 0;   ///< A plain copy of as many bytes, in the same run; 0 if not measured.
  double of_limit = 0;  ///< copy_ms / median; 0 where it has no meaning.
  std::vector<launch_counts> launches = {};  ///< Empty where nothing is counted.
  launch_counts counts = {};                 ///< Their sum.
  plane_verification verified = {};
};

struct plane_table {
  plane_work work;
  double copies_ms = 0;  ///< Input there, output back, from pageable memory; 0 if not measured.
  std::vector<plane_row> rows = {};

  /// The row of a variant; nullptr if it is not in the table or was skipped.
  const plane_row* find(std::string_view variant) const;
};

/// Runs, verifies, measures or counts every variant that --variant wants, and fails the run where one is wrong. Prints
/// and records nothing. `copies` moves input and output between host and device once; it may be empty.
plane_table measure_planes(chapter_run& run, const plane_work& work,
                           const std::vector<plane_variant>& variants,
                           const std::function<void()>& copies = {});

/// Heading and table, and with --counts what each launch did.
void print(chapter_run& run, const plane_table& table);
/// Every row for --csv.
void record(chapter_run& run, const plane_table& table, const std::string& chapter_number);

/// All of these. A table without a row (--variant named another) is not printed.
plane_table show_planes(chapter_run& run, const std::string& chapter_number, const plane_work& work,
                        const std::vector<plane_variant>& variants, const std::function<void()>& copies = {});

/// What becomes of a work and its versions: a table, or points of a picture.
using plane_presentation = std::function<void(
    const plane_work& work, const std::vector<plane_variant>& variants, const std::function<void()>& copies)>;
/// show_planes().
plane_presentation as_tables(chapter_run& run, const std::string& chapter_number);
/// The times of the versions on the device and of a copy, against the number of pixels. Prints nothing.
plane_presentation as_points(chapter_run& run, size_sweep& sizes);

/// Input and output in so many places in device memory that no call finds its input in the cache: copies of `input`,
/// and poisoned outputs.
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
  /// As a program does that has its pictures in ordinary memory.
  void copy_there_and_back() {
    const std::size_t row = std::size_t(result_.width) * sizeof(To);
    from_.front().copy_from(*input_);
    check(cudaMemcpy2D(result_.values.data(), row, to_.front().span().data(), to_.front().pitch(), row,
                       std::size_t(result_.height), cudaMemcpyDeviceToHost));
  }

 private:
  const plane<From>* input_;
  plane<To> result_;
  std::vector<device_plane<From>> from_;
  std::vector<device_plane<To>> to_;
};

}  // namespace tutorial
