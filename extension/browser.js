// Every call to the browser's extension interface; the rest of the extension knows none.
"use strict";
(function (trasmallo) {
  const api = globalThis.browser ?? globalThis.chrome;

  // What a page needs. The core comes first, each folder of it in the order of its `order.json`: it is pure and knows neither
  // page nor browser.
  const CORE = ["core/", "core/blocks/"];
  const PAGE = [
    "browser.js", "page/flatten.js", "page/views.js", "page/bare.js", "page/marks.js", "page/watch.js",
    "page/blocks.js", "page/rules.js", "page/meaning.js", "page/forms.js", "page/session.js",
    "page/agent.js",
  ];
  const STYLE = "page/page.css", MARKS = "page/marks.css";

  // In Firefox a page may say for a moment after loading that nobody listens.
  const RETRY_MS = 100, RETRIES = 5;

  // All scripts of a page in the order in which they are loaded, from the extension's root.
  async function scripts() {
    const lists = CORE.map(async folder => {
      const names = await (await fetch(api.runtime.getURL(`${folder}order.json`))).json();
      return names.map(name => folder + name);
    });
    return [...(await Promise.all(lists)).flat(), ...PAGE];
  }

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
    await api.scripting.executeScript({ target: { tabId }, files: (await scripts()).map(fromRoot) });
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
    scripts, translate, tabInFront, inject, restyle, addRules, dropRules, send, ask, listen, originOf, openSide, shadowOf,
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
