// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>  // before jpeglib.h, which needs FILE
#include <cstdlib>
#include <functional>
#include <optional>
#include <thread>

#include <jpeglib.h>

#include "common/files/image_file.hpp"
#include "scratch.hpp"

using namespace tutorial;

namespace {

namespace fs = std::filesystem;

// Files made here, so that nothing of the code under test takes part.

std::string big_endian(std::uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

// https://www.w3.org/TR/png-3/, annex D
std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) {
    crc ^= std::uint8_t(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(std::uint32_t(data.size())) + type + data + big_endian(crc_of(type + data));
}

// A zlib stream of stored blocks: RFC 1950 and 1951.
std::string stored(std::string_view data) {
  std::string stream = "\x78\x01";
  std::uint32_t a = 1, b = 0;
  for (const char byte : data) {
    a = (a + std::uint8_t(byte)) % 65521;
    b = (b + a) % 65521;
  }
  do {
    const std::string_view block = data.substr(0, 65535);
    data.remove_prefix(block.size());
    const auto size = std::uint16_t(block.size()), complement = std::uint16_t(~size);
    stream += char(data.empty());
    for (const std::uint16_t value : {size, complement}) {
      stream += char(value & 255);
      stream += char(value >> 8);
    }
    stream += block;
  } while (!data.empty());
  return stream + big_endian(b << 16 | a);
}

constexpr int gray_png = 0, rgb_png = 2, palette_png = 3, gray_alpha_png = 4, rgb_alpha_png = 6;
const std::string signature = "\x89PNG\r\n\x1a\n";

struct png_parts {
  std::uint32_t width = 0, height = 0;
  int depth = 8, color = gray_png, interlace = 0;
  std::string before_pixels{}, rows{};

  std::string header() const {
    return big_endian(width) + big_endian(height) + char(depth) + char(color) + '\0' + '\0' + char(interlace);
  }
  std::string file() const {
    return signature + chunk("IHDR", header()) + before_pixels + chunk("IDAT", stored(rows)) +
           chunk("IEND", "");
  }
};

using samples = std::function<unsigned(int row, int col, int channel)>;

// Scan lines without filter of the pixels at rows y, y + dy.. and columns x, x + dx..
std::string scan_lines(int width, int height, int depth, int channels, const samples& value, int x = 0,
                       int y = 0, int dx = 1, int dy = 1) {
  std::string bytes;
  for (int row = y; row < height && x < width; row += dy) {
    bytes += '\0';
    unsigned bits = 0;
    int count = 0;
    for (int col = x; col < width; col += dx)
      for (int c = 0; c < channels; ++c) {
        bits = bits << depth | value(row, col, c);
        for (count += depth; count >= 8; count -= 8) bytes += char(bits >> (count - 8) & 255);
      }
    if (count > 0) bytes += char(bits << (8 - count) & 255);
  }
  return bytes;
}

std::string adam7(int width, int height, int depth, int channels, const samples& value) {
  constexpr std::array<std::array<int, 4>, 7> passes = {
      {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
  std::string bytes;
  for (const auto& [x, y, dx, dy] : passes)
    bytes += scan_lines(width, height, depth, channels, value, x, y, dx, dy);
  return bytes;
}

image filled(int width, int height, int channels, const samples& value) {
  image picture(width, height, channels);
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      for (int c = 0; c < channels; ++c) picture.at(row, col, c) = std::uint8_t(value(row, col, c));
  return picture;
}

// Every value of every pixel different from its neighbors', and no symmetry.
unsigned pattern(int row, int col, int channel) {
  return unsigned(37 * row + 11 * col + 83 * channel + row * col) % 256;
}

image patterned(int width, int height, int channels) { return filled(width, height, channels, pattern); }

// Soft, as photographs are: what JPEG is made for.
image soft(int width, int height, int channels) {
  return filled(width, height, channels,
                [](int row, int col, int c) { return unsigned(40 + (3 * row + 2 * col + 50 * c) % 160); });
}

std::string png_of(const image& picture, bool interlaced = false) {
  const samples value = [&](int row, int col, int c) { return picture.at(row, col, c); };
  png_parts parts{std::uint32_t(picture.width()), std::uint32_t(picture.height()), 8,
                  picture.channels() == 1 ? gray_png : rgb_png, interlaced};
  parts.rows = (interlaced ? adam7(picture.width(), picture.height(), 8, picture.channels(), value)
                           : scan_lines(picture.width(), picture.height(), 8, picture.channels(), value));
  return parts.file();
}

// 8 bits without interlacing, by zlib and the filters of the PNG standard alone.
image decoded_png(std::string_view bytes) {
  REQUIRE(bytes.substr(0, 8) == signature);
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (int n = 0; n < 4; ++n) value = value << 8 | std::uint8_t(bytes[at + std::size_t(n)]);
    return value;
  };
  std::string packed;
  for (std::size_t at = 8; at + 12 <= bytes.size(); at += 12 + number(at)) {
    REQUIRE(crc_of(bytes.substr(at + 4, 4 + number(at))) == number(at + 8 + number(at)));
    if (bytes.substr(at + 4, 4) == "IDAT") packed += bytes.substr(at + 8, number(at));
  }
  REQUIRE(bytes[24] == 8);
  REQUIRE(bytes[28] == 0);
  image picture(int(number(16)), int(number(20)), bytes[25] == 0 ? 1 : 3);
  const std::size_t stride = picture.stride(), pixel = std::size_t(picture.channels());
  std::vector<std::uint8_t> rows((stride + 1) * std::size_t(picture.height()));
  uLongf size = rows.size();
  REQUIRE(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()) ==
          Z_OK);
  REQUIRE(size == rows.size());
  for (int row = 0; row < picture.height(); ++row) {
    const std::uint8_t* const in = rows.data() + std::size_t(row) * (stride + 1);
    const auto out = picture.row(row);
    for (std::size_t n = 0; n < stride; ++n) {
      const int left = n < pixel ? 0 : out[n - pixel];
      const int above = row == 0 ? 0 : picture.row(row - 1)[n];
      const int corner = row == 0 || n < pixel ? 0 : picture.row(row - 1)[n - pixel];
      const int guess = left + above - corner;
      const int dl = std::abs(guess - left), da = std::abs(guess - above), dc = std::abs(guess - corner);
      const int paeth = dl <= da && dl <= dc ? left : da <= dc ? above : corner;
      const std::array<int, 5> predicted = {0, left, above, (left + above) / 2, paeth};
      out[n] = std::uint8_t(in[1 + n] + predicted.at(in[0]));
    }
  }
  return picture;
}

struct jpeg_choices {
  int quality = 100;
  bool progressive = false, subsampled = false, restarts = false;
  std::optional<J_COLOR_SPACE> stored_as{};
  std::string marker{};  // content of an APP1 segment
};

// By libjpeg's compressor. `channels` values per pixel.
std::string jpeg_of(int width, int height, int channels, const samples& value,
                    const jpeg_choices& choices = {}) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &memory, &size);
  jpeg.image_width = unsigned(width);
  jpeg.image_height = unsigned(height);
  jpeg.input_components = channels;
  jpeg.in_color_space = channels == 1   ? JCS_GRAYSCALE
                        : channels == 2 ? JCS_UNKNOWN
                        : channels == 3 ? JCS_RGB
                                        : JCS_CMYK;
  jpeg_set_defaults(&jpeg);
  if (choices.stored_as) jpeg_set_colorspace(&jpeg, *choices.stored_as);
  jpeg_set_quality(&jpeg, choices.quality, TRUE);
  if (!choices.subsampled)
    for (int c = 0; c < jpeg.num_components; ++c)
      jpeg.comp_info[c].h_samp_factor = jpeg.comp_info[c].v_samp_factor = 1;
  if (choices.progressive) jpeg_simple_progression(&jpeg);
  if (choices.restarts) jpeg.restart_interval = 2;
  jpeg_start_compress(&jpeg, TRUE);
  if (!choices.marker.empty())
    jpeg_write_marker(&jpeg, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(choices.marker.data()),
                      unsigned(choices.marker.size()));
  std::vector<JSAMPLE> line(std::size_t(width) * std::size_t(channels));
  for (int row = 0; row < height; ++row) {
    for (std::size_t n = 0; n < line.size(); ++n)
      line[n] = JSAMPLE(value(row, int(n) / channels, int(n) % channels));
    JSAMPROW rows[] = {line.data()};
    jpeg_write_scanlines(&jpeg, rows, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  const std::string bytes(reinterpret_cast<const char*>(memory), size);
  std::free(memory);
  return bytes;
}

std::string jpeg_of(const image& picture, const jpeg_choices& choices = {}) {
  return jpeg_of(
      picture.width(), picture.height(), picture.channels(),
      [&](int row, int col, int c) { return picture.at(row, col, c); }, choices);
}

// Where the frame header (SOF0 to SOF2) begins: FF Cn, length (2), precision, height (2), width (2), ...
std::size_t frame_header(std::string_view jpeg) {
  for (std::size_t at = 2; at + 4 < jpeg.size();
       at += 2 + std::size_t(std::uint8_t(jpeg[at + 2]) << 8 | std::uint8_t(jpeg[at + 3]))) {
    REQUIRE(jpeg[at] == '\xFF');
    if (const auto marker = std::uint8_t(jpeg[at + 1]); marker >= 0xC0 && marker <= 0xC2) return at;
  }
  FAIL("no frame header");
  return 0;
}

std::string with_jpeg_size(std::string jpeg, unsigned width, unsigned height) {
  const std::size_t at = frame_header(jpeg);
  for (const auto& [where, value] : {std::pair{at + 5, height}, {at + 7, width}}) {
    jpeg[where] = char(value >> 8);
    jpeg[where + 1] = char(value & 255);
  }
  return jpeg;
}

// What is expected.

int worst_difference(const image& a, const image& b) {
  REQUIRE(a.width() == b.width());
  REQUIRE(a.height() == b.height());
  REQUIRE(a.channels() == b.channels());
  int worst = 0;
  for (std::size_t n = 0; n < a.pixels().size(); ++n)
    worst = std::max(worst, std::abs(a.pixels()[n] - b.pixels()[n]));
  return worst;
}

std::string refusal(const fs::path& file, const image_limits& limits = {}) {
  const std::string message = message_of<input_error>([&] { read_image(file, limits); });
  CHECK_MESSAGE(contains(message, file.filename().string()),
                "not refused, or the file is not named: " << message);
  CHECK_MESSAGE(!contains(message, "\n"), "more than one line: " << message);
  return message;
}

// A new file each time: some file systems wait for the disk when a file is written over.
fs::path new_file(const scratch_folder& folder, std::string_view name, const std::string& bytes) {
  fs::remove(folder / name);
  return folder.file(name, bytes);
}

std::string refusal(const scratch_folder& folder, const std::string& bytes, const image_limits& limits = {}) {
  return refusal(new_file(folder, "bad", bytes), limits);
}

// Neither a crash nor another exception nor, silently, a picture beyond the limit.
void survives(const scratch_folder& folder, const std::string& bytes) {
  constexpr image_limits limits{1 << 20};
  const fs::path file = new_file(folder, "damaged", bytes);
  try {
    const std::size_t size = read_image(file, limits).pixels().size();
    CHECK(size <= limits.pixel_bytes);
  } catch (const input_error& error) {
    CHECK(contains(error.what(), "damaged"));
  }
}

// f(bytes with one byte changed, where): each bit by itself, and all of a byte.
template <class Function>
void for_each_flip(const std::string& bytes, Function&& f) {
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int mask : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string changed = bytes;
      changed[at] = char(changed[at] ^ mask);
      f(changed, at);
    }
}

const fs::path data_folder = TUTORIAL_DATA_FOLDER;

}  // namespace

