// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "work.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "device/errors.hpp"
#include "device/settings.hpp"
#include "graph.hpp"
#include "memory/device_memory.hpp"
#include "memory/registered_ranges.hpp"
#include "memory/shadow.hpp"
#include "memory/variables.hpp"
#include "movements.hpp"
#include "order_state.hpp"
#include "pending.hpp"
#include "tell/findings.hpp"

namespace cuda_emulator {
namespace {

thread_local work* in_host_function = nullptr;  // one that is watched
thread_local bool in_any_host_function = false;

std::uintptr_t number_of_address(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

work::work(CUstream_st& stream, const work_label& label) : device_(stream.device) {
  const bool watched = settings().checking && (several_streams || memory_of_both || movements_kept());
  const bool deferred = settings().order != thread_order::forward && (several_streams || memory_of_both);
  order_state& order = the_order();
  if (!watched && !deferred && !label.kept && !anything_kept()) {
    const std::lock_guard lock(order.mutex);
    unnoted_ = ++order.unnoted_given;
    return;
  }
  watched_ = watched;
  operation op{.what = label.kernel != nullptr ? std::string("kernel ") + label.kernel
                                               : std::string(label.function) + "()"};
  op.launched_at = label.launched_at;
  op.verb = label.verb;
  if (op.launched_at.empty()) op.called_at = caller_outside();
  op.stream = stream.label;
  op.beside = captured_beside();
  const std::lock_guard lock(order.mutex);
  op.start = label.allocates && stream.is_default() ? order.of_stream_alone(stream) : order.before(stream);
  op.at.timeline = stream.timeline;
  begin(std::move(op));
  stream.clock = finished_;
}

work::work(const operation& node, const vector_clock& start, std::uint32_t timeline, int device)
    : device_(device) {
  operation op = node;
  op.start = start;
  op.at.timeline = timeline;
  watched_ = settings().checking;
  const std::lock_guard lock(the_order().mutex);
  begin(std::move(op));
}

void work::begin(operation&& op) {
  order_state& order = the_order();
  op.device = device_;
  // What the host has done so far comes before it.
  order.host.reach({order_state::of_host, ++order.last[order_state::of_host]});
  op.start.reach({order_state::of_host, order.last[order_state::of_host]});
  order.done.reach({order_state::of_host, order.last[order_state::of_host]});
  op.number = ++order.operations;
  op.at.tick = order.last[op.at.timeline] += operation::ticks;
  finished_ = op.start;
  finished_.reach(op.at);
  op_ = std::make_shared<const operation>(std::move(op));
  note_operation(*op_);
  ++order_version;
}

bool work::at_once(bool wanted) const {
  if (op_ == nullptr) return true;
  if (!wanted) return false;
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  return order.done.covers(op_->start);
}

/// Where there is one stream only, the host and what it shares with the device.
bool work::of_interest(const void* address, std::size_t size) const {
  const device_memory& memory = device_memory::instance();
  if (memory.contains(address)) {
    if (several_streams) return true;
    return global_shadow.states != nullptr &&
           (global_shadow.states[number_of_address(address) - first_of_memory] & state_of_host) != 0;
  }
  if (const variable_record* variable = find_variable(address))
    return several_streams || variable->space == memory_space::managed;
  return any_registered(address, size);  // pageable memory may lie before it
}

void work::uses(const void* begin, std::size_t size, touch_kind kind, std::uint8_t heard) {
  if (!watched() || size == 0 || !of_interest(begin, size)) return;
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  order.accesses.add({op_, op_->start, order.settled(), !order.kept.empty()}, number_of_address(begin), size,
                     {.kind = kind, .heard = heard}, true, found_);
}

void work::touches(const touched_pages& pages) {
  if (!watched()) return;
  struct piece {
    touch_mark how;  // reads first: that one reads what another one makes says most
    std::uint64_t page;
    const byte_set* bytes;
  };
  std::vector<piece> pieces;
  pages.for_each([&](std::uint64_t page, const touch_mark& how, const byte_set& bytes) {
    pieces.push_back({how, page, &bytes});
  });
  std::sort(pieces.begin(), pieces.end(), [](const piece& a, const piece& b) {
    return std::tuple(a.how.kind, a.page) < std::tuple(b.how.kind, b.page);
  });
  order_state& order = the_order();
  for (const auto& [how, page, bytes] : pieces) {
    std::size_t first = 0;
    while (bytes->words[first] == 0) ++first;
    const auto* address = reinterpret_cast<const void*>(page * bytes_per_page + first * 64);
    if (!several_streams && device_memory::instance().contains(address) && !of_interest(address, 1)) continue;
    const std::lock_guard lock(order.mutex);
    order.accesses.add({op_, op_->start, order.settled(), !order.kept.empty()}, page, how, bytes, true,
                       found_);
  }
}

void work::frees(const void* begin, std::size_t size) {
  if (!watched()) return;
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  order.accesses.add({op_, op_->start, order.settled(), !order.kept.empty()}, number_of_address(begin), size,
                     {.kind = touch_kind::write, .heard = touch_mark::last}, false, found_);
  order.accesses.forget(number_of_address(begin), size);
}

void work::host_waits() {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  order.unnoted_waited = std::max(order.unnoted_waited, unnoted_);
  if (!watched()) return;
  order.host_reaches(finished_);
  note_wait();
}

void work::came_after(const vector_clock& clock) const {
  if (op_ == nullptr) return;
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  op_->heard.join(order.with_late(clock));
}

vector_clock order_state::with_late(const vector_clock& clock) const {
  vector_clock all = clock;
  for (bool more = !late.empty(); more;) {
    more = false;
    for (const auto& [at, heard] : late) {
      if (!all.covers(at) || all.covers(heard)) continue;
      all.join(heard);
      more = true;
    }
  }
  return all;
}

void order_state::begins(const operation& op) {
  if (device_count() > 1) op.begins = with_late(op.start);
}

void order_state::ends(const operation& op) {
  if (op.heard.timelines() == 0) return;
  // What is settled comes before all that is not done, and its accesses are forgotten.
  if (late.size() > 256) std::erase_if(late, [&](const auto& each) { return settled().covers(each.second); });
  late.emplace_back(op.at, op.heard);
}

void work::conclude() {
  if (found_.empty()) return;
  let_devices_conclude();
  std::vector<finding> findings;
  std::uint64_t first = ~0ull;
  for (const conflict& each : found_) {
    findings.emplace_back(finding_kind::unordered, conflict_text(op_, each));
    first = std::min(first, std::max(each.other->number, op_->number));
  }
  found_.clear();
  set_finding_number(first);
  cuda_emulator::conclude(std::move(findings));
}

std::string conflict_text(const std::shared_ptr<const operation>& mine, const conflict& with) {
  const conflict turned{with.others, with.mine, mine, with.first};
  if (with.other->of_host) return unordered_with_host_text(*with.other, turned);
  return with.other->number > mine->number ? unordered_text(*with.other, turned)
                                           : unordered_text(*mine, with);
}

void note_memory_of_both() { memory_of_both = true; }

void host_frees(const char* function, const void* begin, std::size_t size) {
  if (!settings().checking || !(several_streams || memory_of_both)) return;
  run_kept();
  std::vector<conflict> found;
  {
    order_state& order = the_order();
    const std::lock_guard lock(order.mutex);
    order.accesses.add({nullptr, order.host_now(), order.host}, number_of_address(begin), size,
                       {touch_kind::write}, false, found);
  }
  if (!found.empty()) {
    operation freeing{.what = std::string(function) + "()"};
    freeing.called_at = caller_outside();
    freeing.verb = "frees";
    std::vector<finding> findings;
    for (const conflict& each : found)
      findings.emplace_back(finding_kind::unordered, unordered_with_host_text(freeing, each));
    conclude(std::move(findings));
  }
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  order.accesses.forget(number_of_address(begin), size);
}

host_function::host_function(work& of) {
  in_any_host_function = true;
  if (of.watched()) in_host_function = &of;
  last_looked_at = {};
}
host_function::~host_function() {
  in_host_function = nullptr;
  in_any_host_function = false;
}

cudaError_t check_caller() {
  return in_any_host_function ? remember(cudaErrorNotPermitted,
                                         "a function that a stream calls must not give work to streams, or "
                                         "wait for it")
                              : cudaSuccess;
}

std::shared_ptr<const operation> called_by_stream() {
  return in_host_function != nullptr ? in_host_function->op() : nullptr;
}

operation host_access(const std::string& what, unsigned size, const std::string& place) {
  operation access{.what = what, .launched_at = place};
  access.host_size = size;
  access.of_host = true;
  return access;
}

void note_host_access(const void* address, std::size_t size, touch_kind kind, const operation& access) {
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  // One operation for all that one place does between two calls.
  static auto& known = *new std::map<std::string, std::shared_ptr<const operation>>;
  static std::uint64_t tick_of_known = 0;
  const std::uint64_t tick = order.last[order_state::of_host] + 1;
  if (std::exchange(tick_of_known, tick) != tick) known.clear();
  std::shared_ptr<const operation>& op = known[access.launched_at + access.what];
  if (op == nullptr) {
    operation made = access;
    made.at = {order_state::of_host, tick};
    made.start = order.host;
    made.number = order.operations;
    op = std::make_shared<const operation>(std::move(made));
  }
  std::vector<conflict> found;  // what the host meets is looked for by met_by_host()
  order.accesses.add({op, op->start, order.settled()}, number_of_address(address), size, {kind}, true, found);
}

bool host_may_meet(const void* address, std::size_t size) {
  if (!several_streams.load(std::memory_order_relaxed) && !memory_of_both.load(std::memory_order_relaxed))
    return false;
  if (in_host_function != nullptr || anything_kept()) return true;
  // A page that was looked at and had nothing is not looked at again until something changes.
  const std::uint64_t page = number_of_address(address) / bytes_per_page;
  const std::uint64_t last =
      (number_of_address(address) + std::max<std::size_t>(size, 1) - 1) / bytes_per_page;
  if (page == last && host_has_looked(address)) return false;
  const std::uint64_t version = order_version.load(std::memory_order_relaxed);
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  for (std::uint64_t each = page; each <= last; ++each)
    if (order.accesses.pending(each, order.host)) return true;
  last_looked_at = {page, version};
  return false;
}

std::optional<conflict> met_by_host(const void* address, std::size_t size, touch_kind kind, bool trusted) {
  std::vector<conflict> found;
  order_state& order = the_order();
  const std::lock_guard lock(order.mutex);
  if (work* const mine = in_host_function) {
    order.accesses.add({mine->op(), mine->op()->start, order.settled(), !order.kept.empty()},
                       number_of_address(address), size, {.kind = kind, .heard = touch_mark::last}, true,
                       found);
  } else {
    order.accesses.add({nullptr, order.host_now(), order.settled()}, number_of_address(address), size, {kind},
                       false, found);
  }
  if (found.empty()) return std::nullopt;
  if (!trusted) return found.front();
  if (in_host_function == nullptr)
    for (const conflict& each : found) {
      vector_clock done = each.other->start;
      done.reach(each.other->at);
      order.host_reaches(done);
    }
  return std::nullopt;
}

}  // namespace cuda_emulator
