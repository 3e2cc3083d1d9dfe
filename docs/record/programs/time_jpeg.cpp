// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
/// \file
/// A gray picture as a JPEG file: our codec, libjpeg on one core, and NVIDIA's nvJPEG where the toolkit has
/// it; the same pixels, the same quality. For docs/record/peers. Every file is read by libjpeg before
/// anything is timed: it must hold the same steps, and levels that differ from ours by 1 at most.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef TUTORIAL_HAS_NVJPEG
#include <nvjpeg.h>
#endif

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/jpeg_judge.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "common/device/measure.hpp"
#include "common/files/image.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"
#include "common/show/table.hpp"
#include "common/verify/test_picture.hpp"

namespace tutorial {
namespace {

constexpr const char* usage = "time_jpeg --csv FILE [--side PIXELS]...    (2592 and 8192 unless given)\n";
constexpr int quality = 50;

using bytes = std::vector<std::uint8_t>;

/// What libjpeg finds in a file.
struct judged_file {
  std::size_t size = 0, levels_not_ours = 0;
  double psnr_db = 0;
};

/// One picture on host and device, and what our codec makes of it.
class work {
 public:
  work(int side, csv_table& rows) : side(side), rows_(rows), levels(padded(side), padded(side)) {
    const plane<float> picture = test_picture(side, side);
    host = image{side, side, 1, bytes(picture.values.begin(), picture.values.end())};
    pixels = device_plane<std::uint8_t>(
        plane<std::uint8_t>(side, side, bytes(host.pixels().begin(), host.pixels().end())));
    encode_fused(pixels, steps, levels);
    ours = compressed();
  }

  compressed_picture compressed() {
    return {side, side, chroma_sampling::s444, {{side, side, steps, levels.to_host()}}};
  }
  void upload() {
    check(cudaMemcpy2D(pixels.span().data(), pixels.pitch(), host.pixels().data(), std::size_t(side),
                       std::size_t(side), std::size_t(side), cudaMemcpyHostToDevice));
  }

  /// Throws if the file holds another picture, other steps, or levels that are not nearly ours.
  judged_file judge_file(const bytes& file) const {
    const compressed_picture read = judge::levels_in(file);
    if (read.width != side || read.height != side || read.components.size() != 1)
      throw std::runtime_error("the file holds another picture");
    if (read.components[0].steps != steps) throw std::runtime_error("the file has other steps");
    judged_file result{file.size()};
    const auto &a = read.components[0].levels.values, &b = ours.components[0].levels.values;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::abs(a[i] - b[i]) > 1) throw std::runtime_error("a level differs by more than 1");
      result.levels_not_ours += a[i] != b[i];
    }
    result.psnr_db = psnr(host, judge::pixels_in(file));
    return result;
  }

  /// Without a file, the row is of levels.
  void add(const std::string& by, const std::string& gives, const std::string& way, const timing& time,
           const judged_file& file) {
    rows_.add_row({{"side", std::to_string(side)},
                   {"quality", std::to_string(quality)},
                   {"by", by},
                   {"gives", gives},
                   {"way", way},
                   {"median_ms", exact_digits(time.median_ms)},
                   {"min_ms", exact_digits(time.min_ms)},
                   {"max_ms", exact_digits(time.max_ms)},
                   {"file_bytes", file.size ? std::to_string(file.size) : ""},
                   {"psnr_db", file.size ? exact_digits(file.psnr_db) : ""},
                   {"levels_not_ours", file.size ? std::to_string(file.levels_not_ours) : ""}});
    std::printf("%6d  %-34s %-24s %-28s %s ms\n", side, by.c_str(), gives.c_str(), way.c_str(),
                milliseconds(time.median_ms).c_str());
    std::fflush(stdout);
  }

  const int side;
  const quantization_table steps = table_for(component_kind::luminance, quality);
  image host{1, 1, 1};
  device_plane<std::uint8_t> pixels;

 private:
  csv_table& rows_;

 public:
  device_plane<std::int16_t> levels;
  compressed_picture ours;
};

void time_ours(work& w) {
  const judged_file file = w.judge_file(jpeg_bytes(w.ours));
  w.add("09 fused", "levels on the device", "pixels on the device",
        measure([&](int) { encode_fused(w.pixels, w.steps, w.levels); }), {});
  w.add("09 fused, libjpeg's Huffman code", "a file on the host", "pixels on the device",
        measure_host(
            [&](int) {
              encode_fused(w.pixels, w.steps, w.levels);
              jpeg_bytes(w.compressed());
            },
            {.repeats = 5}),
        file);
  w.add("09 fused, libjpeg's Huffman code", "a file on the host", "pixels on the host",
        measure_host(
            [&](int) {
              w.upload();
              encode_fused(w.pixels, w.steps, w.levels);
              jpeg_bytes(w.compressed());
            },
            {.repeats = 5}),
        file);
}

void time_libjpeg(work& w) {
  const judged_file file = w.judge_file(judge::file_of_libjpeg(w.host, quality, chroma_sampling::s444));
  w.add("libjpeg, one core", "a file on the host", "pixels on the host",
        measure_host([&](int) { judge::file_of_libjpeg(w.host, quality, chroma_sampling::s444); },
                     {.repeats = 5}),
        file);
}

