// The main block by the chars-nodes ratio: as cnr.py finds it.
"use strict";
(function (trasmallo) {
  const { tags, flat } = trasmallo.content;
  const SHARE = 0.1, LEAST = 3, SPREAD = 16;
  const WITHOUT_CONTENT = new Set([...tags.silent, ...tags.raw, ...tags["content-free"]]);
  // What a noscript holds is there only when it is to be read.
  WITHOUT_CONTENT.delete("noscript");

  // {characters, weight, nodes, mixed}: of each node, and which are elements with text; how many text nodes stand beside others
  // in their elements. `removed` ones were taken out of the tree.
  function compute(page, hidden, removed = new Set()) {
    const size = page.tag.length;
    const ratios = { characters: new Int32Array(size), weight: new Int32Array(size), nodes: [] };
    const leaves = weighLeaves(page, ratios, hidden, removed);
    for (let place = leaves.length - 1; place >= 0; place--) {
      const index = leaves[place], parent = page.parent[index];
      ratios.weight[index] = ratios.weight[index] || 1;
      if (parent >= 0) {
        ratios.weight[parent] += ratios.weight[index];
        ratios.characters[parent] += ratios.characters[index];
      }
    }
    ratios.nodes = leaves.filter((index) => ratios.characters[index] && page.tag[index] !== flat.TEXT);
    const beside = new Map();
    for (const index of leaves) beside.set(page.parent[index], (beside.get(page.parent[index]) || 0) + 1);
    ratios.mixed = leaves.filter((index) => page.tag[index] === flat.TEXT && beside.get(page.parent[index]) > 1).length;
    return ratios;
  }

  // Every node that counts, in document order; those without children are weighed on the way.
  function weighLeaves(page, ratios, hidden, removed) {
    const { tag, end } = page, seen = flat.seenOf(page), counted = [];
    let index = bodyOf(page);
    const until = tag.length ? end[index] : 0;
    while (index < until) {
      if (removed.has(index)) {
        index = end[index];
        continue;
      }
      if (WITHOUT_CONTENT.has(tag[index]) || hidden.has(index)) {
        counted.push(index);
        index = end[index];
        continue;
      }
      if (tag[index] === flat.TEXT) {
        if (!seen[index]) {
          index++;
          continue;
        }
        ratios.weight[index] = 1;
        ratios.characters[index] = seen[index];
      }
      counted.push(index);
      index++;
    }
    return counted;
  }

  // Where the content stands; what is above it has no content.
  function bodyOf(page) {
    return Math.max(page.tag.indexOf("body"), 0);
  }

  function ratioOf(ratios, index) {
    return ratios.weight[index] ? ratios.characters[index] / ratios.weight[index] : 0;
  }

  // The main block as {node, ratio, size}, null when no text is left outside links.
  // `closed` nodes are none, since they hold what was taken out.
  function findBlock(page, ratios, favour, closed = new Set()) {
    const values = new Float64Array(page.tag.length);
    for (const index of ratios.nodes) values[index] = ratioOf(ratios, index);
    const best = ratios.nodes.filter((index) => !closed.has(index)).sort((one, other) => values[other] - values[one]);
    const blocks = merge(page, outermost(page, best.slice(0, countTaken(best.length + ratios.mixed, favour))), closed);
    let node = -1;
    for (const index of blocks) if (node < 0 || ratios.characters[index] > ratios.characters[node]) node = index;
    if (node < 0 || !ratios.characters[node]) return null;
    return { node, ratio: ratioOf(ratios, node), size: ratios.characters[node] };
  }

  // How many of so many nodes are taken first.
  function countTaken(nodes, favour) {
    return Math.ceil(Math.max(SHARE * nodes, LEAST) * SPREAD ** (favour - 0.5));
  }

  // These nodes in document order, without those inside another of them.
  function outermost(page, nodes) {
    const kept = [];
    for (const index of Int32Array.from(nodes).sort()) {
      if (!kept.length || index >= page.end[kept[kept.length - 1]]) kept.push(index);
    }
    return kept;
  }

  // Siblings replaced by their parent, until no two of them have the same parent. A parent stands before its children, so one
  // pass from the last node to the first meets every node after all that could make it chosen.
  function merge(page, nodes, closed = new Set()) {
    const chosen = new Set(nodes), children = new Map();
    for (let index = nodes.length ? nodes[nodes.length - 1] : -1; index >= 0; index--) {
      if (!chosen.has(index)) continue;
      const parent = page.parent[index], count = (children.get(parent) || 0) + 1;
      children.set(parent, count);
      if (count === 2 && !closed.has(parent)) chosen.add(parent);
    }
    return outermost(page, chosen);
  }

  // Up to `count` blocks, one after the other: each is taken out of the tree before the next is sought, and `taken` before all.
  function findBlocks(page, hidden, count, favour, taken = []) {
    const removed = new Set(taken), blocks = [];
    while (blocks.length < count) {
      const found = findBlock(page, compute(page, hidden, removed), favour, around(page, removed));
      if (!found) break;
      removed.add(found.node);
      blocks.push(found);
    }
    return blocks;
  }

  // The ancestors of some nodes.
  function around(page, nodes) {
    const found = new Set();
    for (const index of nodes) {
      for (let parent = page.parent[index]; parent >= 0 && !found.has(parent); parent = page.parent[parent]) found.add(parent);
    }
    return found;
  }

  function findMain(page, layout, favour) {
    const found = findBlock(page, compute(page, layout.hidden), favour);
    return found ? within(page, layout, found.node) : new Array(layout.length).fill(true);
  }

  // Whether each block of the layout has text inside a node.
  function within(page, layout, node) {
    return layout.first.map((first, number) => first < page.end[node] && layout.last[number] >= node);
  }

  trasmallo.content.cnr = { compute, bodyOf, ratioOf, findBlock, countTaken, outermost, merge, findBlocks, findMain, within };
})(globalThis.trasmallo);
