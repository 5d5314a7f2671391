// Highlights: words by the browser's own highlights, which leave the page's tree alone; elements that match by an attribute get
// an outline.
"use strict";
(function (trasmallo) {
  const MARK = "data-trasmallo-mark", LABEL = "data-trasmallo-label", ALL = "trasmallo", NOW = "trasmallo-now";
  const MOST = 20000;

  // Each stop is {ranges} or {element}; what next and previous go to.
  let stops = [], current = -1;

  function rangesOf(flat, places) {
    return places.map(([, node, from, to]) => {
      const text = flat.nodes[node], range = text.ownerDocument.createRange();
      range.setStart(text, Math.min(from, text.data.length));
      range.setEnd(text, Math.min(to, text.data.length));
      return range;
    });
  }

  // Highlights the core's marks, [match, node, from, to] each, and the elements that match without a word, [node, label] each.
  function show(flat, places, elements) {
    clear();
    const matches = Map.groupBy(places, ([match]) => match);
    stops = [...matches.values()].slice(0, MOST).map(ranges => ({ node: ranges[0][1], ranges: rangesOf(flat, ranges) }));
    for (const [node, label] of elements) {
      stops.push({ node, element: flat.nodes[node] });
      flat.nodes[node].setAttribute(MARK, "all");
      if (label) flat.nodes[node].setAttribute(LABEL, label);
    }
    stops.sort((one, other) => one.node - other.node);
    paint();
  }

  function paint() {
    const all = [], now = [];
    stops.forEach((stop, place) => stop.ranges && (place === current ? now : all).push(...stop.ranges));
    CSS.highlights.set(ALL, new Highlight(...all));
    CSS.highlights.set(NOW, new Highlight(...now));
    stops.forEach((stop, place) => stop.element?.setAttribute(MARK, place === current ? "now" : "all"));
  }

  // Goes `by` stops on, round at the end; the place as {current, total}, counted from 1.
  function go(by) {
    if (!stops.length) return told();
    current = current < 0 && by < 0 ? stops.length - 1 : (current + by + stops.length) % stops.length;
    paint();
    const stop = stops[current], element = stop.element ?? stop.ranges[0].startContainer.parentElement;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element?.scrollIntoView({ block: "center", behavior: calm ? "instant" : "smooth" });
    return told();
  }

  function told() {
    return { current: current + 1, total: stops.length };
  }

  function clear() {
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(NOW);
    for (const { element } of stops) for (const name of [MARK, LABEL]) element?.removeAttribute(name);
    stops = [];
    current = -1;
  }

  trasmallo.marks = { show, go, clear, told };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
