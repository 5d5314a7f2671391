"""Everything is said in every language."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import get_args

import pytest

from trasmallo import config
from trasmallo.config import CrawlConfig
from trasmallo.crawl.discover.feeds import NextVisit, WaitReason
from trasmallo.crawl.focus import FocusSetup, Topic
from trasmallo.crawl.focus.weights import LINK_FEATURES
from trasmallo.crawl.focus_ranker import FocusPlan, FocusRanker
from trasmallo.crawl.importance import Importance
from trasmallo.crawl.websub.subscriptions import SubscriptionState
from trasmallo.pipeline.feed_entries import reason_of
from trasmallo.results.registry import all_tables
from trasmallo.values.model import Drop, Outcome, Target
from trasmallo.web import navigation
from trasmallo.web.words import LANGUAGES, Text, Words, choose, texts

WEB = Path(config.__file__).with_name("web")
_USED = re.compile(r"""\b(?:t|words)\(\s*"([\w.-]+)"\s*[,)]""")


def names_in(text: Text) -> set[str]:
    pair = (text,) if isinstance(text, str) else text
    return {name for each in pair for _, name, _, _ in string.Formatter().parse(each) if name}


def test_the_languages_have_the_same_keys() -> None:
    keys = {language: set(texts(language)) for language in LANGUAGES}
    assert keys["es"] ^ keys["en"] == set()


def test_a_text_asks_for_the_same_values_in_every_language() -> None:
    keys = sorted(texts("en"))
    assert [key for key in keys if names_in(texts("es")[key]) != names_in(texts("en")[key])] == []
    assert [key for key in keys if not all(texts(language)[key] for language in LANGUAGES)] == []
    assert [key for key in keys if key.startswith("phrase.") and key[7:] != texts("en")[key]] == ["phrase.stopped"]


def test_a_sentence_of_the_program_keeps_its_numbers_and_names() -> None:
    assert Words("es").phrase("rests (Crawl-delay of 2.5 s)") == "descansa (Crawl-delay de 2.5 s)"
    assert Words("es").phrase("its process ended with exit 3") == "su proceso acabó con el código 3"
    assert Words("es").phrase("a # b") == "a # b"


def test_every_key_that_pages_use_is_there() -> None:
    files = [*WEB.glob("templates/*.html"), *WEB.rglob("*.py")]
    used = {key for path in files for key in _USED.findall(path.read_text(encoding="utf-8"))}
    assert len(used) > 50
    assert used - set(texts("en")) == set()


def test_every_name_of_the_program_is_translated() -> None:
    names = {f"outcome.{outcome}" for outcome in Outcome} | {f"drop.{drop}" for drop in Drop}
    names |= {f"table.{table}" for table in all_tables()}
    names |= {f"nav.{place.key}" for place in (*navigation.MENU, *navigation.OUTSIDE)}
    assert names - set(texts("es")) == set()


def test_every_column_of_every_table_is_named_and_by_its_own_table() -> None:
    es, en = Words("es"), Words("en")
    named = [(name, column) for name, table in all_tables().items() for column in table.types]
    assert [each for each in named if not any(es.known(key) for key in (f"column.{each[1]}", f"column.{'.'.join(each)}"))] == []
    assert [en.column(table, "at") for table in ("pages", "changes", "feeds", "entries")] == [
        "read at",
        "found",
        "last visit",
        "told at",
    ]
    assert (es.column("neologisms", "kind"), es.column("changes", "kind")) == ("clase", "qué cambió")
    assert (es.named("column", "at"), es.named("column", "kind")) == (es.column("pages", "at"), "clase")


def test_shares_are_percentages() -> None:
    es, en = Words("es"), Words("en")
    assert [es.percent(share) for share in (0.0, 0.0681265, 1.0)] == ["0,00\xa0%", "6,81\xa0%", "100,00\xa0%"]
    assert [en.percent(share) for share in (0.0681265, 0.00001)] == ["6.81%", "< 0.01%"]


def test_numbers_are_written_as_the_language_does() -> None:
    assert [Words(language).show(1234567) for language in LANGUAGES] == ["1.234.567", "1,234,567"]
    assert [Words(language).show(1234.5) for language in LANGUAGES] == ["1.234,50", "1,234.50"]
    assert Words("es")("table.rows", n=1) == "1 fila"
    assert Words("es")("table.rows", n=2000) == "2.000 filas"


@pytest.mark.parametrize(
    ("asked", "accepted", "chosen"),
    [
        ("es", "en", "es"),
        ("", "es-MX,es;q=0.9,en;q=0.8", "es"),
        ("", "en-GB, es;q=0.9", "en"),
        ("", "fr, es;q=0.2, en;q=0.1", "es"),
        ("xx", "de", "en"),
        ("", "*;q=0.5,,;;, en;q=..", "en"),
        ("", "es;q=" + "9" * 1000, "en"),
    ],
)
def test_a_language_is_chosen(asked: str, accepted: str, chosen: str) -> None:
    assert choose(asked, accepted) == chosen


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [
        ("en", 1, "1 of 1 document"),
        ("en", 3, "1 of 3 documents"),
        ("es", 1, "1 de 1 documento"),
        ("es", 3000, "1 de 3.000 documentos"),
    ],
)
def test_each_number_has_its_noun(language: str, number: int, said: str) -> None:
    assert Words(language)("search.total", n=1, all=number) == said


def test_why_an_address_waits_is_said_in_spanish() -> None:
    es = Words("es")
    why = "anchor says *Vela: latina 2.0 d'Oro*; its page is 0.93 on topic; such pages led to 0.25; 3 links lead to it"
    assert es.reasons(why) == (
        "el enlace dice *Vela: latina 2.0 d'Oro*; su página trata del tema con probabilidad 0.93; "
        "de lo que enlazan tales páginas, 0.25 es del tema; 3 enlaces llevan a ella"
    )
    assert Words("en").reasons(why) == why


def test_why_a_feed_is_asked_for_then_and_where_its_subscription_stands_is_said_in_spanish() -> None:
    es, skipped = Words("es"), ", outside its excluded hours and days"
    reasons = [reason_of(NextVisit(0.0, reason, excluded)) for reason in WaitReason for excluded in (False, True)]
    assert [reason for reason in reasons if not es.known(f"phrase.{reason}")] == []
    assert es.phrase(WaitReason.RHYTHM + skipped) == "ritmo de sus entradas, fuera de las horas y los días que excluye"
    assert [state for state in SubscriptionState if es.phrase(str(state)) == state] == []


def test_every_analysis_is_named() -> None:
    known = [Words(language) for language in LANGUAGES]
    assert [name for name in get_args(config.Analysed) for words in known if not words.known(f"choice.analyses.{name}")] == []


def test_every_reason_of_a_ranker_is_said_in_spanish(tmp_path: Path) -> None:
    es, importance = Words("es"), Importance(tmp_path, CrawlConfig(prefer=("/x/",), avoid=("/y/",)))
    urls = ["http://a.test/x/1", "http://a.test/y/2?" + "q" * 99, "http://b.test/"]
    found = [Target(url, depth, 500) for url in urls for depth in (1, 2)]
    importance.rank(Target("http://a.test/"), None, found, {})
    told = [importance.explain(target) for target in (*found, Target("http://a.test/"))]
    told.append(FocusRanker(tmp_path, FocusPlan(setup=FocusSetup(topics=(Topic(name="t", words=("a",)),)))).explain(found[0]))
    reasons = {reason for ranked in told for reason in ranked.why.split("; ")}
    assert len(reasons) > 6
    assert [reason for reason in reasons if es.reasons(reason) == reason] == []
    names = {name for ranked in told for name in ranked.parts} | set(LINK_FEATURES)
    assert [name for name in sorted(names) if not es.known(f"reason.{name}")] == []


def test_what_is_to_be_known_of_a_focus_is_said_in_spanish() -> None:
    es = Words("es")
    assert es.phrase("3% of the last 200 pages are on topic, less than 10%").startswith("el 3% de las últimas 200")
    said = "one word may mean several things: add others, or a document with --like, or mark pages (`vela`)"
    assert es.phrase(said) == (
        "una palabra puede significar varias cosas: añade otras, o un documento con --like, o marca páginas (`vela`)"
    )


POLITE = re.compile(
    r"(?:^|[.;:,] |\b[oy] )(?:abra|añada|arranque|borre|busque|cambie|compruebe|conecte|corrija|cuente|deje|ejecute|elija|"
    r"diga|empiece|escriba|fije|guarde|haga|instale|intente|libere|mire|pida|ponga|pregunte|pruebe|quite|repita|usted|vuelva)\b",
    re.IGNORECASE,
)
"""Words that would speak to somebody as *usted*; where they begin a sentence or a part of one they ask for something."""


@pytest.mark.parametrize("name", ["es.json", "errors.es.json"])
def test_spanish_speaks_with_one_voice(name: str) -> None:
    said = json.loads((WEB / "words" / name).read_text("utf-8")).values()
    assert [text for text in said if isinstance(text, str) and POLITE.search(text)] == []
