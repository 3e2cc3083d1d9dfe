// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "translator_test.hpp"

using namespace translator_test;

namespace {

const std::string noinline_word = "__attribute__((noinline))";

// A launch inside of a function, on line 1, and what becomes of it.
void check_launch(const std::string& before, const std::string& callee, const std::string& configuration,
                  const std::string& arguments, const std::string& after = ";") {
  CAPTURE(callee);
  const std::string source =
      "void f() { " + before + callee + "<<<" + configuration + ">>>(" + arguments + ")" + after + " }";
  CHECK(translated(source) == "void f() { " + before + launch_begin(callee, 1) + configuration +
                                  launch_middle(callee) + "(" + arguments + ")" + after + " }");
}

}  // namespace

TEST_CASE("launch: what can be launched") {
  check_launch("", "k", "1, 2", "a, b");
  check_launch("", "k", "g, b, 1024, stream", "");
  check_launch("", "k", "g, b", " ");
  check_launch("", "tutorial::k", "1, 2", "a");
  check_launch("", "::tutorial::k", "1, 2", "a");
  check_launch("", "k<int, 4>", "1, 2", "a");
  check_launch("", "k<T, (N > 4)>", "1, 2", "a");
  check_launch("", "k<1 << 3>", "1, 2", "a");
  check_launch("", "k<sizeof(T) < 4>", "1, 2", "a");
  check_launch("", "k<A<B<int>>>", "1, 2", "a");
  check_launch("", "ns<int>::k", "1, 2", "a");
  check_launch("", "T::template k<3>", "1, 2", "a");
  check_launch("", "(*pointer)", "1, 2", "a");
  check_launch("", "table[i][j + 1]", "1, 2", "a");
  check_launch("", "p->m", "1, 2", "a");
  check_launch("", "a.b[3].c", "1, 2", "a");
  check_launch("", "this->m", "1, 2", "a");
  check_launch("", "choose(3)", "1, 2", "a");
  check_launch("", "choose<int>(3)[4]", "1, 2", "a");
}

TEST_CASE("launch: a 0 alone stays a 0 in the call") {
  const auto call = [](const std::string& arguments) {
    const std::string result = translated("void f() { k<<<1, 2>>>(" + arguments + "); }");
    const std::size_t begin = result.find("1, 2), ") + 7;
    return result.substr(begin, result.find(", [=](auto emulator_probe)") - begin);
  };
  CHECK(call("a, 0, n") ==
        "[=](const auto& emulator_argument0, const auto&, const auto& emulator_argument2) { "
        "k(emulator_argument0, 0, emulator_argument2); }");
  CHECK(call("0") == "[=](const auto&) { k(0); }");
  const std::string as_ever = "[=](const auto&... emulator_arguments) { k(emulator_arguments...); }";
  for (const char* arguments : {"", "a", "a + 0, f(0)", "-0", "{0}", "0 + 1", "0.f", "args..., 0"})
    CHECK(call(arguments) == as_ever);
}

TEST_CASE("older standards") {
  const auto stays = [](const std::string& source) { CHECK(translated(source) == source); };
  CHECK(translated("template <class T> struct S { S<T>() {} ~S<T>(); explicit S<T>(T t) : a(t) {} T a; };") ==
        "template <class T> struct S { S() {} ~S(); explicit S(T t) : a(t) {} T a; };");
  CHECK(translated("template <class T> S<T>::S<T>(int i) {}") == "template <class T> S<T>::S(int i) {}");
  stays("template <class T> struct S { S() {} S<T> f(); S<T> (*g)(int); void h() { S<T>(); } S<T>* next; };");
  stays("template <class T> S<T> S<T>::f() { return S<T>(); }");
  CHECK(translated("int requires = 3, concept; int f() { return requires + concept; }") ==
        "int emulator_requires = 3, emulator_concept; "
        "int f() { return emulator_requires + emulator_concept; }");
  stays(
      "template <class T> concept c = requires(T t) { t.f(); }; template <class T> requires c<T> void f();");
  CHECK(translated("void f() throw(int, A<3>); struct S { int g() const throw(int) { throw(3); } };") ==
        "void f() ; struct S { int g() const  { throw(3); } };");
  stays("void f() throw(); void g(int x) { if (x) throw(x); }");
}

TEST_CASE("launch: names stay names, expressions are evaluated once") {
  const auto middle = [](const std::string& callee) {
    const std::string result = translated("void f() { " + callee + "<<<1, 2>>>(); }");
    const std::size_t begin = result.find("1, 2), "), end = result.find("(); }", begin + 7);
    REQUIRE(end != result.npos);
    return result.substr(begin + 7, end - begin - 7);
  };
  for (const std::string name :
       {"k", "::n::k<int, 4>", "(k)", "((n::k<A<int>>))", "T::template k<(3 > 2)>"}) {
    CHECK(middle(name) ==
          "[=](const auto&... emulator_arguments) { " + name +
              "(emulator_arguments...); }, [=](auto emulator_probe) -> decltype(emulator_probe(" + name +
              ")) { return emulator_probe(" + name + "); })");
  }
  for (const std::string expression : {"this->k", "(*k)", "k[i]", "a.k", "choose(3)", "(this->*k)"}) {
    CHECK(middle(expression) == expression + ")");
  }
}

