// The pictures of a page, drawn as SVG: a curve and a tree. Numbers stand beside every colour.
"use strict";
(function (trasmallo) {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 900, HEIGHT = 220, LEFT = 56, BOTTOM = 24, TOP = 12;
  const ROW = 18, INDENT = 16, BOX = 34;
  // From little to much text: light to dark blue, then amber for the best; told apart also without colours, by lightness.
  const HEATS = ["#dbe9f8", "#b3d1f0", "#7fb2e5", "#4a8fd6", "#1d6bbd", "#0b4a8f", "#f5a300"];

  function draw(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function number(value) {
    return value >= 100 ? value.toFixed(0) : value.toFixed(1);
  }

  // A curve of values from left to right with its highest value at the axis; `title` is what readers of screens hear.
  function curve(values, title) {
    const top = Math.max(...values, 1), wide = WIDTH - LEFT - 8, high = HEIGHT - BOTTOM - TOP;
    const x = place => LEFT + (values.length > 1 ? (place * wide) / (values.length - 1) : wide);
    const y = value => TOP + high - (value * high) / top;
    const line = values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`).join("L");
    const picture = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
    for (const share of [0, 0.5, 1]) {
      picture.append(draw("line", { class: "axis", x1: LEFT, x2: WIDTH - 8, y1: y(top * share), y2: y(top * share) }));
      picture.append(draw("text", { x: LEFT - 8, y: y(top * share) + 4, "text-anchor": "end" }, number(top * share)));
    }
    if (values.length) {
      picture.append(draw("path", { class: "area", d: `M${LEFT},${y(0)}L${line}L${x(values.length - 1)},${y(0)}Z` }));
      picture.append(draw("path", { class: "curve", d: `M${line}` }));
    }
    return picture;
  }

  function heat(ratio, most) {
    const share = Math.log1p(ratio) / Math.log1p(most || 1);
    return HEATS[Math.min(HEATS.length - 1, Math.floor(share * HEATS.length))];
  }

  function depths(nodes) {
    const found = [];
    for (const node of nodes) found.push(node.parent < 0 ? 0 : found[node.parent] + 1);
    return found;
  }

  // The tree of {tag, ratio, parent}, one element a row, coloured by ratio.
  function tree(nodes, title) {
    const deep = depths(nodes), most = Math.max(...nodes.map(node => node.ratio), 1);
    const width = Math.max(WIDTH, Math.max(0, ...deep) * INDENT + 300);
    const picture = draw("svg", { viewBox: `0 0 ${width} ${nodes.length * ROW + 8}`, role: "img", "aria-label": title });
    nodes.forEach((node, row) => {
      const x = 8 + deep[row] * INDENT, y = row * ROW + 4;
      const way = `M${x - INDENT + 6},${node.parent * ROW + 16}V${y + 7}H${x}`;
      if (node.parent >= 0) picture.append(draw("path", { class: "link", d: way }));
      picture.append(draw("rect", { x, y, width: BOX, height: 13, rx: 3, fill: heat(node.ratio, most) }));
      picture.append(draw("text", { x: x + BOX + 6, y: y + 11 }, `${node.tag}  ${number(node.ratio)}`));
    });
    return picture;
  }

  trasmallo.pictures = { curve, tree, number };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
