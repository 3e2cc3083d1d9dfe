// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Random sources together with what the translator must make of them, to the byte.
#include "random_source.hpp"
#include "translator_test.hpp"

using namespace translator_test;

TEST_CASE("random sources: the translation is right to the byte") {
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    generator g(seed);
    g.file();
    INFO("source:\n", g.source);
    const std::string result = translated(g.source, false);  // who calls whom is as random
    const auto same_until = std::mismatch(result.begin(), result.end(), g.expected.begin(), g.expected.end());
    const std::size_t position = same_until.first - result.begin();
    INFO("they differ here: ", result.substr(position, 120));
    INFO("and should be:    ", g.expected.substr(position, 120));
    const bool same = result == g.expected;
    REQUIRE(same);
  }
}

TEST_CASE("random damage: an error with a line, or a translation, but never anything else") {
  int errors = 0, translations = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    generator g(seed);
    g.file();
    std::mt19937 random(seed);
    std::string damaged = g.source;
    const std::string bits = "<>(){}[];,=:\"'\\/*#\n _a0";
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged.erase(at, 1 + random() % 8);
          break;
        case 1:
          damaged.insert(at, 1, bits[random() % bits.size()]);
          break;
        default:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 20));
      }
      if (damaged.empty()) damaged = " ";
    }
    CAPTURE(damaged);
    try {
      const std::string result = cuda_emulator::translator::translate(damaged, "k.cu");
      ++translations;
      CHECK(std::count(result.begin(), result.end(), '\n') ==
            std::count(damaged.begin(), damaged.end(), '\n'));
    } catch (const cuda_emulator::translator::source_error& error) {
      ++errors;
      CHECK(std::string(error.what()).starts_with("k.cu:"));
    }
  }
  CHECK(errors > 100);  // otherwise this tests nothing
  CHECK(translations > 100);
}
