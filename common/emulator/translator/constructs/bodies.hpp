// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What stands in the bodies of functions that the device has.
#pragma once

#include <vector>

#include "lambdas.hpp"
#include "text/editor.hpp"

namespace cuda_emulator::translator {

/// The body at the brace `open` belongs to a function of the device, or of both sides.
///
/// A static variable there lives in device memory, as if it were __device__; where the function is of both
/// sides, there is one for each. Inline PTX of functions of the device alone is translated: those that the
/// host has, too, may well speak to the CPU. What has been dealt with already is left alone. Refused, because
/// g++ would take them: thread_local, and an array whose size names one of the `parameters` (",x,n,").
void translate_body(editor& text, place open, bool of_both_sides, const std::string& parameters,
                    std::vector<shared_name>& shared);

/// texture<float, 2> t; and surface<void, 2> s; are errors, unless the program has a template of that name.
void refuse_texture_references(editor& text);

}  // namespace cuda_emulator::translator
