"""A page and the extension's panel beside it, as a user has them who pressed the toolbar button on that page."""

from __future__ import annotations

from typing import Any

REMEMBER = """() => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL), nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  window.remembered = { nodes, markup: document.documentElement.outerHTML };
}"""
IS_AS_REMEMBERED = """() => {
  const { nodes, markup } = window.remembered;
  if (document.documentElement.outerHTML !== markup) return document.documentElement.outerHTML;
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  return nodes.every(node => walker.nextNode() === node) && !walker.nextNode();
}"""
SET_FIELD = """(id, value, kind) => {
  const field = document.getElementById(id);
  if (field.type === "checkbox") field.checked = value; else field.value = value;
  field.dispatchEvent(new Event(kind, {bubbles: true}));
}"""
ANSWERED = """async (message, tab) => (await window.trasmallo.browser.ask(tab, message))"""


class Desk:
    """Drives the panel by what a user does to it."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser = browser
        self.page = browser.open(url)
        popup = browser.popup(self.page)
        self.number = browser.tab_id(popup)
        popup.close()
        self.panel = browser.extension_page(f"panel/panel.html?tab={self.number}")
        self.panel.wait("() => document.body?.dataset.state")
        self.page.evaluate(REMEMBER)

    def close(self) -> None:
        """Both tabs."""
        self.panel.close()
        self.page.close()

    def forget_options(self) -> None:
        """What the panel remembers from page to page is as at first."""
        self.panel.evaluate("() => window.trasmallo.browser.store('settings', {})")

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def tell(self, **message: object) -> dict[str, Any]:
        """What the page answers to a message of the panel, without the panel's hands."""
        return self.panel.evaluate(ANSWERED, message, self.number)

    def type(self, criterion: str) -> None:
        """Type a criterion, letter by letter."""
        self.panel.evaluate("() => { const field = document.getElementById('criterion'); field.focus(); field.select(); }")
        self.panel.type(criterion)

    def filter(self, criterion: str, button: str = "filter") -> str:
        """Type a criterion and press a button; what the panel says then."""
        self.type(criterion)
        return self.press(button, said=True)

    def press(self, button: str, said: bool = False) -> str:
        """Press a button of the panel; with `said`, wait for what it says."""
        self.panel.evaluate(
            "id => { document.getElementById('said').textContent = ''; document.getElementById(id).click(); }", button
        )
        if said:
            self.panel.wait(
                "() => document.getElementById('said').textContent || !document.getElementById('criterion-error').hidden"
            )
        return self.text("said")

    def set(self, field: str, value: object, kind: str = "change") -> None:
        """Set a field as the user does."""
        self.panel.evaluate(SET_FIELD, field, value, kind)

    def choose(self, name: str, value: str) -> None:
        """Choose one of several."""
        self.panel.evaluate("(name, value) => document.querySelector(`[name=${name}][value=${value}]`).click()", name, value)

    def text(self, element: str) -> str:
        """The text of an element of the panel."""
        return self.panel.evaluate("id => document.getElementById(id).textContent", element)

    def wait_text(self, element: str, text: str) -> None:
        """Wait until an element of the panel says something."""
        self.panel.wait("(id, text) => document.getElementById(id).textContent === text", element, text)

    def seen(self) -> str:
        """What a reader sees of the page, blanks made one."""
        return self.page.evaluate("() => document.body.innerText.replace(/\\s+/g, ' ').trim()")

    def wait_seen(self, text: str) -> None:
        """Wait until exactly this is seen."""
        self.page.wait("text => document.body.innerText.replace(/\\s+/g, ' ').trim() === text", text)

    def untouched(self) -> Any:
        """Whether the page is, node by node, what it was; its markup where it is not."""
        return self.page.evaluate(IS_AS_REMEMBERED)
