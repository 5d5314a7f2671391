// Shows a slice: elements get one attribute, texts that stand alone a wrapper; clearing takes both away and leaves no trace.
//
// Every change is a difference to what is shown already, so a slider may call this for each of its steps.
"use strict";
(function (trasmallo) {
  const { MARK } = trasmallo, { HIDDEN, PARTIAL } = trasmallo.State;
  const WRAPPER = "trasmallo-off", PARTS = "trasmallo-on";
  // In these an element of ours would not be laid out, or would move what is.
  const NO_WRAPPERS = new Set(
    ["table", "tbody", "thead", "tfoot", "tr", "colgroup", "select", "optgroup", "option", "textarea"]);
  const HTML = "http://www.w3.org/1999/xhtml";

  const marked = new Map();
  const wrapped = new Map();

  function setMark(element, value) {
    if (element.getAttribute(MARK) !== value) element.setAttribute(MARK, value);
    marked.set(element, value);
  }

  function takeMark(element) {
    element.removeAttribute(MARK);
    marked.delete(element);
  }

  function canWrap(text) {
    const parent = text.parentNode;
    return parent && (parent.nodeType === 11 || parent.namespaceURI === HTML && !NO_WRAPPERS.has(parent.localName));
  }

  function wrap(text, value) {
    let wrapper = wrapped.get(text);
    if (!wrapper || text.parentNode !== wrapper) {
      if (!canWrap(text)) return;
      wrapper = text.ownerDocument.createElement(WRAPPER);
      text.replaceWith(wrapper);
      wrapper.append(text);
      wrapped.set(text, wrapper);
    }
    wrapper.setAttribute(MARK, value);
  }

  function unwrap(text) {
    const wrapper = wrapped.get(text);
    wrapped.delete(text);
    wrapper.nextSibling?.localName === PARTS && wrapper.nextSibling.remove();
    wrapper.replaceWith(...wrapper.childNodes);
  }

  // A text that is shown in parts stays whole and hidden; a copy in pieces stands behind it.
  function showParts(text, ranges, value) {
    wrap(text, "replaced");
    const wrapper = wrapped.get(text);
    if (!wrapper) return;
    const copy = text.ownerDocument.createElement(PARTS);
    let done = 0;
    for (const [start, end] of [...ranges, [text.data.length, text.data.length]]) {
      if (start > done) copy.append(hiddenPiece(text, done, start, value));
      copy.append(text.data.slice(start, end));
      done = end;
    }
    if (wrapper.nextSibling?.localName === PARTS) wrapper.nextSibling.remove();
    wrapper.after(copy);
  }

  function hiddenPiece(text, start, end, value) {
    const piece = text.ownerDocument.createElement(WRAPPER);
    piece.setAttribute(MARK, value);
    piece.append(text.data.slice(start, end));
    return piece;
  }

  // The element of the page that a text stands in, whatever we put around it; null right in a shadow tree.
  function holderOf(text) {
    return (wrapped.get(text) ?? text).parentElement;
  }

  function isBlank(text) {
    return !/[^ \t\n\r\f]/.test(text);
  }

  // What each node must get: the topmost hidden elements, hidden texts beside something shown, texts shown in parts.
  function plan(page, nodes, states) {
    const elements = [], texts = [], parts = [];
    for (let index = 1; index < nodes.length; index++) {
      const state = states[index];
      if (state === PARTIAL) parts.push(index);
      if (state !== HIDDEN || states[page.parent[index]] === HIDDEN) continue;
      if (page.tag[index] !== "#text") elements.push(nodes[index]);
      else if (!isBlank(page.text[index])) texts.push(nodes[index]);
    }
    return { elements, texts, parts };
  }

  function show(flat, slice, view) {
    const value = view === "keep" ? "veil" : "away";
    const { elements, texts, parts } = plan(flat.page, flat.nodes, slice.states);
    const wanted = new Set(elements), kept = new Set(texts);
    for (const index of parts) kept.add(flat.nodes[index]);
    for (const element of [...marked.keys()]) if (!wanted.has(element)) takeMark(element);
    for (const text of [...wrapped.keys()]) if (!kept.has(text)) unwrap(text);
    for (const element of elements) setMark(element, value);
    for (const text of texts) wrap(text, value);
    for (const index of parts) showParts(flat.nodes[index], slice.parts.get(index), value);
  }

  // Everything we put on the page goes, also what the page's scripts copied or moved elsewhere.
  function clear(roots) {
    for (const element of [...marked.keys()]) takeMark(element);
    for (const text of [...wrapped.keys()]) unwrap(text);
    for (const root of roots) {
      for (const left of root.querySelectorAll(PARTS)) left.remove();
      for (const left of root.querySelectorAll(WRAPPER)) left.replaceWith(...left.childNodes);
      for (const left of root.querySelectorAll(`[${MARK}]`)) left.removeAttribute(MARK);
    }
  }

  trasmallo.views = { show, clear, holderOf, isBlank };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
