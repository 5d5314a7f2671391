from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.languages.ar.splitting import Affixed, split, stem


@pytest.mark.parametrize(
    ("word", "prefixes", "found", "suffixes"),
    [
        ("كتاب", (), "كتاب", ()),  # a book
        ("كِتَابٌ", (), "كتاب", ()),  # with its vowel signs
        ("الكتاب", ("ال",), "كتاب", ()),  # the book
        ("والكتاب", ("و", "ال"), "كتاب", ()),  # and the book
        ("بالبيت", ("بال",), "بيت", ()),  # in the house
        ("للطالب", ("لل",), "طالب", ()),  # for the student
        ("كتابها", (), "كتاب", ("ها",)),  # her book
        ("الكتابان", ("ال",), "كتاب", ("ان",)),  # the two books
        ("المدرسة", ("ال",), "مدرس", ("ة",)),  # the school
        ("المعلمون", ("ال",), "معلم", ("ون",)),  # the teachers
        ("ولد", (), "ولد", ()),  # a boy: what is left would be too short
        ("أحمد", (), "احمد", ()),  # one letter for all kinds of alef
        ("", (), "", ()),
    ],
)
def test_affixes(word: str, prefixes: tuple[str, ...], found: str, suffixes: tuple[str, ...]) -> None:
    assert split(word) == Affixed(prefixes, found, suffixes)
    assert stem(word) == found


@given(st.text(alphabet="والبكفلهاتنيةكتبرسمد", max_size=14))
def test_the_parts_spell_the_word(word: str) -> None:
    parts = split(word)
    assert "".join([*parts.prefixes, parts.stem, *parts.suffixes]) == word
    assert len(parts.stem) >= min(len(word), 2)
