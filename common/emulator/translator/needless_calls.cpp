// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "needless_calls.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cuda_emulator::translator {
namespace {

enum class caller { device, host, either };

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// By a function's name: could host code and kernels both call it, and is it none of the program's own?
bool is_of_either(std::string_view name) {
  for (const std::string_view begin : {"_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"})
    if (name.starts_with(begin)) return true;
  return contains(name, "Ul") && contains(name, "_cl");
}

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '$';
}

/// What a line defines by "name:"; empty where it defines nothing.
std::string_view label_of(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && is_of_name(line[end])) ++end;
  return end > 0 && end < line.size() && line[end] == ':' ? line.substr(0, end) : std::string_view();
}

/// The first word of an instruction.
std::string_view word_of(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

/// What a line calls by name; empty where it is no such call.
std::string_view called(std::string_view line) {
  const std::string_view word = word_of(line);
  if (word != "call" && word != "callq") return {};
  const auto after = static_cast<std::size_t>(word.data() + word.size() - line.data());
  const std::size_t begin = line.find_first_not_of(" \t", after);
  if (begin == line.npos || !is_of_name(line[begin])) return {};
  std::size_t end = begin;
  while (end < line.size() && is_of_name(line[end])) ++end;
  return line.substr(begin, end - begin);
}

bool is_of_size(std::string_view function, std::string_view begin) {
  if (!function.starts_with(begin)) return false;
  function.remove_prefix(begin.size());
  return function == "1" || function == "2" || function == "4" || function == "8" || function == "16";
}

/// A call before an access at the address in its first argument.
bool is_access(std::string_view function) {
  return is_of_size(function, "__tsan_read") || is_of_size(function, "__tsan_write") ||
         is_of_size(function, "__tsan_unaligned_read") || is_of_size(function, "__tsan_unaligned_write");
}

bool only_looks_on(std::string_view function) {
  return is_access(function) || function == "__sanitizer_cov_trace_pc" || function == "__tsan_read_range" ||
         function == "__tsan_write_range" || function == "__tsan_vptr_update" ||
         function == "__tsan_vptr_read";
}

// These two registers are changed by a call, and by what stands in place of one (see emulator/host_code.hpp).
constexpr std::string_view in_kernel =
    "\tmovq\t_ZN13cuda_emulator14current_workerE@GOTTPOFF(%rip), %rax\n\tcmpq\t$0, %fs:(%rax)\n";
constexpr std::string_view bound_to_rax =
    "\tmovq\tcuda_emulator_bound@GOTPCREL(%rip), %rax\n\tmovq\t(%rax), %rax\n";
// At the beginning of a function, where this register holds nothing.
constexpr std::string_view is_unwatched =
    "\tmovq\tcuda_emulator_unwatched@GOTTPOFF(%rip), %r11\n\tcmpb\t$0, %fs:(%r11)\n\tjne\t";
constexpr std::string_view twin = ".unwatched";

struct function {
  std::string_view name;
  std::vector<std::string_view> lines;  ///< From behind .cfi_startproc to .cfi_endproc.
  caller by = caller::device;
  bool has_twin = false;
};

void write_of_either(std::string_view line, std::string& result) {
  const std::string_view function = called(line);
  if (function == "__sanitizer_cov_trace_pc") {
    result.append(in_kernel).append("\tje\t7771f\n").append(line).append("\n7771:\n");
  } else if (is_access(function)) {
    result.append(in_kernel)
        .append("\tjne\t7770f\n")
        .append(bound_to_rax)
        .append("\tcmpq\t%rax, %rdi\n\tjnb\t7771f\n");
    result.append("7770:\n").append(line).append("\n7771:\n");
  } else {
    result.append(line) += '\n';
  }
}

/// What the device is told of an access: its size, + 256 for a write, + 512 where it may lie at any address.
unsigned code_of(std::string_view access) {
  unsigned code = 0;
  for (const char c : access)
    if (c >= '0' && c <= '9') code = code * 10 + static_cast<unsigned>(c - '0');
  if (contains(access, "write")) code += 256;
  if (contains(access, "unaligned")) code += 512;
  return code;
}
/// The same memory is written right behind.
constexpr unsigned and_written = 1024;

/// File and line of a .loc.
std::string_view line_of(std::string_view line) {
  const std::size_t file = line.find_first_of("0123456789");
  return line.substr(file, line.find(' ', line.find(' ', file) + 1) - file);
}

/// Does the code go on behind this line, and with operands that say all that it changes? In doubt no.
bool is_plain(std::string_view line) {
  const std::string_view word = word_of(line);
  if (!contains(line, "%") || word[0] == '#' || word[0] == 'j') return false;
  for (const std::string_view begin :
       {"call", "ret", "rep", "lock", "xchg", "xadd", "cmpxchg", "mulb", "mulw", "mull", "mulq", "divb",
        "divw", "divl", "divq", "idiv", "imul"})
    if (word.starts_with(begin)) return begin == "imul" && contains(line, ",");
  return true;
}
bool keeps_address(std::string_view line) {
  for (const std::string_view name : {"%rdi", "%edi", "%di"}) {
    for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
      const std::size_t open = line.rfind('(', at), close = line.rfind(')', at);
      const bool in_address = open != line.npos && (close == line.npos || close < open);
      if (!in_address) return false;
    }
  }
  return true;
}
bool keeps_bound(std::string_view line) {
  for (const std::string_view name : {"%rax", "%eax", "%ax", "%al", "%ah"})
    if (contains(line, name)) return false;
  return true;
}

