// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "device_map.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "00_meet_the_device/chains.hpp"
#include "00_meet_the_device/pointer_chase.hpp"
#include "00_meet_the_device/read_bandwidth.hpp"
#include "common/device/check.hpp"
#include "common/device/device_attribute.hpp"
#include "common/device/measure.hpp"
#include "common/files/numbers.hpp"
#include "common/verify/inputs.hpp"

namespace tutorial {
namespace {

using align = text_table::align;

constexpr std::size_t page_bytes = std::size_t{2} << 20;  // what one entry of the address translation covers
constexpr std::size_t page_nodes = page_bytes / sizeof(chain_node);
constexpr int repeats = 5;

double attribute(cudaDeviceAttr which) { return device_attribute(which); }

double memory_bytes() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return double(total);
}

/// Nodes in memory of the host that is pinned: the device reads it over the host link.
class pinned_nodes {
 public:
  explicit pinned_nodes(std::size_t count) {
    check(cudaHostAlloc(reinterpret_cast<void**>(&nodes_), count * sizeof(chain_node), cudaHostAllocMapped));
  }
  ~pinned_nodes() { cudaFreeHost(nodes_); }
  pinned_nodes(const pinned_nodes&) = delete;
  chain_node* data() { return nodes_; }
  const chain_node* on_device() {
    void* address = nullptr;
    check(cudaHostGetDevicePointer(&address, nodes_, 0));
    return static_cast<const chain_node*>(address);
  }

 private:
  chain_node* nodes_ = nullptr;
};

struct warm_up {
  int steps = 0;
  bool each_time = false;
};

struct link_and_cycles {
  std::uint32_t link;
  long long cycles;
};

/// Walks around one ring again and again, each time on from where the last walk ended.
class ring_walker {
 public:
  ring_walker(chapter_run& run, std::string name, std::vector<std::uint32_t> order)
      : run_(run), name_(std::move(name)), order_(std::move(order)) {}

  /// The cycles of one step, the median of several walks. walk(k, warm_up, steps) walks from link k and
  /// returns {the link where it ended, cycles}. Either the first walk only or each of them is warmed up.
  template <class Walk>
  double operator()(warm_up first, int steps, const Walk& walk) {
    std::vector<double> cycles;
    for (int r = 0; r < (run_.device().emulated ? 1 : repeats); ++r) {
      const int warm = r == 0 || first.each_time ? first.steps : 0;
      const auto [end, taken] = walk(order_[at_], warm, steps);
      at_ = (at_ + std::size_t(warm) + std::size_t(steps)) % order_.size();
      if (end != order_[at_]) run_.fail("the walk through " + name_ + " ended at the wrong link");
      cycles.push_back(double(taken) / steps);
    }
    return median(cycles);
  }

