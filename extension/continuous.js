// Continuous filtering: which sites are filtered whenever one of their pages loads, and by what.
//
// Stored as {pattern: {steps, view}}; a pattern is a site's, such as *://example.org/*, or that of all sites.
"use strict";
(function (trasmallo) {
  const { browser } = trasmallo;
  const KEY = "continuous", ALL = "*://*/*", SCRIPT = "trasmallo-continuous";

  const siteOf = url => `*://${new URL(url).hostname}/*`;
  const rules = () => browser.stored(KEY, {});

  // The rule of a page: its site's, else that of all sites, else null.
  async function ruleFor(url) {
    const known = await rules();
    return known[siteOf(url)] ?? known[ALL] ?? null;
  }

  async function keep(pattern, rule) {
    await browser.store(KEY, { ...(await rules()), [pattern]: rule });
  }

  async function drop(pattern) {
    const { [pattern]: _, ...others } = await rules();
    await browser.store(KEY, others);
  }

  // Makes the registered script that of the stored rules, as far as the user permitted them.
  async function register() {
    const wanted = Object.keys(await rules()), matches = [];
    for (const pattern of wanted) if (await browser.permitted([pattern])) matches.push(pattern);
    const there = (await browser.registered()).some(script => script.id === SCRIPT);
    if (there) await browser.unregister(SCRIPT);
    if (!matches.length) return;
    const js = [...await browser.scripts(), "continuous.js", "page/continuous.js"];
    await browser.register({ id: SCRIPT, matches, js, runAt: "document_idle", persistAcrossSessions: true });
  }

  trasmallo.continuous = { ALL, KEY, siteOf, rules, ruleFor, keep, drop, register };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
