// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the translator makes of a kernel, of its launch and of its variables.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "export.hpp"

namespace cuda_emulator {

/// How many elements the dimensions of an array have behind the first one: 33 of float[32][33]; 0: there is
/// no such dimension.
struct array_shape {
  unsigned inner[3];
};
template <class T>
inline constexpr array_shape shape_of{{static_cast<unsigned>(std::extent_v<T, 1>),
                                       static_cast<unsigned>(std::extent_v<T, 2>),
                                       static_cast<unsigned>(std::extent_v<T, 3>)}};

/// An argument that is a pointer, or else null; the size of what it points to, and of which array that is an
/// element. One that can be a texture object, or else 0. One that is a whole number, or else 0.
struct launch_argument {
  const void* pointer = nullptr;
  std::size_t element_size = 0;
  unsigned long long texture = 0;
  long long number = 0;
  array_shape shape{};
};

/// A launch that owns its arguments and runs later: in a graph.
struct owned_launch {
  void* closure = nullptr;  ///< Null: there is none.
  void (*call)(const void* closure) = nullptr;
  void (*discard)(void* closure) = nullptr;
  const launch_argument* arguments = nullptr;
  void** addresses = nullptr;  ///< Of its arguments; null where they cannot be changed.
  int argument_count = 0;
};
/// `addresses` point to the arguments, which are copied. `function` is the kernel's address.
using launch_maker = owned_launch (*)(const void* function, const void* const* addresses);

/// One for each kernel (and each instance of a kernel template); lives in the kernel itself.
struct kernel_record {
  const char* name;
  const char* file;
  int line;
  int max_threads_per_block;  ///< From __launch_bounds__, or 0.
  const char* parameters;     ///< Their names, with commas between: "x,samples,y".
  launch_maker make;          ///< Null where the names do not tell the types of the parameters.
  mutable int max_dynamic_shared = 48 * 1024;  ///< Set by cudaFuncSetAttribute.
  mutable int preferred_carveout = -1;         ///< Accepted, without effect.
  mutable std::size_t static_shared = 0;       ///< Known from the first launch on.
};

/// The first thing that a kernel does. True: return at once, somebody only wanted to know the record.
EMULATOR_API bool enter(const kernel_record& record);

struct configuration {
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
  bool cooperative = false;  ///< Its blocks may wait for each other.
  constexpr configuration(dim3 grid, dim3 block = 1, std::size_t dynamic_shared = 0,
                          cudaStream_t stream = nullptr, bool cooperative = false)
      : grid(grid), block(block), dynamic_shared(dynamic_shared), stream(stream), cooperative(cooperative) {}
};

/// A number that the kernel gets by reference is not looked at: it may be in the device's memory.
template <class T, bool by_value = true>
launch_argument argument_of(const T& argument) {
  if constexpr (std::is_pointer_v<T> && std::is_object_v<std::remove_pointer_t<T>>)
    return {const_cast<const void*>(static_cast<const volatile void*>(argument)), sizeof *argument, 0, 0,
            shape_of<std::remove_pointer_t<T>[]>};
  else if constexpr (std::is_same_v<T, unsigned long long>)
    return {nullptr, 0, argument, static_cast<long long>(argument), {}};
  else if constexpr (std::is_integral_v<T> && by_value)
    return {nullptr, 0, 0, static_cast<long long>(argument), {}};
  else
    return {};
}

/// A launch without types: call(closure) runs the kernel's body for the thread that threadIdx and blockIdx
/// name.
struct launch_request {
  const char* callee;
  const char* file;
  int line;
  configuration shape;
  void (*call)(const void* closure);
  const void* closure;
  const launch_argument* arguments;
  int argument_count;
  launch_maker make;
  const void* function;
  const void* const* addresses;
};

/// Runs all threads of the grid. What is wrong with the launch is left in cudaGetLastError().
EMULATOR_API void run_launch(const launch_request& request);

/// Launches a kernel of which only the address is known; `addresses` point to its arguments.
EMULATOR_API cudaError_t launch_by_address(const char* callee, const configuration& shape, const void* kernel,
                                           void** addresses);

/// Does a function get a T by its address, made and destroyed by the caller, and not in registers or on the
/// stack? That is the rule of the Itanium C++ ABI, which g++ and clang follow.
template <class T>
constexpr bool passed_by_address =
    std::is_class_v<T> && !((std::is_trivially_copy_constructible_v<T> || !std::is_copy_constructible_v<T>)&&(
                              std::is_trivially_move_constructible_v<T> ||
                              !std::is_move_constructible_v<T>)&&std::is_trivially_destructible_v<T>);

/// A thread's own copy of a parameter with a constructor or destructor. As on a GPU it is one of bytes:
/// constructors and destructors run on the host, once for each launch.
template <class T>
struct parameter_bytes {
  alignas(T) unsigned char bytes[sizeof(T)];
  explicit parameter_bytes(const T& parameter) {
    std::memcpy(bytes, static_cast<const void*>(__builtin_addressof(parameter)), sizeof(T));
  }
  operator T&() { return *reinterpret_cast<T*>(bytes); }
};

/// What a thread passes for a parameter P: the object itself to a reference, else a copy.
template <class P>
using passed_type = std::conditional_t<passed_by_address<P>, P&, P>;
template <class P>
using passed_copy = std::conditional_t<passed_by_address<P>, parameter_bytes<P>, P>;

template <class... P>
struct kept_arguments {
  void (*function)(passed_type<P>...);
  std::tuple<parameter_bytes<P>...> bytes;
  launch_argument arguments[sizeof...(P) + 1];
  void* addresses[sizeof...(P) + 1];

