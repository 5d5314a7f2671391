"""Two runs side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.warc_answers import answer, files_of
from trasmallo.project.project import Project
from trasmallo.results.comparison import compare
from trasmallo.store.archive import Archive
from trasmallo.values.errors import UsageError

URL = "http://a.es/"
COMMON = "el barco sale del puerto con las redes y vuelve al puerto de noche . " * 10
OLD, NEW = "la galera navega despacio . " * 30, "el dron vuela sobre la lonja . " * 30


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("comparison")
    project = Project.new(folder / "corpus", [URL])
    for number, text in enumerate((OLD, NEW)):
        body = f"<html lang=es><title>Prueba</title><p>{COMMON}</p><p>{text}</p></html>".encode()
        with Archive(folder / str(number), software="t/0") as archive:
            archive.append(answer(body=body, url=URL, at=1e9 + number))
        project.import_file(files_of(folder / str(number))[0])
    return project


def runs_of(project: Project) -> list[str]:
    return sorted(path.name for path in project.runs.iterdir())


def test_what_is_new_and_what_has_vanished(project: Project) -> None:
    first, second = runs_of(project)
    found = project.compare(run=second, other_run=first)
    assert [(one.word, one.count) for one in found.vanished] == [("navega", 30), ("galera", 30), ("despacio", 30)]
    assert {one.word for one in found.new} == {"dron", "vuela", "sobre", "lonja"}
    assert {key.word for key in found.more} >= {"dron", "vuela", "lonja"}
    assert {key.word for key in found.less} >= {"galera", "navega"}
    assert all(key.count == 0 for key in found.less if key.word == "galera")
    assert (found.types - found.shared, found.other_types - found.shared) == (4, 3)


def test_the_other_way_round_is_the_mirror(project: Project) -> None:
    first, second = runs_of(project)
    there, back = project.compare(run=second, other_run=first), project.compare(run=first, other_run=second)
    assert (there.new, there.vanished) == (back.vanished, back.new)
    assert (there.size, there.other_size) == (back.other_size, back.size)


def test_words_beside_themselves_differ_in_nothing(project: Project) -> None:
    with project.tables() as tables:
        found = compare(tables, tables)
    assert (found.more, found.less, found.new, found.vanished) == ((), (), (), ())


def test_another_project_by_lemma_and_a_number(project: Project, tmp_path: Path) -> None:
    other = Project.new(tmp_path / "other", [URL])
    body = b"<html lang=es><p>" + OLD.encode() + b"</p></html>"
    with Archive(tmp_path / "warc", software="t/0") as archive:
        archive.append(answer(body=body, url=URL))
    other.import_file(files_of(tmp_path / "warc")[0])
    found = project.compare(other.folder, by="lemma", number=2)
    assert len(found.new) == 2
    assert "navegar" in {one.word for one in found.vanished}


def test_the_latest_run_is_compared_with_the_one_before(project: Project) -> None:
    first, second = runs_of(project)
    found = project.compare()
    assert (found.run, found.other_run) == (second, first)
    assert found.vanished == project.compare(run=second, other_run=first).vanished
    assert found.vanished


def test_a_run_is_not_compared_with_itself(project: Project) -> None:
    first, second = runs_of(project)
    for names in ({"run": first, "other_run": first}, {"other_run": second}):
        with pytest.raises(UsageError, match="would be compared with itself: name another run with --with-run"):
            project.compare(**names)
    with pytest.raises(UsageError, match="would be compared with itself"):
        project.compare(project.folder, other_run=second)


def test_the_first_run_has_none_before_it(project: Project) -> None:
    first = runs_of(project)[0]
    with pytest.raises(UsageError, match=f"there is no run before {first} to compare with: make another one with"):
        project.compare(run=first)
