"use strict";
// A line of the source that a link names is shown, though its source is folded.
function unfold() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// Tables with the class `sorted`: a button in each head sorts, an input with the same id in data-filters filters.
function key(row, column) {
  const cell = row.cells[column];
  return cell.dataset.key === undefined ? cell.textContent.trim().toLowerCase() : Number(cell.dataset.key);
}
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, {numeric: true});
}
for (const table of document.querySelectorAll("table.sorted")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.setAttribute("aria-sort", other !== head ? "none" : falling ? "descending" : "ascending");
      const rows = [...body.rows].map(row => [key(row, column), row]);
      rows.sort((a, b) => falling ? compare(b[0], a[0]) : compare(a[0], b[0]));
      body.append(...rows.map(pair => pair[1]));
    });
  });
}
for (const input of document.querySelectorAll("input[data-filters]")) {
  const body = document.getElementById(input.dataset.filters).tBodies[0], said = document.getElementById(input.dataset.says);
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    said.textContent = `${shown} of ${body.rows.length} shown`;
  };
  input.addEventListener("input", filter);
  filter();
}
