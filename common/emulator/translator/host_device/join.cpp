// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "join.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <vector>

#include "constructs/lambdas.hpp"
#include "text/editor.hpp"

namespace cuda_emulator::translator {
namespace {

// ---- Which token of the host's source is which of the device's

// Tokens of the program's own files that stand on one line.
struct line_of_tokens {
  place begin, end;
  std::size_t key;  // of file and line
};

std::vector<line_of_tokens> own_lines(const syntax& text) {
  std::vector<line_of_tokens> lines;
  for (place i = 0; i < text.size(); ++i) {
    if (text[i].of_system) continue;
    const bool goes_on = !lines.empty() && lines.back().end == i && text[i].line == text[i - 1].line &&
                         text[i].file == text[i - 1].file;
    if (goes_on) {
      ++lines.back().end;
    } else {
      const std::size_t file = std::hash<std::string_view>{}(text[i].file);
      lines.push_back({i, i + 1, file * 1'000'003 + static_cast<std::size_t>(text[i].line)});
    }
  }
  return lines;
}

// For each token of both sources the same one of the other, where it is there.
class alignment {
 public:
  alignment(const syntax& host, const syntax& device)
      : host_(host),
        device_(device),
        of_host_(host.size() + 1, nowhere),
        of_device_(device.size() + 1, nowhere) {
    const std::vector<line_of_tokens> h = own_lines(host), d = own_lines(device);
    std::unordered_map<std::size_t, std::vector<std::size_t>> places;  // of each line of the device's
    for (std::size_t j = 0; j < d.size(); ++j) places[d[j].key].push_back(j);
    std::size_t i = 0, j = 0;
    while (i < h.size() && j < d.size()) {
      if (h[i].key == d[j].key) {
        pair(h[i++], d[j++]);
        continue;
      }
      // The nearest lines that are the same again.
      std::size_t nearest = ~std::size_t{0}, next_i = h.size(), next_j = d.size();
      for (std::size_t k = i; k < h.size() && k - i < nearest; ++k) {
        const auto found = places.find(h[k].key);
        if (found == places.end()) continue;
        const auto at = std::lower_bound(found->second.begin(), found->second.end(), j);
        if (at == found->second.end() || k - i + *at - j >= nearest) continue;
        nearest = k - i + *at - j;
        next_i = k;
        next_j = *at;
      }
      i = next_i;
      j = next_j;
    }
  }

  place in_device(place host) const { return of_host_[host]; }
  place in_host(place device) const { return of_device_[device]; }

 private:
  void pair(const line_of_tokens& h, const line_of_tokens& d) {
    place i = h.begin, j = d.begin;
    for (; i < h.end && j < d.end && host_.is(i, device_[j].spelling); ++i, ++j) same(i, j);
    place i_end = h.end, j_end = d.end;
    for (; i_end > i && j_end > j && host_.is(i_end - 1, device_[j_end - 1].spelling); --i_end, --j_end)
      same(i_end - 1, j_end - 1);
  }
  void same(place i, place j) {
    of_host_[i] = j;
    of_device_[j] = i;
  }

  const syntax &host_, &device_;
  std::vector<place> of_host_, of_device_;
};

// ---- What is declared

// A declaration with its last token; `body` is the brace of a function.
struct declared {
  place begin, last, body;
};

// All declarations of the program's own files: members of namespaces and classes that both sources have, but
// not these themselves.
class walk {
 public:
  walk(const editor& text, const std::function<bool(place)>& of_both) : text_(text), of_both_(of_both) {
    for (place i = 0; i < text.size();) i = next(i, text.size());
  }
  std::vector<declared> all;

 private:
  void found(place begin, place last, place body) {
    if (begin < last && !text_[begin].of_system) all.push_back({begin, last, body});
  }

