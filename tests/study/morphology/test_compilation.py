from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.small_lexicon import listed, tables
from trasmallo.study.morphology import compilation
from trasmallo.study.morphology.compilation import cache_folder, entries, open_tables
from trasmallo.study.morphology.lexicon_files import LexiconFiles, LexiconSettings
from trasmallo.study.morphology.tables import LexiconTables


@pytest.fixture
def lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lexicon of a few rows in place of the real one, and a cache folder of its own."""
    path = tmp_path / "rows"
    rows = [f"{form} {lemma} {tag}" for form, its in listed().items() for lemma, tag in its]
    path.write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.setattr(compilation, "find", lambda _: LexiconFiles((path,), "digest", LexiconSettings()))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return path


def files() -> list[Path]:
    return sorted(cache_folder().glob("*"))


def test_a_lexicon_is_compiled_once(lexicon: Path) -> None:
    heard: list[tuple[int, int]] = []
    first = open_tables("es", lambda done, total: heard.append((done, total)))
    assert heard == sorted(heard)
    assert heard[-1] == (lexicon.stat().st_size, lexicon.stat().st_size)
    (file,) = files()
    written = file.stat().st_mtime_ns

    second = open_tables("es", lambda *_: pytest.fail("compiled again"))
    assert first.find("casa") == second.find("casa") != ()
    assert files() == [file]
    assert file.stat().st_mtime_ns == written


def test_of_threads_that_ask_at_once_one_compiles(lexicon: Path) -> None:
    both = threading.Barrier(4)
    heard: list[int] = []

    def open_together(_number: int) -> LexiconTables:
        both.wait()
        return open_tables("es", lambda done, total: heard.append(threading.get_ident()))

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(open_together, range(4)))
    assert len(set(heard)) == 1
    assert {one.find("casa") for one in found} == {found[0].find("casa")}
    assert [file.suffix for file in files()] == [".lexicon"]


def test_a_damaged_file_is_compiled_again(lexicon: Path) -> None:
    open_tables("es")
    (file,) = files()
    file.write_bytes(file.read_bytes()[:-9])
    assert open_tables("es").find("casa")
    assert open_tables("es", lambda *_: pytest.fail("compiled again")).find("casa")


def test_another_source_is_another_file(lexicon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_tables("es")
    monkeypatch.setattr(compilation, "find", lambda _: LexiconFiles((lexicon,), "another", LexiconSettings()))
    open_tables("es")
    assert len(files()) == 2


def test_without_a_place_to_write_the_tables_live_in_memory(lexicon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = lexicon.parent / "blocked"
    blocked.write_text("a file, no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert open_tables("es").find("casa")


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/trasmallo")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache" / "trasmallo"


def test_listed_words_may_be_verbs_with_pronouns_too() -> None:
    found = tables().find("hacerte")
    assert [(one.by, one.clitics) for one in found] == [("lexicon", ()), ("rule", ("te",))]


def test_a_form_without_its_accent_is_known_as_a_mistake() -> None:
    (found,) = tables().find("cancion")
    assert (found.by, found.cut, found.add, found.features) == ("rule", 2, "ón", "Gender=Fem|Number=Sing|Typo=Yes")
    assert [one.by for one in tables().find("da")] == ["lexicon"], "a word of its own"


def test_words_of_the_folder_are_in_every_lexicon() -> None:
    assert entries("es", {})["muy"]
