// Why this block: what the methods saw in the page, as a list and as pictures.
"use strict";
(async function (trasmallo) {
  const { link, make, pictures, say, settings } = trasmallo;
  const byId = id => document.getElementById(id);

  function listRow({ ratio, characters, weight, tag, path, main }, most) {
    const bar = make("span", { class: "ratio-bar", "aria-hidden": "true" });
    bar.style.width = `${Math.round((60 * ratio) / most)}px`;
    return make("tr", main ? { class: "main" } : {},
      make("td", { class: "number" }, bar, pictures.number(ratio)),
      make("td", { class: "number" }, String(characters)), make("td", { class: "number" }, String(weight)),
      make("td", {}, make("code", {}, tag)), make("td", {}, make("code", {}, path)));
  }

  function show({ why, about }) {
    byId("of").textContent = about.title || about.url;
    const { nodes, total, taken, cnr, cetr } = why, most = nodes.reduce((best, { ratio }) => Math.max(best, ratio), 1);
    byId("rows").append(...nodes.map(node => listRow(node, most)));
    byId("taken").textContent = say("why_taken", taken, total);
    byId("curve").append(pictures.curve(why.curve, { length: total, from: total - taken, title: say("why_curve") }));
    byId("tree").append(pictures.tree(why.tree, say("why_tree")));
    byId("cnr").append(pictures.bars(cnr.ratios, cnr.main, say("why_cnr")));
    byId("cetr").append(pictures.bars(cetr.ratios, cetr.main, say("why_cetr")));
    byId("slope").append(pictures.slope(why.slope, say("why_slope")));
    byId("pictures").hidden = false;
  }

  document.title = `Trasmallo: ${say("why")}`;
  link.onFailure(() => {
    byId("notice").hidden = false;
    byId("notice").textContent = say("no_access_yet");
  });
  const { favour } = await settings.load();
  const answer = await link.ask({ ask: "why", favour });
  if (answer) show(answer);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
