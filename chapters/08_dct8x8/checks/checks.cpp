// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "08_dct8x8/checks/broken.hpp"
#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "08_dct8x8/host/filter_serial.hpp"
#include "08_dct8x8/kernels/block_starts.hpp"
#include "08_dct8x8/kernels/dct8x8_columns.hpp"
#include "08_dct8x8/kernels/dct8x8_per_coefficient.hpp"
#include "08_dct8x8/kernels/dct8x8_shared_matrix.hpp"
#include "08_dct8x8/kernels/dct8x8_textured.hpp"
#include "08_dct8x8/kernels/dct_table.cuh"
#include "08_dct8x8/kernels/filter_fused.hpp"
#include "08_dct8x8/kernels/filter_separable.hpp"
#include "08_dct8x8/kernels/filter_square.hpp"
#include "common/device/device_memory.hpp"
#include "common/device/stream.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/in_streams.hpp"
#include "common/verify/test_picture.hpp"
#include "dct_checks.hpp"

using namespace tutorial;

namespace {

struct version {
  const char* name;
  device_dct forward, inverse;
  std::size_t row_alignment;
};

const version textured{"textured", [](auto from, auto to) { dct8x8_textured(from, to); },
                       [](auto from, auto to) { idct8x8_textured(from, to); }, 32};
const version per_coefficient{"per coefficient", in_default_stream<dct8x8_per_coefficient>,
                              in_default_stream<idct8x8_per_coefficient>, 4};
const version shared_matrix{"shared matrix", in_default_stream<dct8x8_shared_matrix>,
                            in_default_stream<idct8x8_shared_matrix>, 4};
const version columns{"columns", in_default_stream<dct8x8>, in_default_stream<idct8x8>, 4};
const version all_versions[] = {textured, per_coefficient, shared_matrix, columns};

double largest_difference(const plane<double>& p, const plane<double>& q) {
  REQUIRE(p.width == q.width);
  REQUIRE(p.height == q.height);
  double largest = 0;
  for (std::size_t i = 0; i < p.values.size(); ++i)
    largest = std::max(largest, std::abs(p.values[i] - q.values[i]));
  return largest;
}

plane<float> as_float(const plane<double>& from) {
  plane<float> to(from.width, from.height);
  for (std::size_t i = 0; i < to.values.size(); ++i) to.values[i] = float(from.values[i]);
  return to;
}

device_dct with(broken::mistake made) {
  return [made](auto from, auto to) { broken::dct(made, from, to); };
}

/// The first failures of the forward transform with that mistake.
std::vector<std::string> refused(broken::mistake made) { return forward_failures(with(made)); }

bool any_contains(const std::vector<std::string>& failures, const std::string& what) {
  return std::any_of(failures.begin(), failures.end(),
                     [&](const std::string& each) { return each.find(what) != std::string::npos; });
}

/// Whether the sizes at which it fails are all of that kind.
bool all_begin_with_one_of(const std::vector<std::string>& failures, const std::vector<std::string>& sizes) {
  return !failures.empty() && std::all_of(failures.begin(), failures.end(), [&](const std::string& each) {
    return std::any_of(sizes.begin(), sizes.end(),
                       [&](const std::string& size) { return each.starts_with(size + " pixels"); });
  });
}

/// What one launch of the transform counts, for so many whole 8x8 blocks.
launch_counts counts_of(const device_dct& dct, int width, int height) {
  const device_plane<float> from(asymmetric_plane(width, height));
  device_plane<float> to(width, height);
  return sum(count_launches([&] { dct(from, to); }));
}

bool device_counts() {
  return has_counts(count_launches([] { run_dct(in_default_stream<dct8x8>, plane<float>(8, 8), 8, 8); }));
}

}  // namespace

TEST_CASE("the filter's definition: an impulse gives its taps, and what is constant stays") {
  plane<float> impulse(13, 11);
  impulse.at(5, 6) = 64 * 64;
  const plane<double> y = filter_definition(impulse);
  const double taps[7] = {1, 6, 15, 20, 15, 6, 1};
  for (int row = 0; row < 11; ++row)
    for (int col = 0; col < 13; ++col) {
      const int j = row - 2, i = col - 3;
      CHECK(y.at(row, col) == (0 <= j && j < 7 && 0 <= i && i < 7 ? taps[j] * taps[i] : 0));
    }
  CHECK(filter_definition(plane<float>(9, 2, 77)) == plane<double>(9, 2, 77));
  // The last column stands for all that lies beyond the edge.
  plane<float> edge(8, 1);
  edge.at(0, 7) = 64;
  CHECK(filter_definition(edge).at(0, 7) == 20 + 15 + 6 + 1);
  CHECK(filter_definition(edge).at(0, 4) == 1);
}