TEST_CASE("launch: where it can stand") {
  check_launch("if (a) ", "k", "1, 2", "x");
  check_launch("if (a) ", "(*k)", "1, 2", "x");
  check_launch("if constexpr (a) ", "(k)", "1, 2", "x");
  check_launch("else ", "k", "1, 2", "x");
  check_launch("return ", "k", "1, 2", "x");
  check_launch("return ", "(k)", "1, 2", "x");
  check_launch("(void)", "k", "1, 2", "x");
  check_launch("a = 3, ", "k", "1, 2", "x");
  check_launch("for (;;) ", "k", "1, 2", "x", ", b = 4;");
  check_launch("auto g = [&] { ", "k<T>", "1, 2", "x", "; };");
  check_launch("case 1: ", "k", "1, 2", "x");
  CHECK(translated("void f() { case 1:k<<<1,2>>>(); }") ==
        "void f() { case 1: " + launch_begin("k", 1) + "1,2" + launch_middle("k") + "(); }");
}

TEST_CASE("launch: configurations with brackets that look like its own") {
  check_launch("", "k", "(n + 255) >> 8, f<A<int>>(x)", "a");
  check_launch("", "k", "n >> 8, b", "a");
  check_launch("", "k", "1, 2, 1 << 10", "a >> 2");
  check_launch("", "k", "n < 4 ? 1 : 2, b", "a");
  check_launch("", "k", "f<A<B<int>>>(x), g<A<B<C<int>>>>(x)", "a");
  check_launch("", "k", "dim3(a > b, c >> 1), dim3{32, 8}", "a");
  check_launch("", "k", "grid, [] { return f<A<B<int>>>(3); }()", "a");
  check_launch("", "k", "1, A<int>{}.x", "a");
  check_launch("", "k", "1, size_v<int>", "a");
  check_launch("", "k", "1, size_v<A<int>>", "a");
}

TEST_CASE("launch: several lines, comments, text that looks like a launch") {
  CHECK(translated("void f() {\n"
                   "  k<int,  // type\n"
                   "    4><<<1, // \">>>(\n"
                   "       2 /* >>>( */>>>(a, // )\n"
                   "         R\"(>>>(\n)\",\n"
                   "         b);\n"
                   "}\n") ==
        "void f() {\n"
        "  " +
            launch_begin("k<int, 4>", 2) +
            "  // type\n"
            "    1, // \">>>(\n"
            "       2 /* >>>( */" +
            launch_middle("k<int, 4>") +
            "(a, // )\n"
            "         R\"(>>>(\n)\",\n"
            "         b);\n"
            "}\n");
  CHECK(untouched("auto s = \"k<<<1, 2>>>(x)\"; // k<<<1, 2>>>(x)\n/* k<<<1,\n2>>>(x) */"));
  CHECK(untouched("auto s = R\"x(k<<<1, 2>>>(x))\" \" )x\" u8R\"(__global__ \\)\" L'\\'' u8\"\\\"<<<\";"));
}

TEST_CASE("launch: << < from a macro, as the preprocessor prints it") {
  CHECK(translated("void f() { k<< <1, 2>> >(a); }") ==
        "void f() { " + launch_begin("k", 1) + "1, 2" + launch_middle("k") + "(a); }");
}

TEST_CASE("a backslash continues comments and pragmas") {
  CHECK(untouched("// k<<<1, 2>>>( \\\n __shared__ int a;\nint b;\n"));
  CHECK(untouched("#pragma a \\\n __shared__ int ( \nint b;\n"));
}

TEST_CASE("launch: NULL stays a pointer") {
  CHECK(translated("void f() { k<<<1, 2, 0, __null>>>(__null, a, f(__null), __null); }") ==
        "void f() { " + launch_begin("k", 1) + "1, 2, 0, __null" + launch_middle("k") +
            "(nullptr, a, f(__null), nullptr); }");
  CHECK(translated("void f() { k<<<1, 2>>>(__null + 1, a == __null); }") ==
        "void f() { " + launch_begin("k", 1) + "1, 2" + launch_middle("k") + "(__null + 1, a == __null); }");
}

TEST_CASE("launch: in the arguments of another one") {
  const std::string inner = "[=] { " + launch_begin("in", 1) + "3, 4" + launch_middle("in") + "(b); }";
  CHECK(translated("void f() { out<<<1, 2>>>([=] { in<<<3, 4>>>(b); }); }") ==
        "void f() { " + launch_begin("out", 1) + "1, 2" + launch_middle("out") + "(" + inner + "); }");
}

TEST_CASE("no launch: operators, shifts, templates") {
  CHECK(untouched("auto a = b << c; x >>= 1; x <<= 2; std::cout << \"<<<\" << (a<b); v<v<v<int>>> w(3);"));
  CHECK(untouched("auto f = &operator<<<int>; bool b = x <=> y; operator<< <T>(s, x);"));
  CHECK(untouched("int a = 1'000'000 + 0x1p-3 + 0b1'0; auto b = \"x\"_suffix + 'c'_d + 3_km;"));
}

TEST_CASE("kernel: the record is the first statement") {
  CHECK(translated("__global__ void k(int n) { n = 1; }") ==
        noinline_word + " void k(int n) {" + prologue("k", 1, "0", "k.cu", "n") + " n = 1; }");
  CHECK(translated("# 7 \"a\\\\b.cuh\" 2\n\n__global__ void k() {}\n") ==
        "# 7 \"a\\\\b.cuh\" 2\n\n" + noinline_word + " void k() {" + prologue("k", 8, "0", "a\\\\b.cuh") +
            "}\n");
  CHECK(translated("#line 30 \"b.cu\"\n__global__ void k() {}") ==
        "#line 30 \"b.cu\"\n" + noinline_word + " void k() {" + prologue("k", 30, "0", "b.cu") + "}");
}

