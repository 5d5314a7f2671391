// Why this block: what the methods saw in the page, as a list and as pictures.
"use strict";
(async function (trasmallo) {
  const { link, make, pictures, say, settings } = trasmallo;
  const byId = id => document.getElementById(id);

  function complain(key) {
    byId("notice").hidden = false;
    byId("notice").textContent = say(key);
  }

  function listRow({ ratio, tag, path }, most) {
    const bar = make("span", { class: "ratio-bar", "aria-hidden": "true" });
    bar.style.width = `${Math.round((60 * ratio) / most)}px`;
    return make("tr", {},
      make("td", { class: "number" }, bar, pictures.number(ratio)),
      make("td", {}, make("code", {}, tag)), make("td", {}, make("code", {}, path)));
  }

  function result(nodes) {
    const list = make("ol", {});
    for (const node of nodes) list.append(make("li", {}, make("code", {}, node.path), ` ${pictures.number(node.ratio)}`));
    return nodes.length ? list : make("p", { class: "soft" }, say("no_block"));
  }

  function show({ why, about }) {
    byId("of").textContent = about.title || about.url;
    if (!why) return complain("blocks_missing");
    const most = Math.max(...why.rows.map(row => row.ratio), 1);
    byId("rows").append(...why.rows.map(row => listRow(row, most)));
    byId("curve").append(pictures.curve(why.curve, say("why_curve")));
    byId("tree").append(pictures.tree(why.tree, say("why_tree")));
    byId("cnr").append(result(why.cnr));
    byId("cetr-curve").append(pictures.curve(why.cetr.ratios, say("why_cetr")));
    byId("cetr").append(result(why.cetr.nodes));
    byId("pictures").hidden = false;
    return undefined;
  }

  document.title = `Trasmallo: ${say("why")}`;
  link.onFailure(() => complain("no_access_yet"));
  const { favour } = await settings.load();
  const answer = await link.ask({ ask: "why", favour });
  if (answer) show(answer);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
