// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "step_trace.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "block_trace.hpp"
#include "code/symbolize.hpp"

namespace cuda_emulator {
namespace {

constexpr std::size_t most_steps = 20'000;

lane_value value_at(const void* address, unsigned size) {
  lane_value value;
  value.size = static_cast<std::uint8_t>(std::min<std::size_t>(size, sizeof value.bytes));
  std::memcpy(value.bytes, address, value.size);
  return value;
}

template <class T>
T number_at(const unsigned char* bytes) {
  T number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

template <class T>
std::string number_text(const unsigned char* bytes) {
  const T number = number_at<T>(bytes);
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  }
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, number);
  return error == std::errc() ? std::string(text, end) : "-";
}

std::string number_text(const unsigned char* bytes, number_kind kind, unsigned size) {
  // Memory that nobody has written is filled with such bytes.
  if (kind == number_kind::floating &&
      std::all_of(bytes, bytes + size, [](auto each) { return each == 0xff; }))
    return "-";
  switch (kind) {
    case number_kind::boolean:
      return bytes[0] != 0 ? "true" : "false";
    case number_kind::floating:
      if (size == 4) return number_text<float>(bytes);
      if (size == 8) return number_text<double>(bytes);
      break;
    case number_kind::signed_integer:
      if (size == 1) return std::to_string(number_at<std::int8_t>(bytes));
      if (size == 2) return number_text<std::int16_t>(bytes);
      if (size == 4) return number_text<std::int32_t>(bytes);
      if (size == 8) return number_text<std::int64_t>(bytes);
      break;
    case number_kind::unknown: {  // a mask
      char text[16];
      std::snprintf(text, sizeof text, "0x%08x", number_at<std::uint32_t>(bytes));
      return text;
    }
    default:
      if (size == 1) return std::to_string(bytes[0]);
      if (size == 2) return number_text<std::uint16_t>(bytes);
      if (size == 4) return number_text<std::uint32_t>(bytes);
      if (size == 8) return number_text<std::uint64_t>(bytes);
      break;
  }
  return "-";
}

/// As C++ has it; "-" where that is not known.
std::string type_text(number_type type) {
  std::string name = "-";
  const unsigned size = type.bytes;
  if (type.kind == number_kind::boolean) name = "bool";
  if (type.kind == number_kind::floating) name = size == 4 ? "float" : "double";
  if (type.kind == number_kind::signed_integer || type.kind == number_kind::unsigned_integer) {
    name = size == 1 ? "char" : size == 2 ? "short" : size == 4 ? "int" : "long";
    if (type.kind == number_kind::unsigned_integer) name = "u" + name;
    if (size == 1 && type.kind == number_kind::signed_integer) name = "char";
  }
  return type.count > 1 ? name + std::to_string(type.count) : name;
}

}  // namespace

std::uint64_t step_trace::push(int thread, event&& e) {
  settle(thread);
  if (e.pc == 0) e.pc = last_pc_[thread];
  last_pc_[thread] = e.pc;
  std::vector<event>& own = events_[thread];
  if (own.size() >= 0xfff0) cut_ = true;  // more has no number
  if (!cut_) own.push_back(std::move(e));
  return own.empty() ? 0 : own.size() - 1;
}

/// What the thread has stored last is there by now.
void step_trace::settle(int thread) {
  pending& last = pending_[thread];
  if (last.address == nullptr) return;
  lane_value& value = accesses_[thread][last.which].value;
  value = value_at(last.address, value.size);
  last.address = nullptr;
}

void step_trace::access(int thread, std::size_t entry, const void* address, unsigned size, bool reads,
                        std::uint64_t pc) {
  settle(thread);
  last_pc_[thread] = pc;
  if (cut_) return;
  accesses_[thread].push_back({entry, {}, nullptr});
  lane_value& value = accesses_[thread].back().value;
  if (reads) {
    value = value_at(address, size);
  } else {
    value.size = static_cast<std::uint8_t>(std::min<std::size_t>(size, sizeof value.bytes));
    pending_[thread] = {address, accesses_[thread].size() - 1};
  }
}

void step_trace::atomic(int thread, const char* name, std::uint64_t old, unsigned size) {
  if (accesses_[thread].empty()) return;
  accesses_[thread].back().name = name;
  accesses_[thread].back().value = value_at(&old, size);
}

