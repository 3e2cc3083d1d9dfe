// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <cstdio>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "case_at_work.hpp"
#include "common/files/numbers.hpp"
#include "in_parts.hpp"

namespace tutorial {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// |actual - expected|, infinity where the two cannot agree, 0 where they agree by the rule.
double error_of(double actual, double expected, non_finite rule) {
  if (std::isfinite(expected)) return std::isfinite(actual) ? std::abs(actual - expected) : infinity;
  if (rule == non_finite::is_a_mismatch) return infinity;
  const bool agree = std::isnan(expected) ? std::isnan(actual) : actual == expected;
  return agree ? 0 : infinity;
}

// What device_buffer and its like fill integers with: bytes 0xA5.
template <class T>
std::string_view poison_of(T value) {
  if constexpr (std::is_integral_v<T>)
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      if ((static_cast<std::make_unsigned_t<T>>(value) >> 8 * byte & 0xFF) != 0xA5) return "";
  return !std::is_integral_v<T> ? "" : std::string_view("0xA5A5A5A5").substr(0, 2 + 2 * sizeof(T));
}

/// agreement::looks_like, of a result that is wrong.
template <class T>
std::string_view look_of(std::span<const T> actual, std::span<const T> expected,
                         std::span<const double> bound, double each) {
  const std::size_t size = actual.size();
  const auto is_right = [&](std::size_t i, std::size_t other) {
    return std::abs(double(actual[i]) - double(expected[other])) <= (bound.empty() ? 0 : bound[i]) + each;
  };
  std::size_t wrong = 0, from_before = 0, from_behind = 0, whole = 0, zeros = 0, fractions = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const bool is_wrong = !is_right(i, i);
    wrong += is_wrong;
    from_before += i > 0 && is_right(i, i - 1);
    from_behind += i + 1 < size && is_right(i, i + 1);
    if constexpr (std::is_floating_point_v<T>) {
      whole += std::trunc(actual[i]) == actual[i];
      zeros += actual[i] == 0;
      fractions += is_wrong && std::trunc(expected[i]) != expected[i];
    }
  }
  if (size > 3 && 2 * wrong > size) {
    if (from_before == size - 1) return "It is as if element i had the value of element i - 1";
    if (from_behind == size - 1) return "It is as if element i had the value of element i + 1";
  }
  if (whole < size || 2 * fractions <= wrong) return "";
  return zeros == size
             ? "All values are 0: was nothing added, or is a sum kept in an int, which cuts off what comes "
               "behind the point?"
             : "All values are whole numbers: is one of them kept in an int, which cuts off what comes "
               "behind the point?";
}

// What was found in some of the elements.
struct finding {
  std::size_t mismatches = 0, first_index = 0, worst_index = 0;
  double worst_ratio = -1, worst_error = 0;  // the first element with the largest ratio
};

template <class T>
finding compare_part(std::span<const T> actual, std::span<const T> expected, std::span<const double> bound,
                     non_finite rule, double each, std::size_t begin, std::size_t end) {
  finding found;
  for (std::size_t i = begin; i < end; ++i) {
    const double error = error_of(double(actual[i]), double(expected[i]), rule);
    const double limit = (bound.empty() ? 0 : bound[i]) + each;
    // Written so that a NaN as bound is a mismatch unless the error is 0. No bound admits an infinite error.
    const bool matches = error == 0 || (error <= limit && error < infinity);
    if (!matches && found.mismatches++ == 0) found.first_index = i;
    const double ratio = error == 0 ? 0 : limit > 0 && error < infinity ? error / limit : infinity;
    if (ratio > found.worst_ratio) {
      found.worst_ratio = ratio;
      found.worst_index = i;
      found.worst_error = error;
    }
  }
  return found;
}

template <class T>
finding compare_in_parts(std::span<const T> actual, std::span<const T> expected,
                         std::span<const double> bound, non_finite rule, double each) {
  std::vector<finding> parts(part_count(actual.size()));
  in_parts(actual.size(), [&](std::size_t part, std::size_t begin, std::size_t end) {
    parts[part] = compare_part(actual, expected, bound, rule, each, begin, end);
  });
  finding all;
  for (const finding& part : parts) {
    const finding& worst = part.worst_ratio > all.worst_ratio ? part : all;
    all = {.mismatches = all.mismatches + part.mismatches,
           .first_index = all.mismatches > 0 ? all.first_index : part.first_index,
           .worst_index = worst.worst_index,
           .worst_ratio = worst.worst_ratio,
           .worst_error = worst.worst_error};
  }
  return all;
}

}  // namespace

