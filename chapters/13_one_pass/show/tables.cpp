// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "07_fft_convolution/host/fft_rounding.hpp"
#include "12_there_and_back/show/new_filter_table.hpp"
#include "13_one_pass/checks/broken.hpp"
#include "13_one_pass/fastest_convolution.hpp"
#include "13_one_pass/host/roots.hpp"
#include "13_one_pass/kernels/pieces.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"
#include "common/show/console.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

/// As many outputs as four segments of 4,096 samples have where the device counts: none is empty.
convolution_work long_filter(const convolution_demo& demo, std::size_t taps) {
  convolution_work work = demo.work_b();
  work.taps = taps;
  if (demo.emulated()) work.samples = std::size_t{4} * 3072 - (taps - 1);
  return work;
}

/// A pass of 16 numbers by four threads with four numbers each: neighbors, or numbers four apart.
complex_numbers<float> pass_of_four(const complex_numbers<float>& x, bool neighbors, bool forward) {
  complex_numbers<float> result(x.size());
  for (int t = 0; t < 4; ++t) {
    const auto place = [&](int k) { return std::size_t(neighbors ? 4 * t + k : t + 4 * k); };
    complex_numbers<float> own;
    for (int k = 0; k < 4; ++k) own.push_back(x[place(k)]);
    const double turns = neighbors == forward ? (forward ? reversed(t, 2) : t) / 16.0 : 0;
    run_pass<float>(own, forward, turns);
    for (int k = 0; k < 4; ++k) result[place(k)] = own[std::size_t(k)];
  }
  return result;
}

}  // namespace

void show_walk(chapter_run& run) {
  constexpr int a[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3},
                b[16] = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5};
  complex_numbers<float> x, h(16, {0, 0});
  for (int p = 0; p < 16; ++p) x.push_back({float(a[p]), float(b[p])});
  h[0].x = 1.0f / 16, h[1].x = -1.0f / 16;
  const complex_numbers<float> first = pass_of_four(x, false, true), second = pass_of_four(first, true, true),
                               filter = pass_of_four(pass_of_four(h, false, true), true, true);
  complex_numbers<float> products;
  for (std::size_t p = 0; p < 16; ++p)
    products.push_back({second[p].x * filter[p].x - second[p].y * filter[p].y,
                        second[p].x * filter[p].y + second[p].y * filter[p].x});
  const complex_numbers<float> back = pass_of_four(products, true, false),
                               outputs = pass_of_four(back, false, false);
  const auto text = [](complex_pair<float> z) {
    const auto part = [](float value) { return double(std::lround(10 * value)) / 10; };  // no -0.0
    char both[32];
    std::snprintf(both, sizeof both, "%.1f%+.1fi", part(z.x), part(z.y));
    return std::string(both);
  };
  text_table table({{"place"},
                    {"loaded"},
                    {"by thread"},
                    {"first pass"},
                    {"by thread"},
                    {"second pass"},
                    {"frequency"},
                    {"times filter"},
                    {"pass back"},
                    {"outputs"}});
  for (int p = 0; p < 16; ++p) {
    const std::size_t i = std::size_t(p), before = std::size_t((p + 15) % 16);
    if (!(std::abs(outputs[i].x - float(a[i] - a[before])) < 1e-4f &&
          std::abs(outputs[i].y - float(b[i] - b[before])) < 1e-4f))
      run.fail("the walk ends at a wrong output at place " + std::to_string(p));
    table.add_row({std::to_string(p), text(x[i]), std::to_string(p % 4), text(first[i]),
                   std::to_string(p / 4), text(second[i]), std::to_string(reversed(p, 4)), text(products[i]),
                   text(back[i]), text(outputs[i])});
  }
  run.show("Two segments of 16 samples, and the filter 1 -1", table);
}

