// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "running_sum.hpp"

#include <doctest/doctest.h>

#include "01_serial_definition/convolution_checks.hpp"
#include "01_serial_definition/convolve_serial.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/case_at_work.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {

struct counting {
  static counted number(std::int64_t value) { return counted(value); }
  static std::int64_t value(counted number) { return number.value_; }
  static std::int64_t& operations() { return counted::operations; }
};

}  // namespace tutorial

using namespace tutorial;

TEST_CASE("the sums are those of the definition, at two operations per output") {
  for (const std::size_t samples : {1, 2, 3, 31, 100, 5000})
    for (const std::size_t taps : {1, 2, 3, 32, 99, 100, 101, 3000}) {
      const auto x = random_signal<std::int32_t>(samples, samples + taps);
      const std::vector<std::int32_t> ones(taps, 1);
      const auto expected = on_host<std::int32_t>([](auto a, auto b, auto y, auto mode) {
        convolve_gather(a, b, y, mode);
      })(x, ones, convolution_mode::full);

      std::vector<counted> numbers, y(expected.size(), counting::number(123456789));
      for (const std::int32_t value : x) numbers.push_back(counting::number(value));
      counting::operations() = 0;
      const case_at_work here("N = " + several(samples, "sample") + " and K = " + several(taps, "tap"));
      running_sum(numbers, taps, y);
      const std::int64_t operations = counting::operations();

      for (std::size_t n = 0; n < y.size(); ++n)
        REQUIRE_MESSAGE(counting::value(y[n]) == expected[n], several(samples, "sample"), ", ",
                        several(taps, "tap"), ": y[", n, "] should be ", expected[n], ", and is ",
                        counting::value(y[n]));
      if (samples > 1 && taps > 1)
        CHECK_MESSAGE(operations > 0, "nothing was counted: use + and - of `counted`");
      REQUIRE_MESSAGE(operations <= 2 * std::int64_t(y.size()), several(samples, "sample"), ", ",
                      several(taps, "tap"), ": ", operations, " operations for ", several(y.size(), "output"),
                      ", and ", 2 * y.size(), " are enough: a sample comes in, a sample goes out");
    }
}
