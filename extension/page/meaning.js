// What words mean, for tolerance by meaning: fetched from the extension's own files the first time it is wanted.
"use strict";
(function (trasmallo) {
  const SAMPLE = 4000;
  let language = null, lexicon = null;

  const languageSaid = () => document.documentElement.lang.slice(0, 2).toLowerCase();

  async function pageLanguage() {
    const sample = (trasmallo.root ?? document.body)?.textContent.slice(0, SAMPLE) ?? "";
    return languageSaid() || trasmallo.browser.languageOf(sample);
  }

  // Loads the words of the page's language; one without data is told by `missing`.
  async function load() {
    if (language !== null) return;
    language = await pageLanguage();
    const text = await trasmallo.browser.tell({ tell: "meaning", language }).catch(() => null);
    lexicon = text ? trasmallo.readMeaning(text) : null;
  }

  trasmallo.meaning = {
    load, languageSaid, language: pageLanguage, lexicon: () => lexicon,
    missing: () => (language !== null && !lexicon ? language || "?" : null),
  };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
