// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// CUB's functions for whole devices. Each is a kernel of one thread in the stream that is given: its
// accesses are checked like those of every kernel, those to the temporary storage among them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "emulator/cub/cub_block.hpp"

namespace cub {

template <class Key, class Value>
struct KeyValuePair {
  using key_type = Key;
  using value_type = Value;
  Key key;
  Value value;
  KeyValuePair() = default;
  constexpr KeyValuePair(const Key& key, const Value& value) : key(key), value(value) {}
};

/// The pair of the largest value, and of those the first.
struct ArgMax {
  template <class Key, class Value>
  KeyValuePair<Key, Value> operator()(const KeyValuePair<Key, Value>& a,
                                      const KeyValuePair<Key, Value>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Key, class Value>
  KeyValuePair<Key, Value> operator()(const KeyValuePair<Key, Value>& a,
                                      const KeyValuePair<Key, Value>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

template <class T, class Offset = std::ptrdiff_t>
struct CountingInputIterator {
  using value_type = T;
  using difference_type = Offset;
  using pointer = T*;
  using reference = T;
  using iterator_category = std::random_access_iterator_tag;
  T first;
  explicit CountingInputIterator(T value) : first(value) {}
  template <class Index>
  T operator[](Index i) const {
    return static_cast<T>(first + static_cast<T>(i));
  }
  T operator*() const { return first; }
  CountingInputIterator operator+(Offset n) const { return CountingInputIterator(static_cast<T>(first + n)); }
};
template <class T, class Offset = std::ptrdiff_t>
struct ConstantInputIterator {
  using value_type = T;
  using difference_type = Offset;
  using pointer = T*;
  using reference = T;
  using iterator_category = std::random_access_iterator_tag;
  T value;
  explicit ConstantInputIterator(T v) : value(v) {}
  template <class Index>
  T operator[](Index) const {
    return value;
  }
  T operator*() const { return value; }
  ConstantInputIterator operator+(Offset) const { return *this; }
};
template <class T, class Function, class From, class Offset = std::ptrdiff_t>
struct TransformInputIterator {
  using value_type = T;
  using difference_type = Offset;
  using pointer = T*;
  using reference = T;
  using iterator_category = std::random_access_iterator_tag;
  From from;
  Function function;
  TransformInputIterator(From f, Function op) : from(f), function(op) {}
  template <class Index>
  T operator[](Index i) const {
    return function(from[i]);
  }
  T operator*() const { return function(*from); }
  TransformInputIterator operator+(Offset n) const { return {from + n, function}; }
};

namespace detail {

template <class Iterator>
using value_of = std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>;

template <class Work>
__global__ void cub_device_kernel(Work work) {
  work();
}

/// Where a function was called: what std::source_location is for, which clang cannot compile before
/// version 15.
struct call_place {
  const char* file;
  int number;

  static call_place current(const char* file = __builtin_FILE(), int number = __builtin_LINE()) {
    return {file, number};
  }
  const char* file_name() const { return file; }
  int line() const { return number; }
};

/// The first call says how much temporary storage there must be, the second works; in it, all of the storage
/// is used.
template <class Work>
cudaError_t in_two_phases(void* temp, std::size_t& bytes, std::size_t needed, cudaStream_t stream,
                          detail::call_place where, Work work) {
  if (temp == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) return cudaErrorInvalidValue;
  const auto all = [=] {
    static_cast<char*>(temp)[0] = 0;
    static_cast<char*>(temp)[needed - 1] = 0;
    work();
  };
  // The launch is the program's: findings in it have no other line.
  ::cuda_emulator::launch(
      "cub_device_kernel", where.file_name(), where.line(), ::cuda_emulator::configuration(1, 1, 0, stream),
      [=](const auto&... arguments) { cub_device_kernel<decltype(all)>(arguments...); },
      [=](auto probe) -> decltype(probe(cub_device_kernel<decltype(all)>)) {
        return probe(cub_device_kernel<decltype(all)>);
      })(all);
  return cudaPeekAtLastError();
}

inline std::size_t some_bytes(std::size_t n) { return n / 256 * 4 + 256; }

/// The bits by which numbers are sorted: a greater one has greater bits.
template <class Key>
auto sorted_bits(Key key) {
  using bits = std::conditional_t<
      sizeof(Key) == 1, std::uint8_t,
      std::conditional_t<sizeof(Key) == 2, std::uint16_t,
                         std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>>>;
  bits b;
  __builtin_memcpy(&b, &key, sizeof b);
  constexpr bits sign = static_cast<bits>(bits(1) << (8 * sizeof(bits) - 1));
  if constexpr (std::is_integral_v<Key>) {
    if constexpr (std::is_signed_v<Key>) b ^= sign;
  } else {
    if (b == sign) b = 0;  // -0 and 0 are equal
    b = static_cast<bits>((b & sign) != 0 ? ~b : b | sign);
  }
  return b;
}

/// Sorts by digits of eight bits, and leaves the result in `to`. Values may be null.
template <class Key, class Value>
void sort_digits(const Key* from, Key* to, Key* other, const Value* values_from, Value* values_to,
                 Value* values_other, long long n, int begin_bit, int end_bit, bool descending) {
  const int passes = (end_bit - begin_bit + 7) / 8;
  for (long long i = 0; passes == 0 && i < n; ++i) {
    to[i] = from[i];
    if (values_from != nullptr) values_to[i] = values_from[i];
  }
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = begin_bit + 8 * pass, width = end_bit - shift < 8 ? end_bit - shift : 8;
    const bool ends_in_to = (passes - pass) % 2 != 0;
    Key* const out = ends_in_to ? to : other;
    Value* const values_out = ends_in_to ? values_to : values_other;
    const auto digit = [=](Key key) {
      const unsigned d = static_cast<unsigned>(sorted_bits(key) >> shift) & ((1u << width) - 1);
      return descending ? (1u << width) - 1 - d : d;
    };
    long long begins[257] = {};
    for (long long i = 0; i < n; ++i) ++begins[digit(from[i]) + 1];
    for (int d = 0; d < 256; ++d) begins[d + 1] += begins[d];
    for (long long i = 0; i < n; ++i) {
      const Key key = from[i];
      const long long at = begins[digit(key)]++;
      out[at] = key;
      if (values_from != nullptr) values_out[at] = values_from[i];
    }
    from = out;
    if (values_from != nullptr) values_from = values_out;
  }
}

/// What CUB adds up in: what the operation returns, so an int for bool and char.
template <class Op, class In, class First = value_of<In>>
using sum_of = std::decay_t<std::invoke_result_t<const Op&, First, value_of<In>>>;
/// The first summand of a sum has the type of the output.
template <class In, class Out>
using first_of = std::conditional_t<std::is_void_v<value_of<Out>>, value_of<In>, value_of<Out>>;

}  // namespace detail

struct DeviceReduce {
  template <class In, class Out, class Op, class T, class Number>
  static cudaError_t Reduce(void* temp, std::size_t& bytes, In in, Out out, Number n, Op op, T first,
                            cudaStream_t stream = nullptr,
                            detail::call_place where = detail::call_place::current()) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      detail::sum_of<Op, In, T> result = first;
      for (Number i = 0; i < n; ++i) result = op(result, in[i]);
      *out = result;
    });
  }
  template <class In, class Out, class Number>
  static cudaError_t Sum(void* temp, std::size_t& bytes, In in, Out out, Number n,
                         cudaStream_t stream = nullptr,
                         detail::call_place where = detail::call_place::current()) {
    return Reduce(temp, bytes, in, out, n, ::cub::Sum(), detail::first_of<In, Out>(), stream, where);
  }
  template <class In, class Out, class Number>
  static cudaError_t Max(void* temp, std::size_t& bytes, In in, Out out, Number n,
                         cudaStream_t stream = nullptr,
                         detail::call_place where = detail::call_place::current()) {
    return best(temp, bytes, in, out, n, stream, where, [](const auto& a, const auto& b) { return b < a; });
  }
  template <class In, class Out, class Number>
  static cudaError_t Min(void* temp, std::size_t& bytes, In in, Out out, Number n,
                         cudaStream_t stream = nullptr,
                         detail::call_place where = detail::call_place::current()) {
    return best(temp, bytes, in, out, n, stream, where, [](const auto& a, const auto& b) { return a < b; });
  }
  template <class In, class Out, class Number>
  static cudaError_t ArgMax(void* temp, std::size_t& bytes, In in, Out out, Number n,
                            cudaStream_t stream = nullptr,
                            detail::call_place where = detail::call_place::current()) {
    return best_place(temp, bytes, in, out, n, stream, where,
                      [](const auto& a, const auto& b) { return b < a; });
  }
  template <class In, class Out, class Number>
  static cudaError_t ArgMin(void* temp, std::size_t& bytes, In in, Out out, Number n,
                            cudaStream_t stream = nullptr,
                            detail::call_place where = detail::call_place::current()) {
    return best_place(temp, bytes, in, out, n, stream, where,
                      [](const auto& a, const auto& b) { return a < b; });
  }

