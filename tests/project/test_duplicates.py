"""Copies among files, folders and projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.made_prose import edited, prose
from support.stored_pages import html
from trasmallo.clean.copies import METHODS, choose
from trasmallo.demo.site import Site
from trasmallo.project.duplicates import Collection, check_document, files_under, is_project
from trasmallo.project.project import Project
from trasmallo.values.errors import DocumentError, UsageError

MENU = "".join(f'<li><a href="/{word}">{word} y más</a></li>' for word in prose(9, 120))


def page(words: list[str], menu: str = MENU) -> bytes:
    text = "".join(f"<p>{' '.join(words[start : start + 50])}.</p>" for start in range(0, len(words), 50))
    frame = f"<ul>{menu}</ul>"
    return f"<html><body><nav>{frame}</nav><article>{text}</article><footer>{frame}</footer></body></html>".encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.html").write_bytes(page(prose(1, 150)))
    (tmp_path / "b.html").write_bytes(page(prose(2, 150)))
    (tmp_path / "sub" / "c.html").write_bytes(page(edited(prose(1, 150), 0.05, 1), menu=""))
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    (tmp_path / ".hidden.html").write_bytes(page(prose(1, 150)))
    return tmp_path


def no_skip(reason: str) -> None:
    raise AssertionError(reason)


@pytest.mark.parametrize("method", ["minhash", "simhash", "fingerprint"])
def test_the_menus_of_a_site_do_not_make_its_pages_alike(folder: Path, method: str) -> None:
    skipped: list[str] = []
    chosen = choose(method)
    (pair,) = Collection([str(folder)], chosen, skipped.append).pairs(chosen.least)

    assert (Path(pair.first).name, Path(pair.second).name) == ("a.html", "c.html")
    assert chosen.least <= pair.similarity < 1
    assert len(skipped) == 1
    assert "broken.png" in skipped[0]


def test_files_are_named_in_order_and_once_more_is_an_exact_copy(folder: Path) -> None:
    paths = [str(folder / "b.html"), str(folder / "a.html"), str(folder / "b.html")]
    collection = Collection(paths, METHODS["exact"], no_skip)

    assert collection.names == paths
    assert [tuple(pair) for pair in collection.pairs(1.0)] == [(paths[0], paths[2], 1.0)]


def test_every_two_are_paired(tmp_path: Path) -> None:
    for name, words in {"a": prose(1), "b": edited(prose(1), 0.05, 1), "c": prose(1), "d": prose(1)}.items():
        (tmp_path / f"{name}.html").write_bytes(page(words))
    found = Collection([str(tmp_path)], METHODS["minhash"], no_skip).pairs(0.5)

    assert [Path(pair.first).stem + Path(pair.second).stem for pair in found] == ["ab", "ac", "ad", "bc", "bd", "cd"]


def test_each_copy_once_with_what_represents_it(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.html").write_bytes(page(edited(prose(1, 300), 0.01 * number, number)))
    found = list(Collection([str(tmp_path)], METHODS["minhash"], no_skip).copies(0.5))

    assert [(Path(pair.first).stem, Path(pair.second).stem) for pair in found] == [("0", "1"), ("0", "2"), ("0", "3")]


def test_what_is_like_a_document_without_itself(folder: Path) -> None:
    document = str(folder / "a.html")
    found = list(Collection([document, str(folder)], METHODS["minhash"], lambda _: None).like_first(0.4))

    assert [Path(pair.second).name for pair in found] == ["c.html"]


@pytest.mark.parametrize("method", ["minhash", "exact"])
def test_the_documents_of_a_project(finished: Project, site: Site, folder: Path, method: str) -> None:
    truth = site.truth()
    collection = Collection([str(finished.folder), str(folder / "a.html")], METHODS[method], no_skip)
    found = {frozenset((pair.first, pair.second)) for pair in collection.pairs(METHODS[method].least)}

    wanted = {frozenset(pair) for pair in (*truth.exact_copies, *(truth.near_copies if method == "minhash" else ()))}
    assert wanted <= found
    assert collection.names[-1] == str(folder / "a.html")


def test_a_file_that_was_named_must_be_readable(folder: Path) -> None:
    with pytest.raises(DocumentError, match="broken.png"):
        Collection([str(folder / "broken.png")], METHODS["minhash"], no_skip)
    with pytest.raises(DocumentError, match="cannot read"):
        Collection([str(folder / "none.html")], METHODS["minhash"], no_skip)
    with pytest.raises(UsageError, match="give one document"):
        check_document(str(folder))


def test_what_counts_as_a_project_and_as_files(finished: Project, folder: Path) -> None:
    (folder / "loop").symlink_to(folder)

    assert is_project(str(finished.folder))
    assert not is_project(str(folder))
    assert not is_project("http://a.es/")
    assert [Path(name).name for name in files_under(str(folder))] == ["a.html", "b.html", "broken.png", "c.html"]


def test_a_small_page_with_nothing_in_common(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(html("La <b>farola</b>."))

    assert list(Collection([str(tmp_path / "a.html")], METHODS["minhash"], no_skip).like_first(0.1)) == []
