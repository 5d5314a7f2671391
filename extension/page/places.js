// Where the words of a criterion stand in the text: what is highlighted.
"use strict";
(function (trasmallo) {
  // {pieces of written text: which text node each came from}, remembered with what was prepared.
  const origins = new WeakMap();

  function originOf(prepared) {
    let found = origins.get(prepared);
    if (!found) {
      found = new Int32Array(prepared.written.pieces.length).fill(-1);
      const { first, last } = prepared.written;
      for (let node = 0; node < prepared.size; node++) {
        if (prepared.isText[node] && last[node] > first[node]) found[first[node]] = node;
      }
      origins.set(prepared, found);
    }
    return found;
  }

  function pieceAt(offset, place) {
    let from = 0, to = offset.length - 1;
    while (from + 1 < to) {
      const middle = (from + to) >> 1;
      if (offset[middle] <= place) from = middle; else to = middle;
    }
    return from;
  }

  // The ranges [node, from, to] of text nodes that the wanted words of a tree cover, in document order; only in nodes that `wanted`
  // accepts. A phrase over several inline elements gives one range each.
  function placesOf(prepared, tree, step, wanted) {
    const reading = trasmallo.readingOf(step), folded = trasmallo.foldPieces(prepared.written, reading);
    const nodeOf = originOf(prepared), maps = new Map(), found = [];

    function mapOf(piece) {
      if (!maps.has(piece)) maps.set(piece, folded.folding.places(prepared.written.pieces[piece]));
      return maps.get(piece);
    }

    function add(start, end) {
      const ranges = [];
      for (let piece = pieceAt(folded.offset, start); piece < nodeOf.length && folded.offset[piece] < end; piece++) {
        const node = nodeOf[piece], base = folded.offset[piece];
        if (node < 0) continue;
        if (!wanted(node)) return;
        const map = mapOf(piece), from = map[Math.max(start - base, 0)];
        ranges.push([node, from, map[Math.min(end - base, map.length - 1)]]);
      }
      if (ranges.length) found.push(ranges);
    }

    if (reading.where === "attributes") return found;
    for (const word of trasmallo.wordsOf(tree, true)) {
      const { starts, ends } = trasmallo.findWord(folded, word, reading.part);
      starts.forEach((start, place) => add(start, ends[place]));
    }
    return found.sort(([one], [other]) => one[0] - other[0] || one[1] - other[1]);
  }

  trasmallo.placesOf = placesOf;
})((globalThis.trasmallo = globalThis.trasmallo || {}));
