"""Settings are the project file: changed by a form or as text, refused beside the field, repaired when broken."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from trasmallo import config, config_text
from trasmallo.project.project import Project
from trasmallo.web.guard import AppDoor
from trasmallo.web.views.settings import GROUPS
from web.conftest import Client


def file_of(project: Project) -> Any:
    return project.folder / "trasmallo.toml"


def digest_in(page: str) -> str:
    found = re.search(r'name="digest" value="(\w+)"', page)
    assert found
    return found[1]


def test_every_key_has_a_field(client: Client, cats: Project) -> None:
    page = client.page("/p/cats/settings")
    for section, name, _, _ in config_text.describe_keys():
        key = f"{section}.{name}" if section else name
        assert f'name="values.{key}"' in page or key in ("crawl.seeds", "crawl.seeds_off"), key
    known = {f"{section}.{name}" if section else name for section, name, _, _ in config_text.describe_keys()}
    assert {key for keys in GROUPS.values() for key in keys} <= known


def test_a_form_as_it_stands_changes_nothing(client: Client, cats: Project) -> None:
    before = file_of(cats).read_text()
    twin = client.json("/p/cats/settings")
    fields = {f"values.{field['key']}": field["value"] for group in twin["groups"] for field in group["fields"]}
    addresses = [field["url"] for field in twin["addresses"]]
    answer = client.send("/p/cats/settings", **fields, address=addresses, on=addresses, digest=twin["digest"])
    assert answer.status_code == 303, answer.text[-500:]
    assert file_of(cats).read_text() == before


def test_values_are_changed_and_comments_stay(client: Client, cats: Project) -> None:
    file_of(cats).write_text(file_of(cats).read_text().replace("lines = 5", "lines = 5  # mine"))
    changed = {"values.crawl.lines": "3", "values.crawl.delay": "2,5", "values.crawl.feeds": "false"}
    changed |= {
        "values.crawl.exclude": "deportes\n\n.pdf$\n",
        "values.crawl.private": "*.intranet.example\n10.0.0.0/8",
        "values.study.segments": "closed",
        "values.study.stop": "standard",
    }
    assert client.send("/p/cats/settings", **changed).status_code == 303
    now = config.load(file_of(cats))
    assert (now.crawl.lines, now.crawl.delay, now.crawl.feeds, now.crawl.exclude) == (3, 2.5, False, ("deportes", ".pdf$"))
    assert (now.study.segments, now.study.stop) == ("closed", "standard")
    assert now.crawl.private == ("*.intranet.example", "10.0.0.0/8")
    assert "lines = 3  # mine" in file_of(cats).read_text()


def test_addresses_are_switched_off_and_on_and_added(client: Client, cats: Project) -> None:
    cats_url, dogs = "https://cats.example/", "https://dogs.example/"
    assert client.send("/p/cats/settings", address=[cats_url], more="dogs.example").status_code == 303
    now = config.load(file_of(cats)).crawl
    assert (now.seeds, now.seeds_off) == ((dogs,), (cats_url,))
    assert client.send("/p/cats/settings", address=[dogs, cats_url], on=[cats_url]).status_code == 303
    now = config.load(file_of(cats)).crawl
    assert (now.seeds, now.seeds_off) == ((cats_url,), (dogs,))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("crawl.lines", "0"),
        ("crawl.lines", "many"),
        ("crawl.lines", "2.5"),
        ("crawl.delay", "-1"),
        ("crawl.delay", "nan"),
        ("crawl.scope", "everywhere"),
        ("crawl.exclude", "$"),
        ("crawl.private", "http://intranet/"),
        ("crawl.feeds", "perhaps"),
        ("clean.favour", "2"),
        ("study.segment_words", "21"),
        ("language", "Spanish"),
        ("name", "-"),
    ],
)
def test_what_does_not_fit_is_told_beside_its_field(client: Client, cats: Project, key: str, value: str) -> None:
    before = file_of(cats).read_text()
    answer = client.send("/p/cats/settings", **{f"values.{key}": value, "values.crawl.pages": "77"})
    assert answer.status_code == 422
    assert f'id="error-{key}"' in answer.text
    assert 'value="77"' in answer.text, "what was typed is still there"
    assert file_of(cats).read_text() == before


def test_an_unknown_key_is_refused(client: Client, cats: Project) -> None:
    assert client.send("/p/cats/settings", **{"values.crawl.liens": "3"}).status_code == 422
    assert client.send("/p/cats/settings", **{"values.liens.lines": "3"}).status_code == 422


def test_a_preview_saves_nothing(client: Client, cats: Project) -> None:
    before = file_of(cats).read_text()
    page = client.send("/p/cats/settings/preview", **{"values.crawl.lines": "7"})
    assert "lines = 7" in page.text
    wrong = client.send("/p/cats/settings/preview", **{"values.crawl.lines": "0"})
    assert (wrong.status_code, "error-crawl.lines" in wrong.text) == (200, True)
    assert file_of(cats).read_text() == before


def test_two_people_at_once(client: Client, cats: Project) -> None:
    digest = digest_in(client.page("/p/cats/settings"))
    assert client.send("/p/cats/settings", digest=digest, **{"values.crawl.lines": "7"}).status_code == 303
    late = client.send("/p/cats/settings", digest=digest, **{"values.crawl.lines": "8"})
    assert late.status_code == 409
    assert "somebody else changed the file" in late.text
    again = client.send("/p/cats/settings", digest=digest_in(late.text), **{"values.crawl.lines": "8"})
    assert again.status_code == 303
    assert client.send("/p/cats/file", digest=digest, text="").status_code == 409
    assert config.load(file_of(cats)).crawl.lines == 8


def test_a_file_broken_by_hand_is_shown_and_repaired(client: Client, cats: Project) -> None:
    whole = file_of(cats).read_text()
    file_of(cats).write_text(whole.replace("lines = 5", "lines = five"))
    page = client.page("/p/cats/settings")
    assert "is not valid TOML" in page
    assert "lines = five" in page
    assert 'id="form"' not in page
    still = client.send("/p/cats/file", text=whole.replace("lines = 5", "liens = 5"))
    assert still.status_code == 422
    assert "did you mean `lines`?" in still.text
    assert client.send("/p/cats/settings", **{"values.crawl.lines": "7"}).status_code == 422
    assert client.send("/p/cats/file", text=whole.replace("lines = 5", "lines = 6"), digest=digest_in(page)).status_code == 303
    assert config.load(file_of(cats)).crawl.lines == 6


def test_read_only_shows_settings_and_no_button(enter: Callable[..., Client], cats: Project, door: AppDoor) -> None:
    page = enter(door=msgspec.structs.replace(door, read_only=True)).page("/p/cats/settings")
    assert "readonly" in page
    assert ">Save<" not in page
