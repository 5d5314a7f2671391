// The nodes that hold the main content and nothing else: as cover.py finds them.
"use strict";
(function (trasmallo) {
  const { flat, cnr } = trasmallo.content;

  // The outermost nodes from the body down that hold text of main blocks and of no other, in document order.
  function cover(page, layout, main) {
    const good = counts(page, layout, main), bad = counts(page, layout, main.map((chosen) => !chosen)), nodes = [];
    let index = cnr.bodyOf(page);
    while (index < page.tag.length) {
      const end = page.end[index];
      if (good[end] === good[index]) {
        index = end;
      } else if (bad[end] === bad[index]) {
        nodes.push(index);
        index = end;
      } else {
        index++;
      }
    }
    return nodes;
  }

  // How many text nodes of the wanted blocks stand before each node, and in the whole page.
  function counts(page, layout, wanted) {
    const before = new Int32Array(page.tag.length + 1);
    wanted.forEach((chosen, number) => {
      for (let index = layout.first[number]; chosen && index <= layout.last[number]; index++) {
        before[index + 1] = page.tag[index] === flat.TEXT ? 1 : 0;
      }
    });
    for (let index = 0; index < page.tag.length; index++) before[index + 1] += before[index];
    return before;
  }

  // The smallest node that holds all of these; there must be one.
  function common(page, nodes) {
    let found = nodes[0];
    while (page.end[found] <= nodes[nodes.length - 1]) found = page.parent[found];
    return found;
  }

  trasmallo.content.cover = { cover, common };
})(globalThis.trasmallo);
