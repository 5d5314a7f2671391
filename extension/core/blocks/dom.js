// A page as its reader sees it: as src/trasmallo/clean/dom.py decides it.
//
// A page that shows next to nothing, or hides most of its prose, waits for a script to show it. In a browser that has happened,
// so what noscript and noframes hold is not read here; and a page that tells what is displayed is believed.
"use strict";
(function (trasmallo) {
  const { characters, flat, layout } = trasmallo.content;
  const SCANTY = 400, PARAGRAPH = 80, MUCH = 1000;
  const seen = new WeakMap();

  // {page, layout} of the flat form of a page; remembered as long as the page is.
  function see(given) {
    if (!seen.has(given)) seen.set(given, look(flat.flatten(given)));
    return seen.get(given);
  }

  function look(page) {
    const usual = layout.layOut(page), shown = usual.total();
    const doubtful = !page.isTold && page.hidden.size && (shown < SCANTY || hiddenSize(page) > shown);
    return { page, layout: doubtful ? fuller(usual, layout.layOut(page, { showHidden: true })) : usual };
  }

  // The characters of what a reader does not see, white space and all.
  function hiddenSize(page) {
    let size = 0;
    for (const index of page.hidden) {
      for (let inner = index; inner < page.end[index]; inner++) size += characters.length(page.text[inner]);
    }
    return size;
  }

  function fuller(usual, other) {
    if (usual.total() < SCANTY) return other.total() > 2 * usual.total() ? other : usual;
    return hidesProse(prose(usual), prose(other)) ? other : usual;
  }

  // How often each of the longer blocks that are no links is there.
  function prose(laidOut) {
    const found = new Map();
    laidOut.texts.forEach((text, number) => {
      if (laidOut.weight[number] > PARAGRAPH && 3 * laidOut.linked[number] < laidOut.weight[number]) {
        found.set(text, (found.get(text) || 0) + 1);
      }
    });
    return found;
  }

  // Whether most prose of a page is hidden, and is not what it shows already, in a form for print or for small screens.
  function hidesProse(shown, whole) {
    let before = 0, fresh = 0, added = 0;
    for (const text of shown.keys()) before += characters.length(text);
    for (const [text, count] of whole) {
      const size = characters.length(text);
      if (!shown.has(text)) fresh += size;
      added += size * Math.max(0, count - (shown.get(text) || 0));
    }
    return fresh > Math.max(MUCH, 1.5 * before) && fresh > 3 * (added - fresh);
  }

  trasmallo.content.dom = { see };
})(globalThis.trasmallo);
