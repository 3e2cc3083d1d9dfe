// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Who may call and use what. All programs here were given to nvcc, too: it refuses or warns of the lines that
// are named, unless the test says otherwise, and takes the others.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "translator_test.hpp"

using namespace translator_test;

namespace {

// As much of the system's headers as the programs need.
const std::string headers =
    "# 1 \"/usr/include/headers.h\" 1 3\n"
    "extern \"C\" { int printf(const char*, ...); int rand(); void exit(int); }\n"
    "namespace std { using ::rand; struct ostream {}; extern ostream cout; "
    "template <class T> struct vector {\n"
    "  int size() const; }; template <class K, class V> struct map {}; template <class T> void swap(T&, "
    "T&);\n"
    "template <class T> struct numeric_limits { static constexpr T max(); static const int digits = 1; };\n"
    "template <class T, int N> struct array { T operator[](int) const; int size() const; T e[N]; };\n"
    "template <class T> constexpr const T& max(const T&, const T&); template <class T> T move(T);\n"
    "template <class T> constexpr T clamp(T, T, T); template <class T> T sqrt(T); }\n"
    "enum cudaError_t { cudaSuccess }; struct dim3 { dim3(int); }; void __syncthreads(); "
    "int atomicAdd(int*, int);\n"
    "cudaError_t cudaMalloc(void**, unsigned long); cudaError_t cudaFree(void*); "
    "cudaError_t cudaGetLastError();\n"
    "const char* cudaGetErrorString(cudaError_t);\n"
    "enum cudaMemcpyKind { cudaMemcpyHostToDevice }; cudaError_t cudaMemcpy(void*, const void*, unsigned "
    "long, int); const dim3 threadIdx(1);\n"
    "template <class T> cudaError_t cudaMemcpyToSymbol(const T&, const void*, unsigned long);\n"
    "template <class T> cudaError_t cudaMemcpyFromSymbol(void*, const T&, unsigned long);\n";

std::string said_of(const std::string& program, const std::string& file = "k.cu") {
  std::string warnings;
  try {
    cuda_emulator::translator::translate(headers + "# 1 \"" + file + "\"\n" + program, file,
                                         cuda_emulator::translator::compilation::whole, &warnings);
  } catch (const cuda_emulator::translator::source_error& error) {
    return error.what();
  }
  return warnings;
}

// `expected` are the lines of what is said, without the file.
void check_said(const std::string& program, const std::vector<std::string>& expected) {
  CAPTURE(program);
  const std::vector<std::string> said = lines_of(said_of(program));
  CHECK(said.size() == expected.size());
  for (std::size_t i = 0; i < std::min(said.size(), expected.size()); ++i)
    CHECK(said[i] == "k.cu:" + expected[i]);
  for (std::size_t i = expected.size(); i < said.size(); ++i) MESSAGE("too much: ", said[i]);
}

void check_silent(const std::string& program) { check_said(program, {}); }

}  // namespace

TEST_CASE("host and device: device code calls functions of the host") {
  check_said(
      R"cu(
int declared(int);
static int defined(int x) { return x + 1; }
namespace n { template <class T> T one(T x) { return x; } }
struct point { static int of() { return 1; } int get() const { return 1; } };
__global__ void k(int* p) {
  p[0] = declared(1);
  p[1] = defined(2);
  p[2] = n::one(3) + n::one<int>(4);
  p[3] = point::of();
  point a;
  p[4] = a.get();
  auto f = [](int x) { return defined(x); };
  if (false) ::declared(3);
}
__device__ int f(int x) { return declared(x); }
)cu",
      {"7: error: kernel k calls declared(), a function of the host: declare it __device__, or __host__ "
       "__device__",
       "8: error: kernel k calls defined(), a function of the host: declare it __device__, or __host__ "
       "__device__",
       "9: error: kernel k calls one(), a function of the host: declare it __device__, "
       "or __host__ __device__",
       "10: error: kernel k calls of(), a function of the host: declare it __device__, "
       "or __host__ __device__",
       "12: error: kernel k calls get(), a function of the host: declare it __device__, or __host__ "
       "__device__",
       "16: error: f() calls declared(), a function of the host: declare it __device__, or __host__ "
       "__device__"});
  // A function of both sides that calls one of the host is a warning, as from nvcc.
  check_said(
      R"cu(
int host(int x) { return x; }
__host__ __device__ int both(int x) { return host(x); }
template <class T> __host__ __device__ T both_template(T x) { return host(x); }
inline __host__ __device__ int for_the_host(int x) { return host(x); }
template <class F> __global__ void apply(int* p, F f) { p[0] = f(p[1]); }
int main() {
  apply<<<1, 1>>>((int*)nullptr, [] __device__ (int x) { return host(x); });
  return both_template(3) + for_the_host(3);
}
)cu",
      {"3: warning: both() calls host(), a function of the host, which a GPU does not have",
       "4: warning: both_template() calls host(), a function of the host, which a GPU does not have",
       "5: warning: for_the_host() calls host(), a function of the host, which a GPU does not have",
       "8: error: a __device__ lambda in main() calls host(), a function of the host: declare it __device__, "
       "or __host__ __device__"});
}

