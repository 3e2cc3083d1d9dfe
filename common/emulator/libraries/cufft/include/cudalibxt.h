// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Memory that lies in parts on several devices, as CUDA's libraries describe it to programs.
#pragma once

#include <stddef.h>

#define CUDA_XT_DESCRIPTOR_VERSION 0x01000000
#define MAX_CUDA_DESCRIPTOR_GPUS 64

enum cudaXtCopyType_t {
  LIB_XT_COPY_HOST_TO_DEVICE,
  LIB_XT_COPY_DEVICE_TO_HOST,
  LIB_XT_COPY_DEVICE_TO_DEVICE
};
typedef enum cudaXtCopyType_t cudaLibXtCopyType;
enum libFormat_t { LIB_FORMAT_CUFFT = 0, LIB_FORMAT_UNDEFINED = 1 };
typedef enum libFormat_t libFormat;

struct cudaXtDesc_t {
  int version;
  int nGPUs;
  int GPUs[MAX_CUDA_DESCRIPTOR_GPUS];     ///< The device of each part.
  void* data[MAX_CUDA_DESCRIPTOR_GPUS];   ///< Where the part begins, in memory of that device.
  size_t size[MAX_CUDA_DESCRIPTOR_GPUS];  ///< Its bytes.
  void* cudaXtState;
};
typedef struct cudaXtDesc_t cudaXtDesc;

struct cudaLibXtDesc_t {
  int version;
  cudaXtDesc* descriptor;
  libFormat library;
  int subFormat;  ///< The order of the elements: a cufftXtSubFormat.
  void* libDescriptor;
};
typedef struct cudaLibXtDesc_t cudaLibXtDesc;
