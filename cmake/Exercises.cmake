# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT

find_program(TUTORIAL_AWK NAMES awk REQUIRED)
mark_as_advanced(TUTORIAL_AWK)

add_library(exercise_main STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/exercises/exercise_main.cpp
  ${PROJECT_SOURCE_DIR}/tests/exercises/exercise_result.cpp ${PROJECT_SOURCE_DIR}/tests/exercises/seal.cpp
  ${PROJECT_SOURCE_DIR}/tests/exercises/index_out_of_range.cpp)
target_link_libraries(exercise_main PUBLIC common_checks common_verify PRIVATE tutorial_warnings)
compile_lightly(exercise_main)

# Answers from before headers had rooms, and exercises folders, include "common/check.hpp", "fft_plan.hpp" and
# "exercise_checks/1_reverse.hpp". These names stand in a folder that only answers see, and lead to where the
# headers are now.
set(TUTORIAL_OLD_NAMES ${PROJECT_BINARY_DIR}/old_names)
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
  common/*/*.hpp chapters/*/kernels/*.hpp chapters/*/kernels/*.cuh chapters/*/host/*.hpp chapters/*/checks/*.hpp
  chapters/*/exercises/*/*.hpp)
foreach(header IN LISTS headers)
  string(REGEX REPLACE "^chapters/" "" old "${header}")
  string(REGEX REPLACE "/exercises/([1-9]_)[^/]+/" "/exercise_checks/\\1" old "${old}")
  string(REGEX REPLACE "^([a-z0-9_]+)/[a-z]+/([^/]+)$" "\\1/\\2" old "${old}")
  file(CONFIGURE OUTPUT ${TUTORIAL_OLD_NAMES}/${old} CONTENT "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n")
endforeach()

# add_answer(TARGET SOURCE CHECKS_LIBRARY FOLDER...): an answer with its checks, its headers in these folders.
function(add_answer target source checks_library)
  add_executable(${target} EXCLUDE_FROM_ALL)
  target_include_directories(${target} PRIVATE ${ARGN})
  # An index out of range is named, with its value.
  set(first ${PROJECT_SOURCE_DIR}/tests/exercises/index_out_of_range.hpp)
  if(source MATCHES "\\.cu$")
    tutorial_add_kernels(${target} ${source})
    # What comes after the headers of every kernel, std::span and std::vector among it, checks its index. nvcc takes no
  # such header.
    set_target_properties(${target} PROPERTIES EMULATOR_FIRST ${first})
  else()
    target_sources(${target} PRIVATE ${source})
    target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
    # chapters/exercise shows what may be why a result is wrong: these warnings.
    target_compile_options(${target} PRIVATE -include ${first} -Wempty-body -Wmisleading-indentation -Wparentheses
      -Wreturn-type -Wuninitialized -Wunused-value $<$<CXX_COMPILER_ID:GNU>:-Wmaybe-uninitialized>)
  endif()
  target_link_libraries(${target} PRIVATE ${checks_library})
endfunction()

# add_exercises()
#
# What TUTORIAL_EXERCISES_LEFT_OUT lists (2_name.cu ...) needs a library that is not there.
# Called by add_chapter() in the folder of a chapter. For each solutions/<n>_<name>.cu (or .cpp) there is a
# folder exercises/<n>_<name> with the learner's file <name>.cu, the checks, checks.cpp, and the contract that
# both include, <name>.hpp. Makes four executables of it, none of which belongs to the default build. Each is
# the same checks against another answer:
#   exercise_NN_n   exercises/<n>_<name>/<name>.cu, the learner's file; nothing here ever writes into it
#   answer_NN_n     answers/NN_name/<n>_<name>/<name>.cu in the build folder, where chapters/grade puts one answer of
#                   a class after the other
#   solution_NN_n   the solution, with our warnings as errors
#   starter_NN_n    the starter, made anew from the solution in the build folder (the learner may have edited theirs)
# The global property TUTORIAL_EXERCISES lists them as NN|n|chapter folder|file name: tests/exercises reads it.
function(add_exercises)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  string(SUBSTRING ${chapter} 0 2 number)
  file(GLOB solutions RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/solutions CONFIGURE_DEPENDS solutions/*)
  file(GLOB exercises RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS exercises/*/*)

  foreach(file IN LISTS solutions)
    if(NOT file MATCHES "^([1-9])_([a-z0-9_]+)\\.(cu|cpp)$")
      message(FATAL_ERROR "chapters/${chapter}/solutions/${file}: a solution is called <n>_<name>.cu or .cpp.")
    endif()
    if(file IN_LIST TUTORIAL_EXERCISES_LEFT_OUT)
      continue()
    endif()
    set(n ${CMAKE_MATCH_1})
    set(folder exercises/${n}_${CMAKE_MATCH_2})
    set(name ${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
    if(TARGET solution_${number}_${n})
      message(FATAL_ERROR "chapters/${chapter}/solutions has two files with the number ${n}.")
    endif()
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/checks.cpp)
      message(FATAL_ERROR "chapters/${chapter}/solutions/${file} has no checks: ${folder}/checks.cpp is missing.")
    endif()

    set(starter ${CMAKE_CURRENT_BINARY_DIR}/starters/${file})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/starters)  # make, unlike ninja, does not
    add_custom_command(
      OUTPUT ${starter}
      COMMAND ${TUTORIAL_AWK} -f ${PROJECT_SOURCE_DIR}/common/commands/starter.awk
              ${CMAKE_CURRENT_SOURCE_DIR}/solutions/${file} > ${starter}.new
      COMMAND ${CMAKE_COMMAND} -E rename ${starter}.new ${starter}
      DEPENDS solutions/${file} ${PROJECT_SOURCE_DIR}/common/commands/starter.awk
      COMMENT "Making the starter of exercise ${number} ${n}"
      VERBATIM)

    set(checks_library exercise_checks_${number}_${n})
    add_library(${checks_library} OBJECT EXCLUDE_FROM_ALL ${folder}/checks.cpp)
    target_link_libraries(${checks_library} PUBLIC chapter_${number}_checks exercise_main
                          PRIVATE tutorial_warnings)
    compile_lightly(${checks_library})
    if(NOT number STREQUAL 00)
      take_headers_from(headers_of_checks ${checks_library})
    endif()

    set(headers ${folder} ${CMAKE_CURRENT_SOURCE_DIR} ${TUTORIAL_OLD_NAMES}/${chapter} ${TUTORIAL_OLD_NAMES})
    # What lies in exercises/ is the learner's: a file more or less there stops no build.
    if("${folder}/${name}" IN_LIST exercises)
      add_answer(exercise_${number}_${n} ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${name} ${checks_library} ${headers})
    endif()
    cmake_path(REPLACE_EXTENSION file LAST_ONLY "" OUTPUT_VARIABLE stem)
    set(handed_in ${PROJECT_BINARY_DIR}/answers/${chapter}/${stem}/${name})
    set_source_files_properties(${handed_in} PROPERTIES GENERATED TRUE)  # it is there when it is needed
    add_answer(answer_${number}_${n} ${handed_in} ${checks_library} ${headers})
    add_answer(starter_${number}_${n} ${starter} ${checks_library} ${folder})
    add_answer(solution_${number}_${n} ${CMAKE_CURRENT_SOURCE_DIR}/solutions/${file} ${checks_library} ${folder})
    # An unfinished answer has parameters that nobody uses yet: that is no mistake.
    target_link_libraries(solution_${number}_${n} PRIVATE tutorial_warnings)

    set_property(GLOBAL APPEND PROPERTY TUTORIAL_EXERCISES "${number}|${n}|${chapter}|${file}")
  endforeach()
endfunction()
