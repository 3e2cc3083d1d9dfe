// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Headers that we did not write, and the program as it is called.
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "translator_test.hpp"

using namespace translator_test;

namespace {

const std::filesystem::path scratch = SCRATCH "/translator_scratch";

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(scratch);
  REQUIRE((std::ofstream(path, std::ios::binary) << text << std::flush));
}

int status_of(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string preprocessed(const std::string& source, const std::string& options) {
  write(scratch / "source.cpp", source);
  const std::string output = (scratch / "source.ii").string();
  REQUIRE(status_of(COMPILER " -std=c++20 -E " + options + " " + (scratch / "source.cpp").string() + " -o " +
                    output) == 0);
  return contents(output);
}

std::string without(std::string text, const std::string& word) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t found; (found = text.find(word, copied)) != text.npos; copied = found + word.size()) {
    result.append(text, copied, found - copied);
  }
  return result.append(text, copied);
}

}  // namespace

TEST_CASE("the standard library is copied to the byte") {
  const std::string source = preprocessed(
      "#include <algorithm>\n#include <complex>\n#include <filesystem>\n#include <functional>\n#include "
      "<iostream>\n"
      "#include <ranges>\n#include <regex>\n#include <thread>\n",
      "");
  REQUIRE(std::count(source.begin(), source.end(), '\n') > 50000);
  CHECK(untouched(source));
}

TEST_CASE("Thrust only loses the words of its functions, and fast") {
  const std::string source = preprocessed(
      "#include <thrust/complex.h>\n#include <thrust/device_vector.h>\n#include <thrust/random.h>\n"
      "#include <thrust/reduce.h>\n#include <thrust/scan.h>\n#include <thrust/sort.h>\n#include "
      "<thrust/transform.h>\n",
      "-D__CUDACC__ -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP -isystem " HEADERS);
  REQUIRE(source.find("__host__ __device__") != source.npos);
  const auto start = std::chrono::steady_clock::now();
  const std::string result = cuda_emulator::translator::translate(source);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK(result == without(without(source, "__host__"), "__device__"));
  const auto lines = std::count(source.begin(), source.end(), '\n');
  MESSAGE(lines, " lines in ", seconds, " s");
  CHECK(seconds <
        2);  // far above what it takes, so that a busy machine passes and a quadratic search does not
}

TEST_CASE("time grows with the length, whatever is in it") {
  const auto repeat = [](const std::string& piece, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += piece;
    return text;
  };
  const auto numbered = [](const std::string& before, const std::string& behind, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += before + std::to_string(i) + behind;
    return text;
  };
  const int n = 20000;
  for (const std::string& source :
       {"void f() { " + repeat("if (a < b) { k<T><<<1, 2>>>(x); } ", n) + "}",
        "__global__ void f() { " + repeat("{ __shared__ int a[3]; a[0] < [=] { return a[1]; }(); } ", n) +
            "}",
        repeat("__constant__ float v[2] = {1, 2}; ", n),
        repeat("namespace a { ", n) + repeat("}", n),
        repeat("__device__ int f() { return 1; } ", n),
        "int a = " + repeat("b < ", n) + "c;",
        repeat("template <", n) + "class T" + repeat(">", n) + " __device__ int f() { return 1; }",
        "__device__ " + repeat("template <", 2 * n) + " int x;",
        "int a = " + repeat("s{1} + ", n) + "1;",
        "s::s() : " + repeat("a{1}, ", n) + "b{2} {}",
        "__global__ void f() { " + repeat("extern __shared__ int a[]; ", 2 * n) + "}",
        "__global__ void f() { " + numbered("__shared__ int a", "; ", n / 5) +
            numbered("[=] { return a", "; }(); ", n / 5) + "}",
        "__global__ void f() { " + repeat("__shared__ alignas(16) T a; ", n) + "}",
        "__host__ __device__ void f() { " + repeat("static T a; ", n) + "}",
        repeat("__device__ T a; ", n),
        "void f() { " + repeat("(", n) + "k" + repeat(")", n) + "<<<1, 2>>>(); }",
        "__device__ void f() { " + repeat("{ static int a; ", n) + repeat("}", n) + " }",
        "int v; __global__ void f(int* p) { p[0] = " + repeat("v < ", n) + "1; }",
        "__device__ int v; void f() { int a = " + repeat("(v) + ", n) + "1; }",
        "__device__ int v; void f() { printf(" + repeat("(", n) + "v" + repeat(")", n) + "); }",
        repeat("int f(int); ", n) + "__global__ void k() { " + repeat("f(1); ", n) + "}",
        repeat("extern int v; ", n) + "__global__ void k() { " + repeat("v = 1; ", n) + "}",
        repeat("inline __device__ int f() { return f(); } ", n),
        repeat("struct s { ", n) + repeat("};", n),
        "void f() { " + repeat("[&] { ", n) + repeat("}; ", n) + "}",
        "void f() { " + repeat("{", n) + repeat("}", n) + " }",
        "int a = " + repeat("(", n) + "1" + repeat(")", n) + ";"}) {
    CAPTURE(source.substr(0, 60));
    const auto start = std::chrono::steady_clock::now();
    try {
      cuda_emulator::translator::translate(source);
    } catch (const cuda_emulator::translator::source_error&) {  // some call what they must not
    }
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 2);
  }
}

