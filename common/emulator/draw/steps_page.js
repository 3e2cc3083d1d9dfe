// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// The page on which a reader steps through what a block did. steps_format.md describes its data.
//
//   lanes and values   how the data write them, and how the page does
//   Recording          what holds at a step: variables, memory, the place of each warp
//   words              what a step does, in sentences
//   pictures           lanes, sectors, banks, shared memory, shuffles
//   Page               controls, keys, and the address of a step
"use strict";

(() => {
// ---------------------------------------------------------------------------------------- lanes and values

const LANES = Array.from({ length: 32 }, (_, lane) => lane);
const SECTOR_BYTES = 32, BANKS = 32, BANK_BYTES = 4;

const has = (mask, lane) => (mask >>> lane & 1) === 1;
const lanesIn = mask => LANES.filter(lane => has(mask, lane));
const maskOf = lanes => lanes.reduce((mask, lane) => mask | 1 << lane, 0) >>> 0;
const last = list => list[list.length - 1];
const known = value => value !== null && value !== undefined;

/** An entry for each lane, from any of the ways in which the data write them. */
function spread(written, active) {
  if (Array.isArray(written)) return written;
  const entry = written !== null && typeof written === "object"
    ? lane => written.first + lane * written.by
    : () => written;
  return LANES.map(lane => known(written) && has(active, lane) ? entry(lane) : null);
}

/** The difference between neighbors, if it is always the same; else null. */
function commonDifference(numbers) {
  if (numbers.length < 2 || !numbers.every(Number.isInteger)) return null;
  const difference = numbers[1] - numbers[0];
  return numbers.every((number, i) => i === 0 || number - numbers[i - 1] === difference) ? difference : null;
}

const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const several = (count, thing, things = thing + "s") => `${grouped(count)} ${count === 1 ? thing : things}`;
const listed = texts => texts.length < 2 ? texts.join("")
  : `${texts.slice(0, -1).join(", ")} and ${last(texts)}`;
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

/** The whole value. */
function valueText(value) {
  if (!known(value)) return "not known";
  return Array.isArray(value) ? `(${value.map(valueText).join(", ")})` : String(value);
}

/** As much of the value as fits into so many characters. */
function shortText(value, width) {
  if (!known(value)) return "";
  if (Array.isArray(value)) return shortText(value[0], width - 1) + "…";
  const whole = String(value);
  if (whole.length <= width) return whole;
  if (typeof value !== "number") return whole.slice(0, width - 1) + "…";
  for (let digits = width; digits > 0 && !Number.isInteger(value); --digits) {
    const text = String(Number(value.toPrecision(digits)));
    if (text.length <= width) return text;
  }
  return value.toExponential(0).replace("+", "");
}

/** What can be left out of whole numbers that are too long for cells: their least one, or 0. */
function commonPart(numbers) {
  const whole = numbers.filter(known);
  if (whole.length === 0 || !whole.every(Number.isInteger)) return 0;
  const least = Math.min(...whole), most = Math.max(...whole);
  return most < 10000 && least > -1000 || most - least >= 10000 ? 0 : least;
}

// ------------------------------------------------------------------------------------------- the recording

/** What was noted at which steps, and so what holds at any step. */
class History {
  #steps = [];
  #notes = [];

  note(step, what) {
    if (last(this.#steps) === step) {
      this.#notes.pop();
    } else {
      this.#steps.push(step);
    }
    this.#notes.push(what);
  }

  /** The latest note of this step or of one before it; undefined if there is none. */
  at(step) {
    let begin = 0, end = this.#steps.length;
    while (begin < end) {
      const middle = begin + end >> 1;
      if (this.#steps[middle] <= step) begin = middle + 1; else end = middle;
    }
    return this.#notes[begin - 1];
  }
}

class Step {
  constructor(written, number) {
    Object.assign(this, written);
    this.number = number;
    this.active = parseInt(written.active, 16) >>> 0;
  }

  get lanes() { return lanesIn(this.active); }
  get indices() { return spread(this.index, this.active); }
  get values() { return spread(this.value, this.active); }
  get isRequest() { return this.kind === "load" || this.kind === "store" || this.kind === "atomic"; }
}

class Recording {
  constructor(data) {
    this.data = data;
    this.steps = data.steps.map((written, number) => new Step(written, number));
    this.threads = data.block.reduce((product, extent) => product * extent, 1);
    this.warps = Math.ceil(this.threads / 32);
    this.arrays = data.arrays.map((written, number) => ({
      ...written,
      name: written.name || `array_${number}`,
      address: written.address ?? 0,
      count: written.extents.reduce((product, extent) => product * extent, 1),
      isStored: false,
    }));

    const forEachWarp = () => Array.from({ length: this.warps }, () => new History());
    this.variables = new Map((data.variables ?? []).map(name => [name, forEachWarp()]));
    this.differing = new Set();                             // variables whose lanes have different values
    this.stored = this.arrays.map(() => new Map());         // of an element: who stored what into it, and when
    this.touched = this.arrays.map(() => new History());    // the last range of elements that was accessed
    this.place = forEachWarp();                             // the last step of the warp
    this.returned = forEachWarp();                          // mask
    this.waiting = new History();                           // warps at a barrier
    for (const step of this.steps) this.#note(step);
  }

  #note(step) {
    this.place[step.warp].note(step.number, step);
    if (step.kind === "return")
      this.returned[step.warp].note(step.number, (this.returnedAt(step.warp, step.number) | step.active) >>> 0);
    if (step.kind === "barrier") this.waiting.note(step.number, step.waiting ?? []);
    for (const [name, written] of Object.entries(step.set ?? {})) this.#noteVariable(step, name, written);
    if (step.isRequest) this.#noteRequest(step);
  }

  #noteVariable(step, name, written) {
    const history = this.variables.get(name)?.[step.warp];
    if (!history) return;
    const before = history.at(step.number), now = spread(written, step.active);
    const values = LANES.map(lane => has(step.active, lane) ? now[lane] : before?.[lane] ?? null);
    history.note(step.number, values);
    if (new Set(values.filter(known).map(String)).size > 1) this.differing.add(name);
  }

  #noteRequest(step) {
    const elements = this.elementsOf(step).flat();
    if (elements.length === 0) return;
    this.touched[step.array].note(step.number, [Math.min(...elements), Math.max(...elements)]);
    if (step.kind === "load") return;
    this.arrays[step.array].isStored = true;
    const values = step.values, histories = this.stored[step.array];
    for (const lane of step.lanes)
      this.elementsOfLane(step, lane).forEach((element, i) => {
        if (!histories.has(element)) histories.set(element, new History());
        const value = step.kind === "atomic" ? null : Array.isArray(values[lane]) ? values[lane][i] : values[lane];
        histories.get(element).note(step.number, { step: step.number, thread: step.warp * 32 + lane, value });
      });
  }

  /** The elements that a lane accesses: one, or several with one wide access. */
  elementsOfLane(step, lane, index = step.indices[lane]) {
    if (!known(index)) return [];
    const count = Math.max(1, Math.round(step.size / this.arrays[step.array].bytes) || 1);
    return count === 1 ? [index] : Array.from({ length: count }, (_, i) => index + i);
  }

  elementsOf(step) {
    const indices = step.indices;
    return LANES.map(lane => this.elementsOfLane(step, lane, indices[lane]));
  }

  /** A Map from each element that is accessed to the lanes that access it. */
  lanesOfElements(step) {
    const lanesOf = new Map();
    this.elementsOf(step).forEach((elements, lane) => elements.forEach(
      element => lanesOf.set(element, [...lanesOf.get(element) ?? [], lane])));
    return lanesOf;
  }

  /** The bytes that each lane accesses: where they begin, and how many they are. */
  accessesOf(step) {
    const array = this.arrays[step.array], indices = step.indices;
    return step.lanes.filter(lane => known(indices[lane])).map(lane => (
      { lane, begin: array.address + indices[lane] * array.bytes, bytes: step.size || array.bytes }));
  }

  /** The class of the array's color: as in the pictures, global memory is output where the block stores to it. */
  color(array) {
    return array.memory !== "global" ? array.memory : array.isStored ? "output" : "input";
  }

  existing(warp) {
    return maskOf(LANES.filter(lane => warp * 32 + lane < this.threads));
  }

  returnedAt(warp, number) { return this.returned[warp].at(number) ?? 0; }

  hasEnded(warp, number) {
    return (this.existing(warp) & ~this.returnedAt(warp, number)) === 0;
  }

  valuesAt(name, warp, number) { return this.variables.get(name)[warp].at(number) ?? []; }

  threadIndex(thread) {
    const [x, y] = this.data.block;
    return [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))];
  }

  /** "tile[3][0]" */
  element(array, index) {
    let rest = index, text = "";
    for (const extent of array.extents.slice(1).reverse()) {
      text = `[${rest % extent}]${text}`;
      rest = Math.floor(rest / extent);
    }
    return `${array.name}[${rest}]${text}`;
  }

  lineOf(step) {
    const file = this.data.files[step.file];
    return file?.lines[step.line - file.first];
  }

  placeText(step) {
    return `${(this.data.files[step.file]?.name ?? "").split("/").pop()}:${step.line}`;
  }
}

