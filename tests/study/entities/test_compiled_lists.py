"""Lists of names: how they are met, compiled once, refused when they are no lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.entities import compiled_lists
from trasmallo.study.entities.compiled_lists import CompiledList, ListOptions, normal_form
from trasmallo.study.tokenise import columns
from trasmallo.values.errors import UsageError
from trasmallo.values.scratch import cache_folder


def made(folder: Path, text: str, **options: bool) -> CompiledList:
    path = folder / "list.txt"
    path.write_text(text, "utf-8")
    return CompiledList(path, ListOptions(**options), "es")


def met(names: CompiledList, text: str, lemmas: list[str] | None = None) -> list[tuple[str, str]]:
    words = columns(text, "es").words
    found = names.find(words, lemmas or words)
    return [(" ".join(words[one.start : one.end]), names.value(one.entry)) for one in found]


def test_the_longest_name_is_met_in_any_case_and_without_accents(tmp_path: Path) -> None:
    names = made(tmp_path, "# ciudades\nMálaga\nSan José\nSan José de Flores\tflores\n\n")
    assert len(names) == 3
    assert met(names, "de MALAGA a san jose de flores, San Jose y San") == [
        ("MALAGA", "Málaga"),
        ("san jose de flores", "flores"),
        ("San Jose", "San José"),
    ]


@pytest.mark.parametrize(
    ("options", "text", "wanted"),
    [
        ({"case": True}, "sol Sol SOL", ["Sol"]),
        ({"accents": True}, "sol camión camion", ["sol", "camión"]),
        ({"inflected": True}, "soles camiones camión", ["soles", "camiones", "camión"]),
        ({}, "soles camiones", []),
        ({"case": True, "accents": True}, "SOL Camión", []),
    ],
)
def test_options_say_what_counts(tmp_path: Path, options: dict[str, bool], text: str, wanted: list[str]) -> None:
    assert [word for word, _ in met(made(tmp_path, "Sol\ncamión\n", **options), text)] == wanted


@pytest.mark.parametrize(
    ("one", "many"),
    [("aspirina", "aspirinas"), ("lápiz", "lápices"), ("paracetamol", "paracetamoles"), ("table", "tables"),
     ("therapy", "therapies"), ("virus", "virus"), ("jersey", "jerséis")],
)  # fmt: skip
def test_singular_and_plural_meet(one: str, many: str) -> None:
    normal = normal_form(ListOptions(inflected=True))
    assert normal(one) == normal(many)


def test_inflected_names_are_met_by_lemmas(tmp_path: Path) -> None:
    names = made(tmp_path, "alto cargo\n", inflected=True)
    assert met(names, "altas cargas", ["alto", "cargo"]) == [("altas cargas", "alto cargo")]


@given(st.lists(st.text(alphabet="abcñ é", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=8))
def test_every_name_is_met_where_it_stands_alone(tmp_path_factory: pytest.TempPathFactory, listed: list[str]) -> None:
    names = made(tmp_path_factory.mktemp("lists"), "\n".join(listed))
    for name in listed:
        words = columns(name.strip(), "es").words
        assert (0, len(words)) in [(one.start, one.end) for one in names.find(words, words)]


def test_a_compiled_list_is_made_once_and_again_when_it_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made(tmp_path, "Soria\n")
    (file,) = (cache_folder() / "entity_lists").iterdir()
    first = file.stat().st_mtime_ns
    made(tmp_path, "Soria\n")
    assert file.stat().st_mtime_ns == first
    for damaged in (b"", file.read_bytes()[:-1] + b"\0", file.read_bytes()[:50]):
        file.write_bytes(damaged)
        assert met(made(tmp_path, "Soria\n"), "Soria") == [("Soria", "Soria")]
    made(tmp_path, "Ávila\n")
    assert len(list((cache_folder() / "entity_lists").iterdir())) == 2


@pytest.mark.parametrize(("content", "said"), [(b"# nothing\n", "has no names"), (b"a\n\xff\n", "line 2: not UTF-8")])
def test_what_is_no_list_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        CompiledList(path, ListOptions(), "es")
    with pytest.raises(UsageError, match="cannot read"):
        CompiledList(tmp_path / "none.txt", ListOptions(), "es")


def test_a_name_as_long_as_a_sentence_is_left_out(tmp_path: Path) -> None:
    assert len(made(tmp_path, "uno " * (compiled_lists.LONGEST + 1) + "\nSoria\n")) == 1
