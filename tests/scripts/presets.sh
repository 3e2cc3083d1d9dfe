#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# The scripts and TUTORIAL_DEVICE=auto (cmake/Device.cmake) choose the same device.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
unset TUTORIAL_PRESET

# What CMake chooses: only the choice, without building anything for it.
mkdir -p "$scratch/choice/common/emulator"
sed '/^tutorial_choose_device()/,$d' "$repository/cmake/Device.cmake" >"$scratch/choice/choice.cmake"
cat >"$scratch/choice/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(choice LANGUAGES CXX)
include(choice.cmake)
tutorial_choose_device()
message(STATUS "Device: ${TUTORIAL_DEVICE_CHOSEN} (${TUTORIAL_DEVICE_REASON})")
END
generator=()
if command -v ninja >/dev/null; then generator=(-G Ninja); fi
cmake_choice() {
  rm -rf "$scratch/choice/build"
  cmake -S "$scratch/choice" -B "$scratch/choice/build" "${generator[@]}" 2>&1 |
    sed -n -e 's/cuda (/gpu (/' -e 's/^-- Device: \([a-z]*\) .*/\1/p'
}
script_choice() {
  (
    root=$tree
    source "$tree/common/commands/packages.sh"
    source "$tree/common/commands/build.sh"
    choose_preset ""
    echo "$preset"
  )
}
agree() {
  last="$1" status=- output="CMake: $(cmake_choice), scripts: $(script_choice)"
  expect "CMake: $2, scripts: $2"
}

# This machine as it is; then with a GPU that answers, with one that does not.
agree "this machine" "$(script_choice)"
shim nvidia-smi '[[ $1 == -L ]] && echo "GPU 0: Some GPU (UUID: GPU-1)"'
CUDACXX=no_such_nvcc agree "a GPU without nvcc" emulated
# The scripts hand the nvcc that they find to CMake.
nvcc=$(root=$tree; source "$tree/common/commands/packages.sh"; source "$tree/common/commands/build.sh"; find_nvcc)
if [[ -n $nvcc ]]; then CUDACXX=$nvcc agree "a GPU and nvcc" gpu; fi
shim nvidia-smi 'echo "NVIDIA-SMI has failed because it could not communicate with the driver."; exit 9'
agree "a driver that does not answer" emulated
shim nvidia-smi 'echo "No devices found."'
agree "a driver without a GPU" emulated

# What is asked for wins; and doctor says what is chosen.
shim nvidia-smi '[[ $1 == -L ]] && echo "GPU 0: Some GPU (UUID: GPU-1)"; echo "| Driver Version: 1 CUDA Version: 1.2 |"'
shim nvcc 'echo "Cuda compilation tools, release 13.0, V13.0.88"'
ends 0 "$tree/chapters/run" --preset emulated 02
TUTORIAL_PRESET=emulated ends 0 "$tree/chapters/run" 02
CUDACXX=no_such_nvcc ends 2 "$tree/chapters/run" --preset gpu 02
expect "needs nvcc"
TUTORIAL_PRESET=nonsense ends 2 "$tree/tests/run"
attempt "$tree/chapters/run" doctor
expect "the gpu device (nvcc and GPU 0: Some GPU were found)"
expect "update the driver"
finish
