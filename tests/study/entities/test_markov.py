"""The hidden Markov model, as the textbook draws it."""

from __future__ import annotations

import msgspec

from trasmallo.study.entities.markov import MarkovTagger, train

SENTENCES = [
    "Fred/B-PER Smith/I-PER who/O lives/O at/O 10/B-LOC Water/I-LOC Street/I-LOC ,/O Springfield/B-LOC",
    "Ann/B-PER Smith/I-PER who/O lives/O in/O Boston/B-LOC",
    "Fred/B-PER Jones/I-PER who/O works/O at/O 12/B-LOC Water/I-LOC Street/I-LOC ,/O Boston/B-LOC",
    "the/O Boston/B-MISC Marathon/I-MISC begins/O in/O Springfield/B-LOC",
    "the/O Boston/B-MISC Marathon/I-MISC ends/O in/O Boston/B-LOC",
    "a/O marathon/O is/O long/O",
    "a/O bush/O is/O green/O",
    "President/O Bush/B-PER lives/O in/O Texas/B-LOC",
]
LABELLED = [[tuple(pair.rsplit("/", 1)) for pair in sentence.split()] for sentence in SENTENCES]
MODEL = train(LABELLED, language="en", made_from="the textbook")  # type: ignore[arg-type]
TAGGER = MarkovTagger(MODEL)


def states(text: str) -> list[str]:
    """The states of a sentence without repetitions, as figure 4.14 walks them."""
    found = ["start"]
    for label in TAGGER.label(text.split()):
        name = {"PER": "name", "LOC": "location"}.get(label[2:], label[2:] or "not-an-entity")
        found += [name] if name != found[-1] else []
    return [*found, "end"]


def test_the_sentence_of_the_textbook() -> None:
    walked = ["start", "name", "not-an-entity", "location", "not-an-entity", "end"]
    assert states("Fred Smith who lives at 10 Water Street is") == walked


def test_bush_and_marathon_depend_on_what_is_before() -> None:
    assert TAGGER.label(["a", "bush", "is", "green"]) == ["O"] * 4
    assert TAGGER.label(["President", "Bush", "lives", "in", "Boston"])[1] == "B-PER"
    assert TAGGER.label(["the", "Boston", "Marathon", "ends"]) == ["O", "B-MISC", "I-MISC", "O"]
    assert TAGGER.label(["Fred", "Jones", "lives", "in", "Boston"])[-1] == "B-LOC"


def test_it_writes_sentences() -> None:
    written = [TAGGER.walk(seed) for seed in range(20)]
    assert written == [TAGGER.walk(seed) for seed in range(20)]
    known = {pair for sentence in LABELLED for pair in sentence}
    assert {pair for sentence in written for pair in sentence} <= known
    assert any(sentence for sentence in written)


def test_nothing_is_nothing() -> None:
    assert TAGGER.label([]) == []


def test_an_unknown_name_is_told_by_the_word_before() -> None:
    told = [[("lives", "O"), ("in", "O"), (town, "B-LOC")] for town in ("Soria", "Burgos", "Lugo")]
    told += [[("written", "O"), ("by", "O"), (person, "B-PER")] for person in ("Ana", "Eva", "Luis")]
    tagger = MarkovTagger(train(told, language="en", made_from="words before"))
    assert tagger.label(["found", "in", "Zzyx"])[-1] == "B-LOC"
    assert tagger.label(["found", "by", "Zzyx"])[-1] == "B-PER"


def test_a_model_without_words_before_is_used_as_before() -> None:
    bare = MarkovTagger(msgspec.structs.replace(MODEL, after={}))
    assert bare.label(["Fred", "Smith", "who", "lives", "in", "Boston"]) == ["B-PER", "I-PER", "O", "O", "O", "B-LOC"]


def test_an_unknown_name_is_told_by_what_follows() -> None:
    told = [[(town, "B-LOC"), (",", "O"), ("ciudad", "O")] for town in ("Soria", "Burgos", "Lugo")]
    told += [[(person, "B-PER"), (",", "O"), ("ministra", "O")] for person in ("Ana", "Eva", "Luis")]
    model = train(told, language="es", made_from="words after")
    tagger = MarkovTagger(model)
    assert tagger.label(["Zzyx", ",", "ciudad"])[0] == "B-LOC"
    assert tagger.label(["Zzyx", ",", "ministra"])[0] == "B-PER"
    bare = MarkovTagger(msgspec.structs.replace(model, clues={}))
    assert len({bare.label(["Zzyx", ",", word])[0] for word in ("ciudad", "ministra")}) == 1


def test_clues_met_once_are_not_kept() -> None:
    model = train([[("Soria", "B-LOC"), ("crece", "O")]], language="es", made_from="one")
    assert model.clues == {}
