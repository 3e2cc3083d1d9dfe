// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#include "code/kernel_name.hpp"
#include "code/symbolize.hpp"
#include "device/device_limits.hpp"
#include "device/error_names.hpp"
#include "device/standard_error.hpp"
#include "emulator/control.hpp"
#include "report_page.hpp"
#include "report_pictures.hpp"
#include "report_source.hpp"
#include "trace.hpp"
#include "watch/launch_state.hpp"

namespace cuda_emulator {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_listed = 200, most_remarked = 100, most_with_pictures = 12, most_findings = 24;
// Of those that are kept for show_launches(), and of the text of all traces: it takes a second or two.
// Steps take the most room: beyond the first megabytes launches are kept without them.
constexpr std::size_t most_kept = 12, most_shown = 3, most_kept_text = 64 << 20,
                      most_text_with_steps = 8 << 20;

/// Which file it is, and which version of it.
struct identity {
  bool exists = false;
  dev_t device = 0;
  ino_t number = 0;
  timespec changed{};

  static identity of(const fs::path& file) {
    struct stat status;
    if (stat(file.c_str(), &status) != 0) return {};
    return {true, status.st_dev, status.st_ino, status.st_mtim};
  }
  bool operator==(const identity& other) const {
    return exists == other.exists && device == other.device && number == other.number &&
           changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec;
  }
};

struct kept_launch {
  reported_launch launch;
  std::string trace;
  int warp = 0;  ///< The one with the finding.
};

std::string (*timeline_source)() = nullptr;
std::atomic<bool> report_wanted{false};

struct report_state {
  std::mutex mutex;
  fs::path file;  // empty: nobody wants a report
  identity before;
  pid_t process = 0;  // whose launches these are
  std::chrono::steady_clock::time_point begin;
  report_record record;
  std::map<const kernel_record*, std::size_t> kernels;
  std::map<std::string, std::size_t> by_name;  // libraries' calls, and launches that name no kernel
  std::size_t remarked = 0, with_pictures = 0;
  std::string running;
  bool keeping = false;
  std::vector<kept_launch> kept;
  std::size_t kept_text = 0;
};

report_state& state() {
  static report_state* const the_one = new report_state;  // used until the very end
  return *the_one;
}

/// For the length of a call: the state, if there is a report. A process that was forked begins one of its own
/// as soon as it does something.
class access_to_state {
 public:
  access_to_state() : lock_(state().mutex) {
    if (!*this || state().process == getpid()) return;
    report_state& s = state();
    s.process = getpid();
    s.record = {};
    s.kernels.clear();
    s.by_name.clear();
    s.remarked = s.with_pictures = 0;
    s.kept.clear();
    s.before = identity::of(s.file);
  }
  explicit operator bool() const { return !state().file.empty(); }
  report_state* operator->() const { return &state(); }

