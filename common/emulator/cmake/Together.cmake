# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Most of what a small source costs to compile is the standard headers that it reads, and the last third of what the
# optimizer does.
option(COMPILE_TOGETHER "Compile small sources of one library together; OFF shows whether each has all its includes" ON)
mark_as_advanced(COMPILE_TOGETHER)

# g++ takes memory rather than time for tidying up: a compiler uses more than this for few sources.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)

# compile_together(TARGET a.cpp b.cpp ...): as one, so that headers are read once. No two of them may have a name in an
# unnamed namespace in common: what has goes into another call, or is compiled alone.
function(compile_together target)
  list(GET ARGN 0 group)
  set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${COMPILE_TOGETHER} UNITY_BUILD_MODE GROUP)
endfunction()

# compile_lightly(TARGET...): for what prints, shows and checks, whose speed nobody feels. Clang warns of the same
# at every level. g++ needs one that follows the values of variables.
set(COMPILE_LIGHTLY $<$<COMPILE_LANGUAGE:CXX>:$<IF:$<CXX_COMPILER_ID:GNU>,-Og,-O0>>)
function(compile_lightly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${COMPILE_LIGHTLY})
  endforeach()
endfunction()
