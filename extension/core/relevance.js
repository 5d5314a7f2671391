// Where words appear, which nodes satisfy a criterion, and why: as matching.py and relevance.py have it.
//
//   trasmallo.findRelevant(prepared, tree, reading) -> {nodes: Int32Array, reasons: Uint8Array}
//   reading = {where: "both" | "text" | "attributes" | "elements", case: false, accents: false, part: false}
"use strict";
(function (trasmallo) {
  const Reason = Object.freeze({ IRRELEVANT: 0, ATTRIBUTES: 1, TOGETHER: 2, CHILDREN: 3, TEXT: 4, NAME: 5 });
  const readsText = ({ where }) => where === "text" || where === "both";

  function foldPieces(source, reading) {
    const key = (reading.case ? 1 : 0) + (reading.accents ? 2 : 0);
    let found = source.folded.get(key);
    if (!found) {
      const folding = trasmallo.folding(!reading.case, !reading.accents);
      const pieces = source.pieces.map((piece) => (piece === trasmallo.BREAK ? piece : folding.fold(piece)));
      const offset = new Int32Array(pieces.length + 1);
      for (let k = 0; k < pieces.length; k++) offset[k + 1] = offset[k] + pieces[k].length;
      found = { text: pieces.join(""), offset, folding, words: new Map() };
      source.folded.set(key, found);
    }
    return found;
  }

  // Where the parts stand one after the other from a place on, with blanks between them; -1 when they do not.
  function endOf(text, parts, start) {
    let place = start + parts[0].length;
    for (let k = 1; k < parts.length; k++) {
      const before = place;
      while (place < text.length && trasmallo.classOf(text.charCodeAt(place)) === trasmallo.SPACE) place++;
      if (place === before || !text.startsWith(parts[k], place)) return -1;
      place += parts[k].length;
    }
    return place;
  }

  function fits(text, start, end, head, tail) {
    const WORD = trasmallo.WORD;
    if (!head && trasmallo.classBefore(text, start) === WORD && trasmallo.classAt(text, start) === WORD) return false;
    return tail || trasmallo.classAt(text, end) !== WORD || trasmallo.classBefore(text, end) !== WORD;
  }

  function findAll(text, needle, head, tail) {
    const parts = trasmallo.splitBlanks(needle), starts = [], ends = [];
    let start = parts.length ? text.indexOf(parts[0]) : -1;
    while (start >= 0) {
      const end = endOf(text, parts, start);
      const fit = end >= 0 && fits(text, start, end, head, tail);
      if (fit) {
        starts.push(start);
        ends.push(end);
      }
      start = text.indexOf(parts[0], fit ? end : start + 1);
    }
    return { starts, ends };
  }

  // A word and its forms as a folded text has them, each once, the longest first.
  function needlesOf(word, folding) {
    const found = new Set([word.text, ...word.forms].map((text) => folding.fold(text)));
    return [...found].sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
  }

  // Where one of several words stands; where several begin, the first of the list.
  function findAny(text, needles, head, tail) {
    const search = new RegExp(needles.map((needle) => needle.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|"), "g");
    const starts = [], ends = [];
    for (let match = search.exec(text); match; match = search.exec(text)) {
      const start = match.index, end = start + match[0].length;
      if (fits(text, start, end, head, tail)) {
        starts.push(start);
        ends.push(end);
      } else search.lastIndex = start + 1;
    }
    return { starts, ends };
  }

  // The places of a word, and for the start of each piece how many places begin before it and end until it.
  function findWord(folded, word, part) {
    const key = (part ? "p" : "") + trasmallo.wordKey(word);
    let found = folded.words.get(key);
    if (!found) {
      const head = part || word.head, tail = part || word.tail;
      found = word.forms.length
        ? findAny(folded.text, needlesOf(word, folded.folding), head, tail)
        : findAll(folded.text, folded.folding.fold(word.text), head, tail);
      const { starts, ends } = found, size = folded.offset.length;
      if (starts.length) {
        const before = new Int32Array(size), until = new Int32Array(size);
        for (let k = 0, s = 0, e = 0; k < size; k++) {
          while (s < starts.length && starts[s] < folded.offset[k]) s++;
          while (e < ends.length && ends[e] <= folded.offset[k]) e++;
          before[k] = s;
          until[k] = e;
        }
        Object.assign(found, { before, until });
      }
      folded.words.set(key, found);
    }
    return found;
  }

  // Where the text of a page has one of the words: [match, node, from, to] for each stretch of a text node, in order and in
  // UTF-16 units; a match over several nodes has several stretches. Of matches that overlap, the first.
  function findMarks(prepared, words, options) {
    const reading = readingOf(options || {}), { written, isText, size, page } = prepared;
    const folded = foldPieces(written, reading), { offset, folding } = folded, nodeOf = new Map(), places = [], marks = [];
    for (let node = 0; node < size; node++) {
      if (isText[node] && written.last[node] > written.first[node]) nodeOf.set(written.first[node], node);
    }
    for (const word of words) {
      const { starts, ends } = findWord(folded, word, reading.part);
      starts.forEach((start, k) => places.push([start, ends[k]]));
    }
    places.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    let number = 0, done = 0, piece = 0, last = -1, moved = null;
    for (const [start, end] of places) {
      if (start < done) continue;
      done = end;
      while (offset[piece + 1] <= start) piece++;
      for (let k = piece; k < offset.length - 1 && offset[k] < end; k++) {
        const low = Math.max(start, offset[k]) - offset[k], high = Math.min(end, offset[k + 1]) - offset[k];
        if (!nodeOf.has(k) || low >= high) continue;
        if (nodeOf.get(k) !== last) {
          last = nodeOf.get(k);
          moved = folding.places(page.text[last]);
        }
        marks.push([number, last, moved[low], moved[high]]);
      }
      number++;
    }
    return marks;
  }

  // The attributes of a node and its descendants that have one of the words: [tag, name, value] each, in order.
  function findAttributes(prepared, words, options, node) {
    const reading = readingOf(options || {}), counts = makeCounts(prepared, reading), { page, end } = prepared, found = [];
    const { folding } = foldPieces(prepared.beside(reading.where), reading), named = readsText(reading);
    for (let index = node; index < end[node]; index++) {
      if (!words.some((word) => counts.inOwnAttributes(word, index))) continue;
      for (const [name, told, pieces] of trasmallo.attributesTold(page.tag[index], page.attrs[index], named)) {
        const text = pieces.map((piece) => folding.fold(piece)).join(trasmallo.BREAK);
        const folded = { text, offset: Int32Array.of(0), folding, words: new Map() };
        if (words.some((word) => findWord(folded, word, reading.part).starts.length)) found.push([trasmallo.nameOf(page, index), name, told]);
      }
    }
    return found;
  }

  // A function that says how often a word is between two pieces.
  function counter(source, reading, word) {
    const found = findWord(foldPieces(source, reading), word, reading.part);
    if (!found.starts.length) return null;
    const { before, until } = found;
    return (first, last) => (until[last] > before[first] ? until[last] - before[first] : 0);
  }

  function makeCounts(prepared, reading) {
    const { size, written } = prepared;

    function addAll(counts, source, word) {
      const count = counter(source, reading, word);
      if (count) for (let index = 0; index < size; index++) counts[index] += count(source.first[index], source.last[index]);
    }

    // For every node: how often a word is where it is looked for, descendants included.
    function inContent(word) {
      const counts = new Int32Array(size);
      if (readsText(reading)) addAll(counts, written, word);
      if (reading.where !== "text") addAll(counts, prepared.beside(reading.where), word);
      return counts;
    }

    function inText(word, node) {
      const count = counter(written, reading, word);
      return count ? count(written.first[node], written.last[node]) : 0;
    }

    function inOwnText(word, node) {
      let total = inText(word, node);
      for (let child = node + 1; child < prepared.end[node] && total; child = prepared.end[child]) {
        if (prepared.readable[child] && !prepared.isText[child]) total -= inText(word, child);
      }
      return total;
    }

    function inOwnAttributes(word, node) {
      const beside = prepared.beside(reading.where), count = counter(beside, reading, word);
      return count ? count(beside.first[node], beside.own[node]) : 0;
    }

    return { inContent, inText, inOwnText, inOwnAttributes };
  }

  // For every node whether a criterion holds.
  function holdsAll(tree, size, count) {
    const flags = new Uint8Array(size);
    if (tree.op === "word") {
      const counts = count(tree);
      for (let index = 0; index < size; index++) flags[index] = counts[index] > 0 ? 1 : 0;
    } else if (tree.op === "not") {
      const inner = holdsAll(tree.item, size, count);
      for (let index = 0; index < size; index++) flags[index] = 1 - inner[index];
    } else if (tree.op === "min" || tree.op === "max") {
      const total = new Float64Array(size);
      for (const word of tree.words) {
        const counts = count(word);
        for (let index = 0; index < size; index++) total[index] += counts[index];
      }
      const least = tree.op === "min";
      for (let index = 0; index < size; index++) flags[index] = (least ? total[index] >= tree.times : total[index] <= tree.times) ? 1 : 0;
    } else {
      flags.set(holdsAll(tree.items[0], size, count));
      for (const item of tree.items.slice(1)) {
        const other = holdsAll(item, size, count);
        if (tree.op === "and") for (let index = 0; index < size; index++) flags[index] &= other[index];
        else if (tree.op === "or") for (let index = 0; index < size; index++) flags[index] |= other[index];
        else for (let index = 0; index < size; index++) flags[index] ^= other[index];
      }
    }
    return flags;
  }

  // The same for one node.
  function holds(tree, count) {
    switch (tree.op) {
      case "word": return count(tree) > 0;
      case "not": return !holds(tree.item, count);
      case "min": return tree.words.reduce((total, word) => total + count(word), 0) >= tree.times;
      case "max": return tree.words.reduce((total, word) => total + count(word), 0) <= tree.times;
      case "and": return tree.items.every((item) => holds(item, count));
      case "or": return tree.items.some((item) => holds(item, count));
      default: return tree.items.reduce((odd, item) => odd !== holds(item, count), false);
    }
  }

  function explain(tree, reading, counts, node) {
    const byText = readsText(reading), byValue = reading.where !== "text";
    const text = byText && holds(tree, (word) => counts.inText(word, node));
    if (!text && byValue && holds(tree, (word) => counts.inOwnAttributes(word, node))) {
      return reading.where === "elements" ? Reason.NAME : Reason.ATTRIBUTES;
    }
    if (text) return holds(tree, (word) => counts.inOwnText(word, node)) ? Reason.TEXT : Reason.CHILDREN;
    const both = (word) => counts.inText(word, node) + counts.inOwnAttributes(word, node);
    return byText && byValue && holds(tree, both) ? Reason.TOGETHER : Reason.CHILDREN;
  }

  // The nodes that may be relevant: elements that are read and have something to look at.
  function candidates(prepared, reading) {
    const { size, readable, isText, isBlank } = prepared, beside = reading.where === "text" ? null : prepared.beside(reading.where);
    const texts = new Uint8Array(size), flags = new Uint8Array(size);
    for (let index = 0; index < size; index++) texts[index] = isText[index] && !isBlank[index] && readable[index] ? 1 : 0;
    const written = trasmallo.countInside(prepared, texts);
    for (let index = 0; index < size; index++) {
      if (!readable[index] || isText[index]) continue;
      const byText = readsText(reading) && written[index] > 0;
      const byValue = beside && beside.last[index] > beside.first[index];
      flags[index] = byText || byValue ? 1 : 0;
    }
    return flags;
  }

  function readingOf(step) {
    return { where: step.where || "both", case: !!step.case, accents: !!step.accents, part: !!step.part };
  }

  function findRelevant(prepared, tree, options) {
    const reading = readingOf(options || {}), counts = makeCounts(prepared, reading);
    const satisfied = holdsAll(tree, prepared.size, counts.inContent);
    const possible = candidates(prepared, reading);
    for (let index = 0; index < prepared.size; index++) satisfied[index] &= possible[index];
    const inside = trasmallo.countInside(prepared, satisfied), nodes = [];
    for (let index = 0; index < prepared.size; index++) if (satisfied[index] && inside[index] === 1) nodes.push(index);
    return { nodes: Int32Array.from(nodes), reasons: Uint8Array.from(nodes, (node) => explain(tree, reading, counts, node)) };
  }

  Object.assign(trasmallo, { Reason, findRelevant, findMarks, findAttributes, foldPieces, findWord, needlesOf, readingOf, readsText });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
