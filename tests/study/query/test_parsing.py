from __future__ import annotations

import pickle

import pytest
from hypothesis import given

from support.naive_queries import queries
from trasmallo.study.query.parsing import is_phrase, parse, phrase, unquoted
from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.syntax import (
    Agreement,
    Area,
    Both,
    Choice,
    Compare,
    Edge,
    Either,
    Not,
    One,
    PatternSequence,
    Query,
    Repeat,
    Restriction,
)

HACER = One(Compare("lemma", "hacer"))
NOUN = One(Compare("pos", "NOUN"))


@given(queries)
def test_what_is_written_is_read_as_the_same_query(query: Query) -> None:
    assert parse(str(query)) == query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ('[lemma="hacer"] []{0,3} [pos="NOUN"]', Query(PatternSequence((HACER, Repeat(One(Both()), 0, 3), NOUN)))),
        ('"casa"', Query(One(Compare("word", "casa")))),
        ("'casa'%cd", Query(One(Compare("word", "casa", any_case=True, any_accent=True)))),
        ('[lc="casa"]', Query(One(Compare("word", "casa", any_case=True)))),
        ('[word=="a.b"]', Query(One(Compare("word", "a.b", literal=True)))),
        ('[word="a.b"%l]', Query(One(Compare("word", "a.b", literal=True)))),
        ('[word!=="\\"\\\\"]', Query(One(Compare("word", '"\\', negated=True, literal=True)))),
        (
            '[word="a" & lemma="b" | !(pos="c")]',
            Query(One(Either((Both((Compare("word", "a"), Compare("lemma", "b"))), Not(Compare("pos", "c")))))),
        ),
        ('("a"|"b" "c")+', Query(Repeat(parse('"a"|"b" "c"').pattern, 1, 100))),
        ('"a"? "b"* "c"{2} "d"{,4}', Query(PatternSequence(tuple(Repeat(One(Compare("word", word)), low, high)
            for word, low, high in [("a", 0, 1), ("b", 0, 100), ("c", 2, 2), ("d", 0, 4)])))),
        ('<s> "a" </doc>', Query(PatternSequence((Edge("s"), One(Compare("word", "a")), Edge("doc", end=True))))),
        ('[pos="NOUN"] within s', Query(NOUN, (), (Restriction("within", Area("s")),))),
        ('[pos="NOUN"] !within <s/>', Query(NOUN, (), (Restriction("within", Area("s"), negated=True),))),
        (
            '[pos="NOUN"] within <doc language="es" words>="10"/>',
            Query(NOUN, (), (Restriction("within", Area("doc", (("language", "=", "es"), ("words", ">=", "10")))),)),
        ),
        ('[pos="NOUN"] containing [lemma="hacer"]', Query(NOUN, (), (Restriction("containing", Query(HACER)),))),
        (
            '1:[pos="NOUN"] a:[] & 1.lemma != a.word within s',
            Query(
                PatternSequence((One(Compare("pos", "NOUN"), "1"), One(Both(), "a"))),
                (Agreement("1", "a", ("lemma", "word"), negated=True),),
                (Restriction("within", Area("s")),),
            ),
        ),
    ],
)  # fmt: skip
def test_queries(text: str, query: Query) -> None:
    assert parse(text) == query


def test_a_choice_is_weaker_than_a_sequence() -> None:
    assert parse('"a" "b"|"c"').pattern == Choice((parse('"a" "b"').pattern, parse('"c"').pattern))


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("[lemma=hacer]", 7, 'a value in quotation marks is expected: write it like "hacer"'),
        ('[lemma="hacer"', 14, "']' is missing for the '[' of character 1"),
        ('("a" ("b")', 10, "')' is missing for the '(' of character 1"),
        ('"a")', 3, "nothing more is expected here"),
        ('"a" "b', 4, "never closed"),
        ("casa]", 0, 'write it like "casa"'),
        ('[wrod="a"]', 1, "did you mean word?"),
        ('[word "a"]', 6, "= or != is expected"),
        ("[]{0,100000}", 2, "100,000 repeats are more than the 100"),
        ("[]{3,1}", 2, "{3,1} is no range"),
        ("[]{x}", 3, "a number is expected"),
        ('"a" within p', 11, "there are s (sentences) and doc (documents)"),
        ('"a" within <s lang="es"/>', 25, "only documents have columns"),
        ('"a" within <doc lang "es"/>', 21, "a column, a comparison and a value are expected"),
        ('"a" & lemma = 2.lemma', 6, "a label and its attribute are expected"),
        ('1:"a" 2:"b" & 1.lemma > 2.lemma', 22, "compared with = or !="),
        ("1: <s>", 3, "a token is expected behind a label"),
        ("<s>+ []", 3, "cannot be repeated"),
        ('"a"%x', 4, "c, d or l is expected"),
        ('"a" |', 5, "a token is expected"),
        ("(" * 51 + '"a"' + ")" * 51, 51, "nested more than 50 deep"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_repair(text: str, at: int, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert caught.value.at == at
    assert said in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).at == at


def test_a_query_of_a_megabyte_is_refused() -> None:
    with pytest.raises(QueryError, match="longer than 100,000 characters"):
        parse('"a" ' * 300_000)


def test_a_word_or_phrase_is_a_query_in_any_case() -> None:
    assert is_phrase("la casa (blanca)")
    assert not is_phrase('"casa"')
    assert not is_phrase("casa]")
    assert str(phrase(["La", "cas*", "*"])) == '[word=="La"%c] [word="cas.*"%c] [word=="*"%c]'
    with pytest.raises(QueryError, match="empty"):
        phrase([])


def test_a_phrase_in_quotation_marks_is_its_words() -> None:
    assert unquoted(' "la mar" ') == "la mar"
    assert [unquoted(nothing) for nothing in ('""', ' " " ', "''")] == ["", "", ""]
    for other in ('"la" "mar"', '"mar"', "la mar", '"la mar" [pos="VERB"]', '"la mar"%c', '" mar "'):
        assert unquoted(other) == other
    assert str(parse('"la mar" [pos="VERB"]')) == str(parse('("la" "mar") [pos="VERB"]'))
    assert str(parse('"la mar.*"%c{2}')) == str(parse('("la"%c "mar.*"%c){2}'))