TEST_CASE("all filters are the definition, exactly, at every size, and write nothing beside it") {
  for (const auto& [w, h] : {std::pair(1, 1),
                             {2, 5},
                             {3, 3},
                             {31, 9},
                             {32, 8},
                             {33, 17},
                             {65, 40},
                             {7, 100},
                             {12, 4},
                             {140, 18}}) {
    const int width = w, height = h;  // names that a lambda may use
    CAPTURE(width);
    CAPTURE(height);
    const plane<float> x = test_picture(width, height);
    const device_plane<float> d_x(x);
    device_plane<float> between(width, height), y(width, height), in_two_passes(width, height),
        in_one(width, height);
    filter_square(d_x, y);
    filter_separable(d_x, between, in_two_passes);
    filter_fused(d_x, in_one);
    const plane<float> result = y.to_host();
    const agreement found = verify_filter(x, result);
    CHECK_MESSAGE(found, describe(found));
    CHECK(in_two_passes.to_host() == result);
    CHECK(in_one.to_host() == result);
  }
}

TEST_CASE("all filters take parts of larger planes, wherever rows begin, and write nothing beside them") {
  constexpr int width = 19, height = 11, all_width = 41;  // a pitch of 41 floats is none of whole vectors
  const plane<float> all = test_picture(all_width, 30);
  const device_plane<float> with_pitch(all);
  const device_buffer<float> without(all.values);
  const device_plane_span<const float> sources[] = {
      with_pitch, {without.span().data(), all_width, 30, all_width * sizeof(float)}};
  device_plane<float> between(width, height);
  const std::function<void(device_plane_span<const float>, device_plane_span<float>)> filters[] = {
      in_default_stream<filter_square>, [&](auto from, auto to) { filter_separable(from, between, to); },
      in_default_stream<filter_fused>};
  for (std::size_t filter = 0; filter < std::size(filters); ++filter)
    for (const device_plane_span<const float>& source : sources)
      for (const int x_col : {7, 8})
        for (const int y_col : {50, 52}) {
          CAPTURE(filter);
          CAPTURE(source.pitch());
          CAPTURE(x_col);
          CAPTURE(y_col);
          plane<float> x(width, height);
          for (int row = 0; row < height; ++row)
            for (int col = 0; col < width; ++col) x.at(row, col) = all.at(5 + row, x_col + col);
          device_plane<float> around(200, 20);
          const device_plane_span<const float> part(
              source.data() + 5 * (source.pitch() / sizeof(float)) + x_col, width, height, source.pitch());
          const device_plane_span<float> y(
              around.span().data() + 4 * (around.pitch() / sizeof(float)) + y_col, width, height,
              around.pitch());
          filters[filter](part, y);
          plane<float> inside(width, height);
          const plane<float> found = around.to_host();
          std::size_t written = 0;
          for (int row = 0; row < 20; ++row)
            for (int col = 0; col < 200; ++col) {
              const bool in = 4 <= row && row < 4 + height && y_col <= col && col < y_col + width;
              if (in) inside.at(row - 4, col - y_col) = found.at(row, col);
              written += !in && !std::isnan(found.at(row, col));
            }
          CHECK(verify_filter(x, inside));
          CHECK(written == 0);
        }
}

