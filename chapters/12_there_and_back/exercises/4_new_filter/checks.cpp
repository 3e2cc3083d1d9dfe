// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/device/movement_counts.hpp"
#include "common/device/stream.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"
#include "new_filter.hpp"

using namespace tutorial;

namespace {

/// How many executable graphs were made.
int graphs_made = 0;

}  // namespace

// The linker gives the answer's calls to these.
extern "C" {

cudaError_t __real_cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long);
cudaError_t __real_cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t, unsigned long long);

cudaError_t __wrap_cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  ++graphs_made;
  return __real_cudaGraphInstantiate(made, graph, flags);
}

cudaError_t __wrap_cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                                 unsigned long long flags) {
  ++graphs_made;
  return __real_cudaGraphInstantiateWithFlags(made, graph, flags);
}

}  // extern "C"

namespace {

constexpr std::size_t samples = 1000;

seven_taps filter_number(std::uint64_t number) {
  seven_taps taps{};
  std::ranges::copy(random_whole_numbers<float>(7, number), taps.h);
  return taps;
}

struct signal_on_device {
  explicit signal_on_device(std::uint64_t seed)
      : values(random_whole_numbers<float>(samples, seed)), x(values), y(samples) {}
  std::vector<float> values;
  device_buffer<float> x, y;
};

std::vector<float> filtered(const signal_on_device& signal, const seven_taps& taps) {
  std::vector<float> y(samples);
  for (std::size_t n = 0; n < samples; ++n)
    for (std::size_t k = 0; k < 7 && k <= n; ++k) y[n] += taps.h[k] * signal.values[n - k];
  return y;
}

/// `before` is the filter of the first call.
void check_output(const signal_on_device& signal, const seven_taps& taps, const std::string& what,
                  const seven_taps& before) {
  const std::vector<float> got = signal.y.to_host(), expected = filtered(signal, taps);
  const std::string diagnosis =
      got == filtered(signal, before)
          ? ". All of y is what the filter of the first call gives. It is as if the executable graph had "
            "kept its parameters, which does not follow changes of the graph that it was made from"
      : std::all_of(got.begin(), got.end(), [](float value) { return std::isnan(value); })
          ? ", as all of y: nothing was written there"
          : "";
  for (std::size_t n = 0; n < samples; ++n)
    REQUIRE_MESSAGE(got[n] == expected[n], what << ": y[" << n << "] should be " << expected[n] << ", and is "
                                                << got[n] << diagnosis);
}

}  // namespace

TEST_CASE("the first call") {
  signal_on_device signal(1);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  filter(signal.x, signal.y, filter_number(1), work);
  work.wait();
  check_output(signal, filter_number(1), "the first call", filter_number(1));
}
TEST_CASE("another filter in each call") {
  signal_on_device signal(1);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  for (std::uint64_t call = 1; call <= 5; ++call) {
    filter(signal.x, signal.y, filter_number(call), work);
    work.wait();
    check_output(signal, filter_number(call),
                 call == 1 ? "the first call" : "a later call with another filter", filter_number(1));
  }
}
TEST_CASE("another signal and another output") {
  signal_on_device one(1), other(2);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  filter(one.x, one.y, filter_number(1), work);
  filter(other.x, other.y, filter_number(2), work);
  work.wait();
  check_output(one, filter_number(1), "the first call, looked at after the second", filter_number(1));
  check_output(other, filter_number(2), "the second call, with another signal, y and filter",
               filter_number(1));
}
TEST_CASE("the target: one executable graph for all calls") {
  signal_on_device signal(1);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  graphs_made = 0;
  for (std::uint64_t call = 1; call <= 5; ++call) filter(signal.x, signal.y, filter_number(call), work);
  work.wait();
  CHECK_MESSAGE(graphs_made == 1, graphs_made,
                " executable graphs were made in 5 calls, 1 is enough: give it the new parameters instead");
}
TEST_CASE("the target: each call launches the graph, and does not wait") {
  signal_on_device signal(1);
  check(cudaDeviceSynchronize());
  graph_filter filter;
  const stream work;
  filter(signal.x, signal.y, filter_number(1), work);
  const auto later_calls = [&] {
    for (std::uint64_t call = 2; call <= 5; ++call) filter(signal.x, signal.y, filter_number(call), work);
    work.wait();
  };
  const auto moved = count_movements(later_calls);
  if (!moved) {
    ++checks_without_counts;
    return;
  }
  CHECK_MESSAGE(moved->waits == 1, "four later calls, and then a wait for their stream: the host waits ",
                moved->waits, " times instead of once. A call enqueues the graph, and does not wait");
  const std::vector<moved_operation> all = list_movements(later_calls);
  const auto of_graph = std::ranges::count_if(all, [](const moved_operation& each) {
    return each.of_graph && each.what == moved_operation::kind::kernel;
  });
  CHECK_MESSAGE(of_graph == 4, "four later calls ran ", of_graph,
                " kernels by the graph: each is to launch the graph that the first call has made");
}
