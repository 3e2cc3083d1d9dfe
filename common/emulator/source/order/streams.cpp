// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "streams.hpp"

#include "graph.hpp"
#include "movements.hpp"
#include "order_state.hpp"

namespace cuda_emulator {

bool per_thread_default = false;
std::atomic<bool> several_streams{false}, memory_of_both{false};
std::atomic<std::uint64_t> order_version{0};
std::atomic<std::size_t> kept_count{0};
constinit thread_local looked_at last_looked_at;

namespace {

/// The stream of this thread of the host, made when it is first used.
CUstream_st& stream_of_thread() {
  thread_local CUstream_st* of_devices[most_devices] = {};
  CUstream_st*& mine = of_devices[current_device()];
  if (mine != nullptr) return *mine;
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  mine = new CUstream_st{.id = 2, .device = current_device(), .timeline = order.new_timeline()};
  mine->label = std::make_shared<stream_label>(
      stream_label{.kind = stream_label::which::per_thread, .device = current_device()});
  order.streams.insert(mine);
  several_streams = true;
  return *mine;
}

}  // namespace

CUstream_st& stream_of_library(std::span<const int> devices) {
  thread_local CUstream_st* of_devices[most_devices] = {};
  CUstream_st*& mine = of_devices[devices[0]];
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  if (mine == nullptr) {
    mine = new CUstream_st{.device = devices[0], .timeline = order.new_timeline()};
    mine->label = std::make_shared<stream_label>(
        stream_label{.kind = stream_label::which::of_library, .device = devices[0]});
  }
  for (const int device : devices) mine->clock.join(order.default_streams[device].clock);
  return *mine;
}

order_state::order_state() {
  for (int d = 0; d < device_count(); ++d) {
    default_streams[d].id = 1;
    default_streams[d].device = d;
    default_streams[d].timeline = new_timeline();
    if (d == 0) new_timeline();  // of_host
    default_streams[d].label =
        std::make_shared<stream_label>(stream_label{.kind = stream_label::which::legacy, .device = d});
  }
  if (device_count() > 1) several_streams = true;
}

order_state& the_order() {
  static auto& order = *new order_state;
  return order;
}

std::uint32_t order_state::new_timeline() {
  if (!free_timelines.empty()) {
    const std::uint32_t again = free_timelines.back();
    free_timelines.pop_back();
    return again;
  }
  last.push_back(0);
  return static_cast<std::uint32_t>(last.size() - 1);
}

vector_clock order_state::of_stream_alone(const CUstream_st& stream) const {
  vector_clock clock = stream.clock;
  clock.join(host);
  if (begun_after != nullptr) clock.join(*begun_after);
  return clock;
}

vector_clock order_state::before(const CUstream_st& stream) const {
  vector_clock clock = of_stream_alone(stream);
  if (stream.is_default()) {
    for (const CUstream_st* each : streams)
      if (each->is_blocking() && each->device == stream.device) clock.join(each->clock);
  } else if (stream.is_blocking()) {
    clock.join(default_streams[stream.device].clock);
  }
  return clock;
}

vector_clock order_state::all_of(int device) const {
  vector_clock all;
  if (device_count() == 1) {
    for (std::uint32_t t = 0; t < last.size(); ++t) all.reach({t, last[t]});
    return all;
  }
  all = gone[device];
  all.join(default_streams[device].clock);
  for (const CUstream_st* each : streams)
    if (each->device == device) all.join(each->clock);
  return all;
}

vector_clock order_state::with_heard(const vector_clock& clock) const {
  vector_clock all = clock;
  const vector_clock late_ones = with_late(clock);
  for (std::uint32_t t = 0; t < late_ones.timelines(); ++t)
    all.reach({t, std::min(late_ones.tick(t), done.tick(t))});
  return all;
}

void order_state::host_reaches(const vector_clock& clock) {
  host.join(with_heard(clock));
  ++order_version;
  if (accesses.empty()) return;
  for (std::uint32_t t = 0; t < last.size(); ++t)
    if (!host.covers(epoch{t, last[t]})) return;
  accesses.clear();
  flags.clear();
}

void order_state::host_reaches(const point& at) {
  unnoted_waited = std::max(unnoted_waited, at.unnoted);
  host_reaches(at.clock);
}

vector_clock order_state::host_now() const {
  vector_clock all = host;
  if (begun_after != nullptr) all.join(*begun_after);
  all.reach({of_host, last[of_host] + 1});
  return all;
}

/// Called before main() begins by files that are compiled so; it holds for the whole program.
EMULATOR_API bool use_per_thread_default();
bool use_per_thread_default() { return per_thread_default = true; }

CUstream_st* find_stream(cudaStream_t handle) {
  order_state& order = the_order();
  if (handle == cudaStreamPerThread || (handle == nullptr && per_thread_default)) return &stream_of_thread();
  if (handle == nullptr || handle == cudaStreamLegacy) return &order.default_streams[current_device()];
  const std::lock_guard lock(order.mutex);
  return order.streams.contains(handle) ? handle : nullptr;
}

bool lives(cudaEvent_t event) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  return order.events.contains(event);
}

