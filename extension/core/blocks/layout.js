// The text a reader sees, as blocks that know where they come from: as src/trasmallo/clean/layout.py composes it.
"use strict";
(function (trasmallo) {
  const { tags, characters, flat } = trasmallo.content;
  const BREAK = "\0";
  const INLINE = 0, LINK = 1, WRITTEN = 2, LINE = 3, SILENT = 4, BREAKING = 5, PREFORMATTED = 6;
  // Soft hyphens and byte-order marks stand inside words and are not seen.
  const UNSEEN = /[\u00ad\ufeff]/g;
  // Scripts that write a word in one or two characters, so that a character weighs more.
  const DENSE = /[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;

  const kinds = new Map();
  for (const tag of tags.inline) kinds.set(tag, INLINE);
  for (const tag of [...tags.silent, ...tags.raw]) kinds.set(tag, SILENT);
  for (const tag of ["pre", "listing", "xmp", "plaintext"]) kinds.set(tag, PREFORMATTED);
  // When the flat form has what a noscript holds, it is to be seen.
  for (const [tag, kind] of [["a", LINK], ["br", LINE], [flat.TEXT, WRITTEN], ["noscript", INLINE]]) kinds.set(tag, kind);

  function shown(parts, preformatted) {
    const text = parts.join("");
    if (preformatted) {
      const lines = text.replaceAll(BREAK, "\n").replaceAll("\r", "");
      return characters.stripEnd(lines.replace(/^\n+/, ""));
    }
    if (!text.includes(BREAK)) return characters.collapse(text);
    return text.split(BREAK).map(characters.collapse).filter((line) => line).join("\n");
  }

  class Layout {
    constructor(hidden) {
      this.hidden = hidden;
      this.node = [];
      this.first = [];
      this.last = [];
      this.weight = [];
      this.linked = [];
      this.pieces = [];
      this.preformatted = new Set();
      this.known = null;
    }

    get length() {
      return this.node.length;
    }

    // The text of each block.
    get texts() {
      if (!this.known) this.known = this.pieces.map((parts, number) => shown(parts, this.preformatted.has(number)));
      return this.known;
    }

    total() {
      return this.weight.reduce((sum, weight) => sum + weight, 0);
    }
  }

  class Composer {
    constructor(page, hidden) {
      this.page = page;
      this.layout = new Layout(hidden);
      this.isOpen = false;
      // The white space before the first character of a preformatted block, -1 without any.
      this.indent = -1;
    }

    // Visit every node that shows; `outer` remembers what surrounds the element that ends at `until`.
    compose() {
      const { tag, text, end } = this.page, { hidden } = this.layout, outer = [], size = tag.length;
      let until = size, block = 0, link = false, pre = false, index = 0;
      while (index < size) {
        while (index >= until) {
          const above = outer.pop();
          this.isOpen = this.isOpen && above.block === block;
          ({ until, block, link, pre } = above);
        }
        const kind = kinds.has(tag[index]) ? kinds.get(tag[index]) : BREAKING;
        if (kind === WRITTEN) {
          this.add(index, text[index], block, link, pre);
        } else if (kind === SILENT || hidden.has(index)) {
          index = end[index];
          continue;
        } else if (kind >= BREAKING) {
          this.isOpen = false;
          this.indent = -1;
          if (end[index] > index + 1) {
            outer.push({ until, block, link, pre });
            until = end[index];
            block = index;
            pre = pre || kind === PREFORMATTED;
          }
        } else if (kind === LINE) {
          this.breakLine();
        } else if (kind === LINK && !link && flat.attribute(this.page, index, "href") !== null) {
          outer.push({ until, block, link, pre });
          until = end[index];
          link = true;
        }
        index++;
      }
      return this.layout;
    }

    // End a line of the open block; the second of two breaks ends the block.
    breakLine() {
      if (!this.isOpen) return;
      const parts = this.layout.pieces[this.layout.length - 1];
      while (characters.isBlank(parts[parts.length - 1])) parts.pop();
      this.isOpen = parts[parts.length - 1] !== BREAK;
      parts.push(BREAK);
    }

    add(index, given, block, link, pre) {
      const layout = this.layout, open = layout.length - 1;
      if (given === "" || characters.isBlank(given)) {
        if (this.isOpen) layout.pieces[open].push(given);
        else if (pre && given) this.indent = index;
        return;
      }
      const [text, weight] = weigh(given);
      if (!weight) return;
      if (this.isOpen) {
        layout.pieces[open].push(text);
        layout.last[open] = index;
        layout.weight[open] += weight;
        layout.linked[open] += link ? weight : 0;
        return;
      }
      this.begin(index, text, pre);
      layout.node.push(block);
      layout.last.push(index);
      layout.weight.push(weight);
      layout.linked.push(link ? weight : 0);
    }

    // Open a block with its first text.
    begin(index, text, pre) {
      const { layout, indent } = this;
      if (pre) layout.preformatted.add(layout.length);
      layout.pieces.push(indent < 0 ? [text] : [this.page.text[indent], text]);
      layout.first.push(indent < 0 ? index : indent);
      this.isOpen = true;
      this.indent = -1;
    }
  }

  // A text without what is not seen, and its characters; one of a dense script counts for three.
  function weigh(text) {
    if (characters.isAscii(text)) return [text, characters.strip(text).length];
    const seen = text.replace(UNSEEN, ""), size = characters.length(characters.strip(seen));
    return [seen, size && size + 2 * characters.countMatches(seen, DENSE)];
  }

  function layOut(page, { showHidden = false } = {}) {
    return new Composer(page, showHidden ? new Set() : page.hidden).compose();
  }

  trasmallo.content.layout = { layOut };
})(globalThis.trasmallo);
