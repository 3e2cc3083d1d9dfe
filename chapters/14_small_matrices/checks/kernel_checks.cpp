// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "09_dct_compression/host/color.hpp"
#include "09_dct_compression/host/compress_serial.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "14_small_matrices/checks/round_trip_verification.hpp"
#include "14_small_matrices/checks/test_planes.hpp"
#include "14_small_matrices/checks/unrounded.hpp"
#include "14_small_matrices/kernels/small_matrices.hpp"
#include "common/verify/counted_check.hpp"
#include "common/verify/in_streams.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

using byte_plane = plane<std::uint8_t>;

using round_trip_function = void (*)(device_plane_span<const std::uint8_t>, const product_matrices&,
                                     device_plane_span<std::uint8_t>, cudaStream_t);
struct product_version {
  std::string name;
  round_trip_function in_stream;
  void run(device_plane_span<const std::uint8_t> pixels, const product_matrices& matrices,
           device_plane_span<std::uint8_t> result) const {
    in_stream(pixels, matrices, result, nullptr);
  }
};
const product_version versions[] = {
    {"wmma", round_trip_wmma}, {"mma", round_trip_mma}, {"staged", round_trip_staged}};

byte_plane made_of(int width, int height, const std::function<int(int row, int col)>& value) {
  byte_plane pixels(width, height);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) pixels.at(row, col) = std::uint8_t(value(row, col));
  return pixels;
}

byte_plane random_pixels(int width, int height, std::uint64_t seed) {
  return test_plane(plane_kind::random, width, height, seed);
}
byte_plane extreme_pixels(int width, int height) {
  return test_plane(plane_kind::black_and_white, width, height);
}
byte_plane photographic_pixels(int width, int height) {
  return test_plane(plane_kind::shades, width, height);
}

byte_plane round_trip(const product_version& version, const byte_plane& pixels,
                      const quantization_table& steps) {
  const product_matrices matrices(steps);
  const device_plane<std::uint8_t> d_pixels(pixels);
  device_plane<std::uint8_t> d_result(pixels.width, pixels.height);
  version.run(d_pixels, matrices, d_result);
  return d_result.to_host();
}

void check_version(const product_version& version, const byte_plane& pixels,
                   const quantization_table& steps) {
  const round_trip_agreement found = verify_round_trip(pixels, steps, round_trip(version, pixels, steps));
  CHECK_MESSAGE(found, version.name << ", " << pixels.width << " x " << pixels.height
                                    << " pixels: " << describe(found.found));
}

}  // namespace

TEST_CASE("every width around a word, a block and a tile, and every height of a block") {
  for (const product_version& version : versions) {
    for (const int width : {1, 7, 8, 9, 15, 16, 17, 31, 113, 127, 128, 129, 257})
      check_version(version, random_pixels(width, 9, 1), luminance(90));
    for (int height = 1; height <= 17; ++height)
      check_version(version, random_pixels(21, height, 2), luminance(90));
  }
}

TEST_CASE("every table, from steps of 1 to steps of 255") {
  for (const product_version& version : versions)
    for (const int quality : {1, 5, 25, 50, 75, 92, 98, 100})
      for (const byte_plane& pixels :
           {random_pixels(40, 24, 3), extreme_pixels(64, 16), photographic_pixels(40, 24)})
        check_version(version, pixels, luminance(quality));
}

TEST_CASE("steps of 1 and black and white: the largest levels that there are") {
  quantization_table ones;
  ones.fill(1);
  for (const product_version& version : versions) {
    for (const int color : {0, 255})
      CHECK(round_trip(version, byte_plane(24, 16, std::uint8_t(color)), ones) ==
            byte_plane(24, 16, std::uint8_t(color)));
    check_version(version, extreme_pixels(64, 32), ones);
  }
}

TEST_CASE("more tiles than warps that the device holds: each warp goes from tile to tile") {
  const byte_plane tile = photographic_pixels(16, 8);
  const product_matrices matrices(luminance(50));
  const byte_plane right = round_trip(versions[0], tile, luminance(50));
  // A warp that goes on comes to another column, and sometimes to another row.
  const int warps = 4 * 4 * current_device().multiprocessors, in_row = warps % 5 != 0 ? 5 : 7;
  const int width = 128 * in_row, height = 8 * (warps / in_row + 3);
  const device_plane<std::uint8_t> d_pixels(
      made_of(width, height, [&](int row, int col) { return tile.at(row % 8, col % 16); }));
  const byte_plane expected =
      made_of(width, height, [&](int row, int col) { return right.at(row % 8, col % 16); });
  for (const product_version& version : {versions[1], versions[2]}) {
    device_plane<std::uint8_t> result(width, height);
    version.run(d_pixels, matrices, result);
    CHECK_MESSAGE(result.to_host() == expected, version.name);
  }
}

TEST_CASE("nothing beside the picture is written") {
  constexpr std::size_t pitch = 64;
  const product_matrices matrices(luminance(75));
  // The second is made of whole words and blocks: `staged` has a kernel for those.
  for (const auto& [width, height] : {std::pair{37, 11}, std::pair{48, 16}})
    for (const product_version& version : versions) {
      const device_plane<std::uint8_t> d_pixels(random_pixels(width, height, 4));
      device_buffer<std::uint8_t> bytes(pitch * std::size_t(height));
      check(cudaMemset(bytes.data(), 0x5A, bytes.size()));
      version.run(d_pixels, matrices, {bytes.data(), width, height, pitch});
      const std::vector<std::uint8_t> all = bytes.to_host();
      std::size_t beside = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        beside += i % pitch >= std::size_t(width) && all[i] != 0x5A;
      CHECK_MESSAGE(beside == 0, version.name);
    }
}

