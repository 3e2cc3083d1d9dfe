# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Checks an exercise whenever its file is saved, until the reader ends it.
# Wants what exercise_check.sh and exercise_list.sh want, and both read; find_exercise and hint of
# chapters/exercise, too.
#
# The check runs in the background, in a process group of its own, so that a save or a key can end it, whatever it does.
# Files are looked at a few times a second: that works on any file system, and whichever way an editor saves.

# watch_exercises [CHAPTER]
watch_exercises() {
  local scope='' terminal job='' outcome='' seen settling='' looks=0 turn=0 place status watched
  if [[ ! -t 0 || ! -t 1 ]]; then
    refuse "chapters/exercise watch needs a terminal for its keys: chapters/exercise check CHAPTER N works without one."
  fi
  if [[ -n ${1:-} ]]; then
    find_exercise "$1" 1
    scope=$number
  fi
  mapfile -t watched < <(each_exercise "$scope" exercise_of)
  (( ${#watched[@]} )) || refuse "There are no exercises."
  if ! place=$(states "$scope" | next_unsolved); then
    if [[ -n $scope ]]; then tell_progress "$scope"; else echo "You have solved all exercises."; fi
    echo "To check one that is solved again: chapters/exercise check CHAPTER N"
    return
  fi
  prepare "$asked_preset" "$yes"

  terminal=$(stty -g)
  trap 'end_watch' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  trap 'stty -echo -icanon' CONT  # after Ctrl-Z and fg the terminal is as the shell had it
  stty -echo -icanon
  exec {nothing}<> <(:)  # from which nothing ever comes
  go_to "$place"
  while true; do
    read_key
    status=$?
    if [[ -n $job ]] && ! kill -0 "$job" 2>/dev/null; then finish_check; fi
    if (( status == 0 )); then
      stop_check
      act_on_key
    elif (( status == 1 )); then
      exit 129  # the terminal is gone
    fi
    if (( ++turn % 3 == 0 )); then look_at_files; fi
  done
}

# shellcheck disable=SC2317  # each_exercise calls it
exercise_of() { echo "$exercise"; }

end_watch() {
  trap '' INT TERM HUP
  stop_check
  stty "$terminal" 2>/dev/null
}

# Sets `key`. Status 0: a key, 1: there will be no more, 2: none for now. A key that comes just when a read with a timeout
# ends would be lost: so nothing is read that is not there.
read_key() {
  local rest
  read -r -t 0.1 -u "$nothing"
  read -r -t 0 || return 2
  IFS= read -r -s -n 1 key || return 1
  # Arrows and the like send more than one character.
  if [[ $key == $'\e' ]]; then
    read -r -t 0.02 -u "$nothing"
    while read -r -t 0; do IFS= read -r -s -n 1 rest || break; done
  fi
  return 0
}

act_on_key() {
  case $key in
    h) (hint "$number" "$n") ;;
    n) go_on ;;
    '') if [[ $outcome == solved ]]; then go_on; fi ;;
    l) list "$scope" ;;
    c) start_check ;;
    q | $'\x04') exit 0 ;;
    *) [[ $outcome == stopped ]] || return 0 ;;
  esac
  if [[ -z $job ]]; then show_keys; fi
}

# To the next exercise that is not solved; one that was left out before comes first only once this one is solved.
go_on() {
  local forward=forward
  if [[ $outcome == solved ]]; then forward=; fi
  if place=$(states "$scope" | next_unsolved "$number $n" "$forward") && [[ $place != "$number $n" ]]; then
    go_to "$place"
  elif [[ -n $place ]]; then
    say "This is the only exercise left${scope:+ in chapter $scope}."
  elif [[ -n $scope ]]; then
    say "You have solved all exercises of chapter $scope. chapters/exercise watch goes on with the other chapters."
  else
    say "You have solved all exercises."
  fi
}

# To exercise $1, "NN n".
go_to() {
  find_exercise "${1% *}" "${1#* }"
  seen=$(snapshot)
  settling=$seen
  start_check
}

# All files that are watched: lines with the name of each, which change when the file is saved.
snapshot() {
  local each
  for each in "${watched[@]}"; do
    [[ -s $each ]] || echo "$each is not there"
  done
  stat -c '%n %y %i %s' "${watched[@]}" 2>/dev/null
  cksum "${watched[@]}" 2>/dev/null
}

# Has a file been saved? An editor may take it away for a moment, or write it bit by bit: only what stays counts.
look_at_files() {
  local now each first
  now=$(snapshot)
  if [[ $now != "$settling" ]]; then
    settling=$now
    looks=0
    return
  fi
  [[ $now != "$seen" ]] || return 0
  # One that is gone, or empty, gets more time to come back.
  looks=$(( looks + 1 ))
  if [[ $now == *" is not there"* ]] && (( looks < 6 )); then return; fi
  for each in "$exercise" "${watched[@]}"; do
    if [[ $(grep -F "$each" <<<"$now") != "$(grep -F "$each" <<<"$seen")" ]]; then
      first=$(exercise_of_path "${each#"$root"/chapters/}")
      break
    fi
  done
  stop_check
  go_to "$first"
}

# Checks the exercise in the background; what it prints is all that the screen shows.
start_check() {
  if [[ ${TERM:-dumb} != dumb ]]; then printf '\033[H\033[2J'; else echo; fi
  outcome=
  set -m
  (
    trap - INT TERM HUP EXIT
    check_ends_by="save a file or press a key to stop it"
    check_one
  ) </dev/null &
  job=$!
  set +m
}

finish_check() {
  outcome=failed
  if wait "$job"; then
    outcome=solved
    tell_progress "$number"
  fi
  job=
  show_keys
}

# Ends the check that runs, if one does, with all that it has started.
stop_check() {
  local i
  [[ -n $job ]] || return 0
  {
    kill -TERM -- "-$job"
    wait "$job"
    for (( i = 0; i < 100; ++i )); do
      group_runs "$job" || break
      read -r -t 0.05 -u "$nothing"
    done
    kill -KILL -- "-$job"
  } 2>/dev/null
  job=
  outcome=stopped
  printf '\r\033[K'
}

# Does a process of group $1 still run? Those that have ended and wait to be reaped do not.
group_runs() {
  local file line state group _
  kill -0 -- "-$1" 2>/dev/null || return 1
  [[ -e /proc/self/stat ]] || return 0
  for file in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$file" || continue
    read -r state _ group _ <<<"${line##*) }"
    if [[ $group == "$1" && $state != Z ]]; then return 0; fi
  done
  return 1
}

# What can be done now.
show_keys() {
  local file=${exercise#"$root"/} next="n next"
  echo
  case $outcome in
    solved)
      next="n or Enter: next"
      if ! states "$scope" | next_unsolved >/dev/null; then
        next=
        if [[ -n $scope ]]; then say "Chapter $scope is solved. To go on with the other chapters: chapters/exercise watch"; fi
      fi ;;
    stopped) echo "The check was stopped. Save $file to check it again." ;;
    *) echo "Save $file to check it again." ;;
  esac
  printf 'Keys:  %sh hint   l list   c check again   q quit\n' "${next:+$next   }"
}
