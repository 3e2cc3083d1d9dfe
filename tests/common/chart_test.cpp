// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "common/files/input_error.hpp"
#include "common/show/chart.hpp"
#include "common/show/chart_axis.hpp"
#include "scratch.hpp"

using namespace tutorial;

namespace {

chart two_lines() {
  chart what;
  what.title = "Time against length";
  what.description = "Both grow.";
  what.x = {"length", axis_scale::log2};
  what.y = {"time (ms)", axis_scale::log10};
  what.series = {{"direct", {{1, 0.5}, {8, 4}, {64, 32}}}, {"FFT", {{1, 2}, {8, 2.5}, {64, 3}}}};
  return what;
}

/// Many versions at the same three places, as in a roofline.
chart crowd() {
  chart what;
  what.title = "Roofline";
  what.description = "Points under two roofs.";
  what.x = {"operations per byte", axis_scale::log10, 0.1, 1000};
  what.y = {"TFLOP/s", axis_scale::log10, 0.1, 100};
  what.references = {{"memory", {0.1, 0.4}, {15, 60}}, {"arithmetic", {15, 60}, {1000, 60}}};
  what.names = chart_names::at_every_point;
  for (int i = 0; i < 9; ++i)
    what.series.push_back({"version " + std::to_string(i),
                           {{0.6, 1 + 0.15 * i}, {16, 20 + 3.0 * i}, {256, 5 + 6.0 * i}},
                           false,
                           true});
  return what;
}

std::string refusal(const chart& what) {
  return message_of<std::invalid_argument>([&] { svg_text(what); });
}

struct text {
  double x, y;
  std::string anchor, words;
};

/// All texts of the picture that are not turned.
std::vector<text> texts(const std::string& svg) {
  const std::regex element(
      "<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\"(?: text-anchor=\"(\\w+)\")?(?: "
      "class=\"\\w+\")?>([^<]*)</text>");
  std::vector<text> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at)
    found.push_back({std::stod((*at)[1]), std::stod((*at)[2]), (*at)[3], (*at)[4]});
  return found;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Of the markers of one color, in the order of the picture.
std::vector<std::pair<double, double>> marked(const std::string& svg, int color) {
  const std::regex path("<path class=\"marker c" + std::to_string(color) + "\" d=\"([^\"]*)\"/>"),
      place("M([-0-9.]+) ([-0-9.]+)m");
  std::vector<std::pair<double, double>> places;
  for (std::sregex_iterator at(svg.begin(), svg.end(), path), end; at != end; ++at) {
    const std::string d = (*at)[1];
    for (std::sregex_iterator each(d.begin(), d.end(), place); each != end; ++each)
      places.emplace_back(std::stod((*each)[1]), std::stod((*each)[2]));
  }
  return places;
}

std::vector<std::string> labels(const chart_axis& axis, const std::vector<double>& values) {
  std::vector<std::string> result;
  for (const auto& tick : detail::settle(axis, values).ticks)
    if (!tick.label.empty()) result.push_back(tick.label);
  return result;
}

using words = std::vector<std::string>;

}  // namespace

TEST_CASE("every series, point, label and the words for those who do not see it are there") {
  const std::string svg = svg_text(two_lines());
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(svg.ends_with("</svg>\n"));
  for (const char* part : {">Time against length</title>", ">Both grow.</desc>", ">direct</text>",
                           ">FFT</text>", ">length</text>", ">time (ms)</text>", "prefers-color-scheme:dark"})
    CHECK_MESSAGE(contains(svg, part), part);
  CHECK(count(svg, "<polyline") == 2);
  CHECK(marked(svg, 0).size() == 3);
  CHECK(marked(svg, 1).size() == 3);
  CHECK(contains(svg, "\n.c1{"));
  for (const char* unused : {".c2{", ".mark{", ".reference{"}) CHECK_MESSAGE(!contains(svg, unused), unused);
  CHECK(count(svg, "<rect class=\"page\"") == 1);  // a background of its own: readable on any page
  CHECK(svg_text(two_lines()) == svg);
}