// --------------------------------------------------------------------------------------------------- words

/** "lanes 0 to 7", "lanes 1, 3, 5 ... 31", "lane 3" */
function lanesText(lanes) {
  if (lanes.length === 1) return `lane ${lanes[0]}`;
  const apart = commonDifference(lanes);
  if (apart === 1) return `lanes ${lanes[0]}${lanes.length === 2 ? " and " : " to "}${last(lanes)}`;
  if (apart !== null && lanes.length > 3) return `lanes ${lanes.slice(0, 3).join(", ")} ... ${last(lanes)}`;
  const ranges = rangesOf(lanes).map(([first, end]) => first === end ? `${first}` : `${first} to ${end}`);
  return ranges.length <= 4 ? `lanes ${listed(ranges)}` : `${lanes.length} lanes`;
}

function rangesOf(lanes) {
  const ranges = [];
  for (const lane of lanes) {
    if (ranges.length > 0 && last(ranges)[1] === lane - 1) last(ranges)[1] = lane; else ranges.push([lane, lane]);
  }
  return ranges;
}

/** For cells: "3", "0-31", "8x". */
function lanesShort(lanes) {
  const ranges = rangesOf(lanes);
  if (ranges.length !== 1) return `${lanes.length}x`;
  return lanes.length === 1 ? `${lanes[0]}` : `${lanes[0]}-${last(lanes)}`;
}

/** "x[0] to x[31]", "h[2]", "x[0], x[8], x[16] ... x[248]"; the elements in the order of the lanes. */
function elementsText(recording, array, elements) {
  const name = index => recording.element(array, index);
  const distinct = [...new Set(elements)];
  if (distinct.length === 1) return name(distinct[0]);
  const inOrder = commonDifference(distinct) !== null;
  const ordered = inOrder ? distinct : distinct.sort((a, b) => a - b);
  const apart = commonDifference(ordered);
  if (apart === null)
    return `${distinct.length} elements between ${name(ordered[0])} and ${name(last(ordered))}`;
  const text = ordered.length === 2 ? `${name(ordered[0])} and ${name(ordered[1])}`
    : apart === 1 ? `${name(ordered[0])} to ${name(last(ordered))}`
    : apart === -1 ? `${name(ordered[0])} down to ${name(last(ordered))}`
    : `${ordered.slice(0, 3).map(name).join(", ")}${ordered.length > 3 ? ` ... ${name(last(ordered))}` : ""}`;
  return inOrder ? text : text + " in another order";
}

/** What a step does: a sentence, and the reason or the consequence. */
class Words {
  constructor(recording) { this.recording = recording; }

  of(step) {
    const who = step.lanes.length === 0 ? `Warp ${step.warp}` : capital(lanesText(step.lanes));
    const of = { line: this.line, load: this.access, store: this.access, atomic: this.atomic, barrier: this.barrier,
                 collective: this.collective, return: this.return }[step.kind];
    const [sentence, ...reasons] = of ? of.call(this, step, who) : [`${who} execute line ${step.line}.`];
    return { sentence, reason: [...reasons, ...this.missing(step)].filter(Boolean).join(" ") };
  }

  /** One lane loads, several lanes load. */
  verb(step, verb) { return step.lanes.length === 1 ? verb + (verb.endsWith("h") ? "es" : "s") : verb; }

  line(step, who) {
    const changed = Object.entries(step.set ?? {}).map(([name, written]) => {
      const values = step.lanes.map(lane => spread(written, step.active)[lane]);
      if (!values.some(known)) return "";
      if (new Set(values.map(String)).size === 1) return `${name} to ${valueText(values[0])}`;
      const apart = commonDifference(values);
      const some = values.length < 3 ? listed(values.map(valueText))
        : `${shortText(values[0], 6)}, ${shortText(values[1], 6)} ... ${shortText(last(values), 6)}`;
      return `${name} to ${some}${apart === null ? " (each lane to its own value)" : ""}`;
    }).filter(Boolean);
    const next = this.followingOfWarp(step);
    const parts = next && next.kind !== "return" && (next.active & ~step.active) === 0 && next.active !== step.active;
    return [
      changed.length > 0 ? `${who} ${this.verb(step, "set")} ${changed.join("; ")}.`
                         : `${who} ${this.verb(step, "reach")} line ${step.line}.`,
      parts && next.lanes.length > 0 && `The next step of this warp is for ${lanesText(next.lanes)} only.`,
    ];
  }

  access(step, who) {
    const array = this.recording.arrays[step.array];
    const byLane = this.recording.elementsOf(step).filter(elements => elements.length > 0);
    const elements = byLane.flat(), same = byLane.length > 1 && new Set(byLane.map(each => each[0])).size === 1;
    const each = byLane[0]?.length > 1 && !same ? `, ${byLane[0].length} elements each` : "";
    const all = same ? byLane.length === 2 ? "both " : "all " : "";
    const what = elementsText(this.recording, array, elements);
    const [cost, ...reasons] = { global: this.global, shared: this.shared, constant: this.constant }[array.memory]
      .call(this, step, array, same);
    if (step.size < array.bytes) reasons.push(`Each lane needs ${step.size} of the ${array.bytes} bytes of its element.`);
    if (same && step.kind === "store")
      reasons.push(`All of them store to ${what}: one of the values remains, and CUDA does not say which.`);
    return [`${who} ${all}${this.verb(step, step.kind)} ${what}${each}: ${cost}.`, ...reasons];
  }

