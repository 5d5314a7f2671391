// Sends a page and its filter, or a mark, to the user's own project: the app of trasmallo on this machine, and nowhere else.
//
//   POST {app}/api/pages
//   Authorization: Bearer {token}
//   {"project": name or "", "url", "title", "html", "language", "filter": {"steps": [...], "view"}}
//
//   POST {app}/api/marks
//   {"project": name or "", "url", "answer": "yes", "no" or "none"}
//
// The app answers 2xx when it has what was sent; 401 when the token is not its own.
"use strict";
(function (trasmallo) {
  const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]), PATIENCE_MS = 5000;

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
  async function post(settings, path, sent) {
    const address = appAddress(settings.app);
    if (!address) return "send_elsewhere";
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${settings.token}` };
    const body = JSON.stringify({ project: settings.project, ...sent }), signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const answer = await fetch(new URL(path, address), { method: "POST", headers, body, signal });
      if (answer.ok) return "send_done";
      return answer.status === 401 || answer.status === 403 ? "send_refused" : "send_wrong";
    } catch {
      return "send_silent";
    }
  }

  const sendPage = (settings, page) => post(settings, "/api/pages", page);
  const sendMark = (settings, mark) => post(settings, "/api/marks", mark);

  Object.assign(trasmallo, { appAddress, sendPage, sendMark });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
