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
        with pytest.raises(UsageError, match="would be compared with itself: name another run with"):
            project.compare(**names)
    with pytest.raises(UsageError, match="would be compared with itself"):
        project.compare(project.folder, other_run=second)


def test_the_first_run_has_none_before_it(project: Project) -> None:
    first = runs_of(project)[0]
    with pytest.raises(UsageError, match=f"there is no run before {first} to compare with: make another one with"):
        project.compare(run=first)


def test_two_scopes_of_one_run(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "two-sites", ["http://a.es/", "http://b.es/"])
    with Archive(tmp_path / "warc", software="t/0") as archive:
        for site, text in (("a", OLD), ("b", NEW)):
            body = f"<html lang=es><title>Prueba</title><p>{text}</p></html>".encode()
            archive.append(answer(body=body, url=f"http://{site}.es/"))
    project.import_file(files_of(tmp_path / "warc")[0])
    found = project.subcorpus("site=a.es").compare(other_scope="site=b.es")
    assert (found.scope, found.other_scope, found.run) == ("site=a.es", "site=b.es", found.other_run)
    assert {"galera", "navega", "despacio"} <= {one.word for one in found.new}
    assert {"dron", "lonja"} <= {one.word for one in found.vanished}
    beside_all = project.subcorpus("site=a.es").compare(other_scope="*")
    assert beside_all.other_size == project.compare(other_scope="site=a.es").size == found.size + found.other_size
    with pytest.raises(UsageError, match="or other documents with --with-scope"):
        project.subcorpus("site=a.es").compare(other_scope="site=a.es")


def test_a_run_beside_a_language_in_general(project: Project) -> None:
    found = project.compare("general:es", measure="least_ratio", least=10, number=5)
    assert found.other_run == "general:es"
    strengths = [key.ratio_low for key in found.more]
    assert strengths == sorted(strengths, reverse=True)
    assert len(strengths) == 5
    assert all(key.ratio_low < key.log_ratio < key.ratio_high and key.p <= key.adjusted <= 0.0001 for key in found.more)
    assert {key.documents for key in found.more} == {1}
    with pytest.raises(UsageError, match="general:es knows words and no lemmas"):
        project.compare("general:es", by="lemma")


def test_other_languages_and_numbers_are_not_compared_with_a_language_in_general(tmp_path: Path) -> None:
    project = Project.new(tmp_path / "numbers", ["http://a.es/"])
    with Archive(tmp_path / "warc", software="t/0") as archive:
        spanish, english = "en 2026 la lonja abre. " * 40, "and it was the best of the nets. " * 20
        body = f"<html lang=es><p>{spanish}</p><p>{english}</p></html>".encode()
        archive.append(answer(body=body, url="http://a.es/"))
    project.import_file(files_of(tmp_path / "warc")[0])
    found = project.compare("general:es")
    assert "lonja" in {key.word for key in found.more}
    told = [*(key.word for key in found.more), *(one.word for one in found.new)]
    assert not any(letter.isdigit() for word in told for letter in word)
    assert not {"the", "and", "was", "nets"} & set(told)
    assert "nets" in {key.word for key in project.compare("general:en").more}
