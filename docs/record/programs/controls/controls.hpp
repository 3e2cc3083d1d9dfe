// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the programs of controls have in common. A control is a pair of rows that differ in one thing: their
// times say what that thing costs. docs/record/measure controls runs the programs.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/device/measure.hpp"

namespace tutorial {

/// The rows of a program, in the order in which they were measured.
class control_rows {
 public:
  using cells = std::vector<std::pair<std::string, std::string>>;

  /// With `small`, sizes are those of a test, and times mean nothing.
  explicit control_rows(bool small) : small_(small) {}
  bool small() const { return small_; }
  /// `of_a_gpu`, or `of_a_test` where sizes are small.
  template <class T>
  T size(T of_a_gpu, T of_a_test) const {
    return small_ ? of_a_test : of_a_gpu;
  }

  /// Measures launch(i), as common/device/measure.hpp does, and adds a row: what is measured, then its times.
  /// `figures` makes further cells of the time.
  void measure(cells what, const std::function<void(int i)>& launch,
               const std::function<cells(const timing&)>& figures = {});
  /// Adds a row whose time was measured another way: what was measured, its times, and further cells.
  void add(cells what, const timing& time, cells figures = {});
  /// The rows so far; all of them have the same columns.
  const std::vector<cells>& all() const { return rows_; }

 private:
  bool small_;
  std::vector<cells> rows_;
};

/// Cycles of a multiprocessor for each of `count` things that all multiprocessors share, at the device's
/// highest clock rate.
double cycles_each(const timing& time, double count);

/// Throws std::runtime_error with `what` unless `now` is `first`, which becomes `now` if it is empty.
template <class T>
void must_be_the_same(std::vector<T>& first, std::vector<T> now, const std::string& what) {
  if (first.empty())
    first = std::move(now);
  else if (first != now)
    throw std::runtime_error(what + ": its result is another than that of the first row");
}

/// What main() of such a program returns: 2 if the arguments are wrong, 1 if a call or a result is.
///     PROGRAM [--small] [--csv FILE]
int controls_main(int argc, char** argv, const std::function<void(control_rows&)>& work);

}  // namespace tutorial
