// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "report_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "picture.hpp"
#include "report_style.hpp"

namespace cuda_emulator {
namespace {

using draw::escaped;

constexpr int g = static_cast<int>(space::global), s = static_cast<int>(space::shared),
              c = static_cast<int>(space::constant);
constexpr std::uint64_t sector_bytes = 32, wavefront_bytes = 128;

/// "12,345"
std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string several(std::uint64_t count, const std::string& thing, const std::string& things = {}) {
  return grouped(count) + " " + (count == 1 ? thing : things.empty() ? thing + "s" : things);
}

std::string fixed(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// "1", "1.5", "12.3": nothing behind the point where there is nothing.
std::string ratio(double value) {
  const std::string text = fixed(value, 1);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string extent(dim3 d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += " x " + std::to_string(d.y);
  if (d.z > 1) text += " x " + std::to_string(d.z);
  return text;
}

/// <name attributes>text</name>, the text escaped.
std::string element(const std::string& name, std::string_view text, const std::string& attributes = {}) {
  return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + escaped(text) + "</" + name + ">";
}

std::string number_cell(std::uint64_t value, bool edge = false) {
  return element("td", grouped(value),
                 std::string("class=\"number") + (value == 0 ? " zero" : "") + (edge ? " edge" : "") + "\"");
}

std::string facts(const report_record& r) {
  std::string text = "<dl class=\"facts\">\n";
  const auto add = [&](const char* what, const std::string& is) {
    if (!is.empty()) text += "<dt>" + std::string(what) + "</dt><dd>" + is + "</dd>\n";
  };
  add("Program", element("code", r.command));
  add("When", escaped(r.date));
  add("Device", escaped(r.device));
  add("Order of threads", element("code", r.order));
  add("Workers", several(static_cast<std::uint64_t>(r.workers), "thread") + " of this computer");
  add("Checks and counts", r.checking ? "on" : "off (EMULATOR_CHECK=0)");
  add("Took",
      fixed(r.seconds, r.seconds < 10 ? 1 : 0) + " s of this computer, which says nothing about a GPU");
  add("End", escaped(r.end));
  return text + "</dl>\n";
}

std::string source(const source_excerpt& excerpt) {
  std::string text = "<div class=\"source\"><div class=\"file\">" + escaped(excerpt.file) + "</div>\n";
  if (!excerpt.lines.empty()) {
    text += "<ol>\n";
    for (const source_line& line : excerpt.lines)
      text += std::string(line.role == source_line::marked  ? "<li class=\"marked\">"
                          : line.role == source_line::named ? "<li class=\"named\">"
                                                            : "<li>") +
              "<b>" + std::to_string(line.number) + "</b>" + escaped(line.text) + "</li>\n";
    text += "</ol>\n";
  }
  text += "</div>\n";
  if (!excerpt.remark.empty()) text += element("p", excerpt.remark, "class=\"remark warn\"") + "\n";
  return text;
}

/// Calls that failed and that nobody asked about, each with its place.
std::string failed_calls(const report_record& r) {
  const unasked_failures& failures = r.failed_calls;
  if (failures.count == 0) return "";
  std::string text =
      "<section id=\"failed\">\n<h2>Calls that failed</h2>\n<article class=\"card warned\">\n" +
      element(
          "p",
          "The program never asked why: it called neither cudaGetLastError() nor cudaGetErrorString() after "
          "them. Look at what each call returns.") +
      "\n<ul>\n";
  for (const unasked_failure& each : failures.first)
    text += "<li>" + (each.place.empty() ? "" : element("code", each.place) + " ") + escaped(each.what) +
            "</li>\n";
  if (failures.count > failures.first.size())
    text += element("li", "... and " + grouped(failures.count - failures.first.size()) + " more") + "\n";
  return text + "</ul>\n</article>\n</section>\n";
}

/// "race.cu:8: error: race in kernel k" is "Race in kernel k", at "race.cu:8".
void split_title(const std::string& finding, std::string& title, std::string& where) {
  const std::string first = finding.substr(0, finding.find('\n'));
  constexpr std::string_view mark = ": error: ";
  const std::size_t at = first.find(mark);
  title = at == first.npos ? first : first.substr(at + mark.size());
  where = at == first.npos ? "" : first.substr(0, at);
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
}

std::string findings(const report_record& r) {
  if (r.findings.empty()) return "";
  std::string text = "<section id=\"findings\">\n<h2>Findings</h2>\n";
  for (const reported_finding& each : r.findings) {
    std::string title, where;
    split_title(each.text, title, where);
    text += "<article class=\"card found\">\n" + element("h3", title) + "\n" +
            (where.empty() ? "" : element("p", where, "class=\"where\"") + "\n");
    // Line by line: what is escaped has no line breaks.
    std::string lines;
    for (std::size_t begin = 0; begin <= each.text.size();) {
      const std::size_t end = std::min(each.text.find('\n', begin), each.text.size());
      lines += escaped(each.text.substr(begin, end - begin)) + "\n";
      begin = end + 1;
    }
    text += "<pre>" + lines + "</pre>\n";
    for (const source_excerpt& excerpt : each.excerpts) text += source(excerpt);
    text += "</article>\n";
  }
  if (r.findings_left_out > 0)
    text +=
        element("p", "... and " + grouped(r.findings_left_out) + " more, of other kinds or at other lines.") +
        "\n";
  return text + "</section>\n";
}

/// What a row of numbers says: the one that matters, and a sentence.
struct meaning {
  std::string number, sentence;
  bool poor = false;
};

meaning of_global(std::uint64_t bytes, std::uint64_t requests, std::uint64_t sectors) {
  const std::uint64_t moved = sectors * sector_bytes;
  if (moved == 0) return {};
  const double share = static_cast<double>(bytes) / static_cast<double>(moved);
  const std::string sectors_each = ratio(static_cast<double>(sectors) / static_cast<double>(requests));
  const std::string each =
      " " + sectors_each + (sectors_each == "1" ? " sector" : " sectors") + " a request.";
  // Lanes may request the same bytes: their sum says nothing about which of the moved bytes are used.
  if (share > 1.005)
    return {fixed(share * 100, 0) + " %",
            "of the moved bytes: several lanes request the same ones, and each of them counts." + each};
  if (share >= 0.995) return {"100 %", "Threads request every byte that memory moves." + each};
  if (share >= 0.5) return {fixed(share * 100, 1) + " %", "of the moved bytes are requested." + each};
  return {fixed(share * 100, 1) + " %",
          "of the moved bytes are requested: most are moved for nothing." + each, true};
}

meaning of_shared(std::uint64_t bytes, std::uint64_t requests, std::uint64_t wavefronts) {
  if (requests == 0) return {};
  const std::uint64_t least = std::max(requests, (bytes + wavefront_bytes - 1) / wavefront_bytes);
  if (wavefronts <= least) return {"factor 1", "No lane waits for a bank."};
  return {"factor " + fixed(static_cast<double>(wavefronts) / static_cast<double>(least), 2),
          "Bank conflicts: " + several(wavefronts, "wavefront") + ", where " + grouped(least) + " would do.",
          true};
}

meaning of_constant(std::uint64_t requests, std::uint64_t addresses) {
  if (requests == 0) return {};
  if (addresses == requests) return {"1 turn", "a request: all its lanes want one address."};
  return {ratio(static_cast<double>(addresses) / static_cast<double>(requests)) + " turns",
          "a request: so many different addresses, and each costs a turn.", true};
}

/// What all launches of a kernel did: a row for each kind of access.
std::string sums(const reported_kernel& k) {
  const count_totals& t = k.counts;
  std::string rows;
  const auto add = [&](const char* what, std::uint64_t accesses, std::uint64_t bytes, std::uint64_t requests,
                       const std::string& moved, const meaning& says) {
    if (accesses == 0) return;
    // On a narrow page each cell stands alone, with the name of its column.
    const auto cell = [](const char* column, const std::string& value) {
      return element("td", value, "class=\"number\" data-column=\"" + std::string(column) + "\"");
    };
    rows +=
        "<tr>" + element("th", what, "scope=\"row\"") + "<td class=\"words\">" +
        (says.number.empty() ? "" : element("strong", says.number, says.poor ? "class=\"poor\"" : "") + " ") +
        escaped(says.sentence) + "</td>" + cell("accesses", grouped(accesses)) +
        cell("bytes requested", grouped(bytes)) + cell("requests", grouped(requests)) + cell("moved", moved) +
        "</tr>\n";
  };
  const auto sectors = [](std::uint64_t count) {
    return several(count, "sector") + " = " + several(count * sector_bytes, "byte");
  };
  add("global loads", t.loads[g], t.load_bytes[g], t.load_requests[g], sectors(t.load_parts[g]),
      of_global(t.load_bytes[g], t.load_requests[g], t.load_parts[g]));
  add("global stores", t.stores[g], t.store_bytes[g], t.store_requests[g], sectors(t.store_parts[g]),
      of_global(t.store_bytes[g], t.store_requests[g], t.store_parts[g]));
  add("shared loads", t.loads[s], t.load_bytes[s], t.load_requests[s], several(t.load_parts[s], "wavefront"),
      of_shared(t.load_bytes[s], t.load_requests[s], t.load_parts[s]));
  add("shared stores", t.stores[s], t.store_bytes[s], t.store_requests[s],
      several(t.store_parts[s], "wavefront"),
      of_shared(t.store_bytes[s], t.store_requests[s], t.store_parts[s]));
  add("constant loads", t.loads[c], t.load_bytes[c], t.load_requests[c],
      several(t.load_parts[c], "address", "addresses"), of_constant(t.load_requests[c], t.load_parts[c]));
  std::string text;
  if (!rows.empty())
    text =
        "<div class=\"scroll\"><table class=\"sums\">\n<thead><tr><th></th><th>in short</th><th "
        "class=\"number\">accesses</th><th class=\"number\">bytes requested</th><th "
        "class=\"number\">requests</th><th class=\"number\">moved</th></tr></thead>\n<tbody>\n" +
        rows + "</tbody>\n</table></div>\n";
  std::string others;
  if (t.texture_fetches > 0) others += several(t.texture_fetches, "texture fetch", "texture fetches") + ". ";
  if (t.barriers > 0 && k.blocks > 0)
    others += several(t.barriers, "barrier") + ": " +
              ratio(static_cast<double>(t.barriers) / static_cast<double>(k.blocks)) + " in each block. ";
  if (const std::uint64_t link = t.peer_load_bytes + t.peer_store_bytes; link > 0)
    others += several(link, "byte") + " over the link between devices. ";
  if (!others.empty()) text += element("p", others.substr(0, others.size() - 1)) + "\n";
  return text;
}

std::string pictures(const reported_kernel& k) {
  std::string text;
  for (const reported_picture& each : k.pictures) {
    text += "<figure>\n<figcaption>" + element("strong", each.title) + " " + escaped(each.remark) +
            "</figcaption>\n<div class=\"scroll\">\n" + each.svg + "</div>\n</figure>\n";
  }
  if (!k.without_pictures.empty()) text += element("p", k.without_pictures, "class=\"remark\"") + "\n";
  if (!k.steps_file.empty())
    text += "<p class=\"where\"><a href=\"" + escaped(k.steps_file) +
            "\">Step through this block</a>, line by line.</p>\n";
  return text;
}

/// What a check that has failed says, and the launches that show it.
std::string failure(const report_record& r) {
  if (r.failed_check.empty() && r.shown.empty()) return "";
  std::string text =
      "<section id=\"failure\">\n<h2>" +
      std::string(r.failed_check.empty() ? "The launch with the finding" : "The check that failed") +
      "</h2>\n";
  if (!r.failed_check.empty()) text += element("p", r.failed_check, "class=\"verdict bad\"") + "\n";
  for (const reported_failure& each : r.shown) {
    const reported_launch& l = each.launch;
    text += "<article class=\"card kernel\" id=\"launch_" + std::to_string(l.number) + "\">\n" +
            element("h3", each.kernel.name, "class=\"name\"") + "\n" +
            element("p",
                    each.kernel.place + " · launch " + grouped(l.number) + " of this run, at " + l.place +
                        " · grid " + extent(l.grid) + ", block " + extent(l.block),
                    "class=\"where\"") +
            "\n" + (r.checking ? sums(each.kernel) : "") + pictures(each.kernel) + "</article>\n";
  }
  return text + "</section>\n";
}

std::string timeline(const report_record& r) {
  if (r.timeline.empty()) return "";
  return "<section id=\"timeline\">\n<h2>What waits for what</h2>\n" +
         element("p",
                 "Each device has one engine that copies up, one that runs kernels and one that copies down. "
                 "An engine does one thing at a time, and an operation begins when all that it waits for has "
                 "ended. So cells above each other can run at the same time. Point at a cell to see its call "
                 "and its stream. At most 150 operations are shown, the last ones.") +
         "\n<figure>\n<div class=\"scroll\">\n" + r.timeline + "</div>\n</figure>\n</section>\n";
}

std::string kernels(const report_record& r) {
  if (r.kernels.empty()) return "";
  constexpr std::size_t most = 60;
  std::string text = "<section id=\"kernels\">\n<h2>Kernels</h2>\n";
  for (std::size_t i = 0; i < r.kernels.size() && i < most; ++i) {
    const reported_kernel& k = r.kernels[i];
    text += "<article class=\"card kernel\">\n" + element("h3", k.name, "class=\"name\"") + "\n";
    std::string what = k.place.empty() ? "" : k.place + " · ";
    what += several(k.launches, k.of_library ? "call" : "launch", k.of_library ? "calls" : "launches");
    if (k.refused > 0) what += ", " + grouped(k.refused) + " more refused";
    if (k.launches > 0 && !k.of_library)
      what += " · " + several(k.threads, "thread") + " in " + several(k.blocks, "block") +
              (k.launches > 1 ? "; the numbers are sums over all launches" : "");
    text += element("p", what, "class=\"where\"") + "\n";
    if (r.checking && !k.of_library) text += sums(k);
    if (std::any_of(r.shown.begin(), r.shown.end(),
                    [&](const reported_failure& each) { return each.launch.number == k.first_launch; })) {
      text += element("p", "Pictures of its first launch are above.", "class=\"remark\"") + "\n</article>\n";
      continue;
    }
    text += pictures(k);
    text += "</article>\n";
  }
  if (r.kernels.size() > most)
    text += element("p",
                    "... and " + several(r.kernels.size() - most, "kernel") + " more, which are not shown.") +
            "\n";
  return text + "</section>\n";
}

/// A column of the table of launches.
struct column {
  const char *group, *name;
  std::uint64_t (*value)(const reported_launch&);
};

constexpr column columns[] = {
    {"", "threads", [](const reported_launch& l) { return l.threads; }},
    {"global loads", "loads", [](const reported_launch& l) { return l.counts.loads[g]; }},
    {"global loads", "bytes", [](const reported_launch& l) { return l.counts.load_bytes[g]; }},
    {"global loads", "requests", [](const reported_launch& l) { return l.counts.load_requests[g]; }},
    {"global loads", "sectors", [](const reported_launch& l) { return l.counts.load_parts[g]; }},
    {"global stores", "stores", [](const reported_launch& l) { return l.counts.stores[g]; }},
    {"global stores", "bytes", [](const reported_launch& l) { return l.counts.store_bytes[g]; }},
    {"global stores", "requests", [](const reported_launch& l) { return l.counts.store_requests[g]; }},
    {"global stores", "sectors", [](const reported_launch& l) { return l.counts.store_parts[g]; }},
    {"shared loads", "loads", [](const reported_launch& l) { return l.counts.loads[s]; }},
    {"shared loads", "bytes", [](const reported_launch& l) { return l.counts.load_bytes[s]; }},
    {"shared loads", "requests", [](const reported_launch& l) { return l.counts.load_requests[s]; }},
    {"shared loads", "wavefronts", [](const reported_launch& l) { return l.counts.load_parts[s]; }},
    {"shared stores", "stores", [](const reported_launch& l) { return l.counts.stores[s]; }},
    {"shared stores", "bytes", [](const reported_launch& l) { return l.counts.store_bytes[s]; }},
    {"shared stores", "requests", [](const reported_launch& l) { return l.counts.store_requests[s]; }},
    {"shared stores", "wavefronts", [](const reported_launch& l) { return l.counts.store_parts[s]; }},
    {"constant loads", "loads", [](const reported_launch& l) { return l.counts.loads[c]; }},
    {"constant loads", "bytes", [](const reported_launch& l) { return l.counts.load_bytes[c]; }},
    {"constant loads", "requests", [](const reported_launch& l) { return l.counts.load_requests[c]; }},
    {"constant loads", "addresses", [](const reported_launch& l) { return l.counts.load_parts[c]; }},
    {"textures", "fetches", [](const reported_launch& l) { return l.counts.texture_fetches; }},
    {"", "barriers", [](const reported_launch& l) { return l.counts.barriers; }},
    {"", "bytes over the link",
     [](const reported_launch& l) { return l.counts.peer_load_bytes + l.counts.peer_store_bytes; }},
};

std::string launches(const report_record& r) {
  if (r.listed.empty()) return "";
  const auto any = [&](auto&& says) { return std::any_of(r.listed.begin(), r.listed.end(), says); };
  const bool dynamic = any([](const reported_launch& l) { return l.dynamic_shared > 0; });
  const bool remarks = any([](const reported_launch& l) { return !l.remark.empty(); });
  // What no launch does has no column; but of a kind of access that occurs, all of it.
  std::vector<const column*> shown;
  for (const column& each : columns) {
    const bool occurs = any([&](const reported_launch& l) {
      return std::any_of(std::begin(columns), std::end(columns), [&](const column& other) {
        const bool related =
            each.group[0] == '\0' ? &other == &each : std::string_view(other.group) == each.group;
        return related && other.value(l) > 0;
      });
    });
    if (occurs) shown.push_back(&each);
  }
  const auto begins_group = [&](std::size_t i) {
    return i == 0 || std::string_view(shown[i]->group) != shown[i - 1]->group;
  };
  std::string groups, names;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    names += element("th", shown[i]->name, begins_group(i) ? "class=\"number edge\"" : "class=\"number\"");
    if (!begins_group(i)) continue;
    std::size_t end = i + 1;
    while (end < shown.size() && !begins_group(end)) ++end;
    groups += element("th", shown[i]->group, "class=\"group\" colspan=\"" + std::to_string(end - i) + "\"");
  }
  std::string text =
      "<section id=\"launches\">\n<h2>Launches</h2>\n<div class=\"scroll\"><table "
      "class=\"launches\">\n<thead>\n<tr><th colspan=\"" +
      std::to_string(5 + dynamic + remarks) + "\"></th>" + groups +
      "</tr>\n<tr><th class=\"number\">number</th><th>kernel</th>" +
      (remarks ? "<th>how it ended</th>" : "") + "<th>launched at</th><th>grid</th><th>block</th>" +
      (dynamic ? "<th class=\"number\">dynamic shared memory, bytes</th>" : "") + names +
      "</tr>\n</thead>\n<tbody>\n";
  for (const reported_launch& l : r.listed) {
    text += "<tr>" + number_cell(l.number) + element("td", r.kernels[l.kernel].name, "class=\"name\"") +
            (remarks ? element("td", l.remark, "class=\"remarked\"") : "") +
            element("td", l.place.substr(l.place.find_last_of('/') + 1)) +
            element("td", l.grid.x == 0 && r.kernels[l.kernel].of_library ? "" : extent(l.grid)) +
            element("td", l.grid.x == 0 && r.kernels[l.kernel].of_library ? "" : extent(l.block)) +
            (dynamic ? number_cell(l.dynamic_shared) : "");
    for (std::size_t i = 0; i < shown.size(); ++i) text += number_cell(shown[i]->value(l), begins_group(i));
    text += "</tr>\n";
  }
  text += "</tbody>\n</table></div>\n";
  const std::uint64_t all = r.launches + r.refused + r.calls_of_libraries;
  if (all > r.listed.size())
    text += element("p",
                    grouped(all - r.listed.size()) +
                        " further launches are not in this table; the sums of their kernels above hold them.",
                    "class=\"remark\"") +
            "\n";
  return text + "</section>\n";
}

/// Of the words for kinds of memory, only those of memory that was used.
std::string definitions(const report_record& r) {
  const auto used = [&](int memory) {
    return std::any_of(r.kernels.begin(), r.kernels.end(), [&](const reported_kernel& k) {
      return k.counts.loads[memory] > 0 || k.counts.stores[memory] > 0;
    });
  };
  std::vector<std::pair<const char*, const char*>> words = {
      {"Accesses, bytes requested",
       "What threads request, simply added up: each load and each store of each thread. "
       "Atomic functions are neither."},
      {"Request", "Lanes of a warp that execute one instruction together make one request."},
      {"Sector, percentage",
       "Global memory is moved in sectors of 32 bytes. Those that a request touches are moved whole. The "
       "percentage is bytes requested / bytes moved. What several lanes request counts for each of them, "
       "so it can be above 100 %."}};
  if (used(s))
    words.emplace_back(
        "Wavefront, factor",
        "Shared memory has 32 banks, each 4 bytes wide. Of different words in one bank only one is served at "
        "a time, and each such turn is a wavefront. The factor is the number of wavefronts divided by the "
        "fewest that could be: one for each request, and one for each 128 bytes requested. "
        "1 means that there are no bank conflicts.");
  if (used(c))
    words.emplace_back(
        "Turn",
        "Constant memory hands out one address at a time. Each different address of a request costs a turn.");
  words.insert(
      words.end(),
      {{"Findings",
        "Mistakes of the program that do not depend on the order in which its threads happened to run. \"No "
        "findings\" speaks of this run and its data; it is no proof."},
       {"Times", "There are none. How long a CPU takes to act as a GPU says nothing about a GPU."}});
  std::string text = "<section id=\"words\">\n<h2>What the numbers say</h2>\n<dl class=\"words\">\n";
  for (const auto& [word, meaning] : words) text += element("dt", word) + element("dd", meaning) + "\n";
  return text + "</dl>\n</section>\n";
}

}  // namespace

std::string verdict_of(const report_record& r) {
  std::string text = r.launches == 0 ? "No launches" : several(r.launches, "launch", "launches");
  if (r.refused > 0) text += " and " + grouped(r.refused) + " refused";
  if (!r.checking) return text + "; checks were off: nothing was looked for";
  const std::uint64_t found = r.findings.size() + r.findings_left_out;
  text += found == 0 ? ", no findings" : ", " + several(found, "finding");
  if (const std::uint64_t failed = r.failed_calls.count - r.failed_calls.launches; failed > 0)
    text += ", " + several(failed, "failed call");
  if (!r.failed_check.empty()) text += ", a check failed";
  return text;
}

std::string page_of(const report_record& r) {
  const bool bad = !r.findings.empty() || r.refused > 0 || !r.failed_check.empty();
  const bool good = !bad && r.failed_calls.count == 0 && r.checking && r.launches > 0 && r.ended_well;
  return "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta "
         "charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\"/>\n<meta name=\"color-scheme\" content=\"light dark\"/>\n" +
         element("title", r.name + ": " + verdict_of(r)) + "\n<style>" + report_style +
         draw::picture_style() +
         "</style>\n</head>\n<body>\n<header>\n<p class=\"kicker\">Report of the emulated device</p>\n" +
         element("h1", r.name) + "\n" +
         element("p", verdict_of(r),
                 std::string("class=\"verdict") +
                     (bad    ? " bad"
                      : good ? " good"
                             : "") +
                     "\"") +
         "\n" + facts(r) + "</header>\n" + failed_calls(r) + findings(r) + failure(r) + timeline(r) +
         kernels(r) + launches(r) + definitions(r) +
         "<footer>Written by the emulated device of “From Convolution to Compression: "
         "CUDA, step by step”. Everything here was counted while the program ran; "
         "nothing was loaded from elsewhere.</footer>\n"
         "</body>\n</html>\n";
}

}  // namespace cuda_emulator
