// The menus of a page by the hyperlink-node ratio: as menus.py finds them.
"use strict";
(function (trasmallo) {
  const { characters, flat, bte, cnr } = trasmallo.content;
  const LEAST_LINKS = 3, SHORT = 4, HIGH = 0.75;

  // {links, words}: links, and words that are none of a menu, in each node that shows.
  function compute(page, layout) {
    const links = new Int32Array(page.tag.length), words = new Int32Array(page.tag.length);
    layout.first.forEach((first, number) => {
      for (let index = first; index <= layout.last[number]; index++) words[index] = wordsOf(page.text[index]);
    });
    for (let index = page.tag.length - 1; index > 0; index--) {
      if (page.tag[index] === "a" && words[index] && flat.attribute(page, index, "href") !== null) {
        links[index] = 1;
        words[index] = Math.max(0, words[index] - SHORT);
      }
      links[page.parent[index]] += links[index];
      words[page.parent[index]] += words[index];
    }
    return { links, words };
  }

  // The words of a text that has more than signs that part two links.
  function wordsOf(text) {
    return characters.ALPHANUMERIC.test(text) ? bte.countWords(text) : 0;
  }

  function ratioOf(found, index) {
    return found.links[index] ? found.links[index] / (found.links[index] + found.words[index]) : 0;
  }

  // Up to `count` menus as {node, ratio, size}, the one with most links first.
  function findMenus(page, layout, count, favour) {
    const found = compute(page, layout), least = HIGH + 0.4 * (0.5 - favour), chosen = [];
    for (let index = 1; index < page.tag.length; index++) {
      if (found.links[index] >= LEAST_LINKS && page.tag[index] !== "a" && ratioOf(found, index) >= least) chosen.push(index);
    }
    const menus = cnr.outermost(page, chosen).sort((one, other) => found.links[other] - found.links[one]).slice(0, count);
    return menus.map((index) => ({ node: innermost(page, found, index), ratio: ratioOf(found, index), size: found.links[index] }));
  }

  // The smallest element that holds the same links.
  function innermost(page, found, index) {
    let inner = index, child = index + 1;
    while (child < page.end[inner]) {
      if (found.links[child] === found.links[inner]) inner = child++;
      else child = page.end[child];
    }
    return inner;
  }

  trasmallo.content.menus = { compute, findMenus };
})(globalThis.trasmallo);
