// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// The page on which a reader steps through what a block did. steps_format.md describes its data. Four scripts
// make it:
//   steps_recording.js   lanes and values; what holds at a step: variables, memory, the place of each warp
//   steps_words.js       what a step does, in sentences
//   steps_pictures.js    lanes, sectors, banks, shared memory, shuffles
//   steps_page.js        controls, keys, and the address of a step
"use strict";

const LANES = Array.from({ length: 32 }, (_, lane) => lane);
const SECTOR_BYTES = 32, BANKS = 32, BANK_BYTES = 4;

const has = (mask, lane) => (mask >>> lane & 1) === 1;
const lanesIn = mask => LANES.filter(lane => has(mask, lane));
const maskOf = lanes => lanes.reduce((mask, lane) => mask | 1 << lane, 0) >>> 0;
const last = list => list[list.length - 1];
const known = value => value !== null && value !== undefined;
const areEqual = values => new Set(values.map(String)).size === 1;

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

/** The whole value. */
function valueText(value) {
  if (!known(value)) return "not known";
  return Array.isArray(value) ? `(${value.map(valueText).join(", ")})` : String(value);
}

/** As much of the value as fits into so many characters. */
function shortText(value, width) {
  if (!known(value)) return "";
  const isList = Array.isArray(value);
  const whole = isList ? `(${value.map(each => shortText(each, 6) || "?").join(", ")})` : String(value);
  if (whole.length <= width) return whole;
  if (isList) return shortText(value[0], width - 1) + "…";
  if (typeof value !== "number") return whole.slice(0, width - 1) + "…";
  for (let digits = width; digits > 0 && !Number.isInteger(value); --digits) {
    const text = String(Number(value.toPrecision(digits)));
    if (text.length <= width) return text;
  }
  if (Math.abs(value) < 1e-9) return "~0";
  const powers = value.toExponential(0).replace("+", ""), digit = String(Number(value.toPrecision(1)));
  return digit.length <= powers.length ? digit : powers;
}

/** What texts begin with in common, as far as a bracket: "pixels[" of "pixels[3]" and "pixels[17]". */
function commonBeginning(texts) {
  const beginning = texts[0]?.slice(0, texts[0].indexOf("[") + 1) ?? "";
  const isCommon = texts.length > 1 && texts.every(text => text.startsWith(beginning) && text.endsWith("]"));
  return isCommon ? beginning : "";
}

/** What can be left out of whole numbers that are too long for cells: their least one, or 0. */
function commonPart(numbers) {
  const whole = numbers.filter(known);
  if (whole.length === 0 || !whole.every(Number.isInteger)) return 0;
  const least = Math.min(...whole), most = Math.max(...whole);
  return most < 10000 && least > -1000 || most - least >= 10000 ? 0 : least;
}

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
  get gifts() { return spread(this.give, this.active); }
  get sources() { return spread(this.from, this.active); }
  get isRequest() { return this.kind === "load" || this.kind === "store" || this.kind === "atomic"; }
}

class Recording {
  constructor(data) {
    this.data = data;
    this.steps = data.steps.map((written, number) => new Step(written, number));
    this.threads = data.block.reduce((product, extent) => product * extent, 1);
    this.warps = Math.ceil(this.threads / 32);
    this.warpNumbers = Array.from({ length: this.warps }, (_, warp) => warp);
    this.arrays = data.arrays.map((written, number) => ({
      ...written,
      name: written.name || `array_${number}`,
      address: written.address ?? 0,
      count: written.extents.reduce((product, extent) => product * extent, 1),
      isStored: false,
    }));

    const forEachWarp = () => this.warpNumbers.map(() => new History());
    this.variables = new Map((data.variables ?? []).map(name => [name, forEachWarp()]));
    this.differing = new Set();                           // variables whose lanes have different values
    this.stored = this.arrays.map(() => new Map());       // of an element: who stored what into it, and when
    this.touched = this.arrays.map(() => new History());  // the first element that was accessed last
    this.used = this.arrays.map(() => new Set());         // all elements that are ever accessed
    this.storing = this.arrays.map(() => new History());  // the interval of the last store to it
    this.place = forEachWarp();                           // the last step of the warp
    this.returned = forEachWarp();                        // mask
    this.waiting = new History();                         // warps at a barrier
    for (const step of this.steps) this.#note(step);
  }

