(function (rules, own) {
  // A wall that asks for consent is dismissed by declining, and by nothing else. Gives by which rule, "left" for a wall that offers
  // no way to decline, "" where there is none.
  const label = (node) => (node.innerText || node.textContent || node.value || "").replace(/\s+/g, " ").trim();
  const seen = (node) => node.getClientRects().length > 0 && getComputedStyle(node).visibility !== "hidden";
  const roots = [document];
  for (const node of document.querySelectorAll("*")) if (node.shadowRoot && roots.length < 200) roots.push(node.shadowRoot);
  const all = (selector) => {
    try { return roots.flatMap((root) => [...root.querySelectorAll(selector)]); } catch (error) { return []; }
  };
  const never = new RegExp(rules.never, "i");
  const press = (node) => {
    if (!node || !seen(node) || (never.test(label(node)) && !/without|sin|sans|ohne|senza/i.test(label(node)))) return false;
    node.click();
    return true;
  };
  for (const selector of own) if (all(selector).some(press)) return "a rule of the project";
  let wall = false;
  for (const rule of rules.rules) {
    if (!all(rule.wall).some((node) => seen(node) || node.shadowRoot)) continue;
    wall = true;
    for (const selector of rule.decline) if (all(selector).some(press)) return rule.name;
  }
  const about = new RegExp(rules.about, "i"), wanted = new RegExp(rules.labels, "i");
  for (const box of all(rules.walls)) {
    if (!seen(box) || !about.test(label(box).slice(0, 5000))) continue;
    const buttons = [...box.querySelectorAll("button, [role=button], a, input[type=button], input[type=submit]")];
    if (!buttons.length) continue;
    if (buttons.some((node) => wanted.test(label(node)) && press(node))) return "its own words";
    wall = wall || buttons.some((node) => never.test(label(node)));
  }
  return wall ? "left" : "";
})