template <class T>
agreement compare(std::span<const T> actual, std::span<const T> expected, std::span<const double> bound,
                  non_finite rule, double each) {
  if (actual.size() != expected.size())
    throw std::invalid_argument("compare: " + std::to_string(actual.size()) + " elements, expected " +
                                std::to_string(expected.size()));
  if (!bound.empty() && bound.size() != expected.size())
    throw std::invalid_argument("compare: " + std::to_string(bound.size()) + " bounds for " +
                                std::to_string(expected.size()) + " elements");
  const finding found = compare_in_parts(actual, expected, bound, rule, each);
  agreement result;
  result.size = actual.size();
  result.mismatches = found.mismatches;
  result.first_index = found.first_index;
  result.worst_index = found.worst_index;
  result.worst_error = found.worst_error;
  if (result.size != 0) {
    const std::size_t at = result.worst_index;
    result.worst_bound = (bound.empty() ? 0 : bound[at]) + each;
    result.worst_actual = double(actual[at]);
    result.worst_expected = double(expected[at]);
  }
  if (result.size != 0 && result.worst_error != 0) result.poison = poison_of(actual[result.worst_index]);
  if (result.mismatches > 0 && result.poison.empty() && !std::isnan(result.worst_actual))
    result.looks_like = look_of(actual, expected, bound, each);
  return result;
}

template agreement compare<std::int32_t>(std::span<const std::int32_t>, std::span<const std::int32_t>,
                                         std::span<const double>, non_finite, double);
template agreement compare<std::int16_t>(std::span<const std::int16_t>, std::span<const std::int16_t>,
                                         std::span<const double>, non_finite, double);
template agreement compare<std::uint8_t>(std::span<const std::uint8_t>, std::span<const std::uint8_t>,
                                         std::span<const double>, non_finite, double);
template agreement compare<float>(std::span<const float>, std::span<const float>, std::span<const double>,
                                  non_finite, double);
template agreement compare<double>(std::span<const double>, std::span<const double>, std::span<const double>,
                                   non_finite, double);

std::string describe(const agreement& result, std::string_view whence_nan) {
  if (result.size == 0) return "nothing to compare";
  char text[200];
  if (result) {
    if (result.worst_error == 0) return "exact";
    std::snprintf(text, sizeof text, "error %.2g <= %.2g", result.worst_error, result.worst_bound);
    return text;
  }
  if (std::isnan(result.worst_actual) || !result.poison.empty()) {
    const std::string got(result.poison.empty() ? "NaN" : result.poison);
    std::snprintf(text, sizeof text,
                  "WRONG: %s of %s, the first at index %zu; got %s at index %zu, expected %.9g",
                  grouped(result.mismatches).c_str(), grouped(result.size).c_str(), result.first_index,
                  got.c_str(), result.worst_index, result.worst_expected);
    if (!whence_nan.empty()) return text + (": " + std::string(whence_nan));
    return text + (". The output is filled with " + got + " before the call: was it never written?");
  }
  std::string where = "the first at index " + std::to_string(result.first_index);
  if (result.worst_index != result.first_index)
    where += ", the worst at index " + std::to_string(result.worst_index);
  std::snprintf(text, sizeof text, "WRONG: %s of %s, %s: got %.9g, expected %.9g",
                grouped(result.mismatches).c_str(), grouped(result.size).c_str(), where.c_str(),
                result.worst_actual, result.worst_expected);
  std::string all = text;
  if (result.worst_bound > 0 && std::isfinite(result.worst_error)) {
    // Of compare_as_a_whole(): all errors together.
    const bool of_all = result.worst_error != std::abs(result.worst_actual - result.worst_expected);
    std::snprintf(text, sizeof text, ", %s by %.2g, and %.2g is allowed",
                  of_all ? "off in total (the norm of all errors)" : "off", result.worst_error,
                  result.worst_bound);
    all += text;
  }
  if (!result.looks_like.empty()) all += ". " + std::string(result.looks_like);
  return all;
}

std::string bytes_forgotten(const agreement& result, std::size_t bytes) {
  const bool never_written = std::isnan(result.worst_actual) || !result.poison.empty();
  const std::size_t right = bytes < 2 ? 0 : result.size / bytes;
  if (right == 0 || !never_written || result.first_index != right || result.mismatches != result.size - right)
    return "";
  const std::string part = bytes == 2 ? "half" : bytes == 4 ? "quarter" : "1/" + std::to_string(bytes);
  return leading_to("last_copy",
                    "only the first " + part + " is right, which is what a copy of " +
                        std::to_string(result.size) +
                        " bytes brings. Its size counts bytes, not elements: elements times sizeof()");
}

}  // namespace tutorial