 private:
  std::lock_guard<std::mutex> lock_;
};

std::string cannot(const fs::path& file, int error) {
  return "emulated device: the report cannot be written: " + file.string() + ": " + std::strerror(error);
}

/// "report_%p.html" is another file in each process.
fs::path with_process(std::string name) {
  const std::string number = std::to_string(getpid());
  for (std::size_t at = name.find("%p"); at != name.npos; at = name.find("%p", at + number.size()))
    name.replace(at, 2, number);
  std::error_code error;
  const fs::path file = fs::absolute(name, error);  // the program may go to another folder
  return error ? fs::path(name) : file;
}

/// What would fail at the end fails now.
int refusal(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) return EISDIR;
  if (fs::exists(file, error)) return access(file.c_str(), W_OK) == 0 ? 0 : errno;
  const fs::path folder = file.parent_path();
  if (!fs::exists(folder, error)) return ENOENT;
  if (!fs::is_directory(folder, error)) return ENOTDIR;
  return access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

void start(const char* name) {
  report_state& s = state();
  const std::lock_guard lock(s.mutex);
  s.file = with_process(name);
  if (const int error = refusal(s.file); error != 0) give_up(cannot(s.file, error));
  s.before = identity::of(s.file);
  s.process = getpid();
  s.begin = std::chrono::steady_clock::now();
  s.record = {};
  s.kernels.clear();
  s.by_name.clear();
  s.remarked = s.with_pictures = 0;
  s.kept.clear();
  report_wanted = true;
}

/// The arguments of the program, as a shell would take them.
void describe_program(report_record& to) {
  std::ifstream in("/proc/self/cmdline");
  for (std::string word; std::getline(in, word, '\0');) {
    if (to.command.empty()) to.name = fs::path(word).filename().string();
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                            "+-_.,:/=@%^") == word.npos;
    to.command += (to.command.empty() ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  if (to.command.size() > 2000) to.command = to.command.substr(0, 2000) + " ...";
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm local{};
  char text[64] = "";
  if (localtime_r(&time, &local) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &local);
  return text;
}

std::string launched_at(const launch_request& request) {
  return source_place{request.file, request.line}.text();
}

std::size_t kernel_of(report_state& s, const kernel_record& kernel) {
  const auto [found, fresh] = s.kernels.emplace(&kernel, s.record.kernels.size());
  if (fresh) {
    reported_kernel& k = s.record.kernels.emplace_back();
    k.name = full_name(kernel);
    k.place = source_place{kernel.file, kernel.line}.text();
  }
  return found->second;
}

std::size_t kernel_of(report_state& s, const std::string& name, bool of_library) {
  const auto [found, fresh] = s.by_name.emplace(name, s.record.kernels.size());
  if (fresh) {
    reported_kernel& k = s.record.kernels.emplace_back();
    k.name = name;
    k.of_library = of_library;
  }
  return found->second;
}

/// Keeps the last launches, with their traces.
void keep(report_state& s, const reported_launch& one, const launch_state& launch) {
  if (s.kept.size() == most_kept) s.kept.erase(s.kept.begin());
  s.kept.push_back({one, "", 0});
  if (launch.traced_block == no_block) return;
  s.kept.back().trace = trace_of(launch, static_cast<int>(one.number));
  s.kept_text += s.kept.back().trace.size();
  const auto found = std::find_if(launch.findings.begin(), launch.findings.end(),
                                  [&](const raw_finding& each) { return each.block == launch.traced_block; });
  if (found != launch.findings.end()) s.kept.back().warp = found->thread / 32;
}

reported_failure failure_of(const report_state& s, const kept_launch& kept) {
  const reported_launch& l = kept.launch;
  reported_failure result;
  result.launch = l;
  reported_kernel& k = result.kernel;
  k.name = s.record.kernels[l.kernel].name;
  k.place = s.record.kernels[l.kernel].place;
  k.launches = 1;
  k.blocks = std::uint64_t{l.grid.x} * l.grid.y * l.grid.z;
  k.threads = l.threads;
  k.counts = l.counts;
  if (kept.trace.empty())
    k.without_pictures = "No picture: the launches before it took all the room for traces.";
  else
    draw_accesses(k, "launch_" + std::to_string(l.number), trace_header() + kept.trace, kept.warp);
  return result;
}

void (*finding_listener)(const finding&, std::uint64_t) = nullptr;

/// The first failure's: later ones change nothing.
void note_timeline(report_record& r) {
  if (r.timeline.empty() && timeline_source != nullptr) r.timeline = timeline_svg(timeline_source());
}

/// Keeps the first launches, and some of those that have something to say.
void list(report_state& s, const reported_launch& launch) {
  const bool remarkable = !launch.remark.empty() && s.remarked < most_remarked;
  if (launch.number > most_listed && !remarkable) return;
  s.remarked += !launch.remark.empty();
  s.record.listed.push_back(launch);
}

std::uint64_t next_number(const report_state& s) {
  return s.record.launches + s.record.refused + s.record.calls_of_libraries + 1;
}

std::string text_of_devices() {
  return "emulated, like an NVIDIA H200 (compute capability " + std::to_string(limits::capability_major) +
         "." + std::to_string(limits::capability_minor) + ", CUDA runtime " +
         std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10) + ")";
}

/// Writes `text` to a new file beside `target` and puts it in its place. Returns 0, or what went wrong.
int write(const std::string& text, const fs::path& target, bool beside) {
  const fs::path part = beside ? fs::path(target.string() + ".part" + std::to_string(getpid())) : target;
  std::FILE* file = std::fopen(part.c_str(), beside ? "wxe" : "we");
  if (file == nullptr) return errno;
  int error = 0;
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  if (beside && error == 0 && std::rename(part.c_str(), target.c_str()) != 0) error = errno;
  if (beside && error != 0) std::remove(part.c_str());
  return error;
}

fs::path steps_beside(const fs::path& report, std::size_t number) {
  return report.parent_path() / (report.stem().string() + "_steps_" + std::to_string(number) + ".html");
}

/// The pages of steps, one for each kernel that has one; those of an earlier report under this name go.
void write_steps(report_record& r, const fs::path& report) {
  std::size_t number = 0;
  const auto write_one = [&](reported_kernel& k) {
    if (k.steps.empty()) return;
    const fs::path file = steps_beside(report, ++number);
    if (write(k.steps, file, true) == 0) k.steps_file = file.filename().string();
  };
  for (reported_failure& each : r.shown) write_one(each.kernel);
  for (reported_kernel& k : r.kernels) {
    const bool shown_above = std::any_of(r.shown.begin(), r.shown.end(), [&](const reported_failure& each) {
      return each.launch.number == k.first_launch;
    });
    if (!shown_above) write_one(k);
  }
  while (++number <= most_with_pictures) std::remove(steps_beside(report, number).c_str());
}

/// Another process may have been asked for the same file, and have ended first: its report stays.
void write_page(report_record& r, fs::path file, const identity& before) {
  std::error_code ignored;
  if (const fs::path real = fs::weakly_canonical(file, ignored); !real.empty()) file = real;
  const bool regular = !fs::exists(file, ignored) || fs::is_regular_file(file, ignored);
  // Of two that end at the same time one waits: the lock is that of the folder, and leaves nothing behind.
  const int folder = regular ? open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (folder >= 0) flock(folder, LOCK_EX);
  if (const identity now = identity::of(file); regular && now.exists && !(now == before)) {
    const fs::path own = file.parent_path() /
                         (file.stem().string() + "." + std::to_string(getpid()) + file.extension().string());
    std::fprintf(
        stderr,
        "emulated device: another process has written %s since this one began; the report of this one is "
        "%s. (EMULATOR_REPORT may have %%p in it, for the number of the process.)\n",
        shown(file.string()).c_str(), shown(own.string()).c_str());
    file = own;
  }
  if (regular) write_steps(r, file);
  if (const int error = write(page_of(r), file, regular); error != 0)
    std::fprintf(stderr, "%s\n", cannot(file, error).c_str());
  if (folder >= 0) close(folder);
}

void finish(const std::string& end, bool well) {
  report_state& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.file.empty()) return;
  try {
    report_record& r = s.record;
    r.date = now();
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - s.begin).count();
    r.order = order_text();
    r.workers = settings().threads;
    r.checking = settings().checking;
    r.device = text_of_devices();
    r.end = end + (s.running.empty() ? "" : ", in the middle of " + s.running);
    r.ended_well = well;
    note_timeline(r);
    if (!s.running.empty()) tell_note("interrupted", "", s.running);
    if (!r.timeline.empty()) tell_note("timeline", "", "");
    if (r.refused > 0) tell_note("refusals", "", std::to_string(r.refused));
    describe_program(r);
    write_page(r, s.file, s.before);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "emulated device: the report cannot be written: %s\n", error.what());
  }
  s.file.clear();
}

