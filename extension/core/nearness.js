// What is near in the text: words, then sentences, then paragraphs around what was found, as nearness.py has it.
//
//   trasmallo.divide(text) -> units {start, end, lead, trail, sentences, paragraphs}
//   trasmallo.spread(units, seeds: Map word -> cost, weights) -> the cost of each word
"use strict";
(function (trasmallo) {
  const FAR = 1 << 30;
  const ENDERS = ".!?…;。！？；", FULL_WIDTH = "。！？；";
  const abbreviations = new Set(trasmallo.kinds.abbreviations);

  function findWords(text, from, to) {
    const found = [];
    let start = -1, blank = true;
    for (let place = from; place < to;) {
      const code = text.codePointAt(place), next = Math.min(place + (code > 0xffff ? 2 : 1), to), kind = trasmallo.classOf(code);
      if (kind !== trasmallo.SPACE) blank = false;
      if (kind === trasmallo.WORD && start < 0) start = place;
      if (kind !== trasmallo.WORD && start >= 0) {
        found.push([start, place]);
        start = -1;
      }
      if (kind === trasmallo.IDEOGRAPH) found.push([place, next]);
      place = next;
    }
    if (start >= 0) found.push([start, to]);
    return found.length || blank ? found : [[from, to]];
  }

  // Whether a full stop after a word rather shortens it: an initial, or an abbreviation.
  function isShort(word) {
    const code = word.codePointAt(0);
    if (word.length === (code > 0xffff ? 2 : 1)) return !(code >= 48 && code <= 57);
    return abbreviations.has(trasmallo.folding(true, true).fold(word));
  }

  // Where the sentence of a word ends before the next word, -1 when it goes on.
  function endOfSentence(text, start, end, after) {
    let place = end;
    while (place < after && !ENDERS.includes(text[place])) place++;
    if (place >= after) return -1;
    if (FULL_WIDTH.includes(text[place])) return place + 1;
    let blank = place + 1;
    while (blank < after && trasmallo.classOf(text.charCodeAt(blank)) !== trasmallo.SPACE) blank++;
    if (blank >= after || (text[place] === "." && place === end && isShort(text.slice(start, end)))) return -1;
    return blank;
  }

  function addParagraph(units, text, from, to) {
    const found = findWords(text, from, to);
    if (!found.length) return;
    units.paragraphs.push(units.sentences.length);
    units.sentences.push(units.start.length);
    let lead = from;
    found.forEach(([start, end], number) => {
      const last = number === found.length - 1;
      const cut = last ? to : endOfSentence(text, start, end, found[number + 1][0]);
      units.start.push(start);
      units.end.push(end);
      units.lead.push(lead < 0 ? start : lead);
      units.trail.push(cut < 0 ? end : cut);
      lead = cut;
      if (cut >= 0 && !last) units.sentences.push(units.start.length);
    });
  }

  function divide(text) {
    const units = { start: [], end: [], lead: [], trail: [], sentences: [], paragraphs: [] };
    for (let from = 0; from <= text.length;) {
      let to = text.indexOf(trasmallo.BREAK, from);
      if (to < 0) to = text.length;
      addParagraph(units, text, from, to);
      from = to + 1;
    }
    units.paragraphs.push(units.sentences.length);
    units.sentences.push(units.start.length);
    return units;
  }

  function alongWords(units, seeds, weights) {
    const costs = new Int32Array(units.start.length).fill(FAR);
    const seed = (word) => (seeds.has(word) ? seeds.get(word) : FAR);
    for (let k = 0; k + 1 < units.sentences.length; k++) {
      const first = units.sentences[k], end = units.sentences[k + 1];
      for (let word = first, cost = FAR; word < end; word++) {
        cost = Math.min(cost + weights[word], seed(word));
        costs[word] = Math.min(costs[word], cost);
      }
      for (let word = end - 1, cost = FAR; word >= first; word--) {
        cost = Math.min(cost + weights[word], seed(word));
        costs[word] = Math.min(costs[word], cost);
      }
    }
    return costs;
  }

  // When each sentence is complete by what was found in itself.
  function completeSentences(units, seeds, weights) {
    const total = new Int32Array(units.start.length + 1);
    for (let word = 0; word < units.start.length; word++) total[word + 1] = total[word] + weights[word];
    const complete = new Array(units.sentences.length - 1).fill(FAR);
    let sentence = 0;
    for (const word of [...seeds.keys()].sort((one, other) => one - other)) {
      while (units.sentences[sentence + 1] <= word) sentence++;
      const left = total[word] - total[units.sentences[sentence]];
      const right = total[units.sentences[sentence + 1]] - total[word + 1];
      complete[sentence] = Math.min(complete[sentence], seeds.get(word) + Math.max(left, right));
    }
    return complete;
  }

  // The least cost of coming to each place from any other, one step at a time.
  function sweep(costs) {
    const found = costs.slice();
    for (let place = 1; place < found.length; place++) found[place] = Math.min(found[place], found[place - 1] + 1);
    for (let place = found.length - 2; place >= 0; place--) found[place] = Math.min(found[place], found[place + 1] + 1);
    return found.map((cost) => Math.min(cost, FAR));
  }

  function spread(units, seeds, weights) {
    const costs = alongWords(units, seeds, weights), complete = completeSentences(units, seeds, weights);
    const sentences = new Array(complete.length).fill(FAR), whole = [];
    for (let number = 0; number + 1 < units.paragraphs.length; number++) {
      const first = units.paragraphs[number], last = units.paragraphs[number + 1] - 1;
      let least = FAR;
      sweep(complete.slice(first, last + 1)).forEach((cost, place) => {
        sentences[first + place] = cost;
      });
      for (let s = first; s <= last; s++) least = Math.min(least, complete[s] + Math.max(s - first, last - s));
      whole.push(least);
    }
    sweep(whole).forEach((cost, number) => {
      for (let s = units.paragraphs[number]; s < units.paragraphs[number + 1]; s++) {
        const least = Math.min(cost, sentences[s]);
        for (let word = units.sentences[s]; word < units.sentences[s + 1]; word++) costs[word] = Math.min(costs[word], least);
      }
    });
    return costs;
  }

  // The parts of the text that cost no more than `most`, in order.
  function rangesWithin(units, costs, most) {
    const found = [], starts = new Set(units.paragraphs.map((sentence) => units.sentences[sentence]));
    let from = -1;
    for (let word = 0; word < costs.length; word++) {
      if (from >= 0 && (costs[word] > most || starts.has(word))) {
        found.push([from, units.trail[word - 1]]);
        from = -1;
      }
      if (costs[word] <= most && from < 0) from = units.lead[word];
    }
    if (from >= 0) found.push([from, units.trail[costs.length - 1]]);
    return found;
  }

  function largest(costs) {
    let most = 0;
    for (const cost of costs) if (cost < FAR && cost > most) most = cost;
    return most;
  }

  Object.assign(trasmallo, { divide, spread, rangesWithin, largestCost: largest });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
