// What the classifier sees of each block: as features.py describes it. A row is a list with a number a block.
"use strict";
(function (trasmallo) {
  const { outline: { COMMENT, FLAGS, FORUM, Outline }, numbers, texts, heads } = trasmallo.content;
  const { log1p, map, fill, cumulate, sum, most, mostPlace, take, tally, shift, risen, searchSorted, reversed } = numbers;
  const LEVELS = 4, LINKED = 0.34, LONG = 80, NEAR = [1, 2, 3, -1, -2, -3];
  const TAGS = ["p", "h1", "h2", "h3", "h4", "li", "td", "div", "pre", "blockquote", "dd", "dt", "figcaption", "section", "body"];
  const TAG_CODE = new Map([...TAGS.map((tag, number) => [tag, number]), ["h5", 4], ["h6", 4], ["th", 6]]);
  const HEADINGS = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
  const NARROW = bell(6, 3), MIDDLE = bell(8, 4), WIDE = bell(24, 12);

  function bell(reach, width) {
    return Array.from({ length: 2 * reach + 1 }, (_, place) => Math.exp(-((place - reach) ** 2) / (2 * width * width)));
  }

  // The blocks of a page with what several features need; the layout must have a block.
  class Blocks {
    constructor(page, layout, tables) {
      Object.assign(this, { page, layout, size: layout.length, outline: new Outline(page, layout, tables.names) });
      this.places = Int32Array.from({ length: this.size }, (_, place) => place);
      this.weight = new Float64Array(layout.weight);
      this.linked = new Float64Array(layout.linked);
      this.total = Math.max(sum(this.weight), 1);
      this.share = map(this.linked, (linked, place) => linked / Math.max(this.weight[place], 1));
      this.long = map(this.weight, (weight, place) => (weight > LONG && this.share[place] < LINKED ? weight : 0));
      this.worth = map(this.weight, (weight, place) => weight - 2 * this.linked[place] - 15);
      this.head = heads.readHead(page);
      this.texts = texts.readTexts(layout, this.head, tables.phrases);
      this.alike = alikeOf(this.outline);
      this.groups = groupsOf(this.outline);
    }

    // For each element, what its blocks have together.
    sums(row) {
      const running = cumulate(row), { start, end } = this.outline;
      const before = (place) => (place ? running[place - 1] : 0);
      return map(start, (from, number) => before(end[number]) - before(from));
    }

    full(value) {
      return fill(this.size, value);
    }
  }

  // Each value with its neighbours, weighted by a bell.
  function smooth(values, weights) {
    const reach = (weights.length - 1) / 2;
    return map(values, (_, place) => {
      let found = 0;
      for (let from = Math.max(0, place - reach); from <= Math.min(values.length - 1, place + reach); from++) {
        found += values[from] * weights[from - place + reach];
      }
      return found;
    });
  }

  // The same number for whatever has the same key.
  function numbered(keys) {
    const known = new Map();
    return Int32Array.from(keys, (key) => {
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key);
    });
  }

  function alikeOf({ tag, name, parent, holder }) {
    return numbered(Array.from(holder, (number) => `${tag[number]}\0${name[number] || name[parent[number]]}`));
  }

  function kindsOf({ tag, name, parent }) {
    return numbered(tag.map((own, number) => `${parent[number]}\0${own}\0${name[number]}`));
  }

  // For each level the element around each block: its own, and the next ones that hold more blocks.
  function groupsOf({ holder, wider }) {
    const groups = [holder];
    while (groups.length < LEVELS) groups.push(groups[groups.length - 1].map((number) => wider[number]));
    return groups;
  }

  // The features of the first stage, a Float32Array each.
  function describe(blocks) {
    const { outline, size } = blocks;
    const rows = [
      ...ofText(blocks), ...ofMarkup(blocks), ...ofPage(blocks), ...ofContainers(blocks), ...ofNeighbours(blocks),
      ...ofLandmarks(blocks),
    ].map((row) => new Float32Array(row));
    const tags = TAGS.map(() => new Float32Array(size)), flags = FLAGS.map(() => new Float32Array(size));
    for (let block = 0; block < size; block++) {
      const code = TAG_CODE.get(outline.tag[outline.holder[block]]), held = outline.flags[outline.leaf[block]];
      if (code !== undefined) tags[code][block] = 1;
      for (let bit = 0; bit < FLAGS.length; bit++) flags[bit][block] = (held >> bit) & 1;
    }
    return [...rows, ...tags, ...flags];
  }

  function ofText({ weight, share, texts: rows }) {
    return [
      log1p(weight), share, rows.least, rows.most, rows.tone, rows.digits, rows.dated, log1p(rows.spaces), log1p(rows.commas),
      rows.end, rows.upper, rows.lower, rows.sign, rows.price, rows.title, rows.description, rows.again,
    ];
  }

  function ofMarkup({ page, layout, outline, alike }) {
    const counts = ["a", "img"].map((tag) => searchSorted(placesOf(page.tag, tag), layout.last));
    const times = tally(alike);
    return [
      ...counts.map((count) => log1p(map(count, (value, place) => value - (place ? count[place - 1] : 0)))),
      map(alike, (number) => Math.log(times[number])),
      take(outline.nearest, outline.leaf),
    ];
  }

  function placesOf(tags, wanted) {
    const found = [];
    tags.forEach((tag, index) => tag === wanted && found.push(index));
    return found;
  }

  function ofPage(blocks) {
    const { size, total, weight, places, page, outline } = blocks;
    const told = map(outline.leaf, (number) => outline.told[number][3]);
    const comments = told.map((subjects) => (subjects & COMMENT ? 1 : 0)), forum = told.map((subjects) => (subjects & FORUM ? 1 : 0));
    const running = cumulate(weight), commented = map(weight, (value, place) => value * comments[place]);
    const half = sum(commented) / 2;
    const figures = [
      Math.log1p(total), sum(blocks.linked) / total, Math.log1p(size), sum(commented) / total,
      sum(map(weight, (value, place) => value * forum[place])) / total, sum(blocks.long) / total,
      sum(blocks.texts.dated) / size, countOf(page.tag, "article"), countOf(page.tag, "h1"), blocks.head.article, blocks.head.product,
    ];
    return [
      map(running, (value, place) => (value - weight[place] + weight[place] / 2) / total),
      map(places, (place) => place / size),
      log1p(places),
      log1p(reversed(places)),
      comments,
      forum,
      map(cumulate(commented), (value) => (value - half) / total),
      ...figures.map((figure) => blocks.full(Number(figure))),
    ];
  }

  function countOf(tags, wanted) {
    let found = 0;
    for (const tag of tags) if (tag === wanted) found++;
    return found;
  }

  function ofContainers(blocks) {
    const { outline, total, places } = blocks, { start, end } = outline;
    const [weight, linked, long, dated, worth] =
      [blocks.weight, blocks.linked, blocks.long, blocks.texts.dated, blocks.worth].map((row) => blocks.sums(row));
    const count = map(start, (from, number) => Math.max(end[number] - from, 1)), some = map(weight, (value) => Math.max(value, 1));
    const kind = kindsOf(outline), repeats = take(tally(kind), kind), highest = Math.max(most(worth), 1);
    const each = [
      log1p(weight), divide(linked, some), log1p(divide(weight, count)), map(count, Math.log), map(weight, (value) => value / total),
      divide(long, some), divide(dated, count), map(repeats, Math.log), map(worth, (value) => value / highest), outline.nearest,
    ];
    const rows = [0, 1, 2].map((which) => map(outline.holder, (number) => outline.told[number][which]));
    blocks.groups.forEach((group, level) => {
      rows.push(...each.map((row) => take(row, group)));
      if (level) rows.push(divide(blocks.weight, take(some, group)), map(places, (place) => (place - start[group[place]]) / count[group[place]]));
    });
    const unit = takeInts(unitsOf(outline, repeats, count), outline.holder), alike = tally(kind, weight);
    rows.push(...each.slice(0, 8).map((row) => take(row, unit)));
    rows.push(map(unit, (number) => alike[kind[number]] / total), map(places, (place) => place - start[unit[place]]), ordinal(unit));
    rows.push(...around(blocks, mostPlace(worth)));
    rows.push(...around(blocks, mostPlace(tally(takeInts(outline.wider, outline.holder), blocks.long, outline.length))));
    return rows;
  }

  function divide(values, by) {
    return map(values, (value, place) => value / by[place]);
  }

  function takeInts(values, places) {
    const found = new Int32Array(places.length);
    for (let place = 0; place < found.length; place++) found[place] = values[places[place]];
    return found;
  }

  // How many units came before that of each block.
  function ordinal(unit) {
    return cumulate(map(unit, (number, place) => (place && number !== unit[place - 1] ? 1 : 0)));
  }

  // For each level, whether the element around a block holds a chosen element; and where the block is to that element.
  function around(blocks, chosen) {
    const { outline, places, groups } = blocks, start = outline.start[chosen], end = outline.end[chosen];
    const holds = map(outline.start, (from, number) => (from <= start && outline.end[number] >= end ? 1 : 0));
    const away = map(places, (place) => Math.max(start - place, 0) - Math.max(place - end + 1, 0));
    return [...groups.map((group) => take(holds, group)), map(away, distance), blocks.full((end - start) / blocks.size)];
  }

  function distance(away) {
    return Math.sign(away) * Math.log1p(Math.abs(away));
  }

  // For each element the nearest one around it, or itself, that holds several blocks and has two others like it.
  function unitsOf(outline, repeats, count) {
    const units = [];
    outline.parent.forEach((above, number) => {
      if (repeats[number] > 2 && count[number] > 1) units.push(number);
      else units.push(number ? units[above] : 0);
    });
    return units;
  }

  function ofNeighbours({ outline, weight, share }) {
    const size = log1p(weight), near = takeInts(outline.wider, outline.holder);
    return [
      ...NEAR.map((by) => shift(size, by)),
      ...NEAR.map((by) => shift(share, by, 1)),
      ...[1, -1].map((by) => map(shift(near, by, -1), (number, place) => (number === near[place] ? 1 : 0))),
      smooth(map(size, (value, place) => (share[place] < LINKED ? value : 0)), NARROW),
    ];
  }

  function ofLandmarks({ outline, weight, texts: { tone, title }, places }) {
    const tags = Array.from(outline.holder, (number) => outline.tag[number]);
    const above = risen(map(places, (place) => (HEADINGS.has(tags[place]) ? place : -1)));
    return [
      landmark(tags.indexOf("h1"), places),
      landmark(title.indexOf(1), places),
      map(above, (heading, place) => (heading < 0 ? 9 : Math.log1p(place - heading))),
      map(above, (heading) => (heading < 0 ? 0 : tone[heading])),
      map(above, (heading) => (heading < 0 ? 0 : Math.log1p(weight[heading]))),
      shift(tone, 1),
      shift(tone, -1),
      smooth(tone, NARROW),
    ];
  }

  // How many blocks after (before, when negative) a landmark each block stands, as a logarithm; -1 for no landmark.
  function landmark(at, places) {
    return map(places, (place) => (at < 0 ? -9 : distance(place - at)));
  }

  // The features of the second stage: those of the first, and what its scores tell.
  function describeAgain(blocks, rows, score) {
    const width = map(blocks.weight, (weight) => Math.sqrt(weight + 1)), mass = map(score, (value, place) => value * width[place]);
    const total = Math.max(sum(mass), 1e-9);
    const many = map(score, (value, place) => value * Math.min(blocks.weight[place] / LONG, 1));
    const more = [
      score,
      ...[1, 2, 3, 4, -1, -2, -3, -4].map((by) => shift(score, by)),
      ...scoresOfContainers(blocks, mass, width, many),
      ...scoresOfRuns(blocks.places, many),
      ...scoresOfAlike(blocks.alike, mass, width, many),
      ...[MIDDLE, WIDE].map((weights) => divide(smooth(mass, weights), smooth(width, weights))),
      map(cumulate(mass), (value) => value / total),
      blocks.full(total / sum(width)),
      blocks.full(most(score)),
    ];
    return [...rows, ...more.map((row) => new Float32Array(row))];
  }

  function scoresOfContainers(blocks, mass, width, many) {
    const { outline } = blocks, total = Math.max(sum(mass), 1e-9);
    const inside = blocks.sums(mass), room = blocks.sums(width), count = blocks.sums(many);
    const worth = blocks.sums(map(mass, (value, place) => value * 2 - width[place])), highest = Math.max(most(worth), 1e-9);
    const each = [
      map(inside, (value, number) => value / Math.max(room[number], 1e-9)), map(inside, (value) => value / total), count,
      map(worth, (value) => value / highest),
    ];
    const long = map(many, (value, place) => value * blocks.weight[place]);
    return [
      ...blocks.groups.slice(1).flatMap((group) => each.map((row) => take(row, group))),
      ...around(blocks, mostPlace(worth)),
      ...around(blocks, mostPlace(tally(takeInts(outline.wider, outline.holder), long, outline.length))),
    ];
  }

  // How far the nearest long blocks with a good score are before and after, and the best scores there.
  function scoresOfRuns(places, many) {
    const size = places.length, back = reversed(many);
    const before = risen(map(places, (place) => (many[place] > 0.5 ? place : -99)));
    const after = reversed(risen(map(places, (place) => (back[place] > 0.5 ? place - size + 1 : -size - 99))));
    return [
      map(places, (place) => Math.log1p(place - before[place])),
      map(places, (place) => Math.log1p(-after[place] - place)),
      risen(many),
      reversed(risen(back)),
      cumulate(many),
      reversed(cumulate(back)),
    ];
  }

  function scoresOfAlike(alike, mass, width, many) {
    return [take(divide(tally(alike, mass), tally(alike, width)), alike), take(tally(alike, many), alike)];
  }

  trasmallo.content.features = { Blocks, describe, describeAgain };
})(globalThis.trasmallo);
