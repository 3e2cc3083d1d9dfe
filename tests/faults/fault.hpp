// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The mistakes of a chapter's broken.cu, each to be used once by itself: so that tools which watch a program
// can be held against each other (docs/faults.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/verify/mistakes.hpp"

namespace tutorial {

/// What a check says of a mistake: nothing, if it accepts it.
struct refusal {
  std::string by;    ///< Which kind of check refuses it: one of those in docs/faults.md.
  std::string line;  ///< Its words.
};

struct fault {
  std::string name;  ///< As in broken.hpp.
  /// One use, on arrays that end where the data ends: "" if the result is right, else what is wrong with it.
  std::function<std::string()> use;
  /// Goes through the checks of the chapter; the first that refuses.
  std::function<refusal()> check;
};

/// All of the chapter that this program is for, in the order of its broken.hpp.
std::vector<fault> faults();

/// Each mistake of an enum, as make(name, made) describes it.
template <class Mistake, class Make>
std::vector<fault> each_fault(const Make& make) {
  std::vector<fault> all;
  for (const auto& [name, made] : broken::all_mistakes<Mistake>()) all.push_back(make(name, made));
  return all;
}

/// One whose checks are its use.
inline fault fault_of(std::string name, const std::function<std::string()>& use) {
  return {std::move(name), use, [use] {
            const std::string wrong = use();
            return wrong.empty() ? refusal{} : refusal{"results", wrong};
          }};
}

/// "12 pixels"; "" for none.
inline std::string wrong_ones(std::size_t count, const std::string& what) {
  return count == 0 ? "" : std::to_string(count) + " " + what;
}

/// The first of these failures as a refusal; nothing if there are none.
inline refusal refused_by(const std::string& by, const std::vector<std::string>& failures) {
  return failures.empty() ? refusal{} : refusal{by, failures.front()};
}

/// The first that refuses.
template <class First, class... Others>
refusal first_refusal(const First& first, const Others&... others) {
  if (const refusal found = first(); !found.by.empty()) return found;
  if constexpr (sizeof...(Others) > 0)
    return first_refusal(others...);
  else
    return {};
}

}  // namespace tutorial
