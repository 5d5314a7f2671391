// What the text of each block tells: as _read_texts of features.py reads it.
"use strict";
(function (trasmallo) {
  const { characters } = trasmallo.content;
  const SHORT = 200, FIRST = 72;
  const ENDS = new Set('.!?:;"”’»…。！？）)');
  const digit = `[${characters.classOf("digit")}]`;
  const DATE = new RegExp(`(?:19|20)${digit}${digit}|${digit}{1,2}[.:/\\-]${digit}${digit}|${digit}+ (?:min|hour|day|week|month|year|stund|tag)`, "u");
  const NO_SIGNS = { digits: 0, dated: 0, upper: 0, sign: 0, price: 0, title: 0 };

  // One letter for both forms of sigma: which one a capital becomes depends on what follows it.
  function asOneSigma(text) {
    return text.replaceAll("ς", "σ");
  }

  // The words of a short text, by which furniture is known.
  function textWords(text) {
    return asOneSigma(characters.lower(characters.head(text, FIRST))).match(characters.WORDS) || [];
  }

  const ROWS = [
    "least", "most", "tone", "digits", "dated", "spaces", "commas", "end", "upper", "lower", "sign", "price", "title",
    "description", "again",
  ];

  // A row for each thing that is told, with a number a block.
  function readTexts(layout, head, phrases) {
    const seen = new Set(), rows = Object.fromEntries(ROWS.map((name) => [name, new Float64Array(layout.length)]));
    layout.texts.forEach((block, number) => {
      const told = readText(block, head, phrases, seen);
      for (const name of ROWS) rows[name][number] = Number(told[name]);
      seen.add(block);
    });
    return rows;
  }

  function readText(block, head, phrases, seen) {
    const length = characters.length(block), short = length < SHORT;
    const values = textWords(block).map((word) => phrases.get(word) || 0);
    if (!values.length) values.push(0);
    let commas = characters.count(block, ",") + characters.count(block, ". ");
    if (!short) commas += characters.count(block, "，") + characters.count(block, "。");
    return {
      least: Math.min(...values),
      most: Math.max(...values),
      tone: values.reduce((sum, value) => sum + value, 0) / values.length,
      spaces: characters.count(block, " "),
      commas,
      end: ENDS.has(block[block.length - 1]),
      lower: characters.LOWER_FIRST.test(block),
      description: length > 20 && head.description.includes(characters.head(block, 40)),
      again: seen.has(block),
      ...(short ? readShort(block, length, head.title) : NO_SIGNS),
    };
  }

  // The share of digits, and whether it has a date, is in capitals, has a separator or a price, is a part of the title.
  function readShort(block, length, title) {
    const digits = characters.countMatches(block, characters.DIGITS);
    return {
      digits: digits / (length + 1),
      dated: digits > 2 && DATE.test(block),
      upper: characters.isUpper(block),
      sign: /[©|»]/.test(block),
      price: /[$€£]/.test(block),
      title: length > 8 && title.includes(block),
    };
  }

  trasmallo.content.texts = { asOneSigma, readTexts };
})(globalThis.trasmallo);