TEST_CASE("the filter's verification sees one wrong value, and what does not fit together is refused") {
  const plane<float> x = test_picture(20, 12);
  const plane<double> exact = filter_definition(x);
  plane<float> y(20, 12, {exact.values.begin(), exact.values.end()});
  CHECK(verify_filter(x, y));
  y.at(9, 17) += 1 / 4096.0f;
  CHECK(verify_filter(x, y).mismatches == 1);
  CHECK(verify_filter(x, y).first_index == 9 * 20 + 17);
  CHECK_THROWS_AS(verify_filter(x, plane<float>(12, 20)), std::invalid_argument);

  device_plane<float> d_x(x), d_y(20, 12), other(20, 11);
  CHECK_THROWS_AS(filter_square(d_x, other), std::invalid_argument);
  CHECK_THROWS_AS(filter_separable(d_x, other, d_y), std::invalid_argument);
  CHECK_THROWS_AS(filter_separable(d_x, d_y, other), std::invalid_argument);
  CHECK_THROWS_AS(filter_fused(d_x, other), std::invalid_argument);
  const device_plane_span<const float> overlapping(d_x.span().data(), 20, 12, 16 * sizeof(float));
  CHECK_THROWS_AS(filter_square(overlapping, d_y), std::invalid_argument);
  // So wide that the columns of the last threads, and of the vectors that they load, are beyond an int.
  const int wide = std::numeric_limits<int>::max() - 510;
  const device_plane_span<const float> wide_x(d_x.span().data(), wide, 1, std::size_t(wide) * sizeof(float));
  const device_plane_span<float> wide_y(d_y.span().data(), wide, 1, std::size_t(wide) * sizeof(float));
  CHECK_THROWS_AS(filter_square(wide_x, wide_y), std::invalid_argument);
  CHECK_THROWS_AS(filter_separable(wide_x, wide_y, wide_y), std::invalid_argument);
  CHECK_THROWS_AS(filter_fused(wide_x, wide_y), std::invalid_argument);
}

TEST_CASE("loads for each output: 7 x 7 at once, 7 + 7 in two passes, 30 vectors for 4 x 4") {
  const device_plane<float> x(test_picture(64, 24));
  device_plane<float> between(64, 24), y(64, 24);
  const auto square = count_launches([&] { filter_square(x, y); });
  if (!has_counts(square)) return;
  const auto separable = count_launches([&] { filter_separable(x, between, y); });
  const auto fused = count_launches([&] { filter_fused(x, y); });
  CHECK(sum(square).global_loads == 7 * 7 * 64 * 24);
  CHECK(sum(separable).global_loads == 2 * 7 * 64 * 24);
  CHECK(separable.size() == 2);
  // 16 x 6 squares. Inside, 14 x 4 of them: a window of three vectors in each of 10 rows, and 4 vectors of
  // outputs. At the edges: floats one by one.
  constexpr int inside = 14 * 4, edge = 16 * 6 - inside, loads_at_edges = edge * 10 * 10;
#ifdef __clang__  // it may leave out the two floats that no output needs, and load the rest alone
  CHECK(sum(fused).global_loads >= inside * 10 * 3 + loads_at_edges);
  CHECK(sum(fused).global_loads <= inside * 10 * (3 + 1 + 3) + loads_at_edges);
#else
  CHECK(sum(fused).global_loads == inside * 10 * 3 + loads_at_edges);
#endif
  CHECK(sum(fused).global_stores == inside * 4 + edge * 16);
  CHECK(fused.size() == 1);
  CHECK(blocks(square) == 2 * 3);  // of 32 x 8 outputs
  CHECK(blocks(fused) == 2);       // of 128 x 16
}

TEST_CASE("the rows of the matrix are orthonormal") {
  const dct_matrix_t& a = dct_matrix();
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) {
      double dot = 0;
      for (int x = 0; x < 8; ++x) dot += a[u][x] * a[v][x];
      CHECK(dot == doctest::Approx(u == v ? 1.0 : 0.0).epsilon(1e-14));
    }
}

TEST_CASE("the matrix on the device is the one on the host, each value the nearest float") {
  constexpr dct_table table = make_dct_table();
  for (int u = 0; u < 8; ++u)
    for (int x = 0; x < 8; ++x) CHECK(table.a[u][x] == float(dct_matrix()[u][x]));
  for (int k = -105; k <= 105; ++k)
    CHECK(std::abs(cosine_of_sixteenths(k) - std::cos(k * 3.14159265358979323846 / 16)) < 1e-14);
}

