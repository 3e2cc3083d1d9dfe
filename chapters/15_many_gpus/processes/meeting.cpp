// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "meeting.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace tutorial {
namespace {

using clock = std::chrono::steady_clock;

const char* first_set(std::initializer_list<const char*> names) {
  for (const char* const name : names)
    if (const char* const text = std::getenv(name); text != nullptr && *text != '\0') return text;
  return nullptr;
}

template <class T>
T number(std::initializer_list<const char*> names, T otherwise, T least, T most) {
  const char* const text = first_set(names);
  if (text == nullptr) return otherwise;
  T value{};
  const char* const end = text + std::strlen(text);
  const auto [next, error] = std::from_chars(text, end, value);
  if (error != std::errc() || next != end || value < least || value > most)
    throw meeting_error(std::string(*names.begin()) + " is '" + text + "' in the environment: it can be " +
                        std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::string name_of(int rank, int size) {
  return "rank " + std::to_string(rank) + " of " + std::to_string(size);
}

std::string where(const rank_place& place) { return place.address + ":" + std::to_string(place.port); }

/// A machine that is switched off says nothing: after some seconds without an answer the connection ends,
/// whether something was sent that way or not.
void keep_alive(int socket) {
  const int on = 1, idle = 5, interval = 2, count = 3;
  const unsigned all_ms = 1000 * (idle + interval * count);
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &all_ms, sizeof all_ms);
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool send_all(int socket, const void* bytes, std::size_t size) {
  for (const char* at = static_cast<const char*>(bytes); size > 0;) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent <= 0 && errno != EINTR) return false;
    if (sent > 0) at += sent, size -= std::size_t(sent);
  }
  return true;
}

/// How long a receiving call waits; 0: without end.
void set_patience(int socket, int seconds) {
  const timeval patience{seconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

/// False where the connection has ended, or patience; errno is EAGAIN then.
bool receive_all(int socket, void* bytes, std::size_t size) {
  errno = 0;
  for (char* at = static_cast<char*>(bytes); size > 0;) {
    const ssize_t got = recv(socket, at, size, 0);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) at += got, size -= std::size_t(got);
  }
  return true;
}

/// Who knocks at a port of its own machine where nobody listens may be given that port, and be connected with
/// itself.
bool is_itself(int socket) {
  sockaddr_in here{}, there{};
  socklen_t here_size = sizeof here, there_size = sizeof there;
  return getsockname(socket, reinterpret_cast<sockaddr*>(&here), &here_size) == 0 &&
         getpeername(socket, reinterpret_cast<sockaddr*>(&there), &there_size) == 0 &&
         here.sin_port == there.sin_port && here.sin_addr.s_addr == there.sin_addr.s_addr;
}

/// What goes to and fro after the meeting: a kind and a rank.
struct note {
  enum : std::int32_t { here, lost } kind;
  std::int32_t rank;
};
constexpr std::uint32_t greeting = 0x15c0de15;  // who says something else is not one of us

int milliseconds_until(clock::time_point end) {
  return int(std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count()));
}

}  // namespace

