// main.js: the controls.
const $ = (id) => document.getElementById(id);
const LEGEND = [["combine", "combined"], ["copy", "copied"], ["computed", "computed"], ["constant", "a constant, or atomic"]];
let model = null, picture = null, timer = null;
const now = {step: 0, ranges: false, all: false, cell: null, launches: [], launch: null};

// On a large window only panels scroll; style.css has the same condition.
const FILLED = window.matchMedia("(min-width: 900px) and (min-height: 560px)");

function options() {
  return {ranges: now.ranges, cell: now.cell, banks: $("mark-banks").checked, sectors: $("mark-sectors").checked, races: $("mark-races").checked};
}

function redraw(fresh = false) {
  if (!model) return;
  if (now.all) {
    picture.all(model, now.step, options());
    const bar = $("stage").querySelector(".now");
    if (bar && FILLED.matches) bar.scrollIntoView({block: "nearest"});
  } else picture.step(model, now.step, options(), fresh);
}

function speak() {
  const step = model.steps[now.step], writes = step.events.filter((row) => row[KIND] === "w");
  const races = step.events.filter((row) => model.races.has(row[ID])).length;
  const shown = writes.slice(0, 8).map((row) => model.words(row)).join("; ");
  const more = writes.length > 8 ? `; and ${writes.length - 8} more` : "";
  const bad = races > 0 ? ` A race: ${model.trace.findings.find((f) => f.events.length)?.title ?? ""}.` : "";
  return `Step ${now.step + 1} of ${model.steps.length}. ${writes.length ? shown + more : "Nothing is written: threads keep in registers what they have read"}.${bad}`;
}

function go(step, fresh = true) {
  const moved = step !== now.step;
  now.step = Math.max(0, Math.min(step, model.steps.length - 1));
  $("slider").value = String(now.step);
  $("slider").setAttribute("aria-valuetext", `step ${now.step + 1} of ${model.steps.length}`);
  $("jump").value = String(now.step);
  $("step-link").textContent = `Step ${now.step + 1} of ${model.steps.length}`;
  $("step-title").textContent = `: ${model.title(now.step)}`;
  $("count").textContent = `${now.step + 1} / ${model.steps.length}`;
  address();
  $("spoken").textContent = speak();
  $("stage").setAttribute("aria-label", `The arrays in step ${now.step + 1}`);
  $("first").disabled = $("back").disabled = now.step === 0;
  $("last").disabled = $("forward").disabled = now.step === model.steps.length - 1;
  redraw(fresh && moved);
  showSource(model, now.step, $("source"));
  showWork(model, now.step, $("work"));
  showWarps(model, now.step, $("warps"));
  showRequests(model, now.step, $("requests"));
  showCell(model, now.cell, $("cell"), now.step);
  const launch = model.steps[now.step].launch;
  if (moved && launch !== now.launch && now.launches.includes(launch)) showBlocks(launch);
}

// The address of what is shown: "#step=3&show=ranges&view=all".
function address() {
  const parts = [`step=${now.step + 1}`, ...(now.ranges ? ["show=ranges"] : []), `view=${now.all ? "all" : "step"}`];
  const hash = `#${parts.join("&")}`;
  $("step-link").setAttribute("href", hash);
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

// Shows what the address says. What it does not say is chosen: values, the first step with a race if there is one, and
// the picture that fills the panel.
function follow() {
  const asked = new URLSearchParams(location.hash.slice(1)), step = Number(asked.get("step"));
  const number = Number.isInteger(step) && step > 0 ? step - 1 : model.firstStep();
  check("shown", asked.get("show") === "ranges" ? "ranges" : "values");
  const view = asked.get("view") ?? (picture.prefersAll(model, options()) ? "all" : "step");
  check("view", view === "all" ? "all" : "step");
  go(number, false);
}

function stop() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = "▶ Play";
  $("play").setAttribute("aria-pressed", "false");
}

function play() {
  if (timer !== null) {
    stop();
    return;
  }
  if (now.step === model.steps.length - 1) go(0);
  $("play").textContent = "⏸ Stop";
  $("play").setAttribute("aria-pressed", "true");
  timer = setInterval(() => {
    go(now.step + 1);
    if (now.step === model.steps.length - 1) stop();
  }, Number($("speed").value));
}

