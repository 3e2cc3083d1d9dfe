// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "13_one_pass/convolve_one_pass.hpp"
#include "13_one_pass/host/roots.hpp"
#include "13_one_pass/kernels/pieces.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

using complex = std::complex<double>;

template <class T>
constexpr double unit = double(std::numeric_limits<T>::epsilon()) / 2;

template <class T>
complex_numbers<T> random_numbers(std::size_t count, std::uint64_t seed) {
  const std::vector<T> re = random_signal<T>(count, seed), im = random_signal<T>(count, seed + 1);
  complex_numbers<T> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({re[i], im[i]});
  return all;
}

template <class Pair>
std::vector<complex> in_double(const std::vector<Pair>& pairs) {
  std::vector<complex> all;
  for (const Pair& each : pairs) all.emplace_back(double(each.x), double(each.y));
  return all;
}

double norm_of(const std::vector<complex>& x) {
  double squares = 0;
  for (const complex& each : x) squares += std::norm(each);
  return std::sqrt(squares);
}

double distance(const std::vector<complex>& a, const std::vector<complex>& b) {
  REQUIRE(a.size() == b.size());
  std::vector<complex> difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return norm_of(difference);
}

/// exp(2 pi i turns), turns a multiple of 1 / 8192.
complex root(double turns) { return root_of_unity(std::lround(turns * 8192), 8192); }

/// Forward: y[p] = sum over k of x[k] exp(-2 pi i k (turns + reversed(p) / R)). Back: y[n] = sum over p of
/// x[p] exp(2 pi i reversed(p) (turns + n / R)).
std::vector<complex> pass_by_definition(const std::vector<complex>& x, bool forward, double turns) {
  const int size = int(x.size()), bits = log2_of(size);
  std::vector<complex> y(x.size());
  for (int p = 0; p < size; ++p)
    for (int k = 0; k < size; ++k)
      if (forward)
        y[std::size_t(p)] += x[std::size_t(k)] * root(-k * (turns + double(reversed(p, bits)) / size));
      else
        y[std::size_t(k)] += x[std::size_t(p)] * root(reversed(p, bits) * (turns + double(k) / size));
  return y;
}

}  // namespace

TEST_CASE("bit reversal and roots") {
  CHECK(reversed(0b0001, 4) == 0b1000);
  CHECK(reversed(0b0011, 4) == 0b1100);
  CHECK(reversed(5, 3) == 5);
  CHECK(reversed(1, 1) == 1);
  CHECK(reversed(0, 0) == 0);
  for (int p = 0; p < 4096; ++p) REQUIRE(reversed(reversed(p, 12), 12) == p);
  CHECK(log2_of(1) == 0);
  CHECK(log2_of(8192) == 13);
  for (int turn = -40; turn < 80; ++turn)
    CHECK(std::abs(cosine_of_32(turn) - std::cos(std::numbers::pi / 16 * turn)) < 1e-14);
  for (long j = -9000; j < 9000; j += 7)
    REQUIRE(std::abs(root_of_unity(j, 8192) - std::polar(1.0, 2 * std::numbers::pi * double(j) / 8192)) <
            1e-14);
  CHECK(root_of_unity(1, 4) == complex(0, 1));  // quarters are exact
  CHECK(root_of_unity(6, 8) == complex(0, -1));
  CHECK(root_of_unity(-1, 2).real() == -1);
}

TEST_CASE_TEMPLATE("a butterfly alone", T, float, double) {
  complex_numbers<T> a = random_numbers<T>(300, 1), b = random_numbers<T>(300, 3), w;
  for (long i = 0; i < 300; ++i)
    w.push_back({T(root_of_unity(i, 300).real()), T(root_of_unity(i, 300).imag())});
  const std::vector<complex> before_a = in_double(a), before_b = in_double(b), roots = in_double(w);
  const auto launches = count_launches([&] { run_butterflies<T>(a, b, w); });
  if (has_counts(launches)) CHECK(launches.front().threads == 384);
  const std::vector<complex> sum = in_double(a), difference = in_double(b);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const complex wb = roots[i] * before_b[i];
    const double allowed = 5 * unit<T> * (std::abs(before_a[i]) + std::abs(before_b[i]));
    REQUIRE(std::abs(sum[i] - (before_a[i] + wb)) <= allowed);
    REQUIRE(std::abs(difference[i] - (before_a[i] - wb)) <= allowed);
  }
}

