// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "access_formulas.hpp"

#include <algorithm>

namespace tutorial {
namespace {

std::int64_t triangle(std::int64_t t) { return t > 0 ? t * (t + 1) / 2 : 0; }

/// Products in the outputs 0, ..., n - 1 of full.
std::int64_t products_before(std::int64_t n, std::int64_t samples, std::int64_t taps) {
  return triangle(n) - triangle(n - taps) - triangle(n - samples) + triangle(n - taps - samples);
}

}  // namespace

std::uint64_t block_loads(access_kind kind, const blocked_convolution& what, std::size_t block) {
  const auto samples = std::int64_t(what.samples), taps = std::int64_t(what.taps);
  const std::size_t first = first_output(what.samples, what.taps, what.mode);
  const auto begin = std::int64_t(first + block * what.tile);  // the block's outputs are [begin, end) of full
  const auto end = std::int64_t(first + std::min(what.outputs(), (block + 1) * what.tile));
  if (kind == access_kind::tile || kind == access_kind::shared)
    return std::uint64_t(std::min(end, samples) - std::max<std::int64_t>(begin - taps + 1, 0)) +
           (kind == access_kind::tile ? std::uint64_t(taps * (end - begin)) : 0);
  const auto products =
      std::uint64_t(products_before(end, samples, taps) - products_before(begin, samples, taps));
  return kind == access_kind::plain ? 2 * products : products;
}

std::uint64_t all_loads(access_kind kind, const blocked_convolution& what) {
  std::uint64_t loads = 0;
  for (std::size_t block = 0; block < what.blocks(); ++block) loads += block_loads(kind, what, block);
  return loads;
}

std::uint64_t same_block_loads(access_kind kind, block_position position, std::uint64_t active,
                               std::uint64_t radius) {
  const std::uint64_t ends =
      position == block_position::interior ? 0 : (position == block_position::only ? 2 : 1);
  if (kind == access_kind::tile || kind == access_kind::shared)
    return active + 2 * radius - ends * radius + (kind == access_kind::tile ? active * (2 * radius + 1) : 0);
  const std::uint64_t products = active * (2 * radius + 1) - ends * radius * (radius + 1) / 2;
  return kind == access_kind::plain ? 2 * products : products;
}

}  // namespace tutorial
