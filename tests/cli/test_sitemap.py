"""The command that writes sitemaps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.command_line import Done


def test_a_folder_gets_its_sitemap(tmp_path: Path, trasmallo: Callable[..., Done]) -> None:
    (tmp_path / "a.html").write_text("<p>a")
    done = trasmallo("sitemap", tmp_path, "--base", "https://example.org")
    assert (done.code, done.out) == (0, f"Wrote {tmp_path / 'sitemap.xml'}.\n")
    assert "<loc>https://example.org/a.html</loc><lastmod>2" in (tmp_path / "sitemap.xml").read_text()
    packed = trasmallo("sitemap", tmp_path, "--base", "https://example.org", "--gzip", "--into", tmp_path / "out", "--json")
    assert packed.value() == {"files": [str(tmp_path / "out" / "sitemap.xml.gz")]}
    assert trasmallo("sitemap", tmp_path / "b", "--base", "https://example.org").refusal().endswith("check its name")
    assert trasmallo("sitemap", tmp_path, "--base", "nada").code == 2