function fillJump() {
  const groups = new Map();
  model.steps.forEach((step, number) => {
    const key = step.launch === null ? "host" : step.launch;
    if (!groups.has(key)) {
      const label = step.launch === null ? "the host" : `launch ${step.launch + 1}: ${model.trace.launches[step.launch].kernel}`;
      groups.set(key, element("optgroup", null, {label}));
    }
    const barrier = step.phase === 0 && step.epoch > 0 ? "after a barrier: " : "";
    groups.get(key).append(element("option", `${number + 1}  ${barrier}${model.title(number)}`, {value: String(number)}));
  });
  $("jump").replaceChildren(...groups.values());
}

function fillLegend() {
  const used = new Set(model.steps.flatMap((step) => step.events.map((row) => row[HOW])));
  if (used.has("atomic")) used.add("constant");
  $("legend").replaceChildren(...LEGEND.filter(([how]) => used.has(how)).map(([how, words]) => {
    const item = element("li"), box = element("i");
    box.style.borderColor = `var(--${how})`;
    box.style.background = `var(--${how}-back)`;
    if (how === "copy") box.style.borderStyle = "dashed";
    item.append(box, words);
    return item;
  }), mark("soft", "a bar: read"), ...(model.races.size ? [mark("race", "a race: t3 r, thread 3 reads; t3 w, it writes")] : []),
  ...(model.wrong.size ? [mark("race", "dashed: a wrong result")] : []));
}

// Marks along the slider: where a launch begins, and the steps with a race.
function fillTicks() {
  const last = Math.max(model.steps.length - 1, 1), raced = new Set([...model.races.keys()].map((event) => model.stepOf.get(event)));
  const at = (number) => `calc(8px + (100% - 16px) * ${number / last})`;
  const lines = model.steps.flatMap((step, number) => {
    const begins = number > 0 && step.launch !== model.steps[number - 1].launch;
    if (!begins && !raced.has(number)) return [];
    return [make("line", {x1: 0, x2: 0, y1: 0, y2: 7, class: raced.has(number) ? "race" : "launch", style: `transform: translateX(${at(number)})`})];
  });
  $("ticks").replaceChildren(...lines);
}

function mark(name, words) {
  const item = element("li"), box = element("i");
  box.style.borderColor = `var(--${name})`;
  item.append(box, words);
  return item;
}

// The launches to choose from; the first is chosen. A step of another launch switches to that one: see go().
function fillBlocks() {
  const launches = now.launches = launchesWithFlags(model);
  $("blocks-box").hidden = launches.length === 0;
  $("blocks-choice").hidden = launches.length < 2;
  $("blocks-launch").replaceChildren(...launches.map((number) => element("option", `${number + 1}: ${model.trace.launches[number].kernel}`, {value: String(number)})));
  now.launch = null;
  if (launches.length > 0) showBlocks(launches[0]);
}

function showBlocks(launch) {
  now.launch = launch;
  $("blocks-launch").value = String(launch);
  drawBlocks(model, launch, $("blocks"), $("waits"));
}

function open(trace) {
  stop();
  model = new Model(checkTrace(trace));
  now.step = 0;
  now.cell = null;
  $("error").hidden = true;
  $("main").hidden = false;
  $("title").textContent = trace.title;
  document.title = `${trace.title}: trace`;
  const of = trace.case ? `lab ${trace.case.lab}, input ${trace.case.input}, seed ${trace.case.seed}: ${trace.case.verdict}` : "";
  $("about").textContent = [of, ...trace.notes].filter((text) => text).join(". ");
  $("slider").max = String(model.steps.length - 1);
  $("source").dataset.file = "";
  fillJump();
  fillLegend();
  fillBlocks();
  $("findings-box").hidden = !showFindings(model, $("findings"), (step) => go(step));
  fillTicks();
  follow();
}

function complain(error) {
  $("error").textContent = error.message;
  $("error").hidden = false;
}

function read(text) {
  try {
    open(JSON.parse(text));
  } catch (error) {
    complain(error instanceof SyntaxError ? new Error("This file is no JSON, so it is no trace.") : error);
  }
}

