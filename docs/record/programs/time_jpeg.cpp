// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Pictures to JPEG files and back: ours, libjpeg on one core and on all, and NVIDIA's nvJPEG where the
// toolkit has it; the same pixels, the same quality. For docs/record/peers. Every file is read by libjpeg
// before anything is timed: it must hold the same steps, and levels that differ from ours by 1 at most.
// Memory of the host is pinned for all of them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#ifdef TUTORIAL_HAS_NVJPEG
#include <nvjpeg.h>
#endif

#include "08_dct8x8/host/dct_serial.hpp"
#include "09_dct_compression/checks/jpeg_judge.hpp"
#include "09_dct_compression/device_codec.hpp"
#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/picture_quality.hpp"
#include "09_dct_compression/kernels/compress_fused.hpp"
#include "10_bits/jpeg_decoder.hpp"
#include "10_bits/jpeg_on_device.hpp"
#include "10_bits/kernels/file_to_host.hpp"
#include "common/device/device.hpp"
#include "common/device/pinned_buffer.hpp"
#include "common/files/image.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/test_picture.hpp"
#include "pictures.hpp"

namespace tutorial {
namespace {

constexpr int quality = 50;
constexpr int units_between_markers = 128, units_to_decode = 32;

using bytes = std::vector<std::uint8_t>;

std::string markers(int interval) { return ", a marker every " + std::to_string(interval) + " units"; }

/// What libjpeg finds in a file.
struct judged_file {
  std::size_t size = 0, levels_not_ours = 0;
  double psnr_db = 0;
};

/// By the wall clock, for a call that the host waits for.
timing by_clock(const std::function<void(int)>& call, measure_options options = {}) {
  return measure_host(call, options_here(options));
}

/// One picture, gray or in colors, on the host and in so many places on the device that no call finds it in
/// the cache.
class work {
 public:
  work(int side, int channels, csv_table& rows)
      : side(side),
        channels(channels),
        host(side, side, channels),
        ours(compress_on_device(paint(), quality, chroma_sampling::s420)),
        pinned_result(host.pixels().size()),
        rows_(rows) {
    pinned = std::make_unique<pinned_buffer<std::uint8_t>>(host.pixels());
    const plane<std::uint8_t> all(side * channels, side, bytes(host.pixels().begin(), host.pixels().end()));
    for (int s = std::min(buffer_sets(host.pixels().size()), 12); s > 0; --s) {
      pixels.emplace_back(all);
      planes.push_back(on_device(host, chroma_sampling::s420));
    }
  }

  jpeg_description description() const { return description_of(host, quality, chroma_sampling::s420); }
  const device_plane<std::uint8_t>& pixels_of(int call) const {
    return pixels[std::size_t(call) % pixels.size()];
  }
  jpeg_planes planes_of(int call) const { return planes[std::size_t(call) % planes.size()].planes(); }

  /// From pinned memory; does not wait.
  void upload() {
    const std::size_t row = std::size_t(side) * std::size_t(channels);
    check(cudaMemcpy2DAsync(pixels[0].span().data(), pixels[0].pitch(), pinned->data(), row, row,
                            std::size_t(side), cudaMemcpyHostToDevice, nullptr));
  }

  /// To pinned memory; does not wait.
  void download(device_plane_span<const std::uint8_t> result) {
    const std::size_t row = std::size_t(side) * std::size_t(channels);
    check(cudaMemcpy2DAsync(pinned_result.data(), row, result.data(), result.pitch(), row, std::size_t(side),
                            cudaMemcpyDeviceToHost, nullptr));
  }

  /// Throws if the file holds another picture or other steps, or, unless it has colors of its own, levels
  /// that are not nearly ours.
  judged_file judge_file(const bytes& file, bool own_colors = false) const {
    const compressed_picture read = judge::levels_in(file);
    if (read.width != side || read.height != side || int(read.components.size()) != channels)
      throw std::runtime_error("the file holds another picture");
    judged_file result{file.size()};
    for (std::size_t c = 0; c < read.components.size(); ++c) {
      if (read.components[c].steps != ours.components[c].steps)
        throw std::runtime_error("the file has other steps");
      const auto &a = read.components[c].levels.values, &b = ours.components[c].levels.values;
      if (a.size() != b.size()) throw std::runtime_error("the file has another sampling");
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (!own_colors && std::abs(a[i] - b[i]) > 1)
          throw std::runtime_error("a level differs by more than 1");
        result.levels_not_ours += a[i] != b[i];
      }
    }
    result.psnr_db = psnr(host, judge::pixels_in(file));
    return result;
  }

