// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// NCCL between four devices of one process (EMULATOR_DEVICES=4): what it computes, by one thread's group and
// by a thread a device, and what is found wrong, each with its repaired twin.
#include <nccl.h>

#include <cuda_fp16.h>
#include <malloc.h>

#include <cmath>
#include <functional>
#include <mutex>
#include <thread>

#include "../../../tests/findings.hpp"
#include "emulator/counts.hpp"

namespace {

using cuda_emulator::finding_kind;

// What is freed is overwritten: a thread that uses a communicator which another one has destroyed is seen.
[[maybe_unused]] const int overwrites = mallopt(M_PERTURB, 0x5a);

constexpr int ranks = 4, size = 1500;
constexpr std::size_t bytes = size * sizeof(float);

__global__ void set_kernel(float* x, int n, float first, float step) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] = first + step * static_cast<float>(i % 7);
}

/// A communicator, a stream and three buffers for each device.
struct setting {
  ncclComm_t comm[ranks] = {};
  cudaStream_t stream[ranks] = {};
  float *x[ranks] = {}, *y[ranks] = {}, *all[ranks] = {};

  setting() {
    REQUIRE(ncclCommInitAll(comm, ranks, nullptr) == ncclSuccess);
    for (int r = 0; r < ranks; ++r) {
      REQUIRE(cudaSetDevice(r) == cudaSuccess);
      REQUIRE(cudaStreamCreateWithFlags(&stream[r], cudaStreamNonBlocking) == cudaSuccess);
      REQUIRE(cudaMalloc(&x[r], bytes) == cudaSuccess);
      REQUIRE(cudaMalloc(&y[r], bytes) == cudaSuccess);
      REQUIRE(cudaMalloc(&all[r], ranks * bytes) == cudaSuccess);
      REQUIRE(cudaMemset(y[r], 0xff, bytes) == cudaSuccess);
      REQUIRE(cudaMemset(all[r], 0, ranks * bytes) == cudaSuccess);
      set_kernel<<<(size + 255) / 256, 256>>>(x[r], size, static_cast<float>(r), 10);
      REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    }
    cudaSetDevice(0);
  }
  setting(const setting&) = delete;
  ~setting() {
    try {
      wait();
    } catch (const cuda_emulator::finding&) {  // the one that the test has got is enough
    }
    for (int r = 0; r < ranks; ++r) {
      cudaSetDevice(r);
      ncclCommDestroy(comm[r]);
      cudaStreamDestroy(stream[r]);
      cudaFree(x[r]);
      cudaFree(y[r]);
      cudaFree(all[r]);
    }
    cudaSetDevice(0);
    cudaGetLastError();
  }
  static void wait() {
    for (int r = ranks - 1; r >= 0; --r) {
      cudaSetDevice(r);
      cudaDeviceSynchronize();
    }
  }
  std::vector<float> host(const float* from, int n = size) const {
    std::vector<float> values(static_cast<std::size_t>(n));
    wait();
    REQUIRE(cudaMemcpy(values.data(), from, values.size() * sizeof(float), cudaMemcpyDefault) == cudaSuccess);
    return values;
  }
};

/// All ranks, by one thread in a group.
void in_group(const std::function<void(int)>& work) {
  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) work(r);
  ncclGroupEnd();
}

/// All ranks, each by a thread. A finding of any of them is thrown.
void in_threads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::optional<cuda_emulator::finding> found;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      cudaSetDevice(r);
      try {
        work(r);
        cudaDeviceSynchronize();
      } catch (const cuda_emulator::finding& f) {
        const std::lock_guard lock(mutex);
        if (!found) found.emplace(f);
      }
    });
  for (std::thread& each : threads) each.join();
  if (found) throw *found;
}

/// Steps of all ranks, one after the other: each step in a group of one thread, or all by a thread a device.
using step = std::function<ncclResult_t(setting&, int)>;
void in_both_ways(const std::vector<step>& steps, const std::function<void(setting&)>& check) {
  in_all_orders([&] {
    for (const bool threads : {false, true}) {
      CAPTURE(threads);
      setting s;
      if (threads)
        in_threads([&](int r) {
          for (const step& each : steps) each(s, r);
        });
      else
        for (const step& each : steps) in_group([&](int r) { CHECK(each(s, r) == ncclSuccess); });
      check(s);
    }
  });
}