 private:
  template <class In, class Out, class Number, class Better>
  static cudaError_t best(void* temp, std::size_t& bytes, In in, Out out, Number n, cudaStream_t stream,
                          detail::call_place where, Better better) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      if (n <= 0) return;
      detail::value_of<In> result = in[0];
      for (Number i = 1; i < n; ++i) {
        const detail::value_of<In> each = in[i];
        if (better(each, result)) result = each;
      }
      *out = result;
    });
  }
  template <class In, class Out, class Number, class Better>
  static cudaError_t best_place(void* temp, std::size_t& bytes, In in, Out out, Number n, cudaStream_t stream,
                                detail::call_place where, Better better) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      if (n <= 0) return;
      KeyValuePair<int, detail::value_of<In>> result{0, in[0]};
      for (Number i = 1; i < n; ++i) {
        const detail::value_of<In> each = in[i];
        if (better(each, result.value)) result = {static_cast<int>(i), each};
      }
      *out = result;
    });
  }
};

struct DeviceScan {
  template <class In, class Out, class Op, class T, class Number>
  static cudaError_t ExclusiveScan(void* temp, std::size_t& bytes, In in, Out out, Op op, T first, Number n,
                                   cudaStream_t stream = nullptr,
                                   detail::call_place where = detail::call_place::current()) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      detail::sum_of<Op, In, T> sum = first;
      for (Number i = 0; i < n; ++i) {
        const detail::value_of<In> each = in[i];  // `out` may be `in`
        out[i] = sum;
        sum = op(sum, each);
      }
    });
  }
  template <class In, class Out, class Op, class Number>
  static cudaError_t InclusiveScan(void* temp, std::size_t& bytes, In in, Out out, Op op, Number n,
                                   cudaStream_t stream = nullptr,
                                   detail::call_place where = detail::call_place::current()) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      if (n <= 0) return;
      detail::sum_of<Op, In> sum = in[0];
      out[0] = sum;
      for (Number i = 1; i < n; ++i) {
        sum = op(sum, in[i]);
        out[i] = sum;
      }
    });
  }
  template <class In, class Out, class Number>
  static cudaError_t ExclusiveSum(void* temp, std::size_t& bytes, In in, Out out, Number n,
                                  cudaStream_t stream = nullptr,
                                  detail::call_place where = detail::call_place::current()) {
    return ExclusiveScan(temp, bytes, in, out, ::cub::Sum(), detail::value_of<In>(), n, stream, where);
  }
  template <class In, class Out, class Number>
  static cudaError_t InclusiveSum(void* temp, std::size_t& bytes, In in, Out out, Number n,
                                  cudaStream_t stream = nullptr,
                                  detail::call_place where = detail::call_place::current()) {
    return InclusiveScan(temp, bytes, in, out, ::cub::Sum(), n, stream, where);
  }
};

