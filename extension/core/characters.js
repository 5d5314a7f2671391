// What counts as a letter, a blank, a capital and an accent: the generated table of tables.js, the same as in Python.
// Engine functions (toLowerCase, \w, trim, normalize) follow each browser's own Unicode version and are not used.
"use strict";
(function (trasmallo) {
  const OTHER = 0, SPACE = 1, WORD = 2, IDEOGRAPH = 3;
  const BREAK = "\0";
  const table = trasmallo.characters;

  function spans(name) {
    const numbers = table[name], found = [];
    let end = 0;
    for (let k = 0; k < numbers.length; k += 2) {
      const low = end + numbers[k];
      end = low + numbers[k + 1];
      found.push([low, end]);
    }
    return found;
  }

  // Classes of the first plane in one array; above it, a search by halves.
  const low = new Uint8Array(0x10000);
  const high = [];
  for (const [name, number] of [["space", SPACE], ["word", WORD], ["ideograph", IDEOGRAPH]]) {
    for (const [from, to] of spans(name)) {
      if (from < 0x10000) low.fill(number, from, Math.min(to, 0x10000));
      if (to > 0x10000) high.push([Math.max(from, 0x10000), to, number]);
    }
  }
  high.sort((one, other) => one[0] - other[0]);

  function classOf(code) {
    if (code < 0x10000) return low[code];
    let from = 0, to = high.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (high[middle][1] <= code) from = middle + 1; else to = middle;
    }
    return from < high.length && high[from][0] <= code ? high[from][2] : OTHER;
  }

  // The class of the character that ends before, or begins at, a place of a text.
  function classBefore(text, place) {
    if (place <= 0) return OTHER;
    const unit = text.charCodeAt(place - 1);
    if (unit >= 0xdc00 && unit < 0xe000 && place > 1) {
      const lead = text.charCodeAt(place - 2);
      if (lead >= 0xd800 && lead < 0xdc00) return classOf(((lead - 0xd800) << 10) + (unit - 0xdc00) + 0x10000);
    }
    return low[unit];
  }

  function classAt(text, place) {
    return place >= text.length ? OTHER : classOf(text.codePointAt(place));
  }

  function among(list, code) {
    for (const [from, to] of list) if (from <= code && code < to) return true;
    return false;
  }

  // Makes texts comparable: without case, without accents, or both; what nobody sees is dropped in every way.
  function makeFolding(ignoreCase, ignoreAccents) {
    const dropped = spans("ignored").concat(ignoreAccents ? spans("accent") : []);
    const known = new Map();

    function foldCharacter(character) {
      if (character === BREAK) return "\ufffd";
      let found = known.get(character);
      if (found === undefined) {
        const cased = ignoreCase && Object.hasOwn(table.case, character) ? table.case[character] : character;
        found = "";
        for (const part of cased) {
          if (among(dropped, part.codePointAt(0))) continue;
          found += ignoreAccents && Object.hasOwn(table.accents, part) ? table.accents[part] : part;
        }
        known.set(character, found);
      }
      return found;
    }

    function fold(text) {
      let folded = "", done = 0;
      for (let place = 0; place < text.length;) {
        const code = text.codePointAt(place);
        const next = place + (code > 0xffff ? 2 : 1);
        if (code > 127 || code === 0 || (ignoreCase && code > 64 && code < 91)) {
          folded += text.slice(done, place) + foldCharacter(text.slice(place, next));
          done = next;
        }
        place = next;
      }
      return done ? folded + text.slice(done) : text;
    }

    // For each unit of the folded text, and for its end, where it comes from in the text itself.
    function places(text) {
      const found = [];
      for (let place = 0; place < text.length;) {
        const next = place + (text.codePointAt(place) > 0xffff ? 2 : 1);
        const length = foldCharacter(text.slice(place, next)).length;
        // An astral character stays itself in two units; both keep their places.
        for (let k = 0; k < length; k++) found.push(length === 2 && next === place + 2 ? place + k : place);
        place = next;
      }
      found.push(text.length);
      return found;
    }

    return { fold, places, character: foldCharacter };
  }

  const foldings = new Map();
  function folding(ignoreCase, ignoreAccents) {
    const key = (ignoreCase ? 1 : 0) + (ignoreAccents ? 2 : 0);
    if (!foldings.has(key)) foldings.set(key, makeFolding(ignoreCase, ignoreAccents));
    return foldings.get(key);
  }

  Object.assign(trasmallo, { OTHER, SPACE, WORD, IDEOGRAPH, BREAK, spans, classOf, classBefore, classAt, folding });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
