#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Every function that g++ compiles with -fipa-ra, in which calls before accesses change no register, must be one in
# which emulator_translate replaces these calls: host_marks.sh EMUCC
# A second option in the same attribute leaves a label in each such function. So it is seen which got them from
# another one.
set -u
unset LIBRARY_PATH CPATH CPLUS_INCLUDE_PATH
emucc=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

cat >"$scratch/many.cu" <<'END'
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

template <class T>
__device__ T twice(T x) { return x + x; }
template <class T>
__global__ void twice_kernel(T* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
template <class T>
struct scale {
  T by;
  __host__ __device__ T operator()(T x) const { return by * x; }
};
template <class F>
__global__ void apply_kernel(F f, float* x) { x[threadIdx.x] = f(x[threadIdx.x]); }
template <class T>
[[gnu::noinline]] T sum(const std::vector<T>& x) {
  T s = 0;
  for (const T& v : x) s += std::max(v, T(0));
  return s;
}
void fill(std::vector<float>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  std::map<std::string, std::shared_ptr<int>> names;
  for (int i = 0; i < 3; ++i) names[std::to_string(i)] = std::make_shared<int>(i);
  std::sort(x.begin(), x.end(), std::greater<>());
}
void halve(std::vector<float>& x) {
#pragma omp parallel for
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 0.5f;
}
void fill_by_threads(std::vector<float>& x) {
  std::vector<std::thread> all;
  for (int t = 0; t < 3; ++t)
    all.emplace_back([&x, t]() __attribute__((noinline)) {
      for (float& v : x) v = static_cast<float>(t);
    });
  for (std::thread& t : all) t.join();
}
struct local_names {
  int all(int n) {
    struct inner {
      int twice(int m) { return 2 * m; }
    };
    int s = 0;
    for (int i = 0; i < n; ++i) s += inner().twice(i);
    return s;
  }
};
int main() {
  std::vector<float> x(100);
  fill(x);
  fill_by_threads(x);
  halve(x);
  float* d = nullptr;
  cudaMalloc(&d, 400);
  const scale<float> f{3};
  for (int i = 0; i < 3; ++i) {
    twice_kernel<<<1, 32>>>(d);
    apply_kernel<<<1, 32>>>([=] __device__(float v) { return f(v); }, d);
    apply_kernel<<<1, 32>>>(f, d);
  }
  cudaFree(d);
  return sum(x) > 0 ? local_names().all(3) : 1;
}
END

for source in "$scratch/many.cu" "$here/host_use.cu" "$here/published_shapes.cu"; do
  name=$(basename "$source" .cu)
  "$emucc" --quiet -w -Xcompiler -fopenmp -c "$source" --keep -keep-dir "$scratch" -o "$scratch/$name.o" || exit 1
  command=$("$emucc" --dryrun -w -Xcompiler -fopenmp -c "$source" -o "$scratch/$name.o" 2>&1 |
    sed -n "s/^#\\$ //; s/'-S' '[^']*' '-o' '[^']*'/-S \"\\\$1\" -o \"\\\$2\"/p")
  attribute='gnu::optimize("ipa-ra")' marked='gnu::optimize("ipa-ra,patchable-function-entry=1")'
  # Without those that the header has.
  sed "/static void __builtin/!s/${attribute//\"/\\\"}/${marked//\"/\\\"}/" "$scratch/$name.ii" >"$scratch/marked.ii"
  if ! bash -c "$command" - "$scratch/marked.ii" "$scratch/marked.s"; then
    failures=$((failures + 1))
    continue
  fi
  awk '
    /^[A-Za-z_][A-Za-z0-9_.$]*:/ { name = $1 }
    /^\.LPFE[0-9]*:/ { so[name] = 1; count++ }
    /# emulator: host/ { marked[name] = 1 }
    END {
      for (name in so) if (!(name in marked) && name !~ /\._omp_/) { print "no mark: " name; bad = 1 }
      print count + 0
      exit bad
    }' "$scratch/marked.s" >"$scratch/out" || {
    printf 'FAILED: %s\n%s\n' "$name" "$(<"$scratch/out")"
    failures=$((failures + 1))
  }
  if [[ $name == many && $(tail -n 1 "$scratch/out") -lt 3 ]]; then
    printf 'FAILED: fewer functions than expected are compiled so:\n%s\n' "$(<"$scratch/out")"
    failures=$((failures + 1))
  fi
done
exit $((failures > 0))
