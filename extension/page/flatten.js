// The page as the core wants it: preorder arrays, and beside them the nodes they came from.
//
// Shadow trees and documents of frames that can be reached stand in the place of their hosts' content. Our own elements leave
// no trace: what `trasmallo-off` holds counts as its parent's, the others do not count.
"use strict";
(function (trasmallo) {
  const MOST_NODES = 1000000;
  const ELEMENT = 1, TEXT = 3, CDATA = 4;
  const OFF = "trasmallo-off", OURS = new Set(["trasmallo-on", "trasmallo-bare"]);
  const MARK = "data-trasmallo";
  const FRAMES = new Set(["iframe", "frame"]);

  function readAttributes(element) {
    if (!element.hasAttributes()) return null;
    const pairs = [];
    for (const name of element.getAttributeNames()) {
      if (!name.startsWith(MARK)) pairs.push([name, element.getAttribute(name)]);
    }
    return pairs.length ? pairs : null;
  }

  function bodyOfFrame(element) {
    try {
      return element.contentDocument?.body ?? null;
    } catch {
      return null;
    }
  }

  // Asking for a closed tree is slow in Chromium; its hosts are custom elements or have no other content.
  function shadowOf(element, name) {
    if (element.shadowRoot) return element.shadowRoot;
    if (!name.includes("-") && (element.firstChild || name !== "div" && name !== "span" && name !== "section")) return null;
    return trasmallo.browser.shadowOf(element);
  }

  // {page, nodes, roots, closedFrames, cut}: the roots are what a MutationObserver must watch; `closedFrames` counts frames of
  // other sites; `cut` says that the page has more nodes than we look at.
  function flatten(root) {
    const parent = [], tag = [], attrs = [], text = [], nodes = [], roots = [root.ownerDocument];
    const waiting = [root], above = [-1];
    let closedFrames = 0;

    function pushChildren(node, index) {
      for (let child = node.lastChild; child; child = child.previousSibling) {
        waiting.push(child);
        above.push(index);
      }
    }

    function add(node, index, name, pairs, written) {
      parent.push(index);
      tag.push(name);
      attrs.push(pairs);
      text.push(written);
      nodes.push(node);
    }

    function openFrame(element, index, name) {
      const body = bodyOfFrame(element);
      if (!body) closedFrames++;
      // Opened, it is a division like others; the core does not look into frames.
      add(element, index, body ? "div" : name, readAttributes(element), "");
      if (!body) return;
      roots.push(body.ownerDocument);
      waiting.push(body);
      above.push(nodes.length - 1);
    }

    function addElement(element, index) {
      const name = element.localName.toLowerCase();
      if (name === OFF) return pushChildren(element, index);
      if (OURS.has(name)) return undefined;
      if (FRAMES.has(name)) return openFrame(element, index, name);
      add(element, index, name, readAttributes(element), "");
      const here = nodes.length - 1, shadow = shadowOf(element, name);
      pushChildren(element, here);
      if (shadow) {
        roots.push(shadow);
        pushChildren(shadow, here);
      }
      return undefined;
    }

    while (waiting.length && nodes.length < MOST_NODES) {
      const node = waiting.pop(), index = above.pop();
      if (node.nodeType === ELEMENT) addElement(node, index);
      else if (node.nodeType === TEXT || node.nodeType === CDATA) add(node, index, "#text", null, node.data);
    }
    const page = { parent: Int32Array.from(parent), tag, attrs, text };
    return { page, nodes, roots, closedFrames, cut: waiting.length > 0 };
  }

  Object.assign(trasmallo, { flatten, MARK });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
