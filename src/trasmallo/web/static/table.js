// A long table, or the lines of a concordance: only the rows near the eye are in the page, the others are fetched when they
// are scrolled to. Whoever changes rows that come back listens to `rowsshown`.
// Without this script the same rows are a page each, with links to the next.
const MOST_PIXELS = 12e6;     // browsers lose count of pixels beyond 17 million
const MARGIN = 30;            // rows kept above and below those that are seen
const MOST_PAGES = 80;        // pages of rows remembered
const PAUSE = 60;             // milliseconds of rest before rows are asked for

const box = document.querySelector("[data-rows]");
if (box) start(box);

function start(box) {
  const total = Number(box.dataset.rows), size = Number(box.dataset.page);
  const table = box.querySelector("table"), body = table.querySelector("#rows"), width = table.tHead.rows[0].cells.length;
  const height = body.rows[0].getBoundingClientRect().height;
  const whole = Math.min(total * height, MOST_PIXELS);
  const rows = new Map(), asked = new Map(), lines = table.classList.contains("lines");
  const widest = {};
  let timer = 0, telling = 0, grown = false, at = 0;

  document.querySelector("[data-pager]")?.remove();
  const from = Number(box.dataset.from);
  [...body.rows].forEach((row, place) => rows.set(from + place, row));
  const above = gap("before"), below = gap("after");
  if (!lines) keepWidths();
  below.style.height = `${whole}px`;
  if (from) box.scrollTop = from * whole / total;
  draw();
  box.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
  addEventListener("resize", () => requestAnimationFrame(draw));
  // A browser that scrolls smoothly stops where rows change under it.
  box.addEventListener("keydown", event => {
    if (event.target !== box || !["Home", "End"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.scrollTo({ top: event.key === "End" ? box.scrollHeight : 0, behavior: "instant" });
  });

  function gap(where) {
    const part = document.createElement("tbody"), cell = part.insertRow().insertCell();
    part.className = "gap";
    part.setAttribute("aria-hidden", "true");
    cell.colSpan = width;
    if (where === "before") body.before(part); else body.after(part);
    return cell;
  }

  // Columns keep the width they have at first: they do not jump while one scrolls.
  function keepWidths() {
    const widths = [...table.tHead.rows[0].cells].map(cell => cell.getBoundingClientRect().width);
    [...table.tHead.rows[0].cells].forEach((cell, place) => { cell.style.width = `${widths[place]}px`; });
    table.style.tableLayout = "fixed";
  }

  // Sides of lines are as wide as the longest that was seen; the hits stay where they are while one scrolls.
  function growWidths() {
    const side = name => body.querySelector(`.${name}`), left = side("left"), right = side("right");
    if (!left) return;
    for (const [name, cell] of [["left", left], ["right", right]]) {
      const wide = Math.ceil(cell.getBoundingClientRect().width);
      if (wide > (widest[name] ?? 0)) table.style.setProperty(`--${name}`, `${widest[name] = wide}px`);
    }
    table.style.minWidth = `max(100%, ${table.offsetWidth}px)`;  // also while no line is there yet
    if (grown && right.offsetLeft !== at) box.scrollLeft += right.offsetLeft - at;
    at = right.offsetLeft;
    grown = true;
  }

  // The first row that is seen; when all rows are higher than a browser can count, a pixel is more than its share of a row.
  function top() {
    if (whole === total * height) return Math.floor(box.scrollTop / height);
    const share = box.scrollTop / Math.max(1, box.scrollHeight - box.clientHeight);
    return Math.round(share * Math.max(0, total - seen() + 2));
  }

  function seen() { return Math.ceil(box.clientHeight / height) + 1; }

  function draw() {
    const ended = box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
    const first = Math.min(top(), total - 1), low = Math.max(0, first - MARGIN), high = Math.min(total, first + seen() + MARGIN);
    const before = whole === total * height ? low * height : Math.max(0, box.scrollTop - (first - low) * height);
    place(low, high);
    if (lines) growWidths();
    box.dispatchEvent(new CustomEvent("rowsshown"));
    above.style.height = `${before}px`;
    below.style.height = `${Math.max(0, whole - before - (high - low) * height)}px`;
    // Rows that have come may be higher than the blank ones in their places: who looked at the last one still does.
    if (ended) box.scrollTop = box.scrollHeight;
    clearTimeout(timer);
    timer = setTimeout(() => ask(low, high), PAUSE);
    clearTimeout(telling);
    telling = setTimeout(() => tell(first), 400);
  }

  // Rows stay the same elements while they are shown, so that the focus stays where it is.
  function place(low, high) {
    const wanted = [];
    for (let number = low; number < high; number++) wanted.push(rows.get(number) ?? blank(number));
    const keep = new Set(wanted);
    for (const row of [...body.rows]) {
      if (keep.has(row)) continue;
      if (row.contains(document.activeElement)) box.focus({ preventScroll: true });
      row.remove();
    }
    let next = body.firstElementChild;
    for (const row of wanted) {
      if (row === next) next = next.nextElementSibling;
      else body.insertBefore(row, next);
    }
  }

  function blank(number) {
    const row = document.createElement("tr"), cell = row.insertCell();
    row.className = "blank";
    row.style.height = `${height}px`;
    row.setAttribute("aria-rowindex", number + 2);
    cell.colSpan = width;
    cell.textContent = "…";
    return row;
  }

  function ask(low, high) {
    for (let page = Math.floor(low / size); page * size < high; page++) {
      const end = Math.min((page + 1) * size, total);
      let whole = true;
      for (let number = page * size; number < end; number++) whole &&= rows.has(number);
      if (!whole && !asked.has(page)) fetchPage(page);
    }
    for (const [page, control] of asked) {
      if ((page + 2) * size < low || (page - 1) * size > high) control.abort();
    }
    if (rows.size > MOST_PAGES * size) {
      for (const number of rows.keys()) if (Math.abs(number - low) > MOST_PAGES * size / 4) rows.delete(number);
    }
  }

  async function fetchPage(page) {
    const control = new AbortController();
    asked.set(page, control);
    try {
      const answer = await fetch(address(page * size), { signal: control.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const found = new DOMParser().parseFromString(await answer.text(), "text/html");
      [...found.querySelectorAll("#rows > tr")].forEach((row, place) => {
        if (!rows.has(page * size + place)) rows.set(page * size + place, document.adoptNode(row));
      });
      asked.delete(page);
      draw();
    } catch (error) {
      asked.delete(page);
      if (error.name !== "AbortError") setTimeout(draw, 2000);
    }
  }

  function address(offset) {
    const url = new URL(location.href);
    url.searchParams.delete("offset");
    if (offset) url.searchParams.set("offset", offset);
    return url;
  }

  // What is seen is an address, too.
  function tell(first) {
    if (address(first).href !== location.href) history.replaceState(history.state, "", address(first));
  }
}

document.addEventListener("keydown", event => {
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector("[data-slash]")?.focus();
});
