from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import assume, given, settings

from naive_queries import Documents, document_tokens, documents, hits, queries
from tokens import write_documents
from trasmallo.store.tokens import Corpus, merge
from trasmallo.study.query.evaluation import Source, search
from trasmallo.study.query.machine import labels
from trasmallo.study.query.syntax import Query


def corpus_of(made: Documents) -> Corpus:
    with tempfile.TemporaryDirectory() as folder:
        path = write_documents(Path(folder) / "part", [document_tokens(number, tokens) for number, tokens in enumerate(made)])
        merge([path], Path(folder) / "tokens", positions=True)
        return Corpus.open(Path(folder) / "tokens")


def found(query: Query, source: Source) -> list[tuple[int, int]]:
    return [
        (first, length)
        for some in search(query, source)
        for first, length in zip(some.first.tolist(), some.length.tolist(), strict=True)
    ]


@settings(max_examples=120)
@given(documents, queries)
def test_the_hits_are_those_of_a_plain_evaluator(made: Documents, query: Query) -> None:
    known = labels(query.pattern)
    assume(all(one.first in known and one.second in known for one in query.agreements))
    assert found(query, Source(corpus_of(made))) == hits(query, made)
