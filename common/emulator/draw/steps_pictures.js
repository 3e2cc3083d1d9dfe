// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Lanes, sectors, banks, shared memory and shuffles as a reader sees them.

// ------------------------------------------------------------------------------------ elements of the page

/** An element of the page. Text becomes text nodes only, whatever is in it. */
function make(name, properties = {}, ...children) {
  return finished(document.createElement(name), properties, children);
}

function makeSvg(name, properties = {}, ...children) {
  return finished(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);
}

/** Attributes and children that are false, empty or not known are left out. */
function finished(element, properties, children) {
  for (const [name, value] of Object.entries(properties))
    if (known(value) && value !== "" && value !== false) element.setAttribute(name, value);
  element.append(...children.filter(child => known(child) && child !== false));
  return element;
}

const classes = (...names) => names.filter(Boolean).join(" ");
/** Long texts are small. */
const sizeClass = text => text.length > 2 ? `long${Math.min(text.length, 5)}` : "";
const note = text => make("p", { class: "faint" }, text);

// -------------------------------------------------------------------------------------- pictures of a step

class Pictures {
  constructor(recording) {
    this.recording = recording;
    this.columns = 32;     // so many lanes, banks or elements stand side by side
    this.followed = null;  // the lane that the reader follows
    this.mostVariables = 8;
  }

  // The lanes of a warp: their numbers, their variables, what they ask for and what they get.

  lanes(step) {
    const rows = [...this.threadRows(step), ...this.variableRows(step), ...this.requestRows(step)];
    const table = make("table", { class: "lanes" });
    for (let first = 0; first < 32; first += this.columns) {
      const lanes = LANES.slice(first, first + this.columns);
      if (first > 0 && !has(this.recording.existing(step.warp), first)) break;  // nobody there
      const numbers = lanes.map(lane => make("th", {
        scope: "col", class: classes(this.laneState(step, lane), this.following([lane])),
        "data-lane": lane, title: this.laneText(step, lane),
      }, `${lane}`));
      const cells = row => lanes.map(lane => this.laneCell(step, row, lane));
      table.append(make("tbody", {},
        make("tr", { class: "numbers" }, make("th", { scope: "row" }, "lane"), ...numbers),
        ...rows.map(row => make("tr", {}, this.rowHead(row), ...cells(row)))));
    }
    return table;
  }

  rowHead({ label }) {
    return make("th", { scope: "row", title: label, class: label.length > 10 && "long" }, label);
  }

  laneCell(step, row, lane) {
    const value = row.values[lane];
    if (!known(value)) return make("td", { class: this.following([lane]) });
    const text = shortText(row.base ? value - row.base : value, this.columns === 8 ? 5 : 4);
    const isChanged = row.isChanged && has(step.active, lane);
    return make("td", {
      class: classes(row.color, isChanged && "changed", sizeClass(text), this.following([lane])),
      title: `${row.name} in lane ${lane}: ${valueText(value)}`,
    }, text);
  }

  laneState(step, lane) {
    if (has(step.active, lane)) return "on";
    return has(this.recording.present(step.warp, step.number), lane) ? "off" : "gone";
  }

  laneText(step, lane) {
    if (!has(this.recording.existing(step.warp), lane)) return `lane ${lane}: no thread`;
    const states = { on: "active", off: "masked out", gone: "returned" };
    return `lane ${lane}: ${states[this.laneState(step, lane)]}`;
  }

  following(lanes) { return lanes.includes(this.followed) && "followed"; }

  /** threadIdx, on the axes that the block has. */
  threadIndices(step) {
    const { recording } = this, existing = lanesIn(recording.existing(step.warp));
    return ["x", "y", "z"].map((axis, i) => {
      const values = LANES.map(() => null), name = `threadIdx.${axis}`;
      for (const lane of existing) values[lane] = recording.threadIndex(step.warp * 32 + lane)[i];
      return { name, label: name, values, isSame: existing.length > 1 && areEqual(values.filter(known)) };
    }).filter((_, i) => recording.data.block[i] > 1);
  }

  /** Those that are not the same in all lanes, and not the numbers of the lanes. */
  threadRows(step) {
    return this.threadIndices(step).filter(({ isSame, values }) =>
      !isSame && values.some((value, lane) => known(value) && value !== lane));
  }