TEST_CASE("kernel: words in every order") {
  const std::string body = "{" + prologue("k", 1) + "}", bounded = "{" + prologue("k", 1, "256") + "}";
  CHECK(translated("static __global__ void k() {}") == "static " + noinline_word + " void k() " + body);
  CHECK(translated("void __global__ k() {}") == "void " + noinline_word + " k() " + body);
  CHECK(translated("extern \"C\" __global__ void k() {}") ==
        "extern \"C\" " + noinline_word + " void k() " + body);
  CHECK(translated("extern \"C\" { __global__ void k() {} }") ==
        "extern \"C\" { " + noinline_word + " void k() " + body + " }");
  CHECK(translated("namespace a::b { inline namespace { __global__ void k() {} } }") ==
        "namespace a::b { inline namespace { " + noinline_word + " void k() " + body + " } }");
  CHECK(translated("template <class T> __global__ void k() {}") ==
        "template <class T> " + noinline_word + " void k() " + body);
  CHECK(translated("[[maybe_unused]] __attribute__((unused)) __global__ void k() {}") ==
        "[[maybe_unused]] __attribute__((unused)) " + noinline_word + " void k() " + body);
  CHECK(translated("__global__ __launch_bounds__(256) void k() {}") ==
        noinline_word + "  void k() " + bounded);
  CHECK(translated("__global__ void __launch_bounds__(256, 2) k() {}") ==
        noinline_word + " void  k() " + bounded);
  CHECK(translated("__launch_bounds__(256) __global__ void k() {}") ==
        " " + noinline_word + " void k() " + bounded);
  CHECK(translated("__global__ __maxnreg__(32) void k() {}") == noinline_word + "  void k() " + body);
  CHECK(translated("__global__ void __launch_bounds__(f<1, 2>::v + (3, 4),\n 2) k() {}") ==
        noinline_word + " void \n  k() {" + prologue("k", 2, "f<1, 2>::v + (3, 4)") + "}");
}

TEST_CASE("kernel: parameters, constraints, specializations") {
  const auto kernel_with = [](const std::string& head, const std::string& tail,
                              const std::string& parameters = "") {
    CAPTURE(head);
    const bool named = !parameters.empty() || tail.starts_with("()");
    CHECK(translated(head + "__global__ void k" + tail + " {}") ==
          head + noinline_word + " void k" + tail + " {" + prologue("k", 1, "0", "k.cu", parameters, named) +
              "}");
  };
  kernel_with("template <class T, int N = (3 > 2)>\n#pragma x\n#line 1\n",
              "(T (&a)[N], int b = f(3), S s = {1, 2})", "a,b,s");
  kernel_with("", "(std::span<int> x, float y[N], dim3 /* z */, A<1, 2>::type z, const T*)", "x,y,,z,");
  kernel_with("template <> ", "<3>(int)");
  kernel_with("template <class T> requires (sizeof(T) > 4) && C<T> ", "(T)");
  kernel_with("template <class T> requires requires (T t) { t + t; } ", "(T)");
  kernel_with("template <class T> ", "(T) requires C<T>");
  kernel_with("template <class T> ", "(T) requires (sizeof(T) < 4)");
  kernel_with("", "(void (*f)(int))", "f");
  kernel_with("", "(const float (*x)[33], float (&)[4], int n)", "x,,n");
  kernel_with("", "(const int* __restrict x, const float* const y)", "x,y");
  CHECK(translated("__global__ auto k() -> void {}") ==
        noinline_word + " auto k() -> void {" + prologue("k", 1) + "}");
}

TEST_CASE("kernel: declarations only lose the words") {
  CHECK(translated("__global__ void k(int);") == " void k(int);");
  CHECK(translated("__global__ void __launch_bounds__(3) k(int = 3);") == " void  k(int = 3);");
  CHECK(translated("struct s { friend __global__ void k(s); };") == "struct s { friend  void k(s); };");
  CHECK(translated("void f() { __global__ void k(int); }") == "void f() {  void k(int); }");
}

TEST_CASE("explicit instantiations are marked for the linker") {
  const std::string mark = " __attribute__((visibility(\"protected\")))";
  CHECK(translated("template __global__ void k<float>(float*);") ==
        "template" + mark + "  void k<float>(float*);");
  CHECK(translated("namespace n { template int f(int);\n#pragma x\ntemplate class c<int>; }") ==
        "namespace n { template" + mark + " int f(int);\n#pragma x\ntemplate class" + mark + " c<int>; }");
  CHECK(untouched("extern template class c<int>; template <> class c<int> {}; template <class T> int f(T);"));
  CHECK(untouched("void f() { x.template g<3>(); typename X::template Y<3> y; }"));
}

