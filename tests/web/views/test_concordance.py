"""The concordance: lines, tables of them, the chain of steps, mistakes, files."""

from __future__ import annotations

import csv
import html
import re
import shlex
from typing import Any
from urllib.parse import quote

import pytest

from support.command_line import call
from web.conftest import Client


@pytest.fixture
def word(demo: Client) -> str:
    rows = demo.json("/p/demo/tables/words?where=count%3E%3D8&sort=-count")["rows"]
    return str(next(row[0] for row in rows if len(row[0]) > 4))


def written(words: list[dict[str, Any]]) -> str:
    return " ".join(word["word"] for word in words)


def test_lines_lead_to_their_place(demo: Client, word: str) -> None:
    twin = demo.json(f"/p/demo/concordance?query={word}")
    assert twin["found"]["total"] > 0
    assert all(written(hit["hit"]).lower() == word for hit in twin["found"]["hits"])
    page = demo.page(f"/p/demo/concordance?query={word}")
    place = html.unescape(re.findall(r'href="(/p/demo/documents/[^"]+)"', page)[0])
    hit = twin["found"]["hits"][0]
    assert place.endswith(f"{hit['document']}?at={hit['start']}-{hit['end']}#at")
    (marked,) = re.findall(r'<mark id="at".*?</mark>', demo.page(place.partition("#")[0]), re.DOTALL)
    assert re.sub(r"<[^>]*>", "", marked).strip() == written(hit["hit"])


def test_three_levels_of_sort(demo: Client, word: str) -> None:
    twin = demo.json(f"/p/demo/concordance?query={word}&sort=word/1&sort=word/2&sort=word/-1")
    following = [hit["right"][0]["word"].lower() if hit["right"] else "" for hit in twin["found"]["hits"]]
    assert len(set(following)) > 1
    assert [step["kind"] for step in twin["steps"]] == ["query", "sort"]


def test_the_chain_can_be_cut(demo: Client, word: str) -> None:
    address = f"/p/demo/concordance?query={word}&where=language%3Des&sample=3&sort=word/1&context=4"
    steps = demo.json(address)["steps"]
    assert [step["kind"] for step in steps] == ["query", "where", "sample", "sort"]
    kinds = [[later["kind"] for later in demo.json(step["here"])["steps"]] for step in steps]
    assert kinds == [["query"], ["query", "where"], ["query", "where", "sample"], ["query", "where", "sample", "sort"]]
    without = [[later["kind"] for later in demo.json(step["without"])["steps"]] for step in steps[1:]]
    assert without == [["query", "sample", "sort"], ["query", "where", "sort"], ["query", "where", "sample"]]
    assert "context=4" in steps[0]["here"]


@pytest.mark.parametrize(
    "options",
    ["view=breakdown&points=word/1", "view=collocates&least=1", "view=distribution&by=site", "view=distribution&by=year"],
)
def test_each_number_leads_to_its_hits(demo: Client, word: str, options: str) -> None:
    twin = demo.json(f"/p/demo/concordance?query={word}&{options}")
    place = len(twin["columns"]) - 2 if "breakdown" in options else 1
    linked = [row for row in twin["rows"] if row["address"]]
    assert linked
    for row in linked[:3]:
        found = demo.json(row["address"])
        assert not found["problem"], row
        if "collocates" in options:  # two hits may share a neighbour
            assert found["found"]["total"] >= row["cells"][place]
        else:
            assert found["found"]["total"] == row["cells"][place]


@pytest.mark.parametrize("view", ["lines", "breakdown", "collocates", "distribution"])
def test_the_command_prints_the_same_and_a_file_has_all(demo: Client, word: str, view: str) -> None:
    address = f"query={word}&view={view}&least=1&context=5&where=language%3Des"
    twin = demo.json(f"/p/demo/concordance?{address}")
    done = call(*shlex.split(twin["command"])[1:], "--format", "csv")
    head, *lines = demo.get(f"/p/demo/concordance/export?{address}").text.splitlines()
    assert head.startswith("# trasmallo kwic ")
    rows = list(csv.reader(lines))
    if view == "lines":
        assert len(rows) == twin["found"]["total"] + 1
    else:
        assert len(rows) == twin["number"] + 1
    if view != "distribution":  # sites are shown from frequent to rare
        assert [*csv.reader(done.out.splitlines())][1:3] == rows[1:3]


def test_the_place_of_a_mistake_is_marked(demo: Client) -> None:
    query = '[lemma="casa" && x]'
    twin = demo.json(f"/p/demo/concordance?query={quote(query)}")
    assert twin["problem"]
    assert query[twin["at"]] == "&"
    page = demo.page(f"/p/demo/concordance?query={quote(query)}")
    assert 'class="mistake">&amp;' in page
    assert 'aria-invalid="true"' in page


