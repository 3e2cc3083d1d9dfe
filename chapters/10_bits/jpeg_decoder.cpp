// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_decoder.hpp"

#include <algorithm>
#include <utility>

#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "host/reading_tables.hpp"
#include "kernels/encode/tiles.hpp"

namespace tutorial {
namespace {

/// Bits are counted in 32 bits, also those of pieces that a block of threads has behind the last one.
constexpr std::size_t most_scan_bytes = (std::size_t{1} << 29) - (1 << 16);
/// The least words of a piece, where nobody says how many, and the least pieces of a group.
constexpr int least_words = 8, least_group = 16;

/// Where the table begins behind those before it, in whole words of 16 bytes.
int append(const std::vector<std::uint32_t>& table, std::vector<std::uint32_t>& all) {
  const int begin = int(all.size());
  all.insert(all.end(), table.begin(), table.end());
  all.resize(std::size_t(4 * ceil_div(int(all.size()), 4)));
  return begin;
}

}  // namespace

// Tuned on an H200: a scan takes as long as its longest interval, however short it is itself.
reading_way jpeg_decoder::way_for(const jpeg_head& head, std::size_t scan_bytes) {
  const std::size_t most = 128 + scan_bytes / 65536, intervals(head.layout.intervals());
  return scan_bytes / intervals <= (head.layout.components == 1 ? most : 4 * most) ? reading_way::intervals
                                                                                   : reading_way::chunks;
}

// Tuned on an H200: short pieces keep many threads busy, long ones are read early less often.
piece_shape jpeg_decoder::shape_for(const jpeg_head& head, std::size_t scan_bytes) {
  constexpr std::size_t megabytes = 1 << 20;
  if (head.layout.components == 1) {
    if (scan_bytes < 2 * megabytes) return {least_words, 128, 8, 256};
    return scan_bytes < 12 * megabytes ? piece_shape{16, 256, 16, 256} : piece_shape{32, 256, 8, 512};
  }
  // Readers of colors are in step later: they have to guess the block of the unit, too.
  if (scan_bytes < megabytes) return {16, 128, 16, 1024};
  return scan_bytes < 12 * megabytes ? piece_shape{32, 128, 8, 4096} : piece_shape{64, 128, 6, 8192};
}

jpeg_decoder::jpeg_decoder(const jpeg_head& head, std::optional<reading_way> way,
                           std::optional<piece_shape> shape)
    : head_(head), way_(way), shape_(shape), findings_(1) {
  const scan_layout& layout = head_.layout;
  if (head_.why_host.empty()) {
    std::vector<std::uint32_t> tables, ac_tables;
    int dc_at[4] = {}, ac_at[4] = {};
    for (int i = 0; i < 4; ++i) {
      if (!head_.dc[i].symbols.empty())
        dc_at[i] = append(reading_table_of(head_.dc[i], coefficient_kind::dc), tables);
      if (head_.ac[i].symbols.empty()) continue;
      const std::vector<std::uint32_t> words = reading_table_of(head_.ac[i], coefficient_kind::ac);
      ac_at[i] = append(striding_table_of(words, shape_.value_or(piece_shape{}).words_of_look), tables);
      const int begin = append(words, ac_tables);
      for (int c = 0; c < layout.components; ++c)
        if (head_.of[std::size_t(c)].ac == i)
          ac_begin_[c] = begin, ac_words_[c] = int(ac_tables.size()) - begin;
    }
    tables_ = device_buffer<std::uint32_t>(tables);
    ac_tables_ = device_buffer<std::uint32_t>(ac_tables);
    begins_ = device_buffer<int>(std::size_t(layout.intervals()) + 1);
    places_ = device_buffer<block_place>(std::size_t(layout.blocks()));
    bits_ = {nullptr,
             begins_.data(),
             tables_.data(),
             int(tables.size()),
             layout.intervals(),
             layout.blocks_in_interval(),
             layout.blocks(),
             0,
             {}};
    for (int k = 0; k < layout.blocks_in_unit; ++k) {
      const int c = layout.in_unit[k].component, next = k + 1 == layout.blocks_in_unit ? 0 : k + 1;
      const jpeg_head::component& of = head_.of[std::size_t(c)];
      bits_.of_unit[k] = {std::uint16_t(dc_at[of.dc]), std::uint16_t(ac_at[of.ac]), std::uint16_t(next),
                          std::uint16_t(c)};
    }
  }
  for (int c = 0; c < layout.components; ++c)
    samples_[c] = device_plane<std::uint8_t>(8 * layout.of[c].blocks_wide, 8 * layout.of[c].blocks_high);
  if (!is_gray()) rgb_ = device_plane<std::uint8_t>(3 * 8 * ceil_div(head_.width, 8), head_.height);
  check(cudaStreamSynchronize(nullptr));  // the memory has been filled
}

block_planes jpeg_decoder::planes() {
  block_planes result{};
  result.layout = head_.layout;
  result.ac_tables = ac_tables_.data();
  for (int c = 0; c < head_.layout.components; ++c) {
    const scan_layout& layout = head_.layout;
    block_planes::component& of = result.of[c];
    of = {samples_[c].span().data(),
          std::int64_t(samples_[c].pitch()),
          nullptr,
          ac_begin_[c],
          ac_words_[c],
          result.tiles,
          {}};
    std::ranges::copy(head_.of[std::size_t(c)].steps, of.steps);
    result.tiles += ceil_div(layout.units() * layout.of[c].h * layout.of[c].v, blocks_in_tile);
  }
  return result;
}

void jpeg_decoder::reserve(std::size_t scan_bytes) {
  const std::size_t words = std::size_t(shape_ ? shape_->words : least_words);
  const std::size_t pieces = ceil_div(scan_bytes, 4 * words);
  if (!head_.why_host.empty() || scan_bytes > most_scan_bytes || found_.starts.size() >= pieces) return;
  found_.starts = device_buffer<unsigned>(pieces);
  found_.sums = device_buffer<piece_sums>(pieces);
  found_.ends = device_buffer<unsigned>(ceil_div(pieces, std::size_t{least_group}));
  found_.of_groups = device_buffer<piece_sums>(found_.ends.size());
  if (is_gray() && way_ != reading_way::guessing)  // readers of colors would list too much again and again
    found_.lists = device_buffer<listed_block>(2 * (pieces * words + piece_shape::most_words));
  cleaner_.reserve(scan_bytes);
  check(cudaStreamSynchronize(nullptr));  // it has been filled
}

void jpeg_decoder::decode(device_span<const std::uint8_t> scan, cudaStream_t stream) {
  check(cudaMemsetAsync(findings_.data(), 0xFF, sizeof(scan_findings), stream));
  if (!head_.why_host.empty() || scan.size() < 2 || scan.size() > most_scan_bytes) return;  // no markers
  reserve(scan.size());
  const piece_shape shape = shape_ ? *shape_ : shape_for(head_, scan.size());
  bits_.words_in_piece = shape.words;
  const int pieces = int(ceil_div(8 * scan.size(), std::size_t{bits_.bits_in_piece()}));
  cleaner_.clean(scan, bits_.intervals, begins_.data(), findings_.data(), stream);
  bits_.words = cleaner_.words();
  const reading_way way = way_ ? *way_ : way_for(head_, scan.size());
  if (way == reading_way::intervals)
    read_intervals(bits_, scan.size(), findings_.data(), places_.data(), stream);
  if (way == reading_way::guessing) read_by_guessing(bits_, pieces, findings_.data(), found_, stream);
  if (way == reading_way::chunks) read_in_chunks(bits_, pieces, shape, findings_.data(), found_, stream);
  if (way != reading_way::intervals)
    place_blocks(bits_, pieces, found_, findings_.data(), places_.data(), stream);
  make_samples(bits_, planes(), places_.data(), findings_.data(), stream);
  make_pixels(stream);
}

std::string jpeg_decoder::why_not(cudaStream_t stream) const {
  scan_findings found;
  check(cudaMemcpyAsync(&found, findings_.data(), sizeof found, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  if (found.in_step == 0) return "its readers did not come to agree";
  return found.are_good(bits_.intervals) && found.damaged_block == ~0u ? "" : "its bits are not as usual";
}

void jpeg_decoder::decode_levels(const std::vector<std::vector<std::int16_t>>& levels, const jpeg_head& head,
                                 cudaStream_t stream) {
  for (std::size_t c = 0; c < levels.size(); ++c) head_.of[c].steps = head.of[c].steps;
  block_planes all = planes();
  std::vector<device_buffer<std::int16_t>> on_device;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    on_device.emplace_back(levels[c]);
    all.of[c].levels = on_device.back().data();
  }
  check(cudaStreamSynchronize(nullptr));  // the levels are there
  make_samples(bits_, all, nullptr, findings_.data(), stream);
  make_pixels(stream);
  check(cudaStreamSynchronize(stream));  // the levels have been read
}

void jpeg_decoder::take(const image& picture, cudaStream_t stream) {
  const auto to = pixels();
  check(cudaMemcpy2DAsync(const_cast<std::uint8_t*>(to.data()), to.pitch(), picture.pixels().data(),
                          picture.stride(), picture.stride(), std::size_t(head_.height),
                          cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));
}

void jpeg_decoder::make_pixels(cudaStream_t stream) {
  if (is_gray()) return;
  picture_samples picture{{}, head_.colors, head_.width, head_.height};
  for (std::size_t c = 0; c < head_.of.size(); ++c) {
    const jpeg_head::component& of = head_.of[c];
    const bool halves = of.across == 2 && of.down <= 2 && of.width > 2;  // libjpeg smooths these
    picture.of[c] = {samples_[c].span().data(),
                     std::int64_t(samples_[c].pitch()),
                     of.width - 1,
                     of.height - 1,
                     of.across,
                     of.down,
                     halves,
                     of.down == 2 && (halves || of.across == 1)};
  }
  join_components(picture, rgb_.span().data(), std::int64_t(rgb_.pitch()), stream);
}

device_plane_span<const std::uint8_t> jpeg_decoder::pixels() const {
  const device_plane<std::uint8_t>& all = is_gray() ? samples_[0] : rgb_;
  return {all.span().data(), head_.width * (is_gray() ? 1 : 3), head_.height, all.pitch()};
}

image jpeg_decoder::picture() const {
  const auto from = pixels();
  image result(head_.width, head_.height, is_gray() ? 1 : 3);
  check(cudaMemcpy2D(result.pixels().data(), result.stride(), from.data(), from.pitch(), result.stride(),
                     std::size_t(head_.height), cudaMemcpyDeviceToHost));
  return result;
}

}  // namespace tutorial
