// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "variables.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "constructors.hpp"

namespace cuda_emulator::translator {
namespace {

struct declarator {
  place begin = nowhere, end = nowhere;  // the name: v, v<3> or outer::v
  place bounds = nowhere;                // the first [ of an array
  place initializer = nowhere;           // =, { or (
  bool is_pointer = false;               // or reference, or pointer to function
  bool in_parentheses = false;           // pointer to function or to array
};

// A declaration of variables, taken apart.
struct declaration {
  place begin = nowhere, end = nowhere;  // without the semicolon
  place word = nowhere;                  // the CUDA word that says where the variables live
  bool is_static = false, is_const = false, is_extern = false, is_inline = false, is_constexpr = false;
  bool is_template = false, is_specialization = false;
  place body_end = nowhere;  // behind the body of a class that is defined here too
  std::vector<declarator> declarators;
};

class parser {
 public:
  parser(const editor& text, place begin, place end) : text_(text) {
    result_.begin = begin;
    result_.end = end;
  }

  declaration run() {
    for (place i = result_.begin; i < result_.end;) i = item(i);
    finish();
    for (const declarator& d : result_.declarators) {
      result_.is_extern &= d.initializer == nowhere;  // extern "C" int v = 3; is a definition
    }
    return result_;
  }

 private:
  // Takes in what stands at i and returns the place behind it.
  place item(place i) {
    if (const place next = text_.after_specifier(i); next != i) return next;
    if (text_.word(i) != cuda_word::none) return cuda(i);
    if (text_.is(i, "=")) return initializer(i);
    if (text_.is(i, "{")) return braces(i);
    if (text_.is(i, "(")) return parentheses(i);
    if (text_.is(i, "[")) {
      if (current_.bounds == nowhere) current_.bounds = i;
      return text_.after_group(i);
    }
    if (text_.is(i, ",")) {
      finish();
      return i + 1;
    }
    if (text_.is(i, "template")) {
      result_.is_template = true;
      result_.is_specialization = text_.is(i + 1, "<") && text_.is(i + 2, ">");
      return text_.after_item(i);
    }
    if (text_.is_name(i)) return name(i);
    result_.is_static |= text_.is(i, "static");
    // const before a * is of what is pointed at
    if (text_.is(i, "const")) result_.is_const = true;
    if (text_.is(i, "*") && result_.declarators.empty()) result_.is_const = false;
    result_.is_inline |= text_.is(i, "inline");
    result_.is_constexpr |= text_.is(i, "constexpr");
    result_.is_extern |= text_.is(i, "extern");
    current_.is_pointer |= text_.is(i, "*") || text_.is(i, "&");
    if (text_.is(i, "struct") || text_.is(i, "class") || text_.is(i, "union") || text_.is(i, "enum"))
      class_key_ = i;
    return i + 1;
  }

  place cuda(place i) {
    const cuda_word word = text_.word(i);
    if (word != cuda_word::device && word != cuda_word::constant && word != cuda_word::managed &&
        word != cuda_word::shared) {
      text_.fail(i, std::string(text_[i].spelling) + " does not belong on a variable");
    }
    if (result_.word == nowhere || text_.word(result_.word) == cuda_word::device) {
      result_.word = i;
    } else if (word != cuda_word::device) {
      text_.fail(i, "a variable lives in one memory space only");
    }
    return i + 1;
  }

  // The last name before =, [ or the comma is the one that is declared; all before are its type.
  place name(place i) {
    const bool continued = i > result_.begin && text_.is(i - 1, "::") && current_.end == i - 1;
    if (!continued) current_.begin = i;
    if (class_key_ != nowhere) ++names_of_class_;
    return current_.end = text_.after_item(i);
  }

  place initializer(place i) {
    current_.initializer = i;
    for (++i; i < result_.end && !text_.is(i, ","); i = text_.after_item(i)) {
    }
    return i;
  }