TEST_CASE("the program: statuses, files, streams") {
  const std::string in = (scratch / "in.ii").string(), out = (scratch / "out.ii").string();
  const std::string errors = (scratch / "errors").string(), to_errors = " 2> " + errors;
  const auto run = [&](const std::string& arguments) {
    return status_of(TRANSLATOR " " + arguments + to_errors);
  };
  write(in, "__device__ int f();\n");

  std::filesystem::remove(out);
  CHECK(run(in + " -o " + out) == 0);
  CHECK(contents(out) == " int f();\n");
  CHECK(contents(errors).empty());
  CHECK(run("-o - - < " + in + " > " + out) == 0);
  CHECK(contents(out) == " int f();\n");

  for (const std::string& usage :
       {std::string(), in, "-o " + out, in + " " + in + " -o " + out, in + " -o", in + " --fast -o " + out}) {
    CAPTURE(usage);
    CHECK(run(usage) == 2);
    CHECK(contents(errors).starts_with(
        "usage: emulator_translate [--whole] [--steps] [--relaxed-constexpr] [-w] [-Werror] "
        "[--device DEVICE.ii] IN.ii -o OUT.ii\n"));
  }

  // What an earlier run has left must not be taken for the result of this one.
  write(in, "# 12 \"k.cu\"\nstruct s { __shared__ int a; };\n");
  REQUIRE(std::filesystem::exists(out));
  CHECK(run(in + " -o " + out) == 1);
  CHECK(contents(errors) == "k.cu:12: error: declare this __shared__ variable in the kernel that uses it\n");
  CHECK_FALSE(std::filesystem::exists(out));

  CHECK(run("missing.ii -o " + out) == 1);
  CHECK(contents(errors) == "missing.ii: cannot be read\n");
  CHECK(run(scratch.string() + " -o " + out) == 1);  // a folder
  write(in, "int a;\n");
  // Through a link, so that a mistake in the code under test cannot remove the system's own.
  const std::filesystem::path full = scratch / "full";
  std::filesystem::remove(full);
  std::filesystem::create_symlink("/dev/full", full);
  if (std::filesystem::is_character_file(full)) {
    CHECK(run(in + " -o " + full.string()) == 1);
    CHECK(contents(errors) == full.string() + ": cannot be written\n");
    CHECK(std::filesystem::is_symlink(full));  // what is no file stays: -o /dev/null
  } else {
    MESSAGE("skipped: this machine has no /dev/full");
  }
  CHECK(run(in + " -o " + (scratch / "missing/out.ii").string()) == 1);
}
