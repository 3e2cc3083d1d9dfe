// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "text/editor.hpp"
#include "translator_test.hpp"

using namespace translator_test;

namespace {

// The message of the error that translating `source` ends with.
std::string message_of(const std::string& source) {
  try {
    cuda_emulator::translator::translate(source, "k.cu");
  } catch (const cuda_emulator::translator::source_error& error) {
    return error.what();
  }
  return "no error";
}

void check_error(const std::string& source, const std::string& message) {
  CAPTURE(source);
  CHECK(message_of(source) == message);
}

}  // namespace

TEST_CASE("errors name file and line") {
  const std::string bad = "struct s { __shared__ int a; };";
  check_error("\n\n" + bad, "k.cu:3: error: declare this __shared__ variable in the kernel that uses it");
  check_error("# 1 \"k.cu\"\n# 5 \"dir/a \\\"b\\\".cuh\" 1 3\n\n" + bad,
              "dir/a \"b\".cuh:6: error: declare this __shared__ variable in the kernel that uses it");
  check_error("/* \n\n */ R\"(\n\n)\"\n\\\n" + bad,
              "k.cu:7: error: declare this __shared__ variable in the kernel that uses it");
  check_error("#line 9\n" + bad,
              "k.cu:9: error: declare this __shared__ variable in the kernel that uses it");
}

TEST_CASE("messages are in the order of the source, and notes stay with theirs") {
  using cuda_emulator::translator::severity;
  const std::string source = "int a;\nint b;\n# 8 \"s.h\" 1 3 4\nint c;\n# 4 \"k.cu\" 2\nint d;\n";
  cuda_emulator::translator::editor text(source, "\"k.cu\"");
  text.say(severity::warning, 10, "of d");
  text.say(severity::note, 0, "why");
  text.say(severity::warning, 6, "of a header of the system");
  text.say(severity::note, 0, "of that");
  text.say(severity::warning, 4, "of b");
  CHECK(text.result() == source);
  CHECK(text.messages() == "k.cu:2: warning: of b\nk.cu:4: warning: of d\nk.cu:1: note: why");
  text.say(severity::error, 7, "of c");
  try {
    text.result();
    FAIL("an error ends without a result");
  } catch (const cuda_emulator::translator::source_error& error) {
    CHECK(std::string(error.what()) ==
          "k.cu:2: warning: of b\ns.h:8: error: of c\nk.cu:4: warning: of d\nk.cu:1: note: why");
  }
}

TEST_CASE("errors: a variable template of the device whose parameter has no name") {
  check_error("template <class> __device__ int v;",
              "k.cu:1: error: give each parameter of this template in device memory a name");
}

TEST_CASE("errors: text that does not end") {
  check_error("int a; /* b\n", "k.cu:1: error: comment without an end");
  check_error("\nauto s = \"abc\n\";", "k.cu:2: error: literal without an end");
  check_error("auto s = \"abc\\", "k.cu:1: error: literal without an end");
  check_error("auto s = R\"x(abc)\" )y\"", "k.cu:1: error: raw string without an end");
  check_error("auto s = R\"x", "k.cu:1: error: raw string without an end");
}

TEST_CASE("errors: brackets") {
  check_error("void f() {\n  g(;\n}\n", "k.cu:2: error: '(' is closed by '}' on line 3");
  check_error("void f() {\n", "k.cu:1: error: '{' is never closed");
  check_error("\n}", "k.cu:2: error: '}' was never opened");
}