std::uint64_t step_trace::note(int thread, const char* name, long long element, number_type type,
                               const void* value, std::uint64_t pc) {
  event e{what::variable, pc, name, element, type};
  e.value = value_at(value, static_cast<unsigned>(type.bytes) * type.count);
  return push(thread, std::move(e));
}

void step_trace::local_array(int thread, const char* name, const void* begin, std::size_t element_size,
                             std::size_t count) {
  const auto* const first = static_cast<const char*>(begin);
  std::vector<local>& own = locals_[thread];
  std::erase_if(own, [&](const local& each) {
    return each.begin < first + element_size * count && first < each.begin + each.size;
  });
  own.push_back({name, first, element_size, element_size * count});
}

std::pair<const char*, long long> step_trace::local_element(int thread, const void* element) const {
  const auto* const at = static_cast<const char*>(element);
  for (const local& each : locals_[thread])
    if (at >= each.begin && at < each.begin + each.size)
      return {each.name,
              static_cast<long long>(static_cast<std::size_t>(at - each.begin) / each.element_size)};
  return {nullptr, 0};
}

std::uint64_t step_trace::note_address(int thread, const char* name, space where, std::uint64_t address,
                                       std::uint64_t pc) {
  event e{what::pointer, pc, name};
  e.where = where;
  e.value = value_at(&address, sizeof address);
  return push(thread, std::move(e));
}

std::uint64_t step_trace::note_line(int thread, std::uint64_t pc) { return push(thread, {what::line, pc}); }

std::uint64_t step_trace::barrier(int thread, const char* name, std::uint64_t pc) {
  return push(thread, {what::barrier, pc, name});
}

std::uint64_t step_trace::leave(int thread) { return push(thread, {what::leave, 0}); }

std::uint64_t step_trace::collective(int thread, const part_of_collective& part, std::uint64_t pc) {
  event e{what::collective, pc, part.name};
  e.group = part.group;
  e.lanes = part.lanes;
  e.from = part.from;
  e.given = part.given;
  e.value = part.got;
  return push(thread, std::move(e));
}

void step_trace::array(const char* name, space where, std::uint64_t begin, number_type of,
                       const std::size_t (&extents)[4]) {
  if (of.bytes == 0 || arrays_.size() == 1000) return;
  const auto known = std::find_if(arrays_.begin(), arrays_.end(), [&](const known_array& each) {
    return each.where == where && each.begin == begin;
  });
  if (known != arrays_.end()) {
    // Memory that is declared as bytes is what a pointer to it says.
    const bool bytes = known->type.bytes == 1 && known->type.count == 1;
    if (!bytes || of.bytes == 1) return;
    arrays_.erase(known);
  }
  arrays_.push_back({name, where, begin, of, {extents[0], extents[1], extents[2], extents[3]}});
}

const step_trace::known_array* step_trace::known_at(space where, std::uint64_t begin) const {
  const auto found = std::find_if(arrays_.begin(), arrays_.end(), [&](const known_array& each) {
    return each.where == where && each.begin == begin;
  });
  return found == arrays_.end() ? nullptr : &*found;
}

void step_trace::release() {
  for (auto each = steps_.rbegin(); each != steps_.rend(); ++each) {
    if (each->kind != step_kind::barrier) continue;
    each->waiting.clear();  // the block goes on
    break;
  }
  waiting_.clear();
}

void step_trace::begin_fold(int warp) {
  warp_ = warp;
  for (int lane = 0; lane < 32; ++lane) {
    settle(warp * 32 + lane);
    cursor_[lane] = 0;
  }
}

std::uint64_t step_trace::pc_of(int lane, std::uint64_t which) const {
  const auto& own = events_[warp_ * 32 + lane];
  return which < own.size() ? own[which].pc : 0;
}

bool step_trace::is_return(int lane, std::uint64_t which) const {
  const auto& own = events_[warp_ * 32 + lane];
  return which < own.size() && own[which].kind == what::leave;
}

std::uint32_t step_trace::waits_for(int lane, std::uint64_t which) const {
  const auto& own = events_[warp_ * 32 + lane];
  return which < own.size() ? own[which].lanes : 0;
}

bool step_trace::same(int lane, std::uint64_t which, int other_lane, std::uint64_t other_which) const {
  const auto &own = events_[warp_ * 32 + lane], &others = events_[warp_ * 32 + other_lane];
  if (which >= own.size() || other_which >= others.size())
    return which >= own.size() && other_which >= others.size();
  const event &a = own[which], &b = others[other_which];
  if (a.kind != b.kind || a.group != b.group) return false;
  return a.kind == what::leave || a.kind == what::collective ||
         (a.pc == b.pc &&
          (a.kind == what::line || a.kind == what::barrier || std::strcmp(a.name, b.name) == 0));
}

