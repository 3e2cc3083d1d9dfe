// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// 15_rank SIGNAL.npy FILTER.npy STEPS OUTPUT.npy: one process of several, each with a device of its own, on
// one machine or on several that share their files. A launcher starts it and says in the environment who is
// who; by hand:
//
//     for r in 0 1 2 3; do RANK=$r WORLD_SIZE=4 build/emulated/bin/15_rank x.npy h.npy 100 y.npy & done; wait
//
// Each rank reads and writes its own part of the files. The output is there when all have finished, or not at
// all. Exit status: 0; 1 where a rank has ended, or does not come; 2 for bad usage or input.
//
// 15_rank_mpi, where MPI was found, is the same for mpirun -np 4.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "15_many_gpus/host/four_devices.hpp"
#include "15_many_gpus/nccl/filters.hpp"
#include "common/files/array_file.hpp"
#include "common/files/array_formats.hpp"
#include "common/files/npy_reader.hpp"
#include "launcher.hpp"

namespace tutorial {
namespace {

/// What a launcher leaves behind that ends all processes because one has ended.
char* left_behind = nullptr;
extern "C" void remove_and_end(int) {
  if (left_behind != nullptr) unlink(left_behind);
  _exit(1);
}

/// The file that all ranks write to, until it is whole. Each has one of these, and removes the file where
/// another one has ended.
class shared_output {
 public:
  shared_output(const std::filesystem::path& target, std::size_t samples)
      : target_(target),
        temporary_(target.string() + ".part"),
        temporary_name_(temporary_.string()),
        header_(detail::npy_prefix<float>({samples})) {
    left_behind = temporary_name_.data();
    signal(SIGTERM, remove_and_end);
    signal(SIGINT, remove_and_end);
  }
  ~shared_output() {
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    left_behind = nullptr;
    if (file_ >= 0) close(file_);
  }
  shared_output(const shared_output&) = delete;
  shared_output& operator=(const shared_output&) = delete;

  /// By rank 0, before the others open it: a header.
  void make() {
    open_file(O_CREAT | O_TRUNC);
    write(0, header_.data(), header_.size());
  }
  void open_made() { open_file(0); }
  /// Element `first` and those behind it.
  void write_samples(std::size_t first, std::span<const float> values) {
    write(header_.size() + first * sizeof(float), values.data(), values.size_bytes());
    if (fsync(file_) != 0) fail();
  }
  /// By rank 0, when all have written.
  void commit() { std::filesystem::rename(temporary_, target_); }
  /// Leaves nothing of it.
  void remove() const noexcept { unlink(temporary_.c_str()); }

 private:
  void open_file(int how) {
    file_ = open(temporary_.c_str(), O_WRONLY | O_CLOEXEC | how, 0666);
    if (file_ < 0) fail();
  }
  void write(std::size_t at, const void* bytes, std::size_t size) {
    for (const char* from = static_cast<const char*>(bytes); size > 0;) {
      const ssize_t written = pwrite(file_, from, size, off_t(at));
      if (written <= 0) fail();
      from += written, at += std::size_t(written), size -= std::size_t(written);
    }
  }
  [[noreturn]] void fail() const {
    throw input_error(temporary_.string() + ": cannot be written: " + std::strerror(errno));
  }

  std::filesystem::path target_, temporary_;
  std::string temporary_name_;
  std::string header_;
  int file_ = -1;
};

void say(const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); }

/// What one rank does between the two meetings.
void filter_part(const rank_place& place, const signal_split& split, const ncclUniqueId& id,
                 npy_reader& signal, std::span<const float> h, int steps, shared_output& output) {
  const sample_range own = split.owned(place.rank);
  ncclComm_t comm{};
  check(ncclCommInitRank(&comm, place.size, id, place.rank));
  signal_part<float> part(split, place.rank, h);
  std::vector<float> samples(own.size());
  signal.read<float>(own.begin, samples);
  part.bring(samples);
  std::printf("rank %d of %d: samples %zu to %zu\n", place.rank, place.size, own.begin, own.end);
  std::fflush(stdout);
  filter_as_rank(part, place.rank, split, 0, comm, steps);
  part.take(steps % 2, samples);
  output.write_samples(own.begin, samples);
  check(ncclCommDestroy(comm));
}

void filter_file(const rank_place& place, char** words, int steps) {
  npy_reader signal(words[1]);
  const std::vector<float> h = read_array_as<float>(words[2]);
  require_array_extension(words[4]);
  const signal_split split(signal.size(), place.size, halo_of(h.size()));

  meeting all(place);
  check(cudaSetDevice(place.local_rank % device_count()));
  ncclUniqueId id{};
  if (place.rank == 0) check(ncclGetUniqueId(&id));
  all.share(&id, sizeof id);
  shared_output output(words[4], signal.size());
  try {
    if (place.rank == 0) output.make();
    all.all_here();
    if (place.rank != 0) output.open_made();
    {
      // A rank that has ended would be waited for forever: by NCCL, in the middle of a step.
      const meeting::watch watch(all, [&](const std::string& line) {
        output.remove();
        say(line);
        _exit(1);
      });
      try {
        filter_part(place, split, id, signal, h, steps, output);
      } catch (const nccl_error&) {
        // NCCL may be the first to fail where another rank has ended. The watch says which.
        std::this_thread::sleep_for(std::chrono::seconds(2));
        throw;
      }
    }
    all.all_done([&] { output.commit(); });
  } catch (...) {
    output.remove();
    throw;
  }
}

}  // namespace
}  // namespace tutorial

int main(int count, char** words) {
  const tutorial::launcher ranks(&count, &words);
  int steps = 0;
  const char* const text = count == 5 ? words[3] : "";
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), steps);
  if (count != 5 || error != std::errc() || *end != '\0' || steps < 0) {
    tutorial::say(
        "usage: 15_rank SIGNAL.npy FILTER.npy STEPS OUTPUT.npy, with RANK and WORLD_SIZE in the environment");
    ranks.end(2);
  }
  try {
    tutorial::filter_file(ranks.place(), words, steps);
    return 0;
  } catch (const tutorial::input_error& bad) {
    tutorial::say(bad.what());
    ranks.end(2);
  } catch (const std::exception& wrong) {
    tutorial::say(wrong.what());
    ranks.end(1);
  }
}
