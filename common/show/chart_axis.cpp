// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "chart_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "common/files/numbers.hpp"

namespace tutorial::detail {
namespace {

bool logarithmic(axis_scale scale) { return scale != axis_scale::linear; }

// Powers are made so and not by pow(), whose last digit differs between libraries.
double power_of_ten(int exponent) { return std::strtod(("1e" + std::to_string(exponent)).c_str(), nullptr); }

/// The round number (1, 2 or 5 times a power of ten) next to `value`, not above it, or not below it.
double round_number(double value, bool up) {
  const int exponent = int(std::floor(std::log10(value)));
  double below = 0;
  for (int e = exponent - 1; e <= exponent + 1; ++e)
    for (const double digit : {1.0, 2.0, 5.0}) {
      // So that 0.2 finds itself, whether it is written 0.2 or computed as 2 * 0.1.
      const double candidate = digit * power_of_ten(e);
      if (up && candidate >= value * (1 - 1e-9)) return candidate;
      if (candidate <= value * (1 + 1e-9)) below = candidate;
    }
  return up ? 10 * power_of_ten(exponent) : below;
}

std::string superscript(int exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return (exponent < 0 ? "⁻" : "") + text;
}

// With commas between thousands, as in tables.
std::string plain(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  if (!whole) return exact_digits(value);
  return (value < 0 ? "-" : "") + grouped(std::uint64_t(std::abs(value)));
}

std::vector<chart_tick> linear_ticks(double low, double high) {
  const double step = round_number((high - low) / 6, true);
  const int decimals = std::max(0, -int(std::floor(std::log10(step) + 1e-9)));
  std::vector<chart_tick> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) {
    const double value = i == 0 ? 0 : i * step;  // no -0
    ticks.push_back({value, decimals > 0 && std::abs(value) < 1e6 ? fixed(value, decimals)
                                                                  : plain(std::round(value / step) * step)});
  }
  return ticks;
}

std::string decimal_label(int digit, int exponent) {
  if (-4 <= exponent && exponent <= 5)
    return plain(std::strtod((std::to_string(digit) + "e" + std::to_string(exponent)).c_str(), nullptr));
  return (digit == 1 ? "" : std::to_string(digit) + "×") + "10" + superscript(exponent);
}

std::vector<chart_tick> decimal_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  const int every = std::max(1, int(std::ceil(decades / 9)));
  std::vector<chart_tick> ticks;
  int labeled = 0;
  for (int e = int(std::floor(std::log10(low))) - 1; e <= int(std::ceil(std::log10(high))); ++e)
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * power_of_ten(e);
      if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
      const bool named = digit == 1 ? e % every == 0 : decades <= 3.2 && (digit == 2 || digit == 5);
      if (digit != 1 && decades > 6) continue;
      labeled += named;
      ticks.push_back({value, named ? decimal_label(digit, e) : ""});
    }
  return labeled >= 3 ? ticks : linear_ticks(low, high);
}

std::vector<chart_tick> binary_ticks(double low, double high) {
  const int first = int(std::ceil(std::log2(low) - 1e-9)), last = int(std::floor(std::log2(high) + 1e-9));
  if (last - first < 2) return linear_ticks(low, high);
  const int every = (last - first) / 10 + 1;
  std::vector<chart_tick> ticks;
  for (int e = first; e <= last; ++e) {
    const bool small = -4 <= e && e <= 13;
    if ((e - first) % every == 0)
      ticks.push_back({std::exp2(e), small ? plain(std::exp2(e)) : "2" + superscript(e)});
  }
  return ticks;
}

// A little more than the data need, out to the next round number.
double automatic_low(axis_scale scale, double low, double high) {
  switch (scale) {
    case axis_scale::log2:
      return std::exp2(std::floor(std::log2(low) - 0.1));
    case axis_scale::log10:
      return round_number(low * std::pow(low / high, 0.03) / 1.05, false);
    default: {
      if (low >= 0 && low < high / 2) return 0;  // lengths of bars and times start at nothing
      const double step = round_number((high - low) / 6, true);
      return std::floor((low - 0.02 * (high - low)) / step) * step;
    }
  }
}

double automatic_high(axis_scale scale, double low, double high) {
  switch (scale) {
    case axis_scale::log2:
      return std::exp2(std::ceil(std::log2(high) + 0.1));
    case axis_scale::log10:
      return round_number(high * std::pow(high / low, 0.03) * 1.05, true);
    default: {
      const double step = round_number((high - std::min(low, high)) / 6, true);
      return std::ceil((high + 0.02 * (high - low)) / step) * step;
    }
  }
}

}  // namespace

double settled_axis::place(double value) const {
  if (logarithmic(scale)) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

void require_range(const chart_axis& axis) {
  for (const auto& given : {axis.low, axis.high})
    if (given && (!std::isfinite(*given) || (logarithmic(axis.scale) && *given <= 0)))
      throw std::invalid_argument("the axis '" + axis.label + "' cannot begin or end at " +
                                  exact_digits(*given));
  if (axis.low && axis.high && *axis.low >= *axis.high)
    throw std::invalid_argument("the axis '" + axis.label + "' begins at " + exact_digits(*axis.low) +
                                " and does not end above it");
}

settled_axis settle(const chart_axis& axis, const std::vector<double>& values) {
  auto [least, most] = std::minmax_element(values.begin(), values.end());
  double low = axis.low.value_or(*least), high = axis.high.value_or(*most);
  if (low >= high) {  // one value only: room on both sides
    const double room = logarithmic(axis.scale) ? 0 : std::max(std::abs(low) / 2, 1e-3);
    if (!axis.high) high = logarithmic(axis.scale) ? low * 2 : low + room;
    if (!axis.low) low = logarithmic(axis.scale) ? high / 4 : low - room;
  }
  settled_axis result{axis.scale, low, high, {}};
  if (!axis.low) result.low = automatic_low(axis.scale, low, high);
  if (!axis.high) result.high = automatic_high(axis.scale, result.low, high);
  result.ticks = axis.scale == axis_scale::linear ? linear_ticks(result.low, result.high)
                 : axis.scale == axis_scale::log2 ? binary_ticks(result.low, result.high)
                                                  : decimal_ticks(result.low, result.high);
  return result;
}

}  // namespace tutorial::detail