step_trace::step* step_trace::add_step(step_kind kind, std::uint32_t lanes, std::uint64_t pc,
                                       std::size_t values) {
  cut_ |= steps_.size() == most_steps || values_.size() + values > most_values_;
  if (cut_) return nullptr;
  if (!steps_.empty()) {
    const step& last = steps_.back();
    if (last.kind == step_kind::line && last.sets.empty() && last.warp == warp_ && last.lanes == lanes &&
        place_of(last.pc) == place_of(pc))
      steps_.pop_back();
  }
  steps_.push_back({kind, warp_, requests_.interval(), lanes, pc});
  return &steps_.back();
}

std::size_t step_trace::variable_of(const event& e) {
  std::string name = e.name;
  if (e.element >= 0) name += "[" + std::to_string(e.element) + "]";
  const auto [found, fresh] = numbers_.emplace(name, variables_.size());
  if (fresh) variables_.push_back(name);
  return found->second;
}

/// What variables are after a line: together with the others of that line, unless one of them comes again.
void step_trace::add_sets(std::uint32_t lanes, const event* const* events) {
  const event& first = *events[std::countr_zero(lanes)];
  std::map<std::size_t, std::uint32_t> by_variable;  // elements of arrays may differ
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    by_variable[variable_of(*events[lane])] |= 1u << lane;
  }
  step* to = steps_.empty() ? nullptr : &steps_.back();
  const bool goes_on =
      to != nullptr && to->kind == step_kind::line && to->warp == warp_ && to->lanes == lanes &&
      to->interval == requests_.interval() && place_of(to->pc) == place_of(first.pc) &&
      std::none_of(to->sets.begin(), to->sets.end(),
                   [&](const set_variable& each) { return by_variable.contains(each.variable); });
  if (!goes_on) to = add_step(step_kind::line, lanes, first.pc, 32);
  if (to == nullptr || cut_) return;
  for (const auto& [variable, some] : by_variable) {
    to->sets.push_back(
        {variable, values_.size(), first.type, first.kind == what::pointer, first.where, some});
    for (std::uint32_t rest = some; rest != 0; rest &= rest - 1)
      values_.push_back(events[std::countr_zero(rest)]->value);
  }
}

void step_trace::add(std::uint32_t lanes, const std::uint64_t* numbers) {
  const event* events[32] = {};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto& own = events_[warp_ * 32 + lane];
    if (numbers[lane] >= own.size()) return;  // cut
    events[lane] = &own[numbers[lane]];
  }
  const event& first = *events[std::countr_zero(lanes)];
  switch (first.kind) {
    case what::variable:
    case what::pointer:
      add_sets(lanes, events);
      return;
    case what::line:
      add_step(step_kind::line, lanes, first.pc, 0);
      return;
    case what::leave:
      add_step(step_kind::leave, lanes, first.pc, 0);
      return;
    case what::barrier: {
      if (std::find(waiting_.begin(), waiting_.end(), warp_) == waiting_.end()) waiting_.push_back(warp_);
      if (step* const made = add_step(step_kind::barrier, lanes, first.pc, 0)) {
        made->name = first.name;
        made->waiting = waiting_;
      }
      return;
    }
    case what::collective:
      break;
  }
  step* const made = add_step(step_kind::collective, lanes, first.pc, 64);
  if (made == nullptr) return;
  made->name = first.name;
  const auto keep = [&](bool& has, std::size_t& begin, lane_value event::*which) {
    has = (first.*which).size != 0;
    begin = values_.size();
    for (std::uint32_t rest = lanes; has && rest != 0; rest &= rest - 1)
      values_.push_back(events[std::countr_zero(rest)]->*which);
  };
  keep(made->has_values, made->first_value, &event::value);
  keep(made->has_given, made->first_given, &event::given);
  made->has_from = first.from >= 0;
  made->first_from = from_.size();
  for (std::uint32_t rest = lanes; made->has_from && rest != 0; rest &= rest - 1)
    from_.push_back(events[std::countr_zero(rest)]->from);
}

