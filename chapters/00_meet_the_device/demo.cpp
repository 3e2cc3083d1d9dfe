// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#include "00_meet_the_device/show/device_map.hpp"
#include "00_meet_the_device/show/first_words.hpp"
#include "00_meet_the_device/show/tables.hpp"

namespace tutorial {
namespace {

void show(chapter_run& run) {
  if (run.options().variant == "sticky_error") return show_sticky_error(run);
  if (run.wants("owners")) show_owners(run);
  if (run.wants("printf")) show_printf(run);
  if (run.wants("errors")) show_errors(run);
  if (run.wants("copies")) show_copies(run);
  if (run.wants("limits")) show_limits(run);
  if (run.wants("map")) show_map(run, rates_of_ruler());
  if (run.wants("copies")) draw_copies(run);
}

}  // namespace

chapter this_chapter() {
  return {.number = "00",
          .name = "meet_the_device",
          .title = "Meet the device",
          .next = "01",
          .picture = own_picture::of_times,
          .variants = {{"owners", "which thread owns which element"},
                       {"printf", "a word from a kernel"},
                       {"errors", "a refused launch, and an error while a kernel runs"},
                       {"sticky_error", "the latter alone: it leaves the process without a device"},
                       {"copies", "the same copy, in ways that memory likes more and less"},
                       {"limits", "what this device can do at best"},
                       {"map", "registers, caches, memories: what each holds and how long a load takes"}},
          .demo = show};
}

}  // namespace tutorial
