"""Whatever the core may say, the app says in Spanish."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.error_texts import Messages
from trasmallo.project.project import Project
from trasmallo.values.errors import ConfigError, TrasmalloError, UsageError, disk_error
from trasmallo.values.messages import Message, places
from trasmallo.web.error_translation import error_texts, translate
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
    "results/exports/",  # `trasmallo export`
    "store/foreign.py",
    "study/morphology/__init__.py",  # --tags
    "study/stem/",  # `trasmallo stems`
    "crawl/websub/",  # no door leads there
)
"""Modules whose errors cannot reach the web app, and who hears them."""

NOT_FOLLOWED = {
    ("clean/slicing/criterion.py", "repair"),  # of its table, which is looked at as a whole
    ("clean/slicing/criterion.py", "text"),
    ("cli/__init__.py", "*error.said"),  # of any error
    ("crawl/frontier/mirror.py", "problem.code"),  # of any damage, told again of another folder
    ("crawl/frontier/mirror.py", "repair.code"),
    ("project/control.py", "lines[-1].removeprefix('trasmallo: ')"),  # what another program of ours said last
    ("values/errors.py", "problem"),  # of any error
    ("values/errors.py", "repair"),
    ("web/app.py", "error.detail"),  # HTTP's own words, such as Method Not Allowed
}
"""Sentences that are no codes, and why."""


@pytest.fixture(scope="module")
def messages() -> Messages:
    return Messages()


def test_everything_that_can_reach_the_app_is_said_in_spanish(messages: Messages) -> None:
    said = {one for one in messages.said if not one.module.startswith(ELSEWHERE)}
    assert len(said) > 400
    assert sorted(one for one in said if one.text not in error_texts("es")) == []


def test_every_sentence_has_a_code(messages: Messages) -> None:
    assert {tuple(one) for one in messages.unknown} == NOT_FOLLOWED


def test_every_value_that_a_code_names_is_given(messages: Messages) -> None:
    assert messages.unfilled == set()


def test_nothing_is_translated_that_nobody_says(messages: Messages) -> None:
    assert set(error_texts("es")) - {one.text for one in messages.said} == set()


def test_texts_have_the_values_of_their_codes() -> None:
    assert [code for code, text in error_texts("es").items() if sorted(places(code)) != sorted(places(text))] == []


@pytest.mark.parametrize(
    ("error", "english", "spanish"),
    [
        (
            UsageError("there is no run {name!r}", "choose one of {known}", name="x", known="a, b"),
            "there is no run 'x': choose one of a, b",
            "no hay ninguna ejecución 'x': elige entre a, b",
        ),
        (
            disk_error(OSError(errno.ENOSPC, ""), Path("/p")),
            "cannot write /p: the disk is full: free some space and run the same command again; nothing stored is lost",
            "no se puede escribir /p: el disco está lleno: libera espacio y repite la misma orden; "
            "no se pierde nada de lo guardado",
        ),
        (
            ConfigError("{source} is not valid TOML ({error})", "mend that line", source="a.toml", error=ValueError("x {n}")),
            "a.toml is not valid TOML (x {n}): mend that line",
            "a.toml no es TOML válido (x {n}): corrige esa línea",
        ),
    ],
)
def test_an_error_is_said_by_code_and_arguments(error: TrasmalloError, english: str, spanish: str) -> None:
    assert str(error) == english
    assert Words("es").phrase(error.message) == spanish
    assert Words("en").phrase(error.message) == english


def test_a_sentence_that_has_no_code_is_said_as_it_is() -> None:
    assert Words("es").phrase("there is no run 'x'") == "there is no run 'x'"
    assert Words("es").phrase(Message("whatever {n:,}", n=1000)) == "whatever 1,000"


@given(st.text(max_size=200), st.sampled_from(sorted(error_texts("es"))), st.dictionaries(st.text(max_size=9), st.text()))
def test_what_another_process_says_is_said_somehow(text: str, code: str, arguments: dict[str, str]) -> None:
    """It may have read hostile files, and send any arguments."""
    arguments |= dict.fromkeys(places(code)[:1], text)
    assert isinstance(translate(Message.restored(text, code, arguments), error_texts("es")), str)


def refuse_run(project: Project) -> None:
    project.summary()


def refuse_text(project: Project) -> None:
    project.exclude("x", remove=True)


@pytest.mark.parametrize("refuse", [refuse_run, refuse_text])
def test_what_really_is_raised_is_known(cats: Project, refuse: Callable[[Project], None]) -> None:
    with pytest.raises(TrasmalloError) as raised:
        refuse(cats)
    for message in raised.value.said:
        assert message.code in error_texts("es"), message


def test_causes_of_incidents_are_told_in_spanish(finished: Project) -> None:
    causes = {incident.cause for incident in finished.incidents() if " " in incident.cause}
    assert len(causes) > 3
    assert {cause for cause in causes if Words("es").phrase(cause) == cause} == set()


@pytest.mark.parametrize(
    ("stored", "spanish"),
    [
        ("excluded by 'x': 1,204 such addresses that waited", "excluida por 'x': 1,204 direcciones así que esperaban"),
        ("www.example.org has no address", "www.example.org no tiene dirección"),
        ("not found (status 404)", "no existe (estado 404)"),
        ("robots.txt could not be reached", "no se pudo llegar a robots.txt"),
        ("more than 20 redirects", "más de 20 redirecciones"),
    ],
)
def test_a_stored_cause(stored: str, spanish: str) -> None:
    assert Words("es").phrase(stored) == spanish
    assert Words("en").phrase(stored) == stored


def test_pages_tell_errors_in_spanish(client: Client, cats: Project) -> None:
    page = client.get("/p/cats/tables/words?run=nope", headers={"Accept-Language": "es"}).text
    assert "no hay ninguna ejecución" in page
    (cats.folder / "trasmallo.toml").write_text("name = ")
    assert "no es TOML válido" in client.page("/p/cats", headers={"Accept-Language": "es"})