TEST_CASE("image: the invariant, rows and elements") {
  image picture(3, 2, 3);
  CHECK(picture.stride() == 9);
  CHECK(picture.pixels().size() == 18);
  CHECK(std::all_of(picture.pixels().begin(), picture.pixels().end(), [](int v) { return v == 0; }));
  picture.at(1, 2, 1) = 200;
  CHECK(picture.pixels()[(1 * 3 + 2) * 3 + 1] == 200);
  CHECK(picture.row(1).size() == 9);
  CHECK(picture.row(1)[7] == 200);
  CHECK(&picture.row(0)[0] == picture.pixels().data());
  CHECK(image(2, 1, 1, {7, 8}).at(0, 1) == 8);
  CHECK_FALSE(image(2, 1, 1, {7, 8}) == image(1, 2, 1, {7, 8}));

  CHECK_THROWS_AS(image(0, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(image(1, -1, 1), std::invalid_argument);
  CHECK_THROWS_AS(image(1, 1, 2), std::invalid_argument);
  CHECK_THROWS_AS(image(1, 1, 4), std::invalid_argument);
  CHECK_THROWS_AS(image(2, 2, 1, {1, 2, 3}), std::invalid_argument);
  CHECK_THROWS_AS(picture.row(2), std::out_of_range);
  CHECK_THROWS_AS(picture.at(-1, 0, 0), std::out_of_range);
  CHECK_THROWS_AS(picture.at(0, 3, 0), std::out_of_range);
  CHECK_THROWS_AS(picture.at(0, 0, 3), std::out_of_range);
}

TEST_CASE("png: the sample pictures, against zlib and the five filters by hand") {
  for (const char* name : {"gray.png", "color.png"}) {
    CAPTURE(name);
    const image expected = decoded_png(content(data_folder / name));
    CHECK(expected.channels() == (name == std::string("gray.png") ? 1 : 3));
    CHECK(worst_difference(read_image(data_folder / name), expected) == 0);
  }
}

TEST_CASE("png: what is written is read back, by us and by hand, and has the same bytes each time") {
  const scratch_folder folder;
  for (const int channels : {1, 3})
    for (const auto& size : {std::pair{1, 1}, {7, 9}, {1, 300}, {300, 1}, {257, 64}}) {
      const int width = size.first, height = size.second;
      CAPTURE(channels);
      CAPTURE(width);
      CAPTURE(height);
      const image picture = patterned(width, height, channels);
      write_png(folder / "a.png", picture);
      CHECK(read_image(folder / "a.png") == picture);
      const std::string bytes = content(folder / "a.png");
      CHECK(decoded_png(bytes) == picture);
      write_png(folder / "b.png", picture);
      CHECK(content(folder / "b.png") == bytes);
      // No date, no program: the header, the pixels and the end.
      std::string kinds;
      for (std::size_t at = 8; at < bytes.size();) {
        std::size_t size = 0;
        for (std::size_t n = 0; n < 4; ++n) size = size << 8 | std::uint8_t(bytes[at + n]);
        if (!kinds.ends_with("IDAT ") || bytes.substr(at + 4, 4) != "IDAT")
          kinds += bytes.substr(at + 4, 4) + ' ';
        at += 12 + size;
      }
      CHECK(kinds == "IHDR IDAT IEND ");
    }
  CHECK(folder.entries() == 2);
}

TEST_CASE("png: gray of 1, 2, 4 and 8 bits, palettes, RGB; interlaced or not") {
  const scratch_folder folder;
  for (const auto& size : {std::pair{1, 1}, {2, 3}, {7, 9}, {33, 17}}) {
    const int width = size.first, height = size.second;
    for (const bool interlaced : {false, true}) {
      CAPTURE(width);
      CAPTURE(height);
      CAPTURE(interlaced);
      const auto read = [&](int depth, int color, int channels, const samples& value,
                            const std::string& before = "") {
        png_parts parts{std::uint32_t(width), std::uint32_t(height), depth, color, interlaced, before};
        parts.rows = interlaced ? adam7(width, height, depth, channels, value)
                                : scan_lines(width, height, depth, channels, value);
        return read_image(folder.file("a.png", parts.file()));
      };
      for (const int depth : {1, 2, 4, 8}) {
        CAPTURE(depth);
        const unsigned most = (1u << depth) - 1;
        const samples small = [&](int row, int col, int c) { return pattern(row, col, c) & most; };
        // 255 is a multiple of 1, 3, 15 and 255.
        CHECK(read(depth, gray_png, 1, small) == filled(width, height, 1, [&](int row, int col, int c) {
                return small(row, col, c) * (255 / most);
              }));
        std::string palette;
        for (unsigned n = 0; n <= most; ++n)
          for (const unsigned value : {n, 255 - n, 7 * n}) palette += char(value);
        CHECK(read(depth, palette_png, 1, small, chunk("PLTE", palette)) ==
              filled(width, height, 3, [&](int row, int col, int c) {
                const unsigned n = small(row, col, 0);
                return c == 0 ? n : c == 1 ? 255 - n : 7 * n;
              }));
      }
      CHECK(read(8, rgb_png, 3, pattern) == patterned(width, height, 3));
    }
  }
}

TEST_CASE("png: chunks that do not change the pixels are skipped, known or not") {
  const scratch_folder folder;
  const std::string known = chunk("gAMA", big_endian(45455)) +
                            chunk("pHYs", big_endian(1) + big_endian(1) + '\1') +
                            chunk("tEXt", std::string("Title\0a text", 12));
  const std::string unknown =
      chunk("vpAg", big_endian(9) + big_endian(9) + '\1') + chunk("acTl", big_endian(2));
  // Drawing programs keep their own form of a picture in such a chunk, and it can be long.
  const std::string program = chunk("mkBT", std::string(9'000'000, 'x'));
  for (const std::string& before : {known + unknown, program}) {
    const png_parts parts{7, 9, 8, rgb_png, 0, before, scan_lines(7, 9, 8, 3, pattern)};
    CHECK(read_image(folder.file("a.png", parts.file())) == patterned(7, 9, 3));
  }
}

TEST_CASE("png: what is not read is refused with its reason") {
  const scratch_folder folder;
  const auto refused = [&](const png_parts& parts) { return refusal(folder, parts.file()); };
  const std::string some_rows(1000, '\0');
  SUBCASE("16 bits") {
    CHECK(contains(refused({3, 2, 16, gray_png, 0, "", some_rows}), "16 bits"));
    CHECK(contains(refused({3, 2, 16, rgb_png, 0, "", some_rows}), "16 bits"));
  }
  SUBCASE("transparency in each of its forms, also where every pixel is opaque") {
    CHECK(contains(refused({3, 2, 8, gray_alpha_png, 0, "", some_rows}), "transparency"));
    CHECK(contains(refused({3, 2, 8, rgb_alpha_png, 0, "", std::string(1000, '\xFF')}), "transparency"));
    CHECK(contains(refused({3, 2, 16, rgb_alpha_png, 0, "", some_rows}), "transparency"));
    CHECK(contains(refused({3, 2, 8, gray_png, 0, chunk("tRNS", std::string("\0\7", 2)), some_rows}),
                   "transparency"));
    CHECK(contains(refused({3, 2, 8, rgb_png, 0, chunk("tRNS", std::string(6, '\0')), some_rows}),
                   "transparency"));
    CHECK(contains(
        refused({3, 2, 8, palette_png, 0, chunk("PLTE", "abcdef") + chunk("tRNS", "\x7f"), some_rows}),
        "transparency"));
  }
  SUBCASE("animations") {
    const std::string control = chunk("acTL", big_endian(2) + big_endian(0));
    CHECK(contains(refused({3, 2, 8, gray_png, 0, control, some_rows}), "animation"));
  }
  SUBCASE("sizes that are none") {
    CHECK(contains(refused({0, 2, 8, gray_png, 0, "", some_rows}), "width is zero"));
    CHECK(contains(refused({2, 0, 8, gray_png, 0, "", some_rows}), "height is zero"));
    CHECK(contains(refused({0x80000000, 2, 8, gray_png, 0, "", some_rows}), "out of range"));
  }
  SUBCASE("combinations that the standard does not have") {
    CHECK(contains(refused({3, 2, 4, rgb_png, 0, "", some_rows}), "color type/bit depth"));
    CHECK(contains(refused({3, 2, 8, 5, 0, "", some_rows}), "color type"));
    CHECK(contains(refused({3, 2, 8, gray_png, 9, "", some_rows}), "interlace"));
    CHECK(contains(refused({3, 2, 8, palette_png, 0, "", some_rows}), "PLTE"));
  }
  SUBCASE("too few rows, and pixels that the palette does not have") {
    CHECK(contains(refused({3, 4, 8, gray_png, 0, "", std::string(12, '\0')}), "image data"));
    CHECK(contains(refused({2, 1, 8, palette_png, 0, chunk("PLTE", "abcdef"), std::string("\0\1\2", 3)}),
                   "palette"));
  }
  SUBCASE("what a transfer as text leaves") {
    std::string bytes = png_of(patterned(7, 9, 1));
    bytes.erase(bytes.find('\r'), 1);
    CHECK(contains(refusal(folder, bytes), "damaged"));
  }
  CHECK(folder.entries() == 1);
}

TEST_CASE("jpeg: gray and color, sizes that are no multiple of 8, baseline and progressive") {
  const scratch_folder folder;
  for (const int channels : {1, 3})
    for (const bool progressive : {false, true})
      for (const bool restarts : {false, true})
        for (const auto& size : {std::pair{1, 1}, {7, 9}, {8, 8}, {65, 31}}) {
          const int width = size.first, height = size.second;
          CAPTURE(channels);
          CAPTURE(progressive);
          CAPTURE(width);
          const image picture = soft(width, height, channels);
          const auto file =
              folder.file("a.jpg", jpeg_of(picture, {.progressive = progressive, .restarts = restarts}));
          // Quality 100: every coefficient rounded to a whole number, then RGB from YCbCr of whole numbers.
          CHECK(worst_difference(read_image(file), picture) <= (channels == 1 ? 2 : 4));
        }
}

TEST_CASE("jpeg: flat colors come out as they went in, red as red") {
  const scratch_folder folder;
  for (const auto& color : {std::array{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}, {12, 99, 200}})
    for (const bool subsampled : {false, true})
      for (const J_COLOR_SPACE stored_as : {JCS_YCbCr, JCS_RGB}) {
        const image picture =
            filled(17, 9, 3, [&](int, int, int c) { return unsigned(color.at(std::size_t(c))); });
        const auto file = folder.file(
            "a.jpg",
            jpeg_of(picture, {.subsampled = subsampled && stored_as == JCS_YCbCr, .stored_as = stored_as}));
        CHECK(worst_difference(read_image(file), picture) <= 2);
      }
}

// The content of an APP1 segment with a single entry, the orientation, in either byte order.
std::string exif_of(unsigned orientation, bool big_endian) {
  const auto bytes = [&](std::uint32_t value, int count) {
    std::string text;
    for (int n = 0; n < count; ++n) text += char(value >> 8 * (big_endian ? count - 1 - n : n));
    return text;
  };
  return std::string("Exif\0\0", 6) + (big_endian ? "MM" : "II") + bytes(42, 2) + bytes(8, 4) + bytes(1, 2) +
         bytes(0x112, 2) + bytes(3, 2) + bytes(1, 4) + bytes(orientation, 2) + bytes(0, 2) + bytes(0, 4);
}

image left_to_right(const image& picture) {
  return filled(picture.width(), picture.height(), picture.channels(),
                [&](int row, int col, int c) { return picture.at(row, picture.width() - 1 - col, c); });
}
image top_to_bottom(const image& picture) {
  return filled(picture.width(), picture.height(), picture.channels(),
                [&](int row, int col, int c) { return picture.at(picture.height() - 1 - row, col, c); });
}
image rows_for_columns(const image& picture) {
  return filled(picture.height(), picture.width(), picture.channels(),
                [&](int row, int col, int c) { return picture.at(col, row, c); });
}

// The PNG with `chunks` before its pixels, or behind them.
std::string with_chunks(std::string png, const std::string& chunks, bool before) {
  return png.insert(before ? 33 : png.size() - 12, chunks);
}

TEST_CASE("png and jpeg: upright, as viewers show it, where EXIF says how the camera was held") {
  const scratch_folder folder;
  for (const int channels : {1, 3}) {
    const image picture = soft(21, 8, channels);
    const image stored = read_image(folder.file("a.jpg", jpeg_of(picture)));
    const std::string png = png_of(stored);
    const image across = rows_for_columns(stored);
    // The places where row 0 and column 0 of what is stored are seen: EXIF 2.32, tag 274.
    const image upright[] = {stored,                                // 1: top, left
                             left_to_right(stored),                 // 2: top, right
                             left_to_right(top_to_bottom(stored)),  // 3: bottom, right
                             top_to_bottom(stored),                 // 4: bottom, left
                             across,                                // 5: left, top
                             left_to_right(across),                 // 6: right, top
                             left_to_right(top_to_bottom(across)),  // 7: right, bottom
                             top_to_bottom(across)};                // 8: left, bottom
    for (unsigned orientation = 1; orientation <= 8; ++orientation)
      for (const bool big_endian : {false, true}) {
        CAPTURE(orientation);
        const auto file =
            folder.file("b.jpg", jpeg_of(picture, {.marker = exif_of(orientation, big_endian)}));
        CHECK(read_image(file) == upright[orientation - 1]);
        const std::string exif = exif_of(orientation, big_endian);
        for (const bool before : {false, true})
          for (const std::size_t left_out : {0, 6})  // PNG's has no name in front, but some programs write it
            CHECK(read_image(folder.file("b.png", with_chunks(png, chunk("eXIf", exif.substr(left_out)),
                                                              before))) == upright[orientation - 1]);
      }
    // What says nothing that can be understood turns nothing.
    for (const unsigned orientation : {0u, 9u, 0x600u})
      CHECK(read_image(folder.file("b.jpg", jpeg_of(picture, {.marker = exif_of(orientation, true)}))) ==
            stored);
    const std::string whole = exif_of(6, false);
    for (std::size_t length = 1; length < 26; ++length)
      CHECK(read_image(folder.file("b.jpg", jpeg_of(picture, {.marker = whole.substr(0, length)}))) ==
            stored);
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string changed = whole;
      changed[at] = char(changed[at] ^ 0xFF);
      const image read = read_image(folder.file("b.jpg", jpeg_of(picture, {.marker = changed})));
      CHECK((read == stored || read == upright[5]));
      CHECK(read_image(folder.file("b.png", with_chunks(png, chunk("eXIf", changed.substr(6)), true))) ==
            (at < 6 ? upright[5] : read));
    }
  }
}

TEST_CASE("jpeg: what is not read is refused with its reason") {
  const scratch_folder folder;
  const std::string good = jpeg_of(soft(16, 8, 3));
  SUBCASE("CMYK and YCCK") {
    CHECK(contains(refusal(folder, jpeg_of(16, 8, 4, pattern, {.stored_as = JCS_CMYK})), "CMYK"));
    CHECK(contains(refusal(folder, jpeg_of(16, 8, 4, pattern, {.stored_as = JCS_YCCK})), "CMYK"));
  }
  SUBCASE("two channels") { CHECK(contains(refusal(folder, jpeg_of(16, 8, 2, pattern)), "2 channels")); }
  SUBCASE("12 bits") {
    std::string bytes = good;
    bytes[frame_header(bytes) + 4] = 12;
    CHECK(contains(refusal(folder, bytes), "8 bits"));
  }
  SUBCASE("lossless") {
    std::string bytes = good;
    bytes[frame_header(bytes) + 1] = '\xC3';
    CHECK(contains(refusal(folder, bytes), "lossless"));
  }
  SUBCASE("a width that is none, and a height that stands behind the pixels") {
    CHECK(contains(refusal(folder, with_jpeg_size(good, 0, 8)), "no pixels"));
    CHECK(contains(refusal(folder, with_jpeg_size(good, 16, 0)), "DNL"));
  }
  SUBCASE("what the standard allows, but libjpeg does not read, is not called damage") {
    const auto refused = [&](const std::string& bytes, const std::string& why) {
      const std::string message = refusal(folder, bytes);
      CHECK_MESSAGE(contains(message, why), message);
      CHECK_MESSAGE(!contains(message, "damaged"), message);
    };
    refused(with_jpeg_size(good, 65501, 8), "65,500");
    std::string thirds = good;  // two samples of Cb for three of Y
    thirds[frame_header(thirds) + 11] = '\x31';
    thirds[frame_header(thirds) + 14] = '\x21';
    refused(thirds, "rare kind");
    for (const char marker : {'\xDE', '\xF7'}) {  // hierarchical, and JPEG-LS
      std::string other = good;
      other[frame_header(other) + 1] = marker;
      refused(other, "rare kind");
    }
    std::string many = good;  // eleven components
    many[frame_header(many) + 3] = 8 + 3 * 11;
    many[frame_header(many) + 9] = 11;
    many.insert(frame_header(many) + 19, std::string(3 * 8, '\x11'));
    refused(many, "11 channels");
    const std::size_t tables = good.find("\xFF\xDB"), frame = frame_header(good);
    refused(good.substr(0, frame) + "\xFF\xD9", "another file");                      // tables alone
    refused(good.substr(0, tables) + good.substr(frame, good.npos), "another file");  // a picture without
    refused("\xFF\x0A, JPEG XL", "a JPEG XL");
    refused("\xFF\x4F\xFF\x51", "a JPEG 2000");
  }
  SUBCASE("what is legal but seldom") {
    const image picture = read_image(folder.file("a.jpg", good));
    const auto read = [&](const std::string& bytes) { return read_image(folder.file("b.jpg", bytes)); };
    CHECK(read(good + good) == picture);
    CHECK(read(good + "\xFF\xD3 and more") == picture);
    for (std::size_t at = frame_header(good); at < good.size() - 2; ++at)  // fill bytes before a marker
      if (good[at] == '\xFF' && good[at + 1] != '\0')
        CHECK(read(std::string(good).insert(at, 3, '\xFF')) == picture);
    CHECK(read(std::string(good).insert(frame_header(good), "\xFF\x01")) == picture);  // a marker on its own
    // The height once more behind the pixels.
    CHECK(read(std::string(good).insert(good.size() - 2, std::string("\xFF\xDC\0\4\0\x08", 6))) == picture);
  }
  SUBCASE("which colors the components are") {
    // One 8x8 block whose components are different colors as Y, Cb, Cr and as R, G, B.
    const std::string ycc = jpeg_of(8, 8, 3, [](int, int, int c) { return c == 0 ? 200u : 60u; });
    const image colors = read_image(folder.file("a.jpg", ycc));
    const auto file = [&](std::string_view ids, bool jfif, int transform) {
      std::string bytes = ycc;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t scan = bytes.rfind(std::string("\xFF\xDA\0\x0C\x03", 5));
        bytes[frame_header(bytes) + 10 + 3 * c] = bytes[scan + 5 + 2 * c] = ids[c];
      }
      if (!jfif) bytes.erase(2, 18);
      if (transform >= 0)
        bytes.insert(jfif ? 20 : 2, std::string("\xFF\xEE\0\x0E"
                                                "Adobe\0\x64\0\0\0\0",
                                                15) +
                                        char(transform));
      return read_image(folder.file("b.jpg", bytes));
    };
    const image rgb = file("RGB", false, -1);
    CHECK(worst_difference(rgb, colors) > 20);
    for (const std::string_view ids : {"\1\2\3", "RGB", "\7\x8\x9"})
      for (const int transform : {-1, 0, 1, 2}) {
        CHECK(file(ids, true, transform) == colors);  // JFIF decides
        const bool is_rgb = transform == 0 || (transform == -1 && ids == "RGB");
        CHECK(file(ids, false, transform) == (is_rgb ? rgb : colors));
      }
  }
  SUBCASE("more rows than data: no gray filling") {
    CHECK(contains(refusal(folder, with_jpeg_size(good, 16, 800)), "damaged"));
  }
  SUBCASE("bytes between the end of the scan and the end marker, as some cameras leave them, do no harm") {
    std::string bytes = good;
    bytes.insert(bytes.size() - 2, 16, '\0');
    CHECK(read_image(folder.file("a.jpg", bytes)) == read_image(folder.file("b.jpg", good)));
  }
}

