// Main block, next block, menus, and the knob from precision to recall.
"use strict";
(function (trasmallo) {
  const { link, say, settings } = trasmallo;
  const [main, next, menus, method, favour, why] =
    ["main-block", "next-block", "menus", "method", "favour", "why"].map(id => document.getElementById(id));

  function step(more) {
    const usual = { kind: "block", rank: 0, menus: false, tolerance: 0, inverse: false };
    return { ...usual, method: method.value, favour: Number(favour.value), ...more };
  }

  // A block is looked for in what the criteria left; another block takes the place of the one before.
  async function show(wanted) {
    const last = trasmallo.steps.last(), again = last?.kind === "block";
    const message = again ? { ask: "adjust", change: wanted } : { ask: "filter", step: wanted, inside: Boolean(last) };
    const answer = await link.ask(message);
    if (answer?.empty) trasmallo.sayBelow(say("no_block"));
  }

  function turn() {
    settings.save({ favour: Number(favour.value), method: method.value });
    if (trasmallo.steps.last()?.kind === "block") {
      link.askLatest("favour", { ask: "adjust", change: { favour: Number(favour.value), method: method.value } });
    }
  }

  function render({ now }) {
    const last = now.steps.at(-1), blocked = last?.kind === "block";
    next.disabled = !blocked || last.menus;
    main.setAttribute("aria-pressed", Boolean(blocked && !last.menus));
    menus.setAttribute("aria-pressed", Boolean(blocked && last.menus));
  }

  main.addEventListener("click", () => show(step()));
  menus.addEventListener("click", () => show(step({ menus: true, method: "cnr" })));
  next.addEventListener("click", async () => {
    const answer = await link.ask({ ask: "nextBlock", by: 1 });
    if (answer?.empty) trasmallo.sayBelow(say("no_more_blocks"));
  });
  favour.addEventListener("input", turn);
  method.addEventListener("change", turn);
  link.onAnswer(render);
  link.tab().then(tab => { why.href = `../why/why.html?tab=${tab?.id ?? ""}`; });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
