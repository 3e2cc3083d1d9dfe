// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/kernels/block_starts.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"
#include "08_dct8x8/kernels/dct8x8_per_coefficient.hpp"
#include "08_dct8x8/kernels/dct8x8_shared_matrix.hpp"
#include "08_dct8x8/kernels/dct8x8_textured.hpp"
#include "08_dct8x8/versions.hpp"
#include "common/device/measure.hpp"
#include "common/device/stream.hpp"
#include "common/files/numbers.hpp"
#include "common/program/shown_mistakes.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

struct size {
  int width, height;
};

// The sizes of the published measurements of this transform; on the emulated device one that counts as well.
std::vector<size> sizes(bool emulated) {
  return emulated ? std::vector<size>{{256, 64}} : std::vector<size>{{2592, 2592}, {16384, 16384}};
}

plane<float> as_float(const plane<double>& from) {
  plane<float> to(from.width, from.height);
  std::copy(from.values.begin(), from.values.end(), to.values.begin());
  return to;
}

/// One direction. `check(output)` says whether a result is right.
struct direction {
  std::string title;
  std::function<plane<double>(const plane<float>&)> definition, matrix;
  std::function<void(const plane<float>&, plane<float>&)> all_cores;
  std::function<void(const plane_texture&, device_plane_span<float>)> textured;
  std::function<void(device_plane_span<const float>, device_plane_span<float>)> per_coefficient,
      shared_matrix, columns;
  std::function<agreement(const plane<float>&)> verify;
};

void show_direction(const plane_presentation& present, bool emulated, const plane<float>& from, int width,
                    int height, const direction& what) {
  plane_sets<float, float> sets(from, width, height);
  std::vector<plane_texture> textures;
  for (int set = 0; set < sets.size(); ++set) textures.emplace_back(sets.from(set));

  // On the host, too, buffers take turns, half a GiB in all.
  const double bytes = double(sets.bytes());
  const int host_sets = int(std::clamp(0x1p29 / bytes, 1.0, 64.0));
  // The first set is the input itself.
  const std::vector<plane<float>> copies_of_input(std::size_t(emulated ? 0 : host_sets - 1), from);
  const auto host_from = [&](int set) -> const plane<float>& {
    return set == 0 ? from : copies_of_input[std::size_t(set - 1)];
  };
  std::vector<plane<float>> host_to;
  for (std::size_t set = 0; set <= copies_of_input.size(); ++set) host_to.emplace_back(width, height);
  plane<double> in_double;

  const auto on_host = [&](const version_name& which, auto launch, auto verify) {
    return ready_version{.name = which.name,
                         .label = which.label(),
                         .bytes = bytes,
                         .launch = launch,
                         .verify = [verify] { return verification(verify()); },
                         .sets = int(host_to.size()),
                         .on_device = false};
  };
  const auto to_be_read = [&](const version_name& which, const auto& transform) {
    ready_version version = on_host(
        which, [&](int set) { in_double = transform(host_from(set)); },
        [&] { return what.verify(as_float(in_double)); });
    version.too_large = double(width) * height > small_picture;
    return version;
  };
  ready_version textured = sets.version(
      versions::textured, [](auto, auto) {}, what.verify);
  textured.launch = [&](int set) { what.textured(textures[std::size_t(set)], sets.to(set)); };
  present({what.title, width, height, "float"},
          {to_be_read(versions::definition, what.definition), to_be_read(versions::matrix, what.matrix),
           on_host(
               versions::dct_all_cores,
               [&](int set) { what.all_cores(host_from(set), host_to[std::size_t(set)]); },
               [&] { return what.verify(host_to[0]); }),
           textured, sets.version(versions::per_coefficient, what.per_coefficient, what.verify),
           sets.version(versions::shared_matrix, what.shared_matrix, what.verify),
           sets.version(versions::columns, what.columns, what.verify)},
          [&] { return sets.measure_copies(); });
}

/// A kernel as the table of block starts shows it.
struct started {
  std::string name, label;
  kernel_facts facts;
  std::int64_t blocks;
  std::function<void(int set)> launch;
};

void show_forward(const plane_presentation& present, bool emulated, int w, int h) {
  const plane<float> pixels = test_picture(w, h);
  show_direction(
      present, emulated, pixels, padded(w), padded(h),
      {"forward", dct8x8_definition, dct8x8_matrix, dct8x8_all_cores,
       [](const auto& from, auto to) { dct8x8_textured(from, to); },
       in_default_stream<dct8x8_per_coefficient>, in_default_stream<dct8x8_shared_matrix>,
       in_default_stream<dct8x8>, [&](const plane<float>& result) { return verify_dct8x8(pixels, result); }});
}

void show_inverse(const plane_presentation& present, bool emulated, int w, int h) {
  plane<float> coefficients(padded(w), padded(h));
  dct8x8_all_cores(test_picture(w, h), coefficients);
  show_direction(present, emulated, coefficients, w, h,
                 {"inverse", [&](const auto& from) { return idct8x8_definition(from, w, h); },
                  [&](const auto& from) { return idct8x8_matrix(from, w, h); }, idct8x8_all_cores,
                  [](const auto& from, auto to) { idct8x8_textured(from, to); },
                  in_default_stream<idct8x8_per_coefficient>, in_default_stream<idct8x8_shared_matrix>,
                  in_default_stream<idct8x8>,
                  [&](const plane<float>& result) { return verify_idct8x8(coefficients, result); }});
}

}  // namespace