TEST_CASE("functions lose __device__ and __host__") {
  for (const char* source : {
           "@int f(int a) { return a; }",
           "inline @__attribute__((always_inline)) int f(int);",
           "template <class T> @T f(T a) { return a; }",
           "template <class T> @auto f(T a) -> decltype(a + 1) { return a; }",
           "struct s { @s() : a{1}, b{2}, c(3) {} @explicit s(int) noexcept(true); @~s() = default; int a, "
           "b, c; };",
           "struct s { @s(const s&) = delete; @s& operator=(const s&) = default; friend @bool operator==(s, "
           "s); };",
           "struct s { @operator int() const { return 1; } @explicit operator bool(); @int operator()(int) "
           "const; };",
           "struct s { static @int f(); virtual @void g() const = 0; @constexpr int operator[](int) { return "
           "1; } };",
           "@bool operator<(a, b); @bool operator<<(a, b) { return 1; } @void* operator new(unsigned long);",
           "@int (&f(int a))[2]; @void (*g(int))(float);",
           "template <class T> struct s : b<T> { template <class U> @s(U) : b<T>{1} {} };",
           "namespace n { class c final : public d, e { public: @void f(); protected: @int g() { return 1; } "
           "}; }",
           "void f() { struct s { @int operator()(int i) const { return i; } @s() {} int v; }; s x; }",
           "void f() { auto g = [=] @(int i) { return i; }; auto h = [] @{ return 1; }; }",
           "auto g = [] @(int i) mutable { return i; };",
           "auto h = std::function<int(int)>([&, x] @(int i) -> int { return i; });",
           "struct s { std::function<int()> m = [this] @{ return 1; }; int n{[] @{ return 2; }()}; };",
           "enum class e : int { a, b }; @e f(e x = e{}) { return x; }",
           "@s(int) -> s<int>;",
           "extern \"C++\" { @float sinf(float); extern @double cos(double) noexcept; }",
           "template <class T> using a = T; typedef int b; using namespace std; @int f(); static_assert(f() "
           "== 3);",
           "concept c = requires (int a) { a + 1; } && true; @int f();",
           "int a = 3, b{4}, c[] = {1, 2}; @int f(); int (*p)(int) = nullptr; @int g() { return 1; }",
       }) {
    for (const char* words : {"__device__ ", "__host__ __device__ ", "__device__\n/* x */ __host__ "}) {
      CAPTURE(source);
      const std::string pattern = source, with = words;
      std::string without = with, before, after;
      for (const std::string word : {"__device__", "__host__"}) {
        if (const auto found = without.find(word); found != without.npos) without.erase(found, word.size());
      }
      for (const char c : pattern) {
        c == '@' ? before += with : before += c;
        c == '@' ? after += without : after += c;
      }
      CHECK(translated(before) == after);
    }
  }
}

TEST_CASE("__noinline__ is CUDA's word, but also the name of an attribute") {
  CHECK(translated("__device__ __noinline__ int f();") == " " + noinline_word + " int f();");
  CHECK(untouched("__attribute__((__noinline__)) int f(); __attribute__((used, __noinline__)) int g();"));
}

TEST_CASE("shared: arrays, several declarators, types of every shape") {
  const auto in_kernel = [](const std::string& declaration) {
    return "__device__ void f() { " + declaration + " }";
  };
  const auto check = [&](const std::string& words, const std::string& type, const std::string& result) {
    CAPTURE(type);
    CHECK(translated(in_kernel(words + type)) == " void f() { " + result + " }");
  };
  check("__shared__ ", "float a[N][M + 1];",
        "typedef float emulator_type_a[N][M + 1];" + shared_object("a", 1));
  check("__shared__ ", "T a[2], b;",
        "typedef T emulator_type_a[2], emulator_type_b;" + shared_object("a", 1) + shared_object("b", 1));
  check(
      "__shared__ ", "float *p, q[3];",
      "typedef float *emulator_type_p, emulator_type_q[3];" + shared_object("p", 1) + shared_object("q", 1));
  check("static __shared__ ", "volatile int a;",
        " typedef volatile int emulator_type_a;" + shared_object("a", 1));
  check("__shared__ ", "std::array<T, N> a[2];",
        "typedef std::array<T, N> emulator_type_a[2];" + shared_object("a", 1));
  check("__shared__ ", "std::array<T, (N > 3)> a;",
        "typedef std::array<T, (N > 3)> emulator_type_a;" + shared_object("a", 1));
  check("__shared__ ", "typename X<T>::type t;",
        "typedef typename X<T>::type emulator_type_t;" + shared_object("t", 1));
  check("__shared__ ", "typename X::template Y<3>::type t[2];",
        "typedef typename X::template Y<3>::type emulator_type_t[2];" + shared_object("t", 1));
  check("__shared__ ", "struct S s;", "typedef struct S emulator_type_s;" + shared_object("s", 1));
  check("__shared__ ", "struct S { int a; } s;",
        "typedef struct S { int a; } emulator_type_s;" + shared_object("s", 1));
  check("__shared__ ", "union { A a; B b; } u;",
        "typedef union { A a; B b; } emulator_type_u;" + shared_object("u", 1));
  check("__shared__ ", "unsigned long long int n;",
        "typedef unsigned long long int emulator_type_n;" + shared_object("n", 1));
  check("__shared__ ", "float (*p)[3];", "typedef float (*emulator_type_p)[3];" + shared_object("p", 1));
  check("__shared__ ", "void (*p)(int);", "typedef void (*emulator_type_p)(int);" + shared_object("p", 1));
  check("__shared__ ", "decltype(x) a;", "typedef decltype(x) emulator_type_a;" + shared_object("a", 1));
  check("__shared__ ", "::cuda::barrier<::cuda::scope> a;",
        "typedef ::cuda::barrier<::cuda::scope> emulator_type_a;" + shared_object("a", 1));
  check("[[maybe_unused]] __shared__ ", "int a;",
        "[[maybe_unused]] typedef int emulator_type_a;" + shared_object("a", 1));
  check("__device__ __shared__ ", "int a;", " typedef int emulator_type_a;" + shared_object("a", 1));
  check("", "float __shared__ a[3];", "float typedef emulator_type_a[3];" + shared_object("a", 1));
  check("if (x) { y(); } ", "__shared__ int a; z();",
        "if (x) { y(); } typedef int emulator_type_a;" + shared_object("a", 1) + " z();");
}

