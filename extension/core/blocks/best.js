// The best method: a classifier of blocks in two stages, as best.py has it.
//
//   await trasmallo.loadModel(bytes)      the bytes of best.model, once before trasmallo.blocks with this method
"use strict";
(function (trasmallo) {
  const { numbers, outline, plain, texts, trees, features } = trasmallo.content;
  const SHARE = 0.58, FEW = 5, FLOOR = 0.3, UP = 3.4, DOWN = 2.5, SENTENCE = 100, MOST_BLOCKS = 50000;
  let model = null;

  function readTable(arrays, name) {
    const words = texts.asOneSigma(new TextDecoder().decode(arrays[`${name}_words`].values)).split("\n"), table = new Map();
    words.forEach((word, place) => table.set(word, arrays[`${name}_values`].values[place] / 32));
    return table;
  }

  function readTrees(arrays, stage) {
    const [feature, threshold, leaf, bias] = ["feature", "threshold", "leaf", "bias"].map((part) => arrays[`${stage}_${part}`]);
    return new trees.Trees(feature, threshold, leaf, bias.values[0]);
  }

  async function loadModel(content) {
    const { arrays } = await trees.unpack(content);
    const tables = { names: new outline.Names(readTable(arrays, "name")), phrases: new texts.Phrases(readTable(arrays, "phrase")) };
    model = { tables, first: readTrees(arrays, "first"), second: readTrees(arrays, "second"), scores: new WeakMap() };
  }

  // For each block the probability that it is main content; the layout must have a block. Remembered, since a reader who turns
  // the knob asks again and again.
  function score(page, layout) {
    if (!model) throw new Error("the model is not there: await trasmallo.loadModel(bytes) first");
    if (!model.scores.has(layout)) model.scores.set(layout, compute(page, layout));
    return model.scores.get(layout);
  }

  function compute(page, layout) {
    const blocks = new features.Blocks(page, layout, model.tables), rows = features.describe(blocks);
    const first = numbers.map(model.first.score(rows), Math.fround);
    return model.second.score(features.describeAgain(blocks, rows, first));
  }

  // The score from which on a block is main; never above the greatest, so that something is. Where precision is favoured it
  // rises above the usual one only as long as a sentence of that page is left.
  function threshold(scores, weights, favour) {
    const best = Float64Array.from(scores).sort().slice(-FEW);
    const share = Math.max(SHARE * (numbers.sum(best) / best.length), FLOOR), usual = Math.log(share / (1 - share));
    const least = probability(usual + (favour < 0.5 ? UP : DOWN) * (1 - 2 * favour));
    const most = favour < 0.5 ? Math.max(probability(usual), scoreOfSentence(scores, weights)) : least;
    return Math.min(least, most, best[best.length - 1]);
  }

  function probability(logOdds) {
    return 1 / (1 + Math.exp(-logOdds));
  }

  // The score that the best blocks reach which have a sentence together; the least one where the page has no more.
  function scoreOfSentence(scores, weights) {
    const order = Array.from(scores.keys()).sort((one, other) => scores[other] - scores[one]);
    let last = 0;
    for (let seen = weights[order[0]]; seen < SENTENCE && last < order.length - 1; seen += weights[order[last]]) last++;
    return scores[order[last]];
  }

  function findBest(page, layout, favour) {
    if (!layout.length) return [];
    if (layout.length > MOST_BLOCKS) return plain.findMain(page, layout, favour);
    const scores = score(page, layout), least = threshold(scores, layout.weight, favour);
    return Array.from(scores, (value) => value >= least);
  }

  trasmallo.content.best = { score, findBest };
  Object.assign(trasmallo, { loadModel, hasModel: () => model !== null });
})(globalThis.trasmallo);