  /** What needs no row: it never has different values in the lanes of a warp. There may be too many. */
  sameInAllLanes(step) {
    const { recording } = this;
    const indices = this.threadIndices(step).filter(({ isSame }) => isSame)
      .map(({ name, values }) => make("code", {}, `${name} = ${values[0]}`));
    const names = [...recording.variables.keys()].filter(name => !recording.differing.has(name));
    const latest = recording.latestVariables(names, this.mostVariables, step.warp, step.number);
    return [...indices, ...latest.map(name => {
      const value = recording.valuesAt(name, step.warp, step.number).find(known);
      const isChanged = step.set && name in step.set;
      return known(value) && make("code", { class: isChanged && "changed" }, `${name} = ${valueText(value)}`);
    })].filter(Boolean);
  }

  variableRows(step) {
    const { recording } = this;
    const names = [...recording.variables.keys()].filter(name => recording.differing.has(name));
    return recording.latestVariables(names, this.mostVariables, step.warp, step.number).map(name => {
      const whole = recording.valuesAt(name, step.warp, step.number), base = commonPart(whole);
      const texts = whole.filter(known), isText = texts.every(value => typeof value === "string");
      const beginning = isText ? commonBeginning(texts) : "";
      const values = beginning ? whole.map(value => value?.slice(beginning.length, -1)) : whole;
      const short = name.length > 13 ? name.replace(/^.*\./, "….") : name;
      const label = base ? `${short} ${base}+…` : beginning ? `${short} ${beginning}…]` : short;
      return { name, values, base, label, isChanged: step.set && name in step.set };
    });
  }

  /** Are there variables that have no room? */
  leavesOut() {
    const { variables, differing } = this.recording;
    return Math.max(differing.size, variables.size - differing.size) > 8;
  }

  /** There are always two of them where there is room, so that the page does not jump. */
  requestRows(step) {
    const row = (name, values = []) => ({ name, label: name, values });
    if (step.kind === "collective") return [row("gives", step.gifts), row("gets", step.values)];
    if (!step.isRequest) return this.columns === 8 ? [] : [row(""), row("")];
    const array = this.recording.arrays[step.array], base = commonPart(step.indices);
    const index = { ...row(`index of ${array.name}`, step.indices), base, color: this.recording.color(array),
                    label: `${array.name}[${base ? `${base}+` : ""}…]` };
    return [index, row({ load: "gets", store: "stores", atomic: "with" }[step.kind], step.values)];
  }

  // What the memory has to do.

  /** The elements for a step that is about memory or a shuffle; null for others. */
  request(step) {
    if (step.kind === "collective" && step.from) return [this.exchange(step)];
    if (!step.isRequest) return null;
    const array = this.recording.arrays[step.array], accesses = this.recording.accessesOf(step);
    const isShared = array.memory === "shared";
    if (step.kind === "atomic" || !isShared && array.memory !== "global") return this.words(step, array);
    const parts = isShared ? wavefrontsOf(accesses, step.kind) : sectorsOf(accesses);
    if (known(step.parts) && step.parts !== parts.length)
      return [note(`There is no picture of this request: the recording counts ${step.parts} ` +
                   `${isShared ? "wavefronts" : "sectors"}, and its addresses give ${parts.length}.`)];
    return isShared ? this.banks(parts) : this.sectors(step, array, accesses, parts);
  }

  /** A box for each sector, the elements in it, and below them the lanes that ask for them. */
  sectors(step, array, accesses, sectors) {
    const lanesOf = this.recording.lanesOfElements(step), base = commonPart(step.indices);
    const lanesOfSector = sector => accesses.filter(({ begin, bytes }) =>
      begin < (sector + 1) * SECTOR_BYTES && begin + bytes > sector * SECTOR_BYTES).map(({ lane }) => lane);
    const boxes = sectors.map(sector => {
      const begin = sector * SECTOR_BYTES, end = begin + SECTOR_BYTES, lanes = lanesOfSector(sector);
      const slots = this.slots(array, begin, end).map(slot =>
        ({ ...slot, lanes: (lanesOf.get(slot.element) ?? []).filter(lane => lanes.includes(lane)) }));
      const below = ({ style, lanes }) => make("span", { style }, lanes.length > 0 ? lanesShort(lanes) : "");
      const who = slots.length > 8 ? [make("span", {}, lanesText(lanes))] : slots.map(below);
      return make("div", { class: "sector", title: `bytes ${begin} to ${end - 1}` },
        make("div", { class: "elements" }, ...slots.map(slot => this.slot(step, array, slot, base))),
        make("div", { class: "who" }, ...who));
    });
    const isRoomy = Math.max(...lanesOf.keys()) - base > 990;  // four digits
    const description = sectors.map((sector, i) => `sector ${i + 1} for ${lanesText(lanesOfSector(sector))}`);
    const less = base ? `, less ${grouped(base)}` : "";
    return [
      note(`Each box is a sector of 32 bytes: elements of ${array.name}${less}, and below them the lanes ` +
           "that ask for them."),
      make("div", { class: classes("sectors", isRoomy && "roomy"), role: "img",
                    "aria-label": capital(description.join(", ")) }, ...boxes),
    ];
  }