  place braces(place i) {
    const bool body = class_key_ != nowhere && result_.body_end == nowhere && names_of_class_ <= 1;
    if (body) {
      result_.body_end = text_.after_group(i);
      current_ = {};
    } else if (current_.begin != nowhere) {
      current_.initializer = i;
    }
    return text_.after_group(i);
  }

  place parentheses(place i) {
    if (!text_.is(i + 1, "*") && !text_.is(i + 1, "&")) {
      current_.initializer = i;
      return text_.after_group(i);
    }
    // T (*name)(int) or T (*name)[3]
    current_.is_pointer = current_.in_parentheses = true;
    for (place j = i + 1; j < text_.partner(i) && !text_.is(j, "["); ++j) {
      if (text_.is_name(j)) current_.begin = j, current_.end = j + 1;
    }
    i = text_.after_group(i);
    return text_.is(i, "(") || text_.is(i, "[") ? text_.after_group(i) : i;
  }

  void finish() {
    if (current_.begin == nowhere) {
      text_.fail(result_.word == nowhere ? result_.begin : result_.word,
                 "cannot find the name that is declared here");
    }
    result_.declarators.push_back(current_);
    current_ = {};
  }

  const editor& text_;
  declaration result_;
  declarator current_;
  place class_key_ = nowhere;  // struct S { ... } v, or struct S v
  int names_of_class_ = 0;
};

// No constructor runs for what is on the device when the program begins, and none for shared memory, as with
// nvcc: there each block would need a thread that calls it.
void ask_for_constructors(editor& text, const declaration& d, scope where) {
  const bool shared = d.word != nowhere && text.word(d.word) == cuda_word::shared;
  if (d.is_extern || d.is_template || d.body_end != nowhere || d.is_constexpr) return;
  place type = nowhere;  // its last name
  for (place i = d.begin; i < d.declarators.front().begin; i = text.after_item(i)) {
    if (text.is_name(i) && text.word(i) == cuda_word::none && text.after_specifier(i) == i) type = i;
  }
  if (type == nowhere) return;
  for (const declarator& v : d.declarators) {
    if (v.is_pointer || v.initializer != nowhere) continue;
    if (!has_working_constructor(text, text[type].spelling)) return;
    const std::string name(text[type].spelling);
    if (shared && where == scope::of_function) {
      text.say(severity::warning, v.begin,
               "no constructor runs for a __shared__ variable: " + name + "() is not called for " +
                   text.text(v.begin, v.end));
    } else {
      text.say(severity::error, v.begin,
               "no constructor runs for a variable of the device: " + name + "() cannot be called for " +
                   text.text(v.begin, v.end));
    }
  }
}

// ---- __constant__, __device__, __managed__

// A compiler computes with the values of const tables instead of reading them, and reads that do not happen
// cannot be counted. Therefore constant memory is not const on the emulated device, as it is not for the host
// on a GPU. Returns whether there was anything to remove.
bool make_mutable(editor& text, const declaration& d) {
  bool changed = false;
  const bool pointer = d.declarators.front().is_pointer;
  place star = d.begin;  // const before it belongs to what is pointed at
  for (place i = d.begin; i < d.declarators.front().begin; i = text.after_item(i)) {
    if (text.is(i, "*") || text.is(i, "&")) star = i;
  }
  for (place i = d.begin; i < d.end; i = text.after_item(i)) {
    if (!text.is(i, "const") && !text.is(i, "constexpr")) continue;
    for (const declarator& other : d.declarators) {
      if (other.is_pointer != pointer) text.fail(i, "declare constant pointers and values one by one");
    }
    if (text.is(i, "const") && pointer && i < star) continue;
    text.replace(i, "");
    changed = true;
  }
  return changed;
}

// The same goes for const tables in device memory. A single const value and all that is constexpr may be
// needed where the language asks for a constant, and stay.
bool is_const_table(const declaration& d) {
  return !d.is_constexpr && !d.is_template &&
         std::all_of(d.declarators.begin(), d.declarators.end(), [&](const declarator& v) {
           return v.bounds != nowhere && v.is_pointer == d.declarators.front().is_pointer;
         });
}

// On a GPU a variable of the device is there before any code runs: nothing can be computed for it. The
// compiler knows whether it must. Not asked are initializers that it would not take for constant although
// nvcc does (what is made of addresses, infinities, constructors that do nothing), and pointers to functions,
// which it does not understand there.
bool must_be_constant(const editor& text, const declaration& d) {
  bool names = false;
  for (const declarator& v : d.declarators) {
    if (v.in_parentheses) return false;
    if (v.initializer == nowhere) continue;
    place end = text.after_group(v.initializer);
    while (text.is(v.initializer, "=") && end < d.end && !text.is(end, ",")) end = text.after_item(end);
    for (place i = v.initializer; i < end; ++i) {
      if (text.is(i, "&") || text.is(i, "/") || text.is(i, "{") || text.is(i, "[")) {
        if (!text.is(i, "{") || text.is(i + 1, "}")) return false;
      }
      if (!text.is_name(i)) continue;
      for (place t = d.begin; t < v.begin; ++t) {
        if (text.is(i, text[t].spelling) || text.is(t, "auto")) return false;
      }
      names = true;
    }
  }
  return names;
}

// A C++ name that is different for v, v<3> and outer::v.
std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

// Notes that the word has been dealt with.
void keep_static(editor& text, const declaration& d, bool early) {
  for (place i = d.begin; i < d.end; i = text.after_item(i)) {
    if (text.is(i, "static")) text.replace(i, early ? "static constinit" : "static");
  }
}

// <T, N> of template <class T, int N = 4>; empty where a parameter has no name.
std::string names_of_parameters(const editor& text, place word) {
  const place end = text.after_item(word) - 1;
  std::string names;
  bool pack = false, named = true;
  place name = nowhere;
  const auto finish = [&] {
    named &= name != nowhere;
    if (name != nowhere) names.append(names.empty() ? "<" : ", ").append(text.text(name, name + 1));
    if (pack) names += "...";
    name = nowhere;
    pack = false;
  };
  place words = 0;  // of this parameter
  for (place i = word + 2; i < end; i = text.after_item(i)) {
    if (text.is(i, ",")) {
      finish();
      words = 0;
      continue;
    }
    if (text.is(i, "=")) {
      while (i + 1 < end && !text.is(i + 1, ",")) i = text.after_item(i + 1) - 1;
      continue;
    }
    pack |= text.is(i, "...");
    if (words++ > 0 && text.is_name(i)) name = i;
  }
  finish();
  return named ? names + ">" : "";
}

// Is the name at i, with template arguments, used there, and not declared? `begin`: with what qualifies it.
bool is_use(const editor& text, place i, place& begin) {
  const place end = text.after_item(i);
  if (!text.is(i + 1, "<") || end == i + 1) return false;
  // A function or a class of the same name.
  if (text.is_name(end) || text.is(end, "(") || text.is(end, "::") || text.is(end, "{")) return false;
  begin = i;
  while (begin >= 2 && text.is(begin - 1, "::")) begin -= text.is_name(begin - 2) ? 2 : 1;
  if (begin == 0) return false;
  const place before = begin - 1;
  if (text.is(before, ".") || text.is(before, "->") || text.is_name(before)) return false;
  for (const char* type : {"float", "double", "int", "unsigned", "char", "short", "long", "bool", "auto"})
    if (text.is(before, type)) return false;
  for (place first = before;; --first) {
    if (text.is(first, ";") || text.is(first, "{") || text.is(first, "}"))
      return !text.is(first + 1, "template");
    if (first == 0) return false;
  }
}

// A variable template: each variable that is made of it by use is registered, because each use names its
// record, too.
void register_template(editor& text, const declaration& d, const char* space, bool was_const) {
  place word = d.begin;
  while (!text.is(word, "template")) word = text.after_item(word);
  const std::string own = names_of_parameters(text, word);
  if (own.empty()) text.fail(word, "give each parameter of this template in device memory a name");
  const std::string header = text.text(word, text.after_item(word));
  std::string records;
  for (const declarator& v : d.declarators) {
    const std::string name = text.text(v.begin, v.end), record = "emulator_record_" + name;
    records += " " + header + " struct " + record +
               " { static inline const ::cuda_emulator::device_variable record{" + name + own + ", " +
               in_quotes(name) + ", ::cuda_emulator::memory_space::" + space + ", " + text.where(v.begin) +
               (was_const ? ", true};" : "};") + " };";
    for (place i = d.end; i < text.size(); ++i) {
      place begin = i;
      if (!text.is(i, name) || text.is_changed(i) || !is_use(text, i, begin)) continue;
      const place end = text.after_item(i);
      text.insert_after(begin - 1, " ::cuda_emulator::registered<" + text.text(begin, i) + record +
                                       text.text(i + 1, end) + "::record>(");
      text.insert_after(end - 1, ")");
    }
  }
  text.insert_after(d.end, records);
}

void translate_device_variables(editor& text, const declaration& d, scope where, bool is_internal) {
  const cuda_word word = d.word == nowhere ? cuda_word::device : text.word(d.word);
  const bool constant = word == cuda_word::constant;
  const bool registered = !d.is_extern && where != scope::of_class && (constant || !d.is_constexpr) &&
                          (!d.is_template || d.is_specialization);
  std::string keyword;
  bool was_const = false;
  if (where != scope::of_class && (constant || is_const_table(d))) {
    // const outside of functions also means: known in this file only.
    was_const = make_mutable(text, d);
    if (was_const && !d.is_static && !d.is_extern && !d.is_inline && !d.is_template) keyword = "static";
  }
  if (where == scope::of_function && !d.is_static && !d.is_extern) keyword = "static";
  const bool shared_by_files =
      registered && keyword.empty() && !d.is_static && !d.is_inline && !d.is_template;
  if (is_internal && shared_by_files && where == scope::of_namespace) keyword = internal_mark;
  const bool early = registered && !d.is_constexpr && must_be_constant(text, d);
  for (place i = d.begin; i < d.end; i = text.after_item(i)) {
    if (text.word(i) == cuda_word::none) continue;
    std::string kept = i == d.word ? keyword : "";
    if (i == d.word && early) kept.append(kept.empty() ? "" : " ").append("constinit");
    text.replace(i, kept);
  }
  if (d.word == nowhere) keep_static(text, d, early);
  const char* space = constant ? "constant" : word == cuda_word::managed ? "managed" : "global";
  if (d.is_template && !d.is_specialization && !d.is_extern && where == scope::of_namespace &&
      (constant || (!d.is_const && !d.is_constexpr)))
    register_template(text, d, space, was_const);
  if (!registered) return;

  std::string registrations;
  for (const declarator& v : d.declarators) {
    const std::string name = text.text(v.begin, v.end);
    registrations += " static const ::cuda_emulator::device_variable emulator_variable_" + as_name(name) +
                     "(" + name + ", " + in_quotes(name) + ", ::cuda_emulator::memory_space::" + space +
                     ", " + text.where(v.begin) + (was_const ? ", true);" : ");");
  }
  text.insert_after(d.end, registrations);
}

// ---- __shared__

// Takes the alignment out of alignas(16) and __attribute__((aligned(16))) and returns it as "alignas(16)...".
// It must go another way than with the type, because template arguments lose it.
std::string take_alignment(editor& text, const declaration& d) {
  std::string alignment;
  const auto take = [&](place keyword) {
    const place close = text.is(keyword + 1, "(") ? text.partner(keyword + 1) : keyword;
    alignment += close == keyword ? "alignas(16)" : "alignas" + text.text(keyword + 1, close + 1);
    text.erase(keyword, close + 1);
  };
  for (place i = d.begin; i < d.end; i = text.after_item(i)) {
    const bool of_class =
        i > d.begin && (text.is(i - 1, "struct") || text.is(i - 1, "class") || text.is(i - 1, "union"));
    if (of_class) continue;
    if (text.is(i, "alignas")) take(i);
    if (!text.is(i, "__attribute__")) continue;
    for (place j = i; j < text.after_item(i); ++j) {
      if (text.is(j, "aligned") || text.is(j, "__aligned__")) take(j);
    }
  }
  return alignment;
}

// T a[n], *b; becomes typedef T emulator_type_a[n], *emulator_type_b; and a reference for each: the compiler
// takes the declaration apart, whatever it looks like.
void translate_shared_variables(editor& text, const declaration& d, std::vector<shared_name>& shared) {
  const std::string alignment = take_alignment(text, d);
  for (place i = d.begin; i < d.end; i = text.after_item(i)) {
    if (text.word(i) != cuda_word::none || text.is(i, "static") || text.is(i, "extern")) {
      text.replace(i, i == d.word ? "typedef" : "");
    }
  }
  std::string objects, aligned;
  for (const declarator& v : d.declarators) {
    const std::string name = text.text(v.begin, v.end), type = "emulator_type_" + name;
    text.replace(v.begin, type);
    if (d.is_extern) {
      // All of one name are one array: of two types, the compiler refuses the second, as nvcc does.
      objects += " { [[maybe_unused]] extern " + type + " dynamic_shared_" + name + "; } " + type + "& " +
                 name + " = ::cuda_emulator::dynamic_shared<" + type + ">(" + in_quotes(name) + ", " +
                 text.where(v.begin) + ");";
    } else {
      if (!alignment.empty() && aligned.empty()) {
        objects += " struct " + alignment + " emulator_alignment_" + name + " {};";
        aligned = ", alignof(emulator_alignment_" + name + ")";
      }
      objects += " static constinit ::cuda_emulator::shared_variable emulator_site_" + name + "{" +
                 in_quotes(name) + ", " + text.where(v.begin) + "}; " + type + "& " + name +
                 " = ::cuda_emulator::shared<" + type + ">(emulator_site_" + name + aligned + ");";
    }
    shared.push_back({text[v.begin].spelling, d.end, text.block_end(d.begin)});
  }
  text.insert_after(d.end, objects);
}

// extern __shared__ T name[]; outside of functions
void translate_dynamic_shared_object(editor& text, const declaration& d) {
  const declarator& v = d.declarators.front();
  if (d.declarators.size() != 1 || v.end != v.bounds || v.is_pointer) {
    text.fail(v.begin, "outside of functions write: extern __shared__ type name[];");
  }
  std::string type;
  for (place i = d.begin; i < v.begin;) {
    const place next = std::max(text.after_specifier(i), i + 1);
    const bool of_type = next == i + 1 && text.word(i) == cuda_word::none && !text.is(i, "extern");
    if (of_type) type.append(type.empty() ? "" : " ").append(text.text(i, i + 1));
    i = next;
  }
  type += text.text(text.after_group(v.bounds), d.end);  // further bounds
  const std::string name(text[v.begin].spelling);
  text.erase(d.begin, d.end);
  text.insert_after(d.end - 1, "extern __typeof__(" + type + ") dynamic_shared_" + name +
                                   "[]; static constexpr ::cuda_emulator::dynamic_shared_array<" + type +
                                   "> " + name + "{" + in_quotes(name) + ", " + text.where(v.begin) + "}");
}

// __shared__ T a[n]; outside of functions
void translate_shared_objects(editor& text, const declaration& d) {
  const std::string alignment = take_alignment(text, d);
  for (place i = d.begin; i < d.end; i = text.after_item(i)) {
    if (text.word(i) != cuda_word::none || text.is(i, "static"))
      text.replace(i, i == d.word ? "typedef" : "");
  }
  std::string objects;
  for (const declarator& v : d.declarators) {
    const std::string name = text.text(v.begin, v.end), type = "emulator_type_" + name;
    text.replace(v.begin, type);
    std::string aligned;
    if (!alignment.empty()) {
      objects += " struct " + alignment + " emulator_alignment_" + name + " {};";
      aligned = ", alignof(emulator_alignment_" + name + ")";
    }
    objects += " static constinit ::cuda_emulator::shared_variable emulator_site_" + name + "{" +
               in_quotes(name) + ", " + text.where(v.begin) +
               "}; static constexpr ::cuda_emulator::shared_object<" + type + aligned + "> " + name +
               "{emulator_site_" + name + "};";
  }
  text.insert_after(d.end, objects);
}

// A variable for each side, and a reference to the one of the side that runs: [=] must not copy it.
void translate_static_pair(editor& text, const declaration& d, std::vector<shared_name>& shared) {
  const auto with_names = [&](const std::string& prefix) {
    std::string result;
    place copied = d.begin;
    for (const declarator& v : d.declarators) {
      result += text.text(copied, v.begin) + " " + prefix + text.text(v.begin, v.end) + " ";
      copied = v.end;
    }
    return result + text.text(copied, d.end) + ";";
  };
  std::string objects =
      " " + std::string(must_be_constant(text, d) ? "constinit " : "") + with_names("emulator_device_");
  for (const declarator& v : d.declarators) {
    const std::string name = text.text(v.begin, v.end);
    objects += " static const ::cuda_emulator::device_variable emulator_variable_" + name +
               "(emulator_device_" + name + ", " + in_quotes(name) +
               ", ::cuda_emulator::memory_space::global, " + text.where(v.begin) + "); auto& " + name +
               " = ::cuda_emulator::of_this_side(emulator_device_" + name + ", emulator_host_" + name + ");";
    text.replace(v.begin, "emulator_host_" + name);
    shared.push_back({text[v.begin].spelling, d.end, text.block_end(d.begin)});
  }
  keep_static(text, d, false);
  text.insert_after(d.end, objects);
}

}  // namespace

void translate_static_variables(editor& text, place begin, place end, bool of_both_sides,
                                std::vector<shared_name>& shared) {
  const declaration d = parser(text, begin, end).run();
  for (place i = begin; i < end; i = text.after_item(i)) {
    if (text.is(i, "thread_local")) text.fail(i, "thread_local is not for functions of the device");
  }
  const bool is_value = d.is_const && (of_both_sides || !is_const_table(d));
  if (d.is_constexpr || is_value) return;
  ask_for_constructors(text, d, scope::of_function);
  if (of_both_sides) {
    translate_static_pair(text, d, shared);
  } else {
    translate_device_variables(text, d, scope::of_function, false);
  }
}

void translate_variables(editor& text, place begin, place end, scope where, bool is_internal,
                         std::vector<shared_name>& shared) {
  const declaration d = parser(text, begin, end).run();
  if (d.word == nowhere) return;
  if (where != scope::of_class) ask_for_constructors(text, d, where);
  if (text.word(d.word) != cuda_word::shared) {
    translate_device_variables(text, d, where, is_internal);
    return;
  }
  for (const declarator& v : d.declarators) {
    if (v.initializer != nowhere) text.fail(v.begin, "a __shared__ variable cannot have an initializer");
  }
  if (where == scope::of_function) {
    translate_shared_variables(text, d, shared);
  } else if (where == scope::of_namespace && d.is_extern) {
    translate_dynamic_shared_object(text, d);
  } else if (where == scope::of_namespace && !d.is_template) {
    translate_shared_objects(text, d);
  } else {
    text.fail(d.word, "declare this __shared__ variable in the kernel that uses it");
  }
}

}  // namespace cuda_emulator::translator
