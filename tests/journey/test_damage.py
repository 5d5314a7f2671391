"""Damaged projects: every file, in every way, for every command that reads: the right answer, or one line with the repair."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import fetched, hurried, start, wait_for
from support.damage_matrix import (
    COMMANDS,
    DAMAGES,
    KINDS,
    LIVING,
    LOCAL,
    LOCAL_COMMANDS,
    USERS,
    Answers,
    answers,
    damaged_copies,
    judge,
)
from support.damaged_app import AppAnswer, asked, judge_app
from support.editable_web import EditableWeb
from trasmallo.crawl.mail.imap import ImapState
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.results.concordance.concordance import Options
from trasmallo.store.subcorpora import Scope
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
Counting = Callable[[int], None]
ROUNDS = int(os.environ.get("TRASMALLO_DAMAGE_ROUNDS", "0"))
"""How often every file is damaged in every way, hours in all: give pytest some of the tests at a time. 0 means a few files."""
LONGEST = 120 + 1_200 * ROUNDS
"""Seconds of one kind of damage to all files of a kind; with rounds, on a busy machine, some have taken ten minutes."""


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Counting:
    """Adds a damaged project and its answers to the numbers that a run of the tests ends with."""

    def count(answers: int) -> None:
        record_property("number of damaged projects", 1)
        record_property("number of answers about damaged projects", answers)

    return count


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
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (*LIVING, *LOCAL)])
def test_no_traceback_and_no_other_answer(
    kind: str, damage: str, sound: Path, expected: Answers, counted: Counting, tmp_path: Path
) -> None:
    wrong = []
    for name in damaged_copies(sound, tmp_path / "copy", kind, damage, ROUNDS):
        found = answers(tmp_path / "copy", tmp_path / "out")
        counted(len(found))
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


@pytest.fixture(scope="module")
def expected_of_living(living: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What that collection answers."""
    found = answers(living, tmp_path_factory.mktemp("expected"))
    assert not [answer for answer in found.values() if isinstance(answer, TrasmalloError)]
    return found


@pytest.mark.timeout(max(600, LONGEST))  # the first of them makes a collection in three runs
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", LIVING)
def test_a_collection_that_lives(
    kind: str, damage: str, living: Path, expected_of_living: Answers, counted: Counting, tmp_path: Path
) -> None:
    assert list(living.glob(KINDS[kind])), "there is something to damage"
    # Without the list no site is left out from now on, which is what its repair says.
    commands = [name for name in COMMANDS if name != "sites" or (kind, damage) != ("sites left out", "missing")]
    wrong = []
    for name in damaged_copies(living, tmp_path / "copy", kind, damage, ROUNDS):
        found = answers(tmp_path / "copy", tmp_path / "out", commands)
        counted(len(found))
        wrong += [f"{name}: {problem}" for problem in judge(found, expected_of_living)]
    assert not wrong


@pytest.mark.timeout(max(600, LONGEST))
def test_what_all_runs_say_of_themselves_may_be_lost(living: Path, expected_of_living: Answers, tmp_path: Path) -> None:
    """Each run builds upon the one before, so none can be read again before all say what they are."""
    shutil.copytree(living, tmp_path / "copy")
    for manifest in (tmp_path / "copy").glob("runs/*/run.json"):
        manifest.unlink()
    project = Project.open(tmp_path / "copy")
    project.repair()
    assert list(project.check()) == []
    commands = [name for name in COMMANDS if name != "status"]  # a repaired run has asked for nothing in vain, or twice
    assert not judge(answers(tmp_path / "copy", tmp_path / "out", commands), expected_of_living)


@pytest.fixture(scope="module")
def of_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of files, with rights, an account that was read, and all that people say of documents and names."""
    base = tmp_path_factory.mktemp("files")
    make_notes(base / "notes")
    project = Project.new(base / "demo", [str(base / "notes")], language="es")
    (project.folder / "drugs.txt").write_text("aspirina\n", "utf-8")
    project.add_list("DRUG", project.folder / "drugs.txt")
    project.topic("casa", "puerta")
    project.run()
    project.mark("http://a.es/", True)
    project.block_entities(["Soria"], "LOC")
    document = str(next(iter(project.table("pages")))["document"])
    project.annotate(document, [(0, 2, "PER")])
    project.save_subcorpus("largos", Scope(where=("words>3",)))
    project.put_into_group("casas", project.kwic("casa").hits, query="casa")
    project.save_query("toma", "toma", per_document=1)
    project.remember_query("casa", Options(), hits=4)
    project.wait_for_job(project.start_job("laws"))
    account = ImapState(project.store / "imap-0123456789abcdef.json")
    account.of("INBOX").messages[7] = ["imap://ana@127.0.0.1/;mid=7@x"]
    account.save()
    return project.folder


def make_notes(folder: Path) -> None:
    """Four notes that only their owner may read."""
    folder.mkdir()
    for number in range(4):
        text = f"{TEXTS[number]} Ana Pérez vive en Soria, en la casa número {number}, y toma aspirina.\n"
        (folder / f"{number}.txt").write_text(text, "utf-8")
        (folder / f"{number}.txt").chmod(0o600)


@pytest.fixture(scope="module")
def expected_of_files(of_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What that project answers."""
    found = answers(of_files, tmp_path_factory.mktemp("expected"), LOCAL_COMMANDS)
    assert not [answer for answer in found.values() if isinstance(answer, TrasmalloError)]
    assert found["asked by another"] == ([], [])
    return found