  global(step, array, same) {
    const accesses = this.recording.accessesOf(step), sectors = sectorsOf(accesses);
    const bytes = new Set(accesses.flatMap(({ begin, bytes }) => Array.from({ length: bytes }, (_, i) => begin + i)));
    const parts = step.parts ?? sectors.length, moved = parts * SECTOR_BYTES, asked = bytes.size;
    const cost = several(parts, "sector");
    const least = Math.ceil(asked / SECTOR_BYTES), share = `${Math.round(100 * (1 - asked / moved))} %`;
    if (same && step.kind === "load")
      return [cost, "All lanes ask for the same element: the sector that it lies in serves them all."];
    if (parts === least && moved === asked)
      return [cost, `Global memory moves in sectors of 32 bytes. The lanes ask for ${grouped(asked)} bytes, and not one ` +
                    "more is moved."];
    if (accesses.length === 1)
      return [cost, `The lane asks for ${several(asked, "byte")}, and global memory moves whole sectors of 32 bytes.`];
    if (parts === least)
      return [cost, `The lanes ask for ${grouped(asked)} bytes, and global memory moves whole sectors of 32 bytes: ` +
                    `${grouped(moved)} bytes.`];
    const starts = Math.min(...bytes), together = Math.max(...bytes) - starts + 1 === asked;
    if (together)
      return [cost, `${grouped(asked)} bytes could lie in ${several(least, "sector")}, but the first element does not ` +
                    `lie at the beginning of a sector: the lanes touch ${parts}, and ${grouped(moved)} bytes move.`];
    return [cost, `The lanes ask for ${grouped(asked)} bytes, spread over ${parts} sectors. Global memory moves whole sectors ` +
                  `of 32 bytes: ${grouped(moved)} bytes, ${share} of them for nothing.`];
  }

  shared(step, array, same) {
    const accesses = this.recording.accessesOf(step), turns = wavefrontsOf(accesses, step.kind);
    const parts = step.parts ?? turns.length, cost = several(parts, "wavefront");
    const asked = new Set(accesses.map(({ begin }) => begin)).size * (step.size || array.bytes);
    const least = Math.max(1, Math.ceil(asked / (BANKS * BANK_BYTES)));
    if (parts > least) {
      const busiest = busiestBank(turns);
      return [`${cost}, a bank conflict`,
              `A bank serves one word in each wavefront. ${busiest.waiting} different words lie in bank ${busiest.bank}, ` +
              `so that the lanes take turns: ${parts} wavefronts instead of ${least}.`];
    }
    if (same) return [cost, "One word serves all the lanes that ask for it."];
    if (parts > 1)
      return [cost, `One wavefront serves up to 128 bytes. The lanes ask for ${grouped(asked)}: no bank conflict.`];
    return [cost, accesses.length === 1 ? "" : "Each word lies in a bank of its own: no bank conflict."];
  }

  constant(step, array, same) {
    const different = new Set(this.recording.accessesOf(step).map(({ begin }) => begin)).size;
    const parts = step.parts ?? different;
    return parts === 1
      ? ["1 address", same ? "Constant memory serves all lanes that ask for one address in one turn." : ""]
      : [`${parts} different addresses`, `Constant memory serves one address after the other: ${parts} turns.`];
  }

  atomic(step, who) {
    const array = this.recording.arrays[step.array];
    const lanesOf = this.recording.lanesOfElements(step);
    const busiest = [...lanesOf].reduce((most, each) => each[1].length > most[1].length ? each : most, [0, []]);
    return [
      `${who} ${this.verb(step, "call")} ${step.name ?? "an atomic function"} on ` +
      `${elementsText(this.recording, array, [...lanesOf.keys()])}.`,
      busiest[1].length > 1
        ? `${capital(lanesText(busiest[1]))} change ${this.recording.element(array, busiest[0])}. The function is atomic: ` +
          "one lane after the other changes the element, and no change is lost."
        : step.lanes.length > 1 ? "Each lane has an element of its own, so that none has to wait for another." : "",
    ];
  }

  barrier(step) {
    const { recording } = this, name = step.name ?? "the barrier", waiting = step.waiting ?? [];
    const lanes = (recording.existing(step.warp) & ~recording.returnedAt(step.warp, step.number)) >>> 0;
    const who = step.active === lanes ? `Warp ${step.warp}` : `${capital(lanesText(step.lanes))} of warp ${step.warp}`;
    const reaches = step.active === lanes ? "reaches" : this.verb(step, "reach");
    if (waiting.length > 0) {
      const others = Array.from({ length: recording.warps }, (_, warp) => warp)
        .filter(warp => !waiting.includes(warp) && !recording.hasEnded(warp, step.number));
      return [`${who} ${reaches} ${name} and waits${others.length > 0 ? ` for ${warpsText(others)}` : ""}.`,
              "This is a barrier: no thread goes on before all threads of the block have reached it."];
    }
    const filled = recording.arrays.filter((array, number) => array.memory === "shared" &&
      recording.steps.some(each => each.number < step.number && each.interval === step.interval &&
                                   each.array === number && each.kind === "store"));
    return [
      recording.warps === 1 ? `${who} ${reaches} ${name}, and the block goes on: it has no other warp.`
                            : `${who} is the last to reach ${name}: the whole block goes on.`,
      filled.length > 0 ? `From now on, every thread may read what the others have stored in ${
        listed(filled.map(array => array.name))}.`
                        : "All threads have finished what comes before the barrier.",
    ];
  }

  collective(step, who) {
    const name = step.name ?? "a function of the whole warp", from = step.from && spread(step.from, step.active);
    if (/syncwarp/.test(name))
      return [`${who} ${this.verb(step, "reach")} ${name}.`, "The lanes of the warp wait for each other here."];
    if (!from) {
      const results = step.values.filter(known);
      const same = results.length > 0 && new Set(results.map(String)).size === 1;
      return [`${who} ${this.verb(step, "call")} ${name}${same ? ` and get ${valueText(results[0])}` : ""}.`,
              /ballot/.test(name) ? "Bit i of the result says whether the condition holds in lane i." :
              /any|all/.test(name) ? "The lanes ask together whether a condition holds, and all get the same answer." :
              "Every lane gives a value; the lanes work out the result together."];
    }
    return [this.shuffle(step, who, from), this.keeping(step, from),
            "A shuffle moves values from lane to lane without memory and without a barrier."];
  }

  shuffle(step, who, from) {
    const pairs = step.lanes.filter(lane => known(from[lane])).map(lane => [lane, from[lane]]);
    const moving = pairs.filter(([lane, source]) => lane !== source);
    if (moving.length === 0) return `${who} ${this.verb(step, "call")} ${step.name}, and each lane keeps its own value.`;
    const [lane, source] = moving[0];
    const example = moving.length > 1 ? `: lane ${lane} from lane ${source}, lane ${moving[1][0]} from lane ${moving[1][1]}` +
                                        (moving.length > 2 ? ", and so on" : "") : "";
    if (pairs.every(each => each[1] === source)) return `${who} get the value of lane ${source}.`;
    if (moving.length > 1 && moving.every(([to, at]) => from[at] === to))
      return `${who} exchange values in pairs: lane ${lane} with lane ${source}${
        moving.length > 2 ? `, lane ${moving[1][0]} with lane ${moving[1][1]}, and so on` : ""}.`;
    if (moving.every(([to, at]) => at - to === source - lane))
      return `${capital(lanesText(moving.map(([to]) => to)))} get the value of the lane that is ` +
             `${Math.abs(source - lane)} ${source > lane ? "higher" : "lower"}${example}.`;
    return `${who} get a value from another lane${example}.`;
  }

