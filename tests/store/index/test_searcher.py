"""Questions and answers over a real index."""

from __future__ import annotations

import gc
import shutil
import weakref
from pathlib import Path

import msgspec
import pytest

from trasmallo.store.index.asking import Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
from trasmallo.store.index.searcher import FoundHits, HitRequest, Searcher
from trasmallo.values.errors import UsageError

TEXTS = {
    "vela": "La vela mayor se iza con buen viento. Navegar a vela es un arte de la mar.",
    "motor": "El motor del barco hace ruido y espanta a los peces de la mar.",
    "red": "Las redes se cosen en el puerto, y una red rota no pesca. La canción de las rederas suena todo el año.",
    "faro": "El faro alumbra el mar de noche; sus canciones son de piedra y de viento norte.",
    "otra": "A book about sails and the wind, written in English by nobody.",
}


def entry(name: str, text: str = "", **more: object) -> IndexEntry:
    number = f"{abs(hash(name)) % 2**32:08x}{len(name):08x}"
    plain = IndexEntry(
        number, f"http://www.{name}.es/a/{name}.html", f"www.{name}.es", 0.0, "", "es", "text/html", text or TEXTS[name]
    )
    return msgspec.structs.replace(plain, **more)


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = tmp_path_factory.mktemp("store") / "index"
    entries = [
        entry("vela", parts=(("title", "Velas y vientos"), ("address", "vela a vela")), day=20240310),
        entry("motor", parts=(("title", "Motores"), ("anchor", "barco de vela")), day=20250101, groups=("mecanicos",)),
        entry("red", parts=(("title", "La red"), ("comments", "me gusta el motor")), day=20240601),
        entry("faro", media="application/pdf", day=20230101, entities=("Punta del Cuervo",)),
        entry("otra", language="en"),
        entry("copia", TEXTS["vela"], is_copy=True),
    ]
    with IndexWriter(folder) as writer:
        writer.add(entries)
        writer.seal()
    return Searcher(folder)


EVERYTHING = Manner(groups=None, types={"pdf": ("application/pdf",)})


def find(searcher: Searcher, query: str, manner: Manner = EVERYTHING, **wanted: object) -> FoundHits:
    return searcher.search(searcher.ask(query, manner, _mates), HitRequest(**wanted))  # type: ignore[arg-type]


def _mates(term: str, listing: object) -> list[str]:
    forms = [["red", "redes"], ["cancion", "canciones"], ["vela", "velas"]]
    return [form for group in forms if term in group for form in group if form != term]


def names(found: FoundHits) -> set[str]:
    return {hit.document.url.split(".")[1] for hit in found.hits}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("motor", {"motor"}),
        ("vela", {"vela", "motor"}),
        ("canción", {"red", "faro"}),
        ('"canción"', {"red"}),
        ("año", {"red"}),
        ("ano", set()),
        ("mar -motor", {"vela", "faro"}),
        ("+vela +barco", {"motor"}),
        ('"buen viento"', {"vela"}),
        ('"viento buen"', set()),
        ('"vela iza"~2', {"vela"}),
        ("title:velas", {"vela"}),
        ("title:barco", set()),
        ("anchor:barco", {"motor"}),
        ("comments:motor", {"red"}),
        ("url:vela", {"vela"}),
        ("alum*", {"faro"}),
        ("title:mot*", {"motor"}),
        ("mptor~1", {"motor"}),
        ("mxtxr~2", {"motor"}),
        ("+(motor faro) +mar", {"motor", "faro"}),
        ("mar date:2024", {"vela"}),
        ("mar date:2025..", {"motor"}),
        ("date:..2023-06", {"faro"}),
        ("mar -date:2024", {"motor", "faro"}),
        ("language:en", {"otra"}),
        ("viento site:faro.es", {"faro"}),
        ("site:vela.es site:www.red.es", {"vela", "red"}),
        ("type:pdf", {"faro"}),
        ('entity:"Punta del Cuervo"', {"faro"}),
        ("-mar", {"red", "otra"}),
    ],
)
def test_queries(searcher: Searcher, query: str, found: set[str]) -> None:
    answer = find(searcher, query)
    assert names(answer) == found
    assert answer.total == len(found)


def test_all_words_may_be_wanted(searcher: Searcher) -> None:
    assert names(find(searcher, "faro mar", Manner(groups=None, all_words=True))) == {"faro"}


