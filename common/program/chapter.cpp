// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "chapter.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <thread>

#include "common/device/check.hpp"
#include "common/device/limits.hpp"
#include "common/files/numbers.hpp"
#include "common/show/console.hpp"

namespace tutorial {
namespace {

command_line command_of(const chapter& what) {
  command_line command{what.number + "_" + what.name, what.title,    what.accepts, {}, what.picture,
                       what.has_long_tables,          what.explains, what.on_host};
  for (const chapter_variant& each : what.variants) command.variants.push_back(each.name);
  return command;
}

std::string list_text(const chapter& what) {
  text_table table({{"variant", text_table::align::left}, {"", text_table::align::left}});
  for (const chapter_variant& each : what.variants) table.add_row({each.name, each.description});
  return table.text();
}

// The device, and what it can do at best, in the same run as what is held against it.
std::string first_line(const chapter& what, const chapter_run& run) {
  std::string line = what.number + " " + what.title;
  line.resize(std::max<std::size_t>(line.size() + 2, 38), ' ');
  line = colored(line, tone::heading);
  if (what.on_host) {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    return line + "this processor, " + std::to_string(cores) + (cores == 1 ? " core" : " cores") +
           (run.options().demo && !run.options().has_own_data() ? " | times measured now" : "");
  }
  line += run.device().name;
  if (run.device().emulated) return line + " | exact counts, no times";
  if (!run.options().demo) return line;
  const double gibibyte = 1 << 30;
  const copy_limit_result copy =
      copy_limit(std::size_t(std::min(gibibyte, double(run.device().free_bytes) / 8)));
  return line + " | copy limit " + fixed(copy.bytes_per_second * 1e-12, 2) + " TB/s, FMA limit " +
         fixed(fma_limit<float>() * 1e-12, 1) + " TFLOP/s, measured now";
}

int run_with(const chapter& what, const chapter_options& options,
             const std::function<int(const std::vector<std::string>&)>& run_checks) {
  chapter_run run(options, current_device());
  if (options.counts && !run.device().emulated)
    throw usage_error("--counts needs the emulated device: build it with cmake --preset emulated");
  if (!options.trace.empty() && !run.device().emulated)
    throw usage_error("--trace needs the emulated device: build it with cmake --preset emulated");
  if (!options.report.empty() && !run.device().emulated)
    throw usage_error("--report needs the emulated device: build it with cmake --preset emulated");
  if (!options.picture.empty() && what.picture == own_picture::of_times && run.device().emulated)
    throw usage_error("--picture shows times and needs a GPU: the emulated device has none");
  run.say(first_line(what, run));
  if (!options.trace.empty()) trace_launches(options.trace);
  if (!options.report.empty()) report_launches(options.report);
  if (options.has_own_data()) {
    what.on_own_data(run);
  } else {
    if (options.check) {
      const int status = run_checks(options.doctest_arguments);
      if (status != 0) return status;
    }
    if (options.demo) {
      run.say();
      what.demo(run);
      if (options.check && !what.next.empty() && !run.failed()) run.say("Next: chapters/run " + what.next);
    }
  }
  if (!options.csv.empty()) {
    run.csv().save(options.csv);
    run.say("Table written to " + options.csv.string());
  }
  if (!options.trace.empty())
    run.say("Trace written to " + options.trace.string() + ": chapters/draw makes pictures of it");
  if (!options.report.empty())
    run.say("The report is written to " + options.report.string() + " when the program ends");
  // A picture of wrong results would be believed; one that nobody drew must not go unnoticed.
  if (!options.picture.empty() && !run.failed()) {
    if (!run.picture() && !options.variant.empty())
      throw usage_error("--picture needs all versions: '" + options.variant + "' alone has no picture");
    if (!run.picture()) throw std::logic_error("this chapter has a picture, but its demo has drawn none");
    write_svg(*run.picture(), options.picture);
    run.say("Picture written to " + options.picture.string());
    for (const auto& [name, picture] : run.further_pictures()) {
      std::filesystem::path file = options.picture;
      file.replace_filename(file.stem().string() + "_" + name + ".svg");
      write_svg(picture, file);
      run.say("Picture written to " + file.string());
    }
  }
  return run.failed() ? 1 : 0;
}

}  // namespace

void chapter_run::say(std::string_view text) {
  std::cout << text << std::endl;
  progress::printed();
}

void chapter_run::show(std::string_view heading, const text_table& table) {
  std::cout << colored(heading, tone::heading) << '\n' << table.text(3) << std::endl;
  progress::printed();
}

void chapter_run::fail(std::string_view what) {
  std::cout.flush();
  std::cerr << "FAILED: " << what << std::endl;
  failed_ = true;
}

int run_chapter(const chapter& what, std::span<const char* const> arguments,
                const std::function<int(const std::vector<std::string>&)>& run_checks) {
  const command_line command = command_of(what);
  const auto fail = [&](int status, const std::string& why) {
    std::cout.flush();
    std::cerr << command.program << ": " << why << std::endl;
    return status;
  };
  try {
    const chapter_options options = parse_options(arguments, command);
    int status = 0;
    if (options.help)
      std::cout << help_text(command);
    else if (options.list)
      std::cout << list_text(what);
    else
      status = run_with(what, options, run_checks);
    std::cout.flush();
    if (!std::cout) return fail(2, "cannot write to standard output: is the disk full?");
    return status;
  } catch (const usage_error& error) {
    return fail(2, error.what());
  } catch (const input_error& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    const bool signal = what.accepts.of == own_data::kind::signal;
    return fail(2, std::string("not enough memory for this size: ") +
                       (signal ? "use a shorter signal" : "scale or crop the picture first"));
  } catch (const cuda_error& error) {  // its message says what to do
    return fail(error.code() == cudaErrorMemoryAllocation ? 2 : 1, error.what());
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

}  // namespace tutorial
