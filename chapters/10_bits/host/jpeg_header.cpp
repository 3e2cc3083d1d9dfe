// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "jpeg_header.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "09_dct_compression/host/jpeg_output.hpp"
#include "09_dct_compression/host/quantization.hpp"

namespace tutorial {
namespace {

/// Bytes of the file, one after the other.
class reader {
 public:
  explicit reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t position() const { return at_; }
  /// What has not been read.
  std::span<const std::uint8_t> rest() const { return bytes_.subspan(at_); }
  int byte() {
    if (at_end()) throw jpeg_refused("the file ends before its picture begins");
    return bytes_[at_++];
  }
  int number() {
    const int high = byte();
    return high << 8 | byte();
  }
  /// The next `count` bytes on their own.
  reader part(std::size_t count) {
    if (bytes_.size() - at_ < count) throw jpeg_refused("the file ends before its picture begins");
    at_ += count;
    return reader(bytes_.subspan(at_ - count, count));
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

[[noreturn]] void damaged(const std::string& what) { throw jpeg_refused("the file is damaged: " + what); }

bool begins_with(std::span<const std::uint8_t> bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::equal(text.begin(), text.end(), bytes.begin());
}

bool is_restart(int marker) {
  return marker >= int(jpeg_marker::restart_0) && marker < int(jpeg_marker::restart_0) + 8;
}

[[noreturn]] void refuse_late_height() {
  throw jpeg_refused("the file gives its height behind the picture (DNL), which is not read here");
}

const char* kind_of_frame(int marker) {
  switch (marker) {
    case 0xC1:
      return "extended sequential";
    case 0xC2:
      return "progressive";
    case 0xC3:
      return "lossless";
    default:
      return marker >= 0xC9 ? "arithmetically coded" : "hierarchical";
  }
}

class head_reader {
 public:
  explicit head_reader(std::span<const std::uint8_t> file) : in_(file) {
    const scan_codes standard = standard_codes();
    for (int i = 0; i < 2; ++i) codes_[0][i] = standard.dc[i], codes_[1][i] = standard.ac[i];
  }

  jpeg_head read() {
    if (in_.at_end() || in_.byte() != 0xFF || in_.at_end() || in_.byte() != int(jpeg_marker::start_of_image))
      throw jpeg_refused("this is no JPEG file");
    for (;;) {
      if (in_.byte() != 0xFF) damaged("a marker is missing");
      int marker = in_.byte();
      while (marker == 0xFF) marker = in_.byte();  // any number of them may stand before a marker
      if (marker == int(jpeg_marker::end_of_image)) throw jpeg_refused("the file has no picture");
      if (marker == 0x01 || is_restart(marker)) continue;  // no segment belongs to these
      const int length = in_.number();
      if (length < 2) damaged("a segment has no length");
      segment(marker, in_.part(std::size_t(length - 2)));
      if (marker != int(jpeg_marker::start_of_scan)) continue;
      finish();
      return head_;
    }
  }

 private:
  struct component {
    int id = 0, h = 1, v = 1, table = 0;
  };

  void segment(int marker, reader content) {
    switch (marker) {
      case int(jpeg_marker::quantization_tables):
        quantization(content);
        return;
      case int(jpeg_marker::huffman_codes):
        codes(content);
        return;
      case int(jpeg_marker::baseline_frame):
        frame(content);
        return;
      case int(jpeg_marker::restart_interval):
        interval_ = content.number();
        return;
      case int(jpeg_marker::start_of_scan):
        scan(content);
        return;
      case int(jpeg_marker::application_0):
        jfif_ = jfif_ || (content.rest().size() >= 14 && begins_with(content.rest(), {"JFIF\0", 5}));
        return;
      case 0xE1:
        if (head_.exif.empty() && begins_with(content.rest(), "Exif")) head_.exif = content.rest();
        return;
      case 0xEE:
        if (content.rest().size() >= 12 && begins_with(content.rest(), "Adobe"))
          transform_ = content.rest()[11];
        return;
      case 0xDE:
        throw jpeg_refused("the file is hierarchical; only baseline files can be decoded here");
      default:
        break;
    }
    if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC8 && marker != 0xCC)
      throw jpeg_refused(std::string("the file is ") + kind_of_frame(marker) +
                         "; only baseline files can be decoded here");
    if (marker == 0xCC)
      throw jpeg_refused("the file is arithmetically coded; only baseline files can be decoded here");
    // Comments and what applications add say nothing about the levels.
  }

  void quantization(reader content) {
    while (!content.at_end()) {
      const int which = content.byte();
      if (which >> 4 != 0)
        throw jpeg_refused("the file has 16-bit quantization steps; baseline files have 8");
      if (which > 3) damaged("a quantization table has the number " + std::to_string(which));
      for (const std::uint8_t place : zigzag_order()) {
        const int step = content.byte();
        if (step == 0) damaged("a quantization step is 0");
        tables_[which][place] = std::uint16_t(step);
      }
      table_there_[which] = true;
    }
  }

  void codes(reader content) {
    while (!content.at_end()) {
      const int which = content.byte(), kind = which >> 4, number = which & 15;
      if (kind > 1 || number > 3) damaged("a Huffman code has the number " + std::to_string(which));
      huffman_code code;
      std::size_t symbols = 0;
      for (std::uint8_t& count : code.counts) symbols += count = std::uint8_t(content.byte());
      if (symbols > 256) damaged("a Huffman code has " + std::to_string(symbols) + " symbols");
      for (std::size_t i = 0; i < symbols; ++i) code.symbols.push_back(std::uint8_t(content.byte()));
      codes_[kind][number] = code;
    }
  }

  /// The code of a component. Of those that no component has, nothing is asked.
  huffman_code used_code(coefficient_kind kind, int number) const {
    if (number > 1) throw jpeg_refused("the file has more Huffman codes than baseline files have");
    const bool is_dc = kind == coefficient_kind::dc;
    const huffman_code& code = codes_[is_dc ? 0 : 1][number];
    for (const int symbol : code.symbols)
      if (is_dc ? symbol > 11 : symbol % 16 > 10)
        damaged("a Huffman code has the symbol " + std::to_string(symbol));
    try {
      words_of(code);
    } catch (const std::invalid_argument&) {
      damaged("it has a Huffman code that cannot be one");
    }
    return code;
  }

  void frame(reader content) {
    if (components_ != 0) damaged("it has two frames");
    const int bits = content.byte();
    if (bits != 8)
      throw jpeg_refused("the file has " + std::to_string(bits) + " bits a sample; 8 can be decoded here");
    head_.picture.height = content.number();
    head_.picture.width = content.number();
    components_ = content.byte();
    if (head_.picture.width == 0) damaged("its picture has no size");
    if (head_.picture.height == 0) refuse_late_height();
    if (std::max(head_.picture.width, head_.picture.height) > most_jpeg_pixels)
      throw jpeg_refused("the picture has more than " + std::to_string(most_jpeg_pixels) + " pixels a side");
    if (components_ != 1 && components_ != 3)
      throw jpeg_refused("the file has " + std::to_string(components_) +
                         " components; 1 or 3 can be decoded here");
    for (int c = 0; c < components_; ++c) {
      of_[c].id = content.byte();
      const int factors = content.byte();
      of_[c].h = factors >> 4;
      of_[c].v = factors & 15;
      of_[c].table = content.byte();
      if (of_[c].table > 3) damaged("a component asks for a quantization table that cannot be");
    }
  }

  void scan(reader content) {
    if (components_ == 0) damaged("its scan comes before its frame");
    if (content.byte() != components_)
      throw jpeg_refused("the file has a scan for each component; one scan for all can be decoded here");
    for (int c = 0; c < components_; ++c) {
      if (content.byte() != of_[c].id) damaged("its scan names a component that the frame does not have");
      const int which = content.byte();
      head_.dc_of[c] = which >> 4;
      head_.ac_of[c] = which & 15;
      if (head_.dc_of[c] > 3 || head_.ac_of[c] > 3)
        damaged("a component asks for a Huffman code that cannot be");
      head_.dc[head_.dc_of[c]] = used_code(coefficient_kind::dc, head_.dc_of[c]);
      head_.ac[head_.ac_of[c]] = used_code(coefficient_kind::ac, head_.ac_of[c]);
    }
    if (content.byte() != 0 || content.byte() != 63 || content.byte() != 0)
      damaged("its scan is no baseline scan");
  }

  /// By libjpeg's rules: JFIF knows only Y, Cb, Cr; otherwise Adobe's segment says it, or the names do.
  bool is_rgb() const {
    if (jfif_ || transform_ >= 0) return !jfif_ && transform_ == 0;
    return of_[0].id == 'R' && of_[1].id == 'G' && of_[2].id == 'B';
  }

  void finish() {
    jpeg_description& picture = head_.picture;
    picture.channels = components_;
    picture.sampling = chroma_sampling::s444;
    if (components_ == 3) {
      if (is_rgb())
        throw jpeg_refused("the file's components are red, green, blue; Y, Cb, Cr can be decoded here");
      const bool ones = of_[1].h == 1 && of_[1].v == 1 && of_[2].h == 1 && of_[2].v == 1;
      if (ones && of_[0].h == 2 && of_[0].v == 2)
        picture.sampling = chroma_sampling::s420;
      else if (!ones || of_[0].h != 1 || of_[0].v != 1)
        throw jpeg_refused("the file's colors are sampled, or laid out, in another way than 4:4:4 and 4:2:0");
    }
    for (int c = 0; c < components_; ++c) {
      if (!table_there_[of_[c].table])
        throw jpeg_refused("a component's quantization table is not in the file");
      picture.steps[c] = tables_[of_[c].table];
    }
    head_.layout = scan_layout_of(picture.width, picture.height, components_, picture.sampling, interval_);
    head_.scan_begin = in_.position();
  }

  reader in_;
  jpeg_head head_;
  quantization_table tables_[4] = {};
  bool table_there_[4] = {};
  /// DC's and AC's. Those that a file leaves out are the standard's: moving pictures do so.
  huffman_code codes_[2][4];
  component of_[3];
  bool jfif_ = false;
  int components_ = 0, interval_ = 0, transform_ = -1;
};

}  // namespace

jpeg_head read_jpeg_head(std::span<const std::uint8_t> file) { return head_reader(file).read(); }

std::span<const std::uint8_t> scan_of(std::span<const std::uint8_t> file, const jpeg_head& head) {
  const auto scan = file.subspan(head.scan_begin);
  const auto is_ff = [](std::uint8_t byte) { return byte == 0xFF; };
  for (auto at = scan.begin(); (at = std::find_if(at, scan.end(), is_ff)) != scan.end();) {
    at = std::find_if_not(at, scan.end(), is_ff);  // any number of them may stand before a marker
    if (at == scan.end()) break;
    if (*at == 0xDC) refuse_late_height();
    if (*at++ == std::uint8_t(jpeg_marker::end_of_image)) return {scan.begin(), at};
  }
  return scan;
}

}  // namespace tutorial
