// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Kernels in which the CPU itself stops: the stack is full, a vector is misaligned, an address is wild
// although nobody looked (checks off), a division by zero.
#include "faults.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>

#include "code/program_segments.hpp"
#include "code/symbolize.hpp"
#include "device/system_page.hpp"
#include "worker.hpp"

namespace cuda_emulator {
namespace {

struct sigaction before_segv, before_fpe;

std::uint64_t program_counter(const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

std::uint64_t stack_pointer(const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.sp;
#else
  return 0;
#endif
}

std::uint64_t word_at(std::uint64_t address) { return *reinterpret_cast<const std::uint64_t*>(address); }

/// Does a call stand before this address? Addresses of functions, which lie on stacks, too, are none to
/// return to.
bool follows_call([[maybe_unused]] std::uint64_t address) {
#if defined(__x86_64__)
  const auto* next = reinterpret_cast<const unsigned char*>(address);
  return next[-5] == 0xe8 || (next[-6] == 0xff && next[-5] == 0x15) ||
         (next[-2] == 0xff && (next[-1] & 0x38) == 0x10) || (next[-3] == 0xff && (next[-2] & 0x38) == 0x10);
#elif defined(__aarch64__)
  const std::uint32_t call = reinterpret_cast<const std::uint32_t*>(address)[-1];
  return address % 4 == 0 && ((call & 0xfc000000) == 0x94000000 || (call & 0xfffffc1f) == 0xd63f0000);
#else
  return true;
#endif
}

/// Does a push stand there, or what arm64 has for it (the first two registers are saved, a page is touched)?
/// Functions begin so, and do it nowhere else.
bool is_push([[maybe_unused]] std::uint64_t address) {
#if defined(__x86_64__)
  const auto* code = reinterpret_cast<const unsigned char*>(address);
  return (code[code[0] == 0x41 ? 1 : 0] & 0xf8) == 0x50;
#elif defined(__aarch64__)
  const std::uint32_t code = *reinterpret_cast<const std::uint32_t*>(address);
  return (code & 0xff407fff) == 0xa9007bfd || (code & 0xffc003ff) == 0xf90003ff;
#else
  return false;
#endif
}

/// Where a thread was whose stack ran over: often not in the kernel, but in what the kernel calls for each
/// access. Its return address lies above on the stack. Below it are other addresses of code, of lines that we
/// remember, and between them the frame pointer of the kernel's function, which is saved first: it tells how
/// far to skip.
std::uint64_t overflowed_at(const void* context, const void* refused) {
  constexpr std::uint64_t furthest = 16384;  // bytes; our own frames are far smaller, and a stack is larger
  const std::uint64_t pc = program_counter(context);
  const bool not_ours = code_of(pc) != code_kind::ours;
  if (not_ours && !is_push(pc)) return pc + 1;
#if defined(__aarch64__)
  // A call leaves its return address in a register, and a function that has just begun has not saved it.
  if (const std::uint64_t to = static_cast<const ucontext_t*>(context)->uc_mcontext.regs[30];
      is_push(pc) && code_of(to) == code_kind::of_the_program && follows_call(to))
    return to;
#endif
  // The page of the refused address is the one that nobody may touch.
  const std::uint64_t page = system_page();
  const std::uint64_t behind = (reinterpret_cast<std::uint64_t>(refused) / page + 1) * page;
  const std::uint64_t begin = std::max(stack_pointer(context) / 8 * 8, behind);
  const auto is_return_address = [](std::uint64_t at) {
    return code_of(word_at(at)) == code_kind::of_the_program && follows_call(word_at(at));
  };
  // A function that has just begun has no line of its own yet: its call is what there was no room for.
  constexpr std::uint64_t most_saved = 7 * 8;
  if (not_ours)
    for (std::uint64_t at = begin; at < begin + most_saved; at += 8)
      if (is_return_address(at)) return word_at(at);
  if (not_ours) return pc + 1;
  std::uint64_t from = begin;
  for (std::uint64_t at = begin; at < begin + furthest; at += 8) {
    const std::uint64_t frame = word_at(at);
    if (frame > at && frame < begin + furthest && frame % 8 == 0 && is_return_address(frame + 8)) {
      from = at;
      break;
    }
  }
  for (std::uint64_t at = from; at < begin + furthest; at += 8)
    if (is_return_address(at)) return word_at(at);
  return pc + 1;
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (current_worker == nullptr) {  // of the host: as if we were not here
    sigaction(signal, signal == SIGFPE ? &before_fpe : &before_segv, nullptr);
    return;
  }
  worker& w = *current_worker;
  if (signal == SIGSEGV && w.watcher() == nullptr &&
      !w.on_stack(info->si_addr)) {  // without checks: as on a GPU
    w.launch().abort(cudaErrorIllegalAddress);
    w.abandon();
  }
  raw_finding f{.kind = finding_kind::host_pointer};
  f.block = w.block();
  f.thread = w.thread();
  f.pc = program_counter(context) + 1;
  f.address = info->si_addr;
  if (signal == SIGFPE) {
    f.kind = finding_kind::crash;
    f.text = "integer division by zero";
    f.cause = division_by_zero;
  } else if (w.on_stack(info->si_addr)) {
    f.kind = finding_kind::crash;
    f.text = "stack overflow";
    f.cause =
        "Usual cause: a recursion that does not end, or a large array in a function. "
        "A thread has 64 KiB here. A GPU gives\n"
        "  it up to 512 KiB for arrays of known size, and for a recursion 1024 bytes, unless "
        "cudaDeviceSetLimit(\n"
        "  cudaLimitStackSize, ...) asks for more.";
    f.pc = overflowed_at(context, info->si_addr);
  } else if (const observer* o = w.watcher(); o != nullptr && o->last_wide_access().address != nullptr) {
    f = o->last_wide_access();  // 16 bytes at a multiple of 8: what the compiler wanted shows only now
  } else if (info->si_addr == nullptr) {
    f.kind = finding_kind::crash;
    f.text = "an access that the processor refuses";
    f.cause = "Usual cause: a pointer that was never set, or was written over: it holds no address at all.";
  }
  w.launch().note(f);
  w.launch().abandon();
  w.abandon();
}

void install(int signal, struct sigaction& before) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault) return;
  before = now;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_faults() {
  // Others install handlers, too (test frameworks, for each test): ours must be the one while kernels run.
  install(SIGSEGV, before_segv);
  install(SIGFPE, before_fpe);
  thread_local bool has_stack = false;
  if (has_stack) return;
  has_stack = true;
  // The stack that is full cannot serve the handler.
  constexpr std::size_t size = 256 * 1024;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack{};
  stack.ss_sp = memory;
  stack.ss_size = size;
  sigaltstack(&stack, nullptr);
}

}  // namespace cuda_emulator
