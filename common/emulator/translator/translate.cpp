// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "translate.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "syntax.hpp"

namespace cuda_emulator::translator {
namespace {

enum class scope { of_namespace, of_class, of_function };

bool is_memory_word(std::string_view t) {
  return t == "__constant__" || t == "__managed__" || t == "__shared__";
}

bool is_function_word(std::string_view t) {
  return t == "__global__" || t == "__host__" || t == "__launch_bounds__" || t == "__maxnreg__";
}

bool is_cuda_word(std::string_view t) {
  return t.starts_with("__") && (t == "__device__" || is_memory_word(t) || is_function_word(t));
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

// A C++ name that is different for v, v<3> and outer::v.
std::string as_name(std::string_view text) {
  std::string result;
  for (const char c : text) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result;
}

class translation {
 public:
  translation(std::string_view source, std::string_view file) : source_(source), tokens_(source, file) {
    understood_.assign(tokens_.size() + 1, false);
  }

  std::string run() {
    declarations(0, tokens_.size(), scope::of_namespace);
    launches();
    for (place i = 0; i < tokens_.size(); ++i) {
      if (is_cuda_word(tokens_[i].spelling) && !understood_[i]) {
        fail(i, "cannot tell what " + std::string(tokens_[i].spelling) + " means here");
      }
    }
    return edited();
  }

 private:
  // ---- edits: the source is never changed, only a list of replacements is made

  struct edit {
    std::size_t position, length;
    std::string text;
  };

  void replace(place i, std::string text) {
    understood_[i] = true;
    const std::string_view old = tokens_[i].spelling;
    text.append(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')),
                '\n');  // from a raw string
    edits_.push_back({position(i), old.size(), std::move(text)});
  }

  void erase(place begin, place end) {
    for (place i = begin; i < end; ++i) replace(i, "");
  }

  void insert_after(place i, std::string text) {
    edits_.push_back({position(i) + tokens_[i].spelling.size(), 0, std::move(text)});
  }

  std::string edited() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const edit& a, const edit& b) { return a.position < b.position; });
    std::string result;
    result.reserve(source_.size() + 256 * edits_.size());
    std::size_t copied = 0;
    for (const edit& e : edits_) {
      result.append(source_, copied, e.position - copied).append(e.text);
      copied = e.position + e.length;
    }
    return result.append(source_, copied);
  }

  std::size_t position(place i) const {
    return static_cast<std::size_t>(tokens_[i].spelling.data() - source_.data());
  }

  [[noreturn]] void fail(place i, const std::string& message) const {
    throw source_error(tokens_[i].file, tokens_[i].line, message);
  }

  // "file", LINE
  std::string where(place i) const {
    return std::string(tokens_[i].file) + ", " + std::to_string(tokens_[i].line);
  }

  bool is(place i, std::string_view spelling) const { return tokens_.is(i, spelling); }

  // ---- scopes

  void declarations(place begin, place end, scope where) {
    while (begin < end) begin = declaration(begin, end, where);
  }

  // Translates the declaration at `begin` and returns the place behind it.
  place declaration(place begin, place end, scope where) {
    if (is(begin + 1, ":") && (is(begin, "public") || is(begin, "protected") || is(begin, "private"))) {
      return begin + 2;
    }
    for (place i = begin; i < end;) {
      if (is(i, ";")) {
        declared(begin, i, nowhere, where);
        return i + 1;
      }
      if (is(i, "(") || is(i, "[")) {
        code(i + 1, tokens_.partner(i));
      } else if (is(i, "{")) {
        const outline seen = tokens_.outline_of(begin, i);
        const bool linkage = i >= begin + 2 && is(i - 2, "extern") && tokens_[i - 1].kind == token_kind::text;
        if (linkage || seen.has_namespace) {
          declarations(i + 1, tokens_.partner(i), scope::of_namespace);
          return tokens_.after_group(i);
        }
        if (opens_class(seen)) {
          declarations(i + 1, tokens_.partner(i), scope::of_class);
        } else if (opens_body(seen, i)) {
          declared(begin, i, i, where);
          code(i + 1, tokens_.partner(i));
          return tokens_.after_group(i);
        } else {
          code(i + 1, tokens_.partner(i));  // an initializer, which may hold lambdas
        }
      }
      i = tokens_.after_group(i);
    }
    declared(begin, end, nowhere, where);
    return end;
  }

  static bool opens_class(const outline& seen) {
    return seen.has_class && !seen.has_enum && !seen.has_initializer && seen.parameters == nowhere;
  }

