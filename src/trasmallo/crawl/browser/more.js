(function () {
  // One step further: to the end of the page, and a button that promises more of the same. Gives how much there is now.
  const label = /^\s*(?:load|show|see|view)\s+more\b|^\s*(?:cargar|mostrar|ver)\s+m[aá]s\b|^\s*(?:afficher|charger|voir)\s+plus\b|^\s*mehr\s+(?:laden|anzeigen)/i;
  for (const button of document.querySelectorAll("button, [role=button]")) {
    if (button.disabled || button.closest("form") || !label.test(button.textContent || "")) continue;
    button.click();
    break;
  }
  window.scrollTo(0, document.documentElement.scrollHeight);
  window.dispatchEvent(new Event("scroll"));
  const height = document.documentElement.scrollHeight;
  return [height, document.getElementsByTagName("*").length, height > innerHeight ? "scrolls" : "fits"].join(" ");
})
