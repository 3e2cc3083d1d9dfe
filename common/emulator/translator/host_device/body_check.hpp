// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the body of one function calls and uses.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "host_device_checks.hpp"

namespace cuda_emulator::translator {

/// int, size_t, ...: a value of it is read by what takes it, and not passed on as a reference to a class.
bool is_builtin_type(std::string_view word);

class host_device_checks::body_check {
 public:
  body_check(host_device_checks& all, const function& f, bool warn)
      : all_(all), text_(all.text_), function_(f), end_(text_.partner(f.body)), warn_(warn) {}

  void run();

 private:
  // A lambda that we are in, or one of the bodies of a function with two.
  struct frame {
    place end;
    side where;
    bool returns_value, is_lambda;
  };
  // What host code does to a variable of the device.
  enum class touch { none, read, write, address };

  side here() const { return frames_.empty() ? function_.where : frames_.back().where; }
  // In one of the two bodies of a function of both sides.
  bool is_joined() const { return !frames_.empty() && !frames_.back().is_lambda; }
  bool may_be_device() const { return here() != side::host; }

  void collect_own_names();
  void collect_library_objects();
  void for_each_declared(const std::function<void(place)>& take) const;
  bool declares(place i, const std::vector<place>& open) const;
  bool declares_behind_star(place i, const std::vector<place>& open) const;
  bool closes_angles(place i) const;
  bool ends_operand(place i) const;
  bool is_of_parameters(place open) const;

  place enter_lambda(place i, place body);
  place skip_statement(place i) const;
  void name(place i);
  void launched(place i, const known& k);
  void shifted(place i, place open, const known& k);
  void call(place i, bool is_member, const known* k);
  void stream(place i);
  bool uses_own_class(place i) const;
  void library_class(place i);
  bool is_std(place i) const;
  bool is_constexpr_of_std(place i) const;
  place limits_before(place i) const;
  bool library_call(place i);
  bool library_member(place i);
  void constexpr_of_library(place i, const std::string& shown, const std::string& advice);
  void host_variable(place i, const known& k);
  bool varies(place begin, place end) const;
  void device_variable(place i, place first, const variable& v);
  touch touched(place i, place first, const variable& v) const;
  touch touched_as_value(place left, place right, bool is_value, const variable& v) const;
  touch touched_by_call(place left) const;
  bool reads_into(place equals) const;
  bool is_address_for_runtime(place left, place right) const;

  std::string who() const;
  bool is_sure(place i, std::string_view word);
  bool is_surely_of_host(const known& name);
  void say(severity how, place i, std::string_view about, const std::string& text);

  host_device_checks& all_;
  editor& text_;
  const function& function_;
  const place end_;
  const bool warn_;
  std::vector<frame> frames_;
  std::vector<place> open_;                                      // brackets around the token
  std::unordered_set<std::string_view> own_;                     // names that the function seems to declare
  std::unordered_set<std::string_view> varying_;                 // of these, what is certainly no constant
  std::unordered_map<std::string_view, place> library_objects_;  // std::array and std::span, by name
  std::set<std::string> said_;
};

}  // namespace cuda_emulator::translator
