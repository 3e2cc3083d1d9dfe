# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Chooses the preset and builds, quietly: progress while it lasts, the whole log where it fails.
# Wants `root` (the repository) set, and packages.sh read.
# Where the compiler is ccache, it keeps what is compiled with precompiled headers only if it is told so.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros}

# CMake looks for nvcc in CUDACXX and on the PATH; NVIDIA's installer puts it where neither points.
find_nvcc() {
  if [[ -n ${CUDACXX:-} ]]; then
    command -v "$CUDACXX"
  elif ! command -v nvcc && [[ -x /usr/local/cuda/bin/nvcc ]]; then
    echo /usr/local/cuda/bin/nvcc
  fi
}

# "GPU 0: NVIDIA ..." of the first GPU that the driver lists.
first_gpu() { nvidia-smi -L 2>/dev/null | sed -n 's/^\(GPU 0: [^(]*[^( ]\).*/\1/p'; }

# Sets `preset` and `preset_reason`: $1 where it is not empty, else TUTORIAL_PRESET, else the same choice that
# TUTORIAL_DEVICE=auto makes in cmake/Device.cmake (tests/scripts holds them together).
choose_preset() {
  local nvcc gpu
  nvcc=$(find_nvcc)
  if [[ -n $nvcc ]]; then export CUDACXX=$nvcc; fi
  preset=${1:-${TUTORIAL_PRESET:-}}
  preset_reason="as asked"
  case $preset in
    gpu*)
      [[ -n $nvcc ]] || refuse "The preset '$preset' needs nvcc, and there is none on the PATH, in CUDACXX, or in" \
        "/usr/local/cuda/bin. chapters/run doctor says more; the preset emulated needs none." ;;&
    gpu)
      [[ -n $(first_gpu) ]] || refuse "The preset 'gpu' needs an NVIDIA GPU, and nvidia-smi lists none here." \
        "Without --preset the emulated device is used; gpu-compile-only compiles without running." ;;&
    emulated | gpu | gpu-compile-only | docs) return ;;
    "") ;;
    *) refuse "There is no preset '$preset'. There are: emulated, gpu, gpu-compile-only, docs." ;;
  esac
  gpu=$(first_gpu)
  preset=emulated
  if [[ -n $gpu && -n $nvcc ]]; then
    preset=gpu
    preset_reason="nvcc and $gpu were found"
  elif [[ -n $gpu ]]; then
    preset_reason="$gpu is here, but not nvcc, NVIDIA's compiler: chapters/run doctor says what to do"
  elif [[ -n $nvcc ]]; then
    preset_reason="nvcc, NVIDIA's compiler, was found, but no usable NVIDIA GPU"
  else
    preset_reason="nvcc, NVIDIA's compiler, was not found"
  fi
}

# The table of packages that the preset $1 needs.
packages_of_preset() {
  printf '%s\n' "$packages_for_everything"
  case $1 in gpu*) ;; *) printf '%s\n' "$packages_for_the_emulated_device" ;; esac
}

# prepare PRESET YES: chooses the preset for programs that are to run here, and gets what it needs.
prepare() {
  choose_preset "$1"
  case $preset in
    emulated | gpu) ;;
    *) refuse "The preset '$preset' builds nothing that runs here: emulated and gpu do." ;;
  esac
  ensure_packages "$(packages_of_preset "$preset")" "$root/build/packages.log" "$2"
}

# As many compilers at once as there are cores, but none without its 1.5 GiB of memory.
build_jobs() {
  local cores memory
  cores=$(nproc 2>/dev/null || echo 1)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo 2>/dev/null)
  (( ${memory:-$cores} < cores )) && cores=$memory
  echo "${CMAKE_BUILD_PARALLEL_LEVEL:-$(( cores < 1 ? 1 : cores ))}"
}

# Why build/<preset> has to be configured; empty where it has not.
configure_reason() {
  local folder=$1 home
  [[ -e $folder/build.ninja || -e $folder/Makefile ]] || { echo "first"; return; }
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null)
  [[ $home == "$root" ]] || { echo "moved"; return; }
  # CMake leaves its cache's time alone where nothing in it changes: we keep our own.
  if [[ ! -e $folder/configured || $root/CMakePresets.json -nt $folder/configured ]]; then echo "presets"
  elif [[ -n ${packages_were_installed:-} ]]; then echo "packages"; fi
}

# configure PRESET [CMAKE OPTIONS...]
configure() {
  local folder=$root/build/$1 log=$root/build/$1/configure.log reason arguments=(--preset "$1") generator
  shift
  reason=$(configure_reason "$folder")
  [[ -n $reason ]] || return 0
  # A folder that was configured for another place, or not to the end, cannot be trusted.
  case $reason in
    first | moved)
      arguments+=(--fresh)
      if [[ -z ${CMAKE_GENERATOR:-} ]] && have_command ninja; then arguments+=(-G Ninja); fi ;;
    *)
      generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$folder/CMakeCache.txt")
      arguments+=(-G "$generator") ;;
  esac
  if ! (cd "$root" && run_quietly "$log" "Configuring" cmake "${arguments[@]}" "$@"); then
    cat "$log" >&2
    strong "CMake could not configure the build; its whole output is above."
    return 1
  fi
  touch "$folder/configured"
}

