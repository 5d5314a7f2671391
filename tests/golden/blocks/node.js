// node node.js CORE FOLDER MODEL: runs the vectors of a folder with the scripts of another, and prints what differs.
"use strict";
const fs = require("fs"), path = require("path"), vm = require("vm");
const [core, folder, model] = process.argv.slice(2);
for (const name of JSON.parse(fs.readFileSync(path.join(core, "order.json"), "utf8"))) {
  vm.runInThisContext(fs.readFileSync(path.join(core, name), "utf8"), { filename: name });
}
vm.runInThisContext(fs.readFileSync(path.join(__dirname, "compare.js"), "utf8"));
const lines = (name) => fs.readFileSync(path.join(folder, name), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const packed = model ? fs.readFileSync(model).toString("base64") : "";
globalThis.compareBlocks({ pages: lines("pages.jsonl"), cases: lines("cases.jsonl"), model: packed }).then((result) => {
  console.log(JSON.stringify({ run: result.run, wrong: result.wrong.length, first: result.wrong.slice(0, 5) }));
});
