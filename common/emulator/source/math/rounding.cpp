// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "emulator/math/rounding.hpp"

#include <cfenv>

namespace cuda_emulator {
namespace {

/// The CPU rounds in this direction as long as it lives.
class rounding_mode {
 public:
  explicit rounding_mode(rounding direction) : before_(std::fegetround()) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    std::fesetround(modes[static_cast<int>(direction)]);
  }
  ~rounding_mode() { std::fesetround(before_); }
  rounding_mode(const rounding_mode&) = delete;

 private:
  int before_;
};

// volatile: the compiler knows nothing of rounding modes, and would compute before the mode is set.
template <class T>
T compute(rounded_operation operation, rounding direction, T first, T second, T third) {
  const rounding_mode mode(direction);
  volatile T a = first, b = second, c = third;
  volatile T result = 0;
  switch (operation) {
    case rounded_operation::add:
      result = a + b;
      break;
    case rounded_operation::subtract:
      result = a - b;
      break;
    case rounded_operation::multiply:
      result = a * b;
      break;
    case rounded_operation::divide:
      result = a / b;
      break;
    case rounded_operation::fuse:
      result = std::fma(a, b, c);
      break;
    case rounded_operation::root:
      result = std::sqrt(a);
      break;
    case rounded_operation::inverse_root: {
      // A result halfway between two floats does not exist, and with 64 bits none is near enough to matter.
      volatile long double wide = 1.0L / std::sqrt(static_cast<long double>(a));
      result = static_cast<T>(wide);
      break;
    }
  }
  return result;
}

template <class To, class From>
To convert(rounding direction, From x) {
  const rounding_mode mode(direction);
  volatile From from = x;
  volatile To result = static_cast<To>(from);
  return result;
}

}  // namespace

float rounded(rounded_operation operation, rounding direction, float a, float b, float c) {
  return compute(operation, direction, a, b, c);
}
double rounded(rounded_operation operation, rounding direction, double a, double b, double c) {
  return compute(operation, direction, a, b, c);
}

float to_float(rounding direction, double x) { return convert<float>(direction, x); }
float to_float(rounding direction, long long x) { return convert<float>(direction, x); }
float to_float(rounding direction, unsigned long long x) { return convert<float>(direction, x); }
double to_double(rounding direction, long long x) { return convert<double>(direction, x); }
double to_double(rounding direction, unsigned long long x) { return convert<double>(direction, x); }

}  // namespace cuda_emulator
