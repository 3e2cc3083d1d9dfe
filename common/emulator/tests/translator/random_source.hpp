// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Random CUDA sources, together with what the translator must make of them.
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "expected.hpp"

namespace translator_test {

/// `file()` writes one into `source`, and its translation into `expected`.
class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}

  void file() {
    for (unsigned i = 1 + below(4); i > 0; --i) {
      pick({[&] { kernel(); }, [&] { function(); }, [&] { constant(); }, [&] { open_namespace(); },
            [&] { plain_class(); }});
      gap("\n");
    }
  }

  std::string source, expected;

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool maybe() { return below(2) == 0; }

  void pick(const std::vector<std::function<void()>>& choices) {
    choices[below(static_cast<unsigned>(choices.size()))]();
  }

  std::string any(const std::vector<std::string>& choices) {
    return choices[below(static_cast<unsigned>(choices.size()))];
  }

  int line() const { return 1 + static_cast<int>(std::count(source.begin(), source.end(), '\n')); }

  void both(const std::string& text) { change(text, text); }
  void change(const std::string& from, const std::string& to) {
    source += from;
    expected += to;
  }

  // White space, with at least `least`, and whatever a preprocessor leaves or a person writes.
  void gap(const std::string& least = " ") {
    both(least + any({"", "", "", " ", "\n", "\t\n", " // k<<<1>>>( \" '\n", "/* >>>( \n \" __shared__ */",
                      "\\\n", "\n#pragma unroll\n", "\n# pragma once ( { [\n"}));
  }

  std::string name() { return any({"a", "b", "value", "threadIdx.x", "n::c", "this->m", "v<int>"}); }

  void literal() {
    both(
        any({"1", "0x1Fu", "1'000", "1.5e-3f", "'\\''", "'<'", "\"<<<1, 2>>>(\"", "\"__global__ \\\" {\"",
             "R\"(k<<<1, 2>>>(\n) \\ \" {)\"", "u8R\"x()\" __shared__ )x\"", "L\"//\"", "\"/*\"_s", "3_km"}));
  }

  void expression(int depth) {
    if (depth <= 0) return maybe() ? literal() : both(name());
    pick({[&] { literal(); }, [&] { both(name()); }, [&] { both("("), expression(depth - 1), both(")"); },
          [&] { both("f<A<B<int>>>("), gap(""), expression(depth - 1), both(")"); },
          [&] {
            both("g<T, 3>("), expression(depth - 1), both(","), gap(""), expression(depth - 1), both(")");
          },
          [&] { both("a[0 + "), expression(depth - 1), both("]"); },
          [&] {
            expression(depth - 1), gap(), both(any({"+", ">>", "&&", "==", "<=", "->*", "?", ":"})), gap(),
                expression(depth - 1);
          },
          [&] { both("S{"), expression(depth - 1), gap(""), both("}"); },
          [&] { both("[&] { "), statement(depth - 1), both(" }()"); },
          [&] {
            const std::string words = any({"__device__", "__host__ __device__"});
            both("[=] ");
            change(words, words == "__device__" ? "" : " ");
            both(" (int i) { "), statement(depth - 1), both(" }(3)");
          }});
  }

  void statement(int depth) {
    if (depth <= 0) return both(name()), both(";");
    pick({[&] { both("x ="), gap(), expression(depth - 1), both(";"); },
          [&] { both("if ("), expression(depth - 1), both(")"), gap(), statement(depth - 1); },
          [&] {
            both("for (int i = 0; i < 3; ++i) {"), gap(), statement(depth - 1), statement(depth - 1),
                both("}");
          },
          [&] { both("std::cout << \"a\" << b >> 3;"); }, [&] { both("if (a < b || c > d) x >>= 1;"); },
          [&] { shared(); }, [&] { launch(depth); }, [&] { launch(depth); }});
  }

  void launch(int depth) {
    const std::string callee = any({"k", "n::k", "k<T, 4>", "::n::k<A<B<int>>>", "k<(3 > 2)>", "p->k", "(*p)",
                                    "table[i + 1]", "T::template k<1 << 2>"});
    const int at_line = line();
    source += callee;
    expected += launch_begin(callee, at_line);
    if (maybe()) both(any({"\n", "// >>>(\n", "/* \n */"}));
    source += "<<<";
    expression(depth - 1), gap(""), both(","), gap(""), expression(depth - 1);
    if (maybe()) both(","), expression(depth - 1);
    gap("");
    source += ">>>";
    expected += launch_middle(callee);
    gap("");
    both("(");
    if (maybe()) {
      gap(""), expression(depth - 1), both(","), gap(), expression(depth - 1);
    }
    both(");");
  }

  void shared() {
    both("{ ");
    change("__shared__", "typedef");
    gap(), both(any({"float", "unsigned long", "std::array<T, 3>", "typename X<T>::type", "struct S"})),
        gap();
    const int at_line = line();
    change("tile", "emulator_type_tile");
    if (maybe()) both("["), literal(), both("]");
    gap(""), change(";", ";" + shared_object("tile", at_line)), both(" }");
  }

  void body() {
    for (int i = static_cast<int>(below(4)); i >= 0; --i) gap(""), statement(3);
    gap(""), both("}");
  }

  void kernel() {
    both(any({"", "static ", "template <class T, int N = (3 > 2)> ", "extern \"C\" ", "template <> "}));
    change("__global__", "__attribute__((noinline))");
    gap();
    std::string bound = "0";
    if (maybe()) bound = "N * (2, 3)", change("__launch_bounds__(N * (2, 3), 4)", "");
    gap(), both("void"), gap();
    const int at_line = line();
    both("k"), gap(""), both("(int n"), gap(), both("= f<A<int>>(3), float* x)"), gap("");
    change("{", "{" + prologue("k", at_line, bound, "k.cu", "n,x"));
    body();
  }

  void function() {
    if (maybe()) change("__device__", "");
    both(" "), both(any({"inline int f() ", "auto f(int a) -> A<B<int>> ",
                         "template <class T> T f(T a) requires C<T> "}));
    both("{"), body();
  }

  void constant() {
    change("__constant__", "");
    both(" float"), gap();
    const int at_line = line();
    both("v[2] = {1,"), gap(), both("2}"), gap(""), change(";", ";" + registration("v", "constant", at_line));
  }

  void open_namespace() {
    both(any({"namespace {", "namespace a::b {", "extern \"C\" {", "inline namespace c {"}));
    gap(), kernel(), both("}");
  }

  void plain_class() {
    both("struct S : B<T> {"), gap();
    change("__host__", ""), both(" "), change("__device__", ""), gap();
    both("S(int n) : a{n}, b(3) {"), body();
    both(" static "), change("__device__", ""), both(" int f();"), gap(), both("};");
  }

  std::mt19937 random_;
};

}  // namespace translator_test
