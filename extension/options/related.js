// The user's own tree of related words: chosen from a file, kept in the browser, and used for tolerance by meaning.
"use strict";
(function (trasmallo) {
  const { browser, say } = trasmallo;
  const KEY = "related", MOST_OCTETS = 1000000;
  const [chooser, told, forget] = ["related-file", "related-kept", "related-forget"].map(id => document.getElementById(id));

  function sayKept(kept) {
    const { trees } = kept ? trasmallo.readRelated(kept.text) : {};
    forget.hidden = !kept;
    told.classList.remove("error");
    if (!trees) told.textContent = say("options_related_none");
    else told.textContent = say("options_related_kept", kept.name, [...trees.keys()].join(", "));
  }

  function sayWrong({ code, args }) {
    told.classList.add("error");
    told.textContent = say(`related_${code}`, ...args);
  }

  // A file that cannot be read leaves what is kept.
  async function keep() {
    const [file] = chooser.files;
    if (!file) return undefined;
    const text = file.size > MOST_OCTETS ? " ".repeat(MOST_OCTETS) : await file.text();
    const { error } = trasmallo.readRelated(text);
    chooser.value = "";
    if (error) return sayWrong(error);
    const kept = { name: file.name, text };
    await browser.store(KEY, kept);
    return sayKept(kept);
  }

  chooser.addEventListener("change", keep);
  forget.addEventListener("click", () => browser.store(KEY, null).then(() => sayKept(null)));
  browser.stored(KEY, null).then(sayKept);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