  bool opens_body(const outline& seen, place brace) const {
    if (seen.parameters == nowhere || seen.has_initializer || seen.has_enum) return false;
    if (is(brace - 1, "requires")) return false;
    if (is(brace - 1, ")") && is(tokens_.partner(brace - 1) - 1, "requires")) return false;
    // In S() : a{1}, b{2} {} only the last brace is the body: the others follow a name.
    const bool after_name = tokens_.is_name(brace - 1) || is(brace - 1, ">");
    return !(seen.has_member_initializers && after_name);
  }

  // Statements and expressions. CUDA words can stand anywhere in them, because of local classes and lambdas.
  void code(place begin, place end) {
    for (place i = begin; i < end; ++i) {
      if (understood_[i] || !is_cuda_word(tokens_[i].spelling)) continue;
      if (is(i - 1, "]") || is(i + 1, "(")) {  // [=] __device__ (int i) { ... }
        if (is(i, "__device__") || is(i, "__host__")) replace(i, "");
        continue;
      }
      place first = i;
      while (first > begin && !begins_statement(first, begin)) first = before(first);
      place last = i;
      while (last < end && !is(last, ";") &&
             !(is(last, "{") && opens_body(tokens_.outline_of(first, last), last))) {
        last = tokens_.after_group(last);
      }
      declared(first, last, is(last, "{") ? last : nowhere, scope::of_function);
    }
  }

  // The place before i, where attributes and the like count as one.
  place before(place i) const { return is(i - 1, ")") || is(i - 1, "]") ? tokens_.partner(i - 1) : i - 1; }

  bool begins_statement(place i, place begin) const {
    const place previous = i - 1;
    if (is(previous, ";") || is(previous, "{") || is(previous, "}") || is(previous, ":")) return true;
    if (is(previous, "else") || is(previous, "do")) return true;
    if (is(previous, ")")) {  // an if (...) or the like, but not the end of an attribute
      const place open = tokens_.partner(previous);
      return open <= begin || tokens_.after_specifier(open - 1) != i;
    }
    return false;
  }

  // ---- declarations

  // [begin, end) is a declaration without its semicolon, or up to the brace `body` of a function.
  void declared(place begin, place end, place body, scope where) {
    bool kernel = false, any = false;
    for (place i = begin; i < end; i = tokens_.after_group(i)) {
      if (!is_cuda_word(tokens_[i].spelling)) continue;
      any = true;
      kernel |= is(i, "__global__");
    }
    if (!any) return;
    const outline seen = tokens_.outline_of(begin, end);
    if (kernel) {
      translate_kernel(begin, end, body, seen, where);
    } else if (body != nowhere || is_function(seen)) {
      for (place i = begin; i < end; i = tokens_.after_group(i)) {
        if (is_memory_word(tokens_[i].spelling) || is(i, "__launch_bounds__") || is(i, "__maxnreg__")) {
          fail(i, std::string(tokens_[i].spelling) + " does not belong on a function that is no kernel");
        }
        if (is_cuda_word(tokens_[i].spelling)) replace(i, "");
      }
    } else {
      translate_variable(begin, end, where);
    }
  }

  bool is_function(const outline& seen) const {
    if (seen.has_operator) return true;
    if (seen.parameters == nowhere) return false;
    const token_kind first = tokens_[seen.parameters + 1].kind;  // int v(3); is no function
    return first != token_kind::number && first != token_kind::text;
  }

  void translate_kernel(place begin, place end, place body, const outline& seen, scope where_) {
    std::string bound = "0";
    bool returns_void = false, is_friend = false;
    place keyword = begin;
    for (place i = begin; i < end; i = tokens_.after_group(i)) {
      returns_void |= is(i, "void");
      is_friend |= is(i, "friend");
      if (is(i, "__global__")) {
        keyword = i;
        replace(i, body == nowhere ? "" : "__attribute__((noinline))");
      } else if (is(i, "__launch_bounds__") || is(i, "__maxnreg__")) {
        if (!is(i + 1, "("))
          fail(i, std::string(tokens_[i].spelling) + " needs its arguments in parentheses");
        if (is(i, "__launch_bounds__")) bound = tokens_.text(i + 2, first_argument_end(i + 1));
        erase(i, tokens_.after_group(i + 1));
      } else if (is_cuda_word(tokens_[i].spelling)) {
        fail(i, std::string(tokens_[i].spelling) + " cannot be combined with __global__");
      }
    }
    if (seen.parameters == nowhere || seen.has_operator) fail(keyword, "__global__ belongs to a function");
    if (!returns_void) fail(keyword, "a __global__ function must return void");
    if (where_ == scope::of_class && !is_friend)
      fail(keyword, "a __global__ function cannot be a member of a class");
    if (body == nowhere) return;
    insert_after(body, " static constinit ::cuda_emulator::kernel_record emulator_record{" +
                           quoted(tokens_[seen.name].spelling) + ", " + where(seen.name) + ", " + bound +
                           "}; if (::cuda_emulator::enter(emulator_record)) return;");
  }

