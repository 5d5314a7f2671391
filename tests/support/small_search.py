"""A small searchable site in memory: pages that only its search finds."""

from __future__ import annotations

import random
from urllib.parse import parse_qs, urlsplit

HOST = "https://s.example"


class SmallSearch:
    """Some pages of some words; ten results a page."""

    def __init__(self, pages: int = 60, seed: int = 5) -> None:
        draw = random.Random(seed)
        words = ["".join(draw.choice("bcdlmnprst") + draw.choice("aeiou") for _ in range(3)) for _ in range(40)]
        self.texts = [" ".join(draw.sample(words, 8)) for _ in range(pages)]
        self.asked: list[str] = []

    def get(self, url: str) -> bytes:
        """The HTML of an address."""
        self.asked.append(url)
        parts = urlsplit(url)
        form = '<form action="/search"><input type="search" name="q"></form><form action="/delete"><input name="q"></form>'
        if parts.path != "/search":
            return f"<a href='/'>inicio</a>{form}<p>{self.texts[0]}</p>".encode()
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        found = [number for number, text in enumerate(self.texts) if asked.get("q", "") in text.split()]
        start = 10 * (int(asked.get("page", "1")) - 1)
        items = "".join(f"<li><a href='/p/{each}'>{each}</a> {self.texts[each]}</li>" for each in found[start : start + 10])
        pages = "".join(f"<a href='/search?q={asked.get('q')}&page={n + 1}'>{n + 1}</a>" for n in range(-(-len(found) // 10)))
        return f"<a href='/'>inicio</a>{form}<ol>{items}</ol>{pages}".encode()