  void add(const std::string& by, const std::string& gives, const std::string& from, const std::string& timed,
           const timing& time, const judged_file& file) {
    const char* const picture = channels == 1 ? "gray" : "4:2:0";
    rows_.add_row({{"side", std::to_string(side)},
                   {"picture", picture},
                   {"quality", std::to_string(quality)},
                   {"by", by},
                   {"gives", gives},
                   {"way", from},
                   {"timed", timed},
                   {"median_ms", exact_digits(time.median_ms)},
                   {"min_ms", exact_digits(time.min_ms)},
                   {"max_ms", exact_digits(time.max_ms)},
                   {"file_bytes", file.size ? std::to_string(file.size) : ""},
                   {"psnr_db", file.size ? exact_digits(file.psnr_db) : ""},
                   {"levels_not_ours", file.size ? std::to_string(file.levels_not_ours) : ""}});
    std::printf("%6d %-6s %-42s %-22s %-24s %-13s %s ms\n", side, picture, by.c_str(), gives.c_str(),
                from.c_str(), timed.c_str(), milliseconds(time.median_ms).c_str());
    std::fflush(stdout);
  }

  /// As a program calls it that has one picture and waits, and again and again without waiting in between
  /// where that is possible.
  void time_both(const std::string& by, const std::string& gives, const std::string& from,
                 const judged_file& file, const std::function<void(int)>& call) {
    add(by, gives, from, "one call", by_clock([&](int i) {
          call(i);
          check(cudaStreamSynchronize(nullptr));
        }),
        file);
    add(by, gives, from, "back to back", measure(call), file);
  }

  const int side, channels;
  image host;
  const compressed_picture ours;
  std::unique_ptr<pinned_buffer<std::uint8_t>> pinned;
  pinned_buffer<std::uint8_t> pinned_result;
  std::vector<device_plane<std::uint8_t>> pixels;
  std::vector<device_picture> planes;

 private:
  const image& paint() {
    for (int c = 0; c < channels; ++c) {
      const plane<float> values = test_picture(side, side, std::uint64_t(c) + 1);
      for (int row = 0; row < side; ++row)
        for (int col = 0; col < side; ++col) {
          // Colors of pictures vary less than brightness.
          const int before = c == 0 ? 0 : host.at(row, col, 0), value = int(values.at(row, col));
          host.at(row, col, c) = std::uint8_t(c == 0 ? value : (3 * before + value) / 4);
        }
    }
    return host;
  }