// Ends that no handler of exit() sees: a crash of the host's code, an exception that nobody catches, Ctrl-C.
// What such a process can still do is not known, so another one writes the page, and gets ten seconds; then
// the signal does what it would have done.
void on_signal(int signal) {
  const pid_t writer = _Fork();
  if (writer == 0) {
    ::signal(SIGALRM, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    alarm(10);
    finish("signal " + std::to_string(signal) + " (" + strsignal(signal) + ")", false);
    _exit(0);
  }
  if (writer > 0) waitpid(writer, nullptr, 0);
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void watch_signals() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
        now.sa_handler != SIG_DFL)
      continue;
    struct sigaction ours {};
    ours.sa_handler = on_signal;
    ours.sa_flags = SA_ONSTACK;
    sigaction(signal, &ours, nullptr);
  }
}

}  // namespace

void begin_report() {
  const char* name = std::getenv("EMULATOR_REPORT");
  if (name == nullptr || *name == '\0') return;
  settings();  // what is wrong there is said now
  start(name);
  watch_signals();
}

void set_report(const char* file) {
  if (file == nullptr) {
    const std::lock_guard lock(state().mutex);
    state().file.clear();
    report_wanted = false;
    return;
  }
  settings();
  start(file);
  watch_signals();
}

std::uint64_t next_launch() {
  const access_to_state s;
  return s ? next_number(state()) : 0;
}