 private:
  chapter_run& run_;
  std::string name_;
  std::vector<std::uint32_t> order_;
  std::size_t at_ = 0;
};

/// Cycles of a load from the nodes that lie from `base` on as the device sees it.
double chase_nodes(chapter_run& run, const std::string& name, const std::vector<std::uint32_t>& order,
                   const chain_node* base, std::size_t apart, warm_up first, int steps) {
  ring_walker walker(run, name, order);
  return walker(first, steps, [&](std::uint32_t from, int warm, int timed) {
    const pointer_walk result = chase_pointers(base + from * apart, warm, timed);
    return link_and_cycles{std::uint32_t(std::size_t(result.end - base) / apart), result.cycles};
  });
}

/// The links of a ring in device memory lie `apart` nodes from one another.
double chase_device(chapter_run& run, const std::string& name, const std::vector<std::uint32_t>& order,
                    std::size_t apart, warm_up first, int steps) {
  device_buffer<chain_node> nodes(order.size() * apart);
  const std::vector<chain_node> ring = ring_of_nodes(order, nodes.data(), apart);
  check(cudaMemcpy2D(nodes.data(), apart * sizeof(chain_node), ring.data(), sizeof(chain_node),
                     sizeof(chain_node), ring.size(), cudaMemcpyHostToDevice));
  // What the copy has left in L2 of a table that is larger gives way to this.
  const device_buffer<std::uint32_t> other(
      nodes.span().size_bytes() > run.device().l2_bytes ? run.device().l2_bytes / 2 : 0);
  return chase_nodes(run, name, order, nodes.data(), apart, first, steps);
}

double chase_host(chapter_run& run, std::size_t bytes, int steps) {
  const std::vector<std::uint32_t> order = walk_order(bytes / sizeof(chain_node), page_nodes);
  pinned_nodes nodes(order.size());
  const std::vector<chain_node> ring = ring_of_nodes(order, nodes.on_device(), 1);
  std::copy(ring.begin(), ring.end(), nodes.data());
  return chase_nodes(run, "the host's memory", order, nodes.on_device(), 1, {}, steps);
}

/// `chase` is chase_shared or chase_constant.
template <class Chase>
double chase_offsets(chapter_run& run, const std::string& name, std::size_t bytes, std::size_t bytes_apart,
                     int steps, const Chase& chase) {
  const std::vector<std::uint32_t> order = walk_order(bytes / bytes_apart, bytes / bytes_apart);
  const std::vector<std::uint32_t> chain = ring_of_offsets(order, bytes_apart / 4);
  ring_walker walker(run, name, order);
  return walker({int(order.size()), true}, steps, [&](std::uint32_t from, int warm_up, int timed) {
    const offset_walk result = chase(chain, std::uint32_t(from * bytes_apart), warm_up, timed);
    return link_and_cycles{std::uint32_t(result.end / bytes_apart), result.cycles};
  });
}

struct clock_and_latency {
  double cycles_per_ns, cycles;
};

/// A multiply-add that waits for the one before it, and the clock: cycles by the clock of the multiprocessor
/// over the time of the events.
clock_and_latency chase_registers(chapter_run& run) {
  const int steps = run.device().emulated ? 64 : 1 << 22;
  const float factor = 0.75f, addend = 0.5f;
  float expected = 1;
  for (int s = 0; s < steps; ++s) expected = std::fma(expected, factor, addend);
  device_buffer<multiply_add_walk> result(1);
  const timing time =
      measure([&](int) { chase_multiply_adds(factor, addend, steps, result); }, {.repeats = repeats});
  const multiply_add_walk walk = result.to_host().front();
  if (walk.end != expected) run.fail("the chain of multiply-adds has another result than on the host");
  return {double(walk.cycles) / (time.median_ms * 1e6), double(walk.cycles) / steps};
}

std::vector<uint4> numbered_vectors(std::size_t count) {
  std::vector<uint4> table(count);
  for (std::size_t v = 0; v < count; ++v) {
    const auto word = [&](std::size_t k) { return std::uint32_t(random_bits(4, 4 * v + k)); };
    table[v] = {word(0), word(1), word(2), word(3)};
  }
  return table;
}

/// Bytes per second that all multiprocessors read together, full of threads, from a table of that many bytes:
/// `read` is read_table or read_shared, and the threads count within `within` of them.
template <class Read>
double read_rate(chapter_run& run, const std::string& name, std::size_t bytes, table_reads which,
                 std::size_t within, const Read& read) {
  const std::vector<uint4> host = numbered_vectors(bytes / sizeof(uint4));
  const device_buffer<uint4> table(host);
  device_buffer<std::uint32_t> sums(run.device().emulated ? 256
                                                          : std::size_t(run.device().multiprocessors) * 2048);
  const timing time = measure([&](int) { read(table.span(), which, sums.span()); });
  const std::vector<std::uint32_t> found = sums.to_host();
  for (std::size_t i = 0; i < found.size(); i += found.size() / 64 + 1) {
    std::uint32_t expected = 0;
    for (int r = 0; r < which.reads; ++r) {
      const uint4& four = host[(i % within + std::size_t(r) * which.step) % host.size()];
      expected += four.x + four.y + four.z + four.w;
    }
    if (found[i] != expected) {
      run.fail("reading " + name + ": a sum is wrong");
      break;
    }
  }
  return double(found.size()) * which.reads * sizeof(uint4) / (time.median_ms * 1e-3);
}

double register_rate(chapter_run& run) {
  const int rounds = run.device().emulated ? 8 : 4096;
  const std::vector<float> host = random_signal<float>(1000);
  const device_buffer<float> x(host);
  device_buffer<float> y(run.device().emulated ? 256 : std::size_t(run.device().multiprocessors) * 2048);
  const timing time = measure([&](int) { read_registers(x, rounds, y); });
  float expected = 0;  // of thread 0
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 4; ++q) {
      float sum = 0;
      for (int r = 0; r < rounds; ++r) sum = std::fma(host[std::size_t(p)], host[std::size_t(4 + q)], sum);
      expected += sum;
    }
  if (y.to_host().front() != expected) run.fail("reading registers: a sum is wrong");
  return double(y.size()) * rounds * multiply_adds_per_round * bytes_per_multiply_add /
         (time.median_ms * 1e-3);
}

