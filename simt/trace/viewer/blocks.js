// blocks.js: the blocks of a launch over time: when each ran, what it published, and for which blocks it waited.
// Labels are laid out by their size in the reader's own font, which only a text on the page shows.
const BLOCK_BAR = 20, BLOCK_GAP = 14, BLOCK_TOP = 24, BLOCK_SIDE = 74;

// The launches whose blocks pass something to each other.
function launchesWithFlags(model) {
  const own = (model.trace.published ?? []).map((entry) => entry.launch);
  return [...new Set(own)].filter((launch) => model.trace.blocks.filter((row) => row.launch === launch).length > 1);
}

function withRange(row) {
  const value = valueText(row[VALUE]), range = row[RANGE]?.length ? rangeText(row[RANGE]) : value;
  return value === range ? value : `${value} ${range}`;
}

// What a block published: `brief` has the lines of a label in the picture, `long` is for the list.
function wordsOfPublished(model, {event, kind, value}) {
  const row = model.events.get(event), data = value === null ? null : model.events.get(value);
  const cell = (of) => `${model.trace.arrays[of[ARRAY]].name}[${of[INDEX]}]`;
  const before = valueText(row[BEFORE]), after = valueText(row[VALUE]), who = `block ${row[BLOCK]}`;
  if (kind === "ticket") return {brief: [`ticket ${before}`], long: `${who} drew ticket ${before} from ${cell(row)}`};
  if (kind === "counter") return {brief: [`${cell(row)}: ${before} to ${after}`], long: `${who} changed ${cell(row)} from ${before} to ${after}`};
  const flag = `${cell(row)}=${after}`;
  if (!data) return {brief: [flag], long: `${who} published ${cell(row)} = ${after}`};
  const of = data[RANGE]?.length && data[VALUE] !== rangeText(data[RANGE]) ? `, of the inputs ${rangeText(data[RANGE])}` : "";
  return {brief: [`${cell(data)}=${withRange(data)}`, flag], long: `${who} published ${cell(data)} = ${valueText(data[VALUE])}${of}, by the flag ${cell(row)} = ${after}`};
}

function drawBlocks(model, launch, box, list) {
  const rows = model.trace.blocks.filter((row) => row.launch === launch);
  const order = new Map(rows.map((row, at) => [row.block, at]));
  const from = Math.min(...rows.flatMap((row) => row.turns.map(([begin]) => begin)));
  const to = Math.max(...rows.flatMap((row) => row.turns.map(([, end]) => end)));
  const svg = make("svg", {role: "img", "aria-label": "Blocks over time; the list below says who waited for whom"});
  box.replaceChildren(svg);
  const label = (words) => { const text = make("text", {x: 0, y: 0, class: "small"}, svg); text.textContent = words; return text; };
  const trial = label("[0]"), ascent = -trial.getBBox().y, labelLine = Math.ceil(trial.getBBox().height) + 1;
  trial.remove();
  const blockLine = BLOCK_BAR + 2 * labelLine + BLOCK_GAP;
  const room = Math.max(box.clientWidth - 20, 640), height = BLOCK_TOP + rows.length * blockLine;
  const x = (event) => BLOCK_SIDE + (event - from) / Math.max(to - from, 1) * (room - BLOCK_SIDE - 20);
  const y = (block) => BLOCK_TOP + order.get(block) * blockLine;
  make("text", {x: BLOCK_SIDE, y: 14, class: "name"}, svg).textContent = "events of the run, from left to right";
  for (const row of rows) {
    make("text", {x: 4, y: y(row.block) + 15, class: "name"}, svg).textContent = `block ${row.block}`;
    make("path", {class: "plain", d: row.turns.map(([a, b]) => `M${x(a)} ${y(row.block)}H${Math.max(x(b), x(a) + 1)}v20H${x(a)}z`).join("")}, svg);
  }
  const waits = model.trace.waits.filter((wait) => wait.from >= from && wait.from < to);
  for (const wait of waits) {
    const top = y(wait.block);
    make("path", {class: "bank", d: `M${x(wait.from)} ${top + 10}H${x(wait.to)}`}, svg);
    if (wait.write !== null && order.has(wait.for)) {
      const above = y(wait.for) < top, start = y(wait.for) + (above ? 20 : 0), end = above ? top : top + 20;
      make("path", {class: "to combine", d: `M${x(wait.write)} ${start}L${x(wait.to)} ${end}`}, svg);
      make("path", {class: "head combine", d: `M${x(wait.to)} ${end}l-4 ${above ? -8 : 8}h8z`}, svg);
    }
  }
  const items = waits.map((wait) => ({at: wait.to, text:
    `block ${wait.block} waited for ${wait.for === null ? "a write" : `block ${wait.for}`}: it read ${model.trace.arrays[wait.array].name}[${wait.index}] ${wait.polls + 1} times`}));
  let width = room;
  const free = new Map(); // for each block: where its next label may begin
  for (const entry of model.trace.published.filter((one) => one.launch === launch)) {
    const row = model.events.get(entry.event), {brief, long} = wordsOfPublished(model, entry), labels = brief.map(label);
    const half = Math.max(...labels.map((text) => text.getBBox().width)) / 2;
    const mark = make("circle", {cx: x(row[ID]), cy: y(row[BLOCK]) + 10, r: 5, class: entry.kind === "flag" ? "constant" : "copy"}, svg);
    make("title", {}, mark).textContent = long;
    const middle = Math.max(x(row[ID]), (free.get(row[BLOCK]) ?? BLOCK_SIDE - 4) + half);
    labels.forEach((text, at) => {
      text.setAttribute("x", middle);
      text.setAttribute("y", y(row[BLOCK]) + BLOCK_BAR + 2 + ascent + labelLine * at);
    });
    free.set(row[BLOCK], middle + half + 8);
    width = Math.max(width, middle + half + 8);
    items.push({at: row[ID], text: long});
  }
  for (const [name, value] of Object.entries({width, height, viewBox: `0 0 ${width} ${height}`})) svg.setAttribute(name, value);
  list.replaceChildren(...items.sort((a, b) => a.at - b.at).map((item) => element("li", item.text)));
}