void show_versions(chapter_run& run) {
  const bool emulated = run.device().emulated;
  for (const auto& [width, height] : sizes(emulated)) {
    show_forward(as_tables(run, "08"), emulated, width, height);
    show_inverse(as_tables(run, "08"), emulated, width, height);
  }
}

void draw_versions(chapter_run& run) {
  if (run.options().picture.empty()) return;
  size_sweep points("forward", "08 8x8 DCT, forward, of floats", "pixels");
  for (int width = 64; width <= 8192; width *= 2) show_forward(as_points(run, points), false, width, width);
  points.show(run, "");
}

void show_block_starts(chapter_run& run) {
  const bool emulated = run.device().emulated;
  const auto [width, height] = sizes(emulated).front();
  const int w = width, h = height;
  const plane<float> pixels = test_picture(w, h);
  plane_sets<float, float> sets(pixels, padded(w), padded(h));
  std::vector<plane_texture> textures;
  for (int set = 0; set < sets.size(); ++set) textures.emplace_back(sets.from(set));

  using enum block_shape;
  const std::int64_t blocks_of_64 = blocks_for(threads_8_by_8, w, h);
  const int threads_of_columns = dct8x8_facts().threads_per_block;
  const std::int64_t blocks_of_columns =
      std::int64_t((padded(w) + threads_of_columns - 1) / threads_of_columns) * (padded(h) / 8);
  const std::vector<started> all = {
      {"nothing", "nothing", start_threads_facts(threads_8_by_8), blocks_of_64,
       [&](int) { start_threads(threads_8_by_8, w, h); }},
      {"copy", "copies a value", copy_values_facts(threads_8_by_8), blocks_of_64,
       [&](int set) { copy_values(threads_8_by_8, sets.from(set), sets.to(set)); }},
      {"textured", versions::textured.label(), dct8x8_textured_facts(), blocks_of_64,
       [&](int set) { dct8x8_textured(textures[std::size_t(set)], sets.to(set)); }},
      {"per_coefficient", versions::per_coefficient.label(), dct8x8_per_coefficient_facts(), blocks_of_64,
       [&](int set) { dct8x8_per_coefficient(sets.from(set), sets.to(set)); }},
      {"shared_matrix", versions::shared_matrix.label(), dct8x8_shared_matrix_facts(), blocks_of_64,
       [&](int set) { dct8x8_shared_matrix(sets.from(set), sets.to(set)); }},
      {"nothing_256", "nothing", start_threads_facts(threads_32_by_8), blocks_for(threads_32_by_8, w, h),
       [&](int) { start_threads(threads_32_by_8, w, h); }},
      {"copy_256", "copies a value", copy_values_facts(threads_32_by_8), blocks_for(threads_32_by_8, w, h),
       [&](int set) { copy_values(threads_32_by_8, sets.from(set), sets.to(set)); }},
      {"columns", versions::columns.label(), dct8x8_facts(), blocks_of_columns,
       [&](int set) { dct8x8(sets.from(set), sets.to(set)); }}};

  std::vector<text_table::column> columns = {
      {"each thread", align::left}, {"threads/block"},   {"blocks"}, {"values/thread"},
      {"blocks that fit"},          {"threads that fit"}};
  if (!emulated) columns.insert(columns.end(), {{"registers"}, {"median ms"}, {"blocks/us"}});
  text_table table(columns);
  for (const started& each : all) {
    const kernel_facts& facts = each.facts;
    const int fit = facts.blocks_per_multiprocessor * facts.threads_per_block;
    const timing time = emulated ? timing{} : measure([&](int i) { each.launch(i % sets.size()); });
    const double per_us = emulated ? 0 : double(each.blocks) / (time.median_ms * 1e3);
    const double values = double(w) * h / (double(each.blocks) * facts.threads_per_block);
    std::vector<std::string> cells = {each.label,
                                      std::to_string(facts.threads_per_block),
                                      grouped(std::uint64_t(each.blocks)),
                                      significant(values),
                                      std::to_string(facts.blocks_per_multiprocessor),
                                      grouped(std::uint64_t(fit))};
    if (!emulated)
      cells.insert(cells.end(),
                   {std::to_string(facts.registers), milliseconds(time.median_ms), significant(per_us)});
    table.add_row(cells);
    run.record({{"starts", each.name},
                {"starts_label", each.label},
                {"threads_per_block", std::to_string(facts.threads_per_block)},
                {"blocks_started", std::to_string(each.blocks)},
                {"values_per_thread", significant(values)},
                {"blocks_that_fit", std::to_string(facts.blocks_per_multiprocessor)},
                {"threads_that_fit", std::to_string(fit)},
                {"registers", emulated ? "" : std::to_string(facts.registers)},
                {"starts_ms", emulated ? "" : exact_digits(time.median_ms)},
                {"starts_min_ms", emulated ? "" : exact_digits(time.min_ms)},
                {"starts_max_ms", emulated ? "" : exact_digits(time.max_ms)},
                {"blocks_per_us", emulated ? "" : exact_digits(per_us)}});
  }
  run.show("What blocks cost by themselves: " + grouped(std::uint64_t(w)) + " x " +
               grouped(std::uint64_t(h)) + " pixels; what fits on a multiprocessor",
           table);
}

}  // namespace tutorial
