// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "chains.hpp"

#include <algorithm>
#include <numeric>

#include "common/verify/inputs.hpp"

namespace tutorial {

std::vector<std::uint32_t> walk_order(std::size_t links, std::size_t group) {
  std::vector<std::uint32_t> order(links);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t begin = 0; begin < links; begin += group)
    for (std::size_t last = std::min(group, links - begin) - 1; last > 0; --last)
      std::swap(order[begin + last], order[begin + random_bits(begin, last) % (last + 1)]);
  return order;
}

std::vector<std::uint32_t> ring_of(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> next(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) next[order[i]] = order[(i + 1) % order.size()];
  return next;
}

std::vector<chain_node> ring_of_nodes(const std::vector<std::uint32_t>& order, const chain_node* base,
                                      std::size_t apart) {
  const std::vector<std::uint32_t> next = ring_of(order);
  std::vector<chain_node> nodes(next.size());
  for (std::size_t k = 0; k < next.size(); ++k) nodes[k].next = base + next[k] * apart;
  return nodes;
}

std::vector<std::uint32_t> ring_of_offsets(const std::vector<std::uint32_t>& order, std::size_t words_apart) {
  const std::vector<std::uint32_t> next = ring_of(order);
  std::vector<std::uint32_t> words(next.size() * words_apart);
  for (std::size_t k = 0; k < next.size(); ++k)
    words[k * words_apart] = static_cast<std::uint32_t>(next[k] * words_apart * sizeof(std::uint32_t));
  return words;
}

std::size_t steps_around(const std::vector<std::uint32_t>& next) {
  std::size_t steps = 1;
  for (std::uint32_t at = next.at(0); at != 0; at = next[at]) ++steps;
  return steps;
}

}  // namespace tutorial
