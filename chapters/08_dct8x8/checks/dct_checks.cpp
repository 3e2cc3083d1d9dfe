// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "dct_checks.hpp"

#include <cmath>
#include <cstring>

#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/block_products.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

struct size {
  int width, height;
};
// Around whole 8x8 blocks, around whole warps, and around the 256 columns that a block of threads may take.
constexpr size sizes[] = {{1, 1},   {7, 9},   {8, 8},   {9, 7},    {1, 17},  {17, 1},
                          {15, 16}, {16, 15}, {31, 8},  {32, 9},   {33, 33}, {40, 24},
                          {255, 1}, {256, 8}, {257, 9}, {264, 17}, {300, 23}};

std::string text(const size& each) {
  return std::to_string(each.width) + " x " + std::to_string(each.height) + " pixels";
}

/// The values in device memory of our own pitch, everything around them poisoned.
class placed_plane {
 public:
  placed_plane(const plane<float>& values, std::size_t row_alignment, std::size_t units)
      : placed_plane(values.width, values.height, row_alignment, units) {
    const std::size_t row = std::size_t(values.width) * sizeof(float);
    check(cudaMemcpy2D(span().data(), span().pitch(), values.values.data(), row, row,
                       std::size_t(values.height), cudaMemcpyHostToDevice));
  }
  /// A row above and an 8x8 block below, and at least so many units of alignment behind each row.
  placed_plane(int width, int height, std::size_t row_alignment, std::size_t units)
      : width_(width), height_(height) {
    const std::size_t row = std::size_t(width) * sizeof(float);
    pitch_ = (row + row_alignment - 1) / row_alignment * row_alignment + units * row_alignment;
    // The first row must begin where a texture may: at a multiple of 512 bytes.
    before_ = (pitch_ + 511) / 512 * 512;
    memory_ = device_buffer<float>((before_ + pitch_ * std::size_t(height + 8)) / sizeof(float));
  }
  device_plane_span<float> span() {
    return {memory_.data() + before_ / sizeof(float), width_, height_, pitch_};
  }
  plane<float> to_host() {
    plane<float> host(width_, height_);
    const std::size_t row = std::size_t(width_) * sizeof(float);
    check(cudaMemcpy2D(host.values.data(), row, span().data(), pitch_, row, std::size_t(height_),
                       cudaMemcpyDeviceToHost));
    return host;
  }
  /// Where something else than poison stands beside the values; empty if nowhere.
  std::string overrun() const {
    const std::vector<float> all = memory_.to_host();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at = std::ptrdiff_t(i * sizeof(float)) - std::ptrdiff_t(before_);
      const auto row = at < 0 ? -1 : at / std::ptrdiff_t(pitch_);
      const auto col = at < 0 ? 0 : at % std::ptrdiff_t(pitch_) / std::ptrdiff_t(sizeof(float));
      if (row >= 0 && row < height_ && col < width_) continue;
      std::uint32_t bits;
      std::memcpy(&bits, &all[i], sizeof bits);
      if (bits != 0xFFFFFFFF)
        return row < 0         ? "something above the first row was written"
               : row < height_ ? "something behind row " + std::to_string(row) + " was written"
                               : "something below the last row was written";
    }
    return {};
  }

 private:
  int width_, height_;
  std::size_t pitch_ = 0, before_ = 0;
  device_buffer<float> memory_;
};

/// Calls each(size) until there are enough failures; it returns an empty text where all is well.
template <class Each>
std::vector<std::string> failures_of_sizes(std::size_t most, const Each& each) {
  std::vector<std::string> failures;
  for (const size& one : sizes) {
    const case_at_work now(text(one));
    const std::string failure = each(one);
    if (!failure.empty()) {
      if (failures.empty()) case_at_work::went_wrong();
      failures.push_back(text(one) + ": " + failure);
    }
    if (failures.size() >= most) break;
  }
  return failures;
}

plane<float> random_coefficients(int width, int height) {
  return asymmetric_plane(padded(width), padded(height), 7);
}

std::string wrong(const agreement& found) { return found ? "" : describe(found); }

/// The 64 basis pictures (or unit coefficients) as a picture of 8 x 8 blocks; block (v, u) is about
/// coefficient (v, u).
plane<float> units() {
  plane<float> coefficients(64, 64);
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) coefficients.at(8 * v + v, 8 * u + u) = 1;
  return coefficients;
}
plane<float> basis_pictures() {
  plane<float> pixels(64, 64);
  const plane<double> exact = idct8x8_matrix(units(), 64, 64);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) pixels.values[i] = float(exact.values[i]);
  return pixels;
}

std::string place(int v, int u) { return "(" + std::to_string(v) + ", " + std::to_string(u) + ")"; }

}  // namespace

plane<float> asymmetric_plane(int width, int height, std::uint64_t seed) {
  plane<float> result(width, height);
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = float(int(random_bits(seed, i) % 511) - 255) + 0.25f * float(i % 3);
  return result;
}