TEST_CASE("pnm: all four kinds, comments, other largest values") {
  const scratch_folder folder;
  const auto read = [&](const std::string& bytes) { return read_image(folder.file("a", bytes)); };
  const image gray(3, 2, 1, {0, 1, 2, 253, 254, 255});
  const image color(2, 1, 3, {10, 35, 35, 9, 32, 255});  // line feeds, # and blanks as values
  CHECK(read("P2 3 2 255 0 1 2 253 254 255") == gray);
  CHECK(read("P2\n# by hand\n3 # wide\n2\n255\n0 1 2 # a row\n253\t254\r\n255\n# end") == gray);
  CHECK(read(std::string("P5\n3 2\n255\n\0\1\2\xFD\xFE\xFF", 17)) == gray);
  CHECK(read(std::string("P5 #c\n3#c\n2 255# 9\n\0\1\2\xFD\xFE\xFF", 25)) == gray);
  CHECK(read("P3 2 1 255 10 35 35 9 32 255") == color);
  CHECK(read("P6\n2 1\n255\n\n##\t \xFF") == color);
  CHECK(read("P2 3 1 1 0 1 1") == image(3, 1, 1, {0, 255, 255}));
  CHECK(read("P2 4 1 100 0 1 99 100") == image(4, 1, 1, {0, 3, 252, 255}));  // 2.55, 252.45
  CHECK(read(std::string("P5 2 1 15 \7\x0F", 12)) == image(2, 1, 1, {119, 255}));
  for (const int channels : {1, 3})
    for (const auto& size : {std::pair{1, 1}, {7, 9}, {300, 5}}) {
      const int width = size.first, height = size.second;
      const image picture = patterned(width, height, channels);
      write_pnm(folder / "b", picture);
      CHECK(read_image(folder / "b") == picture);
      const std::string bytes = content(folder / "b");
      const std::string start = (channels == 1 ? "P5\n" : "P6\n") + std::to_string(width) + " " +
                                std::to_string(height) + "\n255\n";
      CHECK(bytes.substr(0, start.size()) == start);
      CHECK(std::equal(picture.pixels().begin(), picture.pixels().end(), bytes.begin() + long(start.size()),
                       bytes.end(), [](std::uint8_t a, char b) { return a == std::uint8_t(b); }));
    }
}

