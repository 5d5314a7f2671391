// Runs the vectors of this folder with extension/core and says which give another result.
//
//   compareSlices({pages, cases, criteria, lexicon}) -> {run, wrong: [...]}      lists of parsed lines, and a text
"use strict";
globalThis.compareSlices = function ({ pages, cases, criteria, lexicon }) {
  const trasmallo = globalThis.trasmallo;
  const wrong = [], prepared = new Map(), meaning = trasmallo.readMeaning(lexicon);
  let run = 0;

  function digest(numbers) {
    let value = 0x811c9dc5;
    for (const number of numbers) value = Math.imul(value ^ number, 0x01000193) >>> 0;
    return value;
  }

  function tell(page, steps, found) {
    const numbers = [found.states.length, ...found.states];
    for (const index of [...found.parts.keys()].sort((one, other) => one - other)) {
      for (const [start, end] of found.parts.get(index)) numbers.push(index, start, end);
    }
    const bare = trasmallo.planBare(page, found.states).flatMap((clone) => [clone.parent, clone.source, clone.tag.length, clone.deep ? 1 : 0]);
    const marks = trasmallo.findMarks(page, steps[0].tree ? trasmallo.wordsOf(steps[0].tree) : [], steps[0]).flat();
    return [[...found.relevant], [...found.reasons], found.maxTolerance, digest(numbers), digest(bare), digest(marks), digest(rules(page, steps, found))];
  }

  function rules(page, steps, found) {
    const last = steps[steps.length - 1], made = [
      trasmallo.asCommand("https://example.org/", steps.map((step) => [step.criterion || "x", step.tolerance || 0, !!step.inverse]), ["--view", "bare"]),
      trasmallo.asStyleSheet(page, found.states, { inverse: !!last.inverse, keepSpace: page.size % 2 === 0 }),
      trasmallo.asFilters("example.org", "x  y", last.tree || { op: "word", text: "x", head: false, tail: false }, Object.assign({}, last, { levels: 1 })),
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
    return step.criterion === undefined ? step : Object.assign({ tree: trasmallo.parse(step.criterion).tree }, step);
  }

  for (const [source, expected] of criteria) check(source, expected, () => trasmallo.parse(source));
  for (const [number, steps, expected] of cases) {
    check([number, steps], expected, () => {
      const page = pageOf(number), read = steps.map(withTree);
      return tell(page, read, trasmallo.slice(page, read, { meaning }));
    });
  }
  return { run, wrong };
};
