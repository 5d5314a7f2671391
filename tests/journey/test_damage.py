"""Damaged projects: every file, in every way, for every command that reads: the right answer, or one line with the repair."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
from itertools import islice
from pathlib import Path

import pytest

from support.command_line import fetched, hurried, start, wait_for
from support.damage_matrix import COMMANDS, DAMAGES, KINDS, LIVING, USERS, Answers, answers, damaged_copies, judge
from support.damaged_app import AppAnswer, asked, judge_app
from support.editable_web import EditableWeb
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.values.errors import TrasmalloError

VERSIONS = {
    "archive": "trasmallo.store.archive.FORMAT",
    "catalog": "trasmallo.store.catalog.FORMAT",
    "catalog rows": "trasmallo.store.catalog_rows.FORMAT",
    "frontier": "trasmallo.crawl.frontier.journal.VERSION",
    "index": "trasmallo.store.index.folder.VERSION",
    "run": "trasmallo.store.run_folders.VERSION",
    "tokens": "trasmallo.store.tokens.sections.VERSION",
}
"""Where the program says which version of each store it knows."""

TEXTS = (
    "El tren llega a la estación con retraso porque la nieve cubre las vías del norte.",
    "Los perros ladran en el jardín cuando pasa el cartero con las cartas de la mañana.",
    "La fábrica cerró en primavera y los obreros buscan trabajo en los pueblos del valle.",
    "Una orquesta de jóvenes toca valses y pasodobles en la plaza las noches de agosto.",
    "El mercado vende tomates, cebollas y pescado fresco desde las siete de la mañana.",
    "Los astrónomos han visto una luz débil más allá del último planeta conocido.",
    "La biblioteca presta novelas policíacas y cuadernos de viaje a quien los pide.",
)
ROUNDS = int(os.environ.get("TRASMALLO_DAMAGE_ROUNDS", "1"))
LONGEST = 120 * ROUNDS**3
"""Seconds of one kind of damage to all files of a kind; with several rounds on a busy machine minutes."""


@pytest.fixture(scope="module")
def sound(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished project with verdicts and a list of its own."""
    folder = tmp_path_factory.mktemp("sound") / "demo"
    shutil.copytree(finished.folder, folder)
    Project.open(folder).judge(["nieblario"], "accepted")
    return folder


