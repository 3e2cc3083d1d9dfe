// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <iostream>
#include <new>
#include <sstream>
#include <tuple>

#include "chapters/08_dct8x8/show/own_options.hpp"
#include "chapters/09_dct_compression/show/own_options.hpp"
#include "chapters/10_bits/show/own_options.hpp"
#include "chapters/12_there_and_back/show/own_options.hpp"
#include "chapters/14_small_matrices/show/own_options.hpp"
#include "common/program/chapter.hpp"
#include "common/program/options.hpp"
#include "common/program/own_signals.hpp"
#include "scratch.hpp"

using namespace tutorial;

namespace {

command_line convolution() {
  return {"02_direct_kernel", "Direct kernel", convolved_signals(), {"serial", "direct"}};
}

chapter_options parse(const std::string& line, const command_line& command = convolution()) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  return parse_options(pointers, command);
}

std::string refusal(const std::string& line, const command_line& command = convolution()) {
  const std::string message = message_of<usage_error>([&] { parse(line, command); });
  CHECK_MESSAGE(!message.empty(), "accepted: " << line);
  CHECK_MESSAGE(!contains(message, "\n"), "more than one line: " << message);
  return message;
}

}  // namespace

TEST_CASE("nothing: checks and demo") {
  const chapter_options options = parse("");
  CHECK(options.check);
  CHECK(options.demo);
  CHECK_FALSE(options.has_own_data());
  CHECK_FALSE(parse("--check").demo);
  CHECK(parse("--check").check);
  for (const char* shows : {"--no-check", "--variant direct", "--counts", "--csv t.csv", "--trace t.trace",
                            "--report t.html", "--length 5"}) {
    CAPTURE(shows);
    CHECK_FALSE(parse(shows).check);
    CHECK(parse(shows).demo);
  }
  CHECK(parse("--help").help);
  CHECK(parse("-h").help);
  CHECK(parse("--list").list);
  CHECK(parse("--counts").counts);
  CHECK(parse("--variant direct").variant == "direct");
}

TEST_CASE("--long is there where tables take long") {
  command_line slow = convolution();
  slow.has_long_tables = true;
  CHECK(parse("--long", slow).long_tables);
  CHECK_FALSE(parse("--long", slow).check);
  CHECK_FALSE(parse("", slow).long_tables);
  CHECK(contains(refusal("--check --long", slow), "leave out"));
  CHECK(contains(refusal("--long"), "no option"));
}

TEST_CASE("--explain is there where something can be explained") {
  command_line choosing = convolution();
  choosing.explains = true;
  CHECK(parse("--explain", choosing).explain);
  CHECK_FALSE(parse("--explain", choosing).check);
  CHECK_FALSE(parse("", choosing).explain);
  CHECK(contains(help_text(choosing), "--explain"));
  CHECK(contains(refusal("--check --explain", choosing), "leave out"));
  CHECK(contains(refusal("--explain"), "no option"));
  CHECK_FALSE(contains(help_text(convolution()), "--explain"));
}

TEST_CASE("--counts, --trace and --report are there where kernels run") {
  command_line serial = convolution();
  serial.on_host = true;
  for (const std::string option : {"--counts", "--trace", "--report"}) {
    CAPTURE(option);
    CHECK(contains(refusal(option + " a", serial), "no option " + option));
    CHECK_FALSE(contains(help_text(serial), option));
    CHECK(contains(help_text(convolution()), option));
  }
}

TEST_CASE("doctest's options pass through after --check, misspelled ones do not") {
  const chapter_options options = parse("--check -tc=impulse* -s --dt-order-by=rand");
  CHECK(options.doctest_arguments == std::vector<std::string>{"-tc=impulse*", "-s", "--dt-order-by=rand"});
  CHECK(contains(refusal("--check -tcc=impulse"), "-tcc=impulse"));
  CHECK(contains(refusal("--check --test-cases=impulse"), "no option"));
  CHECK(contains(refusal("-tc=impulse"), "before --check"));
  CHECK(contains(refusal("--check -tc"), "no option"));
}