TEST_CASE("pnm: what is not read is refused with its reason") {
  const scratch_folder folder;
  const auto refused = [&](const std::string& bytes) { return refusal(folder, bytes); };
  CHECK(contains(refused("P2 3 0 255 "), "at least one pixel"));
  CHECK(contains(refused("P2 0 3 255 "), "at least one pixel"));
  CHECK(contains(refused("P2 -3 2 255 0"), "the width"));
  CHECK(contains(refused("P2 3 x 255 0"), "the height"));
  CHECK(contains(refused("P2 3.5 2 255 0"), "the width runs into"));
  CHECK(contains(refused("P2 99999999999999999999 2 255 0"), "more than 2,147,483,647"));
  CHECK(contains(refused("P2 2147483647 2147483647 255 0"), "allowed here"));
  CHECK(contains(refused("P2 3 2 0 0"), "largest value is 0"));
  CHECK(contains(refused("P2 3 2 65535 0"), "8 bits"));
  CHECK(contains(refused("P5 3 2 256\n" + std::string(12, 'a')), "8 bits"));
  CHECK(contains(refused("P2 3 2 255 0 1 2 253 254"), "truncated"));
  CHECK(contains(refused("P2 3 2 255 0 1 2 253 256 0"), "row 1"));
  CHECK(contains(refused("P2 3 2 255 0 1 2 -1 0 0"), "a value in row 1"));
  CHECK(contains(refused("P2 3 2 100 0 1 2 3 4 101"), "more than 100"));
  CHECK(contains(refused("P5 3 1 100\nab\x7F"), "the value 127"));
  CHECK(contains(refused("P2 3 2 255 0 1 2 253 254 255 9"), "goes on"));
  CHECK(contains(refused("P5 3 1 255\nabcP5 3 1 255\nabc"), "goes on"));
  CHECK(contains(refused("P1 3 1 0 1 0"), "PBM"));
  CHECK(contains(refused("P4 3 1 a"), "PBM"));
  CHECK(contains(refused("P7\nWIDTH 3"), "PAM"));
  CHECK(contains(refused("P"), "something else"));
  CHECK(contains(refused("Paris"), "something else"));
}

