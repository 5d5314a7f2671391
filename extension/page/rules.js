// The present filter as a rule for other tools: a command of trasmallo, a style sheet, a filter for uBlock.
"use strict";
(function (trasmallo) {
  function optionsOf(steps, view) {
    const { where, case: cased, accents, part, forms } = steps.find(step => step.kind === "criterion");
    const words = view === "collapse" ? [] : ["--view", view];
    if (where !== "both") words.push("--in", where);
    if (cased) words.push("--case");
    if (accents) words.push("--accents");
    if (part) words.push("--part");
    if (forms) words.push("--forms");
    const own = trasmallo.meaning.own(), byMeaning = steps.some(step => String(step.tolerance).startsWith("meaning"));
    if (own && byMeaning) words.push("--related", own);
    if (steps[0].kind === "block") words.push("--main", "before");
    else if (steps.at(-1).kind === "block") words.push("--main", "after");
    return words;
  }

  // A main block alone is the command `text`; one between two criteria is none.
  function asCommand(steps, view) {
    const criteria = steps.filter(step => step.kind === "criterion");
    if (steps.slice(1, -1).some(step => step.kind === "block") || steps.some(step => step.menus)) return null;
    const address = location.href, [{ method, favour, headline }] = steps, titled = headline ? " --headline" : "";
    if (!criteria.length) return `trasmallo text '${address}' --method ${method} --favour ${favour}${titled} --format html`;
    const written = criteria.map(step => [step.source, step.tolerance, step.inverse]);
    return trasmallo.asCommand(address, written, optionsOf(steps, view));
  }

  function asFilters(steps) {
    const [step] = steps, tolerance = trasmallo.readTolerance(step.tolerance);
    if (steps.length > 1 || step.kind !== "criterion" || tolerance.kind !== "levels") return null;
    const tree = trasmallo.inflect(trasmallo.parse(step.source, step).tree, trasmallo.forms.tables(), step);
    return trasmallo.asFilters(location.hostname, step.source, tree, { ...step, levels: tolerance.size });
  }

  // The rule as text; null when it cannot be said that way.
  function write(format, page, states, { steps, view }) {
    if (format === "command") return asCommand(steps, view);
    if (format === "ublock") return asFilters(steps);
    return trasmallo.asStyleSheet(page, states, { inverse: steps.at(-1).inverse, keepSpace: view === "keep" });
  }

  trasmallo.pageRules = { write };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
