// The main content of a page, further blocks, and menus.
//
//   trasmallo.blocks(page, {method: "best", favour: 0.5, count: 1, headline: false}) -> {nodes, blocks}
//   trasmallo.menus(page, {favour: 0.5, count: 100}) -> {nodes, menus}
"use strict";
(function (trasmallo) {
  const { flat, dom, cnr, cetr, best, plain, menus: found, cover, headline: headlines } = trasmallo.content;
  const METHODS = { best: best.findBest, plain: plain.findMain, cnr: cnr.findMain, cetr: cetr.findMain };

  // The nodes of the main content; CNR's main block is one node, the headline beside it another.
  function mainNodes(page, layout, method, favour, headline) {
    const block = method === "cnr" ? cnr.findBlock(page, cnr.compute(page, layout.hidden), favour) : null;
    const main = METHODS[method](page, layout, favour), all = headline ? headlines.addHeadline(page, layout, main) : main;
    if (!block) return cover.cover(page, layout, all);
    return [...cover.cover(page, layout, all.map((chosen, place) => chosen && !main[place])), block.node];
  }

  // What is told of several nodes together.
  function measure(page, hidden, nodes) {
    const ratios = cnr.compute(page, hidden);
    let characters = 0, weight = 0;
    for (const node of nodes) {
      characters += ratios.characters[node];
      weight += ratios.weight[node];
    }
    return { characters, ratio: weight ? characters / weight : 0 };
  }

  function blocks(given, { method = "best", favour = 0.5, count = 1, headline = false } = {}) {
    if (!Object.hasOwn(METHODS, method)) throw new Error(`there is no method ${method}: choose best, plain, cnr or cetr`);
    const { page, layout } = dom.see(given), paths = flat.paths(page);
    const nodes = mainNodes(page, layout, method, favour, headline);
    const outer = (list) => Int32Array.from(list, (node) => page.origin[node]);
    const tell = (list, ratio, characters) => {
      const node = cover.common(page, list);
      return { node: page.origin[node], nodes: outer(list), ratio, characters, path: paths[node] };
    };
    const listed = [];
    if (nodes.length && count > 0) {
      const { ratio, characters } = measure(page, layout.hidden, nodes);
      listed.push(tell(nodes, ratio, characters));
      const further = cnr.findBlocks(page, layout.hidden, count - 1, favour, nodes);
      for (const block of further) listed.push(tell([block.node], block.ratio, block.size));
    }
    return { nodes: outer(nodes), blocks: listed };
  }

  function menus(given, { favour = 0.5, count = 100 } = {}) {
    const { page, layout } = dom.see(given), paths = flat.paths(page);
    const listed = found.findMenus(page, layout, count, favour).map(({ node, ratio, size }) =>
      ({ node: page.origin[node], ratio, links: size, path: paths[node] }));
    return { nodes: Int32Array.from(listed, (menu) => menu.node), menus: listed };
  }

  Object.assign(trasmallo, { blocks, menus });
})(globalThis.trasmallo);
