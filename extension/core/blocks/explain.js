// What the pictures of a page are made of, as plain data: as src/trasmallo/clean/pictures/panels.py draws it.
//
//   trasmallo.explain(page, {favour: 0.5}) -> {total, taken, main, nodes, curve, tree, cnr, cetr, slope}, see README.md
"use strict";
(function (trasmallo) {
  const { flat, dom, cnr, cetr, bte } = trasmallo.content;
  const LISTED = 24, DEEPEST = 40, MOST_POINTS = 900, ENDING = 50;
  // What is less than this share of the whole is too narrow to be seen: half a point of a picture as wide as Python's.
  const WIDTH = 928;

  class Subject {
    constructor(given, favour) {
      Object.assign(this, dom.see(given), { favour });
      this.ratios = cnr.compute(this.page, this.layout.hidden);
      this.found = cnr.findBlock(this.page, this.ratios, favour);
      this.paths = flat.paths(this.page).map((path, node) => path + (this.page.tag[node] === flat.TEXT ? "/text()" : ""));
    }

    ratio(node) {
      return cnr.ratioOf(this.ratios, node);
    }

    // Whether a node stands in the main block.
    isMain(node) {
      return this.found !== null && this.found.node <= node && node < this.page.end[this.found.node];
    }

    // What every list tells of a node.
    tell(node) {
      const { page, ratios, paths } = this;
      return {
        node: page.origin[node], tag: page.tag[node], ratio: this.ratio(node), characters: ratios.characters[node],
        weight: ratios.weight[node], path: paths[node], main: this.isMain(node),
      };
    }
  }

  // The elements with text, those with the highest ratio first.
  function rank(subject) {
    return [...subject.ratios.nodes].sort((one, other) => subject.ratio(other) - subject.ratio(one));
  }

  // Places of a long series that are enough for a picture.
  function sampled(count) {
    const step = Math.max(1, Math.floor(count / MOST_POINTS)), places = [];
    for (let place = 0; place < count; place++) if (place % step === 0 || place >= count - ENDING) places.push(place);
    return places;
  }

  function curve(subject) {
    const values = Float64Array.from(subject.ratios.nodes, (node) => subject.ratio(node)).sort();
    return sampled(values.length).map((place) => [place, values[place]]);
  }

  // The depth and the distance from the left, in weight, of each node with text that is wide enough to be seen.
  function tree(subject) {
    const { page, ratios } = subject, places = new Map(), filled = new Map();
    for (const node of ratios.nodes) {
      const parent = page.parent[node], above = places.get(parent) || { depth: -1, at: 0 };
      if ((places.size && !places.has(parent)) || !ratios.characters[node] || above.depth + 1 > DEEPEST) continue;
      const offset = filled.get(parent) || 0;
      filled.set(parent, offset + ratios.weight[node]);
      if (ratios.weight[node] * WIDTH >= 0.5 * ratios.weight[ratios.nodes[0]]) {
        places.set(node, { depth: above.depth + 1, at: above.at + offset });
      }
    }
    return [...places].map(([node, place]) => Object.assign(subject.tell(node), place));
  }

  function cnrResult({ page, layout, found, ratios }) {
    const main = found ? cnr.within(page, layout, found.node) : layout.node.map(() => true);
    return { ratios: layout.node.map((node) => cnr.ratioOf(ratios, node)), main };
  }

  function cetrResult({ page, layout, favour }) {
    const ratios = cetr.smooth(cetr.tagRatios(page, layout));
    return { ratios: [...ratios], changes: [...cetr.changes(ratios)], main: cetr.findMain(page, layout, favour) };
  }

  // Tags against tokens, counted from the top of the page; the plateau is where many words come without tags.
  function slope({ page, layout, favour }) {
    const found = bte.slopeOf(page, layout), { stream, words } = found, stretch = bte.plateau(found, favour);
    const corners = [];
    let tags = 0, tokens = 0;
    words.forEach((count, place) => {
      tags += stream.tags[place];
      tokens += stream.tags[place] + count;
      corners.push({ from: tokens - count, to: tokens, tags });
    });
    const points = sampled(corners.length).flatMap((place) => [[corners[place].from, corners[place].tags], [corners[place].to, corners[place].tags]]);
    const sum = (list) => list.reduce((total, count) => total + count, 0);
    const held = stretch && {
      from: corners[stretch.first].from, to: corners[stretch.last].to, words: sum(words.slice(stretch.first, stretch.last + 1)),
    };
    return { points, tags: tags + stream.trailing, tokens: tokens + stream.trailing, words: sum(words), plateau: held };
  }

  function explain(given, { favour = 0.5 } = {}) {
    const subject = new Subject(given, favour), total = subject.ratios.nodes.length;
    return {
      total,
      taken: Math.min(cnr.countTaken(total + subject.ratios.mixed, favour), total),
      main: subject.found && subject.tell(subject.found.node),
      nodes: rank(subject).slice(0, LISTED).map((node) => subject.tell(node)),
      curve: curve(subject),
      tree: tree(subject),
      cnr: cnrResult(subject),
      cetr: cetrResult(subject),
      slope: slope(subject),
    };
  }

  trasmallo.explain = explain;
})(globalThis.trasmallo);
