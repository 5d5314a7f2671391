// Main blocks and menus as steps of a filter. The methods are the core's; their model is fetched when it is first wanted.
"use strict";
(function (trasmallo) {
  let model = null;
  // Found once for a page and a way of finding: a slider of tolerance asks again and again.
  const known = new WeakMap();

  // Loads the model of the method `best`; it comes through the background as text.
  function load() {
    model ??= trasmallo.browser.tell({ tell: "model" }).then(coded =>
      trasmallo.loadModel(Uint8Array.from(atob(coded), letter => letter.charCodeAt(0))));
    return model;
  }

  function find(page, { method, favour, rank, menus, headline }) {
    if (menus) return trasmallo.menus(page, { favour }).nodes;
    if (!rank) return trasmallo.blocks(page, { method, favour, headline }).nodes;
    return trasmallo.blocks(page, { method, favour, count: rank + 1 }).blocks[rank]?.nodes ?? [];
  }

  // The nodes of a block, the `rank`th from 0 on, or of all menus.
  function nodesOf(page, step) {
    if (!known.has(page)) known.set(page, new Map());
    const found = known.get(page), key = [step.method, step.favour, step.rank, step.menus, step.headline].join();
    if (!found.has(key)) found.set(key, find(page, step));
    return found.get(key);
  }

  trasmallo.pageBlocks = { load, nodesOf };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
