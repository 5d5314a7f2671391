// What the user chose once and for all, with what holds until then.
"use strict";
(function (trasmallo) {
  const KEY = "settings";
  const DEFAULTS = Object.freeze({
    where: "text", case: false, accents: false, part: false, forms: false,
    view: "collapse", highlight: false, method: "best", favour: 0.5, headline: true,
    app: "http://127.0.0.1:7470", token: "", project: "",
  });

  trasmallo.settings = {
    DEFAULTS,
    load: async () => ({ ...DEFAULTS, ...(await trasmallo.browser.stored(KEY, {})) }),
    async save(changes) {
      const known = await trasmallo.browser.stored(KEY, {});
      await trasmallo.browser.store(KEY, { ...known, ...changes });
    },
  };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
