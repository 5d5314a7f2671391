// The criterion: its field with the place of an error, the live count, and the buttons that filter by it.
"use strict";
(function (trasmallo) {
  const { link, say } = trasmallo;
  const PAUSE_MS = 50, READERS_PAUSE_MS = 700;
  const ids = ["criterion", "criterion-marks", "criterion-error", "count", "filter-inside", "inverse"];
  const [field, marks, complaint, total, inside, inverse] = ids.map(id => document.getElementById(id));
  let timer = 0, saidTimer = 0;

  function reading() {
    return {
      where: document.querySelector("[name=where]:checked").value,
      case: document.getElementById("case").checked,
      accents: document.getElementById("accents").checked,
      part: document.getElementById("part").checked,
      forms: document.getElementById("forms").checked,
    };
  }

  // The step that the fields describe; null without a criterion.
  function step() {
    if (!field.value.trim()) return null;
    const tolerance = trasmallo.tolerance.written();
    return { kind: "criterion", source: field.value, ...reading(), tolerance, inverse: inverse.checked };
  }

  function sayError(error) {
    return say(`error_${error.code.replaceAll("-", "_")}`, ...error.args);
  }

  function showError(error) {
    field.setAttribute("aria-invalid", Boolean(error));
    complaint.hidden = !error;
    complaint.textContent = error ? sayError(error) : "";
    marks.replaceChildren();
    if (!error) return;
    // An error at the end has no characters of its own.
    const at = Math.min(error.at, field.value.length), wrong = field.value.slice(at, at + error.length) || " ";
    marks.append(field.value.slice(0, at), trasmallo.make("mark", {}, wrong));
    marks.scrollLeft = field.scrollLeft;
  }

  // Where no word was found itself, words of related meaning are counted.
  function sayCount(count, related) {
    return !count && related ? say("count_related", related) : say("count", count);
  }

  function showCount(count, related = 0) {
    total.textContent = count === null ? "" : sayCount(count, related);
    total.classList.toggle("none", count === 0 && !related);
    clearTimeout(saidTimer);
    // Readers of screens hear the count when typing pauses, not at every letter.
    total.setAttribute("aria-live", "off");
    saidTimer = setTimeout(() => {
      total.setAttribute("aria-live", "polite");
      total.textContent += "";
    }, READERS_PAUSE_MS);
  }

  async function count() {
    const wanted = step();
    if (!wanted) return showCount(null);
    const answer = await link.askLatest("count", { ask: "count", step: wanted });
    if (answer && !answer.error && field.value === wanted.source) showCount(answer.count, answer.related);
  }

  function typed() {
    clearTimeout(timer);
    const parsed = field.value.trim() ? trasmallo.parse(field.value) : {};
    showError(parsed.error ?? null);
    if (parsed.error) showCount(null);
    else timer = setTimeout(count, PAUSE_MS);
  }

  function sayEmpty({ unseen }, { inverse: inverted }) {
    if (inverted) return say("nothing_left");
    return unseen ? say("nothing_seen") : say("nothing_found");
  }

  function sayFiltered({ now, ms }, { forms, source, inverse: inverted }) {
    if (now.formsMissing && (forms || source.includes("~"))) return say("forms_missing", now.formsMissing);
    if (!now.count && now.related) return say("count_related", now.related);
    return say(inverted ? "filtered_inverse" : "filtered", now.count, Math.round(ms));
  }

  async function filter(within) {
    const wanted = step();
    if (!wanted) {
      field.focus();
      return showError({ at: 0, length: 0, code: "empty", args: [] });
    }
    const view = document.querySelector("[name=view]:checked").value;
    const answer = await link.ask({ ask: "filter", step: wanted, inside: within, view });
    if (!answer) return undefined;
    showError(answer.error ?? null);
    if (answer.empty) return trasmallo.sayBelow(sayEmpty(answer, wanted));
    if (!answer.error) trasmallo.sayBelow(sayFiltered(answer, wanted));
    return undefined;
  }

  // The last filter the other way round; what it hides or shows then is told.
  async function turn() {
    const answer = await link.ask({ ask: "adjust", change: { inverse: inverse.checked } }), last = answer?.now.steps.at(-1);
    if (answer?.empty && last) trasmallo.sayBelow(sayEmpty(answer, { inverse: inverse.checked }));
    else if (last?.kind === "criterion" && !answer.error) trasmallo.sayBelow(sayFiltered(answer, last));
  }

  document.getElementById("criterion-form").addEventListener("submit", event => {
    event.preventDefault();
    filter(false);
  });
  inside.addEventListener("click", () => filter(true));
  field.addEventListener("input", typed);
  field.addEventListener("scroll", () => { marks.scrollLeft = field.scrollLeft; });
  document.getElementById("reading").addEventListener("change", typed);
  inverse.addEventListener("change", turn);
  link.onAnswer(({ now }) => { inside.disabled = !now.steps.length; });

  trasmallo.criterion = { step, typed, field };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
