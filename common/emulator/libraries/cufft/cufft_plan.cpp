// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// cuFFT's functions that make, describe and destroy plans. "Seen" beside a code: so returned by cuFFT 12.0,
// whose documentation does not say it.
#include "cufft_plan.hpp"
#include "cufftXt.h"

#include <algorithm>
#include <climits>
#include <map>
#include <mutex>

#include "cufft_parts.hpp"
#include "device/errors.hpp"
#include "memory/device_memory.hpp"
#include "order/pending.hpp"

namespace cuda_emulator {
namespace {

// Never destroyed: the search for leaks comes after all that is.
std::mutex& mutex = *new std::mutex;
std::map<cufftHandle, std::shared_ptr<fft_plan>>& plans =
    *new std::map<cufftHandle, std::shared_ptr<fft_plan>>;
// Handles are not used again, and 0, what a handle that nobody has set often is, is none.
cufftHandle handles = 0;

/// The type of cufft.h that has these types of data.
cufftResult type_of(cudaDataType input, cudaDataType output, cudaDataType execution, cufftType& type) {
  for (const cudaDataType half : {CUDA_R_16F, CUDA_C_16F, CUDA_R_16BF, CUDA_C_16BF})
    if (input == half || output == half || execution == half) return CUFFT_NOT_SUPPORTED;
  struct {
    cudaDataType input, output, execution;
    cufftType type;
  } constexpr known[] = {
      {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
      {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
      {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D},
  };
  for (const auto& k : known) {
    if (k.input != input || k.output != output || k.execution != execution) continue;
    type = k.type;
    return CUFFT_SUCCESS;
  }
  return CUFFT_INVALID_TYPE;
}

bool is_type(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
    case CUFFT_R2C:
    case CUFFT_C2R:
    case CUFFT_Z2Z:
    case CUFFT_D2Z:
    case CUFFT_Z2D:
      return true;
  }
  return false;
}

void drop_work_area(fft_plan& plan) {
  run_kept();  // transforms may use it
  if (plan.owns_work_area) {
    if (plan.work_area != nullptr) device_memory::instance().release(plan.work_area, allocation_kind::device);
    for (void* const each : plan.work_areas) device_memory::instance().release(each, allocation_kind::device);
  }
  plan.owns_work_area = false;
  plan.work_area = nullptr;
  plan.work_areas.clear();
}

/// One work area, or one on each device. False where there is no memory.
bool allocate_work_areas(fft_plan& plan) {
  if (!plan.allocates || plan.work_area != nullptr || !plan.work_areas.empty()) return true;
  device_memory& memory = device_memory::instance();
  plan.owns_work_area = true;
  if (plan.devices.empty()) {
    plan.work_area = memory.allocate(plan.work_size, allocation_kind::device);
    return plan.work_area != nullptr;
  }
  for (const int device : plan.devices) {
    const with_device there(device);
    void* const area = memory.allocate(plan.work_size, allocation_kind::device);
    if (area == nullptr) {
      drop_work_area(plan);
      return false;
    }
    plan.work_areas.push_back(area);
  }
  return true;
}

/// The arguments of cufftMakePlanMany64, which all the others are special cases of.
struct request {
  int rank;
  std::array<long long, 3> n{1, 1, 1};
  std::array<long long, 3> input_embed{}, output_embed{};
  bool advanced = false;
  long long input_stride = 1, input_distance = 0, output_stride = 1, output_distance = 0;
  cufftType type;
  long long batch;
};

template <class Integer>
cufftResult make_request(request& r, int rank, const Integer* n, const Integer* input_embed,
                         Integer input_stride, Integer input_distance, const Integer* output_embed,
                         Integer output_stride, Integer output_distance, cufftType type, Integer batch) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
  r = {.rank = rank, .type = type, .batch = batch};
  // Without either of the two arrays all other parameters of the layout count for nothing.
  r.advanced = input_embed != nullptr && output_embed != nullptr;
  for (int i = 0; i < rank; ++i) {
    const int at = 3 - rank + i;
    r.n[at] = n[i];
    if (!r.advanced) continue;
    r.input_embed[at] = input_embed[i];
    r.output_embed[at] = output_embed[i];
  }
  r.input_stride = input_stride;
  r.input_distance = input_distance;
  r.output_stride = output_stride;
  r.output_distance = output_distance;
  return CUFFT_SUCCESS;
}

request basic(int rank, std::array<long long, 3> n, cufftType type, long long batch) {
  return {.rank = rank, .n = n, .type = type, .batch = batch};
}

/// Rows of `row` elements one behind the other.
fft_layout packed(const std::array<std::size_t, 3>& size, std::size_t row, std::size_t batch) {
  return {size, {size[1] * row, row, 1}, size[0] * size[1] * row, batch};
}

fft_layout advanced(const std::array<std::size_t, 3>& size, const std::array<long long, 3>& embed,
                    long long stride, long long distance, std::size_t batch) {
  const auto step = static_cast<std::size_t>(stride);
  const std::size_t row = step * static_cast<std::size_t>(embed[2]);
  return {
      size, {row * static_cast<std::size_t>(embed[1]), row, step}, static_cast<std::size_t>(distance), batch};
}

/// The layouts and the size of the work area of `plan`.
cufftResult lay_out(fft_plan& plan, const request& r) {
  if (!is_type(r.type)) return CUFFT_INVALID_TYPE;  // seen
  if (r.batch < 1) return CUFFT_INVALID_SIZE;
  for (const long long n : r.n)
    if (n < 1) return CUFFT_INVALID_SIZE;
  // Longer ones are transformed by cuFFT, and not here: kissfft counts with int.
  constexpr long long most = INT_MAX / 4;
  for (const long long n : r.n)
    if (n > most) return CUFFT_NOT_SUPPORTED;
  plan.type = r.type;
  plan.rank = r.rank;
  plan.batch = static_cast<std::size_t>(r.batch);
  for (int i = 0; i < 3; ++i) plan.n[i] = static_cast<std::size_t>(r.n[i]);

  std::array<std::size_t, 3> half = plan.n;
  half[2] = plan.n[2] / 2 + 1;
  const bool from_real = reads_real(r.type), to_real = writes_real(r.type);
  const auto& input_size = to_real ? half : plan.n;
  const auto& output_size = from_real ? half : plan.n;
  if (r.advanced) {
    // The documentation is silent about what these return.
    for (int i = 3 - r.rank; i < 3; ++i)
      if (r.input_embed[i] < 1 || r.output_embed[i] < 1) return CUFFT_INVALID_SIZE;
    if (r.input_stride < 1 || r.output_stride < 1) return CUFFT_INVALID_VALUE;
    if (r.batch > 1 && (r.input_distance < 1 || r.output_distance < 1)) return CUFFT_INVALID_VALUE;
    plan.input = advanced(input_size, r.input_embed, r.input_stride, r.input_distance, plan.batch);
    plan.output = advanced(output_size, r.output_embed, r.output_stride, r.output_distance, plan.batch);
    plan.input_here = plan.input;
    plan.output_here = plan.output;
  } else {
    plan.input = packed(input_size, input_size[2], plan.batch);
    plan.output = packed(output_size, output_size[2], plan.batch);
    // In place every row of real numbers has the room of the complex row that it becomes.
    plan.input_here = from_real ? packed(input_size, 2 * half[2], plan.batch) : plan.input;
    plan.output_here = to_real ? packed(output_size, 2 * half[2], plan.batch) : plan.output;
  }
  // Beyond any memory, and beyond what the sums of the execution can count.
  constexpr double most_elements = 1e13;
  for (const fft_layout* layout : {&plan.input, &plan.output}) {
    double span = static_cast<double>(layout->batch) * static_cast<double>(layout->distance);
    double count = static_cast<double>(layout->batch);
    for (int i = 0; i < 3; ++i) {
      span += static_cast<double>(layout->size[i]) * static_cast<double>(layout->stride[i]);
      count *= static_cast<double>(layout->size[i]);
    }
    if (span > most_elements || count > most_elements) return CUFFT_INVALID_SIZE;
  }
  // cuFFT's sizes are its own secret, often nothing at all and sometimes more than this. Programs have to
  // ask.
  const std::size_t points = half[0] * half[1] * (from_real || to_real ? half[2] : plan.n[2]);
  plan.work_size =
      plan.batch * points * (is_double(r.type) ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex));
  return CUFFT_SUCCESS;
}

/// Of a plan for several devices the program has an array, with a place for each.
void put_work_size(const fft_plan& plan, std::size_t* work_size) {
  std::fill_n(work_size, std::max<std::size_t>(plan.devices.size(), 1), plan.work_size);
}

cufftResult make(cufftHandle handle, const request& r, std::size_t* work_size) {
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;  // seen
  if (stuck() != cudaSuccess) return CUFFT_INTERNAL_ERROR;
  const auto plan = find_plan(handle);
  // Documented: a handle can be made into a plan only once.
  if (plan == nullptr || plan->made) return CUFFT_INVALID_PLAN;
  fft_plan made = *plan;
  if (const cufftResult result = lay_out(made, r); result != CUFFT_SUCCESS) return result;
  if (const cufftResult result = spread_over_parts(made, r.advanced); result != CUFFT_SUCCESS) return result;
  if (!allocate_work_areas(made)) return CUFFT_ALLOC_FAILED;
  made.made = true;
  made.made_at = caller_outside();
  *plan = made;
  put_work_size(made, work_size);
  return CUFFT_SUCCESS;
}

cufftResult create(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  if (stuck() != cudaSuccess) return CUFFT_SETUP_FAILED;
  auto plan = std::make_shared<fft_plan>();
  plan->made_at = caller_outside();
  const std::lock_guard lock(mutex);
  *handle = ++handles;
  plans[*handle] = std::move(plan);
  return CUFFT_SUCCESS;
}

cufftResult create_and_make(cufftHandle* handle, const request& r) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  cufftHandle made = CUFFT_PLAN_NULL;
  if (const cufftResult result = create(&made); result != CUFFT_SUCCESS) return result;
  std::size_t work_size = 0;
  if (const cufftResult result = make(made, r, &work_size); result != CUFFT_SUCCESS) {
    cufftDestroy(made);
    return result;
  }
  *handle = made;  // seen: left as it was by a call that fails
  return CUFFT_SUCCESS;
}

