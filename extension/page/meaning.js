// What words mean, for tolerance by meaning: fetched from the extension's own files the first time it is wanted.
"use strict";
(function (trasmallo) {
  const SAMPLE = 4000;
  let language = null, lexicon = null;

  async function pageLanguage() {
    const written = document.documentElement.lang.slice(0, 2).toLowerCase();
    return written || trasmallo.browser.languageOf((trasmallo.root ?? document.body)?.textContent.slice(0, SAMPLE) ?? "");
  }

  // Loads the words of the page's language; one without data is told by `missing`.
  async function load() {
    if (language !== null) return;
    language = await pageLanguage();
    const text = await trasmallo.browser.tell({ tell: "meaning", language }).catch(() => null);
    lexicon = text ? trasmallo.readMeaning(text) : null;
  }

  trasmallo.meaning = { load, lexicon: () => lexicon, missing: () => (language !== null && !lexicon ? language || "?" : null) };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