#ifdef TUTORIAL_HAS_NVJPEG

void check_nvjpeg(nvjpegStatus_t status) {
  if (status != NVJPEG_STATUS_SUCCESS)
    throw std::runtime_error("nvJPEG: status " + std::to_string(int(status)));
}

class nvjpeg_encoder {
 public:
  explicit nvjpeg_encoder(bool own_codes) {
    check_nvjpeg(nvjpegCreateSimple(&handle_));
    check_nvjpeg(nvjpegEncoderStateCreate(handle_, &state_, nullptr));
    check_nvjpeg(nvjpegEncoderParamsCreate(handle_, &parameters_, nullptr));
    check_nvjpeg(nvjpegEncoderParamsSetQuality(parameters_, quality, nullptr));
    check_nvjpeg(nvjpegEncoderParamsSetSamplingFactors(parameters_, NVJPEG_CSS_GRAY, nullptr));
    check_nvjpeg(nvjpegEncoderParamsSetOptimizedHuffman(parameters_, own_codes ? 1 : 0, nullptr));
  }
  ~nvjpeg_encoder() {
    if (parameters_) nvjpegEncoderParamsDestroy(parameters_);
    if (state_) nvjpegEncoderStateDestroy(state_);
    if (handle_) nvjpegDestroy(handle_);
  }
  nvjpeg_encoder(const nvjpeg_encoder&) = delete;
  nvjpeg_encoder& operator=(const nvjpeg_encoder&) = delete;

  /// To a stream of bits that stays on the device. A gray picture is the first channel of one in YUV.
  void encode(work& w) {
    nvjpegImage_t source{};
    source.channel[0] = w.pixels.span().data();
    source.pitch[0] = w.pixels.pitch();
    check_nvjpeg(
        nvjpegEncodeYUV(handle_, state_, parameters_, &source, NVJPEG_CSS_GRAY, w.side, w.side, nullptr));
  }
  const bytes& retrieve() {
    std::size_t length = 0;
    check_nvjpeg(nvjpegEncodeRetrieveBitstream(handle_, state_, nullptr, &length, nullptr));
    file_.resize(length);
    check_nvjpeg(nvjpegEncodeRetrieveBitstream(handle_, state_, file_.data(), &length, nullptr));
    check(cudaStreamSynchronize(nullptr));
    file_.resize(length);
    return file_;
  }

 private:
  nvjpegHandle_t handle_ = nullptr;
  nvjpegEncoderState_t state_ = nullptr;
  nvjpegEncoderParams_t parameters_ = nullptr;
  bytes file_;
};

void time_nvjpeg(work& w) {
  for (const bool own_codes : {false, true}) {
    nvjpeg_encoder encoder(own_codes);
    const std::string by = own_codes ? "nvJPEG, optimized Huffman codes" : "nvJPEG";
    encoder.encode(w);
    const judged_file file = w.judge_file(encoder.retrieve());
    // By the wall clock, because the call itself waits; device and host are both idle before and after.
    w.add(by, "a file on the device", "pixels on the device", measure_host([&](int) {
            encoder.encode(w);
            check(cudaStreamSynchronize(nullptr));
          }),
          file);
    w.add(by, "a file on the host", "pixels on the device", measure_host([&](int) {
            encoder.encode(w);
            encoder.retrieve();
          }),
          file);
    w.add(by, "a file on the host", "pixels on the host", measure_host([&](int) {
            w.upload();
            encoder.encode(w);
            encoder.retrieve();
          }),
          file);
  }
}

#else

void time_nvjpeg(work&) { std::puts("        nvJPEG: this build has none"); }

#endif

int run(int argc, char** argv) {
  std::string csv;
  std::vector<int> sides;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") return std::fputs(usage, stdout), 0;
    if (word == "--csv" && i + 1 < argc)
      csv = argv[++i];
    else if (word == "--side" && i + 1 < argc && std::atoi(argv[i + 1]) >= 8 &&
             std::atoi(argv[i + 1]) <= most_jpeg_pixels)
      sides.push_back(std::atoi(argv[++i]));
    else
      return std::fputs(usage, stderr), 2;
  }
  if (csv.empty()) return std::fputs(usage, stderr), 2;
  require_writable(csv);
  if (sides.empty()) sides = {2592, 8192};
  csv_table rows;
  int status = 0;
  for (const int side : sides) {
    work w(side, rows);
    // What is wrong with one of them does not keep the others from being timed.
    for (const auto& [by, time] :
         {std::pair{"ours", &time_ours}, {"libjpeg", &time_libjpeg}, {"nvJPEG", &time_nvjpeg}})
      try {
        time(w);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "time_jpeg: %s, %d x %d: %s\n", by, side, side, error.what());
        status = 1;
      }
  }
  rows.save(csv);
  return status;
}

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  try {
    return tutorial::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "time_jpeg: %s\n", error.what());
    return 1;
  }
}
