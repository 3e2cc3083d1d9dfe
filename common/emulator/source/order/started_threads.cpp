// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A thread that a function of a stream starts begins after what that function comes after. Other threads of
// the host know nothing of that.
#include <dlfcn.h>
#include <pthread.h>

#include <memory>
#include <mutex>

#include "emulator/export.hpp"
#include "order_state.hpp"
#include "work.hpp"

namespace cuda_emulator {

constinit thread_local const vector_clock* begun_after = nullptr;

namespace {

struct beginning {
  void* (*routine)(void*);
  void* data;
  vector_clock after{};
};

void* begin_thread(void* data) {
  struct thread_begun {
    std::unique_ptr<const beginning> mine;
    ~thread_begun() { begun_after = nullptr; }
  } const begun{std::unique_ptr<const beginning>(static_cast<const beginning*>(data))};
  begun_after = &begun.mine->after;
  return begun.mine->routine(begun.mine->data);
}

}  // namespace
}  // namespace cuda_emulator

extern "C" {
EMULATOR_API int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                                void* data) noexcept {
  using namespace cuda_emulator;
  static const auto next = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  const std::shared_ptr<const operation> caller = called_by_stream();
  if (caller == nullptr && begun_after == nullptr) return next(thread, attributes, routine, data);
  auto mine = std::make_unique<beginning>(beginning{routine, data});
  if (begun_after != nullptr) mine->after = *begun_after;
  if (caller != nullptr) {
    mine->after.join(caller->start);
    mine->after.reach(caller->at);
    order_state& order = the_order();
    const std::lock_guard lock(order.mutex);
    mine->after = order.with_heard(mine->after);
  }
  const int error = next(thread, attributes, begin_thread, mine.get());
  if (error == 0) mine.release();
  return error;
}
}
