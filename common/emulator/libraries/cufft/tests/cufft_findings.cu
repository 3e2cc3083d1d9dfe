// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What cuFFT must not be given: each mistake beside its repaired twin.
#include <cufft.h>

#include "../../../tests/findings.hpp"

namespace {

using cuda_emulator::finding_kind;

struct plan {
  cufftHandle handle = CUFFT_PLAN_NULL;
  plan(int n, cufftType type, int batch = 1) {
    REQUIRE(cufftPlan1d(&handle, n, type, batch) == CUFFT_SUCCESS);
  }
  plan(const plan&) = delete;
  ~plan() { cufftDestroy(handle); }
};

/// Elements that nobody has written.
template <class T>
class raw_array {
 public:
  explicit raw_array(std::size_t size) { REQUIRE(cudaMalloc(&data_, size * sizeof(T)) == cudaSuccess); }
  raw_array(const raw_array&) = delete;
  ~raw_array() { cudaFree(data_); }
  T* data() { return data_; }

 private:
  T* data_ = nullptr;
};

__global__ void fill_kernel(float* x, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) x[i] = static_cast<float>(i);
}
__global__ void real_part_kernel(const cufftComplex* spectrum, float* y, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size) y[i] = cuCrealf(cuCmulf(spectrum[i], make_cuComplex(2, 0)));
}

__device__ float device_signal[64];
__constant__ float constant_signal[64] = {1};

float* address_of(const void* symbol) {
  void* address = nullptr;
  REQUIRE(cudaGetSymbolAddress(&address, symbol) == cudaSuccess);
  return static_cast<float*>(address);
}

/// The transform is refused with a finding of that kind; the message names the call, its line and `words`.
void check_refused(finding_kind kind, std::vector<std::string> words, const std::function<void()>& faulty,
                   const std::function<void()>& repaired) {
  const auto found = finding_of(faulty);
  REQUIRE(found.has_value());
  const std::string message = found->what();
  CAPTURE(message);
  CHECK(found->kind() == kind);
  words.push_back("cufft_findings.cu:");
  words.push_back("Usual cause: ");
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(message.find(word) != std::string::npos);
  }
  const auto nothing = finding_of(repaired);
  if (nothing) FAIL_CHECK("the repaired call was refused: " << nothing->what());
}

}  // namespace

TEST_CASE("an array that is too short") {
  plan p(1024, CUFFT_R2C);
  const int allocated = __LINE__ + 1;
  device_array<float> d_short(1000);
  device_array<float> d_x(1024);
  device_array<cufftComplex> d_y(513), d_small(512);
  const int called = __LINE__ + 1;
  const auto reads_too_much = [&] { cufftExecR2C(p.handle, d_short.data(), d_y.data()); };
  const auto right = [&] { cufftExecR2C(p.handle, d_x.data(), d_y.data()); };
  check_refused(
      finding_kind::out_of_bounds,
      {at_line(__FILE__, called) + ": error: access out of bounds in cufftExecR2C()", "reads 1024 floats",
       "only 1000 floats", "the allocation of 4000 bytes made at ", at_line(__FILE__, allocated)},
      reads_too_much, right);
  check_refused(
      finding_kind::out_of_bounds,
      {"writes 513 complex floats", "only 512 complex floats", "R2C, n = 1024",
       "The transform of 1024 real numbers has 1024 / 2 + 1 = 513 complex ones."},
      [&] { cufftExecR2C(p.handle, d_x.data(), d_small.data()); }, right);
  // From the middle of an array that is large enough as a whole.
  device_array<float> d_long(1030);
  check_refused(
      finding_kind::out_of_bounds, {"only 1022 floats"},
      [&] { cufftExecR2C(p.handle, d_long.data() + 8, d_y.data()); },
      [&] { cufftExecR2C(p.handle, d_long.data() + 6, d_y.data()); });
}

