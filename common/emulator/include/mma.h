// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// nvcuda::wmma: products of small matrices, of which each lane of a warp holds a part. Which elements a lane
// holds is not specified by CUDA; here an accumulator of 16 x 16 is held as an H200 holds it, and the others
// in the order of memory.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#ifdef __CUDACC__

#include <type_traits>

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
}  // namespace precision

}  // namespace wmma
}  // namespace nvcuda

namespace cuda_emulator::ptx {

namespace names = ::nvcuda::wmma;

template <class T>
struct stored_as {
  using type = T;
};
template <>
struct stored_as<names::precision::tf32> {
  using type = float;
};

template <class T>
constexpr bool is_factor_of_wmma(int m, int n, int k) {
  if constexpr (std::is_same_v<T, names::precision::tf32>) return m == 16 && n == 16 && k == 8;
  if constexpr (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16> ||
                std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char> || std::is_same_v<T, char>)
    return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  return false;
}
template <class T>
constexpr bool is_sum_of_wmma(int m, int n, int k) {
  if constexpr (std::is_same_v<T, double>) return m == 8 && n == 8 && k == 4;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, __half> || std::is_same_v<T, int>)
    return (k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32))) ||
           (k == 8 && m == 16 && n == 16 && std::is_same_v<T, float>);
  return false;
}

template <class T>
EMULATOR_DEVICE double value_of_element(T x) {
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>)
    return x.emulator_value();
  else
    return static_cast<double>(x);
}

}  // namespace cuda_emulator::ptx

namespace nvcuda {
namespace wmma {

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
  static constexpr bool is_a = std::is_same_v<Use, matrix_a>, is_sum = std::is_same_v<Use, accumulator>;
  static_assert(
      is_sum ? cuda_emulator::ptx::is_sum_of_wmma<T>(m, n, k)
             : cuda_emulator::ptx::is_factor_of_wmma<T>(m, n, k),
      "this wmma::fragment is not emulated: there are 16x16x16, 32x8x16 and 8x32x16 of half, bfloat16 and "
      "8-bit integers, 16x16x8 of tf32, 8x8x4 of double");

 public:
  static constexpr int emulator_rows = is_sum || is_a ? m : k, emulator_columns = is_sum || !is_a ? n : k,
                       emulator_own = emulator_rows * emulator_columns / 32;
  /// On a GPU, fragments of half numbers hold each element several times.
  static constexpr int num_elements = std::is_same_v<T, __half> && !is_sum ? 16 : emulator_own;
  static constexpr int num_storage_elements = num_elements;
  using element_type = T;
  using storage_element_type = typename cuda_emulator::ptx::stored_as<T>::type;
  storage_element_type x[num_elements];

  /// The functions of wmma note what they leave in x: where it is something else later, the program has
  /// written elements itself.
  void emulator_note() { emulator_noted = emulator_content(); }
  bool emulator_is_own() const { return emulator_noted != emulator_content(); }
  std::uint64_t emulator_content() const {
    std::uint64_t content = 1;
    for (int e = 0; e < num_elements; ++e)
      content = (content ^ __builtin_bit_cast(std::uint64_t, cuda_emulator::ptx::value_of_element(x[e]))) *
                0x100000001b3;
    return content;
  }
  std::uint64_t emulator_noted = 0;

  /// Where element e of a lane lies in the matrix.
  static constexpr int emulator_row(int lane, int e) {
    if constexpr (is_sum && m == 16 && n == 16) return lane / 4 + 8 * (e / 2 % 2);
    const int i = lane * emulator_own + e % emulator_own;
    return std::is_same_v<Layout, col_major> ? i % emulator_rows : i / emulator_columns;
  }
  static constexpr int emulator_column(int lane, int e) {
    if constexpr (is_sum && m == 16 && n == 16) return lane % 4 * 2 + e % 2 + 8 * (e / 4);
    const int i = lane * emulator_own + e % emulator_own;
    return std::is_same_v<Layout, col_major> ? i / emulator_rows : i % emulator_columns;
  }
};

template <class Use, int m, int n, int k, class T, class Layout, class Value>
EMULATOR_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const Value& value) {
  for (int e = 0; e < f.num_elements; ++e)
    f.x[e] = static_cast<typename fragment<Use, m, n, k, T, Layout>::storage_element_type>(value);
  f.emulator_note();
}

