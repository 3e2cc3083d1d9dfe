// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ends without destroying its texture object and without freeing its array, when called with an argument.
#include <cuda_runtime.h>

__global__ void fetch_kernel(cudaTextureObject_t texture, float* y) {
  *y = tex2D<float>(texture, 1.5f, 0.5f);
}

int main(int count, char**) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  if (cudaMallocArray(&array, &format, 3, 2) != cudaSuccess) return 3;
  const float values[] = {1, 2, 3, 4, 5, 6};
  cudaMemcpy2DToArray(array, 0, 0, values, 12, 12, 2, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess) return 4;
  float *d_y = nullptr, y = 0;
  if (cudaMalloc(&d_y, sizeof y) != cudaSuccess) return 5;
  fetch_kernel<<<1, 1>>>(texture, d_y);
  cudaMemcpy(&y, d_y, sizeof y, cudaMemcpyDeviceToHost);
  cudaFree(d_y);
  if (y != 2) return 6;
  if (count > 1) return 0;
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
}