TEST_CASE("larger values stand further right and higher") {
  chart what = two_lines();
  const std::string svg = svg_text(what);
  std::vector<std::pair<double, double>> places = marked(svg, 0);
  for (const auto& each : marked(svg, 1)) places.push_back(each);
  REQUIRE(places.size() == 6);
  // direct: y proportional to x, so a straight line on two logarithmic axes, with equal steps of a factor
  // of 8.
  CHECK(places[0].first < places[1].first);
  CHECK(places[1].first - places[0].first ==
        doctest::Approx(places[2].first - places[1].first).epsilon(0.01));
  CHECK(places[0].second - places[1].second ==
        doctest::Approx(places[1].second - places[2].second).epsilon(0.01));
  CHECK(places[2].second < places[5].second);
}

TEST_CASE("names of crowded points do not cover one another") {
  std::vector<text> names;
  for (const text& each : texts(svg_text(crowd())))
    if (each.words.starts_with("version")) names.push_back(each);
  CHECK(names.size() == 27);
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool beside = std::abs(names[i].x - names[j].x) > 80;
      const bool apart = beside || std::abs(names[i].y - names[j].y) >= 16;
      CHECK_MESSAGE(apart, names[i].words << " at " << names[i].x << ", " << names[i].y << " covers "
                                          << names[j].words << " at " << names[j].x << ", " << names[j].y);
    }
}

TEST_CASE("names at the last points find room inside of the picture") {
  chart what = two_lines();
  what.series[0].name = "a version with a long name indeed";
  for (const text& each : texts(svg_text(what)))
    if (each.words == what.series[0].name) CHECK(each.x + 8.4 * double(each.words.size()) < 740);
}

TEST_CASE("a legend names each series once") {
  chart what = crowd();
  what.names = chart_names::legend;
  const std::string svg = svg_text(what);
  for (const chart_series& each : what.series) CHECK(count(svg, ">" + each.name + "</text>") == 1);
  CHECK(marked(svg, 2).size() == 2 * (3 + 1));  // six colors: the third and the ninth series
}

TEST_CASE("words are escaped") {
  chart what = two_lines();
  what.title = "a < b & \"c\" > d\n";
  const std::string svg = svg_text(what);
  CHECK(contains(svg, ">a &lt; b &amp; &quot;c&quot; &gt; d </title>"));
  CHECK_FALSE(contains(svg, "a < b"));
}

TEST_CASE("what cannot be drawn is refused, and the message says which it was") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  chart what = two_lines();
  for (const double bad : {nan, inf, 0.0, -1.0}) {
    CAPTURE(bad);
    what = two_lines();
    what.series[1].points[2].y = bad;
    CHECK(contains(refusal(what), "chart 'Time against length': series 'FFT', y of point 2"));
    what = two_lines();
    what.series[0].points[0].x = bad;
    CHECK(contains(refusal(what), "series 'direct', x of point 0"));
    what = two_lines();
    what.references = {{"roof", {1, bad}, {2, 2}}};
    CHECK(contains(refusal(what), "reference 'roof'"));
    what = two_lines();
    what.y.low = bad;
    CHECK(contains(refusal(what), "'time (ms)' cannot begin or end at"));
  }
  what = two_lines();
  what.title.clear();
  CHECK(contains(refusal(what), "title"));
  what = two_lines();
  what.description.clear();
  CHECK(contains(refusal(what), "description"));
  what = two_lines();
  what.series.clear();
  CHECK(contains(refusal(what), "no series"));
  what = two_lines();
  what.series[0].points.clear();
  CHECK(contains(refusal(what), "series 'direct' has no points"));
  what = two_lines();
  what.series[0].line = what.series[0].markers = false;
  CHECK(contains(refusal(what), "neither"));
  what = two_lines();
  what.y.high = 10;
  CHECK(contains(refusal(what), "y of point 2: 32 lies outside"));
  what = two_lines();
  what.y.low = 3, what.y.high = 3;
  CHECK(contains(refusal(what), "does not end above it"));
  what = two_lines();
  what.y = {"time", axis_scale::linear, 0, 100};
  what.references = {{"far away", {1, 200}, {64, 200}}};
  CHECK(contains(refusal(what), "'far away' lies outside"));
}

