// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Constexpr functions of the standard library in device code. They are functions of the host to nvcc, also
// where their value is a constant, unless it gets --expt-relaxed-constexpr.
#include <string>
#include <utility>

#include "body_check.hpp"

namespace cuda_emulator::translator {
namespace {

// Each was given to nvcc, with g++'s library. Not among them are those that nvcc takes: std::move(a),
// std::forward, and most of <cmath>.
constexpr std::string_view constexpr_of_std =
    " accumulate addressof adjacent_difference adjacent_find all_of any_of apply as_const assume_aligned "
    "back_inserter begin binary_search bind_front bit_cast bit_ceil bit_floor bit_width cbegin cend clamp "
    "cmp_equal cmp_greater cmp_greater_equal cmp_less cmp_less_equal cmp_not_equal conj construct_at copy "
    "copy_backward copy_if copy_n count count_if countl_one countl_zero countr_one countr_zero crbegin "
    "cref crend data destroy destroy_at distance empty end equal equal_range exchange exclusive_scan fill "
    "fill_n find find_end find_first_of find_if find_if_not for_each for_each_n forward_as_tuple "
    "fpclassify gcd generate generate_n get get_if has_single_bit holds_alternative imag in_range "
    "includes inclusive_scan inner_product invoke iota is_constant_evaluated is_heap is_partitioned "
    "is_permutation is_sorted is_sorted_until isgreater isgreaterequal isless islessequal islessgreater "
    "isnormal isunordered iter_swap launder lcm lexicographical_compare lower_bound make_heap "
    "make_optional make_pair make_reverse_iterator make_tuple max max_element merge midpoint min "
    "min_element minmax minmax_element mismatch move_backward move_if_noexcept next next_permutation "
    "none_of norm not_fn nth_element partial_sort partial_sum partition partition_point pop_heap popcount "
    "prev prev_permutation push_heap rbegin real reduce ref remove remove_copy remove_if rend replace "
    "replace_if reverse reverse_copy rotate rotl rotr search set_difference set_intersection set_union "
    "shift_left shift_right size sort sort_heap ssize swap swap_ranges tie to_address to_array to_integer "
    "transform transform_reduce unique upper_bound visit ";

// What to write in place of some of them.
std::string instead_of(std::string_view name) {
  for (const auto& [known, advice] : {std::pair{"max", "max() without std:: is CUDA's own"},
                                      {"min", "min() without std:: is CUDA's own"},
                                      {"clamp", "use CUDA's min() and max()"},
                                      {"bit_cast", "use __float_as_int() or one of its like"},
                                      {"popcount", "use __popc()"},
                                      {"countl_zero", "use __clz()"},
                                      {"swap", "swap by a third variable"}})
    if (name == known) return advice;
  return "write it as a __device__ function";
}

}  // namespace

// The word std, and not that of cuda::std.
bool host_device_checks::body_check::is_std(place i) const {
  return text_.is(i, "std") && !(text_.is(i - 1, "::") && text_.is_name(i - 2));
}

// std::max(a, b), at the name.
bool host_device_checks::body_check::is_constexpr_of_std(place i) const {
  return text_.is(i - 1, "::") && is_std(i - 2) &&
         constexpr_of_std.find(" " + std::string(text_[i].spelling) + " ") != constexpr_of_std.npos;
}

// std::numeric_limits<float>::max(), at the name: the place of std; nowhere if it is something else.
place host_device_checks::body_check::limits_before(place i) const {
  if (!text_.is(i - 1, "::") || !text_.is(i - 2, ">")) return nowhere;
  const place open = text_.angles_begin(i - 2);
  const bool is_it = open != nowhere && open > function_.body + 3 && text_.is(open - 1, "numeric_limits") &&
                     text_.is(open - 2, "::") && is_std(open - 3);
  return is_it ? open - 3 : nowhere;
}

void host_device_checks::body_check::constexpr_of_library(place i, const std::string& shown,
                                                          const std::string& advice) {
  if (all_.relaxed_constexpr_ || !function_.is_emitted || !is_sure(i, text_[i].spelling)) return;
  const bool is_error = here() == side::device && !is_joined();
  if (!is_error && (function_.is_unchecked || (!frames_.empty() && !is_joined()))) return;
  say(is_error ? severity::error : severity::warning, i, shown,
      who() + " calls " + shown + ", a constexpr function of the host: " + advice +
          ", or compile with --expt-relaxed-constexpr");
}

// Is it a call of a constexpr function of the standard library? Then it is dealt with.
bool host_device_checks::body_check::library_call(place i) {
  const std::string name(text_[i].spelling);
  if (const place std_word = limits_before(i); std_word != nowhere) {
    constexpr_of_library(i, text_.text(std_word, i + 1) + "()",
                         "put its value into a constexpr variable outside of functions");
    return true;
  }
  if (!is_constexpr_of_std(i)) return false;
  constexpr_of_library(i, "std::" + name + "()", instead_of(name));
  return true;
}

// std::array<float, 4> v; v[0] = 3; at the second v. What the function declares twice may be something else.
void host_device_checks::body_check::collect_library_objects() {
  for (place i = function_.begin; i < end_; ++i) {
    if (!is_std(i) || !text_.is(i + 1, "::")) continue;
    if (!text_.is(i + 2, "array") && !text_.is(i + 2, "span")) continue;
    place name = text_.after_item(i + 2);
    while (text_.is(name, "&") || text_.is(name, "const")) ++name;
    if (text_.is_name(name) && !text_.is(name + 1, "[")) library_objects_[text_[name].spelling] = i + 2;
  }
  if (library_objects_.empty()) return;
  std::unordered_set<std::string_view> seen;
  for_each_declared([&](place i) {
    if (!seen.insert(text_[i].spelling).second) library_objects_.erase(text_[i].spelling);
  });
}

bool host_device_checks::body_check::library_member(place i) {
  const std::string_view word = text_[i].spelling;
  if (text_.is(i - 1, ".") || text_.is(i - 1, "->") || text_.is(i - 1, "::")) return false;
  std::string_view of_class;
  if (const auto own = library_objects_.find(word); own != library_objects_.end()) {
    of_class = text_[own->second].spelling;
  } else if (const auto found = all_.names_.find(word); found != all_.names_.end() && !own_.contains(word)) {
    const known& k = found->second;
    if (k.is_variable && k.are_alike && !k.is_other && !k.is_member && k.is_variable->is_library_array)
      of_class = "array";
  }
  if (of_class.empty()) return false;
  const bool is_called = text_.is(i + 1, ".") && text_.is_name(i + 2) && text_.is(i + 3, "(");
  if (!is_called && !text_.is(i + 1, "[")) return false;
  const std::string function = is_called ? std::string(text_[i + 2].spelling) + "()" : "operator[]";
  constexpr_of_library(i, function + " of std::" + std::string(of_class),
                       of_class == "array" ? "use a plain array" : "pass a pointer and a size");
  return true;
}

}  // namespace cuda_emulator::translator
