// draw.js: the picture. All cells or arrows of one kind are one path, so that a thousand of them are cheap.
const SVG = "http://www.w3.org/2000/svg";
const CELL_HEIGHT = 26, ROW_GAP = 10, ARROWS = 84, MOST_ARROWS = 210, LEFT = 8, NAME = 24, ALL_ARROWS = 46;
const LEAST_TEXT = 18, LEAST_CELL = 3, MOST_CELL = 46, LEAST_SCALE = .8, MOST_SCALE = 2.1;

function make(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}

class Picture {
  constructor(box, fills) {
    this.box = box;
    this.fills = fills; // returns whether the picture's panel fills the window
    this.bands = []; // of each step, when all are drawn: where it begins and ends
    this.spots = []; // rows that were drawn: {row, y, when}, to find the cell under the pointer
  }

  clear(model, options) {
    this.model = model;
    this.options = options;
    this.spots = [];
    this.bands = [];
    this.paths = new Map();
    this.texts = [];
    this.svg = make("svg", {"aria-hidden": "true"});
  }

  // The room for the picture; its height is null where the page scrolls instead of the panel.
  room() {
    const frame = this.box.parentElement;
    return {width: Math.max(this.box.clientWidth, 200), height: this.fills() ? frame.clientHeight : null};
  }

  // The width of a cell, which is the same in all rows of a picture, and how much a wide window enlarges it.
  fit(columns, longest, height) {
    const wanted = Math.max(18, Math.ceil(longest * 7.85) + 3), {width, height: most} = this.room(), room = width - 2 * LEFT;
    this.cell = Math.min(Math.max(wanted, Math.min(room / columns, MOST_CELL)), 150);
    if (columns > 64 || (columns * this.cell > 4 * room && columns > 32)) this.cell = Math.max(LEAST_CELL, room / columns);
    this.cell = this.cell > 6 ? Math.floor(this.cell) : this.cell;
    this.width = columns * this.cell + 2 * LEFT;
    this.hasText = this.cell >= Math.max(LEAST_TEXT, longest * 6);
    // A picture that is a little too wide is made smaller, so that nothing is cut off; a much wider one scrolls.
    const fitting = width / this.width;
    this.scale = fitting < 1 && fitting > LEAST_SCALE ? fitting
      : Math.max(1, Math.min(fitting, most === null || height === null ? MOST_SCALE : most / height, MOST_SCALE));
  }

  // The longest text of a cell in any step: cells keep their width while the steps play.
  longest() {
    const {model, options} = this, name = options.ranges ? "ranges" : "values";
    model.longest ??= {};
    if (model.longest[name] === undefined) {
      let most = 2;
      const see = (value, range) => { most = Math.max(most, (options.ranges ? rangeText(range) : valueText(value)).length); };
      for (const lane of model.lanes.values()) for (const cell of lane.start.values()) see(cell.value, cell.range);
      for (const row of model.events.values()) if (row[KIND] === "w") see(row[VALUE], row[RANGE]);
      model.longest[name] = most;
    }
    return model.longest[name];
  }

  x(lane, place) {
    return LEFT + (lane.offset + place) * this.cell;
  }

  add(name, data) {
    if (!this.paths.has(name)) this.paths.set(name, []);
    this.paths.get(name).push(data);
  }

  text(x, y, words, name = "") {
    this.texts.push([x, y, words, name]);
  }

  row(row, state, y, when, changed, title = "") {
    if (title) this.text(LEFT, y + 12, `${title}: ${row.name}`, "name of-step");
    else this.text(LEFT, y + 12, row.name, "name"); // above the arrow heads, which take 8
    const top = y + NAME;
    this.spots.push({row, y: top, when});
    for (const lane of row.lanes) {
      const cells = state.get(lane.key);
      for (let place = lane.first; place < lane.end; place++) {
        const cell = cells.get(place), x = this.x(lane, place);
        if (!cell) continue;
        const how = changed && cell.row && changed.has(cell.row[ID]) ? cell.row[HOW] : "plain";
        this.add(`box ${how}`, `M${x} ${top}h${this.cell}v${CELL_HEIGHT}h${-this.cell}z`);
        if (this.hasText)
          this.text(x + this.cell / 2, top + 17, this.options.ranges ? rangeText(cell.range) : valueText(cell.value));
      }
      for (let place = lane.first; place < lane.end; place++) {
        const wrong = this.model.wrong.get(`${lane.key}:${place}`);
        if (!wrong || cells.get(place)?.row?.[ID] !== wrong.event) continue;
        this.add("wrong", `M${this.x(lane, place) + 2} ${top + 2}h${this.cell - 4}v${CELL_HEIGHT - 4}h${4 - this.cell}z`);
      }
      if (lane.block > 0) this.add("lane plain", `M${this.x(lane, lane.first)} ${top - 4}v${CELL_HEIGHT + 8}`);
    }
    return top + CELL_HEIGHT;
  }

