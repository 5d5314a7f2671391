// The panel as a whole: starts, follows the tab in front, and says what is wrong and what to do about it.
"use strict";
(function (trasmallo) {
  const { link, say, settings, browser, criterion } = trasmallo;
  const [notice, noticeText, noticeAct, said, tools] =
    ["notice", "notice-text", "notice-act", "said", "tools"].map(id => document.getElementById(id));
  const TREES = new Set(["application/pdf", "application/xml", "text/xml"]);

  trasmallo.sayBelow = text => { said.textContent = text; };

  function tell(text, act = null, run = null) {
    notice.hidden = !text;
    noticeText.textContent = text;
    noticeAct.hidden = !act;
    noticeAct.textContent = act ?? "";
    noticeAct.onclick = run;
  }

  function openViewer(url) {
    browser.openTab(`viewer/viewer.html?src=${encodeURIComponent(url)}`);
  }

  function permitSite(url) {
    browser.permit([browser.originOf(url)]).then(given => given && start());
  }

  // Why a page cannot be reached is known only from its address, and that only where we were let in.
  async function explainFailure() {
    tools.inert = true;
    document.body.dataset.state = "refused";
    const tab = await link.tab().catch(() => null), url = tab?.url ?? "";
    if (/^https?:.*\.(pdf|xml)([?#]|$)/i.test(url)) return tell(say("needs_viewer"), say("open_viewer"), () => openViewer(url));
    if (/^https?:/.test(url)) return tell(say("no_access"), say("give_access"), () => permitSite(url));
    // Where the button was pressed and still nothing is known, not even the address, the page is the browser's own.
    return tell(say(url || !link.isSide ? "browser_page" : "no_access_yet"));
  }

  function render({ now, about }) {
    tools.inert = false;
    document.body.dataset.state = "ready";
    const url = about.url;
    if (!link.inViewer && TREES.has(about.media)) return tell(say("needs_viewer"), say("open_viewer"), () => openViewer(url));
    if (now.givenUp) return tell(say("given_up"));
    if (now.closedFrames) return tell(say("closed_frames", now.closedFrames));
    if (now.cut) return tell(say("too_large"));
    return tell("");
  }

  async function fillIn() {
    const chosen = await settings.load();
    for (const name of ["where", "view"]) document.querySelector(`[name=${name}][value=${chosen[name]}]`).checked = true;
    for (const name of ["case", "accents", "part", "forms"]) document.getElementById(name).checked = chosen[name];
    document.getElementById("favour").value = chosen.favour;
    document.getElementById("headline").checked = chosen.headline;
    document.getElementById("method").value = chosen.method;
  }

  async function start() {
    const answer = await link.ask({ ask: "hello" });
    const last = answer?.now.steps.at(-1);
    if (last?.kind === "criterion" && !criterion.field.value) criterion.field.value = last.source;
    if (answer && criterion.field.value) criterion.typed();
  }

  document.body.classList.toggle("side", link.isSide);
  document.getElementById("open-side").hidden = link.isSide;
  let front = null;
  document.getElementById("open-side").addEventListener("click", () => browser.openSide(front).then(() => window.close()));
  link.onAnswer(render);
  link.onFailure(explainFailure);
  if (link.follows && link.isSide) browser.onTabChange(start);
  link.tab().then(tab => { front = tab; });
  fillIn().then(start);
})((globalThis.trasmallo = globalThis.trasmallo || {}));