  kept_arguments(const void* kernel, const P&... values)
      : function(reinterpret_cast<void (*)(passed_type<P>...)>(const_cast<void*>(kernel))),
        bytes(values...),
        arguments{argument_of(values)..., {}},
        addresses{} {
    std::apply(
        [this](parameter_bytes<P>&... each) {
          std::size_t i = 0;
          ((addresses[i++] = each.bytes), ...);
        },
        bytes);
  }
  void run() {
    std::apply(
        [this](parameter_bytes<P>&... each) {
          function(static_cast<passed_copy<P>>(static_cast<P&>(each))...);
        },
        bytes);
  }
};

template <class... P, std::size_t... I>
owned_launch make_kept(const void* function, const void* const* addresses, std::index_sequence<I...>) {
  using kept = kept_arguments<P...>;
  auto* const made = new kept(function, *static_cast<const P*>(addresses[I])...);
  return {made,
          [](const void* closure) { static_cast<kept*>(const_cast<void*>(closure))->run(); },
          [](void* closure) { delete static_cast<kept*>(closure); },
          made->arguments,
          made->addresses,
          static_cast<int>(sizeof...(P))};
}
/// A parameter's type without const and __restrict__.
template <class T>
struct plain_parameter {
  using type = T;
};
template <class T>
struct plain_parameter<T* __restrict__> {
  using type = T*;
};

/// For the record of a kernel whose parameters have these types.
template <class... P>
owned_launch make_launch(const void* function, const void* const* addresses) {
  if constexpr ((std::is_reference_v<P> || ...))
    return {};
  else
    return make_kept<typename plain_parameter<std::remove_cv_t<P>>::type...>(function, addresses,
                                                                             std::index_sequence_for<P...>{});
}

/// What `kernel<<<shape>>>` of a known kernel is; called with the arguments it launches.
template <class Call, class... P>
struct typed_launch {
  const char* callee;
  const char* file;
  int line;
  configuration shape;
  Call call;
  void (*kernel)(P...);

  /// The arguments are converted to the kernel's parameters once, as by any call, and each thread gets a
  /// copy.
  void operator()(P... parameters) const {
    const launch_argument pointers[] = {argument_of<std::decay_t<P>, !std::is_reference_v<P>>(parameters)...,
                                        {}};
    const auto function = reinterpret_cast<void (*)(passed_type<P>...)>(kernel);
    const auto bound = [function, &parameters...] {
      function(static_cast<passed_copy<P>>(static_cast<P&>(parameters))...);
    };
    const void* const addresses[] = {static_cast<const void*>(__builtin_addressof(parameters))..., nullptr};
    run_launch({callee, file, line, shape,
                [](const void* closure) { (*static_cast<decltype(&bound)>(closure))(); }, &bound, pointers,
                static_cast<int>(sizeof...(P)), &make_launch<P...>, reinterpret_cast<const void*>(kernel),
                addresses});
  }
  /// The kernel has default arguments; or the arguments do not fit, which the compiler then says of the
  /// kernel.
  template <class... Arguments, class = std::enable_if_t<!std::is_invocable_v<void (*)(P...), Arguments...>>>
  void operator()(Arguments&&... arguments) const;
};

/// A closure with the arguments in it, and a description of each of them.
template <class Closure, std::size_t count>
owned_launch keep_closure(const void*, const void* const* closure_and_arguments) {
  struct kept {
    Closure closure;
    launch_argument arguments[count + 1];
  };
  auto* const made = new kept{*static_cast<const Closure*>(closure_and_arguments[0]), {}};
  const auto* const arguments = static_cast<const launch_argument*>(closure_and_arguments[1]);
  for (std::size_t i = 0; i < count; ++i) made->arguments[i] = arguments[i];
  return {made,
          [](const void* closure) { static_cast<const kept*>(closure)->closure(); },
          [](void* closure) { delete static_cast<kept*>(closure); },
          made->arguments,
          nullptr,
          static_cast<int>(count)};
}

/// The same of a kernel that is known only together with its arguments: a template whose arguments are
/// deduced, or one of several of the same name.
template <class Call>
struct deduced_launch {
  const char* callee;
  const char* file;
  int line;
  configuration shape;
  Call call;

