# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Most of what a small source costs to compile is the standard headers that it reads, and the last third of what the
# optimizer does (docs/record.md has the numbers). Hence:

include(${PROJECT_SOURCE_DIR}/common/emulator/cmake/Together.cmake)  # compile_together(), compile_lightly()

# read_headers_once(OWNER LIBRARY...): makes OWNER. What nearly every check includes is read once, for all targets that
# take_headers_from(OWNER TARGET...) names: they take what g++ has made of it. They must be compiled as OWNER is, lightly
# and with the same libraries' flags; g++ says so where they are not. OFF as above.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/headers_once.cpp CONTENT "")
function(read_headers_once owner)
  add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/headers_once.cpp)
  target_link_libraries(${owner} PRIVATE common_verify tutorial_warnings ${ARGN})
  compile_lightly(${owner})
  target_precompile_headers(${owner} PRIVATE
    <algorithm> <array> <cmath> <cstdint> <functional> <limits> <memory> <optional> <span> <stdexcept> <string> <vector>
    ${PROJECT_SOURCE_DIR}/common/device/check.hpp ${PROJECT_SOURCE_DIR}/common/files/numbers.hpp
    ${PROJECT_SOURCE_DIR}/common/verify/compare.hpp ${PROJECT_SOURCE_DIR}/common/verify/inputs.hpp)
endfunction()
function(take_headers_from owner)
  if(NOT COMPILE_TOGETHER OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
endfunction()
