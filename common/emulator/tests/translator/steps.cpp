// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The notes that --steps puts into device code.
#include "translator_test.hpp"

using namespace translator_test;

namespace {

std::string with_steps(const std::string& source) {
  return cuda_emulator::translator::translate(
      source, "k.cu", cuda_emulator::translator::compilation::separate, nullptr, true, true);
}

/// `body` of a function of the device, with its notes; parameters a and p, and no note about them.
std::string noted(const std::string& body) {
  const std::string begin = "void f(int a, float* p) { ", end = " }";
  const std::string result = with_steps("__device__ " + begin + body + end);
  const std::size_t at = result.find(begin);
  REQUIRE(at != result.npos);
  REQUIRE(result.ends_with(end));
  return result.substr(at + begin.size(), result.size() - at - begin.size() - end.size());
}

bool unnoted(const std::string& body) { return noted(body) == body; }

std::string note(const std::string& name) {
  return "::cuda_emulator::note(\"f." + name + "\", " + name + ")";
}
const std::string line = "::cuda_emulator::note_line()";

}  // namespace

TEST_CASE("steps: declarations are noted behind them") {
  for (const std::string type :
       {"int", "const int", "unsigned long", "T", "n::T", "A<int>", "A<B<int>>::type", "auto",
        "typename T::x", "const float*", "T* const", "::T"}) {
    CAPTURE(type);
    CHECK(noted(type + " x = a;") == type + " x = a; " + note("x") + ";");
    CHECK(noted(type + " x{a};") == type + " x{a}; " + note("x") + ";");
  }
  CHECK(noted("int x = g(a, b), y, z = x;") ==
        "int x = g(a, b), y, z = x; " + note("x") + "; ::cuda_emulator::note_unset(y); " + note("z") + ";");
  CHECK(noted("float x[4] = {}, y[2];") ==
        "float x[4] = {}, y[2]; ::cuda_emulator::note_local(\"f.x\", x, true);"
        " ::cuda_emulator::note_local(\"f.y\", y, false);");
  CHECK(noted("__shared__ float t[2][3];").ends_with(" ::cuda_emulator::note_shared(\"t\", t);"));
}

TEST_CASE("steps: assignments of local variables and parameters are noted within them") {
  for (const std::string how : {" = 1", " += b", "++", " <<= 2", " >>= 2", " ^= 3", ".x = 2"}) {
    CAPTURE(how);
    CHECK(noted("a" + how + ";") == "a" + how + ", " + note("a") + ";");
  }
  CHECK(noted("--a;") == "--a, " + note("a") + ";");
  CHECK(noted("if (b) a = 1; else a = 2;") ==
        "if (" + line + ", (b)) a = 1, " + note("a") + "; else a = 2, " + note("a") + ";");
  CHECK(noted("p[a + 1] = 2;") == "p[a + 1] = 2, ::cuda_emulator::note_element(p, a + 1);");
}

TEST_CASE("steps: loops and conditions") {
  CHECK(noted("for (int k = 0; k < a; ++k) g(k);") ==
        "for (int k = 0; " + note("k") + ", ( k < a); ++k) g(k);");
  CHECK(noted("for (int k = 0;; ++k) break;") == "for (int k = 0; " + note("k") + ", true; ++k) break;");
  CHECK(noted("for (; a < 3;) g();") == "for (; " + line + ", ( a < 3);) g();");
  CHECK(noted("while (g()) { a = 1; }") == "while (" + line + ", (g())) { a = 1, " + note("a") + "; }");
  CHECK(noted("do --a; while (a > 0);") == "do --a, " + note("a") + "; while (" + line + ", (a > 0));");
  CHECK(noted("switch (a) { case 1: a = 2; break; default: ; }") ==
        "switch (" + line + ", (a)) { case 1: a = 2, " + note("a") + "; break; default: ; }");
}

TEST_CASE("steps: what is not plain stays as it is") {
  CHECK(unnoted("b = 1;"));  // not known here
  CHECK(unnoted("g(a);"));
  CHECK(unnoted("p[g()] = 1;"));  // the index would be computed twice
  CHECK(unnoted("p[a++] = 1;"));
  CHECK(unnoted("int& x = *p;"));  // would be one more load
  CHECK(unnoted("auto& [x, y] = b;"));
  CHECK(unnoted("struct S { int x = 1; void g() { x = 2; } };"));
  CHECK(unnoted("constexpr int x = 1;"));
  CHECK(unnoted("using T = int; typedef int U; static_assert(sizeof(T) == 4);"));
  CHECK(unnoted("if constexpr (sizeof(a) == 4) return;"));
  CHECK(unnoted("for (int x : b) g(x);"));
  CHECK(unnoted("return;"));
  CHECK(noted("if (int x = g()) h(x);") == "if (int x = g()) h(x);");
}

TEST_CASE("steps: kernels also note their parameters, and where they return") {
  const std::string result =
      with_steps("__global__ void k(const float* __restrict__ x, int n = 3) { if (n) return; }");
  CHECK(
      result.find(" ::cuda_emulator::note_parameter(\"x\", x); ::cuda_emulator::note_parameter(\"n\", n);") !=
      result.npos);
  CHECK(result.ends_with(" if (" + line + ", (n)) return " + line + "; }"));
}

TEST_CASE("steps: only code of the device, and only where they are wanted") {
  for (const std::string before : {"", "__host__ __device__ ", "constexpr __device__ "}) {
    const std::string source = before + "int f(int a) { int x = a; x += 1; return x; }";
    CHECK(with_steps(source) == translated(source));
  }
  CHECK(translated("__device__ void f(int a) { int x = a; }").find("note") == std::string::npos);
}
