// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A picture as SVG: the same text for the same calls, legible on light and dark pages, as large as what is
// drawn.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "svg.hpp"

namespace cuda_emulator::draw {

enum class anchor { start, middle, end };

/// Of a cell or of a line, in tenths of a pixel. A line goes from the first one to the other.
struct corners {
  long x1, y1, x2, y2;
};

/// Colors are classes, the same in every picture:
///   input output shared constant texture
///                      fill of a cell, by the memory it lies in (`output`: global memory that is written)
///   halo ghost                     samples of a neighbor, and samples that do not exist, in shared memory
///   conflict                       what had to wait
///   empty                          a cell that nobody uses
///   frame                          around cells that belong together
///   wire_input ...                 lines of these colors; `thick`, `borderless` beside them
///   tiny small dim strong          text
/// Few elements say it: cells and lines of one class are one path as long as nothing of another class covers
/// a part of them, and words that stand beside each other are one text. Text lies on top of everything.
class picture {
 public:
  /// The description is for those who do not see the picture.
  picture(std::string title, std::string description);

  void text(double x, double y, std::string_view text, std::string_view css = {},
            anchor where = anchor::start, std::string_view tooltip = {});
  /// The text is as large as `widest` can be, which is the text itself unless given: cells of a row look
  /// alike. The tooltip belongs to the text, and without one to the cell.
  void cell(double x, double y, double width, double height, std::string_view css, std::string_view text = {},
            std::string_view tooltip = {}, std::string_view widest = {});
  /// So many empty cells beside each other, which share a tooltip.
  void cells(int count, double x, double y, double width, double height, std::string_view css,
             std::string_view tooltip = {});
  void line(double x1, double y1, double x2, double y2, std::string_view css);

  /// Where free space begins below everything drawn so far.
  double bottom() const { return bottom_; }
  double right() const { return right_; }
  /// A file of its own. With a name: an element for a page that has picture_style(), and the names of its
  /// parts begin with it.
  std::string document(std::string_view name = {}) const;

 private:
  /// One element: cells or lines.
  struct shape {
    std::string css, tooltip;
    bool cells = true;
    std::vector<corners> parts = {};
  };
  struct word {
    double x = 0;
    std::string text, tooltip;
  };
  /// One element, too: words on one line.
  struct row {
    double y = 0;
    std::string css;
    anchor where{};
    std::vector<word> words = {};
  };

  void reach(double x, double y);
  void add(bool cells, std::string_view css, std::string_view tooltip, const std::vector<corners>& parts);

  std::string title_, description_;
  std::vector<shape> shapes_;
  std::vector<row> rows_;
  std::size_t open_ = 0;  // rows from here on get more words
  double right_ = 0, bottom_ = 0;
};

/// The style sheet of all pictures.
std::string picture_style();

/// The main function of a program that draws: writes a picture to the file that its last argument names.
/// `usage` is how it is called, "seams wrong|halos FILE.svg" or "flow_graph FILE.svg", and `draw` gets the
/// argument before the file, if there is one. Status 1, and why on standard error, where that cannot be.
int picture_main(int count, char** words, const std::string& usage,
                 const std::function<std::string(std::string_view)>& draw);

using svg::escaped;

/// Of the text of pictures, in pixels.
inline double text_width(std::string_view text, double size = 13) { return svg::monospace_width(text, size); }

inline constexpr double margin = 16;

}  // namespace cuda_emulator::draw
