// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The 16 bytes that one thread moves at a time, as elements.
#pragma once

#include <cstdint>

namespace tutorial {

/// The built-in type of 16 bytes with elements of type T.
template <class T>
struct vector_type;
template <>
struct vector_type<float> {
  using type = float4;
};
template <>
struct vector_type<std::uint32_t> {
  using type = uint4;
};
template <>
struct vector_type<double> {
  using type = double2;
};

template <class T>
using vector_of = typename vector_type<T>::type;

/// Elements in 16 bytes: 4 or 2.
template <class T>
inline constexpr int vector_size = 16 / sizeof(T);

/// `count` rounded up to whole vectors.
template <class T>
__host__ __device__ constexpr int whole_vectors(int count) {
  return (count + vector_size<T> - 1) / vector_size<T> * vector_size<T>;
}

/// The elements after the last boundary of 16 bytes that is not behind p: 0 if p is aligned, at most 3.
template <class T>
int elements_past_boundary(const T* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) % 16 / sizeof(T));
}

// Here and below, v is assigned and not initialized: clang would copy it element by element otherwise.

/// to[0, vector_size) = from[0, vector_size) in one access; `from` is aligned to 16 bytes.
template <class T>
__device__ __forceinline__ void load_vector(T* to, const T* from) {
  vector_of<T> v;
  v = *reinterpret_cast<const vector_of<T>*>(from);
  to[0] = v.x;
  to[1] = v.y;
  if constexpr (vector_size<T> == 4) {
    to[2] = v.z;
    to[3] = v.w;
  }
}

/// The same the other way round: `to` is aligned to 16 bytes.
template <class T>
__device__ __forceinline__ void store_vector(T* to, const T* from) {
  vector_of<T> v;
  v.x = from[0];
  v.y = from[1];
  if constexpr (vector_size<T> == 4) {
    v.z = from[2];
    v.w = from[3];
  }
  *reinterpret_cast<vector_of<T>*>(to) = v;
}

/// A vector that only passes through a thread: one load here, one store below. Both addresses are aligned to
/// 16 bytes, and nvcc must be able to see that of a store: where it does not, it stores element by element.
template <class T>
__device__ __forceinline__ vector_of<T> get_vector(const T* from) {
  vector_of<T> v;
  v = *reinterpret_cast<const vector_of<T>*>(from);
  return v;
}
/// That store: `to` is aligned to 16 bytes.
template <class T>
__device__ __forceinline__ void put_vector(T* to, vector_of<T> v) {
  *reinterpret_cast<vector_of<T>*>(to) = v;
}

}  // namespace tutorial