TEST_CASE("the content says what a file is, not its name") {
  const scratch_folder folder;
  const image picture = patterned(7, 9, 3);
  CHECK(read_image(folder.file("a.jpg", png_of(picture))) == picture);
  const auto jpeg = folder.file("b.png", jpeg_of(soft(7, 9, 3)));
  CHECK(worst_difference(read_image(jpeg), soft(7, 9, 3)) <= 4);
  write_pnm(folder / "c", picture);
  CHECK(read_image(folder / "c") == picture);
}

TEST_CASE("no picture at all") {
  const scratch_folder folder;
  CHECK(contains(refusal(folder / "missing.png"), "no such file"));
  fs::create_directory(folder / "a.png");
  CHECK(contains(refusal(folder / "a.png"), "folder"));
  CHECK(contains(refusal(folder.file("empty.png", "")), "empty"));
  if (geteuid() != 0) {
    const auto locked = folder.file("locked.png", png_of(patterned(1, 1, 1)));
    fs::permissions(locked, fs::perms::none);
    CHECK(contains(refusal(locked), "no permission"));
  }
  const auto is = [&](const std::string& bytes) { return refusal(folder, bytes); };
  CHECK(contains(is("GIF89a......"), "a GIF"));
  CHECK(contains(is("BM.........."), "a BMP"));
  CHECK(contains(is("RIFF....WEBPVP8 "), "a WebP"));
  CHECK(contains(is(std::string("II*\0....", 8)), "a TIFF"));
  CHECK(contains(is(std::string("\0\0\0\x1C"
                                "ftypheic",
                                12)),
                 "HEIC"));
  CHECK(contains(is(std::string("\0\0\0\x0CjP  \r\n", 10)), "JPEG 2000"));
  CHECK(contains(is("\x93NUMPY"), ".npy"));
  CHECK(contains(is("hello"), "something else"));
  CHECK(contains(is("x"), "something else"));
  CHECK(contains(is("\x89"), "truncated"));
  CHECK(contains(is("\xFF"), "truncated"));
  CHECK(contains(is("\xFFx, no JPEG"), "something else"));
  CHECK(contains(is(std::string("\0\0\0\x0CJXL \r\n", 10)), "JPEG XL"));
}