/// Rarely needed code stands behind all else of a function of the host. It is entered and left by jumps, so
/// that for the device the place of the access itself is where the call has come from.
void write_of_host(const function& f, std::size_t& count, std::string& result) {
  struct asked {
    std::string number;
    unsigned code;
  };
  std::vector<asked> all;
  std::string_view place, place_of_read;
  bool has_read = false;   // the last access is a read, and its address still where it was
  bool has_bound = false;  // as has the bound
  for (const std::string_view line : f.lines) {
    const std::string_view function = called(line), word = word_of(line);
    if (function == "__sanitizer_cov_trace_pc") continue;
    if (word == ".cfi_endproc") {
      for (const auto& [number, code] : all) {
        result.append(".Lemulator_asks")
            .append(number)
            .append(":\n\tleaq\t.Lemulator_goes_on")
            .append(number);
        result.append("(%rip), %rcx\n\tpushq\t%rcx\n\tmovl\t$").append(std::to_string(code));
        result.append(", %eax\n\tjmp\t*cuda_emulator_host_access@GOTPCREL(%rip)\n");
      }
    }
    if (word == ".loc") place = line_of(line);
    if (!is_access(function)) {
      const bool plain = word == ".loc" || is_plain(line);
      has_read = has_read && plain && keeps_address(line);
      has_bound = has_bound && plain && keeps_bound(line);
      result.append(line) += '\n';
      continue;
    }
    const unsigned code = code_of(function);
    if (has_read && code == all.back().code + 256 && place == place_of_read) {
      all.back().code += and_written;
      has_read = false;
      continue;
    }
    all.push_back({std::to_string(count++), code});
    has_read = (code & 256) == 0;
    place_of_read = place;
    if (!std::exchange(has_bound, true)) result.append(bound_to_rax);
    result.append("\tcmpq\t%rax, %rdi\n\tjb\t.Lemulator_asks").append(all.back().number);
    result.append("\n.Lemulator_goes_on").append(all.back().number).append(":\n");
  }
}

/// What this file defines by the name of such a call says only what the call changes: it gets another name.
void write_between(std::string_view line, std::string& result) {
  const bool of_text = contains(line, "\"");
  for (const std::string_view name : {"__tsan_", "__sanitizer_cov_"}) {
    for (std::size_t at; !of_text && (at = line.find(name)) != line.npos;) {
      result.append(line.substr(0, at)).append("emulator_told_").append(name.substr(2));
      line.remove_prefix(at + name.size());
    }
  }
  result.append(line) += '\n';
}

