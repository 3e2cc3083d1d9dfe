// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "convolution_chapter.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "convolution_own_data.hpp"

namespace tutorial {
namespace {

bool all_on_host(const std::vector<convolution_variant>& variants) {
  return std::none_of(variants.begin(), variants.end(), [](const auto& each) { return each.runs_on_device; });
}

}  // namespace

bool convolution_variant::supports(element_type type) const {
  return with_type(type, [&]<class T>(T) {
    return runs_on_device ? bool(std::get<device_convolution<T>>(on_device))
                          : bool(std::get<host_convolution<T>>(on_host));
  });
}

const convolution_row* convolution_table::find(std::string_view variant) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const convolution_row& row) {
    return row.variant == variant && !row.skipped;
  });
  return at == rows.end() ? nullptr : &*at;
}

// An emulated device is thousands of times slower than a GPU: the same work, but less of it. What runs on the host
// alone runs at full size everywhere.
convolution_work convolution_demo::work_a() const {
  const bool reduced = emulated() && !all_on_host(parts_.variants);
  return {reduced ? "A, reduced" : "A", element_type::float64, reduced ? 100'000u : 10'000'000u, 5,
          convolution_mode::same};
}

convolution_work convolution_demo::work_b() const {
  const bool reduced = emulated() && !all_on_host(parts_.variants);
  return {reduced ? "B, reduced" : "B", element_type::float32, reduced ? 2048u : 1u << 24,
          reduced ? 257u : 1025u, convolution_mode::full};
}

chapter convolution_chapter(convolution_chapter_parts given) {
  if (given.variants.empty()) throw std::invalid_argument("convolution_chapter: no variants");
  if (given.default_variant.empty()) given.default_variant = given.variants.back().name;
  // Shared, because the two functions below outlive this call.
  const auto parts = std::make_shared<const convolution_chapter_parts>(std::move(given));
  chapter result{.number = parts->number,
                 .name = parts->name,
                 .title = parts->title,
                 .next = parts->next,
                 .accepts = own_data::convolution,
                 .picture = parts->picture,
                 .explains = std::any_of(parts->variants.begin(), parts->variants.end(),
                                         [](const auto& each) { return bool(each.explain); })};
  for (const convolution_variant& each : parts->variants) result.variants.push_back({each.name, each.label});
  result.demo = [parts](chapter_run& run) {
    convolution_demo demo(run, *parts);
    parts->demo(demo);
  };
  result.on_own_data = [parts](chapter_run& run) { convolve_own_data(run, *parts); };
  return result;
}

}  // namespace tutorial
