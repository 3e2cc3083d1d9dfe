// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The factors between red, green, blue and Y, Cb, Cr (JFIF 1.02, "Conversion to and from RGB"), as whole
// numbers with 16 binary places: what host and device calculate with, so that both have the same bits, and
// libjpeg's.
#pragma once

namespace tutorial::detail {

constexpr int places = 16, half = 1 << (places - 1);
constexpr int fixed_point(double x) { return static_cast<int>(x * (1 << places) + 0.5); }

constexpr int y_red = fixed_point(0.29900), y_green = fixed_point(0.58700), y_blue = fixed_point(0.11400);
constexpr int cb_red = fixed_point(0.16874), cb_green = fixed_point(0.33126), one_half = fixed_point(0.5);
constexpr int cr_green = fixed_point(0.41869), cr_blue = fixed_point(0.08131);
constexpr int red_cr = fixed_point(1.40200), green_cb = fixed_point(0.34414), green_cr = fixed_point(0.71414);
constexpr int blue_cb = fixed_point(1.77200);

/// 128, and halves go down: 255.5, which pure blue and red give, must not become 256.
constexpr int color_offset = (128 << places) + half - 1;

// Gray has no color: each row's factors have the sum that makes Cb = Cr = 128 and Y = gray exactly.
static_assert(y_red + y_green + y_blue == 1 << places);
static_assert(cb_red + cb_green == one_half);
static_assert(cr_green + cr_blue == one_half);

}  // namespace tutorial::detail
