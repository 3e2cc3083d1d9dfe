// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "all_pictures.hpp"

#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "svg.hpp"

namespace cuda_emulator::draw {

const named_view views_of_launch[5] = {{"threads", threads_view},
                                       {"sectors", sectors_view},
                                       {"banks", banks_view},
                                       {"constant", constant_view},
                                       {"texels", texels_view}};

namespace {

constexpr std::size_t most_launches = 20;

std::string name_of_template(const std::string& kernel) { return kernel.substr(0, kernel.find('<')); }

std::string extent(const unsigned (&of)[3]) {
  return std::to_string(of[0]) + " " + std::to_string(of[1]) + " " + std::to_string(of[2]);
}

/// "mean_kernel<float, 4>, grid 3 1 1, block 16 1 1"
std::string title_of(const traced_launch& launch) {
  return launch.kernel + ", grid " + extent(launch.grid) + ", block " + extent(launch.block);
}

/// Alike for launches that do the same, also of instances of a template, tile<0> and tile<1>.
std::string way_of(const traced_launch& launch) {
  std::ostringstream text;
  text << name_of_template(launch.kernel) << ' ' << launch.place << ' ' << extent(launch.grid) << ' '
       << extent(launch.block) << '\n';
  for (const traced_array& each : launch.arrays)
    if (each.where == memory::shared)
      text << each.name << ' ' << each.element_size << ' ' << each.count << '\n';
  std::map<std::tuple<access_type, memory, std::string>, unsigned> parts;
  for (const traced_request& each : launch.requests) parts[{each.type, each.where, each.place}] += each.parts;
  for (const auto& [where, count] : parts)
    text << static_cast<int>(std::get<0>(where)) << ' ' << static_cast<int>(std::get<1>(where)) << ' '
         << std::get<2>(where) << ' ' << count << '\n';
  return text.str();
}

/// The picture, and what is left out of it; throws where there is none.
std::pair<std::string, bool> draw(const named_view& view, const traced_launch& launch, choice what) {
  try {
    return {view.draw(launch, what), false};
  } catch (const too_much_to_see&) {
    // A large block is more than a picture can show: one warp of it is better than nothing.
    if (what.warp) throw;
    what.warp = 0;
    return {view.draw(launch, what), true};
  }
}

}  // namespace

void write_picture(const std::filesystem::path& file, const std::string& text) {
  if (file.empty()) {
    if (!(std::cout << text << std::flush)) throw drawing_error("standard output cannot be written");
    return;
  }
  std::ofstream out(file, std::ios::binary);
  if (out << text << std::flush) return;
  std::error_code ignored;
  if (out.is_open() && std::filesystem::is_regular_file(file, ignored))
    std::filesystem::remove(file, ignored);
  throw drawing_error(file.string() + " cannot be written");
}

int draw_all(const std::vector<const traced_launch*>& launches, const choice& what,
             const std::filesystem::path& folder, const std::string& title) {
  std::vector<const traced_launch*> different;
  std::set<std::string> ways;
  for (const traced_launch* each : launches)
    if (ways.insert(way_of(*each)).second) different.push_back(each);
  const bool is_chosen = !what.arrays.empty() || what.warp || what.interval || what.request ||
                         what.row != 0 || !what.names.empty();
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  std::string page =
      "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"color-scheme\" content=\"light "
      "dark\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      escaped(title) + "</title>\n<h1>" + escaped(title) + "</h1>\n";
  int count = 0;
  std::map<std::string, int> named;
  for (const traced_launch* launch : different) {
    if (launch == (different.size() > most_launches ? different[most_launches] : nullptr)) {
      std::cerr << "There are more launches; --launch N draws one of them: " << different.size()
                << " differ.\n";
      break;
    }
    std::string name = name_of_template(launch->kernel), heading = title_of(*launch);
    if (const int again = ++named[name]; again > 1) {
      name += "_" + std::to_string(again);
      heading += " (launch " + std::to_string(launch->number) + ")";
    }
    page += "<h2>" + escaped(heading) + "</h2>\n";
    int drawn = 0;
    for (const named_view& view : views_of_launch) {
      const std::filesystem::path file = folder / (name + "_" + view.name + ".svg");
      try {
        const auto [picture, is_part] = draw(view, *launch, what);
        write_picture(file, picture);
        std::cerr << file.string()
                  << (is_part ? " (warp 0 only: the block has too many accesses for one picture)" : "")
                  << "\n";
        if (launch->cut)
          std::cerr << "the trace of this launch was cut off: the picture shows its beginning only.\n";
        page += "<p><img src=\"" + file.filename().string() + "\" alt=\"" + view.name + " of " +
                escaped(launch->kernel) + "\"></p>\n";
        ++drawn;
      } catch (const nothing_to_see&) {
        // A kernel without shared memory has no banks to show, and that is no news.
      } catch (const drawing_error& error) {
        std::cerr << "no picture: " << view.name << " of " << launch->kernel << " (" << error.what() << ")\n";
      }
    }
    if (drawn == 0)
      std::cerr << "no picture of " << heading << ": its block " << launch->traced[0] << " accesses no memory"
                << (is_chosen ? " that was chosen" : "") << "\n";
    count += drawn;
  }
  if (count > 0) {
    write_picture(folder / "index.html", page);
    std::cerr << "All of them: " << (folder / "index.html").string() << "\n";
  } else {
    std::filesystem::remove(folder, failed);
  }
  return count;
}

}  // namespace cuda_emulator::draw
