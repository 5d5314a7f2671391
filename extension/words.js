// Puts the user's language into a page: data-say is an element's text, data-say-ATTRIBUTE one of its attributes.
"use strict";
(function (trasmallo) {
  const ATTRIBUTES = ["aria-label", "title", "placeholder"];

  function say(key, ...args) {
    return trasmallo.browser.translate(key, ...args);
  }

  function fill(root) {
    document.documentElement.lang = say("language");
    for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
    for (const name of ATTRIBUTES) {
      for (const element of root.querySelectorAll(`[data-say-${name}]`)) {
        element.setAttribute(name, say(element.getAttribute(`data-say-${name}`)));
      }
    }
  }

  // An element with attributes and children; a child that is a string is text.
  function make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  Object.assign(trasmallo, { say, fill, make });
  fill(document);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
