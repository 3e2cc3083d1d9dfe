// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "common/files/array_file.hpp"
#include "common/files/numbers.hpp"
#include "common/files/output_file.hpp"
#include "common/program/letters_between.hpp"

namespace tutorial {
namespace {

// doctest ignores what it does not know; a misspelled filter would then run everything. So it is checked
// here.
bool is_doctest_option(std::string_view argument) {
  constexpr std::string_view with_value[] = {"tc",          "tce",
                                             "ts",          "tse",
                                             "sf",          "sfe",
                                             "sc",          "sce",
                                             "r",           "o",
                                             "ob",          "rs",
                                             "f",           "l",
                                             "aa",          "scfl",
                                             "test-case",   "test-case-exclude",
                                             "test-suite",  "test-suite-exclude",
                                             "source-file", "source-file-exclude",
                                             "subcase",     "subcase-exclude",
                                             "reporters",   "out",
                                             "order-by",    "rand-seed",
                                             "first",       "last",
                                             "abort-after", "subcase-filter-levels"};
  constexpr std::string_view alone[] = {
      "s",   "success",         "cs",  "case-sensitive",  "d",  "duration",  "nt", "no-throw",
      "nc",  "no-colors",       "fc",  "force-colors",    "nb", "no-breaks", "c",  "count",
      "ltc", "list-test-cases", "lts", "list-test-suites"};
  if (!argument.starts_with('-')) return false;
  argument.remove_prefix(argument.starts_with("--") ? 2 : 1);
  if (argument.starts_with("dt-")) argument.remove_prefix(3);
  const std::size_t equals = argument.find('=');
  const auto is = [&](std::string_view name) { return name == argument.substr(0, equals); };
  return std::any_of(std::begin(alone), std::end(alone), is) ||
         (equals != argument.npos && std::any_of(std::begin(with_value), std::end(with_value), is));
}

bool takes_image(const command_line& command) { return command.accepts.of == own_data::kind::picture; }
bool takes_signal(const command_line& command) { return command.accepts.of == own_data::kind::signal; }

// CLI11 takes what was typed; the words below turn it into values, so that every message is ours.
struct typed {
  std::string variant, csv, trace, report, picture, signal, filter, length, taps, seed, mode, type, image,
      max_image, quality, sampling, output;
  std::map<std::string, std::string> own;  // by the names of command_line::accepts.options
  bool help = false, list = false, check = false, no_check = false, counts = false, explain = false,
       long_tables = false;
};

void declare(CLI::App& app, typed& text, const command_line& command) {
  app.set_help_flag();
  app.add_flag("-h,--help", text.help, "Show this help and exit");
  app.add_flag("--list", text.list, "List this chapter's variants");
  app.add_flag("--check", text.check,
               "Run only the checks; doctest's options may follow: -tc='name*', -ltc, -s");
  app.add_flag("--no-check", text.no_check, "Skip the checks and run the whole demo");
  app.add_option("--variant", text.variant, "Run only this variant")->option_text("NAME");
  app.add_option("--csv", text.csv, "Write the table as CSV, one row per variant and size")
      ->option_text("FILE");
  if (command.picture != own_picture::none)
    app.add_option("--picture", text.picture,
                   command.picture == own_picture::of_times ? "Draw the results (needs a GPU's times)"
                                                            : "Draw the results")
        ->option_text("FILE.svg");
  if (!command.on_host) {
    app.add_flag("--counts", text.counts, "Show what each kernel did, per launch (emulated device)");
    app.add_option("--trace", text.trace,
                   "Record what one block of each launch accesses, for chapters/draw (emulated device)")
        ->option_text("FILE.trace");
    app.add_option("--report", text.report,
                   "Write a page about all launches: counts, findings, pictures (emulated device)")
        ->option_text("FILE.html");
  }
  if (command.has_long_tables)
    app.add_flag("--long", text.long_tables, "Also make the tables that take minutes on a GPU");
  if (command.explains) app.add_flag("--explain", text.explain, "Explain which method was chosen, and why");
  const char* group = takes_image(command) ? "Your own picture" : "Your own data";
  const auto add = [&](const char* option, std::string& value, const char* meaning, const char* placeholder) {
    app.add_option(option, value, meaning)->option_text(placeholder)->group(group);
  };
  if (takes_signal(command)) {
    add("--signal", text.signal, command.accepts.input.c_str(), "FILE");
    add("--filter", text.filter, "The filter: .npy, .txt or .csv", "FILE");
    add("--length", text.length, "Use N random samples instead of --signal", "N");
    add("--taps", text.taps, "Use K random taps instead of --filter (with --length, default: 5)", "K");
    add("--seed", text.seed, "The seed of random input (default: 1)", "S");
    add("--mode", text.mode, "full, same or valid (default: same)", "MODE");
    add("--type", text.type, "float, double or int32 (default: the signal's own)", "TYPE");
  }
  if (takes_image(command)) {
    add("--image", text.image, "PNG, JPEG, PGM or PPM, 8 bits per channel", "FILE");
    if (command.accepts.quality) {
      add("--quality", text.quality, "1 (small) to 100 (good), default: 75", "Q");
      add("--sampling", text.sampling,
          "444: color at every pixel; 420: one color for 2 x 2 pixels, as cameras do (default: 420)",
          "444|420");
    }
  }
  if (takes_signal(command) || takes_image(command))
    add("--output", text.output, command.accepts.output.c_str(), command.accepts.output_name.c_str());
  for (const own_option& each : command.accepts.options)
    if (each.placeholder.empty())
      app.add_flag(each.name, text.own[each.name], each.meaning)->group(group);
    else
      add(each.name.c_str(), text.own[each.name], each.meaning.c_str(), each.placeholder.c_str());
  if (takes_image(command))
    add("--max-image", text.max_image,
        "The largest picture to accept, in memory: 500MiB, 4GiB (default: 1GiB)", "SIZE");
}

// "4GiB", "500MiB", "64KiB" or a number of bytes.
std::uint64_t size(const char* option, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, std::size_t(text.data() + text.size() - end));
  int shift = -1;
  if (unit.empty() || unit == "B") shift = 0;
  if (unit == "KiB") shift = 10;
  if (unit == "MiB") shift = 20;
  if (unit == "GiB") shift = 30;
  if (error != std::errc() || shift < 0 || value == 0 || value > (std::uint64_t(1) << (62 - shift)))
    throw usage_error(std::string(option) +
                      " must be a number followed by KiB, MiB or GiB with no space, such as 4GiB, not '" +
                      text + "'");
  return value << shift;
}

int sampling_of(const std::string& text) {
  if (text == "444" || text == "4:4:4") return 444;
  if (text == "420" || text == "4:2:0") return 420;
  throw usage_error("--sampling must be 444 or 420, not '" + text + "'");
}

convolution_mode mode_of(const std::string& text) {
  for (const convolution_mode mode : all_modes)
    if (name(mode) == text) return mode;
  throw usage_error("--mode must be full, same or valid, not '" + text + "'");
}

element_type type_of(const std::string& text) {
  for (const element_type type : {element_type::int32, element_type::float32, element_type::float64})
    if (name(type) == text) return type;
  throw usage_error("--type must be float, double or int32, not '" + text + "'");
}

void require(bool condition, const std::string& otherwise) {
  if (!condition) throw usage_error(otherwise);
}

void refuse_contradictions(const typed& text, const command_line& command) {
  require(!text.check || !text.no_check, "Use either --check or --no-check, not both");
  bool data = !text.signal.empty() || !text.length.empty() || !text.image.empty();
  for (const own_option& each : command.accepts.options) {
    const bool is_input = each.is == own_option::role::input && !text.own.at(each.name).empty();
    require(!text.check || !is_input, "--check runs only the checks: leave out " + each.name);
    data = data || is_input;
  }
  for (const auto& [option, value] : {std::pair("--variant", text.variant),
                                      {"--csv", text.csv},
                                      {"--trace", text.trace},
                                      {"--report", text.report},
                                      {"--picture", text.picture},
                                      {"--signal", text.signal},
                                      {"--length", text.length},
                                      {"--image", text.image},
                                      {"--output", text.output}})
    require(!text.check || value.empty(), std::string("--check runs only the checks: leave out ") + option);
  require(!text.check || !text.counts, "--check runs only the checks: leave out --counts");
  require(!text.check || !text.explain, "--check runs only the checks: leave out --explain");
  require(!text.check || !text.long_tables, "--check runs only the checks: leave out --long");
  require(!data || text.picture.empty() || command.accepts.drawn,
          "--picture shows the chapter's own tables, not your data: leave it out");
  if (takes_signal(command)) {
    require(text.signal.empty() || text.length.empty(), "Use either --signal or --length, not both");
    require(text.filter.empty() || text.taps.empty(), "Use either --filter or --taps, not both");
    for (const auto& [option, value] : {std::pair("--output", text.output),
                                        {"--filter", text.filter},
                                        {"--taps", text.taps},
                                        {"--seed", text.seed},
                                        {"--mode", text.mode},
                                        {"--type", text.type}})
      require(data || value.empty(),
              std::string(option) + " needs a signal: add --signal FILE or --length N");
    require(text.signal.empty() || !text.filter.empty() || !text.taps.empty(),
            "--signal needs a filter: add --filter FILE, or --taps K for K random taps");
    require(text.seed.empty() || text.signal.empty() || text.filter.empty(),
            "--seed is for random input, but signal and filter both come from files: leave it out");
  }
  if (takes_image(command)) {
    const auto needs_picture = [&](const std::string& option, const std::string& value) {
      require(data || value.empty(), option + " needs a picture: add --image FILE");
    };
    needs_picture("--output", text.output);
    needs_picture("--quality", text.quality);
    needs_picture("--sampling", text.sampling);
    for (const auto& [option, value] : text.own) needs_picture(option, value);
    needs_picture("--max-image", text.max_image);
  }
  require(command.accepts.variants || text.variant.empty() || !data,
          "--variant is for the chapter's own tables: leave it out");
}

// What was there before would be lost, and with it the original.
void refuse_to_replace(const std::filesystem::path& input, const std::string& input_option,
                       const std::string& option, const std::filesystem::path& output) {
  std::error_code ignored;
  require(input.empty() || output.empty() || !std::filesystem::equivalent(input, output, ignored),
          option + " would replace the " + (input_option == "--image" ? "picture" : "file") + " that " +
              input_option + " names: give it another name");
}

// Of two files in one place only the one written last would be left.
void refuse_the_same(const std::string& option, const std::filesystem::path& file,
                     const std::string& other_option, const std::filesystem::path& other) {
  std::error_code ignored;
  const auto place = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  require(file.empty() || other.empty() || place(file) != place(other),
          option + " and " + other_option + " name the same file: give each its own");
}

// A variable of a shell that is not set gives an empty word. Taken as "not given", the work would be done and
// its result lost.
void refuse_empty_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& value : option->results())
      require(!value.empty() || option->get_items_expected_max() == 0,
              option->get_name() + " has an empty value: specify a value, or leave the option out");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool is_file_name(std::string_view word) {
  const std::string extension = std::filesystem::path(word).extension().string();
  return !word.starts_with('-') && extension.size() > 1 && (extension[1] < '0' || extension[1] > '9');
}

