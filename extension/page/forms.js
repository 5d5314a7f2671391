// The forms of words, for criteria such as marcar~: fetched from the extension's own files the first time they are wanted.
"use strict";
(function (trasmallo) {
  const KNOWN = ["en", "es"];
  let language = null, tables = [], loading = null;

  const readTable = async code => {
    const text = await trasmallo.browser.tell({ tell: "forms", language: code }).catch(() => null);
    return text ? [trasmallo.readForms(text)] : [];
  };

  // Loads the table of the page's language; every table where that is a guess without one. A language that the page says and
  // that has no table is told by `missing`.
  async function loadTables() {
    const said = trasmallo.meaning.languageSaid();
    language = await trasmallo.meaning.language();
    const wanted = KNOWN.includes(language) ? [language] : said ? [] : KNOWN;
    tables = (await Promise.all(wanted.map(readTable))).flat();
  }

  // Once for a page; who asks meanwhile waits for the same.
  const load = () => (loading ??= loadTables());

  const wants = step => step.kind === "criterion" && (step.forms || step.source.includes("~"));

  trasmallo.forms = {
    load, wants, tables: () => tables, missing: () => (language !== null && !tables.length ? language || "?" : null),
  };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
