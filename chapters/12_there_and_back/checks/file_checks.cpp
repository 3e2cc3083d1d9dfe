// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "01_serial_definition/convolve_serial.hpp"
#include "12_there_and_back/host/chunk_filter.hpp"
#include "12_there_and_back/host/filter_file.hpp"
#include "common/device/device.hpp"
#include "common/files/array_file.hpp"
#include "common/verify/child_process.hpp"
#include "common/verify/compare.hpp"
#include "common/verify/inputs.hpp"

using namespace tutorial;

namespace {

/// The outputs of filter_stream() over x.
template <class T>
std::vector<T> streamed(const std::vector<T>& x, const std::vector<T>& h, convolution_mode mode,
                        const chunking& how, filtering_report& report) {
  std::vector<T> y;
  report = filter_stream<T>(
      x.size(),
      [&](std::size_t first, std::span<T> to) {
        std::copy_n(x.begin() + std::ptrdiff_t(first), to.size(), to.begin());
      },
      h, mode, [&](std::span<const T> outputs) { y.insert(y.end(), outputs.begin(), outputs.end()); }, how);
  return y;
}

}  // namespace

TEST_CASE("from a source to a sink, through a ring") {
  const auto x = random_whole_numbers<std::int32_t>(1009, 1);
  for (const std::size_t taps : {1, 8, 33, 1200}) {
    const auto h = random_taps<std::int32_t>(taps);
    for (const convolution_mode mode : all_modes)
      for (const chunking& how : {chunking{100, 1}, chunking{64, 2}, chunking{333, 3}, chunking{5000, 3}}) {
        CAPTURE(taps);
        CAPTURE(how.outputs);
        std::vector<std::int32_t> expected(output_length(x.size(), taps, mode));
        convolve_gather<std::int32_t>(x, h, expected, mode);
        filtering_report report;
        CHECK(streamed(x, h, mode, how, report) == expected);
        CHECK(report.verified);
        CHECK(report.verified.size == 3 * report.chunks);
      }
  }
}

TEST_CASE("outputs of which a transform computes no correct digit are counted") {
  const auto h = random_taps<float>(1100);
  // Just too old for the last output of the first chunk, y[1548], but not for the block that it belongs to.
  std::vector<float> x(4000, 1e-20f);
  x[1548 - 1100] = 1e10f;
  for (const std::size_t taps : {std::size_t{3}, h.size()}) {
    filtering_report report;
    streamed(x, {h.begin(), h.begin() + std::ptrdiff_t(taps)}, convolution_mode::same, {1000, 2}, report);
    CHECK(report.verified);
    // A device may be faster without a transform.
    CHECK((report.without_digits > 0) == (chunk_transform(taps, 1000, element_type::float32) != 0));
  }
}

TEST_CASE("NaN in a signal is not taken for a mistake") {
  auto x = random_signal<float>(500);
  x[100] = std::numeric_limits<float>::quiet_NaN();
  filtering_report report;
  streamed(x, random_taps<float>(300), convolution_mode::same, {50, 2}, report);
  CHECK(report.verified);
  CHECK(report.not_finite > 0);
}

TEST_CASE("what source or sink throw ends the work, whichever chunk it is") {
  const std::vector<float> h = random_taps<float>(5);
  for (const int bad : {0, 1, 7}) {
    int calls = 0;
    const auto source = [&](std::size_t, std::span<float> to) {
      if (calls++ == bad) throw std::runtime_error("the disk is gone");
      std::fill(to.begin(), to.end(), 1.0f);
    };
    CHECK_THROWS_WITH((filter_stream<float>(1000, source, h, convolution_mode::same, [](auto) {}, {100, 3})),
                      "the disk is gone");
    int written = 0;
    const auto sink = [&](auto) {
      if (written++ == bad) throw std::runtime_error("the disk is full");
    };
    CHECK_THROWS_WITH(
        (filter_stream<float>(1000,
                              [](std::size_t, std::span<float> to) { std::fill(to.begin(), to.end(), 1.0f); },
                              h, convolution_mode::same, sink, {100, 3})),
        "the disk is full");
  }
}

namespace {

/// A folder that is gone with it.
struct scratch_folder {
  std::filesystem::path path;
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "there_and_back_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
  std::size_t files() const {
    return std::size_t(std::distance(std::filesystem::directory_iterator(path), {}));
  }
};

}  // namespace

