// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// overlap_save FILE.svg: which samples each of chapter 07's blocks reads, and which outputs it gives. Both
// are asked of the chapter's own object: a NaN in one sample reaches all outputs of the blocks that read it,
// and no other.
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "07_fft_convolution/host/dft.hpp"
#include "07_fft_convolution/kernels/convolve_overlap_save.hpp"
#include "picture.hpp"
#include "trace_file.hpp"
#include "views.hpp"

using namespace cuda_emulator::draw;

namespace {

constexpr int samples = 19, taps = 6, length = 16, outputs = samples + taps - 1;
using values = std::vector<double>;

/// Numbers that none of the sums below meets by chance.
values numbered(int size) {
  values result;
  for (int i = 0; i < size; ++i) result.push_back(std::sqrt(2.0 + i));
  return result;
}

const values signal_of_picture = numbered(samples), filter = numbered(taps);

struct block {
  std::set<int> reads, gives;  // numbers of samples, and of outputs
  int begin = 0;               // of its first element, as a sample's number
};

std::vector<block> blocks_of_the_chapter() {
  using namespace tutorial;
  const device_buffer<double> h(filter);
  overlap_save_convolver<double> convolver(h.span(), samples, convolution_mode::full, length);
  if (convolver.block_length() != length) throw drawing_error("the object chose other blocks");
  std::vector<std::set<int>> reached(outputs);  // by which samples an output is reached
  for (int m = 0; m < samples; ++m) {
    values poisoned = signal_of_picture;
    poisoned[std::size_t(m)] = std::numeric_limits<double>::quiet_NaN();
    const device_buffer<double> x(poisoned);
    device_buffer<double> y(std::size_t{outputs});
    convolver(x.span(), y.span());
    values result(std::size_t{outputs});
    check(cudaMemcpy(result.data(), y.data(), outputs * sizeof(double), cudaMemcpyDeviceToHost));
    for (int n = 0; n < outputs; ++n)
      if (std::isnan(result[std::size_t(n)])) reached[std::size_t(n)].insert(m);
  }
  std::vector<block> blocks;
  for (int n = 0; n < outputs; ++n) {
    if (blocks.empty() || blocks.back().reads != reached[std::size_t(n)])
      blocks.push_back({reached[std::size_t(n)], {}});
    blocks.back().gives.insert(n);
  }
  if (blocks.size() != convolver.blocks()) throw drawing_error("the object has another number of blocks");
  // A block without ghosts shows how much lies before its first output; that is the same in all of them.
  int before = -1;
  for (const block& each : blocks)
    if (each.reads.size() == length) before = *each.gives.begin() - *each.reads.begin();
  if (before < taps - 1) throw drawing_error("no block lies within the signal, or it gives a wrong output");
  for (block& each : blocks) {
    each.begin = *each.gives.begin() - before;
    for (int m = 0; m < samples; ++m)
      if (each.reads.contains(m) != (each.begin <= m && m < each.begin + length))
        throw drawing_error("a block does not read the samples that belong to it");
  }
  return blocks;
}

double sample(int m) { return 0 <= m && m < samples ? signal_of_picture[std::size_t(m)] : 0; }

/// Whether a block's element, convolved around in a circle, is the output of the same number.
std::vector<bool> right_in(const block& each) {
  values around(length), padded(length);
  for (int p = 0; p < length; ++p) around[std::size_t(p)] = sample(each.begin + p);
  std::copy(filter.begin(), filter.end(), padded.begin());
  const values circle = tutorial::circular_convolution(around, padded);
  std::vector<bool> right;
  for (int p = 0; p < length; ++p) {
    double sum = 0;
    for (int k = 0; k < taps; ++k) sum += filter[std::size_t(k)] * sample(each.begin + p - k);
    right.push_back(std::abs(circle[std::size_t(p)] - sum) < 1e-9);
  }
  return right;
}

std::string draw() {
  const std::vector<block> blocks = blocks_of_the_chapter();
  const int first = blocks.front().begin, last = blocks.back().begin + length;
  constexpr double cell = 24, height = 22;
  picture to(
      "Overlap-save: " + std::to_string(samples) + " samples, " + std::to_string(taps) + " taps, blocks of " +
          std::to_string(length),
      "Blocks of " + std::to_string(length) +
          " samples that overlap, below each other, and below each what it becomes around in a circle: first "
          "wrong outputs, into which its end has come around, then right ones. The kept ones of all blocks "
          "together are all outputs, each once.");
  const double left = margin + text_width("block 0 reads", 11) + 10;
  const auto column = [&](int n) { return left + (n - first) * cell; };
  double y = 62;
  const auto label = [&](const std::string& text) { to.text(left - 8, y + 15, text, "dim", anchor::end); };
  label("x[...]");
  for (int m = 0; m < samples; ++m) to.cell(column(m), y, cell, height, "input", std::to_string(m));
  y += height + 14;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const block& each = blocks[b];
    const std::vector<bool> right = right_in(each);
    label("block " + std::to_string(b) + " reads");
    for (int p = 0; p < length; ++p) {
      const int m = each.begin + p;
      to.cell(column(m), y, cell, height, each.reads.contains(m) ? "input" : "ghost",
              each.reads.contains(m) ? std::to_string(m) : "");
    }
    y += height;
    label("gives");
    for (int p = 0; p < length; ++p) {
      const int n = each.begin + p;
      if (each.gives.contains(n) && !right[std::size_t(p)]) throw drawing_error("a wrong output is kept");
      const char* const css = each.gives.contains(n)  ? "output"
                              : right[std::size_t(p)] ? "empty"
                                                      : "conflict";
      to.cell(column(n), y, cell, height, css, each.gives.contains(n) ? std::to_string(n) : "");
    }
    y += height + 14;
  }
  label("y[...]");
  for (int n = 0; n < outputs; ++n) to.cell(column(n), y, cell, height, "output", std::to_string(n));
  for (int n = first; n <= last; n += length / 2)
    to.line(column(n), 54, column(n), y + height + 4, "wire_ghost");
  legend(to, y + height + 16,
         {{"input", "sample that is read"},
          {"ghost", "zero: no such sample"},
          {"conflict", "wrong: the block's end has come around"},
          {"empty", "right, and not needed"},
          {"output", "kept"}});
  return to.document();
}

}  // namespace

int main(int count, char** words) {
  return picture_main(count, words, "overlap_save FILE.svg", [](std::string_view) { return draw(); });
}
