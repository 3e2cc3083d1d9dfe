// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "one_transform.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <stdexcept>
#include <vector>

#include "15_many_gpus/host/devices.hpp"
#include "15_many_gpus/host/fft_handle.hpp"
#include "15_many_gpus/host/spread_transform.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/measure.hpp"

namespace tutorial {
namespace {

using numbers = std::vector<std::complex<float>>;

double one_device_ms(const numbers& x, int device) {
  const current_device_guard at(device);
  const fft_handle plan;
  std::size_t work = 0;
  check(cufftMakePlan1d(plan, int(x.size()), CUFFT_C2C, 1, &work));
  device_buffer<float> memory(2 * x.size());
  check(cudaMemset(memory.data(), 0, 2 * x.size() * sizeof(float)));  // it would grow in every round
  const auto all = reinterpret_cast<cufftComplex*>(memory.data());
  return measure_host([&](int) {
           check(cufftExecC2C(plan, all, all, CUFFT_FORWARD));
           check(cufftExecC2C(plan, all, all, CUFFT_INVERSE));
           check(cudaDeviceSynchronize());
         })
      .median_ms;
}

}  // namespace

one_transform_times time_one_transform(std::size_t length, std::span<const int> devices) {
  if (length > std::size_t{1} << 30) throw std::invalid_argument("at most 2^30 complex numbers");
  numbers x(length);
  std::minstd_rand random(1);
  for (std::complex<float>& each : x)
    each = {float(random()) / float(random.max()) - 0.5f, float(random()) / float(random.max()) - 0.5f};
  one_transform_times found{.one_device_ms = one_device_ms(x, devices[0])};

  spread_transform several(length, devices);
  const auto there_and_back = [&] {
    several.forward();
    several.order_spectrum();
    several.inverse();
  };
  several.bring(x);
  there_and_back();
  const numbers back = several.take();
  double error = 0, size = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::complex<double> was = x[i], is = std::complex<double>(back[i]) / double(length);
    error += std::norm(is - was);
    size += std::norm(was);
  }
  found.error = std::sqrt(error / size);

  // A spectrum of a spectrum grows: zeros do not, and take as long.
  std::fill(x.begin(), x.end(), 0);
  several.bring(x);
  found.several_ms = measure_host([&](int) { there_and_back(); }).median_ms;
  return found;
}

}  // namespace tutorial