/// " (did you mean --variant owners?)" for "owners", "--owners" or "--owner=x"; " (did you mean --image
/// a.png?)" for "a.png"; empty where nothing is near.
std::string nearest(std::string_view unknown, const CLI::App& app, const command_line& command) {
  std::string_view word = unknown.substr(0, unknown.find('='));
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  if (word.size() < 3) return "";
  std::string best;
  std::size_t least = std::min<std::size_t>(word.size() / 2, 2) + 1;  // so many letters are too many
  const auto consider = [&](std::string_view name, const std::string& meant) {
    const std::size_t letters = std::min(letters_between(word, name), name.starts_with(word) ? 1 : least);
    if (letters >= least) return;
    least = letters;
    best = meant;
  };
  for (const std::string& variant : command.variants) consider(variant, "--variant " + variant);
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) consider(name, "--" + name);
  if (best.empty() && is_file_name(unknown) && command.accepts.of != own_data::kind::none)
    best = (takes_image(command) ? "--image " : "--signal ") + std::string(unknown);
  return best.empty() ? "" : " (did you mean " + best + "?)";
}

/// Why CLI11 could not take what was typed for an option, which its own text names first: no value, or
/// several.
std::string wrong_number_of_values(std::string_view what, std::span<const char* const> arguments,
                                   const CLI::App& app, const command_line& command) {
  const std::string name(what.substr(0, what.find(':')));
  const CLI::Option* const option = app.get_option_no_throw(name);
  if (option == nullptr) return std::string(what);
  const auto times = std::count_if(arguments.begin(), arguments.end(), [&](std::string_view word) {
    return word.substr(0, word.find('=')) == name;
  });
  if (times > 1) return name + " is given " + std::to_string(times) + " times: give it once";
  if (name == "--variant") return name + " needs a name; this chapter has " + joined(command.variants);
  return name + " needs a value: " + name + " " + option->get_option_text();
}