  // The end of the first of the arguments in the parentheses at `open`.
  place first_argument_end(place open) const {
    const place close = tokens_.partner(open);
    place i = open + 1;
    while (i < close && !is(i, ",")) {
      const place next = is(i, "<") ? tokens_.after_angles(i) : nowhere;
      i = next == nowhere ? tokens_.after_group(i) : next;
    }
    return i;
  }

  struct declarator {
    place begin, end;   // the name: v, v<3> or outer::v
    place bounds;       // the first [ of an array, or nowhere
    place initializer;  // the = or { or (, or nowhere
    bool is_pointer = false;
  };

  // The declarators of the variables [begin, end).
  std::vector<declarator> declarators_of(place begin, place end) const {
    std::vector<declarator> result;
    declarator current{nowhere, nowhere, nowhere, nowhere};
    const auto finish = [&](place at) {
      if (current.begin == nowhere) fail(std::min(at, end - 1), "cannot find the name that is declared here");
      result.push_back(current);
      current = {nowhere, nowhere, nowhere, nowhere};
    };
    place class_key = nowhere;
    for (place i = begin; i < end;) {
      const place behind = tokens_.after_specifier(i);
      if (behind != i) {
        i = behind;
      } else if (is(i, ",")) {
        finish(i++);
      } else if (is(i, "template") && is(i + 1, "<")) {
        i = tokens_.after_angles(i + 1);
        if (i == nowhere) fail(begin, "cannot read these template parameters");
      } else if (is(i, "=")) {
        current.initializer = i;
        for (++i; i < end && !is(i, ",");) {
          const place next = tokens_.is_name(i) && is(i + 1, "<") ? tokens_.after_angles(i + 1) : nowhere;
          i = next == nowhere ? tokens_.after_group(i) : next;
        }
      } else if (is(i, "{")) {
        const bool body = class_key != nowhere && (i == class_key + 1 || i == class_key + 2);
        if (!body) current.initializer = i;
        i = tokens_.after_group(i);
      } else if (is(i, "[")) {
        if (current.bounds == nowhere) current.bounds = i;
        i = tokens_.after_group(i);
      } else if (is(i, "(") && current.begin != nowhere && !is(i + 1, "*") && !is(i + 1, "&")) {
        current.initializer = i;
        i = tokens_.after_group(i);
      } else if (is(i, "(")) {  // T (*name)(int), T (&name)[3]
        for (place j = i + 1; j < tokens_.partner(i) && !is(j, "["); ++j) {
          if (tokens_.is_name(j)) current.begin = j, current.end = j + 1;
        }
        current.is_pointer = true;
        i = tokens_.after_group(i);
        while (is(i, "(") || is(i, "[")) i = tokens_.after_group(i);
      } else if (tokens_.is_name(i) && !is_cuda_word(tokens_[i].spelling)) {
        const bool qualified =
            i > begin + 1 && is(i - 1, "::") && current.begin != nowhere && current.end == i - 1;
        if (!qualified) current.begin = i;
        const place next = is(i + 1, "<") ? tokens_.after_angles(i + 1) : nowhere;
        i = next == nowhere ? i + 1 : next;
        current.end = i;
      } else {
        if (is(i, "*") || is(i, "&")) current.is_pointer = true;
        if (is(i, "struct") || is(i, "class") || is(i, "union") || is(i, "enum")) class_key = i;
        ++i;
      }
    }
    finish(end);
    return result;
  }