  keeping(step, from) {
    const own = step.lanes.filter(lane => from[lane] === lane);
    if (own.length === 0 || own.length === step.lanes.length) return "";
    return `${capital(lanesText(own))} ${own.length === 1 ? "keeps its" : "keep their"} own value.`;
  }

  return(step, who) {
    const ended = this.recording.hasEnded(step.warp, step.number);
    const all = step.active === this.recording.existing(step.warp);
    return [`${who} ${this.verb(step, "return")}${ended ? `: warp ${step.warp} has ended` : ""}.`,
            !ended && !all && "The other lanes of the warp go on without them."];
  }

  /** Why some lanes take no part: the reasons that are new since the warp's step before. */
  missing(step) {
    const { recording } = this, existing = recording.existing(step.warp), before = this.precedingOfWarp(step);
    const returned = recording.returnedAt(step.warp, step.number - 1) & existing;
    const masked = lanesIn(existing & ~returned & ~step.active), gone = lanesIn(returned & ~step.active);
    const none = lanesIn(~existing);
    return [
      masked.length > 0 && step.kind !== "return" && `${capital(lanesText(masked))} ${masked.length === 1
        ? "is masked out: this step is not for it" : "are masked out: this step is not for them"}.`,
      gone.length > 0 && before?.kind === "return" &&
        `${capital(lanesText(gone))} ${gone.length === 1 ? "has" : "have"} returned.`,
      none.length > 0 && !before && `${capital(lanesText(none))} ${none.length === 1 ? "has" : "have"} no thread, because the ` +
        `block has ${several(recording.threads, "thread")}.`,
    ];
  }

  precedingOfWarp(step) { return this.nearestOfWarp(step, -1); }
  followingOfWarp(step) { return this.nearestOfWarp(step, 1); }

  nearestOfWarp(step, direction) {
    const { steps } = this.recording;
    for (let number = step.number + direction; steps[number]; number += direction)
      if (steps[number].warp === step.warp) return steps[number];
    return null;
  }
}

function warpsText(warps) {
  if (warps.length === 1) return `warp ${warps[0]}`;
  const ranges = rangesOf(warps).map(([first, end]) => first === end ? `${first}` : `${first} to ${end}`);
  return ranges.length <= 3 ? `warps ${listed(ranges)}` : `${warps.length} warps`;
}

// -------------------------------------------------------------------------------- what the memory has to do

/** The sectors of global memory that are touched, in the order of their addresses. */
function sectorsOf(accesses) {
  const sectors = new Set();
  for (const { begin, bytes } of accesses)
    for (let sector = Math.floor(begin / SECTOR_BYTES); sector * SECTOR_BYTES < begin + bytes; ++sector)
      sectors.add(sector);
  return [...sectors].sort((a, b) => a - b);
}

/** Do lanes that lie so far apart ask for the same? Then twice as many lanes are served at once. */
function inPairs(accesses, apart) {
  const begins = new Map(accesses.map(({ lane, begin }) => [lane, begin]));
  return accesses.every(({ lane, begin }) => (begins.get(lane ^ apart) ?? begin) === begin);
}

/**
 * The wavefronts of a request to shared memory: for each, a Map from the bank to the word that it serves, the lanes
 * that want it, and whether they had to wait. As the emulated device counts them: 32 lanes at a time for up to 4
 * bytes, 16 for 8 bytes, 8 for 16 bytes.
 */
function wavefrontsOf(accesses, kind) {
  const bytes = accesses[0]?.bytes ?? BANK_BYTES;
  let atOnce = bytes <= 4 ? 32 : bytes === 8 ? 16 : 8;
  if (kind === "load" && bytes > 4 && (inPairs(accesses, 1) || inPairs(accesses, 2))) atOnce *= 2;
  const wavefronts = [];
  for (let first = 0; first < 32; first += atOnce) {
    const lanesOfWord = new Map();
    for (const { lane, begin, bytes: size } of accesses) {
      if (lane < first || lane >= first + atOnce) continue;
      for (let word = Math.floor(begin / BANK_BYTES); word * BANK_BYTES < begin + size; ++word)
        lanesOfWord.set(word, [...lanesOfWord.get(word) ?? [], lane]);
    }
    const before = wavefronts.length, turns = Array(BANKS).fill(0);
    for (const word of [...lanesOfWord.keys()].sort((a, b) => a - b)) {
      const bank = word % BANKS, turn = turns[bank]++;
      if (before + turn === wavefronts.length) wavefronts.push(new Map());
      wavefronts[before + turn].set(bank, { word, lanes: lanesOfWord.get(word), waited: turn > 0 });
    }
  }
  return wavefronts;
}

/** The bank that has to serve the most different words. */
function busiestBank(wavefronts) {
  const words = Array.from({ length: BANKS }, (_, bank) => wavefronts.filter(each => each.has(bank)).length);
  const waiting = Math.max(...words);
  return { bank: words.indexOf(waiting), waiting };
}

// ------------------------------------------------------------------------------------------------ pictures

/** An element of the page. Text becomes text nodes only, whatever is in it. */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  setAll(element, properties);
  element.append(...children.filter(child => child !== null && child !== false));
  return element;
}

function setAll(element, properties) {
  for (const [name, value] of Object.entries(properties))
    if (value !== undefined && value !== "" && value !== false) element.setAttribute(name, value === true ? "" : value);
}

function makeSvg(name, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(element, properties);
  element.append(...children);
  return element;
}

const classes = (...names) => names.filter(Boolean).join(" ");
const sizeClass = text => text.length > 2 ? `long${Math.min(text.length, 5)}` : "";

class Pictures {
  constructor(recording) { this.recording = recording; }

  /** How many lanes, banks or elements stand side by side. */
  resize(columns) { this.columns = columns; }

  /** Of the lanes of a warp: numbers, variables, what they ask for and what they get. */
  lanes(step, following) {
    const { recording, columns } = this, width = columns === 8 ? 5 : 4;
    const rows = [...this.threadRows(step), ...this.variableRows(step), ...this.requestRows(step)];
    const cell = (row, lane) => {
      const value = row.values[lane], text = known(value) ? shortText(row.base ? value - row.base : value, width) : "";
      return make("td", { class: classes(row.color && known(value) && row.color, row.changed && has(step.active, lane) &&
                                         "changed", sizeClass(text), lane === following && "followed"),
                          title: known(value) && `${row.name} in lane ${lane}: ${valueText(value)}` }, text);
    };
    const table = make("table", { class: "lanes" });
    for (let first = 0; first < 32; first += columns) {
      const some = LANES.slice(first, first + columns);
      if (some[0] > 0 && !has(recording.existing(step.warp), some[0])) break;  // nobody there
      table.append(make("tbody", {},
        make("tr", { class: "numbers" }, make("th", { scope: "row" }, "lane"), ...some.map(lane =>
          make("th", { scope: "col", class: classes(this.laneClass(step, lane), lane === following && "followed"),
                       "data-lane": lane, title: this.laneState(step, lane) }, `${lane}`))),
        ...rows.map(row => make("tr", {}, make("th", { scope: "row", title: row.label, class: row.label.length > 10 && "long" },
                                                           row.label),
                                ...some.map(lane => cell(row, lane))))));
    }
    return table;
  }

