// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "views.hpp"

using namespace cuda_emulator::draw;

namespace {

/// A file with this text, for the length of a test.
class text_file {
 public:
  explicit text_file(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("draw_test." + std::to_string(getpid()))) {
    std::ofstream(path_) << text;
  }
  ~text_file() { std::filesystem::remove(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const drawing_error& error) {
    return error.what();
  }
  return "no error";
}

std::string message_for(const std::string& text) {
  const text_file file(text);
  return message_of([&] { read_trace(file.path()); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

/// What stands between `begin` and `end`, each time.
std::vector<std::string> between(const std::string& text, const std::string& begin, const std::string& end) {
  std::vector<std::string> result;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    result.push_back(text.substr(at, text.find(end, at) - at));
  }
  return result;
}

std::vector<std::string> paths(const std::string& picture, const std::string& css) {
  return between(picture, "<path class=\"" + css + "\" d=\"", "\"");
}

/// Cells of a color, without the one in the legend: of each closed frame as many as the lines in it, up and
/// across, make of it.
std::size_t cells(const std::string& picture, const std::string& css) {
  std::size_t all = 0;
  for (std::string path : paths(picture, css)) {
    std::replace(path.begin(), path.end(), 'm', 'M');
    std::size_t columns = 0, rows = 0;
    for (const std::string& part : between(path, "M", "M")) {
      if (contains(part, "z")) {
        all += columns * rows;
        columns = rows = 1;
      } else {
        ++(contains(part, "v") ? columns : rows);
      }
    }
    all += columns * rows;
  }
  return all == 0 ? 0 : all - 1;
}

std::size_t lines(const std::string& picture, const std::string& css) {
  std::size_t all = 0;
  for (const std::string& path : paths(picture, css))
    all += static_cast<std::size_t>(std::count_if(
        path.begin(), path.end(), [](char each) { return each == 'l' || each == 'h' || each == 'v'; }));
  return all;
}

/// Words of a class: those in rows, or a text of their own.
std::size_t words(const std::string& picture, const std::string& css) {
  std::size_t all = 0;
  for (const std::string& text : between(picture, "<text ", "</text>"))
    if (contains(text, " class=\"" + css + "\"")) all += std::max<std::size_t>(1, count(text, "<tspan "));
  return all;
}

constexpr std::size_t x = 0, tile = 1, y = 2, h = 3;

traced_launch empty_launch() {
  traced_launch launch;
  launch.number = 1;
  launch.kernel = "k";
  launch.place = "folder/a.cu:1";
  for (unsigned* each : {launch.grid, launch.block}) each[0] = each[1] = each[2] = 1;
  launch.arrays = {{"x", memory::global, 4, 1000},
                   {"tile", memory::shared, 4, 1000},
                   {"y", memory::global, 4, 1000},
                   {"h", memory::constant, 4, 100}};
  return launch;
}

/// Thread t accesses element index(t) of an array.
void add(traced_launch& launch, int interval, access_type type, std::size_t array, int threads,
         unsigned parts, const std::function<std::uint64_t(int)>& index, int first = 0) {
  const traced_array& a = launch.arrays[array];
  traced_request request;
  request.interval = interval;
  request.type = type;
  request.where = a.where;
  request.bytes = 4;
  request.parts = parts;
  request.place = "folder/a.cu:" + std::to_string(launch.requests.size());
  for (int t = first; t < first + threads; ++t)
    request.accesses.push_back({t, array, index(t), index(t) * a.element_size});
  launch.requests.push_back(request);
}

/// Block 0 of chapter 05's first picture: 8 threads, 5 taps; tile[j] == x[j - 2].
traced_launch staging() {
  traced_launch launch = empty_launch();
  launch.grid[0] = 3;
  add(
      launch, 0, access_type::load, x, 6, 1, [](int t) { return t - 2; }, 2);
  add(launch, 0, access_type::store, tile, 8, 1, [](int t) { return t; });
  add(launch, 0, access_type::load, x, 4, 1, [](int t) { return t + 6; });
  add(launch, 0, access_type::store, tile, 4, 1, [](int t) { return t + 8; });
  for (int k = 0; k < 5; ++k) add(launch, 1, access_type::load, tile, 8, 1, [k](int t) { return t + k; });
  add(launch, 1, access_type::store, y, 8, 1, [](int t) { return t; });
  return launch;
}

}  // namespace

TEST_CASE("a trace is read") {
  const text_file file(
      "emulator-trace 2\n"
      "launch 1 k<float,%204,%2520> grid 3 1 1 block 8 1 1 traced 2 0 0 at a folder/a.cu:7\n"
      "array 0 global x 4 20\n"
      "request 0 interval 1 warp 2 store global bytes 8 parts 3 at a folder/a.cu:9\n"
      "access 0 65 0 17 1048644\n"
      "end 1 1 cut\n");
  const std::vector<traced_launch> launches = read_trace(file.path());
  REQUIRE(launches.size() == 1);
  const traced_launch& l = launches[0];
  CHECK(l.kernel == "k<float, 4,%20>");
  CHECK(l.place == "a folder/a.cu:7");
  CHECK(l.grid[0] == 3);
  CHECK(l.block[0] == 8);
  CHECK(l.traced[0] == 2);
  CHECK(l.cut);
  REQUIRE(l.requests.size() == 1);
  const traced_request& r = l.requests[0];
  CHECK(r.interval == 1);
  CHECK(r.warp == 2);
  CHECK(r.type == access_type::store);
  CHECK(r.bytes == 8);
  CHECK(r.parts == 3);
  CHECK(r.place == "a folder/a.cu:9");
  REQUIRE(r.accesses.size() == 1);
  CHECK(r.accesses[0].thread == 65);
  CHECK(r.accesses[0].lane() == 1);
  CHECK(r.accesses[0].index == 17);
  CHECK(r.accesses[0].address == 1048644);
}

TEST_CASE("fetches from textures are read") {
  const text_file file(
      "emulator-trace 2\n"
      "launch 1 k grid 3 1 1 block 8 1 1 traced 2 0 0 at a.cu:7\n"
      "array 0 texture picture 4 24 6 4 1\n"
      "request 0 interval 0 warp 0 fetch texture bytes 4 parts 0 at a.cu:9\n"
      "sample 0 5 0 -0.75 1.5 0.5\n"
      "access 0 5 0 6 24\n"
      "access 0 5 0 12 48\n"
      "end 1 2 complete\n");
  const traced_launch launch = read_trace(file.path()).at(0);
  const traced_array& array = launch.arrays.at(0);
  CHECK(array.where == memory::texture);
  CHECK(array.extent[0] == 6);
  CHECK(array.extent[1] == 4);
  CHECK(array.extent[2] == 1);
  const traced_request& r = launch.requests.at(0);
  CHECK(r.type == access_type::fetch);
  CHECK(r.accesses.size() == 2);
  REQUIRE(r.samples.size() == 1);
  CHECK(r.samples[0].thread == 5);
  CHECK(r.samples[0].point[0] == -0.75);
  CHECK(r.samples[0].point[1] == 1.5);
}

TEST_CASE("what is no trace is refused, with its line") {
  const std::string head = "emulator-trace 2\nlaunch 1 k grid 1 1 1 block 8 1 1 traced 0 0 0 at a.cu:7\n",
                    array = "array 0 global x 4 20\n",
                    request = "request 0 interval 0 warp 0 load global bytes 4 parts 1 at a.cu:9\n";
  CHECK(message_for(head + "end 0 0 complete\n") == "no error");
  CHECK(contains(message_for(""), "is no trace"));
  CHECK(contains(message_for("emulator-trace 3\n"), "is no trace"));
  CHECK(contains(message_for(head), "breaks off"));
  CHECK(contains(message_for(head + array + request + "access 0 1 0 1 4\n"), "breaks off"));
  CHECK(contains(message_for("emulator-trace 2\nend 0 0 complete\n"), ":2: "));
  CHECK(contains(message_for(head + head.substr(17)), ":3: "));
  CHECK(contains(message_for(head + "arrays 0 global x 4 20\n"), ":3: "));
  CHECK(contains(message_for(head + "array 0 local x 4 20\n"), ":3: "));
  CHECK(contains(message_for(head + "array 0 global x 0 20\n"), ":3: "));
  CHECK(contains(message_for(head + "array 99999999 global x 4 20\n"), ":3: "));
  CHECK(contains(message_for(head + "request 1" + request.substr(9)), ":3: "));
  CHECK(contains(message_for(head + request + "access 0 1 0 1 4\n"), ":4: "));  // no such array
  CHECK(contains(message_for(head + array + request + "access 1 1 0 1 4\n"), ":5: "));
  CHECK(contains(message_for(head + array + request + "access 0 1024 0 1 4\n"), ":5: "));
  CHECK(contains(message_for(head + array + request + "access 0 1 0\n"), ":5: "));
  CHECK(contains(message_for(head + array + request + "access 0 1 0 1 4\nend 1 2 complete\n"), ":6: "));
  CHECK(contains(message_of([] { read_trace("/there/is/none"); }), "cannot be read"));
}

TEST_CASE("few elements say what many calls draw") {
  picture to("a title", "a description");
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      to.cell(100.5 + column * 20, 50 + row * 10, 20, 10, "input", std::to_string(row * 3 + column),
              "tip <" + std::to_string(column));
  to.cell(300, 50, 20, 10, "input");
  std::string all = to.document();
  CHECK(paths(all, "input") ==
        std::vector<std::string>{
            "M100.5 50h60v30h-60zm20 0v30m20 0v-30M100.5 60h60m0 10h-60M300 50h20v10h-20z"});
  CHECK(contains(
      all, "<text y=\"59.5\"><tspan x=\"106.6\"><title>tip &lt;0</title>0</tspan> <tspan x=\"126.6\">"));
  CHECK(words(all, "tiny") == 0);
  CHECK(count(all, "<text ") == 1 + 3);
  CHECK(between(all, "<title>", "</title>").size() == 9);

  // What was drawn in between and is covered stays below; what shares no more than an edge is no matter.
  to.cell(320, 50, 20, 10, "conflict");
  to.cell(500, 50, 20, 10, "input");
  to.cell(340, 50, 20, 10, "input");
  CHECK(paths(to.document(), "input").size() == 1);
  to.cell(330, 50, 20, 10, "input");
  to.cell(400, 50, 20, 10, "input");
  to.cell(410, 50, 20, 10, "conflict");
  all = to.document();
  CHECK(paths(all, "input").size() == 2);
  CHECK(contains(paths(all, "input").back(), "M330 50h20v10h-20zM400 50h20v10h-20z"));
  CHECK(paths(all, "conflict").size() == 2);
  CHECK(all.find("M330 50") < all.find("M410 50"));

  // Dashes begin at each cell, lines go on, and what has a tooltip of its own is an element of its own.
  to.cells(2, 100, 200, 20, 10, "ghost");
  to.cells(2, 100, 250, 20, 10, "shared", "two");
  to.cell(100, 300, 20, 10, "shared");
  to.line(10, 400, 20, 410, "wire_shared");
  to.line(20, 410, 20, 420, "wire_shared");
  to.line(30, 400, 40, 400, "wire_shared");
  to.cell(600, 400, 10, 10, "wire_shared");
  all = to.document();
  CHECK(paths(all, "ghost") == std::vector<std::string>{"M100 200h20v10h-20zM120 200h20v10h-20z"});
  CHECK(contains(all, "d=\"M100 250h40v10h-40zm20 0v10\"><title>two</title></path>"));
  CHECK(paths(all, "shared").size() == 2);
  CHECK(paths(all, "wire_shared") ==
        std::vector<std::string>{"M10 400l10 10v10M30 400h10", "M600 400h10v10h-10z"});

  // A label begins a new row; the style sheet has what is used, for light pages and dark ones, and no more.
  to.text(0, 500, "before", "dim", anchor::end);
  for (const int x : {10, 40}) to.text(x, 500, "a", "dim", anchor::middle);
  to.text(70, 500, "large", "", anchor::middle);
  to.text(60, 500, "between", "dim");
  for (const int x : {110, 140}) to.text(x, 500, "b", "dim", anchor::middle);
  all = to.document();
  CHECK(words(all, "dim") == 6);
  CHECK(count(all, "y=\"500\"") == 5);
  CHECK(contains(all, ">a</tspan> <tspan x=\"36.7\">a</tspan></text>"));
  CHECK(count(all, "\n.dim{") == 2);
  CHECK(count(all, "\n.ghost{") == 2);
  for (const char* unused : {".tiny", ".halo", ".wire_input", ".frame", ".borderless"})
    CHECK_MESSAGE(!contains(all, unused), unused);
  for (const char* each : {".tiny", ".halo", ".wire_input", ".frame", ".borderless"})
    CHECK_MESSAGE(contains(picture_style(), each), each);
  CHECK(!contains(to.document("name"), "<style>"));
}

TEST_CASE("threads: tile, halo and ghosts of a staged tile") {
  const traced_launch launch = staging();
  const std::string picture = threads_view(launch, {});
  CHECK(cells(picture, "ghost") == 2);           // tile[0], tile[1]
  CHECK(cells(picture, "halo") == 2);            // x[8], x[9]
  CHECK(cells(picture, "shared") == 8 + 5 * 8);  // stored, and loaded five times each
  CHECK(cells(picture, "input") == 10);
  CHECK(cells(picture, "output") == 8);
  CHECK(contains(picture, "before the barrier"));
  CHECK(contains(picture, "after the barrier"));
  CHECK(contains(picture, "from x"));
  CHECK(lines(picture, "barrier") == 1);
  CHECK(picture == threads_view(launch, {}));
}

TEST_CASE("threads: what a thread has loaded once is stored once") {
  traced_launch launch = empty_launch();
  add(launch, 0, access_type::load, x, 8, 1, [](int t) { return t; });
  add(launch, 0, access_type::store, tile, 8, 1, [](int t) { return t; });
  add(launch, 0, access_type::store, tile, 8, 1, [](int t) { return t + 8; });
  CHECK(cells(threads_view(launch, {}), "ghost") == 8);
  CHECK(cells(threads_view(launch, {}), "halo") == 0);  // no outputs: nothing says whose they are
}

TEST_CASE("threads: a halo needs a neighbor, and outputs with numbers") {
  traced_launch launch = staging();
  CHECK(cells(threads_view(launch, {}), "halo") == 2);
  launch.grid[0] = 1;
  CHECK(cells(threads_view(launch, {}), "halo") == 0);
  launch = empty_launch();  // a sum
  launch.grid[0] = 4;
  add(launch, 0, access_type::load, x, 8, 1, [](int t) { return t; });
  add(launch, 0, access_type::store, tile, 8, 1, [](int t) { return t; });
  add(launch, 1, access_type::store, y, 1, 1, [](int) { return 0; });
  CHECK(cells(threads_view(launch, {}), "halo") == 0);
}

TEST_CASE("threads: a transpose has no halo, although some of its numbers are those of outputs") {
  // A tile of 4 x 4 of a matrix of 8 columns and 8 rows, in a block beside the diagonal, and on it.
  for (const int column : {1, 0}) {
    traced_launch launch = empty_launch();
    launch.grid[0] = 4;
    launch.arrays[x].count = launch.arrays[y].count = 64;
    add(launch, 0, access_type::load, x, 16, 4, [&](int t) { return t / 4 * 8 + column * 2 + t % 4; });
    add(launch, 0, access_type::store, tile, 16, 1, [](int t) { return t; });
    add(launch, 1, access_type::store, y, 16, 4, [&](int t) { return (column * 2 + t / 4) * 8 + t % 4; });
    CHECK(cells(threads_view(launch, {}), "halo") == 0);
    CHECK(cells(threads_view(launch, {}), "ghost") == 0);
  }
  // The last block of a convolution: outputs beyond the input have no element of their own.
  traced_launch launch = empty_launch();
  launch.grid[0] = 3;
  launch.arrays[x].count = 20;
  add(launch, 0, access_type::load, x, 6, 1, [](int t) { return 14 + t; });
  add(launch, 0, access_type::store, tile, 6, 1, [](int t) { return t; });
  add(launch, 1, access_type::store, y, 6, 1, [](int t) { return 16 + t; });
  CHECK(cells(threads_view(launch, {}), "halo") == 2);
}

TEST_CASE("large numbers are written smaller") {
  traced_launch launch = empty_launch();
  add(launch, 0, access_type::load, x, 32, 4, [](int t) { return t + 9000; });
  CHECK(words(sectors_view(launch, {}), "tiny") == 32);  // in the lanes; sectors have no room
  launch = empty_launch();
  add(launch, 0, access_type::load, x, 32, 5, [](int t) { return t + 900; });
  CHECK(words(sectors_view(launch, {}), "tiny") == 32);  // in the sectors
  launch = empty_launch();
  add(launch, 0, access_type::load, x, 32, 4, [](int t) { return t + 80'000; });
  const std::string picture = sectors_view(launch, {});
  CHECK(contains(picture, "load x[80000 + ...]"));
  CHECK(contains(picture, "<title>x[80031]</title>"));
  CHECK(count(picture, ">80031<") == 0);
}

TEST_CASE("threads: what is chosen") {
  const traced_launch launch = staging();
  choice what;
  what.names["tile"] = "<mine & yours>";
  what.arrays = {"tile"};
  const std::string picture = threads_view(launch, what);
  CHECK(contains(picture, "&lt;mine &amp; yours&gt;[...]"));
  CHECK(!contains(picture, "<mine"));
  CHECK(cells(picture, "input") == 0);
  CHECK(cells(picture, "halo") == 2);  // known from what is not drawn
  what = {};
  what.interval = 1;
  CHECK(!contains(threads_view(launch, what), "before the barrier"));
  what.warp = 1;
  CHECK(contains(message_of([&] { threads_view(launch, what); }), "no access that was chosen"));
}

TEST_CASE(
    "threads: without staging nothing is a ghost; many threads are a number; too many cells are refused") {
  traced_launch launch = empty_launch();
  add(launch, 0, access_type::store, tile, 32, 1, [](int t) { return t; });
  add(launch, 0, access_type::load, h, 32, 1, [](int) { return 3; });
  const std::string picture = threads_view(launch, {});
  CHECK(cells(picture, "ghost") == 0);
  CHECK(contains(picture, ">32x<"));
  CHECK(contains(picture, ">the whole kernel<"));
  CHECK(!contains(picture, "no barrier"));
  CHECK(contains(picture, "the threads that do. Store of 32 elements of tile."));
  for (int k = 0; k < 90; ++k) add(launch, 0, access_type::load, x, 32, 4, [k](int t) { return 32 * k + t; });
  const std::string why = message_of([&] { threads_view(launch, {}); });
  CHECK(contains(why, "cells"));
  CHECK(contains(why, "--array"));
}

TEST_CASE("sectors: side by side, and eight apart") {
  traced_launch launch = empty_launch();
  add(launch, 0, access_type::load, x, 32, 5, [](int t) { return t + 2; });
  std::string picture = sectors_view(launch, {});
  CHECK(contains(picture, "5 sectors: 160 bytes are moved, 128 of them are asked for"));
  CHECK(lines(picture, "wire wire_input") == 32);
  // A member of structures of 16 bytes: a quarter of each sector, wherever it lies in them.
  launch = empty_launch();
  add(launch, 0, access_type::load, x, 32, 16, [](int t) { return t; });
  launch.arrays[x].element_size = 16;
  for (traced_access& each : launch.requests[0].accesses) each.address = each.index * 16 + 12;
  picture = sectors_view(launch, {});
  CHECK(contains(picture, "16 sectors: 512 bytes are moved, 128 of them are asked for"));
  CHECK(count(picture, "<title>x[31]</title>") == 1);
  launch = empty_launch();
  add(launch, 0, access_type::store, y, 32, 32, [](int t) { return 8 * t; });
  picture = sectors_view(launch, {});
  CHECK(contains(picture, "32 sectors: 1024 bytes are moved, 128 of them are asked for"));
  CHECK(lines(picture, "wire wire_output") == 32);
}

TEST_CASE("pictures show what was counted, or nothing") {
  traced_launch launch = empty_launch();
  add(launch, 0, access_type::load, x, 32, 4, [](int t) { return t + 2; });
  CHECK(contains(message_of([&] { sectors_view(launch, {}); }), "touches 5 sectors, and the trace counts 4"));
  add(launch, 0, access_type::load, tile, 32, 2, [](int t) { return t; });
  CHECK(contains(message_of([&] { banks_view(launch, {}); }), "takes 1 wavefronts, and the trace counts 2"));
}

TEST_CASE("of each place the fullest request; or the one that is asked for") {
  traced_launch launch = empty_launch();
  add(launch, 0, access_type::load, x, 7, 1, [](int t) { return t; });
  add(launch, 0, access_type::load, x, 8, 1, [](int t) { return t; });
  launch.requests[1].place = launch.requests[0].place;
  CHECK(contains(sectors_view(launch, {}), "8 lanes"));
  CHECK(!contains(sectors_view(launch, {}), "7 lanes"));
  choice what;
  what.request = 0;
  CHECK(contains(sectors_view(launch, what), "7 lanes"));
  traced_launch as_full = empty_launch();
  add(as_full, 0, access_type::load, h, 32, 1, [](int) { return 2; });
  add(as_full, 0, access_type::load, h, 32, 4, [](int t) { return t % 4; });
  as_full.requests[1].place = as_full.requests[0].place;
  CHECK(contains(constant_view(as_full, {}), "4 addresses"));
  CHECK(!contains(constant_view(as_full, {}), "1 address,"));
  what.request = 2;
  CHECK(contains(message_of([&] { sectors_view(launch, what); }), "request 2"));
  CHECK(contains(message_of([&] { banks_view(launch, {}); }), "no load or store of shared memory"));
  for (int k = 0; k < 30; ++k) add(launch, 0, access_type::load, x, 8, 1, [](int t) { return t; });
  CHECK(contains(message_of([&] { sectors_view(launch, {}); }), "has room for 24"));
}

TEST_CASE("banks: conflicts are marked") {
  const auto picture_of = [](unsigned bytes, unsigned parts, const std::function<std::uint64_t(int)>& word) {
    traced_launch launch = empty_launch();
    add(launch, 0, access_type::load, tile, 32, parts, word);
    launch.requests[0].bytes = bytes;
    return banks_view(launch, {});
  };
  CHECK(cells(picture_of(4, 1, [](int t) { return t; }), "conflict") == 0);
  CHECK(cells(picture_of(4, 1, [](int) { return 5; }), "conflict") == 0);  // one word for all
  CHECK(contains(picture_of(4, 1, [](int) { return 5; }), ">0-31<"));
  CHECK(cells(picture_of(4, 8, [](int t) { return 8 * t; }), "conflict") == 28);  // 4 banks, 8 words in each
  CHECK(cells(picture_of(4, 1, [](int t) { return 9 * t; }), "conflict") == 0);
  CHECK(cells(picture_of(4, 32, [](int t) { return 32 * t; }), "conflict") == 31);
  CHECK(cells(picture_of(8, 2, [](int t) { return 2 * t; }), "conflict") == 0);  // 16 lanes at a time
  CHECK(cells(picture_of(16, 4, [](int t) { return 4 * t; }), "conflict") == 0);
  CHECK(cells(picture_of(8, 1, [](int t) { return t / 2 * 2; }), "conflict") == 0);  // in pairs: 32 at a time
}

TEST_CASE("constant memory: a turn for each address, as it was counted") {
  const auto picture_of = [](unsigned parts, const std::function<std::uint64_t(int)>& word) {
    traced_launch launch = empty_launch();
    add(launch, 0, access_type::load, h, 32, parts, word);
    return constant_view(launch, {});
  };
  const std::string one = picture_of(1, [](int) { return 3; });
  CHECK(contains(one, "1 address, one turn"));
  CHECK(cells(one, "constant") == 32 + 32);  // wanted, and served
  CHECK(cells(one, "conflict") == 0);
  const std::string four = picture_of(4, [](int t) { return t % 4; });
  CHECK(contains(four, "4 addresses, as many turns"));
  CHECK(cells(four, "constant") == 32 + 8);
  CHECK(cells(four, "conflict") == 24);
  CHECK(count(four, "<title>h[2] for lane ") == 8);
  CHECK(cells(picture_of(32, [](int t) { return t; }), "conflict") == 31);
  CHECK(contains(message_of([&] { picture_of(2, [](int) { return 3; }); }),
                 "is for 1 addresses, and the trace counts 2"));
}

namespace {

/// 4 x 4 threads ask for the texels from (3, 1) on, of a texture of 5 x 3 that repeats its edge.
traced_launch fetching() {
  traced_launch launch = empty_launch();
  launch.arrays.push_back({"pixels", memory::texture, 4, 15, {5, 3, 1}});
  traced_request request;
  request.type = access_type::fetch;
  request.where = memory::texture;
  request.bytes = 4;
  request.place = "folder/a.cu:9";
  for (int t = 0; t < 16; ++t) {
    const int column = 3 + t % 4, row = 1 + t / 4;
    const auto index = static_cast<std::uint64_t>(std::min(row, 2) * 5 + std::min(column, 4));
    request.samples.push_back({t, 4, {column + 0.5, row + 0.5, 0.5}});
    request.accesses.push_back({t, 4, index, index * 4});
  }
  launch.requests.push_back(request);
  return launch;
}

}  // namespace

TEST_CASE("texels: who asks where, and what is there instead") {
  traced_launch launch = fetching();
  const std::string picture = texels_view(launch, {});
  CHECK(contains(picture, "fetch pixels · a.cu:9 · 5 x 3 texels"));
  CHECK(cells(picture, "texture") == 4);  // (3, 1), (4, 1), (3, 2), (4, 2)
  CHECK(cells(picture, "ghost") == 12);
  CHECK(count(picture, ">4, 2<") == 8);  // all that are right of it or below, but for itself
  CHECK(count(picture, "<title>threads 15: (4, 2)</title>") == 1);
  CHECK(!contains(picture, "texel that is not read"));

  // The same texels in the other view, in rows of 5.
  const std::string threads = threads_view(launch, {});
  CHECK(contains(threads, "fetch pixels[...]"));
  CHECK(cells(threads, "texture") == 1 + 3 + 2);  // nine threads are a number, and so is their row

  // Without a border's texel, with a mixture, and with a texel that is passed over.
  launch.requests[0].samples.resize(2);
  launch.requests[0].accesses = {{0, 4, 6, 24}, {0, 4, 8, 32}};
  const std::string mixed = texels_view(launch, {});
  CHECK(count(mixed, ">2 mixed<") == 1);
  CHECK(count(mixed, ">border<") == 1);
  CHECK(contains(mixed, "texel that is not read"));

  choice what;
  what.arrays = {"x"};
  CHECK(contains(message_of([&] { texels_view(launch, what); }), "no fetch"));
  launch.arrays[4].extent[2] = 2;
  CHECK(contains(message_of([&] { texels_view(launch, {}); }), "three dimensions"));
  launch = fetching();
  launch.requests[0].samples[0].point[0] = 90'000;
  CHECK(contains(message_of([&] { texels_view(launch, {}); }), "reach over"));
}

TEST_CASE("threads: what is fetched and stored is staged, and no halo") {
  traced_launch launch = fetching();
  launch.grid[0] = 3;
  add(launch, 0, access_type::store, tile, 16, 1, [](int t) { return t; });
  add(launch, 1, access_type::store, y, 4, 1, [](int t) { return t; });
  const std::string picture = threads_view(launch, {});
  CHECK(contains(picture, "from pixels"));
  CHECK(cells(picture, "shared") == 16);
  CHECK(cells(picture, "ghost") == 0);
  CHECK(cells(picture, "halo") == 0);
}
