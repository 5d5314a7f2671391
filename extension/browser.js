// Every call to the browser's extension interface; the rest of the extension knows none.
"use strict";
(function (trasmallo) {
  const api = globalThis.browser ?? globalThis.chrome;

  // What a page needs, in this order. The core comes first: it is pure and knows neither page nor browser.
  const CORE = [
    "core/tables.js", "core/characters.js", "core/criterion.js", "core/page.js", "core/relevance.js", "core/tolerance.js",
    "core/views.js", "core/nearness.js", "core/meaning.js", "core/extent.js", "core/slicing.js", "core/rules.js",
    "core/blocks/tables.js", "core/blocks/characters.js", "core/blocks/flat.js", "core/blocks/layout.js",
    "core/blocks/dom.js", "core/blocks/stream.js", "core/blocks/cnr.js", "core/blocks/cetr.js", "core/blocks/bte.js",
    "core/blocks/menus.js", "core/blocks/cover.js", "core/blocks/plain.js", "core/blocks/numbers.js",
    "core/blocks/outline.js", "core/blocks/heads.js", "core/blocks/texts.js", "core/blocks/features.js",
    "core/blocks/trees.js", "core/blocks/best.js", "core/blocks/explain.js", "core/blocks/blocks.js",
  ];
  const PAGE = [
    "browser.js", "page/flatten.js", "page/views.js", "page/bare.js", "page/marks.js", "page/watch.js",
    "page/blocks.js", "page/rules.js", "page/meaning.js", "page/session.js", "page/agent.js",
  ];
  const STYLE = "page/page.css", MARKS = "page/marks.css";

  // In Firefox a page may say for a moment after loading that nobody listens.
  const RETRY_MS = 100, RETRIES = 5;

  function translate(key, ...args) {
    return api.i18n.getMessage(key, args.map(String)) || key;
  }

  async function tabInFront() {
    const [tab] = await api.tabs.query({ active: true, currentWindow: true });
    return tab ?? null;
  }

  // Puts our scripts and style into a tab. The style is the user's, not the page's: no rule of a page outweighs it, and it
  // holds in shadow trees and in frames.
  async function inject(tabId) {
    await restyle(tabId);
    await api.scripting.executeScript({ target: { tabId }, files: [...CORE, ...PAGE].map(fromRoot) });
  }

  async function restyle(tabId) {
    const target = { tabId, allFrames: true };
    await api.scripting.insertCSS({ target, files: [fromRoot(STYLE)], origin: "USER" });
    await api.scripting.insertCSS({ target, files: [fromRoot(MARKS)], origin: "AUTHOR" });
  }

  // More rules of the user's, or their end.
  function addRules(tabId, css) {
    return api.scripting.insertCSS({ target: { tabId }, css, origin: "USER" });
  }

  function dropRules(tabId, css) {
    return api.scripting.removeCSS({ target: { tabId }, css, origin: "USER" });
  }

  // Firefox looks for files beside the page that asks for them.
  function fromRoot(path) {
    return `/${path}`;
  }

  function send(tabId, message) {
    return api.tabs.sendMessage(tabId, message, { frameId: 0 });
  }

  // The page's answer; our scripts are put there first if they are not.
  async function ask(tabId, message) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send(tabId, message);
      } catch (error) {
        if (attempt === RETRIES) throw error;
        if (attempt === 0) await inject(tabId);
        else await new Promise(done => setTimeout(done, RETRY_MS));
      }
    }
  }

  // `answer(message, tabId)` may be asynchronous; undefined leaves the message to others.
  function listen(answer) {
    api.runtime.onMessage.addListener((message, sender, reply) => {
      const answered = answer(message, sender.tab?.id ?? null);
      if (answered === undefined) return false;
      Promise.resolve(answered).then(reply, error => reply({ failure: String(error?.message ?? error) }));
      return true;
    });
  }

  function originOf(url) {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host.replace(/:\d+$/, "")}/*`;
  }

  async function openSide(tab) {
    if (api.sidePanel?.open) await api.sidePanel.open({ windowId: tab.windowId });
    else await api.sidebarAction.open();
  }

  // A closed shadow tree is closed to the page's scripts, not to extensions.
  function shadowOf(element) {
    return element.shadowRoot ?? element.openOrClosedShadowRoot ?? api.dom?.openOrClosedShadowRoot?.(element) ?? null;
  }

  trasmallo.browser = {
    CORE, PAGE, translate, tabInFront, inject, restyle, addRules, dropRules, send, ask, listen, originOf, openSide, shadowOf,
    tell: message => api.runtime.sendMessage(message),
    tab: tabId => api.tabs.get(tabId),
    address: path => api.runtime.getURL(path),
    openTab: path => api.tabs.create({ url: api.runtime.getURL(path) }),
    openOptions: () => api.runtime.openOptionsPage(),
    stored: async (key, otherwise) => (await api.storage.local.get(key))[key] ?? otherwise,
    store: (key, value) => api.storage.local.set({ [key]: value }),
    onStored: heard => api.storage.onChanged.addListener((changes, area) => area === "local" && heard(changes)),
    onCommand: heard => api.commands?.onCommand.addListener(heard),
    onTabChange(heard) {
      api.tabs.onActivated.addListener(() => heard());
      api.tabs.onUpdated.addListener((_, change) => change.status === "complete" && heard());
    },
    onStart(heard) {
      api.runtime.onInstalled.addListener(heard);
      api.runtime.onStartup.addListener(heard);
    },
    commands: async () => (await api.commands?.getAll?.()) ?? [],
    permitted: origins => api.permissions.contains({ origins }),
    permit: origins => api.permissions.request({ origins }),
    forbid: origins => api.permissions.remove({ origins }),
    onPermission(heard) {
      api.permissions.onAdded.addListener(heard);
      api.permissions.onRemoved.addListener(heard);
    },
    registered: () => api.scripting.getRegisteredContentScripts(),
    register: script => api.scripting.registerContentScripts([{ ...script, js: script.js.map(fromRoot) }]),
    unregister: id => api.scripting.unregisterContentScripts({ ids: [id] }),
    // The language a text is probably written in, such as "es"; "" when the browser cannot tell.
    async languageOf(text) {
      const { languages } = await api.i18n.detectLanguage(text);
      return languages[0]?.language ?? "";
    },
  };
})((globalThis.trasmallo = globalThis.trasmallo || {}));
