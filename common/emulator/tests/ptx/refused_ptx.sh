#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Inline PTX that is wrong or not emulated is refused at its line, with what to write instead:  refused_ptx.sh EMUCC
set -uo pipefail

emucc=${1:?usage: refused_ptx.sh EMUCC}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# One line each: a statement, then what must be said of it.
cat > "$folder/uses" <<'END'
asm("L: bra L;"); | labels and branches in PTX are not emulated: write the loop or the branch in C++
asm("bra L;"); | bra is not emulated: write the loop or the branch in C++
asm volatile("wgmma.fence.sync.aligned;"); | is not emulated: use mma.sync
asm volatile("wmma.load.a.sync.aligned.m16n16k16.row.f16 {%0}, [%1];" : "=r"(r) : "l"(p)); | use nvcuda::wmma of <mma.h>
asm volatile("mbarrier.complete_tx.shared.b64 [%0], 1;" :: "r"(a)); | of mbarrier there are init, inval, expect_tx
asm volatile("mbarrier.init.shared.b64 [%0];" :: "r"(a)); | has 1 operand and needs 2
asm volatile("mbarrier.arrive.noComplete.shared.b64 _, [%0], 1;" :: "r"(a)); | has .noComplete, which is not emulated for mbarrier
asm volatile("mbarrier.try_wait.parity.shared.b64 p, [%0], 0;" :: "r"(a)); | 'p' is not a register that the asm statement declares
asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%0}], [%0];" :: "r"(a), "l"(p)); | of tensor maps there is cuda::ptx::cp_async_bulk_tensor()
asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%0], 16, [%0];" :: "r"(a)); | there are no clusters here
asm volatile("cp.async.bulk.shared::cluster.global [%0], [%1], 16;" :: "r"(a), "l"(p)); | needs .mbarrier::complete_tx::bytes and a barrier
asm volatile("cp.async.bulk.global.shared::cta [%1], [%0], 16;" :: "r"(a), "l"(p)); | needs .global.shared::cta.bulk_group
asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%1], [%0], 16;" :: "r"(a), "l"(p)); | use atomics
asm volatile("tex.2d.v4.f32.f32 {%0}, [%1];" : "=f"(f) : "l"(l)); | use texture objects
asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %1;" : "=h"(h) : "f"(f)); | numbers of 8 bits (e4m3, e5m2) are not there
asm("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0}, {%0}, {%0}, {%0};" : "+r"(r)); | the shapes are m16n8k8
asm("frobnicate.b32 %0, %1;" : "=r"(r) : "r"(a)); | frobnicate.b32 is not emulated
asm("add.s32 %0, %1;" : "=r"(r) : "r"(a)); | add.s32 has 2 operands and needs 3
asm("add.s32 %0, %1, %3;" : "=r"(r) : "r"(a), "r"(a)); | there is no operand %3: the asm statement has 3
asm("add.s32 %0, %1, %1;" : "=f"(f) : "f"(f)); | needs 32 bits for %1 of another kind, which is a float ("f")
asm("add.f64 %0, %1, %1;" : "=d"(d) : "f"(f)); | needs 64 bits for %1, which is a float ("f")
asm("add.s32 %0, %1, %1;" : "=r"(r) : "l"(l)); | needs 32 bits for %1, which has 64 bits ("l")
asm("{ .reg .f32 t; mov.f32 t, %1; add.s32 %0, t, 1; }" : "=r"(r) : "f"(f)); | for t of another kind, which is declared with another type
asm("add.wild.s32 %0, %1, %1;" : "=r"(r) : "r"(a)); | has .wild, which is not emulated for add
asm("fma.f32 %0, %1, %1, %1;" : "=f"(f) : "f"(f)); | does not say how to round: fma.rn.f32
asm("cvt.s32.f32 %0, %1;" : "=r"(r) : "f"(f)); | does not say how to round to an integer: .rni, .rzi, .rmi or .rpi
asm("cvt.f16.f32 %0, %1;" : "=h"(h) : "f"(f)); | does not say how to round: .rn, .rz, .rm or .rp
asm("selp.b32 %0, 1, 2, %1;" : "=r"(r) : "r"(a)); | needs a predicate for %1, which has 32 bits ("r")
asm("add.f32 %0, %1, 1;" : "=f"(f) : "f"(f)); | has the integer 1 where a real number is wanted
asm("add.u32 %0, %%tid.x, 1;" : "=r"(r)); | only mov can read special registers
asm("mov.u32 %0, %%envreg3;" : "=r"(r)); | the special register %envreg3 is not emulated
asm("mov.u32 %0, a;" : "=r"(r)); | 'a' is not a register that the asm statement declares
asm("mov.u32 %[r], 1;" : [r] "=r"(r)); | names of operands ([x]) are not for PTX
asm("mov.u32 %1, 1;" : "=r"(r) : "r"(a)); | writes to %1, which is an input: make it an output
asm("add.u32 %0, %0, %1;" : "=r"(r) : "r"(a)); | reads %0, to which nothing has been written ("+" in place of "="
asm("{ .reg .b32 t; add.u32 %0, t, %1; }" : "=r"(r) : "r"(a)); | reads t, to which nothing has been written
asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p mov.u32 %0, 1; }" : "=r"(r) : "r"(a)); | is only written where a predicate holds
asm("mov.u32 %0, 1;" : "=r"(r), "=r"(a)); | no instruction writes to the output %1
asm("mov.u32 %0, 1;" : "r"(r)); | %0 is an output: its constraint begins with = or +
asm("mov.u32 %0, %1;" : "=r"(r) : "m"(a)); | those of PTX are h, r and l for integers
asm("mov.u32 %0, 1" : "=r"(r)); asm("mov.u32 %0, 1 mov.u32 %0, 2;" : "=r"(r)); | does not end with ';'
asm("{ mov.u32 %0, 1;" : "=r"(r)); | a '{' is never closed
asm("ld.global.u32 %0, [%1];" : "=r"(r) : "r"(a)); | needs an address of 64 bits ("l") for %1: addresses of 32 bits are for .shared
asm("ld.global.u32 %0, %1;" : "=r"(r) : "l"(p)); | needs an address in brackets in place of %1
asm("ld.global.v4.u32 {%0, %0}, [%1];" : "=r"(r) : "l"(p)); | needs 4 registers in braces
asm("ld.global.v8.f32 {%0}, [%1];" : "=f"(f) : "l"(p)); | has .v8, which is not emulated for ld
asm volatile("st.const.u32 [%0], 1;" :: "l"(p)); | cannot store to constant memory
asm volatile("cp.async.cg.shared.global [%0], [%1], 8;" :: "r"(a), "l"(p)); | copies 16 bytes: .cg bypasses L1
asm volatile("cp.async.ca.shared.global [%0], [%1], 12;" :: "r"(a), "l"(p)); | copies 4, 8 or 16 bytes
asm volatile("shfl.up.b32 %0, %1, 1, 0;" : "=r"(r) : "r"(a)); | needs .sync and the lanes that take part
asm volatile("shfl.sync.up.b32 %0, %1, 1, 31, -1;" : "=r"(r) : "r"(a)); | its fourth operand 31 is not one of those
asm volatile("atom.global.max.f32 %0, [%1], %2;" : "=f"(f) : "l"(p), "f"(f)); | is not emulated: this operation is not there for .f32
asm volatile("bar.arrive 1, 64;"); | use bar.sync 0, or __syncthreads()
asm volatile("fence.proxy.alias;"); | has .alias, which is not emulated for fence
asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %0}, [%1];" : "=r"(r) : "r"(a)); | needs 4 registers in braces
asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%0,%0,%0}, {%1,%1}, {%1,%1}, {%0,%0,%0,%0};" : "+f"(f) : "r"(a)); | needs 4 registers in braces
END

