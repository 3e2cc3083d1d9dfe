// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Work of streams that nothing orders: found whatever ran first. The same with the missing wait: not found.
#include <cufft.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

#include "../findings.hpp"

namespace {

using cuda_emulator::finding_kind;

constexpr int size = 5000;  // more than a page, and no multiple of one
constexpr std::size_t bytes = size * sizeof(float);

__constant__ float taps[4] = {0, 0, 0, 1};
__managed__ float shared_by_both[4];

__global__ void scale_kernel(float* x, int from, int to) {
  const int i = from + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < to) x[i] *= 2;
}
__global__ void copy_kernel(float* y, const float* x) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = x[i] + taps[0];
}
__global__ void count_kernel(int* count) { atomicAdd(count, 1); }
__global__ void bytes_kernel(unsigned char* x, int from, int to) {
  const int i = from + static_cast<int>(threadIdx.x);
  if (i < to) x[i] = 1;
}
__global__ void set_kernel(float* x) { x[threadIdx.x] = 1; }
constexpr int blocks = (size + 255) / 256;

/// Two streams, three events, and memory for them: what is left of a test that was refused is gone with it.
struct setting {
  cudaStream_t a = nullptr, b = nullptr, apart = nullptr;
  cudaEvent_t event = nullptr;
  float *x = nullptr, *y = nullptr, *pinned = nullptr, *managed = nullptr;

  setting() {
    REQUIRE(cudaStreamCreate(&a) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&b) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
    REQUIRE(cudaMalloc(&x, bytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&y, bytes) == cudaSuccess);
    REQUIRE(cudaMallocHost(&pinned, bytes) == cudaSuccess);
    REQUIRE(cudaMallocManaged(&managed, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(x, 0, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(y, 0, bytes) == cudaSuccess);
    std::fill(pinned, pinned + size, 1.0f);
    std::fill(managed, managed + size, 1.0f);
    cudaDeviceSynchronize();
  }
  setting(const setting&) = delete;
  /// What is there too early in the program that does not wait depends on the order.
  void is(float value, float expected) const {
    if (waited) CHECK(value == expected);
  }
  bool waited = false;
  ~setting() {
    cudaStreamSynchronize(nullptr);  // cudaDeviceSynchronize() would throw what host code was found to do
    for (const cudaStream_t stream : {a, b, apart}) {
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    }
    cudaEventDestroy(event);
    cudaFree(x);
    cudaFree(y);
    cudaFree(managed);
    cudaFreeHost(pinned);
  }
};

using work = std::function<void(setting&)>;

/// `wait` is what the faulty program lacks between `first` and `second`.
void check_order(const std::vector<std::string>& words, const work& first, const work& wait,
                 const work& second) {
  std::vector<std::string> all = words;
  check_found(
      finding_kind::unordered, all,
      [&] {
        setting s;
        first(s);
        second(s);
      },
      [&] {
        setting s;
        s.waited = true;
        first(s);
        wait(s);
        second(s);
      });
}

void a_before_b(setting& s) {
  CHECK(cudaEventRecord(s.event, s.a) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.b, s.event) == cudaSuccess);
}
void wait_for_a(setting& s) { CHECK(cudaStreamSynchronize(s.a) == cudaSuccess); }

}  // namespace

TEST_CASE("a kernel of one stream uses what a copy of another one brings") {
  int line = 0;
  const work copy = [](setting& s) { cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a); };
  const work use = [](setting& s) { copy_kernel<<<blocks, 256, 0, s.b>>>(s.y, s.x); };
  line = __LINE__ - 1;
  check_order(
      {at_line(__FILE__, line) + ": error: nothing orders two operations",
       "kernel copy_kernel in stream s.b (stream ", "reads byte 0 of the allocation of 20000 bytes made at",
       "cudaMemcpyAsync() at ", at_line(__FILE__, line - 1) + " in stream s.a (stream ", ") writes it",
       "cudaEventRecord(event, s.a)", "cudaStreamWaitEvent(s.b, event)", "cudaStreamSynchronize(s.a)"},
      copy, a_before_b, use);
  check_order({"nothing orders"}, copy, wait_for_a, use);
  // The other way round: what is read is overwritten, as in a ring of buffers that goes on too early.
  check_order(
      {"cudaMemcpyAsync() in stream ", "writes byte 0", "kernel copy_kernel at ", "reads it"},
      [](setting& s) { copy_kernel<<<blocks, 256, 0, s.a>>>(s.y, s.x); }, a_before_b,
      [](setting& s) { cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.b); });
}

