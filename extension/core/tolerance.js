// How much beside the relevant nodes is shown, as tolerance.py has it.
//
//   trasmallo.readTolerance(2 | "2" | "near:5" | "meaning:2") -> {kind, size} | null
"use strict";
(function (trasmallo) {
  const MOST = 1000000;

  function readTolerance(written) {
    const match = /^(?:(near|meaning):)?([0-9]{1,7})$/.exec(String(written));
    if (!match || Number(match[2]) > MOST) return null;
    return { kind: match[1] || "levels", size: Number(match[2]) };
  }

  // The ancestors so many levels above the nodes, none above the scope.
  function raiseNodes(prepared, nodes, levels) {
    if (nodes.length && levels >= mostLevels(prepared, nodes)) return Int32Array.of(prepared.scope);
    let raised = new Set(nodes);
    for (let level = 0; level < levels && raised.size; level++) {
      const higher = new Set();
      for (const node of raised) higher.add(prepared.page.parent[node]);
      raised = higher;
    }
    return Int32Array.from(raised).sort();
  }

  // From how many levels on everything is shown: the way from the highest relevant node to the scope.
  function mostLevels(prepared, nodes) {
    const parent = prepared.page.parent, known = new Map([[prepared.scope, 0]]);
    let least = -1;
    for (const node of nodes) {
      const way = [];
      let above = node;
      while (!known.has(above)) {
        way.push(above);
        above = parent[above];
      }
      let depth = known.get(above);
      while (way.length) known.set(way.pop(), ++depth);
      if (least < 0 || known.get(node) < least) least = known.get(node);
    }
    return least < 0 ? 0 : least;
  }

  Object.assign(trasmallo, { readTolerance, raiseNodes, mostLevels });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
