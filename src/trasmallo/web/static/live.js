// The live view: draws the state that the server sends, five times a second at most, and touches only what changed.
const given = JSON.parse(document.getElementById("live").textContent);
const words = given.words, locale = given.language;
const wait = 500, longest = 15000;

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: "always" });
const NAMES = /`[^`]*`|'[^']*'|\b(?!robots\.txt\b)[\w-]+(?:\.[\w-]+)+|(?<!\S)\/\S+|\d[\d.,:]*\d|\d/g;
// Marks that turn the writing round or cannot be seen; addresses and titles are written by strangers.
const HIDDEN = /[\p{C}\u2028\u2029]/gu;

const $ = id => document.getElementById(id);
const named = (family, name) => words[`${family}.${name}`] ?? name;
const plain = (text, most = 300) => {
  const shown = String(text).slice(0, most + 1).replace(HIDDEN, " ");
  return shown.length > most ? shown.slice(0, most) + "…" : shown;
};
const clock = at => at ? new Date(at * 1000).toLocaleTimeString(locale, { hour12: false }) : "";
const bytes = size => {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let step = 0;
  for (; size >= 1000 && step < 4; step += 1) size /= 1000;
  return `${numbers.format(size)} ${units[step]}`;
};

const phrase = text => text.split(": ").map(part).join(": ");

function part(text) {
  const known = words["phrase." + text.replace(NAMES, "#")], names = text.match(NAMES) ?? [];
  return known ? names.reduce((said, name) => said.replace("#", name), known) : text;
}

function set(node, text) { if (node.textContent !== text) node.textContent = text; }

// Rows that stay where they are; a cell is a text, or {text, title, link, progress, number}.
function draw(id, list, cellsOf) {
  const body = $(id);
  while (body.rows.length > list.length) body.deleteRow(-1);
  list.forEach((item, index) => {
    const row = body.rows[index] ?? body.insertRow();
    cellsOf(item).forEach((cell, place) => fill(row.cells[place] ?? row.insertCell(), cell));
  });
  $(`${id}-none`).hidden = list.length > 0;
  body.closest(".scroll").hidden = list.length === 0;
}

function fill(cell, given) {
  const wanted = typeof given === "string" ? { text: given } : given;
  if (wanted.number) cell.className = "number";
  if (wanted.progress !== undefined) return meter(cell, wanted);
  if (wanted.link) return link(cell, wanted);
  set(cell, wanted.text);
  if (wanted.title !== undefined && cell.title !== wanted.title) cell.title = wanted.title;
  return undefined;
}

function link(cell, wanted) {
  const anchor = cell.querySelector("a") ?? cell.appendChild(document.createElement("a"));
  set(anchor, wanted.text);
  if (anchor.getAttribute("href") !== wanted.link) anchor.setAttribute("href", wanted.link);
}

function meter(cell, { progress, text }) {
  const bar = cell.querySelector("progress") ?? cell.appendChild(document.createElement("progress"));
  const said = cell.querySelector("span") ?? cell.appendChild(document.createElement("span"));
  bar.hidden = progress === null;
  if (progress !== null) { bar.max = 100; bar.value = progress; bar.setAttribute("aria-label", text); }
  set(said, text);
}

function howFar(line) {
  if (line.state !== "downloading" || !line.received) return { progress: null, text: "" };
  if (!line.expected) return { progress: null, text: bytes(line.received) };
  const share = Math.min(100, Math.floor(100 * line.received / line.expected));
  return { progress: share, text: `${share} %` };
}

function lineCells(line) {
  const state = named("line", line.state), cause = line.cause ? phrase(line.cause) : "";
  return [{ text: String(line.line), number: true }, { text: state, title: cause },
    { text: plain(line.url || cause, 160), title: plain(line.url, 500) }, howFar(line)];
}

function agentCells(agent) {
  const what = agent.work === "making a table" ? named("table", agent.what) : plain(agent.what, 160);
  return [{ text: String(agent.process), number: true }, named("agent", agent.work), clock(agent.since),
    { text: what + (agent.more ? ` (+${numbers.format(agent.more)})` : ""), title: plain(agent.what, 500) }];
}

function hostCells(host) {
  const until = host.until ? ` ${words["live.until"]} ${clock(host.until)}` : "";
  return [{ text: plain(host.host, 80), link: `${given.pending}?host=${encodeURIComponent(host.host)}` },
    { text: numbers.format(host.queued), number: true }, (host.reason ? phrase(host.reason) : "") + until];
}

function incidentCells(incident) {
  const family = incident.kind === "Dropped" ? "drop" : "outcome";
  const what = incident.what ? named(family, incident.what) : "";
  return [clock(incident.at), named("event", incident.kind) + (what ? `: ${what}` : ""),
    { text: plain(incident.url, 160), title: plain(incident.url, 500) }, plain(phrase(incident.cause ?? ""), 300)];
}

function show(state) {
  const mark = $("state").querySelector(".state"), name = state.state || "none";
  set(mark, named("state", name));
  mark.className = `state state-${name}`;
  set($("run"), state.run);
  set($("kind"), state.kind ? named("kind", state.kind) : "");
  set($("note"), note(state));
  for (const place of document.querySelectorAll("[data-count]")) set(place, count(place.dataset.count, state));
  draw("lines", state.lines, lineCells);
  draw("hosts", state.hosts, hostCells);
  draw("incidents", state.incidents, incidentCells);
  draw("agents", state.agents, agentCells);
  offer(state);
  point(state);
}

function note(state) {
  if (state.error) return state.error === given.state.error ? given.error : state.error;
  if (state.stopping) return words["live.stopping"];
  if (state.waiting) return phrase(state.waiting);
  if (state.process && Number.isInteger(state.counts.remade)) {
    return `${words["live.remade"]} ${numbers.format(state.counts.remade)} / ${numbers.format(state.counts.obtained ?? 0)}`;
  }
  if (state.ended) return `${words["live.ended"]} ${named("ended", state.ended)}`;
  return state.process && !state.run ? words["live.starting"] : "";
}

// Of what waits there is a number among the counts, and a sentence beside them.
function count(name, state) {
  if (name === "received") return bytes(state.counts.received ?? 0);
  return numbers.format(["speed", "answers", "memory"].includes(name) ? state[name] : state.counts[name] ?? 0);
}

// Which actions make sense now.
function offer(state) {
  $("left").hidden = !state.left || state.process > 0;
  const busy = state.process > 0, halted = ["stopped", "interrupted"].includes(state.state), visits = state.kind === "revisit";
  const limited = !visits && state.state === "finished" && state.ended && state.counts.waiting > 0;
  const left = state.left && !(halted && visits), open = limited || halted || left, revisit = !busy && halted && visits;
  const sense = {
    run: !busy && !revisit, revisit, "copy-revisit": revisit, again: !busy && open, pause: busy && !state.paused && !state.stopping, resume: busy && state.paused,
    stop: busy && !state.stopping, finish: busy, "copy-run": !busy && !revisit, "copy-pause": busy && !state.paused,
    "copy-resume": busy && state.paused, "copy-stop": busy,
  };
  for (const place of document.querySelectorAll("[data-when]")) place.hidden = !sense[place.dataset.when];
  const button = document.querySelector("[data-label-run]");
  if (button) set(button, open ? button.dataset.labelResume : button.dataset.labelRun);
}

// The curves: points of the past, then one a second.
const points = given.pace.map(point => [point.at, point.obtained, point.studied, point.memory]);
let drawnAt = 0, plots = null;

function rates(place) {
  const found = [];
  for (let at = 1; at < points.length; at += 1) {
    const seconds = points[at][0] - points[at - 1][0];
    found.push(seconds > 0 ? Math.max(0, (points[at][place] - points[at - 1][place]) / seconds) : 0);
  }
  return found;
}

function curves() {
  const at = points.slice(1).map(point => point[0]);
  return { speed: [at, rates(1), rates(2)], memory: [at, points.slice(1).map(point => point[3])] };
}

function colour(name) {
  // A variable may hold light-dark(), which only an element's own colour resolves.
  const probe = document.body.appendChild(document.createElement("i"));
  probe.className = `ink-${name}`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

// Without a pointer the legend tells the last point; without a point it is not there.
function showLast(plot) {
  const last = plot.data[0].length - 1;
  plot.root.classList.toggle("no-points", last < 0);
  if (plot.cursor.idx == null && last >= 0) plot.setLegend({ idx: last }, false);
}

function plot(id, series, data) {
  const soft = colour("soft"), line = colour("line"), place = $(id);
  const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: "11px system-ui" };
  const time = (_plot, values) => values.map(clock), amounts = (_plot, values) => values.map(numbers.format);
  const told = series.map(one => ({ ...one, value: (_plot, amount) => amount == null ? "" : numbers.format(amount) }));
  const options = {
    width: place.clientWidth, height: 150, series: [{ label: words["live.time"], value: (_plot, at) => clock(at) }, ...told],
    axes: [{ ...axis, values: time, space: 70 }, { ...axis, values: amounts, size: 46 }], scales: { y: { range: (_plot, _low, high) => [0, high || 1] } },
    cursor: { y: false }, legend: { live: true }, hooks: { setData: [showLast], setCursor: [showLast] },
  };
  return new window.uPlot(options, data, place);
}

function makePlots() {
  plots?.forEach(one => one.destroy());
  const data = curves(), accent = colour("accent"), warn = colour("warn");
  plots = [
    plot("speed", [{ label: words["live.fetched"], stroke: accent, width: 2 },
      { label: words["live.studied"], stroke: warn, width: 2, dash: [6, 4] }], data.speed),
    plot("memory", [{ label: "MB", stroke: accent, width: 2 }], data.memory),
  ];
}

function point(state) {
  const last = points.at(-1)?.[0] ?? 0;
  if (!state.process || state.at < last + 1) return;
  points.push([state.at, state.counts.obtained ?? 0, state.counts.studied ?? 0, state.memory]);
  if (points.length > 600) points.splice(0, points.length - 600);
  if (performance.now() - drawnAt < 900 || document.hidden) return;
  drawnAt = performance.now();
  const data = curves();
  plots?.[0].setData(data.speed);
  plots?.[1].setData(data.memory);
}

// The connection: the browser tries again by itself, but not after an answer that is no stream. What is back soon was not lost.
let again = wait, telling = 0;
function connect() {
  const source = new EventSource(given.events);
  source.onmessage = event => {
    again = wait;
    clearTimeout(telling);
    show(JSON.parse(event.data));
  };
  source.onerror = () => {
    clearTimeout(telling);
    telling = setTimeout(() => set($("note"), words["live.lost"]), 1000);
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(connect, again);
    again = Math.min(longest, again * 2);
  };
}

makePlots();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", makePlots);
addEventListener("resize", () => {
  plots.forEach(one => one.setSize({ width: one.root.parentElement.clientWidth, height: 150 }));
});
show(given.state);
connect();
