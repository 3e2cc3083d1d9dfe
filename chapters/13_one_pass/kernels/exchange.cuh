// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// How numbers change threads between two passes: through shared memory.
#pragma once

namespace tutorial {

// [padding]
/// Where number p of a transform is in shared memory: one place in `Run` + 1 is left free. Then numbers that
/// are Run apart are Run + 1 places apart, an odd number, and 16 lanes with two words each meet every bank
/// once. Run = 0: no padding.
template <int Run>
__host__ __device__ constexpr int padded_place(int p) {
  return Run == 0 ? p : p + p / (Run == 0 ? 1 : Run);
}
// [padding]

/// numbers[padded_place(place + Stride k)] = z[k]. padded_place(place + Stride k) is padded_place(place) +
/// padded_place(Stride k) where Stride is a multiple of Run; with Stride 1, place must be one.
template <int Run, int Stride, int Count, class C>
__device__ __forceinline__ void put(C* numbers, int place, const C (&z)[Count]) {
  static_assert(Run == 0 || Stride % Run == 0 || (Stride == 1 && Count <= Run),
                "padded_place() of this sum is no sum");
  C* const from = numbers + padded_place<Run>(place);
#pragma unroll
  for (int k = 0; k < Count; ++k) from[padded_place<Run>(Stride * k)] = z[k];
}
/// The way back: z[k] = numbers[padded_place(place + Stride k)].
template <int Run, int Stride, int Count, class C>
__device__ __forceinline__ void take(const C* numbers, int place, C (&z)[Count]) {
  static_assert(Run == 0 || Stride % Run == 0 || (Stride == 1 && Count <= Run),
                "padded_place() of this sum is no sum");
  const C* const from = numbers + padded_place<Run>(place);
#pragma unroll
  for (int k = 0; k < Count; ++k) z[k] = from[padded_place<Run>(Stride * k)];
}

}  // namespace tutorial