TEST_CASE_TEMPLATE("a pass alone, against its definition", T, float, double) {
  for (const std::size_t size : {4, 16, 32})
    for (const bool forward : {true, false})
      for (const double turns : {0.0, 1 / 256.0, 37 / 4096.0, 255 / 8192.0, 511 / 8192.0}) {
        CAPTURE(size);
        CAPTURE(forward);
        CAPTURE(turns);
        complex_numbers<T> x = random_numbers<T>(size, 7);
        const std::vector<complex> before = in_double(x), right = pass_by_definition(before, forward, turns);
        run_pass<T>(x, forward, turns);
        // more.md: 4.1 u for a stage with rounded roots, and 36 u for the five with the largest errors; and
        // the roots of the definition are rounded, too.
        const double allowed = (turns == 0 ? 4.1 * log2_of(int(size)) + 2 : 38) * unit<T> * norm_of(right);
        CHECK(distance(in_double(x), right) <= allowed);
        CHECK(norm_of(right) == doctest::Approx(std::sqrt(double(size)) * norm_of(before)));
        // A pass turns each impulse into roots: none of them is lost in the sums of the others.
        for (std::size_t k = 0; k < size; ++k) {
          complex_numbers<T> impulse(size, complex_pair<T>{0, 0});
          impulse[k] = {0, 1};
          const std::vector<complex> waves = pass_by_definition(in_double(impulse), forward, turns);
          run_pass<T>(impulse, forward, turns);
          REQUIRE(distance(in_double(impulse), waves) <= 36 * unit<T> * norm_of(waves));
        }
      }
}

TEST_CASE("the exchange alone: every number arrives, and only padding of one in 17 meets each bank once") {
  std::vector<float2> numbers;
  for (int p = 0; p < 4096; ++p) numbers.push_back({float(p), float(-p)});
  for (const auto padding :
       {exchange_padding::none, exchange_padding::one_in_17, exchange_padding::one_in_33}) {
    CAPTURE(int(padding));
    std::vector<float2> taken;
    const auto launches = count_launches([&] { taken = run_exchange(numbers, padding); });
    for (std::size_t p = 0; p < taken.size(); ++p)
      REQUIRE((taken[p].x == float(p) && taken[p].y == -float(p)));
    if (!has_counts(launches)) continue;
    const launch_counts counts = sum(launches);
    const std::uint64_t requests =
        8 * 16;  // of 8 warps, each for 32 numbers of 8 bytes: 2 wavefronts at least
    CHECK(counts.shared_load_requests == requests);
    CHECK(counts.shared_store_requests == requests);
    const std::uint64_t least = 2 * requests;
    if (padding == exchange_padding::none) {
      CHECK(counts.shared_load_wavefronts == 16 * least);  // 16 numbers apart: 16 lanes in the same two banks
      CHECK(counts.shared_store_wavefronts == least);
    } else if (padding == exchange_padding::one_in_17) {
      CHECK(counts.shared_load_wavefronts == least);
      CHECK(counts.shared_store_wavefronts == least);
    } else {
      CHECK(counts.shared_load_wavefronts > least);
    }
  }
}

TEST_CASE_TEMPLATE("the transform alone, against the serial one", T, float, double) {
  for (const one_pass_design& design : one_pass_designs<T>()) {
    if (design.in_a_warp) continue;  // checked as a whole convolution
    const int length = design.length, bits = log2_of(length);
    CAPTURE(length);
    std::vector<complex> roots;
    for (long j = 0; j < length; ++j) roots.push_back(root_of_unity(j, length));
    const complex_numbers<T> x = random_numbers<T>(std::size_t(length), 11);
    const std::vector<complex> before = in_double(x);
    const std::vector<complex> there = in_double(run_transform<T>(design, x, true));
    const double e = (4.1 * 5 + 36 * 2) * unit<T>;  // at most
    double squares = 0;
    for (int p = 0; p < length; p += 17) {  // every 17th frequency: all digits of p occur
      const long k = reversed(p, bits);
      complex right;
      for (long n = 0; n < length; ++n)
        right += before[std::size_t(n)] * std::conj(roots[std::size_t(k * n % length)]);
      squares += std::norm(there[std::size_t(p)] - right);
    }
    CHECK(std::sqrt(squares) <= e * norm_of(there));
    CHECK(norm_of(there) == doctest::Approx(std::sqrt(double(length)) * norm_of(before)));

    // And back: length times the numbers.
    complex_numbers<T> spectrum;
    for (const complex& each : there) spectrum.push_back({T(each.real()), T(each.imag())});
    std::vector<complex> back = in_double(run_transform<T>(design, spectrum, false));
    for (complex& each : back) each /= length;
    CHECK(distance(back, before) <= 2.1 * e * norm_of(before));
    CHECK(distance(back, before) > 0);
  }
}

TEST_CASE("the product of spectra, place by place in bit-reversed order, is a circular convolution") {
  const one_pass_design design = shortest_one_pass_design<double>(1025);
  const std::size_t length = std::size_t(design.length);
  const complex_numbers<double> x = random_numbers<double>(length, 21),
                                h = random_numbers<double>(length, 23);
  const std::vector<complex> before = in_double(x), taps = in_double(h);
  const std::vector<complex> x_there = in_double(run_transform<double>(design, x, true)),
                             h_there = in_double(run_transform<double>(design, h, true));
  complex_numbers<double> spectrum;
  for (std::size_t p = 0; p < length; ++p) {
    const complex each = x_there[p] * h_there[p];
    spectrum.push_back({each.real(), each.imag()});
  }
  const std::vector<complex> y = in_double(run_transform<double>(design, spectrum, false));
  for (std::size_t n = 0; n < length; n += 97) {
    complex right;
    for (std::size_t m = 0; m < length; ++m) right += taps[m] * before[(n - m) % length];
    REQUIRE(std::abs(y[n] / double(length) - right) < 1e-10);
  }
}
