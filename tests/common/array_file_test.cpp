// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

#include "common/files/array_file.hpp"
#include "common/files/output_file.hpp"
#include "common/verify/inputs.hpp"
#include "scratch.hpp"

using namespace tutorial;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// An .npy file byte by byte, as NumPy's format document lays it out; nothing of ours takes part.
std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string header = dictionary;
  const std::size_t fixed = version == 1 ? 10 : 12;
  while ((fixed + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += char(version);
  bytes += '\0';
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) bytes += char(header.size() >> (8 * byte) & 255);
  return bytes + header + data;
}

std::string header(const std::string& type, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    char one[sizeof(T)];
    std::memcpy(one, &value, sizeof one);
    if (big_endian) std::reverse(one, one + sizeof one);
    bytes.append(one, sizeof one);
  }
  return bytes;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {  // bit by bit: NaN equals itself, -0 is not 0
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// What /dev/full is. root gets one of its own: a mistake in the code under test could replace the system's.
bool make_full_device(const std::filesystem::path& file) {
  if (geteuid() == 0)
    return mknod(file.c_str(), S_IFCHR | 0600, makedev(1, 7)) == 0 && access(file.c_str(), W_OK) == 0 &&
           std::ofstream(file).is_open();
  std::error_code failed;
  std::filesystem::create_symlink("/dev/full", file, failed);
  return std::filesystem::is_character_file(file);
}

std::string refusal(const std::filesystem::path& file) {
  const std::string message = message_of<input_error>([&] { read_array(file); });
  CHECK_MESSAGE(contains(message, file.filename().string()),
                "the message does not name the file: " << message);
  CHECK_MESSAGE(!contains(message, "\n"), "more than one line: " << message);
  return message;
}

std::string int_refusal(const std::filesystem::path& file) {
  return message_of<input_error>([&] { read_array_as<std::int32_t>(file); });
}

}  // namespace

TEST_CASE("npy: every type that is read, both byte orders, versions 1 to 3") {
  const scratch_folder folder;
  const std::vector<double> doubles = {1.5, -0.0, 1e308, nan_value, -infinity};
  const std::vector<float> floats = {1.5f, -0.0f, 1e38f};
  for (const bool big : {false, true}) {
    for (const int version : {1, 2, 3}) {
      CAPTURE(big);
      CAPTURE(version);
      const std::string order = big ? ">" : "<";
      const auto file =
          folder.file("a.npy", npy(header(order + "f8", "(5,)"), bytes_of(doubles, big), version));
      CHECK(stored_type(file) == element_type::float64);
      CHECK(same(read_array_as<double>(file), doubles));
      const auto single =
          folder.file("b.npy", npy(header(order + "f4", "(3,)"), bytes_of(floats, big), version));
      CHECK(stored_type(single) == element_type::float32);
      CHECK(same(std::get<std::vector<float>>(read_array(single)), floats));
    }
  }
  const auto integers = [&]<class T>(const std::string& type, std::vector<T> values) {
    CAPTURE(type);
    const bool big = type[0] == '>';
    const auto file = folder.file(
        "i.npy", npy(header(type, "(" + std::to_string(values.size()) + ",)"), bytes_of(values, big)));
    CHECK(stored_type(file) == element_type::int32);
    CHECK(read_array_as<std::int32_t>(file) == std::vector<std::int32_t>(values.begin(), values.end()));
    CHECK(read_array_as<double>(file) == std::vector<double>(values.begin(), values.end()));
  };
  integers("|i1", std::vector<std::int8_t>{-128, 0, 127});
  integers("|u1", std::vector<std::uint8_t>{0, 200, 255});
  integers("<i2", std::vector<std::int16_t>{-32768, 258, 32767});
  integers(">u2", std::vector<std::uint16_t>{0, 258, 65535});
  integers("<i4", std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), 66051, 2147483647});
  integers(">i4", std::vector<std::int32_t>{-2, 66051});
  integers("<i8", std::vector<std::int64_t>{-2147483648LL, 7, 2147483647});
  integers("<u4", std::vector<std::uint32_t>{0, 2147483647});
  integers("<u8", std::vector<std::uint64_t>{0, 2147483647});
}

TEST_CASE("npy: half precision") {
  const scratch_folder folder;
  const std::vector<std::uint16_t> halves = {0x3C00, 0xC000, 0x7BFF, 0x0001, 0x03FF,
                                             0x0400, 0x8000, 0x7C00, 0xFC00, 0x7E00};
  const auto values =
      read_array_as<float>(folder.file("h.npy", npy(header("<f2", "(10,)"), bytes_of(halves))));
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> expected = {1, -2, 65504, 0x1p-24f, 1023 * 0x1p-24f, 0x1p-14f, -0.0f, inf, -inf};
  CHECK(same(std::vector<float>(values.begin(), values.end() - 1), expected));
  CHECK(std::isnan(values.back()));
}