TEST_CASE("in place without the room that the padding needs") {
  plan p(1000, CUFFT_R2C, 2);
  device_array<float> d_tight(2000), d_padded(2 * 1002);
  check_refused(
      finding_kind::out_of_bounds, {"writes 1002 complex floats", "2 * (n / 2 + 1)"},
      [&] {
        // The input itself would fit: rows of 1002 floats, of which the last two are padding.
        raw_array<float> d_almost(2 * 1002 - 1);
        cudaMemset(d_almost.data(), 0, (2 * 1002 - 1) * sizeof(float));
        cufftExecR2C(p.handle, d_almost.data(), reinterpret_cast<cufftComplex*>(d_almost.data()));
      },
      [&] { cufftExecR2C(p.handle, d_padded.data(), reinterpret_cast<cufftComplex*>(d_padded.data())); });
  const auto found = finding_of(
      [&] { cufftExecR2C(p.handle, d_tight.data(), reinterpret_cast<cufftComplex*>(d_tight.data())); });
  REQUIRE(found.has_value());
  CHECK(found->kind() == finding_kind::out_of_bounds);
}

TEST_CASE("a layout that reaches further than its elements") {
  int n[1] = {10}, embed[1] = {10};
  cufftHandle p = 0;
  REQUIRE(cufftPlanMany(&p, 1, n, embed, 3, 1, embed, 1, 10, CUFFT_C2C, 3) == CUFFT_SUCCESS);
  device_array<cufftComplex> d_x(30), d_short(29), d_y(30);
  check_refused(
      finding_kind::out_of_bounds, {"reads 30 complex floats", "only 29 complex floats"},
      [&] { cufftExecC2C(p, d_short.data(), d_y.data(), CUFFT_FORWARD); },
      [&] { cufftExecC2C(p, d_x.data(), d_y.data(), CUFFT_FORWARD); });
  cufftDestroy(p);
  REQUIRE(cufftPlanMany(&p, 1, n, embed, 2, 25, embed, 1, 10, CUFFT_C2C, 2) == CUFFT_SUCCESS);
  device_array<cufftComplex> d_gaps(44), d_less(43);
  check_refused(
      finding_kind::out_of_bounds, {"positions 0 to 43"},
      [&] { cufftExecC2C(p, d_less.data(), d_y.data(), CUFFT_FORWARD); },
      [&] { cufftExecC2C(p, d_gaps.data(), d_y.data(), CUFFT_FORWARD); });
  cufftDestroy(p);
}

TEST_CASE("memory that is not the device's, or not any more") {
  plan p(16, CUFFT_R2C);
  device_array<float> d_x(16);
  device_array<cufftComplex> d_y(9);
  std::vector<float> x(16);
  check_refused(
      finding_kind::host_pointer, {"host memory used", "cufftExecR2C", "cudaMemcpy()"},
      [&] { cufftExecR2C(p.handle, x.data(), d_y.data()); },
      [&] { cufftExecR2C(p.handle, d_x.data(), d_y.data()); });
  std::vector<cufftComplex> y(9);
  check_refused(
      finding_kind::host_pointer, {"writes 9 complex floats"},
      [&] { cufftExecR2C(p.handle, d_x.data(), y.data()); },
      [&] { cufftExecR2C(p.handle, d_x.data(), d_y.data()); });
  check_refused(
      finding_kind::use_after_free, {"use of freed memory", "64 bytes"},
      [&] {
        float* freed = nullptr;
        REQUIRE(cudaMalloc(&freed, 64) == cudaSuccess);
        cudaFree(freed);
        cufftExecR2C(p.handle, freed, d_y.data());
      },
      [&] { cufftExecR2C(p.handle, d_x.data(), d_y.data()); });
  check_refused(
      finding_kind::out_of_bounds, {"outside of the nearest allocation, of 64 bytes"},
      [&] { cufftExecR2C(p.handle, d_x.data() + 64, d_y.data()); },
      [&] { cufftExecR2C(p.handle, d_x.data(), d_y.data()); });
}

