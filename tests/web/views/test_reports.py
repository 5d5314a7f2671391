"""Citation and report in the app."""

from __future__ import annotations

import shlex

from support.command_line import call
from web.conftest import Client


def test_the_citation_is_there_to_be_copied(demo: Client) -> None:
    twin = demo.json("/p/demo/report")
    assert twin["citation"]["digest"] in twin["text"]
    page = demo.page("/p/demo/report", headers={"Accept-Language": "es"})
    assert 'data-copy="demo: un corpus de la web.' in page
    assert 'data-copy="@misc{' in page
    scoped = demo.json("/p/demo%3A%3Alanguage%3Den/report")
    assert scoped["citation"]["scope"] == "language=en"
    assert scoped["citation"]["documents"] < twin["citation"]["documents"]


def test_the_report_is_a_file(demo: Client) -> None:
    asked = "queries=red%0A%0A%5Blemma%3D%22hacer%22%5D&words=mar&lines=2"
    answer = demo.get(f"/p/demo/report/file?{asked}")
    assert "attachment" in answer.headers["content-disposition"]
    assert "Query: [lemma=&quot;hacer&quot;]" in answer.text
    assert answer.text.count('<td class="l">') == 4
    command = shlex.split(demo.json(f"/p/demo/report?{asked}")["command"])
    assert command[3:9] == ["--query", "red", "--query", '[lemma="hacer"]', "--word", "mar"]
    assert call(*command[1:-1], "-").out.count("<h2>Query:") == 2
    assert demo.get("/api/p/demo/report/file?words=nosuchword").status_code == 400