  /** The elements that lie between two addresses, each as wide as it has bytes there. */
  slots(array, begin, end) {
    const slots = [], first = Math.floor((begin - array.address) / array.bytes);
    for (let element = first, at = 0; (at = array.address + element * array.bytes) < end; ++element) {
      const bytes = Math.min(at + array.bytes, end) - Math.max(at, begin);
      slots.push({ element, style: `flex-grow:${bytes}` });
    }
    return slots;
  }

  slot(step, array, { element, lanes, style }, base) {
    const { recording } = this, color = recording.color(array);
    const before = recording.stored[step.array].get(element)?.at(step.number - 1);
    const isInside = element >= 0 && element < array.count;
    const text = isInside && array.bytes >= 4 ? `${element - base}` : "";
    const value = known(before?.value) ? `: ${valueText(before.value)}` : "";
    return make("span", {
      style,
      class: classes(lanes.length > 0 && color, lanes.length > 0 && step.kind === "store" && "stored",
                     before && "before", sizeClass(text), this.following(lanes)),
      title: isInside && recording.element(array, element) +
             (lanes.length > 0 ? ` for ${lanesText(lanes)}` : "") +
             (before ? `, stored before by thread ${before.thread}${value}` : ""),
    }, text);
  }

  /** A column for each bank, a row for each wavefront. */
  banks(wavefronts) {
    const table = make("table", { class: "banks" }), perRow = this.columns === 32 ? 32 : 16;
    for (let first = 0; first < BANKS; first += perRow) {
      const banks = Array.from({ length: perRow }, (_, i) => first + i);
      if (!wavefronts.some(wavefront => banks.some(bank => wavefront.has(bank)))) continue;
      const numbers = banks.map(bank => make("th", { scope: "col" }, `${bank}`));
      table.append(make("tbody", {},
        make("tr", {}, make("th", { scope: "row" }, "bank"), ...numbers),
        ...wavefronts.map((wavefront, turn) => make("tr", {},
          make("th", { scope: "row" }, `turn ${turn + 1}`),
          ...banks.map(bank => this.bankCell(wavefront.get(bank)))))));
    }
    const what = "Each row is a wavefront, one pass through the banks. A cell names the lanes it serves.";
    return [note(what), table];
  }

  bankCell(served) {
    if (!served) return make("td");
    const { word, lanes, waited } = served, text = lanesShort(lanes);
    return make("td", {
      class: classes(waited ? "conflict" : "shared", sizeClass(text), this.following(lanes)),
      title: `word ${word} for ${lanesText(lanes)}`,
    }, text);
  }

  /** A box for each element, with the lanes that want it. */
  words(step, array) {
    const lanesOf = [...this.recording.lanesOfElements(step)].sort((a, b) => a[0] - b[0]);
    const what = step.kind === "atomic" ? "The lanes that change an element, one after the other."
      : array.memory === "constant" ? "Each address takes a turn, and serves the lanes below it."
      : "The elements, and the lanes that fetch them.";
    return [note(what), make("div", { class: "boxes" }, ...lanesOf.map(([element, lanes]) =>
      make("div", { class: classes("box", this.recording.color(array), this.following(lanes)) },
           this.recording.element(array, element), make("small", {}, lanesText(lanes)))))];
  }

