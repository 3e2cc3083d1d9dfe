// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Device memory and arrays that a program has not freed, plans and texture objects that it has not destroyed,
// access to other devices that it has not taken back when it ends; after that the report is complete.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "code/call_stack.hpp"
#include "device/errors.hpp"
#include "device/libraries.hpp"
#include "device/peer_access.hpp"
#include "device/settings.hpp"
#include "device/standard_error.hpp"
#include "memory/arrays.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/surfaces.hpp"
#include "order/movements.hpp"
#include "tell/findings.hpp"
#include "tell/report.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_printed = 8;

std::string place(const call_stack& stack) {
  const std::string line = line_of(stack);
  return line.empty() ? "somewhere" : line;
}

std::string never_freed(const allocation& a) {
  const std::string array = array_at(a.begin);
  if (!array.empty()) return array + " was never freed (cudaFreeArray() is missing)";
  const char* const what = a.kind == allocation_kind::host      ? "pinned memory of the host"
                           : a.kind == allocation_kind::managed ? "managed memory"
                                                                : "device memory";
  return std::to_string(a.size) + (a.size == 1 ? " byte of " : " bytes of ") + what +
         (a.size == 1 ? " was" : " were") + " never freed (" +
         (a.kind == allocation_kind::host ? "cudaFreeHost() is missing, " : "") + "allocation number " +
         std::to_string(a.number) + ")";
}

/// Allocations of kernels, many threads at one line.
struct heap_leak {
  std::string place;
  std::size_t bytes, count;
};

std::vector<heap_leak> take_heap_leaks(std::vector<allocation>& left) {
  std::vector<heap_leak> found;
  std::erase_if(left, [&](const allocation& a) {
    if (a.kind != allocation_kind::heap) return false;
    std::string at = place(a.made_at);
    const auto known = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.place == at; });
    if (known == found.end()) {
      found.push_back({std::move(at), a.size, 1});
    } else {
      known->bytes += a.size;
      ++known->count;
    }
    return true;
  });
  return found;
}

std::string severity() { return settings().leaks_are_errors ? ": error: " : ": note: "; }

/// One line for each, then the cause that they have in common.
template <class Things, class Text>
void say(const Things& things, Text&& text, const std::string& cause) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    const std::string line = text(things[i]);
    if (i < most_printed) std::fprintf(stderr, "%s\n", line.c_str());
    report_finding({finding_kind::leak, cause.empty() ? line : line + "\n  " + cause});
  }
  if (things.size() > most_printed) std::fprintf(stderr, "... and %zu more.\n", things.size() - most_printed);
  if (!things.empty() && !cause.empty()) std::fprintf(stderr, "%s\n", cause.c_str());
}

/// Says it on standard error and in the report; returns whether there was something to say.
bool report_leaks() {
  const auto of_libraries = left_by_libraries();
  const auto accesses = accesses_left();
  if (!device_memory::ever_used() && of_libraries.empty() && ranges_left().empty() && accesses.empty())
    return false;
  if (stuck() != cudaSuccess) return false;  // after a kernel that failed nothing can be freed any more
  auto left = device_memory::instance().left();
  std::erase_if(left, [&](const allocation& a) {  // a plan's work areas go with the plan
    return std::any_of(of_libraries.begin(), of_libraries.end(), [&](const auto& one) {
      return std::find(one.memory.begin(), one.memory.end(), a.begin) != one.memory.end();
    });
  });
  auto textures = textures_left();
  for (auto& surface : surfaces_left()) textures.push_back(std::move(surface));
  const auto ranges = ranges_left();
  if (left.empty() && of_libraries.empty() && textures.empty() && ranges.empty() && accesses.empty())
    return false;
  begin_message();
  std::fflush(nullptr);
  say(
      take_heap_leaks(left),
      [](const heap_leak& l) {
        return l.place + severity() + std::to_string(l.bytes) +
               " bytes of the heap of kernels were never freed (" + std::to_string(l.count) +
               (l.count == 1 ? " allocation)" : " allocations)");
      },
      "Usual cause: a free() or delete that is missing in a kernel. The heap lasts until the program ends.");
  say(
      left, [](const allocation& a) { return place(a.made_at) + severity() + never_freed(a); },
      "Usual cause: a cudaFree() that is missing, or not reached because of an early return.");
  say(
      textures, [](const auto& t) { return place(t.made_at) + severity() + t.what + " was never destroyed"; },
      "Usual cause: a cudaDestroyTextureObject() (or ...SurfaceObject()) that is missing, or not reached "
      "because of\n  an early return.");
  say(
      ranges,
      [](const auto& r) {
        return place(r.made_at) + severity() + std::to_string(r.size) +
               " bytes of host memory are registered to the end";
      },
      "Usual cause: a cudaHostUnregister() that is missing, or not reached because of an early return.");
  say(
      accesses,
      [](const auto& a) {
        return place(a.made_at) + severity() + "device " + std::to_string(a.device) +
               " may use the memory of device " + std::to_string(a.peer) +
               " to the end (cudaDeviceDisablePeerAccess(" + std::to_string(a.peer) + ") is missing)";
      },
      "Usual cause: the call is missing, is made while another device is current, or is not reached because "
      "of an early return.");
  std::vector<left_by_library> alike;
  for (std::size_t i = 0; i < of_libraries.size(); ++i) {
    alike.push_back(of_libraries[i]);
    if (i + 1 < of_libraries.size() && of_libraries[i + 1].cause == alike[0].cause) continue;
    say(
        alike,
        [](const left_by_library& one) {
          return (one.place.empty() ? "somewhere" : one.place) + (one.is_error ? ": error: " : severity()) +
                 one.what;
        },
        alike[0].cause);
    alike.clear();
  }
  return true;
}

bool inherited = false;  // device memory of a process that was forked is the other's to free

void at_the_end(int status, void*) {
  if (settings().checking) say_failed_calls();
  const bool leaks = status == 0 && !inherited && settings().checking && report_leaks();
  const bool fails = leaks && settings().leaks_are_errors;
  finish_report(fails ? 1 : status);
  write_timeline();
  if (fails) std::_Exit(1);
}

// Registered before the program's own objects exist, and therefore called when they are gone.
__attribute__((constructor)) void watch_the_end() {
  begin_report();
  on_exit(at_the_end, nullptr);
  pthread_atfork(nullptr, nullptr, [] { inherited = device_memory::ever_used(); });
}

}  // namespace
}  // namespace cuda_emulator
