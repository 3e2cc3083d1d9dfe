// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Who may use memory of the device outside of kernels: Thrust, whose algorithms run on the host here, and
// what they call. That is not seen in the access itself but in who has called whom, so that each place of the
// program is looked at once, and remembered where it is allowed. A place that is not ends the program.
#include "host_use.hpp"

#include <unwind.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "allowed_places.hpp"
#include "code/call_stack.hpp"
#include "code/symbolize.hpp"
#include "device/settings.hpp"
#include "memory/device_memory.hpp"
#include "memory/shadow.hpp"
#include "memory/variables.hpp"
#include "order/order_state.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {

std::atomic<std::uint64_t> allowed_places[most_places];
std::atomic<std::size_t> allowed_count{0};

namespace {

// ---- Places that are allowed

/// Called by one thread at a time.
void remember_allowed(std::uint64_t pc) {
  if (allowed_count >= most_places / 2) return;
  std::size_t i = first_slot(pc);
  while (allowed_places[i] != 0 && allowed_places[i] != pc) i = (i + 1) % most_places;
  if (allowed_places[i].exchange(pc) == 0) ++allowed_count;
}

// ---- Who has called whom

/// The addresses from which calls return, the innermost first, without those of this library. Empty where
/// there are more than anybody could want.
std::vector<std::uint64_t> callers() {
  struct walk {
    std::vector<std::uint64_t> pcs;
    bool complete = true;
  } result;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& w = *static_cast<walk*>(data);
        const std::uint64_t pc = _Unwind_GetIP(context);
        if (is_of_this_library(pc)) return _URC_NO_REASON;
        w.pcs.push_back(pc);
        w.complete = w.pcs.size() < 1000;
        return w.complete ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &result);
  if (!result.complete) result.pcs.clear();
  return result.pcs;
}

/// A file of Thrust that has loops over memory, or calls such. Its values (complex numbers, pairs, sums) are
/// as much the host's as the device's.
bool is_thrust(std::string_view file) {
  const std::size_t folder = file.rfind("/thrust/");
  if (folder == file.npos || (!file.ends_with(".h") && !file.ends_with(".inl"))) return false;
  std::string_view name = file.substr(folder + 8);
  if (name.starts_with("detail/")) name.remove_prefix(7);
  for (const std::string_view value : {"complex", "functional", "pair.", "tuple."})
    if (name.starts_with(value)) return false;
  return true;
}

/// The name of an algorithm that was called with plain pointers and without saying where to run:
/// thrust::sort(x, x + n). It takes them for the host's. Empty for all other functions.
std::string algorithm_of_host(const std::string& symbol) {
  constexpr std::string_view in_thrust = "_ZN6thrust";
  if (!symbol.starts_with(in_thrust)) return "";
  char* after = nullptr;
  const std::size_t length = std::strtoul(symbol.c_str() + in_thrust.size(), &after, 10);
  const auto name = static_cast<std::size_t>(after - symbol.c_str());
  if (length == 0 || symbol.size() <= name + length || symbol[name + length] != 'I') return "";
  const std::string text = demangled(symbol);
  if (!text.ends_with(')')) return "";
  // A member of a class, such as a constructor of device_vector, knows where it works.
  const std::string name_of_it = "thrust::" + symbol.substr(name, length) + "<";
  std::size_t behind = text.find(name_of_it);
  if (behind == text.npos) return "";
  behind += name_of_it.size();
  for (int depth = 1; behind < text.size() && depth != 0; ++behind) {
    if (text[behind] == '<') ++depth;
    if (text[behind] == '>' && text[behind - 1] != '-') --depth;
  }
  if (behind >= text.size() || text[behind] != '(') return "";
  std::size_t open = text.size();  // of the parameters
  for (int depth = 0; open-- > 0;) {
    if (text[open] == ')') ++depth;
    if (text[open] == '(' && --depth == 0) break;
  }
  if (open >= text.size()) return "";
  const std::string parameters = text.substr(open);
  if (parameters.find("thrust::") != parameters.npos || parameters.find('*') == parameters.npos) return "";
  return symbol.substr(name, length);
}