template <class Use, int m, int n, int k, class T, class Layout, class From>
EMULATOR_DEVICE void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const From* from,
                                      unsigned distance) {
  using stored = typename fragment<Use, m, n, k, T, Layout>::storage_element_type;
  static_assert(sizeof(From) == sizeof(stored), "load_matrix_sync() reads elements of the fragment's type");
  static_assert(!std::is_void_v<Layout>,
                "load_matrix_sync() of an accumulator needs mem_row_major or mem_col_major");
  cuda_emulator::ptx::check_fragment("wmma::load_matrix_sync", from, distance, sizeof(stored));
  const int lane = static_cast<int>(cuda_emulator::lane_index());
  constexpr bool by_columns = std::is_same_v<Layout, col_major>;
  for (int e = 0; e < f.emulator_own; ++e) {
    const int row = f.emulator_row(lane, e), column = f.emulator_column(lane, e);
    const stored value = from[by_columns ? column * distance + row : row * distance + column];
    for (int copy = e; copy < f.num_elements; copy += f.emulator_own) f.x[copy] = value;
  }
  f.emulator_note();
}
template <int m, int n, int k, class T>
EMULATOR_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* from, unsigned distance,
                                      layout_t layout) {
  cuda_emulator::ptx::check_fragment("wmma::load_matrix_sync", from, distance, sizeof(T));
  const int lane = static_cast<int>(cuda_emulator::lane_index());
  for (int e = 0; e < f.num_elements; ++e) {
    const int row = f.emulator_row(lane, e), column = f.emulator_column(lane, e);
    f.x[e] = from[layout == mem_col_major ? column * distance + row : row * distance + column];
  }
}
template <int m, int n, int k, class T>
EMULATOR_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& f, unsigned distance,
                                       layout_t layout) {
  cuda_emulator::ptx::check_fragment("wmma::store_matrix_sync", to, distance, sizeof(T));
  const int lane = static_cast<int>(cuda_emulator::lane_index());
  for (int e = 0; e < f.num_elements; ++e) {
    const int row = f.emulator_row(lane, e), column = f.emulator_column(lane, e);
    to[layout == mem_col_major ? column * distance + row : row * distance + column] = f.x[e];
  }
}

template <int m, int n, int k, class A, class LayoutA, class B, class LayoutB, class D, class C>
EMULATOR_DEVICE void mma_sync(fragment<accumulator, m, n, k, D>& d,
                              const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                              const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                              const fragment<accumulator, m, n, k, C>& c, bool saturates = false) {
  using cuda_emulator::ptx::sum;
  constexpr bool integers = std::is_integral_v<A>, halves = std::is_same_v<A, __half>;
  static_assert(std::is_same_v<A, B>, "mma_sync() multiplies fragments of one type");
  static_assert(
      integers                    ? std::is_same_v<C, int> && std::is_same_v<D, int>
      : std::is_same_v<A, double> ? std::is_same_v<C, double> && std::is_same_v<D, double>
      : halves                    ? !std::is_same_v<C, int> && !std::is_same_v<D, int>
                                  : std::is_same_v<C, float> && std::is_same_v<D, float>,
      "mma_sync(): accumulators are int for integers, float or half for half, float for bfloat16 and tf32, "
      "double for double");
  cuda_emulator::ptx::fragment_product p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.factors_a = a.emulator_own;
  p.factors_b = b.emulator_own;
  p.sums = c.num_elements;
  p.saturates = saturates;
  p.type = std::is_same_v<D, int>      ? sum::s32
           : std::is_same_v<D, double> ? sum::f64
           : std::is_same_v<D, float>  ? sum::f32
                                       : sum::f16;
  const int lane = static_cast<int>(cuda_emulator::lane_index());
  const auto take = [lane](auto& elements, const auto& f, int count, bool is_tf32) {
    for (int e = 0; e < count; ++e) {
      elements[e] = {static_cast<std::uint8_t>(f.emulator_row(lane, e)),
                     static_cast<std::uint8_t>(f.emulator_column(lane, e)),
                     cuda_emulator::ptx::value_of_element(f.x[e])};
      if (is_tf32)  // the last 13 bits of a float are not looked at
        elements[e].value = static_cast<double>(__builtin_bit_cast(
            float, __builtin_bit_cast(unsigned, static_cast<float>(elements[e].value)) & ~0x1fffu));
    }
  };
  constexpr bool is_tf32 = std::is_same_v<A, precision::tf32>;
  p.writes_a = a.emulator_is_own();
  p.writes_b = b.emulator_is_own();
  take(p.a, a, a.emulator_own, is_tf32);
  take(p.b, b, b.emulator_own, is_tf32);
  take(p.c, c, c.num_elements, false);
  cuda_emulator::ptx::multiply_fragments(p);
  for (int e = 0; e < d.num_elements; ++e) {
    if constexpr (std::is_same_v<D, __half>)
      d.x[e] = __half_raw{static_cast<unsigned short>(p.d[e])};
    else if constexpr (sizeof(D) == 8)
      d.x[e] = __builtin_bit_cast(D, p.d[e]);
    else
      d.x[e] = __builtin_bit_cast(D, static_cast<unsigned>(p.d[e]));
  }
  d.emulator_note();
}

/// To nearest, ties away from zero.
EMULATOR_DEVICE float __float_to_tf32(float x) {
  constexpr auto code =
      cuda_emulator::ptx::encode({cuda_emulator::ptx::operation::convert, cuda_emulator::ptx::type::tf32,
                                  cuda_emulator::ptx::type::f32, cuda_emulator::ptx::round::rna});
  return __builtin_bit_cast(
      float, static_cast<unsigned>(cuda_emulator::ptx::calculate(code, __builtin_bit_cast(unsigned, x))));
}

}  // namespace wmma
}  // namespace nvcuda

#endif
