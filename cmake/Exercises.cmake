# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT

find_program(TUTORIAL_AWK NAMES awk REQUIRED)
mark_as_advanced(TUTORIAL_AWK)
find_package(doctest REQUIRED)

# Where the answers are: empty, in each chapter's exercises/. Another folder has them as NN_name/<n>_<name>.cu.
set(TUTORIAL_ANSWERS "" CACHE PATH "Check the answers in this folder instead of those in exercises/")
mark_as_advanced(TUTORIAL_ANSWERS)

add_library(exercise_main STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/exercises/exercise_main.cpp)
target_link_libraries(exercise_main PUBLIC doctest::doctest common_verify PRIVATE tutorial_warnings)
compile_lightly(exercise_main)

# add_exercises()
#
# Called by add_chapter() in the folder of a chapter. For each solutions/<n>_<name>.cu (or .cpp) it makes three
# executables, none of which belongs to the default build. Each is the same checks, exercise_checks/<n>_<name>.cpp,
# against another answer:
#   exercise_NN_n   exercises/<n>_<name>.cu, the learner's file; nothing here ever writes into it
#   solution_NN_n   the solution, with our warnings as errors
#   starter_NN_n    the starter, made anew from the solution in the build folder (the learner may have edited theirs)
# The global property TUTORIAL_EXERCISES lists them as NN|n|chapter folder|file name: tests/exercises reads it.
function(add_exercises)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME chapter)
  string(SUBSTRING ${chapter} 0 2 number)
  file(GLOB solutions RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/solutions CONFIGURE_DEPENDS solutions/*)
  file(GLOB exercises RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/exercises CONFIGURE_DEPENDS exercises/*)

  foreach(file IN LISTS solutions)
    if(NOT file MATCHES "^([1-9])_[a-z0-9_]+\\.(cu|cpp)$")
      message(FATAL_ERROR "chapters/${chapter}/solutions/${file}: a solution is called <n>_<name>.cu or .cpp.")
    endif()
    set(n ${CMAKE_MATCH_1})
    if(TARGET solution_${number}_${n})
      message(FATAL_ERROR "chapters/${chapter}/solutions has two files with the number ${n}.")
    endif()
    cmake_path(REPLACE_EXTENSION file .cpp OUTPUT_VARIABLE checks)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/exercise_checks/${checks})
      message(FATAL_ERROR "chapters/${chapter}/solutions/${file} has no checks: exercise_checks/${checks} is missing.")
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
    add_library(${checks_library} OBJECT EXCLUDE_FROM_ALL exercise_checks/${checks})
    target_include_directories(${checks_library} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} exercise_checks)
    target_link_libraries(${checks_library} PUBLIC chapter_${number}_checks exercise_main
                          PRIVATE tutorial_warnings)
    compile_lightly(${checks_library})

    set(exercise_source ${CMAKE_CURRENT_SOURCE_DIR}/exercises/${file})
    set(solution_source ${CMAKE_CURRENT_SOURCE_DIR}/solutions/${file})
    set(starter_source ${starter})
    set(answers solution starter)
    if(TUTORIAL_ANSWERS)
      set(exercise_source ${TUTORIAL_ANSWERS}/${chapter}/${file})
    endif()
    # What lies in exercises/ is the learner's: a file more or less there stops no build.
    if(file IN_LIST exercises)
      list(APPEND answers exercise)
    endif()
    foreach(answer IN LISTS answers)
      set(target ${answer}_${number}_${n})
      add_executable(${target} EXCLUDE_FROM_ALL)
      if(file MATCHES "\\.cu$")
        tutorial_add_kernels(${target} ${${answer}_source})
      else()
        target_sources(${target} PRIVATE ${${answer}_source})
        target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)  # an index out of range is named
      endif()
      target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} exercise_checks)
      target_link_libraries(${target} PRIVATE ${checks_library})
    endforeach()
    # An unfinished answer has parameters that nobody uses yet: that is no mistake.
    target_link_libraries(solution_${number}_${n} PRIVATE tutorial_warnings)

    set_property(GLOBAL APPEND PROPERTY TUTORIAL_EXERCISES "${number}|${n}|${chapter}|${file}")
  endforeach()
endfunction()