TEST_CASE("a pipe is read like a file") {
  const scratch_folder folder;
  const image picture = patterned(300, 200, 3);
  for (const std::string& bytes : {png_of(picture), jpeg_of(picture)}) {
    const image expected = read_image(folder.file("file", bytes));
    const fs::path pipe = folder / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    const image read = read_image(pipe);
    writer.join();
    CHECK(read == expected);
    fs::remove(pipe);
  }
}

TEST_CASE("the size is known from the header, and held against the limit before memory is taken") {
  const scratch_folder folder;
  const std::string jpeg = jpeg_of(soft(16, 8, 3)), gray_jpeg = jpeg_of(soft(16, 8, 1));
  SUBCASE("30000 x 30000 in color is more than 1 GiB") {
    const png_parts png{30000, 30000, 8, rgb_png};
    for (const std::string& bytes :
         {png.file(), with_jpeg_size(jpeg, 30000, 30000), std::string("P6 30000 30000 255\n"),
          std::string("P3 30000 30000 255\n")}) {
      const std::string message = refusal(folder, bytes);
      CHECK(contains(message, "30,000 x 30,000 pixels of 3 bytes"));
      CHECK(contains(message, "1 GiB allowed here"));
    }
  }
  SUBCASE("30000 x 30000 in gray is less; where the pixels are missing, no memory was touched for them") {
    const png_parts png{30000, 30000, 8, gray_png};
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    CHECK(contains(refusal(folder, png.file()), "image data"));
    CHECK(contains(refusal(folder, with_jpeg_size(gray_jpeg, 30000, 30000)), "damaged"));
    CHECK(contains(refusal(folder, "P5 30000 30000 255\n"), "truncated"));
    getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < 300'000);  // KiB; each picture has 879,000
  }
  SUBCASE("the limit itself is allowed, one byte less is not") {
    const image picture = patterned(7, 9, 3);
    write_pnm(folder / "a.ppm", picture);
    for (const auto& file :
         {folder.file("a.png", png_of(picture)), folder.file("a.jpg", jpeg_of(picture)), folder / "a.ppm"}) {
      CHECK(read_image(file, {7 * 9 * 3}).width() == 7);
      CHECK(contains(refusal(file, {7 * 9 * 3 - 1}), "7 x 9 pixels"));
    }
  }
  SUBCASE("extremes") {
    CHECK(contains(refusal(folder, png_parts{0x7FFFFFFF, 0x7FFFFFFF, 8, rgb_png}.file()), "allowed here"));
    CHECK(contains(refusal(folder, with_jpeg_size(jpeg, 65535, 65535)), "65"));
    CHECK(contains(refusal(folder, "P6 2147483647 2147483647 255\n"), "allowed here"));
  }
}

