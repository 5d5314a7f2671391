// Lines are as long as their words are; what was asked for stands in the middle of what is seen.
const hit = document.querySelector(".lines .right"), box = hit?.closest(".scroll");
if (box) box.scrollLeft = hit.offsetLeft - box.clientWidth / 2;

// Ticks: all of the page at once, and with Shift all from the last tick on. Which deed needs which is told by the server.
const ticks = [...document.querySelectorAll("[name=lines]")];
let last = -1;
document.querySelector("[data-tick-all]")?.addEventListener("change", event => {
  for (const tick of ticks) tick.checked = event.target.checked;
});
for (const [place, tick] of ticks.entries()) tick.addEventListener("click", event => {
  if (event.shiftKey && last >= 0)
    for (const other of ticks.slice(Math.min(last, place), Math.max(last, place) + 1)) other.checked = tick.checked;
  last = place;
});