TEST_CASE("errors: launches") {
  check_error("void f() {\n k<<<1, 2; }",
              "k.cu:2: error: cannot find the end of this launch: >>> and arguments in parentheses");
  // Less than three brackets behind it, but not where more follows: then it is a shift or a comparison.
  for (const char* one : {"k<<<1, 2>>(x); }", "k<<<1, 2>(x); }", "k<<<g(1), 2>>(x, y)}"}) {
    CAPTURE(one);
    check_error(std::string("void f() {\n ") + one,
                "k.cu:2: error: a launch has three brackets on each side: k<<<blocks, threads>>>(...)");
  }
  check_error("void f() { k<<<1, n >> (2) + 1; }",
              "k.cu:1: error: cannot find the end of this launch: >>> and arguments in parentheses");
  CHECK_NOTHROW(translated("void f() { k<<<n >> (2), 1>>>(x); }"));
  check_error("void f() { k<<<1, 2>>; }",
              "k.cu:1: error: cannot find the end of this launch: >>> and arguments in parentheses");
  check_error("void f() { k<<<1, 2>>>; }",
              "k.cu:1: error: cannot find the end of this launch: >>> and arguments in parentheses");
  check_error("void f() { g(k<<<1, 2)>>>(3); }",
              "k.cu:1: error: cannot find the end of this launch: >>> and arguments in parentheses");
  check_error("void f() { k<<<>>>(); }",
              "k.cu:1: error: a launch needs blocks and threads: k<<<blocks, threads>>>(...)");
  check_error("void f() {\n n::k<A<B<int>>><<<g(1, 2)>>>(x); k<<<(256)>>>(); }",
              "k.cu:2: error: a launch needs blocks and threads: n::k<A<B<int>>><<<blocks, threads>>>(...). "
              "<<<g(1, 2)>>> is the number of blocks only\n"
              "k.cu:2: error: a launch needs blocks and threads: k<<<blocks, threads>>>(...). "
              "<<<(256)>>> is the number of blocks only");
  const std::string one_missing =
      "k.cu:1: error: a launch needs blocks and threads: k<<<blocks, threads>>>(...). ";
  check_error("void f() { k<<<blocks threads_per_block>>>(x); }",
              (one_missing + "In <<<blocks threads_per_block>>> a comma is missing before threads_per_block")
                  .c_str());
  check_error("void f() { k<<<(n + 255) / 256 256>>>(x); }",
              (one_missing + "In <<<(n + 255) / 256 256>>> a comma is missing before 256"));
  check_error("void f() { k<<<dim3(4) dim3(8)>>>(x); }",
              (one_missing + "In <<<dim3(4) dim3(8)>>> a comma is missing before dim3"));
  for (const std::string alone :
       {"(unsigned)n", "sizeof n", "unsigned(n)", "int(n) / 2", "n and m", "t::u(3)"}) {
    CAPTURE(alone);
    check_error(("void f() { k<<<" + alone + ">>>(x); }"),
                (one_missing + "<<<" + alone + ">>> is the number of blocks only"));
  }
  CHECK_NOTHROW(translated("template <class... T> void f(T... t) { k<<<t...>>>(); }"));
  check_error("void f() {\n k<<<1, 2, 3, 4, 5>>>(); }",
              "k.cu:2: error: too many arguments: kernel<<<blocks, threads, shared bytes, stream>>>(...)");
  CHECK_NOTHROW(translated("void f() { k<<<1, g(1, 2, 3), t<1, 2>(), {}>>>(1, 2, 3, 4, 5); }"));
  check_error("void f() { + <<<1, 2>>>(); }", "k.cu:1: error: cannot find the kernel that is launched here");
  check_error("void f() { 3<<<1, 2>>>(); }", "k.cu:1: error: cannot find the kernel that is launched here");
  check_error("void f() { f(3, <<<1, 2>>>()); }",
              "k.cu:1: error: cannot find the kernel that is launched here");
  check_error("x<<<", "k.cu:1: error: cannot find the end of this launch: >>> and arguments in parentheses");
  check_error("void f() { table[[] { return 3; }()]<<<1, 2>>>(); }",
              "k.cu:1: error: give what is launched here a name first");
  check_error("void f() { [] { return k; }()<<<1, 2>>>(); }",
              "k.cu:1: error: cannot find the kernel that is launched here");
}

TEST_CASE("errors: kernels") {
  check_error("__global__ int k() {}", "k.cu:1: error: __global__ is for functions that return void");
  check_error("__global__ int v;", "k.cu:1: error: __global__ belongs to a function");
  check_error("struct s {\n __global__ void k() {} };",
              "k.cu:2: error: __global__ is not for members of a class");
  check_error("void f() { struct s { __global__ void k() {} }; }",
              "k.cu:1: error: __global__ is not for members of a class");
  check_error("__global__ __device__ void k() {}",
              "k.cu:1: error: __device__ cannot stand beside __global__");
  check_error("__global__ void __launch_bounds__ k() {}",
              "k.cu:1: error: __launch_bounds__ needs arguments in parentheses");
  check_error("__launch_bounds__(3) __device__ void k() {}",
              "k.cu:1: error: __launch_bounds__ belongs to a __global__ function");
  check_error("__global__ void __cluster_dims__(2, 1, 1) k() {}",
              "k.cu:1: error: __cluster_dims__ is not available on the emulated device");
  check_error("auto f = [] __global__ () {};", "k.cu:1: error: a lambda can be __device__ or __host__ only");
}

