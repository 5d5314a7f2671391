// The elements that hold the blocks of a page: as outline.py reads them.
"use strict";
(function (trasmallo) {
  const { signs, characters, numbers } = trasmallo.content;
  const COMMENT = 1, FORUM = 2, MAX_NAME = 200, MAX_KNOWN = 50000;
  const BIT = Object.fromEntries(signs.flags.map((flag, number) => [flag, 2 ** number]));
  const PLAIN = new Set(signs.plain), BODY_PROPERTIES = new Set(signs.bodyProperties);
  const WORD = /[A-Z]?[a-z]+|[A-Z]+/g;
  const SUBJECTS = [[new RegExp(signs.comment), COMMENT], [new RegExp(signs.forum), FORUM]];

  // The words of a class or id attribute: postBody main-text has four. They are ASCII.
  function nameWords(name) {
    return (characters.head(name, MAX_NAME).match(WORD) || []).map((word) => word.toLowerCase());
  }

  // What the words of class and id attributes tell, remembered: [least, most, subjects].
  class Names {
    constructor(scores) {
      this.scores = scores;
      this.known = new Map();
    }

    read(name) {
      let found = this.known.get(name);
      if (!found) {
        if (this.known.size >= MAX_KNOWN) this.known.clear();
        found = this.readWords(name);
        this.known.set(name, found);
      }
      return found;
    }

    readWords(name) {
      let least = 0, most = 0, told = 0;
      for (const part of characters.split(characters.head(name, MAX_NAME))) {
        for (const word of nameWords(part)) {
          const score = this.scores.get(word) || 0;
          least = Math.min(least, score);
          most = Math.max(most, score);
          for (const [expression, subject] of SUBJECTS) if (expression.test(word)) told |= subject;
        }
      }
      return [least, most, told];
    }
  }

  class Outline {
    constructor(page, layout, names) {
      this.tag = [];
      this.name = [];
      this.flags = [0];
      this.parent = [];
      this.nearest = [0];
      this.told = [[0, 0, 0, 0]];
      const index = this.gather(page, layout);
      this.describe(page, index);
      this.inherit(names);
      this.start = numbers.searchSorted(layout.first, index);
      this.end = numbers.searchSorted(layout.first, index.map((node) => page.end[node]));
      this.wider = this.findWider();
    }

    get length() {
      return this.tag.length;
    }

    // Number the elements above the first text of each block; gives their indices in the page.
    gather(page, layout) {
      const known = new Map([[-1, 0]]), order = [];
      for (const text of layout.first) {
        const chain = [];
        let index = page.parent[text];
        while (!known.has(index)) {
          chain.push(index);
          index = page.parent[index];
        }
        let above = known.get(index);
        for (const inner of chain.reverse()) {
          this.parent.push(above);
          above = order.length;
          known.set(inner, above);
          order.push(inner);
        }
      }
      this.holder = Int32Array.from(layout.node, (index) => known.get(index));
      this.leaf = Int32Array.from(layout.first, (index) => known.get(page.parent[index]));
      return order;
    }

    // Read tags and attributes; the root's tell nothing of its blocks.
    describe(page, order) {
      this.tag = order.map((index) => page.tag[index]);
      this.name.push("");
      for (let number = 1; number < order.length; number++) {
        const tag = this.tag[number], read = PLAIN.has(tag) ? null : page.attrs[order[number]];
        let flags = (Object.hasOwn(signs.byTag, tag) ? signs.byTag[tag] : 0) | this.flags[this.parent[number]], name = "";
        if (read) {
          const attributes = new Map(read), id = attributes.get("id");
          name = (attributes.get("class") || "") + (id === undefined ? "" : ` ${id}`);
          flags |= toldBy(attributes);
        }
        this.name.push(name);
        this.flags.push(flags);
      }
    }

    // Hand down what names tell; an element without a name tells what its parent does.
    inherit(names) {
      for (let number = 1; number < this.length; number++) {
        const above = this.parent[number];
        if (this.name[number]) {
          const [low, high, subject] = names.read(this.name[number]), [least, most, total, subjects] = this.told[above];
          this.nearest.push(low + high);
          this.told.push([Math.min(least, low), Math.max(most, high), 0.7 * total + low + high, subjects | subject]);
        } else {
          this.nearest.push(this.nearest[above]);
          this.told.push(this.told[above]);
        }
      }
    }

    // The nearest element above each that holds more blocks.
    findWider() {
      const wider = new Int32Array(this.length);
      this.parent.forEach((above, number) => {
        const same = this.start[number] === this.start[above] && this.end[number] === this.end[above];
        wider[number] = same ? wider[above] : above;
      });
      return wider;
    }
  }

  // The flags of other attributes than class and id.
  function toldBy(attributes) {
    const role = attributes.get("role");
    let flags = role !== undefined && Object.hasOwn(signs.byRole, role) ? signs.byRole[role] : 0;
    if (BODY_PROPERTIES.has(attributes.get("itemprop"))) flags |= BIT.body_property;
    if (attributes.get("aria-hidden") === "true") flags |= BIT.veiled;
    return flags;
  }

  trasmallo.content.outline = { COMMENT, FORUM, FLAGS: signs.flags, Names, Outline };
})(globalThis.trasmallo);
