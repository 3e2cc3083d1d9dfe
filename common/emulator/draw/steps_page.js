// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// The page itself: where the reader is, how to go on, and what is shown there.

class Page {
  constructor(recording) {
    this.recording = recording;
    this.words = new Words(recording);
    this.pictures = new Pictures(recording);
    this.number = 0;    // of the step
    this.warp = null;   // whose steps are shown; null: those of the whole block
    this.timer = null;  // while the page plays
    this.part = {};     // the elements of the page, by their id
    for (const element of document.querySelectorAll("[id]")) this.part[element.id] = element;
    this.head();
    this.choices();
    this.panels();
    this.listen();
    this.part.main.hidden = false;
    this.fit();
    this.goToAddress();
  }

  // What does not change.

  head() {
    const { data, threads, warps, steps } = this.recording, { part } = this;
    const isFlat = data.grid.every((extent, i) => i === 0 || extent === 1), axes = data.grid[2] > 1 ? 3 : 2;
    const place = numbers => isFlat ? grouped(numbers[0]) : `(${numbers.slice(0, axes).join(", ")})`;
    const size = `${several(threads, "thread")} in ${several(warps, "warp")}`;
    const facts = [`Block ${place(data.traced)} of ${place(data.grid)}`, size, several(steps.length, "step")];
    if (data.title) facts.unshift(data.kernel);
    part.title.textContent = document.title = data.title || data.kernel;
    part.facts.textContent = facts.join(" · ");
    part.cut.textContent = "The block did more than this page holds. The recording ends after step " +
      `${grouped(steps.length)}.`;
    part.cut.hidden = !data.cut;
    part.lesson.hidden = !data.lesson;
    part.lesson.href = data.lesson ?? "";
  }

  choices() {
    const { part, recording } = this;
    part.warp.add(new Option("the whole block", ""));
    for (const warp of recording.warpNumbers)
      if (recording.isRecorded(warp)) part.warp.add(new Option(`warp ${warp} only`, warp));
    part.follow.add(new Option("no lane", ""));
    for (const lane of LANES) part.follow.add(new Option(`lane ${lane}`, lane));
    part.all.parentElement.hidden = !this.pictures.leavesOut();
    part.choices.hidden = false;
  }

  panels() {
    const { part, recording } = this;
    this.warpButtons = recording.warpNumbers.map(warp => {
      const state = make("small"), button = make("button", { type: "button" }, `warp ${warp}`, state);
      button.addEventListener("click", () => this.choose(this.warp === warp ? null : warp));
      return { button, state };
    });
    part.warps.append(...this.warpButtons.map(({ button }) => button));
    part.block.hidden = recording.warps === 1;
    this.tiles = [...recording.arrays.keys()].filter(number => recording.arrays[number].memory === "shared")
      .map(number => new Tile(recording, number));
    part.tiles.append(...this.tiles.map(tile => tile.section));
    this.leaveOut();
  }

  /** Words and controls for what this block does not have. A reader may not know them yet. */
  leaveOut() {
    const { arrays, steps } = this.recording, present = new Set(arrays.map(array => array.memory));
    if (steps.some(step => step.kind === "barrier")) present.add("barrier");
    for (const element of document.querySelectorAll("[data-with]"))
      element.hidden = !present.has(element.dataset.with);
  }

  // What changes.

  /** Of the whole block, or of one warp: the numbers of its steps. */
  choose(warp) {
    const { steps } = this.recording;
    this.warp = warp !== null && this.recording.isRecorded(warp) ? warp : null;
    this.visible = [...steps.keys()].filter(number => this.warp === null || steps[number].warp === this.warp);
    this.part.warp.value = this.warp ?? "";
    this.draw();
    this.show();
  }

  /** Where the step is among those that are shown: itself, or the last one before it. */
  get position() {
    const after = this.visible.findIndex(number => number > this.number);
    return Math.max(0, (after < 0 ? this.visible.length : after) - 1);
  }

  show() {
    const { recording, position } = this, step = recording.steps[this.visible[position]];
    this.number = step.number;
    this.showSentence(step);
    this.showControls(step, position);
    this.showSource(step);
    this.showWarps(step);
    this.showLanes(step);
    this.showMemory(step);
    for (const tile of this.tiles) tile.show(step, this.pictures);
    this.keepAddress();
  }

