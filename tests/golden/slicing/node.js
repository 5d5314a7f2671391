// node node.js CORE FOLDER: runs the vectors of a folder with the scripts of another, and prints what differs.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const [core, folder] = process.argv.slice(2);
for (const name of JSON.parse(fs.readFileSync(path.join(core, "order.json"), "utf8"))) {
  vm.runInThisContext(fs.readFileSync(path.join(core, name), "utf8"), { filename: name });
}
vm.runInThisContext(fs.readFileSync(path.join(__dirname, "compare.js"), "utf8"));
const lines = (name) => fs.readFileSync(path.join(folder, name), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const lexicon = fs.readFileSync(path.join(folder, "lexicon.txt"), "utf8");
const result = globalThis.compareSlices({
  pages: lines("pages.jsonl"), cases: lines("cases.jsonl"), criteria: lines("criteria.jsonl"), lexicon,
});
console.log(JSON.stringify({ run: result.run, wrong: result.wrong.length, first: result.wrong.slice(0, 5) }));
