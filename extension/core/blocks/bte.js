// The document slope, its words and its plateau: as bte.py has them.
"use strict";
(function (trasmallo) {
  const { tags, characters, stream } = trasmallo.content;
  // Scripts without spaces: a character is as good as a word.
  const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/g;
  const DRESSING = new Set([...tags.inline, ...tags.heading, ...tags.grid]);

  function countWords(text) {
    return characters.split(text).length + (characters.isAscii(text) ? 0 : characters.countMatches(text, DENSE));
  }

  // {stream, words}: the words and tags of a page in order.
  function slopeOf(page, layout) {
    const found = stream.streamOf(page, layout, DRESSING);
    return { stream: found, words: found.node.map((index) => countWords(page.text[index])) };
  }

  // The stretch {first, last} with most words for its tags, null for a page without text.
  function plateau(slope, favour) {
    const cost = 16 ** (0.5 - favour);
    let best = 0, found = null, total = 0, first = 0;
    slope.words.forEach((words, place) => {
      total -= cost * slope.stream.tags[place];
      if (total <= 0) {
        total = 0;
        first = place;
      }
      total += words;
      if (total > best) {
        best = total;
        found = { first, last: place };
      }
    });
    return found;
  }

  trasmallo.content.bte = { countWords, slopeOf, plateau };
})(globalThis.trasmallo);
