// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What the engines of a device do, from a timeline that a program on the emulated device has written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>

namespace cuda_emulator::draw {

/// A row for each engine of each device (copies up, kernels, copies down; of several devices also the other
/// copies), and along it the bytes that go over the link, one after the other. `title` is its heading. Throws
/// drawing_error for a file that is no timeline or not a whole one, and for more operations than a picture
/// can show. `bytes` fill the width, so that several pictures can have one scale; 0: those of the longest
/// chain.
std::string timeline_view(const std::filesystem::path& file, const std::string& title,
                          std::uint64_t bytes = 0);
/// The same from a stream, which messages call `name`. `within_page`: an element for a page, with that name.
std::string timeline_view(std::istream& in, const std::string& name, const std::string& title,
                          std::uint64_t bytes = 0, const std::string& within_page = {});

}  // namespace cuda_emulator::draw
