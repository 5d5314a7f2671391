"""The app as a whole: its document, its files, its refusals."""

from __future__ import annotations

from pathlib import Path

import trasmallo.web
from trasmallo.web.pages import UPLOAD
from trasmallo.web.views import all_pages
from web.conftest import Client

STATIC = Path(trasmallo.web.__file__).parent / "static"


def test_the_document_tells_every_page(client: Client) -> None:
    document = client.get("/api/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    told = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert {(page.method, page.api_path) for page in all_pages() if not page.path.startswith("/api")} <= told
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    assert all(operation["summary"] for operation in operations)
    assert len({operation["operationId"] for operation in operations}) == len(operations)


def test_what_is_not_there(client: Client) -> None:
    assert client.get("/nowhere").status_code == 404
    assert client.get("/nowhere/%3Cscript%3E").text.count("<script>") == 0
    assert client.get("/api/nowhere").json()["error"]["kind"] == "NotFound"
    assert client.get("/static/../app.py").status_code == 404
    assert client.ask("PUT", "/new", headers={"Origin": "http://127.0.0.1:7470"}).status_code == 405


def test_a_request_has_a_size(client: Client) -> None:
    large = client.ask("POST", "/new", headers={"Origin": "http://127.0.0.1:7470"}, content=b"x" * (UPLOAD + 1))
    assert large.status_code == 413


def test_our_own_files(client: Client) -> None:
    for path in (path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".svg")):
        answer = client.get(f"/static/{path.relative_to(STATIC)}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"


def test_scripts_of_others_are_few_and_nothing_is_asked_for_elsewhere() -> None:
    vendored = sum(path.stat().st_size for path in (STATIC / "vendor").glob("*.js"))
    assert vendored <= 200_000
    own = [*STATIC.glob("*.js"), *STATIC.glob("*.css"), *STATIC.parent.glob("templates/*.html")]
    for path in own:
        text = path.read_text(encoding="utf-8")
        assert "https://" not in text.replace("https://example.org", ""), path
    for path in STATIC.parent.glob("templates/*.html"):
        text = path.read_text(encoding="utf-8")
        assert " style=" not in text, path
        assert " onclick=" not in text, path
        assert "|safe" not in text, path
