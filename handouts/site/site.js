// What scrolls can be reached by key.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll("div.highlight pre, .table-wrapper, .math-wrapper")) {
    box.tabIndex = 0;
  }
  // The theme's two asides need names, so that screen readers can tell them apart.
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "This page");
});

// A search result shows the words around the first match. TEXTS has the text of each section and is on the search page only.
const AROUND = 110; // characters on each side of a match

function excerptOf(href, words) {
  const [page, anchor = ""] = href.split("?")[0].split("/").pop().split("#"), sections = TEXTS[page.replace(/\.html$/, "")];
  if (!sections) return null;
  const texts = anchor in sections ? [sections[anchor], ...Object.values(sections)] : Object.values(sections);
  for (const word of words) {
    for (const text of texts) {
      const at = text.toLowerCase().indexOf(word);
      if (at < 0) continue;
      const box = document.createElement("p"), mark = document.createElement("mark"), end = at + word.length;
      box.className = "excerpt";
      mark.textContent = text.slice(at, end);
      box.append((at > AROUND ? "…" : "") + text.slice(Math.max(0, at - AROUND), at), mark,
                 text.slice(end, end + AROUND) + (text.length > end + AROUND ? "…" : ""));
      return box;
    }
  }
  return null;
}

document.addEventListener("DOMContentLoaded", () => {
  const results = document.getElementById("search-results");
  if (!results || typeof TEXTS === "undefined") return;
  const asked = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().trim();
  const words = [asked, ...asked.split(/\s+/)].filter(Boolean); // the whole phrase first
  new MutationObserver(() => {
    for (const item of results.querySelectorAll("ul.search li:not([data-seen])")) {
      item.dataset.seen = "";
      const excerpt = excerptOf(item.querySelector("a")?.getAttribute("href") ?? "", words);
      if (excerpt) item.append(excerpt);
    }
  }).observe(results, {childList: true, subtree: true});
});
