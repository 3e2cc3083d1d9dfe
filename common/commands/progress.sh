# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What long work is at, on standard error: on a terminal in one line that is drawn again, at least each second, and
# wiped in the end; elsewhere in a line of its own, after 10 seconds without one. TUTORIAL_PROGRESS=SECONDS says after
# how many, and 0 that there is to be none. Wants packages.sh read.

progress_seconds=${TUTORIAL_PROGRESS:-10}
[[ $progress_seconds =~ ^[0-9]+$ ]] || progress_seconds=10

progress_ended=$SECONDS

terminal_width() { echo "${COLUMNS:-$(tput cols 2>/dev/null || echo 80)}"; }

# begin_progress LABEL: work begins. Then show_progress with each line that it prints, tick_progress about once a second
# while it prints nothing, and end_progress.
begin_progress() {
  progress_label=$1
  progress_step=
  progress_what=
  progress_begin=$SECONDS
  progress_drawn=$SECONDS
  progress_shown=
  progress_width=0
  if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then progress_width=$(( $(terminal_width) - 1 )); fi
  # Of many short works, each would be over before it has said anything.
  if (( progress_width && SECONDS - progress_ended >= 2 )); then draw_progress; fi
}

# Sets `step` and `what` to the progress that a line of output tells of; status 1 if it tells of none.
# "[3/40] Building x/y.o" (ninja), "[ 7%] Building x/y.o" (make), " 3/40 Test #12: name ..." (ctest), and our own.
read_progress() {
  case $1 in
    *Re-checking* | *"Built target"*) return 1 ;;  # said even where there is nothing to do
    *"Re-running CMake"*)
      step=
      what="configuring" ;;
    "["*"]"* | *" ["*/*"]")
      step=${1#*[}
      step=${step%%]*}
      what=${1#*]}
      what=${what##*[/ ]}
      what=${what%.o}
      what=${what%_cxx.cxx} ;;  # CMake's name for a source that it compiles with others
    *"/"*" Test "*"#"*": "*)
      step=${1%% Test *}
      what=${1#*: }
      what=${what%% *} ;;
    *) return 1 ;;
  esac
  step=${step// /}
  step=${step/\// of }
}

show_progress() {
  local step what
  if read_progress "$1"; then
    progress_step=$step
    progress_what=${step:+last: }$what  # a build names what is done, not what is at work
    if (( progress_width )); then draw_progress; fi
  fi
  tick_progress
}

tick_progress() {
  (( SECONDS > progress_drawn )) || return 0
  if (( progress_width )); then
    draw_progress
  elif (( progress_seconds && SECONDS - progress_drawn >= progress_seconds )); then
    say "$progress_label${progress_step:+: $progress_step}${progress_what:+, $progress_what}, $(( SECONDS - progress_begin )) s"
    progress_drawn=$SECONDS
  fi
}

# The cursor goes back to the beginning: what is printed next stands there alone, and not behind this.
draw_progress() {
  local text="$progress_label${progress_step:+: $progress_step}${progress_what:+, $progress_what}"
  text+=", $(( SECONDS - progress_begin )) s"
  printf '\r\033[K%s\r' "${text:0:progress_width}" >&2
  progress_drawn=$SECONDS
  progress_shown=1
}

end_progress() {
  if [[ -n $progress_shown ]]; then
    printf '\r\033[K' >&2
    progress_ended=$SECONDS
  fi
  progress_shown=
}

# run_quietly LOG LABEL COMMAND...: the output goes to LOG, progress is shown. Returns the command's status.
run_quietly() {
  local log=$1 label=$2 line rest='' before status
  shift 2
  mkdir -p "$(dirname "$log")"
  : >"$log"
  "$@" </dev/null 2>&1 | {
    begin_progress "$label"
    while true; do
      if IFS= read -r -t 1 line; then
        printf '%s\n' "$rest$line" >>"$log"
        before=$progress_step
        show_progress "$rest$line"
        # Where it cannot be watched, the log is named, unless there is nothing to do.
        if [[ -z $before && -n $progress_step ]] && (( ! progress_width && progress_seconds )); then
          say "$label (log: ${log#"$root"/})"
        fi
        rest=
      else
        status=$?
        rest+=$line
        (( status > 128 )) || break
        tick_progress
      fi
    done
    if [[ -n $rest ]]; then printf '%s\n' "$rest" >>"$log"; fi
    end_progress
  }
  return "${PIPESTATUS[0]}"
}

# with_progress LABEL COMMAND...: for a command that is silent, or prints little.
with_progress() {
  local label=$1 owner=$BASHPID begin=$SECONDS ticker status
  shift
  begin_progress "$label"  # here, since it asks a program how wide the terminal is: the ticker may be ended any time
  {
    exec {never}<> <(:)  # from which nothing ever comes
    while kill -0 "$owner"; do
      read -r -t 1 -u "$never"
      tick_progress
    done
  } </dev/null >/dev/null &
  ticker=$!
  "$@"
  status=$?
  # KILL: a shell that has only just been forked answers TERM with its caller's EXIT trap, which tidies up.
  { kill -KILL "$ticker" && wait "$ticker"; } 2>/dev/null
  if [[ -t 2 && ${TERM:-dumb} != dumb ]] && (( SECONDS > begin || begin - progress_ended >= 2 )); then
    printf '\r\033[K' >&2
    progress_ended=$SECONDS
  fi
  progress_shown=
  return "$status"
}