void calibrate_one_pass(chapter_run& run) {
  if (run.device().emulated) return;
  use_prices(measure_prices());
  use_one_pass_prices(measure_one_pass_prices());
  const auto& recorded = recorded_one_pass_prices().prices;
  const auto& here = one_pass_prices_here().prices;
  const auto recorded_of = [&](const one_pass_price& price, double one_pass_price::*which) {
    for (const one_pass_price& each : recorded)
      if (each.length == price.length && each.type == price.type) return exact_digits(each.*which);
    return std::string();  // a length that no record has yet
  };
  text_table table(
      {{"one pass, segments of", align::left}, {"type"}, {"a pair alone, us"}, {"each additional pair, ns"}});
  for (std::size_t i = 0; i < here.size(); ++i) {
    const std::string type(name(here[i].type));
    if (!(std::isfinite(here[i].each_pair) && here[i].each_pair > 0))
      run.fail("the price of segments of " + std::to_string(here[i].length) + " was measured as " +
               significant(here[i].each_pair));
    table.add_row({grouped(std::size_t(here[i].length)), type, significant(here[i].alone),
                   significant(here[i].each_pair * 1e3)});
    run.record({{"table", "prices"},
                {"length", std::to_string(here[i].length)},
                {"type", type},
                {"alone_us", exact_digits(here[i].alone)},
                {"each_pair_us", exact_digits(here[i].each_pair)},
                {"recorded_alone_us", recorded_of(here[i], &one_pass_price::alone)},
                {"recorded_each_pair_us", recorded_of(here[i], &one_pass_price::each_pair)}});
  }
  run.show("Prices measured on this GPU. 13 fastest uses them to choose", table);
}

void show_exchange(chapter_run& run) {
  if (!run.wants("exchange")) return;
  std::vector<float2> numbers;
  for (int p = 0; p < 4096; ++p) numbers.push_back({float(p), 0});
  text_table table({{"between the second and the third pass", align::left},
                    {"load requests"},
                    {"wavefronts"},
                    {"at least"},
                    {"store wavefronts"},
                    {"verified", align::left}});
  for (const auto& [name, about, padding] :
       {std::tuple("none", "no padding", exchange_padding::none),
        {"one_in_33", "one place in 33 left free", exchange_padding::one_in_33},
        {"one_in_17", "one place in 17 left free", exchange_padding::one_in_17}}) {
    std::vector<float2> taken;
    const auto way = padding;
    const launch_counts counts = sum(count_launches([&] { taken = run_exchange(numbers, way); }));
    bool right = true;
    for (std::size_t p = 0; p < taken.size(); ++p) right = right && taken[p].x == float(p);
    if (!right) run.fail("the exchange with " + std::string(about) + " is wrong");
    const auto count = [&](std::uint64_t value) { return counts.launches > 0 ? grouped(value) : "-"; };
    table.add_row({about, count(counts.shared_load_requests), count(counts.shared_load_wavefronts),
                   count(2 * counts.shared_load_requests), count(counts.shared_store_wavefronts),
                   right ? "exact" : "wrong"});
    run.record({{"table", "exchange"},
                {"padding", name},
                {"title", about},
                {"load_requests", std::to_string(counts.shared_load_requests)},
                {"load_wavefronts", std::to_string(counts.shared_load_wavefronts)},
                {"store_wavefronts", std::to_string(counts.shared_store_wavefronts)}});
  }
  run.show("One exchange of 4,096 numbers by 256 threads", table);
}

void show_way(convolution_demo& demo) {
  std::vector<std::string> versions = {"overlap_save", "radix_2",         "radix_4",
                                       "radix_16",     "radix_16_padded", "one_pass"};
  if (!demo.emulated()) versions.push_back("fastest");  // by times
  demo.table(long_filter(demo, 1025), versions);
}

