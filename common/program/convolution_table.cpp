// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "common/device/limits.hpp"
#include "common/show/console.hpp"
#include "common/verify/inputs.hpp"
#include "convolution_chapter.hpp"
#include "convolution_print.hpp"
#include "convolution_task.hpp"
#include "size_sweep.hpp"

namespace tutorial {
namespace {

using detail::convolution_task;

// Measured once per run of the program: it depends on nothing else.
template <class T>
double fma_rate() {
  static const double rate = fma_limit<T>();
  return rate;
}

// A version on the device is timed on buffers that take turns, so that no call finds its signal in the cache.
template <class T>
timing time_on_device(const convolution_variant& variant, const convolution_task<T>& task,
                      std::size_t offset) {
  const int sets = buffer_sets((task.x.size() + task.outputs()) * sizeof(T));
  const device_buffer<T> h(task.h);
  std::vector<detail::placed_buffers<T>> buffers;
  for (int s = 0; s < sets; ++s) buffers.emplace_back(task, offset);
  const auto& convolve = std::get<device_convolution<T>>(variant.on_device);
  detail::prepare<T>(variant, h.span(), task);
  return measure([&](int i) {
    const detail::placed_buffers<T>& set = buffers[std::size_t(i % sets)];
    convolve(set.x, h.span(), set.y, task.mode);
  });
}

// On the host likewise: buffers take turns, half a GiB in all, more than the caches of a large processor hold.
template <class T>
timing time_on_host(const convolution_variant& variant, const convolution_task<T>& task) {
  const std::size_t bytes = (task.x.size() + task.outputs()) * sizeof(T);
  const std::size_t sets = std::clamp<std::size_t>((std::size_t{1} << 29) / bytes, 1, 64);
  const std::vector<std::vector<T>> x(sets, task.x);
  std::vector<std::vector<T>> y(sets, std::vector<T>(task.outputs()));
  const auto& convolve = std::get<host_convolution<T>>(variant.on_host);
  return measure_host([&](int i) {
    const std::size_t set = std::size_t(i) % sets;
    convolve(x[set], task.h, y[set], task.mode);
  });
}

// Signal and filter there, output back: as a program does that has its data in ordinary memory.
template <class T>
timing time_of_copies(const convolution_task<T>& task) {
  device_buffer<T> x(task.x.size()), h(task.h.size()), y(task.outputs());
  std::vector<T> result(task.outputs());
  return measure_host([&](int) {
    x.copy_from(task.x);
    h.copy_from(task.h);
    check(cudaMemcpy(result.data(), y.data(), result.size() * sizeof(T), cudaMemcpyDeviceToHost));
  });
}

template <class T>
convolution_row make_row(const convolution_variant& variant, const convolution_task<T>& task,
                         std::size_t offset, bool timed) {
  convolution_row row{variant.name, variant.label};
  row.on_device = variant.runs_on_device;
  const std::vector<T> y = variant.runs_on_device ? detail::run_on_device(variant, task, row.launches, offset)
                                                  : detail::run_on_host(variant, task);
  row.verified = task.verify(variant, y);
  row.counts = sum(row.launches);
  row.loads_per_output = double(row.counts.global_loads) / double(task.outputs());
  // A wrong version has no time worth telling.
  if (timed && row.verified)
    row.time = variant.runs_on_device ? time_on_device(variant, task, offset) : time_on_host(variant, task);
  return row;
}

template <class T>
convolution_table make_table(const convolution_work& work,
                             const std::vector<const convolution_variant*>& variants,
                             const host_convolutions& reference, bool emulated, bool with_copies) {
  const bool any_on_device =
      std::any_of(variants.begin(), variants.end(), [](const auto* each) { return each->runs_on_device; });
  const bool timed = !emulated || !any_on_device;

  progress progress(work.title, variants.size() + 2);
  progress.step("reference");
  const auto task =
      detail::make_task<T>(random_signal<T>(work.samples), random_taps<T>(work.taps), work.mode, reference);
  convolution_table table;
  table.work = work;
  table.outputs = task.outputs();
  table.products = product_count(work.samples, work.taps, work.mode);
  if (timed && any_on_device) {
    progress.step("limits");
    const std::size_t bytes = (work.samples + work.taps + table.outputs) * sizeof(T);
    table.copy_ms = copy_limit(bytes / 2).time.median_ms;  // reads one half and writes the other
    table.fma_ms = 2 * table.products / fma_rate<T>() * 1e3;
    table.limit_ms = std::max(table.copy_ms, table.fma_ms);
    if (with_copies) table.copies_ms = time_of_copies(task).median_ms;
  }
  for (const convolution_variant* variant : variants) {
    progress.step(variant->label);
    if (table.products > variant->max_products) {
      table.rows.push_back({.variant = variant->name, .label = variant->label, .skipped = true});
      continue;
    }
    table.rows.push_back(make_row(*variant, task, work.offset, timed));
    convolution_row& row = table.rows.back();
    if (row.on_device && row.time.median_ms > 0) row.of_limit = table.limit_ms / row.time.median_ms;
  }
  return table;
}

}  // namespace

convolution_table convolution_demo::compute(const convolution_work& work,
                                            const std::vector<std::string>& names, bool with_copies) {
  std::vector<const convolution_variant*> chosen;
  for (const convolution_variant& each : parts_.variants) {
    const bool named = names.empty() || std::find(names.begin(), names.end(), each.name) != names.end();
    if (named && run_.wants(each.name) && each.supports(work.type)) chosen.push_back(&each);
  }
  return with_type(work.type, [&]<class T>(T) {
    return make_table<T>(work, chosen, parts_.reference, emulated(), with_copies);
  });
}

void convolution_demo::fail_where_wrong(const convolution_table& table) {
  for (const convolution_row& row : table.rows)
    if (!row.skipped && !row.verified)
      run_.fail("work " + table.work.title + ", " + row.label + ": " + describe(row.verified));
}

convolution_table convolution_demo::table(const convolution_work& work,
                                          const std::vector<std::string>& names) {
  convolution_table result = compute(work, names, true);
  print(run_, result);
  explain(run_, parts_, result);
  record(run_, result, parts_.number);
  fail_where_wrong(result);
  return result;
}

convolution_table convolution_demo::quiet_table(const convolution_work& work,
                                                const std::vector<std::string>& names) {
  convolution_table result = compute(work, names, false);
  fail_where_wrong(result);
  return result;
}

void convolution_demo::draw_sizes(
    const std::vector<std::string>& variants, const std::string& name,
    const std::function<bool(const std::string& variant, const convolution_work& work)>& fits) {
  if (run_.options().picture.empty()) return;
  // A version that is out of the race may not hold up the others: the next size takes four times as long.
  constexpr double patience_ms = 100;
  const auto sweep = [&](const std::string& title, element_type type, std::size_t taps, convolution_mode mode,
                         std::size_t longest, const std::string& picture) {
    size_sweep sizes(title, parts_.number + " " + parts_.title + ": " + title, "samples");
    std::vector<std::string> present = variants;
    for (const std::size_t samples : growing_sizes(1024, longest)) {
      const convolution_work work{title, type, samples, taps, mode};
      std::erase_if(
          present, [&](const std::string& each) { return !run_.wants(each) || (fits && !fits(each, work)); });
      if (present.empty()) break;
      const convolution_table table = quiet_table(work, present);
      sizes.add_limit("copy", double(samples), table.copy_ms);
      for (const convolution_row& row : table.rows) {
        sizes.add(row.label, double(samples), row.time.median_ms);
        if (row.time.median_ms > patience_ms) std::erase(present, row.variant);
      }
    }
    sizes.show(run_, picture);
  };
  sweep("5 taps, doubles", element_type::float64, 5, convolution_mode::same, std::size_t{1} << 26, name);
  sweep("1025 taps, floats", element_type::float32, 1025, convolution_mode::full, std::size_t{1} << 24,
        "long");
}

}  // namespace tutorial