struct DeviceRadixSort {
  template <class Key, class Number>
  static cudaError_t SortKeys(void* temp, std::size_t& bytes, const Key* in, Key* out, Number n,
                              int begin_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr,
                              detail::call_place where = detail::call_place::current()) {
    return sort<Key, char>(temp, bytes, in, out, nullptr, nullptr, n, begin_bit, end_bit, stream, where,
                           false);
  }
  template <class Key, class Number>
  static cudaError_t SortKeysDescending(void* temp, std::size_t& bytes, const Key* in, Key* out, Number n,
                                        int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                        cudaStream_t stream = nullptr,
                                        detail::call_place where = detail::call_place::current()) {
    return sort<Key, char>(temp, bytes, in, out, nullptr, nullptr, n, begin_bit, end_bit, stream, where,
                           true);
  }
  template <class Key, class Value, class Number>
  static cudaError_t SortPairs(void* temp, std::size_t& bytes, const Key* in, Key* out,
                               const Value* values_in, Value* values_out, Number n, int begin_bit = 0,
                               int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr,
                               detail::call_place where = detail::call_place::current()) {
    return sort(temp, bytes, in, out, values_in, values_out, n, begin_bit, end_bit, stream, where, false);
  }
  template <class Key, class Value, class Number>
  static cudaError_t SortPairsDescending(void* temp, std::size_t& bytes, const Key* in, Key* out,
                                         const Value* values_in, Value* values_out, Number n,
                                         int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                                         cudaStream_t stream = nullptr,
                                         detail::call_place where = detail::call_place::current()) {
    return sort(temp, bytes, in, out, values_in, values_out, n, begin_bit, end_bit, stream, where, true);
  }
  template <class Key, class Number>
  static cudaError_t SortKeys(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys, Number n,
                              int begin_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr,
                              detail::call_place where = detail::call_place::current()) {
    const cudaError_t error =
        SortKeys(temp, bytes, keys.Current(), keys.Alternate(), n, begin_bit, end_bit, stream, where);
    if (temp != nullptr) keys.selector ^= 1;
    return error;
  }
  template <class Key, class Value, class Number>
  static cudaError_t SortPairs(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Number n, int begin_bit = 0,
                               int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr,
                               detail::call_place where = detail::call_place::current()) {
    const cudaError_t error = SortPairs(temp, bytes, keys.Current(), keys.Alternate(), values.Current(),
                                        values.Alternate(), n, begin_bit, end_bit, stream, where);
    if (temp != nullptr) {
      keys.selector ^= 1;
      values.selector ^= 1;
    }
    return error;
  }

