// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "exercise_record.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace tutorial {
namespace {

std::string unescaped(const std::string& word) {
  std::string result;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '\\' || i + 1 == word.size()) {
      result += word[i];
      continue;
    }
    const char c = word[++i];
    result += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return result;
}

void add(exercise_record& record, const std::vector<std::string>& words) {
  const std::string& kind = words[0];
  if (kind == "cases") record.cases = std::atoi(words[1].c_str());
  if (kind == "case") {
    record.case_name = words[2];
    record.given.clear();
  }
  if (kind == "given") record.given = words[1];
  if (kind == "failed" && record.sentence.empty()) {
    record.sentence = words[4];
    record.sentence_case = record.case_name;
    record.leads_to = words[5];
  }
  if (kind == "launch") record.launch = {words[1], words[2], words[3], words[4], words[5], words[6]};
  if (kind == "finding") record.findings.push_back({words[2], {}, words[1]});
  if (kind == "fact" && !record.findings.empty()) record.findings.back().facts.emplace(words[1], words[2]);
  if (kind == "note") record.notes.push_back({words[1], words[2], words[3]});
  if (kind == "index") record.refusal = {words[1], words[2], words[3], words[4], "", ""};
  if (kind == "refused") record.refusal = {"", "", "", "", words[1], words[2]};
  if (kind == "crashed") {
    record.crashed = words[2];
    if (!words[3].empty()) record.given = words[3];
  }
  if (kind == "places") record.crash_places = words[1];
  if (kind == "end") {
    ++record.ended_cases;
    if (words[2] != "passed") record.failed_cases.push_back(record.case_name);
  }
  if (kind == "done") record.all_ran = true;
}

}  // namespace

std::string recorded_finding::fact(const std::string& name) const {
  const auto found = facts.lower_bound(name);  // the first of several
  return found == facts.end() || found->first != name ? "" : found->second;
}

const recorded_note* exercise_record::note(const std::string& kind) const {
  const auto found =
      std::find_if(notes.begin(), notes.end(), [&](const recorded_note& each) { return each.kind == kind; });
  return found == notes.end() ? nullptr : &*found;
}

exercise_record read_record(std::istream& file) {
  exercise_record record;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> words;
    std::istringstream stream(line);
    for (std::string word; std::getline(stream, word, '\t');) words.push_back(unescaped(word));
    words.resize(std::max<std::size_t>(words.size(), 7));
    add(record, words);
  }
  // What was not freed is noted at the end of any program: it has ended no check.
  if (!record.all_ran)
    std::erase_if(record.findings, [](const recorded_finding& each) {
      return each.text.find(": note: ") < each.text.find('\n');
    });
  return record;
}

}  // namespace tutorial
