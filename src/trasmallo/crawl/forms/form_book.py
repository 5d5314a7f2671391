"""Book of the forms that a crawl has met, and of the questions to those that the user has switched on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from trasmallo.crawl.forms.probing import Coverage, FormProber
from trasmallo.crawl.forms.site_words import SiteWords, longest
from trasmallo.crawl.forms.web_forms import WebForm, find_forms, is_named
from trasmallo.crawl.page_text import text_outside
from trasmallo.values.model import Response
from trasmallo.values.urls import host_key

MOST_FORMS = 2_000
"""Forms that are kept. Judgement: a site has some; more are one form with another number in its address."""


class FormBook:
    """Forms by what makes them the same. `switched_on` are hosts, or addresses that forms lead to; `budget` requests a form."""

    def __init__(self, switched_on: Sequence[str] = (), budget: int = 0) -> None:
        self._on = tuple(switched_on)
        self._sites_on = frozenset((place.partition("//")[2].partition("/")[0] or place).lower() for place in switched_on)
        self._budget = budget
        self._forms: dict[str, WebForm] = {}
        self._probers: dict[str, FormProber] = {}
        self._sites: dict[str, SiteWords] = {}

    @property
    def forms(self) -> list[WebForm]:
        """Every form that was met."""
        return list(self._forms.values())

    @property
    def coverage(self) -> list[Coverage]:
        """What asking has brought, a form each."""
        return [prober.coverage for prober in self._probers.values()]

    def look(self, answer: Response) -> list[str]:
        """Take in a page: the addresses that ask a form next; nothing where none is switched on."""
        if prober := self._asker(answer.url):
            return prober.take(answer.url, answer.content)
        asked = self._hear(answer)
        for form in find_forms(answer.content, answer.url):
            known = self._forms.get(form.key)
            if known is not None:
                self._forms[form.key] = msgspec.structs.replace(known, pages=known.pages + 1)
            elif len(self._forms) < MOST_FORMS:
                self._forms[form.key] = form
                asked += self._begin(form, answer)
        return asked

    def fail(self, url: str) -> list[str]:
        """A question was not answered: the next one."""
        prober = self._asker(url)
        return prober.fail(url) if prober else []

    def own(self, urls: Iterable[str], answer: Response) -> list[str]:
        """The links of a page that are not for the questions of its form: which pages of results are worth it, it decides."""
        prober = next((each for each in self._probers.values() if _asks(each.form, answer.url)), None)
        return [url for url in urls if prober is None or not _asks(prober.form, url)]

    def _hear(self, answer: Response) -> list[str]:
        """Keep the words of a page for the searches of its site, one of which may wait for some."""
        if not is_named(answer.url, self._sites_on):
            return []
        site = host_key(answer.url)
        self._sites.setdefault(site, SiteWords()).hear(_text_of(answer))
        probers = (each for each in self._probers.values() if host_key(each.form.action) == site)
        return [url for prober in probers for url in prober.hear()]

    def _asker(self, url: str) -> FormProber | None:
        return next((prober for prober in self._probers.values() if prober.asks_for(url)), None)

    def _begin(self, form: WebForm, answer: Response) -> list[str]:
        if form.why_not or host_key(form.action) != host_key(answer.url) or not is_named(form.action, self._on):
            return []
        site = self._sites[host_key(answer.url)]
        prober = self._probers[form.key] = FormProber(form, self._budget, longest(_text_of(answer)), site)
        return prober.begin()


def _text_of(answer: Response) -> str:
    return text_outside(answer.content).decode("utf-8", "replace")


def _asks(form: WebForm, url: str) -> bool:
    path, _, query = url.partition("?")
    return path == form.action.partition("?")[0] and f"{form.query_field}=" in query
