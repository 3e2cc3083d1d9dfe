// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tie_example.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "08_dct8x8/host/dct_serial.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

/// C[v][u] by the definition, one sum over 64 pixels, all in T.
template <class T>
T by_definition(const whole_block& pixels, int v, int u) {
  const dct_matrix_t& a = dct_matrix();
  T sum = 0;
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 8; ++x)
      sum += T(a[std::size_t(v)][y]) * T(a[std::size_t(u)][x]) * T(pixels[8 * y + x]);
  return sum;
}

/// The same by columns first, then along the row, all in T.
template <class T>
T by_matrix(const whole_block& pixels, int v, int u) {
  const dct_matrix_t& a = dct_matrix();
  T sum = 0;
  for (std::size_t x = 0; x < 8; ++x) {
    T column = 0;
    for (std::size_t y = 0; y < 8; ++y) column += T(a[std::size_t(v)][y]) * T(pixels[8 * y + x]);
    sum += T(a[std::size_t(u)][x]) * column;
  }
  return sum;
}

template <class T>
tie_example::way way_of(const char* name, T coefficient, int step) {
  const T ratio = coefficient / T(step);
  return {name, double(ratio), int(std::round(ratio))};
}

}  // namespace

tie_example find_tie(const quantization_table& steps, std::uint64_t seed) {
  constexpr std::uint64_t most_blocks = 1000000;
  for (std::uint64_t block = 0; block < most_blocks; ++block) {
    tie_example example;
    whole_block pixels{};
    for (std::size_t i = 0; i < 64; ++i) {
      example.pixels[i] = std::uint8_t(random_bits(seed, 64 * block + i));
      pixels[i] = example.pixels[i] - 128;
    }
    // With frequencies 0 and 4 all angles are multiples of pi/4, and products of two such cosines are 0
    // or +-1/2: these four coefficients are always rational, the others only by a rare chance.
    for (const int v : {0, 4})
      for (const int u : {0, 4}) {
        const int step = steps[std::size_t(8 * v + u)];
        const cosine_sum exact = exact_coefficient(pixels, v, u);
        if (!is_tie(exact, step)) continue;
        example.v = v, example.u = u, example.step = step, example.exact = exact;
        example.twice_the_ratio = exact[0] / (4 * step);
        const std::int64_t sign = example.twice_the_ratio < 0 ? -1 : 1;
        example.level = int((example.twice_the_ratio + sign) / 2);
        example.ways = {way_of("float, one sum of 64", by_definition<float>(pixels, v, u), step),
                        way_of("float, columns, then rows", by_matrix<float>(pixels, v, u), step),
                        way_of("double, one sum of 64", by_definition<double>(pixels, v, u), step),
                        way_of("double, columns, then rows", by_matrix<double>(pixels, v, u), step)};
        const auto& ways = example.ways;
        if (ways[0].level != ways[1].level && ways[2].level != ways[3].level) return example;
      }
  }
  throw std::runtime_error("find_tie: no block with a tie that programs disagree about");
}

}  // namespace tutorial