std::string run_command(const command_line& command) {
  return "chapters/run " + command.program.substr(0, 2);
}

std::string example(const command_line& command) {
  const std::string run = run_command(command);
  std::string text = "Examples:\n  " + run + "\n  " + run + " --csv table.csv\n";
  for (const std::string& each : command.accepts.examples) text += "  " + run + " " + each + "\n";
  return text + "\nExit status: 0 success, 1 a check or verification failed, 2 bad usage or bad input.\n";
}

bool ends_in(const std::filesystem::path& file, std::string_view ending) {
  const std::string own = file.extension().string();
  return std::equal(own.begin(), own.end(), ending.begin(), ending.end(), [](char c, char lower) {
    return (c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c) == lower;
  });
}

}  // namespace

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    throw usage_error(option + " must be a whole number from " + grouped(least) + " to " + grouped(most) +
                      ", written in digits only, not '" + text + "'");
  return value;
}

void require_ending(const std::filesystem::path& file, std::initializer_list<std::string_view> endings,
                    const std::string& otherwise) {
  const auto fits = [&](std::string_view ending) { return ends_in(file, ending); };
  require(file.empty() || std::ranges::any_of(endings, fits), otherwise + ", not '" + file.string() + "'");
}

std::string help_text(const command_line& command) {
  CLI::App app(
      "Chapter " + command.program.substr(0, 2) + ": " + command.title +
      ". Without options, runs the checks and then the demo. With options, runs only what you ask for.");
  typed text;
  declare(app, text, command);
  app.get_formatter()->column_width(24);
  return app.help(run_command(command)) + example(command);
}