TEST_CASE("shared: the alignment of a declaration is handed on") {
  const std::string aligned = ", alignof(emulator_alignment_a)";
  CHECK(translated("void f() { __shared__ alignas(16) float a[3]; }") ==
        "void f() { typedef  float emulator_type_a[3]; struct alignas(16) emulator_alignment_a {};" +
            shared_object("a", 1, aligned) + " }");
  CHECK(translated("void f() { __shared__ __attribute__((aligned(N + 1), unused)) float a[3], b; }") ==
        "void f() { typedef __attribute__((, unused)) float emulator_type_a[3], emulator_type_b; struct "
        "alignas(N + 1) "
        "emulator_alignment_a {};" +
            shared_object("a", 1, aligned) + shared_object("b", 1, aligned) + " }");
  CHECK(translated("void f() { __shared__ struct alignas(16) S { int a; } s; }") ==
        "void f() { typedef struct alignas(16) S { int a; } emulator_type_s;" + shared_object("s", 1) + " }");
}

TEST_CASE("shared: several lines stay several lines") {
  CHECK(translated("void f() {\n  __shared__ float a[N]  // one\n                  [M],   // two\n      b;  "
                   "// three\n}\n") ==
        "void f() {\n  typedef float emulator_type_a[N]  // one\n                  [M],   // two\n      "
        "emulator_type_b;" +
            shared_object("a", 2) + shared_object("b", 4) + "  // three\n}\n");
}

TEST_CASE("shared: dynamic") {
  CHECK(translated("void f() { extern __shared__ float a[]; }") ==
        "void f() {  typedef float emulator_type_a[];" + dynamic_object("a", 1) + " }");
  CHECK(translated("void f() { extern __shared__ __attribute__((aligned(16))) unsigned char raw[]; }") ==
        "void f() {  typedef __attribute__(()) unsigned char emulator_type_raw[];" +
            dynamic_object("raw", 1) + " }");
  CHECK(translated("template <class T> __device__ T* f() { __shared__ extern T a[]; return a; }") ==
        "template <class T>  T* f() { typedef  T emulator_type_a[];" + dynamic_object("a", 1) +
            " return a; }");
  const auto object = [](const std::string& type) {
    return "extern __typeof__(" + type +
           ") dynamic_shared_a[]; static constexpr ::cuda_emulator::dynamic_shared_array<" + type +
           "> a{\"a\", " + at(1) + "};";
  };
  CHECK(translated("extern __shared__ float a[];").ends_with(object("float")));
  CHECK(translated("namespace { extern __shared__ __attribute__((aligned(16))) unsigned char a[]; }")
            .ends_with(object("unsigned char") + " }"));
  CHECK(translated("extern __shared__ volatile std::array<int, 3> a[];").find("<volatile std") !=
        std::string::npos);
  CHECK(translated("extern __shared__ float a[][32];").ends_with(object("float[32]")));
}

TEST_CASE("shared: outside of functions") {
  const std::string result = translated("__shared__ float a[2], b;");
  CHECK(result.starts_with("typedef float emulator_type_a[2], emulator_type_b;"));
  CHECK(result.find("static constexpr ::cuda_emulator::shared_object<emulator_type_b> b{emulator_site_b};") !=
        std::string::npos);
  CHECK(translated("__shared__ alignas(16) int a[4];").find("alignof(emulator_alignment_a)> a{") !=
        std::string::npos);
}

TEST_CASE("shared: a lambda uses it, and never copies it") {
  const auto in_block = [](const std::string& rest, const std::string& expected) {
    CAPTURE(rest);
    CHECK(translated("void f() { { __shared__ int a[3]; " + rest + " } x = [] { a; }; }") ==
          "void f() { { typedef int emulator_type_a[3];" + shared_object("a", 1) + " " + expected +
              " } x = [] { a; }; }");
  };
  in_block("auto g = [] { return a[0]; };", "auto g = [&a] { return a[0]; };");
  in_block("auto g = [=] (int i) { a[i]++; };", "auto g = [=, &a] (int i) { a[i]++; };");
  in_block("auto g = [n] () mutable -> int { return a[n]; };",
           "auto g = [n, &a] () mutable -> int { return a[n]; };");
  in_block("call([=] __device__ (int i) { return a[i]; });", "call([=, &a]  (int i) { return a[i]; });");
  in_block("return [] { return [] { return a; }; };", "return [&a] { return [&a] { return a; }; };");
  // known already, somebody else's a, or not used
  in_block("g([&] { return a[0]; }, [&, n] { return a[n]; });",
           "g([&] { return a[0]; }, [&, n] { return a[n]; });");
  in_block("g([&a] { return a[0]; });", "g([&a] { return a[0]; });");
  in_block("g([=](int* a) { return a[0]; });", "g([=](int* a) { return a[0]; });");
  in_block("g([=] { return b.a + c->a + n::a; });", "g([=] { return b.a + c->a + n::a; });");
  in_block("b[a[0]] = c[3][a[1]]; [[likely]] { a; }", "b[a[0]] = c[3][a[1]]; [[likely]] { a; }");
  in_block("{ __shared__ int a; g([] { a; }); } g([] { a; });",
           "{ typedef int emulator_type_a;" + shared_object("a", 1) + " g([&a] { a; }); } g([&a] { a; });");
  CHECK(translated("void f() { __shared__ int a, b; [] { a = b; }; }") ==
        "void f() { typedef int emulator_type_a, emulator_type_b;" + shared_object("a", 1) +
            shared_object("b", 1) + " [&a, &b] { a = b; }; }");
}

