// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Calls of what the emulated device has not: refused.sh wants to see each of them refused by name.
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fetch_kernel(cudaTextureObject_t texture, float* y) {
  y[0] = tex1DLayeredLod<float>(texture, 0.5f, 0, 0);
  y[1] = tex2DLayeredLod<float>(texture, 0.5f, 0.5f, 0, 0);
  y[2] = texCubemapLod<float>(texture, 0.5f, 0.5f, 0.5f, 0);
  y[3] = tex2DLod<float>(texture, 0.5f, 0.5f, 0);
  y[4] = tex3DGrad<float>(texture, 0.5f, 0.5f, 0.5f, float4{}, float4{});
  y[5] = tex2Dgather<float4>(texture, 0.5f, 0.5f, 0).x;
  tex2DLod(&y[6], texture, 0.5f, 0.5f, 1);
}

int main() {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t mipmaps = nullptr;
  cudaSurfaceObject_t surface = 0;
  cudaMemPool_t pool = nullptr;
  cudaIpcMemHandle_t handle;
  cudaIpcEventHandle_t event;
  int value = 0;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaKernelNodeParams kernel_node = {};
  cudaMemsetParams memset_node = {};
  cudaHostNodeParams host_node = {};
  cudaGraphNode_t node = nullptr;
  cudaMemPoolProps pool_properties = {};
  if (status != cudaStreamCaptureStatusNone) return 1;
  kernel_node.gridDim = dim3(1);
  memset_node.elementSize = 4;
  host_node.userData = nullptr;
  cudaGraphAddNode(&node, graph, nullptr, 0, &kernel_node);
  cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, graph);
  cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, nullptr);
  cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr);
  cudaGraphNodeSetEnabled(executable, node, 0);
  cudaGraphDebugDotPrint(graph, "graph.dot", 0);
  cudaStreamGetCaptureInfo(stream, nullptr);
  cudaMallocMipmappedArray(&mipmaps, nullptr, cudaExtent{}, 3);
  cudaGetMipmappedArrayLevel(&array, mipmaps, 0);
  cudaBindTexture(nullptr, value, nullptr, 64);
  cudaBindTextureToArray(value, array);
  cudaIpcGetMemHandle(&handle, nullptr);
  cudaIpcGetEventHandle(&event, nullptr);
  cudaMemPoolCreate(&pool, &pool_properties);
  cudaMemRangeGetAttribute(&value, sizeof value, 1, nullptr, 0);
  cudaImportExternalMemory(&value, nullptr);
  cudaGraphicsMapResources(1, nullptr);
  cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &value);
  cuInit(0);
  cuMemAlloc(&value, 64);
}
