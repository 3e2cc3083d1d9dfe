// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "translate.hpp"

#include <cctype>
#include <vector>

#include "constructs/bodies.hpp"
#include "constructs/lambdas.hpp"
#include "constructs/launches.hpp"
#include "constructs/older.hpp"
#include "constructs/steps.hpp"
#include "constructs/subscripts.hpp"
#include "constructs/variables.hpp"
#include "host_device/host_device_checks.hpp"
#include "host_device/join.hpp"
#include "needless_calls.hpp"
#include "text/editor.hpp"

namespace cuda_emulator::translator {
namespace {

// Walks through the scopes of a source and finds the declarations with CUDA words in them.
class translation {
 public:
  translation(std::string_view source, std::string_view file, compilation mode, bool with_steps,
              bool mark_host)
      : text_(source, file), mode_(mode), with_steps_(with_steps), mark_host_(mark_host) {}

  std::string run(std::string* warnings, bool check_host_device, bool relaxed_constexpr,
                  std::string* behind) {
    const std::vector<device_lambda> lambdas = erase_words_of_lambdas(text_);
    refuse_texture_references(text_);
    accept_older_standards(text_);
    spell_out_noinline();
    for (place i = 0; i < text_.size();) i = declaration(i, text_.size(), scope::of_namespace);
    for (const device_lambda& lambda : lambdas) device_body(lambda.body, lambda.of_both_sides, {});
    translate_launches(text_);
    capture_shared(text_, shared_);
    for (const noted_function& each : noted_) note_steps(text_, each);
    if (check_host_device) host_device_.check(mode_ == compilation::separate, relaxed_constexpr);
    for (place i = 0; i < text_.size(); ++i) {
      if (text_.word(i) != cuda_word::none) fail_at(i, "is not understood here");
    }
    if (warnings) *warnings = text_.messages();
    std::string result = text_.result();
    if (behind) *behind = subscripts_.table(text_, result, shared_);
    return result;
  }

 private:
  [[noreturn]] void fail_at(place i, const char* message) const {
    text_.fail(i, std::string(text_[i].spelling) + " " + message);
  }

  // CUDA's __noinline__ cannot be a macro: the standard library writes __attribute__((__noinline__)).
  void spell_out_noinline() {
    for (place i = 0; i < text_.size(); ++i) {
      const bool in_attribute = i > 0 && (text_.is(i - 1, "(") || text_.is(i - 1, ","));
      if (text_.is(i, "__noinline__") && !in_attribute) text_.replace(i, "__attribute__((noinline))");
    }
  }

  // `template int f<int>(int);` is meant for other files to link with; what is instantiated by use is not.
  // This mark is how the object file tells them apart (see emucc.in).
  void mark_instantiation(place begin) {
    const bool of_class =
        text_.is(begin + 1, "class") || text_.is(begin + 1, "struct") || text_.is(begin + 1, "union");
    text_.insert_after(of_class ? begin + 1 : begin, " __attribute__((visibility(\"protected\")))");
  }

  // Translates the declaration at `begin`, in a namespace or a class, and returns the place behind it.
  place declaration(place begin, place end, scope where) {
    if (text_.is(begin + 1, ":")) return begin + 2;  // public:
    if (text_.is(begin, "template") && !text_.is(begin + 1, "<")) mark_instantiation(begin);
    bool initializes = false, initializes_members = false;
    for (place i = begin; i < end; i = text_.after_group(i)) {
      if (text_.is(i, ";")) {
        host_device_.declaration(begin, i, nowhere, where);
        declared(begin, i, nowhere, where);
        return i + 1;
      }
      if (text_.is(i, "(") || text_.is(i, "[")) statements(i);
      if (!text_.is(i, "{")) continue;

      // One of many initializers: what the first has shown holds for all.
      if (initializes || (initializes_members && text_.follows_name(i))) {
        statements(i);
        continue;
      }
      const outline seen = text_.outline_of(begin, i);
      initializes = seen.has_initializer;
      initializes_members = seen.has_member_initializers;
      const bool linkage =
          i >= begin + 2 && text_.is(i - 2, "extern") && text_[i - 1].kind == token_kind::text;
      if (linkage || seen.has_namespace) {
        host_device_.enter_namespace(begin, i);
        declarations(i, scope::of_namespace);
        host_device_.leave();
        return text_.after_group(i);
      }
      if (text_.opens_body(seen, i)) {
        host_device_.declaration(begin, i, i, where);
        declared(begin, i, i, where);
        if (mark_host_ && is_of_host(begin, i)) mark_host(begin, i, seen);
        statements(i);
        return text_.after_group(i);
      }
      const bool class_body =
          seen.has_class && !seen.has_enum && !seen.has_initializer && seen.parameters == nowhere;
      if (class_body) {
        host_device_.enter_class(begin, i);
        declarations(i, scope::of_class);  // variables of the class may follow
        host_device_.leave();
      } else {
        statements(i);  // an initializer, which may hold lambdas
      }
    }
    declared(begin, end, nowhere, where);
    return end;
  }

