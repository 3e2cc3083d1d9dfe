// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "host_device_checks.hpp"

#include <algorithm>
#include <array>

#include "body_check.hpp"
#include "source_files.hpp"

namespace cuda_emulator::translator {
namespace {

// Types that no class hides behind.
constexpr std::array<std::string_view, 28> builtin_types = {
    "bool",     "char",     "short",    "int",      "long",     "float",    "double",
    "unsigned", "signed",   "size_t",   "int8_t",   "int16_t",  "int32_t",  "int64_t",
    "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "uchar",    "ushort",   "uint",
    "ulong",    "wchar_t",  "char8_t",  "char16_t", "char32_t", "intptr_t", "cudaTextureObject_t"};

}  // namespace

bool is_builtin_type(std::string_view word) {
  return std::find(builtin_types.begin(), builtin_types.end(), word) != builtin_types.end();
}

host_device_checks::host_device_checks(editor& text)
    : text_(text), files_(std::make_unique<source_files>()) {}
host_device_checks::~host_device_checks() = default;

void host_device_checks::functions::add(side where, bool is_kernel, bool is_constexpr, bool is_consteval) {
  if (is_kernel) {
    ++kernels;
  } else {
    ++(where == side::host ? host : where == side::device ? device : both);
  }
  has_constexpr |= is_constexpr;
  has_consteval |= is_consteval;
}

bool host_device_checks::has(place begin, place end, std::string_view word) const {
  for (place i = begin; i < end; i = text_.after_group(i)) {
    if (text_.is(i, word)) return true;
  }
  return false;
}

// Blanks, comments and pragmas.
std::string_view host_device_checks::gap_before(place i) const {
  if (i == 0) return {};
  const std::string_view before = text_[i - 1].spelling;
  const char* const end = before.data() + before.size();
  return {end, static_cast<std::size_t>(text_[i].spelling.data() - end)};
}

// ---- what the walk comes to

void host_device_checks::enter_namespace(place begin, place brace) {
  level opened;
  opened.is_unnamed = text_.is(brace - 1, "namespace");
  opened.is_unnamed |= !levels_.empty() && levels_.back().is_unnamed;
  levels_.push_back(opened);
  if (text_[begin].of_system) return;
  for (place i = begin; i < brace; ++i) {
    if (text_.is_name(i)) namespaces_.insert(text_[i].spelling);
  }
}

void host_device_checks::enter_class(place begin, place brace) {
  level opened;
  opened.is_class = true;
  opened.is_unnamed = !levels_.empty() && levels_.back().is_unnamed;
  opened.is_template = !levels_.empty() && levels_.back().is_template;
  if (!text_[begin].of_system) {
    bool has_bases = false, has_name = false;
    for (place i = begin; i < brace;) {
      const place next = text_.after_item(i);
      opened.is_template |= text_.is(i, "template");
      has_bases |= text_.is(i, ":");
      if (text_.is_name(i) && next != i && !has_bases && text_.after_specifier(i) == i) {
        if (!has_name || !text_.is(i, "final")) opened.name = text_[i].spelling;
        has_name = true;
      }
      i = next;
    }
    class_info& info = classes_[opened.name];
    info.has_bases |= has_bases;
    info.is_template |= opened.is_template;
  }
  levels_.push_back(opened);
}

void host_device_checks::leave() { levels_.pop_back(); }

void host_device_checks::declaration(place begin, place end, place body, scope where) {
  if (begin >= end) return;
  if (text_[begin].of_system) {
    system_declared(begin, end, where);
    return;
  }
  place first = begin;
  while (text_.is(first, "template") && first < end) first = text_.after_item(first);
  for (const char* word : {"using", "typedef", "namespace", "static_assert", "concept", "asm"}) {
    if (text_.is(first, word)) {
      others_declared(begin, end);
      return;
    }
  }
  const outline seen = text_.outline_of(begin, end);
  if (body != nowhere || (text_.is_function(seen) && !seen.has_class && !seen.has_enum)) {
    function_declared(begin, end, body, where, seen);
    return;
  }
  if (seen.has_class || seen.has_enum) {
    others_declared(begin, end);
    return;
  }
  outside_.push_back(begin);
  outside_.push_back(end);
  if (where == scope::of_namespace && first == begin) {
    variables_declared(begin, end);
  } else {
    others_declared(begin, end);
  }
}

void host_device_checks::function_declared(place begin, place end, place body, scope where,
                                           const outline& seen) {
  const bool is_instantiation = text_.is(begin, "template") && !text_.is(begin + 1, "<");
  if (is_instantiation || seen.name == nowhere) {
    outside_.push_back(begin);
    outside_.push_back(end);
    return;
  }
  const auto is_in_class = [&] { return where == scope::of_class && !levels_.empty(); };
  const bool device = has(begin, end, "__device__"), host = has(begin, end, "__host__");
  const bool is_consteval = has(begin, end, "consteval"),
             is_constexpr = has(begin, end, "constexpr") || is_consteval;
  const bool is_defaulted = body == nowhere && seen.has_initializer;  // = default, = delete
  const bool is_friend = has(begin, end, "friend");
  const std::string_view name = text_[seen.name].spelling;

  function f{};
  f.begin = begin;
  f.name = seen.name;
  f.parameters = seen.parameters;
  f.body = body;
  f.is_kernel = has(begin, end, "__global__");
  f.where = f.is_kernel || (device && !host) ? side::device : device ? side::both : side::host;
  f.is_template = text_.is(begin, "template") && !text_.is(begin + 2, ">");
  const std::string_view gap = gap_before(begin);
  f.is_unchecked = gap.find("exec_check_disable") != gap.npos || gap.find("hd_warning_disable") != gap.npos;
  for (place i = begin; i < end && f.returns_value; ++i) {
    if (i == seen.parameters) i = text_.partner(i);
    f.returns_value = !text_.is(i, "&") && !text_.is(i, "&&") && !text_.is(i, "decltype");
  }

  const bool is_destructor = seen.name > begin && text_.is(seen.name - 1, "~");
  const place before = is_destructor ? seen.name - 1 : seen.name;
  class_info* of = nullptr;
  if (is_in_class()) {
    f.is_member = true;
    f.is_template |= levels_.back().is_template;
    if (!is_friend) of = &classes_[levels_.back().name];
    f.has_bases = classes_[levels_.back().name].has_bases;
  } else if (before == begin + 1 && text_.is(begin, "::")) {
    f.is_known = false;  // ::f() {}
  } else if (before > begin && text_.is(before - 1, "::")) {
    place q = before - 2;
    if (text_.is(q, ">")) q = text_.angles_begin(q) == nowhere ? q : text_.angles_begin(q) - 1;
    if (const auto found = classes_.find(text_[q].spelling); found != classes_.end()) {
      of = &found->second;
      f.is_member = true;
      f.is_template |= of->is_template;
      f.has_bases = of->has_bases;
      // What the class says holds here, too; where the two differ, nvcc makes it a function of both.
      const functions& declared = of->members[name];
      const int same = f.where == side::host     ? declared.host
                       : f.where == side::device ? declared.device
                                                 : declared.both;
      const int others = declared.host + declared.device + declared.both - same;
      f.is_known = same > 0 && (others == 0 || device || host);
    } else {
      f.is_known = namespaces_.contains(text_[q].spelling);
    }
  }
  const bool is_internal = has(begin, end, "static") || has(begin, end, "inline") || is_constexpr ||
                           has(begin, end, "__inline__") || (!levels_.empty() && levels_.back().is_unnamed);
  f.is_emitted = (!is_internal && !f.is_template && !is_in_class()) ||
                 (seen.has_operator && f.where == side::device && !f.is_template);

  if (!is_destructor && !is_defaulted) {
    known& all = names_[name];
    all.declared.emplace_back(begin, seen.name);
    if (of) {
      of->members[name].add(f.where, f.is_kernel, is_constexpr, is_consteval);
      all.of_class.add(f.where, f.is_kernel, is_constexpr, is_consteval);
      all.is_member = true;
    } else if (f.is_known) {
      all.of_namespace.add(f.where, f.is_kernel, is_constexpr, is_consteval);
    }
  }
  if (body != nowhere && body < text_.size()) functions_.push_back(f);
}

void host_device_checks::variables_declared(place begin, place end) {
  struct declarator {
    place name = nowhere;
    variable is;
  };
  std::vector<declarator> found;
  declarator now;
  bool of_device = false, is_constant = false, is_managed = false, base_const = false, is_constexpr = false;
  const auto give_up = [&] { others_declared(begin, end); };
  for (place i = begin; i < end;) {
    if (const place next = text_.after_specifier(i); next != i) {
      i = next;
      continue;
    }
    const std::string_view t = text_[i].spelling;
    const place next = text_.after_item(i);
    if (t == "__shared__" || t == "operator" || t == ":" || t == "struct" || t == "class" || t == "union" ||
        t == "texture" || t == "surface") {
      return give_up();
    }
    of_device |= t == "__device__" || t == "__constant__" || t == "__managed__";
    is_constant |= t == "__constant__";
    is_managed |= t == "__managed__";
    is_constexpr |= t == "constexpr";
    now.is.is_builtin |= is_builtin_type(t);
    now.is.is_library_array |= t == "array" && text_.is(i - 1, "::") && text_.is(i - 2, "std");
    if (t == "const") {
      now.is.is_const = true;
      if (found.empty() && !now.is.is_pointer) base_const = true;
    } else if (t == "*") {
      now.is.is_pointer = true;
      now.is.is_const = false;
    } else if (t == "&" || t == "&&") {
      now.is.is_reference = true;
    } else if (t == "[") {
      ++now.is.bounds;
    } else if (t == "(" && (text_.is(i + 1, "*") || text_.is(i + 1, "&"))) {
      return give_up();
    } else if (t == "=" || t == "(" || t == "{") {
      // A comma between < and > may be one of template arguments, or may not.
      bool has_angles = false;
      for (i = text_.after_group(i); i < end && !text_.is(i, ",");) {
        has_angles |= text_.is(i, "<");
        i = text_.after_group(i);
      }
      if (has_angles && i < end) return give_up();
      continue;
    } else if (t == ",") {
      found.push_back(now);
      const bool is_builtin = now.is.is_builtin;
      now = {};
      now.is.is_builtin = is_builtin;
      now.is.is_const = base_const;
    } else if (text_.is_name(i) && !t.starts_with("__") && now.is.bounds == 0) {
      now.name = i;
    }
    i = next;
  }
  found.push_back(now);
  for (declarator& d : found) {
    if (d.name == nowhere) return give_up();
    d.is.of_device = of_device;
    d.is.is_constant = is_constant;
    d.is.is_managed = is_managed;
    d.is.is_const |= is_constexpr;
  }
  for (const declarator& d : found) {
    if (d.name > begin && text_.is(d.name - 1, "::")) continue;  // a static member of a class
    known& all = names_[text_[d.name].spelling];
    all.are_alike &= !all.is_variable || *all.is_variable == d.is;
    if (!all.is_variable) all.is_variable = d.is;
    all.declared.emplace_back(begin, d.name);
  }
}

// Types, aliases, and all that is not understood.
void host_device_checks::others_declared(place begin, place end) {
  const bool of_class = !levels_.empty() && levels_.back().is_class;
  const auto note = [&](place i) {
    if (!text_.is_name(i)) return;
    known& name = names_[text_[i].spelling];
    name.is_member |= of_class;
    name.is_other_member |= of_class;
    name.is_other |= !of_class;
  };
  bool is_enum = false;
  for (place i = begin; i < end; i = text_.after_group(i)) {
    is_enum |= text_.is(i, "enum");
    note(i);
    if (!is_enum || !text_.is(i, "{")) continue;
    for (place j = i + 1; j < text_.partner(i); ++j) {
      if (text_.is(j - 1, "{") || text_.is(j - 1, ",")) note(j);
    }
  }
}

void host_device_checks::system_declared(place begin, place end, scope where) {
  for (place i = begin; i < end; i = text_.after_group(i)) {
    if (text_.is(i + 1, "(") && text_.is_name(i) && text_.after_specifier(i) == i) {
      known& name = names_[text_[i].spelling];
      (where == scope::of_class ? name.of_system_class : name.of_system) = true;
      return;
    }
  }
}

// ---- what is said

// What is only declared in a header, or static, and never used, may call whatever it likes: nvcc makes no
// code of it. A name that is mentioned is taken to be used; functions of both sides are when the host uses
// them, too.
void host_device_checks::find_emitted() {
  struct candidates {
    std::vector<std::size_t> functions;
    bool by_host = false, by_device = false;  // who has mentioned the name already
  };
  std::unordered_map<std::string_view, candidates> named;
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    named[text_[functions_[i].name].spelling].functions.push_back(i);
    if (functions_[i].is_emitted) waiting.push_back(i);
  }
  const auto reach = [&](place begin, place end, bool from_host) {
    bool to_device = !from_host;
    for (place i = begin; i < end; ++i) {
      if (text_[i].kind != token_kind::name) continue;
      to_device |= text_.is(i, "__device__");  // of a lambda
      const auto found = named.find(text_[i].spelling);
      if (found == named.end()) continue;
      bool& done = to_device ? found->second.by_device : found->second.by_host;
      if (done || found->second.by_device) continue;
      done = true;
      for (const std::size_t n : found->second.functions) {
        function& f = functions_[n];
        if (f.is_emitted || (!to_device && f.where == side::device && !f.is_kernel)) continue;
        f.is_emitted = true;
        waiting.push_back(n);
      }
    }
  };
  for (std::size_t i = 0; i + 1 < outside_.size(); i += 2) reach(outside_[i], outside_[i + 1], false);
  while (!waiting.empty()) {
    const function& f = functions_[waiting.back()];
    waiting.pop_back();
    reach(f.begin, f.parameters, f.where == side::host);
    reach(f.parameters, text_.partner(f.body), f.where == side::host);
  }
}