TEST_CASE("errors: inline PTX") {
  const char* const refused = "k.cu:2: error: asm: bra is not emulated: write the loop or the branch in C++";
  check_error("__global__ void k() {\n asm(\"bra L;\"); }", refused);
  check_error("__device__ void f() {\n asm volatile(\"wmma.load.a;\"); }",
              "k.cu:2: error: asm: wmma.load.a is not emulated: use nvcuda::wmma of <mma.h>, or mma.sync");
  CHECK_NOTHROW(translated("__global__ void k() { asm volatile(\"\" ::: \"memory\"); }"));
  CHECK_NOTHROW(translated("__host__ __device__ void f() { asm(\"nop\"); }"));
  CHECK_NOTHROW(translated("void f() { asm(\"nop\"); [] { asm(\"nop\"); }; }"));
  CHECK_NOTHROW(translated("# 1 \"v.h\" 1 3\n__device__ void f() { asm(\"bra L;\"); }"));
  check_error("void f() { g([]\n __device__ () { __asm volatile(\"ret;\"); }); }",
              "k.cu:2: error: __asm: ret is not emulated: return in C++");
  check_error("struct s {\n __device__ s() { [] __device__ { asm(\"bra L;\"); }; } };", refused);
  check_error("__device__ void f() { asm(\"ret;\");\n __asm__(\"ret;\"); }",
              "k.cu:1: error: asm: ret is not emulated: return in C++\n"
              "k.cu:2: error: __asm__: ret is not emulated: return in C++");
}

TEST_CASE("errors: texture references") {
  const auto texture = [](const std::string& name) {
    return "error: texture references left CUDA with version 12. Give the kernel a parameter, "
           "cudaTextureObject_t " +
           name + ", and make the object on the host, with cudaCreateTextureObject()";
  };
  check_error("texture<float, 2, cudaReadModeElementType> t;", "k.cu:1: " + texture("t"));
  check_error("int a;\nstatic texture<float> t;\ntexture<uchar4, 2> u;",
              "k.cu:2: " + texture("t") + "\nk.cu:3: " + texture("u"));
  check_error("namespace n { const texture<float> t; }", "k.cu:1: " + texture("t"));
  check_error("surface<void, 2> s;",
              "k.cu:1: error: surface references left CUDA with version 12. Give the kernel a parameter, "
              "cudaSurfaceObject_t s, and make the object on the host, with cudaCreateSurfaceObject()");
  // Each fetch as it must be written, with what it returns.
  const auto fetch = [](const std::string& call, const std::string& name) {
    return "error: write " + call + ", where " + name + " is a cudaTextureObject_t that the kernel gets";
  };
  check_error("texture<float2, 1> t;\n__device__ float2 f(int i) { return tex1Dfetch(t, (i + 1)); }",
              "k.cu:1: " + texture("t") + "\nk.cu:2: " + fetch("tex1Dfetch<float2>(t, (i + 1))", "t"));
  check_error("texture<uchar4, 2, cudaReadModeNormalizedFloat> t;\nauto f() { return tex2D(t, 1, 2); }",
              "k.cu:1: " + texture("t") + "\nk.cu:2: " + fetch("tex2D<float4>(t, 1, 2)", "t"));
  check_error("texture<unsigned char, 1, cudaReadModeNormalizedFloat> t;\nauto f() { return tex1D(t, 1); }",
              "k.cu:1: " + texture("t") + "\nk.cu:2: " + fetch("tex1D<float>(t, 1)", "t"));
  // The program's own
  for (const char* own :
       {"class texture { virtual int f(); }; texture* t; std::shared_ptr<texture> p; bool b = texture < t;",
        "template <class T> class texture {}; texture<float> t;", "using n::texture; texture<float> t;",
        "template <class T> using texture = image<T>; texture<float> t;",
        "n::texture<float> t; a.texture<3> (b);",
        "template <class T> struct surface; template <class T> struct surface<T*> {}; surface<int*> s;"}) {
    CAPTURE(own);
    CHECK(untouched(own));
  }
}

TEST_CASE("errors: variables") {
  check_error("void f() {\n __shared__ int a,\n b = 3; }",
              "k.cu:3: error: a __shared__ variable cannot have an initializer");
  check_error("void f() { __shared__ int a[2]{}; }",
              "k.cu:1: error: a __shared__ variable cannot have an initializer");
  check_error("void f() { __shared__ int a(3); }",
              "k.cu:1: error: a __shared__ variable cannot have an initializer");
  check_error("void f() { __shared__ int; }", "k.cu:1: error: cannot find the name that is declared here");
  check_error("struct s { __shared__ int a; };",
              "k.cu:1: error: declare this __shared__ variable in the kernel that uses it");
  check_error("extern __shared__ int a[], b[];",
              "k.cu:1: error: outside of functions write: extern __shared__ type name[];");
  check_error("extern __shared__ int a;",
              "k.cu:1: error: outside of functions write: extern __shared__ type name[];");
  check_error("__constant__ __shared__ int a;", "k.cu:1: error: a variable lives in one memory space only");
  check_error("__constant__ const int *a, b;",
              "k.cu:1: error: declare constant pointers and values one by one");
  check_error("__host__ int a;", "k.cu:1: error: __host__ does not belong on a variable");
  check_error("__constant__ int f(int);", "k.cu:1: error: __constant__ does not belong to a function");
  check_error("__shared__ int f(int) { return 1; }",
              "k.cu:1: error: __shared__ does not belong to a function");
}