def test_words_that_say_little_are_passed_over_unless_wanted(searcher: Searcher) -> None:
    manner = Manner(groups=None, stop=frozenset({"de", "la", "el"}))
    assert names(find(searcher, "la canción de", manner)) == {"red", "faro"}
    assert "vela" in names(find(searcher, "+de", manner))
    assert "vela" in names(find(searcher, "de la", manner))


def test_the_title_counts_more_than_the_text(searcher: Searcher) -> None:
    assert find(searcher, "vientos viento").hits[0].document.url.endswith("vela.html")


def test_copies_are_folded_unless_wanted(searcher: Searcher) -> None:
    assert "copia" not in names(find(searcher, "vela"))
    assert "copia" in names(find(searcher, "vela", Manner(groups=None, copies=True)))
    hidden = Manner(groups=None, hidden_ids=(entry("motor").id,))
    assert names(find(searcher, "vela", hidden)) == {"vela"}


def test_what_may_not_be_seen_is_nowhere(searcher: Searcher) -> None:
    public, mechanic = Manner(), Manner(groups=("mecanicos",))
    assert names(find(searcher, "motor", mechanic)) == {"motor"}
    hidden = find(searcher, "motor mar", public, facets=("site",))
    assert "motor" not in names(hidden)
    assert "www.motor.es" not in hidden.facets["site"]
    assert hidden.total == 2
    assert searcher.suggest(searcher.ask("mptor", public)) == {}
    assert searcher.suggest(searcher.ask("mptor", mechanic)) == {"mptor": "motor"}
    assert searcher.stored(entry("motor").id, public) is None
    assert searcher.stored(entry("motor").id, mechanic) is not None
    assert list(searcher.every(searcher.ask("motor", public))) == []


def test_facets_count_all_hits(searcher: Searcher) -> None:
    found = find(searcher, "mar viento wind", limit=1, facets=("site", "language", "type", "date", "entity"))
    assert found.total == 4
    assert found.facets["language"] == {"es": 3, "en": 1}
    assert found.facets["type"] == {"text/html": 3, "application/pdf": 1}
    assert found.facets["date"]["2024"] == 1
    assert found.facets["entity"] == {"Punta del Cuervo": 1}


def test_a_suggestion_is_written_as_the_documents_write_it(searcher: Searcher) -> None:
    assert searcher.suggest(searcher.ask("cancoin vela", EVERYTHING)) == {"cancoin": "canción"}
    assert searcher.suggest(searcher.ask("canción", EVERYTHING)) == {}
    assert searcher.suggest(searcher.ask("zzzzzzz 123", EVERYTHING)) == {}


def test_nothing_is_suggested_for_a_word_whose_other_forms_are_there(searcher: Searcher) -> None:
    def mates(term: str, _listing: object) -> list[str]:
        return {"redez": ["redes"], "mptor": ["motores"]}.get(term, [])

    assert searcher.suggest(searcher.ask("redez", EVERYTHING)) == {"redez": "redes"}
    assert searcher.suggest(searcher.ask("redez", EVERYTHING, mates)) == {}
    assert searcher.suggest(searcher.ask("mptor", EVERYTHING, mates)) == {}
    assert searcher.suggest(searcher.ask("mptor redez", Manner(), lambda term, _: ["motor"])) == {"redez": "redes"}


def test_who_may_see_less_is_told_of_fewer_documents(searcher: Searcher) -> None:
    assert searcher.documents == 6
    assert searcher.visible(EVERYTHING) == 5
    assert searcher.visible(Manner(groups=None, copies=True)) == 6
    assert searcher.visible(Manner()) == 4
    assert searcher.visible(Manner(groups=None, hidden_ids=(entry("faro").id,))) == 4


def test_snippets_quote_the_stored_text(searcher: Searcher) -> None:
    for hit in find(searcher, "viento red").hits:
        assert hit.snippet.text == hit.document.text[hit.snippet.start : hit.snippet.end]
        assert any(piece.hit for piece in hit.snippet.pieces)


def test_pages_do_not_overlap_and_end(searcher: Searcher) -> None:
    whole = [hit.document.id for hit in find(searcher, "mar viento canción").hits]
    paged = [hit.document.id for at in range(5) for hit in find(searcher, "mar viento canción", limit=1, offset=at).hits]
    assert paged == whole
    assert [hit.document.id for hit in searcher.every(searcher.ask("mar viento canción", EVERYTHING, _mates))] == whole