TEST_CASE("from file to file, on a device with less memory than the signal") {
  const scratch_folder folder;
  const auto x = random_signal<std::int32_t>(100'003), h = random_taps<std::int32_t>(13);
  write_array<std::int32_t>(folder.file("x.npy"), x);
  write_array<std::int32_t>(folder.file("h.txt"), h);
  setenv("EMULATOR_MEMORY", "256KiB", 1);  // a GPU takes no notice of it
  for (const convolution_mode mode : all_modes) {
    std::vector<std::int32_t> expected(output_length(x.size(), h.size(), mode));
    convolve_gather<std::int32_t>(x, h, expected, mode);
    const child_result child =
        run_myself("--signal " + folder.file("x.npy") + " --filter " + folder.file("h.txt") + " --mode " +
                   std::string(name(mode)) + " --output " + folder.file("y.npy"));
    CAPTURE(child.output);
    REQUIRE(child.status == 0);
    CHECK((read_array_as<std::int32_t>(folder.file("y.npy")) == expected));
  }

  // What cannot be done leaves nothing behind.
  std::filesystem::remove(folder.file("y.npy"));
  if (current_device().emulated) {
    setenv("EMULATOR_MEMORY", "4KiB", 1);
    const child_result child =
        run_myself("--signal " + folder.file("x.npy") + " --taps 5 --output " + folder.file("y.npy"));
    CHECK(child.status == 2);
    CHECK(child.output.find("out of memory") != std::string::npos);
  }
  unsetenv("EMULATOR_MEMORY");
  std::filesystem::resize_file(folder.file("x.npy"), 1000);
  for (const char* const wrong : {"--signal x.npy --taps 5", "--signal none.npy --taps 5",
                                  "--signal h.txt --taps 5", "--signal x.npy --taps 5 --variant zero_copy"}) {
    std::string arguments = wrong;
    arguments.insert(arguments.find(' ') + 1, folder.path.string() + "/");
    const child_result child = run_myself(arguments + " --output " + folder.file("y.npy"));
    CAPTURE(child.output);
    CHECK(child.status == 2);
    CHECK(child.output.find("12_there_and_back: ") != std::string::npos);
  }
  CHECK(folder.files() == 2);
}

TEST_CASE("NaN in a file: no output is written that a transform has spread it to") {
  const scratch_folder folder;
  auto x = random_signal<double>(1000);
  x[0] = std::numeric_limits<double>::quiet_NaN();
  write_array<double>(folder.file("x.npy"), x);
  // A child whose device has prices at which nothing else is chosen.
  const char* const asked = std::getenv("TUTORIAL_PRICES");
  const std::string before = asked == nullptr ? "" : asked;
  const auto run = [&](const char* prices, const std::string& arguments) {
    setenv("TUTORIAL_PRICES", prices, 1);
    const child_result child = run_myself(arguments + " --output " + folder.file("y.npy"));
    asked == nullptr ? unsetenv("TUTORIAL_PRICES") : setenv("TUTORIAL_PRICES", before.c_str(), 1);
    return child;
  };
  const char *const sums = "transforms 1e6", *const transforms = "sums 1e6";
  const std::string signal = "--signal " + folder.file("x.npy");
  const child_result direct = run(sums, signal + " --taps 3");
  CAPTURE(direct.output);
  REQUIRE(direct.status == 0);
  CHECK(direct.output.find("verified 2 of 3 outputs") != std::string::npos);
  CHECK(direct.output.find("1 is NaN, infinite or too large to be compared") != std::string::npos);
  std::vector<double> expected(x.size());
  convolve_gather<double>(x, random_taps<double>(3, 2), expected, convolution_mode::same);
  CHECK(compare<double>(read_array_as<double>(folder.file("y.npy")), expected,
                        std::vector<double>(x.size(), 1e-12), non_finite::must_agree));

  std::filesystem::remove(folder.file("y.npy"));
  const child_result transformed = run(transforms, signal + " --taps 300");
  CAPTURE(transformed.output);
  CHECK(transformed.status == 2);
  CHECK(transformed.output.find("x.npy: sample 0 is NaN or infinite") != std::string::npos);
  CHECK(folder.files() == 1);

  // A filter with one, and samples whose bound is too large to be written as a number.
  write_array<double>(folder.file("x.npy"), std::vector<double>(1000, 1e300));
  const child_result large = run(transforms, signal + " --taps 300");
  CHECK(large.status == 0);
  CHECK(large.output.find("verified 0 of 3 outputs") != std::string::npos);
  std::vector<double> h(300, 1.0);
  h[7] = -std::numeric_limits<double>::infinity();
  write_array<double>(folder.file("h.npy"), h);
  const child_result filter = run(transforms, "--length 1000 --type double --filter " + folder.file("h.npy"));
  CHECK(filter.status == 2);
  CHECK(filter.output.find("h.npy: tap 7 is NaN or infinite") != std::string::npos);
}
