// The forms of a word, so that marcar~ finds marcó: as inflection.py has it.
//
//   trasmallo.readForms(text) -> {language, expand(word, accents) -> [form, ...]}     text: a table of forms, unzipped
//   trasmallo.inflect(tree, tables, reading) -> the tree with the forms of the words that ask for them
//   trasmallo.asksForForms(tree) -> whether any does
"use strict";
(function (trasmallo) {
  // Words that were written as the letters they share with the one before and the rest.
  function lengthen(shortened) {
    let before = "";
    return shortened.map((letters) => (before = before.slice(0, parseInt(letters[0], 36)) + letters.slice(1)));
  }

  function readForms(text) {
    const lines = text.split("\n"), middle = lines.indexOf("", 1), { language } = JSON.parse(lines[0]);
    const fold = trasmallo.folding(true, true).fold, paradigms = new Map(), stems = new Map();
    const rows = lines.slice(middle + 1).filter(Boolean).map((line) => {
      const blank = line.indexOf(" ");
      return [line.slice(0, blank), line.slice(blank + 1)];
    });
    lengthen(rows.map((row) => row[0])).forEach((stem, place) => {
      const key = fold(stem);
      if (!stems.has(key)) stems.set(key, []);
      stems.get(key).push([stem, rows[place][1]]);
    });

    function paradigmOf(number) {
      if (!paradigms.has(number)) {
        const [headword, ...endings] = lengthen(lines[1 + parseInt(number, 36)].split(" "));
        paradigms.set(number, { headword, endings, foldedHeadword: fold(headword), folded: new Set(endings.map(fold)) });
      }
      return paradigms.get(number);
    }

    // A headword stands for itself alone, any other form for each word that it may be a form of.
    function expand(word, accents) {
      const folded = fold(word), exact = trasmallo.folding(true, false).fold(word), asHeadword = new Set(), asForm = new Set();
      for (let cut = 0; cut <= folded.length; cut++) {
        for (const [stem, numbers] of stems.get(folded.slice(0, cut)) || []) {
          for (const number of numbers.split(" ")) {
            const paradigm = paradigmOf(number);
            if (!paradigm.folded.has(folded.slice(cut))) continue;
            const forms = paradigm.endings.map((ending) => stem + ending);
            const isHeadword = folded.slice(cut) === paradigm.foldedHeadword && (!accents || exact === stem + paradigm.headword);
            if (!accents || forms.includes(exact)) forms.forEach((form) => asForm.add(form));
            if (isHeadword) forms.forEach((form) => asHeadword.add(form));
          }
        }
      }
      return [...(asHeadword.size ? asHeadword : asForm)].sort();
    }

    return { language, expand };
  }

  function inflectWord(word, tables, accents) {
    if (!word.inflected) return word;
    const forms = new Set(tables.flatMap((table) => table.expand(word.text, accents)));
    return Object.assign({}, word, { forms: [...forms].sort() });
  }

  function inflect(tree, tables, reading) {
    const accents = !!(reading && reading.accents);
    if (tree.op === "word") return inflectWord(tree, tables, accents);
    if (tree.op === "not") return { op: "not", item: inflect(tree.item, tables, reading) };
    if (tree.words) return Object.assign({}, tree, { words: tree.words.map((word) => inflectWord(word, tables, accents)) });
    return { op: tree.op, items: tree.items.map((item) => inflect(item, tables, reading)) };
  }

  function asksForForms(tree) {
    if (tree.op === "word") return tree.inflected;
    return tree.op === "not" ? asksForForms(tree.item) : (tree.words || tree.items).some(asksForForms);
  }

  Object.assign(trasmallo, { readForms, inflect, asksForForms });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
