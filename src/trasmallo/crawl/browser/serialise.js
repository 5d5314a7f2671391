(function (most) {
  // The tree as a reader sees it: shadow trees in the place of their hosts' children, what is slotted in its slot.
  const empty = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);
  const raw = new Set(["script", "style"]);
  const out = [];
  let size = 0;
  const put = (text) => { size += text.length; out.push(text); };
  const text = (value) => value.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const children = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    if (node.localName === "slot" && node.assignedNodes) {
      const assigned = node.assignedNodes();
      if (assigned.length) return assigned;
    }
    return node.childNodes;
  };
  // A frame that scripts or a `srcdoc` have filled is part of the page; one with an address is a page of its own.
  const framed = (node) => {
    if (node.localName !== "iframe" || node.getAttribute("src")) return null;
    try { return node.contentDocument && node.contentDocument.body && node.contentDocument.body.childNodes; } catch (error) { return null; }
  };
  const stack = [document.documentElement];
  while (stack.length && size < most) {
    const node = stack.pop();
    if (typeof node === "string") { put(node); continue; }
    if (node.nodeType === 3) { put(text(node.data)); continue; }
    if (node.nodeType !== 1) continue;
    const name = node.localName;
    if (name === "noscript" || name === "template") continue;
    if (raw.has(name) && !/json/.test(node.type || "")) continue;
    const inside = framed(node);
    if (inside && inside.length) {
      put("<section>");
      stack.push("</section>");
      for (let index = inside.length - 1; index >= 0; index--) stack.push(inside[index]);
      continue;
    }
    let tag = "<" + name;
    for (const { name: key, value } of node.attributes) {
      if (/^on/i.test(key) || value.length > 4000) continue;
      tag += " " + key + '="' + value.replace(/&/g, "&amp;").replace(/"/g, "&quot;") + '"';
    }
    put(tag + ">");
    if (empty.has(name)) continue;
    if (raw.has(name)) { put(node.textContent.replace(/<\/script/gi, "<\\/script") + "</" + name + ">"); continue; }
    stack.push("</" + name + ">");
    const inner = children(node);
    for (let index = inner.length - 1; index >= 0; index--) stack.push(inner[index]);
  }
  return "<!DOCTYPE html>\n" + out.join("") + stack.filter((each) => typeof each === "string").reverse().join("");
})
