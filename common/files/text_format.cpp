// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "array_formats.hpp"
#include "input_error.hpp"

namespace tutorial::detail {
namespace {

using std::filesystem::path;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// As it stands in the file, but fit for one line of a message.
std::string quoted(std::string_view token) {
  std::string text = "'";
  for (const char c : token.substr(0, 30)) text += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  return text + (token.size() > 30 ? "...'" : "'");
}

// Reads one number of text: std::from_chars, except that it takes a leading + and rounds what is too small
// to 0.
template <class Number>
std::errc parse_number(std::string_view token, Number& value) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (end != token.data() + token.size()) return std::errc::invalid_argument;
  if constexpr (std::is_floating_point_v<Number>) {
    if (error == std::errc::result_out_of_range) {
      // "Out of range" is said of 1e-999 as well as of 1e999.
      const double wide = std::strtod(std::string(token).c_str(), nullptr);
      value = Number(wide);
      if (std::abs(wide) <= 1) return {};
    }
  }
  return error;
}

template <class T>
conversion parse_element(std::string_view token, T& value, bool& is_number) {
  is_number = true;
  if constexpr (std::is_integral_v<T>) {
    const std::errc error = parse_number(token, value);
    if (error == std::errc()) return conversion::fits;
    if (error == std::errc::result_out_of_range) return conversion::out_of_range;
    double wide = 0;  // "3.0" and "1e3" are whole numbers too
    const std::errc wide_error = parse_number(token, wide);
    if (wide_error == std::errc::result_out_of_range) return conversion::out_of_range;
    is_number = wide_error == std::errc();
    return convert(wide, value);
  } else {
    const std::errc error = parse_number(token, value);
    is_number = error != std::errc::invalid_argument;
    return error == std::errc::result_out_of_range ? conversion::out_of_range : conversion::fits;
  }
}

}  // namespace

template <class T>
std::vector<T> parse_text(std::string_view bytes, const path& file) {
  std::size_t line = 1;
  const auto fail = [&](const std::string& what) {
    throw input_error(file.string() + ":" + std::to_string(line) + ": " + what);
  };
  if (bytes.empty())
    throw input_error(file.string() + ": the file is empty: write at least one number into it");
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    fail("this is UTF-16 text: save it as UTF-8");
  if (bytes.starts_with("\x93NUMPY")) fail("this is an .npy file: rename it so that it ends in .npy");
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);

  std::vector<T> values;
  bool number_expected = true;  // after a comma, and where a line begins
  for (std::size_t i = 0; i < bytes.size();) {
    const char c = bytes[i];
    if (c == '\n') {
      ++line;
      ++i;
      number_expected = true;
    } else if (is_space(c)) {
      ++i;
    } else if (c == '#') {
      i = std::min(bytes.find('\n', i), bytes.size());
    } else if (c == ',') {
      // Skipping it would move every later sample by one.
      if (number_expected) fail("a number is missing before a comma: write it, or nan");
      number_expected = true;
      ++i;
    } else {
      std::size_t end = i;
      while (end < bytes.size() && bytes[end] != ',' && bytes[end] != '\n' && bytes[end] != '#' &&
             !is_space(bytes[end]))
        ++end;
      const std::string_view token = bytes.substr(i, end - i);
      T value{};
      bool is_number = false;
      const conversion result = parse_element(token, value, is_number);
      if (!is_number)
        fail(quoted(token) + " is no number" +
             (token.find(';') != token.npos ? ": separate numbers by white space or commas, not by ;"
              : values.empty()              ? ": if this line is a heading, put # in front of it"
                               : ": numbers are separated by white space or commas, # begins a comment"));
      if (result == conversion::not_whole) fail(quoted(token) + " is not a whole number: use --type double");
      if (result == conversion::out_of_range)
        fail(quoted(token) + " does not fit into " + std::string(name(element_type_of<T>())) +
             (std::is_same_v<T, double> ? ": write inf if you mean infinity" : ": use --type double"));
      values.push_back(value);
      number_expected = false;
      i = end;
    }
  }
  if (values.empty())
    throw input_error(file.string() + ": there is no number in it, only blanks or comments");
  return values;
}

template <class T>
std::string print_text(std::span<const T> values) {
  std::string text;
  text.reserve(values.size() * (sizeof(T) == 8 ? 20 : 12));
  char buffer[40];
  for (const T value : values) {
    if (std::isfinite(double(value)))
      text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
    else
      text += std::isnan(double(value)) ? "nan" : double(value) < 0 ? "-inf" : "inf";
    text += '\n';
  }
  return text;
}

template std::vector<std::int32_t> parse_text(std::string_view, const path&);
template std::vector<float> parse_text(std::string_view, const path&);
template std::vector<double> parse_text(std::string_view, const path&);
template std::string print_text(std::span<const std::int32_t>);
template std::string print_text(std::span<const float>);
template std::string print_text(std::span<const double>);

}  // namespace tutorial::detail
