// Notices what the page changes by itself, and never what we change.
//
// A page that takes our marks away again and again is given up after a while: fighting it for ever would only burn its reader's
// battery. One that merely lives, such as a clock, is followed as long as it likes.
"use strict";
(function (trasmallo) {
  const PAUSE_MS = 150, MOST_FIGHTS = 6;
  // The page gets most of the time: a round that took long is followed by a longer pause.
  const SHARE = 10;

  const EVERYTHING = { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true };

  let observer = null, timer = 0, fights = 0, fought = false, pause = PAUSE_MS, heard = null;

  // `changed` hears "dirty" at once, "again" after a pause, and "given up". Starting anew forgets no round that is due.
  function start(roots, changed) {
    observer?.disconnect();
    heard = changed;
    observer = new MutationObserver(notice);
    for (const root of roots) observer.observe(root, EVERYTHING);
  }

  function notice(records) {
    const changes = records.filter(isChange);
    if (!changes.length) return;
    heard("dirty");
    const against = changes.some(({ attributeName }) => attributeName === trasmallo.MARK);
    if (against && fights >= MOST_FIGHTS) return void heard("given up");
    fought ||= against;
    timer ||= setTimeout(nextRound, pause);
  }

  // An attribute that was set to what it was is no change.
  function isChange(record) {
    return record.type !== "attributes" || record.target.getAttribute(record.attributeName) !== record.oldValue;
  }

  function nextRound() {
    const began = performance.now();
    timer = 0;
    if (fought) fights++;
    fought = false;
    heard("again");
    pause = Math.max(PAUSE_MS, SHARE * (performance.now() - began));
  }

  // Fights are counted anew when the user does something.
  function forgive() {
    fights = 0;
  }

  // Runs changes of our own; what the page did before them is not forgotten.
  function quietly(change) {
    const early = observer?.takeRecords() ?? [];
    try {
      return change();
    } finally {
      observer?.takeRecords();
      if (early.length) notice(early);
    }
  }

  trasmallo.watch = { start, quietly, forgive };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