  laneClass(step, lane) {
    if (!has(this.recording.existing(step.warp), lane)) return "gone";
    if (has(step.active, lane)) return "on";
    return has(this.recording.returnedAt(step.warp, step.number), lane) ? "gone" : "off";
  }

  laneState(step, lane) {
    if (!has(this.recording.existing(step.warp), lane)) return `lane ${lane}: no thread`;
    return `lane ${lane}: ${{ on: "active", off: "masked out", gone: "returned" }[this.laneClass(step, lane)]}`;
  }

  /** The index of each thread, on the axes that the block has. */
  threadIndices(step) {
    const { recording } = this, existing = lanesIn(recording.existing(step.warp));
    return ["x", "y", "z"].map((axis, i) => {
      const values = LANES.map(() => null);
      for (const lane of existing) values[lane] = recording.threadIndex(step.warp * 32 + lane)[i];
      return { name: `threadIdx.${axis}`, label: `threadIdx.${axis}`, values,
               isSame: existing.length > 1 && existing.every(lane => values[lane] === values[0]) };
    }).filter((_, i) => recording.data.block[i] > 1);
  }

  /** Those that are not the same in all lanes, and not the numbers of the lanes. */
  threadRows(step) {
    return this.threadIndices(step)
      .filter(({ isSame, values }) => !isSame && values.some((value, lane) => known(value) && value !== lane));
  }

  /** What needs no row: variables that never have different values in the lanes of a warp. */
  sameInAllLanes(step) {
    const { recording } = this;
    const indices = this.threadIndices(step).filter(({ isSame }) => isSame)
      .map(({ name, values }) => make("code", {}, `${name} = ${values[0]}`));
    const variables = [...recording.variables.keys()].filter(name => !recording.differing.has(name)).map(name => {
      const value = recording.valuesAt(name, step.warp, step.number).find(known);
      const changed = step.set && name in step.set;
      return known(value) && make("code", { class: changed && "changed" }, `${name} = ${valueText(value)}`);
    });
    return [...indices, ...variables].filter(Boolean);
  }

  variableRows(step) {
    const { recording } = this;
    return [...recording.variables.keys()].filter(name => recording.differing.has(name)).map(name => {
      const values = recording.valuesAt(name, step.warp, step.number), base = commonPart(values);
      return { name, values, base, label: base ? `${name} ${base}+…` : name, changed: step.set && name in step.set };
    });
  }

  /** There are always two of them where there is room, so that the page does not jump. */
  requestRows(step) {
    if (step.isRequest) {
      const array = this.recording.arrays[step.array], values = step.indices, base = commonPart(values);
      const did = { load: "gets", store: "stores", atomic: "with" }[step.kind];
      return [{ name: `index of ${array.name}`, values, base, color: this.recording.color(array),
                label: `${array.name}[${base ? `${base}+` : ""}…]` },
              { name: did, label: did, values: step.values }];
    }
    if (step.kind === "collective")
      return [{ name: "gives", label: "gives", values: spread(step.give, step.active) },
              { name: "gets", label: "gets", values: step.values }];
    return this.columns === 8 ? [] : [{ name: "", label: "", values: [] }, { name: "", label: "", values: [] }];
  }

  /** What the memory has to do for a request; null for other steps. */
  request(step, following) {
    if (step.kind === "collective" && step.from) return this.exchange(step, following);
    if (!step.isRequest) return null;
    const array = this.recording.arrays[step.array], accesses = this.recording.accessesOf(step);
    if (step.kind === "atomic" || array.memory === "constant") return this.words(step, array, following);
    const parts = array.memory === "shared" ? wavefrontsOf(accesses, step.kind) : sectorsOf(accesses);
    if (known(step.parts) && step.parts !== parts.length)
      return make("p", { class: "faint" },
        `There is no picture of this request: the recording counts ${step.parts}, and its addresses give ${parts.length}.`);
    return array.memory === "shared" ? this.banks(parts, following)
                                     : this.sectors(step, array, accesses, parts, following);
  }

  sectors(step, array, accesses, sectors, following) {
    const { recording } = this, color = recording.color(array), base = commonPart(step.indices);
    const lanesOf = this.recording.lanesOfElements(step);
    const descriptions = [], elementsAreLong = Math.max(...lanesOf.keys()) - base > 990;
    const boxes = sectors.map((sector, number) => {
      const begin = sector * SECTOR_BYTES, elements = make("div", { class: "elements" }), who = make("div", { class: "who" });
      const asked = accesses.filter(each => each.begin < begin + SECTOR_BYTES && each.begin + each.bytes > begin);
      const first = Math.floor((begin - array.address) / array.bytes);
      const slots = Math.ceil((begin + SECTOR_BYTES - array.address) / array.bytes) - first;
      for (let element = first; element < first + slots; ++element) {
        const at = array.address + element * array.bytes;
        const share = Math.min(at + array.bytes, begin + SECTOR_BYTES) - Math.max(at, begin);
        const lanes = (lanesOf.get(element) ?? []).filter(lane => asked.some(each => each.lane === lane));
        const stored = recording.stored[step.array].get(element)?.at(step.number - 1);
        const inside = element >= 0 && element < array.count, text = inside && array.bytes >= 4 ? `${element - base}` : "";
        elements.append(make("span", {
          style: `flex-grow:${share}`,
          class: classes(lanes.length > 0 && color, stored && classes(color === "output" && "before"),
                         lanes.length > 0 && step.kind === "store" && "stored", lanes.includes(following) && "followed",
                         sizeClass(text)),
          title: `${recording.element(array, element)}${lanes.length > 0 ? ` for ${lanesText(lanes)}` : ""}${
            stored ? `, stored before by thread ${stored.thread}${known(stored.value) ? `: ${valueText(stored.value)}` : ""}`
                   : ""}`,
        }, text));
        if (slots <= 8)
          who.append(make("span", { style: `flex-grow:${share}` }, lanes.length > 0 ? lanesShort(lanes) : ""));
      }
      if (slots > 8) who.append(make("span", {}, lanesText(asked.map(each => each.lane))));
      descriptions.push(`sector ${number + 1} for ${lanesText(asked.map(each => each.lane))}`);
      return make("div", { class: "sector", title: `bytes ${begin} to ${begin + SECTOR_BYTES - 1}` }, elements, who);
    });
    return [
      make("p", { class: "faint" }, base ? `Each box is a sector of 32 bytes. Its numbers are elements of ${array.name}, less ${
        grouped(base)}; below them are the lanes that ask for them.`
        : `Each box is a sector of 32 bytes. Its numbers are elements of ${array.name}; below them are the lanes that ask ` +
          "for them."),
      make("div", { class: classes("sectors", elementsAreLong && "roomy"), role: "img", "aria-label": capital(descriptions.join(", ")) }, ...boxes),
    ];
  }

