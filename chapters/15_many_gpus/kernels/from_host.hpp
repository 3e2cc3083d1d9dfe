// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// A signal in the memory of the host, there and back over several devices.
#pragma once

#include <span>

#include "12_there_and_back/kernels/there_and_back.hpp"

namespace tutorial {

/// As chapter 12's prepare_stream_per_stage(), and with the same contract, but each device takes its share of
/// the chunks, which are next to each other: a thread of the host, three streams and a ring of buffers for
/// each. A chunk brings its history from the host, so no device needs anything of another one. x and y should
/// be pinned. A device may be named several times. Also throws std::invalid_argument without a device.
template <class T>
journey<T> prepare_from_host(std::span<const T> h, std::size_t samples, convolution_mode mode,
                             std::span<const int> devices, const chunking& how = {});

}  // namespace tutorial
