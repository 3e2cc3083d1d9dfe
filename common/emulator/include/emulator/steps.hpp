// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What `emucc --steps` puts into kernels: calls that tell which line a thread has come to and what its
// variables are. No other build includes this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "export.hpp"

namespace cuda_emulator {

/// What the bits of a number mean.
enum class number_kind : std::uint8_t { unknown, boolean, signed_integer, unsigned_integer, floating };

/// So many numbers of so many bytes each; bytes == 0: nothing that can be shown.
struct number_type {
  number_kind kind = number_kind::unknown;
  std::uint8_t bytes = 0, count = 0;
};

/// The thread that runs has come to the line that calls this.
EMULATOR_NO_MERGE EMULATOR_API void note_line();
/// A variable has this value.
EMULATOR_NO_MERGE EMULATOR_API void note_numbers(const char* name, number_type type, const void* value);
/// A local array lies there, of so many elements. One that is not initialized is filled with bytes of 0xFF,
/// which stand for what has no value yet.
EMULATOR_NO_MERGE EMULATOR_API void note_local_array(const char* name, void* begin, number_type of,
                                                     std::size_t count, bool initialized);
/// This element has been assigned, if it is one of a local array.
EMULATOR_NO_MERGE EMULATOR_API void note_element_at(const volatile void* element, number_type type);
/// A variable points there.
EMULATOR_NO_MERGE EMULATOR_API void note_address(const char* name, const volatile void* pointer,
                                                 number_type of);
/// What lies there are elements of this type. `extents`: of an array with several dimensions, 0 behind the
/// last.
EMULATOR_NO_MERGE EMULATOR_API void note_array(const char* name, const volatile void* begin, number_type of,
                                               const std::size_t (&extents)[4]);

template <class T>
consteval number_type number_type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return {number_kind::boolean, 1, 1};
  else if constexpr (std::is_enum_v<T>)
    return number_type_of<std::underlying_type_t<T>>();
  else if constexpr (std::is_floating_point_v<T> && sizeof(T) <= 8)
    return {number_kind::floating, sizeof(T), 1};
  else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8)
    return {std::is_signed_v<T> ? number_kind::signed_integer : number_kind::unsigned_integer, sizeof(T), 1};
  else if constexpr (requires(const T& vector) { vector.x; }) {
    // float4 and the like; what has other members, too, is not shown.
    constexpr number_type part = number_type_of<std::remove_cvref_t<decltype(T::x)>>();
    if constexpr (part.bytes != 0 && part.count == 1 && sizeof(T) <= 4 * part.bytes && sizeof(T) <= 16)
      return {part.kind, part.bytes, static_cast<std::uint8_t>(sizeof(T) / part.bytes)};
    else
      return {};
  } else if constexpr (requires(const T& number) {
                         number.real();
                         number.imag();
                       }) {
    constexpr number_type part =
        number_type_of<std::remove_cvref_t<decltype(std::declval<const T&>().real())>>();
    if constexpr (part.bytes != 0 && part.count == 1 && sizeof(T) == 2 * part.bytes)
      return {part.kind, part.bytes, 2};
    else
      return {};
  } else
    return {};
}

template <class T>
EMULATOR_DEVICE void note(const char* name, const T& variable) {
  using type = std::remove_cv_t<T>;
  if constexpr (constexpr number_type known = number_type_of<type>(); known.bytes != 0) {
    const type copy = variable;
    note_numbers(name, known, &copy);
  }
}
template <class T>
EMULATOR_DEVICE void note(const char* name, T* pointer) {
  if constexpr (std::is_object_v<T>) note_address(name, pointer, number_type_of<std::remove_cv_t<T>>());
}

/// A variable of several numbers has been declared and has none of them.
template <class T>
EMULATOR_DEVICE void note_unset(T& variable) {
  if constexpr (!std::is_const_v<T> && std::is_trivially_default_constructible_v<T> && !std::is_pointer_v<T>)
    if constexpr (constexpr number_type known = number_type_of<T>(); known.count > 1)
      std::memset(static_cast<void*>(__builtin_addressof(variable)), 0xff, sizeof variable);
}

template <class T>
EMULATOR_DEVICE void note_local(const char* name, T& variable, bool initialized) {
  using element = std::remove_cv_t<std::remove_extent_t<T>>;
  if constexpr (std::rank_v<T> == 1 && !std::is_volatile_v<std::remove_extent_t<T>>)
    if constexpr (constexpr number_type known = number_type_of<element>(); known.bytes != 0)
      note_local_array(name, const_cast<element*>(&variable[0]), known, std::extent_v<T>,
                       initialized || !std::is_trivially_default_constructible_v<element>);
}

/// An element of an array, or behind a pointer, has been assigned.
template <class T, class Index>
EMULATOR_DEVICE void note_element(T* array, const Index& index) {
  if constexpr (std::is_object_v<T> && std::is_integral_v<Index>)
    if constexpr (constexpr number_type known = number_type_of<std::remove_cv_t<T>>(); known.bytes != 0)
      note_element_at(array + index, known);
}
template <class T, class Index>
EMULATOR_DEVICE void note_element(const T&, const Index&) {}

/// A parameter of a kernel: numbers have values, and of pointers the type is of interest.
template <class T>
EMULATOR_DEVICE void note_parameter(const char* name, const T& parameter) {
  note(name, parameter);
}
template <class T>
EMULATOR_DEVICE void note_parameter(const char* name, T* pointer) {
  if constexpr (std::is_object_v<T>)
    note_array(name, pointer, number_type_of<std::remove_cv_t<T>>(), {0, 0, 0, 0});
}

/// An array in shared memory.
template <class T>
EMULATOR_DEVICE void note_shared(const char* name, const volatile T& variable) {
  using element = std::remove_cv_t<std::remove_all_extents_t<T>>;
  if constexpr (std::rank_v<T> <= 4)
    note_array(name, &variable, number_type_of<element>(),
               {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>, std::extent_v<T, 3>});
}

}  // namespace cuda_emulator