  /// Arguments are copied once here and once more for each thread.
  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    const launch_argument pointers[] = {argument_of<std::decay_t<Arguments>>(arguments)..., {}};
    const auto bound = [call = call, ... values = std::forward<Arguments>(arguments)] { call(values...); };
    using closure_type = decltype(bound);
    const void* const addresses[] = {&bound, pointers};
    run_launch({callee, file, line, shape,
                [](const void* closure) { (*static_cast<closure_type*>(closure))(); }, &bound, pointers,
                static_cast<int>(sizeof...(arguments)), &keep_closure<closure_type, sizeof...(arguments)>,
                nullptr, addresses});
  }
};

template <class Call, class... P>
template <class... Arguments, class>
void typed_launch<Call, P...>::operator()(Arguments&&... arguments) const {
  deduced_launch<Call>{callee, file, line, shape, call}(std::forward<Arguments>(arguments)...);
}

/// Takes one function, and none of several.
struct type_probe {
  template <class... P>
  constexpr auto operator()(void (*kernel)(P...)) const {
    return kernel;
  }
};

template <class Call, class... P>
auto with_types(const char* callee, const char* file, int line, const configuration& shape, Call call,
                void (*kernel)(P...)) {
  return typed_launch<Call, P...>{callee, file, line, shape, call, kernel};
}

/// `(EXPRESSION)<<<shape>>>`, to be called with the arguments.
template <class... P>
auto launch(const char* callee, const char* file, int line, const configuration& shape,
            void (*kernel)(P...)) {
  return with_types(callee, file, line, shape, kernel, kernel);
}

/// `CALLEE<<<shape>>>`, to be called with the arguments. `call` calls CALLEE by its name; `probe` returns
/// what it is called with for CALLEE, where that is one function.
template <class Call, class Probe>
auto launch(const char* callee, const char* file, int line, const configuration& shape, Call call,
            Probe probe) {
  if constexpr (std::is_invocable_v<Probe, type_probe>) {
    return with_types(callee, file, line, shape, call, probe(type_probe()));
  } else {
    return deduced_launch<Call>{callee, file, line, shape, call};
  }
}

/// One for each `__shared__` declaration. `place` is where the current launch has put it.
struct shared_variable {
  const char* name;
  const char* file;
  int line;
  std::atomic<std::uint64_t> place{0};
};

EMULATOR_API void* shared_address(shared_variable& variable, std::size_t size, std::size_t alignment,
                                  std::size_t element_size, const array_shape& shape);
EMULATOR_API void* dynamic_shared_address(const char* name, const char* file, int line,
                                          std::size_t element_size, const array_shape& shape);

/// The alignment is given where the declaration has one of its own: template arguments lose it.
template <class T>
__attribute__((always_inline, artificial)) inline T& shared(shared_variable& variable,
                                                            std::size_t alignment = alignof(T)) {
  return *static_cast<T*>(
      shared_address(variable, sizeof(T), alignment, sizeof(std::remove_all_extents_t<T>), shape_of<T>));
}

template <class T>
__attribute__((always_inline, artificial)) inline T& dynamic_shared(const char* name, const char* file,
                                                                    int line) {
  return *static_cast<T*>(
      dynamic_shared_address(name, file, line, sizeof(std::remove_all_extents_t<T>), shape_of<T>));
}

/// `extern __shared__ T name[];` outside of functions.
template <class T>
struct dynamic_shared_array {
  const char* name;
  const char* file;
  int line;
  operator T*() const {
    return static_cast<T*>(
        dynamic_shared_address(name, file, line, sizeof(std::remove_all_extents_t<T>), shape_of<T[]>));
  }
  template <class U>  // (float4*)name
  explicit operator U*() const {
    return reinterpret_cast<U*>(static_cast<T*>(*this));
  }
  template <class Index>
  T& operator[](Index index) const {
    return static_cast<T*>(*this)[index];
  }
};

