// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What reductions compute. Ranks are combined in their order, so the result is the same in every run; numbers
// of 16 bits are rounded after each step.
#include <algorithm>
#include <type_traits>

#include "emulator/math/small_floats.hpp"
#include "nccl_comm.hpp"

namespace cuda_emulator::nccl {
namespace {

template <small_format Format>
struct small {
  std::uint16_t bits;
  double value() const { return small_value(Format, bits); }
  static small of(double x) { return {small_from(Format, x, rounding::nearest)}; }
};

template <class T>
T combined(ncclRedOp_t operation, T a, T b) {
  if constexpr (std::is_integral_v<T>) {  // which wrap
    using wide = std::make_unsigned_t<std::conditional_t<sizeof(T) < 4, int, T>>;
    if (operation == ncclSum || operation == ncclAvg) return static_cast<T>(wide(a) + wide(b));
    if (operation == ncclProd) return static_cast<T>(wide(a) * wide(b));
    return operation == ncclMax ? std::max(a, b) : std::min(a, b);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (operation == ncclSum || operation == ncclAvg) return a + b;
    if (operation == ncclProd) return a * b;
    return operation == ncclMax ? std::max(a, b) : std::min(a, b);
  } else {
    return T::of(combined(operation, a.value(), b.value()));
  }
}

template <class T>
T divided(T a, int by) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(a / static_cast<T>(by));
  else
    return T::of(a.value() / by);
}

/// each(elements of the type)
template <class Each>
void with_type(ncclDataType_t type, Each&& each) {
  switch (type) {
    case ncclInt8:
      return each(static_cast<std::int8_t*>(nullptr));
    case ncclUint8:
      return each(static_cast<std::uint8_t*>(nullptr));
    case ncclInt32:
      return each(static_cast<std::int32_t*>(nullptr));
    case ncclUint32:
      return each(static_cast<std::uint32_t*>(nullptr));
    case ncclInt64:
      return each(static_cast<std::int64_t*>(nullptr));
    case ncclUint64:
      return each(static_cast<std::uint64_t*>(nullptr));
    case ncclFloat16:
      return each(static_cast<small<small_format::half>*>(nullptr));
    case ncclBfloat16:
      return each(static_cast<small<small_format::bfloat>*>(nullptr));
    case ncclFloat32:
      return each(static_cast<float*>(nullptr));
    case ncclFloat64:
      return each(static_cast<double*>(nullptr));
    default:
      return;
  }
}

}  // namespace

void combine(ncclDataType_t type, ncclRedOp_t operation, void* to, const void* from, std::uint64_t count) {
  with_type(type, [&]<class T>(T*) {
    auto* const a = static_cast<T*>(to);
    const auto* const b = static_cast<const T*>(from);
    for (std::uint64_t i = 0; i < count; ++i) a[i] = combined(operation, a[i], b[i]);
  });
}

void divide(ncclDataType_t type, void* to, std::uint64_t count, int by) {
  with_type(type, [&]<class T>(T*) {
    auto* const a = static_cast<T*>(to);
    for (std::uint64_t i = 0; i < count; ++i) a[i] = divided(a[i], by);
  });
}

}  // namespace cuda_emulator::nccl
