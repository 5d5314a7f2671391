"""Whatever the core may say, the app says in Spanish."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.error_texts import VALUE, Messages
from trasmallo.project.project import Project
from trasmallo.values.errors import TrasmalloError
from trasmallo.web import error_translation
from trasmallo.web.error_translation import Phrases, errors
from trasmallo.web.words import Words
from web.conftest import Client

ELSEWHERE = (
    "cli/",  # said in a terminal
    "demo/",
    "web/serve.py",
    "clean/copies/",  # `trasmallo duplicates`
    "clean/pictures/",  # `trasmallo blocks --plot`
    "values/drawing/",  # --plot
    "plugins.py",  # named on the command line
    "pipeline/documents.py",  # documents named on the command line
    "project/duplicates.py",
    "pipeline/importing.py",  # `trasmallo import`
    "project/keys.py",  # --set
    "results/estimates.py",
    "results/exports/",  # `trasmallo export`
    "store/foreign.py",
    "study/morphology/__init__.py",  # --tags
    "study/stem/",  # `trasmallo stems`
    "crawl/websub/",  # no door leads there
)
"""Modules whose errors cannot reach the web app, and who hears them."""

PIECES = {
    VALUE + " " + VALUE,  # a path and what is wrong with it: each is there as a whole
    VALUE + "there are " + VALUE,  # with "did you mean" before it or not: both are there
    "did you mean {}? ",
    " in {}{} of {}{}",  # in which language and of which site there are no words
    "ends where it should not",
    "has a damaged directory",
    "has damaged bytes in {}",
    "has no {}",
    "is no file of tokens",
}
"""Texts that are put together with others, and known as a whole."""

NOT_FOLLOWED = {
    ("clean/slicing/criterion.py", "repair"),  # of its table, which is looked at as a whole
    ("config.py", "problem[1]"),
    ("values/errors.py", "repair"),
    ("project/control.py", "lines[-1].removeprefix('trasmallo: ')"),  # what another program of ours said last
    ("pipeline/documents.py", "repair"),
    ("web/app.py", "error.detail"),  # HTTP's own words, such as Method Not Allowed
}


class Counting(Phrases):
    """Counts how often a line is compared with all sentences."""

    compared = 0

    def _whole(self, text: str, depth: int) -> str | None:
        self.compared += len(self._known)
        return super()._whole(text, depth)


@pytest.fixture(scope="module")
def messages() -> Messages:
    return Messages()


def spanish() -> dict[str, str]:
    path = Path(error_translation.__file__).with_name("words") / "errors.es.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str])


def test_everything_that_can_reach_the_app_is_said_in_spanish(messages: Messages) -> None:
    known = set(spanish())
    said = {one for one in messages.said if not one.module.startswith(ELSEWHERE)}
    assert len(said) > 400
    assert sorted(one for one in said if one.text not in known | PIECES) == []


def test_nothing_is_said_that_could_not_be_followed(messages: Messages) -> None:
    assert {tuple(one) for one in messages.unknown} == NOT_FOLLOWED


def test_values_stay_in_their_order_and_no_sentence_fits_anything() -> None:
    assert [said for said, other in spanish().items() if said.count(VALUE) != other.count(VALUE)] == []
    assert [said for said in spanish() if len(said.replace(VALUE, "").strip()) < 3] == [], "they would fit anything"


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("/tmp/a has no results yet", "/tmp/a no tiene resultados todavía"),
        ("the query ends too early: a token is expected", "la consulta acaba demasiado pronto: se espera una palabra"),
        (
            "character 3 of the query, at ']x': a value in quotation marks is expected",
            "carácter 3 de la consulta, en ']x': se espera un valor entre comillas",
        ),
        (
            "/p/own.txt, line 3: 'a b' is no word: write letters without tabs, at most 100, and no # in front of them",
            "/p/own.txt, línea 3: 'a b' no es una palabra: escribe letras sin tabuladores, 100 como mucho, y sin # delante",
        ),
        (
            "trasmallo.toml: the value of `crawl.lines` does not fit: it must be `int` >= 1",
            "trasmallo.toml: el valor de `crawl.lines` no encaja: debe ser `int` >= 1",
        ),
        ("write it like [lemma=\"hacer\"] []{0,3} [pos=\"NOUN\"]", "escríbelo como [lemma=\"hacer\"] []{0,3} [pos=\"NOUN\"]"),
        ("the run has no words", "la ejecución no tiene palabras"),
    ],
)  # fmt: skip
def test_a_line_of_the_core(said: str, other: str) -> None:
    assert Words("es").phrase(said) == other
    assert Words("en").phrase(said) == said


def test_of_two_that_fit_the_one_that_says_more() -> None:
    both = Phrases({"there is no {}": "no hay {}", "there is no run {}": "no hay ejecución {}"})
    assert both.say("there is no run 'x'") == "no hay ejecución 'x'"
    assert both.say("there is no ship") == "no hay ship"
    assert both.say("whatever else") is None


@given(st.text(max_size=200))
def test_any_text_is_said_somehow(text: str) -> None:
    said = errors("es").say(text)
    assert said is None or isinstance(said, str)


@pytest.mark.parametrize("line", ["a is no b: ", "x, line 3: ", "there is no y in z: ", "cannot read x (", ": "])
def test_a_hostile_line_costs_little(line: str) -> None:
    """Counted, not timed: comparisons with a sentence."""
    asked = Counting(spanish())
    asked.say(line * 400)
    assert asked.compared < 100_000
    assert errors("es").say("there is no " + "x" * 100_000) is None


def refuse_run(project: Project) -> None:
    project.summary()


def refuse_text(project: Project) -> None:
    project.exclude("x", remove=True)


@pytest.mark.parametrize("refuse", [refuse_run, refuse_text])
def test_what_really_is_raised_is_known(cats: Project, refuse: Callable[[Project], None]) -> None:
    with pytest.raises(TrasmalloError) as raised:
        refuse(cats)
    for text in (raised.value.problem, raised.value.repair, str(raised.value)):
        assert errors("es").say(text) is not None, text


def test_causes_of_incidents_are_told_in_spanish(finished: Project) -> None:
    causes = {incident.cause for incident in finished.incidents() if " " in incident.cause}
    assert len(causes) > 3
    assert {cause for cause in causes if errors("es").say(cause) is None} == set()
    assert Words("es").phrase("excluded by 'x': 1,204 such addresses that waited") == (
        "excluida por 'x': 1,204 direcciones así que esperaban"
    )


def test_pages_tell_errors_in_spanish(client: Client, cats: Project) -> None:
    page = client.get("/p/cats/incidents", headers={"Accept-Language": "es"}).text
    assert "no tiene resultados todavía" in page
    assert "consíguelos con: trasmallo run" in page
    (cats.folder / "trasmallo.toml").write_text("name = ")
    assert "no es TOML válido" in client.page("/p/cats", headers={"Accept-Language": "es"})