CUstream_st* create_stream(unsigned int flags, int priority) {
  static std::atomic<unsigned long long> last_id{2};  // after those of the two streams that are always there
  order_state& order = the_order();
  auto* const made =
      new CUstream_st{.flags = flags, .priority = priority, .id = ++last_id, .device = current_device()};
  made->label = std::make_shared<stream_label>(stream_label{stream_label::which::created, made->id - 2,
                                                            (flags & cudaStreamNonBlocking) == 0,
                                                            caller_outside(), current_device()});
  const std::lock_guard lock(order.mutex);
  made->timeline = order.new_timeline();
  order.streams.insert(made);
  several_streams = true;
  return made;
}

bool destroy_stream(cudaStream_t stream) {
  order_state& order = the_order();
  {
    const std::lock_guard lock(order.mutex);
    if (order.streams.erase(stream) == 0) return false;
    if (stream->capturing != nullptr) stream->capturing->streams.erase(stream);
    if (order.host.covers(stream->clock)) order.free_timelines.push_back(stream->timeline);
    // What it still has to do goes on, and the default stream waits for that.
    if (stream->is_blocking()) order.default_streams[stream->device].clock.join(stream->clock);
    order.gone[stream->device].join(stream->clock);
  }
  delete stream;
  return true;
}

cudaEvent_t create_event(bool timed) {
  order_state& order = the_order();
  auto* const made = new CUevent_st{.timed = timed, .device = current_device()};
  const std::lock_guard lock(order.mutex);
  order.events.insert(made);
  return made;
}

bool destroy_event(cudaEvent_t event) {
  order_state& order = the_order();
  {
    const std::lock_guard lock(order.mutex);
    if (order.events.erase(event) == 0) return false;
  }
  delete event;
  return true;
}

void record_event(CUevent_st& event, CUstream_st& stream) {
  order_state& order = the_order();
  event.recorded = true;
  event.recorded_in = stream.label;
  event.time = std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::steady_clock::now());
  event.asked = {};
  {
    const std::lock_guard lock(order.mutex);
    event.at = {order.before(stream), order.unnoted_given};
    if (stream.is_default()) stream.clock = event.at.clock;
    if (!event.timed || order.done.covers(event.at.clock)) return;
  }
  // What comes before it has not run yet.
  work stamp(stream, {.function = "cudaEventRecord"});
  if (!stamp.op()) return;
  event.at.clock = stamp.finished();
  const work_body body = [time = event.time](work&) { *time = std::chrono::steady_clock::now(); };
  give(std::move(stamp), {}, body, [&] { return body; });
}

void wait_for_event(CUstream_st& stream, const CUevent_st& event) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  if (stream.is_default() && event.recorded) stream.clock = order.before(stream);
  stream.clock.join(event.at.clock);
  constexpr std::size_t most = 64;
  order.waits.push_back({stream.label, event.recorded_in, caller_outside(), order.operations});
  if (order.waits.size() > most) order.waits.pop_front();
}

namespace {

point point_of(const CUstream_st& stream) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  return {order.before(stream), order.unnoted_given};
}

void host_waits_for(const point& at) {
  note_wait();
  run_until(at.clock);
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  order.host_reaches(at);
}

bool host_asks_for(const point& at, point& asked) {
  order_state& order = the_order();
  bool news = false;  // on a GPU it may still be at work
  {
    const std::lock_guard lock(order.mutex);
    const bool waited = order.host.covers(at.clock) && at.unnoted <= order.unnoted_waited;
    news = !waited && !(asked.clock.covers(at.clock) && at.unnoted <= asked.unnoted);
    asked = at;
  }
  if (!run_some(at.clock) || news) return false;
  const std::lock_guard lock(order.mutex);
  order.host_reaches(at);
  return true;
}

}  // namespace

void host_waits_for(const CUstream_st& stream) { host_waits_for(point_of(stream)); }
void host_waits_for(const CUevent_st& event) { host_waits_for(point(event.at)); }
bool host_asks_for(CUstream_st& stream) { return host_asks_for(point_of(stream), stream.asked); }
bool host_asks_for(CUevent_st& event) { return host_asks_for(point(event.at), event.asked); }

void host_waits_for_device(int device) {
  order_state& order = the_order();
  point all;
  {
    const std::lock_guard lock(order.mutex);
    all = {order.all_of(device), order.unnoted_given};
  }
  host_waits_for(all);
}

void forget_order(int device) {
  host_waits_for_device(device);
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  if (device_count() == 1) order.accesses.clear();
}

void joins_default_streams(int device, int other) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  CUstream_st &a = order.default_streams[device], &b = order.default_streams[other];
  vector_clock both = order.before(a);
  both.join(order.before(b));
  a.clock.join(both);
  b.clock.join(both);
}

}  // namespace cuda_emulator
