// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// Exercise 6: when it is worth it, from two numbers.
#include "worth_it.hpp"

namespace tutorial {

double times_faster(double samples, int devices, double us_each_sample, double us_each_exchange) {
  // SOLUTION: the time on one device over the time on all of them (about 3 lines)
  // STARTER: (void)samples, (void)us_each_sample, (void)us_each_exchange;
  // STARTER: return devices;
  const double alone = samples * us_each_sample;
  if (devices == 1) return 1;
  return alone / (alone / devices + us_each_exchange);
  // END SOLUTION
}

double least_samples(int devices, double efficiency, double us_each_sample, double us_each_exchange) {
  // SOLUTION: solve times_faster() = efficiency * devices for the samples (about 1 line)
  // STARTER: (void)devices, (void)efficiency;
  // STARTER: return us_each_exchange / us_each_sample;
  return efficiency / (1 - efficiency) * devices * us_each_exchange / us_each_sample;
  // END SOLUTION
}

}  // namespace tutorial