rank_place rank_from_environment() {
  rank_place place;
  const auto rank_names = {"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};
  const auto size_names = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"};
  if ((first_set(rank_names) == nullptr) != (first_set(size_names) == nullptr))
    throw meeting_error(
        "the environment has only one of RANK and WORLD_SIZE: set both, or start it with mpirun");
  place.size = number(size_names, 1, 1, 1024);
  place.rank = number(rank_names, 0, 0, place.size - 1);
  place.local_rank =
      number({"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"}, place.rank, 0, 1023);
  if (const char* const address = first_set({"MASTER_ADDR"})) place.address = address;
  place.port = number({"MASTER_PORT"}, place.port, 1, 65535);
  place.seconds = number({"MEETING_SECONDS"}, 10, 1, 3600);
  return place;
}

meeting::meeting(const rank_place& place) : place_(place) {
  if (place.size == 1) return;
  place.rank == 0 ? wait_for_all() : go_to_first();
}

meeting::~meeting() {
  for (const int each : sockets_)
    if (each >= 0) close(each);
}

void meeting::wait_for_all() {
  sockets_.assign(std::size_t(place_.size), -1);
  const int door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(std::uint16_t(place_.port));
  at.sin_addr.s_addr = htonl(INADDR_ANY);
  if (bind(door, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || listen(door, place_.size) != 0) {
    const std::string why = std::strerror(errno);
    close(door);
    throw meeting_error(name_of(0, place_.size) + " cannot listen on port " + std::to_string(place_.port) +
                        " (MASTER_PORT): " + why);
  }
  const auto end = clock::now() + std::chrono::milliseconds(std::int64_t(1000 * place_.seconds));
  for (int missing = place_.size - 1; missing > 0;) {
    pollfd ready{door, POLLIN, 0};
    const bool knocks = poll(&ready, 1, milliseconds_until(end)) > 0;
    if (clock::now() >= end) break;
    const int from = knocks ? accept4(door, nullptr, nullptr, SOCK_CLOEXEC) : -1;
    if (from < 0) continue;  // poll() may end a little early, and who knocked may have gone
    keep_alive(from);
    set_patience(from, 1);  // who connects and says nothing is not waited for
    std::uint32_t said[3] = {};
    const bool right = receive_all(from, said, sizeof said) && said[0] == greeting &&
                       said[2] == std::uint32_t(place_.size) && said[1] > 0 && said[1] < said[2] &&
                       sockets_[said[1]] < 0;
    if (!right) {
      close(from);
      continue;
    }
    set_patience(from, 0);
    sockets_[said[1]] = from;
    --missing;
  }
  close(door);
  std::string absent;
  for (int r = 1; r < place_.size; ++r)
    if (sockets_[std::size_t(r)] < 0) absent += (absent.empty() ? "rank " : ", rank ") + std::to_string(r);
  if (!absent.empty()) {
    for (int& each : sockets_)
      if (each >= 0) close(each), each = -1;
    throw meeting_error(absent + " of " + std::to_string(place_.size) + " has not come to " + where(place_) +
                        " within " + std::to_string(int(place_.seconds)) + " s");
  }
  for (int r = 1; r < place_.size; ++r) {
    const note all{note::here, 0};
    send_all(sockets_[std::size_t(r)], &all, sizeof all);
  }
}

void meeting::go_to_first() {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  const std::string me = name_of(place_.rank, place_.size);
  if (getaddrinfo(place_.address.c_str(), std::to_string(place_.port).c_str(), &hints, &found) != 0)
    throw meeting_error(me + ": there is no machine '" + place_.address + "' (MASTER_ADDR)");
  const auto end = clock::now() + std::chrono::milliseconds(std::int64_t(1000 * place_.seconds));
  int to = -1;
  while (clock::now() < end) {
    to = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{1, 0};
    setsockopt(to, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(to, found->ai_addr, found->ai_addrlen) == 0 && !is_itself(to)) break;
    close(to);
    to = -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // rank 0 may not be there yet
  }
  freeaddrinfo(found);
  if (to < 0)
    throw meeting_error(me + ": rank 0 does not answer at " + where(place_) + " within " +
                        std::to_string(int(place_.seconds)) + " s (MASTER_ADDR and MASTER_PORT say where)");
  keep_alive(to);
  sockets_ = {to};
  const std::uint32_t said[3] = {greeting, std::uint32_t(place_.rank), std::uint32_t(place_.size)};
  // Rank 0 waits no longer than it was told to: whoever says nothing after that is not rank 0.
  note all{};
  set_patience(to, int(place_.seconds) + 2);
  const bool has_said = send_all(to, said, sizeof said) && receive_all(to, &all, sizeof all);
  if (has_said ? all.kind != note::here || all.rank != 0 : errno == EAGAIN)
    throw meeting_error(me + ": whoever answers at " + where(place_) +
                        " is not rank 0 (MASTER_ADDR and MASTER_PORT say where that is)");
  if (!has_said)
    throw meeting_error(me + ": rank 0 has ended before all ranks had come, or knows this rank already");
  set_patience(to, 0);
}

void meeting::tell_lost(int rank) {
  for (int r = 1; place_.rank == 0 && r < place_.size; ++r) {
    const note lost{note::lost, rank};
    if (r != rank) send_all(sockets_[std::size_t(r)], &lost, sizeof lost);
  }
  throw meeting_error(name_of(rank, place_.size) + " has ended before the work was done");
}

void meeting::receive(int rank, void* bytes, std::size_t size) {
  if (!receive_all(sockets_[std::size_t(place_.rank == 0 ? rank : 0)], bytes, size)) tell_lost(rank);
}

void meeting::share(void* bytes, std::size_t size) {
  if (place_.rank > 0) {
    hear_first();
    return receive(0, bytes, size);
  }
  const note all{note::here, 0};
  for (int r = 1; r < place_.size; ++r) {
    const int to = sockets_[std::size_t(r)];
    if (!send_all(to, &all, sizeof all) || !send_all(to, bytes, size)) tell_lost(r);
  }
}

/// By rank 0: until each of the others has said that it is here. It hears of any that has ended, while others
/// are still away.
void meeting::wait_for_notes() {
  std::vector<pollfd> away;
  for (const int each : sockets_) away.push_back({each, POLLIN, 0});  // poll() leaves out -1
  for (int missing = place_.size - 1; missing > 0;) {
    if (poll(away.data(), away.size(), -1) < 0) continue;
    for (std::size_t r = 1; r < away.size(); ++r) {
      if (away[r].fd < 0 || away[r].revents == 0) continue;
      note here{};
      receive(int(r), &here, sizeof here);
      away[r].fd = -1;
      --missing;
    }
  }
}

/// By the others: a word of rank 0, which may be that another one has ended.
void meeting::hear_first() {
  note each{};
  receive(0, &each, sizeof each);
  if (each.kind == note::lost) tell_lost(each.rank);
}

void meeting::tell_first() {
  const note each{note::here, place_.rank};
  if (!send_all(sockets_[0], &each, sizeof each)) tell_lost(0);
  hear_first();
}

void meeting::all_here() {
  if (place_.rank > 0) return tell_first();
  wait_for_notes();
  const note all{note::here, 0};
  for (int r = 1; r < place_.size; ++r)
    if (!send_all(sockets_[std::size_t(r)], &all, sizeof all)) tell_lost(r);
}

void meeting::all_done(const std::function<void()>& finish) {
  if (place_.rank > 0) return tell_first();
  wait_for_notes();
  finish();
  const note all{note::here, 0};
  for (int r = 1; r < place_.size; ++r)  // who has ended now has nothing left to do
    send_all(sockets_[std::size_t(r)], &all, sizeof all);
}

meeting::watch::watch(meeting& of, std::function<void(const std::string&)> lost) {
  if (pipe(stop_) != 0) throw meeting_error(std::string("no pipe: ") + std::strerror(errno));
  thread_ = std::thread([&of, lost = std::move(lost), end = stop_[0]] {
    std::vector<pollfd> ready = {{end, POLLIN, 0}};
    for (const int each : of.sockets_) ready.push_back({each, POLLIN, 0});  // poll() leaves out -1
    while (true) {
      if (poll(ready.data(), ready.size(), -1) < 0) continue;
      if (ready[0].revents != 0) return;
      for (std::size_t i = 1; i < ready.size(); ++i) {
        if (ready[i].revents == 0) continue;
        note said{};
        const ssize_t got = recv(ready[i].fd, &said, sizeof said, MSG_PEEK | MSG_DONTWAIT);
        if (got > 0 && said.kind == note::here) {  // it has finished, and waits for all
          ready[i].events = 0;
          if ((ready[i].revents & (POLLHUP | POLLERR)) == 0) continue;
        }
        const int rank = got > 0 && said.kind == note::lost ? said.rank
                         : of.place_.rank == 0              ? int(i) - 1
                                                            : 0;
        try {
          of.tell_lost(rank);
        } catch (const meeting_error& error) {
          lost(error.what());
        }
        return;
      }
    }
  });
}

meeting::watch::~watch() {
  close(stop_[1]);
  thread_.join();
  close(stop_[0]);
}

}  // namespace tutorial