chapter_options parse_options(std::span<const char* const> arguments, const command_line& command) {
  chapter_options options;
  std::vector<std::string> ours;
  bool after_check = false;
  for (const std::string_view argument : arguments) {
    after_check = after_check || argument == "--check";
    if (after_check && is_doctest_option(argument))
      options.doctest_arguments.emplace_back(argument);
    else
      ours.emplace_back(argument);
  }
  const bool nothing_else = ours.empty();
  CLI::App app;
  typed text;
  declare(app, text, command);
  std::reverse(ours.begin(), ours.end());  // as CLI11 wants them
  const std::string see_help = ": see " + run_command(command) + " --help";
  try {
    app.parse(ours);
  } catch (const CLI::ExtrasError& error) {
    const std::vector<std::string> unknown = app.remaining();
    throw usage_error(
        (unknown.empty() ? std::string(error.what()) : "there is no option " + unknown.front()) +
        (unknown.empty()                      ? ""
         : is_doctest_option(unknown.front()) ? " before --check"
                                              : nearest(unknown.front(), app, command)) +
        see_help);
  } catch (const CLI::ArgumentMismatch& error) {
    throw usage_error(wrong_number_of_values(error.what(), arguments, app, command) + see_help);
  } catch (const CLI::ParseError& error) {
    throw usage_error(std::string(error.what()) + see_help);
  }
  options.help = text.help;
  options.list = text.list;
  if (options.help || options.list) return options;
  refuse_empty_values(app);
  refuse_contradictions(text, command);

  // Who asks for something to be shown does not wait for checks.
  options.check = nothing_else || text.check;
  options.demo = !text.check;
  options.counts = text.counts;
  options.explain = text.explain;
  options.long_tables = text.long_tables;
  options.variant = text.variant;
  require(!text.variant.starts_with("--"),
          "--variant needs a name; this chapter has " + joined(command.variants));
  require(text.variant.empty() || std::find(command.variants.begin(), command.variants.end(), text.variant) !=
                                      command.variants.end(),
          "this chapter has no variant '" + text.variant + "'; it has " + joined(command.variants));
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0) options.typed[option->get_name()] = option->results().front();
  for (const own_option& each : command.accepts.options)
    options.own_input =
        options.own_input || (each.is == own_option::role::input && !options.own(each.name).empty());
  options.signal = text.signal;
  options.filter = text.filter;
  options.image = text.image;
  options.output = text.output;
  options.csv = text.csv;
  options.trace = text.trace;
  options.report = text.report;
  options.picture = text.picture;
  // 2^31 - 1 elements: with room for the halves of two such lengths in 64-bit indices and in 32-bit counts of
  // blocks.
  constexpr std::uint64_t most = 2147483647;
  if (!text.length.empty()) options.length = whole_number("--length", text.length, 1, most);
  if (!text.taps.empty()) options.taps = whole_number("--taps", text.taps, 1, most);
  if (!text.seed.empty()) options.seed = whole_number("--seed", text.seed, 0, std::uint64_t(-1));
  if (!text.mode.empty()) options.mode = mode_of(text.mode);
  if (!text.type.empty()) options.type = type_of(text.type);
  if (!text.quality.empty()) options.quality = int(whole_number("--quality", text.quality, 1, 100));
  if (!text.sampling.empty()) options.sampling = sampling_of(text.sampling);
  if (!text.max_image.empty()) options.limits.pixel_bytes = size("--max-image", text.max_image);

  // What would fail after minutes of work fails now.
  if (takes_signal(command))
    for (const auto& file : {options.signal, options.filter, options.output})
      if (!file.empty()) require_array_extension(file);
  require_ending(options.picture, {".svg"}, "--picture writes SVG: give it a name that ends in .svg");
  require_ending(options.trace, {".trace"}, "--trace writes a trace: give it a name that ends in .trace");
  require_ending(options.report, {".html"}, "--report writes a page: give it a name that ends in .html");
  if (command.accepts.accept) command.accepts.accept(options);
  std::vector<std::pair<std::string, std::filesystem::path>> outputs = {{"--output", options.output},
                                                                        {"--csv", options.csv},
                                                                        {"--trace", options.trace},
                                                                        {"--report", options.report},
                                                                        {"--picture", options.picture}};
  std::vector<std::pair<std::string, std::filesystem::path>> inputs = {
      {"--signal", options.signal}, {"--filter", options.filter}, {"--image", options.image}};
  for (const own_option& each : command.accepts.options) {
    if (each.is == own_option::role::output) outputs.emplace_back(each.name, options.own(each.name));
    if (each.is == own_option::role::input) inputs.emplace_back(each.name, options.own(each.name));
  }
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    if (!one->second.empty()) require_writable(one->second);
    for (const auto& [option, file] : inputs) refuse_to_replace(file, option, one->first, one->second);
    for (auto other = outputs.begin(); other != one; ++other)
      refuse_the_same(one->first, one->second, other->first, other->second);
  }
  return options;
}

}  // namespace tutorial
