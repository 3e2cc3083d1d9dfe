// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A program in C++ that knows nothing of the tutorial but <dct/dct.hpp>.
#include <atomic>
#include <cstdio>
#include <dct/dct.hpp>
#include <thread>
#include <utility>
#include <vector>

// Several threads at once, on both processors: each gets what one alone gets, and its own errors.
static bool threads_agree(const dct::image& image) {
  const std::vector<std::uint8_t> alone = dct::compress(dct::processor::gpu, image, 60).encode_jpeg();
  std::atomic<int> wrong{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&, i] {
      for (int round = 0; round < 5; ++round) {
        const auto where = round % 2 == 0 ? dct::processor::gpu : dct::processor::cpu;
        const dct::picture picture = dct::compress(where, image, 60);
        if (where == dct::processor::gpu && picture.encode_jpeg() != alone) ++wrong;
        if (picture.reconstruct(dct::processor::gpu).size() != picture.describe().width * 40u) ++wrong;
        try {
          if (i % 2 == 0) picture.keep_first(65);
          if (i % 2 == 1) picture.component(i);
          ++wrong;
        } catch (const dct::error& error) {
          wrong += (std::string(error.what()).find("64") != std::string::npos) != (i % 2 == 0);
        }
      }
    });
  for (std::thread& each : all) each.join();
  return wrong == 0;
}

int main() {
  try {
    std::vector<std::uint8_t> pixels(50 * 40);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = std::uint8_t(i % 50 * 3 + i / 50 * 2);
    const dct::image image{pixels.data(), 50, 40, 1, 0};
    dct::picture moved = dct::compress(dct::processor::gpu, image, 90);
    const dct::picture picture = std::move(moved);
    const std::vector<std::uint8_t> result = picture.reconstruct(dct::processor::cpu);
    const double decibels = dct::psnr(image, {result.data(), 50, 40, 1, 0});
    const std::vector<std::uint8_t> jpeg = picture.encode_jpeg();
    std::printf("%zu bytes, PSNR %.1f dB\n", jpeg.size(), decibels);
    if (decibels < 35 || jpeg.size() < 100 || jpeg[0] != 0xFF || jpeg[1] != 0xD8) return 1;
    if (picture.keep_first(1).encode_jpeg().size() >= jpeg.size()) return 1;
    if (!dct::available(dct::processor::gpu) || picture.describe().width != 50) return 1;
    if (!threads_agree(image)) {
      std::puts("threads disturb each other");
      return 1;
    }
    picture.component(1);  // a gray picture has none
  } catch (const dct::error& error) {
    std::printf("as expected: %s\n", error.what());
    return error.status() == DCT_BAD_ARGUMENT ? 0 : 1;
  }
  return 1;
}