  showSentence(step) {
    const { part, recording } = this, { sentence, reason } = this.words.of(step);
    const count = `Step ${grouped(step.number + 1)} of ${grouped(recording.steps.length)}`;
    part.where.textContent = `${count} · warp ${step.warp} · ${recording.placeText(step)}`;
    part.code.textContent = (recording.lineOf(step) ?? "").trim();
    part.sentence.textContent = sentence;
    part.reason.textContent = reason;
  }

  showControls(step, position) {
    const { part } = this, end = this.visible.length - 1;
    part.slider.max = end;
    part.slider.value = position;
    part.slider.setAttribute("aria-valuetext", `step ${step.number + 1} of ${this.recording.steps.length}`);
    for (const button of [part.first, part.back]) button.setAttribute("aria-disabled", position === 0);
    for (const button of [part.next, part.last]) button.setAttribute("aria-disabled", position === end);
    for (const what of ["line", "request", "barrier"])
      part[`next_${what}`].setAttribute("aria-disabled", this.find(1, this[`is${capital(what)}`]) < 0);
  }

  showMemory(step) {
    const { part, pictures } = this, array = step.isRequest && this.recording.arrays[step.array];
    part.request_title.textContent = step.kind === "collective" ? "From lane to lane"
      : array ? this.memoryText(array) : "Memory";
    part.picture.replaceChildren(...pictures.request(step) ?? [note("This step makes no memory request.")]);
  }

  memoryText({ memory, name }) {
    return `${memory === "texture" ? "Texture" : capital(memory) + " memory"}: ${name}`;
  }

  showSource(step) {
    const { source } = this.part, file = this.recording.data.files[step.file];
    if (this.sourceOf !== step.file) {
      this.sourceOf = step.file;
      this.lines = (file?.lines ?? []).map((text, i) => this.sourceLine(text, file.first + i));
      source.replaceChildren(...this.lines);
      this.part.source_title.textContent = file ? file.name.split("/").pop() : "Source";
    }
    const warpsAt = this.warpsByLine(step);
    this.lines.forEach((line, i) => {
      const number = file.first + i, isLit = number === step.line;
      line.className = isLit ? "lit" : "";
      line.toggleAttribute("aria-current", isLit);
      line.lastChild.textContent = warpsAt.has(number) ? warpsText(warpsAt.get(number)) : "";
    });
    const lit = this.lines[step.line - file?.first];
    if (!lit) return;
    const above = lit.offsetTop - source.scrollTop, room = source.clientHeight - lit.offsetHeight;
    if (above < room * .15 || above > room * .85) source.scrollTop = lit.offsetTop - room / 2;
  }