TEST_CASE("reading takes little more memory than the picture") {
  const scratch_folder folder;
  const image picture = soft(2400, 1800, 3);
  std::string plain = "P3 2400 1800 255\n";
  for (const std::uint8_t value : picture.pixels()) plain += std::to_string(value) + ' ';
  write_png(folder / "a.png", picture);
  write_pnm(folder / "b.ppm", picture);
  folder.file("c.jpg", jpeg_of(picture));
  folder.file("d.png", png_of(picture, true));
  folder.file("e.ppm", plain);
  folder.file("f.jpg", jpeg_of(picture, {.progressive = true}));
  for (const std::string name : {"a.png", "b.ppm", "c.jpg", "d.png", "e.ppm", "f.jpg"}) {
    CAPTURE(name);
    const fs::path file = folder / name;
    malloc_trim(0);  // free memory that a child would use again, unseen
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      rusage before{}, after{};
      getrusage(RUSAGE_SELF, &before);
      const std::size_t bytes = read_image(file).pixels().size();
      getrusage(RUSAGE_SELF, &after);
      const long percent = (after.ru_maxrss - before.ru_maxrss) * 102'400 / long(bytes);
      _exit(int(std::min(percent / 10, 255L)));
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CAPTURE(WEXITSTATUS(status) * 10);                          // percent of the picture
    CHECK(WEXITSTATUS(status) >= 9);                            // else nothing was measured
    CHECK(WEXITSTATUS(status) <= (name == "f.jpg" ? 32 : 13));  // coefficients: twice the picture
  }
}