TEST_CASE("an event that is recorded before the work, or by another stream, orders nothing") {
  const work copy = [](setting& s) {
    cudaEventRecord(s.event, s.a);
    cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a);
    cudaStreamWaitEvent(s.b, s.event);
  };
  const work use = [](setting& s) { copy_kernel<<<blocks, 256, 0, s.b>>>(s.y, s.x); };
  check_order({"nothing orders"}, copy, a_before_b, use);
  // A stream waits for what the event stands for when it is told to wait.
  const work recorded_again = [](setting& s) {
    cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a);
    cudaEventRecord(s.event, s.apart);
    cudaStreamWaitEvent(s.b, s.event);
    cudaEventRecord(s.event, s.a);
  };
  check_order(
      {"nothing orders"}, recorded_again, [](setting& s) { cudaStreamWaitEvent(s.b, s.event); }, use);
}

TEST_CASE("order is passed on through a third stream") {
  check_order(
      {"nothing orders"},
      [](setting& s) { cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a); },
      [](setting& s) {
        cudaEventRecord(s.event, s.a);
        cudaStreamWaitEvent(s.apart, s.event);
        cudaEventRecord(s.event, s.apart);
        cudaStreamWaitEvent(s.b, s.event);
      },
      [](setting& s) { copy_kernel<<<blocks, 256, 0, s.b>>>(s.y, s.x); });
}

TEST_CASE("parts of a buffer: neighbors are apart, to the byte") {
  const auto halves = [](int end, int begin) {
    setting s;
    scale_kernel<<<blocks, 256, 0, s.a>>>(s.x, 0, end);
    scale_kernel<<<blocks, 256, 0, s.b>>>(s.x, begin, size);
    auto* const characters = reinterpret_cast<unsigned char*>(s.y);
    bytes_kernel<<<1, 256, 0, s.a>>>(characters, 0, 101);
    bytes_kernel<<<1, 256, 0, s.b>>>(characters, 101, 200);
    cudaMemcpyAsync(s.pinned, s.x, 1001, cudaMemcpyDeviceToHost, s.a);
    cudaMemcpyAsync(reinterpret_cast<char*>(s.pinned) + 1001, characters + 101, 999, cudaMemcpyDeviceToHost,
                    s.b);
  };
  check_found(
      finding_kind::unordered, {"byte 10000 of the allocation", "kernel scale_kernel at "},
      [&] { halves(2501, 2500); }, [&] { halves(2500, 2500); });
}

