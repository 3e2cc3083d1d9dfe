# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# In a clone that the user cannot write to, as a lab's shared folder, a command goes on in a copy that is the user's own.
# Wants `root` (the clone), and packages.sh read.

# Size, time and name of each file of the clone $1, without what commands make there.
files_of_clone() {
  (cd "$1" && find . '(' -path ./.git -o -path ./build -o -path ./exercise-backups ')' -prune -o -type f -printf '%s %Ts %p\n') | sort
}

# Brings the copy $1 to what the clone is now. What the user has changed or written there stays.
refresh_copy() {
  local list=$1/build/copied name
  files_of_clone "$root" >"$list.new"
  cmp -s "$list.new" "$list" && return
  touch "$list"
  files_of_clone "$1" | comm -13 <(sort -u "$list" "$list.new") - | cut -d' ' -f3- | sort >"$list.own"
  comm -13 "$list" "$list.new" | cut -d' ' -f3- | sort >"$list.changed"
  comm -23 <(cut -d' ' -f3- "$list" | sort) <(cut -d' ' -f3- "$list.new" | sort) | comm -23 - "$list.own" >"$list.gone"
  if [[ -s $list ]]; then
    while IFS= read -r name; do
      say "${name#./} has changed in the clone, but you have edited your copy of it, so your copy is kept."
    done < <(comm -12 "$list.changed" "$list.own")
  fi
  comm -23 "$list.changed" "$list.own" >"$list.todo"
  (cd "$1" && xargs -r -d '\n' dirname <"$list.todo" | sort -u | xargs -r -d '\n' mkdir -p) &&
    (cd "$root" && xargs -r -d '\n' cp --preserve=timestamps --parents -t "$1" <"$list.todo") &&
    (cd "$1" && xargs -r -d '\n' chmod u+w <"$list.todo" && xargs -r -d '\n' rm -f <"$list.gone") &&
    mv "$list.new" "$list"
}

# use_own_copy COMMAND ARGUMENT...: where the clone can be written to, nothing. Otherwise runs COMMAND, a path in the clone,
# in the user's copy instead, which is made first, and does not return.
use_own_copy() {
  local command=$1 copy here=$PWD inside word words=()
  shift
  case ${1:-} in -h | --help | help | doctor) return ;; esac
  if [[ -w $root ]]; then
    [[ ! -e $root/build || -w $root/build ]] && return
    refuse "$root/build belongs to another user, and you cannot write to it: remove it, or make it yours with chown -R."
  fi
  copy=${XDG_DATA_HOME:-${HOME:-}/.local/share}/from-convolution-to-compression/${root##*/}-$(cksum <<<"$root" | cut -d' ' -f1)
  mkdir -p "$copy/build" 2>/dev/null
  [[ -w $copy && -w $copy/build ]] ||
    refuse "You can write neither to this clone nor to $copy: set XDG_DATA_HOME to a folder of your own."
  exec {copy_lock}>"$copy/build/copied.lock"
  if have_command flock; then flock "$copy_lock"; fi
  refresh_copy "$copy" || refuse "You can't write to this clone, and its copy in $copy could not be made."
  exec {copy_lock}>&-
  say "You can't write to this clone. Your own copy is in $copy: edit the files there."

  # What the arguments name is found from there, too.
  inside=$(pwd -P)/
  if [[ $inside == "$root"/* ]]; then cd "$copy/${inside#"$root"/}" 2>/dev/null || cd "$copy" || exit 1; fi
  for word; do
    if [[ $word == "$root"/* ]]; then word=$copy/${word#"$root"/}
    elif [[ $word != /* && -e $here/$word && ! -e $word ]]; then word=$here/$word; fi
    words+=("$word")
  done
  exec "$copy/$command" "${words[@]}"
}
