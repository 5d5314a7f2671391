// Candidates by keys: arrows or j and k move, a letter judges and goes on, x marks, u takes back.
const desk = document.querySelector("[data-triage]");
if (desk) start(desk);

function start(desk) {
  const base = desk.dataset.triage, keys = JSON.parse(desk.dataset.keys), words = JSON.parse(document.getElementById("app-words").textContent);
  const verdictOf = Object.fromEntries(Object.entries(keys).map(([verdict, key]) => [key, verdict]));
  const rows = [...desk.querySelectorAll("tr[data-word]")], box = desk.querySelector(".scroll");
  const named = Object.fromEntries([...desk.querySelectorAll("[name=verdict]")].map(button => [button.value, button.firstChild.textContent.trim()]));
  const numbers = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: "always" });
  const done = [];
  let current = Math.max(0, rows.findIndex(row => row.getAttribute("aria-current"))), timer = 0, sent = Promise.resolve();

  rows[current]?.scrollIntoView({ block: "nearest" });

  function announce(text) { document.getElementById("announce").textContent = text; }

  function go(number) {
    rows[current]?.removeAttribute("aria-current");
    current = Math.max(0, Math.min(number, rows.length - 1));
    rows[current].setAttribute("aria-current", "true");
    rows[current].scrollIntoView({ block: "nearest" });
    clearTimeout(timer);
    timer = setTimeout(showCard, 120);
  }

  async function showCard() {
    const word = rows[current].dataset.word;
    const run = new URLSearchParams(location.search).get("run") ?? "";
    const answer = await fetch(`${base}/card?${new URLSearchParams({ word, run })}`);
    if (!answer.ok || rows[current].dataset.word !== word) return;
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("card");
    if (found) document.getElementById("card")?.replaceWith(document.adoptNode(found));
    const url = new URL(location.href);
    url.searchParams.set("word", word);
    history.replaceState(history.state, "", url);
  }

  function marked() {
    const chosen = rows.filter(row => row.querySelector("input").checked);
    return chosen.length ? chosen : [rows[current]];
  }

  function add(place, step) {
    if (!place) return;
    const number = Number(place.dataset.number) + step, shown = numbers.format(number);
    place.dataset.number = number;
    place.textContent = !place.dataset.many ? shown : number === 1 ? place.dataset.one : place.dataset.many.replace("#", shown);
  }

  // The tabs, and the rows of this one when a word leaves it or comes back.
  function recount(before, verdict) {
    if (before === verdict) return;
    const here = desk.dataset.shown === "open" ? "" : desk.dataset.shown;
    for (const [name, step] of [[before, -1], [verdict, 1]]) {
      add(document.querySelector(`[data-tab="${name}"]`), step);
      if (name === here) add(document.getElementById("rows"), step);
    }
  }

  function paint(row, verdict) {
    recount(row.dataset.verdict, verdict);
    row.dataset.verdict = verdict;
    row.querySelector(".given").textContent = verdict ? named[verdict] : "";
    row.querySelector("input").checked = false;
  }

  // Verdicts are sent one after the other, so that the last one given is the one that is kept.
  function send(list, verdict) {
    sent = sent.then(async () => {
      const headers = { "Content-Type": "application/json", Accept: "application/json" };
      const answer = await fetch(`${base}/judge`, { method: "POST", headers, body: JSON.stringify({ word: list, verdict }) });
      if (!answer.ok) throw new Error((await answer.json()).error?.problem ?? answer.status);
    });
    return sent.catch(error => { sent = Promise.resolve(); throw error; });
  }

  async function judge(verdict) {
    if ("readOnly" in desk.dataset) return;
    const chosen = marked(), before = chosen.map(row => [row, row.dataset.verdict]), list = chosen.map(row => row.dataset.word);
    chosen.forEach(row => paint(row, verdict));
    done.push(before);
    announce(`${list.length === 1 ? list[0] : list.length}: ${named[verdict]}. ${desk.dataset.said}`);
    if (chosen.length === 1) go(rows.indexOf(chosen[0]) + 1);
    try { await send(list, verdict); } catch (error) {
      before.forEach(([row, old]) => paint(row, old));
      done.splice(done.indexOf(before), 1);
      announce(`${desk.dataset.wrong} ${error.message}`);
    }
  }

  async function undo() {
    const before = done.pop();
    if (!before) return;
    before.forEach(([row, old]) => paint(row, old));
    go(rows.indexOf(before[0][0]));
    announce(desk.dataset.undone);
    const verdicts = new Set(before.map(([, old]) => old));
    for (const old of verdicts) await send(before.filter(pair => pair[1] === old).map(([row]) => row.dataset.word), old);
  }

  desk.querySelector("form").addEventListener("submit", event => {
    event.preventDefault();
    const button = event.submitter;
    if (!button) return;
    if ("undo" in button.dataset) undo(); else judge(button.value);
  });
  desk.querySelector("[data-all]").addEventListener("change", event => {
    rows.forEach(row => { row.querySelector("input").checked = event.target.checked; });
  });
  desk.addEventListener("click", event => {
    const row = event.target.closest("tr[data-word]");
    if (!row || event.target.closest("input") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(rows.indexOf(row));
    box.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 12, PageUp: -12 };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key in steps) go(current + steps[key]);
    else if (key in verdictOf) judge(verdictOf[key]);
    else if (key === "u") undo();
    else if (key === "x") { const field = rows[current].querySelector("input"); field.checked = !field.checked; }
    else return;
    event.preventDefault();
  });
}
