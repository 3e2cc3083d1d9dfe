// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// definition rows|products FILE.svg: chapter 01's definition, from what its function computes. Which product
// belongs to which output is asked of convolve_gather itself: one sample and one tap are 1, all others 0.
#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "picture.hpp"
#include "trace_file.hpp"
#include "views.hpp"

using namespace cuda_emulator::draw;
using tutorial::convolution_mode;

namespace {

using values = std::vector<std::int32_t>;

const values x = {3, 1, 4, 1, 5}, h = {2, 1, 3};  // no two taps alike: what is not flipped would show
const int samples = static_cast<int>(x.size()), taps = static_cast<int>(h.size());

values convolved(const values& signal, const values& filter, convolution_mode mode) {
  values y(tutorial::output_length(signal.size(), filter.size(), mode));
  tutorial::convolve_gather<std::int32_t>(signal, filter, y, mode);
  return y;
}

values one_at(int size, int place) {
  values result(static_cast<std::size_t>(size));
  result[static_cast<std::size_t>(place)] = 1;
  return result;
}

/// The number of the output, within full, that h[k] x[m] is added to.
int output_of(int m, int k) {
  const values y = convolved(one_at(samples, m), one_at(taps, k), convolution_mode::full);
  if (std::accumulate(y.begin(), y.end(), 0) != 1) throw drawing_error("a product must belong to one output");
  return static_cast<int>(std::find(y.begin(), y.end(), 1) - y.begin());
}

std::string list(const values& all) {
  std::string text;
  for (const auto each : all) text += (text.empty() ? "" : " ") + std::to_string(each);
  return text;
}

std::string indexed(const char* array, int index) { return array + ("[" + std::to_string(index) + "]"); }

std::string sizes() { return std::to_string(samples) + " samples, " + std::to_string(taps) + " taps"; }

/// A row for each output: the flipped filter under the samples that it meets.
std::string rows() {
  constexpr double cell = 40, height = 26, row = 31;
  const values full = convolved(x, h, convolution_mode::full);
  const int outputs = static_cast<int>(full.size()), columns = samples + 2 * (taps - 1);

  picture to(
      "y[n] = sum of h[k] x[n - k], h = " + list(h),
      "The signal " + list(x) + " and the filter " + list(h) + ", a row for each of the " +
          std::to_string(outputs) +
          " outputs. In each row the filter stands flipped below the samples that it meets, one place "
          "further to the right than in the row above. At both ends it meets ghosts, which are zero. Beside "
          "each sum: which outputs belong to full, same and valid.");
  const double left = margin + text_width("n = 0") + 14;
  const auto column = [&](int m) { return left + (m + taps - 1) * cell; };
  double y = 62;
  for (int m = -(taps - 1); m < columns - (taps - 1); ++m) {
    const bool ghost = m < 0 || m >= samples;
    if (!ghost) to.text(column(m) + cell / 2, y - 6, indexed("x", m), "dim", anchor::middle);
    to.cell(column(m), y, cell, height, ghost ? "ghost" : "input",
            ghost ? "0" : std::to_string(x[static_cast<std::size_t>(m)]));
  }
  const double sums = column(columns - (taps - 1)) + 22, modes = sums + cell + 26;
  for (int mode = 0; mode < 3; ++mode)
    to.text(modes + (mode + 0.5) * (cell + 8), y + 17, name(tutorial::all_modes[mode]), "small",
            anchor::middle);
  y += height + 16;
  for (int n = 0; n < outputs; ++n, y += row) {
    to.text(margin, y + 17, "n = " + std::to_string(n));
    int sum = 0;
    for (int k = 0; k < taps; ++k) {
      const int m = n - k;
      const bool ghost = m < 0 || m >= samples;
      if (!ghost && output_of(m, k) != n) throw drawing_error("the function computes something else");
      const int tap = h[static_cast<std::size_t>(k)], sample = ghost ? 0 : x[static_cast<std::size_t>(m)];
      sum += tap * sample;
      to.cell(column(m), y, cell, height, ghost ? "ghost" : "constant",
              std::to_string(tap) + "·" + std::to_string(sample),
              indexed("h", k) + (ghost ? " meets a ghost" : " " + indexed("x", m)));
    }
    if (sum != full[static_cast<std::size_t>(n)]) throw drawing_error("the function computes another sum");
    to.text(sums - 13, y + 17, "=", "", anchor::middle);
    to.cell(sums, y, cell, height, "output", std::to_string(sum), indexed("y", n));
    for (int mode = 0; mode < 3; ++mode) {
      const values part = convolved(x, h, tutorial::all_modes[mode]);
      const int first =
          static_cast<int>(tutorial::first_output(x.size(), h.size(), tutorial::all_modes[mode]));
      const int i = n - first;
      const bool has = 0 <= i && i < std::ssize(part);
      if (has && part[static_cast<std::size_t>(i)] != sum) throw drawing_error("a mode has another sum");
      to.cell(modes + mode * (cell + 8), y, cell, height, has ? "output" : "empty",
              has ? indexed("y", i) : "");
    }
  }
  legend(to, y + 14,
         {{"input", "sample"},
          {"constant", "tap · sample"},
          {"ghost", "ghost: no such sample"},
          {"output", "output"}});
  return to.document();
}

/// All products in a table, each with the output that it belongs to.
std::string products() {
  constexpr double cell = 56, height = 30;
  const int scattered = 1, gathered = 3;
  picture to(
      "Which output each product belongs to: " + sizes(),
      "A table of all products: a row for each sample, a column for each tap. The products of one sample "
      "stand in a row and belong to " +
          std::to_string(taps) +
          " different outputs. The products of one output lie on a diagonal, one in each column.");
  const double left = margin + text_width(indexed("x", 0) + " = 0") + 16, top = 74;
  for (int k = 0; k < taps; ++k)
    to.text(left + (k + 0.5) * cell, top - 9, indexed("h", k), "", anchor::middle);
  for (int m = 0; m < samples; ++m) {
    to.text(left - 10, top + m * height + 20, indexed("x", m), "", anchor::end);
    for (int k = 0; k < taps; ++k) {
      const int n = output_of(m, k);
      to.cell(left + k * cell, top + m * height, cell, height, "empty");
      to.text(left + (k + 0.5) * cell, top + (m + 0.5) * height + 4.5, indexed("y", n), "", anchor::middle,
              indexed("h", k) + " " + indexed("x", m));
    }
  }
  for (int m = 0; m < samples; ++m)  // on top, so that no neighbor's line is drawn over them
    for (int k = 0; k < taps; ++k)
      if (output_of(m, k) == gathered) to.cell(left + k * cell, top + m * height, cell, height, "output");
  to.cell(left - 3, top + scattered * height - 2, taps * cell + 6, height + 4, "frame");
  const double words = left + taps * cell + 18;
  to.text(words, top + scattered * height + 20, "scatter: a loop over one row");
  to.text(words, top + gathered * height + 20, "gather: a loop over one diagonal");
  legend(to, top + samples * height + 18,
         {{"output", "the products that " + indexed("y", gathered) + " adds up"},
          {"frame", "the products that " + indexed("x", scattered) + " is in"}});
  return to.document();
}

}  // namespace

int main(int count, char** words) {
  return picture_main(count, words, "definition rows|products FILE.svg",
                      [](std::string_view which) { return which == "rows" ? rows() : products(); });
}
