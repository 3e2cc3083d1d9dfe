// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "accesses.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include "device/devices.hpp"
#include "memory/variables.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_found = 8;
constexpr byte_set whole_page = [] {
  byte_set all;
  all.words.fill(~0ull);
  return all;
}();

bool conflicts(touch_kind a, touch_kind b) { return a != b || a == touch_kind::write; }

/// The first byte that both have; the size of a page where there is none.
std::size_t first_common(const byte_set& a, const byte_set& b) {
  for (std::size_t w = 0; w < a.words.size(); ++w)
    if (const std::uint64_t both = a.words[w] & b.words[w]; both != 0)
      return w * 64 + static_cast<std::size_t>(std::countr_zero(both));
  return bytes_per_page;
}

/// Takes `gone` out of `bytes`; false where nothing is left.
bool take_out(std::unique_ptr<byte_set>& bytes, const byte_set& gone) {
  if (bytes == nullptr) bytes = std::make_unique<byte_set>(whole_page);
  std::uint64_t left = 0;
  for (std::size_t w = 0; w < gone.words.size(); ++w) left |= bytes->words[w] &= ~gone.words[w];
  return left != 0;
}

/// Do two operations mean different memory by this address? A variable has the same address on all devices,
/// and each has its own.
bool are_apart(const operation* a, const operation& b, std::uintptr_t address) {
  if (device_count() == 1 || a == nullptr || a->device == b.device || a->of_host || b.of_host) return false;
  const variable_record* variable = find_variable(reinterpret_cast<const void*>(address));
  return variable != nullptr && variable->space != memory_space::managed;
}

/// Does the access that is there come later in the program than the one that is looked at?
bool is_later(const conflict& c, const operation* mine) {
  return mine != nullptr && (c.other->of_host || c.other->number > mine->number);
}

void note(std::vector<conflict>& found, const operation* mine, conflict&& one) {
  for (conflict& known : found) {
    if (known.other != one.other) continue;
    // That one gets what the other one makes says most.
    const auto rank = [mine](const conflict& c) {
      return std::tuple((is_later(c, mine) ? c.others : c.mine) == touch_kind::write, c.first);
    };
    if (rank(one) < rank(known)) known = std::move(one);
    return;
  }
  if (found.size() < most_found) found.push_back(std::move(one));
}

}  // namespace

void access_map::add(const accessor& who, std::uint64_t page, const touch_mark& how, const byte_set* bytes,
                     bool keep, std::vector<conflict>& found) {
  const touch_kind kind = how.kind;
  const byte_set& mine = bytes != nullptr ? *bytes : whole_page;
  const auto present = pages_.find(page);
  if (present == pages_.end() && !keep) return;
  std::vector<access>& all = present != pages_.end() ? present->second : pages_[page];
  std::erase_if(all, [&](access& each) {
    if (who.host.covers(each.op->at)) return true;
    const std::size_t first = first_common(mine, each.bytes != nullptr ? *each.bytes : whole_page);
    if (first == bytes_per_page || are_apart(who.op.get(), *each.op, page * bytes_per_page + first))
      return false;
    const placed_access that{*each.op, each.how};
    const bool ordered =
        each.op == who.op || who.start.covers(that.at()) ||
        (who.op != nullptr && device_count() > 1 && placed_access{*who.op, how}.comes_after(that.at()));
    if (!ordered && !conflicts(kind, each.how.kind)) return false;
    // Of two kernels that run at the same time, the one that ends first may have heard of the other one.
    if (!ordered && device_count() > 1 && who.op != nullptr &&
        that.comes_after(placed_access{*who.op, how}.at()))
      return false;
    if (!ordered) note(found, who.op.get(), {kind, each.how.kind, each.op, page * bytes_per_page + first});
    // What comes after this access in order comes after that one, too.
    const bool said_later =
        each.op == who.op && ((who.is_early && kind != each.how.kind) || how.heard != each.how.heard ||
                              how.released != each.how.released);
    const bool replaced = keep && (kind == touch_kind::write || kind == each.how.kind) && !said_later;
    if (!replaced) return false;
    return bytes == nullptr || !take_out(each.bytes, mine);
  });
  const auto same = [&](const access& each) {
    return each.op == who.op && each.how == how && each.bytes != nullptr;
  };
  if (const auto known = keep && bytes != nullptr ? std::find_if(all.begin(), all.end(), same) : all.end();
      known != all.end())
    for (std::size_t w = 0; w < mine.words.size(); ++w) known->bytes->words[w] |= mine.words[w];
  else if (keep)
    all.push_back({who.op, how, bytes == nullptr ? nullptr : std::make_unique<byte_set>(*bytes)});
  if (all.empty()) pages_.erase(page);
}

void access_map::add(const accessor& who, std::uintptr_t address, std::size_t size, const touch_mark& how,
                     bool keep, std::vector<conflict>& found) {
  const std::uintptr_t end = address + size;
  while (address < end) {
    const std::uint64_t page = address / bytes_per_page;
    const std::size_t from = address % bytes_per_page, to = std::min(bytes_per_page, from + (end - address));
    if (from == 0 && to == bytes_per_page) {
      add(who, page, how, nullptr, keep, found);
    } else {
      byte_set bytes;
      bytes.add(from, to);
      add(who, page, how, &bytes, keep, found);
    }
    address += to - from;
  }
}

bool access_map::pending(std::uint64_t page, const vector_clock& host) const {
  const auto found = pages_.find(page);
  return found != pages_.end() && std::any_of(found->second.begin(), found->second.end(),
                                              [&](const access& a) { return !host.covers(a.op->at); });
}

void access_map::forget(std::uintptr_t address, std::size_t size) {
  const std::uintptr_t end = address + size;
  for (auto page = pages_.begin(); page != pages_.end();) {
    const std::uintptr_t begin = page->first * bytes_per_page;
    if (begin < end && begin + bytes_per_page > address) {
      byte_set gone;
      gone.add(std::max(begin, address) - begin, std::min(begin + bytes_per_page, end) - begin);
      std::erase_if(page->second, [&](access& each) { return !take_out(each.bytes, gone); });
    }
    page = page->second.empty() ? pages_.erase(page) : std::next(page);
  }
}

}  // namespace cuda_emulator
