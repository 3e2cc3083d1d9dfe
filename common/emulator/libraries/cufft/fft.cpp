// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "fft.hpp"

#include <kissfft/kiss_fft.h>
#include <kissfft/kissfft.hh>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <mutex>
#include <new>
#include <numbers>
#include <tuple>
#include <type_traits>

namespace cuda_emulator {
namespace {

/// exp(sign * 2 pi i * part / whole), rounded once to T.
template <class T>
std::complex<T> unit(std::size_t part, std::size_t whole, int sign) {
  // Within half a turn of 0, where the angle in double has its full precision.
  const bool behind = 2 * part > whole;
  const double turns = static_cast<double>(behind ? whole - part : part) / static_cast<double>(whole);
  const double angle = 2 * std::numbers::pi * turns;
  return {static_cast<T>(std::cos(angle)), static_cast<T>((behind ? -sign : sign) * std::sin(angle))};
}

/// The library of C computes with float, but its twiddle factors with double. The template would do those,
/// too, with float, and lose three digits at a million points.
class float_fft final : public complex_fft<float> {
 public:
  float_fft(std::size_t n, bool inverse)
      : state_(kiss_fft_alloc(static_cast<int>(n), inverse ? 1 : 0, nullptr, nullptr),
               [](void* p) { kiss_fft_free(p); }) {
    if (!state_) throw std::bad_alloc();
  }
  void run(const std::complex<float>* in, std::complex<float>* out) const override {
    kiss_fft(state_.get(), reinterpret_cast<const kiss_fft_cpx*>(in), reinterpret_cast<kiss_fft_cpx*>(out));
  }

 private:
  std::unique_ptr<kiss_fft_state, void (*)(void*)> state_;
};

/// The packaged library knows no double; the template does.
class double_fft final : public complex_fft<double> {
 public:
  double_fft(std::size_t n, bool inverse) : state_(n, inverse) {}
  void run(const std::complex<double>* in, std::complex<double>* out) const override {
    state_.transform(in, out);
  }

 private:
  kissfft<double> state_;
};

/// Bluestein: with jk = (j^2 + k^2 - (k - j)^2) / 2 a transform of any length becomes a convolution with the
/// chirp exp(pi i j^2 / n), and that is three transforms of a power of two. kissfft alone would take n * p
/// operations for a prime factor p.
template <class T>
class chirp_fft final : public complex_fft<T> {
 public:
  chirp_fft(std::size_t n, bool inverse)
      : n_(n),
        m_(std::bit_ceil(2 * n - 1)),
        forward_(complex_fft<T>::get(m_, false)),
        inverse_(complex_fft<T>::get(m_, true)),
        chirp_(n),
        kernel_(m_),
        padded_(m_),
        spectrum_(m_) {
    // j^2 grows beyond what an angle in double can tell; only its remainder counts, step by step from
    // (j - 1)^2.
    std::size_t square = 0;
    for (std::size_t j = 0; j < n; ++j) {
      chirp_[j] = unit<T>(square, 2 * n, inverse ? 1 : -1);
      square = (square + 2 * j + 1) % (2 * n);
    }
    std::vector<std::complex<T>> conjugate(m_);
    for (std::size_t j = 0; j < n; ++j) conjugate[j] = conjugate[(m_ - j) % m_] = std::conj(chirp_[j]);
    forward_->run(conjugate.data(), kernel_.data());
    for (auto& value : kernel_) value /= static_cast<T>(m_);
  }
  void run(const std::complex<T>* in, std::complex<T>* out) const override {
    for (std::size_t j = 0; j < n_; ++j) padded_[j] = product(in[j], chirp_[j]);
    std::fill(padded_.begin() + static_cast<std::ptrdiff_t>(n_), padded_.end(), std::complex<T>{});
    forward_->run(padded_.data(), spectrum_.data());
    for (std::size_t k = 0; k < m_; ++k) spectrum_[k] = product(spectrum_[k], kernel_[k]);
    inverse_->run(spectrum_.data(), padded_.data());
    for (std::size_t k = 0; k < n_; ++k) out[k] = product(padded_[k], chirp_[k]);
  }

 private:
  static std::complex<T> product(std::complex<T> a, std::complex<T> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
  std::size_t n_, m_;
  std::shared_ptr<const complex_fft<T>> forward_, inverse_;
  std::vector<std::complex<T>> chirp_, kernel_;
  mutable std::vector<std::complex<T>> padded_, spectrum_;
};

/// Tables of transforms, so that making the same plan again costs nothing. Forgets all when it has grown
/// large; who uses one keeps it alive.
template <class Key, class Transform>
class cache {
 public:
  template <class Make>
  std::shared_ptr<const Transform> get(const Key& key, std::size_t n, Make&& make) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(key); found != known_.end()) return found->second;
    }
    std::shared_ptr<const Transform> made = make();
    const std::lock_guard lock(mutex_);
    constexpr std::size_t most_points = std::size_t{1} << 23;
    if (points_ + n > most_points) {
      known_.clear();
      points_ = 0;
    }
    points_ += n;
    known_[key] = made;
    return made;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Transform>> known_;
  std::size_t points_ = 0;
};

}  // namespace

