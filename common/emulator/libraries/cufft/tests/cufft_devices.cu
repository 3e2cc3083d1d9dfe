// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT over several devices (EMULATOR_DEVICES=4): where elements lie, what transforms of them give, what
// plans there are; then what a program does wrong, each mistake beside its repaired twin.
#include <cufftXt.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>

#include "../../../tests/findings.hpp"
#include "emulator/counts.hpp"

namespace {

using cuda_emulator::finding_kind;
using cf = std::complex<float>;
using cd = std::complex<double>;

struct handle {
  cufftHandle h = CUFFT_PLAN_NULL;
  explicit handle(std::vector<int> devices = {}) {
    REQUIRE(cufftCreate(&h) == CUFFT_SUCCESS);
    if (!devices.empty())
      REQUIRE(cufftXtSetGPUs(h, static_cast<int>(devices.size()), devices.data()) == CUFFT_SUCCESS);
  }
  handle(const handle&) = delete;
  ~handle() { cufftDestroy(h); }
  operator cufftHandle() const { return h; }
};

std::size_t works[16];

/// A plan of one, two or three dimensions.
struct plan : handle {
  plan(std::vector<int> devices, std::vector<int> n, cufftType type, int batch = 1)
      : handle(std::move(devices)) {
    REQUIRE(make(h, n, type, batch) == CUFFT_SUCCESS);
  }
  static cufftResult make(cufftHandle h, std::vector<int> n, cufftType type, int batch = 1) {
    return cufftMakePlanMany(h, static_cast<int>(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0, type,
                             batch, works);
  }
};

struct memory {
  cudaLibXtDesc* d = nullptr;
  memory(cufftHandle h, cufftXtSubFormat format) { REQUIRE(cufftXtMalloc(h, &d, format) == CUFFT_SUCCESS); }
  memory(const memory&) = delete;
  ~memory() { cufftXtFree(d); }
  operator cudaLibXtDesc*() const { return d; }
  cudaXtDesc* operator->() const { return d->descriptor; }
  template <class T>
  std::vector<T> part(int p) const {
    std::vector<T> x(d->descriptor->size[p] / sizeof(T));
    require_success(cudaMemcpy(x.data(), d->descriptor->data[p], x.size() * sizeof(T), cudaMemcpyDefault));
    return x;
  }
};

template <class T>
std::vector<T> numbers(std::size_t size) {
  std::vector<T> x(size);
  unsigned state = 1;
  auto* const words = reinterpret_cast<decltype(std::real(T{}))*>(x.data());
  for (std::size_t i = 0; i < size * sizeof(T) / sizeof *words; ++i) {
    state = state * 1664525u + 1013904223u;
    words[i] = static_cast<float>(static_cast<int>(state >> 16) - 32768) / 32768.0f;
  }
  return x;
}

/// The same transform on one device, in place.
template <class T>
std::vector<T> on_one_device(std::vector<T> x, std::vector<int> n, cufftType type, int direction) {
  handle one;
  REQUIRE(plan::make(one, std::move(n), type) == CUFFT_SUCCESS);
  device_array<T> d_x(x);
  REQUIRE(cufftXtExec(one, d_x.data(), d_x.data(), direction) == CUFFT_SUCCESS);
  return d_x.to_host();
}

template <class T>
bool near(const std::vector<T>& a, const std::vector<T>& b, double scale, double bound) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, double(std::abs(a[i] * decltype(std::real(T{}))(scale) - b[i])));
  return a.size() == b.size() && worst <= bound;
}

cufftResult up(cufftHandle h, const memory& to, const void* from) {
  return cufftXtMemcpy(h, to.d, const_cast<void*>(from), CUFFT_COPY_HOST_TO_DEVICE);
}
cufftResult down(cufftHandle h, void* to, const memory& from) {
  return cufftXtMemcpy(h, to, from.d, CUFFT_COPY_DEVICE_TO_HOST);
}
cufftResult across(cufftHandle h, const memory& to, const memory& from) {
  return cufftXtMemcpy(h, to.d, from.d, CUFFT_COPY_DEVICE_TO_DEVICE);
}

