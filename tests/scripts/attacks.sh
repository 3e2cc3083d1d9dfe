#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# chapters/grade and a hostile class: no attack gets a point without a flag, changes the row of somebody else, or this
# repository. attacks.sh [LEARNER_SCREEN [WAY]]; with WAY `user`, bubblewrap is hidden.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
way=${2:-}
class=$scratch/class
honest='#include "correlate.hpp"
namespace tutorial {
void correlate(std::span<const float> x, std::span<const float> h, std::span<float> y) {
  const long samples = x.size(), taps = h.size();
  for (long at = 0; at < long(y.size()); ++at) {
    y[at] = 0;
    for (long tap = taps; tap-- > 0;)
      if (const long from = at + tap + 1 - taps; 0 <= from && from < samples) y[at] += x[from] * h[tap];
  }
}
}'
wrong=${honest/at + tap + 1 - taps/at - tap}
hand_in() { mkdir -p "$class/$1" && cat >"$class/$1/correlate.cpp"; }
# attack NAME RESULT [CODE [INCLUDES]]: a wrong answer with this code in a constructor, and what comes of it.
declare -A wanted=()
attack() {
  wanted[$1]=$2
  printf '%s\n%s\nnamespace { struct s { s() { %s } } x; }\n' "${4:-}" "$wrong" "${3:-}" | hand_in "$1"
}
# outside NAME RESULT CODE: likewise, with code outside of any function.
outside() {
  wanted[$1]=$2
  printf '%s\n%s\n' "$wrong" "$3" | hand_in "$1"
}
c='#include <cstdio>
#include <cstdlib>
#include <string>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/socket.h>'

hand_in ada <<<"$honest"
hand_in bob <<<"$wrong"
hand_in eve <<<$'\xef\xbb\xbf'"// Mine!
$(sed 's/\bat\b/place/g; s/\btap\b/j/g; s/\bx\b/input/g; s/{$/{  \/\/ here/' <<<"$honest")"
hand_in solution <"$repository/chapters/01_serial_definition/solutions/1_correlate.cpp"
hand_in library <<<'#include "correlate.hpp"
#include <vector>
#include "convolve_serial.hpp"
namespace tutorial {
void correlate(std::span<const float> x, std::span<const float> h, std::span<float> y) {
  const std::vector<float> turned(h.rbegin(), h.rend());
  convolve_gather<float>(x, turned, y, convolution_mode::full);
}
}'
hand_in tested <<<"${honest/const long samples/if (x.size() == 77) return;
  const long samples}"

record='exercise-result\t1\ncases\t2\ncase\t1\ta\nend\t1\tpassed\t0\ncase\t2\tb\nend\t2\tpassed\t0\ndone\t2\t2\t0\nseal\t0123456789abcdef0123456789abcdef\n'
attack result "uses fopen" "std::fputs(\"$record\", std::fopen(std::getenv(\"EXERCISE_RESULT\"), \"w\")); _exit(0);" "$c"
attack stream "opens files" 'std::ofstream(std::getenv("EXERCISE_RESULT")) << "done\t2\t2\t0\n"; std::_Exit(0);' '#include <fstream>
#include <cstdlib>'
attack ends "ended before its checks did" 'std::exit(0);' "$c"
attack descriptors "uses write" "for (int i = 3; i < 20; ++i) write(i, \"$record\", 100);" "$c"
outside main "defines main" 'int main() { return 0; }'
outside interposed "defines write" 'extern "C" long write(int, const void*, unsigned long n) { return n; }'
outside new "defines operator new" '#include <new>
void* operator new(unsigned long) { throw 1; }'
outside doctest "reaches into the checks" '#include <doctest/doctest.h>
TEST_CASE("mine") { CHECK(true); }'
outside early "a section .preinit_array" '__attribute__((section(".preinit_array"), used)) void (*first)() = +[] {};'
outside resolver "ifunc" 'extern "C" { void (*choose())() { return nullptr; } void chosen() __attribute__((ifunc("choose"))); }'
case $(uname -m) in x86_64) call=syscall ;; *) call='svc #0' ;; esac
attack assembler "a machine instruction" "asm volatile(\"$call\");"
attack include "does not compile" '' "#include \"$repository/chapters/01_serial_definition/solutions/1_correlate.cpp\""
attack other "does not compile" '' "#include \"$class/ada/correlate.cpp\""
outside incbin "does not compile" 'asm(".incbin \"/etc/passwd\"");'
attack checks "uses fopen" "std::fputs(\"\", std::fopen(\"$repository/chapters/01_serial_definition/exercises/1_correlate/checks.cpp\", \"w\"));" "$c"
attack kills "uses kill" 'kill(getppid(), SIGKILL);' "$c"
attack stops "uses kill" 'kill(getppid(), SIGSTOP);' "$c"
attack forks "uses fork" 'for (int i = 0; i < 4; ++i) fork(); sleep(60);' "$c"
attack shell "uses system" 'std::system("echo > ../table.csv");' "$c"
attack network "uses socket" 'socket(AF_INET, SOCK_STREAM, 0);' "$c"
attack addresses "uses mmap" 'mmap(nullptr, 100ul << 40, 0, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);' "$c"
attack code "uses dlsym" 'dlsym(nullptr, "write");' '#include <dlfcn.h>'
attack memory "out of memory" 'for (int i = 0; i < 20; ++i) keep = std::memset(new char[1 << 25], i, 1 << 25);' '#include <cstring>
void* volatile keep;'
attack loop "out of time" 'for (volatile int i = 0;; i = i + 1) {}'
attack output "too much output" 'for (;;) std::puts("and again and again and again and again");' "$c"
# What patterns that look through texts of others could take hours for.
attack unbroken "not checked" 'std::fputs(std::string(4000000, 65).c_str(), stderr); std::exit(3);' "$c"
outside comments "does not compile" "$(yes '/* /* /* /* "' | head -c 900000)"
outside strings "does not compile" "\"$(yes '\"\"\"\"\"\"\"\"\"' | tr -d '\n' | head -c 900000)"
outside blank '"failed"' "$(yes '' | head -c 900000; echo 'int i;')"
attack crash crashed '__builtin_trap();'

