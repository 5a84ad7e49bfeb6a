// panels.js: the panels next to the picture: the source, warps, requests, findings.
const LISTED = 400, WARPS = 32;

function element(name, text = null, attributes = {}) {
  const made = document.createElement(name);
  if (text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function showSource(model, number, box) {
  const step = model.steps[number], [file, line] = model.trace.sites[step.site];
  const source = model.trace.sources.find((one) => one.file === file);
  if (!source) {
    box.replaceChildren(element("p", step.kind === "copy" ? "The host copies; no kernel runs." : `The text of ${file || "this code"} is not in the trace.`));
    return;
  }
  const around = new Set(step.events.map((row) => model.trace.sites[row[SITE]]).filter((site) => site[0] === file).map((site) => site[1]));
  if (box.dataset.file !== file || !box.firstElementChild || box.firstElementChild.tagName === "P") {
    box.replaceChildren(...source.text.replace(/\n$/, "").split("\n").map((text, at) => {
      const row = element("div");
      row.append(element("b", String(at + 1)), text || "\u200b");
      return row;
    }));
    box.dataset.file = file;
  }
  [...box.children].forEach((row, at) => {
    row.className = at + 1 === line ? "here" : around.has(at + 1) ? "around" : "";
    if (at + 1 === line) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
  const here = box.children[line - 1];
  if (here) box.scrollTop += here.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
}

function wholeRow(text) {
  const row = element("tr");
  row.append(element("td", text, {colspan: "4"}));
  return row;
}

function showWork(model, number, table) {
  const step = model.steps[number], writes = step.events.filter((row) => row[KIND] === "w");
  const head = element("tr");
  for (const title of ["Written", "How", "Thread", "Line"]) head.append(element("th", title, {scope: "col"}));
  const rows = writes.slice(0, LISTED).map((row) => {
    const line = element("tr");
    const who = row[THREAD] === null ? "the host" : `${row[THREAD]}` + (model.trace.launches[step.launch].grid.some((e) => e > 1) ? ` of block ${row[BLOCK]}` : "");
    for (const text of [model.words(row), row[HOW], who, model.trace.sites[row[SITE]][1] || ""]) line.append(element("td", String(text)));
    return line;
  });
  if (writes.length > LISTED) rows.push(wholeRow(`and ${writes.length - LISTED} more`));
  if (writes.length === 0) {
    const kept = step.events.filter((row) => row[KIND] === "c");
    rows.push(wholeRow(kept.length ? "Nothing: threads keep these in registers." : "Nothing: threads read, and keep what they have read."));
    rows.push(...kept.slice(0, LISTED).map((row) => wholeRow(`thread ${row[THREAD]}: ${model.kept(row)}`)));
  }
  table.replaceChildren(head, ...rows);
}

function showWarps(model, number, box) {
  const step = model.steps[number], lanes = new Map();
  const totals = {idle: 0, all: 0};
  for (const [block, warp, , , mask] of step.requests) {
    const key = `${block}/${warp}`;
    lanes.set(key, ((lanes.get(key) ?? 0) | mask) >>> 0);
    let active = 0;
    for (let lane = 0; lane < 32; lane++) active += (mask >>> lane) & 1;
    totals.idle += 32 - active;
    totals.all += 32;
  }
  const rows = [...lanes].sort(([a], [b]) => a.localeCompare(b, "en", {numeric: true})).slice(0, WARPS).map(([key, mask]) => {
    const [block, warp] = key.split("/"), row = element("div", null, {class: "warp", role: "img"});
    let active = 0;
    row.append(element("span", `block ${block}, warp ${warp}`));
    for (let lane = 0; lane < 32; lane++) {
      const on = (mask >>> lane) & 1;
      active += on;
      row.append(element("i", null, on ? {class: "on"} : {}));
    }
    row.setAttribute("aria-label", `block ${block}, warp ${warp}: ${active} of 32 lanes take part`);
    return row;
  });
  const words = totals.all === 0 ? "No warp asks for memory in this step."
    : `${totals.idle} of ${totals.all} lanes of the warps' instructions are idle.` + (lanes.size > WARPS ? ` ${lanes.size - WARPS} more warps are not shown.` : "");
  box.replaceChildren(...rows, element("p", words));
}

function counted(count, unit) {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function showRequests(model, number, table) {
  const step = model.steps[number], sums = new Map(), does = new Map();
  for (const row of step.events) does.set(row[SITE], row[HOW] === "atomic" ? "atomic" : row[KIND] === "r" ? "read" : "write");
  for (const [, , site, kind, mask, bytes, needed, least] of step.requests) {
    const line = model.trace.sites[site][1], what = does.get(site) ?? "access", key = `${line}/${kind}/${bytes}/${what}`;
    const sum = sums.get(key) ?? {line, kind, what, bytes, count: 0, lanes: 0, needed: 0, least: 0};
    sum.count++;
    for (let lane = 0; lane < 32; lane++) sum.lanes += (mask >>> lane) & 1;
    sum.needed += needed;
    sum.least += least;
    sums.set(key, sum);
  }
  const head = element("tr");
  for (const title of ["Line", "What", "Requests", "Active lanes", "Served in", "At best"]) head.append(element("th", title, {scope: "col"}));
  const rows = [...sums.values()].sort((a, b) => a.line - b.line).map((sum) => {
    const row = element("tr", null, sum.needed > sum.least ? {class: "worse"} : {});
    const unit = sum.kind === "shared" ? "wavefront" : "sector";
    const what = sum.kind === "combine" ? "combine" : `${sum.kind} ${sum.what}, ${counted(sum.bytes, "byte")} a lane`;
    const cost = sum.kind === "combine" ? ["", ""] : [counted(sum.needed, unit), String(sum.least)];
    for (const text of [sum.line || "", what, sum.count, sum.lanes, ...cost]) row.append(element("td", String(text)));
    return row;
  });
  table.replaceChildren(head, ...rows);
}

// What the result should be, next to what it is; nothing for a right one.
function showResult(model) {
  const made = [], of = model.trace.case;
  if (!of || of.verdict === "right") return made;
  const one = element("div", null, {class: "finding"});
  const verdict = of.verdict === "stopped" ? "The run was stopped" : "The result is wrong";
  one.append(element("strong", of.said ? `${verdict}: ${of.said}` : verdict));
  for (const array of of.arrays.filter((array) => array.wrong?.length > 0)) {
    const wrong = new Set(array.wrong), table = element("table", null, {class: "comparison"});
    const first = Math.max(0, array.wrong[0] - 4), end = Math.min(array.got.length, first + 16);
    for (const [name, key] of [["slot", null], [array.name, "got"], ["expected", "expected"]]) {
      const row = element("tr");
      row.append(element("th", name, {scope: "row"}));
      for (let slot = first; slot < end; slot++) {
        const text = key === null ? String(slot) : array[key][slot] === "unwritten" ? "·" : array[key][slot];
        row.append(element("td", text, key === "got" && wrong.has(slot) ? {class: "not"} : {}));
      }
      table.append(row);
    }
    const box = element("div", null, {class: "wide", tabindex: "0", role: "region", "aria-label": `${array.name} and what was expected`});
    box.append(table);
    one.append(box);
  }
  made.push(one);
  return made;
}

function showFindings(model, box, go) {
  const result = showResult(model);
  box.replaceChildren(...model.trace.findings.map((finding) => {
    const one = element("div", null, {class: "finding"}), steps = finding.events.map(([event]) => model.stepOf.get(event));
    one.append(element("strong", `${finding.file ? `${finding.file}:${finding.line}  ` : ""}${finding.title}`));
    one.append(element("pre", finding.detail + (finding.hint ? `\ntry: ${finding.hint}` : "")));
    if (steps.length > 0) {
      const button = element("button", `Show it: step ${steps[0] + 1}`);
      button.addEventListener("click", () => go(steps[0]));
      one.append(button);
    }
    return one;
  }), ...result);
  return model.trace.findings.length + result.length > 0;
}

// A cell's history, as a list.
function showCell(model, cell, box, number) {
  if (!cell || !model.lanes.has(cell.key)) {
    box.replaceChildren(element("p", "Point at a cell, or press Shift and an arrow, for its history."));
    return;
  }
  const lane = model.lanes.get(cell.key), rows = model.history.get(`${cell.key}:${cell.place}`) ?? [];
  const now = model.snapshots[number + 1].get(cell.key).get(cell.place);
  const of = lane.row.lanes.length > 1 ? ` of block ${lane.block}` : "";
  const title = element("p");
  title.append(element("strong", `${lane.name}[${cell.place}]${of}`), now ? ` holds ${valueText(now.value)}, of the inputs ${rangeText(now.range)}` : "");
  const wrong = model.wrong.get(`${cell.key}:${cell.place}`);
  if (wrong && now?.row?.[ID] === wrong.event) title.append(`; expected ${wrong.expected}`);
  const list = element("ol");
  let earlier = null;
  for (const row of rows.slice(0, LISTED)) {
    const step = model.stepOf.get(row[ID]), line = model.trace.sites[row[SITE]][1];
    const who = row[THREAD] === null ? "the host" : `thread ${row[THREAD]}`;
    const race = model.races.get(row[ID]);
    const words = row[KIND] === "w" ? model.words(row) : `read, ${valueText(row[VALUE])}`;
    const text = `step ${step + 1}: ${words} (${who}${line ? `, line ${line}` : ""})` + (race ? ` — ${race.finding.kind}` : "");
    if (text === earlier) continue;
    earlier = text;
    list.append(element("li", text));
  }
  box.replaceChildren(title, list);
}
