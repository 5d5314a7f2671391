// The bare view: only what is shown hangs from the body, as copies; the page itself stays whole and out of sight.
//
// What is typed into a copy is handed on to the field it was copied from, so that nothing typed is lost.
"use strict";
(function (trasmallo) {
  const { ANCESTOR, HIDDEN, PARTIAL, isBlank } = trasmallo.views;
  const NAME = "trasmallo-bare", FIELDS = "input, textarea, select";

  // The topmost shown nodes, in document order.
  function tops(page, states) {
    const found = [];
    for (let index = 1; index < states.length; index++) {
      if (states[index] === HIDDEN || states[index] === ANCESTOR) continue;
      if (states[page.parent[index]] !== ANCESTOR || !isContent(page, index, states)) continue;
      found.push(index);
    }
    return found;
  }

  function isContent(page, index, states) {
    if (page.tag[index] === "#text") return !isBlank(page.text[index]);
    return states[index] === 2 || states[index] === 3;
  }

  // Copies that need the same parent, such as two rows of a table, share its copy.
  function build(flat, slice) {
    const container = document.createElement(NAME);
    let around = [];
    for (const index of tops(flat.page, slice.states)) {
      const chain = missingParents(flat, index);
      const shared = commonLength(around.map(link => link.node), chain);
      around = around.slice(0, shared);
      for (const node of chain.slice(shared)) {
        const copy = node.cloneNode(false);
        (around.at(-1)?.copy ?? container).append(copy);
        around.push({ node, copy });
      }
      (around.at(-1)?.copy ?? container).append(copyOf(flat, slice, index));
    }
    return container;
  }

  function commonLength(left, right) {
    let length = 0;
    while (length < left.length && left[length] === right[length]) length++;
    return length;
  }

  // The parents without which an element such as `li` or `td` is nothing, outermost first.
  function missingParents(flat, index) {
    const { parent, tag } = flat.page, chain = [];
    for (let inner = index; ;) {
      const outer = parent[inner];
      if (outer < 0 || !needsParent(tag[inner], tag[outer])) return chain.reverse();
      chain.push(flat.nodes[outer]);
      inner = outer;
    }
  }

  function needsParent(inner, outer) {
    const parents = trasmallo.kinds.parents;
    return Object.hasOwn(parents, inner) && parents[inner].includes(outer);
  }

  function copyOf(flat, slice, index) {
    const node = flat.nodes[index];
    if (slice.states[index] === PARTIAL) {
      return document.createTextNode(slice.parts.get(index).map(([start, end]) => node.data.slice(start, end)).join(" … "));
    }
    const copy = node.cloneNode(true);
    if (copy.nodeType === 1) joinFields(node, copy);
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

  function show(flat, slice, body) {
    clear();
    body.append(build(flat, slice));
  }

  function clear() {
    for (const container of document.querySelectorAll(NAME)) container.remove();
  }

  trasmallo.bare = { show, clear };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