TEST_CASE("the reader's own data") {
  chapter_options options = parse("--signal a.npy --filter b.txt --mode full --type float");
  CHECK(options.has_own_data());
  CHECK(options.signal == "a.npy");
  CHECK(options.mode == convolution_mode::full);
  CHECK(options.type == element_type::float32);
  options = parse("--length 1000 --taps 7 --seed 3 --type int32");
  CHECK(options.length == 1000);
  CHECK(options.taps == 7);
  CHECK(options.seed == 3);
  CHECK(options.mode == convolution_mode::same);
  CHECK(parse("--length 1").has_own_data());
}

TEST_CASE("what does not exist") {
  CHECK(contains(refusal("--bogus"), "no option --bogus"));
  CHECK(contains(refusal("word"), "no option word: see chapters/run 02 --help"));
  CHECK(contains(refusal("--variant fast"), "no variant 'fast'; it has serial, direct"));
  CHECK(contains(refusal("--length 5 --mode circular"), "full, same or valid"));
  CHECK(contains(refusal("--length 5 --type half"), "float, double or int32"));
  for (const char* none : {"--variant", "--variant=", "--counts --variant", "--variant --counts"})
    CHECK(refusal(none).starts_with("--variant needs a name; this chapter has serial, direct"));
  CHECK(refusal("--signal") == "--signal needs a value: --signal FILE: see chapters/run 02 --help");
  CHECK(refusal("--length 5 --taps") == "--taps needs a value: --taps K: see chapters/run 02 --help");
  CHECK(refusal("--length 5 --length 6") ==
        "--length is given 2 times: give it once: see chapters/run 02 --help");
  CHECK(refusal("--csv=a.csv --csv b.csv").starts_with("--csv is given 2 times: give it once"));
  for (const char* option : {"--image", "--quality", "--panels"})
    CHECK(contains(refusal(option + std::string(" 5")), std::string("no option ") + option));
  CHECK(contains(refusal("--length 5", {"00_meet", "Meet", own_data(), {}}), "no option --length"));
}

TEST_CASE("what is near to what was typed") {
  for (const auto& each : {std::pair("direct", "--variant direct"),
                           {"--direct", "--variant direct"},
                           {"-direct", "--variant direct"},
                           {"--direct=1", "--variant direct"},
                           {"serail", "--variant serial"},
                           {"--variants=direct", "--variant"},
                           {"list", "--list"},
                           {"--lenght 5", "--length"},
                           {"--hlep", "--help"},
                           {"--out y.npy", "--output"}}) {
    const std::string typed = each.first, meant = each.second;
    CAPTURE(typed);
    CHECK(contains(refusal(typed), " (did you mean " + meant + "?): see chapters/run 02 --help"));
  }
  CHECK(contains(refusal("data/a.txt b.txt"), "no option data/a.txt (did you mean --signal data/a.txt?)"));
  const command_line picture{"09_picture", "Picture", compressed_pictures(), {}};
  CHECK(contains(refusal("mine.png", picture),
                 "no option mine.png (did you mean --image mine.png?): see chapters/run 09 --help"));
  CHECK(!contains(refusal("mine.png", {"00_meet", "Meet", own_data(), {}}), "did you mean"));
  for (const char* far : {"word", "--bogus", "-x", "5", "1.5", "--image=a.png"}) {
    CAPTURE(std::string(far));
    CHECK(!contains(refusal(far), "did you mean"));
  }
}

TEST_CASE("numbers are refused in words") {
  for (const char* text :
       {"0", "-1", "-5", "1.5", "1e6", "abc", "2147483648", "99999999999999999999999", "10,000", "0x10"}) {
    CAPTURE(text);
    CHECK(contains(refusal(std::string("--length ") + text), "--length must be a whole number from 1 to"));
    CHECK(contains(refusal(std::string("--length 5 --taps ") + text),
                   "--taps must be a whole number from 1 to"));
  }
  CHECK(parse("--length 2147483647").length == 2147483647);
  CHECK(parse("--length 5 --seed 0").seed == 0);
  CHECK(contains(refusal("--length 5 --seed -1"), "--seed must be"));
}