TEST_CASE("host and device: constexpr functions are of the host, also where their value is a constant") {
  const std::string program = R"cu(
constexpr int own(int x) { return x + 1; }
template <class T> constexpr T own_template(T x) { return x; }
struct point { constexpr int get() const { return 1; } };
constexpr std::array<int, 4> table = {1, 2, 3, 4};
__global__ void k(int* p) {
  p[0] = std::clamp(p[1], 0, 9) + ::std::max<int>(p[1], 3);
  int top = std::numeric_limits<int>::max(), constant[std::max(3, 4)];
  constexpr int c = own(3);
  p[1] = own_template(p[2]);
  point a;
  p[2] = a.get();
  std::array<int, 4> v;
  p[3] = v[0] + v.size() + table[p[1]];
  static_assert(own(4) == 5);
}
__device__ int f(int x) { return std::max(x, 3); }
template <class T> __device__ T g(T x) { return std::numeric_limits<T>::max(); }
__global__ void k2(int* p) { p[0] = g(3); }
)cu";
  const std::string or_relaxed = ", or compile with --expt-relaxed-constexpr",
                    own =
                        ", a constexpr function of the host: declare it __device__, or __host__ __device__" +
                        or_relaxed,
                    of_std = ", a constexpr function of the host: ",
                    outside =
                        of_std + "put its value into a constexpr variable outside of functions" + or_relaxed,
                    max = "std::max()" + of_std + "max() without std:: is CUDA's own" + or_relaxed,
                    array = " of std::array" + of_std + "use a plain array" + or_relaxed;
  check_said(program,
             {"7: error: kernel k calls std::clamp()" + of_std + "use CUDA's min() and max()" + or_relaxed,
              "7: error: kernel k calls " + max,
              "8: error: kernel k calls std::numeric_limits<int>::max()" + outside,
              "9: error: kernel k calls own()" + own, "10: error: kernel k calls own_template()" + own,
              "12: error: kernel k calls get()" + own, "14: error: kernel k calls operator[]" + array,
              "14: error: kernel k calls size()" + array, "17: error: f() calls " + max,
              "18: error: g() calls std::numeric_limits<T>::max()" + outside});
  check_said("__host__ __device__ int both(int x) { return std::max(x, 3); }\n",
             {"1: warning: both() calls " + max});
  std::string warnings;
  using namespace cuda_emulator::translator;
  CHECK_NOTHROW(translate(headers + "# 1 \"k.cu\"\n" + program, "k.cu", compilation::whole, &warnings, true,
                          false, nullptr, false, true));
  CHECK(warnings.empty());
  // What nvcc takes.
  check_silent(R"cu(
constexpr int own(int x) { return x + 1; }
consteval int at_once(int x) { return x + 1; }
constexpr int outside = std::max(3, own(4));
template <class T> constexpr T top = std::numeric_limits<T>::max();
namespace mine { template <class T> __device__ T max(T a, T b) { return a < b ? b : a; } }
namespace cuda { namespace std { template <class T> __device__ T max(T a, T b) { return a < b ? b : a; } } }
__global__ void k(int* p) {
  p[0] = outside + top<int> + sizeof(std::max(3, 4)) + std::numeric_limits<int>::digits + at_once(3);
  p[1] = std::move(p[2]) + std::sqrt(p[3]) + mine::max(p[0], 3) + cuda::std::max(p[0], 3);
  constexpr auto local = [](int x) { return x + 1; };
  std::array<int, 4> a, rows[2];
  for (int e : a) p[2] += e;
  auto [b, c, d, e] = rows[1];
  if (p[0]) { std::array<int, 4> twice; } else { int twice[4]; twice[0] = p[0]; }
  p[3] = local(3);
}
static __device__ int unused(int x) { return std::max(x, own(3)); }
template <class T> __device__ T never(T x) { return std::max(x, own(3)); }
__device__ int by_default(int x = std::max(3, 4)) { return x; }
__device__ int size[own(3)];
#pragma nv_exec_check_disable
__host__ __device__ int unchecked(int x) { return std::max(x, own(3)); }
int host(int x) { return std::max(x, own(3)) + std::numeric_limits<int>::max(); }
)cu");
}

