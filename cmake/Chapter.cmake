# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT

include(${CMAKE_CURRENT_LIST_DIR}/Exercises.cmake)

# add_chapter(KERNELS a.cu ... [BROKEN broken.cu ...] [SOURCES b.cpp ...] [CHECKS c.cpp ...] [LIBRARIES other ...])
#
# Called once in the CMakeLists.txt of a chapter's folder NN_name. Makes
#   chapter_NN   the library: the chapter's public functions (KERNELS for the device, SOURCES for the host)
#   broken_NN    the library of what is wrong on purpose (BROKEN), which tests/faults takes, too
#   NN_name      the executable: the checks (checks.cpp, CHECKS, BROKEN) and the demo (demo.cpp)
#   tests        chapters.NN_name.checks and chapters.NN_name.demo
# and what add_exercises() makes of its exercises.
function(add_chapter)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "KERNELS;BROKEN;SOURCES;CHECKS;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_chapter: unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
  if(NOT name MATCHES "^([0-9][0-9])_[a-z0-9_]+$")
    message(FATAL_ERROR "add_chapter: the folder is called '${name}'; a chapter's folder is NN_name.")
  endif()
  set(library chapter_${CMAKE_MATCH_1})

  add_library(${library} STATIC)
  target_sources(${library} PRIVATE ${arg_SOURCES})
  if(arg_KERNELS)
    tutorial_add_kernels(${library} ${arg_KERNELS})
  endif()
  target_link_libraries(${library} PUBLIC tutorial_common ${arg_LIBRARIES} PRIVATE tutorial_warnings)

  add_executable(${name} demo.cpp checks.cpp ${arg_CHECKS})
  if(arg_BROKEN)
    set(broken broken_${CMAKE_MATCH_1})
    add_library(${broken} STATIC)
    tutorial_add_kernels(${broken} ${arg_BROKEN})
    target_link_libraries(${broken} PUBLIC ${library} PRIVATE tutorial_warnings)
    target_link_libraries(${name} PRIVATE ${broken})
  endif()
  target_link_libraries(${name} PRIVATE ${library} tutorial_chapter_main tutorial_warnings)

  add_test(NAME chapters.${name}.checks COMMAND ${name} --check)
  add_test(NAME chapters.${name}.demo COMMAND ${name} --no-check)
  add_exercises()
endfunction()
