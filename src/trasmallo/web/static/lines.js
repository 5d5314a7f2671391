// Lines are as long as their words are; what was asked for stands in the middle of what is seen.
const hit = document.querySelector(".lines .right"), box = hit?.closest(".scroll");
if (box) box.scrollLeft = hit.offsetLeft - box.clientWidth / 2;

// Ticks: all that are in sight at once, and with Shift all from the last tick on. Rows come and go while one scrolls; what was
// ticked stays so. Which deed needs which is told by the server.
const form = document.querySelector("form.ticked"), ticked = new Set(), told = document.querySelector("[data-ticked]");
let last = null;

function ticks() { return [...(form?.querySelectorAll("[name=lines]:not([type=hidden])") ?? [])]; }

function keep(tick) {
  if (tick.checked) ticked.add(tick.value); else ticked.delete(tick.value);
  if (told) told.textContent = ticked.size ? told.dataset.text.replace("#", ticked.size) : "";
}

function isInSight(tick) {
  const place = tick.getBoundingClientRect(), frame = box.getBoundingClientRect();
  return place.top >= frame.top && place.bottom <= frame.bottom;
}

document.querySelector("[data-tick-all]")?.addEventListener("change", event => {
  for (const tick of ticks().filter(isInSight)) { tick.checked = event.target.checked; keep(tick); }
});
form?.addEventListener("click", event => {
  if (event.target.name !== "lines") return;
  const list = ticks(), place = list.indexOf(event.target), before = list.findIndex(tick => tick.value === last);
  if (event.shiftKey && before >= 0)
    for (const other of list.slice(Math.min(before, place), Math.max(before, place) + 1)) {
      other.checked = event.target.checked;
      keep(other);
    }
  keep(event.target);
  last = event.target.value;
});
box?.addEventListener("rowsshown", () => { for (const tick of ticks()) tick.checked = ticked.has(tick.value); });

// Lines that were scrolled away are sent, too, and one returns to what was seen.
form?.addEventListener("submit", () => {
  for (const old of form.querySelectorAll("[type=hidden][name=lines]")) old.remove();
  const there = new Set(ticks().map(tick => tick.value));
  for (const value of ticked) if (!there.has(value)) add("lines", value);
  const offset = new URLSearchParams(location.search).get("offset");
  form.querySelector("[name=offset]")?.remove();
  if (offset) add("offset", offset);
});

function add(name, value) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  form.append(field);
}