TEST_CASE("host and device: what device code calls and may call") {
  check_silent(R"cu(
int host(int x) { return x; }
int both(int x);
__host__ __device__ int both(int x);
int over(int x) { return x; }
__device__ int over(float x) { return 1; }
struct functor { __host__ __device__ int host(int x) const { return x; }
  __device__ int use() { return host(3); }
  __device__ int operator()(int x) const { return x; } };
int redeclared(int x);
__device__ int redeclared(int x) { return host(x); }
struct outside { __device__ int f(); int g(); };
__device__ int outside::f() { return 1; }
int outside::g() { return host(1); }
template <class F> __global__ void apply(int* p, F f) { p[0] = f(p[1]); }
__global__ void k(int* p, int (*host)(int)) { p[0] = host(1); }
__global__ void k2(int* p) {
  auto host = [](int x) { return x; };
  p[0] = host(1) + over(1.0f) + sizeof(host(2)) + functor()(3);
  constexpr int four = 4;
  p[1] = four;
}
__global__ void k3(int* p) { struct local { __device__ int host() { return 3; } }; local a; p[0] = a.host(); }
static __device__ int unused(int x) { return host(x); }
template <class T> __device__ T never(T x) { return host(x); }
template <class T> __global__ void never_launched(T* x) { never(x); }
#pragma nv_exec_check_disable
__host__ __device__ int unchecked(int x) { return host(x); }
template <class T> __host__ __device__ T both_template(T x) { return host(x); }
inline __host__ __device__ int never_used(int x) { return host(x); }
static int unused_host() { return never_used(3); }
int main() {
  auto f = [](int x) { return host(x); };
  apply<<<1, 1>>>((int*)nullptr, functor());
  return f(3);
}
)cu");
}

