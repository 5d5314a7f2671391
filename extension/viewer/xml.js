// XML as a page: every element a division with its attributes; its name is shown, and is no text.
"use strict";
(function (trasmallo) {
  // Attributes that would act in HTML, or that are ours.
  const ACTING = new Set(["style", "class", "contenteditable", "popover", "hidden"]);
  const refused = name => name.startsWith("on") || name.startsWith("data-trasmallo") || ACTING.has(name);

  function division(element) {
    const made = document.createElement("div"), shown = [];
    made.className = "xml";
    made.setAttribute("data-trasmallo-name", element.nodeName);
    // As the command writes it, so that names are found alike.
    made.setAttribute("data-element", element.localName);
    for (const { name, value } of element.attributes) {
      shown.push(`${name}="${value}"`);
      if (!refused(name.toLowerCase()) && /^[A-Za-z_][\w.-]*$/.test(name)) made.setAttribute(name, value);
    }
    made.setAttribute("data-trasmallo-shown", shown.length ? " " + shown.join(" ") : "");
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
