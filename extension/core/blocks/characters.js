// What Python's methods of texts do, by the generated tables; lengths are code points. Ranges in the expressions are written
// out, so no engine's own idea of letters and blanks is asked.
"use strict";
(function (trasmallo) {
  const table = trasmallo.characters;

  function classOf(name) {
    return trasmallo.spans(name).map(([low, end]) => `\\u{${low.toString(16)}}-\\u{${(end - 1).toString(16)}}`).join("");
  }

  // White space is all in the first plane.
  const IS_SPACE = new Uint8Array(0x10000);
  for (const [low, end] of trasmallo.spans("space")) IS_SPACE.fill(1, low, end);

  const space = classOf("space"), letter = classOf("letter"), digit = classOf("digit"), upper = classOf("upper");
  const SPACES = new RegExp(`[${space}]+`, "gu");
  const SEEN = new RegExp(`[^${space}]`, "u");
  const LEADING = new RegExp(`^[${space}]+`, "u");
  const ALPHANUMERIC = new RegExp(`[${letter}${digit}]`, "u");
  const WORDS = new RegExp(`[${letter}]+`, "gu");
  const DIGITS = new RegExp(`[${digit}]`, "gu");
  const LOWER_FIRST = new RegExp(`^[${classOf("lower")}]`, "u");
  const NOT_UPPER = new RegExp(`[${classOf("lower")}${classOf("title")}]`, "u"), UPPER = new RegExp(`[${upper}]`, "u");
  const ASCII = /^[\0-\x7f]*$/;
  const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

  // str.isspace, which is false for an empty text.
  function isBlank(text) {
    return text !== "" && !SEEN.test(text);
  }

  function isAscii(text) {
    return ASCII.test(text);
  }

  function strip(text) {
    return stripEnd(text.replace(LEADING, ""));
  }

  // Searching for blanks at the end would look at every run of blanks to its end.
  function stripEnd(text) {
    let end = text.length;
    while (end > 0 && IS_SPACE[text.charCodeAt(end - 1)]) end--;
    return text.slice(0, end);
  }

  function split(text) {
    return text.split(SPACES).filter((word) => word !== "");
  }

  function collapse(text) {
    return split(text).join(" ");
  }

  function length(text) {
    const pairs = isAscii(text) ? null : text.match(PAIRS);
    return text.length - (pairs ? pairs.length : 0);
  }

  // The characters that are no white space.
  function countSeen(text) {
    let found = 0;
    for (let place = 0; place < text.length; place++) {
      const unit = text.charCodeAt(place);
      if (!IS_SPACE[unit] && !isSecond(text, place, unit)) found++;
    }
    return found;
  }

  // Whether a unit is the second half of a character.
  function isSecond(text, place, unit) {
    return (unit & 0xfc00) === 0xdc00 && place > 0 && (text.charCodeAt(place - 1) & 0xfc00) === 0xd800;
  }

  // The first characters of a text.
  function head(text, size) {
    if (text.length <= size) return text;
    let end = 0;
    for (let taken = 0; taken < size && end < text.length; taken++) end += text.codePointAt(end) > 0xffff ? 2 : 1;
    return text.slice(0, end);
  }

  function count(text, part) {
    let found = 0;
    for (let place = text.indexOf(part); place >= 0; place = text.indexOf(part, place + part.length)) found++;
    return found;
  }

  function countMatches(text, expression) {
    const found = text.match(expression);
    return found ? found.length : 0;
  }

  // str.lower, character by character: a sigma at the end of a word is as any other.
  function lower(text) {
    if (isAscii(text)) return text.toLowerCase();
    let found = "";
    for (const character of text) {
      if (Object.hasOwn(table.lowered, character)) found += table.lowered[character];
      else found += Object.hasOwn(table.case, character) ? table.case[character] : character;
    }
    return found;
  }

  function isUpper(text) {
    return UPPER.test(text) && !NOT_UPPER.test(text);
  }

  trasmallo.content.characters = {
    ALPHANUMERIC, WORDS, DIGITS, LOWER_FIRST, classOf,
    isBlank, isAscii, strip, stripEnd, split, collapse, length, countSeen, head, count, countMatches, lower, isUpper,
  };
})(globalThis.trasmallo);
