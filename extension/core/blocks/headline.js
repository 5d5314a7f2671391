// The headline of a page as part of its main content: as headline.py has it.
"use strict";
(function (trasmallo) {
  const FARTHEST = 8;

  function isHeadline(page, node) {
    while (node >= 0 && page.tag[node] !== "h1") node = page.parent[node];
    return node >= 0;
  }

  // The same blocks and the headline above them, if there is one near.
  function addHeadline(page, layout, main) {
    const first = main.findIndex(Boolean);
    for (let number = first - 1; number > Math.max(first - 2 - FARTHEST, -1); number--) {
      if (isHeadline(page, layout.first[number])) return main.map((chosen, place) => chosen || place === number);
    }
    return main;
  }

  trasmallo.content.headline = { addHeadline };
})(globalThis.trasmallo);
