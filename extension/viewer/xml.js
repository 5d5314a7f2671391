// XML as a page, as the command makes it: every element a division with its attributes, or, in the middle of a text, a part of
// its line; names are shown, and are no text.
"use strict";
(function (trasmallo) {
  const OURS = new Set(["element", "attributes"]);
  const BLOCKS = new Set(("blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre table tbody td tfoot th"
    + " thead tr ul").split(" "));
  const PHRASES = new Set(("a abbr b cite code del dfn em hi i ins kbd mark pc q ref s samp seg small span strong sub sup tt u"
    + " var w").split(" "));
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

  const isText = node => node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE;
  const isBlank = node => !node.data.trim();

  // Whether text stands right before or after an element, be it a blank; a line end alone is how a file is laid out.
  function isBeside(element) {
    return ["previousSibling", "nextSibling"].some(direction => {
      let text = "", node = element[direction];
      for (; node && node.nodeType !== Node.ELEMENT_NODE; node = node[direction]) {
        if (isText(node)) text += node.data;
      }
      return text && (text.trim() || !text.includes("\n"));
    });
  }

  // An element flows where its parent has text of its own, or flows itself.
  function flows(element, inText) {
    const name = element.localName.toLowerCase();
    return inText && !BLOCKS.has(name) && (PHRASES.has(name) || isBeside(element));
  }

  function write(element, inLine) {
    const made = document.createElement(inLine ? "span" : "div");
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
    const whole = document.createDocumentFragment(), waiting = [[parsed.documentElement, whole, false]];
    while (waiting.length) {
      const [node, into, inText] = waiting.pop();
      if (isText(node)) into.append(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const inLine = flows(node, inText), made = write(node, inLine), children = [...node.childNodes];
      into.append(made);
      const holdsText = inLine || children.some(child => isText(child) && !isBlank(child));
      for (const child of children.reverse()) waiting.push([child, made, holdsText]);
    }
    return whole;
  }

  trasmallo.readXml = readXml;
})((globalThis.trasmallo = globalThis.trasmallo || {}));