@pytest.mark.parametrize(
    "address",
    [
        "query=%22", "query=[", "query=casa&where=x", "query=casa&sort=nobody/1", "query=casa&context=x",
        "query=" + "x" * 9_000,
        "query=%3Cscript%3Ealert(1)%3C/script%3E", "query=casa&view=breakdown&points=tag/9999",
        "query=(%22a%22|%22a%22)*{0,99999}", "query=casa&where=" + "date%3D9999-99",
    ],
)  # fmt: skip
def test_any_question_is_answered(demo: Client, address: str) -> None:
    answer = demo.get(f"/p/demo/concordance?{address}")
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert demo.get(f"/api/p/demo/concordance/export?{address}").status_code in (200, 400)


@pytest.mark.parametrize("address", ["view=nothing", "sample=-1", "sort=a&sort=b&sort=c&sort=d", "left=99", "measure=x"])
def test_what_does_not_fit_is_refused(demo: Client, address: str) -> None:
    assert demo.get(f"/p/demo/concordance?query=casa&{address}").status_code == 400


def test_pages_that_say_what_to_do(demo: Client) -> None:
    assert "Examples:" in demo.page("/p/demo/concordance")
    assert "Nothing was found" in demo.page("/p/demo/concordance?query=xqzzyk")


def test_lemmas_and_categories_on_demand(demo: Client, word: str) -> None:
    assert 'class="token"' in demo.page(f"/p/demo/concordance?query={word}&tags=true")
    assert 'class="token"' not in demo.page(f"/p/demo/concordance?query={word}")


def test_lines_read_as_they_were_written(demo: Client) -> None:
    """No blank between a hit and what touches it, on either side."""
    page, other = (re.sub(r">\s+<td", "><td", demo.page(f"/p/demo/concordance?query={query}")) for query in ("red", "llama"))
    lines = [
        html.unescape(re.sub(r"<[^>]+>", "", row)).replace("\xa0", " ")
        for row in re.findall(r"<tr aria-rowindex=\"\d+\">(<td.*?)</tr>", page, re.DOTALL)
    ]
    assert len(lines) > 10
    assert any("red, " in line for line in lines)
    assert any("red»" in line for line in lines)
    assert not any(re.search(r"[Rr]ed [,.»:;]", line) for line in lines)
    assert any("«Una red" in line for line in lines)
    assert '«<a class="hit"' in re.sub(r"</?(bdi|td)[^>]*>", "", other)


def test_shares_of_a_breakdown_are_percentages(demo: Client, word: str) -> None:
    address = f"/p/demo/concordance?query={word}&view=breakdown"
    (row,) = [row["cells"] for row in demo.json(address)["rows"][:1]]
    shown = f"{100 * row[-1]:.2f}"
    assert f">{shown}%<" in demo.page(address)
    assert f">{shown.replace('.', ',')}\xa0%<" in demo.page(address, headers={"Accept-Language": "es"})


def test_function_words_are_no_collocates_unless_they_are_wanted(demo: Client) -> None:
    address = "/p/demo/concordance?query=red&view=collocates&least=2"
    content, everything = demo.json(address), demo.json(address + "&function_words=true")
    values = [{row["cells"][0] for row in twin["rows"]} for twin in (content, everything)]
    assert "trasmallo" in values[0]
    assert {"uno", "el", "que"} <= values[1] - values[0]
    assert content["hidden"] == len(values[1] - values[0])
    assert everything["hidden"] == 0
    page = demo.page(address, headers={"Accept-Language": "es"})
    assert f"No se muestran {content['hidden']} palabras gramaticales" in page
    assert "function_words=true" in page
    exported = demo.get(address.replace("concordance?", "concordance/export?")).text.splitlines()
    assert len(exported) == len(values[0]) + 2, "a file has what is seen, its origin and its columns"


def test_a_query_that_takes_too_much_is_told(demo: Client) -> None:
    address = "/p/demo/concordance?query=" + quote("([]{1,30}){1,30} within s")
    assert "takes more than" in demo.json(address)["problem"]
    assert "use smaller repeats" in demo.page(address)
    assert "necesita más de" in demo.page(address + "&lang=es")


def test_what_is_suggested_is_found(demo: Client) -> None:
    examples = demo.json("/p/demo/concordance")["examples"]
    assert len(examples) >= 4
    for example in examples:
        answer = demo.json(f"/p/demo/concordance?query={quote(example)}")
        assert answer["found"]["total"] > 0, example
