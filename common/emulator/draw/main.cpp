// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// draw_accesses: pictures of a trace of the emulated device.
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "all_pictures.hpp"
#include "steps_page.hpp"
#include "timeline_view.hpp"
#include "views.hpp"

using namespace cuda_emulator::draw;

namespace {

constexpr const char* usage =
    R"(usage: draw_accesses FILE.trace [--view threads|sectors|banks|constant|texels] [options] [-o FILE.svg]
       draw_accesses FILE.trace --all FOLDER [options]
       draw_accesses FILE.trace --steps [options] [-o FILE.html]
       draw_accesses FILE.timeline --view timeline [--title TEXT] [--scale BYTES] [-o FILE.svg]

Draws what one block of a launch accesses, from a trace that a program on the emulated device has written
(EMULATOR_TRACE=FILE.trace, or --trace FILE.trace of a chapter's program). Without --view, --all and --steps:
a list of the launches.

  --view threads    which thread touches which element, a panel for each interval between barriers
  --view sectors    the 32 lanes of a warp above the sectors of global memory that they touch
  --view banks      the 32 banks of shared memory, a row for each wavefront
  --view constant   the lanes that each word of constant memory is handed to, a row for each turn
  --view texels     the texels of a texture, and the threads that ask for them

  --all FOLDER      all pictures of all launches that differ, or of the one that --launch names, and a page
                    with them

  --view timeline   copies up, kernels and copies down, by what has to wait for what; from a file that a
                    program on the emulated device has written with EMULATOR_TIMELINE=FILE.timeline

  --steps           a page on which one steps through the block; the program has to run with EMULATOR_STEPS=1,
                    too
  --steps-data      what that page shows, as JSON
  --scale BYTES     of a timeline: so many bytes fill the width (default: the bytes of the longest chain)
  --title TEXT      its heading (default: the name of the kernel)

  --launch N        the N-th launch, or a kernel's name, with the arguments of its template or without
                    (default: the first launch)
  --array NAME      only this array; may be given more than once
  --warp N          only this warp of the block
  --interval N      only what comes after N barriers
  --request N       only this request, by its number in the trace (not for threads)
  --name OLD=NEW    calls an array NEW in the picture: shared_bytes=tile
  --row N           so many elements in a row (threads): for arrays that are matrices
  -o FILE           where the picture or page goes (default: standard output)
)";

/// Null where there is no such.
view view_called(const std::string& name) {
  for (const named_view& each : views_of_launch)
    if (name == each.name) return each.draw;
  return nullptr;
}

/// Wrong options: status 2, as everywhere in this tutorial.
class usage_error : public drawing_error {
  using drawing_error::drawing_error;
};

struct options {
  std::filesystem::path trace, output, all;
  std::string view, launch, title;
  bool steps = false, steps_data = false;
  std::uint64_t scale = 0;
  choice what;
};

int number(const std::string& option, const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw usage_error(option + " needs a whole number; it is '" + text + "'");
  return value;
}

options parse(int count, char** words) {
  options result;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw usage_error(word + " needs a value");
      return words[++i];
    };
    if (word == "--view") {
      result.view = value();
    } else if (word == "--all") {
      result.all = value();
    } else if (word == "--steps") {
      result.steps = true;
    } else if (word == "--steps-data") {
      result.steps_data = true;
    } else if (word == "--scale") {
      result.scale = static_cast<std::uint64_t>(number(word, value()));
    } else if (word == "--title") {
      result.title = value();
    } else if (word == "--launch") {
      result.launch = value();
    } else if (word == "--array") {
      result.what.arrays.insert(value());
    } else if (word == "--warp") {
      result.what.warp = number(word, value());
    } else if (word == "--interval") {
      result.what.interval = number(word, value());
    } else if (word == "--request") {
      result.what.request = static_cast<std::size_t>(number(word, value()));
    } else if (word == "--row") {
      result.what.row = number(word, value());
    } else if (word == "--name") {
      const std::string pair = value();
      const std::size_t equals = pair.find('=');
      if (equals == 0 || equals == pair.npos || equals + 1 == pair.size())
        throw usage_error("--name is OLD=NEW; it is '" + pair + "'");
      result.what.names[pair.substr(0, equals)] = pair.substr(equals + 1);
    } else if (word == "-o") {
      result.output = value();
    } else if (word.starts_with('-')) {
      throw usage_error("there is no option '" + word + "' (see --help)");
    } else if (!result.trace.empty()) {
      throw usage_error("one trace at a time: '" + word + "' is one too many");
    } else {
      result.trace = word;
    }
  }
  if (result.trace.empty()) throw usage_error("which trace? (see --help)");
  if (!result.view.empty() && result.view != "timeline" && view_called(result.view) == nullptr)
    throw usage_error("--view is threads, sectors, banks, constant, texels or timeline; it is '" +
                      result.view + "'");
  if (result.view.empty() + result.all.empty() + !result.steps + !result.steps_data < 3)
    throw usage_error("--view, --all, --steps and --steps-data exclude each other");
  if ((result.steps || result.steps_data) &&
      (!result.what.arrays.empty() || result.what.request || result.what.row != 0))
    throw usage_error("--array, --request and --row are for pictures, not for steps");
  if (!result.output.empty() && result.view.empty() && !result.steps && !result.steps_data)
    throw usage_error("-o needs --view, --steps or --steps-data: the list of launches is only printed");
  std::error_code ignored;
  if (!result.output.empty() && std::filesystem::equivalent(result.trace, result.output, ignored))
    throw usage_error("-o would replace the trace: give another name");
  return result;
}