void keep_launches() {
  const access_to_state s;
  if (!s) return;
  s->keeping = true;
  s->kept.clear();
}

std::vector<shown_launch> show_launches(std::uint64_t first, std::uint64_t last, const char* why,
                                        const char* view, const char* trace) {
  const access_to_state s;
  if (!s) return {};
  s->record.failed_check = why;
  note_timeline(s->record);
  if (first > last) return {};
  s->record.shown.clear();
  std::vector<const kept_launch*> chosen;  // of each kernel the last
  for (auto each = s->kept.rbegin(); each != s->kept.rend() && chosen.size() < most_shown; ++each) {
    const reported_launch& l = each->launch;
    if (l.number < first || l.number > last) continue;
    if (std::none_of(chosen.begin(), chosen.end(),
                     [&](const kept_launch* other) { return other->launch.kernel == l.kernel; }))
      chosen.insert(chosen.begin(), &*each);
  }
  std::vector<shown_launch> result;
  std::string traces = trace_header();
  for (const kept_launch* each : chosen) {
    s->record.shown.push_back(failure_of(state(), *each));
    traces += each->trace;
    const reported_kernel& k = s->record.shown.back().kernel;
    shown_launch one{each->launch.number, k.name, k.place, each->launch.place, "", ""};
    for (const reported_picture& picture : k.pictures)
      if (picture.view == view) one.view = picture.view, one.options = picture.options;
    result.push_back(one);
  }
  if (trace != nullptr && !chosen.empty()) {
    if (const int error = write(traces, trace, false); error != 0)
      std::fprintf(stderr, "emulated device: the trace cannot be written: %s: %s\n", trace,
                   std::strerror(error));
  }
  return result;
}

void hear_findings(void (*listener)(const finding& found, std::uint64_t launch)) {
  finding_listener = listener;
}

std::uint64_t reported_block(const launch_state& launch) {
  const access_to_state s;
  if (!s || !launch.settings.checking || unseen()) return no_block;
  if (s->keeping && s->kept_text < most_kept_text) return named_block(launch);
  if (s->with_pictures == most_with_pictures) return no_block;
  const auto known = s->kernels.find(&launch.kernel);
  const bool first = known == s->kernels.end() || s->record.kernels[known->second].launches == 0;
  return first ? named_block(launch) : no_block;
}

std::size_t reported_step_values() {
  const access_to_state s;
  return !s || (s->keeping && s->kept_text >= most_text_with_steps) ? 0 : 40'000;
}

void report_begin(const launch_state& launch) {
  const access_to_state s;
  if (s)
    s->running = "kernel " + std::string(launch.kernel.name) + ", launched at " + launched_at(launch.request);
}