  // Between the braces at `open`.
  void declarations(place open, scope where) {
    for (place i = open + 1; i < text_.partner(open);) i = declaration(i, text_.partner(open), where);
  }

  // The compiler's output shows which functions are of the host, and those with loops are compiled so that
  // calls before accesses cost less. All others stay as they are: g++ puts no function with an attribute of
  // its own into one that has another.
  void mark_host(place begin, place body, const outline& seen) {
    text_.insert_after(body, std::string(host_mark));
    if (seen.name == nowhere || seen.name + 1 != seen.parameters || seen.has_operator ||
        !has_type(begin, seen.name) || declares_functions(body))
      return;
    for (place i = body; i < text_.partner(body); ++i) {
      for (const char* word : {"for", "while", "do", "goto"}) {
        if (text_.is(i, word)) return text_.insert_after(seen.name, std::string(host_attribute));
      }
    }
  }

  // Are there functions in this body, such as lambdas, or does it become several? They would get its
  // attribute, but have no mark. Launches become lambdas.
  bool declares_functions(place body) const {
    for (place i = body + 1; i < text_.partner(body); ++i) {
      if (text_.word(i) != cuda_word::none) return true;
      for (const char* word : {"struct", "class", "union", "<<<", "co_await", "co_yield", "co_return"})
        if (text_.is(i, word)) return true;
      if (text_.is(i, "[") && may_begin_lambda(i)) return true;
    }
    return false;
  }
  bool may_begin_lambda(place i) const {
    if (text_.is(i + 1, "[") || text_.is(i - 1, "[")) return false;  // of an attribute
    if (text_.is(i - 1, "auto")) return false;                       // of several names
    if ((text_.is(i - 1, "&") || text_.is(i - 1, "&&")) && text_.is(i - 2, "auto")) return false;
    for (const char* word : {"return", "else", "do", "throw", "and", "or", "not", "case"})
      if (text_.is(i - 1, word)) return true;
    const char last = text_[i - 1].spelling.back();  // of a value, or of a type behind new
    return last != ')' && last != ']' && last != '>' && last != '_' && last != '"' &&
           std::isalnum(static_cast<unsigned char>(last)) == 0;
  }

  // Has the function declared from `begin` on a type before its name? Not so destructors, and constructors,
  // whose mark would come behind what they initialize.
  bool has_type(place begin, place name) const {
    if (name > begin && text_.is(name - 1, "~")) return false;  // behind its class, S::~S()
    while (name >= begin + 2 && text_.is(name - 1, "::")) {
      name -= 2;
      if (text_.is(name, ">")) name = text_.angles_begin(name);
      if (name == nowhere) return false;
      if (text_.is(name, "<") && name > begin) --name;
    }
    for (place i = begin; i < name; i = text_.after_item(i)) {
      bool other = text_[i].kind != token_kind::text && !text_.is(i, "~");
      for (const char* word : {"template", "explicit", "inline", "virtual", "friend", "static", "extern"})
        other = other && !text_.is(i, word);
      if (other && text_.after_specifier(i) == i) return true;
    }
    return false;
  }

  // Statements or expressions between the brackets at `open`. Functions can be among them: members of local
  // classes.
  void statements(place open) {
    const place end = text_.partner(open);
    for (place i = open + 1; i < end; ++i) {
      if (text_.word(i) == cuda_word::none) continue;
      const place first = text_.statement_begin(i, open);
      place last = i;
      while (last < end && !text_.is(last, ";")) {
        if (text_.is(last, "{") && text_.opens_body(text_.outline_of(first, last), last)) break;
        last = text_.after_group(last);
      }
      declared(first, last, text_.is(last, "{") ? last : nowhere, scope::of_function);
    }
  }

  // [begin, end) is a declaration without its semicolon, or a function up to the brace `body`.
  void declared(place begin, place end, place body, scope where) {
    place kernel = nowhere, word = nowhere;
    for (place i = begin; i < end; i = text_.after_group(i)) {
      if (text_.word(i) == cuda_word::unsupported) fail_at(i, "is not available on the emulated device");
      if (text_.word(i) == cuda_word::kernel) kernel = i;
      if (text_.word(i) != cuda_word::none) word = i;
    }
    if (word == nowhere) return;
    if (body == nowhere && !text_.is(end, ";")) fail_at(word, "is not understood here");
    const outline seen = text_.outline_of(begin, end);
    bool of_both_sides = false;
    if (body != nowhere && is_of_device(begin, end, of_both_sides)) device_body(body, of_both_sides, seen);
    if (with_steps_ && body != nowhere) find_noted(begin, end, body, kernel != nowhere, seen);
    if (kernel != nowhere) {
      translate_kernel(kernel, begin, end, body, seen, where);
    } else if (body != nowhere || text_.is_function(seen)) {
      translate_function(begin, end, body != nowhere && where == scope::of_namespace, seen);
    } else {
      if (where != scope::of_function) {
        for (place i = begin; i < end; ++i) {
          if (text_.is_name(i)) subscripts_.leave_out(text_[i].spelling);
        }
      }
      translate_variables(text_, begin, end, where, mode_ == compilation::whole, shared_);
    }
  }