TEST_CASE("definition and matrix form are each other's check, and the inverse undoes them") {
  for (const auto& size : {std::pair(1, 1), {7, 9}, {8, 8}, {20, 33}}) {
    const int width = size.first, height = size.second;
    CAPTURE(width);
    CAPTURE(height);
    const plane<float> pixels = asymmetric_plane(width, height);
    const plane<double> coefficients = dct8x8_definition(pixels);
    CHECK(coefficients.width == padded(width));
    CHECK(coefficients.height == padded(height));
    CHECK(largest_difference(coefficients, dct8x8_matrix(pixels)) < 1e-11);
    const plane<float> rounded = as_float(coefficients);
    const plane<double> again = idct8x8_definition(rounded, width, height);
    CHECK(largest_difference(again, idct8x8_matrix(rounded, width, height)) < 1e-11);
    // The coefficients were rounded to float: up to 2040, 64 of them.
    CHECK(largest_difference(
              again, plane<double>(width, height, {pixels.values.begin(), pixels.values.end()})) < 1e-2);
  }
  CHECK(dct8x8_definition(plane<float>()).values.empty());
  CHECK_THROWS_AS(idct8x8_definition(plane<float>(8, 8), 9, 8), std::invalid_argument);
  CHECK_THROWS_AS(idct8x8_matrix(plane<float>(8, 8), 8, 0), std::invalid_argument);
}

TEST_CASE("the verification sees one wrong value, and its bound is the one it says") {
  const plane<float> pixels = asymmetric_plane(20, 12);
  plane<float> coefficients = as_float(dct8x8_definition(pixels));
  const agreement exact = verify_dct8x8(pixels, coefficients);
  CHECK(exact);
  CHECK(exact.size == 24 * 16);
  coefficients.at(9, 17) += 10;
  const agreement found = verify_dct8x8(pixels, coefficients);
  CHECK(found.mismatches == 1);
  CHECK(found.first_index == 9 * 24 + 17);
  CHECK(found.worst_index == 9 * 24 + 17);
  CHECK(std::abs(found.worst_error - 10) < 1e-3);

  // Coefficient (v, u) = (1, 1) of the block from (8, 16), of which columns 20 to 23 and rows 12 to 15 are
  // repeated ones.
  const dct_matrix_t& a = dct_matrix();
  double sum = 0;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      sum += std::abs(a[1][y] * a[1][x] * pixels.at(std::min(8 + y, 11), std::min(16 + x, 19)));
  CHECK(found.worst_bound == doctest::Approx(18 * std::ldexp(1.0, -24) * sum).epsilon(2e-4));
  for (const double share : {-1.1, -0.9, 0.9, 1.1}) {
    coefficients.at(9, 17) = float(found.worst_expected + share * found.worst_bound);
    CHECK(bool(verify_dct8x8(pixels, coefficients)) == (std::abs(share) < 1));
  }
  coefficients.at(9, 17) = NAN;
  CHECK(verify_dct8x8(pixels, coefficients).mismatches == 1);
  CHECK_THROWS_AS(verify_dct8x8(pixels, plane<float>(20, 12)), std::invalid_argument);

  plane<float> again = as_float(idct8x8_definition(as_float(dct8x8_definition(pixels)), 20, 12));
  CHECK(verify_round_trip(pixels, again));
  again.at(11, 19) += 1e-1f;
  CHECK(verify_round_trip(pixels, again).first_index == 11 * 20 + 19);
  CHECK_THROWS_AS(verify_round_trip(pixels, plane<float>(12, 20)), std::invalid_argument);
}

TEST_CASE("the transform on all cores of the host computes the definition") {
  for (const auto& [width, height] : {std::pair(1, 1), {7, 9}, {64, 24}, {131, 50}}) {
    const plane<float> pixels = asymmetric_plane(width, height);
    plane<float> coefficients(padded(width), padded(height), NAN), again(width, height, NAN);
    dct8x8_all_cores(pixels, coefficients);
    const agreement there = verify_dct8x8(pixels, coefficients);
    CHECK_MESSAGE(there, describe(there));
    idct8x8_all_cores(coefficients, again);
    const agreement back = verify_idct8x8(coefficients, again);
    CHECK_MESSAGE(back, describe(back));
  }
  plane<float> small(8, 8);
  CHECK_THROWS_AS(dct8x8_all_cores(plane<float>(9, 8), small), std::invalid_argument);
}

TEST_CASE("every version computes the definition, at every size, and writes nothing beside it") {
  for (const version& each : all_versions) {
    CAPTURE(each.name);
    CHECK(joined(forward_failures(each.forward, {.row_alignment = each.row_alignment})) == "");
    CHECK(joined(inverse_failures(each.inverse, {.row_alignment = each.row_alignment})) == "");
    CHECK(joined(forward_overruns(each.forward)) == "");
    CHECK(joined(inverse_overruns(each.inverse)) == "");
  }
}