TEST_CASE("memory that the device reaches otherwise") {
  plan p(64, CUFFT_R2C);
  device_array<cufftComplex> d_y(33);
  float *managed = nullptr, *pinned = nullptr;
  REQUIRE(cudaMallocManaged(&managed, 64 * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 64 * sizeof(float)) == cudaSuccess);
  alignas(16) static float registered[64];
  REQUIRE(cudaHostRegister(registered, sizeof registered, 0) == cudaSuccess);
  for (float* const x :
       {managed, pinned, registered, address_of(device_signal), address_of(constant_signal)}) {
    const auto found = finding_of([&] { CHECK(cufftExecR2C(p.handle, x, d_y.data()) == CUFFT_SUCCESS); });
    if (found) FAIL_CHECK(found->what());
  }
  CHECK(cudaHostUnregister(registered) == cudaSuccess);
  cudaFree(managed);
  cudaFreeHost(pinned);
  plan back(64, CUFFT_C2R), longer(66, CUFFT_R2C);
  check_refused(
      finding_kind::out_of_bounds, {"write to constant memory", "constant_signal"},
      [&] { cufftExecC2R(back.handle, d_y.data(), address_of(constant_signal)); },
      [&] { cufftExecC2R(back.handle, d_y.data(), address_of(device_signal)); });
  device_array<cufftComplex> d_more(34);
  check_refused(
      finding_kind::out_of_bounds, {"device_signal", "only 64 floats"},
      [&] { cufftExecR2C(longer.handle, address_of(device_signal), d_more.data()); },
      [&] { cufftExecR2C(p.handle, address_of(device_signal), d_more.data()); });
}

TEST_CASE("elements that nobody has written") {
  constexpr int size = 100, padded = 128;
  plan p(padded, CUFFT_R2C);
  raw_array<float> d_x(padded);
  raw_array<cufftComplex> d_y(padded / 2 + 1);
  device_array<float> d_real(padded / 2 + 1);
  const auto run = [&] { cufftExecR2C(p.handle, d_x.data(), d_y.data()); };
  const auto use = [&] {
    real_part_kernel<<<1, padded>>>(d_y.data(), d_real.data(), padded / 2 + 1);
    cudaDeviceSynchronize();
  };
  // The output is not written before the transform has run.
  const auto early = finding_of(use);
  REQUIRE(early.has_value());
  CHECK(early->kind() == finding_kind::uninitialized_read);
  // A kernel writes the signal, and the zeros behind it are forgotten.
  check_refused(
      finding_kind::uninitialized_read, {"reads 28 floats of uninitialized memory", "position 100", "zeros"},
      [&] {
        fill_kernel<<<1, padded>>>(d_x.data(), size);
        run();
      },
      [&] {
        cudaMemset(d_x.data() + size, 0, (padded - size) * sizeof(float));
        run();
        use();
      });
  // The padding of an in-place transform is not read, and what lies in the gaps of a layout neither.
  int n[1] = {8}, embed[1] = {8};
  cufftHandle strided = 0;
  REQUIRE(cufftPlanMany(&strided, 1, n, embed, 2, 20, embed, 1, 5, CUFFT_R2C, 2) == CUFFT_SUCCESS);
  raw_array<float> d_gaps(40);
  raw_array<cufftComplex> d_half(10);
  const auto fill = [&](int last) {
    const float one = 1;
    for (int b = 0; b < 2; ++b)
      for (int i = 0; i < 8; ++i)
        if (20 * b + 2 * i <= last)
          cudaMemcpy(d_gaps.data() + 20 * b + 2 * i, &one, sizeof one, cudaMemcpyHostToDevice);
  };
  check_refused(
      finding_kind::uninitialized_read, {"reads 2 floats of uninitialized memory", "position 32"},
      [&] {
        fill(30);
        cufftExecR2C(strided, d_gaps.data(), d_half.data());
      },
      [&] {
        fill(40);
        cufftExecR2C(strided, d_gaps.data(), d_half.data());
      });
  cufftDestroy(strided);
}

