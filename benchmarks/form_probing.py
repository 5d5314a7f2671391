"""Asking a search form: how many of 5,000 hidden pages are found, with how many requests, beside words by chance.

    python benchmarks/form_probing.py [--pages 5000]

The site stands in `searchable_site.py`; it shows ten results a page and a hundred a question. A request is a question, a page
of results or the page itself. Unsafe requests are those to its other forms; the site's log is looked at.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from searchable_site import SearchableSite, made_words

from trasmallo.crawl.forms.form_book import FormBook
from trasmallo.crawl.forms.query_choice import QueryChooser
from trasmallo.values.model import Response

HOST = "https://s.example"
WANTED = 0.9
UNSAFE = ("/login", "/comment", "/cart", "/logout", "/delete", "/newsletter")


class ChanceChooser(QueryChooser):
    """Asks for any word it has seen."""

    def next_word(self) -> str:
        """A word by chance, "" when there is none left."""
        left = [word for word in self._frequencies if word not in self._asked]
        word = random.Random(len(self._asked)).choice(left) if left else super().next_word()
        self._asked.add(word)
        return word


def asked(site: SearchableSite, url: str) -> Response:
    """The answer of the site, written down in its log."""
    site.requests.append(("GET", url))
    status, html = site.answer(url.removeprefix(HOST))
    body = html.encode()
    return Response(url=url, at=0, status=status, reason="", headers=(), body=body, content=body)


def probe(site: SearchableSite, chooser: Callable[[], QueryChooser] | None) -> tuple[int, int, float, int]:
    """Documents found, requests to the form when the wanted share was reached or all ended, estimate, unsafe requests."""
    book = FormBook(["s.example"], 10_000)
    waiting, wanted = book.look(asked(site, HOST + "/")), WANTED * len(site.texts)
    (prober,) = book._probers.values()
    if chooser is not None:
        prober._chooser = chooser()
        prober._chooser.learn([("", site.texts[0].split())])
    while waiting and len(prober.documents) < wanted:
        waiting += book.look(asked(site, waiting.pop(0)))
    told = prober.coverage
    unsafe = sum(method != "GET" or url.removeprefix(HOST).startswith(UNSAFE) for method, url in site.requests)
    return told.found, told.requests, told.estimate, unsafe


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=5_000)
    pages = parser.parse_args().pages
    assert made_words(10)
    print(f"{'words':<14}{'found':>8}{'share':>8}{'form requests':>15}{'requests a page':>17}{'estimate':>10}{'unsafe':>8}")
    for name, chooser in (("by promise", None), ("by chance", ChanceChooser)):
        found, requests, estimate, unsafe = probe(SearchableSite(pages), chooser)
        share, each = found / pages, (requests + found) / max(found, 1)
        print(f"{name:<14}{found:>8}{share:>8.1%}{requests:>15}{each:>17.2f}{estimate:>10.0f}{unsafe:>8}", flush=True)


if __name__ == "__main__":
    main()
