// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "failed_calls.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "code/call_stack.hpp"
#include "code/symbolize.hpp"
#include "emulator/control.hpp"
#include "error_names.hpp"
#include "settings.hpp"
#include "standard_error.hpp"

namespace cuda_emulator {
namespace {

struct failure {
  std::thread::id thread;
  cudaError_t error;
  call_stack made_at;
  std::uint64_t function;             // within the function of the runtime; 0 for a launch
  std::string launched, launched_at;  // "the launch of copy_kernel", for a launch
  std::string why;                    // in words; may be empty
};

struct failures_of_program {
  std::mutex mutex;
  std::vector<failure> known;
  std::uint64_t more = 0;  // beyond those that are kept
  std::string failed_kernel, failed_kernel_at;
  std::map<std::thread::id, failure>
      unexplained;  // the last one of each thread, if its `why` was not told yet
};

constexpr std::size_t most_kept = 1000, most_named = 20;

// Used until the very end. What a process has inherited by fork() is the other's to say.
failures_of_program& all() {
  static auto* const the_one = [] {
    pthread_atfork(nullptr, nullptr, [] {
      all().known.clear();
      all().more = 0;
      all().failed_kernel.clear();
      all().unexplained.clear();
    });
    return new failures_of_program;
  }();
  return *the_one;
}

/// Codes that programs live with, by design, and one that has been talked about already.
bool expected(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
    case cudaErrorNotReady:
    case cudaErrorNotSupported:
    case cudaErrorPeerAccessAlreadyEnabled:
    case cudaErrorPeerAccessNotEnabled:
    case cudaErrorPeerAccessUnsupported:
      return true;
    default:
      return false;
  }
}

void keep(failure&& one) {
  failures_of_program& f = all();
  const std::lock_guard lock(f.mutex);
  if (f.known.size() < most_kept)
    f.known.push_back(std::move(one));
  else
    ++f.more;
}

bool full() {
  const std::lock_guard lock(all().mutex);
  if (all().known.size() < most_kept) return false;
  ++all().more;
  return true;
}

template <class Which>
void forget_where(Which&& which) {
  failures_of_program& f = all();
  const std::lock_guard lock(f.mutex);
  std::erase_if(f.known, which);
  if (f.known.empty()) f.more = 0;
}

/// "cudaMemcpy"; empty where that is not known.
std::string function_at(const failure& one) {
  const auto name_of = [](const char* symbol) -> std::string {
    std::string text = demangled(symbol);
    if (text.empty()) text = symbol;  // of a C function
    text = text.substr(0, text.find_first_of("(<"));
    text = text.substr(text.find_last_of(' ') + 1);  // of a template the type of its result stands before it
    if (text.ends_with("_v2")) text.resize(text.size() - 3);
    return text.starts_with("cu") && text.find(':') == text.npos ? text : "";
  };
  Dl_info info;
  std::string name;
  if (dladdr(reinterpret_cast<const void*>(one.function), &info) != 0 && info.dli_sname != nullptr)
    name = name_of(info.dli_sname);
  // Templates of the runtime are in headers: cudaFuncSetAttribute(kernel, ...).
  for (const std::uint64_t pc : one.made_at.pcs) {
    if (!name.empty() || pc == 0) break;
    for (const std::string& symbol : runtime_functions_at(pc))
      if (name.empty()) name = name_of(symbol.c_str());
  }
  return name;
}

std::string text_of(const failure& one) {
  const std::string function = function_at(one);
  const std::string what = !one.launched.empty() ? one.launched
                           : function.empty()    ? "a call of the runtime"
                                                 : function + "()";
  return what + " failed here: " + error_text(one.error) + (one.why.empty() ? "" : ": " + one.why);
}

/// What was not told yet of the last failure of this thread, if that was this error.
std::optional<failure> take_unexplained(cudaError_t error) {
  failures_of_program& f = all();
  const std::lock_guard lock(f.mutex);
  const auto found = f.unexplained.find(std::this_thread::get_id());
  if (found == f.unexplained.end() || found->second.error != error) return std::nullopt;
  std::optional<failure> one = std::move(found->second);
  f.unexplained.erase(found);
  return one;
}

/// Why the last launch of this thread was refused. Unlike other reasons, only who asks is told.
struct refused_launch_record {
  cudaError_t error = cudaSuccess;
  std::string why{}, place{};
  launch_number number = launch_number::none;
};
thread_local refused_launch_record refused_launch;

/// For note listeners: which of the numbers in <<<...>>> is wrong.
const char* refused_note(launch_number number) {
  switch (number) {
    case launch_number::grid:
      return "refused_grid";
    case launch_number::block:
      return "refused_block";
    case launch_number::bytes:
      return "refused_bytes";
    case launch_number::none:
      break;
  }
  return "refused_launch";
}

}  // namespace

