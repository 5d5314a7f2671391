// A slice as a rule for other tools, as rules.py has it.
//
//   trasmallo.asCommand(document, [[criterion, tolerance, inverse], ...], options) -> string | null
//   trasmallo.asStyleSheet(page, states, {inverse, keepSpace}) -> string | null
//   trasmallo.asFilters(host, source, tree, {levels, inverse, where, case, accents, part}) -> string | null
//
// null: the rule cannot be said that way (steps no command has, too many nodes or filters). Options of the command are words
// such as "--view", "bare", "--part".
"use strict";
(function (trasmallo) {
  const MOST_SELECTORS = 500, MOST_FILTERS = 8;
  const SPECIAL = "\\^$.|?*+()[]{}/";
  const LETTER = "[\\p{L}\\p{M}\\p{N}]";
  const BLOCKS = "p, li, dt, dd, tr, h1, h2, h3, h4, h5, h6, blockquote, pre, figure";
  const NAMES = "/^(href|src|alt|title|class|id)$/";
  const UNSAYABLE = {};

  function quote(text) {
    return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : "'" + text.split("'").join("'\\''") + "'";
  }

  function asCommand(address, criteria, options) {
    const [[first, tolerance, inverse], ...rest] = criteria;
    const kept = rest.filter((step) => !step[2]), hidden = rest.filter((step) => step[2]);
    if (rest.some((step, k) => step !== [...kept, ...hidden][k]) || hidden.some((step) => String(step[1]) !== "0")) return null;
    // A blank keeps a criterion that begins with a minus apart from options.
    const words = ["trasmallo", "slice", address, first.startsWith("-") ? ` ${first}` : first];
    const tolerances = [tolerance, ...kept.map((step) => step[1])].map(String);
    while (tolerances.length && tolerances[tolerances.length - 1] === "0") tolerances.pop();
    for (const size of tolerances) words.push("--tolerance", size);
    if (inverse) words.push("--inverse");
    for (const step of kept) words.push("--then", step[0]);
    for (const step of hidden) words.push("--without", step[0]);
    return [...words, ...(options || [])].map(quote).join(" ");
  }

  // The topmost elements that are hidden, or shown.
  function named(prepared, states, inverse) {
    const State = trasmallo.State, { size, scope, isText, readable, page } = prepared, found = [];
    const wanted = (node) =>
      inverse ? states[node] === State.HIDDEN : states[node] === State.SHOWN || states[node] === State.RELEVANT;
    for (let node = scope; node < size; node++) {
      if (wanted(node) && !isText[node] && readable[node] && (node === scope || !wanted(page.parent[node]))) found.push(node);
    }
    return found;
  }

  function selectorOf(prepared, node) {
    const { page, end } = prepared, found = [];
    while (node > 0) {
      const above = page.parent[node], tag = page.tag[node];
      let number = 1, name = "";
      for (let sibling = above + 1; sibling < node; sibling = end[sibling]) if (page.tag[sibling] === tag) number++;
      for (const character of tag) name += /[A-Za-z0-9-]/.test(character) ? character : "\\" + character.codePointAt(0).toString(16) + " ";
      found.push(tag === "body" || tag === "head" ? name : `${name}:nth-of-type(${number})`);
      node = above;
    }
    return [page.tag[0] === "html" ? "html" : ":root", ...found.reverse()].join(" > ");
  }

  function asStyleSheet(page, states, { inverse = false, keepSpace = false } = {}) {
    const prepared = trasmallo.prepare(page), nodes = named(prepared, states, inverse);
    if (nodes.length > MOST_SELECTORS) return null;
    const selector = nodes.length ? `:is(${nodes.map((node) => selectorOf(prepared, node)).join(", ")})` : ":not(*)";
    const hidden = keepSpace ? "visibility: hidden !important;" : "display: none !important;";
    if (inverse) return `${selector} { ${hidden} }\n`;
    if (keepSpace) return `body { ${hidden} }\n${selector}, ${selector} * { visibility: visible !important; }\n`;
    return `body :not(${selector}, ${selector} *, :has(${selector})) { ${hidden} }\n`;
  }

  let variants = null;
  function variantsOf(letter) {
    if (!variants) {
      variants = new Map();
      for (const [character, base] of Object.entries(trasmallo.characters.accents)) {
        if (character.codePointAt(0) < 0x100 && base.length === 1) variants.set(base, (variants.get(base) || "") + character);
      }
    }
    return variants.get(letter);
  }

  // Writes a criterion as alternatives, each a row of conditions that all must hold.
  function makeWriter(reading) {
    const limit = (size) => {
      if (size > MOST_FILTERS) throw UNSAYABLE;
    };

    function joinAll(parts) {
      let size = 1, rows = [[]];
      for (const part of parts) {
        size *= part.length;
        limit(size);
        rows = rows.flatMap((row) => part.map((other) => [...row, ...other]));
      }
      return rows.map((row) => [...new Set(row)]);
    }

    function joinAny(parts) {
      const found = new Map();
      for (const part of parts) for (const row of part) found.set(JSON.stringify(row), row);
      limit(found.size);
      return [...found.values()];
    }

    function conditions(tree, holds) {
      switch (tree.op) {
        case "not": return conditions(tree.item, !holds);
        case "word": return counted([tree], 1, holds);
        case "min": return counted(tree.words, tree.times, holds);
        case "max": return counted(tree.words, tree.times + 1, !holds);
        case "xor": return apart(tree, holds);
        default: {
          const parts = tree.items.map((item) => conditions(item, holds));
          return (tree.op === "and") === holds ? joinAll(parts) : joinAny(parts);
        }
      }
    }

    function apart(tree, holds) {
      const [first, ...rest] = tree.items;
      if (!rest.length) return conditions(first, holds);
      const other = { op: "xor", items: rest };
      return joinAny([true, false].map((one) => joinAll([conditions(first, one), conditions(other, one !== holds)])));
    }

    function counted(words, times, holds) {
      if (times <= 0) return holds ? [[]] : [];
      const inside = words.map(pattern).join("|"), flags = reading.case ? "u" : "iu", places = [];
      const repeated = times === 1 ? inside : `(?:(?:${inside})[^]*?){${times}}`;
      if (reading.where === "elements") throw UNSAYABLE;
      if (trasmallo.readsText(reading)) places.push(`:has-text(/${repeated}/${flags})`);
      if (reading.where !== "text") places.push(`:matches-attr("${NAMES}"="/${repeated}/${flags}")`);
      return holds ? places.map((place) => [place]) : [places.map((place) => `:not(${place})`)];
    }

    function pattern(word) {
      const needles = word.forms.length && trasmallo.needlesOf(word, trasmallo.folding(!reading.case, !reading.accents));
      const written = needles ? `(?:${needles.map(textPattern).join("|")})` : textPattern(word.text);
      return (word.head || reading.part ? "" : `(?<!${LETTER})`) + written + (word.tail || reading.part ? "" : `(?!${LETTER})`);
    }

    function textPattern(text) {
      let written = "";
      for (const character of text) written += characterPattern(character);
      return written.replace(/(?:\\s\+)+/g, "\\s+").replace(/^(?:\\s\+)+|(?:\\s\+)+$/g, "");
    }

    function plain(character) {
      if (character === '"') return "\\x22";
      return SPECIAL.includes(character) ? "\\" + character : character;
    }

    function characterPattern(character) {
      if (trasmallo.classOf(character.codePointAt(0)) === trasmallo.SPACE) return "\\s+";
      if (reading.accents) return plain(character);
      let found = "";
      for (const part of trasmallo.folding(!reading.case, true).character(character)) {
        found += variantsOf(part) ? `[${part}${variantsOf(part)}]` : plain(part);
      }
      return found;
    }

    return conditions;
  }

  // A line without line ends or double blanks.
  function inOneLine(source) {
    let line = "";
    for (const character of source) {
      const blank = trasmallo.classOf(character.codePointAt(0)) === trasmallo.SPACE;
      if (!blank) line += character;
      else if (line && !line.endsWith(" ")) line += " ";
    }
    return line.endsWith(" ") ? line.slice(0, -1) : line;
  }

  function asFilters(host, source, tree, options = {}) {
    const inverse = !!options.inverse, levels = options.levels || 0;
    try {
      const rows = makeWriter(trasmallo.readingOf(options))(tree, inverse).map((row) => row.join(""));
      const deepest = rows.map((row) => `:not(:has(*${row}))`).join(""), upward = levels ? `:upward(${levels})` : "";
      const lines = rows.map((row) => (inverse ? `${host}##body *${row}${deepest}${upward}` : `${host}##:is(${BLOCKS})${row}`));
      return [`! trasmallo: ${inOneLine(source)}`, ...lines].map((line) => line + "\n").join("");
    } catch (thrown) {
      if (thrown === UNSAYABLE) return null;
      throw thrown;
    }
  }

  Object.assign(trasmallo, { asCommand, asStyleSheet, asFilters, selectorOf: (page, node) => selectorOf(trasmallo.prepare(page), node) });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
