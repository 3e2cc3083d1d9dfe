// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "in_parts.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace tutorial {

std::size_t part_count(std::size_t elements) {
  constexpr std::size_t worth_a_thread = std::size_t{1} << 18;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<std::size_t>(elements / worth_a_thread, 1, cores);
}

// Threads of its own, not OpenMP's: theirs do not live on in a child process, and some checks make one.
void in_parts(std::size_t elements,
              const std::function<void(std::size_t part, std::size_t begin, std::size_t end)>& work) {
  const std::size_t parts = part_count(elements);
  const auto begin = [&](std::size_t part) {
    return elements / parts * part + std::min(part, elements % parts);
  };
  std::vector<std::jthread> others;
  for (std::size_t part = 1; part < parts; ++part)
    others.emplace_back([&, part] { work(part, begin(part), begin(part + 1)); });
  work(0, begin(0), begin(1));
}

}  // namespace tutorial
