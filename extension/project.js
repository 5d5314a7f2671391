// Sends a page and its filter to the user's own project: the web app of trasmallo on this machine, and nowhere else.
//
//   POST {app}/api/pages
//   Authorization: Bearer {token}
//   {"project": name or "", "url", "title", "html", "language", "filter": {"steps": [...], "view"}}
//
// The app answers 2xx when it has the page; 401 when the token is not its own.
"use strict";
(function (trasmallo) {
  const PATH = "/api/pages", LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]), PATIENCE_MS = 5000;

  // The app's address, or null for one that is not on this machine.
  function appAddress(written) {
    try {
      const url = new URL(written);
      return url.protocol === "http:" && LOOPBACK.has(url.hostname) ? url : null;
    } catch {
      return null;
    }
  }

  // The name of the message that says how it went: sent, send_elsewhere, send_refused, send_wrong or send_silent.
  async function sendPage(settings, page) {
    const address = appAddress(settings.app);
    if (!address) return "send_elsewhere";
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${settings.token}` };
    const body = JSON.stringify({ project: settings.project, ...page }), signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const answer = await fetch(new URL(PATH, address), { method: "POST", headers, body, signal });
      if (answer.ok) return "send_done";
      return answer.status === 401 || answer.status === 403 ? "send_refused" : "send_wrong";
    } catch {
      return "send_silent";
    }
  }

  Object.assign(trasmallo, { appAddress, sendPage });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