/// `__shared__ T name;` outside of functions: each block of a kernel that uses it has its own.
template <class T, std::size_t alignment = alignof(T)>
struct shared_object {
  shared_variable& variable;
  T& get() const { return shared<T>(variable, alignment); }
  operator T&() const { return get(); }
  T* operator&() const { return __builtin_addressof(get()); }
  template <class Index>
  auto& operator[](Index index) const {
    return get()[index];
  }
  template <class Value>
  T& operator=(const Value& value) const {
    return get() = value;
  }
  T& operator=(const shared_object& other) const { return get() = other.get(); }
};

/// An index in the translated source: the array's name, and the columns of the index's brackets and of the
/// name before the first bracket. With line 0 the name is the file of those behind.
struct subscript {
  const char* name;
  int line, open_column, close_column, base_column;
};
EMULATOR_API void register_subscripts(const subscript* table, std::size_t count);
struct subscripts {
  template <std::size_t N>
  explicit subscripts(const subscript (&table)[N]) {
    register_subscripts(table, N);
  }
};

extern "C" [[noreturn]] EMULATOR_API void cuda_emulator_element_beyond(std::int64_t index, std::uint64_t size,
                                                                       const char* name);
/// The index of an element of an array of fixed size; ends the launch with a finding if there is none.
template <class T, std::size_t N, class Index>
EMULATOR_DEVICE constexpr Index element(T (&)[N], Index index, [[maybe_unused]] const char* name) {
  if constexpr (std::is_integral_v<Index>) {
    if (!__builtin_is_constant_evaluated()) {
      [[maybe_unused]] const auto wide = static_cast<std::int64_t>(index);
#if defined(__x86_64__) && !defined(__clang__)
      // A branch would begin a basic block, and each of those is a call.
      asm volatile inline(
          "cmpq %1, %0\n\tjb 1f\n\tandq $-16, %%rsp\n\tcall cuda_emulator_element_beyond@PLT\n1:" ::"D"(wide),
          "S"(N), "d"(name)
          : "cc");
#elif defined(__aarch64__) && !defined(__clang__)
      asm volatile inline(
          "cmp %0, %1\n\tb.lo 1f\n\tstp %0, %1, [sp, -32]!\n\tstr %2, [sp, 16]\n\tldp x0, x1, [sp]\n\t"
          "ldr x2, [sp, 16]\n\tbl cuda_emulator_element_beyond\n1:" ::"r"(wide),
          "r"(N), "r"(name)
          : "cc");
#else
      if (static_cast<std::uint64_t>(wide) >= N) cuda_emulator_element_beyond(wide, N, name);
#endif
    }
  }
  return index;
}
/// Of what is no array after all.
template <class Other, class Index>
EMULATOR_DEVICE constexpr Index element(const Other&, Index index, const char*) {
  return index;
}

enum class memory_space { global, constant, managed };

EMULATOR_API void register_variable(const volatile void* address, std::size_t size, std::size_t element_size,
                                    const array_shape& shape, const char* name, memory_space space,
                                    bool has_host_copy, const char* file, int line);

/// Whether this is code of a kernel that runs, and not of the host.
EMULATOR_API bool in_kernel();
/// `device` in a kernel, otherwise `host`. Not known to the compiler, which might read both and then choose.
EMULATOR_API void* chosen(void* device, void* host);
template <class T>
T& of_this_side(T& device, T& host) {
  return *static_cast<T*>(chosen(const_cast<std::remove_cv_t<T>*>(__builtin_addressof(device)),
                                 const_cast<std::remove_cv_t<T>*>(__builtin_addressof(host))));
}

/// Makes a `__device__` or `__constant__` variable known by address, size and name. A constant has a copy on
/// the host.
struct device_variable {
  template <class T>
  device_variable(T& variable, const char* name, memory_space space, const char* file, int line,
                  bool is_constant = std::is_const_v<std::remove_all_extents_t<T>>) {
    register_variable(__builtin_addressof(variable), sizeof(T), sizeof(std::remove_all_extents_t<T>),
                      shape_of<T>, name, space, is_constant, file, line);
  }
};
/// A variable that is made of a template, where it is used: so its record is made, too.
template <const device_variable& Record, class T>
EMULATOR_DEVICE constexpr T& registered(T& variable) {
  return variable;
}

}  // namespace cuda_emulator