  place next(place begin, place end) {
    if (text_.is(begin + 1, ":")) return begin + 2;  // public:
    bool initializes = false, initializes_members = false;
    for (place i = begin; i < end; i = text_.after_group(i)) {
      if (text_.is(i, ";")) {
        found(begin, i, nowhere);
        return i + 1;
      }
      if (!text_.is(i, "{") || initializes || (initializes_members && text_.follows_name(i))) continue;
      const outline seen = text_.outline_of(begin, i);
      initializes = seen.has_initializer;
      initializes_members = seen.has_member_initializers;
      const bool linkage =
          i >= begin + 2 && text_.is(i - 2, "extern") && text_[i - 1].kind == token_kind::text;
      const bool of_namespace = linkage || seen.has_namespace;
      if (!of_namespace && text_.opens_body(seen, i)) {
        found(begin, text_.partner(i), i);
        return text_.after_group(i);
      }
      const bool of_class =
          seen.has_class && !seen.has_enum && !seen.has_initializer && seen.parameters == nowhere;
      if (!of_namespace && !of_class) continue;
      if (text_[i].of_system || of_both_(i)) {
        for (place k = i + 1; k < text_.partner(i);) k = next(k, text_.partner(i));
        if (of_class) begin = text_.partner(i);  // variables of the class may follow
      } else if (of_namespace) {
        found(begin, text_.partner(i), nowhere);
      }
      if (of_namespace) return text_.after_group(i);
    }
    return end;
  }

  const editor& text_;
  const std::function<bool(place)>& of_both_;
};

// What the words of a declaration say.
struct words_of {
  bool host = false, device = false, kernel = false, variable = false;

  words_of(const editor& text, place begin, place end) {
    for (place i = begin; i < end; i = text.after_group(i)) {
      const cuda_word word = text.word(i);
      host |= word == cuda_word::host;
      device |= word == cuda_word::device || word == cuda_word::kernel;
      kernel |= word == cuda_word::kernel;
      variable |= word == cuda_word::constant || word == cuda_word::device || word == cuda_word::managed;
    }
    if (!device) host = true;
  }
};

// ---- Joining

class joining {
 public:
  joining(std::string_view host, std::string_view device, std::string_view file)
      : host_(host, file), device_(device, file), same_(host_, device_) {}

  std::string run(std::string* warnings) {
    const walk of_host(host_, [this](place i) { return same_.in_device(i) != nowhere; });
    const walk of_device(device_, [this](place i) { return same_.in_host(i) != nowhere; });
    pair(of_host.all, of_device.all);
    find_twins();
    for (const couple& c : couples_) join(c.host, c.device);
    for (const declared& d : lone_host_) host_only(d);
    for (const declared& d : lone_device_) device_only(d);
    if (warnings) *warnings = host_.messages();
    return host_.result();
  }

 private:
  struct couple {
    declared host, device;
  };

  bool is_word(const editor& text, place i) const { return text.word(i) != cuda_word::none; }

  // The same, except for words of CUDA?
  bool is_alike(place i, place end, place j, place device_end) const {
    for (;; ++i, ++j) {
      while (i < end && is_word(host_, i)) ++i;
      while (j < device_end && is_word(device_, j)) ++j;
      if (i >= end || j >= device_end) return i >= end && j >= device_end;
      if (!host_.is(i, device_[j].spelling)) return false;
    }
  }

  bool is_equal(place i, place end, place j, place device_end) const {
    if (end - i != device_end - j) return false;
    for (; i < end; ++i, ++j)
      if (!host_.is(i, device_[j].spelling)) return false;
    return true;
  }

  place head_end(const declared& d) const { return d.body != nowhere ? d.body : d.last; }

  void pair(const std::vector<declared>& host, const std::vector<declared>& device) {
    std::unordered_map<place, std::size_t> by_head;
    for (std::size_t k = 0; k < device.size(); ++k) by_head[head_end(device[k])] = k;
    std::vector<bool> taken(device.size());
    const auto take = [&](const declared& h, std::size_t k) {
      taken[k] = true;
      couples_.push_back({h, device[k]});
    };
    for (const declared& h : host) {
      const place there = same_.in_device(head_end(h));
      const auto found = there == nowhere ? by_head.end() : by_head.find(there);
      if (found != by_head.end()) {
        take(h, found->second);
      } else {
        lone_host_.push_back(h);
      }
    }
    // int f(int x) { in the one branch, __device__ int f(int x) { in the other
    for (std::size_t k = 0; k < device.size(); ++k) {
      if (taken[k]) continue;
      const declared& d = device[k];
      const auto twin = std::find_if(lone_host_.begin(), lone_host_.end(), [&](const declared& h) {
        return (h.body == nowhere) == (d.body == nowhere) && host_[h.begin].file == device_[d.begin].file &&
               is_alike(h.begin, head_end(h), d.begin, head_end(d));
      });
      if (twin == lone_host_.end()) {
        lone_device_.push_back(d);
      } else {
        take(*twin, k);
        lone_host_.erase(twin);
      }
    }
  }

