# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT

include(${CMAKE_CURRENT_LIST_DIR}/Exercises.cmake)

# add_chapter(KERNELS a.cu ... SOURCES b.cpp ... LIBRARIES other ...
#             CHECKS checks.cpp ... CHECK_SUPPORT c.cpp ... CHECK_LIBRARIES other ... BROKEN broken.cu ...
#             SHOW tables.cpp ... SHOW_LIBRARIES other ... APART tables.cpp ...)
#
# Called once in the CMakeLists.txt of a chapter's folder NN_name. Makes
#   chapter_NN         the library: the chapter's public functions (KERNELS for the device, SOURCES for the host), and
#                      nothing that shows or checks
#   chapter_NN_checks  the library of what its checks are made with (CHECK_SUPPORT, CHECK_LIBRARIES), for the checks of
#                      exercises and of later chapters, too
#   broken_NN          the library of what is wrong on purpose (BROKEN), which tests/faults takes, too
#   NN_name            the executable: the checks (CHECKS; checks.cpp where none are named), the demo (demo.cpp) and what
#                      the demo shows (SHOW)
#   tests              chapters.NN_name.checks and chapters.NN_name.demo
# and what add_exercises() makes of its exercises.
# The checks are compiled together, and so are the demo and what it shows (in small chapters, where checks.cpp holds all
# checks, with them), but for what APART lists: sources that use a name of their neighbors for something else.
function(add_chapter)
  cmake_parse_arguments(PARSE_ARGV 0 arg ""
    "" "KERNELS;SOURCES;LIBRARIES;CHECKS;CHECK_SUPPORT;CHECK_LIBRARIES;BROKEN;SHOW;SHOW_LIBRARIES;APART")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "add_chapter: unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
  if(NOT name MATCHES "^([0-9][0-9])_[a-z0-9_]+$")
    message(FATAL_ERROR "add_chapter: the folder is called '${name}'; a chapter's folder is NN_name.")
  endif()
  set(library chapter_${CMAKE_MATCH_1})

  add_library(${library} STATIC ${arg_SOURCES})
  if(arg_KERNELS)
    tutorial_add_kernels(${library} ${arg_KERNELS})
  endif()
  target_link_libraries(${library} PUBLIC common_device common_files ${arg_LIBRARIES} PRIVATE tutorial_warnings)

  if(arg_CHECK_SUPPORT)
    add_library(${library}_checks STATIC ${arg_CHECK_SUPPORT})
    compile_together(${library}_checks ${arg_CHECK_SUPPORT})
    target_link_libraries(${library}_checks PRIVATE tutorial_warnings
                          PUBLIC ${library} common_verify ${arg_CHECK_LIBRARIES})
  else()
    add_library(${library}_checks INTERFACE)
    target_link_libraries(${library}_checks INTERFACE ${library} common_verify ${arg_CHECK_LIBRARIES})
  endif()

  set(small FALSE)
  if(NOT arg_CHECKS)
    set(arg_CHECKS checks.cpp)
    set(small TRUE)
  endif()
  add_executable(${name} demo.cpp ${arg_CHECKS} ${arg_SHOW})
  set(checks ${arg_CHECKS})
  set(shown demo.cpp ${arg_SHOW})
  list(REMOVE_ITEM checks ${arg_APART} "")
  list(REMOVE_ITEM shown ${arg_APART} "")
  if(small)
    compile_together(${name} ${shown} ${checks})
  else()
    compile_together(${name} ${checks})
    compile_together(${name} ${shown})
  endif()
  target_link_libraries(${name} PRIVATE ${library}_checks ${arg_SHOW_LIBRARIES} common_main common_checks tutorial_warnings)
  compile_lightly(${name})
  if(NOT library STREQUAL chapter_00)
    target_link_libraries(${name} PRIVATE common_versions)
    take_headers_from(headers_of_checks ${name})
  endif()
  if(arg_BROKEN)
    set(broken broken_${CMAKE_MATCH_1})
    add_library(${broken} STATIC)
    tutorial_add_kernels(${broken} ${arg_BROKEN})
    target_link_libraries(${broken} PUBLIC ${library}_checks PRIVATE tutorial_warnings)
    target_link_libraries(${name} PRIVATE ${broken})
  endif()

  add_test(NAME chapters.${name}.checks COMMAND ${name} --check)
  add_test(NAME chapters.${name}.demo COMMAND ${name} --no-check)
  add_exercises()
endfunction()
