// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "07_fft_convolution/checks/fft_checks.hpp"
#include "13_one_pass/checks/broken.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;
using broken::fused_mistake;

namespace {

/// Whether the checks refuse the kernel with that mistake, on the sizes at which it can show.
bool refused(fused_mistake made) { return broken::wrong_outputs(made) > 0; }

launch_counts counts_of(fused_mistake made) {
  const device_buffer<float> x(random_signal<float>(500)), h(random_taps<float>(9));
  device_buffer<float> y(std::size_t{500});
  std::vector<launch_counts> launches =
      count_launches([&] { broken::convolve_fused(made, x, h, y, convolution_mode::same); });
  return launches.empty() ? launch_counts{} : launches.back();
}

}  // namespace

TEST_CASE("the checks refuse what is wrong on purpose") {
  CHECK(!refused(fused_mistake::none));
  CHECK(!refused(fused_mistake::no_padding));  // slower, and right
  CHECK(!refused(fused_mistake::wrong_padding));
  for (const fused_mistake made :
       {fused_mistake::sign_of_roots, fused_mistake::natural_order, fused_mistake::digits_reversed,
        fused_mistake::overlap_one_short, fused_mistake::no_history, fused_mistake::parts_exchanged,
        fused_mistake::scale_forgotten, fused_mistake::conjugate_of_product, fused_mistake::roots_of_lane}) {
    CAPTURE(int(made));
    CHECK(refused(made));
  }
}

TEST_CASE("a count refuses the wrong padding") {
  const launch_counts right = counts_of(fused_mistake::none);
  if (!has_counts(right.launches > 0 ? std::vector{right} : std::vector<launch_counts>{})) return;
  CHECK(right.shared_load_wavefronts == 2 * right.shared_load_requests);
  CHECK(right.shared_store_wavefronts == 2 * right.shared_store_requests);
  for (const fused_mistake made : {fused_mistake::no_padding, fused_mistake::wrong_padding}) {
    const launch_counts wrong = counts_of(made);
    CHECK(wrong.shared_load_requests == right.shared_load_requests);
    CHECK(wrong.shared_load_wavefronts > 2 * wrong.shared_load_requests);
  }
}

// Whether such a mistake changes a result depends on the schedule. The emulated device sees the mistake
// itself. It ends the program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names what a result may not show") {
  if (!has_counts({counts_of(fused_mistake::none)}) || !current_device().emulated) return;
  CHECK(broken::not_named(broken::shown_fused_mistakes()) == "");
}
