// What must work while no panel is open: shortcuts, continuous filtering, style sheets for pages that ask for them.
"use strict";
if (typeof importScripts === "function") importScripts("browser.js", "continuous.js");
(function (trasmallo) {
  const { browser, continuous } = trasmallo;

  const COMMANDS = {
    restore: { ask: "restore" },
    undo: { ask: "undo" },
    next: { ask: "goTo", by: 1 },
    previous: { ask: "goTo", by: -1 },
    block: { ask: "filter", step: { kind: "block", method: "best", favour: 0.5, rank: 0, tolerance: 0, inverse: false } },
  };

  async function obey(name) {
    const tab = await browser.tabInFront();
    if (!tab || !Object.hasOwn(COMMANDS, name)) return;
    // On a page that we may not touch there is nothing to restore or to go to.
    await browser.ask(tab.id, COMMANDS[name]).catch(() => null);
  }

  const LANGUAGES = new Set(["en", "es"]);

  // What a file says of the words of a language, their meanings or their forms, as text; null for a language without data.
  async function readWords(folder, language) {
    if (!LANGUAGES.has(language)) return null;
    const file = await fetch(browser.address(`${folder}/${language}.gz`));
    return new Response(file.body.pipeThrough(new DecompressionStream("gzip"))).text();
  }

  // The model of the method `best`, as text: messages carry no octets.
  async function readModel() {
    const file = await fetch(browser.address("core/blocks/best.model"));
    let letters = "";
    for (const octet of new Uint8Array(await file.arrayBuffer())) letters += String.fromCharCode(octet);
    return btoa(letters);
  }

  // One after the other: the same script cannot be registered twice.
  let registering = Promise.resolve();
  function register() {
    registering = registering.then(continuous.register).catch(() => null);
    return registering.then(() => true);
  }

  const SERVICES = {
    register,
    style: (_, tabId) => browser.restyle(tabId).then(() => true),
    rules: ({ css }, tabId) => browser.addRules(tabId, css).then(() => true),
    noRules: ({ css }, tabId) => browser.dropRules(tabId, css).then(() => true),
    model: readModel,
    meaning: ({ language }) => readWords("meanings", language),
    forms: ({ language }) => readWords("forms", language),
  };

  browser.onCommand(obey);
  browser.listen((message, tabId) => {
    return Object.hasOwn(SERVICES, message?.tell) ? SERVICES[message.tell](message, tabId) : undefined;
  });
  browser.onPermission(register);
  browser.onStored(changes => continuous.KEY in changes && register());
  browser.onStart(register);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