void step_trace::add_request(std::uint32_t lanes, const std::size_t* entries) {
  cut_ |= requests_.cut();
  lane_value own[32];
  const char* name = nullptr;
  bool known = false;
  std::uint64_t pc = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto& accesses = accesses_[warp_ * 32 + lane];
    std::size_t& at = cursor_[lane];
    while (at < accesses.size() && accesses[at].entry < entries[lane]) ++at;
    if (at == accesses.size() || accesses[at].entry != entries[lane]) continue;
    own[lane] = accesses[at].value;
    name = accesses[at].name;
    known = true;
  }
  if (cut_ || requests_.requests() == 0) return;
  const std::size_t request = requests_.requests() - 1;
  pc = requests_.pc(request);
  step* const made = add_step(step_kind::request, lanes, pc, 32);
  if (made == nullptr) return;
  made->request = request;
  made->name = name;
  made->has_values = known;
  made->first_value = values_.size();
  for (std::uint32_t rest = lanes; known && rest != 0; rest &= rest - 1)
    values_.push_back(own[std::countr_zero(rest)]);
}

void step_trace::end_fold(int warp) {
  for (int thread = warp * 32; thread < warp * 32 + 32; ++thread) {
    events_[thread].clear();
    accesses_[thread].clear();
    pending_[thread].address = nullptr;
  }
}

/// Of bytes whose type is not known: floating-point numbers of about the size that numbers have, infinities
/// included, or integers.
step_trace::reading step_trace::guess(const lane_value* first, std::size_t count) const {
  unsigned size = 0;
  bool floats = true, doubles = true;
  for (std::size_t i = 0; i < count; ++i) {
    const lane_value& each = first[i];
    if (each.size == 0) continue;
    size = each.size;
    for (unsigned at = 0; at + 4 <= each.size; at += 4) {
      const auto bits = number_at<std::uint32_t>(each.bytes + at);
      const unsigned exponent = bits >> 23 & 0xff;
      const bool infinite = bits << 1 == 0xffu << 24;
      floats &= bits << 1 == 0 || infinite || bits == ~0u || (exponent > 127 - 60 && exponent < 127 + 60);
    }
    for (unsigned at = 0; at + 8 <= each.size; at += 8) {
      const auto bits = number_at<std::uint64_t>(each.bytes + at);
      const auto exponent = static_cast<unsigned>(bits >> 52 & 0x7ff);
      const bool infinite = bits << 1 == std::uint64_t{0x7ff} << 53;
      doubles &= bits << 1 == 0 || infinite || bits == ~std::uint64_t{0} ||
                 (exponent > 1023 - 200 && exponent < 1023 + 200);
    }
  }
  if (size >= 4 && size % 8 != 0 && floats) return {number_kind::floating, 4};
  if (size >= 8 && doubles) return {number_kind::floating, 8};
  if (size >= 8 && floats) return {number_kind::floating, 4};
  return {number_kind::signed_integer, std::min(size, 8u)};
}

/// A word for each of the 32 lanes.
std::string step_trace::words(std::uint32_t lanes, std::size_t first, reading as) const {
  std::string text;
  for (int lane = 0; lane < 32; ++lane) {
    text += " ";
    if ((lanes >> lane & 1) == 0) {
      text += "-";
      continue;
    }
    const lane_value& value = values_[first++];
    if (value.size == 0 || as.bytes == 0) {
      text += "-";
      continue;
    }
    for (unsigned at = 0; at < value.size; at += as.bytes)
      text +=
          (at == 0 ? "" : ",") + number_text(value.bytes + at, as.kind, std::min(as.bytes, value.size - at));
  }
  return text + "\n";
}

std::string step_trace::address_text(space where, std::uint64_t address) const {
  const std::optional<block_trace::element> at = requests_.element_at(where, address);
  if (!at) return "";
  const known_array* const known = known_at(where, requests_.begin(at->array));
  return (known != nullptr ? known->name : requests_.name(at->array)) + "[" + std::to_string(at->index) + "]";
}

/// A pointer that has given an array its name says nothing new.
bool step_trace::names_itself(const set_variable& set) const {
  return address_text(set.where, number_at<std::uint64_t>(values_[set.first_value].bytes)) ==
         variables_[set.variable] + "[0]";
}

