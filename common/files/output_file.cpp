// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tutorial {
namespace {

namespace fs = std::filesystem;

std::string what_to_do(int error) {
  switch (error) {
    case ENOSPC:
      return "the disk is full: make room or choose another folder";
    case EDQUOT:
      return "your quota on this disk is used up: make room or choose another folder";
    case EFBIG:
      return "the file would be larger than allowed here";
    case EACCES:
    case EPERM:
      return "no permission to write there: choose another folder";
    case EROFS:
      return "the disk is read-only: choose another folder";
    case ENOENT:
      return "the folder does not exist: create it first";
    case ENOTDIR:
      return "a part of the path is a file, not a folder";
    case EISDIR:
      return "it is a folder: give the name of a file";
    case ENAMETOOLONG:
      return "the name is too long";
    default:
      return std::strerror(error);
  }
}

// The file that `target` names, symbolic links followed.
fs::path real_path(const fs::path& target) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(target, ignored);
  return real.empty() ? target : real;
}

// A device or a pipe, which cannot be put in place by renaming.
bool written_in_place(const fs::path& real) {
  std::error_code ignored;
  const fs::file_status status = fs::status(real, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : "."; }

}  // namespace

void require_writable(const fs::path& target) {
  std::error_code ignored;
  const auto fail = [&](int error) {
    throw input_error("cannot write " + target.string() + ": " + what_to_do(error));
  };
  if (target.empty()) throw input_error("cannot write: the name of the file is empty");
  if (fs::is_directory(target, ignored)) fail(EISDIR);
  const fs::path folder = folder_of(target);
  if (!fs::exists(folder, ignored)) fail(ENOENT);
  if (!fs::is_directory(folder, ignored)) fail(ENOTDIR);
  const fs::path real = real_path(target);
  const bool allowed = written_in_place(real)
                           ? faccessat(AT_FDCWD, real.c_str(), W_OK, AT_EACCESS) == 0
                           : faccessat(AT_FDCWD, folder_of(real).c_str(), W_OK | X_OK, AT_EACCESS) == 0;
  if (!allowed) fail(errno);
}

output_file::output_file(const fs::path& target) : target_(target) {
  require_writable(target);
  real_ = real_path(target);
  if (written_in_place(real_)) {
    file_ = std::fopen(real_.c_str(), "wb");
  } else {
    // The process id keeps two runs apart; "x" refuses to follow what somebody else put there.
    temporary_ = real_;
    temporary_ += ".part" + std::to_string(getpid());
    file_ = std::fopen(temporary_.c_str(), "wbx");
  }
  if (file_ == nullptr) {
    const int error = errno;
    temporary_.clear();  // not ours to remove
    fail("create", error);
  }
}

output_file::~output_file() {
  if (file_ != nullptr) std::fclose(file_);
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void output_file::write(const void* bytes, std::size_t size) {
  if (std::fwrite(bytes, 1, size, file_) != size) fail("write", errno);
}

void output_file::commit() {
  // Only now is it known that everything fitted: the last bytes leave the buffer here.
  if (std::fflush(file_) != 0 || std::ferror(file_)) fail("write", errno);
  const int closed = std::fclose(std::exchange(file_, nullptr));
  if (closed != 0) fail("write", errno);
  if (temporary_.empty()) return;
  std::error_code error;
  fs::rename(temporary_, real_, error);
  if (error) fail("replace", error.value());
  temporary_.clear();
}

void output_file::fail(const char* doing, int error) const {
  throw input_error(std::string("cannot ") + doing + " " + target_.string() + ": " + what_to_do(error) +
                    ". Nothing was written");
}

}  // namespace tutorial
