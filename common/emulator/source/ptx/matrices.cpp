// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Matrix instructions of a warp: mma.sync, ldmatrix, stmatrix, and what nvcuda::wmma is made of. All 32 lanes
// bring their parts, and the last one to come does the work for all.
//
// Products are exact, and so is their sum with the accumulator, as far as two doubles go; it is rounded once,
// to nearest. A GPU adds with fewer bits and cuts some off. Its results agree bit by bit where every partial
// sum fits into the accumulator's type; otherwise differences of up to k + 1 units in the last place of the
// largest term are to be expected.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/math/rounding.hpp"
#include "emulator/math/small_floats.hpp"
#include "stop.hpp"

namespace cuda_emulator::ptx {
namespace {

constexpr int lanes = 32;

int width(factor f) {
  return f == factor::f64 ? 64 : f == factor::tf32 ? 32 : f == factor::f16 || f == factor::bf16 ? 16 : 8;
}

double value(factor f, std::uint64_t bits) {
  switch (f) {
    case factor::f16:
      return small_value(small_format::half, static_cast<std::uint16_t>(bits));
    case factor::bf16:
      return small_value(small_format::bfloat, static_cast<std::uint16_t>(bits));
    case factor::tf32:  // the last 13 bits of a float are not looked at
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits) & ~0x1fffu);
    case factor::s8:
      return static_cast<std::int8_t>(bits);
    case factor::u8:
      return static_cast<std::uint8_t>(bits);
    case factor::f64:
      break;
  }
  return std::bit_cast<double>(bits);
}

/// A sum that is kept as a double and what the double has lost.
struct long_sum {
  double near = 0, rest = 0;

  void add(double x) {
    const double sum = near + x, part = sum - near;
    rest = std::isfinite(sum) ? rest + ((near - (sum - part)) + (x - part)) : 0;
    near = sum;
  }
  /// As a double with a last bit that says whether there was more: rounded once more, it is rounded once.
  double with_sign_of_more() const {
    long_sum sum{near};
    sum.add(rest);
    if (sum.rest == 0) return sum.near;
    auto bits = std::bit_cast<std::uint64_t>(sum.near);
    if ((sum.rest > 0) != (sum.near > 0)) --bits;
    return std::bit_cast<double>(bits | 1);
  }
};

/// What a lane brings to mma.sync.
struct multiplication : warp_work {
  matrix_operands* operands;
};

double accumulator(const matrix_operands& o, sum type, int index) {
  switch (type) {
    case sum::f16:
      return small_value(small_format::half, static_cast<std::uint16_t>(o.c[index / 2] >> 16 * (index % 2)));
    case sum::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(o.c[index]));
    case sum::s32:
      return static_cast<std::int32_t>(o.c[index]);
    case sum::f64:
      break;
  }
  return std::bit_cast<double>(o.c[index]);
}

void set_result(matrix_operands& o, sum type, int index, const long_sum& value, bool saturates) {
  switch (type) {
    case sum::f16: {
      const std::uint64_t half = small_from(small_format::half, value.with_sign_of_more(), rounding::nearest);
      o.d[index / 2] = index % 2 == 0 ? half : o.d[index / 2] | half << 16;
      break;
    }
    case sum::f32: {
      const auto rounded = static_cast<float>(value.with_sign_of_more());
      o.d[index] = rounded != rounded ? 0x7fffffffu : std::bit_cast<std::uint32_t>(rounded);
      break;
    }
    case sum::s32: {
      auto whole = static_cast<std::int64_t>(value.near);
      if (saturates) whole = std::min<std::int64_t>(std::max<std::int64_t>(whole, INT32_MIN), INT32_MAX);
      o.d[index] = static_cast<std::uint32_t>(whole);
      break;
    }
    case sum::f64:
      o.d[index] = std::bit_cast<std::uint64_t>(value.near);
      break;
  }
}

