// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT

#include "01_serial_definition/convolve_serial.hpp"
#include "15_many_gpus/checks/broken.hpp"
#include "15_many_gpus/host/threads.hpp"
#include "15_many_gpus/kernels/flags.cuh"
#include "common/verify/inputs.hpp"

namespace tutorial::broken {
namespace {

using enum flag_mistake;

/// flags_between's kernel, for one message each way.
struct one_exchange {
  flag_messages flags;
  const std::int32_t* own;
  std::int32_t* to;
};

__device__ void raise_alone(flag_counter* flag, flag_counter by) {
  asm volatile("red.relaxed.sys.global.add.u64 [%0], %1;" : : "l"(flag), "l"(by) : "memory");
}

__global__ void exchange_wrongly_kernel(const __grid_constant__ one_exchange all, flag_counter s,
                                        flag_mistake made) {
  const int i = int(threadIdx.x);
  const flag_give& give = all.flags.give[0];
  const flag_get& get = all.flags.get[0];
  const flag_counter samples = flag_counter(give.end - give.begin);
  if (i == 0) {
    raise_flag(get.taken, 1);
    wait_for_flag(give.taken, s);
    if (made == flag_raised_first) raise_flag(give.arrived, samples);
  }
  __syncthreads();  // no thread writes before the flag has been seen
  for (long long n = give.begin + i; n < give.end; n += blockDim.x) all.to[n - give.begin] = all.own[n];
  __syncthreads();  // all have written before one says so
  if (i > 0) return;
  if (made == flag_not_released)
    raise_alone(give.arrived, samples);
  else if (made != flag_raised_first)
    raise_flag(give.arrived, samples);
  if (made != flag_not_awaited)
    wait_for_flag(get.arrived, (made == flag_of_step_before ? s : s + 1) * get.samples);
}

}  // namespace

std::size_t wrong_by_flags(flag_mistake made) {
  const auto x = random_whole_numbers<std::int32_t>(1001, 1), h = random_whole_numbers<std::int32_t>(9, 2);
  std::vector<std::int32_t> y(x.size()), expected(x.size());
  const std::vector<int> devices = devices_in_turn(2);
  spread_signal<std::int32_t> signal(h, x.size(), devices);
  signal.bring(x);
  part_flags& flags = signal.flags(spread_signal<std::int32_t>::flag_user::between);
  for (int p = 0; p < 2; ++p) {  // the first time waits, and would put in order what nothing orders
    const current_device_guard at(signal.part(p).device());
    signal.part(p).filter(0);
  }
  signal.wait();
  const auto launch = [&](int p) {
    signal_part<std::int32_t>& mine = signal.part(p);
    check(cudaSetDevice(mine.device()));
    const halo_message& gives = signal.split().messages_from(p).front();
    const one_exchange all{flags.of(p), mine.at(0, mine.owned().begin),
                           signal.part(gives.to).at(0, gives.samples.begin)};
    exchange_wrongly_kernel<<<1, 32, 0, mine.work>>>(all, 0, made);
    check(cudaGetLastError());
    mine.filter(0);
  };
  // Between two threads, a part that does not wait long enough could be late by chance.
  if (made == flag_of_step_before) {
    for (int p = 0; p < 2; ++p) launch(p);
  } else {
    in_threads(2, launch);
  }
  signal.swap_buffers();
  signal.take(y);
  convolve_gather<std::int32_t>(x, h, expected, convolution_mode::same);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < y.size(); ++n) wrong += y[n] != expected[n];
  return wrong;
}

std::vector<shown_mistake> shown_flag_mistakes() {
  const char* const unordered = "nothing orders two operations on the same memory";
  return shown<flag_mistake>(
      wrong_by_flags,
      {{flag_raised_first, "broken: a flag is raised before the halo is written", unordered},
       {flag_not_released, "broken: nothing orders a halo and its flag", unordered},
       {flag_not_awaited, "broken: a halo is used without a look at its flag", unordered},
       {flag_of_step_before, "broken: a part waits for the flag of the step before", unordered}});
}

}  // namespace tutorial::broken