TEST_CASE("every version: each basis picture is one coefficient, and each coefficient its basis picture") {
  for (const version& each : all_versions) {
    CAPTURE(each.name);
    CHECK(joined(forward_basis_failures(each.forward)) == "");
    CHECK(joined(inverse_basis_failures(each.inverse)) == "");
  }
}

TEST_CASE("every version: a constant block has only its first coefficient, eight times the value") {
  for (const version& each : all_versions) {
    CAPTURE(each.name);
    const plane<float> coefficients = run_dct(each.forward, plane<float>(8, 8, 100.0f), 8, 8);
    for (int v = 0; v < 8; ++v)
      for (int u = 0; u < 8; ++u)
        CHECK(std::abs(coefficients.at(v, u) - (v == 0 && u == 0 ? 800.0f : 0.0f)) < 1e-3f);
  }
}

TEST_CASE("every version: there and back gives the pixels again, to the bound of both ways") {
  for (const version& each : all_versions)
    for (const auto& [width, height] : {std::pair(40, 16), {7, 9}, {65, 31}}) {
      CAPTURE(each.name);
      const plane<float> pixels = asymmetric_plane(width, height);
      const plane<float> coefficients = run_dct(each.forward, pixels, padded(width), padded(height));
      const agreement again = verify_round_trip(pixels, run_dct(each.inverse, coefficients, width, height));
      CHECK_MESSAGE(again, describe(again));
    }
}

TEST_CASE("what does not fit together is refused before anything is launched") {
  device_plane<float> pixels(9, 8), wide(16, 8), narrow(8, 8), high_pixels(8, 9);
  for (const version& each : all_versions) {
    CAPTURE(each.name);
    CHECK_THROWS_AS(each.forward(pixels, narrow), std::invalid_argument);
    CHECK_THROWS_AS(each.inverse(narrow, pixels), std::invalid_argument);
    CHECK_THROWS_AS(each.forward(high_pixels, narrow), std::invalid_argument);
    CHECK_THROWS_AS(each.inverse(narrow, high_pixels), std::invalid_argument);
    CHECK_NOTHROW(each.forward(device_plane<float>(plane<float>(9, 8)), wide));
  }
  for (const version& each : {per_coefficient, shared_matrix, columns}) {
    const device_plane_span<const float> empty;
    CHECK_THROWS_AS(each.forward(empty, narrow), std::invalid_argument);
    const device_plane_span<const float> odd(pixels.span().data(), 8, 8, 8 * sizeof(float) + 2);
    CHECK_THROWS_AS(each.forward(odd, narrow), std::invalid_argument);
    const device_plane_span<const float> overlapping(pixels.span().data(), 8, 8, 4 * sizeof(float));
    CHECK_THROWS_AS(each.forward(overlapping, narrow), std::invalid_argument);
    const device_plane_span<const float> high(pixels.span().data(), 8, 524288, 8 * sizeof(float));
    const device_plane_span<float> as_high(narrow.span().data(), 8, 524288, 8 * sizeof(float));
    CHECK_THROWS_AS(each.forward(high, as_high), std::invalid_argument);
  }
  const device_plane_span<const float> shifted(pixels.span().data() + 1, 8, 8, pixels.pitch());
  CHECK_THROWS_AS(textured.forward(shifted, narrow), std::invalid_argument);
  const device_plane_span<const float> dense(pixels.span().data(), 8, 8, 9 * sizeof(float));
  CHECK_THROWS_AS(textured.forward(dense, narrow), std::invalid_argument);
}