  void translate_variable(place begin, place end, scope where_) {
    place word = nowhere;
    bool is_extern = false, is_constexpr = false;
    for (place i = begin; i < end && !is(i, "="); i = tokens_.after_group(i)) {
      if (is_function_word(tokens_[i].spelling))
        fail(i, std::string(tokens_[i].spelling) + " belongs to functions");
      if (is_memory_word(tokens_[i].spelling) || (is(i, "__device__") && word == nowhere)) word = i;
      is_extern |= is(i, "extern") && tokens_[i + 1].kind != token_kind::text;
      is_constexpr |= is(i, "constexpr");
    }
    if (word == nowhere) return;
    const std::vector<declarator> declarators = declarators_of(begin, end);
    if (is(word, "__shared__")) {
      translate_shared(begin, end, word, declarators, is_extern, where_);
      return;
    }
    for (place i = begin; i < end && !is(i, "="); i = tokens_.after_group(i)) {
      if (is_cuda_word(tokens_[i].spelling)) replace(i, "");
    }
    const bool constant = is(word, "__constant__");
    if (is_extern || where_ == scope::of_class || (is_constexpr && !constant)) return;
    if (constant) make_mutable(begin, end, declarators);
    const bool is_template = is(begin, "template") && !is(begin + 2, ">");
    if (is_template) return;
    std::string registrations;
    for (const declarator& d : declarators) {
      const std::string name = tokens_.text(d.begin, d.end);
      registrations += " static const ::cuda_emulator::device_variable emulator_variable_" + as_name(name) +
                       "(" + name + ", " + quoted(name) +
                       ", ::cuda_emulator::memory_space::" + (constant ? "constant" : "global") + ", " +
                       where(d.begin) + ");";
    }
    insert_after(end, registrations);
  }

  // A compiler folds reads of const tables, and what is folded cannot be counted.
  void make_mutable(place begin, place end, const std::vector<declarator>& declarators) {
    bool needs_static = true;
    const bool pointer = declarators.front().is_pointer;
    place last_star = nowhere;
    for (place i = begin; i < declarators.front().begin; ++i) {
      if (is(i, "*")) last_star = i;
      if (is(i, "static") || is(i, "inline")) needs_static = false;
    }
    for (place i = begin; i < end && !is(i, "="); i = tokens_.after_group(i)) {
      const bool top_level = is(i, "constexpr") || (is(i, "const") && (!pointer || i > last_star));
      if (!top_level) continue;
      replace(i, needs_static ? "static" : "");  // const also meant: known in this file only
      needs_static = false;
    }
  }

  void translate_shared(place begin, place end, place word, const std::vector<declarator>& declarators,
                        bool is_extern, scope where_) {
    for (const declarator& d : declarators) {
      if (d.initializer != nowhere) fail(d.begin, "a __shared__ variable cannot have an initializer");
    }
    if (where_ == scope::of_class) fail(word, "a __shared__ variable cannot be a member of a class");
    if (where_ == scope::of_namespace) {
      if (!is_extern) fail(word, "declare this __shared__ variable inside of the kernel that uses it");
      translate_dynamic_shared_object(begin, end, declarators);
      return;
    }
    replace(word, "typedef");
    std::string objects;
    for (place i = begin; i < end; i = tokens_.after_group(i)) {
      if (is(i, "static") || is(i, "extern") || is(i, "__device__")) replace(i, "");
      if (is(i, "alignas")) {
        replace(i, "__attribute__((aligned");
        insert_after(tokens_.partner(i + 1), "))");
      }
    }
    for (const declarator& d : declarators) {
      const std::string name(tokens_[d.begin].spelling);
      const std::string type = "emulator_type_" + name;
      replace(d.begin, type);
      if (is_extern) {
        objects += " " + type + "& " + name + " = ::cuda_emulator::dynamic_shared<" + type + ">(" +
                   quoted(name) + ", " + where(d.begin) + ");";
      } else {
        objects += " static constinit ::cuda_emulator::shared_variable emulator_site_" + name + "{" +
                   quoted(name) + ", " + where(d.begin) + "}; " + type + "& " + name +
                   " = ::cuda_emulator::shared<" + type + ">(emulator_site_" + name + ");";
      }
    }
    insert_after(end, objects);
  }

  // extern __shared__ T name[]; outside of functions
  void translate_dynamic_shared_object(place begin, place end, const std::vector<declarator>& declarators) {
    const declarator& d = declarators.front();
    if (declarators.size() != 1 || d.bounds == nowhere || d.end != d.bounds || d.is_pointer) {
      fail(d.begin, "outside of functions only `extern __shared__ type name[];` is possible");
    }
    std::string type;
    for (place i = begin; i < d.begin;) {
      if (const place next = tokens_.after_specifier(i); next != i) {
        i = next;
      } else {
        if (!is_cuda_word(tokens_[i].spelling) && !is(i, "extern"))
          type.append(type.empty() ? "" : " ").append(tokens_[i].spelling);
        ++i;
      }
    }
    type += tokens_.text(tokens_.after_group(d.bounds), end);
    const std::string name = tokens_.text(d.begin, d.end);
    erase(begin, end);
    insert_after(end - 1, "static constexpr ::cuda_emulator::dynamic_shared_array<" + type + "> " + name +
                              "{" + quoted(name) + ", " + where(d.begin) + "}");
  }

