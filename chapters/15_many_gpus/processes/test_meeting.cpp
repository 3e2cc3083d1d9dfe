// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Meetings that end badly at each of their stages: every rank that lives on says who has ended, within
// seconds.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "meeting.hpp"

using namespace tutorial;

namespace {

constexpr int longest = 30;  // seconds until a test gives up, on a machine that does much else

/// A port that nobody uses, as long as the object lives: nobody listens at it.
class free_port {
 public:
  free_port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_ANY);
    socklen_t size = sizeof at;
    REQUIRE(bind(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
    REQUIRE(getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size) == 0);
    number_ = ntohs(at.sin_port);
  }
  ~free_port() { close(socket_); }
  free_port(const free_port&) = delete;
  int number() const { return number_; }
  int socket() const { return socket_; }

 private:
  int socket_, number_;
};

/// A process of its own, and what it has said in the end.
class process {
 public:
  explicit process(const std::function<std::string()>& work) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      close(ends[0]);
      alarm(longest);
      std::string said;
      try {
        said = work();
      } catch (const meeting_error& error) {
        said = error.what();
      }
      if (write(ends[1], said.data(), said.size()) < 0) _exit(1);
      _exit(0);
    }
    close(ends[1]);
    from_ = ends[0];
  }
  ~process() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    close(from_);
  }
  process(const process&) = delete;

  std::string said() {
    std::string text(1000, '\0');
    const ssize_t size = read(from_, text.data(), text.size());
    text.resize(size > 0 ? std::size_t(size) : 0);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    if (WIFSIGNALED(status)) text += " (signal " + std::to_string(WTERMSIG(status)) + ")";
    return text;
  }

 private:
  pid_t pid_;
  int from_;
};

rank_place place_of(int rank, int size, int port, double seconds = longest) {
  rank_place place;
  place.rank = rank;
  place.size = size;
  place.port = port;
  place.seconds = seconds;
  return place;
}

/// What a rank does in a meeting; it says "done", or its error.
using rank_work = std::function<void(meeting&, int rank)>;

/// A process for each rank, at a port of their own.
class ranks {
 public:
  explicit ranks(const std::vector<rank_work>& work) {
    for (int r = 0; r < int(work.size()); ++r)
      all_.push_back(std::make_unique<process>([&, r] {
        meeting mine(place_of(r, int(work.size()), port_.number()));
        work[std::size_t(r)](mine, r);
        return std::string("done");
      }));
  }
  std::string said(int rank) { return all_[std::size_t(rank)]->said(); }

 private:
  free_port port_;
  std::vector<std::unique_ptr<process>> all_;
};

// What our ranks do, one after the other.
void share_number(meeting& all, int rank) {
  int number = rank == 0 ? 15 : 0;
  all.share(&number, sizeof number);
  if (number != 15) throw meeting_error("another number");
}
void be_here(meeting& all, int) { all.all_here(); }
void be_done(meeting& all, int) {
  all.all_done([] {});
}
const std::vector<rank_work> stages = {share_number, be_here, be_done};

void all_stages(meeting& all, int rank) {
  for (const rank_work& each : stages) each(all, rank);
}
/// Ends without a word before the stage of this number.
rank_work ends_before(int stage) {
  return [=](meeting& all, int rank) {
    for (int i = 0; i < stage; ++i) stages[std::size_t(i)](all, rank);
    kill(getpid(), SIGKILL);
  };
}
void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// Until somebody is lost, which is thrown, or for some seconds.
void watch_for(meeting& all, double seconds) {
  std::promise<std::string> lost;
  const meeting::watch watch(all, [&](const std::string& line) { lost.set_value(line); });
  auto line = lost.get_future();
  if (line.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready)
    throw meeting_error(line.get());
}

std::string lost(int rank, int size) {
  return "rank " + std::to_string(rank) + " of " + std::to_string(size) +
         " has ended before the work was done";
}

/// Waits for somebody, does `then`, and keeps the connection while the object lives.
class other_server {
 public:
  explicit other_server(const std::string& answer) : answer_(answer) {
    REQUIRE(listen(port_.socket(), 1) == 0);
    thread_ = std::thread([this] {
      connection_ = accept(port_.socket(), nullptr, nullptr);
      if (!answer_.empty()) send(connection_, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    });
  }
  ~other_server() {
    thread_.join();
    close(connection_);
  }
  other_server(const other_server&) = delete;
  int number() const { return port_.number(); }

 private:
  free_port port_;
  std::string answer_;
  std::thread thread_;
  int connection_ = -1;
};

/// Connected with a port of this machine, having said this. Tries until somebody listens there.
class stranger {
 public:
  stranger(int port, const std::string& words) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons(std::uint16_t(port));
    for (bool connected = false; !connected;) {
      socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      connected = connect(socket_, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
      if (connected) break;
      close(socket_);
      sleep(0.01);
    }
    send(socket_, words.data(), words.size(), MSG_NOSIGNAL);
  }
  ~stranger() { close(socket_); }
  stranger(const stranger&) = delete;

 private:
  int socket_ = -1;
};

std::string join(int rank, int size, int port, double seconds = longest) {
  const meeting all(place_of(rank, size, port, seconds));
  return "done";
}

}  // namespace