/// There, into natural order, and back.
template <class T>
void check_line(std::vector<int> devices, int n, cufftType type, double bound) {
  CAPTURE(devices.size());
  CAPTURE(n);
  const std::size_t size = n, of_part = size / devices.size();
  plan p(devices, {n}, type);
  memory signal(p, CUFFT_XT_FORMAT_INPLACE), spectrum(p, CUFFT_XT_FORMAT_INPLACE);
  const auto x = numbers<T>(size);
  REQUIRE(up(p, signal, x.data()) == CUFFT_SUCCESS);
  CHECK(signal->nGPUs == static_cast<int>(devices.size()));
  for (int i = 0; i < signal->nGPUs; ++i) {
    CHECK(signal->GPUs[i] == devices[i]);
    CHECK(signal->size[i] == of_part * sizeof(T));
    cudaPointerAttributes where;
    require_success(cudaPointerGetAttributes(&where, signal->data[i]));
    CHECK(where.device == devices[i]);
    CHECK(signal.part<T>(i) == std::vector<T>(x.begin() + i * of_part, x.begin() + (i + 1) * of_part));
  }
  REQUIRE(cufftXtExecDescriptor(p, signal, signal, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(signal.d->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  const auto expected = on_one_device(x, {n}, type, CUFFT_FORWARD);

  // In strings, by what the plan says of itself.
  cufftXt1dFactors f{};
  REQUIRE(cufftXtQueryPlan(p, &f, CUFFT_QUERY_1D_FACTORS) == CUFFT_SUCCESS);
  CHECK(f.factor1 * f.factor2 == n);
  CHECK(f.stringCount * f.stringLength == n);
  CHECK(f.substringLength * f.factor2 == f.stringLength);
  CHECK(f.stringCount % signal->nGPUs == 0);
  std::vector<bool> met(size);
  for (int i = 0; i < signal->nGPUs; ++i) {
    const auto part = signal.part<T>(i);
    bool same = true;
    for (long long at = 0; at < static_cast<long long>(part.size()); ++at) {
      const long long within = at & f.substringMask, substring = (at >> f.substringShift) & f.factor2Mask,
                      string = (at >> f.stringShift) + i * f.stringCount / signal->nGPUs;
      const long long k = within + (string << f.substringShift) + (substring << f.factor1Shift);
      same = same && !met[k] && part[at] == expected[k];
      met[k] = true;
    }
    CHECK(same);
  }

  std::vector<T> back(size);
  CHECK(down(p, back.data(), signal) == CUFFT_SUCCESS);
  CHECK(back == expected);
  REQUIRE(across(p, spectrum, signal) == CUFFT_SUCCESS);
  CHECK(spectrum.d->subFormat == CUFFT_XT_FORMAT_INPLACE);
  for (int i = 0; i < spectrum->nGPUs; ++i)
    CHECK(spectrum.part<T>(i) ==
          std::vector<T>(expected.begin() + i * of_part, expected.begin() + (i + 1) * of_part));
  REQUIRE(cufftXtExecDescriptor(p, spectrum, spectrum, CUFFT_INVERSE) == CUFFT_SUCCESS);
  REQUIRE(down(p, back.data(), spectrum) == CUFFT_SUCCESS);
  CHECK(near(back, x, 1.0 / n, bound));

  // Handed out as the transform begins: the same spectrum.
  memory ready(p, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED);
  REQUIRE(up(p, ready, x.data()) == CUFFT_SUCCESS);
  CHECK(ready.part<T>(0) != std::vector<T>(x.begin(), x.begin() + of_part));
  CHECK(down(p, back.data(), ready) == CUFFT_INVALID_TYPE);
  REQUIRE(cufftXtExecDescriptor(p, ready, ready, CUFFT_FORWARD) == CUFFT_SUCCESS);
  for (int i = 0; i < ready->nGPUs; ++i) CHECK(ready.part<T>(i) == signal.part<T>(i));
}

/// Rows, planes or columns of a transform of several dimensions.
template <class T>
void check_slabs(std::vector<int> devices, std::vector<int> n, cufftType type, double bound) {
  CAPTURE(devices.size());
  CAPTURE(type);
  const bool real = type == CUFFT_R2C || type == CUFFT_D2Z;
  std::vector<int> u = n;  // in complex numbers, or places of them
  if (real) u.back() = u.back() / 2 + 1;
  const int x = u[0], y = u[1], inner = u.size() == 3 ? u[2] : 1, parts = static_cast<int>(devices.size());
  const std::size_t size = std::size_t(x) * y * inner;
  const auto first_of = [&](int all, int part) { return all / parts * part + std::min(part, all % parts); };
  plan p(devices, n, type);
  memory d(p, CUFFT_XT_FORMAT_INPLACE), natural(p, CUFFT_XT_FORMAT_INPLACE);
  const auto values = numbers<T>(size);
  REQUIRE(up(p, d, values.data()) == CUFFT_SUCCESS);
  for (int i = 0; i < parts; ++i) {
    const auto part = d.part<T>(i);
    const std::size_t first = std::size_t(first_of(x, i)) * y * inner,
                      end = std::size_t(first_of(x, i + 1)) * y * inner;
    REQUIRE(part.size() >= end - first);
    CHECK(std::equal(values.begin() + first, values.begin() + end, part.begin()));
  }
  REQUIRE(cufftXtExecDescriptor(p, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(d.d->subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  const auto expected = on_one_device(values, n, type, CUFFT_FORWARD);
  for (int i = 0; i < parts; ++i) {
    const auto part = d.part<T>(i);
    std::size_t at = 0;
    bool same = true;
    for (int a = 0; a < x; ++a)
      for (int b = first_of(y, i); b < first_of(y, i + 1); ++b)
        for (int c = 0; c < inner; ++c)
          same = same && part[at++] == expected[(std::size_t(a) * y + b) * inner + c];
    CHECK(same);
  }
  std::vector<T> back(size);
  CHECK(down(p, back.data(), d) == CUFFT_SUCCESS);
  CHECK(back == expected);
  REQUIRE(across(p, natural, d) == CUFFT_SUCCESS);
  CHECK(down(p, back.data(), natural) == CUFFT_SUCCESS);
  CHECK(back == expected);

  // The inverse takes the shuffled order, and leaves the natural one.
  plan inverse(devices, n, type == CUFFT_R2C ? CUFFT_C2R : type == CUFFT_D2Z ? CUFFT_Z2D : type);
  REQUIRE(cufftXtExecDescriptor(inverse, d, d, CUFFT_INVERSE) == CUFFT_SUCCESS);
  CHECK(d.d->subFormat == CUFFT_XT_FORMAT_INPLACE);
  REQUIRE(down(inverse, back.data(), d) == CUFFT_SUCCESS);
  const double points = std::accumulate(n.begin(), n.end(), 1.0, std::multiplies<>());
  if (!real) {
    CHECK(near(back, values, 1 / points, bound));
    return;
  }
  using number = decltype(std::real(T{}));
  const auto *was = reinterpret_cast<const number*>(values.data()),
             *is = reinterpret_cast<const number*>(back.data());
  double worst = 0;
  for (std::size_t row = 0; row < size / u.back(); ++row)
    for (int k = 0; k < n.back(); ++k) {
      const std::size_t at = row * 2 * u.back() + k;
      worst = std::max(worst, std::abs(double(is[at]) / points - double(was[at])));
    }
  CHECK(worst <= bound);
}

__global__ void scale_kernel(float2* x, int size, float by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] = {x[i].x * by, x[i].y * by};
}

void synchronize_all() {
  for (int d = 0; d < 4; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
  cudaSetDevice(0);
}

/// In every order: refused with a finding whose message has all of these words; the repaired call is not.
void check_refused(finding_kind kind, const std::vector<std::string>& words,
                   const std::function<void()>& faulty, const std::function<void()>& repaired) {
  in_all_orders([&] {
    const auto found = finding_of(faulty);
    REQUIRE(found.has_value());
    const std::string message = found->what();
    CAPTURE(message);
    CHECK(found->kind() == kind);
    CHECK(message.find("cufft_devices.cu:") != std::string::npos);
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(message.find(word) != std::string::npos);
    }
    const auto nothing = finding_of(repaired);
    if (nothing) FAIL_CHECK("the repaired call was refused: " << std::string(nothing->what()));
  });
}

std::size_t free_bytes_of(int device) {
  std::size_t free = 0, total = 0;
  cudaSetDevice(device);
  require_success(cudaMemGetInfo(&free, &total));
  cudaSetDevice(0);
  return free;
}

}  // namespace

TEST_CASE("a line: natural order, strings, natural order again, and back") {
  const auto all = [] {
    check_line<cf>({0, 1}, 64, CUFFT_C2C, 1e-6);
    check_line<cf>({0, 1}, 1024, CUFFT_C2C, 2e-6);
    check_line<cd>({1, 0}, 128, CUFFT_Z2Z, 1e-14);
    check_line<cf>({3, 1, 0, 2}, 64, CUFFT_C2C, 1e-6);
    check_line<cf>({0, 1, 2, 3}, 2048, CUFFT_C2C, 2e-6);
    // One device named twice, or as often as there are parts.
    check_line<cf>({0, 0}, 256, CUFFT_C2C, 1e-6);
    check_line<cd>({0, 1, 2, 3, 3, 2, 1, 0}, 128, CUFFT_Z2Z, 1e-14);
    check_line<cf>(std::vector<int>(16, 0), 1024, CUFFT_C2C, 2e-6);
  };
  in_all_orders(all);
}

TEST_CASE("the example of cuFFT's documentation: 1024 on two devices in 8 strings") {
  plan p({0, 1}, {1024}, CUFFT_C2C);
  cufftXt1dFactors f{};
  REQUIRE(cufftXtQueryPlan(p, &f, CUFFT_QUERY_1D_FACTORS) == CUFFT_SUCCESS);
  CHECK(f.size == 1024);
  CHECK(f.stringCount == 8);
  CHECK(f.factor1 == 64);
  CHECK(f.factor2 == 16);
  CHECK(f.stringLength == 128);
  CHECK(f.substringLength == 8);
  // The spectrum of exp(2 pi i k n / 1024) is 1024 at k, and 0 elsewhere.
  const auto place_of = [&](int k) {
    std::vector<cf> x(1024);
    for (int n = 0; n < 1024; ++n) {
      const double turn = 2 * M_PI * ((n * k) % 1024) / 1024;
      x[n] = {static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn))};
    }
    memory d(p, CUFFT_XT_FORMAT_INPLACE);
    REQUIRE(up(p, d, x.data()) == CUFFT_SUCCESS);
    REQUIRE(cufftXtExecDescriptorC2C(p, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
    for (int i = 0; i < 2; ++i) {
      const auto part = d.part<cf>(i);
      for (int at = 0; at < 512; ++at)
        if (std::abs(part[at]) > 512) return i * 512 + at;
    }
    return -1;
  };
  // String 0: 0 to 7, 64 to 71, ..., 960 to 967. String 1 begins with 8, string 4, the first one of device 1,
  // with 32, and the last one ends with 1023.
  CHECK(place_of(0) == 0);
  CHECK(place_of(7) == 7);
  CHECK(place_of(64) == 8);
  CHECK(place_of(967) == 127);
  CHECK(place_of(8) == 128);
  CHECK(place_of(32) == 512);
  CHECK(place_of(96) == 520);
  CHECK(place_of(1023) == 1023);
}

TEST_CASE("handed out as a transform begins: each device has its sets of elements that lie factor2 apart") {
  for (const int parts : {2, 4}) {
    std::vector<int> devices(parts);
    std::iota(devices.begin(), devices.end(), 0);
    plan p(devices, {256}, CUFFT_C2C);
    cufftXt1dFactors f{};
    REQUIRE(cufftXtQueryPlan(p, &f, CUFFT_QUERY_1D_FACTORS) == CUFFT_SUCCESS);
    memory d(p, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED);
    std::vector<cf> x(256);
    for (int n = 0; n < 256; ++n) x[n] = static_cast<float>(n);
    REQUIRE(up(p, d, x.data()) == CUFFT_SUCCESS);
    std::vector<bool> met(256);
    for (int i = 0; i < parts; ++i) {
      for (const cf& each : d.part<cf>(i)) {
        const int n = static_cast<int>(each.real());
        CHECK(n % f.factor2 / (f.factor2 / parts) == i);
        CHECK(!met[n]);
        met[n] = true;
      }
    }
  }
}

TEST_CASE("several dimensions: rows or planes before, columns behind") {
  in_all_orders([] {
    check_slabs<cf>({0, 1}, {33, 34}, CUFFT_C2C, 2e-6);
    check_slabs<cd>({0, 1, 2, 3}, {65, 99}, CUFFT_Z2Z, 1e-13);
    check_slabs<cf>({2, 0, 1}, {34, 35}, CUFFT_R2C, 2e-6);
  });
  check_slabs<cf>({0, 1, 2, 3}, {33, 34, 35}, CUFFT_C2C, 5e-6);
  check_slabs<cd>({0, 1, 2}, {32, 33, 34}, CUFFT_D2Z, 1e-13);
  check_slabs<cf>({0, 0}, {32, 32, 33}, CUFFT_R2C, 5e-6);
}

TEST_CASE("the shares of cuFFT's documentation: 65 x 99 on four devices") {
  plan p({0, 1, 2, 3}, {65, 99}, CUFFT_C2C);
  memory d(p, CUFFT_XT_FORMAT_INPLACE);
  // 17 or 16 rows of 99 before, 65 rows of 25 or 24 behind: a part has room for either.
  CHECK(d->size[0] == 17 * 99 * sizeof(cf));
  CHECK(d->size[1] == 65 * 25 * sizeof(cf));
  CHECK(d->size[3] == 16 * 99 * sizeof(cf));
}

TEST_CASE("a batch: whole transforms, in natural order all the time") {
  const int n = 24, batch = 7;  // 3, 2 and 2
  plan p({0, 1, 2}, {n}, CUFFT_C2C, batch);
  memory d(p, CUFFT_XT_FORMAT_INPLACE), from(p, CUFFT_XT_FORMAT_INPUT), to(p, CUFFT_XT_FORMAT_OUTPUT);
  CHECK(d->size[0] == 3 * n * sizeof(cf));
  CHECK(d->size[2] == 2 * n * sizeof(cf));
  const auto x = numbers<cf>(n * batch);
  std::vector<cf> y(n * batch), expected;
  for (int b = 0; b < batch; ++b) {
    const auto one = on_one_device(std::vector<cf>(x.begin() + b * n, x.begin() + (b + 1) * n), {n},
                                   CUFFT_C2C, CUFFT_FORWARD);
    expected.insert(expected.end(), one.begin(), one.end());
  }
  REQUIRE(up(p, d, x.data()) == CUFFT_SUCCESS);
  REQUIRE(cufftXtExecDescriptorC2C(p, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(d.d->subFormat == CUFFT_XT_FORMAT_INPLACE);
  CHECK(d.part<cf>(1) == std::vector<cf>(expected.begin() + 3 * n, expected.begin() + 5 * n));
  REQUIRE(down(p, y.data(), d) == CUFFT_SUCCESS);
  CHECK(y == expected);
  REQUIRE(up(p, from, x.data()) == CUFFT_SUCCESS);
  REQUIRE(cufftXtExecDescriptorC2C(p, from, to, CUFFT_FORWARD) == CUFFT_SUCCESS);
  std::fill(y.begin(), y.end(), cf{});
  REQUIRE(down(p, y.data(), to) == CUFFT_SUCCESS);
  CHECK(y == expected);
  CHECK(across(p, to, from) == CUFFT_NOT_SUPPORTED);

  // Real numbers: packed out of place, rows with padding in place. Any length.
  plan r2c({0, 1}, {15}, CUFFT_R2C, 3), c2r({0, 1}, {15}, CUFFT_C2R, 3);
  memory real(r2c, CUFFT_XT_FORMAT_INPUT), half(r2c, CUFFT_XT_FORMAT_OUTPUT),
      here(r2c, CUFFT_XT_FORMAT_INPLACE);
  CHECK(real->size[0] == 2 * 15 * sizeof(float));
  CHECK(half->size[0] == 2 * 8 * sizeof(cf));
  CHECK(here->size[0] == 2 * 8 * sizeof(cf));
  std::vector<float> packed(45), again(48);
  std::iota(packed.begin(), packed.end(), 1.0f);
  REQUIRE(up(r2c, real, packed.data()) == CUFFT_SUCCESS);
  REQUIRE(cufftXtExecDescriptorR2C(r2c, real, half) == CUFFT_SUCCESS);
  std::vector<cf> spectrum(24);
  REQUIRE(down(r2c, spectrum.data(), half) == CUFFT_SUCCESS);
  CHECK(std::abs(spectrum[0] - cf(120)) < 1e-4f);
  CHECK(std::abs(spectrum[16] - cf(15 * 38)) < 1e-3f);
  REQUIRE(up(c2r, here, spectrum.data()) == CUFFT_SUCCESS);
  REQUIRE(cufftXtExecDescriptorC2R(c2r, here, here) == CUFFT_SUCCESS);
  REQUIRE(down(c2r, again.data(), here) == CUFFT_SUCCESS);
  for (int i = 0; i < 45; ++i)
    CHECK(again[i / 15 * 16 + i % 15] == doctest::Approx(15 * packed[i]).epsilon(1e-4));
}

TEST_CASE("a convolution on two devices: spectra multiplied where they lie in natural order") {
  const int n = 128;
  plan p({0, 1}, {n}, CUFFT_C2C);
  memory x(p, CUFFT_XT_FORMAT_INPLACE), y(p, CUFFT_XT_FORMAT_INPLACE);
  const auto signal = numbers<cf>(n);
  std::vector<cf> back(n);
  REQUIRE(up(p, x, signal.data()) == CUFFT_SUCCESS);
  REQUIRE(cufftXtExecDescriptorC2C(p, x, x, CUFFT_FORWARD) == CUFFT_SUCCESS);
  REQUIRE(across(p, y, x) == CUFFT_SUCCESS);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(y->GPUs[i]);
    const int size = static_cast<int>(y->size[i] / sizeof(float2));
    scale_kernel<<<(size + 63) / 64, 64>>>(static_cast<float2*>(y->data[i]), size, 3.0f / n);
  }
  synchronize_all();
  REQUIRE(cufftXtExecDescriptorC2C(p, y, y, CUFFT_INVERSE) == CUFFT_SUCCESS);
  REQUIRE(down(p, back.data(), y) == CUFFT_SUCCESS);
  CHECK(near(back, signal, 1.0 / 3, 2e-6));
}

TEST_CASE("work areas: one on each device") {
  const std::size_t before[2] = {free_bytes_of(0), free_bytes_of(1)};
  {
    handle h({0, 1});
    std::size_t sizes[3] = {7, 7, 7}, same[2] = {};
    REQUIRE(cufftMakePlan1d(h, 1024, CUFFT_C2C, 1, sizes) == CUFFT_SUCCESS);
    CHECK(sizes[0] > 0);
    CHECK(sizes[1] == sizes[0]);
    CHECK(sizes[2] == 7);
    CHECK(before[0] - free_bytes_of(0) == sizes[0]);
    CHECK(before[1] - free_bytes_of(1) == sizes[1]);
    REQUIRE(cufftGetSize(h, same) == CUFFT_SUCCESS);
    CHECK(same[1] == sizes[1]);
    handle other({0, 1});
    REQUIRE(cufftGetSize1d(other, 1024, CUFFT_C2C, 1, same) == CUFFT_SUCCESS);
    CHECK(same[1] == sizes[1]);
    CHECK(cufftSetWorkArea(h, nullptr) == CUFFT_INVALID_PLAN);
  }
  CHECK(free_bytes_of(0) == before[0]);
  CHECK(free_bytes_of(1) == before[1]);
  // The program's own.
  handle h({0, 1});
  REQUIRE(cufftSetAutoAllocation(h, 0) == CUFFT_SUCCESS);
  REQUIRE(cufftMakePlan1d(h, 64, CUFFT_C2C, 1, works) == CUFFT_SUCCESS);
  memory d(h, CUFFT_XT_FORMAT_INPLACE);
  const auto x = numbers<cf>(64);
  REQUIRE(up(h, d, x.data()) == CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorC2C(h, d, d, CUFFT_FORWARD) == CUFFT_NO_WORKSPACE);
  void* areas[2] = {};
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    require_success(cudaMalloc(&areas[i], works[i]));
  }
  cudaSetDevice(0);
  REQUIRE(cufftXtSetWorkArea(h, areas) == CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorC2C(h, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
  for (void* const each : areas) cudaFree(each);
}

TEST_CASE("what goes over the links is counted") {
  const auto bytes_of = [](const std::function<void()>& calls) {
    cuda_emulator::begin_counting();
    calls();
    std::vector<std::pair<std::string, std::uint64_t>> rows;
    for (const auto& row : cuda_emulator::end_counting()) rows.emplace_back(row.kernel, row.peer_store_bytes);
    return rows;
  };
  const auto x = numbers<cf>(64 * 64);
  const auto line = [&](std::vector<int> devices, cufftXtSubFormat format) {
    plan p(devices, {1024}, CUFFT_C2C);
    memory d(p, format), natural(p, CUFFT_XT_FORMAT_INPLACE);
    return bytes_of([&] {
      up(p, d, x.data());
      cufftXtExecDescriptorC2C(p, d, d, CUFFT_FORWARD);
      across(p, natural, d);
    });
  };
  using rows = std::vector<std::pair<std::string, std::uint64_t>>;
  const std::string copy = "cufftXtMemcpy() from device to device";
  // With G devices an exchange moves all but a G-th: one before the transform unless the copy from the host
  // has done it, one in it, and one into natural order.
  CHECK(line({0, 1}, CUFFT_XT_FORMAT_INPLACE) ==
        rows{{"cuFFT C2C, n = 1024, on devices 0, 1 (not counted)", 2 * 512 * 8}, {copy, 512 * 8}});
  CHECK(line({0, 1}, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED) ==
        rows{{"cuFFT C2C, n = 1024, on devices 0, 1 (not counted)", 512 * 8}, {copy, 512 * 8}});
  CHECK(line({0, 1, 2, 3}, CUFFT_XT_FORMAT_INPLACE) ==
        rows{{"cuFFT C2C, n = 1024, on devices 0, 1, 2, 3 (not counted)", 2 * 768 * 8}, {copy, 768 * 8}});
  CHECK(line({0, 0}, CUFFT_XT_FORMAT_INPLACE) ==
        rows{{"cuFFT C2C, n = 1024, on devices 0, 0 (not counted)", 0}, {copy, 0}});
  plan square({0, 1}, {64, 64}, CUFFT_C2C);
  memory d(square, CUFFT_XT_FORMAT_INPLACE);
  CHECK(bytes_of([&] {
          up(square, d, x.data());
          cufftXtExecDescriptorC2C(square, d, d, CUFFT_FORWARD);
        }) == rows{{"cuFFT C2C, n = 64 x 64, on devices 0, 1 (not counted)", 64 * 64 / 2 * 8}});
  plan batch({0, 1}, {64}, CUFFT_C2C, 2);
  memory b(batch, CUFFT_XT_FORMAT_INPLACE);
  CHECK(bytes_of([&] {
          up(batch, b, x.data());
          cufftXtExecDescriptorC2C(batch, b, b, CUFFT_FORWARD);
        }) == rows{{"cuFFT C2C, n = 64, batch of 2, on devices 0, 1 (not counted)", 0}});
}

TEST_CASE("devices that a plan cannot have") {
  handle h;
  int devices[17] = {0, 1}, beyond[2] = {0, 4}, negative[2] = {-1, 0};
  CHECK(cufftXtSetGPUs(h, 1, devices) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtSetGPUs(h, 17, devices) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtSetGPUs(h, 2, nullptr) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtSetGPUs(h, 2, beyond) == CUFFT_INVALID_DEVICE);
  CHECK(cuda_emulator::why_failed(cudaErrorInvalidDevice).find("device 4 was asked for, and there are 4") !=
        std::string::npos);
  CHECK(cufftXtSetGPUs(h, 2, negative) == CUFFT_INVALID_DEVICE);
  CHECK(cufftXtSetGPUs(77777, 2, devices) == CUFFT_INVALID_PLAN);
  REQUIRE(cufftMakePlan1d(h, 64, CUFFT_C2C, 1, works) == CUFFT_SUCCESS);
  CHECK(cufftXtSetGPUs(h, 2, devices) == CUFFT_INVALID_PLAN);
}

TEST_CASE("sizes, types and layouts that several devices cannot share") {
  const auto made = [](std::vector<int> devices, std::vector<int> n, cufftType type, int batch = 1) {
    handle h(std::move(devices));
    return plan::make(h, std::move(n), type, batch);
  };
  const std::vector<int> two{0, 1}, three{0, 1, 2}, eight(8, 0), sixteen(16, 1);
  // One dimension: complex, a power of two, not too short, and 2, 4, 8 or 16 parts.
  CHECK(made(two, {64}, CUFFT_C2C) == CUFFT_SUCCESS);
  CHECK(made(two, {1, 1, 64}, CUFFT_C2C) == CUFFT_SUCCESS);
  CHECK(made(two, {32}, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(made(two, {96}, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(
      cuda_emulator::why_failed(cudaErrorInvalidValue).find("a power of two as its length, of at least 64") !=
      std::string::npos);
  CHECK(made(three, {128}, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(made(eight, {64}, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(made(eight, {128}, CUFFT_C2C) == CUFFT_SUCCESS);
  CHECK(made(sixteen, {512}, CUFFT_Z2Z) == CUFFT_INVALID_SIZE);
  CHECK(made(sixteen, {1024}, CUFFT_Z2Z) == CUFFT_SUCCESS);
  CHECK(made(two, {1024}, CUFFT_R2C) == CUFFT_INVALID_SIZE);
  CHECK(made(two, {1024}, CUFFT_Z2D) == CUFFT_INVALID_SIZE);
  // More dimensions: 32 in each.
  CHECK(made(three, {32, 33}, CUFFT_C2C) == CUFFT_SUCCESS);
  CHECK(made(two, {31, 64}, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(made(two, {64, 16}, CUFFT_R2C) == CUFFT_INVALID_SIZE);
  CHECK(made(two, {32, 32, 8}, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  // Batches: any.
  CHECK(made(three, {7}, CUFFT_R2C, 2) == CUFFT_SUCCESS);
  CHECK(made(two, {3, 5}, CUFFT_Z2D, 5) == CUFFT_SUCCESS);
  // Without strides, however that is said.
  int n[1] = {64};
  handle strided(two), packed(two);
  CHECK(cufftMakePlanMany(strided, 1, n, n, 2, 128, n, 1, 64, CUFFT_C2C, 2, works) == CUFFT_NOT_SUPPORTED);
  CHECK(cufftMakePlanMany(packed, 1, n, n, 1, 64, n, 1, 64, CUFFT_C2C, 2, works) == CUFFT_SUCCESS);
  handle no_sizes(two);
  CHECK(cufftMakePlan1d(no_sizes, 64, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_VALUE);
}

TEST_CASE("formats that a plan does not have, or does not take") {
  plan line({0, 1}, {64}, CUFFT_C2C), square({0, 1}, {32, 32}, CUFFT_C2C), batch({0, 1}, {64}, CUFFT_C2C, 2);
  handle single;
  REQUIRE(cufftMakePlan1d(single, 64, CUFFT_C2C, 1, works) == CUFFT_SUCCESS);
  handle unmade({0, 1});
  cudaLibXtDesc* none = nullptr;
  CHECK(cufftXtMalloc(single, &none, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtMalloc(unmade, &none, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtMalloc(line, nullptr, CUFFT_XT_FORMAT_INPLACE) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtMalloc(line, &none, CUFFT_FORMAT_UNDEFINED) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtMalloc(square, &none, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtMalloc(batch, &none, CUFFT_XT_FORMAT_INPLACE_SHUFFLED) == CUFFT_INVALID_VALUE);
  CHECK(none == nullptr);
  const auto x = numbers<cf>(32 * 32);

  memory d(line, CUFFT_XT_FORMAT_INPLACE), other(line, CUFFT_XT_FORMAT_INPLACE);
  REQUIRE(up(line, d, x.data()) == CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorC2C(line, d, other, CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
  CHECK(cufftXtExecDescriptorC2C(line, d, d, 0) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtExecDescriptorC2C(line, nullptr, d, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtExecDescriptorZ2Z(line, d, d, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtExecDescriptorR2C(line, d, d) == CUFFT_INVALID_PLAN);
  CHECK(cufftExecC2C(line, static_cast<cufftComplex*>(d->data[0]), static_cast<cufftComplex*>(d->data[0]),
                     CUFFT_FORWARD) == CUFFT_INTERNAL_ERROR);
  REQUIRE(cufftXtExecDescriptorC2C(line, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
  // A spectrum as it lies is no input, and new data need a new label.
  CHECK(cufftXtExecDescriptorC2C(line, d, d, CUFFT_INVERSE) == CUFFT_INVALID_TYPE);
  CHECK(cuda_emulator::why_failed(cudaErrorInvalidValue).find("CUFFT_COPY_DEVICE_TO_DEVICE") !=
        std::string::npos);
  CHECK(up(line, d, x.data()) == CUFFT_INVALID_TYPE);
  CHECK(across(line, d, other) == CUFFT_INTERNAL_ERROR);
  d.d->subFormat = CUFFT_XT_FORMAT_INPLACE;
  CHECK(up(line, d, x.data()) == CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorC2C(line, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
  memory input(line, CUFFT_XT_FORMAT_INPUT);
  REQUIRE(up(line, input, x.data()) == CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorC2C(line, input, input, CUFFT_FORWARD) == CUFFT_INVALID_TYPE);

  // Of two dimensions, real numbers are in natural order.
  plan r2c({0, 1}, {32, 32}, CUFFT_R2C), c2r({0, 1}, {32, 32}, CUFFT_C2R);
  memory real(r2c, CUFFT_XT_FORMAT_INPLACE);
  REQUIRE(up(r2c, real, x.data()) == CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorC2R(c2r, real, real) == CUFFT_INTERNAL_ERROR);
  CHECK(cufftXtExecDescriptorR2C(r2c, real, real) == CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorR2C(r2c, real, real) == CUFFT_INTERNAL_ERROR);

  // Other devices, or in another order.
  plan turned({1, 0}, {64}, CUFFT_C2C), four({0, 1, 2, 3}, {64}, CUFFT_C2C);
  CHECK(cufftXtExecDescriptorC2C(turned, other, other, CUFFT_FORWARD) == CUFFT_INVALID_DEVICE);
  CHECK(up(four, other, x.data()) == CUFFT_INVALID_DEVICE);

  cufftXt1dFactors f;
  CHECK(cufftXtQueryPlan(line, nullptr, CUFFT_QUERY_1D_FACTORS) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtQueryPlan(line, &f, CUFFT_QUERY_UNDEFINED) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtQueryPlan(square, &f, CUFFT_QUERY_1D_FACTORS) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtQueryPlan(batch, &f, CUFFT_QUERY_1D_FACTORS) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtQueryPlan(single, &f, CUFFT_QUERY_1D_FACTORS) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtMemcpy(line, nullptr, other.d, CUFFT_COPY_DEVICE_TO_HOST) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtMemcpy(line, d.d, other.d, CUFFT_COPY_UNDEFINED) == CUFFT_INVALID_VALUE);
  CHECK(cufftXtFree(nullptr) == CUFFT_SUCCESS);
}

TEST_CASE("a descriptor of another plan, which is too short") {
  plan p({0, 1}, {128}, CUFFT_C2C), shorter({0, 1}, {64}, CUFFT_C2C), again({0, 1}, {128}, CUFFT_C2C);
  memory d(p, CUFFT_XT_FORMAT_INPLACE), small(shorter, CUFFT_XT_FORMAT_INPLACE);
  const auto x = numbers<cf>(128);
  REQUIRE(up(p, d, x.data()) == CUFFT_SUCCESS);
  REQUIRE(up(shorter, small, x.data()) == CUFFT_SUCCESS);
  check_refused(
      finding_kind::out_of_bounds,
      {"in cufftXtExecDescriptorC2C()", "part 0 of the input, 64 complex floats", "only 32 complex floats",
       "C2C, n = 128, on devices 0, 1"},
      [&] { cufftXtExecDescriptorC2C(p, small, small, CUFFT_FORWARD); },
      [&] {
        // The plan need not be the one it was made for.
        d.d->subFormat = CUFFT_XT_FORMAT_INPLACE;  // as before the last order
        REQUIRE(cufftXtExecDescriptorC2C(again, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
      });
  check_refused(
      finding_kind::out_of_bounds, {"in cufftXtMemcpy()", "writes part 0 of the target"},
      [&] { up(p, small, x.data()); }, [&] { up(shorter, small, x.data()); });
}

TEST_CASE("a descriptor that has been freed, and what is none") {
  plan p({0, 1}, {64}, CUFFT_C2C);
  memory d(p, CUFFT_XT_FORMAT_INPLACE);
  auto x = numbers<cf>(64);
  cudaLibXtDesc* gone = nullptr;
  REQUIRE(cufftXtMalloc(p, &gone, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS);
  const std::string made = at_line(__FILE__, __LINE__ - 1);
  REQUIRE(cufftXtFree(gone) == CUFFT_SUCCESS);
  REQUIRE(up(p, d, x.data()) == CUFFT_SUCCESS);
  const auto right = [&] {
    d.d->subFormat = CUFFT_XT_FORMAT_INPLACE;
    cufftXtExecDescriptorC2C(p, d, d, CUFFT_FORWARD);
  };
  check_refused(
      finding_kind::use_after_free,
      {"use of freed memory in cufftXtExecDescriptorC2C()", "cufftXtFree() has freed", made},
      [&] { cufftXtExecDescriptorC2C(p, gone, gone, CUFFT_FORWARD); }, right);
  check_refused(
      finding_kind::use_after_free, {"use of freed memory in cufftXtFree()"}, [&] { cufftXtFree(gone); },
      right);
  check_refused(
      finding_kind::host_pointer, {"the target is no descriptor that cufftXtMalloc() made"},
      [&] { cufftXtMemcpy(p, x.data(), d.d, CUFFT_COPY_HOST_TO_DEVICE); }, [&] { down(p, x.data(), d); });
  check_refused(
      finding_kind::copy_direction, {"the source is a descriptor", "the wrong CUFFT_COPY_..."},
      [&] {
        memory other(p, CUFFT_XT_FORMAT_INPLACE);
        cufftXtMemcpy(p, other.d, d.d, CUFFT_COPY_HOST_TO_DEVICE);
      },
      right);
  check_refused(
      finding_kind::copy_direction, {"the target is memory of a device"},
      [&] { cufftXtMemcpy(p, d->data[1], d.d, CUFFT_COPY_DEVICE_TO_HOST); }, [&] { down(p, x.data(), d); });
  // One part freed, or moved to another device, by the program.
  check_refused(
      finding_kind::other_device,
      {"part 1 of the input", "memory of device 0, and the descriptor says device 1"},
      [&] {
        memory bad(p, CUFFT_XT_FORMAT_INPLACE);
        up(p, bad, x.data());
        void* const own = std::exchange(bad->data[1], bad->data[0]);
        try {
          cufftXtExecDescriptorC2C(p, bad, bad, CUFFT_FORWARD);
        } catch (...) {
          bad->data[1] = own;
          throw;
        }
      },
      right);
}

TEST_CASE("elements that nobody has written") {
  plan p({0, 1}, {64}, CUFFT_C2C), real({0, 1}, {32, 33}, CUFFT_R2C);
  const auto x = numbers<cf>(32 * 17);
  memory natural(p, CUFFT_XT_FORMAT_INPLACE), d(p, CUFFT_XT_FORMAT_INPLACE);
  const auto fill_parts = [&](cudaLibXtDesc* of, int parts) {
    of->subFormat = CUFFT_XT_FORMAT_INPLACE;
    for (int i = 0; i < parts; ++i) {
      cudaSetDevice(i);
      cudaMemset(of->descriptor->data[i], 0, of->descriptor->size[i]);
    }
    cudaSetDevice(0);
    synchronize_all();
    cufftXtExecDescriptorC2C(p, of, of, CUFFT_FORWARD);
  };
  check_refused(
      finding_kind::uninitialized_read,
      {"reads 32 complex floats of uninitialized memory", "position 0 of part 1, on device 1"},
      [&] {
        memory half(p, CUFFT_XT_FORMAT_INPLACE);
        fill_parts(half, 1);  // and the other part is forgotten
      },
      [&] { fill_parts(d, 2); });
  memory empty(p, CUFFT_XT_FORMAT_INPLACE);
  check_refused(
      finding_kind::uninitialized_read, {"in cufftXtMemcpy()", "reads 64 complex floats"},
      [&] { across(p, natural, empty); }, [&] { across(p, natural, d); });
  // The padding of rows of real numbers is not read.
  const auto fill = [&](int numbers_of_row) {
    memory rows(real, CUFFT_XT_FORMAT_INPLACE);
    for (int i = 0; i < 2; ++i)
      for (int r = 0; r < 16; ++r)
        require_success(cudaMemcpy(static_cast<float*>(rows->data[i]) + r * 34, x.data(),
                                   numbers_of_row * sizeof(float), cudaMemcpyDefault));
    cufftXtExecDescriptorR2C(real, rows, rows);
  };
  check_refused(
      finding_kind::uninitialized_read, {"reads 32 complex floats", "position 16 of part 0"},
      [&] { fill(32); }, [&] { fill(33); });
}

TEST_CASE("work areas that are too small") {
  handle h({0, 1});
  REQUIRE(cufftSetAutoAllocation(h, 0) == CUFFT_SUCCESS);
  REQUIRE(cufftMakePlan1d(h, 64, CUFFT_C2C, 1, works) == CUFFT_SUCCESS);
  memory d(h, CUFFT_XT_FORMAT_INPLACE);
  const auto x = numbers<cf>(64);
  device_array<char> first(works[0]), small(works[0] - 1);
  cudaSetDevice(1);
  device_array<char> second(works[1]);
  cudaSetDevice(0);
  const auto with = [&](void* a, void* b) {
    void* areas[2] = {a, b};
    REQUIRE(cufftXtSetWorkArea(h, areas) == CUFFT_SUCCESS);
    d.d->subFormat = CUFFT_XT_FORMAT_INPLACE;
    up(h, d, x.data());
    cufftXtExecDescriptorC2C(h, d, d, CUFFT_FORWARD);
  };
  check_refused(
      finding_kind::out_of_bounds, {"uses a work area of 256 bytes"},
      [&] { with(small.data(), second.data()); }, [&] { with(first.data(), second.data()); });
}

TEST_CASE("a plan with a stream: copies of cuFFT do not wait for it") {
  plan p({0, 1}, {64}, CUFFT_C2C);
  memory d(p, CUFFT_XT_FORMAT_INPLACE);
  const auto x = numbers<cf>(64);
  std::vector<cf> y(64);
  cudaStream_t stream;
  require_success(cudaStreamCreate(&stream));
  REQUIRE(cufftSetStream(p, stream) == CUFFT_SUCCESS);
  const auto there = [&](bool waits) {
    synchronize_all();
    d.d->subFormat = CUFFT_XT_FORMAT_INPLACE;
    up(p, d, x.data());
    cufftXtExecDescriptorC2C(p, d, d, CUFFT_FORWARD);
    if (waits) cudaStreamSynchronize(stream);
    down(p, y.data(), d);
    synchronize_all();
  };
  check_found(
      finding_kind::unordered,
      {"cufftXtMemcpy() in a stream of the library's own reads", "cufftXtExecDescriptorC2C() at", "in stream",
       "Missing: cudaStreamSynchronize(stream"},
      [&] { there(false); }, [&] { there(true); });
  CHECK(y == on_one_device(x, {64}, CUFFT_C2C, CUFFT_FORWARD));
  // A kernel in a stream that cuFFT does not know.
  REQUIRE(cufftSetStream(p, nullptr) == CUFFT_SUCCESS);
  const auto scaled = [&](bool waits) {
    synchronize_all();
    d.d->subFormat = CUFFT_XT_FORMAT_INPLACE;
    up(p, d, x.data());
    scale_kernel<<<1, 32, 0, stream>>>(static_cast<float2*>(d->data[0]), 32, 2.0f);
    if (waits) cudaStreamSynchronize(stream);
    cufftXtExecDescriptorC2C(p, d, d, CUFFT_FORWARD);
    synchronize_all();
  };
  check_found(
      finding_kind::unordered,
      {"cufftXtExecDescriptorC2C() in a stream of the library's own", "kernel scale_kernel"},
      [&] { scaled(false); }, [&] { scaled(true); });
  cudaStreamDestroy(stream);
}

TEST_CASE("without checks the codes stay, and nothing is found") {
  plan p({0, 1}, {64}, CUFFT_C2C);
  cuda_emulator::set_checking(false);
  memory d(p, CUFFT_XT_FORMAT_INPLACE);
  const auto x = numbers<cf>(64);
  std::vector<cf> y(64);
  const auto found = finding_of([&] {
    CHECK(up(p, d, x.data()) == CUFFT_SUCCESS);
    CHECK(cufftXtExecDescriptorC2C(p, d, d, CUFFT_FORWARD) == CUFFT_SUCCESS);
    CHECK(cufftXtExecDescriptorC2C(p, d, d, CUFFT_INVERSE) == CUFFT_INVALID_TYPE);
    CHECK(down(p, y.data(), d) == CUFFT_SUCCESS);
  });
  cuda_emulator::set_checking(true);
  CHECK(!found);
  CHECK(y == on_one_device(x, {64}, CUFFT_C2C, CUFFT_FORWARD));
}

TEST_CASE("a device that is reset takes plans and descriptors with it") {
  handle h({0, 1});
  REQUIRE(cufftMakePlan1d(h, 64, CUFFT_C2C, 1, works) == CUFFT_SUCCESS);
  const std::size_t before = free_bytes_of(0);
  cudaLibXtDesc* d = nullptr;
  REQUIRE(cufftXtMalloc(h, &d, CUFFT_XT_FORMAT_INPLACE) == CUFFT_SUCCESS);
  cudaSetDevice(1);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  cudaSetDevice(0);
  CHECK(free_bytes_of(0) == before + works[0]);
  CHECK(cufftDestroy(h) == CUFFT_INVALID_PLAN);
}