TEST_CASE("host and device: host code calls functions of the device, and kernels") {
  check_said(
      R"cu(
__device__ int device(int x) { return x; }
struct s { __device__ int get() { return 1; } static __device__ int of() { return 2; } void go(); };
void s::go() { device(3); }
__global__ void k(int* p) { p[0] = device(1); }
template <class T> __global__ void k2(T* p) {}
__host__ __device__ int both(int x) { return device(x); }
static int unused() { return device(1); }
int main() {
  int x = device(1);
  auto f = [] { return device(1); };
  s a;
  x = a.get() + s::of();
  k(&x);
  k2<int>(&x);
  __syncthreads();
  atomicAdd(&x, 1);
}
)cu",
      {"4: error: go() calls device(), a function of the device: call it in a kernel, or declare it __host__ "
       "__device__",
       "7: error: both() calls device(), a function of the device: call it in a kernel, or declare it "
       "__host__ __device__",
       "8: error: unused() calls device(), a function of the device: call it in a kernel, or declare it "
       "__host__ __device__",
       "10: error: main() calls device(), a function of the device: call it in a kernel, or declare it "
       "__host__ __device__",
       "13: error: main() calls get(), a function of the device: call it in a kernel, or declare it __host__ "
       "__device__",
       "13: error: main() calls of(), a function of the device: call it in a kernel, or declare it __host__ "
       "__device__",
       "14: error: k() is a kernel: launch it with k<<<blocks, threads>>>(...)",
       "15: error: k2() is a kernel: launch it with k2<<<blocks, threads>>>(...)",
       "16: error: main() calls __syncthreads(), which is for device code",
       "17: error: main() calls atomicAdd(), which is for device code"});
  // A launch with two brackets, or three on one side only.
  const std::string brackets = "error: a launch has three brackets on each side: ";
  check_said(
      R"cu(
__global__ void k(int* p, int n) { p[0] = n; }
namespace n { template <class T> __global__ void t(T* p) { p[0] = 1; } }
template <class T> void go(T* p) { n::t<T><<1, 32>>(p); }
int main() {
  int* p = nullptr;
  k<<(99 + 31) / 32, 32>>(p, 3);
  k<<1, 32>>
    (p, 3);
}
void second(int* p) { k << 1, 32 >>>(p, 3); }
)cu",
      {"4: " + brackets + "t<<<blocks, threads>>>(...)", "7: " + brackets + "k<<<blocks, threads>>>(...)",
       "11: " + brackets + "k<<<blocks, threads>>>(...)"});
  check_silent(R"cu(
__global__ void k(int* p) { p[0] = 1; }
__global__ void width(int* p) { p[0] = 2; }
enum class size { width = 3 };
struct image { int height; int row() { return k << 1 >> (height); } int k; };
int shifted(int k, int n) { return k << 3 >> (n); }
int member(image i) { return i.k << 1 >> (2); }
int local(int n) { const int k = 5; auto f = [&] { return k << 1 >> (n); }; return f(); }
int enumerator(int n) { return int(size::width) << 1 >> (n); }
template <class Out> void print(Out& out) { out << k << 3; }
)cu");
  check_silent(R"cu(
typedef int (*pointer)(int);
__device__ int device(int x) { return x; }
__device__ pointer table[2] = {device, device};
struct functor { __device__ int operator()(int x) const { return device(x); } };
__global__ void k(int* p) { p[0] = table[0](device(1)); }
template <class K> void launch(K kernel, int* p) { kernel<<<1, 1>>>(p); }
int use(int (*device)(int)) { return device(3); }
struct owner { int device(int x) { return x; } int use() { return device(3); } };
int main() {
  int* p = nullptr;
  launch(k, p);
  auto f = [] __device__ (int x) { return device(x); };
  auto kernel = k;
  kernel<<<1, 1>>>(p);
  (*kernel)<<<1, 1>>>(p);
  return sizeof(device(1));
}
)cu");
}

TEST_CASE("host and device: device code calls the runtime, the C library, a launch") {
  // With -rdc=true nvcc takes some of the runtime, and the launch.
  check_said(
      R"cu(
__global__ void child(int* p) { p[0] = 1; }
__global__ void k(int* p) {
  cudaMalloc((void**)&p, 4);
  cudaFree(p);
  child<<<1, 1>>>(p);
  p[0] = rand() + std::rand();
  exit(3);
}
__device__ void f(int* p) { cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice); }
)cu",
      {"4: error: kernel k calls cudaMalloc(): only the host can call the runtime, on the emulated device",
       "5: error: kernel k calls cudaFree(): only the host can call the runtime, on the emulated device",
       "6: error: kernel k launches a kernel: this needs the option -rdc=true, as with nvcc",
       "7: error: kernel k calls rand(), which a GPU does not have",
       "8: error: kernel k calls exit(), which a GPU does not have",
       "10: error: f() calls cudaMemcpy(): only the host can call the runtime, on the emulated device"});
  check_silent(R"cu(
__device__ int rand(int& seed) { return seed = 5 * seed + 1; }
struct source { __device__ int exit() { return 1; } };
__global__ void k(int* p) { p[0] = rand(p[1]); source s; s.exit(); printf("%d", p[0]); cudaGetLastError(); }
__host__ __device__ void both(int* p) {
  cudaFree(p);
  k<<<1, 1>>>(p);
}
)cu");
}

