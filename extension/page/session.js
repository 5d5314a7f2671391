// What the user did to this page: the steps of its filter, the view, the highlights; and the way back.
//
// `highlight` is null or the step whose words are marked while nothing is filtered; a filter's own words go before it.
// A step as it is kept and sent: {kind: "criterion", source, where, case, accents, part, forms, tolerance, inverse} or
// {kind: "block", method, favour, headline, rank, menus, tolerance, inverse}.
"use strict";
(function (trasmallo) {
  const { watch, views, bare, marks, meaning, forms, pageBlocks } = trasmallo;
  const MOST_PAST = 100;
  const NOTHING = Object.freeze({ steps: [], view: "collapse", highlight: null });

  let state = NOTHING, past = [], future = [];
  let flat = null, prepared = null, slice = null;
  let defence = "", givenUp = false;

  // The flat page, made again only after the page changed.
  function read() {
    if (flat) return prepared;
    flat = trasmallo.flatten(trasmallo.root ?? document.documentElement);
    prepared = trasmallo.prepare(flat.page);
    watch.start(flat.roots, changed);
    return prepared;
  }

  function changed(how) {
    if (how === "dirty") forget();
    else if (how === "given up") defend();
    else if (state.steps.length || state.highlight) draw();
  }

  // Against a page that takes our marks away there are rules by place, which no page can take away; where there would be too
  // many of them the page is left alone.
  function defend() {
    if (defence || givenUp || !slice) return;
    const options = { inverse: true, keepSpace: state.view === "keep" }, same = read().size === slice.states.length;
    defence = (same && trasmallo.asStyleSheet(prepared, slice.states, options)) || "";
    if (defence) trasmallo.browser.tell({ tell: "rules", css: defence });
    else givenUp = true;
  }

  function disarm() {
    if (defence) trasmallo.browser.tell({ tell: "noRules", css: defence });
    defence = "";
    givenUp = false;
  }

  function forget() {
    flat = null;
    prepared = null;
  }

  // A step for the core, or the error of its criterion.
  function readStep(step) {
    if (step.kind === "block") return { ...step, nodes: pageBlocks.nodesOf(flat.page, step) };
    const parsed = trasmallo.parse(step.source, step);
    return parsed.error ? parsed : { ...step, tree: trasmallo.inflect(parsed.tree, forms.tables(), step) };
  }

  // {slice} or {error}; of these steps, nothing shown yet.
  function cut(steps) {
    const ready = read(), readSteps = steps.map(readStep), wrong = readSteps.find(step => step.error);
    return wrong ?? { slice: trasmallo.slice(ready, readSteps, { meaning: meaning.lexicon() }), last: readSteps.at(-1) };
  }

  // Whether anything at all would be seen: a blank page helps nobody.
  function leavesSomething(found) {
    const { SHOWN, RELEVANT, PARTIAL } = trasmallo.State, { page } = flat;
    const isContent = node => page.tag[node] === "img" || !views.isBlank(page.text[node]);
    return found.states.some((shown, node) => shown === PARTIAL || (shown === RELEVANT || shown === SHOWN) && isContent(node));
  }

  // Shows the present state. What the page had under our changes is read before and never again because of them.
  function draw() {
    if (!state.steps.length) return drawUnfiltered();
    const found = cut(state.steps);
    if (found.error) return found;
    if (!leavesSomething(found.slice)) return { empty: true };
    slice = found.slice;
    return watch.quietly(() => {
      bare.clear();
      views.show(flat, slice, state.view);
      const plan = trasmallo.planBare(prepared, slice.states), seen = plan.some(({ source, deep }) => deep && isSeen(source));
      if (state.view === "bare") drawBare(plan);
      drawMarks(found.last);
      return seen ? {} : { empty: true, unseen: true };
    });
  }

  function drawBare(plan) {
    const linked = plan.map(item => ({ ...item })), kept = linked.filter(({ source, deep }) => !deep || isSeen(source));
    for (const item of linked) item.above = linked[item.parent];
    bare.show(flat, slice, kept, flat.nodes[prepared.scope]);
    views.show(flat, everythingAway(slice), state.view);
  }

  // Whether the page itself shows a node: menus that open later, for example, match and are not there to be seen.
  function isSeen(index) {
    const node = flat.nodes[index], element = node.nodeType === Node.ELEMENT_NODE ? node : views.holderOf(node);
    return element ? element.checkVisibility() : true;
  }

  function drawUnfiltered() {
    slice = null;
    const found = state.highlight ? cut([state.highlight]) : {};
    if (found.error) return found;
    watch.quietly(() => {
      bare.clear();
      views.clear(flat ? flat.roots : [document]);
      if (found.slice) markAll(found.slice, found.last, () => true);
      else marks.clear();
    });
    return {};
  }

  function everythingAway(found) {
    const states = found.states.slice(), { HIDDEN, NEUTRAL } = trasmallo.State;
    for (let node = 0; node < states.length; node++) {
      if (flat.page.parent[node] === prepared.scope && states[node] !== NEUTRAL) states[node] = HIDDEN;
    }
    return { ...found, states };
  }

  function drawMarks(step) {
    if (!state.highlight) return marks.clear();
    return markAll(slice, step, node => slice.states[node] !== trasmallo.State.HIDDEN);
  }

  function markAll(found, step, isSeen) {
    const words = step.tree && trasmallo.readsText(trasmallo.readingOf(step)) ? trasmallo.wordsOf(step.tree) : [];
    const places = trasmallo.findMarks(prepared, words, step).filter(([, node]) => isSeen(node));
    const { ATTRIBUTES, NAME } = trasmallo.Reason;
    const silent = [...found.relevant].filter((node, place) =>
      (found.reasons[place] === ATTRIBUTES || found.reasons[place] === NAME) && isSeen(node));
    marks.show(flat, places, silent.map(node => [node, labelOf(step, node)]));
  }

  // The attribute or the name by which an element was found, to be read beside it.
  function labelOf(step, node) {
    if (step.where === "elements") return `<${trasmallo.nameOf(flat.page, node)}>`;
    const [first] = trasmallo.findAttributes(prepared, step.tree ? trasmallo.wordsOf(step.tree) : [], step, node);
    return first ? `${first[1]}="${first[2]}"` : "";
  }

  // Tries another state; a broken or fruitless one changes nothing. Changes of one `mood` in a row are one way back.
  let mood = "";
  function change(next, why = "") {
    watch.forgive();
    disarm();
    const before = state;
    state = { ...state, ...next };
    const found = draw();
    if (found.error || found.empty) {
      state = before;
      draw();
      return found;
    }
    if (!why || why !== mood) past = [...past.slice(1 - MOST_PAST), before];
    mood = why;
    future = [];
    return {};
  }

  // Brings what is shown first into the window, unless some of what is shown is there already; frames stay where they are.
  function goToFirst() {
    if (window !== window.top || !slice) return;
    if (state.view === "bare") return window.scrollTo({ top: 0, behavior: "instant" });
    const { SHOWN, RELEVANT, PARTIAL } = trasmallo.State, kept = new Set([SHOWN, RELEVANT, PARTIAL]);
    let first = null;
    for (let node = 0; node < slice.states.length; node++) {
      if (!kept.has(slice.states[node]) || views.isBlank(flat.page.text[node])) continue;
      const held = flat.nodes[node], element = held.nodeType === Node.ELEMENT_NODE ? held : views.holderOf(held);
      const box = element?.getBoundingClientRect();
      if (!box?.height || !element.checkVisibility()) continue;
      if (box.bottom > 0 && box.top < window.innerHeight) return;
      first ??= element;
    }
    first?.scrollIntoView({ block: "center", behavior: "instant" });
  }

  function goBack() {
    if (past.length) {
      future = [state, ...future];
      state = past.at(-1);
      past = past.slice(0, -1);
      mood = "";
      disarm();
      draw();
    }
    return {};
  }

  function goOn() {
    if (future.length) {
      past = [...past, state];
      [state, ...future] = future;
      mood = "";
      disarm();
      draw();
    }
    return {};
  }

  function tell() {
    return {
      steps: state.steps, view: state.view, highlight: Boolean(state.highlight),
      count: slice?.count ?? 0, most: slice?.maxTolerance ?? 0, marks: marks.told(),
      undo: past.length, redo: future.length, givenUp,
      closedFrames: flat?.closedFrames ?? 0, cut: flat?.cut ?? false, missing: meaning.missing(),
      related: slice?.related.size ?? 0, formsMissing: forms.missing(),
    };
  }

  trasmallo.session = {
    read, cut, change, goToFirst, goBack, goOn, tell, leavesSomething, page: () => (read(), flat.page),
    state: () => state, slice: () => slice, quietly: watch.quietly,
  };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