TEST_CASE("references are cut off at the frame") {
  chart what = two_lines();
  what.x.high = 64;
  what.references = {{"roof", {1, 8}, {1e6, 8}}};
  const std::string svg = svg_text(what);
  std::smatch ends;
  REQUIRE(std::regex_search(svg, ends,
                            std::regex("x1=\"([0-9.]+)\" y1=\"[0-9.]+\" x2=\"([0-9.]+)\" y2=\"[0-9.]+\" "
                                       "class=\"reference\"")));
  CHECK(std::stod(ends[1]) >= 78);
  CHECK(std::stod(ends[2]) <= 720);
}

TEST_CASE("ticks are round numbers") {
  CHECK(labels({"", axis_scale::linear, 0, 5}, {1}) == words{"0", "1", "2", "3", "4", "5"});
  CHECK(labels({"", axis_scale::linear, 0, 0.3}, {0.1}) ==
        words{"0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"});
  CHECK(labels({"", axis_scale::linear, -2, 2}, {0}) == words{"-2", "-1", "0", "1", "2"});
  CHECK(labels({"", axis_scale::linear, 0, 5e6}, {1}).back() == "5,000,000");
  CHECK(labels({"", axis_scale::log10, 0.1, 10}, {1}) == words{"0.1", "0.2", "0.5", "1", "2", "5", "10"});
  CHECK(labels({"", axis_scale::log10, 1, 1e9}, {1}) ==
        words{"1", "10", "100", "1,000", "10,000", "100,000", "10⁶", "10⁷", "10⁸", "10⁹"});
  CHECK(labels({"", axis_scale::log2, 1, 16}, {1}) == words{"1", "2", "4", "8", "16"});
  CHECK(labels({"", axis_scale::log2, 1 << 20, 1 << 24}, {1 << 21}) ==
        words{"2²⁰", "2²¹", "2²²", "2²³", "2²⁴"});
}

TEST_CASE("an axis that is not given has room for all values") {
  for (const auto scale : {axis_scale::linear, axis_scale::log2, axis_scale::log10})
    for (const std::vector<double>& values : std::vector<std::vector<double>>{
             {1}, {3, 3}, {1, 2}, {0.001, 1e6}, {99, 100}, {1e-9, 2e-9}, {5, 7, 6}, {1, 1.0001}}) {
      CAPTURE(int(scale));
      CAPTURE(values[0]);
      const detail::settled_axis axis = detail::settle({"", scale}, values);
      CHECK(axis.low < axis.high);
      CHECK(axis.ticks.size() >= 2);
      CHECK(axis.ticks.size() < 120);
      for (const double value : values) {
        CHECK(axis.place(value) > -1e-9);
        CHECK(axis.place(value) < 1 + 1e-9);
      }
      for (const auto& tick : axis.ticks) {
        CHECK(axis.place(tick.value) > -1e-6);
        CHECK(axis.place(tick.value) < 1 + 1e-6);
      }
    }
}

TEST_CASE("the file is there whole or not at all") {
  const scratch_folder folder;
  write_svg(two_lines(), folder / "a.svg");
  CHECK(content(folder / "a.svg") == svg_text(two_lines()));
  chart bad = two_lines();
  bad.series.clear();
  CHECK_THROWS_AS(write_svg(bad, folder / "a.svg"), std::invalid_argument);
  CHECK(content(folder / "a.svg") == svg_text(two_lines()));
  CHECK_THROWS_AS(write_svg(two_lines(), folder / "none" / "a.svg"), input_error);
  CHECK(folder.entries() == 1);
}
