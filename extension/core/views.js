// What becomes of every node in one step, and the smaller page that the next step sees: as states.py has it.
"use strict";
(function (trasmallo) {
  const State = Object.freeze({ HIDDEN: 0, ANCESTOR: 1, SHOWN: 2, RELEVANT: 3, PARTIAL: 4, NEUTRAL: 5 });
  const GAP = "#gap";

  // The nodes and all their descendants.
  function cover(prepared, nodes) {
    const flags = new Uint8Array(prepared.size);
    let done = 0;
    for (const node of nodes) {
      if (node < done) continue;
      done = prepared.end[node];
      flags.fill(1, node, done);
    }
    return flags;
  }

  // Only `shown` nodes and parts are shown: their ancestors stay without other content, all else is hidden.
  function keep(prepared, shown, parts, relevant) {
    const { size, scope, isBlank, page } = prepared;
    const states = new Uint8Array(size), reached = shown.slice();
    for (const index of parts.keys()) reached[index] = 1;
    const inside = trasmallo.countInside(prepared, reached);
    for (let index = 0; index < size; index++) {
      if (shown[index]) states[index] = State.SHOWN;
      else if (inside[index] > 0 || index === scope) states[index] = State.ANCESTOR;
      // White space between shown neighbours keeps their words apart.
      else if (isBlank[index] && index && states[page.parent[index]] === State.ANCESTOR) states[index] = State.SHOWN;
    }
    for (const node of relevant) if (shown[node]) states[node] = State.RELEVANT;
    for (const index of parts.keys()) states[index] = State.PARTIAL;
    return leaveUnread(prepared, states);
  }

  // Everything but `hidden` nodes is shown, texts in `parts` partly; the scope itself stays.
  function hide(prepared, hidden, parts) {
    const states = new Uint8Array(prepared.size);
    for (let index = 0; index < prepared.size; index++) states[index] = hidden[index] ? State.HIDDEN : State.SHOWN;
    for (const index of parts.keys()) states[index] = State.PARTIAL;
    if (hidden[prepared.scope]) states[prepared.scope] = State.ANCESTOR;
    return leaveUnread(prepared, states);
  }

  function leaveUnread(prepared, states) {
    states.fill(State.NEUTRAL, 0, prepared.scope);
    states.fill(State.NEUTRAL, prepared.end[prepared.scope]);
    for (const [start, stop] of prepared.unread) {
      const above = states[prepared.page.parent[start]];
      states.fill(above === State.HIDDEN ? State.HIDDEN : State.NEUTRAL, start, stop);
    }
    return states;
  }

  // The other parts of the same text nodes.
  function complement(page, parts) {
    const found = new Map();
    for (const [index, ranges] of parts) {
      const others = [];
      let from = 0;
      for (const [start, end] of ranges) {
        if (from < start) others.push([from, start]);
        from = end;
      }
      if (from < page.text[index].length) others.push([from, page.text[index].length]);
      found.set(index, others);
    }
    return found;
  }

  // The page that a step leaves; a text shown in parts becomes several, with a gap between them.
  function restrict(page, states, parts) {
    const renumbered = new Int32Array(page.tag.length), parent = [], tag = [], attrs = [], text = [], origin = [], before = [];

    function add(index, name, written, skipped) {
      parent.push(index ? renumbered[page.parent[index]] : -1);
      origin.push(index);
      before.push(skipped);
      tag.push(name);
      attrs.push(page.attrs[index]);
      text.push(written);
    }

    for (let index = 0; index < page.tag.length; index++) {
      if (states[index] === State.HIDDEN) continue;
      renumbered[index] = tag.length;
      if (states[index] !== State.PARTIAL) {
        add(index, page.tag[index], page.text[index], 0);
        continue;
      }
      const ranges = parts.get(index), whole = page.text[index];
      ranges.forEach(([start, end], number) => {
        if (number || start) add(index, GAP, "", start);
        add(index, "#text", whole.slice(start, end), start);
      });
      if (ranges[ranges.length - 1][1] < whole.length) add(index, GAP, "", whole.length);
    }
    return { page: { parent: Int32Array.from(parent), tag, attrs, text }, origin, before };
  }

  // The topmost nodes that are shown, without blanks; when the body itself is shown, its children.
  function topmost(prepared, states) {
    const { size, scope, isBlank, page } = prepared, full = new Uint8Array(size), found = [];
    for (let index = scope + 1; index < size; index++) {
      full[index] = states[index] === State.SHOWN || states[index] === State.RELEVANT || states[index] === State.PARTIAL ? 1 : 0;
      if (full[index] && !full[page.parent[index]] && !isBlank[index]) found.push(index);
    }
    return found;
  }

  // The outermost drawing around a node, -1 without one.
  function drawingOf(prepared, node) {
    const { page, scope } = prepared;
    let found = -1;
    if (prepared.drawings === undefined) prepared.drawings = page.tag.includes("svg") || page.tag.includes("math");
    for (let above = prepared.drawings ? page.parent[node] : scope; above > scope; above = page.parent[above]) {
      if (page.tag[above] === "svg" || page.tag[above] === "math") found = above;
    }
    return found;
  }

  // The parents that a node needs, innermost first: [node to copy, tag], or [-1, tag to make anew].
  function wrappersOf(prepared, item, holders) {
    const { page, scope } = prepared, parents = trasmallo.kinds.parents, drawing = drawingOf(prepared, item), found = [];
    const needs = (tag) => (Object.hasOwn(parents, tag) ? parents[tag] : null);
    let node = item, tag = page.tag[item];
    while (node !== scope) {
      const above = page.parent[node], wanted = needs(tag);
      const held = holders.has(above) || (drawing >= 0 && node > drawing);
      if (!held && !wanted) break;
      if (!held && (above === scope || !wanted.includes(page.tag[above]))) {
        for (let made = wanted; made; made = needs(made[0])) found.push([-1, made[0]]);
        break;
      }
      node = above;
      tag = page.tag[above];
      found.push([node, tag]);
    }
    return found;
  }

  // The bare view: {parent, source, tag, deep}[], parents before children. `parent` is a place in this list, -1 for the body;
  // `source` the node to copy, -1 for a new element; with `deep` it brings all of its content that is shown.
  function planBare(page, states) {
    const prepared = trasmallo.prepare(page), flat = prepared.page, items = topmost(prepared, states), plan = [];
    const holders = new Set(items.filter((item) => flat.tag[item] === "#text" || flat.tag[item] === GAP).map((item) => flat.parent[item]));
    holders.delete(prepared.scope);
    let opened = [];
    for (const item of items) {
      const chain = wrappersOf(prepared, item, holders).reverse();
      let same = 0;
      while (same < chain.length && same < opened.length && opened[same].source === chain[same][0] && opened[same].tag === chain[same][1]) same++;
      opened = opened.slice(0, same);
      const last = () => (opened.length ? opened[opened.length - 1].place : -1);
      for (const [source, tag] of chain.slice(same)) {
        plan.push({ parent: last(), source, tag, deep: false });
        opened.push({ source, tag, place: plan.length - 1 });
      }
      plan.push({ parent: last(), source: item, tag: flat.tag[item], deep: true });
    }
    return plan;
  }

  Object.assign(trasmallo, { planBare, State, GAP, cover, keepOnly: keep, hideOnly: hide, complement, restrict });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
