// The criterion language, as src/trasmallo/clean/slicing/criterion.py has it; places are counted in UTF-16 units.
//
//   trasmallo.parse(source, {forms: false}) -> {tree} | {error: {at, length, code, args}}
//   trasmallo.wordsOf(tree, wanted) -> the words a page should have (or should not)
//
// A tree is one of {op: "word", text, head, tail, inflected, forms}, {op: "not", item}, {op: "and" | "or" | "xor", items},
// {op: "min" | "max", words, times}.
"use strict";
(function (trasmallo) {
  const MAX_LENGTH = 10000, MAX_DEPTH = 100, MAX_WORDS = 500, MOST_DIGITS = 6;
  const QUOTES = { '"': '"', "“": "”", "«": "»", "'": "'", "‘": "’" };
  // Marks that stand inside words too: one closes a phrase only where a word may end.
  const APOSTROPHES = "'’";
  const STOPS = '(),"“”«»';
  const ENGLISH = { and: "and", or: "or", not: "not", xor: "xor" };
  const SPANISH = { Y: "and", O: "or", NO: "not", XO: "xor" };
  const FUNCTIONS = { min: "min", max: "max", sum: "sum", suma: "sum" };
  const LEVELS = ["or", "xor", "and"];

  function fold(text) {
    return trasmallo.folding(true, true).fold(text);
  }

  function refuse(code, at, length, ...args) {
    throw { refused: { at, length, code, args } };
  }

  function hasLetters(text) {
    for (const character of fold(text)) {
      if (trasmallo.classOf(character.codePointAt(0)) !== trasmallo.SPACE) return true;
    }
    return false;
  }

  // Whether a word ends before a place.
  function isBorder(source, place) {
    return place >= source.length || STOPS.includes(source[place]) || trasmallo.classAt(source, place) === trasmallo.SPACE;
  }

  // A "-" before a word is NOT, as in search engines; one that stands alone is rather part of a title.
  function readMinus(source, place) {
    const next = source[place + 1];
    if (isBorder(source, place + 1) && next !== "(" && !Object.hasOwn(QUOTES, next)) refuse("missing-operand", place, 1, "-");
    return { kind: "operator", text: "-", at: place, length: 1 };
  }

  function readPhrase(source, place, close) {
    let end = source.indexOf(close, place + 1);
    while (end >= 0 && APOSTROPHES.includes(close) && !isBorder(source, end + 1) && source[end + 1] !== "~") {
      end = source.indexOf(close, end + 1);
    }
    if (end < 0) refuse("unclosed-quote", place, source.length - place, close);
    const text = source.slice(place + 1, end);
    if (!hasLetters(text)) refuse("empty-phrase", place, end + 1 - place);
    if (source[end + 1] === "~") refuse("forms-of-phrase", end + 1, 1);
    return { kind: "phrase", text, at: place, length: end + 1 - place };
  }

  function readWord(source, place) {
    let end = place;
    while (end < source.length && !STOPS.includes(source[end]) && trasmallo.classAt(source, end) !== trasmallo.SPACE) end++;
    const text = source.slice(place, end), name = fold(text), length = end - place;
    let kind = "word";
    if (Object.hasOwn(FUNCTIONS, name) && source[end] === "(") kind = "function";
    else if (Object.hasOwn(ENGLISH, name) || Object.hasOwn(SPANISH, text)) kind = "operator";
    return { kind, text, at: place, length };
  }

  function readTokens(source) {
    const found = [];
    for (let place = 0; place < source.length;) {
      const character = source[place];
      if (trasmallo.classAt(source, place) === trasmallo.SPACE) {
        place++;
        continue;
      }
      let token;
      if ("(),".includes(character)) token = { kind: character, text: character, at: place, length: 1 };
      else if (character === "-") token = readMinus(source, place);
      else if (Object.hasOwn(QUOTES, character)) token = readPhrase(source, place, QUOTES[character]);
      else if (STOPS.includes(character)) refuse("unopened-quote", place, 1);
      else token = readWord(source, place);
      found.push(token);
      place += token.length;
    }
    found.push({ kind: "end", text: "", at: source.length, length: 0 });
    return found;
  }

  function operatorOf(token) {
    if (token.kind !== "operator") return "";
    if (token.text === "-") return "not";
    return Object.hasOwn(SPANISH, token.text) ? SPANISH[token.text] : ENGLISH[fold(token.text)];
  }

  // Descends from the loosest operator to the closest; as deep as there are parentheses, at most MAX_DEPTH.
  function makeParser(tokens, everyForm) {
    let next = 0, depth = 0, words = 0;

    function parseAll() {
      const tree = joined(0), token = tokens[next];
      if (token.kind === ")") refuse("unopened-parenthesis", token.at, 1);
      if (token.kind === ",") refuse("unexpected-comma", token.at, 1);
      return tree;
    }

    function joined(level) {
      if (level === LEVELS.length) return negated();
      const op = LEVELS[level], items = [joined(level + 1)];
      while (goesOn(op)) items.push(joined(level + 1));
      return items.length === 1 ? items[0] : { op, items };
    }

    function goesOn(name) {
      const token = tokens[next], operator = operatorOf(token);
      if (operator === name) {
        next++;
        return true;
      }
      return name === "and" && (["word", "phrase", "function", "("].includes(token.kind) || operator === "not");
    }

    function negated() {
      let negative = false;
      while (operatorOf(tokens[next]) === "not") {
        negative = !negative;
        next++;
      }
      const item = readItem();
      return negative ? { op: "not", item } : item;
    }

    function readItem() {
      const token = tokens[next];
      if (token.kind === "word" || token.kind === "phrase") {
        next++;
        return leaf(token);
      }
      if (token.kind === "function") {
        next += 2;
        return readFunction(token);
      }
      if (token.kind === "(") return group(token);
      return complain(token);
    }

    function group(opening) {
      depth++;
      if (depth > MAX_DEPTH) refuse("too-deep", opening.at, 1, String(MAX_DEPTH));
      next++;
      const tree = joined(0), token = tokens[next];
      if (token.kind === ",") refuse("unexpected-comma", token.at, 1);
      if (token.kind !== ")") refuse("unclosed-parenthesis", opening.at, 1);
      next++;
      depth--;
      return tree;
    }

    function complain(token) {
      const before = next ? tokens[next - 1] : null;
      if (token.kind === ",") refuse("unexpected-comma", token.at, 1);
      if (before && before.kind === "operator") refuse("missing-operand", before.at, before.length, before.text);
      if (token.kind === "operator") refuse("missing-operand", token.at, token.length, token.text);
      if (!before) refuse(token.kind === ")" ? "unopened-parenthesis" : "empty", token.at, token.length);
      if (token.kind === ")") refuse("empty-parentheses", before.at, token.at + 1 - before.at);
      refuse("unclosed-parenthesis", before.at, 1);
    }

    function leaf(token) {
      words++;
      if (words > MAX_WORDS) refuse("too-many", token.at, token.length, String(MAX_WORDS));
      if (token.kind === "phrase") {
        return { op: "word", text: token.text, head: false, tail: false, inflected: false, forms: [] };
      }
      let text = token.text;
      const head = text.startsWith("*");
      if (head) text = text.slice(1);
      const inflected = text.endsWith("~");
      if (inflected) text = text.slice(0, -1);
      const tail = text.endsWith("*");
      if (tail) text = text.slice(0, -1);
      if (!hasLetters(text)) refuse("empty-word", token.at, token.length);
      if (inflected && (head || tail)) refuse("star-and-forms", token.at, token.length);
      return { op: "word", text, head, tail, inflected: inflected || everyForm && !head && !tail, forms: [] };
    }

    function readFunction(name) {
      const found = [argument(name)];
      while (tokens[next].kind === ",") {
        next++;
        found.push(argument(name));
      }
      const token = tokens[next];
      if (token.kind === "end") refuse("unclosed-parenthesis", name.at + name.length, 1);
      if (token.kind !== ")") refuse("comma-expected", token.at, token.length, name.text);
      next++;
      return counted(name, found);
    }

    function argument(name) {
      const token = tokens[next];
      if (token.kind === "end") refuse("unclosed-parenthesis", name.at + name.length, 1);
      const isWord = ["word", "phrase", "operator"].includes(token.kind) && token.text !== "-";
      if (!isWord) refuse("word-expected", token.at, token.length, name.text);
      next++;
      return token;
    }

    function counted(name, found) {
      const kind = FUNCTIONS[fold(name.text)];
      const listed = found.slice(0, -1);
      const crowded = kind !== "sum" && listed.length > 1;
      const last = crowded ? listed[1] : found[found.length - 1];
      const number = last.kind === "word" && /^[0-9]+$/.test(last.text) && last.text.length <= MOST_DIGITS;
      if (!listed.length || !number || crowded) refuse("number-expected", last.at, last.length, name.text);
      return { op: kind === "max" ? "max" : "min", words: listed.map(leaf), times: Number(last.text) };
    }

    return parseAll;
  }

  function parse(source, options) {
    try {
      // Counted in characters, as Python does.
      let characters = 0;
      for (let place = 0; place < source.length; characters++) {
        if (characters === MAX_LENGTH) refuse("too-long", place, source.length - place, String(MAX_LENGTH));
        place += source.codePointAt(place) > 0xffff ? 2 : 1;
      }
      return { tree: makeParser(readTokens(source), !!(options && options.forms))() };
    } catch (thrown) {
      if (thrown && thrown.refused) return { error: thrown.refused };
      throw thrown;
    }
  }

  function keyOf(word) {
    return (word.head ? "1" : "0") + (word.tail ? "1" : "0") + (word.forms.length ? "1" : word.inflected ? "~" : "0") + word.text;
  }

  function wordsOf(tree, wanted = true) {
    const found = new Map(), waiting = [[tree, true]];
    while (waiting.length) {
      const [item, positive] = waiting.pop();
      if (item.op === "word") {
        if (positive === wanted) found.set(keyOf(item), item);
      } else if (item.op === "not") {
        waiting.push([item.item, !positive]);
      } else if (item.op === "min" || item.op === "max") {
        if ((item.op === "min" && item.times > 0) === (positive === wanted)) {
          for (const word of item.words) found.set(keyOf(word), word);
        }
      } else {
        for (let k = item.items.length - 1; k >= 0; k--) waiting.push([item.items[k], positive]);
      }
    }
    return [...found.values()];
  }

  Object.assign(trasmallo, { parse, wordsOf, wordKey: keyOf });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
