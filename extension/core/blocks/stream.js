// A page as the stream of its texts and the tags between them: as stream.py has it.
"use strict";
(function (trasmallo) {
  const { tags, flat } = trasmallo.content;
  const VOID = new Set(tags.void), UNSEEN = new Set([...tags.silent, ...tags.raw]);
  UNSEEN.delete("noscript");

  // {node, tags, trailing}: the text nodes in order, the tags before each since the one before it, the tags after the last.
  function streamOf(page, layout, ignored = new Set()) {
    const { tag, end } = page, seen = flat.seenOf(page), found = { node: [], tags: [], trailing: 0 }, closing = [];
    let count = 0, index = 0;
    while (index < tag.length) {
      while (closing.length && index >= closing[closing.length - 1]) {
        closing.pop();
        count++;
      }
      const name = tag[index];
      if (name === flat.TEXT) {
        if (seen[index]) {
          found.node.push(index);
          found.tags.push(count);
          count = 0;
        }
      } else if (UNSEEN.has(name) || layout.hidden.has(index)) {
        index = end[index];
        continue;
      } else if (!ignored.has(name)) {
        count++;
        if (!VOID.has(name)) closing.push(end[index]);
      }
      index++;
    }
    found.trailing = count + closing.length;
    return found;
  }

  trasmallo.content.stream = { streamOf };
})(globalThis.trasmallo);
