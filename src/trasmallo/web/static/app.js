// What every page can do: copy, tell the time, ask before deleting, and go anywhere by keyboard.
const words = JSON.parse(document.getElementById("app-words").textContent);

function announce(text) {
  const place = document.getElementById("announce");
  place.textContent = "";
  requestAnimationFrame(() => { place.textContent = text; });
}

// The server writes times in its own zone; wherever one comes into a page, it becomes the reader's.
customElements.define("local-time", class extends HTMLElement {
  connectedCallback() {
    this.textContent = new Date(Number(this.dataset.at) * 1000).toLocaleString("sv").slice(0, 16);
    this.title = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }
});

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  const before = button.textContent;
  button.textContent = words.copied;
  announce(words.copied);
  setTimeout(() => { button.textContent = before; }, 1200);
}

document.addEventListener("click", event => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  if (event.target.closest("[data-palette]")) openPalette();
});

// A file fills the field that it names, as far as that has room.
document.addEventListener("change", async ({ target }) => {
  const [file] = target.dataset?.fills ? target.files : [];
  if (!file) return;
  const field = document.getElementById(target.dataset.fills), text = file.size > 4 * field.maxLength ? null : await file.text();
  const fits = text !== null && text.length <= field.maxLength;
  target.setCustomValidity(fits ? "" : target.dataset.long);
  if (fits) field.value = text;
  else target.reportValidity();
});

document.addEventListener("submit", event => {
  const question = event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});

// Who comes back sees what the page was made for: browsers fill forms with what was chosen on leaving it.
addEventListener("pageshow", event => {
  const [visit] = performance.getEntriesByType("navigation");
  if (!event.persisted && visit?.type !== "back_forward") return;
  for (const form of document.querySelectorAll("form[method=get]")) {
    for (const field of form.elements) field.disabled = false;
    form.reset();
  }
});

// The palette
const palette = document.getElementById("palette"), field = palette.querySelector("input");
const options = [...palette.querySelectorAll("[role=option]")];
let chosen = 0;

function shown() { return options.filter(option => !option.hidden); }

function choose(number) {
  const list = shown();
  chosen = Math.max(0, Math.min(number, list.length - 1));
  options.forEach(option => option.setAttribute("aria-selected", String(option === list[chosen])));
  if (list[chosen]) {
    field.setAttribute("aria-activedescendant", list[chosen].id);
    list[chosen].scrollIntoView({ block: "nearest" });
  }
}

function openPalette() {
  field.value = "";
  options.forEach(option => { option.hidden = false; });
  palette.showModal();
  field.focus();
  choose(0);
}

function go(option) { if (option) location.assign(option.dataset.address); }

field.addEventListener("input", () => {
  const parts = field.value.toLowerCase().split(/\s+/);
  options.forEach(option => { option.hidden = !parts.every(part => option.textContent.toLowerCase().includes(part)); });
  choose(0);
});
field.addEventListener("keydown", event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) { event.preventDefault(); choose(chosen + step); }
  if (event.key === "Enter") { event.preventDefault(); go(shown()[chosen]); }
});
palette.addEventListener("click", event => {
  if (event.target === palette) palette.close();
  go(event.target.closest("[role=option]"));
});
document.addEventListener("keydown", event => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { event.preventDefault(); openPalette(); }
});