// Fifteen rows of pixels, and sixteen of coefficients, with so much between them that the last ones begin
// beyond what 32 bits can count, even in floats.
TEST_CASE("rows may lie further apart than 32 bits reach") {
  constexpr std::size_t pitch = std::size_t{640} << 20;
  constexpr int width = 40, height = 15;
  if (!has_memory(pitch * (15 + 16) + (std::size_t{1} << 30))) return;
  const auto far_rows = [](int rows) {
    char* memory = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&memory), pitch * std::size_t(rows)));
    return std::unique_ptr<char, decltype(&cudaFree)>(memory, &cudaFree);
  };
  const auto copy = [](float* to, std::size_t to_pitch, const float* from, std::size_t from_pitch, int rows) {
    for (std::size_t row = 0; row < std::size_t(rows); ++row)
      check(cudaMemcpy(reinterpret_cast<char*>(to) + row * to_pitch,
                       reinterpret_cast<const char*>(from) + row * from_pitch, width * sizeof(float),
                       cudaMemcpyDefault));
  };
  const auto pixel_rows = far_rows(height), coefficient_rows = far_rows(padded(height));
  const device_plane_span<float> far(reinterpret_cast<float*>(pixel_rows.get()), width, height, pitch);
  const device_plane_span<float> far_coefficients(reinterpret_cast<float*>(coefficient_rows.get()), width,
                                                  padded(height), pitch);
  const plane<float> pixels = asymmetric_plane(width, height), nothing(width, padded(height), NAN);
  constexpr std::size_t row = width * sizeof(float);
  for (const version& each : {per_coefficient, shared_matrix, columns}) {
    CAPTURE(each.name);
    copy(far.data(), pitch, pixels.values.data(), row, height);
    copy(far_coefficients.data(), pitch, nothing.values.data(), row, padded(height));
    each.forward(far, far_coefficients);
    plane<float> coefficients = nothing;
    copy(coefficients.values.data(), row, far_coefficients.data(), pitch, padded(height));
    CHECK(verify_dct8x8(pixels, coefficients));
    copy(far.data(), pitch, nothing.values.data(), row, height);
    each.inverse(far_coefficients, far);
    plane<float> again(width, height);
    copy(again.values.data(), row, far.data(), pitch, height);
    CHECK(verify_round_trip(pixels, again));
  }
}

TEST_CASE("the kernel that copies values copies all of them") {
  const plane<float> pixels = asymmetric_plane(37, 19);
  for (const block_shape shape : {block_shape::threads_8_by_8, block_shape::threads_32_by_8}) {
    const device_plane<float> from(pixels);
    device_plane<float> to(37, 19);
    copy_values(shape, from, to);
    CHECK(to.to_host() == pixels);
    device_plane<float> other(37, 20);
    CHECK_THROWS_AS(copy_values(shape, from, other), std::invalid_argument);
  }
}

TEST_CASE("the facts and the blocks of each launch are those of its shape") {
  using enum block_shape;
  for (const kernel_facts& facts : {start_threads_facts(threads_8_by_8), copy_values_facts(threads_8_by_8)})
    CHECK(facts.threads_per_block == 64);
  for (const kernel_facts& facts : {start_threads_facts(threads_32_by_8), copy_values_facts(threads_32_by_8)})
    CHECK(facts.threads_per_block == 256);
  CHECK(blocks_for(threads_8_by_8, 37, 19) == 5 * 3);
  CHECK(blocks_for(threads_32_by_8, 37, 19) == 2 * 3);
  CHECK(blocks_for(threads_8_by_8, 64, 24) == 8 * 3);
  CHECK(blocks_for(threads_32_by_8, 64, 24) == 2 * 3);
  for (const kernel_facts& facts :
       {dct8x8_per_coefficient_facts(), dct8x8_shared_matrix_facts(), dct8x8_textured_facts()}) {
    CHECK(facts.threads_per_block == 64);
    CHECK(facts.blocks_per_multiprocessor >= 1);
  }
  CHECK(dct8x8_facts().threads_per_block == 256);
}

TEST_CASE("what blocks alone cost: threads that do nothing, and a load and a store each") {
  if (!device_counts()) return;
  const device_plane<float> from(asymmetric_plane(37, 19));
  device_plane<float> to(37, 19);
  for (const auto& [shape, threads] :
       {std::pair(block_shape::threads_8_by_8, 15 * 64), std::pair(block_shape::threads_32_by_8, 6 * 256)}) {
    const launch_counts nothing = sum(count_launches([&, s = shape] { start_threads(s, 37, 19); }));
    CHECK(nothing.threads == std::uint64_t(threads));
    CHECK(nothing.global_loads + nothing.global_stores == 0);
    const launch_counts copy = sum(count_launches([&, s = shape] { copy_values(s, from, to); }));
    CHECK(copy.threads == std::uint64_t(threads));
    CHECK(copy.global_loads == 37 * 19);
    CHECK(copy.global_stores == 37 * 19);
  }
}