@pytest.mark.parametrize("wanted", [{"limit": 5_000}, {"offset": 1_000_000}, {"offset": -1}, {"facets": ("colour",)}])
def test_what_is_too_much_is_refused(searcher: Searcher, wanted: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        find(searcher, "mar", **wanted)


def test_a_great_many_hits_come_in_slices(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index") as writer:
        writer.add(entry(f"d{number}", "mar y mar", id=f"{number * 214_748:08x}00000000") for number in range(20_000))
        writer.seal()
    searcher = Searcher(tmp_path / "index")
    ids = [hit.document.id for hit in searcher.every(searcher.ask("mar"), snippet=0)]
    assert len(ids) == len(set(ids)) == 20_000


def test_a_corpus_deleted_under_a_query_is_still_answered(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index") as writer:
        writer.add([entry("vela"), entry("faro")])
        writer.seal()
    searcher = Searcher(tmp_path / "index")
    hits = searcher.every(searcher.ask("mar viento"))
    next(hits)
    shutil.rmtree(tmp_path / "index")
    assert len(list(hits)) == 1


def test_counts_for_estimates(searcher: Searcher) -> None:
    assert searcher.number_with(["mar"]) == 4
    assert searcher.number_with(["mar", "viento"]) == 3
    assert searcher.number_with(["mar", "zzz"]) == 0
    both = searcher.terms(["mar", "viento"], Manner(groups=None, copies=True))
    assert (searcher.number_of(both), searcher.number_of(both, ("mar",))) == (3, 4)
    assert searcher.number_within(both, 1.0) == (3, 1.0)
    number, share = searcher.number_within(both, 0.5)
    assert 0 <= number <= 2
    assert share == 2 / 3
    assert searcher.frequent("vient")[0] == ("viento", 3)
    assert sorted(found.words for found in searcher.documents_with_any(both, 100)) == [1, 2, 2, 2]
    assert searcher.documents_with_any(searcher.terms([]), 100) == []
    assert searcher.number_of(searcher.sampled(both, 1.0)) == 3
    assert searcher.number_of(searcher.sampled(both, 0.0)) == 0


def test_documents_are_told_apart_by_language_and_by_length(searcher: Searcher) -> None:
    words = searcher.terms(["mar", "wind"], Manner(groups=None, copies=True))
    assert [searcher.number_of(searcher.among(words, ["en"]), (word,)) for word in ("mar", "wind")] == [0, 1]
    assert [searcher.number_of(searcher.among(words, ["en"], others=True), (word,)) for word in ("mar", "wind")] == [4, 0]
    assert searcher.number_of(searcher.among(words, [], others=True), ("mar",)) == 4
    with_mar = searcher.documents_with_any(searcher.terms(["mar"], Manner(groups=None, copies=True)), 100)
    sizes = sorted(found.length for found in with_mar)
    assert sizes[0] > 10
    bounds = [sizes[1], sizes[-1] + 1]
    below = sum(size < bounds[0] for size in sizes)
    assert searcher.numbers_by_length(words, "mar", bounds) == [below, 4 - below, 0]
    assert searcher.numbers_by_length(words, "mar", []) == [4]


@pytest.mark.parametrize(
    "query", ["mar viento", "+mar viento", "mar -viento", '"mar viento"', "(mar viento) vela", "mar* viento"]
)
def test_a_conjunction_is_what_all_words_find(searcher: Searcher, query: str) -> None:
    found = searcher.search(searcher.ask(query, Manner(all_words=True)))
    assert searcher.number_of(searcher.conjunction(query)) == found.total


def test_an_index_that_is_not_asked_any_more_is_closed_at_once(tmp_path: Path) -> None:
    with IndexWriter(tmp_path / "index") as writer:
        writer.add([entry("vela"), entry("red")])
        writer.seal()
    searcher = Searcher(tmp_path / "index")
    assert names(find(searcher, "redes")) == {"red"}
    assert searcher.visible(EVERYTHING) == 2
    assert searcher.has_language("es")
    there = weakref.ref(searcher)
    gc.collect()
    gc.disable()
    try:
        del searcher
        assert there() is None, "no cycle keeps it, with its threads and files"
    finally:
        gc.enable()
