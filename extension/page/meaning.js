// What words mean, for tolerance by meaning: fetched from the extension's own files the first time it is wanted. The user's own
// tree of related words, if one is kept, goes before them.
"use strict";
(function (trasmallo) {
  const SAMPLE = 4000;
  let language = null, lexicon = null, own = null, trees = null, loading = null;

  const languageSaid = () => document.documentElement.lang.slice(0, 2).toLowerCase();

  async function pageLanguage() {
    const sample = (trasmallo.root ?? document.body)?.textContent.slice(0, SAMPLE) ?? "";
    return languageSaid() || trasmallo.browser.languageOf(sample);
  }

  // The user's tree as it is kept now; its words are found in all their forms.
  async function loadOwn() {
    const kept = await trasmallo.browser.stored("related", null);
    if (kept?.text !== own?.text) trees = kept ? trasmallo.readRelated(kept.text).trees ?? null : null;
    own = kept;
    if (trees) await trasmallo.forms.load();
  }

  // Loads the words of the page's language; one without data is told by `missing`.
  async function loadLexicon() {
    language = await pageLanguage();
    const text = await trasmallo.browser.tell({ tell: "meaning", language }).catch(() => null);
    lexicon = text ? trasmallo.readMeaning(text) : null;
  }

  // The words once for a page, the user's tree as often as it is asked for: it may have been changed.
  const load = () => Promise.all([loadOwn(), (loading ??= loadLexicon())]);

  trasmallo.meaning = {
    load, languageSaid, language: pageLanguage,
    lexicon: () => (trees ? trasmallo.ownMeaning(trees, lexicon, trasmallo.forms.tables()) : lexicon),
    // The name of the file with the user's tree, null without one.
    own: () => (trees ? own.name : null),
    missing: () => (language !== null && !lexicon && !trees ? language || "?" : null),
  };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