TEST_CASE("misaligned, overlapping, written twice") {
  plan p(16, CUFFT_R2C);
  device_array<float> d_x(64);
  device_array<cufftComplex> d_y(32);
  check_refused(
      finding_kind::misaligned, {"not a multiple of 8"},
      [&] { cufftExecR2C(p.handle, d_x.data() + 1, d_y.data()); },
      [&] { cufftExecR2C(p.handle, d_x.data() + 2, d_y.data()); });
  plan c2c(16, CUFFT_C2C);
  check_refused(
      finding_kind::race, {"input and output share"},
      [&] { cufftExecC2C(c2c.handle, d_y.data(), d_y.data() + 8, CUFFT_FORWARD); },
      [&] {
        cufftExecC2C(c2c.handle, d_y.data(), d_y.data() + 16, CUFFT_FORWARD);
        cufftExecC2C(c2c.handle, d_y.data(), d_y.data(), CUFFT_FORWARD);
      });
  int n[1] = {16};
  const auto batch_with = [&](int odist) {
    cufftHandle many = 0;
    REQUIRE(cufftPlanMany(&many, 1, n, n, 1, 16, n, 1, odist, CUFFT_R2C, 2) == CUFFT_SUCCESS);
    const struct destroyer {
      cufftHandle handle;
      ~destroyer() { cufftDestroy(handle); }
    } at_end{many};
    cufftExecR2C(many, d_x.data(), d_y.data());
  };
  check_refused(
      finding_kind::race, {"writes position 8 of the output more than once", "odist"}, [&] { batch_with(8); },
      [&] { batch_with(9); });
}

TEST_CASE("work areas that are too small, shared with data, or relied on") {
  cufftHandle p = 0;
  std::size_t size = 0;
  REQUIRE(cufftCreate(&p) == CUFFT_SUCCESS);
  REQUIRE(cufftSetAutoAllocation(p, 0) == CUFFT_SUCCESS);
  REQUIRE(cufftMakePlan1d(p, 64, CUFFT_R2C, 1, &size) == CUFFT_SUCCESS);
  device_array<float> d_x(64);
  device_array<cufftComplex> d_y(33);
  device_array<char> d_work(size), d_small(size - 1);
  const auto with = [&](void* area) {
    REQUIRE(cufftSetWorkArea(p, area) == CUFFT_SUCCESS);
    cufftExecR2C(p, d_x.data(), d_y.data());
  };
  check_refused(
      finding_kind::out_of_bounds, {"uses a work area of " + std::to_string(size) + " bytes"},
      [&] { with(d_small.data()); }, [&] { with(d_work.data()); });
  check_refused(
      finding_kind::race, {"the work area shares memory"}, [&] { with(d_y.data()); },
      [&] { with(d_work.data()); });
  // What was in it is gone.
  device_array<float> d_z(8);
  fill_kernel<<<1, 8>>>(reinterpret_cast<float*>(d_work.data()), 8);
  with(d_work.data());
  plan small(8, CUFFT_R2C);
  const auto found =
      finding_of([&] { cufftExecR2C(small.handle, reinterpret_cast<float*>(d_work.data()), d_y.data()); });
  REQUIRE(found.has_value());
  CHECK(found->kind() == finding_kind::uninitialized_read);
  CHECK(std::string(found->what()).find("has used it as its work area") != std::string::npos);
  cufftDestroy(p);
}