  csv_table& rows_;
};

struct coding_kind {
  const char* name;
  jpeg_coding coding;
};
constexpr coding_kind coding_kinds[] = {{"", {0, false}},
                                        {", a marker every 128 units", {units_between_markers, false}},
                                        {", optimized Huffman codes", {0, true}},
                                        {", both", {units_between_markers, true}}};

void time_encoder(work& w) {
  for (const coding_kind& kind : coding_kinds) {
    const std::string by = std::string("10 encoder") + kind.name;
    picture_encoder encoder(w.description(), kind.coding);
    device_buffer<std::uint8_t> file(roomy_file_size(w.description()));
    device_buffer<std::uint64_t> size(1);
    host_file on_host(file.size());
    encoder.encode(w.pixels_of(0), file, size.data());
    const bytes whole = file_on_host(file, size);
    const judged_file judged = w.judge_file(whole);
    if (whole != jpeg_bytes(w.ours, {kind.coding.optimized, kind.coding.restart_interval}))
      throw std::runtime_error("the file is not libjpeg's");
    w.time_both(by, "a file on the device", "pixels on the device", judged,
                [&](int i) { encoder.encode(w.pixels_of(i), file, size.data()); });
    if (w.channels == 3) {
      const std::unique_ptr<jpeg_encoder> alone = make_encoder(w.description(), kind.coding);
      w.time_both(by, "a file on the device", "planes on the device", judged,
                  [&](int i) { alone->encode(w.planes_of(i), file, size.data()); });
    }
    const auto bring = [&] {
      on_host.bring(file, size.data());
      if (on_host.wait().size() != whole.size()) throw std::runtime_error("the file has another length");
    };
    w.add(by, "a file on the host", "pixels on the device", "one call", by_clock([&](int i) {
            encoder.encode(w.pixels_of(i), file, size.data());
            bring();
          }),
          judged);
    w.add(by, "a file on the host", "pixels on the host", "one call", by_clock([&](int) {
            w.upload();
            encoder.encode(w.pixels_of(0), file, size.data());
            bring();
          }),
          judged);
  }
}

void time_decoder(work& w) {
  for (const int interval : {0, units_to_decode}) {
    const bytes file = jpeg_bytes(w.ours, {false, interval});
    const jpeg_head head = read_jpeg_head(file);
    const std::span<const std::uint8_t> coded = std::span<const std::uint8_t>(file).subspan(head.scan_begin);
    device_buffer<std::uint8_t> scan(coded);
    pinned_buffer<std::uint8_t> on_host(coded);
    jpeg_decoder decoder(head);
    decoder.decode(scan);
    if (const std::string why = decoder.why_not(); !why.empty()) throw std::runtime_error(why);
    const image ours = decoder.picture(), expected = judge::pixels_in(file, judge::libjpeg_ways::its_own);
    if (!std::ranges::equal(ours.pixels(), expected.pixels()))
      throw std::runtime_error("the pixels are wrong");
    const judged_file judged{file.size(), 0, psnr(w.host, ours)};
    const std::string by = interval == 0 ? "10 decoder" : "10 decoder, a marker every 32 units";
    w.time_both(by, "pixels on the device", "a file on the device", judged,
                [&](int) { decoder.decode(scan); });
    const auto from_host = [&] {
      check(cudaMemcpyAsync(scan.data(), on_host.data(), coded.size(), cudaMemcpyHostToDevice, nullptr));
      decoder.decode(scan);
    };
    w.add(by, "pixels on the device", "a file on the host", "one call", by_clock([&](int) {
            from_host();
            check(cudaStreamSynchronize(nullptr));
          }),
          judged);
    w.add(by, "pixels on the host", "a file on the host", "one call", by_clock([&](int) {
            from_host();
            w.download(decoder.pixels());
            check(cudaStreamSynchronize(nullptr));
          }),
          judged);
  }
}

/// Ours without the last step.
void time_levels(work& w) {
  if (w.channels != 1) return;
  device_plane<std::int16_t> levels(padded(w.side), padded(w.side));
  const quantization_table steps = table_for(component_kind::luminance, quality);
  w.add("09 fused", "levels on the device", "pixels on the device", "back to back",
        measure([&](int i) { encode_fused(w.pixels_of(i), steps, levels); }), {});
}

/// On one core, and a picture a core, as a program with many pictures does it: the time of one is then that
/// of all by their number.
void time_on_cores(work& w, const std::string& by, const std::string& gives, const std::string& from,
                   const judged_file& file, const std::function<void()>& call) {
  w.add(by + ", one core", gives, from, "one call", by_clock([&](int) { call(); }, {.repeats = 5}), file);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  timing all = by_clock(
      [&](int) {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < cores; ++i) threads.emplace_back(call);
        for (std::thread& each : threads) each.join();
      },
      {.repeats = 5});
  for (double* const ms : {&all.median_ms, &all.min_ms, &all.max_ms}) *ms /= cores;
  w.add(by + ", a picture on each of " + std::to_string(cores) + " cores", gives, from, "per picture", all,
        file);
}

void time_libjpeg(work& w) {
  struct kind {
    const char* name;
    judge::libjpeg_ways ways;
  };
  for (const kind& each : {kind{"libjpeg", judge::libjpeg_ways::nearest_to_ours},
                           {"libjpeg with its defaults", judge::libjpeg_ways::its_own}}) {
    const auto encode = [&] {
      return judge::file_of_libjpeg(w.host, quality, chroma_sampling::s420, each.ways);
    };
    time_on_cores(w, each.name, "a file on the host", "pixels on the host",
                  w.judge_file(encode(), w.channels == 3), encode);
  }
  for (const int interval : {0, units_to_decode}) {
    const bytes file = jpeg_bytes(w.ours, {false, interval});
    const auto decode = [&] { return judge::pixels_in(file, judge::libjpeg_ways::its_own); };
    const judged_file judged{file.size(), 0, psnr(w.host, decode())};
    time_on_cores(w, std::string("libjpeg with its defaults") + (interval == 0 ? "" : markers(interval)),
                  "pixels on the host", "a file on the host", judged, decode);
  }
}

