// What numpy does for features.py, one number after the other, so that sums come out the same.
"use strict";
(function (trasmallo) {
  const log1p = (values) => map(values, (value) => Math.log1p(value));

  // A loop, since Float64Array.from is many times slower.
  function map(values, change) {
    const found = new Float64Array(values.length);
    for (let place = 0; place < found.length; place++) found[place] = change(values[place], place);
    return found;
  }

  function fill(size, value) {
    return new Float64Array(size).fill(value);
  }

  // Sums so far.
  function cumulate(values) {
    const found = new Float64Array(values.length);
    let sum = 0;
    for (let place = 0; place < values.length; place++) {
      sum += values[place];
      found[place] = sum;
    }
    return found;
  }

  function sum(values) {
    let found = 0;
    for (let place = 0; place < values.length; place++) found += values[place];
    return found;
  }

  function most(values) {
    let found = -Infinity;
    for (let place = 0; place < values.length; place++) if (values[place] > found) found = values[place];
    return found;
  }

  // The first place of the greatest value.
  function mostPlace(values) {
    let found = 0;
    for (let place = 1; place < values.length; place++) if (values[place] > values[found]) found = place;
    return found;
  }

  function take(values, places) {
    const found = new Float64Array(places.length);
    for (let place = 0; place < places.length; place++) found[place] = values[places[place]];
    return found;
  }

  // For each number from 0 on, how often it is there, or what the values beside it have together.
  function tally(numbers, values, size) {
    const found = new Float64Array(Math.max(size || 0, numbers.length ? most(numbers) + 1 : 0));
    for (let place = 0; place < numbers.length; place++) found[numbers[place]] += values ? values[place] : 1;
    return found;
  }

  // The value `by` places before each place.
  function shift(values, by, filling = 0) {
    return map(values, (_, place) => {
      const from = place - by;
      return from >= 0 && from < values.length ? values[from] : filling;
    });
  }

  // The greatest value up to each place.
  function risen(values) {
    let highest = -Infinity;
    return map(values, (value) => (highest = Math.max(highest, value)));
  }

  // How many of the numbers, which rise, are less than each of the wanted.
  function searchSorted(numbers, wanted) {
    const found = new Int32Array(wanted.length);
    for (let place = 0; place < wanted.length; place++) {
      let low = 0, high = numbers.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[middle] < wanted[place]) low = middle + 1; else high = middle;
      }
      found[place] = low;
    }
    return found;
  }

  function reversed(values) {
    return new Float64Array(values).reverse();
  }

  trasmallo.content.numbers = {
    log1p, map, fill, cumulate, sum, most, mostPlace, take, tally, shift, risen, searchSorted, reversed,
  };
})(globalThis.trasmallo);
