// What is chosen is asked for at once; empty fields stay out of the address.
const form = document.querySelector("[data-again]");

form?.addEventListener("change", event => { if (event.target.matches("[data-submit]")) form.requestSubmit(); });
form?.addEventListener("input", event => {
  if (event.target.type === "range") event.target.nextElementSibling.textContent = event.target.value;
});
form?.addEventListener("submit", () => {
  for (const field of form.elements) if (field.name && field.value === "") field.disabled = true;
});
addEventListener("pageshow", () => { for (const field of form?.elements ?? []) field.disabled = false; });
