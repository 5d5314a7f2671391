"""From a question to tantivy's query, and to the words that are to be highlighted.

A word stands for itself and, with less weight, for its mates: words of the index with the same stem. So the words stay indexed
as they are, and who wants one of them only puts it between quotation marks. Everything that a word becomes is a plain term of
one field, which lets tantivy skip what cannot be among the best.

What a reader may not see is ruled out inside the query: it is neither found, counted, listed in facets, nor suggested.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from trasmallo.store.index.entries import PUBLIC, schema
from trasmallo.store.index.lemma_use import Lemmas, LemmaUse, form_weights
from trasmallo.store.index.query import Clause, ClauseGroup, Filter, Question, TextClause
from trasmallo.store.index.spelling import Listing, near_terms
from trasmallo.store.index.words import terms_of
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    import tantivy

_MATE = 0.3  # weight of a word with the same stem, calibrated with `entries.WEIGHTS`
_NEAR = {1: 0.5, 2: 0.25}
_BEGINS = 0.5  # weight of a word that only begins so, calibrated with `entries.WEIGHTS`
_REST = 0.1
"""What the words beyond the most frequent ones of a beginning or near a word count; they are found, and come last."""
_MOST_FORMS = 50  # judgement: words that one prefix stands for
_MOST_MATES = 16  # judgement: a Spanish verb has more forms, few of them frequent

Mates = Callable[[str, Listing], Iterable[str]]
"""The other terms of the index that are forms of the same word."""


class Manner(msgspec.Struct, frozen=True):
    """How a question is to be taken.

    `all_words` means that every word must be there; `stop` are the terms that say little; `groups` are those that the reader
    is in, None when everything may be seen; `copies` are found too; `hidden_ids` are copies that the index does not know of.
    `types` are the media types that the names of formats stand for (`type:doc`). Other forms of a word are looked for in
    documents in `language` only, in any when it is empty: another language has other words that are written alike.
    `lemmas` tells where lemmas stand, None where nobody knows.
    """

    all_words: bool = False
    stop: frozenset[str] = frozenset()
    groups: tuple[str, ...] | None = ()
    copies: bool = False
    hidden_ids: tuple[str, ...] = ()
    types: Mapping[str, tuple[str, ...]] = {}
    language: str = ""
    lemmas: Lemmas | None = None


class Asked(msgspec.Struct, frozen=True):
    """A question as tantivy takes it: `limits` is what any document must fulfil, whatever is asked for.

    `mates` are the other forms that stand for a term, where there are any, in documents in `language` ("": in all). `terms` are
    to be highlighted, mates too, of which `own_terms` are those that are none; so are the places of `lemmas`.
    """

    query: tantivy.Query
    limits: tantivy.Query | None
    terms: tuple[str, ...]
    words: tuple[str, ...]
    mates: dict[str, tuple[str, ...]] = {}
    language: str = ""
    own_terms: tuple[str, ...] = ()
    lemmas: tuple[LemmaUse, ...] = ()

    def places_in(self, document: str) -> list[tuple[int, int]]:
        """Where the lemmas stand in a document."""
        return [place for use in self.lemmas for place in use.places(document)]

    def terms_in(self, language: str) -> tuple[str, ...]:
        """What is to be highlighted in a document in a language."""
        return self.terms if self.language in ("", language) else self.own_terms


class Conjunction(msgspec.Struct, frozen=True):
    """What a document must all have: queries by how they are shown, and the `limits` that hold beside them."""

    queries: dict[str, tantivy.Query]
    limits: tantivy.Query | None


class Dictionary:
    """The terms of one part of the index."""

    def __init__(self, searcher: tantivy.Searcher, part: str) -> None:
        self._searcher = searcher
        self._part = part

    def count(self, term: str) -> int:
        """In how many documents a term is."""
        return self._searcher.doc_freq(self._part, term)

    def listing(self, beginning: str, most: int) -> list[tuple[str, int]]:
        """The most frequent terms with a beginning."""
        return self._searcher.terms_with_prefix(self._part, beginning, limit=most)


class Asker:
    """Turns questions into queries for one state of the index."""

    def __init__(
        self, searcher: tantivy.Searcher, dictionary: Callable[[str], Dictionary], mates: Mates, manner: Manner
    ) -> None:
        import tantivy

        self._searcher = searcher
        self._dictionary = dictionary
        self._mates = mates
        self._manner = manner
        self._make = tantivy.Query
        self._occur = tantivy.Occur
        self._terms: dict[str, None] = {}
        self._own_terms: dict[str, None] = {}
        self._found_mates: dict[str, tuple[str, ...]] = {}
        self._found_lemmas: list[LemmaUse] = []

    def ask(self, question: Question) -> Asked:
        """The query of a question."""
        clauses = [clause for clause in question.clauses if not isinstance(clause.what, Filter)]
        limits = self._limits([clause for clause in question.clauses if isinstance(clause.what, Filter)])
        wanted = self._together(clauses)
        query = wanted if limits is None else self._both(wanted, limits)
        return Asked(
            query=query,
            limits=limits,
            terms=tuple(self._terms),
            words=tuple(_words(question)),
            mates=self._found_mates,
            language=self._manner.language,
            own_terms=tuple(self._own_terms),
            lemmas=tuple(self._found_lemmas),
        )

    def conjunction(self, question: Question) -> Conjunction:
        """The clauses that `ask` would want all of with `all_words`, each by itself; what is ruled out is among the limits."""
        limits = self._limits([clause for clause in question.clauses if isinstance(clause.what, Filter)])
        clauses = [clause for clause in question.clauses if not isinstance(clause.what, Filter)]
        wanted = [clause for clause in clauses if clause.sign != "-"]
        told = [clause for clause in wanted if not self._says_little(clause)] or wanted
        found = {_shown(clause.what): self._clause(clause, self._occur.Must) for clause in told}
        queries = {shown: self._any_of(alike) for shown, alike in found.items() if alike}
        ruled_out = [each for clause in clauses if clause.sign == "-" for each in self._clause(clause, self._occur.MustNot)]
        return Conjunction(queries, self._without(limits, ruled_out))

    def _without(self, limits: tantivy.Query | None, ruled_out: Sequence[tantivy.Query]) -> tantivy.Query | None:
        if not ruled_out:
            return limits
        all_or_limits = self._make.all_query() if limits is None else limits
        return self._make.boolean_query(
            [(self._occur.Must, all_or_limits), *((self._occur.MustNot, query) for query in ruled_out)]
        )

    def everything(self) -> tantivy.Query:
        """All that the reader may see."""
        return self.only(self._make.all_query())

    def limits(self) -> tantivy.Query | None:
        """What any document must fulfil for the reader to see it; None when all do."""
        return self._limits([])

    def only(self, query: tantivy.Query) -> tantivy.Query:
        """A query among what the reader may see."""
        limits = self.limits()
        return query if limits is None else self._both(query, limits)

    def _both(self, wanted: tantivy.Query, limits: tantivy.Query) -> tantivy.Query:
        must = self._occur.Must
        return self._make.boolean_query([(must, wanted), (must, self._make.const_score_query(limits, 0.0))])

    def _together(self, clauses: Sequence[Clause]) -> tantivy.Query:
        """Clauses side by side: what must be, what must not, and of the rest at least one when nothing must be."""
        occur = {"+": self._occur.Must, "-": self._occur.MustNot, "": self._occur.Should}
        if self._manner.all_words:
            occur[""] = self._occur.Must
        told = [clause for clause in clauses if not self._says_little(clause)] or clauses
        queries = [(occur[clause.sign], each) for clause in told for each in self._clause(clause, occur[clause.sign])]
        if not any(how is not self._occur.MustNot for how, _ in queries):
            queries.append((self._occur.Must, self._make.all_query()))
        return queries[0][1] if len(queries) == 1 else self._make.boolean_query(queries)

    def _says_little(self, clause: Clause) -> bool:
        what = clause.what
        if (
            not self._manner.stop
            or clause.sign
            or not isinstance(what, TextClause)
            or what.kind != "word"
            or what.part != "words"
        ):
            return False
        return all(term in self._manner.stop for term in terms_of(what.text))

    def _clause(self, clause: Clause, occur: tantivy.Occur) -> list[tantivy.Query]:
        """What a clause becomes: several queries where any of them may match, else one."""
        if isinstance(clause.what, ClauseGroup):
            return [self._together(clause.what.clauses)]
        assert isinstance(clause.what, TextClause)
        if clause.what.part == "lemma":
            return [self._lemma(clause.what, highlighted=clause.sign != "-")]
        queries = list(self._text(clause.what, highlighted=clause.sign != "-"))
        if not queries:
            return []
        if occur is self._occur.Should or len(queries) == 1:
            return queries
        return [self._any_of(queries)]

    def _any_of(self, queries: Sequence[tantivy.Query]) -> tantivy.Query:
        return self._make.boolean_query([(self._occur.Should, query) for query in queries])

    def _text(self, what: TextClause, *, highlighted: bool) -> Iterator[tantivy.Query]:
        terms = terms_of(what.text)
        if not terms:
            return
        own: Sequence[tuple[str, float]] = [(term, 1.0) for term in terms]
        mated: Sequence[tuple[str, float]] = ()
        if what.kind == "phrase" or len(terms) > 1:
            yield self._phrase(what.part, terms, what.near if what.kind == "phrase" else 0)
        else:
            own, mated = self._forms(what, terms[0])
            yield from (self._term(what.part, form, weight) for form, weight in own)
            yield from self._in_language([self._term(what.part, form, weight) for form, weight in mated])
            yield from self._rest(what, terms[0])
        if highlighted:
            self._own_terms.update((form, None) for form, _ in own)
            self._terms.update((form, None) for form, _ in (*own, *mated))

    def _lemma(self, what: TextClause, *, highlighted: bool) -> tantivy.Query:
        """The documents in which a lemma is, the better the more its forms stand there; nobody looks whether they do."""
        if self._manner.lemmas is None:
            raise UsageError("nobody knows the lemmas of these documents", "ask for the word itself: {text}", text=what.text)
        use = self._manner.lemmas(what.text, what.kind == "phrase")
        if not use.documents:
            return self._make.empty_query()
        if highlighted:
            self._found_lemmas.append(use)
        inside = self._make.const_score_query(self._make.term_set_query(schema(), "id", list(use.documents)), 0.0)
        weights = form_weights(use, self._dictionary("words").count, self._rarity)
        better = [(self._occur.Should, self._term("words", term, weight)) for term, weight in weights.items()]
        return self._make.boolean_query([(self._occur.Must, inside), *better])

    def _in_language(self, queries: list[tantivy.Query]) -> list[tantivy.Query]:
        """Queries that count in documents in the language of the words; as they are where all documents are in it."""
        language = self._manner.language
        if not (queries and language) or self._is_everywhere("language", language):
            return queries
        inside = self._make.const_score_query(self._make.term_query(schema(), "language", language, "basic"), 0.0)
        return [self._make.boolean_query([(self._occur.Must, self._any_of(queries)), (self._occur.Must, inside)])]

    def _is_everywhere(self, part: str, value: str) -> bool:
        """Whether all documents have a value; tantivy's frequencies would count those too that were removed."""
        found = self._searcher.search(self._make.term_query(schema(), part, value, "basic"), 1)
        number: int = found.count  # type: ignore[attr-defined]
        return number == self._searcher.num_docs

    def _phrase(self, part: str, terms: list[str], slop: int) -> tantivy.Query:
        if len(terms) == 1:
            return self._term(part, terms[0], 1.0)
        return self._make.phrase_query(schema(), part, list(terms), slop=min(slop, 100))

    def _term(self, part: str, term: str, weight: float) -> tantivy.Query:
        query = self._make.term_query(schema(), part, term, "freq")
        return query if weight == 1.0 else self._make.boost_query(query, weight)

    def _forms(self, what: TextClause, term: str) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
        """The terms that a word stands for, with their weights, itself first; and its other forms in its language."""
        words = self._dictionary(what.part)
        if what.kind == "prefix":
            return [(form, _BEGINS) for form, _ in words.listing(term, _MOST_FORMS)], []
        if what.kind == "near":
            near = near_terms(term, what.near, words.count, words.listing)[:_MOST_FORMS]
            return [(term, 1.0), *((form, _NEAR[far]) for form, far, _ in near)], []
        return [(term, 1.0)], self._mated(term, words)

    def _mated(self, term: str, words: Dictionary) -> list[tuple[str, float]]:
        """The mates of a term, none worth more than all of them would be as one word: a rare form is no rarer thing."""
        counts = {mate: words.count(mate) for mate in islice(self._mates(term, words.listing), _MOST_MATES)}
        if not counts:
            return []
        self._found_mates[term] = tuple(counts)
        together = self._rarity(words.count(term) + sum(counts.values()))
        return [(mate, _MATE * together / self._rarity(count)) for mate, count in counts.items()]

    def _rarity(self, count: int) -> float:
        """The inverse document frequency, as BM25 has it."""
        number = self._searcher.num_docs
        count = min(count, number)
        return math.log(1 + (number - count + 0.5) / (count + 0.5))

    def _rest(self, what: TextClause, term: str) -> Iterator[tantivy.Query]:
        """All words of a beginning or near a word, so that none is left out of the count."""
        if what.kind == "prefix":
            query = self._make.regex_query(schema(), what.part, re.escape(term) + ".*")
        elif what.kind == "near":
            query = self._make.fuzzy_term_query(schema(), what.part, term, distance=what.near)
        else:
            return
        yield self._make.const_score_query(query, _REST)

    def _limits(self, filters: Sequence[Clause]) -> tantivy.Query | None:
        """What documents must fulfil: values of one name are alternatives; None when everything does."""
        queries: list[tuple[tantivy.Occur, tantivy.Query]] = []
        wanted: dict[str, list[tantivy.Query]] = {}
        for clause in filters:
            assert isinstance(clause.what, Filter)
            if clause.sign == "-":
                queries.append((self._occur.MustNot, self._filter(clause.what)))
            else:
                wanted.setdefault(clause.what.name, []).append(self._filter(clause.what))
        queries += [(self._occur.Must, self._any_of(either)) for either in wanted.values()]
        queries += self._seen() + self._unfolded()
        if queries and all(how is self._occur.MustNot for how, _ in queries):
            queries.append((self._occur.Must, self._make.all_query()))
        return self._make.boolean_query(queries) if queries else None

    def _seen(self) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        """Only what the reader's groups may see; nothing to ask when everything is public."""
        groups = self._manner.groups
        if groups is None or self._is_everywhere("groups", PUBLIC):
            return []
        return [(self._occur.Must, self._make.term_set_query(schema(), "groups", [PUBLIC, *groups]))]

    def _unfolded(self) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        """No copies."""
        if self._manner.copies:
            return []
        hidden: list[tuple[tantivy.Occur, tantivy.Query]] = []
        if self._searcher.doc_freq("copy", True):
            hidden.append((self._occur.MustNot, self._make.term_query(schema(), "copy", True)))
        if self._manner.hidden_ids:
            hidden.append((self._occur.MustNot, self._make.term_set_query(schema(), "id", list(self._manner.hidden_ids))))
        return hidden

    def _filter(self, what: Filter) -> tantivy.Query:
        import tantivy

        if what.name == "date":
            low, high = max(what.first, 1), what.last
            return self._make.range_query(schema(), "day", tantivy.FieldType.Integer, low, high)
        values = self._manner.types.get(what.value, (what.value,)) if what.name == "type" else (what.value,)
        return self._make.term_set_query(schema(), what.name, list(values))


def _shown(what: TextClause | ClauseGroup | Filter) -> str:
    """A clause as somebody would write it."""
    if isinstance(what, ClauseGroup):
        return "(" + " ".join(clause.sign + _shown(clause.what) for clause in what.clauses) + ")"
    if isinstance(what, Filter):
        return f"{what.name}:{what.value}"
    text = f'"{what.text}"' if what.kind == "phrase" else what.text
    text += {"prefix": "*", "near": f"~{what.near}"}.get(what.kind, "")
    return text if what.part == "words" else f"{what.part}:{text}"


def _words(question: Question) -> Iterator[str]:
    """The plain words of a question, for who counts or corrects them."""
    for text in question.texts():
        if text.kind == "word" and text.part == "words":
            yield text.text
