"""Rules of a project for single sites: `"example.org always"`, `"*.shop.example never"`, `"old.example hash"`.

A rule names a host, or with `*.` a domain and all hosts in it, then what holds there: auto, never or always for rendering,
hash for addresses whose fragment is a page (`#!/about`), or decline with the CSS selector of the button by which its wall for
consent is declined (`"example.org decline #no"`).
"""

from __future__ import annotations

from collections.abc import Iterable

from trasmallo.values.urls import host

WISHES = ("auto", "never", "always", "hash", "decline")
_RENDERING = ("auto", "never", "always")


class SiteRules:
    """What holds at a site; the last rule that names it wins over the `usual`."""

    def __init__(self, usual: str, rules: Iterable[str]) -> None:
        self._usual = usual
        self._rules = [found for rule in rules if (found := read_rule(rule))]

    def wish(self, url: str) -> str:
        """Whether pages at an address are rendered: auto, never or always."""
        named = [wish for place, wish in self._rules if wish in _RENDERING and _is_at(host(url), place)]
        return named[-1] if named else self._usual

    def keeps_fragments(self, url: str) -> bool:
        """Whether the fragment of an address there is a page of its own."""
        return any(wish == "hash" and _is_at(host(url), place) for place, wish in self._rules)

    def decline(self, url: str) -> tuple[str, ...]:
        """Selectors of what is pressed to decline at a site."""
        rules = [wish.partition(" ")[2] for place, wish in self._rules if " " in wish and _is_at(host(url), place)]
        return tuple(rules)


def read_rule(text: str) -> tuple[str, str] | None:
    """Place and wish of a rule, that to decline with its selector; None when it is none."""
    words = text.split(maxsplit=2)
    if len(words) < 2 or words[1] not in WISHES or not words[0].strip("*.") or "/" in words[0]:
        return None
    if (len(words) == 3) is not (words[1] == "decline"):
        return None
    return words[0].lower(), " ".join(words[1:])


def _is_at(name: str, place: str) -> bool:
    if place.startswith("*."):
        return name == place[2:] or name.endswith(place[1:])
    return name == place