void report_launch(const launch_state& launch) {
  const access_to_state s;
  if (!s || unseen()) return;
  s->running.clear();
  const std::size_t which = kernel_of(state(), launch.kernel);
  reported_kernel& k = s->record.kernels[which];
  reported_launch one{.number = next_number(state()),
                      .kernel = which,
                      .place = launched_at(launch.request),
                      .grid = launch.grid(),
                      .block = launch.block(),
                      .dynamic_shared = launch.request.shape.dynamic_shared,
                      .threads = launch.blocks * static_cast<std::uint64_t>(launch.threads_per_block),
                      .counts = launch.counts,
                      .remark = ""};
  if (!launch.findings.empty())
    one.remark = "by a finding";
  else if (launch.refused != cudaSuccess || launch.error != cudaSuccess)
    one.remark = error_text(launch.error != cudaSuccess ? launch.error : launch.refused);
  if (k.launches == 0 && launch.settings.checking) {
    if (launch.traced_block == no_block || s->with_pictures == most_with_pictures) {
      k.without_pictures =
          s->with_pictures == most_with_pictures
              ? "No picture: the page has those of " + std::to_string(most_with_pictures) + " kernels."
              : "No picture: the first launch has no such block as EMULATOR_TRACE_BLOCK names.";
    } else {
      ++s->with_pictures;
      draw_accesses(k, "kernel_" + std::to_string(which + 1), trace_header() + trace_of(launch, 1));
    }
  }
  if (k.launches == 0) k.first_launch = one.number;
  if (s->keeping && launch.settings.checking) {
    keep(state(), one, launch);
    if (!launch.findings.empty()) s->record.shown = {failure_of(state(), s->kept.back())};
  }
  ++k.launches;
  k.blocks += launch.blocks;
  k.threads += one.threads;
  k.counts.add(launch.counts);
  list(state(), one);
  ++s->record.launches;
}

void report_refused(const launch_request& request, const kernel_record* kernel, cudaError_t error) {
  const access_to_state s;
  if (!s) return;
  const std::size_t which =
      kernel != nullptr ? kernel_of(state(), *kernel) : kernel_of(state(), request.callee, false);
  ++s->record.kernels[which].refused;
  list(state(), {.number = next_number(state()),
                 .kernel = which,
                 .place = launched_at(request),
                 .grid = request.shape.grid,
                 .block = request.shape.block,
                 .dynamic_shared = request.shape.dynamic_shared,
                 .threads = 0,
                 .counts = {},
                 .remark = std::string("refused: ") + error_text(error)});
  ++s->record.refused;
}

void report_library_call(const std::string& name, std::uint64_t link_bytes) {
  const access_to_state s;
  if (!s) return;
  const std::size_t which = kernel_of(state(), name, true);
  ++s->record.kernels[which].launches;
  count_totals counts;
  counts.peer_store_bytes = link_bytes;
  s->record.kernels[which].counts.add(counts);
  list(state(), {.number = next_number(state()),
                 .kernel = which,
                 .place = "",
                 .grid = dim3(0, 0, 0),
                 .block = dim3(0, 0, 0),
                 .dynamic_shared = 0,
                 .threads = 0,
                 .counts = counts,
                 .remark = ""});
  ++s->record.calls_of_libraries;
}

bool report_is_wanted() { return report_wanted.load(std::memory_order_relaxed); }

void set_timeline_of_report(std::string (*source)()) { timeline_source = source; }

bool findings_are_heard() { return finding_listener != nullptr; }

void report_finding(const finding& found) {
  if (finding_listener != nullptr) {
    std::uint64_t launch = 0;
    if (const access_to_state s; s && !s->record.shown.empty()) launch = s->record.shown.back().launch.number;
    finding_listener(found, launch);
  }
  const access_to_state s;
  if (!s) return;
  if (s->record.findings.size() == most_findings)
    ++s->record.findings_left_out;
  else
    s->record.findings.push_back({found.what(), excerpts_of(found.what())});
}

void report_failed_calls(const unasked_failures& failures) {
  const access_to_state s;
  if (s) s->record.failed_calls = failures;
}

void finish_report(int status) {
  {
    const std::lock_guard lock(state().mutex);
    if (state().process != getpid()) return;  // forked, and has done nothing
  }
  finish("exit status " + std::to_string(status), status == 0);
}

void end_program(const std::string& why) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", why.c_str());
  report_finding({finding_kind::misuse, why});
  finish_report(1);
  std::_Exit(1);
}

}  // namespace cuda_emulator