TEST_CASE("every truncation is refused") {
  const scratch_folder folder;
  const auto refused_everywhere = [&](const std::string& bytes, std::size_t longest) {
    for (std::size_t size = 1; size <= longest; ++size) {
      const std::string message = refusal(folder, bytes.substr(0, size));
      CHECK_MESSAGE(!message.empty(), "accepted at " << size << " of " << bytes.size() << " bytes");
      CHECK(folder.entries() == 1);
    }
  };
  for (const int channels : {1, 3}) {
    CAPTURE(channels);
    for (const bool option : {false, true}) {
      CAPTURE(option);
      const std::string png = png_of(patterned(7, 9, channels), option);
      refused_everywhere(png, png.size() - 1);
      const std::string jpeg = jpeg_of(soft(25, 17, channels), {.progressive = option});
      refused_everywhere(jpeg, jpeg.size() - 1);
    }
    write_pnm(folder / "bad", patterned(7, 9, channels));
    const std::string pnm = content(folder / "bad");
    refused_everywhere(pnm, pnm.size() - 1);
  }
  const std::string plain = "P3 2 1 255 10 35 35 9 32 255\n";
  refused_everywhere(plain, plain.size() - 4);  // "2" and "25" are numbers, too
  // All pixels are there, some bytes after them, but not the end marker.
  std::string endless = jpeg_of(soft(25, 17, 3));
  endless.replace(endless.size() - 2, 2, 16, '\0');
  CHECK(contains(refusal(folder, endless), "truncated"));
  // And it is called by its name, wherever the header is whole.
  const std::string png = png_of(patterned(7, 9, 3)), jpeg = jpeg_of(soft(25, 17, 3));
  for (const std::string& bytes : {png, jpeg})
    for (const std::size_t missing : {std::size_t(1), std::size_t(2), std::size_t(3), bytes.size() / 4})
      CHECK(contains(refusal(folder, bytes.substr(0, bytes.size() - missing)), "truncated"));
}

TEST_CASE("damage, byte by byte") {
  const scratch_folder folder;
  SUBCASE("png: checksums find every change") {
    const image picture = patterned(7, 9, 3);
    png_parts parts{7, 9, 8, rgb_png, 0, chunk("tEXt", std::string("Title\0a text", 12)), {}};
    parts.rows = scan_lines(7, 9, 8, 3, pattern);
    CHECK(read_image(folder.file("damaged", parts.file())) == picture);
    for_each_flip(parts.file(), [&](const std::string& bytes, std::size_t at) {
      const std::string message =
          message_of<input_error>([&] { read_image(new_file(folder, "damaged", bytes)); });
      CHECK_MESSAGE(contains(message, "damaged"), "accepted with byte " << at << " changed");
    });
  }
  SUBCASE("png: changed, with the right checksum") {
    const png_parts parts{7, 9, 4, palette_png, 1, "", adam7(7, 9, 4, 1, [](int row, int col, int) {
                            return unsigned(row + col) % 16;
                          })};
    const std::string palette(48, 'p'), pixels = stored(parts.rows);
    const auto assemble = [&](const std::string& header, const std::string& colors, const std::string& data) {
      return signature + chunk("IHDR", header) + chunk("PLTE", colors) + chunk("IDAT", data) +
             chunk("IEND", "");
    };
    CHECK(read_image(folder.file("a", assemble(parts.header(), palette, pixels))).channels() == 3);
    for_each_flip(parts.header(), [&](const std::string& changed, std::size_t) {
      survives(folder, assemble(changed, palette, pixels));
    });
    for_each_flip(pixels, [&](const std::string& changed, std::size_t) {
      survives(folder, assemble(parts.header(), palette, changed));
    });
    for (std::size_t size = 0; size < palette.size(); ++size)
      survives(folder, assemble(parts.header(), palette.substr(0, size), pixels));
  }
  SUBCASE("jpeg") {
    for (const bool progressive : {false, true})
      for_each_flip(jpeg_of(soft(25, 17, 3), {.quality = 75, .progressive = progressive, .subsampled = true}),
                    [&](const std::string& bytes, std::size_t) { survives(folder, bytes); });
  }
  SUBCASE("pnm") {
    write_pnm(folder / "damaged", patterned(7, 9, 3));
    for_each_flip(content(folder / "damaged"),
                  [&](const std::string& bytes, std::size_t) { survives(folder, bytes); });
    for_each_flip("P2 # c\n3 2 9\n1 2 3\n4 5 6\n",
                  [&](const std::string& bytes, std::size_t) { survives(folder, bytes); });
  }
  CHECK(folder.entries() <= 2);
}

TEST_CASE("writing: all or nothing") {
  const scratch_folder folder;
  using writer = void (*)(const fs::path&, const image&);
  for (const writer write : {writer(write_png), writer(write_pnm)}) {
    const auto refused = [&](const fs::path& file, const image& picture) {
      return message_of<input_error>([&] { write(file, picture); });
    };
    const image small = patterned(7, 9, 1);
    CHECK(contains(refused(folder / "none/a.png", small), "the folder does not exist"));
    CHECK(contains(refused(folder.path(), small), "it is a folder"));
    CHECK(folder.entries() == 0);
    const auto target = folder.file("a.png", "before");
    // A limit on the size of files stands in for a full disk. Noise, which does not get smaller.
    const image large = filled(400, 400, 3, [](int row, int col, int c) {
      unsigned value = unsigned(row * 1201 + col * 3 + c) * 2654435761u;
      value = (value ^ value >> 15) * 2246822519u;
      return value >> 24;
    });
    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit little{50'000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    const std::string message = refused(target, large);
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    CHECK(contains(message, "larger than allowed"));
    CHECK(content(target) == "before");
    CHECK(folder.entries() == 1);
    write(target, large);
    CHECK(read_image(target) == large);
    CHECK(folder.entries() == 1);
    fs::remove(target);
  }
}