float x_of(int r, int i) { return static_cast<float>(r + 10 * (i % 7)); }

}  // namespace

TEST_CASE("a ring of messages") {
  in_both_ways({[](setting& s, int r) {
                 ncclGroupStart();
                 ncclSend(s.x[r], size, ncclFloat, (r + 1) % ranks, s.comm[r], s.stream[r]);
                 ncclRecv(s.y[r], size, ncclFloat, (r + ranks - 1) % ranks, s.comm[r], s.stream[r]);
                 return ncclGroupEnd();
               }},
               [](setting& s) {
                 for (int r = 0; r < ranks; ++r) {
                   const auto y = s.host(s.y[r]);
                   CHECK(y[0] == x_of((r + ranks - 1) % ranks, 0));
                   CHECK(y[size - 1] == x_of((r + ranks - 1) % ranks, size - 1));
                 }
               });
}

TEST_CASE("sums for all, in place and not, and for one") {
  in_both_ways({[](setting& s, int r) {
                  return ncclAllReduce(s.x[r], s.y[r], size, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
                },
                [](setting& s, int r) {
                  return ncclAllReduce(s.x[r], s.x[r], size, ncclFloat, ncclMax, s.comm[r], s.stream[r]);
                },
                [](setting& s, int r) {
                  return ncclReduce(s.x[r], s.all[r], size, ncclFloat, ncclAvg, 2, s.comm[r], s.stream[r]);
                }},
               [](setting& s) {
                 for (int r = 0; r < ranks; ++r) {
                   CHECK(s.host(s.y[r])[8] == 4 * 10 + 6);
                   CHECK(s.host(s.x[r])[8] == 10 + 3);
                   CHECK(s.host(s.all[r])[8] == (r == 2 ? 13 : 0));
                 }
               });
}

TEST_CASE("broadcast, gather, reduce and scatter") {
  in_both_ways({[](setting& s, int r) {
                  return ncclBroadcast(s.x[r], s.y[r], size, ncclFloat, 3, s.comm[r], s.stream[r]);
                },
                [](setting& s, int r) {
                  return ncclAllGather(s.x[r], s.all[r], size, ncclFloat, s.comm[r], s.stream[r]);
                },
                [](setting& s, int r) {
                  return ncclReduceScatter(s.all[r], s.x[r], size, ncclFloat, ncclSum, s.comm[r],
                                           s.stream[r]);
                }},
               [](setting& s) {
                 for (int r = 0; r < ranks; ++r) {
                   CHECK(s.host(s.y[r])[9] == x_of(3, 9));
                   const auto all = s.host(s.all[r], ranks * size);
                   for (int q = 0; q < ranks; ++q)
                     CHECK(all[static_cast<std::size_t>(q * size + 9)] == x_of(q, 9));
                   CHECK(s.host(s.x[r])[9] == ranks * x_of(r, 9));
                 }
               });
}

TEST_CASE("types: integers wrap, numbers of 16 bits are rounded after each step") {
  setting s;
  const auto sum = [&](auto value, ncclDataType_t type, ncclRedOp_t operation) {
    using T = decltype(value);
    T back{};
    setting::wait();
    for (int r = 0; r < ranks; ++r) cudaMemcpy(s.x[r], &value, sizeof value, cudaMemcpyDefault);
    in_group([&](int r) { ncclAllReduce(s.x[r], s.y[r], 1, type, operation, s.comm[r], s.stream[r]); });
    cudaSetDevice(1);
    cudaDeviceSynchronize();
    cudaMemcpy(&back, s.y[1], sizeof back, cudaMemcpyDefault);
    return back;
  };
  CHECK(sum(static_cast<signed char>(100), ncclInt8, ncclSum) == static_cast<signed char>(400));
  CHECK(sum(3u, ncclUint32, ncclProd) == 81);
  CHECK(sum(-7ll, ncclInt64, ncclMin) == -7);
  CHECK(sum(-7, ncclInt32, ncclAvg) == -7);
  CHECK(sum(0.25, ncclFloat64, ncclSum) == 1.0);
  CHECK(__half2float(sum(__float2half(0.1f), ncclFloat16, ncclSum)) == doctest::Approx(0.4).epsilon(0.001));
  CHECK(ncclAllReduce(s.x[0], s.y[0], 1, ncclFloat8e4m3, ncclSum, s.comm[0], s.stream[0]) ==
        ncclInvalidArgument);
}

TEST_CASE("what a communicator says of itself, and what is refused") {
  int version = 0, value = -1;
  CHECK(ncclGetVersion(&version) == ncclSuccess);
  CHECK(version == NCCL_VERSION_CODE);
  setting s;
  CHECK(ncclCommCount(s.comm[1], &value) == ncclSuccess);
  CHECK(value == ranks);
  CHECK(ncclCommUserRank(s.comm[1], &value) == ncclSuccess);
  CHECK(value == 1);
  CHECK(ncclCommCuDevice(s.comm[3], &value) == ncclSuccess);
  CHECK(value == 3);
  ncclResult_t error = ncclInternalError;
  CHECK(ncclCommGetAsyncError(s.comm[0], &error) == ncclSuccess);
  CHECK(error == ncclSuccess);
  CHECK(std::string(ncclGetErrorString(ncclInvalidUsage)).find("invalid usage") == 0);
  const int same[2] = {0, 0};
  ncclComm_t none[5];
  CHECK(ncclCommInitAll(none, 2, same) == ncclInvalidUsage);
  CHECK(ncclCommInitAll(none, 5, nullptr) == ncclInvalidArgument);
  CHECK(ncclSend(s.x[0], 1, ncclFloat, 4, s.comm[0], s.stream[0]) == ncclInvalidArgument);
  CHECK(ncclSend(nullptr, 1, ncclFloat, 1, s.comm[0], s.stream[0]) == ncclInvalidArgument);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  CHECK(std::string(ncclGetLastError(s.comm[0])).find("ncclGroupStart() is missing") != std::string::npos);
}

TEST_CASE("ranks made by an id, by one thread in a group and by a thread each") {
  for (const bool threads : {false, true}) {
    ncclUniqueId id;
    REQUIRE(ncclGetUniqueId(&id) == ncclSuccess);
    ncclComm_t comm[ranks];
    const auto make = [&](int r) {
      cudaSetDevice(r);
      CHECK(ncclCommInitRank(&comm[r], ranks, id, r) == ncclSuccess);
    };
    if (threads)
      in_threads(make);
    else
      in_group(make);
    cudaSetDevice(0);
    for (ncclComm_t each : comm) CHECK(ncclCommDestroy(each) == ncclSuccess);
  }
}

TEST_CASE("calls that are captured run when their graphs are launched") {
  setting s;
  cudaGraphExec_t made[ranks];
  in_threads([&](int r) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(s.stream[r], cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    ncclAllReduce(s.x[r], s.x[r], size, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
    CHECK(cudaStreamEndCapture(s.stream[r], &graph) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&made[r], graph, 0) == cudaSuccess);
    cudaGraphDestroy(graph);
  });
  CHECK(s.host(s.x[0])[0] == 0);
  for (int i = 0; i < 3; ++i) in_threads([&](int r) { cudaGraphLaunch(made[r], s.stream[r]); });
  CHECK(s.host(s.x[3])[0] == 6 * 16);
  for (cudaGraphExec_t each : made) cudaGraphExecDestroy(each);
}

namespace {

/// Every rank gives its numbers to the next one, around the ring.
void pass_on(setting& s, int r) {
  ncclSend(s.x[r], size, ncclFloat, (r + 1) % ranks, s.comm[r], s.stream[r]);
  ncclRecv(s.y[r], size, ncclFloat, (r + ranks - 1) % ranks, s.comm[r], s.stream[r]);
}

}  // namespace

TEST_CASE("a group for all devices is captured by one thread: a graph for each, or one for all") {
  in_all_orders([] {
    for (const bool one_graph : {false, true}) {
      CAPTURE(one_graph);
      setting s;
      const int graphs = one_graph ? 1 : ranks;
      cudaEvent_t begun, done[ranks];
      cudaSetDevice(0);
      REQUIRE(cudaEventCreate(&begun) == cudaSuccess);
      for (int r = 0; r < ranks; ++r) {
        cudaSetDevice(r);
        REQUIRE(cudaEventCreate(&done[r]) == cudaSuccess);
      }
      cudaSetDevice(0);
      for (int r = 0; r < graphs; ++r)
        REQUIRE(cudaStreamBeginCapture(s.stream[r], cudaStreamCaptureModeThreadLocal) == cudaSuccess);
      if (one_graph) {
        REQUIRE(cudaEventRecord(begun, s.stream[0]) == cudaSuccess);
        for (int r = 1; r < ranks; ++r) REQUIRE(cudaStreamWaitEvent(s.stream[r], begun) == cudaSuccess);
      }
      in_group([&](int r) { pass_on(s, r); });
      for (int r = 1; one_graph && r < ranks; ++r) {
        cudaSetDevice(r);
        REQUIRE(cudaEventRecord(done[r], s.stream[r]) == cudaSuccess);
        REQUIRE(cudaStreamWaitEvent(s.stream[0], done[r]) == cudaSuccess);
      }
      cudaSetDevice(0);
      cudaGraphExec_t made[ranks];
      for (int r = 0; r < graphs; ++r) {
        cudaGraph_t graph;
        REQUIRE(cudaStreamEndCapture(s.stream[r], &graph) == cudaSuccess);
        REQUIRE(cudaGraphInstantiate(&made[r], graph, 0) == cudaSuccess);
        cudaGraphDestroy(graph);
      }
      for (int r = 0; r < ranks; ++r) CHECK(s.host(s.y[r])[0] != s.host(s.x[(r + ranks - 1) % ranks])[0]);
      for (int i = 0; i < 3; ++i)
        for (int r = 0; r < graphs; ++r) CHECK(cudaGraphLaunch(made[r], s.stream[r]) == cudaSuccess);
      setting::wait();
      for (int r = 0; r < ranks; ++r) CHECK(s.host(s.y[r])[0] == s.host(s.x[(r + ranks - 1) % ranks])[0]);
      for (int r = 0; r < graphs; ++r) cudaGraphExecDestroy(made[r]);
      cudaEventDestroy(begun);
      for (cudaEvent_t each : done) cudaEventDestroy(each);
    }
  });
}

TEST_CASE("a group of which a part is captured is refused") {
  setting s;
  cudaGraph_t graph;
  REQUIRE(cudaStreamBeginCapture(s.stream[0], cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  ncclGroupStart();
  for (int r = 0; r < ranks; ++r) pass_on(s, r);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  CHECK(std::string(ncclGetLastError(s.comm[0])).find("Capture all of them") != std::string::npos);
  CHECK(cudaStreamEndCapture(s.stream[0], &graph) == cudaSuccess);
  cudaGraphDestroy(graph);
}

TEST_CASE("bytes over the link") {
  setting s;
  cuda_emulator::begin_counting();
  in_group([&](int r) { ncclAllReduce(s.x[r], s.y[r], 1000, ncclFloat, ncclSum, s.comm[r], s.stream[r]); });
  const auto rows = cuda_emulator::end_counting();
  REQUIRE(rows.size() == ranks);
  CHECK(rows[0].kernel == "ncclAllReduce() (not counted)");
  CHECK(rows[0].peer_store_bytes == 2 * 3 * 4000 / 4);
}

namespace {

/// A faulty program and its repaired twin; `work(setting, repaired)`, in every order.
void finds(finding_kind kind, const std::vector<std::string>& words,
           const std::function<void(setting&, bool)>& work) {
  check_found(
      kind, words,
      [&] {
        setting s;
        work(s, false);
        setting::wait();
      },
      [&] {
        setting s;
        work(s, true);
        setting::wait();
      });
}

}  // namespace

TEST_CASE("all send before they receive") {
  finds(finding_kind::message,
        {"ranks wait for each other forever", "rank 3 sends 1500 ncclFloat32 to rank 0: ncclSend() at",
         "and waits for rank 0", "Each sends before it receives"},
        [](setting& s, bool repaired) {
          in_threads([&](int r) {
            if (repaired) ncclGroupStart();
            ncclSend(s.x[r], size, ncclFloat, (r + 1) % ranks, s.comm[r], s.stream[r]);
            ncclRecv(s.y[r], size, ncclFloat, (r + ranks - 1) % ranks, s.comm[r], s.stream[r]);
            if (repaired) ncclGroupEnd();
          });
        });
}

TEST_CASE("all receive before they send") {
  finds(finding_kind::message,
        {"ranks wait for each other forever", "Each receives before it sends", "ncclGroupStart()"},
        [](setting& s, bool repaired) {
          in_threads([&](int r) {
            if (repaired) ncclGroupStart();
            ncclRecv(s.y[r], size, ncclFloat, (r + ranks - 1) % ranks, s.comm[r], s.stream[r]);
            ncclSend(s.x[r], size, ncclFloat, (r + 1) % ranks, s.comm[r], s.stream[r]);
            if (repaired) ncclGroupEnd();
          });
        });
}

TEST_CASE("one thread makes the calls of several devices without a group") {
  finds(finding_kind::message,
        {"ranks wait for each other forever", "by the same thread of the host, behind that call",
         "Put the calls for all devices between"},
        [](setting& s, bool repaired) {
          if (repaired) ncclGroupStart();
          for (int r = 0; r < ranks; ++r)
            ncclAllReduce(s.x[r], s.y[r], size, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
          if (repaired) ncclGroupEnd();
        });
}

TEST_CASE("sizes that differ: less is received, or more") {
  for (const int received : {size / 2, size})
    finds(finding_kind::message,
          {"a message is sent and received in different sizes", "rank 0 sends", "to rank 1: ncclSend() at",
           "rank 1 receives " + std::to_string(received),
           received == size ? "waits for the rest forever" : "the rest of the buffer stays as it was"},
          [received](setting& s, bool repaired) {
            const int sent = repaired ? received : size + size / 2 - received;
            ncclGroupStart();
            ncclSend(s.x[0], static_cast<std::size_t>(sent), ncclFloat, 1, s.comm[0], s.stream[0]);
            ncclRecv(s.y[1], static_cast<std::size_t>(received), ncclFloat, 0, s.comm[1], s.stream[1]);
            ncclGroupEnd();
          });
}

TEST_CASE("work that only a failed message orders: the message is what is wrong") {
  finds(finding_kind::message, {"a message is sent and received in different sizes"},
        [](setting& s, bool repaired) {
          cudaMemcpyPeerAsync(s.y[0], 0, s.x[1], 1, bytes, s.stream[0]);
          ncclGroupStart();
          ncclSend(s.x[0], 10, ncclFloat, 1, s.comm[0], s.stream[0]);
          ncclRecv(s.y[1], repaired ? 10 : 9, ncclFloat, 0, s.comm[1], s.stream[1]);
          ncclGroupEnd();
          cudaMemsetAsync(s.x[1], 0, bytes, s.stream[1]);
        });
}

TEST_CASE("types that differ") {
  finds(finding_kind::message, {"sent as one type and received as another one", "ncclInt32"},
        [](setting& s, bool repaired) {
          ncclGroupStart();
          ncclSend(s.x[0], 10, ncclFloat, 1, s.comm[0], s.stream[0]);
          ncclRecv(s.y[1], 10, repaired ? ncclFloat : ncclInt, 0, s.comm[1], s.stream[1]);
          ncclGroupEnd();
        });
}

TEST_CASE("collective calls that differ: in kind, count, type, operation, root") {
  finds(finding_kind::message,
        {"different collective calls, each in its call number 1", "ncclAllGather()", "ncclBroadcast()"},
        [](setting& s, bool repaired) {
          in_threads([&](int r) {
            if (r == 1 && !repaired)
              ncclBroadcast(s.x[r], s.all[r], 10, ncclFloat, 0, s.comm[r], s.stream[r]);
            else
              ncclAllGather(s.x[r], s.all[r], 10, ncclFloat, s.comm[r], s.stream[r]);
          });
        });
  finds(finding_kind::message, {"ranks disagree on the count", "9 ncclFloat32", "10 ncclFloat32"},
        [](setting& s, bool repaired) {
          in_group([&](int r) {
            ncclAllReduce(s.x[r], s.y[r], r == 2 && !repaired ? 9 : 10, ncclFloat, ncclSum, s.comm[r],
                          s.stream[r]);
          });
        });
  finds(finding_kind::message, {"ranks disagree on the type"}, [](setting& s, bool repaired) {
    in_group([&](int r) {
      ncclAllReduce(s.x[r], s.y[r], 10, r == 2 && !repaired ? ncclInt : ncclFloat, ncclSum, s.comm[r],
                    s.stream[r]);
    });
  });
  finds(finding_kind::message, {"ranks disagree on the operation", "ncclMax"}, [](setting& s, bool repaired) {
    in_group([&](int r) {
      ncclAllReduce(s.x[r], s.y[r], 10, ncclFloat, r == 2 && !repaired ? ncclMax : ncclSum, s.comm[r],
                    s.stream[r]);
    });
  });
  finds(finding_kind::message, {"ranks disagree on the root"}, [](setting& s, bool repaired) {
    in_group([&](int r) {
      ncclBroadcast(s.x[r], s.y[r], 10, ncclFloat, repaired ? 1 : r, s.comm[r], s.stream[r]);
    });
  });
}

TEST_CASE("a rank that makes one call less has left") {
  finds(finding_kind::message,
        {"a rank waits for one that will not come: rank 1 has left", "ncclCommDestroy()"},
        [](setting& s, bool repaired) {
          in_threads([&](int r) {
            if (r == 1 && !repaired) {
              ncclCommDestroy(std::exchange(s.comm[1], nullptr));
              return;
            }
            ncclAllReduce(s.x[r], s.y[r], 10, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
          });
        });
}

TEST_CASE("two communicators in unlike order") {
  const auto work = [](setting& s, setting& other, bool repaired) {
    in_threads([&](int r) {
      for (int i = 0; i < 2; ++i) {
        setting& now = (i == 0) == (repaired || r != 2) ? s : other;
        ncclAllReduce(now.x[r], now.y[r], 10, ncclFloat, ncclSum, now.comm[r], s.stream[r]);
      }
    });
  };
  check_found(
      finding_kind::message, {"ranks wait for each other forever", "another order of two communicators"},
      [&] {
        setting s, other;
        work(s, other, false);
        setting::wait();
      },
      [&] {
        setting s, other;
        work(s, other, true);
        setting::wait();
      });
}

TEST_CASE("a wait inside of a group") {
  finds(finding_kind::message,
        {"the group of NCCL that begins here is not ended", "cudaStreamSynchronize() at ",
         "comes before that", "Missing: ncclGroupEnd() before it"},
        [](setting& s, bool repaired) {
          try {
            ncclGroupStart();
            for (int r = 0; r < ranks; ++r)
              ncclAllReduce(s.x[r], s.y[r], 10, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
            if (!repaired) cudaStreamSynchronize(s.stream[0]);
          } catch (...) {
            ncclGroupEnd();
            throw;
          }
          ncclGroupEnd();
          cudaStreamSynchronize(s.stream[0]);
        });
}

TEST_CASE("buffers used before the stream has finished") {
  finds(finding_kind::unordered, {"nothing orders two operations", "ncclRecv()", "kernel set_kernel"},
        [](setting& s, bool repaired) {
          ncclGroupStart();
          ncclSend(s.x[0], size, ncclFloat, 1, s.comm[0], s.stream[0]);
          ncclRecv(s.y[1], size, ncclFloat, 0, s.comm[1], s.stream[1]);
          ncclGroupEnd();
          cudaSetDevice(1);
          if (repaired) cudaStreamSynchronize(s.stream[1]);
          set_kernel<<<1, 32>>>(s.y[1], 32, 0, 0);
          cudaSetDevice(0);
        });
  finds(finding_kind::unordered, {"nothing orders two operations", "ncclSend()", "kernel set_kernel"},
        [](setting& s, bool repaired) {
          cudaSetDevice(0);
          ncclGroupStart();
          ncclSend(s.x[0], size, ncclFloat, 1, s.comm[0], s.stream[0]);
          ncclRecv(s.y[1], size, ncclFloat, 0, s.comm[1], s.stream[1]);
          ncclGroupEnd();
          set_kernel<<<1, 32, 0, repaired ? s.stream[0] : nullptr>>>(s.x[0], 32, 0, 0);
        });
}

// The other ranks' calls order what a rank gets, and not what it brings: that may be read as soon as its own
// stream has come to the call.
TEST_CASE("a rank brings what another device's stream still writes") {
  for (const bool message : {false, true})
    finds(finding_kind::unordered,
          {"nothing orders two operations", "kernel set_kernel",
           message ? "ncclGroupEnd()" : "ncclAllReduce()"},
          [message](setting& s, bool repaired) {
            cudaEvent_t written;
            cudaSetDevice(0);
            cudaDeviceEnablePeerAccess(1, 0);
            cudaEventCreate(&written);
            set_kernel<<<1, 32, 0, s.stream[0]>>>(s.x[1], 32, 5, 0);
            cudaEventRecord(written, s.stream[0]);
            if (repaired) cudaStreamWaitEvent(s.stream[1], written);
            cudaEventDestroy(written);
            ncclGroupStart();
            for (int r = 0; r < 2 || (r < ranks && !message); ++r) {
              if (message) {
                ncclSend(s.x[r], 32, ncclFloat, 1 - r, s.comm[r], s.stream[r]);
                ncclRecv(s.y[r], 32, ncclFloat, 1 - r, s.comm[r], s.stream[r]);
              } else {
                ncclAllReduce(s.x[r], s.y[r], 32, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
              }
            }
            ncclGroupEnd();
            setting::wait();
            cudaSetDevice(0);
            cudaDeviceDisablePeerAccess(1);
          });
}

TEST_CASE("what a rank has received comes after what the sender had done before") {
  setting s;
  const auto found = finding_of([&] {
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    cudaSetDevice(0);
    set_kernel<<<1, 32, 0, s.stream[0]>>>(s.x[0], 32, 5, 0);
    ncclGroupStart();
    ncclSend(s.y[0], 1, ncclFloat, 1, s.comm[0], s.stream[0]);
    ncclRecv(s.y[1], 1, ncclFloat, 0, s.comm[1], s.stream[1]);
    ncclGroupEnd();
    cudaMemcpyAsync(s.x[1], s.x[0], 128, cudaMemcpyDefault, s.stream[1]);
    cudaStreamSynchronize(s.stream[1]);
    cudaSetDevice(1);
    cudaDeviceDisablePeerAccess(0);
    cudaSetDevice(0);
  });
  if (found) FAIL_CHECK(std::string(found->what()));
}

TEST_CASE("the host that waits for a receiver has waited for what the sender had done before") {
  float* source = nullptr;
  REQUIRE(cudaMallocHost(&source, bytes) == cudaSuccess);
  finds(finding_kind::unordered,
        {"the host uses memory that the device still works with", "cudaMemcpyAsync()"},
        [source](setting& s, bool repaired) {
          cudaMemcpyAsync(s.x[0], source, 128, cudaMemcpyDefault, s.stream[0]);
          ncclGroupStart();
          ncclSend(s.y[0], 1, ncclFloat, 1, s.comm[0], s.stream[0]);
          ncclRecv(s.y[1], 1, ncclFloat, 0, s.comm[1], s.stream[1]);
          ncclGroupEnd();
          cudaStreamSynchronize(s.stream[repaired ? 1 : 2]);
          source[7] = 1;
        });
  CHECK(cudaFreeHost(source) == cudaSuccess);
}

TEST_CASE(
    "buffers: beyond an allocation, of another device, of the host, overlapping; another device's stream") {
  finds(finding_kind::out_of_bounds, {"access out of bounds by ncclSend()", "only 6000 bytes"},
        [](setting& s, bool repaired) {
          ncclGroupStart();
          ncclSend(s.x[0], repaired ? 10 : size + 1, ncclFloat, 1, s.comm[0], s.stream[0]);
          ncclRecv(s.all[1], 10, ncclFloat, 0, s.comm[1], s.stream[1]);
          ncclGroupEnd();
        });
  finds(finding_kind::other_device,
        {"memory of another device given to ncclAllReduce()", "It uses device 0", "of device 1"},
        [](setting& s, bool repaired) {
          in_group([&](int r) {
            ncclAllReduce(s.x[repaired ? r : 1 - r % 2], s.y[r], 10, ncclFloat, ncclSum, s.comm[r],
                          s.stream[r]);
          });
        });
  finds(finding_kind::use_after_free, {"use of freed memory by ncclAllReduce()"},
        [](setting& s, bool repaired) {
          float* freed = nullptr;
          cudaSetDevice(0);
          cudaMalloc(&freed, 10 * sizeof(float));
          cudaFree(freed);
          in_group([&](int r) {
            ncclAllReduce(repaired || r != 0 ? s.x[r] : freed, s.y[r], 10, ncclFloat, ncclSum, s.comm[r],
                          s.stream[r]);
          });
        });
  finds(finding_kind::host_pointer, {"host memory given to ncclAllReduce()"}, [](setting& s, bool repaired) {
    float host[10] = {};
    in_group([&](int r) {
      ncclAllReduce(repaired ? s.x[r] : host, s.y[r], 10, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
    });
  });
  finds(finding_kind::message, {"buffers of one group overlap"}, [](setting& s, bool repaired) {
    in_group([&](int r) {
      ncclSend(s.x[r], 100, ncclFloat, (r + 1) % ranks, s.comm[r], s.stream[r]);
      ncclRecv(s.x[r] + (repaired ? 100 : 99), 100, ncclFloat, (r + ranks - 1) % ranks, s.comm[r],
               s.stream[r]);
    });
  });
  finds(finding_kind::message, {"ncclAllReduce() with buffers that overlap"}, [](setting& s, bool repaired) {
    in_group([&](int r) {
      ncclAllReduce(s.x[r], s.x[r] + (repaired ? 0 : 1), 100, ncclFloat, ncclSum, s.comm[r], s.stream[r]);
    });
  });
  finds(finding_kind::other_device, {"in a stream of another device", "NCCL refuses it"},
        [](setting& s, bool repaired) {
          in_group([&](int r) {
            ncclAllReduce(s.x[r], s.y[r], 100, ncclFloat, ncclSum, s.comm[r], s.stream[repaired ? r : 0]);
          });
        });
}

TEST_CASE("a rank that comes twice, and two on one device") {
  const auto make = [](int second, int device) {
    ncclUniqueId id;
    ncclGetUniqueId(&id);
    ncclComm_t comm[2] = {};
    ncclResult_t code = ncclSuccess;
    cudaSetDevice(0);
    ncclGroupStart();
    ncclCommInitRank(&comm[0], 2, id, 0);
    cudaSetDevice(device);
    code = ncclCommInitRank(&comm[1], 2, id, second);
    const ncclResult_t end = ncclGroupEnd();
    cudaSetDevice(0);
    for (ncclComm_t each : comm) ncclCommDestroy(each);
    return code == ncclSuccess ? end : code;
  };
  CHECK(make(0, 1) == ncclInvalidUsage);
  CHECK(make(1, 0) == ncclInvalidUsage);
  CHECK(make(1, 1) == ncclSuccess);
}