while IFS= read -r use; do
  printf '__global__ void k(int r, int a, float f, double d, long long l, short h, const void* p) { %s }\n' "${use%% | *}"
done < "$folder/uses" > "$folder/uses.cu"
if "$emucc" -c "$folder/uses.cu" -o "$folder/uses.o" > "$folder/said" 2>&1; then
  echo "refused_ptx.sh: compiled, although nothing in it is right" >&2
  failed=1
fi
line=0
while IFS= read -r use; do
  line=$((line + 1))
  grep -F -- "uses.cu:$line: error: asm: " "$folder/said" | grep -qF -- "${use#* | }" && continue
  echo "refused_ptx.sh: of ${use%% | *} it says: $(grep -F -- "uses.cu:$line:" "$folder/said")" >&2
  failed=1
done < "$folder/uses"

# Types of operands are known to the compiler only: it names the line, the operand and the constraint.
cat > "$folder/types.cu" <<'END'
template <class T> __global__ void k(T* y) {
  short s = 1;
  asm("mov.u32 %0, %1;" : "=r"(y[0]) : "r"(s));
  asm("mov.b32 %0, %1;" : "=r"(y[0]) : "r"(1.0f));
  asm("mov.b64 %0, %1;" : "=l"(y[0]) : "l"(y));
}
int main() { k<<<1, 1>>>(static_cast<int*>(nullptr)); }
END
"$emucc" -c "$folder/types.cu" -o "$folder/types.o" > "$folder/said" 2>&1 && failed=1
for words in "types.cu:3: error: " "operand %1 of asm, s, does not fit its constraint r: an integer of 32 bits is wanted" \
  "types.cu:4: error: " "operand %1 of asm, 1.0f, does not fit" "types.cu:5: error: " "operand %0 of asm, y[0], does not fit its constraint l"; do
  grep -qF -- "$words" "$folder/said" && continue
  echo "refused_ptx.sh: the compiler does not say '$words' but $(< "$folder/said")" >&2
  failed=1
done

# Functions of both sides are the host's, too: their asm is left to the compiler, as is what is empty.
cat > "$folder/left.cu" <<'END'
__host__ __device__ int f(int x) { asm("" : "+r"(x)); return x; }
__global__ void k(int* y) {
  asm volatile("" ::: "memory");
  y[0] = f(1);
}
int main() {}
END
"$emucc" -c "$folder/left.cu" -o "$folder/left.o" > "$folder/said" 2>&1 || {
  echo "refused_ptx.sh: refused what is no PTX: $(< "$folder/said")" >&2
  failed=1
}
exit "$failed"