  sourceLine(text, number) {
    const comment = text.search(/(^|[^:])\/\//), end = comment < 0 ? text.length : comment;
    const code = make("span", {}, text.slice(0, end), make("span", { class: "comment" }, text.slice(end)));
    return make("li", {}, make("b", {}, `${number}`), code, make("span", { class: "here" }));
  }

  /** The warps that have begun and not ended, by the lines of this file where they are. */
  warpsByLine(step) {
    const { recording } = this, warpsAt = new Map();
    if (recording.warps === 1) return warpsAt;
    for (const warp of recording.warpNumbers) {
      const at = recording.place[warp].at(step.number);
      if (at?.file === step.file && !recording.hasEnded(warp, step.number))
        warpsAt.set(at.line, [...warpsAt.get(at.line) ?? [], warp]);
    }
    return warpsAt;
  }

  showWarps(step) {
    const { recording, part } = this, waiting = recording.waiting.at(step.number) ?? [];
    this.warpButtons.forEach(({ button, state }, warp) => {
      const waits = waiting.includes(warp), hasEnded = recording.hasEnded(warp, step.number);
      state.textContent = hasEnded ? "ended" : waits ? "waits" : this.warpPlace(warp, step);
      button.className = classes(warp === step.warp && "current", waits && "waits", hasEnded && "ended");
      button.setAttribute("aria-pressed", this.warp === warp);
    });
    const wait = waiting.length === 1 ? "waits" : "wait";
    part.block_note.textContent = waiting.length === 0 ? "Press a warp to see only its steps."
      : `${waiting.length} of ${several(recording.warps, "warp")} ${wait} at the barrier.`;
  }

  warpPlace(warp, step) {
    const at = this.recording.place[warp].at(step.number);
    return at ? `line ${at.line}` : this.recording.isRecorded(warp) ? "not begun" : "not recorded";
  }

  showLanes(step) {
    const { part, pictures, recording } = this, same = pictures.sameInAllLanes(step);
    part.lanes_title.textContent = `Lanes of warp ${step.warp}`;
    part.same.hidden = same.length === 0 && recording.differing.size === recording.variables.size;
    part.same.replaceChildren("Same in all lanes: ", ...same.length > 0 ? same : ["nothing yet"]);
    part.lanes.replaceChildren(pictures.lanes(step));
    part.followed.hidden = pictures.followed === null;
    if (pictures.followed !== null) part.followed.textContent = this.laneText(step, pictures.followed);
  }

  /** All that is known about a lane, with whole values. */
  laneText(step, lane) {
    const { recording } = this, thread = step.warp * 32 + lane;
    const values = [...recording.variables.keys()]
      .map(name => [name, recording.valuesAt(name, step.warp, step.number)[lane]]);
    if (step.isRequest && known(step.indices[lane]))
      values.push([recording.element(recording.arrays[step.array], step.indices[lane]), step.values[lane]]);
    const texts = values.filter(([, value]) => known(value))
      .map(([name, value]) => `${name} = ${valueText(value)}`);
    const index = thread < recording.threads ? `, thread (${recording.threadIndex(thread).join(", ")})` : "";
    return `${capital(this.pictures.laneText(step, lane))}${index}. ${texts.join(", ")}`;
  }

  // Where to go.

  go(position) {
    this.number = this.visible[Math.max(0, Math.min(position, this.visible.length - 1))];
    this.show();
  }

  /** Where the nearest step in this direction is that is wanted; -1: there is none. */
  find(direction, isWanted) {
    const { recording, visible } = this, here = recording.steps[this.number];
    for (let at = this.position + direction; at >= 0 && at < visible.length; at += direction)
      if (isWanted(recording.steps[visible[at]], here)) return at;
    return -1;
  }
  /** There; stays where there is none. */
  jump(direction, isWanted) {
    const at = this.find(direction, isWanted);
    if (at >= 0) this.go(at);
  }

  isLine(step, here) { return ["warp", "file", "line"].some(part => step[part] !== here[part]); }
  isRequest(step) { return step.isRequest; }
  isBarrier(step) { return step.kind === "barrier"; }

  follow(lane) {
    this.pictures.followed = lane;
    this.part.follow.value = lane ?? "";
    this.show();
  }

  get playing() { return this.timer !== null; }

  play(wanted) {
    clearInterval(this.timer);
    this.timer = null;
    if (wanted) {
      if (this.position === this.visible.length - 1) this.go(0);
      this.timer = setInterval(() => {
        if (this.position < this.visible.length - 1) this.go(this.position + 1);
        else this.play(false);
      }, 1000 / Number(this.part.speed.value));
    }
    const { play, words } = this.part;
    play.textContent = wanted ? "Stop" : "Play";
    play.setAttribute("aria-pressed", wanted);
    words.setAttribute("aria-live", wanted ? "off" : "polite");
  }

  // The step is in the address of the page: "#step=12&warp=0&lane=3".

  goToAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const number = (name, count) => {
      const text = wanted.get(name);
      return text !== null && /^\d+$/.test(text) && Number(text) < count ? Number(text) : null;
    };
    this.number = Math.max(1, Math.min(Number(wanted.get("step")) || 1, this.recording.steps.length)) - 1;
    this.pictures.followed = number("lane", 32);
    this.part.follow.value = this.pictures.followed ?? "";
    this.choose(number("warp", this.recording.warps));
  }

