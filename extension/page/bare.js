// The bare view: only what is shown hangs from the body, as copies; the page itself stays whole and out of sight.
//
// What is typed into a copy is handed on to the field it was copied from, so that nothing typed is lost.
"use strict";
(function (trasmallo) {
  const NAME = "trasmallo-bare", FIELDS = "input, textarea, select";

  // As planned by the core. What is hidden inside of something shown is marked already, and its copy with it. A parent whose
  // only child was left out of the plan is left out too.
  function build(flat, slice, plan) {
    const container = document.createElement(NAME), made = new Map();
    for (const item of plan) {
      const { source, tag, deep } = item;
      made.set(item, source < 0 ? document.createElement(tag) : copyOf(flat, slice, source, deep));
    }
    for (const item of [...plan].reverse()) {
      const copy = made.get(item);
      if (item.deep || copy.hasChildNodes()) (made.get(item.above) ?? container).prepend(copy);
    }
    return container;
  }

  function copyOf(flat, slice, index, deep) {
    const node = flat.nodes[index], ranges = slice.parts.get(index);
    if (ranges) return document.createTextNode(ranges.map(([start, end]) => node.data.slice(start, end)).join(" … "));
    const copy = node.cloneNode(deep);
    if (deep && copy.nodeType === Node.ELEMENT_NODE) joinFields(node, copy);
    return copy;
  }

  function joinFields(node, copy) {
    const from = fieldsOf(node), to = fieldsOf(copy);
    to.forEach((field, place) => {
      handOn(from[place], field);
      field.addEventListener("input", () => handBack(field, from[place]));
    });
  }

  function fieldsOf(node) {
    return [...(node.matches(FIELDS) ? [node] : []), ...node.querySelectorAll(FIELDS)];
  }

  function handOn(from, to) {
    if (to.type === "file") return;
    if (from.type === "checkbox" || from.type === "radio") to.checked = from.checked;
    else to.value = from.value;
  }

  function handBack(copy, original) {
    handOn(copy, original);
    original.dispatchEvent(new Event("input", { bubbles: true }));
    original.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function show(flat, slice, plan, body) {
    clear();
    body.append(build(flat, slice, plan));
  }

  function clear() {
    for (const container of document.querySelectorAll(NAME)) container.remove();
  }

  trasmallo.bare = { show, clear };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