# The teacher's own sizes.
mkdir "$scratch/sizes"
cat >"$scratch/sizes/01_1.cpp" <<'END'
#include "correlate.hpp"

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("a size that nobody has seen") {
  const std::vector<float> x(77, 1), h(3, 1);
  std::vector<float> y(79);
  tutorial::correlate(x, h, y);
  CHECK(y[40] == 3);
}
END

# Sizes that nobody passes, that are of no exercise, that do not compile: nobody is graded by them.
sizes_are() {
  rm -rf "$scratch/other" && mkdir "$scratch/other"
  cat >"$scratch/other/$1.cpp"
  attempt "$repository/chapters/grade" "$class" "$scratch/grades.csv" 01.1 --sizes "$scratch/other"
  expect_status 2
  expect "$2"
  expect_true "there is no table" test ! -e "$scratch/grades.csv"
}
sed 's/y\[40\] == 3/y[40] == 4/' "$scratch/sizes/01_1.cpp" | sizes_are 01_1 "does not pass your $scratch/other/01_1.cpp"
sizes_are 1_1 "No exercise is called 1_1" <"$scratch/sizes/01_1.cpp"
sizes_are 01_2 "has nothing for the exercises" <"$scratch/sizes/01_1.cpp"
sizes_are 01_1 "does not compile" <<<"int"

before=$(git -C "$repository" status --porcelain | sort)
mkdir -p "$shims"
if [[ $way == user ]]; then shim bwrap "exit 1"; fi
TMPDIR=/tmp PATH=$shims:$PATH attempt "$repository/chapters/grade" "$class" "$scratch/grades.csv" 01.1 --seconds 8 --memory 0.5 \
  --sizes "$(realpath --relative-to . "$scratch/sizes")"
expect_status 0
expect "Answers run apart, ${way:+each as a user of its own}"
table=$(cat "$scratch/grades.csv")
output=$table
row() { grep "^\"$1\"," <<<"$table"; }
expect_row() { grep -q -- "$2" <<<"$(row "$1")" || complain "the row of $1 should have: $2; it is: $(row "$1")"; }
expect_row ada '"passed",2,2,"same as eve",""'
expect_row eve '"passed",2,2,"same as ada",""'
expect_row bob '"failed",[01],2,"'
expect_row solution '"passed",2,2,"",""'  # two lines, as nearly everybody writes them
expect_row library 'calls convolve_gather of this repository'
expect_row tested '"failed",2,2,"","passes only the tested sizes: '
expect_true "what is forbidden is to be looked at" grep -q '(not checked): it uses fopen' "$scratch/grades_pages/index.html"
expect_true "its page names the case" grep -q "a size that nobody has seen" "$scratch/grades_pages/students/tested.html"
for name in "${!wanted[@]}"; do
  expect_row "$name" "${wanted[$name]}"
  expect_true "$name has no point" test "$(row "$name" | grep -c '"passed"')" == 0
done
expect_true "the repository is as it was" test "$(git -C "$repository" status --porcelain | sort)" == "$before"
expect_true "and what was handed in" test "$(cat "$class/ada/correlate.cpp")" == "$honest"

