// A user's own tree of related words, for tolerance by meaning: as related_words.py has it.
//
//   trasmallo.readRelated(text) -> {trees: Map(criterion -> Map(word -> level))} or {error: {code, args}}
//   trasmallo.ownMeaning(trees, lexicon or null, tables of forms) -> what trasmallo.slice takes as options.meaning
//
//   <criterio valor="gato"><palabra nivel="1" valor="persa"><palabra nivel="2" valor="raza"/></palabra></criterio>
//   {"criterio": "gato", "palabras": [{"nivel": 1, "valor": "persa", "palabras": [{"nivel": 2, "valor": "raza"}]}]}
"use strict";
(function (trasmallo) {
  const CRITERIA = ["criterio", "criterion"], WORDS = ["palabra", "word"], VALUES = ["valor", "value"];
  const LEVELS = ["nivel", "level"], CHILDREN = ["palabras", "words"];
  const MOST_LEVELS = 1000, MOST_DIGITS = 6, LONGEST = 200000;
  const TAG = /<!--[^]*?-->|<[!?][^>]*>|<(\/?)([A-Za-z][A-Za-z0-9_.:-]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/g;
  const ATTRIBUTE = /([A-Za-z][A-Za-z0-9_.:-]*)[ \t\n\r\f]*=[ \t\n\r\f]*(?:"([^"]*)"|'([^']*)')/g;
  const REFERENCE = /&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/g;
  const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

  class Unreadable extends Error {
    constructor(code, ...args) {
      super(code);
      this.told = { code, args };
    }
  }

  // Whether a value of JSON says anything, as Python has it.
  function isFilled(value) {
    if (value && typeof value === "object") return (Array.isArray(value) ? value : Object.keys(value)).length > 0;
    return Boolean(value);
  }

  function firstOf(named, names) {
    const name = names.find((one) => Object.hasOwn(named, one) && isFilled(named[one]));
    return name === undefined ? "" : named[name];
  }

  function levelOf(written, depth) {
    if (!isFilled(written)) return depth;
    const digits = String(written).replace(/^[ \t\n\r\f]+|[ \t\n\r\f]+$/g, ""), level = Number(digits);
    if (!/^[0-9]+$/.test(digits) || digits.length > MOST_DIGITS || level < 1 || level > MOST_LEVELS) {
      throw new Unreadable("level", digits.slice(0, 40));
    }
    return level;
  }

  // The value of an attribute, with the characters that are referred to.
  function characters(written) {
    return written.replace(REFERENCE, (reference, hexadecimal, decimal, name) => {
      if (name) return CHARACTERS[name];
      const code = hexadecimal ? parseInt(hexadecimal, 16) : parseInt(decimal, 10);
      return (code > 0 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff) ? String.fromCodePoint(code) : reference;
    });
  }

  // The words of the tags; an end tag of another name ends the element all the same.
  function fromXml(text) {
    const rows = [];
    let criterion = "", depth = 0;
    for (const [, closing, written, attributes] of text.matchAll(TAG)) {
      if (closing) depth = Math.max(0, depth - 1);
      if (closing || !written) continue;
      const name = written.toLowerCase(), named = {};
      for (const [, key, one, other] of attributes.matchAll(ATTRIBUTE)) named[key.toLowerCase()] = characters(one || other || "");
      const value = firstOf(named, VALUES);
      if (CRITERIA.includes(name) && value) [criterion, depth] = [value, 0];
      else if (WORDS.includes(name) && value && criterion) rows.push([criterion, value, levelOf(firstOf(named, LEVELS), ++depth)]);
      if (attributes.endsWith("/")) depth = Math.max(0, depth - 1);
    }
    return rows;
  }

  const isObject = (value) => Boolean(value) && typeof value === "object" && !Array.isArray(value);

  function parseJson(text) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Unreadable("json", String(error.message));
    }
  }

  function fromJson(text) {
    const parsed = parseJson(text), rows = [];
    for (const tree of (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject)) {
      const criterion = firstOf(tree, [...CRITERIA, ...VALUES]);
      if (typeof criterion === "string" && criterion) rows.push(...below(criterion, tree));
    }
    return rows;
  }

  // The words of a tree, one level after the other.
  function below(criterion, tree) {
    const rows = [], waiting = [[tree, 1]];
    while (waiting.length) {
      const [above, depth] = waiting.pop(), children = firstOf(above, CHILDREN);
      for (const child of Array.isArray(children) ? children : []) {
        const value = isObject(child) ? firstOf(child, VALUES) : child;
        if (typeof value === "string" && value) rows.push([criterion, value, levelOf(isObject(child) ? firstOf(child, LEVELS) : "", depth)]);
        if (isObject(child) && depth < MOST_LEVELS) waiting.push([child, depth + 1]);
      }
    }
    return rows;
  }

  function isJson(text) {
    let place = 0;
    while (place < text.length && trasmallo.classOf(text.charCodeAt(place)) === trasmallo.SPACE) place++;
    return text[place] === "{" || text[place] === "[";
  }

  function treesOf(text) {
    if (text.length > LONGEST) throw new Unreadable("long", LONGEST);
    const written = text.startsWith("\ufeff") ? text.slice(1) : text, trees = new Map();
    for (const [criterion, word, level] of isJson(written) ? fromJson(written) : fromXml(written)) {
      if (!trees.has(criterion)) trees.set(criterion, new Map());
      const words = trees.get(criterion);
      words.set(word, Math.min(level, words.get(word) ?? level));
    }
    if (!trees.size) throw new Unreadable("none");
    return trees;
  }

  function readRelated(text) {
    try {
      return { trees: treesOf(text) };
    } catch (error) {
      if (error instanceof Unreadable) return { error: error.told };
      throw error;
    }
  }

  function addNearest(found, word, level) {
    found.set(word, Math.min(level, found.get(word) ?? level));
  }

  // Words are found in all forms that the tables know; words that no tree has are the lexicon's, if there is one.
  function ownMeaning(trees, lexicon, tables) {
    const fold = trasmallo.folding(true, true).fold, known = new Map();
    for (const [criterion, words] of trees) known.set(fold(criterion), words);

    const formsOf = (word) => new Set([word, ...tables.flatMap((table) => table.expand(word, false))].map(fold));

    function relate(words) {
      const found = new Map();
      for (const word of words) {
        const own = [...formsOf(word)].filter((form) => known.has(form));
        if (!own.length && lexicon) for (const [related, distance] of lexicon.relate([word])) addNearest(found, related, distance);
        for (const form of own) {
          for (const [related, level] of known.get(form)) for (const each of formsOf(related)) addNearest(found, each, level);
        }
      }
      return found;
    }

    const distance = (word, related) => related.get(fold(word)) || (lexicon ? lexicon.distance(word, related) : 0);
    return { weigh: (word) => (lexicon ? lexicon.weigh(word) : 1), relate, distance };
  }

  Object.assign(trasmallo, { readRelated, ownMeaning });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