TEST_CASE("what several streams read or add to is no conflict, but reads beside additions are") {
  in_all_orders([] {
    const auto found = finding_of([] {
      setting s;
      copy_kernel<<<blocks, 256, 0, s.a>>>(s.y, s.x);
      scale_kernel<<<blocks, 256, 0, s.b>>>(s.managed, 0, size);
      cudaMemcpyAsync(s.pinned, s.x, bytes, cudaMemcpyDeviceToHost, s.apart);
      cudaDeviceSynchronize();
      count_kernel<<<4, 64, 0, s.a>>>(reinterpret_cast<int*>(s.x));
      count_kernel<<<4, 64, 0, s.apart>>>(reinterpret_cast<int*>(s.x));
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
  check_order(
      {"cudaMemcpyAsync() in stream ", "reads byte 0", "kernel count_kernel at ",
       ") changes it atomically\n"},
      [](setting& s) { count_kernel<<<4, 64, 0, s.a>>>(reinterpret_cast<int*>(s.x)); }, a_before_b,
      [](setting& s) { cudaMemcpyAsync(s.pinned, s.x, bytes, cudaMemcpyDeviceToHost, s.b); });
}

TEST_CASE("the default stream and the others") {
  const work fill = [](setting& s) { cudaMemset(s.x, 0, bytes); };
  const work use_apart = [](setting& s) { copy_kernel<<<blocks, 256, 0, s.apart>>>(s.y, s.x); };
  check_order(
      {"kernel copy_kernel in stream ", "cudaMemset() at ", "in the default stream writes it",
       "A stream made with cudaStreamNonBlocking does not wait for the default stream",
       "cudaEventRecord(event, 0)"},
      fill, [](setting&) { cudaStreamSynchronize(nullptr); }, use_apart);
  check_order(
      {"cudaMemcpy() in the default stream reads byte 0", "kernel scale_kernel at "},
      [](setting& s) { scale_kernel<<<blocks, 256, 0, s.apart>>>(s.x, 0, size); },
      [](setting& s) { cudaStreamSynchronize(s.apart); },
      [](setting& s) { cudaMemcpy(s.pinned, s.x, bytes, cudaMemcpyDeviceToHost); });
  in_all_orders([&] {  // the others wait for it, and it waits for them
    const auto found = finding_of([&] {
      setting s;
      fill(s);
      copy_kernel<<<blocks, 256, 0, s.a>>>(s.y, s.x);
      scale_kernel<<<blocks, 256>>>(s.y, 0, size);
      scale_kernel<<<blocks, 256, 0, s.b>>>(s.y, 0, size);
      cudaMemcpy(s.pinned, s.y, bytes, cudaMemcpyDeviceToHost);
      CHECK(s.pinned[0] == 0);
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
}

TEST_CASE("an event in the default stream is work of it: the others wait for it, and it waits for them") {
  const auto in = [](cudaStream_t setting::*stream) -> work {
    return [=](setting& s) { scale_kernel<<<blocks, 256, 0, s.*stream>>>(s.x, 0, size); };
  };
  const auto then = [](const work& one, const work& other) -> work {
    return [=](setting& s) {
      one(s);
      other(s);
    };
  };
  const work recorded_apart = [](setting& s) { CHECK(cudaEventRecord(s.event, s.apart) == cudaSuccess); };
  const work recorded = [](setting& s) { CHECK(cudaEventRecord(s.event, nullptr) == cudaSuccess); };
  const work recorded_with_time = [](setting&) {
    cudaEvent_t timed = nullptr;
    CHECK(cudaEventCreate(&timed) == cudaSuccess);
    CHECK(cudaEventRecord(timed, nullptr) == cudaSuccess);
    CHECK(cudaEventDestroy(timed) == cudaSuccess);
  };
  const work waited_for = [](setting& s) { CHECK(cudaStreamWaitEvent(nullptr, s.event) == cudaSuccess); };
  const std::vector<std::string> words = {"nothing orders two operations"};
  check_order(words, in(&setting::a), recorded, in(&setting::b));
  check_order(words, in(&setting::a), recorded_with_time, in(&setting::b));
  // Whatever the event stands for, as long as it stands for something.
  check_order(words, then(recorded_apart, in(&setting::a)), waited_for, in(&setting::b));
  check_order(words, then(in(&setting::a), waited_for), recorded, in(&setting::b));
  // An allocation does not wait for the others, though they wait for it.
  const work allocated = [](setting& s) {
    CHECK(cudaFree(s.y) == cudaSuccess);
    scale_kernel<<<blocks, 256, 0, s.a>>>(s.x, 0, size);
    CHECK(cudaMallocAsync(&s.y, bytes, nullptr) == cudaSuccess);
    CHECK(cudaMemsetAsync(s.y, 0, bytes, s.b) == cudaSuccess);
  };
  check_order(words, allocated, recorded, in(&setting::b));
  // Streams made with cudaStreamNonBlocking have no part in it.
  const work apart_waits = [](setting& s) { CHECK(cudaStreamWaitEvent(s.apart, s.event) == cudaSuccess); };
  check_order(words, then(in(&setting::a), recorded), apart_waits, in(&setting::apart));
}

TEST_CASE("the host writes what a copy still reads, and reads what it still writes") {
  check_order(
      {"the host uses memory that the device still works with",
       "the host writes element [7] of the allocation", "cudaMemcpyAsync() at ",
       "reads it, and the host has not waited", "cudaStreamSynchronize(s.a)"},
      [](setting& s) { cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.a); }, wait_for_a,
      [](setting& s) { s.pinned[7] = 3; });
  check_order(
      {"the host reads element [4999] of the allocation", "writes it"},
      [](setting& s) { cudaMemcpyAsync(s.pinned, s.x, bytes, cudaMemcpyDeviceToHost, s.a); },
      [](setting& s) {
        cudaEventRecord(s.event, s.a);
        cudaEventSynchronize(s.event);
      },
      [](setting& s) { s.is(s.pinned[size - 1], 0); });
  check_order(
      {"memset() writes", "kernel copy_kernel at ", "reads it"},
      [](setting& s) { copy_kernel<<<blocks, 256, 0, s.a>>>(s.x, s.pinned); }, wait_for_a,
      [](setting& s) { std::memset(s.pinned, 0, 8); });
  // A call that fills several pages, of which the device uses the last one only.
  check_order(
      {"memset() writes", "cudaMemcpyAsync() at ", "also writes it"},
      [](setting& s) {
        cudaMemcpyAsync(s.pinned + size - 8, s.x, 8 * sizeof(float), cudaMemcpyDeviceToHost, s.a);
      },
      wait_for_a, [](setting& s) { std::memset(s.pinned, 0, bytes); });
}

TEST_CASE("managed memory, and a __managed__ variable, before the kernel is waited for") {
  check_order(
      {"the host reads element [3]", "kernel scale_kernel at ", "in the default stream writes it",
       "cudaDeviceSynchronize()"},
      [](setting& s) { scale_kernel<<<blocks, 256>>>(s.managed, 0, size); },
      [](setting&) { cudaDeviceSynchronize(); }, [](setting& s) { s.is(s.managed[3], 2); });
  check_order(
      {"the host reads", "shared_by_both[2]", "kernel set_kernel at "},
      [](setting& s) { set_kernel<<<1, 4, 0, s.a>>>(shared_by_both); }, wait_for_a,
      [](setting& s) { s.is(shared_by_both[2], 1); });
}

TEST_CASE("copies of pageable memory wait for themselves") {
  in_all_orders([] {
    const auto found = finding_of([] {
      setting s;
      std::vector<float> pageable(size, 3.0f);
      cudaMemcpyAsync(s.x, pageable.data(), bytes, cudaMemcpyHostToDevice, s.apart);
      std::fill(pageable.begin(), pageable.end(), 0.0f);
      scale_kernel<<<blocks, 256, 0, s.apart>>>(s.x, 0, size);
      cudaMemcpyAsync(pageable.data(), s.x, bytes, cudaMemcpyDeviceToHost, s.apart);
      CHECK(pageable[77] == 6);
      copy_kernel<<<blocks, 256, 0, s.b>>>(s.y, s.x);  // the copy back has waited for the stream
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
}

TEST_CASE("constant memory that another stream overwrites") {
  check_order(
      {"cudaMemcpyToSymbolAsync() in stream ", "taps[0] in constant memory", "kernel copy_kernel at "},
      [](setting& s) { copy_kernel<<<blocks, 256, 0, s.a>>>(s.y, s.x); }, a_before_b,
      [](setting& s) {
        cudaMemcpyToSymbolAsync(taps, s.pinned, sizeof taps, 0, cudaMemcpyHostToDevice, s.b);
      });
}

TEST_CASE("memory that is allocated and freed in the order of a stream") {
  float* extra = nullptr;
  const auto free_extra = [&] {  // what a refused program has left
    cudaStreamSynchronize(nullptr);
    cudaFree(std::exchange(extra, nullptr));
  };
  check_order(
      {"kernel set_kernel in stream ", "writes byte 0 of the allocation of 256 bytes",
       "cudaMallocAsync() at ", "allocates it"},
      [&](setting& s) {
        free_extra();
        cudaMallocAsync(&extra, 256, s.a);
      },
      a_before_b,
      [&](setting& s) {
        set_kernel<<<1, 64, 0, s.b>>>(extra);
        cudaFreeAsync(extra, s.b);
        extra = nullptr;
      });
  check_order(
      {"cudaFreeAsync() in stream ", "frees byte 0", "kernel set_kernel at "},
      [&](setting& s) {
        free_extra();
        cudaMallocAsync(&extra, 256, s.a);
        set_kernel<<<1, 64, 0, s.a>>>(extra);
      },
      a_before_b,
      [&](setting& s) {
        cudaFreeAsync(extra, s.b);
        extra = nullptr;
      });
  free_extra();
}

TEST_CASE("pinned memory that is freed, or registered no longer, while a copy runs") {
  float* extra = nullptr;
  const auto free_extra = [&] {  // what a refused program has left
    cudaStreamSynchronize(nullptr);
    cudaFreeHost(std::exchange(extra, nullptr));
  };
  check_order(
      {"cudaFreeHost() frees byte 0 of the allocation of 256 bytes", "cudaMemcpyAsync() at "},
      [&](setting& s) {
        free_extra();
        cudaMallocHost(&extra, 256);
        std::fill(extra, extra + 64, 1.0f);
        cudaMemcpyAsync(s.x, extra, 256, cudaMemcpyHostToDevice, s.a);
      },
      wait_for_a,
      [&](setting&) {
        cudaFreeHost(extra);
        extra = nullptr;
      });
  free_extra();
  std::vector<float> host(2000);
  check_order(
      {"cudaHostUnregister() frees", "cudaMemcpyAsync() at "},
      [&](setting& s) {
        cudaHostUnregister(host.data());
        cudaHostRegister(host.data(), 8000, cudaHostRegisterDefault);
        cudaMemcpyAsync(s.x, host.data(), 8000, cudaMemcpyHostToDevice, s.a);
      },
      wait_for_a, [&](setting&) { cudaHostUnregister(host.data()); });
  cudaHostUnregister(host.data());
  check_order(
      {"the host writes", "byte 20 of the 8000 bytes that were registered at"},
      [&](setting& s) {
        cudaHostUnregister(host.data());
        cudaHostRegister(host.data(), 8000, cudaHostRegisterDefault);
        cudaMemcpyAsync(s.x, host.data(), 8000, cudaMemcpyHostToDevice, s.a);
      },
      wait_for_a, [&](setting&) { host[5] = 2; });
  cudaHostUnregister(host.data());
  // A call that begins in pageable memory before the range, and ends in it.
  check_order(
      {"memset() writes", "cudaMemcpyAsync() at ", "reads it"},
      [&](setting& s) {
        cudaHostUnregister(host.data() + 1000);
        cudaHostRegister(host.data() + 1000, 4000, cudaHostRegisterDefault);
        cudaMemcpyAsync(s.x, host.data() + 1000, 4000, cudaMemcpyHostToDevice, s.a);
      },
      wait_for_a, [&](setting&) { std::memset(host.data(), 0, 4040); });
  const work fills_range = [&](setting& s) {
    cudaHostUnregister(host.data() + 1000);
    cudaHostRegister(host.data() + 1000, 4000, cudaHostRegisterDefault);
    scale_kernel<<<1, 64, 0, s.a>>>(host.data() + 1000, 0, 10);
  };
  check_order(
      {"cudaMemcpyAsync() in stream ", "byte 0 of the 4000 bytes", "kernel scale_kernel at ", "writes it"},
      fills_range, a_before_b,
      [&](setting& s) { cudaMemcpyAsync(s.x, host.data(), 4040, cudaMemcpyHostToDevice, s.b); });
  check_order(
      {"cudaMemcpy2DAsync() in stream ", "byte 0 of the 4000 bytes", "kernel scale_kernel at ", "writes it"},
      fills_range, a_before_b, [&](setting& s) {
        cudaMemcpy2DAsync(s.x, 404, host.data(), 404, 404, 10, cudaMemcpyHostToDevice, s.b);
      });
  check_order({"cudaMemcpyAsync() in stream ", "byte 0 of the 4000 bytes", "kernel scale_kernel at "},
              fills_range, a_before_b,
              [&](setting& s) { cudaMemcpyAsync(host.data(), s.x, 4040, cudaMemcpyDeviceToHost, s.b); });
  cudaHostUnregister(host.data() + 1000);
}

TEST_CASE("a function of the host in a stream") {
  const auto read_first = [](void* data) { *static_cast<float*>(data) += 1; };
  check_order(
      {"cudaLaunchHostFunc() in stream ", "reads byte 0", "cudaMemcpyAsync() at "},
      [](setting& s) { cudaMemcpyAsync(s.pinned, s.x, bytes, cudaMemcpyDeviceToHost, s.a); }, a_before_b,
      [&](setting& s) { cudaLaunchHostFunc(s.b, read_first, s.pinned); });
  check_order(
      {"cudaMemcpyAsync() in stream ", "reads byte 0", "cudaLaunchHostFunc() at ", "writes it"},
      [&](setting& s) { cudaLaunchHostFunc(s.a, read_first, s.pinned); }, a_before_b,
      [](setting& s) { cudaMemcpyAsync(s.x, s.pinned, bytes, cudaMemcpyHostToDevice, s.b); });
}

TEST_CASE("a thread that a function of the host starts comes after what the function comes after") {
  struct reading {
    const float* from;
    float first = 0;
  };
  const auto read_in_thread = [](void* data) {
    auto& mine = *static_cast<reading*>(data);
    std::thread([&] { mine.first = mine.from[0]; }).join();
  };
  const work copy = [](setting& s) { cudaMemcpyAsync(s.pinned, s.x, bytes, cudaMemcpyDeviceToHost, s.a); };
  check_order({"the host reads element [0]", "cudaMemcpyAsync() at "}, copy, a_before_b, [&](setting& s) {
    reading mine{s.pinned};
    cudaLaunchHostFunc(s.b, read_in_thread, &mine);
    cudaStreamSynchronize(s.b);
    s.is(mine.first, 0);
  });
  // It says nothing to the thread that gave the function to the stream.
  reading mine{};
  check_order(
      {"the host reads element [1]", "cudaMemcpyAsync() at "},
      [&](setting& s) {
        copy(s);
        mine.from = s.pinned;
        cudaLaunchHostFunc(s.a, read_in_thread, &mine);
      },
      wait_for_a, [](setting& s) { s.is(s.pinned[1], 0); });
}

TEST_CASE("a transform in the plan's stream") {
  cufftHandle plan = 0;
  REQUIRE(cufftPlan1d(&plan, 64, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  const work transform = [&](setting& s) {
    cufftSetStream(plan, s.b);
    cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(s.x), reinterpret_cast<cufftComplex*>(s.y),
                 CUFFT_FORWARD);
  };
  check_order(
      {"cufftExecC2C() in stream ", "reads byte 0", "kernel scale_kernel at "},
      [](setting& s) { scale_kernel<<<blocks, 256, 0, s.a>>>(s.x, 0, size); }, a_before_b, transform);
  check_order(
      {"kernel copy_kernel in stream ", "cufftExecC2C() at ", "writes it"}, transform,
      [](setting& s) { cudaStreamSynchronize(s.b); },
      [](setting& s) { copy_kernel<<<blocks, 256, 0, s.a>>>(s.x, s.y); });
  cufftDestroy(plan);
}

TEST_CASE("a flag in pinned memory is trusted: the host has waited for what was done before it") {
  in_all_orders([] {
    const auto found = finding_of([] {
      setting s;
      s.pinned[0] = 0;
      scale_kernel<<<blocks, 256, 0, s.a>>>(s.managed, 0, size);
      set_kernel<<<1, 1, 0, s.a>>>(s.pinned);
      while (*static_cast<volatile float*>(s.pinned) != 1) continue;
      CHECK(s.managed[9] == 2);
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
}

TEST_CASE("two threads of the host, each with a stream") {
  in_all_orders([] {
    const auto found = finding_of([] {
      setting s;
      const auto half = [&](cudaStream_t stream, int from, int to) {
        const std::size_t count = static_cast<std::size_t>(to - from) * sizeof(float);
        cudaMemcpyAsync(s.x + from, s.pinned + from, count, cudaMemcpyHostToDevice, stream);
        scale_kernel<<<blocks, 256, 0, stream>>>(s.x, from, to);
        cudaMemcpyAsync(s.pinned + from, s.x + from, count, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
      };
      std::thread first([&] { half(s.a, 0, 2001); }), second([&] { half(s.apart, 2001, size); });
      first.join();
      second.join();
      CHECK(std::all_of(s.pinned, s.pinned + size, [](float v) { return v == 2; }));
    });
    if (found) FAIL_CHECK(std::string(found->what()));
  });
}
