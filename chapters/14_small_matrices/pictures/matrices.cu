// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// matrices product|places FILE.svg: one element of a product with all that it is made of; and, from a run,
// which lane holds which element of mma.sync's sums and of its a.
#include <cuda_fp16.h>

#include <string>
#include <string_view>
#include <vector>

#include "common/device/device_memory.hpp"
#include "picture.hpp"
#include "views.hpp"

using namespace cuda_emulator::draw;

namespace {

constexpr int order = 16, columns = 8;
constexpr double width = 21, height = 18;

__device__ unsigned two_halves(int low, int high) {
  return __half_as_ushort(__int2half_rn(low)) | unsigned(__half_as_ushort(__int2half_rn(high))) << 16;
}

__device__ void multiply(float (&sums)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                         unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

/// Two products side by side. The first makes sums that say which element they are, 16 row + column. The
/// second multiplies a, where each lane has brought its own number, by the identity.
__global__ void holders_kernel(int* of_sums, int* of_a) {
  const int lane = threadIdx.x, g = lane / 4, j = lane % 4;
  for (int half = 0; half < 2; ++half) {
    float sums[4] = {}, copies[4] = {};
    multiply(sums, j == 0 ? two_halves(g, 1) : 0, j == 0 ? two_halves(g + 8, 1) : 0, 0, 0,
             j == 0 ? two_halves(16, g + 8 * half) : 0, 0);
    const unsigned mine = two_halves(lane, lane), ones = two_halves(g == 2 * j, g == 2 * j + 1);
    multiply(copies, mine, mine, mine, mine, half == 0 ? ones : 0, half == 1 ? ones : 0);
    for (int i = 0; i < 4; ++i) {
      of_sums[int(sums[i])] = lane;
      of_a[int(sums[i])] = int(copies[i]);
    }
  }
}

/// A matrix with its row and column numbers; `cell` says class and text of each element.
template <class Cell>
void draw_matrix(picture& to, double left, double top, int wide, std::string_view title, const Cell& cell) {
  to.text(left + wide * width / 2, top - 26, title, "", anchor::middle);
  for (int column = 0; column < wide; ++column)
    to.text(left + (column + 0.5) * width, top - 6, std::to_string(column), "tiny", anchor::middle);
  for (int row = 0; row < order; ++row) {
    to.text(left - 5, top + row * height + 13, std::to_string(row), "tiny", anchor::end);
    for (int column = 0; column < wide; ++column) {
      const auto [css, text] = cell(row, column);
      to.cell(left + column * width, top + row * height, width, height, css, text, {}, "88");
    }
  }
}

struct look {
  std::string css, text;
};

std::string product() {
  constexpr int row = 5, column = 4;
  const int a[order] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  int sum = 0;
  for (int k = 0; k < order; ++k) sum += k % 2 == 0 ? a[k] : -a[k];
  picture to(
      "One element of a 16 x 8 product",
      "Row 5 of a, 16 numbers, and column 4 of b, 16 numbers that are 1 and -1 in turn. Their products "
      "add up to element (5, 4) of the sums, which is " +
          std::to_string(sum) + ".");
  const double left = margin + 16, top = 92, gap = 46;
  const double of_b = left + order * width + gap, of_sums = of_b + columns * width + gap;
  draw_matrix(to, left, top, order, "a, 16 x 16", [&](int r, int k) {
    return r == row ? look{"input", std::to_string(a[k])} : look{"empty", ""};
  });
  draw_matrix(to, of_b, top, columns, "b, 16 x 8", [&](int k, int c) {
    return c == column ? look{"constant", k % 2 == 0 ? "1" : "-1"} : look{"empty", ""};
  });
  draw_matrix(to, of_sums, top, columns, "sums, 16 x 8", [&](int r, int c) {
    return r == row && c == column ? look{"output", std::to_string(sum)} : look{"empty", ""};
  });
  const double middle = top + order * height / 2 + 5;
  to.text(of_b - gap / 2 - 5, middle, "x", "strong", anchor::middle);
  to.text(of_sums - gap / 2 - 5, middle, "=", "strong", anchor::middle);
  return to.document();
}

std::string places() {
  constexpr int shown = 22;
  tutorial::device_buffer<int> of_sums(order * order), of_a(order * order);
  holders_kernel<<<1, 32>>>(of_sums.data(), of_a.data());
  tutorial::check(cudaGetLastError());
  const std::vector<int> sums = of_sums.to_host(), a = of_a.to_host();
  picture to("The lane that holds each element: lane 22 is lit",
             "Two matrices of 16 x 16 elements with the number of a lane in each: the sums of two products "
             "side by side, and the factor a of the next product. Both are alike. Lane 22 holds the columns "
             "4, 5, 12 and 13 of the rows 5 and 13 in both.");
  const double left = margin + 16, top = 92, next = left + order * width + 46;
  const auto holder = [&](const std::vector<int>& lanes) {
    return [&lanes](int row, int column) {
      const int lane = lanes[std::size_t(order * row + column)];
      return look{lane == shown ? "output" : "empty", std::to_string(lane)};
    };
  };
  draw_matrix(to, left, top, order, "sums: two products side by side", holder(sums));
  draw_matrix(to, next, top, order, "a of the next product", holder(a));
  return to.document();
}

}  // namespace

int main(int count, char** words) {
  return picture_main(count, words, "matrices product|places FILE.svg",
                      [](std::string_view which) { return which == "product" ? product() : places(); });
}
