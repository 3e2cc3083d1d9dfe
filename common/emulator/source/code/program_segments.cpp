// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "program_segments.hpp"

#include <link.h>

#include <cstdint>

#include "call_stack.hpp"

namespace cuda_emulator {

bool is_read_only(const void* address) {
  struct search {
    std::uintptr_t address;
    bool found;
  } wanted{reinterpret_cast<std::uintptr_t>(address), false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& s = *static_cast<search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          const bool constant =
              (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0) || header.p_type == PT_GNU_RELRO;
          if (constant && s.address >= begin && s.address < begin + header.p_memsz) s.found = true;
        }
        return s.found ? 1 : 0;
      },
      &wanted);
  return wanted.found;
}

code_kind code_of(std::uint64_t address) {
  struct search {
    std::uintptr_t address;
    code_kind found;
  } wanted{address, code_kind::none};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& s = *static_cast<search*>(data);
        bool inside = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
          inside = inside || (s.address >= begin && s.address < end);
        }
        if (inside) s.found = is_of_this_library(s.address) ? code_kind::ours : code_kind::of_the_program;
        return inside ? 1 : 0;
      },
      &wanted);
  return wanted.found;
}

}  // namespace cuda_emulator
