// Answers what the panel asks of this page. Every answer is plain data with the session's state under `now`.
"use strict";
(function (trasmallo) {
  if (trasmallo.agent) return;
  const { session, marks, pageBlocks } = trasmallo;
  const MOST_MARKUP = 20000000;

  const steps = () => session.state().steps;

  // Reads the page if it changed since it was read last.
  function hello() {
    const began = performance.now();
    session.read();
    return { ms: performance.now() - began };
  }

  // How many nodes a step would be about, before anything is done. `inside` keeps the steps there are.
  function count({ step, inside }) {
    const began = performance.now();
    const found = session.cut([...(inside ? steps() : []), step]);
    if (found.error) return { error: found.error };
    const { count: matches, maxTolerance, related } = found.slice;
    return { count: matches, related: related.size, most: maxTolerance, ms: performance.now() - began };
  }

  function filter({ step, inside, view }) {
    const began = performance.now();
    const outcome = session.change({ steps: [...(inside ? steps() : []), step], ...(view ? { view } : {}) });
    // Reading a length makes the browser lay the page out, so the time is that until something can be seen.
    document.body?.offsetHeight;
    const ms = performance.now() - began;
    if (!outcome.error && !outcome.empty) session.goToFirst();
    return { ...outcome, ms };
  }

  // The last step with something about it changed: tolerance, inverse, favour.
  function adjust({ change }) {
    if (!steps().length) return {};
    const began = performance.now(), last = { ...steps().at(-1), ...change };
    const outcome = session.change({ steps: [...steps().slice(0, -1), last] }, Object.keys(change).join());
    return { ...outcome, ms: performance.now() - began };
  }

  function nextBlock({ by }) {
    const last = steps().at(-1);
    if (last?.kind !== "block") return {};
    const rank = Math.max(0, last.rank + by);
    const outcome = session.change({ steps: [...steps().slice(0, -1), { ...last, rank }] }, "rank");
    if (!outcome.error && !outcome.empty) session.goToFirst();
    return outcome;
  }

  function goTo({ by }) {
    if (!session.state().highlight && steps().length) session.change({ highlight: steps().at(-1) }, "highlight");
    return { marks: session.quietly(() => marks.go(by)) };
  }

  function grab() {
    const markup = document.documentElement.outerHTML;
    return { html: markup.length > MOST_MARKUP ? null : markup };
  }

  function rule({ format }) {
    const slice = session.slice();
    const written = slice && trasmallo.pageRules.write(format, session.page(), slice.states, session.state());
    return { rule: written, filtered: Boolean(slice) };
  }

  const ANSWERS = {
    hello,
    count, filter, adjust, nextBlock, goTo, grab, rule,
    view: ({ view }) => session.change({ view }, "view"),
    highlight: ({ step }) => session.change({ highlight: step }, "highlight"),
    keepSteps: ({ length }) => session.change({ steps: steps().slice(0, length) }),
    undo: () => session.goBack(),
    redo: () => session.goOn(),
    restore: () => session.change({ steps: [], highlight: null }),
    why: ({ favour }) => ({ why: trasmallo.explain(session.page(), { favour }) }),
  };

  function about() {
    return {
      url: location.href, title: document.title, media: document.contentType,
      language: document.documentElement.lang || "",
    };
  }

  const wantsMeaning = ({ tolerance }) => String(tolerance ?? "").startsWith("meaning");
  const wantsModel = ({ method, menus }) => method === "best" && !menus;

  // Fetches what steps need beside the page itself.
  async function prepareFor(wanted) {
    if (wanted.some(wantsMeaning)) await trasmallo.meaning.load();
    if (wanted.some(trasmallo.forms.wants)) await trasmallo.forms.load();
    if (wanted.some(wantsModel)) await pageBlocks.load();
  }

  async function answerSoon(message) {
    await prepareFor([message.step ?? message.change ?? {}]);
    const found = ANSWERS[message.ask](message);
    return { ...found, now: session.tell(), about: about() };
  }

  function answer(message) {
    return Object.hasOwn(ANSWERS, message?.ask) ? answerSoon(message) : undefined;
  }

  trasmallo.agent = { answer, prepareFor };
  trasmallo.browser.listen(answer);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