struct verdict {
  bool is_wrong = false;
  bool of_thrust = false;     ///< Thrust is among the callers.
  source_place place;         ///< In the program's own source.
  std::string thrust_called;  ///< What has been called with plain pointers.
};

verdict judge() {
  verdict result;
  bool first = true;
  for (const std::uint64_t pc : callers()) {
    for (const code_place& code : code_at(pc)) {
      if (std::exchange(first, false) && code.line == 0) return {};
      if (is_thrust(code.file)) {
        result.of_thrust = true;
        result.thrust_called = algorithm_of_host(code.function);
        result.place = {};  // the caller of Thrust, not what Thrust calls
      } else if (result.place.line == 0 && code.of_program) {
        result.place = {code.file, code.line};
      }
    }
    if (first) return {};  // nothing is known of where the access is
  }
  result.is_wrong = result.place.line != 0 && (!result.of_thrust || !result.thrust_called.empty());
  return result;
}

// ---- What to say

std::string said(const verdict& v, const raw_finding& f, const char* function) {
  const variable_record* variable = find_variable(f.address);
  const bool shared = variable == nullptr && !device_memory::instance().contains(f.address);
  const bool writes = f.what != access_kind::read;
  const char* const what = f.kind == finding_kind::use_after_free  ? "use of freed memory"
                           : f.kind == finding_kind::out_of_bounds ? "access out of bounds"
                           : variable != nullptr                   ? "variable of the device used"
                           : shared                                ? "shared memory used"
                                                                   : "device memory used";
  std::string text = v.place.text() + ": error: " + what + " in host code\n  " +
                     (function != nullptr ? std::string(function) + "()" : "the host") +
                     (writes ? " writes " : " reads ") + std::to_string(f.size) +
                     (f.size == 1 ? " byte" : " bytes");
  raw_finding named = f;
  if (function != nullptr) named.size = 0;
  text += shared ? " of shared memory" : ": " + memory_text(named);
  if (!v.thrust_called.empty())
    return text + "\n  thrust::" + v.thrust_called +
           "() takes plain pointers for those of the host, and runs there. "
           "Give it thrust::device as its first\n"
           "  argument, or wrap the pointers by thrust::device_pointer_cast().";
  if (f.kind == finding_kind::use_after_free)
    return text + "\n  Usual cause: memory that was freed too early, or a pointer that was kept too long.";
  if (f.kind == finding_kind::out_of_bounds)
    return text +
           "\n  Usual cause: an index that is off by one, "
           "or a size in bytes where a number of elements is needed.";
  if (variable != nullptr)
    return text +
           "\n  On a GPU the host has only an empty variable of this name, which kernels do not see. Usual\n"
           "  cause: a missing " +
           (writes ? "cudaMemcpyToSymbol() from a variable of the host."
                   : "cudaMemcpyFromSymbol() to a variable of the host.");
  if (shared)
    return text +
           "\n  This memory belongs to a block while it runs. Usual cause: "
           "a kernel that stores an address in it.";
  return text +
         "\n  The host cannot reach the device's memory: on a GPU the program crashes here. Usual cause: "
         "a missing\n" +
         (writes ? "  cudaMemcpy() from an array of the host, which the host fills instead of this memory."
                 : "  cudaMemcpy() to an array of the host, which the host reads instead of this memory.");
}

std::mutex& host_use_mutex = *new std::mutex;  // never destroyed: used until the very end

/// Rarely called, and much larger than what decides that.
__attribute__((noinline, cold)) void look_at_place(const void* address, std::size_t size, access_kind kind,
                                                   std::uint64_t pc, const char* function) {
  if (!settings().checking && settings().checking_was_set) return;
  const std::lock_guard lock(host_use_mutex);
  if (!settings().checking) return remember_allowed(pc);
  const verdict v = judge();
  if (!v.is_wrong) return remember_allowed(pc);
  raw_finding f{.kind = finding_kind::device_pointer};
  f.address = address;
  f.size = static_cast<unsigned>(size);
  f.what = kind;
  f.pc = pc;
  if (device_memory& memory = device_memory::instance(); memory.contains(address) && !memory.find(address)) {
    const auto near = memory.near(address);
    if (memory.freed(address))
      f.kind = finding_kind::use_after_free;
    else if (near && near->kind != allocation_kind::device)
      f.kind = finding_kind::out_of_bounds;
  }
  conclude_in_host_code({f.kind, said(v, f, function)});
}

