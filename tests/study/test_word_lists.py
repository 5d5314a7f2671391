"""The lists of words of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.config import StudyConfig
from trasmallo.study.stop_lists import make, save, shared_path
from trasmallo.study.word_lists import (
    digest,
    find_lists,
    finds_lemmas,
    finds_unlisted,
    frequent,
    known,
    list_path,
    needs_lexicon,
    options_for,
    read_list,
    resolve_lists,
    write_list,
)
from trasmallo.values.errors import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.txt").write_text("barco\nred\n", encoding="utf-8")
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def test_files_are_sought_beside_the_project_file(folder: Path) -> None:
    study = resolve_lists(StudyConfig(stop="standard + ../own.txt + frequent:7", only="../own.txt"), folder)
    assert study.stop == f"standard + frequent:7 + {folder.resolve() / '../own.txt'}"
    assert study.only == str(folder.resolve() / "../own.txt")
    assert frequent(study) == 7
    assert resolve_lists(StudyConfig(), folder) == StudyConfig(kinds=""), "there is no file of kinds"


def test_a_document_is_studied_by_the_lists(folder: Path) -> None:
    options = options_for("es", resolve_lists(StudyConfig(stop="standard", only="../own.txt", parts=3), folder))
    assert options.parts == 3
    assert options.stop is not None
    assert options.only is not None
    assert "según" in options.stop
    assert "Barco" in options.only
    assert options_for("es", StudyConfig()).stop is options_for("es", StudyConfig()).only is None


def test_a_list_that_is_missing_is_told(folder: Path) -> None:
    with pytest.raises(UsageError, match="cannot read .*standart .*: give a text file that exists.*or standard, or frequent:N"):
        resolve_lists(StudyConfig(stop="standart"), folder)


def test_the_digest_changes_with_the_list(folder: Path) -> None:
    study = StudyConfig(stop="../own.txt")
    before = digest(study, folder)
    (folder.parent / "own.txt").write_text("barco\n", encoding="utf-8")
    after = digest(study, folder)
    (folder.parent / "own.txt").unlink()
    assert len({before, after, digest(study, folder), digest(StudyConfig(), folder)}) == 4


def test_known_words_come_from_files_and_from_verdicts(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("Jerga\n", "utf-8")
    (tmp_path / "verdicts.tsv").write_text("barcoteca\taccepted\ngoviernos\ttypo\n", "utf-8")
    settled = resolve_lists(StudyConfig(known="accepted + own.txt"), tmp_path)
    assert known(settled).words == {"jerga", "barcoteca"}
    assert not known(StudyConfig())
    assert resolve_lists(StudyConfig(known="accepted"), tmp_path / "none").known.endswith("verdicts.tsv"), "none were given yet"


def test_known_words_that_cannot_be_meant_or_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="takes no standard or frequent words: name files, or accepted"):
        resolve_lists(StudyConfig(known="standard"), tmp_path)
    (tmp_path / "verdicts.tsv").write_text("barcoteca\tbien\n", "utf-8")
    with pytest.raises(UsageError, match="line 1: 'bien' is no verdict"):
        resolve_lists(StudyConfig(known="accepted"), tmp_path)


def test_only_accepted_words_make_what_is_known_stale(tmp_path: Path) -> None:
    study = StudyConfig(known="accepted")
    digests = []
    for verdict in ("accepted", "typo", "name", "accepted"):
        (tmp_path / "verdicts.tsv").write_text(f"# {verdict}\nbarcoteca\t{verdict}\n", "utf-8")
        digests.append(digest(study, tmp_path))
    assert digests[1] == digests[2] != digests[0] == digests[3]


def test_a_shared_list_is_found_from_every_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    save(make(["Artículo"]), shared_path("leyes"))
    study = StudyConfig(stop="standard + shared:leyes", only="shared:leyes", known="shared:leyes")
    settled = resolve_lists(study, tmp_path / "project")
    assert settled.only == str(tmp_path / "trasmallo" / "lists" / "leyes.txt")
    options = options_for("es", settled)
    assert options.only is not None
    assert "artículo" in options.only
    assert known(settled).words == {"artículo"}
    before = digest(study, tmp_path)
    save(make(["ley"]), shared_path("leyes"))
    assert digest(study, tmp_path) != before


def test_shared_lists_are_listed_beside_those_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    write_list(list_path(tmp_path, "shared:law"), ["ley", "lemma:juzgar"])
    write_list(list_path(tmp_path, "own.txt"), ["red"])
    cards = find_lists(tmp_path, StudyConfig(stop="own.txt + shared:law", known="shared:law"))
    assert [(card.name, card.words, card.used) for card in cards] == [("own.txt", 1, "stop"), ("shared:law", 2, "stop known")]
    assert read_list(list_path(tmp_path, "shared:law")) == ["ley", "lemma:juzgar"]
    with pytest.raises(UsageError):
        list_path(tmp_path, "shared:../x")


def test_a_change_of_lemmas_makes_results_stale(tmp_path: Path) -> None:
    study, path = StudyConfig(stop="own.txt"), tmp_path / "own.txt"
    path.write_text("ir")
    forms = digest(study, tmp_path)
    path.write_text("lemma:ir")
    assert digest(study, tmp_path) != forms


def test_words_are_tagged_where_lemmas_are_asked_for_or_listed(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text("lemma:ir")
    only_new = StudyConfig(analyses=("neologisms",))
    assert finds_unlisted(only_new)
    assert not finds_lemmas(only_new)
    assert finds_lemmas(StudyConfig(analyses=("neologisms",), only=str(path)))
    assert not needs_lexicon(StudyConfig(analyses=("words", "segments")))
    assert not needs_lexicon(StudyConfig(morphology=False))
