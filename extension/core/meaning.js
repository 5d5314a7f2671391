// What words mean, as meaning.py has it.
//
//   trasmallo.readMeaning(text) -> lexicon {language, weigh, forms, relate, distance}
//
// The text is that of a file of src/trasmallo/clean/slicing/meanings, unzipped:
//   await new Response((await fetch(url)).body.pipeThrough(new DecompressionStream("gzip"))).text()
// Hand the lexicon to trasmallo.slice as options.meaning; without one, tolerance by meaning is tolerance by nearness.
"use strict";
(function (trasmallo) {
  const FARTHEST = 5, MOST_SENSES = 20000;

  function readNumbers(written) {
    const numbers = [];
    let total = 0;
    for (const digits of written.split(" ")) {
      if (!digits) continue;
      total += parseInt(digits, 36);
      numbers.push(total);
    }
    return numbers;
  }

  // Each word with its senses, which are read when they are needed.
  function readWords(lines, end) {
    const found = new Map();
    let before = "";
    for (let k = 1; k < end; k++) {
      const blank = lines[k].indexOf(" ");
      before = before.slice(0, parseInt(lines[k][0], 36)) + lines[k].slice(1, blank);
      found.set(before, lines[k].slice(blank + 1));
    }
    return found;
  }

  function readMeaning(text) {
    const lines = text.split("\n"), header = JSON.parse(lines[0]), middle = lines.indexOf("", 1);
    const functions = new Set(header.functions), endings = header.endings.map((rule) => rule.split("="));
    const senses = readWords(lines, middle), relations = lines.slice(middle + 1);
    const fold = trasmallo.folding(true, true).fold;
    let wordsOfSense = null, neighbours = null;

    function build() {
      wordsOfSense = relations.map(() => []);
      neighbours = relations.map(() => []);
      for (const [word, written] of senses) for (const sense of readNumbers(written)) wordsOfSense[sense].push(word);
      relations.forEach((line, sense) => {
        for (const step of readNumbers(line)) {
          neighbours[sense].push(sense + step);
          neighbours[sense + step].push(sense);
        }
      });
    }

    function forms(word) {
      const folded = fold(word), found = new Set(senses.has(folded) ? [folded] : []);
      for (const [ending, base] of endings) {
        if (folded.endsWith(ending) && folded.length > ending.length + 1) {
          const candidate = folded.slice(0, folded.length - ending.length) + base;
          if (senses.has(candidate)) found.add(candidate);
        }
      }
      return [...found];
    }

    function relate(words) {
      if (!neighbours) build();
      let level = new Set();
      for (const word of words) for (const form of forms(word)) for (const sense of readNumbers(senses.get(form))) level.add(sense);
      const seen = new Set(level), related = new Map();
      for (let distance = 1; distance <= FARTHEST; distance++) {
        for (const sense of level) for (const word of wordsOfSense[sense]) if (!related.has(word)) related.set(word, distance);
        if (seen.size > MOST_SENSES) break;
        const next = new Set();
        for (const sense of level) for (const other of neighbours[sense]) if (!seen.has(other)) next.add(other);
        for (const sense of next) seen.add(sense);
        level = next;
      }
      return related;
    }

    function distance(word, related) {
      let least = 0;
      for (const form of forms(word)) {
        const found = related.get(form) || 0;
        if (found && (!least || found < least)) least = found;
      }
      return least;
    }

    return { language: header.language, weigh: (word) => (functions.has(fold(word)) ? 0 : 1), forms, relate, distance };
  }

  Object.assign(trasmallo, { readMeaning });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