TEST_CASE("constant: registered, and no longer const") {
  CHECK(translated("__constant__ float v[4];") == " float v[4];" + registration("v", "constant", 1));
  CHECK(translated("static __constant__ float v[2][2] = {{1, 2}, {3, 4}}, w = f<1, 2>(), x{3}, y(4);") ==
        "static constinit float v[2][2] = {{1, 2}, {3, 4}}, w = f<1, 2>(), x{3}, y(4);" +
            registration("v", "constant", 1) + registration("w", "constant", 1) +
            registration("x", "constant", 1) + registration("y", "constant", 1));
  // const is what made it static
  CHECK(translated("__constant__ const float v[2] = {1, 2};") ==
        "static  float v[2] = {1, 2};" + constant_registration("v", "constant", 1));
  CHECK(translated("constexpr __constant__ float v = 1;") ==
        " static float v = 1;" + constant_registration("v", "constant", 1));
  CHECK(translated("static __constant__ const float v = 1;") ==
        "static   float v = 1;" + constant_registration("v", "constant", 1));
  CHECK(translated("inline __constant__ const float v = 1;") ==
        "inline   float v = 1;" + constant_registration("v", "constant", 1));
  CHECK(translated("extern __constant__ const float v;") == "extern   float v;");
  // const of what is pointed at, or of a template argument
  CHECK(translated("__constant__ const float* v;") == " const float* v;" + registration("v", "constant", 1));
  CHECK(translated("__constant__ const float* const v = w;") ==
        "static constinit const float*  v = w;" + constant_registration("v", "constant", 1));
  CHECK(translated("__constant__ std::array<const int*, 3> v;") ==
        " std::array<const int*, 3> v;" + registration("v", "constant", 1));
  CHECK(translated("__constant__ int (*v)(int);") == " int (*v)(int);" + registration("v", "constant", 1));
  CHECK(translated("void f() { __constant__ int v = 3; static __constant__ int w; }") ==
        "void f() { static int v = 3;" + registration("v", "constant", 1) + " static  int w;" +
            registration("w", "constant", 1) + " }");
  CHECK(translated("extern \"C\" { __constant__ int v; }") ==
        "extern \"C\" {  int v;" + registration("v", "constant", 1) + " }");
}

