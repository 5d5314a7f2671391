// Continuous filtering: the one thing that needs a permission for sites, asked for when it is turned on and given back after.
"use strict";
(function (trasmallo) {
  const { link, say, continuous, browser } = trasmallo;
  const radios = document.querySelectorAll("[name=always]");
  let url = "", rule = { steps: [], view: "collapse" };

  const choose = value => { document.querySelector(`[name=always][value=${value}]`).checked = true; };

  async function turnOff() {
    const patterns = [continuous.siteOf(url), continuous.ALL];
    for (const pattern of patterns) await continuous.drop(pattern);
    await browser.forbid(patterns).catch(() => false);
    trasmallo.sayBelow(say("always_is_off"));
  }

  // Browsers ask only in answer to a click, so nothing may be awaited before; Firefox may close the panel meanwhile, so what is
  // wanted is stored first, and the background acts on it.
  async function turnOn(pattern) {
    const stored = continuous.keep(pattern, rule), permitted = browser.permit([pattern]);
    await stored;
    if (await permitted) {
      await browser.tell({ tell: "register" });
      return trasmallo.sayBelow(say("always_is_on"));
    }
    await continuous.drop(pattern);
    choose("off");
    return trasmallo.sayBelow(say("always_refused"));
  }

  function turn(value) {
    if (value === "off") return turnOff();
    if (!rule.steps.length) {
      choose("off");
      return trasmallo.sayBelow(say("filter_first"));
    }
    return turnOn(value === "all" ? continuous.ALL : continuous.siteOf(url));
  }

  async function render({ now, about }) {
    rule = { steps: now.steps, view: now.view };
    for (const radio of radios) radio.disabled = !/^https?:/.test(about.url);
    if (url === about.url) return;
    url = about.url;
    const known = await continuous.rules();
    choose(known[continuous.ALL] ? "all" : known[continuous.siteOf(url)] ? "site" : "off");
  }

  for (const radio of radios) radio.addEventListener("change", () => turn(radio.value));
  link.onAnswer(render);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