TEST_CASE("contradictions") {
  CHECK(contains(refusal("--signal a.npy --length 5"), "either --signal or --length"));
  CHECK(contains(refusal("--signal a.npy --filter b.npy --taps 5"), "either --filter or --taps"));
  CHECK(contains(refusal("--signal a.npy"), "--signal needs a filter"));
  CHECK(contains(refusal("--signal a.npy --filter b.npy --seed 1"), "--seed"));
  for (const char* option :
       {"--output a.npy", "--filter a.npy", "--taps 5", "--seed 1", "--mode full", "--type float"}) {
    CAPTURE(option);
    CHECK(contains(refusal(option), "--signal FILE or --length N"));
  }
  CHECK(contains(refusal("--check --no-check"), "--no-check"));
  for (const char* option :
       {"--length 5", "--counts", "--csv t.csv", "--trace t.trace", "--report t.html", "--variant direct"}) {
    CAPTURE(option);
    CHECK(contains(refusal(std::string("--check ") + option), "leave out"));
  }
}

TEST_CASE("files that cannot work are refused before the work") {
  const scratch_folder folder;
  const std::string here = folder.path().string();
  CHECK_THROWS_AS(parse("--signal a.wav --taps 5"), input_error);
  CHECK_THROWS_AS(parse("--length 5 --output " + here + "/a.png"), input_error);
  CHECK_THROWS_AS(parse("--length 5 --output " + here + "/none/a.npy"), input_error);
  CHECK_THROWS_AS(parse("--csv " + here + "/none/t.csv"), input_error);
  CHECK_THROWS_AS(parse("--csv " + here), input_error);
  CHECK_THROWS_AS(parse("--trace " + here + "/none/t.trace"), input_error);
  CHECK(contains(refusal("--trace t.svg"), "ends in .trace"));
  CHECK(parse("--trace " + here + "/t.trace").trace == here + "/t.trace");
  CHECK_THROWS_AS(parse("--report " + here + "/none/t.html"), input_error);
  CHECK(contains(refusal("--report t.svg"), "ends in .html"));
  CHECK(parse("--report " + here + "/t.html").report == here + "/t.html");
  CHECK_NOTHROW(parse("--length 5 --output " + here + "/a.npy --csv " + here + "/t.csv"));
}

TEST_CASE("a picture to compress") {
  const command_line command{"09_dct_compression", "Compression", compressed_pictures(), {"fused"}};
  const chapter_options options = parse("--image a.png", command);
  CHECK(options.has_own_data());
  CHECK(options.quality == 75);
  CHECK(options.sampling == 420);
  CHECK(options.limits.pixel_bytes == 1073741824);
  CHECK(parse("--image a.png --quality 1", command).quality == 1);
  CHECK(parse("--image a.png --quality 100", command).quality == 100);
  for (const char* text : {"0", "101", "-1", "7.5", "best"}) {
    CAPTURE(text);
    CHECK(contains(refusal(std::string("--image a.png --quality ") + text, command), "from 1 to 100"));
  }
  CHECK(parse("--image a.png --sampling 444", command).sampling == 444);
  CHECK(parse("--image a.png --sampling 420", command).sampling == 420);
  CHECK(parse("--image a.png --sampling 4:4:4", command).sampling == 444);
  for (const char* text : {"422", "4", "44", "full"}) {
    CAPTURE(text);
    CHECK(contains(refusal(std::string("--image a.png --sampling ") + text, command), "444 or 420"));
  }
  CHECK(contains(refusal("--image a.png --panels a.jpg", command), "ends in .png, not 'a.jpg'"));
  for (const char* name : {"b.png", "b.PNG"})
    CHECK(parse(std::string("--image a.png --panels ") + name, command).own("--panels") == name);
  for (const char* name : {"b.jpg", "b.jpeg", "b.JPG", "b.Jpeg"})
    CHECK(parse(std::string("--image a.png --output ") + name, command).output == name);
  for (const char* name : {"b.png", "b.npy", "b", "jpg"}) {
    CAPTURE(name);
    CHECK(contains(refusal(std::string("--image a.png --output ") + name, command), "ends in .jpg, not '"));
  }
  CHECK_THROWS_AS(parse("--image a.png --panels none/a.png", command), input_error);
  command_line drawing =
      command;  // the chapter itself says of which tables of a reader's picture it draws charts
  drawing.picture = own_picture::of_results;
  CHECK(parse("--image a.png --picture a.svg", drawing).picture == "a.svg");
  CHECK(contains(refusal("--check --image a.png", command), "leave out --image"));
  CHECK(contains(refusal("--length 5", command), "no option"));
}

