// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

namespace tutorial {

/// A step of N samples takes N * us_each_sample on one device. On G devices, each computes N / G samples and
/// exchanges halos once, in us_each_exchange, whatever their length.

/// How many times faster than one device `devices` devices are; 1 for one device.
double times_faster(double samples, int devices, double us_each_sample, double us_each_exchange);

/// The least N for which `devices` devices, at least 2, are `efficiency` * devices times faster than one;
/// 0 < efficiency < 1. The result need not be a whole number.
double least_samples(int devices, double efficiency, double us_each_sample, double us_each_exchange);

}  // namespace tutorial
