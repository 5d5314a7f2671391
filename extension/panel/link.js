// The panel's line to the page it works on: the tab in front, the tab named in its address, or the viewer around it.
"use strict";
(function (trasmallo) {
  const { browser } = trasmallo;
  const parameters = new URLSearchParams(location.search);
  const viewer = parameters.has("viewer") ? window.parent.trasmallo : null;
  const heard = [], failed = [], busy = new Map();

  function tab() {
    return parameters.has("tab") ? browser.tab(Number(parameters.get("tab"))) : browser.tabInFront();
  }

  async function reach(message) {
    if (viewer) return viewer.agent.answer(message);
    const { id } = await tab();
    const answer = await browser.ask(id, message);
    if (!answer || answer.failure) throw new Error(answer?.failure ?? "no answer");
    return answer;
  }

  // The page's answer, null when the page could not be reached; whoever listens hears of either.
  async function ask(message) {
    try {
      const answer = await reach(message);
      for (const listener of heard) listener(answer);
      return answer;
    } catch (error) {
      for (const listener of failed) listener(error);
      return null;
    }
  }

  // Like `ask`, one at a time for a key: while one is on its way only the newest waits, and the answers of others are null.
  async function askLatest(key, message) {
    if (busy.has(key)) {
      busy.get(key)?.(false);
      if (!(await new Promise(go => busy.set(key, go)))) return null;
    }
    busy.set(key, null);
    const answer = await ask(message), go = busy.get(key);
    busy.delete(key);
    go?.(true);
    return answer;
  }

  trasmallo.link = {
    ask, askLatest, tab,
    onAnswer: listener => heard.push(listener),
    onFailure: listener => failed.push(listener),
    isSide: parameters.has("side") || Boolean(viewer) || parameters.has("tab"),
    follows: !viewer && !parameters.has("tab"),
    inViewer: Boolean(viewer),
  };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
