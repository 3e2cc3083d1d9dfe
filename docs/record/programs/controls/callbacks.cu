// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Decides what cuFFT's callbacks save in overlap-save with 1,025 taps: the product in the store of the first
// transform, the choice of the outputs in the store of the second, and the zeros beside the signal in the
// load of the first. Each row has one callback more than the row before. For a GPU only.
#include <cufft.h>
#include <cufftXt.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "callback_work.cuh"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "common/device/check_fft.hpp"
#include "common/device/device_memory.hpp"
#include "common/verify/inputs.hpp"
#include "controls.hpp"

namespace tutorial {
namespace {

constexpr int threads = 256;

/// spectra[i] *= filter
__global__ void product_kernel(float2* spectra, const float2* filter, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) spectra[i] = callback_product(spectra[i], filter[i % callback_bins]);
}

/// y[n] = the sample of its segment
__global__ void outputs_kernel(const float* segments, float* y, unsigned outputs) {
  const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < outputs)
    y[n] = segments[n / callback_step * callback_length + callback_overlap + n % callback_step];
}

__global__ void scale_kernel(float2* numbers, float factor, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = make_float2(factor * numbers[i].x, factor * numbers[i].y);
}

std::vector<char> compiled_functions() {
  std::ifstream file(TUTORIAL_CALLBACKS, std::ios::binary);
  std::vector<char> all{std::istreambuf_iterator<char>(file), {}};
  if (all.empty()) throw std::runtime_error("there are no callbacks in " TUTORIAL_CALLBACKS);
  return all;
}

/// A plan with some callbacks.
class plan {
 public:
  plan() { check(cufftCreate(&handle_)); }
  plan(const plan&) = delete;
  plan& operator=(const plan&) = delete;
  ~plan() { cufftDestroy(handle_); }

  /// cuFFT's kernels call that function. To be called before make().
  void call(const char* name, cufftXtCallbackType when, void* work) {
    static const std::vector<char> functions = compiled_functions();
    check(cufftXtSetJITCallback(handle_, name, functions.data(), functions.size(), when, &work));
  }
  void make(cufftType type, int segments, int input_distance, int output_distance) {
    int length[] = {int(callback_length)}, any[] = {int(callback_length)};
    std::size_t bytes = 0;
    check(cufftMakePlanMany(handle_, 1, length, any, 1, input_distance, any, 1, output_distance, type,
                            segments, &bytes));
  }
  cufftHandle get() const { return handle_; }

 private:
  cufftHandle handle_;
};

struct way {
  const char* name;
  bool product, outputs, samples;
};

void measure_all(control_rows& rows) {
  const unsigned samples = rows.size(1u << 24, 20'000u), taps = callback_overlap + 1;
  const unsigned outputs = samples + taps - 1, segments = ceil_div(outputs, callback_step);
  const int sets = rows.small() ? 1 : buffer_sets(2 * std::size_t{samples} * sizeof(float));
  const std::size_t with_zeros = std::size_t{segments} * callback_step + callback_overlap;
  std::vector<device_buffer<float>> x, padded, y;
  for (int s = 0; s < sets; ++s) {
    const std::vector<float> host = random_signal<float>(samples, s + 1);
    std::vector<float> beside(with_zeros);
    std::ranges::copy(host, beside.begin() + callback_overlap);
    x.emplace_back(host), padded.emplace_back(beside), y.emplace_back(outputs);
  }
  device_buffer<float> blocks(std::size_t{segments} * callback_length);
  device_buffer<float2> spectra(std::size_t{segments} * callback_bins), filter(std::size_t{callback_bins});
  {
    std::vector<float> h = random_taps<float>(taps);
    h.resize(callback_length);
    device_buffer<float> d_h(h);
    plan of_filter;
    of_filter.make(CUFFT_R2C, 1, callback_length, callback_bins);
    check(cufftExecR2C(of_filter.get(), d_h.data(), filter.data()));
    scale_kernel<<<ceil_div(callback_bins, unsigned(threads)), threads>>>(
        filter.data(), 1.0f / callback_length, callback_bins);
    check(cudaDeviceSynchronize());
  }

  std::vector<float> first;
  for (const way& each : {way{"none", false, false, false},
                          {"product", true, false, false},
                          {"product, outputs", true, true, false},
                          {"product, outputs, samples", true, true, true}}) {
    // Each set has callbacks that know its arrays, and so plans of its own.
    std::vector<device_buffer<callback_work>> works;
    std::vector<plan> there(sets), back(sets);
    for (int s = 0; s < sets; ++s) {
      works.emplace_back(
          std::vector<callback_work>{{x[s].data(), filter.data(), y[s].data(), samples, outputs}});
      if (each.samples) there[s].call("load_sample", CUFFT_CB_LD_REAL, works[s].data());
      if (each.product) there[s].call("store_product", CUFFT_CB_ST_COMPLEX, works[s].data());
      if (each.outputs) back[s].call("store_output", CUFFT_CB_ST_REAL, works[s].data());
      there[s].make(CUFFT_R2C, int(segments), callback_step, callback_bins);
      back[s].make(CUFFT_C2R, int(segments), callback_bins, callback_length);
    }
    const unsigned numbers = segments * callback_bins;
    const auto launch = [&](int i) {
      const int s = i % sets;
      check(cufftExecR2C(there[s].get(), each.samples ? x[s].data() : padded[s].data(), spectra.data()));
      if (!each.product) {
        product_kernel<<<ceil_div(numbers, unsigned(threads)), threads>>>(spectra.data(), filter.data(),
                                                                          numbers);
        check(cudaGetLastError());
      }
      check(cufftExecC2R(back[s].get(), spectra.data(), blocks.data()));
      if (!each.outputs) {
        outputs_kernel<<<ceil_div(outputs, unsigned(threads)), threads>>>(blocks.data(), y[s].data(),
                                                                          outputs);
        check(cudaGetLastError());
      }
    };
    poison(y[0].span());
    launch(0);
    const std::vector<float> got = y[0].to_host();
    if (first.empty()) first = got;
    for (std::size_t n = 0; n < got.size(); ++n)  // cuFFT's kernels round as they like
      if (!(std::abs(got[n] - first[n]) < 1e-3f))
        throw std::runtime_error(std::string(each.name) + ": output " + std::to_string(n) + " is wrong");
    rows.measure({{"callbacks", each.name}}, launch);
  }
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) { return tutorial::controls_main(argc, argv, tutorial::measure_all); }
