// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <string>

#include "worth_it.hpp"

using namespace tutorial;

namespace {

double each_sample = 0.000002, each_exchange = 10;  // us

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

void check_faster(double samples, int devices, double expected) {
  const double got = times_faster(samples, devices, each_sample, each_exchange);
  const double alone = samples * each_sample, share = alone / devices;
  std::string why;
  const auto known = [&](double value, const char* words) {
    if (why.empty() && near(got, value)) why = std::string(". It is as if ") + words;
  };
  if (devices == 1) known(alone / (alone + each_exchange), "one device alone exchanged, too");
  known(1 / expected, "the quotient were turned round: the time on all over the time on one");
  known(devices, "the exchange took no time");
  known(alone / (share + devices * each_exchange), "each device exchanged for itself, one after the other");
  REQUIRE_MESSAGE(near(got, expected), (samples / 1e6), " million samples take ", alone,
                  " us on one device, and ", devices == 1 ? alone : alone / devices + each_exchange,
                  " us on ", devices, " (", devices == 1 ? 0 : each_exchange,
                  " us of them for the exchange): that is ", expected,
                  " times as fast, and times_faster() gives ", got, why);
}

void check_least(int devices, double efficiency) {
  const double samples = least_samples(devices, efficiency, each_sample, each_exchange);
  const double alone = samples * each_sample, together = alone / devices + each_exchange,
               wanted = efficiency * devices;
  const double right = efficiency / (1 - efficiency) * devices * each_exchange / each_sample;
  const std::string why = near(samples * devices, right)
                              ? ". It is as if these were the samples of each device, and not of all"
                          : near(samples, each_exchange / each_sample)
                              ? ". It is as if one device had to compute for as long as the exchange takes, "
                                "whatever the efficiency"
                              : "";
  REQUIRE_MESSAGE(samples > 0, devices, " devices, efficiency ", efficiency, ": least_samples() gives ",
                  samples, ", and should give a number above 0");
  REQUIRE_MESSAGE(near(alone / together, wanted), devices, " devices, efficiency ", efficiency,
                  ": least_samples() gives ", samples / 1e6, " million samples. They take ", alone,
                  " us on one device and ", together, " us on ", devices, ", which is ", alone / together,
                  " times as fast, and should be ", efficiency, " * ", devices, " = ", wanted, " times", why);
}

}  // namespace

TEST_CASE("one device exchanges nothing") { check_faster(1e6, 1, 1); }
TEST_CASE("two and four devices") {
  check_faster(1e7, 2, 1);          // 20 us, or 10 + 10
  check_faster(4e7, 4, 80.0 / 30);  // 80 us, or 20 + 10
}
TEST_CASE("more devices can be slower than one") { check_faster(1e6, 2, 2.0 / 11); }
TEST_CASE("what is worth two devices") { check_least(2, 0.9); }
TEST_CASE("what is worth many devices") {
  for (const int devices : {4, 8, 1024})
    for (const double efficiency : {0.5, 0.9, 0.99}) check_least(devices, efficiency);
}
TEST_CASE("other prices") {
  each_sample = 0.000003, each_exchange = 25;
  check_faster(5e7, 4, 150.0 / 62.5);
  check_least(3, 0.8);
}