  arrow(from, to, how) {
    const [x1, y1] = from, [x2, y2] = to, end = y2 - 7;
    this.add(`to ${how}`, `M${x1} ${y1}L${x2} ${end}`);
    this.add(`head ${how}`, `M${x2} ${y2}l-4 -8h8z`);
  }

  // Draws a step between two rows of lanes: `above` and `below` give the position of each lane's row.
  arrows(step, above, below) {
    const {model} = this;
    for (const row of step.events) {
      if (row[KIND] !== "w" || !(row[HOW] === "combine" || row[HOW] === "copy" || row[HOW] === "computed")) continue;
      const at = model.at(row), lane = model.lanes.get(at.key), bottom = below.get(lane.row.key);
      if (bottom === undefined) continue;
      for (const source of model.sources(row)) {
        const from = model.at(source), origin = model.lanes.get(from.key), top = above.get(origin.row.key);
        if (top === undefined) continue;
        this.arrow([this.x(origin, from.place) + this.cell / 2, top + CELL_HEIGHT],
                   [this.x(lane, at.place) + this.cell / 2, bottom], row[HOW]);
      }
      if (row[HOW] === "combine" && this.cell >= 18)
        this.text(this.x(lane, at.place) + this.cell - 6, bottom - 3, "+", "small");
    }
  }

  // Marks each cell that the step reads with a bar.
  reads(step, above) {
    for (const row of step.events) {
      if (row[KIND] !== "r") continue;
      const at = this.model.at(row), lane = this.model.lanes.get(at.key), y = above.get(lane.row.key);
      if (y !== undefined && this.cell > 8) this.add("read", `M${this.x(lane, at.place) + 4} ${y + CELL_HEIGHT - 3}h${this.cell - 8}`);
    }
  }

  marks(number, where) {
    const {model, options} = this, step = model.steps[number], own = new Set(step.events.map((row) => row[ID]));
    if (options.races) {
      for (const row of step.events) {
        const race = model.races.get(row[ID]);
        if (!race || row[ARRAY] === null) continue;
        const at = model.at(row), lane = model.lanes.get(at.key);
        const y = where.get(row[KIND] === "w" ? "below" : "above").get(lane.row.key)
          ?? where.get("above").get(lane.row.key) ?? where.get("below").get(lane.row.key);
        if (y === undefined) continue;
        const x = this.x(lane, at.place);
        this.add("race", `M${x + 1} ${y + 1}h${this.cell - 2}v${CELL_HEIGHT - 2}h${2 - this.cell}z`);
        const other = race.other === null ? null : model.events.get(race.other);
        if (other && own.has(other[ID]) && this.cell >= LEAST_TEXT)
          this.text(x + this.cell / 2, y + CELL_HEIGHT + 11, `t${row[THREAD]} ${row[KIND]}`, "race");
      }
    }
    if (options.banks) this.costs(step, "shared", where, (lane, place, y) => {
      const x = this.x(lane, place);
      this.add("bank", `M${x + 3} ${y + 3}h${this.cell - 6}v${CELL_HEIGHT - 6}h${6 - this.cell}z`);
      if (this.cell >= LEAST_TEXT) this.text(x + this.cell / 2, y - 2, `b${Math.floor(place * lane.size / 4) % 32}`, "bank");
    });
    if (options.sectors) {
      const seen = new Set();
      this.costs(step, "global", where, (lane, place, y) => {
        const each = 32 / lane.size, sector = Math.floor(place / each), key = `${lane.key}/${sector}/${y}`;
        if (seen.has(key)) return;
        seen.add(key);
        const first = Math.max(sector * each, lane.first), last = Math.min((sector + 1) * each, lane.end);
        this.add("sector", `M${this.x(lane, first) + 2} ${y + CELL_HEIGHT - 2}H${this.x(lane, last) - 2}`);
      }, true);
    }
  }