std::string list(const std::vector<traced_launch>& launches) {
  std::string text;
  for (const traced_launch& each : launches) {
    text += std::to_string(each.number) + "  " + each.kernel + "  (" + short_place(each.place) + "), " +
            block_text(each) + ", " + std::to_string(each.requests.size()) + " requests" +
            (each.cut ? ", cut off" : "") + "\n   arrays:";
    for (const traced_array& array : each.arrays)
      text += " " + array.name + " (" + name_of(array.where) + ")";
    text += "\n";
  }
  return text;
}

const traced_launch& chosen(const std::vector<traced_launch>& launches, const options& wanted) {
  const std::string& which = wanted.launch;
  const bool by_number = !which.empty() && which.find_first_not_of("0123456789") == which.npos;
  for (const traced_launch& each : launches)
    if (which.empty() || each.is_of(which) || (by_number && std::to_string(each.number) == which))
      return each;
  throw drawing_error(which.empty() ? wanted.trace.string() +
                                          " holds no launch: did the program launch a kernel whose grid has "
                                          "the block that EMULATOR_TRACE_BLOCK names?"
                                    : "there is no launch '" + which + "' in " + wanted.trace.string() +
                                          ":\n" + list(launches));
}

int run(const options& wanted) {
  if (wanted.view == "timeline") {
    write_picture(wanted.output, timeline_view(wanted.trace, wanted.title, wanted.scale));
    return 0;
  }
  const std::vector<traced_launch> launches = read_trace(wanted.trace);
  const bool steps = wanted.steps || wanted.steps_data;
  if (!wanted.all.empty()) {
    std::vector<const traced_launch*> all;
    if (wanted.launch.empty())
      for (const traced_launch& each : launches) all.push_back(&each);
    else
      all.push_back(&chosen(launches, wanted));
    if (all.empty()) throw usage_error(wanted.trace.string() + " has no launch in it");
    return draw_all(all, wanted.what, wanted.all, wanted.title) > 0 ? 0 : 1;
  }
  if (wanted.view.empty() && !steps) {
    write_picture({}, list(launches));
    return 0;
  }
  const traced_launch& launch = chosen(launches, wanted);
  if (steps ? launch.steps_cut : launch.cut)
    std::cerr << "draw_accesses: the trace of this launch was cut off: the " << (steps ? "page" : "picture")
              << " shows its beginning only.\n";
  const std::string picture = wanted.steps        ? steps_page(launch, wanted.what, wanted.title)
                              : wanted.steps_data ? steps_data(launch, wanted.what, wanted.title)
                                                  : view_called(wanted.view)(launch, wanted.what);
  write_picture(wanted.output, picture);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    if (std::string_view(words[i]) == "--help" || std::string_view(words[i]) == "-h") {
      std::fputs(usage, stdout);
      return 0;
    }
  }
  try {
    return run(parse(count, words));
  } catch (const usage_error& error) {
    std::cerr << "draw_accesses: " << error.what() << "\n";
    return 2;
  } catch (const drawing_error& error) {
    std::cerr << "draw_accesses: " << error.what() << "\n";
    return 1;
  }
}
