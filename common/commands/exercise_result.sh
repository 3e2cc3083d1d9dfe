# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Reads what a run of an exercise has written (tests/exercises/exercise_result.md).

# read_result FILE: sets
#   cases, ended_cases    how many test cases were to run, and how many ended
#   case_name, given      of the case that ran last: its name, and what the answer was given last
#   failed_cases          the names of those that failed, in order
#   sentence              of the first failed check; empty if none failed
#   sentence_case, sentence_place    the case that it is of, and file:line of the check
#   findings, finding_launch         what the emulated device found, each as in the terminal; the launch's number
#   facts                 of the first finding, by their names; of several of one name the first
#   long_kernel           the first line of what it said of a kernel that takes long
#   launch, launch_kernel, launch_place, launch_view, launch_options    of the launch that shows the first failure
#   crashed               the signal that ended the program; empty if none did
#   crash_places          file:line of the functions in which it was then, the innermost first
#   uncounted             checks that were left out, because the device does not count
#   all_ran               "yes" where every case ended by itself
# Everything is empty or 0 where nothing is known.
read_result() {
  local kind a b c d e f
  cases=0 ended_cases=0 case_name='' given='' sentence='' sentence_case='' sentence_place='' finding_launch=0
  launch='' launch_kernel='' launch_place='' launch_view='' launch_options='' crashed='' uncounted=0 all_ran=''
  crash_places='' long_kernel='' failed_cases=() findings=()
  declare -gA facts=()
  [[ -r $1 ]] || return 0
  while IFS=$'\037' read -r kind a b c d e f; do
    case $kind in
      cases) cases=$a ;;
      case)
        printf -v case_name '%b' "$b"
        given='' ;;
      given) printf -v given '%b' "$a" ;;
      failed)
        [[ -n $sentence ]] && continue
        printf -v sentence '%b' "$d"
        sentence_case=$case_name
        sentence_place=$b:$c ;;
      launch)
        launch=$a
        launch_kernel=$b
        printf -v launch_place '%b' "$c"
        launch_view=$d
        launch_options=$e ;;
      finding)
        finding_launch=$a
        printf -v b '%b' "$b"
        findings+=("$b") ;;
      fact) (( ${#findings[@]} > 1 )) || [[ -n ${facts[$a]:-} ]] || printf -v "facts[$a]" '%b' "$b" ;;
      note) [[ $a != long_kernel || -n $long_kernel ]] || printf -v long_kernel '%b' "${c%%\\n*}" ;;
      crashed)
        crashed=$b
        [[ -n $c ]] && printf -v given '%b' "$c" ;;
      places) printf -v crash_places '%b' "$a" ;;
      end)
        ended_cases=$(( ended_cases + 1 ))
        [[ $b == passed ]] || failed_cases+=("$case_name") ;;
      uncounted) uncounted=$a ;;
      done) all_ran=yes ;;
    esac
  done < <(tr '\t' '\037' <"$1")
}
