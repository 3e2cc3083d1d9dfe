// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/verify/as_if.hpp"
#include "common/verify/inputs.hpp"
#include "common/verify/longest_way.hpp"
#include "stuff_bytes.hpp"

using namespace tutorial;

namespace {

void check_stuffing(const std::vector<std::uint8_t>& bytes, const std::string& what) {
  std::vector<std::uint8_t> expected, in_front;  // with each 0 behind its 0xFF, and in front of it
  std::vector<std::string> meaning;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    expected.push_back(bytes[i]), meaning.push_back("bytes[" + std::to_string(i) + "]");
    if (bytes[i] == 0xFF) {
      expected.push_back(0), meaning.push_back("the 0 behind " + meaning.back());
      in_front.push_back(0);
    }
    in_front.push_back(bytes[i]);
  }
  const device_buffer<std::uint8_t> from(bytes);
  device_buffer<std::uint8_t> file(2 * bytes.size());
  const std::size_t size = stuff_bytes(from, file);
  REQUIRE_MESSAGE(size == expected.size(), bytes.size(), " bytes, ", what, ": the result should have ",
                  expected.size(), " bytes, and has ", size);
  std::vector<std::uint8_t> got = file.to_host();
  got.resize(size);
  const std::string why = as_if(got, {{"each 0 stood in front of its 0xFF, and not behind it", in_front}});
  for (std::size_t i = 0; i < size; ++i)
    REQUIRE_MESSAGE(
        got[i] == expected[i], bytes.size(), " bytes, ", what, ": file[", i, "] should be ", int(expected[i]),
        ", ", meaning[i], ", and is ", int(got[i]),
        std::string(got[i] == 0xA5 ? ", with which the file is filled before the call: was it never written?"
                                   : ""),
        why);
}

}  // namespace

TEST_CASE("bytes without 0xFF stay as they are") {
  check_stuffing(std::vector<std::uint8_t>(100, 7), "all 7");
}
TEST_CASE("a single 0xFF") { check_stuffing({0xFF}, "0xFF"); }
TEST_CASE("nothing but 0xFF: twice as long") {
  check_stuffing(std::vector<std::uint8_t>(1000, 0xFF), "all 0xFF");
}
TEST_CASE("an 0xFF at both ends") {
  std::vector<std::uint8_t> bytes(257, 1);
  bytes.front() = bytes.back() = 0xFF;
  check_stuffing(bytes, "0xFF first and last, else 1");
}
TEST_CASE("the target: the threads share the bytes") {
  std::vector<std::uint8_t> bytes(4096, 7);
  bytes[1] = 0xFF;
  const device_buffer<std::uint8_t> from(bytes);
  device_buffer<std::uint8_t> file(2 * bytes.size());
  check_longest_way([&] { stuff_bytes(from, file); }, 400, "4096 bytes",
                    "The scan says where each byte goes: does a thread go through the bytes before its own?");
}
TEST_CASE("random bytes, every eighth or so 0xFF") {
  for (const std::size_t size : {1, 15, 16, 17, 255, 256, 4097, 50000}) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint64_t bits = random_bits(size, i);
      bytes[i] = bits >> 40 & 7 ? std::uint8_t(bits) : std::uint8_t(0xFF);
    }
    check_stuffing(bytes, "random, many 0xFF");
  }
}