TEST_CASE("host and device: device code uses what only the host has") {
  check_said(
      R"cu(
int limit = 3;
static float table[4];
const int constants[3] = {1, 2, 3};
extern int elsewhere;
struct pair { int a; } both;
namespace n { int inside; }
using namespace std;
__global__ void k(int* p) {
  p[0] = limit + elsewhere;
  p[1] = table[1];
  for (int i = 0; i < 3; ++i) p[i] = constants[i];
  p[2] = constants[threadIdx.x];
  p[3] = n::inside;
  limit = 3;
  std::cout << 3;
}
__device__ void thrower() { throw 3; }
__host__ __device__ void catcher() { try { limit = 4; } catch (...) { } }
__global__ void k2(int* p) { std::map<int, int> m; }
__global__ void k3(int* p) { cout << 3; }
inline __host__ __device__ int used() { return limit; }
int main() { return used(); }
)cu",
      {"10: error: kernel k uses limit, a variable of the host: pass it to the kernel, or declare it "
       "__device__",
       "10: error: kernel k uses elsewhere, a variable of the host: pass it to the kernel, or declare it "
       "__device__",
       "11: error: kernel k uses table, a variable of the host: pass it to the kernel, or declare it "
       "__device__",
       "12: error: kernel k uses constants, a variable of the host: declare it __constant__ or __device__",
       "14: error: kernel k uses inside, a variable of the host: pass it to the kernel, or declare it "
       "__device__",
       "16: error: kernel k uses cout, which is the host's: use printf()",
       "18: error: thrower() uses exceptions, which device code does not have",
       "19: error: catcher() uses exceptions, which device code does not have",
       "19: error: catcher() uses limit, a variable of the host: pass it to the kernel, or declare it "
       "__device__",
       "20: error: kernel k2 uses std::map, which is the host's",
       "21: error: kernel k3 uses cout, which is the host's: use printf()",
       "22: error: used() uses limit, a variable of the host: pass it to the kernel, "
       "or declare it __device__"});
  check_silent(R"cu(
int limit = 3, count, width, x, y;
const int size = 3;
constexpr float pi = 3.14f;
constexpr int small[2] = {1, 2};
const float scale = 2;
__device__ int cout = 3;
struct image { int width; __device__ int area() const { return width * width; } };
template <int limit> __global__ void of_template(int* p) { p[0] = limit; }
__global__ void k(int* p, int limit, image i, const std::vector<int>* v) {
  int count = limit, *width = p;
  p[0] = count + i.width + width[0] + size + sizeof(x);
  p[1] = pi * scale;
  constexpr int one = small[0];
  int buffer[small[1]];
  auto f = [=](int x) { return x; };
  for (int y = 0; y < 3; ++y) p[y] = f(y) + one + buffer[0];
  decltype(x) z = cout << 3;
  const float* y = nullptr;
}
template <class T> __device__ T never(T x) { return x + limit; }
int main() { limit = 4; throw limit; }
)cu");
}

