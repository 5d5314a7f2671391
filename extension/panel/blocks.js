// Main block, next block, menus, and the knob from precision to recall.
"use strict";
(function (trasmallo) {
  const { link, say, settings } = trasmallo;
  const [main, next, menus, method, favour, headline, why] =
    ["main-block", "next-block", "menus", "method", "favour", "headline", "why"].map(id => document.getElementById(id));

  const chosen = () => ({ method: method.value, favour: Number(favour.value), headline: headline.checked });

  function step(more) {
    const usual = { kind: "block", rank: 0, menus: false, tolerance: 0, inverse: false };
    return { ...usual, ...chosen(), ...more };
  }

  // A block is looked for in what the criteria left; another block takes the place of the one before.
  async function show(wanted) {
    const last = trasmallo.steps.last(), again = last?.kind === "block";
    const message = again ? { ask: "adjust", change: wanted } : { ask: "filter", step: wanted, inside: Boolean(last) };
    const answer = await link.ask(message);
    if (answer?.empty) trasmallo.sayBelow(say("no_block"));
  }

  function turn() {
    settings.save(chosen());
    if (trasmallo.steps.last()?.kind === "block") link.askLatest("favour", { ask: "adjust", change: chosen() });
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
  headline.addEventListener("change", turn);
  link.onAnswer(render);
  link.tab().then(tab => { why.href = `../why/why.html?tab=${tab?.id ?? ""}`; });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