function moveCell(across, down) {
  const spots = picture.spots;
  if (spots.length === 0) return;
  let at = now.cell ? spots.findIndex(({row, when}) => when === now.cell.when && row.lanes.some((lane) => lane.key === now.cell.key)) : -1;
  if (at < 0) at = now.cell ? 0 : spots.length - 1;
  const column = now.cell && model.lanes.has(now.cell.key) ? model.lanes.get(now.cell.key).offset + now.cell.place + across : 0;
  const spot = spots[Math.max(0, Math.min(at + down, spots.length - 1))];
  const wanted = Math.max(0, Math.min(column, spot.row.width - 1));
  const lane = spot.row.lanes.find((one) => wanted >= one.offset + one.first && wanted < one.offset + one.end);
  point({key: lane.key, place: wanted - lane.offset, when: spot.when});
}

function point(cell) {
  if (cell?.key === now.cell?.key && cell?.place === now.cell?.place && cell?.when === now.cell?.when) return;
  now.cell = cell;
  redraw();
  showCell(model, now.cell, $("cell"), now.step);
}

function check(name, value) {
  document.querySelector(`input[name=${name}][value=${value}]`).checked = true;
  now.ranges = document.querySelector("input[name=shown]:checked").value === "ranges";
  now.all = document.querySelector("input[name=view]:checked").value === "all";
}

function choose(name, value) {
  check(name, value);
  address();
  redraw();
}

function key(event) {
  const typing = event.target.matches("input[type=range], select");
  if (!model || event.ctrlKey || event.altKey || event.metaKey || typing) return;
  const pressed = event.target.matches("button, input, a, label");
  const moves = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]};
  if (event.shiftKey && moves[event.key]) moveCell(...moves[event.key]);
  else if (event.target.matches("input[type=radio]") && event.key.startsWith("Arrow")) return;
  else if (event.key === "ArrowRight") go(now.step + 1);
  else if (event.key === "ArrowLeft") go(now.step - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(model.steps.length - 1);
  else if (event.key === " " && !pressed) play();
  else if (event.key === "r") choose("shown", now.ranges ? "values" : "ranges");
  else if (event.key === "a") choose("view", now.all ? "step" : "all");
  else if (event.key === "Escape") point(null);
  else return;
  event.preventDefault();
}

picture = new Picture($("stage"), () => FILLED.matches);
$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(now.step - 1));
$("forward").addEventListener("click", () => go(now.step + 1));
$("last").addEventListener("click", () => go(model.steps.length - 1));
$("play").addEventListener("click", play);
$("speed").addEventListener("change", () => {
  if (timer === null) return;
  stop();
  play();
});
$("slider").addEventListener("input", () => go(Number($("slider").value), false));
$("jump").addEventListener("change", () => go(Number($("jump").value)));
for (const input of document.querySelectorAll("input[name=shown], input[name=view]"))
  input.addEventListener("change", () => choose(input.name, input.value));
for (const id of ["mark-banks", "mark-sectors", "mark-races"]) $(id).addEventListener("change", () => redraw());
$("blocks-launch").addEventListener("change", () => showBlocks(Number($("blocks-launch").value)));
$("theme").addEventListener("change", () => {
  if ($("theme").value) document.documentElement.dataset.theme = $("theme").value;
  else delete document.documentElement.dataset.theme;
});
$("stage").addEventListener("pointermove", (event) => {
  const cell = model && picture.at(event.clientX, event.clientY);
  if (cell) point(cell);
});
$("stage").addEventListener("pointerdown", (event) => {
  if (!model) return;
  const cell = picture.at(event.clientX, event.clientY), step = now.all ? picture.stepAt(event.clientY) : null;
  if (step !== null) go(step);
  if (cell) point(cell);
});
window.addEventListener("hashchange", () => { if (model) follow(); });
$("options-button").addEventListener("click", () => {
  const shown = $("options").classList.toggle("open");
  $("options-button").setAttribute("aria-expanded", String(shown));
});
async function take(file) {
  if (!file) return;
  try {
    read(await file.text());
  } catch {
    complain(new Error(`${file.name} cannot be read. Was it changed meanwhile? Open it again.`));
  }
}
$("open").addEventListener("change", () => take($("open").files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
document.addEventListener("keydown", key);
let waiting = null;
window.addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    redraw();
    if (model && now.launch !== null) showBlocks(now.launch);
  }, 80);
});
const inside = $("trace").textContent.trim();
if (inside && inside !== "null") read(inside);
else complain(new Error("Open a trace: make trace LAB=3 PART=scan_blelloch N=8 writes one into build/trace."));
