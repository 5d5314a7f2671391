"""The registry of formats, and a format that comes as a plug-in."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from support.command_line import call
from support.plugin_packages import install, make_visible
from trasmallo.clean.formats.registry import GROUP, format_of, formats, searched_types

TOY = r"""
import re
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable, plain
from trasmallo.clean.formats.registry import Format


def read_toy(content: bytes, page: HtmlBuilder) -> None:
    lines = page.decode(content).splitlines()
    if lines[0] != "TOY1":
        raise Unreadable("it has no version", "write TOY1 first")
    page.title = lines[1]
    for line in lines[2:]:
        page.block("p", plain(line.upper()))


TOY = Format(
    name="toy", title="Toys", media="application/x-toy", reader=read_toy, begins=(b"TOY",), endings=(".toy",), family="text"
)
"""


def test_names_media_types_and_endings_are_given_once() -> None:
    known = formats()
    media = [media for entry in known for media in (entry.media, *entry.aliases)]
    endings = [ending for entry in known for ending in entry.endings]
    for told in ([entry.name for entry in known], media, endings):
        assert [name for name, times in Counter(told).items() if times > 1] == []
    assert all(ending.startswith(".") and ending.islower() for ending in endings)


def test_a_format_by_its_media_type() -> None:
    assert getattr(format_of("text/x-markdown"), "name", "") == "markdown"
    assert getattr(format_of("image/svg+xml"), "name", "") == "xml"
    assert format_of("video/mp4") is None


def test_what_a_search_for_a_type_means() -> None:
    types = searched_types()
    assert types["pdf"] == ("application/pdf",)
    assert types["html"] == ("text/html", "application/xhtml+xml")
    assert set(types["doc"]) == {"application/msword", *types["docx"]}


def test_crawlers_pass_over_no_ending_of_a_format() -> None:
    from trasmallo.crawl.discover.links import looks_like_asset

    endings = {ending for entry in formats() for ending in entry.endings if looks_like_asset(f"http://a.test/x{ending}")}
    assert endings == {".gz", ".zip"}, "a crawl does not ask for archives by their names"


def test_a_plug_in_is_known_read_in_the_sandbox_and_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", GROUP, {"toy": "toy_format:TOY"}, toy_format=TOY)
    make_visible(tmp_path / "site", monkeypatch)
    document, broken = tmp_path / "a.bin", tmp_path / "b.toy"
    document.write_text("TOY1\nBarcos\nuna red de pesca\n")
    broken.write_text("TOY2\n")

    assert call("convert", document).out.count("<p>UNA RED DE PESCA</p>") == 1
    assert call("text", document).out == "UNA RED DE PESCA\n"
    assert call("convert", broken).refusal().endswith("could not be converted (it has no version): write TOY1 first")


def test_a_plug_in_that_does_not_load_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", GROUP, {"toy": "toy_format:TOY"}, toy_format="TOY = 3")
    make_visible(tmp_path / "site", monkeypatch)
    page = tmp_path / "a.html"
    page.write_text("<p>texto")

    refusal = call("text", page).refusal()
    assert "the plug-in 'toy' of trasmallo.formats is no Format: repair or uninstall the package" in refusal


def test_readers_are_imported_when_they_are_used() -> None:
    code = "import sys, trasmallo.clean.convert as c; c.convert(b'<p>x'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"lxml.etree", "trasmallo.clean.formats.docx", "pypdfium2"} & set(done.stdout.split())