TEST_CASE("constructors that would have to run") {
  const auto warnings_of = [](const std::string& source) {
    std::string warnings;
    cuda_emulator::translator::translate(source, "k.cu", cuda_emulator::translator::compilation::separate,
                                         &warnings);
    return warnings;
  };
  const auto in_kernel = [](const std::string& type) {
    return "__global__ void k() {\n __shared__ " + type + " s; }";
  };
  const std::string warning =
      "k.cu:2: warning: no constructor runs for a __shared__ variable: S() is not called for s";
  for (const char* works :
       {"struct S { __device__ S() { v = 3; } int v; };", "class S { public: S() : v(3) {} int v; };",
        "struct S { S(int x = 3) : v(x) {} int v; };", "struct __align__(8) S { S(); int v; };",
        "namespace n { template <class T> struct S : B<T> { S(int) {} S() noexcept { g(); } }; }",
        "struct S; struct S { ~S(); S(const S&) = default; explicit S() { g(); } };"}) {
    CAPTURE(works);
    CHECK(warnings_of(works + in_kernel("S")) == warning);
    CHECK(warnings_of(works + in_kernel("const n::S<int>")) == warning);
    check_error(
        works + std::string("\n__device__ S v;"),
        "k.cu:2: error: no constructor runs for a variable of the device: S() cannot be called for v");
    check_error(
        works + std::string("\n__device__ void f() { static S v[2]; }"),
        "k.cu:2: error: no constructor runs for a variable of the device: S() cannot be called for v");
    // pointers, what is somebody else's, what begins with something
    for (const char* fine : {"__device__ S* v;", "extern __device__ S v;", "struct t { __device__ S f(); };",
                             "__device__ void f() { S v; }", "void f() { static S v; }"}) {
      CAPTURE(fine);
      CHECK(warnings_of(works + std::string(fine)) == "");
    }
    CHECK(warnings_of(works +
                      std::string("__global__ void k() { extern __shared__ S s[]; __shared__ S* p; }")) ==
          "");
  }
  for (const char* idle :
       {"struct S { __device__ S() {} int v; };", "struct S { S() = default; int v = 3; };",
        "struct S { S(int x) : v(x) {} };", "struct S { constexpr S() : v(3) {} };",
        "struct S { int v; }; struct T { T() { g(); } };",
        "struct S { S(int a, int b = 3) { g(); } S() {} };", "using S = T; struct T { T() { g(); } };",
        "namespace a { struct S { S() { g(); } }; } namespace b { struct S {}; }"}) {
    CAPTURE(idle);
    CHECK(warnings_of(idle + in_kernel("S")) == "");
    CHECK(warnings_of(idle + std::string("__device__ S v; __constant__ S w[3];")) == "");
  }
}

TEST_CASE("errors: words in places that mean nothing") {
  check_error("int a = __device__ 3;", "k.cu:1: error: __device__ is not understood here");
  check_error("void f(__shared__ float* a) { a; }", "k.cu:1: error: __shared__ is not understood here");
  check_error("__device__", "k.cu:1: error: __device__ is not understood here");
  check_error("void f() { __device__ }", "k.cu:1: error: __device__ is not understood here");
  check_error("void f() { g(__constant__); }", "k.cu:1: error: __constant__ is not understood here");
}

TEST_CASE("a kernel file that was cut off anywhere ends in a translation or in an error") {
  const std::string source =
      "# 1 \"a.cu\"\ntemplate <class T> __global__ void __launch_bounds__(256, 2) k(T* x) {\n"
      "  extern __shared__ __attribute__((aligned(16))) T a[]; __shared__ T b[3], c; auto g = [=] { return "
      "b[1]; };\n"
      "  const char* s = \"k<<<1, 2>>>()\" R\"x(a)x\"; /* c */ x[0] = s[0] + g(); }\n"
      "static __constant__ const float v[2][2] = {{1, 2}, {3, 4}};\n"
      "int main() { n::k<A<B<int>>><<<(n + 255) >> 8, f<A<int>>(x)>>>(p->x[3], \"b\"); }\n";
  for (std::size_t begin = 0; begin < source.size(); begin += 7) {
    for (std::size_t end = begin; end <= source.size(); ++end) {
      try {
        cuda_emulator::translator::translate(source.substr(begin, end - begin));
      } catch (const cuda_emulator::translator::source_error&) {
      }
    }
  }
}
