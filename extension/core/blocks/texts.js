// What the text of a block tells, by itself as texts.py reads it, and among the others.
"use strict";
(function (trasmallo) {
  const { characters } = trasmallo.content;
  const SHORT = 200, FIRST = 72, MAX_KNOWN = 20000;
  const ENDS = new Set('.!?:;"”’»…。！？）)');
  const digit = `[${characters.classOf("digit")}]`;
  const DATE = new RegExp(`(?:19|20)${digit}${digit}|${digit}{1,2}[.:/\\-]${digit}${digit}|${digit}+ (?:min|hour|day|week|month|year|stund|tag)`, "u");
  const NO_SIGNS = { digits: 0, dated: false, upper: false, sign: false, price: false };
  const ROWS = [
    "least", "most", "tone", "digits", "dated", "spaces", "commas", "end", "upper", "lower", "sign", "price", "title",
    "description", "again",
  ];

  // One letter for both forms of sigma: which one a capital becomes depends on what follows it.
  function asOneSigma(text) {
    return text.replaceAll("ς", "σ");
  }

  // The words that a text begins with, by which furniture is known.
  function textWords(text) {
    return asOneSigma(characters.lower(characters.head(text, FIRST))).match(characters.WORDS) || [];
  }

  // What texts tell, remembered when they are short.
  class Phrases {
    constructor(values) {
      this.values = values;
      this.known = new Map();
    }

    tell(text, length) {
      let found = this.known.get(text);
      if (!found) {
        found = this.read(text, length);
        if (length < SHORT) {
          if (this.known.size >= MAX_KNOWN) this.known.clear();
          this.known.set(text, found);
        }
      }
      return found;
    }

    read(text, length) {
      let commas = characters.count(text, ",") + characters.count(text, ". ");
      if (length >= SHORT) commas += characters.count(text, "，") + characters.count(text, "。");
      return {
        ...this.weigh(textWords(text)),
        spaces: characters.count(text, " "),
        commas,
        end: ENDS.has(text[text.length - 1]),
        lower: characters.LOWER_FIRST.test(text),
        ...(length < SHORT ? readSigns(text, length) : NO_SIGNS),
      };
    }

    // The least, the greatest and the mean value of the words.
    weigh(words) {
      let least = Infinity, most = -Infinity, sum = 0, known = 0;
      for (const word of words) {
        const value = this.values.get(word);
        if (!value) continue;
        known++;
        sum += value;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      if (!known) return { least: 0, most: 0, tone: 0 };
      if (known < words.length) [least, most] = [Math.min(least, 0), Math.max(most, 0)];
      return { least, most, tone: sum / words.length };
    }
  }

  // The share of digits, and whether it has a date, is in capitals, has a separator or a price.
  function readSigns(text, length) {
    const digits = characters.countMatches(text, characters.DIGITS);
    return {
      digits: digits / (length + 1),
      dated: digits > 2 && DATE.test(text),
      upper: characters.isUpper(text),
      sign: /[©|»]/.test(text),
      price: /[$€£]/.test(text),
    };
  }

  // A row for each of ROWS, with a number a block.
  function readTexts(layout, { title, description }, phrases) {
    const seen = new Set(), rows = Object.fromEntries(ROWS.map((name) => [name, new Float64Array(layout.length)]));
    layout.texts.forEach((block, number) => {
      const length = characters.length(block), told = phrases.tell(block, length);
      const among = {
        title: length > 8 && length < SHORT && title.includes(block),
        description: length > 20 && description.includes(characters.head(block, 40)),
        again: seen.has(block),
      };
      for (const name of ROWS) rows[name][number] = Number(name in told ? told[name] : among[name]);
      seen.add(block);
    });
    return rows;
  }

  trasmallo.content.texts = { Phrases, asOneSigma, readTexts };
})(globalThis.trasmallo);