TEST_CASE("host and device: host code reads and writes variables of the device") {
  const auto reads = [](const std::string& name, const std::string& word = "__device__") {
    return "reads " + name + ", a " + word +
           " variable: on a GPU the host has another one, which kernels do not change; "
           "use cudaMemcpyFromSymbol()";
  };
  const auto writes = [](const std::string& name, const std::string& word = "__device__") {
    return "writes " + name + ", a " + word +
           " variable: on a GPU the host has another one, which kernels do not see; use cudaMemcpyToSymbol()";
  };
  check_said(
      R"cu(
__constant__ float taps[4];
__constant__ const float table[2][2] = {{1, 2}, {3, 4}};
__device__ int counter;
__device__ int* pointer;
struct pair { int a; }; __device__ pair object;
namespace n { __device__ int nested; }
void f1() { taps[0] = 1; taps[1] = 2; }
float f2() { return taps[1]; }
void f3() { counter = 3; int b = counter; }
void f4(int a) { a = table[1][a]; }
int f5() { return *pointer + pointer[1]; }
int f6() { return n::nested; }
void f7(int& a) { a = (counter); }
void f8(int a) { if (counter) a = 3; }
void f9(int a) { for (int i = 0; i < counter; ++i) a += counter; }
void f10() { printf("%d", counter); }
void f11() { ++counter; }
void f12() { *taps = 3; }
void f13() { object.a = 3; }
auto f14 = [] { return 3; };
void f15() { auto f = [] { return counter; }; }
__host__ __device__ int f16() { return counter; }
void f17(int* p) { p[counter] = (int)taps[1]; }
__global__ void k(int, float*) {}
void f18() { k<<<counter, 1>>>(counter, nullptr); }
)cu",
      {"8: warning: f1() " + writes("taps", "__constant__"),
       "9: warning: f2() " + reads("taps", "__constant__"), "10: warning: f3() " + writes("counter"),
       "10: warning: f3() " + reads("counter"), "11: warning: f4() " + reads("table", "__constant__"),
       "12: warning: f5() " + reads("pointer"), "13: warning: f6() " + reads("nested"),
       "14: warning: f7() " + reads("counter"), "15: warning: f8() " + reads("counter"),
       "16: warning: f9() " + reads("counter"), "17: warning: f10() " + reads("counter"),
       "18: warning: f11() " + writes("counter"), "19: warning: f12() " + writes("taps", "__constant__"),
       "20: warning: f13() " + writes("object"), "22: warning: f15() " + reads("counter"),
       "23: warning: f16() " + reads("counter"), "24: warning: f17() " + reads("counter"),
       "24: warning: f17() " + reads("taps", "__constant__"), "26: warning: f18() " + reads("counter")});
  check_silent(R"cu(
__constant__ float taps[4];
__device__ int counter, x, y;
__device__ const int number = 3;
__constant__ const float factor = 3;
__device__ constexpr float pi = 3;
__managed__ int managed;
__device__ int* pointer;
__device__ struct state { int a; __host__ __device__ int get() { return a; } } object;
template <class T> void set(T& symbol) { cudaMemcpyToSymbol(symbol, nullptr, 4); }
void by_reference(int&);
struct owner { int counter; int f() { return counter; } };
struct derived : owner { int g() { return counter; } };
int parameter(int counter, const float* taps) { return counter + taps[1]; }
int local(float* z) { int counter = 3; float taps[2] = {1, 2}; return counter + taps[1]; }
int lambda() { auto f = [](int counter, float x) { return counter * x; }; return f(1, 2); }
__device__ int& reference() { return counter; }
int& hosts() { return counter; }
__global__ void k(int* p, int a) { counter = p[0]; p[1] = counter + taps[1] + a; }
int main() {
  float a[4];
  cudaMemcpyToSymbol(taps, a, sizeof(taps) + sizeof taps[0] + sizeof counter);
  cudaMemcpyFromSymbol(a, counter, 4);
  decltype(counter) z = number + factor + pi;
  managed = 3;
  z = managed + object.get();
  set(counter);
  by_reference(counter);
  int* address = &counter;
  int& same = counter;
  auto& array = taps;
  const float* begin = taps;
  for (float t : taps) {}
  cudaMalloc((void**)&pointer, 4);
  (void)counter;
  k<<<1, 1>>>(address, number);
  auto f = [=] __device__ () { return counter; };
  state other;
  return other.a + z;
}
)cu");
  // Here nvcc says nothing, and a GPU returns an error or runs into one.
  const std::string passes =
      ", a __device__ variable: on a GPU it is that of another one, which the host has; use "
      "cudaGetSymbolAddress()";
  check_said(R"cu(
__device__ int table[4], one;
__global__ void k(int* p, const int* q) {}
void f() { k<<<1, 1>>>(table, nullptr); }
void g() { cudaMemcpy(&one, nullptr, 4, cudaMemcpyHostToDevice); }
)cu",
             {"4: warning: f() passes the address of table" + passes,
              "5: warning: g() passes the address of one" + passes});
  check_silent("#pragma nv_diag_suppress 20091\n__device__ int a;\nint main() { return a; }\n");
}

