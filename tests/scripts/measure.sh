#!/usr/bin/env bash
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# docs/record/measure, with stand-ins for driver, toolkit, build, profiler and chapters.
source "$(dirname "${BASH_SOURCE[0]}")/tree.sh"
make_tree
mkdir -p "$tree/docs/record/parts" "$tree/build/gpu/bin"
cp "$repository/docs/record/measure" "$tree/docs/record/"
cp "$repository"/docs/record/parts/{profiles,second_run,records}.py "$tree/docs/record/parts/"
shim cmake "echo \"CMAKE_CUDA_COMPILER:FILEPATH=$shims/nvcc\" >'$tree/build/gpu/CMakeCache.txt'; exit \${FAKE_CMAKE_STATUS:-0}"
shim nvcc "echo 'Cuda compilation tools, release 13.0, V13.0.1'"
shim nvidia-smi "case \$* in *name*) echo 'GPU of a test' ;; *) echo 580.1 ;; esac"
shim ncu "echo ERR_NVGPUCTRPERM; exit 1"
# Also where CuPy is: the tables of peers are not what is tested here.
mkdir -p "$scratch/python"
echo 'raise ImportError' >"$scratch/python/cupy.py"
export PYTHONPATH=$scratch/python

# chapter NAME HELP: writes what it is asked to write, and where it is.
chapter() {
  mkdir -p "$tree/chapters/$1"
  cat >"$tree/build/gpu/bin/$1" <<END
#!/usr/bin/env bash
if [ "\$1" = --help ]; then echo '$2'; exit; fi
echo "in $tree/chapters: \$*"
if [ "\$1" = --check ]; then exit \${FAKE_CHECK_STATUS:-0}; fi
while [ \$# -gt 0 ]; do
  case \$1 in --csv | --picture) printf '%b\n' "\${FAKE_TABLE:-\$1}" >"\$2"; shift ;; esac
  shift
done
exit \${FAKE_STATUS:-0}
END
  chmod +x "$tree/build/gpu/bin/$1"
}
chapter 00_first '--csv FILE'
chapter 06_register_tiling '--csv FILE  --long  --picture FILE.svg'
chapter 06_no_chapter ''
rmdir "$tree/chapters/06_no_chapter"

ends 0 "$tree/docs/record/measure" "$tree/record"
expect '== 00_first'
expect_no '06_no_chapter'
expect ': --check'
expect 'record/06_register_tiling.csv --long --picture'
expect 'the profile of 06_register_tiling is missing or not whole'
expect_no "in $tree/chapters"  # paths of this machine
for file in 00_first.csv 06_register_tiling.csv 06_register_tiling.svg record.json; do
  expect_true "$file should be in the record" test -s "$tree/record/$file"
done
expect_true "what a chapter printed is no part of the record" test ! -e "$tree/record/00_first.txt"
expect_true "what a chapter printed should be kept" test -s "$tree/build/record/record/00_first.txt"
expect_true "a chapter without a picture was asked for one" test ! -e "$tree/record/00_first.svg"
output=$(cat "$tree/record/record.json")
expect '"device": "GPU of a test"'
expect '"toolkit": "13.0"'

ends 2 "$tree/docs/record/measure" "$tree/record"
expect 'holds a record already'

# More of it, by chapters; never from two devices.
chapter 07_late '--csv FILE'
ends 0 "$tree/docs/record/measure" "$tree/record" 07
expect '== 07_late'
expect_no '== 00_first'
expect_no 'the profile of'
expect_true "the new table should be in the record" test -s "$tree/record/07_late.csv"
ends 2 "$tree/docs/record/measure" "$tree/record" seven
expect "'seven' is no chapter"
sed -i 's/GPU of a test/another GPU/' "$tree/record/record.json"
ends 2 "$tree/docs/record/measure" "$tree/record" 07
expect 'is the record of another device than this one, GPU of a test'
sed -i 's/another GPU/GPU of a test/' "$tree/record/record.json"
rm "$tree/build/gpu/bin/07_late" "$tree/record"/07_late.*

# Chapter 15 with all of several devices, in a record of its own.
shim nvidia-smi "case \$* in *-i\ 0*) echo 'GPU of a test' ;; *name*) printf 'GPU of a test\n%.0s' 1 2 3 4 ;; *) echo 580.1 ;; esac"
chapter 15_several '--csv FILE  --long  --picture FILE.svg'
ends 0 "$tree/docs/record/measure" "$tree/several" 15
expect '== 15_several'
output=$(cat "$tree/several/record.json")
expect '"device": "4 GPU of a test"'
expect '"command": "docs/record/measure docs/measurements/several 15"'
ends 2 "$tree/docs/record/measure" "$tree/several" 00
expect 'is the record of another device than this one, GPU of a test'
CUDA_VISIBLE_DEVICES=0,2 attempt "$tree/docs/record/measure" "$tree/two" 15
output=$(cat "$tree/two/record.json")
expect '"device": "2 GPU of a test"'
printf 'chapter,version,step_us\n15,flags,400\n' >"$tree/several/15_several.csv"
attempt "$tree/docs/record/measure" --again "$tree/several" 15
expect '== 15_several'
expect_true "a second table should be there" test -s "$tree/build/record/several/again/15_several.csv"
CUDA_VISIBLE_DEVICES=0 attempt "$tree/docs/record/measure" "$tree/one" 15
output=$(cat "$tree/one/record.json")
expect '"device": "GPU of a test"'
rm "$tree/build/gpu/bin/15_several"
shim nvidia-smi "case \$* in *name*) echo 'GPU of a test' ;; *) echo 580.1 ;; esac"

# A second run: its own tables beside the first, and how far they are apart.
ends 2 "$tree/docs/record/measure" --again "$tree/nothing"
expect 'holds no record yet'
printf 'chapter,label,median_ms\n00,first,2.0\n' >"$tree/record/00_first.csv"
ends 2 "$tree/docs/record/measure" --again "$tree/record"  # what the stand-ins write has no time
expect 'have no time in common'
expect_true "a second table should be there" test -s "$tree/build/record/record/again/00_first.csv"
expect_true "the first table should be as it was" grep -q '2.0' "$tree/record/00_first.csv"
expect_true "a second run needs no picture" test ! -e "$tree/build/record/record/again/06_register_tiling.svg"
FAKE_TABLE='chapter,label,median_ms\n00,first,3.0' ends 0 "$tree/docs/record/measure" --again "$tree/record"
expect '1 times compared'
expect_true "the summary should be in the record" grep -q '50.00' "$tree/record/spread_summary.csv"
expect_true "rows of which no page speaks stay outside" test ! -e "$tree/record/again"

FAKE_STATUS=1 ends 1 "$tree/docs/record/measure" "$tree/failing"
expect_true "what was measured until then should be kept" test -s "$tree/failing/06_register_tiling.csv"

FAKE_CHECK_STATUS=1 ends 1 "$tree/docs/record/measure" "$tree/wrong"
expect_true "nothing is measured of a chapter whose checks fail" test ! -e "$tree/wrong/00_first.csv"

FAKE_CMAKE_STATUS=1 ends 2 "$tree/docs/record/measure" "$tree/unbuilt"
expect_true "a record of nothing was left" test ! -e "$tree/unbuilt/record.json"

ends 0 "$repository/docs/record/measure" controls --help
expect 'usage: docs/record/measure controls'
ends 2 "$tree/docs/record/measure"
expect 'usage: docs/record/measure [-h] [--again] FOLDER'
finish
