// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Why a copy was refused: which side is whose memory, which range does not fit. Each refused call stands
// beside its repaired twin.
#include "../findings.hpp"

namespace {

constexpr int taps_line = __LINE__ + 1;
__constant__ float taps[64];

/// `refused` fails with `code`, and says why, once, with all of `words`; `repaired` succeeds and says
/// nothing.
void check_refused(cudaError_t code, const std::vector<std::string>& words,
                   const std::function<cudaError_t()>& refused,
                   const std::function<cudaError_t()>& repaired) {
  CHECK(refused() == code);
  const std::string why = cuda_emulator::why_failed(code);
  CAPTURE(why);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(why.find(word) != std::string::npos);
  }
  CHECK(why.find('\n') == std::string::npos);
  CHECK(cuda_emulator::why_failed(code).empty());
  CHECK(cudaGetLastError() == code);
  CHECK(repaired() == cudaSuccess);
  CHECK(cuda_emulator::why_failed(code).empty());
}

}  // namespace

TEST_CASE("a copy in the wrong direction says which side is whose memory") {
  std::vector<float> host(200);
  device_array<float> d_x(100), d_y(100);
  float *const h = host.data(), *const x = d_x.data(), *const y = d_y.data();
  check_refused(
      cudaErrorInvalidValue,
      {"the destination is device memory and the source host memory, but cudaMemcpyDeviceToHost copies from "
       "the device to the host (cudaMemcpyHostToDevice copies these; or exchange the two pointers: the "
       "destination comes first)"},
      [=] { return cudaMemcpy(x, h, 400, cudaMemcpyDeviceToHost); },
      [=] { return cudaMemcpy(x, h, 400, cudaMemcpyHostToDevice); });
  check_refused(
      cudaErrorInvalidValue,
      {"the destination is host memory and the source device memory, but cudaMemcpyHostToDevice copies from "
       "the host to the device (cudaMemcpyDeviceToHost copies these; or exchange the two pointers: the "
       "destination comes first)"},
      [=] { return cudaMemcpyAsync(h, x, 400, cudaMemcpyHostToDevice); },
      [=] { return cudaMemcpyAsync(h, x, 400, cudaMemcpyDeviceToHost); });
  check_refused(
      cudaErrorInvalidValue, {"both sides are host memory", "is a cudaMalloc() missing?"},
      [=] { return cudaMemcpy(h, h + 100, 400, cudaMemcpyHostToDevice); },
      [=] { return cudaMemcpy(x, y, 400, cudaMemcpyDeviceToDevice); });
  check_refused(
      cudaErrorInvalidValue, {"the source is a null pointer"},
      [=] { return cudaMemcpy(x, nullptr, 4, cudaMemcpyHostToDevice); },
      [=] { return cudaMemcpy(x, nullptr, 0, cudaMemcpyHostToDevice); });
  check_refused(
      cudaErrorInvalidValue, {"the pointer is host memory, and cudaMemset() sets memory of the device"},
      [=] { return cudaMemset(h, 0, 4); }, [=] { return cudaMemset(x, 0, 4); });
}

TEST_CASE("a range that does not fit is named with its allocation") {
  std::vector<float> host(5000);
  float *x = nullptr, *gone = nullptr;
  REQUIRE(cudaMalloc(&x, 400) == cudaSuccess);
  const std::string made = at_line(__FILE__, __LINE__ - 1);
  REQUIRE(cudaMalloc(&gone, 400) == cudaSuccess);
  REQUIRE(cudaFree(gone) == cudaSuccess);
  REQUIRE(cudaMemset(x, 0, 400) == cudaSuccess);
  float* const h = host.data();
  check_refused(
      cudaErrorInvalidValue,
      {"the destination does not fit: 400 bytes were asked for, from byte 40 on of the allocation of 400 "
       "bytes made at ",
       made},
      [=] { return cudaMemcpy(x + 10, h, 400, cudaMemcpyHostToDevice); },
      [=] { return cudaMemcpy(x + 10, h, 360, cudaMemcpyHostToDevice); });
  check_refused(
      cudaErrorInvalidValue,
      {"the source does not fit: 1600 bytes were asked for, from byte 0 on", made,
       ", which is 4 times too small: cudaMalloc() takes bytes, elements times sizeof()"},
      [=] { return cudaMemcpy(h, x, 1600, cudaMemcpyDeviceToHost); },
      [=] { return cudaMemcpy(h, x, 400, cudaMemcpyDeviceToHost); });
  for (const auto& [from, bytes] : {std::pair(x + 1, 1600), {x, 1200}}) {  // no size that counts elements
    REQUIRE(cudaMemcpy(h, from, std::size_t(bytes), cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cuda_emulator::why_failed(cudaErrorInvalidValue).find("too small") == std::string::npos);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  }
  check_refused(
      cudaErrorInvalidValue, {"the range does not fit: 404 bytes were asked for", made},
      [=] { return cudaMemset(x, 0, 404); }, [=] { return cudaMemset(x, 0, 400); });
  check_refused(
      cudaErrorInvalidValue, {"the source begins 8 bytes before the allocation of 400 bytes made at ", made},
      [=] { return cudaMemcpy(h, x - 2, 8, cudaMemcpyDeviceToHost); },
      [=] { return cudaMemcpy(h, x, 8, cudaMemcpyDeviceToHost); });
  check_refused(
      cudaErrorInvalidValue, {"the source begins at the end of the allocation of 400 bytes"},
      [=] { return cudaMemcpy(h, x + 100, 4, cudaMemcpyDeviceToHost); },
      [=] { return cudaMemcpy(h, x + 99, 4, cudaMemcpyDeviceToHost); });
  check_refused(
      cudaErrorInvalidValue, {"the source is in the allocation of 400 bytes", "which has been freed"},
      [=] { return cudaMemcpy(h, gone, 4, cudaMemcpyDeviceToHost); },
      [=] { return cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); });
  REQUIRE(cudaFree(x) == cudaSuccess);
}

