// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "new_filter_table.hpp"

#include <optional>

#include "common/device/measure.hpp"
#include "common/device/movement_counts.hpp"
#include "common/files/numbers.hpp"

namespace tutorial {
namespace {

text_table table_for(bool emulated) {
  std::vector<text_table::column> columns = {{"version", text_table::align::left}};
  if (emulated)
    for (const char* title : {"copies", "bytes to device", "kernels", "waits"}) columns.push_back({title});
  else
    for (const char* title : {"call + wait ms", "back to back ms"}) columns.push_back({title});
  columns.push_back({"verified", text_table::align::left});
  return text_table(columns);
}

}  // namespace

new_filter_table::new_filter_table(chapter_run& run, std::string chapter, std::size_t samples,
                                   std::size_t taps, device_span<float> y)
    : run_(run),
      chapter_(std::move(chapter)),
      samples_(samples),
      taps_(taps),
      y_(y),
      table_(table_for(run.device().emulated)) {}

void new_filter_table::add(const version_name& version, const std::function<void()>& call,
                           const std::function<agreement(const std::vector<float>&)>& verify) {
  if (!run_.wants(version.name)) return;
  call();
  check(cudaDeviceSynchronize());
  poison(y_);
  const std::optional<movement_counts> moved = count_movements(call);
  std::vector<float> outputs(y_.size());
  check(cudaMemcpy(outputs.data(), y_.data(), y_.size_bytes(), cudaMemcpyDeviceToHost));
  const agreement found = verify(outputs);
  std::vector<std::string> cells = {version.label()};
  std::vector<std::pair<std::string, std::string>> record = {
      {"chapter", chapter_},           {"work", "new filter"},    {"samples", std::to_string(samples_)},
      {"taps", std::to_string(taps_)}, {"version", version.name}, {"label", version.label()}};
  if (moved) {
    cells.insert(cells.end(), {grouped(moved->copies), grouped(moved->bytes_up), grouped(moved->kernels),
                               grouped(moved->waits)});
    record.insert(record.end(), {{"copies", std::to_string(moved->copies)},
                                 {"bytes_up", std::to_string(moved->bytes_up)},
                                 {"kernels", std::to_string(moved->kernels)},
                                 {"waits", std::to_string(moved->waits)}});
  } else if (!run_.device().emulated) {
    const timing waited = measure_host([&](int) {
      call();
      check(cudaDeviceSynchronize());
    });
    const timing enqueued = measure([&](int) { call(); });
    cells.insert(cells.end(), {milliseconds(waited.median_ms), milliseconds(enqueued.median_ms)});
    record.insert(record.end(), {{"call_ms", significant(waited.median_ms, 5)},
                                 {"back_to_back_ms", significant(enqueued.median_ms, 5)}});
  } else {
    cells.resize(5);  // checking is off, and nothing is counted
  }
  cells.push_back(describe(found));
  table_.add_row(std::move(cells));
  run_.record(record);
  if (!found) run_.fail(version.label() + ": " + describe(found));
}

void new_filter_table::show() const {
  if (table_.empty()) return;
  run_.show("a new filter in every call, " + several(taps_, "tap") + ", " + grouped(samples_) +
                " float, on the device",
            table_);
}

}  // namespace tutorial