  // The cells of the requests that cost more than the minimum, or of all requests.
  costs(step, kind, where, draw, all = false) {
    const {model} = this;
    const dear = new Set(step.requests.filter((r) => r[3] === kind && (all || r[6] > r[7])).map((r) => `${r[0]}/${r[1]}/${r[2]}`));
    for (const row of step.events) {
      if (row[ARRAY] === null || !dear.has(`${row[BLOCK]}/${Math.floor(row[THREAD] / 32)}/${row[SITE]}`)) continue;
      const at = model.at(row), lane = model.lanes.get(at.key);
      const y = where.get(row[KIND] === "w" ? "below" : "above").get(lane.row.key);
      if (y !== undefined) draw(lane, at.place, y);
    }
  }

  cursor(cell) {
    if (!cell) return;
    const lane = this.model.lanes.get(cell.key);
    for (const {row, y} of this.spots)
      if (lane && row === lane.row)
        this.add("cursor", `M${this.x(lane, cell.place)} ${y}h${this.cell}v${CELL_HEIGHT}h${-this.cell}z`);
  }

  finish(height, fresh) {
    for (const [x, y, w, h] of this.highlights ?? []) make("rect", {x, y, width: w, height: h, class: "now"}, this.svg);
    this.highlights = null;
    const order = ["box plain", "box constant", "box atomic", "box computed", "box copy", "box combine"];
    const names = [...order.filter((name) => this.paths.has(name)), ...[...this.paths.keys()].filter((name) => !order.includes(name))];
    for (const name of names) make("path", {d: this.paths.get(name).join(""), class: name}, this.svg);
    for (const [x, y, words, name] of this.texts) make("text", {x, y, class: name}, this.svg).textContent = words;
    this.svg.setAttribute("width", this.width * this.scale);
    this.svg.setAttribute("height", height * this.scale);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    if (this.cell < LEAST_TEXT / 2) this.svg.classList.add("dense");
    if (fresh) this.svg.classList.add("fresh");
    this.box.replaceChildren(this.svg);
  }

  rowsOf(step) {
    const read = new Set(), written = new Set();
    for (const row of step.events) {
      if (row[ARRAY] === null) continue;
      const drawn = this.model.lanes.get(this.model.at(row).key).row;
      (row[KIND] === "w" ? written : read).add(drawn);
    }
    return {read: [...read], written: [...written]};
  }

  // The rows above and below the arrows of a step, and the columns and the height that they need.
  layout(number) {
    const {model} = this, {read, written} = this.rowsOf(model.steps[number]), before = model.snapshots[number];
    const has = (row) => row.lanes.some((lane) => [...before.get(lane.key).values()].some((cell) => cell.value !== null));
    const top = [...new Set([...read, ...written.filter(has)])], between = top.length > 0 && written.length > 0;
    return {top, written, between, columns: Math.max(1, ...[...top, ...written].map((row) => row.width)),
            height: 14 + top.length * (NAME + CELL_HEIGHT + ROW_GAP) + (between ? ARROWS - NAME : 0)
                    + written.length * (NAME + CELL_HEIGHT + ROW_GAP + 8)};
  }

  // All steps with rows of the same length are drawn at one scale, so that nothing jumps while they play.
  tallest(columns) {
    const {model} = this;
    model.tallest ??= model.steps.reduce((most, _, number) => {
      const {columns: width, height} = this.layout(number);
      return most.set(width, Math.max(most.get(width) ?? 0, height));
    }, new Map());
    return model.tallest.get(columns);
  }

  // Whether the picture of all steps is the better one to begin with: the one of a step would leave most of the panel
  // empty, because its rows are long, and the cells still have room for their values.
  prefersAll(model, options) {
    this.model = model;
    this.options = options;
    const columns = Math.max(...model.steps.map((_, number) => this.layout(number).columns)), {height} = this.room();
    if (height === null) return false;
    const tallest = this.tallest(columns);
    this.fit(columns, this.longest(), tallest);
    return this.hasText && (tallest + MOST_ARROWS - ARROWS) * this.scale < height / 2;
  }