# Two builds in one folder would spoil each other: waits until build/<preset> is ours, until the end or `unlock_build`.
lock_build() {
  mkdir -p "$root/build/$1"
  have_command flock || return 0
  { exec {build_lock}>"$root/build/$1.lock"; } 2>/dev/null ||
    refuse "$root/build/$1.lock cannot be written to: does build/ belong to another user?"
  flock -n "$build_lock" && return
  say "Another build of this preset is running: waiting for it."
  with_progress "Waiting" flock "$build_lock"
}
unlock_build() {
  if [[ -n ${build_lock:-} ]]; then exec {build_lock}>&-; fi
  build_lock=
}

# Letters that fit into a line of standard error.
screen_width() {
  local width=100000
  if [[ -t 2 ]]; then width=$(( $(terminal_width) - 1 )); fi
  echo "$(( width < 40 ? 40 : width ))"
}

# learner_screen WORD...: what is to be said of what has failed (common/screens/learner_screen.cpp). The program, of the
# build `preset` or in `screen_folder`, is made when it is first wanted. Status 127 where it cannot be.
learner_screen() {
  local folder=${screen_folder:-$root/build/$preset} program mine=
  program=$folder/bin/learner_screen
  if [[ ! -x $program || -n $(find "$root/common/screens" -newer "$program" -name '*.?pp' -print -quit 2>/dev/null) ]]; then
    if [[ -z ${build_lock:-} ]]; then lock_build "$preset" && mine=yes; fi
    run_quietly "$folder/screen.log" "Building" cmake --build "$folder" --target learner_screen || return 127
    touch "$program"  # headers may be newer than all that was made of them
    if [[ -n $mine ]]; then unlock_build; fi
  fi
  "$program" "$@"
}

# explain_failure PRESET LOG: the whole log; with `build_failure_log` = messages, what learner_screen says of it.
explain_failure() {
  local preset=$1
  if [[ ${build_failure_log:-whole} != messages ]] ||
    ! learner_screen build "$root" "$2" "$(screen_width)" "${verbose:-0}" "${more_messages:-}" ${exercise:+"$exercise" "$solution"} >&2; then
    cat "$2" >&2
    strong "The build failed; the whole log is above, and in ${2#"$root"/}."
  fi
  if [[ $1 == gpu ]]; then say "Everything also works without the GPU: --preset emulated"; fi
}

# build PRESET [TARGET...]: configures if that is needed, and builds; without a target, everything.
build() {
  local chosen=$1 folder=$root/build/$1 log=$root/build/$1/build.log arguments=()
  shift
  lock_build "$chosen"
  configure "$chosen" || return 1
  if (( $# )); then arguments=(--target "$@"); fi
  if ! run_quietly "$log" "Building" cmake --build "$folder" --parallel "$(build_jobs)" "${arguments[@]}"; then
    explain_failure "$chosen" "$log"
    return 1
  fi
  unlock_build
}

# start_builds PRESET TARGET...: configures if that is needed, and builds the targets one after the other while the
# caller goes on. next_build waits for the next of them; stop_builds ends what is still going on.
start_builds() {
  local folder=$root/build/$1 target status
  builds_preset=$1
  shift
  lock_build "$builds_preset"
  configure "$builds_preset" || return 1
  : >"$folder/build.log"
  : >"$folder/built"
  exec {builds_lines}<"$folder/build.log" {builds_ended}<"$folder/built"
  set -m  # in a process group of its own, which can be ended as a whole
  {
    for target in "$@"; do
      cmake --build "$folder" --parallel "$(build_jobs)" --target "$target"
      status=$?
      echo "$status" >>"$folder/built"
      (( status == 0 )) || break
    done
  } </dev/null >>"$folder/build.log" 2>&1 &
  builder=$!
  set +m
}

# Waits for the next target of start_builds, with progress. Says what went wrong where it cannot be built.
next_build() {
  local log=$root/build/$builds_preset/build.log line status='' alive
  begin_progress "Building"
  while true; do
    alive=0
    if kill -0 "$builder" 2>/dev/null; then alive=1; fi
    read -r status <&"$builds_ended" && break
    (( alive )) || break
    while IFS= read -r line <&"$builds_lines"; do show_progress "$line"; done
    tick_progress
    sleep 0.1
  done
  end_progress
  [[ $status == 0 ]] && return
  explain_failure "$builds_preset" "$log"
  return 1
}

stop_builds() {
  [[ -n ${builder:-} ]] || return 0
  kill -- "-$builder" 2>/dev/null
  wait "$builder" 2>/dev/null
  builder=
}