/// The layout of fragments in the PTX ISA, "Matrix Fragments for mma": a group of four lanes has a row of A
/// and a column of B; a register holds neighbors along k; the next registers hold row + 8, then k + 4
/// registers.
void multiply_all(warp_work* const* all) {
  const auto part = [&](int lane) -> matrix_operands& {
    return *static_cast<multiplication*>(all[lane])->operands;
  };
  const matrix_shape shape = decode_shape(part(0).shape);
  const int register_bits = shape.a == factor::f64 ? 64 : 32, each = register_bits / width(shape.a);
  const std::uint64_t mask = width(shape.a) == 64 ? ~0ull : (1ull << width(shape.a)) - 1;
  std::array<std::array<double, 32>, 16> a{};
  std::array<std::array<double, 8>, 32> b{};
  const int row_halves = shape.m / 8;
  for (int lane = 0; lane < lanes; ++lane) {
    const int group = lane / 4, in_group = lane % 4;
    const matrix_operands& o = part(lane);
    for (int chunk = 0; chunk < shape.k / (4 * each); ++chunk) {
      for (int i = 0; i < each; ++i) {
        const int k = chunk * 4 * each + in_group * each + i;
        for (int half = 0; half < row_halves; ++half)
          a[group + 8 * half][k] =
              value(shape.a, o.a[chunk * row_halves + half] >> (width(shape.a) * i) & mask);
        b[k][group] = value(shape.b, o.b[chunk] >> (width(shape.b) * i) & mask);
      }
    }
  }
  for (int lane = 0; lane < lanes; ++lane) {
    matrix_operands& o = part(lane);
    for (int i = 0; i < 2 * row_halves; ++i) {
      const int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      long_sum total{accumulator(o, shape.c, i)};
      for (int k = 0; k < shape.k; ++k) {
        if (shape.a == factor::f64)
          total.near = std::fma(a[row][k], b[k][column], total.near);
        else
          total.add(a[row][k] * b[k][column]);
      }
      set_result(o, shape.d, i, total, shape.saturates);
    }
  }
}

/// What a lane brings to wmma::mma_sync().
struct fragment_work : warp_work {
  fragment_product* product;
  bool copied;  // found by the last lane
};

}  // namespace

/// Of a worker: a warp belongs to one, which has at most 32.
struct fragment_memory {
  /// What the last mma_sync() of a warp gave its lanes.
  struct given_sums {
    std::uint32_t launch = 0;  // its id; 0: none
    std::uint64_t block = 0;
    int count = 0;
    double of[lanes][8];
  };
  given_sums last_given[32];
  double a[32][16], b[16][32];  // the factors of the product that is made now
};

namespace {

using given_sums = fragment_memory::given_sums;

/// Are these elements, which the lanes have written themselves, the sums that they were given, lane by lane
/// and in their order, through some function that rises or falls? With many different values that is no
/// accident.
bool follow(const given_sums& given, const std::array<std::array<double, 8>, lanes>& elements, int count) {
  std::vector<std::pair<double, double>> pairs;
  for (int lane = 0; lane < lanes; ++lane)
    for (int e = 0; e < std::min(count, given.count); ++e) {
      const double sum = given.of[lane][e],
                   element = elements[static_cast<std::size_t>(lane)][static_cast<std::size_t>(e)];
      if (std::isnan(sum) || std::isnan(element)) return false;
      pairs.emplace_back(sum, element);
    }
  std::sort(pairs.begin(), pairs.end());
  bool rises = true, falls = true;
  int different = 1;
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    const double step = pairs[i].second - pairs[i - 1].second;
    if (pairs[i].first == pairs[i - 1].first && step != 0) return false;
    rises &= step >= 0;
    falls &= step <= 0;
    different += step != 0;
  }
  return (rises || falls) && different >= 8;
}

void set_result(fragment_product& p, int index, const long_sum& value) {
  matrix_operands one{};
  set_result(one, p.type, 0, value, p.saturates);
  p.d[index] = one.d[0];
}

