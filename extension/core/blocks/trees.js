// Boosted oblivious trees and the file that a trained model is kept in: as trees.py reads them.
"use strict";
(function (trasmallo) {
  const MAX_MODEL = 1 << 24;

  class Trees {
    // `feature` and `threshold` have a row a level and a column a tree, `leaf` a row a tree.
    constructor(feature, threshold, leaf, bias) {
      [this.depth, this.count] = feature.shape;
      Object.assign(this, { feature: feature.values, threshold: threshold.values, leaf: leaf.values, bias });
    }

    // The probability of each block; `rows` has a Float32Array a feature.
    score(rows) {
      const sums = new Float64Array(rows[0].length), leaves = new Uint8Array(sums.length);
      for (let tree = 0; tree < this.count; tree++) {
        leaves.fill(0);
        for (let level = this.depth - 1; level >= 0; level--) {
          const at = level * this.count + tree;
          answer(rows[this.feature[at]], this.threshold[at], leaves);
        }
        addLeaves(this.leaf, tree << this.depth, leaves, sums);
      }
      return sums.map((value) => 1 / (1 + Math.exp(-(value + this.bias))));
    }
  }

  // The answers to the questions of a tree are the bits of the number of a leaf; a condition in place of the comparison as a
  // number would take twice the time, since no processor can guess its outcome.
  function answer(row, threshold, leaves) {
    for (let block = 0; block < leaves.length; block++) leaves[block] = (leaves[block] << 1) | (row[block] > threshold);
  }

  // The values of leaves have few digits: their sums are exact in any order.
  function addLeaves(values, first, leaves, sums) {
    for (let block = 0; block < leaves.length; block++) sums[block] += values[first + leaves[block]];
  }

  function readHalf(bits) {
    const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (1024 + fraction) * 2 ** (exponent - 25);
  }

  // Reading one number of each kind, and its bytes.
  const KINDS = {
    "|u1": [1, Uint8Array, (view, at) => view.getUint8(at)],
    "|i1": [1, Int8Array, (view, at) => view.getInt8(at)],
    "<u2": [2, Uint16Array, (view, at) => view.getUint16(at, true)],
    "<f2": [2, Float32Array, (view, at) => readHalf(view.getUint16(at, true))],
    "<f4": [4, Float32Array, (view, at) => view.getFloat32(at, true)],
    "<f8": [8, Float64Array, (view, at) => view.getFloat64(at, true)],
  };

  async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // {header, arrays: {name: {shape, values}}} of the bytes of a model file: a line of JSON, then arrays, deflated.
  async function unpack(content) {
    const bytes = content instanceof Uint8Array ? content : new Uint8Array(content), line = bytes.indexOf(10);
    if (line < 0 || bytes.length > MAX_MODEL) throw new Error("this is no model: give the bytes of best.model");
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line)));
    const body = await inflate(bytes.subarray(line + 1)), view = new DataView(body.buffer), arrays = {};
    let at = 0;
    for (const [name, [kind, shape]] of Object.entries(header.arrays)) {
      const [width, Values, read] = KINDS[kind], values = new Values(shape.reduce((size, part) => size * part, 1));
      for (let place = 0; place < values.length; place++) values[place] = read(view, at + place * width);
      arrays[name] = { shape, values };
      at += values.length * width;
    }
    return { header, arrays };
  }

  trasmallo.content.trees = { Trees, unpack };
})(globalThis.trasmallo);
