// What scrolls can be reached by key.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll("div.highlight pre, .table-wrapper, .math-wrapper")) {
    box.tabIndex = 0;
  }
});
