"""Questions and answers of pages, through the app."""

from __future__ import annotations

import pytest

from trasmallo.project.project import Project
from trasmallo.web.views import all_pages
from web.conftest import Client


def test_every_page_has_a_twin_of_its_own() -> None:
    assert len({(page.method, page.api_path) for page in all_pages()}) == len(all_pages())


def test_a_form_must_be_ours(client: Client, cats: Project) -> None:
    refused = client.ask("POST", "/p/cats/exclude", data={"texts": "x"}, headers={"Origin": "http://127.0.0.1:7470"})
    assert refused.status_code in (400, 403)
    assert client.json("/p/cats/live")["exclude"] == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[1]", "no JSON object"),
        (b"{", "no JSON object"),
        (b'{"texts": 7}', "does not fit"),
        (b'{"texts": ' + b"[" * 100_000, "too deep"),
        (b'{"texts": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "too deep"),
        (b'{"texts": ' + b'{"a":' * 100_000, "too deep"),
        (b"[" * 100_000, "no JSON object"),
    ],
    ids=["list", "half", "number", "arrays", "closed arrays", "objects", "nothing else"],
)
def test_json_that_is_no_question_is_refused(client: Client, cats: Project, body: bytes, said: str) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Origin": "http://127.0.0.1:7470"}
    refused = client.ask("POST", "/api/p/cats/exclude", content=body, headers=headers)
    assert refused.status_code == 400
    assert said in refused.json()["error"]["problem"]


def test_an_action_leads_on_and_says_what_it_did(client: Client, cats: Project) -> None:
    done = client.send("/p/cats/lists", name="own", words="gato")
    assert (done.status_code, done.headers["location"]) == (303, "/p/cats/lists/own.txt?said=list_saved")