  // The variable that is declared; nowhere if it is none of one name.
  static place variable_of(const editor& text, const declared& d) {
    if (d.body != nowhere || text.is_function(text.outline_of(d.begin, d.last))) return nowhere;
    for (place i = d.begin; i < d.last; i = text.after_item(i)) {
      for (const char* word : {"using", "typedef", "template", "class", "struct", "extern"})
        if (text.is(i, word)) return nowhere;
      const place next = text.after_item(i);
      const bool ends = text.is(next, "=") || text.is(next, "[") || text.is(next, "{") || next == d.last;
      if (ends && text.is_name(i)) return i;
    }
    return nowhere;
  }

  // Variables of both names, in different memory.
  void find_twins() {
    const auto is_twin = [&](const declared& h, const declared& d) {
      const place i = variable_of(host_, h), j = variable_of(device_, d);
      return i != nowhere && j != nowhere && host_.is(i, device_[j].spelling) &&
             words_of(device_, d.begin, d.last).variable && !words_of(host_, h.begin, h.last).variable;
    };
    for (const couple& c : couples_)
      if (is_twin(c.host, c.device)) twins_.insert(device_[variable_of(device_, c.device)].spelling);
    std::vector<declared> others;
    for (const declared& d : lone_device_) {
      const auto found = std::find_if(lone_host_.begin(), lone_host_.end(),
                                      [&](const declared& h) { return is_twin(h, d); });
      if (found == lone_host_.end()) {
        others.push_back(d);
        continue;
      }
      twins_.insert(device_[variable_of(device_, d)].spelling);
      couples_.push_back({*found, d});
      lone_host_.erase(found);
    }
    lone_device_ = std::move(others);
  }

  bool means_twin(place j) const {
    return device_[j].kind == token_kind::name && twins_.contains(device_[j].spelling) &&
           !device_.is(j - 1, ".") && !device_.is(j - 1, "->");
  }

  bool has_twin(place begin, place end) const {
    for (place j = begin; j < end; ++j)
      if (means_twin(j)) return true;
    return false;
  }

  void join(const declared& h, const declared& d) {
    const words_of of_host(host_, h.begin, head_end(h)), of_device(device_, d.begin, head_end(d));
    if (const place name = variable_of(device_, d);
        name != nowhere && twins_.contains(device_[name].spelling)) {
      host_.insert_after(h.last, placed(d.begin, d.last) + back_to(h.last));
      return;
    }
    const bool head = is_equal(h.begin, head_end(h), d.begin, head_end(d));
    const bool body =
        h.body == nowhere || (is_equal(h.body, h.last, d.body, d.last) && !has_twin(d.body, d.last));
    if (head && body) return;
    if (!head && !is_alike(h.begin, head_end(h), d.begin, head_end(d))) warn(h.begin);
    const bool on_device = of_host.device || of_device.device;
    const bool on_host = of_host.host || of_device.host;
    const bool is_kernel = of_host.kernel || of_device.kernel;
    if (!head && !is_kernel && on_device && (!of_host.device || !of_host.host))
      add_words(h, (of_host.device ? "" : std::string("__device__ ")) + (on_host ? "__host__ " : ""));
    if (body) return;
    if (!on_device) {
      join_lambdas(h);
    } else {
      join_bodies(h.body, d.body, on_host && !is_kernel);
    }
  }

