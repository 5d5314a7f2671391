// The timetable as it is now: asked for each second while the page is seen; only what changed is replaced.
const EVERY = 1000;
const parts = [...document.querySelectorAll("[data-fresh]")];
let before = new Map(parts.map(part => [part.id, part.innerHTML]));

// What has the focus, said so that it is found again in fresh markup.
function nameOf(element) {
  const form = element?.closest("form");
  if (form) return form.action + new URLSearchParams(new FormData(form));
  return element?.href ?? element?.dataset.copy ?? element?.getAttribute("aria-labelledby");
}

function replace(part, markup) {
  const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  const scrolled = part.querySelector(".scroll")?.scrollLeft;
  part.innerHTML = markup;
  if (scrolled) part.querySelector(".scroll")?.scrollTo(scrolled, 0);
  if (focused) [...part.querySelectorAll("a, button, [tabindex]")].find(element => nameOf(element) === focused)?.focus();
}

async function look() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of parts) {
    const markup = fresh.getElementById(part.id)?.innerHTML ?? "";
    if (markup !== before.get(part.id)) replace(part, markup);
    before.set(part.id, markup);
  }
}

async function watch() {
  if (!document.hidden) await look().catch(() => {}); // the app may be away for a while: what was shown stays
  setTimeout(watch, EVERY);
}

// The zones that the browser knows, once somebody wants one.
document.getElementById("zone")?.addEventListener("focus", () => {
  document.getElementById("zones").append(...Intl.supportedValuesOf("timeZone").map(name => new Option(name)));
}, { once: true });

setTimeout(watch, EVERY);
