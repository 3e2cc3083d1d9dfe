// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "one_pass_tables.hpp"

#include <complex>
#include <vector>

#include "13_one_pass/host/roots.hpp"

namespace tutorial {
namespace {

/// exp(2 pi i p numerator(i) / denominator) for i in [0, count), p = 1, 4 and, for 32 numbers, 16.
template <class T, class Numerator>
void append_roots(std::vector<complex_pair<T>>& to, int radix, int count, int denominator,
                  const Numerator& numerator) {
  for (int power = 1; power < radix; power *= 4)
    for (int i = 0; i < count; ++i) {
      const std::complex<double> root = root_of_unity(long(power) * numerator(i), denominator);
      to.push_back({T(root.real()), T(root.imag())});
    }
}

}  // namespace

// [tables]
template <class T>
one_pass_memory<T>::one_pass_memory(const one_pass_design& design) {
  const int length = design.length, radix = design.radix(), last = design.in_a_warp ? radix : 16;
  const int blocks = length / last;
  std::vector<complex_pair<T>> roots;
  append_roots<T>(roots, last, blocks, length, [&](int b) { return reversed(b, log2_of(blocks)); });
  const std::size_t third_back = roots.size();
  append_roots<T>(roots, radix, length / radix, length, [](int t) { return t; });
  const std::size_t second_forward = roots.size();
  append_roots<T>(roots, 16, radix, 16 * radix, [&](int b) { return reversed(b, log2_of(radix)); });
  const std::size_t second_back = roots.size();
  append_roots<T>(roots, 16, 16, 256, [](int u) { return u; });
  const std::size_t filter = roots.size();
  roots.resize(filter + std::size_t(length));
  kept_ = device_buffer<complex_pair<T>>(roots);
  complex_pair<T>* const begin = kept_.data();
  tables_ = {begin + second_forward, begin, begin + second_back, begin + third_back, begin + filter};
}
// [tables]

template class one_pass_memory<float>;
template class one_pass_memory<double>;

}  // namespace tutorial
