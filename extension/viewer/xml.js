// XML as a page: every element a division with its attributes, as the command makes it; names are shown, and are no text.
"use strict";
(function (trasmallo) {
  const OURS = new Set(["element", "attributes"]);
  const declares = name => name === "xmlns" || name.startsWith("xmlns:");

  // A name without its namespace, fit for an attribute of HTML.
  const fit = name => name.replace(/[^\p{L}\p{N}\p{M}_.-]/gu, "-");

  // Attributes as HTML has them; their names in a list where HTML, which knows no case, would lose them.
  function writeAttributes(made, attributes) {
    const names = [], kept = [];
    for (const { name: whole, localName, value } of attributes) {
      if (declares(whole)) continue;
      const name = fit(localName), small = name.toLowerCase(), key = OURS.has(small) ? `${small}-` : small;
      if (kept.includes(key) || key.startsWith("trasmallo")) continue;
      made.setAttribute(`data-${key}`, value);
      kept.push(key);
      names.push(name);
    }
    if (names.join(" ") !== kept.join(" ")) made.setAttribute("data-attributes", names.join(" "));
  }

  function division(element) {
    const made = document.createElement("div");
    const shown = Array.from(element.attributes, ({ name, value }) => `${name}="${value}"`);
    made.setAttribute("data-trasmallo-name", element.nodeName);
    made.setAttribute("data-trasmallo-shown", shown.length ? " " + shown.join(" ") : "");
    made.setAttribute("data-element", element.localName);
    writeAttributes(made, element.attributes);
    return made;
  }

  // A fragment; null when it is no XML. As deep as it may be, no call is inside another.
  function readXml(text) {
    const parsed = new DOMParser().parseFromString(text, "application/xml");
    if (parsed.querySelector("parsererror")) return null;
    const whole = document.createDocumentFragment(), waiting = [[parsed.documentElement, whole]];
    while (waiting.length) {
      const [node, into] = waiting.pop();
      if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) into.append(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const made = division(node);
      into.append(made);
      for (const child of [...node.childNodes].reverse()) waiting.push([child, made]);
    }
    return whole;
  }

  trasmallo.readXml = readXml;
})((globalThis.trasmallo = globalThis.trasmallo || {}));