  // A function of the program's own that no kernel calls, as far as its declaration tells.
  bool is_of_host(place begin, place body) const {
    if (text_[body].of_system) return false;
    for (place i = begin; i < body; i = text_.after_group(i)) {
      if (text_.word(i) != cuda_word::none && text_.word(i) != cuda_word::host) return false;
      for (const char* word : {"constexpr", "consteval", "__device__", "__global__"})
        if (text_.is(i, word)) return false;
    }
    return true;
  }

  // A function of the program's own that runs on the device only, and when the program runs.
  void find_noted(place begin, place end, place body, bool is_kernel, const outline& seen) {
    bool both_sides = false;
    if (!is_of_device(begin, end, both_sides) || both_sides || text_[body].of_system || seen.name == nowhere)
      return;
    for (place i = begin; i < end; i = text_.after_group(i))
      if (text_.is(i, "constexpr") || text_.is(i, "consteval")) return;
    noted_.push_back({seen.parameters, body, std::string(text_[seen.name].spelling), is_kernel});
  }

  void device_body(place body, bool of_both_sides, const outline& seen) {
    if (text_.is(body + 2,
                 device_side_word)) {  // { if emulator_device_side { } else emulator_host_side { } }
      device_body(body + 3, false, seen);
      text_.replace(body + 2, "(!__builtin_is_constant_evaluated() && ::cuda_emulator::in_kernel())");
      // Clang would read what either side reads, and then choose; this it cannot do beforehand.
      text_.insert_after(body + 3, " asm volatile(\"\");");
      text_.erase(text_.partner(body + 3) + 2, text_.partner(body + 3) + 3);
      return;
    }
    const bool has_parameters = seen.parameters != nowhere && text_.is(seen.parameters, "(");
    translate_body(text_, body, of_both_sides,
                   has_parameters ? "," + parameter_names(seen.parameters) + "," : "", shared_);
    subscripts_.collect(text_, body, of_both_sides);
  }

  // A kernel or a function with __device__; whether with __host__, too.
  bool is_of_device(place begin, place end, bool& of_both_sides) const {
    bool device = false, host = false;
    for (place i = begin; i < end; i = text_.after_group(i)) {
      host |= text_.word(i) == cuda_word::host;
      device |= text_.word(i) == cuda_word::device || text_.word(i) == cuda_word::kernel;
    }
    of_both_sides = host;
    return device;
  }

  void translate_function(place begin, place end, bool is_definition, const outline& seen) {
    // A function that only the device has, and that other files could call.
    bool is_internal = mode_ == compilation::whole && is_definition && seen.name != nowhere &&
                       seen.name > begin && !text_.is(seen.name - 1, "::");
    for (place i = begin; i < end; i = text_.after_group(i)) {
      for (const char* word :
           {"template", "static", "inline", "__inline__", "__inline", "constexpr", "consteval"}) {
        if (text_.is(i, word)) is_internal = false;
      }
      if (text_.word(i) == cuda_word::host || (i < seen.name && text_.is(i, "*"))) is_internal = false;
    }
    for (place i = begin; i < end; i = text_.after_group(i)) {
      const cuda_word word = text_.word(i);
      if (word == cuda_word::none) continue;
      if (word == cuda_word::launch_bounds) fail_at(i, "belongs to a __global__ function");
      if (word != cuda_word::device && word != cuda_word::host) fail_at(i, "does not belong to a function");
      text_.replace(i, is_internal ? internal_mark : "");
      is_internal = false;
    }
  }

