// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// What stands in the translator's output, written once here. The tests say the rest.
#pragma once

#include <string>

namespace translator_test {

inline std::string at(int line, const std::string& file = "k.cu") {
  return "\"" + file + "\", " + std::to_string(line);
}

/// `parameters` are those of prologue().
inline std::string launch_maker(std::string parameters) {
  if (!parameters.empty()) parameters += ",";
  std::string types;
  for (std::size_t end; (end = parameters.find(',')) != parameters.npos; parameters.erase(0, end + 1)) {
    if (end == 0) return "nullptr";
    types += (types.empty() ? "decltype(" : ", decltype(") + parameters.substr(0, end) + ")";
  }
  return "&::cuda_emulator::make_launch<" + types + ">";
}

inline std::string prologue(const std::string& name, int line, const std::string& bound = "0",
                            const std::string& file = "k.cu", const std::string& parameters = "",
                            bool all_named = true) {
  return " static constinit ::cuda_emulator::kernel_record emulator_record{\"" + name + "\", " +
         at(line, file) + ", " + bound + ", \"" + parameters + "\", " +
         (all_named ? launch_maker(parameters) : "nullptr") +
         "}; if (::cuda_emulator::enter(emulator_record)) return;";
}

inline std::string launch_begin(const std::string& callee, int line, const std::string& file = "k.cu") {
  return "::cuda_emulator::launch(\"" + callee + "\", " + at(line, file) +
         ", ::cuda_emulator::configuration(";
}

/// Callees that are no names are evaluated once.
inline std::string launch_middle(const std::string& callee) {
  const bool is_expression = callee.find_first_of("*[.") != callee.npos || callee.find("->") != callee.npos ||
                             callee.ends_with("(3)");
  if (is_expression) return "), " + callee + ")";
  return "), [=](const auto&... emulator_arguments) { " + callee +
         "(emulator_arguments...); }, [=](auto emulator_probe) -> decltype(emulator_probe(" + callee +
         ")) { return emulator_probe(" + callee + "); })";
}

inline std::string shared_object(const std::string& name, int line, const std::string& alignment = "") {
  return " static constinit ::cuda_emulator::shared_variable emulator_site_" + name + "{\"" + name + "\", " +
         at(line) + "}; emulator_type_" + name + "& " + name + " = ::cuda_emulator::shared<emulator_type_" +
         name + ">(emulator_site_" + name + alignment + ");";
}

inline std::string dynamic_object(const std::string& name, int line) {
  return " { [[maybe_unused]] extern emulator_type_" + name + " dynamic_shared_" + name +
         "; } emulator_type_" + name + "& " + name + " = ::cuda_emulator::dynamic_shared<emulator_type_" +
         name + ">(\"" + name + "\", " + at(line) + ");";
}

inline std::string registration(const std::string& name, const std::string& space, int line,
                                const std::string& variable = "", const std::string& constant = "") {
  return " static const ::cuda_emulator::device_variable emulator_variable_" +
         (variable.empty() ? name : variable) + "(" + name + ", \"" + name +
         "\", ::cuda_emulator::memory_space::" + space + ", " + at(line) + constant + ");";
}

/// Of what was const in the source, and is not any more.
inline std::string constant_registration(const std::string& name, const std::string& space, int line) {
  return registration(name, space, line, "", ", true");
}

}  // namespace translator_test
