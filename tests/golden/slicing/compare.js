// Runs the vectors of this folder with extension/core and says which give another result.
//
//   compareSlices({pages, cases, criteria}) -> {run, wrong: [...]}      each a list of parsed lines
"use strict";
globalThis.compareSlices = function ({ pages, cases, criteria }) {
  const trasmallo = globalThis.trasmallo;
  const wrong = [], prepared = new Map();
  let run = 0;

  function digest(numbers) {
    let value = 0x811c9dc5;
    for (const number of numbers) {
      for (const shift of [0, 8, 16, 24]) value = Math.imul(value ^ ((number >> shift) & 255), 0x01000193) >>> 0;
    }
    return value;
  }

  function tell(found) {
    const numbers = [found.states.length, ...found.states];
    for (const index of [...found.parts.keys()].sort((one, other) => one - other)) {
      for (const [start, end] of found.parts.get(index)) numbers.push(index, start, end);
    }
    return [[...found.relevant], [...found.reasons], found.maxTolerance, digest(numbers)];
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

  for (const [source, expected] of criteria) check(source, expected, () => trasmallo.parse(source));
  for (const [number, steps, expected] of cases) {
    check([number, steps], expected, () =>
      tell(trasmallo.slice(pageOf(number), steps.map((step) => Object.assign({ tree: trasmallo.parse(step.criterion).tree }, step)))));
  }
  return { run, wrong };
};
