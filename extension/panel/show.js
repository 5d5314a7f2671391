// How much is shown and how: views, tolerance, highlights. Everything here acts at once.
"use strict";
(function (trasmallo) {
  const { link, say, settings } = trasmallo;
  const [slider, kind, value, highlight, place] =
    ["tolerance", "tolerance-kind", "tolerance-value", "highlight", "mark-place"].map(id => document.getElementById(id));
  const related = document.getElementById("related-words");
  // A slider of a thousand steps could not be set by hand.
  const MOST = 60;

  function written() {
    return kind.value === "levels" ? Number(slider.value) : `${kind.value}:${slider.value}`;
  }

  function readWritten(tolerance) {
    const [first, second] = String(tolerance).split(":");
    return second === undefined ? { kind: "levels", size: Number(first) } : { kind: first, size: Number(second) };
  }

  // By meaning, whose related words are used, and where to choose them.
  async function showRelated() {
    related.hidden = kind.value !== "meaning";
    if (related.hidden) return;
    const kept = await trasmallo.browser.stored("related", null);
    related.textContent = kept ? say("related_own", kept.name) : say("related_choose");
  }

  async function adjust() {
    showRelated();
    value.textContent = slider.value;
    const answer = await link.askLatest("tolerance", { ask: "adjust", change: { tolerance: written() } });
    if (answer?.now.missing) trasmallo.sayBelow(say("meaning_missing", answer.now.missing));
  }

  function render({ now }) {
    const last = now.steps.at(-1);
    slider.disabled = !last;
    if (last) {
      const present = readWritten(last.tolerance);
      kind.value = present.kind;
      slider.max = Math.max(Math.min(now.most, MOST), present.size);
      slider.value = present.size;
      document.getElementById("inverse").checked = last.inverse;
      document.querySelector(`[name=view][value=${now.view}]`).checked = true;
    } else {
      slider.value = 0;
    }
    value.textContent = last ? say("tolerance_of", slider.value, slider.max) : "0";
    showRelated();
    highlight.checked = now.highlight;
    place.textContent = now.highlight ? say("place", now.marks.current, now.marks.total) : "";
  }

  async function toggleHighlight() {
    const step = highlight.checked ? trasmallo.criterion.step() ?? trasmallo.steps.last() : null;
    if (highlight.checked && !step) {
      highlight.checked = false;
      return trasmallo.sayBelow(say("criterion_first"));
    }
    const answer = await link.ask({ ask: "highlight", step });
    if (answer?.error) highlight.checked = false;
    return undefined;
  }

  async function go(by) {
    if (!highlight.checked) {
      highlight.checked = true;
      await toggleHighlight();
    }
    const answer = await link.ask({ ask: "goTo", by });
    if (answer) place.textContent = say("place", answer.marks.current, answer.marks.total);
  }

  slider.addEventListener("input", adjust);
  kind.addEventListener("change", () => {
    slider.value = 0;
    adjust();
  });
  document.getElementById("view").addEventListener("change", event => {
    settings.save({ view: event.target.value });
    link.ask({ ask: "view", view: event.target.value });
  });
  highlight.addEventListener("change", toggleHighlight);
  document.getElementById("next").addEventListener("click", () => go(1));
  document.getElementById("previous").addEventListener("click", () => go(-1));
  link.onAnswer(render);

  trasmallo.tolerance = { written };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
