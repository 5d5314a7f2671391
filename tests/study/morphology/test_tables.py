from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.morphology.fingerprints import fingerprints
from trasmallo.study.morphology.tables import MAGIC, LexiconTables, SetReading, pack

HOUSE = SetReading(1, "", "NOUN", "Number=Plur", (), "lexicon", "NCFP000")
MARRY = SetReading(2, "ar", "VERB", "", ("se", "lo"), "rule", "VMIP2S0")
FORMS = {"casas": (HOUSE, MARRY), "mesas": (HOUSE,), "años": (HOUSE,), "": (MARRY,)}


def test_what_was_packed_is_found(tmp_path: Path) -> None:
    path = tmp_path / "lexicon"
    path.write_bytes(b"".join(pack(FORMS)))
    tables = LexiconTables.open(path)
    assert {form: tables.find(form) for form in FORMS} == FORMS
    assert tables.find("casa") == ()


@given(st.sets(st.text(max_size=5), max_size=200), st.text(max_size=5))
def test_only_what_was_packed_is_found(forms: set[str], other: str) -> None:
    forms = {form for form in forms if form.isprintable()}
    tables = LexiconTables(b"".join(pack(dict.fromkeys(forms, (HOUSE,)))))
    assert all(tables.find(form) == (HOUSE,) for form in forms)
    assert bool(tables.find(other)) == (other in forms)


def test_the_filter_lets_pass_what_is_listed_by_itself() -> None:
    tables, prints = LexiconTables(b"".join(pack(FORMS))), fingerprints(["casas", "mesas", "años"])
    assert tables.likely(prints).tolist() == [0, 1, 2]
    assert LexiconTables(b"".join(pack({"casas": (MARRY,)}))).likely(prints).tolist() == []


def test_a_broken_character_is_in_no_lexicon() -> None:
    assert LexiconTables(b"".join(pack(FORMS))).find("\ud800") == ()


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"ANOTHER1" + data[8:], lambda data: MAGIC + b"\0\0"])
def test_a_damaged_file_is_refused(damage: object) -> None:
    assert callable(damage)
    with pytest.raises(Exception, match="lexicon|buffer"):
        LexiconTables(damage(b"".join(pack(FORMS))))
