// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The code of a block can begin at any bit, and where it begins depends on all blocks before it: so their
// lengths come first, then a scan, then the bits.
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <algorithm>
#include <stdexcept>

#include "09_dct_compression/kernels/compress_fused.hpp"
#include "10_bits/host/coding_tables.hpp"
#include "common/device/ceil_div.hpp"
#include "common/device/check.hpp"
#include "encode_stepwise.hpp"

namespace tutorial {
namespace {

constexpr int threads_per_block = 128;
constexpr int bytes_per_thread = 16;  // of the two kernels that look for 0xFF

/// Where the levels of the components are; pitches in levels.
struct level_planes {
  const std::int16_t* levels[3];
  std::int64_t pitch[3];
};

struct zigzag_path {
  std::uint8_t at[64];
};

zigzag_path this_path() {
  zigzag_path path{};
  std::copy(zigzag_order().begin(), zigzag_order().end(), path.at);
  return path;
}

__device__ const std::int16_t* first_level(const level_planes& planes, const scan_block& block) {
  return planes.levels[block.component] + 8 * block.row * planes.pitch[block.component] + 8 * block.column;
}

/// The code of block number `block`, piece by piece, to item(coded_bits).
template <class Item>
__device__ void for_each_code(const level_planes& planes, const scan_layout& layout, const zigzag_path& path,
                              const class_tables* tables, int block, Item item) {
  const scan_block at = layout.at(block);
  const class_tables& codes = tables[at.component == 0 ? 0 : 1];
  const std::int16_t* const levels = at.is_real ? first_level(planes, at) : nullptr;
  int difference = 0;
  if (at.is_real) {
    const int predecessor = layout.predecessor(block, layout.first_of_interval(block));
    difference = levels[0] - (predecessor < 0 ? 0 : *first_level(planes, layout.at(predecessor)));
  }
  const std::int64_t pitch = planes.pitch[at.component];
  for_each_symbol(
      difference,
      [&](int k) { return at.is_real ? int(levels[path.at[k] / 8 * pitch + path.at[k] % 8]) : 0; },
      [&](const coded_symbol& symbol) {
        const coded_bits entry =
            symbol.kind == coefficient_kind::dc ? codes.dc[symbol.symbol] : codes.ac[symbol.symbol];
        item(with_extra(entry, symbol.extra));
      });
}

// [lengths]
/// lengths[b] = bits of the code of block b.
__global__ void code_lengths_kernel(const __grid_constant__ level_planes planes,
                                    const __grid_constant__ scan_layout layout,
                                    const __grid_constant__ zigzag_path path, const device_coding* coding,
                                    std::uint64_t* lengths) {
  const int block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block >= layout.blocks()) return;
  int length = 0;
  for_each_code(planes, layout, path, coding->of, block, [&](coded_bits code) { length += code.length(); });
  lengths[block] = std::uint64_t(length);
}
// [lengths]

// [emit]
/// ORs `bits`, the first one at the top, into the stream, so that the first one is bit number `position`.
/// The bytes of a word are reversed: the first byte of the stream is the lowest of its word in memory.
__device__ void or_bits(std::uint32_t* stream, std::uint64_t position, std::uint32_t bits) {
  std::uint32_t* const word = stream + position / 32;
  const int shift = int(position % 32);
  atomicOr(word, __byte_perm(bits >> shift, 0, 0x0123));
  const std::uint32_t rest = shift == 0 ? 0 : bits << (32 - shift);
  if (rest != 0) atomicOr(word + 1, __byte_perm(rest, 0, 0x0123));
}

/// The code of block b, from bit begins[b] of the stream, in which all bits are zero at first. Neighbors
/// share words: hence atomicOr.
__global__ void emit_codes_kernel(const __grid_constant__ level_planes planes,
                                  const __grid_constant__ scan_layout layout,
                                  const __grid_constant__ zigzag_path path, const device_coding* coding,
                                  const std::uint64_t* begins, std::uint32_t* stream) {
  const int block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block >= layout.blocks()) return;
  std::uint64_t position = begins[block];
  for_each_code(planes, layout, path, coding->of, block, [&](coded_bits code) {
    or_bits(stream, position, code.bits());
    position += std::uint64_t(code.length());
  });
  // Ones fill the last byte.
  if (block == layout.blocks() - 1 && position % 8 != 0)
    or_bits(stream, position, ~0u << (24 + position % 8));
}
// [emit]

// [stuff]
/// counts[i] = bytes 0xFF among the 16 that thread i looks at.
__global__ void count_ff_kernel(const std::uint8_t* stream, std::uint64_t size, std::uint64_t* counts) {
  const std::uint64_t first = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * bytes_per_thread;
  if (first >= size) return;
  int count = 0;
  for (std::uint64_t i = first; i < min(first + bytes_per_thread, size); ++i) count += stream[i] == 0xFF;
  counts[first / bytes_per_thread] = std::uint64_t(count);
}

