// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "call_stack.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <string_view>
#include <vector>

#include "emulator/control.hpp"
#include "symbolize.hpp"

namespace cuda_emulator {
namespace {

struct image {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
};

/// The library in which `address` lies. Kept: dladdr() looks for the function, too, each time it is asked.
image image_at(const void* address) {
  struct search {
    std::uint64_t address;
    image found;
  } wanted{reinterpret_cast<std::uint64_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        image here;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          here.begin = std::min<std::uint64_t>(here.begin, info->dlpi_addr + part.p_vaddr);
          here.end = std::max<std::uint64_t>(here.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
        }
        auto& s = *static_cast<search*>(data);
        if (s.address < here.begin || s.address >= here.end) return 0;
        s.found = here;
        return 1;
      },
      &wanted);
  return wanted.found;
}

// Those that were added, written while libraries are loaded.
constexpr int most_added = 16;
constinit image added[most_added];
constinit std::atomic<int> number_added{0};

/// Is this in the C or C++ library? Some machines know the sources of those.
bool is_of_system(std::uint64_t pc) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(pc), &info) == 0 || info.dli_fname == nullptr) return false;
  std::string_view name = info.dli_fname;
  name.remove_prefix(name.rfind('/') + 1);  // 0 where there is none
  return name.starts_with("libc.") || name.starts_with("libpthread.") || name.starts_with("libstdc++.") ||
         name.starts_with("libc++.");
}

}  // namespace

bool is_of_this_library(std::uint64_t pc) {
  static const image own = image_at(reinterpret_cast<const void*>(&image_at));
  if (pc >= own.begin && pc < own.end) return true;
  const image* const end = added + number_added.load(std::memory_order_acquire);
  return std::any_of(std::cbegin(added), end,
                     [&](const image& one) { return pc >= one.begin && pc < one.end; });
}

void add_own_image(const void* address) {
  const int n = number_added.load();
  if (n == most_added || is_of_this_library(reinterpret_cast<std::uint64_t>(address))) return;
  added[n] = image_at(address);
  number_added.store(n + 1, std::memory_order_release);
}

call_stack caller_outside(std::uint64_t* within) {
  struct walk {
    call_stack stack;
    int count = 0;
    std::uint64_t within = 0;
  } result;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& w = *static_cast<walk*>(data);
        const std::uint64_t pc = _Unwind_GetIP(context);
        if (is_of_this_library(pc)) {
          if (w.count == 0) w.within = pc;
          return _URC_NO_REASON;
        }
        w.stack.pcs[w.count++] = pc;
        return w.count == call_stack::most ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &result);
  if (within != nullptr) *within = result.within;
  return result.stack;
}

bool is_header(std::string_view file) {
  for (const std::string_view ending : {".hpp", ".h", ".cuh", ".hxx", ".inl"})
    if (file.ends_with(ending)) return true;
  return file.rfind('.') == file.npos;  // <vector>
}

std::vector<std::uint64_t> callers_of_kernel_code() {
  constexpr std::size_t most_frames = 64;
  std::vector<std::uint64_t> pcs;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& found = *static_cast<std::vector<std::uint64_t>*>(data);
        const std::uint64_t pc = _Unwind_GetIP(context);
        if (is_of_this_library(pc)) return found.empty() ? _URC_NO_REASON : _URC_END_OF_STACK;
        found.push_back(pc);
        return found.size() == most_frames ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &pcs);
  return pcs;
}

std::string line_of(const call_stack& stack) {
  std::string in_header;
  for (const std::uint64_t pc : stack.pcs) {
    if (pc == 0) break;
    if (is_of_system(pc)) continue;
    for (const source_place& place : places_of(pc)) {
      if (!is_header(place.file)) return place.text();
      if (in_header.empty()) in_header = place.text();
    }
  }
  return in_header;
}

std::string places_on_the_way() {
  std::vector<std::uint64_t> pcs;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& all = *static_cast<std::vector<std::uint64_t>*>(data);
        all.push_back(_Unwind_GetIP(context));
        return all.size() == 64 ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &pcs);
  std::string text;
  for (const std::uint64_t pc : pcs)
    if (!is_of_system(pc))
      for (const source_place& place : places_of(pc))
        if (place.line > 0 && !is_header(place.file)) text += (text.empty() ? "" : " ") + place.text();
  return text;
}

}  // namespace cuda_emulator
