"""Answers of those who stand before a site: challenges for browsers and people, and plain refusals.

What each service's answers show is in `services.toml`. A captcha of no known service counts where it is all that a small page
has, and the page says what it is for. Nothing here is passed or evaded: who sees a challenge leaves the host alone.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from trasmallo.crawl.judgement.judgement import Judgement
from trasmallo.crawl.judgement.page_facts import says_little, text_of
from trasmallo.values.decodable import decodable
from trasmallo.values.model import Outcome, Response

SMALL_PAGE = 16_384
"""Octets of a page with status 2xx in which markup is looked for. Judgement: such challenges have 0.2 to 10 kB."""

_ERROR_PAGE = 65_536  # judgement: octets of an error that are looked at; challenges hold scripts of up to 30 kB
_CAPTCHA_WORDS = 60  # judgement: words of a page that has nothing but a captcha
_WIDGETS = re.compile(rb"g-recaptcha|h-captcha|cf-turnstile|frc-captcha|recaptcha/api\.js|hcaptcha\.com/1/api\.js|mtcaptcha")
_ASKS_WHO = re.compile(
    r"(?:are you|you are|you're|that you're) (?:not )?(?:a |an )?(?:human|robot|bot)\b|not a (?:ro)?bot\b|unusual traffic|"
    r"security (?:check|verification)|human verification|checking your browser|prove (?:that )?you|"
    r"no (?:eres|soy|es) un (?:ro)?bot|(?:eres|es usted|que eres) (?:un )?humano|trafico inusual|actividad inusual|"
    r"(?:comprobacion|verificacion|control) de seguridad|verificacion humana|comprobando (?:su|tu) navegador"
)


class Service(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A service and what one kind of its answers shows, as `services.toml` explains it."""

    name: str
    outcome: Outcome
    headers: tuple[str, ...] = ()
    markup: tuple[str, ...] = ()
    words: int = 0

    def judgement(self, status: int) -> Judgement:
        """What such an answer is."""
        what = "a challenge" if self.outcome is Outcome.CHALLENGE else "refused in front of the site"
        return Judgement(self.outcome, f"{what} (status {status}): {self.name}")


class _Services(msgspec.Struct, frozen=True):
    """All services, ready to be looked for: by the names of headers, and by their markup."""

    by_header: dict[str, list[tuple[str, Service]]]
    by_markup: tuple[tuple[bytes, Service], ...]


@cache
def services() -> tuple[Service, ...]:
    """The services that are known."""
    table = tomllib.loads((files(__package__) / "services.toml").read_text(encoding="utf-8"))
    return tuple(msgspec.convert(table["service"], decodable(list[Service])))


@cache
def _ready() -> _Services:
    by_header: dict[str, list[tuple[str, Service]]] = {}
    for service in services():
        for header in service.headers:
            name, _, value = header.partition(": ")
            by_header.setdefault(name, []).append((value, service))
    by_markup = tuple((text.encode(), service) for service in services() for text in service.markup)
    return _Services(by_header, by_markup)


def shown_by_headers(answer: Response) -> Judgement | None:
    """What an answer is by a header of a service."""
    by_header = _ready().by_header
    for name, value in answer.headers:
        for begin, service in by_header.get(name.lower(), ()):
            if value.strip().lower().startswith(begin):
                return service.judgement(answer.status)
    return None


def shown_by_error(answer: Response) -> Judgement | None:
    """What the page of an error is, when it is not the site's own."""
    content = answer.content[:_ERROR_PAGE]
    found = next((service for text, service in _ready().by_markup if text in content), None)
    return found.judgement(answer.status) if found else _captcha(content, answer.status)


def shown_by_page(answer: Response) -> Judgement | None:
    """What a page with status 2xx is, when a service or a captcha stands in its place; None for a large one."""
    content = answer.content
    if len(content) > SMALL_PAGE:
        return None
    for text, service in _ready().by_markup:
        if text in content and (not service.words or says_little(content, service.words)):
            return service.judgement(answer.status)
    return _captcha(content, answer.status)


def _captcha(content: bytes, status: int) -> Judgement | None:
    """That a page has nothing but a captcha, and says that it is to tell people from robots."""
    if (b"captcha" not in content and b"turnstile" not in content) or not _WIDGETS.search(content):
        return None
    text = text_of(content)
    if len(text.split()) <= _CAPTCHA_WORDS and _ASKS_WHO.search(text):
        return Judgement(Outcome.CHALLENGE, f"a captcha and nothing else (status {status})")
    return None