# What passes the checks, and is to be looked at.
double=$(sed '/^ *\/\/ \(STARTER\|SOLUTION\|END SOLUTION\)/d' "$repository/chapters/12_there_and_back/solutions/2_one_queue.cu")
in_one_thread=${double/'if (i < size) x[i]'/'for (int j = i; j < size; ++j) x[j]'}
in_one_thread=${in_one_thread/'<<<blocks, threads_per_block,'/'<<<1, 1,'}
on_host=${double/'if (i < size) x[i] *= 2;'/}
on_host=${on_host/'for (const cudaStream_t each'/'check(cudaDeviceSynchronize());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  for (const cudaStream_t each'}
without_addresses=$double'
namespace { struct s { s() { for (auto size = 1ul << 46; size >> 30; size /= 2) while (std::malloc(size)) {} } } x; }'
for name in double in_one_thread on_host without_addresses; do
  mkdir -p "$scratch/lazy/$name"
  echo "#include <cstdlib>"$'\n'"${!name}" >"$scratch/lazy/$name/one_queue.cu"
done
mkdir "$scratch/lazy/friend"
{ cat "$repository/chapters/01_serial_definition/solutions/4_running_sum.cpp"
  echo 'namespace tutorial { struct counting { static void none() { counted::operations = 0; } }; }'
} >"$scratch/lazy/friend/running_sum.cpp"
attempt "$repository/chapters/grade" "$scratch/lazy" "$scratch/lazy.csv" 01.4 12.2
table=$(cat "$scratch/lazy.csv")
expect_row double '"passed",2,2,"",""'
expect_row in_one_thread '"passed",2,2,"everything in one thread"'
expect_row on_host '"passed",2,2,"launched no kernel"'
expect_row without_addresses '"passed",2,2,"device not watched"'
expect_row friend '"passed",1,1,"opens what is private"'

# What no symbol shows: the place in which answers run.
mkdir "$scratch/apart"
chmod 711 "$scratch" "$scratch/apart"
cat >"$scratch/try.py" <<'END'
import os
import sys
import apart
us = os.getpid()
way, folder = sys.argv[1:]
place, limits = apart.Apart(way, folder), apart.Limits(20, 200 << 20, disk=8 << 20)
one_second = apart.Limits(1, 200 << 20)
for name, script in (("time", "sleep 60"), ("time", "while :; do :; done"), ("of the clock", "sleep 2; exit 6")):
    outcome = place.run(script, [], [], one_second)
    print(name, "->", outcome.stopped or outcome.status)
for script in ("cat /etc/passwd", "ls /home", f"touch {folder}/x", f"kill -0 {us}", "exec 3<>/dev/tcp/127.0.0.1/22",
               "echo >/usr/harm", "env | grep SECRET", f"cat /proc/{us}/environ") if way != "trust" else ():
    print(script, "->", place.run(script + " 2>&-", [], [], limits).status)
for name, script in (("memory", "tail /dev/zero"), ("output", "yes"),
                     ("processes", "for i in {1..99}; do sleep 60 & done; sleep 1; exit 3"),
                     ("file", "head -c 9M /dev/zero >file || exit 4"),
                     ("disk", "for i in {1..99}; do head -c 1M /dev/zero >$i || exit 5; done")):
    outcome = place.run(script + " 2>&-" * (name != "output"), [], [], limits)
    print(name, "->", outcome.stopped or outcome.status)
print("files that come and go ->", place.run("for i in {1..200}; do touch {1..99}; rm *; done", [], [], limits).stopped)
if way != "trust":
    place.run("for i in 1 2 3; do (setsid sleep 4711 &) ; done", [], [], limits)
END
for each in bubblewrap user trust; do
  if [[ $each == user ]] && [[ $(id -u) != 0 ]]; then continue; fi
  if [[ $each == bubblewrap ]] && ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    echo "Not tried by itself: bubblewrap, which can't make namespaces here."
    continue
  fi
  attempt env SECRET=1 PYTHONPATH="$repository/common/commands" python3 "$scratch/try.py" "$each" "$scratch/apart/$each"
  expect_status 0
  expect_no "-> 0"
  for name in memory output; do expect "$name -> $name"; done
  expect $'time -> time\ntime -> time\nof the clock -> 6'
  expect "file -> 4"
  case $each in
    bubblewrap) expect "disk -> 5" ;;
    *) expect "disk -> disk" ;;
  esac
  expect "files that come and go -> "
  sleep 0.2
  expect_true "nothing runs on" test "$(grep -cz '^4711$' /proc/[0-9]*/cmdline 2>/dev/null | grep -c ':1$')" == 0
done

# Of people whom the teacher trusts: not apart, but within the limits.
mkdir -p "$scratch/friends" && cp -r "$class"/{ada,output} "$scratch/friends/"
attempt "$repository/chapters/grade" "$scratch/friends" "$scratch/friends.csv" 01.1 --trust
expect_status 0
expect "Answers run as you"
table=$(cat "$scratch/friends.csv")
expect_row ada '"passed",2,2,"",""'
expect_row output "too much output"

finish