TEST_CASE("one thread per coefficient: what it asks for, per pixel") {
  if (!device_counts()) return;
  const int width = 64, height = 24;
  const double pixels = width * height, warps = pixels / 32, blocks = pixels / 64;
  for (const version& each : {textured, per_coefficient})
    for (const device_dct& dct : {each.forward, each.inverse}) {
      CAPTURE(each.name);
      const launch_counts counts = counts_of(dct, width, height);
      const bool from_texture = each.row_alignment != 4;
      CHECK(counts.texture_fetches == (from_texture ? pixels : 0));
      CHECK(counts.global_loads == (from_texture ? 0 : pixels));
      CHECK(counts.global_load_sectors == (from_texture ? 0 : 4 * warps));  // a warp: four rows of 32 bytes
      CHECK(counts.global_store_sectors == 4 * warps);
      CHECK(counts.barriers == 2 * blocks);
      CHECK(counts.shared_loads == 16 * pixels);
      CHECK(counts.shared_load_wavefronts == counts.shared_load_requests);
      CHECK(counts.shared_store_wavefronts == counts.shared_store_requests);
      // A warp holds four rows of a block: the first sum reads four elements of the matrix at a time, the
      // second eight.
      CHECK(counts.constant_requests == 16 * warps);
      CHECK(counts.constant_addresses == 8 * (4 + 8) * warps);
    }
}

TEST_CASE("matrix in shared memory: no constant is asked for, loads meet no bank conflict, one load more") {
  if (!device_counts()) return;
  const int width = 64, height = 24;
  const double pixels = width * height, warps = pixels / 32, blocks = pixels / 64;
  for (const device_dct& dct : {shared_matrix.forward, shared_matrix.inverse}) {
    const launch_counts counts = counts_of(dct, width, height);
    CHECK(counts.constant_requests == 0);
    CHECK(counts.global_loads == 2 * pixels);
    CHECK(counts.global_load_sectors == (4 + 4) * warps);
    CHECK(counts.barriers == 2 * blocks);
    CHECK(counts.shared_loads == 32 * pixels);
    CHECK(counts.shared_stores == 3 * pixels);
    CHECK(counts.shared_load_wavefronts == counts.shared_load_requests);
    // The rows of the matrix lie 9 apart: of a warp's four, the last ends in the banks where the first
    // begins.
    CHECK(counts.shared_store_requests == 3 * warps);
    CHECK(counts.shared_store_wavefronts == 4 * warps);
  }
}

TEST_CASE("eight threads a block: no barrier for the block, no bank conflict, whole sectors") {
  if (!device_counts()) return;
  const int width = 512, height = 24;
  const double pixels = width * height, warps = pixels / 8 / 32;
  for (const device_dct& dct : {columns.forward, columns.inverse}) {
    const launch_counts counts = counts_of(dct, width, height);
    CHECK(counts.threads == pixels / 8);
    CHECK(counts.global_loads == pixels);
    CHECK(counts.global_stores == pixels);
    CHECK(counts.global_load_requests == 8 * warps);
    CHECK(counts.global_load_sectors == 4 * counts.global_load_requests);
    CHECK(counts.global_store_sectors == 4 * counts.global_store_requests);
    CHECK(counts.barriers == 0);
    CHECK(counts.constant_requests == 0);
    CHECK(counts.shared_loads == 2 * pixels);
    CHECK(counts.shared_stores == 2 * pixels);
    CHECK(counts.shared_load_requests == 16 * warps);
    CHECK(counts.shared_load_wavefronts == counts.shared_load_requests);
    CHECK(counts.shared_store_wavefronts == counts.shared_store_requests);
  }
}

TEST_CASE("of many failures a message has five") {
  CHECK(joined({}) == "");
  CHECK(joined({"a", "b"}) == "\n  a\n  b");
  CHECK(joined(std::vector<std::string>(4096, "a")) == "\n  a\n  a\n  a\n  a\n  a\n  and 4091 more");
}