std::string step_trace::text() const {
  std::string text;
  const auto number = [](auto value) { return " " + std::to_string(value); };
  std::vector<reading> readings(requests_.arrays(), {number_kind::unknown, 0});
  for (std::size_t a = 0; a < readings.size(); ++a) {
    if (const known_array* const known = known_at(requests_.where(a), requests_.begin(a))) {
      readings[a] = {known->type.kind, known->type.bytes};
      text += "type" + number(a) + " " + known->name + " " + type_text(known->type);
      for (const std::size_t extent : known->extents)
        if (extent != 0) text += number(extent);
      text += "\n";
    }
  }
  std::vector<std::vector<lane_value>> untyped(readings.size());
  for (const step& each : steps_) {
    if (each.kind != step_kind::request || !each.has_values) continue;
    const auto array = requests_.array_of_request(each.request);
    if (array && readings[*array].bytes == 0)
      untyped[*array].insert(
          untyped[*array].end(), values_.begin() + static_cast<std::ptrdiff_t>(each.first_value),
          values_.begin() + static_cast<std::ptrdiff_t>(each.first_value) + std::popcount(each.lanes));
  }
  for (std::size_t a = 0; a < untyped.size(); ++a)
    if (!untyped[a].empty()) readings[a] = guess(untyped[a].data(), untyped[a].size());
  for (std::size_t v = 0; v < variables_.size(); ++v)
    text += "variable" + number(v) + " " + variables_[v] + "\n";

  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const step& each = steps_[s];
    char lanes[16];
    const auto [end, error] = std::to_chars(lanes, lanes + sizeof lanes, each.lanes, 16);
    text += "step" + number(s) + " warp" + number(each.warp) + " interval" + number(each.interval) +
            " lanes " + std::string(8 - static_cast<std::size_t>(end - lanes), '0') + std::string(lanes, end);
    switch (each.kind) {
      case step_kind::line:
        text += " line";
        break;
      case step_kind::request:
        text += " request" + number(each.request) + " " + (each.name != nullptr ? each.name : "-");
        break;
      case step_kind::barrier: {
        text += std::string(" barrier ") + each.name + " waiting ";
        std::string warps;
        for (const int warp : each.waiting) warps += (warps.empty() ? "" : ",") + std::to_string(warp);
        text += warps.empty() ? "-" : warps;
        break;
      }
      case step_kind::collective:
        text += std::string(" collective ") + each.name;
        break;
      case step_kind::leave:
        text += " return";
        break;
    }
    text += " at " + place_of(each.pc).text() + "\n";
    const auto count = static_cast<std::size_t>(std::popcount(each.lanes));
    reading as{number_kind::unknown, 0};
    if (each.kind == step_kind::request) {
      if (const auto array = requests_.array_of_request(each.request)) as = readings[*array];
      if (each.has_values && as.bytes != 0 && values_[each.first_value].size % as.bytes != 0)
        as = guess(&values_[each.first_value], count);
    } else if (each.has_values || each.has_given) {
      std::vector<lane_value> both;
      for (const auto& [has, first] :
           {std::pair(each.has_values, each.first_value), {each.has_given, each.first_given}})
        for (std::size_t i = 0; has && i < count; ++i) both.push_back(values_[first + i]);
      as = guess(both.data(), both.size());
      if (!each.has_from) as.kind = number_kind::signed_integer;
    }
    const bool is_mask = each.kind == step_kind::collective &&
                         (std::strstr(each.name, "ballot") || std::strstr(each.name, "mask") ||
                          std::strstr(each.name, "match"));
    if (each.has_values)
      text += "value" + number(s) +
              words(each.lanes, each.first_value, is_mask ? reading{number_kind::unknown, 4} : as);
    if (each.has_given) text += "give" + number(s) + words(each.lanes, each.first_given, as);
    if (each.has_from) {
      text += "from" + number(s);
      std::size_t next = each.first_from;
      for (int lane = 0; lane < 32; ++lane)
        text += (each.lanes >> lane & 1) != 0 ? number(from_[next++]) : " -";
      text += "\n";
    }
    for (const set_variable& set : each.sets) {
      if (set.is_address && names_itself(set)) continue;
      text += "set" + number(s) + number(set.variable);
      if (!set.is_address) {
        text += words(set.lanes, set.first_value, {set.type.kind, set.type.bytes});
        continue;
      }
      std::size_t next = set.first_value;
      for (int lane = 0; lane < 32; ++lane) {
        std::string word;
        if ((set.lanes >> lane & 1) != 0)
          word = address_text(set.where, number_at<std::uint64_t>(values_[next++].bytes));
        text += " " + (word.empty() ? "-" : word);
      }
      text += "\n";
    }
  }
  return text + "steps" + number(steps_.size()) + (cut_ ? " cut\n" : " complete\n");
}

}  // namespace cuda_emulator