TEST_CASE("a signal and a filter are not replaced by what is written") {
  const scratch_folder folder;
  const std::string x = folder.file("x.npy", "a signal").string(),
                    h = folder.file("h.csv", "a filter").string();
  const std::string other = (folder.path() / "." / "x.npy").string(),
                    given = "--signal " + x + " --filter " + h;
  CHECK(
      contains(refusal(given + " --output " + other), "--output would replace the file that --signal names"));
  CHECK(contains(refusal(given + " --output " + h), "--output would replace the file that --filter names"));
  CHECK(contains(refusal(given + " --csv " + h), "--csv would replace the file that --filter names"));
  CHECK(parse(given + " --output " + (folder / "y.npy").string()).output == folder / "y.npy");
}

TEST_CASE("a value that is empty, as of a variable that is not set, is refused") {
  const auto refused = [](std::vector<const char*> words, const command_line& command) {
    return message_of<usage_error>([&] { parse_options(words, command); });
  };
  const command_line pictures{"10_bits", "Bits", coded_pictures(), {"fused"}};
  CHECK(contains(refused({"--image", "a.png", "--output", ""}, pictures), "--output has an empty value"));
  CHECK(contains(refused({"--image", "a.png", "--output="}, pictures), "--output needs a value"));
  CHECK(contains(refused({"--image", ""}, pictures), "--image has an empty value"));
  CHECK(contains(refused({"--decode", ""}, pictures), "--decode has an empty value"));
  CHECK(contains(refused({"--image", "a.png", "--quality", ""}, pictures), "--quality has an empty value"));
  for (const std::string option : {"--signal", "--filter", "--length", "--csv", "--report", "--variant"}) {
    CAPTURE(option);
    CHECK(contains(refused({option.c_str(), ""}, convolution()), option + " has an empty value"));
  }
}

TEST_CASE("a picture to code, and a file to decode") {
  const command_line command{"10_bits", "Bits", coded_pictures(), {"fused"}};
  const chapter_options options = parse("--image a.png", command);
  CHECK(options.has_own_data());
  CHECK(options.quality == 75);
  CHECK(restart_of(options) == 0);
  CHECK(options.own("--optimize").empty());
  CHECK(restart_of(parse("--image a.png --restart 65535 --optimize", command)) == 65535);
  CHECK(!parse("--image a.png --optimize", command).own("--optimize").empty());
  for (const char* text : {"65536", "-1", "1.5", "often"}) {
    CAPTURE(text);
    CHECK(contains(refusal(std::string("--image a.png --restart ") + text, command), "from 0 to 65,535"));
  }
  CHECK(parse("--decode a.jpg", command).has_own_data());
  for (const char* name : {"b.png", "b.PNG"})
    CHECK(parse(std::string("--decode a.jpg --output ") + name, command).output == name);
  CHECK(contains(refusal("--decode a.jpg --output b.jpg", command), "ends in .png, not 'b.jpg'"));
  CHECK(contains(refusal("--image a.png --output b.png", command), "ends in .jpg, not 'b.png'"));
  CHECK(contains(refusal("--image a.png --decode a.jpg", command), "either --image or --decode, not both"));
  for (const char* option : {"--quality 50", "--sampling 444", "--restart 5", "--optimize"}) {
    CAPTURE(option);
    CHECK(contains(refusal(std::string("--decode a.jpg ") + option, command), "leave it out"));
    CHECK(contains(refusal(option, command), "needs a picture"));
  }
  CHECK(contains(refusal("--image a.png --variant fused", command), "leave it out"));
  CHECK(contains(refusal("--image a.png --panels b.png", command), "no option"));
  const scratch_folder folder;
  folder.file("a.png", "a picture");
  const std::string same = (folder / "a.png").string();
  CHECK(
      contains(refusal("--decode " + same + " --output " + (folder.path() / "." / "a.png").string(), command),
               "--decode names"));
}