void show_segments(convolution_demo& demo) {
  if (!demo.run().options().variant.empty()) return;  // the table is about all of them
  std::vector<text_table::column> columns = {{"taps"}};
  if (!demo.emulated()) columns.push_back({"limit"});
  columns.push_back({"07 overlap_save"});
  for (const one_pass_design& design : one_pass_designs<float>())
    columns.push_back({grouped(std::size_t(design.length))});
  // The emulated device has no times: what an H200 would take.
  const price_list& prices = demo.emulated() ? recorded_prices() : prices_here();
  columns.push_back({"chosen for 2^24", align::left});
  text_table table(columns);
  for (const std::size_t taps : {5, 33, 65, 129, 257, 513, 1025, 2049, 4097}) {
    const convolution_work work = long_filter(demo, taps);
    std::vector<std::string> versions = {"overlap_save"};
    for (const one_pass_design& design : one_pass_designs<float>())
      if (taps <= std::size_t(design.overlap) + 1)
        versions.push_back("one_pass_" + std::to_string(design.length));
    const convolution_table measured = demo.quiet_table(work, versions);
    std::vector<std::string> cells = {grouped(taps)};
    std::vector<std::pair<std::string, std::string>> record = {
        {"table", "segments"}, {"taps", std::to_string(taps)}, {"limit_ms", exact_digits(measured.limit_ms)}};
    if (!demo.emulated()) cells.push_back(milliseconds(measured.limit_ms));
    const auto add = [&](const std::string& version) {
      const version_row* const row = measured.find(version);
      const std::string cell = row == nullptr    ? "-"
                               : demo.emulated() ? fixed(measured.loads_per_unit(*row), 2)
                                                 : milliseconds(row->time.median_ms);
      cells.push_back(cell);
      record.push_back({version + (demo.emulated() ? "_loads_per_output" : "_ms"),
                        row == nullptr    ? ""
                        : demo.emulated() ? cell
                                          : exact_digits(row->time.median_ms)});
    };
    add("overlap_save");
    for (const one_pass_design& design : one_pass_designs<float>())
      add("one_pass_" + std::to_string(design.length));
    const std::string chosen =
        choose_fastest(std::size_t{1} << 24, taps, work.mode, work.type, prices, one_pass_prices_here())
            .short_text();
    cells.push_back(chosen);
    record.push_back({"chosen", chosen});
    table.add_row(cells);
    demo.run().record(record);
  }
  demo.run().show(std::string("Segments of each length, ") + (demo.emulated() ? "loads per output" : "ms") +
                      ": 'full', float",
                  table);
}

void show_one_call(convolution_demo& demo, std::size_t samples) {
  if (!demo.run().options().variant.empty()) return;  // the table compares
  constexpr auto mode = convolution_mode::same;
  constexpr std::size_t taps = 1025;
  const std::vector<float> x = random_signal<float>(samples), h = random_taps<float>(taps);
  std::vector<float> expected(samples);
  {
    const progress line("reference");
    convolve_all_cores<float>(x, h, expected, mode);
  }
  float sum = 0;  // of |h|: no sum of |h[k]| |x[n - k]| is above it
  for (const float each : h) sum += std::abs(each);
  const std::vector<double> bound = dot_product_bound<float>(taps, std::vector<float>(samples, sum));
  const auto within = [&](const rounding_allowance& allowed) {
    return [&, allowed](const std::vector<float>& y) {
      return compare_as_a_whole(y, expected, bound, allowed.each, allowed.all);
    };
  };
  const auto type = element_type::float32;
  // By what an H200 would take, where the device has no times.
  const price_list before = prices_here();
  if (demo.emulated()) use_prices(recorded_prices());
  const fastest_choice choice =
      choose_fastest(samples, taps, mode, type, prices_here(), one_pass_prices_here(), filter_use::one_call);
  const std::size_t block = choice.others.block;
  rounding_allowance of_others;
  if (block > 0)
    of_others = fft_rounding<float>(x, h, expected, block, one_block_length(samples, taps, mode) <= block);
  const device_buffer<float> d_x(x), d_h(h);
  device_buffer<float> y(samples);
  new_filter_table table(demo.run(), "13", samples, taps, y);
  table.add(
      {"07", "best_convolution", ""}, [&] { best_convolution<float>(d_x, d_h, y, mode); }, within(of_others));
  table.add(
      {"13", "fastest_convolution", ""}, [&] { fastest_convolution<float>(d_x, d_h, y, mode); },
      within(choice.one_pass ? one_pass_rounding<float>(x, h, expected, choice.design) : of_others));
  if (choice.one_pass) {  // the same two kernels, but the second one waits for the end of the first
    one_pass_convolver<float> convolve(d_h, samples, mode, 1, choice.design.length);
    const auto call = [&] {
      convolve.set_filter(d_h);
      convolve(d_x, y);
    };
    table.add({"13", "one_after_the_other", ""}, call,
              within(one_pass_rounding<float>(x, h, expected, choice.design)));
  }
  table.show();
  forget_fastest_convolutions();
  if (demo.emulated()) use_prices(before);
}

std::vector<chapter_variant> extra_variants() {
  std::vector<chapter_variant> all = {{"walk", "16 numbers through every step, by four threads"},
                                      {"exchange", "one exchange with three paddings"}};
  add_mistakes(all, broken::shown_fused_mistakes());
  return all;
}

}  // namespace tutorial
