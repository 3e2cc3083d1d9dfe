// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// MPI says who is who and where rank 0 is, so that no address has to be given. Whatever the ranks tell each
// other after that goes the same ways as without MPI.
#include <mpi.h>
#include <unistd.h>

#include <array>

#include "launcher.hpp"

namespace tutorial {

launcher::launcher(int* count, char*** words) { MPI_Init(count, words); }
launcher::~launcher() { MPI_Finalize(); }

// [mpi]
rank_place launcher::place() const {
  rank_place place = rank_from_environment();  // the port, and how long to wait
  MPI_Comm_rank(MPI_COMM_WORLD, &place.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &place.size);
  MPI_Comm on_this_machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, place.rank, MPI_INFO_NULL, &on_this_machine);
  MPI_Comm_rank(on_this_machine, &place.local_rank);
  int on_one = 0;
  MPI_Comm_size(on_this_machine, &on_one);
  MPI_Comm_free(&on_this_machine);
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  MPI_Bcast(name.data(), int(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  if (on_one < place.size) place.address = name.data();  // else it is this machine, whatever its name
  return place;
}
// [mpi]

void launcher::end(int status) const {
  MPI_Abort(MPI_COMM_WORLD, status);
  _exit(status);
}

}  // namespace tutorial