TEST_CASE("rows and pitches") {
  std::vector<float> host(5000);
  float *p = nullptr, *const h = host.data();
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&p, &pitch, 280, 50) == cudaSuccess);
  const auto copy = [=](std::size_t from_pitch, std::size_t rows) {
    return [=] { return cudaMemcpy2D(p, pitch, h, from_pitch, 280, rows, cudaMemcpyHostToDevice); };
  };
  check_refused(
      cudaErrorInvalidPitchValue,
      {"a row of 280 bytes is longer than the pitch of the source, 70 bytes", "a pitch count bytes"},
      copy(70, 50), copy(280, 50));
  check_refused(
      cudaErrorInvalidValue,
      {"the destination does not fit: 25880 bytes were asked for", "(its rows are 512 bytes apart)"},
      copy(280, 51), copy(280, 50));
  check_refused(
      cudaErrorInvalidValue, {"the range does not fit", "(its rows are 512 bytes apart)"},
      [=] { return cudaMemset2D(p, pitch, 0, 280, 51); }, [=] { return cudaMemset2D(p, pitch, 0, 280, 50); });
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  REQUIRE(cudaMallocArray(&array, &format, 7, 9) == cudaSuccess);
  const auto into = [=](std::size_t rows) {
    return [=] { return cudaMemcpy2DToArray(array, 0, 2, h, 28, 28, rows, cudaMemcpyHostToDevice); };
  };
  check_refused(
      cudaErrorInvalidValue,
      {"28 bytes in each of 8 rows were asked for, from byte 0 of row 2 on, of an array of 7 x 9 elements of "
       "float"},
      into(8), into(7));
  REQUIRE(cudaFreeArray(array) == cudaSuccess);
  REQUIRE(cudaFree(p) == cudaSuccess);
}

TEST_CASE("variables of the device") {
  std::vector<float> host(100);
  device_array<float> d_x(100);
  float *const h = host.data(), *x = d_x.data();
  check_refused(
      cudaErrorInvalidValue,
      {"260 bytes were asked for, from byte 0 on of taps, which has 256 bytes (declared at ",
       at_line(__FILE__, taps_line)},
      [=] { return cudaMemcpyToSymbol(taps, h, 260); }, [=] { return cudaMemcpyToSymbol(taps, h, 256); });
  check_refused(
      cudaErrorInvalidValue, {"128 bytes were asked for, from byte 132 on of taps"},
      [=] { return cudaMemcpyFromSymbol(h, taps, 128, 132); },
      [=] { return cudaMemcpyFromSymbol(h, taps, 128, 128); });
  check_refused(
      cudaErrorInvalidSymbol, {"this is a pointer to device memory, for which there is cudaMemcpy()"},
      [=] { return cudaMemcpyToSymbol(static_cast<const void*>(x), h, 4); },
      [=] { return cudaMemcpyToSymbol(taps, h, 4); });
  check_refused(
      cudaErrorInvalidSymbol, {"this is no __constant__ or __device__ variable"},
      [&] { return cudaMemcpyToSymbol(x, h, 4); }, [=] { return cudaMemcpyToSymbol(taps, h, 4); });
  check_refused(
      cudaErrorInvalidMemcpyDirection, {"cudaMemcpyToSymbol() writes to the device"},
      [=] { return cudaMemcpyToSymbol(taps, h, 4, 0, cudaMemcpyDeviceToHost); },
      [=] { return cudaMemcpyToSymbol(taps, h, 4); });
}

// On a GPU these copies work, although CUDA leaves undefined what they do.
TEST_CASE("a direction that is not that of the copy's memory is found") {
  using cuda_emulator::finding_kind;
  device_array<int> x(10), y(10);
  const std::vector<int> h(10);
  const int line = __LINE__ + 6;
  check_found(
      finding_kind::copy_direction,
      {at_line(__FILE__, line),
       "both sides are device memory, but cudaMemcpyHostToDevice copies from the host",
       "(cudaMemcpyDeviceToDevice copies these)"},
      [&] { return cudaMemcpy(x.data(), y.data(), 40, cudaMemcpyHostToDevice); },
      [&] {
        REQUIRE(cudaMemcpy(x.data(), h.data(), 40, cudaMemcpyHostToDevice) == cudaSuccess);
        REQUIRE(cudaMemcpy(x.data(), y.data(), 40, cudaMemcpyDeviceToDevice) == cudaSuccess);
        REQUIRE(cudaMemcpy(x.data(), y.data(), 40, cudaMemcpyDefault) == cudaSuccess);
      });
  check_found(
      finding_kind::copy_direction, {"cudaMemcpyDeviceToHost copies from the device to the host"},
      [&] { return cudaMemcpy2D(x.data(), 8, y.data(), 8, 4, 3, cudaMemcpyDeviceToHost); },
      [&] { return cudaMemcpy2D(x.data(), 8, y.data(), 8, 4, 3, cudaMemcpyDeviceToDevice); });
  // Memory of both sides goes in all directions. Outside of tests this is a note, and the copy is made.
  int* both = nullptr;
  REQUIRE(cudaMallocManaged(&both, 40) == cudaSuccess);
  check_found(
      finding_kind::copy_direction, {"the destination is host memory and the source device memory"},
      [&] { return cudaMemcpy(std::vector<int>(10).data(), x.data(), 40, cudaMemcpyHostToHost); },
      [&] {
        for (const auto kind : {cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice})
          REQUIRE(cudaMemcpy(x.data(), both, 40, kind) == cudaSuccess);
      });
  cudaFree(both);
}
