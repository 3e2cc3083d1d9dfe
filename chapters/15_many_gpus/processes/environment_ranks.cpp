// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "launcher.hpp"

namespace tutorial {

launcher::launcher(int*, char***) {}
launcher::~launcher() = default;
rank_place launcher::place() const { return rank_from_environment(); }
void launcher::end(int status) const { std::exit(status); }

}  // namespace tutorial
