// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// CUDA's runtime header for the emulated device: the runtime's functions everywhere; in kernel files also
// what device code uses.
#pragma once

#ifndef __cplusplus
#include "cuda_runtime_api.h"
#else
#include "emulator/host_code.hpp"  // first: before all functions of a kernel file

/// Programs ask by this name whether the runtime's interface for C++ is known.
#define __CUDA_RUNTIME_H__

#include "emulator/math/standard_math.hpp"

// nvcc includes these for every .cu file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "texture_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#include "emulator/runtime/runtime_templates.hpp"

#ifdef __CUDACC__
#include <assert.h>

#include "device_launch_parameters.h"

#include "emulator/launch.hpp"
#include "emulator/math/intrinsics.hpp"
#include "emulator/textures.hpp"
#include "emulator/threads/atomics.hpp"
#include "emulator/threads/ordered_atomics.hpp"
#include "emulator/threads/ptx.hpp"
#include "emulator/threads/synchronization.hpp"
#endif
#endif