bool needs_chirp(std::size_t n) {
  constexpr std::size_t largest_factor = 100;
  for (std::size_t p = 2; p <= largest_factor && n > 1; ++p)
    while (n % p == 0) n /= p;
  return n > 1;
}

template <class T>
std::shared_ptr<const complex_fft<T>> complex_fft<T>::get(std::size_t n, bool inverse) {
  using key = std::tuple<std::size_t, bool>;
  static auto& known =
      *new cache<key, complex_fft<T>>;  // never destroyed: plans may be used until the very end
  return known.get({n, inverse}, n, [&]() -> std::shared_ptr<const complex_fft<T>> {
    if (needs_chirp(n)) return std::make_shared<chirp_fft<T>>(n, inverse);
    return std::make_shared<std::conditional_t<std::is_same_v<T, float>, float_fft, double_fft>>(n, inverse);
  });
}

template <class T>
std::shared_ptr<const real_fft<T>> real_fft<T>::get(std::size_t n) {
  static auto& known = *new cache<std::size_t, real_fft<T>>;
  return known.get(n, n, [n] { return std::make_shared<real_fft<T>>(n); });
}

template <class T>
real_fft<T>::real_fft(std::size_t n) : n_(n) {
  const std::size_t length = n % 2 == 0 ? n / 2 : n;
  forward_ = complex_fft<T>::get(length, false);
  inverse_ = complex_fft<T>::get(length, true);
  spectrum_.resize(length);
  signal_.resize(length);
  if (n % 2 != 0) return;
  twiddles_.resize(n / 2 + 1);
  for (std::size_t k = 0; k <= n / 2; ++k) twiddles_[k] = unit<T>(k, n, -1);
}

template <class T>
void real_fft<T>::forward(const T* in, std::complex<T>* out) const {
  if (n_ % 2 != 0) {
    for (std::size_t j = 0; j < n_; ++j) signal_[j] = in[j];
    forward_->run(signal_.data(), spectrum_.data());
    std::copy_n(spectrum_.begin(), n_ / 2 + 1, out);
    out[0].imag(0);
    return;
  }
  // Even and odd elements as real and imaginary parts: one transform of half the length gives both spectra, e
  // and o, and the whole is e + w^k o.
  const std::size_t m = n_ / 2;
  forward_->run(reinterpret_cast<const std::complex<T>*>(in), spectrum_.data());
  for (std::size_t k = 0; k <= m; ++k) {
    const std::complex<T> z = spectrum_[k % m], mirrored = std::conj(spectrum_[(m - k) % m]),
                          w = twiddles_[k];
    const std::complex<T> even = (z + mirrored) * T(0.5), difference = (z - mirrored) * T(0.5);
    const std::complex<T> odd(difference.imag(), -difference.real());
    out[k] = {even.real() + (w.real() * odd.real() - w.imag() * odd.imag()),
              even.imag() + (w.real() * odd.imag() + w.imag() * odd.real())};
  }
  // Sums of real numbers: what rounding leaves of an imaginary part is noise.
  out[0].imag(0);
  out[m].imag(0);
}

template <class T>
void real_fft<T>::inverse(const std::complex<T>* in, T* out) const {
  if (n_ % 2 != 0) {
    spectrum_[0] = in[0].real();
    for (std::size_t k = 1; k <= n_ / 2; ++k) {
      spectrum_[k] = in[k];
      spectrum_[n_ - k] = std::conj(in[k]);
    }
    inverse_->run(spectrum_.data(), signal_.data());
    for (std::size_t j = 0; j < n_; ++j) out[j] = signal_[j].real();
    return;
  }
  // forward() the other way round: e and o from the spectrum and its mirror image, even elements as real
  // parts.
  const std::size_t m = n_ / 2;
  spectrum_[0] = {in[0].real() + in[m].real(), in[0].real() - in[m].real()};
  for (std::size_t k = 1; k < m; ++k) {
    const std::complex<T> x = in[k], mirrored = std::conj(in[m - k]), w = std::conj(twiddles_[k]);
    const std::complex<T> even = x + mirrored, difference = x - mirrored;
    const T real = w.real() * difference.real() - w.imag() * difference.imag();
    const T imag = w.real() * difference.imag() + w.imag() * difference.real();
    spectrum_[k] = {even.real() - imag, even.imag() + real};
  }
  inverse_->run(spectrum_.data(), reinterpret_cast<std::complex<T>*>(out));
}

template class complex_fft<float>;
template class complex_fft<double>;
template class real_fft<float>;
template class real_fft<double>;

}  // namespace cuda_emulator