TEST_CASE("device and managed variables") {
  CHECK(translated("__device__ int v = 3, *w;") ==
        " int v = 3, *w;" + registration("v", "global", 1) + registration("w", "global", 1));
  CHECK(translated("namespace n { static __device__ S<int> v{1, 2}; }") ==
        "namespace n { static  S<int> v{1, 2};" + registration("v", "global", 1) + " }");
  CHECK(translated("__managed__ int v;") == " int v;" + registration("v", "managed", 1));
  CHECK(translated("__device__ __managed__ int v;") == "  int v;" + registration("v", "managed", 1));
  CHECK(translated("__device__ int v(3);") == " int v(3);" + registration("v", "global", 1));
  CHECK(translated("__device__ void (*v)(int) = f;") ==
        " void (*v)(int) = f;" + registration("v", "global", 1));
  CHECK(translated("__device__ int n::v = 3;") ==
        " int n::v = 3;" + registration("n::v", "global", 1, "n__v"));
  CHECK(translated("template <> __device__ int v<3> = 4;") ==
        "template <>  int v<3> = 4;" + registration("v<3>", "global", 1, "v_3_"));
  CHECK(translated("__device__ struct S { int a; __device__ S(int); } v, w;") ==
        " struct S { int a;  S(int); } v, w;" + registration("v", "global", 1) +
            registration("w", "global", 1));
  CHECK(translated("__device__\nint\nv\n;\n") == "\nint\nv\n;" + registration("v", "global", 3) + "\n");
  // only the word goes
  CHECK(translated("extern __device__ int v;") == "extern  int v;");
  CHECK(translated("extern \"C\" __device__ int v;") == "extern \"C\"  int v;");
  CHECK(translated("extern \"C\" __device__ int v = 3;") ==
        "extern \"C\"  int v = 3;" + registration("v", "global", 1));
  CHECK(translated("__device__ constexpr int v = 3; static constexpr __device__ int w[] = {1};") ==
        " constexpr int v = 3; static constexpr  int w[] = {1};");
  // Reads of const tables must be seen. What can stand in a constant expression stays const.
  CHECK(translated("__device__ const float v[] = {1};") ==
        "static  float v[] = {1};" + constant_registration("v", "global", 1));
  CHECK(translated("static __device__ const float v[2] = {1};") ==
        "static   float v[2] = {1};" + constant_registration("v", "global", 1));
  CHECK(translated("__device__ const char* const v[1] = {};") ==
        "static const char*  v[1] = {};" + constant_registration("v", "global", 1));
  CHECK(translated("extern __device__ const float v[2];") == "extern   float v[2];");
  CHECK(translated("__device__ const int v = 3;") == " const int v = 3;" + registration("v", "global", 1));
  // What is made of a template by use is registered by use.
  const auto record = [](const std::string& header, const std::string& variable, const std::string& space) {
    return " " + header +
           " struct emulator_record_v { static inline const ::cuda_emulator::device_variable record{" +
           variable + ", \"v\", ::cuda_emulator::memory_space::" + space + ", \"k.cu\", 1}; };";
  };
  const auto used = [](const std::string& arguments) {
    return "::cuda_emulator::registered<emulator_record_v" + arguments + "::record>(v" + arguments + ")";
  };
  CHECK(translated("template <int N> __device__ int v = N;") ==
        "template <int N>  int v = N;" + record("template <int N>", "v<N>", "global"));
  CHECK(translated("template <class T, int N = (3, 4), class... U> __constant__ T v[N]; "
                   "void f() { g(&v<int>[2] + n::v<int, 3>); v<int>(3); m::v<int> x; s.v<int>; v < 3; }") ==
        "template <class T, int N = (3, 4), class... U>  T v[N];" +
            record("template <class T, int N = (3, 4), class... U>", "v<T, N, U...>", "constant") +
            " void f() { g(& " + used("<int>") +
            "[2] + ::cuda_emulator::registered<n::emulator_record_v<int, 3>::record>( n::v<int, 3>)); "
            "v<int>(3); m::v<int> x; s.v<int>; v < 3; }");
  CHECK(translated("template <int N> __device__ int v; template <> __device__ int v<3> = 1;") ==
        "template <int N>  int v;" + record("template <int N>", "v<N>", "global") +
            " template <>  int v<3> = 1; static const ::cuda_emulator::device_variable "
            "emulator_variable_v_3_(v<3>, "
            "\"v<3>\", ::cuda_emulator::memory_space::global, \"k.cu\", 1);");
  CHECK(translated("struct s { static __device__ int v; static constexpr __constant__ int w = 3; };") ==
        "struct s { static  int v; static constexpr  int w = 3; };");
}

TEST_CASE("static variables of functions of the device") {
  const auto in_device = [](const std::string& before, const std::string& after) {
    CHECK(translated("__device__ int f(int n) { " + before + " }") == " int f(int n) { " + after + " }");
    // A function of the host keeps its own.
    CHECK(untouched("int f(int n) { " + before + " }"));
  };
  in_device("static int v;", "static int v;" + registration("v", "global", 1));
  in_device("if (n) { int static long v, w[2]; }", "if (n) { int static long v, w[2];" +
                                                       registration("v", "global", 1) +
                                                       registration("w", "global", 1) + " }");
  in_device("static int v = 3;", "static int v = 3;" + registration("v", "global", 1));
  in_device("[] { static S<3> v{1}; }();",
            "[] { static S<3> v{1};" + registration("v", "global", 1) + " }();");
  in_device("[[maybe_unused]] static const float v[] = {1};",
            "[[maybe_unused]] static  float v[] = {1};" + constant_registration("v", "global", 1));
  in_device("static const char* const v[] = {\"a\"};",
            "static const char*  v[] = {\"a\"};" + constant_registration("v", "global", 1));
  in_device("static const char* v;", "static const char* v;" + registration("v", "global", 1));
  // nothing can be computed for it
  in_device("static int v = n;", "static constinit int v = n;" + registration("v", "global", 1));
  in_device("static int *v = g(), w;", "static constinit int *v = g(), w;" + registration("v", "global", 1) +
                                           registration("w", "global", 1));
  // Values stay: the language may ask for a constant.
  in_device("static const int v = 3;", "static const int v = 3;");
  in_device("static constexpr int v[] = {3};", "static constexpr int v[] = {3};");
  in_device("static int* const v = &a;", "static int* const v = &a;");
  in_device("struct s { static int g(int) { return 1; } static s operator()(int); };",
            "struct s { static int g(int) { return 1; } static s operator()(int); };");
  in_device("static_assert(n); static_cast<int>(n);", "static_assert(n); static_cast<int>(n);");
  CHECK(translated("__device__ int f() { static __device__ int v; static __shared__ int w; }")
            .find("emulator_variable_w") == std::string::npos);
  CHECK(translated("template <class T> struct s { __device__ T f() { static T v; } };") ==
        "template <class T> struct s {  T f() { static T v;" + registration("v", "global", 1) + " } };");
  CHECK(
      translated("void f() { g([] __device__ () { static int v; [] __device__ () { static int w; }; }); }") ==
      "void f() { g([]  () { static int v;" + registration("v", "global", 1) + " []  () { static int w;" +
          registration("w", "global", 1) + " }; }); }");
}

