# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# Chooses the device that runs the kernels and hides the choice from everything else:
#   tutorial_device                        link this to include <cuda_runtime.h> and to call the runtime
#   tutorial_cufft                         link this to include <cufft.h> and to call cuFFT
#   tutorial_nccl                          link this to include <nccl.h> and to call NCCL; there is no such target where
#                                          NCCL was not found
#   tutorial_add_kernels(target a.cu ...)  adds kernel files to a target
#   tutorial_warnings                      our warnings, as errors, for our own sources
#   TUTORIAL_DEVICE_CHOSEN                 cuda or emulated

set(TUTORIAL_DEVICE auto CACHE STRING "auto, cuda or emulated: what runs the kernels")
set_property(CACHE TUTORIAL_DEVICE PROPERTY STRINGS auto cuda emulated)

# Sets TUTORIAL_DEVICE_CHOSEN, and TUTORIAL_DEVICE_REASON for the message.
function(tutorial_choose_device)
  if(TUTORIAL_DEVICE STREQUAL "auto")
    include(CheckLanguage)
    check_language(CUDA)
    find_program(TUTORIAL_NVIDIA_SMI nvidia-smi)
    mark_as_advanced(TUTORIAL_NVIDIA_SMI)
    set(gpus "")
    if(TUTORIAL_NVIDIA_SMI)
      execute_process(COMMAND ${TUTORIAL_NVIDIA_SMI} -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE failed)
      if(failed)
        set(gpus "")
      endif()
    endif()
    if(NOT CMAKE_CUDA_COMPILER)
      set(device emulated)
      set(reason "auto: no nvcc was found")
    elseif(NOT gpus MATCHES "GPU 0")
      set(device emulated)
      set(reason "auto: nvcc was found, but no usable NVIDIA GPU (nvidia-smi lists none)")
    else()
      string(REGEX MATCH "GPU 0: [^(\n]*" first "${gpus}")
      string(STRIP "${first}" first)
      set(device cuda)
      set(reason "auto: nvcc and ${first} were found")
    endif()
  elseif(TUTORIAL_DEVICE MATCHES "^(cuda|emulated)$")
    set(device ${TUTORIAL_DEVICE})
    set(reason "as asked")
  else()
    message(FATAL_ERROR "TUTORIAL_DEVICE is '${TUTORIAL_DEVICE}'; it can be auto, cuda or emulated.")
  endif()
  set(TUTORIAL_DEVICE_CHOSEN ${device} PARENT_SCOPE)
  set(TUTORIAL_DEVICE_REASON ${reason} PARENT_SCOPE)
endfunction()

tutorial_choose_device()
message(STATUS "Device: ${TUTORIAL_DEVICE_CHOSEN} (${TUTORIAL_DEVICE_REASON})")

# On the emulated device a kernel of ours that a learner changes may have warnings. In .ci/run it may not.
if(NOT DEFINED TUTORIAL_WARNINGS_ARE_ERRORS)
  set(TUTORIAL_WARNINGS_ARE_ERRORS "$ENV{CI}")
endif()
add_library(tutorial_warnings INTERFACE)
target_compile_options(tutorial_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Werror>
  # On arm64 g++ would note where g++ 9 passed a pair otherwise.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-psabi>
  # g++ 12 sees an overlap in "text" + string where there is none (GCC bug 105651, gone in 13).
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  # Of headers that were read once (cmake/BuildTime.cmake) g++ may see more of that kind. Only .ci/run stops there.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:$<TARGET_PROPERTY:PRECOMPILE_HEADERS_REUSE_FROM>>,$<NOT:$<BOOL:${TUTORIAL_WARNINGS_ARE_ERRORS}>>>:-Wno-error>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra -Werror=all-warnings>)

find_package(Threads REQUIRED)

if(TUTORIAL_DEVICE_CHOSEN STREQUAL "cuda")
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES native)
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc 12 and later can
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit REQUIRED)
  add_library(tutorial_device INTERFACE)
  target_link_libraries(tutorial_device INTERFACE CUDA::cudart CUDA::nvtx3)
  add_library(tutorial_cufft INTERFACE)
  target_link_libraries(tutorial_cufft INTERFACE tutorial_device CUDA::cufft)
  # NCCL is no part of the toolkit. NCCL_ROOT names the folder that has its include and lib.
  find_path(TUTORIAL_NCCL_INCLUDE NAMES nccl.h HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${CUDAToolkit_INCLUDE_DIRS}
            PATH_SUFFIXES include)
  find_library(TUTORIAL_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT} $ENV{NCCL_ROOT} ${CUDAToolkit_LIBRARY_DIR}
               PATH_SUFFIXES lib lib64)
  mark_as_advanced(TUTORIAL_NCCL_INCLUDE TUTORIAL_NCCL_LIBRARY)
  if(TUTORIAL_NCCL_INCLUDE AND TUTORIAL_NCCL_LIBRARY)
    add_library(tutorial_nccl INTERFACE)
    target_include_directories(tutorial_nccl SYSTEM INTERFACE ${TUTORIAL_NCCL_INCLUDE})
    target_link_libraries(tutorial_nccl INTERFACE tutorial_device ${TUTORIAL_NCCL_LIBRARY})
  endif()

  function(tutorial_add_kernels target)
    target_sources(${target} PRIVATE ${ARGN})
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
    target_link_libraries(${target} PUBLIC tutorial_device)
  endfunction()
else()
  add_subdirectory(common/emulator)  # makes the targets cuda_emulator and emulator_translate, and emulator_add_kernels()
  add_library(tutorial_device INTERFACE)
  target_link_libraries(tutorial_device INTERFACE cuda_emulator)
  add_library(tutorial_cufft INTERFACE)
  target_link_libraries(tutorial_cufft INTERFACE tutorial_device emulator_cufft)
  add_library(tutorial_nccl INTERFACE)
  target_link_libraries(tutorial_nccl INTERFACE tutorial_device emulator_nccl)

  function(tutorial_add_kernels target)
    # Kernels take warnings from -Xcompiler, and nothing else.
    set(linked "$<TARGET_PROPERTY:${target},LINK_LIBRARIES>")
    set(strict "$<AND:$<BOOL:${TUTORIAL_WARNINGS_ARE_ERRORS}>,$<IN_LIST:tutorial_warnings,${linked}>>")
    set_target_properties(${target} PROPERTIES EMULATOR_OPTIONS "$<${strict}:-Xcompiler;-Wextra,-Werror>")
    emulator_add_kernels(${target} ${ARGN})
    target_link_libraries(${target} PUBLIC tutorial_device)
  endfunction()
endif()