@pytest.mark.timeout(max(600, LONGEST))
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", LOCAL)
def test_a_project_of_files(
    kind: str, damage: str, of_files: Path, expected_of_files: Answers, counted: Counting, tmp_path: Path
) -> None:
    assert list(of_files.glob(KINDS[kind])), "there is something to damage"
    # Without their files there is no subcorpus, which is what its repair says, and no answer of a job.
    commands = [name for name in LOCAL_COMMANDS if damage != "missing" or name != kind or kind in USERS]
    wrong = []
    for name in damaged_copies(of_files, tmp_path / "copy", kind, damage, ROUNDS):
        found = answers(tmp_path / "copy", tmp_path / "out", commands)
        counted(len(found))
        if kind not in USERS:
            wrong += [f"{name}: {problem}" for problem in judge(found, expected_of_files)]
        is_damaged = any(isinstance(answer, TrasmalloError) for answer in found.values())
        if is_damaged and not list(Project.open(tmp_path / "copy").check()):
            wrong.append(f"{name}: check finds nothing")
    assert not wrong


@pytest.mark.timeout(600)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_pass_over_files_whose_memory_is_damaged(damage: str, of_files: Path, tmp_path: Path) -> None:
    """What was deleted meanwhile is gone, and what is there is there once, or the damage is told and can be repaired."""
    make_notes(tmp_path / "notes")
    project = Project.new(tmp_path / "whole", [str(tmp_path / "notes")])
    project.run()
    (tmp_path / "notes" / "2.txt").unlink()
    next(damaged_copies(project.folder, tmp_path / "copy", "sources", damage))
    found = Project.open(tmp_path / "copy")
    try:
        found.run(new=True)
    except TrasmalloError as error:
        assert "trasmallo repair" in error.repair
        assert "sources" in [step.kind for step in found.repair()]
        found.run(new=True)
    assert sorted(str(row["url"])[-5:] for row in found.table("pages")) == ["0.txt", "1.txt", "3.txt"]
    assert list(found.check()) == []


NOT_DAMAGED = (
    "runs/*/events.jsonl",
    "runs/*/pace.jsonl",
    "**/lock",
    "**/*.lock",
    "**/LOCK",
    "**/LOG*",
    "**/IDENTITY",
    ".lock",
    "*.txt",
    "jobs/*/log",
    "jobs/*/[jp]*.json",
)
"""Files that nobody asks anything of: logs for people and locks; lists, of which the matrix has one; and what is known of a
job, which is none without it."""


def test_every_file_of_a_project_is_in_the_matrix(sound: Path, living: Path, of_files: Path) -> None:
    for folder in (sound, living, of_files):
        known = {path for pattern in (*KINDS.values(), *NOT_DAMAGED) for path in folder.glob(pattern)}
        left = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path not in known]
        assert not left, left


@pytest.fixture(scope="module")
def stopped(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose run was stopped, with parts in the place of tables."""
    project = hurried(tmp_path_factory.mktemp("stopped") / "demo", site.seeds, delay=0.1)
    with start("run", project.folder, "--quiet") as process:
        wait_for(lambda: fetched(project) >= 15, process)
        process.send_signal(signal.SIGINT)
        process.communicate()
    return project.folder


@pytest.fixture(scope="module")
def expected_of_stopped(stopped: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What that project answers."""
    return answers(stopped, tmp_path_factory.mktemp("expected"))


@pytest.mark.timeout(LONGEST)
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["parts", "frontier", "status"])
def test_a_run_that_was_stopped(
    kind: str, damage: str, stopped: Path, expected_of_stopped: Answers, counted: Counting, tmp_path: Path
) -> None:
    wrong = []
    for name in damaged_copies(stopped, tmp_path / "copy", kind, damage, ROUNDS):
        found = answers(tmp_path / "copy", tmp_path / "out")
        counted(len(found))
        wrong += [f"{name}: {problem}" for problem in judge(found, expected_of_stopped)]
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


@pytest.mark.timeout(LONGEST)
@pytest.mark.parametrize("damage", DAMAGES if ROUNDS else ["flipped", "missing"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (*USERS, *LIVING, *LOCAL)])
def test_the_app_over_a_damaged_project(
    kind: str, damage: str, sound: Path, said: dict[str, AppAnswer], counted: Counting, tmp_path: Path
) -> None:
    """The same answer as ever, or an error that says how to repair, on every page and in its JSON."""
    wrong, copies = [], damaged_copies(sound, tmp_path / "demo", kind, damage, ROUNDS, few=1)
    for name in copies:
        found = asked(tmp_path / "demo")
        counted(len(found))
        wrong += [f"{name}: {problem}" for problem in judge_app(found, said)]
    assert not wrong


WORK = [("catalog rows", "clean"), ("frontier", "study"), ("tables", "clean"), ("tokens", "study"), ("run", "clean")]
WORK += [("digests", "study"), ("index", "clean")]
VERBS = ("clean", "study")


@pytest.mark.parametrize(("kind", "verb"), [(kind, verb) for kind, _ in WORK for verb in VERBS] if ROUNDS else WORK)
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
