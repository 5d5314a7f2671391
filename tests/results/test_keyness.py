"""Key words of a run against every kind of reference."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.results.keyness import find_keywords, read_reference
from trasmallo.study.measures.keyness import KeynessLimits
from trasmallo.values.errors import UsageError


def test_a_project_is_like_itself(finished: Project) -> None:
    with finished.tables() as tables:
        assert find_keywords(tables, str(finished.folder)) == []
        alike = find_keywords(tables, str(finished.folder), limits=KeynessLimits(least_count=1, p=1.0, bayes=None), number=5)
    assert [row.log_likelihood for row in alike] == pytest.approx([0.0] * len(alike), abs=1e-9)


def test_a_file_of_counts(finished: Project, tmp_path: Path) -> None:
    file = tmp_path / "counts.tsv"
    file.write_text("\ufeffword\tcount\nDe\t700\nde\t300\nmuelle\t1\n\nla\t800.5\n", encoding="utf-8")
    assert read_reference(str(file)) == {"de": 1_000.0, "muelle": 1.0, "la": 800.5}
    words = [row.word for row in finished.keywords(str(file))]
    assert "que" in words
    assert not {"de", "la"} & set(words)


@pytest.mark.parametrize("line", ["muelle", "muelle\tmuchas", "muelle\t-3", "muelle\tnan", "muelle\tinf"])
def test_a_line_that_is_none_is_told(tmp_path: Path, line: str) -> None:
    file = tmp_path / "counts.tsv"
    file.write_text(f"de\t3\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"counts\.tsv, line 2: not a word, a tab and a count: write a word"):
        read_reference(str(file))


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin.tsv").write_bytes("año\t3\n".encode("latin-1"))
    with pytest.raises(UsageError, match="not UTF-8"):
        read_reference(str(tmp_path / "latin.tsv"))
    with pytest.raises(UsageError, match="cannot read .*: give a project's folder"):
        read_reference(str(tmp_path / "none.tsv"))


def test_without_wordfreq_its_name_tells_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(
        UsageError,
        match=r"wordfreq is not installed: install it with: pip install 'trasmallo\[reference\]'; general:es needs nothing",
    ):
        read_reference("wordfreq:es")


def test_lemmas_and_categories_are_compared_too(finished: Project, tmp_path: Path) -> None:
    lemmas, categories = tmp_path / "lemmas.tsv", tmp_path / "categories.tsv"
    lemmas.write_text("el\t90000\nDe\t50000\nbarco\t10\n", encoding="utf-8")
    categories.write_text("NOUN\t900\nVERB\t100\n", encoding="utf-8")
    found = {row.word: row for row in finished.keywords(str(lemmas), by="lemma", number=1_000)}
    assert "ser" in found
    assert "es" not in found
    assert found["ser"].count == sum(row["count"] for row in finished.table("lemmas", where=["lemma=ser"]))
    assert {row.word for row in finished.keywords(str(categories), by="category")} >= {"VERB", "DET", "ADP"}
    assert finished.keywords(str(finished.folder), by="category") == []


def test_wordfreq_has_no_lemmas() -> None:
    with pytest.raises(UsageError, match="wordfreq:es knows words and no lemmas: compare words, or compare with a project"):
        read_reference("wordfreq:es", "lemma")


def test_a_language_in_general(finished: Project) -> None:
    pytest.importorskip("wordfreq")
    words = [row.word for row in finished.keywords("wordfreq:es")]
    assert "trasmallo" in words
    assert not {"había", "aquí"} & set(words)
    with pytest.raises(UsageError, match="no frequencies for 'zz': choose one of ar"):
        read_reference("wordfreq:zz")


def test_counts_that_were_made_safe_for_spreadsheets_are_read_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "raw.tsv").write_text("el\t900\n-ico\t5000\n", encoding="utf-8")
    (tmp_path / "safe.tsv").write_text("\ufeffword\tcount\nel\t900\n'-ico\t5000\n", encoding="utf-8")
    raw, safe = (read_reference(str(tmp_path / name)) for name in ("raw.tsv", "safe.tsv"))
    assert raw == safe == {"el": 900.0, "-ico": 5000.0}
