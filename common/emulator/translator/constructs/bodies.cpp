// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "bodies.hpp"

#include <algorithm>
#include <string>

#include "ptx/ptx.hpp"
#include "variables.hpp"

namespace cuda_emulator::translator {
namespace {

// Of the host's C library, say, whose functions nobody calls from a kernel.
void translate_unless_of_system(editor& text, place i, place end) {
  if (!text[i].of_system) translate_assembly(text, i, end);
}

// The variables that are declared at the word `static`, if they are.
void translate_static(editor& text, place word, place body, bool of_both_sides,
                      std::vector<shared_name>& shared) {
  const place begin = text.statement_begin(word, body);
  place end = begin;
  bool cuda = false;  // static __shared__ and others say for themselves where they live
  for (; end < text.partner(body) && !text.is(end, ";"); end = text.after_group(end)) {
    if (text.is(end, "}")) return;
    cuda |= text.word(end) != cuda_word::none;
  }
  if (cuda || !text.is(end, ";")) return;
  const outline seen = text.outline_of(begin, end);
  if (seen.has_operator || text.is_function(seen)) return;  // of a local class
  translate_static_variables(text, begin, end, of_both_sides, shared);
}

bool has_own(const editor& text, std::string_view name) {
  for (place i = 1; i < text.size(); ++i) {
    if (!text.is(i, name) || text.is(i + 1, "<")) continue;
    for (const char* word : {"class", "struct", "union", "using", "concept", "auto", "bool", "::"}) {
      if (text.is(i - 1, word)) return true;
    }
  }
  return false;
}

}  // namespace

namespace {

// float a[n]; at the bracket, where n is a parameter: g++ would take it.
void refuse_variable_size(editor& text, place open, place body, const std::string& parameters) {
  place i = text.statement_begin(open, body);
  for (const char* word : {"return", "else", "do", "delete", "throw", "new", "case", "goto"})
    if (text.is(i, word)) return;
  int words = 0;
  bool is_shared = false;  // of which the compiler tells, but for warpSize
  for (; i < open; i = text.after_item(i)) {
    is_shared |= text.is(i, "__shared__");
    if (text[i].kind == token_kind::name)
      ++words;
    else if (!text.is(i, "["))
      return;
  }
  if (words < 2 || text.is(open - 1, "auto")) return;  // x[n] = 3;
  for (place in = open + 1; in < text.partner(open); ++in) {
    if (text.is(in, "sizeof") || text.is(in, "alignof") || text.is(in, "decltype")) return;
    const std::string name(text[in].spelling);
    const bool is_builtin = name == "threadIdx" || name == "blockIdx" || name == "blockDim" ||
                            name == "gridDim" || name == "warpSize";
    const bool is_parameter = text.is_name(in) && parameters.find("," + name + ",") != parameters.npos &&
                              !text.is(in + 1, ".") && !text.is(in + 1, "->") && !text.is(in + 1, "(") &&
                              !text.is(in + 1, "::");
    const bool is_member = text.is(in - 1, ".") || text.is(in - 1, "->") || text.is(in - 1, "::");
    if ((is_builtin || is_parameter) && !is_member && (!is_shared || name == "warpSize"))
      text.say(severity::error, in,
               "the size of an array must be constant in device code, and " + name +
                   " is not: make it a template parameter, or take the largest size that there is");
  }
}

}  // namespace

void translate_body(editor& text, place open, bool of_both_sides, const std::string& parameters,
                    std::vector<shared_name>& shared) {
  for (place i = open + 1; i < text.partner(open); ++i) {
    if (text.is_changed(i)) continue;
    if (!text[i].of_system && text.is(i, "thread_local"))
      text.fail(i, "thread_local is not for functions of the device");
    if (!text[i].of_system && text.is(i, "[") && i > open + 2)
      refuse_variable_size(text, i, open, parameters);
    if (text.is(i, "static")) translate_static(text, i, open, of_both_sides, shared);
    if (is_assembly(text, i) && !of_both_sides) translate_unless_of_system(text, i, text.partner(open));
  }
}

namespace {

// What a fetch from texture<T, dimensions, mode> returns; the name is at `word`.
std::string fetched_type(const editor& text, place word) {
  const place end = text.after_item(word);
  place comma = word + 2;
  while (comma < end - 1 && !text.is(comma, ",")) comma = text.after_item(comma);
  const std::string type = text.text(word + 2, comma);
  for (place i = comma; i < end; ++i) {
    if (!text.is(i, "cudaReadModeNormalizedFloat")) continue;
    return "float" + type.substr(std::min(type.size(), type.find_first_of("124")));
  }
  return type;
}

// Each fetch from the reference `name`, as it must be written today.
void show_fetches(editor& text, std::string_view name, const std::string& type) {
  for (place i = 0; i + 2 < text.size(); ++i) {
    if (!text[i].spelling.starts_with("tex") || !text.is(i + 1, "(") || !text.is(i + 2, name)) continue;
    text.say(severity::error, i,
             "write " + std::string(text[i].spelling) + "<" + type + ">" +
                 text.text(i + 1, text.after_group(i + 1)) + ", where " + std::string(name) +
                 " is a cudaTextureObject_t that the kernel gets");
  }
}

}  // namespace

void refuse_texture_references(editor& text) {
  for (const char* name : {"texture", "surface"}) {
    const bool is_texture = *name == 't';
    bool own = false, known = false;
    for (place i = 0; i < text.size() && !own; ++i) {
      if (!text.is(i, name) || !text.is(i + 1, "<")) continue;
      bool begins = i == 0;
      for (const char* mark : {";", "}", "{", "static", "extern", "const", ")"}) {
        begins = begins || text.is(i - 1, mark);
      }
      const place after = begins ? text.after_item(i) : i;
      if (after <= i + 1 || !text.is_name(after)) continue;
      if (!known) own = has_own(text, name);
      known = true;
      if (own) break;
      const std::string variable(text[after].spelling), object = is_texture ? "Texture" : "Surface";
      text.say(severity::error, i,
               std::string(name) +
                   " references left CUDA with version 12. Give the kernel a parameter, cuda" + object +
                   "Object_t " + variable + ", and make the object on the host, with cudaCreate" + object +
                   "Object()");
      if (is_texture) show_fetches(text, variable, fetched_type(text, i));
    }
  }
}

}  // namespace cuda_emulator::translator
