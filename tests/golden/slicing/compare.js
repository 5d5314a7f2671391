// Runs the vectors of this folder with extension/core and says which give another result.
//
//   compareSlices({pages, cases, criteria, lexicon, forms, tree}) -> {run, wrong: [...]}  lists of parsed lines, and texts
//   compareRelated(rows) -> {run, wrong: [...]}                                          trees of related words
//   compareForms(rows, {language: table}) -> {run, wrong: [...]}                         words of the real tables
"use strict";
(function () {
  function digest(numbers) {
    let value = 0x811c9dc5;
    for (const number of numbers) value = Math.imul(value ^ number, 0x01000193) >>> 0;
    return value;
  }

  globalThis.compareForms = function (rows, tables) {
    const wrong = rows.filter(([language, word, accents, size, expected]) => {
      const forms = tables[language].expand(word, accents), written = forms.join(" ");
      return forms.length !== size || digest(Array.from(written, (_unit, k) => written.charCodeAt(k))) !== expected;
    });
    return { run: rows.length, wrong };
  };

  const rowsOf = (trees) => [...trees].flatMap(([criterion, words]) => [...words].map(([word, level]) => [criterion, word, level]));
  const inOrder = (rows) => rows.map((row) => JSON.stringify(row)).sort().join();

  globalThis.compareRelated = function (rows) {
    const wrong = rows.filter(([text, expected]) => {
      const { trees } = globalThis.trasmallo.readRelated(text);
      return trees ? !expected || inOrder(rowsOf(trees)) !== inOrder(expected) : expected !== null;
    });
    return { run: rows.length, wrong };
  };

  globalThis.digestOfNumbers = digest;
})();
globalThis.compareSlices = function ({ pages, cases, criteria, lexicon, forms, tree }) {
  const trasmallo = globalThis.trasmallo, tables = [trasmallo.readForms(forms)], digest = globalThis.digestOfNumbers;
  const wrong = [], prepared = new Map(), meaning = trasmallo.readMeaning(lexicon);
  const own = trasmallo.ownMeaning(trasmallo.readRelated(tree).trees, meaning, tables);
  let run = 0;

  function tell(page, steps, found) {
    const numbers = [found.states.length, ...found.states];
    for (const index of [...found.parts.keys()].sort((one, other) => one - other)) {
      for (const [start, end] of found.parts.get(index)) numbers.push(index, start, end);
    }
    const bare = trasmallo.planBare(page, found.states).flatMap((clone) => [clone.parent, clone.source, clone.tag.length, clone.deep ? 1 : 0]);
    const marks = trasmallo.findMarks(page, steps[0].tree ? trasmallo.wordsOf(steps[0].tree) : [], steps[0]).flat();
    return [[...found.relevant], [...found.reasons], found.maxTolerance, digest(numbers), digest(bare), digest(marks), digest(rules(page, steps, found)),
      digest(told(page, steps, found)), [...found.related].sort((one, other) => (one[0] < other[0] ? -1 : 1))];
  }

  // The attributes of what was found, by the first step's words.
  function told(page, steps, found) {
    const words = steps[0].tree ? trasmallo.wordsOf(steps[0].tree) : [];
    const rows = [...found.relevant].flatMap((node) => trasmallo.findAttributes(page, words, steps[0], node)), text = rows.flat().join(" ");
    return Array.from({ length: text.length }, (_unit, k) => text.charCodeAt(k));
  }

  function rules(page, steps, found) {
    const last = steps[steps.length - 1], made = [
      trasmallo.asCommand("https://example.org/", steps.map((step) => [step.criterion || "x", step.tolerance || 0, !!step.inverse]), ["--view", "bare"]),
      trasmallo.asStyleSheet(page, found.states, { inverse: !!last.inverse, keepSpace: page.size % 2 === 0 }),
      trasmallo.asFilters("example.org", "x  y", last.tree || { op: "word", text: "x", head: false, tail: false, inflected: false, forms: [] }, Object.assign({}, last, { levels: 1 })),
    ];
    return made.flatMap((rule) => Array.from({ length: (rule || "-").length }, (_unit, k) => (rule || "-").charCodeAt(k)));
  }

  function pageOf(number) {
    if (!prepared.has(number)) {
      const page = Object.assign({}, pages[number], { parent: Int32Array.from(pages[number].parent) });
      prepared.set(number, trasmallo.prepare(page));
    }
    return prepared.get(number);
  }

  function check(what, expected, make) {
    run++;
    let given;
    try {
      given = make();
    } catch (error) {
      given = String(error && error.stack || error);
    }
    // Keys of objects come in any order.
    if (ordered(given) !== ordered(expected)) wrong.push({ what, given, expected });
  }

  function ordered(value) {
    return JSON.stringify(value, (_key, inner) =>
      inner && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.keys(inner).sort().map((key) => [key, inner[key]]))
        : inner);
  }

  function withTree(step) {
    if (step.criterion === undefined) return step;
    const { tree } = trasmallo.parse(step.criterion, step);
    return Object.assign({ tree: trasmallo.inflect(tree, tables, step) }, step);
  }

  for (const [source, expected] of criteria) check(source, expected, () => trasmallo.parse(source));
  for (const [number, steps, expected] of cases) {
    check([number, steps], expected, () => {
      const page = pageOf(number), read = steps.map(withTree);
      return tell(page, read, trasmallo.slice(page, read, { meaning: steps[0].own ? own : meaning }));
    });
  }
  return { run, wrong };
};