  #note(step) {
    this.place[step.warp].note(step.number, step);
    if (step.kind === "return") {
      const before = this.returnedAt(step.warp, step.number);
      this.returned[step.warp].note(step.number, (before | step.active) >>> 0);
    }
    if (step.kind === "barrier") this.waiting.note(step.number, step.waiting ?? []);
    for (const [name, written] of Object.entries(step.set ?? {})) this.#noteVariable(step, name, written);
    if (step.isRequest) this.#noteRequest(step);
  }

  #noteVariable(step, name, written) {
    const history = this.variables.get(name)?.[step.warp];
    if (!history) return;
    const before = history.at(step.number)?.values, now = spread(written, step.active);
    const values = LANES.map(lane => has(step.active, lane) ? now[lane] : before?.[lane] ?? null);
    history.note(step.number, { step: step.number, values });
    const all = values.filter(known);
    if (all.length > 0 && !areEqual(all)) this.differing.add(name);
  }

  #noteRequest(step) {
    const lanesOf = this.lanesOfElements(step);
    if (lanesOf.size === 0) return;
    this.touched[step.array].note(step.number, Math.min(...lanesOf.keys()));
    for (const element of lanesOf.keys()) this.used[step.array].add(element);
    if (step.kind === "load") return;
    this.arrays[step.array].isStored = true;
    this.storing[step.array].note(step.number, step.interval);
    const values = step.values, histories = this.stored[step.array], indices = step.indices;
    for (const [element, lanes] of lanesOf) {
      if (!histories.has(element)) histories.set(element, new History());
      const lane = last(lanes), all = values[lane];
      const value = step.kind === "atomic" ? null : Array.isArray(all) ? all[element - indices[lane]] : all;
      histories.get(element).note(step.number, { step: step.number, thread: step.warp * 32 + lane, value });
    }
  }

  /** The elements that each lane accesses: none, one, or several with one wide access. */
  elementsOf(step) {
    const count = Math.max(1, Math.round(step.size / this.arrays[step.array].bytes) || 1);
    return step.indices.map(index => known(index) ? Array.from({ length: count }, (_, i) => index + i) : []);
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

  /** The class of the array's color. As in the pictures, global memory that the block stores to is output. */
  color(array) {
    return array.memory !== "global" ? array.memory : array.isStored ? "output" : "input";
  }

  /** Has the block stored to the array in this interval, before this step? */
  isStoredIn(array, interval, number) { return this.storing[array].at(number - 1) === interval; }

  /** The mask of the lanes that have a thread. */
  existing(warp) {
    return maskOf(LANES.filter(lane => warp * 32 + lane < this.threads));
  }

  isRecorded(warp) { return this.place[warp].at(Infinity) !== undefined; }

  returnedAt(warp, number) { return this.returned[warp].at(number) ?? 0; }

  /** The mask of the lanes that have a thread and have not returned. */
  present(warp, number) { return (this.existing(warp) & ~this.returnedAt(warp, number)) >>> 0; }

  hasEnded(warp, number) { return this.present(warp, number) === 0; }

  valuesAt(name, warp, number) { return this.variables.get(name)[warp].at(number)?.values ?? []; }

  /** The names of so many variables, in their order: those that the warp has set last. */
  latestVariables(names, count, warp, number) {
    const setAt = name => this.variables.get(name)[warp].at(number)?.step ?? -1;
    const latest = new Set([...names].sort((a, b) => setAt(b) - setAt(a)).slice(0, count));
    return names.filter(name => latest.has(name));
  }

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

/** The sectors of global memory that are touched, in the order of their addresses. */
function sectorsOf(accesses) {
  const sectors = new Set();
  for (const { begin, bytes } of accesses)
    for (let sector = Math.floor(begin / SECTOR_BYTES); sector * SECTOR_BYTES < begin + bytes; ++sector)
      sectors.add(sector);
  return [...sectors].sort((a, b) => a - b);
}

/** The addresses of all bytes that are requested. */
function bytesOf(accesses) {
  return new Set(accesses.flatMap(({ begin, bytes }) => Array.from({ length: bytes }, (_, i) => begin + i)));
}

/** Do lanes that lie so far apart ask for the same? Then twice as many lanes are served at once. */
function inPairs(accesses, apart) {
  const begins = new Map(accesses.map(({ lane, begin }) => [lane, begin]));
  return accesses.every(({ lane, begin }) => (begins.get(lane ^ apart) ?? begin) === begin);
}

/** So many lanes are served together, by the bytes of each access. */
const lanesAtOnce = bytes => bytes <= 4 ? 32 : bytes === 8 ? 16 : 8;

/**
 * The wavefronts of a request to shared memory, as the emulated device counts them: for each, a Map from the
 * bank to the word that it serves, the lanes that want it, and whether they had to wait.
 */
function wavefrontsOf(accesses, kind) {
  const bytes = accesses[0]?.bytes ?? BANK_BYTES;
  let atOnce = lanesAtOnce(bytes);
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
  const most = Math.max(...words);
  return { bank: words.indexOf(most), words: most };
}