TEST_CASE("host and device: headers of the system are not accused, and what is ambiguous is left alone") {
  check_silent(
      "# 7 \"h.h\" 1 3\nint host();\n__device__ int f() { return host(); }\n__device__ int a;\n"
      "int g() { return a; }\n# 2 \"k.cu\" 2\n");
  // A class of the system may have a member of that name.
  check_silent(
      "# 7 \"h.h\" 1 3\nstruct group { int size() const; };\n# 1 \"k.cu\" 2\n"
      "struct image { int size() const { return 3; } };\n"
      "__global__ void k(int* p, group g) { p[0] = g.size(); }\n");
  // Nor is it known what a class of the system hands down.
  check_silent(
      "# 7 \"h.h\" 1 3\nstruct base { int limit; int host(); };\n# 1 \"k.cu\" 2\n"
      "int limit;\nint host();\n"
      "struct derived : base { __device__ int f() { return limit; } __device__ int g() { return host(); } "
      "};\n__global__ void k(int* p, derived d) { p[0] = d.f() + d.g(); }\n");
  check_silent(R"cu(
namespace a { int data; int get() { return 1; } }
namespace b { __device__ int data; __device__ int get() { return 1; } }
using namespace b;
__global__ void k(int* p) { p[0] = data + get(); }
int main() { return a::data + a::get(); }
)cu");
  check_silent(R"cu(
int host() { return 1; }
int limit = 3;
struct base { __device__ int host() { return 1; } int limit; };
struct derived : base { __device__ int f() { return host() + limit; } };
__global__ void k(int* p, derived d) {
  p[0] = d.f();
  goto limit;
limit:
  enum local : int { zero, host };
  auto [a, b] = float2{1, 2};
}
)cu");
}

TEST_CASE("host and device: what a macro or an #if made may be something else for the device") {
  const std::filesystem::path folder = SCRATCH "/host_device";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "k.cu").string();
  const std::string before = "#ifndef GUARD\n#define GUARD\nint host();\n";
  const auto said = [&](const std::string& written, const std::string& seen) {
    std::ofstream(file, std::ios::binary) << before << written << "#endif\n";
    return said_of("\n\nint host();\n" + seen, file);
  };
  const std::string plain = "__global__ void k() {\n  host();\n}\n";
  const std::string error =
      file +
      ":5: error: kernel k calls host(), a function of the host: declare it __device__, "
      "or __host__ __device__";
  CHECK(said(plain, plain) == error);
  CHECK(said("__global__ void k() {\n  LOG();\n}\n", plain) == "");
  CHECK(said("#ifdef DEVICE\n#else\n__global__ void k() {\n  host();\n}\n#endif\n", "\n\n" + plain + "\n") ==
        "");
  CHECK(said("__global__ void k() {\n#ifdef __CUDA_ARCH__\n#else\n  host();\n#endif\n}\n",
             "__global__ void k() {\n\n\n  host();\n\n}\n") == "");
  // The same of what is called: it may be declared in another way.
  const std::string call = "__global__ void k() {\n  other();\n}\n";
  CHECK(said("int other();\n" + call, "int other();\n" + call)
            .ends_with("k calls other(), a function of the host: "
                       "declare it __device__, or __host__ __device__"));
  CHECK(said("FN int other();\n" + call, "int other();\n" + call) == "");
  CHECK(said("int FN other();\n" + call, "int other();\n" + call) == "");
  CHECK(said("#ifndef __CUDA_ARCH__\nint other();\n#endif\n" + call, "\nint other();\n\n" + call) == "");
  const std::string use = "__global__ void k(int* p) {\n  p[0] = limit;\n}\n";
  CHECK(said("int limit;\n" + use, "int limit;\n" + use) ==
        file +
            ":6: error: kernel k uses limit, a variable of the host: pass it to the kernel, or declare it "
            "__device__");
  CHECK(said("TABLE int limit;\n" + use, "int limit;\n" + use) == "");
  CHECK(said("#ifdef __CUDACC__\n__global__ void k() {\n  host();\n}\n#endif\n", "\n" + plain + "\n") ==
        file + ":6" + error.substr(file.size() + 2));
}