TEST_CASE("in any stream: recorded in a graph, and by two threads at once") {
  struct nothing {};
  const product_matrices matrices(luminance(75));
  for (const product_version& version : versions)
    CHECK(failure_of_planes_in_streams<std::uint8_t, std::uint8_t, nothing>(
              272, 37, random_pixels, [&](nothing, const auto& from, const auto& to, cudaStream_t stream) {
                version.in_stream(from, matrices, to, stream);
              }) == "");
}

TEST_CASE("planes that do not fit are refused") {
  const product_matrices matrices(luminance(75));
  device_buffer<std::uint8_t> bytes(4096);
  const auto at = [&](int offset, int width, int height, std::size_t pitch) {
    return device_plane_span<std::uint8_t>(bytes.data() + offset, width, height, pitch);
  };
  for (const product_version& version : versions) {
    CHECK_THROWS_AS(version.run(at(0, 16, 8, 16), matrices, at(2048, 16, 9, 16)), std::invalid_argument);
    CHECK_THROWS_AS(version.run(at(0, 0, 8, 16), matrices, at(2048, 0, 8, 16)), std::invalid_argument);
    CHECK_THROWS_AS(version.run(at(8, 16, 8, 16), matrices, at(2048, 16, 8, 16)), std::invalid_argument);
    CHECK_THROWS_AS(version.run(at(0, 16, 8, 24), matrices, at(2048, 16, 8, 16)), std::invalid_argument);
    CHECK_THROWS_AS(version.run(at(0, 32, 8, 16), matrices, at(2048, 32, 8, 16)), std::invalid_argument);
  }
}

// A GPU cuts off what does not fit into a sum, and the emulated device rounds it: there ratios are smaller.
TEST_CASE("what is rounded to levels is within its bound, and as near to float64 as the float kernel's") {
  double ratios = 0;
  int count = 0;
  for (const int quality : {50, 75, 100})
    for (const plane_kind kind : {plane_kind::random, plane_kind::black_and_white, plane_kind::shades}) {
      const byte_plane pixels = test_plane(kind, 128, 64, 5);
      const quantization_table steps = luminance(quality);
      const plane<double> exact = unrounded_levels(pixels, steps);
      const std::array<double, 64> bounds = product_level_bounds(steps);
      const level_errors products = errors_of(unrounded_by_products(pixels, steps), exact, bounds);
      const level_errors floats = errors_of(unrounded_by_floats(pixels, steps), exact, bounds);
      const double ratio = products.root_mean_square / floats.root_mean_square;
      CHECK_MESSAGE(products.worst_of_bound <= 1, "kind " << int(kind) << ", quality " << quality);
      CHECK_MESSAGE(ratio <= 1.25, "kind " << int(kind) << ", quality " << quality
                                           << ": the error of the products is " << ratio
                                           << " times that of the float kernel");
      ratios += ratio;
      ++count;
    }
  CHECK(ratios / count <= 1);
}

TEST_CASE("pictures: gray, and color by planes") {
  for (const int channels : {1, 3})
    for (const chroma_sampling sampling : {chroma_sampling::s444, chroma_sampling::s420}) {
      image picture(35, 21, channels);
      for (std::size_t i = 0; i < picture.pixels().size(); ++i)
        picture.pixels()[i] = std::uint8_t(random_bits(6, i / 5) >> 24);
      const image ours = round_trip_picture(picture, 80, sampling);
      const std::vector<byte_plane> planes = split(picture, sampling);
      std::vector<byte_plane> expected;
      for (const byte_plane& each : planes)
        expected.push_back(round_trip(
            versions[2], each,
            table_for(expected.empty() ? component_kind::luminance : component_kind::chrominance, 80)));
      CHECK(ours == joined(expected, 35, 21, channels == 1 ? chroma_sampling::s444 : sampling));
    }
}

#ifdef __clang__  // it makes two loads of some of 16 bytes
constexpr bool whole_loads = false;
#else
constexpr bool whole_loads = true;
#endif

TEST_CASE("what the lesson counts") {
  const int width = 512, height = 64;  // 32 tiles, all whole
  const device_plane<std::uint8_t> pixels(random_pixels(width, height, 3));
  device_plane<std::uint8_t> result(width, height);
  const product_matrices matrices(luminance(50));
  const auto counts = [&](const product_version& version) {
    return sum(count_launches([&] { version.run(pixels, matrices, result); }));
  };
  if (!has_counts(count_launches([&] { round_trip_mma(pixels, matrices, result); }))) return;
  const std::uint64_t all = std::uint64_t(width) * height, warps = 32, tiles = 32;
  const std::uint64_t matrix_bytes = warps * 16 * 512;

  for (const product_version& each : versions) CHECK(counts(each).threads == 32 * warps);
  const launch_counts mma = counts(versions[1]), staged = counts(versions[2]);
  for (const launch_counts& each : {mma, staged}) {
    CHECK(each.global_load_bytes == all + matrix_bytes);
    CHECK(each.global_store_bytes == all);
    CHECK(each.barriers == 0);
    // No sector is fetched or written that is not used.
    if (whole_loads) CHECK(each.global_load_sectors * 32 == each.global_load_bytes);
    CHECK(each.global_store_sectors * 32 == each.global_store_bytes);
    CHECK(each.global_store_requests == 2 * tiles);
  }
  CHECK(mma.shared_loads + mma.shared_stores == 0);
  // Lanes of 16 bytes: a wavefront for each quarter of a warp, and none twice.
  if (whole_loads) CHECK(staged.shared_load_requests == 4 * tiles);
  CHECK(staged.shared_load_wavefronts == 4 * staged.shared_load_requests);
  CHECK(staged.shared_store_wavefronts == 4 * staged.shared_store_requests);
}
