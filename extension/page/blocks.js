// Main blocks and menus as steps of a filter, and what the pictures need to know about them.
//
// The methods themselves are the core's: trasmallo.blocks(page, {method, favour, menus}) -> {nodes, ratios, ...}, where the
// nodes are blocks with the best one first, and ratios has one number a node (0: none).
"use strict";
(function (trasmallo) {
  const LISTED = 40, MOST_POINTS = 600, MOST_TREE = 400;

  function available() {
    return typeof trasmallo.blocks === "function";
  }

  // The nodes of a block: the `rank`th (from 0), or all menus.
  function nodesOf(page, { method, favour, rank, menus }) {
    const { nodes } = trasmallo.blocks(page, { method, favour, menus: Boolean(menus) });
    return menus || method !== "cnr" ? nodes : nodes.slice(rank, rank + 1);
  }

  // A path such as html[1]/body[1]/div[2], counted among siblings of the same name.
  function pathOf(page, node) {
    const steps = [];
    for (let here = node; here >= 0; here = page.parent[here]) {
      let place = 1;
      for (let before = here - 1; before > page.parent[here]; before--) {
        if (page.parent[before] === page.parent[here] && page.tag[before] === page.tag[here]) place++;
      }
      steps.push(page.tag[here] === "#text" ? "text()" : `${page.tag[here]}[${place}]`);
    }
    return steps.reverse().join("/");
  }

  function thin(list, most) {
    const step = Math.max(1, Math.ceil(list.length / most));
    return list.filter((_, place) => place % step === 0);
  }

  // Everything that "why this block" draws, small enough to be sent.
  function explain(page, favour) {
    const cnr = trasmallo.blocks(page, { method: "cnr", favour });
    const cetr = trasmallo.blocks(page, { method: "cetr", favour });
    const rated = [];
    cnr.ratios.forEach((ratio, node) => ratio > 0 && rated.push(node));
    const ranked = [...rated].sort((one, other) => cnr.ratios[other] - cnr.ratios[one] || one - other);
    const row = node => ({ tag: page.tag[node], ratio: cnr.ratios[node], path: pathOf(page, node) });
    return {
      total: rated.length,
      rows: ranked.slice(0, LISTED).map(row),
      curve: thin(ranked.map(node => cnr.ratios[node]).reverse(), MOST_POINTS),
      tree: treeOf(page, cnr.ratios, rated),
      cnr: Array.from(cnr.nodes.slice(0, 5), row),
      cetr: { ratios: thin(Array.from(cetr.ratios), MOST_POINTS), nodes: Array.from(cetr.nodes.slice(0, 5), row) },
    };
  }

  // The elements with the most text in them, each under the nearest of them: {tag, ratio, parent}, in document order.
  function treeOf(page, ratios, rated) {
    const elements = rated.filter(node => page.tag[node] !== "#text");
    const kept = new Map(elements.slice(0, MOST_TREE).map((node, place) => [node, place]));
    return [...kept.keys()].map(node => {
      let above = page.parent[node];
      while (above >= 0 && !kept.has(above)) above = page.parent[above];
      return { tag: page.tag[node], ratio: ratios[node], parent: above < 0 ? -1 : kept.get(above) };
    });
  }

  trasmallo.pageBlocks = { available, nodesOf, explain, pathOf };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