TEST_CASE("all come, share, and are done when rank 0 has finished") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const rank_work work = [&](meeting& all, int rank) {
    share_number(all, rank);
    all.all_here();
    if (rank == 0) sleep(0.2);  // the others wait for it
    all.all_done([&] {
      sleep(0.2);
      if (write(ends[1], "0", 1) < 0) throw meeting_error("no pipe");
    });
    const char own = char('0' + rank);
    if (rank != 0 && write(ends[1], &own, 1) < 0) throw meeting_error("no pipe");
  };
  ranks three({work, work, work});
  for (int r = 0; r < 3; ++r) CHECK(three.said(r) == "done");
  char order[4] = {};
  REQUIRE(read(ends[0], order, 3) == 3);
  CHECK(order[0] == '0');  // its work for the end comes first
  for (const int each : ends) close(each);
}

TEST_CASE("a rank that ends at any stage is named by all others") {
  for (int stage = 0; stage < int(stages.size()); ++stage)
    for (int victim = 0; victim < 3; ++victim) {
      CAPTURE(stage);
      CAPTURE(victim);
      std::vector<rank_work> work(3, all_stages);
      work[std::size_t(victim)] = ends_before(stage);
      ranks three(work);
      for (int r = 0; r < 3; ++r) CHECK(three.said(r) == (r == victim ? " (signal 9)" : lost(victim, 3)));
    }
}

TEST_CASE("rank 0 hears of one that ends while another is away: before the work, and at its end") {
  for (const int stage : {1, 2}) {
    CAPTURE(stage);
    const rank_work away = [=](meeting& all, int rank) {
      for (int i = 0; i < stage; ++i) stages[std::size_t(i)](all, rank);
      watch_for(all, longest);
    };
    ranks four({all_stages, away, ends_before(stage), stage == 1 ? away : rank_work(all_stages)});
    CHECK(four.said(0) == lost(2, 4));
    CHECK(four.said(1) == lost(2, 4));
    CHECK(four.said(3) == lost(2, 4));
  }
}

TEST_CASE("those who watch hear of one that ends") {
  for (int victim = 0; victim < 3; ++victim) {
    CAPTURE(victim);
    std::vector<rank_work> work(3, [](meeting& all, int) { watch_for(all, longest); });
    work[std::size_t(victim)] = [](meeting&, int) {
      sleep(0.2);
      kill(getpid(), SIGKILL);
    };
    ranks three(work);
    for (int r = 0; r < 3; ++r) CHECK(three.said(r) == (r == victim ? " (signal 9)" : lost(victim, 3)));
  }
}

TEST_CASE("a rank that has done its work may end: the others finish") {
  const rank_work ends_in_the_end = [](meeting& all, int rank) {
    std::thread([] {
      sleep(0.2);
      kill(getpid(), SIGKILL);
    }).detach();
    be_done(all, rank);
  };
  const rank_work works_longer = [](meeting& all, int rank) {
    watch_for(all, 0.6);
    be_done(all, rank);
  };
  ranks three({works_longer, ends_in_the_end, works_longer});
  CHECK(three.said(1) == " (signal 9)");
  CHECK(three.said(0) == "done");
  CHECK(three.said(2) == "done");
}

TEST_CASE("what cannot be finished ends all") {
  const rank_work fails = [](meeting& all, int) {
    all.all_done([] { throw meeting_error("the file cannot be renamed"); });
  };
  ranks both({fails, be_done});
  CHECK(both.said(0) == "the file cannot be renamed");
  CHECK(both.said(1) == lost(0, 2));
}

TEST_CASE("who never comes is named, by rank 0 and to those who have come") {
  const free_port port;
  process first([&] { return join(0, 3, port.number(), 1); });
  process last([&] { return join(2, 3, port.number()); });
  CHECK(first.said() ==
        "rank 1 of 3 has not come to 127.0.0.1:" + std::to_string(port.number()) + " within 1 s");
  CHECK(last.said() == "rank 2 of 3: rank 0 has ended before all ranks had come, or knows this rank already");
}

TEST_CASE("where nobody listens, a rank says so") {
  const free_port port;
  process last([&] { return join(1, 2, port.number(), 1); });
  CHECK(last.said() == "rank 1 of 2: rank 0 does not answer at 127.0.0.1:" + std::to_string(port.number()) +
                           " within 1 s (MASTER_ADDR and MASTER_PORT say where)");
}

TEST_CASE("at the port of another program, whether it answers or not, a rank says so") {
  for (const char* const answer : {"", "220 mail.example.org", "x"}) {
    CAPTURE(answer);
    const other_server other(answer);
    process last([&] { return join(1, 2, other.number(), 1); });
    CHECK(last.said() == "rank 1 of 2: whoever answers at 127.0.0.1:" + std::to_string(other.number()) +
                             " is not rank 0 (MASTER_ADDR and MASTER_PORT say where that is)");
  }
}

TEST_CASE("where another program listens, rank 0 cannot") {
  const free_port port;
  REQUIRE(listen(port.socket(), 1) == 0);
  process first([&] { return join(0, 2, port.number()); });
  CHECK(first.said().find("rank 0 of 2 cannot listen on port " + std::to_string(port.number())) == 0);
}

TEST_CASE("strangers are not waited for, and a rank comes once") {
  const free_port port;
  process first([&] { return join(0, 3, port.number()); });
  const stranger mute(port.number(), ""), talks(port.number(), "GET / HTTP/1.1\r\n\r\n");
  process one([&] {
    const meeting all(place_of(1, 3, port.number()));
    return std::string("done");
  });
  sleep(1.5);
  process again([&] { return join(1, 3, port.number()); });
  CHECK(again.said() ==
        "rank 1 of 3: rank 0 has ended before all ranks had come, or knows this rank already");
  process two([&] { return join(2, 3, port.number()); });
  CHECK(first.said() == "done");
  CHECK(one.said() == "done");
  CHECK(two.said() == "done");
}