  void join_lambdas(const declared& h) {
    for (place i = h.body; i < h.last; ++i) {
      if (!host_.is(i, "]") || !is_word(host_, i + 1)) continue;
      const place body = lambda_body(host_, host_.partner(i));
      const place there = body == nowhere ? nowhere : same_.in_device(body);
      if (there == nowhere || !device_.is(there, "{")) continue;
      const place end = host_.partner(body), device_end = device_.partner(there);
      const words_of w(host_, i + 1, body);
      if (w.device && (!is_equal(body, end, there, device_end) || has_twin(there, device_end)))
        join_bodies(body, there, w.host);
      if (w.device) i = end;
    }
  }

  void join_bodies(place body, place there, bool of_both) {
    const place end = host_.partner(body);
    if (!of_both) {
      host_.insert_after(body, placed(there + 1, device_.partner(there)));
      host_.erase(body + 1, end);
      host_.replace(end, back_to(end));
      return;
    }
    host_.insert_after(body, " if " + std::string(device_side_word) + placed(there, device_.partner(there)) +
                                 " else " + std::string(host_side_word) + " {" + back_to(body));
    host_.insert_after(end - 1, " }");
  }

  void add_words(const declared& h, const std::string& added) {
    place first = h.begin;
    while (host_.is(first, "template")) first = host_.after_item(first);
    host_.replace(first, added + std::string(host_[first].spelling));
  }

  // A function that is for the device, and that the device does not get.
  void host_only(const declared& h) {
    if (h.body == nowhere) return;
    const words_of w(host_, h.begin, h.body);
    if (w.device && !w.host && !w.kernel) host_.erase(h.begin, h.last + 1);
  }

  void device_only(const declared& d) {
    // In front of what both have.
    place next = d.last + 1;
    while (next < device_.size() && (device_[next].of_system || same_.in_host(next) == nowhere)) ++next;
    place before = next < device_.size() ? same_.in_host(next) : host_.size();
    for (const couple& c : couples_) {  // not in one of these, whose first line is not the same
      if (d.last < c.device.begin && c.device.begin <= next && next <= c.device.last)
        before = std::min(before, c.host.begin);
    }
    const bool is_rival = std::any_of(lone_host_.begin(), lone_host_.end(), [&](const declared& h) {
      return h.body == nowhere && h.begin < before && same_gap(h, before);
    });
    if (before == 0 || (is_rival && d.body == nowhere)) return;
    host_.insert_after(before - 1, placed(d.begin, d.last) + back_to(before - 1));
  }

  // Nothing that both have stands between h and `before`.
  bool same_gap(const declared& h, place before) {
    for (place i = h.last + 1; i < before; ++i)
      if (!host_[i].of_system && same_.in_device(i) != nowhere) return false;
    warn(h.begin);
    return true;
  }

  void warn(place i) {
    if (!warned_.insert(i).second) return;
    host_.say(severity::warning, i,
              "__CUDA_ARCH__ changes more here than the body of a function: the host's declaration holds for "
              "both sides");
  }

  // The device's tokens from first to last as they stand there, with a line marker; twins by their new names.
  std::string placed(place first, place last) const {
    std::string text = marker(device_[first].line, device_[first].file, false);
    const char* copied = device_[first].spelling.data();
    for (place j = first; j <= last; ++j) {
      if (!means_twin(j)) continue;
      const std::string_view name = device_[j].spelling;
      text.append(copied, name.data()).append("emulator_device_of_").append(name);
      copied = name.data() + name.size();
    }
    const std::string_view end = device_[last].spelling;
    return text.append(copied, end.data() + end.size());
  }

  // Behind what was inserted after this token of the host's.
  std::string back_to(place i) const { return marker(host_[i].line, host_[i].file, host_[i].of_system); }

  static std::string marker(int line, std::string_view file, bool of_system) {
    return "\n# " + std::to_string(line) + " " + std::string(file) + (of_system ? " 3\n" : "\n");
  }

  editor host_;
  const editor device_;
  const alignment same_;
  std::vector<couple> couples_;
  std::vector<declared> lone_host_, lone_device_;
  std::set<std::string_view> twins_;
  std::set<place> warned_;
};

}  // namespace

std::string join(std::string_view host, std::string_view device, std::string_view file,
                 std::string* warnings) {
  const std::string name = in_quotes(file);
  return joining(host, device, name).run(warnings);
}

}  // namespace cuda_emulator::translator