cufftResult estimate(const request& r, std::size_t* work_size, const std::vector<int>& devices = {}) {
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;
  fft_plan plan;
  plan.devices = devices;
  if (const cufftResult result = lay_out(plan, r); result != CUFFT_SUCCESS) return result;
  if (const cufftResult result = spread_over_parts(plan, r.advanced); result != CUFFT_SUCCESS) return result;
  put_work_size(plan, work_size);
  return CUFFT_SUCCESS;
}

cufftResult size_for(cufftHandle handle, const request& r, std::size_t* work_size) {
  const auto plan = find_plan(handle);
  return plan == nullptr ? CUFFT_INVALID_PLAN : estimate(r, work_size, plan->devices);
}

}  // namespace

std::size_t fft_layout::span() const {
  std::size_t last = (batch - 1) * distance;
  for (int i = 0; i < 3; ++i) last += (size[i] - 1) * stride[i];
  return last + 1;
}

std::string fft_plan::text() const {
  if (!made) return "a handle of cufftCreate()";
  std::string text = std::string(name_of(type)) + ", n = ";
  for (int i = 3 - rank; i < 3; ++i) text += (i > 3 - rank ? " x " : "") + std::to_string(n[i]);
  if (batch != 1) text += ", batch of " + std::to_string(batch);
  for (const int& device : devices)
    text += (&device == devices.data() ? ", on devices " : ", ") + std::to_string(device);
  return text;
}

