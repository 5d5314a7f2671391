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

// The builder writes the corpus query as one clicks: a token a part, with as many others before it as wanted.
const builder = document.querySelector("[data-builder] .builder");
if (builder) {
  const query = form.elements.query, add = builder.querySelector("[data-add]"), shown = builder.querySelector("output");
  const within = builder.querySelector("[data-within]");
  // What is typed is text: signs of expressions and quotation marks in it mean themselves.
  const escaped = text => text.replace(/[.*+?^${}()|[\]\\"]/g, "\\$&");
  const quoted = text => text.replace(/["\\]/g, "\\$&");

  function token(part) {
    const field = name => part.querySelector(`[data-${name}]`).value;
    const attribute = field("attribute"), value = field("value").trim();
    const one = {
      is: `${attribute}=="${quoted(value)}"`, not: `${attribute}!="${escaped(value)}"`,
      begins: `${attribute}="${escaped(value)}.*"`, ends: `${attribute}=".*${escaped(value)}"`,
    }[field("relation")];
    return attribute && value ? `[${one}${attribute === "word" && field("relation") !== "not" ? "%c" : ""}]` : "[]";
  }

  function write() {
    const parts = [...builder.querySelectorAll(".part")];
    for (const part of parts) {
      const attribute = part.querySelector("[data-attribute]").value, value = part.querySelector("[data-value]");
      value.disabled = part.querySelector("[data-relation]").disabled = !attribute;
      if (attribute === "pos") value.setAttribute("list", "build-categories"); else value.removeAttribute("list");
    }
    const pieces = parts.map((part, place) => {
      const gap = place ? Number(part.querySelector("[data-gap]").value) : 0;
      return (gap ? `[]{0,${gap}} ` : "") + token(part);
    });
    parts[0]?.querySelector("[data-gap]").toggleAttribute("disabled", true);
    if (!pieces.length) return;
    query.value = pieces.join(" ") + (within.checked && pieces.length > 1 ? " within s" : "");
    shown.textContent = query.value;
  }

  function addPart() {
    add.before(builder.querySelector("template").content.cloneNode(true));
    const part = add.previousElementSibling;
    part.querySelector("[data-remove]").addEventListener("click", () => { part.remove(); write(); add.focus(); });
    part.querySelector("[data-attribute]").focus();
  }
  add.addEventListener("click", addPart);
  builder.addEventListener("input", write);
  builder.addEventListener("change", write);
  builder.addEventListener("keydown", event => {
    if (event.key === "Enter" && event.target.matches("[data-value]")) { event.preventDefault(); form.requestSubmit(); }
  });
}