  /** Arrows from lane to lane: downward, or to the right where there is little room. */
  exchange(step) {
    const draw = this.columns === 32
      ? { size: [64 + 32 * 26, 136], box: lane => [64 + lane * 26, 18], far: [0, 78], width: 26, digits: 4,
          out: [13, 20], into: [13, -1], number: [13, -5], farNumber: [13, 32],
          labels: [[30, 32], [30, 110]] }
      : { size: [310, 18 + 32 * 21], box: lane => [20, 18 + lane * 21], far: [200, 0], width: 70, digits: 7,
          out: [70, 10], into: [-1, 10], number: [-10, 14], farNumber: [80, 14],
          labels: [[55, 12], [255, 12]] };
    const plus = (a, b) => [a[0] + b[0], a[1] + b[1]], farBox = lane => plus(draw.box(lane), draw.far);
    const text = ([x, y], words, css) => makeSvg("text", { x, y, class: css }, words);
    const box = ([x, y], lane, value, isOn, number) => [
      makeSvg("rect", { x, y, width: draw.width, height: 20,
                        class: classes("lane", isOn && "on", lane === this.followed && "strong") }),
      text(plus([x, y], [draw.width / 2, 14]), shortText(value, draw.digits), draw.digits === 4 && "small"),
      text(plus([x, y], number), `${lane}`, "label"),
    ];
    const arrow = (from, to) => makeSvg("path", {
      class: classes("way", from === to && "own", [from, to].includes(this.followed) && "strong"),
      d: `M${plus(draw.box(from), draw.out).join(" ")}L${plus(farBox(to), draw.into).join(" ")}`,
      "marker-end": "url(#head)",
    });
    const tip = { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6,
                  orient: "auto" };
    const head = makeSvg("marker", tip, makeSvg("path", { d: "M0 0 8 4 0 8z" }));
    const { sources, gifts, values } = step, givers = new Set(sources.filter(known));
    const properties = { class: "exchange", viewBox: `0 0 ${draw.size.join(" ")}`, role: "img",
                         "aria-label": "Arrows from the lanes that give a value to the lanes that get it" };
    return makeSvg("svg", properties,
      makeSvg("defs", {}, head),
      text(draw.labels[0], "gives", "label"), text(draw.labels[1], "gets", "label"),
      ...LANES.flatMap(lane => box(draw.box(lane), lane, gifts[lane], givers.has(lane), draw.number)),
      ...LANES.flatMap(lane => box(farBox(lane), lane, values[lane], has(step.active, lane), draw.farNumber)),
      ...step.lanes.filter(lane => known(sources[lane])).map(lane => arrow(sources[lane], lane)));
  }
}

// ------------------------------------------------------------------------------------------- shared memory

/** An array in shared memory: which elements are filled, by whom, and what a step does with them. */
class Tile {
  static mostCells = 1280;
  static mostColumns = 66;

  constructor(recording, number) {
    this.recording = recording;
    this.number = number;
    this.array = recording.arrays[number];
    this.isMatrix = this.array.extents.length > 1;
    const lastUsed = [...recording.used[number]].reduce((most, each) => Math.max(most, each), -1);
    this.end = this.isMatrix ? this.array.count : lastUsed + 1 || this.array.count;  // no cell from here on
    this.text = note("");
    this.scroll = make("div", { class: "scroll", tabindex: 0, role: "region",
                                "aria-label": `Shared memory: ${this.array.name}` });
    const { type, name, extents } = this.array;
    const declaration = `${type ? type + " " : ""}${name}${extents.map(extent => `[${extent}]`).join("")}`;
    const head = make("h2", {}, "Shared memory: ", make("code", {}, declaration));
    this.section = make("section", {}, head, this.text, this.scroll);
  }

  show(step, { columns: lanesInRow, followed }) {
    const { recording, array, isMatrix } = this;
    const width = isMatrix ? last(array.extents) : lanesInRow, height = Math.ceil(array.count / width);
    const columns = this.columnsToShow(step, width), rows = this.rowsToShow(step, width, columns);
    const shape = [width, ...columns, ...rows].join(" ");
    if (this.shape !== shape) this.build(width, columns, rows);
    this.shape = shape;
    const isRead = step.array === this.number && step.kind === "load";
    const readers = isRead ? recording.lanesOfElements(step) : new Map();
    const digits = lanesInRow === 8 && !isMatrix ? 5 : 4;
    for (const cell of this.cells) this.fill(cell, step, followed, readers.get(cell.element), digits);

    const histories = [...recording.stored[this.number].values()];
    const filled = histories.filter(history => history.at(step.number)).length;
    const since = recording.steps[0].interval > 0 ? " since the recording began" : "";
    const part = ([first, end], all, name) => end - first < all &&
      `${name} ${grouped(first)} to ${grouped(end - 1)} of ${grouped(all)} are shown`;
    const are = filled === 1 ? "is" : "are";
    this.text.textContent = [
      `${grouped(filled)} of ${several(array.count, "element")} ${are} filled${since}`,
      isMatrix ? part(rows, height, "rows") : part(rows.map(row => Math.min(row * width, this.end)), array.count, "elements"),
      part(columns, width, "columns"),
    ].filter(Boolean).join("; ") + ".";
  }

