// The pictures of a page, drawn as SVG: curves, bars and a tree. Numbers and shapes stand beside every colour.
"use strict";
(function (trasmallo) {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 900, HEIGHT = 220, LEFT = 56, RIGHT = 8, BOTTOM = 24, TOP = 12;
  const ROW = 22, NARROWEST_NAME = 46, NARROWEST_FRAME = 12;
  // From little to much text, told apart by lightness alone.
  const HEATS = ["#eaf2fb", "#cfe1f5", "#a9cbed", "#7fb2e5", "#4a8fd6", "#1d6bbd", "#0b4a8f"], DARK_FROM = 4;

  function draw(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function number(value) {
    return value >= 100 ? value.toFixed(0) : value.toFixed(1);
  }

  // A frame with its vertical axis; {picture, x, y} where x takes a share of the width and y a value. Readers of screens hear
  // the title.
  function frame(top, title) {
    const wide = WIDTH - LEFT - RIGHT, high = HEIGHT - BOTTOM - TOP;
    const x = share => LEFT + share * wide, y = value => TOP + high - (Math.max(value, 0) * high) / top;
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
    for (const value of [0, top / 2, top]) {
      picture.append(draw("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }));
      picture.append(draw("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value)));
    }
    return { picture, x, y };
  }

  function highest(values) {
    return values.reduce((most, value) => Math.max(most, value), 1);
  }

  function pathOf(points) {
    return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L");
  }

  // A curve through [place, value], of `length` places; from the place `from` on it is filled.
  function curve(points, { length, from, title }) {
    const { picture, x, y } = frame(highest(points.map(([, value]) => value)), title);
    const placed = points.map(([place, value]) => [x(place / Math.max(length - 1, 1)), y(value)]);
    const filled = placed.filter((_, k) => points[k][0] >= from);
    if (filled.length) {
      const [start, end] = [filled[0][0], filled.at(-1)[0]];
      picture.append(draw("path", { class: "area", d: `M${start},${y(0)}L${pathOf(filled)}L${end},${y(0)}Z` }));
    }
    if (placed.length) picture.append(draw("path", { class: "curve", d: `M${pathOf(placed)}` }));
    return picture;
  }

  // A bar for each block of text, those of the main content in blue and full, others grey.
  function bars(values, main, title) {
    const { picture, x, y } = frame(highest(values), title), wide = (x(1) - x(0)) / Math.max(values.length, 1);
    values.forEach((value, place) => {
      const size = { width: Math.max(wide * 0.85, 0.5), height: y(0) - y(value) };
      picture.append(draw("rect", { class: main[place] ? "bar main" : "bar", x: x(0) + place * wide, y: y(value), ...size }));
    });
    return picture;
  }

  // How many tags stand before how many words; `plateau` is the stretch that is text.
  function slope({ points, tags, tokens, plateau }, title) {
    const { picture, x, y } = frame(Math.max(tags, 1), title), at = words => x(words / Math.max(tokens, 1));
    if (plateau) {
      const [start, end] = [at(plateau.from), at(plateau.to)];
      picture.append(draw("rect", { class: "plateau", x: start, y: TOP, width: end - start, height: y(0) - TOP }));
    }
    const placed = points.map(([words, before]) => [at(words), y(before)]);
    if (placed.length) picture.append(draw("path", { class: "curve", d: `M${pathOf(placed)}` }));
    return picture;
  }

  function heat(ratio, most) {
    return Math.min(HEATS.length - 1, Math.floor((Math.log1p(ratio) / Math.log1p(most)) * HEATS.length));
  }

  function box(node, scale, most) {
    const x = node.at * scale, width = node.weight * scale, y = node.depth * ROW, colour = heat(node.ratio, most);
    const size = { x, y, width: Math.max(width - 1, 0.5), height: ROW - 2 };
    const framed = node.main && width > NARROWEST_FRAME;
    const shape = draw("rect", { class: framed ? "node main" : "node", fill: HEATS[colour], ...size });
    shape.append(draw("title", {}, `${node.path} ${number(node.ratio)}`));
    if (width < NARROWEST_NAME) return [shape];
    const manner = { x: x + 5, y: y + 14, class: colour >= DARK_FROM ? "on-dark" : "on-light" };
    return [shape, draw("text", manner, `${node.tag} ${number(node.ratio)}`)];
  }

  // The tree from the body down: each node as wide as there are nodes inside it.
  function tree(nodes, title) {
    const most = highest(nodes.map(node => node.ratio)), whole = highest(nodes.map(node => node.at + node.weight));
    const deep = nodes.reduce((depth, node) => Math.max(depth, node.depth), 0) + 1;
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${deep * ROW}`, role: "img", "aria-label": title });
    for (const node of nodes) picture.append(...box(node, WIDTH / whole, most));
    return picture;
  }

  trasmallo.pictures = { curve, bars, slope, tree, number };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