  void translate_kernel(place kernel, place begin, place end, place body, const outline& seen, scope where) {
    if (seen.parameters == nowhere || seen.has_operator) fail_at(kernel, "belongs to a function");
    std::string bound = "0";
    bool returns_void = false, is_friend = false;
    for (place i = begin; i < end; i = text_.after_group(i)) {
      returns_void |= text_.is(i, "void");
      is_friend |= text_.is(i, "friend");
      const cuda_word word = text_.word(i);
      if (word == cuda_word::launch_bounds) {
        if (!text_.is(i + 1, "(")) fail_at(i, "needs arguments in parentheses");
        const place first = i + 2;
        place comma = first;
        while (comma < text_.partner(i + 1) && !text_.is(comma, ",")) comma = text_.after_item(comma);
        if (text_.is(i, "__launch_bounds__")) bound = text_.text(first, comma);
        text_.erase(i, text_.after_group(i + 1));
      } else if (word != cuda_word::none && word != cuda_word::kernel) {
        fail_at(i, "cannot stand beside __global__");
      }
    }
    if (!returns_void) fail_at(kernel, "is for functions that return void");
    for (place i = seen.parameters + 1; i < text_.partner(seen.parameters); i = text_.after_item(i)) {
      if (text_.is(i, "...") && (text_.is(i - 1, ",") || i == seen.parameters + 1))
        text_.fail(i, "a kernel cannot have arguments without parameters (...)");
      if (text_.is(i, "&&")) text_.fail(i, "a kernel cannot have a parameter that is a reference (&&)");
    }
    for (place i = text_.after_group(seen.parameters); i < end; i = text_.after_group(i))
      if (text_.is(i, "noexcept")) text_.fail(i, "a kernel cannot be noexcept");
    if (is_friend && body != nowhere)
      fail_at(kernel, "is not for a function that a friend declaration defines");
    if (where == scope::of_class && !is_friend) fail_at(kernel, "is not for members of a class");
    if (where == scope::of_function && body != nowhere) fail_at(kernel, "is not for members of a class");

    text_.replace(kernel, body == nowhere ? "" : "__attribute__((noinline))");
    if (body == nowhere) return;
    text_.insert_after(body, " static constinit ::cuda_emulator::kernel_record emulator_record{" +
                                 in_quotes(text_[seen.name].spelling) + ", " + text_.where(seen.name) + ", " +
                                 bound + ", " + in_quotes(parameter_names(seen.parameters)) + ", " +
                                 launch_maker(seen.parameters) +
                                 "}; if (::cuda_emulator::enter(emulator_record)) return;");
  }

  // What makes a launch from the addresses of its arguments, by the types of the parameters. A pack of them
  // and one without a name have no type here.
  std::string launch_maker(place open) const {
    for (place i = open + 1; i < text_.partner(open); i = text_.after_item(i))
      if (text_.is(i, "...")) return "nullptr";
    const bool none =
        text_.partner(open) == open + 1 || (text_.partner(open) == open + 2 && text_.is(open + 1, "void"));
    std::string types, names = none ? "" : parameter_names(open) + ",";
    for (std::size_t end; (end = names.find(',')) != names.npos; names.erase(0, end + 1)) {
      if (end == 0) return "nullptr";
      types += (types.empty() ? "decltype(" : ", decltype(") + names.substr(0, end) + ")";
    }
    return "&::cuda_emulator::make_launch<" + types + ">";
  }

  // "x,samples,y"; nothing between the commas where a parameter has no name behind its type.
  std::string parameter_names(place open) const {
    std::string names;
    bool has_type = false;
    for (place i = open + 1; i < text_.partner(open);) {
      const place next = text_.after_item(i);
      const bool last =
          text_.is(next, ",") || text_.is(next, "=") || text_.is(next, "[") || text_.is(next, ")");
      if (text_.is(i, ",")) {
        names += ",";
        has_type = false;
      } else if (text_.is(i, "=")) {
        for (i = next; i < text_.partner(open) && !text_.is(i, ",");) i = text_.after_item(i);
        continue;
      } else if (has_type && last && next == i + 1 && text_.is_name(i)) {
        names += text_[i].spelling;
      } else if (has_type && text_.is(i, "(") && (text_.is(i + 1, "*") || text_.is(i + 1, "&"))) {
        for (place j = i + 2; j < next; ++j)  // T (*name)[3]
          if (text_.is_name(j) && (text_.is(j + 1, ")") || text_.is(j + 1, "["))) names += text_[j].spelling;
      } else {
        has_type = true;
      }
      i = next;
    }
    return names;
  }

  editor text_;
  host_device_checks host_device_{text_};
  const compilation mode_;
  const bool with_steps_, mark_host_;
  std::vector<shared_name> shared_;
  std::vector<noted_function> noted_;
  subscripts subscripts_;
};

}  // namespace

std::string translate(std::string_view source, std::string_view file, compilation mode, std::string* warnings,
                      bool check_host_device, bool with_steps, std::string* behind, bool mark_host,
                      bool relaxed_constexpr) {
  const std::string name = in_quotes(file);
  return translation(source, name, mode, with_steps, mark_host)
      .run(warnings, check_host_device, relaxed_constexpr, behind);
}

}  // namespace cuda_emulator::translator
