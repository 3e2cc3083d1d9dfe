// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// flow_graph FILE.svg: a transform of 8 numbers, with the root of each butterfly. What is drawn is also
// computed, and compared with the definition.
#include <array>
#include <cmath>
#include <complex>
#include <string>

#include "13_one_pass/host/roots.hpp"
#include "picture.hpp"
#include "trace_file.hpp"
#include "views.hpp"

using namespace cuda_emulator::draw;
using namespace tutorial;

namespace {

constexpr int stages = 3, length = 1 << stages;
using numbers = std::array<std::complex<double>, length>;

/// Number p of the drawing's input is one, all others are zero: are the outputs the definition's?
void compare_with_definition(const numbers& outputs, int p) {
  for (int place = 0; place < length; ++place)
    if (std::abs(outputs[std::size_t(place)] - root_of_unity(-p * reversed(place, stages), length)) > 1e-12)
      throw drawing_error("the graph is not a transform");
}

std::string graph() {
  constexpr double cell = 44, height = 26, row = 40, stage_width = 172, lead = 46;
  picture to(
      "A transform of 8 numbers: three stages of four butterflies",
      "Eight numbers enter at the left in natural order. In the first stage the butterflies join "
      "numbers four apart, all with root 1. In the second stage they join numbers two apart, the "
      "upper block with root 1, the lower one with -i. In the third stage they join neighbors, with the "
      "roots 1, -i, w and w to the third. The frequencies leave in the order 0 4 2 6 1 5 3 7.");
  const double left = margin, top = 84;
  const auto middle = [&](int place) { return top + place * row + height / 2; };
  const auto begin_of = [&](int stage) { return left + cell + stage * stage_width; };
  const auto number = [](int value) { return std::to_string(value); };
  std::array<numbers, length> of_impulse{};
  for (int p = 0; p < length; ++p) of_impulse[std::size_t(p)][std::size_t(p)] = 1;
  for (int s = 0; s < stages; ++s) {
    const int half = length >> (s + 1);
    const double begin = begin_of(s), fork = begin + lead, end = begin_of(s + 1);
    to.text(begin + stage_width / 2, top - 18, number(half) + (half == 1 ? " place" : " places") + " apart",
            "dim", anchor::middle);
    for (int block = 0; block < 1 << s; ++block) {
      const int j = reversed(block, s);
      const int eighths = j * length / (2 << s);  // the root is w^eighths, w an eighth of a turn
      const std::string root = eighths == 0 ? "1" : eighths == 2 ? "-i" : eighths == 1 ? "w" : "w³";
      for (int k = 0; k < half; ++k) {
        const int a = 2 * half * block + k, b = a + half;
        for (numbers& all : of_impulse) {
          const std::complex<double> product = all[std::size_t(b)] * root_of_unity(-eighths, length);
          all[std::size_t(b)] = all[std::size_t(a)] - product, all[std::size_t(a)] += product;
        }
        to.line(begin, middle(a), end, middle(a), "wire_input");
        to.line(begin, middle(b), end, middle(b), "wire_input");
        to.line(fork, middle(a), end - 22, middle(b), "wire_output");
        to.line(fork, middle(b), end - 22, middle(a), "wire_output");
        to.text(begin + lead / 2, middle(b) - 5, root, "strong", anchor::middle);
        to.text(end - 11, middle(b) - 5, "-", "small", anchor::middle);
      }
    }
  }
  for (int place = 0; place < length; ++place) {
    compare_with_definition(of_impulse[std::size_t(place)], place);
    to.cell(left, top + place * row, cell, height, "input", "x[" + number(place) + "]");
    to.cell(begin_of(stages), top + place * row, cell, height, "output",
            "X[" + number(reversed(place, stages)) + "]");
  }
  to.text(
      left, top + length * row + 10,
      "w is an eighth of a turn, w x w = -i. Where two lines meet: a + root x b above, a - root x b below.",
      "dim");
  return to.document();
}

}  // namespace

int main(int count, char** words) {
  return picture_main(count, words, "flow_graph FILE.svg", [](std::string_view) { return graph(); });
}
