# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""One .cu file of many cases: `program list` prints what there is, `program ok N...` runs cases in every order and
prints how each went, `program run N` runs one as a program of its own would run."""

import messages
import streams

HEAD = r"""// Made by tests/random_kernels/run --first @SEED.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <cuda/barrier>
#include <cuda/pipeline>

#if __has_include("emulator/finding.hpp")
#include "emulator/control.hpp"
#include "emulator/finding.hpp"
#define RANDOM_KERNELS_EMULATED 1
#endif

// Programs use two to four of them. Device variables ask for the number before main().
[[gnu::constructor(101)]] static void ask_for_devices() { setenv("EMULATOR_DEVICES", "4", 0); }

struct failed_call : std::exception {
  cudaError_t error;
  explicit failed_call(cudaError_t e) : error(e) {}
  const char* what() const noexcept override { return cudaGetErrorName(error); }
};
static void check(cudaError_t error) {
  if (error != cudaSuccess) throw failed_call(error);
}

static std::uint32_t mixed(std::uint32_t x) {
  x += 0x9E3779B9u;
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return x ^ (x >> 16);
}
template <class T>
std::vector<T> random_values(std::uint32_t seed, int size, long long low, long long high) {
  std::vector<T> values;
  for (int i = 0; i < size; ++i)
    values.push_back(static_cast<T>(low + static_cast<long long>(mixed(seed + i) % (high - low + 1))));
  return values;
}

static std::uint64_t digest;
static bool shown;
template <class T>
void came(const char* name, const std::vector<T>& values) {
  unsigned char bytes[sizeof(T)];
  for (const T& value : values) {
    std::memcpy(bytes, &value, sizeof value);
    for (unsigned char byte : bytes) digest = (digest ^ byte) * 0x100000001B3ull;
  }
  if (!shown) return;
  std::printf("%s:", name);
  for (const T& value : values) std::printf(" %.17g", static_cast<double>(value));
  std::printf("\n");
}
"""

TAIL = r"""
struct one_case {
  void (*run)();
  std::uint64_t wanted;
};
static const one_case cases[] = {
@CASES};

static std::string outcome(const one_case& c) {
  digest = 0xCBF29CE484222325ull;
  try {
    c.run();
  } catch (const failed_call& e) {
    return std::string("error ") + e.what();
#ifdef RANDOM_KERNELS_EMULATED
  } catch (const cuda_emulator::finding& f) {
    return std::string("finding ") + f.what();
#endif
  }
  return digest == c.wanted ? "ok" : "wrong result";
}

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::string what = arguments[1];
  if (what == "run" || what == "show") {
    shown = what == "show";
    const std::string result = outcome(cases[std::atoi(arguments[2])]);
    std::printf("%s\n", result.c_str());
    return result == "ok" ? 0 : 3;
  }
  for (int i = 2; i < count; ++i) {
    const one_case& c = cases[std::atoi(arguments[i])];
#ifdef RANDOM_KERNELS_EMULATED
    cuda_emulator::throw_findings(true);
    for (const char* order : {"forward", "reverse", "random:1", "random:@SEED"}) {
      for (int threads : {1, 2}) {
        cuda_emulator::set_order(order);
        cuda_emulator::set_threads(threads);
        const std::string result = outcome(c);
        if (result == "ok") continue;
        std::printf("case %s, EMULATOR_ORDER=%s, EMULATOR_THREADS=%d: %s\n<end>\n", arguments[i], order, threads,
                    result.c_str());
        threads = 2, order = "";
        goto next;
      }
    }
#else
    const std::string result = outcome(c);
    if (result != "ok") {
      std::printf("case %s: %s\n<end>\n", arguments[i], result.c_str());
      continue;
    }
#endif
    std::printf("case %s: ok\n<end>\n", arguments[i]);
  next:;
  }
}
"""


HEAD += streams.KERNELS + messages.KERNELS


def write(cases, seed):
    """The text of the program. Each case must have been written for the line where it comes to stand."""
    lines = head(seed).split("\n")
    rows = ""
    for case in cases:
        assert len(lines) + 1 == case.text.first_line
        lines += case.text.lines + [""]
        rows += f"    {{{case.name}::run, 0x{case.hash:x}ull}},\n"
    return "\n".join(lines) + TAIL.replace("@CASES", rows).replace("@SEED", str(seed))


def head(seed):
    return HEAD.replace("@SEED", str(seed))


def first_line(seed):
    return len(head(seed).split("\n")) + 1