  banks(wavefronts, following) {
    const table = make("table", { class: "banks" }), perRow = this.columns === 32 ? 32 : 16;
    for (let first = 0; first < BANKS; first += perRow) {
      const banks = Array.from({ length: perRow }, (_, i) => first + i);
      if (!wavefronts.some(wavefront => banks.some(bank => wavefront.has(bank)))) continue;
      table.append(make("tbody", {},
        make("tr", {}, make("th", { scope: "row" }, "bank"), ...banks.map(bank => make("th", { scope: "col" }, `${bank}`))),
        ...wavefronts.map((wavefront, turn) => make("tr", {}, make("th", { scope: "row" }, `turn ${turn + 1}`),
          ...banks.map(bank => {
            const served = wavefront.get(bank);
            if (!served) return make("td");
            const text = lanesShort(served.lanes);
            return make("td", { class: classes(served.waited ? "conflict" : "shared", sizeClass(text),
                                               served.lanes.includes(following) && "followed"),
                                title: `word ${served.word} for ${lanesText(served.lanes)}` }, text);
          })))));
    }
    return [make("p", { class: "faint" },
                 "Each row is a wavefront: one pass through the 32 banks. In the cells are the lanes that the bank serves."),
            table];
  }

  /** A box for each element, with the lanes that want it. */
  words(step, array, following) {
    const lanesOf = this.recording.lanesOfElements(step);
    return [
      make("p", { class: "faint" }, step.kind === "atomic" ? "The lanes that change an element, one after the other."
                                                           : "Each address takes a turn, and serves the lanes below it."),
      make("div", { class: "words" }, ...[...lanesOf].sort((a, b) => a[0] - b[0]).map(([element, lanes]) =>
        make("div", { class: classes("word", this.recording.color(array), lanes.includes(following) && "followed") },
             this.recording.element(array, element), make("small", {}, lanesText(lanes))))),
    ];
  }

  /** Arrows from lane to lane: downward, or to the right where there is little room. */
  exchange(step, following) {
    const across = this.columns === 32, from = spread(step.from, step.active);
    const size = across ? 26 : 21, long = across ? 96 : 150, label = across ? 64 : 18;
    const at = (lane, far) => across ? [label + lane * size, far ? long : 18] : [far ? long + 70 : 20, label + lane * size];
    const [width, height] = across ? [label + 32 * size, long + 40] : [long + 140, label + 32 * size];
    const boxWidth = across ? size : 70;
    const svg = makeSvg("svg", { class: "exchange", viewBox: `0 0 ${width} ${height}`, role: "img",
                                 "aria-label": "Arrows from the lanes that give to the lanes that get a value" });
    svg.append(makeSvg("defs", {}, makeSvg("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6,
                                                        markerHeight: 6, orient: "auto" },
                                           makeSvg("path", { d: "M0 0 8 4 0 8z" }))));
    const box = (lane, far, value, active) => {
      const [x, y] = at(lane, far), text = shortText(value, across ? 4 : 7);
      svg.append(makeSvg("rect", { class: classes("lane", active && "on", lane === following && "strong"), x, y,
                                   width: boxWidth, height: 20 }),
                 makeSvg("text", { x: x + boxWidth / 2, y: y + 14, style: across && text.length > 3 ? "font-size:9px" : "" },
                         text));
      const number = across ? [x + size / 2, far ? y + 32 : y - 5] : [far ? x + boxWidth + 10 : x - 10, y + 14];
      svg.append(makeSvg("text", { class: "label", x: number[0], y: number[1] }, `${lane}`));
    };
    const sources = new Set(from.filter(known)), gives = spread(step.give, step.active), gets = step.values;
    for (const lane of LANES) {
      box(lane, false, gives[lane], sources.has(lane));
      box(lane, true, gets[lane], has(step.active, lane));
    }
    for (const lane of step.lanes.filter(each => known(from[each]))) {
      const [x1, y1] = at(from[lane], false), [x2, y2] = at(lane, true);
      const way = across ? `M${x1 + size / 2} ${y1 + 20}L${x2 + size / 2} ${y2 - 1}`
                         : `M${x1 + boxWidth} ${y1 + 10}L${x2 - 1} ${y2 + 10}`;
      svg.append(makeSvg("path", { class: classes("way", from[lane] === lane && "own",
                                                  (lane === following || from[lane] === following) && "strong"),
                                   d: way, "marker-end": "url(#head)" }));
    }
    if (across)
      svg.append(makeSvg("text", { class: "label", x: 30, y: 32 }, "gives"), makeSvg("text", { class: "label", x: 30, y: long + 14 }, "gets"));
    else
      svg.append(makeSvg("text", { class: "label", x: 55, y: 12 }, "gives"), makeSvg("text", { class: "label", x: long + 105, y: 12 }, "gets"));
    return svg;
  }
}

/** An array in shared memory: which elements are filled, by whom, and what a step does with them. */
class Tile {
  constructor(recording, number) {
    this.recording = recording;
    this.number = number;
    this.array = recording.arrays[number];
    this.isMatrix = this.array.extents.length > 1;
    this.text = make("p", { class: "faint" });
    this.scroll = make("div", { class: "scroll", tabindex: 0, role: "region",
                                "aria-label": `Shared memory: ${this.array.name}` });
    const { type, name, extents } = this.array;
    const declaration = `${type ? type + " " : ""}${name}${extents.map(extent => `[${extent}]`).join("")}`;
    this.section = make("section", {}, make("h2", {}, "Shared memory: ", make("code", {}, declaration)), this.text,
                        this.scroll);
  }

  show(step, following, lanesInRow) {
    const { recording, array, isMatrix } = this, stored = recording.stored[this.number];
    const columns = isMatrix ? last(array.extents) : lanesInRow, rows = Math.ceil(array.count / columns);
    const [first, end] = this.rowsToShow(step, columns, rows);
    const shape = `${columns} ${first} ${end}`;
    if (this.shape !== shape) this.build(columns, first, end);
    this.shape = shape;
    const readers = this.readersOf(step), digits = lanesInRow === 8 && !isMatrix ? 5 : 4;
    for (const cell of this.cells) this.fill(cell, step, following, readers.get(cell.element), digits);
    const filled = [...stored.values()].filter(history => history.at(step.number)).length;
    this.text.textContent = `${grouped(filled)} of ${several(array.count, "element")} ${filled === 1 ? "is" : "are"} filled${
      end - first < rows ? `; rows ${first} to ${end - 1} of ${grouped(rows)} are shown` : ""}.`;
  }

  /** All rows, or those around what was accessed last. */
  rowsToShow(step, columns, rows) {
    const most = Math.max(4, Math.floor(1280 / columns));
    if (rows <= most) return [0, rows];
    const row = Math.floor((this.recording.touched[this.number].at(step.number)?.[0] ?? 0) / columns);
    const half = Math.floor(most / 2), first = Math.max(0, Math.min(Math.floor(row / half) * half, rows - most));
    return [first, first + most];
  }

  build(columns, first, end) {
    const { array, isMatrix, recording } = this, body = make("tbody");
    this.cells = [];
    for (let row = first; row < end; ++row) {
      const name = isMatrix ? recording.element(array, row * columns).slice(array.name.length, -"[0]".length)
                            : `[${row * columns}]`;
      const line = make("tr", {}, make("th", { scope: "row" }, name));
      for (let element = row * columns; element < Math.min((row + 1) * columns, array.count); ++element) {
        const value = document.createTextNode(""), who = make("small"), cell = make("td", {}, value, who);
        this.cells.push({ element, cell, value, who, looks: "" });
        line.append(cell);
      }
      body.append(line);
    }
    const numbers = Array.from({ length: columns }, (_, column) => make("th", { scope: "col" }, `${column}`));
    const head = make("thead", {}, make("tr", {}, make("th"), ...isMatrix ? numbers : numbers.map(() => make("th"))));
    this.scroll.replaceChildren(make("table", { class: "tile", style: isMatrix && `width:${columns * 26 + 44}px` }, head, body));
  }