  // ---- launches

  void launches() {
    for (place i = 1; i + 2 < tokens_.size(); ++i) {
      if (is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && !is(i - 1, "operator")) translate_launch(i);
    }
  }

  void translate_launch(place open) {
    const place callee = callee_begin(open);
    const place close = launch_close(open);
    const place arguments = close + 3;
    if (close == open + 3) fail(open, "a launch needs grid and block: kernel<<<grid, block>>>(...)");
    const std::string text = tokens_.text(callee, open);
    const bool has_arguments = tokens_.partner(arguments) != arguments + 1;
    replace(callee, std::string(is(callee - 1, ":") ? " " : "") + "::cuda_emulator::launch(" + quoted(text) +
                        ", " + where(callee) + ", ::cuda_emulator::configuration(");
    erase(callee + 1, open + 3);
    replace(close, "), [=](const auto&... emulator_arguments) { " + text + "(emulator_arguments...); }");
    erase(close + 1, close + 3);
    replace(arguments, has_arguments ? ", " : "");
  }

  // Where the expression begins that is called by the launch: one that ends before `open`.
  place callee_begin(place open) const {
    place i = open;
    for (;;) {
      // What ends here is a name, template arguments, (...) or [...]; i moves to its beginning.
      place previous = i - 1;
      if (is(previous, ">")) {
        previous = tokens_.angles_begin(previous);
        if (previous == nowhere || previous == 0) fail(open, "cannot find what is launched here");
        --previous;
      }
      if (is(previous, ")") || is(previous, "]")) {
        i = tokens_.partner(previous);
        const bool postfix =
            i > 0 && (tokens_.is_name(i - 1) || is(i - 1, ">") || is(i - 1, "]") || is(i - 1, ")"));
        if (postfix && !follows_condition(i)) continue;
      } else if (tokens_.is_name(previous) || is(previous, "this")) {
        i = previous;
      } else {
        fail(open, "cannot find what is launched here");
      }
      if (i > 0 && is(i - 1, "template")) --i;
      if (i > 0 && is(i - 1, "::")) {
        --i;
        if (i > 0 && (tokens_.is_name(i - 1) || (is(i - 1, ">") && tokens_.angles_begin(i - 1) != nowhere)))
          continue;
        return i;
      }
      if (i > 0 && (is(i - 1, ".") || is(i - 1, "->"))) {
        --i;
        continue;
      }
      return i;
    }
  }

  // if (c) (f)<<<...: the parentheses before `open` are no part of the callee
  bool follows_condition(place open) const {
    if (!is(open - 1, ")")) return false;
    const place condition = tokens_.partner(open - 1);
    return condition > 0 &&
           (is(condition - 1, "if") || is(condition - 1, "for") || is(condition - 1, "while") ||
            is(condition - 1, "switch") || is(condition - 1, "constexpr"));
  }

  // The first > of the >>> that ends the configuration begun by the <<< at `open`.
  place launch_close(place open) const {
    std::size_t angles = 0;  // template arguments that are open here
    for (place i = open + 3; i < tokens_.size();) {
      if (is(i, ";") || is(i, "}") || is(i, ")") || is(i, "]")) break;
      angles += tokens_.is_angle(i);
      if (!is(i, ">")) {
        i = tokens_.after_group(i);
        continue;
      }
      place end = i;
      while (is(end, ">") && (end == i || tokens_.adjacent(end - 1) || end - i < 3)) ++end;
      const std::size_t run = end - i;
      if (run >= 3 && run > angles && is(end, "(")) return end - 3;
      angles -= std::min(angles, run);
      i = end;
    }
    fail(open, "cannot find the end of this launch: >>> and arguments in parentheses");
  }

  std::string_view source_;
  syntax tokens_;
  std::vector<bool> understood_;
  std::vector<edit> edits_;
};

}  // namespace

std::string translate(std::string_view source, std::string_view file) {
  return translation(source, quoted(file)).run();
}

}  // namespace cuda_emulator::translator