TEST_CASE("a picture to compress, of which pixels come back") {
  const command_line command{"14_small_matrices", "Small matrices", round_trip_pictures(), {"fused"}};
  const chapter_options options = parse("--image a.png --quality 20 --sampling 444 --output b.png", command);
  CHECK(options.has_own_data());
  CHECK(options.quality == 20);
  CHECK(options.sampling == 444);
  CHECK(contains(refusal("--image a.png --output b.jpg", command), "ends in .png, not 'b.jpg'"));
  CHECK(contains(refusal("--image a.png --variant fused", command), "leave it out"));
  for (const char* option : {"--quality 50", "--sampling 444", "--output b.png", "--max-image 1GiB"}) {
    CAPTURE(option);
    CHECK(contains(refusal(option, command), "needs a picture"));
  }
  for (const char* option : {"--restart 5", "--optimize", "--panels b.png", "--decode a.jpg"}) {
    CAPTURE(option);
    CHECK(contains(refusal(std::string("--image a.png ") + option, command), "no option"));
  }
}

TEST_CASE("a picture to transform") {
  const command_line command{"08_dct8x8", "DCT", transformed_pictures(), {"columns"}};
  CHECK(parse("--image a.png --output b.npy", command).output == "b.npy");
  CHECK(contains(refusal("--image a.png --output b.jpg", command), "ends in .npy or .png, not 'b.jpg'"));
  command_line drawing = command;
  drawing.picture = own_picture::of_results;
  CHECK(contains(refusal("--image a.png --picture a.svg", drawing), "leave it out"));
  for (const char* option : {"--quality 50", "--sampling 444", "--panels b.png"}) {
    CAPTURE(option);
    CHECK(contains(refusal(std::string("--image a.png ") + option, command), "no option"));
  }
}

TEST_CASE("pictures of both kinds") {
  const scratch_folder folder;
  for (const own_data& accepts : {transformed_pictures(), compressed_pictures()}) {
    const command_line command{"08_pictures", "Pictures", accepts, {}};
    const auto limit = [&](const std::string& text) {
      return parse("--image a.png --max-image " + text, command).limits.pixel_bytes;
    };
    CHECK(limit("4GiB") == std::uint64_t(4) << 30);
    CHECK(limit("500MiB") == std::uint64_t(500) << 20);
    CHECK(limit("64KiB") == 65536);
    CHECK(limit("1000") == 1000);
    for (const char* text : {"0", "0GiB", "4GB", "4 GiB", "-1", "GiB", "4gib", "1.5GiB", "8589934592GiB",
                             "99999999999999999999", "4GiBs"}) {
      CAPTURE(text);
      const char* const words[] = {"--image", "a.png", "--max-image", text};
      CHECK(contains(message_of<usage_error>([&] { parse_options(words, command); }), "KiB, MiB or GiB"));
    }
    for (const char* option : {"--output b.npy", "--max-image 1GiB"}) {
      CAPTURE(option);
      CHECK(contains(refusal(option, command), "add --image FILE"));
    }
  }
  const command_line command{"09_dct_compression", "Compression", compressed_pictures(), {}};
  for (const char* option : {"--quality 50", "--sampling 444", "--panels b.png"}) {
    CAPTURE(option);
    CHECK(contains(refusal(option, command), "add --image FILE"));
  }
  // The picture itself is not replaced, by whatever name.
  for (const auto& [option, file] :
       {std::pair("--output", "a.jpg"), {"--panels", "a.png"}, {"--csv", "a.pgm"}}) {
    folder.file(file, "a picture");
    const std::string same = (folder.path() / "." / file).string();
    CHECK(contains(refusal("--image " + (folder / file).string() + " " + option + " " + same, command),
                   "would replace the picture"));
  }
  // Nor does one result replace another.
  const std::string image = "--image " + (folder / "a.png").string();
  CHECK(contains(refusal(image + " --output " + (folder / "b.jpg").string() + " --csv " +
                             (folder.path() / "." / "b.jpg").string(),
                         command),
                 "--csv and --output name the same file"));
}