  fill(at, step, following, readers, digits) {
    const stored = this.recording.stored[this.number].get(at.element)?.at(step.number);
    if (!stored && !readers && at.looks === "") return;
    const now = stored?.step === step.number, value = stored ? shortText(stored.value, digits) : "";
    const who = readers ? `▸${lanesShort(readers)}` : stored ? `t${stored.thread}` : "";
    const isFollowed = following !== null &&
      (readers?.includes(following) || now && stored.thread === step.warp * 32 + following);
    const css = classes(stored && "shared", now && "stored", readers && "loaded", isFollowed && "followed", sizeClass(value));
    const looks = `${css} ${value} ${who}`;
    if (at.looks === looks) return;
    at.looks = looks;
    at.cell.className = css;
    at.value.data = value;
    at.who.textContent = who;
    at.cell.title = `${this.recording.element(this.array, at.element)}: ${stored
      ? `${known(stored.value) ? valueText(stored.value) + ", " : ""}filled by thread ${stored.thread} in step ${stored.step + 1}`
      : "not filled yet"}${readers ? `; read now by ${lanesText(readers)}` : ""}`;
  }

  /** The lanes that read an element in this step. */
  readersOf(step) {
    if (step.array !== this.number || step.kind !== "load") return new Map();
    return this.recording.lanesOfElements(step);
  }
}

// ------------------------------------------------------------------------------------------------ the page

class Page {
  constructor(recording) {
    this.recording = recording;
    this.words = new Words(recording);
    this.pictures = new Pictures(recording);
    this.number = 0;          // of the step
    this.warp = null;         // whose steps are shown; null: those of the whole block
    this.following = null;    // lane
    this.timer = null;
    this.part = Object.fromEntries([...document.querySelectorAll("[id]")].map(element => [element.id, element]));
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
    const flat = data.grid.every((extent, i) => i === 0 || extent === 1);
    const axes = data.grid[2] > 1 ? 3 : 2, tuple = numbers => `(${numbers.slice(0, axes).join(", ")})`;
    const block = flat ? `Block ${data.traced[0]} of ${grouped(data.grid[0])}` : `Block ${tuple(data.traced)} of ${
      tuple(data.grid)}`;
    part.title.textContent = document.title = data.title || data.kernel;
    part.facts.textContent = [data.title && data.kernel, block,
                              `${several(threads, "thread")} in ${several(warps, "warp")}`, several(steps.length, "step")]
      .filter(Boolean).join(" · ");
    if (!data.cut) return;
    part.cut.textContent = `The block did more than this page holds. The recording ends after step ${grouped(steps.length)}.`;
    part.cut.hidden = false;
  }

  choices() {
    const { part, recording } = this;
    part.warp.add(new Option("the whole block", ""));
    for (let warp = 0; warp < recording.warps; ++warp) part.warp.add(new Option(`warp ${warp} only`, warp));
    part.follow.add(new Option("no lane", ""));
    for (const lane of LANES) part.follow.add(new Option(`lane ${lane}`, lane));
    part.choices.hidden = false;
  }

  panels() {
    const { part, recording } = this;
    this.warpButtons = Array.from({ length: recording.warps }, (_, warp) => {
      const state = make("small"), button = make("button", { type: "button" }, `warp ${warp}`, state);
      button.addEventListener("click", () => this.choose(this.warp === warp ? null : warp));
      return { button, state };
    });
    part.warps.append(...this.warpButtons.map(({ button }) => button));
    part.block.hidden = recording.warps === 1;
    this.tiles = recording.arrays.map((array, number) => array.memory === "shared" && new Tile(recording, number))
      .filter(Boolean);
    part.tiles.append(...this.tiles.map(tile => tile.section));
  }

  // What changes.

  /** The numbers of the steps that are shown. */
  get visible() {
    if (this.visibleOf !== this.warp || !this.visibleSteps) {
      this.visibleOf = this.warp;
      this.visibleSteps = this.recording.steps.filter(step => this.warp === null || step.warp === this.warp)
        .map(step => step.number);
    }
    return this.visibleSteps;
  }

  /** Where the step is among those that are shown: itself, or the last one before it. */
  get position() {
    const after = this.visible.findIndex(number => number > this.number);
    return Math.max(0, (after < 0 ? this.visible.length : after) - 1);
  }

  show() {
    const { part, recording, visible } = this;
    const position = this.position, step = recording.steps[this.number = visible[position]];
    const { sentence, reason } = this.words.of(step);
    part.where.textContent = [`Step ${grouped(step.number + 1)} of ${grouped(recording.steps.length)}`, `warp ${step.warp}`,
                              recording.placeText(step)].join(" · ");
    part.code.textContent = (recording.lineOf(step) ?? "").trim();
    part.sentence.textContent = sentence;
    part.reason.textContent = reason;

    part.slider.max = visible.length - 1;
    part.slider.value = position;
    part.slider.setAttribute("aria-valuetext", `step ${step.number + 1} of ${recording.steps.length}`);
    for (const name of ["first", "back"]) part[name].setAttribute("aria-disabled", position === 0);
    for (const name of ["next", "last"]) part[name].setAttribute("aria-disabled", position === visible.length - 1);

    this.showSource(step);
    this.showWarps(step);
    this.showLanes(step);
    const request = this.pictures.request(step, this.following);
    part.request_title.textContent = step.kind === "collective" ? "From lane to lane"
      : step.isRequest ? { global: "Global", shared: "Shared", constant: "Constant" }[
        recording.arrays[step.array].memory] + " memory: " + recording.arrays[step.array].name : "Memory";
    part.picture.replaceChildren(...[request ?? make("p", { class: "faint" }, "This step makes no memory request.")].flat());
    for (const tile of this.tiles) tile.show(step, this.following, this.pictures.columns);
    this.keepAddress();
  }

