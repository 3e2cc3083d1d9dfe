// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// translator_fuzz [--seconds N | --rounds N] [--first SEED] [--only SEED] FILE...
// Damages sources at random, random ones and those that are named, and translates them. Every one must end in
// a translation of as many lines or in an error with file and line: no crash, no hang, nothing that a
// sanitizer finds.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "host_device/join.hpp"
#include "random_source.hpp"
#include "translate.hpp"

namespace {

std::string current;  // what is being translated
unsigned long current_seed = 0;

/// Keeps the source that did it, and says where.
void keep(const char* why) {
  const std::string name = "translator_fuzz_" + std::to_string(current_seed) + ".cu";
  std::ofstream(name, std::ios::binary) << current;
  std::cerr << "FAILED: seed " << current_seed << ": " << why << "; the source is in " << name << '\n';
}

[[noreturn]] void on_signal(int signal) {
  keep(signal == SIGALRM ? "it does not end" : strsignal(signal));
  std::_Exit(1);
}

using cuda_emulator::translator::translate;

// What a translator may stumble over. None is complete by itself.
const std::vector<std::string> pieces = {
    "<<<",
    ">>>",
    "<<",
    ">>",
    "<",
    ">",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    ";",
    ",",
    "::",
    "->",
    "...",
    "__global__ ",
    "__device__ ",
    "__shared__ ",
    "extern __shared__ ",
    "__constant__ ",
    "__managed__ ",
    "__launch_bounds__(",
    "__host__ ",
    "template <",
    "template <class T> ",
    "operator<<",
    "operator<<<",
    "operator()",
    "requires ",
    "namespace {",
    "extern \"C\" {",
    "using ",
    "typedef ",
    "struct ",
    "enum class ",
    "union ",
    "friend ",
    "static ",
    "inline ",
    "constexpr ",
    "const ",
    "auto ",
    "decltype(",
    "noexcept(",
    "alignas(",
    "__attribute__((",
    "\"",
    "'",
    "R\"(",
    ")\"",
    "R\"abc(",
    "u8R\"<<<(",
    "'\\",
    "\"\\",
    "//",
    "/*",
    "*/",
    "\\\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\v",
    "\f",
    "#",
    "# 7 \"a.cu\"\n",
    "# 99999999999 \"b.cu\" 2\n",
    "#line 12 \"c.cu\"\n",
    "# -3 \"\"\n",
    "#pragma unroll\n",
    "_Pragma(\"unroll\")",
    "<:",
    ":>",
    "<%",
    "%>",
    "%:",
    "?\?=",
    "?\?/\n",
    "?\?<",
    "0x1p-3f",
    "1'000",
    "1e+",
    ".5",
    "0b",
    "\xff",
    "\xc3\xa4",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    std::string("\0", 1),
    "k<<<1, 2>>>(x);",
    "k<a<b<c>>><<<1, 2>>>();",
    "[=] { k<<<g, b>>>(); }",
    "[&](auto x) mutable -> int {",
    "a < b > (c)",
    "f<g<1>>(2)",
    "__shared__ int a[3];",
    "if constexpr (a < b)",
    "switch (x) { case 1:",
    "for (;;)",
    "do",
    "while (",
    "else",
    "goto ",
    "asm(\"\" ::: \"memory\");",
    "asm(\"add.s32 %0, %1, 5;\" : \"=r\"(x) : \"r\"(y));",
    "asm volatile(\"{ .reg .pred p; setp.lt.f32 p, %1, 0f00000000; @p mov.b32 %0, {%2, %2}; }\" : "
    "\"+r\"(x) : ",
    "asm(\"mov.u32 %0, %%laneid; ld.shared.v2.b32 {%0, %1}, [%2+\"",
    "__builtin_offsetof(",
    "co_await ",
    "import ",
    "$",
    "@",
    "`",
};

class damage {
 public:
  damage(unsigned long seed, const std::vector<std::string>& files) : random_(seed), files_(files) {}