TEST_CASE("static variables of functions of both sides: one for each") {
  const auto pair = [](const std::string& name) {
    return " static const ::cuda_emulator::device_variable emulator_variable_" + name + "(emulator_device_" +
           name + ", \"" + name + "\", ::cuda_emulator::memory_space::global, " + at(1) + "); auto& " + name +
           " = ::cuda_emulator::of_this_side(emulator_device_" + name + ", emulator_host_" + name + ");";
  };
  CHECK(translated("__host__ __device__ void f() { static int v = 3; }") ==
        "  void f() { static int emulator_host_v = 3; static int emulator_device_v = 3;" + pair("v") + " }");
  CHECK(translated("__host__ __device__ void f() { static int v[2], *w = g(); [=] { w = v; }; }") ==
        "  void f() { static int emulator_host_v[2], *emulator_host_w = g(); constinit static int "
        "emulator_device_v [2], * emulator_device_w = g();" +
            pair("v") + pair("w") + " [=, &v, &w] { w = v; }; }");
  CHECK(translated("__host__ __device__ void f() { static const int v[] = {1}; }") ==
        "  void f() { static const int v[] = {1}; }");
}

TEST_CASE("a literal of several lines that is copied is one on one line") {
  const std::string raw = "u8R\"x(a?\n \\\"b)\nc)x\"_s", line = "u8\"a\\?\\n \\\\\\\"b)\\nc\"_s";
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  };
  const std::string pair =
      translated("__host__ __device__ void f() {\n static const char* v = " + raw + "; }");
  CHECK(has(pair, "emulator_host_v = " + raw + "; static const char* emulator_device_v = " + line + ";"));
  const std::string launch = translated("void f() { g(R\"(\n)\")<<<1, 2>>>(); }");
  CHECK(has(launch, "g(\"\\n\"))"));
  CHECK(has(translated("void f() { __shared__ alignas(sizeof(" + raw + ")) int a; }"),
            "alignas(sizeof(" + line + "))"));
  CHECK(has(translated("extern __shared__ S<" + raw + "> a[];"), "S < " + line + " >"));
  CHECK(has(translated("__launch_bounds__(sizeof(" + raw + ")) __global__ void k() {}"),
            "sizeof(" + line + ")"));
  CHECK(has(translated("__host__ __device__ void f() { static int v = g(\"a\\\nb\", 'R\"'); }"),
            "emulator_device_v = g(\"ab\", 'R\"');"));
  CHECK(has(translated("# 3 \"a\\\nb.cu\"\n__device__ int v;"), "\"k.cu\""));
}

TEST_CASE("a function of the global namespace at the very beginning") {
  CHECK(untouched("::f() {}"));
  CHECK(untouched("::~f() {}"));
}

TEST_CASE("a file of its own: what only the device has is marked for the linker, unless it is so already") {
  const auto whole = [](const char* source) {
    return cuda_emulator::translator::translate(source, "k.cu",
                                                cuda_emulator::translator::compilation::whole);
  };
  const std::string mark = "__attribute__((visibility(\"internal\")))";
  CHECK(whole("__device__ int f() { return 1; }\n") == mark + " int f() { return 1; }\n");
  CHECK(whole("__device__ int v;\n").starts_with(mark + " int v;"));
  CHECK(whole("__constant__ int v[2];\n").starts_with(mark + " int v[2];"));
  CHECK(translated("__device__ int f() { return 1; }\n").find("visibility") == std::string::npos);
  for (const char* source :
       {"__device__ int f();\n", "extern __device__ int v;\n", "static __device__ int f() { return 1; }\n",
        "inline __device__ int f() { return 1; }\n", "__host__ __device__ int f() { return 1; }\n",
        "template <int n> __device__ int f() { return n; }\n", "static __device__ int v;\n",
        "struct s { __device__ int f() { return 1; } };\n", "__device__ s::s() {}\n",
        "__constant__ const int v = 1;\n", "__global__ void k() {}\n"}) {
    CAPTURE(source);
    CHECK(whole(source).find("visibility") == std::string::npos);
  }
}

TEST_CASE("arrays: where their indices are in the translation, and what they are called") {
  const auto table = [](const std::string& source) {
    std::string behind;
    const std::string result = cuda_emulator::translator::translate(
        source, "k.cu", cuda_emulator::translator::compilation::whole, nullptr, true, false, &behind);
    const std::size_t begin = behind.find("= {");
    return result + "|" +
           (begin == behind.npos ? behind : behind.substr(begin, behind.find("};") + 2 - begin));
  };
  // One column for each bracket and one for the name; what the translation puts before them counts.
  CHECK(table("__device__ float\nf(float* x) { return x[i]; }\n") ==
        "__attribute__((visibility(\"internal\"))) float\nf(float* x) { return x[i]; }\n|"
        "= {{\"k.cu\",0,0,0,0},{\"x\",2,23,25,22},};");
  CHECK(table("static __device__ void f() { a.b[i].c[j][k] = 0; }")
            .ends_with("|= {{\"k.cu\",0,0,0,0},{\"a.b\",1,23,25,22},{\"a.b[i].c\",1,28,30,27},"
                       "{\"a.b[i].c[j]\",1,31,33,27},};"));
  // Memory of the device, all rows by one index, and host code are left out.
  for (const char* source :
       {"static __constant__ int v[2];\nstatic __device__ int f() { return v[1]; }",
        "static __device__ void f() { __shared__ int v[2]; v[1] = 0; }", "void f() { v[1] = 0; }"}) {
    CAPTURE(source);
    CHECK(table(source).ends_with("|"));
  }
  CHECK(table("static __device__ void f() { m[0][i] = 0; }").find("m[0]\"") == std::string::npos);
}
