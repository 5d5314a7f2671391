// node node.js CORE FOLDER TABLES: runs the vectors of a folder with the scripts of another and the tables of forms of a third,
// and prints what differs.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm"), zlib = require("zlib");
const [core, folder, forms] = process.argv.slice(2);
for (const name of JSON.parse(fs.readFileSync(path.join(core, "order.json"), "utf8"))) {
  vm.runInThisContext(fs.readFileSync(path.join(core, name), "utf8"), { filename: name });
}
vm.runInThisContext(fs.readFileSync(path.join(__dirname, "compare.js"), "utf8"));
const lines = (name) => fs.readFileSync(path.join(folder, name), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const text = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const table = (language) => globalThis.trasmallo.readForms(zlib.gunzipSync(fs.readFileSync(path.join(forms, `${language}.gz`))).toString());
const inflected = globalThis.compareForms(lines("inflected.jsonl"), { en: table("en"), es: table("es") });
const result = globalThis.compareSlices({
  pages: lines("pages.jsonl"), cases: lines("cases.jsonl"), criteria: lines("criteria.jsonl"),
  lexicon: text("lexicon.txt"), forms: text("forms.txt"), tree: text("tree.txt"),
});
const related = globalThis.compareRelated(lines("related.jsonl"));
const wrong = [...inflected.wrong, ...related.wrong, ...result.wrong];
console.log(JSON.stringify({ run: result.run, inflected: inflected.run, related: related.run, wrong: wrong.length, first: wrong.slice(0, 5) }));
