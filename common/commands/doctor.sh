# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# chapters/run doctor: what is here, and what to do about each that is not. Wants packages.sh and build.sh read.

finding() { printf '  %-18s %s\n' "$1" "$2"; }
advice() { printf '  %-18s   -> %s\n' "" "$1"; }

driver_cuda() { nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9]*\.[0-9]*\).*/\1/p' | head -n 1; }
nvcc_cuda() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p'; }

# Status 0 where the chapters can be built and run, on the emulated device at least.
doctor() {
  local compiler nvcc gpu driver toolkit_version driver_version missing gpu_works=1
  choose_preset "$1"
  nvcc=$(find_nvcc)
  gpu=$(first_gpu)

  echo "To build anything"
  finding "system" "$(sed -n 's/^PRETTY_NAME="*\([^"]*\).*/\1/p' /etc/os-release 2>/dev/null || uname -s), $(uname -m)"
  compiler=$(host_compiler)
  if [[ -z $compiler ]]; then
    finding "compiler" "none${CXX:+ (CXX is set to '$CXX')}"
  elif have_compiler; then
    finding "compiler" "$compiler: $("$compiler" --version 2>/dev/null | head -n 1)"
  else
    finding "compiler" "$compiler: too old for C++20 ($("$compiler" --version 2>/dev/null | head -n 1))"
    advice "g++ 11 or newer, or clang 14 or newer; CXX=... chooses one"
  fi
  if have_command cmake; then
    finding "cmake" "$(cmake --version | sed -n '1s/.* //p')$(have_cmake || echo ": too old, 3.25 is needed")"
  else
    finding "cmake" "none"
  fi
  if have_command ninja; then finding "build program" "ninja $(ninja --version)"
  elif have_command make; then finding "build program" "$(make --version | head -n 1)"
  else finding "build program" "none (ninja or make)"; fi

  missing=$(missing_packages "$(packages_of_preset emulated)")
  if [[ -z $missing ]]; then
    finding "packages" "all here"
  else
    finding "packages" "missing: $(package_names "$missing")"
    if have_command apt-get; then
      advice "$(is_root || printf 'sudo ')apt-get install --no-install-recommends $(package_names "$missing")"
      advice "chapters/run does that for you"
    else
      advice "install them with this system's own package manager, or use the container line in docs/mac.md"
    fi
  fi

  echo "To use an NVIDIA GPU (nothing in this tutorial needs one)"
  if [[ -n $nvcc ]]; then
    toolkit_version=$(nvcc_cuda "$nvcc")
    finding "CUDA toolkit" "${toolkit_version:-unknown version} ($nvcc)"
  else
    gpu_works=0
    finding "CUDA toolkit" "none: nvcc, NVIDIA's compiler, is not on the PATH, in CUDACXX, or in /usr/local/cuda/bin"
    if [[ -n $gpu ]]; then advice "install it: https://docs.nvidia.com/cuda/cuda-installation-guide-linux/"; fi
  fi
  if have_command nvidia-smi; then
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)
    driver_version=$(driver_cuda)
    if [[ -n $gpu ]]; then
      finding "driver" "${driver:-unknown version}${driver_version:+, for CUDA up to $driver_version}"
    else
      gpu_works=0
      finding "driver" "nvidia-smi is here, but lists no GPU: $(nvidia-smi -L 2>&1 | head -n 1)"
      advice "in a container: start it with --gpus all; otherwise, load or reinstall the driver (you may need to reboot)"
    fi
    if [[ -n ${toolkit_version:-} && -n $driver_version ]] && (( ${driver_version%%.*} < ${toolkit_version%%.*} )); then
      gpu_works=0
      advice "this driver is older than the toolkit: update the driver, or install a CUDA $driver_version toolkit"
    fi
  else
    gpu_works=0
    finding "driver" "none (no nvidia-smi)"
    advice "if this machine has an NVIDIA GPU, install its driver, then run this again"
  fi
  finding "device" "${gpu:-none}"

  echo "Result"
  finding "chapters/run uses" "the $preset device ($preset_reason)"
  if [[ $preset == gpu ]] && (( ! gpu_works )); then advice "this won't work with the current setup; --preset emulated works"; fi
  [[ -z $missing ]]
}
