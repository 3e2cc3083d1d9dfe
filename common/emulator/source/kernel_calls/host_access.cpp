// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Where host code of kernel files goes before an access below the bound (see address_ranges.hpp). It comes by
// a jump, with the place of the access as if that had called, the address in rdi and the access in eax, and
// goes back with the bound in rax. The compiler believes that nothing but rax, rcx and the flags changes (see
// emulator/host_code.hpp), and that is so: what most accesses need uses no other registers, or only such as
// are easily kept, because this file is compiled without those for floating-point numbers. For the others all
// of them are saved.
#include <cstddef>
#include <cstdint>

#include "allowed_places.hpp"
#include "memory/address_ranges.hpp"
#include "memory/shadow.hpp"
#include "order/looked_at.hpp"
#include "run/in_kernel.hpp"

using namespace cuda_emulator;

#if defined __x86_64__ && !defined __clang__  // only what g++ has compiled comes here

namespace {
bool may_use_xsave() {
  unsigned a = 1, b = 0, c = 0, d = 0;
  asm("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return (c & (1u << 27)) != 0;  // the system uses it, too
}
}  // namespace

extern "C" {
[[gnu::used]] bool emulator_has_xsave = may_use_xsave();

/// Is there nothing to be said of this access? Asks no more than look_at_host_use().
[[gnu::used]] bool emulator_has_nothing_to_say(const void* address, unsigned code, std::uint64_t pc) {
  if (current_worker != nullptr) return false;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t offset = number - first_of_memory;
  if (global_shadow.states != nullptr && offset < global_shadow.size) {
    std::uint8_t* const states = global_shadow.states + offset;
    if ((states[0] & state_of_host) != 0) return host_has_looked(address);
    // Most of what Thrust does.
    if (kept_count.load(std::memory_order_relaxed) != 0 || !is_allowed(pc)) return false;
    if ((code & (256 | 1024)) != 0)
      for (unsigned i = 0; i < (code & 255); ++i) states[i] |= state_defined;
    return true;
  }
  if (device_addresses.contains(number)) return false;
  if (used_managed.contains(number)) return host_has_looked(address);
  if (used_copy.contains(number)) return (code & (256 | 1024)) == 0;
  if (variable_addresses.contains(number) && !host_addresses.contains(number)) return false;
  return !registered_addresses.contains(number) || host_has_looked(address);
}
}

// The registers of x87, SSE, AVX and AVX-512, as far as the processor has them: as xsave stores them, they
// fit into 2752 bytes.
asm(R"(
	.text
	.p2align 4
	.globl	cuda_emulator_host_access
	.type	cuda_emulator_host_access, @function
cuda_emulator_host_access:
	.cfi_startproc
	movq	%rdi, %rcx
	subq	emulator_watched_ranges(%rip), %rcx
	cmpq	8+emulator_watched_ranges(%rip), %rcx
	jb	1f
	movq	%rdi, %rcx
	subq	16+emulator_watched_ranges(%rip), %rcx
	cmpq	24+emulator_watched_ranges(%rip), %rcx
	jb	1f
	movq	%rdi, %rcx
	subq	32+emulator_watched_ranges(%rip), %rcx
	cmpq	40+emulator_watched_ranges(%rip), %rcx
	jnb	6f
1:
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rdi
	pushq	%rsi
	pushq	%rdx
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%rax
	movl	%eax, %esi
	movq	8(%rbp), %rdx
	cld
	call	emulator_has_nothing_to_say
	testb	%al, %al
	jne	5f
	subq	$2752, %rsp
	andq	$-64, %rsp
	xorl	%edx, %edx
	movq	%rdx, 512(%rsp)
	movq	%rdx, 520(%rsp)
	movq	%rdx, 528(%rsp)
	movq	%rdx, 536(%rsp)
	movq	%rdx, 544(%rsp)
	movq	%rdx, 552(%rsp)
	movq	%rdx, 560(%rsp)
	movq	%rdx, 568(%rsp)
	cmpb	$0, emulator_has_xsave(%rip)
	je	2f
	movl	$0xe7, %eax
	xsave	(%rsp)
	jmp	3f
2:
	fxsave	(%rsp)
3:
	movq	-8(%rbp), %rdi
	movl	-64(%rbp), %esi
	movq	8(%rbp), %rdx
	call	emulator_look_at_host_access
	cmpb	$0, emulator_has_xsave(%rip)
	je	4f
	movl	$0xe7, %eax
	xorl	%edx, %edx
	xrstor	(%rsp)
	leaq	-64(%rbp), %rsp
	jmp	5f
4:
	fxrstor	(%rsp)
	leaq	-64(%rbp), %rsp
5:
	popq	%rax
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdx
	popq	%rsi
	popq	%rdi
	popq	%rbp
	.cfi_restore %rbp
	.cfi_def_cfa %rsp, 8
6:
	movq	emulator_bound(%rip), %rax
	popq	%rcx
	.cfi_def_cfa_offset 0
	.cfi_register %rip, %rcx
	jmp	*%rcx
	.cfi_endproc
	.size	cuda_emulator_host_access, .-cuda_emulator_host_access
)");
#endif