  /** Not at once: browsers refuse too many changes. */
  keepAddress() {
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => {
      const parts = [`step=${this.number + 1}`];
      if (this.warp !== null) parts.push(`warp=${this.warp}`);
      if (this.pictures.followed !== null) parts.push(`lane=${this.pictures.followed}`);
      history.replaceState(null, "", `#${parts.join("&")}`);
    }, 300);
  }

  // What the reader does.

  listen() {
    const { part } = this;
    const onClick = (name, action) => part[name].addEventListener("click", () => {
      this.play(false);
      action();
    });
    onClick("first", () => this.go(0));
    onClick("back", () => this.go(this.position - 1));
    onClick("next", () => this.go(this.position + 1));
    onClick("last", () => this.go(this.visible.length - 1));
    onClick("next_line", () => this.jump(1, this.isLine));
    onClick("next_request", () => this.jump(1, this.isRequest));
    onClick("next_barrier", () => this.jump(1, this.isBarrier));
    part.play.addEventListener("click", () => this.play(!this.playing));
    part.speed.addEventListener("change", () => this.playing && this.play(true));
    part.slider.addEventListener("input", () => {
      this.play(false);
      this.go(Number(part.slider.value));
    });
    const chosen = select => select.value === "" ? null : Number(select.value);
    part.warp.addEventListener("change", () => this.choose(chosen(part.warp)));
    part.follow.addEventListener("change", () => this.follow(chosen(part.follow)));
    part.lanes.addEventListener("click", event => {
      const lane = event.target.closest("[data-lane]")?.dataset.lane;
      if (lane !== undefined) this.follow(this.pictures.followed === Number(lane) ? null : Number(lane));
    });
    part.all.addEventListener("change", () => {
      this.pictures.mostVariables = part.all.checked ? Infinity : 8;
      this.show();
    });
    part.choices.addEventListener("submit", event => event.preventDefault());
    document.addEventListener("keydown", event => this.key(event));
    window.addEventListener("hashchange", () => this.goToAddress());
    new ResizeObserver(() => this.fit() && this.show()).observe(part.lanes);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    window.addEventListener("resize", () => this.draw());
    // On paper the first step would show little.
    window.addEventListener("beforeprint", () => this.position === 0 && (this.go(this.visible.length >> 1), this.jump(1, this.isRequest)));
  }

  /** Keys that an element has a use for itself stay with it. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isLetter = /^[a-z]$/i.test(event.key), isSpace = event.key === " ";
    const owners = isSpace ? "select, button, summary, [type=checkbox], .scroll, #source"
      : isLetter ? "select" : "select, .scroll, #source";
    if (event.target.closest?.(owners)) return;
    const direction = event.shiftKey ? -1 : 1;
    const action = {
      " ": () => this.play(!this.playing),
      ArrowRight: () => this.go(this.position + 1),
      ArrowLeft: () => this.go(this.position - 1),
      Home: () => this.go(0),
      End: () => this.go(this.visible.length - 1),
      l: () => this.jump(direction, this.isLine),
      m: () => this.jump(direction, this.isRequest),
      b: () => this.jump(direction, this.isBarrier),
      w: () => this.nextWarp(direction),
    }[isLetter ? event.key.toLowerCase() : event.key];
    if (!action) return;
    if (!isSpace) this.play(false);
    action();
    event.preventDefault();
  }

  /** From the whole block to its first warp, on to the last one, and back to the whole block. */
  nextWarp(direction) {
    const { recording } = this, recorded = recording.warpNumbers.filter(warp => recording.isRecorded(warp));
    const all = [null, ...recorded];
    this.choose(all[(all.indexOf(this.warp) + direction + all.length) % all.length]);
  }

  // Sizes.

  /** How many lanes fit side by side; whether that has changed. */
  fit() {
    const width = this.part.lanes.clientWidth, columns = width >= 740 ? 32 : width >= 470 ? 16 : 8;
    if (columns === this.pictures.columns) return false;
    this.pictures.columns = columns;
    return true;
  }

  /** Above the slider: where barriers are, and requests, each in the color of its memory. */
  draw() {
    const { recording, visible } = this, { overview } = this.part, context = overview.getContext("2d");
    const colors = getComputedStyle(document.documentElement);
    const width = overview.width = Math.max(1, overview.clientWidth - 16);
    const apart = width / Math.max(1, visible.length - 1), thick = Math.min(6, Math.max(1, apart * .7));
    visible.forEach((number, position) => {
      const step = recording.steps[number];
      if (!step.isRequest && step.kind !== "barrier") return;
      const memory = step.isRequest && recording.color(recording.arrays[step.array]);
      context.fillStyle = colors.getPropertyValue(memory ? `--${memory}-line` : "--ink");
      if (memory) context.fillRect(position * apart - thick / 2, 3, thick, 5);
      else context.fillRect(position * apart - 1, 0, 2, 8);
    });
  }
}

function begin() {
  const data = JSON.parse(document.getElementById("data").textContent);
  if (data.format !== 1)
    throw new Error(`the page reads format 1, and the recording has format ${data.format}`);
  if (data.steps.length === 0) throw new Error("the recording has no steps");
  new Page(new Recording(data));
}

try {
  begin();
} catch (error) {
  const failure = document.getElementById("failure");
  failure.textContent = `The steps cannot be shown: ${error.message}.`;
  failure.hidden = false;
  throw error;
}
