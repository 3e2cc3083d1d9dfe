// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device/check.hpp"
#include "common/verify/as_if.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "in_step.hpp"

using namespace tutorial;

namespace {

struct readers {
  std::vector<int> next;
  std::vector<std::uint8_t> is_right;
};

/// Words of 1 to `longest` bits, a multiple of `unit`: with 2, a reader from an odd bit never gets in step.
readers some_readers(int size, int longest, int unit) {
  readers all{std::vector<int>(std::size_t(size)), std::vector<std::uint8_t>(std::size_t(size), 0)};
  for (int i = 0; i < size; ++i) {
    const int word = unit * (1 + int(random_bits(std::uint64_t(size), std::uint64_t(i)) % unsigned(longest)));
    all.next[std::size_t(i)] = std::min(i + word, size);
  }
  for (int at = 0; at < size; at = all.next[std::size_t(at)]) all.is_right[std::size_t(at)] = 1;
  return all;
}

std::vector<int> bits_of(const readers& all) {
  const device_buffer<int> next(all.next);
  const device_buffer<std::uint8_t> is_right(all.is_right);
  device_buffer<int> bits(all.next.size());
  in_step(next, is_right, bits);
  check(cudaDeviceSynchronize());
  return bits.to_host();
}

}  // namespace

TEST_CASE("each reader goes on until it is in step, or at the end") {
  for (const int size : {1, 2, 31, 33, 127, 128, 129, 1000})
    for (const int unit : {1, 2}) {
      const readers all = some_readers(size, 9, unit);
      const std::vector<int> bits = bits_of(all);
      std::vector<int> one_word;
      for (std::size_t i = 0; i < bits.size(); ++i) one_word.push_back(all.next[i] - int(i));
      const std::string why = as_if(bits, {{"each reader read a single word", one_word}});
      for (int i = 0; i < size; ++i) {
        int at = i;
        while (at < size && all.is_right[std::size_t(at)] == 0) at = all.next[std::size_t(at)];
        REQUIRE_MESSAGE(bits[std::size_t(i)] == at - i, size, " bits: the reader that begins at bit ", i,
                        " is in step after ", at - i, " bits, not ", bits[std::size_t(i)], why);
      }
    }
}

TEST_CASE("no bits, nothing to do") { CHECK_MESSAGE(bits_of({}).empty(), "0 bits"); }

TEST_CASE("the target: a thread for each beginning, in one launch") {
  const readers all = some_readers(1000, 9, 1);
  const auto launches = count_launches([&] { bits_of(all); });
  if (!has_counts(launches)) return;
  CHECK_MESSAGE(launches.size() == 1, launches.size(), " launches, 1 is enough");
  const launch_counts counts = sum(launches);
  CHECK_MESSAGE(counts.global_stores == 1000, counts.global_stores,
                " stores of 1000 results: store each once");
}
