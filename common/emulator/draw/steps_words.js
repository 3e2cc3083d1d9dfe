// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// What a step does, in sentences for a reader who knows C++ and not CUDA.

// ------------------------------------------------------------------------------------------------- phrases

const several = (count, thing) => `${grouped(count)} ${count === 1 ? thing : thing + "s"}`;
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

function listed(texts) {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${last(texts)}`;
}

/** Pairs of the first and the last number of what is consecutive. */
function rangesOf(numbers) {
  const ranges = [];
  for (const number of numbers)
    if (ranges.length > 0 && last(ranges)[1] === number - 1) {
      last(ranges)[1] = number;
    } else {
      ranges.push([number, number]);
    }
  return ranges;
}

const rangeTexts = numbers =>
  rangesOf(numbers).map(([first, end]) => first === end ? `${first}` : `${first} to ${end}`);

/** "lanes 0 to 7", "lanes 1, 3, 5 ... 31", "lane 3" */
function lanesText(lanes) {
  if (lanes.length === 1) return `lane ${lanes[0]}`;
  const apart = commonDifference(lanes);
  if (apart === 1 && lanes.length === 2) return `lanes ${lanes[0]} and ${lanes[1]}`;
  if (apart > 1 && lanes.length > 3) return `lanes ${lanes.slice(0, 3).join(", ")} ... ${last(lanes)}`;
  const ranges = rangeTexts(lanes);
  return ranges.length <= 4 ? `lanes ${listed(ranges)}` : `${lanes.length} lanes`;
}

/** For cells: "3", "0-31", "8x". */
function lanesShort(lanes) {
  if (lanes.length === 1) return `${lanes[0]}`;
  return rangesOf(lanes).length === 1 ? `${lanes[0]}-${last(lanes)}` : `${lanes.length}x`;
}

function warpsText(warps) {
  if (warps.length === 1) return `warp ${warps[0]}`;
  const ranges = rangeTexts(warps);
  return ranges.length <= 3 ? `warps ${listed(ranges)}` : `${warps.length} warps`;
}

/** "x[0] to x[31]", "h[2]", "x[0], x[8], x[16] ... x[248]"; the elements in the order of the lanes. */
function elementsText(recording, array, elements) {
  const name = index => recording.element(array, index), distinct = [...new Set(elements)];
  if (distinct.length === 1) return name(distinct[0]);
  const inOrder = commonDifference(distinct) !== null;
  if (!inOrder) distinct.sort((a, b) => a - b);
  const names = [name(distinct[0]), name(last(distinct))], apart = commonDifference(distinct);
  if (apart === null) return `${distinct.length} elements between ${listed(names)}`;
  if (apart === 1 || apart === -1)
    return names.join(distinct.length === 2 ? " and " : apart === 1 ? " to " : " down to ") +
           (inOrder ? "" : ", in another order");
  return distinct.length <= 3 ? listed(distinct.map(name))
                              : `${distinct.slice(0, 3).map(name).join(", ")} ... ${names[1]}`;
}

/** One lane loads, several lanes load. */
function verb(lanes, word) {
  return lanes.length === 1 ? word + (word.endsWith("h") ? "es" : "s") : word;
}

// ----------------------------------------------------------------------------------------------- sentences

class Words {
  constructor(recording) {
    this.recording = recording;
  }

  /** What the step does, and the reason for what it costs, or its consequence. */
  of(step) {
    const who = step.lanes.length === 0 ? `Warp ${step.warp}` : capital(lanesText(step.lanes));
    const [sentence, ...reasons] = this[this.isKnown(step) ? step.kind : "line"](step, who);
    return { sentence, reason: [...reasons, ...this.missing(step)].filter(Boolean).join(" ") };
  }

  isKnown(step) {
    return ["load", "store", "atomic", "barrier", "collective", "return"].includes(step.kind);
  }

  line(step, who) {
    const isFirst = !this.nearestOfWarp(step, -1), { lanes } = step;
    const changes = Object.keys(step.set ?? {}).map(name => this.change(step, name)).filter(Boolean);
    const list = word => changes.map(({ name, values }) => `${name} ${word} ${values}`);
    const own = changes.filter(({ isOwn }) => isOwn).map(({ name }) => name);
    const together = isFirst && lanes.length > 1;
    return [
      isFirst ? `Warp ${step.warp} begins the kernel${changes.length > 0 ? `: ${listed(list("is"))}` : ""}.`
        : changes.length > 0 ? `${who} ${verb(lanes, "set")} ${list("to").join("; ")}.`
        : `${who} ${verb(lanes, "reach")} line ${step.line}.`,
      together && `Its ${lanes.length} lanes are threads that execute each line together.`,
      own.length > 0 && lanes.length > 1 && `Each lane has its own ${listed(own)}.`,
      this.parting(step, changes.length === 0 && !isFirst),
    ];
  }

  /** What the lanes set a variable to, and whether these are its first values and differ; null: not known. */
  change(step, name) {
    const all = spread(step.set[name], step.active), values = step.lanes.map(lane => all[lane]);
    if (!values.some(known)) return null;
    if (areEqual(values)) return { name, values: valueText(values[0]) };
    const room = value => typeof value === "number" ? 6 : 20;
    const texts = values.map(value => known(value) ? shortText(value, room(value)) : "?");
    const isOwn = !this.recording.valuesAt(name, step.warp, step.number - 1).some(known);
    const some = texts.length <= 4 ? listed(texts) : `${texts[0]}, ${texts[1]} ... ${last(texts)}`;
    return { name, values: some, isOwn };
  }

  /** Do only some of these lanes do what comes next? */
  parting(step, isQuiet) {
    const next = this.nearestOfWarp(step, 1);
    if (!next || next.lanes.length === 0 || (next.active & ~step.active) !== 0) return "";
    if (next.active === step.active) return isQuiet && step.lanes.length > 1 && "They go on together.";
    const lanes = lanesText(next.lanes);
    return next.kind === "return" ? `Here the lanes part: ${lanes} will return.`
      : `Here the lanes part: the next step of this warp is for ${lanes} only.`;
  }

  // Requests: "Lanes 0 to 31 load x[0] to x[31]: 4 sectors."

  load(step, who) { return this.access(step, who); }
  store(step, who) { return this.access(step, who); }

  access(step, who) {
    const { recording } = this, array = recording.arrays[step.array];
    const byLane = recording.elementsOf(step).filter(elements => elements.length > 0);
    const isSame = byLane.length > 1 && areEqual(byLane.map(elements => elements[0]));
    const count = byLane[0]?.length ?? 1, what = elementsText(recording, array, byLane.flat());
    const [cost, ...reasons] = this[`${array.memory}Cost`](step, array, isSame);
    const example = this.examples(step, array, byLane);
    if (example) reasons.unshift(example);
    if (step.size < array.bytes)
      reasons.push(`Each lane needs ${step.size} of the ${array.bytes} bytes of its element.`);
    if (!isSame && step.kind === "load" && new Set(byLane.map(elements => elements[0])).size < byLane.length)
      reasons.push("Some lanes ask for the same element.");
    if (isSame && step.kind === "store")
      reasons.push(`All of them store to ${what}: one of the values remains, and CUDA does not say which.`);
    return [
      who + (isSame ? byLane.length === 2 ? " both " : " all " : " ") +
        verb(step.lanes, array.memory === "texture" ? "fetch" : step.kind) + ` ${what}` +
        (count > 1 && !isSame ? `, ${count} elements each` : "") + (cost ? `: ${cost}.` : "."),
      ...reasons,
    ];
  }

  /** Which lane has which element, where they are in no simple order. */
  examples(step, array, byLane) {
    const first = byLane.map(elements => elements[0]), distinct = [...new Set(first)];
    const isSimple = known(commonDifference(distinct)) || distinct.length < 3;
    if (isSimple) return "";
    const texts = step.lanes.slice(0, 3).map((lane, i) =>
      `lane ${lane} ${i === 0 ? step.kind + "s " : ""}${this.recording.element(array, first[i])}`);
    return `${capital(texts.join(", "))}${byLane.length > 3 ? ", and so on" : ""}.`;
  }

  globalCost(step, array, isSame) {
    const accesses = this.recording.accessesOf(step), bytes = bytesOf(accesses), asked = bytes.size;
    const sectors = step.parts ?? sectorsOf(accesses).length, moved = sectors * SECTOR_BYTES;
    const least = Math.ceil(asked / SECTOR_BYTES), cost = several(sectors, "sector");
    if (isSame && step.kind === "load" && sectors === 1)
      return [cost, "All lanes ask for the same element. Its sector moves once and serves them all."];
    const who = accesses.length === 1 ? "The lane" : "The lanes";
    const does = step.kind === "store" ? verb(accesses, "store") : `${verb(accesses, "ask")} for`;
    const rule = `Global memory moves whole sectors of 32 bytes. ${who} ${does} ${several(asked, "byte")}`;
    if (moved === asked) return [cost, `${rule}, and no other byte moves.`];
    if (sectors === least) return [cost, `${rule}, and ${grouped(moved)} move.`];
    if (Math.max(...bytes) - Math.min(...bytes) + 1 === asked)
      return [cost, `${rule}. They would fit into ${several(least, "sector")}, but they begin in the ` +
                    `middle of one: ${grouped(moved)} bytes move.`];
    return [cost, `${rule}, which lie in ${sectors} sectors: ${grouped(moved)} bytes move, and ` +
                  `${Math.round(100 * (1 - asked / moved))} % of them are not needed.`];
  }

  sharedCost(step, array) {
    const accesses = this.recording.accessesOf(step), turns = wavefrontsOf(accesses, step.kind);
    const wavefronts = step.parts ?? turns.length, cost = several(wavefronts, "wavefront");
    const words = new Set(accesses.map(({ begin }) => begin)).size, bytes = step.size || array.bytes;
    if (turns.some(turn => [...turn.values()].some(({ waited }) => waited))) {
      const busiest = busiestBank(turns), least = Math.ceil(words * bytes / (BANKS * BANK_BYTES));
      return [`${cost}, a bank conflict`,
              `A bank serves one word in each wavefront. ${busiest.words} of the words that the lanes ` +
              `need lie in bank ${busiest.bank}, so that the lanes take turns: ${cost} instead of ${least}.`];
    }
    if (accesses.length === 1)
      return [cost, "A wavefront is one pass through the 32 banks of shared memory."];
    if (words === 1)
      return [cost, "All lanes ask for the same word, and its bank serves them all at once."];
    if (wavefronts > 1)
      return [cost, `Accesses of ${bytes} bytes are served ${lanesAtOnce(bytes)} lanes at a time. ` +
                    "There is no bank conflict."];
    return [cost, "The words lie in different banks, so that one pass through the 32 banks serves all " +
                  "lanes: no bank conflict."];
  }

  constantCost(step, array, isSame) {
    const addresses = step.parts ?? new Set(this.recording.accessesOf(step).map(({ begin }) => begin)).size;
    if (addresses > 1)
      return [`${addresses} different addresses`,
              `Constant memory serves one address after the other: ${addresses} turns.`];
    return ["1 address", isSame && "Constant memory serves all lanes that ask for one address in one turn."];
  }

  textureCost() {
    return ["", "A texture is read through a cache of its own, with rules for what lies outside of it."];
  }

  atomic(step, who) {
    const array = this.recording.arrays[step.array], lanesOf = this.recording.lanesOfElements(step);
    const elements = [...lanesOf.keys()], count = element => lanesOf.get(element).length;
    const busiest = elements.reduce((a, b) => count(b) > count(a) ? b : a, elements[0]);
    const lanes = lanesOf.get(busiest) ?? [];
    return [
      `${who} ${verb(step.lanes, "call")} ${step.name ?? "an atomic function"} on ` +
        `${elementsText(this.recording, array, elements)}.`,
      lanes.length > 1
        ? `${capital(lanesText(lanes))} change the same element, ` +
          `${this.recording.element(array, busiest)}. ` +
          "The function is atomic: one lane after the other changes it, and no change is lost."
        : step.lanes.length > 1 && "Each lane changes another element, so that none has to wait.",
    ];
  }

  // Where threads meet.

  barrier(step) {
    const { recording } = this, name = step.name ?? "the barrier", waiting = step.waiting ?? [];
    const isWhole = step.active === recording.present(step.warp, step.number);
    const who = isWhole ? `Warp ${step.warp}` : `${capital(lanesText(step.lanes))} of warp ${step.warp}`;
    const reaches = `${isWhole ? "reaches" : verb(step.lanes, "reach")} ${name}`;
    const filled = listed(recording.arrays.filter((array, number) => array.memory === "shared" &&
      recording.isStoredIn(number, step.interval, step.number)).map(array => array.name));
    if (waiting.length > 0) {
      const others = recording.warpNumbers
        .filter(warp => !waiting.includes(warp) && !recording.hasEnded(warp, step.number));
      return [`${who} ${reaches} and waits${others.length > 0 ? ` for ${warpsText(others)}` : ""}.`,
              "This is a barrier: no thread goes on before all threads of the block have reached it.",
              filled && `Only then may a thread read what the others have stored in ${filled}.`];
    }
    return [recording.warps === 1 ? `${who} ${reaches}, and the block goes on: it has no other warp.`
                                  : `${who} is the last to reach ${name}: the whole block goes on.`,
            filled ? `From now on, every thread may read what the others have stored in ${filled}.`
                   : "All threads have finished what comes before the barrier."];
  }

  collective(step, who) {
    const name = step.name ?? "a function of the whole warp";
    if (/syncwarp/.test(name))
      return [`${who} ${verb(step.lanes, "reach")} ${name}.`,
              "The lanes of the warp wait for each other here."];
    if (step.from)
      return [this.shuffle(step, who), this.keeping(step),
              "A shuffle moves values from lane to lane, without memory."];
    const results = step.values.filter(known), [first] = results;
    const isMask = /ballot|mask|match/.test(name) && Number.isInteger(first);
    const result = isMask ? `0x${first.toString(16)}` : valueText(first);
    return [
      `${who} ${verb(step.lanes, "call")} ${name}` +
        (results.length > 0 && areEqual(results) ? ` and ${verb(step.lanes, "get")} ${result}.` : "."),
      /ballot/.test(name) ? "Bit i of the result says whether the condition holds in lane i."
        : /any|all/.test(name) ? "The lanes ask together whether a condition holds, and get the same answer."
        : "Every lane gives a value; the lanes work out the result together.",
    ];
  }

  shuffle(step, who) {
    const ways = step.lanes.map(lane => [lane, step.sources[lane]]).filter(([, from]) => known(from));
    const moving = ways.filter(([to, from]) => to !== from);
    if (moving.length === 0)
      return `${who} ${verb(step.lanes, "call")} ${step.name}, and each lane keeps its own value.`;
    const [lane, source] = moving[0];
    if (ways.every(([, from]) => from === source))
      return `${who} ${verb(step.lanes, "get")} the value of lane ${source}.`;
    const examples = (some, word) => some.slice(0, 2).map(([to, from]) => `lane ${to} ${word} lane ${from}`)
      .join(some.length === 2 ? " and " : ", ") + (some.length > 2 ? ", and so on" : "");
    const pairs = moving.filter(([to, from]) => to < from);
    if (moving.every(([to, from]) => step.sources[from] === to))
      return `${who} exchange values in pairs: ${examples(pairs, "with")}.`;
    const receivers = capital(lanesText(moving.map(([to]) => to))), gets = verb(moving, "get");
    if (moving.every(([to, from]) => from - to === source - lane))
      return `${receivers} ${gets} the value of the lane that is ${Math.abs(source - lane)} ` +
             `${source > lane ? "higher" : "lower"}: ${examples(moving, "from")}.`;
    return `${receivers} ${gets} a value from another lane: ${examples(moving, "from")}.`;
  }

  keeping(step) {
    const own = step.lanes.filter(lane => step.sources[lane] === lane);
    const isOneSource = areEqual(step.sources.filter(known));
    if (own.length === 0 || own.length === step.lanes.length || isOneSource) return "";
    return `${capital(lanesText(own))} ${own.length === 1 ? "keeps its" : "keep their"} own value.`;
  }

  return(step, who) {
    const hasEnded = this.recording.hasEnded(step.warp, step.number);
    return [`${who} ${verb(step.lanes, "return")}${hasEnded ? `: warp ${step.warp} has ended` : ""}.`,
            !hasEnded && "The other lanes of the warp go on without them."];
  }

  /** Why some lanes take no part: the reasons that are new since the warp's step before. */
  missing(step) {
    const { recording } = this, before = this.nearestOfWarp(step, -1);
    const existing = recording.existing(step.warp), present = recording.present(step.warp, step.number - 1);
    const masked = lanesIn(present & ~step.active), returned = lanesIn(existing & ~present);
    const none = lanesIn(~existing), threads = several(recording.threads, "thread");
    const say = (lanes, one, many) => `${capital(lanesText(lanes))} ${lanes.length === 1 ? one : many}`;
    return [
      masked.length > 0 && step.kind !== "return" &&
        say(masked, "is masked out: a condition leaves it", "are masked out: a condition leaves them") +
          " out of this step.",
      returned.length > 0 && before?.kind === "return" && say(returned, "has returned.", "have returned."),
      none.length > 0 && !before &&
        `${say(none, "has", "have")} no thread, because the block has ${threads}.`,
    ];
  }

  /** The step of the same warp that comes next, or came before (direction -1). */
  nearestOfWarp(step, direction) {
    const { steps } = this.recording;
    for (let number = step.number + direction; steps[number]; number += direction)
      if (steps[number].warp === step.warp) return steps[number];
    return null;
  }
}
