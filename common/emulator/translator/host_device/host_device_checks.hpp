// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Host code and device code: who may call and use what.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "constructs/variables.hpp"
#include "text/editor.hpp"

namespace cuda_emulator::translator {

class source_files;

/// On the emulated device host and device are one program, and each could call the other. On a GPU they
/// cannot, and nvcc says so. This says the same where names alone are enough to know, and nothing where they
/// are not:
///
/// - device code that calls functions of the host, the runtime among them, or a kernel; that uses variables
///   of the host, exceptions or streams; that launches: an error. So do constexpr functions, those of the
///   standard library among them, as for nvcc without --expt-relaxed-constexpr
/// - host code that calls functions of the device, or a kernel without a launch, or that launches what is no
///   kernel, or a kernel with << and >>: an error
/// - host code that reads or writes a __device__ or __constant__ variable: a warning, as from nvcc
///
/// A name is known if all declarations of it outside of functions are alike, and the function that uses it
/// does not seem to declare it itself. Headers of the system are never accused. Where device code is
/// concerned, the file is read again: what comes out of a macro, or stands between #if and #endif, may be
/// something else when nvcc compiles for the device, with __CUDA_ARCH__, and is left alone.
class host_device_checks {
 public:
  explicit host_device_checks(editor& text);
  ~host_device_checks();

  /// What the walk through the source comes to, in its order: scopes with their opening brace, declarations
  /// as [begin, end) with the brace of the body, if there is one. Members of local classes are not among
  /// them.
  void enter_namespace(place begin, place brace);
  void enter_class(place begin, place brace);
  void leave();
  void declaration(place begin, place end, place body, scope where);

  /// Says what was found, when all is declared. Kernels may launch kernels where the file is compiled for
  /// being linked as device code (-rdc=true).
  /// Device code may call constexpr functions of the host where nvcc is told so (--expt-relaxed-constexpr).
  void check(bool kernels_may_launch, bool relaxed_constexpr);

 private:
  enum class side { host, device, both };

  struct level {
    bool is_class = false, is_template = false, is_unnamed = false;
    std::string_view name;
  };

  /// Functions of one name, counted by side.
  struct functions {
    int host = 0, device = 0, both = 0, kernels = 0;
    bool has_constexpr = false, has_consteval = false;  // device code may call a consteval one
    void add(side where, bool is_kernel, bool is_constexpr, bool is_consteval);
    bool any() const { return host + device + both + kernels > 0; }
    bool only_host() const { return host > 0 && device + both + kernels == 0 && !has_consteval; }
    bool only_device() const { return device > 0 && host + both + kernels == 0; }
    bool only_kernels() const { return kernels > 0 && host + device + both == 0; }
  };

  struct variable {
    bool of_device = false, is_constant = false, is_managed = false;
    bool is_const = false, is_pointer = false, is_reference = false, is_builtin = false;
    bool is_library_array = false;  // a std::array
    int bounds = 0;                 // of an array: how many [ ] there are

    bool operator==(const variable&) const = default;
  };

  /// All that a name stands for outside of functions.
  struct known {
    functions of_namespace, of_class;
    std::optional<variable> is_variable;  // the first one of that name
    bool are_alike = true;                // all variables of that name
    std::vector<std::pair<place, place>>
        declared;                          // of functions and variables: where it begins, and the name
    mutable std::optional<bool> is_plain;  // whether the files show all of these; not known before asked
    bool of_system = false, of_system_class = false;  // a function in a header of the system
    bool is_other = false;                            // a type, say
    bool is_member = false, is_other_member = false;  // of a class: whatever it is; no function
  };

  struct class_info {
    bool has_bases = false, is_template = false;
    std::unordered_map<std::string_view, functions> members;
  };

  struct function {
    place begin, name, parameters, body;
    side where = side::host;
    bool is_kernel = false, is_template = false, is_known = true, is_unchecked = false;
    bool is_member = false, has_bases = false;  // whether it is one of a class with bases
    bool is_emitted = false;                    // code is made of it
    bool returns_value = true;
  };

  class body_check;

  bool has(place begin, place end, std::string_view word) const;
  std::string_view gap_before(place i) const;
  void function_declared(place begin, place end, place body, scope where, const outline& seen);
  void variables_declared(place begin, place end);
  void others_declared(place begin, place end);
  void system_declared(place begin, place end, scope where);
  void find_emitted();
  void settle(function& f);
  bool is_suppressed(int number) const;

  editor& text_;
  bool kernels_may_launch_ = false, relaxed_constexpr_ = false;
  std::vector<level> levels_;
  std::unordered_map<std::string_view, known> names_;
  std::unordered_map<std::string_view, class_info> classes_;
  std::unordered_set<std::string_view> namespaces_;
  std::vector<function> functions_;
  std::vector<place> outside_;  // begin and end of declarations that are no functions
  std::unique_ptr<source_files> files_;
};

}  // namespace cuda_emulator::translator
