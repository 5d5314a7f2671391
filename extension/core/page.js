// A page made ready for slicing, as src/trasmallo/clean/slicing/page.py does it.
//
//   page = {parent: Int32Array, tag: string[], attrs: (null | [name, value][])[], text: string[]}
//   trasmallo.prepare(page) -> prepared
//
// The page is flat and in document order: node 0 is the root element (parent -1), tags are in lower case, "#text" for text
// nodes, whose characters are in `text` ("" for elements); comments and doctypes are left out. What is prepared once serves
// every criterion: folded texts and the places of each word are remembered in it, so that a recount while typing is cheap.
"use strict";
(function (trasmallo) {
  const kinds = trasmallo.kinds;
  const inline = new Set(kinds.inline), silent = new Set(kinds.unread), hollow = new Set(kinds.hollow);
  const unreadAttributes = new Set(kinds.unread_attributes);
  // In which the reader of XML keeps the name of an element and, where they need it, those of its attributes.
  const NAME = "data-element", NAMES = "data-attributes";

  function isBlank(text) {
    for (let place = 0; place < text.length; place++) {
      // No white space stands above the first plane.
      if (trasmallo.classOf(text.charCodeAt(place)) !== trasmallo.SPACE) return false;
    }
    return true;
  }

  // The parts of a text between its blanks.
  function splitBlanks(text) {
    const parts = [];
    let start = -1;
    for (let place = 0; place <= text.length; place++) {
      const blank = place === text.length || trasmallo.classOf(text.charCodeAt(place)) === trasmallo.SPACE;
      if (!blank && start < 0) start = place;
      if (blank && start >= 0) {
        parts.push(text.slice(start, place));
        start = -1;
      }
    }
    return parts;
  }

  function findEnds(parent) {
    const end = new Int32Array(parent.length);
    for (let index = 0; index < end.length; index++) end[index] = index + 1;
    for (let index = end.length - 1; index > 0; index--) {
      if (end[index] > end[parent[index]]) end[parent[index]] = end[index];
    }
    return end;
  }

  function findScope(page) {
    for (let index = 0; index < page.tag.length; index++) {
      if ((page.tag[index] === "body" || page.tag[index] === "frameset") && page.parent[index] === 0) return index;
    }
    return 0;
  }

  function findUnread(page, end, scope) {
    const found = [];
    let done = -1;
    for (let index = scope + 1; index < end[scope]; index++) {
      if (index < done || !(silent.has(page.tag[index]) || hollow.has(page.tag[index]))) continue;
      const start = silent.has(page.tag[index]) ? index : index + 1;
      done = end[index];
      if (start < done) found.push([start, done]);
    }
    return found;
  }

  // A text of a page that would look like a break of ours.
  function noBreak(text) {
    return text === trasmallo.BREAK ? "\ufffd" : text;
  }

  // Text nodes in order, with a break wherever a tag that is no part of a line begins or ends.
  function gatherText(page, end, scope, unread) {
    const pieces = [], first = new Int32Array(page.tag.length), last = new Int32Array(page.tag.length), opened = [];
    const skipped = new Map(unread);
    let pending = false;
    for (let index = scope; index < end[scope];) {
      while (opened.length && end[opened[opened.length - 1]] <= index) {
        const done = opened.pop();
        last[done] = pieces.length;
        pending = pending || !inline.has(page.tag[done]);
      }
      if (skipped.has(index)) {
        index = skipped.get(index);
        continue;
      }
      const tag = page.tag[index];
      first[index] = pieces.length;
      if (tag === "#text") {
        const text = page.text[index];
        if (text && !((pending || !pieces.length) && isBlank(text))) {
          if (pending && pieces.length) {
            pieces.push(trasmallo.BREAK);
            first[index]++;
          }
          pending = false;
          pieces.push(noBreak(text));
        }
      } else if (tag === "br") {
        if (!pending && pieces.length) pieces.push(" ");
      } else if (!inline.has(tag)) {
        pending = true;
      }
      last[index] = pieces.length;
      if (end[index] > index + 1 && !hollow.has(tag)) opened.push(index);
      index++;
    }
    for (const done of opened) last[done] = pieces.length;
    return { pieces, first, last, own: first, folded: new Map() };
  }

  // What an attribute tells of the page: neither data nor code, nor the page's own address in a button that shares it.
  function toldBy(value) {
    if (!value.includes(":") && !value.includes("?")) return value;
    if (/^(?:blob|data|fb-messenger|javascript|mailto|sms|tel|whatsapp):/i.test(value)) return "";
    const query = value.indexOf("?");
    return query >= 0 && /:\/\/|%3a%2f%2f/i.test(value.slice(query)) ? value.slice(0, query) : value;
  }

  // The name of an XML element in its own case, "" for an element of HTML: the reader of XML writes nothing but data-.
  function xmlName(tag, pairs) {
    if (tag !== "div" && tag !== "span" || !pairs || !pairs.every(([name]) => name.startsWith("data-"))) return "";
    const found = pairs.find(([name]) => name === NAME);
    return found ? found[1] : "";
  }

  // The name of an element: in XML as it is written there, otherwise its tag.
  function nameOf(page, node) {
    return xmlName(page.tag[node], page.attrs[node]) || page.tag[node];
  }

  // The attributes of an element that are meant to be read: [name, what it tells, what of it is looked at]. `named` has the
  // name of an XML element among them.
  function attributesTold(tag, pairs, named) {
    if (!pairs) return [];
    if (xmlName(tag, pairs)) return xmlAttributes(pairs, named);
    return pairs
      .filter(([name]) => !unreadAttributes.has(name) && !name.startsWith("on"))
      .map(([name, value]) => [name, toldBy(value)])
      .filter(([, told]) => told)
      .map(([name, told]) => [name, told, [told]]);
  }

  // The attributes of an XML element, whose names are looked at too, in their own case.
  function xmlAttributes(pairs, named) {
    const list = pairs.find(([name]) => name === NAMES), written = list ? splitBlanks(list[1]) : [];
    const own = pairs.filter(([name]) => name !== NAME && name !== NAMES), found = [];
    if (named) for (const [name, value] of pairs) if (name === NAME) found.push([NAME, value, [value]]);
    own.forEach(([key, value], place) => {
      const name = written.length === own.length ? written[place] : key.slice("data-".length), told = toldBy(value);
      found.push([name, told, told ? [name, told] : [name]]);
    });
    return found;
  }

  // Pieces of which each node has some of its own, each with a break after it.
  function gatherOwn(page, end, readable, piecesOf) {
    const size = page.tag.length, pieces = [], counts = new Int32Array(size + 1), last = new Int32Array(size);
    for (let index = 0; index < size; index++) {
      if (readable[index]) for (const piece of piecesOf(index)) pieces.push(noBreak(piece), trasmallo.BREAK);
      counts[index + 1] = pieces.length;
    }
    for (let index = 0; index < size; index++) last[index] = counts[end[index]];
    return { pieces, first: counts.subarray(0, size), last, own: counts.subarray(1), folded: new Map() };
  }

  // What is looked at beside the text, made when it is first wanted: `both` attributes with the names of XML elements,
  // `attributes` without them, `elements` the names of elements alone.
  function besideText(page, end, readable) {
    const made = new Map(), values = (named) => (index) =>
      attributesTold(page.tag[index], page.attrs[index], named).flatMap(([, , pieces]) => pieces);
    const ways = {
      both: values(true), attributes: values(false), elements: (index) => (page.tag[index].startsWith("#") ? [] : [nameOf(page, index)]),
    };
    return (where) => {
      const way = ways[where] ? where : "both";
      if (!made.has(way)) made.set(way, gatherOwn(page, end, readable, ways[way]));
      return made.get(way);
    };
  }

  function prepare(page) {
    if (page.prepared) return page;
    const size = page.tag.length, end = findEnds(page.parent), scope = findScope(page);
    const unread = findUnread(page, end, scope);
    const readable = new Uint8Array(size), isText = new Uint8Array(size), blank = new Uint8Array(size);
    readable.fill(1, scope, end[scope]);
    for (const [start, stop] of unread) readable.fill(0, start, stop);
    for (let index = 0; index < size; index++) {
      if (page.tag[index] !== "#text") continue;
      isText[index] = 1;
      blank[index] = isBlank(page.text[index]) ? 1 : 0;
    }
    return {
      prepared: true, page, size, end, scope, unread, readable, isText, isBlank: blank,
      written: gatherText(page, end, scope, unread), beside: besideText(page, end, readable),
    };
  }

  // How many flagged nodes each node has among itself and its descendants.
  function countInside(prepared, flags) {
    const total = new Int32Array(prepared.size + 1), counts = new Int32Array(prepared.size);
    for (let index = 0; index < prepared.size; index++) total[index + 1] = total[index] + flags[index];
    for (let index = 0; index < prepared.size; index++) counts[index] = total[prepared.end[index]] - total[index];
    return counts;
  }

  Object.assign(trasmallo, { prepare, countInside, isBlank, attributesTold, nameOf, splitBlanks });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
