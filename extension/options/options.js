// The options: each is kept as soon as it is changed.
"use strict";
(function (trasmallo) {
  const { browser, continuous, make, say, settings } = trasmallo;
  const [form, sites, said] = ["options", "sites", "said"].map(id => document.getElementById(id));

  async function fillIn() {
    const chosen = await settings.load();
    for (const field of form.elements) {
      if (field.type === "checkbox") field.checked = chosen[field.name];
      else field.value = chosen[field.name];
    }
  }

  async function keep({ target }) {
    if (target.name === "app" && !trasmallo.appAddress(target.value)) {
      said.textContent = say("send_elsewhere");
      return;
    }
    await settings.save({ [target.name]: target.type === "checkbox" ? target.checked : target.value.trim() });
    said.textContent = say("options_kept");
  }

  function siteRow(pattern, rule) {
    const name = pattern === continuous.ALL ? say("always_all") : new URL(pattern.replace("*", "http")).hostname;
    const words = rule.steps.map(step => step.source ?? say("main_block")).join(" › ");
    const label = say("options_site_stop");
    const stop = make("button", { type: "button", "aria-label": `${label}: ${name}` }, label);
    stop.addEventListener("click", async () => {
      await continuous.drop(pattern);
      await browser.forbid([pattern]).catch(() => false);
      listSites();
    });
    return make("li", {}, make("strong", {}, name), make("code", {}, words), stop);
  }

  async function listSites() {
    const rules = Object.entries(await continuous.rules());
    sites.replaceChildren(...rules.map(([pattern, rule]) => siteRow(pattern, rule)));
    sites.hidden = !rules.length;
    document.getElementById("sites-none").hidden = rules.length > 0;
  }

  document.title = `Trasmallo: ${say("options_title")}`;
  form.addEventListener("change", keep);
  form.addEventListener("submit", event => event.preventDefault());
  fillIn();
  listSites();
})((globalThis.trasmallo = globalThis.trasmallo || {}));
