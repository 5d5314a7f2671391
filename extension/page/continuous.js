// Filters a page as soon as it is there, when the user asked for that on this site.
"use strict";
(async function (trasmallo) {
  const rule = await trasmallo.continuous.ruleFor(location.href);
  if (!rule) return;
  // The user's style sheet can only be put here from outside.
  await trasmallo.browser.tell({ tell: "style" });
  await trasmallo.agent.prepareFor(rule.steps);
  trasmallo.session.change({ steps: rule.steps, view: rule.view });
})((globalThis.trasmallo = globalThis.trasmallo || {}));