TEST_CASE("npy: spellings of the header that are allowed") {
  const scratch_folder folder;
  const std::string data = bytes_of(std::vector<double>{1, 2});
  for (const char* dictionary : {"{'shape': (2,), 'fortran_order': False, 'descr': '<f8'}",
                                 "{\"descr\":\"<f8\",\"fortran_order\":False,\"shape\":(2,)}",
                                 "{'descr':  '<f8' , 'fortran_order' : False, 'shape': ( 2 , )}",
                                 // One dimension is the same in both orders.
                                 "{'descr': '<f8', 'fortran_order': True, 'shape': (2,), }",
                                 // Python 2 wrote long integers like this.
                                 "{'descr': '<f8', 'fortran_order': False, 'shape': (2L,), }",
                                 "{'descr':\t'<f8',\n'fortran_order': False,\n'shape':\n(2,\n)}"}) {
    CAPTURE(dictionary);
    CHECK(read_array_as<double>(folder.file("a.npy", npy(dictionary, data))) == std::vector<double>{1, 2});
  }
  // Version 2 is there for headers that two bytes of length are too few for.
  const std::string padded = header("<f8", "(2,)") + std::string(70'000, ' ');
  CHECK(read_array_as<double>(folder.file("b.npy", npy(padded, data, 2))) == std::vector<double>{1, 2});
}

TEST_CASE("npy: what cannot be used is refused in one line that says what to do") {
  const scratch_folder folder;
  const std::string data = bytes_of(std::vector<double>{1, 2, 3, 4});
  const auto refused = [&](const std::string& bytes) { return refusal(folder.file("bad.npy", bytes)); };

  CHECK(contains(refused(""), "empty"));
  CHECK(contains(refused("1 2 3\n"), "not an .npy file"));
  CHECK(contains(refused("\x93NUMPX\x01 and more of it"), "not an .npy file"));
  CHECK(contains(refused("\x93NUMPY"), "cut short"));
  CHECK(contains(refused(npy(header("<f8", "(4,)"), "").substr(0, 40)), "cut short"));
  CHECK(contains(refused(npy(header("<f8", "(4,)"), data, 4)), "version 4"));
  CHECK(contains(refused(npy(header("<f8", "(4,)") + std::string(200'000, ' '), data, 2)),
                 "header is longer than 128 KiB"));

  const std::string truncated = refused(npy(header("<f8", "(4,)"), data.substr(0, 31)));
  CHECK(contains(truncated, "promises 4 elements, the file holds 3"));
  CHECK(contains(refused(npy(header("<f8", "(4,)"), "")), "holds 0"));
  CHECK(contains(refused(npy(header("<f8", "(3,)"), data)), "8 bytes follow"));

  CHECK(contains(refused(npy(header("<f8", "(2, 2)"), data)), "2 dimensions"));
  CHECK(contains(refused(npy(header("<f8", "(2, 2)"), data)), "ravel"));
  CHECK(contains(refused(npy(header("<f8", "()"), data)), "0 dimensions"));
  CHECK(contains(refused(npy(header("<f8", "(0,)"), "")), "no element"));
  for (const char* type : {"<c16", "|b1", "<U3", "|O", "<f16", "<M8[s]", "f8", "<i3", ""}) {
    CAPTURE(type);
    CHECK(contains(refused(npy(header(type, "(4,)"), data)), "astype"));
  }
  CHECK(contains(refused(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (4,)}", data)),
                 "astype"));
  CHECK(contains(refused(npy("{'fortran_order': False, 'shape': (4,)}", data)), "'descr'"));
  CHECK(contains(refused(npy("{'descr': '<f8', 'shape': (4,)}", data)), "'fortran_order'"));
  CHECK(contains(refused(npy("{'descr': '<f8', 'fortran_order': False}", data)), "'shape'"));
  CHECK(contains(refused(npy("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (4,)}", data)), "damaged"));
  CHECK(contains(refused(npy(header("<f8", "(x,)"), data)), "damaged"));
  CHECK(contains(refused(npy(header("<f8", "(L,)"), data)), "damaged"));
  CHECK(contains(refused(npy(header("<f8", "(-4,)"), data)), "damaged"));
  CHECK(contains(refused(npy(header("<f8", "(4,"), data)), "damaged"));
  CHECK(contains(refused(npy("", data)), "damaged"));
  CHECK(contains(refused(npy(header("<f8", "(99999999999999999999999,)"), data)), "damaged"));
}

TEST_CASE("npy: a header that claims 2^60 elements allocates nothing") {
  const scratch_folder folder;
  for (const char* count : {"(1152921504606846976,)", "(2305843009213693953,)", "(18446744073709551615,)"}) {
    CAPTURE(count);
    // The second and third times 8 bytes wrap around to a small number.
    const auto file = folder.file("huge.npy", npy(header("<f8", count), std::string(8, '\1')));
    CHECK(contains(refusal(file), "holds 1"));
  }
}

TEST_CASE("conversions between types keep their rule") {
  const scratch_folder folder;
  const auto doubles = [&](std::vector<double> values) {
    return folder.file("d.npy",
                       npy(header("<f8", "(" + std::to_string(values.size()) + ",)"), bytes_of(values)));
  };
  CHECK(read_array_as<std::int32_t>(doubles({1, -0.0, 2147483647, -2147483648.0})) ==
        std::vector<std::int32_t>{1, 0, 2147483647, -2147483647 - 1});
  CHECK(contains(int_refusal(doubles({1, 2.5})), "element 1 (2.500000) is not a whole number"));
  CHECK(contains(int_refusal(doubles({nan_value})), "not a whole number"));
  CHECK(contains(int_refusal(doubles({infinity})), "not a whole number"));
  CHECK(contains(int_refusal(doubles({2147483648.0})), "does not fit into int32"));
  CHECK(contains(int_refusal(doubles({-2147483649.0})), "does not fit into int32"));
  CHECK(contains(int_refusal(folder.file(
                     "i.npy", npy(header("<i8", "(1,)"), bytes_of(std::vector<std::int64_t>{2147483648LL})))),
                 "does not fit into int32"));

  CHECK(read_array_as<float>(doubles({0.1, 1e-60})) == std::vector<float>{0.1f, 0.0f});
  CHECK(std::isinf(read_array_as<float>(doubles({infinity}))[0]));
  CHECK(std::isnan(read_array_as<float>(doubles({nan_value}))[0]));
  const double largest = std::numeric_limits<float>::max();
  CHECK(read_array_as<float>(doubles({largest})) == std::vector<float>{std::numeric_limits<float>::max()});
  CHECK(contains(message_of<input_error>([&] {
                   read_array_as<float>(doubles({1, 1e39}));
                 }),
                 "does not fit into float"));
  CHECK(contains(message_of<input_error>([&] { read_array_as<float>(doubles({0x1.ffffffp127})); }),
                 "does not fit into float"));
  CHECK(read_array_as<float>(doubles({0x1.fffffefp127})) ==
        std::vector<float>{std::numeric_limits<float>::max()});
}

TEST_CASE("text: separators, comments, signs, NaN and infinity") {
  const scratch_folder folder;
  const auto read = [&](std::string_view text) { return read_array_as<double>(folder.file("a.txt", text)); };
  CHECK(read("1 2\t3\n4,5, 6\r\n7 ,8\n") == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(read("# a heading\n1 # one\n#2\n3") == std::vector<double>{1, 3});
  CHECK(read("1,2,\n3,4,\n") == std::vector<double>{1, 2, 3, 4});
  CHECK(read("\xEF\xBB\xBF"
             "7\n") == std::vector<double>{7});
  CHECK(read("+1.5 -2e3 .5 5. 1E-2") == std::vector<double>{1.5, -2000, 0.5, 5, 0.01});
  CHECK(same(read("inf -inf -0 Infinity"), {infinity, -infinity, -0.0, infinity}));
  CHECK(std::isnan(read("nan")[0]));
  CHECK(std::isnan(read("NaN")[0]));
  CHECK(read("1e-400 -1e-400") == std::vector<double>{0, 0});
  CHECK(stored_type(folder / "a.txt") == element_type::float64);
  CHECK(read_array_as<float>(folder.file("f.csv", "0.1,1e-60")) == std::vector<float>{0.1f, 0});
  CHECK(read_array_as<std::int32_t>(folder.file("i.csv", "-2147483648,+7,3.0,1e3")) ==
        std::vector<std::int32_t>{-2147483647 - 1, 7, 3, 1000});
}

TEST_CASE("text: what cannot be used is refused with its line") {
  const scratch_folder folder;
  const auto refused = [&](std::string_view text) { return refusal(folder.file("bad.txt", text)); };
  CHECK(contains(refused(""), "empty"));
  CHECK(contains(refused(" \n# nothing\n"), "no number"));
  CHECK(contains(refused("value\n1\n"), "bad.txt:1: 'value' is no number: if this line is a heading"));
  CHECK(contains(refused("1\n2\n3x\n"), "bad.txt:3: '3x' is no number"));
  CHECK(contains(refused("1\n2 0x10\n"), "bad.txt:2:"));
  CHECK(contains(refused("1;2\n"), "'1;2' is no number"));
  CHECK(contains(refused("1,,2\n"), "a number is missing"));
  CHECK(contains(refused(",1\n"), "a number is missing"));
  CHECK(contains(refused("1 --2\n"), "is no number"));
  CHECK(contains(refused("+-2\n"), "is no number"));
  CHECK(contains(refused("\n\n1e999\n"), "bad.txt:3: '1e999' does not fit into double"));
  CHECK(contains(refused("\xFF\xFE"
                         "1"),
                 "UTF-16"));
  CHECK(contains(refused("\x93NUMPY"), "rename"));
  CHECK(contains(refused("\"1\"\n"), "is no number"));
  CHECK(contains(refused(std::string_view("\0\0\0\0", 4)), "'?\?\?\?' is no number"));
  CHECK(contains(refused(std::string(100, 'x')), "..."));
  CHECK(contains(int_refusal(folder.file("i.txt", "1 2\n2147483648")),
                 "i.txt:2: '2147483648' does not fit into int32"));
  CHECK(contains(int_refusal(folder / "i.txt"), "--type double"));
  CHECK(contains(int_refusal(folder.file("i.txt", "2.5")), "not a whole number"));
  CHECK(contains(int_refusal(folder.file("i.txt", "nan")), "not a whole number"));
  CHECK(contains(int_refusal(folder.file("i.txt", "1e10")), "does not fit into int32"));
  CHECK(contains(message_of<input_error>([&] { read_array_as<float>(folder.file("f.txt", "1e39")); }),
                 "does not fit into float"));
}

TEST_CASE("files that are not there, and names without a known extension") {
  const scratch_folder folder;
  CHECK(contains(refusal(folder / "missing.npy"), "no such file"));
  CHECK(contains(refusal(folder / "missing.txt"), "no such file"));
  std::filesystem::create_directory(folder / "folder.txt");
  std::filesystem::create_directory(folder / "folder.npy");
  CHECK(contains(refusal(folder / "folder.txt"), "a folder"));
  CHECK(contains(refusal(folder / "folder.npy"), "a folder"));
  CHECK(contains(refusal(folder.file("a.wav", "x")), "ending in .wav"));
  CHECK(contains(refusal(folder.file("plain", "1")), "no extension"));
  CHECK(read_array_as<double>(folder.file("UPPER.TXT", "1")) == std::vector<double>{1});
  CHECK_THROWS_AS(require_array_extension("x.png"), input_error);
  CHECK_NOTHROW(require_array_extension("x.csv"));
}

TEST_CASE_TEMPLATE("what is written is read back to the last bit", T, std::int32_t, float, double) {
  const scratch_folder folder;
  std::vector<T> values = random_signal<T>(1000, 7);
  values.push_back(std::numeric_limits<T>::min());
  values.push_back(std::numeric_limits<T>::max());
  values.push_back(std::numeric_limits<T>::lowest());
  if constexpr (!std::is_integral_v<T>) {
    values.push_back(std::numeric_limits<T>::denorm_min());
    values.push_back(-std::numeric_limits<T>::infinity());
    values.push_back(T(-0.0));
    values.push_back(std::numeric_limits<T>::quiet_NaN());
    values.push_back(T(0.1));
  }
  for (const char* name : {"a.npy", "a.txt", "a.csv"}) {
    CAPTURE(name);
    write_array<T>(folder / name, values);
    CHECK(same(read_array_as<T>(folder / name), values));
  }
  CHECK(folder.entries() == 3);  // no temporary file stays
  CHECK(stored_type(folder / "a.npy") == element_type_of<T>());
}

TEST_CASE("npy: the bytes that are written are NumPy's") {
  const scratch_folder folder;
  write_array<float>(folder / "a.npy", std::vector<float>{1, 2});
  const std::string written = content(folder / "a.npy");
  CHECK(written.size() == 128 + 8);
  CHECK(written == npy(header("<f4", "(2,)"), bytes_of(std::vector<float>{1, 2})));
}

TEST_CASE("npy: two dimensions are written as NumPy writes them") {
  const scratch_folder folder;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  write_array_2d(folder / "a.npy", values, 3);
  CHECK(content(folder / "a.npy") == npy(header("<f4", "(2, 3)"), bytes_of(values)));
  CHECK_THROWS_AS(write_array_2d(folder / "b.npy", values, 4), std::invalid_argument);
  CHECK_THROWS_AS(write_array_2d(folder / "b.npy", values, 0), std::invalid_argument);
  CHECK_THROWS_AS(write_array_2d(folder / "b.txt", values, 3), input_error);
  CHECK(folder.entries() == 1);
}

TEST_CASE("output: all or nothing") {
  const scratch_folder folder;
  const std::vector<double> values = {1, 2, 3};
  const auto refused = [&](const std::filesystem::path& file, const std::vector<double>& what) {
    return message_of<input_error>([&] { write_array<double>(file, what); });
  };
  SUBCASE("a folder that does not exist") {
    CHECK(contains(refused(folder / "none/a.npy", values), "folder does not exist"));
    CHECK(contains(refused(folder.file("file", "") / "a.npy", values), "not a folder"));
    CHECK(contains(refused(folder / "a.wav", values), ".wav"));
  }
  SUBCASE("a folder without permission, before any work is done") {
    std::filesystem::create_directory(folder / "open");
    std::filesystem::permissions(folder / "open", std::filesystem::perms(0777));
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
    const uid_t before = geteuid();
    if (before == 0) REQUIRE(seteuid(65534) == 0);  // root may write everywhere
    const std::string early = message_of<input_error>([&] { require_writable(folder / "a.npy"); });
    const std::string allowed = message_of<input_error>([&] { require_writable(folder / "open/a.npy"); });
    const std::string no_file = message_of<input_error>([&] { require_writable("/dev/null"); });
    if (before == 0) REQUIRE(seteuid(0) == 0);
    CHECK(contains(early, "no permission to write there"));
    CHECK(allowed.empty());
    CHECK(no_file.empty());
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  }
  SUBCASE("a target that is a folder") {
    std::filesystem::create_directory(folder / "a.npy");
    CHECK(contains(refused(folder / "a.npy", values), "it is a folder"));
    CHECK(folder.entries() == 1);
  }
  SUBCASE("a full device") {
    for (const char* name : {"full.npy", "full.txt"}) {
      if (!make_full_device(folder / name)) return;                     // not on this system
      CHECK(contains(refused(folder / name, values), "disk is full"));  // shows when closed
      CHECK(contains(refused(folder / name, std::vector<double>(1 << 16)),
                     "disk is full"));  // shows on the way
      CHECK(std::filesystem::is_character_file(folder / name));
    }
    CHECK(folder.entries() == 2);
  }
  SUBCASE("no room for the whole file: what was there stays, nothing half-written does") {
    // A limit on the size of files stands in for a full disk.
    const std::string before = "1\n";
    const auto target = folder.file("a.npy", before);
    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{50'000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string message = refused(target, std::vector<double>(100'000));
    const std::string message_txt = refused(folder / "b.txt", std::vector<double>(100'000));
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    CHECK(contains(message, "larger than allowed"));
    CHECK(contains(message_txt, "larger than allowed"));
    CHECK(content(target) == before);
    CHECK(folder.entries() == 1);
  }
  SUBCASE("a target that is there is replaced, and a link to it stays a link") {
    const auto target = folder.file("real.npy", "old");
    std::filesystem::create_symlink("real.npy", folder / "link.npy");
    write_array<double>(folder / "link.npy", values);
    CHECK(std::filesystem::is_symlink(folder / "link.npy"));
    CHECK(read_array_as<double>(target) == values);
    CHECK(folder.entries() == 2);
  }
  SUBCASE("a program that is ended from outside while it writes leaves no trace") {
    const int unnamed = open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (unnamed < 0) return;  // not on this system
    close(unnamed);
    const auto target = folder.file("a.npy", "old");
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      output_file out(target);
      out.write(std::string(100'000, 'x'));
      raise(SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(content(target) == "old");
    CHECK(folder.entries() == 1);
  }
  SUBCASE("an unfinished write leaves no trace") {
    CHECK_THROWS_AS(
        [&] {
          write_array<double>(folder / "a.npy", values);
          throw std::runtime_error("later");
        }(),
        std::runtime_error);
    CHECK(folder.entries() == 1);
  }
}

TEST_CASE("text: a million numbers there and back in about a second") {
  const scratch_folder folder;
  const std::vector<double> values = random_signal<double>(1'000'000);
  const auto begin = std::chrono::steady_clock::now();
  write_array<double>(folder / "a.txt", values);
  const bool equal = same(read_array_as<double>(folder / "a.txt"), values);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  CHECK(equal);
  CHECK(seconds < 5);  // generous: a busy machine is no defect, a quadratic loop is
  MESSAGE("1,000,000 numbers as text there and back: " << seconds << " s");
}
