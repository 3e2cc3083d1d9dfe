// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "pictures.hpp"

#include <algorithm>
#include <iterator>

#include "common/device/limits.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {

version_table measure_planes(chapter_run& run, const plane_work& work,
                             const std::vector<ready_version>& versions,
                             const std::function<copy_times()>& copies) {
  std::vector<ready_version> chosen;
  std::copy_if(versions.begin(), versions.end(), std::back_inserter(chosen),
               [&](const ready_version& each) { return run.wants(each.name); });
  const double pixels = work.pixels();
  version_table table;
  table.title = work.title;
  table.heading = work.title + "  " + grouped(std::uint64_t(work.width)) + " x " +
                  grouped(std::uint64_t(work.height)) + " pixels, " + work.type;
  table.too_large = grouped(std::uint64_t(pixels)) + " pixels";
  table.units = pixels;
  table.rates = {{"GB/s", [](const auto& row) { return row.bytes * 1e-6; }, {}},
                 {"Gpixel/s", [=](const auto&) { return pixels * 1e-6; }, {}}};
  table.counts = count_columns("pixel", pixels, true);
  table.described = {
      {"type", work.type}, {"width", std::to_string(work.width)}, {"height", std::to_string(work.height)}};
  table.measured = [=](const version_row& row) {
    const auto rate = [&](double amount) {
      return measured_figure(row.time.median_ms > 0 ? amount * 1e-6 / row.time.median_ms : 0);
    };
    return csv_cells{{"bytes", measured_figure(row.bytes)},
                     {"GB_per_s", rate(row.bytes)},
                     {"Gpixel_per_s", rate(pixels)},
                     {"copy_limit_ms", measured_figure(row.limit_ms)}};
  };
  // One limit for each amount of bytes that a version moves.
  run_versions(run, table, chosen, [&](const ready_version& version) {
    auto at = std::find_if(table.limits.begin(), table.limits.end(),
                           [&](const version_row& limit) { return limit.bytes == version.bytes; });
    if (at == table.limits.end())
      // What a version moves is seldom known to fewer bytes than a table can show.
      at = table.limits.insert(
          at, {.label = "limit: plain copy, " + significant(version.bytes / pixels) + " bytes/pixel",
               .bytes = version.bytes,
               .time = {.median_ms = copy_limit(std::size_t(version.bytes / 2)).time.median_ms}});
    return at->time.median_ms;
  });
  if (copies && !table.limits.empty()) {
    const copy_times times = copies();
    table.copies_ms = times.pageable_ms;
    table.pinned_copies_ms = times.pinned_ms;
  }
  return table;
}

version_table show_planes(chapter_run& run, const std::string& chapter_number, const plane_work& work,
                          const std::vector<ready_version>& versions,
                          const std::function<copy_times()>& copies) {
  version_table table = measure_planes(run, work, versions, copies);
  if (table.rows.empty()) return table;
  print(run, table);
  record(run, table, chapter_number);
  return table;
}

plane_presentation as_tables(chapter_run& run, const std::string& chapter_number) {
  return [&run, chapter_number](const auto& work, const auto& versions, const auto& copies) {
    show_planes(run, chapter_number, work, versions, copies);
  };
}

plane_presentation as_points(chapter_run& run, size_sweep& sizes) {
  return [&run, &sizes](const plane_work& work, const std::vector<ready_version>& versions, const auto&) {
    std::vector<ready_version> on_device;
    std::copy_if(versions.begin(), versions.end(), std::back_inserter(on_device),
                 [](const ready_version& each) { return each.on_device; });
    const version_table table = measure_planes(run, work, on_device);
    if (!table.rows.empty()) sizes.add_limit("copy", work.pixels(), table.rows.front().limit_ms);
    for (const version_row& row : table.rows) sizes.add(row.label, work.pixels(), row.time.median_ms);
  };
}

}  // namespace tutorial