bool is_double(cufftType type) { return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }
bool reads_real(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
bool writes_real(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }

const char* name_of(cufftType type) {
  switch (type) {
    case CUFFT_C2C:
      return "C2C";
    case CUFFT_R2C:
      return "R2C";
    case CUFFT_C2R:
      return "C2R";
    case CUFFT_Z2Z:
      return "Z2Z";
    case CUFFT_D2Z:
      return "D2Z";
    case CUFFT_Z2D:
      return "Z2D";
  }
  return "?";
}

std::shared_ptr<fft_plan> find_plan(cufftHandle handle) {
  const std::lock_guard lock(mutex);
  const auto found = plans.find(handle);
  return found == plans.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const fft_plan>> living_plans() {
  const std::lock_guard lock(mutex);
  std::vector<std::shared_ptr<const fft_plan>> all;
  for (const auto& [handle, plan] : plans) all.push_back(plan);
  return all;
}

void forget_plans() {
  const int gone = current_device();
  const std::lock_guard lock(mutex);
  std::erase_if(plans, [&](const auto& each) {
    const std::vector<int>& devices = each.second->devices;
    if (devices.empty()) return each.second->device == gone;
    if (std::find(devices.begin(), devices.end(), gone) == devices.end()) return false;
    drop_work_area(*each.second);
    return true;
  });
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return create_and_make(plan, basic(1, {1, 1, nx}, type, batch));
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return create_and_make(plan, basic(2, {1, nx, ny}, type, 1));
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return create_and_make(plan, basic(3, {nx, ny, nz}, type, 1));
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  request r;
  const cufftResult result =
      make_request(r, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return result != CUFFT_SUCCESS ? result : create_and_make(plan, r);
}

cufftResult cufftCreate(cufftHandle* plan) { return create(plan); }
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, std::size_t* work_size) {
  return make(plan, basic(1, {1, 1, nx}, type, batch), work_size);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, std::size_t* work_size) {
  return make(plan, basic(2, {1, nx, ny}, type, 1), work_size);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            std::size_t* work_size) {
  return make(plan, basic(3, {nx, ny, nz}, type, 1), work_size);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch,
                              std::size_t* work_size) {
  request r;
  const cufftResult result =
      make_request(r, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return result != CUFFT_SUCCESS ? result : make(plan, r, work_size);
}
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed, long long ostride,
                                long long odist, cufftType type, long long batch, std::size_t* work_size) {
  request r;
  const cufftResult result =
      make_request(r, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return result != CUFFT_SUCCESS ? result : make(plan, r, work_size);
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType inputtype,
                                long long* onembed, long long ostride, long long odist,
                                cudaDataType outputtype, long long batch, std::size_t* work_size,
                                cudaDataType executiontype) {
  cufftType type = CUFFT_C2C;
  const cufftResult result = type_of(inputtype, outputtype, executiontype, type);
  if (result != CUFFT_SUCCESS) return result;
  return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             work_size);
}

cufftResult cufftDestroy(cufftHandle handle) {
  if (handle == CUFFT_PLAN_NULL) return CUFFT_SUCCESS;
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  drop_work_area(*plan);
  const std::lock_guard lock(mutex);
  plans.erase(handle);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int auto_allocate) {
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  // Documented for handles that are not yet plans; a work area that is there stays.
  plan->allocates = auto_allocate != 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void* work_area) {
  const auto plan = find_plan(handle);
  // Reported for a plan of several devices, which has one on each: cufftXtSetWorkArea().
  if (plan == nullptr || !plan->devices.empty()) return CUFFT_INVALID_PLAN;
  // Documented: the plan's own work area, if it has one, is freed.
  drop_work_area(*plan);
  plan->work_area = work_area;
  return CUFFT_SUCCESS;
}
cufftResult cufftXtSetWorkArea(cufftHandle handle, void** work_areas) {
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (work_areas == nullptr) return CUFFT_INVALID_VALUE;
  drop_work_area(*plan);
  if (plan->devices.empty())
    plan->work_area = work_areas[0];
  else
    plan->work_areas.assign(work_areas, work_areas + plan->devices.size());
  return CUFFT_SUCCESS;
}
cufftResult cufftXtSetGPUs(cufftHandle handle, int count, int* devices) {
  const auto plan = find_plan(handle);
  if (plan == nullptr || plan->made) return CUFFT_INVALID_PLAN;
  // Reported for a single one. Up to 16 are documented.
  if (count < 2 || count > most_devices || devices == nullptr)
    return refuse_fft(
        "cufftXtSetGPUs", CUFFT_INVALID_VALUE,
        "a plan for several devices has 2 to 16 parts, and " + std::to_string(count) + " were asked for");
  for (int i = 0; i < count; ++i)
    if (!is_device(devices[i]))
      return refuse_fft("cufftXtSetGPUs", CUFFT_INVALID_DEVICE,
                        device_text(devices[i]) + " was asked for, and there are " +
                            std::to_string(device_count()) + " (EMULATOR_DEVICES)");
  plan->devices.assign(devices, devices + count);
  return CUFFT_SUCCESS;
}
cufftResult cufftGetSize(cufftHandle handle, std::size_t* work_size) {
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  put_work_size(*plan, work_size);
  return CUFFT_SUCCESS;
}
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, std::size_t* work_size) {
  return size_for(plan, basic(1, {1, 1, nx}, type, batch), work_size);
}
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, std::size_t* work_size) {
  return size_for(plan, basic(2, {1, nx, ny}, type, 1), work_size);
}
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, std::size_t* work_size) {
  return size_for(plan, basic(3, {nx, ny, nz}, type, 1), work_size);
}
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                             int* onembed, int ostride, int odist, cufftType type, int batch,
                             std::size_t* work_size) {
  request r;
  const cufftResult result =
      make_request(r, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return result != CUFFT_SUCCESS ? result : size_for(plan, r, work_size);
}
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed, long long ostride,
                               long long odist, cufftType type, long long batch, std::size_t* work_size) {
  request r;
  const cufftResult result =
      make_request(r, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return result != CUFFT_SUCCESS ? result : size_for(plan, r, work_size);
}
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType inputtype, long long* onembed,
                               long long ostride, long long odist, cudaDataType outputtype, long long batch,
                               std::size_t* work_size, cudaDataType executiontype) {
  cufftType type = CUFFT_C2C;
  const cufftResult result = type_of(inputtype, outputtype, executiontype, type);
  if (result != CUFFT_SUCCESS) return result;
  return cufftGetSizeMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                            work_size);
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, std::size_t* work_size) {
  return estimate(basic(1, {1, 1, nx}, type, batch), work_size);
}
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, std::size_t* work_size) {
  return estimate(basic(2, {1, nx, ny}, type, 1), work_size);
}
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, std::size_t* work_size) {
  return estimate(basic(3, {nx, ny, nz}, type, 1), work_size);
}
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, std::size_t* work_size) {
  request r;
  const cufftResult result =
      make_request(r, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return result != CUFFT_SUCCESS ? result : estimate(r, work_size);
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  const auto plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
  if (version == nullptr) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUFFT_INVALID_VALUE;
  switch (type) {
    case MAJOR_VERSION:
      *value = CUFFT_VER_MAJOR;
      return CUFFT_SUCCESS;
    case MINOR_VERSION:
      *value = CUFFT_VER_MINOR;
      return CUFFT_SUCCESS;
    case PATCH_LEVEL:
      *value = CUFFT_VER_PATCH;
      return CUFFT_SUCCESS;
  }
  return CUFFT_INVALID_TYPE;  // seen
}
