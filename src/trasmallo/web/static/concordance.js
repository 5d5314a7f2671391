// What is chosen is asked for at once; empty fields stay out of the address.
const form = document.querySelector("[data-again]");

form?.addEventListener("change", event => { if (event.target.matches("[data-submit]")) form.requestSubmit(); });
form?.addEventListener("input", event => {
  if (event.target.type === "range") event.target.nextElementSibling.textContent = event.target.value;
});
form?.addEventListener("submit", () => {
  for (const field of form.elements) if (field.name && field.value === "") field.disabled = true;
});
form?.addEventListener("reset", () => setTimeout(() => {
  for (const field of form.querySelectorAll("[type=range]")) field.nextElementSibling.textContent = field.value;
}));

// Lines are as long as their words are; what was asked for stands in the middle of what is seen.
const hit = document.querySelector(".lines .right"), box = hit?.closest(".scroll");
if (box) box.scrollLeft = hit.offsetLeft - box.clientWidth / 2;
