// Notices what the page changes by itself, and never what we change.
//
// A page that undoes the filter again and again is given up after a while: filtering it for ever would only burn its reader's
// battery. `quietly` runs our own changes.
"use strict";
(function (trasmallo) {
  const PAUSE_MS = 150, MOST_ROUNDS = 25;

  let observer = null, timer = 0, rounds = 0, heard = null;

  // `changed()` is called once at most every PAUSE_MS; `start` with the same roots forgets nothing.
  function start(roots, changed) {
    stop();
    heard = changed;
    observer = new MutationObserver(notice);
    for (const root of roots) {
      observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    }
  }

  function notice(records) {
    if (!records.some(concernsUs)) return;
    heard("dirty");
    if (!timer && rounds < MOST_ROUNDS) timer = setTimeout(nextRound, PAUSE_MS);
    else if (rounds >= MOST_ROUNDS) heard("given up");
  }

  // The page's scripts may do as they like with marks of ours that we took away.
  function concernsUs(record) {
    return record.type !== "attributes" || record.target.getAttribute(record.attributeName) !== record.oldValue;
  }

  function nextRound() {
    timer = 0;
    rounds++;
    heard("again");
  }

  // Rounds are counted anew when the user does something.
  function forgive() {
    rounds = 0;
  }

  function quietly(change) {
    const early = observer?.takeRecords() ?? [];
    try {
      return change();
    } finally {
      observer?.takeRecords();
      if (early.length) notice(early);
    }
  }

  function stop() {
    observer?.disconnect();
    observer = null;
    clearTimeout(timer);
    timer = 0;
  }

  trasmallo.watch = { start, stop, quietly, forgive };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