  showSource(step) {
    const { source } = this.part, file = this.recording.data.files[step.file];
    if (this.sourceOf !== step.file) {
      this.sourceOf = step.file;
      this.lines = (file?.lines ?? []).map((text, i) => {
        const comment = text.search(/(^|[^:])\/\//), end = comment < 0 ? text.length : comment;
        return make("li", {}, make("b", {}, `${file.first + i}`), make("span", {}, text.slice(0, end),
          make("span", { class: "comment" }, text.slice(end))), make("span", { class: "here" }));
      });
      source.replaceChildren(...this.lines);
      this.part.source_title.textContent = file ? file.name.split("/").pop() : "Source";
    }
    this.lines.forEach(line => {
      line.removeAttribute("class");
      line.removeAttribute("aria-current");
      line.lastChild.textContent = "";
    });
    for (const [at, warps] of this.warpsByLine(step))
      if (this.recording.warps > 1 && this.lines[at - file?.first])
        this.lines[at - file.first].lastChild.textContent = warpsText(warps);
    const lit = this.lines[step.line - file?.first];
    if (!lit) return;
    lit.className = "lit";
    lit.setAttribute("aria-current", "step");
    const above = lit.offsetTop - source.scrollTop, room = source.clientHeight - lit.offsetHeight;
    if (above < room * .15 || above > room * .85) source.scrollTop = lit.offsetTop - room / 2;
  }

  /** Where the warps are that have begun and not ended, within this file. */
  warpsByLine(step) {
    const { recording } = this, warpsOf = new Map();
    for (let warp = 0; warp < recording.warps; ++warp) {
      const at = recording.place[warp].at(step.number);
      if (at?.file === step.file && !recording.hasEnded(warp, step.number))
        warpsOf.set(at.line, [...warpsOf.get(at.line) ?? [], warp]);
    }
    return warpsOf;
  }

  showWarps(step) {
    const { recording, part } = this, waiting = recording.waiting.at(step.number) ?? [];
    this.warpButtons.forEach(({ button, state }, warp) => {
      const at = recording.place[warp].at(step.number), ended = recording.hasEnded(warp, step.number);
      const waits = waiting.includes(warp);
      state.textContent = ended ? "ended" : waits ? "waits" : at ? `line ${at.line}` : "not begun";
      button.className = classes(warp === step.warp && "current", waits && "waits", ended && "ended");
      button.setAttribute("aria-pressed", this.warp === warp);
    });
    part.block_note.textContent = waiting.length > 0
      ? `${waiting.length} of ${several(recording.warps, "warp")} ${waiting.length === 1 ? "waits" : "wait"} at the barrier.`
      : "Press a warp to see only its steps.";
  }

  showLanes(step) {
    const { part, pictures, recording, following } = this;
    part.lanes_title.textContent = `Lanes of warp ${step.warp}`;
    const same = pictures.sameInAllLanes(step);
    part.same.hidden = same.length === 0 && recording.differing.size === recording.variables.size;
    part.same.replaceChildren(...same.length > 0 ? ["Same in all lanes: ", ...same] : ["Same in all lanes: nothing yet"]);
    part.lanes.replaceChildren(pictures.lanes(step, following));
    part.followed.hidden = following === null;
    if (following === null) return;
    const thread = step.warp * 32 + following;
    const values = [...recording.variables.keys()].map(name => [name, recording.valuesAt(name, step.warp, step.number)[following]])
      .filter(([, value]) => known(value)).map(([name, value]) => `${name} = ${valueText(value)}`);
    const asked = step.isRequest && known(step.indices[following])
      ? `${recording.element(recording.arrays[step.array], step.indices[following])} = ${valueText(step.values[following])}` : "";
    part.followed.textContent = `${pictures.laneState(step, following)}${thread < recording.threads
      ? `, thread (${recording.threadIndex(thread).join(", ")})` : ""}. ${[...values, asked].filter(Boolean).join(", ")}`;
  }

  // Where to go.

  go(position) {
    this.number = this.visible[Math.max(0, Math.min(position, this.visible.length - 1))];
    this.show();
  }

  /** To the nearest step in this direction that is wanted; stays where there is none. */
  jump(direction, isWanted) {
    const { recording, visible } = this, here = recording.steps[this.number];
    for (let at = this.position + direction; at >= 0 && at < visible.length; at += direction)
      if (isWanted(recording.steps[visible[at]], here)) return this.go(at);
    return undefined;
  }

  nextLine(direction) {
    this.jump(direction, (step, here) => step.line !== here.line || step.file !== here.file || step.warp !== here.warp);
  }
  nextRequest(direction) { this.jump(direction, step => step.isRequest); }
  nextBarrier(direction) { this.jump(direction, step => step.kind === "barrier"); }

  choose(warp) {
    if (warp !== null && !this.recording.steps.some(step => step.warp === warp)) return;
    this.warp = warp;
    this.part.warp.value = warp ?? "";
    this.draw();
    this.show();
  }

  follow(lane) {
    this.following = lane;
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
        if (this.position === this.visible.length - 1) this.play(false); else this.go(this.position + 1);
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
    this.following = number("lane", 32);
    this.part.follow.value = this.following ?? "";
    this.choose(number("warp", this.recording.warps));
  }

  /** Not at once: browsers refuse too many changes. */
  keepAddress() {
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => {
      const parts = [`step=${this.number + 1}`];
      if (this.warp !== null) parts.push(`warp=${this.warp}`);
      if (this.following !== null) parts.push(`lane=${this.following}`);
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
    onClick("next_line", () => this.nextLine(1));
    onClick("next_request", () => this.nextRequest(1));
    onClick("next_barrier", () => this.nextBarrier(1));
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
      if (lane !== undefined) this.follow(this.following === Number(lane) ? null : Number(lane));
    });
    part.choices.addEventListener("submit", event => event.preventDefault());
    document.addEventListener("keydown", event => this.key(event));
    window.addEventListener("hashchange", () => this.goToAddress());
    new ResizeObserver(() => this.fit() && this.show()).observe(part.lanes);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    window.addEventListener("resize", () => this.draw());
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const within = event.target.closest?.("select, input, button, summary, .scroll, #source");
    const isLetter = /^[a-z]$/i.test(event.key);
    if (within?.matches("select")) return;
    if (within && !isLetter && !(within.matches("button, summary") && event.key !== " " && event.key !== "Enter")) return;
    const direction = event.shiftKey ? -1 : 1;
    const action = {
      ArrowRight: () => this.go(this.position + 1),
      ArrowLeft: () => this.go(this.position - 1),
      Home: () => this.go(0),
      End: () => this.go(this.visible.length - 1),
      l: () => this.nextLine(direction),
      m: () => this.nextRequest(direction),
      b: () => this.nextBarrier(direction),
      w: () => this.nextWarp(direction),
    }[isLetter ? event.key.toLowerCase() : event.key];
    if (action) {
      this.play(false);
      action();
    } else if (event.key === " ") {
      this.play(!this.playing);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** From the whole block to warp 0, on to the last warp, and back to the whole block. */
  nextWarp(direction) {
    const count = this.recording.warps + 1, at = (this.warp ?? -1) + 1;
    const next = (at + direction + count) % count;
    this.choose(next === 0 ? null : next - 1);
  }

  // Sizes.

  /** How many lanes fit side by side; whether that has changed. */
  fit() {
    const width = this.part.lanes.clientWidth, columns = width >= 740 ? 32 : width >= 470 ? 16 : 8;
    if (columns === this.pictures.columns) return false;
    this.pictures.resize(columns);
    return true;
  }

  /** Above the slider: where barriers are, and requests, each in the color of its memory. */
  draw() {
    const { overview } = this.part, style = getComputedStyle(document.documentElement);
    const width = Math.max(1, overview.clientWidth - 16), context = overview.getContext("2d");
    overview.width = width;
    const { steps, arrays } = this.recording, count = Math.max(1, this.visible.length - 1);
    const mark = (wanted, color, top, height, thick) => {
      context.fillStyle = style.getPropertyValue(color);
      this.visible.forEach((number, position) => {
        if (wanted(steps[number])) context.fillRect(position / count * width - thick / 2, top, thick, height);
      });
    };
    for (const color of ["input", "output", "constant", "shared"])
      mark(step => step.isRequest && this.recording.color(arrays[step.array]) === color, `--${color}-line`, 3, 5,
           Math.min(6, Math.max(1, width / count * .7)));
    mark(step => step.kind === "barrier", "--ink", 0, 8, 2);
  }
}

// --------------------------------------------------------------------------------------------------- begin

function begin() {
  const data = JSON.parse(document.getElementById("data").textContent);
  if (data.format !== 1) throw new Error(`the page reads format 1, and the recording has format ${data.format}`);
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
})();