TEST_CASE("too little memory: the advice fits what the reader gave") {
  for (const auto& [accepts, words, advice] :
       {std::tuple(compressed_pictures(), std::vector{"--image", "a.png"}, "scale or crop the picture"),
        std::tuple(convolved_signals(), std::vector{"--length", "5"}, "use a shorter signal")}) {
    const chapter greedy{.number = "98",
                         .name = "greedy",
                         .title = "Greedy",
                         .accepts = accepts,
                         .on_own_data = [](chapter_run&) { throw std::bad_alloc(); }};
    std::ostringstream out, messages;
    std::streambuf* const usual_out = std::cout.rdbuf(out.rdbuf());
    std::streambuf* const usual_messages = std::cerr.rdbuf(messages.rdbuf());
    const int status = run_chapter(greedy, words, [](const std::vector<std::string>&) { return 0; });
    std::cout.rdbuf(usual_out);
    std::cerr.rdbuf(usual_messages);
    CHECK(status == 2);
    CHECK_MESSAGE(contains(messages.str(), advice), messages.str());
  }
}

TEST_CASE("--picture is for chapters that have one") {
  const scratch_folder folder;
  const std::string file = (folder / "a.svg").string();
  command_line command = convolution();
  CHECK(contains(refusal("--picture " + file, command), "no option --picture"));
  CHECK_FALSE(contains(help_text(command), "--picture"));
  for (const auto picture : {own_picture::of_times, own_picture::of_results}) {
    command.picture = picture;
    CHECK(parse("--picture " + file, command).picture == file);
    CHECK(contains(help_text(command), "--picture FILE.svg"));
    CHECK(contains(refusal("--picture a.png", command), "ends in .svg, not 'a.png'"));
    CHECK(contains(refusal("--check --picture " + file, command), "leave out --picture"));
    CHECK(contains(refusal("--length 5 --picture " + file, command), "leave it out"));
    CHECK_THROWS_AS(parse("--picture " + (folder / "none" / "a.svg").string(), command), input_error);
  }
}

TEST_CASE("a signal that goes from file to file in pieces is no text, and help says so") {
  const command_line pieces = {"12_there_and_back", "There and back", signals_in_pieces(), {"a"}};
  CHECK(contains(refusal("--signal a.txt --taps 5", pieces), "--signal must be an .npy file here"));
  CHECK(contains(refusal("--length 5 --output b.csv", pieces), "--output must be an .npy file here"));
  CHECK_NOTHROW(parse("--signal a.NPY --filter b.txt", pieces));
  CHECK(contains(help_text(pieces), "The filter: .npy, .txt or .csv"));
  CHECK_FALSE(contains(help_text(pieces), "The signal: .npy, .txt"));
  CHECK_FALSE(contains(help_text(pieces), "goes: .npy, .txt"));
}

TEST_CASE("help names every option and gives an example") {
  const std::string text = help_text(convolution());
  for (const char* word :
       {"--check", "--signal", "--output", "--csv", "--counts", "Examples", "chapters/run 02", "Exit status"})
    CHECK_MESSAGE(contains(text, word), word);
  CHECK_FALSE(contains(text, "--image"));
  CHECK(contains(help_text({"09_dct", "DCT", compressed_pictures(), {}}), "--sampling"));
  CHECK(contains(help_text({"08_dct", "DCT", transformed_pictures(), {}}), "FILE.npy"));
  CHECK_FALSE(contains(help_text({"08_dct", "DCT", transformed_pictures(), {}}), "--quality"));
}