plane<float> run_dct(const device_dct& dct, const plane<float>& from, int width, int height) {
  const device_plane<float> input(from);
  device_plane<float> output(width, height);
  dct(input, output);
  return output.to_host();
}

std::vector<std::string> forward_failures(const device_dct& dct, const dct_check_options& options) {
  return failures_of_sizes(options.most_failures, [&](const size& each) {
    const plane<float> pixels = asymmetric_plane(each.width, each.height);
    placed_plane input(pixels, options.row_alignment, std::size_t(each.height % 3));
    device_plane<float> output(padded(each.width), padded(each.height));
    dct(input.span(), output);
    return wrong(verify_dct8x8(pixels, output.to_host()));
  });
}

std::vector<std::string> inverse_failures(const device_dct& idct, const dct_check_options& options) {
  return failures_of_sizes(options.most_failures, [&](const size& each) {
    const plane<float> coefficients = random_coefficients(each.width, each.height);
    placed_plane input(coefficients, options.row_alignment, std::size_t(each.height % 3));
    device_plane<float> output(each.width, each.height);
    idct(input.span(), output);
    return wrong(verify_idct8x8(coefficients, output.to_host()));
  });
}

std::vector<std::string> forward_basis_failures(const device_dct& dct) {
  const plane<float> actual = run_dct(dct, basis_pictures(), 64, 64);
  std::vector<std::string> failures;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      const auto found = [&](int row, int col) { return actual.at(8 * v + row, 8 * u + col); };
      // |A| |A|^T is at most 8 in any element, and so 1e-5 is beyond the bound for values of at most 1/4.
      const auto near = [](float value, float wanted) { return std::abs(value - wanted) <= 1e-5f; };
      int others = 0, at_row = v, at_col = u;  // the largest of the others
      for (int row = 0; row < 8; ++row)
        for (int col = 0; col < 8; ++col) {
          if ((row == v && col == u) || near(found(row, col), 0)) continue;
          if (others++ == 0 || std::abs(found(row, col)) > std::abs(found(at_row, at_col)))
            at_row = row, at_col = col;
        }
      const bool there = near(found(v, u), 1);
      if (there && others == 0) continue;
      std::string text = "coefficient " + place(v, u);
      if (others == 0) {
        text += " is " + std::to_string(found(v, u)) + " instead of 1";
      } else {
        text += " appears at " + place(at_row, at_col) + ": " + std::to_string(found(at_row, at_col)) +
                (there ? ", too" : ", and its own place has " + std::to_string(found(v, u)));
        if (others > 1) text += "; " + std::to_string(others - 1) + " more are not 0";
      }
      failures.push_back(text);
    }
  return failures;
}

std::vector<std::string> inverse_basis_failures(const device_dct& idct) {
  const plane<float> actual = run_dct(idct, units(), 64, 64);
  std::vector<std::string> failures;
  for (int v = 0; v < 8; ++v)
    for (int u = 0; u < 8; ++u) {
      const auto wanted = detail::take_block<float>(basis_pictures(), 8 * v, 8 * u);
      const auto found = detail::take_block<float>(actual, 8 * v, 8 * u);
      const auto near = [](const auto& p, const auto& q) {
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j)
            if (!(std::abs(p[i][j] - q[i][j]) <= 1e-6f)) return false;
        return true;
      };
      if (near(found, wanted)) continue;
      failures.push_back("coefficient " + place(v, u) + " does not give its picture" +
                         (near(found, detail::transposed(wanted)) ? ", but that of " + place(u, v) : ""));
    }
  return failures;
}

std::vector<std::string> forward_overruns(const device_dct& dct) {
  return failures_of_sizes(3, [&](const size& each) {
    const device_plane<float> input(asymmetric_plane(each.width, each.height));
    placed_plane output(padded(each.width), padded(each.height), sizeof(float), 9);
    dct(input, output.span());
    const std::string finding = output.overrun();
    return !finding.empty() ? finding : wrong(verify_dct8x8(input.to_host(), output.to_host()));
  });
}

std::vector<std::string> inverse_overruns(const device_dct& idct) {
  return failures_of_sizes(3, [&](const size& each) {
    const device_plane<float> input(random_coefficients(each.width, each.height));
    placed_plane output(each.width, each.height, sizeof(float), 9);
    idct(input, output.span());
    const std::string finding = output.overrun();
    return !finding.empty() ? finding : wrong(verify_idct8x8(input.to_host(), output.to_host()));
  });
}

std::string joined(const std::vector<std::string>& failures) {
  constexpr std::size_t shown = 5;
  std::string all;
  for (std::size_t i = 0; i < failures.size() && i < shown; ++i) all += "\n  " + failures[i];
  if (failures.size() > shown) all += "\n  and " + std::to_string(failures.size() - shown) + " more";
  return all;
}

}  // namespace tutorial
