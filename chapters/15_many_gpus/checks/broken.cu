// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "broken.hpp"

#include <cstdlib>

#include "01_serial_definition/convolve_serial.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

using enum spread_mistake;

/// Whether the mistake leaves out this message in this step.
bool left_out(spread_mistake made, const halo_message& halo, int step, int parts) {
  return (made == left_only && halo.from > halo.to) ||
         (made == nearest_only && std::abs(halo.from - halo.to) > 1) ||
         (made == last_forgotten && halo.to == parts - 1) || (made == exchanged_once && step > 0);
}

}  // namespace

void filter_spread(spread_mistake made, spread_signal<std::int32_t>& signal, int steps) {
  const signal_split& split = signal.split();
  for (int s = 0; s < steps; ++s, signal.swap_buffers()) {
    const int x = signal.buffer(), y = 1 - x;
    for (int p = 0; p < signal.parts(); ++p) {
      signal_part<std::int32_t>& mine = signal.part(p);
      const current_device_guard at(mine.device());
      for (const halo_message& halo : split.messages_to(p)) {
        if (left_out(made, halo, s, signal.parts())) continue;
        signal_part<std::int32_t>& theirs = signal.part(halo.from);
        const std::size_t count = halo.samples.size() - (made == halo_one_short ? 1 : 0);
        if (made != lost_event) check(cudaStreamWaitEvent(mine.work, theirs.computed));
        check(cudaMemcpyAsync(mine.at(x, halo.samples.begin),
                              theirs.at(made == wrong_buffer && s > 0 ? y : x, halo.samples.begin),
                              count * sizeof(std::int32_t), cudaMemcpyDefault, mine.work));
      }
      check(cudaEventRecord(mine.copied[x], mine.work));
    }
    for (int p = 0; p < signal.parts(); ++p) {
      signal_part<std::int32_t>& mine = signal.part(p);
      const current_device_guard at(mine.device());
      if (made != reused_early)
        for (const halo_message& halo : split.messages_from(p))
          check(cudaStreamWaitEvent(mine.work, signal.part(halo.to).copied[made == wrong_buffer ? x : y]));
      mine.filter(x);
      check(cudaEventRecord(mine.computed, mine.work));
    }
  }
  if (made != no_wait) signal.wait();
}

std::size_t wrong_outputs(spread_mistake made) {
  // With an odd filter a part gets from whom it gives to, and waits for those anyway.
  const auto x = random_whole_numbers<std::int32_t>(1001, 1),
             h = random_whole_numbers<std::int32_t>(made == reused_early ? 2 : 9, 2);
  std::vector<std::int32_t> y(x.size()), expected = x, next(x.size());
  const std::vector<int> devices = devices_in_turn(4);
  spread_signal<std::int32_t> signal(h, x.size(), devices);
  signal.bring(x);
  filter_spread(made, signal, 3);
  if (made == no_wait) {  // as a program does that forgets that other streams than its own are at work
    const stream mine;
    for (int p = 0; p < signal.parts(); ++p) {
      const sample_range own = signal.split().owned(p);
      check(cudaMemcpyAsync(y.data() + own.begin, signal.part(p).at(signal.buffer(), own.begin),
                            own.size() * sizeof(std::int32_t), cudaMemcpyDefault, mine));
    }
    mine.wait();
    signal.wait();
  } else {
    signal.take(y);
  }
  for (int s = 0; s < 3; ++s, expected.swap(next))
    convolve_gather<std::int32_t>(expected, h, next, convolution_mode::same);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < y.size(); ++n) wrong += y[n] != expected[n];
  return wrong;
}

std::vector<shown_mistake> shown_spread_mistakes() {
  const char* const unordered = "nothing orders two operations on the same memory";
  return shown<spread_mistake>(
      wrong_outputs,
      {{lost_event, "broken: a copy does not wait for the step next door", unordered},
       {reused_early, "broken: a step overwrites what a neighbor still copies", unordered},
       {no_wait, "broken: the result is read in a stream that waits for no device", unordered}});
}

}  // namespace tutorial::broken