/// An access to memory that both sides use, on which the device may still work.
__attribute__((noinline, cold)) void look_at_order(const void* address, std::size_t size, access_kind kind,
                                                   std::uint64_t pc, const char* function, bool trusted) {
  const touch_kind as = kind == access_kind::read ? touch_kind::read : touch_kind::write;
  const bool by_stream = called_by_stream() != nullptr;
  // The host may wait by what it reads; by what it writes it may let a kernel go on that has not begun here.
  // What Thrust does is work of the device, and waits for other work.
  if (anything_kept() && !by_stream) {
    if (trusted && kind != access_kind::write) run_some_kept();
    if (is_allowed(pc)) return run_kept();
  }
  const auto met = met_by_host(address, size, as, trusted);
  const bool noted = anything_kept() && !by_stream && !trusted;
  if ((!met && !noted) || is_allowed(pc)) return;
  std::unique_lock lock(host_use_mutex);
  // Between two calls a place is looked at once: a loop may fill much memory.
  static auto& judged = *new std::unordered_map<std::uint64_t, verdict>;
  static std::uint64_t version = 0;
  if (std::exchange(version, order_version) != order_version) judged.clear();
  const auto known = judged.try_emplace(pc);
  if (known.second) known.first->second = judge();
  const verdict v = known.first->second;
  if (!v.is_wrong) {
    remember_allowed(pc);
    lock.unlock();  // what runs may come here, on another thread
    return run_kept();
  }
  if (!settings().checking) return;
  if (met && by_stream)
    return conclude_in_host_code({finding_kind::unordered, conflict_text(called_by_stream(), *met)});
  const operation access = host_access(function != nullptr ? std::string(function) + "()" : "the host",
                                       function == nullptr ? static_cast<unsigned>(size) : 0, v.place.text());
  if (met) return conclude_in_host_code({finding_kind::unordered, unordered_with_host_text(access, *met)});
  note_host_access(address, size, as, access);
}

}  // namespace

thread_local bool is_flag __attribute__((tls_model("initial-exec"))) = false;

void look_at_host_use(const void* address, std::size_t size, access_kind kind, std::uint64_t pc,
                      const char* function) {
  std::uint8_t* const states = global_shadow.states;  // null before the first use of device memory
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - first_of_memory;
  if (states != nullptr && offset < global_shadow.size) {
    if ((states[offset] & state_of_host) != 0) {
      if (host_may_meet(address, size)) look_at_order(address, size, kind, pc, function, is_flag);
      return;
    }
    if (kind != access_kind::read)
      for (std::size_t i = 0; i < size; ++i) states[offset + i] |= state_defined;
  } else if (!device_addresses.contains(reinterpret_cast<std::uintptr_t>(address))) {
    const variable_record* variable = find_variable(address);
    if (variable == nullptr) {
      if (registered_addresses.meets(reinterpret_cast<std::uintptr_t>(address), size) &&
          host_may_meet(address, size))
        look_at_order(address, size, kind, pc, function, is_flag);
      return between_variables(address, host_addresses);
    }
    if (variable->space == memory_space::managed) {
      used_managed.set(variable->begin, variable->size);
      if (host_may_meet(address, size)) look_at_order(address, size, kind, pc, function, is_flag);
      return;
    }
    if (kind == access_kind::read && variable->has_host_copy)
      return used_copy.set(variable->begin, variable->size);
  }
  run_kept();  // what Thrust does is work of the device
  if (!is_allowed(pc) && size != 0) look_at_place(address, size, kind, pc, function);
}

}  // namespace cuda_emulator