TEST_CASE("a spectrum that is used after a complex-to-real transform of it") {
  constexpr int h = 4, w = 6, c = w / 2 + 1;
  const auto in_rows = [](bool wide) {
    cufftHandle p = 0;
    REQUIRE((wide ? cufftPlan2d(&p, h, w, CUFFT_C2R) : cufftPlan1d(&p, w, CUFFT_C2R, h)) == CUFFT_SUCCESS);
    return p;
  };
  int transformed = 0;
  const auto used = [&](bool wide, bool copied, bool by_kernel) {
    const cufftHandle p = in_rows(wide);
    const struct destroyer {
      cufftHandle handle;
      ~destroyer() { cufftDestroy(handle); }
    } at_end{p};
    device_array<cufftComplex> d_z(h * c), d_kept(h * c);
    device_array<float> d_y(h * w), d_part(h * c);
    require_success(
        cudaMemcpy(d_kept.data(), d_z.data(), h * c * sizeof(cufftComplex), cudaMemcpyDeviceToDevice));
    transformed = __LINE__ + 1;
    CHECK(cufftExecC2R(p, d_z.data(), d_y.data()) == CUFFT_SUCCESS);
    if (copied)
      require_success(
          cudaMemcpy(d_z.data(), d_kept.data(), h * c * sizeof(cufftComplex), cudaMemcpyDeviceToDevice));
    if (by_kernel)
      real_part_kernel<<<1, 32>>>(d_z.data(), d_part.data(), h * c);
    else
      cufftExecC2R(p, d_z.data(), d_y.data());
  };
  used(true, true, true);  // which line that is
  for (const bool wide : {true, false})
    for (const bool by_kernel : {true, false})
      check_refused(
          finding_kind::uninitialized_read,
          {"cufftExecC2R() at ",
           at_line(__FILE__, transformed) + " has overwritten it: a complex-to-real transform",
           "a spectrum that is used again"},
          [&] { used(wide, false, by_kernel); }, [&] { used(wide, true, by_kernel); });
  // Nothing else destroys its input. In place nothing is left of it, and the padding may be scaled along.
  cufftHandle forward = 0, back = 0;
  REQUIRE(cufftPlan2d(&forward, h, w, CUFFT_R2C) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan2d(&back, h, w, CUFFT_C2R) == CUFFT_SUCCESS);
  device_array<float> d_x(h * 2 * c), d_y(h * c);
  device_array<cufftComplex> d_z(h * c);
  const auto z_here = reinterpret_cast<cufftComplex*>(d_x.data());
  const auto nothing = finding_of([&] {
    for (int i = 0; i < 2; ++i) cufftExecR2C(forward, d_x.data(), d_z.data());
    cufftExecR2C(forward, d_x.data(), z_here);
    cufftExecC2R(back, z_here, d_x.data());
    real_part_kernel<<<1, 32>>>(z_here, d_y.data(), h * c);
  });
  CHECK_MESSAGE(!nothing, (nothing ? nothing->what() : ""));
  cufftDestroy(forward);
  cufftDestroy(back);
  // What the host can write, too, is not watched for who has written it.
  cufftComplex* pinned = nullptr;
  float* real = nullptr;
  require_success(cudaMallocHost(&pinned, h * c * sizeof(cufftComplex)));
  require_success(cudaMallocHost(&real, h * w * sizeof(float)));
  const cufftHandle p = in_rows(true);
  const auto filled_again = finding_of([&] {
    for (int i = 0; i < 2; ++i) {
      for (int k = 0; k < h * c; ++k) pinned[k] = {1, 0};
      cufftExecC2R(p, pinned, real);
      require_success(cudaDeviceSynchronize());
    }
  });
  CHECK_MESSAGE(!filled_again, (filled_again ? filled_again->what() : ""));
  cufftDestroy(p);
  cudaFreeHost(pinned);
  cudaFreeHost(real);
}

TEST_CASE("another stream reads a spectrum that is transformed back") {
  const auto beside = [](bool waits) {
    plan back(64, CUFFT_C2R);
    device_array<cufftComplex> d_z(33);
    device_array<float> d_x(64), d_y(33);
    cudaStream_t streams[2];
    for (cudaStream_t& each : streams) require_success(cudaStreamCreate(&each));
    cufftSetStream(back.handle, streams[0]);
    real_part_kernel<<<1, 64, 0, streams[1]>>>(d_z.data(), d_y.data(), 33);
    if (waits) require_success(cudaStreamSynchronize(streams[1]));
    cufftExecC2R(back.handle, d_z.data(), d_x.data());
    for (cudaStream_t& each : streams) {
      cudaStreamSynchronize(each);
      cudaStreamDestroy(each);
    }
  };
  check_found(
      finding_kind::unordered, {"cufftExecC2R() in stream ", "writes", "real_part_kernel"},
      [&] { beside(false); }, [&] { beside(true); });
}

TEST_CASE("without checks nothing is found") {
  plan p(16, CUFFT_R2C);
  std::vector<float> x(16);
  device_array<cufftComplex> d_y(9);
  cuda_emulator::set_checking(false);
  const auto found =
      finding_of([&] { CHECK(cufftExecR2C(p.handle, x.data(), d_y.data()) == CUFFT_SUCCESS); });
  cuda_emulator::set_checking(true);
  CHECK(!found);
}
