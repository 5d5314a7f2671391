// The flat form of a page without what nobody reads, as src/trasmallo/clean/flat.py walks a tree.
//
// A page from a DOM has everything; here go what stands inside scripts, styles and templates, and white space that begins a
// line. `origin` has for each node its number in the page that was given, `isTold` says that it told which nodes are hidden.
"use strict";
(function (trasmallo) {
  const { tags, characters } = trasmallo.content;
  const TEXT = "#text";
  const MAX_NODES = 400000, MAX_PATH = 1000;
  const RAW = new Set(tags.raw), FLOWING = new Set([...tags.inline, ...tags.raw, "a"]), BARE = new Set(["html", "head", "body"]);
  const STYLE_HIDES = new RegExp("(?:^|;)_*(?:display_*:_*none|visibility_*:_*hidden)".replaceAll("_", "[ \\t\\n\\r\\f\\v]"), "i");

  function findEnds(parent) {
    const end = new Int32Array(parent.length);
    for (let index = 0; index < end.length; index++) end[index] = index + 1;
    for (let index = end.length - 1; index > 0; index--) {
      if (end[index] > end[parent[index]]) end[parent[index]] = end[index];
    }
    return end;
  }

  // The value of an attribute, null without it.
  function attribute(page, index, name) {
    for (const [key, value] of page.attrs[index] || []) if (key === name) return value;
    return null;
  }

  // Whether a browser without style sheets does not show an element.
  function isHidden(page, index) {
    if (page.tag[index] === "dialog" && attribute(page, index, "open") === null) return true;
    return (page.attrs[index] || []).some(([name, value]) =>
      name === "hidden" || name === "popover" || (name === "style" && STYLE_HIDES.test(value)));
  }

  // Which nodes are read, with their order; `inner` and `until` follow the elements that are open.
  function chooseNodes(page, end, raw) {
    const chosen = [], inner = [];
    let atBreak = true;
    for (let index = 0; index < page.tag.length && chosen.length < MAX_NODES;) {
      while (inner.length && index >= end[inner[inner.length - 1]]) atBreak = !FLOWING.has(page.tag[inner.pop()]) || atBreak;
      const tag = page.tag[index];
      if (tag === TEXT) {
        if (!atBreak || !characters.isBlank(page.text[index])) {
          atBreak = false;
          chosen.push(index);
        }
        index++;
        continue;
      }
      chosen.push(index);
      if (!FLOWING.has(tag)) atBreak = tag !== "pre";
      if (raw.has(tag)) {
        index = end[index];
        continue;
      }
      if (end[index] > index + 1) inner.push(index);
      index++;
    }
    return Int32Array.from(chosen);
  }

  function flatten(page, { scripting = true } = {}) {
    const raw = scripting ? RAW : new Set([...RAW].filter((tag) => tag !== "noscript"));
    const origin = chooseNodes(page, findEnds(page.parent), raw), place = new Int32Array(page.tag.length), size = origin.length;
    const flat = { parent: new Int32Array(size), tag: new Array(size), attrs: new Array(size), text: new Array(size), origin };
    for (let number = 0; number < size; number++) {
      const index = origin[number];
      place[index] = number;
      flat.parent[number] = index ? place[page.parent[index]] : -1;
      flat.tag[number] = page.tag[index];
      flat.attrs[number] = page.attrs[index];
      flat.text[number] = page.text[index];
    }
    flat.end = findEnds(flat.parent);
    flat.isTold = Boolean(page.hidden);
    flat.hidden = findHidden(flat, flat.isTold ? new Set(page.hidden) : null);
    return flat;
  }

  function findHidden(flat, known) {
    const hidden = new Set();
    flat.tag.forEach((tag, index) => {
      if (tag !== TEXT && (known ? known.has(flat.origin[index]) : isHidden(flat, index))) hidden.add(index);
    });
    return hidden;
  }

  // The path of each node, such as /html/body/div[2]/p[1]; that of a text node is its parent's.
  function paths(page) {
    const found = [], ordinals = new Map();
    page.tag.forEach((tag, index) => {
      const above = page.parent[index] >= 0 ? found[page.parent[index]] : "";
      if (tag === TEXT || characters.length(above) > MAX_PATH) found.push(above);
      else if (BARE.has(tag)) found.push(`${above}/${tag}`);
      else {
        const key = `${page.parent[index]} ${tag}`, ordinal = (ordinals.get(key) || 0) + 1;
        ordinals.set(key, ordinal);
        found.push(`${above}/${tag}[${ordinal}]`);
      }
    });
    return found;
  }

  // The characters of each node that are no white space; counted once.
  function seenOf(page) {
    if (!page.seen) page.seen = new Int32Array(page.text.map(characters.countSeen));
    return page.seen;
  }

  function innerText(page, index) {
    return characters.collapse(page.text.slice(index, page.end[index]).join(""));
  }

  trasmallo.content.flat = { TEXT, flatten, attribute, paths, seenOf, innerText };
})(globalThis.trasmallo);