void note_failed_call(cudaError_t error, const std::string& why) {
  refused_launch = {};
  failures_of_program& f = all();
  const std::thread::id me = std::this_thread::get_id();
  failure one{me, error, {}, 0, {}, {}, why};
  if (!why.empty() || !expected(error)) one.made_at = caller_outside(&one.function);
  {
    const std::lock_guard lock(f.mutex);
    f.unexplained.erase(me);
    if (!why.empty()) f.unexplained.emplace(me, one);
  }
  // Asking whether something is done is no failure; asking for its time is.
  if ((!expected(error) || (error == cudaErrorNotReady && !why.empty())) && !full()) keep(std::move(one));
}

void note_failed_launch(const launch_request& request, cudaError_t error, const std::string& why,
                        launch_number number) {
  take_unexplained(error);
  refused_launch = {error, why, "", number};
  if (!why.empty() && request.line != 0)
    refused_launch.place = source_place{request.file, request.line}.text();
  if (full()) return;
  failure one{std::this_thread::get_id(), error, {}, 0, {}, {}, why};
  if (request.line == 0) {  // by cudaLaunchKernel() and its like
    one.made_at = caller_outside();
    one.launched = std::string(request.callee) + "()";
  } else {
    one.launched = "the launch of " + std::string(request.callee);
    one.launched_at = source_place{request.file, request.line}.text();
  }
  keep(std::move(one));
}

void note_failed_kernel(const launch_request& request) {
  failures_of_program& f = all();
  const std::lock_guard lock(f.mutex);
  if (!f.failed_kernel.empty()) return;
  f.failed_kernel = request.callee;
  f.failed_kernel_at = source_place{request.file, request.line}.text();
}

void asked_for_last_error() {
  forget_where([me = std::this_thread::get_id()](const failure& one) { return one.thread == me; });
}

void forget_failures(cudaError_t error) {
  take_unexplained(error);
  forget_where([me = std::this_thread::get_id(), error](const failure& one) {
    return one.thread == me && one.error == error;
  });
}

void asked_about(cudaError_t error) {
  if (const auto one = take_unexplained(error); one && settings().checking) {
    const std::string place = line_of(one->made_at);
    begin_message();
    std::fprintf(stderr, "%snote: %s.\n", place.empty() ? "" : (place + ": ").c_str(), text_of(*one).c_str());
    tell_note("failed_call", place, text_of(*one) + ".");
  }
  forget_failures(error);
}

std::string why_failed(cudaError_t error) {
  const auto one = take_unexplained(error);
  if (one) return one->why;
  if (refused_launch.error != error) return "";
  const refused_launch_record refused = std::exchange(refused_launch, {});
  if (refused.place.empty()) return refused.why;
  tell_note(refused_note(refused.number), refused.place, refused.why);
  return refused.why + " (the launch at " + refused.place + ")";
}

unasked_failures failures_not_asked_about(cudaError_t of_kernel) {
  failures_of_program& f = all();
  std::vector<failure> known;
  unasked_failures result;
  std::string kernel, kernel_at;
  {
    const std::lock_guard lock(f.mutex);
    known = f.known;
    result.count = known.size() + f.more;
    kernel = f.failed_kernel;
    kernel_at = f.failed_kernel_at;
  }
  for (const failure& one : known) {
    result.launches += !one.launched.empty();
    if (result.first.size() == most_named) continue;
    result.first.push_back({one.launched_at.empty() ? line_of(one.made_at) : one.launched_at, text_of(one)});
  }
  if (of_kernel != cudaSuccess && !kernel.empty()) {
    ++result.count;
    result.first.push_back({kernel_at, "kernel " + kernel + ", launched here, failed: " +
                                           error_text(of_kernel) + ", and no call waited for it"});
  }
  return result;
}

std::string text_of(const unasked_failures& failures) {
  if (failures.count == 0) return "";
  const unasked_failure& first = failures.first.front();
  std::string text = (first.place.empty() ? "" : first.place + ": ") + "note: " + first.what + ". ";
  const auto other = std::find_if(failures.first.begin(), failures.first.end(),
                                  [&](const unasked_failure& each) { return each.place != first.place; });
  const std::string count = std::to_string(failures.count);
  if (other != failures.first.end())
    text += count + " calls failed in all, the next one at " + other->place + ", and the program";
  else if (failures.count > failures.first.size())
    text += count + " calls failed in all, and the program";
  else if (failures.count > 1)
    text += "It failed " + count + " times, and the program";
  else
    text += "The program";
  text += " never asked why";
  return text + " (cudaGetLastError(), cudaGetErrorString()): look at what each call returns.";
}

}  // namespace cuda_emulator
