// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Ways to look at a launch.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "picture.hpp"
#include "trace_file.hpp"

namespace cuda_emulator::draw {

/// What of the launch is to be seen; empty: everything.
struct choice {
  std::set<std::string> arrays;
  std::optional<int> warp, interval;
  std::optional<std::size_t> request;        ///< The number that the trace gives it.
  std::map<std::string, std::string> names;  ///< What an array is to be called.
  int row = 0;                               ///< Elements in one row; 0: as many as fit.
  std::size_t most_cells = 2500;             ///< A larger picture is refused (threads).
  std::size_t most_requests = 24;            ///< So are more than these (sectors, banks).
  std::string within_page;                   ///< The name of the picture in a page; empty: a file of its own.

  std::string name(const traced_array& array) const;
  bool has(const traced_launch& launch, const traced_request& request, const traced_access& access) const;
};

/// Which thread touches which element: one panel for each barrier interval, thread numbers in the cells.
/// Staged elements are told apart: loaded by the thread that stores them, and of the numbers that the block's
/// outputs have (tile) or not (halo); stored without having been loaded (ghosts).
std::string threads_view(const traced_launch& launch, const choice& what);

/// The lanes of a request to global memory above the sectors of 32 bytes that they touch; of each place in
/// the source the fullest request, unless one is chosen.
std::string sectors_view(const traced_launch& launch, const choice& what);

/// The lanes of a request to shared memory in the 32 banks, a row for each wavefront; what had to wait is
/// marked.
std::string banks_view(const traced_launch& launch, const choice& what);

/// The lanes of a request to constant memory, a row for each turn: lanes that want one address are served
/// together.
std::string constant_view(const traced_launch& launch, const choice& what);

/// The texels of each texture that the block fetches from, with the threads where they ask; outside of the
/// texture also the texel that they get.
std::string texels_view(const traced_launch& launch, const choice& what);

// What the views share.

/// The color of an array: global memory counts as output where the launch stores to it.
std::string color(const traced_launch& launch, std::size_t array);
/// "file.cu:12" without folders.
std::string short_place(const std::string& place);
/// "block 2 of 20", "block (2, 0) of (20, 3)".
std::string block_text(const traced_launch& launch);
/// A colored cell and what it means, one after the other.
void legend(picture& to, double y, const std::vector<std::pair<std::string, std::string>>& entries);
/// The requests of `where` that are to be drawn one by one: those chosen, else the fullest one of each place,
/// and of several that are as full the first one with the most parts.
std::vector<const traced_request*> representative(const traced_launch& launch, const choice& what,
                                                  memory where);

/// What is left out of the numbers of a request's elements, so that they fit into cells: 0 where they are
/// small.
std::uint64_t common_part(const traced_request& request);
/// "load x[...]", with the common part: "load x[20000 + ...]".
std::string request_text(const traced_launch& launch, const choice& what, const traced_request& request);

/// The heading of a request, which ends in `result` ("4 wavefronts"), and a row of its 32 lanes with the
/// number of the element that each wants, in that color. Returns the top of the row.
double lanes_row(picture& to, double left, const traced_launch& launch, const choice& what,
                 const traced_request& request, double cell_width, double cell_height,
                 const std::string& color, const std::string& result);

/// Where cells begin at the right of the names of their arrays.
double cells_begin(const traced_launch& launch, const choice& what,
                   const std::vector<const traced_request*>& requests);

}  // namespace cuda_emulator::draw
