// What can be taken away: the rule as a command, as CSS or for uBlock; the page, or a mark of it, into the user's project.
"use strict";
(function (trasmallo) {
  const { link, say, settings, browser } = trasmallo;
  const text = document.getElementById("rule"), send = document.getElementById("send");
  let now = { steps: [] }, chosen = settings.DEFAULTS;

  async function copyRule(format) {
    const answer = await link.ask({ ask: "rule", format });
    if (!answer) return undefined;
    text.hidden = !answer.rule;
    text.value = answer.rule ?? "";
    if (!answer.rule) return trasmallo.sayBelow(say(answer.filtered ? "rule_impossible" : "filter_first"));
    const copied = await navigator.clipboard.writeText(answer.rule).then(() => true, () => false);
    return trasmallo.sayBelow(say(copied ? "copied" : "copy_by_hand"));
  }

  async function sendPage() {
    const answer = await link.ask({ ask: "grab" });
    if (!answer) return undefined;
    if (!answer.html) return trasmallo.sayBelow(say("send_large"));
    const { url, title, language } = answer.about, filter = { steps: now.steps, view: now.view };
    const outcome = await trasmallo.sendPage(chosen, { url, title, language, html: answer.html, filter });
    return trasmallo.sayBelow(say(outcome, chosen.app));
  }

  // What the user says of the page in front: a crawl that keeps to a topic takes it up within seconds.
  async function sendMark(answer) {
    const page = await link.ask({ ask: "hello" });
    if (!page) return undefined;
    const outcome = await trasmallo.sendMark(chosen, { url: page.about.url, answer });
    return trasmallo.sayBelow(outcome === "send_done" ? say("marked") : say(outcome, chosen.app));
  }

  // The permission is asked for in the same click; an app that lets extensions in by itself does not need it.
  async function permitAnd(send) {
    const address = trasmallo.appAddress(chosen.app);
    if (!chosen.token || !address) return trasmallo.sayBelow(say("send_unset"));
    await browser.permit([browser.originOf(address.href)]).catch(() => false);
    return send();
  }

  for (const button of document.querySelectorAll("[data-rule]")) {
    button.addEventListener("click", () => copyRule(button.dataset.rule));
  }
  send.addEventListener("click", () => permitAnd(sendPage));
  for (const button of document.querySelectorAll("[data-mark]")) {
    button.addEventListener("click", () => permitAnd(() => sendMark(button.dataset.mark)));
  }
  settings.load().then(loaded => { chosen = loaded; });
  browser.onStored(() => settings.load().then(loaded => { chosen = loaded; }));
  link.onAnswer(answer => { now = answer.now; });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