/// The largest of these sizes at which a step takes at most a tenth longer than at the first. No property of
/// the device says how large these caches are.
double size_by_chase(chapter_run& run, const std::string& place, const std::vector<std::size_t>& sizes,
                     const std::function<double(std::size_t)>& cycles_at) {
  double first = 0, fits = 0;
  bool still = true;
  for (const std::size_t bytes : sizes) {
    const double cycles = cycles_at(bytes);
    if (first == 0) first = cycles;
    still = still && cycles <= 1.1 * first;
    if (still) fits = double(bytes);
    run.record({{"table", "map_sizes"},
                {"place", place},
                {"table_bytes", std::to_string(bytes)},
                {"latency_cycles", significant(cycles, 4)}});
  }
  return fits;
}

std::vector<std::size_t> steps_of(std::size_t from, std::size_t to, std::size_t step) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = from; size <= to; size += step) sizes.push_back(size);
  return sizes;
}

/// A row of the map. What is 0 is not known.
struct place {
  std::string key, title, of;
  double bytes = 0, cycles = 0, rate = 0;
};

class map_table {
 public:
  /// Without columns for times where there are none.
  map_table(chapter_run& run, double cycles_per_ns)
      : run_(run), cycles_per_ns_(cycles_per_ns), table_(columns(!run.device().emulated)) {}

  void add(const place& p) {
    const double ns = cycles_per_ns_ > 0 ? p.cycles / cycles_per_ns_ : 0;
    const auto shown = [](double value) { return value > 0 ? significant(value) : "-"; };
    const std::string holds = p.bytes > 0 ? bytes_text(p.bytes) : "-";
    if (run_.device().emulated)
      table_.add_row({p.title, holds, p.of});
    else
      table_.add_row({p.title, holds, p.of, shown(p.cycles), shown(ns), shown(p.rate / 1e12)});
    const auto recorded = [](double value) { return value > 0 ? significant(value, 4) : ""; };
    run_.record({{"table", "map"},
                 {"place", p.key},
                 {"title", p.title},
                 {"holds", holds},
                 {"of", p.of},
                 {"size_bytes", p.bytes > 0 ? fixed(p.bytes, 0) : ""},
                 {"latency_cycles", recorded(p.cycles)},
                 {"latency_ns", recorded(ns)},
                 {"tb_per_s", recorded(p.rate / 1e12)},
                 {"under_way_kb", p.rate > 0 && ns > 0 ? significant(p.rate * ns * 1e-12) : ""},
                 {"multiprocessors", std::to_string(run_.device().multiprocessors)},
                 {"clock_ghz", recorded(cycles_per_ns_)}});
  }

  void show() { run_.show("The map of this device", table_); }

 private:
  static std::vector<text_table::column> columns(bool timed) {
    std::vector<text_table::column> all = {{"place", align::left}, {"holds"}, {"of", align::left}};
    if (timed) all.insert(all.end(), {{"cycles a load"}, {"ns"}, {"TB/s, all together"}});
    return all;
  }

  chapter_run& run_;
  double cycles_per_ns_;
  text_table table_;
};

constexpr const char* of_each = "each multiprocessor";
constexpr const char* of_device = "the device";