/// The same bytes with a 0 after each 0xFF, moved by the number of zeros before them; then the end of the
/// image.
__global__ void stuff_kernel(const std::uint8_t* stream, std::uint64_t size,
                             const std::uint64_t* zeros_before, const device_coding* coding,
                             std::uint8_t* file, std::uint64_t room, std::uint64_t* file_size) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread < std::uint64_t(coding->header_size) && thread < room) file[thread] = coding->header[thread];
  const std::uint64_t first = thread * bytes_per_thread;
  if (first >= size) return;
  std::uint64_t to = std::uint64_t(coding->header_size) + first + zeros_before[thread];
  const auto put = [&](std::uint8_t byte) {
    if (to < room) file[to] = byte;
    ++to;
  };
  for (std::uint64_t i = first; i < min(first + bytes_per_thread, size); ++i) {
    put(stream[i]);
    if (stream[i] == 0xFF) put(0);
  }
  if (first + bytes_per_thread < size) return;
  put(0xFF);
  put(std::uint8_t(jpeg_marker::end_of_image));
  *file_size = to;
}
// [stuff]

class stepwise_encoder final : public jpeg_encoder {
 public:
  stepwise_encoder(const jpeg_description& picture, const jpeg_coding& coding)
      : picture_(picture),
        layout_(scan_layout_of(picture.width, picture.height, picture.channels, picture.sampling, 0)),
        coding_(1),
        begins_(std::size_t(layout_.blocks()) + 1) {
    if (coding.restart_interval != 0 || coding.optimized)
      throw std::invalid_argument("the stepwise encoder has neither restart markers nor optimized codes");
    coding_.copy_from(std::vector<device_coding>{device_coding_of(picture, standard_codes(), 0)});
    for (int c = 0; c < picture.channels; ++c)
      levels_[c] = device_plane<std::int16_t>(8 * layout_.of[c].blocks_wide, 8 * layout_.of[c].blocks_high);
  }

  void encode(const jpeg_planes& planes, device_span<std::uint8_t> file, std::uint64_t* size,
              cudaStream_t callers) override {
    detail::require_planes(planes, picture_);
    check(cudaStreamSynchronize(callers));  // all that follows is in the default stream, as Thrust's scans
    level_planes levels{};
    for (int c = 0; c < picture_.channels; ++c) {
      encode_fused(planes.of[c], picture_.steps[c], levels_[c]);
      levels.levels[c] = levels_[c].span().data();
      levels.pitch[c] = std::int64_t(levels_[c].pitch() / sizeof(std::int16_t));
    }
    const int blocks = layout_.blocks();
    const unsigned grid = unsigned(ceil_div(blocks, threads_per_block));
    check(cudaMemset(begins_.data() + blocks, 0, sizeof(std::uint64_t)));
    code_lengths_kernel<<<grid, threads_per_block>>>(levels, layout_, this_path(), coding_.data(),
                                                     begins_.data());
    check(cudaGetLastError());
    thrust::exclusive_scan(thrust::device, begins_.data(), begins_.data() + blocks + 1, begins_.data());

    std::uint64_t bits = 0;  // the host must know how much memory the stream needs
    check(cudaMemcpy(&bits, begins_.data() + blocks, sizeof bits, cudaMemcpyDeviceToHost));
    const std::uint64_t words = bits / 32 + 2, bytes = ceil_div(bits, 8);
    device_buffer<std::uint32_t> stream(words);
    check(cudaMemset(stream.data(), 0, words * sizeof(std::uint32_t)));
    emit_codes_kernel<<<grid, threads_per_block>>>(levels, layout_, this_path(), coding_.data(),
                                                   begins_.data(), stream.data());
    check(cudaGetLastError());

    const auto* const stream_bytes = reinterpret_cast<const std::uint8_t*>(stream.data());
    const std::uint64_t pieces = ceil_div(bytes, bytes_per_thread);
    // The header is copied, too, by as many threads as it has bytes.
    const unsigned stuff_grid =
        unsigned(ceil_div(std::max<std::uint64_t>(pieces, sizeof device_coding::header), threads_per_block));
    device_buffer<std::uint64_t> zeros(pieces);
    count_ff_kernel<<<stuff_grid, threads_per_block>>>(stream_bytes, bytes, zeros.data());
    check(cudaGetLastError());
    thrust::exclusive_scan(thrust::device, zeros.data(), zeros.data() + pieces, zeros.data());
    stuff_kernel<<<stuff_grid, threads_per_block>>>(stream_bytes, bytes, zeros.data(), coding_.data(),
                                                    file.data(), file.size(), size);
    check(cudaGetLastError());
    check(cudaStreamSynchronize(nullptr));
  }

 private:
  jpeg_description picture_;
  scan_layout layout_;
  device_buffer<device_coding> coding_;
  device_buffer<std::uint64_t> begins_;  // of each block's code, in bits; first its length
  device_plane<std::int16_t> levels_[3];
};

}  // namespace

std::unique_ptr<jpeg_encoder> make_stepwise_encoder(const jpeg_description& picture,
                                                    const jpeg_coding& coding) {
  return std::make_unique<stepwise_encoder>(picture, coding);
}

}  // namespace tutorial