void multiply_all_fragments(warp_work* const* all) {
  const auto part = [&](int lane) -> fragment_product& {
    return *static_cast<fragment_work*>(all[lane])->product;
  };
  std::shared_ptr<fragment_memory>& mine = running().fragments;
  if (mine == nullptr) mine = std::make_shared<fragment_memory>();
  given_sums& given = mine->last_given[running().thread() / lanes];
  const bool is_given = given.launch == running().launch().id && given.block == running().block();
  bool writes_a = is_given, writes_b = is_given;
  std::array<std::array<double, 8>, lanes> in_a{}, in_b{};
  for (int lane = 0; lane < lanes; ++lane) {
    const fragment_product& p = part(lane);
    writes_a &= p.writes_a;
    writes_b &= p.writes_b;
    for (std::size_t e = 0; e < 8; ++e) {
      in_a[static_cast<std::size_t>(lane)][e] = p.a[e].value;
      in_b[static_cast<std::size_t>(lane)][e] = p.b[e].value;
    }
  }
  const bool copied = (writes_a && follow(given, in_a, part(0).factors_a)) ||
                      (writes_b && follow(given, in_b, part(0).factors_b));
  for (int lane = 0; lane < lanes; ++lane) static_cast<fragment_work*>(all[lane])->copied = copied;
  given.launch = running().launch().id;
  given.block = running().block();
  given.count = part(0).sums;

  auto& [last_given, a, b] = *mine;
  for (int lane = 0; lane < lanes; ++lane) {
    const fragment_product& p = part(lane);
    for (int e = 0; e < p.factors_a; ++e) a[p.a[e].row][p.a[e].column] = p.a[e].value;
    for (int e = 0; e < p.factors_b; ++e) b[p.b[e].row][p.b[e].column] = p.b[e].value;
  }
  for (int lane = 0; lane < lanes; ++lane) {
    fragment_product& p = part(lane);
    for (int e = 0; e < p.sums; ++e) {
      const fragment_element& c = p.c[e];
      long_sum total{c.value};
      for (int k = 0; k < p.k; ++k) {
        if (p.type == sum::f64)
          total.near = std::fma(a[c.row][k], b[k][c.column], total.near);
        else
          total.add(a[c.row][k] * b[k][c.column]);
      }
      set_result(p, e, total);
      given.of[lane][e] = total.near + total.rest;
    }
  }
}

/// What a lane brings to a load or a store of wmma.
struct same_arguments : warp_work {
  const void* pointer;
  unsigned distance;
  bool differ;
};

void compare_arguments(warp_work* const* all) {
  const auto part = [&](int lane) -> same_arguments& { return *static_cast<same_arguments*>(all[lane]); };
  bool differ = false;
  for (int lane = 1; lane < lanes; ++lane)
    differ |= part(lane).pointer != part(0).pointer || part(lane).distance != part(0).distance;
  for (int lane = 0; lane < lanes; ++lane) part(lane).differ = differ;
}

/// What a lane brings to ldmatrix or stmatrix, and takes away.
struct rows : warp_work {
  unsigned count;
  bool transposed;
  std::uint16_t row[8];        // of the matrix that the lane's address belongs to
  std::uint32_t registers[4];  // its part of each matrix
};

void distribute_rows(warp_work* const* all) {
  const auto part = [&](int lane) -> rows& { return *static_cast<rows*>(all[lane]); };
  for (int lane = 0; lane < lanes; ++lane) {
    rows& mine = part(lane);
    for (unsigned m = 0; m < mine.count; ++m) {
      std::uint32_t both = 0;
      for (int i = 0; i < 2; ++i) {
        const int row = mine.transposed ? lane % 4 * 2 + i : lane / 4,
                  column = mine.transposed ? lane / 4 : lane % 4 * 2 + i;
        both |= static_cast<std::uint32_t>(part(static_cast<int>(8 * m) + row).row[column]) << 16 * i;
      }
      mine.registers[m] = both;
    }
  }
}

void collect_rows(warp_work* const* all) {
  const auto part = [&](int lane) -> rows& { return *static_cast<rows*>(all[lane]); };
  for (int lane = 0; lane < lanes; ++lane) {
    const rows& mine = part(lane);
    for (unsigned m = 0; m < mine.count; ++m) {
      for (int i = 0; i < 2; ++i) {
        const int row = mine.transposed ? lane % 4 * 2 + i : lane / 4,
                  column = mine.transposed ? lane / 4 : lane % 4 * 2 + i;
        part(static_cast<int>(8 * m) + row).row[column] =
            static_cast<std::uint16_t>(mine.registers[m] >> 16 * i);
      }
    }
  }
}

void meet(warp_work& work, const void* pc) {
  running().warp_collective(warp_operation::together, ~0u, reinterpret_cast<std::uint64_t>(&work), 0, 32, 0,
                            pc);
}