  std::string source() {
    std::string text;
    if (files_.empty() || below(2) == 0) {
      translator_test::generator g(static_cast<unsigned>(random_()));
      g.file();
      text = g.source;
    } else {
      text = files_[below(files_.size())];
    }
    for (std::size_t i = below(5); i > 0; --i) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  const std::string& piece() { return pieces[below(pieces.size())]; }
  std::size_t place(const std::string& text) { return below(text.size() + 1); }

  std::string part(const std::string& text) {
    if (text.empty()) return {};
    return text.substr(below(text.size()), below(below(4) == 0 ? 2000 : 60));
  }

  void change(std::string& text) {
    const std::size_t at = place(text);
    switch (below(12)) {
      case 0:
        text.erase(at, 1 + below(8));
        break;
      case 1:
        text.erase(at, below(text.size() + 1));
        break;
      case 2:
        text.resize(at);  // the end is missing
        break;
      case 3:
        text.insert(at, part(text));
        break;
      case 4:
        if (!files_.empty()) text.insert(at, part(files_[below(files_.size())]));
        break;
      case 5:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 6:
        if (at + 1 < text.size()) std::swap(text[at], text[at + 1]);
        break;
      case 7: {  // deep, or long
        const std::string& again = piece();
        std::string many;
        for (std::size_t i = below(below(20) == 0 ? 4000 : 40); i > 0; --i) many += again;
        text.insert(at, many);
        break;
      }
      case 8: {  // one bracket for another
        const std::size_t found = text.find_first_of("<>(){}[];,\"'", at);
        if (found != text.npos) text[found] = "<>(){}[];,\"' "[below(13)];
        break;
      }
      case 9: {  // a line twice, or none
        const std::size_t begin = text.rfind('\n', at) + 1, end = text.find('\n', at);
        const std::string line = text.substr(begin, end == text.npos ? end : end + 1 - begin);
        if (below(2) == 0)
          text.insert(begin, line);
        else
          text.erase(begin, line.size());
        break;
      }
      default:
        text.insert(at, piece());
    }
  }

  std::mt19937_64 random_;
  const std::vector<std::string>& files_;
};

/// "name:12: words", whatever the name is.
bool has_place(const std::string& message) {
  for (std::size_t at = message.find(':'); at != message.npos; at = message.find(':', at + 1)) {
    const std::size_t digits = message.find_first_not_of("0123456789", at + 1);
    if (digits != message.npos && digits > at + 1 && message.compare(digits, 2, ": ") == 0 &&
        digits + 2 < message.size())
      return true;
  }
  return false;
}

/// False, and it is kept, where the promise is broken.
bool holds(unsigned long seed, const std::vector<std::string>& files, unsigned long& errors) {
  current_seed = seed;
  current = damage(seed, files).source();
  alarm(20);
  try {
    // Random programs call what they must not: half of them are not asked.
    const auto mode = cuda_emulator::translator::compilation::separate;
    std::string behind;
    // Another side of the file it comes from: any pair may be joined, and means what it may.
    if (seed % 8 == 1) {
      std::string warnings;
      const std::string joined =
          cuda_emulator::translator::join(files[seed / 8 % files.size()], current, "k.cu", &warnings) +
          cuda_emulator::translator::join(current, files[seed / 8 % files.size()], "k.cu");
      if (joined.empty()) keep("nothing is left of two sources");
    }
    // Steps are noted only in programs that are asked, as by emucc.
    const std::string result =
        translate(current, "k.cu", mode, nullptr, seed % 2 == 0, seed % 6 == 0, &behind);
    alarm(0);
    if (std::count(result.begin(), result.end(), '\n') == std::count(current.begin(), current.end(), '\n'))
      return true;
    keep("lines are lost or added");
  } catch (const cuda_emulator::translator::source_error& error) {
    alarm(0);
    ++errors;
    if (has_place(error.what())) return true;
    keep((std::string("no file and line in: ") + error.what()).c_str());
  } catch (const std::exception& error) {
    alarm(0);
    keep((std::string("an exception that nobody expects: ") + error.what()).c_str());
  }
  return false;
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*)());
// What this one finds ends the program by a signal, and so tells the seed, too.
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1"; }
#endif

int main(int count, char** arguments) {
  double seconds = 0;
  unsigned long rounds = 0, first = 1, failures = 0, errors = 0;
  std::vector<std::string> files;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const bool more = i + 1 < count;
    if (argument == "--seconds" && more) {
      seconds = std::atof(arguments[++i]);
    } else if (argument == "--rounds" && more) {
      rounds = std::strtoul(arguments[++i], nullptr, 10);
    } else if (argument == "--first" && more) {
      first = std::strtoul(arguments[++i], nullptr, 10);
    } else {
      std::ifstream file(argument, std::ios::binary);
      if (!file) {
        std::cerr << "usage: translator_fuzz [--seconds N | --rounds N] [--first SEED] FILE...\n"
                  << argument << " cannot be read\n";
        return 2;
      }
      files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_set_death_callback([] { keep("a sanitizer's finding (above)"); });
#else
  signal(SIGSEGV, on_signal);
#endif
  signal(SIGABRT, on_signal);
  signal(SIGALRM, on_signal);

  const auto begin = std::chrono::steady_clock::now();
  unsigned long done = 0;
  for (; failures < 10; ++done) {
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (rounds != 0 ? done >= rounds : passed >= seconds) break;
    if (!holds(first + done, files, errors)) ++failures;
  }
  std::cout << done << " sources from seed " << first << " on: " << errors << " errors with a line, "
            << failures << " failures\n";
  return failures == 0 && errors != 0 && errors != done ? 0 : 1;
}