 private:
  template <class Key, class Value, class Number>
  static cudaError_t sort(void* temp, std::size_t& bytes, const Key* in, Key* out, const Value* values_in,
                          Value* values_out, Number n, int begin_bit, int end_bit, cudaStream_t stream,
                          detail::call_place where, bool descending) {
    static_assert(std::is_arithmetic_v<Key>, "keys are numbers here");
    const std::size_t of_keys = (static_cast<std::size_t>(n) * sizeof(Key) + 255) / 256 * 256 + 256,
                      of_values = values_in == nullptr ? 0 : static_cast<std::size_t>(n) * sizeof(Value);
    return detail::in_two_phases(temp, bytes, of_keys + of_values, stream, where, [=] {
      auto* const other = static_cast<char*>(temp);
      detail::sort_digits(in, out, reinterpret_cast<Key*>(other), values_in, values_out,
                          reinterpret_cast<Value*>(other + of_keys), static_cast<long long>(n), begin_bit,
                          end_bit, descending);
    });
  }
};

struct DeviceHistogram {
  /// `levels` bounds of levels - 1 bins of equal width.
  template <class In, class Counter, class Level, class Number>
  static cudaError_t HistogramEven(void* temp, std::size_t& bytes, In in, Counter* bins, int levels,
                                   Level lower, Level upper, Number n, cudaStream_t stream = nullptr,
                                   detail::call_place where = detail::call_place::current()) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      for (int b = 0; b < levels - 1; ++b) bins[b] = 0;
      for (Number i = 0; i < n; ++i) {
        const auto sample = static_cast<Level>(in[i]);
        if (sample < lower || sample >= upper) continue;
        int bin;
        if constexpr (std::is_integral_v<Level>)
          bin = static_cast<int>(static_cast<long long>(sample - lower) * (levels - 1) / (upper - lower));
        else
          bin = static_cast<int>((sample - lower) * (static_cast<Level>(levels - 1) / (upper - lower)));
        ++bins[bin < levels - 1 ? bin : levels - 2];
      }
    });
  }
  template <class In, class Counter, class Level, class Number>
  static cudaError_t HistogramRange(void* temp, std::size_t& bytes, In in, Counter* bins, int levels,
                                    const Level* bounds, Number n, cudaStream_t stream = nullptr,
                                    detail::call_place where = detail::call_place::current()) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      for (int b = 0; b < levels - 1; ++b) bins[b] = 0;
      for (Number i = 0; i < n; ++i) {
        const auto sample = static_cast<Level>(in[i]);
        int first = 0, last = levels - 1;  // bounds[first] <= sample < bounds[last]
        if (sample < bounds[first] || !(sample < bounds[last])) continue;
        while (last - first > 1) {
          const int middle = (first + last) / 2;
          (sample < bounds[middle] ? last : first) = middle;
        }
        ++bins[first];
      }
    });
  }
};

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class Number>
  static cudaError_t Flagged(void* temp, std::size_t& bytes, In in, Flags flags, Out out, Count count,
                             Number n, cudaStream_t stream = nullptr,
                             detail::call_place where = detail::call_place::current()) {
    return select(temp, bytes, in, out, count, n, stream, where,
                  [=](Number i, const auto&) { return bool(flags[i]); });
  }
  template <class In, class Out, class Count, class Op, class Number>
  static cudaError_t If(void* temp, std::size_t& bytes, In in, Out out, Count count, Number n, Op op,
                        cudaStream_t stream = nullptr,
                        detail::call_place where = detail::call_place::current()) {
    return select(temp, bytes, in, out, count, n, stream, where,
                  [=](Number, const auto& each) { return bool(op(each)); });
  }
  /// The first of each run of equal ones.
  template <class In, class Out, class Count, class Number>
  static cudaError_t Unique(void* temp, std::size_t& bytes, In in, Out out, Count count, Number n,
                            cudaStream_t stream = nullptr,
                            detail::call_place where = detail::call_place::current()) {
    return select(temp, bytes, in, out, count, n, stream, where,
                  [=](Number i, const auto& each) { return i == 0 || !(each == in[i - 1]); });
  }

 private:
  template <class In, class Out, class Count, class Number, class Choose>
  static cudaError_t select(void* temp, std::size_t& bytes, In in, Out out, Count count, Number n,
                            cudaStream_t stream, detail::call_place where, Choose choose) {
    return detail::in_two_phases(temp, bytes, detail::some_bytes(n), stream, where, [=] {
      std::remove_reference_t<decltype(*count)> taken = 0;
      for (Number i = 0; i < n; ++i) {
        const detail::value_of<In> each = in[i];
        if (!choose(i, each)) continue;
        out[taken] = each;
        ++taken;
      }
      *count = taken;
    });
  }
};

}  // namespace cub
