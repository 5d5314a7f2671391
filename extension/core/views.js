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

  // Only `shown` nodes are shown: their ancestors stay without other content, all else is hidden.
  function keep(prepared, shown, relevant) {
    const { size, scope, isBlank, page } = prepared;
    const states = new Uint8Array(size), inside = trasmallo.countInside(prepared, shown);
    for (let index = 0; index < size; index++) {
      if (shown[index]) states[index] = State.SHOWN;
      else if (inside[index] > 0 || index === scope) states[index] = State.ANCESTOR;
      // White space between shown neighbours keeps their words apart.
      else if (isBlank[index] && index && states[page.parent[index]] === State.ANCESTOR) states[index] = State.SHOWN;
    }
    for (const node of relevant) if (shown[node]) states[node] = State.RELEVANT;
    return leaveUnread(prepared, states);
  }

  // Everything but `hidden` nodes is shown; the scope itself stays.
  function hide(prepared, hidden) {
    const states = new Uint8Array(prepared.size);
    for (let index = 0; index < prepared.size; index++) states[index] = hidden[index] ? State.HIDDEN : State.SHOWN;
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

  Object.assign(trasmallo, { State, GAP, cover, keepOnly: keep, hideOnly: hide, restrict });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
