// Shows an XML or PDF document as a page, with the panel beside it. From an address, or from a file of the user's.
"use strict";
(function (trasmallo) {
  const { browser, say } = trasmallo;
  const MOST_OCTETS = 100000000;
  const byId = id => document.getElementById(id);
  const source = new URLSearchParams(location.search).get("src");

  function tell(key) {
    byId("notice").hidden = !key;
    byId("notice-text").textContent = key ? say(key) : "";
    byId("permit").hidden = key !== "viewer_permit";
  }

  // The scripts that other pages get from outside; they find the document in `trasmallo.root`.
  async function loadAgent() {
    trasmallo.root = byId("document");
    const there = "browser.js";
    for (const path of (await browser.scripts()).filter(path => path !== there)) {
      await new Promise((done, failed) => {
        const script = document.createElement("script");
        Object.assign(script, { src: browser.address(path), onload: done, onerror: failed });
        document.head.append(script);
      });
    }
    byId("panel").src = browser.address("panel/panel.html?viewer");
  }

  async function show(octets, name) {
    if (octets.length > MOST_OCTETS) return tell("too_large");
    const isPdf = String.fromCharCode(...octets.slice(0, 1024)).includes("%PDF-");
    const tree = isPdf ? await trasmallo.readPdf(octets) : trasmallo.readXml(new TextDecoder().decode(octets));
    if (!tree) return tell("viewer_unreadable");
    byId("document").replaceChildren(tree);
    byId("name").textContent = name;
    document.title = `${name} · Trasmallo`;
    tell("");
    if (!byId("panel").src) await loadAgent();
    return undefined;
  }

  async function open() {
    if (!(await browser.permitted([browser.originOf(source)]))) return tell("viewer_permit");
    try {
      const answer = await fetch(source, { credentials: "include" });
      return await show(new Uint8Array(await answer.arrayBuffer()), source.split("/").at(-1) || source);
    } catch {
      return tell("viewer_unreachable");
    }
  }

  byId("permit").addEventListener("click", () => browser.permit([browser.originOf(source)]).then(given => given && open()));
  byId("file").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (file) show(new Uint8Array(await file.arrayBuffer()), file.name);
  });
  if (source && /^https?:/.test(source)) open();
})((globalThis.trasmallo = globalThis.trasmallo || {}));
