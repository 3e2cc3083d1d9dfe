// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// seams wrong|halos FILE.svg: what becomes of a signal in four parts without an exchange, from runs; and what
// each part owns and gets, from the split.
#include <string>
#include <string_view>
#include <vector>

#include "15_many_gpus/checks/spread_checks.hpp"
#include "15_many_gpus/host/four_devices.hpp"
#include "15_many_gpus/kernels/spread_filters.hpp"
#include "picture.hpp"
#include "views.hpp"

using namespace cuda_emulator::draw;
using namespace tutorial;

namespace {

constexpr std::size_t samples = 26;
constexpr int parts = 4;
constexpr double cell = 27, height = 25;

/// A row of outputs for each number of steps.
std::string wrong() {
  constexpr int most_steps = 3;
  const std::vector<std::int32_t> x(samples, 1), h(3, 1);
  picture to("Without an exchange: 26 samples in four parts, 3 taps",
             "A row of outputs for each of one, two and three steps. After one step "
             "one output on each side of each seam is wrong, after two steps two, after three steps three.");
  const double left = margin + text_width("after 3 steps") + 14;
  double y = 66;
  spread_signal<std::int32_t> signal(h, samples, devices_in_turn(parts));
  for (int p = 0; p < parts; ++p) {
    const sample_range own = signal.split().owned(p);
    to.text(left + (double(own.begin) + double(own.size()) / 2) * cell + 8 * p, y - 10,
            "device " + std::to_string(p), "dim", anchor::middle);
  }
  for (int steps = 1; steps <= most_steps; ++steps, y += height + 9) {
    std::vector<std::int32_t> result(samples);
    signal.bring(x);
    filter_no_exchange(signal, steps);
    signal.take(result);
    const std::vector<std::int32_t> expected = filtered_again<std::int32_t>(x, h, steps);
    to.text(margin, y + 17, "after " + std::to_string(steps) + (steps == 1 ? " step" : " steps"));
    for (int p = 0; p < parts; ++p)
      for (std::size_t n = signal.split().owned(p).begin; n < signal.split().owned(p).end; ++n)
        to.cell(left + double(n) * cell + 8 * p, y, cell, height,
                result[n] == expected[n] ? "output" : "conflict", std::to_string(result[n]),
                "y[" + std::to_string(n) + "] should be " + std::to_string(expected[n]), "8888");
  }
  legend(to, y + 12, {{"output", "right"}, {"conflict", "wrong: a neighbor's samples are missing"}});
  return to.document();
}

/// A row for each part: what it owns, and what comes from whom.
std::string halos() {
  const signal_split split(samples, parts, halo_of(5));
  picture to(
      "Who owns what, and who gets what: 26 samples, 5 taps",
      "A row for each device, with the samples that it owns. Beside them are two samples of each neighbor, "
      "which come in a message, and ghosts at the ends of the signal.");
  const double left = margin + text_width("device 3") + 14;
  double y = 62;
  const auto column = [&](std::ptrdiff_t n) { return left + double(n + 2) * cell; };
  for (int p = 0; p < parts; ++p, y += height + 12) {
    const sample_range own = split.owned(p);
    to.text(margin, y + 17, "device " + std::to_string(p));
    for (std::size_t n = own.begin; n < own.end; ++n)
      to.cell(column(std::ptrdiff_t(n)), y, cell, height, "input", std::to_string(n));
    for (const halo_message& each : split.messages_to(p))
      for (std::size_t n = each.samples.begin; n < each.samples.end; ++n)
        to.cell(column(std::ptrdiff_t(n)), y, cell, height, "halo", std::to_string(n),
                "from device " + std::to_string(each.from));
    for (std::ptrdiff_t n = std::ptrdiff_t(own.begin) - 2; n < 0; ++n)
      to.cell(column(n), y, cell, height, "ghost", "0");
    for (std::size_t n = samples; n < own.end + 2; ++n)
      to.cell(column(std::ptrdiff_t(n)), y, cell, height, "ghost", "0");
  }
  legend(to, y + 8,
         {{"input", "its own sample"},
          {"halo", "a neighbor's, by message"},
          {"ghost", "ghost: no such sample"}});
  return to.document();
}

}  // namespace

int main(int count, char** words) {
  return picture_main(count, words, "seams wrong|halos FILE.svg",
                      [](std::string_view which) { return which == "wrong" ? wrong() : halos(); });
}
