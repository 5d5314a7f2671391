// The plain method, main content without a model: as plain.py finds it.
"use strict";
(function (trasmallo) {
  const { tags, boilerplate, characters, flat } = trasmallo.content;
  const COST = 8, LINK_COST = 2, SHARE = 0.7, MAX_NAME = 300;
  const FLAGS = ["nav", "footer", "aside", "form", "button", "article", "heading", "comments", "suspect"];
  const [NAV, FOOTER, ASIDE, FORM, BUTTON, ARTICLE, HEADING, COMMENTS, SUSPECT] = FLAGS.map((_, number) => 1 << number);
  const ROOTS = new Set(["html", "body"]), BARE = new Set(["main", "article"]);
  const LEAVES = new Set(tags.structure.filter((tag) => !tags.grid.includes(tag)));
  const [BY_TAG, BY_ROLE] = [boilerplate.tags, boilerplate.roles].map((table) =>
    new Map(Object.entries(table).map(([name, flag]) => [name, 1 << FLAGS.indexOf(flag)])));
  const EXPRESSIONS = [[expression(boilerplate.comments), COMMENTS], [expression(boilerplate.suspect), SUSPECT]];

  // As Python reads it: letters of all scripts are parts of words, and a text may end before its last line end.
  function expression(source) {
    const word = `[${characters.classOf("letter")}${characters.classOf("digit")}_]`;
    return new RegExp(source.replaceAll("\\w", word).replaceAll("$", "(?=\\n?$)"), "u");
  }

  // What surrounds each of these elements: its own signs and those of all above it.
  function contextsOf(page, nodes) {
    const known = new Map([[-1, 0]]), names = new Map();
    return nodes.map((node) => {
      const chain = [];
      let index = node;
      for (; !known.has(index); index = page.parent[index]) chain.push(index);
      let context = known.get(index);
      for (const inner of chain.reverse()) {
        context |= ownSigns(page, inner, names);
        known.set(inner, context);
      }
      return known.get(node);
    });
  }

  // The signs of an element itself.
  function ownSigns(page, index, names) {
    const tag = page.tag[index];
    let own = BY_TAG.get(tag) || 0;
    if (!page.attrs[index] || ROOTS.has(tag)) return own;
    own |= BY_ROLE.get(flat.attribute(page, index, "role")) || 0;
    if (BARE.has(tag)) return own;
    for (const name of [flat.attribute(page, index, "class"), flat.attribute(page, index, "id")]) {
      if (!name) continue;
      if (!names.has(name)) names.set(name, toldBy(name));
      own |= names.get(name);
    }
    return own;
  }

  function toldBy(given) {
    const name = characters.lower(characters.head(given, MAX_NAME));
    let told = 0;
    for (const [wanted, sign] of EXPRESSIONS) if (wanted.test(name)) told |= sign;
    return told;
  }

  // Whether each block of the layout is main content; at least one is, when there are any.
  function findMain(page, layout, favour) {
    if (!layout.length) return [];
    const around = contextsOf(page, layout.node), furniture = furnitureOf(layout, around, favour), cost = COST * 9 ** (0.5 - favour);
    const weights = around.map((context, number) => weigh(layout, number, context, furniture, cost));
    const sums = sumUp(page, layout, weights);
    const content = contentOf(page, sums, sumUp(page, layout, weights.map((weight) => Math.max(weight, 0))), favour);
    const poor = poorOf(page, sums, content, -2.5 * cost);
    const main = layout.node.map((node, number) =>
      content <= node && node < page.end[content] && !isLeftOut(layout, number, around[number], furniture, favour, poor[node]));
    return main.includes(true) ? main : heaviest(layout);
  }

  // The element that weighs most, or the one inside it that holds nearly all the good of it.
  function contentOf(page, sums, positive, favour) {
    let best = 0;
    // The last of several, since the inner ones come later.
    sums.forEach((sum, index) => {
      if (sum >= sums[best]) best = index;
    });
    const share = SHARE + 0.3 * (favour - 0.5);
    while (LEAVES.has(page.tag[best])) best = page.parent[best];
    for (;;) {
      let child = best + 1;
      while (child < page.end[best] && (LEAVES.has(page.tag[child]) || positive[child] < share * positive[best])) child = page.end[child];
      if (child >= page.end[best]) return best;
      best = child;
    }
  }

  // For a page where every block was left out: the block with most text beside links stays.
  function heaviest(layout) {
    const plain = layout.weight.map((weight, number) => weight - layout.linked[number] + 0.1 * weight);
    let best = 0;
    plain.forEach((value, number) => {
      if (value > plain[best]) best = number;
    });
    return plain.map((_, number) => number === best);
  }

  // The signs that exclude a block of this page: those that leave enough of it.
  function furnitureOf(layout, around, favour) {
    const total = layout.total();
    let excluded = NAV | FOOTER | ASIDE | BUTTON;
    if (shareOf(layout, around, COMMENTS) < 0.5 * total && favour < 0.9) excluded |= COMMENTS;
    return total - shareOf(layout, around, excluded) >= 0.25 * total ? excluded : NAV | FOOTER;
  }

  function shareOf(layout, around, signs) {
    return layout.weight.reduce((sum, weight, number) => sum + (around[number] & signs ? weight : 0), 0);
  }

  // Whether a small block stands in a form, or under a name that speaks of furniture.
  function isDoubtful(weight, linked, context) {
    if (context & FORM) return weight < 200;
    return Boolean(context & SUSPECT) && !(context & ARTICLE) && (linked > 0.3 * weight || weight < 60);
  }

  function weigh(layout, number, context, furniture, cost) {
    const weight = layout.weight[number], linked = layout.linked[number];
    if (context & furniture) return -0.3 * Math.min(weight, 100);
    if (isDoubtful(weight, linked, context)) return -cost;
    return weight - LINK_COST * linked - (context & HEADING ? 0 : cost);
  }

  // The elements of the content that weigh so little, or stand inside one that does, that their links are a list of links.
  function poorOf(page, sums, content, limit) {
    const poor = new Uint8Array(page.tag.length);
    for (let index = content + 1; index < page.end[content]; index++) {
      if (sums[index] < limit && !poor[index]) poor.fill(1, index, page.end[index]);
    }
    return poor;
  }

  // Whether a block inside the content is furniture all the same.
  function isLeftOut(layout, number, context, furniture, favour, poor) {
    const weight = layout.weight[number], linked = layout.linked[number];
    if (context & furniture || isDoubtful(weight, linked, context) || (poor && linked > 0.3 * weight)) return true;
    return linked > (0.5 + 0.3 * favour) * weight && weight < 60 && !(context & HEADING);
  }

  // For each element, the weight of all blocks inside it.
  function sumUp(page, layout, weights) {
    const sums = new Float64Array(page.tag.length);
    layout.node.forEach((node, number) => {
      sums[node] += weights[number];
    });
    for (let index = sums.length - 1; index > 0; index--) if (sums[index]) sums[page.parent[index]] += sums[index];
    return sums;
  }

  trasmallo.content.plain = { findMain };
})(globalThis.trasmallo);