@pytest.fixture(scope="module")
def expected(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What a sound project answers."""
    return answers(sound, tmp_path_factory.mktemp("expected"))


@pytest.mark.timeout(LONGEST)
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in LIVING])
def test_no_traceback_and_no_other_answer(kind: str, damage: str, sound: Path, expected: Answers, tmp_path: Path) -> None:
    wrong = []
    for name in damaged_copies(sound, tmp_path / "copy", kind, damage, ROUNDS):
        found = answers(tmp_path / "copy", tmp_path / "out")
        if kind not in USERS:
            wrong += [f"{name}: {problem}" for problem in judge(found, expected)]
    assert not wrong


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection whose tables are layers after a revisit, with a snapshot, entries of a feed and a site that is left out."""
    folder = tmp_path_factory.mktemp("living") / "demo"
    with EditableWeb() as web, EditableWeb() as other:
        pages = [f"/{number}" for number in range(14)]
        web.write("/", "Esta es la portada de un periódico que habla de muchas cosas distintas cada día.", *pages)
        for number, path in enumerate(pages):
            web.write(path, f"{TEXTS[number % len(TEXTS)]} Los gatos duermen en {number + 2} tejados de la calle {number}.")
        other.write("/", "Compre aquí las mejores ofertas de relojes baratos y de colchones que nadie necesita.")
        item = f"<item><link>{web.url('/1')}</link><guid>1</guid><title>Uno</title></item>"
        web.pages["/feed.xml"] = f"<rss version='2.0'><channel><title>d</title>{item}</channel></rss>".encode()
        web.media["/feed.xml"] = "application/rss+xml"
        seeds = [web.url("/"), web.url("/feed.xml"), other.url("/").replace("127.0.0.1", "localhost")]
        project = Project.new(
            folder, seeds, delay=0.0, address_delay=0.0, sitemaps=False, feeds=True, entries=True, private=["localhost"]
        )
        project.run()
        project.snapshot("tesis")
        project.take_out("localhost")
        web.write("/3", "Ahora solo hay perros que ladran en la otra orilla del río cuando pasa el cartero.")
        project.revisit("40")
    return folder


@pytest.mark.timeout(600)  # the first of them makes a collection in three runs
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", LIVING)
def test_a_collection_that_lives(kind: str, damage: str, living: Path, tmp_path: Path) -> None:
    assert list(living.glob(KINDS[kind])), "there is something to damage"
    expected, wrong = answers(living, tmp_path / "expected"), []
    assert not [answer for answer in expected.values() if isinstance(answer, TrasmalloError)]
    # Without the list no site is left out from now on, which is what its repair says.
    commands = [name for name in COMMANDS if name != "sites" or (kind, damage) != ("sites left out", "missing")]
    for name in islice(damaged_copies(living, tmp_path / "copy", kind, damage, ROUNDS), 2 if ROUNDS == 1 else None):
        wrong += [f"{name}: {problem}" for problem in judge(answers(tmp_path / "copy", tmp_path / "out", commands), expected)]
    assert not wrong


@pytest.fixture(scope="module")
def stopped(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose run was stopped, with parts in the place of tables."""
    project = hurried(tmp_path_factory.mktemp("stopped") / "demo", site.seeds, delay=0.1)
    with start("run", project.folder, "--quiet") as process:
        wait_for(lambda: fetched(project) >= 15, process)
        process.send_signal(signal.SIGINT)
        process.communicate()
    return project.folder


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["parts", "frontier", "status"])
def test_a_run_that_was_stopped(kind: str, damage: str, stopped: Path, tmp_path: Path) -> None:
    expected, wrong = answers(stopped, tmp_path / "expected"), []
    for name in damaged_copies(stopped, tmp_path / "copy", kind, damage, ROUNDS):
        wrong += [f"{name}: {problem}" for problem in judge(answers(tmp_path / "copy", tmp_path / "out"), expected)]
    assert not wrong


@pytest.mark.parametrize("age", ["newer", "older"])
@pytest.mark.parametrize("store", VERSIONS)
def test_stores_of_another_version(
    store: str, age: str, sound: Path, expected: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program knows an earlier version than what is on disk, or a later one."""
    module, _, name = VERSIONS[store].rpartition(".")
    known: int = getattr(importlib.import_module(module), name)
    monkeypatch.setattr(VERSIONS[store], known - 1 if age == "newer" else known + 1)
    found = answers(sound, tmp_path / "out")
    assert not judge(found, expected)
    refused = [answer for answer in found.values() if isinstance(answer, TrasmalloError)]
    if age == "newer" and store not in ("archive", "index"):  # which none of them reads, and which is made again
        assert refused, "nobody reads what they do not know"


@pytest.fixture(scope="module")
def said(sound: Path) -> dict[str, AppAnswer]:
    """What the app says of a sound project."""
    found = asked(sound)
    assert {answer.status for answer in found.values()} == {200}, {path: answer.status for path, answer in found.items()}
    return found


@pytest.mark.parametrize("damage", DAMAGES if ROUNDS > 1 else ["flipped", "missing"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (*USERS, *LIVING)])
def test_the_app_over_a_damaged_project(
    kind: str, damage: str, sound: Path, said: dict[str, AppAnswer], tmp_path: Path
) -> None:
    """The same answer as ever, or an error that says how to repair, on every page and in its JSON."""
    wrong = []
    for name in islice(damaged_copies(sound, tmp_path / "demo", kind, damage), 1 if ROUNDS == 1 else None):
        wrong += [f"{name}: {problem}" for problem in judge_app(asked(tmp_path / "demo"), said)]
    assert not wrong


@pytest.mark.parametrize("verb", ["clean", "study"])
@pytest.mark.parametrize("kind", ["catalog rows", "frontier", "tables", "tokens", "run", "digests", "index"])
def test_work_on_a_damaged_project_ends_well_or_is_refused(
    kind: str, verb: str, sound: Path, expected: Answers, tmp_path: Path
) -> None:
    next(damaged_copies(sound, tmp_path / "copy", kind, "flipped"))
    try:
        project = Project.open(tmp_path / "copy")
        project.clean() if verb == "clean" else project.study()
    except TrasmalloError as error:
        assert "trasmallo repair" in error.repair
    Project.open(tmp_path / "copy").repair()
    commands = [name for name in COMMANDS if name != "status"]  # a repaired run has asked for nothing in vain, or twice
    found = answers(tmp_path / "copy", tmp_path / "out", commands)
    assert not judge(found, expected)
    assert not [answer for answer in found.values() if isinstance(answer, TrasmalloError)]