// Another declaration of the same function, or of one with the same name, may say something else.
void host_device_checks::settle(function& f) {
  if (f.is_member || !f.is_known) return;
  const functions& all = names_[text_[f.name].spelling].of_namespace;
  if (f.where == side::host) f.is_known = all.device + all.both + all.kernels == 0;
  if (f.where == side::device && !f.is_kernel) f.is_known = all.host == 0;
}

bool host_device_checks::is_suppressed(int number) const {
  if (text_.size() == 0) return false;
  const std::string_view first = text_[0].spelling, last = text_[text_.size()].spelling;
  const std::string_view source(first.data(), static_cast<std::size_t>(last.data() - first.data()));
  const std::string wanted = std::to_string(number);
  constexpr std::string_view word = "diag_suppress";
  for (std::size_t at = source.find(word); at != source.npos; at = source.find(word, at + word.size())) {
    const std::string_view rest = source.substr(at, source.find('\n', at) - at);
    if (rest.find(wanted) != rest.npos) return true;
  }
  return false;
}

void host_device_checks::check(bool kernels_may_launch, bool relaxed_constexpr) {
  kernels_may_launch_ = kernels_may_launch;
  relaxed_constexpr_ = relaxed_constexpr;
  find_emitted();
  const bool warn = !is_suppressed(20091) && !is_suppressed(20092);
  for (function& f : functions_) {
    settle(f);
    if (f.is_known) body_check(*this, f, warn).run();
  }
}

}  // namespace cuda_emulator::translator
