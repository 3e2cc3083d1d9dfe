// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The compiler reads this before an answer (cmake/Exercises.cmake). libstdc++ checks each index there, and
// its own message shows the condition, `__idx < size()`. With this it shows both numbers. In a .cu file it
// comes behind the headers of every kernel: those that follow check, and <string> is among those before it.
#pragma once

#include <cstddef>  // any header of libstdc++ defines the macro that is replaced here

#ifdef __glibcxx_assert
namespace tutorial::index_out_of_range {

struct numbers {
  std::ptrdiff_t index;
  std::size_t size;
};

/// `operands() ->* index < size` keeps both sides of the comparison.
template <class T>
struct left_side {
  T value;
};
struct operands {
  template <class T>
  friend constexpr left_side<T> operator->*(operands, const T& value) {
    return {value};
  }
};
template <class T, class U>
constexpr numbers operator<(left_side<T> index, U size) {
  return {static_cast<std::ptrdiff_t>(index.value), static_cast<std::size_t>(size)};
}

/// Is it "__n < size()" or "__n < this->size()"?
constexpr bool is_condition(const char* text) {
  while (*text == '_' || ('a' <= *text && *text <= 'z')) ++text;
  const auto skips = [&text](const char* word) {
    const char* at = text;
    while (*word != '\0' && *at == *word) ++at, ++word;
    if (*word == '\0') text = at;
    return *word == '\0';
  };
  if (!skips(" < ")) return false;
  skips("this->");
  return skips("size()") && *text == '\0';
}

/// Says it on standard error, and ends the program as libstdc++ does. `function`: std::span<...>::operator[]
[[noreturn]] void end(const char* function, numbers which);
/// What libstdc++ says of its other conditions.
[[noreturn]] void end(const char* file, int line, const char* function, const char* condition);

}  // namespace tutorial::index_out_of_range

// In a kernel the emulated device finds the access itself, and names the thread.
#ifdef __CUDACC__
#define TUTORIAL_IS_OF_HOST !::cuda_emulator::in_kernel()
#else
#define TUTORIAL_IS_OF_HOST true
#endif

#undef __glibcxx_assert
// Only in a generic lambda is a condition of another form never compiled as a comparison.
#define __glibcxx_assert(condition)                                                      \
  do {                                                                                   \
    if (__builtin_expect(!bool(condition), false) && TUTORIAL_IS_OF_HOST) {              \
      [&](auto operands, const char* function) {                                         \
        if constexpr (::tutorial::index_out_of_range::is_condition(#condition))          \
          ::tutorial::index_out_of_range::end(function, operands->*condition);           \
        else                                                                             \
          ::tutorial::index_out_of_range::end(__FILE__, __LINE__, function, #condition); \
      }(::tutorial::index_out_of_range::operands(), __PRETTY_FUNCTION__);                \
    }                                                                                    \
  } while (false)

// Before a .cu file gets here, a header of every kernel has found no _GLIBCXX_ASSERTIONS, and has made
// nothing of the conditions of std::vector, std::array and std::deque.
#if defined __CUDACC__ && defined __glibcxx_requires_subscript
#undef __glibcxx_requires_subscript
#define __glibcxx_requires_subscript(index) __glibcxx_assert(index < this->size())
#undef __glibcxx_requires_nonempty
#define __glibcxx_requires_nonempty() __glibcxx_assert(!this->empty())
#endif
#endif
