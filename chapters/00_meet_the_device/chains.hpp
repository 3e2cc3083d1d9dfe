// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Chains for the pointer chase: where the next link is, link by link, in an order that no cache can guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pointer_chase.hpp"

namespace tutorial {

/// The numbers 0 to links - 1 in the order of a walk: at random within each group of `group` neighbors, one
/// group after the other. With group >= links the whole order is random. group >= 1.
std::vector<std::uint32_t> walk_order(std::size_t links, std::size_t group);

/// next[k] is the number that stands behind k in the order, and behind the last stands the first: a ring, in
/// which a walk of as many steps as there are links visits each of them once.
std::vector<std::uint32_t> ring_of(const std::vector<std::uint32_t>& order);

/// The ring as nodes: link k will lie at base + k * apart, which need not be readable here.
std::vector<chain_node> ring_of_nodes(const std::vector<std::uint32_t>& order, const chain_node* base,
                                      std::size_t apart);

/// The ring as offsets: link k is the word k * words_apart, the words between are 0.
std::vector<std::uint32_t> ring_of_offsets(const std::vector<std::uint32_t>& order, std::size_t words_apart);

/// How many steps a walk from link 0 takes until it is there again.
std::size_t steps_around(const std::vector<std::uint32_t>& next);

}  // namespace tutorial
