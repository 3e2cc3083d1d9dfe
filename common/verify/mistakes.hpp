// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What is wrong on purpose: each mistake is said once, in an enum of a broken.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "child_process.hpp"

namespace tutorial::broken {

/// From a mistake that is chosen while the program runs to the kernel that was compiled with it: calls
/// `function` with std::integral_constant<Mistake, made>, if `made` is one of First to Last. Returns whether
/// it is.
template <auto First, auto Last, class Mistake, class Function>
bool with_mistakes(Mistake made, const Function& function) {
  constexpr int first = static_cast<int>(First);
  return [&]<int... Behind>(std::integer_sequence<int, Behind...>) {
    return ((made == Mistake(first + Behind)
                 ? (function(std::integral_constant<Mistake, Mistake(first + Behind)>{}), true)
                 : false) ||
            ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(Last) - first + 1>{});
}

/// As the source names that value; empty where no enumerator has it.
template <auto Value>
std::string_view name_in_source() {
  // "... [with auto Value = tutorial::broken::mistake::none; ...]", or "(tutorial::broken::mistake)20" in it
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("Value = ") + 8);
  name = name.substr(0, name.find_first_of(";]"));
  return name.front() == '(' ? std::string_view() : name.substr(name.rfind(':') + 1);
}

/// All mistakes of an enum that counts from 0, of 64 at most, each with its name.
template <class Mistake>
std::vector<std::pair<std::string, Mistake>> all_mistakes() {
  std::vector<std::pair<std::string, Mistake>> all;
  [&]<int... Numbers>(std::integer_sequence<int, Numbers...>) {
    (all.emplace_back(name_in_source<Mistake(Numbers)>(), Mistake(Numbers)), ...);
  }
  (std::make_integer_sequence<int, 64>{});
  std::erase_if(all, [](const auto& each) { return each.first.empty(); });
  return all;
}

/// A mistake that the emulated device names, and that the chapter's program shows as one of its variants.
struct shown_mistake {
  std::string name;                  ///< For --variant.
  std::string description;           ///< For --list.
  std::string message;               ///< What the finding says.
  std::function<std::size_t()> use;  ///< Makes it once, and returns how many results are wrong.
};

/// Of an enum's mistakes those with these descriptions and messages. wrong(made) makes one.
template <class Mistake>
std::vector<shown_mistake> shown(std::size_t (*wrong)(Mistake),
                                 std::initializer_list<std::tuple<Mistake, const char*, const char*>> rows) {
  std::vector<shown_mistake> all;
  for (const auto& [made, description, message] : rows)
    for (const auto& [name, value] : all_mistakes<Mistake>())
      if (value == made)
        all.push_back({name, description, message, [wrong, made = made] { return wrong(made); }});
  return all;
}

/// Those that the emulated device does not name, with `behind` after the message and `also` anywhere, and
/// what was said instead. A finding ends the program, so each is made by a process of its own.
inline std::string not_named(const std::vector<shown_mistake>& all,
                             const std::string& behind = " in kernel broken_", const std::string& also = "") {
  std::string failures;
  for (const shown_mistake& each : all) {
    const child_result child = run_myself("--no-check --variant " + each.name);
    const auto says = [&](const std::string& text) { return child.output.find(text) != child.output.npos; };
    if (child.status != 1 || !says(each.message + behind) || !says(also))
      failures += each.name + ": status " + std::to_string(child.status) + ": " + child.output + "\n";
  }
  return failures;
}

}  // namespace tutorial::broken