/// Everything is walked through and verified here, too; only times are not there.
void show_sizes(chapter_run& run) {
  chase_registers(run);
  chase_offsets(run, "shared memory", 1024, 4, 64, chase_shared);
  chase_offsets(run, "constant memory", 1024, 64, 64, chase_constant);
  chase_device(run, "device memory", walk_order(64, 16), 2, {16}, 64);
  chase_host(run, 64 * sizeof(chain_node), 64);
  register_rate(run);
  read_rate(run, "shared memory", 1 << 12, {256, 8}, 256, read_shared);
  read_rate(run, "a table", 1 << 16, {256, 8}, ~std::size_t{0}, read_table);
  map_table map(run, 0);
  map.add({"registers", "registers", of_each, 4 * attribute(cudaDevAttrMaxRegistersPerMultiprocessor)});
  map.add({"shared", "shared memory", of_each, attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor)});
  map.add({"l1", "L1 cache", of_each});
  map.add({"constant", "constant cache", of_each});
  map.add({"l2", "L2 cache", of_device, attribute(cudaDevAttrL2CacheSize)});
  map.add({"memory", "device memory", of_device, memory_bytes()});
  map.add({"host", "host memory, over the link", "the host"});
  map.show();
  run.say(
      "On a GPU this table also shows how long a load from each place takes, how many bytes a second all\n"
      "multiprocessors together read from it, and the two sizes that are missing here, which follow from\n"
      "such times. The emulated device has no times and no caches.\n");
}

}  // namespace

void show_map(chapter_run& run, const ruler_rates& rates) {
  if (run.device().emulated) return show_sizes(run);
  const clock_and_latency multiply_add = chase_registers(run);

  // L1 is emptied between kernels: each walk warms it up. The other caches stay as they are.
  const auto l1_cycles = [&](std::size_t bytes) {
    const std::size_t links = bytes / sizeof(chain_node);
    return chase_device(run, "L1", walk_order(links, links), 1, {int(links), true}, 4096);
  };
  const double l1_bytes = size_by_chase(run, "l1", steps_of(16 << 10, 320 << 10, 16 << 10), l1_cycles);
  const auto constant_cycles = [&](std::size_t bytes) {
    return chase_offsets(run, "constant memory", bytes, 64, 4096, chase_constant);
  };
  const double constant_bytes = size_by_chase(run, "constant", steps_of(256, 8192, 256), constant_cycles);

  const std::size_t l2_links = (8 << 20) / sizeof(chain_node);
  const std::size_t memory_links = 2 * run.device().l2_bytes / page_bytes * page_nodes;
  const std::size_t far_links = std::size_t{1} << 18, far_apart = 32;  // 1 GiB
  const int steps = 8192;
  const double l2_cycles = chase_device(run, "L2", walk_order(l2_links, l2_links), 1, {int(l2_links)}, steps);
  // No link is visited twice. The walk stays on a page before it goes on to the next one; the second goes to
  // another page in nearly every step. What that costs is the translation of addresses.
  const double memory_cycles =
      chase_device(run, "device memory", walk_order(memory_links, page_nodes), 1, {1024}, steps);
  const double far_cycles =
      chase_device(run, "device memory", walk_order(far_links, far_links), far_apart, {1024}, steps);
  const double host_cycles = chase_host(run, std::size_t{4} << 20, 2048);

  map_table map(run, multiply_add.cycles_per_ns);
  map.add({"registers", "registers", of_each, 4 * attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
           multiply_add.cycles, register_rate(run)});
  map.add({"shared", "shared memory", of_each, attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
           chase_offsets(run, "shared memory", 32 << 10, 4, 4096, chase_shared),
           read_rate(run, "shared memory", 16 << 10, {256, 4096}, 256, read_shared)});
  map.add({"l1", "L1 cache", of_each, l1_bytes, l1_cycles(32 << 10),
           read_rate(run, "L1", 32 << 10, {256, 4096}, ~std::size_t{0}, read_table)});
  map.add({"constant", "constant cache", of_each, constant_bytes, constant_cycles(1024)});
  // A step as wide as the grid: no multiprocessor meets a vector again while its L1 still has it.
  const auto grid = std::uint32_t(run.device().multiprocessors) * 2048;
  map.add({"l2", "L2 cache", of_device, double(run.device().l2_bytes), l2_cycles,
           read_rate(run, "L2", 16 << 20, {grid, 256}, ~std::size_t{0}, read_table)});
  map.add({"memory", "device memory", of_device, memory_bytes(), memory_cycles, rates.memory});
  map.add({"memory_far", "device memory, another page each time", of_device, 0, far_cycles});
  map.add({"host", "host memory, over the link", "the host", 0, host_cycles, rates.host_link});
  map.show();
}

}  // namespace tutorial
