// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Mistakes as variants of a chapter's program.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "chapter.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/mistakes.hpp"

namespace tutorial {

/// Adds them to what --variant may name.
inline void add_mistakes(std::vector<chapter_variant>& all,
                         const std::vector<broken::shown_mistake>& mistakes) {
  for (const broken::shown_mistake& each : mistakes) all.push_back({each.name, each.description});
}

/// Where --variant names one of them: makes it, and says how many `results` ("Outputs") are wrong. Returns
/// whether it does.
inline bool show_mistake(chapter_run& run, const std::vector<broken::shown_mistake>& mistakes,
                         std::string_view results) {
  const auto wanted = std::ranges::find(mistakes, run.options().variant, &broken::shown_mistake::name);
  if (wanted == mistakes.end()) return false;
  run.say(wanted->description);
  const std::size_t wrong = wanted->use();
  run.say(std::string(results) + " that are wrong this time: " + grouped(wrong));
  return true;
}

}  // namespace tutorial
