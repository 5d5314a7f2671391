// The steps of the filter, one inside the other, and the ways back.
"use strict";
(function (trasmallo) {
  const { link, say, make } = trasmallo;
  const [list, none, undo, redo, restore] =
    ["steps", "steps-none", "undo", "redo", "restore"].map(id => document.getElementById(id));
  let steps = [];

  function describe(step) {
    if (step.kind === "criterion") return step.source;
    if (step.menus) return say("menus");
    return step.rank ? say("block_number", step.rank + 1) : say("main_block");
  }

  function details(step) {
    const said = [];
    if (step.inverse) said.push(say("inverse"));
    if (String(step.tolerance) !== "0") said.push(`± ${step.tolerance}`);
    return said.join(" · ");
  }

  function row(step, place) {
    const item = make("li", {}, make("code", {}, describe(step)));
    if (details(step)) item.append(make("small", {}, details(step)));
    if (place < steps.length - 1) {
      const back = make("button", { type: "button", class: "plain" }, say("back_here"));
      back.setAttribute("aria-label", `${say("back_here")}: ${describe(step)}`);
      back.addEventListener("click", () => link.ask({ ask: "keepSteps", length: place + 1 }));
      item.append(back);
    }
    return item;
  }

  function render({ now }) {
    steps = now.steps;
    list.replaceChildren(...steps.map(row));
    list.hidden = !steps.length;
    none.hidden = steps.length > 0;
    undo.disabled = !now.undo;
    redo.disabled = !now.redo;
    restore.disabled = !steps.length && !now.highlight;
  }

  undo.addEventListener("click", () => link.ask({ ask: "undo" }));
  redo.addEventListener("click", () => link.ask({ ask: "redo" }));
  restore.addEventListener("click", async () => {
    if (await link.ask({ ask: "restore" })) trasmallo.sayBelow(say("restored"));
  });
  link.onAnswer(render);

  trasmallo.steps = { last: () => steps.at(-1) ?? null, describe };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