void write_twin(const function& f, const std::unordered_set<std::string_view>& with_twin,
                std::string& result) {
  std::unordered_set<std::string_view> labels;
  for (const std::string_view line : f.lines)
    if (const std::string_view label = label_of(line); label.starts_with(".L")) labels.insert(label);
  result.append(f.name).append(twin).append(":\n\t.cfi_startproc\n");
  for (std::string_view line : f.lines) {
    const std::string_view word = word_of(line);
    // Exceptions never pass through kernels.
    if (word == ".cfi_personality" || word == ".cfi_lsda") continue;
    if (word == ".file") continue;  // clang numbers a file where it first needs it, and once only
    if (word == ".loc") line = line.substr(0, line.find(" view "));
    const std::string_view callee = called(line);
    if (only_looks_on(callee)) continue;
    if (with_twin.contains(callee)) {
      result.append("\tcall\t").append(callee).append(twin) += '\n';
      continue;
    }
    for (std::size_t i = 0; i < line.size();) {
      if (!is_of_name(line[i])) {
        result += line[i++];
        continue;
      }
      std::size_t end = i;
      while (end < line.size() && is_of_name(line[end])) ++end;
      const std::string_view name = line.substr(i, end - i);
      result.append(name);
      if (labels.contains(name)) result.append(twin);
      i = end;
    }
    result += '\n';
  }
}

}  // namespace

std::string without_needless_calls(std::string_view assembly) {
  // What is between the functions, and they: texts[i] comes before functions[i].
  std::vector<std::vector<std::string_view>> texts(1);
  std::vector<function> functions;
  std::string_view name;
  bool in_function = false;
  for (std::size_t begin = 0; begin < assembly.size();) {
    const std::size_t end = std::min(assembly.find('\n', begin), assembly.size());
    const std::string_view line = assembly.substr(begin, end - begin);
    begin = end + 1;
    if (!in_function) {
      texts.back().push_back(line);
      if (const std::string_view label = label_of(line); !label.empty() && !label.starts_with(".L"))
        name = label;
      if (word_of(line) != ".cfi_startproc") continue;
      functions.push_back(
          {.name = name, .lines = {}, .by = is_of_either(name) ? caller::either : caller::device});
      in_function = true;
      continue;
    }
    function& f = functions.back();
    f.lines.push_back(line);
    if (contains(line, "# emulator: host")) f.by = caller::host;
    if (only_looks_on(called(line))) f.has_twin = true;
    if (word_of(line) != ".cfi_endproc") continue;
    in_function = false;
    texts.emplace_back();
  }
  // What the compiler makes of a part of a function is the host's, too, as are OpenMP's parts of loops.
  std::unordered_set<std::string_view> of_host;
  for (const function& f : functions)
    if (f.by == caller::host) of_host.insert(f.name.substr(0, f.name.find('.')));
  for (function& f : functions)
    if (of_host.contains(f.name.substr(0, f.name.find('.'))) || contains(f.name, "._omp_"))
      f.by = caller::host;
  std::unordered_set<std::string_view> with_twin;
  for (function& f : functions) {
    if (f.by == caller::host || contains(f.name, ".cold")) f.has_twin = false;
    if (f.has_twin) with_twin.insert(f.name);
  }

  std::string result;
  result.reserve(assembly.size() * 2);
  std::size_t accesses = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const std::string_view line : texts[i]) write_between(line, result);
    if (i == functions.size()) break;
    const function& f = functions[i];
    if (f.has_twin) result.append(is_unwatched).append(f.name).append(twin) += '\n';
    if (f.by == caller::host) {
      write_of_host(f, accesses, result);
    } else {
      for (const std::string_view line : f.lines) {
        if (f.by == caller::either) {
          write_of_either(line, result);
        } else {
          result.append(line) += '\n';
        }
      }
    }
    if (f.has_twin) write_twin(f, with_twin, result);
  }
  return result;
}

}  // namespace cuda_emulator::translator
