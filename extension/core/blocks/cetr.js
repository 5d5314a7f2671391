// The main text by tag ratios: as cetr.py finds it. Every sum is made in the same order, so that the results are the same.
"use strict";
(function (trasmallo) {
  const { flat, stream } = trasmallo.content;
  const MIDDLE = 0.45186276187760605, SIDE = 0.274068619061197;
  const AHEAD = 3, CLUSTERS = 3, MOST_ROUNDS = 50;

  // For each block its characters without white space per tag.
  function tagRatios(page, layout) {
    const found = stream.streamOf(page, layout), size = layout.length, seenInNode = flat.seenOf(page);
    const seen = new Float64Array(size), tags = new Float64Array(size);
    let number = 0;
    found.node.forEach((node, place) => {
      while (number < size - 1 && layout.last[number] < node) number++;
      seen[number] += seenInNode[node];
      tags[number] += found.tags[place];
    });
    return seen.map((count, block) => count / Math.max(tags[block], 1));
  }

  // The series with each value spread over its neighbours by a Gaussian; the ends are held.
  function smooth(series) {
    const last = series.length - 1;
    return series.map((value, place) =>
      SIDE * series[Math.max(place - 1, 0)] + MIDDLE * value + SIDE * series[Math.min(place + 1, last)]);
  }

  // How far the next few values lie from each one, smoothed, without sign.
  function changes(smoothed) {
    const last = smoothed.length - 1;
    const ahead = smoothed.map((value, place) => {
      let sum = 0;
      for (let step = 1; step <= AHEAD; step++) sum += smoothed[Math.min(place + step, last)];
      return sum / AHEAD - value;
    });
    return smooth(ahead).map(Math.abs);
  }

  // How far each point lies from each centre, a list a point.
  function distances(points, centres) {
    return points.map(([x, y]) => centres.map((centre) => Math.sqrt((x - centre[0]) * (x - centre[0]) + (y - centre[1]) * (y - centre[1]))));
  }

  // The centres that k-means reaches from these; the first one is fixed, and one without points stays where it is.
  function cluster(points, start) {
    let centres = start;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const moved = means(points, distances(points, centres).map(leastPlace), centres);
      moved[0] = centres[0];
      if (moved.every((centre, k) => centre[0] === centres[k][0] && centre[1] === centres[k][1])) break;
      centres = moved;
    }
    return centres;
  }

  function leastPlace(values) {
    return values.indexOf(Math.min(...values));
  }

  // The middle of the points nearest to each centre, summed up one after the other.
  function means(points, nearest, centres) {
    const counts = centres.map(() => 0), sums = centres.map(() => [0, 0]);
    points.forEach(([x, y], place) => {
      const k = nearest[place];
      counts[k]++;
      sums[k][0] += x;
      sums[k][1] += y;
    });
    return centres.map((centre, k) => (counts[k] ? [sums[k][0] / counts[k], sums[k][1] / counts[k]] : centre));
  }

  // Whether each point is nearer to a centre of content than to the first, which is where there is none.
  function choose(points, favour) {
    const top = [0, 1].map((axis) => points.reduce((most, point) => Math.max(most, point[axis]), 0));
    const start = Array.from({ length: CLUSTERS }, (_, k) => top.map((most) => (most * k) / (CLUSTERS - 1)));
    const border = 16 ** (0.5 - favour);
    const main = distances(points, cluster(points, start)).map(([none, ...content]) => Math.min(...content) * border < none);
    return main.includes(true) ? main : main.map(() => true);
  }

  function findMain(page, layout, favour) {
    const ratios = smooth(tagRatios(page, layout)), change = changes(ratios);
    return choose(Array.from(ratios, (ratio, number) => [ratio, change[number]]), favour);
  }

  trasmallo.content.cetr = { tagRatios, smooth, changes, choose, findMain };
})(globalThis.trasmallo);
