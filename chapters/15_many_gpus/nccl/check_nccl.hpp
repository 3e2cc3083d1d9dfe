// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Every call of NCCL is checked, and communicators are destroyed when they go out of scope.
#pragma once

#include <nccl.h>

#include <span>
#include <stdexcept>
#include <vector>

#include "common/device/check.hpp"

namespace tutorial {

/// A call of NCCL that failed. what() names the file, the line, and what NCCL says.
class nccl_error : public std::runtime_error {
 public:
  /// `code` as NCCL returned it, from the call at `where`.
  nccl_error(ncclResult_t code, const source_line& where);
  /// What NCCL returned.
  ncclResult_t code() const { return code_; }

 private:
  ncclResult_t code_;
};

/// Throws nccl_error unless `result` is ncclSuccess.
inline void check(ncclResult_t result, source_line where = source_line::current()) {
  if (result != ncclSuccess) throw nccl_error(result, where);
}

/// Calls between the constructor and end() are one group: they are given to their streams together. Without
/// end(), where an exception leaves the scope, the group is closed, and what NCCL says of it is not heard.
class nccl_group {
 public:
  nccl_group() { check(ncclGroupStart()); }
  ~nccl_group() {
    if (open_) ncclGroupEnd();
  }
  nccl_group(const nccl_group&) = delete;
  nccl_group& operator=(const nccl_group&) = delete;
  /// Gives the calls to their streams.
  void end() {
    open_ = false;
    check(ncclGroupEnd());
  }

 private:
  bool open_ = true;
};

/// A communicator for each of several devices of this process.
class nccl_ranks {
 public:
  /// Rank r uses devices[r]. Throws nccl_error, for one where a device is named twice.
  explicit nccl_ranks(std::span<const int> devices) : comms_(devices.size()) {
    check(ncclCommInitAll(comms_.data(), int(devices.size()), devices.data()));
  }
  ~nccl_ranks() {
    for (const ncclComm_t each : comms_) ncclCommDestroy(each);
  }
  nccl_ranks(const nccl_ranks&) = delete;
  nccl_ranks& operator=(const nccl_ranks&) = delete;
  /// Calls that have not ended end, and do nothing. There are no ranks any more.
  void abort() {
    for (const ncclComm_t each : comms_) ncclCommAbort(each);
    comms_.clear();
  }
  /// That of rank r.
  ncclComm_t operator[](int r) const { return comms_[std::size_t(r)]; }
  /// How many ranks.
  int size() const { return int(comms_.size()); }

 private:
  std::vector<ncclComm_t> comms_;
};

}  // namespace tutorial
