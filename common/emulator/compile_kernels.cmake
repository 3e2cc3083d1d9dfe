# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# One .cu file to one object for the emulated device (called by emulator_add_kernels, see CMakeLists.txt):
#   cmake -D SOURCE=... -D OBJECT=... ... -P compile_kernels.cmake -- [-I... -D...]

# What follows "--" goes to the preprocessor.
set(forwarded "")
set(past_dashes FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(past_dashes)
    list(APPEND forwarded "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(past_dashes TRUE)
  endif()
endforeach()

# One fixed set of flags: at other levels loads are merged, split or multiplied, and counts would differ.
# Functions are inlined as freely as nvcc does: what g++ passes to a function by value, or gets from it, it
# does not report.
set(flags -std=c++20 -O1 -g -fno-omit-frame-pointer -fPIC -fsanitize=thread -fsanitize-coverage=trace-pc
  -fno-builtin-printf -fno-builtin-vprintf -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset)
if(COMPILER_ID MATCHES "Clang")
  list(APPEND flags -fno-vectorize -fno-slp-vectorize -Wno-unused-command-line-argument -Wno-pass-failed
    "SHELL:-mllvm -tsan-instrument-read-before-write=1" "SHELL:-mllvm -tsan-instrument-func-entry-exit=0"
    "SHELL:-mllvm -simplifycfg-sink-common=false" -fno-delete-null-pointer-checks)
  list(TRANSFORM flags REPLACE "^SHELL:-mllvm (.*)" "-mllvm;\\1")
else()
  list(APPEND flags -finline-functions -finline-small-functions -findirect-inlining -finline-limit=10000
    -fno-reorder-blocks -fno-thread-jumps -fno-tree-sra -fno-tree-pre -fno-tree-vectorize -fno-gnu-unique
    -minline-all-stringops --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1)
endif()
set(warnings -Wall -Wno-deprecated-copy -Wno-unused-local-typedefs -Wno-unknown-pragmas)
if(STRICT)
  list(APPEND warnings -Wextra -Werror)
endif()

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    file(REMOVE ${OBJECT})
    message(FATAL_ERROR "${what} failed: ${SOURCE}")
  endif()
endfunction()

cmake_path(GET OBJECT PARENT_PATH folder)
file(MAKE_DIRECTORY ${folder})

run("Preprocessing" ${COMPILER} -x c++ -E -std=c++20 -D__CUDACC__ -D__NVCC__ -DEMULATED_CUDA
  -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP
  -isystem ${EMULATOR}/include -include cuda_runtime.h ${forwarded}
  -MD -MF ${OBJECT}.d -MT ${OBJECT} ${SOURCE} -o ${OBJECT}.cuda.ii)
run("Translating" ${TRANSLATOR} ${OBJECT}.cuda.ii -o ${OBJECT}.ii)
run("Compiling" ${COMPILER} ${flags} ${warnings} -x c++-cpp-output -c ${OBJECT}.ii -o ${OBJECT}.whole.o)

# Functions that this object shares with others (inline ones, templates instantiated by use) become its own:
# the linker keeps one copy of each, and a kernel file must neither get one that is not instrumented nor
# lend out one that is. Explicit instantiations stay: the translator has marked them as protected. Groups go
# first, or the linker would drop such functions together with the group.
run("Linking" ${LD} -r --force-group-allocation ${OBJECT}.whole.o -o ${OBJECT}.flat.o)
execute_process(COMMAND ${READELF} --syms --wide ${OBJECT}.flat.o
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "FUNC +WEAK +(DEFAULT|HIDDEN) +[0-9]+ [^\n]+" weak "${symbols}")
list(TRANSFORM weak REPLACE ".* " "")
list(JOIN weak "\n" weak)
file(WRITE ${OBJECT}.weak "${weak}\n")
run("Separating" ${OBJCOPY} --localize-symbols=${OBJECT}.weak
  --redefine-sym printf=cuda_emulator_printf --redefine-sym vprintf=cuda_emulator_vprintf
  --redefine-sym clock=cuda_emulator_clock
  --redefine-sym __assert_fail=cuda_emulator_assert_fail --redefine-sym memcpy=cuda_emulator_memcpy
  --redefine-sym memmove=cuda_emulator_memmove --redefine-sym memset=cuda_emulator_memset
  ${OBJECT}.flat.o ${OBJECT})
file(REMOVE ${OBJECT}.whole.o ${OBJECT}.flat.o ${OBJECT}.weak ${OBJECT}.cuda.ii)
