// Which nodes, and which parts of texts, a tolerance takes in around the relevant nodes: as extent.py has it.
"use strict";
(function (trasmallo) {
  // The first place in a sorted array whose number is not below (or, `after`, above) a given one.
  function search(numbers, wanted, after) {
    let low = 0, high = numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (after ? numbers[middle] <= wanted : numbers[middle] < wanted) low = middle + 1; else high = middle;
    }
    return low;
  }

  // The words that a stretch of the text touches.
  function wordsBetween(units, start, end) {
    const found = [];
    for (let word = search(units.end, start, true); word < search(units.start, end, false); word++) found.push(word);
    return found;
  }

  function placesOf(folded, words, part) {
    const places = [];
    for (const word of words) {
      const { starts, ends } = trasmallo.findWord(folded, word, part);
      starts.forEach((start, k) => places.push([start, ends[k]]));
    }
    return places.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  }

  // The words that were found inside the relevant nodes, and the nodes that none was found in: they are taken whole.
  function findSeeds(prepared, folded, units, words, nodes, reading) {
    const places = !trasmallo.readsText(reading) ? [] : placesOf(folded, words, reading.part);
    const starts = places.map((place) => place[0]), seeds = new Map(), whole = [];
    for (const node of nodes) {
      const low = folded.offset[prepared.written.first[node]], high = folded.offset[prepared.written.last[node]];
      let reached = [];
      for (let k = search(starts, low, false); k < search(starts, high, false); k++) {
        if (places[k][1] <= high) reached.push(...wordsBetween(units, places[k][0], places[k][1]));
      }
      if (!reached.length) {
        whole.push(node);
        reached = wordsBetween(units, low, high);
      }
      for (const word of reached) seeds.set(word, 0);
    }
    return { seeds, whole };
  }

  // Words of related meaning become seeds at their distance; gives what each word of the text weighs, and these words.
  function addMeaning(folded, units, seeds, words, meaning) {
    const related = meaning.relate(words.map((word) => word.text)), known = new Map(), met = new Map();
    const weights = units.start.map((start, place) => {
      const word = folded.text.slice(start, units.end[place]);
      if (!known.has(word)) known.set(word, [meaning.weigh(word), meaning.distance(word, related)]);
      const [weight, distance] = known.get(word);
      if (distance && weight && !seeds.has(place)) {
        seeds.set(place, distance);
        met.set(word, distance);
      }
      return weight;
    });
    return { weights, met };
  }

  // The ranges of a text node's own characters that ranges of the folded text reach.
  function partOf(prepared, folded, node, ranges, ends) {
    const piece = prepared.written.first[node], text = prepared.page.text[node];
    const low = folded.offset[piece], high = folded.offset[piece + 1], found = [];
    let places = null;
    for (let k = search(ends, low, true); k < ranges.length && ranges[k][0] < high; k++) {
      places = places || folded.folding.places(text);
      const start = Math.max(ranges[k][0], low) - low;
      found.push([start ? places[start] : 0, places[Math.min(ranges[k][1], high) - low]]);
    }
    return found;
  }

  function isRestBlank(text, taken) {
    let from = 0, rest = "";
    for (const [start, end] of taken) {
      rest += text.slice(from, start);
      from = end;
    }
    return trasmallo.isBlank(rest + text.slice(from));
  }

  // The text nodes that ranges of the folded text reach, and the elements all of whose text is reached.
  function take(prepared, folded, ranges, covered, most) {
    const { size, written, isText, isBlank, readable, page } = prepared;
    const parts = new Map(), full = covered.slice(), texts = new Uint8Array(size);
    const ends = ranges.map((range) => range[1]);
    for (let node = 0; node < size; node++) {
      if (!isText[node] || isBlank[node] || !readable[node]) continue;
      const low = folded.offset[written.first[node]], high = folded.offset[written.last[node]];
      // A text of which folding leaves nothing but blanks goes with the element around it, as pictures do.
      texts[node] = trasmallo.isBlank(folded.text.slice(low, high)) ? 0 : 1;
      if (!texts[node] || covered[node]) continue;
      const taken = partOf(prepared, folded, node, ranges, ends);
      if (taken.length && isRestBlank(page.text[node], taken)) full[node] = 1;
      else if (taken.length) parts.set(node, taken);
    }
    return { whole: complete(prepared, texts, full), parts, most };
  }

  // The same nodes and the elements all of whose texts are among them; pictures and the like go with what is around them.
  function complete(prepared, texts, full) {
    const { size, scope, end, page } = prepared, both = texts.map((flag, node) => flag & full[node]);
    const amount = trasmallo.countInside(prepared, texts), reached = trasmallo.countInside(prepared, both);
    for (let node = 0; node < size; node++) if (amount[node] > 0 && reached[node] === amount[node]) full[node] = 1;
    for (let node = scope + 1; node < end[scope]; node++) if (!amount[node] && full[page.parent[node]]) full[node] = 1;
    return full;
  }

  function takeLevels(prepared, nodes, levels) {
    const { isText, isBlank, readable } = prepared, raised = trasmallo.raiseNodes(prepared, nodes, levels);
    let whole = trasmallo.cover(prepared, raised);
    if (raised.some((node) => isText[node])) {
      whole = complete(prepared, isText.map((flag, node) => (flag && !isBlank[node] && readable[node] ? 1 : 0)), whole);
    }
    return { whole, parts: new Map(), most: trasmallo.mostLevels(prepared, nodes), related: new Map() };
  }

  // {whole: Uint8Array, parts: Map, most, related: Map}; `meaning` is what trasmallo.readMeaning gives, needed for tolerance by
  // meaning only; `related` has the words that are taken in for their meaning, each with its distance.
  function findExtent(prepared, step, nodes, meaning) {
    const tolerance = trasmallo.readTolerance(step.tolerance || 0), reading = trasmallo.readingOf(step);
    if (tolerance.kind === "levels" || !step.tree) return takeLevels(prepared, nodes, tolerance.size);
    const folded = trasmallo.foldPieces(prepared.written, reading), words = trasmallo.wordsOf(step.tree);
    folded.units = folded.units || trasmallo.divide(folded.text);
    const { seeds, whole } = findSeeds(prepared, folded, folded.units, words, nodes, reading);
    const { weights, met } = tolerance.kind === "meaning" && meaning
      ? addMeaning(folded, folded.units, seeds, words, meaning)
      : { weights: new Uint8Array(folded.units.start.length).fill(1), met: new Map() };
    const related = new Map([...met].filter(([, distance]) => distance <= tolerance.size));
    const costs = trasmallo.spread(folded.units, seeds, weights);
    const ranges = trasmallo.rangesWithin(folded.units, costs, tolerance.size);
    const extent = take(prepared, folded, ranges, trasmallo.cover(prepared, whole), trasmallo.largestCost(costs));
    return Object.assign(extent, { related });
  }

  Object.assign(trasmallo, { findExtent });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
