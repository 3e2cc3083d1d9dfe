// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "body_check.hpp"

#include <array>
#include <cctype>

#include "constructs/lambdas.hpp"
#include "join.hpp"
#include "source_files.hpp"

namespace cuda_emulator::translator {
namespace {

// Their operand is not evaluated, or none.
constexpr std::array<std::string_view, 17> unevaluated = {
    "__attribute__", "__attribute", "alignas",     "asm",      "__asm__",    "__asm",
    "sizeof",        "alignof",     "__alignof__", "decltype", "__decltype", "noexcept",
    "__typeof__",    "requires",    "typeid",      "typeof",   "__alignof"};

// Functions of the C library that the headers declare and no GPU has.
constexpr std::array<std::string_view, 33> of_the_host = {
    "rand",    "srand",   "exit",   "puts",    "putchar",  "fprintf", "fputs",  "fopen",  "fclose",
    "fflush",  "fread",   "fwrite", "sprintf", "snprintf", "scanf",   "sscanf", "fscanf", "getenv",
    "usleep",  "sleep",   "strcmp", "strcpy",  "strncpy",  "time",    "atoi",   "atof",   "calloc",
    "realloc", "getchar", "system", "abort",   "memcmp",   "perror"};

// Of the runtime: what an answer can be given to in a kernel, too.
constexpr std::array<std::string_view, 7> runtime_of_both = {
    "cudaGetErrorString", "cudaGetErrorName",   "cudaGetLastError",      "cudaPeekAtLastError",
    "cudaGetDevice",      "cudaGetDeviceCount", "cudaDeviceGetAttribute"};

// The same where kernels launch kernels.
constexpr std::array<std::string_view, 4> runtime_of_launching_kernels = {
    "cudaMalloc", "cudaFree", "cudaStreamCreateWithFlags", "cudaStreamDestroy"};

// Functions of the device in our headers, of which host code is most likely to call one.
bool is_of_device(std::string_view name) {
  for (const char* prefix :
       {"__syncthreads",  "__syncwarp",    "__shfl_",    "__ballot_sync", "__any_sync",     "__all_sync",
        "__match_",       "__threadfence", "__popc",     "__clz",         "__ffs",          "__brev",
        "__float_as_",    "__int_as_",     "__uint_as_", "__double_as_",  "__longlong_as_", "__sinf",
        "__cosf",         "__tanf",        "__expf",     "__exp10f",      "__logf",         "__log2f",
        "__log10f",       "__powf",        "__fdividef", "__saturatef",   "__fmaf_r",       "__fadd_r",
        "__fmul_r",       "__frcp_r",      "__fsqrt_r",  "__dadd_r",      "__dmul_r",       "__float2int",
        "__int2float",    "__mul24",       "__umul24",   "__mulhi",       "__umulhi",       "__byte_perm",
        "__funnelshift_", "__ldg",         "__ldc",      "__stc",         "__activemask",   "__nanosleep",
        "atomic"}) {
    if (name.starts_with(prefix)) {
      return *prefix != 'a' || (name.size() > 6 && std::isupper(static_cast<unsigned char>(name[6])));
    }
  }
  return false;
}

// Classes of the standard library that live on the heap, none of whose constructors is constexpr.
constexpr std::array<std::string_view, 20> heap_classes = {
    "map",   "set",    "multimap", "multiset", "unordered_map",  "unordered_set", "list",
    "deque", "queue",  "stack",    "function", "ostringstream",  "istringstream", "stringstream",
    "mutex", "thread", "ofstream", "ifstream", "priority_queue", "fstream"};

}  // namespace

// ---- the walk

void host_device_checks::body_check::run() {
  collect_own_names();
  if (function_.where != side::host) collect_library_objects();
  for (place i = function_.body + 1; i < end_;) {
    while (!frames_.empty() && frames_.back().end <= i) frames_.pop_back();
    while (!open_.empty() && text_.partner(open_.back()) <= i) open_.pop_back();
    const token& t = text_[i];
    if (t.spelling == "[" && begins_lambda(text_, i)) {
      if (const place body = lambda_body(text_, i); body != nowhere && body < end_) {
        i = enter_lambda(i, body);
        continue;
      }
    }
    if (t.spelling == "(" || t.spelling == "[" || t.spelling == "{") open_.push_back(i);
    if (t.spelling == "<" && text_.is(i + 1, "<") && text_.is(i + 2, "<")) {
      if (here() == side::device && !all_.kernels_may_launch_ && is_sure(i, {})) {
        say(severity::error, i, "<<<",
            who() + " launches a kernel: this needs the option -rdc=true, as with nvcc");
      }
      i += 3;
      continue;
    }
    if (t.kind != token_kind::name) {
      ++i;
      continue;
    }
    if (t.spelling == device_side_word || t.spelling == host_side_word) {
      const side where = t.spelling == host_side_word ? side::host : side::device;
      frames_.push_back({text_.partner(i + 1), where, function_.returns_value, false});
      ++i;
      continue;
    }
    if (contains(unevaluated, t.spelling)) {
      if (text_.is(i + 1, "(")) {
        i = text_.after_group(i + 1);
      } else {
        for (++i;
             i < end_ && (text_.is_name(i) || text_.is(i, "::") || text_.is(i, "...") || text_.is(i, "*"));)
          ++i;
      }
      continue;
    }
    if (t.spelling == "if" && text_.is(i + 1, "constexpr")) {
      i = skip_statement(i);
      continue;
    }
    if (t.spelling == "struct" || t.spelling == "class" || t.spelling == "union" || t.spelling == "enum") {
      place j = i + 1;  // a local class is not looked into
      while (j < end_ && (text_.is_name(j) || text_.is(j, ":") || text_.is(j, "::") || text_.is(j, "public")))
        j = text_.after_item(j);
      i = text_.is(j, "{") ? text_.after_group(j) : i + 1;
      continue;
    }
    if (t.spelling == "throw" || t.spelling == "try") {
      if (here() != side::host && function_.is_emitted && is_sure(i, t.spelling)) {
        say(severity::error, i, "throw", who() + " uses exceptions, which device code does not have");
      }
    } else if (text_.is_name(i)) {
      name(i);
    }
    ++i;
  }
}

// Captures, parameters and what stands between them are not looked at.
place host_device_checks::body_check::enter_lambda(place i, place body) {
  frame inner{text_.partner(body), here(), true, true};
  bool device = false, host = false;
  for (place j = text_.after_group(i); j < body; ++j) {
    device |= text_.is(j, "__device__");
    host |= text_.is(j, "__host__");
    if (text_.is(j, "->")) {
      for (; j < body; ++j) inner.returns_value &= !text_.is(j, "&") && !text_.is(j, "decltype");
    }
  }
  if (device) inner.where = host ? side::both : side::device;
  frames_.push_back(inner);
  open_.push_back(body);
  return body + 1;
}

// Behind if constexpr (...) statement else statement: which of them is compiled is not known.
place host_device_checks::body_check::skip_statement(place i) const {
  const auto after = [&](place j) {
    if (text_.is(j, "{")) return text_.after_group(j);
    while (j < end_ && !text_.is(j, ";")) j = text_.after_group(j);
    return std::min(j + 1, end_);
  };
  while (text_.is(i, "if") && text_.is(i + 1, "constexpr") && text_.is(i + 2, "(")) {
    i = after(text_.after_group(i + 2));
    if (!text_.is(i, "else")) return i;
    ++i;
    if (text_.is(i, "if")) {
      if (text_.is(i + 1, "constexpr")) continue;
      return i;
    }
    return after(i);
  }
  return i + 1;
}

void host_device_checks::body_check::name(place i) {
  const std::string_view word = text_[i].spelling;
  if (text_.is(i + 1, "::")) {
    if (word == "std" && here() == side::device && !text_.is(i - 1, "::")) library_class(i);
    return;
  }
  if (here() != side::host && library_member(i)) return;
  const bool is_member = text_.is(i - 1, ".") || text_.is(i - 1, "->");
  const bool is_qualified = text_.is(i - 1, "::");
  const auto found = all_.names_.find(word);
  const known* const k = found == all_.names_.end() ? nullptr : &found->second;
  if (own_.contains(word) && !is_qualified) return;
  if (!is_member && !is_qualified && !k) return stream(i);
  if (!k) return;

  const auto begins_launch = [&](place at) {
    return text_.is(at, "<") && text_.is(at + 1, "<") && text_.is(at + 2, "<");
  };
  const place after = text_.is(i + 1, "<") && !begins_launch(i + 1) ? text_.after_item(i) : i + 1;
  if (begins_launch(after) && !is_member) return launched(i, *k);
  if (text_.is(after, "<") && text_.is(after + 1, "<") && !is_member) return shifted(i, after, *k);
  if (text_.is(after, "(")) return call(i, is_member, k);
  if (is_member) return;

  // A variable: all of that name must be alike, and it must be visible here.
  if (!k->is_variable || !k->are_alike || k->is_other || k->of_namespace.any()) return;
  place first = i;
  if (is_qualified) {
    first = i - 1;
    while (text_.is_name(first - 1)) {
      if (!all_.namespaces_.contains(text_[first - 1].spelling)) return;
      --first;
      if (!text_.is(first - 1, "::")) break;
      --first;
    }
    if (text_.is(first - 1, ">")) return;
  } else if (function_.is_member && (k->is_member || function_.has_bases)) {
    return;
  }
  const variable& v = *k->is_variable;
  if (v.of_device && here() != side::device) device_variable(i, first, v);
  if (!v.of_device && here() != side::host) host_variable(i, *k);
}

// std::cout, or cout behind using namespace std
void host_device_checks::body_check::stream(place i) {
  const std::string_view word = text_[i].spelling;
  if (here() != side::device || !function_.is_emitted) return;
  if (word != "cout" && word != "cerr" && word != "clog") return;
  if (text_.is(i + 1, "<") && is_sure(i, word)) {
    say(severity::error, i, word,
        who() + " uses " + std::string(word) + ", which is the host's: use printf()");
  }
}

// std::map<int, int> m; at the word std
void host_device_checks::body_check::library_class(place i) {
  const place name = i + 2;
  if (!function_.is_emitted || !text_.is_name(name)) return;
  if (!all_.names_.contains(text_[name].spelling)) stream(name);
  // Constexpr constructors, that is, for which there is an option.
  const bool is_constexpr = text_.is(name, "vector") || text_.is(name, "string");
  if (!contains(heap_classes, text_[name].spelling) && (!is_constexpr || all_.relaxed_constexpr_)) return;
  const place after = text_.after_item(name);
  const bool begins = text_.is(i - 1, ";") || text_.is(i - 1, "{") || text_.is(i - 1, "}");
  if (!begins || !text_.is_name(after)) return;
  if (!text_.is(after + 1, ";") && !text_.is(after + 1, "(") && !text_.is(after + 1, "{") &&
      !text_.is(after + 1, "="))
    return;
  if (is_sure(name, text_[name].spelling)) {
    say(severity::error, name, text_[name].spelling,
        who() + " uses std::" + std::string(text_[name].spelling) + ", which is the host's");
  }
}

// f<<<grid, block>>>(...), where no f is a kernel
void host_device_checks::body_check::launched(place i, const known& k) {
  const bool is_function =
      k.of_namespace.any() && !k.is_other && !k.is_variable && !k.of_system && !k.is_member;
  if (!is_function || k.of_namespace.kernels > 0 || here() == side::device) return;
  const std::string_view word = text_[i].spelling;
  const std::string name(word);
  if (!said_.insert(name).second) return;
  text_.say(severity::error, k.declared.front().second,
            name + "() is launched, but is no kernel: write __global__ in front of its declaration");
  text_.say(severity::note, i, name + "() is launched here");
}

// k<<blocks, threads>>(...), where k is a kernel: no shift, but a launch that lacks brackets
void host_device_checks::body_check::shifted(place i, place open, const known& k) {
  const bool is_kernel =
      k.of_namespace.only_kernels() && !k.is_other && !k.is_variable && !k.of_system && !k.is_member;
  if (!is_kernel || !text_.adjacent(open)) return;
  if (text_.is(i - 1, "::") && text_.is_name(i - 2) && !all_.namespaces_.contains(text_[i - 2].spelling))
    return;
  for (place end = open + 2; end < end_; end = text_.after_group(end)) {
    for (const char* word : {";", "{", "}", ")", "]"})
      if (text_.is(end, word)) return;
    if (!text_.is(end, ">") || !text_.is(end + 1, ">")) continue;
    if (!text_.is(end + 2, "(") && !(text_.is(end + 2, ">") && text_.is(end + 3, "("))) continue;
    const std::string_view word = text_[i].spelling;
    say(severity::error, i, word,
        "a launch has three brackets on each side: " + std::string(word) + "<<<blocks, threads>>>(...)");
    return;
  }
}

void host_device_checks::body_check::call(place i, bool is_member, const known* k) {
  const std::string_view word = text_[i].spelling;
  const std::string shown = std::string(word) + "()";
  const bool of_device = here() == side::device;
  if (here() != side::host && !is_member && library_call(i)) return;

  functions candidates = k->of_namespace;
  bool is_ours = !k->is_other && !k->is_variable && !k->of_system;
  bool of_std = false;
  if (is_member) {
    candidates = k->of_class;
    is_ours = !k->is_other_member && !k->of_system_class;
  } else if (text_.is(i - 1, "::")) {
    if (text_.is_name(i - 2)) {
      const std::string_view qualifier = text_[i - 2].spelling;
      of_std = qualifier == "std" && !text_.is(i - 3, "::");
      if (const auto c = all_.classes_.find(qualifier); c != all_.classes_.end()) {
        const auto m = c->second.members.find(word);
        if (m == c->second.members.end() || c->second.has_bases) return;
        candidates = m->second;
        is_ours = true;
      } else if (!all_.namespaces_.contains(qualifier) && !of_std) {
        return;
      }
    } else if (text_.is(i - 2, ">")) {
      return;
    }
  } else if (function_.is_member) {
    if (function_.has_bases || k->is_other_member) return;
    candidates.host += k->of_class.host;
    candidates.device += k->of_class.device;
    candidates.both += k->of_class.both;
    candidates.has_constexpr |= k->of_class.has_constexpr;
    candidates.has_consteval |= k->of_class.has_consteval;
  }

  if (is_ours && !of_std) {
    const bool is_used = !function_.is_template || (function_.where != side::host && function_.is_emitted);
    if (candidates.only_kernels() && !is_member && is_used && (here() == side::host || is_sure(i, word))) {
      say(severity::error, i, word,
          shown + " is a kernel: launch it with " + std::string(word) + "<<<blocks, threads>>>(...)");
    } else if (candidates.only_host() && here() != side::host && function_.is_emitted && is_sure(i, word) &&
               !(candidates.has_constexpr && all_.relaxed_constexpr_) && is_surely_of_host(*k)) {
      const std::string what = candidates.has_constexpr ? ", a constexpr function of the host"
                                                        : ", a function of the host",
                        otherwise =
                            candidates.has_constexpr ? ", or compile with --expt-relaxed-constexpr" : "";
      if (of_device && !is_joined()) {
        say(severity::error, i, word,
            who() + " calls " + shown + what + ": declare it __device__, or __host__ __device__" + otherwise);
      } else if (!function_.is_unchecked && (frames_.empty() || is_joined())) {
        say(severity::warning, i, word,
            who() + " calls " + shown + what + ", which a GPU does not have" + otherwise);
      }
    } else if (candidates.only_device() && !of_device && !function_.is_template &&
               (here() == side::host || is_sure(i, word))) {
      say(severity::error, i, word,
          who() + " calls " + shown +
              ", a function of the device: call it in a kernel, or declare it __host__ __device__");
    }
    return;
  }

  const bool of_library = k->of_system && !candidates.any() && !is_member && !k->is_variable;
  if (!of_library) return;
  const bool of_runtime = word.starts_with("cuda") && word.size() > 4 &&
                          std::isupper(static_cast<unsigned char>(word[4])) &&
                          !contains(runtime_of_both, word);
  if (of_device && function_.is_emitted && of_runtime && is_sure(i, word)) {
    if (all_.kernels_may_launch_ && contains(runtime_of_launching_kernels, word)) return;
    say(severity::error, i, word,
        word == "cudaDeviceSynchronize"
            ? who() + " calls " + shown +
                  ": since CUDA 12 a kernel cannot wait for the kernels that it launches. Launch what comes "
                  "after them into the stream cudaStreamTailLaunch, or from the host"
            : who() + " calls " + shown + ": only the host can call the runtime, on the emulated device");
  } else if (of_device && function_.is_emitted && contains(of_the_host, word) && is_sure(i, word)) {
    say(severity::error, i, word, who() + " calls " + shown + ", which a GPU does not have");
  } else if (here() == side::host && is_of_device(word) && !function_.is_template) {
    say(severity::error, i, word, who() + " calls " + shown + ", which is for device code");
  }
}

// ---- variables of the host in device code

bool host_device_checks::body_check::varies(place begin, place end) const {
  for (place i = begin; i < end; ++i) {
    for (const char* word : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
      if (text_.is(i, word)) return true;
    }
    const bool is_member = text_.is(i - 1, ".") || text_.is(i - 1, "->") || text_.is(i - 1, "::");
    if (!is_member && text_.is_name(i) && varying_.contains(text_[i].spelling)) return true;
  }
  return false;
}

// A const number is a number to nvcc, and a const table is one where the index is known to it.
void host_device_checks::body_check::host_variable(place i, const known& k) {
  const variable& v = *k.is_variable;
  if (!function_.is_emitted || v.is_reference) return;
  if (v.is_const) {
    if (v.bounds == 0 || !text_.is(i + 1, "[") || !varies(i + 2, text_.partner(i + 1))) return;
  }
  const std::string_view word = text_[i].spelling;
  if (!is_sure(i, word) || !is_surely_of_host(k)) return;
  const char* const advice = v.is_const ? ": declare it __constant__ or __device__"
                                        : ": pass it to the kernel, or declare it __device__";
  say(severity::error, i, word, who() + " uses " + std::string(word) + ", a variable of the host" + advice);
}

// ---- saying it

std::string host_device_checks::body_check::who() const {
  const std::string name = text_.text(function_.name, std::max(function_.name + 1, function_.parameters));
  const bool in_lambda =
      !frames_.empty() && frames_.back().is_lambda && frames_.back().where != function_.where;
  if (in_lambda) return "a __device__ lambda in " + name + "()";
  return function_.is_kernel ? "kernel " + name : name + "()";
}

// Device code is compiled with __CUDA_ARCH__, which may change what a macro is and what lies behind an #if.
bool host_device_checks::body_check::is_sure(place i, std::string_view word) {
  const bool plain = all_.files_->shows(text_[function_.name], text_[function_.name].spelling);
  return plain && all_.files_->shows(text_[i], word.empty() ? std::string_view("<<<") : word);
}

// A function or a variable is of the host because nothing else is said where it is declared.
bool host_device_checks::body_check::is_surely_of_host(const known& name) {
  if (!name.is_plain) {
    name.is_plain = std::all_of(name.declared.begin(), name.declared.end(), [&](const auto& d) {
      const token& declared = text_[d.second];
      return all_.files_->shows(declared, declared.spelling) &&
             all_.files_->shows_all(text_, d.first, d.second);
    });
  }
  return *name.is_plain;
}

void host_device_checks::body_check::say(severity how, place i, std::string_view about,
                                         const std::string& text) {
  if (said_.insert(std::string(about)).second) text_.say(how, i, text);
}

}  // namespace cuda_emulator::translator