TEST_CASE("the checks refuse every mistake, each for its reason") {
  using enum broken::mistake;
  CHECK(joined(refused(none)) == "");
  CHECK(joined(forward_overruns(with(none))) == "");
  CHECK(joined(forward_basis_failures(with(none))) == "");
  CHECK(joined(refused(none_columns)) == "");

  // The first size that shows it, and how: 1 x 1 and constant pictures would not show a transposition.
  CHECK(refused(transposed).size() == 3);
  CHECK(any_contains(forward_basis_failures(with(transposed)), "coefficient (1, 3) appears at (3, 1)"));
  CHECK(refused(matrix_transposed).size() == 3);
  CHECK_FALSE(any_contains(forward_basis_failures(with(matrix_transposed)), "appears at (3, 1): 1.0"));
  const auto too_large = forward_basis_failures(with(first_row_like_all));
  CHECK(any_contains(too_large, "coefficient (0, 0) is 2.0"));
  CHECK(any_contains(too_large, "coefficient (0, 5) is 1.41"));
  CHECK_FALSE(any_contains(too_large, "coefficient (5, 5)"));

  // What has to do with edges fails there and nowhere else.
  const std::vector<std::string> over_the_edge = {"1 x 1", "7 x 9", "9 x 7"};
  CHECK(all_begin_with_one_of(refused(zeros_outside), over_the_edge));
  CHECK(joined(forward_basis_failures(with(zeros_outside))) == "");
  CHECK(all_begin_with_one_of(refused(grid_rounded_down), over_the_edge));
  CHECK(any_contains(refused(grid_rounded_down), "was it never written?"));
  CHECK(joined(forward_basis_failures(with(grid_rounded_down))) == "");
  CHECK(any_contains(inverse_overruns(with(not_cropped)), "something behind row 0 was written"));
}

// Wherever the rows lie one behind the other, this mistake is none; elsewhere it reads what is behind them,
// poison that the emulated device would not let it read.
TEST_CASE("the checks refuse rows without their pitch") {
  const plane<float> pixels = asymmetric_plane(64, 16);
  const device_buffer<float> memory(std::vector<float>(96 * 16, 1.0f));
  const device_plane_span<float> rows(const_cast<float*>(memory.data()), 64, 16, 96 * sizeof(float));
  check(cudaMemcpy2D(rows.data(), rows.pitch(), pixels.values.data(), 64 * sizeof(float), 64 * sizeof(float),
                     16, cudaMemcpyHostToDevice));
  device_plane<float> coefficients(64, 16);
  broken::dct(broken::mistake::none, rows, coefficients);
  CHECK(verify_dct8x8(pixels, coefficients.to_host()));
  broken::dct(broken::mistake::width_for_pitch, rows, coefficients);
  CHECK(verify_dct8x8(pixels, coefficients.to_host()).first_index == 0);
}

TEST_CASE("counts refuse a tile without padding, whose results are right") {
  CHECK(joined(refused(broken::mistake::tile_not_padded)) == "");
  if (!device_counts()) return;
  const launch_counts counts = counts_of(with(broken::mistake::tile_not_padded), 64, 8);
  // Eight rows of the tile in one bank: 32 lanes that go through rows meet four words of each of eight banks.
  CHECK(counts.shared_load_wavefronts > counts.shared_load_requests);
  CHECK(counts.shared_store_wavefronts > counts.shared_store_requests);
}

// Whether a race changes a result depends on the schedule. The emulated device sees the race itself, and ends
// the program that made it, so each runs in a process of its own.
TEST_CASE("the emulated device names what a result may not show") {
  if (!device_counts()) return;
  CHECK(broken::not_named(broken::shown_mistakes()) == "");
  CHECK(broken::wrong_coefficients(broken::mistake::none) == 0);
  CHECK(broken::wrong_coefficients(broken::mistake::none_columns) == 0);
}

namespace {

struct kept_for_planes {
  device_plane<float> between = device_plane<float>(64, 24);
  std::optional<plane_texture> texture = {};
};

template <class Run>
std::string failure_in_streams_of(const Run& run) {
  return failure_of_planes_in_streams<float, float, kept_for_planes>(64, 24, test_picture, run);
}

}  // namespace

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  for (const auto each : {filter_square, filter_fused, dct8x8, idct8x8, dct8x8_per_coefficient,
                          idct8x8_per_coefficient, dct8x8_shared_matrix, idct8x8_shared_matrix})
    CHECK(failure_in_streams_of([&](auto&, auto x, auto y, auto stream) { each(x, y, stream); }) == "");
  CHECK(failure_in_streams_of([](auto& kept, auto x, auto y, auto stream) {
          filter_separable(x, kept.between, y, stream);
        }) == "");
  using of_texture = void (*)(const plane_texture&, device_plane_span<float>, cudaStream_t);
  for (const auto each : {of_texture(dct8x8_textured), of_texture(idct8x8_textured)})
    CHECK(failure_in_streams_of([&](auto& kept, auto x, auto y, auto stream) {
            if (!kept.texture) kept.texture.emplace(x);
            each(*kept.texture, y, stream);
          }) == "");
}
