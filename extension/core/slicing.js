// Steps of filtering, one inside the other: as steps.py has it.
//
//   trasmallo.slice(page, steps, {meaning}) -> {relevant, reasons, states, parts, maxTolerance, count, related}
//   step = {tree, tolerance: 0 | "near:5" | "meaning:2", inverse: false, where: "both", case: false, accents: false, part: false,
//           nodes: Int32Array (instead of tree: nodes of the page found otherwise, such as its main block)}
//
// page: the flat form, or what trasmallo.prepare made of it. relevant: Int32Array, the nodes that the last step found, in
// document order; reasons: Uint8Array, one of trasmallo.Reason for each of them; states: Uint8Array, one of trasmallo.State for
// each node of the page; parts: Map from a text node in state PARTIAL to the ranges [[from, to], ...] of it that are shown, in
// UTF-16 units; maxTolerance: the tolerance, of the kind asked for, from which on everything is shown; count: relevant.length;
// related: Map from the words that are shown for their meaning to their distances.
"use strict";
(function (trasmallo) {
  const State = trasmallo.State;

  function relevantOf(prepared, step) {
    if (step.tree) return trasmallo.findRelevant(prepared, step.tree, step);
    const nodes = Int32Array.from(new Set(step.nodes)).filter((node) => prepared.readable[node]).sort();
    return { nodes, reasons: new Uint8Array(nodes.length).fill(trasmallo.Reason.TEXT) };
  }

  function takeStep(prepared, step, meaning) {
    const found = relevantOf(prepared, step), extent = trasmallo.findExtent(prepared, step, found.nodes, meaning);
    const parts = step.inverse ? trasmallo.complement(prepared.page, extent.parts) : extent.parts;
    const states = step.inverse
      ? trasmallo.hideOnly(prepared, extent.whole, parts)
      : trasmallo.keepOnly(prepared, extent.whole, parts, found.nodes);
    return {
      relevant: found.nodes, reasons: found.reasons, states, parts, maxTolerance: extent.most, count: found.nodes.length,
      related: extent.related,
    };
  }

  // The same step with its nodes as the smaller page numbers them.
  function moved(step, rest) {
    if (step.tree) return step;
    const wanted = new Set(step.nodes), nodes = [];
    rest.origin.forEach((origin, index) => {
      if (wanted.has(origin)) nodes.push(index);
    });
    return Object.assign({}, step, { nodes });
  }

  function inside(outer, inner) {
    return {
      page: inner.page,
      origin: inner.origin.map((index) => outer.origin[index]),
      before: inner.before.map((before, index) => before + outer.before[inner.origin[index]]),
    };
  }

  // What was found in a smaller page, told of the page itself.
  function returned(page, rest, found) {
    const states = new Uint8Array(page.tag.length), collected = new Map(), parts = new Map();
    rest.origin.forEach((origin, index) => {
      states[origin] = found.states[index];
    });
    rest.page.tag.forEach((tag, index) => {
      if (tag !== "#text") return;
      const origin = rest.origin[index], before = rest.before[index];
      let ranges = found.parts.get(index);
      if (!ranges) ranges = found.states[index] === State.HIDDEN ? [] : [[0, rest.page.text[index].length]];
      if (!collected.has(origin)) collected.set(origin, []);
      for (const [start, end] of ranges) collected.get(origin).push([start + before, end + before]);
    });
    for (const [index, ranges] of collected) {
      if (ranges.length === 1 && ranges[0][0] === 0 && ranges[0][1] === page.text[index].length) continue;
      states[index] = ranges.length ? State.PARTIAL : State.HIDDEN;
      if (ranges.length) parts.set(index, ranges);
    }
    const relevant = found.relevant.map((index) => rest.origin[index]);
    return Object.assign({}, found, { relevant, states, parts });
  }

  function slice(page, steps, options) {
    let prepared = trasmallo.prepare(page), rest = null, found = null;
    const whole = prepared.page;
    steps.forEach((step, number) => {
      found = takeStep(prepared, rest ? moved(step, rest) : step, options && options.meaning);
      if (number === steps.length - 1) return;
      const inner = trasmallo.restrict(prepared.page, found.states, found.parts);
      rest = rest ? inside(rest, inner) : inner;
      prepared = trasmallo.prepare(inner.page);
    });
    return rest ? returned(whole, rest, found) : found;
  }

  // How many nodes a criterion is about; what was prepared and searched before is not done again.
  function count(prepared, tree, options) {
    return trasmallo.findRelevant(trasmallo.prepare(prepared), tree, options).nodes.length;
  }

  Object.assign(trasmallo, { slice, count });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
