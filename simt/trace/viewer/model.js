// model.js: an index of a trace: lanes, their contents after each step, and where values came from. TRACE.md
// describes the document. A lane is a row of cells: an array, or a row of an array with dimensions. Shared memory
// has one for each block.
const [ID, KIND, BLOCK, THREAD, SITE, ARRAY, INDEX, VALUE, RANGE, BEFORE, HOW, SOURCES, FLAGS, POLLS] =
  Array.from({length: 14}, (_, i) => i);
const FORMAT = "scan-labs-trace", VERSION = 1;

function checkTrace(trace) {
  if (trace === null || typeof trace !== "object" || trace.format !== FORMAT)
    throw new Error("This file is no trace. make trace LAB=3 PART=scan_blelloch N=8 writes one into build/trace.");
  if (trace.version !== VERSION)
    throw new Error(`This trace has version ${trace.version}, and this page reads version ${VERSION}: make the page anew.`);
  return trace;
}

function rangeText(range) {
  if (range === null || range === undefined) return "?";
  return range.map(([first, last]) => `[${first}..${last}]`).join("+") || "[]";
}

function valueText(value) {
  if (value === null || value === undefined) return "·";
  if (typeof value === "number" && !Number.isInteger(value)) return String(Number(value.toPrecision(5)));
  return String(value);
}

class Model {
  constructor(trace) {
    this.trace = trace;
    this.steps = trace.steps;
    this.events = new Map();
    this.stepOf = new Map();
    this.lanes = new Map();
    this.history = new Map(); // "lane:place" -> its reads and writes, in order
    trace.steps.forEach((step, number) => step.events.forEach((row) => {
      this.events.set(row[ID], row);
      this.stepOf.set(row[ID], number);
    }));
    [...this.events.keys()].sort((a, b) => a - b).forEach((id) => this.place(this.events.get(id)));
    this.rows = this.groupLanes();
    this.snapshots = this.replay();
    this.races = new Map();
    trace.findings.forEach((finding) => finding.events.forEach(([event, other]) => {
      this.races.set(event, {finding, other});
      if (other !== null && !this.races.has(other)) this.races.set(other, {finding, other: event});
    }));
    this.wrong = this.findWrong();
  }

  // The cells of an output that end with a wrong value: "lane:place" -> the event that wrote it, and what it must hold.
  findWrong() {
    const found = new Map(), of = this.trace.case?.arrays ?? [];
    for (const row of this.events.values()) {
      if (row[KIND] !== "w" || row[ARRAY] === null) continue;
      const array = this.trace.arrays[row[ARRAY]];
      const output = array.space === "global" && of.find((one) => one.kind !== "in" && one.name === array.name);
      if (!output?.wrong?.includes(row[INDEX])) continue;
      const at = this.at(row), cell = `${at.key}:${at.place}`;
      if (!found.has(cell) || found.get(cell).event < row[ID]) found.set(cell, {event: row[ID], expected: output.expected[row[INDEX]]});
    }
    return found;
  }

  // The step that a reader sees first: the first with a race, if there is one.
  firstStep() {
    const races = [...this.races.keys()].map((event) => this.stepOf.get(event));
    return races.length > 0 ? Math.min(...races) : 0;
  }

  place(row) {
    if (row[ARRAY] === null) return;
    const at = this.at(row), lane = this.lane(at.key, row);
    if (!lane.start.has(at.place)) {
      const read = row[KIND] === "r";
      lane.start.set(at.place, {value: read ? row[VALUE] : row[BEFORE], range: read ? row[RANGE] : null});
    }
    const cell = `${at.key}:${at.place}`;
    if (!this.history.has(cell)) this.history.set(cell, []);
    this.history.get(cell).push(row);
  }

  // The lane of an event, and its position in the lane.
  at(row) {
    const array = this.trace.arrays[row[ARRAY]];
    const width = array.shape.length > 1 ? array.shape[array.shape.length - 1] : array.count;
    const launch = this.steps[this.stepOf.get(row[ID])].launch;
    const own = array.space === "shared" && launch !== null;
    return {key: `${row[ARRAY]}/${Math.floor(row[INDEX] / width)}/${own ? `${launch}/${row[BLOCK]}` : ""}`,
            place: row[INDEX] % width};
  }

  lane(key, row) {
    if (!this.lanes.has(key)) {
      const [array, line, launch, block] = key.split("/");
      const about = this.trace.arrays[array];
      let name = about.name, rest = Number(line);
      const places = [];
      for (const extent of about.shape.slice(0, -1).reverse()) {
        places.unshift(rest % extent);
        rest = Math.floor(rest / extent);
      }
      name += places.map((place) => `[${place}]`).join("");
      this.lanes.set(key, {key, array: Number(array), line: Number(line), launch: launch === "" ? -1 : Number(launch),
                           block: block === undefined ? -1 : Number(block), name, space: about.space,
                           start: new Map(), size: about.size});
    }
    return this.lanes.get(key);
  }

