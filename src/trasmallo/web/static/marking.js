// Names marked in a text: select and press the key of a kind; n goes to the next doubt, a accepts it, x takes a mark out.
// Places are counted in characters as Python counts them, not in units of UTF-16: `units` says where each one begins.
const form = document.querySelector("[data-marking]");
if (form) start(form);

function start(form) {
  const box = document.getElementById("marked"), field = document.getElementById("spans");
  const letters = Array.from(box.textContent), units = [0];
  for (const letter of letters) units.push(units.at(-1) + letter.length);
  const kindOf = Object.fromEntries(Object.entries(JSON.parse(form.dataset.keys)).map(([kind, key]) => [key, kind]));
  let doubts = JSON.parse(form.dataset.doubts).map(([start, end, kind, score]) => ({ start, end, kind, score, doubt: true }));
  let marks = read(), current = null;

  function read() {
    return field.value.split("\n").map(line => line.trim().split(/\s+/)).filter(one => one.length === 3)
      .map(([start, end, kind]) => ({ start: Number(start), end: Number(end), kind }));
  }

  function touches(one, other) { return one.start < other.end && other.start < one.end; }

  function draw() {
    const shown = [...marks, ...doubts.filter(one => !marks.some(mark => touches(one, mark)))].sort((one, other) => one.start - other.start);
    box.replaceChildren();
    let place = 0;
    for (const one of shown) {
      if (one.start < place) continue;
      box.append(letters.slice(place, one.start).join(""));
      const mark = document.createElement("mark");
      mark.textContent = letters.slice(one.start, one.end).join("");
      mark.title = one.kind;
      mark.dataset.kind = one.kind;
      if (one.doubt) mark.dataset.doubt = one.score;
      if (one === current) mark.setAttribute("aria-current", "true");
      mark.addEventListener("click", () => { current = one; draw(); });
      box.append(mark);
      place = one.end;
    }
    box.append(letters.slice(place).join(""));
    box.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  function write() {
    marks.sort((one, other) => one.start - other.start);
    field.value = marks.map(one => `${one.start} ${one.end} ${one.kind}\n`).join("");
    draw();
  }

  // The selection in characters of the text, without blanks at its ends; null without one.
  function selected() {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed || !box.contains(selection.anchorNode)) return null;
    const before = document.createRange(), range = selection.getRangeAt(0);
    before.setStart(box, 0);
    before.setEnd(range.startContainer, range.startOffset);
    const unit = before.toString().length, size = range.toString().length;
    let start = units.findIndex(one => one >= unit), end = units.findIndex(one => one >= unit + size);
    if (end < 0) end = letters.length;
    while (start < end && !letters[start].trim()) start++;
    while (end > start && !letters[end - 1].trim()) end--;
    return start < end ? { start, end } : null;
  }

  function put(kind) {
    const chosen = selected() ?? current;
    if (!chosen) return;
    const made = { start: chosen.start, end: chosen.end, kind };
    marks = [...marks.filter(one => !touches(one, made)), made];
    doubts = doubts.filter(one => !touches(one, made));
    current = made;
    getSelection().removeAllRanges();
    write();
  }

  function remove() {
    if (!current) return;
    marks = marks.filter(one => one !== current);
    doubts = doubts.filter(one => one !== current);
    current = null;
    write();
  }

  function next() {
    current = doubts.reduce((best, one) => (best && best.score <= one.score ? best : one), null);
    draw();
  }

  function accept() {
    if (!current) next();
    if (!current) return;
    put(current.kind);
    next();
  }

  field.addEventListener("change", () => { marks = read(); draw(); });
  for (const button of form.querySelectorAll("[data-kind]")) if (button.tagName === "BUTTON") button.addEventListener("click", () => put(button.dataset.kind));
  form.querySelector("[data-accept]").addEventListener("click", accept);
  form.querySelector("[data-remove]").addEventListener("click", remove);
  form.querySelector("[data-next]").addEventListener("click", next);
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, [contenteditable]")) return;
    const act = kindOf[event.key] ? () => put(kindOf[event.key]) : { a: accept, x: remove, n: next }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  draw();
}
