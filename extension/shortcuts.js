// Fills a list (dl) with the extension's shortcuts as the user has them now.
"use strict";
(async function (trasmallo) {
  const { browser, say, make } = trasmallo;
  const list = document.getElementById("shortcuts");
  for (const { name, description, shortcut } of await browser.commands()) {
    const does = name.startsWith("_execute") ? say("command_open") : description;
    const keys = shortcut ? make("kbd", {}, shortcut) : make("span", { class: "soft" }, say("no_shortcut"));
    list.append(make("dt", {}, does), make("dd", {}, keys));
  }
})((globalThis.trasmallo = globalThis.trasmallo || {}));
