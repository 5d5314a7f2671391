// Runs the vectors of this folder with extension/core and says which give another result.
//
//   await compareBlocks({pages, cases, model}) -> {run, wrong: [...]}      lists of parsed lines, the model's bytes in base64
"use strict";
globalThis.compareBlocks = async function ({ pages, cases, model }) {
  const trasmallo = globalThis.trasmallo, COUNT = 5;
  const wrong = [], made = new Map();

  function digest(numbers) {
    let value = 0x811c9dc5;
    for (const number of numbers) {
      for (const shift of [0, 8, 16, 24]) value = Math.imul(value ^ ((number >> shift) & 255), 0x01000193) >>> 0;
    }
    return value;
  }

  const codes = (text) => Array.from(text, (character) => character.codePointAt(0));

  function digestTold(value) {
    const numbers = [];
    (function walk(inner) {
      if (Array.isArray(inner)) {
        numbers.push(inner.length);
        inner.forEach(walk);
      } else if (inner && typeof inner === "object") {
        Object.keys(inner).sort().forEach((key) => walk(inner[key]));
      } else if (typeof inner === "string") {
        numbers.push(...codes(inner));
      } else {
        const number = Number(inner || 0), whole = Math.floor(number);
        numbers.push(whole, Math.floor((number - whole) * 2 ** 30));
      }
    })(value);
    return digest(numbers);
  }

  function pageOf(number) {
    if (!made.has(number)) made.set(number, Object.assign({}, pages[number], { parent: Int32Array.from(pages[number].parent) }));
    return made.get(number);
  }

  function tellLayout(given) {
    const { page, layout } = trasmallo.content.dom.see(given);
    const origin = (nodes) => nodes.map((node) => page.origin[node]);
    const numbers = [...origin(layout.node), ...origin(layout.first), ...origin(layout.last), ...layout.weight, ...layout.linked];
    return [layout.length, digest(numbers), digest(codes(layout.texts.join("\n")))];
  }

  function tellBlocks(page, asked, favour) {
    const [method, headline] = asked.split(" ");
    const found = trasmallo.blocks(page, { method, favour, count: COUNT, headline: Boolean(headline) });
    const blocks = found.blocks.map(({ node, nodes, ratio, characters, path }) =>
      [node, [...nodes], ratio, characters, digest(codes(path))]);
    return [[...found.nodes], blocks];
  }

  function answer(page, asked, favour) {
    if (asked === "layout") return tellLayout(page);
    if (asked === "menus") return trasmallo.menus(page, { favour }).menus.map(({ node, ratio, links }) => [node, ratio, links]);
    if (asked === "explain") return digestTold(trasmallo.explain(page, { favour }));
    return tellBlocks(page, asked, favour);
  }

  if (model) await trasmallo.loadModel(Uint8Array.from(atob(model), (character) => character.charCodeAt(0)));
  for (const [number, asked, favour, expected] of cases) {
    let given;
    try {
      given = answer(pageOf(number), asked, favour);
    } catch (error) {
      given = String(error && error.stack || error);
    }
    if (JSON.stringify(given) !== JSON.stringify(expected)) wrong.push({ number, asked, favour, given, expected });
  }
  return { run: cases.length, wrong };
};
