// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Launches the list, checks every result, and writes what was counted. On a GPU nothing is counted here:
// there the program is run under Nsight Compute, and the file says which launch is which.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "common/device/device.hpp"
#include "common/files/output_file.hpp"
#include "common/show/counts_table.hpp"
#include "common/show/table.hpp"
#include "count_kernels.hpp"

namespace {

constexpr const char* usage =
    "count_kernels [--csv FILE]\n"
    "Launches every kernel of the list, in a fixed order, checks the results, and writes one row for "
    "each launch.\n";

std::string dimensions(const unsigned (&size)[3]) {
  return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

/// Status 1 if a result is wrong or an entry launches anything but its kernels.
int run_list(const std::filesystem::path& file) {
  using namespace tutorial;
  csv_table table;
  std::size_t index = 0, wrong = 0;
  for (const count_entry& entry : count_entries()) {
    std::vector<std::string> kernels{entry.kernel};
    kernels.insert(kernels.end(), entry.further_kernels.begin(), entry.further_kernels.end());
    std::string finding;
    std::vector<launch_counts> counted = count_launches([&] { finding = entry.run(); });
    std::erase_if(counted, [](const launch_counts& each) { return each.kernel.starts_with("cuFFT "); });
    if (finding.empty() && !counted.empty() &&
        !std::ranges::equal(counted, kernels, {}, &launch_counts::kernel)) {
      finding = "does not launch its kernels, but";
      for (const launch_counts& each : counted) finding += " " + each.kernel;
    }
    if (!finding.empty()) {
      std::fprintf(stderr, "count_kernels: %s: %s\n", entry.name.c_str(), finding.c_str());
      ++wrong;
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      std::vector<std::pair<std::string, std::string>> cells = {
          {"index", std::to_string(index++)}, {"entry", entry.name}, {"kernel", kernels[i]}};
      if (i < counted.size()) {
        cells.insert(cells.end(),
                     {{"grid", dimensions(counted[i].grid)}, {"block", dimensions(counted[i].block)}});
        const auto quantities = counts_cells(counted[i]);
        cells.insert(cells.end(), quantities.begin(), quantities.end());
      }
      table.add_row(cells);
    }
  }
  if (!file.empty()) table.save(file);
  std::printf("%zu launches, %zu wrong\n", index, wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::fputs(usage, stdout);
    return 0;
  }
  if (argc != 1 && !(argc == 3 && std::string_view(argv[1]) == "--csv")) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    const std::filesystem::path file = argc == 3 ? argv[2] : "";
    if (!file.empty()) tutorial::require_writable(file);
    return run_list(file);
  } catch (const tutorial::input_error& error) {
    std::fprintf(stderr, "count_kernels: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "count_kernels: %s\n", error.what());
    return 1;
  }
}