/// Of the lane that runs: does its address count?
bool has_row(unsigned count) { return static_cast<unsigned>(running().thread() % lanes) < 8 * count; }

constexpr const char* misaligned_row =
    "Each of the addresses leads to a row of 8 elements of 16 bits, "
    "and must be a multiple of 16 bytes. Lanes 0 to\n"
    "  7 give the rows of the first matrix, 8 to 15 those of the second, and so on. Usual cause: "
    "a row pitch of the\n"
    "  tile that is not a multiple of 8 elements.";

}  // namespace

void multiply(matrix_operands& operands) {
  multiplication work{{multiply_all, "mma.sync"}, &operands};
  meet(work, __builtin_return_address(0));
}

void multiply_fragments(fragment_product& product) {
  const void* const pc = __builtin_return_address(0);
  fragment_work work{{multiply_all_fragments, "wmma::mma_sync"}, &product, false};
  meet(work, pc);
  if (work.copied)
    stop("wmma::mma_sync() with elements that were copied from a fragment of another layout",
         "Lane by lane, the elements of a factor are the previous sums, or were computed from them. "
         "CUDA does not say\n"
         "  which elements of a matrix a lane holds, and they differ between the kinds of fragments. "
         "Store the sums with\n"
         "  store_matrix_sync(), and load them as a factor.",
         pc);
}

void check_fragment(const char* function, const void* pointer, unsigned distance, unsigned element_size) {
  const void* const pc = __builtin_return_address(0);
  same_arguments work{{compare_arguments, function}, pointer, distance, false};
  meet(work, pc);
  if (work.differ)
    stop((std::string(function) + "() with arguments that differ from lane to lane").c_str(),
         "The pointer to the matrix and the distance of its rows must be the same "
         "in all lanes of a warp. Usual\n"
         "  cause: an address computed from the thread's number in place of the warp's.",
         pc);
  if (reinterpret_cast<std::uintptr_t>(pointer) % 32 != 0)
    stop((std::string(function) + "() with a misaligned pointer").c_str(),
         "The first element of the matrix must lie at a multiple of 32 bytes.", pc);
  if (distance * element_size % 16 != 0)
    stop((std::string(function) + "() with a distance of rows that it does not admit").c_str(),
         "The distance from row to row (or column to column) must be a multiple of 16 bytes: "
         "of 8 half numbers, of 4\n  floats.",
         pc);
}

bytes load_matrix(space where, unsigned count, bool transposed, std::uint64_t row) {
  const void* const pc = __builtin_return_address(0);
  rows work{{distribute_rows, "ldmatrix"}, count, transposed, {}, {}};
  if (has_row(count)) {
    const void* const from = located(where, row, pc);
    if (!running().shared.contains(from))
      stop("ldmatrix from an address that is not in shared memory,", misaligned_row, pc);
    if (reinterpret_cast<std::uintptr_t>(from) % 16 != 0)
      stop("a misaligned row of ldmatrix,", misaligned_row, pc);
    observe(from, 16, access_kind::read, pc);
    std::memcpy(work.row, from, 16);
  }
  meet(work, pc);
  bytes result;
  std::memcpy(&result, work.registers, sizeof result);
  return result;
}

void store_matrix(space where, unsigned count, bool transposed, std::uint64_t row, std::uint64_t low,
                  std::uint64_t high) {
  const void* const pc = __builtin_return_address(0);
  rows work{{collect_rows, "stmatrix"}, count, transposed, {}, {}};
  const bytes registers{low, high};
  std::memcpy(work.registers, &registers, sizeof registers);
  void* to = nullptr;
  if (has_row(count)) {
    to = located(where, row, pc);
    if (!running().shared.contains(to))
      stop("stmatrix to an address that is not in shared memory,", misaligned_row, pc);
    if (reinterpret_cast<std::uintptr_t>(to) % 16 != 0)
      stop("a misaligned row of stmatrix,", misaligned_row, pc);
  }
  meet(work, pc);
  if (to == nullptr) return;
  observe(to, 16, access_kind::write, pc);
  std::memcpy(to, work.row, 16);
}

}  // namespace cuda_emulator::ptx
