from __future__ import annotations

import pytest

from trasmallo.study.unlisted.corpus import Evidence, Reason, kinds_of
from trasmallo.study.unlisted.kinds import Kind
from trasmallo.study.unlisted.signs import SIGNS, Sign


def evidence(word: str, signs: dict[Sign, float], documents: int = 3, **others: object) -> Evidence:
    shares = tuple(signs.get(sign, 0.0) for sign in SIGNS)
    told = {"language": "es", "kind": Kind.CANDIDATE, "nearest": "", "count": 9, **others}
    return Evidence(word=word, documents=documents, shares=shares, **told)  # type: ignore[arg-type]


ARTICLE = {Sign.SMALL: 1.0, Sign.AFTER_DETERMINER: 0.6}


@pytest.mark.parametrize(
    ("one", "kind", "reason"),
    [
        (evidence("debian", {Sign.CAPITAL_INSIDE: 0.9, Sign.CAPITAL_FIRST: 0.1}), Kind.NAME, Reason.INSIDE),
        (evidence("usr", {Sign.SMALL: 1.0, Sign.IN_CODE: 0.8}), Kind.SEQUENCE, Reason.CODE),
        (evidence("dpto.", ARTICLE), Kind.ABBREVIATION, Reason.POINT),
        (evidence("dgt", {Sign.CAPITALS: 1.0, Sign.AFTER_DETERMINER: 0.6}), Kind.ABBREVIATION, Reason.CAPITALS),
        (evidence("backstage", ARTICLE), Kind.CANDIDATE, Reason.LOAN),
        (evidence("backstage", ARTICLE | {Sign.AFTER_STRANGE: 0.8}), Kind.FOREIGN, None),
        (evidence("backstage", ARTICLE, documents=1), Kind.FOREIGN, None),
        (evidence("barcoteca", ARTICLE), Kind.CANDIDATE, Reason.NATIVE),
        (evidence("barcoteca", ARTICLE, documents=1), Kind.WAITING, Reason.NATIVE),
        (evidence("barcoteca", ARTICLE | {Sign.INTRODUCED: 0.2}), Kind.CANDIDATE, Reason.INTRODUCED),
        (evidence("barcoteca", ARTICLE | {Sign.QUOTED: 0.5}), Kind.CANDIDATE, Reason.MARKED),
        (evidence("barcoteca", ARTICLE, emphasised=1), Kind.CANDIDATE, Reason.MARKED),
        (evidence("travajo", ARTICLE), Kind.MISTAKE, Reason.NEAR),
        (evidence("rehumanización", ARTICLE), Kind.FORMED, Reason.AFFIX),
        (evidence("eleuterio", {Sign.CAPITAL_FIRST: 1.0}), Kind.NAME, Reason.NAME_LIST),
        (evidence("flumbe", ARTICLE, language="fr"), Kind.CANDIDATE, Reason.UNLEARNT),
        (evidence("barcoteca", ARTICLE, coded=4), Kind.NAME, Reason.PROGRAM),
        (evidence("barcoteca", ARTICLE, coded=3), Kind.CANDIDATE, Reason.NATIVE),
        (evidence("todes", ARTICLE, kind=Kind.INCLUSIVE), Kind.INCLUSIVE, Reason.NEUTRAL),
    ],
)
def test_the_kind_of_a_word_in_a_corpus(one: Evidence, kind: Kind, reason: Reason | None) -> None:
    (found,) = kinds_of([one])
    assert found.kind is kind
    assert reason is None or found.reason is reason
    assert 0 < found.probability <= 1


@pytest.mark.parametrize(
    ("sources", "documents", "in_all", "kind"),
    [(1, 5, 2, Kind.WAITING), (2, 2, 2, Kind.CANDIDATE), (1, 5, 1, Kind.CANDIDATE), (1, 1, 1, Kind.WAITING)],
)
def test_candidates_wait_for_a_second_source(sources: int, documents: int, in_all: int, kind: Kind) -> None:
    one = evidence("barcoteca", ARTICLE, documents=documents, sources=sources)
    assert kinds_of([one], sources=in_all)[0].kind is kind


def test_a_word_with_a_plural_is_a_loan_and_no_program() -> None:
    alone = kinds_of([evidence("fwallett", ARTICLE, coded=9)])[0]
    both = kinds_of([evidence(word, ARTICLE, coded=9) for word in ("fwallett", "fwalletts")])
    assert alone.kind is not Kind.CANDIDATE
    assert all(one.reason is not Reason.PROGRAM for one in both)


def test_what_stands_beside_the_kind() -> None:
    mistake, formed, recent = kinds_of([evidence(word, ARTICLE) for word in ("travajo", "rehumanización", "sororidad")])
    assert (mistake.nearest, formed.affix) == ("trabajo", "re-")
    assert (mistake.known, recent.known) == (False, True)
    assert kinds_of([]) == []


def test_a_word_met_once_is_admitted_by_its_relatives() -> None:
    relatives = [evidence("barcotequear", ARTICLE), evidence("barcotequeo", ARTICLE)]
    once = evidence("barcotequista", ARTICLE, documents=1)
    alone, beside = kinds_of([once])[0].kind, kinds_of([*relatives, once])[-1].kind
    assert (alone, beside) == (Kind.WAITING, Kind.CANDIDATE)


def test_a_foreign_word_that_mostly_has_an_article_is_a_loan() -> None:
    rare = {Sign.SMALL: 1.0, Sign.AFTER_DETERMINER: 0.2}
    assert kinds_of([evidence("screenwriter", ARTICLE)])[0].reason is Reason.LOAN
    assert kinds_of([evidence("screenwriter", rare)])[0].kind is Kind.FOREIGN
