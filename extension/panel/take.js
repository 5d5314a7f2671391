// What can be taken away: the rule as a command, as CSS or for uBlock; the page into the user's project.
"use strict";
(function (trasmallo) {
  const { link, say, settings, browser } = trasmallo;
  const text = document.getElementById("rule"), send = document.getElementById("send");
  let now = { steps: [] };

  async function copyRule(format) {
    const answer = await link.ask({ ask: "rule", format });
    if (!answer) return;
    text.hidden = !answer.rule;
    text.value = answer.rule ?? "";
    if (!answer.rule) return trasmallo.sayBelow(say("filter_first"));
    const copied = await navigator.clipboard.writeText(answer.rule).then(() => true, () => false);
    trasmallo.sayBelow(say(copied ? "copied" : "copy_by_hand"));
  }

  async function sendPage() {
    const chosen = await settings.load();
    if (!chosen.token) return trasmallo.sayBelow(say("send_unset"));
    const answer = await link.ask({ ask: "grab" });
    if (!answer) return undefined;
    if (!answer.html) return trasmallo.sayBelow(say("send_large"));
    const { url, title, language } = answer.about;
    const filter = { steps: now.steps, view: now.view };
    const outcome = await trasmallo.sendPage(chosen, { url, title, language, html: answer.html, filter });
    return trasmallo.sayBelow(say(outcome, chosen.app));
  }

  for (const button of document.querySelectorAll("[data-rule]")) {
    button.addEventListener("click", () => copyRule(button.dataset.rule));
  }
  send.addEventListener("click", () => {
    const address = trasmallo.appAddress(text.dataset.app ?? settings.DEFAULTS.app);
    // Asked in the same click; where the app lets extensions in by itself it is not needed.
    const permitted = address ? browser.permit([browser.originOf(address.href)]).catch(() => false) : Promise.resolve(false);
    permitted.then(sendPage);
  });
  settings.load().then(chosen => { text.dataset.app = chosen.app; });
  link.onAnswer(answer => { now = answer.now; });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
