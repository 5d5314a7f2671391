"""What a document becomes in the index."""

from __future__ import annotations

import msgspec

from trasmallo.store.index.entries import APART, EXACT, NAMED, PUBLIC, WEIGHTS, IndexEntry, from_document, to_document

ENTRY = IndexEntry(
    id="0123456789abcdef",
    url="http://www.red.es/a",
    host="www.red.es",
    at=7.0,
    title="La red",
    language="es",
    media="text/html",
    text="una red rota",
    parts=(("title", "La red"), ("comments", "bonita")),
    day=20240601,
)


def test_what_is_stored_comes_back() -> None:
    stored = from_document(to_document(ENTRY))
    for name in stored.__struct_fields__:
        assert getattr(stored, name) == getattr(ENTRY, name)


def test_a_part_counts_as_often_as_its_weight_says() -> None:
    (words,) = to_document(ENTRY)["words"]
    assert words.count("red") == 1 + WEIGHTS["title"]
    assert "bonita" not in words, "comments are found by their name only"
    assert not set(WEIGHTS) & set(APART)


def test_the_length_is_that_of_the_text_alone() -> None:
    assert to_document(ENTRY)["length"] == [len(ENTRY.text)]


def test_a_document_belongs_to_its_host_and_to_all_sites_above_it() -> None:
    made = to_document(ENTRY).to_dict()
    assert made["site"] == ["www.red.es", "red.es"]
    assert (made["year"], made["groups"]) == (["2024"], [PUBLIC])
    closed = to_document(msgspec.structs.replace(ENTRY, groups=("ours",), day=0)).to_dict()
    assert closed["groups"] == ["ours"]
    assert "year" not in closed
    assert set(made) >= set(EXACT) - {"entity", "seed", "docno", "folder", "place", *NAMED}


def test_a_file_is_in_its_folder_and_in_all_above_it() -> None:
    made = to_document(msgspec.structs.replace(ENTRY, folder="/home/ana", named=(("owner", "ana"),))).to_dict()
    assert (made["place"], made["folder"], made["owner"]) == (["/home/ana"], ["/", "/home", "/home/ana"], ["ana"])