#ifdef TUTORIAL_HAS_NVJPEG

void check_nvjpeg(nvjpegStatus_t status) {
  if (status != NVJPEG_STATUS_SUCCESS)
    throw std::runtime_error("nvJPEG: status " + std::to_string(int(status)));
}

class nvjpeg_encoder {
 public:
  nvjpeg_encoder(bool own_codes, bool gray) {
    check_nvjpeg(nvjpegCreateSimple(&handle_));
    check_nvjpeg(nvjpegEncoderStateCreate(handle_, &state_, nullptr));
    check_nvjpeg(nvjpegEncoderParamsCreate(handle_, &parameters_, nullptr));
    check_nvjpeg(nvjpegEncoderParamsSetQuality(parameters_, quality, nullptr));
    check_nvjpeg(
        nvjpegEncoderParamsSetSamplingFactors(parameters_, gray ? NVJPEG_CSS_GRAY : NVJPEG_CSS_420, nullptr));
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
  void encode_planes(const jpeg_planes& planes, int components, int side) {
    nvjpegImage_t source{};
    for (int c = 0; c < components; ++c) {
      source.channel[c] = const_cast<std::uint8_t*>(planes.of[c].data());
      source.pitch[c] = planes.of[c].pitch();
    }
    check_nvjpeg(nvjpegEncodeYUV(handle_, state_, parameters_, &source,
                                 components == 1 ? NVJPEG_CSS_GRAY : NVJPEG_CSS_420, side, side, nullptr));
  }
  /// Red, green, blue one after the other.
  void encode_rgb(device_plane_span<const std::uint8_t> rgb, int side) {
    nvjpegImage_t source{};
    source.channel[0] = const_cast<std::uint8_t*>(rgb.data());
    source.pitch[0] = rgb.pitch();
    check_nvjpeg(
        nvjpegEncodeImage(handle_, state_, parameters_, &source, NVJPEG_INPUT_RGBI, side, side, nullptr));
  }
  /// To `file`, which must have room; its length.
  std::size_t retrieve(std::span<std::uint8_t> file) {
    std::size_t length = 0;
    check_nvjpeg(nvjpegEncodeRetrieveBitstream(handle_, state_, nullptr, &length, nullptr));
    if (length > file.size()) throw std::runtime_error("nvJPEG: the file is larger than its room");
    check_nvjpeg(nvjpegEncodeRetrieveBitstream(handle_, state_, file.data(), &length, nullptr));
    check(cudaStreamSynchronize(nullptr));
    return length;
  }

 private:
  nvjpegHandle_t handle_ = nullptr;
  nvjpegEncoderState_t state_ = nullptr;
  nvjpegEncoderParams_t parameters_ = nullptr;
};

void time_nvjpeg(work& w) {
  pinned_buffer<std::uint8_t> file(roomy_file_size(w.description()));
  for (const bool own_codes : {false, true}) {
    const bool gray = w.channels == 1;
    nvjpeg_encoder encoder(own_codes, gray);
    const std::string by = own_codes ? "nvJPEG, optimized Huffman codes" : "nvJPEG";
    const auto planes = [&](int i) { encoder.encode_planes(w.planes_of(i), w.channels, w.side); };
    const auto pixels = [&](int i) {
      if (gray)
        encoder.encode_planes({{w.pixels_of(i)}}, 1, w.side);
      else
        encoder.encode_rgb(w.pixels_of(i), w.side);
    };
    const auto judged = [&](bool own_colors) {
      const std::size_t length = encoder.retrieve(file.span());
      return w.judge_file({file.data(), file.data() + length}, own_colors);
    };
    if (!gray) {
      planes(0);
      w.time_both(by, "a file on the device", "planes on the device", judged(false), planes);
    }
    pixels(0);
    const judged_file whole = judged(!gray);
    w.time_both(by, "a file on the device", "pixels on the device", whole, pixels);
    w.add(by, "a file on the host", "pixels on the device", "one call", by_clock([&](int i) {
            pixels(i);
            encoder.retrieve(file.span());
          }),
          whole);
    w.add(by, "a file on the host", "pixels on the host", "one call", by_clock([&](int) {
            w.upload();
            pixels(0);
            encoder.retrieve(file.span());
          }),
          whole);
  }
}

/// The file of nvJPEG's own choice, without markers, and ours with markers, by each way that it offers.
void time_nvjpeg_decoder(work& w) {
  struct backend {
    const char* name;
    nvjpegBackend_t value;
  };
  for (const backend& each : {backend{"nvJPEG", NVJPEG_BACKEND_DEFAULT},
                              {"nvJPEG, Huffman codes on the GPU", NVJPEG_BACKEND_GPU_HYBRID},
                              {"nvJPEG, hardware decoder", NVJPEG_BACKEND_HARDWARE}})
    for (const int interval : {0, units_to_decode}) {
      const bytes file = jpeg_bytes(w.ours, {false, interval});
      pinned_buffer<std::uint8_t> on_host{std::span<const std::uint8_t>(file)};
      device_plane<std::uint8_t> result(w.side * w.channels, w.side);
      nvjpegHandle_t handle = nullptr;
      nvjpegJpegState_t state = nullptr;
      if (nvjpegCreateEx(each.value, nullptr, nullptr, 0, &handle) != NVJPEG_STATUS_SUCCESS) {
        std::printf("%6d        %s: this GPU has none\n", w.side, each.name);
        continue;
      }
      check_nvjpeg(nvjpegJpegStateCreate(handle, &state));
      const nvjpegOutputFormat_t format = w.channels == 1 ? NVJPEG_OUTPUT_Y : NVJPEG_OUTPUT_RGBI;
      nvjpegImage_t to{};
      to.channel[0] = result.span().data();
      to.pitch[0] = result.pitch();
      const unsigned char* const data = on_host.data();
      const std::size_t length = file.size();
      const bool batched = each.value == NVJPEG_BACKEND_HARDWARE;
      if (batched) check_nvjpeg(nvjpegDecodeBatchedInitialize(handle, state, 1, 1, format));
      const auto decode = [&](int) {
        check_nvjpeg(batched ? nvjpegDecodeBatched(handle, state, &data, &length, &to, nullptr)
                             : nvjpegDecode(handle, state, data, length, format, &to, nullptr));
        check(cudaStreamSynchronize(nullptr));
      };
      const std::string by = each.name + (interval == 0 ? std::string() : markers(interval));
      try {
        decode(0);
        const plane<std::uint8_t> pixels = result.to_host();
        const judged_file judged{file.size(), 0,
                                 psnr(w.host, image(w.side, w.side, w.channels, pixels.values))};
        w.add(by, "pixels on the device", "a file on the host", "one call", by_clock(decode), judged);
        w.add(by, "pixels on the host", "a file on the host", "one call", by_clock([&](int i) {
                decode(i);
                w.download(result);
                check(cudaStreamSynchronize(nullptr));
              }),
              judged);
      } catch (const std::runtime_error& error) {
        std::printf("%6d        %s: %s\n", w.side, by.c_str(), error.what());
      }
      nvjpegJpegStateDestroy(state);
      nvjpegDestroy(handle);
    }
}

#else

void time_nvjpeg(work&) { std::puts("        nvJPEG: this build has none"); }
void time_nvjpeg_decoder(work&) {}

#endif

}  // namespace
}  // namespace tutorial

int main(int argc, char** argv) {
  using namespace tutorial;
  return time_pictures(argc, argv, {2592, 8192}, 16, [](int side, csv_table& rows) {
    bool good = true;
    for (const int channels : {1, 3}) {
      work w(side, channels, rows);
      good = time_parts<work>("time_jpeg", side, w,
                              {{"our levels", time_levels},
                               {"our encoder", time_encoder},
                               {"our decoder", time_decoder},
                               {"libjpeg", time_libjpeg},
                               {"nvJPEG's encoder", time_nvjpeg},
                               {"nvJPEG's decoder", time_nvjpeg_decoder}}) &&
             good;
    }
    return good;
  });
}