  // Lanes of one shared array in several blocks are drawn side by side in one row.
  groupLanes() {
    const rows = new Map();
    for (const lane of this.lanes.values()) {
      const places = [...lane.start.keys()];
      lane.first = Math.min(...places);
      lane.end = places.reduce((most, place) => Math.max(most, place), 0) + 1;
      const key = `${lane.launch}/${lane.array}/${lane.line}`;
      if (!rows.has(key)) rows.set(key, {key, name: lane.name, lanes: [], space: lane.space});
      rows.get(key).lanes.push(lane);
    }
    for (const row of rows.values()) {
      row.lanes.sort((a, b) => a.block - b.block);
      let offset = 0;
      for (const lane of row.lanes) {
        lane.row = row;
        lane.offset = offset - lane.first;
        offset += lane.end - lane.first;
      }
      row.width = offset;
      if (row.lanes.length > 1) row.name += `, blocks ${row.lanes[0].block} to ${row.lanes[row.lanes.length - 1].block}`;
    }
    return rows;
  }

  // For each step, the contents afterwards of each lane that was accessed so far. Steps share maps that do not
  // change.
  replay() {
    let state = new Map();
    for (const lane of this.lanes.values()) state.set(lane.key, lane.start);
    const found = [state];
    for (const step of this.steps) {
      const next = new Map(state), copied = new Set();
      for (const row of step.events) {
        if (row[KIND] !== "w") continue;
        const {key, place} = this.at(row);
        if (!copied.has(key)) {
          next.set(key, new Map(next.get(key)));
          copied.add(key);
        }
        next.get(key).set(place, {value: row[VALUE], range: row[RANGE], row});
      }
      state = next;
      found.push(state);
    }
    return found;
  }

  // The reads from which a write's value is made, left to right.
  sources(row) {
    const found = [], visit = (id) => {
      if (id === null || found.length >= 64) return;
      const source = this.events.get(id);
      if (source[KIND] === "c") source[SOURCES].forEach(visit);
      else if (source[HOW] !== "constant" && !found.includes(source)) found.push(source);
    };
    row[SOURCES].forEach(visit);
    return found;
  }

  nameOf(row) {
    const {key, place} = this.at(row), lane = this.lanes.get(key);
    const many = lane.row.lanes.length > 1 ? ` of block ${lane.block}` : "";
    return `${lane.name}[${place}]${many}`;
  }

  // "tree[3] = tree[1] + tree[3], 11 = 4 + 7"
  words(row) {
    const sources = this.sources(row), value = valueText(row[VALUE]), target = this.nameOf(row);
    const names = sources.map((source) => this.nameOf(source));
    if (row[HOW] === "combine" && names.length > 1)
      return `${target} = ${names.join(" + ")}: ${value} = ${sources.map((s) => valueText(s[VALUE])).join(" + ")}`;
    if (row[HOW] === "copy" && names.length > 0) return `${target} = ${names[0]}: ${value}`;
    if (row[HOW] === "atomic") return `${target} = ${value}, by an atomic operation; before, ${valueText(row[BEFORE])}`;
    return `${target} = ${value}` + (names.length > 0 ? `, from ${names.join(", ")}` : "");
  }

  // For a combine whose result stays in a register: "buffer[1] + buffer[2]: 8 = 1 + 7"
  kept(row) {
    const sources = this.sources(row);
    return `${sources.map((source) => this.nameOf(source)).join(" + ")}: ${valueText(row[VALUE])} = ${sources.map((s) => valueText(s[VALUE])).join(" + ")}`;
  }

  title(number) {
    const step = this.steps[number], [file, line, name] = this.trace.sites[step.site];
    if (step.kind === "copy") return "copy by the host" + (line ? `, line ${line}` : "");
    const kernel = this.trace.launches[step.launch].kernel;
    return `${name || kernel}` + (line ? `, line ${line}` : "") + (step.stride !== null ? `, stride ${step.stride}` : "");
  }

  // A title for the picture of all steps: the function is named only when it changes.
  shortTitle(number) {
    const title = this.title(number), nameOf = (text) => text.slice(0, text.indexOf(", line"));
    const same = number > 0 && title.includes(", line") && nameOf(title) === nameOf(this.title(number - 1));
    return same ? title.slice(nameOf(title).length + 2) : title;
  }
}