  /** All rows, those that are ever used where there is one dimension, or those around what was accessed last: the first
      one, and the one after the last. */
  rowsToShow(step, width, columns) {
    const most = Math.max(4, Math.floor(Tile.mostCells / (columns[1] - columns[0])));
    const row = Math.floor((this.recording.touched[this.number].at(step.number) ?? 0) / width);
    return this.around(row, most, Math.ceil(this.end / width));
  }

  /** All columns; those that are ever used; or those around what was accessed last. */
  columnsToShow(step, width) {
    if (width <= Tile.mostColumns) return [0, width];
    const [first, end] = this.used ??= this.usedColumns(width);
    if (end - first <= Tile.mostColumns) return [first, end];
    const column = (this.recording.touched[this.number].at(step.number) ?? 0) % width;
    return this.around(column, Tile.mostColumns, width);
  }

  usedColumns(width) {
    let first = width, end = 0;
    for (const element of this.recording.used[this.number]) {
      first = Math.min(first, element % width);
      end = Math.max(end, element % width + 1);
    }
    return first < end ? [first, end] : [0, width];
  }

  /** At most so many of all, among them this one. Steps nearby give the same, so that the picture stays. */
  around(one, most, all) {
    if (all <= most) return [0, all];
    const half = Math.floor(most / 2), wanted = Math.floor(one / half) * half;
    const first = Math.min(wanted, all - most);
    return [first, first + most];
  }

  build(width, columns, rows) {
    const { array, isMatrix, recording } = this, body = make("tbody");
    this.cells = [];
    for (let row = rows[0]; row < rows[1]; ++row) {
      const begin = row * width, name = recording.element(array, begin).slice(array.name.length);
      const head = make("th", { scope: "row" }, isMatrix ? name.slice(0, -"[0]".length) : name);
      const line = make("tr", {}, head);
      for (let element = begin + columns[0]; element < Math.min(begin + columns[1], this.end); ++element) {
        const value = document.createTextNode(""), who = make("small"), cell = make("td", {}, value, who);
        this.cells.push({ element, cell, value, who });
        line.append(cell);
      }
      body.append(line);
    }
    const number = (_, i) => make("th", { scope: "col" }, isMatrix ? `${columns[0] + i}` : "");
    const numbers = Array.from({ length: columns[1] - columns[0] }, number);
    const head = make("thead", {}, make("tr", {}, make("th"), ...numbers));
    const style = isMatrix && `width:${numbers.length * 26 + 44}px`;
    this.scroll.replaceChildren(make("table", { class: "tile", style }, head, body));
  }

  /** Only what has changed: a tile may have a thousand cells. */
  fill(at, step, followed, readers, digits) {
    const stored = this.recording.stored[this.number].get(at.element)?.at(step.number);
    const isNow = stored?.step === step.number, value = stored ? shortText(stored.value, digits) : "";
    const who = readers ? `▸${lanesShort(readers)}` : stored ? `t${stored.thread}` : "";
    const isFollowed = followed !== null &&
      (readers?.includes(followed) || isNow && stored.thread === step.warp * 32 + followed);
    const css = classes(stored && "shared", isNow && "stored", readers && "loaded", isFollowed && "followed",
                        sizeClass(value));
    const looks = `${css}/${value}/${who}`;
    if (at.looks === looks) return;
    at.looks = looks;
    at.cell.className = css;
    at.value.data = value;
    at.who.textContent = who;
    at.cell.title = `${this.recording.element(this.array, at.element)}: ${this.storedText(stored)}` +
      (readers ? `; read now by ${lanesText(readers)}` : "");
  }

  storedText(stored) {
    if (!stored) return "not filled yet";
    const value = known(stored.value) ? `${valueText(stored.value)}, ` : "";
    return `${value}filled by thread ${stored.thread} in step ${stored.step + 1}`;
  }
}
