from __future__ import annotations

import re

import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.stem import porter
from trasmallo.study.stem.krovetz import lexicon

# The examples that stand beside the rules of the paper, as whole words go through all steps.
PAPER = {
    "caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat", "feed": "feed", "agreed": "agre",
    "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat", "troubled": "troubl",
    "sized": "size", "hopping": "hop", "tanned": "tan", "falling": "fall", "hissing": "hiss", "fizzed": "fizz",
    "failing": "fail", "filing": "file", "happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit",
    "rational": "ration", "valenci": "valenc", "hesitanci": "hesit", "digitizer": "digit", "conformabli": "conform",
    "radicalli": "radic", "differentli": "differ", "vileli": "vile", "analogousli": "analog", "vietnamization": "vietnam",
    "predication": "predic", "operator": "oper", "feudalism": "feudal", "decisiveness": "decis", "hopefulness": "hope",
    "callousness": "callous", "formaliti": "formal", "sensitiviti": "sensit", "sensibiliti": "sensibl",
    "triplicate": "triplic", "formative": "form", "formalize": "formal", "electriciti": "electr", "electrical": "electr",
    "hopeful": "hope", "goodness": "good", "revival": "reviv", "allowance": "allow", "inference": "infer", "airliner": "airlin",
    "gyroscopic": "gyroscop", "adjustable": "adjust", "defensible": "defens", "irritant": "irrit", "replacement": "replac",
    "adjustment": "adjust", "dependent": "depend", "adoption": "adopt", "homologou": "homolog", "communism": "commun",
    "activate": "activ", "angulariti": "angular", "homologous": "homolog", "effective": "effect", "bowdlerize": "bowdler",
    "probate": "probat", "rate": "rate", "cease": "ceas", "controll": "control", "roll": "roll",
    "generalizations": "gener", "oscillators": "oscil",
}  # fmt: skip


@pytest.mark.parametrize(("word", "stem"), PAPER.items())
def test_the_examples_of_the_paper(word: str, stem: str) -> None:
    assert porter.stem(word) == stem


def test_every_headword_has_the_stem_that_snowballs_porter_gives() -> None:
    other = Stemmer.Stemmer("porter")
    # Snowball's version makes one letter of nine doubled ones, the paper of every consonant but l, s and z.
    words = [word for word in (*lexicon().headwords, *lexicon().exceptions) if not re.search("(kk|vv)(ed|ing)$", word)]
    assert len(words) > 60_000
    assert [word for word in words if porter.stem(word) != other.stemWord(word)] == []


@given(st.text(alphabet="abeinlstyzgdo", max_size=12))
def test_every_string_of_letters_has_the_stem_that_snowballs_porter_gives(word: str) -> None:
    assert porter.stem(word) == Stemmer.Stemmer("porter").stemWord(word)


def test_every_doubled_consonant_but_three_is_made_single() -> None:
    assert [porter.stem(word) for word in ("revved", "yakking", "hissing", "falling")] == ["rev", "yak", "hiss", "fall"]


# Words of the author's published vocabulary in whose stems paper and later program differ.
@pytest.mark.parametrize(
    ("word", "paper", "revised"),
    [("apology", "apologi", "apolog"), ("as", "a", "as"), ("assemblies", "assembli", "assembl"), ("ay", "ai", "ay")],
)
def test_the_later_program_differs(word: str, paper: str, revised: str) -> None:
    assert (porter.stem(word), porter.as_revised(word)) == (paper, revised)


@given(st.text(max_size=30))
def test_no_text_breaks_it(word: str) -> None:
    assert len(porter.stem(word)) <= len(word) + 1
    assert porter.as_revised(word) == word or len(word) > 2