  // Draws one step: its operands before and its results after.
  step(model, number, options, fresh) {
    this.clear(model, options);
    const step = model.steps[number], {top, written, between, columns} = this.layout(number);
    const before = model.snapshots[number], after = model.snapshots[number + 1], tallest = this.tallest(columns);
    this.fit(columns, this.longest(), tallest);
    const above = new Map(), below = new Map(), changed = new Set(step.events.map((row) => row[ID]));
    const spare = (this.room().height ?? 0) / this.scale - tallest;
    let y = 4;
    for (const row of top) {
      above.set(row.key, y + NAME);
      y = this.row(row, before, y, number, null) + ROW_GAP;
    }
    y += between ? Math.min(ARROWS + Math.max(spare, 0), MOST_ARROWS) - NAME : 0;
    for (const row of written) {
      below.set(row.key, y + NAME);
      y = this.row(row, after, y, number + 1, changed) + ROW_GAP + 8;
    }
    this.reads(step, above);
    this.arrows(step, above, below);
    this.marks(number, new Map([["above", above], ["below", below]]));
    this.cursor(options.cell);
    this.finish(y + 10, fresh);
  }

  // Draws all steps, one below another, each with its title, and a bar behind the current one.
  all(model, number, options) {
    this.clear(model, options);
    const used = model.steps.map((step) => this.rowsOf(step));
    const first = [...new Set(used.flatMap(({read}) => read))].filter((row) => row.lanes.some((lane) => lane.block < 0 && [...lane.start.values()].some((c) => c.value !== null)) && row.space !== "shared");
    const rows = [...new Set([...first, ...used.flatMap(({written}) => written)])];
    this.fit(Math.max(1, ...rows.map((row) => row.width)), this.longest(), null);
    this.scale = Math.min(this.scale, 1.5);
    const latest = new Map();
    let y = 4;
    for (const row of first) {
      latest.set(row.key, y + NAME);
      y = this.row(row, model.snapshots[0], y, 0, null) + ROW_GAP;
    }
    this.highlights = [];
    model.steps.forEach((step, at) => {
      const written = used[at].written, below = new Map(), changed = new Set(step.events.map((row) => row[ID]));
      const begin = y;
      let title = `${at + 1}  ${model.shortTitle(at)}`;
      if (written.length > 0) y += ALL_ARROWS;
      else {
        this.text(LEFT, y + 22, `${title}: only reads`, "name of-step");
        y += 28;
      }
      for (const row of written) {
        below.set(row.key, y + NAME);
        y = this.row(row, model.snapshots[at + 1], y, at + 1, changed, title) + ROW_GAP;
        title = "";
      }
      this.arrows(step, latest, below);
      this.marks(at, new Map([["above", latest], ["below", below]]));
      if (at === number) this.highlights.push([1, begin + (written.length > 0 ? ALL_ARROWS - 4 : 4), this.width - 2, y - begin - (written.length > 0 ? ALL_ARROWS - 4 : 4)]);
      this.bands.push([begin, y]);
      for (const [key, place] of below) latest.set(key, place);
    });
    this.cursor(options.cell);
    this.finish(y + 10, false);
  }

  // The step at a point of the page, in the picture of all steps; null where there is none.
  stepAt(clientY) {
    const y = (clientY - this.svg.getBoundingClientRect().top) / this.scale;
    const found = this.bands.findIndex(([begin, end]) => y >= begin && y < end);
    return found < 0 ? null : found;
  }

  // The cell at a point of the page: {key, place}, or null.
  at(clientX, clientY) {
    const box = this.svg.getBoundingClientRect(), x = (clientX - box.left) / this.scale, y = (clientY - box.top) / this.scale;
    for (const {row, y: top, when} of this.spots) {
      if (y < top || y >= top + CELL_HEIGHT) continue;
      const column = Math.floor((x - LEFT) / this.cell);
      for (const lane of row.lanes) {
        const place = column - lane.offset;
        if (place >= lane.first && place < lane.end) return {key: lane.key, place, when};
      }
    }
    return null;
  }
}
