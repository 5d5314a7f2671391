"""The command that searches."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_hits_are_shown_with_their_snippets(trasmallo: Command, finished: Project) -> None:
    done = trasmallo("find", finished.folder, "trasmallo", "--facet", "site")
    assert done.code == 0
    assert "1. " in done.out
    assert "By site: " in done.out
    assert "documents" in done.out.splitlines()[-1]


def test_json_has_the_places_of_the_words(trasmallo: Command, finished: Project) -> None:
    found = trasmallo("find", finished.folder, "trasmallo", "--json", "--limit", "2", "--page", "2").value()
    assert found["offset"] == 2
    assert len(found["hits"]) == 2
    snippet = found["hits"][0]["snippet"]
    assert all("trasmallo" in snippet["text"][start:end].lower() for start, end in snippet["marks"])


def test_every_hit_is_a_line(trasmallo: Command, finished: Project) -> None:
    total = trasmallo("find", finished.folder, "mar", "--json").value()["total"]
    assert len(trasmallo("find", finished.folder, "mar", "--every").rows()) == total


def test_a_suggestion_is_shown(trasmallo: Command, finished: Project) -> None:
    assert "Did you mean: trasmallo" in trasmallo("find", finished.folder, "trasmalo", "--quiet").out


def test_the_stored_text_of_a_hit_is_printed(trasmallo: Command, finished: Project) -> None:
    (hit,) = trasmallo("find", finished.folder, "trasmallo", "--json", "--limit", "1").value()["hits"]
    text = trasmallo("find", finished.folder, hit["url"], "--cached").out
    assert " ".join(hit["snippet"]["text"].split()) in " ".join(text.split())
    assert trasmallo("find", finished.folder, hit["document"], "--cached", "--json").value()["url"] == hit["url"]
    assert trasmallo("find", finished.folder, "http://nowhere.example/", "--cached").refusal()
    assert b"<title>" in finished.cached_page(hit["url"]).lower()


def test_estimates(trasmallo: Command, finished: Project) -> None:
    told = trasmallo("find", finished.folder, "mar puerto", "--estimate", "--json").value()
    assert told["counted"] > 0
    printed = trasmallo("find", finished.folder, "mar puerto", "--estimate").out
    for name in ("independence", "cooccurrence", "share", "collection"):
        assert f" {told[name]:.2f} " in printed


def test_the_size_of_the_demo_is_told_within_one_document(finished: Project) -> None:
    """One sum over documents of all lengths says two too few (68.1 for 70), a median of ratios 18."""
    told = finished.estimate("mar puerto")
    assert told.pairs > 1_000_000
    assert told.collection == pytest.approx(told.documents, abs=1)


@pytest.mark.parametrize("query", ["mar", '"del puerto"', "mar +puerto -barco", "(mar puerto) vela", "the harbour language:en"])
@pytest.mark.parametrize("options", [(), ("--copies",), ("--language", "en")])
def test_estimates_count_what_find_counts(trasmallo: Command, finished: Project, query: str, options: tuple[str, ...]) -> None:
    told = trasmallo("find", finished.folder, query, "--estimate", "--json", *options).value()
    assert told["any_word"] == trasmallo("find", finished.folder, query, "--json", *options).value()["total"]
    assert told["counted"] == trasmallo("find", finished.folder, query, "--all", "--json", *options).value()["total"]


@pytest.mark.parametrize("query", ["(mar", '"mar', "", "mar " * 2_000, "nofield:mar"])
def test_bad_queries_get_one_line(trasmallo: Command, finished: Project, query: str) -> None:
    done = trasmallo("find", finished.folder, query)
    assert done.code == 2
    assert done.refusal()


def test_the_share_and_the_pair_of_estimates(trasmallo: Command, finished: Project) -> None:
    arguments = ("find", finished.folder, "mar puerto", "--estimate")
    told = trasmallo(*arguments, "--share", 1, "--pair", "mar", "casa", "--json").value()
    assert (told["s"], told["share"], told["pair"], told["pairs"]) == (1.0, told["counted"], ["mar", "casa"], 1)
    assert "from mar and casa" in trasmallo(*arguments, "--pair", "mar", "casa").out
    assert trasmallo(*arguments, "--share", 2).refusal() == (
        "trasmallo: no share is 2.0: write a number between 0 and 1, such as 0.2"
    )


def test_a_language_in_which_no_document_is_is_told_with_those_there_are(trasmallo: Command, finished: Project) -> None:
    told = trasmallo("find", finished.folder, "mar language:fr").out
    assert told.startswith("No document is in the language fr: there are es (")
    found = trasmallo("find", finished.folder, "mar language:fr", "--json").value()
    assert (found["total"], found["absent"]) == (0, "fr")
    assert found["languages"]["es"] > 10
