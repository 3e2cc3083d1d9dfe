// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What CUDA's runtime has and the emulated device has not: refused by name by the compiler, where it is
// called.
#pragma once

#include "refused_types.hpp"

namespace cuda_emulator {
template <class... Arguments>
constexpr bool is_emulated = false;
}  // namespace cuda_emulator

#define EMULATOR_REFUSE(name, why)                                                             \
  template <class... Arguments>                                                                \
  cudaError_t name(Arguments&&...) {                                                           \
    static_assert(cuda_emulator::is_emulated<Arguments...>, #name "() is not emulated: " why); \
    return cudaErrorNotSupported;                                                              \
  }

#define EMULATOR_GRAPHS \
  "the nodes of graphs are kernels, copies, fills, functions of the host and empty ones here"
EMULATOR_REFUSE(cudaStreamBeginCaptureToGraph, "capture into a graph of its own: cudaStreamBeginCapture()")
EMULATOR_REFUSE(cudaStreamGetCaptureInfo, "ask cudaStreamIsCapturing()")
EMULATOR_REFUSE(cudaStreamUpdateCaptureDependencies, "let streams wait for events while they are captured")
EMULATOR_REFUSE(cudaGraphDebugDotPrint, "a graph is not drawn here")
EMULATOR_REFUSE(cudaGraphInstantiateWithParams, "use cudaGraphInstantiate()")
EMULATOR_REFUSE(cudaGraphAddNode, "use cudaGraphAddKernelNode() and its like")
EMULATOR_REFUSE(cudaGraphAddEventRecordNode, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaGraphAddEventWaitNode, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaGraphAddChildGraphNode, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaGraphAddMemAllocNode, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaGraphAddMemFreeNode, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaGraphAddMemcpyNodeToSymbol, "get the address by cudaGetSymbolAddress()")
EMULATOR_REFUSE(cudaGraphAddMemcpyNodeFromSymbol, "get the address by cudaGetSymbolAddress()")
EMULATOR_REFUSE(cudaGraphConditionalHandleCreate, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaGraphNodeSetEnabled, "nodes are not switched off here; make another graph")
EMULATOR_REFUSE(cudaDeviceGraphMemTrim, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaDeviceGetGraphMemAttribute, EMULATOR_GRAPHS)
EMULATOR_REFUSE(cudaDeviceSetGraphMemAttribute, EMULATOR_GRAPHS)
#undef EMULATOR_GRAPHS

#define EMULATOR_MIPMAPS "there are no mipmapped arrays here; make an array for each level"
EMULATOR_REFUSE(cudaMallocMipmappedArray, EMULATOR_MIPMAPS)
EMULATOR_REFUSE(cudaFreeMipmappedArray, EMULATOR_MIPMAPS)
EMULATOR_REFUSE(cudaGetMipmappedArrayLevel, EMULATOR_MIPMAPS)
#undef EMULATOR_MIPMAPS

EMULATOR_REFUSE(cudaBindSurfaceToArray,
                "surface references left CUDA with version 12; use an object: cudaCreateSurfaceObject()")

#define EMULATOR_REFERENCES \
  "texture references left CUDA with version 12; use an object: cudaCreateTextureObject()"
EMULATOR_REFUSE(cudaBindTexture, EMULATOR_REFERENCES)
EMULATOR_REFUSE(cudaBindTexture2D, EMULATOR_REFERENCES)
EMULATOR_REFUSE(cudaBindTextureToArray, EMULATOR_REFERENCES)
EMULATOR_REFUSE(cudaBindTextureToMipmappedArray, EMULATOR_REFERENCES)
EMULATOR_REFUSE(cudaUnbindTexture, EMULATOR_REFERENCES)
EMULATOR_REFUSE(cudaGetTextureReference, EMULATOR_REFERENCES)
EMULATOR_REFUSE(cudaGetTextureAlignmentOffset, EMULATOR_REFERENCES)
#undef EMULATOR_REFERENCES

#define EMULATOR_PROCESSES "memory and events are not shared between processes here"
EMULATOR_REFUSE(cudaIpcGetMemHandle, EMULATOR_PROCESSES)
EMULATOR_REFUSE(cudaIpcOpenMemHandle, EMULATOR_PROCESSES)
EMULATOR_REFUSE(cudaIpcCloseMemHandle, EMULATOR_PROCESSES)
EMULATOR_REFUSE(cudaIpcGetEventHandle, EMULATOR_PROCESSES)
EMULATOR_REFUSE(cudaIpcOpenEventHandle, EMULATOR_PROCESSES)
#undef EMULATOR_PROCESSES

#define EMULATOR_OTHERS "nothing is shared with graphics or other interfaces here"
EMULATOR_REFUSE(cudaGraphicsMapResources, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaGraphicsUnmapResources, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaGraphicsUnregisterResource, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaGraphicsResourceSetMapFlags, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaGraphicsResourceGetMappedPointer, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaGraphicsSubResourceGetMappedArray, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaGraphicsGLRegisterBuffer, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaGraphicsGLRegisterImage, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaImportExternalMemory, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaDestroyExternalMemory, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaExternalMemoryGetMappedBuffer, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaImportExternalSemaphore, EMULATOR_OTHERS)
EMULATOR_REFUSE(cudaDestroyExternalSemaphore, EMULATOR_OTHERS)
#undef EMULATOR_OTHERS

#define EMULATOR_POOLS "there is one pool of memory here, that of the device; use cudaMallocAsync()"
EMULATOR_REFUSE(cudaMemPoolCreate, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaMemPoolDestroy, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaMemPoolSetAccess, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaMemPoolGetAccess, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaMemPoolExportPointer, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaMemPoolImportPointer, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaMemPoolExportToShareableHandle, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaMemPoolImportFromShareableHandle, EMULATOR_POOLS)
EMULATOR_REFUSE(cudaDeviceSetMemPool, EMULATOR_POOLS)
#undef EMULATOR_POOLS

EMULATOR_REFUSE(cudaMemRangeGetAttribute, "where the pages of managed memory lie is not modeled")
EMULATOR_REFUSE(cudaMemRangeGetAttributes, "where the pages of managed memory lie is not modeled")
EMULATOR_REFUSE(cudaStreamGetAttribute, "attributes of streams are not kept here")
EMULATOR_REFUSE(cudaStreamCopyAttributes, "attributes of streams are not kept here")
EMULATOR_REFUSE(cudaArrayGetSparseProperties, "there are no sparse arrays here")
EMULATOR_REFUSE(cudaArrayGetMemoryRequirements, "how a GPU stores arrays is not modeled")
EMULATOR_REFUSE(cudaArrayGetPlane, "arrays have no planes here")
EMULATOR_REFUSE(cudaGetTextureObjectResourceViewDesc, "there are no other views of a resource here")
EMULATOR_REFUSE(cudaMemcpyBatchAsync, "copy one by one, with cudaMemcpyAsync()")
EMULATOR_REFUSE(cudaMemcpy3DBatchAsync, "copy one by one, with cudaMemcpy3DAsync()")
EMULATOR_REFUSE(cudaLibraryLoadData, "kernels are part of the program here")
EMULATOR_REFUSE(cudaLibraryLoadFromFile, "kernels are part of the program here")
#undef EMULATOR_REFUSE
