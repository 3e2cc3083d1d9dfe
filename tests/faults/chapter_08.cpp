// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "08_dct8x8/checks/broken.hpp"
#include "08_dct8x8/checks/dct_checks.hpp"
#include "08_dct8x8/checks/dct_verification.hpp"
#include "08_dct8x8/host/dct_serial.hpp"
#include "common/device/device.hpp"
#include "fault.hpp"

namespace tutorial {
namespace {

using broken::mistake;

device_dct function(mistake made) {
  return [made](auto from, auto to) { broken::dct(made, from, to); };
}

fault with(std::string name, mistake made) {
  const auto use = [made] { return wrong_ones(broken::wrong_coefficients(made), "of 5440 coefficients"); };
  const auto checks = [f = function(made)] {
    return first_refusal([f] { return refused_by("results", forward_failures(f)); },
                         [f] { return refused_by("surroundings", forward_overruns(f)); });
  };
  return {std::move(name), use, checks};
}

/// The inverse, whose pixels are right and not alone.
fault with_inverse(std::string name, mistake made) {
  const auto use = [made]() -> std::string {
    const plane<float> coefficients = asymmetric_plane(136, 40);
    const plane<float> pixels = run_dct(function(made), coefficients, 130, 40);
    const agreement result = verify_idct8x8(coefficients, pixels);
    return result ? "" : std::to_string(result.mismatches) + " of " + std::to_string(result.size) + " pixels";
  };
  const auto checks = [f = function(made)] {
    return first_refusal([f] { return refused_by("results", inverse_failures(f)); },
                         [f] { return refused_by("surroundings", inverse_overruns(f)); });
  };
  return {std::move(name), use, checks};
}

refusal bank_conflicts(const device_dct& f) {
  const device_plane<float> from(asymmetric_plane(64, 8));
  device_plane<float> to(64, 8);
  const auto launches = count_launches([&] { f(from, to); });
  if (launches.empty()) return {};
  const launch_counts counts = sum(launches);
  if (counts.shared_load_wavefronts == counts.shared_load_requests) return {};
  return {"counts", std::to_string(counts.shared_load_wavefronts) + " wavefronts in " +
                        std::to_string(counts.shared_load_requests) + " loads from shared memory"};
}

}  // namespace

std::vector<fault> faults() {
  return each_fault<mistake>([](const std::string& name, mistake made) {
    if (made == mistake::not_cropped) return with_inverse(name, made);
    fault result = with(name, made);
    if (made == mistake::tile_not_padded)
      result.check = [before = result.check] {
        return first_refusal(before, [] { return bank_conflicts(function(mistake::tile_not_padded)); });
      };
    return result;
  });
}

}  // namespace tutorial
