// SPDX-License-Identifier: Apache-2.0
// Search of the documentation site. The index is loaded when the search field gets the focus for the first time.
"use strict";
(() => {
  const root = document.documentElement.dataset.root;
  const input = document.getElementById("search");
  const list = document.getElementById("results");
  const maxResults = 30;
  let index = null;
  let selected = -1;

  function load() {
    if (index) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = root + "/search-index.js";
      script.onload = () => {
        index = window.pintleIndex.map((entry) => ({
          entry,
          title: entry.t.toLowerCase(),
          last: entry.t.toLowerCase().split("::").pop(),
          text: ((entry.p || "") + " " + entry.s).toLowerCase(),
        }));
        resolve();
      };
      script.onerror = reject;
      document.head.append(script);
    });
  }

  // The relevance of an entry, or 0 if one of the words is missing.
  function score(item, words) {
    let sum = 0;
    for (const word of words) {
      if (item.title === word || item.last === word) sum += 100;
      else if (item.title.startsWith(word) || item.last.startsWith(word)) sum += 60;
      else if (item.title.includes(word)) sum += 40;
      else if (item.text.includes(word)) sum += 10;
      else return 0;
    }
    if (item.title === words.join(" ")) sum += 100;
    const bonus = { page: 15, section: 10, api: 0 }[item.entry.k];
    return sum + bonus - Math.min(item.title.length, 80) / 10;
  }

  function find(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    return index
      .map((item) => ({ item, points: score(item, words) }))
      .filter((found) => found.points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, maxResults)
      .map((found) => ({ ...found.item.entry, excerpt: excerpt(found.item, words) }));
  }

  // The part of the text around the first word that occurs in it.
  function excerpt(item, words) {
    const text = item.entry.s;
    const lower = text.toLowerCase();
    const at = Math.max(0, ...words.slice(0, 1).map((word) => lower.indexOf(word)));
    const begin = at < 60 ? 0 : text.indexOf(" ", at - 50) + 1;
    return (begin > 0 ? "… " : "") + text.slice(begin, begin + 150) + (text.length > begin + 150 ? " …" : "");
  }

  function marked(parent, text, words) {
    const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    for (const [at, part] of text.split(new RegExp(`(${pattern})`, "gi")).entries()) {
      const node = at % 2 ? document.createElement("mark") : document.createTextNode(part);
      if (at % 2) node.textContent = part;
      parent.append(node);
    }
  }

  function show() {
    const query = input.value.trim();
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = find(query);
    list.replaceChildren();
    selected = -1;
    list.hidden = words.length === 0;
    for (const entry of found) {
      const row = document.createElement("li");
      const link = document.createElement("a");
      const title = document.createElement("b");
      const about = document.createElement("small");
      link.href = root + "/" + entry.u;
      marked(title, entry.p ? `${entry.p}: ${entry.t}` : entry.t, words);
      marked(about, entry.excerpt, words);
      link.append(title, about);
      row.append(link);
      list.append(row);
    }
    if (found.length === 0 && words.length > 0) {
      const row = document.createElement("li");
      row.className = "none";
      row.textContent = "Nothing found";
      list.append(row);
    }
  }

  function select(step) {
    const links = [...list.querySelectorAll("a")];
    if (links.length === 0) return;
    selected = (selected + step + links.length) % links.length;
    links.forEach((link, at) => link.setAttribute("aria-selected", String(at === selected)));
    links[selected].scrollIntoView({ block: "nearest" });
  }

  input.addEventListener("focus", () => load().then(show));
  input.addEventListener("input", () => load().then(show));
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") select(1);
    else if (event.key === "ArrowUp") select(-1);
    else if (event.key === "Escape") list.hidden = true;
    else if (event.key === "Enter") (list.querySelectorAll("a")[Math.max(selected, 0)] || input).click();
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", () => { list.hidden = true; });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) list.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
})();
