// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "npy_reader.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

namespace tutorial {
namespace {

/// Reads exactly so many bytes, unless the file ends before: how many they were.
std::size_t read_at(std::FILE* file, const std::filesystem::path& name, std::size_t offset, char* to,
                    std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t now = pread(fileno(file), to + done, size - done, static_cast<off_t>(offset + done));
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) fail_reading(name, errno);
    if (now == 0) break;
    done += std::size_t(now);
  }
  return done;
}

}  // namespace

npy_reader::npy_reader(const std::filesystem::path& file) : file_(file), in_(open_input(file)) {
  struct stat about {};
  if (fstat(fileno(in_.get()), &about) != 0) fail_reading(file, errno);
  if (S_ISDIR(about.st_mode)) fail_reading(file, EISDIR);
  if (!S_ISREG(about.st_mode))
    throw input_error(file.string() +
                      ": this is not a file on a disk, and only files on a disk can be read in pieces");
  std::string head(detail::longest_npy_header, '\0');
  head.resize(read_at(in_.get(), file, 0, head.data(), head.size()));
  header_ = detail::parse_npy_header(head, file);
  detail::require_npy_size(header_, std::uint64_t(about.st_size) - header_.data_offset, file);
}

template <class T>
void npy_reader::read(std::size_t first, std::span<T> to) {
  const std::size_t offset = header_.data_offset + first * header_.element_size;
  const bool as_it_is = header_.element_size == sizeof(T) &&
                        header_.kind == (std::is_integral_v<T> ? 'i' : 'f') &&
                        header_.big_endian == (std::endian::native == std::endian::big);
  const std::size_t bytes = to.size() * header_.element_size;
  if (!as_it_is) raw_.resize(bytes);
  char* const target = as_it_is ? reinterpret_cast<char*>(to.data()) : raw_.data();
  if (read_at(in_.get(), file_, offset, target, bytes) != bytes)
    throw input_error(file_.string() + ": the file became shorter while it was read");
  if (!as_it_is) detail::convert_npy<T>(raw_.data(), header_, first, to, file_);
}

template void npy_reader::read(std::size_t, std::span<std::int32_t>);
template void npy_reader::read(std::size_t, std::span<float>);
template void npy_reader::read(std::size_t, std::span<double>);

}  // namespace tutorial
